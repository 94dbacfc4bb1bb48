"""The C text that runs each function of a plain program beside the same of another text, on the
same data.

The original stands in the driver under the names NAME_source; the other text brings the names
themselves. Sizes follow each other, arrays have ROOM elements before what is passed, and more
behind. Ends with 1 where any byte of an array, a result or a variable of the file differs (any NaN
is as good as another)."""

import os
import re

from pycparser import c_ast

from restyling import kinds
from restyling.scopes import declarator, found
from restyling.unit import Unit, text_of

POINTS = ["1", "7,5,9,8,6", "3,4,2,5,6", "0,2", "11,12,10"]
BEFORE = 1024  # as restyle_driver.h has it


def typedef_table(unit):
    return {node.name: node.type for node in unit.tree.ext if isinstance(node, c_ast.Typedef)}


def parameter_kind(decl, types):
    """("value", type), ("array", element's type or None)."""
    node, depth = decl.type, 0
    while True:
        if isinstance(node, (c_ast.ArrayDecl, c_ast.PtrDecl)):
            node, depth = node.type, depth + 1
        elif (
            isinstance(node, c_ast.TypeDecl)
            and isinstance(node.type, c_ast.IdentifierType)
            and node.type.names[0] in types
        ):
            node = types[node.type.names[0]]
        else:
            break
    base = kinds.base_of(node.type) if isinstance(node, c_ast.TypeDecl) else None
    known = (
        base
        if base in kinds.ORDER or base in kinds.SMALL or base == "long long" or base in ("size_t",)
        else None
    )
    return ("array" if depth else "value"), known or (
        base if base and re.fullmatch(r"u?int\d+_t", base) else None
    )


def is_called(function, words):
    name = function.decl.name
    arguments = function.decl.type.args
    return (
        "static" not in function.decl.storage
        and name != "main"
        and name not in words.get("skip", "").split(",")
        and not any(
            isinstance(each, c_ast.EllipsisParam)
            for each in (arguments.params if arguments else [])
        )
    )


def renamed(unit):
    """Names that the driver's copy must not share with the other text."""
    names = [node.decl.name for node in unit.functions() if "static" not in node.decl.storage]
    return names + [decl.name for decl in variables(unit)]


def variables(unit):
    return [
        node
        for node in unit.tree.ext
        if isinstance(node, c_ast.Decl)
        and node.name
        and "static" not in node.storage
        and not isinstance(node.type, c_ast.FuncDecl)
        and "extern" not in node.storage
    ]


def variables_compare(unit):
    return [f"    VARIABLE_COMPARE({decl.name});" for decl in variables(unit)]


def variables_fill(unit):
    """Those without a value of their own."""
    lines = []
    for decl in variables(unit):
        kind = kinds.of_decl(decl)
        if kind and decl.init is None:
            is_real = int(kind[0] in ("double", "float"))
            lines.append(f"    VARIABLE_FILL({decl.name}, {kind[0]}, {is_real});")
    return lines


def has_variable_extents(params):
    """Is an extent no number? Then sizes are 1 or more, as C asks."""
    arrays = [array for decl in params for array in found(decl, c_ast.ArrayDecl)]
    return any(
        array.dim is not None and not isinstance(array.dim, c_ast.Constant) for array in arrays
    )


def fixed(decl):
    """The elements that a parameter with fixed extents has."""
    node, product = decl.type, 1
    while isinstance(node, c_ast.ArrayDecl):
        if isinstance(node.dim, c_ast.Constant):
            product *= int(node.dim.value)
        node = node.type
    return product


class Call:
    """The call of both functions on one point: `before` and `behind` them, and their arguments."""

    def __init__(self, function, words, types):
        arguments = function.decl.type.args
        declared_ones = arguments.params if arguments else []
        self.params = [each for each in declared_ones if isinstance(each, c_ast.Decl)]
        self.name, self.words = function.decl.name, words
        self.before, self.behind, self.first, self.second = [], [], [], []
        self.least = max(int(words.get("least", 0)), int(has_variable_extents(self.params)))
        self.sizes, self.is_possible = 0, True
        for k, decl in enumerate(self.params):
            sort, kind = parameter_kind(decl, types)
            if sort == "array":
                self.array(k, decl, kind)
            elif kind:
                self.value(k, kind)
            else:
                self.is_possible = False

    def value(self, k, kind):
        text = f"{1.5 - 0.25 * (k % 3)}"
        if kind not in ("double", "float"):
            text = f"size_at(given_, {self.sizes % 6}, {self.least})"
            self.sizes += 1
        self.first.append(text)
        self.second.append(text)

    def array(self, k, decl, kind):
        size = f"sizeof({kind})" if kind else "4"
        is_real = int(kind in ("double", "float"))
        every = BEFORE + max(int(self.words.get("room", 4096)), fixed(decl))
        self.before += [
            f"    char *x{k} = malloc({every} * {size}), *y{k} = malloc({every} * {size});",
            f"    numbers_fill(x{k}, {size}, {every}, {is_real}, given_[0]);",
            f"    memcpy(y{k}, x{k}, {every} * {size});",
        ]
        name = f'"{decl.name} of {self.name}"'
        self.behind += [
            f"    numbers_compare({name}, x{k}, y{k}, {size}, {every}, {is_real});",
            f"    free(x{k}), free(y{k});",
        ]
        self.first.append(f"(void *)(x{k} + BEFORE * {size})")
        self.second.append(f"(void *)(y{k} + BEFORE * {size})")

    def text(self, function, number):
        calls = [
            f"{self.name}_source({', '.join(self.first)})",
            f"{self.name}({', '.join(self.second)})",
        ]
        body = [f"    {call};" for call in calls]
        if has_result(function):
            body = [
                f"    if ({calls[0]} != {calls[1]})",
                f'        printf("result of {self.name} differs\\n"), wrong++;'
            ]
        head = [
            f"static void call_{number}(const long *given_)",
            "{",
            f"    fill_state = {number + 1};",
        ]
        return [text_of(function.decl) + ";", *head, *self.before, *body, *self.behind, "}"]


def has_result(function):
    node = function.decl.type.type
    return isinstance(node, c_ast.TypeDecl) and kinds.base_of(node.type) != "void"


def source_included(unit, path):
    """The original under other names, then the names for the other text."""
    names = renamed(unit)
    return (
        [f"#define {name} {name}_source" for name in names]
        + [f'#include "{os.path.abspath(path)}"']
        + [f"#undef {name}" for name in names]
        + ['#include "restyle_driver.h"']
        + [f"extern {text_of(declared(decl))};" for decl in variables(unit)]
    )


def declared(decl):
    """The declaration alone."""
    return c_ast.Decl(decl.name, decl.quals, decl.align, [], decl.funcspec, decl.type, None, None)


def point_text(point, numbers):
    """The calls on one point."""
    sizes = [int(number) for number in point.split(",")]
    sizes = [str(sizes[k % len(sizes)]) for k in range(6)]
    calls = " ".join(f"call_{number}(given_);" for number in numbers)
    return f"    {{ static const long given_[] = {{{', '.join(sizes)}}}; {calls} }}"


def driver(path, words):
    """The text, by a row of restyle.table."""
    unit = Unit(path)
    types = typedef_table(unit)
    lines, numbers = source_included(unit, path), []
    for number, function in enumerate(each for each in unit.functions() if is_called(each, words)):
        call = Call(function, words, types)
        if call.is_possible:
            lines += call.text(function, number)
            numbers.append(number)
    points = words["points"].split(";") if "points" in words else POINTS
    lines += ["int main(void)", "{", *variables_fill(unit)]
    lines += [point_text(point, numbers) for point in points] + variables_compare(unit)
    lines += [
        f'    printf("{len(numbers)} functions, %d wrong\\n", wrong);',
        "    return wrong != 0;",
        "}",
    ]
    return "\n".join(lines) + "\n"
