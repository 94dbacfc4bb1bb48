/* In: a kernel in banded form. Out: which global arrays every launch overwrites, and under which
   conditions on the parameters: each of their elements (as access_extent counts them) is written,
   and none is read before its own thread wrote it (prepared.c).

   One store writes everything (covering.c). Or stores share the elements (x, y) of a square by
   x - y. Guards of a store that bound x - y, x and y being its own subscripts, are left out when it
   is studied, so that it writes those elements of the square for which x - y lies in an interval;
   the intervals must leave no integer out. A store whose two subscripts are the same writes the
   diagonal. Loops whose bounds use other iterators (`j = i + 1; j < n`) are taken as longer ones
   with a guard.

   An array that is accumulated in is overwritten where its sums are started. A start or finish
   (ends.h) is looked at without the axes along which it has one point: if they have points, it is
   among these.

   What cannot be shown of all parameters is assumed where covering.c may: then the answer holds
   under these conditions. Without any is tried first. */
#include "ir/access/covering.h"

static bool is_store_of(const struct analysis *analysis, const struct access *access,
                        const struct array *array)
{
    const struct stmt *store = access->reference.store;
    if (access->reference.array != array || !store || access->unknown || store->reduction)
        return false;
    return store->end == SUM_END_START || !stmt_accumulates_in(analysis->kernel->body, array);
}

/* --- starts and finishes ---------------------------------------------------------------------- */

static bool indices_use(const struct access *access, const struct var *var)
{
    for (int d = 0; d < access->reference.array->n_dims; d++)
        if (expr_uses_var(access->indices[d], var))
            return true;
    return false;
}

/* Is the step an axis that no subscript has, or a condition on such axes? */
static bool step_is_point(const struct analysis *analysis, const struct access *access,
                          const struct path_step *step)
{
    if (step->iterator >= 0)
        return !indices_use(access, analysis->iterators.at[step->iterator].var);
    for (size_t i = 0; i < access->n_path; i++) {
        int iterator = access->path[i].iterator;
        if (iterator >= 0 && !indices_use(access, analysis->iterators.at[iterator].var) &&
            expr_uses_var(step->condition.expr, analysis->iterators.at[iterator].var))
            return true;
    }
    return false;
}

/* The start or finish without its point, which is assumed to be there: the kernel that finishes
   sums runs also where the grid is empty along their axes. NULL if that may not be assumed. */
static const struct access *end_cover(struct assumptions *assumptions, const struct access *access)
{
    struct analysis *analysis = assumptions->analysis;
    bool *dropped = ARENA_ARRAY(analysis->arena, bool, access->n_path + 1);
    for (size_t i = 0; i < access->n_path; i++) {
        int iterator = access->path[i].iterator;
        dropped[i] = step_is_point(analysis, access, &access->path[i]);
        if (!dropped[i] || iterator < 0 || analysis->iterators.at[iterator].level != LEVEL_GRID)
            continue;
        const struct form *last = analysis->iterators.at[iterator].range.hi;
        if (last && !last->n_terms && context_nonnegative(analysis->plain, last->constant))
            continue;
        if (!last || last->n_terms || !assumptions->are_allowed ||
            assumptions->n == CONDITIONS_MAX)
            return NULL;
        assumptions->at[assumptions->n++] = last->constant;
    }
    return access_cover(analysis, access, dropped);
}

/* --- squares ---------------------------------------------------------------------------------- */

enum { SHARES_MAX = 8 };

/* The elements (x, y) with least <= x - y <= most. */
struct square_share {
    int64_t least, most;
};

/* A bound that uses iterators becomes a guard, and the range one that goes beyond it by one. */
static bool bound_relax(struct analysis *analysis, const struct access *access, int iterator,
                        bool upper, const struct form **bound, const struct form **guard)
{
    const struct form *end = *bound, *own = form_iterator(analysis, iterator);
    const struct poly *last = form_extreme(analysis, analysis->context, access, end, upper);
    if (!last)
        return false;
    *guard = upper ? form_sub(analysis, end, own) : form_sub(analysis, own, end);
    *bound = form_constant(analysis,
                           poly_add(last, poly_integer(analysis->ring, upper ? 1 : -1)));
    return true;
}

/* The same store with ranges between polynomials in the parameters. */
static const struct access *access_relax(struct analysis *analysis, const struct access *access)
{
    struct access *relaxed = ARENA_NEW(analysis->arena, struct access);
    size_t room = access->n_guards + 2 * (size_t)access->n_ranges + 1;
    const struct form **guards = ARENA_ARRAY(analysis->arena, const struct form *, room);
    struct range *ranges = ARENA_ARRAY(analysis->arena, struct range,
                                       (size_t)access->n_ranges + 1);
    *relaxed = *access;
    for (size_t g = 0; g < access->n_guards; g++)
        guards[g] = access->guards[g];
    for (int v = 0; v < access->n_ranges; v++) {
        ranges[v] = access->ranges[v];
        const struct range *range = &access->ranges[v];
        if (range->lo && range->lo->n_terms &&
            bound_relax(analysis, access, v, false, &ranges[v].lo, &guards[relaxed->n_guards]))
            relaxed->n_guards++;
        if (range->hi && range->hi->n_terms &&
            bound_relax(analysis, access, v, true, &ranges[v].hi, &guards[relaxed->n_guards]))
            relaxed->n_guards++;
    }
    relaxed->guards = guards;
    relaxed->ranges = ranges;
    return relaxed;
}

/* The part of the square that the store writes; false if that is not shown. */
static bool store_share(struct assumptions *assumptions, const struct access *store,
                        const struct poly *const *extents, struct square_share *share)
{
    struct analysis *analysis = assumptions->analysis;
    const struct access *access = access_relax(analysis, store);
    const struct form *order = form_sub(analysis, access->subscripts[0], access->subscripts[1]);
    *share = (struct square_share){INT64_MIN, INT64_MAX};
    for (size_t g = 0; g < access->n_guards; g++)
        guard_bounds_order(analysis, access->guards[g], order, &share->least, &share->most);
    if (order->n_terms == 0 && poly_is_zero(order->constant))
        *share = (struct square_share){0, 0};
    return share->least <= share->most && store_covers(assumptions, access, extents, order);
}

/* Does every integer lie in a share? */
static bool shares_meet(const struct square_share *shares, int n)
{
    int64_t next = INT64_MIN;
    for (int round = 0; round < n; round++)
        for (int i = 0; i < n; i++) {
            if (shares[i].least <= next && shares[i].most == INT64_MAX)
                return true;
            if (shares[i].least <= next && shares[i].most >= next)
                next = shares[i].most + 1;
        }
    return false;
}

/* Do the stores of a square write all of it together? */
static bool square_covered(struct assumptions *assumptions, const struct array *array,
                           const struct poly *const *extents)
{
    const struct analysis *analysis = assumptions->analysis;
    struct square_share shares[SHARES_MAX];
    int n = 0, before = assumptions->n;
    if (array->n_dims != 2 || !poly_equal(extents[0], extents[1]))
        return false;
    for (size_t i = 0; i < analysis->accesses.count && n < SHARES_MAX; i++)
        n += is_store_of(analysis, analysis->accesses.at[i], array) &&
             !analysis->accesses.at[i]->end &&
             store_share(assumptions, analysis->accesses.at[i], extents, &shares[n]);
    if (shares_meet(shares, n))
        return true;
    assumptions_return(assumptions, before);
    return false;
}

/* --- arrays ----------------------------------------------------------------------------------- */

/* The extents of all dimensions; false if one is no polynomial. */
static bool extents_find(struct analysis *analysis, const struct array *array,
                         const struct poly **extents)
{
    for (int d = 0; d < array->n_dims; d++)
        if (!(extents[d] = analysis_dimension(analysis, array, d)))
            return false;
    return true;
}

static bool stores_cover(struct assumptions *assumptions, const struct array *array,
                         const struct poly *const *extents)
{
    const struct analysis *analysis = assumptions->analysis;
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *access = analysis->accesses.at[i];
        int before = assumptions->n;
        if (!is_store_of(analysis, access, array))
            continue;
        access = access->end ? end_cover(assumptions, access) : access;
        if (access && store_covers(assumptions, access, extents, NULL))
            return true;
        assumptions_return(assumptions, before);
    }
    return square_covered(assumptions, array, extents);
}

/* p >= 0 as a comparison without negative terms; NULL if it cannot be written. */
static const struct expr *condition_expr(struct analysis *analysis, const struct poly *p)
{
    const struct poly *zero = poly_integer(analysis->ring, 0), *sides[2] = {zero, zero};
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t n, d;
        unsigned exponents[RING_CAPACITY];
        if (!poly_term(p, i, &n, &d, exponents) || d != 1)
            return NULL;
        const struct poly *term = poly_integer(analysis->ring, n < 0 ? -n : n);
        for (int v = 0; v < ring_count(analysis->ring); v++)
            for (unsigned k = 0; k < exponents[v]; k++)
                term = poly_mul(term, poly_variable(analysis->ring, v));
        sides[n < 0] = poly_add(sides[n < 0], term);
    }
    const struct expr *a = expr_of_poly(analysis, sides[0], TYPE_I64),
                      *b = expr_of_poly(analysis, sides[1], TYPE_I64);
    return a && b ? expr_binary(analysis->ctx->arena, OP_GE, a, b) : NULL;
}

static struct overwriting overwriting_make(const struct assumptions *assumptions)
{
    struct arena *arena = assumptions->analysis->ctx->arena;
    struct overwriting overwriting = {.is_shown = true};
    const struct expr **conditions =
        ARENA_ARRAY(arena, const struct expr *, (size_t)assumptions->n + 1);
    for (int i = 0; i < assumptions->n && overwriting.is_shown; i++) {
        conditions[i] = condition_expr(assumptions->analysis, assumptions->at[i]);
        overwriting.is_shown = conditions[i] != NULL;
    }
    overwriting.n_conditions = (size_t)assumptions->n;
    overwriting.conditions = conditions;
    return overwriting;
}

/* Of an array without elements there is nothing to show. */
struct overwriting analysis_covered(struct analysis *analysis, const struct array *array)
{
    const struct poly *extents[AXES_MAX], *one = poly_integer(analysis->ring, 1);
    struct context *before = analysis->context;
    struct overwriting overwriting = {.is_shown = false};
    if (!extents_find(analysis, array, extents))
        return overwriting;
    struct context *known = context_extend(before);
    for (int d = 0; d < array->n_dims; d++)
        context_fact(known, poly_sub(extents[d], one));
    context_floors(known);
    struct assumptions assumptions = {.analysis = analysis, .known = known};
    analysis->context = known;
    for (int allowed = 0; allowed <= 1 && !overwriting.is_shown; allowed++) {
        assumptions.are_allowed = allowed;
        if (stores_cover(&assumptions, array, extents))
            overwriting = overwriting_make(&assumptions);
    }
    analysis->context = before;
    return overwriting;
}

struct overwriting analysis_overwritten(struct analysis *analysis, const struct array *array)
{
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *access = analysis->accesses.at[i];
        bool is_summed = access->end && access->end->end == SUM_END_FINISH &&
                         stmt_accumulates_in(analysis->kernel->body, array);
        if (access->reference.array == array && !access->reference.is_write && !is_summed &&
            !read_is_prepared(analysis, i))
            return (struct overwriting){.is_shown = false};
    }
    return analysis_covered(analysis, array);
}

void access_overwritten(struct ctx *ctx, const struct kernel *kernel,
                        struct overwriting *overwritten)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_GLOBAL)
            overwritten[i] = analysis_overwritten(analysis, kernel->arrays[i]);
    analysis_free(analysis);
}
