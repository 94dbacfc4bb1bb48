"""Which declaration each identifier of a function means, and what changes a variable.

`Names(function)` is true until a style changes declarations or copies uses; styles make it anew.
"""

from pycparser import c_ast

from restyling.unit import Joined


def parts(node):
    """The children of a node as (child, replace): `replace(other)` puts another node in its
    place."""
    for slot in node.__slots__:
        value = getattr(node, slot, None) if slot not in ("coord", "__weakref__") else None
        if isinstance(value, c_ast.Node):
            yield value, lambda other, slot=slot: setattr(node, slot, other)
        elif isinstance(value, list):
            for i, item in enumerate(value):
                if isinstance(item, c_ast.Node):
                    yield item, lambda other, value=value, i=i: value.__setitem__(i, other)


def walk(node):
    """The node and all below it, parents first."""
    yield node
    for child, _ in list(parts(node)):
        yield from walk(child)


def found(node, *kinds):
    return [each for each in walk(node) if isinstance(each, kinds)]


def change(node, function):
    """Puts function(child) in the place of each node below, the deepest first; None leaves it."""
    for child, replace in list(parts(node)):
        change(child, function)
        other = function(child)
        if other is not None:
            replace(other)


def blocks(function):
    """All lists of statements of a function."""
    return [
        node.block_items
        for node in walk(function.body)
        if isinstance(node, c_ast.Compound) and node.block_items
    ]


def declarator(decl):
    """The innermost TypeDecl, which has the name once more."""
    node = decl.type
    while not isinstance(node, c_ast.TypeDecl):
        node = node.type
    return node


class Names:
    def __init__(self, function):
        self.function = function
        self.decls, self.scope, self.meaning, self.uses, self.free = [], {}, {}, {}, {}
        self.stack, self.owners = [{}], [function]
        arguments = function.decl.type.args
        for parameter in arguments.params if arguments else []:
            self.visit(parameter)
        self.visit(function.body)
        self.changes = {}  # assignments, steps and addresses by variable
        for each in found(function.body, c_ast.Assignment, c_ast.UnaryOp):
            target = each.lvalue if isinstance(each, c_ast.Assignment) else each.expr
            if isinstance(each, c_ast.Assignment) or each.op in ("&", "++", "--", "p++", "p--"):
                self.changes.setdefault(self.of(target), set()).add(each)

    def visit(self, node):
        method = getattr(self, "visit_" + type(node).__name__, None)
        if method:
            method(node)
        else:
            for child, _ in parts(node):
                self.visit(child)

    def within(self, node):
        self.stack.append({})
        self.owners.append(node)
        for child, _ in parts(node):
            self.visit(child)
        self.stack.pop()
        self.owners.pop()

    visit_Compound = visit_For = within

    def visit_Decl(self, decl):
        self.visit(decl.type)
        if decl.name:
            self.stack[-1][decl.name] = decl
            self.decls.append(decl)
            self.scope[decl] = self.owners[-1]
            self.uses[decl] = []
        if decl.init is not None:
            self.visit(decl.init)

    def visit_ID(self, node):
        for names in reversed(self.stack):
            if node.name in names:
                self.meaning[node] = names[node.name]
                self.uses[names[node.name]].append(node)
                return
        self.free.setdefault(node.name, []).append(node)

    def visit_StructRef(self, node):
        self.visit(node.name)

    def visit_NamedInitializer(self, node):
        self.visit(node.expr)

    def visit_Struct(self, node):
        pass

    visit_Union = visit_FuncDecl = visit_Struct

    def visit_Enum(self, node):
        for item in node.values.enumerators if node.values else []:
            self.free.setdefault(item.name, [])

    def visit_Typedef(self, node):
        self.visit(node.type)
        self.free.setdefault(node.name, [])

    def rename(self, decl, name):
        decl.name = declarator(decl).declname = name
        for use in self.uses[decl]:
            use.name = name

    def names_below(self, node):
        """All identifiers below a node: declared, used or free."""
        return {each.name for each in walk(node) if isinstance(each, (c_ast.ID, c_ast.Decl))}

    def of(self, node):
        return self.meaning.get(node)

    def changed_in(self, decl, node):
        """May the variable change while the node runs? Also where its address is taken anywhere."""
        changes = self.changes.get(decl, ())
        if decl is None or not changes:
            return decl is None
        if any(each.op == "&" for each in changes):
            return True
        return any(each in changes for each in walk(node))

    def is_steady(self, expr, node):
        """Does the expression speak of nothing but numbers and local variables that do not change
        while the node runs?"""
        for each in walk(expr):
            if isinstance(each, c_ast.ID):
                if self.changed_in(self.of(each), node):
                    return False
            elif (
                not isinstance(each, (c_ast.Constant, c_ast.BinaryOp, c_ast.UnaryOp))
                or isinstance(each, c_ast.UnaryOp)
                and each.op not in ("-", "+")
            ):
                return False
        return True


def declarations_of(statement):
    """The declarations that a statement of a block makes."""
    if isinstance(statement, Joined):
        return statement.decls
    return [statement] if isinstance(statement, c_ast.Decl) else []
