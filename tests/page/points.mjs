/* The page's engine without a browser. In: a page; on standard input lines {"machine": {…},
   "parameters": {…}} with whole numbers as texts. Out: for each line and region what the engine
   explains, then what the region would choose for itself; or, where the region cannot run,
   {"line": …, "region": …, "error": "…"}: what `treefork explain --points --auto` prints for the same
   lines, but for the words of such errors. */
import fs from "node:fs";

const html = fs.readFileSync(process.argv[2], "utf8");
const block = (id) => new RegExp(`<script type="text/plain" id="${id}">([^<]*)</script>`).exec(html)[1];
const script = /<script type="module">([^]*?)<\/script>/.exec(html)[1].replace(/\nstart\(\);\s*$/, "");
const { Engine, unpack } = await import(`data:text/javascript;base64,${Buffer.from(
    `${script}\nexport { Engine, unpack };`).toString("base64")}`);
/* As the tool prints errors, with blanks. */
const error = (engine, members) => `{${members}"error": ${JSON.stringify(engine.message())}}`;
const text = (engine, place) => (place ? engine.string(place).trimEnd() : error(engine, ""));
const data = JSON.parse(new TextDecoder().decode(await unpack(block("data"))));
const engine = await Engine.load(await unpack(block("engine")));
const regions = data.tables.map((rows) => engine.region(rows));
const lines = fs.readFileSync(0, "utf8").split("\n").filter(Boolean);
for (const [number, line] of lines.entries()) {
    const { machine, parameters } = JSON.parse(line);
    const file = engine.machine(machine);
    const values = Object.fromEntries(Object.entries(parameters).map(([k, v]) => [k, BigInt(v)]));
    const answers = regions.map((region, r) => {
        region.give(file, values);
        const place = engine.exports.engine_explain(region.place, file.place, region.values);
        if (!place) return [error(engine, `"line": ${number + 1}, "region": "${data.tables[r].name}", `)];
        return [text(engine, place),
            text(engine, engine.exports.engine_choice(region.place, file.place, region.values))];
    });
    console.log(answers.flat().join("\n"));
}
