/* Fragments around what is refused.

   In: a fragment that a person marked or named. Out: nests: the parts of it that can be read, each
   a fragment of its own, and the statements that stay as they are. A part's mapped text does what
   its source did, whatever stands around it: so what is refused keeps its place, its order and the
   values of all variables among the parts, and nothing is moved across it. A part is read anew, and
   may be refused for another reason; every cut leaves less text, which ends the search. */
#include "frontend/ask.h"
#include "mapper/plan/nest.h"
#include <string.h>

struct fragment_cut {
    struct ctx *ctx;
    struct ast_unit *unit;
    const struct ast *function, *body;
    nest_list *list;
    int depth;                       /* loops that stay around what is cut */
};

/* Successive statements of a block. */
struct statement_run {
    const struct ast *const *at;
    int count;
    bool in_block;
};

static void cut_run(struct fragment_cut *c, struct statement_run run);
static void cut_fragment(struct fragment_cut *c, const struct fragment *fragment, bool in_block);

/* Text of the file's own that a fragment may replace. */
static bool has_text(const struct ast *ast)
{
    return ast->end > ast->begin && !ast->is_macro;
}

/* The runs below a statement: bodies of loops, branches, blocks. */
static void cut_below(struct fragment_cut *c, const struct ast *ast)
{
    bool loops = ast_is_loop(ast);
    if (!has_text(ast))
        return;
    if (ast->kind == AST_COMPOUND) {
        cut_run(c, (struct statement_run){ast->children, ast->n_children, true});
        return;
    }
    c->depth += loops;
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *child = ast->children[i];
        if (!child || ast_is_expression(child))
            continue;
        if (child->kind == AST_COMPOUND)
            cut_below(c, child);
        else
            cut_run(c, (struct statement_run){&ast->children[i], 1, false});
    }
    c->depth -= loops;
}

static bool has_nest(const struct ast *ast)
{
    return has_text(ast) && ast_has(ast, AST_FOR);
}

/* The statements from the first one with a loop to the last one become a fragment. */
static void cut_run(struct fragment_cut *c, struct statement_run run)
{
    while (run.count > 0 && !has_nest(run.at[0])) {
        run.at++;
        run.count--;
    }
    while (run.count > 0 && !has_nest(run.at[run.count - 1]))
        run.count--;
    if (!run.count)
        return;
    const struct ast *first = run.at[0];
    size_t end = statement_end(c->unit, run.at[run.count - 1]);
    struct fragment fragment = {c->function, c->body, (size_t)run.count, run.at, first->begin,
                                end, end, first->loc, !run.in_block, NULL, NULL};
    cut_fragment(c, &fragment, run.in_block);
}

/* The number of the first statement whose text ends behind the byte. */
static int statement_at(const struct fragment *f, size_t byte)
{
    int i = 0;
    while (i < (int)f->n_statements && f->statements[i]->end <= byte)
        i++;
    return i;
}

/* Statements [first, last) that stay: the one that is to blame, or none. Of several that share the
   text of a macro it is the first; the others have no text of their own (has_nest). */
static void kept_find(const struct fragment *f, size_t culprit, int *first, int *last)
{
    int at = statement_at(f, culprit);
    *first = *last = at;
    if (at == (int)f->n_statements || f->statements[at]->begin > culprit)
        return;
    *last = at + 1;
}

/* Cuts a refused fragment between two statements: where the culprit stands, or in the middle. */
static void cut_between(struct fragment_cut *c, const struct fragment *f, int at, bool in_block)
{
    int n = (int)f->n_statements;
    if (at <= 0 || at >= n)
        at = n / 2;
    if (n == 1) {
        cut_below(c, f->statements[0]);
        return;
    }
    cut_run(c, (struct statement_run){f->statements, at, in_block});
    cut_run(c, (struct statement_run){f->statements + at, n - at, in_block});
}

/* The nest of what stays. */
static void narrow(struct fragment_cut *c, struct nest *nest, const struct ast *const *at,
                   int count)
{
    struct fragment *f = &nest->fragment;
    f->statements = at;
    f->n_statements = (size_t)count;
    f->begin = at[0]->begin;
    f->end = f->statements_end = statement_end(c->unit, at[count - 1]);
    f->loc = at[0]->loc;
}

static void cut_fragment(struct fragment_cut *c, const struct fragment *fragment, bool in_block)
{
    struct nest *nest = ARENA_NEW(c->ctx->arena, struct nest);
    int first = 0, last = 0, n = (int)fragment->n_statements;
    nest->fragment = *fragment;
    nest_read(c->ctx, c->unit, nest);
    if (c->depth && nest->plan && !nest_pays(nest)) {
        scop_refuse(nest->scop, REFUSE_FEW, fragment->loc, NULL);
        nest->refusal = nest->scop->refusal;
        nest->plan = NULL;
    }
    if (!nest->scop)
        kept_find(fragment, nest->refusal.culprit, &first, &last);
    if (first == last)
        vec_push(c->ctx->arena, c->list, nest);
    if (nest->scop)
        return;
    if (first == last) {
        cut_between(c, fragment, first, in_block);
        return;
    }
    const struct ast *const *at = fragment->statements;
    cut_run(c, (struct statement_run){at, first, in_block});
    narrow(c, nest, at + first, last - first);
    vec_push(c->ctx->arena, c->list, nest);
    for (int i = first; i < last; i++)
        cut_below(c, at[i]);
    cut_run(c, (struct statement_run){at + last, n - last, in_block});
}

void nests_cut(struct ctx *ctx, struct ast_unit *unit, const struct fragment *fragment,
               nest_list *list)
{
    struct fragment_cut c = {ctx, unit, fragment->function, fragment->body, list, 0};
    cut_fragment(&c, fragment, !fragment->needs_braces);
}

/* --- messages --------------------------------------------------------------------------------- */

/* Loops too deep say so once, for all that is in them: also for the innermost of them, where none
   is independent, or isl was stopped. Nor is it said of parts that they are too small: the loop
   around them says why it stays. */
static bool is_deeper(const struct nest *nest, const struct nest *outer)
{
    const struct fragment *in = &nest->fragment, *around = &outer->fragment;
    bool says = nest->refusal.row == REFUSE_DEPTH || nest->refusal.row == REFUSE_SERIAL ||
                nest->refusal.row == REFUSE_LIMIT;
    bool few = nest->refusal.row == REFUSE_FEW;
    return (few || (says && outer->refusal.row == REFUSE_DEPTH)) && !outer->plan &&
           outer->refusal.text && around->begin < in->begin && in->end <= around->end;
}

static bool is_said(const nest_list *list, size_t n, const struct scop_refusal *refusal)
{
    for (size_t i = 0; i < n; i++) {
        const struct scop_refusal *other = &list->at[i]->refusal;
        if (is_deeper(list->at[n], list->at[i]))
            return true;
        if (other->text && !strcmp(other->text, refusal->text) &&
            other->loc.source == refusal->loc.source && other->loc.line == refusal->loc.line &&
            other->loc.column == refusal->loc.column)
            return true;
    }
    return false;
}

void nests_refuse(struct ctx *ctx, const nest_list *list, bool as_errors)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct nest *nest = list->at[i];
        const struct scop_refusal *refusal = &nest->refusal;
        if (nest->plan || is_said(list, i, refusal))
            continue;
        const struct ast *kept = nest->fragment.statements[0];
        if (refusal->is_note)
            diag_note(ctx, refusal->loc, "%s", refusal->text);
        else if (as_errors)
            diag_error(ctx, refusal->loc, "%s", refusal->text);
        else if (nest->scop || refusal->culprit == NOBODY)
            diag_warning(ctx, refusal->loc, "%s", refusal->text);
        else
            diag_warning(ctx, refusal->loc, "%s; the %s of line %u stays as it is", refusal->text,
                         ast_is_loop(kept) ? "loop" : "statement", loc_line(kept->loc));
    }
}
