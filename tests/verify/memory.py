"""How many times the bytes of the arrays a run of `treefork verify` has in memory and in its folder together, at most: what the
processes of the tool have of their own (Pss_Anon of Linux, so that pages which they share count once) and the blocks of the
folder's files, looked at every few milliseconds. What a run with small arrays takes is left out: compilers, the device's
libraries.

  memory.py TREEFORK LIMIT FILE BYTES SMALL LARGE [OPTION …]

SMALL and LARGE: options that make the arrays small and large, in one word each. Prints one line; the status is 1 above LIMIT."""
import os
import subprocess
import sys
import tempfile
import time


def tree_of(pid):
    """The process and all below it."""
    found = [pid]
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                for child in file.read().split():
                    found += tree_of(int(child))
    except OSError:
        pass
    return found


def own_bytes(pid):
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss_Anon:"))
    except OSError:
        return 0


def folder_bytes(folder):
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(root, name)).st_blocks * 512
            except OSError:
                pass
    return total


def peak_of(command):
    """The most bytes that the command has at once; what it prints if it fails."""
    peak = 0
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as output:
        run = subprocess.Popen(command, env=dict(os.environ, TMPDIR=folder), stdout=output, stderr=subprocess.STDOUT)
        while run.poll() is None:
            peak = max(peak, sum(map(own_bytes, tree_of(run.pid))) + folder_bytes(folder))
            time.sleep(0.01)
        left = os.listdir(folder)
        output.seek(0)
        text = output.read()
    if run.returncode or left:
        sys.exit(f"{text}\nstatus {run.returncode}, left in the folder: {left}")
    return peak


def main():
    tool, limit, source, count, small, large, *options = sys.argv[1:]
    command = [tool, "verify", source, *options]
    fixed, peak = (peak_of(command + values.split()) for values in (small, large))
    times = (peak - fixed) / float(count)
    print(f"{times:.1f} times the arrays' bytes, {fixed / 1e6:.0f} MB beside")
    return times > float(limit)


sys.exit(main())
