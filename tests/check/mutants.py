"""Trees with one thing changed, and certificates with one thing changed: does `treefork check` notice, and does it name the place?

Usage: mutants.py TREEFORK TREE.json (written out) WORK [EVERY]: every EVERY-th mutant of each kind (default 1)."""
import copy
import json
import os
import re
import subprocess
import sys

TREEFORK, TREE, WORK = sys.argv[1:4]
EVERY = int(sys.argv[4]) if len(sys.argv) > 4 else 1
TITLES = {"place": "stands at one place", "safe": "safe leaf is there", "divisor": "divisors", "point": "has a point",
          "cover": "lies in a case", "apart": "no point lies in two", "shown": "say the same", "fits": "its kernel fits",
          "need": "needs no more"}


def run(tree, *options):
    path = os.path.join(WORK, "mutant.json")
    with open(path, "w") as file:
        file.write(tree if isinstance(tree, str) else json.dumps(tree))
    done = subprocess.run([TREEFORK, "check", path, *options], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def looser(constraint):
    left, relation, right = re.match(r"(.*?) (<=|<|==) (.*)", constraint).groups()
    return f"{left} <= {right}" if relation == "==" else f"{left} {relation} {right} + 8"


def tighter(constraint):
    left, relation, right = re.match(r"(.*?) (<=|<|==) (.*)", constraint).groups()
    return f"{left} + 1 {relation} {right}"


def forks(node, found):
    if node and "constraint" in node:
        found.append(node)
        forks(node["accept"], found)
        forks(node["refuse"], found)
    return found


def places(node, found):
    for side in ("accept", "refuse"):
        if node[side] and "constraint" in node[side]:
            places(node[side], found)
        else:
            found.append((node, side))
    return found


def mutants(tree):
    """(what, mutated tree, kinds of which one must fail, a text that the report must have)"""
    region = tree["regions"][0]

    def changed(change):
        mutant = copy.deepcopy(tree)
        change(mutant["regions"][0])
        return mutant

    for v, variant in enumerate(region["variants"]):
        name = f"leaf {variant['id']}"
        for s, system in enumerate(variant["systems"]):
            for c in system["constraints"]:
                if c not in system["path"]:
                    continue

                def replace(r, new):
                    path = r["variants"][v]["systems"][s]["path"]
                    path[:] = [new if old == c else old for old in path]
                yield (f"{name}: '{c}' looser", changed(lambda r: replace(r, looser(c))), {"apart"}, f"{name}, case {s + 1}")
                yield (f"{name}: '{c}' tighter", changed(lambda r: replace(r, tighter(c))), {"cover"}, f"{name}, case {s + 1}")
            for i, c in enumerate(system["constraints"]):
                yield (f"{name}: shown '{c}' gone", changed(lambda r: r["variants"][v]["systems"][s]["constraints"].pop(i)),
                       {"shown"}, f"{name}, case {s + 1}")
            if system["witness"]:
                for parameter in system["witness"]:
                    if any(re.search(rf"\b{parameter}\b", c) for c in system["constraints"]):
                        def shift(r):
                            r["variants"][v]["systems"][s]["witness"][parameter] = -1
                        yield f"{name}: witness {parameter}", changed(shift), {"point"}, f"{name}, case {s + 1}"
                yield (f"{name}: codes stay, witness is another's",
                       changed(lambda r: r["variants"][v]["systems"][s].update(witness={p: 0 for p in system["witness"]})),
                       {"point"}, f"{name}, case {s + 1}")
            yield (f"{name}: case {s + 1} gone", changed(lambda r: r["variants"][v]["systems"].pop(s)), {"place", "cover"}, name)
        yield f"{name} gone", changed(lambda r: r["variants"].pop(v)), {"place", "safe"}, name if not variant["safe"] else "no leaf is safe"
        for i, c in enumerate(variant["fits"]):
            if c in region["initial"]:
                continue
            yield (f"{name}: fits '{c}' tighter", changed(lambda r: r["variants"][v]["fits"].__setitem__(i, "1000000 + " + c)), {"fits"}, name)
        for counter, value in variant["counters"].items():
            if value["kind"] == "resource" and value["value"] is not None and not isinstance(value["value"], list):
                def more(r):
                    r["variants"][v]["counters"][counter]["value"] = value["value"] + " + 100"
                yield f"{name}: {counter} more", changed(more), {"need"}, f"{name}, {counter}"
        for a, text in variant["auxiliary"].items():
            def other(r):
                for one in r["variants"]:
                    if a in one["auxiliary"]:
                        one["auxiliary"][a] = f"max(7, {text})"
            yield f"{a} = max(7, {text})", changed(other), {"point"}, a
    for i, fork in enumerate(forks(region["tree"], [])):
        for change in (looser, tighter):
            def refork(r):
                node = forks(r["tree"], [])[i]
                node["constraint"] = change(node["constraint"])
            yield f"fork {i + 1} '{fork['constraint']}' {change.__name__}", changed(refork), {"cover", "apart"}, "does not hold at"

        def swap(r):
            node = forks(r["tree"], [])[i]
            node["accept"], node["refuse"] = node["refuse"], node["accept"]
        yield f"fork {i + 1}: branches swapped", changed(swap), {"cover", "apart"}, "does not hold at"
    for i in range(len(places(region["tree"], []))):
        def cut(r):
            node, side = places(r["tree"], [])[i]
            node[side] = None
        yield f"place {i + 1} cut", changed(cut), {"place", "cover"}, "a point is there"
    for i, c in enumerate(region["initial"]):
        if c in ("1 <= W_B", "1 <= Q_B"):
            yield f"'{c}' gone", changed(lambda r: r["initial"].pop(i)), {"divisor"}, "does not hold at"
    yield "safe leaf unsafe", changed(lambda r: r["variants"][-1].update(safe=False)), {"safe"}, "no leaf is safe"
    yield "a second safe leaf", changed(lambda r: r["variants"][0].update(safe=True)), {"safe"}, "more than one"


def failed_kinds(out):
    lines = [line for line in out.splitlines() if re.match(r"  (FAILED|not proved) ", line)]
    return {kind for kind, title in TITLES.items() if any(title in line for line in lines)}


def certificate_mutants(certificate):
    proofs = certificate["regions"][0]["proofs"]
    keys = list(proofs)
    for i, key in enumerate(keys):
        def changed(text):
            mutant = copy.deepcopy(certificate)
            if text is None:
                del mutant["regions"][0]["proofs"][key]
            else:
                mutant["regions"][0]["proofs"][key] = text
            return mutant
        yield f"{key} gone", changed(None)
        yield f"{key} cut", changed(proofs[key][:-2])
        yield f"{key} another's", changed(next((proofs[k] for k in keys[i + 1:] + keys[:i] if proofs[k] != proofs[key]
                                               and (k.split()[0] == "point") != (key.split()[0] == "point"))))
        number = list(re.finditer(r"(?<=\()-?\d+(?= )", proofs[key]))
        if number and key.split()[0] != "point":
            at = number[-1]
            yield f"{key} number", changed(proofs[key][:at.start()] + str(int(at.group()) + 1) + proofs[key][at.end():])


def main():
    with open(TREE) as file:
        tree = json.load(file)
    tree["regions"] = tree["regions"][:1]
    bad = count = 0
    code, out, err = run(tree, "-o", os.path.join(WORK, "certificate.json"))
    if code != 0:
        sys.exit(f"the tree itself: {out}{err}")
    with open(os.path.join(WORK, "certificate.json")) as file:
        certificate = json.load(file)
    for i, (what, mutant, kinds, text) in enumerate(mutants(tree)):
        if i % EVERY:
            continue
        count += 1
        written = os.path.join(WORK, "written.json")
        code, out, err = run(mutant, "-o", written)
        wrong = "FAILED" in out and os.path.exists(written)
        if os.path.exists(written):
            os.remove(written)
        if code != 1 or not failed_kinds(out) & kinds or text not in out + err or wrong:
            bad += 1
            print(f"not noticed: {what}: {code}, {failed_kinds(out)} instead of {kinds}, '{text}'\n{out}{err}")
    for i, (what, mutant) in enumerate(certificate_mutants(certificate)):
        if i % EVERY:
            continue
        count += 1
        path = os.path.join(WORK, "edited.json")
        with open(path, "w") as file:
            json.dump(mutant, file)
        code, out, err = run(tree, "--certificate", path)
        if code != 1 or not re.search("FAILED|not proved  ", out):
            bad += 1
            print(f"not noticed: certificate: {what}: {code}\n{out}{err}")
    print(f"{count} mutants, {bad} not noticed")
    return bad != 0


sys.exit(main())
