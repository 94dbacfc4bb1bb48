/* The order of axes: those with threads, the x axis, and the blocks' extents before any choice.

   In: a region. Out: its axes in order, the last one is x. Of all orders and all blocks of 256
   threads the one is taken whose accesses touch the fewest lines (shape.h), counted as often as
   loops in the thread repeat them. Of more axes than a block has those three have threads whose
   best order and block touch the fewest lines; the others have a block for each point. */
#include "mapper/plan/box.h"
#include "mapper/plan/order.h"
#include "mapper/plan/shape.h"
#include "mapper/scop/choices.h"
#include <string.h>

/* How often a loop in a thread is assumed to run. */
static const double TRIP_COUNT = 100;
/* Threads of a block whose axes stay in order. */
enum { ORDERED_EXTENT = 256 };

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

/* Elements from one place of a dimension to the next one: 1 of the last, of the others what the
   literal extents behind it make, and a line where these are more or no literals. */
static int64_t pitch_of(const struct scop_array *array, int dim, int64_t line)
{
    const struct ast_type *type = array->decl ? array->decl->type : NULL;
    bool is_declared = !array->memory && !array->is_rows && !array->n_pitches;
    int64_t pitch = 1;
    for (int d = 0; d < array->n_dims - 1; d++) {
        type = type && is_declared ? type->element : NULL;
        if (d < dim)
            continue;
        if (!type || type->count < 0 || type->count >= line)
            return line;
        pitch = pitch * type->count < line ? pitch * type->count : line;
    }
    return pitch;
}

static struct movement movement_of(const struct plan_region *region,
                                   const struct plan_member *member,
                                   const struct scop_access *access)
{
    const struct ast_type *type = access->ast->type;
    bool known = type && type->bytes > 0 && type->bytes <= LINE_BYTES;
    int64_t bytes = known ? type->bytes : LINE_BYTES;
    struct movement m = {.weight = 1, .line = LINE_BYTES / bytes};
    int n_dims = access->array->n_dims;
    for (int axis = 0; axis < region->n_axes; axis++)
        for (int dim = 0; dim < n_dims; dim++) {
            const struct scop_loop *loop = member_loop(member, axis);
            if (!loop)
                continue;
            const struct affine *form = access_form(access, dim);
            int64_t factor = form ? factor_of(region, form, loop->symbol) : m.line;
            factor = factor < 0 ? -factor : factor;
            int64_t pitch = pitch_of(access->array, dim, m.line);
            factor = factor && factor >= m.line / pitch ? m.line : factor * pitch;
            m.factors[axis] = factor > m.factors[axis] ? factor : m.factors[axis];
        }
    return m;
}

/* Does the member run at a point of an axis? Few threads run such a member, and the order of axes
   ignores these threads. */
static bool is_at_point(const struct plan_region *region, const struct plan_member *member)
{
    for (int axis = 0; axis < region->n_axes; axis++)
        if (member->axes[axis] == AT_POINT)
            return true;
    return false;
}

static void movements_find(const struct scop *scop, int depth, const struct plan_region *region,
                           movement_list *list)
{
    for (size_t i = 0; i < region->members.count; i++) {
        const struct plan_member *member = &region->members.at[i];
        for (size_t k = 0; k < member->unit->stmts.count; k++) {
            const struct scop_stmt *stmt = member->unit->stmts.at[k];
            double weight = is_at_point(region, member) ? 0 : 1;
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

/* The best order and block of the axes that have threads; counts: shape.h. */
static struct block_shape region_shape(const struct scop *scop, int depth,
                                       const struct plan_region *region, const int64_t *counts)
{
    movement_list list = {0};
    movements_find(scop, depth, region, &list);
    return shape_best(&list, region->n_axes, counts);
}

double region_lines(const struct scop *scop, int depth, const struct plan_region *region)
{
    static const int64_t unknown[AXES_MAX];
    return region->n_axes ? region_shape(scop, depth, region, unknown).cost : 0;
}

/* Has the unit touched the same elements by an access before this one? */
static bool is_touched(const struct scop_unit *unit, const struct scop_access *access)
{
    for (size_t i = 0; i < unit->stmts.count; i++)
        for (size_t k = 0; k < unit->stmts.at[i]->accesses.count; k++) {
            const struct scop_access *other = &unit->stmts.at[i]->accesses.at[k];
            bool same = other->array == access->array;
            if (other == access)
                return false;
            for (int d = 0; d < access->array->n_dims && same; d++)
                same = other->is_affine[d] && access->is_affine[d] &&
                       affine_equal(&other->subscripts[d], &access->subscripts[d]);
            if (same)
                return true;
        }
    return false;
}

double unit_sectors(const struct plan_region *region, const struct plan_member *member)
{
    const double sectors = LINE_BYTES / 32.0;
    double sum = 0;
    for (size_t i = 0; i < member->unit->stmts.count; i++)
        for (size_t k = 0; k < member->unit->stmts.at[i]->accesses.count; k++) {
            const struct scop_access *access = &member->unit->stmts.at[i]->accesses.at[k];
            struct movement m = movement_of(region, member, access);
            double own = sectors * (double)m.factors[region->n_axes - 1] / (double)m.line;
            if (!is_touched(member->unit, access))
                sum += own < 1 ? own : 1;
        }
    return sum;
}

/* Puts the axes without threads first, then the others as in the shape. */
static void axes_permute(struct plan_region *region, const struct block_shape *shape)
{
    struct plan_axis axes[AXES_MAX];
    int order[AXES_MAX] = {0}, n = 0, first = region_block_axes(region);
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
        for (int i = 0; i < region->n_axes; i++) {
            region->members.at[k].axes[i] = old.axes[order[i]];
            region->members.at[k].points[i] = old.points[order[i]];
        }
    }
}

void region_order(struct scop *scop, int depth, struct plan_region *region)
{
    if (!region_box(scop, depth, region))
        region->n_axes = 0;
    if (region->is_ordered) {
        for (int i = 0; i < region->n_axes; i++)
            region->axes[i].extent = i + 1 < region->n_axes ? 1 : ORDERED_EXTENT;
    } else if (region->n_axes) {
        int64_t counts[AXES_MAX] = {0};
        for (int i = 0; i < region->n_axes; i++)
            counts[i] = bounds_count(&region->axes[i].lower, &region->axes[i].upper,
                                     region->axes[i].step);
        struct block_shape shape = region_shape(scop, depth, region, counts);
        axes_permute(region, &shape);
    }
}
