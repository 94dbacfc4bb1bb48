/* The box of a region's axes: bounds of grids, over parameters and the iterators of host loops.

   In: the loops that are an axis. Out: an affine lower and upper bound of all their iterations.
   Iterators of other loops in a bound are replaced by their own bounds, so the box holds every
   iteration and perhaps more: conditions in the thread leave out what is too much. */
#include "mapper/plan/box.h"
#include "mapper/plan/ends.h"
#include "mapper/plan/point.h"
#include "mapper/scop/bounds.h"
#include "mapper/scop/sets.h"
#include <isl/constraint.h>
#include <isl/set.h>
#include <isl/val.h>
#include <stdlib.h>

/* A box may have so many times the points of its least member. */
static const double POINTS_MORE = 1.25;

/* --- below a common loop ---------------------------------------------------------------------- */

struct bound_search {
    const struct scop *scop;
    const struct scop_stmt *stmt;
    int at, common;                  /* the loop whose bound is looked for, the common loop's */
    bool upper, found;
    struct affine bound;
};

/* Takes the first bound, or one over the common loop, which moves with it. */
static isl_stat bound_take(__isl_take isl_constraint *constraint, void *data)
{
    struct bound_search *search = data;
    struct affine bound;
    int symbol = search->stmt->loops[search->common]->symbol;
    bool is_bound = constraint_bound(search->scop, search->stmt, constraint, search->at,
                                     search->upper, &bound);
    if (is_bound && (!search->found || (!affine_factor(&search->bound, symbol) &&
                                        affine_factor(&bound, symbol)))) {
        search->bound = bound;
        search->found = true;
    }
    isl_constraint_free(constraint);
    return isl_stat_ok;
}

/* The statement's instances without what other loops than the host's, the common one and `at`
   say. */
static __isl_give isl_basic_set *instances_along(const struct scop_stmt *stmt, int depth,
                                                 int common, int at)
{
    isl_set *set = isl_set_copy(stmt->domain);
    for (int i = depth; i < stmt->depth; i++)
        if (i != common && i != at)
            set = isl_set_eliminate(set, isl_dim_set, (unsigned)i, 1);
    return isl_basic_set_remove_redundancies(isl_set_simple_hull(isl_set_coalesce(set)));
}

bool unit_bounds(const struct scop *scop, const struct scop_unit *unit, int depth, int common,
                 int at, struct affine *lower, struct affine *upper)
{
    bool found = false;
    for (size_t i = 0; i < unit->stmts.count; i++) {
        struct bound_search search = {.scop = scop, .stmt = unit->stmts.at[i], .at = at,
                                      .common = common};
        isl_basic_set *along = instances_along(search.stmt, depth, common, at);
        for (int side = 0; side < 2; side++) {
            struct affine *bound = side ? upper : lower;
            search.upper = side;
            search.found = false;
            bool good = isl_basic_set_foreach_constraint(along, bound_take, &search) ==
                            isl_stat_ok &&
                        search.found && (!found || bound_join(bound, &search.bound, side));
            if (!good) {
                isl_basic_set_free(along);
                return false;
            }
            *bound = found ? *bound : search.bound;
        }
        found = true;
        isl_basic_set_free(along);
    }
    return found;
}

bool iterator_replace(struct affine *form, const struct scop_loop *from,
                      const struct scop_loop *to)
{
    int64_t factor = affine_factor(form, from->symbol);
    struct affine before = affine_iterator(from), after = affine_iterator(to);
    return affine_add(form, &before, -factor) && affine_add(form, &after, factor);
}

int region_hosts(const struct plan_region *region, int depth, const struct scop_loop **loops)
{
    for (int i = 0; i < depth; i++)
        loops[i] = region->members.at[0].unit->loops[i];
    if (region->common)
        loops[depth++] = region->common;
    if (!region->diagonal)
        return depth;
    loops[depth++] = region->diagonal->sum;
    for (int i = 0; i < region->diagonal->n_ends; i++)
        loops[depth++] = region->diagonal->ends[i].name;
    return depth;
}

const struct scop_loop *region_loop(const struct plan_region *region, int part, int axis)
{
    for (size_t i = 0; i < region->members.count; i++) {
        const struct plan_member *member = &region->members.at[i];
        if (member_is_in(member, part) && member->axes[axis] != AT_POINT)
            return member_loop(member, axis);
    }
    return NULL;
}

bool region_unify(const struct plan_region *region, int part, struct affine *form)
{
    for (size_t i = 0; i < region->members.count; i++) {
        const struct plan_member *member = &region->members.at[i];
        if (!member_is_in(member, part))
            continue;
        bool good = !region->common || iterator_replace(form, member->unit->loops[member->common],
                                                        region->common);
        for (int axis = 0; axis < region->n_axes && good; axis++) {
            const struct scop_loop *loop = member_loop(member, axis);
            good = !loop || iterator_replace(form, loop, region_loop(region, part, axis));
        }
        if (!good)
            return false;
    }
    return true;
}

bool region_implies(const struct scop *scop, int depth, const struct plan_region *region, int part,
                    const struct affine *form)
{
    const struct scop_loop *loops[HOSTS_MAX + AXES_MAX];
    struct scop_loop axes[AXES_MAX];
    struct affine positive = *form, one = affine_constant(1);
    int n = region_hosts(region, depth, loops);
    for (int axis = 0; axis < region->n_axes; axis++) {
        axes[axis] = *region_loop(region, part, axis);
        axes[axis].step = 1;
        axes[axis].start = region->axes[axis].lower;
        axes[axis].limits[0] = region->axes[axis].upper;
        axes[axis].n_limits = 1;
        loops[n++] = &axes[axis];
    }
    if (!region_unify(region, part, &positive))
        return false;
    for (int i = 0; i < positive.n_terms; i++) {
        const struct scop_loop *loop = scop->symbols.at[positive.terms[i].symbol].loop;
        bool known = !loop;
        for (int k = 0; k < n; k++)
            known |= loop && loops[k]->symbol == loop->symbol;
        if (!known)
            return false;
    }
    return affine_add(&positive, &one, 1) &&
           loops_imply_positive(scop, place_below(loops, n), &positive);
}

/* --- boxes ------------------------------------------------------------------------------------ */

static bool member_bounds(const struct scop *scop, int depth, const struct plan_region *region,
                          const struct plan_member *member, int axis, struct affine *box)
{
    const struct scop_loop *loop = member->unit->loops[member->axes[axis]];
    struct affine own = affine_iterator(loop);
    if (!region->common)
        return affine_bound(scop, depth, &own, false, &box[0]) &&
               affine_bound(scop, depth, &own, true, &box[1]);
    const struct scop_loop *run = member->unit->loops[member->common];
    return unit_bounds(scop, member->unit, depth, member->common, loop->depth, &box[0],
                       &box[1]) &&
           iterator_replace(&box[0], run, region->common) &&
           iterator_replace(&box[1], run, region->common);
}

/* Adds the loop that is the axis of a member to the box, which has `n_members` already. */
static bool box_add(const struct scop *scop, int depth, const struct plan_region *region,
                    const struct plan_member *member, int n_members, int axis,
                    struct plan_axis *box)
{
    struct affine own[2];
    int64_t step = llabs(member_loop(member, axis)->step);
    if (!member_bounds(scop, depth, region, member, axis, own))
        return false;
    if (!n_members) {
        box->lower = own[0];
        box->upper = own[1];
        box->step = step;
        return true;
    }
    return step == box->step && (step == 1 || affine_equal(&box->lower, &own[0])) &&
           bound_join(&box->lower, &own[0], false) && bound_join(&box->upper, &own[1], true);
}

int64_t bounds_count(const struct affine *lower, const struct affine *upper, int64_t step)
{
    struct affine way = *upper;
    bool is_literal = affine_add(&way, lower, -1) && way.n_terms == 0 && way.constant >= 0;
    return is_literal ? way.constant / step + 1 : 0;
}

/* Counts a member's points, and gives 0 where a bound is not literal. Along an axis at one of whose
   places the member stands the extent of the box counts. */
static double member_points(const struct scop *scop, int depth, const struct plan_region *region,
                            const struct plan_member *member)
{
    double points = 1;
    for (int axis = 0; axis < region->n_axes; axis++) {
        const struct plan_axis *all = &region->axes[axis];
        struct affine box[2] = {all->lower, all->upper};
        if (member->axes[axis] != AT_POINT &&
            !member_bounds(scop, depth, region, member, axis, box))
            return 0;
        points *= (double)bounds_count(&box[0], &box[1], all->step);
    }
    return points;
}

/* Where extents are literal: have all members nearly as many points as the box? Guards for few
   points cost more than what sharing saves. */
static bool members_fill(const struct scop *scop, int depth, const struct plan_region *region)
{
    double whole = 1;
    for (int axis = 0; axis < region->n_axes; axis++) {
        const struct plan_axis *box = &region->axes[axis];
        whole *= (double)bounds_count(&box->lower, &box->upper, box->step);
    }
    for (size_t i = 0; i < region->members.count; i++) {
        double own = member_points(scop, depth, region, &region->members.at[i]);
        if (own > 0 && whole > POINTS_MORE * own)
            return false;
    }
    return true;
}

bool region_box(struct scop *scop, int depth, struct plan_region *region)
{
    for (int axis = 0; axis < region->n_axes; axis++) {
        int n_members = 0;
        for (size_t i = 0; i < region->members.count; i++)
            if (region->members.at[i].axes[axis] != AT_POINT &&
                !box_add(scop, depth, region, &region->members.at[i], n_members++, axis,
                         &region->axes[axis]))
                return false;
        for (size_t i = 0; i < region->members.count; i++)
            if (region->members.at[i].axes[axis] == AT_POINT &&
                !member_is_end(region, &region->members.at[i]) &&
                !point_fits(scop, &region->members.at[i], axis, &region->axes[axis]))
                return false;
    }
    return members_fill(scop, depth, region);
}
