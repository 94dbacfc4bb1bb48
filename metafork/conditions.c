/* Conditions of a kernel as polynomials that are at least 0, and what they imply.

   In: conditions, bounds of loops and facts, over the numbers of digits.c. Out: a set of them, and
   whether it shows another.
   A condition is shown from others by subtraction: p >= 0 follows if p - q1 - q2 … cannot be
   negative, where each q is known to be at least 0 and iterators take the end of their range that
   their coefficient's sign points to. */
#include "metafork/digits.h"
#include <string.h>

static void condition_add(struct conditions *c, const struct poly *p)
{
    if (p && c->n < CONDITIONS_MAX)
        c->at[c->n++] = p;
}

static bool is_truth_value(const struct expr *e)
{
    bool compares = e->kind == EXPR_BINARY && e->op >= OP_LT;
    return compares || (e->kind == EXPR_UNARY && e->op == OP_NOT);
}

static enum op comparison_negated(enum op op)
{
    static const enum op opposite[] = {[OP_LT] = OP_GE, [OP_LE] = OP_GT, [OP_GT] = OP_LE,
                                       [OP_GE] = OP_LT, [OP_EQ] = OP_NE, [OP_NE] = OP_EQ};
    return opposite[op];
}

static const struct expr *carried_inside(struct numbers *d, const struct expr *c, bool negated)
{
    c = expr_uncast(c);
    if (c->kind == EXPR_UNARY && c->op == OP_NOT)
        return carried_inside(d, c->arguments[0], !negated);
    if (!is_truth_value(c) || type_is_floating(c->arguments[0]->type))
        return negated ? expr_unary(d->arena, OP_NOT, c) : c;
    const struct expr *a = c->arguments[0], *b = c->arguments[1];
    if (c->op == OP_LAND || c->op == OP_LOR) {
        enum op op = (c->op == OP_LAND) != negated ? OP_LAND : OP_LOR;
        return expr_binary(d->arena, op, carried_inside(d, a, negated),
                           carried_inside(d, b, negated));
    }
    bool is_named = (c->op == OP_EQ || c->op == OP_NE) && is_truth_value(expr_uncast(a)) &&
                    digits_is_integer(d, b, 0);
    if (is_named)
        return carried_inside(d, a, (c->op == OP_EQ) != negated);
    return negated ? expr_binary(d->arena, comparison_negated(c->op), a, b) : c;
}

const struct expr *digits_condition(struct numbers *d, const struct expr *condition)
{
    return carried_inside(d, digits_expand(d, condition), false);
}

void comparison_polys(struct numbers *d, const struct expr *c, const struct poly **p,
                             const struct poly **q)
{
    *p = *q = NULL;
    if (c->kind != EXPR_BINARY || c->op < OP_LT || c->op > OP_EQ)
        return;
    const struct poly *a = digits_poly(d, c->arguments[0]),
                      *b = a ? digits_poly(d, c->arguments[1]) : NULL;
    if (!b)
        return;
    const struct poly *one = poly_integer(d->ring, 1), *up = poly_sub(b, a),
                      *down = poly_sub(a, b);
    switch (c->op) {
    case OP_LT: *p = poly_sub(up, one); break;
    case OP_LE: *p = up; break;
    case OP_GT: *p = poly_sub(down, one); break;
    case OP_GE: *p = down; break;
    default: *p = up; *q = down; break;
    }
}

void conditions_add(struct numbers *d, struct conditions *known, const struct expr *c)
{
    const struct poly *p, *q;
    c = expr_uncast(c);
    if (c->kind == EXPR_BINARY && c->op == OP_LAND) {
        conditions_add(d, known, c->arguments[0]);
        conditions_add(d, known, c->arguments[1]);
        return;
    }
    comparison_polys(d, c, &p, &q);
    condition_add(known, p);
    condition_add(known, q);
}

void conditions_add_loop(struct numbers *d, struct conditions *known, const struct stmt *loop)
{
    const struct expr *ends[LOOP_ENDS_MAX];
    const struct poly *variable = digits_poly(d, expr_var(d->arena, loop->var));
    int n = digits_loop_ends(d, loop, ends);
    if (!variable)
        return;
    for (int i = 0; i < n; i++) {
        const struct poly *end = expr_poly(d->ring, ends[i]);
        if (end)
            condition_add(known,
                          poly_sub(poly_sub(end, variable), poly_integer(d->ring, 1)));
    }
}

/* The polynomial over the kernel's ring as one of ours; *n: how many variables it has. */
static const struct poly *fact_poly(struct numbers *d, const struct poly *p, int *n)
{
    int variables[RING_CAPACITY];
    *n = 0;
    for (int v = 0; v < ring_count(d->kernel->ring); v++) {
        variables[v] = ring_variable(d->ring, ring_name(d->kernel->ring, v));
        if (variables[v] < 0)
            return NULL;
        *n += poly_uses(p, v);
    }
    return poly_map(d->ring, p, variables);
}

void conditions_add_facts(struct numbers *d, struct conditions *known)
{
    const struct sas *facts = &d->kernel->facts;
    for (size_t i = 0; i < facts->count; i++) {
        enum relation relation = facts->at[i].relation;
        int n;
        const struct poly *p = fact_poly(d, facts->at[i].poly, &n),
                          *one = poly_integer(d->ring, 1);
        if (!p || n < 2 || relation == RELATION_NE)
            continue;
        if (relation == RELATION_GE || relation == RELATION_EQ)
            condition_add(known, p);
        if (relation == RELATION_GT)
            condition_add(known, poly_sub(p, one));
        if (relation == RELATION_LE || relation == RELATION_EQ)
            condition_add(known, poly_neg(p));
        if (relation == RELATION_LT)
            condition_add(known, poly_sub(poly_neg(p), one));
    }
}

/* INT64_MIN: it is not known. */
static int64_t least_value(const struct numbers *d, int variable)
{
    for (int i = 0; i < d->kernel->n_params; i++) {
        const struct param *param = d->kernel->params[i];
        if (!strcmp(param->var->name, ring_name(d->ring, variable)))
            return param->has_lo ? param->lo : INT64_MIN;
    }
    const char *name = ring_name(d->ring, variable);
    return map_get(d->bounds, name) || map_get(d->rounds, name) ? 0 : INT64_MIN;
}

/* Have all terms coefficients of this sign, once every variable is counted from its least
   value? */
static bool has_sign(const struct numbers *d, const struct poly *p, int sign)
{
    for (int v = 0; v < ring_count(d->ring); v++) {
        int64_t least = poly_uses(p, v) ? least_value(d, v) : 0;
        if (least == INT64_MIN)
            return false;
        if (least)
            p = poly_substitute(
                p, v, poly_add(poly_variable(d->ring, v), poly_integer(d->ring, least)));
    }
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t numerator, denominator;
        unsigned exponents[RING_CAPACITY];
        if (!poly_term(p, i, &numerator, &denominator, exponents) ||
            (numerator < 0) != (sign < 0))
            return false;
    }
    return true;
}

/* Is p >= 0 for all iterators within their extents, by the sign of each coefficient? */
static bool is_nonnegative(struct numbers *d, const struct poly *p)
{
    for (int v = ring_count(d->ring) - 1; v >= 0; v--) {
        const struct expr *extent = map_get(d->bounds, ring_name(d->ring, v));
        if (!poly_uses(p, v) || poly_degree(p, v) != 1)
            continue;
        const struct poly *coefficient = poly_coefficient(p, v, 1);
        if (!extent || has_sign(d, coefficient, 1))
            continue;
        const struct poly *radix = expr_poly(d->ring, extent);
        if (!radix || !has_sign(d, coefficient, -1))
            return false;
        p = poly_substitute(p, v, poly_sub(radix, poly_integer(d->ring, 1)));
    }
    return has_sign(d, p, 1);
}

/* Tries all sums of at most `depth` conditions from number `first` on. */
static bool implied(struct numbers *d, const struct conditions *known, int first, int depth,
                    const struct poly *p)
{
    if (is_nonnegative(d, p))
        return true;
    if (depth == 0)
        return false;
    for (int i = first; i < known->n; i++)
        if (implied(d, known, i + 1, depth - 1, poly_sub(p, known->at[i])))
            return true;
    return false;
}

bool conditions_imply(struct numbers *d, const struct conditions *known, const struct poly *p)
{
    enum { SUMMANDS_MAX = 3 };
    return implied(d, known, 0, SUMMANDS_MAX, p);
}
