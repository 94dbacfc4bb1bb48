/* Statements that are several: declarations of variables, a later one of which is made of an
   earlier one, `float x = in[i], y = c * x;`, or is a structure, and expressions with commas,
   `a[i] += x, b[i] = 0;`.

   In: the body of a function. Out: a declaration for each variable, so that each is a statement of
   its own, whose reads come before its write; the new declarations share the bytes of the old. A
   block of the parts of an expression, which has the bytes of all. */
#include "base/vec.h"
#include "frontend/ask.h"
#include "mapper/forms/forms.h"

/* Is a variable made of an earlier one, or of a structure, for whose members calls.c and fields.c
   have values of their own? */
static bool is_several(const struct ast *declare)
{
    for (int i = 0; i < declare->n_children; i++) {
        const struct ast_type *type = declare->children[i]->type;
        if (type && type->class == AST_TYPE_STRUCT && declare->n_children > 1)
            return true;
        for (int k = 0; k < i; k++)
            if (ast_mentions(declare->children[i], declare->children[k]))
                return true;
    }
    return false;
}

static bool can_be_split(const struct ast *declare)
{
    bool plain = form_has_texts(declare);
    for (int i = 0; i < declare->n_children && plain; i++) {
        const struct ast *variable = declare->children[i];
        plain = variable->kind == AST_VARIABLE && !variable->is_static &&
                (type_is_scalar(variable->type) || variable->type->class == AST_TYPE_STRUCT) &&
                variable->end > declare->begin;
    }
    return plain;
}

typedef VEC(const struct ast *) statement_list;

static void declare_split(struct arena *arena, const struct ast *declare, statement_list *list)
{
    size_t begin = declare->begin;
    for (int i = 0; i < declare->n_children; i++) {
        bool last = i + 1 == declare->n_children;
        struct ast *own = form_make(arena, AST_DECLARE, declare, NULL, 1, &declare->children[i]);
        own->loc = declare->children[i]->loc;
        own->begin = begin;
        own->end = last ? declare->end : declare->children[i]->end;
        begin = own->end;
        vec_push(arena, list, own);
    }
}

static void parts_collect(struct arena *arena, const struct ast *ast, statement_list *list)
{
    const struct ast *plain = ast_strip(ast);
    if (plain->kind != AST_BINARY || plain->op != AST_OP_COMMA) {
        vec_push(arena, list, plain);
        return;
    }
    parts_collect(arena, plain->children[0], list);
    parts_collect(arena, plain->children[1], list);
}

/* Makes a block of an expression with commas that stands as a statement. */
static void commas_split(struct arena *arena, const struct ast *statement)
{
    bool sums = statement && statement->kind == AST_BINARY && statement->op == AST_OP_COMMA;
    statement_list parts = {0};
    if (!sums || !form_has_texts(statement))
        return;
    parts_collect(arena, statement, &parts);
    *form_change(statement) = *form_make(arena, AST_COMPOUND, statement, NULL, (int)parts.count,
                                         parts.at);
}

/* Splits the statements below a node that are expressions with commas. */
static void statements_split(struct arena *arena, const struct ast *node)
{
    bool has_head = node->kind == AST_IF || node->kind == AST_WHILE;
    int first = node->kind == AST_FOR ? 3 : has_head;
    int end = node->kind == AST_DO ? 1 : node->n_children;
    if (first || node->kind == AST_DO || node->kind == AST_COMPOUND)
        for (int i = first; i < end; i++)
            commas_split(arena, node->children[i]);
}

/* Splits declarations among the statements of a block. */
static void block_split(struct arena *arena, const struct ast *block)
{
    statement_list list = {0};
    for (int i = 0; i < block->n_children; i++) {
        const struct ast *child = block->children[i];
        if (child->kind == AST_DECLARE && can_be_split(child) && is_several(child))
            declare_split(arena, child, &list);
        else
            vec_push(arena, &list, child);
    }
    form_change(block)->children = list.at;
    form_change(block)->n_children = (int)list.count;
}

void declarators_split(struct arena *arena, const struct ast *body)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk)) {
        statements_split(arena, n);
        if (n->kind == AST_COMPOUND)
            block_split(arena, n);
    }
}
