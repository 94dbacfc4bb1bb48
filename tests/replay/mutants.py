"""Mapped texts that are broken on purpose: `treefork map --check` must see them.

    python3 mutants.py BUILD [--every N] [--seed N] [SOURCE ...]

Each source (those of tests/mapper/plain where none is named) is mapped, the text must compare
equal, and then each of the mutations below is made at each place where it can be, one at a time:
an iterator under another's name, another bound, a guard lost, statements exchanged or dropped,
blocks of another extent. --every N takes each N-th mutant. A mutant that is not seen is printed
with its line, unless EQUAL says why it means the same. Ends with 1 if a text of the mapper's own
differs, or if less than 95 of 100 mutants are seen.
"""
import argparse
import glob
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADER = re.compile(r"\bfor \((?:\w+ )*(\w+) = [^;]*; [^;]*; [^)]*\)")
LEAST = 95

# Mutants that mean the same where they are not seen: program, mutations, what the line has, why.
GUARDS = "widen_compare lose_part lose_guard"
EQUAL = [
    ("", GUARDS, r"j < n && j <= i|j < n - 1 && j < i", "j is not above i, and i is below n"),
    ("nussinov", GUARDS, r"j - 1 >= 0|i \+ 1 < n|j > i && j < n", "0 <= i < j < n"),
    ("gramschmidt|corr|cov", GUARDS, r"&& j >=? [ik]\)", "what is left implies it"),
    ("seidel", "drop_statement", r"^[it]_(first|last) = ", "guards say which points there are"),
    ("seidel", "widen_compare", r"^if \([it]_(first|last) [<>] ", "it is set to what it is"),
    ("", "widen_compare", r"^for \(int (k|w|step) = ", "a last round without a point"),
    ("floyd", "", r"path\[k\]\[k\]", "path[k][k] is not below 0, so nothing gets less by it"),
    ("adi", "rename_iterator", r"p\[i\]\[j", "the rows of p are alike"),
    ("adi", "drop_statement", r"\[0\] = ", "an earlier sweep has set it"),
    ("correlation", GUARDS, r"^if \(j < m - 1\)", "the last one is set to 1 behind it, too"),
]


def words_replaced(line, pattern, make):
    """A line for each match of the pattern, whose text is a template's or that of a function."""
    for match in re.finditer(pattern, line):
        new = match.expand(make) if isinstance(make, str) else make(match)
        if new is not None and new != match.group(0):
            yield line[:match.start()] + new + line[match.end():]


class Text:
    """A mapped text: its lines, and which of them the mapper made."""

    def __init__(self, text, source):
        self.lines = text.split("\n")
        known = {line.strip() for line in source.split("\n")}
        self.made, depth, inside = set(), 0, False
        for number, line in enumerate(self.lines):
            marks = "meta_schedule" in line or "meta_tunable" in line
            begins = marks or (line.strip() and line.strip() not in known)
            inside = inside or bool(begins and depth > 0)
            depth += line.count("{") - line.count("}")
            inside = inside and depth > 0
            if inside and line.strip() not in ("{", "}", "") and "/*" not in line:
                self.made.add(number)
        names = {name for line in self.lines for name in HEADER.findall(line)}
        names |= set(re.findall(r"(\w+) = [^;\n]*\bb\w+ \* B\d", text))
        self.iterators = sorted(name for name in names if len(name) == 1)
        sizes = set(re.findall(r"[<>]=? (\w+)\b", "\n".join(self.lines[k] for k in self.made)))
        self.sizes = sorted(name for name in sizes - names if not re.match(r"\d|B\d", name))

    def with_line(self, number, line, n=1):
        return "\n".join(self.lines[:number] + [line] + self.lines[number + n:])


def indent_of(line):
    return re.match(r"\s*", line).group(0)


def is_statement(line):
    words = r"\s*(for|if|while|const|int|long|double|float|unsigned|return)\b"
    return re.match(r"\s*[\w(*][^;{}]*=[^;{}]*;$", line) and not re.match(words, line)


def is_guard(line):
    return re.match(r"\s*if \(", line) and "meta_schedule" not in line


# --- mutations: a line and a source of choices to lines ---------------------------------------

def rename_iterator(text, number, rng):
    """One use of an iterator has another's name."""
    names, line = text.iterators, text.lines[number]
    if "meta_for" in line or len(names) < 2:
        return
    head = re.match(r"(\s*for \([^;]*)(;.*)", line)
    prefix, rest = head.groups() if head else ("", line)
    pattern = r"(?<![\w.>])(" + "|".join(names) + r")(?!\w|\(| =)"

    def other(match):
        return rng.choice([name for name in names if name != match.group(1)])

    for new in words_replaced(rest, pattern, other):
        yield prefix + new


def change_bound(text, number, rng):
    """A bound is one less, or another size."""
    line = text.lines[number]

    def other(match):
        others = [name for name in text.sizes if name != match.group(2)]
        known = match.group(2) in text.sizes and others
        return f"{match.group(1)} {rng.choice(others)}" if known else None

    yield from words_replaced(line, r"(; [^;<>]* [<>]=? \w+)(?=;)", r"\1 - 1")
    yield from words_replaced(line, r"([<>]=?) (\w+)\b(?=[;)& ])", other)


def shift_begin(text, number, _):
    """A loop begins one later."""
    yield from words_replaced(text.lines[number], r"(\bfor \((?:\w+ )*\w+ = [^;]*);", r"\1 + 1;")


def widen_compare(text, number, _):
    """`<` for `<=` and the other way round, in guards and loops."""
    swap = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
    line = text.lines[number]
    if is_guard(line) or re.match(r"\s*(for|while) ", line):
        yield from words_replaced(line, r" (<=|<|>=|>) ", lambda at: f" {swap[at.group(1)]} ")


def lose_guard(text, number, _):
    """An `if` without `else` always holds."""
    line = text.lines[number]
    after = "\n".join(text.lines[number + 1:number + 40])
    has_else = "else" in line or re.match(r"[^}]*\n\s*} else|[^\n]*\n\s*else", after)
    if is_guard(line) and not has_else:
        yield re.sub(r"if \(.*\)( \{)?$", lambda at: f"if (1){at.group(1) or ''}", line)


def lose_part(text, number, _):
    """A conjunction of a guard has a part less."""
    line = text.lines[number]
    if is_guard(line) and " && " in line and "||" not in line:
        yield re.sub(r"if \((.*?) && ", "if (", line, count=1)
        yield re.sub(r" && [^&]*\)( \{)?$", lambda at: f"){at.group(1) or ''}", line, count=1)


def drop_statement(text, number, _):
    line = text.lines[number]
    if is_statement(line):
        yield indent_of(line) + ";"


def exchange(text, number, _):
    """Two statements one after the other, of which one reads what the other writes."""
    first, second = (text.lines + [""])[number:number + 2]
    target = re.match(r"\s*(\w+)", first)
    if (is_statement(first) and is_statement(second) and indent_of(first) == indent_of(second) and
            target.group(1) in second):
        yield second + "\n" + first


def break_tile(text, number, _):
    """Blocks that overlap or leave gaps, grids that are not rounded up."""
    line = text.lines[number]
    yield from words_replaced(line, r"(\bb\w+) \* (B\d+)", r"\1 * (\2 + 1)")
    yield from words_replaced(line, r"\((.*) \+ (B\d+) - 1\) / \2", r"(\1) / \2")
    yield from words_replaced(line, r"(\w+ = )(.+? \+ )(b\w+ \* B\d)", r"\1\3")


def change_subscript(text, number, _):
    """`i - 1` for `i + 1`, `i` for `i + 1`."""
    line, pattern = text.lines[number], r"\b(\w+) ([-+]) (\d+)(?=\])"
    other = {"-": "+", "+": "-"}
    if is_statement(line):
        yield from words_replaced(
            line, pattern, lambda at: f"{at.group(1)} {other[at.group(2)]} {at.group(3)}")
        yield from words_replaced(line, pattern, r"\1")


def change_operand(text, number, _):
    """Another operator, or compound assignment."""
    line, other = text.lines[number], {"*": "-", "+": "-", "-": "+"}
    if is_statement(line):
        yield from words_replaced(line, r" (\+=|-=|\*=) ", " = ")
        yield from words_replaced(line, r"(?<=\]) ([*+-]) ", lambda at: f" {other[at.group(1)]} ")


MUTATIONS = [rename_iterator, change_bound, shift_begin, widen_compare, lose_guard, lose_part,
             drop_statement, exchange, break_tile, change_subscript, change_operand]


def mutants_of(text, rng):
    """(the mutation's name, the number of the line, the line as it is then, the text)"""
    for number in sorted(text.made):
        for mutation in MUTATIONS:
            for line in mutation(text, number, rng):
                whole = text.with_line(number, line, 2 if mutation is exchange else 1)
                yield mutation.__name__, number, line, whole


# --- checks -----------------------------------------------------------------------------------

class Count:
    def __init__(self):
        self.seen = self.missed = self.no_c = self.equal = self.texts = self.unequal = 0


def check(treefork, source, path):
    """"equal", "different", "no C" or what else it says."""
    done = subprocess.run([treefork, "map", "--check", path, source], text=True,
                          capture_output=True)
    if done.returncode == 0:
        return "not checked" if ": not checked" in done.stdout else "equal"
    if "computes something else" in done.stderr:
        return "different"
    return "no C" if done.returncode == 1 else done.stderr


def means_same(program, mutation, line):
    return any(re.search(which, program) and mutation in (mutations or mutation).split() and
               re.search(pattern, line) for which, mutations, pattern, _ in EQUAL)


def mutant_count(count, name, text, mutant, verdict):
    mutation, number, line, _ = mutant
    old = text.lines[number].strip()
    if verdict == "different":
        count.seen += 1
    elif verdict == "no C":
        count.no_c += 1
    elif means_same(name, mutation, old):
        count.equal += 1
    else:
        count.missed += 1
        print(f"{name}:{number + 1}: {mutation} is {verdict}\n    {old}\n    {line.strip()}")


def program_try(treefork, source, folder, options, count):
    mapped, name = os.path.join(folder, "mapped.c"), os.path.relpath(source, ROOT)
    made = subprocess.run([treefork, "map", source, "-o", mapped], capture_output=True, text=True)
    if made.returncode:
        print(f"{name}: {made.stderr}")
        count.unequal += made.returncode == 3
        return
    with open(mapped) as own, open(source) as file:
        text = Text(own.read(), file.read())
    count.texts += 1
    if check(treefork, source, mapped) != "equal":
        print(f"{name}: its own text: {check(treefork, source, mapped)}")
        count.unequal += 1
    for index, mutant in enumerate(mutants_of(text, random.Random(options.seed))):
        if (index + options.seed) % options.every:
            continue
        with open(mapped, "w") as file:
            file.write(mutant[-1])
        mutant_count(count, name, text, mutant, check(treefork, source, mapped))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("sources", nargs="*")
    options = parser.parse_args()
    treefork = os.path.join(os.path.abspath(options.build), "treefork")
    plain = sorted(glob.glob(os.path.join(ROOT, "tests/mapper/plain/*.c")))
    count = Count()
    with tempfile.TemporaryDirectory() as folder:
        for source in options.sources or plain:
            program_try(treefork, os.path.abspath(source), folder, options, count)
    mutants = count.seen + count.missed
    share = 100 * count.seen / max(mutants, 1)
    print(f"{count.texts} texts, {count.unequal} of the mapper's own differ; {mutants} mutants, "
          f"{count.seen} seen ({share:.1f} %), {count.equal} others mean the same, "
          f"{count.no_c} are no C")
    return 1 if count.unequal or share < LEAST or not count.texts else 0


if __name__ == "__main__":
    sys.exit(main())
