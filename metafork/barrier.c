/* Barriers between the bands of a block.

   In: a kernel whose bands follow each other without barriers. Out: its body with a barrier
   wherever a later band may touch what an earlier one wrote, or write what it read, in another
   thread (access_needs_barrier). Between the bands of a sequence the barrier stands before the
   later one; for the next round of a loop it stands at the end of the loop's body. Conditions and
   bounds at block level are uniform, so every barrier is reached by all threads or by none. */
#include "ir/walk.h"
#include "metafork/lower.h"

typedef VEC(const struct stmt *) band_list;

struct walker {
    struct ctx *ctx;
    const struct kernel *kernel;
};

static band_list bands_of(struct arena *arena, const struct stmt *root)
{
    band_list list = {0};
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, root); s; s = stmt_next(&walk))
        if (s->kind == STMT_BAND)
            vec_push(arena, &list, s);
    return list;
}

static bool any_needs(const struct walker *w, const band_list *earlier, const band_list *later)
{
    for (size_t i = 0; i < earlier->count; i++)
        for (size_t k = 0; k < later->count; k++)
            if (access_needs_barrier(w->ctx, w->kernel, earlier->at[i], later->at[k]))
                return true;
    return false;
}

static const struct stmt *place(const struct walker *w, const struct stmt *s, band_list *pending);

static const struct stmt *place_sequence(const struct walker *w, const struct stmt *s,
                                         band_list *pending)
{
    struct arena *arena = w->ctx->arena;
    stmt_list list = {0};
    for (int i = 0; i < s->n_children; i++) {
        band_list own = bands_of(arena, s->children[i]);
        if (any_needs(w, pending, &own)) {
            vec_push(arena, &list, stmt_barrier(arena));
            pending->count = 0;
        }
        vec_push(arena, &list, place(w, s->children[i], pending));
    }
    return stmt_sequence(arena, list.at, (int)list.count);
}

static const struct stmt *place_for(const struct walker *w, const struct stmt *s,
                                    band_list *pending)
{
    struct arena *arena = w->ctx->arena;
    band_list own = bands_of(arena, s);
    if (!own.count)
        return s;
    const struct stmt *list[2] = {place(w, s->children[0], pending), NULL};
    if (any_needs(w, &own, &own))
        list[1] = stmt_barrier(arena);
    struct stmt *copy = ARENA_NEW(arena, struct stmt);
    *copy = *(const struct stmt *)stmt_for(arena, s->var, s->from, s->to, s->step,
                                           list[1] ? stmt_sequence(arena, list, 2) : list[0]);
    copy->loc = s->loc;
    return copy;
}

static const struct stmt *place(const struct walker *w, const struct stmt *s, band_list *pending)
{
    struct arena *arena = w->ctx->arena;
    switch (s->kind) {
    case STMT_SEQUENCE: return place_sequence(w, s, pending);
    case STMT_FOR: return place_for(w, s, pending);
    case STMT_BAND:
        vec_push(arena, pending, s);
        return s;
    case STMT_IF: {
        band_list own = bands_of(arena, s), none = {0};
        if (!own.count)
            return s;
        const struct stmt *then = place(w, s->children[0], &none), *otherwise = NULL;
        none.count = 0;
        if (s->n_children > 1)
            otherwise = place(w, s->children[1], &none);
        for (size_t i = 0; i < own.count; i++)
            vec_push(arena, pending, own.at[i]);
        return stmt_if(arena, s->value, then, otherwise);
    }
    default: return s;
    }
}

const struct stmt *barriers_insert(struct ctx *ctx, const struct kernel *kernel)
{
    struct walker w = {ctx, kernel};
    band_list pending = {0};
    return place(&w, kernel->body, &pending);
}
