/* Padding: which tiles get rows of one element more.

   In: a placed kernel. Out: the names of shared arrays that threads next to each other read or
   write down a column: their step along the fastest axis of a plain band is an odd multiple of the
   row. With rows of even length their words lie in few banks; with odd length in all 32. Rows of
   certainly odd length, and elements of less than a word, stay as they are. The tiles are laid out
   anew with the longer rows (staging.c), so that offsets, shared words and dynamic bytes follow. */
#include "ir/access/list.h"
#include "optimizer/strategies/strategies.h"

/* Steps with quotients are not looked at. */
static const struct poly *no_quotient(void *state, const struct poly *numerator,
                                      const struct poly *denominator, bool nonnegative)
{
    (void)state;
    (void)numerator;
    (void)denominator;
    (void)nonnegative;
    return NULL;
}

/* Is the length odd for blocks of even extents? Its constant term decides. */
static bool row_is_odd(const struct poly *row)
{
    int64_t constant;
    const struct poly *rest = row;
    for (int v = 0; v < ring_count(poly_ring(row)); v++)
        rest = poly_coefficient(rest, v, 0);
    return poly_get_integer(rest, &constant) && constant % 2 != 0;
}

/* The step along the fastest axis of more than one thread; NULL if there is none. */
static const struct poly *fastest_step(const struct list_access *access)
{
    int64_t one;
    for (int i = access->n_axes; i-- > 0;)
        if (!access->axes[i].extent || !poly_get_integer(access->axes[i].extent, &one) || one != 1)
            return access->axes[i].coefficient;
    return NULL;
}

static bool goes_down(struct ring *ring, const struct list_access *access)
{
    const struct array *array = access->reference.array;
    if (array->space != SPACE_SHARED || array->n_dims < 2 || access->bytes < 4 ||
        access->is_strided || !access->is_affine)
        return false;
    const struct poly *step = fastest_step(access),
                      *row = expr_poly(ring, array->dims[array->n_dims - 1]);
    if (!step || !row || poly_is_zero(step) || poly_is_zero(row) || row_is_odd(row))
        return false;
    const struct poly *rows = poly_divide_exact(step, row);
    int64_t count;
    return rows && poly_get_integer(rows, &count) && count % 2 != 0;
}

size_t strategy_pad_choose(struct ctx *ctx, const struct kernel *kernel, const char *const **names)
{
    struct list_options options = {.ring = kernel->ring, .quotient = no_quotient};
    const struct list_access *list;
    size_t found = 0, count = access_list(ctx, kernel, &options, &list);
    const char **chosen = ARENA_ARRAY(ctx->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        bool known = !goes_down(kernel->ring, &list[i]);
        for (size_t k = 0; k < found && !known; k++)
            known = chosen[k] == list[i].reference.array->name;
        if (!known)
            chosen[found++] = list[i].reference.array->name;
    }
    *names = chosen;
    return found;
}
