"""Styles that keep parameters in structures."""

import re

from pycparser import c_ast

from restyling import kinds
from restyling.scopes import Names, change, found, walk
from restyling.unit import Lines


def type_text(decl):
    """The type of a number, or of a pointer to numbers, without qualifiers of the pointer itself;
    None for others."""
    kind = kinds.of_decl(decl)
    if kind is None or kind[1] > 1 or isinstance(decl.type, c_ast.ArrayDecl):
        return None
    const = "const " if kind[1] and kinds.is_const(decl) else ""
    return f"{const}{kind[0]} {'*' * kind[1]}"


def steady(unit, function, names):
    """Parameters that keep their values, with their types; what macros name may change there."""
    said = {word for macro in unit.macros for word in re.findall(r"\w+", macro.body)}
    arguments = function.decl.type.args
    for decl in arguments.params if arguments else []:
        plain = isinstance(decl, c_ast.Decl) and bool(decl.name)
        plain = plain and decl.name not in said
        plain = plain and not names.changed_in(decl, function.body)
        text = type_text(decl) if plain else None
        if text:
            yield decl, text


def uses_of(decl, function, names):
    """Where the body names the parameter, but for extents of its arrays."""
    extents = {
        each
        for array in found(function.body, c_ast.ArrayDecl)
        if array.dim is not None
        for each in walk(array.dim)
    }
    return [use for use in names.uses[decl] if use not in extents]


def members(unit, rng, some):
    """parameters that keep their values as members of a structure: `set->n`, `set.x[i]`"""
    for function in unit.functions():
        names = Names(function)
        chosen = [(decl, text) for decl, text in steady(unit, function, names) if some()]
        uses = {use for decl, _ in chosen for use in uses_of(decl, function, names)}
        if not uses:
            continue
        pointer, kept = rng.random() < 0.5, unit.fresh("set", "given", "kept")
        record = unit.fresh("record", "settings")
        fields = " ".join(f"{text}{decl.name};" for decl, text in chosen)
        unit.ahead.append(f"struct {record} {{ {fields} }};")
        values = f"{{{', '.join(decl.name for decl, _ in chosen)}}}"
        head = f"struct {record} {kept} = {values};"
        if pointer:
            whole = unit.fresh("whole", "values")
            head = f"struct {record} {whole} = {values}, *{kept} = &{whole};"
        sign = "->" if pointer else "."
        change(
            function.body,
            lambda node: c_ast.StructRef(c_ast.ID(kept), sign, c_ast.ID(node.name))
            if node in uses
            else None,
        )
        function.body.block_items.insert(0, Lines(head))
