"""Views in a tree's JSON (standard input) against its constraints: an integer point of a case lies in every range, in the
projection's cells, and cells hold no point that the case, by brute force over the third parameter, does not have."""
import itertools
import json
import math
import re
import sys

STEPS = range(1, 1100, 37)


def holds(text, point):
    return eval(re.sub(r"\^", "**", text), {}, point)


def in_interval(interval, value):
    return (interval["first"] is None or interval["first"] <= value) and (interval["last"] is None or value <= interval["last"])


def curve_root(curve, x, y, point):
    """The only root of a curve of degree one in y."""
    value = [eval(curve.replace("^", "**"), {}, {**point, y: v}) for v in (0, 1)]
    assert value[1] != value[0], curve
    return -value[0] / (value[1] - value[0])


def in_cells(cells, names, x, y):
    for cell in cells:
        if cell["lo"] and x <= float(eval(cell["lo"]["lo"])) or cell["hi"] and x >= float(eval(cell["hi"]["hi"])):
            continue
        for strip in cell["strips"]:
            lo = curve_root(strip["lo"]["curve"], x, names[1], {names[0]: x}) if strip["lo"] else -math.inf
            hi = curve_root(strip["hi"]["curve"], x, names[1], {names[0]: x}) if strip["hi"] else math.inf
            if lo - 1e-9 <= y <= hi + 1e-9:
                return True
    return False


region = json.load(sys.stdin)["regions"][0]
seen = {True: 0, False: 0}
for variant in region["variants"]:
    for system in variant["systems"]:
        projection = system["projection"]
        # That a number divides another has no meaning over the reals, so that its case has cells around other points too.
        divides = any(re.search(r"\bd\b", c) for c in system["constraints"])
        assert projection["onto"] == ["B0", "B1"] and bool(projection["cells"]) == (projection["formula"] != "false"), system
        for b0, b1 in itertools.product(STEPS, STEPS):
            exists = False
            for s in (1, 2, 5, 30, 100, 1000, 3000, 10 ** 7):
                point = {"N": 0, "t": 0, "s": s, "B0": b0, "B1": b1}
                point |= {a: holds(text, point | {"ceil": math.ceil}) for a, text in variant["auxiliary"].items()}
                if not all(holds(c, point) for c in system["constraints"] + region["initial"]):
                    continue
                exists = True
                for name, intervals in system["ranges"].items():
                    assert any(in_interval(i, point[name]) for i in intervals), (name, point, intervals)
            if b0 == 1:
                continue   # the boundary itself is no open interval
            inside = in_cells(projection["cells"], ["B0", "B1"], b0, b1)
            assert inside == exists or inside and divides, (variant["id"], b0, b1, exists)
            seen[exists] += 1
assert seen[True] > 100 and seen[False] > 100, seen
