/* The roofline of a machine with every leaf as a point: how much a leaf computes for each byte that
   it moves, against what it would reach of the machine by its predicted time. In: the point; out: a
   plot with the machine's roofs, and a table of the same figures, with reasons where a leaf has
   none. Bytes and times are the model's, operations those of the kernels. */

/* Bytes and operations in a second, by units for people. */
function rateText(perSecond, unit) {
    const steps = [["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3], ["", 1]];
    const [prefix, factor] = steps.find(([, f]) => perSecond >= f) ?? steps[4];
    return `${Number((perSecond / factor).toPrecision(4))} ${prefix}${unit}`;
}

/* What the machine at hand can do in a second. */
function machineRates(point) {
    const value = (symbol) => Number(point.machine.get(symbol));
    const lanes = (symbol) => value(symbol) * value("M_D") * value("K_D") * 1e3;
    return { bytes: value("V_D") * 1e6, floats: lanes("P_S"), doubles: lanes("P_D"),
        instructions: lanes("P_I") };
}

/* What counts as an operation: arithmetic on floating point numbers; where no leaf has any, all
   instructions. */
function operationKinds(works) {
    const kinds = ["floats", "doubles"].filter((kind) => works.some((work) => work[kind] > 0));
    return kinds.length ? kinds : ["instructions"];
}

function rooflinePoint(leaf, work, kinds, rates) {
    if (work.reason) {
        return { leaf, reason: work.reason };
    }
    const operations = kinds.reduce((sum, kind) => sum + work[kind], 0);
    const time = work.nanoseconds / 1e9;
    const common = { leaf, work, operations, rate: operations / time,
        bytes: work.bytes, bandwidth: work.bytes / time };
    if (!operations) {
        return { ...common, reason: "it does no arithmetic" };
    }
    if (!work.bytes) {
        return { ...common, reason: "its arrays stay in the second-level cache: no bytes from "
            + "memory are counted" };
    }
    /* A leaf that mixes kinds takes the time of each. */
    const least = kinds.reduce((sum, kind) => sum + work[kind] / rates[kind], 0);
    const intensity = operations / work.bytes;
    const roof = Math.min(operations / least, intensity * rates.bytes);
    return { ...common, intensity, roof, share: common.rate / roof,
        isFarRight: operations / least < intensity * rates.bytes };
}

function rooflinePoints(point) {
    const works = point.tree.variants.map((variant) => ({ leaf: variant.id,
        work: point.engineRegion.work(point.machine, point.values, variant.id) }));
    const kinds = operationKinds(works.map(({ work }) => work)), rates = machineRates(point);
    return { kinds, rates,
        points: works.map(({ leaf, work }) => rooflinePoint(leaf, work, kinds, rates)) };
}

/* Whole decades around values, at least two of them. */
function decades(values, name) {
    const from = Math.floor(Math.log10(Math.min(...values)));
    const to = Math.ceil(Math.log10(Math.max(...values)));
    return { name, isLog: true, from: 10 ** from, to: 10 ** Math.max(to, from + 2) };
}

function pointText(p, unit) {
    return `${leafName(p.leaf)}: ${p.intensity.toPrecision(3)} ${unit} per byte, `
        + `${rateText(p.rate, `${unit}/s`)}, ${(100 * p.share).toPrecision(3)} % of the roof `
        + `above, predicted ${timeText(p.work.nanoseconds)}, ${rateText(p.bytes, "B")} from memory`;
}

const ROOFS = { floats: "arithmetic on floats", doubles: "arithmetic on doubles",
    instructions: "instructions" };

function roofsDraw(plot, { kinds, rates }, x) {
    for (const kind of kinds) {
        const ridge = rates[kind] / rates.bytes, from = Math.min(x.from, ridge);
        plot.path([[from, from * rates.bytes], [ridge, rates[kind]],
            [Math.max(x.to, ridge), rates[kind]]], { class: "roof" });
        const unit = kind === "instructions" ? "/s" : "flop/s";
        plot.label([x.to, rates[kind]], `${ROOFS[kind]} ${rateText(rates[kind], unit)}`, "end");
    }
    plot.label([x.from * 1.1, x.from * 1.1 * rates.bytes],
        `memory ${rateText(rates.bytes, "B/s")}`, "start", plot.slope(x.from, rates.bytes));
}

/* `tell`: takes what stands below the plot. */
function rooflinePlot(roofline, taken, tell, showLeaf) {
    const { points, kinds, rates } = roofline, placed = points.filter((p) => p.intensity);
    const ridges = kinds.map((kind) => rates[kind] / rates.bytes);
    const unit = kinds[0] === "instructions" ? "instructions" : "flop";
    const x = decades([...placed.map((p) => p.intensity), ...ridges.map((r) => r * 3),
        ...ridges.map((r) => r / 3)], `${unit} per byte from device memory`);
    const y = decades([...placed.map((p) => p.rate), ...kinds.map((kind) => rates[kind] * 1.5)],
        `${unit} per second`);
    y.from = Math.min(y.from, 10 ** Math.floor(Math.log10(x.from * rates.bytes)));
    const plot = new Plot("Roofline: each leaf as a point below the roofs of the machine", x, y,
        { role: "group", tickText: powerText });
    roofsDraw(plot, roofline, x);
    /* The leaf that runs is drawn last, above the others. */
    const rank = (p) => (p.leaf === taken ? 1 : 0);
    [...placed].sort((a, b) => rank(a) - rank(b)).forEach((p) => {
        const text = pointText(p, unit);
        plot.mark([p.intensity, p.rate], {
            label: String(p.leaf), text, colour: leafColour(p.leaf),
            kind: p.leaf === taken ? "taken" : "", tell: () => tell(text),
            take: () => showLeaf(p.leaf) });
    });
    return plot.svg;
}

function rooflineRow(p, unit, taken, showLeaf) {
    const number = (text) => make("td", { class: "number" }, text);
    const name = make("th", { scope: "row" }, make("button", { type: "button", class: "plain",
        click: () => showLeaf(p.leaf) }, leafName(p.leaf)), p.leaf === taken ? " (runs here)" : "");
    if (!p.work) {
        return row(name, make("td", { colspan: 6 }, `not counted: ${p.reason}`));
    }
    return row(name, number(rateText(p.operations, "")), number(rateText(p.bytes, "B")),
        number(p.intensity ? p.intensity.toPrecision(3) : "not counted"),
        number(rateText(p.rate, `${unit}/s`)),
        number(timeText(p.work.nanoseconds)),
        make("td", { class: "number" }, p.share ? `${(100 * p.share).toPrecision(3)} % of ${
            p.isFarRight ? "arithmetic" : "bandwidth"}` : `not counted: ${p.reason}`));
}

function rooflineShow(holder, point, taken, showLeaf) {
    const roofline = rooflinePoints(point), { kinds, points } = roofline;
    const unit = kinds[0] === "instructions" ? "instructions" : "flop";
    const note = make("p", { class: "told", "aria-live": "polite" });
    const placed = points.filter((p) => p.intensity);
    const first = placed.find((p) => p.leaf === taken) ?? placed[0];
    const tell = (text) => {
        note.textContent = text;
    };
    tell(first ? pointText(first, unit) : "No leaf has a place here; the table says why.");
    holder.replaceChildren(
        make("p", { class: "soft" }, "What each leaf that fits would reach on ",
            `${point.machine.name} at this point: a leaf below the slope waits for memory, one `,
            "below the level for arithmetic; the farther below, the more it waits for something ",
            "else. Point at a leaf, or walk with Tab; a click shows it in the tree."),
        ...(first ? [rooflinePlot(roofline, taken, tell, showLeaf)] : []), note,
        table(["leaf", unit === "flop" ? "floating-point operations" : "instructions",
            "bytes from memory", `${unit} per byte`, "reached", "predicted", "of the roof"],
        points.map((p) => rooflineRow(p, unit, taken, showLeaf)), "figures"),
        make("p", { class: "soft" }, "Operations are counted in the kernels, a multiplication and ",
            "an addition as two; bytes and times are the model's, not measured."));
}
