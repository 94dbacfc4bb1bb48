"""Holds the instructions of `treefork build` to instructions.table.
Usage: instructions.py TREEFORK ROOT TABLE SCALE [--write].
valgrind counts them, so no machine's speed moves them, nor what else runs there. A row is a file,
the scale that counts it (small: each `make check`, full: `make check-all` only) and the most
instructions in millions: what was counted and MARGIN more. Other libraries and compilers than those
of the table's release need others: there a row may be a tenth above.
Prints "FILE: within" per row, or the count that is above; --write prints the table with the present
counts."""
import math
import os
import re
import subprocess
import sys
import tempfile

MARGIN = 1.02
RELEASE, ELSEWHERE = "12", 1.1
tool, root, table, scale = sys.argv[1:5]
small_only = scale.lower() != "full"
write = "--write" in sys.argv
environment = {name: value for name, value in os.environ.items()
               if name not in ("TREEFORK_CERTIFY", "TREEFORK_DISTRUST")}


def release():
    try:
        with open("/etc/os-release", encoding="utf-8") as file:
            found = re.search(r'^VERSION_ID="?(\d+)', file.read(), re.M)
    except OSError:
        found = None
    return found and found.group(1)


def options_of(path):
    """The words of the file `options` beside a sample that has one."""
    own = os.path.join(root, os.path.dirname(path), "options")
    return open(own, encoding="utf-8").read().split() if os.path.exists(own) else []


def millions(path):
    """What one build takes."""
    with tempfile.TemporaryDirectory() as folder:
        counted = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no",
                                  "--cachegrind-out-file=" + os.path.join(folder, "counts"),
                                  tool, "build", *options_of(path), os.path.join(root, path), "-o", folder],
                                 check=True, capture_output=True, text=True, env=environment)
    return int(re.search(r"I\s+refs:\s+([\d,]+)", counted.stderr).group(1).replace(",", "")) / 1e6


over = 0
slack = 1 if release() == RELEASE else ELSEWHERE
for line in open(table, encoding="utf-8"):
    fields = line.split()
    if not fields or line.startswith("#"):
        if write:
            print(line, end="")
        continue
    path, counted_at, limit = fields
    if counted_at == "full" and small_only and not write:
        continue
    count = millions(path)
    if write:
        print(f"{path:42s}{counted_at:6s}{math.ceil(count * MARGIN):8d}")
        continue
    above = count > int(limit) * slack
    over += above
    print(f"{path}: {f'{count:.0f} million instructions > {limit}' if above else 'within'}")
sys.exit(over > 0)
