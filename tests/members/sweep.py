"""Programs on a device of one to four members: every leaf equals the serial program, with what a member lacks poisoned before
each part (TREEFORK_CHECKED).

    python3 sweep.py BUILD [--of samples,programs,polybench,plain] [--groups 3,2,4] [--only NAME,...] [--leaf K] [--log FILE]

Members are devices "basic" of PoCL, which run kernels in the calling thread. Each program runs at one of its sets of values: samples at that of their
file `sets`, programs at that of their RUN line, those of tests/polybench and tests/mapper/plain at small odd sizes.
Prints a line for each program and group, with how many launches were cut (of those that ran in the last process of the tool), and
why others were not; ends with 1 if a leaf differs or a program does not end as it does on one device. Kernels are compiled for the
first group of a program, and the others find them in PoCL's cache. With a log a run goes on where the one before was stopped: what
stands in it is not run again, and counts."""
import argparse
import collections
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(FOLDER)
ROOT = os.path.dirname(TESTS)
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(TESTS, "polybench"), os.path.join(TESTS, "mapper")]
import polybench as harness

POLYBENCH = os.path.join(TESTS, "polybench")
ROWS = list(harness.table().values())
import mapper    # which has the harness read its own folder from then on

# Weights by number of members: unequal ones, and a member without a share.
WEIGHTS = {1: "1", 2: "3,1", 3: "2,3,1", 4: "3,0,1,2"}
SECONDS = 600

Program = collections.namedtuple("Program", "name file options")


def samples():
    for path in sorted(glob.glob(os.path.join(ROOT, "samples", "*", "sets"))):
        folder = os.path.dirname(path)
        name = os.path.basename(folder)
        with open(path) as lines:
            rows = [line.split() for line in lines if line.strip() and not line.startswith("#")]
        first = {}
        for function, values in rows:
            first.setdefault(function, []).append(values)
        data = os.path.join(folder, "data", name + ".c")
        options = ["--data", data] if os.path.exists(data) else []
        for function, values in first.items():
            yield Program(f"{name}:{function}", os.path.join(folder, name + ".c"),
                          ["--function", function, "--set", values[0], "-I", os.path.join(ROOT, "runtime"), *options])


def programs():
    for path in sorted(glob.glob(os.path.join(TESTS, "programs", "*.c"))):
        with open(path) as file:
            line = next((line for line in file if "RUN:" in line and " verify " in line), "")
        words = line.partition("| FileCheck")[0].split()
        options, i = [], 0
        while i < len(words):
            if words[i] in ("--set", "--extent", "--data"):
                options += [words[i], words[i + 1].replace("%S", os.path.dirname(path))]
            elif words[i] in ("--reassociate", "--all"):
                options.append(words[i])
            i += 1
        if "--set" in options:
            yield Program(os.path.basename(path)[:-2], path, options)


def polybench():
    for row in ROWS:
        given, tuned = list(harness.tiny_sets(row))[2]
        yield Program("polybench:" + row.name, os.path.join(POLYBENCH, row.name + ".c"),
                      ["--function", row.name, "--set", harness.set_text(given, tuned)])


def plain():
    for row in mapper.table().values():
        given, _ = list(mapper.points(row))[3]
        yield Program("plain:" + row.name, os.path.join(mapper.PLAIN, row.name + ".c"),
                      ["--function", row.name, "--set", harness.set_text(given, row.values)])


SOURCES = {"samples": samples, "programs": programs, "polybench": polybench, "plain": plain}


def environment(group):
    numbers = ",".join(str(number) for number in range(group))
    return dict(os.environ, POCL_DEVICES=" ".join(["basic"] * group), TREEFORK_DEVICES=numbers, TREEFORK_WEIGHTS=WEIGHTS[group],
                TREEFORK_CHECKED="1", TREEFORK_COPY="1", TREEFORK_HOST="never", TREEFORK_TRACE="1",
                TREEFORK_CACHE_DIR="none")


def trace(folder):
    """What the processes that ran the leaves said."""
    said = ""
    for path in glob.glob(os.path.join(folder, "*errors")):
        with open(path, errors="replace") as file:
            said += file.read()
    return said


def run(options, program, group):
    command = [os.path.join(options.build, "treefork"), "verify", program.file, *program.options, "--witness", "opencl",
               "--device-runs", "once"] + (["--leaf", options.leaf] if options.leaf else [])
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run([*command, "--keep", folder], env=environment(group), capture_output=True, text=True,
                                  timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return False, "no end", "", 0, collections.Counter()
        said = trace(folder)
    reasons = collections.Counter(re.findall(r"devices alone, since (.*)", said))
    cuts = len(re.findall(r": \d+ parts of ", said))
    last = done.stdout.strip().splitlines()[-1:] or [""]
    wrong = [line for line in done.stdout.splitlines() if "FAILED" in line]
    is_right = done.returncode == 0 and re.match(r"[1-9]\d* verified, 0 failed", last[0]) is not None
    if not is_right and not wrong:
        wrong = re.findall(r"error: .*", done.stderr) or [f"exit status {done.returncode}"]
    return is_right, last[0], wrong[0] if wrong else "", cuts, reasons


def judge(options, program, group):
    """A line; WRONG is what is right on one device."""
    is_right, last, failed, cuts, reasons = run(options, program, group)
    word = "right" if is_right else "WRONG"
    if not is_right and group > 1 and not run(options, program, 1)[0]:
        word = "not right on one device either"
    why = "; ".join(f"{n} whole: {reason}" for reason, n in sorted(reasons.items()))
    return f"{word}: {last}; {cuts} cut{'; ' + why if why else ''}{' ' + failed if failed else ''}"


def known_lines(log):
    if not log or not os.path.exists(log):
        return []
    with open(log) as file:
        return file.read().splitlines()


def add_line(log, line):
    if log:
        with open(log, "a") as file:
            print(line, file=file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--of", default="samples,programs,polybench,plain")
    parser.add_argument("--groups", default="3,2,4")
    parser.add_argument("--only", default="")
    parser.add_argument("--leaf")
    parser.add_argument("--log")
    options = parser.parse_args()
    groups = [int(group) for group in options.groups.split(",")]
    only = options.only.split(",") if options.only else []
    chosen = [program for kind in options.of.split(",") for program in SOURCES[kind]() if not only or program.name in only]
    lines, begin = known_lines(options.log), time.time()
    for program in chosen:
        for group in groups:
            head = f"{program.name} on {group}: "
            if not any(line.startswith(head) for line in lines):
                lines.append(head + judge(options, program, group))
                print(lines[-1], flush=True)
                add_line(options.log, lines[-1])
    wrong = sum(": WRONG: " in line for line in lines)
    cuts = sum(int(re.search(r"; (\d+) cut", line)[1]) for line in lines)
    programs_seen = len({line.partition(" on ")[0] for line in lines})
    print(f"{programs_seen} programs, {len(lines)} runs, {cuts} launches cut, {wrong} wrong; {time.time() - begin:.0f} s")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
