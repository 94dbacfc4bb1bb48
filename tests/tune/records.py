"""Which record of the store a program takes. Arguments: a program of scale.c that was tuned at n = 1000 for B = 16, its
folder, an OpenCL library whose driver has another version. Each case is a store, an extent and what is to be chosen."""
import json
import os
import re
import subprocess
import sys

program, folder, other = sys.argv[1:4]
path = os.path.join(folder, "tuned.jsonl")
header, first = open(path, encoding="utf-8").read().splitlines()
base = json.loads(first)
assert base["choice"] == "B=16" and base["sizes"] == "1000"
base["leaf"] = 1      # not the safe one, which takes any B


def record(block, size=1000, time=1000, noise=10, **more):
    return json.dumps({**base, "choice": f"B={block}", "sizes": str(size), "nanoseconds": time, "low": time - noise,
                       "high": time + noise, "predicted": 0, **more})


def chosen(lines, n, driver):
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join([header] + lines) + "\n")
    environment = {**os.environ, "TREEFORK_CACHE_DIR": folder, "TREEFORK_DEVICE": "opencl", "TREEFORK_TRACE": "1"}
    if driver:
        environment.update(TREEFORK_OPENCL_DRIVER=other, OTHER=driver)
    run = subprocess.run([program, str(n)], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == "right\n"
    found = re.search(r"^scale: B = (\d+) (?:as (tuned [^;\n]*)|by predicted time)", run.stderr, re.M)
    said = [line for line in run.stderr.splitlines() if line.startswith("treefork: cache")]
    return (int(found[1]) if found[2] else None, found[2], len(said))


DEVICE, ARCHITECTURE, ANY = "tuned on this device", "tuned on this architecture", "tuned for any device"
elsewhere = {"device": "another", "architecture": "opencl:another"}
CASES = [
    # the fastest; within the noise the first by leaf and tunables, whatever the order of lines
    ([record(16), record(32, time=900)], 1000, None, (32, DEVICE, 0)),
    ([record(64, time=995), record(32), record(128, time=1003)], 1000, None, (32, DEVICE, 0)),
    ([record(128, time=1003), record(32), record(64, time=995)], 1000, None, (32, DEVICE, 0)),
    ([record(16, time=1300, noise=500), record(32, time=1000, noise=500)], 1000, None, (32, DEVICE, 0)),
    # another driver, another device of the architecture, any device
    ([record(16)], 1000, "driver 4.0", (16, ARCHITECTURE, 0)),
    ([record(16, driver="0" * 32), record(32, time=2000)], 1000, None, (32, DEVICE, 0)),
    ([record(16, device="another")], 1000, None, (16, ARCHITECTURE, 0)),
    ([record(16, **elsewhere)], 1000, None, (None, None, 0)),
    ([record(16, generic=1, **elsewhere)], 1000, None, (16, ANY, 0)),
    ([record(16, generic=1, **elsewhere), record(32, device="another", time=5000)], 1000, None, (32, ARCHITECTURE, 0)),
    # sizes: equal, of the class, between two, beyond
    ([record(16, 900), record(32, 1000, time=5000)], 1000, None, (32, DEVICE, 0)),
    ([record(16, 900)], 1000, None, (16, DEVICE + " for about this size", 0)),
    ([record(16, 4000)], 1000, None, (None, None, 0)),
    ([record(16, 100), record(32, 4000)], 9000, None, (None, None, 0)),
    ([record(16, 100, time=9000, predicted=1000), record(32, 10000, time=1000, predicted=1000)], 2500, None,
     (32, DEVICE + " for sizes around this one", 0)),
    ([record(16, 100, time=900, predicted=1000), record(32, 10000, time=9000, predicted=1000)], 2500, None,
     (16, DEVICE + " for sizes around this one", 0)),
    ([record(16, 100, time=1000, predicted=100), record(32, 10000, time=2000, predicted=10000)], 2500, None,
     (32, DEVICE + " for sizes around this one", 0)),
    # what does not fit here, what is damaged, what another version of the text chooses
    ([record(32768), record(16, time=9000)], 1000, None, (16, DEVICE, 0)),
    ([record(16, leaf=99)], 1000, None, (None, None, 0)),
    ([record(16), record(32, time=1)[:-9], "", "[]"], 1000, None, (16, DEVICE, 1)),
    ([record(16, low=2000)], 1000, None, (None, None, 1)),
    ([record(16, source="0" * 32)], 1000, None, (None, None, 0)),
    ([record(16, names="B,C")], 1000, None, (None, None, 1)),
    ([record(16, fixed="m=3")], 1000, None, (None, None, 0)),
]
for lines, n, driver, expected in CASES:
    got = chosen(lines, n, driver)
    if got != expected:
        print("failed:", lines, n, driver, "gives", got, "instead of", expected)
header = '{"treefork_tuned": 2}'
got = chosen([record(16)], 1000, None)
if got != (None, None, 1):
    print("failed: of another format:", got)
print(len(CASES) + 1, "cases")
