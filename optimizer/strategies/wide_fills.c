/* Fills of tiles that are turned, by vectors.

   In: the band that fills a tile b, whose rows became columns,
       strided band batch 4 (k < R, j < C) { tile[k][j] = inside ? b[f(k, j)] : 0; }
   Out:
       strided band batch 1 (q < R / 4, j < C) {
           unroll for (e = 0; e < 4; e++) column[e] = inside ? b[f(4*q + e, j)] : 0;
           vector 4 turned[j][4*q] = column[0];
       }
   Threads next to each other still load elements next to each other, but what each of them stores
   one element after the other to rows of even length, of which four lie in one bank, is one store
   of 16 bytes, of which eight lie in different banks.
   Why it is right: the same cells are filled with the same elements; cells outside the array, which
   nobody reads, get zeros. As many loads are under way at once as before. */
#include "optimizer/strategies/wide.h"
#include "ir/walk.h"

/* What a fill does: tile = value, where `inside` (NULL: always). */
struct wide_fill {
    const struct stmt *store;
    const struct expr *inside;
};

static bool fill_match(const struct stmt *band, struct wide_fill *fill)
{
    const struct stmt *s = band->children[0];
    *fill = (struct wide_fill){0};
    while (s->kind == STMT_SEQUENCE && s->n_children == 1)
        s = s->children[0];
    if (s->kind == STMT_IF && s->n_children == 1) {
        fill->inside = s->value;
        s = s->children[0];
    }
    while (s->kind == STMT_SEQUENCE && s->n_children == 1)
        s = s->children[0];
    fill->store = s;
    return s->kind == STMT_STORE && !s->width;
}

bool wide_fill_gathers(struct widening *w, const struct wide_tile *tile,
                       const struct divisibility *divisions)
{
    struct wide_fill fill;
    if (!tile->is_column_wise || tile->array->n_dims != TILE_DIMS || !fill_match(tile->fill, &fill))
        return false;
    const struct poly *rows = alignment_poly(&w->alignment, tile->fill->axes[0].extent),
                      *pitch = alignment_poly(&w->alignment, tile->fresh->dims[1]);
    return rows && pitch && divisions_imply(divisions, rows) && divisions_imply(divisions, pitch);
}

static const struct array *column_array(struct widening *w, const struct array *tile)
{
    struct array *column = ARENA_NEW(w->arena, struct array);
    const struct expr **dims = ARENA_ARRAY(w->arena, const struct expr *, 1);
    dims[0] = expr_integer(w->arena, TYPE_I32, w->width);
    *column = (struct array){.name = names_fresh(&w->names, arena_printf(w->arena, "column_%s",
                                                                         tile->name)),
                             .element = tile->element,
                             .space = SPACE_PRIVATE,
                             .n_dims = 1,
                             .dims = dims,
                             .origin = tile->origin,
                             .loc = tile->loc};
    vec_push(w->arena, &w->added, (const struct array *)column);
    return column;
}

/* The elements of a vector, one load after the other. */
static const struct stmt *column_load(struct widening *w, const struct array *column,
                                      const struct var *lane, const struct wide_fill *fill)
{
    struct arena *arena = w->arena;
    const struct expr *value = fill->store->value, *place = expr_var(arena, lane);
    if (fill->inside)
        value = expr_select(arena, fill->inside, value, expr_zero(arena, value->type));
    const struct stmt *store = stmt_store(arena, column, &place, value, fill->store->loc);
    struct stmt *loop = (struct stmt *)stmt_for(arena, lane, expr_integer(arena, lane->type, 0),
                                                expr_integer(arena, lane->type, w->width),
                                                expr_integer(arena, lane->type, 1), store);
    loop->unroll = true;
    return loop;
}

const struct stmt *wide_fill_gather(void *widening, const struct stmt *s)
{
    struct widening *w = widening;
    struct arena *arena = w->arena;
    const struct wide_tile *tile = NULL;
    struct wide_fill fill;
    for (size_t i = 0; i < w->tiles.count; i++)
        if (w->tiles.at[i]->gathers && w->tiles.at[i]->fill == s)
            tile = w->tiles.at[i];
    if (!tile || !fill_match(s, &fill))
        return s;
    struct axis axes[TILE_DIMS], fresh[TILE_DIMS];
    const struct axis *rows = &s->axes[0], *columns = &s->axes[1];
    enum type type = rows->var->type;
    const struct expr *width = expr_integer(arena, type, w->width);
    axes[0] = (struct axis){rows->var, expr_binary(arena, OP_DIV, rows->extent, width)};
    axes[1] = *columns;
    struct substitution renaming = axes_rename(&w->names, NULL, axes, TILE_DIMS, fresh);
    struct var *lane = var_new(arena, names_fresh(&w->names, "e"), type, VAR_ITERATOR);
    const struct expr *first = expr_binary(arena, OP_MUL, width, renaming.values[0]),
                      *row = expr_binary(arena, OP_ADD, first, expr_var(arena, lane)),
                      *values[TILE_DIMS] = {row, renaming.values[1]},
                      *place[TILE_DIMS] = {renaming.values[1], first},
                      *zero = expr_integer(arena, TYPE_I32, 0);
    struct substitution of_axes = {TILE_DIMS, renaming.variables, values};
    const struct array *column = column_array(w, tile->array);
    const struct stmt *parts[] = {
        stmt_array(arena, column),
        stmt_replace(arena, column_load(w, column, lane, &fill), &of_axes),
        stmt_vector(arena, tile->fresh, place, expr_load(arena, column, &zero, s->loc), s->loc)};
    struct stmt *band = (struct stmt *)stmt_band(arena, fresh, TILE_DIMS, true,
                                                 stmt_sequence(arena, parts, 3));
    band->batch = s->batch > w->width ? s->batch / w->width : s->batch != 0;
    return band;
}
