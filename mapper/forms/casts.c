/* Written conversions that change nothing: `(long)i` of a `long`, `(int)1`, `(double)(x + y)`.

   In: the body of a function. Out: the same body, in which a cast to the arithmetic type that its
   operand has counts as one that is not written, so that readers of bounds, subscripts and steps
   see through it. Its bytes stay: text that is copied from the source keeps the cast. Conversions
   to `_Bool` and of pointers stay as they are. */
#include "mapper/forms/forms.h"

static bool is_number(const struct ast_type *type)
{
    return type && type->class != AST_TYPE_BOOL &&
           (ast_class_is_integer(type->class) || type->class == AST_TYPE_F32 ||
            type->class == AST_TYPE_F64);
}

void casts_drop(struct arena *arena, const struct ast *body)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk))
        if (n->kind == AST_CAST && !n->is_implicit && !n->is_part && is_number(n->type) &&
            n->children[0]->type && n->children[0]->type->class == n->type->class)
            form_change(n)->is_implicit = true;
}
