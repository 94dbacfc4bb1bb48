#!/usr/bin/env python3
"""Sequences beside their table: regions, launches and words of global memory.

Usage: table.py TREEFORK TABLE PROGRAM.c [NAME=VALUE …]

A row of the table has a function, the number of regions and of launches that it becomes, and the words that the launches of
each region's first leaf read and write, as a polynomial over m and n; memory that is the device's own does not count. The words
are counted by running the leaf thread by thread (`treefork -d lines`). Where a text has two plans, of which `meta_threads()`
picks one, the row is of the first: the one for a GPU. Each row is compared at several sizes."""
import re
import subprocess
import sys

POINTS = ((40, 30), (33, 65))
BLOCKS = "B0=16,B1=16,B2=16,B3=16,B4=16,B5=16"


def counted(tool, program, function, most, m, n):
    """Regions (the first ones, at most so many), launches and words of a function at a size."""
    command = [tool, "-d", "lines", "--leaf", "1", program, "--function", function, "--reassociate", "--set", f"m={m},n={n},{BLOCKS}"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{function}: status {run.returncode}: {run.stderr}")
    regions, launches, words, leaf = 0, 0, 0, 0
    for line in run.stdout.splitlines():
        head = re.match(r"// leaf (\d+)(?:, launch (\d+) of)?", line)
        if head:
            leaf = int(head.group(1))
            is_new = leaf == 1 and head.group(2) in (None, "1")
            if is_new and regions == most:
                break
            regions += is_new
            launches += leaf == 1
        moved = re.match(r"  words of \w+: (\d+) read, (\d+) written", line)
        if moved and leaf == 1:
            words += int(moved.group(1)) + int(moved.group(2))
    return regions, launches, words


def rows_of(table):
    with open(table) as file:
        return [line.split("|") for line in file if line.strip() and not line.startswith("#")]


def main():
    tool, table, program = sys.argv[1:4]
    wrong = 0
    rows = rows_of(table)
    for row in rows:
        name, regions, launches, words = (cell.strip() for cell in row[:4])
        for m, n in POINTS:
            expected = (int(regions), int(launches), eval(words, {"m": m, "n": n}))
            found = counted(tool, program, name, int(regions), m, n)
            if found != expected:
                print(f"{name} at m = {m}, n = {n}: regions, launches, words {found}, in the table {expected} ({words})")
                wrong += 1
    print(f"{len(rows)} sequences at {len(POINTS)} sizes, {wrong} rows differ")


main()
