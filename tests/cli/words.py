"""Every strategy of optimizer/strategy.def and every counter that a tree can fork on has words in cli/words.def, and no other has.

Usage: words.py ROOT"""
import os
import re
import sys

root = sys.argv[1]


def text(path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


words = text("cli/words.def")
strategies = re.findall(r'^X\(\w+, "([^"]+)"', text("optimizer/strategy.def"), re.M)
counters = [name for name, kind in re.findall(r'^X\(\w+, (\w+), "[^"]*", "[^"]*", \w+, (\w+),', text("optimizer/counter.def"), re.M)
            if kind != "REPORT"]
named = re.findall(r'^STRATEGY\("([^"]+)", "[^"]+"\)', words, re.M), re.findall(r'^COUNTER\("([^"]+)", "[^"]+"\)', words, re.M)
assert strategies and counters
for wanted, have in ((strategies, named[0]), (counters, named[1])):
    for name in sorted(set(wanted) ^ set(have)):
        print(f"{name}: {'no words' if name in wanted else 'words for nothing'}")
phrases = re.findall(r'", "([^"]+)"\)', words)
print(f"{len(phrases)} names, {len(phrases) - len(set(phrases))} phrases twice")
