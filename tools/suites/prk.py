"""The Parallel Research Kernels (ParRes/Kernels): those of its SERIAL and C1z folders that have loops of arithmetic.

Each is built as its makefile does; it checks its own results, and all that it prints but rates and times is compared."""

import collections
import os
import re

import suite

DATASETS = ("SMALL",)
FORMS = {"all": ["--all"]}
USUAL = ("all",)
OUTPUT = "stdout"
# Loops may run their serial code where arrays overlap: the text tests that.
DEVICE = {}
Program = collections.namedtuple("Program", "path arguments flags", defaults=((),))
STENCIL = ("-DRADIUS=2", "-DSTAR=1", "-DDOUBLE=1", "-DLOOPGEN=0")
PROGRAMS = {
    "stencil": Program("SERIAL/Stencil/stencil.c", "5 200", STENCIL),
    "amr": Program("SERIAL/AMR/amr.c", "10 200 50 1 5 2 1", (*STENCIL, "-DRESTRICT_KEYWORD=0")),
    "dgemm": Program("SERIAL/DGEMM/dgemm.c", "2 200", ("-DDEFAULTBLOCK=32", "-DBOFFSET=12")),
    "nstream": Program("SERIAL/Nstream/nstream.c", "5 10000 0"),
    "sparse": Program("SERIAL/Sparse/sparse.c", "4 8 3"),
    "p2p": Program("SERIAL/Synch_p2p/p2p.c", "5 200 100"),
    "transpose": Program("SERIAL/Transpose/transpose.c", "5 200 32"),
    "reduce": Program("SERIAL/Reduce/reduce.c", "4 1000"),
    "pic": Program("SERIAL/PIC/pic.c", "5 64 1000 1 2 GEOMETRIC 0.99"),
    "random": Program("SERIAL/Random/random.c", "8 12 64", ("-DERRORPERCENT=1",)),
    "stencil-c1z": Program("C1z/stencil-openmp.c", "5 200", ("-DPRKVERSION=1",)),
    "transpose-c1z": Program("C1z/transpose-openmp.c", "5 200 32", ("-DPRKVERSION=1",)),
    "nstream-c1z": Program("C1z/nstream-openmp.c", "5 10000", ("-DPRKVERSION=1",)),
    "p2p-c1z": Program("C1z/p2p.c", "5 200 200", ("-DPRKVERSION=1",)),
}
TIMES = re.compile(r"(?i)time|rate")


def names(folder):
    found = [name for name, row in PROGRAMS.items() if os.path.exists(os.path.join(folder, row.path))]
    if not found:
        raise suite.Wrong(f"{folder} is no folder of the Parallel Research Kernels: it has no SERIAL")
    return found


def case(folder, name, dataset, form):
    row, common = PROGRAMS[name], os.path.join(folder, "common")
    source = os.path.join(folder, row.path)
    flags = ["-I", os.path.join(folder, "include"), "-I", os.path.dirname(source), *row.flags]
    others = [os.path.join(common, other) for other in ("wtime.c", "random_draw.c")]
    others = [] if row.path.startswith("C1z") else others
    return suite.Case(name, dataset, form, source, flags, others, FORMS[form], row.arguments.split())


def collect(trial, name):
    """What a program printed, but for rates and times."""
    suite.lines_keep(trial.path(name + ".out"), lambda line: not TIMES.search(line))


difference = suite.lines_difference
