#ifndef IR_LLVM_LOWER_H
#define IR_LLVM_LOWER_H
#include "ir/llvm/backend.h"

/* The lowering of one kernel: what its parts share. */

enum fault_kind { FAULT_BOUNDS, FAULT_DIVISION, FAULT_ALIGNMENT };

/* A place where host code checks; its address is a constant in the code. */
struct fault {
    enum fault_kind kind;
    const struct array *array;
    struct loc loc;
};

/* What a thread of the host sees; the first argument of a host kernel. Offsets of these members are
   in the code. */
struct lane {
    uint32_t thread[2], threads[2];   /* by dimension of the launch, as on a GPU */
    uint32_t block[2], blocks[2];
    unsigned char *shared;
    uint64_t shared_bytes;
    uint32_t is_last;                 /* all other blocks are through */
    void (*barrier)(struct lane *lane, uint32_t number);
    void (*trap)(struct lane *lane, const struct fault *fault, int64_t index, int64_t count);
};

struct lowering {
    struct ctx *ctx;
    struct backend *backend;
    const struct kernel *kernel;
    const struct stmt *body;      /* the kernel's, its batches spelled out */
    const struct binding *bindings;
    size_t n_bindings;
    bool has_async;               /* the target copies asynchronously */
    bool host;                    /* checks and lanes instead of special registers */
    bool contract;
    int unroll;                   /* ptx_options.unroll */
    int attempt;                  /* passes.c: from attempt 2 on loops are unrolled only for
                                     private arrays and where their rounds are literals */
    bool next_differs;            /* of attempt 1: attempt 2 unrolls otherwise */
    LLVMModuleRef module;
    LLVMBuilderRef builder, allocas;
    LLVMValueRef function, lane;
    LLVMValueRef shared;          /* the block's buffer */
    const struct source *told;    /* ptx_options.told */
    LLVMMetadataRef scope;        /* of the places that are told */
    unsigned line;                /* of the source, of the statement at hand */
    struct map *values;           /* var -> value: parameters and axes */
    struct map *slots;            /* var -> address: everything assigned (of `places`: of the
                                     address that is kept); array -> private array */
    struct map *addresses;        /* global array -> pointer */
    struct map *counts;           /* global array -> elements (host) */
    struct map *anew, *places;    /* ir/batch.h */
    struct map *subscripts;       /* variables that end in a subscript: their arithmetic does
                                     not wrap */
    struct map *changed;          /* variables that are assigned after their definition */
    struct map *definitions;      /* var -> expression: defined once, by what cannot change since */
    struct map *deep;             /* global arrays whose subscripts hide differences in several
                                     parts of a sum (lower_near.c) */
    struct map *apart;            /* global arrays, parts of whose subscripts are not added before
                                     they are made wide (lower_near.c) */
    int in_subscript;
    int band_loops;               /* block-level loops with bands around the statement at hand */
    bool is_rare;                 /* in a branch that is seldom taken */
    bool is_behind_loop;          /* one of them stands before it */
    uint32_t n_barriers;
    int64_t threads;              /* of a block, where that is a constant; else 0 */
    LLVMValueRef thread_number, thread_count;   /* the thread among those of its block */
    LLVMValueRef thread_place[2]; /* column and row of the thread */
    bool failed;                  /* after a diagnostic */
};

/* lower.c: the function `name` in the module; false after a diagnostic. A host kernel gets an entry
   `NAME.entry(struct lane *, const uint64_t *slots)`; slots: parameters, array pointers,
   array counts. */
bool lower_kernel(struct lowering *l, const char *name);
LLVMTypeRef lower_type(struct lowering *l, enum type type);
LLVMValueRef lower_alloca(struct lowering *l, LLVMTypeRef type, const char *name);
LLVMBasicBlockRef lower_block(struct lowering *l, const char *name);
/* The value of a parameter in `bindings`; false if it is not bound. */
bool lower_binding(const struct lowering *l, const struct var *var, int64_t *value);
/* The value of an expression over bound parameters; false if it is none. */
bool lower_constant(struct lowering *l, const struct expr *e, int64_t *value);

/* lower_expr.c */
LLVMValueRef lower_expr(struct lowering *l, const struct expr *e);
/* As a truth value of one bit. */
LLVMValueRef lower_condition(struct lowering *l, const struct expr *e);
/* lower_call.c: a float or double as a half on the host, or a half as one of them. */
LLVMValueRef lower_half(struct lowering *l, LLVMValueRef value, enum type to);
LLVMValueRef lower_convert(struct lowering *l, LLVMValueRef value, enum type from, enum type to);

/* lower_call.c: a function of ir/function.def. */
LLVMValueRef lower_call(struct lowering *l, const struct expr *e);
/* The intrinsic `name` overloaded on `type` (NULL: not overloaded). */
LLVMValueRef lower_intrinsic(struct lowering *l, const char *name, LLVMTypeRef type,
                             LLVMValueRef *arguments, unsigned n);

/* lower_access.c */
LLVMValueRef lower_address(struct lowering *l, const struct array *array,
                           const struct expr *const *indices, struct loc loc);
/* The address of the first of `width` consecutive elements (0: of one), all of them checked on
   the host. */
LLVMValueRef lower_vector_address(struct lowering *l, const struct array *array,
                                  const struct expr *const *indices, struct loc loc, int width);
/* The address of the array's element with this number, nothing checked. */
LLVMValueRef lower_element(struct lowering *l, const struct array *array, LLVMValueRef number);
/* lower_place.c: the address of the element with this number, where that is kept; else NULL. */
LLVMValueRef lower_place(struct lowering *l, const struct expr *number);
/* Keeps the address that belongs to the number; false if the variable is none of batches.places. */
bool lower_place_set(struct lowering *l, const struct var *var, const struct expr *value);
/* lower_near.c: looks at all accesses before the first one is lowered. */
void lower_near_begin(struct lowering *l);
/* The address as one that accesses nearby have, too, and steps from there; NULL where
   there are no steps. */
LLVMValueRef lower_near_address(struct lowering *l, const struct array *array, LLVMValueRef base,
                                const struct expr *const *indices);
/* Host: ends the thread where `wrong` holds. */
void lower_check(struct lowering *l, LLVMValueRef wrong, struct fault fault, LLVMValueRef index,
                 LLVMValueRef count);

/* lower_rounds.c: the body with its short loops round by round. `subscripts`: variables that end in
   a subscript. */
const struct stmt *lower_rounds(struct lowering *l, const struct map *subscripts);

/* origins.c: the function's instructions tell where they come from, if that is asked for. A
   statement begins, and ends; the end is given the line of the statement around, which the
   beginning returned. */
void lower_origins(struct lowering *l, const char *name);
unsigned lower_origin_begin(struct lowering *l, const struct stmt *s);
void lower_origin_end(struct lowering *l, unsigned around);

/* lower_stmt.c */
void lower_stmt(struct lowering *l, const struct stmt *s);
enum sreg {
    SREG_THREAD_X, SREG_THREAD_Y, SREG_THREADS_X, SREG_THREADS_Y,
    SREG_BLOCK_X, SREG_BLOCK_Y, SREG_BLOCKS_X, SREG_BLOCKS_Y
};
/* The same number, of which LLVM does not know that it is: what is computed from it stays behind
   this place. */
LLVMValueRef lower_hidden(struct lowering *l, LLVMValueRef value);
LLVMValueRef lower_sreg(struct lowering *l, enum sreg sreg);
void lower_barrier(struct lowering *l, const struct stmt *s);

/* lower_loop.c: how many copies of its body a loop gets: 0 = one per turn, 1 = it stays as
   it is. */
int64_t lower_unroll(struct lowering *l, const struct stmt *s);
/* Tells LLVM so at the branch back. */
void lower_loop_mark(struct lowering *l, LLVMValueRef branch, int64_t unroll);

/* lower_walk.c: the thread's number and place, which bands need. */
void lower_threads(struct lowering *l);
void lower_band(struct lowering *l, const struct stmt *s);
/* The body for every point of the grid that is this block's. */
void lower_grid(struct lowering *l);
/* lower_last.c: statements of the last block, behind that. */
void lower_last(struct lowering *l, const struct stmt *body);

#endif
