/* A map of leaves over two parameters: one square for each whole-number point of a grid, decided by
   the engine; everything else stays as set. In: the point; out: a drawing whose squares are taken
   as the point by a click. */

const CELLS = 96;

/* Values of an axis, rounded to whole numbers: even steps of the value, or of its logarithm. */
function axisValues(from, to, byPowers) {
    const [lo, hi] = [from < 1n && byPowers ? 1 : Number(from), Number(to)];
    return Array.from({ length: CELLS }, (_, i) => {
        const share = i / (CELLS - 1);
        return BigInt(Math.round(byPowers ? lo * (hi / lo) ** share : lo + (hi - lo) * share));
    });
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
        this.canvas = make("canvas", {
            width: CELLS * 6, height: CELLS * 6, role: "img",
            mousemove: (event) => this.hover(event), click: (event) => this.take(event),
        });
        this.note = make("p", { "aria-live": "polite" });
        this.legend = make("ul", { class: "legend" });
        this.holder.replaceChildren(this.fields(names, across, up), this.note, this.canvas,
            this.legend, make("p", { class: "soft" },
                "Each square is one whole-number point, decided exactly; everything else stays as ",
                "set. A click takes the point."));
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
        const values = axisValues(from, to, $("map-powers").checked);
        return { name: $(`map-${which}`).value, values };
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
        const context = this.canvas.getContext("2d"), size = this.canvas.width / CELLS;
        this.leaves.forEach((leaf, n) => {
            context.fillStyle = leafColour(leaf);
            const top = CELLS - 1 - Math.floor(n / CELLS);
            context.fillRect((n % CELLS) * size, top * size, size, size);
        });
        this.sharesShow();
    }

    sharesShow() {
        const counts = new Map();
        this.leaves.forEach((leaf) => counts.set(leaf, (counts.get(leaf) ?? 0) + 1));
        const item = ([leaf, n]) => make("li", {},
            make("span", { class: "swatch", style: `background:${leafColour(leaf)}` }),
            `${leafName(leaf)}: ${(100 * n / this.leaves.length).toFixed(1)} %`);
        this.legend.replaceChildren(...[...counts].sort((a, b) => b[1] - a[1]).map(item));
        this.canvas.setAttribute("aria-label", `Leaves over ${this.drawn.x.name} and `
            + `${this.drawn.y.name}; the list below has their shares.`);
    }

    at(event) {
        const box = this.canvas.getBoundingClientRect();
        const i = Math.floor((event.clientX - box.left) / box.width * CELLS);
        const j = CELLS - 1 - Math.floor((event.clientY - box.top) / box.height * CELLS);
        const isInside = this.drawn && i >= 0 && i < CELLS && j >= 0 && j < CELLS;
        return isInside ? { x: this.drawn.x.values[i], y: this.drawn.y.values[j],
            leaf: this.leaves[j * CELLS + i] } : null;
    }

    hover(event) {
        const cell = this.at(event);
        if (cell) {
            this.note.textContent = `${this.drawn.x.name} = ${cell.x}, `
                + `${this.drawn.y.name} = ${cell.y}: ${leafName(cell.leaf)}`;
        }
    }

    take(event) {
        const cell = this.at(event);
        if (cell) {
            this.point.put(this.drawn.x.name, cell.x);
            this.point.put(this.drawn.y.name, cell.y);
            this.point.changed(true);
        }
    }
}
