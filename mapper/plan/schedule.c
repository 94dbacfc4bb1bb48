/* The order of a fragment's units, and which loops become axes.

   In: units and edges. Out: host loops and regions. This is distribution by strongly connected
   components: units that depend on each other in a circle stay together, the others run one after
   the other in an order that all edges allow, the source's order where they allow several. Edges
   that the host's loops order are ignored inside these loops.

   A loop that all units of a component share is an axis where every edge stays at one of its
   iterations: then the rest of the component's loops, in the source's order inside a thread, keeps
   all edges, so that axes need not be outermost (this is interchange). A component without an axis
   becomes a host loop around its own components, if there is an axis below; else a wavefront
   (wave.c). Where a host loop that runs another loop of each unit leaves more axes than both, it is
   taken instead (common.c). Without any of these loops one thread runs the component. */
#include "frontend/writes.h"
#include "mapper/forms/transformations.h"
#include "mapper/plan/box.h"
#include "mapper/plan/chain.h"
#include "mapper/plan/change.h"
#include "mapper/plan/order.h"
#include "mapper/plan/panels.h"
#include "mapper/plan/schedule.h"
#include "mapper/plan/strips.h"
#include "mapper/scop/depend.h"
#include <assert.h>

/* So many points of a region are few for a device. */
enum { POINTS_FEW = 64 };

struct planner {
    struct scop *scop;
    bool *reaches;                   /* by unit and unit: count * count */
    size_t count;
    unit_list units;
    const struct plan_place *place;
};

static size_t unit_place(const struct planner *p, const struct scop_unit *unit)
{
    size_t i = 0;
    while (i < p->units.count && p->units.at[i] != unit)
        i++;
    return i;
}

static bool *reach(const struct planner *p, size_t from, size_t to)
{
    return &p->reaches[from * p->count + to];
}

/* Without distribution: what stands in one loop stays together. */
static void reaches_join(struct planner *p)
{
    int depth = p->place->depth;
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < p->count; k++) {
            const struct scop_unit *a = p->units.at[i], *b = p->units.at[k];
            *reach(p, i, k) = a->depth > depth && b->depth > depth &&
                              a->loops[depth] == b->loops[depth];
        }
}

/* The transitive closure of the edges. */
static void reaches_fill(struct planner *p)
{
    p->count = p->units.count;
    p->reaches = ARENA_ARRAY(p->scop->arena, bool, p->count * p->count + 1);
    if (!transformation_is_on(p->scop->ctx, TRANSFORMATION_DISTRIBUTION))
        reaches_join(p);
    for (size_t i = 0; i < p->place->edges->count; i++) {
        const struct scop_edge *edge = &p->place->edges->at[i];
        size_t from = unit_place(p, edge->from->unit), to = unit_place(p, edge->to->unit);
        if (from < p->count && to < p->count)
            *reach(p, from, to) = true;
    }
    for (size_t k = 0; k < p->count; k++)
        for (size_t i = 0; i < p->count; i++)
            for (size_t j = 0; j < p->count; j++)
                *reach(p, i, j) |= *reach(p, i, k) && *reach(p, k, j);
}

/* --- axes ------------------------------------------------------------------------------------- */

/* Loops that all units share and are counted by. */
static int shared_depth(const unit_list *units)
{
    int shared = units->at[0]->depth;
    for (size_t i = 1; i < units->count; i++) {
        int n = 0;
        while (n < shared && n < units->at[i]->depth &&
               units->at[i]->loops[n] == units->at[0]->loops[n])
            n++;
        shared = n;
    }
    return shared;
}

bool units_have(const unit_list *units, const struct scop_unit *unit)
{
    for (size_t i = 0; i < units->count; i++)
        if (units->at[i] == unit)
            return true;
    return false;
}

/* Does the common loop run this loop of one of the units? */
static bool common_runs(const struct plan_place *place, const unit_list *units, int at)
{
    if (!place->common)
        return false;
    for (size_t i = 0; i < units->count; i++)
        if (place->runs[units->at[i]->id] == at)
            return true;
    return false;
}

/* An axis counts up from one place in steps, or it counts by 1. */
static bool step_allows(const struct scop *scop, const struct plan_place *place,
                        const struct scop_loop *loop)
{
    bool has_phase = loop->phase.n_terms || loop->phase.constant;
    bool fixed = loop->step > 0 && !has_phase && !place->common;
    for (int i = 0; i < loop->start.n_terms; i++) {
        const struct scop_loop *outer = scop->symbols.at[loop->start.terms[i].symbol].loop;
        fixed &= !outer || outer->depth < place->depth;
    }
    return fixed || loop->step == 1 || loop->step == -1;
}

bool loop_is_axis(const struct scop *scop, const struct plan_place *place, const unit_list *units,
                  int at, bool sums)
{
    const struct scop_loop *loop = units->at[0]->loops[at];
    if (!step_allows(scop, place, loop) || common_runs(place, units, at) ||
        (scop->split && loop_is_point(loop)))
        return false;
    for (size_t i = 0; i < place->edges->count; i++) {
        const struct scop_edge *edge = &place->edges->at[i];
        bool inside = units_have(units, edge->from->unit) && units_have(units, edge->to->unit);
        if (inside && !(sums && edge_lets_reduce(scop, edge, at)) &&
            (edge->level == at + 1 || (edge->level <= at && !edge_is_level(edge, at, at))))
            return false;
    }
    return true;
}

/* Does the loop run over the points of a tile, with the tiles as an axis? As an axis the loop would
   give each tile the threads of all tiles. */
static bool is_in_tile(const struct scop_loop *loop, const struct scop_loop *tiles)
{
    if (tiles->step < 2 || affine_factor(&loop->start, tiles->symbol) != 1)
        return false;
    for (int i = 0; i < loop->n_limits; i++) {
        struct affine length = loop->limits[i];
        if (affine_add(&length, &loop->start, -1) && !length.n_terms &&
            length.constant < tiles->step)
            return true;
    }
    return false;
}

static bool axes_have_tiles(const struct scop_unit *unit, const int *axes, int n, int at)
{
    for (int k = 0; k < n; k++)
        if (is_in_tile(unit->loops[at], unit->loops[axes[k]]))
            return true;
    return false;
}

static void region_fill(const struct planner *p, const unit_list *units, struct plan_region *region)
{
    int axes[AXES_MAX], n = 0, shared = shared_depth(units);
    bool interchange = transformation_is_on(p->scop->ctx, TRANSFORMATION_INTERCHANGE);
    for (int at = p->place->depth; at < shared && n < AXES_MAX; at++) {
        if (loop_is_axis(p->scop, p->place, units, at, false) &&
            !axes_have_tiles(units->at[0], axes, n, at))
            axes[n++] = at;
        else if (!interchange)
            break;
    }
    region->n_axes = n;
    region->common = p->place->common;
    for (size_t i = 0; i < units->count; i++) {
        struct plan_member member = {.unit = units->at[i]};
        if (p->place->runs)
            member.common = p->place->runs[member.unit->id];
        for (int k = 0; k < n; k++)
            member.axes[k] = axes[k];
        vec_push(p->scop->arena, &region->members, member);
    }
}

/* Would the axes that the region has leave most threads idle: none, or some with few points? */
static bool axes_are_few(const struct planner *p, const struct plan_region *region)
{
    const struct scop_unit *unit = region->members.at[0].unit;
    int64_t points = 1;
    for (int k = 0; k < region->n_axes; k++) {
        struct affine lower, upper;
        int at = region->members.at[0].axes[k];
        if (!unit_bounds(p->scop, unit, p->place->depth, 0, at, &lower, &upper) ||
            !affine_add(&upper, &lower, -1) || upper.n_terms || upper.constant >= POINTS_FEW)
            return false;
        points *= upper.constant + 1;
    }
    return points <= POINTS_FEW;
}

/* Changes a region with few points to one whose threads accumulate in common, if there is one: the
   axes are the outermost loops then, so that the source's order is that of the blocks. */
static void sums_fill(const struct planner *p, const unit_list *units, struct plan_region *region)
{
    int n = 0, depth = p->place->depth, shared = shared_depth(units);
    struct plan_region wider = {0};
    while (n < THREAD_AXES_MAX && depth + n < shared &&
           loop_is_axis(p->scop, p->place, units, depth + n, true))
        n++;
    if (n <= region->n_axes || !axes_are_few(p, region))
        return;
    wider.n_axes = n;
    for (size_t i = 0; i < units->count; i++) {
        struct plan_member member = {.unit = units->at[i]};
        for (int k = 0; k < n; k++)
            member.axes[k] = depth + k;
        vec_push(p->scop->arena, &wider.members, member);
    }
    if (region_sums_find(p->scop, p->place->edges, depth, &wider) &&
        region_sums_are_shared(p->scop, depth, &wider))
        *region = wider;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Does the region run a statement of the source, and not only copies for others? */
static bool region_works(const struct plan_region *region)
{
    for (size_t k = 0; k < region->members.count; k++) {
        const struct scop_unit *unit = region->members.at[k].unit;
        for (size_t i = 0; i < unit->stmts.count; i++)
            if (!unit->stmts.at[i]->node->is_copy)
                return true;
    }
    return false;
}

/* Is there an axis in the steps; `waves`: does one of a wavefront count? */
static bool has_axes(const plan_list *steps, bool waves)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct plan_step *step = steps->at[i];
        bool counts = step->region.n_axes && region_works(&step->region) &&
                      (waves || !step->region.follows);
        if (counts || has_axes(&step->body, waves))
            return true;
    }
    return false;
}

bool steps_have_region(const plan_list *steps)
{
    bool found = false;
    for (size_t i = 0; i < steps->count && !found; i++) {
        const struct plan_step *step = steps->at[i];
        bool is_region = step->kind == PLAN_REGION || step->kind == PLAN_CHAIN;
        found = (is_region && !step->region.is_serial) || steps_have_region(&step->body);
    }
    return found;
}

void steps_worth(const plan_list *steps, int hosts, struct plan_worth *sum)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct plan_step *step = steps->at[i];
        int members = (int)step->region.members.count;
        sum->axes += step->region.n_axes * members;
        sum->hosts += hosts * members;
        steps_worth(&step->body, hosts + 1, sum);
    }
}

edge_list edges_below(struct scop *scop, const struct plan_place *place)
{
    edge_list below = {0};
    for (size_t i = 0; i < place->edges->count; i++)
        if (place->edges->at[i].level > place->depth + 1)
            vec_push(scop->arena, &below, place->edges->at[i]);
    return below;
}

/* Changes a region without axes to a host loop around them, the units' own loop or a wavefront, if
   there is one. */
static void host_find(const struct planner *p, const unit_list *units, struct plan_step *step)
{
    plan_list inner = {0};
    int depth = p->place->depth, shared = shared_depth(units);
    edge_list below = edges_below(p->scop, p->place);
    struct plan_place place = {.depth = depth + 1, .edges = &below};
    steps_make(p->scop, units, &place, &inner);
    bool is_wave = !has_axes(&inner, false) &&
                   transformation_is_on(p->scop->ctx, TRANSFORMATION_SKEWING) &&
                   wave_make(p->scop, units, p->place, shared, step);
    if (!is_wave && !has_axes(&inner, true))
        return;
    step->region = (struct plan_region){0};
    if (!is_wave) {
        step->kind = PLAN_LOOP;
        step->loop = units->at[0]->loops[depth];
        step->body = inner;
    }
}

/* Below a common loop: a region that keeps the source's order in its threads, or NULL. */
static struct plan_step *common_step(const struct planner *p, struct plan_step *step)
{
    bool good = region_roles_agree(p->scop, step->depth, &step->region) &&
                region_box(p->scop, step->depth, &step->region);
    return good ? step : NULL;
}

static bool units_have_host(const unit_list *units)
{
    for (size_t i = 0; i < units->count; i++)
        if (units->at[i]->is_host)
            return true;
    return false;
}

/* Changes the step to the units' own loop, of the host. */
static void host_loop_make(const struct planner *p, const unit_list *units, struct plan_step *step)
{
    edge_list below = edges_below(p->scop, p->place);
    struct plan_place place = {.depth = p->place->depth + 1, .edges = &below};
    step->kind = PLAN_LOOP;
    step->loop = units->at[0]->loops[p->place->depth];
    steps_make(p->scop, units, &place, &step->body);
}

/* Do all loops of the units end with a group of rounds? Units of so few instances that depend on
   each other run in one thread, so that a group takes few launches. */
static bool are_in_group(const struct planner *p, const unit_list *units)
{
    for (size_t i = 0; i < units->count; i++)
        if (!unit_is_in_group(p->scop, units->at[i]))
            return false;
    return true;
}

static struct plan_step *component_step(const struct planner *p, const unit_list *units)
{
    struct plan_step *step = ARENA_NEW(p->scop->arena, struct plan_step);
    assert(units->at);
    step->depth = p->place->depth;
    if (units->count == 1 && units->at[0]->is_host && units->at[0]->depth == step->depth) {
        step->kind = PLAN_HOST;
        step->unit = units->at[0];
        return step;
    }
    bool is_grouped = unit_is_grouped(p->scop, units->at[0], step->depth);
    if (is_grouped || (units_have_host(units) && shared_depth(units) > step->depth)) {
        host_loop_make(p, units, step);
        return step;
    }
    step->kind = PLAN_REGION;
    region_fill(p, units, &step->region);
    if (p->place->common)
        return common_step(p, step);
    sums_fill(p, units, &step->region);
    if (step->region.n_axes || are_in_group(p, units))
        return step;
    if (unit_is_part(p->scop, units->at[0]) &&
        unlike_find(p->scop, p->place, units, &step->region))
        return step;
    if (shared_depth(units) > step->depth)
        host_find(p, units, step);
    struct plan_worth worth = {0};
    steps_worth(&step->body, 1, &worth);
    struct plan_step *common = NULL;
    if (transformation_is_on(p->scop->ctx, TRANSFORMATION_COMMON_LOOPS) && !p->scop->split)
        common = common_make(p->scop, units, p->place, &worth);
    return common ? common : step;
}

/* Is everything that must run before unit i placed, but for what is in a circle with it? */
static bool is_ready(const struct planner *p, const bool *placed, size_t i)
{
    for (size_t k = 0; k < p->count; k++)
        if (!placed[k] && *reach(p, k, i) && !*reach(p, i, k))
            return false;
    return true;
}

bool steps_part(struct scop *scop, const unit_list *units, const struct plan_place *place,
                plan_list *steps)
{
    struct planner p = {.scop = scop, .units = *units, .place = place};
    bool *placed = ARENA_ARRAY(scop->arena, bool, units->count);
    reaches_fill(&p);
    for (size_t n_placed = 0; n_placed < p.count;) {
        size_t first = 0;
        while (placed[first] || !is_ready(&p, placed, first))
            first++;
        unit_list component = {0};
        for (size_t k = 0; k < p.count; k++) {
            bool together = k == first || (*reach(&p, first, k) && *reach(&p, k, first));
            if (placed[k] || !together)
                continue;
            placed[k] = true;
            n_placed++;
            vec_push(scop->arena, &component, p.units.at[k]);
        }
        struct plan_step *step = component_step(&p, &component);
        if (!step)
            return false;
        vec_push(scop->arena, steps, step);
    }
    return true;
}

bool steps_make(struct scop *scop, const unit_list *units, const struct plan_place *place,
                plan_list *steps)
{
    if (!steps_part(scop, units, place, steps))
        return false;
    if (transformation_is_on(scop->ctx, TRANSFORMATION_FUSION))
        schedule_merge(scop, place, steps);
    return true;
}

void schedule_units(struct arena *arena, const struct plan_step *step, unit_list *units)
{
    if (step->kind == PLAN_HOST)
        vec_push(arena, units, step->unit);
    for (size_t i = 0; i < step->region.members.count; i++)
        vec_push(arena, units, step->region.members.at[i].unit);
    for (size_t i = 0; i < step->body.count; i++)
        schedule_units(arena, step->body.at[i], units);
}

void steps_finish(struct scop *scop, plan_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        struct plan_step *step = steps->at[i];
        if (step->kind == PLAN_REGION)
            region_order(scop, step->depth, &step->region);
        if (step->region.is_strip)
            strip_sums(scop, &step->region);
        steps_finish(scop, &step->body);
    }
}

static const struct scop_stmt *loop_among(const struct plan_region *region)
{
    for (size_t k = 0; k < region->members.count; k++) {
        const struct scop_unit *unit = region->members.at[k].unit;
        for (size_t i = 0; i < unit->stmts.count; i++)
            if (unit->stmts.at[i]->otherwise.text)
                return unit->stmts.at[i];
    }
    return NULL;
}

/* A loop of a statement that no thread of several runs: it is the host's. NULL if there is none. */
static const struct scop_stmt *lone_loop(const plan_list *steps)
{
    const struct scop_stmt *found = NULL;
    for (size_t i = 0; i < steps->count && !found; i++) {
        const struct plan_region *region = &steps->at[i]->region;
        bool is_one = steps->at[i]->kind == PLAN_REGION && !region->n_axes;
        found = is_one ? loop_among(region) : lone_loop(&steps->at[i]->body);
    }
    return found;
}

/* The assignment of `if (c) found = 1;`; NULL if the statement is something else. */
static const struct ast *flag_set(const struct scop_stmt *stmt)
{
    bool is_if = stmt->depth && stmt->ast->kind == AST_IF &&
                 (stmt->ast->n_children < 3 || !stmt->ast->children[2]);
    const struct ast *set = is_if ? stmt->ast->children[1] : NULL;
    while (set && set->kind == AST_COMPOUND && set->n_children == 1)
        set = set->children[0];
    bool sets = set && set->kind == AST_ASSIGN && set->op == AST_OP_NONE &&
                set->children[0]->kind == AST_REF &&
                ast_class_is_integer(set->children[0]->type->class) &&
                ast_strip(set->children[1])->kind == AST_INTEGER;
    return sets ? set : NULL;
}

static const struct scop_stmt *flag_setter(const struct scop *scop)
{
    for (size_t i = 0; i < scop->stmts.count; i++)
        if (flag_set(scop->stmts.at[i]))
            return scop->stmts.at[i];
    return NULL;
}

/* Says why no loop is independent, if that is known. */
static void *serial_refuse(struct scop *scop)
{
    const struct scop_stmt *flag = flag_setter(scop);
    const char *name = flag ? flag_set(flag)->children[0]->decl->name : NULL;
    const struct ast *along = flag ? NULL : place_search_blame(scop);
    const struct ast *base = along ? change_base(along) : NULL;
    const struct ast *call = extreme_call_find(scop), *negated = negated_extreme_find(scop);
    if (flag)
        return scop_refuse_for(scop, REFUSE_FLAG, flag->ast->loc, name, NULL);
    if (base)
        return scop_refuse_for(scop, REFUSE_ALONG, along->loc, base->decl->name, NULL);
    if (call)
        return scop_refuse_for(scop, REFUSE_EXTREME_CALL, call->loc, call->decl->name, NULL);
    if (negated)
        return scop_refuse(scop, REFUSE_NEGATED, negated->loc, NULL);
    return scop_refuse(scop, REFUSE_SERIAL, scop->fragment->loc, NULL);
}

struct schedule *schedule_make(struct scop *scop)
{
    struct schedule *plan = ARENA_NEW(scop->arena, struct schedule);
    unit_list units = {0};
    for (size_t i = 0; i < scop->units.count; i++)
        vec_push(scop->arena, &units, scop->units.at[i]);
    struct plan_place place = {.edges = &scop->edges};
    plan->scop = scop;
    steps_make(scop, &units, &place, &plan->steps);
    if (!has_axes(&plan->steps, true))
        return serial_refuse(scop);
    const struct scop_stmt *lone = lone_loop(&plan->steps);
    if (lone) {
        scop->refusal = lone->otherwise;
        return NULL;
    }
    if (!schedule_sums(scop, &plan->steps))
        return NULL;
    steps_finish(scop, &plan->steps);
    schedule_chain(scop, &plan->steps);
    schedule_alone(scop, &plan->steps);
    schedule_diagonals(scop, &plan->steps);
    return plan;
}
