/* Calls in the chosen fragments as the loops of the functions that they call.

   In: a unit that no form has changed yet, and the choice of fragments. Out: a unit of the text in
   which statements that call functions of loops are these loops (mapper/forms/inlining.h), round by
   round, as such functions may call others. A call that no loop is around is always taken so; one
   in a loop is, unless the mapper makes the loop an axis and has the call in its threads
   (scop/helper.c), for which the file is mapped on trial. Messages about the text give places of
   the file, by the text's origin. */
#include "frontend/ask.h"
#include "frontend/text.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/inlining.h"
#include "mapper/forms/words.h"
#include "mapper/plan/inline.h"
#include "mapper/plan/inline_runs.h"
#include "mapper/scop/directive.h"
#include <string.h>

typedef VEC(struct inlining_site) site_list;

struct inline_round {
    struct ctx *ctx;
    struct ast_unit *unit;
    site_list sites;
};

/* A text in the place of bytes of the file. */
struct inline_edit {
    size_t begin, end;
    const char *text;
};
typedef VEC(struct inline_edit) inline_list;

/* --- statements with calls -------------------------------------------------------------------- */

static void sites_below(struct inline_round *r, const struct inlining_site *like,
                        const struct ast *parent);

bool statement_runs_once(struct ctx *ctx, struct ast_unit *unit, const struct ast *statement)
{
    const struct ast *end = statement->kind == AST_DO ? ast_strip(statement->children[1]) : NULL;
    const struct ast *body = end ? statement->children[0] : NULL;
    struct ast_walk walk;
    if (!body || end->kind != AST_INTEGER || end->integer || statement->is_part ||
        ast_has_own_jump(body, AST_BREAK) || ast_has_own_jump(body, AST_CONTINUE))
        return false;
    for (const struct ast *n = ast_first(&walk, ctx->arena, body); n; n = ast_next(&walk))
        if (ast_is_loop(n) || inlining_call(ctx->arena, unit, n))
            return true;
    return false;
}

static void sites_at(struct inline_round *r, const struct inlining_site *like,
                     const struct ast *statement, bool in_block)
{
    if (!statement || !statement->end)
        return;
    if (like->in_shared) {
        sites_below(r, like, statement);
        return;
    }
    if (statement_runs_once(r->ctx, r->unit, statement)) {
        struct inlining_site site = *like;
        site.statement = statement;
        site.in_block = in_block;
        site.runs_once = true;
        vec_push(r->ctx->arena, &r->sites, site);
        return;
    }
    if (inlining_call(r->ctx->arena, r->unit, statement)) {
        struct inlining_site site = *like;
        site.statement = statement;
        site.in_block = in_block;
        vec_push(r->ctx->arena, &r->sites, site);
    }
    sites_below(r, like, statement);
}

/* The first statement of a block that is more than one loop: variables declared before it are those
   of an iteration of the loops around. NULL if there is none. */
static const struct ast *first_of_iteration(const struct ast *block)
{
    bool is_nest = block->n_children == 1 && ast_is_loop(block->children[0]);
    return block->kind == AST_COMPOUND && block->n_children && !is_nest ? block->children[0] : NULL;
}

/* In a loop or block that a directive gives to threads, variables are declared inside: where the
   compiler reads directives, too, all threads would share those before the loop. */
static void place_find(struct inline_round *r, struct inlining_site *site, const struct ast *parent)
{
    const struct ast *first = first_of_iteration(parent);
    site->in_shared |= directives_above(r->unit, parent->begin) < parent->begin;
    if (!site->in_shared || !first)
        return;
    site->place = first->begin;
    site->in_shared = false;
}

static void sites_below(struct inline_round *r, const struct inlining_site *like,
                        const struct ast *parent)
{
    struct inlining_site inner = *like;
    bool is_block = parent->kind == AST_COMPOUND;
    place_find(r, &inner, parent);
    int first = parent->kind == AST_FOR ? 3 : parent->kind == AST_DO ? 0 : 1;
    inner.in_loop |= !is_block;
    if (!is_block && !ast_is_loop(parent) && parent->kind != AST_IF)
        return;
    for (int i = is_block ? 0 : first; i < parent->n_children; i++)
        if (parent->kind != AST_DO || i == 0)
            sites_at(r, &inner, parent->children[i], is_block);
}

static void sites_of(struct inline_round *r, const struct fragment *fragment)
{
    struct inlining_site like = {.function = fragment->function, .body = fragment->body,
                                 .place = directives_above(r->unit, fragment->begin),
                                 .mapped = fragment->statements,
                                 .n_mapped = fragment->n_statements};
    size_t n = fragment->needs_braces ? 0 : fragment->n_statements;
    for (size_t i = 0; i < n; i++)
        sites_at(r, &like, fragment->statements[i], true);
}

/* The body of the function that the choice names, from its first loop or such call to its last. */
static void sites_of_function(struct inline_round *r, const char *name)
{
    struct fragment all = {0};
    for (size_t i = 0; i < r->unit->n_declarations; i++) {
        const struct ast *decl = r->unit->declarations[i];
        bool found = decl->kind == AST_FUNCTION && !strcmp(decl->name, name);
        const struct ast *body = found ? ast_body(r->unit, decl) : NULL;
        if (!body)
            continue;
        all = (struct fragment){.function = decl, .body = body, .statements = body->children,
                                .n_statements = (size_t)body->n_children};
    }
    while (all.n_statements && !ast_is_loop(all.statements[0]) &&
           !inlining_call(r->ctx->arena, r->unit, all.statements[0])) {
        all.statements++;
        all.n_statements--;
    }
    all.begin = all.n_statements ? all.statements[0]->begin : 0;
    sites_of(r, &all);
}

static bool is_in_call(const struct inline_run *run, const struct ast *statement)
{
    bool found = false;
    for (size_t i = 0; i < run->parts.count; i++)
        found |= run->parts.at[i].is_call && run->parts.at[i].begin <= statement->begin &&
                 statement->end <= run->parts.at[i].end;
    return found;
}

/* The statements in the calls of runs, or in what has taken their place. */
static void sites_of_runs(struct inline_round *r, const run_list *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        struct inline_round all = {.ctx = r->ctx, .unit = r->unit};
        struct fragment fragment;
        if (run_fragment(r->ctx, r->unit, &runs->at[i], &fragment))
            sites_of(&all, &fragment);
        for (size_t k = 0; k < all.sites.count; k++)
            if (is_in_call(&runs->at[i], all.sites.at[k].statement))
                vec_push(r->ctx->arena, &r->sites, all.sites.at[k]);
    }
}

/* Quietly: what is wrong with marks is said when they are read for good. */
static void sites_find(struct inline_round *r, const struct map_choice *choice)
{
    struct ctx *ctx = r->ctx;
    fragment_list marked = {0};
    unsigned errors = ctx->errors, warnings = ctx->warnings;
    bool quiet = ctx->quiet;
    ctx->quiet = true;
    if (choice->function)
        sites_of_function(r, choice->function);
    else if (fragments_find(ctx, r->unit, !choice->all, &marked))
        for (size_t i = 0; i < marked.count; i++)
            sites_of(r, &marked.at[i]);
    ctx->quiet = quiet;
    ctx->errors = errors;
    ctx->warnings = warnings;
}

/* --- a trial ---------------------------------------------------------------------------------- */

/* Is what stands at the byte run by threads, more than one of them? */
static bool threads_run(const plan_list *steps, size_t at)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct plan_step *step = steps->at[i];
        const struct plan_region *region = &step->region;
        bool is_region = step->kind == PLAN_REGION && region->n_axes > 0 && !region->is_serial;
        size_t n_members = is_region ? region->members.count : 0;
        for (size_t k = 0; k < n_members; k++)
            if (unit_has_byte(region->members.at[k].unit, at))
                return true;
        if (step->kind != PLAN_REGION && step->kind != PLAN_HOST && threads_run(&step->body, at))
            return true;
    }
    return false;
}

/* Takes out the calls that the mapper has in threads as they stand. */
static void sites_try(struct inline_round *r, const struct map_choice *choice)
{
    struct ctx *ctx = r->ctx;
    struct map_choice trial = *choice;
    nest_list chosen = {0}, nests = {0};
    site_list left = {0};
    unsigned errors = ctx->errors, warnings = ctx->warnings;
    uint64_t work = ctx->counts.work;
    bool quiet = ctx->quiet;
    ctx->quiet = true;
    struct ast_unit *unit = ast_parse(ctx, r->unit->source, r->unit->arguments,
                                      r->unit->n_arguments);
    trial.all = false;
    if (unit)
        forms_simplify(ctx, unit);
    if (unit && fragments_choose(ctx, unit, &trial, &chosen))
        for (size_t i = 0; i < chosen.count; i++)
            nests_make(ctx, unit, chosen.at[i], &nests);
    for (size_t i = 0; i < r->sites.count; i++) {
        bool runs = false;
        size_t n_nests = r->sites.at[i].in_loop ? nests.count : 0;
        for (size_t k = 0; k < n_nests; k++)
            runs |= nests.at[k]->plan && !r->sites.at[i].runs_once &&
                    threads_run(&nests.at[k]->plan->steps, r->sites.at[i].statement->begin);
        if (!runs)
            vec_push(ctx->arena, &left, r->sites.at[i]);
    }
    r->sites = left;
    if (unit)
        ast_close(unit);
    ctx->quiet = quiet;
    ctx->errors = errors;
    ctx->warnings = warnings;
    ctx->counts.work = work;
}

/* --- the text --------------------------------------------------------------------------------- */

static void edit_add(struct arena *arena, inline_list *list, struct inline_edit edit)
{
    size_t at = list->count;
    vec_push(arena, list, edit);
    for (; at > 0 && list->at[at - 1].begin > edit.begin; at--)
        list->at[at] = list->at[at - 1];
    list->at[at] = edit;
}

static size_t line_before(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

/* Declarations before what is mapped: lines with the margin of its first statement where nothing
   stands before it in its line. */
static struct inline_edit declarations_edit(const struct inline_round *r, const char *lines,
                                            const struct inlining_site *site)
{
    const char *text = r->unit->source->text;
    size_t line = line_before(text, site->place), blanks = strspn(text + line, " \t");
    bool is_first = line + blanks == site->place;
    size_t mapped = site->mapped[0]->begin, place = is_first ? line : site->place;
    size_t first = line_before(text, mapped < site->place ? site->place : mapped);
    size_t margin = is_first ? strspn(text + first, " \t") : 0;
    struct str out = str_new(r->ctx->arena);
    for (bool begins = true; *lines; lines++) {
        str_add_n(&out, text + first, begins ? margin : 0);
        str_char(&out, *lines);
        begins = *lines == '\n';
    }
    return (struct inline_edit){place, place, out.text};
}

static void kept_add(struct inline_round *r, const struct ast *call, const char *reason)
{
    const struct ast_kept_call **at = &r->unit->kept_calls;
    struct ast_kept_call *kept = ARENA_NEW(r->ctx->arena, struct ast_kept_call);
    while (*at && (*at)->begin < call->begin)
        at = (const struct ast_kept_call **)&(*at)->next;
    *kept = (struct ast_kept_call){call->begin, call->loc, call->decl->name, reason, *at};
    *at = kept;
}

/* Can the statements of a block stand in the block around it? */
static bool is_free_block(const struct ast *block)
{
    bool declares = false;
    for (int i = 0; i < block->n_children; i++)
        declares |= block->children[i]->kind == AST_DECLARE;
    return block->kind == AST_COMPOUND && !declares;
}

/* The body of a statement that runs once: its statements in lines, or in braces. */
static struct inlined once_made(const struct inline_round *r, const struct inlining_site *site)
{
    struct arena *arena = r->ctx->arena;
    struct ast_writer writer = {arena, r->unit->source, NULL};
    const struct ast *body = site->statement->children[0], *const *list = &body;
    bool is_open = site->in_block && is_free_block(body);
    const char *text = r->unit->source->text;
    size_t line = line_before(text, site->statement->begin);
    const char *margin = arena_strndup(arena, text + line, strspn(text + line, " \t"));
    struct str out = str_new(arena);
    int n = is_open ? body->n_children : 1;
    list = is_open ? body->children : list;
    for (int i = 0; i < n; i++) {
        const char *one = list[i]->kind == AST_EMPTY ? "" : ast_text(&writer, list[i]);
        if (!one)
            return (struct inlined){.reason = "has no text of its own"};
        str_addf(&out, "%s%s%s%s", i ? "\n" : "", i ? margin : "", one,
                 *one && ast_needs_semicolon(list[i]) ? ";" : "");
    }
    bool is_bare = !is_open && body->kind != AST_COMPOUND;
    text = is_bare ? arena_printf(arena, "{ %s }", out.text) : out.text;
    return (struct inlined){"", text, NULL};
}

static void edits_find_calls(struct inline_round *r, inline_list *edits)
{
    struct arena *arena = r->ctx->arena;
    struct word_list *words = words_of(arena, r->unit);
    for (size_t i = 0; i < r->sites.count; i++) {
        const struct inlining_site *site = &r->sites.at[i];
        const struct ast *statement = site->statement;
        struct inlined made = site->runs_once ? once_made(r, site)
                                              : inlining_make(arena, r->unit, words, site);
        if (made.reason && site->runs_once)
            continue;
        if (made.reason) {
            kept_add(r, inlining_call(arena, r->unit, statement), made.reason);
            continue;
        }
        if (*made.declarations)
            edit_add(arena, edits, declarations_edit(r, made.declarations, site));
        edit_add(arena, edits,
                 (struct inline_edit){statement->begin, statement_end(r->unit, statement),
                                      made.text});
    }
}

static void part_add(struct arena *arena, struct source_origin *origin, size_t at, size_t begin,
                     size_t end, bool is_same)
{
    struct source_part part = {at, begin, end, is_same};
    vec_push(arena, origin, part);
}

/* The text with its edits, read again; NULL if it is no C or too long. */
static struct ast_unit *edits_read(struct inline_round *r, const inline_list *edits)
{
    struct ctx *ctx = r->ctx;
    const struct source *old = r->unit->source;
    struct source_origin *origin = ARENA_NEW(ctx->arena, struct source_origin);
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    struct str out = str_new(ctx->arena);
    size_t from = 0;
    origin->source = old;
    for (size_t i = 0; i < edits->count; i++) {
        const struct inline_edit *edit = &edits->at[i];
        part_add(ctx->arena, origin, out.length, from, edit->begin, true);
        str_add_n(&out, old->text + from, edit->begin - from);
        part_add(ctx->arena, origin, out.length, edit->begin, edit->end, false);
        str_add(&out, edit->text);
        from = edit->end;
    }
    part_add(ctx->arena, origin, out.length, from, old->length, true);
    str_add_n(&out, old->text + from, old->length - from);
    *source = (struct source){old->path, out.text, out.length, origin};
    if (out.length > old->length + INLINED_BYTES_MAX)
        return NULL;
    unsigned errors = ctx->errors, warnings = ctx->warnings;
    bool quiet = ctx->quiet;
    ctx->quiet = true;
    struct ast_unit *unit = ast_parse(ctx, source, r->unit->arguments, r->unit->n_arguments);
    ctx->quiet = quiet;
    ctx->errors = errors;
    ctx->warnings = warnings;
    return unit;
}

/* Notes that all calls stay; gives the unit. */
static struct ast_unit *sites_keep(struct inline_round *r)
{
    r->unit->kept_calls = NULL;
    for (size_t i = 0; i < r->sites.count; i++)
        if (!r->sites.at[i].runs_once)
            kept_add(r, inlining_call(r->ctx->arena, r->unit, r->sites.at[i].statement),
                     "makes the text too long or no C where it is called");
    return r->unit;
}

/* Where a place before or behind edits is in the text that they make. */
static size_t place_moved(const inline_list *edits, size_t at)
{
    size_t moved = at;
    for (size_t i = 0; i < edits->count; i++)
        if (edits->at[i].end <= at)
            moved = moved - (edits->at[i].end - edits->at[i].begin) + strlen(edits->at[i].text);
    return moved;
}

static void runs_move(run_list *runs, const inline_list *edits)
{
    for (size_t i = 0; i < runs->count; i++)
        for (size_t k = 0; k < runs->at[i].parts.count; k++) {
            struct inline_part *part = &runs->at[i].parts.at[k];
            part->begin = place_moved(edits, part->begin);
            part->end = place_moved(edits, part->end);
        }
}

/* The rounds, for the fragments of a choice, or for runs. */
static struct ast_unit *rounds_inline(struct ctx *ctx, struct ast_unit *unit,
                                      const struct map_choice *choice, run_list *runs)
{
    for (int depth = 0; depth < INLINED_DEPTH_MAX && !unit->is_simplified; depth++) {
        struct inline_round r = {.ctx = ctx, .unit = unit};
        inline_list edits = {0};
        bool in_loops = false;
        labels_drop(ctx->arena, unit);
        if (runs)
            sites_of_runs(&r, runs);
        else
            sites_find(&r, choice);
        for (size_t i = 0; i < r.sites.count; i++)
            in_loops |= r.sites.at[i].in_loop;
        if (in_loops)
            sites_try(&r, choice);
        edits_find_calls(&r, &edits);
        if (!edits.count)
            return unit;
        struct ast_unit *next = edits_read(&r, &edits);
        if (!next)
            return sites_keep(&r);
        unit = next;
        if (runs)
            runs_move(runs, &edits);
    }
    return unit;
}

struct ast_unit *runs_inline(struct ctx *ctx, struct ast_unit *unit, run_list *runs)
{
    const struct map_choice choice = {.all = true};
    return rounds_inline(ctx, unit, &choice, runs);
}

static bool has_marks(const struct ast_unit *unit)
{
    for (size_t i = 0; i < unit->n_pragmas; i++)
        if (unit->pragmas[i].kind < PRAGMA_HINT)
            return true;
    return false;
}

struct ast_unit *calls_inline(struct ctx *ctx, struct ast_unit *unit,
                              const struct map_choice *choice)
{
    bool is_open = choice->all && !choice->function && !has_marks(unit);
    return is_open ? calls_inline_all(ctx, unit, choice->tells_calls)
                   : rounds_inline(ctx, unit, choice, NULL);
}

/* Has a nest the call in its threads, is its refusal about the call, or does it stay as a whole? */
static bool nest_tells(const struct nest *nest, const struct ast_kept_call *call)
{
    const struct scop_refusal *refusal = &nest->refusal;
    if (nest->plan || refusal->is_note)
        return nest->fragment.begin <= call->begin && call->begin < nest->fragment.end;
    return refusal->text && refusal->row == REFUSE_KEPT_CALL &&
           refusal->loc.line == call->loc.line && refusal->loc.column == call->loc.column;
}

void calls_refuse(struct ctx *ctx, const struct ast_unit *unit, const nest_list *nests,
                  bool as_errors)
{
    const struct ast_kept_call *kept = unit->kept_calls;
    for (; kept; kept = kept->next) {
        bool is_said = false;
        for (size_t i = 0; i < nests->count; i++)
            is_said |= nest_tells(nests->at[i], kept);
        if (is_said)
            continue;
        struct refusal_text text =
            refusal_text(ctx->arena, REFUSE_KEPT_CALL, REFUSED_IN_FRAGMENT,
                         kept_call_words(ctx->arena, unit, kept->begin));
        if (as_errors)
            diag_error(ctx, kept->loc, "%s cannot be mapped; %s", text.called, text.instead);
        else
            diag_warning(ctx, kept->loc,
                         "%s cannot be mapped; %s; the statement of line %u stays as it is",
                         text.called, text.instead, loc_line(kept->loc));
    }
}
