"""Treefork for NumPy: C functions, with their loops on GPUs and CPUs, called with arrays.

    import numpy as np, treefork
    k = treefork.load("smooth.c")
    a, b = np.random.rand(10**6), np.zeros(10**6)
    k.smooth(a, b)

Everything is done by the tool `treefork` and by libtreefork; docs/python.md is the page to read.
"""
from .device import Device, OnDevice, device, on_device, release
from .errors import BuildError, TreeforkError, TreeforkWarning
from .explanation import Explanation
from .library import message
from .library import tool_version as version
from .module import Function, Module, compile, load  # pylint: disable=redefined-builtin
from .tuning import Tuned, tune

__all__ = ["BuildError", "Device", "Explanation", "Function", "Module", "OnDevice", "TreeforkError", "TreeforkWarning",
           "Tuned", "compile", "device", "load", "message", "on_device", "release", "tune", "version"]
