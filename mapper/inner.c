/* Loops of one statement: below a condition on data, or with bounds that are not affine.

   In: a `for` below loops of the fragment. Out: what it touches, as accesses of the statement. A
   thread runs it as it stands, so its header must be one that the region's reader takes: its own
   iterator, one comparison, a literal step, and bounds that its body leaves alone. What its
   iterator subscripts may be any element along that axis. */
#include "mapper/extract.h"

/* Does the body write the variable, or the array that the name means? */
static bool body_writes(struct arena *arena, const struct ast *body, const struct ast *decl)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk)) {
        bool changes = n->kind == AST_ASSIGN ||
                       (n->kind == AST_UNARY && n->op >= AST_OP_PRE_INCREMENT &&
                        n->op <= AST_OP_POST_DECREMENT);
        const struct ast *target = changes ? n->children[0] : NULL;
        while (target && target->kind == AST_INDEX)
            target = target->children[0];
        if (target && target->kind == AST_REF && target->decl == decl)
            return true;
    }
    return false;
}

/* What the header reads and the body writes; NULL if nothing. A called function may write any array
   that it is given. */
static const struct ast *changed_bound(struct arena *arena, const struct ast *bound,
                                       const struct ast *body)
{
    struct ast_walk walk, calls;
    for (const struct ast *n = ast_first(&walk, arena, bound); n; n = ast_next(&walk)) {
        if (n->kind != AST_REF)
            continue;
        if (body_writes(arena, body, n->decl))
            return n;
        for (const struct ast *c = ast_first(&calls, arena, body); c; c = ast_next(&calls))
            if (c->kind == AST_CALL && c->decl && c->decl->has_body && n->decl->type->element)
                return n;
    }
    return NULL;
}

/* The bound of a comparison with the iterator that its step leads to; NULL after a refusal. */
static const struct ast *bound_of(struct scop *scop, const struct ast *loop,
                                  const struct ast *iterator)
{
    const struct ast *condition = loop->children[1];
    int64_t step = header_step(loop->children[2], iterator);
    bool compares = condition && condition->kind == AST_BINARY &&
                    condition->op >= AST_OP_LT && condition->op <= AST_OP_GE;
    int side = compares && is_ref_to(condition->children[0], iterator) ? 0 : 1;
    if (!step || !compares || !is_ref_to(condition->children[side], iterator))
        return scop_refuse(scop, REFUSE_HEADER, loop->loc, NULL);
    bool below = (condition->op == AST_OP_LT || condition->op == AST_OP_LE) == (side == 0);
    if (below != (step > 0))
        return scop_refuse(scop, REFUSE_HEADER, loop->loc, NULL);
    return condition->children[1 - side];
}

bool inner_loop_read(struct extraction *e, struct scop_stmt *stmt, const struct ast *ast)
{
    struct scop *scop = e->scop;
    const struct ast *value = NULL, *iterator = header_iterator(ast->children[0], &value);
    const struct ast *body = ast->children[3];
    if (!e->depth)
        return scop_refuse(scop, REFUSE_LOOP_UNDER_DATA, ast->loc, NULL);
    if (ast->is_macro)
        return scop_refuse(scop, REFUSE_MACRO, ast->loc, NULL);
    if (!iterator || iterator->kind != AST_VARIABLE || ast->children[0]->kind != AST_DECLARE)
        return scop_refuse(scop, REFUSE_HEADER, ast->loc, NULL);
    enum ast_class class = iterator->type->class;
    bool counts = class == AST_TYPE_I32 || class == AST_TYPE_I64 || class_is_unsigned(class);
    if (!counts || iterator->type->is_volatile)
        return scop_refuse(scop, REFUSE_ITERATOR_TYPE, ast->loc, iterator->name);
    if (body_writes(scop->arena, body, iterator))
        return scop_refuse(scop, REFUSE_ITERATOR_WRITTEN, ast->loc, iterator->name);
    const struct ast *bound = bound_of(scop, ast, iterator);
    const struct ast *changed = bound ? changed_bound(scop->arena, bound, body) : NULL;
    if (changed)
        return scop_refuse(scop, REFUSE_BOUND_CHANGES, changed->loc, changed->decl->name);
    if (!bound || !expression_read(e, stmt, value) || !expression_read(e, stmt, bound))
        return false;
    e->inner++;
    bool good = accesses_read(e, stmt, body, true);
    e->inner--;
    return good;
}
