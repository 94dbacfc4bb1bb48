"""Fuzzes the tool with random annotated programs (maker.py), seeded and deterministic.

  programs.py TREEFORK [--seed S] [--count N] [--first K] [--per-file F] [--device-every D] [--keep DIR] [--seconds T]

Per file of F functions: `treefork verify --witness threads` at two points, `--witness cpu` at one, and, for every D-th
file, the OpenCL device at one. A quarter of the functions may conflict (one access leaves its own element). Defects are:
an error or a failing leaf of a function legal by construction; a leaf that fails or races though nothing was refused and
no warning said that legality is open; a refusal whose witness a trace of the compiled program does not show; a crash.
The trace is the independent oracle: the same text, compiled by the C compiler with every access recorded.
Each defect leaves its function alone in DIR. Exit status 0 only if there is none and leaves were run."""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True      # nothing is left beside the sources
import maker  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
QUICK = ["--inject", "registers=9,9"]        # the tree without counting registers: fewer leaves, a fifth of the time
HEAD = "#include <assert.h>\n#include <math.h>\n#include <metafork.h>\n"


def run(arguments, seconds=300):
    try:
        return subprocess.run(arguments, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired as expired:
        return subprocess.CompletedProcess(arguments, 124, "", f"no end within {expired.timeout} s")


def setting(point):
    return ",".join(f"{name}={value}" for name, value in point.items())


def indivisible(said, point):
    """Does the tool pass over the leaf because a coarsening factor does not divide an extent, and is that so?"""
    found = (re.fullmatch(r"skipped: does not fit: (\d+) does not divide ([\w+*^ ()-]+)", said) or
             re.fullmatch(r"skipped: launch refused: leaf \d+ was forced, but it needs (\d+)\*d(?:_\d+)? <= ([\w+*^ ()-]+?) with .*", said))
    return bool(found) and eval(found.group(2).replace("^", "**"), {}, dict(point)) % int(found.group(1)) != 0


class Batch:
    """Some functions in one file, what the tool said about them, and the defects found."""

    def __init__(self, options, folder, functions, points):
        self.options, self.folder, self.points = options, folder, points
        self.functions = functions
        self.path = os.path.join(folder, "program.c")
        self.warned, self.refused, self.defects = {}, {}, []
        self.conditions, self.open = None, set()
        self.leaves = {"threads": 0, "cpu": 0, "device": 0}
        self.unfit = 0

    def write(self):
        self.starts = []
        text = HEAD
        for f in self.functions:
            self.starts.append((text.count("\n") + 1, f))
            text += maker.plain(f.source())
        with open(self.path, "w") as file:
            file.write(text)

    def owner(self, line):
        found = None
        for start, f in self.starts:
            if line >= start:
                found = f
        return found

    def defect(self, function, what, point, witness):
        self.defects.append((function, what, point, witness))

    def said(self, text):
        """Notes warnings about legality; the functions with an error."""
        errors = {}
        for line in text.splitlines():
            found = re.match(r"(?:.*program\.c:(\d+):\d+: )?(?:.*: )?(error|warning|internal error): (.*)", line)
            if not found:
                continue
            function = self.owner(int(found.group(1))) if found.group(1) else None
            if found.group(2) == "warning" and function:
                if "believed" in found.group(3):
                    self.warned[function.name] = found.group(3)
            elif found.group(2) != "warning" and function:
                errors.setdefault(function, found.group(3))
        return errors

    def drop(self, text):
        """Takes out the functions that `text` refuses; false if it names none."""
        errors = self.said(text)
        for f, what in errors.items():
            if "conflict" in what and f.flawed:
                self.refused[f] = what
            else:
                self.defect(f, f"refused: {what}", None, "tree")
        self.functions = [f for f in self.functions if f not in errors]
        return bool(errors)

    def legality(self, f):
        """The conditions under which the tool says that f is legal."""
        if self.conditions is None:
            self.write()
            done = run([self.options.treefork, "tree", self.path, "--json"] + QUICK)
            regions = json.loads(done.stdout)["regions"] if done.returncode == 0 else []
            self.conditions = {r["function"]: r.get("legality", []) for r in regions}
        return self.conditions.get(f.name, [])

    def call(self, witness, point, more):
        """One run over the functions that are not refused; again with what it asks for, or without what it refuses."""
        while self.functions:
            self.write()
            used = {name for f in self.functions for name in f.scalars()}
            arguments = [self.options.treefork, "verify", self.path] + list(more)
            arguments += ["--set", setting({name: value for name, value in point.items() if name in used})]
            arguments += ["--device", "opencl"] if witness == "device" else ["--witness", witness]
            extents = [f"{a.name}={max(1, a.count(point))}" for f in self.functions for a in f.arrays if a.name in self.open]
            done = run(arguments + (["--extent", ",".join(extents)] if extents else []))
            asked = set(re.findall(r"array (\w+): neither its type", done.stderr)) - self.open
            self.open |= asked
            if not asked and not ("verified," not in done.stdout and self.drop(done.stderr)):
                return done
        return None

    def verify(self, witness, point, *more):
        done = self.call(witness, point, more)
        if not done:
            return
        self.said(done.stderr)
        byname = {f.name: f for f in self.functions}
        for line in done.stdout.splitlines():
            leaf = re.match(r"(\w+?)(?:_2)? leaf \d+.*?: (.*)", line)
            if not leaf:
                continue
            f = byname[leaf.group(1)]
            if leaf.group(2).startswith("equals serial"):
                self.leaves[witness] += 1
            elif indivisible(leaf.group(2), point):
                self.unfit += 1
            elif not (f.flawed and f.name in self.warned) and self.holds(f, point):
                self.defect(f, line, point, witness)
        if not re.search(r"^\d+ verified", done.stdout, re.M):
            self.defect(None, f"status {done.returncode}: {done.stderr[-400:]}", point, witness)

    def judge(self):
        """Legality alone: what the region means is worked out, no tree is made."""
        while self.functions:
            self.write()
            done = run([self.options.treefork, "dump", "kernel", self.path])
            if done.returncode == 0:
                self.said(done.stderr)
                return
            if not self.drop(done.stderr):
                self.defect(None, f"status {done.returncode}: {done.stderr[-400:]}", None, "legality")
                return

    def holds(self, f, point):
        return all(eval(c.replace("/", "//"), {}, dict(point)) for c in self.legality(f))

    def trace(self):
        """What the compiled program says: refused ones at the witness, the others that might conflict at small points."""
        cases = []
        for f, text in self.refused.items():
            point = dict.fromkeys("NtqmwM", 0) | dict.fromkeys("suBCD", 1)
            given = {n: int(v) for n, v in re.findall(r"\b(\w+) = (-?\d+)", text.split(" for ")[-1]) if n in point}
            point.update({"M": given.get("N", 0)} | given)
            cases += [(f, point, True)] 
        rng = random.Random(1)
        for f in self.functions:
            if f.flawed and f.name not in self.warned:
                cases += [(f, p, False) for p in maker.points(rng, 60)]
        if not cases:
            return
        program = os.path.join(self.folder, "trace")
        with open(program + ".c", "w") as file:
            file.write(trace_text(cases))
        built = run(["cc", "-O1", "-w", "-I" + os.path.join(ROOT, "runtime"), "-I" + HERE, "-o", program, program + ".c", "-lm"])
        if built.returncode:
            sys.exit(f"the trace does not compile: {program}.c\n{built.stderr}")
        lines = run([program]).stdout.split()
        if len(lines) != len(cases):
            sys.exit(f"the trace ended early: {program}")
        for (f, point, expected), line in zip(cases, lines):
            if (line == "conflict") != expected and (expected or self.holds(f, point)):
                self.defect(f, f"refused: {self.refused[f]}, but a trace shows no conflict there" if expected else
                            "a trace shows a conflict that nothing speaks of", point, "trace")


def trace_text(cases):
    names = []
    text = '#include "trace.h"\n' + HEAD.replace("#include <metafork.h>\n", "")
    for f, _, _ in cases:
        if f.name not in names:
            names.append(f.name)
            text += maker.traced(f.source())
    text += "int main(void)\n{\n"
    for f, point, _ in cases:
        scalars = [v for v in re.search(r"\((.*?)\)\n", f.source()).group(1).split(", ")]
        arguments = []
        number = 0
        for s in scalars:
            name = re.search(r"(\w+)(\[.*)?$", s).group(1)
            if name in point:
                arguments.append(str(point[name]))
            elif name in "ce":
                arguments.append("0.5")
            else:
                element = re.sub(r"\bconst\b|\brestrict\b|\*", "", s.split(name)[0]).strip()
                text += f"    TRACE_FILL({number}, {element});\n"
                arguments.append(f"trace_array({number})")
                number += 1
        text += f"    trace_begin();\n    {f.name}({', '.join(arguments)});\n    puts(trace_end() ? \"conflict\" : \"none\");\n"
    return text + "    return 0;\n}\n"


def keep(options, batch, number):
    """One file per defect, the function alone."""
    for function, what, point, witness in batch.defects:
        name = function.name if function else f"file{number}"
        print(f"{name} ({witness}): {what}")
        print(f"    {setting(point) if point else ''}")
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
            text = HEAD + "".join(maker.plain(f.source()) for f in ([function] if function else batch.functions))
            with open(os.path.join(options.keep, f"s{options.seed}_{name}.c"), "w") as file:
                file.write(f"// {witness} {setting(point) if point else ''}\n// {what.splitlines()[0]}\n{text}")


def verify_points(options, batch, number):
    batch.verify("threads", batch.points[0], *([] if number % options.full_every == 0 else QUICK))
    if number % options.cpu_every == 0:
        batch.verify("threads", batch.points[1])
        batch.verify("cpu", batch.points[2])
    if options.device_every and number % options.device_every == 0:
        batch.verify("device", batch.points[3])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("treefork")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--per-file", type=int, default=20)
    parser.add_argument("--device-every", type=int, default=0)
    parser.add_argument("--full-every", type=int, default=2)
    parser.add_argument("--cpu-every", type=int, default=4)
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--legality", action="store_true", help="verdicts of legality alone, against the trace")
    parser.add_argument("--keep")
    options = parser.parse_args()
    started, made, leaves, defects, counts = time.time(), 0, {"threads": 0, "cpu": 0, "device": 0}, 0, [0, 0, 0]
    unfit = 0
    for first in range(options.first, options.first + options.count, options.per_file):
        if options.seconds and time.time() - started > options.seconds:
            break
        number = first // options.per_file
        rng = random.Random(f"points {options.seed} {first}")
        upto = min(first + options.per_file, options.first + options.count)
        functions = [maker.make(options.seed, i, options.legality or number % 4 == 3) for i in range(first, upto)]
        with tempfile.TemporaryDirectory() as folder:
            batch = Batch(options, folder, functions, maker.points(rng, 5))
            if options.legality:
                batch.judge()
            else:
                verify_points(options, batch, number)
            batch.trace()
            keep(options, batch, number)
        made += len(functions)
        for witness, n in batch.leaves.items():
            leaves[witness] += n
        counts = [counts[0] + len(batch.refused), counts[1] + len([w for w in batch.warned if w]),
                  counts[2] + sum(f.flawed for f in functions)]
        unfit += batch.unfit
        defects += len(batch.defects)
        sys.stdout.flush()
    print(f"{made} functions ({counts[2]} with a flaw; {counts[0]} refused as conflicts, {counts[1]} with a warning): leaves "
          f"equal to serial: {leaves['threads']} threads, {leaves['cpu']} cpu, {leaves['device']} device ({unfit} do not fit); {defects} defects; "
          f"{time.time() - started:.0f} s")
    return defects != 0 or (leaves["threads"] == 0 and not options.legality)


sys.exit(main())
