/* The text of nodes that the mapper made in place of the source's (forms.h): it is put together of
   the text of their parts. */
#include "mapper/extract.h"
#include "mapper/print.h"
#include <inttypes.h>

/* Can the node be an operand of a sum without parentheses? The right one of an addition in 64 bits
   may be a sum of signed numbers itself: what is added up is the same. */
static bool is_plain_operand(const struct ast *ast, bool is_right, bool adds)
{
    bool multiplies = ast->kind == AST_BINARY && ast->op == AST_OP_MUL;
    bool sums = ast->kind == AST_BINARY && (ast->op == AST_OP_ADD || ast->op == AST_OP_SUB);
    if (ast->kind == AST_BINARY)
        return multiplies ||
               (sums && (!is_right || (adds && !class_is_unsigned(ast->type->class))));
    return ast->kind != AST_CONDITIONAL && ast->kind != AST_ASSIGN &&
           !(ast->kind == AST_UNARY && is_right);
}

static const char *operand_text(struct plan_text *t, const struct ast *ast, bool is_plain)
{
    return arena_printf(t->arena, is_plain ? "%s" : "(%s)", source_text(t, ast_strip(ast)));
}

static const char *declare_text(struct plan_text *t, const struct ast *declare)
{
    struct str out = str_new(t->arena);
    for (int i = 0; i < declare->n_children; i++) {
        const struct ast *variable = declare->children[i];
        str_addf(&out, "%s%s %s", i ? "; " : "", variable->type->text, variable->name);
        if (variable->n_children)
            str_addf(&out, " = %s", source_text(t, variable->children[0]));
    }
    str_char(&out, ';');
    return out.text;
}

/* A loop of counted.c that is part of a statement. */
static const char *loop_text(struct plan_text *t, const struct ast *loop)
{
    const struct ast *value = NULL, *const *parts = loop->children;
    const struct ast *iterator = header_iterator(parts[0], &value);
    bool declares = parts[0]->kind == AST_DECLARE;
    return arena_printf(t->arena, "for (%s%s%s = %s; %s; %s) %s",
                        declares ? iterator->type->text : "", declares ? " " : "", iterator->name,
                        source_text(t, value), source_text(t, parts[1]), source_text(t, parts[2]),
                        source_text(t, parts[3]));
}

const char *made_text(struct plan_text *t, const struct ast *ast)
{
    const struct ast *const *child = ast->children, *left, *right;
    switch (ast->kind) {
    case AST_REF:
        return ast->decl->name;
    case AST_INTEGER:
        return arena_printf(t->arena, "%" PRId64, ast->integer);
    case AST_INDEX:
        left = ast_strip(child[0]);
        return arena_printf(t->arena, "%s[%s]",
                            operand_text(t, left, left->kind == AST_REF || left->kind == AST_INDEX),
                            source_text(t, child[1]));
    case AST_UNARY:
        return arena_printf(t->arena, "%s%s", ast_op_text(ast->op),
                            operand_text(t, child[0], child[0]->kind == AST_REF));
    case AST_CAST:
        right = ast_strip(child[0]);
        return ast->is_implicit
                   ? source_text(t, right)
                   : arena_printf(t->arena, "(%s)%s", ast->type->text,
                                  operand_text(t, right, right->kind == AST_REF ||
                                                             right->kind == AST_INTEGER));
    case AST_BINARY:
        left = ast_strip(child[0]);
        right = ast_strip(child[1]);
        if (ast->op == AST_OP_MUL)
            return arena_printf(t->arena, "%s * %s",
                                operand_text(t, left, left->kind != AST_BINARY &&
                                                          left->kind != AST_CONDITIONAL),
                                operand_text(t, right, right->kind == AST_INTEGER ||
                                                           right->kind == AST_REF));
        return arena_printf(t->arena, "%s %s %s",
                            operand_text(t, left, is_plain_operand(left, false, false)),
                            ast_op_text(ast->op),
                            operand_text(t, right,
                                         is_plain_operand(right, true, ast->op == AST_OP_ADD)));
    case AST_FOR:
        return loop_text(t, ast);
    case AST_EMPTY:
        return "";
    default:
        return declare_text(t, ast);
    }
}
