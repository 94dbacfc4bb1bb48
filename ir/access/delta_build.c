/* In: two references and how their executions are related. Out: the linear system of a meeting: one
   row per dimension, sum c_v * delta_v = difference of the constants, with ranges of the unknowns,
   and bounds on combinations of unknowns that come from guards.

   An iterator of both references with one coefficient becomes a difference, with the range that
   both ranges leave; other iterators are unknowns of their own side. Left-over iterators of the two
   sides with equal coefficients are merged into differences too, which only loses information. Two
   bands with equal boxes share their thread axes. */
#include "ir/access/delta.h"

/* The iterator of access b that stands for iterator `v` of access a; -1 if there is none. */
static int partner(const struct delta *delta, int v, const bool *theirs)
{
    const struct analysis *analysis = delta->analysis;
    const struct iterator *it = &analysis->iterators.at[v];
    if (it->level == LEVEL_FRESH)
        return -1;
    for (int w = 0; w < (int)analysis->iterators.count; w++) {
        const struct iterator *other = &analysis->iterators.at[w];
        bool same_axis = it->level == LEVEL_THREAD && other->level == LEVEL_THREAD &&
                         it->axis == other->axis;
        if (theirs[w] && (v == w || (delta->same_box && same_axis)))
            return w;
    }
    return -1;
}

static bool iterator_used(const struct access *access, int v)
{
    for (int d = 0; d < access->reference.array->n_dims; d++)
        if (access->subscripts[d] && form_coefficient(access->subscripts[d], v))
            return true;
    return false;
}

/* Rows where one side's subscript is unknown say nothing. */
static bool row_known(const struct delta *delta, int d)
{
    return delta->a->subscripts[d] && delta->b->subscripts[d];
}

static const struct poly *coefficient(const struct access *access, int d, int v)
{
    return v < 0 ? NULL : form_coefficient(access->subscripts[d], v);
}

static bool coefficients_equal(const struct delta *delta, int v, int w)
{
    for (int d = 0; d < delta->a->reference.array->n_dims; d++) {
        if (!row_known(delta, d))
            continue;
        const struct poly *p = coefficient(delta->a, d, v), *q = coefficient(delta->b, d, w);
        if (!p != !q || (p && !poly_equal(p, q)))
            return false;
    }
    return true;
}

static const struct poly *range_end(const struct delta *delta, const struct access *access, int v,
                                    bool upper)
{
    return form_extreme(delta->analysis, delta->context, access, form_iterator(delta->analysis, v),
                        upper);
}

/* What an unknown stands for: v - w; the common value of v and w; v - w although the subscripts do
   not tell; v; w. */
enum shape { DIFFERENCE, COMMON, APART, LEFT, RIGHT };

static bool unknown_add(struct delta *delta, int v, int w, enum shape shape, bool required)
{
    if (delta->n_unknowns == UNKNOWNS_MAX)
        return false;
    int n = delta->n_unknowns++;
    struct unknown *x = &delta->unknowns[n];
    *x = (struct unknown){shape == COMMON || shape == RIGHT ? -1 : v,
                          shape == COMMON || shape == LEFT ? -1 : w,
                          NULL,
                          NULL,
                          required,
                          false};
    if (shape == DIFFERENCE || shape == APART) {
        const struct poly *alo = range_end(delta, delta->a, v, false),
                          *ahi = range_end(delta, delta->a, v, true);
        const struct poly *blo = range_end(delta, delta->b, w, false),
                          *bhi = range_end(delta, delta->b, w, true);
        x->lo = alo && bhi ? poly_sub(alo, bhi) : NULL;
        x->hi = ahi && blo ? poly_sub(ahi, blo) : NULL;
        x->zero = x->lo && x->hi && poly_is_zero(x->lo) && poly_is_zero(x->hi);
    } else {
        x->lo = range_end(delta, shape == RIGHT ? delta->b : delta->a, shape == RIGHT ? w : v,
                          false);
        x->hi = range_end(delta, shape == RIGHT ? delta->b : delta->a, shape == RIGHT ? w : v,
                          true);
    }
    for (int d = 0; d < delta->n_rows; d++) {
        if (!row_known(delta, d) || shape == APART)
            continue;
        const struct poly *p = shape == RIGHT ? NULL : coefficient(delta->a, d, v);
        const struct poly *q = shape == RIGHT || shape == COMMON ? coefficient(delta->b, d, w)
                                                                 : NULL;
        if (p && q)
            p = poly_sub(p, q);
        else if (q)
            p = poly_neg(q);
        delta->rows[d].coefficients[n] = p;
    }
    return true;
}

static bool *nest_of(const struct delta *delta, const struct access *access, size_t n)
{
    bool *nest = ARENA_ARRAY(delta->analysis->arena, bool, n + 1);
    for (size_t i = 0; i < access->n_path; i++)
        if (access->path[i].iterator >= 0)
            nest[access->path[i].iterator] = true;
    for (int d = 0; d < access->reference.array->n_dims; d++)
        if (access->subscripts[d])
            for (int k = 0; k < access->subscripts[d]->n_terms; k++)
                nest[access->subscripts[d]->terms[k].iterator] = true;
    return nest;
}

/* Iterators that both have. Those settled are removed from the two nests. */
static bool unknowns_shared(struct delta *delta, const struct meeting_question *question,
                            bool *mine, bool *theirs)
{
    for (int v = 0; v < (int)delta->analysis->iterators.count; v++) {
        int w = mine[v] ? partner(delta, v, theirs) : -1;
        if (w < 0)
            continue;
        enum relation_of r = iterator_relation(delta->analysis, question, v);
        bool equal = coefficients_equal(delta, v, w), used = iterator_used(delta->a, v);
        enum shape shape = r == SAME ? COMMON : APART;
        if (equal)
            shape = DIFFERENCE;
        bool wanted = equal ? (r != SAME && used) || r == DIFFERENT : r != ANY;
        if (wanted && !unknown_add(delta, v, w, shape, r == DIFFERENT))
            return false;
        if (equal || r == SAME)
            mine[v] = theirs[w] = false;
    }
    return true;
}

static bool unknowns_collect(struct delta *delta, const struct meeting_question *question)
{
    int n = (int)delta->analysis->iterators.count;
    bool *mine = nest_of(delta, delta->a, (size_t)n), *theirs = nest_of(delta, delta->b, (size_t)n);
    if (!unknowns_shared(delta, question, mine, theirs))
        return false;
    for (int v = 0; v < n; v++) {
        if (!mine[v] || !iterator_used(delta->a, v))
            continue;
        int w = 0;
        while (w < n &&
               !(theirs[w] && iterator_used(delta->b, w) && coefficients_equal(delta, v, w)))
            w++;
        if (!unknown_add(delta, v, w < n ? w : -1, w < n ? DIFFERENCE : LEFT, false))
            return false;
        if (w < n)
            theirs[w] = false;
    }
    for (int w = 0; w < n; w++)
        if (theirs[w] && iterator_used(delta->b, w) && !unknown_add(delta, -1, w, RIGHT, false))
            return false;
    return true;
}

static bool terms_opposite(const struct form *a, const struct form *b)
{
    if (a->n_terms != b->n_terms)
        return false;
    for (int i = 0; i < a->n_terms; i++)
        if (a->terms[i].iterator != b->terms[i].iterator ||
            !poly_is_zero(poly_add(a->terms[i].coefficient, b->terms[i].coefficient)))
            return false;
    return true;
}

/* The better of the box's and the guards' bound on the terms of `sum` (its constant does
   not count). */
static const struct poly *sum_bound(struct delta *delta, const struct access *access,
                                    const struct form *sum, bool upper)
{
    struct analysis *analysis = delta->analysis;
    const struct form *terms = form_sub(analysis, sum, form_constant(analysis, sum->constant));
    const struct form *negative = form_scale(analysis, terms, poly_integer(analysis->ring, -1));
    const struct poly *best = form_extreme(analysis, delta->context, access, terms, upper);
    for (size_t i = 0; i < access->n_guards; i++) {
        const struct form *guard = access->guards[i];
        if (!terms_opposite(guard, upper ? terms : negative))
            continue;
        const struct poly *bound = upper ? guard->constant : poly_neg(guard->constant);
        const struct poly *gain = best ? poly_sub(best, bound) : NULL;
        if (!gain || !context_nonnegative(delta->context, upper ? poly_neg(gain) : gain))
            best = bound;
    }
    return best;
}

/* The same combination over the iterators of the other access; NULL if one has no partner. */
static const struct form *form_partner(struct delta *delta, const struct form *a,
                                       const bool *theirs)
{
    const struct form *sum = form_integer(delta->analysis, 0);
    for (int i = 0; i < a->n_terms; i++) {
        int w = partner(delta, a->terms[i].iterator, theirs);
        if (w < 0)
            return NULL;
        sum = form_add(delta->analysis, sum,
                       form_scale(delta->analysis, form_iterator(delta->analysis, w),
                                  a->terms[i].coefficient));
    }
    return sum;
}

/* A guard of a as a bound on the differences, where every iterator of it is one or is the same on
   both sides. */
static void bound_difference(struct delta *delta, const struct meeting_question *question,
                             const struct form *guard, const bool *theirs)
{
    const struct form *other = form_partner(delta, guard, theirs);
    struct delta_row *bound = &delta->bounds[delta->n_bounds];
    *bound = (struct delta_row){0};
    int support = 0;
    if (other)
        for (int i = 0; i < guard->n_terms; i++) {
            int v = guard->terms[i].iterator, x = 0, w = partner(delta, v, theirs);
            while (x < delta->n_unknowns &&
                   !(delta->unknowns[x].a == v && delta->unknowns[x].b == w))
                x++;
            if (x < delta->n_unknowns)
                bound->coefficients[x] = guard->terms[i].coefficient, support++;
            else if (iterator_relation(delta->analysis, question, v) != SAME)
                return;
        }
    if (!other || !support)
        return;
    const struct poly *alo = sum_bound(delta, delta->a, guard, false),
                      *ahi = sum_bound(delta, delta->a, guard, true);
    const struct poly *blo = sum_bound(delta, delta->b, other, false),
                      *bhi = sum_bound(delta, delta->b, other, true);
    if (!alo || !ahi || !blo || !bhi)
        return;
    bound->lo = poly_sub(alo, bhi);
    bound->hi = poly_sub(ahi, blo);
    delta->n_bounds++;
}

/* A guard of one side as a bound on iterators that are unknowns of that side. */
static void bound_side(struct delta *delta, const struct access *access, const struct form *guard,
                       bool left)
{
    struct delta_row *bound = &delta->bounds[delta->n_bounds];
    *bound = (struct delta_row){0};
    for (int i = 0; i < guard->n_terms; i++) {
        int v = guard->terms[i].iterator, x = 0;
        while (x < delta->n_unknowns &&
               !(left ? delta->unknowns[x].a == v && delta->unknowns[x].b < 0
                      : delta->unknowns[x].b == v && delta->unknowns[x].a < 0))
            x++;
        if (x == delta->n_unknowns)
            return;
        bound->coefficients[x] = guard->terms[i].coefficient;
    }
    bound->lo = sum_bound(delta, access, guard, false);
    bound->hi = sum_bound(delta, access, guard, true);
    if (bound->lo && bound->hi)
        delta->n_bounds++;
}

/* Guards without the iterators that occur in no subscript: these take the value that leaves the
   guard weakest. */
static void bounds_collect(struct delta *delta, const struct meeting_question *question,
                           const struct access *access, bool left)
{
    struct analysis *analysis = delta->analysis;
    size_t n = analysis->iterators.count;
    bool *theirs = nest_of(delta, delta->b, n), *over = ARENA_ARRAY(analysis->arena, bool, n + 1);
    for (size_t v = 0; v < n; v++)
        over[v] = !iterator_used(delta->a, (int)v) && !iterator_used(delta->b, (int)v);
    for (size_t i = 0; i < access->n_guards; i++) {
        const struct form *guard = form_bound(analysis, delta->context, access, access->guards[i],
                                              true, over);
        if (!guard || guard->n_terms == 0)
            continue;
        if (left && delta->n_bounds < BOUNDS_MAX)
            bound_difference(delta, question, guard, theirs);
        if (delta->n_bounds < BOUNDS_MAX)
            bound_side(delta, access, guard, left);
    }
}

bool delta_build(struct delta *delta, const struct meeting_question *question)
{
    int n = delta->a->reference.array->n_dims;
    if (n > ROWS_OF_SYSTEM / 2)
        return false;
    delta->n_rows = n;
    for (int d = 0; d < n; d++)
        if (row_known(delta, d))
            delta->rows[d].constant = poly_sub(delta->b->subscripts[d]->constant,
                                               delta->a->subscripts[d]->constant);
    if (!unknowns_collect(delta, question))
        return false;
    bounds_collect(delta, question, delta->a, true);
    bounds_collect(delta, question, delta->b, false);
    return true;
}
