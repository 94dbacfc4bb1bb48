/* Staging: the arrays of cache(...) as tiles in shared memory.

   In: the tiles of each band (access_tiles). Out: shared arrays with byte offsets, fill and
   write-back bands, the places of the references in the tiles. Layout: classes of element sizes,
   largest first, so that no padding is needed. In a class lie the tiles that every execution of the
   band touches, then those under uniform conditions; tiles under conditions that exclude each other
   share memory (the maximum where it can be proved which is larger, else the sum). Bands share
   memory likewise: a barrier stands between the uses of any two of them. Rows of a padded tile are
   one element longer: nothing is ever there. What a band streams (tile->is_streamed) it reads and
   writes in global memory; other tiles of that array, disjoint from it if one of them is written,
   may be staged beside it.
   Copies are done in batches (ir/batch.h) where placement_options.batch says so.
   Invariant: a tile is filled with exactly the cells inside the array and written back exactly
   where it was written; what cannot be written back exactly is stored by its own thread. Source:
   notes on footprints; spec C-30, C-31. */
#include "ir/batch.h"
#include "ir/walk.h"
#include "optimizer/strategies/place.h"
#include <string.h>

static const struct poly *bytes_of(const struct placement *p, const struct placed_tile *placed)
{
    const struct tile *tile = placed->tile;
    int64_t buffers = placed->staged ? placed->staged->buffers : 1;
    const struct poly *bytes = poly_integer(p->kernel->ring,
                                            buffers * type_bytes(tile->array->element));
    for (int i = 0; i < tile->n_dims; i++) {
        bool longer = placed->padded && i + 1 == tile->n_dims;
        bytes = poly_mul(bytes, longer
                                    ? poly_add(tile->extents[i], poly_integer(p->kernel->ring, 1))
                                    : tile->extents[i]);
    }
    return bytes;
}

/* The larger one, where that can be proved from the kernel's facts; NULL if not. */
static const struct poly *poly_larger(const struct kernel *kernel, const struct poly *a,
                                      const struct poly *b)
{
    if (poly_equal(a, b) || sas_implies(kernel->facts, constraint_make(a, RELATION_GE, b)) == 1)
        return a;
    return sas_implies(kernel->facts, constraint_make(a, RELATION_LE, b)) == 1 ? b : NULL;
}

static bool is_negation(const struct expr *a, const struct expr *b)
{
    if (a->kind == EXPR_UNARY && a->op == OP_NOT && expr_equal(a->arguments[0], b))
        return true;
    if (a->kind != EXPR_BINARY || b->kind != EXPR_BINARY)
        return false;
    static const enum op OPPOSITES[][2] = {{OP_EQ, OP_NE}, {OP_LT, OP_GE}, {OP_LE, OP_GT}};
    bool same = expr_equal(a->arguments[0], b->arguments[0]) &&
                expr_equal(a->arguments[1], b->arguments[1]);
    for (size_t i = 0; i < sizeof OPPOSITES / sizeof *OPPOSITES; i++)
        if (same && a->op == OPPOSITES[i][0] && b->op == OPPOSITES[i][1])
            return true;
    int64_t zero;
    return a->op == OP_EQ && expr_get_integer(a->arguments[1], &zero) && zero == 0 &&
           expr_equal(a->arguments[0], b);
}

/* Can a and b not both be true? Looks for a conjunct of one that negates a conjunct of
   the other. */
static bool conditions_exclude(const struct expr *a, const struct expr *b)
{
    if (a->kind == EXPR_BINARY && a->op == OP_LAND)
        return conditions_exclude(a->arguments[0], b) || conditions_exclude(a->arguments[1], b);
    if (b->kind == EXPR_BINARY && b->op == OP_LAND)
        return conditions_exclude(a, b->arguments[0]) || conditions_exclude(a, b->arguments[1]);
    return is_negation(a, b) || is_negation(b, a);
}

/* Do all tiles under different conditions exclude each other? */
static bool groups_exclude(const struct band_plan *plan)
{
    for (size_t i = 0; i < plan->tiles.count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct expr *a = plan->tiles.at[i].tile->condition,
                              *b = plan->tiles.at[j].tile->condition;
            if (a && b && !expr_equal(a, b) && !conditions_exclude(a, b))
                return false;
        }
    return true;
}

/* Offset of a class being laid out; `top` is where it ends. */
struct layout {
    struct placement *placement;
    struct band_plan *plan;
    unsigned element;                        /* bytes: the class */
    bool shared;                             /* groups share memory */
    const struct poly *base, *top;
};

static void tile_place(struct layout *layout, struct placed_tile *placed, const struct poly *offset)
{
    struct placement *p = layout->placement;
    placed->shared->offset = kernel_poly_expr(p->arena, p->kernel, offset, TYPE_I32);
}

/* The tiles of one condition (NULL: of none), from `base` on; returns where they end. */
static const struct poly *group_place(struct layout *layout, const struct expr *condition,
                                      const struct poly *base)
{
    for (size_t i = 0; i < layout->plan->tiles.count; i++) {
        struct placed_tile *placed = &layout->plan->tiles.at[i];
        if (type_bytes(placed->shared->element) != layout->element)
            continue;
        if (condition ? !placed->tile->condition || !expr_equal(condition, placed->tile->condition)
                      : placed->tile->condition != NULL)
            continue;
        tile_place(layout, placed, base);
        base = poly_add(base, bytes_of(layout->placement, placed));
    }
    return base;
}

/* Is tile i the first of its condition in the class? */
static bool group_begins(const struct layout *layout, size_t i)
{
    const struct placed_tile *tiles = layout->plan->tiles.at;
    if (!tiles[i].tile->condition || type_bytes(tiles[i].shared->element) != layout->element)
        return false;
    for (size_t j = 0; j < i; j++)
        if (tiles[j].tile->condition && type_bytes(tiles[j].shared->element) == layout->element &&
            expr_equal(tiles[j].tile->condition, tiles[i].tile->condition))
            return false;
    return true;
}

/* One class of element sizes from layout->base; false if which group is larger is open (then they
   do not share). */
static bool class_place(struct layout *layout)
{
    const struct poly *always = group_place(layout, NULL, layout->base);
    layout->top = always;
    for (size_t i = 0; i < layout->plan->tiles.count; i++) {
        if (!group_begins(layout, i))
            continue;
        const struct expr *condition = layout->plan->tiles.at[i].tile->condition;
        const struct poly *end = group_place(layout, condition,
                                             layout->shared ? always : layout->top);
        layout->top = layout->shared ? poly_larger(layout->placement->kernel, layout->top, end)
                                     : end;
        if (!layout->top)
            return false;
    }
    return true;
}

/* One class of one band from `base` on; returns where it ends. */
static const struct poly *band_place(struct placement *p, struct band_plan *plan, unsigned element,
                                     const struct poly *base)
{
    struct layout layout = {.placement = p, .plan = plan, .element = element, .base = base};
    layout.shared = groups_exclude(plan);
    if (!class_place(&layout)) {
        layout.shared = false;
        class_place(&layout);
    }
    return layout.top;
}

/* The byte at which tiles begin: behind the arrays that the kernel already has, at a multiple of 16
   bytes, which vector copies need: their size times the factor that it lacks. */
static const struct poly *tiles_begin(const struct placement *p)
{
    const struct poly *bytes = p->kernel->shared_bytes
                                   ? kernel_poly(p->kernel, p->kernel->shared_bytes)
                                   : NULL;
    int64_t n, d, whole = 16;
    unsigned exponents[RING_CAPACITY];
    if (!bytes)
        return poly_integer(p->kernel->ring, 0);
    for (size_t i = 0; i < poly_terms(bytes); i++) {
        bool is_integer = poly_term(bytes, i, &n, &d, exponents) && d == 1;
        while (whole > 1 && (!is_integer || n % whole != 0))
            whole /= 2;
    }
    return poly_scale(bytes, 16 / whole, 1);
}

/* Are tiles of two bands of one loop filled rounds ahead? */
static bool bands_meet(const struct placement *p)
{
    for (size_t i = 0; i < p->bands.count; i++) {
        const struct staged_loop *staged = p->bands.at[i].staged;
        for (size_t k = 0; k < i; k++)
            if (staged && p->bands.at[k].staged == staged)
                return true;
    }
    return false;
}

/* Bands share memory if one of them provably needs the most; else they lie one after the other,
   class by class, as they do where tiles of several bands are in use at once. */
static void bands_place(struct placement *p)
{
    const struct poly *begin = tiles_begin(p), *largest = begin;
    if (bands_meet(p))
        largest = NULL;
    for (size_t i = 0; i < p->bands.count; i++) {
        struct band_plan *plan = &p->bands.at[i];
        plan->bytes = begin;
        for (unsigned element = 8; element > 0; element /= 2)
            plan->bytes = band_place(p, plan, element, plan->bytes);
        largest = largest ? poly_larger(p->kernel, largest, plan->bytes) : NULL;
    }
    if (!largest) {
        largest = begin;
        for (unsigned element = 8; element > 0; element /= 2)
            for (size_t i = 0; i < p->bands.count; i++)
                largest = band_place(p, &p->bands.at[i], element, largest);
    }
    bool has_tiles = false;          /* tiles of a kernel without points may have no bytes */
    for (size_t i = 0; i < p->bands.count; i++)
        has_tiles |= p->bands.at[i].tiles.count > 0;
    p->shared_bytes = has_tiles || (p->bands.count && !poly_is_zero(largest)) ? largest : NULL;
}

/* Tiles that only a piece asks for are padded from the beginning where threads go down their
   columns. */
static bool is_padded(const struct placement *p, const struct placed_tile *placed)
{
    const struct tile *tile = placed->tile;
    int64_t row;
    bool is_odd = poly_get_integer(tile->extents[tile->n_dims - 1], &row) && row % 2 != 0;
    if (placed->in_piece && tile->is_crossed && !is_odd)
        return true;
    for (size_t i = 0; i < p->options.n_padded; i++)
        if (strcmp(p->options.padded[i], placed->shared->name) == 0)
            return true;
    return false;
}

/* The extents of the shared array: those of the tile, its rows one element longer where it
   is padded. */
static const struct expr *const *tile_dims(struct placement *p, struct placed_tile *placed)
{
    int n = placed->tile->n_dims;
    const struct expr **dims = ARENA_ARRAY(p->arena, const struct expr *, n);
    placed->padded = is_padded(p, placed);
    for (int i = 0; i < n; i++)
        dims[i] = placed->extents[i];
    if (placed->padded) {
        const struct poly *row = poly_add(placed->tile->extents[n - 1],
                                          poly_integer(p->kernel->ring, 1));
        dims[n - 1] = kernel_poly_expr(p->arena, p->kernel, row, dims[n - 1]->type);
    }
    return dims;
}

/* The shared array of a tile; NULL if an extent has no expression. */
static struct array *tile_array(struct placement *p, struct placed_tile *placed)
{
    const struct tile *tile = placed->tile;
    struct array *shared = ARENA_NEW(p->arena, struct array);
    const struct expr **extents = ARENA_ARRAY(p->arena, const struct expr *, tile->n_dims);
    for (int i = 0; i < tile->n_dims; i++)
        if (!(extents[i] = kernel_poly_expr(p->arena, p->kernel, tile->extents[i],
                                            tile->coordinates[i]->type)))
            return NULL;
    placed->extents = extents;
    placed->shared = shared;
    shared->name = names_fresh(&p->names, arena_printf(p->arena, "shared_%s", tile->array->name));
    shared->element = tile->array->element;
    shared->space = SPACE_SHARED;
    shared->n_dims = tile->n_dims;
    shared->dims = tile_dims(p, placed);
    shared->origin = tile->array;
    shared->loc = tile->array->loc;
    return shared;
}

/* Does the tile save something? `is_named`: cache(...) names its array. */
static bool tile_saves(const struct placement *p, const struct tile *tile, bool is_named)
{
    if (!is_named)
        return piece_tile_pays(tile);
    return !tile->is_streamed || p->options.stage_streamed;
}

/* Adds the tiles of `array` in the plan's band that save something, all or none. */
static void tiling_add(struct placement *p, struct band_plan *plan, const struct array *array,
                       bool is_named)
{
    struct tiling tiling = access_tiles(p->ctx, p->kernel, plan->band, array);
    size_t before = plan->tiles.count;
    if (tiling.possible)
        for (size_t i = 0; i < tiling.count; i++) {
            struct placed_tile placed = {.tile = &tiling.tiles[i], .in_piece = !is_named};
            if (!tile_saves(p, placed.tile, is_named))
                continue;
            if (!tiling.tiles[i].n_dims || !tile_array(p, &placed)) {
                plan->tiles.count = before;
                return;
            }
            vec_push(p->arena, &plan->tiles, placed);
        }
}

static bool may_stage(const struct placement *p, int index)
{
    const struct array *array = p->kernel->arrays[index];
    return array->space == SPACE_GLOBAL && array->cache &&
           (index >= 64 ? p->options.stage != 0 : p->options.stage >> index & 1);
}

static void band_add(struct placement *p, const struct stmt *band)
{
    struct band_plan plan = {.band = band};
    bool is_piece = placement_is_piece(p, band);
    for (int i = 0; i < p->kernel->n_arrays; i++) {
        const struct array *array = p->kernel->arrays[i];
        bool is_named = may_stage(p, i);
        bool is_taken = is_named || (array->space == SPACE_GLOBAL && !array->cache && is_piece);
        if (is_taken && stmt_uses_array(band, array))
            tiling_add(p, &plan, array, is_named);
    }
    if (plan.tiles.count)
        vec_push(p->arena, &p->bands, plan);
}

void staging_plan(struct placement *p)
{
    struct stmt_walk walk;
    if (!p->options.stage)
        return;
    for (const struct stmt *s = stmt_first(&walk, p->arena, p->kernel->body); s;
         s = stmt_next(&walk))
        if (s->kind == STMT_BAND && !s->strided)
            band_add(p, s);
    stages_plan(p);
    bands_place(p);
}

const struct band_plan *staging_of(const struct placement *p, const struct stmt *band)
{
    for (size_t i = 0; i < p->bands.count; i++)
        if (p->bands.at[i].band == band)
            return &p->bands.at[i];
    return NULL;
}

bool staging_writes_back(const struct placed_tile *placed)
{
    return placed->tile->is_written && placed->tile->write_exact;
}

const struct placed_tile *staging_reference(const struct band_plan *plan, const struct expr *load,
                                            const struct stmt *store,
                                            const struct expr *const **places)
{
    if (plan)
        for (size_t i = 0; i < plan->tiles.count; i++) {
            const struct tile *tile = plan->tiles.at[i].tile;
            for (size_t k = 0; k < tile->n_references; k++)
                if ((load && tile->references[k].load == load) ||
                    (store && tile->references[k].store == store)) {
                    *places = tile->places[k];
                    return &plan->tiles.at[i];
                }
        }
    return NULL;
}

/* The subscripts of a cell in the shared array, in front of them the slot where it has such. */
const struct expr *const *staging_places(struct placement *p, const struct placed_tile *placed,
                                         const struct expr *const *places)
{
    int n = placed->tile->n_dims;
    const struct expr **all = ARENA_ARRAY(p->arena, const struct expr *, n + 1);
    if (!placed->staged)
        return places;
    all[0] = expr_var(p->arena, placed->staged->slot);
    for (int i = 0; i < n; i++)
        all[i + 1] = places[i];
    return all;
}

/* One cell: tile = array, or array = tile. */
static const struct stmt *cell_copy(struct placement *p, const struct placed_tile *placed,
                                    const struct expr *const *cell,
                                    const struct expr *const *element, bool is_fill)
{
    const struct array *array = placed->tile->array;
    struct loc loc = array->loc;
    cell = staging_places(p, placed, cell);
    if (!is_fill)
        return stmt_store(p->arena, array, element,
                          expr_load(p->arena, placed->shared, cell, loc), loc);
    const struct stmt *fill = stmt_store(p->arena, placed->shared, cell,
                                         expr_load(p->arena, array, element, loc), loc);
    return placed->staged ? stmt_async(p->arena, fill) : fill;
}

/* for every cell of the tile, if `when`: tile = array, or array = tile. */
static const struct stmt *tile_copy(struct placement *p, const struct placed_tile *placed,
                                    const struct expr *when, bool is_fill)
{
    const struct tile *tile = placed->tile;
    struct axis *axes = ARENA_ARRAY(p->arena, struct axis, tile->n_dims);
    struct axis *renamed = ARENA_ARRAY(p->arena, struct axis, tile->n_dims);
    const struct expr **element = ARENA_ARRAY(p->arena, const struct expr *, tile->array->n_dims);
    for (int i = 0; i < tile->n_dims; i++)
        axes[i] = (struct axis){tile->coordinates[i], placed->extents[i]};
    struct substitution fresh = axes_rename(&p->names, NULL, axes, tile->n_dims, renamed);
    for (int i = 0; i < tile->array->n_dims; i++)
        element[i] = expr_replace(p->arena, tile->element[i], &fresh);
    const struct stmt *body = cell_copy(p, placed, fresh.values, element, is_fill);
    const struct expr *condition = expr_replace(p->arena, when, &fresh);
    if (condition)
        body = stmt_if(p->arena, condition, body, NULL);
    const struct stmt *band = stmt_band(p->arena, renamed, tile->n_dims, true, body);
    if (p->options.batch)
        band = batch_band(p->arena, band, BATCH_POINTS);
    return tile->condition ? stmt_if(p->arena, tile->condition, band, NULL) : band;
}

const struct stmt *staging_fill(struct placement *p, const struct placed_tile *placed)
{
    return placed->tile->is_read ? tile_copy(p, placed, placed->tile->inside, true) : NULL;
}

const struct stmt *staging_write_back(struct placement *p, const struct placed_tile *placed)
{
    if (!staging_writes_back(placed))
        return NULL;
    return tile_copy(p, placed,
                     expr_join(p->arena, OP_LAND, placed->tile->inside, placed->tile->written),
                     false);
}
