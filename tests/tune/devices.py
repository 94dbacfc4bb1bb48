"""Which record of the store a program takes on three devices. Arguments: a program of scale.c that was tuned at n = 1000 for B = 16 on
three devices, its folder. Each case is a store, what the environment says, and what is to be chosen: B, whether as tuned, the number of
devices and by whom."""
import json
import os
import re
import subprocess
import sys

program, folder = sys.argv[1:3]
path = os.path.join(folder, "tuned.jsonl")
header, first = open(path, encoding="utf-8").read().splitlines()[:2]
base = json.loads(first)
assert base["choice"] == "B=16" and base["device"].endswith(" and 2 more") and base["devices"] == 3 and base["predicted"] > 0


def record(block, devices, time=1000, **more):
    changed = {**base, "choice": f"B={block}", "nanoseconds": time, "low": time - 10, "high": time + 10, "devices": devices, **more}
    return json.dumps({key: value for key, value in changed.items() if value is not None})


def chosen(lines, settings):
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join([header] + lines) + "\n")
    environment = {**os.environ, "POCL_DEVICES": "basic basic basic", "TREEFORK_CACHE_DIR": folder, "TREEFORK_DEVICE": "opencl",
                   "TREEFORK_DEVICES": "0,1,2", "TREEFORK_TRACE": "1", **settings}
    run = subprocess.run([program, "1000"], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == "right\n"
    how = re.search(r"^scale: B = (\d+) (as tuned|by predicted time)", run.stderr, re.M)
    devices = re.search(r"devices: (\d of \d), ([a-z ]*)", run.stderr)
    block = int(how[1]) if how[2] == "as tuned" else None
    return (block, devices[1], devices[2]) if devices else (block,)


single = {"device": base["device"].removesuffix(" and 2 more")}
CASES = [
    # the fastest; within the noise the fewest
    ([record(16, 1), record(16, 2, 900), record(16, 3, 1100)], {}, (16, "2 of 3", "by tuning")),
    ([record(16, 3, 995), record(16, 2), record(16, 1, 2000)], {}, (16, "2 of 3", "by tuning")),
    # the same choice measured again on as many
    ([record(16, 2, 500), record(16, 3), record(16, 2, 2000)], {}, (16, "3 of 3", "by tuning")),
    # a number that is given, by itself or by weights, is the user's; records of others do not serve
    ([record(16, 3), record(32, 2, 2000)], {"TREEFORK_SET": "scale.devices=2"}, (32, "2 of 3", "as given")),
    ([record(16, 3), record(32, 2, 900)], {"TREEFORK_WEIGHTS": "3,2,1"}, (16, "3 of 3", "as given")),
    # more devices than there are do not; one device is always there
    ([record(16, 3), record(32, 2, 2000)], {"TREEFORK_DEVICES": "0,1"}, (32, "2 of 2", "by tuning")),
    ([record(16, 3), record(32, 2, 2000), record(64, 1, 3000)], {"TREEFORK_DEVICES": "0"}, (64,)),
    # a record of a single device says nothing of their number; it may serve where there is none of several
    ([record(16, 3), record(32, None, 500, **single)], {}, (16, "3 of 3", "by tuning")),
    ([record(32, None, 500, **single)], {}, (32, "1 of 3", "by predicted time")),
    # numbers that cannot be
    ([record(16, 17)], {}, (16, "1 of 3", "by predicted time")),
]
for lines, settings, expected in CASES:
    got = chosen(lines, settings)
    if got != expected:
        print("failed:", lines, settings, "gives", got, "instead of", expected)
print(len(CASES), "cases")
