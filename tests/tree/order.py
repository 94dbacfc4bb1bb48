"""Orderings of predicted times that follow from an argument, whatever the coefficients: the launch named first must be faster by
the factor at least. Arguments: treefork, this folder's Inputs, the samples, machines, how names of files begin that may be written."""
import json
import os
import re
import subprocess
import sys

treefork, inputs, samples, machines, written = sys.argv[1:6]
MACHINES = ["ampere-a100", "volta-v100"]
if os.environ.get("TEST_SCALE") == "full":
    MACHINES += ["turing-t4", "hopper-h200"]
ORDERS = [
    # A thread per row asks for a sector per thread, a thread per column for consecutive elements: a quarter of the sectors.
    ("order.c", ("columns", "m=262144,n=512,B=128"), ("rows", "m=262144,n=512,B=128"), 1.3),
    # Rows of a block along the rows of the array; columns of a block reach a sector per thread.
    ("order.c", ("stencil", "n=4098,B0=1,B1=128"), ("stencil", "n=4098,B0=128,B1=1"), 1.5),
    # Less than a warp in a block leaves lanes idle and needs many blocks.
    ("order.c", ("stencil", "n=4098,B0=4,B1=64"), ("stencil", "n=4098,B0=2,B1=4"), 1.3),
    # A tall tile of a stencil shares more of its halo than a flat one of as many threads.
    ("order.c", ("stencil", "n=4098,B0=8,B1=32"), ("stencil", "n=4098,B0=1,B1=8"), 1.1),
    # Each element of a tile is read once and used B times: small tiles read more.
    ("product", ("matmul", "n=2048,s=1,B0=16,ub1=16"), ("matmul", "n=2048,s=1,B0=4,ub1=4"), 1.5),
    ("product", ("matmul", "n=2048,s=4,B0=32,ub1=16"), ("matmul", "n=2048,s=1,B0=8,ub1=8"), 1.5),
    # Both sides of a transposition in whole sectors, or one side in pieces of an element.
    ("transpose", ("transpose", "N=4096,s=1,B0=16,B1=16"), ("transpose", "N=4096,s=1,B0=1,B1=64"), 1.3),
    ("transpose", ("transpose", "N=4096,s=1,B0=16,B1=16"), ("transpose", "N=4096,s=1,B0=64,B1=1"), 1.3),
]
FILES = {"product": "matmul/matmul.c", "transpose": "transpose/transpose.c"}
wrong = compared = 0
made = set()


def registers(path):
    """A file of the register estimates of the program, made once."""
    file = "%s.%s.registers" % (written, os.path.basename(path))
    if file not in made:
        subprocess.run([treefork, "tree", path, "--record-registers", file], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        made.add(file)
    return file


def predicted(path, machine, region, setting):
    done = subprocess.run([treefork, "rank", path, "--machine", machine, "--set", setting, "--top", "1", "--registers", registers(path)],
                          capture_output=True, text=True)
    found = re.search(r"^%s on .*\n +1\. predicted ([0-9.]+) us" % region, done.stdout, re.M)
    if not found:
        raise SystemExit("%s %s on %s: %s%s" % (region, setting, machine, done.stdout, done.stderr))
    return float(found[1])


for file, better, worse, factor in ORDERS:
    path = os.path.join(samples, FILES[file]) if file in FILES else os.path.join(inputs, file)
    for name in MACHINES:
        machine = os.path.join(machines, name + ".json")
        fast, slow = predicted(path, machine, *better), predicted(path, machine, *worse)
        compared += 1
        if fast * factor > slow:
            wrong += 1
            print("WRONG on %s: %s %.1f us, %s %.1f us, wanted a factor of %.1f" % (name, better, fast, worse, slow, factor))
# What is bound by memory follows its bandwidth.
for name in MACHINES:
    with open(os.path.join(machines, name + ".json"), encoding="utf-8") as text:
        machine = json.load(text)
    times = []
    for share in (10, 100):
        slower = dict(machine, memory_bandwidth=machine["memory_bandwidth"] // share)
        with open(written + ".json", "w", encoding="utf-8") as text:
            json.dump(slower, text)
        times.append(predicted(os.path.join(inputs, "order.c"), written + ".json", "stencil", "n=16386,B0=4,B1=64"))
    compared += 1
    if times[1] < 5 * times[0]:
        wrong += 1
        print("WRONG on %s: a hundredth of the bandwidth: %.1f us, %.1f us" % (name, *times))
print("%d orders, %d wrong" % (compared, wrong))
