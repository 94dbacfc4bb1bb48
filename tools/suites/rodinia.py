"""Rodinia: programs of OpenMP (its openmp/), each by the file that has the loops that take the time.

Each is built as its makefile does, without -fopenmp: the meaning is that of C without directives, and the
calls of OpenMP's library go to libgomp. Data are small and made here. Two forms: "marks", the directives of
OpenMP as they stand, and "all" (--all). A C++ file whose text is C but for a few words is tried as C, and
so says the list below the table; it has each loop that a directive shares out: what becomes of it, or
the reason why not, with its line."""

import collections
import os
import random
import re

import suite

DATASETS = ("SMALL",)
FORMS = {"marks": [], "all": ["--all"]}
USUAL = ("marks", "all")
OUTPUT = "stdout"
# Loops may run their serial code where arrays overlap: the text tests that.
DEVICE = {}

# source: the file that has the loops; others: the rest of the program; arguments, data ({path where the
# program runs: maker of its text}); written: files of results; results: blocks, by the argument of the
# `free` that ends them; flags: for both compilers.
Program = collections.namedtuple(
    "Program", "source others arguments data written results flags", defaults=((), "", {}, (), (), ())
)
TIMES = re.compile(r"(?i)time|took|seconds|^[\d.]+ s\b|threads")
# C++ that has the same meaning in C: words, and what stands for them.
WORDS = (
    (r"using namespace std;", ""),
    (r"\bnew ([\w ]+\**)\[(.*?)\]", r"malloc((\2) * sizeof(\1))"),
    (r"\bdelete *\[\] *(\w+)", r"free(\1)"),
    (r"(?m)^struct (\w+)$", r"typedef struct \1 \1; struct \1"),
)
BOOL = ("-Dbool=_Bool", "-Dtrue=1", "-Dfalse=0")


def numbers(count, low, high, form="{:.4f}", head=""):
    """A maker of COUNT numbers, one a line, the same in each run."""

    def make():
        draw = random.Random(count)
        return head + "".join(form.format(draw.uniform(low, high)) + "\n" for _ in range(count))

    return make


def points():
    draw = random.Random(7)
    rows = [" ".join(f"{draw.uniform(0, 9):.3f}" for _ in range(6)) for _ in range(300)]
    return "".join(f"{number} {row}\n" for number, row in enumerate(rows))


def graph():
    """Nodes (first edge, number of edges), the source, and edges (target, cost)."""
    draw, count, degree = random.Random(3), 200, 3
    nodes = "".join(f"{node * degree} {degree}\n" for node in range(count))
    edges = "".join(f"{draw.randrange(count)} 1\n" for _ in range(count * degree))
    return f"{count}\n{nodes}\n0\n\n{count * degree}\n{edges}"


LAYERS = 64 * 64 * 4
PROGRAMS = {
    "hotspot": Program(
        "hotspot/hotspot_openmp.cpp",
        (),
        "64 64 4 1 temp power out",
        {"temp": numbers(4096, 320, 340), "power": numbers(4096, 0, 0.001)},
        ("out",),
        ("temp",),
    ),
    "hotspot3D": Program(
        "hotspot3D/3D.c",
        (),
        "64 4 5 power temp out",
        {"temp": numbers(LAYERS, 320, 340), "power": numbers(LAYERS, 0, 0.001)},
        ("out",),
        ("tempOut",),
    ),
    "pathfinder": Program("pathfinder/pathfinder.cpp", (), "1000 20", {}, (), ("dst",)),
    "srad_v1": Program(
        "srad/srad_v1/main.c",
        (),
        "4 0.5 96 64 1",
        {"../../../data/srad/image.pgm": numbers(502 * 458, 0, 255, "{:.0f}", "P2\n458 502\n255\n")},
        (),
        ("image",),
    ),
    "srad_v2": Program("srad/srad_v2/srad.cpp", (), "64 64 0 31 0 31 1 0.5 3", {}, (), ("J",)),
    "lud": Program("lud/omp/lud_omp.c", ("lud/omp/lud.c", "lud/common/common.c"), "-s 96", {}, (), ("m",), ("-I", "lud/common")),
    "nw": Program("nw/needle.cpp", (), "96 10 1", {}, ("result.txt",), ("input_itemsets",)),
    "kmeans": Program(
        "kmeans/kmeans_openmp/kmeans_clustering.c",
        tuple("kmeans/kmeans_openmp/" + name for name in ("cluster.c", "getopt.c", "kmeans.c")),
        "-n 1 -i points",
        {"points": points},
        (),
        ("cluster_centres[0]", "membership"),
    ),
    "lavaMD": Program(
        "lavaMD/kernel/kernel_cpu.c",
        ("lavaMD/main.c", "lavaMD/util/num/num.c", "lavaMD/util/timer/timer.c"),
        "-cores 1 -boxes1d 2",
        {},
        (),
        ("fv_cpu",),
    ),
    "backprop": Program(
        "backprop/backprop.c",
        tuple(f"backprop/{name}.c" for name in ("facetrain", "imagenet", "backprop_kernel")),
        "2048",
        {},
        (),
        ("(char *) net->input_weights[i]", "(char *) net->hidden_weights[i]"),
    ),
    "bfs": Program("bfs/bfs.cpp", (), "1 graph", {"graph": graph}, ("result.txt",), (), BOOL),
    "streamcluster": Program("streamcluster/streamcluster_omp.cpp"),
    "cfd": Program("cfd/euler3d_cpu.cpp", flags=("-Dblock_length=8",)),
    "particlefilter": Program(
        "particlefilter/ex_particle_OPENMP_seq.c",
        (),
        "-x 32 -y 32 -z 4 -np 400",
        {},
        (),
        ("weights", "likelihood", "arrayX", "arrayY", "CDF", "ind"),
    ),
    "myocyte": Program(
        "myocyte/main.c",
        (),
        "3 2 1 1",
        {
            "../../data/myocyte/y.txt": numbers(91, 0.01, 1),
            "../../data/myocyte/params.txt": numbers(16, 0.01, 1),
        },
        (),
        ("y[i][j]", "x[i]"),
    ),
}
PLACE = os.path.join("one", "two", "three")  # some programs look for data three folders above


def names(folder):
    base = os.path.join(folder, "openmp")
    found = [name for name, row in PROGRAMS.items() if os.path.exists(os.path.join(base, row.source))]
    if not found:
        raise suite.Wrong(f"{folder} is no folder of Rodinia: it has no openmp with its programs")
    return found


def case(folder, name, dataset, form):
    row, base = PROGRAMS[name], os.path.join(folder, "openmp")
    source = os.path.join(base, row.source)
    others = [os.path.join(base, other) for other in row.others]
    only_cc = ["-iquote", os.path.dirname(source), "-include", os.path.join(suite.HERE, "rodinia_probe.h")]
    flags = [os.path.join(base, flag) if "/" in flag else flag for flag in row.flags]
    arguments = row.arguments.split()
    settings = {"SUITE_RESULTS": "|".join(row.results)}
    others += [os.path.join(suite.HERE, "rodinia_probe.c"), "-lgomp"]
    return suite.Case(
        name, dataset, form, source, flags, others, FORMS[form], arguments, PLACE, only_cc, settings
    )


def prepare(one, folder):
    """The case with its data in FOLDER, and its source, as C, if it is C++."""
    place = os.path.join(folder, PLACE)
    os.makedirs(place)
    for path, make in PROGRAMS[one.name].data.items():
        path = os.path.normpath(os.path.join(place, path))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(make())
    if one.source.endswith(".c"):
        return one
    source = os.path.join(folder, one.name + ".c")
    with open(source, "w") as file:
        file.write(as_c(suite.read(one.source)))
    return one._replace(source=source, flags=["-I", os.path.dirname(one.source), *one.flags])


def as_c(text):
    for words, instead in WORDS:
        text = re.sub(words, instead, text)
    return text


def collect(trial, name):
    """What a program printed, but for times, and its files of results behind it."""
    path = trial.path(name + ".out")
    lines = [line for line in suite.read(path).splitlines(True) if not TIMES.search(line)]
    lines += [suite.read(trial.path(PLACE, file)) for file in PROGRAMS[trial.case.name].written]
    with open(path, "w") as file:
        file.writelines(lines)


difference = suite.lines_difference


def language(trial):
    """How the file is read."""
    original = trial.result.case.source
    if original.endswith(".c"):
        return "C"
    pairs = zip(suite.read(original).splitlines(), suite.read(trial.case.source).splitlines())
    changed = sum(line != other for line, other in pairs)
    return f"C++, tried as C with {changed} line{'' if changed == 1 else 's'} changed"


def details(trial):
    """An entry of a list: how the file is read, and each of its loops that are marked, or the errors."""
    case = trial.case
    if case.form != "marks":
        return []
    done = trial.run("loops", trial.treefork("map", "--loops", case.source))
    said = loops_said(suite.read(trial.path("loops.out")))
    if done.status:
        said = [suite.first_complaint(done.log)]
    path = os.path.join("openmp", PROGRAMS[case.name].source)
    return [f"- {case.name} ({path}; {language(trial)})", *("  - " + line for line in said)]


def loops_said(text):
    """What becomes of each nest, nests of one answer together; of refused ones the inner loops share it."""
    found = {}
    for line in text.splitlines():
        match = re.match(r"\S+?:(\d+): (\w+): (.*)", line)
        if match and is_nest(match[3]):
            found.setdefault((match[2], match[3]), []).append(match[1])
    return [said_of(*key, lines) for key, lines in found.items()]


def said_of(function, answer, lines):
    """A refused nest is named by its first line: its inner loops are refused by the same words."""
    if answer.startswith("refused") or len(lines) == 1:
        return f"line {lines[0]}, `{function}`: {answer}"
    return f"lines {', '.join(lines)}, `{function}`: {answer}"


def is_nest(text):
    """Is it about a nest, and not about a loop of one?"""
    return not re.match(r"(not )?independent", text)
