"""Holds `treefork build --counts` to the limits of limits.table. Usage: limits.py TREEFORK ROOT TABLE [--write].

A row of the table is a file and, by column, the most that its build may count; the counts are the same on every machine.
What a program includes of a sample, NAME.tf.c with NAME.texts.h, has at most HOST_BYTES besides, and a region of any
program at most LEAVES kernels.
Prints "FILE: within" per row, or each count that is above its limit; --write prints the table with the present counts."""
import collections
import glob
import os
import re
import subprocess
import sys
import tempfile

HOST_BYTES = 250000
LEAVES = 24
tool, root, table = sys.argv[1:4]
write = "--write" in sys.argv
# Where answers are certified more is asked.
environment = {name: value for name, value in os.environ.items()
               if name not in ("TREEFORK_CERTIFY", "TREEFORK_DISTRUST")}
columns = []
over = 0


def leaves_most(folder):
    """The most kernels of one region in the CUDA C of a folder, REGION_NUMBER each."""
    text = "".join(open(path).read() for path in glob.glob(os.path.join(folder, "*.cu")))
    return max(collections.Counter(re.findall(r'^(?:extern "C" )?__global__ void (\w+)_\d+\(', text, re.M)).values())


for line in open(table):
    fields = line.split()
    if line.startswith("# file"):
        columns = fields[2:]
    if not fields or line.startswith("#"):
        if write:
            print(line, end="")
        continue
    with tempfile.TemporaryDirectory() as folder:
        text = subprocess.run([tool, "build", "--counts", os.path.join(root, fields[0]), "-o", folder],
                              check=True, capture_output=True, text=True, env=environment).stdout
        leaves = leaves_most(folder)
    counts = {name: int(value) for name, value in re.findall(r"^count (\S+) (\d+)$", text, re.M)}
    host = counts["bytes.tf.c"] + counts["bytes.texts.h"]
    counts["bytes"] = sum(value for name, value in counts.items() if name.startswith("bytes"))
    if write:
        print(f"{fields[0]:40s}" + "".join(f"{counts[column]:10d}" for column in columns))
        continue
    above = [f"{column} {counts[column]} > {limit}" for column, limit in zip(columns, fields[1:]) if counts[column] > int(limit)]
    if len(fields) != len(columns) + 1:
        above.append("the row has not one number per column")
    if fields[0].startswith(("samples/", "tests/paper/")) and host > HOST_BYTES:
        above.append(f"tf.c and texts.h {host} > {HOST_BYTES}")
    if leaves > LEAVES:
        above.append(f"leaves of a region {leaves} > {LEAVES}")
    over += bool(above)
    print(f"{fields[0]}: {', '.join(above) if above else 'within'}")
sys.exit(over > 0)
