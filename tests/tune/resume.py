"""A tool that is killed goes on where it was: no trial is lost, and none made twice. Arguments: treefork, a source, an empty
folder, how often it is killed. The seed of the moments is printed."""
import os
import random
import re
import signal
import subprocess
import sys
import time

treefork, source, folder, kills = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
temporary = os.path.join(folder, "tmp")
os.makedirs(temporary)
environment = {**os.environ, "TREEFORK_CACHE_DIR": os.path.join(folder, "kept"), "TMPDIR": temporary}
command = [treefork, "tune", source, "--set", "n=1000", "--strategy", "exhaustive", "--runs", "6", "--output",
           os.path.join(folder, "t4.json")]
seed = int(time.time())
print("seed", seed)
moments = random.Random(seed)
measured, tuned = {}, 0


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
    """One run, which `stop` may end at a moment; its output and how it ended."""
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
    return text, process.returncode


for _ in range(kills):
    before = len(measured)
    text, code = run(signal.SIGKILL)
    if code == 0:
        tuned += 1
        measured.clear()
    else:
        assert code == -signal.SIGKILL, (code, text)
        assert len(measured) >= before
subprocess.run(["rm", "-rf", temporary], check=True)
os.makedirs(temporary)
text, code = run(signal.SIGINT)
assert code in (0, -signal.SIGINT), (code, text)
if code:
    assert re.search(r"^stopped after \d+ of \d+ trials; the same command goes on from there$", text, re.M), text
    assert not os.listdir(temporary), "left behind: " + str(os.listdir(temporary))
else:
    measured.clear()
text, code = run(None)
total = int(re.search(r": (\d+) candidates", text)[1])
assert code == 0 and len(measured) == total, (code, len(measured), text)
assert sorted(os.listdir(os.path.join(folder, "kept"))) == ["tuned.jsonl"], os.listdir(os.path.join(folder, "kept"))
print(f"resumed; {total} trials, each once")
