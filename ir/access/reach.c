/* Between which linear forms does an integer lie? For extents of arrays whose subscripts are
   clamped: by ifs around assignments, by selections, by remainders.

   In: expressions in the present scope, and the walk's news of assignments and conditions. Out: per
   value two lists: it is at least the least of `lo` and at most the greatest of `hi`; an empty list
   says nothing. A scalar that is assigned more than once keeps its bounds in its binding: an
   assignment replaces them, a condition on the scalar replaces the end that it speaks of, and where
   two ways meet, the lists are joined. In a loop, and behind it, nothing is known of what its body
   assigns. Unsigned and narrow comparisons say nothing: they may wrap. */
#include "ir/access/analysis.h"
#include <string.h>

static struct reached reach_form(const struct form *form)
{
    struct reached bounds = {0};
    if (form) {
        bounds.n[0] = bounds.n[1] = 1;
        bounds.at[0][0] = bounds.at[1][0] = form;
    }
    return bounds;
}

/* Is a below b, or equal, for all values of the iterators? */
static bool form_below(struct analysis *analysis, const struct form *a, const struct form *b)
{
    const struct poly *least = form_extreme(analysis, analysis->context, NULL,
                                            form_sub(analysis, b, a), false);
    return least && context_nonnegative(analysis->context, least);
}

/* Adds a form to the list of one end unless another covers it; false if the list is full. */
static bool end_add(struct analysis *analysis, struct reached *bounds, int end,
                    const struct form *form)
{
    for (int i = 0; i < bounds->n[end]; i++) {
        const struct form *have = bounds->at[end][i];
        if (form_equal(have, form) || form_below(analysis, end ? form : have, end ? have : form))
            return true;
    }
    for (int i = 0; i < bounds->n[end]; i++)
        if (form_below(analysis, end ? bounds->at[end][i] : form,
                       end ? form : bounds->at[end][i])) {
            bounds->at[end][i] = form;
            return true;
        }
    if (bounds->n[end] == REACH_LIST)
        return false;
    bounds->at[end][bounds->n[end]++] = form;
    return true;
}

struct reached reach_join(struct analysis *analysis, struct reached a, struct reached b)
{
    struct reached both = a;
    for (int end = 0; end < 2; end++) {
        bool known = a.n[end] && b.n[end];
        for (int i = 0; i < b.n[end] && known; i++)
            known = end_add(analysis, &both, end, b.at[end][i]);
        both.n[end] = known ? both.n[end] : 0;
    }
    return both;
}

static struct reached reach_add(struct analysis *analysis, struct reached a, struct reached b)
{
    struct reached sum = {0};
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < a.n[end]; i++)
            for (int k = 0; k < b.n[end]; k++)
                if (!end_add(analysis, &sum, end,
                             form_add(analysis, a.at[end][i], b.at[end][k]))) {
                    sum.n[end] = 0;
                    i = a.n[end];
                    break;
                }
    return sum;
}

/* Nothing is known where the factor's sign is open. */
static struct reached reach_scale(struct analysis *analysis, struct reached a,
                                  const struct form *factor)
{
    struct reached product = {0};
    if (!factor || factor->n_terms)
        return product;
    int direction = context_direction(analysis->context, factor->constant);
    if (direction == 2)
        return product;
    for (int end = 0; end < 2; end++) {
        int from = direction < 0 ? 1 - end : end;
        product.n[end] = a.n[from];
        for (int i = 0; i < a.n[from]; i++)
            product.at[end][i] = form_scale(analysis, a.at[from][i], factor->constant);
    }
    return product;
}

static const struct expr *without_casts(const struct expr *e)
{
    while (e->kind == EXPR_CAST && type_bytes(e->type) >= 4 && !type_is_floating(e->type) &&
           type_bytes(e->arguments[0]->type) >= 4 && !type_is_floating(e->arguments[0]->type))
        e = e->arguments[0];
    return e;
}

static enum op op_swap(enum op op)
{
    switch (op) {
    case OP_LT: return OP_GT;
    case OP_LE: return OP_GE;
    case OP_GT: return OP_LT;
    case OP_GE: return OP_LE;
    default: return op;
    }
}

/* Of two true lists for one end the one that mentions fewer iterators is kept, the new one if there
   is no difference: w - 1 says more than x - 1. */
static int terms_of(const struct reached *bounds, int end)
{
    int terms = 0;
    for (int i = 0; i < bounds->n[end]; i++)
        terms += bounds->at[end][i]->n_terms;
    return terms;
}

/* `value` op `other` holds. */
static void reach_compare(struct analysis *analysis, struct reached *bounds, enum op op,
                           struct reached other)
{
    if (op == OP_NE || op < OP_LT || op > OP_NE)
        return;
    for (int end = 0; end < 2; end++) {
        bool says = op == OP_EQ || (end ? op == OP_LT || op == OP_LE : op == OP_GT || op == OP_GE);
        if (!says || !other.n[end] ||
            (bounds->n[end] && terms_of(bounds, end) < terms_of(&other, end)))
            continue;
        int64_t shift = op == OP_LT ? -1 : op == OP_GT ? 1 : 0;
        bounds->n[end] = other.n[end];
        for (int i = 0; i < other.n[end]; i++)
            bounds->at[end][i] = form_add(analysis, other.at[end][i],
                                          form_integer(analysis, shift));
    }
}

void reach_refine(struct analysis *analysis, struct reached *bounds, const struct expr *value,
                   const struct expr *condition, bool negated)
{
    while (condition->kind == EXPR_UNARY && condition->op == OP_NOT) {
        negated = !negated;
        condition = condition->arguments[0];
    }
    if (condition->kind != EXPR_BINARY)
        return;
    if (condition->op == (negated ? OP_LOR : OP_LAND)) {
        reach_refine(analysis, bounds, value, condition->arguments[0], negated);
        reach_refine(analysis, bounds, value, condition->arguments[1], negated);
        return;
    }
    const struct expr *a = condition->arguments[0], *b = condition->arguments[1];
    if (condition->op < OP_LT || condition->op > OP_NE || !type_is_signed(a->type) ||
        type_is_floating(a->type))
        return;
    enum op op = negated ? op_negate(condition->op) : condition->op;
    if (expr_equal(without_casts(a), without_casts(value)))
        reach_compare(analysis, bounds, op, reach_of(analysis, b));
    else if (expr_equal(without_casts(b), without_casts(value)))
        reach_compare(analysis, bounds, op_swap(op), reach_of(analysis, a));
}

/* The conditions of selections around an arm. */
struct arm {
    const struct expr *condition;
    bool negated;
    const struct arm *outer;
};

static struct reached reach_under(struct analysis *analysis, const struct expr *e,
                                  const struct arm *arm);

static struct reached reach_select(struct analysis *analysis, const struct expr *e,
                                   const struct arm *outer)
{
    struct arm yes = {e->arguments[0], false, outer}, no = {e->arguments[0], true, outer};
    struct reached a = reach_under(analysis, e->arguments[1], &yes);
    return reach_join(analysis, a, reach_under(analysis, e->arguments[2], &no));
}

/* One end of a % c, at `most` by c alone: 0 where a lies on the other side of 0, a's own end where
   that is nearer to 0. */
static void reach_near(struct analysis *analysis, struct reached *bounds, const struct reached *a,
                       int end)
{
    const struct form *most = bounds->at[end][0], *zero = form_integer(analysis, 0);
    bool beyond = a->n[end] > 0, nearer = beyond;
    for (int i = 0; i < a->n[end]; i++) {
        const struct form *own = a->at[end][i];
        beyond = beyond && form_below(analysis, end ? own : zero, end ? zero : own);
        nearer = nearer && form_below(analysis, end ? zero : own, end ? own : zero) &&
                 form_below(analysis, end ? own : most, end ? most : own);
    }
    if (beyond) {
        bounds->at[end][0] = zero;
    } else if (nearer) {
        bounds->n[end] = a->n[end];
        memcpy(bounds->at[end], a->at[end], (size_t)a->n[end] * sizeof a->at[end][0]);
    }
}

/* a % c or a & c, where c is a literal above 0; an unsigned remainder and what is masked are not
   negative. */
static struct reached reach_literal(struct analysis *analysis, const struct expr *e,
                                    const struct arm *arm)
{
    int64_t c;
    bool masks = e->op == OP_AND;
    if (!expr_get_integer(without_casts(e->arguments[1]), &c) || c <= 0)
        return (struct reached){0};
    int64_t most = masks ? c : c - 1, least = masks || !type_is_signed(e->type) ? 0 : -most;
    struct reached bounds = reach_form(form_integer(analysis, most));
    bounds.at[0][0] = form_integer(analysis, least);
    if (!masks && type_is_signed(e->type)) {
        struct reached a = reach_under(analysis, e->arguments[0], arm);
        reach_near(analysis, &bounds, &a, 0);
        reach_near(analysis, &bounds, &a, 1);
    }
    return bounds;
}

static struct reached reach_binary(struct analysis *analysis, const struct expr *e,
                                   const struct arm *arm)
{
    const struct expr *a = e->arguments[0], *b = e->arguments[1];
    if (e->op == OP_ADD)
        return reach_add(analysis, reach_under(analysis, a, arm), reach_under(analysis, b, arm));
    if (e->op == OP_SUB)
        return reach_add(analysis, reach_under(analysis, a, arm),
                          reach_scale(analysis, reach_under(analysis, b, arm),
                                       form_integer(analysis, -1)));
    if (e->op == OP_REM || e->op == OP_AND)
        return reach_literal(analysis, e, arm);
    const struct form *factor = e->op == OP_MUL ? form_of(analysis, b) : NULL;
    if (factor && factor->n_terms == 0)
        return reach_scale(analysis, reach_under(analysis, a, arm), factor);
    factor = e->op == OP_MUL ? form_of(analysis, a) : NULL;
    return reach_scale(analysis, reach_under(analysis, b, arm), factor);
}

static struct reached reach_plain(struct analysis *analysis, const struct expr *e,
                                  const struct arm *arm)
{
    const struct form *form = form_of(analysis, e);
    if (form)
        return reach_form(form);
    switch (e->kind) {
    case EXPR_VAR: {
        const struct scope_binding *binding = scope_find(analysis, e->var);
        return binding && binding->bounds ? *binding->bounds : (struct reached){0};
    }
    case EXPR_UNARY:
        if (e->op == OP_NEG)
            return reach_scale(analysis, reach_under(analysis, e->arguments[0], arm),
                                form_integer(analysis, -1));
        return (struct reached){0};
    case EXPR_BINARY: return reach_binary(analysis, e, arm);
    case EXPR_SELECT: return reach_select(analysis, e, arm);
    default: return (struct reached){0};
    }
}

static struct reached reach_under(struct analysis *analysis, const struct expr *e,
                                  const struct arm *arm)
{
    e = without_casts(e);
    if (type_is_floating(e->type) || type_bytes(e->type) < 4)
        return (struct reached){0};
    struct reached bounds = reach_plain(analysis, e, arm);
    for (; arm; arm = arm->outer)
        reach_refine(analysis, &bounds, e, arm->condition, arm->negated);
    return bounds;
}

struct reached reach_of(struct analysis *analysis, const struct expr *e)
{
    return reach_under(analysis, e, NULL);
}
