"""Truth of terms at points, exactly. In: expanded terms and a point: by name a Fraction, a bool or a Root. Out: True, False, or
None where it cannot be told here: a quantifier, or a polynomial in several algebraic coordinates that is zero to 400 bits (it is
then very likely zero, and nothing is claimed). The value of x/0 is the model's to choose (one per x, SMT-LIB): True if some
choice among the point's own coordinates, 0 and 1 makes it so, else None. All else is exact: rational
coordinates are substituted, a polynomial in one algebraic coordinate is compared by its greatest common divisor with the
coordinate's polynomial, signs come from intervals with rational ends. Source: the definition of the language, nothing more."""
from fractions import Fraction
import math
import smtlib
import terms

BITS = 400


def poly_eval(coefficients, x):
    """Coefficients from the constant one upwards."""
    value = Fraction(0)
    for c in reversed(coefficients):
        value = value * x + c
    return value


def trim(p):
    while p and p[-1] == 0:
        p.pop()
    return p


def remainder(a, b):
    a = list(a)
    while len(a) >= len(b):
        factor = a[-1] / b[-1]
        for i in range(len(b)):
            a[len(a) - len(b) + i] -= factor * b[i]
        a.pop()
        trim(a)
    return a


def gcd(a, b):
    a, b = trim(list(a)), trim(list(b))
    while b:
        a, b = b, remainder(a, b)
    return a


def derivative(p):
    return [i * c for i, c in enumerate(p)][1:]


def variations(signs):
    signs = [s for s in signs if s]
    return sum(1 for a, b in zip(signs, signs[1:]) if (a > 0) != (b > 0))


def roots_between(p, lo, hi):
    """Number of distinct real roots of p in (lo, hi], by Sturm's chain."""
    chain = [trim(list(p)), trim(derivative(p))]
    while chain[-1]:
        chain.append([-c for c in remainder(chain[-2], chain[-1])])
    chain.pop()
    return variations([poly_eval(q, lo) for q in chain]) - variations([poly_eval(q, hi) for q in chain])


class Root:
    """The only root of a polynomial in [lo, hi], lo < hi."""

    def __init__(self, coefficients, lo, hi):
        common = gcd(coefficients, derivative(coefficients))
        p = list(map(Fraction, coefficients))
        if len(common) > 1:
            p = self.divide(p, common)
        self.p, self.lo, self.hi = p, Fraction(lo), Fraction(hi)
        self.valid = roots_between(p, self.lo, self.hi) + (poly_eval(p, self.lo) == 0) == 1

    @staticmethod
    def divide(a, b):
        a, result = list(a), []
        while len(a) >= len(b):
            factor = a[-1] / b[-1]
            result.append(factor)
            for i in range(len(b)):
                a[len(a) - len(b) + i] -= factor * b[i]
            a.pop()
        return result[::-1]

    def refine(self, bits):
        if poly_eval(self.p, self.lo) == 0:
            self.hi = self.lo
        at_lo = poly_eval(self.p, self.lo)
        while self.hi - self.lo > Fraction(1, 1 << bits):
            middle = (self.lo + self.hi) / 2
            value = poly_eval(self.p, middle)
            if value == 0:
                self.lo = self.hi = middle
            elif (value > 0) == (at_lo > 0):
                self.lo = middle
            else:
                self.hi = middle


def interval_power(lo, hi, n):
    a, b = lo ** n, hi ** n
    if n % 2 == 0 and lo < 0 < hi:
        return Fraction(0), max(a, b)
    return min(a, b), max(a, b)


def interval_of(p, point):
    low = high = Fraction(0)
    for monomial, c in p.items():
        lo = hi = c
        for name, e in monomial:
            a, b = interval_power(point[name].lo, point[name].hi, e)
            products = (lo * a, lo * b, hi * a, hi * b)
            lo, hi = min(products), max(products)
        low, high = low + lo, high + hi
    return low, high


def sign(p, point):
    """-1, 0, 1 of a polynomial whose names are Roots of the point; None if zero to BITS bits but not known to be."""
    if terms.is_constant(p):
        value = p.get((), 0)
        return (value > 0) - (value < 0)
    used = terms.names(p)
    if len(used) == 1:
        (name,) = used
        dense = [Fraction(0)] * (1 + max((m[0][1] if m else 0) for m in p))
        for m, c in p.items():
            dense[m[0][1] if m else 0] = c
        root = point[name]
        common = gcd(root.p, dense)
        if len(common) > 1 and roots_between(common, root.lo, root.hi) + (poly_eval(common, root.lo) == 0):
            return 0
    bits = 32
    while bits <= BITS or len(used) == 1:
        for name in used:
            point[name].refine(bits)
        lo, hi = interval_of(p, point)
        if lo > 0 or hi < 0 or lo == hi == 0:
            return (lo > 0) - (hi < 0)
        bits *= 2
    return None


ZERO = "value of x/0 by x"


class Unclear(Exception):
    """The value is not fixed or not decided here."""


class Choice(Exception):
    """The value of this dividend by zero has not been chosen."""

    def __init__(self, dividend):
        super().__init__(dividend)
        self.dividend = dividend


def arithmetic(term, point):
    """(numerator, denominator) polynomials in the algebraic coordinates."""
    if isinstance(term, str):
        value = terms.number(term)
        if value is None:
            value = point[term]
            if isinstance(value, Root):
                return terms.variable(term), terms.constant(1)
        return terms.constant(value), terms.constant(1)
    head = term[0]
    if head == "ite":
        return arithmetic(term[2] if truth(term[1], point) else term[3], point)
    parts = [arithmetic(t, point) for t in term[1:]]
    if head in ("div", "mod", "to_int", "abs"):
        return integer_function(head, parts, point)
    if head == "to_real":
        return parts[0]
    if head in ("^", "**"):
        return power(parts, point)
    if head == "-" and len(parts) == 1:
        return terms.add({}, parts[0][0], -1), parts[0][1]
    if head not in ("+", "-", "*", "/"):
        raise Unclear("function %s" % head)
    result = parts[0]
    for p in parts[1:]:
        result = combine(head, result, p, point)
    return result


def combine(head, a, b, point):
    if head == "*":
        return terms.multiply(a[0], b[0]), terms.multiply(a[1], b[1])
    if head == "/":
        by = sign(b[0], point)
        if by is None:
            raise Unclear("division by what is zero to %d bits" % BITS)
        if by == 0:
            return divided_by_zero(rational(a), point)
        return terms.multiply(a[0], b[1]), terms.multiply(a[1], b[0])
    factor = 1 if head == "+" else -1
    if a[1] == b[1]:
        return terms.add(a[0], b[0], factor), a[1]
    return terms.add(terms.multiply(a[0], b[1]), terms.multiply(b[0], a[1]), factor), terms.multiply(a[1], b[1])


def divided_by_zero(dividend, point):
    if ZERO not in point:
        raise Unclear("division by zero")
    if dividend not in point[ZERO]:
        raise Choice(dividend)
    return terms.constant(point[ZERO][dividend]), terms.constant(1)


def rational(quotient):
    if not all(map(terms.is_constant, quotient)):
        raise Unclear("integer function of an algebraic number")
    return quotient[0].get((), Fraction(0)) / quotient[1][()]


def power(parts, point):
    exponent = rational(parts[1])
    if exponent.denominator != 1 or not 0 <= exponent <= 1000:
        raise Unclear("power")
    result = (terms.constant(1), terms.constant(1))
    for _ in range(int(exponent)):
        result = combine("*", result, parts[0], point)
    return result


def integer_function(head, parts, point):
    values = [rational(p) for p in parts]
    if head == "to_int":
        value = math.floor(values[0])
    elif head == "abs":
        value = abs(values[0])
    else:
        if values[1] == 0:
            raise Unclear("division by zero")
        quotient = math.floor(values[0] / values[1]) if values[1] > 0 else math.ceil(values[0] / values[1])
        value = quotient if head == "div" else values[0] - values[1] * quotient
    return terms.constant(value), terms.constant(1)


def compare(left, right, point):
    """Sign of left - right."""
    p, q = combine("-", arithmetic(left, point), arithmetic(right, point), point)
    signs = sign(p, point), sign(q, point)
    if None in signs:
        raise Unclear("zero to %d bits" % BITS)
    return signs[0] * signs[1]


RELATIONS = {"=": lambda s: s == 0, "<": lambda s: s < 0, "<=": lambda s: s <= 0, ">": lambda s: s > 0, ">=": lambda s: s >= 0}


def is_boolean(term, point):
    if isinstance(term, str):
        return term in ("true", "false") or isinstance(point.get(term), bool)
    return is_boolean(term[2], point) if term[0] == "ite" else terms.is_boolean(term, {})


def truth(term, point):
    """True or False; Unclear is raised only if the value depends on what is unclear."""
    if isinstance(term, str):
        return {"true": True, "false": False}[term] if term in ("true", "false") else point[term]
    head, rest = term[0], term[1:]
    if head == "not":
        return not truth(rest[0], point)
    if head in ("and", "or"):
        return connective(rest, point, head == "or")
    if head == "=>":
        return connective([["not", t] for t in rest[:-1]] + [rest[-1]], point, True)
    if head == "xor":
        return sum(truth(t, point) for t in rest) % 2 == 1
    if head == "ite":
        return truth(rest[1] if truth(rest[0], point) else rest[2], point)
    if head in RELATIONS or head == "distinct":
        if is_boolean(rest[0], point):
            values = [truth(t, point) for t in rest]
            return len(set(values)) == 1 if head == "=" else len(set(values)) == len(values)
        if head == "distinct":
            return all(compare(a, b, point) for i, a in enumerate(rest) for b in rest[i + 1:])
        return all(RELATIONS[head](compare(a, b, point)) for a, b in zip(rest, rest[1:]))
    raise Unclear("predicate %s" % head)


def connective(parts, point, disjunction):
    unclear = None
    for t in parts:
        try:
            if truth(t, point) == disjunction:
                return disjunction
        except Unclear as e:
            unclear = e
    if unclear:
        raise unclear
    return not disjunction


def holds(assertions, point):
    """True, False, or None with the reason: (value, reason). A name without a value makes it None."""
    chosen = point.get(ZERO, {})
    try:
        return connective(assertions, {**point, ZERO: chosen}, False), ""
    except Choice as e:
        candidates = {v for v in point.values() if isinstance(v, Fraction)} | {Fraction(0), Fraction(1)}
        for value in sorted(candidates) if len(chosen) < 2 else []:
            if holds(assertions, {**point, ZERO: {**chosen, e.dividend: value}})[0]:
                return True, ""
        return None, "division by zero"
    except Unclear as e:
        return None, str(e)
    except KeyError as e:
        return None, "no value for %s" % e


def sorts_hold(sorts, point):
    """Are the values of integer variables integers?"""
    return all(not (sort == "Int" and isinstance(point.get(name), (Fraction, Root))) or
               (isinstance(point[name], Fraction) and point[name].denominator == 1) for name, sort in sorts.items())


def univariate(text):
    """Coefficients, from the constant one, of a polynomial in x as the solver prints it: sums of c*x^n."""
    import re
    result = {}
    for part_sign, part in re.findall(r"([+-]?)\s*([^\s+-]+)", text):
        c, n = Fraction(1), 0
        for factor in part.split("*"):
            if factor.startswith("x"):
                n += int(factor[2:]) if "^" in factor else 1
            else:
                c *= Fraction(factor)
        result[n] = result.get(n, 0) + (-c if part_sign == "-" else c)
    return [result.get(i, Fraction(0)) for i in range(max(result) + 1)]


def number_of(value):
    """A certificate's NUMBER: a rational, or (root "polynomial" lo hi)."""
    if isinstance(value, str):
        return Fraction(value)
    root = Root(univariate(value[1].strip('"')), Fraction(value[2]), Fraction(value[3]))
    if not root.valid:
        raise ValueError("not the only root in its interval: " + smtlib.text_of(value))
    return root


def points_of_certificate(text, questions):
    """One entry per certificate: a point for (sat …) with Bool variables as Booleans, None for others."""
    points = []
    for entry, question in zip(smtlib.read(text), questions):
        if not entry or entry[0] != "sat":
            points.append(None)
            continue
        point = {name: (False if sort == "Bool" else Fraction(0)) for name, sort in question.sorts.items()}
        for name, value in entry[1:]:
            number = number_of(value)
            if question.sorts.get(name) == "Bool":
                number = number > 0
            point[name] = number
        points.append(point)
    return points
