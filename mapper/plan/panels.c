/* Which loops of the host may run in groups of rounds, and where statements are cut for that.

   In: a plan. Out: candidates, each a loop of the host with the loop of each statement that it
   runs. A factorization that goes column by column updates all that is right of a column at once,
   and so moves the whole rest of the matrix through memory in each round. With the rounds in groups
   the columns of a group come first; then the rest gets the updates of all of them in one launch.

   Any element is needed by the round that its iterator names: A[i][j] by round j. So a loop is cut
   at the end of a group if its iterator equals that of the host where the element is used, or
   equals that of another loop that is cut. The dependences tell; no form of a statement is looked
   for. */
#include "mapper/plan/panels.h"
#include "mapper/plan/schedule.h"
#include "mapper/scop/depend.h"

int panel_run_of(const struct panel_loop *panel, const struct scop_stmt *stmt)
{
    for (int i = 0; i < panel->n_stmts; i++)
        if (panel->runs[i].stmt == stmt->ast)
            return panel->runs[i].at;
    return RUNS_NONE;
}

/* --- cuts ------------------------------------------------------------------------------------- */

bool cuts_have(const cut_list *cuts, const struct scop_loop *loop)
{
    for (size_t i = 0; i < cuts->count; i++)
        if (cuts->at[i] == loop)
            return true;
    return false;
}

/* Does the loop's iterator equal that of a loop that is cut at the edge's other end? */
static bool edge_cuts(const struct panel_loop *panel, const cut_list *cuts,
                      const struct scop_edge *edge, int at)
{
    const struct scop_unit *to = edge->to->unit;
    for (int other = panel->depth; other < to->depth; other++)
        if (cuts_have(cuts, to->loops[other]) && edge_is_level(edge, at, other))
            return true;
    return false;
}

/* Adds the loops that the edge cuts. */
static void edge_read(const struct scop *scop, const struct panel_loop *panel,
                      const struct scop_edge *edge, cut_list *cuts)
{
    const struct scop_unit *from = edge->from->unit;
    if (panel_run_of(panel, edge->from) == RUNS_NONE || edge->level <= panel->depth ||
        panel_run_of(panel, edge->to) == RUNS_NONE)
        return;
    for (int at = panel->depth; at < from->depth; at++)
        if (!cuts_have(cuts, from->loops[at]) && edge_cuts(panel, cuts, edge, at))
            vec_push(scop->arena, cuts, from->loops[at]);
}

void panel_cuts(const struct scop *scop, const struct panel_loop *panel, cut_list *cuts)
{
    for (size_t i = 0; i < scop->stmts.count; i++) {
        int run = panel_run_of(panel, scop->stmts.at[i]);
        if (run != RUNS_NONE && !cuts_have(cuts, scop->stmts.at[i]->loops[run]))
            vec_push(scop->arena, cuts, scop->stmts.at[i]->loops[run]);
    }
    for (size_t before = 0; before < cuts->count;) {
        before = cuts->count;
        for (size_t i = 0; i < scop->edges.count; i++)
            edge_read(scop, panel, &scop->edges.at[i], cuts);
    }
}

/* --- candidates ------------------------------------------------------------------------------- */

/* The depth of the unit's loop that the step of the host runs; RUNS_NONE if the step runs the loops
   of units otherwise. */
static int run_in(const struct plan_step *step, const struct plan_step *inner,
                  const struct scop_unit *unit)
{
    const struct plan_member *member = region_member(&inner->region, unit);
    if (member && inner->region.common == step->loop)
        return member->common;
    if (step->depth < unit->depth && unit->loops[step->depth] == step->loop)
        return step->depth;
    return RUNS_NONE;
}

/* Adds the runs of what the steps hold; false if the host runs something itself. */
static bool runs_read(const struct plan_step *step, const plan_list *steps,
                      struct panel_loop *panel)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct plan_step *inner = steps->at[i];
        if (inner->kind == PLAN_HOST || inner->kind == PLAN_WAVE || inner->region.is_strip ||
            inner->region.sums.count || !runs_read(step, &inner->body, panel))
            return false;
        for (size_t k = 0; k < inner->region.members.count; k++) {
            const struct scop_unit *unit = inner->region.members.at[k].unit;
            int run = run_in(step, inner, unit);
            if (run == RUNS_NONE)
                return false;
            for (size_t n = 0; n < unit->stmts.count; n++)
                panel->runs[panel->n_stmts++] = (struct panel_run){unit->stmts.at[n]->ast, run};
        }
    }
    return true;
}

/* Do all units stand in one nest below the loops of the host around, each loop that the host runs
   counting by 1? */
static bool is_one_nest(const struct scop *scop, const struct panel_loop *panel)
{
    const struct scop_loop *root = NULL;
    for (size_t i = 0; i < scop->stmts.count; i++) {
        const struct scop_stmt *stmt = scop->stmts.at[i];
        int run = panel_run_of(panel, stmt);
        if (run == RUNS_NONE)
            continue;
        root = root ? root : stmt->loops[panel->depth];
        if (stmt->loops[panel->depth] != root || stmt->loops[run]->step != 1 ||
            stmt->depth == LOOP_DEPTH_MAX)
            return false;
    }
    return root != NULL;
}

/* Is a loop cut that the host does not run? */
static bool cuts_pay(const struct scop *scop, const struct panel_loop *panel)
{
    cut_list cuts = {0};
    panel_cuts(scop, panel, &cuts);
    for (size_t i = 0; i < scop->stmts.count; i++) {
        const struct scop_stmt *stmt = scop->stmts.at[i];
        int run = panel_run_of(panel, stmt);
        if (run == RUNS_NONE)
            continue;
        for (int at = panel->depth; at < stmt->unit->depth; at++)
            if (at != run && cuts_have(&cuts, stmt->loops[at]))
                return true;
    }
    return false;
}

static void step_find(const struct scop *scop, const struct plan_step *step,
                      struct change_list *list)
{
    struct panel_loop *panel = ARENA_NEW(scop->arena, struct panel_loop);
    struct scop_change change = {.row = TRANSFORMATION_PANELS, .grouped = panel};
    panel->depth = step->depth;
    panel->step = step;
    panel->like = step->loop;
    panel->first = step->loop->start;
    panel->last = step->loop->limits[0];
    if (step->loop->step == 1 && step->loop->n_limits == 1 && step->body.count > 1 &&
        runs_read(step, &step->body, panel) && is_one_nest(scop, panel) && cuts_pay(scop, panel))
        vec_push(scop->arena, list, change);
}

/* A chain takes one launch as it is, and its loops few elements a round. */
static void steps_find(const struct scop *scop, const plan_list *steps, struct change_list *list)
{
    for (size_t i = 0; i < steps->count; i++) {
        size_t count = list->count;
        if (steps->at[i]->kind == PLAN_LOOP)
            step_find(scop, steps->at[i], list);
        if (list->count == count && steps->at[i]->kind != PLAN_CHAIN)
            steps_find(scop, &steps->at[i]->body, list);
    }
}

/* Has the text arrays with subscripts that go by the names of loops (memory_text)? Axes that run
   unlike loops have other names. */
static bool has_named_subscripts(const struct scop *scop)
{
    bool found = false;
    for (size_t i = 0; i < scop->memories.count; i++)
        found |= scop->memories.at[i]->n_loops > 0;
    return found;
}

void panels_find(const struct schedule *plan, struct change_list *list)
{
    if (!plan->scop->split && !has_named_subscripts(plan->scop))
        steps_find(plan->scop, &plan->steps, list);
}
