/* The nests of a file: loops that could be mapped although nothing marks them.

   In: a unit. Out: a fragment for each outermost loop of each function, with its schedule or with
   the reason why there is none. Where a loop is refused, the loops in it are tried: then the loop
   around them stays as it is. Reading is quiet: what is refused here is no error. */
#include "frontend/ask.h"
#include "mapper/forms/words.h"
#include "mapper/plan/box.h"
#include "mapper/plan/change.h"
#include "mapper/plan/nest.h"
#include "mapper/plan/panels.h"
#include "mapper/plan/schedule.h"
#include "mapper/scop/claim.h"
#include "mapper/scop/depend.h"
#include "mapper/scop/limit.h"
#include "mapper/scop/read.h"
#include "mapper/scop/sets.h"
#include "mapper/scop/sink.h"
#include <string.h>

/* --- reading and planning a nest -------------------------------------------------------------- */

static struct scop *scop_once(struct ctx *ctx, struct ast_unit *unit,
                              const struct fragment *fragment, const struct change_list *changes)
{
    static const struct change_list unchanged = {0};
    changes = changes ? changes : &unchanged;
    const loop_others others = changes_others(ctx->arena, changes);
    struct scop *scop = scop_read(ctx, unit, fragment, &others);
    scop->changes = changes;
    if (!scop->refusal.text && scop_sets(scop) && rows_apply(scop) && changes_apply(scop) &&
        scop_relations(scop) && scop_find_overlaps(scop) && scop_units(scop) &&
        splitting_begin(scop) && scop_dependences(scop) && panels_apply(scop))
        splitting_end(scop);
    return scop;
}

struct scop *scop_make(struct ctx *ctx, struct ast_unit *unit, const struct fragment *fragment,
                       const struct change_list *changes)
{
    struct scop *scop = scop_once(ctx, unit, fragment, changes);
    while (!changes && !scop->refusal.text && tiles_remove(scop)) {
        if (!scop_limit_end(scop))
            break;
        scop = scop_once(ctx, unit, fragment, NULL);
    }
    return scop;
}

/* Does the unit have a statement of a sunk condition that stood in so many loops at most? */
static bool unit_has_sunk(const struct scop_unit *unit, int depth)
{
    bool found = false;
    for (size_t i = 0; i < unit->stmts.count; i++)
        found |= unit->stmts.at[i]->sunk_depth && unit->stmts.at[i]->sunk_depth <= depth;
    return found;
}

/* Do the statements of sunk conditions run below fewer loops of the host than the conditions stood
   in, in regions? */
static bool sinking_gains(const plan_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct plan_step *step = steps->at[i];
        const member_list *members = &step->region.members;
        bool is_parallel = step->kind == PLAN_REGION && step->region.n_axes &&
                           !step->region.is_serial;
        size_t n = step->kind == PLAN_REGION ? members->count : 0;
        if (!sinking_gains(&step->body) ||
            (step->kind == PLAN_HOST && unit_has_sunk(step->unit, LOOP_DEPTH_MAX)))
            return false;
        for (size_t k = 0; k < n; k++)
            if (unit_has_sunk(members->at[k].unit, is_parallel ? step->depth : LOOP_DEPTH_MAX))
                return false;
    }
    return true;
}

/* The plan of a fragment that has none as it stands, with its conditions on data in the loops below
   them; NULL: there is none, or the loops would launch as often. */
static struct schedule *plan_sunk(struct ctx *ctx, struct ast_unit *unit, struct fragment *fragment)
{
    struct sinking *sinking = ARENA_NEW(ctx->arena, struct sinking);
    *sinking = (struct sinking){.blocks = map_new(ctx->arena),
                                .words = words_of(ctx->arena, unit)};
    fragment->sinking = sinking;
    struct scop *scop = scop_make(ctx, unit, fragment, NULL);
    struct schedule *plan = scop->refusal.text ? NULL : schedule_make(scop);
    if (plan && sinking_gains(&plan->steps) && scop_limit_end(scop))
        return plan;
    fragment->sinking = NULL;
    return NULL;
}

void nest_read(struct ctx *ctx, struct ast_unit *unit, struct nest *nest)
{
    struct scop *scop = scop_make(ctx, unit, &nest->fragment, NULL);
    bool whole = !scop->refusal.text;
    struct schedule *plan = whole ? schedule_make(scop) : NULL;
    struct schedule *sunk = !plan && scop->may_sink &&
                                    transformation_is_on(ctx, TRANSFORMATION_SINKING)
                                ? plan_sunk(ctx, unit, &nest->fragment) : NULL;
    struct change_list candidates = {0};
    if (sunk) {
        whole = true;
        plan = sunk;
        scop = sunk->scop;
    }
    bool is_cut = !plan && scop->refusal.culprit != NOBODY;
    if (whole)
        changes_find(scop, &candidates, is_cut);
    if (scop_limit_end(scop)) {
        nest->scop = whole ? scop : NULL;
        nest->plan = plan;
    }
    nest->refusal = scop->refusal;
    if (nest->scop && (candidates.count || nest->plan))
        nest_choose(ctx, unit, nest, &candidates);
    if (is_cut && !nest->plan)
        nest->scop = NULL;
}

/* --- all of them ------------------------------------------------------------------------------ */

struct search {
    struct ctx *ctx;
    struct ast_unit *unit;
    const fragment_list *marked;
    const struct ast *function, *body;
    bool joins;                      /* neighbours that share launches are one nest */
    nest_list *list;
    const struct ast *call;          /* the outermost node around of a macro's call; NULL: none */
    bool call_in_block;              /* it stands in a block */
};

/* Does a marked fragment share text with the node? */
static bool is_marked(const struct search *s, const struct ast *ast)
{
    for (size_t i = 0; i < s->marked->count; i++)
        if (s->marked->at[i].begin < ast->end && ast->begin < s->marked->at[i].end)
            return true;
    return false;
}

/* The statement that stands at `at`, as a fragment. */
static struct fragment fragment_of(const struct search *s, const struct ast *const *at,
                                   bool in_block)
{
    size_t end = statement_end(s->unit, *at);
    return (struct fragment){s->function, s->body, 1, at, (*at)->begin, end, end, (*at)->loc,
                             !in_block, NULL, NULL};
}

static void search_below(struct search *s, const struct ast *ast);

static void nest_search_loop(struct search *s, const struct ast *const *at, bool in_block)
{
    struct nest *nest = ARENA_NEW(s->ctx->arena, struct nest);
    nest->fragment = fragment_of(s, at, in_block);
    nest_read(s->ctx, s->unit, nest);
    vec_push(s->ctx->arena, s->list, nest);
    if (!nest->scop)
        search_below(s, *at);
}

/* Joins the last nests of the list, neighbours in a block from `first` on, as long as that pays. */
static void nests_join(struct search *s, size_t first)
{
    while (s->joins && s->list->count > first + 1) {
        struct nest *before = s->list->at[s->list->count - 2];
        struct nest *joined = sequence_join(s->ctx, s->unit, before, vec_last(s->list));
        if (!joined)
            return;
        s->list->count--;
        vec_last(s->list) = joined;
    }
}

/* Does what takes the loop's place stand in a block? The place of a loop that a macro writes is the
   call's. */
static bool is_in_block(const struct search *s, const struct ast *loop, bool in_block)
{
    return s->call && s->call->begin == loop->begin ? s->call_in_block : in_block;
}

static void search_below(struct search *s, const struct ast *ast)
{
    bool in_block = ast->kind == AST_COMPOUND;
    const struct search around = *s;
    size_t first = s->list->count;
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *const *child = &ast->children[i];
        if (!*child || ast_is_expression(*child) || (*child)->kind == AST_SCHEDULE)
            continue;
        size_t count = s->list->count;
        bool loop = (*child)->kind == AST_FOR && (*child)->end && !is_marked(s, *child);
        bool is_inside = around.call && around.call->begin == (*child)->begin;
        bool begins_call = (*child)->is_macro && !is_inside;
        if (begins_call) {
            s->call = *child;
            s->call_in_block = in_block;
        }
        if (loop)
            nest_search_loop(s, child, is_in_block(s, *child, in_block));
        else
            search_below(s, *child);
        s->call = around.call;
        s->call_in_block = around.call_in_block;
        bool is_neighbour = loop && in_block && s->list->count == count + 1;
        bool ends = is_marked(s, *child) || s->list->count > count;
        if (is_neighbour)
            nests_join(s, first);
        else if (ends)
            first = s->list->count;
    }
}

void nests_find(struct ctx *ctx, struct ast_unit *unit, const fragment_list *marked, bool joins,
                nest_list *list)
{
    struct search s = {.ctx = ctx, .unit = unit, .marked = marked, .joins = joins, .list = list};
    for (size_t i = 0; i < unit->n_declarations; i++) {
        s.function = unit->declarations[i];
        s.body = s.function->kind == AST_FUNCTION ? ast_body(unit, s.function) : NULL;
        if (!s.body)
            continue;
        size_t first = list->count;
        search_below(&s, s.body);
        nests_in_macros_refuse(s.body, list, first);
    }
}

/* --- a function ------------------------------------------------------------------------------- */

const struct ast *function_named(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice)
{
    const char *name = choice->function;
    VEC(const char *) names = {0};
    for (size_t i = 0; i < unit->n_declarations; i++) {
        const struct ast *decl = unit->declarations[i];
        if (decl->kind != AST_FUNCTION || !ast_body(unit, decl))
            continue;
        if (!strcmp(decl->name, name))
            return decl;
        vec_push(ctx->arena, &names, decl->name);
    }
    const char *nearest = str_nearest(name, names.at, names.count);
    diag_error(ctx, loc_none(), "no function `%s` is defined in this file%s%s%s", name,
               nearest ? "; did you mean `" : "", nearest ? nearest : "", nearest ? "`?" : "");
    choice->is_unknown = true;
    return NULL;
}

bool nest_of_function(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice,
                      struct fragment *fragment)
{
    const struct ast *function = function_named(ctx, unit, choice);
    const struct ast *body = function ? ast_body(unit, function) : NULL;
    if (!body)
        return false;
    int first = 0, last = body->n_children;
    while (first < last && !ast_has(body->children[first], AST_FOR))
        first++;
    while (last > first && !ast_has(body->children[last - 1], AST_FOR))
        last--;
    if (first == last) {
        diag_error(ctx, function->loc, "function `%s` has no `for` to map",
                   choice->function);
        return false;
    }
    const struct ast *begin = body->children[first];
    size_t end = statement_end(unit, body->children[last - 1]);
    *fragment = (struct fragment){function, body, (size_t)(last - first), body->children + first,
                                  begin->begin, end, end, begin->loc, false,
                                  NULL, NULL};
    return true;
}

/* --- suggestions ------------------------------------------------------------------------------ */

/* Are the points of a region as many as sizes say, or enough by number? */
static bool region_pays(const struct plan_region *region)
{
    int64_t threads = 1;
    for (int i = 0; i < region->n_axes; i++) {
        struct affine points = region->axes[i].upper;
        bool overflow = !affine_add(&points, &region->axes[i].lower, -1);
        if (overflow || points.n_terms ||
            __builtin_mul_overflow(threads, points.constant + 1, &threads))
            return true;
    }
    return threads >= PAY_THREADS;
}

static bool steps_pay(const plan_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct plan_step *step = steps->at[i];
        if (step->kind == PLAN_REGION ? region_pays(&step->region) : steps_pay(&step->body))
            return true;
    }
    return false;
}

bool nest_pays(const struct nest *nest)
{
    return nest->plan && steps_pay(&nest->plan->steps);
}

static void shape_add(struct str *out, const struct scop *scop, const plan_list *steps)
{
    const char *before = "";
    for (size_t i = 0; i < steps->count; i++) {
        const struct plan_step *step = steps->at[i];
        if (step->kind == PLAN_HOST)
            continue;
        str_add(out, before);
        before = "; ";
        if (step->kind == PLAN_CHAIN) {
            str_add(out, "one block { ");
            shape_add(out, scop, &step->body);
            str_add(out, " }");
            continue;
        }
        if (step->kind != PLAN_REGION) {
            str_addf(out, "for %s { ",
                     step->kind == PLAN_LOOP
                         ? step->loop->name
                         : affine_text(scop, &step->body.at[0]->region.wave));
            shape_add(out, scop, &step->body);
            str_add(out, " }");
            continue;
        }
        const struct plan_region *region = &step->region;
        str_add(out, region->n_axes ? "region (" : region->is_serial ? "the host" : "one thread");
        for (int k = 0; k < region->n_axes; k++)
            str_addf(out, "%s%s", k ? ", " : "", region_loop(region, PART_ALL, k)->name);
        str_add(out, region->n_axes ? ")" : "");
    }
}

const char *nest_shape(struct arena *arena, const struct schedule *plan)
{
    struct str out = str_new(arena);
    shape_add(&out, plan->scop, &plan->steps);
    return out.text;
}

void nests_suggest(struct ctx *ctx, struct ast_unit *unit)
{
    fragment_list marked = {0};
    nest_list nests = {0};
    nests_find(ctx, unit, &marked, true, &nests);
    for (size_t i = 0; i < nests.count; i++) {
        const struct nest *nest = nests.at[i];
        const struct fragment *fragment = &nest->fragment;
        unsigned line = loc_line(fragment->loc);
        if (nest->plan)
            diag_note(ctx, fragment->loc, "in `%s`, would become %s%s", fragment->function->name,
                      nest_shape(ctx->arena, nest->plan),
                      nest_pays(nest) ? "" : ": too few threads to pay");
        else if (nest->scop)
            diag_note(ctx, fragment->loc,
                      "in `%s`, none of its loops is independent; `--why-not %u` says why",
                      fragment->function->name, line);
        else
            diag_note(ctx, nest->refusal.loc, "in the loop of line %u, %s", line,
                      nest->refusal.text);
    }
    nests_elsewhere(ctx, unit);
}

void nests_elsewhere(struct ctx *ctx, struct ast_unit *unit)
{
    const struct ast *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < unit->n_elsewhere; i++) {
        if (!ast_has(ast_body(unit, unit->elsewhere[i]), AST_FOR))
            continue;
        first = first ? first : unit->elsewhere[i];
        count++;
    }
    if (count)
        diag_note(ctx, first->loc,
                  "%zu function%s with loops, among them `%s`, %s written by a macro or an "
                  "included file: map what `cc -E` prints of the file",
                  count, count == 1 ? "" : "s", first->name, count == 1 ? "is" : "are");
}
