"""The NAS Parallel Benchmarks 3.0 in C with OpenMP (NPB3.0-omp-C), one file each.

Each is built as its makefile does, without -fopenmp: `sys/setparams.c` writes the sizes of a class, and the files
of `common/` are the rest of the program. It checks its own results; all that it prints but times is compared."""

import os
import re

import suite

DATASETS = ("S", "W", "A")
FORMS = {"all": ["--all"]}
USUAL = ("all",)
OUTPUT = "stdout"
# Loops may run their serial code where arrays overlap: the text tests that.
DEVICE = {}
NAMES = ("bt", "cg", "ep", "ft", "is", "lu", "mg", "sp")
COMMON = ("c_print_results.c", "c_randdp.c", "c_timers.c", "wtime.c")
TIMES = re.compile(r"(?i)time|mop|date|second|threads")


def source_of(folder, name):
    return os.path.join(folder, name.upper(), name + ".c")


def names(folder):
    if not os.path.exists(os.path.join(folder, "sys", "setparams.c")):
        raise suite.Wrong(f"{folder} is no folder of NPB3.0-omp-C: it has no sys/setparams.c")
    return [name for name in NAMES if os.path.exists(source_of(folder, name))]


def case(folder, name, dataset, form):
    common = os.path.join(folder, "common")
    own = name == "is"  # it has the generator of random numbers itself
    others = [os.path.join(common, other) for other in COMMON if not (own and "rand" in other)]
    return suite.Case(
        name, dataset, form, source_of(folder, name), ["-I", common], others, FORMS[form]
    )


def prepare(one, folder):
    """The case with npbparams.h of its class in FOLDER."""
    base, place = os.path.dirname(os.path.dirname(one.source)), os.path.join(folder, "sizes")
    tool = os.path.join(folder, "setparams")
    os.makedirs(os.path.join(folder, "config"))
    os.makedirs(place)
    with open(os.path.join(folder, "config", "make.def"), "w") as file:
        file.write("".join(f"{word} =\n" for word in ("CC", "CFLAGS", "CLINK", "CLINKFLAGS", "C_LIB", "C_INC")))
    for command, where in (
        (["cc", "-w", "-o", tool, os.path.join(base, "sys", "setparams.c")], folder),
        ([tool, one.name, one.dataset], place),
    ):
        out = os.path.join(folder, "setparams.log")
        status, _ = suite.PROCESSES.run(command, out, out, 60, {}, where)
        if status:
            raise suite.Wrong(f"{command[0]}: {suite.first_complaint(suite.read(out))}")
    return one._replace(flags=["-I", os.path.dirname(one.source), "-I", place, *one.flags])


def collect(trial, name):
    """What a program printed, but for times."""
    suite.lines_keep(trial.path(name + ".out"), lambda line: not TIMES.search(line))


difference = suite.lines_difference
