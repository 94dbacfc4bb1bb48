/* In: a kernel in banded form. Out: which global arrays every launch overwrites: each of their
   elements (as access_extent counts them) is written, and none is read before it was.

   One store must write everything. Its subscript in a dimension of extent E is cut into parts, a
   part being the iterators that guards join (or a single one). The values of a part are
   base + stride * d without gaps, as in digits.c, where each weight is at most the number of values
   so far. A guard of the part must be a function of its value alone, so that it cuts the range of d
   at one end and leaves no hole: i = g*B + l under i < n has exactly the values 0 … n - 1. Parts
   join in the same way, and the whole must reach from 0 to E - 1. Iterators of different dimensions
   differ, loops around the store run at least once, and nothing else decides whether it is made. Or
   two stores write the halves of a square: a[i][j] and a[j][i] under i <= j, where one would write
   everything without this guard.

   A read is made after a write of its element if a store with the same subscripts stands before it
   in the same iteration of the same loops: then its own thread has written what it reads. */
#include "ir/access/footprint.h"

/* base + stride * d for every d from 0 to span. */
struct stretch {
    const struct poly *base, *stride, *span;
};

enum { PART_TERMS = 8 };

struct covering {
    struct analysis *analysis;
    const struct access *access;
    const struct form *subscript, *skipped;   /* a guard that is left out; NULL = none */
    int groups[PART_TERMS];           /* by term of the subscript */
};

/* --- whether the store is made ---------------------------------------------------------------- */

static int dimensions_with(const struct access *access, int iterator)
{
    int n = 0;
    for (int d = 0; d < access->reference.array->n_dims; d++)
        n += form_coefficient(access->subscripts[d], iterator) != NULL;
    return n;
}

/* Both ends are polynomials in the parameters, and the loop runs. */
static bool range_runs(const struct analysis *analysis, const struct range *range)
{
    return range->lo && range->hi && range->lo->n_terms == 0 && range->hi->n_terms == 0 &&
           context_at_least(analysis->context, range->hi->constant, range->lo->constant);
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

/* The path holds loops that run and conditions that guards and facts say wholly. */
static bool path_is_plain(const struct analysis *analysis, const struct access *access,
                          const struct form *skipped)
{
    for (size_t i = 0; i < access->n_path; i++) {
        const struct path_step *step = &access->path[i];
        if (step->iterator < 0 ? !step->condition.affine
                               : !range_runs(analysis, &access->ranges[step->iterator]) ||
                                     dimensions_with(access, step->iterator) > 1)
            return false;
    }
    for (size_t i = 0; i < access->n_facts; i++)
        if (!context_nonnegative(analysis->context, access->facts[i]))
            return false;
    for (size_t i = 0; i < access->n_guards; i++)
        if (access->guards[i] != skipped && !guard_has_dimension(access, access->guards[i]))
            return false;
    return true;
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
        if (cover->access->guards[g] == cover->skipped)
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

/* Takes `more` into the sum, whose values have no gap, if none arises. */
static bool part_absorb(const struct analysis *analysis, struct stretch *sum,
                        const struct stretch *more)
{
    const struct poly *weight = poly_multiple(more->stride, sum->stride);
    const struct poly *one = poly_integer(analysis->ring, 1);
    if (!weight || !context_at_least(analysis->context, poly_add(sum->span, one), weight))
        return false;
    sum->base = poly_add(sum->base, more->base);
    sum->span = poly_add(sum->span, poly_mul(weight, more->span));
    return true;
}

/* The sum of all parts beginning with parts[first]; false if it has gaps. */
static bool parts_add(const struct analysis *analysis, const struct stretch *parts, int n,
                      int first,
                      struct stretch *sum)
{
    bool done[PART_TERMS] = {false};
    *sum = parts[first];
    done[first] = true;
    for (int left = n - 1; left > 0;) {
        int before = left;
        for (int i = 0; i < n; i++)
            if (!done[i] && part_absorb(analysis, sum, &parts[i])) {
                done[i] = true;
                left--;
            }
        if (left == before)
            return false;
    }
    return true;
}

static bool parts_join(const struct analysis *analysis, const struct stretch *parts, int n,
                       struct stretch *sum)
{
    for (int first = 0; first < n; first++)
        if (parts_add(analysis, parts, n, first, sum))
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
    if (!parts_join(cover->analysis, parts, n, part))
        return false;
    for (size_t g = 0; g < cover->access->n_guards; g++) {
        const struct form *guard = cover->access->guards[g];
        bool is_lower;
        if (guard == cover->skipped || !guard_is_of(cover, guard, group))
            continue;
        const struct poly *bound = guard_bound(cover, guard, group, &is_lower);
        if (!bound || !part_cut(cover, part, bound, is_lower))
            return false;
    }
    return true;
}

/* Does the subscript take every value from 0 to extent - 1? */
static bool dimension_covered(struct analysis *analysis, const struct access *access, int d,
                              const struct poly *extent, const struct form *skipped)
{
    struct covering cover = {.analysis = analysis,
                          .access = access,
                          .subscript = access->subscripts[d],
                          .skipped = skipped};
    const struct poly *one = poly_integer(analysis->ring, 1);
    struct stretch parts[PART_TERMS + 1], sum;
    int n = 0;
    if (cover.subscript->n_terms > PART_TERMS - 1)
        return false;
    groups_make(&cover);
    for (int i = 0; i < cover.subscript->n_terms; i++)
        if (cover.groups[i] == i && !part_make(&cover, i, &parts[n++]))
            return false;
    parts[n++] = (struct stretch){cover.subscript->constant, one, poly_integer(analysis->ring, 0)};
    if (!parts_add(analysis, parts, n, n - 1, &sum))
        return false;
    const struct poly *last = poly_add(sum.base, sum.span);
    return context_nonnegative(analysis->context, poly_neg(sum.base)) &&
           context_at_least(analysis->context, poly_add(last, one), extent);
}

/* --- arrays ----------------------------------------------------------------------------------- */

static bool step_equal(const struct path_step *a, const struct path_step *b)
{
    if (a->iterator >= 0 || b->iterator >= 0)
        return a->iterator == b->iterator;
    return a->condition.kind != CONDITION_OPAQUE &&
           a->condition.negated == b->condition.negated && a->condition.expr &&
           b->condition.expr && expr_equal(a->condition.expr, b->condition.expr);
}

/* The extent of a dimension as a polynomial, as access_extent has it wherever anything is launched;
   NULL if it is none. */
static const struct poly *extent_poly(struct analysis *analysis, const struct array *array, int d)
{
    const struct expr *e = array->dims[d];
    if (!e && d == 0) {
        analysis_assume(analysis);
        e = analysis_rows(analysis, analysis->context, array, NULL, TYPE_I64);
    }
    const struct form *form = e ? form_of(analysis, e) : NULL;
    return form && form->n_terms == 0 ? form->constant : NULL;
}

/* The extents of all dimensions; false if one is no polynomial. */
static bool extents_find(struct analysis *analysis, const struct array *array,
                         const struct poly **extents)
{
    for (int d = 0; d < array->n_dims; d++)
        if (!(extents[d] = extent_poly(analysis, array, d)))
            return false;
    return true;
}

/* `skipped`: as if the store stood without this guard. */
static bool store_covers(struct analysis *analysis, const struct access *access,
                         const struct poly *const *extents, const struct form *skipped)
{
    if (access->unknown || !access->exact || access_fresh(analysis, access) ||
        !path_is_plain(analysis, access, skipped))
        return false;
    for (int d = 0; d < access->reference.array->n_dims; d++)
        if (!dimension_covered(analysis, access, d, extents[d], skipped))
            return false;
    return true;
}

static bool is_store_of(const struct access *access, const struct array *array)
{
    return access->reference.array == array && access->reference.is_write && !access->unknown;
}

static bool paths_equal(const struct access *a, const struct access *b)
{
    bool equal = a->n_path == b->n_path;
    for (size_t i = 0; i < a->n_path && equal; i++)
        equal = step_equal(&a->path[i], &b->path[i]);
    return equal;
}

/* Is there a store of the transposed element wherever this one is made? */
static bool store_is_mirrored(const struct analysis *analysis, const struct access *access)
{
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *other = analysis->accesses.at[i];
        if (is_store_of(other, access->reference.array) && paths_equal(access, other) &&
            form_equal(access->subscripts[0], other->subscripts[1]) &&
            form_equal(access->subscripts[1], other->subscripts[0]))
            return true;
    }
    return false;
}

/* Does the store write one half of the square, the diagonal with it, and another store the
   other? */
static bool store_halves(struct analysis *analysis, const struct access *access,
                         const struct poly *const *extents)
{
    if (access->reference.array->n_dims != 2 || !poly_equal(extents[0], extents[1]) ||
        !store_is_mirrored(analysis, access))
        return false;
    const struct form *order = form_sub(analysis, access->subscripts[0], access->subscripts[1]);
    const struct form *other = form_sub(analysis, access->subscripts[1], access->subscripts[0]);
    for (size_t g = 0; g < access->n_guards; g++)
        if ((form_equal(access->guards[g], order) || form_equal(access->guards[g], other)) &&
            store_covers(analysis, access, extents, access->guards[g]))
            return true;
    return false;
}

/* Do stores write the whole array? Of an array without elements there is nothing to show. */
static bool array_covered(struct analysis *analysis, const struct array *array)
{
    const struct poly *extents[AXES_MAX], *one = poly_integer(analysis->ring, 1);
    struct context *known = analysis->context;
    bool is_covered = false;
    if (!extents_find(analysis, array, extents))
        return false;
    analysis->context = context_extend(known);
    for (int d = 0; d < array->n_dims; d++)
        context_fact(analysis->context, poly_sub(extents[d], one));
    context_floors(analysis->context);
    for (size_t i = 0; i < analysis->accesses.count && !is_covered; i++) {
        const struct access *access = analysis->accesses.at[i];
        is_covered = is_store_of(access, array) && (store_covers(analysis, access, extents, NULL) ||
                                                    store_halves(analysis, access, extents));
    }
    analysis->context = known;
    return is_covered;
}

/* Is `store`, which stands before `read`, made whenever `read` is, by the same thread on the same
   element? */
static bool store_precedes(const struct access *store, const struct access *read)
{
    if (store->reference.array != read->reference.array || !store->reference.is_write ||
        !store->band || store->band != read->band || store->unknown || read->unknown ||
        store->n_path > read->n_path)
        return false;
    for (size_t i = 0; i < store->n_path; i++)
        if (!step_equal(&store->path[i], &read->path[i]))
            return false;
    for (int d = 0; d < read->reference.array->n_dims; d++)
        if (!form_equal(store->subscripts[d], read->subscripts[d]))
            return false;
    return true;
}

static bool read_is_prepared(const struct analysis *analysis, size_t read)
{
    for (size_t i = 0; i < read; i++)
        if (store_precedes(analysis->accesses.at[i], analysis->accesses.at[read]))
            return true;
    return false;
}

bool analysis_overwritten(struct analysis *analysis, const struct array *array)
{
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *access = analysis->accesses.at[i];
        if (access->reference.array == array && !access->reference.is_write &&
            !read_is_prepared(analysis, i))
            return false;
    }
    return array_covered(analysis, array);
}

void access_overwritten(struct ctx *ctx, const struct kernel *kernel, bool *overwritten)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    for (int i = 0; i < kernel->n_arrays; i++)
        overwritten[i] = kernel->arrays[i]->space == SPACE_GLOBAL &&
                         analysis_overwritten(analysis, kernel->arrays[i]);
    analysis_free(analysis);
}
