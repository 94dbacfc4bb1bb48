/* Assignments in expressions that give a scalar its value: `(t = dx[i], abs(t)) <= most`,
   `(t = x[i]) == 0 ? 0 : t * t`.

   In: the body of a function, as f2c writes arguments of macros. Out: what stands behind the comma,
   or the choice, with the value in place of the scalar. The scalar is a local one that is named
   nowhere but in such expressions, each of which sets it first; value and expression change nothing
   else, so that the value may be read where the scalar was. */
#include "base/vec.h"
#include "frontend/ask.h"
#include "frontend/calls.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"

static const struct ast *assignment_of(const struct ast *ast)
{
    ast = ast_strip(ast);
    bool sets = ast->kind == AST_ASSIGN && ast->op == AST_OP_NONE &&
                ast->children[0]->kind == AST_REF;
    return sets ? ast : NULL;
}

/* The assignment on the left side of a comma, or that a choice compares first; NULL of others. */
static const struct ast *first_assignment(const struct ast *ast)
{
    if (ast->is_part)
        return NULL;
    if (ast->kind == AST_BINARY && ast->op == AST_OP_COMMA)
        return assignment_of(ast->children[0]);
    if (ast->kind != AST_CONDITIONAL)
        return NULL;
    const struct ast *condition = ast_strip(ast->children[0]);
    bool compares = condition->kind == AST_BINARY && condition->op >= AST_OP_LT &&
                    condition->op <= AST_OP_NE;
    return assignment_of(compares ? condition->children[0] : condition);
}

/* Does the expression change nothing, but by an assignment in it? */
static bool changes_nothing(struct arena *arena, const struct ast *root,
                            const struct ast *assignment)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, root); n; n = ast_next(&walk))
        if ((change_target(n) && n != assignment) || !ast_is_expression(n) ||
            (n->kind == AST_CALL && !call_is_pure(n)))
            return false;
    return true;
}

static int count_names(struct arena *arena, const struct ast *root, const struct ast *decl)
{
    struct ast_walk walk;
    int n_names = 0;
    for (const struct ast *n = ast_first(&walk, arena, root); n; n = ast_next(&walk))
        n_names += n->kind == AST_REF && n->decl == decl;
    return n_names;
}

static bool can_be_put(struct arena *arena, const struct ast *ast, const struct ast *decl)
{
    const struct ast *assignment = first_assignment(ast);
    bool is_choice = ast->kind == AST_CONDITIONAL;
    return assignment && is_ref_to(assignment->children[0], decl) &&
           !ast_mentions(assignment->children[1], decl) &&
           changes_nothing(arena, ast, assignment) &&
           (!is_choice || count_names(arena, ast->children[0], decl) == 1);
}

/* Is the scalar named in such expressions alone? */
static bool has_all_names(struct arena *arena, const struct ast *body, const struct ast *decl)
{
    struct ast_walk walk;
    int n_names = 0;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        if (can_be_put(arena, n, decl)) {
            n_names += count_names(arena, n, decl);
            ast_skip(&walk);
        }
    return n_names == count_names(arena, body, decl);
}

/* The value as the scalar has it, with a written cast where the scalar has another type. */
static const struct ast *value_converted(struct arena *arena, const struct ast *assignment)
{
    const struct ast *value = ast_strip(assignment->children[1]);
    const struct ast_type *type = assignment->children[0]->type;
    return value->type->class == type->class
               ? value
               : form_make(arena, AST_CAST, value, form_plain_type(arena, type), 1, &value);
}

static void assignment_fold(struct arena *arena, const struct ast *ast, const struct ast *decl)
{
    struct map *values = map_new(arena);
    struct ast *node = form_change(ast);
    const struct ast *assignment = first_assignment(ast);
    const struct ast *value = value_converted(arena, assignment);
    bool is_choice = ast->kind == AST_CONDITIONAL;
    if (is_choice)
        *form_change(assignment) = *form_copy(arena, value);
    map_put_pointer(values, decl, (void *)value);
    struct ast made = *form_put(arena, is_choice ? ast : ast->children[1], values);
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

/* Inner expressions come first: what they leave may be the value of outer ones. */
static void fold_below(struct arena *arena, const struct ast *body, const struct ast *ast)
{
    for (int i = 0; i < ast->n_children; i++)
        if (ast->children[i])
            fold_below(arena, body, ast->children[i]);
    const struct ast *assignment = first_assignment(ast);
    const struct ast *decl = assignment ? assignment->children[0]->decl : NULL;
    if (decl && is_own_scalar(body, decl) && can_be_put(arena, ast, decl) &&
        has_all_names(arena, body, decl))
        assignment_fold(arena, ast, decl);
}

void commas_fold(struct arena *arena, const struct ast *body)
{
    fold_below(arena, body, body);
}
