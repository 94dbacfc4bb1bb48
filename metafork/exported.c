/* The functions of a file that others may call.

   In: the file as the user wrote it. Out: of each function with a body and external linkage its
   prototype as signature.c has it, whether its arguments keep their values, and whether all of its
   loops are reached whatever the arguments are: what somebody needs to know who is to check arrays
   before a call. The file is parsed once more for it; nothing is mapped. */
#include "metafork/exported.h"
#include "metafork/lower.h"
#include <ctype.h>
#include <string.h>

/* Does a loop stand below a condition? */
static bool loops_are_chosen(struct arena *arena, const struct ast *body)
{
    struct ast_walk walk, inner;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk)) {
        if (n->kind != AST_IF && n->kind != AST_SWITCH && n->kind != AST_CONDITIONAL)
            continue;
        for (const struct ast *k = ast_first(&inner, arena, n); k; k = ast_next(&inner))
            if (ast_is_loop(k))
                return true;
    }
    return false;
}

static const bool *arguments_set(struct arena *arena, const struct ast *decl,
                                 const struct ast *body)
{
    bool *is_set = ARENA_ARRAY(arena, bool, decl->n_children + 1);
    for (int i = 0; i < decl->n_children; i++)
        is_set[i] = ast_writes(body, decl->children[i]);
    return is_set;
}

/* Are the parameters declared in the parentheses? In an old-style definition each declaration ends
   in a semicolon. */
static bool is_prototyped(const struct source *source, const struct ast *decl)
{
    size_t at = 0;
    for (int i = 0; i < decl->n_children; i++)
        if (decl->children[i]->end > at)
            at = decl->children[i]->end;
    while (at > 0 && at < source->length && isspace((unsigned char)source->text[at]))
        at++;
    return at == 0 || at >= source->length || source->text[at] != ';';
}

static struct exported exported_make(struct ctx *ctx, struct ast_unit *unit,
                                     const struct ast *decl)
{
    struct exported exported = {0};
    const struct ast *body = ast_body(unit, decl);
    function_describe(ctx, unit, decl, &exported.function);
    exported.has_result = decl->type && decl->type->class != AST_TYPE_VOID;
    exported.has_number = decl->type && type_of(decl->type, &exported.result);
    exported.is_set = arguments_set(ctx->arena, decl, body);
    exported.is_unprototyped = !is_prototyped(unit->source, decl);
    exported.chooses_loops = loops_are_chosen(ctx->arena, body);
    return exported;
}

bool program_exported(struct ctx *ctx, const struct source *source,
                      const struct program_options *options, size_t *count,
                      const struct exported **list)
{
    VEC(struct exported) found = {0};
    struct ast_unit *unit = ast_parse(ctx, source, options->arguments, options->n_arguments);
    if (!unit)
        return false;
    for (size_t i = 0; i < unit->n_declarations; i++) {
        const struct ast *decl = unit->declarations[i];
        bool is_callable = decl->kind == AST_FUNCTION && decl->has_body && !decl->is_static &&
                           strcmp(decl->name, "main") != 0 && ast_body(unit, decl);
        if (is_callable)
            vec_push(ctx->arena, &found, exported_make(ctx, unit, decl));
    }
    ast_close(unit);
    *count = found.count;
    *list = found.at;
    return true;
}
