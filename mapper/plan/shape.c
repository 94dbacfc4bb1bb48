/* Lines that blocks touch, and the block that touches the fewest (shape.h). */
#include "mapper/plan/shape.h"
#include <string.h>

double lines_touched(const struct movement *m, int n, const int *axes, const int64_t *box)
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

void warp_box(int n, const int64_t *block, int64_t *warp)
{
    int64_t left = WARP;
    for (int i = n; i-- > 0;) {
        warp[i] = block[i] < left ? block[i] : left;
        left /= warp[i];
    }
}

static double cost_of(const movement_list *list, int n, const int *axes, const int64_t *block)
{
    int64_t warp[THREAD_AXES_MAX];
    double cost = 0;
    warp_box(n, block, warp);
    for (size_t k = 0; k < list->count; k++) {
        double of_block = lines_touched(&list->at[k], n, axes, block) / BLOCK_VOLUME;
        double of_warp = lines_touched(&list->at[k], n, axes, warp) / WARP;
        cost += list->at[k].weight * (of_block + of_warp);
    }
    return cost;
}

/* Elements from a thread to its neighbour on the axis, by weight. */
static double steps_of(const movement_list *list, int axis)
{
    double steps = 0;
    for (size_t k = 0; k < list->count; k++)
        steps += list->at[k].weight * (double)list->at[k].factors[axis];
    return steps;
}

/* Does an axis have so few points that half of the block would do? */
static bool is_half_empty(int n, const int *axes, const int64_t *block, const int64_t *counts)
{
    for (int i = 0; i < n; i++)
        if (counts[axes[i]] && block[i] >= 2 * counts[axes[i]])
            return true;
    return false;
}

static void shape_try(const movement_list *list, int n, const int *axes, const int64_t *block,
                      struct block_shape *best)
{
    double cost = cost_of(list, n, axes, block), steps = steps_of(list, axes[n - 1]);
    bool better = best->cost < 0 || cost < best->cost * (1 - 1e-9);
    bool equal = !better && cost <= best->cost * (1 + 1e-9);
    bool is_wider = block[n - 1] > best->block[n - 1];
    bool is_nearer = steps < best->steps || (steps == best->steps && is_wider);
    if (!better && !(equal && is_nearer))
        return;
    best->cost = cost;
    best->steps = steps;
    memcpy(best->axes, axes, sizeof best->axes);
    memcpy(best->block, block, sizeof best->block);
}

static void blocks_try(const movement_list *list, int n, const int *axes, const int64_t *counts,
                       struct block_shape *best)
{
    for (int64_t x = 1; x <= BLOCK_VOLUME; x *= 2)
        for (int64_t y = 1; x * y <= BLOCK_VOLUME; y *= 2) {
            int64_t z = BLOCK_VOLUME / (x * y);
            int64_t blocks[][THREAD_AXES_MAX] = {{x, 1, 1}, {y, x, 1}, {z, y, x}};
            bool fits = n == 3 || (z == 1 && (n == 2 || y == 1));
            if (fits && !is_half_empty(n, axes, blocks[n - 1], counts))
                shape_try(list, n, axes, blocks[n - 1], best);
        }
}

/* All orders of the chosen axes. */
static void orders_try(const movement_list *list, int n, const int *chosen, const int64_t *counts,
                       struct block_shape *best)
{
    static const int orders[][THREAD_AXES_MAX] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                                  {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const int n_orders[] = {0, 1, 2, 6};
    for (int i = 0; i < n_orders[n]; i++) {
        int axes[THREAD_AXES_MAX];
        for (int k = 0; k < n; k++)
            axes[k] = chosen[orders[i][k]];
        blocks_try(list, n, axes, counts, best);
    }
}

/* All choices of axes. */
static struct block_shape sets_try(const movement_list *list, int n, const int64_t *counts)
{
    struct block_shape best = {.cost = -1};
    int n_threads = n < THREAD_AXES_MAX ? n : THREAD_AXES_MAX;
    for (int set = 0; set < 1 << n; set++) {
        int chosen[AXES_MAX], count = 0;
        for (int axis = 0; axis < n; axis++)
            if (set >> (n - 1 - axis) & 1)
                chosen[count++] = axis;
        if (count == n_threads)
            orders_try(list, n_threads, chosen, counts, &best);
    }
    return best;
}

struct block_shape shape_best(const movement_list *list, int n, const int64_t *counts)
{
    static const int64_t unknown[AXES_MAX];
    struct block_shape best = sets_try(list, n, counts);
    return best.cost < 0 ? sets_try(list, n, unknown) : best;
}
