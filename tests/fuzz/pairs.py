#!/usr/bin/env python3
"""Random small systems as SMT-LIB scripts, answered by treefork solve (every answer through the checker) and by z3.
Usage: pairs.py TREEFORK [--seed N] [--count N] [--z3 PROGRAM]. Systems have 1 to 3 variables, 1 to 4 assertions, degree up to 4,
Boolean structure in a third, integers in boxes in a fifth. Each script holds BATCH systems between push and pop; z3 has
TIMEOUT ms for each. An answer of z3 that a verified certificate of ours contradicts is counted as z3's. Prints one line per
disagreement (the script that shows it alone) and the counts; exit status 1 if one is left."""
import argparse
import os
import random
import subprocess
import sys
import tempfile

BATCH, TIMEOUT = 250, 400
NAMES = ("x", "y", "z")


def number(n):
    return str(n) if n >= 0 else f"(- {-n})"


def polynomial(rng, names, degree):
    terms = [number(rng.randint(-6, 6))]
    for _ in range(rng.randint(1, 3)):
        factors = [rng.choice(names) for _ in range(rng.randint(1, degree))]
        terms.append(f"(* {number(rng.choice((-3, -2, -1, 1, 2, 3)))} {' '.join(factors)})")
    return f"(+ {' '.join(terms)})"


def atom(rng, names, degree):
    relation = rng.choice(("=", "<", "<=", ">", ">=", "distinct"))
    return f"({relation} {polynomial(rng, names, degree)} 0)"


def formula(rng, names, degree, depth):
    if depth == 0:
        return atom(rng, names, degree)
    parts = " ".join(formula(rng, names, degree, depth - 1) for _ in range(2))
    return rng.choice((f"(or {parts})", f"(and {parts})", f"(not (and {parts}))", f"(xor {parts})", f"(=> {parts})"))


def system(rng):
    names = NAMES[: rng.choice((1, 2, 2, 2, 3))]
    sort = "Int" if rng.random() < 0.2 else "Real"
    depth = rng.choice((0, 0, 1))
    lines = [f"(declare-const {name} {sort})" for name in names]
    if sort == "Int":
        lines += [f"(assert (<= {number(-rng.randint(0, 5))} {name} {rng.randint(1, 9)}))" for name in names]
    degree = rng.choice((1, 2, 2, 3)) if len(names) > 1 else 4
    lines += [f"(assert {formula(rng, names, degree, depth)})" for _ in range(rng.randint(1, 4))]
    return "\n".join(lines)


def script(systems):
    body = "".join(f"(push 1)\n{text}\n(check-sat)\n(pop 1)\n" for text in systems)
    return "(set-option :global-declarations false)\n(set-logic ALL)\n" + body


def answers(command, text, environment=None):
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
        file.write(text)
        file.flush()
        run = subprocess.run(command + [file.name], capture_output=True, text=True, env=environment, check=False)
    found = [line for line in run.stdout.split() if line in ("sat", "unsat", "unknown")]
    return found, run


def certified(treefork, text):
    """Is our answer to this one system verified by the checker?"""
    with tempfile.TemporaryDirectory() as folder:
        path, certificate = os.path.join(folder, "s.smt2"), os.path.join(folder, "s.cert")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([treefork, "solve", "--certificate", certificate, path], capture_output=True, check=False)
        run = subprocess.run([treefork, "solve", "--check", path, certificate], capture_output=True, text=True, check=False)
        return run.stdout.split()[:1] == ["verified"]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("treefork")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=2000)
    options.add_argument("--z3", default="z3")
    o = options.parse_args()
    rng = random.Random(o.seed)
    total = dict.fromkeys(("systems", "sat", "unsat", "ours unknown", "z3 unknown", "compared", "z3 wrong", "disagree"), 0)
    environment = dict(os.environ, TREEFORK_CERTIFY="1")
    while total["systems"] < o.count:
        systems = [system(rng) for _ in range(min(BATCH, o.count - total["systems"]))]
        ours, run = answers([o.treefork, "solve"], script(systems), environment)
        peers, peer_run = answers([o.z3, f"-t:{TIMEOUT}"], script(systems))
        if len(ours) != len(systems) or len(peers) != len(systems):
            print(f"answers are missing: {len(ours)}, {len(peers)} of {len(systems)}\n{run.stderr[-600:]}{peer_run.stderr[-300:]}")
            total["disagree"] += 1
        for text, our, peer in zip(systems, ours, peers):
            total["systems"] += 1
            total["ours unknown" if our == "unknown" else our] += 1
            total["z3 unknown"] += peer == "unknown"
            if "unknown" in (our, peer):
                continue
            total["compared"] += 1
            if our != peer:
                wrong = certified(o.treefork, script([text]))
                total["z3 wrong" if wrong else "disagree"] += 1
                print(f"treefork {our}, z3 {peer}{', our certificate verified' if wrong else ''}:\n{script([text])}")
        sys.stdout.flush()
    print(f"seed {o.seed}: " + ", ".join(f"{name} {value}" for name, value in total.items()))
    return total["disagree"] != 0


sys.exit(main())
