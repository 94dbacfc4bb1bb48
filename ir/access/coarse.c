/* In: a banded kernel and serial loops inside its band. Out: which loops may become part of the
   grid, and how.

   A loop may be given to other blocks if no two of its iterations, in one block, touch one element
   (all other iterators free), if its bounds are expressions over the parameters, if every store of
   the kernel stands in it (what stands outside would be repeated) and if no scalar or private array
   carries a value around it. A kernel with sums keeps its loops, since each thread adds up its own
   terms. With the annotations legal, blocks never meet anyway, so that all such loops go at once.

   Folding. Grid iterator g and loop iterator k become one iterator trip*g + k where every use of
   the two, in subscripts, conditions, bounds and values, depends on trip*g + k alone: then g = 0, k
   = the new iterator gives the same values. */
#include "ir/access/delta.h"
#include "ir/walk.h"

static bool stores_global(const struct stmt *s)
{
    return s->kind == STMT_STORE && s->array->space == SPACE_GLOBAL;
}

static int count_global_stores(struct arena *arena, const struct stmt *root)
{
    struct stmt_walk walk;
    int n = 0;
    for (const struct stmt *s = stmt_first(&walk, arena, root); s; s = stmt_next(&walk))
        n += stores_global(s);
    return n;
}

static int count_bands(struct arena *arena, const struct stmt *root)
{
    struct stmt_walk walk;
    int n = 0;
    for (const struct stmt *s = stmt_first(&walk, arena, root); s; s = stmt_next(&walk))
        n += s->kind == STMT_BAND;
    return n;
}

static bool declares_var(struct arena *arena, const struct stmt *root, const struct var *var)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, root); s; s = stmt_next(&walk))
        if (s->kind == STMT_LET && s->var == var)
            return true;
    return false;
}

static bool declares_array(struct arena *arena, const struct stmt *root, const struct array *array)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, root); s; s = stmt_next(&walk))
        if (s->kind == STMT_ARRAY && s->array == array)
            return true;
    return false;
}

/* Does a scalar or private array that lives outside the loop change in it? */
static bool carries_value(struct arena *arena, const struct stmt *loop)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, loop); s; s = stmt_next(&walk)) {
        if (s->kind == STMT_SET && !declares_var(arena, loop, s->var))
            return true;
        if (s->kind == STMT_STORE && !stores_global(s) && !declares_array(arena, loop, s->array))
            return true;
    }
    return false;
}

static bool is_over_params(const struct expr *e)
{
    return expr_reads_only_params(e) && !expr_contains(e, EXPR_CALL);
}

static const struct iterator *loop_iterator(const struct analysis *analysis,
                                            const struct stmt *loop)
{
    for (size_t i = 0; i < analysis->iterators.count; i++)
        if (analysis->iterators.at[i].stmt == loop && loop->kind == STMT_FOR)
            return &analysis->iterators.at[i];
    return NULL;
}

static bool loop_movable(struct analysis *analysis, const struct stmt *loop)
{
    struct arena *arena = analysis->arena;
    const struct stmt *body = analysis->kernel->body;
    const struct iterator *it = loop_iterator(analysis, loop);
    if (!it || it->level != LEVEL_SERIAL)
        return false;
    if (!is_over_params(loop->from) || !is_over_params(loop->step) || !is_over_params(loop->to))
        return false;
    if (count_bands(arena, body) != 1 || kernel_accumulates(analysis->kernel))
        return false;
    int n_stores = count_global_stores(arena, body);
    return n_stores > 0 && n_stores == count_global_stores(arena, loop) &&
           !carries_value(arena, loop);
}

size_t analysis_coarse_loops(struct analysis *analysis, const struct stmt ***loops)
{
    VEC(const struct stmt *) list = {0};
    analysis_assume(analysis);
    for (size_t i = 0; i < analysis->iterators.count; i++) {
        const struct iterator *it = &analysis->iterators.at[i];
        if (it->level != LEVEL_SERIAL || analysis->verdict > ACCESS_PROVED_UNDER ||
            !loop_movable(analysis, it->stmt))
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
