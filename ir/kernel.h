#ifndef IR_KERNEL_H
#define IR_KERNEL_H
#include "base/lines.h"
#include "base/map.h"
#include "base/vec.h"
#include "constraints/sas.h"
#include "ir/expr.h"
#include "ir/param.h"
#include "ir/reduce.h"

/* A parametric kernel: symbolic grid and block extents, arrays in three spaces, and one body of
   structured statements.

   Meaning. For every point of the grid box (blocks, in any order, possibly at once) the body is
   executed by one block of threads. The body has two levels:
   - block level: all threads of the block run it together. It holds uniform control flow (its
     conditions and bounds are the same for all threads of the block), definitions of scalars,
     barriers and bands.
   - a band (STMT_BAND) gives each thread its iterations: every point of the band's box is executed
     once by one thread. A plain band has the kernel's block box as its extents and thread number t
     executes exactly point t (row-major, last axis fastest); a strided band may have any box, and
     thread t executes the points t, t + threads, …
   Locals and private arrays declared at block level exist once per thread and live across bands,
   those declared in a band live in it. No barrier and no band stands inside a band. There is no
   implied barrier. The serial reading (grid loops, bands as loops, barriers as nothing) is the
   serial elision.

   Launch: threads per block = product of the block extents (any number if every band is strided);
   as a plane (the last axes are the first dimension, all others together the second, a block for
   every point) or as a line: `for (b = block; b < product of grid extents; b += blocks)`, axes
   recovered by division, last fastest; likewise for threads. Immutable after construction;
   strategies make new kernels. */

enum { AXES_MAX = 8 };

/* 0 <= var < extent */
struct axis {
    const struct var *var;
    const struct expr *extent;
};

enum stmt_kind {
    STMT_SEQUENCE,   /* children */
    STMT_LET,        /* declares var, = value unless NULL (then it has no value yet) */
    STMT_SET,        /* var = value */
    STMT_ARRAY,      /* a private array comes into being, without values */
    STMT_STORE,      /* array[indices] = value; `width` > 0: a vector copy, see stmt_vector;
                        `reduction`: array[indices] op= value, see stmt_accumulate;
                        `end`: it begins or ends sums, see stmt_end;
                        `async`: the value arrives later, see stmt_async */
    STMT_IF,         /* if (value) children[0] else children[1] (may be NULL) */
    STMT_FOR,        /* for (var = from; var < to; var += step) children[0]; step > 0, var is not
                        written in it */
    STMT_WHILE,      /* while (value) children[0]: a loop of one thread, in a band, whose rounds
                        nobody knows before */
    STMT_BAND,       /* axes, n_axes, strided: children[0] */
    STMT_BARRIER,    /* `waits`: it waits for asynchronous copies, too, see stmt_pending */
    STMT_LAST        /* the last block alone executes children[0], see stmt_last */
};

/* A plain store that belongs to the sums of an array with accumulating stores. */
enum sum_end {
    SUM_END_NONE,
    SUM_END_START,   /* the element's value before the first accumulation in it */
    SUM_END_FINISH   /* reads or sets elements behind the last accumulation in them */
};

struct stmt {
    enum stmt_kind kind;
    int n_children;
    const struct stmt *const *children;
    const struct var *var;
    const struct array *array;
    const struct expr *const *indices;     /* STMT_STORE: array->n_dims of them */
    const struct expr *value;
    const struct expr *from, *to, *step;
    int n_axes;
    const struct axis *axes;
    bool strided;
    int batch;                             /* STMT_BAND, strided: points that a thread does at once,
                                              all loads before the stores; 0 = one by one */
    int width;                             /* STMT_STORE: elements of a vector copy; 0 = one
                                              element, any value */
    enum reduce_op reduction;              /* STMT_STORE: REDUCE_NONE = a plain one */
    enum sum_end end;                      /* STMT_STORE */
    bool async;                            /* STMT_STORE */
    bool waits;                            /* STMT_BARRIER */
    int pending;                           /* STMT_BARRIER that waits: groups left under way */
    bool rare;                             /* STMT_IF: children[1] does the same where the condition
                                              holds, too, and is seldom taken */
    bool unroll;                           /* STMT_FOR: to be unrolled: the trip count is a
                                              specialised constant, or literal and small */
    struct loc loc;
};

struct kernel {
    const char *name;
    struct ring *ring;
    int n_params;
    const struct param *const *params;     /* in the order of the kernel's arguments */
    int n_arrays;
    const struct array *const *arrays;     /* global ones first, in the order of the arguments; then
                                              shared, private */
    int n_grid, n_block;
    const struct axis *grid;               /* extents: expressions over parameters (truncating
                                              divisions as in the source) */
    const struct axis *block;              /* extents: polynomials over parameters, divided only as
                                              `divisible` allows */
    const struct stmt *body;
    const struct expr *shared_bytes;       /* dynamic shared memory of a block; NULL = none */
    struct sas facts;                      /* what may be assumed: lo <= parameter, asserts of
                                              the source */
    int n_divisible;                       /* launched only where all of these hold (polynomials
                                              over parameters) */
    const struct divisible *divisible;
    int pressure;                          /* register-pressure level 0..3, read by ir/llvm */
    bool own_lanes;                        /* a thread's own sums are to be taken in lanes: read
                                              serially they come in the order of the text
                                              (ir/own.h) */
};

/* Constructors. Values are cast to the type of what they are stored in, bounds of a loop (from,
   step) to its variable's; a sequence in a sequence is spliced, NULL children of it are left out, a
   NULL body is an empty sequence. An `if` has n_children 2, or 1 and children[1] == NULL. Variables
   of let are VAR_LOCAL, of axes and loops VAR_ITERATOR. `to` and `step` of a loop are evaluated in
   every round as in C; extents of a band once. */
const struct stmt *stmt_sequence(struct arena *arena, const struct stmt *const *children, int n);
const struct stmt *stmt_let(struct arena *arena, const struct var *var, const struct expr *value);
const struct stmt *stmt_set(struct arena *arena, const struct var *var, const struct expr *value);
const struct stmt *stmt_array(struct arena *arena, const struct array *array);
const struct stmt *stmt_store(struct arena *arena, const struct array *array,
                              const struct expr *const *indices, const struct expr *value,
                              struct loc loc);
/* An accumulating store: the element becomes element op value, as one step that no other access
   divides. Those of one operator to one element may come in any order and at once; no other access
   of that array stands in the kernel, but in stores of stmt_end. Serially they come in the order of
   the text. */
const struct stmt *stmt_accumulate(struct arena *arena, const struct array *array,
                                   const struct expr *const *indices, enum reduce_op reduction,
                                   const struct expr *value, struct loc loc);
/* A plain store at the first point (START) or the last point (FINISH) of all accumulations in the
   elements that it touches. Threads come to these points in any order: only the serial reading has
   a meaning, until optimizer/strategies/reduce.c has made kernels of it (ir/access/ends.h). */
const struct stmt *stmt_end(struct arena *arena, const struct array *array,
                            const struct expr *const *indices, const struct expr *value,
                            enum sum_end end, struct loc loc);
/* A vector copy: `width` consecutive elements from array[indices] on become those from `source`, a
   load of an array of the same element type, on. One access of 16 bytes on either side, both
   aligned to 16 bytes: the number of the first element (of shared arrays with their offset) is a
   multiple of the width; global arrays begin at multiples of 16 bytes. It reads all elements before
   it writes one. Elements have 4 or 8 bytes, width is 16 bytes' worth of them. */
const struct stmt *stmt_vector(struct arena *arena, const struct array *array,
                               const struct expr *const *indices, const struct expr *source,
                               struct loc loc);
enum { VECTOR_BYTES = 16 };
/* An asynchronous copy (ir/async.h): the store, of an element or of a vector, that a thread starts
   and does not wait for. Until a barrier of stmt_pending nobody may touch the element. */
const struct stmt *stmt_async(struct arena *arena, const struct stmt *store);
/* Elements of a vector copy; 0 if arrays of this type have none. */
int type_vector_width(enum type type);
const struct stmt *stmt_if(struct arena *arena, const struct expr *condition,
                           const struct stmt *then, const struct stmt *otherwise);
const struct stmt *stmt_for(struct arena *arena, const struct var *var, const struct expr *from,
                            const struct expr *to, const struct expr *step,
                            const struct stmt *body);
const struct stmt *stmt_while(struct arena *arena, const struct expr *condition,
                              const struct stmt *body);
const struct stmt *stmt_band(struct arena *arena, const struct axis *axes, int n_axes, bool strided,
                             const struct stmt *body);
const struct stmt *stmt_barrier(struct arena *arena);
/* A barrier that ends a group, perhaps an empty one, of each thread's asynchronous copies and waits
   until all groups but the `pending` newest ones have arrived. */
const struct stmt *stmt_pending(struct arena *arena, int pending);
/* Statements that the last block of a launch executes when all blocks have run, at the end of a
   kernel's body, once. They may read all that any block wrote to global memory. They are no part of
   the loop over points of the grid: neither its axes nor what the body declares is in scope, and
   shared memory is without values when they begin. */
const struct stmt *stmt_last(struct arena *arena, const struct stmt *body);
/* The statement of stmt_last at the end of a body; NULL if there is none. */
const struct stmt *body_last(const struct stmt *body);
/* The body up to that statement. */
const struct stmt *body_without_last(struct arena *arena, const struct stmt *body);
/* A copy of s with new children (n_children of them, NULL where a branch became empty); everything
   else is kept. */
const struct stmt *stmt_rebuild(struct arena *arena, const struct stmt *s,
                                const struct stmt *const *children);
/* The expressions that stand directly in s (not in its children): subscripts, value,
   bounds, extents. */
int stmt_n_exprs(const struct stmt *s);
const struct expr *stmt_expr(const struct stmt *s, int i);
/* Does this very node, not only an equal one, occur in them? */
bool stmt_holds_expr(const struct stmt *s, const struct expr *node);
/* Questions about s and everything in it: is there a statement of this kind, a SET of the variable,
   a use of the variable, a store to the array, a load or store of the array? */
bool stmt_contains(const struct stmt *s, enum stmt_kind kind);
/* Is s a loop of a thread that stays one in every text: a `for` that is not unrolled, a `while`? */
bool stmt_is_rolled(const struct stmt *s);
/* Is there such a loop in s? s itself does not count. */
bool stmt_has_rolled_loop(const struct stmt *s);
/* Is there a `for` or a `while` in s, or is it one? */
bool stmt_has_loop(const struct stmt *s);
/* The statement without lists around it that hold nothing else. */
const struct stmt *stmt_sole(const struct stmt *s);
bool stmt_sets_var(const struct stmt *s, const struct var *var);
/* Does a statement in s declare the variable, set it or count it? */
bool stmt_gives_value(const struct stmt *s, const struct var *var);
bool stmt_uses_var(const struct stmt *s, const struct var *var);
bool stmt_stores_to(const struct stmt *s, const struct array *array);
bool stmt_loads_from(const struct stmt *s, const struct array *array);
bool stmt_uses_array(const struct stmt *s, const struct array *array);   /* loads or stores */
bool stmt_has_end(const struct stmt *s);      /* a start or finish of sums */
/* The operator of the accumulating stores to the array in s; REDUCE_NONE if there are none. */
enum reduce_op stmt_accumulates_in(const struct stmt *s, const struct array *array);
/* The rounds of a loop whose bounds and step are literals; 0 of any other loop, and without
   rounds. */
int64_t stmt_literal_rounds(const struct stmt *loop);
/* The copies of its body that make a loop over groups of elements of tiles (strategies/wide.c)
   eight rounds long; 1 of any other loop. */
int stmt_group_copies(const struct stmt *s);
/* The copies of its body that a loop gets in every text of a kernel of this register pressure
   (struct kernel), so that their loads wait together. For loops whose rounds are known only at
   run time and whose body is at most three assignments that load from global memory: as many
   copies as load 16 words, those from shared memory included, but four at least, where one load
   is from global memory, nothing is stored (a sum) and the pressure is 0; else four; one from
   pressure 2 on, and of any other loop. */
int stmt_small_copies(const struct stmt *s, int pressure);
struct var *var_new(struct arena *arena, const char *name, enum type type, enum var_kind kind);

/* A copy to change before it is shared (arrays of pointers are shared). */
struct kernel *kernel_copy(struct arena *arena, const struct kernel *kernel);
const struct param *kernel_param(const struct kernel *kernel, const char *name);
const struct array *kernel_array(const struct kernel *kernel, const char *name);

/* Statement rewriting: `rewrite(state, s)` is called on every statement after its children were
   rewritten; it returns the replacement (s itself to keep it, NULL to delete it). Unchanged parts
   are shared. Never NULL: nothing left is an empty sequence. */
const struct stmt *stmt_rewrite(struct arena *arena, const struct stmt *s,
                                const struct stmt *(*rewrite)(void *state, const struct stmt *s),
                                void *state);
/* Every expression e of the statements replaced by rewrite(state, e) (bottom up on the expression's
   nodes too). */
const struct stmt *stmt_rewrite_exprs(struct arena *arena, const struct stmt *s,
                                      const struct expr *(*rewrite)(void *state,
                                                                    const struct expr *e),
                                      void *state);

/* The line of the user's own source that s comes from: that of its place, else of its value; 0 if
   both are elsewhere. */
unsigned stmt_source_line(const struct source *source, const struct stmt *s);
/* A copy of statement s in which `var` is `value`; variables that s declares are new ones there. */
const struct stmt *stmt_instance(struct arena *arena, const struct stmt *s, const struct var *var,
                                 const struct expr *value);

/* May a compiler keep elements of the global array in registers between two accesses of a thread
   (C's restrict)? Arrays do not overlap; but where threads wait for each other, another one may
   have changed an element of an array that the kernel writes. */
bool kernel_array_is_restrict(const struct kernel *kernel, const struct array *array);
/* expr_poly with the divisions that kernel->divisible makes exact. */
const struct poly *kernel_poly(const struct kernel *kernel, const struct expr *e);
/* An expression of `type` over the kernel's parameters for a polynomial. NULL if a coefficient is
   no integer or a variable no parameter. */
const struct expr *kernel_poly_expr(struct arena *arena, const struct kernel *kernel,
                                    const struct poly *p, enum type type);
/* Product of the block extents as a polynomial (coefficients may be rational where they divide);
   NULL if an extent is none. */
const struct poly *kernel_threads(const struct kernel *kernel);
/* Words (4 bytes) of shared memory per block as a polynomial; zero if none, NULL if it is
   no polynomial. */
const struct poly *kernel_shared_words(const struct kernel *kernel);
/* Is there an accumulating store in it? */
bool kernel_accumulates(const struct kernel *kernel);
bool kernel_all_strided(const struct kernel *kernel);
/* FNV hash of the printed text without the list of ring variables, which others may extend. */
uint64_t kernel_hash(const struct kernel *kernel);

/* ir/verify.c: false after an internal-error diagnostic that names the rule (rules:
   docs/kernel.md). A plain band may name the kernel's block variables as its own; every other
   variable has one declaration. */
bool kernel_verify(struct ctx *ctx, const struct kernel *kernel);
/* ir/print.c, ir/read.c: kernel_read(kernel_print(k)) prints the same text. */
void kernel_print(struct str *out, const struct kernel *kernel);
/* Statements in the same form, indented by 4 * depth spaces. */
void stmt_print(struct str *out, const struct stmt *s, int depth);
struct kernel *kernel_read(struct ctx *ctx, const struct source *source);

#endif
