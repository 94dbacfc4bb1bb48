#!/usr/bin/env python3
"""Random sequences of two to six loop nests: maps, stencils, sums along rows, columns and over everything, transposed reads.

Usage: random_sequences.py BUILD [--count N] [--first SEED] [--witness threads,cpu,device] [--keep FOLDER]

The nests read what earlier ones wrote, at the same point or at another, so that some of them may share a launch and others may
not. Half of the programs are marked as one fragment, half are left to `--all`. `treefork verify --all --reassociate` runs each:
every leaf on every witness beside the program as gcc compiles it, at sizes from 0 on. Prints a line for each program that
differs, and at the end how many there were, how many nests they had, how many regions these became, and how many differ."""
import argparse
import os
import random
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "mapper"))
import random_sums

SHAPES = {"x": ("n",), "y": ("m",), "A": ("m", "n"), "T": ("n", "m")}


class Maker:
    """One program from a seed."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.kind = self.pick("float", "double", "unsigned")
        self.lines, self.nests, self.scalars = [], 0, []
        self.names = {stem: [f"{stem}{k}" for k in range(2 if len(dims) == 2 else 3)] for stem, dims in SHAPES.items()}

    def pick(self, *choices):
        return self.rng.choice(choices)

    def two(self, stem):
        """Two arrays of a shape."""
        return self.rng.sample(self.names[stem], 2)

    def one(self, stem):
        return self.pick(*self.names[stem])

    def factor(self):
        """A number, a size or a sum that an earlier nest took."""
        return self.pick("2", "3", "n", *self.scalars)

    def nest(self, loops, body):
        for depth, (name, first, last) in enumerate(loops):
            self.lines.append("    " * (depth + 1) + f"for (int {name} = {first}; {name} < {last}; {name}++)")
        self.lines.append("    " * (len(loops) + 1) + body)
        self.nests += 1

    def square(self):
        loops = [("i", "0", "m"), ("j", "0", "n")]
        return loops if self.pick(True, True, False) else loops[::-1]

    def map_line(self):
        stem, end = self.pick(("x", "n"), ("y", "m"))
        to, of = self.two(stem)
        self.nest([("i", "0", end)],
                  self.pick(f"{to}[i] = {of}[i] * {self.factor()} + {self.one(stem)}[i];", f"{to}[i] += {of}[i];",
                            f"{to}[i] = {to}[i] > {of}[i] ? {of}[i] : {to}[i];", f"{to}[i] = {self.factor()};"))

    def stencil_line(self):
        stem, end = self.pick(("x", "n"), ("y", "m"))
        to, of = self.two(stem)
        self.nest([("i", "1", f"{end} - 1")], f"{to}[i] = {of}[i - 1] + {self.pick(f'{of}[i + 1]', f'{to}[i]')};")

    def map_square(self):
        to, of = self.two("A")
        self.nest(self.square(),
                  self.pick(f"{to}[i][j] = {of}[i][j] + {self.one('y')}[i] * {self.one('x')}[j];",
                            f"{to}[i][j] += {self.one('y')}[i] * {self.one('x')}[j];", f"{to}[i][j] = {of}[i][j] * {self.factor()};",
                            f"{to}[i][j] = {self.one('T')}[j][i];"))

    def stencil_square(self):
        to, of = self.two("A")
        self.nest([("i", "1", "m - 1"), ("j", "1", "n - 1")], f"{to}[i][j] = {of}[i - 1][j] + {of}[i][j + 1] - {of}[i][j];")

    def sum_rows(self):
        of, to = self.one("A"), self.one("y")
        self.start(to, "m")
        self.nest(self.square(), f"{to}[i] += {self.pick(f'{of}[i][j] * ' + self.one('x') + '[j]', f'{of}[i][j]')};")

    def sum_columns(self):
        of, to = self.one("A"), self.one("x")
        self.start(to, "n")
        self.nest(self.square(), f"{to}[j] += {self.pick(f'{of}[i][j] * ' + self.one('y') + '[i]', f'{of}[i][j] * 2')};")

    def start(self, name, end):
        """Perhaps a start of the sums, as a loop of its own."""
        if self.pick(True, True, False):
            self.nest([("k", "0", end)], f"{name}[k] = {self.pick('0', '0', '1')};")

    def sum_all(self):
        name = f"s{len(self.scalars)}"
        self.lines.append(f"    {self.kind} {name} = 0;")
        if self.pick(True, False):
            self.nest([("i", "0", "n")], f"{name} += {self.one('x')}[i] * {self.one('x')}[i];")
        else:
            self.nest(self.square(), f"{name} += {self.one('A')}[i][j];")
        self.scalars.append(name)

    def text(self):
        kinds = (self.map_line, self.map_line, self.stencil_line, self.map_square, self.map_square, self.stencil_square, self.sum_rows,
                 self.sum_rows, self.sum_columns, self.sum_columns, self.sum_all)
        for _ in range(self.rng.randint(2, 6)):
            self.rng.choice(kinds)()
        body = "\n".join(self.lines)
        # A name that is declared in a fragment and used behind it would keep the fragment from being read.
        starts = "".join(f"    {self.kind} {name} = 0;\n" for name in self.scalars)
        body = re.sub(r"^    (float|double|unsigned) (s\d+) = 0;", r"    \2 = 0;", body, flags=re.M)
        if self.pick(True, False):
            body = f"#pragma scop\n{body}\n#pragma endscop"
        ends = "".join(f"    out[{k}] = {name};\n" for k, name in enumerate(self.scalars))
        arguments = ["int n", "int m", f"{self.kind} out[restrict 8]"]
        for stem, dims in SHAPES.items():
            extents = "".join(f"[{dim}]" for dim in dims).replace("[", "[restrict ", 1)
            arguments += [f"{self.kind} {name}{extents}" for name in self.names[stem]]
        return f"void f({', '.join(arguments)})\n{{\n{starts}{body}\n{ends}}}\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--witness", default="threads,cpu")
    parser.add_argument("--keep")
    options = parser.parse_args()
    differ = nests = regions = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or folder
        os.makedirs(folder, exist_ok=True)
        for seed in range(options.first, options.first + options.count):
            path, maker = os.path.join(folder, f"sequence_{seed}.c"), Maker(seed)
            with open(path, "w", encoding="utf-8") as file:
                file.write(maker.text())
            wrong, _ = random_sums.program_check(options.build, path, options.witness)
            nests += maker.nests
            if os.path.exists(path + ".mapped.c"):
                with open(path + ".mapped.c", encoding="utf-8") as file:
                    regions += file.read().count("meta_schedule")
            if wrong is None or wrong:
                differ += 1
                print(f"{seed}: differs: {wrong}", flush=True)
    print(f"{options.count} programs, {nests} nests, {regions} regions, {differ} differ")
    sys.exit(1 if differ else 0)


main()
