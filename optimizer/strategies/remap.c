/* Remapping: the axes of the bands change places, so that neighbouring threads touch
   neighbouring elements.

   In: a placed kernel. Out: the same with the axes of the block, and of every plain band, in
   another order: the last one,
       along which thread numbers run, is the one with the smallest steps through memory; the axes
       of the grid follow, so that neighbouring blocks touch neighbouring rows. Without a better
       order the kernel itself.
   Legality: a plain band executes each point of its box once by one thread, whatever its number;
   all bands of a block have
       the same box and change alike, so that a thread keeps its point from band to band with all it
       keeps for it. Points are independent where the annotation is proved, which the caller asks;
       blocks are so anyway.
   Cost of an axis: per reference the elements that one step along it skips, at most 32 (a warp then
   touches as many
       lines), 32 also where a parameter is skipped; references in loops weigh more, those of tiles
       less. What the tiles' own copies touch does not depend on the order: their bands
       are strided. */
#include "ir/access/list.h"
#include "optimizer/strategies/rewrite.h"
#include "optimizer/strategies/strategies.h"

enum { STEP_MOST = 32, LOOP_WEIGHT = 8, LOOPS_MOST = 4, GLOBAL_WEIGHT = 64 };

struct order {
    int n;
    int64_t costs[AXES_MAX];
    int from[AXES_MAX];                      /* axis at each place of the new order */
};

/* A step of nothing costs what a step to the next element does: threads of one line either way. */
static int64_t step_cost(const struct list_axis *axis)
{
    int64_t step;
    if (!axis->coefficient || !poly_get_integer(axis->coefficient, &step) || step > STEP_MOST ||
        step < -STEP_MOST)
        return STEP_MOST;
    if (step == 0)
        return 1;
    return step < 0 ? -step : step;
}

static int64_t access_weight(const struct list_access *access)
{
    int64_t weight = access->reference.array->space == SPACE_GLOBAL ? GLOBAL_WEIGHT : 1;
    for (int i = 0; i < access->n_loops && i < LOOPS_MOST; i++)
        weight *= LOOP_WEIGHT;
    return weight;
}

/* Dearest first; the old order among equals. */
static void order_sort(struct order *order)
{
    for (int i = 0; i < order->n; i++)
        order->from[i] = i;
    for (int i = 1; i < order->n; i++)
        for (int k = i; k > 0 && order->costs[order->from[k - 1]] < order->costs[order->from[k]];
             k--) {
            int swapped = order->from[k];
            order->from[k] = order->from[k - 1];
            order->from[k - 1] = swapped;
        }
}

static bool order_changes(const struct order *order)
{
    for (int i = 0; i < order->n; i++)
        if (order->from[i] != i)
            return true;
    return false;
}

/* Terms in more parameters are longer steps of the grid: n*B before B. */
static int64_t grid_cost(const struct list_axis *axis)
{
    return axis->coefficient ? (int64_t)poly_total_degree(axis->coefficient) : 0;
}

/* Only steps matter here. */
static const struct poly *no_quotient(void *state, const struct poly *numerator,
                                      const struct poly *denominator, bool nonnegative)
{
    (void)state, (void)numerator, (void)denominator, (void)nonnegative;
    return NULL;
}

static void orders_find(struct ctx *ctx, const struct kernel *kernel, struct order *block,
                        struct order *grid)
{
    struct list_options options = {.ring = ring_new(ctx->arena), .quotient = no_quotient};
    const struct list_access *list;
    size_t count = access_list(ctx, kernel, &options, &list);
    *block = (struct order){.n = kernel->n_block};
    *grid = (struct order){.n = kernel->n_grid};
    for (size_t i = 0; i < count; i++) {
        bool plain = list[i].band && !list[i].is_strided && list[i].n_axes == kernel->n_block;
        if (plain)
            for (int a = 0; a < kernel->n_block; a++)
                block->costs[a] += access_weight(&list[i]) * step_cost(&list[i].axes[a]);
        for (int a = 0; list[i].n_grid == kernel->n_grid && a < kernel->n_grid; a++)
            grid->costs[a] += access_weight(&list[i]) * grid_cost(&list[i].grid[a]);
    }
    order_sort(block);
    order_sort(grid);
}

static const struct axis *axes_order(struct arena *arena, const struct axis *axes,
                                     const struct order *order)
{
    struct axis *copy = ARENA_ARRAY(arena, struct axis, order->n);
    for (int i = 0; i < order->n; i++)
        copy[i] = axes[order->from[i]];
    return copy;
}

struct remapping {
    struct arena *arena;
    const struct order *block;
};

static const struct stmt *band_remap(void *state, const struct stmt *s)
{
    struct remapping *r = state;
    if (s->kind != STMT_BAND || s->strided)
        return s;
    struct stmt *copy = ARENA_NEW(r->arena, struct stmt);
    *copy = *s;
    copy->axes = axes_order(r->arena, s->axes, r->block);
    return copy;
}

const struct kernel *strategy_remap(struct ctx *ctx, const struct kernel *kernel)
{
    struct order block, grid;
    if (kernel->n_block > AXES_MAX || kernel->n_grid > AXES_MAX || kernel_all_strided(kernel))
        return kernel;
    orders_find(ctx, kernel, &block, &grid);
    if (!order_changes(&block))
        return kernel;
    struct remapping r = {ctx->arena, &block};
    struct kernel *copy = kernel_copy(ctx->arena, kernel);
    copy->block = axes_order(ctx->arena, kernel->block, &block);
    copy->grid = axes_order(ctx->arena, kernel->grid, &grid);
    copy->body = stmt_rewrite(ctx->arena, kernel->body, band_remap, &r);
    return copy;
}
