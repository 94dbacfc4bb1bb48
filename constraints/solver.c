/* The solver's face: a stack of assertions, and for each check a search in an arena of its own,
   which is kept until the next check because what an answer consists of (witness, core,
   certificate) lives there; so rounds of push, check and pop use no more memory than the largest of
   them. Two things survive: the coverings engine with its table of polynomials, and the last model
   and the last infeasible subset: a model that satisfies the present assertions, or a subset that
   is still asserted, is the answer again. A model is evaluated exactly in every assertion before it
   is shown. Cores are made irreducible on demand by trying to leave each member out. With `check`,
   every answer is certified and the certificate given to the independent checker. */
#include "base/vec.h"
#include "constraints/check/check.h"
#include "constraints/project.h"
#include "constraints/ring.h"
#include "constraints/search.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_DEFAULT = 4000000, CERTIFICATE_FACTOR = 4 };

struct assertion {
    const struct formula *stated;   /* as it was given */
    const struct formula *matrix;   /* without quantifiers; NULL: they could not be eliminated */
    uint64_t serial;
};

/* What a push opened: assertions and memory that its pop takes back. */
struct level {
    size_t count;
    struct arena *arena;
};

/* The last infeasible subset, by serial number and place. */
struct remembered {
    size_t count;
    size_t places[16];
    uint64_t serials[16];
};

struct solver {
    struct arena *arena, *answer;
    struct ring *ring;
    uint64_t steps, steps_given, serial;
    bool check;
    VEC(struct assertion) assertions;
    VEC(struct level) levels;
    bool integer[RING_CAPACITY], any_integer;
    struct engine_holder engine;
    struct solver_statistics statistics;
    struct remembered remembered;
    struct arena *model_arena;
    const struct model *model;      /* the last one, rational */
    int model_variables;
    enum verdict verdict;
    struct witness *witness;
    size_t *core, core_count;
    bool core_minimal;
    struct cases_answer found;      /* its proof */
    const char *certificate, *reason;
};

static void solver_clear(void *object)
{
    struct solver *solver = object;
    for (size_t i = 0; i < solver->levels.count; i++)
        arena_free(solver->levels.at[i].arena);
    arena_free(solver->answer);
    arena_free(solver->model_arena);
    arena_free(solver->engine.arena);
}

struct solver *solver_new(struct arena *arena, struct ring *ring,
                          const struct solver_options *options)
{
    struct solver *solver = ARENA_NEW(arena, struct solver);
    solver->arena = arena;
    solver->ring = ring;
    solver->steps_given = options ? options->steps : 0;
    solver->steps = solver->steps_given ? solver->steps_given : STEPS_DEFAULT;
    solver->check = (options && options->check) || getenv("TREEFORK_CERTIFY") ||
                    getenv("TREEFORK_DISTRUST"); /* its earlier name */
#ifdef TREEFORK_DEBUG
    solver->check = true;
#endif
    solver->verdict = SAS_UNKNOWN;
    solver->reason = "nothing was asked";
    arena_on_free(arena, solver_clear, solver);
    return solver;
}

void solver_integer(struct solver *solver, int variable)
{
    solver->integer[variable] = solver->any_integer = true;
}

void solver_push(struct solver *solver)
{
    struct level level = {solver->assertions.count, arena_new()};
    vec_push(solver->arena, &solver->levels, level);
}

void solver_pop(struct solver *solver)
{
    if (!solver->levels.count)
        return;
    struct level level = vec_pop(&solver->levels);
    solver->assertions.count = level.count;
    arena_free(level.arena);
}

/* Memory for what is asserted now. */
static struct arena *level_arena(struct solver *solver)
{
    return solver->levels.count ? vec_last(&solver->levels).arena : solver->arena;
}

static size_t assertion_add(struct solver *solver, const struct formula *stated,
                            const struct formula *matrix)
{
    struct assertion assertion = {stated, matrix, ++solver->serial};
    vec_push(solver->arena, &solver->assertions, assertion);
    return solver->assertions.count - 1;
}

size_t solver_assert(struct solver *solver, struct constraint c)
{
    const struct formula *atom = formula_atom(level_arena(solver), c);
    return assertion_add(solver, atom, atom);
}

void solver_assert_all(struct solver *solver, struct sas sas)
{
    for (size_t i = 0; i < sas.count; i++)
        solver_assert(solver, sas.at[i]);
}

size_t solver_assert_formula(struct solver *solver, const struct formula *f)
{
    const struct formula *matrix = f;
    if (formula_quantified(f)) {
        struct project_options options = {.steps = solver->steps_given};
        matrix = formula_eliminate(level_arena(solver), solver->ring, f, &options, NULL);
    }
    return assertion_add(solver, f, matrix);
}

/* --- remembering ----------------------------------------------------------------------------- */

static bool model_fits(const struct solver *solver, const struct model *model)
{
    for (size_t i = 0; i < solver->assertions.count; i++)
        if (!solver->assertions.at[i].matrix ||
            model_holds(model, solver->assertions.at[i].matrix) != 1)
            return false;
    fmpz_t floor;
    fmpz_init(floor);
    bool fits = true;
    for (int v = 0; solver->any_integer && fits && v < ring_count(model->ring); v++)
        fits = !solver->integer[v] || model_floor(model, v, floor);
    fmpz_clear(floor);
    return fits;
}

/* A rational model outlives its search as a copy. */
static void model_remember(struct solver *solver, const struct model *model)
{
    if (!model->values || model == solver->model)
        return;
    arena_free(solver->model_arena);
    solver->model_arena = arena_new();
    struct model *copy = model_new(solver->model_arena, solver->ring);
    for (int v = 0; v < ring_count(solver->ring); v++)
        fmpq_set(copy->values + v, model->values + v);
    solver->model = copy;
    solver->model_variables = ring_count(solver->ring);
}

static void core_remember(struct solver *solver)
{
    struct remembered *r = &solver->remembered;
    r->count = 0;
    if (solver->core_count > sizeof r->places / sizeof *r->places)
        return;
    for (size_t i = 0; i < solver->core_count; i++) {
        r->places[i] = solver->core[i];
        r->serials[i] = solver->assertions.at[solver->core[i]].serial;
    }
    r->count = solver->core_count;
}

static bool core_asserted(const struct solver *solver)
{
    const struct remembered *r = &solver->remembered;
    for (size_t i = 0; i < r->count; i++)
        if (r->places[i] >= solver->assertions.count ||
            solver->assertions.at[r->places[i]].serial != r->serials[i])
            return false;
    return r->count > 0;
}

/* --- checking -------------------------------------------------------------------------------- */

static void answer_reset(struct solver *solver)
{
    arena_free(solver->answer);
    solver->answer = arena_new();
    solver->witness = NULL;
    solver->core = NULL;
    solver->core_count = 0;
    solver->core_minimal = false;
    solver->certificate = solver->reason = NULL;
    solver->found = (struct cases_answer){.verdict = SAS_UNKNOWN};
}

static struct search search_new(struct solver *solver, uint64_t steps)
{
    return (struct search){.arena = solver->answer,
                           .ring = solver->ring,
                           .engine = &solver->engine,
                           .integer = solver->any_integer ? solver->integer : NULL,
                           .budget = {.left = steps},
                           .statistics = &solver->statistics};
}

static const struct formula **matrices(struct solver *solver)
{
    const struct formula **at =
        ARENA_ARRAY(solver->answer, const struct formula *, solver->assertions.count + 1);
    for (size_t i = 0; i < solver->assertions.count; i++)
        at[i] = solver->assertions.at[i].matrix ? solver->assertions.at[i].matrix : formula_true();
    return at;
}

static bool any_undone(const struct solver *solver)
{
    for (size_t i = 0; i < solver->assertions.count; i++)
        if (!solver->assertions.at[i].matrix)
            return true;
    return false;
}

static enum verdict model_take(struct solver *solver, const struct model *model)
{
    if (!model_fits(solver, model)) {
        solver->reason = "the point found does not hold";
        return SAS_UNKNOWN;
    }
    solver->witness = model_witness(solver->answer, model);
    if (!solver->witness) {
        solver->reason = "the budget is spent on the witness";
        return SAS_UNKNOWN;
    }
    model_remember(solver, model);
    return SAS_NONEMPTY;
}

static void core_take(struct solver *solver, const bool *core)
{
    solver->core = ARENA_ARRAY(solver->answer, size_t, solver->assertions.count + 1);
    for (size_t i = 0; i < solver->assertions.count; i++)
        if (core[i])
            solver->core[solver->core_count++] = i;
    core_remember(solver);
}

static enum verdict search_run(struct solver *solver)
{
    struct search search = search_new(solver, solver->steps);
    struct cases_answer found = cases_decide(&search, matrices(solver), solver->assertions.count);
    solver->statistics.steps += solver->steps - search.budget.left;
    solver->found = found;
    if (found.verdict == SAS_EMPTY)
        core_take(solver, found.core);
    else if (found.verdict == SAS_NONEMPTY && !any_undone(solver))
        return model_take(solver, found.model);
    else {
        solver->reason = any_undone(solver) ? "quantifiers could not be eliminated"
                         : search.reason    ? search.reason
                                            : search.budget.reason;
        return SAS_UNKNOWN;
    }
    return SAS_EMPTY;
}

static enum verdict remembered_answer(struct solver *solver)
{
    if (solver->model && solver->model_variables == ring_count(solver->ring) &&
        model_fits(solver, solver->model))
        return model_take(solver, solver->model);
    if (!core_asserted(solver))
        return SAS_UNKNOWN;
    solver->core = ARENA_ARRAY(solver->answer, size_t, solver->remembered.count);
    solver->core_count = solver->remembered.count;
    memcpy(solver->core, solver->remembered.places, solver->core_count * sizeof *solver->core);
    return SAS_EMPTY;
}

static bool any_quantified(const struct solver *solver)
{
    for (size_t i = 0; i < solver->assertions.count; i++)
        if (solver->assertions.at[i].stated != solver->assertions.at[i].matrix)
            return true;
    return false;
}

/* The certificate of the present answer goes through the independent checker; a refuted one is a
   bug of the solver. A point says nothing of a quantified assertion: unchecked. */
static void answer_distrust(struct solver *solver)
{
    if (solver->verdict == SAS_NONEMPTY && any_quantified(solver)) {
        solver->statistics.unchecked++;
        return;
    }
    const char *certificate = solver_certificate(solver), *why = "no certificate was found";
    struct arena *scratch = arena_new();
    const struct formula **stated =
        ARENA_ARRAY(scratch, const struct formula *, solver->assertions.count + 1);
    for (size_t i = 0; i < solver->assertions.count; i++)
        stated[i] = solver->assertions.at[i].stated;
    struct check_question question = {.ring = solver->ring,
                                      .assertions = stated,
                                      .count = solver->assertions.count,
                                      .integer = solver->any_integer ? solver->integer : NULL};
    enum check_outcome outcome =
        certificate ? check_certificate(scratch, &question, certificate, &why) : CHECK_UNCHECKED;
    if (outcome == CHECK_REFUTED) {
        fprintf(stderr,
                "treefork: internal error: the checker refuses an answer of the solver: %s\n%s\n",
                why, certificate);
        abort();
    }
    solver->statistics.verified += outcome == CHECK_VERIFIED;
    solver->statistics.unchecked += outcome == CHECK_UNCHECKED;
    arena_free(scratch);
}

enum verdict solver_check(struct solver *solver)
{
    answer_reset(solver);
    solver->statistics.questions++;
    if (solver->ring->questions)
        ++*solver->ring->questions;
    solver->verdict = remembered_answer(solver);
    if (solver->verdict == SAS_UNKNOWN)
        solver->verdict = search_run(solver);
    if (solver->verdict == SAS_UNKNOWN && !solver->reason)
        solver->reason = "the methods do not decide this system";
    if (solver->check && solver->verdict != SAS_UNKNOWN)
        answer_distrust(solver);
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

struct solver_statistics solver_statistics(const struct solver *solver)
{
    return solver->statistics;
}

void solver_thread_end(void)
{
    flint_cleanup();
}

/* --- cores and certificates ------------------------------------------------------------------ */

/* Is the core without member `left_out` still infeasible? */
static bool core_redundant(struct solver *solver, size_t left_out)
{
    struct search search = search_new(solver, solver->steps);
    search.arena = arena_new();
    const struct formula **at =
        ARENA_ARRAY(search.arena, const struct formula *, solver->core_count);
    size_t count = 0;
    for (size_t i = 0; i < solver->core_count; i++)
        if (i != left_out)
            at[count++] = solver->assertions.at[solver->core[i]].matrix;
    bool empty = cases_decide(&search, at, count).verdict == SAS_EMPTY;
    arena_free(search.arena);
    return empty;
}

const size_t *solver_core(struct solver *solver, size_t *count)
{
    *count = 0;
    if (solver->verdict != SAS_EMPTY)
        return NULL;
    for (size_t i = solver->core_count; !solver->core_minimal && i-- > 0;)
        if (core_redundant(solver, i)) {
            memmove(solver->core + i, solver->core + i + 1,
                    (solver->core_count - i - 1) * sizeof *solver->core);
            solver->core_count--;
        }
    solver->core_minimal = true;
    *count = solver->core_count;
    return solver->core;
}

/* The proof of the core alone: a remembered answer has none, and a smaller question has a shorter
   one. */
static const char *core_certificate(struct solver *solver)
{
    size_t count;
    const size_t *core = solver_core(solver, &count);
    const struct formula **at =
        ARENA_ARRAY(solver->answer, const struct formula *, solver->assertions.count + 1);
    for (size_t i = 0; i < solver->assertions.count; i++)
        at[i] = formula_true();
    for (size_t i = 0; i < count; i++)
        at[core[i]] = solver->assertions.at[core[i]].matrix;
    struct search search = search_new(solver, solver->steps * CERTIFICATE_FACTOR);
    struct cases_answer found = cases_decide(&search, at, solver->assertions.count);
    if (found.verdict != SAS_EMPTY)
        return NULL;
    struct hypotheses roots = {0};
    for (size_t i = 0, next = 0; i < solver->assertions.count; i++) {
        bool in_core = false;
        for (; next < found.roots.count && found.roots.at[next]->assertion == i;
             next++, in_core = true)
            hypotheses_append(solver->answer, &roots, found.roots.at[next]);
        if (!in_core)
            hypotheses_add(solver->answer, &roots, solver->assertions.at[i].stated, false, i);
        else if (solver->assertions.at[i].stated != solver->assertions.at[i].matrix)
            return NULL;
    }
    return refutation_text(&search, &roots, found.proof);
}

const char *solver_certificate(struct solver *solver)
{
    if (solver->certificate || solver->verdict == SAS_UNKNOWN)
        return solver->certificate;
    solver->certificate = solver->verdict == SAS_EMPTY
                              ? core_certificate(solver)
                              : witness_text(solver->answer, solver->ring, solver->witness);
    return solver->certificate;
}
