"""Types of expressions, as far as styles need them: an arithmetic type's name and how many
subscripts it takes to reach it."""

from pycparser import c_ast

from restyling.scopes import declarator
from restyling.unit import Paren

ORDER = ["int", "unsigned", "long", "unsigned long", "float", "double"]
SMALL = ("char", "short", "signed char", "unsigned char", "unsigned short", "_Bool", "bool")
NAMES = {
    "unsigned int": "unsigned",
    "long int": "long",
    "long unsigned": "unsigned long",
    "short int": "short",
    "long unsigned int": "unsigned long",
    "unsigned long int": "unsigned long",
    "size_t": "unsigned long",
    "long long": "long long",
    "signed": "int",
    "int signed": "int",
    "signed int": "int",
}
FUNCTIONS = {
    name: "double"
    for name in ("sqrt", "exp", "fabs", "pow", "sin", "cos", "log", "floor", "ceil", "fmax", "fmin")
}
FUNCTIONS.update({name + "f": "float" for name in list(FUNCTIONS)})


def base_of(node):
    if isinstance(node, c_ast.IdentifierType):
        name = " ".join(node.names)
        return NAMES.get(name, name)
    return None


def of_decl(decl):
    """(arithmetic type, depth) of a declaration; None for structures, functions and the like."""
    node, depth = decl.type, 0
    while isinstance(node, (c_ast.ArrayDecl, c_ast.PtrDecl)):
        node, depth = node.type, depth + 1
    if not isinstance(node, c_ast.TypeDecl):
        return None
    base = base_of(node.type)
    return (base, depth) if base in ORDER or base in SMALL else None


def is_const(decl):
    return "const" in declarator(decl).quals


def constant(node):
    if node.type in ("int", "long int", "unsigned int", "unsigned long int"):
        return NAMES.get(node.type, node.type)
    return node.type if node.type in ("double", "float") else None


def joined(left, right):
    left, right = ("int" if kind in SMALL else kind for kind in (left, right))
    if left not in ORDER or right not in ORDER:
        return None
    return ORDER[max(ORDER.index(left), ORDER.index(right))]


def of(expr, names):
    """The arithmetic type of an expression's value, None if it is not known. Integers below int
    stay as they are declared."""
    found = full(expr, names)
    return found[0] if found and found[1] == 0 else None


def full(expr, names):
    if isinstance(expr, Paren):
        return full(expr.expr, names)
    if isinstance(expr, c_ast.Constant):
        return (constant(expr), 0) if constant(expr) else None
    if isinstance(expr, c_ast.ID):
        decl = names.of(expr)
        return of_decl(decl) if decl is not None else None
    if isinstance(expr, c_ast.ArrayRef):
        inner = full(expr.name, names)
        return (inner[0], inner[1] - 1) if inner and inner[1] > 0 else None
    if isinstance(expr, c_ast.BinaryOp):
        if expr.op in ("<", ">", "<=", ">=", "==", "!=", "&&", "||"):
            return ("int", 0)
        if expr.op in ("<<", ">>"):
            left = of(expr.left, names)
            return (joined(left, "int"), 0) if left else None
        kind = joined(of(expr.left, names), of(expr.right, names))
        return (kind, 0) if kind else None
    if isinstance(expr, c_ast.UnaryOp) and expr.op in ("-", "+", "~"):
        kind = joined(of(expr.expr, names), "int")
        return (kind, 0) if kind else None
    if isinstance(expr, c_ast.Cast):
        node = expr.to_type.type
        base = base_of(node.type) if isinstance(node, c_ast.TypeDecl) else None
        return (base, 0) if base in ORDER or base in SMALL else None
    if (
        isinstance(expr, c_ast.FuncCall)
        and isinstance(expr.name, c_ast.ID)
        and names.of(expr.name) is None
    ):
        kind = FUNCTIONS.get(expr.name.name)
        return (kind, 0) if kind else None
    return None


def is_signed(expr, names):
    return of(expr, names) in ("int", "long", "short")


def type_node(name, quals=()):
    """The type `name` as a declaration of no name has it."""
    return c_ast.TypeDecl(None, list(quals), None, c_ast.IdentifierType(name.split()))
