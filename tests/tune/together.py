"""Processes that tune and run one kernel at once, with one folder. Arguments: treefork, a source, a program, an empty folder, how many.

First two tools that both begin before one may measure: each trial is made once, and the other takes it. Then a tool that ends while
another has not made its first trial: what it measured stays for that one. Then so many tools and as many programs at once: every one
ends well, the store is whole, and from then on all programs choose alike."""
import fcntl
import json
import os
import pty
import re
import signal
import subprocess
import sys

treefork, source, program, folder, count = *sys.argv[1:5], int(sys.argv[5])


def environment(name):
    kept = os.path.join(folder, name)
    os.makedirs(kept, mode=0o700, exist_ok=True)
    return {**os.environ, "TREEFORK_CACHE_DIR": kept, "TREEFORK_DEVICE": "opencl", "TERM": "xterm"}


def tune(name, arguments, **streams):
    command = [treefork, "tune", source, "--set", "n=1000", "--device", "opencl", *arguments]
    return subprocess.Popen(command, env=environment(name), text=True, stdout=subprocess.PIPE, **streams)


def trials(text):
    """Those that were made, and those that were taken from another tool."""
    found = re.findall(r"^\[\d+/\d+\] (.* leaf \d+) median=(.*) ok(, earlier)?$", text, re.M)
    return {at: time for at, time, earlier in found if not earlier}, {at: time for at, time, earlier in found if earlier}


def begun(name, *more):
    """A tool that waits for its first measurement, as its terminal shows."""
    master, slave = pty.openpty()
    process = tune(name, ["--strategy", "exhaustive", "--runs", "1", *more], stderr=slave)
    os.close(slave)
    shown = b""
    while b"] 1/" not in shown:
        shown += os.read(master, 4096)
    os.close(master)     # nobody looks any more; a terminal that is full would hold it up
    return process


def two_share():
    lock = os.open(environment("two")["TREEFORK_CACHE_DIR"], os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    tools = [begun("two"), begun("two")]
    os.close(lock)
    texts = [process.communicate()[0] for process in tools]
    assert all(process.returncode == 0 for process in tools), texts
    (made, taken), (made_too, taken_too) = map(trials, texts)
    assert not made.keys() & made_too.keys(), (made, made_too)
    assert taken == made_too and taken_too == made, texts
    assert os.listdir(os.path.join(folder, "two")) == ["tuned.jsonl"], os.listdir(os.path.join(folder, "two"))
    print(f"two tools: {len(made) + len(made_too)} trials, each once")


def one_ends_first():
    """The second sleeps, while nobody but the test has the lock, until the first one has ended."""
    lock = os.open(environment("first")["TREEFORK_CACHE_DIR"], os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    second, first = begun("first"), begun("first", "--trials", "3")
    second.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, second.pid, os.WSTOPPED | os.WNOWAIT)
    os.close(lock)
    made, _ = trials(first.communicate()[0])
    left = [name for name in os.listdir(os.path.join(folder, "first")) if name.startswith("trials")]
    second.send_signal(signal.SIGCONT)
    text = second.communicate()[0]
    assert first.returncode == 0 and second.returncode == 0, text
    assert len(made) == 3 and any(name.endswith(".jsonl") for name in left), (made, left)
    assert trials(text)[1] == made, (text, made)
    assert os.listdir(os.path.join(folder, "first")) == ["tuned.jsonl"], os.listdir(os.path.join(folder, "first"))
    print(f"the first of two ends: {len(made)} trials stay for the other")


def programs_run():
    traced = {**environment("all"), "TREEFORK_TRACE": "1"}
    return [subprocess.Popen([program, "1000"], env=traced, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            for _ in range(count)]


def texts_of(processes):
    texts = [process.communicate()[0] for process in processes]
    assert all(process.returncode == 0 for process in processes), texts
    return texts


def all_at_once():
    tools = [tune("all", ["--trials", "3", "--runs", "1"], stderr=subprocess.STDOUT) for _ in range(count)]
    programs = programs_run()
    for text in texts_of(tools):
        assert sum(map(len, trials(text))) == 3 and "1 choice kept in" in text and "damaged" not in text, text
    for text in texts_of(programs):
        assert "\nright\n" in text and "damaged" not in text, text
    with open(os.path.join(folder, "all", "tuned.jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    assert len(lines) == 1 + count, lines
    chosen = {re.search(r"^scale: (B = \d+) as tuned on this device", text, re.M)[1] for text in texts_of(programs_run())}
    assert len(chosen) == 1, chosen
    left = [name for name in os.listdir(os.path.join(folder, "all")) if name.startswith("trials")]
    assert not left, left
    print(f"{count} tools and programs at once: {len(chosen)} choice")


two_share()
one_ends_first()
all_at_once()
