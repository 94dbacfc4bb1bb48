/* Machines by sizes: the leaf by case and its predicted time in each field, other parameters as
   set. In: the point; out: a table. */

const EXPONENTS = [6, 8, 10, 12, 14, 16];

function matrixCell(region, machine, values) {
    const { explanation, error } = region.explain(machine, values);
    if (!explanation) {
        return make("td", { title: error }, "not admitted");
    }
    const time = explanation.predicted?.find((p) => p.leaf === explanation.leaf);
    return make("td", { class: "exact" },
        make("span", { class: "swatch", style: `background:${leafColour(explanation.leaf)}` }),
        leafName(explanation.leaf), make("br"),
        Number.isFinite(time?.nanoseconds) ? timeText(time.nanoseconds) : "no time");
}

function matrixTable(point, name) {
    const sizes = EXPONENTS.map((exponent) => 1n << BigInt(exponent));
    const rows = point.machines.map((file) => {
        const machine = point.engine.machine(file);
        return row(make("th", { scope: "row" }, file.name), ...sizes.map((size) =>
            matrixCell(point.engineRegion, machine, { ...point.values, [name]: size })));
    });
    return table(["Machine", ...sizes.map((size) => `${name} = ${size}`)], rows);
}

function matrixShow(holder, point) {
    const names = point.engineRegion.integers, roles = point.roles();
    const first = names.find((name) => roles.get(name)?.role === "size") ?? names[0];
    const body = make("div");
    const show = (name) => body.replaceChildren(matrixTable(point, name));
    const select = make("select", { change: (event) => show(event.target.value) },
        ...names.map((name) => make("option", { value: name, selected: name === first }, name)));
    holder.replaceChildren(make("p", {}, make("label", {}, "Size ", select)),
        make("p", { class: "soft" }, "Leaf by case and its predicted time, other parameters as ",
            "set, each machine as its file has it."), body);
    show(first);
}
