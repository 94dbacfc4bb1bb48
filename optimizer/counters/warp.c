/* Warps in the boxes of bands (warp.h). Source: spec H-24, X-07. */
#include "optimizer/counters/warp.h"

struct warp warp_new(struct scope *scope)
{
    const struct kernel *kernel = scope->kernel;
    struct warp warp = {.scope = scope, .size = scope_machine(scope, "W_B"), .n = kernel->n_block};
    warp.products[0] = poly_integer(scope->ring, 1);
    for (int i = 0; i < warp.n; i++) {
        const struct poly *extent = expr_poly(scope->ring, kernel->block[warp.n - 1 - i].extent);
        warp.products[i + 1] = poly_mul(warp.products[i], extent);
        if (!extent)
            scope->reason = "an extent of the block is no polynomial";
    }
    warp.any_size = kernel_all_strided(kernel);
    warp.n_cases = warp.any_size ? 1 : warp.n + 1;
    return warp;
}

struct sas warp_guard(const struct warp *warp, int k)
{
    struct sas guard = sas_empty(warp->scope->ring);
    struct arena *arena = warp->scope->store->ctx->arena;
    if (warp->any_size)
        return guard;
    if (k < warp->n)
        guard = sas_add(arena, guard,
                        constraint_make(warp->size, RELATION_LE, warp->products[k + 1]));
    if (k > 0)
        guard = sas_add(arena, guard, constraint_make(warp->products[k], RELATION_LT, warp->size));
    return guard;
}

/* Extent of the warp along the block's axes first … last in case k. */
static struct ratio extent_along(const struct warp *warp, int first, int last, int k)
{
    if (k > last) {
        const struct poly *product = poly_divide_exact(warp->products[last + 1],
                                                       warp->products[first]);
        return ratio_of(product);
    }
    if (k < first)
        return ratio_of(poly_integer(warp->scope->ring, 1));
    int64_t one;
    bool plain = poly_get_integer(warp->products[first], &one) && one == 1;
    return (struct ratio){warp->size, plain ? NULL : warp->products[first]};
}

/* ceil(size / extent). */
static const struct poly *rows_in(const struct warp *warp, const struct poly *extent)
{
    return scope_ceiling(warp->scope, "r", warp->size, extent);
}

/* Rows of the fastest axis that `size` consecutive points may touch: ceil((size - 1) / extent)
   + 1. */
static const struct poly *rows_most(const struct warp *warp, const struct poly *extent)
{
    const struct poly *one = poly_integer(warp->scope->ring, 1);
    struct auxiliary definition = {.numerator = poly_sub(warp->size, one),
                                   .denominator = extent,
                                   .multiple = 1};
    return poly_add(scope_auxiliary(warp->scope, "r", &definition), one);
}

struct warp_part warp_part(const struct warp *warp, const struct reach *reach, int k, bool regular)
{
    bool strided = reach->access->is_strided, whole = !strided && k == warp->n;
    struct warp_part part = {.shape = WARP_BOX,
                             .points = whole ? warp->products[warp->n] : warp->size};
    if (reach->n == 0)
        return part;
    if (reach->is_contiguous) {
        part.extents[0] = ratio_of(part.points);
        return part;
    }
    if (!strided && (regular || whole)) {
        for (int i = 0; i < reach->n; i++)
            part.extents[i] = extent_along(warp, reach->axes[i].first, reach->axes[i].last, k);
        return part;
    }
    if (strided && regular) {
        part.shape = WARP_ROWS;
        part.rows = rows_in(warp, reach->axes[0].extent);
        part.extents[0] = ratio_of(scope_ceiling(warp->scope, "w", warp->size, part.rows));
        return part;
    }
    part.shape = WARP_RUN;
    part.rows = rows_most(warp, reach->axes[0].extent);
    return part;
}

const struct poly *warp_irregularity(const struct warp *warp, const struct reach *reach, int k)
{
    struct scope *scope = warp->scope;
    const struct poly *sum = poly_integer(scope->ring, 0);
    if (reach->is_contiguous)
        return sum;
    if (reach->access->is_strided) {
        const struct poly *extent = reach->axes[0].extent, *rows = rows_in(warp, extent);
        const struct poly *divides = rows ? poly_sub(poly_mul(rows, extent), warp->size) : NULL;
        return poly_mul(divides, rest_of(scope, extent, warp->size));
    }
    if (k > 0 && k < warp->n)
        sum = poly_add(sum, rest_of(scope, warp->size, warp->products[k]));
    if (k < warp->n)
        sum = poly_add(sum, rest_of(scope, warp->products[k + 1], warp->size));
    return sum;
}

/* Warps begin at multiples of their own extent along an axis: where that is whole lines, or divides
   a line and nothing else of the row is small, they begin with a line or lie within one. So does
   the one warp that has all of the axis. */
const struct poly *warp_misalignment(const struct warp *warp, const struct reach *reach, int k,
                                     const struct poly *line)
{
    struct scope *scope = warp->scope;
    const struct poly *sum = poly_integer(scope->ring, 0);
    bool strided = reach->access->is_strided;
    if (!strided && k == warp->n)
        return sum;
    for (int i = 0; i < reach->n; i++) {
        const struct reach_axis *axis = &reach->axes[i];
        if (axis->kind != REACH_SMALL)
            continue;
        bool beyond = strided ? i > 0 : axis->first > k,
             alone = reach->n_small == 1 && reach->phase == 0;
        if (beyond && !alone)
            return NULL;
        if (beyond || (!strided && axis->last < k))
            continue;
        const struct poly *bytes = poly_mul(warp->size, poly_scale(axis->step, reach->bytes, 1));
        const struct poly *unit = strided ? line : poly_mul(line, warp->products[axis->first]);
        if (strided && !reach->is_contiguous) {
            /* Within a row warps begin at multiples of the smaller of row and warp. */
            const struct poly *part = scope_ceiling(scope, "w", warp->size,
                                                    rows_in(warp, axis->extent));
            bytes = poly_mul(part, poly_scale(axis->step, reach->bytes, 1));
        }
        const struct poly *rest = rest_of(scope, bytes, unit);
        if (!strided)
            rest = poly_mul(rest, poly_sub(warp->products[axis->last + 1], warp->size));
        sum = poly_add(sum, alone ? poly_mul(rest, rest_of(scope, unit, bytes)) : rest);
    }
    return sum;
}
