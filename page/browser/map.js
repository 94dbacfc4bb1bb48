/* A map of leaves over two parameters: one square for each whole-number point of a grid, decided by
   the engine; everything else stays as set. In: the point; out: a drawing with axes and the point.
   Its squares tell of themselves under the pointer or by arrow keys; a click or Enter takes one as
   the point. */

const CELLS = 96;

/* Values of an axis, rounded to whole numbers: even steps of the value, or of its logarithm. */
function axisValues(from, to, byPowers) {
    const [lo, hi] = [from < 1n && byPowers ? 1 : Number(from), Number(to)];
    return Array.from({ length: CELLS }, (_, i) => {
        const share = i / (CELLS - 1);
        return BigInt(Math.round(byPowers ? lo * (hi / lo) ** share : lo + (hi - lo) * share));
    });
}

/* The range of an axis whose squares have its values in their middles. */
function squaresRange({ name, values, byPowers }) {
    const lo = Number(values[0]), hi = Number(values[CELLS - 1]);
    if (byPowers) {
        const half = (hi / lo) ** (0.5 / (CELLS - 1));
        return { name, isLog: true, from: lo / half, to: hi * half };
    }
    const half = (hi - lo) / (CELLS - 1) / 2;
    return { name, isLog: false, from: lo - half, to: hi + half };
}

class MapView {
    constructor(holder, point) {
        this.holder = holder;
        this.point = point;
    }

    /* Fields are made anew for each region; a drawing is made when it is looked at. */
    open() {
        const region = this.point.engineRegion, roles = this.point.roles();
        const names = [...region.integers, ...region.rows.machine];
        const tunables = region.integers.filter((name) => roles.get(name)?.role === "tunable");
        const across = tunables[0] ?? names[0];
        const up = tunables[1] ?? names.find((name) => name !== across) ?? across;
        this.frame = make("div", {
            class: "map", role: "application", tabindex: 0,
            mousemove: (event) => this.noteShow(this.at(event)),
            mouseleave: () => this.noteShow(null), keydown: (event) => this.key(event),
            click: (event) => this.take(this.at(event)),
        });
        this.note = make("p", { class: "told", "aria-live": "polite" });
        this.legend = make("ul", { class: "legend" });
        this.holder.replaceChildren(this.fields(names, across, up), this.frame, this.note,
            this.legend, make("p", { class: "soft" },
                "Each square is one whole-number point, decided exactly; everything else stays as ",
                "set. The cross is the point. A click takes another one; so do arrow keys and ",
                "Enter."));
        this.show();
    }

    fields(names, across, up) {
        const change = () => this.show();
        const select = (id, label, chosen) => make("label", {}, `${label} `,
            make("select", { id, change }, ...names.map((name) =>
                make("option", { value: name, selected: name === chosen }, name))));
        const number = (id, label, value) => make("label", {}, `${label} `,
            make("input", { id, size: 9, value, inputmode: "numeric", change }));
        return make("div", { class: "fields" },
            select("map-x", "Across", across),
            number("map-x0", "from", 1), number("map-x1", "to", 512),
            select("map-y", "Up", up), number("map-y0", "from", 1), number("map-y1", "to", 512),
            make("label", {},
                make("input", { id: "map-powers", type: "checkbox", checked: true, change }),
                " by powers"),
            make("label", {}, "Colour ", make("select", { id: "map-kind", change },
                option("case", "leaf by case"), option("time", "leaf by predicted time"))));
    }

    axis(which) {
        const from = wholeNumber($(`map-${which}0`).value);
        const to = wholeNumber($(`map-${which}1`).value);
        if (to <= from || to > 1n << 50n) {
            throw new Error("a range goes from a number to a larger one, at most 2^50");
        }
        const byPowers = $("map-powers").checked, values = axisValues(from, to, byPowers);
        return { name: $(`map-${which}`).value, values, byPowers };
    }

    /* The leaf at each point of the grid, by rows from below. */
    grid({ x, y }) {
        const region = this.point.engineRegion, values = { ...this.point.values };
        const machine = this.point.machineCopy(), byTime = $("map-kind").value === "time";
        const put = (name, value) => {
            if (name in values) {
                values[name] = value;
            } else {
                machine.set(name, value);
            }
        };
        return Uint16Array.from({ length: CELLS * CELLS }, (_, n) => {
            put(y.name, y.values[Math.floor(n / CELLS)]);
            put(x.name, x.values[n % CELLS]);
            const leaf = region.leaf(machine, values);
            return leaf && byTime ? region.fastest(machine, values).leaf : leaf;
        });
    }

    show() {
        try {
            this.drawn = { x: this.axis("x"), y: this.axis("y") };
            this.note.textContent = "";
        } catch (error) {
            this.note.textContent = error.message;
            return;
        }
        this.leaves = this.grid(this.drawn);
        this.plotShow();
        this.sharesShow();
        this.noteShow(null);
    }

    /* The squares of each leaf as one path of runs along the rows. */
    squares() {
        const runs = new Map(), { x, y } = this.plot;
        const [xs, ys] = [this.drawn.x, this.drawn.y].map(squaresRange);
        const [left, top] = [x(xs.from), y(ys.to)];
        const wide = (x(xs.to) - left) / CELLS, high = (y(ys.from) - top) / CELLS;
        for (let n = 0; n < this.leaves.length;) {
            const leaf = this.leaves[n], begin = n;
            do {
                n++;
            } while (n % CELLS && this.leaves[n] === leaf);
            const row = CELLS - 1 - Math.floor(begin / CELLS);
            runs.set(leaf, `${runs.get(leaf) ?? ""}M${(left + (begin % CELLS) * wide).toFixed(2)} ${
                (top + row * high).toFixed(2)}h${((n - begin) * wide).toFixed(2)}v${
                high.toFixed(2)}h${(-(n - begin) * wide).toFixed(2)}z`);
        }
        return [...runs].map(([leaf, d]) => draw("path", { d, fill: leafColour(leaf),
            class: "squares" }));
    }

    plotShow() {
        const [x, y] = [squaresRange(this.drawn.x), squaresRange(this.drawn.y)];
        this.plot = new Plot(`Leaves over ${x.name} and ${y.name}; shares in the list below.`,
            x, y);
        this.plot.area.append(...this.squares());
        this.cross = draw("g", { class: "cross" });
        this.plot.svg.append(this.cross);
        this.frame.replaceChildren(this.plot.svg);
        this.pointShow();
    }

    /* The number of the square that has a value, by its middle; -1 beyond the axis. */
    static squareOf({ values }, value) {
        if (value < values[0] || value > values[CELLS - 1]) {
            return -1;
        }
        const above = values.findIndex((v) => v >= value);
        return above > 0 && values[above] - value > value - values[above - 1] ? above - 1 : above;
    }

    /* The next square in a direction that has another value, since small values are rounded to
       the same whole number in several squares; the same square where there is none. */
    static squareBeyond({ values }, from, step) {
        let next = from;
        while (next + step in values && values[next] === values[from]) {
            next += step;
        }
        return values[next] === values[from] ? from : next;
    }

    /* The cross at the point, where the axes have it. */
    pointShow() {
        const { x, y } = this.drawn, values = [this.point.get(x.name), this.point.get(y.name)];
        const [i, j] = [MapView.squareOf(x, values[0]), MapView.squareOf(y, values[1])];
        this.cursor = { i: Math.max(i, 0), j: Math.max(j, 0) };
        if (i < 0 || j < 0) {
            this.cross.replaceChildren();
            return;
        }
        this.crossShow(i, j);
    }

    crossShow(i, j) {
        const { left, right, top, bottom, width, height } = this.plot.size;
        const x = this.plot.x(Number(this.drawn.x.values[i]));
        const y = this.plot.y(Number(this.drawn.y.values[j]));
        const d = `M${x} ${top}V${height - bottom}M${left} ${y}H${width - right}`;
        this.cross.replaceChildren(draw("path", { class: "under", d }), draw("path", { d }),
            draw("circle", { cx: x, cy: y, r: 5 }));
    }

    sharesShow() {
        const counts = new Map();
        this.leaves.forEach((leaf) => counts.set(leaf, (counts.get(leaf) ?? 0) + 1));
        const item = ([leaf, n]) => make("li", {},
            make("span", { class: "swatch", style: `background:${leafColour(leaf)}` }),
            `${leafName(leaf)}: ${(100 * n / this.leaves.length).toFixed(1)} %`);
        this.legend.replaceChildren(...[...counts].sort((a, b) => b[1] - a[1]).map(item));
        this.frame.setAttribute("aria-label", `Map of leaves over ${this.drawn.x.name} and `
            + `${this.drawn.y.name}: arrow keys walk, Enter takes the point.`);
    }

    cell(i, j) {
        const isInside = this.drawn && i >= 0 && i < CELLS && j >= 0 && j < CELLS;
        return isInside ? { i, j, x: this.drawn.x.values[i], y: this.drawn.y.values[j],
            leaf: this.leaves[j * CELLS + i] } : null;
    }

    at(event) {
        const { left, right, top, bottom, width, height } = this.plot.size;
        const box = this.plot.svg.getBoundingClientRect(), scale = width / box.width;
        const x = ((event.clientX - box.left) * scale - left) / (width - left - right);
        const y = ((event.clientY - box.top) * scale - top) / (height - top - bottom);
        return this.cell(Math.floor(x * CELLS), CELLS - 1 - Math.floor(y * CELLS));
    }

    /* The predicted time of a square's leaf. */
    timeAt(cell) {
        const { point, drawn } = this, values = { ...point.values };
        const machine = point.machineCopy();
        for (const [axis, value] of [[drawn.x, cell.x], [drawn.y, cell.y]]) {
            if (axis.name in values) {
                values[axis.name] = value;
            } else {
                machine.set(axis.name, value);
            }
        }
        const { explanation } = point.engineRegion.explain(machine, values);
        const time = explanation?.predicted?.find((p) => p.leaf === cell.leaf);
        return Number.isFinite(time?.nanoseconds)
            ? `, predicted ${timeText(time.nanoseconds)}, bound by ${time.bound}` : "";
    }

    noteShow(cell) {
        this.note.textContent = cell ? `${this.drawn.x.name} = ${cell.x}, ${this.drawn.y.name} = ${
            cell.y}: ${leafName(cell.leaf)}${this.timeAt(cell)}`
            : `The point: ${this.drawn.x.name} = ${shown(this.point.get(this.drawn.x.name))}, ${
                this.drawn.y.name} = ${shown(this.point.get(this.drawn.y.name))}`;
    }

    take(cell) {
        if (cell) {
            this.point.put(this.drawn.x.name, cell.x);
            this.point.put(this.drawn.y.name, cell.y);
            this.point.changed(true);
            this.crossShow(cell.i, cell.j);
        }
    }

    key(event) {
        const steps = { ArrowRight: ["i", 1], ArrowLeft: ["i", -1], ArrowUp: ["j", 1],
            ArrowDown: ["j", -1] };
        if (event.key in steps) {
            event.preventDefault();
            const [index, step] = steps[event.key];
            const axis = index === "i" ? this.drawn.x : this.drawn.y;
            this.cursor[index] = MapView.squareBeyond(axis, this.cursor[index], step);
            this.crossShow(this.cursor.i, this.cursor.j);
            this.noteShow(this.cell(this.cursor.i, this.cursor.j));
        } else if (event.key === "Enter") {
            this.take(this.cell(this.cursor.i, this.cursor.j));
        }
    }
}
