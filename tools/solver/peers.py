"""The solvers compared. Each takes a file (or a question made from it) under limits and gives an Outcome: an answer per check-sat
('sat', 'unsat', 'unknown'), a term per apply where the result has no quantifier, why an answer is missing, CPU and wall time.
A time limit, an error and an answer 'unknown' are all 'not solved', kept apart by `reason`."""
import os
import re
import shutil
import statistics
import tempfile
import exact
import process
import qepcad
import smtlib


class Outcome:
    def __init__(self, answers, cpu, wall, reason=""):
        self.answers, self.cpu, self.wall, self.reason = answers, cpu, wall, reason

    def solved(self):
        return bool(self.answers) and all(a not in (None, "unknown") for a in self.answers)


def quantified(term):
    return isinstance(term, list) and (term[0] in ("exists", "forall") or any(quantified(t) for t in term))


def goals_term(goals, kind):
    """The formula of '(goals (goal F... :precision ...))', None if it has quantifiers."""
    parts = []
    for goal in goals[1:]:
        at = 1
        while at < len(goal) and not (isinstance(goal[at], str) and goal[at].startswith(":")):
            parts.append(goal[at])
            at += 1
    script = smtlib.Script("")
    term = script.expand(smtlib.conjunction(parts), {})
    return None if quantified(term) else term


def answers_of(out, questions):
    """Answers in the order of the questions from a solver's output. After an error other than one about an option the solver
    no longer answers the file's question: its answers are void."""
    entries = [e for e in smtlib.read(out) if e in ("sat", "unsat", "unknown") or
               (isinstance(e, list) and e and e[0] in ("goals", "error"))]
    answers, reason = [], ""
    for question in questions:
        while entries and isinstance(entries[0], list) and entries[0][0] == "error":
            error = " ".join(smtlib.text_of(entries.pop(0)).split())[:120]
            reason = reason or ("" if re.search("unknown parameter|unsupported option", error) else error)
        if reason or not entries:
            answers.append(None)
        elif question.kind == "check":
            answer = entries.pop(0)
            answers.append(answer if isinstance(answer, str) else None)
        else:
            entry = entries.pop(0)
            answers.append(goals_term(entry, question.kind) if isinstance(entry, list) else "unknown")
    return answers, reason


class Peer:
    name = ""

    def available(self):
        return False

    def start_up(self, limits, rounds=15):
        """Median CPU seconds on a script that asks nothing."""
        return statistics.median(self.empty(limits).cpu for _ in range(rounds))


class Solver(Peer):
    """A program that reads SMT-LIB."""

    def __init__(self, name, command):
        self.name, self.command = name, command

    def available(self):
        return shutil.which(self.command[0]) is not None

    def version(self):
        result = process.run([self.command[0], "--version"], process.Limits(5))
        return result.out.strip().split("\n")[0]

    def empty(self, limits):
        with tempfile.NamedTemporaryFile("w", suffix=".smt2") as f:
            f.write("(set-logic QF_NRA)\n(exit)\n")
            f.flush()
            return process.run(self.command + [f.name], limits)

    def run(self, path, questions, limits):
        result = process.run(self.command + [path], limits)
        try:
            answers, reason = answers_of(result.out, questions)
        except (smtlib.Unsupported, KeyError, IndexError) as e:
            answers, reason = [None] * len(questions), "output not understood: %s" % e
        if result.over:
            reason = "time limit"
        elif not reason and any(a in (None, "unknown") for a in answers):
            reason = "unknown" if "unknown" in answers else "status %d: %s" % (result.status, (result.error or result.out)[:160])
        return Outcome(answers, result.cpu, result.wall, reason)

    def models(self, text, questions, limits):
        """A point per question from get-model after each check-sat; None where there is none that is rational."""
        text = re.sub(r"(\(check-sat[^()]*\))", r"\1 (get-model)", text)
        with tempfile.NamedTemporaryFile("w", suffix=".smt2") as f:
            f.write("(set-option :produce-models true)\n" + text)
            f.flush()
            result = process.run(self.command + [f.name], limits)
        points, entries = [], smtlib.read(result.out)
        at = 0
        for question in questions:
            while at < len(entries) and entries[at] not in ("sat", "unsat", "unknown"):
                at += 1
            model = entries[at + 1] if at + 1 < len(entries) and entries[at] == "sat" else None
            at += 1
            points.append(model_point(model, question) if isinstance(model, list) else None)
        return points


def model_point(model, question):
    """Rational and Boolean values; None if some value is neither (a root object)."""
    point = {n: (False if s == "Bool" else exact.Fraction(0)) for n, s in question.sorts.items()}
    try:
        for entry in model:
            if entry[0] == "define-fun" and not entry[2] and entry[1] in point:
                value = entry[4]
                if question.sorts[entry[1]] == "Bool":
                    point[entry[1]] = value == "true"
                else:
                    point[entry[1]] = exact.rational(exact.arithmetic(value, {}))
    except (exact.Unclear, KeyError, TypeError):
        return None
    return point


class Qepcad(Peer):
    name = "QEPCAD"
    command = ["qepcad", "-noecho", "+N20000000"]

    def available(self):
        return shutil.which(self.command[0]) is not None

    def version(self):
        result = process.run([self.command[0], "-v"], process.Limits(5))
        match = re.search(r"Version B ([\d.]+)", result.out + result.error)
        return "QEPCAD B " + (match.group(1) if match else "")

    def empty(self, limits):
        return process.run(self.command, limits, "[ empty ]\n(x)\n0\n(E x)[ x = 0 ].\nfinish\n")

    def run(self, path, questions, limits):
        """One process per question; the limit holds for all of them together."""
        answers, cpu, wall, reason = [], 0.0, 0.0, ""
        for question in questions:
            left = process.Limits(max(limits.seconds - max(cpu, wall), 0.1), limits.megabytes)
            try:
                translation = qepcad.Translation(question)
            except smtlib.Unsupported as e:
                answers.append(None)
                reason = "no translation: %s" % e
                continue
            result = process.run(self.command, left, translation.text)
            cpu, wall = cpu + result.cpu, wall + result.wall
            term, why = qepcad.result_of(result.out, translation.back)
            reason = ("time limit" if result.over else why) or reason
            if question.kind == "check":
                term = {"true": "sat", "false": "unsat"}.get(term) if term is None or isinstance(term, str) else None
            answers.append(term)
        return Outcome(answers, cpu, wall, reason)


class Ours(Solver):
    """`treefork solve`, which can also certify its answers and check certificates."""

    def __init__(self, program):
        super().__init__("treefork", [program, "solve"])

    def available(self):
        return os.access(self.command[0], os.X_OK) and process.run(self.command + ["--help"], process.Limits(5)).status == 0

    def certify(self, path, questions, limits):
        """(verdicts, points, reason, seconds): per question the checker's first word, or '' without a certificate; the
        points that the certificates name."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "certificate")
            made = process.run(self.command + ["--certificate", file, path], limits)
            if made.over or not os.path.exists(file):
                return [""] * len(questions), [None] * len(questions), "no certificate within the limit", made.cpu
            checked = process.run(self.command + ["--check", path, file], process.Limits(6 * limits.seconds, limits.megabytes))
            with open(file) as f:
                text = f.read()
        verdicts = re.findall(r"^(verified|refused|unchecked)\b", checked.out, re.M)
        verdicts += [""] * (len(questions) - len(verdicts))
        reason = next((line for line in checked.out.split("\n") if line.startswith(("refused", "unchecked"))), "")[:120]
        if checked.over:
            reason = "checker: time limit"
        try:
            points = exact.points_of_certificate(text, questions)
        except (ValueError, KeyError, IndexError, smtlib.Unsupported) as e:
            return verdicts, [None] * len(questions), "certificate not understood: %s" % e, checked.cpu
        points += [None] * (len(questions) - len(points))
        return verdicts, points, reason, checked.cpu
