"""Is a file a T4 document of the version that it says? Prints its results: configuration, invalidity, number of times."""
import json
import re
import sys

INVALIDITIES = {"timeout", "compile", "runtime", "correctness", "constraints", "correct"}
document = json.load(open(sys.argv[1], encoding="utf-8"))
assert re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+", document["schema_version"])
for result in document["results"]:
    assert isinstance(result["configuration"], dict)
    assert result["invalidity"] in INVALIDITIES
    assert result["correctness"] == (1 if result["invalidity"] == "correct" else 0)
    assert all(isinstance(result["times"][name], (int, float)) for name in ("framework", "validation"))
    assert all(time > 0 for time in result["times"]["runtimes"])
    measured = {m["name"]: m["value"] for m in result["measurements"]}
    if result["invalidity"] == "correct":
        assert measured["time_low"] <= measured["time"] <= measured["time_high"]
    configuration = " ".join(f"{name}={value}" for name, value in result["configuration"].items())
    print(configuration, result["invalidity"], len(result["times"]["runtimes"]))
