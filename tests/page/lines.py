"""The texts of a page are those that build writes, and each of their lines says where it comes from.
Usage: lines.py BUILD WORK FILE.c [OPTION...]

The program is built twice, with and without its page: all other files are equal, byte by byte. The
page's OpenCL C and CUDA C are NAME.cl and NAME.cu; its PTX, which has been compiled with places,
has the entries of NAME.ptx, but for the numbers of labels. Printed: `LINE of the source: what came
of it`, of the first leaf that computes, for each line that anything comes from."""
import filecmp
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import page_data

build, work, path = sys.argv[1:4]
tool, name = os.path.join(build, "treefork"), os.path.splitext(os.path.basename(path))[0]


def built(folder, *options):
    out = os.path.join(work, name + folder)
    subprocess.run([tool, "build", path, "-o", out, *options, *sys.argv[4:]], check=True)
    return out


def entries(ptx):
    """Texts by entry, labels and stacks numbered alike."""
    found = {}
    for match in re.finditer(r"^\.visible \.entry (\w+)[^{]*\{\n.*?^\}", ptx, re.M | re.S):
        found[match.group(1)] = re.sub(r"(\$L__BB|__local_depot)\d+", r"\1", match.group(0))
    return found


def pieces(text):
    """(leaf, number of its first line, its lines) of each leaf's kernels."""
    lines, begins = text.split("\n"), []
    for i, line in enumerate(lines):
        match = re.match(r"/\* \w+, leaf (\d+) of ", line)
        if match:
            begins.append((int(match.group(1)), i))
    ends = [begin for _, begin in begins[1:]] + [len(lines)]
    return [(leaf, begin, lines[begin:end]) for (leaf, begin), end in zip(begins, ends)]


def told(data):
    """Source lines of the first kernel, with what came of them."""
    _, first, lines = pieces(data["opencl"])[0]
    by_line = {}
    for i, line in enumerate(lines):
        origin = data["openclLines"][first + i] if first + i < len(data["openclLines"]) else 0
        if origin:
            by_line.setdefault(origin, []).append(" ".join(line.split()))
    for number in sorted(by_line):
        print(f"{data['source'].split(chr(10))[number - 1].strip()}: {' | '.join(by_line[number])}")


def ptx_told(data):
    """How many PTX instructions say a line, and from which lines of the regions they come."""
    instructions = [(line, origin) for line, origin in zip(data["ptx"].split("\n"), data["ptxLines"])
                    if re.match(r"\t[^./]", line)]
    named = [origin for _, origin in instructions if origin]
    inside = [o for o in named if any(first <= o <= last for first, last in data["lines"])]
    print(f"PTX: {100 * len(named) // max(1, len(instructions))} % of instructions have a line, "
          f"{len(named) - len(inside)} of them outside of the regions")
    source = data["source"].split("\n")
    stores = {source[origin - 1].strip() for line, origin in instructions if "st.global" in line and origin}
    print("PTX stores of:", "; ".join(sorted(stores)))


with_page, without = built("-page", "--html"), built("-plain")
files = [f for f in sorted(os.listdir(without)) if not f.endswith(".html")]
different = [f for f in files if not filecmp.cmp(os.path.join(with_page, f), os.path.join(without, f), shallow=False)]
print(f"{name}: {len(different)} of the other files differ")
data = page_data.read(os.path.join(with_page, name + ".html"))


def read(suffix):
    with open(os.path.join(without, name + suffix), encoding="utf-8") as file:
        return file.read()


for language, suffix in (("opencl", ".cl"), ("cuda", ".cu")):
    lines = data[language].split("\n")
    same = data[language] == read(suffix) and len(data[language + "Lines"]) == len(lines) - 1
    print(f"{name}: {language} {'as built' if same else 'DIFFERS'}")
with open(path, encoding="utf-8") as file:
    print(f"{name}: source {'as written' if data['source'] == file.read() else 'DIFFERS'}")
shown, made = entries(data["ptx"]), entries(read(".ptx"))
wrong = [entry for entry, text in shown.items() if made.get(entry) != text]
print(f"{name}: {len(shown)} entries of PTX, {len(wrong)} differ{': ' + wrong[0] if wrong else ''}")
print(f"{name}: {'a line for each' if len(data['ptxLines']) == data['ptx'].count(chr(10)) else 'lines MISSING'} of PTX")
ptx_told(data)
told(data)
