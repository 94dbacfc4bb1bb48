"""Modules and functions: what treefork.load gives."""
import ctypes
import json
import os
import warnings

from . import build, library
from .device import OnDevice
from .errors import TreeforkError, TreeforkWarning
from .explanation import explain_at, explain_last
from .prototype import Prototype, c_type
from .tuning import tune


class Function:
    """A C function that can be called with NumPy arrays.

    Arguments are those of C, by place or by name. Sizes that arrays tell may be left out, and tunables, which the
    function then chooses. The result is a number, or None. `prototype` is the function as C has it.
    """

    def __init__(self, module, data):
        self.module, self.name, self.regions = module, data["name"], data["regions"]
        self.source, self._data = data["source"], data
        self._prototype = Prototype(data)
        self.prototype = self._prototype.text
        self.__name__ = self.__qualname__ = self.name
        self.__doc__ = f"{self.prototype}\n\nfrom {os.path.basename(self.source)}; " + (
            f"regions {', '.join(self.regions)}" if self.regions else "no region: it runs on the host")
        self._functions = {}

    def __repr__(self):
        return f"<treefork function {self.prototype}>"

    def _function(self, automatic):
        """The function of C, and the names of its arguments in order."""
        if automatic not in self._functions:
            prototype = self._prototype
            names = [name for name in prototype.names if not automatic or name not in prototype.tunables]
            symbol = self._data["auto"] if automatic else self.name
            function = self.module._library[symbol]
            if not automatic and not prototype.is_void and prototype.format is None:
                raise TypeError(f"{self.name}: its result, {prototype.returns}, is no number")
            if not automatic and prototype.format == "f2":
                raise TypeError(f"{self.name}: ctypes cannot take a half as a result; return float")
            by_name = prototype.by_name
            function.argtypes = [ctypes.c_void_p if by_name[name].is_array else c_type(by_name[name].format)
                                 for name in names]
            function.restype = (ctypes.c_int if automatic else
                                None if prototype.is_void else c_type(prototype.format))
            self._functions[automatic] = function, [(name, by_name[name].is_array) for name in names]
        return self._functions[automatic]

    def __call__(self, *given, **named):
        values, automatic = self._prototype.check(self._prototype.bind(given, named))
        function, names = self._function(automatic)
        words = [values[name] if not is_array or values[name] is None
                 else values[name].__array_interface__["data"][0] for name, is_array in names]
        result = function(*words)
        failure = library.failure_take()
        if failure is not None:
            self._tell(failure)
        if automatic:
            library.check(result)
            return None
        return result

    def _tell(self, failure):
        text = failure.text.decode(errors="replace")
        if failure.is_lost:
            name = library.library().treefork_status_name(failure.status).decode()
            raise TreeforkError(f"{text}; what {self.name} has made is not to be used", name)
        if failure.status != library.NO_DEVICE:     # which was said when the module was loaded
            warnings.warn(f"{text}: it ran on the host", TreeforkWarning, stacklevel=3)

    def explain(self, machine=None, **parameters):
        """What the function would choose at these parameters, and why: an Explanation, or a list of them where it has
        several regions. `machine`: the name of a machine file or its path; else the device that is here. Without parameters:
        the last run of this process (`last`)."""
        if not parameters and machine is None:
            return self.last
        return explain_at(self, machine, parameters)

    @property
    def last(self):
        """The Explanation of the last run (a list for several regions), None if there was none, or no device."""
        return explain_last(self)

    def tune(self, **parameters):
        """Measures the choices of this function at these parameters, and keeps the best: treefork.tune."""
        return tune(self, **parameters)


def _device_open():
    """Opens the device now, as a program of Python's runs for longer than that takes; says once if there is none."""
    if not library.library().treefork_default():
        warnings.warn(f"functions run on the host: {library.message()}", TreeforkWarning, stacklevel=4)


class Module:
    """The functions of C files. `functions` has them by name, `said` what the tool said (why loops stay serial)."""

    def __init__(self, folder, sources, options):
        library.library()
        with open(os.path.join(folder, "module.json"), encoding="utf-8") as file:
            data = json.load(file)
        self.sources, self.options, self.said, self.folder = sources, options, data["said"], folder
        self._library = ctypes.CDLL(os.path.join(folder, "module.so"))
        self.functions = {name: Function(self, function) for name, function in data["functions"].items()}
        if any(function.regions for function in self.functions.values()):
            _device_open()

    def __getattr__(self, name):
        functions = self.__dict__.get("functions", {})
        if name in functions:
            return functions[name]
        raise AttributeError(f"there is no function '{name}' in {', '.join(self.sources)}: it has "
                             f"{', '.join(functions) or 'none that is not static'}")

    def __dir__(self):
        return [*super().__dir__(), *self.functions]

    def __repr__(self):
        return f"<treefork module {', '.join(self.sources)}: {', '.join(self.functions)}>"

    @staticmethod
    def on_device(*arrays):
        """treefork.on_device(*arrays)."""
        return OnDevice(*arrays)


def load(*sources, define=(), include=(), reassociate=False, restrict=False, contract=False, strict=False,
         function=None, options=(), cflags=(), cc=None):
    """Builds C files into one module of callable functions.

    define       macros: {"N": 4, "FAST": None} or ["N=4", "FAST"]
    include      folders of included files
    reassociate  sums of floating numbers may be taken in any order
    restrict     pointers lead to memory that lies apart, as if all were declared restrict
    contract     kernels may compute a*b + c as one operation
    strict       what cannot be decided about an annotation is an error
    function     map the loops of this function only
    options      further options of `treefork build`
    cflags, cc   further options of the C compiler, and which one (else CC, else cc)

    Plain C and annotated C are taken alike; functions without a loop for the device run on the host. What was built is
    kept (docs/python.md). Raises BuildError with the diagnostics.
    """
    if not sources:
        raise TypeError("treefork.load: no file given")
    asked = build.Options(define, include, reassociate, restrict, contract, strict, function, options, cflags, cc)
    paths = [os.fspath(source) for source in sources]
    return Module(build.build(paths, asked), paths, asked)


def compile(text, name="kernel.c", **options):  # pylint: disable=redefined-builtin
    """The same from a text of C."""
    return load(build.store(text, name), **options)
