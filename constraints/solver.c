/* The solver's face: a stack of assertions, and for each check a question in a scratch arena. What an answer consists
   of (witness, core, reason) is kept in a second arena until the next check, so that rounds of push, check and pop use
   no more memory than the largest of them. A witness is evaluated exactly in every assertion before it is shown; one
   that does not hold, or does not fit its 64-bit form, is an unknown, never an answer. The core is found on demand:
   starting from the origins of the contradiction, each member is tried to be left out (deletion filter), hence no
   proper subset of the result is known to be infeasible. */
#include "base/vec.h"
#include "constraints/question.h"
#include <string.h>

enum { STEPS_DEFAULT = 40000 };

struct solver {
    struct arena *arena, *answer;
    struct ring *ring;
    uint64_t steps;
    VEC(struct constraint) assertions;
    VEC(size_t) marks;
    enum verdict verdict;
    struct witness *witness;
    size_t *core, core_count;
    bool core_minimal;
    const char *reason;
};

static void answer_free(void *object)
{
    struct solver *solver = object;
    arena_free(solver->answer);
}

struct solver *solver_new(struct arena *arena, struct ring *ring, const struct solver_options *options)
{
    struct solver *solver = ARENA_NEW(arena, struct solver);
    solver->arena = arena;
    solver->ring = ring;
    solver->steps = options && options->steps ? options->steps : STEPS_DEFAULT;
    solver->verdict = SAS_UNKNOWN;
    solver->reason = "nothing was asked";
    arena_on_free(arena, answer_free, solver);
    return solver;
}

void solver_push(struct solver *solver)
{
    vec_push(solver->arena, &solver->marks, solver->assertions.count);
}

void solver_pop(struct solver *solver)
{
    if (solver->marks.count)
        solver->assertions.count = vec_pop(&solver->marks);
}

size_t solver_assert(struct solver *solver, struct constraint c)
{
    vec_push(solver->arena, &solver->assertions, c);
    return solver->assertions.count - 1;
}

void solver_assert_all(struct solver *solver, struct sas sas)
{
    for (size_t i = 0; i < sas.count; i++)
        solver_assert(solver, sas.at[i]);
}

/* The question's point as 64-bit fractions for all variables of the ring; NULL if one does not fit. */
static struct witness *witness_take(struct arena *arena, const struct question *q)
{
    struct witness *witness = ARENA_NEW(arena, struct witness);
    size_t count = (size_t)ring_count(q->ring);
    int64_t *numerator = ARENA_ARRAY(arena, int64_t, count + 1), *denominator = ARENA_ARRAY(arena, int64_t, count + 1);
    for (size_t v = 0; v < count; v++) {
        int local = q->local_variable[v];
        denominator[v] = 1;
        if (local < 0)
            continue;
        const fmpq *value = q->point + local;
        if (!fmpz_fits_si(fmpq_numref(value)) || !fmpz_fits_si(fmpq_denref(value)))
            return NULL;
        numerator[v] = fmpz_get_si(fmpq_numref(value));
        denominator[v] = fmpz_get_si(fmpq_denref(value));
    }
    *witness = (struct witness){count, numerator, denominator, NULL};
    return witness;
}

static bool witness_holds(const struct witness *witness, const struct constraint *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!relation_holds(at[i].relation, poly_sign_at(at[i].poly, witness->numerator, witness->denominator)))
            return false;
    return true;
}

/* Asks about `count` constraints in the scratch arena. */
static enum verdict ask(struct question *q, const struct constraint *at, size_t count)
{
    struct state *state = question_state(q);
    for (size_t i = 0; i < count; i++)
        if (!question_assert(q, state, i, at[i]) && !q->broken)
            return SAS_EMPTY;
    return state_decide(q, state);
}

static void core_take(struct solver *solver, const struct question *q)
{
    solver->core = ARENA_ARRAY(solver->answer, size_t, q->assertions + 1);
    for (size_t i = 0; i < q->assertions; i++)
        if (origins_have(q->conflict, i))
            solver->core[solver->core_count++] = i;
}

static void answer_reset(struct solver *solver)
{
    arena_free(solver->answer);
    solver->answer = arena_new();
    solver->witness = NULL;
    solver->core = NULL;
    solver->core_count = 0;
    solver->core_minimal = false;
    solver->reason = NULL;
}

enum verdict solver_check(struct solver *solver)
{
    answer_reset(solver);
    const struct constraint *at = solver->assertions.at;
    size_t count = solver->assertions.count;
    for (size_t i = 0; i < count; i++)
        if (!at[i].poly) {
            solver->reason = "a polynomial is beyond the limits";
            return solver->verdict = SAS_UNKNOWN;
        }
    struct arena *scratch = arena_new();
    struct question *q = question_new(scratch, solver->ring, at, count, solver->steps);
    solver->verdict = ask(q, at, count);
    if (solver->verdict == SAS_EMPTY)
        core_take(solver, q);
    if (solver->verdict == SAS_NONEMPTY) {
        solver->witness = witness_take(solver->answer, q);
        if (!solver->witness || !witness_holds(solver->witness, at, count)) {
            question_doubt(q, solver->witness ? "the point found does not hold" : "no point of 64-bit fractions was found");
            solver->verdict = SAS_UNKNOWN;
        }
    }
    if (solver->verdict == SAS_UNKNOWN)
        solver->reason = arena_strdup(solver->answer, q->reason ? q->reason : "the methods do not decide this system");
    arena_free(scratch);
    return solver->verdict;
}

const struct witness *solver_witness(struct solver *solver)
{
    return solver->verdict == SAS_NONEMPTY ? solver->witness : NULL;
}

const char *solver_reason(struct solver *solver)
{
    return solver->verdict == SAS_UNKNOWN ? solver->reason : NULL;
}

/* Is the core without member `left_out` still infeasible? */
static bool core_redundant(const struct solver *solver, size_t left_out)
{
    struct arena *scratch = arena_new();
    struct constraint *at = ARENA_ARRAY(scratch, struct constraint, solver->core_count);
    size_t count = 0;
    for (size_t i = 0; i < solver->core_count; i++)
        if (i != left_out)
            at[count++] = solver->assertions.at[solver->core[i]];
    struct question *q = question_new(scratch, solver->ring, at, count, solver->steps);
    bool empty = ask(q, at, count) == SAS_EMPTY;
    arena_free(scratch);
    return empty;
}

const size_t *solver_core(struct solver *solver, size_t *count)
{
    *count = 0;
    if (solver->verdict != SAS_EMPTY)
        return NULL;
    for (size_t i = solver->core_count; !solver->core_minimal && i-- > 0;)
        if (core_redundant(solver, i)) {
            memmove(solver->core + i, solver->core + i + 1, (solver->core_count - i - 1) * sizeof *solver->core);
            solver->core_count--;
        }
    solver->core_minimal = true;
    *count = solver->core_count;
    return solver->core;
}
