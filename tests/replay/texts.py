"""Every plain program of the tests and samples through the gate: does a text of ours differ?

    python3 texts.py BUILD [FILE ...]

Prints each function that is not checked with the reason, and each that differs; ends with 1 if one
does, or if a text is no C.
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ["tests/mapper/plain", "tests/mapper/Inputs", "tests/mapper/unseen",
           "tests/mapper/refused", "tests/mapper", "samples/plain_*", "docs"]
RESULT = re.compile(r"^(\w+): (equal|not checked|DIFFERENT)(.*; (\d+) trials, (\d+) of (\d+) .*)",
                    re.M)


def files_of():
    return sorted(path for folder in FOLDERS
                  for path in glob.glob(os.path.join(ROOT, folder, "*.c")))


def main():
    treefork = os.path.join(os.path.abspath(sys.argv[1]), "treefork")
    inputs = os.path.join(ROOT, "tests/mapper/Inputs")
    counts = {"equal": 0, "not checked": 0, "DIFFERENT": 0}
    covered = n_trials = 0
    for path in sys.argv[2:] or files_of():
        done = subprocess.run([treefork, "-d", "replay", "-I", inputs, path], text=True,
                              capture_output=True)
        if done.returncode == 3:
            print(f"{path}: {done.stderr}")
            counts["DIFFERENT"] += 1
        for name, verdict, rest, trials, ran, statements in RESULT.findall(done.stdout):
            counts[verdict] += 1
            n_trials += int(trials)
            covered += ran == statements
            if verdict != "equal":
                print(f"{os.path.relpath(path, ROOT)}: {verdict}: {name}{rest}")
    print(f"{sum(counts.values())} functions: {counts['equal']} compared, "
          f"{counts['not checked']} not checked, {counts['DIFFERENT']} differ; "
          f"{covered} with all their statements, {n_trials} trials")
    return 1 if counts["DIFFERENT"] or not counts["equal"] else 0


if __name__ == "__main__":
    sys.exit(main())
