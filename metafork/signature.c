/* A C function as the host code must declare it again.

   In: the function's declaration. Out: struct function: texts as written in the source (built from
   the types where a macro hides them), types and extents of the arguments over the
   integer arguments. */
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

/* Does a canonical type need no declaration of the user's: C's own words, and pointers to them? */
static bool is_plain(const char *text)
{
    static const char *const words[] = {"_Bool",    "char",     "short",    "int",   "long",
                                        "signed",   "unsigned", "_Float16", "float", "double",
                                        "void",     "const",    "volatile", "*",     "**",
                                        "***"};
    while (*text) {
        size_t length = strcspn(text, " "), i = 0;
        while (i < sizeof words / sizeof *words &&
               (strncmp(text, words[i], length) != 0 || words[i][length]))
            i++;
        if (i == sizeof words / sizeof *words)
            return false;
        text += length + (text[length] == ' ');
    }
    return true;
}

/* The canonical type, an enumeration as the integer that it is. */
static const char *type_words(const struct ast_type *type)
{
    enum type plain;
    return !is_plain(type->canonical) && type_of(type, &plain) ? type_name(plain) : type->canonical;
}

static void describe_array(struct lower *l, const struct ast *parameter, struct argument *argument)
{
    const struct expr **dims = ARENA_ARRAY(l->arena, const struct expr *, AXES_MAX);
    const struct ast_type *layer = parameter->type;
    int n = 0;
    argument->is_array = true;
    while (n < AXES_MAX &&
           (layer->class == AST_TYPE_ARRAY || (layer->class == AST_TYPE_POINTER && n == 0))) {
        dims[n++] = dim_lower(l, layer);
        layer = layer->element;
    }
    argument->dims = dims;
    argument->n_dims = n;
    argument->is_const = layer->is_const;
    argument->is_supported = type_of(layer, &argument->type);
    argument->type_text = type_words(layer);
}

static const char *text_of(struct ast_unit *unit, const struct ast *node)
{
    struct arena *arena = unit->ctx->arena;
    if (node->end > node->begin && !node->is_macro)
        return arena_strndup(arena, unit->source->text + node->begin, node->end - node->begin);
    return arena_printf(arena, "%s %s", node->type->text, node->name);
}

static void describe_argument(struct lower *l, const struct ast *parameter,
                              struct argument *argument)
{
    argument->name = parameter->name;
    argument->text = text_of(l->unit, parameter);
    if (parameter->type->class == AST_TYPE_ARRAY || parameter->type->class == AST_TYPE_POINTER)
        describe_array(l, parameter, argument);
    else {
        argument->is_supported = type_of(parameter->type, &argument->type);
        argument->type_text = type_words(parameter->type);
        argument->is_const = parameter->type->is_const;
    }
}

/* What is no number and no array of numbers is declared again as written, or by its canonical type
   if that is plain. */
static bool describe_other(struct arena *arena, const struct ast *parameter,
                           struct argument *argument)
{
    if (argument->is_supported)
        return true;
    bool plain = is_plain(parameter->type->canonical);
    if (plain)
        argument->text = arena_printf(arena, "%s %s", parameter->type->canonical, parameter->name);
    return plain;
}

enum type argument_passed(const struct function *function, const struct argument *argument)
{
    if (argument->is_array || !function->is_unprototyped || argument->type == TYPE_F16)
        return argument->type;
    return argument->type == TYPE_F32 ? TYPE_F64 : type_promote(argument->type);
}

void function_describe(struct ctx *ctx, struct ast_unit *unit, const struct ast *decl,
                       struct function *function)
{
    struct arena *arena = ctx->arena;
    const struct ast *body = ast_body(unit, decl);
    struct lower l = {.ctx = ctx,
                      .arena = arena,
                      .unit = unit,
                      .function = decl,
                      .body = body,
                      .schedule = body,
                      .symbols = map_new(arena),
                      .opaque = map_new(arena),
                      .writes = map_new(arena),
                      .scratch = ring_new(arena)};
    struct argument *arguments = ARENA_ARRAY(arena, struct argument, decl->n_children + 1);
    function->return_canonical = decl->type ? type_words(decl->type) : "void";
    function->is_plain = is_plain(function->return_canonical);
    for (int i = 0; i < decl->n_children; i++) {
        describe_argument(&l, decl->children[i], &arguments[i]);
        function->is_plain &= describe_other(arena, decl->children[i], &arguments[i]);
    }
    function->name = decl->name;
    function->return_text = decl->type ? decl->type->text : "void";
    function->is_static = decl->is_static;
    function->is_unprototyped = decl->is_unprototyped;
    function->is_main = !strcmp(decl->name, "main");
    function->n_arguments = decl->n_children;
    function->arguments = arguments;
    function->begin = decl->begin;
    function->end = decl->end;
    function->body_begin = body->begin;
    function->body_end = body->end;
}
