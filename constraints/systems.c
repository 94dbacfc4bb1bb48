/* Questions about whole systems, each with a solver in a scratch arena that is gone when the answer is. Implication is
   infeasibility of the system with the negated constraint (an equation's negation is "not equal", which the solver
   splits). A minimal system is what remains when, from the last constraint to the first, each is dropped that the
   others imply: of equivalent ones the earliest stays, and the outcome depends on nothing but the input. */
#include "constraints/question.h"
#include <string.h>

enum verdict sas_check(struct sas sas)
{
    struct arena *scratch = arena_new();
    struct solver *solver = solver_new(scratch, sas.ring, NULL);
    solver_assert_all(solver, sas);
    enum verdict verdict = solver_check(solver);
    arena_free(scratch);
    return verdict;
}

int sas_implies(struct sas sas, struct constraint c)
{
    struct arena *scratch = arena_new();
    struct solver *solver = solver_new(scratch, sas.ring, NULL);
    solver_assert_all(solver, sas);
    solver_assert(solver, constraint_negate(c));
    enum verdict verdict = solver_check(solver);
    arena_free(scratch);
    return verdict == SAS_EMPTY ? 1 : verdict == SAS_NONEMPTY ? 0 : -1;
}

struct sas sas_minimal(struct arena *arena, struct sas sas, struct sas context)
{
    struct constraint *at = ARENA_ARRAY(arena, struct constraint, sas.count + 1);
    if (sas.count)
        memcpy(at, sas.at, sas.count * sizeof *at);
    struct sas kept = {sas.ring, at, sas.count};
    for (size_t i = sas.count; i-- > 0;) {
        struct constraint c = at[i];
        memmove(at + i, at + i + 1, (kept.count - i - 1) * sizeof *at);
        kept.count--;
        struct arena *scratch = arena_new();
        bool implied = sas_implies(sas_join(scratch, context, kept), c) == 1;
        arena_free(scratch);
        if (implied)
            continue;
        memmove(at + i + 1, at + i, (kept.count - i) * sizeof *at);
        at[i] = c;
        kept.count++;
    }
    return kept;
}
