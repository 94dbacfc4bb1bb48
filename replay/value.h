#ifndef REPLAY_VALUE_H
#define REPLAY_VALUE_H
#include "frontend/ast.h"

/* Values of a replay. An integer is what C says, in 64 bits, those of its class extended. A number
   of floating point has beside its value a term: a hash of the operations that made it, in their
   order, of initial values, so that no infinity, rounding or cancellation hides that others did.
   A pointer is an object and an offset in bytes. */

struct object;

struct value {
    union {
        int64_t integer;             /* also a pointer's offset */
        double real;
    };
    union {
        uint64_t term;               /* of REAL values */
        struct object *object;       /* of pointers; NULL: none, the offset is a number */
    };
};

enum value_end { VALUE_GOOD, VALUE_UNDEFINED, VALUE_UNKNOWN };

static inline bool class_is_real(enum ast_class class)
{
    return class == AST_TYPE_F16 || class == AST_TYPE_F32 || class == AST_TYPE_F64;
}

static inline bool class_is_signed(enum ast_class class)
{
    return class == AST_TYPE_I8 || class == AST_TYPE_I16 || class == AST_TYPE_I32 ||
           class == AST_TYPE_I64;
}

uint64_t term_mix(uint64_t a, uint64_t b);
uint64_t term_text(const char *text);

struct value value_integer(int64_t integer);
struct value value_real(double real);           /* a literal: its term is its value */
struct value value_pointer(struct object *object, int64_t offset);
bool value_is_true(struct value value, enum ast_class class);
bool value_is_equal(struct value a, struct value b, enum ast_class class);

/* Bytes of a class of scalars and pointers; 0 for others. */
int class_bytes(enum ast_class class);
/* The bits that the class has, extended. */
int64_t class_wrap(enum ast_class class, int64_t integer);
/* The nearest number that a class of floating point has. */
double class_round(enum ast_class class, double real);
/* The class in which C computes with the two. */
enum ast_class class_common(enum ast_class a, enum ast_class b);

/* Where sums are free the terms of floating sums are those of their operands, in any order and
   grouping, which conversions between floating types do not change. */
enum value_sums { SUMS_ORDERED, SUMS_FREE };
enum value_end value_convert(struct value value, enum ast_class from, enum ast_class to,
                             enum value_sums sums, struct value *out);
/* a `op` b, in one class of numbers; shifts: b is any integer. */
enum value_end value_compute(enum ast_op op, enum ast_class class, struct value a, struct value b,
                             enum value_sums sums, struct value *out);
bool value_compare(enum ast_op op, enum ast_class class, struct value a, struct value b);
enum value_end value_negate(enum ast_class class, struct value a, struct value *out);
/* A function of replay/math.def, of values that are all of the class; -1 if the name is none. Where
   sums are free the least and the greatest have the term of what they choose, as `?:` has. */
int math_find(const char *name);
enum value_end value_function(int row, enum ast_class class, const struct value *arguments,
                              enum value_sums sums, struct value *out);
int math_arity(int row);

#endif
