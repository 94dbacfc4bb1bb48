/* What `treefork tune --output` measured, as the plots that people expect: the best so far against
   the trials, fractions of the best, time over two tunables, predicted against measured. In: a T4
   document, given to `treefork tree --tuning` or loaded here. */

/* The trials of a document that were right, in the order of measuring. */
function tuningTrials(document) {
    const value = (result, name) => result.measurements.find((m) => m.name === name)?.value;
    return document.results.filter((result) => result.invalidity === "correct").map((result) => ({
        configuration: result.configuration, time: value(result, "time"),
        low: value(result, "time_low"), high: value(result, "time_high"),
        predicted: value(result, "predicted"),
    })).filter((trial) => trial.time > 0);
}

function rangeOf(values, name, isLog = false) {
    const from = Math.min(...values), to = Math.max(...values);
    return { name, from, to: to > from ? to : from + (isLog ? from : 1), isLog };
}

function configurationText(configuration) {
    return Object.entries(configuration).filter(([name]) => !["function", "region"].includes(name))
        .map(([name, value]) => `${name} = ${value}`).join(", ");
}

function bestSoFarPlot(trials) {
    const best = [];
    trials.forEach((trial, i) => best.push(Math.min(trial.time, best[i - 1] ?? Infinity)));
    const plot = new Plot("Best time so far against the number of trials",
        rangeOf([1, trials.length], "trials"), rangeOf(trials.map((t) => t.time), "ms", true));
    plot.path(best.map((time, i) => [i + 1, time]), { class: "line" });
    trials.forEach((trial, i) =>
        plot.dot([i + 1, trial.time], configurationText(trial.configuration)));
    return plot.svg;
}

/* Of how many trials the best time is which fraction of theirs. */
function fractionsPlot(trials) {
    const best = Math.min(...trials.map((t) => t.time));
    const fractions = trials.map((t) => best / t.time).sort((a, b) => b - a);
    const plot = new Plot("Fraction of the best that each trial reached, sorted",
        rangeOf([1, fractions.length], "trials, the best first"),
        { name: "fraction of the best", from: 0, to: 1 });
    plot.path(fractions.map((fraction, i) => [i + 1, fraction]), { class: "line" });
    return plot.svg;
}

function predictedPlot(trials) {
    const both = trials.filter((t) => t.predicted > 0);
    if (!both.length) {
        return null;
    }
    const plot = new Plot("Predicted against measured time",
        rangeOf(both.map((t) => t.time), "measured ms", true),
        rangeOf(both.map((t) => t.predicted), "predicted ms", true));
    both.forEach((t) => plot.dot([t.time, t.predicted], configurationText(t.configuration)));
    return plot.svg;
}

/* The least time of every pair of values of two tunables. */
function heatTable(trials, [a, b]) {
    const valuesOf = (name) => [...new Set(trials.map((t) => t.configuration[name]))]
        .sort((p, q) => p - q);
    const best = Math.min(...trials.map((t) => t.time));
    const cell = (x, y) => {
        const times = trials.filter((t) => t.configuration[a] === x && t.configuration[b] === y)
            .map((t) => t.time);
        if (!times.length) {
            return make("td", {}, "–");
        }
        const share = Math.round(100 * best / Math.min(...times));
        const style = `background:color-mix(in srgb, var(--lit) ${share}%, var(--back))`;
        return make("td", { style, class: "exact" }, Math.min(...times).toPrecision(3));
    };
    return table([`${b} \\ ${a}`, ...valuesOf(a)], valuesOf(b).map((y) =>
        row(make("th", { scope: "row" }, y), ...valuesOf(a).map((x) => cell(x, y)))));
}

/* The two tunables with the most values. */
function heatNames(trials) {
    const names = Object.keys(trials[0].configuration)
        .filter((name) => !["function", "region"].includes(name));
    const count = (name) => new Set(trials.map((t) => t.configuration[name])).size;
    return names.filter((name) => count(name) > 1).sort((a, b) => count(b) - count(a)).slice(0, 2);
}

function trialsShow(holder, document, region) {
    const trials = tuningTrials(document).filter((t) => t.configuration.region === region.name);
    if (!trials.length) {
        holder.replaceChildren(make("p", {},
            `No correct trial of ${region.name} is in this document.`));
        return;
    }
    const names = heatNames(trials), least = trials.reduce((a, b) => (b.time < a.time ? b : a));
    const part = (title, body) => (body ? [make("h3", {}, title), body] : []);
    holder.replaceChildren(
        make("p", {}, `${trials.length} trials on ${document.metadata?.device || "a device"}; `,
            `the best takes ${least.time.toPrecision(4)} ms: `,
            `${configurationText(least.configuration)}.`),
        ...part("Best so far", bestSoFarPlot(trials)),
        ...part("Fractions of the best", fractionsPlot(trials)),
        ...part("Predicted and measured", predictedPlot(trials)),
        ...part("Least time in ms", names.length === 2 ? heatTable(trials, names) : null));
}

function tuningShow(holder, data, region) {
    const body = make("div");
    const load = async (event) => {
        try {
            data.tuning = JSON.parse(await event.target.files[0].text());
            trialsShow(body, data.tuning, region);
        } catch (error) {
            body.replaceChildren(make("p", { class: "wrong" },
                `This is no document of treefork tune --output: ${error.message}`));
        }
    };
    const input = make("input", { type: "file", accept: ".json,application/json", change: load });
    holder.replaceChildren(make("p", {},
        make("label", {}, "Load what treefork tune --output wrote ", input)), body);
    if (data.tuning) {
        trialsShow(body, data.tuning, region);
    }
}
