"""Trees of targets with one key changed: does `treefork check` say which comparison fails, and where?

Usage: targets.py TREEFORK TREE.json (written out) WORK [EVERY]: every EVERY-th mutant (default 1).
What is compared is read from `check --list`: "fork 4, coalescing, test 0, down to fork 9,
coalescing, test 0", "…, down to leaf 3, case 1"."""
import copy
import json
import os
import re
import subprocess
import sys

TREEFORK, TREE, WORK = sys.argv[1:4]
EVERY = int(sys.argv[4]) if len(sys.argv) > 4 else 1
LINE = re.compile(r"fork (\d+), (\w+), test (\d+), down to (?:fork (\d+)|leaf (\d+))")
NAMES = {"occupancy": "occupancy", "coalescing": "coalescing", "banks": "bank_efficiency"}


def check(tree):
    path, certificate = os.path.join(WORK, "mutant.json"), os.path.join(WORK, "mutant.cert.json")
    with open(path, "w") as file:
        json.dump(tree, file)
    done = subprocess.run([TREEFORK, "check", path, "-o", certificate, "--list"],
                          capture_output=True, text=True)
    written = os.path.exists(certificate)
    if written:
        os.remove(certificate)
    return done.returncode, done.stdout, written


def forks(node, found):
    if node and "constraint" in node:
        found.append(node)
        forks(node["accept"], found)
        forks(node["refuse"], found)
    return found


def mutants(tree, compared):
    """(what, mutated tree, what the report must have)"""
    for fork, counter, test, below, leaf in compared:
        def changed(change):
            mutant = copy.deepcopy(tree)
            change(mutant["regions"][0])
            return mutant

        def place(region):
            if below:
                return forks(region["tree"], [])[int(below) - 1]
            counters = region["variants"][int(leaf) - 1]["counters"][NAMES[counter]]
            return next(part for part in counters["tests"] if part["test"] == int(test))

        def above(region):
            return forks(region["tree"], [])[int(fork) - 1]

        end = f"down to fork {below}, " if below else f"down to leaf {leaf}, "
        where = rf"fork {fork}, {counter}, test {test}, {end}.*FAILED: "
        for i in range(len(above(tree["regions"][0])["keys"])):
            def raised(region):
                place(region)["keys"][i] += " + 1000000"

            def lowered(region):
                above(region)["keys"][i] += " - 1000000"
            yield f"{where} key {i} raised below", changed(raised), where + "it worsens: "
            yield f"{where} key {i} lowered above", changed(lowered), where + "it worsens: "
        lone = len(above(tree["regions"][0])["keys"]) == 1
        yield (f"{where} a key gone", changed(lambda region: place(region)["keys"].pop()),
               "not stated" if lone else where + "the tests have other numbers of keys")


def main():
    with open(TREE) as file:
        tree = json.load(file)
    code, out, written = check(tree)
    if code or not written:
        sys.exit(f"the tree itself: {out}")
    compared = sorted(set(match.groups() for match in LINE.finditer(out)), key=str)
    bad = count = 0
    for i, (what, mutant, text) in enumerate(mutants(tree, compared)):
        if i % EVERY:
            continue
        count += 1
        code, out, written = check(mutant)
        is_failure = text != "not stated"
        if (code, written) != (is_failure, not is_failure) or not re.search(text, out):
            bad += 1
            print(f"not noticed: {what}: {code}\n{out}")
    print(f"{len(compared)} comparisons, {count} mutants, {bad} not noticed")
    return bad != 0


sys.exit(main())
