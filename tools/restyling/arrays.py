"""Styles of arrays: how parameters are declared, rows by pointers, elements of flat pointers, where
arrays live."""

import copy

from pycparser import c_ast

from restyling import kinds
from restyling.loops import binary, headers
from restyling.scopes import Names, change, declarator, found, walk
from restyling.unit import Lines, text_of


def parameters(function):
    arguments = function.decl.type.args
    return (
        [each for each in arguments.params if isinstance(each, c_ast.Decl) and each.name]
        if arguments
        else []
    )


def extents_steady(decl, names):
    """Do the extents speak of nothing that changes in the function?"""
    return all(
        not names.changed_in(names.of(use), names.function.body)
        for use in found(decl.type, c_ast.ID)
    )


def pointers(unit, rng, some):
    """parameters `double (*a)[m]` and `double *x` for `double a[n][m]` and `double x[n]`"""
    for function in unit.functions():
        for decl in parameters(function):
            if isinstance(decl.type, c_ast.ArrayDecl) and some():
                quals = [word for word in decl.type.dim_quals if word != "static"]
                decl.type = c_ast.PtrDecl(quals, decl.type.type)


def extents(unit, rng, some):
    """parameters `double a[static restrict n][m]`, or `a[]` for the first extent"""
    for function in unit.functions():
        for decl in parameters(function):
            if not isinstance(decl.type, c_ast.ArrayDecl) or not some():
                continue
            if rng.random() < 0.5:
                decl.type.dim = None
                decl.type.dim_quals = [word for word in decl.type.dim_quals if word != "static"]
            elif (
                decl.type.dim is not None
                and isinstance(decl.type.dim, c_ast.Constant)
                and "static" not in decl.type.dim_quals
            ):
                decl.type.dim_quals = ["static", *decl.type.dim_quals]


def chain(node):
    """(base, subscripts) of an element."""
    subscripts = []
    while isinstance(node, c_ast.ArrayRef):
        subscripts.insert(0, node.subscript)
        node = node.name
    return node, subscripts


def dimensions(decl):
    """Extents of a parameter's array but the first, and its element; None if it is no array of
    arrays of numbers."""
    node, inner = decl.type, []
    if not isinstance(node, (c_ast.ArrayDecl, c_ast.PtrDecl)):
        return None, None
    node = node.type
    while isinstance(node, c_ast.ArrayDecl):
        inner.append(node.dim)
        node = node.type
    if (
        not inner
        or None in inner
        or not isinstance(node, c_ast.TypeDecl)
        or not kinds.base_of(node.type)
    ):
        return None, None
    return inner, node


def flat(unit, rng, some):
    """parameters `double *a` for arrays of rows, with the strides written out"""
    known = {each.name.name for each in found(unit.tree, c_ast.FuncCall) if hasattr(each.name, "name")}
    known |= {each.name for each in unit.tree.ext if isinstance(each, c_ast.Decl)}
    for function in unit.functions():
        if function.decl.name in known:    # others have its type, too
            continue
        for decl in parameters(function):
            names = Names(function)
            inner, element = dimensions(decl)
            if (
                inner is None
                or not extents_steady(decl, names)
                or not is_whole(decl, len(inner) + 1, names)
                or not some()
            ):
                continue
            uses = set(names.uses[decl])

            def flattened(node):
                base, subscripts = chain(node)
                if base not in uses or len(subscripts) != len(inner) + 1:
                    return None
                place = subscripts[0]
                for extent, subscript in zip(inner, subscripts[1:]):
                    place = binary("+", binary("*", place, copy.deepcopy(extent)), subscript)
                return c_ast.ArrayRef(c_ast.ID(decl.name), place)

            change(function.body, flattened)
            quals = (
                decl.type.dim_quals if isinstance(decl.type, c_ast.ArrayDecl) else decl.type.quals
            )
            decl.type = c_ast.PtrDecl([word for word in quals if word != "static"], element)


def is_whole(decl, depth, names):
    """Is the array used by its elements only, and are its extents' names free wherever it is
    used?"""
    uses, elements = set(names.uses[decl]), 0
    inner = {use.name: names.of(use) for use in found(decl.type, c_ast.ID)}
    for node in walk(names.function.body):
        if isinstance(node, c_ast.ArrayRef):
            base, subscripts = chain(node)
            elements += base in uses and len(subscripts) == depth
    if not uses or elements != len(uses):
        return False
    return not any(other.name in inner and inner[other.name] is not other for other in names.decls)


def rows(unit, rng, some):
    """pointers to rows: `double *row = a[i];` at the head of the loop over i, `row[j]` behind it"""
    for function in unit.functions():
        for header in headers(function, Names(function)):
            names = Names(function)
            if names.changed_in(header.decl, header.loop.stmt):
                continue
            bases = {}
            for node in found(header.loop.stmt, c_ast.ArrayRef):
                row = node.name
                if (
                    isinstance(row, c_ast.ArrayRef)
                    and isinstance(row.name, c_ast.ID)
                    and names.of(row.subscript) is header.decl
                    and is_fixed(names.of(row.name), names)
                ):
                    bases.setdefault(names.of(row.name), []).append(row)
            for decl, found_rows in bases.items():
                if some():
                    row_make(unit, header, decl, found_rows)


def is_fixed(decl, names):
    """Is it an array of rows whose declaration can be told anew?"""
    if (
        decl is None
        or names.changed_in(decl, names.function.body)
        or not extents_steady(decl, names)
    ):
        return False
    inner, _ = dimensions(decl)
    extents_names = {use.name: names.of(use) for use in found(decl.type, c_ast.ID)}
    return inner is not None and not any(
        other.name in extents_names and extents_names[other.name] is not other
        for other in names.decls
    )


def row_make(unit, header, decl, uses):
    name = unit.fresh(f"{decl.name}_{header.decl.name}", f"{decl.name}_row")
    row = copy.deepcopy(decl.type.type.type)
    pointer = c_ast.Decl(name, [], [], [], [], c_ast.PtrDecl([], row), None, None)
    declarator(pointer).declname = name
    pointer.init = c_ast.ArrayRef(c_ast.ID(decl.name), c_ast.ID(header.decl.name))
    uses = set(uses)
    wrapper = c_ast.Compound([header.loop.stmt])
    change(wrapper, lambda node: c_ast.ID(name) if node in uses else None)
    body = wrapper.block_items[0]
    items = body.block_items or [] if isinstance(body, c_ast.Compound) else [body]
    header.loop.stmt = c_ast.Compound([pointer, *items])


def is_local_array(decl, function):
    node = decl.type
    if not isinstance(node, c_ast.ArrayDecl) or decl.init is not None or decl.storage:
        return False
    while isinstance(node, c_ast.ArrayDecl):
        if not isinstance(node.dim, c_ast.Constant) and not is_number(node.dim):
            return False
        node = node.type
    return isinstance(node, c_ast.TypeDecl) and kinds.base_of(node.type) is not None


def is_number(expr):
    return expr is not None and all(
        isinstance(node, (c_ast.Constant, c_ast.BinaryOp)) for node in walk(expr)
    )


def statics(unit, rng, some):
    """arrays of the function as `static` ones, or as the file's"""
    for function in unit.functions():
        for decl in [
            item for item in function.body.block_items or [] if isinstance(item, c_ast.Decl)
        ]:
            if not is_local_array(decl, function) or not some():
                continue
            decl.storage = ["static"]
            if rng.random() < 0.5:
                Names(function).rename(decl, unit.fresh(decl.name + "_of_file"))
                function.body.block_items.remove(decl)
                unit.ahead.append(text_of(decl) + ";")


def globals_(unit, rng, some, side=64):
    """parameters copied to arrays of the file with a fixed pitch, and back (sizes up to 64)"""
    for function in unit.functions():
        names = Names(function)
        if found(function.body, c_ast.Return) or "static" in function.decl.storage:
            continue
        before, behind = [], []
        for decl in parameters(function):
            inner, element = dimensions(decl)
            if (
                inner is None
                or not isinstance(decl.type, c_ast.ArrayDecl)
                or decl.type.dim is None
                or not extents_steady(decl, names)
                or not is_whole(decl, len(inner) + 1, names)
                or not some()
            ):
                continue
            all_extents = [decl.type.dim, *inner]
            if len(all_extents) > 4 or any(is_number(extent) for extent in all_extents):
                continue
            name = unit.fresh(decl.name + "_", decl.name + "_all")
            words = text_of(c_ast.TypeDecl(None, [], None, element.type)).strip()
            unit.ahead.append(f"static {words} {name}" + f"[{side}]" * len(all_extents) + ";")
            for use in names.uses[decl]:
                use.name = name
            letters = [unit.fresh(letter, letter + "_") for letter in "pqrs"[: len(all_extents)]]
            loops = " ".join(
                f"for (int {letter} = 0; {letter} < {text_of(extent)}; {letter}++)"
                for letter, extent in zip(letters, all_extents)
            )
            place = "".join(f"[{letter}]" for letter in letters)
            before.append(Lines(f"{loops} {name}{place} = {decl.name}{place};"))
            if not kinds.is_const(decl):
                behind.append(Lines(f"{loops} {decl.name}{place} = {name}{place};"))
        function.body.block_items = before + (function.body.block_items or []) + behind
