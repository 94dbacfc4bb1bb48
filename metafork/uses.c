/* Questions about the AST that the lowering alone asks: how often variables are written, which
   function of ir/function.def a call means.

   In: nodes; out: answers. An address taken counts as a write. */
#include "metafork/lower.h"
#include "ir/function.h"
#include <string.h>

struct map *writes_count(struct arena *arena, const struct ast *body)
{
    struct map *writes = map_new(arena);
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk)) {
        const struct ast *decl = ast_written(n);
        if (!decl)
            continue;
        int *count = map_get_pointer(writes, decl);
        if (!count) {
            count = ARENA_NEW(arena, int);
            map_put_pointer(writes, decl, count);
        }
        ++*count;
    }
    return writes;
}

int writes_of(const struct map *writes, const struct ast *decl)
{
    const int *count = map_get_pointer(writes, decl);
    return count ? *count : 0;
}

bool ast_has_meta(const struct ast *node)
{
    if (!node)
        return false;
    if (node->kind == AST_FOR && node->is_meta)
        return true;
    for (int i = 0; i < node->n_children; i++)
        if (ast_has_meta(node->children[i]))
            return true;
    return false;
}

const char *call_pure_name(struct arena *arena, const struct ast *function)
{
    const char *name = function->name;
    if (function->has_body || function->is_static)
        return NULL;
    if (!strncmp(name, "__builtin_", 10))
        name += 10;
    static const char *const same[][2] = {{"llabs", "labs"},
                                          {"nearbyint", "rint"},
                                          {"nearbyintf", "rintf"},
                                          {"scalbn", "ldexp"},
                                          {"scalbnf", "ldexpf"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        name = strcmp(name, same[i][0]) ? name : same[i][1];
    return function_find(name) ? arena_strdup(arena, name) : NULL;
}
