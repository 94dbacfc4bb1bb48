"""Random MetaFork functions for the program fuzzer.

A function is legal by construction: every iteration of its bands writes only its own elements, reads of what others write
are separated by the end of a band, and all subscripts stay inside the declared extents at every point of `points`. A
function made with `risky` has one place where that is broken on purpose. The text holds marks that C never sees: reads
stand in «», writes in ‹›, and @G, @B, @E mark the begin of a block, of a thread and of a band, so that the same text
gives the program for treefork (`plain`) and an instrumented one that records who touches what (`traced`)."""
import random
import re

INTEGERS = ["int", "int", "int", "char", "signed char", "unsigned char", "short", "unsigned short", "unsigned", "long",
            "unsigned long"]
FLOATS = ["float", "float", "double"]
SIZES = ["N", "M", "N"]
SCALARS = [("int", "N"), ("int", "M"), ("int", "s"), ("int", "u"), ("int", "B"), ("int", "C"), ("int", "D"), ("int", "t"),
           ("int", "q"), ("int", "m"), ("int", "w"), ("float", "c"), ("double", "e")]


def plain(text):
    return re.sub(r"[«»‹›]", "", re.sub(r"\n *@[GBE][^;]*;", "", text))


def traced(text):
    text = re.sub(r"@G([^;]*);", r"trace_block(\1);", text)
    text = re.sub(r"@B([^;]*);", r"trace_thread(\1);", text)
    text = re.sub(r"@E;", "trace_band();", text)
    return text.replace("«", "READ(").replace("‹", "WRITE(").replace("»", ")").replace("›", ")")


def points(rng, count):
    """Values for every scalar; M >= N >= 0, so that a function may assert it. From the second on coarsened leaves fit."""
    made = []
    for i in range(count):
        n = rng.choice([rng.randint(0, 3), rng.randint(4, 14), rng.randint(15, 40)])
        point = {"N": n, "M": n + rng.choice([0, 0, 1, 3, 7]), "s": rng.randint(1, 5), "u": rng.randint(1, 4),
                 "B": rng.choice([1, 2, 3, 4, 5, 8]), "C": rng.randint(1, 4), "D": rng.randint(1, 3),
                 "t": rng.randint(0, 5), "q": rng.randint(0, 5), "m": rng.randint(0, 6), "w": rng.randint(-9, 9)}
        if i == 0:
            point["B"] = 1
        else:
            point["B"] = rng.choice([4, 8])
            point["C"] = rng.choice([1, 2, 4])
        made.append(point)
    return made


class Axis:
    """One direction: grid iterator g, block iterator b, perhaps a granularity loop k; the position p of an iteration."""

    def __init__(self, rng, number, size, grain):
        self.rng, self.n, self.size = rng, number, size
        self.g, self.b, self.k, self.p = "ijl"[number], "xyz"[number], "hkr"[number], f"p{number}"
        self.block = "BCD"[number]
        self.trip = rng.choice(["s", "s", "u", "2", "3", "4"]) if grain else None
        self.halo = rng.choice([0, 0, 1, 2, 2, 3])
        self.ceiling = rng.random() < 0.45
        self.form = rng.randrange(5) if grain else rng.randrange(4)
        self.from_one = rng.random() < 0.05
        self.style = rng.randrange(12)
        self.iterator = rng.choice(["int"] * 7 + ["long", "short"])
        self.origin = None
        self.name = None

    def whole(self):
        return self.size if not self.halo else f"{self.size} - {self.halo}"

    def extent(self):
        unit = f"({self.trip} * {self.block})" if self.trip else self.block
        if self.ceiling:
            return f"({self.whole()} + {unit.strip('()')} - 1) / {unit}"
        if self.trip and self.style == 1:
            return f"({self.whole()}) / {self.trip} / {self.block}"
        return f"({self.whole()}) / {unit}"

    def count(self):
        return self.name or f"({self.extent()})"

    def position(self, k=None, g=None, b=None):
        g, b, k = g or self.block_number(), b or self.thread_number(), k or self.k
        s, size = self.trip, self.block
        if not s:
            return [f"{g} * {size} + {b}", f"{b} + {size} * {g}", f"({g} * {size}) + {b}", f"{size} * {g} + {b}"][self.form]
        return [f"({g} * {s} + {k}) * {size} + {b}", f"{g} * {s} * {size} + {k} * {size} + {b}",
                f"({g} * {size} + {b}) * {s} + {k}", f"{g} * {s} * {size} + {b} * {s} + {k}",
                f"({k} * {self.count()} + {g}) * {size} + {b}"][self.form]

    def block_number(self):
        return f"({self.g} - 1)" if self.style == 6 else self.g

    def thread_number(self):
        return f"({self.b} - 1)" if self.from_one else self.b

    def coarse(self):
        """The position without the granularity loop: one element for all its iterations."""
        return f"({self.block_number()} * {self.block} + {self.thread_number()})"

    def guard(self):
        return f"{self.p} < {self.whole()}" if self.ceiling else None

    def grid_loop(self):
        e = self.count()
        kind = self.iterator
        if self.style == 6:
            return f"{kind} {self.g} = 1; {self.g} <= {e}; {self.g}++"
        if self.style == 2:
            return f"{kind} {self.g} = {e} - 1; {self.g} >= 0; {self.g}--"
        if self.style == 3:
            return f"{kind} {self.g} = 0; {self.g} <= {e} - 1; {self.g} += 1"
        if self.style == 4 and self.ceiling and not self.trip and not self.halo:
            return f"{kind} {self.g} = 0; {self.g} * {self.block} < {self.size}; {self.g}++"
        return f"{kind} {self.g} = 0; {self.g} < {e}; {self.g}++"

    def block_loop(self):
        if self.from_one:
            return f"int {self.b} = 1; {self.b} <= {self.block}; {self.b}++"
        if self.style == 5:
            return f"int {self.b} = {self.block} - 1; {self.b} >= 0; --{self.b}"
        return f"int {self.b} = 0; {self.b} < {self.block}; {self.b}++"


class Array:
    def __init__(self, name, element, declared, flat, subscripts, constant):
        self.name, self.element, self.declared, self.flat = name, element, declared, flat
        self.subscripts, self.constant, self.coarse = subscripts, constant, False
        self.floating = element in FLOATS

    def count(self, point):
        return eval(" * ".join(f"({d})" for d in self.declared), {}, dict(point))

    def argument(self, rng, risky):
        const = "const " if self.constant else ""
        if len(self.declared) == 1 and self.subscripts and not risky and rng.random() < 0.4:
            return f"{const}{self.element} *{rng.choice(['', 'restrict '])}{self.name}"
        first = self.declared[0]
        first = rng.choice([first, first, "restrict " + first]) if re.match(r"[A-Z(]", first) else first
        return f"{const}{self.element} {self.name}[{first}]" + "".join(f"[{d}]" for d in self.declared[1:])


class Function:
    def __init__(self, rng, name, risky):
        self.rng, self.name, self.risky = rng, name, risky
        self.lines, self.arrays, self.locals, self.serial = [], [], [], []
        self.ordered, self.flawed = False, False
        self.depth, self.fresh = 1, 0
        self.make()

    # --- text
    def line(self, text):
        self.lines.append("    " * self.depth + text.strip())

    def open(self, text):
        self.line(text + " {")
        self.depth += 1

    def close(self, count=1):
        for _ in range(count):
            self.depth -= 1
            self.line("}")

    def new(self, stem):
        self.fresh += 1
        return f"{stem}{self.fresh}"

    def chance(self, p):
        return self.rng.random() < p

    # --- arrays
    def element(self):
        return self.rng.choice(FLOATS if self.chance(0.5) else INTEGERS)

    def add(self, declared, subscripts, constant):
        array = Array(f"a{len(self.arrays)}_{self.name[1:]}", self.element(), declared, False, subscripts, constant)
        self.arrays.append(array)
        return array

    def shape(self, written):
        """Declared extents, and subscripts of the element at positions p (texts, with their shifts inside)."""
        ax, rng = self.axes, self.rng
        n = len(ax)
        size = [a.size for a in ax]
        if n == 1:
            kind = rng.randrange(7)
            if kind == 0:
                stride = rng.choice([2, 3])
                rest = rng.randrange(stride)
                return [f"{stride} * {size[0]}"], lambda p: [f"{stride} * ({p[0]}) + {rest}"]
            if kind == 1:
                return [size[0]], lambda p: [f"{size[0]} - 1 - ({p[0]})"]
            if kind == 2:
                return [f"2 * {size[0]}"], lambda p: [f"{size[0]} + {p[0]}"]
            if kind == 3:
                return [f"{size[0]} + q"], lambda p: [f"{p[0]} + q"]
            if kind == 4:
                column = rng.randrange(3)
                return [size[0], "3"], lambda p: [p[0], str(column)]
            return [size[0]], lambda p: [p[0]]
        order = list(range(n))
        if self.chance(0.3):
            rng.shuffle(order)
        kind = rng.randrange(5)
        if kind == 0:
            sizes = [size[o] for o in order]

            def flat(p):
                text = f"({p[order[0]]})"
                for o, extent in zip(order[1:], sizes[1:]):
                    text = f"({text} * {extent} + {p[o]})" if o != order[-1] else f"{text} * {extent} + {p[o]}"
                return [text]
            return [" * ".join(sizes)], flat
        if kind == 1 and n == 2:
            self.ordered = True
            return ["N * M" if size[order[0]] == "N" else "M * M"], lambda p: [f"({p[order[0]]}) * M + {p[order[1]]}"]
        if kind == 2:
            return [size[o] for o in order] + ["2"], lambda p: [p[o] for o in order] + ["1"]
        return [size[o] for o in order], lambda p: [p[o] for o in order]

    def own(self, array, shift=None):
        place = [a.coarse() if array.coarse and a.trip else a.p for a in self.axes]
        return array.subscripts([f"{p} + {w}" if w else p for p, w in zip(place, shift or array.shift)])

    def sibling(self, array):
        """What another iteration of the granularity loop of this thread owns."""
        place = []
        for a, w in zip(self.axes, array.shift):
            k = self.rng.choice([f"({a.trip} - 1 - {a.k})", "0", f"({a.k} / 2)"]) if a.trip else None
            place.append((f"({a.position(k)})" if k else a.p) + (f" + {w}" if w else ""))
        return self.text(array, array.subscripts(place))

    def text(self, array, subscripts, write=False):
        inner = array.name + "".join(f"[{s}]" for s in subscripts)
        return f"‹{inner}›" if write else f"«{inner}»"

    # --- reads
    def read(self, floating):
        """A readable value of the wanted class; None if there is none."""
        found = [r for r in self.readable if r[0] == floating]
        return self.rng.choice(found)[1]() if found else None

    def halo_read(self, array):
        def make():
            shift = [self.rng.randint(0, a.halo) for a in self.axes]
            return self.text(array, array.subscripts([f"{a.p} + {w}" if w else a.p for a, w in zip(self.axes, shift)]))
        return make

    def odd_read(self, array):
        """Read-only, one dimension: anything within 0..N-1."""
        a = self.rng.choice(self.axes)
        n = a.size
        choices = [f"({a.p} + q) % {n}", f"({a.p} * 2 + 1) % {n}", f"{a.p} / 2", f"{n} - 1 - {a.p}", f"{a.p} - {a.p} % 2",
                   f"{a.p} % 3 % {n}", f"{a.p} % {a.block} % {n}", f"({a.g} * {a.block}) % {n}"]
        choices += [f"{z} % {n}" for z in self.serial] * 2

        def make():
            return self.text(array, [self.rng.choice(choices)])
        return make

    def indirect(self, index, array):
        a = self.rng.choice(self.axes)
        return lambda: self.text(array, [f"({self.text(index, [a.p])} & 1023) % {a.size}"])

    # --- expressions: integers stay small, so that nothing overflows but unsigned ones
    def integer(self, depth):
        rng = self.rng
        if depth <= 0:
            options = [str(rng.randint(-5, 9)), rng.choice(self.axes).p, rng.choice(["t", "w", "m", "q"])] + self.serial
            options += [v for f, v in self.locals if not f]
            value = self.read(False) if self.chance(0.7) else None
            return value or rng.choice(options)
        a, b = self.integer(depth - 1), self.integer(depth - 1 - rng.randrange(2))
        kind = rng.randrange(12)
        if kind == 0:
            return f"({a} & 63) * ({b} & 31)"
        if kind == 1:
            return f"({self.condition(depth - 1)} ? {a} : {b})"
        if kind == 2:
            return f"({a}) / {rng.choice([2, 3, 7])}"
        if kind == 3:
            return f"({a}) % {rng.choice([2, 5, 8])} + {b}"
        if kind == 4:
            return f"({a} ^ {b})"
        if kind == 5:
            return f"({self.condition(depth - 1)}) + {b}"
        if kind == 6:
            return f"(({rng.choice(INTEGERS)})({a}) - {b})"
        return f"({a} {rng.choice('+-')} {b})"

    def floating(self, depth):
        rng = self.rng
        if depth <= 0:
            value = self.read(True) if self.chance(0.75) else None
            options = ["0.25f", "1.5f", "0.125", "c", "e", f"(float){rng.choice(self.axes).p}"]
            return value or rng.choice(options + [v for f, v in self.locals if f])
        a, b = self.floating(depth - 1), self.floating(depth - 1 - rng.randrange(2))
        kind = rng.randrange(10)
        if kind == 0:
            return f"({self.condition(depth - 1)} ? {a} : {b})"
        if kind == 1:
            return f"{a} * {b}"
        if kind == 2:
            return f"fabs({a})" if self.chance(0.5) else f"fmaxf({a}, {b})"
        if kind == 3:
            return f"({a} + {self.integer(0)})"
        if kind == 4:
            return f"({a}) / 3"
        return f"({a} {rng.choice('+-')} {b})"

    def condition(self, depth):
        kind, rng = self.rng.randrange(8), self.rng
        if kind == 0:
            return f"{self.floating(0)} {rng.choice(['<', '>', '<='])} {self.floating(0)}"
        if kind == 1:
            return f"{rng.choice(self.axes).p} % 2"
        if kind == 2:
            return f"({self.condition(0)}) {rng.choice(['&&', '||'])} ({self.condition(0)})" if depth > 0 else "t % 2"
        if kind == 3:
            return rng.choice(["t % 2", "t > 2", "w < 0", "m"])
        if kind == 4:
            a = rng.choice(self.axes)
            return rng.choice([f"{a.g} > 0", f"{a.b} == 1", f"{a.p} >= q", f"{a.p} < {a.size} / 2"])
        return f"{self.integer(0)} {rng.choice(['<', '>', '==', '!=', '>='])} {self.integer(0)}"

    def value(self, floating, depth=None):
        depth = self.rng.randint(1, 3) if depth is None else depth
        return self.floating(depth) if floating else f"({self.integer(depth)}) % 997"

    # --- statements
    def flaw(self, array, subscripts):
        """The one place where a risky function leaves its own element."""
        if not self.risky or self.flawed or self.chance(0.4):
            return subscripts
        self.flawed = True
        a = self.rng.choice(self.axes)
        others = [f"{a.p} + {w}" for w in range(a.halo + 1) if w not in array.shift[:1]]
        others += [f"{a.p} / 2", f"{a.b}", f"{a.g}", f"{a.p} % 3", f"{a.g} + {a.b}", f"{a.p} - {a.p} % 2"]
        other = self.rng.choice(others)
        if f"{a.b}" in other and a.p not in other:
            other = f"({other}) % {a.size}"
        if other == a.g:
            other = f"{a.g} % {a.size}"
        return array.subscripts([other if x is a else x.p for x in self.axes])

    def store(self, array):
        target = self.text(array, self.flaw(array, self.own(array)), True)
        operator = self.rng.choice(["=", "=", "+=", "-="]) if array.floating else self.rng.choice(["=", "=", "+="])
        value = self.value(array.floating)
        if operator != "=" and not array.floating:
            value = f"({value}) % 97"
        return f"{target} {operator} {value};"

    def statements(self, targets, level):
        for _ in range(self.rng.randint(1, 2)):
            kind = self.rng.randrange(9)
            array = self.rng.choice(targets)
            keep = len(self.locals)
            if kind == 0 and level < 3:
                self.open(f"if ({self.condition(1)})")
                self.statements(targets, level + 1)
                self.close()
                if self.chance(0.5):
                    self.lines[-1] += " else {"
                    self.depth += 1
                    self.statements(targets, level + 1)
                    self.close()
            elif kind == 1 and level < 3:
                self.accumulation(targets)
            elif kind == 2:
                floating = self.chance(0.5)
                name = self.new("v")
                kind = self.rng.choice(["float", "double"] if floating else ["int", "long", "int"])
                self.line(f"{kind} {name} = {self.value(floating)};")
                self.locals.append((floating, name))
                self.line(self.store(array))
                if self.chance(0.3):
                    self.line(f"{name} = {self.value(floating)};")
                self.line(self.store(self.rng.choice(targets)))
            elif kind == 3 and level < 3:
                self.private(array)
            else:
                self.line(self.store(array))
            del self.locals[keep:]

    def accumulation(self, targets):
        """A serial loop of the thread, into a local or into the element itself."""
        z = self.new("z")
        a = self.rng.choice(self.axes)
        bound = self.rng.choice(["m", "m", "3", "5", f"{a.b} + 1", f"{a.p} + 1", "t"])
        array = self.rng.choice(targets)
        start = self.rng.choice(["0", "0", "0", "1"])
        if self.chance(0.5):
            self.open(f"for (int {z} = {start}; {z} < {bound}; {z}++)")
            self.serial.append(z)
            self.line(self.store(array))
            self.serial.pop()
            self.close()
            return
        acc = self.new("v")
        self.line(f"{'double' if array.floating else 'int'} {acc} = 0;")
        self.open(f"for (int {z} = {start}; {z} < {bound}; {z}++)")
        self.serial.append(z)
        self.line(f"{acc} += {self.value(True)};" if array.floating else f"{acc} += ({self.value(False)}) % 97;")
        self.serial.pop()
        self.close()
        self.locals.append((array.floating, acc))
        self.line(self.store(array))

    def private(self, array):
        """A local array, filled and read."""
        name, z = self.new("v"), self.new("z")
        floating = self.chance(0.5)
        self.line(f"{'float' if floating else 'int'} {name}[4];")
        self.open(f"for (int {z} = 0; {z} < 4; {z}++)")
        self.serial.append(z)
        self.line(f"{name}[{self.rng.choice([z, '3 - ' + z])}] = {self.value(floating, 1)};")
        self.serial.pop()
        self.close()
        self.locals.append((floating, f"{name}[{self.rng.choice(['t % 2', self.axes[0].p + ' % 4', '3'])}]"))
        self.line(self.store(array))

    def parity(self, array, targets):
        """Two planes, read and written by turns."""
        planes = [lambda p, plane=str(i): [plane] + p for i in range(2)]
        if array.declared[0] != "2":
            n = self.axes[0].size
            planes = [lambda p: p, lambda p: [f"{n} + {p[0]}"]]
        first = self.rng.randrange(2)
        for branch in range(2):
            to, other = planes[(first + branch) % 2], planes[(first + branch + 1) % 2]
            self.open("if (t % 2)" if branch == 0 else "else")

            def read(other=other):
                shift = [self.rng.randint(0, a.halo) for a in self.axes]
                return self.text(array, other([f"{a.p} + {w}" if w else a.p for a, w in zip(self.axes, shift)]))
            self.readable.append((array.floating, read))
            self.readable.append((array.floating, read))
            own = to([f"{a.p} + {w}" if w else a.p for a, w in zip(self.axes, array.shift)])
            self.line(f"{self.text(array, own, True)} = {self.value(array.floating)};")
            del self.readable[-2:]
            self.close()

    # --- bands
    def nest(self, targets, special=None):
        """The granularity loops of one band in some order, positions, guards, statements."""
        loops = [a for a in self.axes if a.trip]
        outer = None
        if self.chance(0.2):
            outer = self.new("z")
        self.rng.shuffle(loops)
        self.open("")
        opened = 1
        position = self.rng.randint(0, len(loops))
        for i, a in enumerate(loops + [None]):
            if outer and i == position:
                self.open(f"for (int {outer} = 0; {outer} < {self.rng.choice(['m', '2', 't'])}; {outer}++)")
                self.serial.append(outer)
                opened += 1
            if a:
                self.open(f"for (int {a.k} = 0; {a.k} < {a.trip}; {a.k}++)")
                opened += 1
        for a in self.axes:
            self.line(f"{self.index_type} {a.p} = {a.position()};")
        guards = [a.guard() for a in self.axes if a.guard()]
        if guards:
            self.rng.shuffle(guards)
            if len(guards) > 1 and self.chance(0.3):
                for g in guards:
                    self.open(f"if ({g})")
                opened += len(guards)
            else:
                self.open(f"if ({' && '.join(guards)})")
                opened += 1
        if special:
            special()
        else:
            self.statements(targets, 0)
        if outer:
            self.serial.remove(outer)
        self.close(opened)

    def border(self, array, targets):
        """Reads at p - 1 under a guard at the border."""
        a = self.rng.choice(self.axes)
        down = [f"{x.p} - 1" if x is a else x.p for x in self.axes]
        self.open(f"if ({a.p} >= 1)" if self.chance(0.6) else f"if ({a.p} > 0)")
        self.readable.append((array.floating, lambda: self.text(array, array.subscripts(down))))
        self.line(self.store(self.rng.choice(targets)))
        self.line(self.store(self.rng.choice(targets)))
        self.readable.pop()
        self.close()

    def band(self, content):
        self.line("@E;")
        for a in self.axes:
            self.open(f"meta_for ({a.block_loop()})")
        self.line("@B" + ", ".join([a.b for a in self.axes] + ["0"] * (3 - len(self.axes))) + ";")
        content()
        self.close(len(self.axes))

    def exchange(self, array):
        """A read of what this block wrote in an earlier band; one axis without granularity."""
        a = self.axes[0]
        z = self.rng.choice([f"({a.block} - 1 - {a.b})", f"({a.b} + 1) % {a.block}", "0", f"{a.b} / 2"])
        if a.from_one:
            z = self.rng.choice([f"({a.block} - {a.b})", f"{a.b} % {a.block}", "0"])
        there = f"{a.block_number()} * {a.block} + {z}"
        read = self.text(array, array.subscripts([there + (f" + {array.shift[0]}" if array.shift[0] else "")]))
        if a.ceiling:
            return f"({there} < {a.whole()} ? {read} : 1)"
        return read

    def bands(self, targets):
        """Several bands: the first writes, a later one reads across the threads of the block."""
        first, last = targets[0], targets[-1]
        loop = self.chance(0.4)
        if loop:
            o = self.new("o")
            self.open(f"for (int {o} = 0; {o} < {self.rng.choice(['m', '2', 't'])}; {o}++)")
            self.serial.append(o)
        self.band(lambda: self.nest([first]))

        def crossing():
            value = self.exchange(first)
            if first.floating and not last.floating:
                value = f"({value} > 0.5f)"
            self.line(f"{self.text(last, self.own(last), True)} = ({value} + {self.value(last.floating, 1)})"
                      f"{'' if last.floating else ' % 997'};")
            self.readable = self.readable + [(first.floating, lambda: self.exchange(first))] * 3
            self.statements([last], 1)
        keep = self.readable
        self.band(lambda: self.nest([last], crossing))
        self.readable = keep
        if self.chance(0.4):
            self.band(lambda: self.nest([first]))
        if loop:
            self.serial.pop()
            self.close()

    # --- the whole
    def make(self):
        rng = self.rng
        n = rng.choice([1, 1, 1, 1, 1, 2, 2, 2, 3])
        sizes = ["N"] * n if self.chance(0.6) else SIZES[:n]
        grains = [self.chance(0.5 / n if n > 1 else 0.6) for _ in range(n)]
        self.axes = [Axis(rng, i, sizes[i], grains[i]) for i in range(n)]
        several = n == 1 and not grains[0] and self.chance(0.75)
        self.index_type = rng.choice(["int"] * 8 + ["long", "const int"])
        written = []
        for _ in range(2 if several else rng.choice([1, 1, 2])):
            declared, subscripts = self.shape(True)
            array = self.add(declared, subscripts, False)
            array.shift = [rng.randint(0, a.halo) for a in self.axes]
            array.coarse = any(grains) and self.chance(0.2)
            written.append(array)
        two_planes = None
        if self.chance(0.25) and not several:
            if n == 1 and self.chance(0.5):
                two_planes = self.add([f"2 * {sizes[0]}"], None, False)
            else:
                two_planes = self.add(["2"] + sizes, None, False)
            two_planes.shift = [rng.randint(0, a.halo) for a in self.axes]
        self.readable = []
        for _ in range(rng.choice([1, 1, 2, 3])):
            declared, subscripts = self.shape(False)
            array = self.add(declared, subscripts, True)
            self.readable += [(array.floating, self.halo_read(array))] * 2
        edge = self.arrays[-1] if self.chance(0.25) else None
        if self.chance(0.35):
            a = rng.choice(self.axes)
            array = self.add([a.size], None, True)
            self.readable.append((array.floating, lambda array=array, a=a: self.odd_read_on(array, a)))
        for array in written:
            self.readable.append((array.floating, lambda array=array: self.text(array, self.own(array)), array.name))
            if any(grains) and not array.coarse and not any(a.ceiling for a in self.axes) and self.chance(0.2):
                self.readable.append((array.floating, lambda array=array: self.sibling(array)))
        self.head(n, several, written, two_planes, edge)

    def odd_read_on(self, array, axis):
        keep, self.axes = self.axes, [axis]
        text = self.odd_read(array)()
        self.axes = keep
        return text

    def head(self, n, several, written, two_planes, edge):
        rng = self.rng
        if self.chance(0.4):
            for a in self.axes:
                extent = a.extent()
                name = f"dim{a.n}"
                self.line(f"{rng.choice(['int', 'const int'])} {name} = {extent};")
                a.name = name
        if self.ordered or self.chance(0.25):
            self.line("assert(N <= M);")
        names = [a.name for a in self.arrays if a.declared]
        rng.shuffle(names)
        self.cached = names[:rng.randint(0, len(names))]
        if self.chance(0.25):
            self.cached = names
        self.open("meta_schedule")
        begin = len(self.lines)
        for a in self.axes:
            self.open(f"meta_for ({a.grid_loop()})")
        self.line("@G" + ", ".join([a.g for a in self.axes] + ["0"] * (3 - n)) + ";")
        outer = None
        if several:
            self.bands(written)
        else:
            opened = 0
            if self.chance(0.15):
                outer = self.new("o")
                self.open(f"for (int {outer} = 0; {outer} < {rng.choice(['m', '2', 't'])}; {outer}++)")
                self.serial.append(outer)
                opened = 1
            elif self.chance(0.08):
                self.open(f"if ({rng.choice(['t % 2', self.axes[0].g + ' > 0', 'w < 3'])})")
                opened = 1
            self.band(lambda: self.contents(written, two_planes, edge))
            self.close(opened)
        self.close(n + 1)
        body = "\n".join(self.lines[begin:])
        self.cached = [name for name in self.cached if f"{name}[" in body]
        if self.cached:
            self.lines[begin - 1] = self.lines[begin - 1].replace(" {", f" cache({', '.join(self.cached)}) {{")

    def contents(self, written, two_planes, edge):
        if two_planes:
            self.nest(None, lambda: self.parity(two_planes, written))
            if self.chance(0.6):
                return
        if edge and self.chance(0.6):
            self.nest(None, lambda: self.border(edge, written))
            if self.chance(0.6):
                return
        self.nest(written)
        if self.chance(0.15):
            self.nest(written)

    def scalars(self):
        text = plain("\n".join(self.lines)) + " ".join(" ".join(a.declared) for a in self.arrays)
        return [name for _, name in SCALARS if re.search(rf"\b{name}\b", text)]

    def source(self):
        body = "\n".join(self.lines)
        used = self.scalars()
        scalars = [f"{kind} {name}" for kind, name in SCALARS if name in used]
        arguments = [a.argument(random.Random(self.name + a.name), self.risky) for a in self.arrays]
        return f"void {self.name}({', '.join(scalars + arguments)})\n{{\n{body}\n}}\n"


def make(seed, number, risky):
    return Function(random.Random(f"{seed}.{number}"), f"f{number}", risky)
