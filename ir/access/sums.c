/* The sums of a kernel and their forms.

   In: a banded kernel with accumulating stores. Out: for each array that is summed, by which axes
   of grid and block its subscripts tell elements apart. A sum has a form with a tree if all its
   accumulations have one list of subscripts, over parameters and axes alone (or lists that literals
   tell apart, which are sums of their own): then an element is the
   same over the rounds of all loops, and over the points of the axes that are missing. A plain
   store behind the tree also needs that no two of the remaining points have one element, which is
   asked of the proofs of legality for a kernel that has nothing but this store. All other sums of
   32-bit integers are made of atomic operations, and those of other types keep their order.

   Along axes of the grid that a sum lacks the number of blocks is fixed, and each block goes over
   several points, in loops that stand further inside the more sums lack their axis. A sum ends
   inside the loops over axes that it has. Where all loops over axes that it lacks stand inside
   these, an element has a fixed number of parts, however many points there are. */
#include "ir/access/sums.h"
#include "base/vec.h"
#include "ir/access/ends.h"
#include "ir/names.h"
#include "ir/reduction.h"
#include "ir/walk.h"

/* An integer local or the variable of a band's axis, and the expression over axes and parameters
   that it stands for. */
struct axis_value {
    const struct var *var;
    const struct expr *value;
};

/* Accumulations that have the same subscripts. */
struct element_stores {
    const struct expr *const *subscripts;
    VEC(const struct stmt *) stores;
};

struct sums_search {
    struct ctx *ctx;
    struct arena *arena;
    const struct kernel *kernel;
    const struct array *array;               /* whose sum is looked for */
    VEC(struct axis_value) values;
    bool in_strided;
    enum reduce_op reduction;
    VEC(struct element_stores) elements;
    bool differs;                            /* subscripts are not fixed, or not told apart */
    bool has_ends;                           /* starts or finishes touch the array */
    bool has_walk;                           /* the only such store starts all its elements */
    bool is_used;                            /* accumulations in other arrays read it */
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
    size_t at = 0;
    const struct expr **subscripts = ARENA_ARRAY(search->arena, const struct expr *, n);
    for (int i = 0; i < n; i++) {
        subscripts[i] = expr_substitute(search->arena, s->indices[i], axis_value, search);
        search->differs |= !is_fixed(search, subscripts[i]);
    }
    search->differs |= search->in_strided;
    search->reduction = s->reduction;
    while (at < search->elements.count &&
           !exprs_equal(search->elements.at[at].subscripts, subscripts, n))
        at++;
    if (at == search->elements.count)
        vec_push(search->arena, &search->elements,
                 ((struct element_stores){.subscripts = subscripts}));
    vec_push(search->arena, &search->elements.at[at].stores, s);
}

/* Are they different literals in some dimension? */
static bool literals_differ(const struct sums_search *search, const struct element_stores *a,
                            const struct element_stores *b)
{
    int64_t x, y;
    for (int i = 0; i < search->array->n_dims; i++)
        if (expr_get_integer(a->subscripts[i], &x) && expr_get_integer(b->subscripts[i], &y) &&
            x != y)
            return true;
    return false;
}

static void elements_compare(struct sums_search *search)
{
    for (size_t i = 0; i < search->elements.count && !search->differs; i++)
        for (size_t k = 0; k < i; k++)
            search->differs |= !literals_differ(search, &search->elements.at[i],
                                                &search->elements.at[k]);
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

bool axes_are_apart(struct ctx *ctx, const struct kernel *kernel, struct sum_axes missing,
                    const struct stmt *body)
{
    struct arena *arena = ctx->arena;
    struct axis *axes = ARENA_ARRAY(arena, struct axis, 2 * AXES_MAX);
    struct kernel *probe = kernel_copy(arena, kernel);
    struct names names = names_new(arena, kernel);
    int n_grid = axes_present(kernel->grid, kernel->n_grid, missing.grid, axes);
    int n_block = axes_present(kernel->block, kernel->n_block, missing.block, axes + AXES_MAX);
    if (!n_grid && !n_block)
        return true;
    if (!n_grid)
        axes[n_grid++] = axis_alone(&names, "block");
    if (!n_block)
        axes[AXES_MAX + n_block++] = axis_alone(&names, "thread");
    probe->grid = axes;
    probe->n_grid = n_grid;
    probe->block = axes + AXES_MAX;
    probe->n_block = n_block;
    probe->body = stmt_band(arena, probe->block, n_block, false, body);
    return access_parallel(ctx, probe).verdict == ACCESS_PROVED;
}

/* Do no two points of the axes that are there have one element? */
static bool sum_is_apart(struct ctx *ctx, const struct kernel *kernel, const struct sum *sum)
{
    const struct expr *inside = sum_inside(ctx->arena, kernel, sum);
    const struct stmt *store = stmt_store(ctx->arena, sum->array, sum->subscripts,
                                          expr_zero(ctx->arena, sum->array->element), loc_none());
    return axes_are_apart(ctx, kernel, (struct sum_axes){sum->grid, sum->block},
                          inside ? stmt_if(ctx->arena, inside, store, NULL) : store);
}

typedef VEC(struct sum) sum_list;

/* --- forms ------------------------------------------------------------------------------------ */

static unsigned axes_unused(const struct axis *axes, int n, const struct expr *const *subscripts,
                            int n_dims)
{
    unsigned missing = 0;
    for (int i = 0; i < n; i++) {
        bool is_used = false;
        for (int d = 0; d < n_dims; d++)
            is_used |= expr_uses_var(subscripts[d], axes[i].var);
        missing |= is_used ? 0 : 1u << i;
    }
    return missing;
}

struct sum_axes axes_missing(const struct kernel *kernel, const struct expr *const *subscripts,
                             int n_dims)
{
    return (struct sum_axes){axes_unused(kernel->grid, kernel->n_grid, subscripts, n_dims),
                             axes_unused(kernel->block, kernel->n_block, subscripts, n_dims)};
}

static void form_find(struct sums_search *search, struct sum *sum)
{
    const struct kernel *kernel = search->kernel;
    bool is_atomic = !search->has_ends && !sum->is_used &&
                     reduction_is_atomic(sum->reduction, sum->array->element);
    sum->form = is_atomic ? SUM_SCATTERED : SUM_ORDER;
    if (search->differs)
        return;
    sum->dims = dims_find(search->ctx, kernel, sum->array);
    if (!sum->dims)
        return;
    struct sum_axes missing = axes_missing(kernel, sum->subscripts, sum->array->n_dims);
    sum->grid = missing.grid;
    sum->block = missing.block;
    if (is_atomic && sum->grid)
        sum->form = SUM_ATOMIC;
    else if (sum_is_apart(search->ctx, kernel, sum))
        sum->form = sum->grid ? SUM_FINISH : SUM_IN_BLOCK;
    else if (is_atomic)
        sum->form = SUM_ATOMIC;
    if (sum->is_used && sum->form != SUM_IN_BLOCK)
        sum->form = SUM_ORDER;
}

/* The sum of an array that the block walks over, with all its accumulations; false if the block
   does not. */
static bool walked_find(struct sums_search *search, sum_list *list)
{
    const struct kernel *kernel = search->kernel;
    struct sum sum = {.array = search->array, .reduction = search->reduction, .form = SUM_WALKED};
    bool has_others = search->has_ends && !search->has_walk;
    if (!search->differs || has_others || search->is_used || search->array->n_dims > 1 ||
        reduction_is_atomic(search->reduction, search->array->element))
        return false;
    sum.dims = dims_find(search->ctx, kernel, search->array);
    sum.grid = (1u << kernel->n_grid) - 1;
    if (!sum.dims || !sum_is_walked(search->ctx, kernel, search->array))
        return false;
    vec_push(search->arena, list, sum);
    return true;
}

bool sum_has_parts(const struct sum *sum)
{
    return sum->form == SUM_WALKED || sum_has_tree(sum);
}

bool sum_has_tree(const struct sum *sum)
{
    return sum->form == SUM_ATOMIC || sum->form == SUM_IN_BLOCK || sum->form == SUM_FINISH;
}

/* How many of the sums with a tree lack the axis? */
static int lacking_count(const struct sums *sums, int axis)
{
    int count = 0;
    for (size_t i = 0; i < sums->count; i++)
        count += sum_has_parts(&sums->at[i]) && sums->at[i].grid >> axis & 1;
    return count;
}

/* The fixed axes, those first that few sums lack. */
static void fixed_find(const struct kernel *kernel, struct sums *sums)
{
    for (int axis = 0; axis < kernel->n_grid; axis++) {
        int count = lacking_count(sums, axis), at = sums->n_fixed;
        if (!count)
            continue;
        for (; at > 0 && lacking_count(sums, sums->order[at - 1]) > count; at--)
            sums->order[at] = sums->order[at - 1];
        sums->order[at] = axis;
        sums->fixed |= 1u << axis;
        sums->n_fixed++;
    }
}

static void depth_find(const struct sums *sums, struct sum *sum)
{
    for (int i = 0; i < sums->n_fixed; i++)
        if (!(sum->grid >> sums->order[i] & 1))
            sum->depth = i + 1;
    for (int i = sum->depth; i < sums->n_fixed; i++)
        sum->merged |= 1u << sums->order[i];
}

bool sum_has_store(const struct sum *sum, const struct stmt *store)
{
    for (size_t i = 0; i < sum->n_stores; i++)
        if (sum->stores[i] == store)
            return true;
    return false;
}

/* The sums of the array that the search is about. If one of them has no tree or is atomic, so are
   all. */
static void sums_of_array(struct sums_search *search, sum_list *list)
{
    size_t first = list->count;
    enum sum_form weakest = SUM_FINISH;
    elements_compare(search);
    search->differs |= first + search->elements.count > SUM_TREES_MOST;
    if (search->elements.count && walked_find(search, list))
        return;
    for (size_t i = 0; i < search->elements.count; i++) {
        const struct element_stores *element = &search->elements.at[i];
        struct sum sum = {.array = search->array,
                          .reduction = search->reduction,
                          .subscripts = element->subscripts,
                          .n_stores = element->stores.count,
                          .stores = element->stores.at,
                          .is_used = search->is_used};
        form_find(search, &sum);
        weakest = sum.form < weakest ? sum.form : weakest;
        vec_push(search->arena, list, sum);
    }
    for (size_t i = first; i < list->count; i++)
        if (weakest <= SUM_ATOMIC)
            list->at[i].form = weakest;
}

/* --- starts and finishes ---------------------------------------------------------------------- */

static bool end_touches(const struct end *end, const struct array *array)
{
    return stmt_uses_array(end->store, array);
}

static bool ends_touch(const struct ends *ends, const struct array *array)
{
    for (size_t i = 0; i < ends->count; i++)
        if (end_touches(&ends->at[i], array))
            return true;
    return false;
}

/* Do those that touch the array start its elements, each by itself? */
static bool ends_walk(const struct ends *ends, const struct array *array)
{
    bool found = false;
    for (size_t i = 0; i < ends->count; i++) {
        const struct end *end = &ends->at[i];
        if (end_touches(end, array) && (!end->elements || end->store->array != array))
            return false;
        found |= end_touches(end, array);
    }
    return found;
}

/* Does the store set or read the sum's element? */
static bool end_is_of(struct arena *arena, const struct end *end, const struct sum *sum)
{
    const struct stmt *s = end->store;
    struct expr_walk walk;
    int n = sum->array->n_dims;
    if (end->elements || sum->form == SUM_WALKED)
        return end->elements && s->array == sum->array;
    if (s->array == sum->array && exprs_equal(s->indices, sum->subscripts, n))
        return true;
    for (const struct expr *e = stmt_first_expr(&walk, arena, s); e; e = expr_next(&walk))
        if (e->kind == EXPR_LOAD && e->array == sum->array &&
            exprs_equal(e->arguments, sum->subscripts, n))
            return true;
    return false;
}

/* Sums of one store all have a tree that ends in a plain store, or all keep their order. */
static bool order_spread(struct sum *sums, size_t n, const struct ends *ends)
{
    bool changed = false;
    for (size_t i = 0; i < ends->count; i++) {
        bool has_order = false;
        for (size_t k = 0; k < n; k++)
            has_order |= end_touches(&ends->at[i], sums[k].array) && sums[k].form == SUM_ORDER;
        if (!has_order)
            continue;
        for (size_t k = 0; k < n; k++)
            if (end_touches(&ends->at[i], sums[k].array) && sums[k].form != SUM_ORDER) {
                sums[k].form = SUM_ORDER;
                changed = true;
            }
    }
    return changed;
}

static void ends_add(struct arena *arena, const struct kernel *kernel, const struct ends *ends,
                     sum_list *list, struct sums *sums)
{
    VEC(struct sum_finish) finishes = {0};
    for (size_t i = 0; i < ends->count; i++) {
        const struct end *end = &ends->at[i];
        size_t at = 0;
        while (at < list->count && !end_is_of(arena, end, &list->at[at]))
            at++;
        if (at == list->count)
            continue;
        struct sum *sum = &list->at[at];
        const struct expr *condition =
            end_condition(arena, kernel, end, (struct sum_axes){sum->grid, sum->block});
        if (end->store->end == SUM_END_START) {
            const struct expr *inside = end->elements ? NULL : sum_inside(arena, kernel, sum);
            bool is_always = condition && inside && expr_equal(condition, inside);
            sum->start = end->store->value;
            sum->starts = is_always ? NULL : condition;
            sum->started = end->elements;
        } else {
            vec_push(arena, &finishes, ((struct sum_finish){at, end->store, condition}));
        }
    }
    sums->n_finishes = finishes.count;
    sums->finishes = finishes.at;
}

struct sums access_sums(struct ctx *ctx, const struct kernel *kernel)
{
    sum_list list = {0};
    struct ends ends = ends_of(ctx->arena, kernel->body);
    for (int i = 0; i < kernel->n_arrays; i++) {
        struct sums_search search = {.ctx = ctx,
                                     .arena = ctx->arena,
                                     .kernel = kernel,
                                     .array = kernel->arrays[i],
                                     .has_ends = ends_touch(&ends, kernel->arrays[i]),
                                     .has_walk = ends_walk(&ends, kernel->arrays[i])};
        if (kernel->arrays[i]->space != SPACE_GLOBAL)
            continue;
        int use = sums_use(ctx->arena, kernel->body, kernel->arrays[i]);
        search.is_used = use != -1;
        search.differs = use == -2;
        sums_see(&search, kernel->body);
        sums_of_array(&search, &list);
    }
    while (order_spread(list.at, list.count, &ends))
        continue;
    struct sums sums = {.count = list.count, .at = list.at};
    ends_add(ctx->arena, kernel, &ends, &list, &sums);
    fixed_find(kernel, &sums);
    for (size_t i = 0; i < list.count; i++)
        if (sum_has_parts(&list.at[i]))
            depth_find(&sums, &list.at[i]);
    return sums;
}
