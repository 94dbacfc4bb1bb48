/* The operators of accumulating stores: their texts, what they may be applied to, and their results
   as the interpreters have them.

   In: a row of ir/reduction.def. An operator is exact where the order of its operands changes no
   bit: on integers always, which wrap; of floating point only min and max, and those only up to
   the sign of a zero, so that they count as inexact here. */
#include "ir/reduction.h"
#include <math.h>
#include <string.h>

static const struct {
    const char *text;
    bool is_atomic;
} rows[] = {
    {"", false},
#define X(NAME, text, atomic) {text, atomic},
#include "ir/reduction.def"
#undef X
};

const char *reduction_text(enum reduce_op reduction)
{
    return rows[reduction].text;
}

enum reduce_op reduction_find(const char *text, size_t length)
{
    for (enum reduce_op r = REDUCE_NONE + 1; r < REDUCE_COUNT; r++)
        if (strlen(rows[r].text) == length && !strncmp(rows[r].text, text, length))
            return r;
    return REDUCE_NONE;
}

bool reduction_applies(enum reduce_op reduction, enum type type)
{
    bool is_bitwise = reduction == REDUCE_AND || reduction == REDUCE_OR ||
                      reduction == REDUCE_XOR;
    return reduction != REDUCE_NONE && type_bytes(type) >= 4 &&
           !(is_bitwise && type_is_floating(type));
}

bool reduction_is_exact(enum reduce_op reduction, enum type type)
{
    bool is_extreme = reduction == REDUCE_MIN || reduction == REDUCE_MAX;
    return reduction_applies(reduction, type) && (!type_is_floating(type) || is_extreme);
}

bool reduction_is_atomic(enum reduce_op reduction, enum type type)
{
    return reduction_is_exact(reduction, type) && type_bytes(type) == 4 &&
           !type_is_floating(type) && rows[reduction].is_atomic;
}

static double neutral_real(enum reduce_op reduction)
{
    switch (reduction) {
    case REDUCE_MUL: return 1;
    case REDUCE_MIN: return INFINITY;
    case REDUCE_MAX: return -INFINITY;
    default: return -0.0;
    }
}

const struct expr *reduction_neutral(struct arena *arena, enum reduce_op reduction,
                                     enum type type)
{
    if (type_is_floating(type))
        return expr_real(arena, type, neutral_real(reduction));
    int bits = 8 * (int)type_bytes(type) - type_is_signed(type);
    int64_t ones = bits == 64 ? -1 : (int64_t)((UINT64_C(1) << bits) - 1);
    int64_t least = type_is_signed(type) ? -ones - 1 : 0;
    switch (reduction) {
    case REDUCE_MUL: return expr_integer(arena, type, 1);
    case REDUCE_AND: return expr_integer(arena, type, -1);
    case REDUCE_MIN: return expr_integer(arena, type, ones);
    case REDUCE_MAX: return expr_integer(arena, type, least);
    default: return expr_integer(arena, type, 0);
    }
}

enum type reduction_type(enum reduce_op reduction, enum type type)
{
    bool wraps = reduction == REDUCE_ADD || reduction == REDUCE_MUL;
    if (wraps && type == TYPE_I32)
        return TYPE_U32;
    return wraps && type == TYPE_I64 ? TYPE_U64 : type;
}

const struct expr *reduction_join(struct arena *arena, enum reduce_op reduction,
                                  const struct expr *sum, const struct expr *value)
{
    static const enum op ops[REDUCE_COUNT] = {
        [REDUCE_ADD] = OP_ADD, [REDUCE_MUL] = OP_MUL, [REDUCE_AND] = OP_AND, [REDUCE_OR] = OP_OR,
        [REDUCE_XOR] = OP_XOR, [REDUCE_MIN] = OP_LT,  [REDUCE_MAX] = OP_GT};
    if (reduction != REDUCE_MIN && reduction != REDUCE_MAX)
        return expr_binary(arena, ops[reduction], sum, value);
    return expr_select(arena, expr_binary(arena, ops[reduction], value, sum), value, sum);
}

static double apply_real(enum reduce_op reduction, double old, double value)
{
    switch (reduction) {
    case REDUCE_ADD: return old + value;
    case REDUCE_MUL: return old * value;
    case REDUCE_MIN: return value < old ? value : old;
    case REDUCE_MAX: return value > old ? value : old;
    default: return old;
    }
}

/* Sums, products and bits do not depend on the sign of 64-bit numbers. */
static uint64_t apply_integer(enum reduce_op reduction, enum type type, uint64_t old,
                              uint64_t value)
{
    bool is_less = type_is_signed(type) ? (int64_t)value < (int64_t)old : value < old;
    switch (reduction) {
    case REDUCE_ADD: return old + value;
    case REDUCE_MUL: return old * value;
    case REDUCE_AND: return old & value;
    case REDUCE_OR: return old | value;
    case REDUCE_XOR: return old ^ value;
    case REDUCE_MIN: return is_less ? value : old;
    case REDUCE_MAX: return is_less ? old : value;
    default: return old;
    }
}

union value reduction_apply(enum reduce_op reduction, enum type type, union value old,
                            union value value)
{
    union value result;
    if (type_is_floating(type))
        result.real = apply_real(reduction, old.real, value.real);
    else
        result.unsigned_ = apply_integer(reduction, type, old.unsigned_, value.unsigned_);
    return value_normal(type, result);
}

const struct array *kernel_inexact_sum(const struct kernel *kernel)
{
    for (int i = 0; i < kernel->n_arrays; i++) {
        enum reduce_op reduction = stmt_accumulates_in(kernel->body, kernel->arrays[i]);
        if (reduction && !reduction_is_exact(reduction, kernel->arrays[i]->element))
            return kernel->arrays[i];
    }
    return NULL;
}

bool kernel_is_inexact(const struct kernel *kernel)
{
    return kernel->own_lanes || kernel_inexact_sum(kernel);
}
