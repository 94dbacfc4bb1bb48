/* Commas in expressions that give a scalar its value: `(t = dx[i], abs(t)) <= most`.

   In: the body of a function, as f2c writes arguments of macros. Out: what stands behind the comma,
   with the value in place of the scalar. The scalar is a local one that is named nowhere but in
   such commas, each of which sets it first; value and expression change nothing else, so that the
   value may be read where the scalar was. */
#include "base/vec.h"
#include "frontend/ask.h"
#include "frontend/calls.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"

/* The assignment on the left side of a comma; NULL of other nodes. */
static const struct ast *comma_assignment(const struct ast *ast)
{
    if (ast->kind != AST_BINARY || ast->op != AST_OP_COMMA || ast->is_part)
        return NULL;
    const struct ast *left = ast_strip(ast->children[0]);
    bool sets = left->kind == AST_ASSIGN && left->op == AST_OP_NONE &&
                left->children[0]->kind == AST_REF;
    return sets ? left : NULL;
}

static bool changes_nothing(struct arena *arena, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, root); n; n = ast_next(&walk))
        if (change_target(n) || !ast_is_expression(n) ||
            (n->kind == AST_CALL && !call_is_pure(n)))
            return false;
    return true;
}

static bool can_be_put(struct arena *arena, const struct ast *comma, const struct ast *decl)
{
    const struct ast *assignment = comma_assignment(comma);
    return assignment && is_ref_to(assignment->children[0], decl) &&
           !ast_mentions(assignment->children[1], decl) &&
           changes_nothing(arena, assignment->children[1]) &&
           changes_nothing(arena, comma->children[1]);
}

static int count_names(struct arena *arena, const struct ast *root, const struct ast *decl)
{
    struct ast_walk walk;
    int n_names = 0;
    for (const struct ast *n = ast_first(&walk, arena, root); n; n = ast_next(&walk))
        n_names += n->kind == AST_REF && n->decl == decl;
    return n_names;
}

/* Is the scalar named in such commas alone? */
static bool commas_have_all(struct arena *arena, const struct ast *body, const struct ast *decl)
{
    struct ast_walk walk;
    int n_names = 0;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        if (can_be_put(arena, n, decl)) {
            n_names += count_names(arena, n, decl);
            ast_skip(&walk);
        }
    return n_names > 0 && n_names == count_names(arena, body, decl);
}

/* The value as the scalar has it: a conversion is written where it is no other expression's part. */
static const struct ast *value_converted(struct arena *arena, const struct ast *assignment)
{
    const struct ast *value = ast_strip(assignment->children[1]);
    const struct ast_type *type = assignment->children[0]->type;
    return value->type->class == type->class
               ? value
               : form_make(arena, AST_CAST, value, form_plain_type(arena, type), 1, &value);
}

static void comma_fold(struct arena *arena, const struct ast *comma, const struct ast *decl)
{
    struct map *values = map_new(arena);
    struct ast *node = form_change(comma);
    map_put_pointer(values, decl, (void *)value_converted(arena, comma_assignment(comma)));
    struct ast made = *form_put(arena, comma->children[1], values);
    made.begin = node->begin;
    made.end = node->end;
    made.is_macro = node->is_macro;
    made.is_macro_end = node->is_macro_end;
    made.is_made = true;
    *node = made;
}

static bool is_own_scalar(const struct ast *body, const struct ast *decl)
{
    return decl->kind == AST_VARIABLE && decl->owner && type_is_scalar(decl->type) &&
           !decl->is_static && !decl->is_extern && !decl->type->is_volatile && !decl->n_children &&
           !ast_takes_address(body, decl);
}

/* Inner commas come first: what they leave may be the value of outer ones. */
static void commas_below(struct arena *arena, const struct ast *body, const struct ast *ast)
{
    for (int i = 0; i < ast->n_children; i++)
        if (ast->children[i])
            commas_below(arena, body, ast->children[i]);
    const struct ast *assignment = comma_assignment(ast);
    const struct ast *decl = assignment ? assignment->children[0]->decl : NULL;
    if (decl && is_own_scalar(body, decl) && can_be_put(arena, ast, decl) &&
        commas_have_all(arena, body, decl))
        comma_fold(arena, ast, decl);
}

void commas_fold(struct arena *arena, const struct ast *body)
{
    commas_below(arena, body, body);
}
