/* All covers of the steps of a list.

   In: units and their edges. Out: the lists of regions that merging can make of them (merge.c),
   from each step alone to the plan's. The search begins with the steps alone and joins two steps of
   a cover at a time, in every way, so that no judge of its own says what is legal; it goes on with
   the fastest cover by prediction, since there may be more covers than anybody reads. Two covers
   are the same if the same units share regions of as many axes. */
#include "mapper/plan/cover.h"
#include "mapper/forms/transformations.h"
#include "mapper/plan/change.h"
#include "mapper/plan/cost.h"
#include "mapper/plan/merge.h"
#include "mapper/plan/schedule.h"
#include "mapper/scop/limit.h"

enum { COVERS_MOST = 64, COVERS_STEPS = 24 };

/* A cover as merging leaves it, and with its axes in order. */
struct found_cover {
    plan_list steps;
    struct plan_cover ordered;
    bool is_done;                    /* its steps were joined in all ways */
};

struct cover_search {
    struct scop *scop;
    const struct plan_place *place;
    const struct map_choice *choice;
    bool is_cut;
    VEC(struct found_cover) list;
    struct map *known;               /* the covers of the list, by their keys */
};

bool step_runs(struct arena *arena, const struct plan_step *step, const struct scop_unit *unit)
{
    unit_list units = {0};
    schedule_units(arena, step, &units);
    return units_have(&units, unit);
}

/* "0:2 1:2 2:1": for each unit the first one of its step, and how many axes the step has. */
static const char *cover_key(const struct cover_search *s, const plan_list *steps)
{
    struct arena *arena = s->scop->arena;
    struct str out = str_new(arena);
    for (size_t u = 0; u < s->scop->units.count; u++)
        for (size_t i = 0; i < steps->count; i++) {
            const struct plan_step *step = steps->at[i];
            if (!step_runs(arena, step, s->scop->units.at[u]))
                continue;
            size_t first = 0;
            while (!step_runs(arena, step, s->scop->units.at[first]))
                first++;
            str_addf(&out, "%zu:%d ", first, step->region.n_axes);
        }
    return out.text;
}

/* A copy that can be put in order without changing what others share. */
static plan_list steps_copy(struct arena *arena, const plan_list *steps)
{
    plan_list copies = {0};
    for (size_t i = 0; i < steps->count; i++) {
        struct plan_step *copy = ARENA_NEW(arena, struct plan_step);
        *copy = *steps->at[i];
        copy->region.members = (member_list){0};
        for (size_t k = 0; k < steps->at[i]->region.members.count; k++)
            vec_push(arena, &copy->region.members, steps->at[i]->region.members.at[k]);
        copy->body = steps_copy(arena, &copy->body);
        vec_push(arena, &copies, copy);
    }
    return copies;
}

/* The cover with its axes in order, and its predicted cost. */
static struct plan_cover cover_ordered(const struct cover_search *s, const plan_list *steps)
{
    struct cost_sizes sizes = choice_sizes(s->choice);
    struct plan_cover cover = {.steps = steps_copy(s->scop->arena, steps)};
    struct schedule plan = {.scop = s->scop};
    steps_finish(s->scop, &cover.steps);
    schedule_alone(s->scop, &cover.steps);
    plan.steps = cover.steps;
    cover.cost = plan_cost(&plan, &sizes);
    return cover;
}

static void cover_add(struct cover_search *s, const plan_list *steps)
{
    const char *key = cover_key(s, steps);
    if (map_get(s->known, key))
        return;
    if (s->list.count == COVERS_MOST) {
        s->is_cut = true;
        return;
    }
    map_put(s->known, key, s);
    vec_push(s->scop->arena, &s->list,
             ((struct found_cover){.steps = *steps, .ordered = cover_ordered(s, steps)}));
}

/* Adds the covers with two steps of this one joined. */
static void cover_join(struct cover_search *s, const plan_list *steps)
{
    for (size_t b = 1; b < steps->count; b++)
        for (size_t a = 0; a < b; a++)
            for (int way = MERGE_WIDE; way < MERGE_WAYS; way++) {
                plan_list joined;
                isl_set *claims = s->scop->claims;
                scop_question_begin(s->scop);
                if (steps_joined(s->scop, s->place, steps, a, b, (enum merge_way)way, &joined))
                    cover_add(s, &joined);
                s->scop->claims = claims;
            }
}

/* The fastest cover of which no steps were joined yet; NULL if there is none. */
static struct found_cover *cover_next(const struct cover_search *s)
{
    struct found_cover *best = NULL;
    for (size_t i = 0; i < s->list.count; i++) {
        struct found_cover *one = &s->list.at[i];
        if (!one->is_done && (!best || one->ordered.cost < best->ordered.cost))
            best = one;
    }
    return best;
}

static void covers_search(struct cover_search *s)
{
    struct found_cover *next = cover_next(s);
    while (next && !s->is_cut) {
        plan_list steps = next->steps;
        next->is_done = true;
        cover_join(s, &steps);
        next = cover_next(s);
    }
}

/* Adds the cover in the order of costs, but never before the first cover. */
static void cover_insert(struct arena *arena, cover_list *covers, const struct plan_cover *cover)
{
    size_t at = covers->count;
    vec_push(arena, covers, *cover);
    for (; at > 1 && covers->at[at - 1].cost > cover->cost; at--)
        covers->at[at] = covers->at[at - 1];
    covers->at[at] = *cover;
}

/* The first statement that a step runs, by place. */
static int step_place(struct arena *arena, const struct plan_step *step)
{
    unit_list units = {0};
    int first = STATEMENTS_MAX;
    schedule_units(arena, step, &units);
    for (size_t i = 0; i < units.count; i++)
        for (size_t k = 0; k < units.at[i]->stmts.count; k++)
            first = units.at[i]->stmts.at[k]->id < first ? units.at[i]->stmts.at[k]->id : first;
    return first;
}

/* A list of the same steps in the source's order. */
static plan_list steps_by_place(struct arena *arena, const plan_list *steps)
{
    plan_list sorted = {0};
    for (size_t i = 0; i < steps->count; i++) {
        size_t at = sorted.count;
        int place = step_place(arena, steps->at[i]);
        vec_push(arena, &sorted, steps->at[i]);
        for (; at > 0 && step_place(arena, sorted.at[at - 1]) > place; at--)
            sorted.at[at] = sorted.at[at - 1];
        sorted.at[at] = steps->at[i];
    }
    return sorted;
}

/* The covers of units below host loops: the plan's first. */
static void covers_add(struct scop *scop, const struct map_choice *choice, const unit_list *units,
                       struct plan_covers found, covers_list *list)
{
    struct cover_search s = {scop, &found.place, choice, false, {0}, map_new(scop->arena)};
    bool fuses = transformation_is_on(scop->ctx, TRANSFORMATION_FUSION);
    plan_list parted = {0};
    if (!steps_part(scop, units, &found.place, &parted) || parted.count < 2 ||
        parted.count > COVERS_STEPS)
        return;
    plan_list chosen = parted;
    if (fuses)
        schedule_merge(scop, &found.place, &chosen);
    cover_add(&s, &chosen);
    cover_add(&s, &parted);
    if (fuses)
        covers_search(&s);
    found.steps = steps_by_place(scop->arena, &parted);
    found.is_cut = s.is_cut;
    for (size_t i = 0; i < s.list.count; i++)
        cover_insert(scop->arena, &found.covers, &s.list.at[i].ordered);
    vec_push(scop->arena, list, found);
}

static void lists_find(struct scop *scop, const struct map_choice *choice,
                       const struct plan_covers *at, const plan_list *steps, covers_list *list);

/* The covers of the lists in the source's loops of the host. */
static void inner_find(struct scop *scop, const struct map_choice *choice,
                       const struct plan_covers *at, const plan_list *steps, covers_list *list)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct plan_step *step = steps->at[i];
        if (step->kind == PLAN_CHAIN)
            inner_find(scop, choice, at, &step->body, list);
        if (step->kind != PLAN_LOOP || !step->body.count || step->body.at[0]->region.common)
            continue;
        edge_list *below = ARENA_NEW(scop->arena, edge_list);
        *below = edges_below(scop, &at->place);
        struct plan_covers inner = {.depth = at->depth + 1,
                                    .loop = step->loop,
                                    .place = {.depth = at->depth + 1, .edges = below}};
        lists_find(scop, choice, &inner, &step->body, list);
    }
}

static void lists_find(struct scop *scop, const struct map_choice *choice,
                       const struct plan_covers *at, const plan_list *steps, covers_list *list)
{
    unit_list units = {0};
    for (size_t i = 0; i < steps->count; i++)
        schedule_units(scop->arena, steps->at[i], &units);
    covers_add(scop, choice, &units, *at, list);
    inner_find(scop, choice, at, steps, list);
}

void plan_covers_find(const struct schedule *plan, const struct map_choice *choice,
                      covers_list *list)
{
    struct plan_covers top = {.place = {.edges = &plan->scop->edges}};
    lists_find(plan->scop, choice, &top, &plan->steps, list);
}

/* --- a plan with a cover ---------------------------------------------------------------------- */

/* All regions of the steps, and chains, as loops of the host. */
static void steps_to_host(plan_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        steps->at[i]->region.is_serial = true;
        steps_to_host(&steps->at[i]->body);
    }
}

static struct plan_step *loop_step(const plan_list *steps, const struct scop_loop *loop)
{
    struct plan_step *found = NULL;
    for (size_t i = 0; i < steps->count && !found; i++) {
        struct plan_step *step = steps->at[i];
        found = step->kind == PLAN_LOOP && step->loop == loop ? step
                                                              : loop_step(&step->body, loop);
    }
    return found;
}

struct schedule *plan_with_cover(const struct schedule *plan, const struct plan_covers *covers,
                                 const struct plan_cover *cover)
{
    struct schedule *made = ARENA_NEW(plan->scop->arena, struct schedule);
    made->scop = plan->scop;
    made->steps = steps_copy(plan->scop->arena, &plan->steps);
    steps_to_host(&made->steps);
    struct plan_step *step = covers->loop ? loop_step(&made->steps, covers->loop) : NULL;
    *(step ? &step->body : &made->steps) = cover->steps;
    return made;
}
