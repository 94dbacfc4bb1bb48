"""Mapped texts that are broken on purpose: `treefork map --check` must see them.

    python3 mutants.py BUILD [--every N] [--seed N] [--show] [SOURCE ...]

Each source (those of tests/mapper/plain where none is named) is mapped, the text must compare equal, and then each of the
mutations below is made at each place where it can be, one at a time: an iterator under another's name, another bound, a guard
lost, statements exchanged or dropped, blocks of another extent. --every N takes each N-th mutant. A mutant that is not seen is
printed with its line, unless EQUAL says why it means the same. Ends with 1 if a text of the mapper's own differs, or if less
than 95 of 100 mutants are seen.
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
HEADER = re.compile(r"\bfor \((?:const )?(?:unsigned |long |int )*(\w+) = ([^;]*); ([^;]*); ([^)]*)\)")
LEAST = 95

# Mutants of these forms mean the same: (mutation, what the line has, why).
EQUAL = []


def words_replaced(line, pattern, make):
    """A line for each match of the pattern, with the match's text made anew; None of `make` leaves one out."""
    for match in re.finditer(pattern, line):
        new = make(match)
        if new is not None and new != match.group(0):
            yield line[:match.start()] + new + line[match.end():]


class Text:
    """A mapped text: its lines, and which of them the mapper made."""

    def __init__(self, text, source):
        self.lines = text.split("\n")
        known = {line.strip() for line in source.split("\n")}
        self.made, depth, inside = set(), 0, False
        for number, line in enumerate(self.lines):
            begins = "meta_schedule" in line or "meta_tunable" in line or (line.strip() and line.strip() not in known)
            inside = inside or bool(begins and depth > 0)
            depth += line.count("{") - line.count("}")
            inside = inside and depth > 0
            if inside and line.strip() not in ("{", "}", "") and "/*" not in line:
                self.made.add(number)
        self.iterators = sorted({match.group(1) for line in self.lines for match in HEADER.finditer(line)} |
                                {name for line in self.lines for name in re.findall(r"(\w+) = [^;]*\bb\w+ \* B\d", line)})
        self.sizes = sorted(set(re.findall(r"[<>]=? (\w+)\b", "\n".join(self.lines[k] for k in self.made))) - set(self.iterators))
        self.sizes = [name for name in self.sizes if not re.match(r"\d|B\d", name)]

    def with_line(self, number, *lines):
        return "\n".join(self.lines[:number] + list(lines) + self.lines[number + 1:])


def plain_iterators(text):
    return [name for name in text.iterators if len(name) == 1]


def rename_iterator(text, number, rng):
    """One use of an iterator has another's name."""
    names = plain_iterators(text)
    line = text.lines[number]
    if "meta_for" in line or len(names) < 2:
        return
    head = re.match(r"(\s*for \()([^;]*)(;.*)", line)
    prefix, rest = (head.group(1) + head.group(2), head.group(3)) if head else ("", line)
    for new in words_replaced(rest, r"(?<![\w.>])(" + "|".join(names) + r")(?!\w|\(| =)",
                              lambda match: rng.choice([name for name in names if name != match.group(1)])):
        yield prefix + new


def change_bound(text, number, rng):
    """A bound is one less, or another size."""
    line = text.lines[number]
    yield from words_replaced(line, r"(; [^;<>]* )(<|<=|>|>=) (\w+)(?=;)", lambda match: f"{match.group(1)}{match.group(2)} {match.group(3)} - 1")
    others = {name: [other for other in text.sizes if other != name] for name in text.sizes}
    yield from words_replaced(line, r"([<>]=?) (\w+)\b(?=[;)& ])",
                              lambda match: f"{match.group(1)} {rng.choice(others[match.group(2)])}" if others.get(match.group(2)) else None)


def shift_begin(text, number, rng):
    """A loop begins one later."""
    yield from words_replaced(text.lines[number], r"(\bfor \((?:\w+ )*\w+ = )([^;]*);", lambda match: f"{match.group(1)}{match.group(2)} + 1;")


def widen_compare(text, number, rng):
    """`<` for `<=` and the other way round, in guards and loops."""
    swap = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
    if re.match(r"\s*(if|for|while) ", text.lines[number]) and "meta_schedule" not in text.lines[number]:
        yield from words_replaced(text.lines[number], r" (<=|<|>=|>) ", lambda match: f" {swap[match.group(1)]} ")


def lose_guard(text, number, rng):
    """An `if` without `else` always holds."""
    line = text.lines[number]
    after = "\n".join(text.lines[number + 1:number + 40])
    if re.match(r"\s*if \(", line) and "else" not in line and "meta_schedule" not in line and not re.match(r"[^}]*\n\s*} else|[^\n]*\n\s*else", after):
        yield re.sub(r"if \(.*\)( \{)?$", lambda match: f"if (1){match.group(1) or ''}", line)


def lose_part(text, number, rng):
    """A conjunction of a guard has a part less."""
    line = text.lines[number]
    if re.match(r"\s*if \(", line) and " && " in line and "||" not in line and "meta_schedule" not in line:
        yield re.sub(r"if \((.*?) && ", "if (", line, count=1)
        yield re.sub(r" && [^&]*\)( \{)?$", lambda match: f"){match.group(1) or ''}", line, count=1)


def is_statement(line):
    return re.match(r"\s*[\w(*][^;{}]*=[^;{}]*;$", line) and not re.match(r"\s*(for|if|while|const|int|long|double|float|unsigned|return)\b", line)


def drop_statement(text, number, rng):
    line = text.lines[number]
    if is_statement(line):
        yield re.match(r"\s*", line).group(0) + ";"


def exchange(text, number, rng):
    """Two statements one after the other, of which one reads what the other writes."""
    if number + 1 >= len(text.lines):
        return
    first, second = text.lines[number], text.lines[number + 1]
    indent = re.match(r"\s*", first).group(0)
    target = re.match(r"\s*(\w+)", first)
    if is_statement(first) and is_statement(second) and re.match(r"\s*", second).group(0) == indent and target.group(1) in second:
        yield second + "\n" + first + "\0"


def break_tile(text, number, rng):
    """Blocks that overlap or leave gaps, grids that are not rounded up."""
    line = text.lines[number]
    yield from words_replaced(line, r"(\bb\w+) \* (B\d+)", lambda match: f"{match.group(1)} * ({match.group(2)} + 1)")
    yield from words_replaced(line, r"\((.*) \+ (B\d+) - 1\) / \2", lambda match: f"({match.group(1)}) / {match.group(2)}")
    yield from words_replaced(line, r"(\w+ = )(.+? \+ )(b\w+ \* B\d)", lambda match: f"{match.group(1)}{match.group(3)}")


def change_subscript(text, number, rng):
    """`i - 1` for `i + 1`, `i` for `i + 1`."""
    line = text.lines[number]
    if is_statement(line):
        yield from words_replaced(line, r"\b(\w+) ([-+]) (\d+)(?=\])", lambda match: f"{match.group(1)} {'-+'[match.group(2) == '-']} {match.group(3)}")
        yield from words_replaced(line, r"\b(\w+) ([-+]) (\d+)(?=\])", lambda match: match.group(1))


def change_operand(text, number, rng):
    """Another operator, or compound assignment."""
    line = text.lines[number]
    if is_statement(line):
        yield from words_replaced(line, r" (\+=|-=|\*=) ", lambda match: " = ")
        yield from words_replaced(line, r"(?<=\]) ([*+-]) ", lambda match: " - " if match.group(1) != "-" else " + ")


MUTATIONS = [rename_iterator, change_bound, shift_begin, widen_compare, lose_guard, lose_part, drop_statement, exchange, break_tile,
             change_subscript, change_operand]


def mutants_of(text, rng):
    """(mutation's name, number of the line, the line as it was, as it is, the text)"""
    for number in sorted(text.made):
        for mutation in MUTATIONS:
            for line in mutation(text, number, rng):
                if line.endswith("\0"):
                    whole = "\n".join(text.lines[:number] + line[:-1].split("\n") + text.lines[number + 2:])
                else:
                    whole = text.with_line(number, line)
                yield mutation.__name__, number + 1, text.lines[number].strip(), line.strip("\0 ").replace("\n", " "), whole


class Count:
    def __init__(self):
        self.seen, self.missed, self.no_c, self.equal, self.texts, self.unequal = 0, [], 0, 0, 0, 0


def check(treefork, source, path):
    """"equal", "different", "no C" or what else it says."""
    done = subprocess.run([treefork, "map", "--check", path, source, "-I", os.path.dirname(source)], text=True, capture_output=True)
    if done.returncode == 0:
        return "not checked" if ": not checked" in done.stdout else "equal"
    return "different" if "computes something else" in done.stderr else "no C" if done.returncode == 1 else done.stderr


def means_same(mutation, old):
    return any(mutation == name and re.search(pattern, old) for name, pattern, _ in EQUAL)


def program_try(treefork, source, folder, options, count):
    mapped = os.path.join(folder, "mapped.c")
    made = subprocess.run([treefork, "map", source, "-o", mapped], capture_output=True, text=True)
    name = os.path.relpath(source, ROOT)
    if made.returncode:
        print(f"{name}: {made.stderr.splitlines()[0] if made.stderr else made.returncode}")
        count.unequal += made.returncode == 3
        return
    text = Text(open(mapped).read(), open(source).read())
    count.texts += 1
    if check(treefork, source, mapped) != "equal":
        print(f"{name}: its own text: {check(treefork, source, mapped)}")
        count.unequal += 1
    rng = random.Random(options.seed)
    for index, (mutation, number, old, new, whole) in enumerate(mutants_of(text, rng)):
        if (index + options.seed) % options.every:
            continue
        with open(mapped, "w") as file:
            file.write(whole)
        verdict = check(treefork, source, mapped)
        if verdict == "different":
            count.seen += 1
        elif verdict == "no C":
            count.no_c += 1
        elif means_same(mutation, old):
            count.equal += 1
        else:
            count.missed.append(mutation)
            print(f"{name}:{number}: {mutation} is {verdict}\n    {old}\n    {new}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("sources", nargs="*")
    options = parser.parse_args()
    treefork = os.path.join(os.path.abspath(options.build), "treefork")
    sources = options.sources or sorted(glob.glob(os.path.join(ROOT, "tests/mapper/plain/*.c")))
    count = Count()
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            program_try(treefork, os.path.abspath(source), folder, options, count)
    all_of = count.seen + len(count.missed)
    share = 100 * count.seen / max(all_of, 1)
    print(f"{count.texts} texts, {count.unequal} of the mapper's own differ; {all_of} mutants, {count.seen} seen ({share:.1f} %), "
          f"{count.equal} mean the same, {count.no_c} no C")
    return 1 if count.unequal or share < LEAST or not count.texts else 0


if __name__ == "__main__":
    sys.exit(main())
