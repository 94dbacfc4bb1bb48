"""PolyBench/C 4: thirty kernels, each one fragment between `#pragma scop` and `#pragma endscop`.

They are built as the suite's own makefiles do (utilities/polybench.c; the kernel's folder and
utilities/ as include folders). What a program computed it prints on standard error; probe.c has
it print all bits of it."""

import os
import re

import suite

DATASETS = ("MINI", "SMALL", "MEDIUM", "LARGE", "EXTRALARGE")
# How a kernel is built: the dataset's macros or parameters of the same values as extents of arrays;
# `restrict` on arrays; macros as bounds of loops; arrays on the stack; larger rows; float.
FORMS = {
    "default": [],
    "c99": ["-DPOLYBENCH_USE_C99_PROTO"],
    "restrict": ["-DPOLYBENCH_USE_C99_PROTO", "-DPOLYBENCH_USE_RESTRICT"],
    "constant": ["-DPOLYBENCH_USE_SCALAR_LB"],
    "stack": ["-DPOLYBENCH_STACK_ARRAYS"],
    "padded": ["-DPOLYBENCH_PADDING_FACTOR=3"],
    "float": ["-DDATA_TYPE_IS_FLOAT"],
}
USUAL = ("default", "c99")
LIST = os.path.join("utilities", "benchmark_list")
OUTPUT = "stderr"


def sources(folder):
    """{name: path below the folder}, in the order of the suite's list."""
    try:
        with open(os.path.join(folder, LIST), encoding="utf-8") as lines:
            paths = [os.path.normpath(line.strip()) for line in lines if line.strip()]
    except OSError as error:
        raise suite.Wrong(f"{folder} is no folder of PolyBench/C: {error.strerror}: {LIST}")
    return {os.path.splitext(os.path.basename(path))[0]: path for path in paths}


def names(folder):
    return list(sources(folder))


def case(folder, name, dataset, form):
    source = os.path.join(folder, sources(folder)[name])
    utilities = os.path.join(folder, "utilities")
    flags = [
        "-I",
        os.path.dirname(source),
        "-I",
        utilities,
        "-DPOLYBENCH_DUMP_ARRAYS",
        f"-D{dataset}_DATASET",
        *FORMS[form],
    ]
    return suite.Case(name, dataset, form, source, flags, [os.path.join(utilities, "polybench.c")])


def difference(want, got):
    """Where two dumps differ: the array, the number of the value in it, and both values."""
    array, position = "", 0
    with open(want, errors="replace") as first, open(got, errors="replace") as second:
        for line, other in zip(first, second):
            if line == other:
                begin = re.match(r"begin dump: (\S+)", line)
                array, position = (
                    (begin.group(1), 0) if begin else (array, position + len(line.split()))
                )
                continue
            for mine, its in zip(line.split(), other.split()):
                if mine != its:
                    return f"{array}: value {position} is {its}, not {mine}"
                position += 1
    return "one output is longer"
