"""Records of a run as Markdown tables. In: one record per file (see bench-solver). Out: text. CPU times are per file, a file not
solved counts with the time it took; where a figure is called net, the solver's median time on an empty script is subtracted."""
import statistics


def members(records):
    """The groups in the order of the issue, each a (title, records); a file may be in several rows of qf."""
    rows = [("kernel", lambda r: r["group"] == "kernel"), ("kernel/leaves", lambda r: r["group"] == "kernel/leaves"),
            ("classic", lambda r: r["group"] == "classic"), ("qf, all", lambda r: r["group"] == "qf"),
            ("qf, conjunctions", lambda r: r["group"] == "qf" and r["boolean"] is False),
            ("qf, declared status", lambda r: r["group"] == "qf" and r["declared"]),
            ("incremental", lambda r: r["group"] == "incremental"), ("quantified", lambda r: r["group"] == "quantified"),
            ("qe", lambda r: r["group"] == "qe")]
    known = {"kernel", "kernel/leaves", "classic", "qf", "incremental", "quantified", "qe"}
    for other in sorted({r["group"] for r in records} - known):
        rows.append((other, lambda r, g=other: r["group"] == g))
    return [(title, [r for r in records if test(r)]) for title, test in rows if any(test(r) for r in records)]


def quantile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(q * len(values)))] if values else 0.0


def milliseconds(seconds):
    return "%.1f" % (1000 * seconds) if seconds < 0.1 else "%.0f" % (1000 * seconds)


def table(head, rows):
    text = ["| " + " | ".join(head) + " |", "|" + "|".join(" --- " for _ in head) + "|"]
    return "\n".join(text + ["| " + " | ".join(str(c) for c in row) + " |" for row in rows])


def solved_table(records, names, start_up):
    rows = []
    for title, group in members(records):
        for name in names:
            runs = [r["solvers"][name] for r in group if name in r["solvers"]]
            if not runs:
                continue
            cpu = [max(0.0, s["cpu"] - start_up[name]) for s in runs]
            solved = sum(s["solved"] for s in runs)
            rows.append([title, name, len(runs), solved, "%.1f %%" % (100 * solved / len(runs)),
                         sum("wrong" in s["verdicts"] for s in runs), sum("disputed" in s["verdicts"] for s in runs),
                         sum(s["reason"] == "time limit" for s in runs),
                         len(runs) - solved - sum(s["reason"] == "time limit" for s in runs),
                         milliseconds(statistics.median(cpu)), milliseconds(quantile(cpu, 0.9))])
    return table(["group", "solver", "files", "solved", "share", "wrong", "disputed", "time-outs", "unknown, error",
                  "median ms", "p90 ms"], rows)


def certificate_table(records):
    rows = []
    for title, group in members(records):
        entries = [(a, w, c) for r in group if "certificate" in r
                   for a, w, c in zip(r["solvers"]["treefork"]["answers"], r["certificate"]["witness"], r["certificate"]["checker"])]
        sat = [e for e in entries if e[0] == "sat"]
        unsat = [e for e in entries if e[0] == "unsat"]
        if entries:
            rows.append([title, len(sat), sum(c == "verified" for _, _, c in sat), sum(w is True for _, w, _ in sat),
                         sum(w is None for _, w, _ in sat), len(unsat), sum(c == "verified" for _, _, c in unsat),
                         "%.1f %%" % (100 * sum(c == "verified" for _, _, c in unsat) / len(unsat)) if unsat else "",
                         sum(c == "refused" for _, _, c in entries)])
    return table(["group", "sat", "verified by --check", "evaluated true by tools/solver/exact.py", "not evaluable there",
                  "unsat", "verified by --check", "share", "refused"], rows) if rows else ""


def elimination_table(records):
    rows = []
    for r in records:
        if "sampling" in r:
            for name, s in r["sampling"].items():
                rows.append([r["file"], name, s["agree"], s["true"], s["disagree"], s["undecided"], s.get("length", "")])
    return table(["file", "solver", "points that agree", "of them true", "that disagree", "undecided", "characters of the result"],
                 rows) if rows else ""


def names_list(title, names):
    return "%s (%d): %s" % (title, len(names), ", ".join(names)) if names else ""


def unverified(records, answer):
    """Files with such answers: how many of them, and the first reason."""
    found = []
    for r in records:
        if "certificate" in r:
            count = sum(a == answer and c != "verified" for a, c in
                        zip(r["solvers"]["treefork"]["answers"], r["certificate"]["checker"]))
            if count:
                found.append("%s (%s%s)" % (r["file"], "%d times: " % count if count > 1 else "",
                                            r["certificate"]["reason"] or "no certificate"))
    return found


def lists(records, names):
    texts = []
    for name in names:
        runs = [(r, r["solvers"][name]) for r in records if name in r["solvers"]]
        for word in ("wrong", "disputed"):
            texts.append(names_list("%s: %s" % (name, word), [r["file"] for r, s in runs if word in s["verdicts"]]))
        texts.append(names_list("%s: contradicts the declared answer, with a checked witness or a verified certificate and a peer" % name,
                                [r["file"] for r, s in runs if any(v == "right" and e in ("sat", "unsat") and a != e for v, e, a in
                                                                   zip(s["verdicts"], r["expected"], s["answers"]))]))
        if name == "treefork":
            texts.append(names_list("treefork: not decided",
                                    ["%s (%s)" % (r["file"], s["reason"]) for r, s in runs if not s["solved"]]))
    for answer in ("sat", "unsat"):
        texts.append(names_list("treefork: %s without a verified certificate" % answer, unverified(records, answer)))
    return "\n\n".join(t for t in texts if t)


def markdown(run):
    records, names, start_up = run["files"], run["solvers"], run["start_up"]
    parts = ["%s, limit %g s of CPU time and wall time per file, %d MiB. Times are CPU time of the process and its children, less "
             "the solver's start-up." % (run["date"], run["limit"], run["megabytes"]),
             table(["solver", "version", "start-up (subtracted), ms"],
                   [[n, run["versions"][n], milliseconds(start_up[n])] for n in names]),
             solved_table(records, names, start_up), certificate_table(records), elimination_table(records),
             lists(records, names)]
    return "\n\n".join(p for p in parts if p) + "\n"
