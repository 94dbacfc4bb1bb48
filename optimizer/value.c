/* Values of counters: over other variables, against a limit, against one another.

   In:  values as the store knows them, tables of slots. Out: the same value over the variables of a
   path or of a finished tree; whether it may rise. Invariant: a value is never changed, only
   copied. */
#include "optimizer/search.h"

struct constraint counter_accept(const struct counter_piece *piece, const struct poly *limit,
                                 bool is_resource)
{
    const struct poly *bound = piece->denominator ? poly_mul(limit, piece->denominator) : limit;
    return is_resource ? constraint_make(piece->numerator, RELATION_LE, bound)
                       : constraint_make(bound, RELATION_LE, piece->numerator);
}

static const struct poly *const *polys_rename(struct arena *arena, struct ring *ring,
                                              const struct poly *const *polys, size_t n,
                                              const int *at)
{
    const struct poly **renamed = ARENA_ARRAY(arena, const struct poly *, n + 1);
    for (size_t i = 0; i < n; i++)
        renamed[i] = poly_rename(ring, polys[i], at);
    return renamed;
}

const struct counter_goal *goal_rename(const struct search_space *space,
                                       const struct counter_goal *goal, const int *at)
{
    struct counter_goal *renamed = ARENA_NEW(space->arena, struct counter_goal);
    struct counter_test *tests = ARENA_ARRAY(space->arena, struct counter_test, goal->count + 1);
    for (size_t i = 0; i < goal->count; i++) {
        tests[i] = goal->tests[i];
        tests[i].accept = constraint_rename(space->ring, goal->tests[i].accept, at);
        tests[i].keys = polys_rename(space->arena, space->ring, goal->tests[i].keys,
                                     goal->tests[i].n_keys, at);
    }
    *renamed = *goal;
    renamed->tests = tests;
    return renamed;
}

struct auxiliary *auxiliary_rename(struct arena *arena, struct ring *ring,
                                   const struct auxiliary *auxiliary, const int *at)
{
    struct auxiliary *renamed = ARENA_NEW(arena, struct auxiliary);
    *renamed = *auxiliary;
    renamed->variable = at[auxiliary->variable];
    renamed->numerator = poly_rename(ring, auxiliary->numerator, at);
    renamed->denominator = poly_rename(ring, auxiliary->denominator, at);
    renamed->cap = poly_rename(ring, auxiliary->cap, at);
    renamed->facts = sas_rename(arena, ring, auxiliary->facts, at);
    return renamed;
}

struct counter_value value_rename(struct arena *arena, struct ring *ring,
                                  const struct counter_value *value, const int *at)
{
    struct counter_value renamed = *value;
    struct counter_piece *pieces = ARENA_ARRAY(arena, struct counter_piece, value->count + 1);
    for (size_t i = 0; i < value->count; i++) {
        pieces[i] = value->pieces[i];
        pieces[i].guard = sas_rename(arena, ring, value->pieces[i].guard, at);
        pieces[i].numerator = poly_rename(ring, value->pieces[i].numerator, at);
        pieces[i].denominator = poly_rename(ring, value->pieces[i].denominator, at);
    }
    renamed.pieces = pieces;
    renamed.keys = polys_rename(arena, ring, value->keys, value->n_keys, at);
    return renamed;
}

/* A goal is asked for in place of the pieces, which may be over another ring then. */
const struct counter_value *value_bind(const struct search_space *space,
                                       const struct counter_value *value, struct slots *to,
                                       int room)
{
    struct slots from = value->goal ? value->goal->slots : value->slots;
    int at[RING_CAPACITY];
    if (from.count == 0)
        return value;
    if (!slots_join(space, to, from, room, at))
        return NULL;
    struct counter_value *bound = ARENA_NEW(space->arena, struct counter_value);
    if (!value->goal) {
        *bound = value_rename(space->arena, space->ring, value, at);
        return bound;
    }
    *bound = *value;
    bound->goal = goal_rename(space, value->goal, at);
    return bound;
}

bool poly_may_rise(struct sas system, const struct poly *before, const struct poly *after)
{
    return !poly_equal(before, after) &&
           sas_implies(system, constraint_make(after, RELATION_LE, before)) != 1;
}

bool counter_may_rise(struct arena *arena, struct sas system, const struct counter_value *before,
                      const struct counter_value *after)
{
    if (before == after)
        return false;
    if (before->n_keys && before->n_keys == after->n_keys) {
        for (size_t i = 0; i < before->n_keys; i++)
            if (poly_may_rise(system, before->keys[i], after->keys[i]))
                return true;
        return false;
    }
    for (size_t i = 0; i < before->count; i++)
        for (size_t j = 0; j < after->count; j++) {
            const struct counter_piece *a = &before->pieces[i], *b = &after->pieces[j];
            struct sas both = sas_join(arena, sas_join(arena, system, a->guard), b->guard);
            const struct poly *old = b->denominator ? poly_mul(a->numerator, b->denominator)
                                                    : a->numerator;
            const struct poly *new = a->denominator ? poly_mul(b->numerator, a->denominator)
                                                    : b->numerator;
            if (poly_may_rise(both, old, new))
                return true;
        }
    return false;
}
