"""Styles of statements and expressions: temporaries, scalars that hold subscripts, casts, typedefs,
braces, pragmas, names."""

import copy
import re

from pycparser import c_ast

from restyling import kinds
from restyling.loops import Header, INTEGERS, blocks_of, declare, is_plain_sum, place_at_top
from restyling.scopes import Names, change, declarator, found, parts, walk
from restyling.unit import Lines, Paren, WORDS, text_of

VALUES = ("int", "unsigned", "long", "unsigned long", "float", "double")


def put_before(function, table):
    """Puts the statements of `table` ahead of theirs."""
    for items in blocks_of(function):
        for at in range(len(items) - 1, -1, -1):
            if items[at] in table:
                items[at:at] = table.pop(items[at])
    change(function, lambda node: c_ast.Compound([*table[node], node]) if node in table else None)


def statements(function):
    """Assignments that are statements, and declarations of one scalar with a value."""
    listed = {item for items in blocks_of(function) for item in items}
    for node in walk(function.body):
        if isinstance(node, (c_ast.For, c_ast.While, c_ast.DoWhile)):
            listed.add(node.stmt)
        if isinstance(node, c_ast.If):
            listed |= {node.iftrue, node.iffalse}
    return [
        node
        for node in walk(function.body)
        if node in listed
        and (
            isinstance(node, c_ast.Assignment)
            or isinstance(node, c_ast.Decl)
            and node.init is not None
            and isinstance(node.type, c_ast.TypeDecl)
        )
    ]


def value_of(statement):
    return statement.rvalue if isinstance(statement, c_ast.Assignment) else statement.init


def is_pure(expr, names):
    """Does it read only, and only what a statement's value may read ahead of it?"""
    for node in walk(expr):
        if isinstance(node, c_ast.FuncCall) and not (
            isinstance(node.name, c_ast.ID) and node.name.name in kinds.FUNCTIONS
        ):
            return False
        if (
            isinstance(node, c_ast.Assignment)
            or isinstance(node, c_ast.UnaryOp)
            and node.op not in ("-", "+", "~", "!")
        ):
            return False
    return True


def in_labels(function):
    return bool(found(function.body, c_ast.Label, c_ast.Case, c_ast.Goto))


def temporaries(unit, rng, some):
    """an operand as a variable, declared at the function's top or where it gets its value"""
    for function in unit.functions():
        if in_labels(function):
            continue
        names, table, ahead_decls = Names(function), {}, {}
        is_ahead = rng.random() < 0.5
        for statement in statements(function):
            value = value_of(statement)
            if (
                not isinstance(value, c_ast.BinaryOp)
                or value.op in ("&&", "||")
                or not is_pure(statement, names)
                and not is_pure(value, names)
                or not some()
            ):
                continue
            side = rng.choice(["left", "right"])
            operand = getattr(value, side)
            kind = kinds.of(operand, names)
            if not isinstance(operand, (c_ast.BinaryOp, c_ast.ArrayRef)) or kind not in VALUES:
                continue
            if is_ahead:
                if kind not in ahead_decls:
                    ahead_decls[kind] = unit.fresh("tmp", "temp", "t_")
                name = ahead_decls[kind]
                table[statement] = [c_ast.Assignment("=", c_ast.ID(name), operand)]
            else:
                name = unit.fresh("t", "part", "part_")
                table[statement] = [declare(name, kind, operand)]
            setattr(value, side, c_ast.ID(name))
        put_before(function, table)
        place_at_top(function, [declare(name, kind) for kind, name in ahead_decls.items()])


def is_index(expr, names):
    return (
        isinstance(expr, c_ast.BinaryOp)
        and all(
            isinstance(node, (c_ast.ID, c_ast.Constant))
            or isinstance(node, c_ast.BinaryOp)
            and node.op in "+-*"
            for node in walk(expr)
        )
        and kinds.of(expr, names) in INTEGERS
    )


def index_ahead(unit, rng, some):
    """subscripts as scalars declared at the function's top: `at = i * m + j; a[at] = …`"""
    index(unit, some, True)


def index_here(unit, rng, some):
    """subscripts as scalars declared where they get a value: `int at = i * m + j; a[at] = …`"""
    index(unit, some, False)


def index(unit, some, is_ahead):
    for function in unit.functions():
        if in_labels(function):
            continue
        names, table, shared = Names(function), {}, {}
        for statement in statements(function):
            count = {}
            for element in found(statement, c_ast.ArrayRef):
                if (
                    not is_index(element.subscript, names)
                    or changes_own(statement, element.subscript, names)
                    or not some()
                ):
                    continue
                kind = kinds.of(element.subscript, names)
                number = count[kind] = count.get(kind, 0) + 1
                if is_ahead:
                    name = shared.setdefault((kind, number), None) or unit.fresh(
                        "at", "idx", "pos", "idx_"
                    )
                    shared[kind, number] = name
                    table.setdefault(statement, []).append(
                        c_ast.Assignment("=", c_ast.ID(name), element.subscript)
                    )
                else:
                    name = unit.fresh("at", "idx", "pos", "idx_")
                    table.setdefault(statement, []).append(declare(name, kind, element.subscript))
                element.subscript = c_ast.ID(name)
        put_before(function, table)
        place_at_top(function, [declare(name, kind) for (kind, _), name in shared.items()])


def changes_own(statement, expr, names):
    return any(names.changed_in(names.of(use), statement) for use in found(expr, c_ast.ID))


def constants(unit, rng, some):
    """bounds as variables that never change: `int rounds = 1000;`, `int last = n - 1;`"""
    for function in unit.functions():
        names, ahead = Names(function), {}
        top = set(arguments_of(function))
        for loop in found(function.body, c_ast.For):
            header = Header(loop, names)
            if (
                not header.decl
                or kinds.of(header.bound, names) not in INTEGERS
                or not is_plain_sum(header.bound, names)
                or not all(
                    names.of(use) in top and not names.changed_in(names.of(use), function.body)
                    for use in found(header.bound, c_ast.ID)
                )
                or isinstance(header.bound, c_ast.ID)
                and rng.random() < 0.5
                or not some()
            ):
                continue
            key = (kinds.of(header.bound, names), text_of(header.bound))
            if key not in ahead:
                ahead[key] = declare(
                    unit.fresh("count", "size", "bound", "size_"), key[0], header.bound
                )
            loop.cond.right = c_ast.ID(ahead[key].name)
        place_at_top(function, list(ahead.values()))


def arguments_of(function):
    arguments = function.decl.type.args
    return arguments.params if arguments else []


def parens(unit, rng, some):
    """parentheses that change nothing: `a[(i)]`, `(i + 1) < (n)`, `x = (y);`"""
    for function in unit.functions():
        wrap_values(function, some, rng, lambda expr: Paren(expr))


def casts(unit, rng, some):
    """casts to the type that a value has: `a[(int)i]`, `i < (long)n`, `x = (double)(y + z);`"""
    for function in unit.functions():
        names = Names(function)

        def cast(expr):
            kind = kinds.of(expr, names)
            return (
                c_ast.Cast(c_ast.Typename(None, [], None, kinds.type_node(kind)), expr)
                if kind in VALUES
                else expr
            )

        wrap_values(function, some, rng, cast)


def wrap_values(function, some, rng, wrapped):
    """Wraps subscripts, values and operands of sums; of a condition the right side, as an iterator
    stands left."""
    for node in list(walk(function.body)):
        if isinstance(node, c_ast.ArrayRef) and some():
            node.subscript = wrapped(node.subscript)
        elif isinstance(node, c_ast.Assignment) and some():
            node.rvalue = wrapped(node.rvalue)
        elif isinstance(node, c_ast.BinaryOp) and some():
            side = rng.choice(["left", "right"]) if node.op in "+-*/" else "right"
            setattr(node, side, wrapped(getattr(node, side)))


def typedefs(unit, rng, some):
    """typedefs for the types of elements and of iterators"""
    words = {
        "double": ["DATA_TYPE", "real_t"],
        "float": ["DATA_TYPE", "real_t"],
        "int": ["index_t", "num_t"],
        "long": ["index_t", "num_t"],
        "unsigned": ["word_t", "bits_t"],
    }
    made = {}
    for function in unit.functions():
        own = {}
        for node in walk(function):
            if (
                not isinstance(node, (c_ast.Decl, c_ast.Typename))
                or isinstance(node.type, c_ast.FuncDecl)
                and node is not function.decl
            ):
                continue
            inner = node
            while not isinstance(
                inner, (c_ast.IdentifierType, c_ast.Struct, c_ast.Union, c_ast.Enum)
            ):
                inner = inner.type
            if (
                not isinstance(inner, c_ast.IdentifierType)
                or isinstance(node, c_ast.Decl)
                and node is function.decl
            ):
                continue
            kind = kinds.base_of(inner)
            if kind in words and own.setdefault(kind, some()):
                if kind not in made:
                    made[kind] = unit.fresh(*words[kind])
                    unit.ahead.insert(0, f"typedef {kind} {made[kind]};")
                inner.names = [made[kind]]


def braces(unit, rng, some):
    """blocks around single statements, or none around them"""
    for function in unit.functions():
        for node in walk(function.body):
            slots = {
                c_ast.For: ["stmt"],
                c_ast.While: ["stmt"],
                c_ast.If: ["iftrue", "iffalse"],
            }.get(type(node), [])
            for slot in slots:
                body = getattr(node, slot)
                if body is None or not some():
                    continue
                if not isinstance(body, c_ast.Compound):
                    setattr(node, slot, c_ast.Compound([body]))
                elif (
                    len(body.block_items or []) == 1
                    and not found(body, c_ast.If, c_ast.Pragma, c_ast.Label)
                    and not isinstance(body.block_items[0], (c_ast.Decl, Lines))
                    and rng.random() < 0.7
                ):
                    setattr(node, slot, body.block_items[0])


def ifdefs(unit, rng, some):
    """`#ifdef X … #endif` around pragmas, and pragmas that no compiler reads"""
    name = unit.fresh("SERIAL", "NO_PRAGMAS")
    for function in unit.functions():
        for items in blocks_of(function):
            for at in range(len(items) - 1, -1, -1):
                if isinstance(items[at], c_ast.Pragma) and some():
                    items[at : at + 1] = [Lines(f"#ifndef {name}"), items[at], Lines("#endif")]
                    if rng.random() < 0.3:
                        items[at:at] = [
                            Lines(f"#ifdef {name}"),
                            c_ast.Pragma("omp parallel for"),
                            Lines("#endif"),
                        ]


def shadows(unit, rng, some):
    """local names that hide those of other variables or of functions; variables of the file named
    like local ones"""
    everywhere = [node.decl.name for node in unit.functions() if node.decl.name != "main"]
    for function in unit.functions():
        for decl in list(Names(function).decls):
            names = Names(function)
            scope = names.scope.get(decl)
            if (
                not isinstance(scope, (c_ast.For, c_ast.Compound))
                or scope is function.body
                or decl.storage
                or not some()
            ):
                continue
            taken = names.names_below(scope)
            free = [
                other
                for other in everywhere + [each.name for each in names.decls]
                if other not in taken
            ]
            if free:
                names.rename(decl, rng.choice(free))
    declared = {
        node.name
        for node in walk(unit.tree)
        if isinstance(node, (c_ast.Decl, c_ast.Typedef)) and node.name
    }
    local = {decl.name for function in unit.functions() for decl in Names(function).decls}
    outside = {
        node.name for node in unit.tree.ext if isinstance(node, (c_ast.Decl, c_ast.Typedef))
    } | set(everywhere)
    free = {name for function in unit.functions() for name in Names(function).free}
    for name in sorted(local & declared - outside - free - set(WORDS)):
        if some() and rng.random() < 0.5 and not re.search(rf"\b{name}\b", "\n".join(unit.ahead)):
            unit.ahead.append(f"double {name} = 3;")
