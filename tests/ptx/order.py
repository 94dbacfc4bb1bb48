"""The order in which machine code copies, waits and computes, as nvdisasm shows it: of a PTX file with one entry, assembled for
each GPU, a line of the form

  sm_80: compute copy group wait barrier copy compute barrier, 0 bytes spilled

what stands there several times in a row named once. group: LDGDEPBAR ends a group of asynchronous copies; wait: DEPBAR waits for
groups; copy: LDGSTS; barrier: BAR; store: STS, a tile's element that passed through a register; compute: FADD, FMUL, FFMA.
nvdisasm is a part of CUDA's toolkit, or of the wheel nvidia-cuda-nvdisasm.

  order.py FILE.ptx TARGET..."""
import glob
import os
import re
import subprocess
import sys
import sysconfig
import tempfile

KINDS = {"LDGDEPBAR": "group", "DEPBAR": "wait", "BAR": "barrier", "LDGSTS": "copy", "STS": "store", "FADD": "compute",
         "FMUL": "compute", "FFMA": "compute"}


def find(program):
    """The path of a program of CUDA's toolkit; None if there is none."""
    folders = os.environ["PATH"].split(os.pathsep) + ["/usr/local/cuda/bin"]
    folders += glob.glob(os.path.join(sysconfig.get_path("purelib"), "nvidia", "*", "bin"))
    paths = [os.path.join(folder, program) for folder in folders]
    return next((path for path in paths if os.access(path, os.X_OK)), None)


def order(code):
    found = []
    for name in re.findall(r"^\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9]+)", code, re.M):
        if name in KINDS and found[-1:] != [KINDS[name]]:
            found.append(KINDS[name])
    return " ".join(found)


def main():
    for target in sys.argv[2:]:
        with tempfile.NamedTemporaryFile(suffix=".cubin") as cubin:
            said = subprocess.run([find("ptxas"), f"-arch=sm_{target}", "-v", sys.argv[1], "-o", cubin.name], check=True,
                                  capture_output=True, text=True).stderr
            code = subprocess.run([find("nvdisasm"), cubin.name], check=True, capture_output=True, text=True).stdout
        spilled = sum(int(bytes) for bytes in re.findall(r"(\d+) bytes spill", said))
        print(f"sm_{target}: {order(code)}, {spilled} bytes spilled")


if __name__ == "__main__":
    main()
