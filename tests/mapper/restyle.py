"""Programs in other styles (tools/restyle) through `treefork map`: the plan and the results stay.

    python3 restyle.py BUILD [--count N] [--first SEED] [--program PATTERN] [--style each|NAME,...]
                             [--keep FOLDER] [--self K]
    python3 restyle.py BUILD mutants      mapped texts that are broken on purpose: are they noticed?
    python3 restyle.py BUILD gaps         is each row of restyle.gaps still needed?
    python3 restyle.py BUILD listed [--list FILE]     the pairs of a list (restyle.once)

Each pair of a program and a seed is restyled, mapped and compiled; the mapped text runs beside the
original source on the same data, and must give the same bits. It must also have the original's plan
(`treefork -d schedule`: fragments, host loops, chains, regions with their axes and blocks, up to
names) and as many regions; where the restyled program has another one its style must be among those
of restyle.gaps. What tells of a pair has a line of its own:

    WRONG     the mapped text gives other results, or does not compile, or the tool crashed:
              always a failure
    STYLE     the restyled source itself gives other results or warnings: a defect of tools/restyle
    PLAN      another plan, or none: a failure unless a known gap says so

Each K-th restyled source itself is compared with its original, and each of those that are wrong.
Ends with 1 after a failure. """

import argparse
import collections
import difflib
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, "tools"), FOLDER]
import mapper
from restyle_driver import driver
from restyling import styles, unit

CC = ["gcc", "-std=gnu11", "-O1", "-ffp-contract=off", "-w"]
Program = collections.namedtuple("Program", "name path flags words")
WHATS = ("pairs", "mutants", "gaps", "listed")
Gap = collections.namedtuple("Gap", "style programs reason")
Found = collections.namedtuple("Found", "kind said")


def run(command, **more):
    try:
        return subprocess.run(
            command,
            text=True,
            stdout=subprocess.PIPE,
            errors="replace",
            timeout=120,
            **{"stderr": subprocess.STDOUT, **more},
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "out of time")


def table():
    """restyle.table: what programs need that differs, by name."""
    rows = {}
    with open(os.path.join(FOLDER, "restyle.table")) as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                name, words = line.split(None, 1)
                rows[name] = dict(word.partition("=")[::2] for word in words.split("#")[0].split())
    return rows


def programs():
    """All plain programs of the tests and samples but those that the table leaves out."""
    rows = table()
    paths = [
        path
        for place in (
            "tests/mapper/plain",
            "tests/mapper/unseen",
            "tests/mapper/Inputs",
            "samples/plain_*",
        )
        for path in sorted(glob.glob(os.path.join(ROOT, place, "*.c")))
    ]
    paths.append(os.path.join(ROOT, "tests/polybench/reference.c"))
    for path in paths:
        name = "/".join(path.split(os.sep)[-2:])
        words = rows.get(name, {})
        if "without" in words or re.search(r"main\.c$", name):
            continue
        with open(path) as source:
            flags = [] if re.search(r"#\s*pragma", source.read()) else ["--all"]
        yield Program(name, path, flags, words)


def gaps():
    """(style, programs, reason) of restyle.gaps."""
    with open(os.path.join(FOLDER, "restyle.gaps")) as lines:
        return [
            Gap(*line.strip().split(None, 2))
            for line in lines
            if line.strip() and not line.startswith("#")
        ]


def open_to(program, chosen, rows):
    """The styles of which a gap says that they may change the program's plan; of a gap of several
    styles, `rows+shadows`, the last one."""
    return [
        gap.style.split("+")[-1]
        for gap in rows
        if set(gap.style.split("+")) <= set(chosen) and re.fullmatch(gap.programs, program.name)
    ]


def shape(text):
    """What a plan says up to names: its lines without those of statements, iterators and bounds."""
    lines = []
    for line in text.splitlines():
        indent, words = len(line) - len(line.lstrip()), line.split()
        if (
            not words
            or words[0] not in ("fragment", "region", "for", "chain", "on", "where")
            or line.endswith((";", "{", ")"))
        ):
            continue
        if words[0] == "region":
            words = words[:2] + re.findall(r" by \d+", line)
        elif words[0] == "chain":
            words = [line.strip()]
        else:
            words = words[: 1 if words[0] in ("fragment", "for", "where") else 4]
        lines.append(" " * indent + " ".join(words))
    return "\n".join(lines)


def difference(plan, other):
    lines = difflib.unified_diff(plan.splitlines(), other.splitlines(), lineterm="", n=2)
    return "\n".join(list(lines)[2:])


class Session:
    def __init__(self, build, folder):
        self.tool, self.folder, self.originals = os.path.join(build, "treefork"), folder, {}
        mapper.header_write(folder)
        self.environment = dict(os.environ, BLOCK="4", THREADS=str(1 << 20))

    def path(self, name):
        return os.path.join(self.folder, name)

    def plan(self, program, path):
        """(status, shape of the plan, loops of each region of the text, what was said); the text is
        at mapped.c. Where nothing marks loops the plan is that text alone."""
        done = run([self.tool, "map", *program.flags, path, "-o", self.path("mapped.c")])
        if done.returncode:
            return done.returncode, "", [], done.stdout
        with open(self.path("mapped.c")) as text:
            regions = [
                part.count("meta_for") for part in re.split(r"\bmeta_schedule\b", text.read())[1:]
            ]
        if program.flags:
            return 0, "", regions, done.stdout
        planned = run([self.tool, "-d", "schedule", path], stderr=subprocess.DEVNULL)
        return planned.returncode, shape(planned.stdout), regions, done.stdout

    def original(self, program, is_same=False):
        """The plan of the original, printed without its macros and comments (`is_same`: as it
        stands), and the object that runs it beside another text."""
        if program.name not in self.originals:
            name = program.name.replace("/", "_")[:-2]
            with open(self.path(name + "_driver.c"), "w") as out:
                out.write(driver(program.path, program.words))
            folders = ["-I" + FOLDER, "-I" + os.path.dirname(program.path)]
            outputs = ["-c", "-o", self.path(name + ".o"), self.path(name + "_driver.c")]
            done = run([*CC, *folders, *outputs])
            if done.returncode:
                sys.exit(f"{program.name}: the driver does not compile\n{done.stdout}")
            with open(self.path("printed.c"), "w") as out:
                out.write(unit.Unit(program.path).text())
            plan = self.plan(program, program.path if is_same else self.path("printed.c"))
            if plan[0]:
                sys.exit(f"{program.name} itself is refused\n{plan[3]}")
            self.originals[program.name] = self.path(name + ".o"), plan
        return self.originals[program.name]

    def compare(self, program, text, beside):
        """None where the text gives what the original does, else what was said."""
        done = run(
            [
                *CC,
                "-I" + self.folder,
                "-I" + os.path.dirname(program.path),
                "-o",
                self.path("program"),
                text,
                beside,
                "-lm",
            ]
        )
        if done.returncode:
            return "does not compile:\n" + done.stdout[:1500]
        done = run([self.path("program")], env=self.environment)
        return None if done.returncode == 0 else f"ends with {done.returncode}: {done.stdout[:500]}"

    def restyled(self, program, seed, chosen, mutant=None):
        source = unit.Unit(program.path)
        styles.restyle(source, seed, chosen)
        with open(self.path("restyled.c"), "w") as out:
            out.write(mutated(source.text(), mutant) if mutant == "source" else source.text())
        return self.path("restyled.c")

    def pair(self, program, seed, chosen, is_own, mutant=None):
        """What is found of a program under a seed; None where plan and results stay."""
        beside, (_, plan, regions, _) = self.original(program, chosen == ["none"])
        path = self.restyled(program, seed, chosen, mutant)
        status, other, others, said = self.plan(program, path)
        if status not in (0, 1):
            return Found("WRONG", f"the tool ends with {status}: {said[-600:]}")
        if mutant and status == 0:
            others = self.mutate(others, mutant)
        wrong = self.compare(program, self.path("mapped.c"), beside) if status == 0 else None
        if is_own or wrong or status:
            own = self.compare(program, path, beside) or self.warnings(path, program)
            if own:
                return Found("STYLE", own)
        if wrong:
            return Found("WRONG", wrong)
        if status == 1:
            return Found("PLAN", "refused: " + said[:600])
        if (other, others) != (plan, regions):
            return Found(
                "PLAN", f"{difference(plan, other)}\nregions {regions}\nnow {others}\n{said[:600]}"
            )
        return None

    def judged(self, program, seed, chosen, is_own, rows):
        """What `pair` finds; another plan is a known one where it is the original's without the
        styles of the program's gaps."""
        found = self.pair(program, seed, chosen, is_own)
        gap = open_to(program, chosen, rows)
        if not found or found.kind != "PLAN" or not gap:
            return found
        others = [name for name in chosen if name not in gap] or ["none"]
        rest = self.pair(program, seed, others, False) if others != ["none"] else None
        return rest or Found("known", found.said)

    def keep(self, folder, name):
        """Copies the texts of the pair at hand."""
        os.makedirs(folder, exist_ok=True)
        for part in ("restyled", "mapped"):
            if os.path.exists(self.path(part + ".c")):
                shutil.copy(self.path(part + ".c"), os.path.join(folder, f"{name}-{part}.c"))

    def mutate(self, regions, mutant):
        """Breaks the mapped text as `mutant` says; the loops of its regions."""
        with open(self.path("mapped.c")) as text:
            broken = mutated(text.read(), mutant)
        with open(self.path("mapped.c"), "w") as out:
            out.write(broken)
        return [part.count("meta_for") for part in re.split(r"\bmeta_schedule\b", broken)[1:]]

    def warnings(self, path, program):
        """Warnings of a compiler that the original has not."""
        kinds = []
        for text in (program.path, path):
            done = run(
                [
                    "gcc",
                    "-std=gnu11",
                    "-Wall",
                    "-Wno-unknown-pragmas",
                    "-Wno-parentheses",
                    "-Wno-unused",
                    "-fsyntax-only",
                    "-I" + os.path.dirname(program.path),
                    text,
                ]
            )
            kinds.append(
                set(re.findall(r"(?:warning|error): .*(\[-W[\w-]+|error: .*)", done.stdout))
            )
        return ", ".join(kinds[1] - kinds[0]) or None


# Defects as mappers had them: a text that becomes another one in a mapped text, and for "source" in
# the restyled source.
MUTANTS = {
    "iterator": (r"\[k\]\[j\]", "[j][j]"),  # one name for two
    "value": (r"\+= [^;]*;", "+= ;"),  # an expansion that vanished
    "statement": (r"tmp\[i\]\[j\] = 0\.0;", ""),  # a statement left out
    "bound": (r"k < nk;", "k < nk - 1;"),
    "operator": (r"\+=", "-="),
    "region": (r"meta_schedule ", ""),  # results stay, the plan does not
    "source": (r"\+=", "-="),
}


def mutated(text, mutant):
    pattern, other = MUTANTS[mutant]
    broken, count = re.subn(pattern, other, text, count=1)
    if not count and mutant != "source":
        sys.exit(f"nothing of the text is what the mutant '{mutant}' breaks")
    return broken


def mutants(session):
    """Each mutant of one program, and what is found of it."""
    program = next(each for each in programs() if each.name == "plain/mm2.c")
    wanted = {"region": "PLAN", "source": "STYLE"}
    missed = 0
    for mutant in MUTANTS:
        found = session.pair(program, 1, ["step"], False, mutant)
        good = found is not None and found.kind == wanted.get(mutant, "WRONG")
        missed += not good
        print(f"mutant {mutant}: {found.kind if found else 'not noticed'}")
    print(f"{len(MUTANTS) - missed} of {len(MUTANTS)} mutants are noticed as what they are")
    return missed > 0


def closed(session, rows, tries=12):
    """Gaps that none of some pairs shows: their row is to be taken out."""
    every, count = list(programs()), 0
    for gap in rows:
        of_gap = [program for program in every if re.fullmatch(gap.programs, program.name)]
        if not any(is_open(session, of_gap[k % len(of_gap)], k, gap) for k in range(tries)):
            print(
                f"the gap '{gap.style} {gap.programs}' is closed: take its row out of restyle.gaps"
            )
            count += 1
    print(f"{len(rows)} gaps, {count} of them closed")
    return count > 0


def is_open(session, program, seed, gap):
    found = session.pair(program, seed, gap.style.split("+"), False)
    return found is not None and found.kind == "PLAN"


def pairs(options, chosen_programs):
    """(program, seed, styles): each program in turn, a seed each."""
    each = (
        [[name] for name in styles.STYLES]
        if options.style == "each"
        else [options.style.split(",")]
    )
    for k in range(options.count):
        seed = options.first + k
        names = each[k // len(chosen_programs) % len(each)] if options.style else styles.drawn(seed)
        program = chosen_programs[k % len(chosen_programs)]
        yield program, seed, fitting(program, names)


def fitting(program, names):
    """Without `globals` where all loops are mapped: its copies are loops."""
    return [name for name in names if not (name == "globals" and program.flags)] or ["none"]


def listed(path):
    """(program, seed, styles) of each row: PROGRAM SEED STYLE,..., then what was wrong with it."""
    named = {program.name: program for program in programs()}
    with open(path) as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                name, seed, names = line.split()[:3]
                yield named[name], int(seed), names.split(",")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("build")
    parser.add_argument("what", nargs="?", default="pairs", choices=WHATS)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--program", default="")
    parser.add_argument("--style", default="")
    parser.add_argument("--list", default=os.path.join(FOLDER, "restyle.once"))
    parser.add_argument("--keep")
    parser.add_argument("--self", type=int, default=8, dest="own")
    options = parser.parse_args()
    chosen = [program for program in programs() if re.search(options.program, program.name)]
    with tempfile.TemporaryDirectory() as folder:
        session = Session(os.path.abspath(options.build), folder)
        if options.what == "mutants":
            return mutants(session)
        if options.what == "gaps":
            return closed(session, gaps())
        every = listed(options.list) if options.what == "listed" else pairs(options, chosen)
        return pairs_run(session, options, list(every))


def pairs_run(session, options, every):
    counts, rows = collections.Counter(), gaps()
    for program, seed, names in every:
        found = session.judged(program, seed, names, seed % options.own == 0, rows)
        counts[found.kind if found else "same"] += 1
        if found and (found.kind != "known" or options.keep):
            style = ",".join(names)
            print(f"{found.kind}: {program.name} --seed {seed} --style {style}: {found.said}\n")
            sys.stdout.flush()
        if found and options.keep:
            name = program.name.replace("/", "-")[:-2]
            session.keep(options.keep, f"{found.kind}-{name}-{seed}")
    print(
        f"{len(every)} pairs of {len({each[0].name for each in every})} programs: "
        f"{counts['WRONG']} wrong, "
        f"{counts['STYLE']} defects of styles; {counts['same']} have the same plan, "
        f"{counts['known']} another one by a known gap, {counts['PLAN']} another one"
    )
    return counts["WRONG"] + counts["STYLE"] + counts["PLAN"] > 0


if __name__ == "__main__":
    sys.exit(main())
