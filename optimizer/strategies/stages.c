/* Stages: block-level loops whose tiles are filled a round ahead, by asynchronous copies.

   In: the plans of staging.c. Out: for S buffers (placement_options.stages) each tile of such a
   loop is an array of S tiles, its slots, and

       for (k = from; k < to; k += step) { fill tile k; barrier; bands on it; barrier; }

   becomes

       if (from < to) fill tile `from` into slot 0;                     and so on, S - 1 times
       for (k = from; k < to; k += step) {
           barrier pending S - 2;
           if (k + (S - 1) * step < to) fill tile k + (S - 1) * step into the slot behind;
           bands on slot (k - from) / step % S;
       }

   Why it is right: the slot that is filled was last read in the round before, before the barrier;
   what a round reads was filled at least one barrier earlier, and that barrier has waited for it.
   Copies read arrays that the kernel does not write, so that they may read them early. Of a loop
   without rounds nothing is filled.

   Loops qualify that count by a literal step, in a body of definitions and bands alone; all tiles
   of these bands are only read, of arrays that nobody writes, with elements of 4 or 8 bytes, and
   what says where they lie is known before the round: parameters, what stands outside the loop, and
   its variable. Tiles of bands of one loop lie one behind the other, since all are in use at once.
   Source: notes on pipelining; spec X-13. */
#include "ir/walk.h"
#include "optimizer/strategies/place.h"

/* --- which loops ------------------------------------------------------------------------------ */

/* Does a statement in the loop declare a variable of the expression, or set one? */
static bool uses_inner(const struct placement *p, const struct stmt *loop, const struct expr *e)
{
    struct stmt_walk walk;
    const struct stmt *s = stmt_first(&walk, p->arena, loop->children[0]);
    bool found = false;
    for (; s && e && !found; s = stmt_next(&walk)) {
        found = s->var && expr_uses_var(e, s->var);
        for (int i = 0; i < s->n_axes && !found; i++)
            found = expr_uses_var(e, s->axes[i].var);
    }
    return found;
}

/* Are the cells of the tile known before the round? Its own coordinates are no variables of the
   loop. */
static bool is_known_before(const struct placement *p, const struct stmt *loop,
                            const struct tile *tile)
{
    bool known = !uses_inner(p, loop, tile->inside) && !uses_inner(p, loop, tile->condition);
    for (int i = 0; i < tile->array->n_dims && known; i++)
        known = !uses_inner(p, loop, tile->element[i]);
    return known;
}

static bool tile_may_stage(const struct placement *p, const struct stmt *loop,
                           const struct tile *tile)
{
    unsigned bytes = type_bytes(tile->array->element);
    return !tile->is_written && (bytes == 4 || bytes == 8) &&
           !stmt_stores_to(p->kernel->body, tile->array) && is_known_before(p, loop, tile);
}

/* The band's tiles in the loop's count; false if one of them cannot be filled ahead. */
static bool band_may_stage(const struct placement *p, const struct stmt *loop,
                           const struct stmt *band, size_t *tiles)
{
    const struct band_plan *plan = staging_of(p, band);
    for (size_t i = 0; plan && i < plan->tiles.count; i++)
        if (!tile_may_stage(p, loop, plan->tiles.at[i].tile))
            return false;
    *tiles += plan ? plan->tiles.count : 0;
    return true;
}

static bool loop_may_stage(const struct placement *p, const struct stmt *loop)
{
    int64_t step;
    size_t tiles = 0;
    const struct stmt *body = loop->children[0];
    bool is_list = body->kind == STMT_SEQUENCE;
    int n = is_list ? body->n_children : 1;
    if (!expr_get_integer(loop->step, &step) || type_bytes(loop->var->type) < 4 ||
        !type_is_signed(loop->var->type) || uses_inner(p, loop, loop->to))
        return false;
    for (int i = 0; i < n; i++) {
        const struct stmt *s = is_list ? body->children[i] : body;
        bool is_band = s->kind == STMT_BAND && !s->strided;
        if (!is_band && s->kind != STMT_LET && s->kind != STMT_ARRAY)
            return false;
        if (is_band && !band_may_stage(p, loop, s, &tiles))
            return false;
    }
    return tiles > 0;
}

/* --- the plan --------------------------------------------------------------------------------- */

/* The tile becomes an array of tiles. */
static void tile_multiply(struct placement *p, struct placed_tile *placed,
                          const struct staged_loop *staged)
{
    struct array *shared = placed->shared;
    const struct expr **dims = ARENA_ARRAY(p->arena, const struct expr *, shared->n_dims + 1);
    dims[0] = expr_integer(p->arena, TYPE_I32, staged->buffers);
    for (int i = 0; i < shared->n_dims; i++)
        dims[i + 1] = shared->dims[i];
    shared->dims = dims;
    shared->n_dims++;
    placed->staged = staged;
}

static void loop_plan(struct placement *p, const struct stmt *loop)
{
    struct staged_loop *staged = ARENA_NEW(p->arena, struct staged_loop);
    staged->loop = loop;
    staged->buffers = p->options.stages;
    staged->slot = var_new(p->arena, names_fresh(&p->names, "slot"), TYPE_I32, VAR_LOCAL);
    for (size_t i = 0; i < p->bands.count; i++) {
        struct band_plan *plan = &p->bands.at[i];
        const struct stmt *body = loop->children[0];
        bool is_in = body == plan->band;
        for (int k = 0; body->kind == STMT_SEQUENCE && k < body->n_children; k++)
            is_in |= body->children[k] == plan->band;
        if (!is_in)
            continue;
        plan->staged = staged;
        for (size_t k = 0; k < plan->tiles.count; k++)
            tile_multiply(p, &plan->tiles.at[k], staged);
    }
    vec_push(p->arena, &p->staged, staged);
}

void stages_plan(struct placement *p)
{
    struct stmt_walk walk;
    if (p->options.stages < 2)
        return;
    for (const struct stmt *s = stmt_first(&walk, p->arena, p->kernel->body); s;
         s = stmt_next(&walk)) {
        if (s->kind == STMT_FOR && stmt_has_band(s) && loop_may_stage(p, s))
            loop_plan(p, s);
        if (s->kind == STMT_BAND)
            stmt_skip(&walk);
    }
}

const struct staged_loop *stages_of(const struct placement *p, const struct stmt *loop)
{
    for (size_t i = 0; i < p->staged.count; i++)
        if (p->staged.at[i]->loop == loop)
            return p->staged.at[i];
    return NULL;
}

/* --- the loop --------------------------------------------------------------------------------- */

/* The loop's variable so many rounds behind `begin`, in 64 bits: the last round may end where the
   type does. */
static const struct expr *round_after(struct placement *p, const struct stmt *loop,
                                      const struct expr *begin, int rounds, enum type type)
{
    int64_t step = 1;
    expr_get_integer(loop->step, &step);
    return expr_binary(p->arena, OP_ADD, expr_cast(p->arena, type, begin),
                       expr_integer(p->arena, type, rounds * step));
}

/* All tiles of the loop filled, as they are `rounds` rounds behind `begin`, into a slot, if there
   is such a round. */
static const struct stmt *round_fill(struct placement *p, const struct staged_loop *staged,
                                     const struct expr *begin, int rounds,
                                     const struct expr *into)
{
    struct arena *arena = p->arena;
    const struct stmt *loop = staged->loop;
    struct stmts fills = {0};
    struct var *slot = var_new(arena, names_fresh(&p->names, "slot_next"), TYPE_I32, VAR_LOCAL);
    const struct expr *values[] = {round_after(p, loop, begin, rounds, loop->var->type),
                                   expr_var(arena, slot)};
    const struct var *variables[] = {loop->var, staged->slot};
    struct substitution moved = {2, variables, values};
    vec_push(arena, &fills, stmt_let(arena, slot, into));
    for (size_t i = 0; i < p->bands.count; i++)
        for (size_t k = 0; p->bands.at[i].staged == staged && k < p->bands.at[i].tiles.count; k++) {
            const struct stmt *fill = staging_fill(p, &p->bands.at[i].tiles.at[k]);
            if (fill)
                vec_push(arena, &fills, stmt_replace(arena, fill, &moved));
        }
    const struct expr *exists = expr_binary(arena, OP_LT,
                                            round_after(p, loop, begin, rounds, TYPE_I64),
                                            expr_cast(arena, TYPE_I64, loop->to));
    return stmt_if(arena, exists, stmt_sequence(arena, fills.at, (int)fills.count), NULL);
}

const struct stmt *stages_begin(struct placement *p, const struct staged_loop *staged)
{
    struct stmts parts = {0};
    for (int i = 0; i + 1 < staged->buffers; i++) {
        if (i)
            vec_push(p->arena, &parts, stmt_pending(p->arena, staged->buffers - 2));
        vec_push(p->arena, &parts, round_fill(p, staged, staged->loop->from, i,
                                              expr_integer(p->arena, TYPE_I32, i)));
    }
    return stmt_sequence(p->arena, parts.at, (int)parts.count);
}

/* The number of the round modulo the buffers. */
static const struct expr *slot_of(struct placement *p, const struct staged_loop *staged)
{
    struct arena *arena = p->arena;
    const struct stmt *loop = staged->loop;
    const struct expr *at = expr_var(arena, loop->var);
    at = expr_binary(arena, OP_DIV, expr_binary(arena, OP_SUB, at, loop->from), loop->step);
    at = expr_binary(arena, OP_REM, at, expr_integer(arena, loop->var->type, staged->buffers));
    return expr_cast(arena, TYPE_I32, at);
}

const struct stmt *stages_round(struct placement *p, const struct staged_loop *staged,
                                const struct stmt *body)
{
    struct arena *arena = p->arena;
    const struct expr *slot = expr_var(arena, staged->slot),
                      *last = expr_integer(arena, TYPE_I32, staged->buffers - 1),
                      *next = expr_binary(arena, OP_ADD, slot, last);
    next = expr_binary(arena, OP_REM, next, expr_integer(arena, TYPE_I32, staged->buffers));
    const struct stmt *parts[4] = {stmt_pending(arena, staged->buffers - 2),
                                   stmt_let(arena, staged->slot, slot_of(p, staged)),
                                   round_fill(p, staged, expr_var(arena, staged->loop->var),
                                              staged->buffers - 1, next),
                                   body};
    return stmt_sequence(arena, parts, 4);
}

bool strategy_can_stage(struct ctx *ctx, const struct kernel *kernel)
{
    struct placement p = {.ctx = ctx,
                          .arena = ctx->arena,
                          .kernel = kernel,
                          .names = names_new(ctx->arena, kernel),
                          .options = {.stage = UINT64_MAX, .pieces = true, .stages = 2}};
    pieces_plan(&p);
    staging_plan(&p);
    return p.staged.count > 0;
}
