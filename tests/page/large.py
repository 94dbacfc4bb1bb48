"""A page with a tree of many leaves: that of a sample with its data replaced. Usage: large.py PAGE LEAVES OUT

The tree asks n <= 8, n <= 16 … in halves, so that leaf k runs where 8(k-1) < n <= 8k; the last leaf is the safe one."""
import base64
import json
import re
import sys
import zlib

NONE = 65535


def data_of(html):
    packed = re.search(r'<script type="text/plain" id="data">([^<]*)</script>', html)
    return packed.group(1), json.loads(zlib.decompress(base64.b64decode(packed.group(1))))


class Rows:
    """The tables of the tree: the constants are the bounds, value `count` is n."""

    def __init__(self, count):
        self.bounds = [8 * (i + 1) for i in range(count)]
        self.steps, self.asked, self.conditions, self.texts = [], [], [], []

    def add(self, first, last):
        """The place of the leaves first..last: a step, or the end of a leaf as a negative number."""
        if first == last:
            return -1 - first
        middle, number = (first + last) // 2, len(self.steps)
        self.steps.append(None)
        self.texts.append(f"n <= {self.bounds[middle]}")
        self.conditions += [len(self.bounds), 3, middle]
        self.asked.append(number)
        accept = self.add(first, middle)
        self.steps[number] = [NONE, NONE, NONE, accept, self.add(middle + 1, last)]
        return number


def node(rows, place):
    if place < 0:
        return {"variant": -place, "system": 0}
    step = rows.steps[place]
    return {"constraint": rows.texts[place], "counter": "threads", "strategy": None,
            "accept": node(rows, step[3]), "refuse": node(rows, step[4])}


def variant(number, count, model):
    made = dict(model, id=number, safe=number == count, strategies=[f"strategy{number}"])
    made["counters"] = dict(list(model["counters"].items())[:4])
    made["kernels"] = [dict(model["kernels"][0], entry=f"large_{number}")]
    return made


def replaced(data, count):
    rows = Rows(count)
    rows.add(0, count - 1)
    steps = [[a, b, c, *((len(rows.steps) - 1 - p) if p < 0 else p for p in (on, off))] for a, b, c, on, off in rows.steps]
    region = data["tree"]["regions"][0]
    region.update(name="large", tree=node(rows, 0), initial=[], legality=[],
                  parameters={"machine": [], "program": [], "data": [{"name": "n", "role": "size", "type": "int", "least": 1}]},
                  variants=[variant(i + 1, count, region["variants"][0]) for i in range(count)])
    data["tree"]["regions"] = [region]
    data["lines"] = data["lines"][:1]
    data["cuda"] = "\n".join(f"/* large, leaf {i + 1} of {count}\n   by hand */\n__global__ void large_{i + 1}(int n)\n{{\n    /* leaf {i + 1} */\n}}\n"
                             for i in range(count))
    data["opencl"] = data["ptx"] = ""
    data["tables"] = [{
        "name": "large", "function": "large", "layout": data["tables"][0]["layout"], "shape": 0, "checks": 0, "parameters": [0],
        "names": ["n"], "bytes": [], "constants": [str(b) for b in rows.bounds], "machine": [], "operations": [], "lists": [0],
        "conditions": rows.conditions, "texts": rows.texts, "asked": rows.asked, "accesses": [], "figures": [],
        "launches": [0, 0, 0, NONE, NONE, NONE, 0, 0, NONE, NONE], "leaves": sum(([i + 1, int(i + 1 == count), 0, 0, 1] for i in range(count)), []),
        "steps": sum(steps, []), "ends": sum(([i + 1, NONE] for i in range(count)), []), "words": [], "varies": [0], "tunables": [],
        "sizes": [], "moves": [], "cuts": [], "parts": [], "exact": 0, "exact_varies": 0, "divisions": ""}]
    return data


def make(page, count, out):
    with open(page, encoding="utf-8") as file:
        html = file.read()
    packed, data = data_of(html)
    made = base64.b64encode(zlib.compress(json.dumps(replaced(data, count)).encode())).decode()
    with open(out, "w", encoding="utf-8") as file:
        file.write(html.replace(packed, made))


if __name__ == "__main__":
    make(sys.argv[1], int(sys.argv[2]), sys.argv[3])
