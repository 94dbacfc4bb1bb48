/* Regions that follow each other as one region.

   In: the steps of one host loop. Out: fewer of them. Two regions become one where the boxes of
   their axes, in some order of the second's, differ by constants, every edge between them stays at
   one point of the axes, and what stands between them does not depend on the one that moves. The
   threads then run both in the source's order, which no longer asks for a barrier. There a loop has
   one meaning, an axis or a loop of the threads; where it would have two, the threads run what the
   first region did and then what the second one did, as parts: no edge goes from the second region
   to the first. */
#include "mapper/plan.h"
#include <string.h>

/* A region of several parts may touch so many times the lines of its parts. */
static const double LINES_MORE = 1.25;

enum { ROLE_NONE = -3, ROLE_COMMON = -2, ROLE_SERIAL = -1 };

/* Is there an edge that host loops do not order from the one to the other? */
static bool depends(const struct scop *scop, const struct plan_place *place,
                    const struct plan_step *from, const struct plan_step *to)
{
    unit_list first = {0}, second = {0};
    schedule_units(scop->arena, from, &first);
    schedule_units(scop->arena, to, &second);
    for (size_t i = 0; i < place->edges->count; i++) {
        const struct scop_edge *edge = &place->edges->at[i];
        bool starts = false, ends = false;
        for (size_t k = 0; k < first.count; k++)
            starts |= first.at[k] == edge->from->unit;
        for (size_t k = 0; k < second.count; k++)
            ends |= second.at[k] == edge->to->unit;
        if (starts && ends)
            return true;
    }
    return false;
}

static const struct plan_member *member_of(const struct plan_region *region,
                                           const struct scop_unit *unit)
{
    for (size_t i = 0; i < region->members.count; i++)
        if (region->members.at[i].unit == unit)
            return &region->members.at[i];
    return NULL;
}

/* Do all edges of the region stay at one point of its axes? */
static bool edges_stay(const struct plan_place *place, const struct plan_region *region)
{
    for (size_t i = 0; i < place->edges->count; i++) {
        const struct scop_edge *edge = &place->edges->at[i];
        const struct plan_member *from = member_of(region, edge->from->unit);
        const struct plan_member *to = member_of(region, edge->to->unit);
        for (int axis = 0; axis < region->n_axes; axis++)
            if (from && to && !edge_is_level(edge, from->axes[axis], to->axes[axis]))
                return false;
    }
    return true;
}

static int role_of(const struct plan_region *region, const struct plan_member *member, int depth)
{
    if (region->common && member->common == depth)
        return ROLE_COMMON;
    for (int axis = 0; axis < region->n_axes; axis++)
        if (member->axes[axis] == depth)
            return axis;
    return ROLE_SERIAL;
}

/* Notes the roles of a member's loops; false if one has another role already. */
static bool roles_add(int *roles, int depth, const struct plan_region *region,
                      const struct plan_member *member)
{
    for (size_t k = 0; k < member->unit->stmts.count; k++) {
        const struct scop_stmt *stmt = member->unit->stmts.at[k];
        for (int at = depth; at < stmt->depth; at++) {
            int *role = &roles[stmt->loops[at]->id], own = role_of(region, member, at);
            if (*role != ROLE_NONE && *role != own)
                return false;
            *role = own;
        }
    }
    return true;
}

bool region_roles_agree(const struct scop *scop, int depth, const struct plan_region *region)
{
    int *roles = ARENA_ARRAY(scop->arena, int, scop->loops.count + 1), part = -1;
    for (size_t i = 0; i < region->members.count; i++) {
        const struct plan_member *member = &region->members.at[i];
        for (size_t k = 0; k < scop->loops.count; k++)
            roles[k] = member->part == part ? roles[k] : ROLE_NONE;
        part = member->part;
        if (!roles_add(roles, depth, region, member))
            return false;
    }
    return true;
}

/* The region of both, the second's axes in the order of a permutation, its first part one with the
   last part of the first region or apart from it. */
static struct plan_region joined(const struct scop *scop, const struct plan_region *a,
                                 const struct plan_region *b, const int *order, bool apart)
{
    int part = region_parts(a) - (apart ? 0 : 1);
    struct plan_region region = {.n_axes = a->n_axes, .common = a->common};
    for (size_t i = 0; i < a->members.count; i++)
        vec_push(scop->arena, &region.members, a->members.at[i]);
    for (size_t i = 0; i < b->members.count; i++) {
        struct plan_member member = b->members.at[i];
        member.part += part;
        for (int axis = 0; axis < a->n_axes; axis++)
            member.axes[axis] = b->members.at[i].axes[order[axis]];
        vec_push(scop->arena, &region.members, member);
    }
    return region;
}

/* Do the loops of each axis count alike? A statement whose iterator becomes unsigned, or no more
   is, would compute something else. */
static bool types_agree(const struct plan_region *region)
{
    for (int axis = 0; axis < region->n_axes; axis++) {
        const struct scop_loop *first = NULL;
        for (size_t i = 0; i < region->members.count; i++) {
            const struct plan_member *member = &region->members.at[i];
            const struct scop_loop *loop = member->unit->loops[member->axes[axis]];
            first = first ? first : loop;
            bool counts = class_is_unsigned(loop->iterator->type->class) ||
                          class_is_unsigned(first->iterator->type->class);
            if (counts && strcmp(loop->type, first->type) != 0)
                return false;
        }
    }
    return true;
}

/* Do the threads of both touch about as few lines as those of each do in an order and blocks of
   their own? A part that wants another axis as x would pay more for that than a launch costs. */
static bool lines_agree(const struct scop *scop, int depth, const struct plan_region *a,
                        const struct plan_region *b, const struct plan_region *both)
{
    double own = region_lines(scop, depth, a) + region_lines(scop, depth, b);
    return region_lines(scop, depth, both) <= LINES_MORE * own;
}

static bool regions_join(const struct scop *scop, const struct plan_place *place,
                         struct plan_region *a, const struct plan_region *b)
{
    static const int orders[][AXES_MAX] = {{0, 1, 2, 3, 4, 5}, {1, 0, 2}, {0, 2, 1},
                                           {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const int n_orders[AXES_MAX + 1] = {1, 1, 2, 6, 1, 1, 1};
    int n = n_orders[a->n_axes];
    for (int i = 0; i < 2 * n; i++) {
        bool apart = i >= n;
        struct plan_region both = joined(scop, a, b, orders[i % n], apart);
        if (!types_agree(&both) || !region_box(scop, place->depth, &both) ||
            !region_roles_agree(scop, place->depth, &both) ||
            !splitting_region_is_ordered(scop, &both) || !edges_stay(place, &both) ||
            (apart && !lines_agree(scop, place->depth, a, b, &both)))
            continue;
        *a = both;
        return true;
    }
    return false;
}

/* Where the region of steps a and b can stand: at b's place, at a's, or (false) nowhere. */
static bool target_find(const struct scop *scop, const struct plan_place *place,
                        const plan_list *steps, size_t a, size_t b, size_t *target)
{
    bool down = true, up = true;
    for (size_t i = a + 1; i < b; i++) {
        down = down && !depends(scop, place, steps->at[a], steps->at[i]);
        up = up && !depends(scop, place, steps->at[i], steps->at[b]);
    }
    *target = down ? b : a;
    return down || up;
}

static bool pair_merge(struct scop *scop, const struct plan_place *place, plan_list *steps,
                       size_t a, size_t b)
{
    struct plan_step *first = steps->at[a], *second = steps->at[b];
    size_t target, gap;
    if (first->kind != PLAN_REGION || second->kind != PLAN_REGION || first->region.follows ||
        second->region.follows ||
        first->region.n_axes != second->region.n_axes || (!first->region.n_axes && b > a + 1) ||
        !target_find(scop, place, steps, a, b, &target) ||
        !regions_join(scop, place, &first->region, &second->region))
        return false;
    steps->at[target] = first;
    gap = target == a ? b : a;
    for (size_t i = gap; i + 1 < steps->count; i++)
        steps->at[i] = steps->at[i + 1];
    steps->count--;
    return true;
}

void schedule_merge(struct scop *scop, const struct plan_place *place, plan_list *steps)
{
    bool merged = true;
    while (merged) {
        merged = false;
        for (size_t b = 1; b < steps->count && !merged; b++)
            for (size_t a = 0; a < b && !merged; a++)
                merged = pair_merge(scop, place, steps, a, b);
    }
}
