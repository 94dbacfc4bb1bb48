#ifndef OPTIMIZER_STORE_H
#define OPTIMIZER_STORE_H
#include "base/map.h"
#include "base/vec.h"
#include "optimizer/slots.h"

/* Kernels by the strategies that made them, and the values of their counters: a memo of pure
   functions. What is asked for is made once, whatever the order of the questions, and never
   changed. The store alone makes definitions of auxiliary integers. */

/* A kernel, known by its text. */
struct kernel_entry {
    const struct kernel *kernel;
    const char *text;                    /* as printed, without the ring: equal kernels are
                                            one entry */
    const struct counter_value *values[COUNTER_COUNT];
    struct kernel_entry *swept;          /* what its registers are counted of; NULL = not
                                            made yet */
    const struct poly *registers;        /* bound per thread; NULL = not made yet */
    size_t samples;                      /* those it was fitted above */
    int64_t residual;                    /* it exceeds each of them by so much at most */
};

/* Kernels that are launched one after the other, known by these: equal lists are one. `parted`: of
   the words of a device that shares the launches with others; NULL = not made yet. */
struct part_list {
    int count;                           /* at least 1 */
    struct kernel_entry *at[PARTS_MOST];
    const struct counter_value *values[COUNTER_COUNT];   /* of all together; one kernel's own */
    const struct counter_value *parted;
};

/* What a key makes. `symbolic`: without private arrays whose size is a parameter. */
struct build {
    struct key key;
    bool symbolic;
    struct part_list *parts;
};

/* A draft of a part after the first so many rows of the table, which looked at these levels of the
   key only. */
struct drafting {
    int row, part;
    struct key key;
    bool symbolic;
    struct kernel_draft draft;
};

/* Something on the parameters that a kernel needs, or that a strategy needs to be applied. */
struct requirement {
    struct constraint holds;
    struct slots slots;                  /* the auxiliary integers in it */
};

/* CPU time so far, and what it is spent on now. */
struct stopwatch {
    bool running;
    enum cost current;
    double last, spent[COST_COUNT];
};

enum { DROPS = 3 };

/* What the store asks for what it does not know yet; models of tests have answers of their own. */
struct store_source {
    const struct counter_value *(*value)(struct store *store, struct key key, int counter);
    bool (*applies)(struct store *store, struct key key, int strategy);
    bool (*is_staged)(struct store *store, struct key key);
    size_t (*requirements)(struct store *store, struct key key, int strategy,
                           const struct requirement **requirements);
};

struct store {
    const struct search_space *space;
    struct ctx *ctx;
    const struct store_source *source;
    void *model;                         /* of tests */
    VEC(struct build) builds;
    VEC(struct kernel_entry *) entries;
    VEC(struct part_list *) parts;
    VEC(struct drafting) drafts;
    VEC(const struct definition *) definitions;
    const struct counter_value *injected[COUNTER_COUNT][2];   /* unreduced, reduced granularity */
    bool drops_known;
    int n_staged;                        /* arrays that may be dropped singly, 0 if fewer than two
                                            are staged */
    int drop_order[DROPS];               /* their indices in the region's kernel */
    int split_count;                     /* parts that the region's kernel can be split into; 0
                                            = not known yet */
    struct stopwatch watch;
    struct arena *scratch;               /* where the rings of reported values are, while one is
                                            evaluated; NULL */
};

struct store *store_new(const struct search_space *space);

/* What the search asks, by number of strategy and of counter of the space. */
/* Value of a counter; the same pointer for the same kernel. NULL after a diagnostic. */
const struct counter_value *store_value(struct store *store, struct key key, int counter);
/* Does the strategy apply to the kernel of the key? */
bool store_applies(struct store *store, struct key key, int strategy);
/* Does the kernel use shared memory? */
bool store_is_staged(struct store *store, struct key key);
/* A launch is partitioned among two devices at least. */
struct requirement store_partition_requirement(const struct store *store);
/* What the strategy needs of the parameters beyond what the kernel of the key does. */
size_t store_requirements(struct store *store, struct key key, int strategy,
                          const struct requirement **requirements);

/* The kernels of a key. NULL after a diagnostic. */
struct part_list *store_parts(struct store *store, struct key key, bool symbolic);
/* The kernel of number `part`, from 0. NULL after a diagnostic, or if there are not so many. */
struct kernel_entry *store_kernel(struct store *store, struct key key, int part, bool symbolic);
/* The entry of a kernel: one that prints the same text, so that its values need not be found again,
   or a new one. */
struct kernel_entry *store_entry(struct store *store, const struct kernel *kernel);
/* Value of a row of counter.def for a key. NULL after a diagnostic. */
const struct counter_value *store_counter(struct store *store, struct key key, int symbol);
/* The requirements of all kernels together besides the counters' limits: divisibility. */
size_t store_parts_requirements(struct store *store, const struct part_list *parts,
                                const struct requirement **requirements);
/* The array whose staging is dropped n-th (from 0); NULL if there is none. */
const struct array *store_droppable(struct store *store, int n);
/* Can the region's kernel be split? */
bool store_splits(struct store *store);
/* Does the kernel have threads for the lanes of its threads' own sums? */
bool store_has_lanes(const struct store *store, const struct kernel *kernel);
/* The definition of an auxiliary integer over the slots given, its coefficients cleared of
   denominators; the same pointer for the same definition. Operands are those of `slots` that
   it uses. */
const struct definition *store_definition(struct store *store, const char *stem,
                                          const struct auxiliary *given, struct slots slots);
/* cost.c: from now on CPU time counts for `to`; returns what it counted for, to be switched
   back to. */
enum cost cost_switch(struct store *store, enum cost to);

/* --- counters --------------------------------------------------------------------------------- */

/* value.c: its pieces and keys with their variables renamed (poly_rename). */
struct counter_value value_rename(struct arena *arena, struct ring *ring,
                                  const struct counter_value *value, const int *at);
/* value.c: the tests of a target likewise. */
const struct counter_goal *goal_rename(const struct search_space *space,
                                       const struct counter_goal *goal, const int *at);
/* value.c: an auxiliary integer likewise, but for its name and its text. */
struct auxiliary *auxiliary_rename(struct arena *arena, struct ring *ring,
                                   const struct auxiliary *auxiliary, const int *at);
/* parts.c: the value of a counter for several kernels from that of the first `part` of them and
   that of the next: the largest, the least or the sum, as the row of the counter says. */
const struct counter_value *value_join(struct store *store, const struct counter *counter,
                                       const struct counter_value *before,
                                       const struct counter_value *next, int part);
/* counter.c: values of one piece. */
struct counter_value value_constant(struct store *store, int64_t value, enum exactness exactness);
struct counter_value value_poly(struct store *store, const struct poly *value,
                                enum exactness exactness);
/* counters/: one function each. */
#define X(SYMBOL, name, ...)                                                                       \
    struct counter_value counter_##name(struct store *store, const struct kernel *kernel);
#include "optimizer/counter.def"
#undef X
/* Can loops of the region's threads be cut into pieces? */
bool lockstep_concerns(const struct search_space *space);
bool asynchrony_concerns(const struct search_space *space);
bool hidden_concerns(const struct search_space *space);
/* Are several devices asked about, and have all arrays polynomial sizes? */
bool device_words_concerns(const struct search_space *space);
/* The words of each device where several share the launches of a leaf. */
struct counter_value device_words_parted(struct store *store, const struct part_list *parts);
/* Registers per thread: an upper bound in the tunables that size private arrays. NULL after
   a diagnostic. */
const struct poly *registers_estimate(struct store *store, const struct kernel *kernel);
/* What a target aims at: a number given, or the machine parameter of its row. The counter is one of
   the space. */
const struct poly *store_target(const struct store *store, int symbol);

#endif
