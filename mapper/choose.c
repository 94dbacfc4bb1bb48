/* Which changes a fragment gets: those with which its plan is predicted to be faster.

   In: a fragment, read and scheduled as it stands. Out: its plan, with the changes or without. The
   prediction counts executions of a statement by one thread. A launch costs as much as some of
   them; its threads run its statements' instances at once, as many as the device holds, each thread
   one after the other. Every parameter is taken as SIZE_ASSUMED, an outer iterator as the middle of
   its range. So a launch on a loop of the host costs most, then a thread that walks a whole loop
   alone.

   All candidates are tried together, or one after the other where they do not go together; then
   each that does not help is left out. */
#include "mapper/change.h"
#include "mapper/nest.h"
#include <math.h>
#include <stdlib.h>

enum { CANDIDATES_MAX = 8 };
/* What regions cost: to begin one, in statements of some ten nanoseconds, and the threads that
   run at once. A launch takes some microseconds; in a chain (chain.c) it is a barrier, and one
   block. */
struct executor {
    double begin, width;
};
static const struct executor DEVICE = {100, 65536}, BLOCK = {20, 1024};
/* A change is kept if the plan takes at most so much of the time without it. */
static const double GAIN = 0.7;

/* --- what a plan takes ------------------------------------------------------------------------ */

static double value_of(const struct scop *scop, const struct affine *form);

/* The first or last value of an iterator, where outer iterators have middle values. */
static double end_of(const struct scop *scop, const struct scop_loop *loop)
{
    double end = value_of(scop, &loop->limits[0]);
    for (int i = 1; i < loop->n_limits; i++) {
        double other = value_of(scop, &loop->limits[i]);
        end = loop->step > 0 ? fmin(end, other) : fmax(end, other);
    }
    return end;
}

static double value_of(const struct scop *scop, const struct affine *form)
{
    double value = (double)form->constant;
    for (int i = 0; i < form->n_terms; i++) {
        const struct scop_loop *loop = scop->symbols.at[form->terms[i].symbol].loop;
        double one = loop ? (value_of(scop, &loop->start) + end_of(scop, loop)) / 2 : SIZE_ASSUMED;
        value += (double)form->terms[i].factor * one;
    }
    return value;
}

/* Values from one bound to the other; SIZE_ASSUMED where two parameters bound them, of which we do
   not know how far they are apart. */
static double count_of(const struct scop *scop, const struct affine *lower,
                       const struct affine *upper)
{
    struct affine way = *upper;
    double value = value_of(scop, upper) - value_of(scop, lower) + 1;
    bool is_open = affine_add(&way, lower, -1);
    int n_params = 0;
    for (int i = 0; i < way.n_terms; i++)
        n_params += !scop->symbols.at[way.terms[i].symbol].loop;
    return value > 1 ? value : is_open && n_params > 1 ? SIZE_ASSUMED : 1;
}

static double trips_of(const struct scop *scop, const struct scop_loop *loop)
{
    double least = HUGE_VAL;
    for (int i = 0; i < loop->n_limits; i++) {
        bool up = loop->step > 0;
        least = fmin(least, count_of(scop, up ? &loop->start : &loop->limits[i],
                                     up ? &loop->limits[i] : &loop->start));
    }
    return fmax(1, least / fabs((double)loop->step));
}

/* How often the statements of a region run in all. */
static double instances_of(const struct scop *scop, const struct plan_region *region)
{
    double sum = 0;
    for (size_t i = 0; i < region->members.count; i++) {
        const struct scop_unit *unit = region->members.at[i].unit;
        for (size_t k = 0; k < unit->stmts.count; k++) {
            double product = 1;
            for (int at = 0; at < unit->stmts.at[k]->depth; at++)
                product *= trips_of(scop, unit->stmts.at[k]->loops[at]);
            sum += product;
        }
    }
    return sum;
}

static double region_cost(const struct scop *scop, const struct plan_region *region,
                          double launches, const struct executor *executor)
{
    double threads = 1;
    for (int i = 0; i < region->n_axes; i++)
        threads *= count_of(scop, &region->axes[i].lower, &region->axes[i].upper);
    double work = instances_of(scop, region) + launches * threads;
    return launches * executor->begin + work / fmin(threads, executor->width);
}

static double steps_cost(const struct scop *scop, const plan_list *steps, double launches,
                         const struct executor *executor)
{
    double sum = 0;
    for (size_t i = 0; i < steps->count; i++) {
        const struct plan_step *step = steps->at[i];
        double rounds = 1;
        if (step->kind == PLAN_REGION)
            sum += region_cost(scop, &step->region, launches, executor);
        else if (step->kind == PLAN_LOOP)
            rounds = trips_of(scop, step->loop);
        else if (step->kind == PLAN_WAVE)
            rounds = count_of(scop, &step->lower, &step->upper);
        bool is_block = step->kind == PLAN_CHAIN && SIZE_ASSUMED <= step->chain.most;
        sum += is_block ? launches * DEVICE.begin : 0;
        sum += steps_cost(scop, &step->body, launches * rounds, is_block ? &BLOCK : executor);
    }
    return sum;
}

double plan_cost(const struct schedule *plan)
{
    return plan ? steps_cost(plan->scop, &plan->steps, 1, &DEVICE) : HUGE_VAL;
}

/* --- the choice ------------------------------------------------------------------------------- */

struct change_search {
    struct ctx *ctx;
    struct ast_unit *unit;
    struct nest *nest;
    struct change_list changes;      /* of the best plan */
    double cost;
};

/* The plan with some changes; NULL if there is none. */
static struct schedule *plan_with(const struct change_search *s, const struct change_list *changes)
{
    struct change_list *own = ARENA_NEW(s->ctx->arena, struct change_list);
    *own = *changes;
    struct scop *scop = scop_make(s->ctx, s->unit, &s->nest->fragment, own);
    struct schedule *plan = scop->refusal.text ? NULL : schedule_make(scop);
    if (plan && !splitting_is_ordered(plan))
        plan = NULL;
    return scop_limit_end(scop) ? plan : NULL;
}

/* Keeps the plan with the changes if it takes at most `limit`. */
static bool changes_try(struct change_search *s, const struct change_list *changes, double limit)
{
    struct schedule *plan = plan_with(s, changes);
    double cost = plan_cost(plan);
    if (!plan || !(cost <= limit))
        return false;
    s->nest->plan = plan;
    s->changes = *changes;
    s->cost = cost;
    return true;
}

/* A list without its entry at `left_out`; with all of them if that is none. */
static struct change_list list_without(struct arena *arena, const struct change_list *list,
                                       size_t left_out)
{
    struct change_list rest = {0};
    for (size_t i = 0; i < list->count; i++)
        if (i != left_out)
            vec_push(arena, &rest, list->at[i]);
    return rest;
}

/* What gains nothing is left out. */
static void changes_prune(struct change_search *s)
{
    for (size_t i = s->changes.count; i-- > 0 && s->changes.count > 1;) {
        struct change_list rest = list_without(s->ctx->arena, &s->changes, i);
        changes_try(s, &rest, s->cost / GAIN);
    }
}

/* Those that need memory are left out where it cannot be allocated. */
static void candidates_take(struct change_search *s, const struct change_list *found,
                            struct change_list *candidates)
{
    int memory = -1;
    for (size_t i = 0; i < found->count; i++) {
        bool needs = found->at[i].row != TRANSFORMATION_SPLITTING;
        if (needs && memory < 0)
            memory = memory_is_available(s->ctx, s->unit, &s->nest->fragment);
        if ((!needs || memory) && candidates->count < CANDIDATES_MAX)
            vec_push(s->ctx->arena, candidates, found->at[i]);
    }
}

void nest_choose(struct ctx *ctx, struct ast_unit *unit, struct nest *nest,
                 const struct change_list *found)
{
    struct change_search s = {.ctx = ctx, .unit = unit, .nest = nest,
                              .cost = plan_cost(nest->plan)};
    struct change_list candidates = {0};
    candidates_take(&s, found, &candidates);
    if (!candidates.count)
        return;
    if (!changes_try(&s, &candidates, s.cost * GAIN))
        for (size_t i = 0; i < candidates.count && candidates.count > 1; i++) {
            struct change_list more = list_without(ctx->arena, &s.changes, SIZE_MAX);
            vec_push(ctx->arena, &more, candidates.at[i]);
            changes_try(&s, &more, s.cost * GAIN);
        }
    changes_prune(&s);
    if (nest->plan)
        nest->refusal.text = NULL;
}
