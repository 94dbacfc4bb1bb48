/* Numbers that iterators are digits of.

   In: a kernel. Out: groups of iterators v1 < U1, v2 < U2, … that are the digits of a number P =
   v1 + U1*v2 + U1*U2*v3 + …: the last of them, the *top*, counts pieces. It has the ceiling extent
   (a + S - 1)/S for its stride S, or is a serial loop that goes from 0 to a in steps of S; then P
   takes every value of 0 … a - 1 exactly once, whatever the radices are, and others, which
   conditions must keep out. Or it counts the rounds of a serial loop that goes in steps of S from
   the number of the lower digits, or that plus c, to a + c (`i = g*B + l; i < n; i += G*B`), and P
   takes no others. Or, where that is asked for, its extent is a/S (or a/(c*S), of a/c
   things), and all this holds where the division is exact. Which iterators belong together is seen
   in sums and comparisons. */
#include "metafork/digits.h"
#include "ir/walk.h"
#include <string.h>

static const struct expr *definition(void *state, const struct var *var)
{
    struct numbers *d = state;
    return map_get_pointer(d->sets, var) ? NULL : map_get_pointer(d->definitions, var);
}

/* Definitions are expanded when they are recorded, in order. */
const struct expr *digits_expand(struct numbers *d, const struct expr *e)
{
    return expr_substitute(d->arena, e, definition, d);
}

const struct poly *digits_poly(struct numbers *d, const struct expr *e)
{
    return type_is_floating(e->type) ? NULL : expr_poly(d->ring, digits_expand(d, e));
}

static void record_set(struct numbers *d, const struct stmt *stmt)
{
    if (stmt->kind == STMT_SET || (stmt->kind == STMT_LET && !stmt->value))
        map_put_pointer(d->sets, stmt->var, d);
}

static void record_axis(struct numbers *d, const struct axis *axis)
{
    map_put_pointer(d->extents, axis->var, (void *)axis->extent);
    map_put(d->bounds, axis->var->name, (void *)axis->extent);
}

bool digits_is_integer(struct numbers *d, const struct expr *e, int64_t value)
{
    return expr_equal(e, expr_integer(d->arena, e->type, value));
}

int digits_loop_ends(struct numbers *d, const struct stmt *loop,
                     const struct expr *ends[LOOP_ENDS_MAX])
{
    const struct expr *to = digits_expand(d, loop->to);
    if (expr_get_minimum(to, &ends[0], &ends[1]))
        return 2;
    ends[0] = expr_uncast(to);
    return 1;
}

static bool is_over_parameters(const struct numbers *d, const struct poly *p)
{
    for (int v = 0; v < ring_count(d->ring); v++)
        if (poly_uses(p, v) && !kernel_param(d->kernel, ring_name(d->ring, v)))
            return false;
    return true;
}

/* The most rounds that a loop with step 1 makes, if an end of it and its beginning lie apart by
   parameters only; NULL else. */
static const struct expr *loop_extent(struct numbers *d, const struct stmt *loop)
{
    const struct expr *ends[LOOP_ENDS_MAX], *from = digits_expand(d, loop->from);
    int n = digits_loop_ends(d, loop, ends);
    for (int i = 0; i < n; i++) {
        const struct expr *extent = expr_join(d->arena, OP_SUB, ends[i], from);
        const struct poly *p = expr_poly(d->ring, extent);
        if (p && is_over_parameters(d, p))
            return extent;
    }
    return NULL;
}

/* A loop that does not begin at 0 gets a counter of its own, and its variable is begin +
   step * counter. */
static struct var *counter_make(struct numbers *d, const struct stmt *loop)
{
    const char *name = arena_printf(d->arena, "%s.0", loop->var->name);
    struct var *counter = var_new(d->arena, name, loop->var->type, VAR_ITERATOR);
    const struct expr *distance = expr_var(d->arena, counter);
    if (!digits_is_integer(d, loop->step, 1))
        distance = expr_binary(d->arena, OP_MUL, digits_expand(d, loop->step), distance);
    map_put_pointer(d->counters, loop, counter);
    map_put_pointer(d->definitions, loop->var,
                    (void *)expr_join(d->arena, OP_ADD, digits_expand(d, loop->from), distance));
    return counter;
}

static void record_stepped(struct numbers *d, const struct stmt *loop, bool from_zero)
{
    const struct var *var = from_zero ? loop->var : counter_make(d, loop);
    map_put_pointer(d->stepped, var, (void *)loop);
    map_put(from_zero ? d->bounds : d->rounds, var->name,
            from_zero ? (void *)loop->to : (void *)loop);
}

static void record_loop(struct numbers *d, const struct stmt *loop)
{
    bool from_zero = digits_is_integer(d, loop->from, 0);
    if (!digits_is_integer(d, loop->step, 1)) {
        record_stepped(d, loop, from_zero);
        return;
    }
    const struct expr *extent = loop_extent(d, loop);
    if (!extent && from_zero) {
        map_put_pointer(d->extents, loop->var, (void *)loop->to);
        map_put(d->bounds, loop->var->name, (void *)loop->to);
    }
    if (!extent)
        return;
    const struct var *var = from_zero ? loop->var : counter_make(d, loop);
    map_put_pointer(d->extents, var, (void *)extent);
    map_put(d->bounds, var->name, (void *)extent);
}

const struct var *digits_counter(const struct numbers *d, const struct stmt *loop)
{
    const struct var *counter = map_get_pointer(d->counters, loop);
    return counter ? counter : loop->var;
}

static void record_values(struct numbers *d, const struct stmt *stmt)
{
    if (stmt->kind == STMT_LET && stmt->value)
        map_put_pointer(d->definitions, stmt->var, (void *)digits_expand(d, stmt->value));
    if (stmt->kind == STMT_FOR)
        record_loop(d, stmt);
    for (int i = 0; i < stmt->n_axes; i++)
        record_axis(d, &stmt->axes[i]);
}

int digits_variable(const struct numbers *d, const struct var *var)
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

static void iterators_add(struct numbers *d, struct iterators *iterators, const struct expr *root)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, d->arena, root); e; e = expr_next(&walk))
        if (e->kind == EXPR_VAR && e->var->kind == VAR_ITERATOR)
            iterator_add(iterators, e->var);
}

bool group_has(const struct digit_group *group, const struct var *var)
{
    for (int i = 0; i < group->n; i++)
        if (group->digits[i] == var)
            return true;
    return false;
}

/* May the iterator be the digit of that stride, as p has it with the coefficient? */
static bool is_next_digit(struct numbers *d, const struct poly *p, const struct poly *coefficient,
                          const struct var *var, const struct digit_group *group)
{
    int v = digits_variable(d, var);
    return v >= 0 && !group_has(group, var) && map_get_pointer(d->extents, var) &&
           poly_degree(p, v) == 1 && poly_equal(poly_coefficient(p, v, 1), coefficient);
}

const struct expr *group_division(const struct numbers *d, const struct digit_group *group)
{
    const struct expr *extent = map_get_pointer(d->extents, group->digits[group->n - 1]);
    return extent ? expr_uncast(extent) : NULL;
}

/* What the highest digit of a number says of it: pieces of `divisor` of `dividend` things. */
struct highest {
    const struct var *var;
    const struct poly *coefficient;  /* in the number */
    const struct poly *dividend, *divisor;
    bool is_stepped;                 /* the digit itself goes in steps of the divisor */
    const struct poly *begin;        /* the digit counts rounds in such steps from there to the
                                        dividend; NULL: it does not */
};

static bool top_read(struct numbers *d, const struct poly *p, const struct var *var,
                     struct highest *top)
{
    const struct expr *extent = map_get_pointer(d->extents, var);
    const struct stmt *loop = map_get_pointer(d->stepped, var);
    int v = digits_variable(d, var);
    if (v < 0 || poly_degree(p, v) != 1)
        return false;
    *top = (struct highest){.var = var, .coefficient = poly_coefficient(p, v, 1)};
    extent = extent ? expr_uncast(extent) : NULL;
    if (extent && extent->kind == EXPR_BINARY && extent->op == OP_DIV) {
        top->dividend = expr_poly(d->ring, extent->arguments[0]);
        top->divisor = expr_poly(d->ring, extent->arguments[1]);
    } else if (loop) {
        top->dividend = digits_poly(d, loop->to);
        top->divisor = digits_poly(d, loop->step);
        top->is_stepped = !map_get(d->rounds, var->name);
        top->begin = top->is_stepped ? NULL : digits_poly(d, loop->from);
        if (!top->is_stepped && !top->begin)
            return false;
    }
    return top->dividend && top->divisor;
}

/* Is (a + S - 1)/S meant, and not a/S? */
static bool is_ceiling(const struct numbers *d, const struct highest *top)
{
    bool shares = poly_is_constant(top->divisor);
    for (int v = 0; v < ring_count(d->ring); v++)
        shares |= poly_uses(top->divisor, v) && poly_uses(top->dividend, v);
    return shares;
}

/* The limit of the number whose pieces have `stride` elements; NULL if it is no such number. */
static const struct poly *limit_of(struct numbers *d, const struct highest *top,
                                   const struct poly *stride, bool *is_exact)
{
    int64_t times;
    *is_exact = false;
    if (top->is_stepped)
        return poly_equal(top->divisor, stride) ? top->dividend : NULL;
    if (is_ceiling(d, top))
        return poly_equal(top->divisor, stride)
                   ? poly_add(poly_sub(top->dividend, stride), poly_integer(d->ring, 1))
                   : NULL;
    const struct poly *quotient = poly_divide_exact(top->divisor, stride);
    if (!quotient || !poly_get_integer(quotient, &times) || times < 1)
        return NULL;
    *is_exact = true;
    return poly_scale(top->dividend, 1, times);
}

/* What digits are looked for in: p has them with the coefficients that they have in the number
   times `sign`, and those below the top make up a stride. */
struct digit_search {
    const struct poly *p, *wanted;
    int sign;
    const struct iterators *vars;
    const struct var *top;
};

/* The digits of that stride and above, below the top. Other iterators may have the same
   coefficients (`i = k + t + B*p` with k from outside): all choices are tried. */
static bool digits_below(struct numbers *d, const struct digit_search *search,
                         const struct poly *stride, struct digit_group *group)
{
    if (poly_equal(stride, search->wanted))
        return true;
    const struct poly *coefficient = poly_scale(stride, search->sign, 1), *number = group->number;
    for (int i = 0; i < search->vars->n && group->n + 1 < DIGITS_MAX; i++) {
        const struct var *var = search->vars->at[i];
        if (var == search->top || !is_next_digit(d, search->p, coefficient, var, group))
            continue;
        const struct poly *radix = expr_poly(d->ring, map_get_pointer(d->extents, var));
        if (!radix)
            continue;
        group->number = poly_add(
            number, poly_mul(stride, poly_variable(d->ring, digits_variable(d, var))));
        group->digits[group->n++] = var;
        if (digits_below(d, search, poly_mul(stride, radix), group))
            return true;
        group->n--;
    }
    group->number = number;
    return false;
}

/* The number below the highest digit, as p has it. */
static bool digits_find(struct numbers *d, const struct poly *p, int sign,
                        const struct iterators *vars, const struct highest *top,
                        struct digit_group *group)
{
    const struct poly *one = poly_integer(d->ring, 1),
                      *last = poly_scale(top->coefficient, sign, 1);
    struct digit_search search = {p, top->is_stepped ? top->divisor : last, sign, vars, top->var};
    group->number = poly_integer(d->ring, 0);
    if ((top->is_stepped && !poly_equal(last, one)) || !digits_below(d, &search, one, group))
        return false;
    const struct poly *stride = search.wanted,
                      *variable = poly_variable(d->ring, digits_variable(d, top->var)),
                      *number = group->number;
    group->digits[group->n++] = top->var;
    group->number = poly_add(number, poly_mul(last, variable));
    group->is_bound = top->begin != NULL;
    group->limit = top->begin ? poly_sub(top->dividend, poly_sub(top->begin, number))
                              : limit_of(d, top, stride, &group->is_exact);
    return group->limit != NULL;
}

/* Are all digits serial loops of the kernel's text? */
static bool is_serial(const struct numbers *d, const struct digit_group *group)
{
    struct stmt_walk walk;
    int loops = 0;
    for (const struct stmt *stmt = stmt_first(&walk, d->arena, d->kernel->body); stmt;
         stmt = stmt_next(&walk))
        loops += stmt->kind == STMT_FOR && group_has(group, digits_counter(d, stmt));
    return loops == group->n;
}

static bool is_digit(const struct numbers *d, const struct var *var)
{
    for (int g = 0; g < d->n_groups; g++)
        if (group_has(&d->groups[g], var))
            return true;
    return false;
}

/* The number of which `var` is the highest digit, if p mentions it. */
static void group_find(struct numbers *d, const struct poly *p, const struct iterators *vars,
                       const struct var *var)
{
    struct highest top;
    if (d->n_groups == GROUPS_MAX || is_digit(d, var) || !top_read(d, p, var, &top))
        return;
    for (int sign = 1; sign >= -1; sign -= 2) {
        struct digit_group group = {0};
        if (digits_find(d, p, sign, vars, &top, &group) && (d->allow_exact || !group.is_exact)) {
            group.is_serial = is_serial(d, &group);
            d->groups[d->n_groups++] = group;
            return;
        }
    }
}

/* --- all of a kernel ------------------------------------------------------------------------- */

static void groups_find(struct numbers *d, const struct expr *e, const struct poly *p)
{
    struct iterators vars = {0};
    iterators_add(d, &vars, e);
    if (!p || vars.n > DIGITS_MAX)
        return;
    for (int i = 0; i < vars.n; i++)
        group_find(d, p, &vars, vars.at[i]);
}

/* In comparisons and sums, locals replaced. */
static void groups_find_inside(struct numbers *d, const struct expr *root)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, d->arena, digits_expand(d, root)); e;
         e = expr_next(&walk)) {
        const struct poly *p = NULL, *q;
        if (e->kind != EXPR_BINARY || type_is_floating(e->type))
            continue;
        comparison_polys(d, e, &p, &q);
        if (e->op == OP_ADD || e->op == OP_SUB)
            p = expr_poly(d->ring, e);
        groups_find(d, e, p);
    }
}

struct numbers digits_of(struct arena *arena, const struct kernel *kernel, bool allow_exact)
{
    struct numbers d = {.arena = arena,
                       .kernel = kernel,
                       .allow_exact = allow_exact,
                       .ring = ring_new(arena),
                       .definitions = map_new(arena),
                       .sets = map_new(arena),
                       .extents = map_new(arena),
                       .bounds = map_new(arena),
                       .counters = map_new(arena),
                       .stepped = map_new(arena),
                       .rounds = map_new(arena)};
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
        for (int i = 0; i < stmt_n_exprs(stmt); i++)
            groups_find_inside(&d, stmt_expr(stmt, i));
    return d;
}
