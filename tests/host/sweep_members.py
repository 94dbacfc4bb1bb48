"""Every call of the CUDA driver fails once on each of three members (simulated driver, which runs copies and launches late and loses
the device where two uses of a byte are in no order): the program ends with the serial result, or stops and says that the newest data
are nowhere else; whatever it says names the region, the status and the call. Usage: sweep_members.py BUILD ROOT PROGRAM KERNELS.
TEST_SCALE=full: all calls of each function on each member, three error numbers; else four calls of each function."""
import os
import re
import subprocess
import sys
from collections import Counter

build, root, program, kernels = sys.argv[1:5]
FULL = os.environ.get("TEST_SCALE") == "full"
LOST, REFUSED, NO_MEMORY = 719, 1, 2
MEMBERS = range(3)
# Member, error number and which calls of a function there.
ALL = [(member, code, range(1, 200)) for member in MEMBERS for code in (LOST, REFUSED, NO_MEMORY)]
SOME = [(0, LOST, (6,)), (1, LOST, (6,)), (1, NO_MEMORY, (1,)), (2, LOST, (1,))]
names = re.findall(r"^X\(\w+, (\w+),", open(os.path.join(root, "runtime/cuda.def")).read(), re.M)
environment = dict(os.environ, TREEFORK_CUDA_DRIVER=os.path.join(build, "libcuda-simulated.so"), TREEFORK_SIMULATED_IR=kernels,
                   TREEFORK_DEVICE="cuda", TREEFORK_NVRTC="none", TREEFORK_DEVICES="0,1,2", TREEFORK_WEIGHTS="equal",
                   TREEFORK_SIMULATED_DEVICES="3", TREEFORK_SIMULATED_CHECK="1", TREEFORK_CHECKED="1", TREEFORK_CACHE_DIR="none",
                   TREEFORK_SIMULATED_MACHINE=os.path.join(root, "machines/volta-v100.json"))
SAID = re.compile(r"treefork: \w+: [a-z ]+: .+ \(.*\)$|treefork: device \d of 3 \(.*\) runs no parts from here on: .+$")
seen = Counter()


def run(fault):
    return subprocess.run([program], env=dict(environment, TREEFORK_SIMULATED_FAIL=fault), capture_output=True, text=True, timeout=60)


def ending(done):
    lines = [line for line in done.stderr.splitlines() if line.startswith("treefork")]
    if not all(SAID.match(line) for line in lines):
        return "wrong"
    if done.returncode == 0 and done.stdout == clean.stdout:
        return "right" if lines else "quiet"
    stops = done.returncode == -6 and not done.stdout and lines and "the data are nowhere else" in lines[-1]
    return "stopped" if stops else "wrong"


clean = run("")
assert clean.returncode == 0 and not clean.stderr, clean.stderr
for name in names:
    for member, code, calls in ALL if FULL else SOME:
        for call in calls:
            done = run(f"{name}@{member}:{call}={code}")
            if "fails as asked" not in done.stderr:
                break
            end = ending(done)
            seen[end] += 1
            if end == "wrong":
                print(f"{name}@{member}:{call}={code}: status {done.returncode}: {done.stdout}{done.stderr[-900:]}")
print(f"{sum(seen.values())} calls failed: {seen['right']} right, {seen['quiet']} not noticed, {seen['stopped']} stopped, {seen['wrong']} wrong")
