"""A file of plain C as a tree that styles change: read by gcc -E and pycparser, printed again.

Headers of the system are not read: their includes are kept as lines, what they define stays a name
(so that `sqrt` is a function and `M_PI` a variable of no known type), and the types that they name
are declared ahead of the text. Comments and the macros of the file itself are lost. Invariant:
`names` holds every identifier of the text, so that `fresh` never meets one."""

import os
import re
import subprocess
import tempfile

from pycparser import c_ast, c_generator, c_parser

TYPES = ["size_t", "ptrdiff_t", "FILE", "bool", "va_list", "ssize_t", "clock_t", "time_t"]
TYPES += [f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)]
HEADERS = [
    "assert",
    "complex",
    "ctype",
    "errno",
    "float",
    "inttypes",
    "limits",
    "math",
    "stdbool",
    "stddef",
    "stdint",
    "stdio",
    "stdlib",
    "string",
    "time",
    "omp",
    "sys/time",
    "unistd",
]
WORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while main j0 j1 jn y0 y1 yn gamma time index signal div abs exp log pow
    sqrt sin cos tan NULL true false free malloc calloc realloc memcpy memmove memset memcmp strlen
    printf puts exit abort read write open close
""".split()


class Lines(c_ast.Node):
    """Text of the preprocessor among statements."""

    __slots__ = ("text", "coord", "__weakref__")
    attr_names = ("text",)

    def __init__(self, text):
        self.text, self.coord = text, None

    def children(self):
        return ()


class Paren(c_ast.Node):
    """An expression in parentheses of its own."""

    __slots__ = ("expr", "coord", "__weakref__")
    attr_names = ()

    def __init__(self, expr):
        self.expr, self.coord = expr, None

    def children(self):
        return (("expr", self.expr),)


class Joined(c_ast.Node):
    """Declarations of one statement, whose types differ in their declarators only."""

    __slots__ = ("decls", "coord", "__weakref__")
    attr_names = ()

    def __init__(self, decls):
        self.decls, self.coord = decls, None

    def children(self):
        return tuple((f"decls[{i}]", decl) for i, decl in enumerate(self.decls))


class Headed(c_ast.Node):
    """A loop whose header is the call of a macro."""

    __slots__ = ("head", "stmt", "coord", "__weakref__")
    attr_names = ("head",)

    def __init__(self, head, stmt):
        self.head, self.stmt, self.coord = head, stmt, None

    def children(self):
        return (("stmt", self.stmt),)


class Generator(c_generator.CGenerator):
    def visit_Lines(self, node):
        return node.text

    def visit_Paren(self, node):
        return f"({self.visit(node.expr)})"

    def visit_Joined(self, node):
        first, *rest = node.decls
        return ", ".join([self.visit(first)] + [self.declarator(decl) for decl in rest]) + ";"

    def declarator(self, decl):
        """A declaration without the words that it shares with the one before."""
        node = decl.type
        while not isinstance(node, c_ast.TypeDecl):
            node = node.type
        words = self._generate_type(
            c_ast.TypeDecl(None, node.quals, None, node.type), emit_declname=False
        ).strip()
        text = self._generate_type(decl.type)
        assert text.startswith(words)
        text = text[len(words) :].strip()
        return text + (f" = {self._visit_expr(decl.init)}" if decl.init is not None else "")

    def visit_Headed(self, node):
        return f"{node.head}\n{self._generate_stmt(node.stmt, add_indent=True).rstrip()}"


def text_of(node):
    return Generator(reduce_parentheses=True).visit(node)


class Macro:
    def __init__(self, name, parameters, body):
        self.name, self.parameters, self.body = name, parameters, body

    def text(self):
        parameters = "" if self.parameters is None else f"({', '.join(self.parameters)})"
        return f"#define {self.name}{parameters} {self.body}"


class Unit:
    def __init__(self, path, flags=()):
        text, self.includes = preprocessed(path, flags)
        prelude = "".join(
            f"typedef int {name};\n"
            for name in TYPES
            if not re.search(rf"typedef[^;{{}}]*\b{name}\s*;", text)
        )
        self.tree = c_parser.CParser().parse(prelude + text, path)
        self.tree.ext = self.tree.ext[prelude.count("\n") :]
        self.macros = []
        self.ahead = []  # typedefs and declarations of the file, ahead of its text
        self.names = set(re.findall(r"[A-Za-z_]\w*", text)) | set(WORDS) | set(TYPES)

    def functions(self):
        return [node for node in self.tree.ext if isinstance(node, c_ast.FuncDef)]

    def fresh(self, *wanted):
        """The first of the names that the text has not, or the last one with a number."""
        number = 0
        for name in wanted:
            if name not in self.names:
                break
        while name in self.names:
            number += 1
            name = f"{wanted[-1]}{number}"
        self.names.add(name)
        return name

    def define(self, name, parameters, body):
        """A macro under a fresh name, or the one that is equal but for its name."""
        for macro in self.macros:
            if macro.parameters == parameters and macro.body == body:
                return macro.name
        macro = Macro(self.fresh(name), parameters, body)
        self.macros.append(macro)
        return macro.name

    def text(self):
        parts = [f"#include {name}" for name in self.includes] + [
            macro.text() for macro in self.macros
        ]
        return "\n".join(parts + self.ahead + [text_of(self.tree)])


def preprocessed(path, flags):
    """The text without its comments, macros and headers of the system, and what it includes of
    those, each once."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "sys"))
        for name in HEADERS:
            open(os.path.join(folder, name + ".h"), "w").close()
        command = [
            "gcc",
            "-E",
            "-dI",
            "-nostdinc",
            "-undef",
            "-D__STDC_VERSION__=201112L",
            "-isystem",
            folder,
            *flags,
            path,
        ]
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode:
            raise ValueError(done.stderr)
    includes = list(dict.fromkeys(re.findall(r"^#include +(<[^>]+>)", done.stdout, re.M)))
    lines = [line for line in done.stdout.splitlines() if not re.match(r"#(include\b| \d)", line)]
    text = "\n".join(lines)
    return (
        re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|__extension__", "", text),
        includes,
    )
