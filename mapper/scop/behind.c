/* The values of C89 iterators behind their loops: `for (i = 0; i < n; i++) …; last = i;`.

   In: a fragment whose loops were read. Out: which iterators that are declared outside it have a
   value that somebody reads behind, and the text that gives it to them: the mapped loops count in
   variables of their own. A value is read behind if a path leads from the fragment's end to a
   mention that no assignment stands before. */
#include "frontend/behind.h"
#include "frontend/facts.h"
#include "frontend/text.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/scop/behind.h"
#include "mapper/scop/extract.h"
#include <inttypes.h>

/* Are there ways through the function that its nesting does not show, or to the variable? */
static bool is_hidden(const struct scop *scop, const struct ast *decl)
{
    const struct ast_facts *facts = ast_facts(scop->unit, scop->fragment->body);
    return facts->has_hidden_ways || map_get_pointer(facts->addressed, decl);
}

bool variable_is_read_behind(const struct scop *scop, const struct ast *decl)
{
    const struct fragment *f = scop->fragment;
    bool is_inside = decl->end && decl->begin >= f->begin && decl->end <= f->end;
    if (is_inside)
        return false;                /* as in a macro that writes the loop, too */
    return is_hidden(scop, decl) ||
           ast_is_read_behind(f->body, f->statements[0], f->statements[f->n_statements - 1], decl);
}

/* Has a variable of the function no value where it is declared? */
static bool begins_unset(const struct ast *decl)
{
    return decl->kind == AST_VARIABLE && !decl->n_children && !decl->is_static &&
           !decl->is_global && !decl->is_extern;
}

bool variable_is_unset(const struct scop *scop, const struct ast *decl)
{
    const struct fragment *f = scop->fragment;
    bool unset = begins_unset(decl);
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

/* Does the statement set the variable, whatever it reads? */
static bool surely_sets(const struct ast *statement, const struct ast *decl)
{
    const struct ast *const *parts = statement->children;
    bool sets = value_given(statement, decl) != NULL;
    if (statement->kind == AST_FOR)
        return parts[0] && surely_sets(parts[0], decl);
    if (statement->kind == AST_IF)
        return statement->n_children > 2 && parts[2] && surely_sets(parts[1], decl) &&
               surely_sets(parts[2], decl);
    int n = statement->kind == AST_COMPOUND ? statement->n_children : 0;
    for (int i = 0; i < n && !sets; i++)
        sets = parts[i] && surely_sets(parts[i], decl);
    return sets;
}

/* Does a statement before the place, on all ways to it, set the variable? */
static bool is_set_before(const struct ast *around, size_t place, const struct ast *decl)
{
    int n_first = around->kind == AST_COMPOUND ? around->n_children : around->kind == AST_FOR;
    bool sets = false;
    for (int i = 0; i < around->n_children && !sets; i++) {
        const struct ast *child = around->children[i];
        if (!child || child->begin > place)
            continue;
        sets = child->end > place ? is_set_before(child, place, decl)
                                  : i < n_first && surely_sets(child, decl);
    }
    return sets;
}

bool variable_may_be_unset(const struct scop *scop, const struct ast *decl)
{
    const struct fragment *f = scop->fragment;
    return begins_unset(decl) && !variable_is_unset(scop, decl) &&
           (ast_facts(scop->unit, f->body)->has_hidden_ways ||
            !is_set_before(f->body, f->begin, decl));
}

bool last_is_read(const struct scop *scop, const struct scop_loop *loop)
{
    return ast_is_read_behind(scop->fragment->body, loop->ast, loop->ast, loop->iterator);
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

/* Numbers and pointers that loops of the fragment moved (forms/moving.c), in the loops' order. */
static void numbers_print(struct str *out, const struct scop *scop, const struct ast_moved *moved,
                          int indent)
{
    const struct fragment *f = scop->fragment;
    if (!moved)
        return;
    numbers_print(out, scop, moved->next, indent);
    if (!moved->last || moved->loop->begin < f->begin || moved->loop->end > f->end)
        return;
    struct ast_writer writer = {scop->arena, scop->unit->source, NULL};
    const char *text = ast_text(&writer, moved->last);
    str_indent(out, indent);
    str_addf(out, "%s = %s;\n", moved->variable->name, text ? text : moved->variable->name);
}

void lasts_print(struct str *out, const struct scop *scop, int indent)
{
    numbers_print(out, scop, scop->unit->moved, indent);
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
