"""One cell of the witness matrix: every leaf of a sample, at several sets of parameters, run by one witness and compared with
the serial program.

  matrix.py BUILD SAMPLES NAME WITNESS [--also t=0 --also t=1] [--sets FUNCTION VALUES [FUNCTION VALUES ...]]

WITNESS: `opencl` (the OpenCL device, PoCL on a CPU), `threads` (thread interpreter over ir), `cpu` (LLVM, one fiber per
thread), `simulated` (CUDA path of the runtime with embedded PTX on the simulated driver). Without --sets the sets are those
of SAMPLES/NAME/sets. --also: each set once with each of these additional values, for kernel parameters that the function
makes itself. What is counted: every leaf of the tree must have been run at every set, and launched something where T > 0; a
leaf whose extents do not divide at a set is skipped there, but must have been run at another. The last line says so; the
exit status is 0 only if all of it holds."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile


def read_sets(path):
    with open(path) as file:
        return [tuple(line.split()) for line in file if line.strip() and not line.startswith("#")]


def run(arguments, environment=None):
    return subprocess.run(arguments, env=environment, capture_output=True, text=True)


def count_leaves(tool, source):
    """Number of leaves by name of the region."""
    done = run([tool, "tree", source, "--json"])
    if done.returncode:
        sys.exit(done.stderr)
    return {region["name"]: len(region["variants"]) for region in json.loads(done.stdout)["regions"]}


def simulated_environment(build, samples, source, folder):
    leaves = run([os.path.join(build, "treefork"), "-d", "leaves", source])
    if leaves.returncode:
        sys.exit(leaves.stderr)
    path = os.path.join(folder, "leaves")
    with open(path, "w") as file:
        file.write(leaves.stdout)
    machine = os.path.join(os.path.dirname(samples), "machines", "ampere-a100.json")
    return dict(os.environ, TREEFORK_CUDA_DRIVER=os.path.join(build, "libcuda-simulated.so"), TREEFORK_NVRTC="none",
                TREEFORK_SIMULATED_IR=path, TREEFORK_SIMULATED_MACHINE=machine, TREEFORK_SIMULATED_SEED="7")


def check(text, values, leaves, on_device, done):
    """Messages about what is wrong with the output of one `treefork verify`; the number of leaves verified. Into `done` go
    the leaves that ran."""
    wrong, verified, skipped = [], 0, 0
    for line in text.splitlines():
        leaf = re.match(r"(\w+) leaf (\d+).*?: (.*)", line)
        if not leaf:
            continue
        if re.match(r"skipped: .*(does not divide|was forced, but it needs)", leaf.group(3)):
            skipped += 1
        elif not leaf.group(3).startswith("equals serial"):
            wrong.append(line)
        elif on_device and leaf.group(3).endswith(" 0 launches") and "T=0" not in values.split(","):
            wrong.append(line + ": nothing was launched")
        else:
            verified += 1
            done.add((leaf.group(1), int(leaf.group(2))))
    if verified + skipped + len(wrong) != leaves:
        wrong.append(f"{verified + skipped + len(wrong)} of {leaves} leaves were run: {text[-300:]}")
    return wrong, verified


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("samples")
    parser.add_argument("name")
    parser.add_argument("witness", choices=["opencl", "threads", "cpu", "simulated"])
    parser.add_argument("--also", action="append", default=[])
    parser.add_argument("--sets", nargs="+")
    options = parser.parse_args()
    tool = os.path.join(options.build, "treefork")
    folder = os.path.join(options.samples, options.name)
    source = os.path.join(folder, options.name + ".c")
    sets = (list(zip(options.sets[::2], options.sets[1::2])) if options.sets else read_sets(os.path.join(folder, "sets")))
    leaves = count_leaves(tool, source)
    on_device = options.witness in ("opencl", "simulated")
    failures = verified = runs = 0
    asked, ran = set(), set()
    with tempfile.TemporaryDirectory() as scratch:
        environment = dict(os.environ)
        device = ["--witness", options.witness]
        if options.witness == "simulated":
            environment = simulated_environment(options.build, options.samples, source, scratch)
            device = ["--device", "cuda"]
        elif on_device:
            device = ["--device", "opencl"]
        for function, values in sets:
            for also in options.also or [""]:
                command = [tool, "verify", source, "--set", ",".join(filter(None, [values, also]))] + device
                done = run(command + (["--function", function] if on_device else []), environment)
                expected = leaves[function] if on_device else sum(leaves.values())
                wrong, good = check(done.stdout, values, expected, on_device, ran)
                asked |= {(name, i + 1) for name in ([function] if on_device else leaves) for i in range(leaves[name])}
                if done.returncode and not wrong:
                    wrong = [done.stderr]
                for message in wrong:
                    print(f"{function} {values} {also}: {message}")
                runs, verified, failures = runs + 1, verified + good, failures + len(wrong)
    for name, leaf in sorted(asked - ran):
        print(f"leaf {leaf} of {name} was run at no set")
        failures += 1
    print(f"{options.name} by {options.witness}: {runs} sets, {verified} runs of leaves equal serial, {failures} wrong")
    return failures != 0 or runs < 4 or verified == 0


sys.exit(main())
