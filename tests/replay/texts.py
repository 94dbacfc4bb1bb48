"""Every plain program of the tests and samples through the gate: does a text of the mapper's own differ?

    python3 texts.py BUILD [FILE ...]

Prints each function that is not checked with the reason, and each that differs; ends with 1 if one does, or if a text is no C.
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ["tests/mapper/plain", "tests/mapper/Inputs", "tests/mapper/unseen", "tests/mapper/refused", "tests/mapper",
           "samples/plain_*", "docs"]


def main():
    treefork = os.path.join(os.path.abspath(sys.argv[1]), "treefork")
    files = sys.argv[2:] or sorted(path for folder in FOLDERS for path in glob.glob(os.path.join(ROOT, folder, "*.c")))
    counts = {"equal": 0, "not checked": 0, "DIFFERENT": 0, "covered": 0, "trials": 0}
    for path in files:
        done = subprocess.run([treefork, "-d", "replay", "-I", os.path.join(ROOT, "tests/mapper/Inputs"), path], text=True,
                              capture_output=True)
        if done.returncode == 3:
            print(f"{path}: {done.stderr}")
            counts["DIFFERENT"] += 1
        for name, verdict, rest in re.findall(r"^(\w+): (equal|not checked|DIFFERENT)(.*)", done.stdout, re.M):
            counts[verdict] += 1
            numbers = re.search(r"; (\d+) trials, (\d+) of (\d+) statements", rest)
            counts["trials"] += int(numbers.group(1))
            counts["covered"] += numbers.group(2) == numbers.group(3)
            if verdict != "equal":
                print(f"{os.path.relpath(path, ROOT)}: {verdict}: {name}{rest}")
    functions = counts["equal"] + counts["not checked"] + counts["DIFFERENT"]
    print(f"{functions} functions: {counts['equal']} compared, {counts['not checked']} not checked, {counts['DIFFERENT']} differ; "
          f"{counts['covered']} with all their statements, {counts['trials']} trials")
    return 1 if counts["DIFFERENT"] or not counts["equal"] else 0


if __name__ == "__main__":
    sys.exit(main())
