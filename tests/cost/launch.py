"""Instructions of a launch that is the library's own path: a region in a loop of the host, on drivers that do nothing (tests/null),
counted by valgrind as the difference of two runs. Usage: launch.py BUILD ROOT WORKDIR. The limits are below; raise one only with a
reason in the commit, lower them with every gain. 2,000 are 0.2 us."""
import glob
import os
import re
import subprocess
import sys

build, root, work = sys.argv[1:4]
LIMITS = {"cuda": 1850, "opencl": 2050}
FEW, MANY = 200, 1200
MAIN = """
#include "jacobi1d.tf.h"
#include <stdlib.h>
int main(int argc, char **argv)
{
    static int cells[2 * 130];
    jacobi1d(argc > 1 ? atoi(argv[1]) : 1, 130, 1, 16, cells);
    return 0;
}
"""


def run(*arguments, **more):
    done = subprocess.run(arguments, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{arguments}: {done.stdout}{done.stderr}")
    return done


def instructions(device, rounds):
    # An environment of fixed size: the library looks at all of it.
    environment = {"PATH": os.environ["PATH"], "TREEFORK_DEVICE": device, "TREEFORK_NVRTC": "none", "TREEFORK_CACHE_DIR": "none",
                   "TREEFORK_ON_ERROR": "abort", "TREEFORK_CUDA_DRIVER": work + "/libnull.so",
                   "TREEFORK_OPENCL_DRIVER": work + "/libnull.so"}
    done = run("valgrind", "--tool=callgrind", "--callgrind-out-file=" + work + "/callgrind." + device, work + "/launch", str(rounds),
               env=environment)
    return int(re.search(r"refs:\s+([\d,]+)", done.stderr).group(1).replace(",", ""))


os.makedirs(work, exist_ok=True)
run(build + "/treefork", "build", root + "/samples/jacobi1d/jacobi1d.c", "-o", work)
open(work + "/main.c", "w").write(MAIN)
run("cc", "-O2", "-g", "-fPIC", "-shared", "-o", work + "/libnull.so",
    *sorted(glob.glob(root + "/tests/null/driver/*.c")))
run("cc", "-std=c11", "-D_XOPEN_SOURCE=700", "-O2", "-w", "-I" + root, "-I" + root + "/runtime", "-I" + work, work + "/main.c",
    work + "/jacobi1d.tf.c", *[root + "/runtime/" + name for name in sorted(os.listdir(root + "/runtime")) if name.endswith(".c")],
    "-ldl", "-lpthread", "-lm", "-o", work + "/launch")
over = 0
for device, limit in LIMITS.items():
    count = (instructions(device, MANY) - instructions(device, FEW)) / (MANY - FEW)
    over += count > limit
    print(f"{device}: {count:.0f} instructions a launch, at most {limit}")
sys.exit(over != 0)
