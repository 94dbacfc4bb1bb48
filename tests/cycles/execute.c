/* Arithmetic of PTX on the bits of its operands, one thread at a time. Values are kept in 64 bits
   with zeros above their width. Approximations (ex2.approx and the like) are the exactly rounded
   functions here.

   Source: PTX ISA, "Instruction set". */
#include "tests/cycles/execute.h"
#include <fenv.h>
#include <math.h>
#include <string.h>

static uint64_t low(uint64_t value, int bits)
{
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static int64_t sign_of(uint64_t value, int bits)
{
    int above = 64 - bits;
    return (int64_t)(value << above) >> above;
}

static double real_of(uint64_t bits, int width)
{
    uint32_t half = (uint32_t)bits;
    float single;
    double value;
    if (width == 64) {
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    memcpy(&single, &half, sizeof single);
    return (double)single;
}

static uint64_t bits_of(double value, int width)
{
    uint64_t bits = 0;
    float single = (float)value;
    if (width == 64)
        memcpy(&bits, &value, sizeof bits);
    else
        memcpy(&bits, &single, sizeof single);
    return bits;
}

/* --- floating point --------------------------------------------------------------------------- */

static float single_of(const struct instruction *at, volatile float a, volatile float b, float c)
{
    switch (at->op) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_FMA: case OP_MAD: return fmaf(a, b, c);
    case OP_DIV: return a / b;
    case OP_RCP: return 1.0f / a;
    case OP_SQRT: return sqrtf(a);
    case OP_RSQRT: return (float)(1.0 / sqrt((double)a));
    case OP_EX2: return exp2f(a);
    case OP_LG2: return log2f(a);
    case OP_SIN: return sinf(a);
    case OP_COS: return cosf(a);
    case OP_ABS: return fabsf(a);
    case OP_NEG: return -a;
    case OP_MIN: return fminf(a, b);
    case OP_MAX: return fmaxf(a, b);
    case OP_COPYSIGN: return copysignf(b, a);
    default: return a;
    }
}

static double double_of(const struct instruction *at, volatile double a, volatile double b,
                        double c)
{
    switch (at->op) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_FMA: case OP_MAD: return fma(a, b, c);
    case OP_DIV: return a / b;
    case OP_RCP: return 1.0 / a;
    case OP_SQRT: return sqrt(a);
    case OP_RSQRT: return 1.0 / sqrt(a);
    case OP_ABS: return fabs(a);
    case OP_NEG: return -a;
    case OP_MIN: return fmin(a, b);
    case OP_MAX: return fmax(a, b);
    case OP_COPYSIGN: return copysign(b, a);
    default: return a;
    }
}

static const int directions[] = {[ROUND_NEAREST] = FE_TONEAREST, [ROUND_ZERO] = FE_TOWARDZERO,
                                 [ROUND_DOWN] = FE_DOWNWARD, [ROUND_UP] = FE_UPWARD};

static uint64_t float_compute(const struct instruction *at, const uint64_t *v)
{
    int bits = at->from.bits;
    uint64_t result;
    if (at->rounding != ROUND_NEAREST)
        fesetround(directions[at->rounding]);
    if (bits == 64)
        result = bits_of(double_of(at, real_of(v[0], 64), real_of(v[1], 64), real_of(v[2], 64)),
                         64);
    else
        result = bits_of((double)single_of(at, (float)real_of(v[0], 32), (float)real_of(v[1], 32),
                                           (float)real_of(v[2], 32)), 32);
    if (at->rounding != ROUND_NEAREST)
        fesetround(FE_TONEAREST);
    if (at->saturates)
        result = bits_of(fmin(fmax(real_of(result, bits), 0.0), 1.0), bits);
    return result;
}

/* --- integers --------------------------------------------------------------------------------- */

static uint64_t quotient(const struct instruction *at, uint64_t a, uint64_t b)
{
    int bits = at->type.bits;
    bool is_rest = at->op == OP_REM;
    if (low(b, bits) == 0)
        return is_rest ? a : ~UINT64_C(0);
    if (at->type.kind != KIND_SIGNED)
        return is_rest ? low(a, bits) % low(b, bits) : low(a, bits) / low(b, bits);
    int64_t n = sign_of(a, bits), d = sign_of(b, bits);
    if (d == -1)
        return is_rest ? 0 : 0 - (uint64_t)n;
    return (uint64_t)(is_rest ? n % d : n / d);
}

static uint64_t product(const struct instruction *at, uint64_t a, uint64_t b)
{
    int bits = at->type.bits;
    __extension__ unsigned __int128 wide;
    __extension__ __int128 full;
    if (at->type.kind == KIND_SIGNED) {
        __extension__ __int128 n = sign_of(a, bits), d = sign_of(b, bits);
        full = n * d;
        __extension__ unsigned __int128 made = (unsigned __int128)full;
        wide = made;
    } else {
        wide = low(a, bits);
        wide *= low(b, bits);
    }
    return (uint64_t)(at->half == HALF_HIGH ? wide >> bits : wide);
}

static uint64_t shift(const struct instruction *at, uint64_t a, uint64_t by)
{
    int bits = at->type.bits;
    by = low(by, 32);
    if (at->op == OP_SHL)
        return by >= (uint64_t)bits ? 0 : a << by;
    if (at->type.kind == KIND_SIGNED)
        return (uint64_t)(sign_of(a, bits) >> (by >= (uint64_t)bits ? bits - 1 : (int)by));
    return by >= (uint64_t)bits ? 0 : low(a, bits) >> by;
}

static uint64_t field(const struct instruction *at, const uint64_t *v)
{
    int bits = at->type.bits, start = (int)low(v[1], 8), length = (int)low(v[2], 8);
    if (length == 0)
        return 0;
    uint64_t above = start >= bits ? 0 : low(v[0], bits) >> start;
    if (at->type.kind != KIND_SIGNED || start + length > bits)
        return at->type.kind == KIND_SIGNED
                   ? (uint64_t)(sign_of(v[0], bits) >> (start >= bits ? bits - 1 : start))
                   : low(above, length);
    return (uint64_t)sign_of(low(above, length), length);
}

static bool is_less(struct ptx_type type, uint64_t a, uint64_t b)
{
    return type.kind == KIND_SIGNED ? sign_of(a, type.bits) < sign_of(b, type.bits)
                                    : low(a, type.bits) < low(b, type.bits);
}

/* Sums with carry: .cc sets the flag, addc and subc use it (as a borrow for subc). */
static uint64_t sum(const struct instruction *at, uint64_t a, uint64_t b, bool *carry)
{
    bool takes = at->op == OP_ADDC || at->op == OP_SUBC || at->op == OP_MADC,
         subtracts = at->op == OP_SUB || at->op == OP_SUBC;
    int bits = at->half == HALF_WIDE ? 2 * at->type.bits : at->type.bits;
    __extension__ unsigned __int128 wide = low(a, bits);
    if (subtracts)
        wide -= low(b, bits);
    else
        wide += low(b, bits);
    if (takes && *carry)
        wide = subtracts ? wide - 1 : wide + 1;
    if (at->carries)
        *carry = (wide >> bits & 1) != 0;
    return (uint64_t)wide;
}

static int zeros_before(uint64_t value, int bits)
{
    int count = 0;
    while (count < bits && !(value >> (bits - 1 - count) & 1))
        count++;
    return count;
}

static uint64_t bits_reversed(uint64_t value, int bits)
{
    uint64_t made = 0;
    for (int i = 0; i < bits; i++)
        made |= (value >> i & 1) << (bits - 1 - i);
    return made;
}

static uint64_t funnel(const struct instruction *at, const uint64_t *v)
{
    uint64_t both = low(v[1], 32) << 32 | low(v[0], 32), by = v[2] & 31;
    bool is_left = strstr(at->text, "shf.l") != NULL;
    return is_left ? both << by >> 32 : both >> by;
}

static uint64_t permuted(const uint64_t *v)
{
    uint64_t both = low(v[1], 32) << 32 | low(v[0], 32), made = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t selector = v[2] >> (4 * i) & 15, byte = both >> (8 * (selector & 7)) & 255;
        if (selector & 8)
            byte = byte & 128 ? 255 : 0;
        made |= byte << (8 * i);
    }
    return made;
}

static uint64_t integer_compute(const struct instruction *at, const uint64_t *v, bool *carry)
{
    switch (at->op) {
    case OP_ADD: case OP_ADDC: case OP_SUB: case OP_SUBC: return sum(at, v[0], v[1], carry);
    case OP_MUL: return product(at, v[0], v[1]);
    case OP_MAD: case OP_MADC: return sum(at, product(at, v[0], v[1]), v[2], carry);
    case OP_DIV: case OP_REM: return quotient(at, v[0], v[1]);
    case OP_SHL: case OP_SHR: return shift(at, v[0], v[1]);
    case OP_AND: return v[0] & v[1];
    case OP_OR: return v[0] | v[1];
    case OP_XOR: return v[0] ^ v[1];
    case OP_NOT: return ~v[0];
    case OP_NEG: return 0 - v[0];
    case OP_ABS: return sign_of(v[0], at->type.bits) < 0 ? 0 - v[0] : v[0];
    case OP_MIN: return is_less(at->type, v[1], v[0]) ? v[1] : v[0];
    case OP_MAX: return is_less(at->type, v[0], v[1]) ? v[1] : v[0];
    case OP_BFE: return field(at, v);
    case OP_CLZ: return (uint64_t)zeros_before(v[0], at->type.bits);
    case OP_POPC: return (uint64_t)__builtin_popcountll(low(v[0], at->type.bits));
    case OP_BREV: return bits_reversed(v[0], at->type.bits);
    case OP_SHF: return funnel(at, v);
    case OP_PRMT: return permuted(v);
    default: return v[0];
    }
}

/* --- comparisons and conversions -------------------------------------------------------------- */

static bool holds(enum comparison comparison, bool less, bool equal)
{
    switch (comparison) {
    case CMP_EQ: return equal;
    case CMP_NE: return !equal;
    case CMP_LT: return less;
    case CMP_LE: return less || equal;
    case CMP_GT: return !less && !equal;
    case CMP_GE: return !less;
    default: return comparison == CMP_NUM;
    }
}

static bool compare(const struct instruction *at, uint64_t a, uint64_t b)
{
    struct ptx_type type = at->from;
    if (type.kind != KIND_FLOAT)
        return holds(at->comparison, is_less(type, a, b), low(a, type.bits) == low(b, type.bits));
    double x = real_of(a, type.bits), y = real_of(b, type.bits);
    if (isnan(x) || isnan(y))
        return at->unordered;
    return holds(at->comparison, x < y, x == y);
}

static uint64_t predicate_compute(enum op op, uint64_t a, uint64_t b)
{
    switch (op) {
    case OP_AND: return a & b & 1;
    case OP_OR: return (a | b) & 1;
    case OP_XOR: return (a ^ b) & 1;
    case OP_NOT: return !(a & 1);
    default: return a & 1;
    }
}

static double integral(enum rounding rounding, double value)
{
    switch (rounding) {
    case ROUND_ZERO: return trunc(value);
    case ROUND_DOWN: return floor(value);
    case ROUND_UP: return ceil(value);
    default: return rint(value);
    }
}

/* Numbers beyond the integer's range become its ends, NaN 0. */
static uint64_t integer_of(struct ptx_type type, double value)
{
    bool is_signed = type.kind == KIND_SIGNED;
    double end = ldexp(1.0, type.bits - is_signed);
    uint64_t most = is_signed ? low(~UINT64_C(0), type.bits - 1) : low(~UINT64_C(0), type.bits);
    if (isnan(value))
        return 0;
    if (value >= end)
        return most;
    if (is_signed)
        return value <= -end ? ~most : (uint64_t)(int64_t)value;
    return value <= 0 ? 0 : (uint64_t)value;
}

static uint64_t float_of_integer(const struct instruction *at, uint64_t value)
{
    int64_t n = sign_of(value, at->from.bits);
    uint64_t u = low(value, at->from.bits);
    bool is_signed = at->from.kind == KIND_SIGNED;
    if (at->type.bits == 64)
        return bits_of(is_signed ? (double)n : (double)u, 64);
    return bits_of((double)(is_signed ? (float)n : (float)u), 32);
}

static uint64_t convert(const struct instruction *at, uint64_t value)
{
    bool from_float = at->from.kind == KIND_FLOAT, to_float = at->type.kind == KIND_FLOAT;
    if (!from_float && to_float)
        return float_of_integer(at, value);
    if (!from_float)
        return at->from.kind == KIND_SIGNED ? (uint64_t)sign_of(value, at->from.bits)
                                            : low(value, at->from.bits);
    double real = real_of(value, at->from.bits);
    if (at->to_integer)
        real = integral(at->rounding, real);
    if (!to_float)
        return integer_of(at->type, real);
    if (at->saturates)
        real = fmin(fmax(real, 0.0), 1.0);
    return bits_of(real, at->type.bits);
}

static int result_bits(const struct instruction *at)
{
    bool doubles = at->half == HALF_WIDE;
    if (at->op == OP_CLZ || at->op == OP_POPC)
        return 32;
    return doubles ? 2 * at->type.bits : at->type.bits;
}

uint64_t cycles_compute(const struct instruction *at, const uint64_t *v, bool *carry)
{
    bool is_float = at->from.kind == KIND_FLOAT;
    bool is_bits = at->op == OP_MOV || at->op == OP_SELP || at->op == OP_CVTA;
    if (at->op == OP_SETP) {
        uint64_t found = compare(at, v[0], v[1]);
        return at->combined == N_OPS ? found : predicate_compute(at->combined, found, v[2]);
    }
    if (at->op == OP_CVT)
        return low(convert(at, v[0]), at->type.bits);
    if (at->op == OP_SELP)
        return low(v[2] & 1 ? v[0] : v[1], at->type.bits);
    if (at->type.kind == KIND_PREDICATE)
        return predicate_compute(at->op, v[0], v[1]);
    if (is_float && !is_bits)
        return float_compute(at, v);
    return low(integer_compute(at, v, carry), result_bits(at));
}

uint64_t cycles_combine(enum op op, struct ptx_type type, uint64_t old, const uint64_t *v)
{
    struct instruction at = {.op = op, .type = type, .from = type};
    bool carry = false;
    uint64_t operands[3] = {old, v[0], 0};
    return cycles_compute(&at, operands, &carry);
}
