/* A C function as the host code must declare it again.

   In: the function's declaration. Out: struct function: texts as written in the source (built from the types where a
   macro hides them), types and extents of the arguments over the integer arguments. */
#include "metafork/lower.h"
#include <string.h>

static const struct expr *dim_lower(struct lower *l, const struct ast_type *layer)
{
    if (layer->class == AST_TYPE_POINTER)
        return NULL;
    if (!layer->extent)
        return layer->count >= 0 ? expr_integer(l->arena, TYPE_I64, layer->count) : NULL;
    return is_repeatable(l, layer->extent) ? expression_lower(l, layer->extent) : NULL;
}

static void describe_array(struct lower *l, const struct ast *parameter, struct argument *argument)
{
    const struct expr **dims = ARENA_ARRAY(l->arena, const struct expr *, AXES_MAX);
    const struct ast_type *layer = parameter->type;
    int n = 0;
    argument->is_array = true;
    while (n < AXES_MAX && (layer->class == AST_TYPE_ARRAY || (layer->class == AST_TYPE_POINTER && n == 0))) {
        dims[n++] = dim_lower(l, layer);
        layer = layer->element;
    }
    argument->dims = dims;
    argument->n_dims = n;
    argument->is_const = layer->is_const;
    argument->is_supported = type_of(layer, &argument->type);
    argument->type_text = layer->canonical;
}

static const char *text_of(struct ast_unit *unit, const struct ast *node)
{
    struct arena *arena = unit->ctx->arena;
    if (node->end > node->begin && !node->is_macro)
        return arena_strndup(arena, unit->source->text + node->begin, node->end - node->begin);
    return arena_printf(arena, "%s %s", node->type->text, node->name);
}

static void describe_argument(struct lower *l, const struct ast *parameter, struct argument *argument)
{
    argument->name = parameter->name;
    argument->text = text_of(l->unit, parameter);
    if (parameter->type->class == AST_TYPE_ARRAY || parameter->type->class == AST_TYPE_POINTER)
        describe_array(l, parameter, argument);
    else {
        argument->is_supported = type_of(parameter->type, &argument->type);
        argument->type_text = parameter->type->canonical;
        argument->is_const = parameter->type->is_const;
    }
}

void function_describe(struct ctx *ctx, struct ast_unit *unit, const struct ast *decl, struct function *function)
{
    struct arena *arena = ctx->arena;
    const struct ast *body = ast_body(unit, decl);
    struct lower l = {.ctx = ctx, .arena = arena, .unit = unit, .function = decl, .body = body, .schedule = body,
                      .symbols = map_new(arena), .opaque = map_new(arena), .writes = map_new(arena), .scratch = ring_new(arena)};
    struct argument *arguments = ARENA_ARRAY(arena, struct argument, decl->n_children + 1);
    for (int i = 0; i < decl->n_children; i++)
        describe_argument(&l, decl->children[i], &arguments[i]);
    function->name = decl->name;
    function->return_text = decl->type ? decl->type->text : "void";
    function->return_canonical = decl->type ? decl->type->canonical : "void";
    function->is_static = decl->is_static;
    function->is_main = !strcmp(decl->name, "main");
    function->n_arguments = decl->n_children;
    function->arguments = arguments;
    function->begin = decl->begin;
    function->end = decl->end;
    function->body_begin = body->begin;
    function->body_end = body->end;
}
