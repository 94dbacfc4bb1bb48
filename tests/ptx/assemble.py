"""PTX of every leaf of a program, assembled for several GPUs within its register budget; CUDA C compiled by nvcc.

  assemble.py TOOL SOURCE FOLDER            PTX for sm_75, sm_80 and sm_90 (TEST_SCALE=full; else
                                            sm_90), a row per entry and GPU, then a line of counts
  assemble.py TOOL SOURCE FOLDER --nvcc     CUDA C with nvcc for sm_80, warnings are errors
  assemble.py TOOL SOURCE FOLDER OPTION...  PTX of what `treefork build` makes with more options

The budget of an entry is what the runtime gives to the driver's compiler: max(24, r rounded up to a multiple of 8), r the
estimate in tree.json at the entry's bindings (the symbolic entry: all tunables 1, the least), or the .maxnreg of the text if
that is less. As the runtime does (runtime/program.c), entries are assembled freely first; those that take more than their budget
then are judged by a call within it. More registers than the budget are a failure. So are spilled bytes: the bound is fitted, and
holds for all but a few kernels in a thousand (docs/results/counters.md), of which the samples have none; the limit that the runtime
raises the budget to stands in the row. Not counted are leaves that are held to the lowest cap on purpose (pressure levels, the safe
leaf): there they are reported. No GPU is needed."""
import collections
import functools
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools"))
import tree_json

STEP = 8                      # registers by which the runtime raises a limit
TARGETS = [75, 80, 90] if os.environ.get("TEST_SCALE") == "full" else [90]


def find(program):
    for folder in os.environ["PATH"].split(os.pathsep) + ["/usr/local/cuda/bin"]:
        if os.access(os.path.join(folder, program), os.X_OK):
            return os.path.join(folder, program)
    sys.exit(f"{program} is not installed")


def run(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def estimate(value, bindings):
    """The polynomial `value` ("3*s + 33") at the bindings, 1 for every other name."""
    if not re.fullmatch(r"[\w*+^ ()/-]+", value):
        sys.exit(f"not a polynomial: {value}")
    names = collections.defaultdict(lambda: 1, bindings)
    text = re.sub(r"[A-Za-z_]\w*", lambda m: str(names[m.group()]), value).replace("^", "**")
    return eval(text, {"__builtins__": {}})


def entries(ptx, tree, target):
    """Budget by entry, of every variant that runs on the target the symbolic entry and those with bindings; the entries that
    may spill."""
    budgets, capped = {}, set()
    for region in tree["regions"]:
        for variant in region["variants"]:
            if int(variant["counters"].get("asynchrony", {"value": "0"})["value"]) > target:
                continue
            r = variant["counters"]["registers_per_thread"]["value"]
            for kernel in (launched["entry"] for launched in variant["kernels"]):
                found = re.findall(rf"\.entry ({kernel}(?:__\w+)?)\(", ptx)
                if kernel not in found:
                    sys.exit(f"no entry {kernel}")
                if variant["safe"] or any(name.startswith("pressure") for name in variant["strategies"]):
                    capped.update(found)
                for entry in found:
                    bindings = {name: int(value) for name, value in re.findall(r"__([A-Za-z]\w*?)_(\d+)", entry[len(kernel):])}
                    budgets[entry] = max(24, -(-estimate(str(r), bindings) // 8) * 8)
    for entry, head in re.findall(r"\.entry (\w+)\((.*?)\n\{", ptx, re.S):
        most = re.search(r"\.maxnreg (\d+)", head)
        if entry not in budgets:
            sys.exit(f"entry {entry} belongs to no leaf")
        if most:
            budgets[entry] = min(budgets[entry], int(most.group(1)))
    return budgets, capped


@functools.cache
def assemble(path, target, budget):
    """Registers and spilled bytes by entry; budget None: freely."""
    limit = [f"--maxrregcount={budget}"] if budget else []
    text = run([find("ptxas"), f"-arch=sm_{target}", "-v", *limit, "-o", os.devnull, path])
    rows = re.findall(r"Compiling entry function '(\w+)'.*?(\d+) bytes spill stores.*?Used (\d+) registers", text, re.S)
    return {entry: (int(registers), int(spilled)) for entry, spilled, registers in rows}


def as_launched(path, target, entry, budget):
    """Registers and spilled bytes as the entry is compiled first, and the limit within which it spills nothing that it
    keeps freely."""
    freely = assemble(path, target, None)[entry]
    if freely[0] <= budget:
        return *freely, budget
    within, least = assemble(path, target, budget)[entry], budget
    while least < freely[0] and assemble(path, target, least)[entry][1] > freely[1]:
        least += STEP
    return *within, least


def check_ptx(tool, source, folder, options):
    stem = os.path.join(folder, os.path.splitext(os.path.basename(source))[0])
    assembled = over = spilling = lost = 0
    for target in TARGETS:
        run([tool, "build", source, "-o", folder, "--target", str(target), *options])
        ptx = open(stem + ".ptx").read()
        if f".target sm_{target}" not in ptx:
            sys.exit(f"the PTX is not for sm_{target}")
        budgets, capped = entries(ptx, tree_json.load(open(stem + ".tree.json")), target)
        assemble.cache_clear()
        for entry, budget in budgets.items():
            registers, spilled, least = as_launched(stem + ".ptx", target, entry, budget)
            print(f"sm_{target} {entry:32} {registers:4} registers, budget {budget:4}, {spilled:4} bytes spilled"
                  + (f", none within {least}" if least > budget else "") + (" OVER" if registers > budget else "")
                  + (" (capped)" if entry in capped else ""))
            assembled, over = assembled + 1, over + (registers > budget)
            spilling, lost = spilling + (spilled > 0), lost + (spilled > 0 and entry not in capped)
    print(f"{assembled} entries assembled, {over} over budget, {lost} spill within their estimate, "
          f"{spilling - lost} capped ones do")
    return over == 0 and lost == 0 and assembled > 0


def check_nvcc(tool, source, folder):
    stem = os.path.join(folder, os.path.splitext(os.path.basename(source))[0])
    run([tool, "build", source, "-o", folder])
    needed = set(re.findall(r"compile with -DTREEFORK_BIND_(\w+)=", open(stem + ".cu").read()))
    run([find("nvcc"), "-arch=sm_80", "-Werror", "all-warnings", "-cubin", "-o", os.path.join(folder, "cubin")]
        + [f"-DTREEFORK_BIND_{name}=4" for name in sorted(needed)] + [stem + ".cu"])
    print("nvcc compiles " + os.path.basename(stem) + ".cu")
    return True


done = check_nvcc(*sys.argv[1:4]) if sys.argv[4:] == ["--nvcc"] else check_ptx(*sys.argv[1:4], sys.argv[4:])
sys.exit(0 if done else 1)
