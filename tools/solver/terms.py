"""Terms of SMT-LIB as quotients of polynomials, exactly. In: expanded terms (smtlib.py). Out: polynomials as dictionaries from
monomials, sorted tuples of (name, exponent), to non-zero fractions; formulas whose atoms are ('atom', polynomial, relation) with a
relation to zero of = != < <= > >=. Invariant: no zero coefficients; equality of polynomials is equality of dictionaries."""
from fractions import Fraction
from smtlib import Unsupported

TERM_LIMIT = 20000
NEGATED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
TURNED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def constant(value):
    return {(): Fraction(value)} if value else {}


def variable(name):
    return {((name, 1),): Fraction(1)}


def add(p, q, factor=1):
    """p + factor * q."""
    result = dict(p)
    for monomial, c in q.items():
        value = result.get(monomial, 0) + factor * c
        if value:
            result[monomial] = value
        else:
            result.pop(monomial, None)
    return result


def monomial_times(a, b):
    exponents = dict(a)
    for name, e in b:
        exponents[name] = exponents.get(name, 0) + e
    return tuple(sorted(exponents.items()))


def multiply(p, q):
    if len(p) * len(q) > TERM_LIMIT:
        raise Unsupported("polynomial too long")
    result = {}
    for m, c in p.items():
        for n, d in q.items():
            key = monomial_times(m, n)
            value = result.get(key, 0) + c * d
            if value:
                result[key] = value
            else:
                result.pop(key, None)
    return result


def is_constant(p):
    return not p or (len(p) == 1 and () in p)


def names(p):
    return {name for monomial in p for name, _ in monomial}


def number(text):
    """A numeral or decimal; None for anything else."""
    try:
        return Fraction(text) if text[0].isdigit() else None
    except ValueError:
        return None


def quotient(term):
    """(numerator, denominator) of an arithmetic term; its variables are symbols. Unsupported for ite, Int division, …"""
    if isinstance(term, str):
        value = number(term)
        return (constant(value) if value is not None else variable(term)), constant(1)
    head, parts = term[0], [quotient(t) for t in term[1:]]
    if head in ("to_real",):
        return parts[0]
    if head == "^" or head == "**":
        p, q = parts
        exponent = p and is_constant(q[0]) and q[1] == constant(1) and q[0].get((), 0)
        if not (isinstance(exponent, (int, Fraction)) and Fraction(exponent).denominator == 1 and 0 <= exponent <= 64):
            raise Unsupported("power")
        result = (constant(1), constant(1))
        for _ in range(int(exponent)):
            result = (multiply(result[0], p[0]), multiply(result[1], p[1]))
        return result
    if head == "-" and len(parts) == 1:
        return add({}, parts[0][0], -1), parts[0][1]
    if head not in ("+", "-", "*", "/"):
        raise Unsupported("function " + str(head))
    result = parts[0]
    for p in parts[1:]:
        if head == "*":
            result = (multiply(result[0], p[0]), multiply(result[1], p[1]))
        elif head == "/":
            if not is_constant(p[0]) or not p[0] or not is_constant(p[1]):
                raise Unsupported("division by a term that is no constant")
            result = (multiply(result[0], p[1]), multiply(result[1], p[0]))
        elif result[1] == p[1]:
            result = (add(result[0], p[0], 1 if head == "+" else -1), result[1])
        else:
            result = (add(multiply(result[0], p[1]), multiply(p[0], result[1]), 1 if head == "+" else -1),
                      multiply(result[1], p[1]))
    return result


def polynomial(term):
    p, q = quotient(term)
    if not is_constant(q) or not q:
        raise Unsupported("not a polynomial")
    return {m: c / q[()] for m, c in p.items()}


def lift(term):
    """ite inside an arithmetic term comes out: [(condition terms, term without ite)...], the conditions exclude each other."""
    if isinstance(term, str):
        return [([], term)]
    if term[0] == "ite":
        return ([([term[1]] + cs, t) for cs, t in lift(term[2])] +
                [([["not", term[1]]] + cs, t) for cs, t in lift(term[3])])
    cases = [([], [term[0]])]
    for part in term[1:]:
        cases = [(cs + ds, t + [u]) for cs, t in cases for ds, u in lift(part)]
        if len(cases) > 64:
            raise Unsupported("too many ite")
    return cases


def formula(term, sorts, positive=True):
    """Negation normal form: ('true',) ('false',) ('atom', p, relation) ('and', …) ('or', …) ('exists', [names], f) ('forall', …).
    `sorts`: by name; a Bool variable b is the atom b > 0."""
    if isinstance(term, str):
        if term in ("true", "false"):
            return ("true",) if (term == "true") == positive else ("false",)
        if sorts.get(term) != "Bool":
            raise Unsupported("symbol " + term)
        return ("atom", variable(term), ">" if positive else "<=")
    head, rest = term[0], term[1:]
    if head == "not":
        return formula(rest[0], sorts, not positive)
    if head in ("and", "or"):
        return ((head if positive else {"and": "or", "or": "and"}[head]),) + tuple(formula(t, sorts, positive) for t in rest)
    if head == "=>":
        last = rest[-1] if len(rest) == 2 else ["=>"] + rest[1:]
        return formula(["or", ["not", rest[0]], last], sorts, positive)
    if head == "xor":
        a, b = rest[0], rest[1] if len(rest) == 2 else ["xor"] + rest[1:]
        return formula(["or", ["and", a, ["not", b]], ["and", ["not", a], b]], sorts, positive)
    if head == "ite":
        return formula(["or", ["and", rest[0], rest[1]], ["and", ["not", rest[0]], rest[2]]], sorts, positive)
    if head in ("exists", "forall"):
        inner = dict(sorts)
        inner.update((name, sort) for name, sort in rest[0])
        if any(sort not in ("Real", "Bool") for _, sort in rest[0]):
            raise Unsupported("bound variable that is not real")
        kind = head if positive else {"exists": "forall", "forall": "exists"}[head]
        return (kind, [name for name, _ in rest[0]], formula(rest[1], inner, positive))
    return relation_formula(head, rest, sorts, positive)


def is_boolean(term, sorts):
    if isinstance(term, str):
        return term in ("true", "false") or sorts.get(term) == "Bool"
    if term[0] == "ite":
        return is_boolean(term[2], sorts)
    return term[0] in ("not", "and", "or", "=>", "xor", "exists", "forall", "=", "<", "<=", ">", ">=", "distinct")


def relation_formula(head, rest, sorts, positive):
    if head not in ("=", "<", "<=", ">", ">=", "distinct"):
        raise Unsupported("predicate " + str(head))
    if is_boolean(rest[0], sorts):
        if len(rest) != 2:
            raise Unsupported("chain of Boolean equalities")
        return formula(["xor"] + rest, sorts, positive == (head == "distinct"))
    if head == "distinct":
        pairs = [(a, b, "!=") for i, a in enumerate(rest) for b in rest[i + 1:]]
    else:
        pairs = [(a, b, head) for a, b in zip(rest, rest[1:])]
    parts = tuple(atom(a, b, relation, sorts, positive) for a, b, relation in pairs)
    return parts[0] if len(parts) == 1 else ("and" if positive else "or",) + parts


def atom(left, right, relation, sorts, positive):
    cases = lift(["-", left, right])
    if len(cases) > 1:
        parts = []
        for conditions, term in cases:
            parts.append(("and",) + tuple(formula(c, sorts) for c in conditions) +
                         (("atom", polynomial(term), relation if positive else NEGATED[relation]),))
        return ("or",) + tuple(parts)
    return ("atom", polynomial(cases[0][1]), relation if positive else NEGATED[relation])


def prenex(f):
    """([('exists' or 'forall', [names])...], matrix) of a formula whose bound names are unique."""
    if f[0] in ("exists", "forall"):
        prefix, matrix = prenex(f[2])
        return [(f[0], list(f[1]))] + prefix, matrix
    if f[0] not in ("and", "or"):
        return [], f
    prefixes, parts = [], []
    for g in f[1:]:
        prefix, matrix = prenex(g)
        prefixes.append(prefix)
        parts.append(matrix)
    merged = []
    while any(prefixes):
        first = next(p[0][0] for p in prefixes if p)
        block = []
        for p in prefixes:
            while p and p[0][0] == first:
                block += p.pop(0)[1]
        merged.append((first, block))
    return merged, (f[0],) + tuple(parts)


def atoms(f):
    if f[0] == "atom":
        yield f
    elif f[0] in ("and", "or"):
        for g in f[1:]:
            yield from atoms(g)
    elif f[0] in ("exists", "forall"):
        yield from atoms(f[2])
