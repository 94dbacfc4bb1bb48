#!/usr/bin/env python3
"""Trees as JSON against the schema, and every counter of optimizer/counter.def in every leaf; threads
in lockstep only where loops are cut into pieces, words of devices only with --devices, asynchronous
copies and what they hide only with --stages. Arguments: root, files."""
import json
import re
import sys
import jsonschema

root, files = sys.argv[1], sys.argv[2:]
schema = json.load(open(f"{root}/docs/tree.schema.json"))
rows = re.findall(r'^X\(\w+, \w+, "(\w+)", "([^"]*)", \w+, (\w+)', open(f"{root}/optimizer/counter.def").read(), re.M)
assert len(rows) >= 4, "no rows in counter.def"
for file in files:
    tree = json.load(open(file))
    jsonschema.validate(tree, schema)
    for region in tree["regions"]:
        assert region["stats"]["leaves"] == len(region["variants"]), file
        assert sum(region["stats"]["cpu_seconds"].values()) > 0, file
        for variant in region["variants"]:
            names = {name for name, _, _ in rows if name in variant["counters"]
                     or name not in ("threads_in_lockstep", "device_words", "asynchrony", "hidden_latency")}
            assert set(variant["counters"]) == names, f"{file}: leaf {variant['id']}: {list(variant['counters'])}"
            for name, unit, kind in (row for row in rows if row[0] in names):
                counter = variant["counters"][name]
                assert counter["kind"] == kind.lower() and counter["unit"] == unit, f"{file}: {name}: {counter}"
                assert kind == "REPORT" or "limit" in counter, f"{file}: {name} has no limit"
print(f"{len(files)} trees, {len(rows)} counters")
