/* Forms of plain C that mean the same as simpler ones.

   In: the bodies of a file's functions. Out: the same bodies with simpler nodes. What is printed of
   such nodes is made of their parts (text.c); statements that are no more needed are empty. */
#include "mapper/forms.h"
#include "base/map.h"
#include <string.h>

struct ast *form_make(struct arena *arena, enum ast_kind kind, const struct ast *place,
                      const struct ast_type *type, int n_children,
                      const struct ast *const *children)
{
    struct ast *node = ARENA_NEW(arena, struct ast);
    const struct ast **list = ARENA_ARRAY(arena, const struct ast *, n_children + 1);
    memcpy(list, children, (size_t)n_children * sizeof *list);
    node->kind = kind;
    node->type = type;
    node->loc = place->loc;
    node->begin = place->begin;
    node->end = place->end;
    node->n_children = n_children;
    node->children = list;
    node->is_made = true;
    return node;
}

struct map *form_addressed(struct arena *arena, const struct ast *root)
{
    struct map *addressed = map_new(arena);
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, root); n; n = ast_next(&walk))
        if (n->kind == AST_UNARY && n->op == AST_OP_ADDRESS && n->children[0]->kind == AST_REF)
            map_put_pointer(addressed, n->children[0]->decl, (void *)n);
    return addressed;
}

void form_remove(const struct ast *statement)
{
    struct ast *node = form_change(statement);
    node->kind = AST_EMPTY;
    node->is_made = true;
    node->n_children = 0;
}

void forms_simplify(struct ctx *ctx, struct ast_unit *unit)
{
    if (unit->is_simplified)
        return;
    unit->is_simplified = true;
    for (size_t i = 0; i < unit->n_declarations; i++) {
        const struct ast *function = unit->declarations[i];
        const struct ast *body = function->kind == AST_FUNCTION ? ast_body(unit, function) : NULL;
        if (!body)
            continue;
        members_find(ctx, unit, function, body);
        counted_find(ctx->arena, body);
        places_fold(ctx->arena, unit, body);
    }
}
