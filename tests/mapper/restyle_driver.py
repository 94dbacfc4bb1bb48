"""The C text that runs each function of a plain program beside the same of another text, on the same data.

The original stands in the driver under the names NAME_source; the other text brings the names themselves. Sizes follow each other,
arrays have ROOM elements before what is passed, and more behind. Ends with 1 where any byte of an array, a result or a variable of
the file differs (any NaN is as good as another).
"""
import os
import re

from pycparser import c_ast

from restyling import kinds
from restyling.scopes import declarator, found
from restyling.unit import Unit, text_of

POINTS = ["1", "7,5,9,8,6", "3,4,2,5,6", "0,2", "11,12,10"]
BEFORE = 1024
HEAD = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { BEFORE = %d };
static unsigned long fill_state;
static double fill_next(long i, long n)
{
    fill_state = fill_state * 6364136223846793005ul + 1442695040888963407ul;
    return (double)(fill_state >> 40) / (1 << 24) + (i %% (n + 1) == 0 ? 8 : 0.25);
}
static void numbers_fill(void *memory, size_t size, long all, int is_real, long n)
{
    for (long i = 0; i < all; i++) {
        double value = fill_next(i - BEFORE, n);
        char *at = (char *)memory + i * size;
        long whole = (long)(value * 1000) %% 7;
        if (is_real && size == sizeof(double))
            *(double *)at = value;
        else if (is_real)
            *(float *)at = (float)value;
        else
            memcpy(at, &whole, size < sizeof whole ? size : sizeof whole);
    }
}
static int numbers_differ(const void *one, const void *two, size_t size, int is_real, long n)
{
    if (!memcmp(one, two, size * n))
        return 0;
    for (long i = 0; i < n; i++) {
        const char *x = (const char *)one + i * size, *y = (const char *)two + i * size;
        int are_nan = !is_real ? 0 : size == sizeof(float) ? *(const float *)x != *(const float *)x && *(const float *)y != *(const float *)y
                                                           : *(const double *)x != *(const double *)x && *(const double *)y != *(const double *)y;
        if (!are_nan && memcmp(x, y, size))
            return printf("element %%ld ", i - BEFORE);
    }
    return 0;
}
static long size_at(const long *given, int k, long least)
{
    return given[k] < least ? least : given[k];
}
static int wrong;
"""


def typedef_table(unit):
    return {node.name: node.type for node in unit.tree.ext if isinstance(node, c_ast.Typedef)}


def parameter_kind(decl, types):
    """("value", type), ("array", element's type or None)."""
    node, depth = decl.type, 0
    while True:
        if isinstance(node, (c_ast.ArrayDecl, c_ast.PtrDecl)):
            node, depth = node.type, depth + 1
        elif isinstance(node, c_ast.TypeDecl) and isinstance(node.type, c_ast.IdentifierType) and node.type.names[0] in types:
            node = types[node.type.names[0]]
        else:
            break
    base = kinds.base_of(node.type) if isinstance(node, c_ast.TypeDecl) else None
    known = base if base in kinds.ORDER or base in kinds.SMALL or base == "long long" or base in ("size_t",) else None
    return ("array" if depth else "value"), known or (base if base and re.fullmatch(r"u?int\d+_t", base) else None)


def is_called(function, words):
    name = function.decl.name
    arguments = function.decl.type.args
    return "static" not in function.decl.storage and name != "main" and name not in words.get("skip", "").split(",") and \
        not any(isinstance(each, c_ast.EllipsisParam) for each in (arguments.params if arguments else []))


def renamed(unit):
    """Names that the driver's copy must not share with the other text."""
    names = [node.decl.name for node in unit.functions() if "static" not in node.decl.storage]
    return names + [decl.name for decl in variables(unit)]


def variables(unit):
    return [node for node in unit.tree.ext if isinstance(node, c_ast.Decl) and node.name and "static" not in node.storage
            and not isinstance(node.type, c_ast.FuncDecl) and "extern" not in node.storage]


def compare_globals(unit):
    lines = []
    for decl in variables(unit):
        element, size = "1", f"sizeof {decl.name}"
        lines.append(f'    if (memcmp(&{decl.name}, &{decl.name}_source, {size})) printf("variable {decl.name} differs\\n"), wrong++;')
    return lines


def fill_globals(unit):
    lines = []
    for decl in variables(unit):
        if decl.init is not None:
            continue
        kind = kinds.of_decl(decl)
        if kind and kind[0] in ("double", "float"):
            lines.append(f"    for (size_t g = 0; g < sizeof {decl.name} / sizeof({kind[0]}); g++)\n"
                         f"        (({kind[0]} *)&{decl.name})[g] = (({kind[0]} *)&{decl.name}_source)[g] = g * 37 % 11 * 0.25;")
        elif kind:
            lines.append(f"    for (size_t g = 0; g < sizeof {decl.name} / sizeof({kind[0]}); g++)\n"
                         f"        (({kind[0]} *)&{decl.name})[g] = (({kind[0]} *)&{decl.name}_source)[g] = g * 53 % 7;")
    return lines


def has_variable_extents(params):
    """Is an array declared with an extent that is no number? Then sizes are 1 or more, as C asks."""
    return any(not isinstance(array.dim, c_ast.Constant) for decl in params for array in found(decl, c_ast.ArrayDecl) if array.dim is not None)


def fixed(decl):
    """The elements that a parameter with fixed extents has."""
    node, product = decl.type, 1
    while isinstance(node, c_ast.ArrayDecl):
        if isinstance(node.dim, c_ast.Constant):
            product *= int(node.dim.value)
        node = node.type
    return product


def call_of(unit, function, words, types, number):
    """A function of the driver that runs both on one point."""
    arguments = function.decl.type.args
    params = [each for each in arguments.params if isinstance(each, c_ast.Decl)] if arguments else []
    lines, first, second, behind = [], [], [], []
    count = 0
    least = max(int(words.get("least", 0)), int(has_variable_extents(params)))
    given = dict(pair.split(":") for pair in words.get("set", "").split(",") if ":" in pair)
    for k, decl in enumerate(params):
        sort, kind = parameter_kind(decl, types)
        if sort == "value" and kind in ("double", "float"):
            value = given.get(decl.name, f"{1.5 - 0.25 * (k % 3)}")
        elif sort == "value" and kind:
            value = given.get(decl.name, f"size_at(given_, {count % 6}, {least})")
            count += 1
        elif sort == "array":
            size = f"sizeof({kind})" if kind else "4"
            is_real = int(kind in ("double", "float"))
            every = BEFORE + max(int(words.get("room", 4096)), fixed(decl))
            lines += [f"    char *x{k} = malloc({every} * {size}), *y{k} = malloc({every} * {size});",
                      f"    numbers_fill(x{k}, {size}, {every}, {is_real}, given_[0]);", f"    memcpy(y{k}, x{k}, {every} * {size});"]
            behind.append(f"    if (numbers_differ(x{k}, y{k}, {size}, {is_real}, {every})) "
                          f'printf("of {decl.name} of {function.decl.name} differs at %ld,%ld\\n", given_[0], given_[1]), wrong++;')
            behind.append(f"    free(x{k}), free(y{k});")
            first.append(f"(void *)(x{k} + BEFORE * {size})")
            second.append(f"(void *)(y{k} + BEFORE * {size})")
            continue
        else:
            return []
        first.append(value)
        second.append(value)
    name = function.decl.name
    is_void = kinds.base_of(getattr(function.decl.type.type, "type", None)) == "void"
    is_value = isinstance(function.decl.type.type, c_ast.TypeDecl) and not is_void
    calls = [f"{name}_source({', '.join(first)})", f"{name}({', '.join(second)})"]
    if is_value:
        body = [f"    if ({calls[0]} != {calls[1]}) printf(\"results of {name} differ at %ld,%ld\\n\", given_[0], given_[1]), wrong++;"]
    else:
        body = [f"    {call};" for call in calls]
    return [f"static void call_{number}(const long *given_)\n{{", f"    fill_state = {number + 1};", *lines, *body, *behind, "}"]


def driver(path, words):
    unit = Unit(path)
    types = typedef_table(unit)
    points = words["points"].split(";") if "points" in words else POINTS
    names = renamed(unit)
    lines = [f"#define {name} {name}_source" for name in names] + [f'#include "{os.path.abspath(path)}"'] + [f"#undef {name}" for name in names]
    lines.append(HEAD % BEFORE)
    lines += [f"extern {text_of(declared(decl))};" for decl in variables(unit)]
    calls = []
    for number, function in enumerate(each for each in unit.functions() if is_called(each, words)):
        text = call_of(unit, function, words, types, number)
        if text:
            lines += [text_of(function.decl) + ";"] + text
            calls.append(number)
    lines += ["int main(void)\n{"] + fill_globals(unit)
    for point in points:
        numbers = [int(number) for number in point.split(",")]
        numbers = [numbers[k % len(numbers)] for k in range(6)]
        lines.append("    {\n        static const long given_[] = {" + ", ".join(map(str, numbers)) + "};")
        lines += [f"        call_{number}(given_);" for number in calls] + ["    }"]
    lines += compare_globals(unit) + [f'    printf("{len(calls)} functions, %d wrong\\n", wrong);', "    return wrong != 0;", "}"]
    return "\n".join(lines) + "\n"


def declared(decl):
    """The declaration alone."""
    return c_ast.Decl(decl.name, decl.quals, decl.align, [], decl.funcspec, decl.type, None, None)
