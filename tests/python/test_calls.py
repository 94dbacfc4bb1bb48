"""Calls: what is passed, what comes back, what is refused and in which words."""
import array
import gc
import threading

import numpy as np
import pytest

import treefork


def smoothed(a):
    return (a[:-2] + a[1:-1] + a[2:]) / 3


def test_call_by_place_by_name_and_inferred(smooth):
    a = np.random.rand(1000)
    for call in (lambda b: smooth.smooth(1000, a, b), lambda b: smooth.smooth(a, b), lambda b: smooth.smooth(n=1000, a=a, b=b),
                 lambda b: smooth.smooth(a=a, b=b), lambda b: smooth.smooth(1000, b=b, a=a)):
        b = np.zeros(1000)
        assert call(b) is None
        np.testing.assert_allclose(b[1:-1], smoothed(a), rtol=1e-15)


def test_no_copy(smooth):
    a = np.ones((30, 40), np.float32)
    rows = a[10:20]
    smooth.scale(3.0, rows)
    assert (a[10:20] == 3).all() and (a[:10] == 1).all() and (a[20:] == 1).all()


def test_numbers(smooth):
    assert smooth.twice(21) == 42 and smooth.twice(np.int64(21)) == 42 and smooth.twice(np.array(21)) == 42
    assert smooth.half(3) == 1.5 and smooth.half(np.float32(3)) == 1.5
    assert smooth.flip(True) is False and smooth.flip(np.bool_(False)) is True
    assert smooth.wide(255, 2**40) == 2**40 + 255
    assert isinstance(smooth.twice(1), int) and isinstance(smooth.half(1), float)


def test_half_precision(build):
    halves = build("""
        void quarter(int n, const _Float16 *a, _Float16 *b)
        {
            for (int i = 0; i < n; i++)
                b[i] = a[i] / 4;
        }
        float wide(_Float16 x) { return x; }
        _Float16 one(void) { return 1; }
    """, name="halves.c")
    a, b = np.arange(1000, dtype=np.float16), np.zeros(1000, np.float16)
    halves.quarter(a, b)
    np.testing.assert_array_equal(b, a / np.float16(4))
    with pytest.raises(TypeError, match="an array of float16"):
        halves.quarter(a, b.astype(np.float32))
    with pytest.raises(TypeError, match="wide: parameter `_Float16 x`: wanted `float` there"):
        halves.wide(1.0)
    with pytest.raises(TypeError, match="one: ctypes cannot take a half"):
        halves.one()


def test_other_memory(smooth):
    a = array.array("d", range(10))
    assert smooth.last(10, a) == 9 and smooth.last(10, memoryview(a)) == 9


def test_subclass_and_larger_array(smooth):
    a = np.arange(12.0)
    assert smooth.last(5, a) == 4
    assert smooth.last(5, a.reshape(3, 4)) == 4


def refused(kind, call, *words):
    with pytest.raises(kind) as error:
        call()
    for word in words:
        assert word in str(error.value), f"{word!r} is not in {error.value}"


def test_wrong_types(smooth):
    a, b = np.zeros(10), np.zeros(10)
    refused(TypeError, lambda: smooth.smooth(10, a.astype(np.float32), b), "smooth: parameter `const double *a`",
            "wanted an array of float64", "float32 of shape (10,)", ".astype(np.float64)")
    refused(TypeError, lambda: smooth.smooth(10, a.astype(">f8"), b), "byte order")
    refused(TypeError, lambda: smooth.smooth(10, [1.0, 2.0], b), "got list", "np.array(")
    refused(TypeError, lambda: smooth.smooth(10, 3.0, b), "got float 3.0")
    refused(TypeError, lambda: smooth.smooth(10.0, a, b), "`int n`", "wanted an integer", "got float 10.0")
    refused(TypeError, lambda: smooth.smooth("10", a, b), "str '10'")
    refused(TypeError, lambda: smooth.half("3"), "wanted a number", "str '3'")
    refused(TypeError, lambda: smooth.half(1j), "complex")
    refused(TypeError, lambda: smooth.smooth(10, a.astype(complex), b), "complex128")
    refused(ValueError, lambda: smooth.twice(2**31), "32 bits", str(2**31))
    refused(ValueError, lambda: smooth.wide(-1, 0), "8 bits", "-1")
    refused(TypeError, lambda: smooth.strings(np.zeros(3)), "names", "cannot be passed")
    refused(TypeError, smooth.text, "no number")


def test_wrong_layout(smooth):
    a, b = np.zeros(10), np.zeros(10)
    refused(ValueError, lambda: smooth.smooth(5, np.zeros(10)[::2], b), "without gaps", "strides (16,)", ".copy()")
    refused(ValueError, lambda: smooth.scale(2.0, np.zeros((3, 4), np.float32, order="F")), "Fortran order",
            "np.ascontiguousarray")
    refused(ValueError, lambda: smooth.smooth(5, a[::-1], b), "strides (-8,)")
    b.flags.writeable = False
    refused(ValueError, lambda: smooth.smooth(10, a, b), "`double *b`", "read-only", "not const")
    smooth.smooth(10, b, a)     # const: may be read-only
    odd = np.zeros(81, np.uint8)[1:].view(np.float64)
    refused(ValueError, lambda: smooth.smooth(10, odd, a), "aligned")


def test_wrong_sizes(smooth):
    a, b = np.zeros(10), np.zeros(10)
    refused(ValueError, lambda: smooth.smooth(11, a, np.zeros(11)), "at least n = 11 elements", "10 in shape (10,)")
    refused(ValueError, lambda: smooth.smooth(10, a, b[:8]), "at least n - 1 = 9", "8 in shape (8,)")
    image = np.zeros((3, 4), np.float32)
    refused(ValueError, lambda: smooth.scale(3, 5, 2.0, image), "shape (n, m) = (3, 5)", "got (3, 4)")
    refused(ValueError, lambda: smooth.scale(4, 4, 2.0, image), "shape (n, m) = (4, 4)")
    refused(ValueError, lambda: smooth.scale(3, 4, 2.0, image.reshape(12)), "shape (n, m) = (3, 4)", "got (12,)")
    smooth.scale(2, 4, 2.0, image)      # fewer rows than there are
    smooth.smooth(0, a, b)
    smooth.smooth(2, a, b)


def test_sizes_that_disagree(build):
    k = build("void add(int n, const double a[n], double b[n]) { for (int i = 0; i < n; i++) b[i] += a[i]; }")
    refused(ValueError, lambda: k.add(np.zeros(10), np.zeros(12)), "n is 10 by `a` and 12 by `b`", "give n=")
    k.add(np.zeros(10), np.zeros(12), n=10)


def test_wrong_number_of_arguments(smooth):
    a = np.zeros(10)
    refused(TypeError, lambda: smooth.smooth(10, a), "2 arguments for `void smooth(int n, const double *a, double *b)`")
    refused(TypeError, lambda: smooth.smooth(10, a, a, a), "4 arguments")
    refused(TypeError, lambda: smooth.smooth(10, a, c=a), "no parameter 'c'")
    refused(TypeError, lambda: smooth.smooth(a), "n may be left out")
    refused(TypeError, lambda: smooth.twice(), "0 arguments")
    refused(AttributeError, lambda: smooth.smoth, "no function 'smoth'", "smooth, scale")


def test_null(build):
    k = build("int given(const double *a) { return a != 0; } int sized(int n, const double a[n]) { return n; }")
    assert k.given(None) == 0 and k.given(np.zeros(1)) == 1
    refused(TypeError, lambda: k.sized(1, None), "got NoneType")


def test_all_types(build):
    names = {"int8": "signed char", "uint8": "unsigned char", "int16": "short", "uint16": "unsigned short", "int32": "int",
             "uint32": "unsigned", "int64": "long", "uint64": "unsigned long", "float32": "float", "float64": "double",
             "bool": "_Bool"}
    text = "".join(f"void f_{name}(long n, {c} x, {c} a[n]) {{ for (long i = 0; i < n; i++) a[i] = a[i] + x; }}\n"
                   f"{c} g_{name}(const {c} *a) {{ return a[1]; }}\n" for name, c in names.items())
    k = build(text)
    for name in names:
        a = np.array([0, 1, 2, 3], name)
        getattr(k, "f_" + name)(1, a)
        assert (a == (np.array([1, 2, 3, 4]).astype(name))).all(), name
        assert getattr(k, "g_" + name)(a) == a[1]


def test_old_style_definition(build):
    k = build("float sum(a, b, c) float a; float b; short c; { return a + b + c; }")
    assert k.sum(0.5, 0.25, 7) == 7.75


def test_expressions_of_extents(build):
    k = build("void odd(int n, int m, double a[2*n + 1][m / 2]) { for (int i = 0; i < n; i++) a[2*i][0] = 1; }")
    k.odd(2, 7, np.zeros((5, 3)))
    refused(ValueError, lambda: k.odd(2, 8, np.zeros((5, 3))), "= (5, 4)")


def test_annotated_tunables_are_left_out(build):
    k = build("""
        #include <metafork.h>
        void twice(int n, int B, const float a[n], float b[n])
        {
            meta_schedule {
                meta_for (int i = 0; i < (n + B - 1) / B; i++)
                    meta_for (int j = 0; j < B; j++)
                        if (i * B + j < n)
                            b[i * B + j] = 2 * a[i * B + j];
            }
        }""")
    a = np.random.rand(1000).astype(np.float32)
    for call in (lambda b: k.twice(1000, 64, a, b), lambda b: k.twice(1000, a, b), lambda b: k.twice(a, b),
                 lambda b: k.twice(a, b, B=32)):
        b = np.zeros_like(a)
        call(b)
        assert (b == 2 * a).all()


def test_threads(smooth):
    a, wrong = np.random.rand(20000), []
    wanted = smoothed(a)

    def work():
        b = np.zeros_like(a)
        for _ in range(50):
            b[:] = 0
            smooth.smooth(a, b)
            if not np.allclose(b[1:-1], wanted, rtol=1e-14):
                wrong.append(1)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_others_run_during_a_call(build):
    """The GIL is given away: another thread counts on while C waits for it."""
    k = build("""
        void wait_for(int *flag) { while (!__atomic_load_n(flag, __ATOMIC_SEQ_CST)) ; }
    """)
    flag = np.zeros(1, np.int32)
    thread = threading.Thread(target=lambda: flag.__setitem__(0, 1))
    timer = threading.Timer(0.05, thread.start)
    timer.start()
    k.wait_for(flag)
    timer.join()
    thread.join()


def test_memory_is_used_again(smooth):
    """An array that takes the address of one that is gone has its own contents."""
    for value in range(20):
        a, b = np.full(5000, float(value)), np.zeros(5000)
        smooth.smooth(a, b)
        assert b[100] == value
        del a, b
        gc.collect()


def test_views_of_one_array(smooth):
    both = np.random.rand(2, 1000)
    wanted = smoothed(both[0])
    smooth.smooth(both[0], both[1])
    np.testing.assert_allclose(both[1, 1:-1], wanted, rtol=1e-15)


def test_names(smooth):
    assert smooth.smooth.prototype == "void smooth(int n, const double *a, double *b)"
    assert "smooth" in dir(smooth) and "smooth" in repr(smooth) and "regions smooth" in smooth.smooth.__doc__
    assert "no region" in smooth.twice.__doc__
    assert treefork.version().startswith("treefork ")
