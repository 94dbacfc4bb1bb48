"""The mapped texts of tests/mapper/plain can be read by whoever wrote the source.

    python3 readable.py BUILD [--show]

Rules: every name is one of the source's, a word of C, a mark, a tunable B0, B1, ..., or made of an iterator of the source: bi (block), ti
(thread), i2 (where i means something else there); alpha_0 is the scalar alpha that iterations hand on, sum_1 memory of
their own for what iterations write to the array sum, step a loop of the host that
runs unlike loops of the source. Every array and iterator of the source is still there. What a thread does has
the source's order. No text has more than 10 times the source's lines (nine parts of one nest have 9.4), and in the median it has at most twice as many. Prints
how many texts keep all rules, and of some changed texts how many do not; ends with 1 if a text breaks a rule or a changed one does not."""
import os
import re
import statistics
import subprocess
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plain")
WORDS = {"meta_schedule", "meta_for", "meta_tunable", "meta_threads", "metafork", "include", "h", "const", "int", "long", "unsigned", "char", "if", "else",
         "for", "double", "float", "stdlib", "malloc", "free", "size_t", "sizeof"}
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STATEMENT = re.compile(r"^\s*(?:[\w ]+ )?(\w+(?:\[.*?\])*) ([-+*/]?=) (.*);$", re.M)
MEDIAN, MOST = 2.0, 10


def names(text):
    return set(re.findall(r"[A-Za-z_]\w*", COMMENT.sub("", text)))


def iterators(text):
    return set(re.findall(r"for \((?:\w+ )*(\w+) = ", text))


def is_made(name, loops, words):
    """bi, ti and i2 of i; b2, t, w where no axis has a name; alpha_0 of the scalar alpha, sum_1 of the array sum; step of unlike loops; apart, B0.
    i_first and i_last of a wavefront's axis i."""
    if re.fullmatch(r"B\d+|apart\d*|[btw]\d*|step\d*", name) or re.sub(r"_\d$", "", name) in words - {name}:
        return True
    base = re.sub(r"\d+$|_first$|_last$", "", name)
    return base in loops or base[:1] in "bt" and base[1:] in loops


def skeleton(match):
    """A statement without what stands in its subscripts, which may have other iterators in the mapped text."""
    text = match.group(1) + match.group(2) + match.group(3)
    while re.search(r"\[[^\[\]]+\]", text):
        text = re.sub(r"\[[^\[\]]+\]", "[]", text)
    return re.sub(r"[\s()]", "", text)


def regions(text):
    """What the threads of each region do: its text, by its braces, or parts of it, where threads wait for each other between them or another
    part begins with the axes' names in it."""
    for at in re.finditer(r"meta_schedule {", text):
        depth, end = 1, at.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        yield from re.split(r"meta_for \(|{\s*(?=\w+ \w+ = \w+;\n)", text[at.end():end])


def follows(source, region):
    """Do the region's statements stand in the source in this order? Those that it has not are new and do not count."""
    order = [skeleton(m) for m in STATEMENT.finditer(source)]
    at = 0
    for match in STATEMENT.finditer(region):
        wanted = skeleton(match)
        if wanted not in order:
            continue
        later = [k for k in range(at, len(order)) if order[k] == wanted]
        if not later:
            return False
        at = later[0]
    return True


def lines(text):
    return sum(1 for line in COMMENT.sub("", text).splitlines() if line.strip())


def broken(source, text):
    loops, found = iterators(source), []
    made = names(text) - names(source) - WORDS
    invented = sorted(name for name in made if not is_made(name, loops, names(source)))
    lost = sorted((set(re.findall(r"(\w+)(?=\[)", source)) | loops) - names(text))
    if invented:
        found.append(f"invents {', '.join(invented)}")
    if lost:
        found.append(f"loses {', '.join(lost)}")
    if not all(follows(source, region) for region in regions(text)):
        found.append("has another order of statements")
    if lines(text) > MOST * lines(source):
        found.append(f"has {lines(text)} lines for {lines(source)}")
    return found


def swapped(text):
    """Two statements of a region, the other way round."""
    region = max(regions(text), key=lambda region: len(STATEMENT.findall(region)))
    first, second = [m.group(0) for m in STATEMENT.finditer(region)][-2:]
    other = region.replace(second, "@").replace(first, second).replace("@", first)
    return text.replace(region, other)


CHANGES = {
    "gesummv": swapped,
    "gemm": lambda text: re.sub(r"\btj\b", "thread", text),
    "syrk": lambda text: re.sub(r"\bA\b", "A0", text),
    "atax": lambda text: re.sub(r"\bi\b", "c0", text),
    "mvt": lambda text: text + "int x;\n" * 40,
}


def main():
    treefork = os.path.join(os.path.abspath(sys.argv[1]), "treefork")
    good, caught, ratios, statements = 0, 0, [], 0
    for name in sorted(os.listdir(FOLDER)):
        if not name.endswith(".c"):
            continue
        path = os.path.join(FOLDER, name)
        source = open(path).read()
        text = subprocess.run([treefork, "map", path], check=True, text=True, stdout=subprocess.PIPE).stdout
        found = broken(source, text)
        order = [skeleton(m) for m in STATEMENT.finditer(source)]
        statements += sum(skeleton(m) in order for region in regions(text) for m in STATEMENT.finditer(region))
        ratios.append(lines(text) / lines(source))
        if found or "--show" in sys.argv:
            print(f"{name}: {ratios[-1]:.2f} times the lines; {'; '.join(found) or 'good'}")
        good += not found
        change = CHANGES.get(name[:-2])
        caught += change is not None and len(broken(source, change(text))) > 0
    median = statistics.median(ratios)
    print(f"{caught} of {len(CHANGES)} changed texts are found")
    print(f"{good} of {len(ratios)} texts can be read, {statements} statements of regions are the source's, "
          f"{median:.2f} times the lines in the median, {max(ratios):.2f} at most")
    return good < len(ratios) or median > MEDIAN or caught < len(CHANGES)


if __name__ == "__main__":
    sys.exit(main())
