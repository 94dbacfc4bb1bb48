"""The tool `treefork` and libtreefork: where they are, and the C API by ctypes.

The library is loaded once, when it is first needed. Calls go through ctypes.CDLL, which gives the
GIL away meanwhile. Nothing here decides anything: treefork.h (man 3 treefork) says what each function does.
"""
import ctypes
import functools
import glob
import os
import shutil
import subprocess
import threading

from .errors import TreeforkError

OK, NO_DEVICE = 0, 1
READ, WRITE = 1, 2
TEXT, JSON = 0, 1
UNLIMITED = 2**63 - 1
PACKAGE = os.path.dirname(os.path.abspath(__file__))


@functools.lru_cache(maxsize=None)
def tool():
    """The path of the tool: TREEFORK_TOOL, the package's own, that of a build tree, or one in PATH."""
    asked = os.environ.get("TREEFORK_TOOL")
    places = [asked] if asked else [os.path.join(PACKAGE, "bin", "treefork"),
                                    os.path.join(PACKAGE, "..", "..", "build", "treefork"),
                                    shutil.which("treefork")]
    for place in places:
        if place and os.path.isfile(place) and os.access(place, os.X_OK):
            return os.path.realpath(place)
    raise TreeforkError(f"there is no treefork {'at ' + asked if asked else 'in PATH'}: "
                        "install it, or set TREEFORK_TOOL to its path")


def _found(patterns, what):
    folder = os.path.dirname(tool())
    for pattern in patterns:
        found = sorted(glob.glob(os.path.join(folder, pattern)))
        if found:
            return os.path.realpath(found[0])
    raise TreeforkError(f"{what} is not where treefork is installed ({folder})")


@functools.lru_cache(maxsize=None)
def library_path():
    """The shared library that belongs to the tool, or TREEFORK_LIBRARY."""
    return os.environ.get("TREEFORK_LIBRARY") or _found(
        ["libtreefork.so*", "../lib/libtreefork.so*", "../lib/*/libtreefork.so*",
         "../lib64/libtreefork.so*"], "libtreefork.so")


@functools.lru_cache(maxsize=None)
def include_folder():
    """The folder of treefork.h."""
    return os.path.dirname(_found(["../runtime/treefork.h", "../include/treefork.h", "../../runtime/treefork.h"],
                                  "treefork.h"))


@functools.lru_cache(maxsize=None)
def tool_version():
    """What `treefork --version` prints."""
    return run_tool(["--version"]).stdout.strip()


def run_tool(words):
    """Runs the tool with these arguments; returns the finished process with its texts."""
    return subprocess.run([tool(), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", check=False)


class Failure(ctypes.Structure):
    """struct treefork_failure."""
    _fields_ = [("status", ctypes.c_int), ("is_lost", ctypes.c_int), ("text", ctypes.c_char * 1024)]


class Statistics(ctypes.Structure):
    """struct treefork_statistics."""
    _fields_ = [(name, ctypes.c_uint64) for name in
                ("launches", "builds", "loads", "copies_to_device", "copies_to_host", "bytes_to_device",
                 "bytes_to_host", "choices")]


_POINTER, _INT, _SIZE, _TEXT = ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t, ctypes.c_char_p
# name: result, arguments
_PROTOTYPES = {
    "treefork_version": (_INT, []),
    "treefork_message": (_TEXT, []),
    "treefork_status_name": (_TEXT, [_INT]),
    "treefork_failures_keep": (_INT, [_INT]),
    "treefork_failure_take": (_INT, [ctypes.POINTER(Failure)]),
    "treefork_default": (_POINTER, []),
    "treefork_device_name": (_TEXT, [_POINTER]),
    "treefork_device_kind": (_TEXT, [_POINTER]),
    "treefork_device_machine": (_POINTER, [_POINTER]),
    "treefork_parameter_key": (_TEXT, [_INT]),
    "treefork_attach": (_INT, [_POINTER, ctypes.POINTER(_POINTER), _SIZE, _POINTER]),
    "treefork_detach": (_INT, [_POINTER, _POINTER]),
    "treefork_host": (_INT, [_POINTER, _POINTER, ctypes.c_uint]),
    "treefork_release": (_INT, [_POINTER, _POINTER]),
    "treefork_wait": (_INT, [_POINTER]),
    "treefork_statistics": (Statistics, [_POINTER]),
    "treefork_explain": (_INT, [_TEXT, _INT, _POINTER]),
    "treefork_tune_forget": (None, []),
}


@functools.lru_cache(maxsize=None)
def library():
    """libtreefork, with prototypes. What fails in it is kept for exceptions from here on."""
    loaded = ctypes.CDLL(library_path(), mode=ctypes.RTLD_GLOBAL)
    for name, (result, arguments) in _PROTOTYPES.items():
        function = getattr(loaded, name, None)
        if function is None:
            raise TreeforkError(f"{library_path()} has no {name}: it is older than this package")
        function.restype, function.argtypes = result, arguments
    loaded.treefork_failures_keep(1)
    return loaded


def message():
    """The library's text of this thread's last failure."""
    return library().treefork_message().decode(errors="replace")


def check(status):
    """Raises TreeforkError unless the status is TREEFORK_OK."""
    if status != OK:
        name = library().treefork_status_name(status).decode()
        raise TreeforkError(f"{name}: {message()}", name)


_of_thread = threading.local()


def failure_take():
    """What failed in this thread's functions since the last call, or None; valid until the next call."""
    try:
        take, failure, place = _of_thread.taker
    except AttributeError:
        failure = Failure()
        take, place = library().treefork_failure_take, ctypes.byref(failure)
        _of_thread.taker = take, failure, place
    return None if take(place) == OK else failure


def written(write):
    """What `write(file)` writes to a FILE of C's, as a text, and what it returns."""
    libc = ctypes.CDLL(None)
    libc.open_memstream.restype, libc.open_memstream.argtypes = _POINTER, [_POINTER, _POINTER]
    libc.fclose.argtypes, libc.free.argtypes = [_POINTER], [_POINTER]
    text, size = _POINTER(), _SIZE()
    file = libc.open_memstream(ctypes.byref(text), ctypes.byref(size))
    if not file:
        raise MemoryError("open_memstream")
    result = write(file)
    libc.fclose(file)
    try:
        return ctypes.string_at(text, size.value).decode(errors="replace"), result
    finally:
        libc.free(text)
