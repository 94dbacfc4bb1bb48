/* Values of counters for kernels that are launched one after the other.

   In: the value of a counter for the kernels so far, and for the next kernel. Out: the value for
   all of them: of a resource the larger value, of a target the smaller value, of a report as its
   row says. Method: both are brought over one ring; then every piece of the first value meets every
   piece of the second. Invariant: a resource has one piece, as searches and leaves have it: the
   value that facts prove to be the larger, else a bound of both, coefficient by coefficient (its
   variables are never negative). Source: design, "Leaves of several launches". */
#include "optimizer/store.h"
#include <string.h>

enum { PIECES_MOST = 16, TESTS_APART = 64 };

struct joining {
    struct store *store;
    struct arena *arena;
    enum parts_rule rule;
    struct ring *ring;                   /* of both values */
    struct sas facts;                    /* of resources: the bounds of its variables */
    struct slots slots;                  /* in the ring of the space */
    VEC(const struct auxiliary *) auxiliaries;
    VEC(struct counter_piece) pieces;
    const char *reason;                  /* of a value that cannot be */
};

/* --- the common ring ------------------------------------------------------------------------- */

static const struct ring *value_ring(const struct counter_value *value)
{
    return poly_ring(value->pieces[0].numerator);
}

/* The variable of an integer in a ring of the value's own: that of one defined alike, or a new
   one. */
static int auxiliary_take(struct joining *j, struct auxiliary *auxiliary)
{
    const char *stem = auxiliary->name;
    for (size_t i = 0; i < j->auxiliaries.count; i++)
        if (auxiliary_equal(j->auxiliaries.at[i], auxiliary))
            return j->auxiliaries.at[i]->variable;
    for (int k = 2; ring_find(j->ring, auxiliary->name) >= 0; k++)
        auxiliary->name = arena_printf(j->arena, "%s_%d", stem, k);
    auxiliary->variable = ring_variable(j->ring, auxiliary->name);
    if (auxiliary->variable < 0)
        return -1;
    auxiliary_define(j->arena, auxiliary);
    vec_push(j->arena, &j->auxiliaries, auxiliary);
    return auxiliary->variable;
}

static bool is_integer_of(const struct counter_value *value, int variable)
{
    for (size_t i = 0; i < value->n_auxiliary; i++)
        if (value->auxiliaries[i]->variable == variable)
            return true;
    return false;
}

static bool variables_take(struct joining *j, const struct counter_value *value, int *at)
{
    const struct ring *from = value_ring(value);
    bool has_room = true;
    for (int v = 0; v < ring_count(from); v++) {
        at[v] = 0;
        if (is_integer_of(value, v) || !counter_value_uses(value, v))
            continue;
        at[v] = ring_variable(j->ring, ring_name(from, v));
        has_room &= at[v] >= 0;
    }
    for (size_t i = 0; i < value->n_auxiliary && has_room; i++) {
        struct auxiliary bare = *value->auxiliaries[i];
        if (!counter_value_uses(value, bare.variable))
            continue;
        bare.facts = sas_empty(bare.facts.ring);
        int variable = auxiliary_take(j, auxiliary_rename(j->arena, j->ring, &bare, at));
        at[value->auxiliaries[i]->variable] = variable;
        has_room = variable >= 0;
    }
    return has_room;
}

/* The value over the ring of both. False if that has no room. */
static bool value_move(struct joining *j, const struct counter_value *value,
                       struct counter_value *moved)
{
    int at[RING_CAPACITY] = {0};
    bool is_space = j->ring == j->store->space->ring;
    bool has_room = is_space ? slots_join(j->store->space, &j->slots, value->slots, 0, at)
                             : variables_take(j, value, at);
    if (has_room)
        *moved = value_rename(j->arena, j->ring, value, at);
    else
        j->reason = "too many parameters";
    return has_room;
}

/* --- pieces ----------------------------------------------------------------------------------- */

static enum exactness exactness_join(enum exactness a, enum exactness b)
{
    const struct counter_piece both[] = {{.exactness = a}, {.exactness = b}};
    const struct counter_value value = {.count = 2, .pieces = both};
    return counter_exactness(&value);
}

/* a * b, where NULL as `b` is 1. */
static const struct poly *times(const struct poly *a, const struct poly *b)
{
    return b ? poly_mul(a, b) : a;
}

/* The guards of both pieces; false if a condition of `a` is the negation of a condition of `b`. */
static bool guards_join(const struct joining *j, struct sas a, struct sas b, struct sas *both)
{
    *both = a;
    for (size_t i = 0; i < b.count; i++) {
        struct constraint other = constraint_negate(b.at[i]);
        bool is_known = false;
        for (size_t k = 0; k < a.count; k++) {
            if (constraint_equal(a.at[k], other))
                return false;
            is_known |= constraint_equal(a.at[k], b.at[i]);
        }
        if (!is_known)
            *both = sas_add(j->arena, *both, b.at[i]);
    }
    return true;
}

static void piece_add(struct joining *j, struct counter_piece piece)
{
    if (!piece.numerator)
        j->reason = "a polynomial of too high a degree";
    if (j->pieces.count == PIECES_MOST)
        j->reason = "the launches together have too many cases";
    if (!j->reason)
        vec_push(j->arena, &j->pieces, piece);
}

static void pieces_sum(struct joining *j, const struct counter_piece *a,
                       const struct counter_piece *b, struct sas guard)
{
    const struct poly *top = poly_add(times(a->numerator, b->denominator),
                                      times(b->numerator, a->denominator));
    const struct poly *below = a->denominator ? times(a->denominator, b->denominator)
                                              : b->denominator;
    bool is_same = a->denominator && b->denominator &&
                   poly_equal(a->denominator, b->denominator);
    if (is_same) {
        top = poly_add(a->numerator, b->numerator);
        below = a->denominator;
    }
    piece_add(j, (struct counter_piece){guard, top, below,
                                        exactness_join(a->exactness, b->exactness)});
}

/* The least value that a variable can have; -1: no such bound is known. */
static int64_t variable_least(const struct joining *j, int variable)
{
    const struct search_space *space = j->store->space;
    if (j->ring == space->ring)
        return slots_least(space, j->slots, variable);
    for (size_t i = 0; i < j->auxiliaries.count; i++)
        if (j->auxiliaries.at[i]->variable == variable)
            return j->auxiliaries.at[i]->floor;
    int own = ring_find(space->ring, ring_name(j->ring, variable));
    return own < 0 ? 0 : slots_least(space, (struct slots){0}, own);
}

/* With every variable moved to its least value (its powers then only add). False if a value may
   be negative. */
static bool least_moved(const struct joining *j, const struct poly **p, int sign)
{
    struct ring *ring = j->ring;
    for (int v = 0; *p && v < ring_count(ring); v++) {
        if (!poly_uses(*p, v))
            continue;
        int64_t least = variable_least(j, v);
        if (least < 0)
            return false;
        *p = poly_substitute(*p, v, poly_add(poly_variable(ring, v),
                                             poly_integer(ring, sign * least)));
    }
    return *p != NULL;
}

/* Is `b` never above `a`, as its coefficients tell? False says nothing. */
static bool is_below(const struct joining *j, const struct poly *b, const struct poly *a)
{
    unsigned exponents[RING_CAPACITY];
    int64_t numerator, denominator;
    const struct poly *more = poly_sub(a, b);
    if (poly_equal(a, b))
        return true;
    if (!least_moved(j, &more, 1))
        return false;
    for (size_t i = 0; i < poly_terms(more); i++)
        if (!poly_term(more, i, &numerator, &denominator, exponents) || numerator < 0)
            return false;
    return true;
}

/* The one of two pieces that is chosen: the smaller or the larger one. */
static void pieces_choose(struct joining *j, const struct counter_piece *a,
                          const struct counter_piece *b, struct sas guard)
{
    const struct poly *of_a = times(a->numerator, b->denominator),
                      *of_b = times(b->numerator, a->denominator);
    bool is_least = j->rule == PARTS_LEAST;
    const struct poly *low = is_least ? of_a : of_b, *high = is_least ? of_b : of_a;
    struct counter_piece first = *a, second = *b;
    first.guard = second.guard = guard;
    if (!low || !high) {
        j->reason = "a polynomial of too high a degree";
    } else if (is_below(j, low, high)) {
        piece_add(j, first);
    } else if (is_below(j, high, low)) {
        piece_add(j, second);
    } else {
        first.guard = sas_add(j->arena, guard, constraint_make(low, RELATION_LE, high));
        second.guard = sas_add(j->arena, guard, constraint_make(high, RELATION_LT, low));
        piece_add(j, first);
        piece_add(j, second);
    }
}

/* --- resources -------------------------------------------------------------------------------- */

/* Its terms with positive coefficients, or those with negative ones. */
static const struct poly *terms_of_sign(struct ring *ring, const struct poly *p, bool positive)
{
    const struct poly *sum = poly_integer(ring, 0);
    unsigned exponents[RING_CAPACITY];
    int64_t numerator, denominator;
    for (size_t i = 0; i < poly_terms(p); i++) {
        if (!poly_term(p, i, &numerator, &denominator, exponents))
            return NULL;
        if ((numerator > 0) != positive)
            continue;
        const struct poly *term = poly_scale(poly_integer(ring, 1), numerator, denominator);
        for (int v = 0; v < ring_count(ring); v++)
            for (unsigned k = 0; k < exponents[v]; k++)
                term = poly_mul(term, poly_variable(ring, v));
        sum = poly_add(sum, term);
    }
    return sum;
}

/* a + (b - a) without the terms of the difference that may be negative: never below a nor b. */
static const struct poly *bound_of_both(struct joining *j, const struct poly *a,
                                        const struct poly *b)
{
    const struct poly *more = poly_sub(b, a);
    if (!least_moved(j, &more, 1))
        return NULL;
    more = terms_of_sign(j->ring, more, true);
    return more && least_moved(j, &more, -1) ? poly_add(a, more) : NULL;
}

/* Is it proved that a resource never needs more of `b`? */
static bool is_proved_below(const struct joining *j, const struct poly *b, const struct poly *a)
{
    return is_below(j, b, a) || sas_implies(j->facts, constraint_make(b, RELATION_LE, a)) == 1;
}

static struct counter_value resource_join(struct joining *j, const struct counter_value *a,
                                          const struct counter_value *b)
{
    const struct poly *of_a = a->pieces[0].numerator, *of_b = b->pieces[0].numerator;
    const struct search_space *space = j->store->space;
    struct sas none = sas_empty(j->ring);
    struct counter_value joined = *a;
    j->facts = j->ring == space->ring
                   ? sas_join(j->arena, space->initial, slots_facts(space, j->slots))
                   : none;
    if (is_proved_below(j, of_b, of_a))
        return joined;
    if (is_proved_below(j, of_a, of_b))
        return *b;
    enum exactness exactness = exactness_join(a->pieces[0].exactness, b->pieces[0].exactness);
    piece_add(j, (struct counter_piece){none, bound_of_both(j, of_a, of_b), NULL,
                                        exactness == COUNTER_EXACT ? COUNTER_UPPER : exactness});
    joined.pieces = j->pieces.at;
    joined.count = j->pieces.count;
    joined.n_keys = 0;
    joined.n_samples = 0;
    return joined;
}

/* --- values ----------------------------------------------------------------------------------- */

/* The tests of both targets. Those of a later kernel have other numbers. */
static const struct counter_goal *goal_join(struct joining *j, const struct counter_goal *a,
                                            const struct counter_goal *b, int part)
{
    const struct search_space *space = j->store->space;
    const struct counter_goal *const both[] = {a, b};
    VEC(struct counter_test) tests = {0};
    struct counter_goal *goal = ARENA_NEW(j->arena, struct counter_goal);
    for (int k = 0; k < 2; k++) {
        int at[RING_CAPACITY];
        if (!slots_join(space, &goal->slots, both[k]->slots, 0, at))
            return NULL;
        const struct counter_goal *moved = goal_rename(space, both[k], at);
        for (size_t i = 0; i < moved->count; i++) {
            struct counter_test test = moved->tests[i];
            test.id += k ? part * TESTS_APART : 0;
            vec_push(j->arena, &tests, test);
        }
    }
    goal->tests = tests.at;
    goal->count = tests.count;
    goal->n_auxiliary = (size_t)goal->slots.count;
    goal->auxiliaries = slots_integers(space, goal->slots);
    return goal;
}

static struct counter_value pieces_join(struct joining *j, const struct counter_value *a,
                                        const struct counter_value *b)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++) {
            const struct counter_piece *x = &a->pieces[i], *y = &b->pieces[k];
            struct sas guard;
            if (!guards_join(j, x->guard, y->guard, &guard))
                continue;
            if (j->rule == PARTS_SUM)
                pieces_sum(j, x, y, guard);
            else
                pieces_choose(j, x, y, guard);
        }
    return (struct counter_value){.count = j->pieces.count, .pieces = j->pieces.at};
}

static struct joining joining_new(struct store *store, enum parts_rule rule,
                                  const struct counter_value *a, const struct counter_value *b)
{
    const struct search_space *space = store->space;
    bool is_space = value_ring(a) == space->ring && value_ring(b) == space->ring;
    struct joining j = {.store = store, .arena = store->ctx->arena, .rule = rule};
    j.ring = is_space ? space->ring : ring_new(j.arena);
    return j;
}

/* The values over one ring and together; count 0 with a reason if that cannot be. */
static struct counter_value values_join(struct joining *j, const struct counter *counter,
                                        const struct counter_value *a,
                                        const struct counter_value *b)
{
    struct counter_value of_a, of_b, joined = {0};
    if (value_move(j, a, &of_a) && value_move(j, b, &of_b)) {
        joined = counter->kind == COUNTER_RESOURCE ? resource_join(j, &of_a, &of_b)
                                                   : pieces_join(j, &of_a, &of_b);
    }
    if (j->reason)
        return (struct counter_value){.reason = j->reason};
    bool is_space = j->ring == j->store->space->ring;
    joined.slots = j->slots;
    joined.n_auxiliary = is_space ? (size_t)j->slots.count : j->auxiliaries.count;
    joined.auxiliaries = is_space ? slots_integers(j->store->space, j->slots)
                                  : j->auxiliaries.at;
    return joined;
}

const struct counter_value *value_join(struct store *store, const struct counter *counter,
                                       const struct counter_value *before,
                                       const struct counter_value *next, int part)
{
    struct counter_value *joined = ARENA_NEW(store->ctx->arena, struct counter_value);
    bool is_target = counter->kind == COUNTER_TARGET;
    if (before->count == 0 || next->count == 0) {
        bool is_before = is_target ? next->count == 0 : before->count == 0;
        return is_before ? before : next;
    }
    struct joining j = joining_new(store, counter->parts, before, next);
    *joined = values_join(&j, counter, before, next);
    if (counter->kind == COUNTER_RESOURCE && joined->count == 0) {
        diag_error(store->ctx, store->space->region->loc,
                   "what two launches need of %s has no bound: %s", counter->name, j.reason);
        return NULL;
    }
    if (!is_target)
        return joined;
    const struct counter_goal *a = before->goal, *b = next->goal;
    joined->goal = a && b ? goal_join(&j, a, b, part) : a ? a : b;
    return joined;
}
