/* Questions about the AST that the lowering asks: which variables are written, what is mentioned,
   what is called.

   In: nodes; out: answers, conservative where a construct hides something (an address taken counts
   as a write, a call of a function that is neither pure nor visible may change whatever
   is global). */
#include "metafork/lower.h"
#include "ir/function.h"
#include <string.h>

const struct ast *ast_strip(const struct ast *node)
{
    while (node && node->kind == AST_CAST && node->is_implicit)
        node = node->children[0];
    return node;
}

const struct ast *ast_base(const struct ast *node)
{
    while (node && node->n_children) {
        if (node->kind == AST_INDEX) {
            const struct ast_type *type = node->children[0]->type;
            bool swapped = type && ast_class_is_integer(type->class);
            node = node->children[swapped ? 1 : 0];
        } else if ((node->kind == AST_CAST && node->type &&
                    node->type->class == AST_TYPE_POINTER) ||
                   (node->kind == AST_UNARY &&
                    (node->op == AST_OP_DEREFERENCE || node->op == AST_OP_ADDRESS)))
            node = node->children[0];
        else
            return NULL;
    }
    return node && node->kind == AST_REF ? node : NULL;
}

/* The variable that `node` itself writes: a plain one, or one whose address is taken. */
static const struct ast *written_by(const struct ast *node)
{
    bool writes = node->kind == AST_ASSIGN ||
                  (node->kind == AST_UNARY &&
                   ((node->op >= AST_OP_PRE_INCREMENT && node->op <= AST_OP_POST_DECREMENT) ||
                    node->op == AST_OP_ADDRESS));
    if (!writes || !node->n_children)
        return NULL;
    const struct ast *target = ast_strip(node->children[0]);
    return target->kind == AST_REF ? target->decl : NULL;
}

struct write_counting {
    struct arena *arena;
    struct map *writes;
};

static bool count_write(void *state, const struct ast *node)
{
    struct write_counting *counting = state;
    const struct ast *decl = written_by(node);
    if (!decl)
        return true;
    int *count = map_get_pointer(counting->writes, decl);
    if (!count) {
        count = ARENA_NEW(counting->arena, int);
        map_put_pointer(counting->writes, decl, count);
    }
    ++*count;
    return true;
}

struct map *writes_count(struct arena *arena, const struct ast *body)
{
    struct write_counting counting = {arena, map_new(arena)};
    ast_walk(body, count_write, &counting);
    return counting.writes;
}

int writes_of(const struct map *writes, const struct ast *decl)
{
    const int *count = map_get_pointer(writes, decl);
    return count ? *count : 0;
}

struct ast_search {
    const struct ast *decl;
    enum ast_kind kind;
    struct arena *arena;
    bool found;
};

static bool search_write(void *state, const struct ast *node)
{
    struct ast_search *search = state;
    search->found |= written_by(node) == search->decl;
    return !search->found;
}

bool ast_writes(const struct ast *node, const struct ast *decl)
{
    struct ast_search search = {.decl = decl};
    ast_walk(node, search_write, &search);
    return search.found;
}

static bool search_mention(void *state, const struct ast *node)
{
    struct ast_search *search = state;
    search->found |= node->kind == AST_REF && node->decl == search->decl;
    return !search->found;
}

bool ast_mentions(const struct ast *node, const struct ast *decl)
{
    struct ast_search search = {.decl = decl};
    ast_walk(node, search_mention, &search);
    return search.found;
}

static bool search_kind(void *state, const struct ast *node)
{
    struct ast_search *search = state;
    search->found |= node->kind == search->kind;
    return !search->found;
}

bool ast_has(const struct ast *node, enum ast_kind kind)
{
    struct ast_search search = {.kind = kind};
    ast_walk(node, search_kind, &search);
    return search.found;
}

static bool search_meta(void *state, const struct ast *node)
{
    struct ast_search *search = state;
    search->found |= node->kind == AST_FOR && node->is_meta;
    return !search->found;
}

bool ast_has_meta(const struct ast *node)
{
    struct ast_search search = {0};
    ast_walk(node, search_meta, &search);
    return search.found;
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
                                          {"nearbyintf", "rintf"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        name = strcmp(name, same[i][0]) ? name : same[i][1];
    return function_find(name) ? arena_strdup(arena, name) : NULL;
}

static bool search_call(void *state, const struct ast *node)
{
    struct ast_search *search = state;
    if (node->kind == AST_CALL)
        search->found |= !node->decl || (strcmp(node->decl->name, AST_ASSERT) != 0 &&
                                         !call_pure_name(search->arena, node->decl));
    search->found |= node->kind == AST_ASM || node->kind == AST_MS_ASM;
    return !search->found;
}

bool ast_calls_unknown(const struct ast *node)
{
    struct ast_search search = {.arena = arena_new()};
    ast_walk(node, search_call, &search);
    arena_free(search.arena);
    return search.found;
}
