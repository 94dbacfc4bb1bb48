/* The order of variables. In: the polynomials of a question; out: the variables that occur, the
   first to be assigned first. Brown's heuristic (tutorial at ISSAC 2004) names the variable to be
   eliminated first, here assigned last: least degree, then least total degree of a term that
   contains it, then fewest such terms. Ties by number. */
#include "base/map.h"
#include "base/vec.h"
#include "constraints/cover/cover.h"
#include "constraints/ring.h"
#include <stdlib.h>

struct measure {
    int variable;
    bool occurs;
    unsigned degree, total, terms;
};

/* An equation: the variables in it, not yet assigned. */
struct equation {
    const struct poly *poly;
    uint64_t variables;
};

struct survey {
    struct map *seen;
    struct arena *scratch;
    struct measure *measures;
    int variables;
    VEC(struct equation) equations;
};

static void survey_polynomial(struct survey *survey, const struct poly *p, bool equation)
{
    uint64_t variables = 0;
    const fmpz_mpoly_ctx_struct *ctx = p->ring->ctx->zctx;
    ulong exponents[RING_CAPACITY];
    for (slong i = 0; i < p->value->zpoly->length; i++) {
        unsigned total = 0;
        mpoly_exponents(exponents, p->value->zpoly, i, ctx);
        for (int v = 0; v < survey->variables; v++)
            total += (unsigned)exponents[v];
        for (int v = 0; v < survey->variables; v++) {
            struct measure *m = &survey->measures[v];
            if (!exponents[v])
                continue;
            m->occurs = true;
            variables |= (uint64_t)1 << v;
            m->degree = exponents[v] > m->degree ? (unsigned)exponents[v] : m->degree;
            m->total = total > m->total ? total : m->total;
            m->terms++;
        }
    }
    if (equation)
        vec_push(survey->scratch, &survey->equations, ((struct equation){p, variables}));
}

static void survey_formula(struct survey *survey, const struct formula *f)
{
    if (map_get_pointer(survey->seen, f))
        return;
    map_put_pointer(survey->seen, f, (void *)f);
    if (f->kind == FORMULA_ATOM && f->constraint.poly)
        survey_polynomial(survey, f->constraint.poly, f->constraint.relation == RELATION_EQ);
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

/* The variable that an equation determines once the others in it are assigned, of least degree; -1:
   there is none. */
static int determined(const struct survey *survey)
{
    int best = -1;
    unsigned best_degree = 0;
    for (size_t i = 0; i < survey->equations.count; i++) {
        const struct equation *e = &survey->equations.at[i];
        if (!e->variables || (e->variables & (e->variables - 1)))
            continue;
        int v = __builtin_ctzll(e->variables);
        unsigned degree = poly_degree(e->poly, v);
        if (best < 0 || degree < best_degree) {
            best = v;
            best_degree = degree;
        }
    }
    return best;
}

static void assign(struct survey *survey, int variable, int *order, size_t *levels)
{
    order[(*levels)++] = variable;
    for (size_t i = 0; i < survey->equations.count; i++)
        survey->equations.at[i].variables &= ~((uint64_t)1 << variable);
}

const int *engine_order(struct arena *arena, struct ring *ring,
                        const struct formula *const *assertions, size_t count, size_t *levels)
{
    struct measure measures[RING_CAPACITY] = {{0}};
    struct arena *scratch = arena_new();
    struct survey survey = {.seen = map_new(scratch),
                            .scratch = scratch,
                            .measures = measures,
                            .variables = ring_count(ring)};
    int *order = ARENA_ARRAY(arena, int, survey.variables + 1);
    uint64_t assigned = 0;
    for (int v = 0; v < survey.variables; v++)
        measures[v].variable = v;
    for (size_t i = 0; i < count; i++)
        survey_formula(&survey, assertions[i]);
    qsort(measures, (size_t)survey.variables, sizeof *measures, compare_measures);
    *levels = 0;
    for (int i = 0; i < survey.variables;) {
        int v = determined(&survey);
        if (v < 0)
            v = measures[i].variable;
        if (v == measures[i].variable || assigned >> measures[i].variable & 1)
            i++;
        if (assigned >> v & 1)
            continue;
        bool occurs = false;
        for (int k = 0; k < survey.variables; k++)
            occurs |= measures[k].variable == v && measures[k].occurs;
        if (occurs)
            assign(&survey, v, order, levels);
        assigned |= (uint64_t)1 << v;
    }
    arena_free(scratch);
    return order;
}
