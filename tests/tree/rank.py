"""The choice of `treefork rank` for each sample, and for the paper's matrix product, on each machine, checked against facts.
Arguments: treefork, the root of the tree, machines and, for all machine files instead of a few, `all`."""
import glob
import json
import os
import re
import subprocess
import sys

treefork, root, machines = sys.argv[1:4]
FEW = ["ampere-a100", "turing-t4", "fermi-m2050", "pascal-p100"]
if os.environ.get("TEST_SCALE") == "full":
    FEW += ["hopper-h100", "tiny"]
SIZES = {"tests/paper/matmul": "n=1024", "samples/matmul": "n=997", "samples/transpose": "N=2048", "samples/matvec": "m=65536,n=1024",
         "samples/jacobi2d": "N=2050,t=1,T=1", "samples/matadd": "N=2048", "samples/jacobi1d": "N=999983,t=1,T=1",
         "samples/axpy": "n=1000000"}
# The tunable of the axis along which rows are consecutive, and what a warp needs of it at least (sectors of 8 words).
ROWS = {"matmul": ("ub1", 4), "transpose": ("B1", 4), "jacobi2d": ("B1", 8), "matadd": ("B1", 4), "jacobi1d": ("B", 32), "axpy": ("B", 32)}
wrong = 0


def fact(holds, text):
    global wrong
    if not holds:
        wrong += 1
        print("WRONG:", text)


for path in sorted(glob.glob(machines + "/*.json")):
    machine = json.load(open(path))
    if "all" not in sys.argv[4:] and os.path.basename(path)[:-5] not in FEW:
        continue
    gpu = machine.get("warp_size") == 32
    for folder, sizes in SIZES.items():
        sample = os.path.basename(folder)
        is_product = sample == "matmul"
        everywhere = is_product or (sample == "matvec" and os.path.basename(path) in ("pascal-p100.json", "turing-t4.json"))
        if not everywhere and os.path.basename(path) != "ampere-a100.json":
            continue
        source = os.path.join(root, folder, sample + ".c")
        done = subprocess.run([treefork, "rank", source, "--machine", path, "--set", sizes, "--top", "1"], capture_output=True, text=True)
        fact(done.returncode == 0, "%s on %s: %s" % (folder, path, done.stderr))
        fact("1. predicted" in done.stdout, "%s on %s: no launch fits" % (folder, path))
        for line in done.stdout.splitlines():
            found = re.match(r" *1\. predicted ([0-9.]+) us: leaf (\d+)(.*?)  \((\w+);.* (\d+) blocks of (\d+) threads, (\d+) bytes", line)
            if not found:
                continue
            threads, shared = int(found[6]), int(found[7])
            chosen = dict(re.findall(r"(\w+) = (\d+)", found[3]))
            print("%-18s %-26s leaf %s%s: %s threads, %s bytes shared" % (folder, os.path.basename(path), found[2], found[3], threads, shared))
            fact(float(found[1]) > 0, "no time: " + line)
            fact(threads <= (machine.get("threads_per_block") or 1 << 62), "too many threads: " + line)
            if not gpu:
                continue
            fact(threads >= 32, "%s on %s: fewer threads than a warp: %s" % (folder, path, line))
            if sample in ROWS:
                fact(int(chosen[ROWS[sample][0]]) >= ROWS[sample][1], "%s on %s: rows are not walked: %s" % (folder, path, line))
            # With 63 registers (Fermi) no thread has room for copies in batches beside several elements.
            if is_product and (machine.get("registers_per_thread") or 255) >= 128:
                fact(shared > 0 and int(chosen["s"]) * int(chosen["B0"]) * int(chosen["ub1"]) > threads,
                     "matmul on %s: no tiles, or one element per thread: %s" % (path, line))
print(wrong, "wrong")
