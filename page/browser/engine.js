/* The engine (page/engine/engine.c) as classes. In: its module, a region's rows, a machine file,
   parameters as BigInt. Out: explanations as `treefork explain --json` prints them; whole numbers
   that a double cannot hold are BigInt in them. Nothing here knows the document. */

const LISTS = ["parameters", "bytes", "operations", "lists", "conditions", "asked", "accesses",
    "figures", "launches", "leaves", "steps", "ends", "varies", "tunables", "sizes",
    "moves", "cuts", "parts"];

class Engine {
    static async load(bytes) {
        const system = new Proxy({}, { get: () => () => 0 });
        const imports = { wasi_snapshot_preview1: system };
        const { instance } = await WebAssembly.instantiate(bytes, imports);
        instance.exports._initialize();
        return new Engine(instance.exports);
    }

    constructor(exports) {
        this.exports = exports;
    }

    bytes(length) {
        return this.exports.engine_bytes(length);
    }

    text(string) {
        const bytes = new TextEncoder().encode(string);
        const place = this.bytes(bytes.length + 1);
        new Uint8Array(this.exports.memory.buffer, place, bytes.length).set(bytes);
        return place;
    }

    texts(strings) {
        return this.text(strings.join("\0") + "\0");
    }

    numbers(Kind, list) {
        const place = this.bytes(list.length * Kind.BYTES_PER_ELEMENT);
        new Kind(this.exports.memory.buffer, place, list.length).set(list);
        return place;
    }

    string(place) {
        const memory = new Uint8Array(this.exports.memory.buffer);
        return new TextDecoder().decode(memory.subarray(place, memory.indexOf(0, place)));
    }

    message() {
        return this.string(this.exports.engine_message());
    }

    /* A machine file's object; throws what is wrong with it. */
    machine(file) {
        const place = this.exports.engine_machine(this.text(JSON.stringify(file)));
        if (!place) {
            throw new Error(this.message());
        }
        return new Machine(this, place, file.name);
    }

    region(rows) {
        return new Region(this, rows);
    }
}

class Machine {
    constructor(engine, place, name) {
        this.engine = engine;
        this.place = place;
        this.name = name;
    }

    number(symbol) {
        this.numbers ??= new Map();
        if (!this.numbers.has(symbol)) {
            const place = this.engine.text(symbol);
            this.numbers.set(symbol, this.engine.exports.engine_parameter(place));
        }
        return this.numbers.get(symbol);
    }

    get(symbol) {
        return this.engine.exports.engine_machine_value(this.place, this.number(symbol));
    }

    set(symbol, value) {
        this.engine.exports.engine_machine_set(this.place, this.number(symbol), value);
    }
}

class Region {
    constructor(engine, rows) {
        this.engine = engine;
        this.rows = rows;
        this.integers = rows.names.filter((name, i) => rows.parameters[i] !== 65535);
        const counts = [rows.layout, rows.shape, rows.checks, rows.exact, rows.exact_varies];
        const lists = [counts, ...LISTS.map((name) => rows[name])];
        const constants = rows.constants.map(BigInt);
        const texts = [[rows.name], [rows.function], rows.names, rows.machine, rows.texts,
            rows.words, [rows.divisions]];
        this.place = engine.exports.engine_region(
            engine.numbers(Uint32Array, lists.map((list) => engine.numbers(Uint16Array, list))),
            engine.numbers(Uint32Array, lists.map((list) => list.length)),
            engine.numbers(Uint32Array, texts.map((list) => engine.texts(list))),
            engine.numbers(BigInt64Array, constants), constants.length, rows.machine.length,
            rows.words.length);
        if (!this.place) {
            throw new Error(engine.message());
        }
        this.values = engine.bytes(8 * (this.integers.length + 1));
        this.devices = 1;
    }

    /* What the next question is about: a machine, of which `devices` may share launches, and
       values, BigInt by name. */
    give(machine, values) {
        this.engine.exports.engine_devices(this.place, machine.place, this.devices);
        const memory = this.engine.exports.memory.buffer;
        new BigInt64Array(memory, this.values, this.integers.length)
            .set(this.integers.map((name) => values[name]));
    }

    /* {explanation} or {error}, a text. */
    explain(machine, values) {
        this.give(machine, values);
        const place = this.engine.exports.engine_explain(this.place, machine.place, this.values);
        return place ? { explanation: parseExact(this.engine.string(place)) }
                     : { error: this.engine.message() };
    }

    /* The same of what the region would choose for itself there. */
    choice(machine, values) {
        this.give(machine, values);
        const place = this.engine.exports.engine_choice(this.place, machine.place, this.values);
        return place ? { explanation: parseExact(this.engine.string(place)) }
                     : { error: this.engine.message() };
    }

    /* The leaf by case; 0 where there is none. */
    leaf(machine, values) {
        this.give(machine, values);
        const leaf = this.engine.exports.engine_leaf(this.place, machine.place, this.values);
        return leaf < 0 ? 0 : leaf;
    }

    /* What the leaf moves and computes there; {reason} where that is not counted. */
    work(machine, values, leaf) {
        const names = ["bytes", "floats", "doubles", "instructions", "nanoseconds"];
        this.give(machine, values);
        this.counts ??= this.engine.bytes(8 * names.length);
        if (!this.engine.exports.engine_work(this.place, machine.place, this.values, leaf,
            this.counts)) {
            return { reason: this.engine.message() };
        }
        const numbers = new Float64Array(this.engine.exports.memory.buffer, this.counts,
            names.length);
        return Object.fromEntries(names.map((name, i) => [name, numbers[i]]));
    }

    /* {leaf, nanoseconds} by predicted time; leaf 0 where there is none. */
    fastest(machine, values) {
        this.give(machine, values);
        this.time ??= this.engine.bytes(8);
        const leaf = this.engine.exports.engine_fastest(this.place, machine.place, this.values,
            this.time);
        const time = new Float64Array(this.engine.exports.memory.buffer, this.time, 1);
        return { leaf, nanoseconds: time[0] };
    }
}

/* JSON whose whole numbers of more than 15 digits become BigInt. */
function parseExact(text) {
    const marked = text.replace(/("(?:[^"\\]|\\.)*")|(?<![\d.])(-?\d{16,})(?![\d.eE])/g,
        (all, string, number) => string ?? `"\\u0000${number}"`);
    return JSON.parse(marked, (key, value) =>
        typeof value === "string" && value.startsWith("\u0000") ? BigInt(value.slice(1)) : value);
}

/* What add_packed of page/page.c wrote. */
async function unpack(base64) {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}
