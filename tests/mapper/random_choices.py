"""Random programs with conditions on data around loops, for random_programs.py: `if (b[j] % 3u) { t = …; for (i …) … } else if …`,
`if (…) continue;`, scalars that are set before such a loop and perhaps read behind, conditions on what the loop changes.

Each file has a static function with the fragment and the function `program` that random_programs.py calls. The name in NAMES is the
file's own."""

NAMES = ("body",)


class Choices:
    def __init__(self, rng, refuses=False):
        self.rng = rng
        self.lines = []
        self.is_old = rng.random() < 0.5              # iterators as in C89
        self.is_restrict = rng.random() < 0.7
        self.is_calm = rng.random() < 0.6             # conditions read what no loop changes
        self.n_own = 0

    def element(self, name, iterators):
        rng = self.rng
        i, j = iterators[-1], rng.choice(iterators)
        if rng.random() < 0.8 and len(iterators) > 1:
            j = iterators[0]
        return f"{name}[{i} + {j} * ld]" if name in "fg" else f"{name}[{rng.choice((i, j))}]"

    def value(self, iterators, scalars):
        rng = self.rng
        parts = [self.element(rng.choice("bgg" if rng.random() < 0.8 else "af"), iterators)]
        if scalars and rng.random() < 0.7:
            parts.append(rng.choice(scalars))
        return rng.choice((" + ", " * ", " ^ ")).join(parts) + f" + {rng.randint(0, 9)}u"

    def condition(self, iterators):
        rng = self.rng
        read = self.element(rng.choice("bg" if self.is_calm else "abfg"), iterators)
        return rng.choice((f"{read} % 3u != 0u", f"{read} % 2u", f"{read} > 1000u", f"!({read} & 2u)", "x > 1u", "x % 2u == 0u", "y < 0.5",
                           f"{read} % 2u && {iterators[0]} < n - 1", f"{iterators[0]} * {iterators[-1]} > 3",
                           "t % 2u" if not self.is_calm else "x & 4u"))

    def header(self, name, iterators):
        rng = self.rng
        counter = name if self.is_old else f"int {name}"
        low = rng.choice(["0", "0", "1"] + iterators)
        high = rng.choice(["n", "m", "ld", "n - 1"] + [f"{i} + 1" for i in iterators])
        if rng.random() < 0.2:
            return f"for ({counter} = {high} - 1; {name} >= {low}; {name}--)"
        return f"for ({counter} = {low}; {name} < {high}; {name}++)"

    def update(self, iterators, scalars, indent):
        rng = self.rng
        form = rng.random()
        if form < 0.12 and "t" in scalars:
            self.lines.append(f"{indent}t += {self.value(iterators, [])};")
        else:
            target = self.element(rng.choice("fffa"), iterators)
            self.lines.append(f"{indent}{target} {rng.choice(('=', '+=', '^='))} {self.value(iterators, scalars)};")

    def branch(self, iterators, scalars, indent):
        """What stands below a condition."""
        rng = self.rng
        own = list(scalars)
        if rng.random() < 0.5:
            self.lines.append(f"{indent}t = {self.value(iterators, [])};")
            own.append("t")
        if rng.random() < 0.3:
            self.lines.append(f"{indent}{rng.choice(('unsigned', 'const unsigned'))} w{self.n_own} = {self.value(iterators, own)};")
            own.append(f"w{self.n_own}")
            self.n_own += 1
        if rng.random() < 0.2:
            self.update(iterators, own, indent)
        for _ in range(rng.choice((1, 1, 1, 2))):
            self.nest(iterators, own, indent)
        if rng.random() < 0.25:
            self.update(iterators, own, indent)

    def choice(self, iterators, scalars, indent):
        rng = self.rng
        if rng.random() < 0.15:
            self.lines.append(f"{indent}if ({self.condition(iterators)})")
            self.lines.append(f"{indent}    continue;")
            self.nest(iterators, scalars, indent)
            return
        self.lines.append(f"{indent}if ({self.condition(iterators)}) {{")
        self.branch(iterators, scalars, indent + "    ")
        for word in rng.choice(([], [], [], ["else"], ["if"], ["if", "else"])):
            self.lines.append(f"{indent}}} else {{" if word == "else" else f"{indent}}} else if ({self.condition(iterators)}) {{")
            self.branch(iterators, scalars, indent + "    ")
        self.lines.append(f"{indent}}}")

    def nest(self, iterators, scalars, indent):
        rng = self.rng
        name = "jki"[len(iterators)]
        self.lines.append(f"{indent}{self.header(name, iterators)} {{")
        own, inner, within = list(scalars), indent + "    ", iterators + [name]
        for _ in range(rng.choice((1, 1, 2))):
            form = rng.random()
            if len(within) < 3 and form < 0.65:
                self.choice(within, own, inner)
            elif len(within) < 3 and form < 0.8:
                self.nest(within, own, inner)
            else:
                self.update(within, own, inner)
        self.lines.append(f"{indent}}}")

    def text(self, name):
        for _ in range(self.rng.choice((1, 1, 2))):
            self.nest([], [], "    ")
        restrict = "restrict " if self.is_restrict else ""
        pointers = ", ".join(f"unsigned *{restrict}{array}" for array in "abfg")
        ahead = "    int i, j, k;\n" if self.is_old else ""
        behind = "    a[0] ^= t;\n" if self.rng.random() < 0.2 else ""
        body = "\n".join(self.lines)
        return (f"static void body(int n, int m, int ld, unsigned x, double y, {pointers})\n{{\n{ahead}    unsigned t = 2u;\n#pragma scop\n"
                f"{body}\n#pragma endscop\n{behind}}}\n"
                f"void {name}(int n, int m, unsigned *a, unsigned *b, unsigned c[48][48], unsigned d[48][48])\n{{\n"
                "    body(n, m, (n > m ? n : m) + 1, a[9] % 5u, n - m, a, b, &c[0][0], &d[0][0]);\n}\n")
