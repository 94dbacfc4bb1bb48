/* Wide loads: the loops of register tiles read several rounds at once.

   In: a placed kernel whose threads have several points. Out: each serial loop of a thread whose
   rounds read tiles one element after the other, such as the inner loop of a product,
       for (z = 0; z < n; z++) sum = sum + a[v][z] * b[z][u];
   in groups of as many rounds as 16 bytes hold,
       for (z = 0; z < n - 3; z += 4) {
           vector 4 va[0] = a[v][z]; vector 4 vb[0] = b[u][z];
           unroll for (e = 0; e < 4; e++) sum = sum + va[e] * vb[e];
       }
       for (z = n - n % 4; z < n; z++) sum = sum + a[v][z] * b[u][z];
   Loads that differ from round to round of an inner loop that will be unrolled go to rows of one
   private array. A tile that rounds go down, b, is turned: rows become columns, and a thread that
   fills it loads the elements of a vector from as many rows, then stores them at once. Rows that
   threads next to each other read are lengthened by 16 bytes, so that the vectors of eight threads
   lie in different banks where the rows filled 32 bytes or multiples of them. Tiles lie one after
   the other as before. A tile that is filled rounds ahead has a slot as its first subscript, which
   stays; its copies are asynchronous, so that a turned one is filled element by element. Rows must
   begin at multiples of 16 bytes; what that asks of tunables becomes a condition of the launch
   (`divisible`).
   Why it is right: rounds are executed in their order, each once; loops are taken only where every
   round makes the loads and no round writes a tile. All accesses to a tile that is laid out anew
   go to the same element as before; cells beyond its filled part are never read.
   Source: vector loads of register tiles as in Volkov and Demmel, "Benchmarking GPUs to tune dense
   linear algebra". */
#include "optimizer/strategies/wide.h"
#include "ir/async.h"
#include "ir/walk.h"
#include "optimizer/strategies/strategies.h"

enum { TILES_LEAST = 2 };

/* --- tiles ------------------------------------------------------------------------------------ */

struct wide_tile *wide_tile_of(struct widening *w, const struct array *array)
{
    for (size_t i = 0; i < w->tiles.count; i++)
        if (w->tiles.at[i]->array == array)
            return w->tiles.at[i];
    return NULL;
}

/* Does the band store to the cells of its own points, subscript by subscript? */
static bool fills_cells(const struct wide_tile *tile, const struct stmt *band,
                        const struct stmt *store)
{
    if (band->n_axes != tile->n_dims)
        return false;
    for (int i = 0; i < band->n_axes; i++) {
        const struct expr *index = expr_uncast(store->indices[tile->slots + i]);
        if (index->kind != EXPR_VAR || index->var != band->axes[i].var)
            return false;
    }
    return true;
}

static void tile_note_store(struct widening *w, const struct stmt *band, const struct stmt *store)
{
    struct wide_tile *tile = wide_tile_of(w, store->array);
    if (!tile)
        return;
    bool is_first = tile->fills.count == 0, fills = band && band->strided && !store->width;
    if (is_first && store->async) {
        tile->slots = 1;
        tile->n_dims--;
    }
    fills = fills && (is_first || tile->slots) && fills_cells(tile, band, store);
    vec_push(w->arena, &tile->fills, (struct tile_fill){.band = band});
    tile->refused |= !fills || store->async != (tile->slots > 0);
}

/* The shared arrays, and by which band each is filled. A tile that is stored to in another way, or
   moved by vectors, is refused. */
static void tiles_collect(struct widening *w)
{
    struct stmt_walk walk;
    const struct stmt *band = NULL;
    for (int i = 0; i < w->kernel->n_arrays; i++) {
        const struct array *array = w->kernel->arrays[i];
        if (array->space != SPACE_SHARED)
            continue;
        struct wide_tile *tile = ARENA_NEW(w->arena, struct wide_tile);
        *tile = (struct wide_tile){.array = array, .n_dims = array->n_dims};
        vec_push(w->arena, &w->tiles, tile);
    }
    for (const struct stmt *s = stmt_first(&walk, w->arena, w->kernel->body); s;
         s = stmt_next(&walk)) {
        if (s->kind == STMT_BAND)
            band = s;
        if (s->kind == STMT_STORE)
            tile_note_store(w, band, s);
        if (s->kind != STMT_STORE || !s->width)
            continue;
        struct wide_tile *source = wide_tile_of(w, vector_source(s));
        if (source)
            source->refused = true;
    }
    for (size_t i = 0; i < w->tiles.count; i++) {
        struct wide_tile *tile = w->tiles.at[i];
        tile->refused |= tile->n_dims < 1 || tile->n_dims > TILE_DIMS;
    }
}

/* --- loops ------------------------------------------------------------------------------------ */

static bool counts_from_zero(const struct stmt *loop)
{
    int64_t from, step;
    return expr_get_integer(loop->from, &from) && from == 0 &&
           expr_get_integer(loop->step, &step) && step == 1 && type_is_signed(loop->var->type) &&
           type_is_signed(loop->to->type);
}

/* Has e one value in all rounds of the loop? */
static bool is_steady(struct widening *w, const struct stmt *loop, const struct expr *e)
{
    struct expr_walk walk;
    for (const struct expr *at = expr_first(&walk, w->arena, e); at; at = expr_next(&walk))
        if (at->kind == EXPR_LOAD || at->kind == EXPR_CALL ||
            (at->kind == EXPR_VAR &&
             (at->var == loop->var || stmt_sets_var(loop->children[0], at->var))))
            return false;
    return true;
}

/* May s stand in a loop that is taken? Its loops are to be unrolled, everything in it is executed
   in every round, and it writes no tile. */
static bool body_allows(const struct stmt *s)
{
    bool allows = s->kind == STMT_SEQUENCE || s->kind == STMT_LET || s->kind == STMT_SET ||
                  (s->kind == STMT_STORE && !s->width && s->array->space != SPACE_SHARED) ||
                  (s->kind == STMT_FOR && s->unroll && counts_from_zero(s) &&
                   expr_reads_only_params(s->to));
    for (int i = 0; i < s->n_children && allows; i++)
        allows = !s->children[i] || body_allows(s->children[i]);
    return allows;
}

/* The loop of the body whose variable this is; NULL if there is none. *declared: the body declares
   the variable. */
static const struct stmt *declaration_of(struct widening *w, const struct stmt *body,
                                         const struct var *var, bool *declared)
{
    struct stmt_walk walk;
    *declared = false;
    for (const struct stmt *s = stmt_first(&walk, w->arena, body); s; s = stmt_next(&walk)) {
        if (s->var != var || (s->kind != STMT_LET && s->kind != STMT_FOR))
            continue;
        *declared = true;
        return s->kind == STMT_FOR ? s : NULL;
    }
    return NULL;
}

/* Can the subscript be evaluated before the body, but for one inner loop? */
static bool subscript_leaves(struct widening *w, const struct stmt *loop, struct wide_lane *lane,
                             const struct expr *subscript)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, w->arena, subscript); e; e = expr_next(&walk)) {
        bool declared;
        if (e->kind != EXPR_VAR)
            continue;
        const struct stmt *inner = declaration_of(w, loop->children[0], e->var, &declared);
        if (!declared)
            continue;
        if (!inner || (lane->inner && lane->inner != inner))
            return false;
        lane->inner = inner;
    }
    return true;
}

static bool poly_uses_var(struct ring *ring, const struct poly *p, const struct var *var)
{
    int v = ring_find(ring, var->name);
    return v >= 0 && poly_uses(p, v);
}

/* How rounds go through the lane's tile: exactly one subscript is the round plus something that
   rounds have in common. */
static bool lane_direction(struct widening *w, const struct wide_loop *loop, struct wide_lane *lane)
{
    int n = lane->tile->n_dims, along = -1;
    for (int i = 0; i < n; i++) {
        if (!poly_uses_var(w->alignment.ring, lane->places[i], loop->loop->var))
            continue;
        if (along >= 0 || !alignment_unit(&w->alignment, lane->places[i], loop->loop->var))
            return false;
        along = i;
    }
    if (along < 0)
        return false;
    bool is_row_wise = along == n - 1;
    lane->tile->is_row_wise |= is_row_wise;
    lane->tile->is_column_wise |= !is_row_wise;
    for (int i = 0; i < n; i++)
        lane->tile->is_crossed |= i != along && loop->across &&
                                  poly_uses_var(w->alignment.ring, lane->places[i], loop->across);
    return true;
}

static bool lane_equal(const struct wide_lane *a, const struct wide_lane *b)
{
    if (a->tile != b->tile || a->inner != b->inner ||
        (a->tile->slots && !expr_equal(a->subscripts[0], b->subscripts[0])))
        return false;
    for (int i = 0; i < a->tile->n_dims; i++)
        if (!poly_equal(a->places[i], b->places[i]))
            return false;
    return true;
}

/* Is the slot that the load names, if any, the same in all rounds, and known before them? */
static bool slot_is_steady(struct widening *w, const struct wide_loop *loop,
                           struct wide_lane *lane)
{
    const struct expr *slot = lane->subscripts[0];
    return lane->tile->slots == 0 ||
           (is_steady(w, loop->loop, slot) && subscript_leaves(w, loop->loop, lane, slot));
}

/* Adds what a load reads to the lanes of the loop; false if vectors cannot read it. */
static bool lane_add(struct widening *w, struct wide_loop *loop, const struct expr *load)
{
    struct wide_lane lane = {.tile = wide_tile_of(w, load->array), .loc = load->loc};
    const struct element *element = elements_of(&w->elements, load);
    int width = type_vector_width(load->array->element);
    int64_t rounds;
    if (!element || lane.tile->refused || width == 0 || (w->width && width != w->width))
        return false;
    lane.subscripts = element->subscripts;
    if (!slot_is_steady(w, loop, &lane))
        return false;
    for (int i = 0; i < lane.tile->n_dims; i++) {
        const struct expr *subscript = element->subscripts[lane.tile->slots + i];
        lane.places[i] = alignment_poly(&w->alignment, subscript);
        if (!lane.places[i] || !subscript_leaves(w, loop->loop, &lane, subscript))
            return false;
    }
    if (lane.inner && !w->symbolic && !expr_get_integer(lane.inner->to, &rounds))
        return false;
    if (!lane_direction(w, loop, &lane))
        return false;
    w->width = width;
    size_t at = 0;
    while (at < loop->lanes.count && !lane_equal(&loop->lanes.at[at], &lane))
        at++;
    if (at == loop->lanes.count)
        vec_push(w->arena, &loop->lanes, lane);
    size_t *number = ARENA_NEW(w->arena, size_t);
    *number = at;
    map_put_pointer(loop->of_load, load, number);
    return true;
}

static bool expr_add(struct widening *w, struct wide_loop *loop, const struct expr *e, bool always)
{
    bool branches = e->kind == EXPR_SELECT ||
                    (e->kind == EXPR_BINARY && (e->op == OP_LAND || e->op == OP_LOR));
    for (int i = 0; i < e->n_arguments; i++)
        if (!expr_add(w, loop, e->arguments[i], always && (i == 0 || !branches)))
            return false;
    if (e->kind != EXPR_LOAD || e->array->space == SPACE_PRIVATE)
        return true;
    return always && e->array->space == SPACE_SHARED && lane_add(w, loop, e);
}

/* Finds the lanes of the loop; false if a load of it is none. */
static bool lanes_collect(struct widening *w, struct wide_loop *loop)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, w->arena, loop->loop->children[0]); s;
         s = stmt_next(&walk))
        for (int i = 0; i < stmt_n_exprs(s); i++)
            if (!expr_add(w, loop, stmt_expr(s, i), true))
                return false;
    return true;
}

/* Vectors pay where the points of a thread share what they read: products read two tiles. */
static bool loop_pays(const struct wide_loop *loop)
{
    size_t tiles = 0;
    for (size_t i = 0; i < loop->lanes.count; i++) {
        bool known = false;
        for (size_t k = 0; k < i; k++)
            known |= loop->lanes.at[k].tile == loop->lanes.at[i].tile;
        tiles += !known;
    }
    return tiles >= TILES_LEAST;
}

static void loop_look(struct widening *w, const struct stmt *s, const struct var *across)
{
    struct wide_loop loop = {.loop = s, .across = across, .of_load = map_new(w->arena)};
    if (s->unroll || !counts_from_zero(s) || !is_steady(w, s, s->to) ||
        !body_allows(s->children[0]))
        return;
    if (lanes_collect(w, &loop) && loop_pays(&loop))
        vec_push(w->arena, &w->loops, loop);
}

/* Looks at the loops in s. The rare side of a condition stays as it is. */
static void loops_collect(struct widening *w, const struct stmt *s, const struct var *across)
{
    if (s->kind == STMT_BAND && s->strided)
        return;
    if (s->kind == STMT_BAND)
        across = s->axes[s->n_axes - 1].var;
    if (s->kind == STMT_FOR && across)
        loop_look(w, s, across);
    int n = s->kind == STMT_IF && s->rare ? 1 : s->n_children;
    for (int i = 0; i < n; i++)
        if (s->children[i])
            loops_collect(w, s->children[i], across);
}

static bool tile_fits(const struct wide_tile *tile)
{
    return tile->fills.count && !tile->refused && !(tile->is_row_wise && tile->is_column_wise);
}

static void loops_drop_unfit(struct widening *w)
{
    size_t kept = 0;
    for (size_t i = 0; i < w->loops.count; i++) {
        bool fits = true;
        for (size_t k = 0; k < w->loops.at[i].lanes.count; k++)
            fits &= tile_fits(w->loops.at[i].lanes.at[k].tile);
        if (fits)
            w->loops.at[kept++] = w->loops.at[i];
    }
    w->loops.count = kept;
}

/* --- layout ----------------------------------------------------------------------------------- */

static const struct poly *array_bytes(const struct widening *w, const struct array *array)
{
    const struct poly *bytes = poly_integer(w->kernel->ring, type_bytes(array->element));
    for (int i = 0; i < array->n_dims && bytes; i++) {
        const struct poly *extent = kernel_poly(w->kernel, array->dims[i]);
        bytes = extent ? poly_mul(bytes, extent) : NULL;
    }
    return bytes;
}

/* Do the tiles lie one after the other, and nothing else? */
static bool layout_is_plain(const struct widening *w)
{
    const struct poly *end = poly_integer(w->kernel->ring, 0);
    for (size_t i = 0; i < w->tiles.count && end; i++) {
        const struct array *array = w->tiles.at[i]->array;
        const struct poly *offset = array->offset ? kernel_poly(w->kernel, array->offset)
                                                  : poly_integer(w->kernel->ring, 0);
        const struct poly *bytes = array_bytes(w, array);
        end = offset && bytes && poly_equal(offset, end) ? poly_add(end, bytes) : NULL;
    }
    const struct poly *all = kernel_poly(w->kernel, w->kernel->shared_bytes);
    return end && all && poly_equal(all, end);
}

/* What a row of the tile is lengthened by. Rows of an odd number of vectors need nothing. */
static int64_t row_padding(const struct widening *w, const struct wide_tile *tile,
                           const struct poly *row)
{
    int64_t length;
    if (!tile->is_crossed)
        return 0;
    if (!poly_get_integer(row, &length))
        return w->width;
    int64_t padding = (w->width - length % w->width) % w->width;
    return (length + padding) / w->width % 2 ? padding : padding + w->width;
}

/* The tile as vectors read it; NULL if its extents have no expressions. */
static struct array *tile_renew(struct widening *w, const struct wide_tile *tile)
{
    const struct kernel *k = w->kernel;
    int n = tile->n_dims, slots = tile->slots;
    const struct stmt *band = tile->fills.at[0].band;
    struct array *fresh = ARENA_NEW(w->arena, struct array);
    const struct expr **dims = ARENA_ARRAY(w->arena, const struct expr *, slots + n);
    *fresh = *tile->array;
    fresh->dims = dims;
    for (int i = 0; i < slots; i++)
        dims[i] = tile->array->dims[i];
    for (int i = 0; i < n; i++) {
        const struct axis *axis = &band->axes[tile->is_column_wise ? n - 1 - i : i];
        const struct poly *extent = kernel_poly(k, axis->extent);
        if (extent && i == n - 1)
            extent = poly_add(extent, poly_integer(k->ring, row_padding(w, tile, extent)));
        const struct expr *dim = NULL;
        if (extent)
            dim = kernel_poly_expr(w->arena, k, extent, axis->extent->type);
        if (!dim)
            return NULL;
        dims[slots + i] = dim;
    }
    return fresh;
}

/* New arrays for all tiles that are read by vectors, and places for all. */
static bool tiles_renew(struct widening *w, struct kernel *copy)
{
    const struct poly *end = poly_integer(w->kernel->ring, 0);
    for (size_t i = 0; i < w->loops.count; i++)
        for (size_t k = 0; k < w->loops.at[i].lanes.count; k++) {
            struct wide_tile *tile = w->loops.at[i].lanes.at[k].tile;
            if (!tile->fresh && !(tile->fresh = tile_renew(w, tile)))
                return false;
        }
    for (size_t i = 0; i < w->tiles.count; i++) {
        struct wide_tile *tile = w->tiles.at[i];
        if (!tile->fresh) {
            tile->fresh = ARENA_NEW(w->arena, struct array);
            *tile->fresh = *tile->array;
            tile->is_column_wise = false;
        }
        tile->fresh->offset = kernel_poly_expr(w->arena, w->kernel, end, TYPE_I32);
        end = poly_add(end, array_bytes(w, tile->fresh));
    }
    copy->shared_bytes = kernel_poly_expr(w->arena, w->kernel, end,
                                          w->kernel->shared_bytes->type);
    return copy->shared_bytes != NULL;
}

/* --- alignment -------------------------------------------------------------------------------- */

/* Number of the lane's element in its new tile, of the first slot. */
static const struct poly *lane_flat(struct widening *w, const struct wide_lane *lane)
{
    const struct wide_tile *tile = lane->tile;
    int n = tile->n_dims;
    const struct expr *indices[1 + TILE_DIMS] = {expr_integer(w->arena, TYPE_I32, 0)};
    for (int i = 0; i < n; i++) {
        int from = tile->is_column_wise ? n - 1 - i : i;
        indices[tile->slots + i] = lane->subscripts[tile->slots + from];
    }
    return alignment_flat(&w->alignment, tile->fresh, indices);
}

/* Every slot shall begin at a vector, as the first one does; false if that cannot be said. */
static bool slots_align(struct widening *w, struct divisibility *d, const struct wide_tile *tile)
{
    const struct poly *cells = poly_integer(w->alignment.ring, 1);
    if (tile->slots == 0)
        return true;
    for (int i = 0; i < tile->n_dims && cells; i++) {
        const struct poly *extent = alignment_poly(&w->alignment,
                                                   tile->fresh->dims[tile->slots + i]);
        cells = extent ? poly_mul(cells, extent) : NULL;
    }
    if (cells)
        divisions_add(d, cells);
    return cells != NULL;
}

/* The tunable that a sum consists of; NULL if it is another one. */
static const struct param *sum_tunable(const struct widening *w, const struct poly *sum)
{
    unsigned exponents[RING_CAPACITY] = {0};
    int64_t numerator, denominator;
    if (poly_terms(sum) != 1 || poly_total_degree(sum) != 1 ||
        !poly_term(sum, 0, &numerator, &denominator, exponents) || numerator != 1)
        return NULL;
    for (int v = 0; v < ring_count(w->alignment.ring); v++) {
        const struct param *param = exponents[v] ? kernel_param(w->kernel,
                                                                ring_name(w->alignment.ring, v))
                                                 : NULL;
        if (param)
            return param->role == ROLE_TUNABLE ? param : NULL;
    }
    return NULL;
}

/* Makes it a condition of the launch that all vectors are aligned; false if that cannot be said of
   tunables one by one. */
static bool lanes_align(struct widening *w, struct kernel *copy)
{
    struct divisibility d = {.alignment = &w->alignment, .modulus = w->width};
    for (size_t i = 0; i < w->loops.count; i++)
        for (size_t k = 0; k < w->loops.at[i].lanes.count; k++) {
            const struct wide_lane *lane = &w->loops.at[i].lanes.at[k];
            const struct poly *flat = lane_flat(w, lane);
            const struct poly *rest = alignment_unit(&w->alignment, flat, w->loops.at[i].loop->var);
            if (!rest || !divisions_add_offset(&d, lane->tile->fresh) ||
                !slots_align(w, &d, lane->tile))
                return false;
            divisions_add(&d, rest);
        }
    if (!divisions_reduce(&d))
        return false;
    for (size_t i = 0; i < w->tiles.count; i++)
        wide_fill_judge(w, w->tiles.at[i], &d);
    for (size_t i = 0; i < d.sums.count; i++) {
        const struct param *param = sum_tunable(w, d.sums.at[i]);
        if (!param)
            return false;
        const struct poly *value = poly_variable(w->kernel->ring, param->variable);
        kernel_add_divisible(w->arena, copy, (struct divisible){value, w->width});
    }
    return true;
}

/* --- the kernel ------------------------------------------------------------------------------- */

static void arrays_renew(struct widening *w, struct kernel *copy)
{
    int n = w->kernel->n_arrays;
    const struct array **arrays = ARENA_ARRAY(w->arena, const struct array *,
                                              n + (int)w->added.count);
    for (int i = 0; i < n; i++) {
        const struct wide_tile *tile = wide_tile_of(w, w->kernel->arrays[i]);
        arrays[i] = tile ? tile->fresh : w->kernel->arrays[i];
    }
    for (size_t i = 0; i < w->added.count; i++)
        arrays[n + (int)i] = w->added.at[i];
    copy->arrays = arrays;
    copy->n_arrays = n + (int)w->added.count;
}

const struct kernel *strategy_wide(struct ctx *ctx, const struct kernel *kernel, bool symbolic)
{
    struct arena *arena = ctx->arena;
    struct widening w = {.ctx = ctx, .arena = arena, .kernel = kernel, .symbolic = symbolic};
    if (!kernel->shared_bytes)
        return kernel;
    w.names = names_new(arena, kernel);
    w.elements = elements_new(arena, kernel);
    w.alignment = alignment_new(arena, kernel);
    alignment_assume(&w.alignment);
    tiles_collect(&w);
    loops_collect(&w, kernel->body, NULL);
    loops_drop_unfit(&w);
    struct kernel *copy = kernel_copy(arena, kernel);
    if (w.loops.count == 0 || !layout_is_plain(&w) || !tiles_renew(&w, copy) ||
        !lanes_align(&w, copy))
        return kernel;
    copy->body = stmt_rewrite(arena, kernel->body, wide_fill_widen, &w);
    copy->body = stmt_rewrite(arena, copy->body, wide_loop_widen, &w);
    copy->body = stmt_rewrite(arena, copy->body, wide_store_renew, &w);
    copy->body = stmt_rewrite_exprs(arena, copy->body, wide_load_renew, &w);
    arrays_renew(&w, copy);
    copy->body = body_drop_unused(arena, copy->body);
    return copy;
}
