/* Constructors of typed expressions.

   In: operands, in any arithmetic type. Out: a node whose operands have exactly the type C's
   conversions give them, with the conversions as explicit casts. Constants are folded by ir/fold.h;
   of the algebraic laws only those of the neutral elements 0 and 1 of the integers are used, so
   that an expression still looks as its author wrote it. Floating constants are only converted and
   negated: nothing that could round differently on a device is computed here. There are no
   constants of half precision: a cast of a float stands for them, so that no text needs a literal
   of that type.

   Invariant: nodes are never changed after construction and are shared freely. */
#include "ir/expr.h"
#include "base/half.h"
#include "ir/fold.h"
#include "ir/function.h"
#include <assert.h>

static struct expr *expr_new(struct arena *arena, enum expr_kind kind, enum type type)
{
    struct expr *e = ARENA_NEW(arena, struct expr);
    e->kind = kind;
    e->type = type;
    return e;
}

static void expr_operands(struct arena *arena, struct expr *e, const struct expr *const *arguments,
                          int n)
{
    const struct expr **copy = ARENA_ARRAY(arena, const struct expr *, n);
    for (int i = 0; i < n; i++) {
        copy[i] = arguments[i];
        if (!e->loc.source)
            e->loc = arguments[i]->loc;
    }
    e->arguments = copy;
    e->n_arguments = n;
}

const struct expr *expr_integer(struct arena *arena, enum type type, int64_t value)
{
    if (type_is_floating(type))
        return expr_real(arena, type, (double)value);
    struct expr *e = expr_new(arena, EXPR_INTEGER, type);
    e->integer = type_wrap(type, value);
    return e;
}

const struct expr *expr_real(struct arena *arena, enum type type, double value)
{
    assert(type_is_floating(type));
    if (type == TYPE_F16)
        return expr_cast(arena, type, expr_real(arena, TYPE_F32, half_round(value)));
    struct expr *e = expr_new(arena, EXPR_REAL, type);
    e->real = real_round(type, value);
    return e;
}

const struct expr *expr_zero(struct arena *arena, enum type type)
{
    return type_is_floating(type) ? expr_real(arena, type, 0) : expr_integer(arena, type, 0);
}

const struct expr *expr_var(struct arena *arena, const struct var *var)
{
    struct expr *e = expr_new(arena, EXPR_VAR, var->type);
    e->var = var;
    return e;
}

const struct expr *expr_load(struct arena *arena, const struct array *array,
                             const struct expr *const *indices, struct loc loc)
{
    struct expr *e = expr_new(arena, EXPR_LOAD, array->element);
    e->array = array;
    e->loc = loc;
    expr_operands(arena, e, indices, array->n_dims);
    return e;
}

bool expr_get_integer(const struct expr *e, int64_t *value)
{
    if (e->kind != EXPR_INTEGER || (e->type == TYPE_U64 && e->integer < 0))
        return false;
    *value = e->integer;
    return true;
}

bool expr_is_zero(const struct expr *e)
{
    int64_t value;
    e = expr_uncast(e);
    return (expr_get_integer(e, &value) && value == 0) || (e->kind == EXPR_REAL && e->real == 0);
}

static bool is_integer(const struct expr *e, int64_t value)
{
    return e->kind == EXPR_INTEGER && e->integer == value;
}

bool op_is_comparison(enum op op)
{
    return op >= OP_LT && op <= OP_NE;
}

static bool op_is_shift(enum op op)
{
    return op == OP_SHL || op == OP_SHR;
}

static bool op_is_logical(enum op op)
{
    return op == OP_LAND || op == OP_LOR;
}

/* 0 or 1 in TYPE_I32. */
static bool is_truth(const struct expr *e)
{
    return e->type == TYPE_I32 &&
           ((e->kind == EXPR_BINARY && (op_is_comparison(e->op) || op_is_logical(e->op))) ||
            (e->kind == EXPR_UNARY && e->op == OP_NOT) || is_integer(e, 0) || is_integer(e, 1));
}

bool expr_is_total(const struct expr *e)
{
    if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL)
        return false;
    if (e->kind == EXPR_BINARY && (e->op == OP_DIV || e->op == OP_REM || op_is_shift(e->op)))
        return false;
    if (e->kind == EXPR_CAST && type_is_floating(e->arguments[0]->type) &&
        !type_is_floating(e->type))
        return false;
    for (int i = 0; i < e->n_arguments; i++)
        if (!expr_is_total(e->arguments[i]))
            return false;
    return true;
}

enum op op_negate(enum op op)
{
    switch (op) {
    case OP_LT: return OP_GE;
    case OP_GE: return OP_LT;
    case OP_GT: return OP_LE;
    case OP_LE: return OP_GT;
    case OP_EQ: return OP_NE;
    default: return OP_EQ;
    }
}

const struct expr *expr_uncast(const struct expr *e)
{
    while (e->kind == EXPR_CAST && !type_is_floating(e->type) &&
           !type_is_floating(e->arguments[0]->type))
        e = e->arguments[0];
    return e;
}

bool expr_get_minimum(const struct expr *e, const struct expr **a, const struct expr **b)
{
    e = expr_uncast(e);
    if (e->kind != EXPR_SELECT || expr_uncast(e->arguments[0])->kind != EXPR_BINARY)
        return false;
    const struct expr *c = expr_uncast(e->arguments[0]);
    bool is_less = c->op == OP_LT || c->op == OP_LE, is_greater = c->op == OP_GT || c->op == OP_GE;
    if (!is_less && !is_greater)
        return false;
    const struct expr *least = c->arguments[is_less ? 0 : 1],
                      *other = c->arguments[is_less ? 1 : 0];
    *a = expr_uncast(e->arguments[1]);
    *b = expr_uncast(e->arguments[2]);
    return !type_is_floating(e->type) && expr_equal(expr_uncast(least), *a) &&
           expr_equal(expr_uncast(other), *b);
}

const struct expr *expr_beyond(const struct expr *begin, const struct expr *end)
{
    const struct expr *a, *b;
    begin = expr_uncast(begin);
    end = expr_uncast(end);
    if (expr_get_minimum(end, &a, &b)) {
        const struct expr *more = expr_beyond(begin, b);
        return more ? more : expr_beyond(begin, a);
    }
    if (end->kind != EXPR_BINARY || end->op != OP_ADD)
        return NULL;
    a = expr_uncast(end->arguments[0]);
    b = expr_uncast(end->arguments[1]);
    if (expr_equal(a, begin))
        return b;
    return expr_equal(b, begin) ? a : NULL;
}

const struct expr *expr_minimum(struct arena *arena, const struct expr *a, const struct expr *b)
{
    return expr_select(arena, expr_binary(arena, OP_LT, a, b), a, b);
}

const struct expr *expr_unary(struct arena *arena, enum op op, const struct expr *a)
{
    assert(op == OP_NOT || op == OP_NEG || op == OP_COMPLEMENT);
    if (op != OP_NOT)
        a = expr_cast(arena, type_promote(a->type), a);
    assert(op != OP_COMPLEMENT || !type_is_floating(a->type));
    enum type type = op == OP_NOT ? TYPE_I32 : a->type;
    if (a->kind == EXPR_INTEGER)
        return expr_integer(arena, type, fold_unary(op, a->type, a->integer));
    if (a->kind == EXPR_REAL && op == OP_NEG)
        return expr_real(arena, type, -a->real);
    struct expr *e = expr_new(arena, EXPR_UNARY, type);
    e->op = op;
    expr_operands(arena, e, &a, 1);
    return e;
}

/* The laws of 0 and 1; NULL if none applies. a and b are of one integer type (shifts: of
   their own). */
static const struct expr *fold_neutral(struct arena *arena, enum op op, const struct expr *a,
                                       const struct expr *b)
{
    switch (op) {
    case OP_ADD:
        if (is_integer(a, 0) && !is_integer(b, 0))
            return b;
        return is_integer(b, 0) ? a : NULL;
    case OP_SUB:
    case OP_SHL:
    case OP_SHR:
        return is_integer(b, 0) ? a : NULL;
    case OP_MUL:
        if (is_integer(b, 1) || is_integer(a, 1))
            return is_integer(b, 1) ? a : b;
        if ((is_integer(a, 0) && expr_is_total(b)) || (is_integer(b, 0) && expr_is_total(a)))
            return expr_integer(arena, a->type, 0);
        return NULL;
    case OP_DIV:
        return is_integer(b, 1) ? a : NULL;
    default:
        return NULL;
    }
}

/* a && b, a || b where one side is a constant; NULL if neither law applies. */
static const struct expr *fold_logical(struct arena *arena, enum op op, const struct expr *a,
                                       const struct expr *b)
{
    int64_t absorbing = op == OP_LOR;
    if (a->kind == EXPR_INTEGER) {
        if ((a->integer != 0) == absorbing)
            return expr_integer(arena, TYPE_I32, absorbing);
        return is_truth(b) ? b : NULL;
    }
    if (b->kind == EXPR_INTEGER && (b->integer != 0) != absorbing)
        return is_truth(a) ? a : NULL;
    if (b->kind == EXPR_INTEGER && expr_is_total(a))
        return expr_integer(arena, TYPE_I32, absorbing);
    return NULL;
}

/* The operands converted as C converts them. */
static void convert_operands(struct arena *arena, enum op op, const struct expr *operands[2])
{
    if (op_is_logical(op))
        return;
    enum type common = type_common(operands[0]->type, operands[1]->type);
    for (int i = 0; i < 2; i++)
        operands[i] = expr_cast(arena, op_is_shift(op) ? type_promote(operands[i]->type) : common,
                                operands[i]);
}

const struct expr *expr_binary(struct arena *arena, enum op op, const struct expr *a,
                               const struct expr *b)
{
    const struct expr *operands[2] = {a, b};
    convert_operands(arena, op, operands);
    a = operands[0];
    b = operands[1];
    bool truth = op_is_comparison(op) || op_is_logical(op);
    enum type type = truth ? TYPE_I32 : a->type;
    assert(op >= OP_ADD &&
           (truth || op <= OP_DIV || (!type_is_floating(a->type) && !type_is_floating(b->type))));
    int64_t value;
    if (a->kind == EXPR_INTEGER && b->kind == EXPR_INTEGER &&
        fold_binary(op, a->type, a->integer, b->integer, &value))
        return expr_integer(arena, type, value);
    const struct expr *folded = NULL;
    if (op_is_logical(op))
        folded = fold_logical(arena, op, a, b);
    else if (!type_is_floating(a->type))
        folded = fold_neutral(arena, op, a, b);
    if (folded)
        return folded;
    struct expr *e = expr_new(arena, EXPR_BINARY, type);
    e->op = op;
    expr_operands(arena, e, operands, 2);
    return e;
}

const struct expr *expr_join(struct arena *arena, enum op op, const struct expr *a,
                             const struct expr *b)
{
    if (!a || !b)
        return a ? a : b;
    return expr_binary(arena, op, a, b);
}

/* Is a half made of a float or double, or widened to a float? The other conversions of halves go
   by float, which has each half exactly; integers that it rounds are infinite as halves. */
static bool is_half_step(enum type from, enum type to)
{
    return (to == TYPE_F16 && type_is_floating(from)) || (from == TYPE_F16 && to == TYPE_F32);
}

static bool is_widened_half(const struct expr *e)
{
    return e->kind == EXPR_CAST && e->type == TYPE_F32 && e->arguments[0]->type == TYPE_F16;
}

const struct expr *expr_cast(struct arena *arena, enum type type, const struct expr *a)
{
    int64_t value;
    if (a->type == type)
        return a;
    bool has_half = type == TYPE_F16 || a->type == TYPE_F16;
    if (has_half && !is_half_step(a->type, type))
        return expr_cast(arena, type, expr_cast(arena, TYPE_F32, a));
    if (type == TYPE_F16 && is_widened_half(a))
        return a->arguments[0];
    if (a->kind == EXPR_INTEGER)
        return type_is_floating(type)
                   ? expr_real(arena, type, fold_integer_to_real(a->type, type, a->integer))
                   : expr_integer(arena, type, a->integer);
    if (a->kind == EXPR_REAL && type_is_floating(type) && !has_half)
        return expr_real(arena, type, a->real);
    bool is_truncated = a->kind == EXPR_REAL && !type_is_floating(type);
    if (is_truncated && fold_real_to_integer(type, a->real, &value))
        return expr_integer(arena, type, value);
    struct expr *e = expr_new(arena, EXPR_CAST, type);
    expr_operands(arena, e, &a, 1);
    return e;
}

const struct expr *expr_select(struct arena *arena, const struct expr *c, const struct expr *a,
                               const struct expr *b)
{
    enum type type = type_common(a->type, b->type);
    a = expr_cast(arena, type, a);
    b = expr_cast(arena, type, b);
    if (c->kind == EXPR_INTEGER)
        return c->integer ? a : b;
    struct expr *e = expr_new(arena, EXPR_SELECT, type);
    expr_operands(arena, e, (const struct expr *const[]){c, a, b}, 3);
    return e;
}

const struct expr *expr_call(struct arena *arena, enum type type, const char *function,
                             const struct expr *const *arguments, int n)
{
    struct expr *e = expr_new(arena, EXPR_CALL, type);
    const struct function_row *row = function_find(function);
    e->function = arena_strdup(arena, function);
    expr_operands(arena, e, arguments, n);
    for (int i = 0; i < n; i++) {
        enum type wanted = row && row->type == type ? function_argument(row, i) : type;
        ((const struct expr **)e->arguments)[i] = expr_cast(arena, wanted, arguments[i]);
    }
    return e;
}
