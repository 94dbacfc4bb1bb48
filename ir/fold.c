/* Arithmetic on integer constants with C's meaning, for folding in the constructors of expressions
   and for the evaluation of extents.

   In: an operator, the type of its operands and their values (type_wrap's representation). Out: the
   value in the result type, or false where C leaves the result undefined and a machine would trap
   or give nonsense: division by zero, the least value divided by -1, a shift count outside the
   width. Signed overflow wraps. */
#include "ir/fold.h"
#include "base/half.h"

static bool fold_divide(enum op op, enum type type, int64_t a, int64_t b, int64_t *result)
{
    if (b == 0)
        return false;
    if (!type_is_signed(type)) {
        uint64_t x = (uint64_t)a, y = (uint64_t)b;
        *result = (int64_t)(op == OP_DIV ? x / y : x % y);
        return true;
    }
    if (b == -1 && a == type_wrap(type, (int64_t)((uint64_t)1 << (8 * type_bytes(type) - 1))))
        return false;
    *result = op == OP_DIV ? a / b : a % b;
    return true;
}

static bool fold_shift(enum op op, enum type type, int64_t a, int64_t b, int64_t *result)
{
    if (b < 0 || b >= 8 * (int64_t)type_bytes(type))
        return false;
    if (op == OP_SHL)
        *result = type_wrap(type, (int64_t)((uint64_t)a << b));
    else
        *result = type_is_signed(type) ? a >> b : (int64_t)((uint64_t)a >> b);
    return true;
}

static bool compare(enum op op, bool is_signed, int64_t a, int64_t b)
{
    bool less = is_signed ? a < b : (uint64_t)a < (uint64_t)b;
    switch (op) {
    case OP_LT: return less;
    case OP_LE: return less || a == b;
    case OP_GT: return !less && a != b;
    case OP_GE: return !less;
    case OP_EQ: return a == b;
    default: return a != b;
    }
}

bool fold_binary(enum op op, enum type type, int64_t a, int64_t b, int64_t *result)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (op) {
    case OP_ADD: *result = type_wrap(type, (int64_t)(x + y)); return true;
    case OP_SUB: *result = type_wrap(type, (int64_t)(x - y)); return true;
    case OP_MUL: *result = type_wrap(type, (int64_t)(x * y)); return true;
    case OP_DIV:
    case OP_REM: return fold_divide(op, type, a, b, result);
    case OP_SHL:
    case OP_SHR: return fold_shift(op, type, a, b, result);
    case OP_AND: *result = a & b; return true;
    case OP_OR: *result = a | b; return true;
    case OP_XOR: *result = a ^ b; return true;
    case OP_LAND: *result = a && b; return true;
    case OP_LOR: *result = a || b; return true;
    default: *result = compare(op, type_is_signed(type), a, b); return true;
    }
}

int64_t fold_unary(enum op op, enum type type, int64_t a)
{
    switch (op) {
    case OP_NEG: return type_wrap(type, (int64_t)(0 - (uint64_t)a));
    case OP_COMPLEMENT: return type_wrap(type, ~a);
    default: return !a;
    }
}

/* The bounds are powers of two, hence exact as double: -2^(n-1) - 1 < x < 2^(n-1) for signed, -1 <
   x < 2^n for unsigned. */
bool fold_real_to_integer(enum type type, double x, int64_t *result)
{
    int bits = (int)(8 * type_bytes(type));
    if (type == TYPE_BOOL) {
        *result = x != 0;
        return true;
    }
    double top = type_is_signed(type) ? (double)((uint64_t)1 << (bits - 1))
                                      : 2.0 * (double)((uint64_t)1 << (bits - 1));
    bool low = type_is_signed(type) ? (bits == 64 ? x >= -top : x > -top - 1) : x > -1;
    if (!low || !(x < top))
        return false;
    *result = x >= 9223372036854775808.0 ? (int64_t)(uint64_t)x : (int64_t)x;
    return true;
}

double real_round(enum type type, double x)
{
    if (type == TYPE_F16)
        return half_round(x);
    return type == TYPE_F32 ? (float)x : x;
}

double fold_integer_to_real(enum type from, enum type to, int64_t a)
{
    if (to == TYPE_F32)
        return type_is_signed(from) ? (float)a : (float)(uint64_t)a;
    return type_is_signed(from) ? (double)a : (double)(uint64_t)a;
}
