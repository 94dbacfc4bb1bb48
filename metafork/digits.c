/* Numbers that iterators are digits of, and what conditions imply.

   In: a kernel. Out: groups of iterators v1 < U1, v2 < U2, …, top that are the digits of a number P
   = v1 + U1*v2 + U1*U2*v3 + …: the last of them counts pieces, for it has the ceiling extent (a + S
   - 1)/S for its stride S, or is a serial loop that goes from 0 to a in steps of S. Then P takes
   every value of 0 … a - 1 exactly once, whatever the radices are. Which iterators belong together
   is seen in the conditions of `if`s, since only those make up for what a ceiling adds.

   A condition is shown from others by subtraction: p >= 0 follows if p - q1 - q2 … cannot be
   negative, where each q is known to be at least 0 and iterators take the end of their range that
   their coefficient's sign points to. */
#include "metafork/digits.h"
#include "ir/walk.h"
#include <string.h>

static const struct expr *definition(void *state, const struct var *var)
{
    struct digits *d = state;
    return map_get_pointer(d->sets, var) ? NULL : map_get_pointer(d->definitions, var);
}

/* Definitions are expanded when they are recorded, in order. */
const struct expr *digits_expand(struct digits *d, const struct expr *e)
{
    return expr_substitute(d->arena, e, definition, d);
}

const struct poly *digits_poly(struct digits *d, const struct expr *e)
{
    return type_is_floating(e->type) ? NULL : expr_poly(d->ring, digits_expand(d, e));
}

static void record_set(struct digits *d, const struct stmt *stmt)
{
    if (stmt->kind == STMT_SET || (stmt->kind == STMT_LET && !stmt->value))
        map_put_pointer(d->sets, stmt->var, d);
}

static void record_axis(struct digits *d, const struct axis *axis)
{
    map_put_pointer(d->extents, axis->var, (void *)axis->extent);
    map_put(d->bounds, axis->var->name, (void *)axis->extent);
}

static bool is_integer(struct digits *d, const struct expr *e, int64_t value)
{
    return expr_equal(e, expr_integer(d->arena, e->type, value));
}

static void record_values(struct digits *d, const struct stmt *stmt)
{
    if (stmt->kind == STMT_LET && stmt->value)
        map_put_pointer(d->definitions, stmt->var, (void *)digits_expand(d, stmt->value));
    if (stmt->kind == STMT_FOR && is_integer(d, stmt->from, 0)) {
        if (is_integer(d, stmt->step, 1))
            map_put_pointer(d->extents, stmt->var, (void *)stmt->to);
        else
            map_put_pointer(d->stepped, stmt->var, (void *)stmt);
        map_put(d->bounds, stmt->var->name, (void *)stmt->to);
    }
    for (int i = 0; i < stmt->n_axes; i++)
        record_axis(d, &stmt->axes[i]);
}

int digits_variable(const struct digits *d, const struct var *var)
{
    bool counts = map_get_pointer(d->extents, var) || map_get_pointer(d->stepped, var);
    return counts ? ring_find(d->ring, var->name) : -1;
}

/* --- numbers --------------------------------------------------------------------------------- */

/* Iterators; more than DIGITS_MAX of them means too many. */
struct iterators {
    int n;
    const struct var *at[DIGITS_MAX + 1];
};

static void iterator_add(struct iterators *iterators, const struct var *var)
{
    if (iterators->n > DIGITS_MAX)
        return;
    for (int i = 0; i < iterators->n; i++)
        if (iterators->at[i] == var)
            return;
    iterators->at[iterators->n++] = var;
}

static void iterators_add(struct digits *d, struct iterators *iterators, const struct expr *root)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, d->arena, root); e; e = expr_next(&walk))
        if (e->kind == EXPR_VAR && e->var->kind == VAR_ITERATOR)
            iterator_add(iterators, e->var);
}

static const struct expr *uncast(const struct expr *e)
{
    while (e->kind == EXPR_CAST && !type_is_floating(e->type) &&
           !type_is_floating(e->arguments[0]->type))
        e = e->arguments[0];
    return e;
}

/* What a top iterator says of its number: the stride S, the limit a, and its coefficient in P. */
struct top {
    const struct poly *stride, *limit, *coefficient;
};

/* (a + S - 1)/S */
static bool top_of_extent(struct digits *d, const struct expr *extent, struct top *top)
{
    extent = uncast(extent);
    if (extent->kind != EXPR_BINARY || extent->op != OP_DIV)
        return false;
    const struct poly *x = expr_poly(d->ring, extent->arguments[0]);
    const struct poly *divisor = expr_poly(d->ring, extent->arguments[1]);
    if (!x || !divisor)
        return false;
    *top = (struct top){divisor, poly_add(poly_sub(x, divisor), poly_integer(d->ring, 1)), divisor};
    return true;
}

static bool top_find(struct digits *d, const struct var *var, struct top *top)
{
    const struct expr *extent = map_get_pointer(d->extents, var);
    const struct stmt *loop = map_get_pointer(d->stepped, var);
    if (extent)
        return top_of_extent(d, extent, top);
    if (!loop)
        return false;
    *top = (struct top){digits_poly(d, loop->step), digits_poly(d, loop->to),
                        poly_integer(d->ring, 1)};
    return top->stride && top->limit;
}

bool group_has(const struct digit_group *group, const struct var *var)
{
    for (int i = 0; i < group->n; i++)
        if (group->digits[i] == var)
            return true;
    return false;
}

/* The iterator whose coefficient in p is `coefficient` and that is no digit yet. */
static const struct var *digit_next(struct digits *d, const struct poly *p,
                                    const struct poly *coefficient, const struct iterators *vars,
                                    const struct digit_group *group, const struct var *top)
{
    for (int i = 0; i < vars->n; i++) {
        int v = digits_variable(d, vars->at[i]);
        if (v >= 0 && vars->at[i] != top && !group_has(group, vars->at[i]) &&
            map_get_pointer(d->extents, vars->at[i]) && poly_degree(p, v) == 1 &&
            poly_equal(poly_coefficient(p, v, 1), coefficient))
            return vars->at[i];
    }
    return NULL;
}

/* The digits below the top, whose coefficients in p are those in P times `sign`. */
static bool digits_find(struct digits *d, const struct poly *p, int sign,
                        const struct iterators *vars, const struct var *last, const struct top *top,
                        struct digit_group *group)
{
    const struct poly *stride = poly_integer(d->ring, 1), *number = poly_integer(d->ring, 0);
    while (!poly_equal(stride, top->stride)) {
        const struct var *next =
            digit_next(d, p, poly_scale(stride, sign, 1), vars, group, last);
        const struct poly *radix =
            next ? expr_poly(d->ring, map_get_pointer(d->extents, next)) : NULL;
        if (!radix || group->n + 1 == DIGITS_MAX)
            return false;
        number =
            poly_add(number, poly_mul(stride, poly_variable(d->ring, digits_variable(d, next))));
        group->digits[group->n++] = next;
        stride = poly_mul(stride, radix);
    }
    const struct poly *variable = poly_variable(d->ring, digits_variable(d, last));
    group->digits[group->n++] = last;
    group->number = poly_add(number, poly_mul(top->coefficient, variable));
    group->limit = top->limit;
    return true;
}

static bool is_digit(const struct digits *d, const struct var *var)
{
    for (int g = 0; g < d->n_groups; g++)
        if (group_has(&d->groups[g], var))
            return true;
    return false;
}

/* The number of which `var` is the top, if p mentions it. */
static void group_find(struct digits *d, const struct poly *p, const struct iterators *vars,
                       const struct var *var)
{
    struct digit_group group = {0};
    struct top top;
    int v = digits_variable(d, var);
    if (v < 0 || d->n_groups == GROUPS_MAX || is_digit(d, var) || poly_degree(p, v) != 1 ||
        !top_find(d, var, &top))
        return;
    const struct poly *coefficient = poly_coefficient(p, v, 1);
    int sign = poly_equal(coefficient, top.coefficient) ? 1 : -1;
    if (sign < 0 && !poly_equal(coefficient, poly_neg(top.coefficient)))
        return;
    if (digits_find(d, p, sign, vars, var, &top, &group))
        d->groups[d->n_groups++] = group;
}

/* --- conditions ------------------------------------------------------------------------------ */

static void condition_add(struct conditions *c, const struct poly *p)
{
    if (p && c->n < CONDITIONS_MAX)
        c->at[c->n++] = p;
}

void comparison_polys(struct digits *d, const struct expr *c, const struct poly **p,
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

void conditions_add(struct digits *d, struct conditions *known, const struct expr *c)
{
    const struct poly *p, *q;
    c = uncast(c);
    if (c->kind == EXPR_BINARY && c->op == OP_LAND) {
        conditions_add(d, known, c->arguments[0]);
        conditions_add(d, known, c->arguments[1]);
        return;
    }
    comparison_polys(d, c, &p, &q);
    condition_add(known, p);
    condition_add(known, q);
}

/* INT64_MIN: it is not known. */
static int64_t least_value(const struct digits *d, int variable)
{
    for (int i = 0; i < d->kernel->n_params; i++) {
        const struct param *param = d->kernel->params[i];
        if (!strcmp(param->var->name, ring_name(d->ring, variable)))
            return param->has_lo ? param->lo : INT64_MIN;
    }
    return map_get(d->bounds, ring_name(d->ring, variable)) ? 0 : INT64_MIN;
}

/* Have all terms coefficients of this sign, once every variable is counted from its least
   value? */
static bool has_sign(const struct digits *d, const struct poly *p, int sign)
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
static bool is_nonnegative(struct digits *d, const struct poly *p)
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
static bool implied(struct digits *d, const struct conditions *known, int first, int depth,
                    const struct poly *p)
{
    if (is_nonnegative(d, p))
        return true;
    for (int i = first; depth > 0 && i < known->n; i++)
        if (implied(d, known, i + 1, depth - 1, poly_sub(p, known->at[i])))
            return true;
    return false;
}

bool conditions_imply(struct digits *d, const struct conditions *known, const struct poly *p)
{
    enum { SUMMANDS_MAX = 3 };
    return implied(d, known, 0, SUMMANDS_MAX, p);
}

/* --- all of a kernel ------------------------------------------------------------------------- */

static void groups_find(struct digits *d, const struct expr *c)
{
    struct iterators vars = {0};
    const struct poly *p, *q;
    if (c->kind == EXPR_BINARY && c->op == OP_LAND) {
        groups_find(d, c->arguments[0]);
        groups_find(d, c->arguments[1]);
        return;
    }
    comparison_polys(d, c, &p, &q);
    if (!p)
        return;
    iterators_add(d, &vars, digits_expand(d, c));
    for (int i = 0; i < vars.n && vars.n <= DIGITS_MAX; i++)
        group_find(d, p, &vars, vars.at[i]);
}

struct digits digits_of(struct arena *arena, const struct kernel *kernel)
{
    struct digits d = {.arena = arena,
                       .kernel = kernel,
                       .ring = ring_new(arena),
                       .definitions = map_new(arena),
                       .sets = map_new(arena),
                       .extents = map_new(arena),
                       .bounds = map_new(arena),
                       .stepped = map_new(arena)};
    const struct stmt *stmt;
    struct stmt_walk walk;
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->variable >= 0)
            ring_variable(d.ring, kernel->params[i]->var->name);
    for (int i = 0; i < kernel->n_grid; i++)
        record_axis(&d, &kernel->grid[i]);
    for (stmt = stmt_first(&walk, arena, kernel->body); stmt; stmt = stmt_next(&walk))
        record_set(&d, stmt);
    for (stmt = stmt_first(&walk, arena, kernel->body); stmt; stmt = stmt_next(&walk))
        record_values(&d, stmt);
    for (stmt = stmt_first(&walk, arena, kernel->body); stmt; stmt = stmt_next(&walk))
        if (stmt->kind == STMT_IF)
            groups_find(&d, stmt->value);
    return d;
}
