/* The sums of a kernel and their forms.

   In: a banded kernel with accumulating stores. Out: for each array that is summed, by which axes
   of grid and block its subscripts tell elements apart. A sum has a form with a tree if all its
   accumulations have one list of subscripts, over parameters and axes alone: then an element is the
   same over the rounds of all loops, and over the points of the axes that are missing. A plain
   store behind the tree also needs that no two of the remaining points have one element, which is
   asked of the proofs of legality for a kernel that has nothing but this store. All other sums of
   32-bit integers are made of atomic operations, and those of other types keep their order.

   Where a grid axis is missing in all sums that lack any, the number of blocks along it is fixed:
   then an element has so many parts, however many points there are. */
#include "ir/access/sums.h"
#include "base/vec.h"
#include "ir/names.h"
#include "ir/reduction.h"
#include "ir/walk.h"

/* An integer local or the variable of a band's axis, and the expression over axes and parameters
   that it stands for. */
struct axis_value {
    const struct var *var;
    const struct expr *value;
};

struct sums_search {
    struct ctx *ctx;
    struct arena *arena;
    const struct kernel *kernel;
    const struct array *array;               /* whose sum is looked for */
    VEC(struct axis_value) values;
    bool in_strided;
    enum reduce_op reduction;
    const struct expr *const *subscripts;    /* of the first accumulation */
    bool differs;                            /* they are not fixed, or there are others */
};

/* --- subscripts ------------------------------------------------------------------------------- */

static const struct expr *axis_value(void *state, const struct var *var)
{
    const struct sums_search *search = state;
    for (size_t i = search->values.count; i-- > 0;)
        if (search->values.at[i].var == var)
            return search->values.at[i].value;
    return NULL;
}

static int axis_find(const struct axis *axes, int n, const struct var *var)
{
    for (int i = 0; i < n; i++)
        if (axes[i].var == var)
            return i;
    return -1;
}

/* Is e made of parameters and axes alone? */
static bool is_fixed(const struct sums_search *search, const struct expr *e)
{
    const struct kernel *k = search->kernel;
    struct expr_walk walk;
    for (const struct expr *at = expr_first(&walk, search->arena, e); at; at = expr_next(&walk)) {
        if (at->kind == EXPR_LOAD || at->kind == EXPR_CALL)
            return false;
        if (at->kind == EXPR_VAR && at->var->kind != VAR_PARAM &&
            axis_find(k->grid, k->n_grid, at->var) < 0 &&
            axis_find(k->block, k->n_block, at->var) < 0)
            return false;
    }
    return true;
}

static void accumulation_see(struct sums_search *search, const struct stmt *s)
{
    int n = search->array->n_dims;
    const struct expr **subscripts = ARENA_ARRAY(search->arena, const struct expr *, n);
    for (int i = 0; i < n; i++) {
        subscripts[i] = expr_substitute(search->arena, s->indices[i], axis_value, search);
        search->differs |= !is_fixed(search, subscripts[i]);
    }
    search->differs |= search->in_strided ||
                       (search->subscripts && !exprs_equal(search->subscripts, subscripts, n));
    search->reduction = s->reduction;
    search->subscripts = subscripts;
}

static void value_add(struct sums_search *search, const struct var *var, const struct expr *value)
{
    vec_push(search->arena, &search->values, ((struct axis_value){var, value}));
}

static void band_see(struct sums_search *search, const struct stmt *band)
{
    search->in_strided = band->strided;
    if (band->strided)
        return;
    for (int i = 0; i < band->n_axes; i++)
        value_add(search, band->axes[i].var,
                  expr_var(search->arena, search->kernel->block[i].var));
}

static void sums_see(struct sums_search *search, const struct stmt *s)
{
    const struct kernel *k = search->kernel;
    if (s->kind == STMT_LET && s->value && !type_is_floating(s->var->type) &&
        !stmt_sets_var(k->body, s->var))
        value_add(search, s->var, expr_substitute(search->arena, s->value, axis_value, search));
    if (s->kind == STMT_BAND)
        band_see(search, s);
    if (s->kind == STMT_STORE && s->reduction && s->array == search->array)
        accumulation_see(search, s);
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            sums_see(search, s->children[i]);
}

/* --- elements --------------------------------------------------------------------------------- */

/* The extents of the array, an open first one as far as the kernel reaches; NULL if nothing tells
   how far. */
static const struct expr *const *dims_find(struct ctx *ctx, const struct kernel *kernel,
                                           const struct array *array)
{
    const struct expr **dims = ARENA_ARRAY(ctx->arena, const struct expr *, array->n_dims);
    for (int i = 0; i < array->n_dims; i++)
        dims[i] = array->dims[i];
    if (dims[0])
        return dims;
    dims[0] = access_extent(ctx, kernel, array);
    for (int i = 1; dims[0] && i < array->n_dims; i++)
        dims[0] = expr_binary(ctx->arena, OP_DIV, dims[0], dims[i]);
    return dims[0] ? dims : NULL;
}

/* Is e plainly not negative? */
static bool is_natural(const struct kernel *kernel, const struct expr *e)
{
    const struct param *param;
    switch (e->kind) {
    case EXPR_INTEGER: return e->integer >= 0;
    case EXPR_CAST: return is_natural(kernel, e->arguments[0]);
    case EXPR_VAR:
        param = e->var->kind == VAR_PARAM ? kernel_param(kernel, e->var->name) : NULL;
        return e->var->kind == VAR_ITERATOR || (param && param->has_lo && param->lo >= 0);
    case EXPR_BINARY:
        return (e->op == OP_ADD || e->op == OP_MUL || e->op == OP_DIV) &&
               is_natural(kernel, e->arguments[0]) && is_natural(kernel, e->arguments[1]);
    default: return false;
    }
}

const struct expr *sum_inside(struct arena *arena, const struct kernel *kernel,
                              const struct sum *sum)
{
    const struct expr *inside = NULL;
    int64_t value, extent;
    for (int i = 0; i < sum->array->n_dims; i++) {
        const struct expr *e = sum->subscripts[i], *dim = sum->dims[i];
        if (expr_get_integer(e, &value) && expr_get_integer(dim, &extent) && value >= 0 &&
            value < extent)
            continue;
        if (!is_natural(kernel, e))
            inside = expr_join(arena, OP_LAND, inside,
                               expr_binary(arena, OP_GE, e, expr_integer(arena, e->type, 0)));
        inside = expr_join(arena, OP_LAND, inside, expr_binary(arena, OP_LT, e, dim));
    }
    return inside;
}

/* The axes whose bits are not set in `missing`; returns how many. */
static int axes_present(const struct axis *axes, int n, unsigned missing, struct axis *present)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (!(missing >> i & 1))
            present[count++] = axes[i];
    return count;
}

static struct axis axis_alone(struct names *names, const char *stem)
{
    const struct var *var = var_new(names->arena, names_fresh(names, stem), TYPE_I32, VAR_ITERATOR);
    return (struct axis){var, expr_integer(names->arena, TYPE_I32, 1)};
}

/* Do no two points of the axes that are there have one element? */
static bool sum_is_apart(struct ctx *ctx, const struct kernel *kernel, const struct sum *sum)
{
    struct arena *arena = ctx->arena;
    struct axis *axes = ARENA_ARRAY(arena, struct axis, 2 * AXES_MAX);
    struct kernel *probe = kernel_copy(arena, kernel);
    struct names names = names_new(arena, kernel);
    int n_grid = axes_present(kernel->grid, kernel->n_grid, sum->grid, axes);
    int n_block = axes_present(kernel->block, kernel->n_block, sum->block, axes + AXES_MAX);
    if (!n_grid && !n_block)
        return true;
    if (!n_grid)
        axes[n_grid++] = axis_alone(&names, "block");
    if (!n_block)
        axes[AXES_MAX + n_block++] = axis_alone(&names, "thread");
    const struct expr *inside = sum_inside(arena, kernel, sum);
    const struct stmt *store = stmt_store(arena, sum->array, sum->subscripts,
                                          expr_zero(arena, sum->array->element), loc_none());
    probe->grid = axes;
    probe->n_grid = n_grid;
    probe->block = axes + AXES_MAX;
    probe->n_block = n_block;
    probe->body = stmt_band(arena, probe->block, n_block, false,
                            inside ? stmt_if(arena, inside, store, NULL) : store);
    return access_parallel(ctx, probe).verdict == ACCESS_PROVED;
}

/* --- forms ------------------------------------------------------------------------------------ */

static unsigned axes_missing(const struct axis *axes, int n, const struct sum *sum)
{
    unsigned missing = 0;
    for (int i = 0; i < n; i++) {
        bool is_used = false;
        for (int d = 0; d < sum->array->n_dims; d++)
            is_used |= expr_uses_var(sum->subscripts[d], axes[i].var);
        missing |= is_used ? 0 : 1u << i;
    }
    return missing;
}

static void form_find(struct sums_search *search, struct sum *sum)
{
    const struct kernel *kernel = search->kernel;
    bool is_atomic = reduction_is_atomic(sum->reduction, sum->array->element);
    sum->form = is_atomic ? SUM_SCATTERED : SUM_ORDER;
    if (search->differs)
        return;
    sum->dims = dims_find(search->ctx, kernel, sum->array);
    if (!sum->dims)
        return;
    sum->grid = axes_missing(kernel->grid, kernel->n_grid, sum);
    sum->block = axes_missing(kernel->block, kernel->n_block, sum);
    if (is_atomic && sum->grid)
        sum->form = SUM_ATOMIC;
    else if (sum_is_apart(search->ctx, kernel, sum))
        sum->form = sum->grid ? SUM_FINISH : SUM_IN_BLOCK;
    else if (is_atomic)
        sum->form = SUM_ATOMIC;
}

bool sum_has_tree(const struct sum *sum)
{
    return sum->form == SUM_ATOMIC || sum->form == SUM_IN_BLOCK || sum->form == SUM_FINISH;
}

struct sums access_sums(struct ctx *ctx, const struct kernel *kernel)
{
    VEC(struct sum) list = {0};
    unsigned fixed = (1u << kernel->n_grid) - 1;
    for (int i = 0; i < kernel->n_arrays; i++) {
        struct sums_search search = {.ctx = ctx,
                                     .arena = ctx->arena,
                                     .kernel = kernel,
                                     .array = kernel->arrays[i]};
        if (kernel->arrays[i]->space != SPACE_GLOBAL)
            continue;
        sums_see(&search, kernel->body);
        if (!search.reduction)
            continue;
        struct sum sum = {.array = search.array,
                          .reduction = search.reduction,
                          .subscripts = search.subscripts};
        form_find(&search, &sum);
        vec_push(ctx->arena, &list, sum);
        if (sum_has_tree(&sum) && sum.grid)
            fixed &= sum.grid;
    }
    bool lacks = false;
    for (size_t i = 0; i < list.count; i++)
        lacks |= sum_has_tree(&list.at[i]) && list.at[i].grid;
    return (struct sums){list.count, list.at, lacks ? fixed : 0};
}

/* --- blocks and partial arrays ---------------------------------------------------------------- */

int64_t sums_blocks(const struct kernel *kernel, const struct sums *sums, int axis)
{
    static const int64_t alone[] = {1024, 32, 10}, beside[] = {32, 6, 3};
    int64_t extent;
    int n = 0, all = kernel->n_grid;
    for (int i = 0; i < all; i++)
        n += (sums->fixed >> i & 1) == (sums->fixed >> axis & 1);
    int64_t most = (n == all ? alone : beside)[n > 3 ? 2 : n - 1];
    if (expr_get_integer(kernel->grid[axis].extent, &extent) && extent < most)
        return extent > 1 ? extent : 1;
    return most;
}

/* Points of the grid for a block, before another block gets any: a tree over the lanes of a block
   costs as much as two or three of them. */
enum { POINTS_LEAST = 8 };

int64_t sums_least(const struct kernel *kernel, const struct sums *sums, int axis)
{
    int64_t extent;
    bool is_known = expr_get_integer(kernel->grid[axis].extent, &extent);
    return sums->fixed == 1u << axis && !is_known ? POINTS_LEAST : 1;
}

const struct expr *sums_extent(struct arena *arena, const struct kernel *kernel,
                               const struct sums *sums, int axis)
{
    const struct expr *extent = kernel->grid[axis].extent;
    int64_t least = sums_least(kernel, sums, axis);
    if (least > 1) {
        const struct expr *more = expr_integer(arena, extent->type, least - 1);
        extent = expr_binary(arena, OP_DIV, expr_binary(arena, OP_ADD, extent, more),
                             expr_integer(arena, extent->type, least));
    }
    return expr_minimum(arena, extent,
                        expr_integer(arena, extent->type, sums_blocks(kernel, sums, axis)));
}

const struct expr *block_points(struct arena *arena, const struct kernel *kernel, unsigned axes)
{
    const struct expr *points = NULL;
    for (int i = 0; i < kernel->n_block; i++)
        if (axes >> i & 1)
            points = expr_join(arena, OP_MUL, points, kernel->block[i].extent);
    return points ? points : expr_integer(arena, TYPE_I32, 1);
}

/* The parts of an element: one for each block along the axes that are missing. */
static const struct expr *parts_count(struct arena *arena, const struct kernel *kernel,
                                      const struct sums *sums, const struct sum *sum)
{
    const struct expr *count = NULL;
    for (int i = 0; i < kernel->n_grid; i++) {
        const struct expr *extent = kernel->grid[i].extent;
        if (sums->fixed >> i & 1)
            extent = expr_integer(arena, extent->type, sums_blocks(kernel, sums, i));
        if (sum->grid >> i & 1)
            count = expr_join(arena, OP_MUL, count, extent);
    }
    return count;
}

static struct array *partial_new(struct names *names, const struct sum *sum, const char *suffix,
                                 int n_dims, const struct expr **dims)
{
    struct array *array = ARENA_NEW(names->arena, struct array);
    const char *stem = arena_printf(names->arena, "%s_%s", sum->array->name, suffix);
    array->name = names_fresh(names, stem);
    array->element = reduction_type(sum->reduction, sum->array->element);
    array->space = SPACE_GLOBAL;
    array->is_partial = true;
    array->origin = sum->array;
    array->n_dims = n_dims;
    array->dims = dims;
    return array;
}

static struct array *lanes_new(struct names *names, const struct kernel *kernel,
                               const struct sums *sums, const struct sum *sum)
{
    const struct expr **dims = ARENA_ARRAY(names->arena, const struct expr *, 2);
    int64_t blocks = 1;
    for (int i = 0; i < kernel->n_grid; i++)
        blocks *= sums_blocks(kernel, sums, i);
    dims[0] = expr_integer(names->arena, TYPE_I32, blocks);
    dims[1] = block_points(names->arena, kernel, ~0u);
    return partial_new(names, sum, "lanes", 2, dims);
}

static struct array *parts_new(struct names *names, const struct kernel *kernel,
                               const struct sums *sums, const struct sum *sum)
{
    int n = sum->array->n_dims;
    const struct expr **dims = ARENA_ARRAY(names->arena, const struct expr *, n + 1);
    dims[0] = parts_count(names->arena, kernel, sums, sum);
    for (int i = 0; i < n; i++)
        dims[i + 1] = sum->dims[i];
    return partial_new(names, sum, "parts", n + 1, dims);
}

void sums_add_arrays(struct ctx *ctx, struct kernel *kernel)
{
    if (!kernel_accumulates(kernel))
        return;
    struct sums sums = access_sums(ctx, kernel);
    struct names names = names_new(ctx->arena, kernel);
    VEC(const struct array *) arrays = {0};
    int n = 0;
    while (n < kernel->n_arrays && kernel->arrays[n]->space == SPACE_GLOBAL)
        vec_push(ctx->arena, &arrays, kernel->arrays[n++]);
    for (size_t i = 0; i < sums.count; i++) {
        const struct sum *sum = &sums.at[i];
        if (!sum_has_tree(sum))
            continue;
        vec_push(ctx->arena, &arrays, (const struct array *)lanes_new(&names, kernel, &sums, sum));
        if (sum->form == SUM_FINISH)
            vec_push(ctx->arena, &arrays,
                     (const struct array *)parts_new(&names, kernel, &sums, sum));
    }
    while (n < kernel->n_arrays)
        vec_push(ctx->arena, &arrays, kernel->arrays[n++]);
    kernel->arrays = arrays.at;
    kernel->n_arrays = (int)arrays.count;
}
