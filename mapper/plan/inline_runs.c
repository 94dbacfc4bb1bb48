/* Calls of a file in which nothing is marked, where that lets loops share regions (`--all`).

   In: a unit without marks. Out: the unit with calls as loops in those stretches of a block in
   which a region then has statements of several parts, one of them a call at least. A stretch is a
   row of loops and such calls, with assignments and declarations between. All calls of stretches
   are taken on trial, and the trial's nests are planned as `--all` plans them; then the file is
   made anew with the calls that were worth it. All other calls stay, as their functions are mapped
   by themselves; a note says of each call of a stretch why. */
#include "frontend/ask.h"
#include "mapper/forms/forms.h"
#include "mapper/plan/inline.h"
#include "mapper/plan/inline_runs.h"
#include "mapper/scop/refuse.h"

/* --- stretches -------------------------------------------------------------------------------- */

struct runs_search {
    struct ctx *ctx;
    struct ast_unit *unit;
    run_list *list;
};

/* May the statement stand between two loops that one fragment holds? */
static bool is_between(const struct ast *statement)
{
    return statement->kind == AST_ASSIGN || statement->kind == AST_DECLARE ||
           statement->kind == AST_EMPTY;
}

static void run_end(struct runs_search *s, struct inline_run *run)
{
    bool calls = false;
    for (size_t i = 0; i < run->parts.count; i++)
        calls |= run->parts.at[i].is_call;
    if (calls && run->parts.count > 1)
        vec_push(s->ctx->arena, s->list, *run);
    *run = (struct inline_run){0};
}

static void runs_in_block(struct runs_search *s, const struct ast *block)
{
    struct inline_run run = {0};
    for (int i = 0; i < block->n_children; i++) {
        const struct ast *child = block->children[i];
        bool calls = child->end && (inlining_call(s->ctx->arena, s->unit, child) ||
                                    statement_runs_once(s->ctx, s->unit, child));
        if (!child->end || !(calls || ast_is_loop(child) || is_between(child))) {
            run_end(s, &run);
            continue;
        }
        struct inline_part part = {.begin = child->begin, .end = statement_end(s->unit, child),
                                   .is_call = calls,
                                   .call = inlining_call(s->ctx->arena, s->unit, child)};
        if (calls || ast_is_loop(child))
            vec_push(s->ctx->arena, &run.parts, part);
    }
    run_end(s, &run);
}

static void runs_find(struct runs_search *s)
{
    for (size_t i = 0; i < s->unit->n_declarations; i++) {
        const struct ast *decl = s->unit->declarations[i];
        const struct ast *body = decl->kind == AST_FUNCTION ? ast_body(s->unit, decl) : NULL;
        struct ast_walk walk;
        for (const struct ast *n = ast_first(&walk, s->ctx->arena, body); n; n = ast_next(&walk))
            if (n->kind == AST_COMPOUND && n->end && !n->is_part)
                runs_in_block(s, n);
    }
}

bool run_fragment(struct ctx *ctx, struct ast_unit *unit, const struct inline_run *run,
                  struct fragment *fragment)
{
    size_t begin = run->parts.at[0].begin, end = run->parts.at[run->parts.count - 1].end;
    *fragment = (struct fragment){0};
    for (size_t i = 0; i < unit->n_declarations; i++) {
        const struct ast *decl = unit->declarations[i];
        const struct ast *body = decl->kind == AST_FUNCTION ? ast_body(unit, decl) : NULL;
        struct ast_walk walk;
        for (const struct ast *n = ast_first(&walk, ctx->arena, body); n; n = ast_next(&walk)) {
            int first = 0, last = n->n_children;
            if (n->kind != AST_COMPOUND || n->begin >= begin || n->end < end)
                continue;
            while (first < last && n->children[first]->begin < begin)
                first++;
            while (last > first && n->children[last - 1]->begin >= end)
                last--;
            if (first < last)
                *fragment = (struct fragment){.function = decl, .body = body,
                                              .n_statements = (size_t)(last - first),
                                              .statements = n->children + first,
                                              .begin = n->children[first]->begin};
        }
    }
    return fragment->n_statements > 0;
}

/* --- parts that share regions ----------------------------------------------------------------- */

/* The parts of a run whose statements a region has: the first and the last. */
static void region_meets(const struct plan_region *region, struct inline_run *run)
{
    size_t first = run->parts.count, last = 0;
    bool calls = false;
    for (size_t i = 0; i < region->members.count; i++) {
        size_t at = region->members.at[i].unit->stmts.at[0]->ast->begin;
        for (size_t k = 0; k < run->parts.count; k++) {
            if (at < run->parts.at[k].begin || at >= run->parts.at[k].end)
                continue;
            first = k < first ? k : first;
            last = k > last ? k : last;
            calls |= run->parts.at[k].is_call;
        }
    }
    if (!calls || first >= last)
        return;
    for (size_t k = first; k <= last; k++)
        run->parts.at[k].is_joined = true;
}

static void steps_meet(const plan_list *steps, struct inline_run *run)
{
    for (size_t i = 0; i < steps->count; i++) {
        if (steps->at[i]->kind == PLAN_REGION && !steps->at[i]->region.is_serial)
            region_meets(&steps->at[i]->region, run);
        steps_meet(&steps->at[i]->body, run);
    }
}

/* The stretches of joined parts, as they stand in the file. */
static void runs_joined(struct ctx *ctx, run_list *before, const run_list *after, run_list *list)
{
    for (size_t i = 0; i < after->count; i++) {
        struct inline_run run = {0};
        for (size_t k = 0; k < after->at[i].parts.count; k++) {
            before->at[i].parts.at[k].is_joined = after->at[i].parts.at[k].is_joined;
            if (after->at[i].parts.at[k].is_joined)
                vec_push(ctx->arena, &run.parts, before->at[i].parts.at[k]);
        }
        if (run.parts.count)
            vec_push(ctx->arena, list, run);
    }
}

static run_list runs_copy(struct ctx *ctx, const run_list *list)
{
    run_list copy = {0};
    for (size_t i = 0; i < list->count; i++) {
        struct inline_run run = {0};
        for (size_t k = 0; k < list->at[i].parts.count; k++)
            vec_push(ctx->arena, &run.parts, list->at[i].parts.at[k]);
        vec_push(ctx->arena, &copy, run);
    }
    return copy;
}

/* The runs whose parts share regions once calls are loops; notes which parts do. */
static run_list runs_try(struct ctx *ctx, struct ast_unit *unit, run_list *runs)
{
    fragment_list none = {0};
    nest_list nests = {0};
    run_list moved = runs_copy(ctx, runs), worth = {0};
    struct ast_unit *trial = runs_inline(ctx, unit, &moved);
    if (trial == unit)
        return worth;
    forms_simplify(ctx, trial);
    nests_find(ctx, trial, &none, true, &nests);
    for (size_t i = 0; i < nests.count; i++)
        for (size_t k = 0; k < moved.count && nest_pays(nests.at[i]); k++)
            steps_meet(&nests.at[i]->plan->steps, &moved.at[k]);
    runs_joined(ctx, runs, &moved, &worth);
    return worth;
}

/* Says of each call of a stretch that stays why it does: by the trial it is still a call, or its
   loops share no region. */
static void calls_left(struct ctx *ctx, const struct ast_unit *unit, const run_list *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        for (size_t k = 0; k < runs->at[i].parts.count; k++) {
            const struct inline_part *part = &runs->at[i].parts.at[k];
            if (!part->call || part->is_joined)
                continue;
            const char *words = kept_call_words(ctx->arena, unit, part->call->begin);
            if (words)
                diag_note(ctx, part->call->loc, "a call of `%s stays as it is", words);
            else
                diag_note(ctx, part->call->loc,
                          "a call of `%s` stays as it is: none of its loops would share a region "
                          "with the loops and calls beside it", part->call->decl->name);
        }
}

struct ast_unit *calls_inline_all(struct ctx *ctx, struct ast_unit *unit, bool tells)
{
    run_list runs = {0};
    struct runs_search search = {ctx, unit, &runs};
    unsigned errors = ctx->errors, warnings = ctx->warnings;
    uint64_t work = ctx->counts.work;
    bool quiet = ctx->quiet;
    if (unit->is_simplified)
        return unit;
    runs_find(&search);
    ctx->quiet = true;
    run_list worth = {0};
    if (runs.count)
        worth = runs_try(ctx, unit, &runs);
    ctx->quiet = quiet;
    ctx->errors = errors;
    ctx->warnings = warnings;
    ctx->counts.work = work;
    if (tells)
        calls_left(ctx, unit, &runs);
    unit->kept_calls = NULL;
    return worth.count ? runs_inline(ctx, unit, &worth) : unit;
}
