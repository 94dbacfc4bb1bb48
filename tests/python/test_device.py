"""Choices, explanations, arrays on the device, failures; what the device decides runs in processes of its own."""
import json
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import treefork

HERE = os.path.dirname(os.path.abspath(__file__))


def child(text, **environment):
    """Runs a text of Python in a process with these variables; returns what it prints."""
    done = subprocess.run([sys.executable, "-W", "always", "-c", PRELUDE + textwrap.dedent(text)], capture_output=True, text=True,
                          env={**os.environ, **environment}, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


PRELUDE = """
import numpy as np, treefork
k = treefork.compile('''
void smooth(int n, const double *a, double *b)
{
    for (int i = 1; i < n - 1; i++)
        b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}''')
a, b = np.random.rand(100000), np.zeros(100000)
right = lambda: bool(np.allclose(b[1:-1], (a[:-2] + a[1:-1] + a[2:]) / 3, rtol=1e-14))
"""


def test_device():
    device = treefork.device()
    assert device.name and device.kind in ("opencl", "cuda", "simulated")
    assert device.machine["threads_per_block"] > 0 and "launches" in device.statistics()
    device.wait()


def test_explain(smooth):
    there = smooth.smooth.explain(n=10**6)
    assert there.region == "smooth" and there.leaf >= 1 and there.parameters["n"] == 10**6 and "B0" in there.tunables
    assert there.nanoseconds > 0 and there.predicted[there.leaf] > 0 and there.machine == treefork.device().name
    assert "taken: leaf" in there.text and str(there) == there.text and "predicted" in repr(there)
    gpu = smooth.smooth.explain(machine="hopper-h100", n=10**6)
    assert "H100" in gpu.machine and gpu.text.startswith("smooth on NVIDIA")
    with pytest.raises(TypeError, match="`int n` is missing"):
        smooth.smooth.explain(machine="hopper-h100")
    with pytest.raises(TypeError, match="no number 'q'"):
        smooth.smooth.explain(n=3, q=1)
    with pytest.raises(treefork.TreeforkError, match="no region"):
        smooth.twice.explain(x=1)
    with pytest.raises(treefork.TreeforkError, match="no-such"):
        smooth.smooth.explain(machine="no-such-machine", n=3)


def test_last():
    told = child("""
        k.smooth(a, b)
        e = k.smooth.last
        print(right(), e.region, e.leaf, e.in_place, e.tunables, e.by)
    """, TREEFORK_HOST="never")
    assert told.startswith("True smooth 1 False {'B0':")
    assert "predicted time" in told


def test_forced_choice_is_seen():
    told = child("k.smooth(a, b); print(right(), k.smooth.last.leaf, k.smooth.last.by)", TREEFORK_FORCE="smooth=2")
    assert told.startswith("True 2 force")


def test_no_device_is_said_and_nothing_else_changes():
    told = child("""
        k.smooth(a, b)
        print(right(), treefork.device(), k.smooth.last)
        with treefork.on_device(a, b) as there:
            k.smooth(a, b); there.fetch(b); there.changed(a)
        try:
            k.smooth.explain(n=5)
        except treefork.TreeforkError as error:
            print(error)
    """, OCL_ICD_VENDORS="/nonexistent", TREEFORK_CUDA_DRIVER="/nonexistent")
    assert "TreeforkWarning: functions run on the host:" in told and told.count("TreeforkWarning") == 1
    assert "True None None" in told and "there is no device to explain for" in told


def test_wrong_device_raises_where_asked():
    told = child("""
        try:
            k.smooth(a, b)
        except treefork.TreeforkError as error:
            print("raised", error.status, error)
    """, TREEFORK_DEVICE="cuda:9", TREEFORK_ON_ERROR="abort")
    assert "raised no device smooth: no device:" in told and "is not to be used" in told


def test_refused_launch_warns_and_is_right():
    told = child("k.smooth(a, b); print(right())", TREEFORK_FORCE="smooth=99")
    assert "True" in told and "TreeforkWarning: smooth:" in told and "it ran on the host" in told


def test_on_device_copies_nothing_between_calls():
    told = child("""
        import json
        c = np.zeros_like(a)
        with k.on_device(a, b, c) as there:
            k.smooth(a, b)
            before = treefork.device().statistics()
            for _ in range(10):
                k.smooth(a, b)
                k.smooth(b, c)
            after = treefork.device().statistics()
            old = float(b[500])
            there.fetch(b)
            fetched = right()
            a[:] = 1
            there.changed(a)
            k.smooth(a, b)
        print(json.dumps([{name: after[name] - before[name] for name in after}, old, fetched, b[500]]))
    """)
    moved, old, fetched, last = json.loads(told.splitlines()[0])
    assert moved["launches"] == 20 and moved["bytes_to_device"] <= 800000 and moved["bytes_to_host"] == 0
    assert old == 0 and fetched and last == 1


def test_on_device_refuses():
    with pytest.raises(ValueError, match="gaps"):
        treefork.on_device(np.zeros(10)[::2])
    with pytest.raises(TypeError, match="got list"):
        treefork.on_device([1, 2])
    a, b = np.zeros(10), np.zeros(10)
    with treefork.on_device(a) as there:
        with pytest.raises(ValueError, match="none of those"):
            there.fetch(b)
        with pytest.raises(treefork.TreeforkError, match="attached"):
            treefork.on_device(a).__enter__()
    with treefork.on_device(a):
        pass


def test_on_device_ends_after_an_exception():
    a = np.zeros(10)
    with pytest.raises(KeyError):
        with treefork.on_device(a):
            raise KeyError("mine")
    with treefork.on_device(a):
        pass


def test_release(smooth):
    a, b = np.random.rand(100), np.zeros(100)
    smooth.smooth(a, b)
    treefork.release(a)
    treefork.release()
    smooth.smooth(a, b)


def test_tune_is_taken_at_once():
    told = child("""
        import os, tempfile
        os.environ["TREEFORK_CACHE_DIR"] = tempfile.mkdtemp()
        k.smooth(a, b)
        before = k.smooth.last.by
        tuned = k.smooth.tune(n=100000, trials=2, runs=2)
        k.smooth(a, b)
        print(right(), before, k.smooth.last.by, len(tuned.trials))
    """)
    assert told.startswith("True predicted time tuning 2")


def test_tune_is_taken_by_the_next_process(smooth, tmp_path, monkeypatch):
    monkeypatch.setenv("TREEFORK_CACHE_DIR", str(tmp_path))
    tmp_path.chmod(0o700)
    tuned = treefork.tune(smooth.smooth, n=100000, trials=2, runs=2)
    assert len(tuned.trials) == 2 and tuned.best and "best:" in str(tuned) and "2 trials" in repr(tuned)
    told = child(f"""
        k = treefork.load({smooth.sources[0]!r})
        k.smooth(a, b)
        print(right(), k.smooth.last.by)
    """, TREEFORK_CACHE_DIR=str(tmp_path))
    assert told.startswith("True tuning")
    with pytest.raises(treefork.TreeforkError, match="no region"):
        smooth.twice.tune(x=1)
    with pytest.raises(TypeError, match="`int n` is missing"):
        smooth.smooth.tune()
