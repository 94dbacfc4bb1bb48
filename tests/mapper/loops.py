"""The answers of `map --loops` and `--why-not` against brute force: random nests of loops that write one array, whose
iterations are counted out.

    python3 loops.py BUILD [SEED] [COUNT]

A loop is independent if no two of its iterations touch one element, one of them writing, with the loops around it at the same
iteration. The two iterations of an answer must run, must touch the element that it names, and must differ in that loop alone
among it and the loops around it; a read must get the value of the write. Ends with 1 if something differs."""
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile

NAMES = "ijk"
MOST = 6          # the values of n that are counted out


def form_text(form, names):
    words = [f"{factor} * {name}" if factor != 1 else name for factor, name in zip(form[:-1], names) if factor]
    return " + ".join(words + [str(form[-1])])


def value(form, point):
    return sum(f * p for f, p in zip(form, point)) + form[-1]


class Nest:
    """for i: for j: ...: statements, each a[f] = a[g] + 1, a[f] += 1 or a[f] = b[n], at some depth of the nest."""

    def __init__(self, rng):
        self.depth = rng.choice([1, 2, 2, 3])
        self.names = NAMES[:self.depth]
        self.triangle = [level > 0 and rng.random() < 0.3 for level in range(self.depth)]
        self.lines = ["void f(int n, int a[restrict 100], const int b[restrict 100])", "{", "#pragma scop"]
        self.loop_lines, self.statements = [], []
        for level in range(self.depth):
            upper = self.names[level - 1] + " + 1" if self.triangle[level] else "n"
            name = self.names[level]
            self.lines.append("    " * (level + 1) + f"for (int {name} = 0; {name} < {upper}; {name}++) {{")
            self.loop_lines.append(len(self.lines))
            last = level + 1 == self.depth
            for _ in range(rng.choice([1, 2]) if last else rng.choice([0, 0, 1])):
                self.add(rng, level + 1)
        self.lines += ["    " * (level + 1) + "}" for level in reversed(range(self.depth))] + ["#pragma endscop", "}"]

    def add(self, rng, depth):
        write = [rng.choice([0, 0, 1, 1, 2]) for _ in range(depth)] + [rng.randrange(3)]
        read = [rng.choice([0, 0, 1, 1, 2]) for _ in range(depth)] + [rng.randrange(3)]
        kind = rng.choice(["update", "copy", "read", "read"])
        text = f"a[{form_text(write, self.names)}] "
        text += {"update": "+= 1;", "copy": "= b[n];", "read": f"= a[{form_text(read, self.names)}] + 1;"}[kind]
        self.lines.append("    " * (depth + 1) + text)
        self.statements.append((depth, len(self.lines), write, {"update": write, "copy": None, "read": read}[kind]))

    def instances(self, n):
        """(statement, point) in the order in which they run."""
        def below(level, point):
            for number, statement in enumerate(self.statements):
                if statement[0] == level:
                    yield number, point
            if level < self.depth:
                for x in range(point[level - 1] + 1 if self.triangle[level] else n):
                    yield from below(level + 1, point + (x,))
        for number, point in below(0, ()):
            yield self.statements[number], point

    def blocked(self):
        """By loop: does a pair of its iterations meet?"""
        result = [False] * self.depth
        touched = []
        for statement, point in self.instances(MOST):
            if statement[3]:
                touched.append((point, value(statement[3], point), False))
            touched.append((point, value(statement[2], point), True))
        for (p, e, w), (q, g, v) in itertools.combinations(touched, 2):
            level = next((k for k in range(min(len(p), len(q))) if p[k] != q[k]), None)
            if e == g and (w or v) and level is not None:
                result[level] = True
        return result

    def is_right(self, level, answer):
        """Each witness of a `--why-not`."""
        heads = re.findall(r"line (\d+) (writes|reads) .*?, which a later iteration (reads|overwrites|writes again)(?: as \S.*?)?(?: in line (\d+))?$",
                           answer, re.M)
        found = re.findall(r"with n = (\d+): (.*) (?:writes|reads) a\[(\d+)\], and (.*) (?:writes|reads|overwrites) it", answer)
        if len(heads) != len(found) or not found:
            return False
        return all(self.meets(level, head, one) for head, one in zip(heads, found))

    def meets(self, level, head, one):
        first_line, second_line = int(head[0]), int(head[3] or head[0])
        n, element = int(one[0]), int(one[2])
        points = [tuple(int(x) for x in re.findall(r"= (\d+)", text)) for text in (one[1], one[3])]
        runs = [(s, p) for s, p in self.instances(n)]
        at = [next((i for i, (s, p) in enumerate(runs) if s[1] == line and p == point), None)
              for line, point in zip((first_line, second_line), points)]
        if None in at or at[0] >= at[1] or points[0][:level] != points[1][:level] or points[0][level] == points[1][level]:
            return False
        sides = [2 if head[1] == "writes" else 3, 3 if head[2] == "reads" else 2]
        if any(value(runs[i][0][side], runs[i][1]) != element for i, side in zip(at, sides)):
            return False
        between = [value(s[2], p) for s, p in runs[at[0] + 1:at[1]]]
        return sides != [2, 3] or element not in between


def main():
    build = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**6)
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 300 if os.environ.get("TEST_SCALE") == "full" else 10
    tool, rng, wrong, answers, free = os.path.join(build, "treefork"), random.Random(seed), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            nest = Nest(rng)
            path = os.path.join(folder, f"nest{number}.c")
            with open(path, "w") as out:
                out.write("\n".join(nest.lines) + "\n")
            listed = subprocess.run([tool, "map", "--no-sums", "--loops", path], capture_output=True, text=True).stdout
            for level, (line, blocked) in enumerate(zip(nest.loop_lines, nest.blocked())):
                said = re.search(rf":{line}: +?\s*{nest.names[level]}: (not )?independent", listed)
                good = bool(said) and bool(said.group(1)) == blocked
                if good and blocked:
                    answer = subprocess.run([tool, "map", "--no-sums", "--why-not", f"{line}:{nest.names[level]}", path],
                                            capture_output=True, text=True).stdout
                    good = nest.is_right(level, answer)
                    answers += 1
                free += not blocked
                if not good:
                    wrong += 1
                    print("\n".join(nest.lines), f"\nseed {seed}, loop of line {line}, blocked: {blocked}\n{listed}")
    print(f"seed {seed}: {answers} loops with right witnesses, {free} independent ones, {wrong} wrong answers")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
