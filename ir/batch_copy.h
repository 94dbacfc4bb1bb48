#ifndef IR_BATCH_COPY_H
#define IR_BATCH_COPY_H
#include "ir/batch.h"

/* What ir/batch.c knows of a band, for ir/batch_expand.c. */

/* What a band does at each point, its definitions put in. */
struct batch_copy {
    const struct stmt *store;
    const struct expr *condition;            /* NULL = always */
    const struct expr *inside;               /* where a vector is loaded, else 0; NULL = always */
    const struct expr *const *to;            /* subscripts of the store */
    const struct expr *value, *load;         /* the load stands in the value */
    const struct var *lane;                  /* numbers the elements of a vector that is gathered,
                                                whose value is that of one element; else NULL */
    const struct expr *lanes;                /* how many they are */
};

/* The row-major number of an element: rest + the sum of part[i] * axis i; NULL = 0. Behind the
   axes stands the part of the lane. */
struct batch_form {
    enum type type;
    const struct expr *rest, *part[AXES_MAX];
};

/* The linear form of an expression over the band's axes, computed in form->type; false if it
   is none. */
bool batch_linear(struct arena *arena, const struct stmt *band, const struct expr *e,
                  struct batch_form *form);

/* false if the band is no copy; *from and *to: the elements read and written at a point. */
bool batch_match(struct arena *arena, const struct stmt *band, struct batch_copy *copy,
                 struct batch_form *from, struct batch_form *to);

#endif
