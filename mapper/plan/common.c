/* Host loops that run a loop of each unit.

   In: units that depend on each other in a circle. Out: one host loop for all units and, for each
   unit, the own loop that advances with the host loop; below, the distribution into regions of what
   is left. In LU by rows this is k of the updates and j of the divisions: step k divides column k,
   then updates all that is to the right of it and below, where the source updates each element as
   late as it can.

   A choice of loops is legal if no edge goes back along the host loop. The host loop orders the
   edges between different steps; edges between instances of one step remain, and the rest of a
   unit's loops keeps the source's order in a thread, as each loop has one meaning in a region. The
   search drops a choice for the first units once an edge among them goes back, and has limits that
   depend on nothing but the input. The choice whose units have most axes wins; of equals that with
   fewest host loops, then with fewest regions, then the one that is nearest to the source's
   outermost loops.

   No unit is shifted against another, and no accumulation changes its order. */
#include "mapper/forms/words.h"
#include "mapper/plan/box.h"
#include "mapper/plan/schedule.h"
#include "mapper/scop/bounds.h"
#include "mapper/scop/limit.h"
#include "mapper/scop/range.h"
#include "mapper/scop/sets.h"
#include "mapper/scop/values.h"
#include <string.h>

enum {
    NODES_MAX = 2000,                /* choices for the first units, in all */
    PLANS_MAX = 24                   /* choices for all units whose regions are made */
};

enum edge_verdict { EDGE_UNKNOWN, EDGE_FORWARD, EDGE_BACK };

struct common_search {
    struct scop *scop;
    const unit_list *units;
    const struct plan_place *place;
    bool down;                       /* the host loop counts down */
    int runs[STATEMENTS_MAX];        /* by the unit's id: the depth of its loop */
    char *verdicts;                  /* by edge, loop of its first unit, loop of its second */
    int nodes, plans;
    struct plan_worth worth;         /* of the best step so far, or of the schedule to improve on */
    struct plan_step *best;
};

/* Is the unit among the first `count`? */
static bool in_choice(const struct common_search *s, const struct scop_unit *unit, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (s->units->at[i] == unit)
            return true;
    return false;
}

/* Does no pair of the edge go back along the host loop? */
static bool edge_is_forward(struct common_search *s, size_t number)
{
    const struct scop_edge *edge = &s->place->edges->at[number];
    int from = s->runs[edge->from->unit->id], to = s->runs[edge->to->unit->id];
    size_t row = (number * LOOP_DEPTH_MAX + (size_t)from) * LOOP_DEPTH_MAX;
    char *verdict = &s->verdicts[row + (size_t)to];
    if (*verdict == EDGE_UNKNOWN) {
        isl_map *back = isl_map_copy(edge->pairs);
        back = s->down ? isl_map_order_lt(back, isl_dim_in, from, isl_dim_out, to)
                       : isl_map_order_gt(back, isl_dim_in, from, isl_dim_out, to);
        *verdict = isl_map_is_empty(back) == isl_bool_true ? EDGE_FORWARD : EDGE_BACK;
        isl_map_free(back);
    }
    return *verdict == EDGE_FORWARD;
}

/* Do the edges between the unit at `last` and those before it go forward? */
static bool unit_fits(struct common_search *s, size_t last)
{
    const struct scop_unit *unit = s->units->at[last];
    for (size_t i = 0; i < s->place->edges->count; i++) {
        const struct scop_edge *edge = &s->place->edges->at[i];
        bool touches = edge->from->unit == unit || edge->to->unit == unit;
        if (touches && in_choice(s, edge->from->unit, last + 1) &&
            in_choice(s, edge->to->unit, last + 1) && !edge_is_forward(s, i))
            return false;
    }
    return true;
}

/* The edges between instances of one iteration of the host loop. */
static edge_list edges_within(struct common_search *s)
{
    edge_list within = {0};
    for (size_t i = 0; i < s->place->edges->count; i++) {
        struct scop_edge edge = s->place->edges->at[i];
        if (!in_choice(s, edge.from->unit, s->units->count) ||
            !in_choice(s, edge.to->unit, s->units->count))
            continue;
        isl_map *pairs = isl_map_equate(isl_map_copy(edge.pairs), isl_dim_in,
                                        s->runs[edge.from->unit->id], isl_dim_out,
                                        s->runs[edge.to->unit->id]);
        if (isl_map_is_empty(pairs) == isl_bool_true) {
            isl_map_free(pairs);
            continue;
        }
        edge.pairs = scop_keep_map(s->scop, pairs);
        vec_push(s->scop->arena, &within, edge);
    }
    return within;
}

/* --- the host loop ---------------------------------------------------------------------------- */

static const struct scop_loop *run_of(const struct common_search *s, size_t i)
{
    const struct scop_unit *unit = s->units->at[i];
    return unit->loops[s->runs[unit->id]];
}

/* May the host loop bear the name around all statements? */
static bool name_is_free(const struct common_search *s, const char *name)
{
    for (size_t i = 0; i < s->scop->symbols.count; i++)
        if (!s->scop->symbols.at[i].loop && !strcmp(s->scop->symbols.at[i].text, name))
            return false;
    for (size_t i = 0; i < s->units->count; i++)
        for (size_t k = 0; k < s->units->at[i]->stmts.count; k++)
            if (stmt_means_other(s->scop, s->units->at[i]->stmts.at[k], name, run_of(s, i)))
                return false;
    return true;
}

static const char *name_of(const struct common_search *s)
{
    for (size_t i = 0; i < s->units->count; i++)
        if (name_is_free(s, run_of(s, i)->name))
            return run_of(s, i)->name;
    return words_local(words_of(s->scop->arena, s->scop->unit), "step");
}

/* False if the units' bounds do not differ by constants. */
static bool loop_bounds(const struct common_search *s, struct affine *lower, struct affine *upper)
{
    for (size_t i = 0; i < s->units->count; i++) {
        const struct scop_unit *unit = s->units->at[i];
        struct affine own[2];
        int run = s->runs[unit->id];
        if (!unit_bounds(s->scop, unit, s->place->depth, run, run, &own[0], &own[1]))
            return false;
        if (i == 0) {
            *lower = own[0];
            *upper = own[1];
        } else if (!bound_join(lower, &own[0], false) || !bound_join(upper, &own[1], true)) {
            return false;
        }
    }
    return true;
}

/* NULL if the loop has no affine bounds. */
static const struct scop_loop *loop_make(const struct common_search *s)
{
    struct scop_loop *loop = ARENA_NEW(s->scop->arena, struct scop_loop);
    struct affine lower, upper;
    if (!loop_bounds(s, &lower, &upper))
        return NULL;
    for (size_t i = 0; i < s->units->count; i++)
        if (class_is_unsigned(run_of(s, i)->iterator->type->class))
            return NULL;
    *loop = *run_of(s, 0);
    loop->depth = s->place->depth;
    for (size_t i = 0; i < s->units->count; i++)
        if (strcmp(run_of(s, i)->type, "int") != 0)
            loop->type = run_of(s, i)->type;
    loop->name = name_of(s);
    loop->symbol = affine_symbol_of(s->scop, loop);
    loop->start = s->down ? upper : lower;
    loop->limits[0] = s->down ? lower : upper;
    loop->n_limits = 1;
    loop->step = s->down ? -1 : 1;
    return loop;
}

/* --- choices ---------------------------------------------------------------------------------- */

/* More axes, else fewer host loops, else fewer regions? */
static bool is_better(const struct common_search *s, const struct plan_worth *worth,
                      size_t n_regions)
{
    if (worth->axes != s->worth.axes)
        return worth->axes > s->worth.axes;
    if (worth->hosts != s->worth.hosts)
        return worth->axes > 0 && worth->hosts < s->worth.hosts;
    return s->best && n_regions < s->best->body.count;
}

/* Makes the regions of a choice and keeps them if they are better. */
static void choice_try(struct common_search *s)
{
    const struct scop_loop *loop = loop_make(s);
    if (!loop)
        return;
    edge_list within = edges_within(s);
    struct plan_place place = {.depth = s->place->depth, .edges = &within, .common = loop,
                               .runs = s->runs};
    plan_list body = {0};
    if (!steps_make(s->scop, s->units, &place, &body))
        return;
    struct plan_worth worth = {0};
    steps_worth(&body, 1, &worth);
    if (!is_better(s, &worth, body.count))
        return;
    s->best = ARENA_NEW(s->scop->arena, struct plan_step);
    s->best->kind = PLAN_LOOP;
    s->best->depth = s->place->depth;
    s->best->loop = loop;
    s->best->body = body;
    s->worth = worth;
}

/* Choices of loops for the units from `at` on. */
static void choices_search(struct common_search *s, size_t at)
{
    if (at == s->units->count) {
        s->plans++;
        choice_try(s);
        return;
    }
    const struct scop_unit *unit = s->units->at[at];
    for (int run = s->place->depth; run < unit->depth; run++) {
        int64_t step = unit->loops[run]->step;
        if (s->nodes >= NODES_MAX || s->plans >= PLANS_MAX)
            return;
        s->nodes++;
        s->runs[unit->id] = run;
        if ((step == 1 || step == -1) && unit_fits(s, at))
            choices_search(s, at + 1);
    }
}

struct plan_step *common_make(struct scop *scop, const unit_list *units,
                              const struct plan_place *place,
                              const struct plan_worth *other)
{
    struct common_search *s = ARENA_NEW(scop->arena, struct common_search);
    s->scop = scop;
    s->units = units;
    s->place = place;
    s->worth = *other;
    if (!scop_search_begin(scop))
        return NULL;
    for (int down = 0; down < 2; down++) {
        size_t count = place->edges->count * LOOP_DEPTH_MAX * LOOP_DEPTH_MAX;
        s->down = down;
        s->verdicts = ARENA_ARRAY(scop->arena, char, count + 1);
        choices_search(s, 0);
    }
    scop_search_end(scop);
    return s->best;
}
