/* A plane with axes, for curves, points and areas in numbers of double precision. In: ranges and
   names of the axes; out: an SVG and functions from values to places in it. */

const PLOT = { width: 640, height: 420, left: 70, right: 15, top: 12, bottom: 48 };
const PLOT_NARROW = { ...PLOT, width: 360, height: 380, left: 62, right: 12 };

/* On a phone words keep their size, and the plane is smaller. */
function plotSize() {
    return innerWidth < 760 ? PLOT_NARROW : PLOT;
}

/* Round numbers in a range: of a logarithmic axis powers of ten, else some five steps. */
function ticks(from, to, isLog) {
    if (isLog) {
        const first = Math.ceil(Math.log10(from) - 1e-9), last = Math.floor(Math.log10(to) + 1e-9);
        const every = Math.max(1, Math.ceil((last - first) / 6)), powers = [];
        for (let k = first; k <= last; k += every) {
            powers.push(10 ** k);
        }
        return powers.length > 1 ? powers : [from, to];
    }
    const rough = (to - from) / 5 || 1, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough) ?? power;
    const list = [];
    for (let v = Math.ceil(from / step) * step; v <= to + step * 1e-9; v += step) {
        list.push(v);
    }
    return list;
}

function axisScale({ from, to, isLog }, begin, end) {
    const map = isLog ? Math.log : (v) => v, lo = map(from), hi = map(to);
    return (value) => begin + (end - begin) * (hi === lo ? 0.5 : (map(value) - lo) / (hi - lo));
}

function tickText(value) {
    return Math.abs(value) >= 1e5 || (value && Math.abs(value) < 1e-3) ? value.toExponential(0)
        : String(Number(value.toPrecision(4)));
}

/* Powers of ten with a prefix: "10 G". */
function powerText(value) {
    const [prefix, factor] = [["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3], ["", 1]]
        .find(([, f]) => value >= f * (1 - 1e-9)) ?? ["", 1];
    return `${Number((value / factor).toPrecision(3))}${prefix ? ` ${prefix}` : ""}`;
}

/* Where a label may stand beside its mark: the first of these that is free is taken. */
const LABEL_PLACES = [[9, 4], [-9, 4], [0, -10], [0, 19], [9, -9], [9, 17], [-9, -9], [-9, 17],
    [9, -22], [9, 30], [-9, -22], [-9, 30], [0, -34], [0, 43]];

/* `x`, `y`: {name, from, to, isLog}; `texts`: of ticks, by tickText if not given otherwise. */
class Plot {
    constructor(label, x, y, { role = "img", tickText: text = tickText } = {}) {
        this.size = plotSize();
        const { width, height, left, right, top, bottom } = this.size;
        this.x = axisScale(x, left, width - right);
        this.y = axisScale(y, height - bottom, top);
        this.boxes = [];
        this.svg = draw("svg", { class: "plot", role, "aria-label": label,
            viewBox: `0 0 ${width} ${height}` });
        this.area = draw("g");
        const xs = ticks(x.from, x.to, x.isLog), ys = ticks(y.from, y.to, y.isLog);
        this.svg.append(
            draw("path", { class: "grid", d: xs.map((v) => `M${this.x(v)} ${top}V${
                height - bottom}`).join("") + ys.map((v) => `M${left} ${this.y(v)}H${
                width - right}`).join("") }),
            this.area,
            draw("path", { class: "axis", d: `M${left} ${top}V${height - bottom}H${width - right}`
                + xs.map((v) => `M${this.x(v)} ${height - bottom}v5`).join("")
                + ys.map((v) => `M${left} ${this.y(v)}h-5`).join("") }));
        for (const v of xs) {
            this.svg.append(draw("text", { x: this.x(v), y: height - bottom + 19,
                "text-anchor": "middle" }, text(v)));
        }
        for (const v of ys) {
            this.svg.append(draw("text", { x: left - 8, y: this.y(v) + 4, "text-anchor": "end" },
                text(v)));
        }
        this.svg.append(
            draw("text", { x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" },
                x.name),
            draw("text", { x: 0, y: 0, "text-anchor": "middle",
                transform: `translate(14 ${(height - bottom) / 2}) rotate(-90)` }, y.name));
    }

    /* A closed area or an open line through [x, y] pairs. */
    path(points, attributes, isClosed = false) {
        const d = points.map(([x, y], i) =>
            `${i ? "L" : "M"}${this.x(x).toFixed(2)} ${this.y(y).toFixed(2)}`).join("");
        const path = draw("path", { d: isClosed ? `${d}Z` : d, ...attributes });
        this.area.append(path);
        return path;
    }

    dot([x, y], title) {
        this.area.append(draw("circle", { cx: this.x(x), cy: this.y(y), r: 3.5, class: "dot" },
            draw("title", {}, title)));
    }

    /* A word in the plane, above its place; turned by so many degrees. */
    label([x, y], text, anchor, degrees = 0) {
        this.area.append(draw("text", { class: "name", "text-anchor": anchor, dy: -7,
            transform: `translate(${this.x(x)} ${this.y(y)}) rotate(${degrees})` }, text));
    }

    /* Degrees of the line y = factor * x in a plane of two logarithms. */
    slope(x, factor) {
        const dx = this.x(10 * x) - this.x(x), dy = this.y(10 * x * factor) - this.y(x * factor);
        return Math.atan2(dy, dx) * 180 / Math.PI;
    }

    /* Takes the first place beside a mark that no label or mark has. */
    labelPlace(x, y, width) {
        const box = ([dx, dy]) => {
            const left = dx > 0 ? x + dx : dx < 0 ? x + dx - width : x - width / 2;
            return { left, right: left + width, top: y + dy - 11, bottom: y + dy + 2, dx, dy };
        };
        const boxes = LABEL_PLACES.map(box);
        const isFree = (b) => this.boxes.every((other) => b.right < other.left
            || b.left > other.right || b.bottom < other.top || b.top > other.bottom);
        const found = boxes.find(isFree) ?? boxes[0];
        this.boxes.push(found);
        return found;
    }

    /* A point that tells of itself by pointer and keys: {label, text, colour, kind, tell, take}. */
    mark([x, y], { label, text, colour, kind, tell, take }) {
        const [px, py] = [this.x(x), this.y(y)];
        this.boxes.push({ left: px - 6, right: px + 6, top: py - 6, bottom: py + 6 });
        const { dx, dy } = this.labelPlace(px, py, 8 * label.length);
        const anchor = dx > 0 ? "start" : dx < 0 ? "end" : "middle";
        this.area.append(draw("g", { class: `mark ${kind}`, role: "button", tabindex: 0,
            "aria-label": text, transform: `translate(${px.toFixed(2)} ${py.toFixed(2)})`,
            mouseenter: tell, focus: tell, click: take, keydown: (event) => {
                if (event.key === "Enter" || event.key === " ") {
                    event.preventDefault();
                    take();
                }
            } },
        draw("circle", { r: kind ? 8 : 6, fill: colour }),
        draw("text", { x: dx, y: dy, "text-anchor": anchor }, label),
        draw("title", {}, text)));
    }
}
