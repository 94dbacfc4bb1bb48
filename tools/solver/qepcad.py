"""QEPCAD B as a peer: a question as its input, its output as an answer. The formula is made prenex; variables of one block are
ordered by Brown's heuristic (last those of lowest degree, then of lowest total degree, then of fewest terms, since QEPCAD
eliminates from the end); for a check-sat everything free is bound by exists. What QEPCAD has no language for (integers,
division by terms) is Unsupported. A warning that the projection may be incomplete voids the answer."""
from fractions import Fraction
import math
import re
import smtlib
import terms


def brown(names, polynomials):
    def weight(name):
        with_it = [m for p in polynomials for m in p if any(n == name for n, _ in m)]
        degree = max((dict(m)[name] for m in with_it), default=0)
        return degree, max((sum(e for _, e in m) for m in with_it), default=0), len(with_it)
    return sorted(names, key=weight, reverse=True)


def polynomial_text(p, code):
    scale = math.lcm(*[c.denominator for c in p.values()])
    parts = []
    for monomial, c in sorted(p.items(), reverse=True):
        c = int(c * scale)
        powers = " ".join(code[n] if e == 1 else "%s^%d" % (code[n], e) for n, e in monomial)
        size = str(abs(c)) if abs(c) != 1 or not monomial else ""
        parts.append(("- " if c < 0 else "+ ") + (size + " " + powers).strip())
    text = " ".join(parts)
    return text[2:] if text.startswith("+ ") else text


def formula_text(f, code):
    if f[0] == "atom":
        if terms.is_constant(f[1]):
            value = f[1].get((), Fraction(0))
            good = {"=": value == 0, "!=": value != 0, "<": value < 0, "<=": value <= 0, ">": value > 0, ">=": value >= 0}[f[2]]
            return "0 = 0" if good else "0 = 1"
        return "%s %s 0" % (polynomial_text(f[1], code), {"!=": "/="}.get(f[2], f[2]))
    if f[0] in ("true", "false"):
        return "0 = 0" if f[0] == "true" else "0 = 1"
    if len(f) == 2:
        return formula_text(f[1], code)
    return "[ " + (" /\\ " if f[0] == "and" else " \\/ ").join(formula_text(g, code) for g in f[1:]) + " ]"


class Translation:
    """text: QEPCAD's input; back: its names to the question's."""

    def __init__(self, question):
        if any(s not in ("Real", "Bool") for s in question.sorts.values()):
            raise smtlib.Unsupported("sorts other than Real and Bool")
        f = terms.formula(smtlib.conjunction(question.assertions), question.sorts)
        prefix, matrix = terms.prenex(f)
        polynomials = [a[1] for a in terms.atoms(matrix)]
        used = set().union(*map(terms.names, polynomials)) if polynomials else set()
        free = [n for n in question.sorts if n in used]
        if question.kind == "check" and free:
            prefix, free = [("exists", free)] + prefix, []
        blocks = []
        for kind, names in prefix:
            names = [n for n in names if n in used]
            if blocks and blocks[-1][0] == kind:
                blocks[-1][1].extend(names)
            elif names:
                blocks.append((kind, list(names)))
        order = brown(free, polynomials)
        quantified = [(kind, n) for kind, names in blocks for n in brown(names, polynomials)]
        everything = order + [n for _, n in quantified]
        if not everything:
            raise smtlib.Unsupported("no variables")
        code = {n: "v%d" % i for i, n in enumerate(everything)}
        self.back = {v: k for k, v in code.items()}
        quantifiers = "".join("(%s %s)" % ("E" if kind == "exists" else "A", code[n]) for kind, n in quantified)
        self.text = "[ question ]\n(%s)\n%d\n%s[ %s ].\nfinish\n" % (
            ",".join(code[n] for n in everything), len(order), quantifiers, formula_text(matrix, code))


TOKEN = re.compile(r"\s*(/\\|\\/|<==>|==>|<==|/=|<=|>=|[A-Za-z]\w*|\d+|[\[\]()<>=~+\-*^])")


class Reader:
    """QEPCAD's formula language, as it prints results, to SMT-LIB terms."""

    def __init__(self, text, back):
        self.tokens, self.at, self.back, position = [], 0, back, 0
        text = text.strip()
        while position < len(text):
            match = TOKEN.match(text, position)
            if not match:
                raise smtlib.Unsupported("QEPCAD output: " + text[position:position + 20])
            self.tokens.append(match.group(1))
            position = match.end()

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def disjunction(self):
        parts = [self.conjunction()]
        while self.peek() == "\\/":
            self.take()
            parts.append(self.conjunction())
        return parts[0] if len(parts) == 1 else ["or"] + parts

    def conjunction(self):
        parts = [self.literal()]
        while self.peek() == "/\\":
            self.take()
            parts.append(self.literal())
        return parts[0] if len(parts) == 1 else ["and"] + parts

    def literal(self):
        token = self.peek()
        if token in ("TRUE", "FALSE"):
            return self.take().lower()
        if token == "~":
            self.take()
            return ["not", self.literal()]
        if token == "[":
            self.take()
            inner = self.disjunction()
            if self.take() != "]":
                raise smtlib.Unsupported("QEPCAD output: ] expected")
            return inner
        left = self.sum()
        relation, right = self.take(), self.sum()
        return ["not", ["=", left, right]] if relation == "/=" else [relation, left, right]

    def sum(self):
        sign = "+"
        if self.peek() in ("+", "-"):
            sign = self.take()
        result = self.product() if sign == "+" else ["-", self.product()]
        while self.peek() in ("+", "-"):
            head = self.take()
            result = [head, result, self.product()]
        return result

    def product(self):
        parts = [self.power()]
        while self.peek() and (self.peek()[0].isalnum() or self.peek() == "(") or self.peek() == "*":
            if self.peek() == "*":
                self.take()
            parts.append(self.power())
        return parts[0] if len(parts) == 1 else ["*"] + parts

    def power(self):
        token = self.take()
        if token == "(":
            base = self.sum()
            self.take()
        else:
            base = self.back.get(token, token)
        if self.peek() == "^":
            self.take()
            return ["*"] + [base] * int(self.take())
        return base


def result_of(out, back):
    """The term that QEPCAD found, or None with a reason: (term, reason)."""
    if re.search(r"Delineating polynomial|not well.oriented|may not be", out):
        return None, "projection may be incomplete"
    match = re.search(r"An equivalent quantifier-free formula:\s*(.*?)\s*=====", out, re.S)
    if not match:
        match = re.search(r"Reason for the failure: *(.*)|(Error[^\n]*)", out)
        return None, match.group(0).strip() if match else "no formula"
    return Reader(match.group(1), back).disjunction(), ""
