/* Where host code of a function touches what its regions work on.

   In: the function's body, the places of its regions, their arrays. Out: ranges of statements that are no ancestors of a
   region. Conservative: besides the arrays themselves every element reached through a pointer counts (it may be the same
   memory), every call that is not known to be pure, and `return`, behind which the caller looks. Elements of a local
   array that no region names do not count, unless a region works on a local pointer, which may point to it. */
#include "metafork/lower.h"
#include <string.h>

struct finder {
    struct arena *arena;
    const struct source *source;
    const struct region_place *places;
    size_t n_places;
    const struct map *arrays;
    bool has_local_pointer;
    bool found;
    VEC(struct touch) touches;
    bool eager;
};

static bool is_own_array(const struct finder *f, const struct ast *base)
{
    return base && !f->has_local_pointer && base->decl->kind == AST_VARIABLE && !base->decl->is_global &&
           !base->decl->is_static && base->decl->type->class == AST_TYPE_ARRAY && !map_get_pointer(f->arrays, base->decl);
}

static bool touches_here(void *state, const struct ast *node)
{
    struct finder *f = state;
    switch (node->kind) {
    case AST_REF:
        f->found |= node->decl && map_get_pointer(f->arrays, node->decl) != NULL;
        break;
    case AST_INDEX:
        f->found |= !is_own_array(f, ast_base(node));
        break;
    case AST_MEMBER:
        f->found |= !node->n_children || node->children[0]->kind != AST_REF || !node->type ||
                    !ast_class_is_scalar(node->type->class);
        break;
    case AST_CALL:
        f->found |= !node->decl || (strcmp(node->decl->name, AST_ASSERT) != 0 && !call_pure_name(f->arena, node->decl));
        break;
    case AST_UNARY:
        f->found |= node->op == AST_OP_DEREFERENCE;
        break;
    case AST_RETURN:
    case AST_ASM:
    case AST_MS_ASM:
    case AST_OPAQUE:
        f->found = true;
        break;
    default:
        break;
    }
    return !f->found;
}

static bool is_touching(struct finder *f, const struct ast *node)
{
    f->found = false;
    ast_walk(node, touches_here, f);
    return f->found;
}

static bool is_ancestor(const struct finder *f, const struct ast *node)
{
    for (size_t i = 0; i < f->n_places; i++)
        for (int k = 0; k < f->places[i].n_path; k++)
            if (f->places[i].path[k] == node)
                return true;
    return false;
}

/* The end of a statement with its semicolon. */
static size_t statement_end(const struct finder *f, const struct ast *node)
{
    const char *text = f->source->text;
    size_t at = node->end;
    if (at && (text[at - 1] == ';' || (text[at - 1] == '}' && !ast_is_expression(node))))
        return at;
    while (at < f->source->length && strchr(" \t\r\n", text[at]))
        at++;
    return at < f->source->length && text[at] == ';' ? at + 1 : node->end;
}

static void visit(struct finder *f, const struct ast *node)
{
    if (!node || node->kind == AST_SCHEDULE)
        return;
    if (is_ancestor(f, node)) {
        for (int i = 0; i < node->n_children; i++) {
            const struct ast *child = node->children[i];
            bool part = node->kind != AST_COMPOUND && child && ast_is_expression(child) && !is_ancestor(f, child);
            bool statement = node->kind == AST_IF ? i > 0 : node->kind == AST_FOR ? i == 3 : node->kind == AST_LABEL;
            if (part && !statement)
                f->eager |= is_touching(f, child);
            else if (node->kind == AST_FOR && i < 3)
                f->eager |= child && is_touching(f, child);
            else
                visit(f, child);
        }
        return;
    }
    if (is_touching(f, node))
        vec_push(f->arena, &f->touches, ((struct touch){node->begin, statement_end(f, node)}));
}

static bool find_local_pointer(void *state, const struct ast *node)
{
    struct finder *f = state;
    if (node->kind == AST_REF && node->decl && map_get_pointer(f->arrays, node->decl))
        f->has_local_pointer |= node->decl->kind == AST_VARIABLE && node->decl->type->class == AST_TYPE_POINTER;
    return true;
}

void touches_find(struct arena *arena, const struct ast *body, const struct region_place *places, size_t n_places,
                  const struct map *arrays, struct function *function)
{
    struct finder f = {.arena = arena, .places = places, .n_places = n_places, .arrays = arrays,
                       .source = body->loc.source};
    ast_walk(body, find_local_pointer, &f);
    visit(&f, body);
    function->touches = f.touches.at;
    function->n_touches = f.touches.count;
    function->is_eager = f.eager;
}
