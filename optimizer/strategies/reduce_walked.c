/* Sums of arrays that a block walks over: y[j] += a[i][j] * t[i], with a block for rows i and lanes
   along j.

   In: the sums of strategy_reduce. Out: an array of a block's own in the place of y. No two threads
   of a block have one element (ir/access/walked.c), so that plain stores accumulate:
       strided band: own[e] = neutral; barrier; body, over all points of the block
   The block's own array is its row of the parts, in global memory, or where shared memory has room
   for it a copy there:
       barrier; strided band: parts[block][e] = copy[e];
   The second kernel has a thread for each element, which takes the parts in the order of the
   blocks: element op (parts[0][e] op parts[1][e] op …). The order is the same with and without
   copies.

   A copy counts for the shared memory of the block, like a tile, and drop-caching takes it away.
   Source: docs/reductions.md. */
#include "ir/reduction.h"
#include "ir/walk.h"
#include "optimizer/strategies/reduce.h"

/* --- arrays ----------------------------------------------------------------------------------- */

static const struct array *copy_new(struct reducing *r, const struct walked_sum *w)
{
    struct array *array = ARENA_NEW(r->arena, struct array);
    array->name = names_fresh(&r->names, arena_printf(r->arena, "%s_copy", w->sum->array->name));
    array->element = w->type;
    array->space = SPACE_SHARED;
    array->n_dims = 1;
    array->dims = w->sum->dims;
    reduce_share(r, array);
    return array;
}

void walked_place(struct reducing *r, unsigned bytes)
{
    for (int i = 0; i < r->n_walked; i++)
        if (r->walked[i].has_copy && type_bytes(r->walked[i].type) == bytes)
            r->walked[i].copy = copy_new(r, &r->walked[i]);
}

bool walked_find(struct reducing *r, bool has_copies)
{
    bool found = false;
    r->walked = ARENA_ARRAY(r->arena, struct walked_sum, r->sums.count + 1);
    for (size_t i = 0; i < r->sums.count; i++) {
        const struct sum *sum = &r->sums.at[i];
        if (sum->form != SUM_WALKED)
            continue;
        struct walked_sum *w = &r->walked[r->n_walked++];
        *w = (struct walked_sum){.sum = sum,
                                 .type = reduction_type(sum->reduction, sum->array->element),
                                 .parts = partial_find(r->kernel, sum->array, 0)};
        w->has_copy = has_copies && kernel_poly(r->kernel, sum->dims[0]);
        found |= w->has_copy;
    }
    return found;
}

/* An element of the block's own array: which array, and its subscripts there. */
static const struct array *own_element(const struct reducing *r, const struct walked_sum *w,
                                       const struct expr *e, const struct expr **indices)
{
    const struct expr *count;
    indices[0] = w->copy ? e : tree_part(r, w->sum, &count);
    indices[1] = e;
    return w->copy ? w->copy : w->parts;
}

/* --- accumulations ---------------------------------------------------------------------------- */

static const struct walked_sum *walked_of(const struct reducing *r, const struct stmt *s)
{
    if (s->kind != STMT_STORE || !s->reduction)
        return NULL;
    for (int i = 0; i < r->n_walked; i++)
        if (r->walked[i].sum->array == s->array)
            return &r->walked[i];
    return NULL;
}

/* For stmt_rewrite: own[e] = own[e] op value. */
static const struct stmt *accumulation_walk(void *state, const struct stmt *s)
{
    struct reducing *r = state;
    const struct walked_sum *w = walked_of(r, s);
    if (!w)
        return s;
    const struct expr *indices[2], *value = expr_cast(r->arena, w->type, s->value);
    const struct array *own = own_element(r, w, s->indices[0], indices);
    const struct stmt *let = NULL;
    if (s->reduction == REDUCE_MIN || s->reduction == REDUCE_MAX) {
        const char *stem = arena_printf(r->arena, "%s_value", s->array->name);
        const struct var *kept = var_new(r->arena, names_fresh(&r->names, stem), w->type,
                                         VAR_LOCAL);
        let = stmt_let(r->arena, kept, value);
        value = expr_var(r->arena, kept);
    }
    const struct expr *joined = reduction_join(
        r->arena, s->reduction, expr_load(r->arena, own, indices, s->loc), value);
    return reduce_pair(r, let, stmt_store(r->arena, own, indices, joined, s->loc));
}

/* A strided band over the elements of the array; *e: the variable. */
static struct axis *elements_axis(struct reducing *r, const struct walked_sum *w,
                                  const struct expr **e)
{
    struct axis *axis = ARENA_ARRAY(r->arena, struct axis, 1);
    axis->extent = w->sum->dims[0];
    axis->var = var_new(r->arena, names_fresh(&r->names, "e"), axis->extent->type, VAR_ITERATOR);
    *e = expr_var(r->arena, axis->var);
    return axis;
}

static const struct stmt *own_clear(struct reducing *r, const struct walked_sum *w)
{
    const struct expr *e, *indices[2];
    const struct axis *axis = elements_axis(r, w, &e);
    const struct array *own = own_element(r, w, e, indices);
    const struct expr *neutral = reduction_neutral(r->arena, w->sum->reduction, w->type);
    return stmt_band(r->arena, axis, 1, true,
                     stmt_store(r->arena, own, indices, neutral, loc_none()));
}

static const struct stmt *copy_store(struct reducing *r, const struct walked_sum *w)
{
    const struct expr *e, *count, *indices[2];
    const struct axis *axis = elements_axis(r, w, &e);
    indices[0] = tree_part(r, w->sum, &count);
    indices[1] = e;
    return stmt_band(r->arena, axis, 1, true,
                     stmt_store(r->arena, w->parts, indices,
                                expr_load(r->arena, w->copy, &e, loc_none()), loc_none()));
}

/* Does a barrier stand before the first accumulation already, behind a sum that the block uses? */
static bool begins_behind_barrier(const struct reducing *r)
{
    const struct stmt *body = r->kernel->body;
    int use = body->n_children;
    for (int i = 0; i < r->n_trees; i++)
        if (r->trees[i].sum->is_used) {
            int place = sums_use(r->arena, body, r->trees[i].sum->array);
            use = place < use ? place : use;
        }
    for (int i = 0; i < use && i < body->n_children; i++)
        for (int k = 0; k < r->n_walked; k++)
            if (stmt_accumulates_in(body->children[i], r->walked[k].sum->array))
                return false;
    return body->kind == STMT_SEQUENCE && use < body->n_children;
}

const struct stmt *walked_around(struct reducing *r, const struct stmt *body)
{
    const struct stmt *clears = NULL, *stores = NULL;
    if (!r->n_walked)
        return body;
    body = stmt_rewrite(r->arena, body, accumulation_walk, r);
    for (int i = 0; i < r->n_walked; i++) {
        clears = reduce_pair(r, clears, own_clear(r, &r->walked[i]));
        if (r->walked[i].copy)
            stores = reduce_pair(r, stores, copy_store(r, &r->walked[i]));
    }
    bool needs_end = stores && !reduce_ends_behind_barrier(r) && !reuse_is_shared(r);
    const struct stmt *all[5] = {clears, begins_behind_barrier(r) ? NULL : stmt_barrier(r->arena),
                                 body, needs_end ? stmt_barrier(r->arena) : NULL, stores};
    return stmt_sequence(r->arena, all, 5);
}

/* --- the second kernel ------------------------------------------------------------------------ */

/* The number of the thread in its block. */
static const struct expr *thread_number(const struct reducing *r)
{
    const struct expr *number = NULL;
    for (int i = 0; i < r->kernel->n_block; i++) {
        if (number)
            number = reduce_binary(r, OP_MUL, number, r->kernel->block[i].extent);
        number = expr_join(r->arena, OP_ADD, number, expr_var(r->arena, r->kernel->block[i].var));
    }
    return number;
}

/* The sum with its start for element e. */
static void start_of_element(struct reducing *r, struct sum *sum, const struct expr *e)
{
    const struct axis *started = sum->started;
    if (!started)
        return;
    const struct expr *inside = reduce_binary(r, OP_LT, e, started->extent);
    e = expr_cast(r->arena, started->var->type, e);
    struct substitution element = {.count = 1, .variables = &started->var, .values = &e};
    sum->start = expr_replace(r->arena, sum->start, &element);
    if (!expr_equal(started->extent, sum->dims[0]))
        sum->starts = expr_join(r->arena, OP_LAND, sum->starts, inside);
}

/* Element e of the sum from its parts on: rounds over the parts stand around the threads, but in
   bands that may be strided, where a thread has several elements. */
static const struct stmt *element_finish(struct reducing *r, const struct walked_sum *w,
                                         const struct expr *e)
{
    struct sum *sum = ARENA_NEW(r->arena, struct sum);
    const struct expr **subscripts = ARENA_ARRAY(r->arena, const struct expr *, 1);
    const struct expr *count, *indices[2];
    *sum = *w->sum;
    subscripts[0] = e;
    sum->subscripts = subscripts;
    start_of_element(r, sum, e);
    struct tree_sum t = {.sum = sum, .type = w->type};
    tree_part(r, sum, &count);
    const struct var *whole = tree_local(r, &t, "sum");
    const struct var *part =
        var_new(r->arena, names_fresh(&r->names, "part"), count->type, VAR_ITERATOR);
    const struct expr *inside = reduce_binary(r, OP_LT, e, sum->dims[0]);
    indices[0] = expr_var(r->arena, part);
    indices[1] = e;
    const struct stmt *join = tree_local_join(
        r, &t, whole, expr_load(r->arena, w->parts, indices, loc_none()));
    const struct stmt *end = tree_element_join(r, &t, expr_var(r->arena, whole));
    const struct stmt *joins = reduce_under(r, inside, join), *ends = reduce_under(r, inside, end);
    const struct stmt *all[3] = {
        stmt_let(r->arena, whole, tree_neutral(r, &t)),
        stmt_for(r->arena, part, expr_integer(r->arena, count->type, 0), count,
                 expr_integer(r->arena, count->type, 1),
                 r->is_shared ? reduce_band(r, joins) : joins),
        r->is_shared ? reduce_band(r, ends) : ends};
    const struct stmt *whole_sum = stmt_sequence(r->arena, all, 3);
    return r->is_shared ? whole_sum : reduce_band(r, whole_sum);
}

const struct kernel *walked_finish(struct reducing *r)
{
    struct kernel *kernel = kernel_copy(r->arena, r->kernel);
    const struct expr *most = NULL, *threads = block_points(r->arena, r->kernel, ~0u);
    const struct stmt *body = NULL;
    if (!r->n_walked)
        return NULL;
    for (int i = 0; i < r->n_walked; i++) {
        const struct expr *elements = expr_cast(r->arena, TYPE_I64, r->walked[i].sum->dims[0]);
        most = most ? expr_select(r->arena, reduce_binary(r, OP_LT, most, elements), elements, most)
                    : elements;
    }
    struct axis *grid = ARENA_ARRAY(r->arena, struct axis, 1);
    const struct expr *more = expr_integer(r->arena, TYPE_I64, 1);
    threads = expr_cast(r->arena, TYPE_I64, threads);
    more = reduce_binary(r, OP_SUB, reduce_binary(r, OP_ADD, most, threads), more);
    grid->extent = reduce_binary(r, OP_DIV, more, threads);
    grid->var = var_new(r->arena, names_fresh(&r->names, "group"), TYPE_I64, VAR_ITERATOR);
    kernel->grid = grid;
    kernel->n_grid = 1;
    const struct expr *e = reduce_binary(
        r, OP_ADD, reduce_binary(r, OP_MUL, expr_var(r->arena, grid->var), threads),
        thread_number(r));
    for (int i = 0; i < r->n_walked; i++)
        body = reduce_pair(r, body, element_finish(r, &r->walked[i], e));
    kernel->body = body;
    VEC(const struct array *) arrays = {0};
    for (int i = 0; i < r->kernel->n_arrays; i++)
        if (r->kernel->arrays[i]->space == SPACE_GLOBAL)
            vec_push(r->arena, &arrays, r->kernel->arrays[i]);
    kernel->arrays = arrays.at;
    kernel->n_arrays = (int)arrays.count;
    return kernel;
}
