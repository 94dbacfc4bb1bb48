/* Regions of one thread that the host takes back.

   In: a schedule. Out: its regions without axes, marked as the host's where their loops walk whole
   arrays: as many loops around a statement as its arrays have axes, or, where these are two and
   more, one less, as for a plane of `u[2][n][n]`. One thread of a device takes
   some tenths of a microsecond for each round, as nothing hides its waiting; a processor takes some
   nanoseconds, and the copy of what it walks costs less than a round for each element. Where the
   loops walk a part (a column), the copy would be of the whole, and the thread stays. */
#include "mapper/plan/panels.h"
#include "mapper/plan/schedule.h"

/* Rounds of a loop from which on it is large: the copy of what it walks costs a launch's time. */
enum { ROUNDS_LARGE = 64 };

bool loop_is_large(const struct scop_loop *loop)
{
    struct affine way = loop->limits[0];
    if (!affine_add(&way, &loop->start, -1) || way.n_terms > 0)
        return true;
    return way.constant / loop->step >= ROUNDS_LARGE - 1;
}

static bool walks_arrays(const struct scop_stmt *stmt, int depth, int least)
{
    int loops = 0, axes = 0;
    for (int at = depth; at < stmt->depth; at++)
        loops += loop_is_large(stmt->loops[at]);
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        int n_dims = stmt->accesses.at[i].array->n_dims;
        axes = n_dims > axes ? n_dims : axes;
    }
    return loops >= least && loops + (loops > 1) >= axes;
}

bool region_walks_arrays(const struct scop *scop, const struct plan_step *step, int least)
{
    const struct plan_region *region = &step->region;
    for (size_t k = 0; k < region->members.count; k++) {
        const struct scop_unit *unit = region->members.at[k].unit;
        for (size_t i = 0; i < unit->stmts.count && !unit_is_in_group(scop, unit); i++)
            if (walks_arrays(unit->stmts.at[i], step->depth, least))
                return true;
    }
    return false;
}

void schedule_alone(const struct scop *scop, plan_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        struct plan_step *step = steps->at[i];
        bool is_one = step->kind == PLAN_REGION && !step->region.n_axes;
        step->region.is_serial |= is_one && region_walks_arrays(scop, step, 1);
        if (step->kind != PLAN_CHAIN)
            schedule_alone(scop, &step->body);
    }
}
