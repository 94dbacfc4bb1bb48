#ifndef IR_INTERPRET_CODE_H
#define IR_INTERPRET_CODE_H
#include "base/map.h"
#include "base/vec.h"
#include "ir/function.h"
#include "ir/interpret.h"
#include <setjmp.h>

/* What the files of the interpreters share: a kernel translated, for one input, to trees of
   closures that find their operands by number. */

/* Stands for a thread or block: more than one of them. */
#define READER_MANY UINT32_MAX
/* Stands for all threads or blocks that accumulate by an operator. */
#define ACCUMULATORS(reduction) (READER_MANY - (uint32_t)(reduction))

/* Who touched an element (of shared memory: a granule of bytes) last. Epochs count barriers over
   the whole run, so that an epoch belongs to one block; a thread is known within it. Blocks count
   from 1. */
struct cell {
    uint32_t write_epoch, write_thread;
    uint32_t read_epoch, read_thread;    /* the first reader of the epoch, READER_MANY once there
                                            is another */
    uint32_t write_block, read_block;    /* of the run; read_block READER_MANY once there
                                            is another */
};

/* An array with its extents and its storage. */
/* The terms that an element has got so far. */
struct summed {
    double count, magnitude;             /* magnitude: the sum of their absolute values */
};

struct memory {
    const struct array *array;
    int64_t *dims;                       /* -1 = open */
    int64_t count;                       /* elements */
    unsigned bytes;                      /* per element */
    unsigned char *data;                 /* global: the caller's; shared: in the block's buffer */
    struct cell *cells;                  /* NULL: nothing to check */
    const unsigned char *may;            /* global: what a part may do, by element; NULL: all */
    enum reduce_op reduction;            /* global: the operator of its sums */
    struct summed *sums;                 /* of elements whose sums depend on the order; NULL */
    int64_t offset;                      /* shared: bytes */
    union value *values;                 /* private: count per thread */
    unsigned char *defined;              /* private: count per thread */
};

/* An asynchronous copy under way: bytes of the block's buffer that have no owner until it has
   arrived. */
struct flight {
    int64_t begin;
    unsigned bytes;
    uint64_t group;
    unsigned char data[8];
};

struct thread;

struct interpreter {
    jmp_buf stop;
    struct interpret_result result;
    struct arena *arena, *scratch;       /* messages; everything else */
    const struct kernel *kernel;
    const struct interpret_input *input;
    bool checked;                        /* thread by thread, with checks for races */
    struct memory *memories;             /* by kernel->arrays index */
    struct map *slots, *arrays;          /* while translating: var -> its slot, array -> memory */
    bool in_end;                         /* while translating: see struct closure */
    int n_slots;
    int64_t n_threads;                   /* of a block */
    int64_t n_frames;                    /* sets of locals: n_threads, or 1 */
    struct thread *threads;              /* n_frames */
    int64_t *order;                      /* n_frames: scratch of permutations */
    union value *grid;                   /* values of the grid variables */
    int64_t grid_extents[AXES_MAX];      /* of the part that runs */
    int64_t grid_begin[AXES_MAX];        /* its first blocks */
    int64_t block;                       /* the running one */
    uint32_t block_ordinal, epoch;
    bool is_last;                        /* stmt_last runs: all other blocks are through */
    uint64_t steps, random;
    uint64_t execution, rounds;          /* for traces: see struct interpret_access */
    int64_t pass;
    struct interpret_counts *counts;
    bool in_bounds;                      /* while translating: bounds and extents, whose operations
                                            do not count */
    unsigned char *shared, *shared_defined;  /* shared_defined: per granule */
    struct cell *shared_cells;
    int64_t shared_bytes;
    unsigned granule;
    VEC(struct flight) flights;          /* in the order in which they began */
    unsigned char *shared_flying;        /* by granule; NULL: no copies are asynchronous */
    uint64_t group;                      /* the open group's number, the same in all threads */
};

struct thread {
    struct interpreter *run;
    int64_t number;
    union value *values;                 /* n_slots */
    unsigned char *defined;              /* n_slots */
};

/* An expression. */
struct closure {
    union value (*run)(const struct closure *c, struct thread *t);
    const struct closure *a, *b, *c;
    union value constant;
    int slot;
    enum op op;
    enum type type, from;                /* of the result; of the operands */
    struct memory *memory;
    const struct closure *const *operands;  /* subscripts, arguments */
    const struct function_row *function;
    bool in_end;                         /* in a store that begins or ends sums */
    const struct expr *source;
};

/* A statement. */
struct action {
    void (*run)(const struct action *s, struct thread *t);   /* by one thread alone */
    enum stmt_kind kind;
    bool collective;                     /* holds a band or a barrier */
    int n_children, slot, n_axes;
    const struct action *children[2];
    const struct action *const *sequence;
    const struct closure *value, *from, *step, *again;          /* again: var < to */
    const struct closure *const *operands;  /* subscripts; extents of a band */
    const int *axis_slots;
    struct memory *memory;
    const struct stmt *source;
};

static inline union value value_integer(int64_t integer)
{
    return (union value){.integer = integer};
}

static inline union value value_real(double real)
{
    return (union value){.real = real};
}

/* Ends the run; does not return. */
void interpret_stop(struct interpreter *run, enum interpret_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));
/* "file:3:7: " of a place, "" without one. */
const char *interpret_place(struct interpreter *run, struct loc loc);

/* ir/interpret_expr.c */
const struct closure *code_make(struct interpreter *run, const struct expr *e);
/* The same; the value is 0 or 1. */
const struct closure *code_condition(struct interpreter *run, const struct expr *e);
const struct closure *const *code_list(struct interpreter *run, const struct expr *const *list,
                                       int n);
/* var < to, by a loop's variable. */
const struct closure *code_less(struct interpreter *run, const struct var *var,
                                const struct expr *to);
int code_slot(struct interpreter *run, const struct var *var);
/* ir/interpret_arith.c: closures for operators; their operands are a and b. */
void code_binary(struct closure *c);
void code_unary(struct closure *c);
void code_cast(struct closure *c);
void code_call(struct closure *c);
void code_truth(struct closure *c);
/* ir/interpret_memory.c */
void memory_open(struct interpreter *run);
void memory_new_block(struct interpreter *run);
union value memory_load(const struct closure *c, struct thread *t);
void memory_store(const struct action *s, struct thread *t);
/* An accumulating store. */
void memory_accumulate(const struct action *s, struct thread *t);
/* A vector copy. */
void memory_copy(const struct action *s, struct thread *t);
void memory_create(const struct action *s, struct thread *t);
/* ir/interpret_async.c: the block's buffer of so many granules exists; a block begins. */
void async_open(struct interpreter *run, int64_t granules);
void async_new_block(struct interpreter *run);
/* A value is on its way to `bytes` bytes of the buffer. */
void async_begin(struct interpreter *run, int64_t begin, unsigned bytes, const unsigned char *data);
/* The open group ends, and all groups but the `pending` newest arrive. */
void async_wait(struct interpreter *run, int pending);
/* ir/interpret_stmt.c */
const struct action *action_make(struct interpreter *run, const struct stmt *s);
/* ir/interpret_block.c: a block of threads comes into being; it runs the body for one
   grid point. */
void block_begin(struct interpreter *run);
void block_run(struct interpreter *run, const struct action *body);
/* A block executes the statements of the last one. */
void block_run_last(struct interpreter *run, const struct action *last);

/* The key of a loop's round within the rounds around it. */
static inline uint64_t interpret_round(uint64_t around, uint64_t round)
{
    uint64_t x = (around ^ round) * 0x9e3779b97f4a7c15u + 0xd1b54a32d192ed03u;
    return x ^ (x >> 29);
}

static inline void interpret_step(struct interpreter *run)
{
    if (run->steps-- == 0)
        interpret_stop(run, INTERPRET_BUDGET, "the budget of steps is spent");
}

#endif
