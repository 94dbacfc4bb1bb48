"""Styles of macros: bounds, values, elements, statements and loops that the preprocessor writes.
They come last: what a macro says is text, in which no name may change behind."""

import re

from pycparser import c_ast

from restyling import kinds
from restyling.arrays import chain
from restyling.forms import statements
from restyling.loops import Header
from restyling.scopes import Names, change, found
from restyling.unit import Headed, Paren, text_of


def call(name, *arguments):
    return c_ast.FuncCall(c_ast.ID(name), c_ast.ExprList(list(arguments)))


def closed(expr):
    """The text of an expression that may stand anywhere."""
    text = text_of(expr)
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def is_loose(expr):
    """Would `v < expr` take the expression apart: a condition, a comparison, bits?"""
    return isinstance(expr, c_ast.TernaryOp) or (
        isinstance(expr, c_ast.BinaryOp) and expr.op not in ("+", "-", "*", "/", "%", "<<", ">>")
    )


def identifiers(expr):
    return list(dict.fromkeys(node.name for node in found(expr, c_ast.ID)))


def bounds(unit, rng, some):
    """bounds behind macros: `N_`, `BOUND(64, n)`, `NB` for BOUND(64, n)"""
    for function in unit.functions():
        names = Names(function)
        for loop in found(function.body, c_ast.For):
            header = Header(loop, names)
            if not header.decl or found(header.bound, c_ast.FuncCall) or not some():
                continue
            if is_loose(header.bound):  # BOUND says it as it stands
                header.bound = Paren(header.bound)
            text = closed(header.bound)
            form = rng.randint(0, 3)
            if form == 0:
                loop.cond.right = c_ast.ID(unit.define(f"N_{header.decl.name}".upper(), None, text))
            elif form == 1:
                loop.cond.right = call(
                    unit.define("BOUND", ["x", "y"], "y"), c_ast.Constant("int", "64"), header.bound
                )
            elif form == 2:
                bound = unit.define("BOUND", ["x", "y"], "y")
                loop.cond.right = c_ast.ID(
                    unit.define(
                        f"NB_{header.decl.name}".upper(),
                        None,
                        f"{bound}(64, {text_of(header.bound)})",
                    )
                )
            else:
                loop.cond.right = call(unit.define("LIMIT", ["x"], "(x)"), header.bound)


def values(unit, rng, some):
    """numbers and functions behind macros: `SCALAR_VAL(0.0)`, `SQRT_FUN(x)`"""
    for function in unit.functions():
        names = Names(function)

        def hidden(node):
            if isinstance(node, c_ast.Constant) and node.type in ("double", "float") and some():
                return call(unit.define("SCALAR_VAL", ["x"], "x"), node)
            if (
                isinstance(node, c_ast.FuncCall)
                and isinstance(node.name, c_ast.ID)
                and node.name.name in kinds.FUNCTIONS
                and names.of(node.name) is None
                and node.args
                and some()
            ):
                parameters = ["x", "y", "z"][: len(node.args.exprs)]
                macro = unit.define(
                    node.name.name.upper() + "_FUN",
                    parameters,
                    f"{node.name.name}({', '.join(parameters)})",
                )
                return c_ast.FuncCall(c_ast.ID(macro), node.args)
            return None

        change(function.body, hidden)


def numbers(unit, rng, some):
    """whole numbers above one behind names: `N_64`"""
    for function in unit.functions():

        def hidden(node):
            if (
                isinstance(node, c_ast.Constant)
                and re.fullmatch(r"[2-9]|[1-9]\d+", node.value)
                and some()
            ):
                return c_ast.ID(unit.define(f"N_{node.value}", None, node.value))
            return None

        change(function.body, hidden)


def elements(unit, rng, some):
    """elements behind macros: `AT(a, i)`, `A2(i, j)`, `A_I_J`, which name iterators"""
    for function in unit.functions():
        names = Names(function)
        inner = {node.name for node in found(function.body, c_ast.ArrayRef)}

        def hidden(node):
            base, subscripts = chain(node)
            if (
                not isinstance(node, c_ast.ArrayRef)
                or node in inner
                or not isinstance(base, c_ast.ID)
                or names.of(base) is None
                or found(node, c_ast.FuncCall, c_ast.Assignment, c_ast.Cast)
                or len(subscripts) > 3
                or not some()
            ):
                return None
            letters = ["i", "j", "k"][: len(subscripts)]
            form = rng.randint(0, 2)
            if form == 0:
                body = "a" + "".join(f"[{letter}]" for letter in letters)
                return call(
                    unit.define(f"AT{len(letters)}", ["a", *letters], body), base, *subscripts
                )
            if form == 1:
                parameters = [letter + "_" for letter in letters]
                body = base.name + "".join(f"[{letter}]" for letter in parameters)
                return call(unit.define(f"{base.name.upper()}_AT", parameters, body), *subscripts)
            return c_ast.ID(
                unit.define(
                    "_".join([base.name, *identifiers(c_ast.ExprList(subscripts))]).upper(),
                    None,
                    text_of(node),
                )
            )

        change(function.body, hidden)


def updates(unit, rng, some):
    """whole statements behind macros, with and without parameters"""
    for function in unit.functions():
        chosen = {}
        for statement in statements(function):
            if isinstance(statement, c_ast.Assignment) and some():
                chosen[statement] = True
        change(
            function.body, lambda node: update_macro(unit, rng, node) if node in chosen else None
        )


def update_macro(unit, rng, statement):
    text = text_of(statement)
    if rng.random() < 0.5:
        return c_ast.ID(unit.define("UPDATE", None, text))
    used = [
        name
        for name in identifiers(statement)
        if not any(macro.name == name for macro in unit.macros)
        and not re.search(rf"[.>]\s*{name}\b|\b{name}\s*\(", text)
    ][:3]
    parameters = [unit.fresh(name + "_", name + "__") for name in used]
    for name, parameter in zip(used, parameters):
        text = re.sub(rf"\b{name}\b", f"({parameter})", text)
    if not parameters:
        return c_ast.ID(unit.define("SET", None, text))
    return call(unit.define("SET", parameters, text), *[c_ast.ID(name) for name in used])


def loops(unit, rng, some):
    """headers of loops behind macros: `FOR(i, 0, n)`"""
    for function in unit.functions():
        names = Names(function)
        chosen = {}
        for loop in found(function.body, c_ast.For):
            header = Header(loop, names)
            if header.decl and header.op == "<" and header.step == 1 and some():
                word = f"{text_of(loop.init.decls[0].type.type)} " if header.is_own else ""
                name = unit.define(
                    "FOR" if header.is_own else "EACH",
                    ["v", "from", "to"],
                    f"for ({word}v = from; v < to; v++)",
                )
                start, bound = (
                    closed(expr) if is_loose(expr) else text_of(expr)
                    for expr in (header.start, header.bound)
                )
                chosen[loop] = f"{name}({header.decl.name}, {start}, {bound})"
        change(function, lambda node: Headed(chosen[node], node.stmt) if node in chosen else None)
