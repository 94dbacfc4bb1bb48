/* Loops that read tiles by vectors, and accesses to tiles that are laid out anew.

   In: the loops and lanes that wide.c found, and the tiles in their new form. Out: each loop in
   groups of as many rounds as 16 bytes hold, the vectors loaded before the rounds, and a loop for
   the rounds that fill no group; loads and stores with the subscripts of the new form. */
#include "optimizer/strategies/wide.h"
#include "ir/walk.h"

static const struct array *lane_array(struct widening *w, const struct wide_lane *lane)
{
    const struct array *tile = lane->tile->array;
    struct array *private = ARENA_NEW(w->arena, struct array);
    const struct expr **dims = ARENA_ARRAY(w->arena, const struct expr *, 2);
    int n = 0;
    if (lane->inner)
        dims[n++] = lane->inner->to;
    dims[n++] = expr_integer(w->arena, TYPE_I32, w->width);
    private->name = names_fresh(&w->names, arena_printf(w->arena, "vector_%s", tile->name));
    private->element = tile->element;
    private->space = SPACE_PRIVATE;
    private->n_dims = n;
    private->dims = dims;
    private->origin = tile->origin;
    private->loc = tile->loc;
    vec_push(w->arena, &w->added, (const struct array *)private);
    return private;
}

static struct var *var_again(struct widening *w, const struct var *var)
{
    return var_new(w->arena, names_fresh(&w->names, var->name), var->type, var->kind);
}

/* vector private[0] = tile[…][group], for all rounds of the inner loop. */
static const struct stmt *lane_move(struct widening *w, const struct stmt *loop,
                                    const struct wide_lane *lane, const struct var *group)
{
    struct arena *arena = w->arena;
    int n = lane->tile->array->n_dims, at = 0;
    const struct expr **indices = ARENA_ARRAY(arena, const struct expr *, n),
                      **to = ARENA_ARRAY(arena, const struct expr *, 2);
    struct var *round = lane->inner ? var_again(w, lane->inner->var) : NULL;
    const struct var *variables[2] = {loop->var, lane->inner ? lane->inner->var : NULL};
    const struct expr *values[2] = {expr_var(arena, group), round ? expr_var(arena, round) : NULL};
    for (int i = 0; i < n; i++)
        indices[i] = expr_replace(arena, lane->subscripts[i],
                                  &(struct substitution){1 + (round != NULL), variables, values});
    if (round)
        to[at++] = values[1];
    to[at] = expr_integer(arena, TYPE_I32, 0);
    const struct stmt *move = stmt_vector(
        arena, lane->private, to, expr_load(arena, lane->tile->array, indices, lane->loc),
        lane->loc);
    if (!round)
        return move;
    struct stmt *moves = (struct stmt *)stmt_for(arena, round, lane->inner->from, lane->inner->to,
                                                 lane->inner->step, move);
    moves->unroll = true;
    return moves;
}

struct group_reading {
    struct widening *w;
    const struct wide_loop *loop;
    const struct expr *element;              /* number of the round in the group */
};

static const struct expr *load_replace(void *state, const struct expr *e)
{
    struct group_reading *r = state;
    struct arena *arena = r->w->arena;
    const size_t *number = e->kind == EXPR_LOAD ? map_get_pointer(r->loop->of_load, e) : NULL;
    if (!number)
        return e;
    const struct wide_lane *lane = &r->loop->lanes.at[*number];
    const struct expr **indices = ARENA_ARRAY(arena, const struct expr *, 2);
    int n = 0;
    if (lane->inner)
        indices[n++] = expr_var(arena, lane->inner->var);
    indices[n] = r->element;
    return expr_load(arena, lane->private, indices, e->loc);
}

/* The rounds of a group, with the loads from private arrays. */
static const struct stmt *group_rounds(struct widening *w, const struct wide_loop *loop,
                                       const struct var *group)
{
    struct arena *arena = w->arena;
    enum type type = group->type;
    struct var *e = var_new(arena, names_fresh(&w->names, "e"), type, VAR_ITERATOR);
    struct group_reading reading = {w, loop, expr_var(arena, e)};
    const struct stmt *body = stmt_rewrite_exprs(arena, loop->loop->children[0], load_replace,
                                                 &reading);
    const struct expr *round = expr_binary(arena, OP_ADD, expr_var(arena, group),
                                           expr_var(arena, e));
    const struct var *variable = loop->loop->var;
    body = stmt_replace(arena, body, &(struct substitution){1, &variable, &round});
    struct stmt *rounds = (struct stmt *)stmt_for(arena, e, expr_integer(arena, type, 0),
                                                  expr_integer(arena, type, w->width),
                                                  expr_integer(arena, type, 1), body);
    rounds->unroll = true;
    return rounds;
}

static const struct stmt *group_loop(struct widening *w, struct wide_loop *loop,
                                     const struct expr *end)
{
    struct arena *arena = w->arena;
    struct stmts parts = {0};
    struct var *group = var_again(w, loop->loop->var);
    for (size_t i = 0; i < loop->lanes.count; i++) {
        struct wide_lane *lane = &loop->lanes.at[i];
        lane->private = lane_array(w, lane);
        vec_push(arena, &parts, stmt_array(arena, lane->private));
    }
    for (size_t i = 0; i < loop->lanes.count; i++)
        vec_push(arena, &parts, lane_move(w, loop->loop, &loop->lanes.at[i], group));
    vec_push(arena, &parts, group_rounds(w, loop, group));
    return stmt_for(arena, group, loop->loop->from, end,
                    expr_integer(arena, group->type, w->width),
                    stmt_sequence(arena, parts.at, (int)parts.count));
}

/* The loop once more, for `rounds` rounds from `first` on, with names of its own. */
static const struct stmt *rest_loop(struct widening *w, const struct stmt *loop,
                                    const struct var *first, const struct var *rounds)
{
    struct arena *arena = w->arena;
    struct stmt_walk walk;
    VEC(const struct var *) variables = {0};
    VEC(const struct expr *) values = {0};
    struct var *round = var_again(w, loop->var);
    for (const struct stmt *s = stmt_first(&walk, arena, loop->children[0]); s;
         s = stmt_next(&walk)) {
        if (s->kind != STMT_LET && s->kind != STMT_FOR)
            continue;
        vec_push(arena, &variables, s->var);
        vec_push(arena, &values, expr_var(arena, var_again(w, s->var)));
    }
    vec_push(arena, &variables, loop->var);
    vec_push(arena, &values,
             expr_cast(arena, round->type,
                       expr_binary(arena, OP_ADD, expr_var(arena, first),
                                   expr_cast(arena, first->type, expr_var(arena, round)))));
    struct substitution renaming = {(int)variables.count, variables.at, values.at};
    return stmt_for(arena, round, loop->from, expr_var(arena, rounds), loop->step,
                    stmt_replace(arena, loop->children[0], &renaming));
}

static struct wide_loop *loop_of(struct widening *w, const struct stmt *s)
{
    for (size_t i = 0; i < w->loops.count; i++)
        if (w->loops.at[i].loop == s)
            return &w->loops.at[i];
    return NULL;
}

/* e - n; a minimum stays one, which other analyses see through. */
static const struct expr *end_less(struct widening *w, const struct expr *e, int n)
{
    const struct expr *a, *b;
    if (expr_get_minimum(e, &a, &b))
        return expr_minimum(w->arena, end_less(w, a, n), end_less(w, b, n));
    return expr_binary(w->arena, OP_SUB, e, expr_integer(w->arena, e->type, n));
}

const struct stmt *wide_loop_widen(void *widening, const struct stmt *s)
{
    struct widening *w = widening;
    struct arena *arena = w->arena;
    struct wide_loop *loop = loop_of(w, s);
    int64_t rounds;
    if (!loop)
        return s;
    if (expr_get_integer(s->to, &rounds) && rounds % w->width == 0)
        return group_loop(w, loop, s->to);
    enum type type = s->to->type;
    struct var *odd = var_new(arena, names_fresh(&w->names, "odd"), type, VAR_LOCAL);
    struct var *whole = var_new(arena, names_fresh(&w->names, "whole"), type, VAR_LOCAL);
    const struct expr *rest = expr_binary(arena, OP_REM, s->to,
                                          expr_integer(arena, type, w->width)),
                      *first = expr_binary(arena, OP_SUB, s->to, expr_var(arena, odd)),
                      *none = expr_binary(arena, OP_EQ, expr_var(arena, odd),
                                          expr_integer(arena, type, 0));
    const struct stmt *parts[] = {stmt_let(arena, whole, first), rest_loop(w, s, whole, odd)};
    struct stmt *rare = (struct stmt *)stmt_if(arena, none, NULL, stmt_sequence(arena, parts, 2));
    rare->rare = true;
    const struct stmt *all[] = {group_loop(w, loop, end_less(w, s->to, w->width - 1)),
                                stmt_let(arena, odd, rest), rare};
    return stmt_sequence(arena, all, 3);
}

/* The subscripts of an element in the tile's new form. */
static const struct expr *const *place_renew(struct widening *w, const struct wide_tile *tile,
                                             const struct expr *const *place)
{
    int n = tile->n_dims;
    if (!tile->is_column_wise)
        return place;
    const struct expr **turned = ARENA_ARRAY(w->arena, const struct expr *, tile->slots + n);
    for (int i = 0; i < tile->slots; i++)
        turned[i] = place[i];
    for (int i = 0; i < n; i++)
        turned[tile->slots + i] = place[tile->slots + n - 1 - i];
    return turned;
}

const struct expr *wide_load_renew(void *widening, const struct expr *e)
{
    struct widening *w = widening;
    const struct wide_tile *tile = e->kind == EXPR_LOAD ? wide_tile_of(w, e->array) : NULL;
    if (!tile)
        return e;
    return expr_load(w->arena, tile->fresh, place_renew(w, tile, e->arguments), e->loc);
}

const struct stmt *wide_store_renew(void *widening, const struct stmt *s)
{
    struct widening *w = widening;
    const struct wide_tile *tile = s->kind == STMT_STORE ? wide_tile_of(w, s->array) : NULL;
    if (!tile)
        return s;
    struct stmt *renewed = ARENA_NEW(w->arena, struct stmt);
    *renewed = *s;
    renewed->array = tile->fresh;
    renewed->indices = place_renew(w, tile, s->indices);
    return renewed;
}
