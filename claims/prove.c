/* Claims proved by the solver. In: a claim. Out: a certificate that the independent checker
   accepted, or a point that breaks the claim and was evaluated exactly, or neither. A case's
   witness is its own certificate. */
#include "claims/claim.h"
#include "constraints/check/check.h"
#include "constraints/solve.h"
#include <string.h>
#include <time.h>

enum { STEPS = 2000000 };

/* `(sat (N 16) …)` */
static const char *point_certificate(struct arena *arena, const struct document_region *region,
                                     const int64_t *point)
{
    struct str text = str_new(arena);
    str_add(&text, "(sat");
    for (int v = 0; v < ring_count(region->ring); v++)
        str_addf(&text, " (%s %lld)", ring_name(region->ring, v), (long long)point[v]);
    str_char(&text, ')');
    return text.text;
}

/* The solver's point; false if one of its coordinates is no integer of 64 bits. */
static bool integer_witness(const struct witness *witness, int64_t *point)
{
    memset(point, 0, RING_CAPACITY * sizeof *point);
    for (size_t v = 0; v < witness->count && v < RING_CAPACITY; v++) {
        if (witness->denominator[v] != 1 || (witness->algebraic && witness->algebraic[v]))
            return false;
        point[v] = witness->numerator[v];
    }
    return true;
}

static struct claim_result solution_take(struct arena *arena, const struct document_region *region,
                                         const struct claim *claim, struct solver *solver)
{
    int64_t point[RING_CAPACITY];
    bool whole = integer_witness(solver_witness(solver), point);
    if (claim->form == CLAIM_SOMEWHERE) {
        const char *certificate = solver_certificate(solver);
        return (struct claim_result){CLAIM_OPEN, certificate, "no certificate was found"};
    }
    const char *broken = whole ? claim_broken(arena, region, claim, point) : NULL;
    if (broken)
        return (struct claim_result){CLAIM_FAILED, NULL, broken};
    return (struct claim_result){
        CLAIM_OPEN, NULL, "what is known of auxiliary integers does not suffice to decide it"};
}

static struct claim_result answer_take(struct arena *arena, const struct document_region *region,
                                       const struct claim *claim, struct solver *solver)
{
    enum verdict verdict = solver_check(solver);
    if (verdict == SAS_UNKNOWN)
        return (struct claim_result){
            CLAIM_OPEN, NULL,
            arena_printf(arena, "the solver did not decide it: %s", solver_reason(solver))};
    if (verdict == SAS_NONEMPTY)
        return solution_take(arena, region, claim, solver);
    return (struct claim_result){CLAIM_OPEN, solver_certificate(solver),
                                 "no certificate was found within the budget"};
}

/* OPEN with the certificate that is still to be checked, or final. */
static struct claim_result solver_ask(struct arena *arena, const struct document_region *region,
                                      const struct claim *claim, uint64_t steps)
{
    struct arena *scratch = arena_new();
    const struct check_question *question = claim_question(scratch, region, claim);
    struct solver_options options = {.steps = steps ? steps : STEPS};
    struct solver *solver = solver_new(scratch, region->ring, &options);
    for (int v = 0; v < ring_count(region->ring); v++)
        solver_integer(solver, v);
    for (size_t i = 0; i < question->count; i++)
        solver_assert_formula(solver, question->assertions[i]);
    struct claim_result result = answer_take(arena, region, claim, solver);
    if (result.evidence)
        result.evidence = arena_strdup(arena, result.evidence);
    arena_free(scratch);
    return result;
}

struct claim_result claim_prove(struct arena *arena, const struct document_region *region,
                                const struct claim *claim, uint64_t steps, struct claim_cost *cost)
{
    struct claim_cost none = {0};
    struct claim_result found = claim_check(arena, region, claim, NULL, &none);
    if (found.status != CLAIM_OPEN)
        return found;
    if (claim->point)
        return claim_check(arena, region, claim, point_certificate(arena, region, claim->point),
                           cost);
    clock_t start = clock();
    found = solver_ask(arena, region, claim, steps);
    cost->solver += (double)(clock() - start) / CLOCKS_PER_SEC;
    if (!found.evidence)
        return found;
    return claim_check(arena, region, claim, found.evidence, cost);
}
