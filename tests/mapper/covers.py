"""Judges the covers that `treefork map --covers` lists by brute force.

covers.py BUILD [--count N] [--seed S] writes random sequences of nests over maps, stencils, transposed reads and sums of
whole numbers, asks for their covers, and traces the iterations of the source at small sizes. A cover is legal if its regions
come in the order of all dependences between them, and if the loops of each region can be axes, or run at the first or last
point of one, so that every dependence inside stays at one point, but between accumulations; a plain store may come first, or
a plain read last, of what is accumulated. The two iterations that keep two nests apart must touch one element, one writing.
"""
import argparse
import itertools
import random
import re
import subprocess
import sys
import tempfile

SIZES = (1, 2, 3)
FILE_MOST = 100     # functions of a file: the mapper stops when a file has used its share of isl's operations
VECTORS, PLANES = "xyzw", "AB"


class Nest:
    """One statement in loops: `loops` as (name, first value), accesses as (array, subscripts, writes, sums)."""

    def __init__(self, loops, text, accesses):
        self.loops, self.text, self.accesses = loops, text, accesses

    def source(self):
        out = ""
        for depth, (name, first) in enumerate(self.loops):
            out += "    " * (depth + 1) + f"for (int {name} = {first}; {name} < n; {name}++)\n"
        return out + "    " * (len(self.loops) + 1) + self.text + "\n"

    def iterations(self, n):
        return itertools.product(*(range(first, n) for _, first in self.loops))

    def touches(self, iteration):
        """(array, element, writes, sums) of one iteration."""
        values = dict(zip((name for name, _ in self.loops), iteration))
        for array, subscripts, writes, sums in self.accesses:
            yield array, tuple(values[name] + more for name, more in subscripts), writes, sums


def access(array, subscripts, writes=False, sums=False):
    return array, [(s, 0) if isinstance(s, str) else s for s in subscripts], writes, sums


def vector_map(rng):
    to, of = rng.sample(VECTORS, 2)
    if rng.random() < 0.3:
        return Nest([("i", 1)], f"{to}[i] = {of}[i - 1] + 1;",
                    [access(of, [("i", -1)]), access(to, "i", True)])
    return Nest([("i", 0)], f"{to}[i] = {of}[i] * 3;", [access(of, "i"), access(to, "i", True)])


def start(rng):
    to = rng.choice(VECTORS)
    return Nest([("j", 0)], f"{to}[j] = 0;", [access(to, "j", True)])


def behind(rng):
    to, of = rng.sample(VECTORS, 2)
    return Nest([("i", 0)], f"{to}[i] += {of}[i];",
                [access(of, "i"), access(to, "i", False, True), access(to, "i", True, True)])


def plane_map(rng):
    to, of = rng.sample(PLANES, 2)
    vector = rng.choice(VECTORS)
    subscripts = rng.choice(("ij", "ij", "ji"))
    return Nest([("i", 0), ("j", 0)], f"{to}[i][j] = {of}[{subscripts[0]}][{subscripts[1]}] + {vector}[i];",
                [access(of, subscripts), access(vector, "i"), access(to, "ij", True)])


def plane_sum(rng):
    to, of = rng.sample(VECTORS, 2)
    plane = rng.choice(PLANES)
    kept, gone = rng.choice(("ij", "ji"))
    loops = [("i", 0), ("j", 0)]
    if rng.random() < 0.5:
        loops.reverse()
    return Nest(loops, f"{to}[{kept}] += {plane}[i][j] * {of}[{gone}];",
                [access(plane, "ij"), access(of, gone), access(to, kept, False, True), access(to, kept, True, True)])


FORMS = (vector_map, start, behind, plane_map, plane_sum, plane_sum, plane_sum)


def program(functions, first, kind):
    out = ""
    for k, nests in enumerate(functions, first):
        planes = ", ".join(f"{kind} {name}[restrict n][n]" for name in PLANES)
        vectors = ", ".join(f"{kind} {name}[restrict n]" for name in VECTORS)
        out += f"void f{k}(int n, {planes}, {vectors})\n{{\n#pragma scop\n"
        out += "".join(nest.source() for nest in nests) + "#pragma endscop\n}\n"
    return out


def dependences(nests, n):
    """Pairs of (nest, iteration) in the source's order that touch one element, one writing: with the four flags."""
    seen = {}
    for k, nest in enumerate(nests):
        for iteration in nest.iterations(n):
            own = list(nest.touches(iteration))
            for array, element, writes, sums in own:
                for before in seen.get((array, element), ()):
                    if (writes or before[2]) and before[:2] != (k, iteration):
                        yield before, (k, iteration, writes, sums)
            for array, element, writes, sums in own:
                seen.setdefault((array, element), []).append((k, iteration, writes, sums))


def placements(nest, n_axes):
    """Ways of a nest to run at the axes: for each axis a loop by number, or "first" or "last"."""
    loops = range(len(nest.loops))
    for choice in itertools.product([*loops, "first", "last"], repeat=n_axes):
        used = [c for c in choice if isinstance(c, int)]
        if len(set(used)) == len(used) == min(n_axes, len(nest.loops)):
            yield choice


def point(placement, iteration, n):
    return tuple(iteration[c] if isinstance(c, int) else 0 if c == "first" else n - 1 for c in placement)


def edge_holds(before, after, places, n):
    """Does the region keep the dependence? A start of sums comes before a finish of them."""
    a, b = point(places[before[0]], before[1], n), point(places[after[0]], after[1], n)
    if a == b or (before[3] and after[3]):
        return True
    starts = after[3] and not before[3] and all(x == y or c == "first" for x, y, c in zip(a, b, places[before[0]]))
    ends = before[3] and not after[3] and all(x == y or c == "last" for x, y, c in zip(a, b, places[after[0]]))
    around = all(x == y or (c, d) == ("first", "last") for x, y, c, d in zip(a, b, places[before[0]], places[after[0]]))
    return starts or ends or around


def region_is_legal(nests, group, n_axes, edges):
    """`edges`: by n, those with both ends in the group."""
    if not n_axes:
        return True
    for choice in itertools.product(*(list(placements(nests[k], n_axes)) for k in group)):
        places = dict(zip(group, choice))
        if all(edge_holds(before, after, places, n) for n, before, after in edges):
            return True
    return False


def cover_wrong(nests, regions, edges):
    """`regions`: (nests, axes). None, or what is wrong."""
    order = {k: at for at, (group, _) in enumerate(regions) for k in group}
    if sorted(order) != list(range(len(nests))):
        return "nests are missing"
    for n, before, after in edges:
        if order[before[0]] > order[after[0]]:
            return f"{after[0]} runs before {before[0]}"
    for group, n_axes in regions:
        inside = [e for e in edges if e[1][0] in group and e[2][0] in group]
        if not region_is_legal(nests, group, n_axes, inside):
            return f"{group} cannot share a region of {n_axes} axes"
    return None


def answer_read(text):
    """By function: covers as lists of (nests, axes), and pairs apart as (a, b, n, first, second)."""
    answers, own, apart = {}, None, None
    for line in text.splitlines():
        head = re.match(r"\S+:\d+: (f\d+)\b", line)
        region = re.match(r"      \{([\d, ]+)\} (.*)", line)
        pair = re.match(r"  (\d+) and (\d+) do not share", line)
        with_n = re.match(r"    with n = (\d+): (.*) (?:writes|reads) .*, and (.*) (?:writes|reads|overwrites) it", line)
        if head:
            own = answers.setdefault(head[1], ([], []))
        elif re.match(r"[* ] \{", line):
            own[0].append([])
        elif region:
            axes = re.match(r"region \(([^)]*)\)", region[2])
            own[0][-1].append(([int(k) for k in region[1].split(",")], len(axes[1].split(",")) if axes else 0))
        elif pair:
            apart = int(pair[1]), int(pair[2])
        elif with_n:
            first, second = (tuple(int(v) for v in re.findall(r"= (-?\d+)", part)) for part in with_n.groups()[1:])
            own[1].append((*apart, int(with_n[1]), first, second))
    return answers


def witness_wrong(nests, pair):
    a, b, n, first, second = pair
    for (k, iteration) in ((a, first), (b, second)):
        if iteration not in set(nests[k].iterations(n)):
            return f"{iteration} is no iteration of {k}"
    meets = any(x[:2] == y[:2] and (x[2] or y[2])
                for x in nests[a].touches(first) for y in nests[b].touches(second))
    return None if meets else f"{first} of {a} and {second} of {b} do not meet"


def covers_of(args, functions, first):
    """The answers about some functions, which are a file; the first has a number."""
    with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
        file.write(program(functions, first, args.kind))
        file.flush()
        own = ["--no-copying", "--no-expansion", "--no-splitting", "--reassociate"]
        run = subprocess.run([args.build + "/treefork", "map", "--covers", *own, file.name], capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return answer_read(run.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", default="int", help="of elements; sums of floating ones may be taken in any order")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    functions = [[rng.choice(FORMS)(rng) for _ in range(rng.randint(2, 4))] for _ in range(args.count)]
    answers = {}
    for first in range(0, args.count, FILE_MOST):
        answers.update(covers_of(args, functions[first:first + FILE_MOST], first))
    n_covers = n_shared = n_apart = wrong = 0
    for name, (covers, apart) in answers.items():
        nests = functions[int(name[1:])]
        edges = [(n, before, after) for n in SIZES for before, after in dependences(nests, n)]
        faults = [cover_wrong(nests, cover, edges) for cover in covers] + [witness_wrong(nests, p) for p in apart]
        for fault in filter(None, faults):
            print(f"{name}: {fault}\n" + "".join(nest.source() for nest in nests))
            wrong += 1
        n_covers += len(covers)
        n_shared += sum(len(group) > 1 and axes > 1 for cover in covers for group, axes in cover)
        n_apart += len(apart)
    print(f"{len(answers)} sequences, {n_covers} covers, {n_shared} shared planes, {n_apart} pairs apart, {wrong} wrong")


main()
