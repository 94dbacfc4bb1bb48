"""Runs `treefork solve` with the checker on over scripts whose first line says what must come out ("; answer: sat unsat").
usage: found.py TREEFORK FOLDER"""
import os
import subprocess
import sys

program, folder = sys.argv[1:]
scripts = sorted(name for name in os.listdir(folder) if name.endswith(".smt2"))
differ = 0
for name in scripts:
    path = os.path.join(folder, name)
    with open(path) as f:
        expected = f.readline().partition("; answer:")[2].split()
    environment = dict(os.environ, TREEFORK_CERTIFY="1")
    try:
        run = subprocess.run([program, "solve", path], capture_output=True, text=True, timeout=60, env=environment)
        got = run.stdout.split()
    except subprocess.TimeoutExpired:
        got = ["time-out"]
    if got != expected or not expected:
        differ += 1
        print(f"{name} differs: {' '.join(got)} instead of {' '.join(expected)}")
print(f"{len(scripts)} scripts, {differ} differ")
sys.exit(differ > 0)
