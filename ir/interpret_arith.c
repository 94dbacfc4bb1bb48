/* Arithmetic of the interpreters, one closure per operator and class of types.

   In: operands as 64-bit integers in the representation of type_wrap, or as double (a float:
   rounded to float). Out: the same. Signed overflow wraps; what traps or has no meaning in C ends
   the run as INTERPRET_ARITHMETIC: division by zero, the least value by -1, shift counts outside
   the width, floating values that do not fit in the integer type. Float arithmetic is rounded to
   float after each operation, as the targets do. */
#include "ir/fold.h"
#include "ir/interpret_code.h"

#define RUN(part) c->part->run(c->part, t)
#define CLOSURE(name, T, field, result)                                          \
    static union value name(const struct closure *c, struct thread *t)              \
    {                                                                            \
        T a = (T)RUN(a).field, b = (T)RUN(b).field;                              \
        return result;                                                           \
    }
#define INTEGER(C, operation) value_integer((int64_t)(C)(operation))
#define INTEGERS(N, C)                                                           \
    CLOSURE(add_##N, uint64_t, unsigned_, INTEGER(C, a + b))                     \
    CLOSURE(sub_##N, uint64_t, unsigned_, INTEGER(C, a - b))                     \
    CLOSURE(mul_##N, uint64_t, unsigned_, INTEGER(C, a * b))
#define COMPARISONS(N, T, field)                                                 \
    CLOSURE(lt_##N, T, field, value_integer(a < b))                              \
    CLOSURE(le_##N, T, field, value_integer(a <= b))                             \
    CLOSURE(gt_##N, T, field, value_integer(a > b))                              \
    CLOSURE(ge_##N, T, field, value_integer(a >= b))                             \
    CLOSURE(eq_##N, T, field, value_integer(a == b))                             \
    CLOSURE(ne_##N, T, field, value_integer(a != b))
#define REALS(N, T)                                                              \
    CLOSURE(add_##N, T, real, value_real(a + b))                                 \
    CLOSURE(sub_##N, T, real, value_real(a - b))                                 \
    CLOSURE(mul_##N, T, real, value_real(a * b))                                 \
    CLOSURE(div_##N, T, real, value_real(a / b))

INTEGERS(i32, int32_t)
INTEGERS(u32, uint32_t)
INTEGERS(i64, int64_t)
INTEGERS(u64, uint64_t)
COMPARISONS(signed, int64_t, integer)
COMPARISONS(unsigned, uint64_t, unsigned_)
COMPARISONS(real, double, real)
REALS(f32, float)
REALS(f64, double)
CLOSURE(bits_and, int64_t, integer, value_integer(a & b))
CLOSURE(bits_or, int64_t, integer, value_integer(a | b))
CLOSURE(bits_xor, int64_t, integer, value_integer(a ^ b))

typedef union value (*closure)(const struct closure *c, struct thread *t);

/* Operators that may have no result. */
static union value partial(const struct closure *c, struct thread *t)
{
    int64_t a = RUN(a).integer, b = RUN(b).integer, result;
    if (!fold_binary(c->op, c->type, a, b, &result))
        interpret_stop(t->run, INTERPRET_ARITHMETIC,
                       "%s'%s' has no result for %lld and %lld in '%s' (block %lld, thread %lld)",
                       interpret_place(t->run, c->source->loc), op_text(c->op), (long long)a,
                       (long long)b, expr_text(t->run->arena, c->source), (long long)t->run->block,
                       (long long)t->number);
    return value_integer(result);
}

static union value logical_and(const struct closure *c, struct thread *t)
{
    return value_integer(RUN(a).integer && RUN(b).integer);
}

static union value logical_or(const struct closure *c, struct thread *t)
{
    return value_integer(RUN(a).integer || RUN(b).integer);
}

static closure integer_closure(enum op op, enum type type)
{
    static const closure table[3][4] = {{add_i32, add_u32, add_i64, add_u64},
                                        {sub_i32, sub_u32, sub_i64, sub_u64},
                                        {mul_i32, mul_u32, mul_i64, mul_u64}};
    switch (op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL: return table[op - OP_ADD][type - TYPE_I32];
    case OP_AND: return bits_and;
    case OP_OR: return bits_or;
    case OP_XOR: return bits_xor;
    default: return partial;
    }
}

void code_binary(struct closure *c)
{
    static const closure comparisons[3][6] = {
        {lt_signed, le_signed, gt_signed, ge_signed, eq_signed, ne_signed},
        {lt_unsigned, le_unsigned, gt_unsigned, ge_unsigned, eq_unsigned, ne_unsigned},
        {lt_real, le_real, gt_real, ge_real, eq_real, ne_real}};
    static const closure reals[2][4] = {{add_f32, sub_f32, mul_f32, div_f32},
                                        {add_f64, sub_f64, mul_f64, div_f64}};
    if (c->op == OP_LAND || c->op == OP_LOR)
        c->run = c->op == OP_LAND ? logical_and : logical_or;
    else if (op_is_comparison(c->op))
        c->run =
            comparisons[type_is_floating(c->from) ? 2 : !type_is_signed(c->from)][c->op - OP_LT];
    else if (type_is_floating(c->from))
        c->run = reals[c->from == TYPE_F64][c->op - OP_ADD];
    else
        c->run = integer_closure(c->op, c->from);
}

static union value unary_integer(const struct closure *c, struct thread *t)
{
    return value_integer(fold_unary(c->op, c->from, RUN(a).integer));
}

static union value negate_real(const struct closure *c, struct thread *t)
{
    return value_real(-RUN(a).real);
}

void code_unary(struct closure *c)
{
    c->run = c->op == OP_NEG && type_is_floating(c->from) ? negate_real : unary_integer;
}

static union value real_truth(const struct closure *c, struct thread *t)
{
    return value_integer(RUN(a).real != 0);
}

void code_truth(struct closure *c)
{
    c->run = real_truth;
}

static union value cast_integer(const struct closure *c, struct thread *t)
{
    return value_integer(type_wrap(c->type, RUN(a).integer));
}

static union value cast_to_real(const struct closure *c, struct thread *t)
{
    return value_real(fold_integer_to_real(c->from, c->type, RUN(a).integer));
}

static union value cast_real(const struct closure *c, struct thread *t)
{
    return value_real(real_round(c->type, RUN(a).real));
}

static union value cast_from_real(const struct closure *c, struct thread *t)
{
    int64_t result;
    double a = RUN(a).real;
    if (!fold_real_to_integer(c->type, a, &result))
        interpret_stop(t->run, INTERPRET_ARITHMETIC,
                       "%s%g does not fit in %s in '%s' (block %lld, thread %lld)",
                       interpret_place(t->run, c->source->loc), a, type_name(c->type),
                       expr_text(t->run->arena, c->source), (long long)t->run->block,
                       (long long)t->number);
    return value_integer(result);
}

void code_cast(struct closure *c)
{
    if (type_is_floating(c->from))
        c->run = type_is_floating(c->type) ? cast_real : cast_from_real;
    else
        c->run = type_is_floating(c->type) ? cast_to_real : cast_integer;
}

/* The least value has no absolute one. */
static union value absolute(const struct closure *c, struct thread *t)
{
    const struct closure *a = c->operands[0];
    int64_t x = a->run(a, t).integer;
    if (x == (c->type == TYPE_I64 ? INT64_MIN : INT32_MIN))
        interpret_stop(t->run, INTERPRET_ARITHMETIC,
                       "%s'%s' of the least value (block %lld, thread %lld)",
                       interpret_place(t->run, c->source->loc), c->function->name,
                       (long long)t->run->block, (long long)t->number);
    return value_integer(x < 0 ? -x : x);
}

/* A value and an int. */
static union value call_scaled(const struct closure *c, struct thread *t)
{
    const struct function_row *f = c->function;
    double x = c->operands[0]->run(c->operands[0], t).real;
    int n = (int)c->operands[1]->run(c->operands[1], t).integer;
    return value_real(f->reali ? f->reali(x, n) : (double)f->singlei((float)x, n));
}

static union value call_double(const struct closure *c, struct thread *t)
{
    const struct function_row *f = c->function;
    double x[3] = {0};
    for (int i = 0; i < f->n_arguments; i++)
        x[i] = c->operands[i]->run(c->operands[i], t).real;
    switch (f->n_arguments) {
    case 1: return value_real(f->real1(x[0]));
    case 2: return value_real(f->real2(x[0], x[1]));
    default: return value_real(f->real3(x[0], x[1], x[2]));
    }
}

static union value call_float(const struct closure *c, struct thread *t)
{
    const struct function_row *f = c->function;
    float x[3] = {0};
    for (int i = 0; i < f->n_arguments; i++)
        x[i] = (float)c->operands[i]->run(c->operands[i], t).real;
    switch (f->n_arguments) {
    case 1: return value_real((double)f->single1(x[0]));
    case 2: return value_real((double)f->single2(x[0], x[1]));
    default: return value_real((double)f->single3(x[0], x[1], x[2]));
    }
}

void code_call(struct closure *c)
{
    if (c->function && (c->function->reali || c->function->singlei))
        c->run = call_scaled;
    else if (c->type == TYPE_F64)
        c->run = call_double;
    else if (c->type == TYPE_F32)
        c->run = call_float;
    else
        c->run = absolute;
}
