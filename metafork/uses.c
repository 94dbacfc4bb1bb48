/* Questions about the AST that the lowering asks: which variables are written, what is mentioned,
   what is called.

   In: nodes; out: answers, conservative where a construct hides something (an address taken counts
   as a write, a call of a function that is neither pure nor visible may change whatever
   is global). */
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

bool call_is_mark(const struct ast *call)
{
    static const char *const names[] = {AST_ASSERT, AST_TUNABLE, AST_THREADS};
    if (!call->decl)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(call->decl->name, names[i]))
            return true;
    return false;
}

/* Is the node a call of something that may change whatever is global, or assembly? */
static bool is_unknown_call(struct arena *arena, const struct ast *node)
{
    if (node->kind == AST_ASM || node->kind == AST_MS_ASM)
        return true;
    if (node->kind != AST_CALL)
        return false;
    if (!node->decl)
        return true;
    return !call_is_mark(node) && !call_pure_name(arena, node->decl);
}

bool ast_calls_unknown(const struct ast *node)
{
    struct arena *scratch = arena_new();
    struct ast_walk walk;
    const struct ast *n = ast_first(&walk, scratch, node);
    while (n && !is_unknown_call(scratch, n))
        n = ast_next(&walk);
    arena_free(scratch);
    return n != NULL;
}
