"""c is a with rows and columns exchanged, from Python: the generated C as a shared library, called by ctypes.
Usage: main.py LIBRARY.so"""
import array
import ctypes
import sys

N = 600
library = ctypes.CDLL(sys.argv[1])
library.treefork_message.restype = ctypes.c_char_p
a = array.array("i", range(N * N))
c = array.array("i", bytes(4 * N * N))


def pointer(numbers):
    """The memory of an array, as C's int *."""
    return ctypes.cast(numbers.buffer_info()[0], ctypes.POINTER(ctypes.c_int))


if library.transpose_auto(N, pointer(a), pointer(c)):
    sys.exit(library.treefork_message().decode())
wrong = sum(c[j * N + i] != a[i * N + j] for i in range(N) for j in range(N))
print(f"rows and columns exchanged from Python: {N * N - wrong} of {N * N} are right")
sys.exit(wrong != 0)
