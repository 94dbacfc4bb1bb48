/* The page's engine without a browser. In: a page; on standard input lines {"machine": {…},
   "parameters": {…}} with whole numbers as texts. Out: for each line and region what the engine
   explains, or {"error": "…"}: what `treefork explain --points` prints for the same lines. */
import fs from "node:fs";

const html = fs.readFileSync(process.argv[2], "utf8");
const block = (id) => new RegExp(`<script type="text/plain" id="${id}">([^<]*)</script>`).exec(html)[1];
const script = /<script type="module">([^]*?)<\/script>/.exec(html)[1].replace(/\nstart\(\);\s*$/, "");
const { Engine, unpack } = await import(`data:text/javascript;base64,${Buffer.from(
    `${script}\nexport { Engine, unpack };`).toString("base64")}`);
const data = JSON.parse(new TextDecoder().decode(await unpack(block("data"))));
const engine = await Engine.load(await unpack(block("engine")));
const regions = data.tables.map((rows) => engine.region(rows));
const lines = fs.readFileSync(0, "utf8").split("\n").filter(Boolean);
for (const line of lines) {
    const { machine, parameters } = JSON.parse(line);
    const file = engine.machine(machine);
    const values = Object.fromEntries(Object.entries(parameters).map(([k, v]) => [k, BigInt(v)]));
    for (const region of regions) {
        region.give(values);
        const place = engine.exports.engine_explain(region.place, file.place, region.values);
        console.log(place ? engine.string(place).trimEnd() : JSON.stringify({ error: engine.message() }));
    }
}
