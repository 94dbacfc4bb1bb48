/* Numbers of a launch that are no polynomials of its parameters: how many points of the source's
   grid a block of sums takes, how many blocks there are. In: an integer expression in the present
   scope; out: a number of its own in the ring, the same one wherever an equal expression stands.
   A number of which multiples begin the points of blocks is at least 1, and nothing else is known:
   its expression may show that, or the number is the extent of an axis of the grid; else it is
   assumed, and whoever uses such answers sees to it that launches with less are not cut. */
#include "ir/access/analysis.h"

static const struct expr *casts_drop(const struct expr *e)
{
    while (e->kind == EXPR_CAST)
        e = e->arguments[0];
    return e;
}

/* The expression over parameters alone; NULL if it reads anything else. */
static const struct expr *number_value(struct analysis *analysis, const struct expr *e)
{
    const struct expr *value = scope_expand(analysis, casts_drop(e));
    value = value ? casts_drop(value) : NULL;
    return value && expr_reads_only_params(value) ? value : NULL;
}

static struct launched_number *number_find(struct analysis *analysis, const struct expr *value)
{
    for (size_t i = 0; i < analysis->launched.count; i++)
        if (expr_equal(analysis->launched.at[i].value, value))
            return &analysis->launched.at[i];
    return NULL;
}

/* NULL if the ring is full. */
static struct launched_number *number_new(struct analysis *analysis, const struct expr *value)
{
    char *name = arena_printf(analysis->arena, "_l%zu", analysis->launched.count);
    struct launched_number number = {.value = value};
    number.variable = ring_variable(analysis->ring, name);
    if (number.variable < 0)
        return NULL;
    number.var = var_new(analysis->ctx->arena, name, TYPE_I64, VAR_LOCAL);
    analysis->params[number.variable] = number.var;
    analysis->context->filled = false;
    analysis->context->n_points = 0;
    vec_push(analysis->arena, &analysis->launched, number);
    return &vec_last(&analysis->launched);
}

const struct form *launched_form(struct analysis *analysis, const struct expr *e)
{
    const struct expr *value = number_value(analysis, e);
    struct launched_number *number = value ? number_find(analysis, value) : NULL;
    if (value && !number && value->kind == EXPR_SELECT)
        number = number_new(analysis, value);
    return number ? form_constant(analysis, poly_variable(analysis->ring, number->variable))
                  : NULL;
}

static bool is_grid_axis(const struct analysis *analysis, const struct expr *e)
{
    const struct expr *axis = casts_drop(e);
    const struct scope_binding *binding =
        axis->kind == EXPR_VAR ? scope_find(analysis, axis->var) : NULL;
    return binding && binding->iterator >= 0 &&
           analysis->iterators.at[binding->iterator].level == LEVEL_GRID;
}

static bool is_polynomial(const struct expr *e)
{
    bool is = e->kind != EXPR_SELECT && (e->kind != EXPR_BINARY || e->op != OP_DIV);
    for (int i = 0; i < e->n_arguments && is; i++)
        is = is_polynomial(e->arguments[i]);
    return is;
}

enum { UNKNOWN = INT32_MIN };

static int64_t least_of(const struct kernel *kernel, const struct expr *e);

static int64_t param_least(const struct kernel *kernel, const struct var *var)
{
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->var == var && kernel->params[i]->has_lo)
            return kernel->params[i]->lo;
    return UNKNOWN;
}

static int64_t limited(int64_t least)
{
    return least < UNKNOWN || least > INT32_MAX ? UNKNOWN : least;
}

static int64_t binary_least(const struct kernel *kernel, const struct expr *e)
{
    int64_t a = least_of(kernel, e->arguments[0]), b = least_of(kernel, e->arguments[1]), n;
    bool is_literal = expr_get_integer(e->arguments[1], &n);
    if (a == UNKNOWN || b == UNKNOWN)
        return UNKNOWN;
    switch (e->op) {
    case OP_ADD: return limited(a + b);
    case OP_SUB: return is_literal ? limited(a - n) : UNKNOWN;
    case OP_DIV: return b >= 1 && a > -b ? 0 : UNKNOWN;
    default: return UNKNOWN;
    }
}

/* The expression is at least this, or UNKNOWN. */
static int64_t least_of(const struct kernel *kernel, const struct expr *e)
{
    int64_t n, a, b;
    if (expr_get_integer(e, &n))
        return limited(n);
    switch (e->kind) {
    case EXPR_VAR: return param_least(kernel, e->var);
    case EXPR_CAST: return least_of(kernel, e->arguments[0]);
    case EXPR_BINARY: return binary_least(kernel, e);
    case EXPR_SELECT:
        a = least_of(kernel, e->arguments[1]);
        b = least_of(kernel, e->arguments[2]);
        return a < b ? a : b;
    default: return UNKNOWN;
    }
}

static bool is_grid_extent(const struct kernel *kernel, const struct expr *value)
{
    bool is_extent = false;
    for (int i = 0; i < kernel->n_grid && !is_extent; i++)
        is_extent = expr_equal(casts_drop(kernel->grid[i].extent), value);
    return is_extent;
}

void launched_product(struct analysis *analysis, const struct expr *e)
{
    bool is_first = is_grid_axis(analysis, e->arguments[0]);
    if (!is_first && !is_grid_axis(analysis, e->arguments[1]))
        return;
    const struct expr *value = number_value(analysis, e->arguments[is_first]);
    if (!value || is_polynomial(value))
        return;
    struct launched_number *number = number_find(analysis, value);
    number = number ? number : number_new(analysis, value);
    if (!number || number->is_positive)
        return;
    number->is_positive = true;
    number->is_assumed = least_of(analysis->kernel, value) < 1 &&
                         !is_grid_extent(analysis->kernel, value);
    context_bound(analysis->context, number->variable, 1);
}

const struct expr *launched_value(const struct analysis *analysis, const struct var *var)
{
    for (size_t i = 0; i < analysis->launched.count; i++)
        if (analysis->launched.at[i].var == var)
            return analysis->launched.at[i].value;
    return NULL;
}
