/* Where data lives: one pass over the banded kernel that stages, promotes and puts in the barriers.

   In: a banded kernel and the plans of staging.c and promotion.c. Out: a kernel in which every
   staged band reads
       fill bands; barrier; band; barrier; write-back bands
   where copies under a condition and copies under its negation are the branches of one if, and in
   which a barrier stands wherever two bands that follow each other (in a sequence or from one round
   of a loop to the next) might exchange data, but not twice without an access between.
   Invariant: `pending` holds the bands executed since the last barrier on some path; before a band
   that conflicts with one of them a barrier is put. Two staged bands conflict, as their tiles lie
   in the same memory; a staged band and another one do if the copies, which other threads make,
   touch what the other one writes. Barriers stand at block level only, where control flow is
   uniform.
   Source: notes on footprints, "Copies, barriers, side conditions"; spec C-27. */
#include "ir/barriers.h"
#include "ir/walk.h"
#include "optimizer/strategies/place.h"

struct pass {
    struct placement *placement;
    struct arena *arena;
    const struct band_plan *plan;          /* of the band being rewritten */
    const struct staged_loop *staged;      /* around what is being rewritten; or NULL */
    struct stmts pending;                         /* bands of the original kernel since the
                                                     last barrier */
};

/* Do the copies of one band's tiles touch what the other band writes, or write what it touches? */
static bool copies_conflict(const struct band_plan *plan, const struct stmt *other)
{
    bool conflict = false;
    for (size_t i = 0; i < plan->tiles.count; i++) {
        const struct tile *tile = plan->tiles.at[i].tile;
        conflict |= tile->is_written ? stmt_uses_array(other, tile->array)
                                     : stmt_stores_to(other, tile->array);
    }
    return conflict;
}

static bool bands_conflict(const struct pass *pass, const struct stmt *a, const struct stmt *b)
{
    const struct band_plan *first = staging_of(pass->placement, a),
                           *second = staging_of(pass->placement, b);
    bool is_apart = first && pass->staged && first->staged == pass->staged;
    if (first && second && !(is_apart && second->staged == pass->staged))
        return true;
    if ((first && copies_conflict(first, b)) || (second && copies_conflict(second, a)))
        return true;
    return access_needs_barrier(pass->placement->ctx, pass->placement->kernel, a, b);
}

static void pending_add(struct pass *pass, struct stmts *pending, const struct stmt *band)
{
    for (size_t i = 0; i < pending->count; i++)
        if (pending->at[i] == band)
            return;
    vec_push(pass->arena, pending, band);
}

static const struct expr *place_expr(void *state, const struct expr *e)
{
    struct pass *pass = state;
    const struct expr *const *places;
    if (e->kind == EXPR_LOAD) {
        const struct placed_tile *tile = staging_reference(pass->plan, e, NULL, &places);
        if (tile)
            return expr_load(pass->arena, tile->shared,
                             staging_places(pass->placement, tile, places), e->loc);
        const struct placed_promotion *promotion = promotion_reference(pass->placement, e, NULL);
        if (promotion)
            return expr_load(pass->arena, promotion->array, promotion->places, e->loc);
    }
    return expr_map_operands(pass->arena, e, place_expr, pass);
}

static const struct stmt *place_store(struct pass *pass, const struct stmt *s)
{
    const struct expr *const *places;
    const struct stmt *mapped = stmt_map_exprs(pass->arena, s, place_expr, pass);
    const struct placed_promotion *promotion = promotion_reference(pass->placement, NULL, s);
    if (promotion)
        return stmt_store(pass->arena, promotion->array, promotion->places, mapped->value, s->loc);
    const struct placed_tile *tile = staging_reference(pass->plan, NULL, s, &places);
    if (!tile)
        return mapped;
    const struct stmt *into_tile = stmt_store(pass->arena, tile->shared, places, mapped->value,
                                              s->loc);
    if (staging_writes_back(tile))
        return into_tile;
    if (!tile->tile->is_read)
        return mapped;
    /* Both: the value once, then the tile for its readers and the array itself. */
    struct placement *p = pass->placement;
    struct var *value = var_new(pass->arena, names_fresh(&p->names, "value"), s->array->element,
                                VAR_LOCAL);
    const struct expr *copy = expr_var(pass->arena, value);
    const struct stmt *parts[3] = {stmt_let(pass->arena, value, mapped->value),
                                   stmt_store(pass->arena, tile->shared, places, copy, s->loc),
                                   stmt_store(pass->arena, s->array, mapped->indices, copy,
                                              s->loc)};
    return stmt_sequence(pass->arena, parts, 3);
}

static const struct stmt *place_stmt(struct pass *pass, const struct stmt *s);

static const struct stmt *place_children(struct pass *pass, const struct stmt *s)
{
    const struct stmt *mapped = stmt_map_exprs(pass->arena, s, place_expr, pass);
    const struct stmt **children = ARENA_ARRAY(pass->arena, const struct stmt *, s->n_children + 1);
    for (int i = 0; i < s->n_children; i++)
        children[i] = s->children[i] ? place_stmt(pass, s->children[i]) : NULL;
    const struct stmt *rebuilt = s->n_children ? stmt_rebuild(pass->arena, mapped, children)
                                               : mapped;
    if (s->kind == STMT_FOR && promotion_is_loop(pass->placement, s)) {
        struct stmt *copy = ARENA_NEW(pass->arena, struct stmt);
        *copy = *rebuilt;
        copy->unroll = true;
        return copy;
    }
    return rebuilt;
}

static bool is_not(const struct expr *a, const struct expr *b)
{
    return a->kind == EXPR_UNARY && a->op == OP_NOT && expr_equal(a->arguments[0], b);
}

/* Two ifs in a row as one, if the second one's condition is the first one's or its negation; NULL
   if it is neither. The conditions of copies are uniform: they read nothing that the kernel
   writes. */
static const struct stmt *copies_join(struct pass *pass, const struct stmt *first,
                                      const struct stmt *second)
{
    if (first->kind != STMT_IF || second->kind != STMT_IF)
        return NULL;
    bool is_same = expr_equal(first->value, second->value);
    bool is_opposite = is_not(first->value, second->value) || is_not(second->value, first->value);
    if (!is_same && !is_opposite)
        return NULL;
    const struct stmt *branches[2] = {first->children[0], first->children[1]};
    int branch = is_same ? 0 : 1;
    const struct stmt *parts[2] = {branches[branch], second->children[0]};
    branches[branch] = stmt_sequence(pass->arena, parts, 2);
    return stmt_if(pass->arena, first->value, branches[0], branches[1]);
}

/* Adds a copy behind those from `begin` on. */
static void copy_add(struct pass *pass, struct stmts *out, size_t begin, const struct stmt *copy)
{
    const struct stmt *joined = NULL;
    if (out->count > begin)
        joined = copies_join(pass, out->at[out->count - 1], copy);
    if (joined)
        out->at[out->count - 1] = joined;
    else
        vec_push(pass->arena, out, copy);
}

static const struct stmt *place_band(struct pass *pass, const struct stmt *s)
{
    struct placement *p = pass->placement;
    struct stmts out = {0};
    for (size_t i = 0; i < pass->pending.count; i++)
        if (bands_conflict(pass, pass->pending.at[i], s)) {
            vec_push(pass->arena, &out, stmt_barrier(pass->arena));
            pass->pending.count = 0;
            break;
        }
    pass->plan = staging_of(p, s);
    size_t before = out.count;
    size_t n_fills = pass->plan && !pass->plan->staged ? pass->plan->tiles.count : 0;
    for (size_t i = 0; i < n_fills; i++) {
        const struct stmt *fill = staging_fill(p, &pass->plan->tiles.at[i]);
        if (fill)
            copy_add(pass, &out, before, fill);
    }
    if (out.count > before) {
        vec_push(pass->arena, &out, stmt_barrier(pass->arena));
        pass->pending.count = 0;
    }
    vec_push(pass->arena, &out, place_children(pass, s));
    size_t after = out.count;
    for (size_t i = 0; pass->plan && i < pass->plan->tiles.count; i++) {
        const struct stmt *back = staging_write_back(p, &pass->plan->tiles.at[i]);
        if (back && out.count == after)
            vec_push(pass->arena, &out, stmt_barrier(pass->arena));
        if (back)
            copy_add(pass, &out, after + 1, back);
    }
    pass->plan = NULL;
    pending_add(pass, &pass->pending, s);
    return stmt_sequence(pass->arena, out.at, (int)out.count);
}

static struct stmts pending_copy(struct pass *pass)
{
    struct stmts copy = {0};
    for (size_t i = 0; i < pass->pending.count; i++)
        pending_add(pass, &copy, pass->pending.at[i]);
    return copy;
}

static struct stmts bands_in(struct pass *pass, const struct stmt *root)
{
    struct stmts bands = {0};
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, pass->arena, root); s; s = stmt_next(&walk))
        if (s->kind == STMT_BAND)
            pending_add(pass, &bands, s);
    return bands;
}

static bool any_conflict(const struct pass *pass, const struct stmts *earlier,
                         const struct stmts *later)
{
    for (size_t i = 0; i < earlier->count; i++)
        for (size_t k = 0; k < later->count; k++)
            if (bands_conflict(pass, earlier->at[i], later->at[k]))
                return true;
    return false;
}

/* A block-level loop: its end needs a barrier if a band left pending conflicts with one of the
   next round. */
static const struct stmt *place_loop(struct pass *pass, const struct stmt *s)
{
    struct stmts before = pending_copy(pass);
    const struct stmt *loop = place_children(pass, s);
    struct stmts bands = bands_in(pass, s);
    if (any_conflict(pass, &pass->pending, &bands)) {
        const struct stmt *parts[2] = {loop->children[0], stmt_barrier(pass->arena)};
        const struct stmt *body = stmt_sequence(pass->arena, parts, 2);
        loop = stmt_rebuild(pass->arena, loop, &body);
        pass->pending.count = 0;
    }
    for (size_t i = 0; i < before.count; i++)
        pending_add(pass, &pass->pending, before.at[i]);
    return loop;
}

/* A loop whose tiles are filled rounds ahead: the barrier at the head of a round orders it behind
   all that the round before did. */
static const struct stmt *place_staged(struct pass *pass, const struct staged_loop *staged)
{
    struct placement *p = pass->placement;
    struct stmts before = pending_copy(pass), bands = bands_in(pass, staged->loop), none = {0};
    bool waits = any_conflict(pass, &before, &bands);
    const struct staged_loop *around = pass->staged;
    const struct stmt *first = stages_begin(p, staged);
    pass->pending = none;
    pass->staged = staged;
    const struct stmt *loop = place_children(pass, staged->loop);
    pass->staged = around;
    const struct stmt *body = stages_round(p, staged, loop->children[0]);
    if (!waits)
        for (size_t i = 0; i < before.count; i++)
            pending_add(pass, &pass->pending, before.at[i]);
    const struct stmt *parts[3] = {waits ? stmt_barrier(pass->arena) : NULL, first,
                                   stmt_rebuild(pass->arena, loop, &body)};
    return stmt_sequence(pass->arena, parts, 3);
}

static const struct stmt *place_branches(struct pass *pass, const struct stmt *s)
{
    const struct stmt *mapped = stmt_map_exprs(pass->arena, s, place_expr, pass);
    struct stmts before = pending_copy(pass), after = pending_copy(pass);
    const struct stmt *children[2] = {NULL, NULL};
    for (int i = 0; i < s->n_children; i++) {
        pass->pending = before;
        pass->pending = pending_copy(pass);
        children[i] = s->children[i] ? place_stmt(pass, s->children[i]) : NULL;
        for (size_t k = 0; k < pass->pending.count; k++)
            pending_add(pass, &after, pass->pending.at[k]);
    }
    pass->pending = after;
    return stmt_rebuild(pass->arena, mapped, children);
}

static const struct stmt *place_for(struct pass *pass, const struct stmt *s)
{
    const struct staged_loop *staged = stages_of(pass->placement, s);
    if (staged)
        return place_staged(pass, staged);
    return stmt_has_band(s) ? place_loop(pass, s) : place_children(pass, s);
}

static const struct stmt *place_kind(struct pass *pass, const struct stmt *s)
{
    switch (s->kind) {
    case STMT_BAND: return place_band(pass, s);
    case STMT_STORE: return place_store(pass, s);
    case STMT_FOR: return place_for(pass, s);
    case STMT_IF: return stmt_has_band(s) ? place_branches(pass, s) : place_children(pass, s);
    case STMT_BARRIER: pass->pending.count = 0; return s;
    default: return place_children(pass, s);
    }
}

static const struct stmt *place_stmt(struct pass *pass, const struct stmt *s)
{
    struct placement *p = pass->placement;
    for (size_t i = 0; i < p->promotions.count; i++)
        p->promotions.at[i].here |= p->promotions.at[i].promotion->around == s;
    const struct stmt *placed = place_kind(pass, s);
    for (size_t i = 0; i < p->promotions.count; i++) {
        struct placed_promotion *promotion = &p->promotions.at[i];
        if (promotion->promotion->around != s)
            continue;
        promotion->here = false;
        const struct stmt *parts[3] = {promotion_begin(p, promotion), placed,
                                       promotion_end(p, promotion)};
        placed = stmt_sequence(pass->arena, parts, 3);
    }
    return placed;
}

/* A block goes from one point of the grid to the next: where it may still read or copy tiles at the
   end of the body, a barrier stands there. */
static const struct stmt *body_close(struct pass *pass, const struct stmt *body)
{
    for (size_t i = 0; i < pass->pending.count; i++)
        if (staging_of(pass->placement, pass->pending.at[i])) {
            const struct stmt *parts[2] = {body, stmt_barrier(pass->arena)};
            return stmt_sequence(pass->arena, parts, 2);
        }
    return body;
}

/* The kernel's arrays: global, then shared, then private ones. */
static void arrays_add(struct placement *p, struct kernel *kernel)
{
    VEC(const struct array *) arrays = {0};
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space != SPACE_PRIVATE)
            vec_push(p->arena, &arrays, kernel->arrays[i]);
    for (size_t i = 0; i < p->bands.count; i++)
        for (size_t k = 0; k < p->bands.at[i].tiles.count; k++)
            vec_push(p->arena, &arrays, (const struct array *)p->bands.at[i].tiles.at[k].shared);
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_PRIVATE)
            vec_push(p->arena, &arrays, kernel->arrays[i]);
    for (size_t i = 0; i < p->promotions.count; i++)
        vec_push(p->arena, &arrays, p->promotions.at[i].array);
    kernel->arrays = arrays.at;
    kernel->n_arrays = (int)arrays.count;
}

const struct kernel *strategy_place(struct ctx *ctx, const struct kernel *kernel,
                                    struct placement_options options)
{
    struct placement p = {.ctx = ctx, .arena = ctx->arena, .kernel = kernel, .options = options};
    p.names = names_new(ctx->arena, kernel);
    pieces_plan(&p);
    kernel = p.kernel;
    staging_plan(&p);
    promotion_plan(&p);
    struct pass pass = {.placement = &p, .arena = ctx->arena};
    struct kernel *placed = kernel_copy(ctx->arena, kernel);
    placed->body = body_drop_unused(ctx->arena, body_close(&pass, place_stmt(&pass, kernel->body)));
    arrays_add(&p, placed);
    if (p.shared_bytes)
        placed->shared_bytes = kernel_poly_expr(ctx->arena, kernel, p.shared_bytes, TYPE_I64);
    placed->body = guards_bound(ctx->arena, guards_speculate(&p, placed));
    placed->body = barriers_drop_doubled(ctx->arena, placed->body);
    placed->body = loops_unroll_short(&p, placed->body);
    return placed;
}
