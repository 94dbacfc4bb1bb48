"""Counts the boxes of a picture against the tree in JSON, and looks for two that overlap. Usage: picture.py SVG JSON"""
import json
import re
import sys
import xml.dom.minidom

picture = xml.dom.minidom.parse(sys.argv[1])
with open(sys.argv[2], encoding="utf-8") as file:
    tree = json.load(file)["regions"][0]["tree"]


def count(node):
    if not node or "constraint" not in node:
        return 0, 1
    forks, ends = (a + b for a, b in zip(count(node["accept"]), count(node["refuse"])))
    return forks + 1, ends


boxes = []
for group in picture.getElementsByTagName("g"):
    x, y = map(int, re.findall(r"\d+", group.getAttribute("transform")))
    rect = group.getElementsByTagName("rect")[0]
    boxes.append((x, y, x + int(rect.getAttribute("width")), y + int(rect.getAttribute("height")), group.getAttribute("class")))
kinds = tuple(sum(box[4] == kind for box in boxes) for kind in ("fork", "leaf"))
overlap = [(a, b) for i, a in enumerate(boxes) for b in boxes[:i] if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]]
assert kinds == count(tree), (kinds, count(tree))
assert not overlap, overlap[0]
print(f"{kinds[0]} forks, {kinds[1]} ends, no two boxes overlap")
