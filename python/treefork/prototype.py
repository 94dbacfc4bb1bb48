"""A function's prototype as the tool read it (NAME.interface.json), and calls checked by it.

In: the arguments of a call. Out: values for ctypes, or a TypeError or ValueError that names the function, the
parameter as it stands in C, what is wanted and what was given. Arrays are passed as they are, never copied: one that
cannot be is refused, and the message says what to write.
"""
import ctypes
import operator

import numpy as np

_C_TYPES = {"b1": ctypes.c_bool, "i1": ctypes.c_int8, "u1": ctypes.c_uint8, "i2": ctypes.c_int16,
            "u2": ctypes.c_uint16, "i4": ctypes.c_int32, "u4": ctypes.c_uint32, "i8": ctypes.c_int64,
            "u8": ctypes.c_uint64, "f4": ctypes.c_float, "f8": ctypes.c_double}


def c_type(form):
    """The type of ctypes for a format such as "f8"."""
    return _C_TYPES[form]


def _quotient(a, b):
    """C's division of integers."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if b else 0


def _remainder(a, b):
    return a - b * _quotient(a, b)


_CODE = {"/": "_quotient({}, {})", "%": "_remainder({}, {})", "&&": "({} and {})", "||": "({} or {})"}


def _size_code(size):
    """The size as an expression of Python's over values `v` by name."""
    if not isinstance(size, list):
        return f"v[{size!r}]" if isinstance(size, str) else repr(size)
    parts = [_size_code(part) for part in size[1:]]
    if size[0] == "?":
        return f"({parts[1]} if {parts[0]} else {parts[2]})"
    if len(parts) == 1:
        return f"({'not ' if size[0] == '!' else size[0]}{parts[0]})"
    return _CODE.get(size[0], f"({{}} {size[0]} {{}})").format(*parts)


def size_function(size):
    """A function of the values by name that gives the size; None where nobody knows it."""
    return None if size is None else eval(  # pylint: disable=eval-used
        f"lambda v: {_size_code(size)}", {"_quotient": _quotient, "_remainder": _remainder})


def _size_text(size):
    """The size as a reader of C would write it."""
    if not isinstance(size, list):
        return "?" if size is None else str(size)
    parts = [_size_text(part) for part in size[1:]]
    if size[0] == "?":
        return parts[1]
    return f" {size[0]} ".join(parts) if len(parts) == 2 else size[0] + parts[0]


def _size_name(size):
    """The name of the parameter that is the size, perhaps where a loop has rounds at all."""
    if isinstance(size, list) and size[0] == "?" and size[3] == 0:
        size = size[2]
    return size if isinstance(size, str) else None


class Parameter:
    """One parameter: `name`, `text` (as in C), `format` ("f8"), `is_array`, `is_const`, `extents`, `touched`."""

    def __init__(self, function, data):
        self.function, self.name, self.text = function, data["name"], data["text"]
        self.format, self.is_array = data["format"], data["array"]
        self.is_const = data.get("const", False)
        self.extents, self.touched = data.get("extents", []), data.get("touched", [])
        self.dtype = np.dtype(self.format) if self.format else None
        self.is_integer = not self.is_array and self.format is not None and self.format[0] in "iu"
        self.has_shape = len(self.extents) > 1
        self._shape = [size_function(size) for size in self.extents] if self.has_shape else []
        self._least = [(size_function(size), size) for size in self.extents[:1 - self.has_shape] + self.touched
                       if size is not None]
        if self.is_integer:
            limits = np.iinfo(self.dtype)
            self.least, self.most = int(limits.min), int(limits.max)

    def _fail(self, kind, wanted, got):
        return kind(f"{self.function}: parameter `{self.text}`: wanted {wanted}, got {got}")

    def number(self, value):
        """A scalar argument as a number of Python's."""
        if self.format is None:
            raise self._fail(TypeError, "a type that NumPy has", f"{type(value).__name__}, which cannot be passed")
        if self.is_integer or self.format == "b1":
            try:
                number = bool(value) if isinstance(value, np.bool_) else operator.index(value)
            except TypeError:
                number = None
            if number is None:
                raise self._fail(TypeError, f"an integer ({self.dtype})", _described(value)) from None
            if self.is_integer and not self.least <= number <= self.most:
                raise self._fail(ValueError, f"an integer of {8 * self.dtype.itemsize} bits", str(number))
            return number
        if self.format == "f2":
            raise self._fail(TypeError, "`float` there, or an array", "a half, which ctypes cannot pass by value")
        if isinstance(value, (str, bytes)):
            raise self._fail(TypeError, f"a number ({self.dtype})", _described(value))
        try:
            return float(value)
        except (TypeError, ValueError):
            raise self._fail(TypeError, f"a number ({self.dtype})", _described(value)) from None

    def array(self, value):
        """An array argument as an ndarray over the same memory, None for NULL."""
        if type(value) is np.ndarray and self.format and value.dtype == self.dtype and value.dtype.isnative:
            flags = value.flags
            if flags.carray or (self.is_const and flags.c_contiguous and flags.aligned):
                return value
        if self.format is None:
            raise self._fail(TypeError, "a type that NumPy has", f"{type(value).__name__}, which cannot be passed")
        if value is None and all(extent is None for extent in self.extents):
            return None
        array = value if isinstance(value, np.ndarray) else self._shared(value)
        if array.dtype != self.dtype:
            if array.dtype.newbyteorder("=") == self.dtype:
                raise self._fail(TypeError, f"{self.dtype} in this machine's byte order", _described(array))
            raise self._fail(TypeError, f"an array of {self.dtype}",
                             f"{_described(array)}; .astype(np.{self.dtype}) makes a copy that fits")
        flags = array.flags
        if not flags.c_contiguous:
            raise self._fail(ValueError, "an array without gaps, in C order", self._gaps(array))
        if not flags.aligned:
            raise self._fail(ValueError, "an aligned array", "one that is not; .copy() is")
        if not self.is_const and not flags.writeable:
            raise self._fail(ValueError, "an array that may be written, as the parameter is not const",
                             f"a read-only {_described(array)}")
        return array

    def _shared(self, value):
        try:
            has_memory = hasattr(value, "__array_interface__") or memoryview(value) is not None
        except TypeError:
            has_memory = False
        if not has_memory or isinstance(value, np.generic):
            raise self._fail(TypeError, f"an array of {self.dtype}",
                             f"{_described(value)}; np.array(…, dtype=np.{self.dtype}) makes one")
        return np.asarray(value)

    def _gaps(self, array):
        if array.flags.f_contiguous:
            return f"{_described(array)} in Fortran order; np.ascontiguousarray makes a copy in C order"
        return f"{_described(array)}, a view with strides {array.strides}; .copy() has none"

    def extents_check(self, array, values):
        """Is the array as large as the prototype and the regions say? Of a size that depends on a tunable which the
        function chooses itself, nothing is asked."""
        try:
            if self.has_shape:
                self._shape_check(array.shape, [size and size(values) for size in self._shape])
            for least, size in self._least:
                if array.size < least(values):
                    raise self._fail(ValueError, f"at least {_size_text(size)} = {least(values)} elements",
                                     f"{array.size} in shape {array.shape}")
        except KeyError:
            pass

    def _shape_check(self, got, wanted):
        if len(got) == len(wanted) and (wanted[0] is None or got[0] >= wanted[0]) and all(
                w is None or w == g for w, g in zip(wanted[1:], got[1:])):
            return
        names = ", ".join(_size_text(size) for size in self.extents)
        shape = ", ".join("any" if number is None else str(number) for number in wanted)
        raise self._fail(ValueError, f"shape ({names}) = ({shape})", f"{got}")


def _described(value):
    if isinstance(value, np.ndarray):
        order = "" if value.dtype.isnative else " in the other byte order"
        return f"an array of {value.dtype}{order} of shape {value.shape}"
    if isinstance(value, (int, float, complex, str, np.generic)):
        return f"{type(value).__name__} {value!r}"
    return type(value).__name__


class Prototype:
    """A function's result and parameters, and how a call is bound to them."""

    def __init__(self, data):
        self.name, self.returns = data["name"], data["returns"]
        self.is_void, self.format = data["void"], data["format"]
        self.parameters = [Parameter(self.name, parameter) for parameter in data["parameters"]]
        self.names = [parameter.name for parameter in self.parameters]
        self.by_name = dict(zip(self.names, self.parameters))
        self.tunables = set(data["tunables"]) if data["auto"] else set()
        self.sources = self._sources()
        self.inferred = set(self.sources)

    def _sources(self):
        """Which integer parameters arrays tell: name to [(array, axis)], axis None for the number of elements."""
        sources = {}
        for parameter in self.parameters:
            single = not parameter.has_shape
            found = [(_size_name(size), None if single else axis) for axis, size in enumerate(parameter.extents)]
            found += [(_size_name(size), None) for size in parameter.touched if single]
            for name, axis in found:
                if name and self.by_name[name].is_integer and name not in self.tunables:
                    sources.setdefault(name, []).append((parameter.name, axis))
        return sources

    @property
    def text(self):
        """The prototype as C."""
        return f"{self.returns} {self.name}({', '.join(parameter.text for parameter in self.parameters) or 'void'})"

    def bind(self, given, named):
        """The arguments by name, without those that are left out: tunables, and sizes that arrays tell."""
        if not named and len(given) == len(self.names):
            return dict(zip(self.names, given))
        for name in named:
            if name not in self.by_name:
                raise TypeError(f"{self.name}: there is no parameter '{name}' in `{self.text}`")
        open_names = [name for name in self.names if name not in named]
        needed = [set(), self.tunables, self.inferred, self.tunables | self.inferred]
        for left_out in needed:
            places = [name for name in open_names if name not in left_out]
            if len(places) == len(given) and not any(
                    left_out and self.by_name[name].is_array and isinstance(value, (int, float))
                    for name, value in zip(places, given)):
                return {**dict(zip(places, given)), **named}
        left = f"; {', '.join(sorted(needed[3]))} may be left out" if needed[3] else ""
        raise TypeError(f"{self.name}: {len(given) + len(named)} arguments for `{self.text}`{left}")

    def _infer(self, name, arrays):
        found = {}
        for array_name, axis in self.sources.get(name, []):
            array = arrays.get(array_name)
            if array is None or (axis is not None and axis >= array.ndim):
                continue
            found.setdefault(array.size if axis is None else array.shape[axis], array_name)
        if len(found) == 1:
            return next(iter(found))
        said = " and ".join(f"{size} by `{array}`" for size, array in found.items())
        raise ValueError(f"{self.name}: {name} is {said or 'not told by any array'}: give {name}=")

    def check(self, bound):
        """Values by name for a bound call, and whether its tunables are left out."""
        values, automatic = {}, bool(self.tunables) and not any(name in bound for name in self.tunables)
        for name, value in bound.items():
            parameter = self.by_name[name]
            values[name] = parameter.array(value) if parameter.is_array else parameter.number(value)
        for parameter in self.parameters:
            name = parameter.name
            if name in values or (automatic and name in self.tunables):
                continue
            if name not in self.inferred:
                raise TypeError(f"{self.name}: `{parameter.text}` is missing")
            values[name] = parameter.number(self._infer(name, values))
        for parameter in self.parameters:
            array = values.get(parameter.name)
            if parameter.is_array and array is not None:
                parameter.extents_check(array, values)
        return values, automatic
