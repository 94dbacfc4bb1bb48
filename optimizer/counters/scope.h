#ifndef OPTIMIZER_COUNTERS_SCOPE_H
#define OPTIMIZER_COUNTERS_SCOPE_H
#include "ir/access/list.h"
#include "optimizer/store.h"

/* Where a counter's polynomials live. What the tree forks on uses the ring of the space, its
   auxiliary integers in slots (counter_value.slots). What is only reported has a ring of its own
   for each value, so that the space knows nothing of it; its auxiliary integers stand in the value
   with their names (counter_value.auxiliaries). */
struct scope {
    struct store *store;
    const struct kernel *kernel;
    struct ring *ring;
    bool is_private;
    bool is_target;                              /* leaves room in the ring for the resources */
    const struct counter *counter;               /* whose value it is; NULL = of none */
    VEC(const struct auxiliary *) auxiliaries;   /* of a private ring: used so far, each after those
                                                    it uses */
    VEC(const struct definition *) definitions;  /* else: what stands in the slots */
    const char *reason;                          /* why there can be no value; NULL */
};

/* For the value of a row of counter.def. */
struct scope scope_new(struct store *store, const struct kernel *kernel,
                       enum counter_symbol symbol);
/* The machine parameter; NULL if the ring is full. */
const struct poly *scope_machine(struct scope *scope, const char *name);
/* A bounded auxiliary integer (struct auxiliary) as a polynomial; a number where it is one. NULL
   and scope->reason set if there is no room for it. */
const struct poly *scope_auxiliary(struct scope *scope, const char *stem,
                                   const struct auxiliary *definition);
/* ceil(numerator / denominator) for a numerator >= 1 and a denominator >= 1. */
const struct poly *scope_ceiling(struct scope *scope, const char *stem,
                                 const struct poly *numerator, const struct poly *denominator);
/* Is p never negative at integer points of the parameters' ranges? By its coefficients: false
   says nothing. */
bool scope_nonnegative(const struct scope *scope, const struct poly *p);
/* max(0, floor(numerator / denominator)). */
const struct poly *scope_quotient(struct scope *scope, const struct poly *numerator,
                                  const struct poly *denominator, bool nonnegative);
/* ceil(log2(p)), 0 below 1: the rounds of a tree over so many lanes. NULL where the space's ring is
   used, and without a reason if there is no room. */
const struct poly *scope_halvings(struct scope *scope, const struct poly *p);
/* A polynomial of the kernel or of the space, without auxiliary integers, in the scope's ring
   (NULL: NULL). */
const struct poly *scope_moved(const struct scope *scope, const struct poly *p);
/* registers_per_block.c: registers per thread that the driver's compiler is given, max(24,
   ceil8(estimate)). NULL if there is no estimate or no room. */
const struct poly *scope_budget(struct scope *scope);
/* The kernel's references (ir/access/list.h). */
size_t scope_accesses(struct scope *scope, const struct list_access **list);
/* The kernel's first condition over two axes that a thread asks for points apart
   (ir/access/list.h). */
bool scope_straddle(struct scope *scope, struct list_straddle *straddle);
/* What stands in the slots of the scope's polynomials. */
struct slots scope_slots(const struct scope *scope);
/* The same as integers over the scope's ring. */
const struct auxiliary *const *scope_integers(const struct scope *scope);
/* The value with its auxiliary integers. */
struct counter_value scope_value(struct scope *scope, size_t count,
                                 const struct counter_piece *pieces);
/* No value: `reason`. */
struct counter_value scope_none(const char *reason);

/* Value at an integer point (one entry per variable of the pieces' ring, those of auxiliary
   integers are filled in): numerator and denominator of the first piece whose guard holds, its
   number. -1 on overflow or if none holds. */
int counter_value_at(const struct counter_value *value, int64_t *point, int64_t *numerator,
                     int64_t *denominator);

#endif
