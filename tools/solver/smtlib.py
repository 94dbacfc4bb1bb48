"""SMT-LIB 2 scripts as data. In: text. Out: Script, a list of Question objects, one per check-sat (or apply): the sorts of
what is declared and the assertions in force, with let and define-fun expanded; numerals, decimals and true/false stay strings.
Terms are strings or lists [head, argument...]; binders are ['exists', [[name, sort]...], body]. Invariant: a term that comes out
contains no let, no annotation and no defined name; bound names are unique in the script."""
import re

TOKEN = re.compile(r'\s+|;[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()";|]+')


class Unsupported(Exception):
    """The script uses something that this reader does not know."""


def read(text):
    """All s-expressions of a text; an unclosed one is closed at the end (answers may be cut off)."""
    stack, position = [[]], 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            raise Unsupported("character %r" % text[position])
        token, position = match.group(), match.end()
        if token[0].isspace() or token[0] == ";":
            continue
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1:
                raise Unsupported("closing parenthesis too many")
            closed = stack.pop()
            stack[-1].append(closed)
        else:
            stack[-1].append(token[1:-1] if token[0] == "|" else token)
    while len(stack) > 1:
        closed = stack.pop()
        stack[-1].append(closed)
    return stack[0]


def text_of(term):
    """A term as SMT-LIB text; names that are no simple symbols are quoted."""
    if isinstance(term, list):
        return "(" + " ".join(text_of(t) for t in term) + ")"
    if re.fullmatch(r'[A-Za-z0-9~!@$%^&*_+=<>.?/:-]+|".*"', term, re.S):
        return term
    return "|" + term + "|"


class Question:
    """What one check-sat (kind 'check') or one apply (kind 'eliminate') asks."""

    def __init__(self, kind, sorts, assertions, status):
        self.kind, self.sorts, self.assertions, self.status = kind, sorts, assertions, status


class Script:
    def __init__(self, text):
        self.questions, self.fresh = [], 0
        self.sorts, self.definitions, self.assertions, self.levels = {}, {}, [], []
        self.status = None
        for command in read(text):
            if isinstance(command, list) and command:
                self.command(command)

    def command(self, command):
        name = command[0]
        if name in ("declare-fun", "declare-const"):
            if name == "declare-fun" and command[2]:
                raise Unsupported("function " + command[1])
            self.sorts[command[1]] = command[-1]
        elif name == "define-fun":
            self.definitions[command[1]] = ([p[0] for p in command[2]], command[4])
        elif name == "assert":
            self.assertions.append(self.expand(command[1], {}))
        elif name == "push":
            for _ in range(int(command[1]) if len(command) > 1 else 1):
                self.levels.append((dict(self.sorts), dict(self.definitions), list(self.assertions)))
        elif name == "pop":
            for _ in range(int(command[1]) if len(command) > 1 else 1):
                self.sorts, self.definitions, self.assertions = self.levels.pop()
        elif name in ("reset", "reset-assertions"):
            self.assertions, self.levels = [], []
            if name == "reset":
                self.sorts, self.definitions = {}, {}
        elif name == "set-info" and command[1] == ":status":
            self.status = command[2]
        elif name in ("check-sat", "check-sat-using", "check-sat-assuming"):
            if name == "check-sat-assuming":
                raise Unsupported(name)
            self.ask("check")
        elif name == "apply" and command[1] == "qe":
            self.ask("eliminate")
        elif name in ("declare-sort", "define-sort", "declare-datatypes", "define-fun-rec"):
            raise Unsupported(name)

    def ask(self, kind):
        self.questions.append(Question(kind, dict(self.sorts), list(self.assertions), self.status))
        self.status = None

    def expand(self, term, scope):
        """`scope`: what let and binders have given a name to."""
        if isinstance(term, str):
            if term in scope:
                return scope[term]
            if term in self.definitions:
                return self.expand(self.definitions[term][1], {})
            return term
        head = term[0]
        if head == "let":
            inner = dict(scope)
            inner.update((name, self.expand(value, scope)) for name, value in term[1])
            return self.expand(term[2], inner)
        if head == "!":
            return self.expand(term[1], scope)
        if head in ("exists", "forall"):
            inner, bound = dict(scope), []
            for name, sort in term[1]:
                self.fresh += 1
                inner[name] = "%s!%d" % (name, self.fresh)
                bound.append([inner[name], sort])
            return [head, bound, self.expand(term[2], inner)]
        arguments = [self.expand(t, scope) for t in term[1:]]
        if isinstance(head, str) and head in self.definitions:
            parameters, body = self.definitions[head]
            return self.expand(body, dict(zip(parameters, arguments)))
        return [head] + arguments


def conjunction(assertions):
    return "true" if not assertions else assertions[0] if len(assertions) == 1 else ["and"] + assertions


def expected(text, count):
    """Answers that a file's `; EXPECT:` comments or its status commands declare: a list of `count`, None where unknown."""
    said = re.findall(r"^; EXPECT: (\w+)", text, re.M)
    if len(said) == count:
        return [a if a in ("sat", "unsat") else None for a in said]
    return None
