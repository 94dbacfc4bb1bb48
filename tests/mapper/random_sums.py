#!/usr/bin/env python3
"""Random plain C with sums: maps, conditions, one to three axes, several sums, their starts and finishes, extremes, their
places, histograms; sums in scalars, in elements, and in members of a structure, by name or through a pointer.

Usage: random_sums.py BUILD [--count N] [--first SEED] [--witness threads,cpu,device] [--restyled] [--sizes N] [--keep FOLDER]

Each program is a function of two or three loop nests. `treefork verify --all --reassociate` runs it: every leaf on every witness
beside the program as gcc compiles it, integers equal to the last bit, at sizes from 0 on. `--restyled` lets tools/restyle write
each program anew first; `--sizes` takes the first N of four. Prints a line for each program that differs, and at the end how many there were, how many regions have
sums, and how many differ."""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Styles may hide extents, or need sizes up to 64.
UNJUDGED = "neither its type nor the regions tell its length|its length depends on|the serial program itself|needs data of its own"
SETS = ("n=37,m=5", "n=600,m=3", "n=1,m=1", "n=0,m=2")
INTEGERS = ("int", "unsigned", "int", "unsigned", "long")
REALS = ("float", "double")


class Maker:
    """One program from a seed."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.arguments = ["int n", "int m"]
        self.lines = []
        self.results = []
        self.number = 0
        self.members = []
        self.leads = self.rng.random() < 0.5

    def pick(self, *choices):
        return self.rng.choice(choices)

    def fresh(self, stem):
        self.number += 1
        return f"{stem}{self.number}"

    def array(self, kind, dims, is_const=True):
        name = self.fresh("a" if is_const else "r")
        self.arguments.append(f"{'const ' if is_const else ''}{kind} {name}{''.join(f'[{d}]' for d in dims)}")
        return name

    def scalar(self, kind, start="0"):
        """What is summed in: a scalar, an element, a member."""
        name = self.fresh("s")
        form = self.pick("scalar", "scalar", "element", "member", "member")
        if form == "element":
            self.arguments.append(f"{kind} {name}[2]")
            return f"{name}[1]" if self.pick(True, False) else f"(*{name})"
        if form == "member":
            self.members.append(f"{kind} {name};")
            place = f"st{'->' if self.leads else '.'}{name}"
            self.lines.append(f"    {place} = {start};")
            self.results.append((kind, place))
            return place
        self.lines.append(f"    {kind} {name} = {start};")
        self.results.append((kind, name))
        return name

    def operand(self, kind, element, iterators):
        """An expression that a sum of the kind may take, over an element and the iterators of its nest."""
        if kind in REALS:
            return self.pick(element, f"{element} * {element}", f"{element} + 0.5f", f"{element} * {iterators[-1]}", f"{element} * 0.25")
        return self.pick(element, f"{element} * {iterators[-1]}", f"({element} & 15)", f"{element} - 3", "1")

    def accumulation(self, kind, target, element, iterators):
        """A statement that sums in the target."""
        e = self.operand(kind, element, iterators)
        forms = [f"{target} += {e};", f"{target} -= {e};", f"{target} = {target} + {e};", f"{target} = {e} + {target};",
                 f"if ({element} > 2) {target} += {e};", f"if ({e} > {target}) {target} = {e};",
                 f"if ({target} > {e}) {target} = {e};", f"if ({element} != 1 && {e} > {target}) {target} = {e};",
                 f"if ({element} > 2) {target} += {e}; else {target} -= {e};", f"{target} = {e} > {target} ? {e} : {target};"]
        if kind not in REALS:
            forms += [f"{target} ^= {e};", f"{target} |= {e};", f"{target} &= {e};", f"{target}++;", f"if ({element} == 1) {target}--;"]
        return self.rng.choice(forms)

    def kinds(self):
        """The type of a sum, and one of the elements it takes that converts without loss."""
        kind = self.pick(*INTEGERS, *REALS)
        return kind, kind

    def line(self, depth, text):
        self.lines.append("    " * depth + text)

    def flat(self):
        """One axis: sums, perhaps with a map beside them."""
        count = self.pick(1, 1, 2, 3)
        sums = []
        for _ in range(count):
            kind, of = self.kinds()
            sums.append((kind, self.scalar(kind, self.pick("0", "1", "7", "-2") if kind != "unsigned" else "5"),
                         self.array(of, ["n"])))
        out = self.array("int", ["n"], False) if self.pick(True, False) else None
        self.line(1, "for (int i = 0; i < n; i++) {")
        if out:
            self.line(2, f"{out}[i] = 3 * i + m;")
        for kind, name, values in sums:
            self.line(2, self.accumulation(kind, name, f"{values}[i]", ["i"]))
        self.line(1, "}")

    def square(self):
        """Two axes: the whole, rows or columns."""
        kind, of = self.kinds()
        values = self.array(of, ["m", "n"])
        shape = self.pick("whole", "rows", "columns")
        if shape == "whole":
            target = self.scalar(kind)
        else:
            target = self.array(kind, ["m" if shape == "rows" else "n"], False) + ("[i]" if shape == "rows" else "[j]")
        outer, inner = self.pick((("i", "m"), ("j", "n")), (("j", "n"), ("i", "m")))
        self.line(1, f"for (int {outer[0]} = 0; {outer[0]} < {outer[1]}; {outer[0]}++)")
        self.line(2, f"for (int {inner[0]} = 0; {inner[0]} < {inner[1]}; {inner[0]}++) {{")
        self.line(3, self.accumulation(kind, target, f"{values}[i][j]", ["i", "j"]))
        self.line(2, "}")

    def begun(self):
        """Few rows or columns that begin and end in the nest of their sums, or in loops of their own."""
        kind, of = self.kinds()
        few = self.pick("7", "16", "40")
        by_rows = self.pick(True, True, False)
        values = self.array(of, [few, "n"] if by_rows else ["n", few])
        target, out = self.array(kind, [few], False) + "[i]", self.array(kind, [few], False)
        more = self.array(of, [few])
        begin = self.pick(f"{target} = 0;", f"{target} = {more}[i];", f"{target} = {target} * 2;", "")
        end = self.rng.sample([f"{out}[i] = {target} * 2;", f"{target} /= 3;", f"{out}[i] = {target} - {more}[i];"], self.pick(0, 1, 1, 2))
        element = f"{values}[i][j]" if by_rows else f"{values}[j][i]"
        sums = [f"for (int j = 0; j < n; j++) {{", f"    {self.accumulation(kind, target, element, ['i', 'j'])}", "}"]
        bodies = [[begin] if begin else [], sums, end]
        if self.rng.random() < 0.8:
            bodies = [bodies[0] + sums + end]
        for body in bodies:
            if body:
                self.line(1, f"for (int i = 0; i < {few}; i++) {{")
                for text in body:
                    self.line(2, text)
                self.line(1, "}")

    def cube(self):
        kind, of = self.kinds()
        values, target = self.array(of, ["m", "n", "3"]), self.scalar(kind)
        for depth, (iterator, bound) in enumerate((("i", "m"), ("j", "n"), ("k", "3"))):
            self.line(depth + 1, f"for (int {iterator} = 0; {iterator} < {bound}; {iterator}++)")
        self.line(4, self.accumulation(kind, target, f"{values}[i][j][k]", ["i", "j", "k"]))

    def place(self):
        """The place of an extreme: one axis or two, up or down, under conditions, with a map and the other extreme beside."""
        kind, counts = self.pick("int", "float", "double", "long", "unsigned"), self.pick("int", "long")
        plane = self.pick(True, False, False)
        values = self.array(kind, ["m", "n"] if plane else ["n"])
        element = f"{values}[i][j]" if plane else f"{values}[i]"
        starts = ("5", "0") if kind == "unsigned" else ("-100", "0", "2")
        most, at = self.scalar(kind, self.pick(*starts)), self.scalar("int", "-1")
        go = self.pick(("for ({0} {1} = 0; {1} < {2}; {1}++)"), ("for ({0} {1} = {2} - 1; {1} >= 0; {1}--)"))
        out = self.array("int", ["n"], False) if not plane and self.pick(True, False) else None
        self.line(1, go.format(counts, "i", "m" if plane else "n"))
        if plane:
            self.line(2, go.format(counts, "j", "n"))
        self.line(2, "{")
        if out:
            self.line(3, f"{out}[i] = 5 - (int)i;")
        if kind == "float" and not plane and self.pick(True, False):
            element = f"fabsf({element})"
        compare = self.pick(">", ">=", "<", "<=")
        condition = self.pick(f"{element} {compare} {most}", f"{most} {compare} {element}")
        guard = self.pick("", "", "i > 1 && ", f"{element} != 3 && ")
        stores = [f"{most} = {element};", f"{at} = {self.pick('j', '(int)(i + 2 * j)') if plane else self.pick('i', '(int)(2 * i + 1)')};"]
        self.rng.shuffle(stores)
        kind_of = self.pick("extreme", "extreme", "last", "implied") if not plane and "fabs" not in element else "extreme"
        if kind_of == "last":
            stores, condition = [f"{at} = {self.pick('i', '7', '(int)(3 - i)')};"], self.pick(f"{element} == 2", f"{element} > 1")
        elif kind_of == "implied":
            stores, condition = [f"{at} = i;"], f"{element} {compare} {values}[{at}]"
            self.lines.insert(-2 if out is None else -3, f"    {at} = 0;")
        self.line(3, f"if ({guard}{condition}) {{ {' '.join(stores)} }}")
        self.line(2, "}")

    def histogram(self):
        places = self.array("int", ["n"])
        if self.pick(True, False):
            counts = self.array("int", ["64"], False)
        else:
            name = self.fresh("h")
            self.members.append(f"int {name}[64];")
            counts = f"st{'->' if self.leads else '.'}{name}"
            self.results.append(("int", f"{counts}[3]"))
        self.line(1, "for (int i = 0; i < n; i++)")
        self.line(2, f"{counts}[{places}[i] & 63]{self.pick('++', ' += i', ' -= 2')};")

    def text(self):
        for _ in range(self.pick(1, 2, 3)):
            self.pick(self.flat, self.flat, self.square, self.square, self.begun, self.begun, self.cube, self.place, self.histogram)()
        body, returned = list(self.lines), ""
        for kind, name in self.results:
            out = f"out_{re.sub(r'[^a-z0-9]', '', name)}"
            self.arguments.append(f"{kind} {out}[1]")
            returned += f"    {out}[0] = {name};\n"
        head = "#include <math.h>\n"
        if self.members:
            head += f"struct st {{ {' '.join(self.members)} int last; }};\n"
            own = "    struct st own = {0}, *st = &own;" if self.leads else "    struct st st = {0};"
            body.insert(0, own)
        return f"{head}void f({', '.join(self.arguments)})\n{{\n" + "\n".join(body) + f"\n{returned}}}\n"


def run(command, **options):
    return subprocess.run(command, text=True, capture_output=True, **options)


def program_check(build, path, witness, sizes):
    """What is wrong with it ("" if nothing is, None if it cannot be run), and how many of its regions have sums."""
    tool = os.path.join(build, "treefork")
    mapped = run([tool, "map", path, "--all", "--reassociate", "-o", path + ".mapped.c"])
    if "nothing to map" in mapped.stderr:
        return "", 0
    if mapped.returncode:
        return "map: " + next(line for line in mapped.stderr.splitlines() if "error" in line or not line.strip(" ^")), 0
    with open(path + ".mapped.c", encoding="utf-8") as file:
        sums = len(re.findall(r"meta_schedule[^{]*meta_reduce", file.read()))
    command = [tool, "verify", path, "--all", "--reassociate", "--witness", witness, "--device-runs", "once"]
    for values in SETS[:sizes]:
        command += ["--set", values]
    verified = run(command)
    if re.search(UNJUDGED, verified.stderr):
        return None, sums
    last = (verified.stdout.strip() or "nothing").splitlines()[-1]
    if verified.returncode or ", 0 failed" not in last:
        faults = [line for line in verified.stdout.splitlines() + verified.stderr.splitlines() if re.search("FAIL|error|fatal", line)]
        return (faults or [last])[0], sums
    return "", sums


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--witness", default="threads,cpu")
    parser.add_argument("--restyled", action="store_true")
    parser.add_argument("--sizes", type=int, default=len(SETS))
    parser.add_argument("--keep")
    options = parser.parse_args()
    differ = sums = unjudged = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or folder
        os.makedirs(folder, exist_ok=True)
        for seed in range(options.first, options.first + options.count):
            path = os.path.join(folder, f"sums_{seed}.c")
            with open(path, "w", encoding="utf-8") as file:
                file.write(Maker(seed).text())
            if options.restyled:
                styled = run([sys.executable, os.path.join(ROOT, "tools", "restyle"), path, "--seed", str(seed)])
                with open(path, "w", encoding="utf-8") as file:
                    file.write(styled.stdout)
            wrong, found = program_check(options.build, path, options.witness, options.sizes)
            sums += found
            unjudged += wrong is None
            if wrong:
                differ += 1
                print(f"{seed}: differs: {wrong}", flush=True)
    print(f"{options.count} programs, {unjudged} not judged, {sums} regions with sums, {differ} differ")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
