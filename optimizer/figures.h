#ifndef OPTIMIZER_FIGURES_H
#define OPTIMIZER_FIGURES_H
#include "optimizer/tree.h"

/* What the model of predicted time needs to know of a kernel (struct treefork_figures of the
   runtime), as polynomials in its parameters: generated programs and `treefork explain` compute
   them at a point. Per grid point, all threads together. */

struct figure_axis {
    const struct poly *extent;           /* points or rounds */
    const struct poly *step;             /* bytes; NULL where the access is not affine */
};

struct figure_access {
    const struct array *array;
    int bytes;                           /* that a thread touches at once */
    bool is_shared, is_affine;
    int leader;                          /* the first access that walks the array with the same
                                            steps (reads and writes apart), or its own number */
    const struct poly *distance;         /* bytes from that one's place to its own; NULL = 0 */
    const struct expr *branch;           /* made only where this condition on the parameters holds;
                                            NULL = always */
    bool branch_negated;                 /* made where it does not hold */
    const struct poly *rounds;
    const struct poly *waits;            /* times that a point of its band waits for it; NULL: it is
                                            a store */
    int phase;                           /* the first access that waits at the same time
                                            (optimizer/phases.h), or its own number */
    int overlaps;                        /* copies of the body of its innermost loop, whose loads
                                            wait at once, or rounds of it, for one of which is
                                            waited; 0: not even two rounds do */
    int address, advance;                /* instructions that make its address, and that move it on
                                            in a round (optimizer/instruction.def) */
    bool in_loop;                        /* `address` is spent before the innermost loop */
    int slopes;                          /* loops around it whose rounds grow with a place, as those
                                            of a triangle; rounds and waits have the longest */
    int n_axes, n_loops;                 /* of the band, the last fastest; loops from the
                                            innermost outward */
    const struct figure_axis *axes, *loops;
    unsigned unrolled;                   /* which of the loops are, a bit each */
};

struct figures {
    const char *reason;                  /* why there are none; NULL */
    struct ring *ring;                   /* names of the kernel's parameters and of the
                                            auxiliary integers */
    size_t n_auxiliaries;
    const struct auxiliary *const *auxiliaries;   /* each after those it uses */
    const struct poly *floats, *doubles; /* instructions on them */
    const struct poly *instructions;     /* all but references and their addresses */
    const struct poly *barriers;
    const struct poly *alone;            /* rounds of loops by threads that a condition parts */
    size_t n_accesses;
    const struct figure_access *accesses;
};

struct store;
struct scope;
/* Over the scope's ring; scope->reason is set with figures->reason. Never NULL. */
const struct figures *figures_fill(struct scope *scope);
/* In a ring of their own. Never NULL. */
const struct figures *figures_make(struct store *store, const struct kernel *kernel);

#endif
