/* Unroll-and-jam of a thread's serial loops.

   In:  a placed kernel, a factor u. Out: in bands, two loops, one in the other,
       for (i = f; i < t; i += 1) for (j = lo; j < hi; j += 1) S
   become, with copy c of S late by s(c) rounds, at most by m,
       for (i = f; i < w; i += u) {                 w = f + (t - f) / u * u
           for (p = lo; p < lo + m; p += 1)         the copies whose own round p - s(c) is one
           for (j = lo + m; j < hi; j += 1)         all copies, S with i + c and j - s(c)
           for (e = max(lo + m, hi); e < hi + m; e += 1)    as before
       }
       for (i = w; i < t; i += 1) for (j …) S       the rest
   The shifts are the least ones at which no copy waits for another one in its round
   (optimizer/pipeline/jam.h). Where a copy loads what was stored a round before, by itself or by
   another copy, the value stays in a scalar; the first one is loaded before the loop, if there is a
   first round.
   Why it is right: every iteration runs once, and after all that it depends on: the distances of
   all dependences are constant, else the loops are left. Bounds of the inner loop do not depend on
   the outer one, and the body neither changes them nor has what has no distance: private arrays,
   sums in any order, copies of vectors or that arrive later. */
#include "optimizer/strategies/jam.h"
#include "ir/access/distance.h"
#include "ir/walk.h"
#include "optimizer/strategies/strategies.h"

/* Shifts do not depend on it. */
static const struct latencies LATENCIES = {.addition = 4};

struct jam_draft {
    struct ctx *ctx;
    const struct kernel *kernel;
    struct names names;
    int factor;
    struct recurrence *nests;
    size_t n_nests;
};

/* --- loops that can be jammed ----------------------------------------------------------------- */

static bool is_one(const struct expr *e)
{
    int64_t value;
    return expr_get_integer(e, &value) && value == 1;
}

/* Is it the same, and without effect, before, behind and in every iteration of the loop? */
static bool bound_is_fixed(struct arena *arena, const struct expr *e, const struct stmt *loop)
{
    struct expr_walk walk;
    for (const struct expr *in = expr_first(&walk, arena, e); in; in = expr_next(&walk))
        if (in->kind == EXPR_LOAD || in->kind == EXPR_CALL || in->op == OP_REM ||
            (in->kind == EXPR_VAR && stmt_gives_value(loop, in->var)))
            return false;
    return !type_is_floating(e->type);
}

static bool body_is_plain(struct arena *arena, const struct stmt *body)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, body); s; s = stmt_next(&walk)) {
        bool is_odd = s->width || s->reduction || s->end || s->async;
        bool is_own = s->kind == STMT_STORE && s->array->space == SPACE_PRIVATE;
        if (is_odd || is_own || s->kind == STMT_ARRAY || (s->kind == STMT_LET && !s->value))
            return false;
    }
    return true;
}

static bool nest_is_plain(struct arena *arena, const struct recurrence *nest)
{
    if (nest->open || nest->n_loops < 2 || nest->perfect < 2)
        return false;
    const struct stmt *outer = nest->loops[nest->n_loops - 2],
                      *inner = nest->loops[nest->n_loops - 1];
    return is_one(outer->step) && is_one(inner->step) && !outer->unroll && !inner->unroll &&
           bound_is_fixed(arena, outer->from, outer) && bound_is_fixed(arena, outer->to, outer) &&
           bound_is_fixed(arena, inner->from, outer) && bound_is_fixed(arena, inner->to, outer) &&
           body_is_plain(arena, inner->children[0]);
}

/* --- carried values --------------------------------------------------------------------------- */

/* Does only this statement of the body, in every round, write the array? */
static bool is_only_store(const struct jam_nest *nest, const struct stmt *store)
{
    int stores = 0;
    for (int k = 0; k < nest->n_body; k++)
        stores += nest->body[k] == store || stmt_stores_to(nest->body[k], store->array) ? 1 : 0;
    for (int k = 0; k < nest->n_body; k++)
        if (nest->body[k] == store)
            return stores == 1;
    return false;
}

/* Does each iteration write an element of its own? */
static bool is_own_element(const struct recurrence *recurrence, const struct stmt *store)
{
    bool is_own = false;
    for (size_t i = 0; i < recurrence->n_pairs; i++) {
        const struct access_distance *pair = &recurrence->pairs[i];
        if (pair->a.store != store || pair->b.store != store)
            continue;
        is_own = pair->kind == DISTANCE_CONSTANT;
        for (int k = 0; k < recurrence->n_loops; k++)
            is_own &= !pair->is_free[k] && !pair->at[k];
    }
    return is_own;
}

static bool is_certain_load(const struct jam_nest *nest, const struct expr *load)
{
    for (int k = 0; k < nest->n_body; k++)
        if (nest->body[k]->kind != STMT_IF && jam_load_is_certain(nest->body[k], load))
            return true;
    return false;
}

/* Adds what the copies carry along a pair of a store and a load. */
static void carries_add(struct jam_nest *nest, const struct recurrence *recurrence,
                        const struct access_distance *pair)
{
    int outer = recurrence->n_loops - 2, sign = pair->a.is_write ? 1 : -1;
    const struct reference *store = pair->a.is_write ? &pair->a : &pair->b;
    const struct reference *load = pair->a.is_write ? &pair->b : &pair->a;
    for (int k = 0; k < outer; k++)
        if (pair->at[k])
            return;
    for (int c = 0; c < nest->jam.copies; c++) {
        int64_t from = c - sign * pair->at[outer];
        if (from < 0 || from >= nest->jam.copies ||
            sign * pair->at[outer + 1] + nest->shifts[c] - nest->shifts[from] != 1)
            continue;
        struct jam_carry carry = {c, load->load, (int)from, store->store, NULL};
        vec_push(nest->arena, &nest->carries, carry);
    }
}

static void carries_find(const struct recurrence *recurrence, struct jam_nest *nest)
{
    for (size_t i = 0; i < recurrence->n_pairs; i++) {
        const struct access_distance *pair = &recurrence->pairs[i];
        const struct reference *store = pair->a.is_write ? &pair->a : &pair->b;
        const struct reference *load = pair->a.is_write ? &pair->b : &pair->a;
        bool is_free = false;
        for (int k = 0; k < recurrence->n_loops; k++)
            is_free |= pair->is_free[k];
        if (!load->is_write && !is_free && is_only_store(nest, store->store) &&
            is_own_element(recurrence, store->store) && is_certain_load(nest, load->load))
            carries_add(nest, recurrence, pair);
    }
}

/* --- the loops -------------------------------------------------------------------------------- */

static const struct expr *plus(struct arena *arena, const struct expr *e, int64_t by)
{
    return by ? expr_binary(arena, OP_ADD, e, expr_integer(arena, e->type, by)) : e;
}

/* Rounds in which only some copies run. */
static const struct stmt *edge_make(struct jam_nest *nest, const struct expr *from,
                                    const struct expr *to, const struct expr *begin)
{
    struct arena *arena = nest->arena;
    const struct stmt *inner = nest->inner;
    const struct var *var = var_new(arena, names_fresh(nest->names, inner->var->name),
                                    inner->var->type, VAR_ITERATOR);
    const struct stmt *body = jam_round_guarded(nest, expr_var(arena, var), begin, inner->to);
    return stmt_for(arena, var, from, to, inner->step, body);
}

/* The rounds in which all copies run. */
static const struct stmt *middle_make(struct jam_nest *nest, const struct expr *first)
{
    struct arena *arena = nest->arena;
    const struct stmt *inner = nest->inner, *parts[2];
    const struct var *var = var_new(arena, names_fresh(nest->names, inner->var->name),
                                    inner->var->type, VAR_ITERATOR);
    parts[0] = jam_carried(nest, first);
    parts[1] = stmt_for(arena, var, first, inner->to, inner->step,
                        jam_round(nest, expr_var(arena, var)));
    if (!nest->carries.count)
        return parts[1];
    return stmt_if(arena, expr_binary(arena, OP_LT, first, inner->to),
                   stmt_sequence(arena, parts, 2), NULL);
}

static const struct stmt *jammed_make(struct jam_nest *nest)
{
    struct arena *arena = nest->arena;
    const struct stmt *inner = nest->inner, *parts[3] = {NULL, NULL, NULL};
    const struct expr *first = plus(arena, inner->from, nest->most);
    parts[1] = middle_make(nest, first);
    if (nest->most) {
        const struct expr *behind = expr_select(
            arena, expr_binary(arena, OP_LT, first, inner->to), inner->to, first);
        parts[0] = edge_make(nest, inner->from, first, inner->from);
        parts[2] = edge_make(nest, behind, plus(arena, inner->to, nest->most), NULL);
    }
    return stmt_sequence(arena, parts, 3);
}

/* The rest of the outer loop's iterations, one by one. */
static const struct stmt *rest_make(struct jam_nest *nest, const struct expr *whole)
{
    struct arena *arena = nest->arena;
    const struct stmt *outer = nest->outer;
    struct stmt_walk walk;
    VEC(const struct var *) old = {0};
    VEC(const struct expr *) new = {0};
    for (const struct stmt *s = stmt_first(&walk, arena, outer); s; s = stmt_next(&walk)) {
        if (s->kind != STMT_LET && s->kind != STMT_FOR)
            continue;
        const struct var *copy = var_new(arena, names_fresh(nest->names, s->var->name),
                                         s->var->type, s->var->kind);
        vec_push(arena, &old, s->var);
        vec_push(arena, &new, expr_var(arena, copy));
    }
    struct substitution names = {(int)old.count, old.at, new.at};
    const struct stmt *rest = stmt_for(arena, outer->var, whole, outer->to, outer->step,
                                       outer->children[0]);
    return stmt_replace(arena, rest, &names);
}

static const struct stmt *nest_jam(struct jam_nest *nest)
{
    struct arena *arena = nest->arena;
    const struct stmt *outer = nest->outer, *parts[3];
    const struct expr *factor = expr_integer(arena, outer->var->type, nest->jam.copies);
    const struct expr *trip = expr_binary(arena, OP_SUB, outer->to, outer->from);
    const struct var *whole = var_new(arena, names_fresh(nest->names, "whole"), outer->var->type,
                                      VAR_LOCAL);
    trip = expr_binary(arena, OP_MUL, expr_binary(arena, OP_DIV, trip, factor), factor);
    parts[0] = stmt_let(arena, whole, expr_binary(arena, OP_ADD, outer->from, trip));
    parts[1] = stmt_for(arena, outer->var, outer->from, expr_var(arena, whole), factor,
                        jammed_make(nest));
    parts[2] = rest_make(nest, expr_var(arena, whole));
    return stmt_sequence(arena, parts, 3);
}

/* --- kernels ---------------------------------------------------------------------------------- */

/* The nest with its shifts; false if there are none. */
static bool nest_make(struct jam_draft *j, const struct recurrence *recurrence,
                      struct jam_nest *nest)
{
    int n = recurrence->n_loops;
    int64_t unroll[MODULO_LOOPS] = {1, 1, 1, 1};
    const struct stmt *body = recurrence->loops[n - 1]->children[0];
    unroll[n - 2] = j->factor;
    *nest = (struct jam_nest){.arena = j->ctx->arena, .names = &j->names,
                              .outer = recurrence->loops[n - 2],
                              .inner = recurrence->loops[n - 1]};
    nest->n_body = body->kind == STMT_SEQUENCE ? body->n_children : 1;
    nest->body = body->kind == STMT_SEQUENCE ? body->children : &nest->inner->children[0];
    if (!jam_make(&nest->jam, &recurrence->graph, unroll) ||
        !jam_shift_inner(j->ctx->arena, &nest->jam))
        return false;
    for (int c = 0; c < nest->jam.copies; c++) {
        nest->shifts[c] = nest->jam.shifts[c][n - 1];
        nest->most = nest->shifts[c] > nest->most ? nest->shifts[c] : nest->most;
    }
    carries_find(recurrence, nest);
    return true;
}

static const struct stmt *stmt_jam(void *state, const struct stmt *s)
{
    struct jam_draft *j = state;
    struct jam_nest nest;
    for (size_t i = 0; i < j->n_nests; i++) {
        struct recurrence *recurrence = &j->nests[i];
        if (!nest_is_plain(j->ctx->arena, recurrence) ||
            recurrence->loops[recurrence->n_loops - 2] != s)
            continue;
        recurrence_connect(j->ctx, j->kernel, &LATENCIES, recurrence);
        if (!recurrence->open && !recurrence->bound && nest_make(j, recurrence, &nest))
            return nest_jam(&nest);
    }
    return s;
}

const struct kernel *strategy_jam(struct ctx *ctx, const struct kernel *kernel, int factor)
{
    struct jam_draft j = {.ctx = ctx, .kernel = kernel, .names = names_new(ctx->arena, kernel),
                        .factor = factor};
    j.n_nests = recurrences_find(ctx, kernel, &j.nests);
    const struct stmt *body = stmt_rewrite(ctx->arena, kernel->body, stmt_jam, &j);
    if (body == kernel->body)
        return kernel;
    struct kernel *jammed = kernel_copy(ctx->arena, kernel);
    jammed->body = body;
    return jammed;
}
