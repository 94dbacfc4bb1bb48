"""Random programs in plain C's other forms, for random_programs.py: rows by pointers, elements by `*(a + i)` and `(&a[i])[1]`, loops
that end by `!=`, by sums and by `i-- > 0`, counted `while`, iterators of C89 that are read behind, members of structures, loops that
begin by a remainder or a mask, mirrors below a half, subscripts in pieces and planes that take turns,
loops that end by multiples and sums of their iterators, conditions on remainders, places as arguments, pointers that loops move,
`continue`, loops in tiles, bounds that are the least of two,
assignments in a row.

A pointer may also move, be set under a condition, or be made of what changes; a structure may lie in an array that is written; two
arrays may be one where they are not `restrict`. The names in NAMES are the file's own."""

NAMES = ("body", "shape", "rule", "twice", "mixed", "put", "least", "LEAST")
HELPERS = """
struct shape { TYPE wide, high; unsigned by; };
struct rule { unsigned g, h; };
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
static TYPE least(TYPE a, TYPE b) { if (a < b) return a; return b; }
static unsigned twice(const unsigned *p) { return p[0] * 2u + p[1]; }
static unsigned mixed(const unsigned *p, const unsigned *q, TYPE k) { return *p ^ *(q + k) ^ twice(&p[k]); }
static void put(unsigned *p, unsigned *q, TYPE k, unsigned v) { *p += v; if (v & 1) q[k] = *q ^ v; }
"""


class Forms:
    def __init__(self, rng, refuses=False):
        self.rng = rng
        self.lines = []
        self.type = rng.choice(("int", "int", "int", "long", "unsigned", "size_t"))
        self.is_unsigned = self.type in ("unsigned", "size_t")
        self.is_old = rng.random() < 0.5              # iterators as in C89
        self.is_restrict = rng.random() < 0.6
        self.is_clamped = self.is_unsigned
        self.is_wild = rng.random() < 0.25            # what is often refused stands among the rest
        self.to = rng.choice(("af", "af", "f", "f", "bg", "abfg"))
        self.tops = []
        self.n_rows = 0
        self.array_of = {}
        self.rows = []                                # pointers in scope
        self.sums = []                                # private scalars in scope
        self.mirrors = []                             # (iterator, size) below a half
        self.tiles = []                               # (iterator, length, size) of loops over tiles that are open
        self.n_tiles = 0

    def line(self, depth, text):
        self.lines.append("    " * depth + text)

    def size(self):
        return self.rng.choice(("n", "n", "m", "m", "p.wide", "p.high"))

    def sum_of(self, iterators):
        rng = self.rng
        i = rng.choice(iterators)
        if rng.random() < 0.3:
            return self.piece(i)
        return rng.choice((i, i, f"{i} + {rng.randint(1, 3)}", f"{i} + {rng.choice(iterators)}"))

    def piece(self, i):
        """Affine in pieces, at least 0, and not above i + 3."""
        rng = self.rng
        more = rng.randint(1, 3)
        return rng.choice((f"({i} > {more} ? {i} - {more} : 0)", f"({i} + {more} < n ? {i} + {more} : {i})", f"LEAST({i}, 7u)",
                           f"({i} + {more}) % {rng.choice((2, 3))}", f"(({i} + {more}) & 1)", f"({i} % 2 ? {i} : {i} + 1)",
                           f"least({i}, {more})", f"({i} < 4 || {i} > 6 ? {i} + 1 : 0)", f"(n > 0 ? ({i} + 1) % n : 0)"))

    def place(self, name, iterators):
        """A pointer's value."""
        rng = self.rng
        row = f"{rng.choice(iterators)} * {rng.choice(('m', 'n', 'p.wide', '9'))}"
        if self.rows and rng.random() < 0.15:
            return f"{rng.choice(self.rows)} + {rng.choice(iterators + ['1', 'm'])}"
        if self.is_wild and rng.random() < 0.1:
            return f"{rng.choice(iterators)} & 1 ? {name} : {name} + 3"
        return rng.choice((f"{name} + {row}", f"{name} + {row}", f"{row} + {name}", f"&{name}[{row}]", f"&{name}[{row}] + 1",
                           f"{name} + {row} + {rng.choice(iterators)}", f"{name} + ({rng.choice(iterators)} + 1) * m",
                           f"{name} + at"))

    def target(self, iterators):
        """Mostly one element for each round of the loops around, of an array that is not read beside."""
        rng = self.rng
        form, i, last = rng.random(), iterators[0], iterators[-1]
        rows = [row for row in self.rows if self.array_of[row] in self.to]
        if form < 0.2 or self.is_wild:
            return self.element(iterators)
        if rows and form < 0.7:
            return rng.choice((f"{rows[-1]}[{last}]", f"*({rows[-1]} + {last})", f"({rows[-1]} + 1)[{last}]"))
        flat = [name for name in self.to if name in "fg"]
        if len(iterators) > 1 and self.rng.random() < 0.25:
            plane = rng.choice((f"{i} % 2", f"({i} + 1) % 2", f"({i} & 1)", f"({i} + 2) % 3"))
            return rng.choice((f"{(flat or ['f'])[0]}[{plane} * m + {last}]", f"{self.to[0]}[{plane} + 2 * {last}]"))
        if flat and (len(iterators) > 1 or form < 0.8):
            at = f"{i} * {rng.choice(('m', 'm', 'n', 'p.wide', 'p.wide', '12'))} + {last}"
            return rng.choice((f"{flat[0]}[{at}]", f"*({flat[0]} + {at})", f"(&{flat[0]}[{at}])[1]"))
        return rng.choice((f"{self.to[0]}[{i} + 1]", f"*({self.to[0]} + {i})", f"(&{self.to[0]}[{i}])[1]"))

    def element(self, iterators):
        rng = self.rng
        if self.mirrors and rng.random() < 0.5:
            i, size = rng.choice(self.mirrors)
            return rng.choice((f"a[{i}]", f"a[{size} - 1 - {i}]", f"f[{i} * m]", f"f[({size} - 1 - {i}) * m]",
                               f"f[({size} - 1 - {i}) * m + {rng.choice(iterators)}]"))
        only = "abfg" if self.is_wild or rng.random() < 0.1 else [name for name in "abfg" if name not in self.to] or "abfg"
        vectors, flats = [[name for name in only if name in names] for names in ("ab", "fg")]
        name, at = rng.choice(vectors or ["b"]), self.sum_of(iterators)
        if self.rows and rng.random() < 0.6:
            name, at = rng.choice(self.rows), rng.choice(iterators + ["0"])
        elif flats and rng.random() < 0.5:
            name, at = rng.choice(flats), f"{iterators[0]} * {rng.choice(('m', 'm', 'n', 'p.wide'))} + {iterators[-1]}"
        form = rng.random()
        if form < 0.5:
            return f"{name}[{at}]"
        if form < 0.95:
            return rng.choice((f"*({name} + {at})", f"*({at} + {name})", f"({name} + {at})[1]", f"(&{name}[{at}])[1]",
                               f"*({name} + {at} + 1)", f"{name}[1 + ({at})]"))
        return f"*{name}" if form < 0.98 else f"{name}[1]"

    def read(self, iterators):
        rng = self.rng
        form = rng.random()
        if form < 0.12:
            return rng.choice(("p.by", "q->g", "q->h", "p.by"))
        if form < 0.2 and self.sums:
            return rng.choice(self.sums)
        if form < 0.26 and self.rows and rng.random() < 0.5:
            return rng.choice((f"twice({rng.choice(self.rows)})", f"twice({rng.choice(self.rows)} + {rng.choice(iterators)})"))
        if form < 0.26:
            return f"mixed({self.spot(iterators)}, {self.spot(iterators)}, {rng.choice(iterators + ['1', '2'])})"
        if form < 0.3:
            return f"(unsigned){rng.choice(iterators)}"
        return self.element(iterators)

    def spot(self, iterators):
        """A place as an argument."""
        rng = self.rng
        name, i = rng.choice("abfg" if self.is_wild else self.to), rng.choice(iterators)
        if name in "ab":
            return rng.choice((f"{name} + {i}", f"&{name}[{i}]", name, f"&{name}[{i} + 1]"))
        row = f"{iterators[0]} * {rng.choice(('m', 'm', 'n', '9'))}"
        return rng.choice((f"{name} + {i}", name, f"&{name}[{row}]", f"{name} + {row} + {i}", f"&{name}[{i} + 1] + {row}",
                           f"{row} + {name}"))

    def value(self, iterators):
        rng = self.rng
        parts = [self.read(iterators) for _ in range(rng.randint(1, 2))]
        return rng.choice((" + ", " * ", " ^ ")).join(parts) + f" + {rng.randint(0, 9)}u"

    def congruence(self, iterators):
        """A condition that holds at some remainders of a sum, which may be below 0."""
        rng = self.rng
        i, j = rng.choice(iterators), rng.choice(iterators)
        part = rng.choice((f"{i} + {j}", f"{i} + 2 * {j} + 1", f"{i} - {j}", f"{i} - 3", f"n - {i}", f"{i} + m"))
        if rng.random() < 0.4:
            return rng.choice((f"({part}) & 1", f"!(({part}) & 3)", f"(({part}) & 1) == ({j} & 1)", f"({part}) % 3"))
        rest = f"({part}) % {rng.choice((2, 2, 3, 4))} {rng.choice(('==', '==', '!=', '<'))} {rng.choice(('0', '1', f'{j} % 2', '-1', f'{j} - 1'))}"
        return rng.choice((rest, rest, f"{rest} && {i} < m", f"{rest} || {j} == 2", f"!({rest})"))

    def statement(self, iterators, depth):
        rng = self.rng
        form = rng.random()
        i = rng.choice(iterators)
        if form < 0.15:
            self.line(depth, f"if ({rng.choice((i + ' != 3', self.congruence(iterators), f'{i} + 1 < m', f'{i} % 2 == 0', f'p.high > {i}'))})")
            depth += 1
        elif form < 0.25 and self.sums:
            self.line(depth, f"{rng.choice(self.sums)} {rng.choice(('+=', '^=', '='))} {self.value(iterators)};")
            return
        elif form < 0.28 and self.rows and self.is_wild:
            self.line(depth, rng.choice((f"{self.rows[-1]}++;", f"{self.rows[-1]} += 2;", f"if ({i} > 1) {self.rows[-1]} = g;")))
            return
        elif form < 0.3 and self.is_wild:
            self.line(depth, rng.choice(("at += 1;", "p.by += 2u;")))
            return
        if form > 0.94:
            name = rng.choice("fg")
            row = f"{iterators[0]} * {rng.choice(('m', '9'))}"
            places = (f"&{name}[{row}]", f"{name} + {row} + 1") if len(iterators) > 1 else (f"{name} + 2 * {i}", f"&{name}[2 * {i}] + 1")
            first, second = rng.choice(places), rng.choice((*places, self.spot(iterators)))
            self.line(depth, f"put({first}, {second}, {rng.choice(('0', '1', iterators[-1]))}, {self.value(iterators)});")
            return
        chain = f"{self.target(iterators)} = " if rng.random() < 0.08 else ""
        op = "=" if chain else rng.choice(("=", "=", "+=", "^="))
        self.line(depth, f"{chain}{self.target(iterators)} {op} {self.value(iterators)};")

    def condition(self, iterators):
        rng = self.rng
        i = rng.choice(iterators)
        return rng.choice((f"{i} == 2", f"{i} >= m", f"!({i} > 1)", self.congruence(iterators), f"{self.read(iterators)} % 3 == 0",
                           f"({self.read(iterators)}) & 1 && {i} > 0"))

    def skip(self, iterators, depth):
        """The end of an iteration, in one of its forms."""
        rng = self.rng
        form, test = rng.randint(0, 5), self.condition(iterators)
        if form < 2:
            self.line(depth, f"if ({test}) continue;")
            return
        self.line(depth, f"if ({test}) {{")
        if rng.random() < 0.7:
            self.statement(iterators, depth + 1)
        inner = f"if ({self.condition(iterators)}) " if form > 2 else ""
        self.line(depth + 1, f"{inner}{{ continue; }}" if rng.random() < 0.3 else f"{inner}continue;")
        if inner and rng.random() < 0.6:
            self.statement(iterators, depth + 1)
        self.line(depth, "} else {" if form == 5 else "}")
        if form == 5:
            self.statement(iterators, depth + 1)
            self.line(depth + 1, "continue;")
            self.line(depth, "}")

    def row(self, iterators, depth):
        rng = self.rng
        name = f"row{self.n_rows}"
        self.n_rows += 1
        array = rng.choice("fg")
        value = self.place(array, iterators)
        self.array_of[name] = array if value.count("row") == 0 else self.array_of[self.rows[0]]
        if rng.random() < 0.3:
            self.tops.append(f"unsigned *{name};")
            self.line(depth, f"{name} = {value};")
        else:
            self.line(depth, f"unsigned *{rng.choice(('', '', '' if self.is_wild else 'const '))}{name} = {value};")
        self.rows.append(name)

    def loop(self, name, iterators):
        """What stands before the loop, its head, and the last statement of its body."""
        rng = self.rng
        size, old = self.size(), self.is_old and rng.random() < 0.8
        kind = "" if old else self.type + " "
        start = rng.choice(("0", "0", "0", "1", "2"))
        form = rng.random()
        if self.tiles and rng.random() < 0.7:
            tile, length, end = self.tiles.pop()
            test = rng.choice((f"LEAST({tile} + {length}, {end})", f"least({tile} + {length}, {end})",
                               f"({end} < {tile} + {length} ? {end} : {tile} + {length})", f"{tile} + {length} && {name} < {end}"))
            if rng.random() < 0.1:
                test = rng.choice((f"LEAST({tile} + {length}, m)", f"LEAST({tile} + {length} + 1, {end})", f"{tile} + {length}"))
            return "", f"for ({kind}{name} = {tile}; {name} < {test}; {name}++)", ""
        if form > 0.94 and iterators:
            i = rng.choice(iterators)
            if rng.random() < 0.3 and not self.is_unsigned:
                return "", f"for ({kind}{name} = {size}; {name} > ({i} < 2 ? 2 : {i}); {name}--)", ""
            return "", f"for ({kind}{name} = {rng.choice((start, i))}; {name} < {rng.choice(('LEAST', 'least'))}({size}, {i} + 2); {name}++)", ""
        if form < 0.12:
            self.is_clamped = True
            if rng.random() < 0.3:
                return "", f"for ({kind}{name} = {size}; {name} != 0; {name}--)", ""
            return "", f"for ({kind}{name} = 0; {name} != {size}; {rng.choice((name + '++', '++' + name, name + ' += 1'))})", ""
        if form < 0.3:
            test = rng.choice((f"{name} + 1 < {size}", f"{name} + 2 <= {size}", f"{size} > {name} + 1", f"{size} >= {name} + 1"))
            if rng.random() < 0.5 and not self.is_unsigned:
                i = rng.choice(iterators + ["1"])
                test = rng.choice((f"3 * {name} < {size}", f"2 * {name} + 1 <= {size}", f"{name} + {i} < {size}", f"{size} - {name} > {i}",
                                   f"{i} + {name} + 1 <= {size}", f"{size} >= 2 * {name} + {i}"))
                return "", f"for ({kind}{name} = {start}; {test}; {name}++)", ""
            return "", f"for ({kind}{name} = {start}; {test}; {name}{rng.choice(('++', '++', ' += 2'))})", ""
        if form < 0.42:
            return "", f"for ({kind}{name} = {size}; {name}-- > {rng.choice('001')};)", ""
        if form < 0.6:
            begin = f"{name} = {start};" if old else f"{self.type} {name} = {start};"
            test = rng.choice((f"{name} < {size}", f"{name} + 1 < {size}", f"{name} < n && {name} < m"))
            head = rng.choice((f"while ({test})", f"while ({test})", f"for (; {test};)"))
            return begin, head, rng.choice((f"{name}++;", f"{name} += 2;"))
        if form < 0.72 and iterators:
            i, more = rng.choice(iterators), rng.randint(0, 2)
            by = rng.choice((2, 2, 3))
            rest = rng.choice((f"({i} + {more}) & 1", f"1 + ({i} & 1)", f"2 - {i} % 2", f"({i} + {iterators[0]}) % 2",
                               f"1 + ({i} + {more}) % 2")) if by == 2 else rng.choice((f"{i} % 3", f"({i} + {more}) % 3"))
            return "", f"for ({kind}{name} = {rest}; {name} < {size}; {name} += {by})", ""
        if form < 0.82:
            self.mirrors.append((name, size))
            return "", f"for ({kind}{name} = 0; {name} < {size} / 2; {name}++)", ""
        if iterators and form < 0.9:
            return "", f"for ({kind}{name} = {rng.choice((start, rng.choice(iterators)))}; {name} <= {rng.choice(iterators)}; {name}++)", ""
        return "", f"for ({kind}{name} = {start}; {name} < {size}; {name}++)", ""

    def nest(self, iterators, depth):
        rng = self.rng
        name = "ijk"[len(iterators)]
        marks = [len(self.rows), len(self.sums), len(self.mirrors)]
        tiles = len(iterators) < 2 and rng.random() < 0.15
        open_tiles = list(self.tiles)
        if tiles:
            tile, length, size = f"t{self.n_tiles}", rng.choice((2, 3, 4)), self.size()
            self.n_tiles += 1
            self.line(depth, f"for ({self.type} {tile} = {rng.choice('001')}; {tile} < {size}; {tile} += {length}) {{")
            self.tiles.append((tile, length, size))
            depth += 1
        before, head, step = self.loop(name, iterators)
        declares = before.startswith(self.type)
        if declares:
            self.line(depth, "{")
            depth += 1
        if before:
            self.line(depth, before)
        self.line(depth, head + " {")
        within = iterators + [name]
        for _ in range(rng.choice((0, 1, 1, 2)) if len(within) < 3 else 0):
            self.row(within, depth + 1)
        if rng.random() < 0.3 and len(within) < 3:
            value = self.value(within)
            self.sums.append(f"s{len(self.sums)}")
            self.line(depth + 1, f"unsigned {self.sums[-1]} = {value};")
        for _ in range(rng.choice((1, 1, 2))):
            if not step and rng.random() < 0.15:
                self.skip(within, depth + 1)
            if len(within) < 2 and rng.random() < 0.7 or len(within) == 2 and rng.random() < 0.3:
                self.nest(within, depth + 1)
            else:
                self.statement(within, depth + 1)
        if self.rows[marks[0]:] and rng.random() < 0.3:
            self.statement(within, depth + 1)
        if step:
            self.line(depth + 1, step)
        del self.rows[marks[0]:], self.sums[marks[1]:], self.mirrors[marks[2]:]
        self.line(depth, "}")
        if declares:
            if rng.random() < 0.2:
                self.line(depth, f"b[31] ^= (unsigned){name};")
            self.line(depth - 1, "}")
        elif self.is_old and rng.random() < 0.3:
            self.line(depth, f"{rng.choice(('b[30]', 'a[31]'))} ^= (unsigned){name};")
        if tiles:
            self.line(depth - declares - 1, "}")
        self.tiles = open_tiles

    def walks(self):
        """Pointers that loops move; some in ways that are not followed."""
        rng = self.rng
        lines, pointers = [], []
        for k in range(rng.randint(1, 2)):
            pointers.append(f"q{k}")
            lines.append(f"unsigned *q{k} = {rng.choice(('f', 'g', 'f + 1', '&g[2]', 'f + m'))};")
        steps, size = rng.choice((1, 1, 2)), [self.size(), self.size()]
        body = [f"*{q}++ {rng.choice(('=', '+=', '^='))} {rng.choice(pointers[:1] if q != pointers[0] else ['b'])}[{rng.randint(0, 2)}] + (unsigned)i;"
                for q in pointers[:rng.randint(1, 2)] for _ in range(steps)]
        body += [f"{q} += {rng.choice(('1', '2', '3'))};" for q in pointers if rng.random() < 0.2]
        body += [f"if ({q}[1] & 1) {q}[0] ^= 5u;" for q in pointers if rng.random() < 0.2]
        start, less = rng.choice(("0", "0", "1")), rng.choice(("<", "<", "<="))
        head = f"for ({self.type} i = {start}; i {less} {size[0]}; i++) {{"
        if rng.random() < 0.6:
            lines.append(f"for ({self.type} j = 0; j < {size[1]}; j++) {{")
            tail = [f"{q} += {rng.choice(('m', 'n', '1', f'm - {size[0]}' if not self.is_unsigned else '2'))};" for q in pointers if rng.random() < 0.4]
            if rng.random() < 0.1:
                tail.append(f"*{pointers[0]} = 3u;")
            lines += [head, *body, "}", *tail, "}"]
        else:
            lines += [head, *body, "}"]
        if rng.random() < 0.15:
            lines.append(f"b[29] ^= {pointers[0]}[-1];")
        for line in ("{", *lines, "}"):
            self.line(1, line)

    def text(self, name):
        rng = self.rng
        if rng.random() < 0.4:
            self.walks()
        self.tops.append(f"{self.type} i = 3, j = 4, k = 5;")
        for _ in range(rng.choice((1, 1, 2))):
            self.line(1, "{")
            self.nest([], 2)
            self.line(1, "}")
        body = "\n".join(self.lines)
        tops = "\n".join("    " + text for text in self.tops)
        scop = rng.random() < 0.6
        size = "({0} < 0 ? 0 : {0})" if self.is_clamped else "{0}"
        restrict = "restrict " if self.is_restrict else ""
        arrays = ", ".join(f"unsigned *{restrict}{array}" for array in "abfg")
        rule = "&own" if self.is_restrict else "(const struct rule *)(b + 3)"
        second = "*d + 300" if self.is_restrict or rng.random() < 0.6 else "*c + 303"
        pragmas = ("#pragma scop\n", "#pragma endscop\n") if scop else ("", "")
        return (f"#include <stddef.h>\n{HELPERS.replace('TYPE', self.type)}\n"
                f"static void body({self.type} n, {self.type} m, struct shape p, const struct rule *q, {arrays})\n"
                f"{{\n{tops}\n    {self.type} at = m;\n{pragmas[0]}{body}\n{pragmas[1]}"
                f"    a[32] ^= (unsigned)(i + {rng.choice(('j', '0'))}) + p.by;\n}}\n\n"
                f"void {name}(int n, int m, unsigned *a, unsigned *b, unsigned c[48][48], unsigned d[48][48])\n{{\n"
                f"    struct shape p = {{{size.format('m')}, {size.format('n')} + 1, 7u}};\n    struct rule own = {{3u, 5u}};\n"
                f"    (void)own;\n    body({size.format('n')}, {size.format('m')}, p, {rule}, a, b, *c + 300, {second});\n}}\n")
