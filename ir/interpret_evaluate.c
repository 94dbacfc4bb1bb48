/* The value of an expression over parameters: extents of grids, blocks and arrays on the host.

   A signed result that leaves its type has no value, as in the tables of the host that compute the
   same extents (runtime/tables.c). Unsigned arithmetic wraps as in C. */
#include "ir/fold.h"
#include "ir/interpret.h"

union value value_normal(enum type type, union value value)
{
    if (type_is_floating(type))
        value.real = real_round(type, value.real);
    else
        value.integer = type_wrap(type, value.integer);
    return value;
}

static bool evaluate_var(const struct kernel *kernel, const struct var *var,
                         const union value *params, union value *value)
{
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->var == var) {
            *value = value_normal(var->type, params[i]);
            return true;
        }
    return false;
}

/* Does the signed type hold the value? */
static bool is_held(enum type type, int64_t value)
{
    return type_wrap(type, value) == value;
}

static bool evaluate_binary(const struct expr *e, int64_t a, int64_t b, int64_t *result)
{
    enum type type = e->arguments[0]->type;
    if (!type_is_signed(type))
        return fold_binary(e->op, type, a, b, result);
    bool fits;
    switch (e->op) {
    case OP_ADD: fits = !__builtin_add_overflow(a, b, result); break;
    case OP_SUB: fits = !__builtin_sub_overflow(a, b, result); break;
    case OP_MUL: fits = !__builtin_mul_overflow(a, b, result); break;
    default: fits = fold_binary(e->op, TYPE_I64, a, b, result); break;
    }
    return fits && is_held(e->type, *result);
}

bool expr_evaluate(const struct kernel *kernel, const struct expr *e, const union value *params,
                   union value *value)
{
    union value a, b;
    if (e->kind == EXPR_INTEGER) {
        value->integer = e->integer;
        return true;
    }
    if (type_is_floating(e->type) || e->kind == EXPR_LOAD || e->kind == EXPR_CALL ||
        e->kind == EXPR_REAL)
        return false;
    if (e->kind == EXPR_VAR)
        return evaluate_var(kernel, e->var, params, value);
    if (!expr_evaluate(kernel, e->arguments[0], params, &a))
        return false;
    if (e->kind == EXPR_SELECT)
        return expr_evaluate(kernel, e->arguments[a.integer ? 1 : 2], params, value);
    if (e->kind == EXPR_CAST) {
        value->integer = type_wrap(e->type, a.integer);
        return !type_is_signed(e->type) || value->integer == a.integer;
    }
    if (e->kind == EXPR_UNARY) {
        if (e->op == OP_NEG && type_is_signed(e->type))
            return !__builtin_sub_overflow((int64_t)0, a.integer, &value->integer) &&
                   is_held(e->type, value->integer);
        value->integer = fold_unary(e->op, e->type, a.integer);
        return true;
    }
    if ((e->op == OP_LAND && !a.integer) || (e->op == OP_LOR && a.integer)) {
        value->integer = e->op == OP_LOR;
        return true;
    }
    return expr_evaluate(kernel, e->arguments[1], params, &b) &&
           evaluate_binary(e, a.integer, b.integer, &value->integer);
}

const struct divisible *kernel_indivisible(const struct kernel *kernel, const union value *params)
{
    int64_t point[RING_CAPACITY] = {0}, value;
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->variable >= 0)
            point[kernel->params[i]->variable] =
                value_normal(kernel->params[i]->var->type, params[i]).integer;
    for (int i = 0; i < kernel->n_divisible; i++)
        if (!poly_evaluate(kernel->divisible[i].value, point, &value) ||
            value % kernel->divisible[i].divisor)
            return &kernel->divisible[i];
    return NULL;
}
