/* What is told of a fork or a leaf, and the lists beside the tree: what runs, predicted times. */

function row(...cells) {
    return make("tr", {}, ...cells);
}

function code(text, kind) {
    return make("code", { class: kind }, text);
}

/* `kind`: "figures" has numbers in all columns but the first. */
function table(heads, rows, kind) {
    const head = row(...heads.map((text) => make("th", { scope: "col" }, text)));
    return scrolled(make("table", { class: kind },
        heads.length ? make("thead", {}, head) : null, make("tbody", {}, ...rows)));
}

function conditionRow(constraint, valueOf) {
    const holds = holdsAt(constraint, valueOf);
    const verdict = holds === null ? "" : holds ? "holds" : "does not";
    return row(make("td", {}, code(constraint)), make("td", { class: "exact" }, verdict));
}

function strategyNames(variant) {
    return variant.strategies.map((strategy) => strategy.name ?? strategy);
}

/* --- a fork ---------------------------------------------------------------------------------- */

function forkDetail(point, item) {
    const node = item.node, valueOf = valuesAt(point, allDefinitions(point.tree));
    const holds = holdsAt(node.constraint, valueOf);
    const names = [...new Set(node.constraint.match(/[A-Za-z_]\w*/g) ?? [])];
    return make("div", {},
        make("h3", {}, code(`${node.constraint} ?`)),
        make("p", {}, `Asked about: ${named(node.counter ?? "the parameters")}. `,
            holds === null ? "" : `At this point it ${holds ? "holds" : "does not hold"}.`),
        table([], names.map((name) => valueRow(point, name, valueOf))),
        make("p", {}, branchText(node)));
}

function branchText(node) {
    if (node.condition) {
        return `Where it holds: ${strategiesText(node.condition)}.`;
    }
    return node.strategy ? `Where it does not hold: ${strategiesText(node.strategy)}.`
        : "Where it does not hold, nothing is left to try.";
}

function meaningOf(point, name) {
    const machine = point.tree.parameters.machine.find((p) => p.name === name);
    return machine ? `${words(machine.key)}, ${machine.unit}`
        : allDefinitions(point.tree)[name] ?? ROLES[point.roles().get(name)?.role] ?? "";
}

function valueRow(point, name, valueOf) {
    const value = valueOf(name);
    const text = point.knows(name) ? shown(point.get(name)) : value && fractionText(value);
    return row(make("th", { scope: "row" }, code(name)),
        make("td", { class: "number" }, text || ""), make("td", {}, meaningOf(point, name)));
}

function allDefinitions(region) {
    return Object.assign({}, ...region.variants.map((variant) => variant.auxiliary ?? {}));
}

/* --- a leaf ---------------------------------------------------------------------------------- */

/* The formula that counts here, of several pieces the first whose guard holds; null if none is
   known to. */
function countingFormula(counter, valueOf) {
    const pieces = Array.isArray(counter.value) ? counter.value : [{ value: counter.value }];
    const piece = pieces.find((p) => (p.guard ?? []).every((g) => holdsAt(g, valueOf)));
    return typeof piece?.value === "string" ? piece.value : null;
}

/* {value, formula} of a counter at a point; {reason} where it has no number there. */
function counterAt(counter, point, variant) {
    const valueOf = valuesAt(point, { ...variant.auxiliary, ...counter.auxiliary });
    const formula = countingFormula(counter, valueOf);
    const value = formula && formulaValue(formula, valueOf);
    if (value) {
        return { value, formula };
    }
    if (counter.reason) {
        return { reason: counter.reason };
    }
    const unknown = [...new Set((formula ?? "").match(/[A-Za-z_]\w*/g) ?? [])]
        .filter((name) => !(name in FORMULA_FUNCTIONS) && isNumberless(valueOf(name)));
    return { formula, reason: !formula ? "no piece of its formula is known to hold here"
        : unknown.length ? `${unknown.join(", ")} ${unknown.length > 1 ? "have" : "has"} no number `
            + "on this machine" : "its formula divides by 0 here" };
}

function isNumberless(value) {
    return value === null || value === undefined || value === UNLIMITED;
}

/* A counter that is no question of trees and whose name says too little. */
const REPORTED = { predicted_time: "least time, without traffic and waiting" };

/* "registers per thread", with the unit where it says more. */
function unitName(name, counter) {
    const unit = counter?.unit ?? "", told = REPORTED[name] ?? named(name);
    return make("span", {}, told, ...(unit && !told.startsWith(unit)
        ? [make("span", { class: "soft" }, `, ${unit}`)] : []));
}

function counterRow(name, counter, point, variant) {
    const { value, formula, reason } = counterAt(counter, point, variant);
    const told = value ? [code(clipped(formula, 120), "soft")]
        : [make("span", { class: "soft" }, reason)];
    return row(
        make("td", {}, unitName(name, counter), make("br"), ...told),
        make("td", { class: "number exact" }, value ? fractionText(value) : "not counted"),
        make("td", { class: "exact" }, value ? counter.exactness ?? "not known" : ""));
}

function witnessText(system) {
    const values = Object.entries(system.witness ?? {});
    return values.map(([name, value]) => `${name} = ${value ?? "unlimited"}`).join(", ")
        || system.reason || "none was found";
}

function caseDetail(system, title, valueOf) {
    return make("div", {}, make("h3", {}, title),
        table([], system.constraints.map((constraint) => conditionRow(constraint, valueOf))),
        make("p", { class: "soft" }, `A point of it: ${witnessText(system)}. `,
            `Codes of the paper: ${system.codes.join(", ")}.`));
}

/* The other leaf with the most equal strategies and the fewest of its own. */
function nearestLeaf(region, variant) {
    const own = new Set(strategyNames(variant));
    const distance = (other) => {
        const names = strategyNames(other), equal = names.filter((name) => own.has(name)).length;
        return 100 * (names.length - equal) + own.size - equal;
    };
    return region.variants.filter((other) => other !== variant)
        .sort((a, b) => distance(a) - distance(b))[0];
}

function option(value, text) {
    return make("option", { value }, text);
}

function countersDetail(point, variant) {
    return table(["counter", "here", "exactness"], Object.entries(variant.counters)
        .map(([name, counter]) => counterRow(name, counter, point, variant)));
}

/* What of a leaf depends on the point: its cases and counters. */
function leafFigures(point, item, variant) {
    const valueOf = valuesAt(point, variant.auxiliary), number = item.node?.system;
    const titleOf = (i) => (i === number ? "Its case on this path"
        : variant.systems.length > 1 ? "Another case" : "Its case");
    const auxiliary = Object.entries(variant.auxiliary ?? {});
    return make("div", { id: "leaf-figures" },
        ...variant.systems.map((system, i) => caseDetail(system, titleOf(i), valueOf)),
        auxiliary.length ? make("p", { class: "soft" },
            `Where ${auxiliary.map(([name, text]) => `${name} = ${text}`).join(", ")}.`) : null,
        make("h3", {}, "Counters at this point"), countersDetail(point, variant));
}

/* "A m*n, p n": the arrays of a launch that move in one direction. */
function movesText(launch, direction) {
    return launch.arrays.filter((move) => move[direction])
        .map((move) => `${move.array} ${move.partial ? "(parts of sums)" : move.words ?? "?"}`)
        .join(", ");
}

/* What each launch of a sequence runs and moves; nothing of other regions. */
function movesDetail(variant) {
    const moves = variant.moves;
    if (!moves) {
        return null;
    }
    const launches = variant.kernels.map((kernel, i) => row(
        make("td", { class: "number" }, i + 1),
        make("td", {}, kernel.moves.lines.join(", ")),
        make("td", {}, movesText(kernel.moves, "reads")),
        make("td", {}, movesText(kernel.moves, "writes"))));
    return make("div", {}, make("h3", {}, "Launches"),
        make("p", {}, "They move at most ", code(moves.words ?? "an unknown number of"),
            " words of 4 bytes.",
            moves.vanished.length ? ` Without memory: ${moves.vanished.join(", ")}.` : ""),
        table(["launch", "lines", "reads", "writes"], launches));
}

function leafDetail(point, item) {
    const region = point.tree, variant = region.variants.find((v) => v.id === item.leaf);
    const names = strategyNames(variant).join(", ");
    const applied = names ? strategiesText(names) : "none: the program as it is written";
    const safe = variant.safe ? ", the safe one: it runs with any block on any device" : "";
    return make("div", {}, make("h3", {}, `Leaf ${variant.id}${safe}`),
        make("p", {}, `Strategies applied: ${applied}.`),
        movesDetail(variant), leafFigures(point, item, variant));
}

/* --- beside the tree ------------------------------------------------------------------------- */

function stepsList(path) {
    const items = path.map((step) => make("li", {}, code(step.numbers ?? step.constraint)));
    return make("details", {}, make("summary", {}, `${path.length} questions on the way`),
        make("ol", {}, ...items));
}

/* The leaf, its time, the runner-up, the questions with their numbers. */
function answerShow(e, showLeaf) {
    const time = e.predicted?.find((p) => p.leaf === e.leaf && Number.isFinite(p.nanoseconds));
    const second = e.runner_up;
    $("answer").replaceChildren(...[
        make("p", {}, make("strong", {}, `Leaf ${e.leaf}${e.safe ? ", the safe one" : ""}`), " ",
            make("button", { type: "button", click: () => showLeaf(e.leaf) }, "Show it")),
        time ? make("p", {}, `Predicted ${timeText(time.nanoseconds)}, bound by ${time.bound}; `,
            `${counted(time.blocks, "block")} of ${counted(time.threads, "thread")}.`) : null,
        second ? make("p", { class: "soft" },
            `Runner-up: leaf ${second.leaf}, which ${second.excluded_by}.`) : null,
        stepsList(e.path),
    ].filter(Boolean));
}

/* What the region takes where it chooses leaf and tunables for itself. */
function choiceShow(choice, name, take) {
    $("choice").replaceChildren();
    if (!choice) {
        return;
    }
    const { explanation: e, error } = choice, values = Object.entries(e?.chosen ?? {});
    const time = e?.predicted?.find((p) => p.leaf === e.leaf && Number.isFinite(p.nanoseconds));
    $("choice").append(
        make("h3", {}, "Left to itself"),
        make("p", { class: "soft" }, "What ", code(`${name}_auto`), " takes at these sizes, ",
            "by the model."),
        e ? make("p", {}, make("strong", {}, leafName(e.leaf)),
            ` with ${values.map(([key, value]) => `${key} = ${value}`).join(", ")}`,
            e.devices ? ` on ${counted(e.devices.members, "device")}` : "",
            time ? `, predicted ${timeText(time.nanoseconds)}. ` : ". ",
            make("button", { type: "button", click: () => take(values) }, "Go there"))
            : make("p", {}, error));
}

/* A bar for each leaf that has a time here; a star for the least. */
function timesShow(e, showLeaf) {
    const timed = (e.predicted ?? []).filter((p) => Number.isFinite(p.nanoseconds));
    const most = Math.max(...timed.map((p) => p.nanoseconds));
    const least = Math.min(...timed.map((p) => p.nanoseconds));
    const bar = (p) => make("span", {
        class: "bar", style: `width:${(100 * p.nanoseconds / most).toFixed(2)}%`,
    });
    $("times").replaceChildren(
        make("p", { class: "soft" }, "By the model, of every leaf that fits; not measured. ",
            "Where leaves are compared, the safe one and blocks below a warp count as slower."),
        ...timed.map((p) => make("button",
            { type: "button", class: `row${p.leaf === e.leaf ? " taken" : ""}`,
                click: () => showLeaf(p.leaf) },
            make("span", {}, `leaf ${p.leaf}`), make("span", { class: "track" }, bar(p)),
            make("span", {}, timeText(p.nanoseconds) + (p.nanoseconds === least ? " ★" : "")))));
}
