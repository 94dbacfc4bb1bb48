"""TSVC_2: 151 loops in one file, each a function that fills arrays, runs its loop many times and sums
the arrays up.

The file is copied beside a common.h that includes the suite's own and sets the number of
repetitions, as the suite has it in no macro that a command line could set. tsvc_probe.c prints the
bits of all arrays after each function. Without marks all loops are chosen (--all).

The form "sums" lets sums of floating numbers be taken in any order (--reassociate). What a loop hands to
dummy may then differ from gcc's value by terms * eps * |value|, and for each term by half of the
least number above 0: the elements that these loops add, and the factors that they multiply, are
not below 0. Arrays have the same bits, but for running sums (s3112): the probe prints each element, and
the one at i may differ by what i + 1 terms allow on both sides. The loops behind find such an array as it
was left, so that an array which is not written since then is not judged again."""

import os
import re

import suite

DATASETS = ("SHORT", "PUBLISHED")  # repetitions: 256, 100,000
FORMS = {"default": [], "sums": ["--reassociate"]}
USUAL = ("default",)
OUTPUT = "stderr"
CHOICE = ["--all"]
# s1421 reads a part of the array that it writes by a `restrict` pointer: the runtime takes arrays as
# wholes, and runs that loop's serial code.
DEVICE = {}
REPETITIONS = {"SHORT": 256, "PUBLISHED": 100000}
# Loops that reduce arrays, and the most terms that one of them adds, of float numbers.
SUMS = (
    "s311 s31111 s312 s313 s314 s315 s316 s317 s318 s319 s3110 s13110 s3111 s3112 s3113 s331".split()
    + "s352 s4115 s4116 vsumr vdotr".split()
)
TERMS, EPSILON, LEAST = 2 * 32000, 2.0**-24, 2.0**-150
RUNNING = {"s3112": "b"}  # loops that leave running sums, and where
PROBE = os.path.join(suite.HERE, "tsvc_probe.c")


def names(folder):
    if not os.path.exists(os.path.join(folder, "src", "tsvc.c")):
        raise suite.Wrong(f"{folder} is no folder of TSVC_2: it has no src/tsvc.c")
    return ["tsvc"]


def case(folder, name, dataset, form):
    source = os.path.join(folder, "src", "tsvc.c")
    others = [os.path.join(folder, "src", file) for file in ("common.c", "dummy.c")]
    flags = ["-I", os.path.join(folder, "src")]
    only_cc = [f'-DTSVC_RUNNING="{" ".join(RUNNING)}"'] if form == "sums" else []
    return suite.Case(
        name, dataset, form, source, flags, others, CHOICE + FORMS[form], only_cc=only_cc
    )


def marked(text):
    """The source with a mark at the inner loop of s4116, which has too few rounds to be chosen."""
    return re.sub(
        r"(real_t s4116\(.*?sum = 0\.;\n)", r"\1#pragma target\n", text, count=1, flags=re.S
    )


def prepare(one, folder):
    """The case with its source in FOLDER."""
    source, include = os.path.join(folder, "tsvc.c"), os.path.dirname(one.source)
    with open(one.source) as original, open(source, "w") as copy:
        copy.write(marked(original.read()) if one.form == "sums" else original.read())
    with open(os.path.join(folder, "common.h"), "w") as header:
        header.write(
            f'#include "{include}/common.h"\n'
            f"#undef iterations\n#define iterations {REPETITIONS[one.dataset]}\n"
        )
    wrap = "-Wl,--wrap=initialise_arrays,--wrap=dummy"
    return one._replace(
        source=source, flags=["-I", folder, *one.flags], others=[*one.others, PROBE, wrap]
    )


def states(path):
    """{function: [arrays and their hashes]}, as the probe prints them; in the form "sums" also what
    the function returns, "r=", which the program prints itself."""
    with open(path, errors="replace") as lines:
        rows = [line.split() for line in lines if line.startswith("state ")]
    found = {row[1]: row[2:] for row in rows}
    with open(path[: -len(OUTPUT[3:])] + "out", errors="replace") as lines:
        for name, _, result in (line.split() for line in lines if len(line.split()) == 3):
            if value(found.get(name, []), "v=") is not None:
                found[name].append("r=" + float(result).hex())
    return found


def difference(want, got):
    """The functions after which arrays differ."""
    mine, its = states(want), states(got)
    wrong, left = [], {}
    for name, words in mine.items():
        other = its.get(name, [])
        differing = differing_arrays(words, other)
        if differing - set(left.items()) - running_sums(name, words, other) or not near(words, other):
            wrong.append(name if len(other) != len(words) else f"{name} ({changed(words, other)})")
        left = dict(differing)
    return f"{len(wrong)} of {len(mine)} loops differ: {', '.join(wrong)}" if wrong else "equal"


def arrays_of(words):
    """{array: the hash of its bits}"""
    split = (word.split("=", 1) for word in words)
    return {name: bits for name, bits in split if name not in ("s", "v", "r", "running")}


def differing_arrays(mine, its):
    """{(array, (its hash here, there))} of the arrays whose bits differ."""
    here, there = arrays_of(mine), arrays_of(its)
    return {(name, (bits, there.get(name))) for name, bits in here.items() if bits != there.get(name)}


def running_sums(name, mine, its):
    """What differs after a loop that leaves running sums, where each is within its bound."""
    sums = [running(words) for words in (mine, its)]
    if name not in RUNNING or len(sums[0]) != len(sums[1]) or not sums[0]:
        return set()
    if not all(distance(*pair, 2 * (i + 1)) <= 1 for i, pair in enumerate(zip(*sums))):
        return set()
    return {row for row in differing_arrays(mine, its) if row[0] == RUNNING[name]}


def running(words):
    """The elements that the probe prints of such a loop."""
    lists = [word.split("=")[1] for word in words if word.startswith("running=")]
    return [float.fromhex(element) for element in lists[0].strip(",").split(",")] if lists else []


def value(words, name):
    """The scalar that a function gave to dummy ("v=") or returns ("r="); None where the form has none."""
    values = [float.fromhex(word[2:]) for word in words if word.startswith(name)]
    return values[0] if values else None


def result(words):
    """The sum of a function: some give dummy a 0, and return it."""
    return value(words, "v=") or value(words, "r=")


def distance(want, got, terms=TERMS):
    """How far two scalars are apart, in what the order of a sum of so many terms may make of it."""
    bound = terms * (EPSILON * abs(want) + LEAST)
    return abs(want - got) / bound


def near(mine, its):
    """Are the scalars near enough? In the usual form all that dummy was given has the same bits."""
    if value(mine, "v=") is None:
        return [word for word in mine if word[:2] == "s="] == [word for word in its if word[:2] == "s="]
    pairs = [(value(mine, name), value(its, name)) for name in ("v=", "r=")]
    return all(
        pair[0] == pair[1] or (None not in pair and distance(*pair) <= 1) for pair in pairs
    )


def changed(arrays, other):
    return ", ".join(a.split("=")[0] for a, b in zip(arrays, other) if a != b)


def details(trial):
    """A table of the loops: regions, rounds, and what keeps the others serial."""
    trial.must("--loops", "loops", trial.treefork("map", "--loops", *trial.choice, trial.case.source))
    trial.must("--loops", "all", trial.treefork("map", "--loops", trial.case.source))
    chosen, every = said(trial.path("loops.out")), said(trial.path("all.out"))
    runs = states(trial.path("gcc." + OUTPUT[3:]))
    lines = ["| loop | repetitions | becomes |", "| --- | --- | --- |"]
    for name, state in runs.items():
        becomes = chosen.get(name) or "stays: " + every.get(name, "no loop was found")
        lines.append(f"| {name} | {rounds(state)} | {becomes} |")
    mapped = sum(name in chosen for name in runs)
    lines.append(f"\n{mapped} of {len(runs)} loops have regions")
    return lines + (sums_table(trial, chosen) if trial.case.form == "sums" else [])


def sums_table(trial, chosen):
    """The loops that reduce arrays: their launches, and how far their scalars are from gcc's."""
    path = trial.path("device.counts.loops")
    if not os.path.exists(path):
        return []
    with open(path) as file:
        launches = dict(line.split() for line in file)
    want, got = (states(trial.path(name + "." + OUTPUT[3:])) for name in ("gcc", "device"))
    lines = ["", "| sum | becomes | launches | gcc | device | of terms * eps * sum |"]
    lines.append("| --- | --- | --- | --- | --- | --- |")
    for name in SUMS:
        mine, its = result(want[name]), result(got[name])
        becomes = chosen.get(name, "stays").split(";")[0]
        far = f"{distance(mine, its):.4f}"
        lines.append(f"| {name} | {becomes} | {launches[name]} | {mine:.9g} | {its:.9g} | {far} |")
    return lines


def rounds(state):
    return next(word[7:] for word in state if word.startswith("rounds="))


def said(path):
    """{function: what its loops become}, and of one that stays serial what blocks the inner loops:
    the loop of repetitions calls a function."""
    found, last = {}, None
    with open(path, errors="replace") as lines:
        for line in lines:
            match = re.match(r"\S+?:\d+:\s+(\w+): (.*)", line)
            if not match:
                continue
            name, rest = match.groups()
            last = name if re.match(r"s\d|v[a-z]", name) else last
            if "a call for its effect" not in rest:
                rest = re.sub(r"^refused at line \d+: ", "", rest)
                known = found.setdefault(last, [])
                known += [] if rest in known else [rest]
    return {name: "; ".join(rest[:3]).replace("|", "\\|") for name, rest in found.items()}
