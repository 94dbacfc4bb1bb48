/* The order of variables. In: the polynomials of a question; out: the variables that occur, the first to be assigned first.
   Brown's heuristic (tutorial at ISSAC 2004) names the variable to be eliminated first, here assigned last: least
   degree, then least total degree of a term that contains it, then fewest such terms. Ties by number. */
#include "base/map.h"
#include "constraints/cover/cover.h"
#include "constraints/ring.h"
#include <stdlib.h>

struct measure {
    int variable;
    bool occurs;
    unsigned degree, total, terms;
};

struct survey {
    struct map *seen;
    struct measure *measures;
    int variables;
};

static void survey_polynomial(struct survey *survey, const struct poly *p)
{
    const fmpz_mpoly_ctx_struct *ctx = p->ring->ctx->zctx;
    ulong exponents[RING_CAPACITY];
    for (slong i = 0; i < p->value->zpoly->length; i++) {
        unsigned total = 0;
        fmpz_mpoly_get_term_exp_ui(exponents, p->value->zpoly, i, ctx);
        for (int v = 0; v < survey->variables; v++)
            total += (unsigned)exponents[v];
        for (int v = 0; v < survey->variables; v++) {
            struct measure *m = &survey->measures[v];
            if (!exponents[v])
                continue;
            m->occurs = true;
            m->degree = exponents[v] > m->degree ? (unsigned)exponents[v] : m->degree;
            m->total = total > m->total ? total : m->total;
            m->terms++;
        }
    }
}

static void survey_formula(struct survey *survey, const struct formula *f)
{
    if (map_get_pointer(survey->seen, f))
        return;
    map_put_pointer(survey->seen, f, (void *)f);
    if (f->kind == FORMULA_ATOM && f->constraint.poly)
        survey_polynomial(survey, f->constraint.poly);
    for (size_t i = 0; i < f->count; i++)
        survey_formula(survey, f->at[i]);
}

/* What is assigned first comes first. */
static int compare_measures(const void *a, const void *b)
{
    const struct measure *x = a, *y = b;
    if (x->degree != y->degree)
        return x->degree > y->degree ? -1 : 1;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    if (x->terms != y->terms)
        return x->terms > y->terms ? -1 : 1;
    return x->variable - y->variable;
}

const int *engine_order(struct arena *arena, struct ring *ring, const struct formula *const *assertions, size_t count,
                        size_t *levels)
{
    struct measure measures[RING_CAPACITY] = {{0}};
    struct arena *scratch = arena_new();
    struct survey survey = {map_new(scratch), measures, ring_count(ring)};
    for (int v = 0; v < survey.variables; v++)
        measures[v].variable = v;
    for (size_t i = 0; i < count; i++)
        survey_formula(&survey, assertions[i]);
    arena_free(scratch);
    qsort(measures, (size_t)survey.variables, sizeof *measures, compare_measures);
    int *order = ARENA_ARRAY(arena, int, survey.variables + 1);
    *levels = 0;
    for (int i = 0; i < survey.variables; i++)
        if (measures[i].occurs)
            order[(*levels)++] = measures[i].variable;
    return order;
}
