/* Subscripts that conditions choose: `x == 0 ? w - 1 : x - 1`, also of a local scalar, and sums of
   such. In: an integer expression in the present scope. Out: the linear form of one of the choices,
   the usual one, and how many there are.

   The usual one moves with every axis of the block as the others do, or more: an axis's coefficient
   in another choice is the same, its negative, or 0. So no choice of a warp reaches more lines than
   the usual one anywhere in a line, and all together at most as many times as there are choices.
   Where that is not certain there is none. What decides between them does not count: the border of
   a torus, a clamped neighbour and a flag are alike. It serves counters alone; whether iterations
   are independent asks for the subscripts as they are. */
#include "ir/access/analysis.h"

static bool is_thread(const struct analysis *analysis, int iterator)
{
    return analysis->iterators.at[iterator].level == LEVEL_THREAD;
}

/* Does the form know what each thread's value is? */
static bool form_is_known(const struct analysis *analysis, const struct form *form)
{
    for (int i = 0; i < form->n_terms; i++)
        if (analysis->iterators.at[form->terms[i].iterator].level == LEVEL_FRESH)
            return false;
    return true;
}

/* Moves `less` with each axis of the block as `more` does, the other way, or not at all? */
static bool form_moves_less(const struct analysis *analysis, const struct form *less,
                            const struct form *more)
{
    for (int i = 0; i < less->n_terms; i++) {
        const struct poly *own = less->terms[i].coefficient,
                          *other = form_coefficient(more, less->terms[i].iterator);
        if (!is_thread(analysis, less->terms[i].iterator))
            continue;
        if (!other || (!poly_equal(own, other) && !poly_equal(own, poly_neg(other))))
            return false;
    }
    return true;
}

static bool share_axis(const struct analysis *analysis, const struct form *a, const struct form *b)
{
    for (int i = 0; i < a->n_terms; i++)
        if (is_thread(analysis, a->terms[i].iterator) &&
            form_coefficient(b, a->terms[i].iterator))
            return true;
    return false;
}

static const struct form *usual_select(struct analysis *analysis, const struct expr *e,
                                       int64_t *choices)
{
    int64_t n[2] = {1, 1};
    const struct form *a = form_usual(analysis, e->arguments[1], &n[0]),
                      *b = a ? form_usual(analysis, e->arguments[2], &n[1]) : NULL;
    if (!b || !form_is_known(analysis, a) || !form_is_known(analysis, b))
        return NULL;
    *choices *= n[0] + n[1];
    if (form_moves_less(analysis, b, a))
        return a;
    return form_moves_less(analysis, a, b) ? b : NULL;
}

/* Sums of what does not move with one axis both, so that nothing cancels. */
static const struct form *usual_binary(struct analysis *analysis, const struct expr *e,
                                       int64_t *choices)
{
    if (e->op != OP_ADD && e->op != OP_SUB && e->op != OP_MUL)
        return NULL;
    int64_t before = *choices;
    const struct form *a = form_usual(analysis, e->arguments[0], choices);
    bool is_chosen = *choices != before;
    const struct form *b = a ? form_usual(analysis, e->arguments[1], choices) : NULL;
    if (!b || (e->op != OP_MUL && share_axis(analysis, a, b)))
        return NULL;
    if (e->op == OP_ADD)
        return form_add(analysis, a, b);
    if (e->op == OP_SUB)
        return form_sub(analysis, a, b);
    bool factor_is_chosen = *choices != before && !is_chosen;
    if (b->n_terms == 0 && !factor_is_chosen)
        return form_scale(analysis, a, b->constant);
    return a->n_terms == 0 && !is_chosen ? form_scale(analysis, b, a->constant) : NULL;
}

const struct form *form_usual(struct analysis *analysis, const struct expr *e, int64_t *choices)
{
    const struct form *form = form_of(analysis, e);
    if (form || type_is_floating(e->type))
        return form;
    switch (e->kind) {
    case EXPR_SELECT: return usual_select(analysis, e, choices);
    case EXPR_BINARY: return usual_binary(analysis, e, choices);
    case EXPR_CAST: {
        bool is_kept = type_bytes(e->type) >= 4 && type_bytes(e->arguments[0]->type) >= 4;
        return is_kept ? form_usual(analysis, e->arguments[0], choices) : NULL;
    }
    case EXPR_VAR: {
        const struct scope_binding *binding = scope_find(analysis, e->var);
        return binding && binding->expr ? form_usual(analysis, binding->expr, choices) : NULL;
    }
    default: return NULL;
    }
}
