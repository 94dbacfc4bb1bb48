"""Plain C takes the tiled leaves by itself: what the model of predicted time ranks first on machine files, beside annotations by hand.

    python3 tiled.py BUILD

For each program and machine: the first rank of each region (`treefork rank`), the codes of its leaf (`treefork tree`), and the sum of
the predicted times over that of the same program annotated by hand. Regions that a program lists must take a leaf with one of the
codes that stand behind it: cy4 four rows a thread, 4a staged pieces. Ends with 1 if one does not, or if a sum is above 1.1."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "polybench"))
sys.dont_write_bytecode = True
import polybench

MACHINES = ("ampere-a100", "hopper-h100")
PLAIN, POLYBENCH = "tests/mapper/plain/", "tests/polybench/"
TILED, ROWS = ("4a",), ("cy4",)
# Plain file, annotated file (None: there is none), sizes, regions with a code of their leaf (all regions count in the time; of a file
# without annotations by hand the first region does, beside `other`), and whether it runs at the small scale.
OWN = "tests/mapper/Inputs/tiled.c"
PROGRAMS = [
    (OWN, "samples/matmul/matmul.c", "n=4096,h=4096,w=4096", {"product": TILED, "cross": ROWS, "blur": ROWS}, True),
    (PLAIN + "gemm.c", POLYBENCH + "gemm.c", "ni=1024,nj=1024,nk=1024", {"gemm": TILED}, True),
    (PLAIN + "mm2.c", POLYBENCH + "mm2.c", "ni=1024,nj=1024,nk=1024,nl=1024", {"mm2": TILED, "mm2_2": TILED}, False),
    (PLAIN + "syrk.c", POLYBENCH + "syrk.c", "n=1024,m=1024", {"syrk": TILED}, False),
    (PLAIN + "covariance.c", POLYBENCH + "covariance.c", "n=1024,m=1024", {"covariance_3": TILED}, False),
    (PLAIN + "jacobi_2d.c", POLYBENCH + "jacobi_2d.c", "n=4096,steps=10", {}, True),
    ("samples/plain_filter/plain_filter.c", None, "h=2048,w=2048", {"filter": ROWS}, True),
]
MOST = 1.1


def treefork(build, *arguments):
    done = subprocess.run([os.path.join(build, "treefork"), *arguments], cwd=ROOT, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}: {done.stderr}")
    return done.stdout


def ranks(build, path, machine, sizes):
    """By region: predicted microseconds and leaf."""
    text = treefork(build, "rank", path, "--machine", f"machines/{machine}.json", "--set", sizes, "--top", "1")
    found = re.findall(r"^(\w+) on .*\n\s+1\. predicted ([\d.]+) us: leaf (\d+)", text, re.M)
    return {name: (float(time), int(leaf)) for name, time, leaf in found}


def leaves(build, path):
    """By region and leaf: its codes, of all ways to it."""
    found, region = {}, None
    for line in treefork(build, "tree", path).splitlines():
        head = re.match(r"(\w+): \d+ cases? ?", line)
        region = head.group(1) if head else region
        for leaf, codes in re.findall(r"leaf (\d+)(?:, safe)? +((?:\(\w+\))+)", line):
            found.setdefault((region, int(leaf)), set()).update(re.findall(r"\((\w+)\)", codes))
    return found


def time_of(regions, path):
    """Of the whole program; of the one region that is annotated by hand."""
    return regions["product"][0] if path == OWN else sum(time for time, _ in regions.values())


def main():
    build, wrong, count = os.path.abspath(sys.argv[1]), 0, 0
    for path, other, sizes, asked, is_small in PROGRAMS:
        if not is_small and not polybench.is_full():
            continue
        codes = leaves(build, path) if asked else {}
        for machine in MACHINES:
            plain = ranks(build, path, machine, sizes)
            time, count = time_of(plain, path), count + 1
            words = [f"; {name} takes leaf {plain[name][1]} ({' '.join(sorted(codes[name, plain[name][1]]))})" for name in asked]
            tiled = all(codes[name, plain[name][1]] & set(one) for name, one in asked.items())
            against = time_of(ranks(build, other, machine, sizes.split(",")[0] if path == OWN else sizes), other) if other else time
            bad = not tiled or time > MOST * against
            wrong += bad
            ratio = f"{time:.0f} us, {time / against:.2f} of {against:.0f} us annotated" if other else f"{time:.0f} us"
            print(f"{os.path.basename(path)} on {machine}: {ratio}{''.join(words)}{' WRONG' if bad else ''}", flush=True)
    print(f"{count} choices, {wrong} without tiles or above {MOST} of annotated")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
