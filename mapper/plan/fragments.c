/* The mapped parts of a file: the fragments of a person's choice, and the nests in each fragment.

   In: a unit in its simpler forms. Out: fragments, by place; then nests, read and planned, each a
   fragment or a part of one. */
#include "mapper/plan/nest.h"
#include "mapper/scop/directive.h"
#include "mapper/scop/sums.h"

/* The marked fragments and the nests that pay, by place. */
static void choose_all(struct ctx *ctx, struct ast_unit *unit, const fragment_list *marked,
                       nest_list *list)
{
    nest_list nests = {0};
    nests_find(ctx, unit, marked, true, &nests);
    for (size_t i = 0; i < nests.count; i++) {
        if (!nest_pays(nests.at[i]))
            continue;
        size_t at = list->count;
        vec_push(ctx->arena, list, nests.at[i]);
        for (; at > 0 && list->at[at - 1]->fragment.begin > nests.at[i]->fragment.begin; at--)
            list->at[at] = list->at[at - 1];
        list->at[at] = nests.at[i];
    }
}

bool fragments_choose(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice,
                      nest_list *list)
{
    fragment_list marked = {0};
    struct fragment body;
    if (choice->function) {
        if (!nest_of_function(ctx, unit, choice, &body))
            return false;
        vec_push(ctx->arena, &marked, body);
    } else if (!fragments_find(ctx, unit, !choice->all, &marked)) {
        return false;
    }
    for (size_t i = 0; i < marked.count; i++) {
        struct nest *nest = ARENA_NEW(ctx->arena, struct nest);
        nest->fragment = marked.at[i];
        vec_push(ctx->arena, list, nest);
    }
    if (choice->all)
        choose_all(ctx, unit, &marked, list);
    return true;
}

void *fragments_suggest(struct ctx *ctx, struct ast_unit *unit, struct map_choice *choice)
{
    struct loc top = {unit->source, 1, 1};
    if (choice->all)
        diag_error(ctx, top, "nothing to map: no loop has independent iterations enough to pay");
    else
        diag_error(ctx, top,
                   "nothing to map: put `#pragma scop` and `#pragma endscop` around the loops, or "
                   "`#pragma target` before one, or choose by `--function NAME` or `--all`");
    nests_suggest(ctx, unit);
    return NULL;
}

/* The nest stays as it is where the reason has a text. */
static void nest_keep(struct nest *nest, struct scop_refusal refusal)
{
    if (!refusal.text)
        return;
    nest->scop = NULL;
    nest->plan = NULL;
    nest->refusal = refusal;
}

void nests_make(struct ctx *ctx, struct ast_unit *unit, struct nest *chosen, nest_list *list)
{
    const struct fragment *fragment = &chosen->fragment;
    size_t first = list->count;
    if (fragment->directive)
        nest_keep(chosen, fragment->directive->refusal);
    if (chosen->plan || chosen->refusal.text)
        vec_push(ctx->arena, list, chosen);
    else
        nests_cut(ctx, unit, fragment, list);
    for (size_t i = first; i < list->count; i++)
        if (fragment->directive && !list->at[i]->plan)
            nest_keep(list->at[i], fragment->directive->unused);
        else if (list->at[i]->plan)
            nest_keep(list->at[i],
                      directive_around(ctx, unit, &list->at[i]->fragment, fragment));
}

bool unit_has_byte(const struct scop_unit *unit, size_t at)
{
    for (size_t i = 0; i < unit->stmts.count; i++)
        if (unit->stmts.at[i]->ast->begin <= at && at < unit->stmts.at[i]->ast->end)
            return true;
    return false;
}

static bool is_on_host(const plan_list *steps, size_t at)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct plan_step *step = steps->at[i];
        if ((step->kind == PLAN_HOST && unit_has_byte(step->unit, at)) ||
            is_on_host(&step->body, at))
            return true;
    }
    return false;
}

/* Enters a function that a region calls into `called`, and all functions that it calls in turn. */
static void called_add(struct ctx *ctx, struct ast_unit *unit, struct map *called,
                       const struct ast *function, const struct nest *caller)
{
    struct ast_walk walk;
    if (!function || !function->has_body || map_get(called, function->name))
        return;
    map_put(called, function->name, (void *)caller);
    for (const struct ast *n = ast_first(&walk, ctx->arena, ast_body(unit, function)); n;
         n = ast_next(&walk))
        if (n->kind == AST_CALL)
            called_add(ctx, unit, called, n->decl, caller);
}

static void called_by_nest(struct ctx *ctx, struct ast_unit *unit, struct map *called,
                           const struct nest *nest)
{
    struct ast_walk walk;
    for (size_t i = 0; i < nest->fragment.n_statements; i++) {
        const struct ast *n = ast_first(&walk, ctx->arena, nest->fragment.statements[i]);
        for (; n; n = ast_next(&walk))
            if (n->kind == AST_CALL && !is_on_host(&nest->plan->steps, n->begin))
                called_add(ctx, unit, called, n->decl, nest);
    }
}

void nests_keep_called(struct ctx *ctx, struct ast_unit *unit, const nest_list *list)
{
    struct map *called = map_new(ctx->arena);
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i]->plan)
            called_by_nest(ctx, unit, called, list->at[i]);
    for (size_t i = 0; i < list->count; i++) {
        const struct fragment *fragment = &list->at[i]->fragment;
        const struct nest *caller = map_get(called, fragment->function->name);
        if (!list->at[i]->plan || !caller)
            continue;
        const char *text = arena_printf(
            ctx->arena, "a loop of `%s`, which threads of the region of line %u call, cannot be "
                        "mapped; the loop there is",
            fragment->function->name, loc_line(caller->fragment.statements[0]->loc));
        nest_keep(list->at[i], (struct scop_refusal){.text = text,
                                                     .loc = fragment->statements[0]->loc,
                                                     .is_note = true});
    }
}

/* Where the plan sums in any order, that is what the directive says of the loops. */
static struct scop *scop_checked(const struct nest *nest)
{
    struct scop *planned = nest->plan->scop;
    return scop_has_sums(planned) ? planned : nest->scop;
}

void nests_check(struct ctx *ctx, const nest_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct directive *directive = list->at[i]->fragment.directive;
        if (list->at[i]->plan && directive)
            directive_check(ctx, directive, scop_checked(list->at[i]));
    }
}
