/* How many blocks make the parts of a sum, and the arrays that hold them.

   In: the sums of a kernel. Out: the number of blocks along axes of the grid that a sum lacks,
   which is fixed, so that it tells the order of the sum and the extents of partial arrays whatever
   the device is; the partial arrays. */
#include "ir/access/sums.h"
#include "base/vec.h"
#include "ir/names.h"
#include "ir/reduction.h"

/* The points that a block with arrays of its own goes over, at least: clearing such an array,
   storing it and summing it takes as long as three or four of them. A point of the grid stands for
   several where a block uses several elements of a sum. */
enum { WALK_LEAST = 32 };

static bool sums_walk(const struct sums *sums)
{
    bool found = false;
    for (size_t i = 0; i < sums->count; i++)
        found |= sums->at[i].form == SUM_WALKED;
    return found;
}

int64_t sums_blocks(const struct kernel *kernel, const struct sums *sums, int axis)
{
    static const int64_t alone[] = {SUM_BLOCKS_ALONE, 32, 10}, beside[] = {32, 6, 3};
    int64_t extent;
    int n = 1, all = kernel->n_grid;
    bool is_walk = sums_walk(sums);
    for (int i = 0; i < all; i++)
        n += i != axis && (sums->fixed >> i & 1) == (sums->fixed >> axis & 1);
    int64_t most = (n == all ? alone : beside)[n > 3 ? 2 : n - 1];
    most = is_walk && most > SUM_WALKS_MOST ? SUM_WALKS_MOST : most;
    if (expr_get_integer(kernel->grid[axis].extent, &extent) && extent < most)
        return extent > 1 ? extent : 1;
    return most;
}

/* Points of the grid for a block, before another block gets any: a tree over the lanes of a block
   costs as much as two or three of them. */
enum { POINTS_LEAST = 16 };

/* The elements of sums that a block uses at one point of the grid. */
static int64_t elements_used(const struct kernel *kernel, const struct sums *sums)
{
    int64_t most = 1, extent;
    for (size_t i = 0; i < sums->count; i++) {
        int64_t elements = 1;
        for (int k = 0; k < kernel->n_block; k++)
            if (!(sums->at[i].block >> k & 1) &&
                expr_get_integer(kernel->block[k].extent, &extent) && extent < WALK_LEAST)
                elements *= extent;
        most = sums->at[i].is_used && elements > most ? elements : most;
    }
    return most;
}

int64_t sums_least(const struct kernel *kernel, const struct sums *sums, int axis)
{
    int64_t extent;
    bool is_known = expr_get_integer(kernel->grid[axis].extent, &extent);
    if (sums->fixed != 1u << axis || is_known)
        return 1;
    if (!sums_walk(sums))
        return POINTS_LEAST;
    int64_t elements = elements_used(kernel, sums);
    return elements < WALK_LEAST ? WALK_LEAST / elements : 1;
}

const struct expr *sums_extent(struct arena *arena, const struct kernel *kernel,
                               const struct sums *sums, int axis)
{
    const struct expr *extent = kernel->grid[axis].extent;
    int64_t least = sums_least(kernel, sums, axis);
    if (least > 1) {
        const struct expr *more = expr_integer(arena, extent->type, least - 1);
        extent = expr_binary(arena, OP_DIV, expr_binary(arena, OP_ADD, extent, more),
                             expr_integer(arena, extent->type, least));
    }
    return expr_minimum(arena, extent,
                        expr_integer(arena, extent->type, sums_blocks(kernel, sums, axis)));
}

const struct expr *block_points(struct arena *arena, const struct kernel *kernel, unsigned axes)
{
    const struct expr *points = NULL;
    for (int i = 0; i < kernel->n_block; i++)
        if (axes >> i & 1)
            points = expr_join(arena, OP_MUL, points, kernel->block[i].extent);
    return points ? points : expr_integer(arena, TYPE_I32, 1);
}

/* The parts of an element: one for each block along the axes that are missing. */
static const struct expr *parts_count(struct arena *arena, const struct kernel *kernel,
                                      const struct sums *sums, const struct sum *sum)
{
    const struct expr *count = NULL;
    for (int i = 0; i < kernel->n_grid; i++) {
        const struct expr *extent = kernel->grid[i].extent;
        if (sum->merged >> i & 1)
            extent = expr_integer(arena, extent->type, sums_blocks(kernel, sums, i));
        if (sum->grid >> i & 1)
            count = expr_join(arena, OP_MUL, count, extent);
    }
    return count;
}

static struct array *partial_new(struct names *names, const struct sum *sum, const char *suffix,
                                 int n_dims, const struct expr **dims)
{
    struct array *array = ARENA_NEW(names->arena, struct array);
    const char *stem = arena_printf(names->arena, "%s_%s", sum->array->name, suffix);
    array->name = names_fresh(names, stem);
    array->element = reduction_type(sum->reduction, sum->array->element);
    array->space = SPACE_GLOBAL;
    array->is_partial = true;
    array->origin = sum->array;
    array->n_dims = n_dims;
    array->dims = dims;
    return array;
}

static struct array *lanes_new(struct names *names, const struct kernel *kernel,
                               const struct sums *sums, const struct sum *sum)
{
    const struct expr **dims = ARENA_ARRAY(names->arena, const struct expr *, 2);
    int64_t blocks = 1;
    for (int i = 0; i < kernel->n_grid; i++)
        blocks *= sums_blocks(kernel, sums, i);
    dims[0] = expr_integer(names->arena, TYPE_I32, blocks);
    dims[1] = block_points(names->arena, kernel, ~0u);
    return partial_new(names, sum, "lanes", 2, dims);
}

bool sum_is_fixed(const struct sum *sum, int dim)
{
    return sum->form == SUM_FINISH && expr_reads_only_params(sum->subscripts[dim]);
}

static struct array *parts_new(struct names *names, const struct kernel *kernel,
                               const struct sums *sums, const struct sum *sum)
{
    int n = sum->array->n_dims;
    const struct expr **dims = ARENA_ARRAY(names->arena, const struct expr *, n + 1);
    dims[0] = parts_count(names->arena, kernel, sums, sum);
    for (int i = 0; i < n; i++)
        dims[i + 1] = sum_is_fixed(sum, i) ? expr_integer(names->arena, TYPE_I32, 1) : sum->dims[i];
    return partial_new(names, sum, "parts", n + 1, dims);
}

void sums_add_arrays(struct ctx *ctx, struct kernel *kernel)
{
    if (!kernel_accumulates(kernel))
        return;
    struct sums sums = access_sums(ctx, kernel);
    struct names names = names_new(ctx->arena, kernel);
    VEC(const struct array *) arrays = {0};
    int n = 0;
    while (n < kernel->n_arrays && kernel->arrays[n]->space == SPACE_GLOBAL)
        vec_push(ctx->arena, &arrays, kernel->arrays[n++]);
    for (size_t i = 0; i < sums.count; i++) {
        const struct sum *sum = &sums.at[i];
        if (sum_has_tree(sum))
            vec_push(ctx->arena, &arrays,
                     (const struct array *)lanes_new(&names, kernel, &sums, sum));
        if (sum->form == SUM_FINISH || sum->form == SUM_WALKED)
            vec_push(ctx->arena, &arrays,
                     (const struct array *)parts_new(&names, kernel, &sums, sum));
    }
    while (n < kernel->n_arrays)
        vec_push(ctx->arena, &arrays, kernel->arrays[n++]);
    kernel->arrays = arrays.at;
    kernel->n_arrays = (int)arrays.count;
}

/* Keeps the finishes of those sums that are kept: number[] gives their new numbers, -1 for
   others. */
static void finishes_of_part(struct arena *arena, struct sums *sums, const int *number)
{
    struct sum_finish *at = ARENA_ARRAY(arena, struct sum_finish, sums->n_finishes + 1);
    size_t count = 0;
    for (size_t i = 0; i < sums->n_finishes; i++) {
        struct sum_finish finish = sums->finishes[i];
        if (number[finish.sum] < 0)
            continue;
        finish.sum = (size_t)number[finish.sum];
        at[count++] = finish;
    }
    sums->finishes = at;
    sums->n_finishes = count;
}

struct sums sums_of_part(struct ctx *ctx, const struct kernel *whole,
                                const struct kernel *part)
{
    struct sums sums = access_sums(ctx, whole);
    struct sum *at = ARENA_ARRAY(ctx->arena, struct sum, sums.count + 1);
    int *number = ARENA_ARRAY(ctx->arena, int, sums.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < sums.count; i++) {
        bool is_kept = stmt_accumulates_in(part->body, sums.at[i].array);
        number[i] = is_kept ? (int)count : -1;
        if (is_kept)
            at[count++] = sums.at[i];
    }
    finishes_of_part(ctx->arena, &sums, number);
    sums.at = at;
    sums.count = count;
    return sums;
}
