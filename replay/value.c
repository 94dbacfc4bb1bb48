/* Arithmetic of C on values with terms.

   In: operands of a class. Out: the result, or that C does not define it: overflow of signed
   integers, division by zero, shifts too far, numbers that an integer cannot hold. Sums and
   products of floating point have the same term in both orders of their operands, as they have the
   same value. */
#include "replay/value.h"
#include "base/half.h"
#include "replay/memory.h"
#include <math.h>
#include <string.h>

uint64_t term_mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ (b * 0x9e3779b97f4a7c15u)) + ((b << 23) | (b >> 41));
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 29;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

uint64_t term_text(const char *text)
{
    uint64_t term = 0x51ed270b;
    for (; *text; text++)
        term = term_mix(term, (unsigned char)*text);
    return term;
}

struct value value_integer(int64_t integer)
{
    return (struct value){{.integer = integer}, {.term = 0}};
}

struct value value_real(double real)
{
    struct value value = {{.real = real}, {.term = 0}};
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    value.term = term_mix(1, bits);
    return value;
}

struct value value_pointer(struct object *object, int64_t offset)
{
    return (struct value){{.integer = offset}, {.object = object}};
}

bool value_is_true(struct value value, enum ast_class class)
{
    if (class == AST_TYPE_POINTER || class == AST_TYPE_ARRAY)
        return value.object || value.integer;
    return class_is_real(class) ? value.real != 0 : value.integer != 0;
}

bool value_is_equal(struct value a, struct value b, enum ast_class class)
{
    if (class_is_real(class))
        return a.term == b.term;
    if (class == AST_TYPE_POINTER)
        return a.object == b.object && a.integer == b.integer;
    return a.integer == b.integer;
}

int class_bytes(enum ast_class class)
{
    switch (class) {
    case AST_TYPE_BOOL:
    case AST_TYPE_I8:
    case AST_TYPE_U8: return 1;
    case AST_TYPE_I16:
    case AST_TYPE_U16:
    case AST_TYPE_F16: return 2;
    case AST_TYPE_I32:
    case AST_TYPE_U32:
    case AST_TYPE_F32: return 4;
    case AST_TYPE_I64:
    case AST_TYPE_U64:
    case AST_TYPE_F64:
    case AST_TYPE_POINTER: return 8;
    default: return 0;
    }
}

double class_round(enum ast_class class, double real)
{
    if (class == AST_TYPE_F16)
        return half_round(real);
    return class == AST_TYPE_F32 ? (float)real : real;
}

int64_t class_wrap(enum ast_class class, int64_t integer)
{
    switch (class) {
    case AST_TYPE_BOOL: return integer != 0;
    case AST_TYPE_I8: return (int8_t)integer;
    case AST_TYPE_U8: return (uint8_t)integer;
    case AST_TYPE_I16: return (int16_t)integer;
    case AST_TYPE_U16: return (uint16_t)integer;
    case AST_TYPE_I32: return (int32_t)integer;
    case AST_TYPE_U32: return (uint32_t)integer;
    default: return integer;
    }
}

enum ast_class class_common(enum ast_class a, enum ast_class b)
{
    if (a == AST_TYPE_F64 || b == AST_TYPE_F64)
        return AST_TYPE_F64;
    if (class_is_real(a) || class_is_real(b))
        return AST_TYPE_F32;
    enum ast_class most = a > b ? a : b;
    return most < AST_TYPE_I32 ? AST_TYPE_I32 : most;
}

static uint64_t bits_of(enum ast_class class, int64_t integer)
{
    return class == AST_TYPE_U64 ? (uint64_t)integer : (uint64_t)class_wrap(class, integer);
}

static struct value real_of_integer(enum ast_class from, int64_t integer, enum ast_class to)
{
    double real = from == AST_TYPE_U64 ? (double)(uint64_t)integer : (double)integer;
    if (to == AST_TYPE_F32)
        real = from == AST_TYPE_U64 ? (float)(uint64_t)integer : (float)integer;
    return value_real(class_round(to, real));
}

static enum value_end integer_of_real(double real, enum ast_class to, struct value *out)
{
    bool is_wide = to == AST_TYPE_U64;
    double low = is_wide ? -1.0 : -9223372036854775808.0;
    double high = is_wide ? 18446744073709551616.0 : 9223372036854775808.0;
    if (!(real > low || (real == low && !is_wide)) || !(real < high))
        return VALUE_UNDEFINED;
    int64_t integer = is_wide ? (int64_t)(uint64_t)real : (int64_t)real;
    *out = value_integer(integer);
    return is_wide || class_wrap(to, integer) == integer ? VALUE_GOOD : VALUE_UNDEFINED;
}

static struct value real_convert(struct value value, enum ast_class from, enum ast_class to)
{
    if (from == to)
        return value;
    double real = class_round(to, value.real);
    struct value literal = value_real(value.real);
    if (real == value.real && literal.term == value.term)
        return value;
    return (struct value){{.real = real}, {.term = term_mix(value.term, 2 + to)}};
}

/* Of pointers the address, which other classes see. */
static int64_t address_of(struct value value)
{
    return value.object ? object_address(value.object) + value.integer : value.integer;
}

enum value_end value_convert(struct value value, enum ast_class from, enum ast_class to,
                             enum value_sums sums, struct value *out)
{
    bool is_number = ast_class_is_integer(from) || class_is_real(from);
    *out = value;
    if (from == to || to == AST_TYPE_VOID)
        return VALUE_GOOD;
    if (to == AST_TYPE_BOOL) {
        *out = value_integer(value_is_true(value, from));
        return is_number || from == AST_TYPE_POINTER ? VALUE_GOOD : VALUE_UNKNOWN;
    }
    if (ast_class_is_integer(from) && ast_class_is_integer(to)) {
        *out = value_integer(class_wrap(to, value.integer));
        return VALUE_GOOD;
    }
    if (ast_class_is_integer(from) && class_is_real(to)) {
        *out = real_of_integer(from, value.integer, to);
        return VALUE_GOOD;
    }
    if (class_is_real(from) && class_is_real(to)) {
        *out = real_convert(value, from, to);
        if (sums == SUMS_FREE)
            out->term = value.term;
        return VALUE_GOOD;
    }
    if (class_is_real(from) && ast_class_is_integer(to))
        return integer_of_real(value.real, to, out);
    if (from == AST_TYPE_POINTER && ast_class_is_integer(to)) {
        *out = value_integer(class_wrap(to, address_of(value)));
        return VALUE_GOOD;
    }
    if (ast_class_is_integer(from) && to == AST_TYPE_POINTER) {
        *out = value_pointer(NULL, value.integer);
        return VALUE_GOOD;
    }
    return VALUE_UNKNOWN;
}

/* The term that a number adds to a sum whose order is free; a zero adds nothing. */
static uint64_t free_term(struct value value)
{
    struct value zero = value_real(0);
    return value.term == zero.term ? 0 : value.term;
}

static enum value_end real_compute(enum ast_op op, enum ast_class class, struct value a,
                                   struct value b, enum value_sums sums, struct value *out)
{
    double real;
    bool swaps = (op == AST_OP_ADD || op == AST_OP_MUL) && a.term > b.term;
    switch (op) {
    case AST_OP_ADD: real = a.real + b.real; break;
    case AST_OP_SUB: real = a.real - b.real; break;
    case AST_OP_MUL: real = a.real * b.real; break;
    case AST_OP_DIV: real = a.real / b.real; break;
    default: return VALUE_UNKNOWN;
    }
    /* Twice the digits and two more make the first rounding harmless. */
    out->real = class_round(class, real);
    if (sums == SUMS_FREE && (op == AST_OP_ADD || op == AST_OP_SUB)) {
        out->term = op == AST_OP_ADD ? free_term(a) + free_term(b) : free_term(a) - free_term(b);
        return VALUE_GOOD;
    }
    uint64_t both = swaps ? term_mix(b.term, a.term) : term_mix(a.term, b.term);
    out->term = term_mix(both, 16 + (uint64_t)op * 32 + (uint64_t)class);
    return VALUE_GOOD;
}

static enum value_end divide(enum ast_op op, enum ast_class class, int64_t a, int64_t b,
                             struct value *out)
{
    if (!b || (class_is_signed(class) && b == -1 && a == INT64_MIN))
        return VALUE_UNDEFINED;
    int64_t result;
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    if (class == AST_TYPE_U64)
        result = (int64_t)(op == AST_OP_DIV ? x / y : x % y);
    else
        result = op == AST_OP_DIV ? a / b : a % b;
    *out = value_integer(result);
    return class_wrap(class, result) == result ? VALUE_GOOD : VALUE_UNDEFINED;
}

static enum value_end shift(enum ast_op op, enum ast_class class, int64_t a, int64_t by,
                            struct value *out)
{
    int bits = class_bytes(class) * 8;
    bool is_signed = class_is_signed(class);
    if (by < 0 || by >= bits)
        return VALUE_UNDEFINED;
    if (op == AST_OP_SHR) {
        *out = value_integer(class == AST_TYPE_U64 ? (int64_t)((uint64_t)a >> by) : a >> by);
        return VALUE_GOOD;
    }
    int64_t result = class_wrap(class, (int64_t)((uint64_t)a << by));
    *out = value_integer(result);
    return is_signed && (a < 0 || result >> by != a) ? VALUE_UNDEFINED : VALUE_GOOD;
}

static enum value_end integer_compute(enum ast_op op, enum ast_class class, int64_t a, int64_t b,
                                      struct value *out)
{
    int64_t result = 0;
    bool overflows = false, is_signed = class_is_signed(class);
    switch (op) {
    case AST_OP_ADD: overflows = __builtin_add_overflow(a, b, &result); break;
    case AST_OP_SUB: overflows = __builtin_sub_overflow(a, b, &result); break;
    case AST_OP_MUL: overflows = __builtin_mul_overflow(a, b, &result); break;
    case AST_OP_DIV:
    case AST_OP_REM: return divide(op, class, a, b, out);
    case AST_OP_SHL:
    case AST_OP_SHR: return shift(op, class, a, b, out);
    case AST_OP_AND: result = a & b; break;
    case AST_OP_OR: result = a | b; break;
    case AST_OP_XOR: result = a ^ b; break;
    default: return VALUE_UNKNOWN;
    }
    int64_t wrapped = class_wrap(class, result);
    *out = value_integer(wrapped);
    return is_signed && (overflows || wrapped != result) ? VALUE_UNDEFINED : VALUE_GOOD;
}

enum value_end value_compute(enum ast_op op, enum ast_class class, struct value a, struct value b,
                             enum value_sums sums, struct value *out)
{
    if (class_is_real(class))
        return real_compute(op, class, a, b, sums, out);
    if (ast_class_is_integer(class))
        return integer_compute(op, class, a.integer, b.integer, out);
    return VALUE_UNKNOWN;
}

static bool order_holds(enum ast_op op, int order)
{
    switch (op) {
    case AST_OP_LT: return order < 0;
    case AST_OP_GT: return order > 0;
    case AST_OP_LE: return order <= 0;
    case AST_OP_GE: return order >= 0;
    case AST_OP_EQ: return order == 0;
    default: return order != 0;
    }
}

static bool reals_compare(enum ast_op op, double a, double b)
{
    if (isnan(a) || isnan(b))
        return op == AST_OP_NE;
    return order_holds(op, (a > b) - (a < b));
}

bool value_compare(enum ast_op op, enum ast_class class, struct value a, struct value b)
{
    if (class_is_real(class))
        return reals_compare(op, a.real, b.real);
    if (class == AST_TYPE_POINTER) {
        int64_t x = address_of(a), y = address_of(b);
        return order_holds(op, (x > y) - (x < y));
    }
    uint64_t x = bits_of(class, a.integer), y = bits_of(class, b.integer);
    if (!class_is_signed(class))
        return order_holds(op, (x > y) - (x < y));
    return order_holds(op, (a.integer > b.integer) - (a.integer < b.integer));
}

enum value_end value_negate(enum ast_class class, struct value a, struct value *out)
{
    if (!class_is_real(class))
        return value_compute(AST_OP_SUB, class, value_integer(0), a, SUMS_ORDERED, out);
    struct value literal = value_real(a.real);
    if (literal.term == a.term) {
        *out = value_real(-a.real);
        return VALUE_GOOD;
    }
    out->real = -a.real;
    out->term = term_mix(a.term, 3);
    return VALUE_GOOD;
}

/* --- functions -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int arity;
} functions[] = {
#define X(name, arity) {#name, arity},
#include "replay/math.def"
#undef X
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

int math_find(const char *name)
{
    for (int i = 0; i < FUNCTIONS; i++) {
        size_t length = strlen(functions[i].name);
        if (!strncmp(name, functions[i].name, length) &&
            (!name[length] || (name[length] == 'f' && !name[length + 1])))
            return i;
    }
    return -1;
}

int math_arity(int row)
{
    return functions[row].arity;
}

static double scaled(double x, double power)
{
    double limited = power > 5000 ? 5000 : power;
    return ldexp(x, (int)(limited < -5000 ? -5000 : limited));
}

#define ldexp(x, y) scaled(x, y)
#define CALL_1(name) (double)name(x[0].real)
#define CALL_2(name) name(x[0].real, x[1].real)
#define CALL_3(name) name(x[0].real, x[1].real, x[2].real)

static double function_value(int row, const struct value *x)
{
    int k = 0;
#define X(name, arity)                                                                             \
    if (row == k++)                                                                                \
        return CALL_##arity(name);
#include "replay/math.def"
#undef X
    return 0;
}

/* Which of the two values fmin or fmax gives; the first of equal ones. */
static int extreme_chosen(bool is_least, const struct value *arguments)
{
    double first = arguments[0].real, second = arguments[1].real;
    return isnan(first) || (is_least ? second < first : second > first);
}

enum value_end value_function(int row, enum ast_class class, const struct value *arguments,
                              enum value_sums sums, struct value *out)
{
    bool is_least = strcmp(functions[row].name, "fmin") == 0;
    if (sums == SUMS_FREE && (is_least || strcmp(functions[row].name, "fmax") == 0)) {
        *out = arguments[extreme_chosen(is_least, arguments)];
        return VALUE_GOOD;
    }
    uint64_t term = term_mix(4, (uint64_t)row * 32 + (uint64_t)class);
    for (int i = 0; i < functions[row].arity; i++)
        term = term_mix(term, arguments[i].term);
    double real = function_value(row, arguments);
    out->real = class_round(class, real);
    out->term = term;
    return VALUE_GOOD;
}
