#ifndef OPTIMIZER_STRATEGIES_WIDE_H
#define OPTIMIZER_STRATEGIES_WIDE_H
#include "optimizer/strategies/alignment.h"
#include "optimizer/strategies/elements.h"
#include "optimizer/strategies/rewrite.h"

/* What the parts of wide loads share: wide.c finds loops, lays tiles out and asks for alignment,
   wide_loops.c writes the loops, wide_fills.c the fills of tiles that are turned. */

enum { TILE_DIMS = 2 };

/* A band that fills a tile. */
struct tile_fill {
    const struct stmt *band;
    bool gathers;                            /* the tile is turned, and vectors may fill it */
    bool moves;                              /* it is not turned, and vectors may fill it */
    const struct expr *aligned;              /* where they may; NULL: always */
};

/* A shared array, read by wide loads or not. */
struct wide_tile {
    const struct array *array;
    VEC(struct tile_fill) fills;             /* a tile with slots may have several */
    bool refused;
    int slots;                               /* subscripts before those of the tile: 1 where it is
                                                filled rounds ahead, asynchronously, else 0 */
    int n_dims;                              /* behind these */
    bool is_row_wise, is_column_wise;        /* how rounds go through it */
    bool is_crossed;                         /* threads next to each other read different rows of
                                                what is read by vectors */
    struct array *fresh;                     /* what it becomes; NULL: stays */
};

/* Loads of a loop that read the same element. */
struct wide_lane {
    struct wide_tile *tile;
    const struct expr *const *subscripts;    /* scalars of the body replaced */
    const struct poly *places[TILE_DIMS];    /* without the slot */
    const struct stmt *inner;                /* the loop to be unrolled in whose rounds it differs,
                                                or NULL */
    const struct array *private;
    struct loc loc;
};

struct wide_loop {
    const struct stmt *loop;
    const struct var *across;                /* the band's last axis */
    VEC(struct wide_lane) lanes;
    struct map *of_load;                     /* load -> number of its lane, a size_t */
};

struct widening {
    struct ctx *ctx;
    struct arena *arena;
    const struct kernel *kernel;
    bool symbolic;                           /* private arrays may be sized by parameters */
    struct names names;
    struct elements elements;
    struct alignment alignment;
    int width;
    VEC(struct wide_tile *) tiles;
    VEC(struct wide_loop) loops;
    VEC(const struct array *) added;
};

/* NULL: the array is not shared. */
struct wide_tile *wide_tile_of(struct widening *w, const struct array *array);

/* wide_fills.c: which bands may fill the tile by vectors, where the divisions hold? Sets gathers,
   moves and aligned. */
void wide_fill_judge(struct widening *w, struct wide_tile *tile,
                     const struct divisibility *divisions);
/* A fill by vectors. Other statements as they are. */
const struct stmt *wide_fill_widen(void *widening, const struct stmt *s);

/* A loop in groups, and behind them the rounds that fill none; in a loop that is a piece of a
   longer one only the last piece has such. Other statements as they are. */
const struct stmt *wide_loop_widen(void *widening, const struct stmt *s);
/* An access in the tile's new form. */
const struct stmt *wide_store_renew(void *widening, const struct stmt *s);
const struct expr *wide_load_renew(void *widening, const struct expr *e);

#endif
