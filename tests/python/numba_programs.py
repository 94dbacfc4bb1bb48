"""The first programs as a user of Numba would write them: the outer loop by prange. Each gets the data of programs.py."""
import math

import numpy as np
from numba import njit, prange


@njit(parallel=True)
def _heat(c, u, v):
    for i in prange(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = u[i, j] + c * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])


def heat(d):
    _heat(0.1, d["u"], d["v"])
    return d["v"]


@njit(parallel=True)
def _blur(image, out):
    for y in prange(1, image.shape[0] - 1):
        for x in range(1, image.shape[1] - 1):
            s = 0
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    s += image[y + dy, x + dx]
            out[y, x] = s // 9


def blur(d):
    _blur(d["image"], d["out"])
    return d["out"]


@njit(parallel=True)
def _nearest(x, centre, label):
    for i in prange(x.shape[0]):
        best, which = np.float32(np.inf), 0
        for c in range(centre.shape[0]):
            s = np.float32(0)
            for j in range(x.shape[1]):
                t = x[i, j] - centre[c, j]
                s += t * t
            if s < best:
                best, which = s, c
        label[i] = which


def kmeans(d):
    _nearest(d["x"], d["centre"], d["label"])
    return d["label"]


@njit(parallel=True)
def _forces(p, mass, a):
    for i in prange(p.shape[0]):
        ax, ay, az = 0.0, 0.0, 0.0
        for j in range(p.shape[0]):
            dx, dy, dz = p[j, 0] - p[i, 0], p[j, 1] - p[i, 1], p[j, 2] - p[i, 2]
            r2 = dx * dx + dy * dy + dz * dz + 1e-9
            w = mass[j] / (r2 * math.sqrt(r2))
            ax += w * dx
            ay += w * dy
            az += w * dz
        a[i, 0], a[i, 1], a[i, 2] = ax, ay, az


def nbody(d):
    _forces(d["p"], d["mass"], d["a"])
    return d["a"]


@njit(parallel=True)
def _softmax(x, y):
    for r in prange(x.shape[0]):
        most, total = x[r, 0], np.float32(0)
        for c in range(1, x.shape[1]):
            most = max(most, x[r, c])
        for c in range(x.shape[1]):
            y[r, c] = math.exp(x[r, c] - most)
            total += y[r, c]
        for c in range(x.shape[1]):
            y[r, c] /= total


def softmax(d):
    _softmax(d["x"], d["y"])
    return d["y"]


@njit
def _histogram(x, count):
    count[:] = 0
    for i in range(x.size):
        count[x[i]] += 1


def histogram(d):
    _histogram(d["x"], d["count"])
    return d["count"]


@njit(parallel=True)
def _matmul(a, b, c):
    for i in prange(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = 0
        for l in range(a.shape[1]):
            for j in range(b.shape[1]):
                c[i, j] += a[i, l] * b[l, j]


def matmul(d):
    _matmul(d["a"], d["b"], d["c"])
    return d["c"]


@njit(parallel=True, fastmath=True)
def _norm2(x):
    s = 0.0
    for i in prange(x.size):
        s += x[i] * x[i]
    return math.sqrt(s)


@njit(parallel=True)
def _norm_max(x):
    most = 0.0
    for i in prange(x.size):
        most = max(most, abs(x[i]))
    return most


def norm(d):
    return np.array([_norm2(d["x"]), _norm_max(d["x"])])


@njit(parallel=True)
def _convolve(x, w, y):
    for i in prange(y.size):
        s = 0.0
        for j in range(w.size):
            s += x[i + j] * w[w.size - 1 - j]
        y[i] = s


def convolve(d):
    _convolve(d["x"], d["w"], d["y"])
    return d["y"]


@njit(parallel=True)
def _life(now, after):
    h, w = now.shape
    for y in prange(h):
        for x in range(w):
            up, down, left, right = (y + h - 1) % h, (y + 1) % h, (x + w - 1) % w, (x + 1) % w
            alive = (now[up, left] + now[up, x] + now[up, right] + now[y, left] + now[y, right] +
                     now[down, left] + now[down, x] + now[down, right])
            after[y, x] = alive == 3 or (alive == 2 and now[y, x] != 0)


def life(d):
    _life(d["now"], d["next"])
    return d["next"]


@njit(parallel=True)
def _mandelbrot(side, step, count):
    for i in prange(side):
        for j in range(side):
            cx, cy, x, y, k = -2.0 + j * step, -1.5 + i * step, 0.0, 0.0, 0
            while k < 50 and x * x + y * y <= 4:
                x, y = x * x - y * y + cx, 2 * x * y + cy
                k += 1
            count[i, j] = k


def mandelbrot(d):
    _mandelbrot(d["side"], 3.0 / d["side"], d["count"])
    return d["count"]


@njit
def _prefix(x, y):
    s = 0.0
    for i in range(x.size):
        s += x[i]
        y[i] = s


def prefix(d):
    _prefix(d["x"], d["y"])
    return d["y"]


@njit(parallel=True)
def _saxpy(a, x, y):
    for i in prange(x.size):
        y[i] = a * x[i] + y[i]


def saxpy(d):
    _saxpy(np.float32(0.5), d["x"], d["y"])
    return d["y"]


@njit(parallel=True)
def _distances(a, b, out):
    for i in prange(a.shape[0]):
        for j in range(b.shape[0]):
            s = 0.0
            for k in range(a.shape[1]):
                s += (a[i, k] - b[j, k]) ** 2
            out[i, j] = math.sqrt(s)


def distances(d):
    _distances(d["a"], d["b"], d["out"])
    return d["out"]


@njit(parallel=True)
def _moments(x, mean, variance):
    n = x.shape[0]
    for j in prange(x.shape[1]):
        s = 0.0
        for i in range(n):
            s += x[i, j]
        mean[j] = s / n
        s = 0.0
        for i in range(n):
            s += (x[i, j] - mean[j]) ** 2
        variance[j] = s / n


def moments(d):
    _moments(d["x"], d["mean"], d["variance"])
    return np.stack([d["mean"], d["variance"]])


@njit(parallel=True)
def _transpose(a, b):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            b[j, i] = a[i, j]


def transpose(d):
    _transpose(d["a"], d["b"])
    return d["b"]


@njit(parallel=True)
def _gray(rgb, y):
    for i in prange(y.size):
        y[i] = (77 * rgb[i, 0] + 150 * rgb[i, 1] + 29 * rgb[i, 2]) >> 8


def gray(d):
    _gray(d["rgb"], d["y"])
    return d["y"]


@njit(parallel=True)
def _horner(c, x, y):
    for i in prange(x.size):
        v = c[0]
        for k in range(1, c.size):
            v = v * x[i] + c[k]
        y[i] = v


def horner(d):
    _horner(d["c"], d["x"], d["y"])
    return d["y"]


@njit
def _normal(x):
    return 0.5 * math.erfc(-x * 0.70710678118654752440)


@njit(parallel=True)
def _prices(spot, strike, years, rate, sigma, price):
    for i in prange(spot.size):
        root = sigma * math.sqrt(years[i])
        d1 = (math.log(spot[i] / strike[i]) + (rate + 0.5 * sigma * sigma) * years[i]) / root
        price[i] = spot[i] * _normal(d1) - strike[i] * math.exp(-rate * years[i]) * _normal(d1 - root)


def options(d):
    _prices(d["spot"], d["strike"], d["years"], 0.02, 0.3, d["price"])
    return d["price"]


@njit(parallel=True, fastmath=True)
def _trapezoid(x, y):
    area = 0.0
    for i in prange(x.size - 1):
        area += 0.5 * (x[i + 1] - x[i]) * (y[i] + y[i + 1])
    return area


def trapezoid(d):
    return np.array(_trapezoid(d["x"], d["y"]))


@njit(parallel=True)
def _gather(index, table, out):
    for i in prange(index.size):
        out[i] = table[index[i]]


def gather(d):
    _gather(d["index"], d["table"], d["out"])
    return d["out"]
