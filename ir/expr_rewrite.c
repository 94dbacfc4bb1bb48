/* Comparing, searching and rewriting expressions (walks over them: ir/walk.h).

   Everything is recursion over the operands; rewriting goes through expr_rebuild and thereby
   through the constructors, so that a rewritten expression is folded and converted like a freshly
   built one. Parts that do not change are shared with the original. */
#include "ir/expr.h"
#include <string.h>

/* More operands than any array has dimensions or function has arguments are allocated. */
enum { OPERANDS_SMALL = 8 };

static uint64_t real_bits(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

bool expr_equal(const struct expr *a, const struct expr *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->kind != b->kind || a->type != b->type || a->n_arguments != b->n_arguments)
        return false;
    if (a->integer != b->integer || a->var != b->var || a->array != b->array || a->op != b->op)
        return false;
    if (real_bits(a->real) != real_bits(b->real))
        return false;
    if (a->kind == EXPR_CALL && strcmp(a->function, b->function) != 0)
        return false;
    return exprs_equal(a->arguments, b->arguments, a->n_arguments);
}

bool exprs_equal(const struct expr *const *a, const struct expr *const *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!expr_equal(a[i], b[i]))
            return false;
    return true;
}

bool expr_uses_var(const struct expr *e, const struct var *var)
{
    if (e->kind == EXPR_VAR && e->var == var)
        return true;
    for (int i = 0; i < e->n_arguments; i++)
        if (expr_uses_var(e->arguments[i], var))
            return true;
    return false;
}

bool expr_uses_array(const struct expr *e, const struct array *array)
{
    if (e->kind == EXPR_LOAD && e->array == array)
        return true;
    for (int i = 0; i < e->n_arguments; i++)
        if (expr_uses_array(e->arguments[i], array))
            return true;
    return false;
}

bool expr_contains(const struct expr *e, enum expr_kind kind)
{
    if (e->kind == kind)
        return true;
    for (int i = 0; i < e->n_arguments; i++)
        if (expr_contains(e->arguments[i], kind))
            return true;
    return false;
}

bool expr_reads_only_params(const struct expr *e)
{
    if (e->kind == EXPR_LOAD || (e->kind == EXPR_VAR && e->var->kind != VAR_PARAM))
        return false;
    for (int i = 0; i < e->n_arguments; i++)
        if (!expr_reads_only_params(e->arguments[i]))
            return false;
    return true;
}

const struct expr *expr_rebuild(struct arena *arena, const struct expr *e,
                                const struct expr *const *arguments)
{
    switch (e->kind) {
    case EXPR_LOAD: return expr_load(arena, e->array, arguments, e->loc);
    case EXPR_UNARY: return expr_unary(arena, e->op, arguments[0]);
    case EXPR_BINARY: return expr_binary(arena, e->op, arguments[0], arguments[1]);
    case EXPR_CAST: return expr_cast(arena, e->type, arguments[0]);
    case EXPR_SELECT: return expr_select(arena, arguments[0], arguments[1], arguments[2]);
    case EXPR_CALL: return expr_call(arena, e->type, e->function, arguments, e->n_arguments);
    default: return e;
    }
}

const struct expr *expr_rewrite(struct arena *arena, const struct expr *e,
                                const struct expr *(*rewrite)(void *state, const struct expr *e),
                                void *state)
{
    const struct expr *small[OPERANDS_SMALL] = {0}, **arguments = small;
    bool changed = false;
    if (e->n_arguments > OPERANDS_SMALL)
        arguments = ARENA_ARRAY(arena, const struct expr *, e->n_arguments);
    for (int i = 0; i < e->n_arguments; i++) {
        arguments[i] = expr_rewrite(arena, e->arguments[i], rewrite, state);
        changed |= arguments[i] != e->arguments[i];
    }
    return rewrite(state, changed ? expr_rebuild(arena, e, arguments) : e);
}

struct var_mapping {
    struct arena *arena;
    const struct expr *(*map)(void *state, const struct var *var);
    void *state;
};

static const struct expr *substitute_node(void *state, const struct expr *e)
{
    struct var_mapping *s = state;
    const struct expr *image = e->kind == EXPR_VAR ? s->map(s->state, e->var) : NULL;
    return image ? expr_cast(s->arena, e->type, image) : e;
}

const struct expr *expr_substitute(struct arena *arena, const struct expr *e,
                                   const struct expr *(*map)(void *state, const struct var *var),
                                   void *state)
{
    struct var_mapping s = {arena, map, state};
    return expr_rewrite(arena, e, substitute_node, &s);
}
