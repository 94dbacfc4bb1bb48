#ifndef OPTIMIZER_STRATEGIES_REDUCE_ROWS_H
#define OPTIMIZER_STRATEGIES_REDUCE_ROWS_H
#include "optimizer/strategies/reduce.h"

/* Reads of a block that agree in the elements that they take (reduce_agree.c), for what is kept in
   shared memory between them (reduce_rows.c). */

/* Where a load stands, or (`load` == NULL) the only store to an array: the loop of the block and
   what surrounds it in the band, lets put in; `inner`: a thread's own loop, NULL if there is
   none. */
struct row_site {
    const struct expr *load;
    const struct array *array;
    const struct expr *const *arguments;     /* of the load or store, as they stand there */
    const struct stmt *loop, *band, *inner;
    const struct expr *const *subscripts;
    VEC(const struct expr *) conditions;
};

/* The values that a subscript takes at a point of the grid. */
enum row_way { WAY_NONE, WAY_POINT, WAY_LANES, WAY_COLUMNS };
struct row_values {
    enum row_way way;
    const struct expr *base;         /* the addends that the whole point shares; NULL = 0 */
    unsigned axes;                   /* WAY_LANES: those of the block that number the threads */
    const struct var *column;        /* WAY_COLUMNS: it is added to the base */
    const struct expr *count;        /* the number of its values, from 0 on */
};

/* The row for two reads of an array: its extents, and the subscripts in it. */
struct row_shape {
    int n_dims;
    const struct expr *dims[2], *stored[2], *read[2];
    bool is_shared;                  /* threads read what other ones stored */
};

/* Does the later site read nothing but what the first one reads or stores at the same point? Fills
   the shape. */
bool sites_agree(const struct reducing *r, const struct row_site *first,
                 const struct row_site *later, struct row_shape *shape);
/* The values of a subscript that goes through columns at the site; WAY_NONE if it goes
   otherwise. */
struct row_values columns_values(const struct reducing *r, const struct row_site *site,
                                 const struct expr *subscript);

/* The summands of an expression. */
typedef VEC(const struct expr *) addend_list;
void addends_list(struct arena *arena, const struct expr *e, addend_list *list);
/* Takes the sum's addends off the list. Where the list lacks one, returns false and changes
   nothing. */
bool addends_take(struct arena *arena, addend_list *list, const struct expr *sum);

#endif
