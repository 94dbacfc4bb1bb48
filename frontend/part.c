/* Nodes without text of their own, because a macro's call is the text of further nodes, too.

   In: a node with its children, whose ranges hold whole calls of macros. Out: `is_part` of the
   children and of all nodes below them. The first or the last token of a child may come from a
   macro. The call is the child's own text if no other child of the node and no token of the node
   itself (its operator, a keyword, a parenthesis) comes from that call. In doubt the child gets no
   text of its own: such a node is printed from its parts, which is always right, so that a doubt
   costs a macro's name only. */
#include "frontend/clang.h"
#include "frontend/scan.h"

static bool touches(const struct ast *node, const struct macro_call *call)
{
    return (node->is_macro && node->begin == call->begin) ||
           (node->is_macro_end && node->end == call->end);
}

/* Does the node begin with a token of its first child, end with one of its last child? */
static bool begins_with_child(const struct ast *node)
{
    return node->kind == AST_BINARY || node->kind == AST_ASSIGN || node->kind == AST_INDEX ||
           node->kind == AST_CONDITIONAL;
}

static bool ends_with_child(const struct ast *node)
{
    switch (node->kind) {
    case AST_BINARY: case AST_ASSIGN: case AST_CONDITIONAL: case AST_CAST: case AST_RETURN:
    case AST_IF: case AST_FOR: case AST_WHILE: case AST_LABEL: case AST_CASE: case AST_DEFAULT:
    case AST_VARIABLE: case AST_PARAMETER:
        return true;
    case AST_UNARY:
        return node->begin != node->children[0]->begin;
    default:
        return false;
    }
}

/* Does the sign stand in the file between a child and the next? libclang does not tell the place of
   operators. */
static bool sign_is_between(const struct ast_unit *unit, const struct ast *node, int child,
                            char sign)
{
    size_t begin = node->children[child]->end, end = node->children[child + 1]->begin;
    struct token token;
    if (begin >= end)
        return false;
    struct scanner scanner = scanner_make(unit->source->text + begin, end - begin);
    while (scanner_next(&scanner, &token))
        if (token.kind == TOKEN_SIGN && *token.text == sign)
            return true;
    return false;
}

/* Does the operator of a BINARY, an ASSIGN or a CONDITIONAL stand in the file? */
static bool sign_is_written(const struct ast_unit *unit, const struct ast *node)
{
    if (node->kind == AST_CONDITIONAL)
        return sign_is_between(unit, node, 0, '?') && sign_is_between(unit, node, 1, ':');
    char sign = node->kind == AST_ASSIGN ? '=' : ast_op_text(node->op)[0];
    return sign_is_between(unit, node, 0, sign);
}

/* May a token of the node itself be of the call? */
static bool has_own_token(const struct ast_unit *unit, const struct ast *node,
                          const struct macro_call *call)
{
    bool begins = node->is_macro && node->begin == call->begin;
    bool ends = node->is_macro_end && node->end == call->end;
    bool has_sign = node->kind == AST_CONDITIONAL
                        ? node->n_children == 3
                        : (node->kind == AST_BINARY || node->kind == AST_ASSIGN) &&
                              node->n_children == 2;
    if (has_sign)
        return !sign_is_written(unit, node);
    return node->kind == AST_CONDITIONAL || (begins && !begins_with_child(node)) ||
           (ends && !ends_with_child(node));
}

static bool is_shared(const struct ast_unit *unit, const struct ast *node, const struct ast *child,
                      const struct macro_call *call)
{
    bool shared = has_own_token(unit, node, call);
    for (int i = 0; i < node->n_children && !shared; i++)
        shared = node->children[i] && node->children[i] != child &&
                 touches(node->children[i], call);
    return shared;
}

static void mark(struct ast_unit *unit, const struct ast *child, const struct macro_call *call)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, unit->ctx->arena, child); n; n = ast_next(&walk)) {
        if (!touches(n, call))
            continue;
        ((struct ast *)n)->is_part = true;
    }
}

void parts_mark(struct ast_unit *unit, const struct ast *node)
{
    for (int i = 0; i < node->n_children; i++) {
        const struct ast *child = node->children[i];
        const struct macro_call *first = NULL, *last = NULL;
        if (child && child->is_macro)
            first = macro_call_at(unit, (unsigned)child->begin, false);
        if (child && child->is_macro_end)
            last = macro_call_at(unit, (unsigned)child->end, true);
        if (first && is_shared(unit, node, child, first))
            mark(unit, child, first);
        if (last && is_shared(unit, node, child, last))
            mark(unit, child, last);
    }
}

void parts_mark_extents(struct ast_unit *unit, const struct ast *declaration)
{
    for (const struct ast_type *type = declaration->type; type; type = type->element) {
        const struct ast *extent = type->extent;
        const struct macro_call *call =
            extent && extent->is_macro ? macro_call_at(unit, (unsigned)extent->begin, false) : NULL;
        if (call && touches(declaration, call))
            mark(unit, extent, call);
    }
}
