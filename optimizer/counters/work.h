#ifndef OPTIMIZER_COUNTERS_WORK_H
#define OPTIMIZER_COUNTERS_WORK_H
#include "optimizer/counters/scope.h"

/* What the threads of one grid point compute, counted on the statements: the operations that the
   thread interpreter counts too (ir/interpret.h), so that it is the oracle. Loop bounds, extents of
   bands and what is constant over a launch (integer operations on parameters alone) count nothing;
   subscripts count. */
enum work_kind {
    WORK_FLOAT,             /* operations on floats: + - * / comparisons, negation, functions,
                               one each */
    WORK_DOUBLE,            /* the same on doubles */
    WORK_INTEGER,           /* on integers */
    WORK_FUSED_FLOAT,       /* of them: additions and subtractions of a product, one instruction
                               together with it */
    WORK_FUSED_DOUBLE,
    WORK_SPECIAL,           /* of them: divisions by what is no constant, and functions: many
                               instructions each */
    WORK_ADDRESS,           /* of those on integers: in subscripts, and in locals that only
                               serve them */
    WORK_ROUNDS,            /* rounds of loops that are not unrolled, by all threads */
    WORK_POINTS,            /* points of strided bands */
    WORK_CARRIES,           /* axes but the last of each of these points;
                               in batches but the last two: threads stay in a column */
    WORK_ENTRIES,           /* axes but the last of each execution of a strided band
                               by a thread; of a band in batches none, as they are divided
                               once per kernel */
    WORK_BATCHES,           /* executions of a band in batches by a thread, with points or none */
    WORK_BARRIERS,          /* barriers that a block comes to */
    WORK_KINDS
};

struct work {
    const struct poly *at[WORK_KINDS];   /* of all threads together */
    bool exact;                          /* false: upper bounds */
    bool guessed;                        /* no bounds: loops whose rounds depend on data are taken
                                            to run ROUNDS_GUESS times */
};
enum { ROUNDS_GUESS = 16 };

/* False if an extent has no bound: scope->reason says so. */
bool work_count(struct scope *scope, struct work *work);
/* Threads of a block, the product of its extents; NULL and scope->reason set if one is
   no polynomial. */
const struct poly *work_threads(struct scope *scope);
/* Number of grid points; NULL and scope->reason set if an extent is no polynomial. *exact: no bound
   was needed. */
const struct poly *work_blocks(struct scope *scope, bool *exact);
/* Operations of one evaluation of the expressions in s. False if only one of two branches is
   evaluated (then the larger one counts). `valued`: see work_valued. */
bool work_direct(const struct stmt *s, const struct map *valued, int64_t count[WORK_KINDS]);
/* The locals whose values are used otherwise than in subscripts (a map of pointers to them). */
struct map *work_valued(struct arena *arena, const struct kernel *kernel);
/* Does the interpreter count this node as an operation? */
bool work_is_operation(const struct expr *e);
/* Coefficient by coefficient the larger one: not below p and q, where the variables are
   not negative. */
const struct poly *poly_maximum(const struct poly *p, const struct poly *q);

#endif
