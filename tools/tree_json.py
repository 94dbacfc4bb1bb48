#!/usr/bin/env python3
"""Reads tree.json in either layout and gives it written out (docs/tree-json.md), as `treefork tree --json` prints it.

As a program: tools/tree_json.py FILE prints FILE written out. As a module: tree_json.load(file)."""
import json
import re
import sys

RELATION = re.compile(r"(<=|>=|==|!=|<|>|=)")
REFERENCE = re.compile(r"#(\d+)")


def spaced(text):
    """ "2*s*B+2<=Z_B" to "2*s*B + 2 <= Z_B": a minus that begins a polynomial is no operation."""
    text = text.replace("+", " + ").replace(",", ", ")
    text = re.sub(r"(?<=[\w)])-", " - ", text)
    return RELATION.sub(r" \1 ", text)


class Region:
    """The lists of a compact region."""

    def __init__(self, region):
        self.polynomials = region.pop("polynomials")
        self.constraints = [self.text(text) for text in region.pop("constraints")]
        self.pieces = region.pop("pieces")
        self.values = region.pop("values")
        self.counters = region.pop("counters")

    def text(self, text):
        return spaced(REFERENCE.sub(lambda match: self.polynomials[int(match.group(1))], text))

    def guard(self, numbers):
        return [self.constraints[number] for number in numbers]

    def fraction(self, object, numerator, denominator):
        object["numerator"], object["denominator"] = self.text(numerator), self.text(denominator)
        object["value"] = f"({object['numerator']}) / ({object['denominator']})"

    def piece(self, number, exactness):
        row = self.pieces[number]
        piece = {"guard": self.guard(row[0]), "exactness": row[3] if len(row) > 3 else exactness}
        if row[2] is None:
            piece["value"] = self.text(row[1])
        else:
            self.fraction(piece, row[1], row[2])
        return piece

    def counter(self, name, counter):
        counter = dict(self.values[counter] if isinstance(counter, int) else counter)
        if "numerator" in counter:
            self.fraction(counter, counter["numerator"], counter["denominator"])
        elif isinstance(counter["value"], list):
            counter["value"] = [self.piece(number, counter["exactness"]) for number in counter["value"]]
        elif counter["value"] is not None:
            counter["value"] = self.text(counter["value"])
        if "tests" in counter:
            counter["tests"] = [{"test": part["test"], "keys": [self.text(key) for key in part["keys"]]} for part in counter["tests"]]
        if "auxiliary" in counter:
            counter["auxiliary"] = {key: self.text(text) for key, text in counter["auxiliary"].items()}
        counter.update(self.counters[name])
        return counter


def written_out(tree):
    """The tree with everything written out; one that is so already is returned as it is."""
    if tree["schema"] == 1:
        return tree
    assert tree["schema"] == 2, f"tree.json of schema {tree['schema']}"
    tree["schema"] = 1
    for region in tree["regions"]:
        shared = Region(region)
        for variant in region["variants"]:
            for system in variant["systems"]:
                system["path"] = shared.guard(system["path"])
            variant["counters"] = {name: shared.counter(name, counter) for name, counter in variant["counters"].items()}
    return tree


def load(file):
    return written_out(json.load(file))


if __name__ == "__main__":
    with open(sys.argv[1]) as opened:
        print(json.dumps(load(opened), indent=1, ensure_ascii=False))
