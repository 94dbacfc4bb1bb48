#ifndef OPTIMIZER_STRATEGIES_ELEMENTS_H
#define OPTIMIZER_STRATEGIES_ELEMENTS_H
#include "optimizer/strategies/rewrite.h"

/* Which elements the loads of a kernel read, in variables that keep their values, so that two loads
   can be compared that are spelt differently. */

struct element {
    const struct array *array;
    const struct expr *const *subscripts;    /* integer scalars replaced by what they stand for */
    const struct poly *const *polys;         /* of the subscripts; NULL: that one is none */
};

struct elements {
    struct arena *arena;
    struct ring *ring;                       /* of the names in subscripts */
    struct map *assigned;                    /* scalars that are set again, or have no value
                                                at first */
    struct map *values;                      /* scalar that is defined once -> what it stands for */
    struct map *known;                       /* load -> its element */
};

struct elements elements_new(struct arena *arena, const struct kernel *kernel);
/* An integer expression with its scalars replaced by what they stand for; NULL if it depends on
   what is set again, reads data, may fail or may wrap around. */
const struct expr *elements_expand(struct elements *elements, const struct expr *e);
/* The element of a load; NULL if it cannot be told. */
const struct element *elements_of(struct elements *elements, const struct expr *load);
/* The same element, certainly, wherever the variables have the same values? */
bool element_equal(const struct element *a, const struct element *b);

/* The kernel with one load where statements that follow each other in a plain band read an element
   several times; the kernel itself if there is none. */
const struct kernel *loads_share(struct arena *arena, const struct kernel *kernel);

#endif
