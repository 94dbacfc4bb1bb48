"""The explanation of a generated program equals that of `treefork explain --points`, byte by byte: the path with its numbers, the
leaf, the codes, the runner-up, predicted times to the last bit. Usage: explain.py BUILD ROOT WORKDIR SAMPLE.c...

One is computed by tables and NAME_select, the other by polynomials and the tree. Points are random, with a printed seed: powers of
two, odd sizes, values out of range (both must refuse), values whose products leave 64 bits; machines are the machine files and
such with limits left out. TEST_SCALE=full takes ten times as many."""
import json
import os
import random
import re
import subprocess
import sys

build, root, work = sys.argv[1:4]
tool = os.path.join(build, "treefork")
COUNT = 400 if os.environ.get("TEST_SCALE") == "full" else 40
SEED = int(os.environ.get("SEED", "5"))
random.seed(SEED)

HARNESS = r"""
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <treefork-tables.h>
static const struct treefork_region *const regions[] = {%s};
enum { REGIONS = sizeof regions / sizeof *regions };

static void names(const struct treefork_region *r)
{
    for (size_t i = 0; i < r->n_parameters; i++)
        if (r->parameters[i].integer != TREEFORK_NONE)
            printf("%%s ", r->parameters[i].name);
    printf("\n");
}

int main(int argc, char **argv)
{
    struct treefork_machine machine;
    char path[1024];
    if (argc < 2)
        for (size_t i = 0; i < REGIONS; i++)
            names(regions[i]);
    while (argc > 1 && scanf("%%1000s", path) == 1) {
        if (treefork_machine_read(path, &machine))
            return puts(treefork_message()), 1;
        for (size_t i = 0; i < REGIONS; i++) {
            int64_t values[64];
            for (size_t k = 0; k < regions[i]->n_integers; k++)
                if (scanf("%%" SCNd64, &values[k]) != 1)
                    return 2;
            int status = treefork_region_explain(regions[i], &machine, values, atoi(argv[1]), stdout);
            if (status)
                printf("refused: %%s\n", treefork_message());
        }
    }
    return 0;
}
"""


def run(arguments, **more):
    done = subprocess.run(arguments, capture_output=True, text=True, **more)
    if done.returncode and "--points" not in arguments:
        sys.exit(f"{arguments}: status {done.returncode}: {done.stdout[-300:]}{done.stderr}")
    return done.stdout


def machines():
    """Machine files, and copies with some limits unknown."""
    folder = os.path.join(root, "machines")
    paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".json")]
    for i in range(5):
        machine = json.load(open(random.choice(paths)))
        for key in random.sample(sorted(machine), 6):
            if key not in ("name", "source", "note"):
                machine[key] = None
        paths.append(os.path.join(work, f"unknown{i}.json"))
        json.dump(machine, open(paths[-1], "w"))
    return paths


def value():
    kind = random.random()
    if kind < 0.5:
        return 1 << random.randrange(12)
    if kind < 0.92:
        return random.randrange(1, 5000)
    if kind < 0.96:
        return random.choice([0, -1, 1 << 20])
    return random.choice([(1 << 31) - 1, 1 << 30])


def program(source):
    name = os.path.splitext(os.path.basename(source))[0]
    out = os.path.join(work, name)
    run([tool, "build", source, "-o", out])
    text = open(os.path.join(out, name + ".tf.c")).read()
    regions = re.findall(r"static const struct treefork_region tf_region_(\w+) = ", text)
    main = os.path.join(out, "harness.c")
    with open(main, "w") as file:
        file.write('#include "%s.tf.c"\n' % name + HARNESS % ", ".join("&tf_region_" + r for r in regions))
    flags = open(os.path.join(work, "flags")).read().split()
    run(["cc", "-w", *flags, "-I" + os.path.join(root, "runtime"), "-I" + out, "-I" + os.path.dirname(source), main,
         os.path.join(build, "libtreefork.a"), "-ldl", "-lpthread", "-lm", "-o", os.path.join(out, "harness")])
    return os.path.join(out, "harness")


def difference(mine, theirs):
    """Where the program's lines and the tool's begin to differ."""
    for a, b in zip(mine, theirs):
        at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        if a != b:
            return f"\n  program: {a[max(at - 60, 0):at + 60]}\n  tool:    {b[max(at - 60, 0):at + 60]}"
    return ""


def line_same(mine, theirs, number):
    if theirs.startswith('{"line"'):
        return json.loads(theirs)["line"] == number and mine.startswith("refused")
    return theirs == mine


def compare(source, paths):
    harness = program(source)
    names = [line.split() for line in run([harness]).splitlines()]
    lines, input = [], []
    for _ in range(COUNT):
        machine, values = random.choice(paths), {n: value() for region in names for n in region}
        lines.append(json.dumps({"machine": machine, "parameters": values}))
        input.append(machine + " " + " ".join(str(values[n]) for region in names for n in region))
    points = os.path.join(work, "points")
    open(points, "w").write("\n".join(lines) + "\n")
    foretold = run([tool, "explain", source, "--points", points]).splitlines()
    ran = run([harness, "1"], input="\n".join(input)).splitlines()
    same = refused = different = 0
    for i, line in enumerate(lines):
        mine, ran = ran[:len(names)], ran[len(names):]
        theirs, foretold = foretold[:len(names)], foretold[len(names):]
        refused += any(b.startswith('{"line"') for b in theirs)
        good = len(theirs) == len(mine) and all(line_same(a, b, i + 1) for a, b in zip(mine, theirs))
        same += good
        if not good:
            different += 1
            print(f"{source}: {line}{difference(mine, theirs)}")
    print(f"{os.path.basename(source)}: {same} points alike, {refused} with a region refused by both, {different} different (seed {SEED})")
    return different


sys.exit(sum(compare(source, machines()) for source in sys.argv[4:]) != 0)
