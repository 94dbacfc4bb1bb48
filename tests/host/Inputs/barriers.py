"""Fails if a kernel's text has two barriers in a row with no access to memory between them.

Usage: barriers.py FILE.cl FILE.cu ...      A line with a subscript counts as an access."""
import sys

BARRIERS = ("barrier(CLK", "__syncthreads()")


def barriers(path):
    """The number of barriers, and the lines of those that follow each other."""
    count, pairs, last = 0, [], None
    with open(path) as file:
        for number, line in enumerate(file, 1):
            if any(barrier in line for barrier in BARRIERS):
                if last:
                    pairs.append((last, number))
                count += 1
                last = number
            elif "[" in line or line.startswith(("__kernel", "extern")):
                last = None
    return count, pairs


n_barriers = n_pairs = 0
for path in sys.argv[1:]:
    count, pairs = barriers(path)
    n_barriers += count
    n_pairs += len(pairs)
    for pair in pairs:
        print("%s: barriers in lines %d and %d" % (path, *pair))
print(f"{n_barriers} barriers, {n_pairs} pairs")
sys.exit(n_pairs > 0 or n_barriers == 0)
