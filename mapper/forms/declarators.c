/* Statements that are several: declarations of variables, a later one of which is made of an
   earlier one, `float x = in[i], y = c * x;`, or is a structure, expressions with commas,
   `a[i] += x, b[i] = 0;`, and first values with products of complex numbers, which complex.c makes
   several statements of.

   In: the body of a function. Out: a declaration for each variable, so that each is a statement of
   its own, whose reads come before its write; the new declarations share the bytes of the old. A
   block of the parts of an expression, which has the bytes of all. */
#include "frontend/ask.h"
#include "mapper/forms/opening.h"

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

static void declare_split(struct arena *arena, const struct ast *declare, node_list *list)
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

static void parts_collect(struct arena *arena, const struct ast *ast, node_list *list)
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
    node_list parts = {0};
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
    node_list list = {0};
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

/* --- first values of complex numbers ---------------------------------------------------------- */

static bool is_complex(const struct ast *ast)
{
    return ast->type && ast->type->is_complex;
}

static bool has_product(struct arena *arena, const struct ast *value)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, value); n; n = ast_next(&walk))
        if (n->kind == AST_BINARY && n->op == AST_OP_MUL && is_complex(n->children[0]) &&
            is_complex(n->children[1]))
            return true;
    return false;
}

/* `T t; t = a * b;` of `T t = a * b;`. */
static void product_declare(struct arena *arena, const struct ast *declare, node_list *list)
{
    const struct ast *decl = declare->children[0], *value = decl->children[0];
    const struct ast *name = form_ref(arena, value, decl);
    struct ast *assign = form_change(form_assign(arena, value, AST_OP_NONE, name, value));
    assign->begin = declare->begin;
    assign->end = declare->end;
    form_change(decl)->n_children = 0;
    form_change(decl)->end = form_change(decl)->begin = declare->begin;
    form_change(declare)->end = declare->begin;
    form_change(declare)->is_made = true;
    vec_push(arena, list, declare);
    vec_push(arena, list, assign);
}

void products_declare(struct arena *arena, const struct ast *root)
{
    node_list list = {0};
    for (int i = 0; i < root->n_children; i++) {
        const struct ast *child = root->children[i];
        const struct ast *decl = child && child->kind == AST_DECLARE && child->n_children == 1
                                     ? child->children[0] : NULL;
        bool parts = root->kind == AST_COMPOUND && decl && decl->kind == AST_VARIABLE &&
                     decl->n_children && is_complex(decl) && !decl->is_static &&
                     form_has_texts(child) && has_product(arena, decl->children[0]);
        if (parts)
            product_declare(arena, child, &list);
        else
            vec_push(arena, &list, child);
        if (child && !ast_is_expression(child))
            products_declare(arena, child);
    }
    if (list.count == (size_t)root->n_children)
        return;
    form_change(root)->children = list.at;
    form_change(root)->n_children = (int)list.count;
    form_change(root)->is_made = true;
}
