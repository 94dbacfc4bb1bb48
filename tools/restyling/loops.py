"""Styles of loops: where iterators are declared, and how headers are written."""

import copy

from pycparser import c_ast

from restyling import kinds
from restyling.scopes import Names, change, declarations_of, declarator, found, parts, walk
from restyling.unit import Joined

INTEGERS = ("int", "long", "short")


def number(value):
    return c_ast.Constant("int", str(value))


def binary(op, left, right):
    return c_ast.BinaryOp(op, left, right)


def identifier(decl):
    return c_ast.ID(decl.name)


class Header:
    """A `for` that counts: iterator, start, comparison, bound, step. `decl` is None where the loop
    is of another form."""

    def __init__(self, loop, names):
        self.loop, self.decl = loop, None
        init, cond, step = loop.init, loop.cond, loop.next
        if (
            isinstance(init, c_ast.DeclList)
            and len(init.decls) == 1
            and init.decls[0].init is not None
        ):
            decl, self.start, self.is_own = init.decls[0], init.decls[0].init, True
        elif (
            isinstance(init, c_ast.Assignment)
            and init.op == "="
            and names.of(init.lvalue) is not None
        ):
            decl, self.start, self.is_own = names.of(init.lvalue), init.rvalue, False
        else:
            return
        if (
            not isinstance(cond, c_ast.BinaryOp)
            or names.of(cond.left) is not decl
            or cond.op not in ("<", "<=", ">", ">=", "!=")
        ):
            return
        self.op, self.bound = cond.op, cond.right
        self.step = step_of(step, decl, names)
        if self.step and kinds.of_decl(decl) in [(kind, 0) for kind in INTEGERS]:
            self.decl = decl

    def counts_alone(self, names):
        """Does nothing but the header change the iterator, and nothing the bound?"""
        return (
            not names.changed_in(self.decl, self.loop.stmt)
            and names.is_steady(self.bound, self.loop.stmt)
            and self.decl not in [names.of(node) for node in found(self.bound, c_ast.ID)]
        )


def step_of(step, decl, names):
    if isinstance(step, c_ast.UnaryOp) and names.of(step.expr) is decl:
        return {"p++": 1, "++": 1, "p--": -1, "--": -1}.get(step.op)
    if (
        isinstance(step, c_ast.Assignment)
        and names.of(step.lvalue) is decl
        and isinstance(step.rvalue, c_ast.Constant)
        and step.rvalue.value.isdigit()
    ):
        return {"+=": 1, "-=": -1}.get(step.op, 0) * int(step.rvalue.value)
    return None


def headers(function, names):
    return [
        header
        for header in (Header(loop, names) for loop in found(function.body, c_ast.For))
        if header.decl
    ]


def place_at_top(function, decls):
    function.body.block_items = decls + (function.body.block_items or [])


def declare(name, kind, init=None):
    return c_ast.Decl(
        name,
        [],
        [],
        [],
        [],
        c_ast.TypeDecl(name, [], None, c_ast.IdentifierType(kind.split())),
        init,
        None,
    )


def own_iterators(function, names):
    """Loops that declare their iterator alone, with that declaration."""
    pairs = []
    for loop in found(function.body, c_ast.For):
        init = loop.init
        if (
            isinstance(init, c_ast.DeclList)
            and len(init.decls) == 1
            and init.decls[0].init is not None
        ):
            decl = init.decls[0]
            if (
                isinstance(decl.type, c_ast.TypeDecl)
                and kinds.of_decl(decl)
                and not decl.quals
                and not declarator(decl).quals
            ):
                pairs.append((loop, decl))
    return pairs


def is_taken(name, names, own):
    """Is the name declared by others than the iterators of `own`, or one of the file's that the
    function speaks of?"""
    return name in names.free or any(decl.name == name and decl not in own for decl in names.decls)


def share(unit, function, pairs, names, wanted):
    """Declares iterators at the function's top: loops of one wanted name and type share one, unless
    one is in the other."""
    inside = {loop: set(found(loop, c_ast.For)) for loop, _ in pairs}
    own = [decl for _, decl in pairs]
    shared = []  # (name, type, loops, declarations)
    for loop, decl in pairs:
        kind = kinds.of_decl(decl)[0]
        for name, other, loops, decls in shared:
            if (
                other == kind
                and wanted(loop, decl) == name
                and not any(loop in inside[each] or each in inside[loop] for each in loops)
            ):
                loops.append(loop)
                decls.append(decl)
                break
        else:
            shared.append((wanted(loop, decl), kind, [loop], [decl]))
    ahead, taken = [], set()
    for name, kind, loops, decls in shared:
        if name in taken or is_taken(name, names, own):
            name = unit.fresh(name, name + "_")
        taken.add(name)
        unit.names.add(name)
        for loop, decl in zip(loops, decls):
            names.rename(decl, name)
            loop.init = c_ast.Assignment("=", c_ast.ID(name), decl.init)
        ahead.append(declare(name, kind))
    place_at_top(function, ahead)


def ahead(unit, rng, some):
    """iterators at the function's top, shared by loops of one name"""
    for function in unit.functions():
        names = Names(function)
        pairs = [pair for pair in own_iterators(function, names) if some()]
        share(unit, function, pairs, names, lambda loop, decl: decl.name)


def reuse(unit, rng, some):
    """one iterator at the function's top for all loops of one depth, whatever they were named"""
    for function in unit.functions():
        names = Names(function)
        pairs = [pair for pair in own_iterators(function, names) if some()]
        depth = {
            loop: sum(loop in found(other, c_ast.For) for other, _ in pairs) for loop, _ in pairs
        }
        share(unit, function, pairs, names, lambda loop, decl: "ijklpqrs"[min(depth[loop] - 1, 7)])


def is_plain_sum(expr, names):
    return all(
        isinstance(node, (c_ast.ID, c_ast.Constant, c_ast.BinaryOp)) for node in walk(expr)
    ) and kinds.is_signed(expr, names)


def inclusive(unit, rng, some):
    """`i <= n - 1` for `i < n`, and the other way round"""
    for function in unit.functions():
        names = Names(function)
        for header in headers(function, names):
            if not is_plain_sum(header.bound, names) or header.op == "!=" or not some():
                continue
            op, shift = {"<": ("<=", "-"), "<=": ("<", "+"), ">": (">=", "+"), ">=": (">", "-")}[
                header.op
            ]
            header.loop.cond = binary(op, header.loop.cond.left, shifted(header.bound, shift))


def shifted(expr, sign):
    """expr + 1 or expr - 1, without a number that undoes one."""
    if isinstance(expr, c_ast.Constant) and expr.value.isdigit():
        value = int(expr.value) + (1 if sign == "+" else -1)
        return number(value) if value >= 0 else c_ast.UnaryOp("-", number(-value))
    if (
        isinstance(expr, c_ast.BinaryOp)
        and expr.op in "+-"
        and isinstance(expr.right, c_ast.Constant)
        and expr.right.value == "1"
        and expr.op != sign
    ):
        return expr.left
    return binary(sign, expr, number(1))


def is_at_most(start, header, names, known):
    """Is start <= bound wherever the loop begins? Numbers; an iterator that is at least a number;
    the extent of an array."""
    if not isinstance(start, c_ast.Constant) or not start.value.isdigit():
        return (
            isinstance(start, c_ast.ID)
            and isinstance(header.bound, c_ast.BinaryOp)
            and header.bound.op == "+"
            and isinstance(header.bound.left, c_ast.ID)
            and names.of(header.bound.left) is names.of(start)
            and isinstance(header.bound.right, c_ast.Constant)
            and names.of(start) is not None
        )
    bound = header.bound
    if isinstance(bound, c_ast.Constant) and bound.value.isdigit():
        return int(start.value) <= int(bound.value)
    return isinstance(bound, c_ast.ID) and known.get(names.of(bound), -1) >= int(start.value)


def least_values(function, names):
    """Variables of which it is known that they are at least so much: extents of parameters 0,
    iterators their start."""
    known = {}
    arguments = function.decl.type.args
    for parameter in arguments.params if arguments else []:
        for array in found(parameter.type, c_ast.ArrayDecl) if hasattr(parameter, "type") else []:
            if (
                isinstance(array.dim, c_ast.ID)
                and names.of(array.dim) is not None
                and not names.changed_in(names.of(array.dim), function.body)
            ):
                known[names.of(array.dim)] = 0
    for header in headers(function, names):
        if (
            header.is_own
            and header.step > 0
            and isinstance(header.start, c_ast.Constant)
            and header.start.value.isdigit()
            and not names.changed_in(header.decl, header.loop.stmt)
        ):
            known[header.decl] = int(header.start.value)
    return known


def unequal(unit, rng, some):
    """`i != n` for `i < n`, where the loop begins at or below n; behind `if (start <= n)` where
    nothing says so"""
    for function in unit.functions():
        names = Names(function)
        known = least_values(function, names)
        guarded, behind = {}, marked(function)
        for header in headers(function, names):
            if header.op != "<" or header.step != 1 or not header.counts_alone(names) or not some():
                continue
            if is_at_most(header.start, header, names, known):
                header.loop.cond.op = "!="
            elif (
                rng.random() < 0.3
                and header.loop not in behind
                and header.is_own  # others may read what the loop starts with
                and names.is_steady(header.start, header.loop.stmt)
                and kinds.is_signed(header.start, names)
                and kinds.is_signed(header.bound, names)
                and not names_below(header.start, header.decl, names)
            ):
                header.loop.cond.op = "!="
                guarded[header.loop] = binary(
                    "<=", copy.deepcopy(header.start), copy.deepcopy(header.bound)
                )
        change(
            function, lambda node: c_ast.If(guarded[node], node, None) if node in guarded else None
        )


def marked(function):
    """Loops behind a pragma, which speaks of a `for` that stands next to it."""
    return {
        behind
        for items in blocks_of(function)
        for one, behind in zip(items, items[1:])
        if isinstance(one, c_ast.Pragma)
    }


def names_below(expr, decl, names):
    return decl in [names.of(node) for node in found(expr, c_ast.ID)]


def mirrored(unit, rng, some):
    """`n > i` for `i < n`"""
    for function in unit.functions():
        for header in headers(function, Names(function)):
            if some():
                cond = header.loop.cond
                op = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}[cond.op]
                header.loop.cond = binary(op, cond.right, cond.left)


def down(unit, rng, some):
    """`for (k = n - 1; k >= 0; k--)` over the index n - 1 - k: the order stays"""
    for function in unit.functions():
        names = Names(function)
        for header in reversed(headers(function, names)):
            if (
                header.op != "<"
                or header.step != 1
                or not header.is_own
                or not header.counts_alone(names)
                or not isinstance(header.start, c_ast.Constant)
                or not header.start.value.isdigit()
                or not is_plain_sum(header.bound, names)
                or is_addressed(header.decl, names)
                or not some()
            ):
                continue
            reverse(header, names)
            names = Names(function)


def is_addressed(decl, names):
    return names.changed_in(decl, c_ast.EmptyStatement())


def reverse(header, names):
    low, bound, decl = int(header.start.value), header.bound, header.decl
    last = shifted(copy.deepcopy(bound), "-")
    total = binary("+", copy.deepcopy(last), number(low)) if low else last
    uses = {use for use in names.uses[decl]}

    def other(node):
        return binary("-", copy.deepcopy(total), c_ast.ID(decl.name)) if node in uses else None

    wrapper = c_ast.Compound([header.loop.stmt])
    change(wrapper, other)
    header.loop.stmt = wrapper.block_items[0]
    header.loop.init.decls[0].init = last
    header.loop.cond = binary(">=", c_ast.ID(decl.name), number(low))
    header.loop.next = c_ast.UnaryOp("p--", c_ast.ID(decl.name))


def step(unit, rng, some):
    """`i += 1`, `++i`, `i = i + 1`"""
    for function in unit.functions():
        names = Names(function)
        for node in found(function.body, c_ast.For):
            header = Header(node, names)
            if not header.decl or not some():
                continue
            name, by = header.decl.name, abs(header.step)
            sign = "+" if header.step > 0 else "-"
            forms = [
                c_ast.Assignment(sign + "=", c_ast.ID(name), number(by)),
                c_ast.Assignment("=", c_ast.ID(name), binary(sign, c_ast.ID(name), number(by))),
            ]
            if by == 1:
                forms += [
                    c_ast.UnaryOp(sign * 2, c_ast.ID(name)),
                    c_ast.UnaryOp("p" + sign * 2, c_ast.ID(name)),
                ]
            node.next = rng.choice(forms)


def left_steps(unit, rng, some):
    """`i = 1 + i`"""
    for function in unit.functions():
        names = Names(function)
        for node in found(function.body, c_ast.For):
            header = Header(node, names)
            if header.decl and header.step > 0 and some():
                name = header.decl.name
                sum_ = binary("+", number(header.step), c_ast.ID(name))
                node.next = c_ast.Assignment("=", c_ast.ID(name), sum_)


def has_continue(node):
    """Has the body a `continue` of its own loop?"""
    for child, _ in parts(node):
        if (
            isinstance(child, c_ast.Continue)
            or not isinstance(child, (c_ast.For, c_ast.While, c_ast.DoWhile))
            and has_continue(child)
        ):
            return True
    return isinstance(node, c_ast.Continue)


def whiles(unit, rng, some):
    """`i = 0; while (i < n) { …; i++; }`"""
    for function in unit.functions():
        names = Names(function)
        chosen, behind = {}, marked(function)
        for loop in found(function.body, c_ast.For):
            if (
                Header(loop, names).decl
                and loop not in behind
                and not has_continue(loop.stmt)
                and not found(loop.stmt, c_ast.Goto, c_ast.Label)
                and some()
            ):
                chosen[loop] = True
        change(function, lambda node: while_of(node) if node in chosen else None)
        for items in blocks_of(function):
            spliced(items)


def blocks_of(function):
    return [
        node.block_items
        for node in walk(function.body)
        if isinstance(node, c_ast.Compound) and node.block_items
    ]


def labels(unit, rng, some):
    """labels at loops that nothing jumps to, as for synthesis: `loop_1: for …`"""
    for function in unit.functions():
        behind, name = marked(function), unit.fresh("loop", "loop_")
        chosen = [
            node
            for node in walk(function.body)
            if isinstance(node, (c_ast.For, c_ast.While)) and node not in behind and some()
        ]
        numbers = {node: f"{name}_{k}" for k, node in enumerate(chosen)}
        change(
            function,
            lambda node: c_ast.Label(numbers[node], node) if node in numbers else None,
        )


def while_of(loop):
    first = loop.init.decls if isinstance(loop.init, c_ast.DeclList) else [loop.init]
    body = loop.stmt.block_items or [] if isinstance(loop.stmt, c_ast.Compound) else [loop.stmt]
    return c_ast.Compound([*first, c_ast.While(loop.cond, c_ast.Compound([*body, loop.next]))])


def spliced(items):
    """Puts blocks that hold an assignment and its loop among the statements around them."""
    at = 0
    while at < len(items):
        inner = items[at].block_items if isinstance(items[at], c_ast.Compound) else None
        if (
            inner
            and len(inner) == 2
            and isinstance(inner[0], c_ast.Assignment)
            and isinstance(inner[1], c_ast.While)
        ):
            items[at : at + 1] = inner
        at += 1


def commas(unit, rng, some):
    """`for (s = 0, i = 0; …)`: an assignment before a loop in its header; a bound named there"""
    for function in unit.functions():
        names = Names(function)
        for items in blocks_of(function):
            for at in range(len(items) - 1, 0, -1):
                loop, before = items[at], items[at - 1]
                if (
                    isinstance(loop, c_ast.For)
                    and isinstance(loop.init, c_ast.Assignment)
                    and isinstance(before, c_ast.Assignment)
                    and some()
                ):
                    loop.init = c_ast.ExprList([before, loop.init])
                    del items[at - 1]
        for header in headers(function, names):
            if (
                header.is_own
                and header.counts_alone(names)
                and not isinstance(header.bound, c_ast.Constant)
                and some()
                and kinds.of(header.bound, names) == kinds.of_decl(header.decl)[0]
                and rng.random() < 0.5
            ):
                last = unit.fresh("end", "last", "stop")
                header.loop.init.decls.append(
                    declare(last, kinds.of_decl(header.decl)[0], header.bound)
                )
                header.loop.cond.right = c_ast.ID(last)


def declarators(unit, rng, some):
    """several declarators in one declaration"""
    for function in unit.functions():
        for items in blocks_of(function):
            at = 1
            while at < len(items):
                if (
                    declarations_of(items[at - 1])
                    and isinstance(items[at], c_ast.Decl)
                    and is_alike(declarations_of(items[at - 1])[0], items[at])
                    and some()
                ):
                    items[at - 1 : at + 1] = [Joined(declarations_of(items[at - 1]) + [items[at]])]
                else:
                    at += 1


def is_alike(first, second):
    """May both stand in one declaration?"""
    kinds = (c_ast.Enum, c_ast.Struct, c_ast.Union)
    if isinstance(first.type, kinds) or isinstance(second.type, kinds):
        return False
    one, two = declarator(first), declarator(second)
    return (
        isinstance(one.type, c_ast.IdentifierType)
        and isinstance(two.type, c_ast.IdentifierType)
        and one.type.names == two.type.names
        and sorted(one.quals) == sorted(two.quals)
        and first.storage == second.storage
        and not isinstance(first.type, c_ast.FuncDecl)
        and not isinstance(second.type, c_ast.FuncDecl)
        and first.name
        and second.name
    )
