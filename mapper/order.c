/* Which axes have threads, which one is x, and the extents that blocks have before any are chosen.

   In: a region. Out: its axes in order, the last one is x. Of all orders and all blocks of 256
   threads the one is taken whose accesses touch the fewest lines, per thread of a block and of a
   warp (spec H-23, H-24), counted as often as loops in the thread repeat them; of equals the one
   with the greater extent on x. Of more axes than a block has those three have threads whose best
   order and block touch the fewest lines; the others have a block for each point. */
#include "mapper/plan.h"
#include <string.h>

enum { BLOCK_VOLUME = 256, WARP = 32, LINE_BYTES = 128 };

/* How often a loop in a thread is assumed to run. */
static const double TRIP_COUNT = 100;

/* One access seen from the axes: how its place in memory moves with each. */
struct movement {
    double weight;
    int64_t line;                    /* elements per line */
    int64_t factors[AXES_MAX];       /* elements per step; `line`: a line or more */
};
typedef VEC(struct movement) movement_list;

/* How a subscript moves with an axis, also by the iterator that follows in a wavefront. */
static int64_t factor_of(const struct plan_region *region, const struct affine *subscript,
                         int symbol)
{
    int64_t factor = affine_factor(subscript, symbol);
    if (!region->follows)
        return factor;
    int64_t own = affine_factor(&region->wave, region->follows->symbol);
    return factor - affine_factor(subscript, region->follows->symbol) * own *
                        affine_factor(&region->wave, symbol);
}

static struct movement movement_of(const struct plan_region *region,
                                   const struct plan_member *member,
                                   const struct scop_access *access)
{
    const struct ast_type *type = access->ast->type;
    int64_t bytes = type && type->bytes > 0 ? type->bytes : LINE_BYTES;
    struct movement m = {.weight = 1, .line = LINE_BYTES / bytes};
    int n_dims = access->array->n_dims;
    for (int axis = 0; axis < region->n_axes; axis++)
        for (int dim = 0; dim < n_dims; dim++) {
            int symbol = member->unit->loops[member->axes[axis]]->symbol;
            int64_t factor = access->is_affine[dim]
                                 ? factor_of(region, &access->subscripts[dim], symbol)
                                 : m.line;
            factor = factor < 0 ? -factor : factor;
            if (factor && (dim < n_dims - 1 || factor > m.line))
                factor = m.line;
            m.factors[axis] = factor > m.factors[axis] ? factor : m.factors[axis];
        }
    return m;
}

static void movements_find(struct scop *scop, int depth, const struct plan_region *region,
                           movement_list *list)
{
    for (size_t i = 0; i < region->members.count; i++) {
        const struct plan_member *member = &region->members.at[i];
        for (size_t k = 0; k < member->unit->stmts.count; k++) {
            const struct scop_stmt *stmt = member->unit->stmts.at[k];
            double weight = 1;
            int common = region->common ? 1 : 0;
            for (int n = stmt->depth - depth - common - region->n_axes; n > 0; n--)
                weight *= TRIP_COUNT;
            for (size_t a = 0; a < stmt->accesses.count; a++) {
                if (!stmt->accesses.at[a].array->n_dims)
                    continue;
                struct movement m = movement_of(region, member, &stmt->accesses.at[a]);
                m.weight = weight;
                vec_push(scop->arena, list, m);
            }
        }
    }
}

/* Lines that a box of threads touches: every step of a line or more is a line of its own, and what
   moves less touches all lines from the first to the last (H-23). */
static double lines_of(const struct movement *m, int n, const int *axes, const int64_t *box)
{
    double rows = 1;
    int64_t span = 0;
    for (int i = 0; i < n; i++) {
        int64_t factor = m->factors[axes[i]];
        if (factor >= m->line)
            rows *= (double)box[i];
        else
            span += (box[i] - 1) * factor;
    }
    int64_t further = span / m->line;
    return rows * (double)(further + 1);
}

static double cost_of(const movement_list *list, int n, const int *axes, const int64_t *block)
{
    int64_t warp[THREAD_AXES_MAX], left = WARP;
    double cost = 0;
    for (int i = n; i-- > 0;) {
        warp[i] = block[i] < left ? block[i] : left;
        left /= warp[i];
    }
    for (size_t k = 0; k < list->count; k++)
        cost += list->at[k].weight * (lines_of(&list->at[k], n, axes, block) / BLOCK_VOLUME +
                                      lines_of(&list->at[k], n, axes, warp) / WARP);
    return cost;
}

/* Of the axes that have threads. */
struct block_shape {
    double cost;
    int axes[THREAD_AXES_MAX];       /* the last one is x */
    int64_t block[THREAD_AXES_MAX];
};

static void shape_try(const movement_list *list, int n, const int *axes, const int64_t *block,
                      struct block_shape *best)
{
    double cost = cost_of(list, n, axes, block);
    bool better = best->cost < 0 || cost < best->cost * (1 - 1e-9);
    bool equal = !better && cost <= best->cost * (1 + 1e-9);
    if (!better && !(equal && block[n - 1] > best->block[n - 1]))
        return;
    best->cost = cost;
    memcpy(best->axes, axes, sizeof best->axes);
    memcpy(best->block, block, sizeof best->block);
}

/* All blocks of the volume, whose extents are powers of two. */
static void blocks_try(const movement_list *list, int n, const int *axes, struct block_shape *best)
{
    for (int64_t x = 1; x <= BLOCK_VOLUME; x *= 2)
        for (int64_t y = 1; x * y <= BLOCK_VOLUME; y *= 2) {
            int64_t z = BLOCK_VOLUME / (x * y);
            int64_t blocks[][THREAD_AXES_MAX] = {{x, 1, 1}, {y, x, 1}, {z, y, x}};
            bool fits = n == 3 || (z == 1 && (n == 2 || y == 1));
            if (fits)
                shape_try(list, n, axes, blocks[n - 1], best);
        }
}

/* The best order and block of axes that have threads; without any the cost is negative. */
static struct block_shape region_shape(struct scop *scop, int depth,
                                       const struct plan_region *region)
{
    static const int orders[][THREAD_AXES_MAX] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                                  {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const int n_orders[] = {0, 1, 2, 6};
    movement_list list = {0};
    struct block_shape best = {.cost = -1};
    int n = region->n_axes < THREAD_AXES_MAX ? region->n_axes : THREAD_AXES_MAX;
    movements_find(scop, depth, region, &list);
    for (int set = 0; set < 1 << region->n_axes; set++) {
        int chosen[AXES_MAX], axes[THREAD_AXES_MAX], count = 0;
        for (int axis = 0; axis < region->n_axes; axis++)
            if (set >> (region->n_axes - 1 - axis) & 1)
                chosen[count++] = axis;
        if (count != n)
            continue;
        for (int i = 0; i < n_orders[n]; i++) {
            for (int k = 0; k < n; k++)
                axes[k] = chosen[orders[i][k]];
            blocks_try(&list, n, axes, &best);
        }
    }
    return best;
}

/* Puts the axes without threads first, then the others as in the shape. */
static void axes_permute(struct plan_region *region, const struct block_shape *shape)
{
    struct plan_axis axes[AXES_MAX];
    int order[AXES_MAX], n = 0, first = region_block_axes(region);
    bool has_threads[AXES_MAX] = {false};
    memcpy(axes, region->axes, sizeof axes);
    for (int i = first; i < region->n_axes; i++)
        has_threads[shape->axes[i - first]] = true;
    for (int i = 0; i < region->n_axes; i++)
        if (!has_threads[i])
            order[n++] = i;
    for (int i = first; i < region->n_axes; i++)
        order[i] = shape->axes[i - first];
    for (int i = 0; i < region->n_axes; i++) {
        region->axes[i] = axes[order[i]];
        region->axes[i].extent = i < first ? 1 : shape->block[i - first];
    }
    for (size_t k = 0; k < region->members.count; k++) {
        struct plan_member old = region->members.at[k];
        for (int i = 0; i < region->n_axes; i++)
            region->members.at[k].axes[i] = old.axes[order[i]];
    }
}

void region_order(struct scop *scop, int depth, struct plan_region *region)
{
    if (!region_box(scop, depth, region))
        region->n_axes = 0;
    if (region->n_axes) {
        struct block_shape shape = region_shape(scop, depth, region);
        axes_permute(region, &shape);
    }
}
