/* The text of nodes that the mapper made in place of the source's (forms.h): it is put together of
   the text of their parts. */
#include "mapper/print/print.h"
#include "mapper/scop/extract.h"
#include "mapper/scop/range.h"
#include <inttypes.h>
#include <string.h>

/* How strongly an operator binds its operands; 0: it is none of those that are made. */
static int rank_of(enum ast_op op)
{
    switch (op) {
    case AST_OP_MUL: case AST_OP_DIV: case AST_OP_REM: return 5;
    case AST_OP_ADD: case AST_OP_SUB: return 4;
    case AST_OP_LT: case AST_OP_GT: case AST_OP_LE: case AST_OP_GE: return 3;
    case AST_OP_EQ: case AST_OP_NE: return 3;
    case AST_OP_LAND: return 2;
    case AST_OP_LOR: return 1;
    default: return 0;
    }
}

/* Can the node be an operand of a comparison, `&&` or `||` without parentheses? */
static bool is_plain_part(const struct ast *ast, enum ast_op outer)
{
    if (ast->kind != AST_BINARY)
        return ast->kind != AST_CONDITIONAL && ast->kind != AST_ASSIGN;
    bool mixes = outer == AST_OP_LOR && ast->op == AST_OP_LAND;
    return ast->op == outer ? rank_of(outer) < 3 : rank_of(ast->op) > rank_of(outer) && !mixes;
}

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

static const char *binary_text(struct plan_text *t, const struct ast *ast)
{
    const struct ast *left = ast_strip(ast->children[0]), *right = ast_strip(ast->children[1]);
    bool first = is_plain_operand(left, false, false);
    bool second = is_plain_operand(right, true, ast->op == AST_OP_ADD);
    int rank = rank_of(ast->op);
    if (ast->op == AST_OP_MUL) {
        first = left->kind != AST_BINARY && left->kind != AST_CONDITIONAL;
        second = right->kind == AST_INTEGER || right->kind == AST_REF;
    } else if (rank && rank < 4) {
        first = is_plain_part(left, ast->op);
        second = is_plain_part(right, ast->op);
    }
    return arena_printf(t->arena, "%s %s %s", operand_text(t, left, first), ast_op_text(ast->op),
                        operand_text(t, right, second));
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

/* --- statements of skips.c -------------------------------------------------------------------- */

/* The blanks at the beginning of the line in which a statement stands. */
static const char *margin_of(struct plan_text *t, const struct ast *ast)
{
    const char *text = t->scop->unit->source->text;
    size_t line = ast->begin;
    while (line > 0 && text[line - 1] != '\n')
        line--;
    return arena_printf(t->arena, "%.*s", (int)strspn(text + line, " \t"), text + line);
}

/* Where lines within the margin's block begin. */
static const char *inner_margin(struct plan_text *t, const char *margin)
{
    return arena_printf(t->arena, "%s%s", margin, *margin == '\t' ? "\t" : "    ");
}

/* A statement with its semicolon. */
static const char *ended_text(struct plan_text *t, const struct ast *ast)
{
    const char *text = source_text(t, ast);
    size_t length = strlen(text);
    bool ends = length && (text[length - 1] == ';' || text[length - 1] == '}');
    return ends && ast->kind != AST_DECLARE ? text : arena_printf(t->arena, "%s;", text);
}

/* Text whose further lines begin with another margin. */
static const char *moved_text(struct plan_text *t, const char *text, const char *from,
                              const char *to)
{
    struct str out = str_new(t->arena);
    size_t length = strlen(from);
    for (const char *at = text; *at; at++) {
        str_char(&out, *at);
        if (*at != '\n' || strncmp(at + 1, from, length) != 0)
            continue;
        str_add(&out, to);
        at += length;
    }
    return out.text;
}

/* Statements from several places, a line for each. */
static const char *block_text(struct plan_text *t, const struct ast *block, const char *margin)
{
    struct str out = str_new(t->arena);
    const char *inner = inner_margin(t, margin);
    str_add(&out, "{\n");
    for (int i = 0; i < block->n_children; i++) {
        const struct ast *child = block->children[i];
        if (child->kind != AST_EMPTY)
            str_addf(&out, "%s%s\n", inner,
                     moved_text(t, ended_text(t, child), margin_of(t, child), inner));
    }
    str_addf(&out, "%s}", margin);
    return out.text;
}

/* The rest of a block, whose lines stand further right now. */
static const char *rest_text(struct plan_text *t, const struct ast *rest, const char *margin)
{
    const char *text = source_text(t, rest), *inner = inner_margin(t, margin);
    struct str out = str_new(t->arena);
    size_t blanks = strspn(text, " \t");
    if (!strchr(text, '\n'))
        return arena_printf(t->arena, "{ %s }", text + blanks);
    str_char(&out, '{');
    if (text[blanks] == '\n' || text[blanks] == '/')
        str_add_n(&out, text, blanks);
    else
        str_addf(&out, "\n%s", inner);
    str_add(&out, moved_text(t, text + blanks, margin, inner));
    str_addf(&out, "\n%s}", margin);
    return out.text;
}

static const char *branch_text(struct plan_text *t, const struct ast *branch, const char *margin)
{
    if (!branch)
        return "{ }";
    if (branch->kind != AST_COMPOUND)
        return arena_printf(t->arena, "{ %s }", ended_text(t, branch));
    if (branch->is_made)
        return block_text(t, branch, margin);
    return branch->integer ? rest_text(t, branch, margin) : source_text(t, branch);
}

static const char *if_text(struct plan_text *t, const struct ast *ast)
{
    const char *margin = margin_of(t, ast), *condition = source_text(t, ast->children[0]);
    const char *yes = branch_text(t, ast->children[1], margin);
    if (ast->n_children < 3)
        return arena_printf(t->arena, "if (%s) %s", condition, yes);
    return arena_printf(t->arena, "if (%s) %s else %s", condition, yes,
                        branch_text(t, ast->children[2], margin));
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
        return binary_text(t, ast);
    case AST_IF:
        return if_text(t, ast);
    case AST_COMPOUND:
        return block_text(t, ast, margin_of(t, ast));
    case AST_FOR:
        return loop_text(t, ast);
    case AST_EMPTY:
        return "";
    default:
        return declare_text(t, ast);
    }
}
