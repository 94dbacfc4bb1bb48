"""The page in a browser: Chromium by its WebDriver, headless, from the disk. Usage: browser.py BUILD ROOT WORK SAMPLE.c...

For each sample: every leaf is clicked; 200 random points are set and path, leaf, predicted times and
what the region would choose for itself compared with `treefork explain --points --auto`; the tree is
walked by keys; a broken value is refused beside its field; nothing is requested, the console has no
error; contrast and names of controls follow WCAG's rules AA, and axe's rules find no fault, where
they are installed (tools/axe). Screenshots: WORK/NAME-WIDTH-THEME-VIEW.png."""
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import large
import random_points
import views
from webdriver import Browser

build, root, work = sys.argv[1:4]
tool = os.path.join(build, "treefork")
COUNT = 200
SEED = int(os.environ.get("SEED", "11"))
random.seed(SEED)


failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED", what)


# What a visitor does to the point; what the page then shows.
SET = """
const page = treefork, point = page.point;
if (point.number !== arguments[2]) {
    point.open(arguments[2]);
    page.regionShow();
}
point.machines.push(arguments[0]);
point.setMachine(point.machines.length - 1);
for (const [name, value] of Object.entries(arguments[1])) if (point.has(name)) point.values[name] = BigInt(value);
page.changed(true);
const e = page.explanation;
return {lit: page.view.path.map((item) => item.number), items: [...document.querySelectorAll('#tree .lit[role=treeitem]')].length,
        choice: page.choice && page.choice.explanation && {leaf: page.choice.explanation.leaf, chosen: page.choice.explanation.chosen},
        chosen: document.getElementById('choice').textContent,
        failure: document.getElementById('failure').textContent, answer: document.getElementById('answer').textContent,
        leaf: e && e.leaf, path: e && e.path.map((step) => step.holds), times: e && e.predicted.map((p) => [p.leaf, p.nanoseconds])};
"""


def choice_same(said, line):
    """Is what the page shows as the region's own choice what the tool says?"""
    e = json.loads(line)
    if "error" in e:
        return e["error"] in said["chosen"] or not said["chosen"]
    shown = f"leaf {e['leaf']} with " + ", ".join(f"{name} = {value}" for name, value in e["chosen"].items())
    return said["choice"] == {"leaf": e["leaf"], "chosen": e["chosen"]} and shown in said["chosen"]


def answers_grouped(lines, n_regions):
    """What `treefork explain --points --auto` says of each point: per region its explanation and the
    choice, or an error without one."""
    lines = iter(lines)
    answers = [(line, None if line.startswith('{"line"') else next(lines)) for line in lines]
    return [answers[i:i + n_regions] for i in range(0, len(answers), n_regions)]


def explanation_same(said, line, choice):
    e = json.loads(line)
    return (not said["failure"] and said["leaf"] == e["leaf"] and said["path"] == [step["holds"] for step in e["path"]]
            and len(said["lit"]) == len(e["path"]) + 1 == said["items"] and f"Leaf {e['leaf']}" in said["answer"]
            and [[p["leaf"], p["nanoseconds"]] for p in e["predicted"]] == said["times"] and choice_same(said, choice))


def answer_same(said, line, choice):
    if choice is None:
        return bool(said["failure"]) and not said["lit"]
    return explanation_same(said, line, choice)


def point_same(browser, machine, values, group, n_regions):
    """Do all regions in the page say what the tool says, and are those refused that the tool refuses?"""
    said = [browser.run(SET, machine, {key: str(value) for key, value in values.items()}, region) for region in range(n_regions)]
    wrong = [(line, one) for one, (line, choice) in zip(said, group) if not answer_same(one, line, choice)]
    for line, one in wrong[:1]:
        print(f"{line[:1000]}\nthe page: {str(one)[:1000]}")
    return not wrong


def points_compared(browser, path, tree, name):
    drawn, count = random_points.points(tree, root, COUNT), len(tree["regions"])
    given = os.path.join(work, name + ".points")
    with open(given, "w", encoding="utf-8") as file:
        file.write("\n".join(random_points.line(*point) for point in drawn) + "\n")
    told = subprocess.run([tool, "explain", path, "--points", given, "--auto"], capture_output=True, text=True).stdout.splitlines()
    groups = answers_grouped(told, count)
    expect(len(groups) == COUNT, f"{name}: {len(groups)} answers for {COUNT} points")
    different = sum(not point_same(browser, machine, values, group, count) for (machine, values), group in zip(drawn, groups))
    expect(not different, f"{name}: {different} of {COUNT} points differ")
    return len(drawn)


CLICK = """
const items = treefork.view.items.filter((item) => !item.isFork);
const seen = [];
for (const item of items) {
    item.group.dispatchEvent(new MouseEvent('click', {bubbles: true}));
    seen.push([item.leaf, document.querySelector('#detail h3').textContent, document.querySelectorAll('#kernel .line').length]);
}
return seen;
"""


def leaves_clicked(browser, name):
    browser.run("treefork.view.openAll()")
    seen = browser.run(CLICK)
    for leaf, heading, lines in seen:
        expect(heading.startswith(f"Leaf {leaf}"), f"{name}: leaf {leaf} is shown as {heading}")
        expect(lines > 5, f"{name}: leaf {leaf} has a kernel of {lines} lines")
    return len(seen)


DOWN, RIGHT, LEFT, ENTER, SPACE = "\ue015", "\ue014", "\ue012", "\ue007", " "


def keys_walked(browser, name):
    browser.run("treefork.view.openAll(); treefork.view.move(treefork.view.items[0])")
    depth = "return treefork.view.focused.depth"
    browser.keys(RIGHT)
    expect(browser.run(depth) == 1, f"{name}: the right arrow does not go down the tree")
    browser.keys(DOWN)
    browser.keys(ENTER)
    expect(browser.run("return treefork.item === treefork.view.focused"), f"{name}: Enter does not show an item")
    browser.keys(LEFT)
    browser.run("treefork.view.move(treefork.view.items[0])")
    browser.keys(SPACE)
    expect(browser.run("return treefork.view.seen().length") == 1, f"{name}: Space does not close the tree")
    browser.keys(SPACE)
    expect(browser.run("return document.activeElement.getAttribute('role')") == "treeitem", f"{name}: the focus is lost")


BROKEN = """
const input = document.querySelector('#fields input[type=text]'), before = input.value, seen = [];
for (const text of ['abc', '', '1e9', '9'.repeat(30), '-1', '<img src=x onerror=alert(1)>', '0x10']) {
    input.value = text;
    input.dispatchEvent(new Event('input', {bubbles: true}));
    seen.push([text, input.getAttribute('aria-invalid'), document.getElementById(input.id + '-note').textContent,
               document.getElementById('failure').textContent]);
}
input.value = before;
input.dispatchEvent(new Event('input', {bubbles: true}));
return seen;
"""


def broken_values_refused(browser, name):
    for text, invalid, note, failure in browser.run(BROKEN):
        told = invalid == "true" and note or failure
        expect(told, f"{name}: '{text}' in a field is taken without a word")


TAKE = """
document.querySelector('#choice button').click();
const { leaf, chosen } = treefork.choice.explanation;
return [Object.entries(chosen).every(([name, value]) => treefork.point.values[name] === BigInt(value)),
        treefork.explanation.predicted.some((p) => p.leaf === leaf), document.activeElement.closest('#choice') !== null];
"""


def choice_taken(browser, name):
    """The button goes to the chosen tunables, where the chosen leaf fits, and keeps the focus."""
    if browser.run("return Boolean(document.querySelector('#choice button'))"):
        expect(browser.run(TAKE) == [True, True, True], f"{name}: the button does not go to the choice")


# WCAG 2.1, 1.4.3: 4.5 to 1 for text; and every control has a name.
ACCESS = """
const wrong = [];
const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
function behind(element) {
    for (let e = element; e; e = e.parentElement) {
        const rect = e.closest('svg') && e.parentElement?.querySelector(':scope > rect');
        const colour = parse(rect ? getComputedStyle(rect).fill : getComputedStyle(e).backgroundColor);
        if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
}
for (const element of document.querySelectorAll('body *')) {
    const style = getComputedStyle(element);
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !element.getClientRects().length || style.visibility === 'hidden' || ['SCRIPT', 'STYLE', 'title'].includes(element.tagName)) continue;
    const colour = parse(element.closest('svg') ? style.fill : style.color), found = ratio(colour, behind(element));
    if (found < 4.5) wrong.push(`${element.tagName} "${element.textContent.slice(0, 30)}" has contrast ${found.toFixed(2)}`);
}
for (const control of document.querySelectorAll('button, input, select, [role=treeitem], [role=tab], canvas')) {
    const name = control.getAttribute('aria-label') || control.textContent.trim() || [...(control.labels ?? [])].map((l) => l.textContent).join('');
    if (!name && control.getClientRects().length) wrong.push(`${control.outerHTML.slice(0, 80)} has no name`);
}
const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
ids.filter((id, i) => ids.indexOf(id) !== i).forEach((id) => wrong.push(`the id ${id} stands twice`));
for (const e of document.querySelectorAll('[aria-labelledby], [aria-controls], [aria-describedby], label[for]'))
    for (const id of ['aria-labelledby', 'aria-controls', 'aria-describedby', 'for'].flatMap((a) => (e.getAttribute(a) ?? '').split(' ').filter(Boolean)))
        if (!document.getElementById(id)) wrong.push(`${id} is named and not there`);
if (document.documentElement.scrollWidth > innerWidth + 1) wrong.push(`the page is ${document.documentElement.scrollWidth} wide in ${innerWidth}`);
return wrong;
"""


# axe's rules; what they cannot decide is left to ACCESS.
AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ['violations']}).then(
    (found) => done(found.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes[0].html.slice(0, 120)} (${v.nodes.length})`)),
    (error) => done([`axe does not run: ${error}`]));
"""


def axe_rules():
    """The text of the rules, None where they are not installed."""
    found = subprocess.run([os.path.join(root, "tools/axe")], capture_output=True, text=True)
    if found.returncode:
        print("axe: skipped,", found.stderr.strip())
        return None
    with open(found.stdout.strip(), encoding="utf-8") as file:
        return file.read()


def axe_asked(browser, rules, what):
    """The number of rules that found a fault."""
    if not rules:
        return 0
    if not browser.run("return Boolean(window.axe)"):
        browser.run(rules)
    faults = browser.run_later(AXE)
    for fault in faults:
        expect(False, f"{what}: {fault}")
    return len(faults)


# Faults that the rules must find, so that their silence says something.
FAULTY = """document.querySelector('main').insertAdjacentHTML('beforeend',
    '<p id="faulty" style="color: #999; background: #fff">pale <input type="text"></p>');"""


def axe_finds_faults(browser, rules):
    browser.run(rules)
    browser.run(FAULTY)
    found = " ".join(browser.run_later(AXE))
    expect("color-contrast" in found and "label" in found, f"axe finds in a faulty page only: {found}")
    browser.run("document.getElementById('faulty').remove()")
    print("axe: finds what is wrong on purpose")


def looks_checked(browser, rules, name):
    for width, height in ((1280, 900), (390, 844), (2560, 1300)):
        for scheme in ("light", "dark"):
            browser.emulate(width, height, scheme)
            browser.run("scrollTo(0, 0)")
            for view in ("tree", "roofline", "compare", "map", "matrix"):
                browser.run(f"treefork.viewShow('{view}')")
                for fault in browser.run(ACCESS)[:8]:
                    expect(False, f"{name} {width} {scheme} {view}: {fault}")
                if width == 390 or (view == "tree" and width == 1280):
                    axe_asked(browser, rules, f"{name} {width} {scheme} {view}")
                if width != 2560 and (view == "tree" or scheme == "light"):
                    browser.shot(os.path.join(work, f"{name}-{width}-{scheme}-{view}.png"))
            browser.run("treefork.viewShow('tree')")


# A comment and a file name that would be HTML, were they not put in as text.
HOSTILE = """/* </script><script>document.title = 'taken'</script> <img src=x onerror="document.title='taken'"> --> \x01 \\ */
"""


def hostile_source_shown(browser):
    """The whole of a hostile source is read again, and nothing of it runs."""
    folder = os.path.join(work, "a<b>&\"'")
    os.makedirs(folder, exist_ok=True)
    name = "</script><img src=x onerror=alert(1)>&amp;".replace("/", "%")
    path = os.path.join(folder, name + ".c")
    with open(os.path.join(root, "samples/transpose/transpose.c"), encoding="utf-8") as file:
        text = HOSTILE + file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    page = os.path.join(work, "hostile.html")
    subprocess.run([tool, "tree", path, "--html", page], check=True)
    browser.open(page)
    seen = browser.run("return [document.title, treefork.data.source, document.querySelectorAll('img').length, treefork.data.file]")
    expect(seen[0] == name + ": case tree", f"hostile: the title is {seen[0]}")
    expect(seen[1] == text and seen[2] == 0 and seen[3] == name + ".c", "hostile: the source is not what was written")
    expect("onerror" in browser.run("return document.getElementById('source').textContent"), "hostile: the source is not shown")
    browser.open(page + "#region=<img src=x>&machine=%3Cscript%3E&p.W=99999999999999999999999&p.q=1&p.H=abc")
    expect(browser.run("return document.getElementById('failure').hidden"), "hostile: an absurd address stops the page")
    quiet(browser, "hostile")
    print("hostile: shown as text")


def large_tree_walked(browser, model):
    """500 leaves, each at its points."""
    page = os.path.join(work, "large.html")
    large.make(model, 500, page)
    browser.open(page)
    wrong = browser.run("""
        const wrong = [], point = treefork.point;
        for (let n = 1; n <= 4000; n += 7) {
            point.values.n = BigInt(n);
            treefork.changed();
            if (treefork.explanation.leaf !== Math.ceil(n / 8) || treefork.view.path.at(-1).leaf !== Math.ceil(n / 8)) wrong.push(n);
        }
        return wrong;""")
    expect(not wrong, f"large: other leaves at n = {wrong[:5]}")
    expect(browser.run("treefork.view.pathOnly(); return treefork.view.seen().length") < 25, "large: the path alone is long")
    quiet(browser, "large")
    print("large: 500 leaves, each at its points")


# A document as `treefork tune --output` writes it, of two tunables.
def tuning_document(region):
    results = [{"configuration": {"function": region["function"], "region": region["name"], "leaf": 1, "B0": 2 ** a, "ub1": 2 ** b},
                "invalidity": "correct" if a + b < 10 else "runtime",
                "measurements": [{"name": "time", "value": 1 + abs(a - 5) + abs(b - 3), "unit": "ms"},
                                 {"name": "predicted", "value": 1.5 + abs(a - 4) + abs(b - 3), "unit": "ms"}]}
               for a in range(3, 8) for b in range(2, 6)]
    return {"schema_version": "1.0.0", "metadata": {"device": "made up"}, "results": results}


ROOTS = """
return [[[-6, 11, -6, 1], [1, 2, 3]], [[-2, 0, 1], [-Math.SQRT2, Math.SQRT2]], [[1, 0, 1], []], [[-5, 2], [2.5]], [[0, -1, 1], [0, 1]],
        [[1, -2, 1], [1]]]
    .map(([c, roots]) => [treefork.parts.realRoots(c), roots])
    .filter(([a, b]) => a.length !== b.length || a.some((x, i) => Math.abs(x - b[i]) > 1e-9))"""
# Inside each drawn cell the formula of its case holds, beside it a bound of it fails.
CELLS = """
const wrong = [];
const cases = treefork.parts.regionCells(treefork.viewed);
for (const c of cases) for (const cell of c.cells) {
    const lo = treefork.parts.endNumber(cell.lo), hi = treefork.parts.endNumber(cell.hi);
    if (lo === null || hi === null) continue;
    for (const share of [0.1, 0.5, 0.9]) for (const strip of cell.strips) {
        const x = lo + (hi - lo) * share, below = treefork.parts.stripEnd(strip.lo, c.onto, x, null),
            above = treefork.parts.stripEnd(strip.hi, c.onto, x, null);
        if (below === null || above === null) continue;
        const place = {[c.onto[0]]: x, [c.onto[1]]: (below + above) / 2};
        const holds = (text) => { const names = Object.keys(place);
            return Function(...names, `return ${text.replaceAll('^', '**')}`)(...names.map((n) => place[n])); };
        if (!holds(c.formula)) wrong.push([c.leaf, x, c.formula]);
    }
}
return [cases.length, wrong];"""


def other_views_drawn(browser, rules, path, region):
    """Areas and tuning: what is drawn is what the documents say."""
    document = os.path.join(work, "tuning.json")
    with open(document, "w", encoding="utf-8") as file:
        json.dump(tuning_document(region), file)
    page = os.path.join(work, "views.html")
    subprocess.run([tool, "tree", path, "--html", page, "--machine", "ampere-a100", "--cells", "s,B0", "--tuning", document], check=True)
    browser.open(page)
    # The policy of the page forbids Function; a test may look at it from outside.
    count, wrong = browser.run(CELLS)
    expect(count > 5 and not wrong, f"views: {count} cases, {wrong[:2]}")
    expect(not browser.run(ROOTS), f"views: other roots {browser.run(ROOTS)}")
    browser.run("treefork.viewShow('cells')")
    expect(browser.run("return document.querySelectorAll('#view-cells .cell').length") > 5, "views: no areas are drawn")
    browser.run("treefork.viewShow('tuning')")
    told = browser.run("const t = document.getElementById('view-tuning'); return [t.textContent, t.querySelectorAll('svg').length, t.querySelectorAll('td').length]")
    expect("14 trials on made up" in told[0] and "the best takes 1.000 ms" in told[0] and "B0 = 32, ub1 = 8" in told[0], f"views: {told[0][:300]}")
    expect(told[1] == 3 and told[2] == 20, f"views: {told[1:]} plots and fields")
    for view in ("cells", "tuning"):
        browser.run(f"treefork.viewShow('{view}')")
        for fault in browser.run(ACCESS)[:8]:
            expect(False, f"views {view}: {fault}")
        axe_asked(browser, rules, f"views {view}")
    quiet(browser, "views")
    print("views: areas and tuning drawn")


# Another number of devices, as a visitor takes it, and large arrays; what is told of them.
MEMBERS = """
const select = document.getElementById('devices'), point = treefork.point;
for (const [name, p] of point.roles()) if (p.role === 'size') point.put(name, 8192n);
select.value = String(arguments[0]);
select.dispatchEvent(new Event('change'));
const parts = [...document.querySelectorAll('#members .track')].map((t) => [...t.children].map((p) => parseFloat(p.style.width)));
return {hidden: document.getElementById('several').hidden, text: document.getElementById('members').textContent, parts,
        values: Object.fromEntries(Object.entries(point.values).map(([k, v]) => [k, String(v)])),
        machine: treefork.data.machines[point.machineNumber] ?? null, address: point.address(), failure: document.getElementById('failure').textContent,
        devices: treefork.explanation.devices ?? null};"""


def members_drawn(browser, rules, path, name):
    """Three devices: what is drawn is what the tool says of three machines, a whole bar for each that works."""
    said = browser.run(MEMBERS, 3)
    if said["failure"]:
        return print(f"{name}: no members: {said['failure']}")
    machine = os.path.join(work, "members.json")
    with open(machine, "w", encoding="utf-8") as file:
        json.dump(said["machine"], file)
    values = ",".join(f"{key}={value}" for key, value in said["values"].items())
    # A machine that earlier steps have typed in has no file: then the tool is not asked.
    told = said["devices"] if not said["machine"] else json.loads(
        subprocess.run([tool, "explain", path, "--set", values, "--json"] + 3 * ["--machine", machine],
                       capture_output=True, text=True, check=True).stdout)[0]["devices"]
    count = told["members"]
    expect(said["devices"] == told and (count == 3 or name != "matmul"), f"{name}: of three devices {said['devices']} instead of {told}")
    expect(not said["hidden"] and f"{count} of 3 devices" in said["text"], f"{name}: members are told as {said['text'][:200]}")
    expect(len(said["parts"]) == count and all(len(p) == 3 and abs(sum(p) - 100) < 0.1 for p in said["parts"]), f"{name}: bars {said['parts']}")
    expect("devices=3" in said["address"], f"{name}: the address is {said['address']}")
    for width, scheme in ((1280, "light"), (390, "dark")):
        browser.emulate(width, 900, scheme)
        for fault in browser.run(ACCESS)[:8]:
            expect(False, f"{name} members {width}: {fault}")
        axe_asked(browser, rules, f"{name} members {width}")
        browser.run("document.getElementById('several').scrollIntoView()")
        browser.shot(os.path.join(work, f"{name}-{width}-{scheme}-members.png"))
    expect(browser.run(MEMBERS, 1)["hidden"], f"{name}: one device has members")
    return print(f"{name}: {count} members drawn")


def quiet(browser, name):
    for entry in browser.log("browser"):
        expect(False, f"{name}: the console says {entry['message']}")
    for entry in browser.log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            expect(url.startswith("file://") and url.split("#")[0].endswith(name + ".html"), f"{name}: {url} was requested")


# A source line and pieces of what it becomes in OpenCL C and in PTX.
STATEMENTS = {"matmul": ("c[p][q + x] += a[p][r] * b[r][q + x]", "+ shared_a[", "add.rn.f32")}


def main():
    browser, rules = Browser(), axe_rules()
    try:
        for path in sys.argv[4:]:
            name = os.path.splitext(os.path.basename(path))[0]
            page = os.path.join(work, name + ".html")
            subprocess.run([tool, "tree", path, "--html", page], check=True)
            tree = json.loads(subprocess.run([tool, "tree", path, "--json"], capture_output=True, text=True, check=True).stdout)
            expect(os.path.getsize(page) < 2 << 20, f"{name}: more than 2 MiB")
            browser.open(page)
            views.begins_well(browser, expect, name)
            views.kernels_opened(browser, expect, name)
            lit = views.lines_lit(browser, expect, name, STATEMENTS.get(name))
            views.lines_walked(browser, expect, name)
            views.texts_copied(browser, expect, name)
            placed = views.roofline_drawn(browser, expect, name)
            views.sides_compared(browser, expect, name)
            views.map_walked(browser, expect, name)
            print(f"{name}: {lit} lines light up, {placed} leaves below the roofs")
            clicked = leaves_clicked(browser, name)
            compared = points_compared(browser, path, tree, name)
            keys_walked(browser, name)
            broken_values_refused(browser, name)
            choice_taken(browser, name)
            looks_checked(browser, rules, name)
            members_drawn(browser, rules, path, name)
            quiet(browser, name)
            if path == sys.argv[4]:
                large_tree_walked(browser, page)
                hostile_source_shown(browser)
                other_views_drawn(browser, rules, path, tree["regions"][0])
                if rules:
                    axe_finds_faults(browser, rules)
            print(f"{name}: {clicked} ends clicked, {compared} points compared (seed {SEED}), {os.path.getsize(page) // 1024} KiB")
    finally:
        browser.close()
    print(f"{len(failures)} failures")


main()
sys.exit(bool(failures))
