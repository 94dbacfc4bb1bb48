/* Copies of arrays in shared memory for sums whose elements the data tell: h[p[i]] += e.

   In: the sums of strategy_reduce. Out: for each array of scattered sums whose extents are known a
   copy in shared memory, which all accumulations of a block go to:
       strided band: copy[e] = neutral; barrier; body; barrier;
       strided band: if (copy[e] is not neutral) h[e] op= copy[e], an atomic operation.
   A block goes over consecutive points of the grid, as with trees, so many that clearing the copy
   and adding it cost little beside them. Trees that fix the number of blocks along all axes of the
   grid keep their number, since it tells the order of their sums; if they fix it along some axes
   alone, there are no copies.
   Source: docs/reductions.md. */
#include "ir/reduction.h"
#include "ir/walk.h"
#include "optimizer/strategies/reduce.h"

/* Accumulations of a block, at least, for each element of the copies; points of the grid for a
   block, at least. */
enum { POINTS_PER_ELEMENT = 8, POINTS_OF_BLOCK = 16 };

/* --- copies ----------------------------------------------------------------------------------- */

static bool has_known_extents(const struct kernel *kernel, const struct array *array)
{
    for (int i = 0; i < array->n_dims; i++)
        if (!array->dims[i] || !kernel_poly(kernel, array->dims[i]))
            return false;
    return true;
}

static struct scatter_copy *copy_of(const struct reducing *r, const struct array *array)
{
    for (int i = 0; i < r->n_copies; i++)
        if (r->copies[i].array == array)
            return &r->copies[i];
    return NULL;
}

static const struct array *copy_array(struct reducing *r, const struct sum *sum)
{
    struct array *array = ARENA_NEW(r->arena, struct array);
    array->name = names_fresh(&r->names, arena_printf(r->arena, "%s_copy", sum->array->name));
    array->element = reduction_type(sum->reduction, sum->array->element);
    array->space = SPACE_SHARED;
    array->n_dims = sum->array->n_dims;
    array->dims = sum->array->dims;
    reduce_share(r, array);
    return array;
}

/* Elements of all copies. */
static const struct expr *copies_elements(const struct reducing *r, enum type type)
{
    const struct expr *all = NULL;
    for (int i = 0; i < r->n_copies; i++) {
        const struct array *copy = r->copies[i].copy;
        const struct expr *elements = NULL;
        for (int d = 0; d < copy->n_dims; d++)
            elements = expr_join(r->arena, OP_MUL, elements,
                                 expr_cast(r->arena, type, copy->dims[d]));
        all = expr_join(r->arena, OP_ADD, all, elements);
    }
    return all;
}

/* The least number of consecutive points of the grid for a block. */
static const struct expr *points_least(const struct reducing *r, enum type type)
{
    const struct expr *few = expr_integer(r->arena, type, POINTS_OF_BLOCK);
    const struct expr *elements = copies_elements(r, type);
    const struct expr *threads =
        expr_cast(r->arena, type, block_points(r->arena, r->kernel, ~0u));
    int64_t count, points;
    if (expr_get_integer(elements, &count) && expr_get_integer(threads, &points) && points > 0) {
        int64_t least = (count * POINTS_PER_ELEMENT + points - 1) / points;
        return least > POINTS_OF_BLOCK ? expr_integer(r->arena, type, least) : few;
    }
    elements = reduce_binary(r, OP_MUL, elements,
                             expr_integer(r->arena, type, POINTS_PER_ELEMENT));
    const struct expr *least = reduce_binary(r, OP_DIV, elements, threads);
    return expr_select(r->arena, reduce_binary(r, OP_LT, least, few), few, least);
}

/* Without trees that fix it: a fixed number of blocks along every axis of the grid, where a sum
   with a tree ends at each point as before. */
static void grid_fix(struct reducing *r)
{
    struct sum *sums = ARENA_ARRAY(r->arena, struct sum, r->sums.count + 1);
    int n = r->kernel->n_grid;
    for (size_t i = 0; i < r->sums.count; i++) {
        sums[i] = r->sums.at[i];
        sums[i].depth = n;
    }
    for (int i = 0; i < n; i++)
        r->sums.order[i] = i;
    r->sums.n_fixed = n;
    r->sums.fixed = (1u << n) - 1;
    r->sums.at = sums;
    r->is_fixed = true;
}

void scatter_fix(struct reducing *r)
{
    bool has_copy = false;
    for (size_t i = 0; i < r->sums.count; i++)
        has_copy |= r->sums.at[i].form == SUM_SCATTERED &&
                    has_known_extents(r->kernel, r->sums.at[i].array);
    r->has_copies &= has_copy && (!r->sums.n_fixed || r->sums.n_fixed == r->kernel->n_grid);
    if (r->has_copies && !r->sums.n_fixed)
        grid_fix(r);
}

void scatter_copies(struct reducing *r)
{
    r->copies = ARENA_ARRAY(r->arena, struct scatter_copy, r->sums.count + 1);
    for (size_t i = 0; r->has_copies && i < r->sums.count; i++) {
        const struct sum *sum = &r->sums.at[i];
        if (sum->form != SUM_SCATTERED || !has_known_extents(r->kernel, sum->array) ||
            copy_of(r, sum->array))
            continue;
        r->copies[r->n_copies++] =
            (struct scatter_copy){sum->array, copy_array(r, sum), sum->reduction};
    }
    int last = r->kernel->n_grid - 1;
    if (r->is_fixed)
        r->least = points_least(r, r->kernel->grid[last].extent->type);
}

/* --- statements ------------------------------------------------------------------------------- */

static const struct stmt *accumulation_move(void *state, const struct stmt *s)
{
    struct reducing *r = state;
    const struct scatter_copy *copy =
        s->kind == STMT_STORE && s->reduction ? copy_of(r, s->array) : NULL;
    if (!copy)
        return s;
    return stmt_accumulate(r->arena, copy->copy, s->indices, s->reduction,
                           expr_cast(r->arena, copy->copy->element, s->value), s->loc);
}

/* A strided band over the elements of a copy; their subscripts. */
static const struct axis *copy_axes(struct reducing *r, const struct scatter_copy *copy,
                                    const struct expr **subscripts)
{
    struct axis *axes = ARENA_ARRAY(r->arena, struct axis, copy->copy->n_dims);
    for (int i = 0; i < copy->copy->n_dims; i++) {
        const struct expr *extent = copy->copy->dims[i];
        const struct var *var =
            var_new(r->arena, names_fresh(&r->names, "e"), extent->type, VAR_ITERATOR);
        axes[i] = (struct axis){var, extent};
        subscripts[i] = expr_var(r->arena, var);
    }
    return axes;
}

static const struct stmt *copy_clear(struct reducing *r, const struct scatter_copy *copy)
{
    const struct array *array = copy->copy;
    const struct expr **subscripts = ARENA_ARRAY(r->arena, const struct expr *, array->n_dims);
    const struct axis *axes = copy_axes(r, copy, subscripts);
    const struct stmt *store =
        stmt_store(r->arena, array, subscripts,
                   reduction_neutral(r->arena, copy->reduction, array->element), loc_none());
    return stmt_band(r->arena, axes, array->n_dims, true, store);
}

static const struct stmt *copy_add(struct reducing *r, const struct scatter_copy *copy)
{
    const struct array *array = copy->copy;
    const struct expr **subscripts = ARENA_ARRAY(r->arena, const struct expr *, array->n_dims);
    const struct axis *axes = copy_axes(r, copy, subscripts);
    const char *stem = arena_printf(r->arena, "%s_own", copy->array->name);
    const struct var *own =
        var_new(r->arena, names_fresh(&r->names, stem), array->element, VAR_LOCAL);
    const struct expr *value = expr_var(r->arena, own);
    const struct stmt *let =
        stmt_let(r->arena, own, expr_load(r->arena, array, subscripts, loc_none()));
    const struct stmt *add =
        stmt_accumulate(r->arena, copy->array, subscripts, copy->reduction,
                        expr_cast(r->arena, copy->array->element, value), loc_none());
    const struct expr *neutral = reduction_neutral(r->arena, copy->reduction, array->element);
    add = reduce_under(r, reduce_binary(r, OP_NE, value, neutral), add);
    return stmt_band(r->arena, axes, array->n_dims, true, reduce_pair(r, let, add));
}

bool reduce_ends_behind_barrier(const struct reducing *r)
{
    for (int i = 0; i < r->n_trees; i++)
        if (r->trees[i].lanes && !r->trees[i].sum->is_used)
            return true;
    return false;
}

const struct stmt *scatter_around(struct reducing *r, const struct stmt *body)
{
    const struct stmt *clears = NULL, *adds = NULL;
    if (!r->n_copies)
        return body;
    body = stmt_rewrite(r->arena, body, accumulation_move, r);
    for (int i = 0; i < r->n_copies; i++) {
        clears = reduce_pair(r, clears, copy_clear(r, &r->copies[i]));
        adds = reduce_pair(r, adds, copy_add(r, &r->copies[i]));
    }
    const struct stmt *ends = reduce_ends_behind_barrier(r) ? NULL : stmt_barrier(r->arena);
    const struct stmt *all[5] = {clears, stmt_barrier(r->arena), body, ends, adds};
    return stmt_sequence(r->arena, all, 5);
}

static bool stores_to_copy(const struct kernel *kernel, const struct stmt *band)
{
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_SHARED && !kernel->arrays[i]->origin &&
            stmt_stores_to(band, kernel->arrays[i]))
            return true;
    return false;
}

/* Copies are set in strided bands, as tiles are, but have no origin, as tiles have; lanes of trees
   are set by their own threads. */
bool strategy_has_copies(const struct kernel *kernel)
{
    struct stmt_walk walk;
    struct arena *arena = arena_new();
    bool found = false;
    for (const struct stmt *s = stmt_first(&walk, arena, kernel->body); s; s = stmt_next(&walk))
        found |= s->kind == STMT_BAND && s->strided && stores_to_copy(kernel, s);
    arena_free(arena);
    return found;
}
