/* Two leaves, or one on two machines, side by side. In: the point and what each side chooses. Out:
   predicted times with their terms, counters, strategies and what each needs, differences marked,
   and the changes from one text to the other. */

const TERMS = [["nanoseconds", "predicted time", timeText], ["memory", "of it memory", timeText],
    ["compute", "arithmetic", timeText], ["latency", "waiting", timeText],
    ["launch", "launching", timeText], ["bound", "bound by", String],
    ["threads", "threads per block", String], ["blocks", "blocks", String]];

/* A point on another machine. */
function pointOn(point, number) {
    const there = Object.create(point);
    if (number !== point.machineNumber) {
        there.machine = point.engine.machine(point.machines[number]);
    }
    return there;
}

/* What is told of a side: {there, variant, time} or the reason why it has no time. */
function comparedSide(point, { leaf, machine }) {
    const there = pointOn(point, machine);
    const variant = point.tree.variants.find((v) => v.id === leaf);
    const { explanation, error } = there.explain();
    const time = explanation?.predicted?.find((p) => p.leaf === leaf);
    const isTimed = Number.isFinite(time?.nanoseconds);
    return { there, variant, time: isTimed ? time : null,
        reason: error ?? (isTimed ? null : "it does not fit here, or no time is predicted"),
        isTaken: explanation?.leaf === leaf };
}

function ratioText(a, b) {
    if (!(a > 0) || !(b > 0) || a === b) {
        return "";
    }
    return b > a ? `× ${(b / a).toPrecision(3)}` : `÷ ${(a / b).toPrecision(3)}`;
}

/* A row of a figure: both sides, and by what the second one differs. */
function comparedRow(name, [a, b], numbers) {
    const cell = ({ text, note }) => make("td", { class: "number" }, text,
        ...(note ? [make("br"), make("span", { class: "soft" }, note)] : []));
    const isSame = a.text === b.text, ratio = numbers ? ratioText(...numbers) : "";
    return make("tr", { class: isSame ? "same" : "differs" },
        make("th", { scope: "row" }, name), cell(a), cell(b),
        make("td", { class: "number" }, isSame ? "same" : ratio || "differs"));
}

function timeRows(sides) {
    return TERMS.map(([key, name, textOf]) => comparedRow(name,
        sides.map((side) => (side.time ? { text: textOf(side.time[key]) }
            : { text: "not counted", note: key === TERMS[0][0] ? side.reason : "" })),
        sides.every((side) => side.time) ? sides.map((side) => Number(side.time[key])) : null));
}

function counterRows(sides) {
    const names = [...new Set(sides.flatMap((side) => Object.keys(side.variant.counters)))];
    return names.map((name) => {
        const told = sides.map(({ there, variant }) => {
            const counter = variant.counters[name];
            return counter ? counterAt(counter, there, variant)
                : { reason: "this leaf has no such counter" };
        });
        const cells = told.map(({ value, reason }) => (value
            ? { text: fractionText(value) } : { text: "not counted", note: reason }));
        const counter = sides.map(({ variant }) => variant.counters[name]).find(Boolean);
        return comparedRow(unitName(name, counter), cells, told.every((t) => t.value)
            ? told.map(({ value }) => Number(value.n) / Number(value.d)) : null);
    });
}

function strategyRows(sides) {
    const lists = sides.map(({ variant }) => strategyNames(variant));
    return [...new Set(lists.flat())].map((name) => comparedRow(named(name),
        lists.map((list) => ({ text: list.includes(name) ? "applied" : "no", note: name }))));
}

/* Each case of a leaf with what holds at the side's point. */
function needRows(sides) {
    const needs = sides.map(({ there, variant }) => {
        const valueOf = valuesAt(there, variant.auxiliary);
        return new Map((variant.fits ?? []).map((text) => [text, holdsAt(text, valueOf)]));
    });
    const verdict = (map, text) => {
        const holds = map.get(text);
        return map.has(text) ? holds === null ? "not known" : holds ? "holds" : "does not"
            : "not asked";
    };
    return [...new Set(needs.flatMap((map) => [...map.keys()]))].map((text) =>
        comparedRow(code(text), needs.map((map) => ({ text: verdict(map, text) }))));
}

class CompareView {
    constructor(holder, page) {
        this.holder = holder;
        this.page = page;
        this.language = "opencl";
    }

    regionShow() {
        this.sides = null;
    }

    /* The leaf that runs and the fastest other one that has a time, else the one most alike. */
    firstSides() {
        const { point, explanation } = this.page, { tree, machineNumber: machine } = point;
        const leaf = explanation?.leaf || tree.variants[0].id;
        const own = tree.variants.find((v) => v.id === leaf);
        const [other] = (explanation?.predicted ?? [])
            .filter((p) => p.leaf !== leaf && Number.isFinite(p.nanoseconds))
            .sort((a, b) => a.nanoseconds - b.nanoseconds);
        const second = other?.leaf ?? nearestLeaf(tree, own)?.id ?? leaf;
        return [{ leaf, machine }, { leaf: second, machine }];
    }

    open() {
        const { point } = this.page;
        this.sides ??= this.firstSides();
        this.body = make("div");
        const select = (side, key, label, options) => make("label", {}, `${label} `,
            make("select", { change: (event) => {
                this.sides[side][key] = Number(event.target.value);
                this.show();
            } }, ...options.map(([value, text]) => make("option", { value,
                selected: this.sides[side][key] === value }, text))));
        const fields = (side) => make("fieldset", {},
            make("legend", {}, side ? "Second" : "First"),
            select(side, "leaf", "Leaf", point.tree.variants.map((v) =>
                [v.id, `${v.id}${v.safe ? " (safe)" : ""}`])),
            select(side, "machine", "Machine", point.machines.map((m, i) => [i, m.name])));
        this.holder.replaceChildren(make("div", { class: "fields sides" }, fields(0), fields(1)),
            this.body);
        this.show();
    }

    /* Follows the point, whose machine a side that had it keeps. */
    show() {
        const { point } = this.page;
        const sides = this.sides.map((side) => comparedSide(point, side));
        const names = sides.map(({ variant, there }) => [leafName(variant.id), there.machine.name]);
        const [a, b] = names;
        const heads = names.map(([leaf, machine]) => (a[1] === b[1] ? leaf
            : a[0] === b[0] ? machine : `${leaf}, ${machine}`));
        const part = (title, rows) => (rows.length ? [make("h3", {}, title),
            table(["figure", heads[0], heads[1], "change"], rows, "figures")] : []);
        this.body.replaceChildren(this.summary(sides, heads),
            ...part("Time", timeRows(sides)), ...part("Counters", counterRows(sides)),
            ...part("Strategies", strategyRows(sides)), ...part("Needs", needRows(sides)),
            make("h3", {}, "Text"), ...this.textChanges(sides));
    }

    summary(sides, heads) {
        const [x, y] = sides.map((side) => side.time?.nanoseconds);
        const faster = x <= y ? 0 : 1;
        const text = !x || !y ? "No time is predicted for both here."
            : x === y ? "Both take the same predicted time."
                : `${heads[faster]} is predicted to be ${(Math.max(x, y) / Math.min(x, y))
                    .toPrecision(3)} times as fast: ${timeText(Math.min(x, y))} against ${
                    timeText(Math.max(x, y))}.`;
        return make("p", {}, make("strong", {}, text));
    }

    textChanges(sides) {
        const { data, point } = this.page, [first, second] = sides.map((side) => side.variant);
        if (first === second) {
            return [make("p", { class: "soft" }, "One leaf has one text, whatever the machine.")];
        }
        const { language } = this;
        const select = make("select", { "aria-label": "Language of the changes",
            change: (event) => {
                this.language = event.target.value;
                this.show();
                this.body.querySelector("select").focus();
            } }, ...Object.keys(LANGUAGES).filter((key) => data[key]).map((key) =>
            make("option", { value: key, selected: key === language }, LANGUAGES[key])));
        const [before, after] = [first, second].map((variant) =>
            kernelText(data, point.tree, variant, language));
        const { lines } = diffLines(before, after);
        const changed = lines.filter((line) => line.classList.length > 1).length;
        return [make("p", { class: "fields" }, select,
            make("span", { class: "soft" }, `${counted(changed, "line")} changed from ${
                leafName(first.id)} to ${leafName(second.id)}`)),
        make("pre", { tabindex: 0, role: "group", "aria-label": "Changes" }, ...lines)];
    }
}
