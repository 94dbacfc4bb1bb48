"""Prints what the JSON of `treefork map --covers` on the standard input says, in lines."""
import json
import sys


def covers(answer):
    for cover in answer["covers"]:
        steps, words = cover["steps"], cover["words"]
        vanish = [array["array"] for step in steps for array in step["arrays"] if array["vanishes"]]
        assert cover["launches"] == sum(step["launches"] for step in steps)
        moved = sum(array[way]["value"] for step in steps for array in step["arrays"] if not array["vanishes"]
                    for way in ("reads", "writes"))
        assert moved == words["value"], (moved, words)
        print(cover["chosen"], [step["nests"] for step in steps], cover["launches"], words["text"], "=", words["value"], vanish)


def apart(answer):
    for pair in answer["apart"]:
        found = pair["dependence"]
        if not found:
            print(pair["nests"], pair["reason"], None)
            continue
        places = [f"{p['line']}:{p['column']} {'writes' if p['writes'] else 'reads'} {p['text']}" for p in found["places"]]
        print(pair["nests"], pair["reason"], found["array"], ", ".join(places) + ": " + found["witness"])


for answer in json.load(sys.stdin):
    if "rounds_of" in answer:
        print(answer["function"], "of", answer["rounds_of"]["loop"], answer["rounds_of"]["line"])
    print(answer["function"], answer["sizes"], [nest["text"] for nest in answer["nests"]])
    covers(answer)
    apart(answer)
