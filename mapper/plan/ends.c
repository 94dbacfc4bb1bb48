/* Statements that begin or end sums, in the region of these.

   In: a region whose threads accumulate, and one with an axis less, as the loop over i around

       q[i] = 0;                                       if (j == 0) q[i] = 0;
       for (int j = 0; j < n; j++)
           q[i] += a[i][j] * p[j];                     q[i] += a[i][j] * p[j];
       y[i] = alpha * q[i];                            if (j == n - 1) y[i] = alpha * q[i];

   Out: whether its statements may run at the first or the last point of the axis, as starts and
   finishes of the sums (ir/access/ends.h). The text keeps the source's order, so that this is the
   source's meaning where the axis has a point: that is claimed (claim.c), and where it has none the
   loops run as they stand. The conditions are those of ir/access, which judges the text. */
#include "mapper/plan/ends.h"
#include "mapper/plan/schedule.h"
#include "mapper/scop/bounds.h"
#include "mapper/scop/claim.h"
#include <isl/aff.h>
#include <isl/set.h>

static int point_axis(const struct plan_region *region, const struct plan_member *member)
{
    for (int axis = 0; axis < region->n_axes; axis++)
        if (member->axes[axis] == AT_POINT)
            return axis;
    return -1;
}

/* Does the access accumulate as the region's threads do in the array? */
static bool is_summing(const struct plan_region *region, const struct scop_access *access)
{
    for (size_t i = 0; i < region->sums.count; i++)
        if (region->sums.at[i].array == access->array)
            return region->sums.at[i].reduction == access->reduction;
    return false;
}

/* Does the statement touch what is summed, but not to accumulate? */
static bool touches_sums(const struct plan_region *region, const struct scop_stmt *stmt)
{
    bool found = false;
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        if (is_summing(region, &stmt->accesses.at[i]))
            return false;
        found |= region_sums(region, stmt->accesses.at[i].array);
    }
    return found;
}

bool member_is_end(const struct plan_region *region, const struct plan_member *member)
{
    return point_axis(region, member) >= 0 && touches_sums(region, member->unit->stmts.at[0]);
}

/* Does the statement read the very element that it sets? */
static bool is_own_element(const struct scop_stmt *stmt, const struct scop_access *read)
{
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        const struct scop_access *write = &stmt->accesses.at[i];
        bool equal = write->is_write && write->array == read->array;
        for (int dim = 0; dim < read->array->n_dims && equal; dim++)
            equal = write->is_affine[dim] && read->is_affine[dim] &&
                    affine_equal(&write->subscripts[dim], &read->subscripts[dim]);
        if (equal)
            return true;
    }
    return false;
}

/* Is the statement an assignment, but no accumulation? A start sets an element that is summed, and
   reads no other such element. */
static bool stmt_is_end(const struct plan_region *region, const struct scop_stmt *stmt,
                        bool is_start)
{
    bool found = false;
    if (stmt->ast->kind != AST_ASSIGN)
        return false;
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        const struct scop_access *access = &stmt->accesses.at[i];
        bool is_sum = region_sums(region, access->array);
        if (is_summing(region, access) || access->is_may || access->alternatives.count ||
            !access->array->n_dims || (is_start && access->is_write && !is_sum) ||
            (is_start && !access->is_write && is_sum && !is_own_element(stmt, access)))
            return false;
        found |= is_sum;
    }
    return found;
}

bool ends_allow(const struct plan_region *lesser, const struct plan_region *greater,
                bool is_start)
{
    for (size_t i = 0; i < lesser->members.count; i++) {
        const struct scop_unit *unit = lesser->members.at[i].unit;
        if (unit->stmts.count != 1 || !stmt_is_end(greater, unit->stmts.at[0], is_start))
            return false;
    }
    return greater->sums.count && !lesser->sums.count;
}

bool edge_is_end(const struct plan_region *region, const struct scop_edge *edge, int axis)
{
    const struct plan_member *from = region_member(region, edge->from->unit);
    const struct plan_member *to = region_member(region, edge->to->unit);
    bool is_from = from->axes[axis] == AT_POINT && member_is_end(region, from);
    bool is_to = to->axes[axis] == AT_POINT && member_is_end(region, to);
    return region_sums(region, edge->first->array) && (is_from || is_to);
}

/* --- the region ------------------------------------------------------------------------------- */

static bool accumulates_in_same(const struct plan_region *region, const struct scop_stmt *stmt,
                                const struct scop_stmt *end)
{
    for (size_t i = 0; i < stmt->accesses.count; i++)
        for (size_t k = 0; k < end->accesses.count; k++)
            if (is_summing(region, &stmt->accesses.at[i]) &&
                stmt->accesses.at[i].array == end->accesses.at[k].array)
                return true;
    return false;
}

/* Does the other member leave alone what this one sets, and only read what it reads, but for
   sums? */
static bool is_left_alone(const struct plan_region *region, const struct scop_stmt *end,
                          const struct scop_stmt *other)
{
    for (size_t i = 0; i < end->accesses.count; i++)
        for (size_t k = 0; k < other->accesses.count; k++) {
            const struct scop_access *a = &end->accesses.at[i], *b = &other->accesses.at[k];
            if (a->array == b->array && !is_summing(region, b) && (a->is_write || b->is_write))
                return false;
        }
    return true;
}

static bool sets_same(const struct plan_region *region, const struct scop_stmt *stmt,
                      const struct scop_stmt *end)
{
    for (size_t i = 0; i < stmt->accesses.count; i++)
        for (size_t k = 0; k < end->accesses.count; k++) {
            const struct scop_access *a = &stmt->accesses.at[i], *b = &end->accesses.at[k];
            if (a->array == b->array && a->is_write && b->is_write && !is_summing(region, a))
                return true;
        }
    return false;
}

/* Is the member at the end of the box that is its own, on the right side of all accumulations, and
   of two that begin the sums of one array none? */
static bool end_is_in_place(const struct plan_region *region, size_t number, int axis)
{
    const struct plan_member *member = &region->members.at[number];
    const struct scop_stmt *end = member->unit->stmts.at[0];
    const struct plan_axis *box = &region->axes[axis];
    bool is_before = false, is_behind = false, is_second = false;
    for (size_t i = 0; i < region->members.count; i++) {
        const struct plan_member *other = &region->members.at[i];
        bool is_alike = member_is_end(region, other) && point_axis(region, other) == axis;
        for (size_t k = 0; k < other->unit->stmts.count; k++) {
            bool sums = accumulates_in_same(region, other->unit->stmts.at[k], end);
            is_second |= i < number && sets_same(region, other->unit->stmts.at[k], end);
            is_before |= sums && i < number;
            is_behind |= sums && i > number;
            if (!is_alike && !is_left_alone(region, end, other->unit->stmts.at[k]))
                return false;
        }
    }
    return is_before != is_behind && !(is_behind && is_second) &&
           stmt_is_end(region, end, is_behind) &&
           affine_equal(&member->points[axis], is_behind ? &box->lower : &box->upper);
}

/* The instances at which the box has no point along the axis. */
static bool claim_points(struct scop *scop, const struct scop_stmt *stmt,
                         const struct plan_axis *box)
{
    isl_set *none = isl_aff_lt_set(affine_isl(scop, place_in(stmt), &box->upper),
                                   affine_isl(scop, place_in(stmt), &box->lower));
    none = isl_set_intersect(none, isl_set_copy(stmt->domain));
    isl_bool empty = isl_set_is_empty(none);
    if (empty == isl_bool_true) {
        isl_set_free(none);
        return true;
    }
    return scop_claim(scop, stmt->domain, none);
}

bool ends_fit(struct scop *scop, const struct plan_region *region)
{
    for (size_t i = 0; i < region->members.count; i++) {
        const struct plan_member *member = &region->members.at[i];
        int axis = point_axis(region, member);
        if (!member_is_end(region, member))
            continue;
        if (region->axes[axis].step != 1 || region_parts(region) > 1 ||
            !end_is_in_place(region, i, axis) ||
            !claim_points(scop, member->unit->stmts.at[0], &region->axes[axis]))
            return false;
    }
    return true;
}
