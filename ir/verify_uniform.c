/* Which values may differ between the threads of a block.

   Out: the arrays that the body stores to, and the locals and private arrays that are varying: set
   in a band, or at block level from something varying. Found by repeating a walk until nothing is
   added; flow is not followed, so that a variable that is varying anywhere is varying everywhere
   (safe, and simple to state: "a condition at block level depends on parameters, grid variables,
   block-level values made of these, and arrays the kernel does not write"). */
#include "ir/verify.h"
#include "ir/walk.h"

static bool node_is_uniform(const struct verifier *v, const struct expr *e)
{
    if (e->kind == EXPR_VAR)
        return !map_get_pointer(v->varying, e->var);
    if (e->kind != EXPR_LOAD)
        return true;
    bool is_written = e->array->space != SPACE_PRIVATE && map_get_pointer(v->written, e->array);
    return !is_written && !map_get_pointer(v->varying, e->array);
}

bool verify_is_uniform(struct verifier *v, const struct expr *e)
{
    struct expr_walk walk;
    for (e = expr_first(&walk, v->scratch, e); e; e = expr_next(&walk))
        if (!node_is_uniform(v, e))
            return false;
    return true;
}

static void mark(struct verifier *v, const void *object)
{
    if (map_get_pointer(v->varying, object))
        return;
    map_put_pointer(v->varying, object, (void *)object);
    v->changed = true;
}

/* A value or a subscript that varies makes its target vary; so does every assignment in a band. */
static void spread(struct verifier *v, const struct stmt *s, bool in_band)
{
    bool varies = in_band || !verify_is_uniform(v, s->value);
    if (s->indices)
        for (int i = 0; i < s->array->n_dims; i++)
            varies |= !verify_is_uniform(v, s->indices[i]);
    if (varies && (s->kind == STMT_LET || s->kind == STMT_SET))
        mark(v, s->var);
    if (varies && s->kind == STMT_STORE && s->array->space == SPACE_PRIVATE)
        mark(v, s->array);
    if (s->kind == STMT_BAND)
        for (int i = 0; i < s->n_axes; i++)
            mark(v, s->axes[i].var);
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            spread(v, s->children[i], in_band || s->kind == STMT_BAND);
}

void verify_flow(struct verifier *v)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, v->scratch, v->kernel->body); s;
         s = stmt_next(&walk))
        if (s->kind == STMT_STORE)
            map_put_pointer(v->written, s->array, (void *)s->array);
    do {
        v->changed = false;
        spread(v, v->kernel->body, false);
    } while (v->changed);
}
