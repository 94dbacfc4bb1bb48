/* Values of a region's tables. In: polynomials and integer expressions over parameters. Out:
   operations, each with operands before it, equal ones once.

   A product of variables is one value whatever its coefficient, so that the polynomials of one
   region share most of their work. The order of additions and multiplications is free: a result is
   the same number or is marked. */
#include "emit/code.h"
#include "base/map.h"
#include "base/vec.h"
#include "emit/host.h"
#include <assert.h>
#include <string.h>

enum origin { ORIGIN_CONSTANT, ORIGIN_PARAMETER, ORIGIN_MACHINE, ORIGIN_OPERATION, ORIGINS };

struct made {
    enum origin origin;
    size_t place; /* among the values of that origin */
};

struct host_code {
    struct arena *arena;
    const struct kernel *kernel;
    struct map *known; /* text of a value -> its number + 1 */
    VEC(struct made) values;
    VEC(int64_t) constants;
    VEC(const char *) symbols;
    VEC(struct treefork_operation)
    operations; /* operands: numbers here until code_end, then of the tables */
    size_t n_parameters, first[ORIGINS];
    bool too_many;
};

static const struct {
    const char *symbol;
    int64_t missing;
} machine_rows[] = {
#define X(symbol, key, unit, lo, hi, cuda, opencl, missing) {#symbol, missing},
#include "runtime/machine.def"
#undef X
};
enum { MACHINE_ROWS = sizeof machine_rows / sizeof *machine_rows };

int code_integer_parameter(const struct kernel *kernel, const char *name)
{
    int number = 0;
    for (int i = 0; i < kernel->n_params; i++) {
        const struct param *param = kernel->params[i];
        if (!host_is_integer(param) || param->role == ROLE_MACHINE)
            continue;
        if (!strcmp(param->var->name, name))
            return number;
        number++;
    }
    return -1;
}

struct host_code *code_new(struct arena *arena, const struct kernel *kernel)
{
    struct host_code *code = ARENA_NEW(arena, struct host_code);
    *code = (struct host_code){.arena = arena, .kernel = kernel, .known = map_new(arena)};
    for (int i = 0; i < kernel->n_params; i++)
        code->n_parameters += code_integer_parameter(kernel, kernel->params[i]->var->name) >= 0;
    return code;
}

static int known_value(const struct host_code *code, const char *key)
{
    const int *number = map_get(code->known, key);
    return number ? *number : -1;
}

static int new_value(struct host_code *code, const char *key, enum origin origin, size_t place)
{
    int *number = ARENA_NEW(code->arena, int);
    *number = (int)code->values.count;
    map_put(code->known, key, number);
    vec_push(code->arena, &code->values, ((struct made){origin, place}));
    return *number;
}

int code_integer(struct host_code *code, int64_t value)
{
    const char *key = arena_printf(code->arena, "%lld", (long long)value);
    int known = known_value(code, key);
    if (known >= 0)
        return known;
    vec_push(code->arena, &code->constants, value);
    return new_value(code, key, ORIGIN_CONSTANT, code->constants.count - 1);
}

int code_name(struct host_code *code, const char *name)
{
    int known = known_value(code, name), number = code_integer_parameter(code->kernel, name);
    if (known >= 0)
        return known;
    if (number >= 0)
        return new_value(code, name, ORIGIN_PARAMETER, (size_t)number);
    for (size_t i = 0; i < MACHINE_ROWS; i++)
        if (!strcmp(machine_rows[i].symbol, name)) {
            vec_push(code->arena, &code->symbols, machine_rows[i].symbol);
            return new_value(code, name, ORIGIN_MACHINE, code->symbols.count - 1);
        }
    return -1;
}

static bool commutes(enum treefork_code op)
{
    return op == TREEFORK_OP_ADD || op == TREEFORK_OP_MUL || op == TREEFORK_OP_EQ ||
           op == TREEFORK_OP_NE;
}

int code_operation(struct host_code *code, enum treefork_code op, int a, int b, int c)
{
    enum { NUMBERS = 65535 };
    if (a < 0 || b < 0 || c < 0)
        return -1;
    if (code->values.count >= NUMBERS) {
        code->too_many = true;
        return 0;
    }
    if (commutes(op) && a > b) {
        int swapped = a;
        a = b;
        b = swapped;
    }
    const char *key = arena_printf(code->arena, "%d:%d:%d:%d", (int)op, a, b, c);
    int known = known_value(code, key);
    if (known >= 0)
        return known;
    struct treefork_operation operation = {(uint16_t)op, (uint16_t)a, (uint16_t)b, (uint16_t)c};
    vec_push(code->arena, &code->operations, operation);
    return new_value(code, key, ORIGIN_OPERATION, code->operations.count - 1);
}

/* An operation with one operand; the others are not read. */
static int code_unary(struct host_code *code, enum treefork_code op, int a)
{
    return code_operation(code, op, a, a, a);
}

static int code_binary(struct host_code *code, enum treefork_code op, int a, int b)
{
    return code_operation(code, op, a, b, a);
}

/* --- polynomials ----------------------------------------------------------------------------- */

bool machine_may_be_unlimited(const char *symbol)
{
    for (size_t i = 0; i < MACHINE_ROWS; i++)
        if (!strcmp(machine_rows[i].symbol, symbol))
            return machine_rows[i].missing == TREEFORK_UNLIMITED;
    return false;
}

void auxiliary_quotient(const struct auxiliary *a, const struct poly **numerator,
                        const struct poly **denominator)
{
    int64_t scale = poly_denominator(a->numerator), other = poly_denominator(a->denominator);
    *numerator = poly_scale(poly_scale(a->numerator, scale ? scale : 1, 1), other ? other : 1, 1);
    *denominator =
        poly_scale(poly_scale(a->denominator, scale ? scale : 1, 1), other ? other : 1, 1);
}

int limit_of_multiple(const struct poly *p, uint64_t machine)
{
    struct ring *ring = poly_ring(p);
    int64_t factor;
    for (int v = 0; v < ring_count(ring); v++)
        if ((machine >> v & 1) && poly_get_integer(poly_coefficient(p, v, 1), &factor) &&
            factor > 1 && poly_equal(p, poly_scale(poly_variable(ring, v), factor, 1)))
            return v;
    return -1;
}

struct code_ring code_ring(const struct ring *ring, size_t n,
                           const struct auxiliary *const *auxiliaries, bool is_bounded)
{
    struct code_ring names = {
        .ring = ring, .n_auxiliaries = n, .auxiliaries = auxiliaries, .is_bounded = is_bounded};
    for (int v = 0; v < RING_CAPACITY; v++)
        names.value[v] = -1;
    return names;
}

/* ceil(log2(n)) of n < 2^32: the bits of n - 1, half as many of them asked for in each step. */
static int halvings_value(struct host_code *code, struct code_ring *names,
                          const struct auxiliary *a)
{
    int zero = code_integer(code, 0), one = code_integer(code, 1), bits = zero;
    int left = code_binary(code, TREEFORK_OP_SUB, code_poly(code, names, a->numerator), one);
    left = code_binary(code, TREEFORK_OP_GREATEST, left, zero);
    for (int half = 16; half > 0; half /= 2) {
        int least = code_integer(code, INT64_C(1) << half),
            is_long = code_binary(code, TREEFORK_OP_GE, left, least);
        int shift = code_binary(code, TREEFORK_OP_MUL, is_long, code_integer(code, half));
        left = code_binary(code, TREEFORK_OP_SHIFT_RIGHT, left, shift);
        bits = code_binary(code, TREEFORK_OP_ADD, bits, shift);
    }
    return code_binary(code, TREEFORK_OP_ADD, bits, left);
}

/* The least value where a machine parameter of the quotient is unlimited, else what the definition
 * says. */
static int auxiliary_value(struct host_code *code, struct code_ring *names,
                           const struct auxiliary *a)
{
    const struct poly *numerator, *denominator;
    if (a->form == AUXILIARY_HALVINGS)
        return halvings_value(code, names, a);
    auxiliary_quotient(a, &numerator, &denominator);
    int n = code_poly(code, names, numerator), d = code_poly(code, names, denominator);
    int floor = code_integer(code, a->floor), multiple = code_integer(code, a->multiple);
    int value = code_operation(code, names->is_bounded ? TREEFORK_OP_BOUND : TREEFORK_OP_CEIL, n, d,
                               multiple);
    value = code_binary(code, TREEFORK_OP_GREATEST, value, floor);
    if (!names->is_bounded)
        return value;
    for (int v = 0; v < ring_count(names->ring); v++) {
        const char *symbol = ring_name(names->ring, v);
        if (!(a->machine >> v & 1) || !machine_may_be_unlimited(symbol) ||
            (!poly_uses(numerator, v) && !poly_uses(denominator, v)))
            continue;
        int unlimited = code_binary(code, TREEFORK_OP_EQ, code_name(code, symbol),
                                    code_integer(code, TREEFORK_UNLIMITED));
        value = code_operation(code, TREEFORK_OP_SELECT, unlimited, floor, value);
    }
    return a->cap ? code_binary(code, TREEFORK_OP_LEAST, value, code_poly(code, names, a->cap))
                  : value;
}

static int variable_value(struct host_code *code, struct code_ring *names, int variable)
{
    if (names->value[variable] >= 0)
        return names->value[variable];
    int value = -1;
    for (size_t i = 0; i < names->n_auxiliaries; i++)
        if (names->auxiliaries[i]->variable == variable)
            value = auxiliary_value(code, names, names->auxiliaries[i]);
    if (value < 0)
        value = code_name(code, ring_name(names->ring, variable));
    assert(value >= 0);
    names->value[variable] = value;
    return value;
}

/* |coefficient| * variables. */
static int term_value(struct host_code *code, struct code_ring *names, int64_t coefficient,
                      const unsigned *exponents)
{
    int product = -1;
    for (int v = 0; v < ring_count(names->ring); v++)
        for (unsigned e = 0; e < exponents[v]; e++) {
            int variable = variable_value(code, names, v);
            product =
                product < 0 ? variable : code_binary(code, TREEFORK_OP_MUL, product, variable);
        }
    if (product < 0)
        return code_integer(code, coefficient);
    return coefficient == 1
               ? product
               : code_binary(code, TREEFORK_OP_MUL, product, code_integer(code, coefficient));
}

int code_poly(struct host_code *code, struct code_ring *names, const struct poly *p)
{
    int sum = -1;
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t numerator, denominator;
        unsigned exponents[RING_CAPACITY];
        if (!poly_term(p, i, &numerator, &denominator, exponents) || numerator == INT64_MIN)
            return code_unary(code, TREEFORK_OP_WRONG, code_integer(code, 0));
        assert(denominator == 1);
        int term = term_value(code, names, numerator < 0 ? -numerator : numerator, exponents);
        if (sum < 0 && numerator < 0)
            sum = code_integer(code, 0);
        if (sum < 0)
            sum = term;
        else
            sum = code_binary(code, numerator < 0 ? TREEFORK_OP_SUB : TREEFORK_OP_ADD, sum, term);
    }
    return sum < 0 ? code_integer(code, 0) : sum;
}

int code_side(struct host_code *code, struct code_ring *names, const struct poly *p,
              uint64_t machine)
{
    int value = code_poly(code, names, p), v = limit_of_multiple(p, machine);
    if (v < 0)
        return value;
    int unlimited = code_integer(code, TREEFORK_UNLIMITED);
    int is_unlimited =
        code_binary(code, TREEFORK_OP_EQ, code_name(code, ring_name(names->ring, v)), unlimited);
    return code_operation(code, TREEFORK_OP_SELECT, is_unlimited, unlimited, value);
}

/* --- expressions ----------------------------------------------------------------------------- */

/* The result of an operation of `type`, brought into that type as C does or marked as overflow. */
static int narrowed(struct host_code *code, enum type type, int value)
{
    switch (type) {
    case TYPE_BOOL: return code_unary(code, TREEFORK_OP_BOOL, value);
    case TYPE_I8: return code_unary(code, TREEFORK_OP_I8, value);
    case TYPE_U8: return code_unary(code, TREEFORK_OP_U8, value);
    case TYPE_I16: return code_unary(code, TREEFORK_OP_I16, value);
    case TYPE_U16: return code_unary(code, TREEFORK_OP_U16, value);
    case TYPE_I32: return code_unary(code, TREEFORK_OP_I32, value);
    case TYPE_U32: return code_unary(code, TREEFORK_OP_U32, value);
    case TYPE_U64: return code_unary(code, TREEFORK_OP_U64, value);
    default: return value;
    }
}

static int shift_value(struct host_code *code, const struct expr *e, int a)
{
    const struct expr *right = e->arguments[1];
    if (right->kind != EXPR_INTEGER || right->integer < 0 || right->integer > 62)
        return -1;
    if (e->op == OP_SHL)
        return narrowed(code, e->type,
                        code_binary(code, TREEFORK_OP_MUL, a,
                                    code_integer(code, INT64_C(1) << right->integer)));
    return narrowed(
        code, e->type,
        code_binary(code, TREEFORK_OP_SHIFT_RIGHT, a, code_integer(code, right->integer)));
}

static int binary_value(struct host_code *code, const struct expr *e)
{
    static const struct {
        enum treefork_code code;
        bool narrows;
    } rows[] = {
        [OP_ADD] = {TREEFORK_OP_ADD, true},    [OP_SUB] = {TREEFORK_OP_SUB, true},
        [OP_MUL] = {TREEFORK_OP_MUL, true},    [OP_DIV] = {TREEFORK_OP_DIV, true},
        [OP_REM] = {TREEFORK_OP_REM, true},    [OP_AND] = {TREEFORK_OP_BIT_AND, false},
        [OP_OR] = {TREEFORK_OP_BIT_OR, false}, [OP_XOR] = {TREEFORK_OP_BIT_XOR, false},
        [OP_LT] = {TREEFORK_OP_LT, false},     [OP_LE] = {TREEFORK_OP_LE, false},
        [OP_GT] = {TREEFORK_OP_GT, false},     [OP_GE] = {TREEFORK_OP_GE, false},
        [OP_EQ] = {TREEFORK_OP_EQ, false},     [OP_NE] = {TREEFORK_OP_NE, false},
        [OP_LAND] = {TREEFORK_OP_AND, false},  [OP_LOR] = {TREEFORK_OP_OR, false},
    };
    int a = code_expr(code, e->arguments[0]);
    if (e->op == OP_SHL || e->op == OP_SHR)
        return shift_value(code, e, a);
    int b = code_expr(code, e->arguments[1]), value = code_binary(code, rows[e->op].code, a, b);
    return value >= 0 && rows[e->op].narrows ? narrowed(code, e->type, value) : value;
}

static int unary_value(struct host_code *code, const struct expr *e)
{
    int a = code_expr(code, e->arguments[0]);
    if (a < 0)
        return -1;
    if (e->op == OP_NOT)
        return code_unary(code, TREEFORK_OP_NOT, a);
    if (e->op == OP_NEG)
        return narrowed(code, e->type,
                        code_binary(code, TREEFORK_OP_SUB, code_integer(code, 0), a));
    return narrowed(code, e->type, code_unary(code, TREEFORK_OP_BIT_NOT, a));
}

static int cast_value(struct host_code *code, const struct expr *e)
{
    const struct expr *a = e->arguments[0];
    int value = type_is_floating(a->type) ? -1 : code_expr(code, a);
    bool holds_all = type_bytes(e->type) > type_bytes(a->type) &&
                     (type_is_signed(e->type) || !type_is_signed(a->type));
    return value < 0 || holds_all || e->type == a->type ? value : narrowed(code, e->type, value);
}

int code_expr(struct host_code *code, const struct expr *e)
{
    if (type_is_floating(e->type))
        return -1;
    switch (e->kind) {
    case EXPR_INTEGER:
        return e->type == TYPE_U64 && e->integer < 0 ? -1 : code_integer(code, e->integer);
    case EXPR_VAR: return code_name(code, e->var->name);
    case EXPR_UNARY: return unary_value(code, e);
    case EXPR_BINARY: return binary_value(code, e);
    case EXPR_CAST: return cast_value(code, e);
    case EXPR_SELECT:
        return code_operation(code, TREEFORK_OP_SELECT, code_expr(code, e->arguments[0]),
                              code_expr(code, e->arguments[1]), code_expr(code, e->arguments[2]));
    default: return -1;
    }
}

/* --- numbers of the tables ------------------------------------------------------------------- */

size_t code_operation_count(const struct host_code *code)
{
    return code->operations.count;
}

bool code_end(struct host_code *code)
{
    code->first[ORIGIN_CONSTANT] = 0;
    code->first[ORIGIN_PARAMETER] = code->constants.count;
    code->first[ORIGIN_MACHINE] = code->first[ORIGIN_PARAMETER] + code->n_parameters;
    code->first[ORIGIN_OPERATION] = code->first[ORIGIN_MACHINE] + code->symbols.count;
    if (code->too_many || code->first[ORIGIN_OPERATION] + code->operations.count >= TREEFORK_NONE)
        return false;
    for (size_t i = 0; i < code->operations.count; i++) {
        struct treefork_operation *o = &code->operations.at[i];
        o->a = (uint16_t)code_number(code, o->a);
        o->b = (uint16_t)code_number(code, o->b);
        o->c = (uint16_t)code_number(code, o->c);
    }
    return true;
}

unsigned code_number(const struct host_code *code, int value)
{
    const struct made *made = &code->values.at[value];
    return (unsigned)(code->first[made->origin] + made->place);
}

size_t code_constants(const struct host_code *code, const int64_t **constants)
{
    *constants = code->constants.at;
    return code->constants.count;
}

size_t code_machine(const struct host_code *code, const char *const **symbols)
{
    *symbols = code->symbols.at;
    return code->symbols.count;
}

size_t code_operations(const struct host_code *code, const struct treefork_operation **operations)
{
    *operations = code->operations.at;
    return code->operations.count;
}
