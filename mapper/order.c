/* Which loops are axes, which axis is x, and the extents that blocks have before any are chosen.

   In: a region. Out: its axes in order, the last one is x. Of all orders and all blocks of 256
   threads the one is taken whose accesses touch the fewest lines (shape.h), counted as often as
   loops in the thread repeat them. Of more loops than there can be axes those are axes whose best
   order and block touch the fewest lines, of equals the outer ones. */
#include "mapper/plan.h"
#include "mapper/shape.h"
#include <string.h>

/* How often a loop in a thread is assumed to run. */
static const double TRIP_COUNT = 100;

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

static void axes_permute(struct plan_region *region, const struct block_shape *shape)
{
    struct plan_axis axes[AXES_MAX];
    memcpy(axes, region->axes, sizeof axes);
    for (int i = 0; i < region->n_axes; i++) {
        region->axes[i] = axes[shape->axes[i]];
        region->axes[i].extent = shape->block[i];
    }
    for (size_t k = 0; k < region->members.count; k++) {
        struct plan_member old = region->members.at[k];
        for (int i = 0; i < region->n_axes; i++)
            region->members.at[k].axes[i] = old.axes[shape->axes[i]];
    }
}

/* The best order and block. */
static struct block_shape region_shape(struct scop *scop, int depth,
                                       const struct plan_region *region)
{
    movement_list list = {0};
    movements_find(scop, depth, region, &list);
    return shape_best(&list, region->n_axes);
}

/* --- which loops are axes --------------------------------------------------------------------- */

static void axes_set(struct plan_region *region, const int *depths)
{
    for (size_t i = 0; i < region->members.count; i++)
        memcpy(region->members.at[i].axes, depths, (size_t)region->n_axes * sizeof *depths);
}

void region_axes_choose(struct scop *scop, int depth, struct plan_region *region,
                        const int *depths, int n)
{
    int best[AXES_MAX];
    double least = -1;
    region->n_axes = n < AXES_MAX ? n : AXES_MAX;
    axes_set(region, depths);
    if (n <= AXES_MAX)
        return;
    for (int z = 0; z < n; z++)
        for (int y = z + 1; y < n; y++)
            for (int x = y + 1; x < n; x++) {
                const int chosen[AXES_MAX] = {depths[z], depths[y], depths[x]};
                axes_set(region, chosen);
                double cost = region_shape(scop, depth, region).cost;
                if (least >= 0 && cost >= least * (1 - 1e-9))
                    continue;
                least = cost;
                memcpy(best, chosen, sizeof best);
            }
    axes_set(region, best);
}

/* --- order ------------------------------------------------------------------------------------ */

void region_order(struct scop *scop, int depth, struct plan_region *region)
{
    if (!region_box(scop, depth, region))
        region->n_axes = 0;
    struct block_shape shape = region_shape(scop, depth, region);
    if (region->n_axes)
        axes_permute(region, &shape);
}
