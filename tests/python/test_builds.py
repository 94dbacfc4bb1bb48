"""Builds: options, diagnostics, the cache."""
import os
import subprocess
import sys

import numpy as np
import pytest

import treefork

ADD = "void add(int n, const double *a, double *b) { for (int i = 0; i < n; i++) b[i] += a[i]; }\n"


def write(path, text):
    path.write_text(text)
    return str(path)


def entries(cache):
    return [name for name in os.listdir(cache / "python") if not name.endswith(".lock")]


def test_syntax_error_is_shown(tmp_path):
    file = write(tmp_path / "bad.c", "void f(int n) {\n    int x = n +;\n}\n")
    with pytest.raises(treefork.BuildError) as error:
        treefork.load(file)
    assert "bad.c:2:16: error: expected expression" in str(error.value) and "int x = n +;" in str(error.value)


def test_missing_file_header_and_compiler(tmp_path):
    with pytest.raises(FileNotFoundError, match="no file .*none.c"):
        treefork.load(str(tmp_path / "none.c"))
    file = write(tmp_path / "a.c", '#include "none.h"\n' + ADD)
    with pytest.raises(treefork.BuildError, match="none.h"):
        treefork.load(file)
    file = write(tmp_path / "a.c", ADD)
    with pytest.raises(treefork.BuildError, match="no C compiler 'no-such-cc'"):
        treefork.load(file, cc="no-such-cc")
    with pytest.raises(treefork.BuildError, match="no-such-flag"):
        treefork.load(file, cflags=["-fno-such-flag=1"])
    with pytest.raises(treefork.BuildError, match="no-such"):
        treefork.load(file, options=["--no-such"])
    with pytest.raises(TypeError):
        treefork.load()


def test_undefined_function_is_the_loaders_message(tmp_path):
    file = write(tmp_path / "a.c", "int other(int); int f(int x) { return other(x); }\n")
    with pytest.raises((OSError, treefork.BuildError), match="other"):
        treefork.load(file).f(1)


def test_options(tmp_path):
    (tmp_path / "inc").mkdir()
    write(tmp_path / "inc" / "step.h", "#define STEP 3\n")
    file = write(tmp_path / "a.c", '#include "step.h"\nint f(void) { return STEP * N; }\n')
    k = treefork.load(file, define={"N": 7, "EMPTY": None}, include=[tmp_path / "inc"])
    assert k.f() == 21
    assert treefork.load(file, define=["N=5"], include=str(tmp_path / "inc")).f() == 15


def test_several_files(tmp_path):
    a = write(tmp_path / "a.c", "int one(void) { return 1; }\n")
    b = write(tmp_path / "b.c", "int one(void);\nint two(void) { return one() + one(); }\n" + ADD)
    k = treefork.load(a, b)
    assert k.two() == 2 and k.one() == 1
    x, y = np.ones(5), np.ones(5)
    k.add(x, y)
    assert (y == 2).all()


def test_reassociate_and_function(build):
    text = "double sum(int n, const double *a) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }"
    a = np.random.rand(100000)
    assert not build(text).sum.regions and build(text, reassociate=True).sum.regions == ["sum"]
    assert abs(build(text, reassociate=True).sum(a) - a.sum()) < 1e-9 * a.sum()
    assert build(text + ADD, function="add").add.regions == ["add"]


def test_pointers_that_may_overlap(build):
    text = "void shift(int n, double *a, double *b) { for (int i = 0; i < n; i++) b[i] = a[i + 1]; }"
    k, a = build(text, restrict=True), np.arange(11.0)
    b = np.zeros(10)
    k.shift(10, a, b)
    assert (b == np.arange(1.0, 11.0)).all()


def test_nothing_to_map_is_no_error(build):
    k = build("double last(int n, const double *a) { double s = 0; for (int i = 0; i < n; i++) s = s / 2 + a[i]; return s; }")
    assert k.last(np.ones(3), n=3) == 1.75 and k.last.regions == []


def test_cache(tmp_path, no_cache_of_mine):
    write(tmp_path / "step.h", "#define STEP 1\n")
    file = write(tmp_path / "a.c", '#include "step.h"\nint f(void) { return STEP; }\n')
    assert treefork.load(file).f() == 1 and len(entries(no_cache_of_mine)) == 1
    stamp = os.stat(no_cache_of_mine / "python" / entries(no_cache_of_mine)[0] / "module.so").st_mtime_ns
    assert treefork.load(file).f() == 1 and len(entries(no_cache_of_mine)) == 1
    assert os.stat(no_cache_of_mine / "python" / entries(no_cache_of_mine)[0] / "module.so").st_mtime_ns == stamp
    write(tmp_path / "step.h", "#define STEP 2\n")
    assert treefork.load(file).f() == 2 and len(entries(no_cache_of_mine)) == 2
    write(tmp_path / "a.c", '#include "step.h"\nint f(void) { return STEP + 10; }\n')
    assert treefork.load(file).f() == 12 and len(entries(no_cache_of_mine)) == 3
    write(tmp_path / "step.h", "#define STEP 1\n")
    assert treefork.load(file, define=["X"]).f() == 11 and len(entries(no_cache_of_mine)) == 4
    assert os.stat(no_cache_of_mine / "python").st_mode & 0o777 == 0o700


def test_failure_leaves_nothing(tmp_path, no_cache_of_mine):
    with pytest.raises(treefork.BuildError):
        treefork.load(write(tmp_path / "bad.c", "int f( {"))
    assert entries(no_cache_of_mine) == []


def test_folder_of_others_is_not_used(tmp_path, no_cache_of_mine):
    os.makedirs(no_cache_of_mine / "python")
    os.chmod(no_cache_of_mine / "python", 0o777)
    assert treefork.load(write(tmp_path / "a.c", "int f(void) { return 1; }\n")).f() == 1
    assert entries(no_cache_of_mine) == []


def test_many_processes(tmp_path, no_cache_of_mine):
    file = write(tmp_path / "a.c", "int f(void) { return 5; }\n")
    text = f"import treefork; print(treefork.load({file!r}).f())"
    running = [subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE) for _ in range(6)]
    assert [process.communicate()[0] for process in running] == [b"5\n"] * 6
    assert len(entries(no_cache_of_mine)) == 1


def test_a_tool_that_is_not_there():
    done = subprocess.run([sys.executable, "-c", "import treefork; treefork.compile('int x;')"], capture_output=True, text=True,
                          env={**os.environ, "TREEFORK_TOOL": "/nonexistent"}, check=False)
    assert done.returncode == 1 and "there is no treefork at /nonexistent: install it, or set TREEFORK_TOOL" in done.stderr
