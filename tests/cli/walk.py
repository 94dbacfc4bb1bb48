"""Holds the walk in docs/design.md to the code. Usage: walk.py ROOT.

Each line of the table names a function, its file and, by its dots, how deep the call is. Checked are: the file defines the
function; the file of the nearest line above that is indented less calls it; there are at most 25 hops. A rewrite is called
from the functions of its row of strategy.def, which stand in optimizer/strategy.c."""
import os
import re
import sys

root = sys.argv[1]
above = []
lines = 0


def text_of(path):
    return open(os.path.join(root, path)).read()


for line in open(os.path.join(root, "docs", "design.md")):
    row = re.match(r"\| (\d+) \| ((?:· )*)`(\w+)` \| (\S+) \|", line)
    if not row:
        continue
    lines += 1
    number, depth, name, path = int(row[1]), row[2].count("·"), row[3], row[4]
    if number != lines:
        print(f"line {lines} of the walk has the number {number}")
    if not re.search(rf"^[a-z].*\b{name}\((?:[^;{{]*)\)\n\{{", text_of(path), re.M):
        print(f"{path} does not define {name}")
    del above[depth:]
    if len(above) != depth:
        print(f"{name} is {depth - len(above)} levels too deep")
    caller = "optimizer/strategy.c" if "/strategies/" in path else above[-1] if above else None
    if caller and not re.search(rf"\b{name}\(", text_of(caller)):
        print(f"{caller} does not call {name}")
    above.append(path)
print(f"{lines - 1} hops")
if lines > 26:
    print("the walk is too long")
