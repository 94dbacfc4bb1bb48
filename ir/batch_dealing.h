#ifndef IR_BATCH_DEALING_H
#define IR_BATCH_DEALING_H
#include "base/map.h"
#include "base/vec.h"
#include "ir/names.h"

/* How the points of a box are dealt out to the threads of a block, for ir/batch_expand.c. */

/* A VEC of statements. */
struct batch_list {
    const struct stmt **at;
    size_t count, capacity;
};

/* How threads stand in the rows of boxes of one shape. */
enum batch_shape {
    SHAPE_LINE,      /* a box of one axis: thread t begins at point t */
    SHAPE_ROWS,      /* rows fill the block exactly */
    SHAPE_PIECES,    /* the rows of the block's last axis, pieces of which fill a row exactly */
    SHAPE_PLANE,     /* likewise, and the block has as many rows as the box: columns are batched */
    SHAPE_FREE       /* as many whole rows as fit, or pieces as long as the block */
};

struct batch_dealing {
    enum batch_shape shape;
    const struct expr *columns;              /* points of a row; NULL: a box of one axis */
    int n_rows;                              /* axes but the last, or the only one */
    const struct expr *extents[AXES_MAX];    /* of these */
    const struct expr *row, *rise;           /* the thread's first row; rows at once */
    const struct expr *width;                /* threads in a row */
    const struct expr *column;               /* the thread's place there: of one copy only, as it
                                                costs no division */
    const struct expr *first[AXES_MAX], *step[AXES_MAX];    /* digits of row and rise */
};

/* The dealings of a kernel's boxes. */
struct batch_dealer {
    struct arena *arena;
    const struct kernel *kernel;
    struct names names;
    struct map *meanings;                    /* of scalars at block level: over parameters */
    const struct expr *thread, *threads;     /* the thread's number and the count */
    struct batch_list begin;                 /* definitions once per kernel */
    VEC(struct batch_dealing *) dealings;
};

struct batch_dealer dealer_new(struct arena *arena, const struct kernel *kernel);
/* How the band's points are dealt out: once for all bands of its shape, where that hangs on
   parameters alone; else the definitions stand in `local`. */
const struct batch_dealing *dealing_of(struct batch_dealer *dealer, struct batch_list *local,
                                       const struct stmt *band);
/* Axes that run as digits: those of rows, where there are several. */
int dealing_digits(const struct batch_dealing *dealing);

/* The polynomial over parameters of an expression at block level; NULL if it is none. */
const struct poly *dealer_poly(const struct batch_dealer *dealer, const struct expr *e);
struct var *dealer_var(struct batch_dealer *dealer, const char *stem, enum type type,
                       enum var_kind kind);
/* `value` under a name, unless it is a number or a name already. */
const struct expr *dealer_define(struct batch_dealer *dealer, struct batch_list *list,
                                 const char *stem, enum type type, const struct expr *value);

#endif
