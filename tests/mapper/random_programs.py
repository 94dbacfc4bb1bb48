"""Random affine programs through `treefork map`: the mapped texts equal their sources.

    python3 random_programs.py BUILD [--seed N] [--count N] [--keep FOLDER]

Each program is a fragment of nests over two sizes, with triangles, steps, loops downwards, conditions on iterators and on data,
private scalars, host scalars, scalars that are read behind, and subscripts that meet in many ways. Arithmetic is unsigned, so nothing is undefined. Every
third is a nest like those of triangular systems and factorizations, whose statements update one array from what they wrote before; every
second declares its iterators ahead, so that several loops share one. With --refused
statements that cannot be mapped stand among the others: calls, writes through indices, `break`, loops whose bounds are data. With --flat
they are those of random_flat.py, with --forms those of random_forms.py, with --choices those of random_choices.py. Mapped and source are compiled together and compared at several sizes and extents of blocks; the mapped
text runs a second time with all blocks and threads in the opposite order. With --restyled each program is mapped in other styles
(tools/restyle), and a fourth text that must give the same is the restyled one as it stands. With --judge K the regions of the first K are
also judged by ir/access. Prints how many were mapped, how many have no independent loop, how many differ, and what the judge says; ends with 1
if any differs, if any is refused for another reason, or if the judge finds a conflict.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import random_choices
import random_flat
import random_forms

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from restyling import styles, unit
SIDE = 48
NAMES = sorted(set(random_flat.NAMES + random_forms.NAMES + random_choices.NAMES))
# Loops that data ends, where no loop around them can be an axis and nothing else can be mapped.
ENDED = ("`break`", "`continue`", "`while`", "a `do` loop", "with c a number other than 0")
ARRAYS = {"a": 1, "b": 1, "c": 2, "d": 2}
MAIN = """
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
unsigned twist(unsigned *x, unsigned *y, unsigned z)
{
    x[z % 7u] += y[3];
    y[5] ^= z;
    return x[2] + 1u;
}
typedef void program(int n, int m, unsigned *a, unsigned *b, unsigned c[SIDE][SIDE], unsigned d[SIDE][SIDE]);
DECLARATIONS
static program *const programs[][TEXTS] = {TABLE};
struct memory { unsigned a[SIDE], b[SIDE], c[SIDE][SIDE], d[SIDE][SIDE]; };
static struct memory first, source, other;
static void run(program *function, struct memory *memory, int n, int m)
{
    *memory = first;
    function(n, m, memory->a, memory->b, memory->c, memory->d);
}
int main(void)
{
    static const int sizes[] = {0, 1, 2, 5, 9, -2};
    int wrong = 0;
    for (size_t i = 0; i < sizeof first / sizeof(unsigned); i++)
        ((unsigned *)&first)[i] = (unsigned)i * 2654435761u >> 7;
    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++)
        for (int x = 0; x < 36; x++) {
            int n = sizes[x / 6], m = sizes[x % 6];
            run(programs[k][0], &source, n, m);
            int same = 1;
            while (same < TEXTS) {
                run(programs[k][same], &other, n, m);
                if (memcmp(&source, &other, sizeof source))
                    break;
                same++;
            }
            if (same < TEXTS) {
                printf("program %s differs at n=%d, m=%d: %s\\n", NAMES[k], n, m, KINDS[same]);
                wrong++;
                break;
            }
        }
    printf("%d differ\\n", wrong);
    return wrong != 0;
}
"""


class Program:
    def __init__(self, rng, refuses=False):
        self.rng = rng
        self.refuses = refuses
        self.is_old = False              # iterators as in C89
        self.lines = []
        self.n_private = 0
        self.named = []                  # integers that are named in the loops around

    def subscript(self, iterators):
        rng = self.rng
        shift = rng.randint(4, 7)
        if not iterators or rng.random() < 0.08:
            return str(shift)
        i = rng.choice(iterators + self.named)
        form = rng.random()
        if form < 0.7:
            return f"{i} + {shift}"
        if form < 0.8:
            return f"{rng.choice('nm')} - {i} + {shift + 12}"
        if form < 0.9:
            return f"2 * {i} + {shift}"
        return f"{i} + {rng.choice(iterators)} + {shift}"

    def element(self, iterators):
        name = self.rng.choice(list(ARRAYS))
        return name + "".join(f"[{self.subscript(iterators)}]" for _ in range(ARRAYS[name]))

    def value(self, iterators, scalars):
        rng = self.rng
        parts = [self.element(iterators) for _ in range(rng.randint(1, 2))]
        if scalars and rng.random() < 0.7:
            parts.append(rng.choice(scalars))
        if iterators and rng.random() < 0.2:
            parts.append(f"(unsigned){rng.choice(iterators)}")
        if rng.random() < 0.1:
            parts.append("b[a[5] % 7]")
        return rng.choice((" + ", " * ", " ^ ")).join(parts) + f" + {rng.randint(0, 9)}u"

    def statement(self, iterators, scalars, indent):
        rng = self.rng
        kind = rng.random()
        target = self.element(iterators)
        if kind < 0.1:
            name = next(f"t{k}" for k in range(99) if f"t{k}" not in scalars)
            self.lines.append(f"{indent}unsigned {name} = {self.value(iterators, scalars)};")
            scalars.append(name)
        elif kind < 0.2 and "s" in scalars:
            self.lines.append(f"{indent}s = {self.value(iterators, scalars)};")
        elif kind < 0.28:
            self.lines.append(f"{indent}if ({self.element(iterators)} % 3u)")
            self.lines.append(f"{indent}    {target} = {self.value(iterators, scalars)};")
        elif kind < 0.33 and iterators:
            self.repeat(iterators, scalars, indent)
        elif kind < 0.43 and iterators:
            bound = rng.choice([f"< {rng.choice('nm')} - 1", "> 1", f"<= {rng.choice(iterators)}", "== 0"])
            self.lines.append(f"{indent}if ({rng.choice(iterators)} {bound})")
            self.lines.append(f"{indent}    {target} {rng.choice(('=', '+='))} {self.value(iterators, scalars)};")
        else:
            self.lines.append(f"{indent}{target} {rng.choice(('=', '+=', '='))} {self.value(iterators, scalars)};")

    def repeat(self, iterators, scalars, indent):
        """A loop that data ends."""
        rng = self.rng
        name = f"q{self.n_private}"
        self.n_private += 1
        update = f"{self.element(iterators)} {rng.choice(('=', '+=', '^='))} {self.value(iterators, scalars)}"
        if "s" in scalars and rng.random() < 0.4:
            update = f"s = {rng.choice(('', 's + '))}{self.value(iterators, scalars)}; {update}"
        jump = f"if ({self.element(iterators)} % 3u == {name} % 3u) {rng.choice(('break', 'continue', 'break'))};"
        jump = jump if rng.random() < 0.6 else ""
        rounds = f"{self.element(iterators)} % 5u"
        self.lines.append(indent + rng.choice([
            f"{{ unsigned {name} = {rounds}; while ({name} > 0u) {{ {name}--; {jump} {update}; }} }}",
            f"for (int {name} = 0; {name} < {rng.choice('nm')}; {name}++) {{ {jump} {update}; }}",
            f"for (unsigned {name} = 0u; {name} < 4u && {rounds} > {name}; {name}++) {{ {update}; {jump} }}",
            f"{{ unsigned {name} = 0u; do {{ {name}++; {update}; {jump} }} while ({name} < {rounds} && {name} < 6u); }}"]))

    def refused(self, iterators, scalars, indent):
        """Something that the mapper does not know; half the time with a nest in it."""
        rng = self.rng
        name = f"q{self.n_private}"
        self.n_private += 1
        kind = rng.randint(0, 5)
        if kind == 0:
            self.lines.append(f"{indent}a[b[{rng.randint(0, 9)}] % 11u] += {self.value(iterators, scalars)};")
        elif kind == 1:
            self.lines.append(f"{indent}twist(a, b, s);")
        elif kind == 2:
            self.lines.append(f"{indent}s = twist(b, a, h);")
        else:
            heads = [f"for (unsigned {name} = 0; {name} < b[{kind}] % 4u; {name}++) {{", f"if (a[{kind}] & 1u) {{",
                     f"for (unsigned {name} = 0; ;) {{ if ({name}++ > 1u) break;"]
            self.lines.append(indent + heads[kind - 3])
            if len(iterators) < 2 and rng.random() < 0.5:
                self.nest(iterators, scalars, indent + "    ")
            else:
                self.statement(iterators, [], indent + "    ")
            self.lines.append(f"{indent}}}")

    def counter(self, name):
        return name if self.is_old else f"int {name}"

    def header(self, name, iterators):
        rng = self.rng
        low = rng.choice(["0", "0", "1"] + iterators)
        high = rng.choice(["n", "m", "n - 1"] + [f"{i} + 1" for i in iterators])
        if rng.random() < 0.2:
            return f"for ({self.counter(name)} = {high} - 1; {name} >= {low}; {name}--)"
        step = rng.choice(["++", "++", "++", "++", " += 2"])
        return f"for ({self.counter(name)} = {low}; {name} < {high}; {name}{step})"

    def nest(self, iterators, scalars, indent):
        rng = self.rng
        name = "ijkl"[len(iterators)]
        self.lines.append(f"{indent}{self.header(name, iterators)} {{")
        own, inner, n_named = list(scalars), indent + "    ", len(self.named)
        if rng.random() < 0.3:
            alias = f"x{len(self.named)}"
            self.lines.append(f"{inner}const int {alias} = {rng.choice([name] + self.named)} + {rng.randint(-1, 1)};")
            self.named.append(alias)
        if not own and rng.random() < 0.3:
            self.lines.append(f"{inner}s = {self.value(iterators + [name], [])};")
            own.append("s")
        for _ in range(rng.randint(1, 3)):
            if len(iterators) < 2 and rng.random() < 0.5:
                self.nest(iterators + [name], own, inner)
            elif self.refuses and rng.random() < 0.2:
                self.refused(iterators + [name], own, inner)
            else:
                self.statement(iterators + [name], own, inner)
        del self.named[n_named:]
        self.lines.append(f"{indent}}}")

    def text(self, name):
        scalars = []
        if self.rng.random() < 0.2:
            self.lines.append("    h = (unsigned)n * 3u;")
            scalars.append("h")
        for _ in range(self.rng.randint(1, 3)):
            self.nest([], scalars, "    ")
            if self.refuses and self.rng.random() < 0.4:
                self.refused([], [], "    ")
        restrict = "" if self.rng.random() < 0.3 else "restrict "
        body = "\n".join(self.lines)
        behind = "    a[0] ^= s + h;\n" if self.rng.random() < 0.3 else ""
        ahead = "    int i, j, k, l;\n" if self.is_old else ""
        twist = "unsigned twist(unsigned *x, unsigned *y, unsigned z);\n"
        return twist + (f"void {name}(int n, int m, unsigned *{restrict}a, unsigned *{restrict}b, unsigned c[{restrict}{SIDE}][{SIDE}], "
                f"unsigned d[{restrict}{SIDE}][{SIDE}])\n{{\n{ahead}    unsigned h = 1u, s = 2u;\n#pragma scop\n{body}\n#pragma endscop\n{behind}}}\n")


class Triangle(Program):
    """for i: statements, loops over j or k with statements and loops: updates from the left of c, or of a by c."""

    def element(self, iterators):
        rng = self.rng
        if not iterators:
            return super().element(iterators)
        first, second = (rng.choice(iterators) for _ in range(2))
        form = rng.random()
        if form < 0.25:
            return f"a[{first} + {rng.choice((0, 0, 0, 1))}]"
        if form < 0.3:
            return f"d[{first}][{second}]"
        if form < 0.5:
            return f"c[{first} + {rng.choice((0, 0, 0, 1))}][{second}]"
        ordered = sorted((first, second), reverse=rng.random() < 0.9)
        return f"c[{iterators[0]}][{iterators[-1]}]" if form < 0.8 else f"c[{ordered[0]}][{ordered[1]}]"

    def header(self, name, iterators):
        rng = self.rng
        if not iterators:
            return rng.choice([f"for ({self.counter(name)} = 0; {name} < n; {name}++)", f"for ({self.counter(name)} = n - 1; {name} >= 0; {name}--)"])
        outer = rng.choice(iterators[-1:] + iterators)
        if rng.random() < 0.7:
            return f"for ({self.counter(name)} = 0; {name} < {outer}; {name}++)"
        return rng.choice([f"for ({self.counter(name)} = {outer}; {name} < n; {name}++)", f"for ({self.counter(name)} = {outer} + 1; {name} < n; {name}++)",
                           f"for ({self.counter(name)} = {outer} - 1; {name} >= 0; {name}--)"])

    def update(self, iterators, scalars, indent):
        rng = self.rng
        if rng.random() < 0.15:
            return self.statement(iterators, scalars, indent)
        target = rng.choice([self.element(iterators), self.element(iterators[:2]), f"c[{iterators[0]}][{iterators[1 % len(iterators)]}]",
                             f"a[{iterators[0]}]"])
        read = rng.choice([self.element(iterators), self.element(iterators), f"c[{iterators[-1]}][{iterators[-1]}]", f"a[{iterators[-1]}]"])
        self.lines.append(f"{indent}{target} {rng.choice(('-=', '-=', '=', '^='))} {self.element(iterators)} * {read} + 3u;")

    def nest(self, iterators, scalars, indent):
        rng = self.rng
        name = "ijk"[len(iterators)]
        self.lines.append(f"{indent}{self.header(name, iterators)} {{")
        own, inner, within = list(scalars), indent + "    ", iterators + [name]
        for _ in range(rng.randint(1, 2)):
            if len(within) < 3 and rng.random() < 0.8:
                self.nest(within, own, inner)
            if len(within) == 3 or rng.random() < 0.6:
                self.update(within, own, inner)
        self.lines.append(f"{indent}}}")


def mapped(treefork, path, out):
    """The mapped text is in `out`: True; nothing is parallel: False; else the message."""
    with open(path) as file:
        whole = [] if "#pragma scop" in file.read() else ["--all"]
    done = subprocess.run([treefork, "map", "--with-loops", path, *whole, "-o", out], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode == 0:
        return "cut" if "warning: " in done.stdout and "stays as it is" in done.stdout else True
    return False if "no loop is independent" in done.stdout or "nothing to map" in done.stdout else done.stdout


def opposite(text):
    """The mapped text with every meta_for from its end."""
    pattern = r"meta_for \(([\w ]+?) (\w+) = 0; \2 < (.*); \2\+\+\)"
    text, n = re.subn(pattern, r"for (\1 \2 = \3; \2-- > 0;)", text)
    assert "meta_for" not in text and n > 0
    return text


class Count:
    """What became of the programs; `names`: the numbers of those that were mapped."""

    def __init__(self):
        self.names = []
        self.serial = self.refused = self.cut = self.wrong = 0

    def add(self, k, result, expects_refusals):
        if result is True or result == "cut":
            self.cut += result == "cut"
            self.names.append(k)
        elif result is False:
            self.serial += 1
        elif "may overlap" in result or any(word + " cannot" in result for word in ENDED) or (
                expects_refusals and ("cannot be mapped" in result or "is not known how many elements" in result)):
            self.refused += 1
        else:
            print(f"program {k}: {result}")
            self.wrong += 1


def expects_refusals(options):
    return options.refused or options.flat or options.forms or options.choices or options.restyled


def program_of(options, k):
    rng = random.Random(options.seed * 1000003 + k)
    if options.flat:
        return random_flat.Flat(rng)
    if options.forms:
        return random_forms.Forms(rng)
    if options.choices:
        return random_choices.Choices(rng)
    program = (Triangle if k % 3 == 2 else Program)(rng, options.refused)
    program.is_old = k % 2 == 1
    return program


def restyled(path, out, seed):
    """The program in other styles, in `out`; its path."""
    source = unit.Unit(path)
    styles.restyle(source, seed, styles.drawn(seed))
    with open(out, "w") as file:
        file.write(source.text())
    return out


def programs_map(options, treefork, folder, count):
    for k in range(options.count):
        path, out = os.path.join(folder, f"source{k}.c"), os.path.join(folder, f"mapped{k}.c")
        with open(path, "w") as file:
            file.write(program_of(options, k).text("program"))
        if options.restyled:
            path = restyled(path, os.path.join(folder, f"restyled{k}.c"), options.seed + k)
        result = mapped(treefork, path, out)
        count.add(k, result, expects_refusals(options))
        if result is True or result == "cut":
            with open(os.path.join(folder, f"opposite{k}.c"), "w") as file:
                file.write(opposite(open(out).read()))


def main_write(folder, names, kinds, is_apart):
    """main.c with all texts, whose own names are the file's; `is_apart`: their names alone."""
    with open(os.path.join(folder, "main.c"), "w") as file:
        file.write(f"#define SIDE {SIDE}\n#define TEXTS {len(kinds)}\n")
        for name in [f"{kind}{k}" for k in names for kind in kinds if not is_apart]:
            own = [word for word in NAMES if word.islower()]
            file.write("".join(f"#define {word} {name}_{word}\n" for word in own))
            file.write(f'#define program {name}\n#include "{os.path.join(folder, name)}.c"\n#undef program\n')
            file.write("".join(f"#undef {word}\n" for word in NAMES))
        numbers = ", ".join(f'"{k}"' for k in names)
        file.write(f"static const char *const NAMES[] = {{{numbers}}};\n")
        file.write("static const char *const KINDS[] = {%s};\n" % ", ".join(f'"{kind}"' for kind in kinds))
        rows = ", ".join("{%s}" % ", ".join(f"{kind}{k}" for kind in kinds) for k in names)
        declarations = "".join(f"program {kind}{k};\n" for k in names for kind in kinds if is_apart)
        file.write(MAIN.replace("DECLARATIONS", declarations).replace("TABLE", rows))


def compiled(folder, name):
    """The object of a text whose names meet those of others: `program` alone is seen outside, under the text's name."""
    made = os.path.join(folder, name + ".o")
    text = os.path.join(folder, name + ".c")
    cc(folder, "-c", f"-Dprogram={name}", "-o", made, text)
    subprocess.run(["objcopy", "-G", name, made], check=True)
    return made


def cc(folder, *arguments):
    made = subprocess.run(["cc", "-O1", "-w", "-I" + folder, *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if made.returncode:
        sys.exit(made.stdout[:4000])


def compare(folder, names, is_restyled):
    """Compiles and runs what was mapped; is one wrong?"""
    kinds = ["source", "restyled", "mapped", "opposite"] if is_restyled else ["source", "mapped", "opposite"]
    with open(os.path.join(folder, "metafork.h"), "w") as file:
        file.write("#ifndef meta_for\n#define meta_schedule\n#define meta_reduce(op, ...)\n#define meta_for for\n#define meta_tunable(d) ((d) > 9 ? 3 : 2)\n"
                   "static int metafork_asked;\n#define meta_threads() (++metafork_asked % 3 ? 1 << 20 : 1)\n"
                   "#define meta_pays(rounds, times) (++metafork_asked % 4 != 0)\n#define meta_paid() ((void)0)\n#endif\n")
    main_write(folder, names, kinds, is_restyled)
    objects = [compiled(folder, f"{kind}{k}") for k in names for kind in kinds if is_restyled]
    binary = os.path.join(folder, "main")
    cc(folder, "-o", binary, os.path.join(folder, "main.c"), *objects)
    done = subprocess.run([binary], text=True, stdout=subprocess.PIPE)
    print(done.stdout, end="")
    return done.returncode != 0


def judge(treefork, folder, names):
    """ir/access reads mapped texts as a person's: what it cannot prove it says why, and it finds no conflict. Is one wrong?"""
    proved, under, unknown, wrong = 0, 0, 0, 0
    for k in names:
        done = subprocess.run([treefork, "-d", "metafork", os.path.join(folder, f"mapped{k}.c")], text=True, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE)
        named = len(re.findall(r"is believed, not proved: \w.*", done.stderr))
        unknown += named > 0
        under += named == 0 and "are proved independent only where" in done.stderr
        proved += done.returncode == 0 and "independen" not in done.stderr
        if done.returncode or "not proved: \n" in done.stderr:
            print(f"program {k}: {done.stderr}")
            wrong += 1
    print(f"judge: {proved} proved, {under} proved under a condition, {unknown} not proved, each with its reason, {wrong} wrong")
    return wrong > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--judge", type=int, default=0, metavar="K")
    parser.add_argument("--keep")
    parser.add_argument("--refused", action="store_true")
    parser.add_argument("--flat", action="store_true")
    parser.add_argument("--forms", action="store_true")
    parser.add_argument("--choices", action="store_true")
    parser.add_argument("--restyled", action="store_true")
    options = parser.parse_args()
    treefork = os.path.join(os.path.abspath(options.build), "treefork")
    count = Count()
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.path.abspath(options.keep or temporary)
        os.makedirs(folder, exist_ok=True)
        programs_map(options, treefork, folder, count)
        count.wrong += compare(folder, count.names, options.restyled)
        count.wrong += judge(treefork, folder, count.names[:options.judge])
    others = "refused" if expects_refusals(options) else "whose overlap cannot be tested"
    print(f"{len(count.names)} mapped, {count.cut} of them in part, {count.serial} serial, {count.refused} {others}")
    return 1 if count.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
