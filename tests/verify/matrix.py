"""A row of the witness matrix: every leaf of a sample, at several sets of parameters, run by each witness and compared with
the serial program.

  matrix.py BUILD SAMPLES NAME [--witness WITNESSES] [--simulated FUNCTION VALUES [FUNCTION VALUES ...]]

SAMPLES/NAME/data/NAME.c is --data, if there is one. Witnesses: `threads` (thread interpreter over ir) and `cpu` (LLVM, one fiber per thread) take every set of SAMPLES/NAME/sets;
`opencl` (the OpenCL device, PoCL on a CPU) runs each leaf at the first set that it fits; `simulated` (CUDA path of the runtime
with embedded PTX on the simulated driver) likewise at its own sets, if there are any. WITNESSES are the first three unless
fewer are named. With TEST_SCALE=full the devices take every set too.
What is counted: threads and cpu must run every leaf at every set, the devices every leaf once, and launch something
where no size is 0; a leaf whose extents do not divide at a set is skipped there, but must have been run at another. One line per
witness says so; the exit status is 0 only if all of it holds."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def read_sets(path):
    with open(path) as file:
        return [tuple(line.split()) for line in file if line.strip() and not line.startswith("#")]


def run(arguments, environment=None):
    return subprocess.run(arguments, env=environment, capture_output=True, text=True)


def leaves_read(tool, source):
    """The text of every leaf, and the number of leaves by name of the region."""
    done = run([tool, "-d", "leaves", source])
    if done.returncode:
        sys.exit(done.stderr)
    # A leaf of several launches has a kernel for each.
    tree = run([tool, "tree", source])
    counts = {name: int(count) for name, count in
              re.findall(r"^(\w+): .*leads? to (\d+) kernels? \(lea", tree.stdout, re.M)}
    return done.stdout, counts


def simulated_environment(build, leaves, folder):
    path = os.path.join(folder, "leaves")
    with open(path, "w") as file:
        file.write(leaves)
    machine = os.path.join(ROOT, "machines", "ampere-a100.json")
    return dict(os.environ, TREEFORK_CUDA_DRIVER=os.path.join(build, "libcuda-simulated.so"), TREEFORK_NVRTC="none",
                TREEFORK_SIMULATED_IR=path, TREEFORK_SIMULATED_MACHINE=machine, TREEFORK_SIMULATED_SEED="7")


def regions_of(function, leaves):
    """The regions of a function: NAME, NAME_2 and so on."""
    return [region for region in leaves if re.fullmatch(re.escape(function) + r"(_\d+)?", region)]


class Column:
    """What one witness did: messages about what is wrong, runs of leaves by (region, leaf), sets that it was asked for."""

    def __init__(self, witness):
        self.witness, self.on_device = witness, witness not in ("threads", "cpu")
        self.wrong, self.ran, self.verified, self.sets = [], set(), 0, 0

    def set_check(self, title, lines, leaves):
        """One set: its function and values, and the lines of its leaves."""
        function, values = title.split(" ", 1)
        listed = 0
        self.sets += 1
        for line in lines:
            leaf = re.match(r"(\w+) leaf (\d+).*?: (.*)", line)
            if not leaf:
                continue
            listed += 1
            if re.match(r"skipped: .*(does not divide|was forced, but it needs)", leaf.group(3)):
                continue
            if not leaf.group(3).startswith("equals serial"):
                self.wrong.append(f"{title}: {line}")
            elif self.on_device and leaf.group(3).endswith(" 0 launches") and not re.search(r"=0\b(?!\.)", values):
                self.wrong.append(f"{title}: {line}: nothing was launched")
            else:
                self.verified += 1
                self.ran.add((leaf.group(1), int(leaf.group(2))))
        of_function = sum(leaves[region] for region in regions_of(function, leaves))
        if not self.on_device and listed != of_function:
            self.wrong.append(f"{title}: {listed} of {of_function} leaves were run")


def columns_read(done, columns, leaves):
    """Deals the output of `treefork verify` out to the columns."""
    title = column = None
    lines = []
    for line in done.stdout.splitlines() + ["by end at end"]:
        head = re.match(r"by (\w+) at (.*)", line)
        if not head:
            lines.append(line)
            continue
        if title:
            column.set_check(title, lines, leaves)
        title, column, lines = head.group(2), columns.get(head.group(1)), []
    if done.returncode and not any(column.wrong for column in columns.values()):
        next(iter(columns.values())).wrong.append(done.stderr or f"exit status {done.returncode}")


def column_end(name, column, leaves, regions, least):
    for region in regions:
        for leaf in range(1, leaves[region] + 1):
            if (region, leaf) not in column.ran:
                column.wrong.append(f"leaf {leaf} of {region} was run at no set")
    if column.sets < least:
        column.wrong.append(f"only {column.sets} sets")
    for message in column.wrong:
        print(message)
    print(f"{name} by {column.witness}: {column.sets} sets, {column.verified} runs of leaves equal serial, {len(column.wrong)} wrong")
    return column.wrong


def simulated_fill(column, options, verify, texts, leaves):
    """Runs the leaves on the simulated driver, which reads them from `texts`, at the sets of the command line."""
    with tempfile.TemporaryDirectory() as scratch:
        own = os.path.join(scratch, "sets")
        with open(own, "w") as file:
            file.writelines(f"{function} {values}\n" for function, values in zip(options.simulated[::2], options.simulated[1::2]))
        environment = simulated_environment(options.build, texts, scratch)
        columns_read(run(verify + [own, "--witness", "cuda"], environment), {"cuda": column}, leaves)
    column.witness = "simulated"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("samples")
    parser.add_argument("name")
    parser.add_argument("--witness", default="threads,cpu,opencl")
    parser.add_argument("--simulated", nargs="+", default=[])
    options = parser.parse_args()
    tool = os.path.join(options.build, "treefork")
    folder = os.path.join(options.samples, options.name)
    source, sets = os.path.join(folder, options.name + ".c"), os.path.join(folder, "sets")
    once = "all" if os.environ.get("TEST_SCALE") == "full" else "once"
    texts, leaves = leaves_read(tool, source)
    regions = {region for function, _ in read_sets(sets) for region in regions_of(function, leaves)}
    own = os.path.join(folder, "data", options.name + ".c")
    data = ["--data", own] if os.path.exists(own) else []
    verify = [tool, "verify", source, *data, "--device-runs", once, "--sets"]
    columns = {name: Column(name) for name in options.witness.split(",")}
    columns_read(run(verify + [sets, "--witness", options.witness]), columns, leaves)
    if options.simulated:
        columns["cuda"] = Column("cuda")
        simulated_fill(columns["cuda"], options, verify, texts, leaves)
    wrong = []
    for column in columns.values():
        wrong += column_end(options.name, column, leaves, regions, 1 if column.on_device else 4)
    return len(wrong) != 0


sys.exit(main())
