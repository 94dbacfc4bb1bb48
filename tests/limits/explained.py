"""PoCL with other limits: why a generated program takes a leaf is what `treefork explain` foretells from the saved machine file of
that device, for the samples at their own sets and at larger ones. Usage: explained.py BUILD SAMPLES WORKDIR

24 combinations of local memory (32 to 128 KiB, HWLOC_SYNTHETIC) and work-group limit (16 to 4096, POCL_MAX_WORK_GROUP_SIZE). Each
program runs with TREEFORK_EXPLAIN=json; the points that it met are asked of `explain --points` with the machine file, one process
for all. Path, numbers, case, codes and predicted times must be equal; where tunables are given the whole line is.
TEST_SCALE=full: all samples in all combinations; small: two samples, three combinations."""
import json
import os
import re
import subprocess
import sys

build, samples, work = sys.argv[1:4]
tool = os.path.join(build, "treefork")
os.makedirs(work, exist_ok=True)
FULL = os.environ.get("TEST_SCALE") == "full"
SETTINGS = [(kib, group) for kib in (32, 48, 64, 128) for group in (16, 64, 128, 256, 1024, 4096)]
LARGER = {"jacobi1d": ["jacobi1d T=1,N=40000,s=8,B=512", "jacobi1d T=1,N=9000,s=4,B=1024"],
          "transpose": ["transpose N=128,s=8,B0=16,B1=16", "transpose N=128,s=2,B0=32,B1=32"],
          "matmul": ["matmul n=64,s=4,B0=16,ub1=16", "matmul n=128,s=2,B0=32,ub1=32"]}
if not FULL:
    SETTINGS = SETTINGS[1::8]


def run(arguments, environment=None):
    return subprocess.run(arguments, env=environment, capture_output=True, text=True)


def machines():
    """An environment and a machine file for each combination."""
    for kib, group in SETTINGS:
        hwloc = f"node:1(memory=8GB) l3:1(size=33554432) l2:16(size={kib * 1024}) core:1 pu:1"
        environment = dict(os.environ, HWLOC_SYNTHETIC=hwloc, POCL_MAX_WORK_GROUP_SIZE=str(group), TREEFORK_DEVICE="opencl",
                           TREEFORK_EXPLAIN="json", TREEFORK_ON_ERROR="abort")
        environment["TREEFORK_HOST"] = "model"      # the tool foretells what runs in place by the model
        told = run([tool, "devices", "--json", "--device", "opencl"], environment)
        machine = json.loads(told.stdout)
        if machine["threads_per_block"] != group or machine["shared_words_per_block"] != kib * 256:
            sys.exit(f"the device does not show the limits asked for: {machine}")
        path = os.path.join(work, f"machine-{kib}-{group}.json")
        open(path, "w").write(told.stdout)
        yield environment, path


def program(source, line, number):
    """The generated program of `treefork verify --keep` at one set."""
    function, point = line.split()
    folder = os.path.join(work, f"{os.path.basename(source)}-{number}")
    kept = run([tool, "verify", source, "--function", function, "--set", point, "--device-runs", "first", "--keep", folder],
               dict(os.environ, TREEFORK_DEVICE="opencl"))
    found = os.path.join(folder, function + ".leaf")
    if not os.path.exists(found):
        sys.exit(f"{source} {line}: {kept.stdout}{kept.stderr}")
    return found


def same(said, foretold):
    if said["by"] != "case":
        for member in ("by", "leaf", "safe", "chosen", "runner_up", "measured", "in_place", "serial"):
            said.pop(member, None)
            foretold.pop(member, None)
        return said == foretold
    return dict(said, chosen={}) == foretold


def sample(name, devices):
    source = os.path.join(samples, name, name + ".c")
    lines = [line.strip() for line in open(os.path.join(samples, name, "sets")) if line.strip() and line[0] != "#"]
    asked = []
    for number, line in enumerate(lines[:2 if FULL else 1] + LARGER.get(name, [])[:2 if FULL else 1]):
        made = program(source, line, number)
        for environment, machine in devices:
            ran = run([made, os.path.join(work, "result")], environment)
            said = [json.loads(text) for text in ran.stderr.splitlines() if text.startswith('{"region"')]
            if ran.returncode or not said:
                sys.exit(f"{name} {line} {machine}: status {ran.returncode}: {ran.stderr[-300:]}")
            asked += [(entry, machine) for entry in said]
    points = os.path.join(work, name + ".points")
    others = {name: value for entry, _ in asked for name, value in entry["parameters"].items()}     # a point has those of all regions
    with open(points, "w") as file:
        for entry, machine in asked:
            file.write(json.dumps({"machine": machine, "parameters": {**others, **entry["parameters"]}}) + "\n")
    answers = run([tool, "explain", source, "--points", points]).stdout.splitlines()
    different, checked, leaves = 0, 0, set()
    answers = iter(answers)
    for entry, machine in asked:
        found = None
        for text in answers:        # a line per region, an error where one cannot run
            answer = json.loads(text)
            if answer.get("region") == entry["region"] and "error" not in answer:
                found = answer
            if answer.get("region", regions_last(source)) == regions_last(source):
                break
        checked += 1
        leaves.add((entry["region"], entry["case"]))
        if not found or not same(dict(entry), dict(found)):
            different += 1
            print(f"{name}: {machine}: {entry['parameters']}: said {entry['case']}, foretold {found and found.get('case')}")
    return checked, different, len(leaves)


LAST = {}


def regions_last(source):
    """The name of the file's last region."""
    if source not in LAST:
        tree = json.loads(run([tool, "tree", source, "--json"]).stdout)
        LAST[source] = tree["regions"][-1]["name"]
    return LAST[source]


devices = list(machines())
names = sorted(name for name in os.listdir(samples) if os.path.exists(os.path.join(samples, name, "sets"))) if FULL else \
    ["jacobi1d", "plain_lu"]
total = [sum(column) for column in zip(*(sample(name, devices) for name in names))]
print(f"{len(devices)} combinations, {len(names)} samples: {total[0]} explanations of {total[2]} leaves checked, {total[1]} differ")
sys.exit(total[1] != 0)
