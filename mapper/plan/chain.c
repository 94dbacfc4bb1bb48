/* Chains: rounds of the host whose regions are small become one region of one block.

   In: the steps of a schedule, with the boxes of their regions. Out: steps of kind PLAN_CHAIN
   around runs of them. A host that launches a few thousand threads at a time waits for launches,
   not for threads: solving a triangular system of 2,000 rows takes 4,000 launches. In a chain the
   host's loops stand at block level, each region is a band of the block's threads, which go on in
   steps of all of them, and what has no axis is done by thread 0. The barriers between bands keep
   the order that the launches had, so that a chain is as legal as the steps in it.

   A block is one of many that a device runs at once, hence a chain is chosen by prediction: one
   round of it is compared with its launches, by the coefficients below. That gives a number of
   elements up to which the block is faster. Sizes are known when the program runs, so the printed
   text tests them there, and runs the steps from the host where they are larger. Steps whose
   threads have loops, or of two axes and more, do not enter a chain: they are worth a launch. */
#include "frontend/ask.h"
#include "mapper/forms/transformations.h"
#include "mapper/plan/chain.h"
#include "mapper/plan/nest.h"
#include "mapper/plan/order.h"
#include "mapper/plan/schedule.h"
#include "mapper/scop/bounds.h"
#include "mapper/scop/sets.h"

/* From the tables of the model of predicted time (runtime/machine.def, model.def;
   docs/counters.md): a launch; a barrier and what is read behind it from the second-level cache; a
   sector of 32 bytes, of which that cache gives a multiprocessor one per cycle, at 2 GHz. */
enum { LAUNCH_NS = 5000, BAND_NS = 1000, SECTOR_PS = 500 };
enum { ELEMENTS_LEAST = 64, ELEMENTS_MOST = 1 << 20, BLOCK_EXTENT = 256 };

struct chain_search {
    struct scop *scop;
    struct plan_chain *chain;
    int n_loops;                     /* of the chain, around what is looked at */
    const struct scop_loop *loops[LOOP_DEPTH_MAX];
    int n_rounds, n_regions;         /* regions within its loops, and in all */
    double sectors;                  /* touched by an element of each region in the loops, in sum */
    bool has_thread;                 /* a step outside its loops always runs */
};

struct affine axis_points(const struct plan_axis *axis)
{
    struct affine points = axis->upper, one = affine_constant(1);
    affine_add(&points, &axis->lower, -1);
    affine_add(&points, &one, 1);
    return points;
}

/* --- what a chain may hold -------------------------------------------------------------------- */

bool region_is_flat(int depth, const struct plan_region *region)
{
    for (size_t i = 0; i < region->members.count; i++) {
        const struct plan_member *member = &region->members.at[i];
        int loops = depth + (region->common ? 1 : 0);
        for (int axis = 0; axis < region->n_axes; axis++)
            loops += member->axes[axis] != AT_POINT;
        for (size_t k = 0; k < member->unit->stmts.count; k++)
            if (member->unit->stmts.at[k]->depth > loops ||
                ast_has(member->unit->stmts.at[k]->ast, AST_FOR))
                return false;
    }
    return true;
}

static bool is_link(const struct scop *scop, const struct plan_step *step)
{
    const struct plan_region *region = &step->region;
    if (step->kind == PLAN_REGION)
        return !region->follows && !region->is_serial && !region->sums.count &&
               region->n_axes <= 1 && !region->is_strip &&
               (region->n_axes || !region_walks_arrays(scop, step, 2)) &&
               (!region->n_axes || region->axes[0].step <= 1) &&
               (!region->n_axes || region_is_flat(step->depth, region));
    for (size_t i = 0; i < step->body.count; i++)
        if (!is_link(scop, step->body.at[i]))
            return false;
    return step->kind == PLAN_LOOP && step->loop->n_limits == 1;
}

/* --- the sizes of a chain --------------------------------------------------------------------- */

/* Adds a form to the list, of forms that differ by a constant the least or the greatest; false if
   there are too many. */
static bool extent_form_add(struct affine *forms, int *n, const struct affine *form, bool greatest)
{
    for (int i = 0; i < *n; i++)
        if (bound_join(&forms[i], form, greatest))
            return true;
    if (*n == CHAIN_FORMS)
        return false;
    forms[(*n)++] = *form;
    return true;
}

/* The form with the iterators of the chain's loops at the ends where it is greatest; false on
   overflow. */
static bool form_greatest(const struct chain_search *s, struct affine *form)
{
    for (int i = s->n_loops - 1; i >= 0; i--) {
        const struct scop_loop *loop = s->loops[i];
        int64_t factor = affine_factor(form, loop->symbol);
        struct affine iterator = affine_iterator(loop);
        bool is_start = (loop->step > 0) == (factor < 0);
        if (factor && (!affine_add(form, &iterator, -factor) ||
                       !affine_add(form, is_start ? &loop->start : &loop->limits[0], factor)))
            return false;
    }
    return true;
}

static bool region_count(struct chain_search *s, const struct plan_step *step)
{
    struct plan_chain *chain = s->chain;
    s->n_regions++;
    s->n_rounds += s->n_loops > 0;
    s->has_thread |= !s->n_loops && !step->region.n_axes;
    if (!step->region.n_axes)
        return true;
    struct affine points = axis_points(&step->region.axes[0]), most = points;
    if (!form_greatest(s, &most) ||
        !extent_form_add(chain->sizes, &chain->n_sizes, &most, true))
        return false;
    for (size_t i = 0; i < step->region.members.count; i++)
        if (s->n_loops || chain->is_round)
            s->sectors += unit_sectors(&step->region, &step->region.members.at[i]);
    return s->n_loops || extent_form_add(chain->positive, &chain->n_positive, &points, false);
}

static bool steps_count(struct chain_search *s, const plan_list *steps, size_t from, size_t to);

/* The rounds of a loop; outside of all others they must be more than none for the chain to run. */
static bool loop_count(struct chain_search *s, const struct plan_step *step)
{
    const struct scop_loop *loop = step->loop;
    if (s->n_loops == LOOP_DEPTH_MAX)
        return false;
    for (int i = 0; !s->n_loops && i < loop->n_limits; i++) {
        struct affine first = loop->start, last = loop->limits[i], one = affine_constant(1);
        bool up = loop->step > 0;
        struct affine rounds = up ? last : first;
        if (!affine_add(&rounds, up ? &first : &last, -1) || !affine_add(&rounds, &one, 1) ||
            !extent_form_add(s->chain->positive, &s->chain->n_positive, &rounds, false))
            return false;
    }
    s->loops[s->n_loops++] = loop;
    bool good = steps_count(s, &step->body, 0, step->body.count);
    s->n_loops--;
    return good;
}

static bool steps_count(struct chain_search *s, const plan_list *steps, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const struct plan_step *step = steps->at[i];
        if (step->kind == PLAN_REGION ? !region_count(s, step) : !loop_count(s, step))
            return false;
    }
    return true;
}

/* --- the choice ------------------------------------------------------------------------------- */

/* Elements of a round up to which one block is predicted to be faster than its launches, a power of
   two; 0: none. */
static int64_t elements_most(const struct chain_search *s)
{
    int regions = s->n_rounds ? s->n_rounds : s->n_regions, launches = s->n_rounds ? 0 : 1;
    double spare = (double)(regions - launches) * LAUNCH_NS - (double)regions * BAND_NS;
    int64_t most = ELEMENTS_LEAST;
    while (most < ELEMENTS_MOST && (double)(2 * most) * s->sectors * SECTOR_PS <= spare * 1000)
        most *= 2;
    return (double)most * s->sectors * SECTOR_PS <= spare * 1000 ? most : 0;
}

/* Takes literal sizes out of the tests of the text; false if a literal size is too large. */
static bool sizes_settle(struct plan_chain *chain)
{
    int n = 0;
    for (int i = 0; i < chain->n_sizes; i++) {
        if (!chain->sizes[i].n_terms && chain->sizes[i].constant > chain->most)
            return false;
        if (chain->sizes[i].n_terms)
            chain->sizes[n++] = chain->sizes[i];
    }
    chain->n_sizes = n;
    return true;
}

/* The conditions for anything to run, but for those that the loops around say. */
static void positive_settle(const struct chain_search *s, const struct chain_hosts *hosts)
{
    struct plan_chain *chain = s->chain;
    int n = 0;
    for (int i = 0; i < chain->n_positive; i++)
        if (!s->has_thread &&
            !loops_imply_positive(s->scop, place_below(hosts->loops, hosts->n),
                                  &chain->positive[i]))
            chain->positive[n++] = chain->positive[i];
    chain->n_positive = n;
}

/* A chain of the steps from `from` on, below the loops of the host; NULL if none pays. */
static struct plan_step *chain_make(struct scop *scop, const plan_list *steps, size_t from,
                                    size_t to, const struct chain_hosts *hosts)
{
    struct plan_step *step = ARENA_NEW(scop->arena, struct plan_step);
    struct chain_search s = {.scop = scop, .chain = &step->chain};
    step->kind = PLAN_CHAIN;
    step->depth = steps->at[from]->depth;
    step->chain.extent = BLOCK_EXTENT;
    for (size_t i = from; i < to; i++)
        vec_push(scop->arena, &step->body, steps->at[i]);
    bool has_loop = false;
    for (size_t i = from; i < to; i++)
        has_loop |= steps->at[i]->kind == PLAN_LOOP;
    step->chain.is_round = !has_loop;
    if (!has_loop && !hosts->n)
        return NULL;
    if (!steps_count(&s, steps, from, to) || !step->chain.n_sizes)
        return NULL;
    step->chain.most = elements_most(&s);
    if (!step->chain.most || !sizes_settle(&step->chain))
        return NULL;
    positive_settle(&s, hosts);
    return step;
}

static void steps_chain(struct scop *scop, plan_list *steps, const struct chain_hosts *hosts)
{
    plan_list chained = {0};
    for (size_t i = 0; i < steps->count;) {
        struct plan_step *step = steps->at[i], *chain = NULL;
        size_t end = i;
        while (end < steps->count && is_link(scop, steps->at[end]))
            end++;
        if (end > i)
            chain = chain_make(scop, steps, i, end, hosts);
        if (!chain && step->kind == PLAN_LOOP && hosts->n < LOOP_DEPTH_MAX) {
            struct chain_hosts inner = *hosts;
            inner.loops[inner.n++] = step->loop;
            steps_chain(scop, &step->body, &inner);
        }
        vec_push(scop->arena, &chained, chain ? chain : step);
        i = chain ? end : i + 1;
    }
    *steps = chained;
}

void schedule_chain(struct scop *scop, plan_list *steps)
{
    struct chain_hosts none = {0};
    if (transformation_is_on(scop->ctx, TRANSFORMATION_CHAINS) &&
        transformation_is_on(scop->ctx, TRANSFORMATION_STRIP_MINING))
        steps_chain(scop, steps, &none);
}
