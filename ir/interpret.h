#ifndef IR_INTERPRET_H
#define IR_INTERPRET_H
#include "ir/kernel.h"

/* Runs kernels on given data: serially (the reference) or thread by thread with checks. */

/* A scalar value in the bits of its type. */
union value {
    int64_t integer;
    uint64_t unsigned_;
    double real;        /* of all floating types, kept rounded to the type */
};

/* The value as one of `type`: integers wrapped, floats rounded. Parameters are taken this way. */
union value value_normal(enum type type, union value value);

/* An element's value from its bytes, which need not be aligned, and to its bytes. */
union value value_load(enum type type, const unsigned char *p);
void value_store(enum type type, unsigned char *p, union value v);

struct interpret_array {
    void *data;         /* elements of the array's type */
    size_t count;       /* elements */
};

/* One access of a thread to a global or shared array, as the thread interpreter tells it. Accesses
   of the threads of a block belong together, as those of one instruction do, if place, execution,
   pass and rounds are the same. */
struct interpret_access {
    const struct array *array;
    const void *node;              /* the load or the store */
    const void *place;             /* where the load or the store stands in the kernel: one
                                      expression that stands at two places is two instructions */
    bool is_write;
    int64_t byte;                  /* from the start of the array, or of the block's
                                      shared memory */
    unsigned bytes;                /* more than an element's: a vector copy */
    int64_t block, thread;
    uint64_t execution;            /* number of the band's (or block-level statement's) execution in
                                      the run */
    int64_t pass;                  /* of a strided band: how many points the thread has done in
                                      this execution */
    uint64_t rounds;               /* stands for the rounds of the serial loops around it */
};

struct interpret_trace {
    void (*access)(void *state, const struct interpret_access *access);
    void *state;
};

/* What a run did, added up over all threads; loads and stores by kernel->arrays index (the
   caller's, zero at first). Operations are evaluations of operators and functions but for && || !
   ?: and conversions; not those in bounds of loops and extents of bands, nor what is constant over
   the launch (integer operations on parameters alone). A comparison belongs to the type that
   it compares. */
struct interpret_counts {
    uint64_t *loads, *stores;
    uint64_t floating, integers;
};

/* A part of a launch: blocks from .. to - 1 of an axis of the grid, with all blocks of the other
   axes; and the elements of global arrays that it may read and write. */
enum { INTERPRET_MAY_READ = 1, INTERPRET_MAY_WRITE = 2 };
struct interpret_part {
    int axis;
    int64_t from, to;
    const unsigned char *const *may;       /* by kernel->arrays index and element; NULL = the whole
                                              array */
};

struct interpret_input {
    const union value *params;             /* by kernel->params index */
    const struct interpret_array *arrays;  /* by kernel->arrays index; global ones only */
    int64_t threads;                       /* 0 = product of the block extents; else needs all
                                              bands strided */
    int64_t blocks;                        /* 0 = one per grid point; else so many take the points
                                              b, b + blocks, … in turn, with no barrier between two
                                              points (interpret_threads) */
    uint64_t steps;                        /* budget, 0 = default */
    uint64_t seed;                         /* permutes the order of blocks and threads; 0 =
                                              in order. With an odd one asynchronous copies arrive
                                              at once, with an even one as late as they may */
    const struct interpret_trace *trace;   /* interpret_threads: called for every access; NULL
                                              = nobody */
    struct interpret_counts *counts;       /* NULL = nothing is counted */
    const struct interpret_part *part;     /* NULL = the whole launch */
    const struct array *shifted;           /* interpret_serial: finishes read sums in this array
                                              with their error added; NULL = none */
};

enum interpret_status {
    INTERPRET_DONE, INTERPRET_RACE, INTERPRET_DIVERGENCE, INTERPRET_BOUNDS, INTERPRET_UNINITIALISED,
    INTERPRET_ARITHMETIC, INTERPRET_ALIGNMENT, INTERPRET_BUDGET
};

struct interpret_result {
    enum interpret_status status;
    const char *message;          /* what, where, which threads; in the arena */
    size_t shared_top;            /* highest shared byte touched + 1 */
    double sum_error;             /* how far floating sums may lie from those in another order: the
                                     greatest of all elements' terms * eps * sum of |term| */
};

const char *interpret_status_name(enum interpret_status status);
/* The serial elision. */
struct interpret_result interpret_serial(struct arena *arena, const struct kernel *kernel,
                                         const struct interpret_input *input);
/* The bytes that interpret_threads keeps for each element of a global array that the kernel writes,
   and the most that it keeps for one array: of a larger one it says INTERPRET_BUDGET. */
enum { INTERPRET_NOTE = 24, INTERPRET_NOTES_MOST = 1 << 30 };
/* Thread by thread with checks: data races between threads of a block (between barriers) and
   between blocks, barriers that not all threads reach, accesses out of bounds or beyond what a part
   may touch, reads of values never written (locals, private, shared), accesses to elements for
   which an asynchronous copy is under way. */
struct interpret_result interpret_threads(struct arena *arena, const struct kernel *kernel,
                                          const struct interpret_input *input);
/* The first of kernel->divisible that does not hold for these parameters (or cannot be evaluated in
   64 bits); NULL if the kernel may be launched. */
const struct divisible *kernel_indivisible(const struct kernel *kernel, const union value *params);
/* Value of an expression over parameters only (extents); false on division by zero or where a
   signed result leaves its type. */
bool expr_evaluate(const struct kernel *kernel, const struct expr *e, const union value *params,
                   union value *value);

#endif
