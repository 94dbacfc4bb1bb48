#!/usr/bin/env python3
"""Random plain C run without a device: what stands in place of launches, by three threads of OpenMP. Programs have sums
(random_sums.py) with maps beside them, or maps alone, by turns.

Usage: random_in_place.py BUILD [--count N] [--first SEED] [--keep FOLDER]

Each program is built with --all --reassociate, its host file compiled with -fopenmp and TREEFORK_SHARE=1, and called beside the source
with numbers so small that every order gives the same sums. Prints a line for each program whose results differ."""
import argparse
import os
import re
import sys
import tempfile

from random_sums import ROOT, Maker, run

class Beside(Maker):
    """Maps beside the sums, which share blocks, too: of one axis, of two, and a loop of each thread."""

    def map(self):
        kind = self.pick("int", "float", "double")
        x, y, z = self.array(kind, ["n"]), self.array(kind, ["n"], False), self.array(kind, ["m", "n"], False)
        self.line(1, "for (int i = 0; i < n; i++) {")
        self.line(2, f"{y}[i] = {x}[i] + {x}[i ? i - 1 : 0];")
        self.line(2, f"for (int k = 0; k < m; k++) {y}[i] = {self.pick(f'{y}[i] + {x}[k < n ? k : 0]', f'{y}[i] * 2 - k')};")
        self.line(1, "}")
        self.line(1, "for (int j = 0; j < m; j++)")
        self.line(2, f"for (int i = 0; i < n; i++) {z}[j][i] = {x}[i] - j;")

    def text(self):
        self.pick(self.map, self.flat)()
        return super().text()


class Maps(Maker):
    """Maps alone: stencils, shifted and strided, of one to three axes, with conditions, loops of a thread whose bounds the host
    knows or not, triangles, steps of a loop of the host, names that a nest's points have for themselves."""

    def line_of(self, kind):
        x, y = self.array(kind, ["n"]), self.array(kind, ["n"], False)
        i = self.pick("i", "n - 1 - i")
        self.line(1, f"for (i = {self.pick('0', '1', '2')}; i < n{self.pick('', ' - 1')}; i++) {{")
        self.line(2, f"t = {x}[{i}] + i;")
        self.line(2, self.pick(f"if (t > 0) {y}[i] = t; else {y}[i] = 2 * t;", f"{y}[{i}] = t * t;", f"{y}[i] = i % 3 ? t : {y}[i];"))
        self.line(1, "}")

    def plane_of(self, kind):
        x, y = self.array(kind, ["m", "n"]), self.array(kind, ["m", "n"], False)
        self.line(1, "for (j = 1; j < m - 1; j++)")
        self.line(2, f"for (i = 1; i < n - 1; i{self.pick('++', ' += 2')})")
        self.line(3, f"{y}[j][i] = {x}[j][i - 1] + {x}[j][i + 1] - {self.pick(f'{x}[j - 1][i]', f'{x}[j + 1][i]', 'j')};")

    def space_of(self, kind):
        y = self.array(kind, ["m", "7", "n"], False)
        self.line(1, "for (j = 0; j < m; j++)")
        self.line(2, "for (k = 0; k < 7; k++)")
        self.line(3, f"for (i = {self.pick('0', 'k')}; i < n; i++)")
        self.line(4, f"{y}[j][k][i] = {y}[j][k][i] * 2 - {self.pick('i', 'j * k')};")

    def rounds_of(self, kind):
        x, y = self.array(kind, ["m", "n"]), self.array(kind, ["n"], False)
        self.line(1, "for (i = 0; i < n; i++) {")
        self.line(2, "t = 0;")
        self.line(2, f"for (k = 0; k < {self.pick('m', 'm', '(i % 5 < m ? i % 5 : m)', 'm - 1')}; k++)")
        self.line(3, self.pick(f"t += {x}[k][i];", f"t = t / 2 + {x}[k][i] * k;", f"if ({x}[k][i] > t) t = {x}[k][i];"))
        self.line(2, f"{y}[i] = t;")
        self.line(1, "}")

    def steps_of(self, kind):
        x, y = self.array(kind, ["n"], False), self.array(kind, ["n"], False)
        self.line(1, "for (k = 0; k < 3; k++) {")
        self.line(2, f"for (i = 1; i < n - 1; i++) {x}[i] = {y}[i - 1] + {y}[i + 1] - {y}[i];")
        self.line(2, f"for (i = 1; i < n - 1; i++) {y}[i] = {x}[i] - k;")
        self.line(1, "}")

    def text(self):
        kind = self.pick("int", "float", "double", "long")
        for _ in range(self.pick(1, 2, 3)):
            self.pick(self.line_of, self.plane_of, self.space_of, self.rounds_of, self.steps_of)(kind)
        body = "\n".join(self.lines)
        return f"void f({', '.join(self.arguments)})\n{{\n    int i, j, k;\n    {kind} t;\n{body}\n}}\n"


CALLS = ((0, 2), (1, 1), (37, 5), (5000, 3))
MAIN = """#include <stdio.h>
#include <stdlib.h>
%(head)s;
#define FILL(type, name, count) \\
    type *name = malloc(((size_t)(count) + 1) * sizeof *name); \\
    for (size_t e = 0; e <= (size_t)(count); e++) \\
        name[e] = (type)(int)((e * 2654435761u >> 7) %% 7 - (sizeof #type == sizeof "unsigned" ? 0 : 3))
#define SHOW(name, count) \\
    for (size_t e = 0; e < (size_t)(count); e++) \\
        sum = sum * 31 + (unsigned long)(long)(name[e] * 4)
int main(void)
{
    static const int calls[][2] = {%(calls)s};
    for (int k = 0; k < %(n)d; k++) {
        const int n = calls[k][0], m = calls[k][1];
        unsigned long sum = 0;
%(fills)s
        f(%(names)s);
%(shows)s
        printf("%%lu\\n", sum);
    }
    return 0;
}
"""


def main_of(text):
    """A program that calls f: its arrays are those of its head."""
    head = re.search(r"void f\(.*?\)", text, re.S).group(0)
    fills, shows, names = [], [], []
    for argument in head[len("void f("):-1].split(", "):
        kind, name, dims = re.match(r"(?:const )?(\w+) (\w+)(.*)", argument).groups()
        names.append(name)
        if not dims:
            continue
        count = " * ".join(["1", *re.findall(r"\[(\w+)\]", dims)])
        fills.append(f"        FILL({kind}, {name}, {count});")
        names[-1] = f"(void *){name}"
        if not argument.startswith("const"):
            shows.append(f"        SHOW({name}, {count});")
    calls = ", ".join(f"{{{n}, {m}}}" for n, m in CALLS)
    return MAIN % {"head": head, "calls": calls, "n": len(CALLS), "fills": "\n".join(fills), "names": ", ".join(names),
                   "shows": "\n".join(shows)}


def output(command):
    environment = dict(os.environ, TREEFORK_OPENCL_DRIVER="none", TREEFORK_CUDA_DRIVER="none", TREEFORK_QUIET="1", OMP_NUM_THREADS="3")
    done = run(command, env=environment)
    return done.stdout if not done.returncode else f"{command[0]}: {done.returncode}: {done.stderr[-300:]}"


def program_check(build, folder, seed):
    """What is wrong ("" if nothing is); how many regions have sums in place, None if nothing is mapped."""
    stem = os.path.join(folder, f"place_{seed}")
    text = (Maps if seed % 2 else Beside)(seed).text()
    for name, content in ((stem + ".c", text), (stem + ".main.c", main_of(text))):
        with open(name, "w", encoding="utf-8") as file:
            file.write(content)
    built = run([os.path.join(build, "treefork"), "build", stem + ".c", "--all", "--reassociate", "-o", stem])
    if "nothing to map" in built.stderr or built.returncode:
        return "", None
    host = os.path.join(stem, f"place_{seed}.tf.c")
    plain = ["gcc", "-std=gnu11", "-O2", "-w", stem + ".main.c"]
    for command in ([*plain, stem + ".c", "-o", stem + ".source"],
                    [*plain, "-fopenmp", "-DTREEFORK_SHARE=1", "-I", os.path.join(ROOT, "runtime"), host,
                     os.path.join(build, "libtreefork.a"), "-o", stem + ".place", "-lm", "-ldl", "-lpthread"]):
        done = run(command)
        if done.returncode:
            return done.stderr.splitlines()[0], 0
    with open(host, encoding="utf-8") as file:
        places = len(re.findall(r"\.serial = ", file.read()))
    source, place = output([stem + ".source"]), output([stem + ".place"])
    return "" if source == place else f"{source.split()} and {place.split()}", places


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    differ = places = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or folder
        os.makedirs(folder, exist_ok=True)
        for seed in range(options.first, options.first + options.count):
            wrong, found = program_check(options.build, folder, seed)
            places += found or 0
            if wrong:
                differ += 1
                print(f"{seed}: differs: {wrong}", flush=True)
    print(f"{options.count} programs, {places} regions in place, {differ} differ")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
