#ifndef OPTIMIZER_STRATEGIES_SCALAR_H
#define OPTIMIZER_STRATEGIES_SCALAR_H
#include "optimizer/strategies/rewrite.h"
#include "optimizer/strategies/strategies.h"

/* The loads of one serial loop of a thread, and those among them that meet across rounds. */

enum { SCALARS_MAX = 8, GAP_MAX = 2 };     /* rounds that one element is kept; rounds between two
                                              uses of it */

/* One place where the body loads. Subscripts and guard speak of the loop's variable and of what is
   fixed during the loop. */
struct load_site {
    const struct expr *load;
    bool usable;                           /* executed in every round in which `guard` holds;
                                              subscripts are polynomials */
    const struct expr *guard;              /* fixed during the loop; NULL = always */
    const struct expr *const *indices;
    const struct poly *const *polys;       /* of the indices */
    bool moves;                            /* a subscript depends on the loop's variable */
    int group;                             /* -1 = none */
    int offset;                            /* rounds before the group's first site reads the
                                              same element */
};

struct serial_loop {
    struct arena *arena;
    struct ring *ring;                     /* of the names in the loop, not the kernel's own */
    const struct stmt *loop;
    int64_t step;
    VEC(const struct var *) changing;      /* set or defined in the body, except the names that
                                              are substituted */
    VEC(const struct var *) lets;          /* names of the body with one value without loads and
                                              calls … */
    VEC(const struct expr *) values;       /* … and these values */
    VEC(const struct array *) stored;
    VEC(struct load_site) sites;
    int n_groups;
    const struct expr *guard;              /* of the statement being looked at */
    bool certain;                          /* is it executed whenever the guard holds? */
};

/* Fills `sites` and their groups; false if nothing can be said of the loop (its bound changes, or
   it is no counting loop). */
bool serial_loop_read(struct arena *arena, const struct stmt *loop, struct serial_loop *out);
/* Can e be evaluated before the loop as in any round: no loads, calls, changing variables, nor the
   loop's own? */
bool serial_loop_fixed(const struct serial_loop *loop, const struct expr *e);

#endif
