/* A thread's own sums.

   In: a body with accumulating stores. Out: the body in which a thread that accumulates in one
   element in all rounds of a loop does so in a variable of its own, and in the element once behind
   the loop, unless the variable still is the neutral element. Then the loop may have come to no
   accumulation at all, and the element need not exist. The element is the same in all rounds if its
   subscripts load nothing and use no variable that the loop declares or sets.

   Only sums get here of which every accumulation is an atomic operation, and whose result does not
   depend on the order; those with a tree have a thread's own sum as its lanes
   (optimizer/strategies/reduce.c). Sums are unsigned: part of a sum may leave a signed type where
   the whole does not. */
#include "ir/access/sums.h"
#include "ir/names.h"
#include "ir/reduction.h"
#include "ir/walk.h"
#include "metafork/lower.h"

struct owning {
    struct arena *arena;
    struct names names;
    struct sums sums;
    const struct stmt *element;      /* the accumulating store that is replaced */
    const struct var *sum;           /* takes the place of that element in the loop */
};

static bool accumulates_like(const struct stmt *a, const struct stmt *b)
{
    return a->kind == STMT_STORE && a->reduction && a->array == b->array &&
           exprs_equal(a->indices, b->indices, a->array->n_dims);
}

/* Do the subscripts mean the same element before, in and behind the loop? */
static bool element_stays(struct arena *arena, const struct stmt *loop, const struct stmt *store)
{
    struct expr_walk walk;
    for (int i = 0; i < store->array->n_dims; i++)
        for (const struct expr *e = expr_first(&walk, arena, store->indices[i]); e;
             e = expr_next(&walk))
            if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL ||
                (e->kind == EXPR_VAR && stmt_gives_value(loop, e->var)))
                return false;
    return true;
}

static bool is_scattered(const struct owning *o, const struct array *array)
{
    for (size_t i = 0; i < o->sums.count; i++)
        if (o->sums.at[i].array == array)
            return o->sums.at[i].form == SUM_SCATTERED;
    return false;
}

/* An accumulating store of the loop to an element that is the same in all rounds; NULL if there is
   none. */
static const struct stmt *staying_find(const struct owning *o, const struct stmt *loop)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, o->arena, loop); s; s = stmt_next(&walk))
        if (s->kind == STMT_STORE && s->reduction && is_scattered(o, s->array) &&
            element_stays(o->arena, loop, s))
            return s;
    return NULL;
}

static const struct expr *combined(struct owning *o, const struct stmt *s)
{
    return reduction_join(o->arena, s->reduction, expr_var(o->arena, o->sum),
                          expr_cast(o->arena, o->sum->type, s->value));
}

static const struct stmt *element_replace(void *state, const struct stmt *s)
{
    struct owning *o = state;
    return accumulates_like(s, o->element) ? stmt_set(o->arena, o->sum, combined(o, s)) : s;
}

/* The loop with a sum of its own for each element that is the same in all its rounds. */
static const struct stmt *loop_own(struct owning *o, const struct stmt *loop)
{
    const struct stmt *element;
    stmt_list before = {0}, behind = {0};
    while ((element = staying_find(o, loop)) != NULL) {
        const char *name = names_fresh(&o->names,
                                       arena_printf(o->arena, "%s_sum", element->array->name));
        struct var *sum = var_new(o->arena, name,
                                  reduction_type(element->reduction, element->array->element),
                                  VAR_LOCAL);
        const struct expr *neutral = reduction_neutral(o->arena, element->reduction, sum->type),
                          *value = expr_var(o->arena, sum);
        o->element = element;
        o->sum = sum;
        loop = stmt_rewrite(o->arena, loop, element_replace, o);
        vec_push(o->arena, &before, stmt_let(o->arena, sum, neutral));
        const struct stmt *whole = stmt_accumulate(o->arena, element->array, element->indices,
                                                   element->reduction, value, element->loc);
        vec_push(o->arena, &behind, stmt_if(o->arena, expr_binary(o->arena, OP_NE, value, neutral),
                                            whole, NULL));
    }
    vec_push(o->arena, &before, loop);
    for (size_t i = 0; i < behind.count; i++)
        vec_push(o->arena, &before, behind.at[i]);
    return stmt_sequence(o->arena, before.at, (int)before.count);
}

static const struct stmt *body_own(struct owning *o, const struct stmt *s, bool in_band)
{
    if (!s->n_children)
        return s;
    if (in_band && (s->kind == STMT_FOR || s->kind == STMT_WHILE) &&
        staying_find(o, s)) {
        const struct stmt *owned = loop_own(o, s);
        return body_own(o, owned, in_band);
    }
    const struct stmt **children = ARENA_ARRAY(o->arena, const struct stmt *, s->n_children);
    for (int i = 0; i < s->n_children; i++)
        children[i] = s->children[i]
                          ? body_own(o, s->children[i], in_band || s->kind == STMT_BAND)
                          : NULL;
    return stmt_rebuild(o->arena, s, children);
}

const struct stmt *sums_own(struct ctx *ctx, const struct kernel *kernel)
{
    struct owning owning = {.arena = ctx->arena, .names = names_new(ctx->arena, kernel)};
    if (!kernel_accumulates(kernel))
        return kernel->body;
    owning.sums = access_sums(ctx, kernel);
    return body_own(&owning, kernel->body, false);
}
