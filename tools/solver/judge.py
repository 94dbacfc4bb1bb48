"""Right, wrong or disputed. In: a file's questions, the declared answers and every solver's. Out: per solver and question one of
'right', 'wrong', 'alone' (nothing known to compare with), 'disputed', '' (not answered). An answer sat with a witness that
evaluates to true is right whatever is declared; an answer against such a witness is wrong; else the declared answer decides;
unless the checker has verified the answer's certificate and another solver agrees, which contradicts the declared one;
without a declared answer, two agreeing solvers against one; one against one is disputed. Source: the collection's README."""

OPPOSITE = {"sat": "unsat", "unsat": "sat"}


def verdict(answer, declared, others, witness, own_witness, verified=False):
    """`others`: answers of the other solvers; `witness`: has anybody a point that was evaluated to true? `verified`: has the
    checker verified the answer's certificate?"""
    if answer not in OPPOSITE:
        return ""
    if witness or own_witness is True:
        return "right" if answer == "sat" else "wrong"
    if own_witness is False:
        return "wrong"
    if declared in OPPOSITE:
        return "right" if answer == declared or (verified and answer in others) else "wrong"
    against = sum(1 for o in others if o == OPPOSITE[answer])
    agree = sum(1 for o in others if o == answer)
    if against > agree + 1 or (against > 1 and agree == 0):
        return "wrong"
    if against:
        return "right" if agree > against else "disputed"
    return "right" if agree else "alone"
