#ifndef TREEFORK_TABLES_H
#define TREEFORK_TABLES_H
#include "treefork.h"

/* The tables of a generated program (NAME.tf.c), which libtreefork reads: launch plans, arguments,
   what each leaf needs, the model's figures, the kernels' texts. Only NAME_select is C.

   Everything that a table computes is a VALUE of its region, known by number. The values are, in
   this order: the constants, the region's integer parameters, the machine parameters it uses, and
   the results of its operations, each of which uses values before it. A value is computed once for
   all leaves and carries a mark where it left 64 bits (or the type in which C computes it); what is
   computed from a marked value is marked, and only what uses it fails.

   A LIST is a place in the region's array `lists`: the number of entries, then the entries. List 0
   is empty. */

/* The layout of these structures. Raised with every change; a region of another layout is refused.
 */
#define TREEFORK_TABLES 19

/* The threads that the default device of this thread runs at once: those of all multiprocessors, or
   lanes of a processor's vectors; 1 without a device. What metafork.h's meta_threads() is in
   generated code, if it is nothing else on the compiler's command line. */
int treefork_threads(void);
/* The same; 1 as long as no device is open and regions run in place until it would pay to open one.
   In generated code meta_threads() is this one if the mapper alone asks, to choose between plans of
   equal results. */
int treefork_threads_now(void);
#ifndef meta_threads
#define meta_threads() treefork_threads()
#endif

/* Of a fragment that stands twice in the host's code: do its regions run (not 0), or its loops? The
   loops have at most so many rounds, and the order of the regions takes `times` as long on one
   core. Both are measured where the device works in the host's arrays; the fragment ends with
   treefork_paid. In generated code these are meta_pays() and meta_paid() of metafork.h. */
int treefork_pays(const char *function, int line, double rounds, int times);
void treefork_paid(const char *function);
#ifndef meta_pays
#define meta_pays(rounds, times) treefork_pays(__func__, __LINE__, rounds, times)
#define meta_paid() treefork_paid(__func__)
#endif

/* No value, no row. */
enum { TREEFORK_NONE = 65535 };

/* What generated code may call its numbers, whatever macros stand in the user's file. */
typedef int64_t treefork_int;

enum treefork_relation {
    TREEFORK_EQ,
    TREEFORK_NE,
    TREEFORK_LT,
    TREEFORK_LE,
    TREEFORK_GT,
    TREEFORK_GE
};

/* Codes of operations on the values a, b, c. */
enum treefork_code {
#define X(NAME, meaning) TREEFORK_OP_##NAME,
#include "operation.def"
#undef X
    TREEFORK_OPERATIONS
};
struct treefork_operation {
    uint16_t code, a, b, c;
};

/* left relation right, as a trace shows it. */
struct treefork_condition {
    const char *text;
    uint16_t left, relation, right;
};

/* One reference of a kernel to memory; struct treefork_access says what the members are. */
struct treefork_access_row {
    uint16_t bytes, shared, affine, overlaps, address, advance, in_loop, slopes;
    uint16_t rounds, waits; /* values */
    uint16_t axes, loops; /* lists of pairs: extent, stride; rounds of the loop, step */
};
struct treefork_figure_row {
    uint16_t floats, doubles, instructions, barriers, alone, loops;
    uint16_t accesses; /* list of fours: row of an access; leader and phase, numbers of this list;
                          distance, a value */
};

/* One launch of a kernel. */
struct treefork_launch_row {
    uint16_t module;
    uint16_t grid, block; /* lists of extents */
    uint16_t shared; /* bytes of dynamic shared memory; NONE */
    uint16_t registers, divisor; /* the estimate is their quotient; NONE: no budget */
    uint16_t points; /* list of lists of extents whose products the device counts in int */
    uint16_t any_block; /* 1: runs with any block, which is clamped to the device */
    uint16_t figures; /* row; NONE: no time is predicted */
    uint16_t general; /* row of what a text for any values of bound parameters runs; NONE: as the
                         other */
    uint16_t joined; /* module of a kernel whose last block does what the next launch does, in place
                        of both where the device orders memory between blocks and this launch runs
                        whole, and has blocks. The kernel has the block and the grid of this launch,
                        and an argument more behind the arrays: a word of the device that is 0
                        before each launch, and again behind it. NONE: no such kernel */
};
/* A launch may run in parts, blocks f to t - 1 of one axis of its grid each, in any order
   (docs/access.md): the rows of parts say what a part touches of the arrays. Of an array without a
   row it touches nothing. The launch of a part has two more int arguments behind the arrays, part_x
   and part_y, and its text is compiled with -DTREEFORK_PART: they are added to the coordinates of
   its blocks in the plane. In OpenCL C an argument more for each array says how many
   of its bytes lie before its memory. */
struct treefork_cut_row {
    uint16_t axis; /* of the grid, from 0: the last, blocks of a row of the plane, or the first of
                      several, rows of the plane in units of the product of the extents between;
                      NONE: the launch runs whole */
    uint16_t first, count; /* rows of parts; a launch that runs whole has rows of all arrays that it
                              touches, or no rows */
};
/* Operators by which blocks add up in arrays of 32-bit integers, whose results do not depend on the
   order. */
enum treefork_reduction {
    TREEFORK_REDUCE_NONE,
    TREEFORK_REDUCE_ADD,
    TREEFORK_REDUCE_AND,
    TREEFORK_REDUCE_OR,
    TREEFORK_REDUCE_XOR,
    TREEFORK_REDUCE_MIN,
    TREEFORK_REDUCE_MAX,
    TREEFORK_REDUCE_UNSIGNED_MIN,
    TREEFORK_REDUCE_UNSIGNED_MAX
};
#define TREEFORK_ACCUMULATE(reduction) (TREEFORK_WRITE | (reduction) << 8)
/* Of an array the subscripts from greatest(step * f + from, least) up to least(step * t + to, most)
   - 1 in one dimension, each `unit` bytes, in `pieces` pieces: that number p begins, with subscript
   0, at byte base + p * pitch of the array. All but the first two are values. Rows of writes of
   parts that do not share a block do not meet. */
struct treefork_part_row {
    uint16_t array; /* its number among the region's arrays */
    uint16_t access; /* TREEFORK_READ or TREEFORK_WRITE; or TREEFORK_ACCUMULATE, of the whole array,
                        where parts add up in it and do nothing else to it: each may have a copy
                        that begins with neutral elements and is joined with the others */
    uint16_t condition; /* the row counts only where this value is not 0; NONE: always */
    uint16_t step; /* NONE: the whole array, and no value follows */
    uint16_t from, to;
    uint16_t least, most; /* within the array */
    uint16_t unit, base, pieces, pitch;
    uint16_t exact; /* of a write: a list of values; where no value is 0, the part writes all of
                       the row. Else, and with NONE, the part may leave elements as they are, and
                       the row has to be there before, as if it were read */
};
struct treefork_leaf_row {
    uint16_t id, safe;
    uint16_t fits; /* list of conditions */
    uint16_t first, count; /* launches, in order */
};

/* The case tree as NAME_select walks it, for explanations. The first step is number 0, the ends are
   counted on behind the steps: number n_steps + i is end i. */
struct treefork_step_row {
    uint16_t counter; /* words; NONE */
    uint16_t accept, refuse; /* words: strategies applied on the two branches; NONE */
    uint16_t on_accept, on_refuse; /* steps or ends */
};
struct treefork_end_row {
    uint16_t leaf; /* its id; 0: none */
    uint16_t codes; /* word, "(1)(4a)"; NONE */
};

/* What the library keeps of a region between its runs; empty at first, never freed. `serial`: runs
   the region on the host with the bits of its leaves, sums by themselves, other regions by OpenMP's
   threads. `arguments` and `arrays` as for treefork_region_run; arrays NULL: would it run? It
   returns 0 if it did nothing. NULL: the text behind the region does. `calls_library`: threads call
   functions like `pow`, for which OpenCL on a processor takes several times as long as C. */
struct treefork_argument;
struct treefork_site {
    void *state;
    int (*serial)(const struct treefork_argument *arguments, const void *const *arrays);
    int calls_library;
};

struct treefork_parameter_row {
    const char *name;
    uint16_t
        integer; /* its number among the integer parameters; NONE: a value that only kernels use */
    uint16_t bound; /* 1: its value is bound when a kernel is loaded */
    uint16_t varies; /* 1: loops of the host change it between two runs of the region */
    uint16_t decides; /* 0: neither NAME_select nor anything that is computed before a launch, but
                         for rows of parts, depends on it */
};
/* A parameter that the region may choose for itself: what is computed does not depend on it. */
struct treefork_tunable_row {
    uint16_t parameter;
    uint16_t choices; /* the candidates are 1, 2, 4 … 2^(choices - 1) */
    uint16_t always; /* 1: chosen whenever the region runs; 0: where it runs for NAME_auto */
    uint16_t dividends; /* list of values that it must divide; the candidates are then divisors
                           below 2^choices; 0: none */
};
/* An extent that blocks or pieces share out. Extents that round to the same power of two share a
   choice. */
struct treefork_size_row {
    uint16_t value;
    uint16_t integer; /* the integer parameter that is moved so that the extent is that power */
    uint16_t falls; /* 1: the extent falls by one where the parameter grows by one; 0: it grows */
    uint16_t varies; /* 1: loops of the host change it between two runs of the region */
};
struct treefork_array_row {
    const char *name;
    uint16_t bytes; /* value */
    uint16_t access; /* TREEFORK_READ, WRITE, OVERWRITE, SCRATCH, OPTIONAL, HOME */
    uint16_t overwrites; /* list of values: OVERWRITE holds where none is 0, else it is READ */
    uint16_t moves; /* 1: a region of the function writes it, so that devices that share launches
                       may have to hand parts of it to each other */
};

struct treefork_region {
    int layout; /* TREEFORK_TABLES; it and the name stay first for ever */
    const char *name;
    const char *function; /* that it stands in */
    const char *divisions; /* that must be exact where the region chooses, for messages; "" */
    /* NAME_select with the integer parameters as an array. */
    int (*select)(const struct treefork_machine *machine, const treefork_int *values,
                  struct treefork_trace *trace);
    int checked; /* compiled with -DTREEFORK_CHECKED */
    uint16_t n_parameters, n_integers, n_arrays, n_constants, n_machine, n_operations, n_leaves;
    uint16_t n_shape; /* operations that fits and launches need */
    uint16_t n_figures; /* these and what figures need; rows of parts need the rest too */
    uint16_t n_accesses, n_tunables, n_sizes;
    uint16_t exact; /* list of values that must be 0 where the region chooses its tunables */
    uint16_t exact_varies; /* 1: loops of the host change them between two runs of the region */
    uint16_t n_checks; /* conditions that NAME_select asks before the case tree */
    uint16_t n_steps, n_ends; /* without steps end 0 is the tree */
    const struct treefork_parameter_row *parameters;
    const struct treefork_array_row *arrays;
    const treefork_int *constants;
    const uint16_t *machine; /* enum treefork_parameter */
    const struct treefork_operation *operations;
    const uint16_t *lists;
    const struct treefork_condition *conditions;
    const struct treefork_access_row *accesses;
    const struct treefork_figure_row *figures;
    const struct treefork_launch_row *launches;
    const struct treefork_leaf_row *leaves;
    const struct treefork_module *modules;
    const struct treefork_tunable_row *tunables;
    const struct treefork_size_row *sizes;
    const struct treefork_step_row *steps;
    const struct treefork_end_row *ends;
    const char *const *words;
    const struct treefork_cut_row *cuts; /* by launch; NULL: none is cut */
    const struct treefork_part_row *parts;
    struct treefork_site *site; /* NULL: nothing is kept */
};
#ifdef TREEFORK_CHECKED
#define TREEFORK_CHECKED_REGION 1
#else
#define TREEFORK_CHECKED_REGION 0
#endif

/* N where the C library is glibc 2.N, whose functions have vectors that a declaration tells gcc of;
 * else 0. */
#if defined __GLIBC__ && __GLIBC__ == 2 && defined __x86_64__ && __GNUC__ >= 6 && \
    !defined __clang__ && !defined TREEFORK_SCALAR_MATH
#define TREEFORK_VECTORS __GLIBC_MINOR__
#define TREEFORK_VECTOR(function) \
    __asm__(function) __attribute__((__simd__("notinbranch"), __const__))
#else
#define TREEFORK_VECTORS 0
#endif

/* The C library's malloc and free, by names that a file cannot poison. */
#ifdef __GNUC__
#define TREEFORK_TAKE(bytes) __builtin_malloc(bytes)
#define TREEFORK_GIVE(memory) __builtin_free(memory)
#else
void *malloc(size_t);
void free(void *);
#define TREEFORK_TAKE(bytes) malloc(bytes)
#define TREEFORK_GIVE(memory) free(memory)
#endif

/* Interpretation. Each is ARGUMENT, with a message, for tables of another layout. `values`: the
 * integer parameters. */

/* Chooses a leaf (or obeys TREEFORK_FORCE), hands over the arrays and launches. Not OK: the data is
   on the host, nothing was computed, and the failure has been reported, unless it is IN_PLACE: the
   serial code is then to run because a launch would take longer. `arguments`: all parameters
   in order, with room for the arrays behind; tunables that the region chooses are replaced.
   `automatic`: not 0 where the region runs for NAME_auto. */
int treefork_region_run(const struct treefork_region *region, struct treefork_argument *arguments,
                        const void *const *arrays, int automatic);
/* Not 0: the region's serial code is to run at once, as after IN_PLACE, since it is so small (no
   more than so many points and rounds) that this was the answer before; else treefork_region_run
   is called. Asked only where the serial code has the bits of every leaf. */
int treefork_stays(const struct treefork_region *region, double points);
/* 1 if the leaf has what it needs itself, else 0; the last entry of the trace (NULL: none) says
 * what it lacks. */
int treefork_region_fits(const struct treefork_region *region,
                         const struct treefork_machine *machine, const treefork_int *values,
                         int leaf, struct treefork_trace *trace);
/* Fills in module, kernel, extents, bytes and register budget of launch number `launch` of a leaf;
   0 blocks where an extent is not positive. */
int treefork_region_plan(const struct treefork_region *region,
                         const struct treefork_machine *machine, const treefork_int *values,
                         int leaf, int launch, struct treefork_launch *plan);
/* Predicted time of all launches of a leaf; 1e300 nanoseconds where none can be predicted. */
int treefork_region_predict(const struct treefork_region *region,
                            const struct treefork_machine *machine, const treefork_int *values,
                            int leaf, struct treefork_prediction *prediction);
/* What NAME_select calls on its way down the case tree. */
struct treefork_walk {
    struct treefork_trace *trace;
    int error; /* an overflow that counts */
    int step; /* one in the comparison at hand */
};
/* One comparison, noted in the trace. An unlimited side decides it whatever the other side's value.
 */
int treefork_holds(struct treefork_walk *walk, const char *text, treefork_int left,
                   enum treefork_relation relation, treefork_int right);
/* The end of a walk: the leaf, or a negative status where a condition could not be evaluated. */
int treefork_leaf(const struct treefork_walk *walk, int leaf);
/* No case holds. */
int treefork_no_leaf(const struct treefork_walk *walk);
/* max(least, multiple*ceil(numerator/(multiple*denominator))); unlimited where 64 bits do not hold
 * it. */
treefork_int treefork_auxiliary(treefork_int numerator, treefork_int denominator,
                                treefork_int multiple, treefork_int least, int *error);
/* A multiple of a limit, which is unlimited with it. */
treefork_int treefork_limit_multiple(treefork_int limit, treefork_int multiple);
treefork_int treefork_least(treefork_int a, treefork_int b);
/* Sets *error. */
treefork_int treefork_too_large(int *error);

/* What stands in the user's own functions. */
/* Before a statement that reads arrays: what the device computed comes back. */
void treefork_before_read(const char *function);
/* Before a statement that may write them. */
void treefork_before_write(const char *function);
/* Before a function ends: its SCRATCH arrays end, everything else comes back. */
void treefork_before_return(const char *function);
/* At the end of a region's serial code. */
void treefork_after_serial(void);
/* A local array ends here. */
void treefork_array_end(const void *array, size_t bytes);

/* In NAME.starpu.c tasks of StarPU run the regions. */
#ifdef TREEFORK_STARPU
#include "treefork-starpu.h"
#endif

#endif

#if !defined TREEFORK_BARE && !defined TREEFORK_TABLES_FILES
#define TREEFORK_TABLES_FILES
#include "treefork.h"
/* Why NAME_select takes the leaf that it takes, as treefork_explain says it. */
int treefork_region_explain(const struct treefork_region *region,
                            const struct treefork_machine *machine, const treefork_int *values,
                            int format, FILE *out);
#endif
