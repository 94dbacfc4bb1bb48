"""The programs of this folder: the table, their prototypes, and the C text that calls them from harness.c.

    python3 polybench.py BUILD elision [PROGRAM...]   the programs under a C compiler against reference.c
    python3 polybench.py BUILD verify [PROGRAM...]    treefork verify of each, by --witness NAMES
    python3 polybench.py BUILD device [PROGRAM...]    generated programs on the device, NAME_auto too, against reference.c
    python3 polybench.py BUILD report [PROGRAM...]    what `treefork build` says of each: proofs and automatic choice

With --flat they are the programs on plain pointers (flat.py). Ends with 1 if a result differs, if a program is refused, or (report) if one is not proved or has no automatic choice.
TEST_SCALE=small runs the kernels at three sizes instead of eight.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

import flat

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
CFLAGS = ["-std=gnu11", "-O2", "-ffp-contract=off", "-w", "-I" + ROOT, "-I" + os.path.join(ROOT, "runtime"),
          "-I" + FOLDER]
LIBS = ["-lm", "-ldl", "-lpthread"]

Row = collections.namedtuple("Row", "name small medium values tunables data")
Parameter = collections.namedtuple("Parameter", "name kind element extents")


def assignments(text):
    """"a=1,b=2" as a dictionary of texts; "-" is empty."""
    return {} if text == "-" else dict(part.split("=") for part in text.split(","))


def table():
    rows = {}
    with open(os.path.join(FOLDER, "programs.table")) as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                name, *fields = line.split()
                rows[name] = Row(name, *map(assignments, fields))
    return rows


SOURCES = FOLDER    # of the programs


def source(name):
    return os.path.join(SOURCES, name + ".c")


def sources_flatten(rows, folder):
    """Writes the programs on plain pointers to the folder."""
    for row in rows:
        _, parameters = prototype(row.name)
        with open(os.path.join(FOLDER, row.name + ".c")) as file:
            text = flat.flatten(row.name, file.read(), parameters)
        with open(os.path.join(folder, row.name + ".c"), "w") as out:
            out.write(text)


def parameter_read(text):
    """An array's extents are expressions over other parameters; a pointer's are given elsewhere. Unsigned elements are
    filled and compared as int, which has the same bits."""
    match = re.fullmatch(r"(const )?(int|long|unsigned|unsigned char|float|double) (\*?)(\w+)((?:\[[^]]+\])*)",
                         text.strip().replace("restrict ", ""))
    if not match:
        sys.exit(f"polybench.py does not understand the parameter '{text}'")
    constant, element, pointer, name, extents = match.groups()
    kind = "ARRAY" if extents or pointer else "REAL" if element in ("float", "double") else "INTEGER"
    return Parameter(name, kind, "int" if element == "unsigned" else element.split()[-1], re.findall(r"\[([^]]+)\]", extents))


def prototype(name):
    """The parameters of program NAME as they stand in its source."""
    with open(os.path.join(FOLDER, name + ".c")) as file:
        match = re.search(r"^void %s\(([^)]*)\)" % name, file.read(), re.M)
    if not match:
        sys.exit(f"{name}.c has no function {name}")
    text = " ".join(match.group(1).split())
    return text, [parameter_read(part) for part in text.split(",")]


def given_arguments(row):
    """The tunables that are arguments; the others are meta_tunable, which TREEFORK_SET gives."""
    names = [p.name for p in prototype(row.name)[1]]
    return {name: value for name, value in row.tunables.items() if name in names}


def calls(row, is_generated, has_auto, is_elision=False):
    """The C text of one program for harness.c: its calls and its table row. `is_elision`: the reference NAME_serial has the
    tunables, too."""
    text, parameters = prototype(row.name)
    member = {"ARRAY": "array", "INTEGER": "integer", "REAL": "real"}
    arguments = [f"a[{i}].{member[p.kind]}" for i, p in enumerate(parameters)]
    untuned = ", ".join(a for a, p in zip(arguments, parameters) if p.name not in row.tunables)
    name, tuned = row.name, given_arguments(row)
    lines = [f"void {name}({text});"]
    if has_auto and tuned:
        kept = ", ".join(part.strip() for part, p in zip(text.split(","), parameters) if p.name not in tuned)
        lines.append(f"int {name}_auto({kept});")
        lines.append(f"static int {name}_automatic(const union argument *a) {{ return {name}_auto({untuned}); }}")
    elif has_auto:
        lines.append(f"static int {name}_automatic(const union argument *a) {{ {name}({untuned}); return 0; }}")
    given = ", ".join(arguments) if is_elision else untuned
    lines.append(f"static void {name}_reference(const union argument *a) {{ {name}_serial({given}); }}")
    has_plain = bool(tuned) or not is_generated
    if has_plain:
        lines.append(f"static void {name}_plain(const union argument *a) {{ {name}({', '.join(arguments)}); }}")
    lines.append(f"static void {name}_counts(const union argument *a, size_t *counts)\n{{")
    lines += [f"    size_t {p.name} = (size_t)a[{i}].integer;" for i, p in enumerate(parameters)
              if p.kind == "INTEGER" and p.name not in row.tunables]
    lines += [f"    counts[{i}] = {' * '.join(f'({extent})' for extent in p.extents)};" for i, p in enumerate(parameters) if p.kind == "ARRAY"]
    lines.append("}")
    lines.append(f"static const struct parameter {name}_parameters[] = {{")
    for p in parameters:
        data = row.data.get(p.name, "random").upper()
        lines.append(f'    {{"{p.name}", PARAMETER_{p.kind}, ELEMENT_{p.element.upper()}, DATA_{data}}},')
    lines.append("};")
    entry = (f'    {{"{name}", {len(parameters)}, {name}_parameters, {name}_counts, {name}_reference, '
             f'{name + "_plain" if has_plain else "NULL"}, {name + "_automatic" if has_auto else "NULL"}}},')
    return "\n".join(lines), entry


def calls_write(path, rows, is_generated, automatic=()):
    parts = [calls(row, is_generated, row.name in automatic) for row in rows]
    with open(path, "w") as out:
        out.write('#include "harness.h"\n#include "reference.c"\n\n')
        out.write("\n\n".join(text for text, _ in parts))
        out.write("\n\nconst struct program programs[] = {\n" + "\n".join(entry for _, entry in parts) + "\n};\n")
        out.write("const size_t n_programs = sizeof programs / sizeof *programs;\n")


def set_text(*groups):
    return ",".join(f"{name}={value}" for group in groups for name, value in group.items())


# Sizes from 1 up and blocks that do not divide them; the first three are those of the small scale.
TINY = [([1], [3]), ([7, 5, 9, 8, 6], [3, 4, 5]), ([13, 11, 17, 14, 10], [4, 8, 3]), ([1], [1]), ([2], [2]),
        ([3, 5, 4, 2, 6], [2, 3]), ([16], [4, 8, 2]), ([19, 23, 21, 18, 22], [32, 16, 7])]


def tiny_sets(row, is_full=True):
    for numbers, tunables in TINY if is_full else TINY[:3]:
        given = {name: numbers[i % len(numbers)] for i, name in enumerate(row.small)}
        tuned = {name: tunables[i % len(tunables)] for i, name in enumerate(row.tunables)}
        yield dict(given, **row.values), tuned


def check_words(row, given, tunables):
    """Three words for check.c."""
    arguments = given_arguments(row)
    own = {name: value for name, value in tunables.items() if name in arguments}
    settings = {f"{row.name}.{name}": value for name, value in tunables.items() if name not in arguments}
    return [row.name, set_text(given, own), set_text(settings) or "-"]


def is_full():
    return os.environ.get("TEST_SCALE", "full") == "full"


def run(command, **more):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)


def must(command, **more):
    done = run(command, **more)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


def generate(build, row, folder):
    """Runs `treefork build`; what it said, and the reason why it chooses no tunables (None if it does)."""
    done = run([os.path.join(build, "treefork"), "build", source(row.name), "-o", folder])
    if done.returncode:
        return done.stdout, "refused"
    with open(os.path.join(folder, row.name + ".tf.h")) as file:
        reason = re.search(r"There is no %s_auto: (.*?)\. ?\*/" % row.name, file.read(), re.S)
    kept = re.search(r"note: (\w+ stays \d+ in region .*)", done.stdout)
    if not given_arguments(row):
        return done.stdout, kept and kept.group(1)
    return done.stdout, reason and " ".join(reason.group(1).split())


def sanitizer(build):
    return ["-fsanitize=address,undefined"] if os.path.basename(os.path.normpath(build)) == "asan" else []


def elision(build, rows, options):
    """The programs as a C compiler sees them: their annotations disappear."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "calls.c")
        calls_write(path, rows, False)
        files = [path] + [os.path.join(FOLDER, name) for name in ("harness.c", "check.c")]
        program = os.path.join(folder, "check")
        must(["cc", *CFLAGS, "-o", program, *files, *[source(row.name) for row in rows], *LIBS])
        words = [word for row in rows for point in tiny_sets(row) for word in check_words(row, *point)]
        words += [word for row in rows for word in check_words(row, dict(row.small, **row.values), row.tunables)]
        done = run([program, *words])
        print(f"serial elision of {len(rows)} programs: {done.stdout.strip()}")
        return done.returncode


def device(build, rows, options):
    status = 0
    environment = dict(os.environ, TREEFORK_ON_ERROR="abort")
    for row in rows:
        with tempfile.TemporaryDirectory() as folder:
            said, reason = generate(build, row, folder)
            if reason == "refused":
                print(f"{row.name}: refused\n{said}")
                status = 1
                continue
            path = os.path.join(folder, "calls.c")
            calls_write(path, [row], True, () if reason else (row.name,))
            files = [path, os.path.join(folder, row.name + ".tf.c")]
            files += [os.path.join(FOLDER, name) for name in ("harness.c", "check.c")]
            program = os.path.join(folder, "check")
            must(["cc", *CFLAGS, *sanitizer(build), "-o", program, *files, os.path.join(build, "libtreefork.a"), *LIBS])
            words = [word for point in tiny_sets(row, is_full()) for word in check_words(row, *point)]
            done = run([program, *words], env=environment)
            print(f"{row.name} on the device{'' if reason else ', automatic too'}: {done.stdout.strip()}", flush=True)
            status = status or done.returncode
    return status


# Pointers whose extents are derived from what regions touch depend on a host loop's iterator here: verify is told one that
# serves all sets.
UNKNOWN_EXTENTS = {"lu": "A=1024", "seidel_2d": "A=1024", "fdtd_2d": "fict=1024"}


def verify(build, rows, options):
    status = 0
    for row in rows:
        points = tiny_sets(row, is_full())
        sets = [word for point in points for word in ("--set", set_text(*point))]
        if options.flat and row.name in UNKNOWN_EXTENTS:
            sets += ["--extent", UNKNOWN_EXTENTS[row.name]]
        done = run([os.path.join(build, "treefork"), "verify", source(row.name), *sets, "--witness", options.witness,
                    "--device-runs", "once"])
        print(f"{row.name}: {done.stdout.strip().splitlines()[-1]}", flush=True)
        if done.returncode:
            print(done.stdout)
            status = 1
    return status


def report(build, rows, options):
    short = 0
    for row in rows:
        with tempfile.TemporaryDirectory() as folder:
            said, reason = generate(build, row, folder)
        warnings = re.findall(r"(\d+):\d+: (?:warning|error): (.*)", said)
        proofs = "; ".join(f"line {line}: {text}" for line, text in warnings) or "proved"
        print(f"{row.name}: {proofs}; {f'no NAME_auto: {reason}' if reason else 'NAME_auto'}", flush=True)
        short += bool(warnings or reason)
    print(f"{len(rows) - short} of {len(rows)} are proved and have an automatic choice")
    return short > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("what", choices=("elision", "verify", "device", "report"))
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--witness", default="threads,cpu")
    parser.add_argument("--flat", action="store_true")
    options = parser.parse_intermixed_args()
    rows = table()
    chosen = [rows[name] for name in options.programs] if options.programs else list(rows.values())
    do, build = globals()[options.what], os.path.abspath(options.build)
    if not options.flat:
        return do(build, chosen, options)
    global SOURCES
    with tempfile.TemporaryDirectory() as SOURCES:
        sources_flatten(chosen, SOURCES)
        return do(build, chosen, options)


if __name__ == "__main__":
    sys.exit(main())
