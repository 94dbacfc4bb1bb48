"""Is the result of a quantifier elimination equivalent to its question? At sample points of the free variables (small integers
and fractions, and the rational zeros of atoms along lines through them, where results err first) the result is evaluated
exactly and the question, with the point put in, is decided by an oracle (z3, then QEPCAD). Out: counts of points that
agree, disagree, are undecided; the points that disagree. Deterministic: the generator is seeded by the file's name."""
from fractions import Fraction
import random
import exact
import smtlib
import terms


def substitute(term, values):
    if isinstance(term, list):
        return [term[0]] + [substitute(t, values) for t in term[1:]] if term[0] not in ("exists", "forall") else \
            [term[0], term[1], substitute(term[2], values)]
    return literal(values[term]) if term in values else term


def literal(q):
    size = str(abs(q.numerator)) if q.denominator == 1 else ["/", str(abs(q.numerator)), str(q.denominator)]
    return size if q >= 0 else ["-", size]


def all_atoms(term, sorts):
    try:
        return [a[1] for a in terms.atoms(terms.formula(term, sorts))]
    except smtlib.Unsupported:
        return []


def rational_roots(p, name, point):
    """Zeros of p along the line of `name` through the point that are small fractions."""
    dense = {}
    for monomial, c in p.items():
        e = 0
        for n, k in monomial:
            if n == name:
                e = k
            elif n in point:
                c *= point[n] ** k
            else:
                return []
        dense[e] = dense.get(e, 0) + c
    candidates = [Fraction(a, b) for b in (1, 2, 3, 4) for a in range(-12, 13)]
    if max(dense, default=0) == 1 and dense[1]:
        candidates.append(-dense.get(0, Fraction(0)) / dense[1])
    return [x for x in candidates if sum(c * x ** e for e, c in dense.items()) == 0] if any(dense.values()) else []


def points(free, polynomials, seed, count):
    """`count` points; half of them on zeros of the polynomials where such are found."""
    generator, found = random.Random(seed), []
    grid = [Fraction(a, b) for b in (1, 1, 1, 2, 3) for a in range(-4, 5)]
    for i in range(20 * count):
        point = {n: generator.choice(grid) for n in free}
        if i % 2 and free and polynomials:
            name = generator.choice(free)
            zeros = rational_roots(generator.choice(polynomials), name, point)
            if zeros:
                point[name] = generator.choice(zeros)
        if point not in found:
            found.append(point)
        if len(found) == count:
            break
    return found


def check(question, result, oracles, seed, count, limits):
    """(agree, disagree, undecided, list of disagreeing points). `oracles`: solvers asked one after another until one knows."""
    whole = smtlib.conjunction(question.assertions)
    free = [n for n, sort in question.sorts.items() if sort == "Real"]
    polynomials = all_atoms(whole, question.sorts) + all_atoms(result, question.sorts)
    agree = undecided = 0
    bad = []
    for point in points(free, polynomials, seed, count):
        ours, _ = exact.holds([result], point)
        theirs = truth(substitute(whole, point), oracles, limits)
        if ours is None or theirs is None:
            undecided += 1
        elif ours == theirs:
            agree += 1
        else:
            bad.append({n: str(v) for n, v in point.items()})
    return agree, len(bad), undecided, bad


def truth(term, oracles, limits):
    import tempfile
    question = smtlib.Question("check", {}, [term], None)
    value, _ = exact.holds([term], {})
    if value is not None:
        return value
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as f:
        f.write("(set-logic NRA)\n(assert %s)\n(check-sat)\n" % smtlib.text_of(term))
        f.flush()
        for oracle in oracles:
            answer = oracle.run(f.name, [question], limits).answers[0]
            if answer in ("sat", "unsat"):
                return answer == "sat"
    return None
