"""Evaluates the counter `time` of tree.json at random points, exactly, and compares it with what `treefork explain` predicts.
Arguments: treefork, samples, machines, and how names of files of recorded register estimates begin."""
import json
import math
import random
import re
import subprocess
import sys
from fractions import Fraction

treefork, samples, machines, recorded = sys.argv[1:5]
KEYS = {"M_D": "multiprocessors", "K_D": "clock", "W_B": "warp_size"}
LANES = {"P_S": 64, "P_D": 32, "P_I": 128, "Y_L": 5000}       # of capability 8.0, and the default of the launch
random.seed(7)
machine_file = machines + "/ampere-a100.json"
machine = json.load(open(machine_file))
compared = above = 0


def value(text, names):
    text = re.sub(r"\b(\d+)\b", r"Fraction(\1)", text).replace("^Fraction(", "**int(")
    return eval(text, {"Fraction": Fraction, "floor": math.floor, "ceil": math.ceil, "max": max, "int": int}, names)


def holds(constraint, names):
    found = re.match(r"(.*?) (<=|<|>=|>|==) (.*)", constraint)
    left, right = value(found[1], names), value(found[3], names)
    return {"<=": left <= right, "<": left < right, ">=": left >= right, ">": left > right, "==": left == right}[found[2]]


def told(counter, names):
    names = dict(names)
    for name, text in counter.get("auxiliary", {}).items():
        names[name] = Fraction(value(text, names))
    pieces = counter["value"]
    if isinstance(pieces, str):
        return value(pieces, names)
    for piece in pieces:
        if all(holds(c, names) for c in piece["guard"]):
            return value(piece["value"], names)
    raise SystemExit("no piece holds")


for sample, draw in (("matmul", {"n": 2048, "s": 4, "B0": 5, "ub1": 6}), ("jacobi2d", {"N": 2000, "t": 2, "T": 2, "s": 4, "B0": 5, "B1": 6}),
                     ("transpose", {"N": 3000, "s": 4, "B0": 5, "B1": 6}), ("matvec", {"m": 5000, "n": 2000, "B": 10, "h": 8})):
    source = "%s/%s/%s.c" % (samples, sample, sample)
    registers = "%s.%s" % (recorded, sample)     # made once, replayed by explain
    made = subprocess.run([treefork, "tree", source, "--json", "--record-registers", registers], capture_output=True, check=True)
    tree = json.loads(made.stdout)["regions"][0]
    counters = {v["id"]: v["counters"]["predicted_time"] for v in tree["variants"]}
    for _ in range(4):
        point = {k: (1 << random.randrange(m)) if m <= 10 else random.randrange(1, m) for k, m in draw.items()}
        text = ",".join("%s=%d" % item for item in point.items())
        done = subprocess.run([treefork, "explain", source, "--machine", machine_file, "--set", text, "--json", "--registers", registers], capture_output=True, text=True)
        if done.returncode:
            continue
        names = {k: Fraction(v) for k, v in list(point.items()) + list(LANES.items())}
        names.update({k: Fraction(machine[key]) for k, key in KEYS.items()})
        for leaf in json.loads(done.stdout)[0]["predicted"]:
            if leaf["nanoseconds"] is None or counters[leaf["leaf"]]["value"] is None:
                continue
            compared += 1
            if told(counters[leaf["leaf"]], names) > Fraction(leaf["nanoseconds"]) * Fraction(1000001, 1000000):
                above += 1
                print("above:", sample, text, leaf)
print("compared %d times, %d above" % (compared, above))
