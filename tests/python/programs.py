"""Twenty-one first programs as a user of NumPy would write them: each a small C function (Inputs/NAME.c), the same by
NumPy, and the bound for the difference.

A row: name, options of treefork.load, data of a size, the call, the same by NumPy. `call` gets the module and the data and
returns what is to be compared; the size is about the number of elementary steps, so that all take about as long.
"""
import math
import os
from collections import namedtuple

import numpy as np

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs")
# tolerance: of numpy.testing.assert_allclose, relative to the value and to the greatest one; 0: all bits
Program = namedtuple("Program", "name options data call numpy tolerance")
DOUBLE, SINGLE = 1e-12, 1e-5


def load(treefork, program):
    """The program's module."""
    return treefork.load(os.path.join(FOLDER, program.name + ".c"), **program.options)


def _side(size, work=1):
    return max(4, int(math.sqrt(size / work)))


def _heat(rng, size):
    u = rng.random((_side(size), _side(size)))
    return {"u": u, "v": u.copy()}


def _heat_call(k, d):
    k.heat(0.1, d["u"], d["v"])
    return d["v"]


def _heat_numpy(d):
    u, v = d["u"], d["v"]
    v[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.1 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1])
    return v


def _blur(rng, size):
    image = rng.integers(0, 256, (_side(size, 4), _side(size, 4)), dtype=np.uint8)
    return {"image": image, "out": np.zeros_like(image)}


def _blur_call(k, d):
    k.blur(*d["image"].shape, d["image"], d["out"])
    return d["out"]


def _blur_numpy(d):
    image, out = d["image"], d["out"]
    wide = image.astype(np.int32)
    rows = wide[:-2] + wide[1:-1] + wide[2:]
    out[1:-1, 1:-1] = (rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]) // 9
    return out


def _kmeans(rng, size):
    n = size // 64
    return {"x": rng.random((n, 4), dtype=np.float32), "centre": rng.random((16, 4), dtype=np.float32),
            "label": np.zeros(n, np.int32)}


def _kmeans_call(k, d):
    k.nearest(d["x"], d["centre"], d["label"])
    return d["label"]


def _kmeans_numpy(d):
    return ((d["x"][:, None, :] - d["centre"][None, :, :]) ** 2).sum(axis=2).argmin(axis=1).astype(np.int32)


def _nbody(rng, size):
    n = _side(size, 8)
    return {"p": rng.random((n, 3)), "mass": rng.random(n), "a": np.zeros((n, 3))}


def _nbody_call(k, d):
    k.forces(d["p"], d["mass"], d["a"])
    return d["a"]


def _nbody_numpy(d):
    to = d["p"][None, :, :] - d["p"][:, None, :]
    r2 = (to ** 2).sum(axis=2) + 1e-9
    return ((d["mass"] / (r2 * np.sqrt(r2)))[:, :, None] * to).sum(axis=1)


def _rows(rng, size):
    x = rng.standard_normal((_side(size, 8), _side(size, 8))).astype(np.float32)
    return {"x": x, "y": np.zeros_like(x)}


def _softmax_call(k, d):
    k.softmax(*d["x"].shape, d["x"], d["y"])
    return d["y"]


def _softmax_numpy(d):
    powers = np.exp(d["x"] - d["x"].max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def _histogram(rng, size):
    return {"x": rng.integers(0, 256, size, dtype=np.uint8), "count": np.zeros(256, np.int64)}


def _histogram_call(k, d):
    k.histogram(d["x"].size, d["x"], d["count"])
    return d["count"]


def _matmul(rng, size):
    n = max(4, round(size ** (1 / 3)))
    return {"a": rng.random((n, n + 1), dtype=np.float32), "b": rng.random((n + 1, n + 2), dtype=np.float32),
            "c": np.zeros((n, n + 2), np.float32)}


def _matmul_call(k, d):
    k.matmul(d["a"], d["b"], d["c"])
    return d["c"]


def _vector(rng, size):
    return {"x": rng.standard_normal(size)}


def _convolve(rng, size):
    n = size // 16
    return {"x": rng.random(n), "w": rng.random(15), "y": np.zeros(n - 14)}


def _convolve_call(k, d):
    k.convolve(d["x"].size, d["w"].size, d["x"], d["w"], d["y"])
    return d["y"]


def _life(rng, size):
    now = rng.integers(0, 2, (_side(size, 8), _side(size, 8) + 1), dtype=np.uint8)
    return {"now": now, "next": np.zeros_like(now)}


def _life_call(k, d):
    k.life(d["now"], d["next"])
    return d["next"]


def _life_numpy(d):
    now = d["now"]
    alive = sum(np.roll(now, (y, x), (0, 1)) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0))
    return ((alive == 3) | ((alive == 2) & (now == 1))).astype(np.uint8)


def _mandelbrot(_, size):
    side = _side(size, 32)
    return {"side": side, "count": np.zeros((side, side), np.int32)}


def _mandelbrot_call(k, d):
    k.mandelbrot(d["side"], d["side"], -2.0, -1.5, 3.0 / d["side"], 50, d["count"])
    return d["count"]


def _mandelbrot_numpy(d):
    side = d["side"]
    place = np.arange(side) * (3.0 / side)
    cx, cy = np.meshgrid(-2.0 + place, -1.5 + place)
    x, y, count = np.zeros_like(cx), np.zeros_like(cx), np.zeros(cx.shape, np.int32)
    for _ in range(50):
        inside = x * x + y * y <= 4
        count += inside
        x, y = np.where(inside, x * x - y * y + cx, x), np.where(inside, 2 * x * y + cy, y)
    return count


def _prefix(rng, size):
    return {"x": rng.random(size), "y": np.zeros(size)}


def _prefix_call(k, d):
    k.prefix(d["x"].size, d["x"], d["y"])
    return d["y"]


def _saxpy(rng, size):
    return {"x": rng.random(size, dtype=np.float32), "y": np.zeros(size, np.float32)}


def _saxpy_call(k, d):
    k.saxpy(d["x"].size, 0.5, d["x"], d["y"])
    return d["y"]


def _saxpy_numpy(d):
    d["y"] += np.float32(0.5) * d["x"]
    return d["y"]


def _distances(rng, size):
    n = _side(size, 8)
    return {"a": rng.random((n, 5)), "b": rng.random((n + 1, 5)), "out": np.zeros((n, n + 1))}


def _distances_call(k, d):
    k.distances(d["a"].shape[0], d["b"].shape[0], 5, d["a"], d["b"], d["out"])
    return d["out"]


def _distances_numpy(d):
    return np.sqrt(((d["a"][:, None, :] - d["b"][None, :, :]) ** 2).sum(axis=2))


def _moments(rng, size):
    m = 64
    return {"x": rng.random((size // m, m)), "mean": np.zeros(m), "variance": np.zeros(m)}


def _moments_call(k, d):
    k.moments(d["x"], d["mean"], d["variance"])
    return np.stack([d["mean"], d["variance"]])


def _transpose(rng, size):
    a = rng.random((_side(size), _side(size) + 3), dtype=np.float32)
    return {"a": a, "b": np.zeros(a.shape[::-1], np.float32)}


def _transpose_call(k, d):
    k.transpose(d["a"], d["b"])
    return d["b"]


def _transpose_numpy(d):
    np.copyto(d["b"], d["a"].T)
    return d["b"]


def _gray(rng, size):
    return {"rgb": rng.integers(0, 256, (size // 2, 3), dtype=np.uint8), "y": np.zeros(size // 2, np.uint8)}


def _gray_call(k, d):
    k.gray(d["y"].size, d["rgb"], d["y"])
    return d["y"]


def _gray_numpy(d):
    return ((d["rgb"].astype(np.int32) @ np.array([77, 150, 29], np.int32)) >> 8).astype(np.uint8)


def _horner(rng, size):
    n = size // 8
    return {"c": rng.random(9), "x": rng.random(n), "y": np.zeros(n)}


def _horner_call(k, d):
    k.horner(d["x"].size, 8, d["c"], d["x"], d["y"])
    return d["y"]


def _options(rng, size):
    n = size // 16
    return {"spot": 50 + 50 * rng.random(n), "strike": 50 + 50 * rng.random(n), "years": 0.1 + rng.random(n),
            "price": np.zeros(n)}


def _options_call(k, d):
    k.prices(d["spot"].size, d["spot"], d["strike"], d["years"], 0.02, 0.3, d["price"])
    return d["price"]


def _normal(x):
    """NumPy has no erf: the formula of W. J. Cody's class is SciPy's; here math.erfc, element by element."""
    return 0.5 * np.fromiter((math.erfc(-v * 0.70710678118654752440) for v in x), float, len(x))


def _options_numpy(d):
    root = 0.3 * np.sqrt(d["years"])
    d1 = (np.log(d["spot"] / d["strike"]) + (0.02 + 0.5 * 0.3 * 0.3) * d["years"]) / root
    return d["spot"] * _normal(d1) - d["strike"] * np.exp(-0.02 * d["years"]) * _normal(d1 - root)


def _trapezoid(rng, size):
    return {"x": np.sort(rng.random(size)), "y": rng.random(size)}


def _gather(rng, size):
    return {"index": rng.integers(-1000, 1000, size, dtype=np.int32), "table": rng.random(1000, dtype=np.float32),
            "out": np.zeros(size, np.float32)}


def _gather_call(k, d):
    k.gather(d["index"].size, 1000, d["index"], d["table"], d["out"])
    return d["out"]


SUMS = {"reassociate": True}
PROGRAMS = [
    Program("heat", {}, _heat, _heat_call, _heat_numpy, DOUBLE),
    Program("blur", {}, _blur, _blur_call, _blur_numpy, 0),
    Program("kmeans", {}, _kmeans, _kmeans_call, _kmeans_numpy, 0),
    Program("nbody", {}, _nbody, _nbody_call, _nbody_numpy, 1e-11),
    Program("softmax", {}, _rows, _softmax_call, _softmax_numpy, SINGLE),
    Program("histogram", {}, _histogram, _histogram_call, lambda d: np.bincount(d["x"], minlength=256), 0),
    Program("matmul", {}, _matmul, _matmul_call, lambda d: d["a"] @ d["b"], SINGLE),
    Program("norm", SUMS, _vector, lambda k, d: np.array([k.norm2(d["x"]), k.norm_max(d["x"])]),
            lambda d: np.array([np.linalg.norm(d["x"]), np.abs(d["x"]).max()]), DOUBLE),
    Program("convolve", {}, _convolve, _convolve_call, lambda d: np.convolve(d["x"], d["w"], "valid"), DOUBLE),
    Program("life", {}, _life, _life_call, _life_numpy, 0),
    Program("mandelbrot", {}, _mandelbrot, _mandelbrot_call, _mandelbrot_numpy, 0),
    Program("prefix", SUMS, _prefix, _prefix_call, lambda d: np.cumsum(d["x"], out=d["y"]), DOUBLE),
    Program("saxpy", {}, _saxpy, _saxpy_call, _saxpy_numpy, SINGLE),
    Program("distances", {}, _distances, _distances_call, _distances_numpy, DOUBLE),
    Program("moments", SUMS, _moments, _moments_call, lambda d: np.stack([d["x"].mean(axis=0), d["x"].var(axis=0)]), DOUBLE),
    Program("transpose", {}, _transpose, _transpose_call, _transpose_numpy, 0),
    Program("gray", {}, _gray, _gray_call, _gray_numpy, 0),
    Program("horner", {}, _horner, _horner_call, lambda d: np.polyval(d["c"], d["x"]), DOUBLE),
    Program("options", {}, _options, _options_call, _options_numpy, DOUBLE),
    Program("trapezoid", SUMS, _trapezoid, lambda k, d: np.array(k.trapezoid(d["x"], d["y"])),
            lambda d: np.array(getattr(np, "trapezoid", getattr(np, "trapz", None))(d["y"], d["x"])), DOUBLE),
    Program("gather", {}, _gather, _gather_call, lambda d: d["table"][d["index"]], 0),
]


def differs(program, got, wanted):
    """How far the results are apart, by the greatest value; None if that is within the bound."""
    if program.tolerance == 0:
        return None if np.array_equal(got, wanted) else "they are not equal"
    scale = float(np.abs(wanted).max()) or 1.0
    error = float(np.abs(np.asarray(got, float) - np.asarray(wanted, float)).max()) / scale
    return None if error <= program.tolerance else f"{error:.1e} of the greatest value, {program.tolerance:.0e} is the bound"
