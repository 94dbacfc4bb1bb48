"""Every call of the CUDA driver fails once under a generated program (simulated driver): the program ends with the serial program's
result, or stops and says that the newest data are nowhere else; whatever it says names the region, the status and the call.
Usage: sweep.py BUILD ROOT PROGRAM KERNELS. TEST_SCALE=full: each of the first eight calls of a function, three error numbers."""
import os
import re
import subprocess
import sys

build, root, program, kernels = sys.argv[1:5]
FULL = os.environ.get("TEST_SCALE") == "full"
CALLS, CODES = (range(1, 9), (719, 2, 1)) if FULL else ((1, 3), (719,))
SERIAL = "4 34 100, "
names = re.findall(r"^X\(\w+, (\w+),", open(os.path.join(root, "runtime/cuda.def")).read(), re.M)
environment = dict(os.environ, TREEFORK_CUDA_DRIVER=os.path.join(build, "libcuda-simulated.so"), TREEFORK_SIMULATED_IR=kernels,
                   TREEFORK_DEVICE="cuda", TREEFORK_NVRTC="none")
serial = stopped = quiet = wrong = 0
for name in names:
    for call in CALLS:
        for code in CODES:
            done = subprocess.run([program], env=dict(environment, TREEFORK_SIMULATED_FAIL=f"{name}:{call}={code}"),
                                  capture_output=True, text=True)
            lines = [line for line in done.stderr.splitlines() if line.startswith("treefork")]
            said = all(re.match(r"treefork: \w+: [a-z ]+: .+ \(.*\)$", line) for line in lines)
            if done.returncode == 0 and done.stdout.startswith(SERIAL) and said:
                serial += bool(lines)
                quiet += not lines
            elif done.returncode == -6 and not done.stdout and lines and "the data are nowhere else" in lines[-1] and said:
                stopped += 1
            else:
                wrong += 1
                print(f"{name}:{call}={code}: status {done.returncode}: {done.stdout}{done.stderr[-600:]}")
print(f"{serial} fell back, {stopped} stopped, {quiet} not noticed, {wrong} wrong")
