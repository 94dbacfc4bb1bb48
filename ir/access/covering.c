/* In: a store. Out: whether it writes every element of its array, and what must be assumed for it.

   Its subscript in a dimension of extent E is cut into parts, a part being the iterators that
   guards join (or a single one). The values of a part are base + stride * d without gaps, as in
   digits.c, where each weight is at most the number of values so far. A guard of the part must be a
   function of its value alone, so that it cuts the range of d at one end and leaves no hole:
   i = g*B + l under i < n has exactly the values 0 to n - 1. Parts join in the same way, and the
   whole must reach from 0 to E - 1. Iterators of different dimensions differ, loops around the
   store run at least once, those that no subscript uses have a round in which their own guards hold
   (`p == 0`), and nothing else decides whether it is made.

   Assumed may be that a loop runs, that a condition on parameters holds, and that a truncating
   division is exact. */
#include "ir/access/covering.h"

/* base + stride * d for every d from 0 to span. */
struct stretch {
    const struct poly *base, *stride, *span;
};

enum { PART_TERMS = 8 };

struct covering {
    struct analysis *analysis;
    struct assumptions *assumptions;
    const struct access *access;
    const bool *left_out;             /* by guard */
    const struct form *subscript;
    int groups[PART_TERMS];           /* by term of the subscript */
};

/* --- assumptions ------------------------------------------------------------------------------ */

static void assumptions_apply(const struct assumptions *assumptions)
{
    struct context *context = context_extend(assumptions->known);
    for (int i = 0; i < assumptions->n; i++)
        context_fact(context, assumptions->at[i]);
    context_floors(context);
    assumptions->analysis->context = context;
}

void assumptions_return(struct assumptions *assumptions, int n)
{
    if (assumptions->n == n)
        return;
    assumptions->n = n;
    assumptions_apply(assumptions);
}

/* Is p >= 0, or can it be assumed? */
static bool assume(struct assumptions *assumptions, const struct poly *p)
{
    const struct poly *opposite =
        poly_sub(poly_neg(p), poly_integer(assumptions->analysis->ring, 1));
    if (context_nonnegative(assumptions->analysis->context, p))
        return true;
    if (!assumptions->are_allowed || assumptions->n == CONDITIONS_MAX ||
        context_nonnegative(assumptions->analysis->context, opposite))
        return false;
    assumptions->at[assumptions->n++] = p;
    assumptions_apply(assumptions);
    return true;
}

/* The same for p >= q, where only a truncating division leaves it open. */
static bool assume_exact(struct assumptions *assumptions, const struct poly *p,
                         const struct poly *q)
{
    const struct analysis *analysis = assumptions->analysis;
    bool divides = false;
    for (size_t i = 0; i < analysis->floors.list.count; i++)
        divides |= poly_uses(p, analysis->floors.list.at[i].variable);
    return context_at_least(analysis->context, p, q) ||
           (divides && assume(assumptions, poly_sub(p, q)));
}

/* --- whether the store is made ---------------------------------------------------------------- */

static int dimensions_with(const struct access *access, int iterator)
{
    int n = 0;
    for (int d = 0; d < access->reference.array->n_dims; d++)
        n += form_coefficient(access->subscripts[d], iterator) != NULL;
    return n;
}

bool guard_bounds_order(struct analysis *analysis, const struct form *guard,
                        const struct form *order, int64_t *least, int64_t *most)
{
    const struct form *rest = form_sub(analysis, guard, order);
    int64_t constant;
    if (rest->n_terms == 0 && poly_get_integer(rest->constant, &constant)) {
        *least = *least > -constant ? *least : -constant;
        return true;
    }
    rest = form_add(analysis, guard, order);
    if (rest->n_terms == 0 && poly_get_integer(rest->constant, &constant)) {
        *most = *most < constant ? *most : constant;
        return true;
    }
    return false;
}

/* Is `guard` >= 0 wherever `other` is? */
static bool guard_follows(const struct covering *cover, const struct form *guard,
                          const struct form *other)
{
    struct analysis *analysis = cover->analysis;
    const struct poly *least = form_extreme(analysis, analysis->context, cover->access,
                                            form_sub(analysis, guard, other), false);
    return least && context_nonnegative(analysis->context, least);
}

/* Does another guard say all that number g says: `i*B + j < n` and `i*B < n`? Of two that say the
   same the first stays. */
static bool guard_is_implied(const struct covering *cover, size_t g)
{
    const struct access *access = cover->access;
    for (size_t i = 0; i < access->n_guards; i++)
        if (i != g && guard_follows(cover, access->guards[g], access->guards[i]) &&
            (i < g || !guard_follows(cover, access->guards[i], access->guards[g])))
            return true;
    return false;
}

/* Guards are left out that others imply or that bound the order. */
static void guards_leave_out(struct covering *cover, const struct form *order)
{
    const struct access *access = cover->access;
    bool *left_out = ARENA_ARRAY(cover->analysis->arena, bool, access->n_guards + 1);
    for (size_t g = 0; g < access->n_guards; g++) {
        int64_t least = INT64_MIN, most = INT64_MAX;
        left_out[g] = guard_is_implied(cover, g) ||
                      (order && guard_bounds_order(cover->analysis, access->guards[g], order,
                                                   &least, &most));
    }
    cover->left_out = left_out;
}

/* All iterators of the guard stand in one subscript. */
static bool guard_has_dimension(const struct access *access, const struct form *guard)
{
    for (int d = 0; d < access->reference.array->n_dims; d++) {
        int found = 0;
        for (int i = 0; i < guard->n_terms; i++)
            found += form_coefficient(access->subscripts[d], guard->terms[i].iterator) != NULL;
        if (found == guard->n_terms)
            return true;
    }
    return false;
}

/* The guard on one iterator as a bound on it; NULL if it is none. */
static const struct poly *guard_limit(const struct analysis *analysis, const struct form *guard,
                                      bool *is_upper)
{
    if (guard->n_terms != 1)
        return NULL;
    const struct poly *factor = guard->terms[0].coefficient,
                      *quotient = poly_multiple(guard->constant, factor);
    *is_upper = context_positive(analysis->context, poly_neg(factor));
    bool is_bound = *is_upper || context_positive(analysis->context, factor);
    return quotient && is_bound ? poly_neg(quotient) : NULL;
}

enum { LIMITS_MAX = 8 };

/* Is there a value between all lower and all upper bounds of an iterator that no subscript uses? */
static bool iterator_has_value(struct covering *cover, int iterator)
{
    const struct access *access = cover->access;
    const struct poly *bounds[2][LIMITS_MAX] = {{NULL}};
    int n[2] = {1, 1};
    bounds[0][0] = access->ranges[iterator].lo->constant;
    bounds[1][0] = access->ranges[iterator].hi->constant;
    for (size_t g = 0; g < access->n_guards; g++) {
        const struct form *guard = access->guards[g];
        bool is_upper;
        if (!form_coefficient(guard, iterator))
            continue;
        const struct poly *limit = guard_limit(cover->analysis, guard, &is_upper);
        if (!limit || n[is_upper] == LIMITS_MAX)
            return false;
        bounds[is_upper][n[is_upper]++] = limit;
    }
    for (int i = 0; i < n[0]; i++)
        for (int k = 0; k < n[1]; k++)
            if (!assume(cover->assumptions, poly_sub(bounds[1][k], bounds[0][i])))
                return false;
    return true;
}

/* Both ends are polynomials in the parameters, and the loop runs. */
static bool loop_runs(struct covering *cover, int iterator)
{
    const struct range *range = &cover->access->ranges[iterator];
    if (!range->lo || !range->hi || range->lo->n_terms || range->hi->n_terms)
        return false;
    if (dimensions_with(cover->access, iterator) == 0)
        return iterator_has_value(cover, iterator);
    return assume(cover->assumptions, poly_sub(range->hi->constant, range->lo->constant));
}

/* Guards are of one dimension, left out, or on an iterator that no subscript uses. */
static bool guards_are_plain(const struct covering *cover)
{
    const struct access *access = cover->access;
    for (size_t i = 0; i < access->n_guards; i++) {
        const struct form *guard = access->guards[i];
        if (cover->left_out[i] || guard_has_dimension(access, guard))
            continue;
        if (guard->n_terms != 1 || dimensions_with(access, guard->terms[0].iterator))
            return false;
    }
    return true;
}

/* The path holds loops that run and conditions that guards and facts say wholly. In a square's
   diagonal (`is_diagonal`) both subscripts are the same. */
static bool path_is_plain(struct covering *cover, bool is_diagonal)
{
    const struct access *access = cover->access;
    for (size_t i = 0; i < access->n_path; i++) {
        const struct path_step *step = &access->path[i];
        if (step->iterator < 0) {
            if (!step->condition.affine)
                return false;
        } else if ((!is_diagonal && dimensions_with(access, step->iterator) > 1) ||
                   !loop_runs(cover, step->iterator)) {
            return false;
        }
    }
    for (size_t i = 0; i < access->n_said; i++)
        if (!assume(cover->assumptions, access->facts[i]))
            return false;
    return guards_are_plain(cover);
}

/* --- the values of a subscript ---------------------------------------------------------------- */

/* Terms that one guard names are of one group. */
static void groups_make(struct covering *cover)
{
    const struct form *subscript = cover->subscript;
    for (int i = 0; i < subscript->n_terms; i++)
        cover->groups[i] = i;
    for (size_t g = 0; g < cover->access->n_guards; g++) {
        int first = -1;
        if (cover->left_out[g])
            continue;
        for (int i = 0; i < subscript->n_terms; i++) {
            if (!form_coefficient(cover->access->guards[g], subscript->terms[i].iterator))
                continue;
            int group = cover->groups[i];
            first = first < 0 ? group : first;
            for (int k = 0; k < subscript->n_terms; k++)
                if (cover->groups[k] == group)
                    cover->groups[k] = first;
        }
    }
}

/* The part of one iterator; false if the sign of its coefficient is open. */
static bool part_of_term(const struct covering *cover, const struct form_term *term,
                         struct stretch *part)
{
    const struct range *range = &cover->access->ranges[term->iterator];
    int direction = context_direction(cover->analysis->context, term->coefficient);
    if (direction != 1 && direction != -1)
        return false;
    const struct poly *first = direction > 0 ? range->lo->constant : range->hi->constant;
    part->base = poly_mul(term->coefficient, first);
    part->stride = direction > 0 ? term->coefficient : poly_neg(term->coefficient);
    part->span = poly_sub(range->hi->constant, range->lo->constant);
    return true;
}

/* Takes `more` into the sum, whose values have no gap, if none arises. With `divided` divisions may
   be assumed to be exact. */
static bool part_absorb(const struct covering *cover, struct stretch *sum,
                        const struct stretch *more, bool divided)
{
    const struct analysis *analysis = cover->analysis;
    const struct poly *weight = poly_multiple(more->stride, sum->stride);
    const struct poly *count = poly_add(sum->span, poly_integer(analysis->ring, 1));
    if (!weight || !(divided ? assume_exact(cover->assumptions, count, weight)
                             : context_at_least(analysis->context, count, weight)))
        return false;
    sum->base = poly_add(sum->base, more->base);
    sum->span = poly_add(sum->span, poly_mul(weight, more->span));
    return true;
}

/* Are the strides of all parts that are not done multiples of this one's? */
static bool is_lowest(const struct stretch *parts, int n, const bool *done, int part)
{
    for (int i = 0; i < n; i++)
        if (!done[i] && !poly_multiple(parts[i].stride, parts[part].stride))
            return false;
    return true;
}

/* Takes in one of the parts that are not done, the lowest if divisions must be exact; false if none
   fits. */
static bool parts_absorb(const struct covering *cover, const struct stretch *parts, int n,
                         bool *done, struct stretch *sum)
{
    for (int divided = 0; divided <= 1; divided++)
        for (int i = 0; i < n; i++)
            if (!done[i] && (!divided || is_lowest(parts, n, done, i)) &&
                part_absorb(cover, sum, &parts[i], divided)) {
                done[i] = true;
                return true;
            }
    return false;
}

/* The sum of all parts beginning with parts[first]; false if it has gaps. */
static bool parts_add(const struct covering *cover, const struct stretch *parts, int n, int first,
                      struct stretch *sum)
{
    bool done[PART_TERMS + 1] = {false};
    int before = cover->assumptions->n;
    *sum = parts[first];
    done[first] = true;
    for (int left = n - 1; left > 0; left--)
        if (!parts_absorb(cover, parts, n, done, sum)) {
            assumptions_return(cover->assumptions, before);
            return false;
        }
    return true;
}

static bool parts_join(const struct covering *cover, const struct stretch *parts, int n,
                       struct stretch *sum)
{
    for (int first = 0; first < n; first++)
        if (parts_add(cover, parts, n, first, sum))
            return true;
    return false;
}

/* The guard as a bound on the group's sum P of terms: P <= bound, or P >= bound if *is_lower. NULL
   if it is no function of P, or the bound no polynomial. */
static const struct poly *guard_bound(const struct covering *cover, const struct form *guard,
                                      int group, bool *is_lower)
{
    const struct form *subscript = cover->subscript;
    const struct poly *ratio = NULL;
    for (int i = 0; i < subscript->n_terms; i++) {
        if (cover->groups[i] != group)
            continue;
        const struct poly *a = form_coefficient(guard, subscript->terms[i].iterator);
        const struct poly *m = a ? poly_multiple(subscript->terms[i].coefficient, a) : NULL;
        if (!m || (ratio && !poly_equal(ratio, m)))
            return NULL;
        ratio = m;
    }
    *is_lower = ratio && context_positive(cover->analysis->context, ratio);
    if (!ratio || (!*is_lower && !context_positive(cover->analysis->context, poly_neg(ratio))))
        return NULL;
    return poly_neg(poly_mul(ratio, guard->constant));
}

/* Cuts the part at a bound that lies among its values, or beyond their end. */
static bool part_cut(const struct covering *cover, struct stretch *part, const struct poly *bound,
                     bool is_lower)
{
    const struct context *context = cover->analysis->context;
    const struct poly *d = poly_multiple(poly_sub(bound, part->base), part->stride);
    const struct poly *zero = poly_integer(cover->analysis->ring, 0);
    if (!d)
        return false;
    if (is_lower && context_at_least(context, zero, d))
        return true;
    if (!is_lower && context_at_least(context, d, part->span))
        return true;
    if (!context_at_least(context, d, zero) || !context_at_least(context, part->span, d))
        return false;
    if (is_lower) {
        part->base = poly_add(part->base, poly_mul(part->stride, d));
        part->span = poly_sub(part->span, d);
    } else {
        part->span = d;
    }
    return true;
}

static bool guard_is_of(const struct covering *cover, const struct form *guard, int group)
{
    for (int i = 0; i < cover->subscript->n_terms; i++)
        if (cover->groups[i] == group &&
            form_coefficient(guard, cover->subscript->terms[i].iterator))
            return true;
    return false;
}

/* The values of one group under its guards. */
static bool part_make(const struct covering *cover, int group, struct stretch *part)
{
    struct stretch parts[PART_TERMS];
    int n = 0;
    for (int i = 0; i < cover->subscript->n_terms; i++)
        if (cover->groups[i] == group &&
            !part_of_term(cover, &cover->subscript->terms[i], &parts[n++]))
            return false;
    if (!parts_join(cover, parts, n, part))
        return false;
    for (size_t g = 0; g < cover->access->n_guards; g++) {
        const struct form *guard = cover->access->guards[g];
        bool is_lower;
        if (cover->left_out[g] || !guard_is_of(cover, guard, group))
            continue;
        const struct poly *bound = guard_bound(cover, guard, group, &is_lower);
        if (!bound || !part_cut(cover, part, bound, is_lower))
            return false;
    }
    return true;
}

/* Does the subscript take every value from 0 to extent - 1? */
static bool dimension_covered(struct covering *cover, int d, const struct poly *extent)
{
    struct analysis *analysis = cover->analysis;
    const struct poly *one = poly_integer(analysis->ring, 1);
    struct stretch parts[PART_TERMS + 1], sum;
    int n = 0;
    cover->subscript = cover->access->subscripts[d];
    if (cover->subscript->n_terms > PART_TERMS - 1)
        return false;
    groups_make(cover);
    for (int i = 0; i < cover->subscript->n_terms; i++)
        if (cover->groups[i] == i && !part_make(cover, i, &parts[n++]))
            return false;
    parts[n++] = (struct stretch){cover->subscript->constant, one, poly_integer(analysis->ring, 0)};
    if (!parts_add(cover, parts, n, n - 1, &sum))
        return false;
    const struct poly *count = poly_add(poly_add(sum.base, sum.span), one);
    return context_nonnegative(analysis->context, poly_neg(sum.base)) &&
           assume_exact(cover->assumptions, count, extent);
}

/* --- stores ----------------------------------------------------------------------------------- */

/* The store with the ends of its loops in steps as guards, where the number of their rounds does
   not say them: `for (i = l; i < n; i += B)` has as many rounds for all l as for l = 0. */
static const struct access *access_ended(struct analysis *analysis, const struct access *store)
{
    struct access *ended = ARENA_NEW(analysis->arena, struct access);
    const struct form **guards =
        ARENA_ARRAY(analysis->arena, const struct form *, store->n_guards + store->n_path + 1);
    *ended = *store;
    for (size_t g = 0; g < store->n_guards; g++)
        guards[g] = store->guards[g];
    for (size_t i = 0; i < store->n_path; i++) {
        int v = store->path[i].iterator;
        const struct form *room = v >= 0 ? analysis->iterators.at[v].room : NULL;
        const struct poly *least =
            room ? form_extreme(analysis, analysis->context, store, room, false) : NULL;
        if (room && !(least && context_nonnegative(analysis->context, least)))
            guards[ended->n_guards++] = room;
    }
    ended->guards = guards;
    return ended;
}

bool store_covers(struct assumptions *assumptions, const struct access *store,
                  const struct poly *const *extents, const struct form *order)
{
    struct analysis *analysis = assumptions->analysis;
    struct covering cover = {.analysis = analysis,
                             .assumptions = assumptions,
                             .access = access_ended(analysis, store)};
    bool is_diagonal = order && order->n_terms == 0 && poly_is_zero(order->constant);
    int before = assumptions->n, n_dims = is_diagonal ? 1 : store->reference.array->n_dims;
    guards_leave_out(&cover, order);
    bool covers = store->exact && !access_fresh(analysis, store) &&
                  path_is_plain(&cover, is_diagonal);
    for (int d = 0; d < n_dims && covers; d++)
        covers = dimension_covered(&cover, d, extents[d]);
    if (!covers)
        assumptions_return(assumptions, before);
    return covers;
}
