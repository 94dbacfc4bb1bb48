/* Do systems cover a region, and do they overlap in it? The region is asserted; covered means that
   no point of it lies outside every part, disjoint that no point lies in two of them. Pairs that
   differ by one constraint and its negation, as siblings of a decision tree do, are told apart
   without asking. */
#include "constraints/solve.h"

enum verdict formula_check(struct ring *ring, const struct formula *f)
{
    struct arena *scratch = arena_new();
    struct solver *solver = solver_new(scratch, ring, NULL);
    solver_assert_formula(solver, f);
    enum verdict verdict = solver_check(solver);
    arena_free(scratch);
    return verdict;
}

/* The solver's witness in the caller's arena. */
static const struct witness *witness_copy(struct arena *arena, const struct witness *from)
{
    struct witness *copy = ARENA_NEW(arena, struct witness);
    int64_t *numerator = ARENA_ARRAY(arena, int64_t, from->count + 1),
            *denominator = ARENA_ARRAY(arena, int64_t, from->count + 1);
    const struct algebraic **algebraic =
        ARENA_ARRAY(arena, const struct algebraic *, from->count + 1);
    for (size_t v = 0; v < from->count; v++) {
        numerator[v] = from->numerator[v];
        denominator[v] = from->denominator[v];
        if (!from->algebraic || !from->algebraic[v])
            continue;
        struct algebraic *number = ARENA_NEW(arena, struct algebraic);
        *number = (struct algebraic){arena_strdup(arena, from->algebraic[v]->polynomial),
                                     arena_strdup(arena, from->algebraic[v]->lo),
                                     arena_strdup(arena, from->algebraic[v]->hi)};
        algebraic[v] = number;
    }
    *copy =
        (struct witness){from->count, numerator, denominator, from->algebraic ? algebraic : NULL};
    return copy;
}

int sas_covers(struct arena *arena, struct sas region, const struct sas *parts, size_t count,
               const struct witness **gap)
{
    struct arena *scratch = arena_new();
    struct solver *solver = solver_new(scratch, region.ring, NULL);
    solver_assert_all(solver, region);
    for (size_t i = 0; i < count; i++)
        solver_assert_formula(solver, formula_not(scratch, formula_sas(scratch, parts[i])));
    enum verdict verdict = solver_check(solver);
    if (verdict == SAS_NONEMPTY && gap)
        *gap = witness_copy(arena, solver_witness(solver));
    arena_free(scratch);
    return verdict == SAS_EMPTY ? 1 : verdict == SAS_NONEMPTY ? 0 : -1;
}

/* Has one of them a constraint whose negation stands in the other? */
static bool opposed(struct sas a, struct sas b)
{
    for (size_t i = 0; i < a.count; i++)
        for (size_t j = 0; j < b.count; j++)
            if (constraint_equal(constraint_negate(a.at[i]), b.at[j]))
                return true;
    return false;
}

int sas_disjoint(struct sas region, const struct sas *parts, size_t count, size_t *first,
                 size_t *second)
{
    struct arena *scratch = arena_new();
    struct solver *solver = solver_new(scratch, region.ring, NULL);
    int disjoint = 1;
    solver_assert_all(solver, region);
    for (size_t i = 0; disjoint && i < count; i++) {
        solver_push(solver);
        solver_assert_all(solver, parts[i]);
        for (size_t j = i + 1; disjoint && j < count; j++) {
            if (opposed(parts[i], parts[j]))
                continue;
            solver_push(solver);
            solver_assert_all(solver, parts[j]);
            enum verdict verdict = solver_check(solver);
            solver_pop(solver);
            if (verdict == SAS_EMPTY)
                continue;
            disjoint = verdict == SAS_NONEMPTY ? 0 : -1;
            if (disjoint == 0 && first && second) {
                *first = i;
                *second = j;
            }
            if (disjoint == 0)
                break;
        }
        solver_pop(solver);
    }
    arena_free(scratch);
    return disjoint;
}
