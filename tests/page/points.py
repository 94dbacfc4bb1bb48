"""The page's engine against `treefork explain --points`: byte by byte the same explanation at random points,
and of what the region would choose for itself there.
Usage: points.py BUILD ROOT WORK SAMPLE.c..."""
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import random_points

build, root, work = sys.argv[1:4]
tool = os.path.join(build, "treefork")
COUNT = 2000 if os.environ.get("TEST_SCALE") == "full" else 200
SEED = int(os.environ.get("SEED", "7"))
random.seed(SEED)


def run(arguments, text=None):
    return subprocess.run(arguments, input=text, capture_output=True, text=True)


def refusal(line):
    """Where no answer is given: line and region; the words of why differ."""
    answer = json.loads(line)
    return "line" in answer and (answer["line"], answer.get("region"))


def compare(path):
    name = os.path.basename(path)
    page = os.path.join(work, name + ".html")
    made = run([tool, "tree", path, "--html", page])
    if made.returncode:
        sys.exit(made.stderr)
    tree = json.loads(run([tool, "tree", path, "--json"]).stdout)
    lines = [random_points.line(*point) for point in random_points.points(tree, root, COUNT)]
    given = os.path.join(work, name + ".points")
    with open(given, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    told = run([tool, "explain", path, "--points", given, "--auto"]).stdout.splitlines()
    here = run(["node", os.path.join(root, "tests/page/points.mjs"), page], "\n".join(lines))
    said = here.stdout.splitlines()
    if here.returncode or len(said) != len(told):
        sys.exit(f"{name}: {len(told)} and {len(said)} answers\n{here.stderr}")
    different = refused = 0
    for a, b in zip(told, said):
        both_refuse = refusal(a) and refusal(a) == refusal(b)
        refused += both_refuse
        if a != b and not both_refuse:
            different += 1
            print(f"{name}: the tool says\n{a}\nthe page\n{b}")
    chosen = [json.loads(a)["chosen"] for a in told if '"by": "predicted time"' in a]
    if not any(chosen):
        sys.exit(f"{name}: nothing is chosen anywhere")
    leaves = {json.loads(a)["leaf"] for a in told if a.startswith('{"region"')}
    partly = len({refusal(a)[0] for a in told if refusal(a)}) * len(tree["regions"]) > refused
    print(f"{name}: {len(told)} answers, {refused} refused{', some of them by some regions' if partly else ''}, {len(chosen)} choices, {len(leaves)} leaves, {different} different (seed {SEED})")
    return different


sys.exit(any([compare(path) for path in sys.argv[4:]]))
