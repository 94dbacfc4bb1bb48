"""The device: what it is, and arrays that stay on it between calls."""
import ctypes

import numpy as np

from . import library
from .errors import TreeforkError


class Device:
    """The process's device: `name`, `kind` ("opencl", "cuda"), `machine` (its parameters), statistics()."""

    def __init__(self, handle):
        self._handle = handle
        self.name = library.library().treefork_device_name(handle).decode(errors="replace")
        self.kind = library.library().treefork_device_kind(handle).decode()

    def __repr__(self):
        return f"<treefork device {self.name} ({self.kind})>"

    @property
    def machine(self):
        """The machine parameters by their keys, None where nothing limits."""
        from .explanation import machine_of_device
        return machine_of_device()

    def statistics(self):
        """Launches, programs compiled and loaded, copies and their bytes so far."""
        found = library.library().treefork_statistics(self._handle)
        return {name: getattr(found, name) for name, _ in found._fields_}

    def wait(self):
        """Waits until all launches are done."""
        library.check(library.library().treefork_wait(self._handle))


def device():
    """The process's device, opened now if it was not; None if there is none: then functions run on the host, and
    treefork.message() says what was looked for."""
    handle = library.library().treefork_default()
    return Device(handle) if handle else None


def release(array=None):
    """Gives up the device's copy of an array, or of all of them; what is newer there comes back first."""
    handle = library.library().treefork_default()
    if handle:
        library.check(library.library().treefork_release(handle, None if array is None else _address(array)))


def _address(array):
    return array.__array_interface__["data"][0]


class OnDevice:
    """Arrays that live on the device inside a `with`: calls copy nothing, and the contents come back at its end.

        with treefork.on_device(a, b) as there:
            for _ in range(100):
                k.step(n, a, b)
            there.fetch(a)        # a has its values of now, on the host
            a[0] = 1.0            # a change of the host's …
            there.changed(a)      # … is announced

    In between the arrays' memory on the host is old. Without a device nothing changes: the host has them.
    """

    def __init__(self, *arrays):
        for array in arrays:
            if not isinstance(array, np.ndarray):
                raise TypeError(f"on_device: wanted arrays, got {type(array).__name__}")
            if not array.flags.c_contiguous:
                raise ValueError(f"on_device: an array of shape {array.shape} has gaps or is in Fortran order")
            if not array.flags.writeable:
                raise ValueError("on_device: the contents of a read-only array could not come back")
        self._arrays, self._device, self._attached = arrays, None, []

    def __enter__(self):
        self._device = library.library().treefork_default()
        try:
            for array in self._arrays if self._device else ():
                self._attach(array)
        except TreeforkError:
            self._end()
            raise
        return self

    def _attach(self, array):
        place = ctypes.c_void_p(_address(array))
        library.check(library.library().treefork_attach(self._device, ctypes.byref(place), array.nbytes, None))
        self._attached.append(array)

    def _of_ours(self, array):
        if not any(array is other for other in self._arrays):
            raise ValueError("on_device: that array is none of those given")

    def fetch(self, *arrays):
        """Brings the contents of these arrays (of all, if none is named) to the host; they stay on the device."""
        for array in arrays or self._arrays:
            self._of_ours(array)
            if self._device:
                library.check(library.library().treefork_host(self._device, _address(array), library.READ))
        return arrays[0] if len(arrays) == 1 else None

    def changed(self, *arrays):
        """The host has set these arrays: their contents go to the device at the next call. One of which only a part
        was set has been fetched before."""
        for array in arrays or self._arrays:
            self._of_ours(array)
            if self._device:
                library.check(library.library().treefork_host(self._device, _address(array),
                                                              library.READ | library.WRITE))

    def _end(self):
        loaded, first = library.library(), None
        for array in self._attached:
            try:
                library.check(loaded.treefork_host(self._device, _address(array), library.READ))
                library.check(loaded.treefork_detach(self._device, _address(array)))
            except TreeforkError as error:
                first = first or error
        self._attached = []
        return first

    def __exit__(self, kind, value, trace):
        error = self._end()
        if error is not None and kind is None:
            raise error
        return False


def on_device(*arrays):
    """Arrays that stay on the device inside a `with`: OnDevice."""
    return OnDevice(*arrays)
