"""Reads tree.json on standard input; one line per system: region variant: constraints: codes, factors and constraints
sorted, so that their order does not matter (spec C-23: up to the order of factors)."""
import json
import re
import sys


def term(text):
    return "*".join(sorted(text.split("*"), key=lambda f: (not f[0].isdigit(), f)))


def side(text):
    return " + ".join(sorted((term(t) for t in text.split(" + ")), key=lambda t: (-t.count("*"), t.isdigit(), t)))


def constraint(text):
    left, relation, right = re.match(r"(.*) (<=|>=|<|>|==|!=) (.*)", text).groups()
    return f"{side(left)} {relation} {side(right)}"


for region in json.load(sys.stdin)["regions"]:
    for variant in region["variants"]:
        for system in variant["systems"]:
            names = sorted(constraint(c) for c in system["constraints"])
            codes = "".join(f"({c})" for c in system["codes"])
            print(f"{region['name']} {variant['id']}: {', '.join(names)}: {codes}")
