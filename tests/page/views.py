"""What the views of a page show, looked at in a browser: lines that light up together, the roofline,
two leaves or machines side by side, the map. Each function asks the page and calls expect(holds,
what) for what must be so."""
DOWN, UP, RIGHT, ENTER, ESCAPE = "\ue015", "\ue013", "\ue014", "\ue007", "\ue00c"

# The pointer over each line of each pane: what lights up has the same origin, in all panes.
LIGHT = """
const panes = treefork.code.panes(), wrong = [], seen = {};
const lit = (pane) => [...pane.pre.querySelectorAll('.lit')];
const numbers = (pane) => String(lit(pane).map((line) => Number(line.dataset.n)));
for (const pane of panes) pane.lines.forEach((line, i) => {
    line.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
    const origin = pane.origins[i] ?? 0;
    for (const other of panes) {
        const wanted = other.origins.map((o, k) => (origin && o === origin ? k + 1 : 0)).filter(Boolean);
        if (numbers(other) !== String(wanted)) wrong.push([pane.pre.id, i + 1, other.pre.id, numbers(other)]);
    }
    if (pane === panes[0] && origin) seen[line.textContent.trim()] = panes.slice(1).map((p) => lit(p).map((l) => l.textContent.trim()));
});
panes[0].pre.dispatchEvent(new MouseEvent('mouseleave'));
return [wrong.slice(0, 3), seen, document.querySelectorAll('#code .lit').length];
"""


def lines_lit(browser, expect, name, statement=None):
    """`statement`: (a piece of a source line, of a kernel line, of a PTX line) that belong together."""
    wrong, seen, left = browser.run(LIGHT)
    expect(not wrong, f"{name}: other lines light up: {wrong}")
    expect(seen, f"{name}: no line of the source lights up")
    expect(left == 0, f"{name}: {left} lines stay lit without a pointer")
    if statement:
        found = [came for line, came in seen.items() if statement[0] in line]
        expect(found and any(statement[1] in line for line in found[0][0]), f"{name}: {statement[0]} became {found[:1]}")
        expect(found and any(statement[2] in line for line in found[0][1]), f"{name}: {statement[0]} became in PTX {str(found)[-300:]}")
    return len(seen)


# Panes in which no line of the source's is in sight, of the two that begin with a frame.
UNOPENED = """
return treefork.code.panes().slice(1).filter((pane) => {
    const line = pane.lines.find((_, i) => pane.origins[i]).getBoundingClientRect(), box = pane.pre.getBoundingClientRect();
    return line.top < box.top || line.bottom > box.bottom;
}).map((pane) => pane.pre.id);
"""


def kernels_opened(browser, expect, name):
    unopened = browser.run(UNOPENED)
    expect(not unopened, f"{name}: begins with the frame alone: {unopened}")


KEPT = """return [[...document.querySelectorAll('#code .kept')].map((l) => l.closest('pre').id), document.querySelectorAll('#code .cursor').length,
    document.querySelector('#code > .hint').textContent]"""


def lines_walked(browser, expect, name):
    """Keys in the kernel hold the light of a line, and let go."""
    at = browser.run("const k = treefork.code.kernel; k.pre.focus(); return k.origins.findIndex(Boolean)")
    for _ in range(at + 1):
        browser.keys(DOWN)
    panes, cursors, note = browser.run(KEPT)
    expect("source" in panes and "kernel" in panes and cursors == 1, f"{name}: {at + 1} lines down light up {panes}")
    expect(note.startswith("Line ") and "of OpenCL C (" in note, f"{name}: of a held line is told: {note}")
    browser.keys(ESCAPE)
    expect(browser.run(KEPT)[:2] == [[], 0], f"{name}: Escape does not let go")


COPIED = """
const taken = [];
Object.defineProperty(navigator, 'clipboard', {configurable: true, value: {writeText: async (text) => { taken.push(text); }}});
const done = arguments[arguments.length - 1], buttons = [...document.querySelectorAll('#code .pane-head button')];
buttons.forEach((button) => button.click());
setTimeout(() => done([taken, treefork.code.panes().map((p) => p.text), buttons.map((b) => b.textContent)]), 100);
"""


def texts_copied(browser, expect, name):
    taken, texts, labels = browser.run_later(COPIED)
    expect(taken == texts and len(texts[0]) > 20, f"{name}: {[len(t) for t in taken]} characters are copied of {[len(t) for t in texts]}")
    expect(set(labels) == {"Copied"}, f"{name}: the buttons say {labels}")


ROOFLINE = """
treefork.viewShow('roofline');
const { point, explanation } = treefork, view = document.getElementById('view-roofline');
const timed = explanation.predicted.filter((p) => Number.isFinite(p.nanoseconds)).map((p) => [p.leaf, p.nanoseconds]);
const works = point.tree.variants.map((v) => [v.id, point.engineRegion.work(point.machine, point.values, v.id)]);
const marks = [...view.querySelectorAll('.mark')];
marks[0]?.focus();
return {timed, works, marks: marks.map((m) => m.getAttribute('aria-label')), told: view.querySelector('.told').textContent,
        rows: [...view.querySelectorAll('tbody tr')].map((r) => r.textContent), axes: [...view.querySelectorAll('.plot text')].map((t) => t.textContent),
        points: treefork.parts.rooflinePoints(point).points};
"""


def roofline_drawn(browser, expect, name):
    said = browser.run(ROOFLINE)
    with_time = [[leaf, work["nanoseconds"]] for leaf, work in said["works"] if "reason" not in work]
    expect(with_time == said["timed"], f"{name}: the roofline has times {with_time} instead of {said['timed']}")
    expect(len(said["rows"]) == len(said["works"]), f"{name}: {len(said['rows'])} rows for {len(said['works'])} leaves")
    missing = [row for row, (_, work) in zip(said["rows"], said["works"]) if "reason" in work and work["reason"] not in row]
    expect(not missing, f"{name}: no reason in {missing[:1]}")
    placed = [p for p in said["points"] if p.get("intensity")]
    expect(len(said["marks"]) == len(placed), f"{name}: {len(said['marks'])} points for {len(placed)} leaves")
    expect(all(0 < p["share"] <= 1 + 1e-9 for p in placed), f"{name}: above the roof: {[p['share'] for p in placed]}")
    if placed:
        expect(said["told"] == said["marks"][0], f"{name}: a focused point tells {said['told']}")
        expect(any("per byte" in text for text in said["axes"]) and any("per second" in text for text in said["axes"]),
               f"{name}: the axes are {said['axes']}")
    browser.run("treefork.viewShow('tree')")
    return len(placed)


COMPARE = """
const { point, compare } = treefork, leaves = treefork.explanation.predicted.filter((p) => Number.isFinite(p.nanoseconds));
const of = (machine, leaf) => point.engineRegion.explain(point.engine.machine(point.machines[machine]), point.values).explanation
    ?.predicted.find((p) => p.leaf === leaf)?.nanoseconds;
treefork.viewShow('compare');
const lineCount = (cell) => { const range = document.createRange(); range.selectNodeContents(cell.firstChild); return range.getClientRects().length; };
const broken = [...document.querySelectorAll('#view-compare td.number')].filter((c) => /^\\d+$/.test(c.firstChild.textContent) && lineCount(c) > 1)
    .map((c) => c.textContent);
const selects = [...document.querySelectorAll('#view-compare fieldset select')];
const choose = (number, value) => { selects[number].value = String(value); selects[number].dispatchEvent(new Event('change')); };
const cells = () => [...document.querySelector('#view-compare tbody tr').children].map((c) => c.textContent);
const first = leaves[0].leaf, last = leaves.at(-1).leaf, other = point.machines.length - 1;
choose(0, first); choose(2, last);
const byLeaf = [cells(), [of(point.machineNumber, first), of(point.machineNumber, last)],
    document.querySelectorAll('#view-compare pre .added, #view-compare pre .removed').length, first === last];
choose(2, first); choose(3, other);
const byMachine = [cells(), [of(point.machineNumber, first), of(other, first)]];
const text = document.getElementById('view-compare').textContent;
treefork.compare.regionShow();
treefork.viewShow('tree');
return {byLeaf, byMachine, text, broken, hours: treefork.parts.timeText(1.09e13), timeText: [...byLeaf[1], ...byMachine[1]].map((t) => (Number.isFinite(t) ? treefork.parts.timeText(t) : 'not counted'))};
"""


def sides_compared(browser, expect, name):
    said = browser.run(COMPARE)
    (cells, _, changed, is_one), (machines, _) = said["byLeaf"], said["byMachine"]
    shown = cells[1:3] + machines[1:3]
    expect(all(told in text for told, text in zip(said["timeText"], shown)), f"{name}: sides have {shown} instead of {said['timeText']}")
    expect(not said["broken"], f"{name}: numbers are broken over lines: {said['broken']}")
    expect(said["hours"] == "3.028 h", f"{name}: 10900 s are {said['hours']}")
    expect(changed > 0 or is_one, f"{name}: two leaves have no changes")
    expect("One leaf has one text" in said["text"], f"{name}: one leaf on two machines shows changes")


MAP = """
treefork.viewShow('map');
document.querySelector('.map').focus();
const note = () => document.querySelector('#view-map .told').textContent;
const box = document.querySelector('#view-map svg').getBoundingClientRect();
document.querySelector('.map').dispatchEvent(new MouseEvent('mousemove', {clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, bubbles: true}));
return [note(), document.querySelectorAll('#view-map .cross circle').length, document.querySelectorAll('#view-map .plot text').length];
"""


def map_walked(browser, expect, name):
    note, crosses, texts = browser.run(MAP)
    expect("leaf" in note, f"{name}: under the pointer the map tells {note}")
    expect(texts > 6, f"{name}: the map has {texts} words on its axes")
    at = """const m = treefork.map, value = (axis) => String(treefork.point.get(axis.name));
        return [value(m.drawn.x), value(m.drawn.y), m.drawn.x.name === m.drawn.y.name]"""
    x, y, is_one = browser.run(at)
    for key in (RIGHT, ENTER, UP, ENTER):
        browser.keys(key)
    x_after, y_after, _ = browser.run(at)
    crosses = browser.run("return document.querySelectorAll('#view-map .cross circle').length")
    moves = y_after != y and (is_one or x_after != x)
    expect(moves and crosses == 1, f"{name}: keys take the map's point from {x}, {y} to {x_after}, {y_after}, {crosses} crosses")
    browser.run("treefork.viewShow('tree')")


# The root is in sight when a page opens; on a phone the fields of the point are the first thing.
BEGIN = """
const box = (e) => e.getBoundingClientRect(), holder = box(document.getElementById('tree')), root = box(treefork.view.items[0].group);
const field = document.querySelector('#fields input')?.getBoundingClientRect();
return [root.left >= holder.left && root.right <= holder.right + 1 && root.top >= holder.top && root.bottom <= holder.bottom,
        holder.width / innerWidth, field ? field.top / innerHeight : 0];
"""


def begins_well(browser, expect, name):
    for width, height, share in ((1280, 900, 0.7), (2560, 1300, 0.6), (390, 844, 0.9)):
        browser.emulate(width, height, "light")
        browser.run("treefork.regionShow(); scrollTo(0, 0)")
        is_seen, wide, field = browser.run(BEGIN)
        expect(is_seen, f"{name} {width}: the root is out of sight")
        expect(wide > share, f"{name} {width}: the tree has {wide:.2f} of the width")
        expect(field < 0.5, f"{name} {width}: the first field is {field:.2f} of a screen down")
