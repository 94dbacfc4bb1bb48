/* The values of C89 iterators behind their loops: `for (i = 0; i < n; i++) …; last = i;`.

   In: a fragment whose loops were read. Out: which iterators that are declared outside it have a
   value that somebody reads behind, and the text that gives it to them: the mapped loops count in
   variables of their own. A value is read behind if a path leads from the fragment's end to a
   mention that no assignment stands before. */
#include "frontend/facts.h"
#include "frontend/writes.h"
#include "mapper/scop/behind.h"
#include "mapper/scop/extract.h"
#include <inttypes.h>

enum use { USE_NONE, USE_SET, USE_READ };

static enum use first_use(const struct ast *ast, const struct ast *decl);

/* The first use in a list of statements, from `at` on. Behind a statement that may leave the list
   by a jump nothing is sure to be set. */
static enum use list_use(const struct ast *block, int at, const struct ast *decl)
{
    enum use use = USE_NONE;
    bool leaves = false;
    for (int i = at; i < block->n_children && use == USE_NONE; i++) {
        const struct ast *child = block->children[i];
        use = first_use(child, decl);
        leaves |= ast_has_own_jump(child, AST_BREAK) || ast_has_own_jump(child, AST_CONTINUE);
    }
    return leaves && use == USE_SET ? USE_NONE : use;
}

static enum use if_use(const struct ast *ast, const struct ast *decl)
{
    enum use then = first_use(ast->children[1], decl), otherwise = USE_NONE;
    if (ast->n_children > 2 && ast->children[2])
        otherwise = first_use(ast->children[2], decl);
    if (ast_mentions(ast->children[0], decl) || then == USE_READ || otherwise == USE_READ)
        return USE_READ;
    return then == USE_SET && otherwise == USE_SET ? USE_SET : USE_NONE;
}

/* The first use in any part of a loop but the first one of a `for`. */
static enum use round_use(const struct ast *loop, const struct ast *decl)
{
    enum use use = USE_NONE;
    for (int i = loop->kind == AST_FOR; i < loop->n_children; i++)
        if (first_use(loop->children[i], decl) == USE_READ)
            use = USE_READ;
    return use;
}

/* A declaration of the variable itself ends the search: nobody reads the earlier value. */
static enum use declare_use(const struct ast *declare, const struct ast *decl)
{
    bool declares = false;
    for (int i = 0; i < declare->n_children; i++)
        declares |= declare->children[i] == decl;
    return ast_mentions(declare, decl) ? USE_READ : declares ? USE_SET : USE_NONE;
}

static enum use first_use(const struct ast *ast, const struct ast *decl)
{
    if (!ast)
        return USE_NONE;
    switch (ast->kind) {
    case AST_COMPOUND:
        return list_use(ast, 0, decl);
    case AST_IF:
        return if_use(ast, decl);
    case AST_FOR: {
        enum use start = first_use(ast->children[0], decl);
        return start != USE_NONE ? start : round_use(ast, decl);
    }
    case AST_WHILE:
    case AST_DO:
        return round_use(ast, decl);
    case AST_BINARY: {
        enum use left = ast->op == AST_OP_COMMA ? first_use(ast->children[0], decl) : USE_NONE;
        return left != USE_NONE           ? left
               : ast->op == AST_OP_COMMA  ? first_use(ast->children[1], decl)
               : ast_mentions(ast, decl) ? USE_READ
                                          : USE_NONE;
    }
    case AST_DECLARE:
        return declare_use(ast, decl);
    case AST_RETURN:
        return ast_mentions(ast, decl) ? USE_READ : USE_SET;
    case AST_ASSIGN: {
        bool sets = ast->op == AST_OP_NONE && ast->children[0]->kind == AST_REF &&
                    ast->children[0]->decl == decl;
        if (sets)
            return ast_mentions(ast->children[1], decl) ? USE_READ : USE_SET;
        return ast_mentions(ast, decl) ? USE_READ : USE_NONE;
    }
    default:
        return ast_mentions(ast, decl) ? USE_READ : USE_NONE;
    }
}

static bool is_around(const struct ast *ast, const struct fragment *f)
{
    return ast && !ast_is_expression(ast) && ast->begin <= f->statements[0]->begin &&
           ast->end >= f->statements[f->n_statements - 1]->end;
}

/* The use of the variable behind the fragment, inside the node around the fragment. */
static enum use use_behind(const struct ast *around, const struct fragment *f,
                           const struct ast *decl)
{
    enum use use = USE_NONE;
    int at = 0;
    while (at < around->n_children && !is_around(around->children[at], f))
        at++;
    if (f->n_statements == 1 && around->begin == f->statements[0]->begin &&
        around->end == f->statements[0]->end)
        return USE_NONE;
    if (at < around->n_children)
        use = use_behind(around->children[at], f, decl);
    if (use != USE_NONE)
        return use;
    if (around->kind == AST_COMPOUND) {
        size_t end = f->statements[f->n_statements - 1]->end;
        int next = 0;
        while (next < around->n_children && around->children[next]->begin < end)
            next++;
        return list_use(around, next, decl);
    }
    bool loop = around->kind == AST_FOR || around->kind == AST_WHILE || around->kind == AST_DO;
    return loop ? round_use(around, decl) : USE_NONE;
}

/* Are there ways through the function that its nesting does not show, or to the variable? */
static bool is_hidden(const struct scop *scop, const struct ast *decl)
{
    const struct ast_facts *facts = ast_facts(scop->unit, scop->fragment->body);
    return facts->has_hidden_ways || map_get_pointer(facts->addressed, decl);
}

bool variable_is_read_behind(const struct scop *scop, const struct ast *decl)
{
    const struct fragment *f = scop->fragment;
    return is_hidden(scop, decl) || use_behind(f->body, f, decl) == USE_READ;
}

bool variable_is_unset(const struct scop *scop, const struct ast *decl)
{
    const struct fragment *f = scop->fragment;
    bool unset = decl->kind == AST_VARIABLE && !decl->n_children && !decl->is_static &&
                 !decl->is_global && !decl->is_extern;
    struct ast_walk walk;
    if (!unset)
        return false;
    const struct ast *n = ast_first(&walk, scop->arena, f->body);
    for (; n && unset; n = ast_next(&walk)) {
        bool again = ast_is_loop(n) && n->begin < f->begin && f->begin < n->end &&
                     decl->begin < n->begin;
        unset = !again && (ast_written(n) != decl || n->begin >= f->begin);
    }
    return unset;
}

bool last_is_read(const struct scop *scop, const struct scop_loop *loop)
{
    struct fragment alone = *scop->fragment;
    alone.statements = &loop->ast;
    alone.n_statements = 1;
    return use_behind(alone.body, &alone, loop->iterator) == USE_READ;
}

/* --- last values ------------------------------------------------------------------------------ */

/* Do parameters alone say how often the loop runs? */
static bool rounds_are_known(const struct scop *scop, const struct scop_loop *loop)
{
    return loop->n_limits == 1 && !affine_has_iterator(scop, &loop->start) &&
           !affine_has_iterator(scop, &loop->limits[0]) && !loop->phase.n_terms &&
           !loop->phase.constant;
}

static bool is_under_if(const struct scop *scop, const struct ast *loop)
{
    struct ast_walk walk;
    for (size_t i = 0; i < scop->fragment->n_statements; i++) {
        const struct ast *n = ast_first(&walk, scop->arena, scop->fragment->statements[i]);
        for (; n; n = ast_next(&walk))
            if (n->kind == AST_IF && n->begin < loop->begin && loop->end <= n->end)
                return true;
    }
    return false;
}

bool last_is_known(const struct scop *scop, const struct scop_loop *loop)
{
    bool known = !is_under_if(scop, loop->ast);
    for (; loop && known; loop = loop->outer)
        known = rounds_are_known(scop, loop);
    return known;
}

/* "n > 0": the loop has an iteration. */
static const char *runs_text(const struct scop *scop, const struct scop_loop *loop)
{
    int sign = loop->step > 0 ? 1 : -1;
    struct affine points = affine_constant(1);
    affine_add(&points, &loop->limits[0], sign);
    affine_add(&points, &loop->start, -sign);
    return affine_positive_text(scop, &points);
}

/* The iterator's value behind a loop with at least one iteration. */
static const char *end_text(const struct scop *scop, const struct scop_loop *loop)
{
    struct affine end = loop->limits[0], step = affine_constant(loop->step);
    int64_t size = loop->step < 0 ? -loop->step : loop->step;
    if (size == 1) {
        affine_add(&end, &step, 1);
        return affine_text(scop, &end);
    }
    struct affine distance = affine_constant(size);
    affine_add(&distance, &loop->limits[0], loop->step > 0 ? 1 : -1);
    affine_add(&distance, &loop->start, loop->step > 0 ? -1 : 1);
    const char *whole = arena_printf(scop->arena, "(%s) / %" PRId64 " * %" PRId64,
                                     affine_text(scop, &distance), size, size);
    if (loop->step > 0 && !loop->start.n_terms && !loop->start.constant)
        return whole;
    return arena_printf(scop->arena, "%s %c %s", affine_text(scop, &loop->start),
                        loop->step > 0 ? '+' : '-', whole);
}

void lasts_print(struct str *out, const struct scop *scop, int indent)
{
    for (size_t i = 0; i < scop->loops.count; i++) {
        const struct scop_loop *loop = scop->loops.at[i];
        if (!loop->is_live)
            continue;
        str_indent(out, indent);
        const char *before = "if (";
        for (const struct scop_loop *outer = loop->outer; outer; outer = outer->outer) {
            str_addf(out, "%s%s", before, runs_text(scop, outer));
            before = " && ";
        }
        if (loop->outer) {
            str_add(out, ")\n");
            str_indent(out, indent + 4);
        }
        str_addf(out, "%s = %s ? %s : %s;\n", loop->name, runs_text(scop, loop),
                 end_text(scop, loop), affine_text(scop, &loop->start));
    }
}
