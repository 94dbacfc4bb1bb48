/* The page's engine without a browser. In: a page; on standard input lines {"machine": {…},
   "parameters": {…}} with whole numbers as texts. Out: for each line and region what the engine
   explains, or {"error": "…"}, then what the region would choose for itself: what `treefork explain --points --auto` prints
   for the same lines. */
import fs from "node:fs";

const html = fs.readFileSync(process.argv[2], "utf8");
const block = (id) => new RegExp(`<script type="text/plain" id="${id}">([^<]*)</script>`).exec(html)[1];
const script = /<script type="module">([^]*?)<\/script>/.exec(html)[1].replace(/\nstart\(\);\s*$/, "");
const { Engine, unpack } = await import(`data:text/javascript;base64,${Buffer.from(
    `${script}\nexport { Engine, unpack };`).toString("base64")}`);
/* As the tool prints errors, with a blank. */
const text = (engine, place) => (place ? engine.string(place).trimEnd()
    : `{"error": ${JSON.stringify(engine.message())}}`);
const data = JSON.parse(new TextDecoder().decode(await unpack(block("data"))));
const engine = await Engine.load(await unpack(block("engine")));
const regions = data.tables.map((rows) => engine.region(rows));
const lines = fs.readFileSync(0, "utf8").split("\n").filter(Boolean);
for (const line of lines) {
    const { machine, parameters } = JSON.parse(line);
    const file = engine.machine(machine);
    const values = Object.fromEntries(Object.entries(parameters).map(([k, v]) => [k, BigInt(v)]));
    const answers = regions.map((region) => {
        region.give(values);
        const place = engine.exports.engine_explain(region.place, file.place, region.values);
        return [text(engine, place), place
            ? text(engine, engine.exports.engine_choice(region.place, file.place, region.values)) : ""];
    });
    /* A line that any region refuses has that answer alone. */
    const refused = answers.find(([, choice]) => !choice);
    console.log(refused ? refused[0] : answers.flat().join("\n"));
}
