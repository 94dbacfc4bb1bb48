/* A kernel and the one launched behind it as one, whose last block does what the second one's only
   block would do (stmt_last).

   In: two placed kernels of one list. Out: the first one, at the end of its body the second one's,
   with names of its own; or nothing where that is no kernel: the second one has several blocks, or
   another block than the first, or needs more shared memory, or is not sure to find its values. The
   statements are the second kernel's, so that a sum has the same bits either way.
   Shared memory of the two overlaps, as the last block uses it when all others are through. */
#include "base/map.h"
#include "constraints/solve.h"
#include "ir/async.h"
#include "ir/names.h"
#include "ir/walk.h"
#include "optimizer/strategies/strategies.h"

struct lasting {
    struct arena *arena;
    const struct kernel *first, *second;
    struct names names;
    struct map *vars;               /* variable of the second kernel -> expression in its place */
    struct map *arrays;             /* array of the second kernel -> array in its place */
};

/* --- conditions ------------------------------------------------------------------------------- */

static bool has_one_block(const struct kernel *kernel)
{
    int64_t extent;
    for (int i = 0; i < kernel->n_grid; i++)
        if (!expr_get_integer(kernel->grid[i].extent, &extent) || extent != 1)
            return false;
    return true;
}

static bool blocks_are_alike(const struct kernel *a, const struct kernel *b)
{
    if (a->n_block != b->n_block || kernel_all_strided(a) != kernel_all_strided(b))
        return false;
    for (int i = 0; i < a->n_block; i++)
        if (a->block[i].var->type != b->block[i].var->type ||
            !expr_equal(a->block[i].extent, b->block[i].extent))
            return false;
    return true;
}

/* Does the first kernel's shared memory hold the second one's, and the word by which a block learns
   that it is the last? */
static bool memory_suffices(const struct kernel *first, const struct kernel *second)
{
    const struct poly *has = first->shared_bytes ? kernel_shared_words(first) : NULL,
                      *needs = second->shared_bytes ? kernel_shared_words(second) : NULL;
    if (!has || !needs)
        return false;
    struct ring *ring = poly_ring(has);
    struct constraint holds = constraint_make(needs, RELATION_LE, has),
                      word = constraint_make(poly_integer(ring, 1), RELATION_LE, has);
    return (poly_equal(has, needs) || sas_implies(first->facts, holds) == 1) &&
           sas_implies(first->facts, word) == 1;
}

static bool signatures_are_alike(const struct kernel *a, const struct kernel *b)
{
    int n = 0;
    if (a->n_params != b->n_params)
        return false;
    for (int i = 0; i < a->n_params; i++)
        if (a->params[i] != b->params[i])
            return false;
    for (; n < a->n_arrays && a->arrays[n]->space == SPACE_GLOBAL; n++)
        if (n == b->n_arrays || a->arrays[n] != b->arrays[n])
            return false;
    return n == b->n_arrays || b->arrays[n]->space != SPACE_GLOBAL;
}

static bool loads_written(struct arena *arena, const struct kernel *first, const struct stmt *s)
{
    struct expr_walk walk;
    for (const struct expr *e = stmt_first_expr(&walk, arena, s); e; e = expr_next(&walk))
        if (e->kind == EXPR_LOAD && stmt_stores_to(first->body, e->array))
            return true;
    return false;
}

/* Copies in batches count on what is computed before the first block. At block level conditions ask
   for nothing that the kernel writes. */
static bool body_may_follow(struct arena *arena, const struct kernel *first,
                            const struct stmt *body)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, body); s; s = stmt_next(&walk)) {
        bool is_band = s->kind == STMT_BAND;
        if ((is_band && s->batch) || (!is_band && loads_written(arena, first, s)))
            return false;
        if (is_band)
            stmt_skip(&walk);
    }
    return true;
}

static bool may_be_one(struct ctx *ctx, const struct kernel *first, const struct kernel *second)
{
    return has_one_block(second) && !body_last(first->body) && !body_last(second->body) &&
           blocks_are_alike(first, second) && signatures_are_alike(first, second) &&
           memory_suffices(first, second) && !kernel_has_async(ctx->arena, second) &&
           body_may_follow(ctx->arena, first, second->body);
}

/* --- names ------------------------------------------------------------------------------------ */

static const struct expr *expr_own(void *state, const struct expr *e)
{
    const struct lasting *l = state;
    const struct expr *own = e->kind == EXPR_VAR ? map_get_pointer(l->vars, e->var) : NULL;
    if (own)
        return own;
    const struct array *array = e->kind == EXPR_LOAD ? map_get_pointer(l->arrays, e->array) : NULL;
    return array ? expr_load(l->arena, array, e->arguments, e->loc) : e;
}

static const struct var *var_own(const struct lasting *l, const struct var *var)
{
    const struct expr *own = map_get_pointer(l->vars, var);
    return own ? own->var : var;
}

static const struct stmt *stmt_own(void *state, const struct stmt *s)
{
    const struct lasting *l = state;
    struct stmt *own = ARENA_NEW(l->arena, struct stmt);
    struct axis *axes = ARENA_ARRAY(l->arena, struct axis, s->n_axes + 1);
    *own = *s;
    own->var = s->var ? var_own(l, s->var) : NULL;
    for (int i = 0; i < s->n_axes; i++)
        axes[i] = (struct axis){var_own(l, s->axes[i].var), s->axes[i].extent};
    own->axes = axes;
    const struct array *array = s->array ? map_get_pointer(l->arrays, s->array) : NULL;
    own->array = array ? array : s->array;
    return own;
}

static void var_take(struct lasting *l, const struct var *var)
{
    if (map_get_pointer(l->vars, var))
        return;
    const struct var *own =
        var_new(l->arena, names_fresh(&l->names, var->name), var->type, var->kind);
    map_put_pointer(l->vars, var, (void *)expr_var(l->arena, own));
}

/* The block's axes are the first kernel's, those of the grid are 0, and what the body declares gets
   names that the first kernel has not. */
static void vars_take(struct lasting *l)
{
    struct stmt_walk walk;
    const struct kernel *second = l->second;
    for (int i = 0; i < second->n_block; i++)
        map_put_pointer(l->vars, second->block[i].var,
                        (void *)expr_var(l->arena, l->first->block[i].var));
    for (int i = 0; i < second->n_grid; i++)
        map_put_pointer(l->vars, second->grid[i].var,
                        (void *)expr_integer(l->arena, second->grid[i].var->type, 0));
    for (const struct stmt *s = stmt_first(&walk, l->arena, second->body); s;
         s = stmt_next(&walk)) {
        if (s->kind == STMT_LET || s->kind == STMT_FOR)
            var_take(l, s->var);
        for (int i = 0; i < s->n_axes; i++)
            var_take(l, s->axes[i].var);
    }
}

static const struct array *array_take(struct lasting *l, const struct array *array)
{
    struct array *own = ARENA_NEW(l->arena, struct array);
    *own = *array;
    own->name = names_fresh(&l->names, array->name);
    map_put_pointer(l->arrays, array, own);
    return own;
}

/* The arrays of both in their order, the second kernel's own ones with names of their own. */
static void arrays_take(struct lasting *l, struct kernel *both)
{
    const struct kernel *a = l->first, *b = l->second;
    const struct array **arrays =
        ARENA_ARRAY(l->arena, const struct array *, a->n_arrays + b->n_arrays);
    int n = 0;
    for (enum space space = SPACE_GLOBAL; space <= SPACE_PRIVATE; space++) {
        for (int i = 0; i < a->n_arrays; i++)
            if (a->arrays[i]->space == space)
                arrays[n++] = a->arrays[i];
        for (int i = 0; i < b->n_arrays; i++)
            if (b->arrays[i]->space == space && space != SPACE_GLOBAL)
                arrays[n++] = array_take(l, b->arrays[i]);
    }
    both->arrays = arrays;
    both->n_arrays = n;
}

static void divisible_add(struct lasting *l, struct kernel *both)
{
    int n = l->first->n_divisible + l->second->n_divisible;
    struct divisible *all = ARENA_ARRAY(l->arena, struct divisible, n + 1);
    for (int i = 0; i < n; i++)
        all[i] = i < l->first->n_divisible ? l->first->divisible[i]
                                           : l->second->divisible[i - l->first->n_divisible];
    both->divisible = all;
    both->n_divisible = n;
}

const struct kernel *strategy_join_last(struct ctx *ctx, const struct kernel *first,
                                   const struct kernel *second)
{
    struct lasting l = {.arena = ctx->arena,
                        .first = first,
                        .second = second,
                        .names = names_new(ctx->arena, first),
                        .vars = map_new(ctx->arena),
                        .arrays = map_new(ctx->arena)};
    if (!may_be_one(ctx, first, second))
        return NULL;
    struct kernel *both = kernel_copy(ctx->arena, first);
    vars_take(&l);
    arrays_take(&l, both);
    divisible_add(&l, both);
    both->pressure = second->pressure > first->pressure ? second->pressure : first->pressure;
    const struct stmt *body = stmt_rewrite_exprs(ctx->arena, second->body, expr_own, &l);
    body = stmt_rewrite(ctx->arena, body, stmt_own, &l);
    const struct stmt *all[2] = {first->body, stmt_last(ctx->arena, body)};
    both->body = stmt_sequence(ctx->arena, all, 2);
    return both;
}
