#!/usr/bin/env python3
"""Random plain C that calls functions of loops: each mapped text leaves what its source leaves, as gcc compiles both.

Usage: random_calls.py BUILD [--count N] [--first SEED] [--keep FOLDER] [--all]

Each program has functions of loops (maps, stencils, sums, sweeps in place, matrices, functions that call others, parameters that
change, local arrays and scalars) and one that calls them: in a row, in a loop, under a condition, with arguments shifted, scaled
or given twice, results in expressions, some by macros. The gate has compared each text before it is printed; here gcc does, with arrays apart and
overlapping. Prints a line for each program that differs, and at the end how many there were, how many calls they make, how many
of these are loops now, and how many programs differ."""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZES = ((0, 0), (1, 1), (2, 2), (5, 1), (9, 3), (17, 2))
ROOM = 64


class Maker:
    """One program from a seed."""

    def __init__(self, number):
        self.rng = random.Random(number)
        self.number = number
        self.text = []
        self.vectors = []                # (name, kinds of parameters) of functions without a result
        self.results = []
        self.matrices = []
        self.is_apart = self.rng.random() < 0.5
        self.n_calls = 0

    def pick(self, *choices):
        return self.rng.choice(choices)

    def name(self, stem):
        return f"{stem}{len(self.text)}_{self.number}"

    def value(self, *names):
        e = self.pick(*names)
        for _ in range(self.rng.randrange(3)):
            e = self.pick(f"{e} + {self.pick(*names)}", f"({e}) * {self.pick('2', '0.5f', *names)}", f"{e} - {self.pick('1', *names)}",
                          f"(-{self.pick(*names)}) / ({e} * {e} + 3)")
        return e

    def vector_function(self):
        """y from x and a number, over i."""
        name, step = self.name("vector"), self.pick("+=", "=", "-=")
        body = self.pick(
            f"for (int i = 0; i < n; i++)\n        y[i] {step} {self.value('s', 'x[i]')};",
            f"for (int i = 1; i < n - 1; i++)\n        y[i] {step} {self.value('x[i - 1]', 'x[i + 1]', 's')};",
            f"int last = n - 1;\n    const float t = s * 2;\n    for (int i = 0; i <= last; i++) {{\n        float v = x[i];\n"
            f"        y[i] = {self.value('v', 't', 'y[i]')};\n    }}",
            f"s = s + 1;\n    for (int i = n - 1; i >= 0; i--)\n        y[i] = {self.value('x[i]', 's')};",
            f"for (int k = 0; k < 2; k++) {{\n        for (int i = 0; i < n; i++)\n            x[i] = {self.value('y[i]', 's')};\n"
            f"        for (int i = 0; i < n; i++)\n            y[i] = {self.value('x[i]', 'y[i]')};\n    }}",
            f"float t[{ROOM}];\n    for (int i = 0; i < n; i++)\n        t[i] = {self.value('x[i]', 's')};\n"
            f"    for (int i = 0; i < n; i++)\n        y[i] += t[n - 1 - i];",
            f"if (s > 1) {{\n        for (int i = 0; i < n; i++)\n            y[i] = x[i];\n    }}\n"
            f"    for (int i = 2; i < n; i++)\n        y[i] = y[i - 2] * {self.pick('0.5f', 's')};",
            f"float first = n > 0 ? x[0] : 0;\n    for (int i = 0; i < n; i++)\n        y[i] = {self.value('first', 'y[i]')};")
        self.text.append(f"static void {name}(int n, float s, float *x, float *y)\n{{\n    {body}\n}}\n")
        self.vectors.append(name)

    def result_function(self):
        name = self.name("result")
        body, back = self.pick(
            ("float r = 0;\n    for (int i = 0; i < n; i++)\n        r += x[i] * y[i];", "r"),
            ("float r = 1, q = 0;\n    for (int i = 0; i < n; i++) {\n        r += x[i];\n        q += y[i];\n    }", "r * 0.5f + q"),
            ("double r = 0;\n    for (int i = 0; i < n; i++)\n        r += x[i];", "r"),
            ("float r = 0;\n    for (int i = 0; i < n; i++)\n        if (x[i] > r)\n            r = x[i];", "r"))
        if self.results and self.rng.random() < 0.3:
            body, back = "", f"{self.pick(*self.results)}(n, x, x) + 1"
        body = f"    {body}\n" if body else ""
        self.text.append(f"static float {name}(int n, float *x, float *y)\n{{\n{body}    return {back};\n}}\n")
        self.results.append(name)

    def matrix_function(self):
        name = self.name("matrix")
        body = self.pick(
            "A[i][j] += x[j] * 0.5f;", "A[i][j] = x[i] + A[i][j];", "x[i] += A[i][j];", "x[j] += A[i][j] * s;", "A[i][j] *= s;")
        self.text.append(f"static void {name}(int m, int n, float s, float A[][n], float *x)\n{{\n    for (int i = 0; i < m; i++)\n"
                         f"        for (int j = 0; j < n; j++)\n            {body}\n}}\n")
        self.matrices.append(name)

    def outer_function(self):
        """A function that calls others."""
        name = self.name("outer")
        calls = "\n    ".join(f"{self.pick(*self.vectors)}({self.pick('n', 'n', 'n / 2')}, {self.pick('s', 's + 1', '2')}, "
                              f"{self.pick('x, y', 'y, x', 'x, x')});" for _ in range(2))
        self.text.append(f"static void {name}(int n, float s, float *x, float *y)\n{{\n    {calls}\n}}\n")
        self.vectors.append(name)

    def places(self):
        """A number of elements, and two places that have them."""
        less = self.pick(0, 0, 0, 1, 2)
        count = self.pick(f"n - {less}" if less else "n", f"n - {less}" if less else "n", "n / 2")
        array = self.pick("a", "b", "c")

        def place(name):
            shift = self.rng.randint(0, less)
            return self.pick(f"{name} + {shift}", f"&{name}[{shift}]") if shift else name
        return count, place(array), place(self.pick("a", "b", "c"))

    def call(self):
        """A statement that calls a function; macros write some of them."""
        line = self.plain_call()
        if self.rng.random() < 0.7:
            return line
        name, statement = f"macro{len(self.text)}_{self.number}", line[:-1]
        called = re.search(r"\b((?:vector|result|matrix|outer)\w+)\((.*?)\)(?= |;)", line)
        arguments = called[2].split(", ")
        names = ", ".join(f"a{i}" for i in range(len(arguments)))
        kind = self.rng.randrange(4)
        if kind == 0:
            self.text.append(f"#define {name}() {statement}")
            return f"{name}();"
        if kind == 1:
            self.text.append(f"#define {name}() do {{ {line} }} while (0)")
            return f"{name}();"
        if kind == 2:
            self.text.append(f"#define {name} {called[1]}")
            return line.replace(called[1], name)
        self.text.append(f"#define {name}({names}) {called[1]}({', '.join(f'(a{i})' for i in range(len(arguments)))})")
        return line.replace(called[1], name)

    def plain_call(self):
        self.n_calls += 1
        kind = self.rng.random()
        count, x, y = self.places()
        number = self.pick("2", "0.5f", "-1", "r", "r * 0.25f", "(float)n", "a[0]" if self.rng.random() < 0.3 else "r")
        if kind < 0.55:
            return f"{self.pick(*self.vectors)}({count}, {number}, {x}, {y});"
        if kind < 0.8:
            call = f"{self.pick(*self.results)}({count}, {x}, {y})"
            return self.pick(f"r = {call};", f"r = {call} / (1 + r * r);", f"r += {call};", f"r = r - {call} * 0.125f;")
        return f"{self.pick(*self.matrices)}(m, k, {number}, A, {self.pick('a', 'b', 'c')});"

    def host_lines(self, depth):
        lines = []
        for _ in range(self.rng.randint(1, 4 - depth)):
            kind = self.rng.random()
            if depth < 2 and kind < 0.2:
                iterator = self.pick("t", "i") + str(depth)
                iterator = "i" if depth == 0 and self.rng.random() < 0.5 else iterator
                lines += [f"for (int {iterator} = 0; {iterator} < rounds; {iterator}++) {{", *self.host_lines(depth + 1), "}"]
            elif depth < 2 and kind < 0.3:
                lines += [f"if (n > {self.rng.randrange(6)})", "    " + self.call()]
            elif kind < 0.45:
                e = self.value("a[i]", "b[i]", "r")
                lines += ["for (int i = 0; i < n; i++)", f"    {self.pick('a', 'c')}[i] = {e};"]
            else:
                lines.append(self.call())
        return ["    " * (depth + 1) + line if depth == 0 else "    " + line for line in lines]

    def program(self):
        for _ in range(self.rng.randint(1, 3)):
            self.vector_function()
        self.result_function()
        self.matrix_function()
        for _ in range(self.rng.randrange(3)):
            self.pick(self.outer_function, self.result_function, self.matrix_function)()
        kind = "*restrict " if self.is_apart else "*"
        lines = self.host_lines(0)
        self.text.append(f"float host_{self.number}(int n, int m, int k, int rounds, float {kind}a, float {kind}b, float {kind}c, "
                         f"float A[{'restrict ' if self.is_apart else ''}m][k])\n{{\n    float r = 0.5f;\n#pragma scop\n"
                         + "\n".join(lines) + "\n#pragma endscop\n    return r;\n}\n")
        return "\n".join(self.text)


def run(*words, **options):
    return subprocess.run(words, text=True, capture_output=True, check=False, **options)


def main_text(makers):
    """Runs all programs, apart and, where nothing says that arrays are, overlapping; prints what is left, by program."""
    out = ["#include <stdio.h>", "#include <string.h>", f"static float memory[5 * {ROOM} + {ROOM * ROOM}];", "int main(void)", "{"]
    for maker in makers:
        for n, rounds in SIZES:
            for shift in (ROOM,) if maker.is_apart else (ROOM, 1, 0):
                out += ["    {", f"        unsigned long sum = 0; int k = {max(n, 1)};",
                        "        for (int i = 0; i < (int)(sizeof memory / sizeof *memory); i++)",
                        "            memory[i] = (float)(i * 37 % 11) * 0.25f - 1;",
                        f"        float r = host_{maker.number}({n}, {n}, k, {rounds}, memory + 8, memory + 8 + {shift}, "
                        f"memory + 8 + {2 * shift}, (float (*)[k])(memory + 4 * {ROOM}));",
                        "        for (size_t i = 0; i < sizeof memory; i++)",
                        "            sum = sum * 31 + ((unsigned char *)memory)[i];",
                        f'        printf("{maker.number} {n} {rounds} {shift} %lx %a\\n", sum, r);', "    }"]
    return "\n".join(out) + "\n}\n"


def results_of(folder, stem, parts, makers):
    path = os.path.join(folder, f"{stem}.c")
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(parts) + main_text(makers))
    made = run("cc", "-w", "-std=gnu11", "-O1", "-ffp-contract=off", f"-I{ROOT}/runtime", path, "-o", f"{folder}/{stem}", "-lm")
    if made.returncode:
        sys.exit(made.stderr[:2000])
    return run(f"{folder}/{stem}").stdout.splitlines()


def calls_left(text, number):
    """Calls of the program's functions in its host."""
    host = text[text.index(f"host_{number}"):]
    return len(set(re.findall(rf"\b(?:vector|result|matrix|outer|macro)\d+_{number}\([^;]*;", host)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--all", action="store_true", help="files without marks, mapped by --all")
    options = parser.parse_args()
    treefork = os.path.join(options.build, "treefork")
    makers, sources, mapped, n_calls, n_left, n_wrong = [], [], [], 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or folder
        os.makedirs(folder, exist_ok=True)
        for number in range(options.first, options.first + options.count):
            maker = Maker(number)
            source = maker.program()
            if options.all:
                source = source.replace("#pragma scop\n", "").replace("#pragma endscop\n", "")
            path = os.path.join(folder, f"p{number}.c")
            with open(path, "w", encoding="ascii") as file:
                file.write(source)
            made = run(treefork, "map", path, *(["--all"] if options.all else []))
            is_refused = "cannot be mapped" in made.stderr or "nothing to map" in made.stderr
            if made.returncode and not is_refused or made.returncode not in (0, 1):
                print(f"{number} differs: {made.stderr.strip()[:400]}")
                n_wrong += 1
            if made.returncode:
                continue
            makers.append(maker)
            sources.append(source)
            mapped.append(made.stdout)
            n_calls += maker.n_calls
            n_left += calls_left(made.stdout, number)
        expected = results_of(folder, "source", sources, makers)
        got = results_of(folder, "mapped", mapped, makers)
    wrong = sorted({line.split()[0] for line, other in zip(expected, got) if line != other}, key=int)
    for number in wrong:
        print(f"{number} differs")
    n_wrong += len(wrong) + (len(expected) != len(got))
    print(f"{len(makers)} programs, {n_calls} calls, {n_calls - n_left} as loops, {n_wrong} differ")
    return n_wrong > 0


if __name__ == "__main__":
    sys.exit(main())
