"""Remainders of values below 0: what `treefork` takes a loop to touch, beside what C touches.

    python3 remainders.py BUILD [--seed N] [--count N]

Random loops have % in subscripts and in where they begin, of parameters, iterators, clamped values and data, added and subtracted. The extents that
`-d access` prints are C; a program evaluates them at small points, negative ones too, and runs the loops for what they touch:
an extent must reach as far at every point where the source reads and writes no place below 0, and where the loop is one of TIGHT no farther. The
same program compares the mapped text with the source. Ends with 1 if anything is wrong.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Ranges that are known exactly: what stands behind % has an end on either side of 0.
TIGHT = [
    "for (int i = 0; i < n; i++)\n        z[i] += x[9 - (i - 1) % 3];",
    "for (int i = 0; i < n; i++)\n        z[i] += x[9 + i - b % 3];",
    "for (int i = 0; i < n; i++)\n        z[i] += x[9 + (-1 - i) % 4];",
    "for (int i = 0; i < n; i++)\n        z[i] += x[9 - (y[i] < -1 ? -1 : y[i]) % 4];",
    "for (int i = 0; i < n; i++)\n        z[i] += x[9 + (y[i] > 2 ? 2 : y[i]) % 5];",
]
MAIN = """
#include <stdio.h>
#include <string.h>
#define meta_schedule
#define meta_for for
enum { ROOM = 80 };
typedef void loop(int n, int a, int b, int *z, const int *x, const int *y);
static int far, low;
static int note(int at) { far = at > far ? at : far; low = at < low ? at : low; return at; }
SOURCES
static int differs(loop *source, loop *mapped, int n, int a, int b, const int *y)
{
    int first[8] = {0}, second[8] = {0}, x[2 * ROOM];
    for (int i = 0; i < 2 * ROOM; i++)
        x[i] = i * i;
    source(n, a, b, first, x + ROOM, y);
    mapped(n, a, b, second, x + ROOM, y);
    return memcmp(first, second, sizeof first) != 0;
}
int main(void)
{
    static const struct { loop *seen, *source, *mapped; long (*extent)(int, int, int); int tight; } all[] = {TABLE};
    int y[] = {-7, 3, -1, 0, 6, -2, 5, 8, -9, 4}, wrong = 0, points = 0, exact = 0;
    for (int k = 0; k < (int)(sizeof all / sizeof *all); k++)
        for (int p = 0, bad = 0; p < 8 * 5 * 13 && !bad; p++) {
            int n = p % 8, a = p / 8 % 5, b = p / 40 - 6, z[8] = {0}, x[2 * ROOM] = {0};
            far = -1, low = 0;
            all[k].seen(n, a, b, z, x + ROOM, y);
            long extent = low < 0 ? 0 : all[k].extent(n, a, b);
            points += low >= 0;
            exact += low >= 0 && extent == far + 1;
            /* A range that no value of y reaches, or of a loop too short to reach it, is no fault. */
            bad = (low >= 0 && (extent <= far || (all[k].tight && n == 7 && extent != far + 1))) ||
                  differs(all[k].source, all[k].mapped, n, a, b, y);
            if (bad && ++wrong)
                printf("loop %d at n = %d, a = %d, b = %d: touches %d, extent %ld\\n", k, n, a, b, far + 1, extent);
        }
    printf("%d points, %d exact, %d wrong\\n", points, exact, wrong);
    return wrong != 0;
}
"""


def remainder(rng, iterators):
    value = rng.choice(["b", "a - 3", "b + a", "-b"] + [f"{i} - {c}" for i in iterators for c in (1, 2)] +
                       [f"{c} - {i}" for i in iterators for c in (0, 2)] + [f"b - {i}" for i in iterators] +
                       ["(y[i] < -2 ? -2 : y[i])", "(y[i] > 3 ? 3 : y[i])"])
    literal = rng.randint(2, 5)
    if rng.random() < 0.15:
        return f"({value} & {rng.choice([1, 3])})"
    return f"({value}) % {literal}" if value[0] != "(" else f"{value} % {literal}"


def loop(rng):
    two = rng.random() < 0.5
    iterators = ["i", "j"] if two else ["i"]
    place = " ".join(["8"] + [f"+ {rng.choice([1, 1, 2])} * {i}" for i in iterators])
    if rng.random() < 0.7:
        place += rng.choice([" + ", " - ", " - ", " + 2 * ", " - 2 * "]) + remainder(rng, iterators)
    body = f"z[i] += x[{place}];"
    if not two:
        return f"for (int i = 0; i < n; i++)\n        {body}"
    step = rng.choice([1, 2, 2, 3])
    begin = f"{rng.randint(0, 3)} {rng.choice('+-')} {remainder(rng, ['i'])}"
    if step > 1 and rng.random() < 0.6:
        begin = re.sub(r"% \d+", f"% {step}", begin)
    begin = rng.choice([begin, begin, "0"])
    bound = rng.choice(["a", "a + 2", f"a + {remainder(rng, ['i'])}"])
    return f"for (int i = 0; i < n; i++)\n        for (int j = {begin}; j < {bound}; j += {step})\n            {body}"


HEAD = "(int n, int a, int b, int *restrict z, const int *restrict x, const int y[restrict 10])"


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return done.stdout


def extents(build, path):
    """The regions' extents of x by function, the greatest where it has several; None: some region has no known one."""
    found = {}
    for k, text in enumerate(path):
        name = os.path.join(os.path.dirname(text), f"loop{k}.c")
        done = subprocess.run([f"{build}/treefork", "-d", "access", name], capture_output=True, text=True)
        found[k] = re.findall(r"^extent of x: (.*)$", done.stdout, re.M)
        if any("unknown" in e for e in found[k]) or re.search(r"\b[ij]\b", "".join(found[k])):
            found[k] = []
        found[k] = [re.sub(r"\bB\d", "3", e) for e in found[k]]
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--count", type=int, default=60)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    loops = TIGHT + [loop(rng) for _ in range(options.count)]
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, f"loop{k}.c") for k in range(len(loops))]
        for k, text in enumerate(loops):
            with open(names[k], "w") as file:
                file.write(f"void f{k}{HEAD}\n{{\n#pragma scop\n    {text}\n#pragma endscop\n}}\n")
        known = extents(options.build, names)
        sources, table, regions = [], [], 0
        for k, text in enumerate(loops):
            done = subprocess.run([f"{options.build}/treefork", "map", names[k]], capture_output=True, text=True)
            if done.returncode and "nothing bounds" not in done.stderr and "no loop" not in done.stderr:
                sys.exit(f"{text}: {done.stderr}")
            mapped = done.stdout if not done.returncode else f"void f{k}{HEAD} {{ {text} }}"
            mapped = mapped.replace(f"void f{k}", f"static void m{k}")
            seen = re.sub(r"\bx\[((?:[^][]|\[i\])*)\]", r"x[note(\1)]", text)
            bounds = [f"({e})" for e in known[k]]
            regions += bool(bounds)
            sources += [f"static void f{k}{HEAD} {{ {text} }}\nstatic void s{k}{HEAD} {{ {seen} }}",
                        mapped.replace("#include <metafork.h>", "#define meta_tunable(x) 3"),
                        "#undef meta_tunable",
                        f"static long e{k}(int n, int a, int b) {{ long most = 0, own; (void)n, (void)a, (void)b;"]
            sources += [f"own = {e}; most = own > most ? own : most;" for e in bounds]
            sources += ["return most; }" if bounds else "return 1000; }"]
            table.append(f"{{s{k}, f{k}, m{k}, e{k}, {int(k < len(TIGHT))}}}")
        path = os.path.join(folder, "main.c")
        with open(path, "w") as file:
            file.write(MAIN.replace("SOURCES", "\n".join(sources)).replace("TABLE", ", ".join(table)))
        run(["cc", "-w", "-O1", "-o", path[:-2], path])
        done = subprocess.run([path[:-2]], capture_output=True, text=True)
        for line in done.stdout.splitlines():
            print(line)
            wrong = re.match(r"loop (\d+) ", line)
            if wrong:
                print("   ", loops[int(wrong[1])])
        print(f"{len(loops)} loops, {regions} of them with extents")
        return done.returncode


if __name__ == "__main__":
    sys.exit(main())
