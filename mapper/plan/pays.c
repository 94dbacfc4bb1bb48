/* Where the source's own loops may be the faster ones on a processor.

   In: a plan. Out: the rounds of the source's loops, and how many times as long the plan's order
   takes on one core, for `meta_pays`, which measures both at run time. A plan that walks through
   memory worse than the source does, leaves loops to the host, parts a loop's body or takes its
   loops in another order may lose on a processor whatever it gains on a device: a row that the
   source's loops keep in a cache is fetched in each round of the host, and a region that is small
   costs more than its work. A plan whose regions run the source's loops in their order is left
   alone, since the serial code behind its regions is the source's; so is a plan whose order jumps
   less. */
#include "mapper/plan/nest.h"
#include "mapper/scop/bounds.h"
#include "mapper/scop/choices.h"
#include "mapper/scop/sums.h"
#include <math.h>

/* How many times as long a statement takes on a processor for each access that jumps from line to
   line: measured on PolyBench's cholesky, 2.6 to 3.1 for one of three. */
enum { JUMP_COST = 2, ROUNDS_ASSUMED = 16, LINE_ELEMENTS = 8 };

/* --- walks through memory --------------------------------------------------------------------- */

/* Does the access go to another line from round to round of the loop? */
static bool access_jumps(const struct scop_access *access, const struct scop_loop *loop)
{
    int n = access->array->n_dims;
    for (int dim = 0; dim < n; dim++) {
        const struct affine *form = access_form(access, dim);
        int64_t step = form ? affine_factor(form, loop->symbol) * loop->step : LINE_ELEMENTS;
        if (step && (dim < n - 1 || step >= LINE_ELEMENTS || step <= -LINE_ELEMENTS))
            return true;
    }
    return false;
}

static int stmt_jumps(const struct scop_stmt *stmt, const struct scop_loop *innermost)
{
    int jumps = 0;
    for (size_t i = 0; i < stmt->accesses.count; i++)
        jumps += access_jumps(&stmt->accesses.at[i], innermost);
    return jumps;
}

/* Does the host, an axis or a wavefront run the loop of the member at the depth? */
static bool loop_is_taken(const struct plan_step *step, const struct plan_member *member,
                          const struct scop_stmt *stmt, int depth)
{
    const struct plan_region *region = &step->region;
    bool taken = depth < step->depth || region->follows == stmt->loops[depth] ||
                 (region->common && member->common == depth);
    for (int axis = 0; axis < region->n_axes; axis++)
        taken |= member_loop(member, axis) == stmt->loops[depth];
    return taken;
}

/* Of a statement whose loops are all the host's and the region's the loop that runs innermost, that
   of the x axis. A loop that a thread has counts as the source's innermost one: strategies keep its
   points in registers and its pieces in tiles, so that its jumps say little. */
static const struct scop_loop *innermost_of_member(const struct plan_step *step,
                                                   const struct plan_member *member,
                                                   const struct scop_stmt *stmt)
{
    const struct scop_loop *innermost = stmt->loops[stmt->depth - 1];
    for (int depth = 0; depth < stmt->depth; depth++)
        if (!loop_is_taken(step, member, stmt, depth))
            return innermost;
    for (int axis = 0; axis < step->region.n_axes; axis++)
        if (member_loop(member, axis))
            innermost = member_loop(member, axis);
    return innermost;
}

struct walks {
    int depth;                       /* of the deepest statements, which alone count */
    int stmts, source, plan;         /* their number, accesses of them that jump in either order */
};

static void region_walks(const struct plan_step *step, struct walks *walks)
{
    const struct plan_region *region = &step->region;
    for (size_t i = 0; i < region->members.count; i++) {
        const struct plan_member *member = &region->members.at[i];
        for (size_t k = 0; k < member->unit->stmts.count; k++) {
            const struct scop_stmt *stmt = member->unit->stmts.at[k];
            if (stmt->depth < walks->depth || stmt->node->is_copy)
                continue;
            walks->stmts++;
            walks->source += stmt_jumps(stmt, stmt->loops[stmt->depth - 1]);
            walks->plan += stmt_jumps(stmt, innermost_of_member(step, member, stmt));
        }
    }
}

static void steps_walks(const plan_list *steps, struct walks *walks)
{
    for (size_t i = 0; i < steps->count; i++) {
        if (steps->at[i]->kind == PLAN_REGION)
            region_walks(steps->at[i], walks);
        steps_walks(&steps->at[i]->body, walks);
    }
}

/* --- order ------------------------------------------------------------------------------------ */

static bool region_keeps_order(const struct plan_region *region)
{
    for (size_t i = 0; i < region->members.count; i++)
        for (int axis = 0; axis < region->n_axes; axis++)
            if (region->members.at[i].axes[axis] != axis &&
                region->members.at[i].axes[axis] != AT_POINT)
                return false;
    return true;
}

static bool region_has_loop(const struct plan_region *region, const struct scop_loop *outermost)
{
    for (size_t i = 0; i < region->members.count; i++) {
        const struct scop_unit *unit = region->members.at[i].unit;
        if (unit->depth > 0 && unit->loops[0] == outermost)
            return true;
    }
    return false;
}

/* Does an earlier step run a part of what stands below one of the region's outermost loops? */
static bool loop_is_parted(const plan_list *steps, size_t at)
{
    const struct plan_region *region = &steps->at[at]->region;
    for (size_t i = 0; i < region->members.count; i++) {
        const struct scop_unit *unit = region->members.at[i].unit;
        const struct scop_loop *outermost = unit->depth > 0 ? unit->loops[0] : NULL;
        for (size_t k = 0; k < at; k++)
            if (outermost && region_has_loop(&steps->at[k]->region, outermost))
                return true;
    }
    return false;
}

/* Do regions alone run the source's loops, each in its order? */
static bool plan_keeps_order(const struct schedule *plan)
{
    for (size_t i = 0; i < plan->steps.count; i++) {
        const struct plan_step *step = plan->steps.at[i];
        if (step->kind != PLAN_REGION && step->kind != PLAN_HOST)
            return false;
        if (step->kind == PLAN_REGION &&
            (!region_keeps_order(&step->region) || loop_is_parted(&plan->steps, i)))
            return false;
    }
    return true;
}

/* --- rounds ----------------------------------------------------------------------------------- */

/* The most rounds of a loop, over parameters; false if they are not known. */
static bool loop_rounds(const struct scop *scop, const struct scop_loop *loop, struct affine *out)
{
    const struct affine one = affine_constant(1);
    for (int i = 0; i < loop->n_limits; i++) {
        const bool down = loop->step < 0;
        struct affine form = down ? loop->start : loop->limits[i];
        if (affine_add(&form, down ? &loop->limits[i] : &loop->start, -1) &&
            affine_add(&form, &one, 1) && affine_bound(scop, 0, &form, true, out) &&
            !affine_has_iterator(scop, out))
            return true;
    }
    return false;
}

/* "3.0 * n * (m - 1)": a round counts as many times as it takes as long. */
static const char *rounds_text(const struct scop *scop, const struct scop_stmt *stmt, int weight)
{
    double number = weight;
    struct str factors = str_new(scop->arena);
    for (int i = 0; i < stmt->depth; i++) {
        struct affine rounds;
        if (!loop_rounds(scop, stmt->loops[i], &rounds))
            rounds = affine_constant(ROUNDS_ASSUMED);
        if (rounds.n_terms)
            str_addf(&factors, " * %s", affine_operand_text(scop, &rounds));
        else
            number *= rounds.constant > 0 ? (double)rounds.constant : 0;
        number /= fabs((double)stmt->loops[i]->step);
    }
    const char *constant = arena_printf(scop->arena, "%.0f.0", number < 1 ? 1 : number);
    return arena_printf(scop->arena, "%s%s", constant, factors.text);
}

static const struct scop_stmt *deepest_stmt(const struct scop *scop)
{
    const struct scop_stmt *deepest = NULL;
    for (size_t i = 0; i < scop->stmts.count; i++) {
        const struct scop_stmt *stmt = scop->stmts.at[i];
        if (!stmt->node->is_copy && stmt->depth > (deepest ? deepest->depth : 0))
            deepest = stmt;
    }
    return deepest;
}

/* May a read stand in a loop that takes sums in lanes (ir/own.c)? Threads along several axes read
   each their own row. */
static bool read_is_row(const struct plan_member *member, int n_axes,
                        const struct scop_stmt *stmt, const struct scop_access *access)
{
    const struct scop_loop *loop = stmt->loops[stmt->depth - 1];
    const struct affine *subscripts = access->subscripts;
    int n_dims = access->array->n_dims, own = 0;
    bool moves = false, is_column = false;
    for (int d = 0; d < n_dims; d++) {
        if (!access->is_affine[d] || access->alternatives.count)
            return true;
        moves |= affine_factor(&subscripts[d], loop->symbol) != 0;
    }
    for (int axis = 0; axis < n_axes; axis++) {
        if (member->axes[axis] == AT_POINT)
            return true;
        int symbol = stmt->loops[member->axes[axis]]->symbol;
        bool is_used = false;
        for (int d = 0; d < n_dims; d++)
            is_used |= affine_factor(&subscripts[d], symbol) != 0;
        own += is_used;
        is_column = affine_factor(&subscripts[n_dims - 1], symbol) == 1;
    }
    return !moves || !own || (own == n_axes && !is_column);
}

/* May the innermost loop around a sum take it in lanes? */
static bool may_take_lanes(const struct plan_member *member, int n_axes,
                           const struct scop_stmt *sum)
{
    for (size_t k = 0; k < member->unit->stmts.count; k++) {
        const struct scop_stmt *stmt = member->unit->stmts.at[k];
        if (stmt->depth != sum->depth || stmt->loops[stmt->depth - 1] != sum->loops[sum->depth - 1])
            continue;
        for (size_t a = 0; a < stmt->accesses.count; a++) {
            const struct scop_access *access = &stmt->accesses.at[a];
            if (!access->is_write && access->array->n_dims &&
                !read_is_row(member, n_axes, stmt, access))
                return false;
        }
    }
    return true;
}

/* Does a thread of the region take a sum over a loop of its own that depends on the order? */
static bool region_rounds(const struct plan_region *region)
{
    bool inexact = false;
    for (size_t i = 0; i < region->members.count; i++) {
        const struct plan_member *member = &region->members.at[i];
        for (size_t k = 0; k < member->unit->stmts.count; k++) {
            const struct scop_stmt *stmt = member->unit->stmts.at[k];
            for (size_t a = 0; a < stmt->accesses.count && stmt->depth > region->n_axes; a++) {
                const struct scop_access *access = &stmt->accesses.at[a];
                inexact |= access->reduction && !sum_is_exact(access->array, access->reduction) &&
                           (region->n_axes == 1 || may_take_lanes(member, region->n_axes, stmt));
            }
        }
    }
    return inexact;
}

/* Do threads add up numbers in another order than the source, so that their sum has other bits?
   The result must not depend on what was measured. */
static bool steps_round(const struct scop *scop, const plan_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct plan_region *region = &steps->at[i]->region;
        bool inexact = false;
        for (size_t k = 0; k < region->sums.count; k++)
            inexact |= !sum_is_exact(region->sums.at[k].array, region->sums.at[k].reduction);
        if (scop->ctx->reassociates)
            inexact |= region_rounds(region);
        if (inexact || steps_round(scop, &steps->at[i]->body))
            return true;
    }
    return false;
}

/* Does the statement accumulate over one loop of its thread, in single steps, or has it no loop
   there? */
static bool stmt_sums_column(const struct scop_stmt *stmt, int depth)
{
    bool sums = false;
    if (stmt->depth <= depth + 1)
        return true;
    for (size_t a = 0; a < stmt->accesses.count; a++)
        sums |= stmt->accesses.at[a].is_write && stmt->accesses.at[a].reduction;
    return sums && stmt->depth == depth + 2 && stmt->loops[depth]->step == 1 &&
           stmt->loops[depth + 1]->step == 1;
}

static bool region_sums_columns(const struct plan_region *region, int depth)
{
    if (region->n_axes != 1)
        return false;
    for (size_t i = 0; i < region->members.count; i++) {
        const struct scop_unit *unit = region->members.at[i].unit;
        for (size_t k = 0; k < unit->stmts.count; k++)
            if (!stmt_sums_column(unit->stmts.at[k], depth))
                return false;
    }
    return true;
}

/* Are there regions alone, whose threads sum columns or keep the source's order? Serial code in
   place of the former goes along rows as the source does (emit/serial.c). */
static bool plan_sums_columns(const struct schedule *plan)
{
    for (size_t i = 0; i < plan->steps.count; i++) {
        const struct plan_step *step = plan->steps.at[i];
        if (step->kind != PLAN_REGION && step->kind != PLAN_HOST)
            return false;
        if (step->kind == PLAN_REGION && !region_keeps_order(&step->region) &&
            !region_sums_columns(&step->region, step->depth))
            return false;
        if (step->kind == PLAN_REGION && loop_is_parted(&plan->steps, i))
            return false;
    }
    return true;
}

/* Are running sums computed in chunks, whose elements are read twice? */
static bool has_scan(const struct scop *scop)
{
    bool found = false;
    for (size_t i = 0; i < scop->memories.count; i++)
        found |= scop->memories.at[i]->scanned != NULL;
    return found;
}

const char *plan_pays_text(const struct schedule *plan)
{
    const struct schedule *last = plan;
    while (last->otherwise)
        last = last->otherwise;
    const struct scop_stmt *stmt = deepest_stmt(last->scop);
    if (!stmt || !steps_have_region(&last->steps) || steps_round(last->scop, &last->steps))
        return NULL;
    if (has_scan(last->scop))
        return arena_printf(plan->scop->arena, "meta_pays(%s, 2)",
                            rounds_text(last->scop, stmt, 1));
    if (plan_keeps_order(last) || plan_sums_columns(last))
        return NULL;
    struct walks walks = {.depth = stmt->depth};
    steps_walks(&last->steps, &walks);
    if (walks.source > walks.plan)
        return NULL;
    int n = walks.stmts > 0 ? walks.stmts : 1, source = 1 + JUMP_COST * walks.source / n;
    return arena_printf(plan->scop->arena, "meta_pays(%s, %d)",
                        rounds_text(last->scop, stmt, source),
                        (1 + JUMP_COST * walks.plan / n) / source);
}
