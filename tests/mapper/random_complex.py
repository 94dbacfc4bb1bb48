"""Random functions of complex arithmetic: does the mapped text, as serial C, leave gcc's bits, with regions in all of it that the gate passed?

Usage: random_complex.py BUILD SEED COUNT"""
import os
import random
import subprocess
import sys
import tempfile

BUILD, SEED, COUNT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEAD = """#include <complex.h>
#include <stdio.h>
#include <string.h>
/* All bits, but that one NaN is as good as another. */
#define DIFFER(kind) static int differ_##kind(const void *x, const void *y) { const kind *p = x, *q = y; \\
    for (int i = 0; i < 48; i++) if (memcmp(&p[i], &q[i], sizeof *p) && (p[i] == p[i] || q[i] == q[i])) return 1; return 0; }
DIFFER(float) DIFFER(double)
"""


def number(depth, names):
    kind = random.randrange(10)
    if depth == 0 or kind < 2:
        return random.choice(names)
    a = number(depth - 1, names)
    if kind < 5:
        return f"({a} {random.choice('+-*')} {number(depth - 1, names)})"
    if kind < 7:
        by = f"/ {random.choice(['3', '2.5', 'r[i]', 'i', 'creal(a[i])'])}"
        return f"({a} {random.choice(['+ ', '- ', '* '])}{real(depth - 1, names)})" if kind == 5 else f"({a} {by})"
    if kind < 8:
        return f"({real(depth - 1, names)} {random.choice('+-*')} {a})"
    return random.choice(["conj({})", "(-{})", "(~{})"]).format(a)


def real(depth, names):
    if depth == 0 or random.random() < 0.5:
        return random.choice(["r[i]", "2", "0.5", "1.25f", "i"])
    return f"{random.choice(['creal', 'cimag', '__real__ '])}({number(depth - 1, names)})"


def function_body():
    names = ["a[i]", "b[i]", "b[i + 1]", "s", "I"]
    lines = [f"T complex t = {number(2, names)};"]
    names.append("t")
    for _ in range(random.randint(1, 3)):
        lines.append(f"{random.choice(['t', 'a[i]', 'b[i]'])} {random.choice(['', '+', '-', '*'])}= {number(2, names)};")
    if random.random() < 0.4:
        lines.append(f"if ({number(1, names)} != {number(1, names)}) t = {number(1, names)};")
    return "\n        ".join(lines + ["a[i] += t;"])


def texts():
    source, main, calls = "#include <complex.h>\n", HEAD, ""
    for k in range(COUNT):
        kind = random.choice(["float", "double"])
        parameters = f"int n, {kind} complex s, {kind} complex a[restrict n + 1], {kind} complex b[restrict n + 1], {kind} r[restrict n + 1]"
        body = function_body().replace("T complex", f"{kind} complex")
        source += f"void f{k}({parameters})\n{{\n    for (int i = 0; i < n; i++) {{\n        {body}\n    }}\n}}\n"
        main += f"void f{k}({parameters});\nvoid f{k}_source({parameters});\n"
        calls += (
            f"{{ {kind} complex a[2][24], b[2][24]; {kind} r[24];\n"
            "for (int s = 0; s < 2; s++) for (int i = 0; i < 24; i++) { a[s][i] = i % 5 - 2.3 + (i % 7 / 3.0) * I;"
            " b[s][i] = i % 3 / 7.0 - (i % 4 - 1.1) * I; r[i] = i / 3.0 + 1; }\n"
            f"f{k}(20, 0.3 - 0.7 * I, a[0], b[0], r); f{k}_source(20, 0.3 - 0.7 * I, a[1], b[1], r);\n"
            f'if (differ_{kind}(a[0], a[1]) || differ_{kind}(b[0], b[1])) wrong++, puts("f{k} differs"); }}\n'
        )
    return source, main + f"int main(void)\n{{\nint wrong = 0;\n{calls}printf(\"%d wrong\\n\", wrong);\nreturn wrong != 0;\n}}\n"


random.seed(SEED)
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, text in zip(("source.c", "main.c"), texts()):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    subprocess.run([os.path.join(BUILD, "treefork"), "map", "--all", "source.c", "-o", "mapped.c"], check=True)
    with open("mapped.c", encoding="utf-8") as file:
        parts = file.read().split("\nvoid f")[1:]
    regions = sum("meta_schedule" in part for part in parts)
    # gcc 12's vectors of two at -O2 round `b[i] += ~(t / 2.5)` of floats otherwise than its own -O0.
    flags = ["cc", "-w", "-O2", "-fno-tree-slp-vectorize", "-ffp-contract=off", "-I" + os.path.join(ROOT, "runtime")]
    subprocess.run([*flags, *(f"-Df{k}=f{k}_source" for k in range(COUNT)), "-c", "source.c"], check=True)
    subprocess.run([*flags, "main.c", "mapped.c", "source.o", "-lm", "-o", "both"], check=True)
    told = subprocess.run(["./both"], text=True, stdout=subprocess.PIPE, check=False).stdout
print(f"seed {SEED}: {regions} of {COUNT} functions have regions, {told.strip()}")
