/* Questions about whole systems, each with a solver in a scratch arena that is gone when the answer
   is. Implication is infeasibility of the system with the negated constraint (an equation's
   negation is "not equal", which the solver splits). */
#include "constraints/solve.h"

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
