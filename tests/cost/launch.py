"""What a launch of a region takes that is the library's own path: a region in a loop of the host, on drivers that do nothing
(tests/null), and where the device is a CPU what a run of few cells takes that the host does in place, its serial code
included, looked at each time and not (small), and what a launch in three parts takes with its halos (three members). Usage:
launch.py BUILD ROOT WORKDIR [--time]. Instructions are counted by valgrind, as the difference of two runs; the limits are
below; raise one only with a reason in the commit, lower them with every gain. 2,000 are 0.2 us. --time (make
bench-launch) also times 100,000 launches: the median of 100 calls of 1,000, with the 5th and 95th of them."""
import glob
import os
import re
import subprocess
import sys

build, root, work = sys.argv[1:4]
LIMITS = {"cuda": 1930, "opencl": 2110, "in place": 1445, "small": 525, "three members": 40750}
HOST = ("in place", "small")
FEW, MANY = 200, 1200
MAIN = """
#define _POSIX_C_SOURCE 200809L
#include "jacobi1d.tf.h"
#include <treefork.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { CALLS = 100 };
static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}
int main(int argc, char **argv)
{
    static int cells[2 * 130];
    static double each[CALLS];
    int rounds = atoi(argv[2]);
    int n = atoi(argv[1]);
    treefork_default();
    jacobi1d(rounds, n, 1, 16, cells);
    for (int i = 0; argc > 3 && i < CALLS; i++) {
        double start = now();
        jacobi1d(rounds, n, 1, 16, cells);
        each[i] = (now() - start) / rounds;
    }
    qsort(each, CALLS, sizeof *each, compare);
    if (argc > 3)
        printf("%.0f ns (%.0f to %.0f)\\n", each[CALLS / 2], each[4], each[95]);
    return 0;
}
"""


def run(*arguments, **more):
    done = subprocess.run(arguments, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{arguments}: {done.stdout}{done.stderr}")
    return done


def environment(device):
    """Of fixed size: the library looks at all of it."""
    return {"PATH": os.environ["PATH"], "TREEFORK_DEVICE": "cuda" if device == "cuda" else "opencl",
            **({"TREEFORK_DEVICES": "0,0,0", "TREEFORK_WEIGHTS": "equal"} if device == "three members" else {}),
            "NULL_TYPE": "cpu" if device in HOST else "gpu", "TREEFORK_NVRTC": "none", "TREEFORK_CACHE_DIR": "none",
            **({} if device == "small" else {"TREEFORK_ON_ERROR": "abort"}), "TREEFORK_CUDA_DRIVER": work + "/libnull.so",
            "TREEFORK_OPENCL_DRIVER": work + "/libnull.so"}


def cells(device):
    return "6" if device in HOST else "130"


def instructions(device, rounds):
    done = run("valgrind", "--tool=callgrind", "--callgrind-out-file=" + work + "/callgrind." + device.replace(" ", "_"), work + "/launch", cells(device),
               str(rounds),
               env=environment(device))
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
    if "--time" in sys.argv:
        print(f"{device}: a launch of 100,000 takes {run(work + '/launch', cells(device), '1000', 'times', env=environment(device)).stdout}", end="")
sys.exit(over != 0)
