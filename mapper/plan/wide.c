/* Reduced loops as axes, where that lets two statements share an array.

   In: a region of one axis whose statements accumulate along their other loop. Out: the same with
   both loops as axes, which several threads take the sums of. Alone a region gains nothing by that:
   a thread for each row or column is enough, and needs no finishing kernel. But

       for (int i = 0; i < m; i++)
           for (int j = 0; j < n; j++) {
               s[j] += r[i] * A[i][j];
               q[i] += A[i][j] * p[j];
           }

   has sums along columns and along rows, so that two regions of one axis read A twice, and one over
   the points (i, j) reads it once. So the region is taken only as part of one with another region
   over both loops, whose reduced loop, if it has one, is the other one, and where both touch one
   element of an array of two axes at each point. Statements with more loops keep the reduced loop
   in their threads: as an axis, k of a product of matrices would trade registers for partial
   sums. */
#include "mapper/plan/box.h"
#include "mapper/plan/schedule.h"

enum { PLANE_AXES = 2 };

/* Has every statement of the region the same two loops below those of the host, and no other? */
static bool has_two_loops(const struct plan_region *region, int depth)
{
    const struct scop_unit *first = region->members.at[0].unit;
    for (size_t i = 0; i < region->members.count; i++) {
        const struct scop_unit *unit = region->members.at[i].unit;
        if (unit->depth != depth + PLANE_AXES || unit->loops[depth] != first->loops[depth] ||
            unit->loops[depth + 1] != first->loops[depth + 1])
            return false;
        for (size_t k = 0; k < unit->stmts.count; k++)
            if (unit->stmts.at[k]->depth != unit->depth)
                return false;
    }
    return true;
}

/* Takes the region's other loop as an axis, too; false if that loop cannot become an axis. */
static bool reduced_add(struct scop *scop, const struct plan_place *place,
                        struct plan_region *region, int *reduced)
{
    int depth = place->depth, axis = region->members.at[0].axes[0];
    struct plan_region wide = {.n_axes = PLANE_AXES};
    unit_list units = {0};
    *reduced = axis == depth ? 1 : 0;
    for (size_t i = 0; i < region->members.count; i++) {
        struct plan_member member = {.unit = region->members.at[i].unit,
                                     .axes = {depth, depth + 1}};
        vec_push(scop->arena, &units, member.unit);
        vec_push(scop->arena, &wide.members, member);
    }
    if (!loop_is_axis(scop, place, &units, depth + *reduced, true) ||
        !region_sums_find(scop, place->edges, depth, &wide) ||
        !region_sums_are_shared(scop, depth, &wide))
        return false;
    *region = wide;
    return true;
}

bool region_widen(struct scop *scop, const struct plan_place *place, struct plan_region *region,
                  int *reduced)
{
    *reduced = REDUCED_NONE;
    if (region->common || region->follows || region->is_strip || scop->split ||
        region_parts(region) > 1)
        return false;
    if (region->n_axes == PLANE_AXES)
        return true;
    return region->n_axes == 1 && region->members.at[0].axes[0] != AT_POINT &&
           has_two_loops(region, place->depth) && reduced_add(scop, place, region, reduced);
}

/* Has the array two axes or more, and do the subscripts follow both axes of the region? */
static bool is_of_plane(const struct plan_region *region, const struct plan_member *member,
                        const struct scop_access *access)
{
    bool follows[PLANE_AXES] = {false};
    if (access->array->n_dims < PLANE_AXES)
        return false;
    for (int axis = 0; axis < region->n_axes; axis++)
        for (int dim = 0; dim < access->array->n_dims; dim++) {
            const struct scop_loop *loop = member_loop(member, axis);
            follows[axis] |= loop && access->is_affine[dim] &&
                             affine_factor(&access->subscripts[dim], loop->symbol);
        }
    return follows[0] && follows[1];
}

bool accesses_are_equal(const struct plan_region *region, int part, const struct scop_access *a,
                        const struct scop_access *b)
{
    bool equal = a->array == b->array && !a->alternatives.count && !b->alternatives.count;
    for (int dim = 0; dim < a->array->n_dims && equal; dim++) {
        struct affine first = a->subscripts[dim], second = b->subscripts[dim];
        equal = a->is_affine[dim] && b->is_affine[dim] && region_unify(region, part, &first) &&
                region_unify(region, part, &second) && affine_equal(&first, &second);
    }
    return equal;
}

/* Does the member touch the element in each point, too? */
static bool member_touches(const struct plan_region *region, const struct plan_member *member,
                           const struct scop_access *access)
{
    for (size_t i = 0; i < member->unit->stmts.count; i++)
        for (size_t k = 0; k < member->unit->stmts.at[i]->accesses.count; k++)
            if (accesses_are_equal(region, member->part, access,
                                   &member->unit->stmts.at[i]->accesses.at[k]))
                return true;
    return false;
}

static bool members_share(const struct plan_region *region, const struct plan_member *a,
                          const struct plan_member *b)
{
    for (size_t i = 0; i < a->unit->stmts.count; i++)
        for (size_t k = 0; k < a->unit->stmts.at[i]->accesses.count; k++) {
            const struct scop_access *access = &a->unit->stmts.at[i]->accesses.at[k];
            if (is_of_plane(region, a, access) && member_touches(region, b, access))
                return true;
        }
    return false;
}

bool region_shares_plane(const struct plan_region *both, size_t n_first)
{
    for (size_t i = 0; i < n_first; i++)
        for (size_t k = n_first; k < both->members.count; k++)
            if (members_share(both, &both->members.at[i], &both->members.at[k]))
                return true;
    return false;
}
