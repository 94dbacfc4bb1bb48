/* Fills of tiles by vectors.

   In: the band that fills a tile b which is turned, rows became columns,
       strided band batch 4 (k < R, j < C) { tile[k][j] = inside ? b[f(k, j)] : 0; }
   Out:
       strided band batch 2 (q < R / 4, j < C) {
           unroll for (e = 0; e < 4; e++) column[e] = inside ? b[f(4*q + e, j)] : 0;
           vector 4 turned[j][4*q] = column[0];
       }
   Threads next to each other still load elements next to each other, but what each of them stores
   one element after the other to rows of even length, of which four lie in one bank, is one store
   of 16 bytes, of which eight lie in different banks. The fill of a tile a that keeps its rows,
       strided band batch 4 (i < R, k < C) { tile[i][k] = inside ? a[f(i, k)] : 0; }
   becomes
       if (n % 4 == 0) strided band batch 4 (i < R, q < C / 4) {
           unroll for (e = 0; e < 4; e++) row[e] = 0;
           if (inside) vector 4 row[0] = a[f(i, 4*q)];
           vector 4 tile[i][4*q] = row[0];
       } else rare the old band
   where n % 4 == 0 is what alignment asks of the parameters, and with it of each four cells all or
   none are inside. Asynchronous copies pass no register: those of rows are vectors whose guard is a
   part of the value, those of columns stay single elements.
   Why it is right: the same cells are filled with the same elements; cells outside the array, which
   nobody reads, get zeros. A batch of vectors is as long as the batch of elements was, half as long
   where elements are gathered singly. */
#include "optimizer/strategies/wide.h"
#include "ir/walk.h"

/* What a fill does: tile = value, where `inside` (NULL: always). */
struct wide_fill {
    const struct stmt *store;
    const struct expr *inside;
};

static bool fill_match(const struct stmt *band, struct wide_fill *fill)
{
    const struct stmt *s = stmt_sole(band->children[0]);
    *fill = (struct wide_fill){0};
    if (s->kind == STMT_IF && s->n_children == 1) {
        fill->inside = s->value;
        s = stmt_sole(s->children[0]);
    }
    fill->store = s;
    return s->kind == STMT_STORE && !s->width;
}

/* What a fill loads where it loads, and where that is: from the two ways to say so. */
static bool fill_parts(const struct wide_fill *fill, const struct expr **load,
                       const struct expr **inside)
{
    *load = fill->store->value;
    *inside = fill->inside;
    if ((*load)->kind == EXPR_SELECT && !fill->inside &&
        (*load)->arguments[2]->kind == EXPR_REAL) {
        *inside = (*load)->arguments[0];
        *load = (*load)->arguments[1];
    }
    return (*load)->kind == EXPR_LOAD;
}

/* Adds what makes the condition true of all cells or of none of each group along `var`; false if
   that cannot be said. */
static bool guard_divides(struct widening *w, struct divisibility *d, const struct expr *e,
                          const struct var *var)
{
    if (e->kind == EXPR_BINARY && e->op == OP_LAND)
        return guard_divides(w, d, e->arguments[0], var) &&
               guard_divides(w, d, e->arguments[1], var);
    if (!expr_uses_var(e, var))
        return true;
    if (e->kind != EXPR_BINARY || e->op < OP_LT || e->op > OP_GE)
        return false;
    const struct poly *a = alignment_poly(&w->alignment, e->arguments[0]),
                      *b = alignment_poly(&w->alignment, e->arguments[1]);
    bool is_upper = e->op == OP_LT || e->op == OP_LE;
    int v = ring_find(w->alignment.ring, var->name);
    int64_t slope;
    if (!a || !b || v < 0)
        return false;
    const struct poly *left = is_upper ? poly_sub(b, a) : poly_sub(a, b);
    if (poly_degree(left, v) != 1 || !poly_get_integer(poly_coefficient(left, v, 1), &slope) ||
        (slope != 1 && slope != -1))
        return false;
    bool is_strict = e->op == OP_LT || e->op == OP_GT;
    int64_t more = slope < 0 ? !is_strict : -(int64_t)is_strict;
    divisions_add(d, poly_add(poly_coefficient(left, v, 0),
                              poly_integer(w->alignment.ring, more)));
    return true;
}

/* The length of the new tile's rows, padding included. */
static const struct poly *tile_pitch(struct widening *w, const struct wide_tile *tile)
{
    return alignment_poly(&w->alignment, tile->fresh->dims[tile->slots + TILE_DIMS - 1]);
}

/* May whole vectors be moved from the array to the tile, and where? */
static bool fill_moves(struct widening *w, const struct wide_tile *tile, struct tile_fill *band,
                       const struct divisibility *divisions)
{
    struct divisibility own = {.alignment = &w->alignment, .modulus = w->width};
    struct wide_fill fill;
    const struct expr *load, *inside;
    if (!fill_match(band->band, &fill) || !fill_parts(&fill, &load, &inside) ||
        load->array->space != SPACE_GLOBAL || load->array->element != tile->array->element)
        return false;
    const struct axis *last = &band->band->axes[TILE_DIMS - 1];
    const struct poly *extent = alignment_poly(&w->alignment, last->extent),
                      *pitch = tile_pitch(w, tile),
                      *flat = alignment_flat(&w->alignment, load->array, load->arguments),
                      *rest = flat ? alignment_unit(&w->alignment, flat, last->var) : NULL;
    if (!extent || !pitch || !rest || !divisions_imply(divisions, extent) ||
        !divisions_imply(divisions, pitch) ||
        (inside && !guard_divides(w, &own, inside, last->var)))
        return false;
    divisions_add(&own, rest);
    if (!divisions_reduce(&own))
        return false;
    size_t kept = 0;
    for (size_t i = 0; i < own.sums.count; i++)
        if (!divisions_imply(divisions, own.sums.at[i]))
            own.sums.at[kept++] = own.sums.at[i];
    own.sums.count = kept;
    band->aligned = divisions_condition(&own);
    return true;
}

static bool fill_gathers(struct widening *w, const struct wide_tile *tile,
                         const struct stmt *band, const struct divisibility *divisions)
{
    struct wide_fill fill;
    const struct poly *rows = alignment_poly(&w->alignment, band->axes[0].extent),
                      *pitch = tile_pitch(w, tile);
    return fill_match(band, &fill) && tile->slots == 0 && rows && pitch &&
           divisions_imply(divisions, rows) && divisions_imply(divisions, pitch);
}

void wide_fill_judge(struct widening *w, struct wide_tile *tile,
                     const struct divisibility *divisions)
{
    if (tile->n_dims != TILE_DIMS)
        return;
    for (size_t i = 0; i < tile->fills.count; i++) {
        struct tile_fill *fill = &tile->fills.at[i];
        if (tile->is_column_wise)
            fill->gathers = fill_gathers(w, tile, fill->band, divisions);
        else if (tile->is_row_wise)
            fill->moves = fill_moves(w, tile, fill, divisions);
    }
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

/* column[e] = value for the elements of a vector. */
static const struct stmt *column_fill(struct widening *w, const struct array *column,
                                      const struct var *lane, const struct expr *value)
{
    struct arena *arena = w->arena;
    const struct expr *place = expr_var(arena, lane);
    const struct stmt *store = stmt_store(arena, column, &place, value, column->loc);
    struct stmt *loop = (struct stmt *)stmt_for(arena, lane, expr_integer(arena, lane->type, 0),
                                                expr_integer(arena, lane->type, w->width),
                                                expr_integer(arena, lane->type, 1), store);
    loop->unroll = true;
    return loop;
}

/* What the fill's axes are at the first point of a vector along an axis; `fresh`: the axes of the
   band over vectors. */
static void points_make(struct widening *w, const struct stmt *s, int along, struct axis *fresh,
                        const struct expr **points)
{
    struct arena *arena = w->arena;
    struct axis axes[TILE_DIMS] = {s->axes[0], s->axes[1]};
    const struct expr *width = expr_integer(arena, axes[along].var->type, w->width);
    axes[along].extent = expr_binary(arena, OP_DIV, axes[along].extent, width);
    struct substitution renaming = axes_rename(&w->names, NULL, axes, TILE_DIMS, fresh);
    for (int i = 0; i < TILE_DIMS; i++)
        points[i] = renaming.values[i];
    points[along] = expr_binary(arena, OP_MUL, width, points[along]);
}

static const struct expr *expr_at(struct widening *w, const struct stmt *s, const struct expr *e,
                                  const struct expr *const *points)
{
    const struct var *variables[TILE_DIMS] = {s->axes[0].var, s->axes[1].var};
    return expr_replace(w->arena, e, &(struct substitution){TILE_DIMS, variables, points});
}

static const struct stmt *band_make(struct widening *w, const struct axis *axes,
                                    const struct stmt *const *parts, int n, int batch)
{
    struct stmt *band = (struct stmt *)stmt_band(w->arena, axes, TILE_DIMS, true,
                                                 stmt_sequence(w->arena, parts, n));
    band->batch = batch;
    return band;
}

/* Vectors of a batch whose elements are gathered, of which one takes several loads. */
static int gathered_batch(const struct stmt *fill)
{
    return fill->batch > 1 ? fill->batch / 2 : fill->batch;
}

/* vector tile[…] = column[0] */
static const struct stmt *column_store(struct widening *w, const struct wide_tile *tile,
                                       const struct expr *const *place,
                                       const struct array *column)
{
    const struct expr *zero = expr_integer(w->arena, TYPE_I32, 0);
    return stmt_vector(w->arena, tile->fresh, place,
                       expr_load(w->arena, column, &zero, column->loc), column->loc);
}

static const struct stmt *fill_gather(struct widening *w, const struct wide_tile *tile,
                                      const struct stmt *s, const struct wide_fill *fill)
{
    struct arena *arena = w->arena;
    struct axis axes[TILE_DIMS];
    const struct expr *points[TILE_DIMS], *value = fill->store->value;
    points_make(w, s, 0, axes, points);
    const struct expr *place[TILE_DIMS] = {points[1], points[0]};
    struct var *lane = var_new(arena, names_fresh(&w->names, "e"), s->axes[0].var->type,
                               VAR_ITERATOR);
    points[0] = expr_binary(arena, OP_ADD, points[0], expr_var(arena, lane));
    if (fill->inside)
        value = expr_select(arena, fill->inside, value, expr_zero(arena, value->type));
    const struct array *column = column_array(w, tile->array);
    const struct stmt *parts[] = {
        stmt_array(arena, column), column_fill(w, column, lane, expr_at(w, s, value, points)),
        column_store(w, tile, place, column)};
    return band_make(w, axes, parts, 3, gathered_batch(s));
}

/* async vector tile[slot][…] = inside ? array[…] : 0 */
static const struct stmt *async_move(struct widening *w, const struct wide_tile *tile,
                                     const struct stmt *store, const struct expr *const *points,
                                     const struct expr *load, const struct expr *inside)
{
    const struct expr *place[1 + TILE_DIMS] = {store->indices[0], points[0], points[1]};
    const struct expr *value = load;
    if (inside)
        value = expr_select(w->arena, inside, load, expr_zero(w->arena, load->type));
    return stmt_async(w->arena, stmt_vector(w->arena, tile->fresh, place, value, store->loc));
}

static const struct stmt *fill_move(struct widening *w, const struct wide_tile *tile,
                                    const struct stmt *s, const struct wide_fill *fill)
{
    struct arena *arena = w->arena;
    struct axis axes[TILE_DIMS];
    const struct expr *points[TILE_DIMS], *load, *inside,
        *zero = expr_integer(arena, TYPE_I32, 0);
    fill_parts(fill, &load, &inside);
    points_make(w, s, 1, axes, points);
    load = expr_at(w, s, load, points);
    inside = inside ? expr_at(w, s, inside, points) : NULL;
    if (tile->slots) {
        const struct stmt *copy = async_move(w, tile, fill->store, points, load, inside);
        return band_make(w, axes, &copy, 1, s->batch);
    }
    const struct stmt *whole = stmt_vector(arena, tile->fresh, points, load, fill->store->loc);
    if (!inside)
        return band_make(w, axes, &whole, 1, s->batch);
    const struct array *row = column_array(w, tile->array);
    struct var *lane = var_new(arena, names_fresh(&w->names, "e"), TYPE_I32, VAR_ITERATOR);
    const struct stmt *move = stmt_vector(arena, row, &zero, load, fill->store->loc);
    const struct stmt *parts[] = {
        stmt_array(arena, row), column_fill(w, row, lane, expr_zero(arena, load->type)),
        stmt_if(arena, inside, move, NULL), column_store(w, tile, points, row)};
    return band_make(w, axes, parts, 4, s->batch);
}

/* NULL: the band fills no tile. */
static const struct tile_fill *tile_fill_of(const struct widening *w, const struct stmt *band,
                                            const struct wide_tile **tile)
{
    for (size_t i = 0; i < w->tiles.count; i++)
        for (size_t k = 0; k < w->tiles.at[i]->fills.count; k++)
            if (w->tiles.at[i]->fills.at[k].band == band) {
                *tile = w->tiles.at[i];
                return &w->tiles.at[i]->fills.at[k];
            }
    return NULL;
}

const struct stmt *wide_fill_widen(void *widening, const struct stmt *s)
{
    struct widening *w = widening;
    const struct wide_tile *tile;
    struct wide_fill fill;
    const struct tile_fill *found = tile_fill_of(w, s, &tile);
    if (!found || (!found->gathers && !found->moves) || !fill_match(s, &fill))
        return s;
    if (found->gathers)
        return fill_gather(w, tile, s, &fill);
    const struct stmt *band = fill_move(w, tile, s, &fill);
    if (!found->aligned)
        return band;
    struct stmt *either = (struct stmt *)stmt_if(w->arena, found->aligned, band, s);
    either->rare = true;
    return either;
}
