"""DataRaceBench: programs of OpenMP, each labelled with or without a data race ("-yes", "-no").

treefork map is asked about each as it stands (C, without --all). A program with a race whose loops
are all mapped without a warning must be explained here; one without may not be warned of."""

import glob
import os
import re

import suite

DATASETS = ("C",)
FORMS = {"default": []}
USUAL = ("default",)
OUTPUT = "stderr"
HEAD = ("program", "race", "answer", "regions", "s", "says")
SECONDS = 10

# Programs with a race that mapped text has not, and why.
OWN = "the variable is private where one thread's value reaches no other one"
ONE = "one thread runs the block that has the race; the loop itself has none"
OUTSIDE = "an index leaves its row: the program has no meaning in C, and no row of another extent"
EXPLAINED = {
    "DRB013": ONE,
    "DRB014": OUTSIDE,
    "DRB015": OUTSIDE,
    "DRB020": OWN,
    "DRB028": OWN,
    "DRB073": OWN,
    "DRB090": OWN,
    "DRB117": ONE,
    "DRB160": ONE,
}


def names(folder):
    found = sorted(glob.glob(os.path.join(folder, "micro-benchmarks", "DRB*.c")))
    if not found:
        raise suite.Wrong(f"{folder} is no folder of DataRaceBench: no micro-benchmarks/DRB*.c")
    return [os.path.basename(path)[:-2] for path in found]


def case(folder, name, dataset, form):
    source = os.path.join(folder, "micro-benchmarks", name + ".c")
    flags = ["-I", os.path.join(folder, "micro-benchmarks", "utilities"), "-D_OPENMP=201511"]
    return suite.Case(name, dataset, form, source, flags, [])


def answer_of(done, regions, log):
    if done.status is None or done.status < 0 or done.status > 2:
        return suite.end_in_words(done.status)
    if "says that the iterations" in log:
        return "not independent"
    if done.status:
        return "refused"
    return "mapped" if regions else "serial"


def row(trial):
    """The cells of a program's row, and whether the answer is right."""
    text = trial.path("mapped.c")
    done = trial.run("map", trial.treefork("map", trial.case.source, "-o", text))
    log = suite.read(trial.path("map.err"))
    regions = suite.read(text).count("meta_schedule") if os.path.exists(text) else 0
    name, race = trial.case.name, "-yes" in trial.case.name
    answer = answer_of(done, regions, log)
    why = EXPLAINED.get(name[:6], "") if race and answer == "mapped" else said(log)
    good = answer in ("mapped", "serial", "refused", "not independent")
    good = good and done.seconds <= SECONDS and not (race and answer == "mapped" and not why)
    good = good and (race or answer != "not independent")
    cells = [name, "yes" if race else "no", answer, regions, f"{done.seconds:.2f}", why]
    return cells, good


def said(log):
    """The first complaint about the program's own loops."""
    match = re.search(r": (?:error|warning): (.*)", log)
    return match.group(1) if match else ""
