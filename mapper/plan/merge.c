/* Successive regions become one region.

   In: the steps of one host loop. Out: fewer of them. Two regions become one where the boxes of
   their axes, in some order of the second's, differ by constants, every edge between them stays at
   one point of the axes, and what stands between them does not depend on the one that moves. The
   threads then run both in the source's order, which no longer asks for a barrier. There a loop has
   one meaning, an axis or a loop of the threads; where it would have two, the threads run what the
   first region did and then what the second one did, as parts: no edge goes from the second region
   to the first. */
#include "mapper/plan/box.h"
#include "mapper/plan/change.h"
#include "mapper/plan/ends.h"
#include "mapper/plan/merge.h"
#include "mapper/plan/order.h"
#include "mapper/plan/panels.h"
#include "mapper/plan/point.h"
#include "mapper/plan/schedule.h"
#include "mapper/plan/strips.h"
#include "mapper/scop/depend.h"
#include "mapper/scop/range.h"
#include "mapper/scop/sets.h"
#include "mapper/scop/sums.h"
#include <stdlib.h>
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

/* Where one end of the edge is at a point of the axis: are the instances that the edge orders at
   equal places of it (`rises`: or the first ones at lesser places)? */
static bool edge_meets(const struct scop *scop, const struct scop_edge *edge,
                       const struct plan_member *from, const struct plan_member *to, int axis,
                       bool rises)
{
    bool to_point = to->axes[axis] == AT_POINT;
    struct affine places[2] = {from->points[axis], to->points[axis]};
    if (from->axes[axis] != AT_POINT)
        places[0] = affine_iterator(edge->from->loops[from->axes[axis]]);
    if (!to_point)
        places[1] = affine_iterator(edge->to->loops[to->axes[axis]]);
    return edge_is_at(scop, edge, !to_point, rises, &places[0], &places[1]);
}

/* Are the instances that an edge orders at equal places of the axis? */
static bool edge_stays(const struct scop *scop, const struct scop_edge *edge,
                       const struct plan_member *from, const struct plan_member *to, int axis)
{
    if (from->axes[axis] != AT_POINT && to->axes[axis] != AT_POINT)
        return edge_is_level(edge, from->axes[axis], to->axes[axis]);
    return edge_meets(scop, edge, from, to, axis, false);
}

/* Does the text of the region keep the order of the edge, serially, as an end of it is at the last
   or the first point of one axis, and all others stay? */
static bool edge_rises(const struct scop *scop, const struct scop_edge *edge,
                       const struct plan_region *region)
{
    const struct plan_member *from = region_member(region, edge->from->unit);
    const struct plan_member *to = region_member(region, edge->to->unit);
    int n_rising = 0;
    for (int axis = 0; axis < region->n_axes; axis++) {
        bool is_point = from->axes[axis] == AT_POINT || to->axes[axis] == AT_POINT;
        if (edge_stays(scop, edge, from, to, axis))
            continue;
        if (!is_point || !edge_meets(scop, edge, from, to, axis, true))
            return false;
        n_rising++;
    }
    return n_rising <= 1;
}

/* Is the edge one of accumulations that the region's threads take in any order? Where the order
   counts for their bits, statements of different loops stay apart: serially the text would mix
   them, but for one that comes before or behind all others of the element. */
static bool edge_is_free(const struct scop *scop, const struct plan_place *place,
                         const struct plan_region *region, const struct scop_edge *edge)
{
    if (!edge->is_sum || !region_sums(region, edge->first->array))
        return false;
    return sum_is_exact(edge->first->array, edge->first->reduction) ||
           edge->from->loops[place->depth] == edge->to->loops[place->depth] ||
           edge_rises(scop, edge, region);
}

/* Do all edges of the region stay at one point of its axes? */
static bool edges_stay(const struct scop *scop, const struct plan_place *place,
                       const struct plan_region *region)
{
    for (size_t i = 0; i < place->edges->count; i++) {
        const struct scop_edge *edge = &place->edges->at[i];
        const struct plan_member *from = region_member(region, edge->from->unit);
        const struct plan_member *to = region_member(region, edge->to->unit);
        for (int axis = 0; axis < region->n_axes; axis++)
            if (from && to && !edge_is_free(scop, place, region, edge) &&
                !edge_is_end(region, edge, axis) && !edge_stays(scop, edge, from, to, axis))
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
    struct plan_region region = {.n_axes = a->n_axes,
                                 .common = a->common,
                                 .is_strip = a->is_strip || b->is_strip};
    for (size_t i = 0; i < a->members.count; i++)
        vec_push(scop->arena, &region.members, a->members.at[i]);
    for (size_t i = 0; i < a->sums.count; i++)
        vec_push(scop->arena, &region.sums, a->sums.at[i]);
    for (size_t i = 0; i < b->sums.count; i++)
        if (!region_sums(&region, b->sums.at[i].array))
            vec_push(scop->arena, &region.sums, b->sums.at[i]);
    for (size_t i = 0; i < b->members.count; i++) {
        struct plan_member member = b->members.at[i];
        member.part += part;
        for (int axis = 0; axis < a->n_axes; axis++) {
            member.axes[axis] = b->members.at[i].axes[order[axis]];
            member.points[axis] = b->members.at[i].points[order[axis]];
        }
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
            const struct scop_loop *loop = member_loop(member, axis);
            first = first ? first : loop;
            if (!loop)
                continue;
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

static bool region_is_good(struct scop *scop, const struct plan_place *place,
                           struct plan_region *region)
{
    return types_agree(region) && region_box(scop, place->depth, region) &&
           region_roles_agree(scop, place->depth, region) &&
           region_sums_find(scop, place->edges, place->depth, region) &&
           (region->is_strip ? strip_fits(place, region)
                             : region_sums_are_shared(scop, place->depth, region)) &&
           parts_are_ordered(scop, region) && edges_stay(scop, place, region) &&
           ends_fit(scop, region);
}

static const int ORDERS[][AXES_MAX] = {{0, 1, 2, 3, 4, 5}, {1, 0, 2}, {0, 2, 1},
                                       {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
static const int N_ORDERS[AXES_MAX + 1] = {1, 1, 2, 6, 1, 1, 1};

static bool regions_join(struct scop *scop, const struct plan_place *place, struct plan_region *a,
                         const struct plan_region *b)
{
    int n = N_ORDERS[a->n_axes];
    isl_set *claims = scop->claims;
    for (int i = 0; i < 2 * n; i++) {
        bool apart = i >= n;
        struct plan_region both = joined(scop, a, b, ORDERS[i % n], apart);
        if ((b->is_ordered && i % n) || !region_is_good(scop, place, &both) ||
            (apart && !lines_agree(scop, place->depth, a, b, &both))) {
            scop->claims = claims;
            continue;
        }
        *a = both;
        return true;
    }
    return false;
}

/* The point of an axis at which a member runs: its edges tell it, or it is the first or last point,
   for statements that begin or end sums. */
enum point_kind { POINT_FOUND, POINT_FIRST, POINT_LAST };

/* Gives the lesser region a further axis, the last one before they are put in order, at which each
   member runs at a point of the greater region's axis; false if one cannot. */
static bool points_add(const struct scop *scop, const struct plan_place *place,
                       const struct plan_region *greater, const int *order, enum point_kind kind,
                       struct plan_region *lesser)
{
    member_list members = lesser->members;
    int n = greater->n_axes;
    lesser->n_axes = n;
    lesser->members = (member_list){0};
    for (size_t i = 0; i < members.count; i++) {
        struct plan_member member = members.at[i];
        for (int axis = 0; axis < n; axis++) {
            bool is_new = order[axis] == n - 1;
            member.axes[axis] = is_new ? AT_POINT : members.at[i].axes[order[axis]];
            if (!is_new)
                member.points[axis] = members.at[i].points[order[axis]];
            else if (kind != POINT_FOUND)
                member.points[axis] = kind == POINT_FIRST ? greater->axes[axis].lower
                                                          : greater->axes[axis].upper;
            else if (!point_find(scop, place, &member, greater, axis, &member.points[axis]))
                return false;
        }
        vec_push(scop->arena, &lesser->members, member);
    }
    return true;
}

/* Joins two regions of which one lacks an axis, like regions_join. */
static bool points_join(struct scop *scop, const struct plan_place *place, struct plan_region *a,
                        const struct plan_region *b)
{
    bool is_first = a->n_axes < b->n_axes;
    struct plan_region greater = is_first ? *b : *a;
    const struct plan_region *lesser = is_first ? a : b;
    enum point_kind kind = POINT_FOUND;
    if (ends_allow(lesser, &greater, is_first))
        kind = is_first ? POINT_FIRST : POINT_LAST;
    if (!points_allow(scop, place->depth, lesser, &greater, kind != POINT_FOUND) ||
        !region_box(scop, place->depth, &greater))
        return false;
    for (int i = 0; i < N_ORDERS[greater.n_axes]; i++) {
        struct plan_region wider = *lesser;
        if (!points_add(scop, place, &greater, ORDERS[i], kind, &wider))
            continue;
        struct plan_region both = is_first ? joined(scop, &wider, &greater, ORDERS[0], false)
                                           : joined(scop, &greater, &wider, ORDERS[0], false);
        if (!region_is_good(scop, place, &both))
            continue;
        *a = both;
        return true;
    }
    return false;
}

/* Joins two regions whose reduced loops are unlike, or of which one has no reduced loop, with both
   loops as axes, where that lets them share an array. */
static bool wide_join(struct scop *scop, const struct plan_place *place, struct plan_region *a,
                      const struct plan_region *b)
{
    struct plan_region wide[2] = {*a, *b};
    int reduced[2];
    if (scop->is_narrow || !region_widen(scop, place, &wide[0], &reduced[0]) ||
        !region_widen(scop, place, &wide[1], &reduced[1]) ||
        (reduced[0] == REDUCED_NONE && reduced[1] == REDUCED_NONE))
        return false;
    for (int i = 0; i < N_ORDERS[wide[0].n_axes]; i++) {
        struct plan_region both = joined(scop, &wide[0], &wide[1], ORDERS[i], false);
        bool alike = reduced[0] != REDUCED_NONE && ORDERS[i][reduced[0]] == reduced[1];
        if (alike || (wide[1].is_ordered && i) || !region_is_good(scop, place, &both) ||
            !region_shares_plane(&both, a->members.count))
            continue;
        *a = both;
        scop->is_widened = true;
        return true;
    }
    return false;
}

/* Joins two regions that sum along the rows and along the columns of an array, where a block that
   owns a row or columns uses it for both. */
static bool strips_join(struct scop *scop, const struct plan_place *place, struct plan_region *a,
                        const struct plan_region *b)
{
    for (int i = 0; i < 2 && !scop->is_narrow; i++) {
        struct plan_region first = *a, second = *b;
        const struct plan_region *other = i ? b : a;
        bool sums;
        if (!strip_turn(scop, place->depth, other, i ? &first : &second, &sums) ||
            (!sums && !other->is_strip))
            continue;
        struct plan_region both = joined(scop, &first, &second, ORDERS[0], false);
        isl_set *claims = scop->claims;
        both.is_strip = true;
        if (!region_is_good(scop, place, &both) ||
            (sums && !strip_shares(scop, place, &both, a->members.count))) {
            scop->claims = claims;
            continue;
        }
        *a = both;
        scop->is_widened = true;
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

/* May steps a and b, between which `between` others stand, be merged so at all? */
static bool pair_allows(const struct plan_step *a, const struct plan_step *b, size_t between,
                        enum merge_way way)
{
    int more = abs(a->region.n_axes - b->region.n_axes);
    if (a->kind != PLAN_REGION || b->kind != PLAN_REGION || a->region.follows || b->region.follows)
        return false;
    if ((a->region.is_strip || b->region.is_strip) && way != MERGE_STRIPS && way != MERGE_EQUAL)
        return false;
    switch (way) {
    case MERGE_STRIPS: return !more && a->region.n_axes == 1;
    case MERGE_PLANES: return !more && a->region.n_axes > 1;
    case MERGE_WIDE: return more <= 1;
    case MERGE_POINTS: return more == 1;
    default: return !more && (a->region.n_axes || !between);
    }
}

static bool pair_join(struct scop *scop, const struct plan_place *place, struct plan_region *a,
                      const struct plan_region *b, enum merge_way way)
{
    switch (way) {
    case MERGE_WIDE: return wide_join(scop, place, a, b);
    case MERGE_STRIPS: return strips_join(scop, place, a, b);
    case MERGE_POINTS: return points_join(scop, place, a, b);
    default: return regions_join(scop, place, a, b);
    }
}

bool steps_joined(struct scop *scop, const struct plan_place *place, const plan_list *steps,
                  size_t a, size_t b, enum merge_way way, plan_list *joined)
{
    struct plan_step *both = ARENA_NEW(scop->arena, struct plan_step);
    size_t target;
    *both = *steps->at[a];
    if (!pair_allows(both, steps->at[b], b - a - 1, way) ||
        !target_find(scop, place, steps, a, b, &target) ||
        !pair_join(scop, place, &both->region, &steps->at[b]->region, way))
        return false;
    *joined = (plan_list){0};
    for (size_t i = 0; i < steps->count; i++)
        if (i == target)
            vec_push(scop->arena, joined, both);
        else if (i != a && i != b)
            vec_push(scop->arena, joined, steps->at[i]);
    return true;
}

static bool steps_merge(struct scop *scop, const struct plan_place *place, plan_list *steps,
                        enum merge_way way)
{
    plan_list joined;
    for (size_t b = 1; b < steps->count; b++)
        for (size_t a = 0; a < b; a++)
            if (steps_joined(scop, place, steps, a, b, way, &joined)) {
                *steps = joined;
                return true;
            }
    return false;
}

/* Each merge may allow ways that come before. */
void schedule_merge(struct scop *scop, const struct plan_place *place, plan_list *steps)
{
    int first = scop_has_sums(scop) ? MERGE_PLANES : MERGE_EQUAL;
    for (int way = first; way < MERGE_WAYS;)
        way = steps_merge(scop, place, steps, (enum merge_way)way) ? first : way + 1;
}

/* --- why not ---------------------------------------------------------------------------------- */

/* An edge that keeps the members of a region apart, preferably an edge that hands on a value; NULL
   if no edge does. */
static const struct scop_edge *edge_between(struct scop *scop, const struct plan_place *place,
                                            const struct plan_region *region)
{
    const struct scop_edge *found = NULL;
    for (size_t i = 0; i < place->edges->count; i++) {
        const struct scop_edge *edge = &place->edges->at[i];
        const struct plan_member *from = region_member(region, edge->from->unit);
        const struct plan_member *to = region_member(region, edge->to->unit);
        bool stays = !from || !to || edge_is_free(scop, place, region, edge);
        bool hands_on = edge->first->is_write && !edge->second->is_write;
        for (int axis = 0; axis < region->n_axes && !stays; axis++)
            if (!edge_stays(scop, edge, from, to, axis)) {
                found = !found || hands_on ? edge : found;
                stays = true;
            }
    }
    return found;
}

/* The pairs of an edge whose instances are at unlike places of an axis. */
static isl_map *pairs_moving(struct scop *scop, const struct plan_region *region,
                             const struct scop_edge *edge)
{
    const struct plan_member *from = region_member(region, edge->from->unit);
    const struct plan_member *to = region_member(region, edge->to->unit);
    for (int axis = 0; axis < region->n_axes; axis++) {
        int first = from->axes[axis], second = to->axes[axis];
        if (first == AT_POINT || second == AT_POINT || edge_is_level(edge, first, second))
            continue;
        isl_map *level = isl_map_equate(isl_map_copy(edge->pairs), isl_dim_in, first, isl_dim_out,
                                        second);
        return scop_keep_map(scop, isl_map_subtract(isl_map_copy(edge->pairs), level));
    }
    return edge->pairs;
}

static struct merge_obstacle obstacle_of(struct scop *scop, const struct plan_place *place,
                                         struct plan_region *both)
{
    struct merge_obstacle o = {0};
    bool has_box = region_box(scop, place->depth, both);
    bool sums = region_sums_find(scop, place->edges, place->depth, both) &&
                region_sums_are_shared(scop, place->depth, both);
    o.edge = edge_between(scop, place, both);
    if (o.edge)
        o.pairs = pairs_moving(scop, both, o.edge);
    else if (!has_box)
        o.text = "their loops have unlike bounds";
    else if (!types_agree(both))
        o.text = "their iterators have unlike types";
    else if (!sums)
        o.text = "one sums in an array that the other uses otherwise";
    else if (!region_roles_agree(scop, place->depth, both))
        o.text = "a loop would be an axis for one and not for the other";
    else
        o.text = region_is_good(scop, place, both)
                     ? "what stands between waits for the first, and the second for that"
                     : "it would move more lines of memory than both apart";
    return o;
}

/* An edge from one region to the other, whatever their axes are. */
static struct merge_obstacle obstacle_between(const struct plan_place *place,
                                              const struct plan_region *a,
                                              const struct plan_region *b)
{
    const char *text = "one has more axes than the other";
    struct merge_obstacle o = {.text = text};
    for (size_t i = 0; i < place->edges->count; i++) {
        const struct scop_edge *edge = &place->edges->at[i];
        bool is_between = region_member(a, edge->from->unit) && region_member(b, edge->to->unit);
        bool hands_on = edge->first->is_write && !edge->second->is_write;
        if (is_between && (!o.edge || hands_on))
            o = (struct merge_obstacle){text, edge, edge->pairs};
    }
    return o;
}

struct merge_obstacle regions_obstacle(struct scop *scop, const struct plan_place *place,
                                       const struct plan_region *a, const struct plan_region *b)
{
    struct plan_region wide[2] = {*a, *b};
    int reduced[2], best = 0;
    bool are_wide = region_widen(scop, place, &wide[0], &reduced[0]) &&
                    region_widen(scop, place, &wide[1], &reduced[1]);
    if (!are_wide) {
        wide[0] = *a;
        wide[1] = *b;
    }
    if (wide[0].n_axes != wide[1].n_axes)
        return obstacle_between(place, a, b);
    for (int i = 0; i < N_ORDERS[wide[0].n_axes]; i++) {
        struct plan_region both = joined(scop, &wide[0], &wide[1], ORDERS[i], false);
        if (region_box(scop, place->depth, &both)) {
            best = i;
            break;
        }
    }
    struct plan_region both = joined(scop, &wide[0], &wide[1], ORDERS[best], false);
    return obstacle_of(scop, place, &both);
}
