#ifndef OPTIMIZER_STRATEGIES_PLACE_H
#define OPTIMIZER_STRATEGIES_PLACE_H
#include "optimizer/strategies/rewrite.h"
#include "optimizer/strategies/strategies.h"

/* The plan that strategy_place carries out: what is staged for which band, what is promoted. */

/* A block-level loop whose tiles are filled rounds ahead. */
struct staged_loop {
    const struct stmt *loop;
    int buffers;
    const struct var *slot;                  /* the number of the tile that a round reads */
};

struct placed_tile {
    const struct tile *tile;
    struct array *shared;
    const struct expr *const *extents;       /* tile->n_dims: of the tile, without padding */
    bool in_piece;                           /* staged for a piece, not named in cache(...) */
    bool padded;                             /* rows of the shared array are one element longer */
    const struct staged_loop *staged;        /* the shared array has slots, its first dimension;
                                                NULL: the array is one tile */
};

struct band_plan {
    const struct stmt *band;
    VEC(struct placed_tile) tiles;
    const struct poly *bytes;                /* shared memory of this band */
    const struct staged_loop *staged;        /* the loop around that fills the tiles; or NULL */
};

struct placed_promotion {
    const struct promotion *promotion;
    const struct array *array;               /* the private array */
    const struct stmt *band;                 /* plain band that holds the references; NULL if
                                                `around` is inside a band */
    const struct expr *const *places;        /* subscripts of the private array in the scope of
                                                the loops */
    bool here;                               /* the statement being rewritten stands
                                                inside `around` */
};

struct placement {
    struct ctx *ctx;
    struct arena *arena;
    const struct kernel *kernel;
    struct placement_options options;
    struct names names;
    struct stmts pieces;                     /* bands of pieces of serial loops */
    VEC(struct band_plan) bands;
    VEC(const struct staged_loop *) staged;
    VEC(struct placed_promotion) promotions;
    const struct poly *shared_bytes;         /* of the kernel; NULL = none */
};

/* pieces.c: cuts loops of placement->kernel where that pays, and lists the bands of the pieces. */
void pieces_plan(struct placement *placement);
bool placement_is_piece(const struct placement *placement, const struct stmt *band);
/* Is the tile worth shared memory in a piece, whether or not cache(...) names its array? */
bool piece_tile_pays(const struct tile *tile);

/* staging.c: fills placement->bands and shared_bytes. */
void staging_plan(struct placement *placement);
const struct band_plan *staging_of(const struct placement *placement, const struct stmt *band);
/* Copies tile <- array before the band, tile -> array after it: strided bands, NULL if there
   is none. */
const struct stmt *staging_fill(struct placement *placement, const struct placed_tile *tile);
const struct stmt *staging_write_back(struct placement *placement, const struct placed_tile *tile);
/* The tile of a reference and its subscripts there; NULL if it is not staged. */
const struct placed_tile *staging_reference(const struct band_plan *plan, const struct expr *load,
                                            const struct stmt *store,
                                            const struct expr *const **places);
bool staging_writes_back(const struct placed_tile *tile);
/* The subscripts of a place in the tile as those of its shared array. */
const struct expr *const *staging_places(struct placement *placement,
                                         const struct placed_tile *tile,
                                         const struct expr *const *places);

/* stages.c: finds loops whose tiles are filled rounds ahead, before staging.c lays these out. */
void stages_plan(struct placement *placement);
/* NULL: the loop's tiles are not filled ahead. */
const struct staged_loop *stages_of(const struct placement *placement, const struct stmt *loop);
/* The copies in front of the loop, and the body of a round around what the bands do. */
const struct stmt *stages_begin(struct placement *placement, const struct staged_loop *staged);
const struct stmt *stages_round(struct placement *placement, const struct staged_loop *staged,
                                const struct stmt *body);

/* promotion.c: fills placement->promotions. */
void promotion_plan(struct placement *placement);
/* The promotion of the load, or the store, where the pass is (the other one NULL); NULL if there is
   none. */
const struct placed_promotion *promotion_reference(const struct placement *placement,
                                                   const struct expr *load,
                                                   const struct stmt *store);
bool promotion_is_loop(const struct placement *placement, const struct stmt *loop);
/* Declaration with the first load, and the last store (NULL if not written). */
const struct stmt *promotion_begin(struct placement *placement, const struct placed_promotion *p);
const struct stmt *promotion_end(struct placement *placement, const struct placed_promotion *p);

/* speculate.c: the body of the placed kernel, with work that nobody asks for instead of conditions
   in inner loops. */
const struct stmt *guards_speculate(struct placement *placement, const struct kernel *placed);
/* bound.c: conditions that bound a loop as its end. */
const struct stmt *guards_bound(struct arena *arena, const struct stmt *body);
/* short.c: loops of few rounds, literal ones, are to be unrolled. */
const struct stmt *loops_unroll_short(struct placement *placement, const struct stmt *body);

#endif
