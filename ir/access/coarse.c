/* In: a banded kernel and serial loops inside its band. Out: which loops may become part of the grid, and how.

   A loop may be given to other blocks if no two of its iterations, in one block, touch one element (all other iterators
   free), if its bounds are expressions over the parameters, if every store of the kernel stands in it (what
   stands outside would be repeated) and if no scalar or private array carries a value around it. With the annotations
   legal, blocks never meet anyway, so that all such loops go at once.

   Folding. Grid iterator g and loop iterator k become one iterator trip*g + k where every use of the two, in subscripts,
   conditions, bounds and values, depends on trip*g + k alone: then g = 0, k = the new iterator gives the same values. */
#include "ir/access/delta.h"

struct nest_query {
    const struct stmt *loop;
    const struct stmt *band;          /* found: the band around the loop */
    int bands, stores, stores_inside;
    VEC(const struct stmt *) declared; /* LET and ARRAY inside the loop */
    VEC(const struct stmt *) changed;  /* SET and STORE inside the loop */
    struct arena *arena;
};

static void count_inside(void *state, const struct stmt *s)
{
    struct nest_query *query = state;
    query->stores_inside += s->kind == STMT_STORE && s->array->space == SPACE_GLOBAL;
    if (s->kind == STMT_LET || s->kind == STMT_ARRAY)
        vec_push(query->arena, &query->declared, s);
    if (s->kind == STMT_SET || (s->kind == STMT_STORE && s->array->space != SPACE_GLOBAL))
        vec_push(query->arena, &query->changed, s);
}

static void find_loop(void *state, const struct stmt *s)
{
    struct nest_query *query = state;
    if (s == query->loop)
        query->band = s;
}

static void count_all(void *state, const struct stmt *s)
{
    struct nest_query *query = state;
    query->stores += s->kind == STMT_STORE && s->array->space == SPACE_GLOBAL;
    query->bands += s->kind == STMT_BAND;
}

/* Does a scalar or private array that lives outside the loop change in it? */
static bool carries_value(const struct nest_query *query)
{
    for (size_t i = 0; i < query->changed.count; i++) {
        const struct stmt *change = query->changed.at[i];
        bool local = false;
        for (size_t k = 0; k < query->declared.count; k++) {
            const struct stmt *d = query->declared.at[k];
            local |= change->kind == STMT_SET ? d->kind == STMT_LET && d->var == change->var
                                              : d->kind == STMT_ARRAY && d->array == change->array;
        }
        if (!local)
            return true;
    }
    return false;
}

static bool params_only(const struct expr *e)
{
    if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL || (e->kind == EXPR_VAR && e->var->kind != VAR_PARAM))
        return false;
    for (int i = 0; i < e->n_arguments; i++)
        if (!params_only(e->arguments[i]))
            return false;
    return true;
}

static const struct iterator *loop_iterator(const struct analysis *analysis, const struct stmt *loop)
{
    for (size_t i = 0; i < analysis->iterators.count; i++)
        if (analysis->iterators.at[i].stmt == loop && loop->kind == STMT_FOR)
            return &analysis->iterators.at[i];
    return NULL;
}

static bool loop_movable(struct analysis *analysis, const struct stmt *loop)
{
    struct nest_query query = {.loop = loop, .arena = analysis->arena};
    const struct iterator *it = loop_iterator(analysis, loop);
    if (!it || it->level != LEVEL_SERIAL || !params_only(loop->from) || !params_only(loop->step) || !params_only(loop->to))
        return false;
    stmt_walk(analysis->kernel->body, count_all, &query);
    stmt_walk(loop, count_inside, &query);
    stmt_walk(analysis->kernel->body, find_loop, &query);
    return query.bands == 1 && query.stores > 0 && query.stores == query.stores_inside && !carries_value(&query);
}

size_t analysis_coarse_loops(struct analysis *analysis, const struct stmt ***loops)
{
    VEC(const struct stmt *) list = {0};
    analysis_assume(analysis);
    for (size_t i = 0; i < analysis->iterators.count; i++) {
        const struct iterator *it = &analysis->iterators.at[i];
        if (it->level != LEVEL_SERIAL || analysis->verdict > ACCESS_PROVED_UNDER || !loop_movable(analysis, it->stmt))
            continue;
        if (analysis_coarse(analysis, it->stmt).verdict == ACCESS_PROVED)
            vec_push(analysis->ctx->arena, &list, it->stmt);
    }
    *loops = list.at;
    return list.count;
}

size_t access_coarse_loops(struct ctx *ctx, const struct kernel *kernel, const struct stmt ***loops)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    size_t n = analysis_coarse_loops(analysis, loops);
    analysis_free(analysis);
    return n;
}
