/* A claim as a question, and its check by a certificate: the independent checker of the solver
   (constraints/check) sees the question that is made here from the tree. Nothing of the solver's
   reasoning is used. What a point that breaks a claim shows is evaluated exactly. */
#include "constraints/check/check.h"
#include "base/vec.h"
#include "claims/claim.h"
#include <string.h>
#include <time.h>

static const char *const failures[] = {
#define X(SYMBOL, word, title, failure) failure,
#include "claims/claim.def"
#undef X
};

/* --- questions ------------------------------------------------------------------------------- */

static bool contains(struct sas sas, struct constraint c)
{
    for (size_t i = 0; i < sas.count; i++)
        if (constraint_equal(sas.at[i], c))
            return true;
    return false;
}

/* The conclusions that are not given. */
static struct sas conclusions_left(struct arena *arena, const struct document_region *region,
                                   const struct claim *claim)
{
    struct sas left = sas_empty(region->ring);
    for (size_t i = 0; i < claim->conclusions.count; i++) {
        struct constraint c = claim->conclusions.at[i];
        if (!contains(claim->premises, c) && !contains(region->initial, c) && !contains(left, c))
            left = sas_add(arena, left, c);
    }
    return left;
}

/* Are all conclusions among what is given, so that nothing is to be proved? */
static bool is_plain(const struct document_region *region, const struct claim *claim)
{
    struct arena *scratch = arena_new();
    size_t left = conclusions_left(scratch, region, claim).count;
    arena_free(scratch);
    return claim->form == CLAIM_TEXT || (claim->form == CLAIM_IMPLIES && left == 0);
}

typedef VEC(const struct formula *) formula_list;

static void assert_system(struct arena *arena, formula_list *list, struct sas sas)
{
    for (size_t i = 0; i < sas.count; i++)
        vec_push(arena, list, formula_atom(arena, sas.at[i]));
}

static bool is_used(const formula_list *list, int variable)
{
    for (size_t i = 0; i < list->count; i++)
        if (formula_uses(list->at[i], variable))
            return true;
    return false;
}

/* How the auxiliary integers that are used compare. */
static void assert_orders(struct arena *arena, formula_list *list,
                          const struct document_region *region)
{
    for (size_t i = 0; i < region->n_auxiliaries; i++)
        for (size_t k = i + 1; k < region->n_auxiliaries; k++) {
            const struct document_auxiliary *a = &region->auxiliaries[i],
                                            *b = &region->auxiliaries[k];
            if (!is_used(list, a->variable) || !is_used(list, b->variable))
                continue;
            vec_push(arena, list,
                     term_order(arena, a->term, poly_variable(region->ring, a->variable), b->term,
                                poly_variable(region->ring, b->variable)));
        }
}

struct check_question *claim_question(struct arena *arena, const struct document_region *region,
                                      const struct claim *claim)
{
    struct check_question *question = ARENA_NEW(arena, struct check_question);
    bool *integer = ARENA_ARRAY(arena, bool, RING_CAPACITY);
    formula_list list = {0};
    struct sas left = conclusions_left(arena, region, claim);
    assert_system(arena, &list, region->initial);
    assert_system(arena, &list, claim->premises);
    if (claim->besides)
        vec_push(arena, &list, claim->besides);
    if (left.count)
        vec_push(arena, &list, formula_not(arena, formula_sas(arena, left)));
    for (size_t i = region->n_auxiliaries; i-- > 0;)
        if (is_used(&list, region->auxiliaries[i].variable))
            vec_push(arena, &list, region->auxiliaries[i].facts);
    assert_orders(arena, &list, region);
    memset(integer, 1, RING_CAPACITY * sizeof *integer);
    *question = (struct check_question){region->ring, list.at, list.count, integer, 0};
    return question;
}

/* --- points ---------------------------------------------------------------------------------- */

/* "N = 16, s = 2", of what the claim speaks of. */
static const char *point_text(struct arena *arena, const struct document_region *region,
                              const struct claim *claim, const int64_t *point)
{
    struct str text = str_new(arena);
    for (int v = 0; v < ring_count(region->ring); v++)
        if (sas_uses(claim->premises, v) || sas_uses(claim->conclusions, v) ||
            (claim->besides && formula_uses(claim->besides, v)))
            str_addf(&text, "%s%s = %lld", text.length ? ", " : "", ring_name(region->ring, v),
                     (long long)point[v]);
    return text.length ? text.text : "any point";
}

static const char *constraint_string(struct arena *arena, const struct document_region *region,
                                     struct constraint c)
{
    struct str text = str_new(arena);
    constraint_print(&text, c, region->machine);
    return text.text;
}

/* ", as does the case of leaf 3": the other cases that hold at the point. */
static const char *cases_there(struct arena *arena, const struct document_region *region,
                               const int64_t *point)
{
    struct str text = str_new(arena);
    for (size_t i = 0; i < region->n_leaves; i++)
        for (size_t k = 0; k < region->leaves[i].n_cases; k++)
            if (sas_holds(region->leaves[i].cases[k].path, point) == 1)
                str_addf(&text, "%sleaf %d, case %zu", text.length ? " and " : "",
                         region->leaves[i].id, k + 1);
    return text.length ? text.text : "none";
}

/* The first constraint that does not hold there, as a text; NULL if all hold or one leaves
   64 bits. */
static const char *first_broken(struct arena *arena, const struct document_region *region,
                                struct sas sas, const int64_t *point)
{
    for (size_t i = 0; i < sas.count; i++) {
        int holds = constraint_holds(sas.at[i], point);
        if (holds != 1)
            return holds == 0 ? constraint_string(arena, region, sas.at[i]) : NULL;
    }
    return NULL;
}

/* The auxiliary integers of which the claim speaks, as they are defined. */
static bool point_complete(const struct document_region *region, const struct claim *claim,
                           int64_t *point)
{
    bool used[RING_CAPACITY] = {false};
    for (size_t i = region->n_auxiliaries; i-- > 0;) {
        int v = region->auxiliaries[i].variable;
        used[i] = sas_uses(claim->premises, v) || sas_uses(claim->conclusions, v) ||
                  (claim->besides && formula_uses(claim->besides, v));
        for (size_t k = i + 1; k < region->n_auxiliaries; k++)
            used[i] |= used[k] && term_uses(region->auxiliaries[k].term, v);
    }
    for (size_t i = 0; i < region->n_auxiliaries; i++) {
        const struct document_auxiliary *a = &region->auxiliaries[i];
        if (used[i] && !term_evaluate(a->term, point, &point[a->variable]))
            return false;
    }
    return true;
}

const char *claim_broken(struct arena *arena, const struct document_region *region,
                         const struct claim *claim, const int64_t *given)
{
    int64_t point[RING_CAPACITY];
    memcpy(point, given, sizeof point);
    bool inside = point_complete(region, claim, point) && sas_holds(region->initial, point) == 1 &&
                  sas_holds(claim->premises, point) == 1 &&
                  (!claim->besides || formula_holds(claim->besides, point) == 1);
    const char *broken = inside ? first_broken(arena, region, claim->conclusions, point) : NULL;
    if (!inside || (claim->form == CLAIM_IMPLIES && !broken))
        return NULL;
    const char *at = point_text(arena, region, claim, point);
    const char *also = claim->kind != CLAIM_COVER && claim->kind != CLAIM_APART
                           ? ""
                           : arena_printf(arena, "; the cases that hold there: %s",
                                          cases_there(arena, region, point));
    if (!broken)
        return arena_printf(arena, "a point is there: %s%s", at, also);
    return arena_printf(arena, "%s'%s' does not hold at %s%s", failures[claim->kind], broken, at,
                        also);
}

/* Why the witness is no point of the case; NULL if it is one. */
static const char *witness_fault(struct arena *arena, const struct document_region *region,
                                 const struct claim *claim)
{
    int64_t point[RING_CAPACITY];
    memcpy(point, claim->point, sizeof point);
    for (size_t i = 0; i < region->n_auxiliaries; i++) {
        const struct document_auxiliary *a = &region->auxiliaries[i];
        if (!term_evaluate(a->term, point, &point[a->variable]))
            return arena_printf(arena, "its witness gives %s = %s no value", a->name, a->text);
        if (point[a->variable] != claim->point[a->variable])
            return arena_printf(arena, "its witness has %s = %lld, but %s is %lld there", a->name,
                                (long long)claim->point[a->variable], a->text,
                                (long long)point[a->variable]);
    }
    const char *broken = first_broken(arena, region, region->initial, point);
    broken = broken ? broken : first_broken(arena, region, claim->premises, point);
    if (broken)
        return arena_printf(arena, "'%s' does not hold at its witness", broken);
    bool holds = sas_holds(region->initial, point) == 1 && sas_holds(claim->premises, point) == 1;
    return holds ? NULL : "a value at its witness leaves 64 bits";
}

/* --- certificates ---------------------------------------------------------------------------- */

static struct claim_result certificate_check(struct arena *arena,
                                             const struct document_region *region,
                                             const struct claim *claim, const char *certificate,
                                             struct claim_cost *cost)
{
    struct arena *scratch = arena_new();
    struct check_question *question = claim_question(scratch, region, claim);
    struct claim_result result = {.evidence = certificate};
    bool somewhere = strncmp(certificate, "(sat", strlen("(sat")) == 0;
    const char *why = NULL;
    clock_t start = clock();
    enum check_outcome outcome = check_certificate(arena, question, certificate, &why);
    cost->checker += (double)(clock() - start) / CLOCKS_PER_SEC;
    if (outcome == CHECK_VERIFIED && somewhere && claim->form != CLAIM_SOMEWHERE) {
        outcome = CHECK_REFUTED;
        why = "it is a point, where a proof should stand";
    }
    result.status = somewhere ? CLAIM_WITNESSED : CLAIM_PROVED;
    if (outcome == CHECK_REFUTED) {
        result.status = CLAIM_FAILED;
        result.why = arena_printf(arena, "its certificate proves nothing: %s", why);
    } else if (outcome == CHECK_UNCHECKED) {
        result.status = CLAIM_OPEN;
        result.why = arena_printf(arena, "the checker did not finish: %s", why);
    } else if (!somewhere && claim->form == CLAIM_SOMEWHERE) {
        result.status = CLAIM_UNSTATED;
        result.why = "it is proved to have no integer point, which the tree does not say";
    }
    arena_free(scratch);
    return result;
}

/* What needs no certificate: claims that are read, and those that the tree does not state. */
static bool claim_settled(const struct document_region *region, const struct claim *claim,
                          struct claim_result *result)
{
    if (claim->unstated) {
        *result = (struct claim_result){CLAIM_UNSTATED, NULL, claim->unstated};
        return true;
    }
    bool plain = is_plain(region, claim);
    *result = (struct claim_result){claim->fault ? CLAIM_FAILED : CLAIM_READ, NULL, claim->fault};
    return plain;
}

struct claim_result claim_check(struct arena *arena, const struct document_region *region,
                                const struct claim *claim, const char *certificate,
                                struct claim_cost *cost)
{
    struct claim_result result;
    if (claim_settled(region, claim, &result))
        return result;
    const char *fault = claim->point ? witness_fault(arena, region, claim)
                                                        : NULL;
    if (fault)
        return (struct claim_result){CLAIM_FAILED, NULL, fault};
    if (!certificate)
        return (struct claim_result){CLAIM_OPEN, NULL, "there is no certificate of it"};
    return certificate_check(arena, region, claim, certificate, cost);
}
