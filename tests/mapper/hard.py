"""Nests made to be hard for isl, from a seed, and what mapping them may take at most, in the work
that `treefork map --counts` prints (the same on every machine).
Usage: hard.py TREEFORK FOLDER [SEED]. A limit is raised only with a reason in the commit."""
import os
import random
import re
import subprocess
import sys

tool, folder = sys.argv[1:3]
chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
FILE_MAX = 1.25e9    # what a file may take, and the operation during which isl is stopped
NAMES = ["p%d" % i for i in range(12)]


def form(depth, terms, far):
    iterators = chance.sample(range(depth), min(terms, depth))
    return " + ".join("%d * i%d" % (chance.randint(1, far), i) for i in iterators)


def statements(depth, count, axes, terms, far=3):
    def element():
        return "a" + "".join("[%s]" % form(depth, terms, far) for _ in range(axes))
    return "".join("        %s = %s + %d;\n" % (element(), element(), i) for i in range(count))


def nest(depth, bound, body):
    heads = "".join(
        "    for (int i%d = 0; i%d < %s; i%d++)\n" % (i, i, bound(i), i) for i in range(depth)
    )
    return heads + "    {\n" + body + "    }\n"


def least(texts):
    text = texts[0]
    for other in texts[1:]:
        text = "MIN(%s, %s)" % (text, other)
    return text


def function(name, axes, body):
    params = ", ".join("int " + param for param in ["n", "m"] + NAMES)
    return ("void %s(%s, double a[restrict 1000]%s)\n{\n#pragma scop\n%s#pragma endscop\n}\n" %
            (name, params, "[1000]" * (axes - 1), body))


def limits_of(i):
    return least([NAMES[(i + k) % 12] + (" + i%d" % (i - 1 - k) if k < i else "") for k in range(4)])


def factors_of(far):
    return lambda i: "%d * i%d + %d * n" % (chance.randint(1, far), i - 1, chance.randint(1, far)) if i else "m"


def calls():
    text = "static double h0(double x) { return x + 1; }\n"
    for i in range(1, 25):
        text += "static double h%d(double x) { return h%d(x) + h%d(x + 1); }\n" % (i, i - 1, i - 1)
    return text + function("calls", 1, "    for (int i = 0; i < n; i++)\n        a[i] = h24(a[i]);\n")


PROGRAMS = {
    "one_array": lambda: function("f", 3, nest(12, lambda i: "n", statements(12, 120, 3, 4))),
    "triangles": lambda: function("f", 3, nest(10, lambda i: "i%d + m" % (i - 1) if i else "n", statements(10, 20, 3, 5))),
    "terms": lambda: function("f", 2, nest(12, lambda i: " + ".join("%d * %s" % (i + 2, p) for p in NAMES),
                                           statements(12, 60, 2, 3))),
    "limits": lambda: function("f", 2, nest(10, limits_of, statements(10, 60, 2, 3))),
    "factors": lambda: function("f", 3, nest(8, factors_of(10 ** 9), statements(8, 8, 3, 4, 10 ** 9))),
    "fragments": lambda: "".join(function("f%d" % i, 2, nest(3, lambda i: "n", statements(3, 4, 2, 2))) for i in range(60)),
    "calls": calls,
}

over = 0
os.makedirs(folder, exist_ok=True)
for name, make in PROGRAMS.items():
    path = os.path.join(folder, name + ".c")
    with open(path, "w", encoding="utf-8") as file:
        file.write("#define MIN(a, b) ((a) < (b) ? (a) : (b))\n" + make())
    said = subprocess.run([tool, "map", "--counts", path], capture_output=True, text=True, check=False).stderr
    found = re.search(r"^count work (\d+)$", said, re.M)
    good = bool(found) and int(found.group(1)) <= FILE_MAX and "cannot be mapped" in said
    over += not good
    print("%s: %s" % (name, "within" if good else "work %s, at most %d" % (found and found.group(1), FILE_MAX)))
sys.exit(over > 0)
