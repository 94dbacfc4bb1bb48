"""Plain C through `treefork map`.

    python3 mapper.py BUILD schedule [PROGRAM...]   what the mapper makes of each program of plain.table, beside the table
    python3 mapper.py BUILD elision [PROGRAM...]    the mapped texts under gcc and clang against their sources, bit for bit
    python3 mapper.py BUILD device [PROGRAM...]     the programs that `treefork build` makes of the sources, on the device
    python3 mapper.py BUILD blocks [PROGRAM...]     which programs choose all their blocks when they run
    python3 mapper.py BUILD verify [PROGRAM...]     whole functions with every leaf by threads, and ten of them with one leaf by
                                                    OpenCL; at full scale each leaf at each size by three witnesses

--without NAME,... switches transformations off; what elision then refuses for want of an independent loop is counted apart.

Ends with 1 if something differs. TEST_SCALE=small takes fewer sizes.
"""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
PLAIN = os.path.join(FOLDER, "plain")
HARNESS = os.path.join(os.path.dirname(FOLDER), "polybench")
sys.path.insert(0, HARNESS)
sys.dont_write_bytecode = True
import polybench

polybench.FOLDER = polybench.SOURCES = PLAIN
Row = collections.namedtuple("Row", "name sizes values data golden tunables")
SWITCHES = []    # --no-NAME
CFLAGS = polybench.CFLAGS + ["-I" + HARNESS]


# Transformations that are made where they are predicted to pay; behind => the table has the plan with them.
CHOSEN = ["expansion", "copying", "splitting"]


def table():
    rows = {}
    with open(os.path.join(FOLDER, "plain.table")) as lines:
        for line in lines:
            if not line.strip() or line.startswith("#"):
                continue
            name, sizes, values, data, golden = line.split(None, 4)
            plain, _, chosen = golden.partition(" => ")
            golden = plain if not chosen or f"--no-{CHOSEN[0]}" in SWITCHES else chosen
            least = {size.split(">=")[0]: int((size.split(">=") + ["0"])[1]) for size in sizes.split(",")}
            rows[name] = Row(name, least, polybench.assignments(values), polybench.assignments(data), golden.strip(), {})
    return rows


# Sizes from 0 up; the first four are those of the small scale. Each with the extent of all blocks.
SIZES = [([0], 4), ([1], 3), ([7, 5, 9, 8, 6], 4), ([13, 11, 17, 14, 10], 5), ([2], 1), ([3, 5, 4, 2, 6], 64), ([16], 8),
         ([33, 19, 20, 18, 22], 7)]


def points(row):
    for numbers, block in SIZES if polybench.is_full() else SIZES[:4]:
        yield {name: max(least, numbers[i % len(numbers)]) for i, (name, least) in enumerate(row.sizes.items())}, block


def plan_of(text):
    """The lines of -d schedule as the table has them, without the plan that is taken for other sizes."""
    text = re.split(r"\n  where not ", text)[0]
    head = re.search(r": (\d+) statements, (\d+) units", text)
    words, depth, hosts = [], 0, 0
    for line in text.splitlines()[1:] + ["  end"]:
        level = (len(line) - len(line.lstrip()) - 2) // 2
        if hosts and not line.lstrip().startswith("host"):
            words.append(f"host*{hosts}")
            hosts = 0
        while depth > level:
            words.append(")")
            depth -= 1
        word = line.split()
        if word[0] == "host":
            hosts += 1
        elif word[0] == "chain":
            words.append(f"block{word[3]}(")
            depth += 1
        elif word[0] == "for":
            words.append(re.match(r"\s*for (.*?)( = .*)?$", line).group(1).replace(" ", "") + "(")
            depth += 1
        elif word[0] == "region":
            words.append("one" if word[1] == "0D:" else word[1][:-1])
    return f"{head.group(1)} -> {head.group(2)}: {' '.join(words)}"


GOLDEN_ISL = "0.25"


def isl_version():
    """As pkg-config says it; that of the table where it does not know."""
    if not shutil.which("pkg-config"):
        return GOLDEN_ISL
    done = polybench.run(["pkg-config", "--modversion", "isl"])
    return done.stdout.strip() if done.returncode == 0 else GOLDEN_ISL


def measure_of(plan):
    """Axes of all regions, and how many regions stand below so many host loops, the most loops first."""
    axes, depth, at = 0, 0, collections.Counter()
    for word in re.findall(r"\S+\(|\)|one|\dD", plan.split(": ", 1)[1]):
        if word == ")":
            depth -= 1
        elif word.endswith("("):
            depth += 1
        else:
            at[depth] += 1
            axes += 0 if word == "one" else int(word[0])
    return axes, [at[k] for k in range(max(at, default=0), -1, -1)]


def no_worse(plan, golden):
    """With another isl: as many axes a region, and at most as many launches."""
    (axes, launches), (most, least) = measure_of(plan), measure_of(golden)
    n = max(len(launches), len(least))
    return axes * sum(least) >= most * sum(launches) and [0] * (n - len(launches)) + launches <= [0] * (n - len(least)) + least


def schedule(build, rows):
    wrong = 0
    is_golden = isl_version().startswith(GOLDEN_ISL)
    for row in rows:
        done = polybench.run([os.path.join(build, "treefork"), "-d", "schedule", *SWITCHES, polybench.source(row.name)])
        plan = plan_of(done.stdout) if done.returncode == 0 else done.stdout
        good = plan == row.golden or (not is_golden and done.returncode == 0 and no_worse(plan, row.golden))
        if not good:
            print(f"{row.name}: {plan}, not {row.golden}")
            wrong += 1
    print(f"{len(rows) - wrong} plans as in the table, {wrong} others")
    return wrong > 0


def reference_write(folder, rows):
    """reference.c of the folder: the sources themselves, under other names."""
    with open(os.path.join(folder, "reference.c"), "w") as out:
        for row in rows:
            out.write(f'#define {row.name} {row.name}_serial\n#include "{polybench.source(row.name)}"\n#undef {row.name}\n')


def header_write(folder):
    """A metafork.h whose tunables all have the value of an environment's BLOCK, for a device of THREADS."""
    with open(os.path.join(folder, "metafork.h"), "w") as out:
        out.write("#include <stdlib.h>\n#define meta_schedule\n#define meta_reduce(op, ...)\n#define meta_for for\n#define meta_tunable(d) atoi(getenv(\"BLOCK\"))\n"
                  "#define meta_threads() atoi(getenv(\"THREADS\"))\n")


def mapped(build, row, folder):
    path = os.path.join(folder, row.name + ".c")
    polybench.must([os.path.join(build, "treefork"), "map", *SWITCHES, polybench.source(row.name), "-o", path])
    return path


def is_mappable(build, row):
    """Is there an independent loop without the transformations that are off?"""
    done = polybench.run([os.path.join(build, "treefork"), "map", *SWITCHES, polybench.source(row.name)])
    if done.returncode and "no loop is independent of its other iterations" not in done.stdout:
        print(done.stdout)
    return done.returncode == 0


def checked(program, row_points, environment):
    """Runs check.c's program; its last line."""
    equal, wrong = 0, 0
    for block, words in row_points.items():
        done = polybench.run([program, *words], env=dict(environment, BLOCK=str(block), THREADS=str(1 << 20 if block % 2 else 1)))
        match = re.search(r"(\d+) equal, (\d+) wrong", done.stdout)
        if not match or done.returncode:
            print(done.stdout)
        equal += int(match.group(1)) if match else 0
        wrong += int(match.group(2)) if match else 1
    return equal, wrong


def words_by_block(rows):
    words = collections.defaultdict(list)
    for row in rows:
        for given, block in points(row):
            words[block] += [row.name, polybench.set_text(given, row.values), "-"]
    return words


def elision(build, rows):
    status, asked = 0, len(rows)
    rows = [row for row in rows if not SWITCHES or is_mappable(build, row)]
    refused = f", {asked - len(rows)} refused" if SWITCHES else ""
    for compiler in [name for name in ("gcc", "clang") if shutil.which(name)] or ["cc"]:
        with tempfile.TemporaryDirectory() as folder:
            sources = [mapped(build, row, folder) for row in rows]
            header_write(folder)
            reference_write(folder, rows)
            path = os.path.join(folder, "calls.c")
            polybench.calls_write(path, rows, False)
            harness = [os.path.join(HARNESS, name) for name in ("harness.c", "check.c")]
            program = os.path.join(folder, "check")
            polybench.must([compiler, "-I" + folder, *CFLAGS, "-o", program, path, *sources, *harness, *polybench.LIBS])
            equal, wrong = checked(program, words_by_block(rows), os.environ)
            print(f"{len(rows)} mapped programs under {compiler}: {equal} equal, {wrong} wrong{refused}")
            status = status or wrong > 0
    return status


def device(build, rows):
    status = 0
    environment = dict(os.environ, TREEFORK_ON_ERROR="abort")
    for row in rows:
        with tempfile.TemporaryDirectory() as folder:
            said = polybench.must([os.path.join(build, "treefork"), "build", *SWITCHES, polybench.source(row.name), "-o", folder])
            reference_write(folder, [row])
            path = os.path.join(folder, "calls.c")
            polybench.calls_write(path, [row], False)
            files = [path, os.path.join(folder, row.name + ".tf.c")]
            files += [os.path.join(HARNESS, name) for name in ("harness.c", "check.c")]
            program = os.path.join(folder, "check")
            library = os.path.join(build, "libtreefork.a")
            polybench.must(["cc", *CFLAGS, *polybench.sanitizer(build), "-o", program, *files, library, *polybench.LIBS])
            equal, wrong = checked(program, words_by_block([row]), environment)
            notes = len(re.findall("warning:", said))
            print(f"{row.name} on the device: {equal} equal, {wrong} wrong; {notes} warnings", flush=True)
            status = status or wrong > 0
    return status


def kept(said):
    """What regions say of tunables that keep the value that is written, and why."""
    return re.findall(r"note: (\w+ stays .*)", said)


def blocks(build, rows):
    """Besides what is said: in the tables of what is built the third number of a tunable is 1 where it is chosen whenever the region
    runs."""
    chosen, regions, others = 0, 0, 0
    for row in rows:
        with tempfile.TemporaryDirectory() as folder:
            stays = kept(polybench.must([os.path.join(build, "treefork"), "build", polybench.source(row.name), "-o", folder]))
            text = open(os.path.join(folder, row.name + ".tf.c")).read()
            tables = re.findall(r"treefork_tunable_row tf_tunables_\w+\[\] = {(.*?)};", text, re.S)
            stays += [f"row {found}" for found in re.findall(r"{\d+, *\d+, *0, *\d+}", " ".join(tables))]
            regions += len(re.findall(r"meta_schedule", polybench.must([os.path.join(build, "treefork"), "map", polybench.source(row.name)])))
        for text in stays:
            print(f"{row.name}: {text}")
        chosen += not stays
        others += len(stays)
    print(f"{chosen} of {len(rows)} programs, with {regions} regions, choose all blocks when they run; {others} tunables stay as written")
    return others > 0


# One of each kind of plan; in `make check` a device runs their first leaves.
ON_DEVICE = ("trisolv", "atax", "doitgen", "gramschmidt", "heat_3d", "lu", "durbin", "nussinov", "seidel_2d", "floyd_warshall")
# Every leaf fits this block: points of a thread divide it.
BLOCK = 4


def tunables(build, row):
    text = polybench.must([os.path.join(build, "treefork"), "map", *SWITCHES, polybench.source(row.name)])
    return re.findall(r"(\w+) = meta_tunable", text)


def sets_of(row, names):
    if polybench.is_full():
        found = list(points(row))
    else:
        found = [(list(points(row))[2][0], BLOCK)]
    # Witnesses bear blocks of some thousand threads.
    most = 16 if "3D" in row.golden else 64
    found = [(given, min(block, most)) for given, block in found]
    return [word for given, block in found
            for word in ("--set", polybench.set_text(given, row.values, {name: block for name in names}))]


def verify(build, rows):
    """A witness that cannot run a region, and a function that falls back to serial code, are failures of `verify`."""
    wrong, leaves, on_device, stays = 0, 0, 0, 0
    for row in rows:
        witnesses = ["threads"] + ["opencl"] * (row.name in ON_DEVICE)
        runs = "first"
        if polybench.is_full():
            witnesses, runs = ["threads", "cpu", "opencl"], "all"
        done = polybench.run([os.path.join(build, "treefork"), "verify", *SWITCHES, polybench.source(row.name), "--witness", ",".join(witnesses),
                              "--device-runs", runs, *sets_of(row, tunables(build, row))])
        text = polybench.must([os.path.join(build, "treefork"), "map", *SWITCHES, polybench.source(row.name)])
        # Sizes tell which regions run.
        chooses = "block" in row.golden or "meta_threads" in text or "panels:" in text
        skipped = [line for line in re.findall(r"^.* skipped: .*$", done.stdout, re.M)
                   if not chooses or "the region was not reached" not in line]
        if not polybench.is_full():
            wrong += len(skipped)
        good = re.findall(r"^\w+ leaf \d+.*?(\(threads\)|\(cpu\)|): equals serial; [1-9]", done.stdout, re.M)
        leaves += len(good)
        on_device += "" in good
        stays += len(kept(done.stdout))
        if done.returncode or not good:
            print(f"{row.name}:\n{done.stdout}")
            wrong += 1
    print(f"{len(rows)} whole functions, {on_device} of them on the device: {leaves} runs of leaves equal serial, {wrong} wrong; "
          f"{stays} tunables stay as written")
    return wrong > 0 or stays > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("what", choices=("schedule", "elision", "device", "blocks", "verify"))
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--without", default="")
    options = parser.parse_args()
    SWITCHES.extend(f"--no-{name}" for name in options.without.split(",") if name)
    rows = table()
    chosen = [rows[name] for name in options.programs] if options.programs else list(rows.values())
    return globals()[options.what](os.path.abspath(options.build), chosen)


if __name__ == "__main__":
    sys.exit(main())
