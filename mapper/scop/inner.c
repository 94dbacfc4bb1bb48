/* Loops of one statement: below a condition on data, with bounds that are not affine, or ended by
   data: `while`, `do`, `break`.

   In: a loop below loops of the fragment. Out: the loop's accesses, as accesses of the statement. A
   thread runs the loop unchanged. A counting loop has a header that the region's reader takes: one
   comparison, a literal step, an iterator and bounds that the body leaves alone. A subscript with
   the iterator of such a loop may mean any element along the axis. */
#include "frontend/writes.h"
#include "mapper/scop/extract.h"
#include "mapper/scop/range.h"

/* Does the body write the variable, or an element of the array that the name means? */
static bool body_changes(struct arena *arena, const struct ast *body, const struct ast *decl)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk)) {
        const struct ast *base = change_base(n);
        if (base && base->decl == decl)
            return true;
    }
    return false;
}

/* A variable of the bound that the body writes; NULL if the body writes none. A called function may
   write any array among the arguments. */
static const struct ast *changed_bound(struct arena *arena, const struct ast *bound,
                                       const struct ast *body)
{
    struct ast_walk walk, calls;
    for (const struct ast *n = ast_first(&walk, arena, bound); n; n = ast_next(&walk)) {
        if (n->kind != AST_REF)
            continue;
        if (body_changes(arena, body, n->decl))
            return n;
        for (const struct ast *c = ast_first(&calls, arena, body); c; c = ast_next(&calls))
            if (c->kind == AST_CALL && c->decl && c->decl->has_body && n->decl->type->element)
                return n;
    }
    return NULL;
}

/* The bound of a comparison with the iterator that its step leads to; NULL after a refusal. */
static const struct ast *counting_bound(struct scop *scop, const struct ast *loop,
                                        const struct ast *iterator)
{
    struct header_comparison c;
    int64_t step = header_step(loop->children[2], iterator);
    bool compares = header_compares(loop->children[1], iterator, &c) && !c.plus;
    if (!step || !compares || c.op == AST_OP_NE)
        return scop_refuse(scop, REFUSE_HEADER, loop->loc, NULL);
    bool below = c.op == AST_OP_LT || c.op == AST_OP_LE;
    return below == (step > 0) ? c.bound : scop_refuse(scop, REFUSE_HEADER, loop->loc, NULL);
}

/* Does the loop count, so that a region knows its rounds before it starts? */
static bool inner_counts(const struct ast *loop, const struct ast *iterator)
{
    struct header_comparison c;
    return iterator && header_step(loop->children[2], iterator) &&
           header_compares(loop->children[1], iterator, &c) && !c.plus && c.op != AST_OP_NE &&
           !ast_has_own_jump(loop->children[3], AST_BREAK);
}

/* Checks the demands of the region's reader on a counting loop. False after a refusal. */
static bool check_counting(struct scop *scop, const struct ast *ast, const struct ast *iterator)
{
    const struct ast *body = ast->children[3];
    enum ast_class class = iterator->type->class;
    bool counts = class == AST_TYPE_I32 || class == AST_TYPE_I64 || class_is_unsigned(class);
    if (!counts || iterator->type->is_volatile)
        return scop_refuse(scop, REFUSE_ITERATOR_TYPE, ast->loc, iterator->name);
    if (ast_writes(body, iterator))
        return scop_refuse(scop, REFUSE_ITERATOR_WRITTEN, ast->loc, iterator->name);
    const struct ast *bound = counting_bound(scop, ast, iterator);
    const struct ast *changed = bound ? changed_bound(scop->arena, bound, body) : NULL;
    if (changed)
        return scop_refuse(scop, REFUSE_BOUND_CHANGES, changed->loc, changed->decl->name);
    return bound != NULL;
}

/* Reads the accesses of a loop's rounds. Unless `is_may`, the body surely runs once. */
static bool rounds_read(struct extraction *e, struct scop_place at, const struct ast *body,
                        const struct ast *step, bool is_may)
{
    size_t n_set = e->set.count;
    at.is_inner = true;
    bool good = accesses_read(e, at, body, is_may);
    if (ast_has_own_jump(body, AST_CONTINUE))
        e->set.count = n_set;
    good = good && accesses_read(e, at, step, true);
    if (is_may)
        e->set.count = n_set;
    return good;
}

static bool do_read(struct extraction *e, struct scop_place at, const struct ast *ast, bool is_may)
{
    const struct ast *body = ast->children[0];
    bool jumps = ast_has_own_jump(body, AST_BREAK) || ast_has_own_jump(body, AST_CONTINUE);
    return rounds_read(e, at, body, NULL, is_may || jumps) &&
           expression_read(e, at, ast->children[1]);
}

static bool for_read(struct extraction *e, struct scop_place at, const struct ast *ast, bool is_may)
{
    const struct ast *value = NULL, *iterator = header_iterator(ast->children[0], &value);
    const struct ast *condition = ast->children[1];
    if (inner_counts(ast, iterator) && !check_counting(e->scop, ast, iterator))
        return false;
    if (!condition && !ast_has_own_jump(ast->children[3], AST_BREAK))
        return scop_refuse(e->scop, REFUSE_HEADER, ast->loc, NULL);
    return accesses_read(e, at, ast->children[0], is_may) &&
           (!condition || expression_read(e, at, condition)) &&
           rounds_read(e, at, ast->children[3], ast->children[2], true);
}

bool inner_loop_read(struct extraction *e, struct scop_place at, const struct ast *ast, bool is_may)
{
    if (!at.depth)
        return ast->kind == AST_FOR
                   ? scop_refuse(e->scop, REFUSE_LOOP_UNDER_DATA, ast->loc, NULL)
                   : scop_refuse_kind(e->scop, ast);
    if (ast->kind == AST_FOR)
        return for_read(e, at, ast, is_may);
    if (ast->kind == AST_DO)
        return do_read(e, at, ast, is_may);
    return expression_read(e, at, ast->children[0]) &&
           rounds_read(e, at, ast->children[1], NULL, true);
}
