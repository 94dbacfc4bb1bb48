#ifndef EMIT_VECTORS_H
#define EMIT_VECTORS_H
#include "emit/lanes_code.h"

/* An element of a private array, which a point keeps from round to round of a long loop. */
struct kept {
    const struct array *array;          /* with an element for each lane */
    const struct expr *const *indices;  /* literals, but for the lane, which is last */
    const char *name;                   /* the array of vectors in its place */
    bool is_stored;
};

/* A long loop of a row whose rounds may be done for several vectors of points at once, from the
   point `done` on as long as all of them are there; the loop itself does the others. */
struct vectors {
    const struct stmt *loop;            /* a statement of rows->lanes */
    const struct stmt *work;            /* what a point does in a round: scalars and stores */
    const struct stmt *before;          /* scalars of a round that all points share */
    const struct var *done, *lanes, *lane;
    const char *vector, *count;         /* variables of the text: the number of a vector, and how
                                           many there are */
    enum type type;                     /* of all that differs from point to point */
    int n_kept;
    const struct kept *kept;
    struct map *varying;                /* scalars of the work that are vectors */
    const struct vectors *next;
};

enum { POINTS_BYTES = 64 };

/* The loop over rounds, whose statements are `rounds` and the loop over lanes that ends them, of
   which `work` is the body before it got names of its own: as it stands or, where vectors pay, with
   the declaration of `done` ahead; these are put before l->vectors. */
const struct stmt *vectors_make(struct lanes *l, const struct stmt *loop,
                                const struct stmts *rounds, const struct stmt *work);
/* The place in v->kept of the element of a private array; -1: the element is not kept. */
int vectors_find_kept(const struct vectors *v, const struct array *array,
                      const struct expr *const *indices);
/* Does e differ from point to point? */
bool vectors_expr_varies(const struct vectors *v, const struct expr *e);

#endif
