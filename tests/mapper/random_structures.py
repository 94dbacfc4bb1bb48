#!/usr/bin/env python3
"""Random plain C whose loops call functions that get and return structures: each mapped text leaves what its source leaves.

Usage: random_structures.py BUILD [--count N] [--first SEED] [--keep FOLDER] [--device]

Structures have two to four members of one type or of several. Functions set members one by one, by lists in order or by name, return
early, choose, change their parameters, call each other. Loops assign whole structures, declare them in the block or ahead, several
at once, take members of results, and use results in conditions. Each text is what `treefork map --all` makes, compiled by gcc
beside its source; with --device also what `treefork build --all` makes, run on the default device. Prints a line for each program
that differs, and at the end how many there were, how many loops they had, how many regions these became, and how many differ."""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
N = 67


class Maker:
    """One program from a seed."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.names = ["x", "y", "z", "w"][:self.rng.randint(2, 4)]
        one = self.pick("float", "double", "int")
        kinds = [one] * len(self.names)
        if self.rng.random() < 0.2:
            kinds = [self.pick("float", "int", "short", "unsigned char", "double") for _ in self.names]
        self.types = dict(zip(self.names, kinds))
        self.makers, self.takers = [], []    # functions that return a structure, and a number: (name, kinds of parameters)

    def pick(self, *choices):
        return self.rng.choice(choices)

    def number(self, structures, numbers, depth=0):
        """An expression whose value is small."""
        kind = self.rng.randrange(8 if depth < 2 else 3)
        if kind < 2:
            return f"{self.pick(*structures)}.{self.pick(*self.names)}" if structures else self.pick(*numbers)
        if kind == 2:
            return self.pick("1", "2", "3", *numbers)
        a, b = (self.number(structures, numbers, depth + 1) for _ in range(2))
        if kind == 6 and self.takers:
            name, takes = self.pick(*self.takers)
            return f"{name}({self.arguments(takes, structures, numbers)})" if structures else a
        return self.pick(f"{a} + {b}", f"({a} - {b})", f"({a}) * 2", f"({a} > {b} ? {a} : {b})", f"({a} + 1) / 2")

    def whole(self, structures, numbers, depth=0):
        """An expression that is a structure."""
        kind = self.rng.randrange(6 if depth < 2 else 2)
        if kind >= 2 and self.makers:
            name, takes = self.pick(*self.makers)
            return f"{name}({self.arguments(takes, structures, numbers, depth + 1)})"
        return self.pick(*structures)

    def arguments(self, takes, structures, numbers, depth=1):
        return ", ".join(self.whole(structures, numbers, depth) if take == "V" else self.number(structures, numbers, 1)
                         for take in takes)

    def condition(self, structures, numbers):
        return f"{self.number(structures, numbers, 1)} {self.pick('<', '>', '==', '<=')} {self.number(structures, numbers, 1)}"

    def steps(self, own, structures, numbers):
        """Statements that change members of a variable."""
        lines = []
        for _ in range(self.rng.randint(1, 3)):
            value = self.number(structures, numbers)
            line = f"{own}.{self.pick(*self.names)} {self.pick('=', '=', '+=', '-=')} {value};"
            kind = self.rng.randrange(6)
            if kind == 0:
                line = f"if ({self.condition(structures, numbers)}) {line}"
            elif kind == 1:
                line = f"if ({self.condition(structures, numbers)}) {{ {line} {own}.{self.names[0]} += 1; }} else {own}.{self.names[1]} = {self.pick('1', *numbers)};"
            elif kind == 2:
                line = f"{own}.{self.pick(*self.names)}++;"
            lines.append(line)
        return lines

    def values(self, structures, numbers):
        if self.rng.random() < 0.5:
            return "{ " + ", ".join(self.number(structures, numbers) for _ in self.names[:self.rng.randint(1, 4)]) + " }"
        some = self.rng.sample(self.names, self.rng.randint(1, len(self.names)))
        return "{ " + ", ".join(f".{name} = {self.number(structures, numbers)}" for name in some) + " }"

    def function(self, k):
        takes = [self.pick("V", "V", "k") for _ in range(self.rng.randint(1, 3))]
        structures = [f"p{i}" for i, take in enumerate(takes) if take == "V"]
        numbers = [f"p{i}" for i, take in enumerate(takes) if take != "V"] or ["5"]
        head = ", ".join(f"{'V' if take == 'V' else self.pick('int', 'float') if take == 'k' else take} p{i}" for i, take in enumerate(takes))
        lines = []
        own = self.pick(*structures) if structures and self.rng.random() < 0.4 else None
        if own is None:
            own = "r"
            if structures and self.rng.random() < 0.5:
                lines.append(f"V r = {self.pick(*structures)};")
            elif self.rng.random() < 0.5:
                lines.append(f"V r = {self.values(structures, numbers)};")
            else:
                lines.append("V r;")
                lines += [f"r.{name} = {self.number(structures, numbers)};" for name in self.names]
            structures = structures + ["r"]
        if self.rng.random() < 0.3:
            lines.append(f"float t = {self.number(structures, numbers)};")
            numbers = numbers + ["t"]
        lines += self.steps(own, structures, numbers)
        gives_number = self.rng.random() < 0.3
        if self.rng.random() < 0.3:
            early = self.number(structures, numbers) if gives_number else self.whole(structures, numbers)
            lines.append(f"if ({self.condition(structures, numbers)}) return {early};")
            lines += self.steps(own, structures, numbers)
        if gives_number:
            result, back = "float", self.number(structures, numbers)
        else:
            result = "V"
            back = self.pick(own, own, f"(V){self.values(structures, numbers)}",
                             f"{self.condition(structures, numbers)} ? {own} : {self.pick(*structures)}")
        name = f"f{k}"
        (self.takers if gives_number else self.makers).append((name, takes))
        return f"static {result} {name}({head})\n{{\n    " + "\n    ".join(lines + [f"return {back};"]) + "\n}\n"

    def loop(self, k):
        element = self.pick("a[i]", "b[i]", "c[i]")
        structures, numbers = ["a[i]", "b[i]"], ["i % 5", "s"]
        lines, ahead = [], ""
        kind = self.rng.randrange(5)
        if kind == 0:
            lines.append(f"V t = {self.whole(structures, numbers)};")
        elif kind == 1:
            lines.append(f"V t = {self.whole(structures, numbers)}, u = {self.whole(structures + ['t'], numbers)};")
        elif kind == 2:
            ahead = "V t; "
            lines += [f"t.{name} = {self.number(structures, numbers)};" for name in self.names]
        elif kind == 3:
            ahead = "V t; "
            lines.append(f"t = {self.whole(structures, numbers)};")
        if kind < 4:
            structures = structures + ["t"]
            if self.rng.random() < 0.5:
                lines.append(f"t = {self.whole(structures, numbers)};")
        if self.rng.random() < 0.3:
            lines.append(f"if ({self.condition(structures, numbers)}) {element} = {self.whole(structures, numbers)};")
        if self.rng.random() < 0.5:
            lines.append(f"d[i] = {self.number(structures, numbers)};")
        lines.append(f"{element} = {self.whole(structures, numbers)};")
        body = "\n        ".join(lines)
        return (f"void g{k}(int n, float s, V *restrict a, V *restrict b, V *restrict c, float *restrict d)\n{{\n    int i; {ahead}\n"
                f"    for (i = 0; i < n; i++) {{\n        {body}\n    }}\n}}\n")

    def program(self):
        text = "typedef struct { " + " ".join(f"{kind} {name};" for name, kind in self.types.items()) + " } V;\n"
        text += "".join(self.function(k) for k in range(self.rng.randint(2, 4)))
        self.n_loops = self.rng.randint(2, 4)
        return text + "".join(self.loop(k) for k in range(self.n_loops))

    def main(self):
        """Prints the bits of all members after each function."""
        shows = " ".join(f'printf("%.17g ", (double)v[k][i].{name});' for name in self.names)
        calls = "\n".join(f"    for (n = 0; n < {N}; n += 33) {{ fill(); g{k}(n, 1.5f, v[0], v[1], v[2], d); show(); }}"
                          for k in range(self.n_loops))
        fills = " ".join(f"v[k][i].{name} = (i * {3 + j} + k * 5) % 11 - {'0' if 'char' in kind else '4'};"
                         for j, (name, kind) in enumerate(self.types.items()))
        return f"""#include <stdio.h>
static V v[3][{N}]; static float d[{N}];
static void fill(void) {{ for (int k = 0; k < 3; k++) for (int i = 0; i < {N}; i++) {{ {fills} d[i] = i; }} }}
static void show(void) {{ for (int k = 0; k < 3; k++) for (int i = 0; i < {N}; i++) {{ {shows} printf("%.9g ", d[i]); }} puts(""); }}
int main(void)
{{
    int n;
{calls}
    return 0;
}}
"""


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False, text=True, **more)


def output(sources, folder, name, libraries=()):
    flags = ["gcc", "-std=gnu11", "-O2", "-w", "-ffp-contract=off", "-fwrapv", f"-I{ROOT}/runtime", f"-I{folder}"]
    made = run([*flags, "-o", f"{folder}/{name}", *sources, *libraries, "-lm"])
    return run([f"{folder}/{name}"]).stdout if made.returncode == 0 else "no C: " + made.stderr[:600]


def check(seed, build, keep, device):
    """The number of loops and regions, and what differs."""
    maker = Maker(seed)
    text, main = maker.program(), maker.main()
    with tempfile.TemporaryDirectory() as temporary:
        folder = keep or temporary
        source, mapped = f"{folder}/s{seed}.c", f"{folder}/s{seed}_mapped.c"
        with open(source, "w", encoding="utf-8") as file:
            file.write(text + main)
        wanted = output([source], folder, "source")
        if not wanted or wanted.startswith("no C"):
            return maker.n_loops, 0, f"the source is {wanted or 'silent'}"
        made = run([f"{build}/treefork", "map", "--all", source, "-o", mapped])
        if made.returncode and "nothing to map" not in made.stderr and "no loop" not in made.stderr:
            return maker.n_loops, 0, "not mapped: " + made.stderr[:600]
        if made.returncode:
            return maker.n_loops, 0, None
        with open(mapped, encoding="utf-8") as file:
            regions = len(re.findall(r"\bmeta_schedule\b", file.read()))
        wrong = None if output([mapped], folder, "mapped") == wanted else "as mapped C"
        if device and not wrong:
            built = run([f"{build}/treefork", "build", "--all", source, "-o", f"{folder}/out"])
            if built.returncode:
                return maker.n_loops, regions, "not built: " + built.stderr[:600]
            libraries = [f"{build}/libtreefork.a", "-ldl", "-lpthread"]
            os.environ["TREEFORK_IN_PLACE"] = "0"
            parts = [f"{folder}/out/{name}" for name in os.listdir(f"{folder}/out") if name.endswith(".c")]
            wrong = None if output(parts, f"{folder}/out", "built", libraries) == wanted else "on the device"
    return maker.n_loops, regions, wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--device", action="store_true")
    args = parser.parse_args()
    loops = regions = differ = 0
    for seed in range(args.first, args.first + args.count):
        own_loops, own_regions, wrong = check(seed, args.build, args.keep, args.device)
        loops, regions = loops + own_loops, regions + own_regions
        if wrong:
            differ += 1
            print(f"{seed} differs: {wrong}")
    print(f"{args.count} programs, {loops} loops, {regions} regions, {differ} differ")
    return differ > 0


sys.exit(main())
