/* Device memory: 4-byte words of the region's arrays on each device. In: a leaf's kernels. Out:
   of one device all of the arrays; of several the windows of the arrays, the elements that a
   device's blocks touch in all launches: q = ceil(extent/N_D) blocks of the axis that is cut reach
   over r = step*q + to - from subscripts of an array by its rows (ir/access/rows.h), and at most
   over all that there are. Launches of equal extents give a device the same blocks, so that their
   rows count together. An array has its whole size where the elements are no one range, where a
   launch of the leaf is not cut, where launches of other extents touch it, and where two of its
   rows cannot be compared. The leaf of last resort asks for nothing: a run refuses what fits
   nowhere (runtime/room.c). */
#include "ir/access/rows.h"
#include "optimizer/counters/scope.h"
#include <string.h>

/* A launch that is cut. */
struct launch_parts {
    const struct kernel *kernel;
    const struct part_rows *rows;
    const struct expr *extent;           /* of the axis */
};

/* The elements that a device needs of an array: subscripts of one dimension, from step*f + from
   below step*t + to, and all that lies inside it. */
struct array_window {
    const struct array *array;
    const struct launch_parts *launch;   /* its first launch */
    const struct part_row *first;        /* its first row; NULL = no element is needed */
    const struct poly *step, *from, *to; /* over the scope's ring */
    bool is_whole;
};

/* --- whole arrays ----------------------------------------------------------------------------- */

/* The extent of a dimension of a region's array, over the ring of one of its kernels: where it is
   not declared, the subscripts that the region may touch, for which the runtime has memory. NULL:
   the extent is not known, or no polynomial. */
static const struct poly *dimension_extent(const struct search_space *space,
                                           const struct kernel *kernel, const struct array *array,
                                           int d)
{
    const struct expr *extent = array->dims[d]
                                    ? array->dims[d]
                                    : access_dimension(space->ctx, space->region->kernel, array, d);
    return extent ? kernel_poly(kernel, extent) : NULL;
}

/* Words of the dimensions from `first` on; NULL as above. */
static const struct poly *inner_words(const struct search_space *space, const struct kernel *kernel,
                                      const struct array *array, int first)
{
    const struct poly *words = poly_scale(poly_integer(kernel->ring, 1),
                                          (int64_t)type_bytes(array->element), 4);
    for (int d = first; d < array->n_dims && words; d++) {
        const struct poly *extent = dimension_extent(space, kernel, array, d);
        words = extent ? poly_mul(words, extent) : NULL;
    }
    return words;
}

/* All arrays of the region; NULL without a polynomial for each. */
static const struct poly *region_words(const struct search_space *space)
{
    const struct kernel *kernel = space->region->kernel;
    const struct poly *sum = poly_integer(kernel->ring, 0);
    for (int i = 0; i < kernel->n_arrays && sum; i++) {
        if (kernel->arrays[i]->space != SPACE_GLOBAL)
            continue;
        const struct poly *words = inner_words(space, kernel, kernel->arrays[i], 0);
        sum = words ? poly_add(sum, words) : NULL;
    }
    return sum;
}

/* Has an array of the region no declared length? The bound of its subscripts may be larger than
   what the region touches. */
static bool region_is_open(const struct search_space *space)
{
    const struct kernel *kernel = space->region->kernel;
    bool is_open = false;
    for (int i = 0; i < kernel->n_arrays && !is_open; i++)
        is_open = kernel->arrays[i]->space == SPACE_GLOBAL && kernel->arrays[i]->n_dims &&
                  !kernel->arrays[i]->dims[0];
    return is_open;
}

bool device_words_concerns(const struct search_space *space)
{
    return !space->options->golden && space->ctx->tells_parts && region_words(space);
}

struct counter_value counter_device_words(struct store *store, const struct kernel *kernel)
{
    const struct poly *words = region_words(store->space);
    if (kernel_all_strided(kernel))
        return value_constant(store, 0, COUNTER_EXACT);
    if (words)
        return value_poly(store, words, region_is_open(store->space) ? COUNTER_UPPER
                                                                     : COUNTER_EXACT);
    diag_error(store->ctx, store->space->region->loc,
               "the size of an array is no polynomial in the parameters");
    return (struct counter_value){.count = 0};
}

/* --- windows ---------------------------------------------------------------------------------- */

/* The lesser and the greater of two polynomials that differ by a number. False: they do not. */
static bool bounds_widen(struct array_window *window, const struct poly *from,
                         const struct poly *to)
{
    int64_t earlier, later;
    if (!from || !to || !poly_get_integer(poly_sub(window->from, from), &earlier) ||
        !poly_get_integer(poly_sub(to, window->to), &later))
        return false;
    window->from = earlier > 0 ? from : window->from;
    window->to = later > 0 ? to : window->to;
    return true;
}

static bool outer_equal(const struct part_row *a, const struct part_row *b)
{
    bool equal = a->dimension == b->dimension;
    for (int d = 0; d < a->dimension && equal; d++)
        equal = a->outer[d] && b->outer[d] && expr_equal(a->outer[d], b->outer[d]);
    return equal;
}

static const struct poly *moved_poly(const struct scope *scope, const struct kernel *kernel,
                                   const struct expr *e)
{
    const struct poly *p = kernel_poly(kernel, e);
    return p ? scope_moved(scope, p) : NULL;
}

static void window_begin(const struct scope *scope, struct array_window *window,
                         const struct launch_parts *launch, const struct part_row *row)
{
    window->launch = launch;
    window->first = row;
    window->is_whole |= row->dimension < 0 || !outer_equal(row, row);
    if (window->is_whole)
        return;
    window->step = moved_poly(scope, launch->kernel, row->step);
    window->from = moved_poly(scope, launch->kernel, row->from);
    window->to = moved_poly(scope, launch->kernel, row->to);
    window->is_whole = !window->step || !window->from || !window->to;
}

/* Is a the same number as b, quotients and products included? */
static bool extents_equal(const struct scope *scope, const struct kernel *x, const struct expr *a,
                          const struct kernel *y, const struct expr *b)
{
    const struct poly *p = moved_poly(scope, x, a), *q = moved_poly(scope, y, b);
    if (p || q)
        return p && q && poly_equal(p, q);
    return a->kind == EXPR_BINARY && b->kind == EXPR_BINARY && a->op == b->op &&
           extents_equal(scope, x, a->arguments[0], y, b->arguments[0]) &&
           extents_equal(scope, x, a->arguments[1], y, b->arguments[1]);
}

/* Has a device the same blocks of both launches? */
static bool shares_equal(const struct scope *scope, const struct launch_parts *a,
                         const struct launch_parts *b)
{
    return a == b || extents_equal(scope, a->kernel, a->extent, b->kernel, b->extent);
}

/* The window takes in another row of its array. */
static void window_add(const struct scope *scope, struct array_window *window,
                       const struct launch_parts *launch, const struct part_row *row)
{
    const struct kernel *kernel = launch->kernel;
    if (!window->first) {
        window_begin(scope, window, launch, row);
        return;
    }
    if (window->is_whole)
        return;
    bool compares = outer_equal(row, window->first) && shares_equal(scope, launch, window->launch);
    const struct poly *step = compares ? moved_poly(scope, kernel, row->step) : NULL;
    window->is_whole = !step || !poly_equal(step, window->step) ||
                       !bounds_widen(window, moved_poly(scope, kernel, row->from),
                                     moved_poly(scope, kernel, row->to));
}

/* ceil(floor(a/b)/N_D) = ceil((a - b + 1)/(b*N_D)) over the scope's ring, at least 1; NULL without
   room. */
static const struct poly *share_of(struct scope *scope, const struct poly *a, const struct poly *b)
{
    struct ring *ring = poly_ring(a);
    const struct poly *least = poly_add(poly_sub(a, b), poly_integer(ring, 1));
    const struct poly *numerator = scope_moved(scope, least), *one = poly_integer(scope->ring, 1);
    bool is_positive = scope_nonnegative(scope, poly_sub(numerator, one));
    struct auxiliary q = {.numerator = numerator,
                          .denominator = poly_mul(scope_moved(scope, b),
                                                  scope_machine(scope, "N_D")),
                          .multiple = 1,
                          .floor = 1,
                          .least = is_positive ? 1 : INT64_MIN};
    return scope_auxiliary(scope, "q", &q);
}

/* The most blocks that one of N_D devices gets of the axis: of extents a and a/b, and at most m
   times as many of the extent m*(a/b). NULL for other extents, or without room. */
static const struct poly *blocks_most(struct scope *scope, const struct kernel *kernel,
                                      const struct expr *extent)
{
    const struct poly *a = kernel_poly(kernel, extent);
    if (a)
        return share_of(scope, a, poly_integer(kernel->ring, 1));
    if (extent->kind != EXPR_BINARY || (extent->op != OP_DIV && extent->op != OP_MUL))
        return NULL;
    const struct poly *left = kernel_poly(kernel, extent->arguments[0]);
    const struct poly *right = kernel_poly(kernel, extent->arguments[1]);
    if (extent->op == OP_DIV)
        return left && right ? share_of(scope, left, right) : NULL;
    const struct expr *quotient = left ? extent->arguments[1] : extent->arguments[0];
    const struct poly *factor = left ? left : right;
    const struct poly *most = factor ? blocks_most(scope, kernel, quotient) : NULL;
    return most ? poly_mul(scope_moved(scope, factor), most) : NULL;
}

/* Words of the window; NULL without room. */
static const struct poly *window_words(struct scope *scope, const struct array_window *window)
{
    const struct launch_parts *launch = window->launch;
    const struct search_space *space = scope->store->space;
    int d = window->first ? window->first->dimension : 0;
    if (!window->first)
        return poly_integer(scope->ring, 0);
    if (window->is_whole)
        return scope_moved(scope, inner_words(space, launch->kernel, window->array, 0));
    const struct poly *q = blocks_most(scope, launch->kernel, launch->extent);
    if (!q)
        return NULL;
    const struct poly *beyond = poly_sub(window->to, window->from);
    const struct poly *reach = poly_add(poly_mul(window->step, q), beyond);
    const struct poly *extent = dimension_extent(space, launch->kernel, window->array, d);
    struct auxiliary rows = {.numerator = reach,
                             .denominator = poly_integer(scope->ring, 1),
                             .multiple = 1,
                             .cap = extent ? scope_moved(scope, extent) : NULL};
    const struct poly *r = scope_auxiliary(scope, "r", &rows);
    const struct poly *inner = scope_moved(scope, inner_words(space, launch->kernel,
                                                              window->array, d + 1));
    return r && inner ? poly_mul(r, inner) : NULL;
}

static struct array_window window_of(const struct scope *scope,
                                     const struct launch_parts *launches, int count,
                                     const struct array *array)
{
    struct array_window window = {.array = array};
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < launches[i].rows->count; k++)
            if (strcmp(launches[i].rows->at[k].array->name, array->name) == 0)
                window_add(scope, &window, &launches[i], &launches[i].rows->at[k]);
    return window;
}

/* All windows of the leaf. */
static const struct poly *windows_words(struct scope *scope, const struct launch_parts *launches,
                                        int count)
{
    const struct kernel *region = scope->store->space->region->kernel;
    const struct poly *sum = poly_integer(scope->ring, 0);
    for (int i = 0; i < region->n_arrays && sum; i++) {
        if (region->arrays[i]->space != SPACE_GLOBAL)
            continue;
        struct array_window window = window_of(scope, launches, count, region->arrays[i]);
        const struct poly *words = window_words(scope, &window);
        sum = words ? poly_add(sum, words) : NULL;
    }
    return sum;
}

/* False: the launch runs whole. */
static bool launch_parts_find(struct store *store, const struct kernel *kernel,
                       struct launch_parts *launch)
{
    struct part_cut *cut = ARENA_NEW(store->ctx->arena, struct part_cut);
    *cut = access_cut(store->ctx, kernel, store->space->region->kernel);
    if (!cut->is_cut)
        return false;
    const struct part_rows *rows = &cut->axes[cut->taken];
    *launch = (struct launch_parts){kernel, rows, kernel->grid[rows->axis].extent};
    return true;
}

struct counter_value device_words_parted(struct store *store, const struct part_list *parts)
{
    const struct kernel *first = parts->at[0]->kernel;
    struct launch_parts launches[PARTS_MOST];
    struct scope scope = scope_new(store, first, COUNTER_DEVICE_WORDS);
    struct counter_piece *piece = ARENA_NEW(store->ctx->arena, struct counter_piece);
    bool are_cut = true;
    for (int i = 0; i < parts->count && are_cut; i++)
        are_cut = launch_parts_find(store, parts->at[i]->kernel, &launches[i]);
    const struct poly *words = are_cut ? windows_words(&scope, launches, parts->count) : NULL;
    if (!words)
        return counter_device_words(store, first);
    *piece = (struct counter_piece){.guard = sas_empty(scope.ring),
                                    .numerator = words,
                                    .exactness = COUNTER_UPPER};
    return scope_value(&scope, 1, piece);
}
