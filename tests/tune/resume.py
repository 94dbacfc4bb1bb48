"""A tool that is killed or interrupted, by turns, goes on where it was: no trial is lost, and none made twice. Arguments: treefork, a
source, an empty folder, how often it is killed."""
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

treefork, source, folder, kills = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
kept = os.path.join(folder, "kept")
command = [treefork, "tune", source, "--set", "n=1000", "--strategy", "exhaustive", "--runs", "6", "--output",
           os.path.join(folder, "t4.json")]
moments = random.Random(7)
measured = {}


def lines_take(text):
    """The trials of a run; those made earlier have to be those that were made."""
    for line in text.splitlines():
        found = re.match(r"\[\d+/\d+\] (.* leaf \d+) median=(.*) ok(, earlier)?$", line)
        if not found:
            assert not line.startswith("[") or not line.endswith("ok"), line
            continue
        if found[3]:
            assert measured.get(found[1], found[2]) == found[2], line
        else:
            assert found[1] not in measured, "made twice: " + line
        measured[found[1]] = found[2]


def run(stop):
    """One run, which `stop` may end at a moment; its output, how it ended, and what it left in its folder for temporary files."""
    temporary = tempfile.mkdtemp(dir=folder)     # its own: a killed tool's worker may still write into the former
    environment = {**os.environ, "TREEFORK_CACHE_DIR": kept, "TMPDIR": temporary}
    with open(os.path.join(folder, "out"), "w+", encoding="utf-8") as out:
        process = subprocess.Popen(command, env=environment, stdout=out, stderr=subprocess.STDOUT)
        if stop:
            while process.poll() is None and "[" not in open(out.name, encoding="utf-8").read():
                time.sleep(0.01)
            time.sleep(moments.random() * 0.4)
            process.send_signal(stop)
        process.wait()
        out.seek(0)
        text = out.read()
    lines_take(text[:text.rfind("\n") + 1])
    return text, process.returncode, os.listdir(temporary)


def stopped(stop):
    """A run that was to be stopped. Whether the region was tuned before, the file of trials says: nothing else can, as a signal may
    come behind the last line."""
    text, code, left = run(stop)
    assert code in (0, -stop), (code, text)
    if not any(name.endswith(".jsonl") and name.startswith("trials-") for name in os.listdir(kept)):
        measured.clear()
    elif stop == signal.SIGINT:
        total = int(re.search(r": (\d+) candidates", text)[1])
        said = re.search(r"^stopped after \d+ of \d+ trials; the same command goes on from there$", text, re.M)
        assert code and (said or len(measured) == total), text
        assert not left, left


for turn in range(kills):
    if turn:
        stopped(signal.SIGINT)
    stopped(signal.SIGKILL)
text, code, left = run(None)
total = int(re.search(r": (\d+) candidates", text)[1])
assert code == 0 and len(measured) == total and not left, (code, len(measured), left, text)
assert sorted(os.listdir(kept)) == ["tuned.jsonl"], os.listdir(kept)
print(f"resumed; {total} trials, each once")
