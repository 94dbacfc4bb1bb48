/* The point that the page speaks of: region, machine with changed values, parameters. In: the
   fields of the form and the address; out: calls of `changed`, and what the engine says there. */

const DEVICES_MOST = 16;

class Point {
    constructor(data, engine, changed) {
        this.data = data;
        this.engine = engine;
        this.changed = changed;
        this.regions = data.tables.map((rows) => engine.region(rows));
        this.machines = data.machines.slice();
        this.open(0);
    }

    /* How many of the machine's devices may share launches. */
    get devices() {
        return this.regions[0].devices;
    }

    set devices(count) {
        this.regions.forEach((region) => {
            region.devices = count;
        });
    }

    get tree() {
        return this.data.tree.regions[this.number];
    }

    get engineRegion() {
        return this.regions[this.number];
    }

    open(number) {
        this.number = number;
        this.setMachine(this.machine ? this.machineNumber : this.firstMachine());
        this.values = this.startValues();
    }

    firstMachine() {
        const found = this.machines.findIndex((m) => /A100/.test(m.name));
        return Math.max(found, 0);
    }

    setMachine(number) {
        this.machineNumber = number;
        this.machine = this.engine.machine(this.machines[number]);
    }

    /* The machine with its changed values, to be changed further. */
    machineCopy() {
        const copy = this.engine.machine(this.machines[this.machineNumber]);
        this.engineRegion.rows.machine.forEach((symbol) =>
            copy.set(symbol, this.machine.get(symbol)));
        return copy;
    }

    addMachine(file) {
        this.engine.machine(file);
        this.machines.push(file);
        this.setMachine(this.machines.length - 1);
    }

    roles() {
        const { program, data } = this.tree.parameters;
        return new Map([...program, ...data].map((p) => [p.name, p]));
    }

    /* Usual sizes; where these are not admitted, a point of the first case. */
    startValues() {
        const roles = this.roles();
        const usual = Object.fromEntries(this.engineRegion.integers.map((name) => {
            const role = roles.get(name);
            return [name, BigInt(role?.default ?? (role?.role === "tunable" ? 16 : 1024))];
        }));
        if (this.engineRegion.explain(this.machine, usual).explanation) {
            return usual;
        }
        const system = this.tree.variants.flatMap((v) => v.systems).find((s) => s.witness);
        return Object.fromEntries(this.engineRegion.integers.map((name) =>
            [name, BigInt(system?.witness[name] ?? usual[name])]));
    }

    explain() {
        return this.engineRegion.explain(this.machine, this.values);
    }

    /* What the region would choose for itself here; null where there is nothing to choose. */
    choice() {
        return this.engineRegion.rows.tunables.length
            ? this.engineRegion.choice(this.machine, this.values) : null;
    }

    /* A value by name, of either kind. */
    put(name, value) {
        if (this.has(name)) {
            this.values[name] = value;
        } else {
            this.machine.set(name, value);
        }
    }

    get(name) {
        return name in this.values ? this.values[name] : this.machine.get(name);
    }

    has(name) {
        return name in this.values;
    }

    /* Has it a value: a parameter of the program's or of machines? */
    knows(name) {
        return this.has(name) || this.machine.number(name) >= 0;
    }

    /* What a bookmark keeps. */
    address() {
        const state = new URLSearchParams({ region: this.tree.name, machine: this.machine.name });
        for (const [name, value] of Object.entries(this.values)) {
            state.set(`p.${name}`, String(value));
        }
        if (this.devices > 1) {
            state.set("devices", this.devices);
        }
        return `#${state}`;
    }

    /* Takes what it knows of an address and leaves the rest. */
    restore(hash) {
        const state = new URLSearchParams(hash.slice(1));
        const region = this.data.tree.regions.findIndex((r) => r.name === state.get("region"));
        if (region >= 0) {
            this.open(region);
        }
        const machine = this.machines.findIndex((m) => m.name === state.get("machine"));
        if (machine >= 0) {
            this.setMachine(machine);
        }
        const devices = Number(state.get("devices"));
        this.devices = Number.isInteger(devices) && devices > 1 && devices <= DEVICES_MOST
            ? devices : 1;
        for (const name of Object.keys(this.values)) {
            try {
                this.values[name] = wholeNumber(state.get(`p.${name}`) ?? "none");
            } catch {
                /* the value that stands there already */
            }
        }
    }
}

/* --- the form -------------------------------------------------------------------------------- */

function slider(value, label, give) {
    const exponent = value > 0n && value < 1n << 40n ? value.toString(2).length - 1 : 0;
    return make("input", {
        type: "range", min: 0, max: 24, step: 1, value: Math.min(exponent, 24),
        "aria-label": `${label}, powers of two`,
        input: (event) => give(1n << BigInt(event.target.value)),
    });
}

/* A field of a number with its slider. `give` takes a BigInt. */
function numberField(id, label, unit, value, give) {
    const input = make("input", {
        id, type: "text", inputmode: "numeric", value: shown(value), spellcheck: "false",
    });
    const note = make("span", { class: "unit", id: `${id}-note` }, unit);
    input.setAttribute("aria-describedby", note.id);
    const range = slider(value, label, (power) => {
        input.value = String(power);
        take();
    });
    function take() {
        try {
            const number = wholeNumber(input.value);
            input.removeAttribute("aria-invalid");
            note.textContent = unit;
            note.className = "unit";
            give(number);
        } catch (error) {
            input.setAttribute("aria-invalid", "true");
            note.textContent = error.message;
            note.className = "unit wrong";
        }
    }
    input.addEventListener("input", take);
    return make("div", { class: "field" }, make("label", { for: id }, label), input, range, note);
}

const ROLES = {
    size: "size of an array", tunable: "may be chosen freely", uniform: "whole number",
};

function fieldsShow(point) {
    const roles = point.roles();
    const give = (name) => (value) => {
        point.put(name, value);
        point.changed();
    };
    $("fields").replaceChildren(...point.engineRegion.integers.map((name) =>
        numberField(`p-${name}`, name, ROLES[roles.get(name)?.role] ?? "", point.values[name],
            give(name))));
    const asked = point.tree.parameters.machine;
    const others = point.engineRegion.rows.machine.filter((s) => !asked.some((p) => p.name === s));
    const rows = [...asked, ...others.map((name) => ({ name, key: "", unit: "" }))];
    $("machine-fields").replaceChildren(...rows.map((p) =>
        numberField(`m-${p.name}`, p.name, `${words(p.key)}${p.unit ? `, ${p.unit}` : ""}`,
            point.machine.get(p.name), give(p.name))));
}
