/* The statements of a nest in groups of rounds of the host.

   In: a scop with its dependences, and a loop of the host whose rounds come in groups (panels.c).
   Out: each statement in parts, inside the group and beyond it along each loop that is cut, below a
   loop over the groups; and the dependences of the parts. The order among groups is that of the
   rounds, which no dependence goes against. Within a group only the dependences between its rounds
   are left, and the schedule is made as for any other nest: what they allow comes after the panel,
   as a region whose threads run all rounds of the group.

   Parts that agree about each loop stand in one copy of the nest, in the source's order. */
#include "mapper/forms/words.h"
#include "mapper/plan/panel_parts.h"
#include "mapper/scop/block.h"
#include "mapper/scop/depend.h"
#include "mapper/scop/sets.h"
#include <isl/constraint.h>
#include <string.h>

enum { PARTS_MAX = 32, CUTS_PER_UNIT = 4 };

/* --- parts ------------------------------------------------------------------------------------ */

/* sign * (iterator - begin of the group) >= sign * distance */
static __isl_give isl_set *distance_bound(__isl_take isl_set *set, int group, int at, int sign,
                                          int64_t distance)
{
    isl_local_space *space = isl_local_space_from_space(isl_set_get_space(set));
    isl_constraint *bound = isl_constraint_alloc_inequality(space);
    bound = isl_constraint_set_coefficient_si(bound, isl_dim_set, at, sign);
    bound = isl_constraint_set_coefficient_si(bound, isl_dim_set, group, -sign);
    bound = isl_constraint_set_constant_si(bound, (int)(-sign * distance));
    return isl_set_add_constraint(set, bound);
}

static __isl_give isl_set *side_set(const struct scop_panel *panel, __isl_take isl_set *set, int at,
                                    enum panel_side side)
{
    int group = panel->plan->depth;
    if (side == SIDE_BEYOND)
        return distance_bound(set, group, at + 1, 1, panel->width);
    set = distance_bound(set, group, at + 1, 1, 0);
    return distance_bound(set, group, at + 1, -1, panel->width - 1);
}

/* The statement's instances in a group whose sides are those of the part. */
static __isl_give isl_set *part_set(const struct scop_panel *panel, const struct scop_stmt *stmt,
                                    const struct panel_part *part)
{
    isl_set *set = isl_set_copy(stmt->domain);
    set = isl_set_insert_dims(set, isl_dim_set, (unsigned)panel->plan->depth, 1);
    for (int at = panel->plan->depth; at < part->from->depth; at++)
        if (part->sides[at] != SIDE_NONE)
            set = side_set(panel, set, at, part->sides[at]);
    return set;
}

/* Does the statement run before the group's begin along the loop? */
static bool runs_before(const struct scop_panel *panel, const struct scop_stmt *stmt, int at)
{
    int group = panel->plan->depth;
    isl_set *set = isl_set_insert_dims(isl_set_copy(stmt->domain), isl_dim_set, (unsigned)group, 1);
    set = side_set(panel, set, panel_run_of(panel->plan, stmt), SIDE_IN);
    set = distance_bound(set, group, at + 1, -1, -1);
    bool none = isl_set_is_empty(set) == isl_bool_true;
    isl_set_free(set);
    return !none;
}

/* The part's unit; without statements if the part has no instance. */
static void part_fill(struct scop *scop, const struct scop_panel *panel, struct panel_part *part)
{
    bool is_empty = true;
    struct scop_unit *unit = ARENA_NEW(scop->arena, struct scop_unit);
    *unit = *part->from;
    unit->depth++;
    memset(&unit->stmts, 0, sizeof unit->stmts);
    for (size_t i = 0; i < part->from->stmts.count; i++) {
        const struct scop_stmt *stmt = part->from->stmts.at[i];
        struct scop_stmt *own = stmt_part(scop, stmt, part_set(panel, stmt, part),
                                          panel->plan->depth);
        is_empty = is_empty && isl_set_is_empty(own->domain) == isl_bool_true;
        own->unit = unit;
        vec_push(scop->arena, &unit->stmts, own);
    }
    part->unit = is_empty ? NULL : unit;
}

/* All combinations of sides along the loops at some depths. False if there are too many parts. */
static bool unit_parts(struct scop *scop, struct scop_panel *panel, const struct scop_unit *unit,
                       const int *cuts, int n_cuts)
{
    int run = panel_run_of(panel->plan, unit->stmts.at[0]);
    for (int number = 0; number < 1 << n_cuts; number++) {
        struct panel_part *part = ARENA_NEW(scop->arena, struct panel_part);
        part->from = unit;
        part->sides[run] = SIDE_IN;
        for (int i = 0; i < n_cuts; i++) {
            bool beyond = number >> i & 1;
            part->sides[cuts[i]] = beyond ? SIDE_BEYOND : SIDE_IN;
            part->n_beyond += beyond;
        }
        part_fill(scop, panel, part);
        part->number = panel->parts.count;
        if (part->unit)
            vec_push(scop->arena, &panel->parts, part);
    }
    return panel->parts.count <= PARTS_MAX;
}

static bool unit_cut(struct scop *scop, struct scop_panel *panel, const struct scop_unit *unit)
{
    int cuts[LOOP_DEPTH_MAX], n = 0, run = panel_run_of(panel->plan, unit->stmts.at[0]);
    for (int at = panel->plan->depth; at < unit->depth; at++) {
        if (at == run || !cuts_have(&panel->cuts, unit->loops[at]))
            continue;
        for (size_t i = 0; i < unit->stmts.count; i++)
            if (runs_before(panel, unit->stmts.at[i], at) || unit->loops[at]->step != 1)
                return false;
        cuts[n++] = at;
    }
    return n <= CUTS_PER_UNIT && unit_parts(scop, panel, unit, cuts, n);
}

static bool units_cut(struct scop *scop, struct scop_panel *panel)
{
    for (size_t i = 0; i < scop->units.count; i++)
        if (panel_run_of(panel->plan, scop->units.at[i]->stmts.at[0]) != RUNS_NONE &&
            !unit_cut(scop, panel, scop->units.at[i]))
            return false;
    return true;
}

/* --- dependences ------------------------------------------------------------------------------ */

typedef VEC(struct scop_stmt *) stmt_list;

/* The parts of a statement; the statement itself if the panel has no part of it. */
static stmt_list parts_of(const struct scop *scop, const struct scop_panel *panel,
                          struct scop_stmt *stmt)
{
    stmt_list list = {0};
    for (size_t i = 0; i < panel->parts.count; i++) {
        const struct panel_part *part = panel->parts.at[i];
        for (size_t k = 0; k < part->from->stmts.count; k++)
            if (part->from->stmts.at[k] == stmt)
                vec_push(scop->arena, &list, part->unit->stmts.at[k]);
    }
    if (!list.count)
        vec_push(scop->arena, &list, stmt);
    return list;
}

static struct panel_part *part_of_unit(const struct scop_panel *panel, const struct scop_unit *unit)
{
    for (size_t i = 0; i < panel->parts.count; i++)
        if (panel->parts.at[i]->unit == unit)
            return panel->parts.at[i];
    return NULL;
}

static const struct scop_access *access_of(const struct scop_stmt *part,
                                           const struct scop_stmt *whole,
                                           const struct scop_access *access)
{
    return &part->accesses.at[access - whole->accesses.at];
}

/* The pairs of the edge between two parts, in one group or in groups one after the other. */
static void edge_add(struct scop *scop, const struct scop_panel *panel,
                     const struct scop_edge *edge, struct scop_stmt *from, struct scop_stmt *to,
                     bool in_group)
{
    int group = panel->plan->depth;
    bool is_from = part_of_unit(panel, from->unit), is_to = part_of_unit(panel, to->unit);
    struct scop_edge own = {from, to, access_of(from, edge->from, edge->first),
                            access_of(to, edge->to, edge->second), edge->level, edge->is_sum, NULL};
    isl_map *pairs = isl_map_copy(edge->pairs);
    if (is_from)
        pairs = isl_map_insert_dims(pairs, isl_dim_in, (unsigned)group, 1);
    if (is_to)
        pairs = isl_map_insert_dims(pairs, isl_dim_out, (unsigned)group, 1);
    pairs = isl_map_intersect_domain(pairs, isl_set_copy(from->domain));
    pairs = isl_map_intersect_range(pairs, isl_set_copy(to->domain));
    if (is_from && is_to && edge->level > group) {
        pairs = in_group ? isl_map_equate(pairs, isl_dim_in, group, isl_dim_out, group)
                         : isl_map_order_lt(pairs, isl_dim_in, group, isl_dim_out, group);
        own.level = in_group ? edge->level + 1 : group + 1;
    }
    if (isl_map_is_empty(pairs) == isl_bool_true) {
        isl_map_free(pairs);
        return;
    }
    own.pairs = scop_keep_map(scop, pairs);
    vec_push(scop->arena, &scop->edges, own);
}

static void edge_part(struct scop *scop, const struct scop_panel *panel,
                      const struct scop_edge *edge)
{
    stmt_list from = parts_of(scop, panel, edge->from), to = parts_of(scop, panel, edge->to);
    for (size_t i = 0; i < from.count; i++)
        for (size_t k = 0; k < to.count; k++) {
            bool both = part_of_unit(panel, from.at[i]->unit) &&
                        part_of_unit(panel, to.at[k]->unit);
            edge_add(scop, panel, edge, from.at[i], to.at[k], true);
            if (both && edge->level > panel->plan->depth)
                edge_add(scop, panel, edge, from.at[i], to.at[k], false);
        }
}

static void edges_part(struct scop *scop, const struct scop_panel *panel)
{
    edge_list edges = scop->edges;
    scop->edges = (edge_list){0};
    for (size_t i = 0; i < edges.count; i++)
        edge_part(scop, panel, &edges.at[i]);
}

/* --- copies of the nest ----------------------------------------------------------------------- */

/* --- copies of the nest ----------------------------------------------------------------------- */

/* Parts that depend on each other in a circle within a group, which stand in one copy. */
struct panel_circle {
    VEC(struct panel_part *) parts;
    int n_beyond;
};

/* By part and part: does the second one need the first one in a group? The transitive closure. */
static bool *reaches_find(const struct scop *scop, const struct scop_panel *panel)
{
    size_t n = panel->parts.count;
    bool *reaches = ARENA_ARRAY(scop->arena, bool, n * n + 1);
    for (size_t i = 0; i < scop->edges.count; i++) {
        const struct scop_edge *edge = &scop->edges.at[i];
        const struct panel_part *from = part_of_unit(panel, edge->from->unit);
        const struct panel_part *to = part_of_unit(panel, edge->to->unit);
        if (from && to && edge->level > panel->plan->depth + 1)
            reaches[from->number * n + to->number] = true;
    }
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                reaches[i * n + j] |= reaches[i * n + k] && reaches[k * n + j];
    return reaches;
}

/* Has the copy the sides of the circle's parts along all loops, also along others at the same
   depth? So loops over one triangle and the other stand together. */
static bool copy_takes(const struct panel_copy *copy, const struct panel_circle *circle)
{
    for (size_t k = 0; k < circle->parts.count; k++)
        for (size_t i = 0; i < copy->parts.count; i++) {
            const struct panel_part *part = circle->parts.at[k], *other = copy->parts.at[i];
            for (int at = 0; at < part->from->depth && at < other->from->depth; at++)
                if (part->sides[at] != other->sides[at])
                    return false;
        }
    return true;
}

/* Has each loop one side in the circle? */
static bool circle_agrees(const struct panel_circle *circle)
{
    for (size_t k = 0; k < circle->parts.count; k++)
        for (size_t i = 0; i < k; i++) {
            const struct panel_part *part = circle->parts.at[k], *other = circle->parts.at[i];
            for (int at = 0; at < part->from->depth && at < other->from->depth; at++)
                if (part->from->loops[at] == other->from->loops[at] &&
                    part->sides[at] != other->sides[at])
                    return false;
        }
    return true;
}

static void circle_place(struct scop *scop, struct scop_panel *panel,
                         const struct panel_circle *circle)
{
    size_t i = 0;
    while (i < panel->copies.count && !copy_takes(panel->copies.at[i], circle))
        i++;
    if (i == panel->copies.count) {
        struct panel_copy *copy = ARENA_NEW(scop->arena, struct panel_copy);
        copy->number = (int)i;
        vec_push(scop->arena, &panel->copies, copy);
    }
    for (size_t k = 0; k < circle->parts.count; k++) {
        circle->parts.at[k]->copy = panel->copies.at[i];
        vec_push(scop->arena, &panel->copies.at[i]->parts, circle->parts.at[k]);
    }
}

/* The circle that the part is in. */
static struct panel_circle circle_of(const struct scop *scop, const struct scop_panel *panel,
                                     const bool *reaches, size_t first)
{
    size_t n = panel->parts.count;
    struct panel_circle circle = {0};
    for (size_t i = 0; i < n; i++) {
        if (i != first && !(reaches[first * n + i] && reaches[i * n + first]))
            continue;
        struct panel_part *part = panel->parts.at[i];
        circle.n_beyond = part->n_beyond > circle.n_beyond ? part->n_beyond : circle.n_beyond;
        vec_push(scop->arena, &circle.parts, part);
    }
    return circle;
}

/* Circles inside the group come first. False if a circle has one loop on both sides. */
static bool copies_make(struct scop *scop, struct scop_panel *panel)
{
    const bool *reaches = reaches_find(scop, panel);
    for (int n_beyond = 0; n_beyond <= CUTS_PER_UNIT; n_beyond++)
        for (size_t i = 0; i < panel->parts.count; i++) {
            struct panel_circle circle = circle_of(scop, panel, reaches, i);
            if (panel->parts.at[i]->copy || circle.n_beyond != n_beyond)
                continue;
            if (!circle_agrees(&circle))
                return false;
            circle_place(scop, panel, &circle);
        }
    return true;
}

/* An edge between statements that share fewer loops than in the source is ordered by their
   place. */
static void edges_settle(struct scop *scop)
{
    for (size_t i = 0; i < scop->edges.count; i++) {
        struct scop_edge *edge = &scop->edges.at[i];
        int shared = 0;
        while (shared < edge->from->depth && shared < edge->to->depth &&
               edge->from->loops[shared] == edge->to->loops[shared])
            shared++;
        edge->level = edge->level > shared + 1 ? shared + 1 : edge->level;
    }
}

/* --- the scop --------------------------------------------------------------------------------- */

static void copy_list(struct scop *scop, const struct panel_copy *copy, stmt_list *stmts)
{
    for (size_t i = 0; i < scop->stmts.count; i++)
        for (size_t k = 0; k < copy->parts.count; k++) {
            const struct panel_part *part = copy->parts.at[k];
            for (size_t n = 0; n < part->from->stmts.count; n++)
                if (part->from->stmts.at[n] == scop->stmts.at[i])
                    vec_push(scop->arena, stmts, part->unit->stmts.at[n]);
        }
}

/* Statements and units by place: those of the copies behind what is left of the nest. */
static bool stmts_place(struct scop *scop, const struct scop_panel *panel)
{
    const struct scop_loop *root = panel_root(panel);
    stmt_list stmts = {0};
    size_t last = 0;
    for (size_t i = 0; i < scop->stmts.count; i++)
        if (stmt_loop(scop->stmts.at[i], root->depth) == root)
            last = i;
    for (size_t i = 0; i < scop->stmts.count; i++) {
        if (panel_run_of(panel->plan, scop->stmts.at[i]) == RUNS_NONE)
            vec_push(scop->arena, &stmts, scop->stmts.at[i]);
        if (i == last)
            for (size_t k = 0; k < panel->copies.count; k++)
                copy_list(scop, panel->copies.at[k], &stmts);
    }
    if (stmts.count > STATEMENTS_MAX)
        return false;
    scop->units.count = 0;
    for (size_t i = 0; i < stmts.count; i++) {
        struct scop_unit *unit = stmts.at[i]->unit;
        stmts.at[i]->id = (int)i;
        if (unit->stmts.at[0] != stmts.at[i])
            continue;
        unit->id = (int)i;
        vec_push(scop->arena, &scop->units, unit);
    }
    memcpy(&scop->stmts, &stmts, sizeof stmts);
    return true;
}

/* The loop over the groups is none of the source's. */
static struct scop_loop *groups_add(struct scop *scop, const struct scop_panel *panel)
{
    const struct panel_loop *plan = panel->plan;
    const char *name = arena_printf(scop->arena, "%s0", plan->like->name);
    struct scop_loop like = *plan->like;
    like.name = words_local(words_of(scop->arena, scop->unit), name);
    struct scop_loop *loop = loop_add(scop, &like, plan->depth, &plan->first, &plan->last);
    scop->loops.count--;
    loop->step = panel->width;
    loop->id = panel_root(panel)->id;
    loop->outer = panel_root(panel)->outer;
    return loop;
}

static bool panel_add(struct scop *scop, const struct scop_change *change)
{
    struct scop_panel *panel = ARENA_NEW(scop->arena, struct scop_panel);
    panel->plan = change->grouped;
    panel->width = change->width;
    panel_cuts(scop, panel->plan, &panel->cuts);
    if (!units_cut(scop, panel) || !panel->parts.count)
        return false;
    panel->groups = groups_add(scop, panel);
    edges_part(scop, panel);
    if (!copies_make(scop, panel) || !nests_place(scop, panel))
        return false;
    edges_settle(scop);
    panel->next = scop->panels;
    scop->panels = panel;
    return stmts_place(scop, panel);
}

bool panels_apply(struct scop *scop)
{
    for (size_t i = 0; i < scop->changes->count; i++)
        if (scop->changes->at[i].row == TRANSFORMATION_PANELS &&
            !panel_add(scop, &scop->changes->at[i]))
            return scop_refuse(scop, REFUSE_LIMIT, scop->fragment->loc, NULL);
    return true;
}

/* --- the plan --------------------------------------------------------------------------------- */

bool unit_is_grouped(const struct scop *scop, const struct scop_unit *unit, int depth)
{
    for (const struct scop_panel *panel = scop->panels; panel; panel = panel->next)
        if (depth < unit->depth && unit->loops[depth] == panel->groups)
            return true;
    return false;
}

bool unit_is_part(const struct scop *scop, const struct scop_unit *unit)
{
    for (const struct scop_panel *panel = scop->panels; panel; panel = panel->next)
        if (part_of_unit(panel, unit))
            return true;
    return false;
}

bool unit_is_in_group(const struct scop *scop, const struct scop_unit *unit)
{
    const struct panel_part *part = NULL;
    const struct scop_panel *panel = scop->panels;
    while (panel && !(part = part_of_unit(panel, unit)))
        panel = panel->next;
    if (!part)
        return false;
    for (size_t i = 0; i < unit->stmts.count; i++)
        for (int at = panel->plan->depth; at < part->from->stmts.at[i]->depth; at++)
            if (part->sides[at] != SIDE_IN)
                return false;
    return true;
}

static const struct panel_copy *copy_of(const struct scop_panel *panel,
                                        const struct scop_unit *unit)
{
    const struct panel_part *part = part_of_unit(panel, unit);
    return part ? part->copy : NULL;
}

/* Does the edge, between copies within a group, go against their order? */
static bool edge_is_turned(const struct scop_panel *panel, const struct scop_edge *edge)
{
    const struct panel_copy *from = copy_of(panel, edge->from->unit);
    const struct panel_copy *to = copy_of(panel, edge->to->unit);
    return from && to && edge->level > panel->plan->depth + 1 && from->number > to->number;
}

bool panels_region_is_ordered(const struct scop *scop, const struct plan_region *region)
{
    for (const struct scop_panel *panel = scop->panels; panel; panel = panel->next)
        for (size_t i = 0; i < scop->edges.count; i++) {
            const struct scop_edge *edge = &scop->edges.at[i];
            const struct plan_member *from = region_member(region, edge->from->unit);
            const struct plan_member *to = region_member(region, edge->to->unit);
            if (from && to && from->part == to->part && edge_is_turned(panel, edge))
                return false;
        }
    return true;
}
