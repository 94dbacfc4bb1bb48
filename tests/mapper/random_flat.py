"""Random programs over flat arrays, for random_programs.py: subscripts of two and three axes, also through macros and helper functions,
sizes and iterators of int, long, unsigned and size_t, helpers with values, writes, branches and loops in them.

Columns may go beyond their pitch, rows of p elements may hold blocks, pitches are sizes, sums, products and numbers, two arrays may be one, and the offset s may be -1,
also where it is unsigned. Each file has a static
function with the fragment and the function `program` that random_programs.py calls. The names in NAMES are the file's own."""

NAMES = ("body", "at2", "at3", "get2", "get3", "put2", "add2", "mix", "some", "bump", "AT", "AT3", "total")
HELPERS = """
#define AT(i, j) ((i) * WIDTH + (j))
#define AT3(i, j, k) (((i) * n + (j)) * m + (k))
static TYPE at2(TYPE i, TYPE w, TYPE j) { return i * w + j; }
static inline TYPE at3(TYPE i, TYPE j, TYPE k, TYPE h, TYPE w)
{
    return (i * h + j) * w + k;
}
static unsigned get2(const unsigned *x, TYPE w, TYPE i, TYPE j) { return x[i * w + j]; }
static unsigned get3(const unsigned *x, TYPE h, TYPE w, TYPE i, TYPE j, TYPE k)
{
    TYPE row = i * h + j;
    return x[row * w + k];
}
static void put2(unsigned *x, TYPE w, TYPE i, TYPE j, unsigned value) { x[i * w + j] = value + 3u; }
static void add2(unsigned *to, const unsigned *from, TYPE w, TYPE i, TYPE j)
{
    unsigned old = to[i * w + j];
    if (from[i * w + j] % 2u)
        to[i * w + j] = old + from[i * w + j];
}
static unsigned mix(unsigned x, unsigned y)
{
    if (x % 3u)
        return x * 5u + y;
    x ^= y;
    return x + 1u;
}
static unsigned some(const unsigned *x, int many)
{
    unsigned sum = 0;
    for (int q = 0; q < 4; q++)
        if (q <= many)
            sum += x[q];
    return sum;
}
static void bump(unsigned *x, TYPE i)
{
    if (x[i] % 2u)
        return;
    x[i] += 7u;
}
"""


class Flat:
    def __init__(self, rng, refuses=False):
        self.rng = rng
        self.lines = []
        self.type = rng.choice(("int", "int", "long", "unsigned", "unsigned", "size_t", "size_t"))
        self.is_mixed = False
        # Sizes must not be below 0.
        self.is_unsigned = self.type in ("unsigned", "size_t")
        self.pitch = rng.choice(("m", "m", "m", "n", "p", "p", "(m + 1)", "2 * m", "9"))
        self.width = rng.choice(("m", "m", "p", "9"))
        self.n_private = 0

    def flat(self, name, iterators):
        """An element of a flat array."""
        rng = self.rng
        i, j = (rng.choice(iterators) for _ in range(2))
        if len(iterators) > 1 and rng.random() < 0.75:
            i, j = iterators[0], iterators[1]
            if rng.random() < 0.15:
                i, j = j, i
        form = rng.random()
        pitch = self.pitch if rng.random() < 0.85 else rng.choice(("m", "n", "p"))
        if len(iterators) > 2 and form < 0.45:
            return self.cube(name, iterators)
        down = "" if rng.random() < 0.8 else rng.choice((" + 1", " + 1", " - 1"))
        row = i if rng.random() < 0.8 else f"({i} + 1)"
        base = "100 + " if down == " - 1" or rng.random() < 0.1 else ""
        if form < 0.1:
            return f"{name}[{j}]"
        if form < 0.6:
            return f"{name}[{base}{row} * {pitch} + {j}{down}]"
        if form < 0.7:
            return f"{name}[{base}{j} + {row} * {pitch}]"
        if form < 0.78:
            return f"{name}[AT({i}, {j})]"
        if form < 0.86:
            return f"{name}[at2({i}, {pitch}, {j})]"
        return f"{name}[3 * ({i} * {pitch} + {j}) + {rng.choice((0, 1, 2))}]"

    def cube(self, name, iterators):
        rng = self.rng
        i, j, k = iterators[:3] if rng.random() < 0.8 else rng.sample(iterators, 3)
        k = k if rng.random() < 0.8 else f"{k} + 1"
        return rng.choice((f"{name}[({i} * n + {j}) * m + {k}]", f"{name}[{i} * n * m + {j} * m + {k}]", f"{name}[AT3({i}, {j}, {k})]",
                           f"{name}[at3({i}, {j}, {k}, n, m)]", f"{name}[({i} * n + {j}) * p + {k}]",
                           f"{name}[{i} * p + {j} * m + {k}]", f"{name}[{k} + {j} * p + {i} * n]"))

    def element(self, iterators):
        rng = self.rng
        form = rng.random()
        if form < 0.7:
            return self.flat(rng.choice("fg"), iterators)
        if form < 0.78 and not self.is_mixed:
            return f"{rng.choice('ab')}[{rng.choice(iterators)} + 1 + s]"
        if form < 0.85:
            return f"{rng.choice('ab')}[{rng.choice(iterators)}{rng.choice(('', '', ' + 1'))}]"
        return f"{rng.choice('ab')}[{rng.choice(iterators)} + {rng.choice(iterators)}]"

    def read(self, iterators):
        rng = self.rng
        form = rng.random()
        i, j = iterators[0], iterators[-1]
        if form < 0.6:
            return self.element(iterators)
        if form < 0.72:
            return f"get2({rng.choice('fg')}, {self.pitch.strip('()')}, {i}, {j})"
        if form < 0.78 and len(iterators) > 2:
            return f"get3({rng.choice('fg')}, n, m, {', '.join(iterators[:3])})"
        if form < 0.9:
            return f"mix({self.element(iterators)}, {self.element(iterators)})"
        return f"some({rng.choice('ab')}, {rng.choice('123')})"

    def statement(self, iterators, indent):
        rng = self.rng
        form = rng.random()
        target = self.element(iterators)
        if form < 0.12:
            name = f"t{self.n_private}"
            self.n_private += 1
            self.lines += [f"{indent}unsigned {name} = {self.read(iterators)};",
                           f"{indent}{target} = {name} * 3u + {self.read(iterators)} + {name};"]
        elif form < 0.25:
            self.lines.append(f"{indent}put2({rng.choice('fg')}, {self.pitch.strip('()')}, {iterators[0]}, {iterators[-1]}, "
                              f"{self.read(iterators)});")
        elif form < 0.32:
            to, other = rng.sample("fg", 2)
            self.lines.append(f"{indent}add2({to}, {other}, {self.pitch.strip('()')}, {iterators[0]}, {iterators[-1]});")
        elif form < 0.37:
            self.lines.append(f"{indent}bump({rng.choice('ab')}, {rng.choice(iterators)});")
        elif form < 0.45:
            self.lines += [f"{indent}if ({rng.choice(iterators)} {rng.choice(('< m', '> 0', '== 1'))})",
                           f"{indent}    {target} = {self.read(iterators)} + 1u;"]
        else:
            self.lines.append(f"{indent}{target} {rng.choice(('=', '=', '+=', '^='))} {self.read(iterators)} + {self.read(iterators)};")

    def header(self, name, iterators):
        rng = self.rng
        kind = self.type if rng.random() < 0.8 else rng.choice(("int", "unsigned", "size_t", "long"))
        self.is_mixed |= kind != self.type
        self.is_unsigned |= kind in ("unsigned", "size_t")
        high = ("n", "m", "p")[min(len(iterators), 1 + (rng.random() < 0.2))]
        high = high if rng.random() < 0.85 else rng.choice(("n", "m", "p", "n - 1", "m - 1", "4") + tuple(f"{i} + 1" for i in iterators))
        if rng.random() < 0.1:
            return f"for ({kind} {name} = {high}; {name} > 0; {name}--)"
        low = "0" if rng.random() < 0.75 else rng.choice(["1"] + iterators)
        return f"for ({kind} {name} = {low}; {name} < {high}; {rng.choice((name + '++', '++' + name))})"

    def nest(self, iterators, indent):
        rng = self.rng
        within, inner = iterators + ["ijk"[len(iterators)]], indent + "    "
        self.lines.append(f"{indent}{self.header(within[-1], iterators)} {{")
        for _ in range(rng.choice((1, 1, 2))):
            if len(within) < 2 and rng.random() < 0.9 or len(within) == 2 and rng.random() < 0.35:
                self.nest(within, inner)
            else:
                self.statement(within, inner)
        self.lines.append(f"{indent}}}")

    def text(self, name):
        rng = self.rng
        for _ in range(rng.choice((1, 1, 2))):
            self.nest([], "    ")
        body = "\n".join(self.lines)
        least = 1 if self.is_unsigned and " - 1;" in body else 0
        size = "({0} < LEAST ? LEAST : {0})".replace("LEAST", str(least)) if self.is_unsigned else "{0}"
        restrict = "" if rng.random() < 0.25 else "restrict "
        arrays = f"unsigned *{restrict}a, unsigned *{restrict}b, unsigned *{restrict}f, unsigned *{restrict}g"
        extra = rng.choice((0, 0, 2, -1))
        width = "(n * m < 30 ? n * m : m)" if rng.random() < 0.25 else "m"
        sizes = ", ".join(size.format(s) for s in ("n", "m", f"{width} + {extra}".replace("+ -", "- ")))
        helpers = HELPERS.replace("TYPE", self.type).replace("WIDTH", self.width)
        return (f"#include <stddef.h>\n{helpers}\nstatic void body({self.type} n, {self.type} m, {self.type} p, {self.type} s, {arrays})\n"
                f"{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n\nvoid {name}(int n, int m, unsigned *a, unsigned *b, "
                f"unsigned c[48][48], unsigned d[48][48])\n{{\n    body({sizes}, n > 0 ? n % 3 - 1 : 0, a, b, *c + 300, *d + 300);\n}}\n")
