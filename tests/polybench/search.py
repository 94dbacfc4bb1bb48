"""The search of tools/bench-programs over times that are known: two regions whose best point the
prediction misses by a factor of four in one tunable and by the leaf. Says after how many trials
it is found."""
import importlib.machinery
import importlib.util
import os
import sys

sys.dont_write_bytecode = True
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
TOOL = os.path.join(ROOT, "tools", "bench-programs")
LOADER = importlib.machinery.SourceFileLoader("bench_programs", TOOL)
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader(LOADER.name, LOADER))
LOADER.exec_module(tool)

BEST = {"first": (2, 5, 3), "second": (1, 0, 6)}     # leaf, exponents of B0 and B1
PREDICTED = {"first": (1, 3, 4), "second": (1, 2, 5)}
CANDIDATES = [(leaf, a, b) for leaf in (1, 2) for a in range(10) for b in range(10)]


def distance(one, other):
    return 1 + abs(one[0] - other[0]) + abs(one[1] - other[1]) + abs(one[2] - other[2])


def choice(candidate):
    leaf, a, b = candidate
    return leaf, {"B0": 2 ** a, "B1": 2 ** b}


class Known:
    """In place of a program and of its process."""

    def __init__(self):
        self.asked, self.found = [], 0

    def automatic(self):
        return {region: choice(point) for region, point in PREDICTED.items()}, {}

    def measure(self, point):
        exponents = {region: (leaf, *(value.bit_length() - 1 for value in values.values()))
                     for region, (leaf, values) in point.choices.items()}
        self.asked.append(tuple(sorted(exponents.items())))
        if exponents == BEST:
            self.found = len(self.asked)
        return float(sum(distance(exponents[region], BEST[region]) for region in BEST))

    def end(self):
        pass


def by_prediction(_program, _parameters):
    return {region: [choice(c) for c in sorted(CANDIDATES, key=lambda c: distance(c, at))]
            for region, at in PREDICTED.items()}


known = Known()
tool.Server = lambda program: program
tool.ranked = by_prediction
tool.Search(known, 60).run()
again = "none twice" if len(set(known.asked)) == len(known.asked) else "some twice"
print(f"the best of {len(CANDIDATES) * len(BEST)} candidates of {len(BEST)} regions after "
      f"{known.found or 'all'} trials, {again}")
