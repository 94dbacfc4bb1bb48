"""Points for the page and for `treefork explain --points`: machines of the machine files, parameters that are powers of two, odd,
negative or large. Values of int stay where products of a few of them fit an int: beyond that the tables know that C's own numbers
would wrap, and the tree does not."""
import json
import os
import random


def machines(root):
    folder = os.path.join(root, "machines")
    return [json.load(open(os.path.join(folder, name))) for name in sorted(os.listdir(folder)) if name.endswith(".json")]


def value(parameter):
    wide = parameter["type"] == "long"
    most = 2 ** 61 if wide and parameter["role"] == "size" else 4000 if parameter["role"] == "size" else 300
    return random.choice([random.randint(1, most), 2 ** random.randint(0, most.bit_length() - 1), random.randint(-2, 40), 16])


def parameters_of(tree):
    """Those of all regions of tree.json that have a value, each name once."""
    found = {}
    for region in tree["regions"]:
        for parameter in region["parameters"]["program"] + region["parameters"]["data"]:
            if parameter["role"] != "value":
                found.setdefault(parameter["name"], parameter)
    return list(found.values())


def points(tree, root, count):
    """[(machine, {name: value})] for all regions of tree.json; the machine's limits vary."""
    parameters = parameters_of(tree)
    files = machines(root)
    drawn = []
    for _ in range(count):
        machine = dict(random.choice(files))
        if random.random() < 0.3:
            machine["shared_words_per_block"] = random.choice([64, 1000, 12288, None])
        if random.random() < 0.3:
            machine["registers_per_thread"] = random.choice([32, 40, 64, 128])
        drawn.append((machine, {p["name"]: value(p) for p in parameters}))
    return drawn


def line(machine, values):
    """One of `treefork explain --points`: whole numbers as texts, since doubles do not hold all of them."""
    return json.dumps({"machine": machine, "parameters": {name: str(v) for name, v in values.items()}})
