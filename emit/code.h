#ifndef EMIT_CODE_H
#define EMIT_CODE_H
#include "ir/expr.h"
#include "optimizer/tree.h"
#include "runtime/treefork-tables.h"

/* The values of one region that libtreefork computes (runtime/treefork-tables.h): constants,
   integer parameters, machine parameters, results of operations. Equal values are one value,
   whoever asks for them. A value is known by its number here; code_number gives the number in the
   tables, when all values are known. */

struct host_code;
struct host_code *code_new(struct arena *arena, const struct kernel *kernel);

int code_integer(struct host_code *code, int64_t value);
/* An integer parameter of the kernel or a machine parameter; -1 if there is none of that name. */
int code_name(struct host_code *code, const char *name);
int code_operation(struct host_code *code, enum treefork_code op, int a, int b, int c);
/* C's meaning, with results that leave int's (or the operation's) type marked, unsigned int's taken
   modulo 2^32. -1 if e loads, calls or shifts by a variable. */
int code_expr(struct host_code *code, const struct expr *e);

/* The variables of a ring: parameters by their names, auxiliary integers by their definitions. */
struct code_ring {
    const struct ring *ring;
    size_t n_auxiliaries;
    const struct auxiliary *const *auxiliaries;
    bool is_bounded; /* auxiliary integers that leave 64 bits are unlimited, not marked: those of
                        conditions */
    int value[RING_CAPACITY]; /* -1: not asked for yet */
};
struct code_ring code_ring(const struct ring *ring, size_t n,
                           const struct auxiliary *const *auxiliaries, bool is_bounded);
/* p has integer coefficients. */
int code_poly(struct host_code *code, struct code_ring *names, const struct poly *p);
/* One side of a condition: a multiple of a machine parameter that is unlimited is unlimited. */
int code_side(struct host_code *code, struct code_ring *names, const struct poly *p,
              uint64_t machine);

/* Operations so far. */
size_t code_operation_count(const struct host_code *code);
/* All values are known from now on. False if there are more than the tables can number. */
bool code_end(struct host_code *code);
unsigned code_number(const struct host_code *code, int value);
/* In the order of their numbers: constants, names of machine parameters, operations with numbers of
 * the tables. */
size_t code_constants(const struct host_code *code, const int64_t **constants);
size_t code_machine(const struct host_code *code, const char *const **symbols);
size_t code_operations(const struct host_code *code, const struct treefork_operation **operations);

/* The integer parameters of a kernel in order: its number, -1 if the parameter is none. */
int code_integer_parameter(const struct kernel *kernel, const char *name);

/* Is the machine parameter unlimited where a device does not tell it? */
bool machine_may_be_unlimited(const char *symbol);
/* The machine parameter that p is a multiple of, by a factor above 1: its ring variable, -1 if
 * none. */
int limit_of_multiple(const struct poly *p, uint64_t machine);
/* Numerator and denominator of an auxiliary integer, multiplied so that all coefficients are
 * integers. */
void auxiliary_quotient(const struct auxiliary *a, const struct poly **numerator,
                        const struct poly **denominator);

#endif
