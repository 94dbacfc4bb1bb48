"""Why a leaf was taken: of the last run by the library, of any parameters by the tool."""
import ctypes
import functools
import json
import os
import tempfile

from . import library
from .errors import TreeforkError


class Explanation:
    """A region's choice. `text` is what `treefork explain` prints, `data` the same as an object (docs/runtime.md).

    region, machine, parameters; leaf (its number), safe, by ("predicted time", "tuning", "case", "force"),
    tunables (chosen), in_place (the serial code runs on the host), nanoseconds (predicted, of what runs),
    predicted (nanoseconds by leaf), serial (nanoseconds of the serial code by estimate, None if unknown), path, codes.
    """

    def __init__(self, tell, data):
        self._tell, self.data = functools.lru_cache(maxsize=1)(tell), data
        self.region, self.machine, self.parameters = data["region"], data["machine"], data["parameters"]
        self.leaf, self.safe, self.by = data["leaf"], data.get("safe", False), data.get("by")
        self.tunables = data.get("chosen") or {}
        self.path, self.codes = data.get("path", []), data.get("codes", [])
        self.in_place, self.serial = bool(data.get("in_place")), data.get("serial")
        self.predicted = {row["leaf"]: row["nanoseconds"] for row in data.get("predicted") or []}
        self.nanoseconds = self.serial if self.in_place else self.predicted.get(self.leaf)

    @property
    def text(self):
        """The explanation in words, made when it is first asked for."""
        return self._tell()

    def __str__(self):
        return self.text

    def __repr__(self):
        chosen = ", ".join(f"{name}={value}" for name, value in self.tunables.items())
        place = "in place on the host" if self.in_place else f"leaf {self.leaf}"
        time = "" if self.nanoseconds is None else f", predicted {self.nanoseconds / 1e3:.1f} us"
        return f"<{self.region} on {self.machine}: {place}{', ' + chosen if chosen else ''}{time}>"


def _one_or_all(explanations):
    return explanations[0] if len(explanations) == 1 else explanations


def explain_last(function):
    """Of the last run of each region that has run."""
    found = []
    for region in function.regions:
        name = region.encode()
        text, status = library.written(lambda file: library.library().treefork_explain(name, library.TEXT, file))
        if status == library.OK:
            data, _ = library.written(lambda file: library.library().treefork_explain(name, library.JSON, file))
            found.append(Explanation(functools.partial(str, text), json.loads(data.splitlines()[0])))
    return _one_or_all(found) if found else None


def machine_of_device():
    """The machine of the process's device as an object of a machine file; None without a device."""
    loaded = library.library()
    device = loaded.treefork_default()
    if not device:
        return None
    # struct treefork_machine: a name of 128 bytes, then a value for each parameter
    machine, values = loaded.treefork_device_machine(device), {}
    values["name"] = ctypes.string_at(machine).decode(errors="replace")
    number = 0
    while loaded.treefork_parameter_key(number):
        key = loaded.treefork_parameter_key(number).decode()
        value = ctypes.c_int64.from_address(machine + 128 + 8 * number).value
        values[key] = None if value == library.UNLIMITED else value
        number += 1
    return values


def _machine_words(machine, folder):
    if machine is not None:
        return ["--machine", os.fspath(machine)]
    values = machine_of_device()
    if values is None:
        raise TreeforkError(f"there is no device to explain for: {library.message()}; name a machine=", "no device")
    path = os.path.join(folder, "device.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(values, file)
    return ["--machine", path]


def words_of_parameters(function, parameters):
    """`NAME=VALUE,…` of parameters, each one of the function's; all of its sizes must be among them."""
    prototype = function._prototype
    for name, value in parameters.items():
        parameter = prototype.by_name.get(name)
        if parameter is None or parameter.is_array:
            raise TypeError(f"{function.name}: there is no number '{name}' in `{function.prototype}`")
        parameter.number(value)
    for parameter in prototype.parameters:
        if parameter.is_integer and parameter.name not in parameters and parameter.name not in prototype.tunables:
            raise TypeError(f"{function.name}: `{parameter.text}` is missing")
    return ",".join(f"{name}={value}" for name, value in parameters.items())


def words_of(function):
    """Words by which the tool looks at this function, unless the build was of it alone."""
    return [] if "--function" in function.module.options.tool else ["--function", function.name]


def explain_at(function, machine, parameters):
    """By `treefork explain`, with the options of the build."""
    if not function.regions:
        raise TreeforkError(f"{function.name} has no region: nothing is chosen, it runs on the host")
    sets = words_of_parameters(function, parameters)
    automatic = [] if function._prototype.tunables & set(parameters) else ["--auto"]

    @functools.lru_cache(maxsize=None)
    def told(*form):
        with tempfile.TemporaryDirectory(prefix="treefork-") as folder:
            done = library.run_tool(["explain", function.source, *function.module.options.tool, *words_of(function),
                                     *_machine_words(machine, folder), *automatic, *(["--set", sets] if sets else []), *form])
        if done.returncode != 0:
            raise TreeforkError(f"treefork explain: {done.stderr.strip()}")
        return done.stdout
    found = [data for data in json.loads(told("--json")) if data["region"] in function.regions]
    return _one_or_all([Explanation(lambda region=data["region"]: _part(told(), region), data) for data in found])


def _part(text, region):
    """The lines of one region: it begins unindented with the region's name."""
    lines, inside = [], False
    for line in text.splitlines(keepends=True):
        if not line.startswith(" "):
            inside = line.startswith(region + " ")
        if inside:
            lines.append(line)
    return "".join(lines)
