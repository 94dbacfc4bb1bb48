"""PoCL with other limits: for each setting the generated program must take the leaf that `treefork explain` foretells for the
same device, and nothing that does not fit may be launched. Usage: limits.py BUILD SAMPLES WORKDIR

Local memory is set by HWLOC_SYNTHETIC (32, 48, 128 KiB; below 32 KiB PoCL reports 32, so 4 and 16 KiB come by a machine
file), the work-group limit by POCL_MAX_WORK_GROUP_SIZE. TEST_SCALE=full tries every pair of the two at every point, small each
value of both at the first point of each sample."""
import json
import os
import re
import subprocess
import sys

build, samples, work = sys.argv[1:4]
tool = os.path.join(build, "treefork")
os.makedirs(work, exist_ok=True)

POINTS = {
    "jacobi1d": ["T=2,N=4098,s=8,B=256", "T=1,N=40000,s=8,B=512", "T=1,N=16386,s=2,B=64", "T=1,N=9000,s=4,B=1024"],
    "transpose": ["N=128,s=8,B0=16,B1=16", "N=128,s=2,B0=32,B1=32", "N=64,s=4,B0=4,B1=8"],
    "matmul": ["n=64,s=4,B0=16,ub1=16", "n=128,s=2,B0=32,ub1=32", "n=32,s=1,B0=4,ub1=4"],
}
LOCAL = [32, 48, 128]
GROUP = [64, 256, 1024]
FULL = os.environ.get("TEST_SCALE") == "full"
SETTINGS = [(kib, group) for kib in LOCAL for group in GROUP] if FULL else list(zip(LOCAL, GROUP))
POINTS_EACH = None if FULL else 1
SMALL = [1024, 4096]      # words, by machine file


def hwloc(kib):
    size = kib * 1024
    return f"node:1(memory=8GB) l3:1(size=33554432) l2:16(size={size}) core:1 pu:1"


def run(arguments, environment):
    return subprocess.run(arguments, env=environment, capture_output=True, text=True)


def main():
    checks = failures = 0
    for kib, group in SETTINGS:
        for words in [None] + (SMALL if (kib, group) == (48, 256) else []):
            environment = dict(os.environ, HWLOC_SYNTHETIC=hwloc(kib), POCL_MAX_WORK_GROUP_SIZE=str(group),
                               TREEFORK_DEVICE="opencl", TREEFORK_TRACE="1", TREEFORK_ON_ERROR="abort")
            device = run([tool, "devices", "--json", "--device", "opencl"], environment)
            if device.returncode:
                sys.exit(device.stderr)
            machine = json.loads(device.stdout)
            if machine["threads_per_block"] != group or (kib * 256) != machine["shared_words_per_block"]:
                sys.exit(f"the device does not show the limits asked for: {machine}")
            if words:
                machine["shared_words_per_block"] = words
            path = os.path.join(work, f"machine-{kib}-{group}-{words}.json")
            json.dump(machine, open(path, "w"))
            if words:
                environment["TREEFORK_MACHINE"] = path
            for name, points in POINTS.items():
                for point in points[:POINTS_EACH]:
                    checks += 1
                    failures += not check(name, point, path, environment, (kib, group, words))
    print(f"{checks} dispatches checked, {failures} differ")
    return failures != 0


def check(name, point, machine, environment, setting):
    source = os.path.join(samples, name, name + ".c")
    foretold = run([tool, "explain", source, "--machine", machine, "--set", point, "--json", *registers(source, name)], environment)
    if foretold.returncode:
        print(f"{name} {point} {setting}: explain: {foretold.stderr}")
        return False
    leaf = json.loads(foretold.stdout)[0]["leaf"]
    program = executable(source, name, point, environment)
    ran = run([program, os.path.join(work, "result")], environment)
    taken = re.search(rf"{name}: leaf (\d+)", ran.stderr + ran.stdout)
    if ran.returncode or not taken or int(taken.group(1)) != leaf:
        print(f"{name} {point} {setting}: foretold leaf {leaf}, took {taken and taken.group(1)}, status {ran.returncode}: "
              f"{ran.stderr[-300:]}")
        return False
    return True


def registers(source, name):
    """The options that replay the estimates of a sample, recorded once."""
    path = os.path.join(work, name + ".registers")
    if not os.path.exists(path):
        done = run([tool, "tree", source, "--record-registers", path], dict(os.environ))
        if done.returncode:
            sys.exit(done.stderr)
    return ["--registers", path]


def executable(source, name, point, environment):
    """The generated program of `treefork verify --keep`, built once per point (results are compared there)."""
    folder = os.path.join(work, name + "-" + re.sub(r"\W", "_", point))
    program = os.path.join(folder, name + ".leaf")
    if not os.path.exists(program):
        plain = {k: v for k, v in environment.items() if not k.startswith(("HWLOC", "POCL_MAX", "TREEFORK_"))}
        done = run([tool, "verify", source, "--set", point, "--device-runs", "first", "--keep", folder, *registers(source, name)],
                   plain)
        if done.returncode:
            sys.exit(f"{name} {point}: {done.stdout}{done.stderr}")
    return program


sys.exit(main())
