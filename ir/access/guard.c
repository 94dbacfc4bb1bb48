/* In: a condition that holds (or, negated, does not) where a reference is made. Out: guards, forms
   that are >= 0 there, and facts, the same without iterators. What a condition says beyond that is
   lost: for refutations this errs on the safe side, and the return value tells those who need the
   exact set.

   Comparisons of unsigned values are taken over the integers only if the greater side cannot be
   negative: i - 1 > c with i = 0 is true in C. Inequality (!=) is expressed where one side is known
   not to exceed the other, by the ranges or by an earlier guard: p < n and p != n - 1 give p <= n
   - 2. */
#include "ir/access/analysis.h"

static void guard_add(struct analysis *analysis, const struct form *form, struct guards *out)
{
    if (form->n_terms)
        vec_push(analysis->arena, &out->forms, form);
    else
        vec_push(analysis->arena, &out->facts, form->constant);
}

static bool form_never_negative(struct analysis *analysis, const struct form *a)
{
    const struct poly *least = form_extreme(analysis, analysis->context, NULL, a, false);
    return least && context_nonnegative(analysis->context, least);
}

/* a - b - slack >= 0 */
static void guard_greater(struct analysis *analysis, const struct form *a, const struct form *b,
                          int64_t slack, struct guards *out)
{
    guard_add(analysis, form_sub(analysis, form_sub(analysis, a, b), form_integer(analysis, slack)),
              out);
}

/* By the ranges alone, or because a guard that is >= 0 never exceeds a. */
static bool form_kept_positive(struct analysis *analysis, const struct form *a,
                               struct guards *known)
{
    if (form_never_negative(analysis, a))
        return true;
    for (size_t i = 0; i < known->forms.count; i++)
        if (form_never_negative(analysis, form_sub(analysis, a, known->forms.at[i]))) {
            known->leans = true;
            return true;
        }
    return false;
}

static bool guard_unequal(struct analysis *analysis, const struct form *a, const struct form *b,
                          struct guards *out)
{
    if (form_kept_positive(analysis, form_sub(analysis, a, b), out))
        guard_greater(analysis, a, b, 1, out);
    else if (form_kept_positive(analysis, form_sub(analysis, b, a), out))
        guard_greater(analysis, b, a, 1, out);
    else
        return false;
    return true;
}

static bool guard_compare(struct analysis *analysis, const struct form *a, const struct form *b,
                          enum op op, bool is_unsigned, struct guards *out)
{
    if (op == OP_GT || op == OP_GE) {
        const struct form *swap = a;
        a = b, b = swap;
        op = op == OP_GT ? OP_LT : OP_LE;
    }
    if (is_unsigned && !form_never_negative(analysis, b))
        return false;
    if (is_unsigned && (op == OP_EQ || op == OP_NE) && !form_never_negative(analysis, a))
        return false;
    switch (op) {
    case OP_LT: guard_greater(analysis, b, a, 1, out); break;
    case OP_LE: guard_greater(analysis, b, a, 0, out); break;
    case OP_EQ:
        guard_greater(analysis, a, b, 0, out);
        guard_greater(analysis, b, a, 0, out);
        break;
    default: return guard_unequal(analysis, a, b, out);
    }
    /* The smaller side may wrap to a large value: then the guard holds in more places than
       the condition. */
    return !is_unsigned || form_never_negative(analysis, a);
}

static bool is_comparison(const struct expr *e)
{
    return e->kind == EXPR_BINARY && e->op >= OP_LT && e->op <= OP_NE;
}

bool guard_collect(struct analysis *analysis, const struct expr *e, bool negated,
                   struct guards *out)
{
    while ((e->kind == EXPR_CAST && !type_is_floating(e->arguments[0]->type) &&
            type_bytes(e->type) >= 4) ||
           (e->kind == EXPR_CAST && e->type == TYPE_BOOL) ||
           (e->kind == EXPR_UNARY && e->op == OP_NOT)) {
        negated ^= e->kind == EXPR_UNARY;
        e = e->arguments[0];
    }
    if (e->kind == EXPR_BINARY && e->op == (negated ? OP_LOR : OP_LAND)) {
        bool left = guard_collect(analysis, e->arguments[0], negated, out);
        return guard_collect(analysis, e->arguments[1], negated, out) && left;
    }
    if (is_comparison(e)) {
        const struct form *a = form_of(analysis, e->arguments[0]),
                          *b = a ? form_of(analysis, e->arguments[1]) : NULL;
        bool is_unsigned = !type_is_signed(e->arguments[0]->type);
        return b &&
               guard_compare(analysis, a, b, negated ? op_negate(e->op) : e->op, is_unsigned, out);
    }
    const struct form *a = form_of(analysis, e);
    return a && guard_compare(analysis, a, form_integer(analysis, 0), negated ? OP_EQ : OP_NE,
                              false, out);
}
