/* Sums over iterations as kernels without accumulating stores (but atomic ones).

   In: a banded kernel with accumulating stores, its sums (ir/access/sums.h) and, in its list, their
   partial arrays. Out: one kernel or two.
   - Each thread has a sum of its own for every element that it accumulates in, from the neutral
     element on, over all rounds of its loops and over the consecutive points of the grid that its
     block goes through along axes with a fixed number of blocks.
   - A tree joins the sums of the lanes, the points of a block along the axes that are missing in
     the subscripts: d = the greatest power of two below their number B, then d/2, … 1:
         if (lane < d && lane + d < B) x[lane] op= x[lane + d];
     with a barrier behind each. Sums of other points lie side by side in x. Rounds of the loop
     below whose d is not below B are left out by a uniform condition.
   - Lane 0 then joins the sum with the element, by a plain store or an atomic operation, or stores
     it as its block's part; of the parts the second kernel makes a sum in the same way, whose lanes
     take the parts lane, lane + B, ….
   Trees of sums that end at one place share its barriers. The order in which an element is summed
   follows from the number of blocks and the extents of the block alone.

   An element that nobody accumulated in may not exist: it is touched only inside its array, and
   keeps its bits: the neutral element changes none, and an element that is no number is left alone.

   Without shared memory x is an array in global memory, where blocks that run at once have rows of
   their own, and holds the threads' own sums as well, since in a strided band a thread has many
   points. The order is the same.

   Sums whose elements the data tell may have copies in shared memory (scatter.c).
   Source: docs/reductions.md. */
#include "optimizer/strategies/reduce.h"
#include "ir/reduction.h"

/* --- blocks ----------------------------------------------------------------------------------- */

/* Has the axis a fixed number of blocks in the kernel being made? */
static bool axis_is_fixed(const struct reducing *r, int axis)
{
    int64_t extent;
    if (r->is_shared && !(r->sums.fixed >> axis & 1))
        return false;
    if (r->is_fixed && axis == r->kernel->n_grid - 1)
        return true;
    return !expr_get_integer(r->kernel->grid[axis].extent, &extent) ||
           extent > sums_blocks(r->kernel, &r->sums, axis);
}

/* The loop of a block over its consecutive points of an axis, C of them: the least number of which
   `most` blocks make all, and not fewer than `least` (NULL = 1). `row`: the number of the
   block. */
static const struct stmt *points_loop(const struct reducing *r, const struct axis *axis,
                                      int64_t most, const struct expr *least,
                                      const struct expr *row, const struct stmt *body)
{
    enum type type = axis->extent->type;
    const struct expr *one = expr_integer(r->arena, type, 1),
                      *blocks = expr_integer(r->arena, type, most);
    const struct expr *each = reduce_binary(r, OP_SUB, axis->extent, one);
    each = reduce_binary(r, OP_ADD, reduce_binary(r, OP_DIV, each, blocks), one);
    if (least)
        each = expr_select(r->arena, reduce_binary(r, OP_LT, each, least), least, each);
    const struct expr *from = reduce_binary(r, OP_MUL, row, each);
    const struct expr *to = expr_minimum(r->arena, axis->extent,
                                         reduce_binary(r, OP_ADD, from, each));
    return stmt_for(r->arena, axis->var, from, to, expr_integer(r->arena, axis->var->type, 1),
                    body);
}

/* The least number of points of an axis for a block; NULL = 1. */
static const struct expr *least_along(const struct reducing *r, int axis)
{
    if (r->is_fixed)
        return axis == r->kernel->n_grid - 1 ? r->least : NULL;
    int64_t least = sums_least(r->kernel, &r->sums, axis);
    return least > 1 ? expr_integer(r->arena, r->kernel->grid[axis].extent->type, least) : NULL;
}

/* The loop over the points of an axis of the grid, if it is fixed. */
static const struct stmt *points_along(const struct reducing *r, int axis,
                                           const struct stmt *body)
{
    if (!axis_is_fixed(r, axis))
        return body;
    return points_loop(r, &r->kernel->grid[axis], sums_blocks(r->kernel, &r->sums, axis),
                       least_along(r, axis), r->row[axis], body);
}

/* Those over the axes among `which` (bits), in the order of the text. */
static const struct stmt *points_loops(const struct reducing *r, unsigned which,
                                       const struct stmt *body)
{
    for (int i = r->kernel->n_grid; i-- > 0;)
        if (which >> i & 1)
            body = points_along(r, i, body);
    return body;
}

/* The number of blocks along a fixed axis that run. */
static const struct expr *blocks_along(const struct reducing *r, int axis)
{
    const struct expr *extent = r->kernel->grid[axis].extent, *least = least_along(r, axis);
    if (!r->is_fixed)
        return sums_extent(r->arena, r->kernel, &r->sums, axis);
    if (least) {
        const struct expr *more =
            reduce_binary(r, OP_SUB, least, expr_integer(r->arena, extent->type, 1));
        extent = reduce_binary(r, OP_DIV, reduce_binary(r, OP_ADD, extent, more), least);
    }
    int64_t most = sums_blocks(r->kernel, &r->sums, axis);
    return expr_minimum(r->arena, extent, expr_integer(r->arena, extent->type, most));
}

/* The grid along the axes whose bits are set; r->row for them. */
static void grid_make(struct reducing *r, struct kernel *kernel, unsigned which)
{
    struct axis *grid = ARENA_ARRAY(r->arena, struct axis, AXES_MAX);
    kernel->n_grid = 0;
    for (int i = 0; i < r->kernel->n_grid; i++) {
        struct axis axis = r->kernel->grid[i];
        r->row[i] = NULL;
        if (!(which >> i & 1))
            continue;
        if (axis_is_fixed(r, i)) {
            axis.var =
                var_new(r->arena, names_fresh(&r->names, "part"), axis.var->type, VAR_ITERATOR);
            axis.extent = blocks_along(r, i);
        }
        r->row[i] = expr_var(r->arena, axis.var);
        grid[kernel->n_grid++] = axis;
    }
    if (!kernel->n_grid) {
        const struct var *var =
            var_new(r->arena, names_fresh(&r->names, "part"), TYPE_I32, VAR_ITERATOR);
        grid[kernel->n_grid++] = (struct axis){var, reduce_number(r, 1)};
    }
    kernel->grid = grid;
}

static unsigned grid_all(const struct reducing *r)
{
    return (1u << r->kernel->n_grid) - 1;
}

/* --- kernels ---------------------------------------------------------------------------------- */

static const struct expr *array_bytes(const struct reducing *r, const struct array *array)
{
    const struct expr *bytes = reduce_number(r, type_bytes(array->element));
    for (int i = array->n_dims; i-- > 0;)
        bytes = reduce_binary(r, OP_MUL, array->dims[i], bytes);
    return bytes;
}

/* Puts the trees' arrays that the body uses behind the global ones. */
static void trees_list(const struct reducing *r, struct kernel *kernel)
{
    VEC(const struct array *) arrays = {0};
    int n = 0;
    while (n < r->kernel->n_arrays && r->kernel->arrays[n]->space == SPACE_GLOBAL)
        vec_push(r->arena, &arrays, r->kernel->arrays[n++]);
    for (int i = 0; i < r->n_shared; i++) {
        const struct array *array = r->shared[i];
        if (!stmt_uses_array(kernel->body, array))
            continue;
        vec_push(r->arena, &arrays, array);
        kernel->shared_bytes = reduce_binary(r, OP_ADD, array->offset, array_bytes(r, array));
    }
    while (n < r->kernel->n_arrays)
        vec_push(r->arena, &arrays, r->kernel->arrays[n++]);
    kernel->arrays = arrays.at;
    kernel->n_arrays = (int)arrays.count;
}

/* Sums that end inside so many of the loops over points. */
static unsigned sums_at(const struct reducing *r, int depth)
{
    unsigned which = 0;
    for (int i = 0; i < r->n_trees; i++)
        if (r->trees[i].sum->depth == depth && !r->trees[i].sum->is_used)
            which |= 1u << i;
    return which;
}

/* Sums that the block uses from a statement of the body on. */
static unsigned sums_used_at(const struct reducing *r, int child)
{
    unsigned which = 0;
    for (int i = 0; i < r->n_trees; i++) {
        const struct sum *sum = r->trees[i].sum;
        if (sum->is_used && sums_use(r->arena, r->kernel->body, sum->array) == child)
            which |= 1u << i;
    }
    return which;
}

/* For stmt_rewrite_exprs: an element that the block has just summed. */
static const struct expr *whole_load(void *state, const struct expr *e)
{
    struct reducing *r = state;
    if (e->kind != EXPR_LOAD)
        return e;
    for (size_t i = 0; i < r->whole_reads.count; i++) {
        const struct whole_read *read = &r->whole_reads.at[i];
        if (read->tree->whole && expr_equal(read->load, e))
            return expr_load(r->arena, read->tree->whole, &read->place, e->loc);
    }
    for (int i = 0; i < r->n_trees; i++) {
        const struct tree_sum *t = &r->trees[i];
        const struct expr *first = reduce_number(r, 0);
        if (t->whole && !tree_column(r, t) && t->sum->array == e->array &&
            exprs_equal(e->arguments, t->sum->subscripts, e->array->n_dims))
            return expr_load(r->arena, t->whole, &first, e->loc);
    }
    return e;
}

/* The body of a point of the grid, in which sums that the block uses end where they are. */
static const struct stmt *point_body(struct reducing *r)
{
    const struct stmt *from = r->kernel->body, *body = NULL;
    int n = from->kind == STMT_SEQUENCE ? from->n_children : 1;
    unsigned all = 0;
    for (int i = 0; i < n; i++) {
        unsigned which = sums_used_at(r, i);
        const struct stmt *s = from->kind == STMT_SEQUENCE ? from->children[i] : from;
        if (which)
            body = reduce_pair(r, reduce_pair(r, body, trees_end(r, which)),
                               stmt_barrier(r->arena));
        all |= which;
        s = stmt_rewrite(r->arena, s, reduce_band_own, r);
        s = all ? stmt_rewrite_exprs(r->arena, s, whole_load, r) : reuse_keep(r, s);
        s = reuse_load(r, s);
        body = reduce_pair(r, body, s);
    }
    if (reuse_is_shared(r))
        body = reduce_pair(r, body, stmt_barrier(r->arena));
    return all ? reduce_pair(r, trees_begin(r, all), body) : body;
}

/* The parts of every block, its loops over points from the innermost one on. */
static const struct kernel *parts_kernel(struct reducing *r)
{
    struct kernel *kernel = kernel_copy(r->arena, r->kernel);
    grid_make(r, kernel, grid_all(r));
    const struct stmt *body = point_body(r);
    for (int depth = r->sums.n_fixed; depth >= 0; depth--) {
        unsigned which = sums_at(r, depth);
        if (which)
            body = reduce_pair(r, reduce_pair(r, trees_begin(r, which), body),
                               trees_end(r, which));
        if (depth)
            body = points_along(r, r->sums.order[depth - 1], body);
    }
    body = points_loops(r, grid_all(r) & ~r->sums.fixed, body);
    kernel->body = scatter_around(r, walked_around(r, body));
    trees_list(r, kernel);
    return kernel;
}

/* The sum of a lane's parts: into x, or where there is no tree into the element. */
static const struct stmt *parts_sum(struct reducing *r, const struct tree_sum *t)
{
    const struct expr *count, *lane = tree_lane(r, t),
                              *step = t->lanes ? t->lanes : reduce_number(r, 1);
    const struct var *sum = tree_local(r, t, "sum");
    const struct var *part =
        var_new(r->arena, names_fresh(&r->names, "part"), TYPE_I32, VAR_ITERATOR);
    tree_part(r, t->sum, &count);
    const struct expr *load = expr_load(
        r->arena, t->parts, tree_part_indices(r, t->sum, expr_var(r->arena, part)), loc_none());
    const struct stmt *loop =
        stmt_for(r->arena, part, lane, count, step, tree_local_join(r, t, sum, load));
    const struct expr *inside = sum_inside(r->arena, r->kernel, t->sum);
    const struct stmt *let = stmt_let(r->arena, sum, tree_neutral(r, t));
    if (!t->lanes)
        return reduce_under(
            r, inside,
            reduce_pair(r, let,
                        reduce_pair(r, loop, tree_end(r, t, true, expr_var(r->arena, sum)))));
    return reduce_pair(
        r, reduce_pair(r, let, reduce_under(r, inside, loop)),
        tree_store(r, t, tree_place(r, t, r->kernel->block), expr_var(r->arena, sum)));
}

/* The sums among `which` from their parts on. */
static const struct stmt *sums_finish(struct reducing *r, unsigned which)
{
    const struct stmt *parts = NULL, *ends = NULL;
    for (int i = 0; i < r->n_trees; i++) {
        const struct tree_sum *t = &r->trees[i];
        if (!tree_is_among(which, i))
            continue;
        parts = reduce_pair(r, parts, parts_sum(r, t));
        if (t->lanes)
            ends = reduce_pair(
                r, ends, tree_end(r, t, true, tree_load(r, t, tree_place(r, t, r->kernel->block))));
    }
    const struct stmt *finishes = trees_finish(r, which);
    *(ends ? &ends : &parts) = reduce_pair(r, ends ? ends : parts, finishes);
    const struct stmt *all[4] = {reduce_band(r, parts), ends ? stmt_barrier(r->arena) : NULL,
                                 trees_join(r, which), ends ? reduce_band(r, ends) : NULL};
    return stmt_sequence(r->arena, all, 4);
}

/* The sums that are to be finished and lack exactly the axes `missing`. */
static unsigned sums_finished(const struct reducing *r, unsigned missing)
{
    unsigned which = 0;
    for (int i = 0; i < r->n_trees; i++)
        if (r->trees[i].sum->form == SUM_FINISH && r->trees[i].sum->grid == missing)
            which |= 1u << i;
    return which;
}

/* Blocks along the axes of the grid that are not missing. */
static const struct expr *blocks_present(const struct reducing *r, unsigned missing)
{
    const struct expr *blocks = NULL;
    for (int i = 0; i < r->kernel->n_grid; i++)
        if (!(missing >> i & 1))
            blocks = expr_join(r->arena, OP_MUL, blocks, r->kernel->grid[i].extent);
    return blocks ? blocks : reduce_number(r, 1);
}

/* The axes of the grid as parts of one number, the last one fastest. */
struct axes_number {
    const struct kernel *kernel;
    const struct expr *values[AXES_MAX];
};

static const struct expr *axis_value_of(void *state, const struct var *var)
{
    const struct axes_number *number = state;
    for (int i = 0; i < number->kernel->n_grid; i++)
        if (number->kernel->grid[i].var == var)
            return number->values[i];
    return NULL;
}

static const struct expr *axis_number_put(void *state, const struct expr *e)
{
    const struct expr *value = e->kind == EXPR_VAR ? axis_value_of(state, e->var) : NULL;
    return value ? value : e;
}

static void finishes_renumber(struct reducing *r, size_t sum, struct axes_number *axes)
{
    for (size_t i = 0; i < r->sums.n_finishes; i++) {
        struct sum_finish *finish = &r->finishes[i];
        if (finish->sum != sum)
            continue;
        finish->store = stmt_rewrite_exprs(r->arena, finish->store, axis_number_put, axes);
        if (finish->condition)
            finish->condition = expr_substitute(r->arena, finish->condition, axis_value_of, axes);
    }
}

/* The sums among `which`, whose blocks have one number along the axes that are not missing. */
static void sums_renumber(struct reducing *r, unsigned which, unsigned missing,
                          const struct expr *number)
{
    struct axes_number axes = {.kernel = r->kernel};
    unsigned present = grid_all(r) & ~missing;
    for (int i = r->kernel->n_grid; i-- > 0;) {
        const struct expr *extent = r->kernel->grid[i].extent;
        if (!(present >> i & 1))
            continue;
        bool is_last = !(present & ((1u << i) - 1));
        axes.values[i] = is_last ? number : reduce_binary(r, OP_REM, number, extent);
        number = reduce_binary(r, OP_DIV, number, extent);
    }
    for (int i = 0; i < r->n_trees; i++) {
        if (!tree_is_among(which, i))
            continue;
        struct sum *sum = ARENA_NEW(r->arena, struct sum);
        int n = r->trees[i].sum->array->n_dims;
        const struct expr **subscripts = ARENA_ARRAY(r->arena, const struct expr *, n);
        *sum = *r->trees[i].sum;
        for (int d = 0; d < n; d++)
            subscripts[d] = expr_substitute(r->arena, sum->subscripts[d], axis_value_of, &axes);
        sum->subscripts = subscripts;
        if (sum->start)
            sum->start = expr_substitute(r->arena, sum->start, axis_value_of, &axes);
        if (sum->starts)
            sum->starts = expr_substitute(r->arena, sum->starts, axis_value_of, &axes);
        finishes_renumber(r, r->trees[i].number, &axes);
        r->trees[i].sum = sum;
    }
}

/* Sums that lack different axes, one group after the other: the grid has as many blocks as most of
   them need, and has one axis. */
static const struct stmt *groups_finish(struct reducing *r, struct kernel *kernel)
{
    const struct stmt *body = NULL;
    const struct expr *most = NULL;
    int64_t rows = 1;
    for (unsigned missing = 1; missing <= grid_all(r); missing++) {
        const struct expr *blocks = blocks_present(r, missing);
        if (sums_finished(r, missing))
            most = most ? expr_select(r->arena, reduce_binary(r, OP_LT, most, blocks), blocks, most)
                        : blocks;
    }
    if (!most)
        return NULL;
    struct axis *axes = ARENA_ARRAY(r->arena, struct axis, 2);
    axes[0].var = var_new(r->arena, names_fresh(&r->names, "part"), most->type, VAR_ITERATOR);
    axes[0].extent = most;
    const struct expr *number = expr_var(r->arena, axes[0].var);
    r->row[0] = number;
    kernel->grid = axes;
    kernel->n_grid = 1;
    for (int i = 0; i < r->kernel->n_grid; i++) {
        rows *= sums_blocks(r->kernel, &r->sums, i);
        r->row[i] = i ? NULL : number;
    }
    if (!r->is_shared) {
        axes[1] = axes[0];
        axes[0].var = var_new(r->arena, names_fresh(&r->names, "part"), most->type, VAR_ITERATOR);
        axes[0].extent = expr_minimum(r->arena, most, expr_integer(r->arena, most->type, rows));
        r->row[0] = expr_var(r->arena, axes[0].var);
    }
    for (unsigned missing = 1; missing <= grid_all(r); missing++) {
        unsigned which = sums_finished(r, missing);
        if (!which)
            continue;
        const struct expr *runs = reduce_binary(r, OP_LT, number, blocks_present(r, missing));
        sums_renumber(r, which, missing, number);
        body = reduce_pair(r, body, reduce_under(r, runs, sums_finish(r, which)));
    }
    return r->is_shared ? body : points_loop(r, &axes[1], rows, NULL, r->row[0], body);
}

/* The kernel that finishes the sums; NULL if none has parts. */
static const struct kernel *finish_kernel(struct reducing *r)
{
    struct kernel *kernel = kernel_copy(r->arena, r->kernel);
    unsigned last = 0;
    int n_groups = 0;
    for (unsigned missing = 1; missing <= grid_all(r); missing++)
        if (sums_finished(r, missing)) {
            last = missing;
            n_groups++;
        }
    if (!n_groups)
        return NULL;
    if (n_groups == 1) {
        unsigned present = grid_all(r) & ~last;
        grid_make(r, kernel, present);
        kernel->body = points_loops(r, present, sums_finish(r, sums_finished(r, last)));
    } else
        kernel->body = groups_finish(r, kernel);
    trees_list(r, kernel);
    return kernel;
}

/* --- sums ------------------------------------------------------------------------------------- */

const struct array *partial_find(const struct kernel *kernel, const struct array *array, int n)
{
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->is_partial && kernel->arrays[i]->origin == array && n-- == 0)
            return kernel->arrays[i];
    return NULL;
}

void reduce_share(struct reducing *r, struct array *array)
{
    array->offset = r->shared_bytes;
    r->shared_bytes = reduce_binary(r, OP_ADD, r->shared_bytes, array_bytes(r, array));
    r->shared[r->n_shared++] = array;
}

/* An array of a tree in shared memory: x, or the place of the sum. */
static const struct array *tree_shared(struct reducing *r, const struct tree_sum *t,
                                       const char *suffix, enum type element,
                                       const struct expr *extent)
{
    struct array *array = ARENA_NEW(r->arena, struct array);
    const struct expr **dims = ARENA_ARRAY(r->arena, const struct expr *, 1);
    dims[0] = extent;
    array->name = names_fresh(&r->names,
                              arena_printf(r->arena, "%s_%s", t->sum->array->name, suffix));
    array->element = element;
    array->space = SPACE_SHARED;
    array->n_dims = 1;
    array->dims = dims;
    reduce_share(r, array);
    return array;
}

static struct tree_sum tree_new(struct reducing *r, const struct sum *sum)
{
    struct tree_sum t = {.sum = sum, .type = reduction_type(sum->reduction, sum->array->element)};
    int64_t one;
    t.lanes = block_points(r->arena, r->kernel, sum->block);
    if (expr_get_integer(t.lanes, &one) && one == 1)
        t.lanes = NULL;
    int n = 0;                       /* partial arrays of earlier sums of the array */
    for (int i = 0; i < r->n_trees; i++)
        if (r->trees[i].sum->array == sum->array)
            n += r->trees[i].sum->form == SUM_FINISH ? 2 : 1;
    if (r->is_shared)
        t.own = tree_local(r, &t, "own");
    else
        t.slots = partial_find(r->kernel, sum->array, n);
    if (sum->form == SUM_FINISH)
        t.parts = partial_find(r->kernel, sum->array, n + 1);
    return t;
}

/* Does the block read elements of a sum that begins in every block: one, or one for each column? */
static bool has_whole(const struct reducing *r, const struct tree_sum *t)
{
    bool is_read = false;
    for (size_t i = 0; i < r->whole_reads.count; i++)
        is_read |= r->whole_reads.at[i].tree == t;
    return t->sum->is_used && t->sum->start && !t->sum->starts &&
           (is_read || t->sum->block == (1u << r->kernel->n_block) - 1);
}

/* The trees' arrays that have so many bytes an element. */
static void trees_place(struct reducing *r, unsigned bytes)
{
    for (int i = 0; i < r->n_trees; i++) {
        struct tree_sum *t = &r->trees[i];
        if (type_bytes(t->type) != bytes)
            continue;
        if (t->lanes)
            t->slots = tree_shared(r, t, "lanes", t->type,
                                   block_points(r->arena, r->kernel, ~0u));
        if (has_whole(r, t))
            t->whole = tree_shared(r, t, "whole", t->sum->array->element,
                                   block_points(r->arena, r->kernel, ~t->sum->block));
    }
}

/* The arrays in shared memory: those of 8 bytes an element first, so that all lie at multiples of
   theirs. */
static void arrays_place(struct reducing *r)
{
    for (unsigned bytes = 8; r->is_shared && bytes >= 4; bytes /= 2) {
        trees_place(r, bytes);
        walked_place(r, bytes);
        reuse_place(r, bytes);
    }
}

/* The statement from which on the block uses sums; 0: it uses none, or the body has no others. */
static int first_use(const struct reducing *r)
{
    for (int i = 0; i < r->kernel->body->n_children; i++)
        if (sums_used_at(r, i))
            return i;
    return 0;
}

struct kernel_parts strategy_reduce(struct ctx *ctx, const struct kernel *kernel,
                                    struct reduce_options options)
{
    struct kernel_parts parts = {1, {kernel}};
    struct reducing r = {.ctx = ctx,
                         .arena = ctx->arena,
                         .kernel = kernel,
                         .is_shared = options.is_shared,
                         .has_copies = options.is_shared && options.has_copies};
    if (!kernel_accumulates(kernel))
        return parts;
    r.sums = sums_of_part(ctx, options.whole ? options.whole : kernel, kernel);
    r.names = names_new(ctx->arena, kernel);
    r.trees = ARENA_ARRAY(ctx->arena, struct tree_sum, r.sums.count + 1);
    r.shared = ARENA_ARRAY(ctx->arena, const struct array *, 3 * r.sums.count + ROWS_MOST + 1);
    r.band_own = ARENA_ARRAY(ctx->arena, const struct var *, r.sums.count + 1);
    r.row = ARENA_ARRAY(ctx->arena, const struct expr *, kernel->n_grid);
    r.shared_bytes = reduce_number(&r, 0);
    r.finishes = ARENA_ARRAY(ctx->arena, struct sum_finish, r.sums.n_finishes + 1);
    for (size_t i = 0; i < r.sums.n_finishes; i++)
        r.finishes[i] = r.sums.finishes[i];
    scatter_fix(&r);
    for (size_t i = 0; i < r.sums.count; i++)
        if (sum_has_tree(&r.sums.at[i])) {
            r.trees[r.n_trees] = tree_new(&r, &r.sums.at[i]);
            r.trees[r.n_trees].number = i;
            r.n_trees++;
        }
    bool walks = walked_find(&r, options.is_shared && options.has_copies);
    if (!r.n_trees && !r.has_copies && !r.n_walked)
        return parts;
    if (r.is_shared)
        reuse_find(&r, first_use(&r), r.has_copies || walks);
    arrays_place(&r);
    scatter_copies(&r);
    parts.at[0] = parts_kernel(&r);
    const struct kernel *finishes[2] = {finish_kernel(&r), walked_finish(&r)};
    for (int i = 0; i < 2; i++)
        if (finishes[i])
            parts.at[parts.count++] = finishes[i];
    return parts;
}
