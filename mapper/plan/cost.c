/* The predicted time of a plan.

   In: a schedule, and assumed sizes. Out: the schedule's time in executions of a loop's body by one
   thread, some fifty nanoseconds. A launch costs as much as some of them. Its threads run the
   iterations at once, as many as the device holds, each thread one after the other; or its memory
   takes longer: each array is moved once for each launch that touches it, as far as it is touched.
   An outer iterator counts as the middle of its range. So a launch on a loop of the host costs
   most, then a thread that walks a whole loop alone, then what two regions hand to each other
   through memory where one would have kept it in a register. */
#include "mapper/plan/cost.h"
#include "mapper/plan/strips.h"
#include <math.h>
#include <string.h>

/* The figures of an executor of regions: the time to begin a region, the threads that run at once,
   and the bytes that these threads move in the time of a body, from memory and from the
   second-level cache. A launch takes some microseconds; in a chain (chain.c) it is a barrier, and
   one block. */
struct executor {
    double begin, width, memory, cache;
};
static const struct executor DEVICE = {100, THREADS_BUSY, 75e3, 250e3};
static const struct executor BLOCK = {20, 1024, 3200, 3200};
/* A launch that touches at most so many bytes finds these in the second-level cache. */
static const double CACHE_BYTES = 32e6;

const struct cost_sizes COST_ASSUMED = {.other = SIZE_ASSUMED};

struct costing {
    const struct scop *scop;
    const struct cost_sizes *sizes;
};

static double form_value(const struct costing *c, const struct affine *form);

/* The first or last value of an iterator, where outer iterators have middle values. */
static double end_value(const struct costing *c, const struct scop_loop *loop)
{
    double end = form_value(c, &loop->limits[0]);
    for (int i = 1; i < loop->n_limits; i++) {
        double other = form_value(c, &loop->limits[i]);
        end = loop->step > 0 ? fmin(end, other) : fmax(end, other);
    }
    return end;
}

/* The assumed value of a parameter. */
static double size_of(const struct costing *c, int symbol)
{
    const struct cost_sizes *sizes = c->sizes;
    for (size_t i = 0; i < sizes->n_given; i++)
        if (!strcmp(sizes->given[i].name, c->scop->symbols.at[symbol].text))
            return sizes->given[i].value;
    return sizes->axis && affine_factor(sizes->axis, symbol) ? sizes->points : sizes->other;
}

static double form_value(const struct costing *c, const struct affine *form)
{
    double value = (double)form->constant;
    for (int i = 0; i < form->n_terms; i++) {
        int symbol = form->terms[i].symbol;
        const struct scop_loop *loop = c->scop->symbols.at[symbol].loop;
        double one = loop ? (form_value(c, &loop->start) + end_value(c, loop)) / 2
                          : size_of(c, symbol);
        value += (double)form->terms[i].factor * one;
    }
    return value;
}

/* Values from one bound to the other; the size of others where two parameters bound them, of which
   we do not know how far they are apart. */
static double points_count(const struct costing *c, const struct affine *lower,
                           const struct affine *upper)
{
    struct affine way = *upper;
    double value = form_value(c, upper) - form_value(c, lower) + 1;
    bool is_open = affine_add(&way, lower, -1);
    int n_params = 0;
    for (int i = 0; i < way.n_terms; i++)
        n_params += !c->scop->symbols.at[way.terms[i].symbol].loop;
    return value > 1 ? value : is_open && n_params > 1 ? c->sizes->other : 1;
}

static double trips_of(const struct costing *c, const struct scop_loop *loop)
{
    double least = HUGE_VAL;
    for (int i = 0; i < loop->n_limits; i++) {
        bool up = loop->step > 0;
        least = fmin(least, points_count(c, up ? &loop->start : &loop->limits[i],
                                         up ? &loop->limits[i] : &loop->start));
    }
    return fmax(1, least / fabs((double)loop->step));
}

typedef VEC(const struct scop_stmt *) stmt_list;

static stmt_list region_stmts(struct arena *arena, const struct plan_region *region)
{
    stmt_list list = {0};
    for (size_t i = 0; i < region->members.count; i++)
        for (size_t k = 0; k < region->members.at[i].unit->stmts.count; k++)
            vec_push(arena, &list, region->members.at[i].unit->stmts.at[k]);
    return list;
}

/* Does a statement before the one at `at` stand in the same loop? */
static bool shares_body(const stmt_list *list, size_t at)
{
    int depth = list->at[at]->depth;
    if (!depth)
        return false;
    for (size_t i = 0; i < at; i++)
        if (list->at[i]->depth == depth &&
            list->at[i]->loops[depth - 1] == list->at[at]->loops[depth - 1])
            return true;
    return false;
}

/* How often the bodies of the statements' loops run in all: what a thread waits for are the loads
   of an iteration, which its statements have in flight together. */
static double bodies_of(const struct costing *c, const stmt_list *list)
{
    double sum = 0;
    for (size_t i = 0; i < list->count; i++) {
        double product = 1;
        for (int at = 0; at < list->at[i]->depth; at++)
            product *= trips_of(c, list->at[i]->loops[at]);
        sum += shares_body(list, i) ? 0 : product;
    }
    return sum;
}

static double scop_bodies(const struct costing *c)
{
    stmt_list list = {0};
    for (size_t i = 0; i < c->scop->units.count; i++)
        for (size_t k = 0; k < c->scop->units.at[i]->stmts.count; k++)
            vec_push(c->scop->arena, &list, c->scop->units.at[i]->stmts.at[k]);
    return bodies_of(c, &list);
}

/* Of regions without axes, which one thread runs. */
static double bodies_alone(const struct costing *c, const plan_list *steps)
{
    double sum = 0;
    for (size_t i = 0; i < steps->count; i++) {
        const struct plan_step *step = steps->at[i];
        stmt_list list = region_stmts(c->scop->arena, &step->region);
        bool is_alone = step->kind == PLAN_REGION && !step->region.n_axes;
        sum += is_alone ? bodies_of(c, &list) : bodies_alone(c, &step->body);
    }
    return sum;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* The bytes of one array that a region moves in all launches: those of the greatest read and of the
   greatest write. */
struct moved {
    const struct scop_array *array;
    double bytes[2];
};
typedef VEC(struct moved) moved_list;

/* Does the element depend on the loop's iterator? */
static bool follows_loop(const struct scop_access *access, const struct scop_loop *loop)
{
    for (int dim = 0; dim < access->array->n_dims; dim++)
        if (!access->is_affine[dim] || affine_factor(&access->subscripts[dim], loop->symbol))
            return true;
    return false;
}

/* Bytes of the elements that the access touches below `depth` loops of the host, in all their
   iterations. */
static double access_bytes(const struct costing *c, const struct scop_stmt *stmt, int depth,
                           const struct scop_access *access)
{
    const struct ast_type *type = access->ast->type;
    double bytes = type && type->bytes > 0 ? (double)type->bytes : 4;
    for (int at = 0; at < stmt->depth; at++)
        if (at < depth || follows_loop(access, stmt->loops[at]))
            bytes *= trips_of(c, stmt->loops[at]);
    return bytes;
}

static void moved_add(struct arena *arena, moved_list *list, const struct scop_access *access,
                      double bytes)
{
    size_t i = 0;
    while (i < list->count && list->at[i].array != access->array)
        i++;
    if (i == list->count)
        vec_push(arena, list, (struct moved){.array = access->array});
    double *most = &list->at[i].bytes[access->is_write];
    *most = fmax(*most, bytes);
}

static double bytes_of(const struct costing *c, const struct plan_step *step)
{
    moved_list list = {0};
    double sum = 0;
    stmt_list stmts = region_stmts(c->scop->arena, &step->region);
    for (size_t i = 0; i < stmts.count; i++)
        for (size_t a = 0; a < stmts.at[i]->accesses.count; a++) {
            const struct scop_access *access = &stmts.at[i]->accesses.at[a];
            if (access->array->n_dims)
                moved_add(c->scop->arena, &list, access,
                          access_bytes(c, stmts.at[i], step->depth, access));
        }
    for (size_t i = 0; i < list.count; i++)
        sum += list.at[i].bytes[0] + list.at[i].bytes[1];
    return sum;
}

/* --- steps ------------------------------------------------------------------------------------ */

static double region_cost(const struct costing *c, const struct plan_step *step, double launches,
                          const struct executor *executor)
{
    const struct plan_region *region = &step->region;
    double threads = 1;
    if (region->is_strip)
        threads *= (double)STRIP_LANES / (double)strip_points(region, step->depth);
    for (int i = 0; i < region->n_axes; i++)
        threads *= points_count(c, &region->axes[i].lower, &region->axes[i].upper);
    stmt_list stmts = region_stmts(c->scop->arena, region);
    double work = bodies_of(c, &stmts) + launches * threads, bytes = bytes_of(c, step);
    bool fits = bytes <= launches * CACHE_BYTES;
    launches *= region->sums.count ? 2 : 1;
    return launches * executor->begin +
           fmax(work / fmin(threads, executor->width),
                bytes / (fits ? executor->cache : executor->memory));
}

/* How often a step of the host runs its body. */
static double step_rounds(const struct costing *c, const struct plan_step *step)
{
    if (step->kind == PLAN_LOOP)
        return trips_of(c, step->loop);
    return step->kind == PLAN_WAVE ? points_count(c, &step->lower, &step->upper) : 1;
}

static double steps_cost(const struct costing *c, const plan_list *steps, double launches,
                         const struct executor *executor)
{
    double sum = 0;
    for (size_t i = 0; i < steps->count; i++) {
        const struct plan_step *step = steps->at[i];
        double rounds = step_rounds(c, step);
        if (step->kind == PLAN_REGION)
            sum += region_cost(c, step, launches, executor);
        bool is_block = step->kind == PLAN_CHAIN && c->sizes->other <= (double)step->chain.most;
        sum += is_block ? launches * DEVICE.begin : 0;
        sum += steps_cost(c, &step->body, launches * rounds, is_block ? &BLOCK : executor);
    }
    return sum;
}

double plan_cost(const struct schedule *plan, const struct cost_sizes *sizes)
{
    if (!plan)
        return HUGE_VAL;
    struct costing c = {plan->scop, sizes};
    return steps_cost(&c, &plan->steps, 1, &DEVICE);
}

/* The cost of a step among the steps; 0: the step is none of them. */
static double cost_within(const struct costing *c, const plan_list *steps, double launches,
                          const struct plan_step *wanted)
{
    double found = 0;
    for (size_t i = 0; i < steps->count && !found; i++) {
        struct plan_step *step = steps->at[i];
        const plan_list one = {.at = &step, .count = 1};
        found = step == wanted ? steps_cost(c, &one, launches, &DEVICE)
                               : cost_within(c, &step->body, launches * step_rounds(c, step),
                                             wanted);
    }
    return found;
}

double plan_step_cost(const struct schedule *plan, const struct cost_sizes *sizes,
                      const struct plan_step *step)
{
    struct costing c = {plan->scop, sizes};
    return cost_within(&c, &plan->steps, 1, step);
}

struct cost_sizes choice_sizes(const struct map_choice *choice)
{
    return (struct cost_sizes){.other = SIZE_ASSUMED, .given = choice->sizes,
                               .n_given = choice->n_sizes};
}

const double *cost_values(struct scop *scop, const struct map_choice *choice)
{
    const struct cost_sizes sizes = choice_sizes(choice);
    const struct costing c = {scop, &sizes};
    double *values = ARENA_ARRAY(scop->arena, double, scop->symbols.count + 1);
    for (size_t i = 0; i < scop->symbols.count; i++) {
        const struct scop_loop *loop = scop->symbols.at[i].loop;
        values[i] = loop ? (form_value(&c, &loop->start) + end_value(&c, loop)) / 2
                         : size_of(&c, (int)i);
    }
    return values;
}

double region_rounds(const struct scop *scop, const struct cost_sizes *sizes,
                     const plan_list *steps, const struct plan_region *region)
{
    const struct costing c = {scop, sizes};
    double found = 0;
    for (size_t i = 0; i < steps->count && !found; i++)
        found = &steps->at[i]->region == region
                    ? 1
                    : step_rounds(&c, steps->at[i]) *
                          region_rounds(scop, sizes, &steps->at[i]->body, region);
    return found;
}

double plan_share_alone(const struct schedule *plan, const struct scop *unchanged,
                        const struct cost_sizes *sizes)
{
    const struct costing of_plan = {plan->scop, sizes}, of_scop = {unchanged, sizes};
    return bodies_alone(&of_plan, &plan->steps) / scop_bodies(&of_scop);
}

const struct plan_region *plan_dearest(const struct schedule *plan, const struct cost_sizes *sizes)
{
    struct costing c = {plan->scop, sizes};
    const struct plan_region *dearest = NULL;
    double most = -1;
    for (size_t i = 0; i < plan->steps.count; i++) {
        const struct plan_step *step = plan->steps.at[i];
        if (step->kind == PLAN_HOST)
            continue;
        if (step->kind != PLAN_REGION)
            return NULL;
        double cost = region_cost(&c, step, 1, &DEVICE);
        if (cost > most)
            dearest = &step->region;
        most = fmax(cost, most);
    }
    return dearest;
}
