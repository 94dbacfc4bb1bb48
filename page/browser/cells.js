/* Exact areas of the cases over two parameters (`--cells X,Y`): intervals of X whose ends are
   algebraic numbers, strips of Y between roots of polynomials. In: the projections of tree.json;
   out: a drawing, in double precision, and the exact ends as texts. */

/* "s*B0 + B0^2 - 41728" as terms {factor, powers: {s: 1, B0: 1}}. */
function polynomialTerms(text) {
    return [...text.replaceAll(" ", "").matchAll(/([+-]?)([^+-]+)/g)].map(([, sign, body]) => {
        const term = { factor: sign === "-" ? -1 : 1, powers: {} };
        for (const part of body.split("*")) {
            const [name, exponent] = part.split("^");
            if (/^[\d/]/.test(name)) {
                const [n, d] = name.split("/");
                term.factor *= (Number(n) / Number(d ?? 1)) ** Number(exponent ?? 1);
            } else {
                term.powers[name] = (term.powers[name] ?? 0) + Number(exponent ?? 1);
            }
        }
        return term;
    });
}

/* Coefficients in `y`, from that of y^0, where `x` has a value. */
function coefficientsAt(terms, x, value, y) {
    const list = [];
    for (const { factor, powers } of terms) {
        const degree = powers[y] ?? 0;
        list[degree] = (list[degree] ?? 0) + factor * value ** (powers[x] ?? 0);
    }
    return Array.from(list, (c) => c ?? 0);
}

function polynomialAt(coefficients, value) {
    return coefficients.reduceRight((sum, c) => sum * value + c, 0);
}

/* The zero between lo and hi, where the signs differ. */
function bisected(coefficients, lo, hi) {
    const sign = Math.sign(polynomialAt(coefficients, lo));
    for (let i = 0; i < 90; i++) {
        const middle = (lo + hi) / 2;
        if (Math.sign(polynomialAt(coefficients, middle)) === sign) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return (lo + hi) / 2;
}

/* Real roots, ascending: between neighbouring roots of the derivative there is at most one. */
function realRoots(coefficients) {
    while (coefficients.length && coefficients[coefficients.length - 1] === 0) {
        coefficients = coefficients.slice(0, -1);
    }
    if (coefficients.length < 2) {
        return [];
    }
    const leading = coefficients[coefficients.length - 1];
    const bound = 1 + Math.max(...coefficients.map((c) => Math.abs(c / leading)));
    const turns = realRoots(coefficients.slice(1).map((c, i) => c * (i + 1)));
    const places = [-bound, ...turns, bound], roots = [];
    for (let i = 0; i + 1 < places.length; i++) {
        const [lo, hi] = [places[i], places[i + 1]];
        const [a, b] = [polynomialAt(coefficients, lo), polynomialAt(coefficients, hi)];
        if (a === 0 ? i > 0 && roots[roots.length - 1] !== lo : a * b < 0) {
            roots.push(a === 0 ? lo : bisected(coefficients, lo, hi));
        }
    }
    return roots;
}

function endNumber(end) {
    return end ? Number(/-?[\d.]+(e[+-]?\d+)?/.exec(end.decimal)[0]) : null;
}

/* [{leaf, formula, cells}] of a region; empty where it was not asked for areas. */
function regionCells(region) {
    return region.variants.flatMap((variant) => variant.systems
        .filter((system) => system.projection?.cells)
        .map(({ projection }) => ({ leaf: variant.id, ...projection })));
}

/* Y of a strip's end at x; of an open end the edge of the drawing. */
function stripEnd(end, [xName, yName], x, open) {
    const roots = end && realRoots(coefficientsAt(polynomialTerms(end.curve), xName, x, yName));
    return roots?.[end.root - 1] ?? open;
}

/* Ranges that show every finite end and a fifth beyond. */
function cellRanges(cases) {
    const xs = cases.flatMap((c) => c.cells.flatMap((cell) =>
        [endNumber(cell.lo), endNumber(cell.hi)])).filter((x) => x !== null);
    const [from, most] = [Math.min(...xs), Math.max(...xs)];
    const x = { from, to: most + (most - from || 1) / 5 };
    const ys = cases.flatMap((c) => c.cells.flatMap((cell) => cell.strips.flatMap((strip) =>
        [endNumber(cell.lo) ?? x.from, endNumber(cell.hi) ?? x.to].flatMap((at) =>
            [stripEnd(strip.lo, c.onto, at, null), stripEnd(strip.hi, c.onto, at, null)]))))
        .filter((y) => y !== null && Number.isFinite(y));
    const [low, high] = [Math.min(...ys), Math.max(...ys)];
    return { x, y: { from: low, to: high + (high - low || 1) / 5 } };
}

function cellDraw(plot, c, cell, ranges) {
    const STEPS = 48;
    const lo = endNumber(cell.lo) ?? ranges.x.from, hi = endNumber(cell.hi) ?? ranges.x.to;
    for (const strip of cell.strips) {
        const xs = Array.from({ length: STEPS + 1 }, (_, i) => lo + (hi - lo) * i / STEPS);
        const below = xs.map((x) => [x, stripEnd(strip.lo, c.onto, x, ranges.y.from)]);
        const above = xs.map((x) => [x, stripEnd(strip.hi, c.onto, x, ranges.y.to)]);
        const inside = ([x, y]) => [x, Math.min(Math.max(y, ranges.y.from), ranges.y.to)];
        const area = plot.path([...below, ...above.reverse()].map(inside),
            { class: "cell", fill: leafColour(c.leaf) }, true);
        area.append(draw("title", {}, `leaf ${c.leaf}: ${c.formula}`));
    }
}

function cellRows(c) {
    return c.cells.map((cell) => row(make("td", { class: "exact" }, leafName(c.leaf)),
        make("td", {}, endText(cell.lo)), make("td", {}, endText(cell.hi)),
        make("td", {}, ...cell.strips.map((strip) => make("div", {},
            code(`${curveText(strip.lo)} … ${curveText(strip.hi)}`))))));
}

function endText(end) {
    return end ? `root of ${end.polynomial}: ${end.decimal}` : "unbounded";
}

function curveText(end) {
    return end ? `root ${end.root} of ${end.curve}` : "unbounded";
}

function cellsPlot(cases) {
    const ranges = cellRanges(cases), [x, y] = cases[0].onto;
    const plot = new Plot(`Exact areas of the leaves over ${x} and ${y}`,
        { name: x, ...ranges.x }, { name: y, ...ranges.y });
    cases.forEach((c) => c.cells.forEach((cell) => cellDraw(plot, c, cell, ranges)));
    return plot.svg;
}

/* Areas overlap, so that each leaf can be taken away; the safe one, which is nearly everywhere, is
   away at first. */
function cellsShow(holder, region) {
    const cases = regionCells(region), [x, y] = cases[0].onto;
    const leaves = [...new Set(cases.map((c) => c.leaf))];
    const safe = region.variants.find((v) => v.safe)?.id;
    const seen = new Set(leaves.length > 1 ? leaves.filter((leaf) => leaf !== safe) : leaves);
    const body = make("div");
    const show = () => {
        const shown = cases.filter((c) => seen.has(c.leaf));
        body.replaceChildren(...(shown.length ? [cellsPlot(shown)] : []),
            table(["case", `${x} from`, "to", y], shown.flatMap(cellRows)));
    };
    const item = (leaf) => make("li", {}, make("label", {},
        make("input", { type: "checkbox", checked: seen.has(leaf), change: (event) => {
            seen[event.target.checked ? "add" : "delete"](leaf);
            show();
        } }), " ", make("span", { class: "swatch", style: `background:${leafColour(leaf)}` }),
        leafName(leaf)));
    holder.replaceChildren(
        make("p", { class: "soft" }, "Where a case has a point over the reals once all other ",
            "parameters are eliminated, so that areas of several cases overlap. Borders are ",
            "exact: roots of the polynomials below."),
        make("ul", { class: "legend" }, ...leaves.map(item)), body);
    show();
}
