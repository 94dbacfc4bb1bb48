"""Tests of what judges the solver: each part is shown a right and a wrong case."""
import os
import sys
import unittest
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import exact      # noqa: E402
import judge      # noqa: E402
import peers      # noqa: E402
import process    # noqa: E402
import qepcad     # noqa: E402
import report     # noqa: E402
import sampling   # noqa: E402
import smtlib     # noqa: E402
import terms      # noqa: E402


def question(text):
    return smtlib.Script(text).questions[-1]


def term(text):
    return smtlib.Script("").expand(smtlib.read(text)[0], {})


class Reading(unittest.TestCase):
    def test_let_and_definitions(self):
        q = question("(declare-fun x () Real)(define-fun f ((a Real)) Real (* a a))"
                     "(assert (let ((x (+ x 1)) (y x)) (! (< (f x) y) :named n)))(check-sat)")
        self.assertEqual(smtlib.text_of(q.assertions[0]), "(< (* (+ x 1) (+ x 1)) x)")

    def test_push_pop_and_status(self):
        script = smtlib.Script("(declare-const p Bool)(push)(assert p)(set-info :status sat)(check-sat)(pop)(check-sat)")
        self.assertEqual([(len(q.assertions), q.status) for q in script.questions], [(1, "sat"), (0, None)])

    def test_bound_names_are_unique(self):
        q = question("(assert (exists ((x Real)) (and (> x 0) (forall ((x Real)) (= x x)))))(check-sat)")
        self.assertEqual(smtlib.text_of(q.assertions[0]),
                         "(exists ((x!1 Real)) (and (> x!1 0) (forall ((x!2 Real)) (= x!2 x!2))))")

    def test_quoted_names_and_comments(self):
        self.assertEqual(smtlib.read("; no\n(a |b c| \"d;\" 1.5)"), [["a", "b c", '"d;"', "1.5"]])

    def test_expected(self):
        self.assertEqual(smtlib.expected("; EXPECT: sat\n; EXPECT: unsat\n", 2), ["sat", "unsat"])
        self.assertIsNone(smtlib.expected("; EXPECT: sat\n", 2))


class Polynomials(unittest.TestCase):
    def test_arithmetic(self):
        self.assertEqual(terms.polynomial(term("(- (* (+ x y) (+ x y)) (* x x) (* 2 x y))")), {(("y", 2),): 1})
        self.assertEqual(terms.polynomial(term("(/ (- x 1.5) 3)")), {(("x", 1),): Fraction(1, 3), (): Fraction(-1, 2)})
        with self.assertRaises(smtlib.Unsupported):
            terms.polynomial(term("(/ 1 x)"))

    def test_negation_normal_form(self):
        f = terms.formula(term("(not (=> p (< x 0)))"), {"p": "Bool", "x": "Real"})
        self.assertEqual(f, ("and", ("atom", {(("p", 1),): 1}, ">"), ("atom", {(("x", 1),): 1}, ">=")))

    def test_prenex(self):
        f = terms.formula(term("(and (exists ((y Real)) (> y x)) (forall ((z Real)) (> z x)))"), {"x": "Real"})
        prefix, _ = terms.prenex(f)
        self.assertEqual(prefix, [("exists", ["y!1"]), ("forall", ["z!2"])])


class Evaluation(unittest.TestCase):
    def setUp(self):
        self.root2 = exact.Root([-2, 0, 1], 1, 2)

    def holds(self, text, **point):
        return exact.holds([term(text)], point)[0]

    def test_rational(self):
        self.assertTrue(self.holds("(= (* 2 x) 1)", x=Fraction(1, 2)))
        self.assertFalse(self.holds("(= (* 2 x) 1)", x=Fraction(1, 3)))
        self.assertTrue(self.holds("(= (mod (- 7) 3) 2)"))
        self.assertTrue(self.holds("(distinct 1 2 (ite p 3 4))", p=True))

    def test_algebraic(self):
        self.assertTrue(self.holds("(= (* x x) 2)", x=self.root2))
        self.assertTrue(self.holds("(= (* x x x x) 4)", x=self.root2))
        self.assertFalse(self.holds("(< (* x x) 2)", x=self.root2))
        self.assertTrue(self.holds("(> (+ x y) (/ 282 100))", x=self.root2, y=exact.Root([-2, 0, 1], 1, 2)))
        self.assertTrue(self.holds("(= (/ (* x x) x x) 1)", x=self.root2))

    def test_nothing_is_claimed(self):
        self.assertIsNone(self.holds("(= x y)", x=self.root2, y=exact.Root([-2, 0, 1], 1, 2)))
        self.assertIsNone(self.holds("(= (* y (/ 1 x)) 3)", x=Fraction(0), y=Fraction(7)))
        self.assertIsNone(self.holds("(forall ((z Real)) (>= (* z z) 0))"))
        self.assertTrue(self.holds("(or (= (/ 1 x) 5) (= x 0))", x=Fraction(0)))

    def test_division_by_zero_is_one_function(self):
        self.assertTrue(self.holds("(= (/ 0 x) x)", x=Fraction(0)))
        self.assertTrue(self.holds("(= (/ 2 x) y)", x=Fraction(0), y=Fraction(7)))
        self.assertIsNone(self.holds("(distinct (/ 2 x) (/ 2 (* 2 x)))", x=Fraction(0)))

    def test_root_must_be_the_only_one(self):
        self.assertFalse(exact.Root([-2, 0, 1], -2, 2).valid)
        self.assertFalse(exact.Root([-2, 0, 1], 2, 3).valid)
        self.assertTrue(exact.Root([4, 0, -4, 0, 1], 1, 2).valid)

    def test_certificates(self):
        q = question("(declare-fun x () Real)(declare-fun p () Bool)(check-sat)")
        point, = exact.points_of_certificate('(sat (x (root "x^2 - 2" 1 3/2)) (p 1))', [q])
        self.assertTrue(exact.holds([term("(and p (= (* x x) 2))")], point)[0])
        with self.assertRaises(ValueError):
            exact.points_of_certificate('(sat (x (root "x^2 - 2" -3 3)))', [q])
        self.assertEqual(exact.univariate("2*x^3 - x + 1/2"), [Fraction(1, 2), -1, 0, 2])


class Judging(unittest.TestCase):
    def test_declared(self):
        self.assertEqual(judge.verdict("sat", "sat", [], False, None), "right")
        self.assertEqual(judge.verdict("unsat", "sat", ["sat"], False, None), "wrong")
        self.assertEqual(judge.verdict("unsat", "sat", ["sat"], False, None, True), "wrong")
        self.assertEqual(judge.verdict("unsat", "sat", ["unsat"], False, None, False), "wrong")
        self.assertEqual(judge.verdict("unsat", "sat", ["unsat"], False, None, True), "right")

    def test_a_witness_beats_all(self):
        self.assertEqual(judge.verdict("sat", "unsat", ["unsat", "unsat"], False, True), "right")
        self.assertEqual(judge.verdict("unsat", "unsat", ["sat"], True, None), "wrong")
        self.assertEqual(judge.verdict("sat", "sat", ["sat"], False, False), "wrong")

    def test_two_against_one(self):
        self.assertEqual(judge.verdict("sat", None, ["unsat", "unsat"], False, None), "wrong")
        self.assertEqual(judge.verdict("unsat", None, ["unsat", "sat"], False, None), "disputed")
        self.assertEqual(judge.verdict("sat", None, ["unsat"], False, None), "disputed")
        self.assertEqual(judge.verdict("sat", None, [None, "unknown"], False, None), "alone")
        self.assertEqual(judge.verdict("unknown", "sat", ["sat"], False, None), "")


class Qepcad(unittest.TestCase):
    def test_translation(self):
        q = question("(declare-fun x () Real)(declare-fun y () Real)"
                     "(assert (exists ((z Real)) (and (= (* z z) (/ x 2)) (distinct y z))))(apply qe)")
        t = qepcad.Translation(q)
        self.assertEqual(t.back, {"v0": "x", "v1": "y", "v2": "z!1"})
        self.assertEqual(t.text, "[ question ]\n(v0,v1,v2)\n2\n(E v2)[ [ 2 v2^2 - v0 = 0 /\\ - v2 + v1 /= 0 ] ].\nfinish\n")

    def test_answer(self):
        text = "An equivalent quantifier-free formula:\n\n2 x^2 y - 3 <= 0 /\\ [ x = 0 \\/ ~[ y /= 1 ] ]\n\n\n===== The End"
        found, _ = qepcad.result_of(text, {})
        for x, y, truth in ((0, 5, True), (1, 1, True), (2, 1, False), (1, 0, False)):
            self.assertEqual(exact.holds([found], {"x": Fraction(x), "y": Fraction(y)})[0], truth)
        self.assertIsNone(qepcad.result_of("Delineating polynomial " + text, {})[0])

    def test_integers_are_refused(self):
        with self.assertRaises(smtlib.Unsupported):
            qepcad.Translation(question("(declare-fun i () Int)(assert (> i 0))(check-sat)"))


class Answers(unittest.TestCase):
    def test_goals(self):
        q = question("(declare-fun x () Real)(assert (> x 0))(apply qe)")
        self.assertEqual(peers.answers_of("(goals (goal (> x 0) (< x 2) :precision precise :depth 1))", [q])[0],
                         [["and", [">", "x", "0"], ["<", "x", "2"]]])
        self.assertEqual(peers.answers_of("(goals (goal (exists ((y Real)) (> y x)) :depth 1))", [q])[0], [None])
        self.assertEqual(peers.answers_of("(goals (goal :depth 1))", [q])[0], ["true"])

    def test_errors_void_answers(self):
        q = question("(declare-fun x () Real)(check-sat)")
        self.assertEqual(peers.answers_of('(error "unknown constant y")\nsat', [q])[0], [None])
        self.assertEqual(peers.answers_of('(error "unknown parameter \'precision\'")\nsat', [q])[0], ["sat"])

    def test_models(self):
        q = question("(declare-fun x () Real)(declare-fun p () Bool)(check-sat)")
        model = smtlib.read("((define-fun x () Real (- (/ 1.0 2.0))) (define-fun p () Bool true))")[0]
        self.assertEqual(peers.model_point(model, q), {"x": Fraction(-1, 2), "p": True})
        model = smtlib.read("((define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 1)))")[0]
        self.assertIsNone(peers.model_point(model, q))


class Truth:
    """An oracle for sampling: the formula is x > 0 there."""

    def run(self, path, questions, limits):
        with open(path) as f:
            text = f.read()
        return peers.Outcome(["unsat" if "(- " in text or "(> 0 0)" in text else "sat"], 0, 0)


class Sampling(unittest.TestCase):
    def test_a_wrong_elimination_is_seen(self):
        q = question("(declare-fun x () Real)(assert (exists ((y Real)) (> x 0)))(apply qe)")
        limits = process.Limits(1)
        counts = sampling.check(q, term("(> x 0)"), [Truth()], "seed", 12, limits)
        self.assertEqual([counts[k] for k in ("agree", "true", "disagree", "undecided")], [12, 6, 0, 0])
        for wrong in ("(>= x 0)", "true", "(> x 1)"):
            self.assertGreater(sampling.check(q, term(wrong), [Truth()], "seed", 20, limits)["disagree"], 0, wrong)


class Processes(unittest.TestCase):
    def test_limits(self):
        self.assertTrue(process.run(["sleep", "5"], process.Limits(0.2)).over)
        busy = process.run([sys.executable, "-c", "while True: pass"], process.Limits(1))
        self.assertTrue(busy.over)
        self.assertGreater(busy.cpu, 0.02)
        result = process.run(["cat"], process.Limits(5), "text")
        self.assertEqual((result.out, result.status, result.over), ("text", 0, False))

    def test_tables(self):
        solver = {"answers": ["sat"], "solved": True, "cpu": 0.012, "wall": 0.02, "reason": "", "verdicts": ["right"]}
        run = {"date": "today", "limit": 1, "megabytes": 64, "solvers": ["z3"], "versions": {"z3": "4"}, "start_up": {"z3": 0.002},
               "files": [{"file": "kernel/a", "group": "kernel", "boolean": None, "declared": False, "expected": ["sat"], "solvers": {"z3": solver}}]}
        self.assertIn("| kernel | z3 | 1 | 1 | 100.0 % | 0 | 0 | 0 | 0 | 10.0 | 10.0 |", report.markdown(run))


if __name__ == "__main__":
    unittest.main()
