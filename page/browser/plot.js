/* A plane with axes, for curves, points and areas in numbers of double precision. In: ranges and
   names of the axes; out: an SVG and functions from values to places in it. */

const PLOT = { width: 640, height: 420, left: 70, right: 15, top: 12, bottom: 48 };

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

/* `x`, `y`: {name, from, to, isLog}. */
class Plot {
    constructor(label, x, y) {
        const { width, height, left, right, top, bottom } = PLOT;
        this.x = axisScale(x, left, width - right);
        this.y = axisScale(y, height - bottom, top);
        this.svg = draw("svg", { class: "plot", role: "img", "aria-label": label,
            viewBox: `0 0 ${width} ${height}` });
        this.area = draw("g");
        this.svg.append(this.area,
            draw("path", { class: "axis",
                d: `M${left} ${top}V${height - bottom}H${width - right}` }));
        for (const v of ticks(x.from, x.to, x.isLog)) {
            this.svg.append(draw("text", { x: this.x(v), y: height - bottom + 18,
                "text-anchor": "middle" }, tickText(v)));
        }
        for (const v of ticks(y.from, y.to, y.isLog)) {
            this.svg.append(draw("text", { x: left - 6, y: this.y(v) + 4, "text-anchor": "end" },
                tickText(v)));
        }
        this.svg.append(
            draw("text", { x: (left + width) / 2, y: height - 8, "text-anchor": "middle" }, x.name),
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
}
