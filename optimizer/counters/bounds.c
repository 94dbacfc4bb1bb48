/* Bounds of integer expressions as polynomials, by interval arithmetic.

   In: an expression over parameters, iterators and locals. Out: polynomials over the scope's ring
   that are never above and never below it; equal ones where the expression is a polynomial of the
   parameters and of quotients of them (which become auxiliary integers, truncated as in C where the
   dividend is not negative).
   Invariant: hi is never below a value that occurs, lo never above; exact says that both are the
   value. What is read from an array or returned by a function has no bounds. Wrap-around is taken
   not to happen, as everywhere with polynomials. */
#include "optimizer/counters/bounds.h"
#include "optimizer/counters/work.h"

static const struct bounds UNKNOWN = {NULL, NULL, false};

static struct bounds bounds_point(const struct poly *p)
{
    return (struct bounds){p, p, p != NULL};
}

static const struct poly *difference(const struct poly *p, const struct poly *q)
{
    return p && q ? poly_sub(p, q) : NULL;
}

static const struct poly *sum(const struct poly *p, const struct poly *q)
{
    return p && q ? poly_add(p, q) : NULL;
}

static const struct poly *product(const struct poly *p, const struct poly *q)
{
    return p && q ? poly_mul(p, q) : NULL;
}

static bool is_at_least_one(const struct scope *scope, const struct poly *p)
{
    return p && scope_nonnegative(scope, poly_sub(p, poly_integer(scope->ring, 1)));
}

static const struct poly *not_negative(struct scope *scope, const struct poly *p)
{
    if (!p || scope_nonnegative(scope, p))
        return p;
    return scope_quotient(scope, p, poly_integer(scope->ring, 1), false);
}

/* max(0, p / q) for q >= 1, without a quotient where there is none. */
static const struct poly *quotient(struct scope *scope, const struct poly *p, const struct poly *q)
{
    int64_t one, numerator, denominator;
    unsigned exponents[RING_CAPACITY];
    const struct poly *whole = p ? poly_divide_exact(p, q) : NULL;
    for (size_t i = 0; whole && i < poly_terms(whole); i++)
        if (!poly_term(whole, i, &numerator, &denominator, exponents) || denominator != 1)
            whole = NULL;
    if (!p || whole || (poly_get_integer(q, &one) && one == 1))
        return not_negative(scope, whole ? whole : p);
    return scope_quotient(scope, p, q, scope_nonnegative(scope, p));
}

struct bounding bounding_new(struct scope *scope)
{
    struct arena *arena = scope->store->ctx->arena;
    return (struct bounding){scope, map_new(arena), map_new(arena)};
}

void bounding_set(struct bounding *bounding, const struct var *var, struct bounds bounds)
{
    struct bounds *kept = ARENA_NEW(bounding->scope->store->ctx->arena, struct bounds);
    *kept = bounds;
    map_put_pointer(bounding->known, var, kept);
}

static struct bounds bounds_var(struct bounding *bounding, const struct var *var)
{
    const struct bounds *known = map_get_pointer(bounding->known, var);
    const struct param *param = kernel_param(bounding->scope->kernel, var->name);
    if (known)
        return *known;
    if (var->kind != VAR_PARAM || !param || param->variable < 0)
        return UNKNOWN;
    return bounds_point(
        poly_variable(bounding->scope->ring, ring_variable(bounding->scope->ring, var->name)));
}

static struct bounds bounds_product(const struct scope *scope, struct bounds a, struct bounds b)
{
    bool exact = a.exact && b.exact;
    if (exact)
        return bounds_point(product(a.lo, b.lo));
    if (a.exact && !b.exact) {
        struct bounds other = a;
        a = b;
        b = other;
    }
    if (b.exact && scope_nonnegative(scope, b.lo))
        return (struct bounds){product(a.lo, b.lo), product(a.hi, b.lo), false};
    if (b.exact && b.lo && scope_nonnegative(scope, poly_neg(b.lo)))
        return (struct bounds){product(a.hi, b.lo), product(a.lo, b.lo), false};
    if (scope_nonnegative(scope, a.lo) && scope_nonnegative(scope, b.lo))
        return (struct bounds){product(a.lo, b.lo), product(a.hi, b.hi), false};
    return UNKNOWN;
}

/* C's quotient is max(0, floor) where the dividend is not negative, and never above
   it elsewhere. */
static struct bounds bounds_quotient(struct scope *scope, struct bounds a, struct bounds b)
{
    bool positive = scope_nonnegative(scope, a.lo);
    if (!b.exact || !is_at_least_one(scope, b.lo))
        return UNKNOWN;
    const struct poly *hi = quotient(scope, a.hi, b.lo);
    if (a.exact && positive)
        return bounds_point(hi);
    return (struct bounds){positive ? quotient(scope, a.lo, b.lo) : NULL, hi, false};
}

static struct bounds bounds_remainder(struct scope *scope, struct bounds a, struct bounds b)
{
    const struct poly *zero = poly_integer(scope->ring, 0), *one = poly_integer(scope->ring, 1);
    if (!b.exact || !is_at_least_one(scope, b.lo))
        return UNKNOWN;
    if (a.exact && scope_nonnegative(scope, a.lo))
        return bounds_point(difference(a.lo, product(b.lo, quotient(scope, a.lo, b.lo))));
    return (struct bounds){scope_nonnegative(scope, a.lo) ? zero : NULL, poly_sub(b.lo, one),
                           false};
}

static struct bounds bounds_shift(const struct scope *scope, struct bounds a, const struct expr *by)
{
    int64_t shift;
    if (!expr_get_integer(by, &shift) || shift < 0 || shift > 31)
        return UNKNOWN;
    return bounds_product(scope, a, bounds_point(poly_integer(scope->ring, (int64_t)1 << shift)));
}

static struct bounds bounds_binary(struct bounding *bounding, const struct expr *e)
{
    struct scope *scope = bounding->scope;
    if (op_is_comparison(e->op) || e->op == OP_LAND || e->op == OP_LOR)
        return (struct bounds){poly_integer(scope->ring, 0), poly_integer(scope->ring, 1), false};
    struct bounds a = bounds_of(bounding, e->arguments[0]),
                  b = bounds_of(bounding, e->arguments[1]);
    switch (e->op) {
    case OP_ADD: return (struct bounds){sum(a.lo, b.lo), sum(a.hi, b.hi), a.exact && b.exact};
    case OP_SUB:
        return (struct bounds){difference(a.lo, b.hi), difference(a.hi, b.lo), a.exact && b.exact};
    case OP_MUL: return bounds_product(scope, a, b);
    case OP_DIV: return bounds_quotient(scope, a, b);
    case OP_REM: return bounds_remainder(scope, a, b);
    case OP_SHL: return bounds_shift(scope, a, e->arguments[1]);
    default: return UNKNOWN;
    }
}

/* Of `a < b ? a : b` each operand is an upper bound; of others the larger one. */
static struct bounds bounds_select(struct bounding *bounding, const struct expr *e)
{
    const struct expr *c = e->arguments[0], *x = e->arguments[1], *y = e->arguments[2];
    struct bounds a = bounds_of(bounding, x), b = bounds_of(bounding, y), result = UNKNOWN;
    bool less = c->kind == EXPR_BINARY && (c->op == OP_LT || c->op == OP_LE);
    if (less && expr_equal(c->arguments[0], x) && expr_equal(c->arguments[1], y))
        result.hi = b.exact || !a.hi ? b.hi : a.hi;
    else
        result.hi = a.hi && b.hi ? poly_maximum(a.hi, b.hi) : NULL;
    if (a.lo && b.lo)
        result.lo = poly_neg(poly_maximum(poly_neg(a.lo), poly_neg(b.lo)));
    return result;
}

struct bounds bounds_of(struct bounding *bounding, const struct expr *e)
{
    int64_t value;
    struct bounds a;
    if (type_is_floating(e->type))
        return UNKNOWN;
    switch (e->kind) {
    case EXPR_INTEGER:
        return expr_get_integer(e, &value)
                   ? bounds_point(poly_integer(bounding->scope->ring, value))
                   : UNKNOWN;
    case EXPR_VAR: return bounds_var(bounding, e->var);
    case EXPR_CAST: return bounds_of(bounding, e->arguments[0]);
    case EXPR_UNARY:
        a = e->op == OP_NEG ? bounds_of(bounding, e->arguments[0]) : UNKNOWN;
        return (struct bounds){a.hi ? poly_neg(a.hi) : NULL, a.lo ? poly_neg(a.lo) : NULL, a.exact};
    case EXPR_BINARY: return bounds_binary(bounding, e);
    case EXPR_SELECT: return bounds_select(bounding, e);
    default: return UNKNOWN;
    }
}

static const struct expr *without_casts(const struct expr *e)
{
    return e->kind == EXPR_CAST && !type_is_floating(e->arguments[0]->type)
               ? without_casts(e->arguments[0])
               : e;
}

/* A quotient that is the whole extent is exact also where the dividend may be negative: no points
   then, as with C's. */
struct bounds bounds_extent(struct bounding *bounding, const struct expr *e)
{
    struct scope *scope = bounding->scope;
    struct bounds extent = bounds_of(bounding, e);
    const struct expr *bare = without_casts(e);
    if (!extent.exact && bare->kind == EXPR_BINARY && bare->op == OP_DIV) {
        struct bounds a = bounds_of(bounding, bare->arguments[0]),
                      b = bounds_of(bounding, bare->arguments[1]);
        if (a.exact && b.exact && is_at_least_one(scope, b.lo))
            return bounds_point(quotient(scope, a.lo, b.lo));
    }
    extent.hi = not_negative(scope, extent.hi);
    extent.lo = extent.exact ? extent.hi : NULL;
    return extent;
}

struct bounds bounds_trip(struct bounding *bounding, const struct stmt *loop,
                          struct bounds *variable)
{
    struct scope *scope = bounding->scope;
    const struct poly *one = poly_integer(scope->ring, 1);
    struct bounds from = bounds_of(bounding, loop->from), to = bounds_of(bounding, loop->to);
    struct bounds step = bounds_of(bounding, loop->step), trip = UNKNOWN;
    int64_t zero;
    *variable = (struct bounds){from.lo, difference(to.hi, one), false};
    const struct expr *most = expr_beyond(loop->from, loop->to);
    if (!step.exact || !is_at_least_one(scope, step.lo))
        return trip;
    if (most && poly_equal(step.lo, one))
        return (struct bounds){NULL, bounds_extent(bounding, most).hi, false};
    if (!from.lo)
        return trip;
    if (from.exact && poly_get_integer(from.lo, &zero) && zero == 0 && poly_equal(step.lo, one))
        return bounds_extent(bounding, loop->to);
    trip.hi = quotient(scope, sum(difference(to.hi, from.lo), difference(step.lo, one)), step.lo);
    trip.exact = from.exact && to.exact && trip.hi;
    trip.lo = trip.exact ? trip.hi : NULL;
    return trip;
}

struct bounds bounds_iterator(struct bounding *bounding, struct bounds extent)
{
    struct ring *ring = bounding->scope->ring;
    return (struct bounds){poly_integer(ring, 0), difference(extent.hi, poly_integer(ring, 1)),
                           false};
}
