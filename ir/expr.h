#ifndef IR_EXPR_H
#define IR_EXPR_H
#include "base/ctx.h"
#include "constraints/poly.h"

/* Typed program expressions with C's meaning: operands are already converted (casts are explicit),
   the result type stands on the node. Immutable. */

enum type {
#define X(NAME, text, bytes, is_signed, is_floating) TYPE_##NAME,
#include "ir/type.def"
#undef X
    TYPE_COUNT
};

const char *type_name(enum type type);   /* C name */
unsigned type_bytes(enum type type);
bool type_is_signed(enum type type);
bool type_is_floating(enum type type);
double type_epsilon(enum type type);     /* of a floating type: 1 to the next number */

enum var_kind { VAR_PARAM, VAR_ITERATOR, VAR_LOCAL };

/* A scalar. Identity is the pointer; names are unique within a kernel. */
struct var {
    const char *name;
    enum type type;
    enum var_kind kind;
    struct loc loc;
};

enum space { SPACE_GLOBAL, SPACE_SHARED, SPACE_PRIVATE };

/* An array. Identity is the pointer. dims[0] is NULL where a pointer parameter leaves it open (T *a
   has one dim, NULL). */
struct array {
    const char *name;
    enum type element;
    enum space space;
    int n_dims;
    const struct expr *const *dims;   /* n_dims extents over parameters */
    bool cache;                       /* global: named in cache(...) */
    bool is_restrict, is_const;       /* global: as declared */
    bool is_partial;                  /* global: for parts of sums between the launches of a run:
                                         memory of the device without values before the first
                                         launch, no array of the source */
    bool is_scalar;                   /* global: a scalar of the source, the only element */
    bool is_alone;                    /* is_scalar: no pointer of the source leads to it */
    const struct expr *offset;        /* shared: bytes from the start of the block's dynamic
                                         shared memory */
    const struct array *origin;       /* shared and private: the global array it stands for,
                                         partial: that which is summed; or NULL */
    struct loc loc;
};

enum expr_kind {
    EXPR_INTEGER,   /* integer: value (bits of the type) */
    EXPR_REAL,      /* real */
    EXPR_VAR,       /* var */
    EXPR_LOAD,      /* array[arguments…], n_dims of them, each of an integer type */
    EXPR_UNARY,     /* op arguments[0] */
    EXPR_BINARY,    /* arguments[0] op arguments[1], both of one type (shifts: of their own) */
    EXPR_CAST,      /* (type)arguments[0] */
    EXPR_SELECT,    /* arguments[0] ? arguments[1] : arguments[2]; only the chosen one
                       is evaluated */
    EXPR_CALL       /* function(arguments…): a function of ir/function.def */
};

enum op {
    OP_NEG, OP_NOT, OP_COMPLEMENT,                        /* - ! ~ */
    OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_REM,
    OP_SHL, OP_SHR, OP_AND, OP_OR, OP_XOR,
    OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE,             /* result TYPE_I32 */
    OP_LAND, OP_LOR                                       /* short circuit, result TYPE_I32 */
};

/* Is it an array that whoever runs the kernel has: global, and no partial one? */
static inline bool array_is_given(const struct array *array)
{
    return array->space == SPACE_GLOBAL && !array->is_partial;
}

struct expr {
    enum expr_kind kind;
    enum type type;
    enum op op;
    int n_arguments;
    const struct expr *const *arguments;
    int64_t integer;
    double real;
    const struct var *var;
    const struct array *array;
    const char *function;
    struct loc loc;
};

/* Constructors; they fold constants and the neutral elements 0 and 1 of integers only. */
const struct expr *expr_integer(struct arena *arena, enum type type, int64_t value);
const struct expr *expr_real(struct arena *arena, enum type type, double value);
const struct expr *expr_zero(struct arena *arena, enum type type);
const struct expr *expr_var(struct arena *arena, const struct var *var);
const struct expr *expr_load(struct arena *arena, const struct array *array,
                             const struct expr *const *indices, struct loc loc);
const struct expr *expr_unary(struct arena *arena, enum op op, const struct expr *a);
const struct expr *expr_binary(struct arena *arena, enum op op, const struct expr *a,
                               const struct expr *b);
/* a op b; the other one if one of them is NULL. */
const struct expr *expr_join(struct arena *arena, enum op op, const struct expr *a,
                             const struct expr *b);
const struct expr *expr_cast(struct arena *arena, enum type type, const struct expr *a);
const struct expr *expr_select(struct arena *arena, const struct expr *c, const struct expr *a,
                               const struct expr *b);
const struct expr *expr_call(struct arena *arena, enum type type, const char *function,
                             const struct expr *const *arguments, int n);
/* The operands of binary operators, of ?: and of unary - and ~ are brought to their promoted or
   common type here by explicit casts where they are not of it already, so that an ill-typed node
   cannot be built. */

/* `value` as a value of `type`: wrapped, then sign- or zero-extended to 64 bits (a _Bool: 0
   or 1). */
int64_t type_wrap(enum type type, int64_t value);
/* C's usual arithmetic conversions and integer promotion. */
enum type type_promote(enum type type);
enum type type_common(enum type a, enum type b);

bool expr_equal(const struct expr *a, const struct expr *b);
/* Are n expressions equal, each to the one at its place? */
bool exprs_equal(const struct expr *const *a, const struct expr *const *b, int n);
bool expr_uses_var(const struct expr *e, const struct var *var);
bool expr_uses_array(const struct expr *e, const struct array *array);
/* Is a node of this kind in e? */
bool expr_contains(const struct expr *e, enum expr_kind kind);
/* Is e made of literals, parameters and calls on them alone, with no load and no other variable? */
bool expr_reads_only_params(const struct expr *e);
/* A copy with each variable for which `map(state, var)` is not NULL replaced by that expression
   (cast to its type). */
const struct expr *expr_substitute(struct arena *arena, const struct expr *e,
                                   const struct expr *(*map)(void *state, const struct var *var),
                                   void *state);

/* The polynomial of an integer expression, its variables as ring variables of the same name
   (integer wrap-around is taken not to happen). NULL if it divides, loads, calls or selects, or
   would have thousands of terms. */
const struct poly *expr_poly(struct ring *ring, const struct expr *e);
/* Something taken for granted: `divisor` (2 or more) divides `value`, whatever values the
   variables have. */
struct divisible {
    const struct poly *value;
    int64_t divisor;
};
/* expr_poly that also reads e / c for constants c, where one of the n facts makes the division
   exact: value / c with rational coefficients. */
const struct poly *expr_poly_exact(struct ring *ring, const struct expr *e, int n,
                                   const struct divisible *facts);
/* An expression of `type` for p; `lookup(state, name)` gives each variable. NULL if a coefficient
   is no integer. */
const struct expr *poly_expr(struct arena *arena, const struct poly *p, enum type type,
                             const struct var *(*lookup)(void *state, const char *name),
                             void *state);

/* No load, call, division or shift in it: evaluating it any number of times, or not at all,
   changes nothing. */
bool expr_is_total(const struct expr *e);
/* Without the conversions between integer types that stand outermost. */
const struct expr *expr_uncast(const struct expr *e);
/* Is e the lesser of two integers, written as a < b ? a : b (or with <=, >, >=)? Which, without
   outermost conversions. */
bool expr_get_minimum(const struct expr *e, const struct expr **a, const struct expr **b);
/* k, if `end` is begin + k, or the lesser of that and another value; else NULL: a loop from `begin`
   to `end` has at most k rounds. */
const struct expr *expr_beyond(const struct expr *begin, const struct expr *end);
/* min(a, b) as a < b ? a : b. */
const struct expr *expr_minimum(struct arena *arena, const struct expr *a, const struct expr *b);
/* The expression with new operands (as many as it has), by its constructor. */
const struct expr *expr_rebuild(struct arena *arena, const struct expr *e,
                                const struct expr *const *arguments);
/* A copy with every node replaced by rewrite(state, node), operands first; unchanged parts
   are shared. */
const struct expr *expr_rewrite(struct arena *arena, const struct expr *e,
                                const struct expr *(*rewrite)(void *state, const struct expr *e),
                                void *state);
bool expr_get_integer(const struct expr *e, int64_t *value);
/* Is it the literal 0 of any type, perhaps converted? */
bool expr_is_zero(const struct expr *e);

/* C's spelling of the operator, "+". */
const char *op_text(enum op op);
bool op_is_comparison(enum op op);
/* The comparison that holds where this one does not (of integers: a NaN meets neither). */
enum op op_negate(enum op op);
/* Binding strength of a binary operator, higher binds tighter. */
int op_precedence(enum op op);

/* C text; full parentheses only where needed. expr_read is in ir/read.h. */
void expr_print(struct str *out, const struct expr *e);
char *expr_text(struct arena *arena, const struct expr *e);

#endif
