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


def candidates(free, polynomials, seed, count):
    """Points without end; every second on a zero of the polynomials where one is found, half of them positive."""
    generator = random.Random(seed)
    grid = [Fraction(a, b) for b in (1, 1, 1, 2, 3) for a in range(-4, 5)]
    positive = [q for q in grid if q > 0]
    for i in range(count):
        point = {n: generator.choice(positive if i % 4 < 2 else grid) for n in free}
        if i % 2 and free and polynomials:
            name = generator.choice(free)
            zeros = rational_roots(generator.choice(polynomials), name, point)
            if zeros:
                point[name] = generator.choice(zeros)
        yield point


def models(term, free, oracles, seed, count, limits):
    """Points where the term is true, from an oracle's models in random boxes (those that are rational)."""
    generator, found = random.Random(seed), []
    for oracle in oracles:
        if not hasattr(oracle, "models"):
            continue
        for _ in range(2 * count):
            box = []
            for name in free:
                low = generator.randint(-6, 4)
                box += [["<", literal(Fraction(low)), name], ["<", name, literal(Fraction(low + generator.randint(1, 6)))]]
            question = smtlib.Question("check", {n: "Real" for n in free}, [term] + box[:2 * generator.randint(0, len(free))], None)
            text = "".join("(declare-fun %s () Real)\n" % smtlib.text_of(n) for n in free) + \
                "".join("(assert %s)\n" % smtlib.text_of(t) for t in question.assertions) + "(check-sat)\n"
            point = oracle.models(text, [question], limits)[0]
            if point is not None and point not in found:
                found.append(point)
            if len(found) == count:
                return found
    return found


def points(free, polynomials, result, seed, count, oracles, limits):
    """`count` different points, as far as possible half of them where the result is true, half where it is false."""
    found, seen = {True: [], False: [], None: []}, set()
    for point in candidates(free, polynomials, seed, 40 * count):
        key = tuple(sorted(point.items()))
        if key not in seen:
            seen.add(key)
            truth, _ = exact.holds([result], point)
            if len(found[truth]) < count:
                found[truth].append(point)
        if min(len(found[True]), len(found[False])) >= count // 2:
            break
    for truth in (True, False):
        if free and len(found[truth]) < count // 2:
            term = result if truth else ["not", result]
            more = models(term, free, oracles, seed, count // 2 - len(found[truth]), limits)
            found[truth] += [p for p in more if tuple(sorted(p.items())) not in seen]
    few, many = sorted([found[True], found[False]], key=len)
    few = few[:count // 2]
    return few + many[:count - len(few)]


def check(question, result, oracles, seed, count, limits):
    """Counts of points by what is found (agree, disagree, undecided; of those that agree, true), and the points that disagree.
    `oracles`: solvers asked one after another until one knows."""
    whole = smtlib.conjunction(question.assertions)
    free = [n for n, sort in question.sorts.items() if sort == "Real"]
    polynomials = all_atoms(whole, question.sorts) + all_atoms(result, question.sorts)
    counts = {"agree": 0, "true": 0, "disagree": 0, "undecided": 0, "points": []}
    for point in points(free, polynomials, result, seed, count, oracles, limits):
        ours, _ = exact.holds([result], point)
        theirs = truth(substitute(whole, point), oracles, limits)
        if ours is None or theirs is None:
            counts["undecided"] += 1
        elif ours == theirs:
            counts["agree"] += 1
            counts["true"] += ours
        else:
            counts["disagree"] += 1
            counts["points"].append({n: str(v) for n, v in point.items()})
    return counts


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
