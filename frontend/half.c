/* Arithmetic of halves is that of floats.

   In: a node as clang has it, to which an operation of halves is a half. Out: the same node, whose
   type is float, as is that of integers that join halves: C lets an implementation keep more digits
   than the type has until a value is stored, converted by a cast, passed or returned
   (5.2.4.2.2, 6.3.1.8), and gcc and clang do so where the processor has no arithmetic of halves. A
   constant keeps the value that it has as a half. So whatever reads the tree finds the rounding
   where a type changes, as with other types. */
#include "frontend/clang.h"

static const struct ast_type float_type = {
    .class = AST_TYPE_F32, .text = "float", .canonical = "float", .bytes = 4, .count = -1};

static bool is_half(const struct ast *node)
{
    return node->type && node->type->class == AST_TYPE_F16;
}

/* Does the node compute with its operands, or choose one? */
static bool is_arithmetic(const struct ast *node)
{
    if (node->kind == AST_UNARY)
        return node->op == AST_OP_PLUS || node->op == AST_OP_MINUS;
    return node->kind == AST_BINARY || node->kind == AST_CONDITIONAL ||
           (node->kind == AST_ASSIGN && node->op != AST_OP_NONE);
}

static const struct ast *float_made(struct ast_unit *unit, const struct ast *node)
{
    struct ast *wide = ARENA_NEW(unit->ctx->arena, struct ast);
    *wide = *node;
    wide->type = &float_type;
    return wide;
}

/* Is it an integer that C converts because a half stands beside it? */
static bool is_joining(const struct ast *node)
{
    return node->kind == AST_CAST && node->is_implicit && is_half(node) &&
           node->children[0]->type && ast_class_is_integer(node->children[0]->type->class);
}

const struct ast *half_widened(struct ast_unit *unit, const struct ast *node)
{
    if (node->kind == AST_REAL && is_half(node))
        return float_made(unit, node);
    if (!is_arithmetic(node))
        return node;
    const struct ast **children = ARENA_ARRAY(unit->ctx->arena, const struct ast *,
                                              node->n_children + 1);
    bool joins = false;
    for (int i = 0; i < node->n_children; i++) {
        bool is_joined = is_joining(node->children[i]);
        children[i] = is_joined ? float_made(unit, node->children[i]) : node->children[i];
        joins |= is_joined;
    }
    bool is_widened = is_half(node) && node->kind != AST_ASSIGN;
    if (!joins && !is_widened)
        return node;
    struct ast *wide = ARENA_NEW(unit->ctx->arena, struct ast);
    *wide = *node;
    wide->type = is_widened ? &float_type : node->type;
    wide->children = children;
    return wide;
}
