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
   keeps its bits, since the neutral element changes none and what is no number is not stored.

   Without shared memory x is an array in global memory, where blocks that run at once have rows of
   their own, and holds the threads' own sums as well, since in a strided band a thread has many
   points. The order is the same.
   Source: docs/reductions.md. */
#include "ir/access/sums.h"
#include "ir/reduction.h"
#include "optimizer/strategies/rewrite.h"
#include "optimizer/strategies/strategies.h"

/* A sum with a tree in the kernel being made. */
struct tree_sum {
    const struct sum *sum;
    enum type type;
    const struct array *slots;       /* x: shared, or lanes in global memory; NULL = no tree and
                                        shared memory allowed: nothing of the block is exchanged */
    const struct array *parts;       /* SUM_FINISH */
    const struct var *own;           /* shared: the thread's own sum */
    const struct expr *lanes;        /* their number; NULL = one, there is no tree */
};

struct reducing {
    struct ctx *ctx;
    struct arena *arena;
    const struct kernel *kernel;     /* as given */
    bool is_shared;
    struct sums sums;
    struct names names;
    struct tree_sum *trees;
    int n_trees;
    const struct array **shared;     /* n_shared: the trees' arrays */
    int n_shared;
    const struct expr *shared_bytes;
    const struct expr **row;         /* per grid axis: the number of the block along it, of those
                                        that run */
    const struct var **band_own;     /* per tree: the band's own sum */
};

static const struct expr *number(const struct reducing *r, int64_t value)
{
    return expr_integer(r->arena, TYPE_I32, value);
}

static const struct expr *binary(const struct reducing *r, enum op op, const struct expr *a,
                                 const struct expr *b)
{
    return expr_binary(r->arena, op, a, b);
}

/* --- places ----------------------------------------------------------------------------------- */

/* The number of a point among those of the axes whose bits are set. */
static const struct expr *point_number(const struct reducing *r, const struct axis *axes,
                                       unsigned bits)
{
    const struct expr *point = NULL;
    for (int i = 0; i < r->kernel->n_block; i++)
        if (bits >> i & 1) {
            if (point)
                point = binary(r, OP_MUL, point, r->kernel->block[i].extent);
            point = expr_join(r->arena, OP_ADD, point, expr_var(r->arena, axes[i].var));
        }
    return point ? point : number(r, 0);
}

static unsigned block_all(const struct reducing *r)
{
    return (1u << r->kernel->n_block) - 1;
}

static const struct expr *lane_of(const struct reducing *r, const struct tree_sum *t)
{
    return point_number(r, r->kernel->block, t->sum->block);
}

/* The place of a lane in x, such that neighbouring threads have neighbouring places. */
static const struct expr *place_of(const struct reducing *r, const struct tree_sum *t,
                                   const struct axis *axes, const struct expr *lane)
{
    unsigned others = block_all(r) & ~t->sum->block;
    const struct expr *point = point_number(r, axes, others);
    bool is_last = t->sum->block >> (r->kernel->n_block - 1) & 1;
    const struct expr *slow = is_last ? point : lane, *fast = is_last ? lane : point;
    const struct expr *row = block_points(r->arena, r->kernel, is_last ? t->sum->block : others);
    return binary(r, OP_ADD, binary(r, OP_MUL, slow, row), fast);
}

/* The subscripts of a place in x: in global memory behind the row of the block. */
static const struct expr **slot_indices(const struct reducing *r, const struct tree_sum *t,
                                        const struct expr *place)
{
    const struct expr **indices = ARENA_ARRAY(r->arena, const struct expr *, 2);
    const struct expr *row = NULL;
    if (r->is_shared) {
        indices[0] = place;
        return indices;
    }
    for (int i = 0; i < r->kernel->n_grid; i++) {
        if (!r->row[i])
            continue;
        if (row)
            row = binary(r, OP_MUL, row, number(r, sums_blocks(r->kernel, &r->sums, i)));
        row = expr_join(r->arena, OP_ADD, row, r->row[i]);
    }
    (void)t;
    indices[0] = row ? row : number(r, 0);
    indices[1] = place;
    return indices;
}

static const struct expr *slot_load(const struct reducing *r, const struct tree_sum *t,
                                    const struct expr *place)
{
    return expr_load(r->arena, t->slots, slot_indices(r, t, place), loc_none());
}

static const struct stmt *slot_store(const struct reducing *r, const struct tree_sum *t,
                                     const struct expr *place, const struct expr *value)
{
    return stmt_store(r->arena, t->slots, slot_indices(r, t, place), value, loc_none());
}

static const struct expr *own_place(const struct reducing *r, const struct tree_sum *t,
                                    const struct axis *axes)
{
    return place_of(r, t, axes, point_number(r, axes, t->sum->block));
}

static const struct expr *neutral(const struct reducing *r, const struct tree_sum *t)
{
    return reduction_neutral(r->arena, t->sum->reduction, t->type);
}

static struct var *local_new(struct reducing *r, const struct tree_sum *t, const char *suffix)
{
    const char *stem = arena_printf(r->arena, "%s_%s", t->sum->array->name, suffix);
    return var_new(r->arena, names_fresh(&r->names, stem), t->type, VAR_LOCAL);
}

/* --- statements ------------------------------------------------------------------------------- */

static const struct stmt *pair(const struct reducing *r, const struct stmt *a,
                               const struct stmt *b)
{
    const struct stmt *both[2] = {a, b};
    return stmt_sequence(r->arena, both, 2);
}

static const struct stmt *block_band(const struct reducing *r, const struct stmt *body)
{
    return stmt_band(r->arena, r->kernel->block, r->kernel->n_block, false, body);
}

static const struct stmt *guarded(const struct reducing *r, const struct expr *condition,
                                  const struct stmt *body)
{
    return condition ? stmt_if(r->arena, condition, body, NULL) : body;
}

/* sum = sum op value. */
static const struct stmt *local_join(struct reducing *r, const struct tree_sum *t,
                                     const struct var *sum, const struct expr *value)
{
    bool is_extreme = t->sum->reduction == REDUCE_MIN || t->sum->reduction == REDUCE_MAX;
    const struct stmt *let = NULL;
    value = expr_cast(r->arena, t->type, value);
    if (is_extreme && value->kind != EXPR_VAR && value->kind != EXPR_INTEGER) {
        const struct var *kept = local_new(r, t, "value");
        let = stmt_let(r->arena, kept, value);
        value = expr_var(r->arena, kept);
    }
    const struct expr *joined = reduction_join(r->arena, t->sum->reduction,
                                               expr_var(r->arena, sum), value);
    return pair(r, let, stmt_set(r->arena, sum, joined));
}

/* --- a thread's own sums ---------------------------------------------------------------------- */

static struct tree_sum *tree_of(const struct reducing *r, const struct array *array)
{
    for (int i = 0; i < r->n_trees; i++)
        if (r->trees[i].sum->array == array)
            return &r->trees[i];
    return NULL;
}

static const struct stmt *accumulation_own(void *state, const struct stmt *s)
{
    struct reducing *r = state;
    const struct tree_sum *t = s->kind == STMT_STORE && s->reduction ? tree_of(r, s->array) : NULL;
    return t ? local_join(r, t, r->band_own[t - r->trees], s->value) : s;
}

/* A band whose threads sum in variables: those of the block level, or without shared memory the
   band's own, kept in global memory from band to band. */
static const struct stmt *band_own(void *state, const struct stmt *s)
{
    struct reducing *r = state;
    if (s->kind != STMT_BAND)
        return s;
    const struct stmt *before = NULL, *behind = NULL;
    bool accumulates = false;
    for (int i = 0; i < r->n_trees; i++) {
        const struct tree_sum *t = &r->trees[i];
        r->band_own[i] = t->own;
        if (!stmt_accumulates_in(s, t->sum->array))
            continue;
        accumulates = true;
        if (t->own)
            continue;
        const struct expr *place = own_place(r, t, s->axes);
        r->band_own[i] = local_new(r, t, "own");
        before = pair(r, before, stmt_let(r->arena, r->band_own[i], slot_load(r, t, place)));
        behind = pair(r, behind, slot_store(r, t, place, expr_var(r->arena, r->band_own[i])));
    }
    if (!accumulates)
        return s;
    const struct stmt *body = stmt_rewrite(r->arena, s->children[0], accumulation_own, r);
    body = pair(r, pair(r, before, body), behind);
    return stmt_rebuild(r->arena, s, &body);
}

/* --- trees ------------------------------------------------------------------------------------ */

/* Which sums end at a place: bit i of `which` for r->trees[i]. */
static bool is_among(unsigned which, int i)
{
    return which >> i & 1;
}

/* x[lane] op= x[lane + d] where that lane exists. */
static const struct stmt *tree_step(struct reducing *r, const struct tree_sum *t,
                                    const struct expr *d)
{
    const struct axis *axes = r->kernel->block;
    const struct expr *lane = lane_of(r, t), *other = binary(r, OP_ADD, lane, d);
    const struct var *sum = local_new(r, t, "sum");
    const struct expr *place = own_place(r, t, axes);
    const struct stmt *join = pair(r, stmt_let(r->arena, sum, slot_load(r, t, place)),
                                   local_join(r, t, sum,
                                              slot_load(r, t, place_of(r, t, axes, other))));
    const struct expr *takes = binary(r, OP_LAND, binary(r, OP_LT, lane, d),
                                      binary(r, OP_LT, other, t->lanes));
    return stmt_if(r->arena, takes,
                   pair(r, join, slot_store(r, t, place, expr_var(r->arena, sum))), NULL);
}

/* The number of rounds after which d has come from its greatest value to 1. */
static int rounds_of(const struct expr *lanes)
{
    int64_t n;
    int rounds = 0;
    if (!expr_get_integer(lanes, &n))
        return 31;
    while (rounds < 31 && INT64_C(1) << rounds < n)
        rounds++;
    return rounds;
}

static const struct stmt *trees_join(struct reducing *r, unsigned which)
{
    int rounds = 0;
    const struct expr *runs = NULL;
    const struct stmt *steps = NULL;
    bool is_known = true;
    for (int i = 0; i < r->n_trees; i++)
        if (is_among(which, i) && r->trees[i].lanes) {
            int more = rounds_of(r->trees[i].lanes);
            rounds = more > rounds ? more : rounds;
            is_known &= more < 31;
        }
    if (rounds == 0)
        return NULL;
    const struct var *round = var_new(r->arena, names_fresh(&r->names, "round"), TYPE_I32,
                                      VAR_ITERATOR);
    const struct expr *d = binary(r, OP_SHR, number(r, INT64_C(1) << (rounds - 1)),
                                  expr_var(r->arena, round));
    for (int i = 0; i < r->n_trees; i++)
        if (is_among(which, i) && r->trees[i].lanes) {
            const struct expr *below = binary(r, OP_LT, d, r->trees[i].lanes);
            runs = runs && expr_equal(runs, below) ? runs
                                                   : expr_join(r->arena, OP_LOR, runs, below);
            steps = pair(r, steps, tree_step(r, &r->trees[i], d));
        }
    const struct stmt *body = pair(r, block_band(r, steps), stmt_barrier(r->arena));
    return stmt_for(r->arena, round, number(r, 0), number(r, rounds), number(r, 1),
                    is_known ? body : stmt_if(r->arena, runs, body, NULL));
}

/* --- ends ------------------------------------------------------------------------------------- */

/* element op= value by one thread. What is no number stays as it is: no operation changes that. */
static const struct stmt *element_join(struct reducing *r, const struct tree_sum *t,
                                       const struct expr *value)
{
    const struct sum *sum = t->sum;
    const struct array *array = sum->array;
    const struct expr *element = expr_load(r->arena, array, sum->subscripts, loc_none());
    if (sum->form == SUM_ATOMIC) {
        const struct expr *changes = binary(r, OP_NE, value, neutral(r, t));
        return stmt_if(r->arena, changes,
                       stmt_accumulate(r->arena, array, sum->subscripts, sum->reduction,
                                       expr_cast(r->arena, array->element, value), loc_none()),
                       NULL);
    }
    if (sum->reduction == REDUCE_MIN || sum->reduction == REDUCE_MAX) {
        enum op op = sum->reduction == REDUCE_MIN ? OP_LT : OP_GT;
        return stmt_if(r->arena, binary(r, op, value, element),
                       stmt_store(r->arena, array, sum->subscripts, value, loc_none()), NULL);
    }
    const struct var *old = var_new(r->arena, local_new(r, t, "old")->name, array->element,
                                    VAR_LOCAL);
    const struct expr *before = expr_var(r->arena, old);
    const struct expr *joined = reduction_join(r->arena, sum->reduction,
                                               expr_cast(r->arena, t->type, before), value);
    const struct stmt *store = stmt_store(r->arena, array, sum->subscripts, joined, loc_none());
    if (type_is_floating(array->element))
        store = stmt_if(r->arena, binary(r, OP_EQ, before, before), store, NULL);
    return pair(r, stmt_let(r->arena, old, element), store);
}

/* The number of a block among those along the axes that are missing in the sum; their number. */
static const struct expr *part_number(const struct reducing *r, const struct sum *sum,
                                      const struct expr **count)
{
    const struct expr *part = NULL;
    *count = NULL;
    for (int i = 0; i < r->kernel->n_grid; i++) {
        const struct axis *axis = &r->kernel->grid[i];
        bool is_fixed = r->sums.fixed >> i & 1;
        const struct expr *extent = axis->extent, *at = expr_var(r->arena, axis->var);
        if (!(sum->grid >> i & 1))
            continue;
        if (is_fixed) {
            extent = sums_extent(r->arena, r->kernel, &r->sums, i);
            at = r->row[i];
        }
        if (part)
            part = binary(r, OP_MUL, part, extent);
        part = at ? expr_join(r->arena, OP_ADD, part, at) : part;
        *count = expr_join(r->arena, OP_MUL, *count, extent);
    }
    return part;
}

/* The subscripts of a part of an element. */
static const struct expr **part_indices(const struct reducing *r, const struct sum *sum,
                                        const struct expr *part)
{
    int n = sum->array->n_dims;
    const struct expr **indices = ARENA_ARRAY(r->arena, const struct expr *, n + 1);
    indices[0] = part;
    for (int i = 0; i < n; i++)
        indices[i + 1] = sum->subscripts[i];
    return indices;
}

/* What lane 0 does with the sum of its block. */
static const struct stmt *sum_end(struct reducing *r, const struct tree_sum *t, bool is_finishing,
                                  const struct expr *value)
{
    const struct sum *sum = t->sum;
    const struct stmt *end, *let = NULL;
    const struct expr *count, *condition = NULL;
    if (value->kind != EXPR_VAR) {
        const struct var *whole = local_new(r, t, "sum");
        let = stmt_let(r->arena, whole, value);
        value = expr_var(r->arena, whole);
    }
    if (sum->form == SUM_FINISH && !is_finishing)
        end = stmt_store(r->arena, t->parts,
                         part_indices(r, sum, part_number(r, sum, &count)), value, loc_none());
    else
        end = element_join(r, t, value);
    if (t->lanes)
        condition = binary(r, OP_EQ, lane_of(r, t), number(r, 0));
    condition = expr_join(r->arena, OP_LAND, condition,
                          sum_inside(r->arena, r->kernel, sum));
    return guarded(r, condition, pair(r, let, end));
}

/* Behind the last accumulation: what threads have goes to x, trees, ends. */
static const struct stmt *sums_end(struct reducing *r, unsigned which)
{
    const struct stmt *fills = NULL, *ends = NULL;
    bool has_tree = false;
    for (int i = 0; i < r->n_trees; i++) {
        const struct tree_sum *t = &r->trees[i];
        if (!is_among(which, i))
            continue;
        const struct expr *place = own_place(r, t, r->kernel->block);
        has_tree |= t->lanes != NULL;
        if (t->lanes && t->own)
            fills = pair(r, fills, slot_store(r, t, place, expr_var(r->arena, t->own)));
        ends = pair(r, ends, sum_end(r, t, false,
                                     t->lanes || !t->own ? slot_load(r, t, place)
                                                         : expr_var(r->arena, t->own)));
    }
    const struct stmt *all[4] = {fills ? block_band(r, fills) : NULL,
                                 has_tree ? stmt_barrier(r->arena) : NULL, trees_join(r, which),
                                 block_band(r, ends)};
    return stmt_sequence(r->arena, all, 4);
}

/* Before the first one. */
static const struct stmt *sums_begin(struct reducing *r, unsigned which)
{
    const struct stmt *lets = NULL, *fills = NULL;
    for (int i = 0; i < r->n_trees; i++) {
        const struct tree_sum *t = &r->trees[i];
        if (!is_among(which, i))
            continue;
        if (t->own)
            lets = pair(r, lets, stmt_let(r->arena, t->own, neutral(r, t)));
        else
            fills = pair(r, fills, slot_store(r, t, own_place(r, t, r->kernel->block),
                                              neutral(r, t)));
    }
    return pair(r, lets, fills ? block_band(r, fills) : NULL);
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* Has the axis a fixed number of blocks in the kernel being made? */
static bool axis_is_fixed(const struct reducing *r, int axis)
{
    int64_t extent;
    if (r->is_shared && !(r->sums.fixed >> axis & 1))
        return false;
    return !expr_get_integer(r->kernel->grid[axis].extent, &extent) ||
           extent > sums_blocks(r->kernel, &r->sums, axis);
}

/* The loop of a block over its consecutive points along an axis, C of them: the least number of
   which G blocks make all. */
static const struct stmt *points_loop(const struct reducing *r, int axis, const struct stmt *body)
{
    const struct axis *a = &r->kernel->grid[axis];
    enum type type = a->extent->type;
    const struct expr *one = expr_integer(r->arena, type, 1);
    const struct expr *blocks = expr_integer(r->arena, type,
                                             sums_blocks(r->kernel, &r->sums, axis));
    const struct expr *each = binary(r, OP_SUB, a->extent, one);
    each = binary(r, OP_ADD, binary(r, OP_DIV, each, blocks), one);
    const struct expr *from = binary(r, OP_MUL, r->row[axis], each);
    const struct expr *to = expr_minimum(r->arena, a->extent, binary(r, OP_ADD, from, each));
    return stmt_for(r->arena, a->var, from, to, expr_integer(r->arena, a->var->type, 1), body);
}

/* The axes of the grid that are fixed among `which` (bits), as loops around the body. */
static const struct stmt *points_loops(const struct reducing *r, unsigned which,
                                       const struct stmt *body)
{
    for (int i = r->kernel->n_grid; i-- > 0;)
        if (which >> i & 1 && axis_is_fixed(r, i))
            body = points_loop(r, i, body);
    return body;
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
            axis.var = var_new(r->arena, names_fresh(&r->names, "part"), axis.var->type,
                               VAR_ITERATOR);
            axis.extent = sums_extent(r->arena, r->kernel, &r->sums, i);
        }
        r->row[i] = expr_var(r->arena, axis.var);
        grid[kernel->n_grid++] = axis;
    }
    if (!kernel->n_grid) {
        const struct var *var = var_new(r->arena, names_fresh(&r->names, "part"), TYPE_I32,
                                        VAR_ITERATOR);
        grid[kernel->n_grid++] = (struct axis){var, number(r, 1)};
    }
    kernel->grid = grid;
}

static unsigned grid_all(const struct reducing *r)
{
    return (1u << r->kernel->n_grid) - 1;
}

/* --- kernels ---------------------------------------------------------------------------------- */

/* The kernel with the trees' arrays behind its global ones. */
static struct kernel *kernel_begin(const struct reducing *r)
{
    struct kernel *kernel = kernel_copy(r->arena, r->kernel);
    int n = r->kernel->n_arrays, global = 0;
    const struct array **arrays = ARENA_ARRAY(r->arena, const struct array *, n + r->n_shared + 1);
    while (global < n && r->kernel->arrays[global]->space == SPACE_GLOBAL)
        global++;
    for (int i = 0; i < n + r->n_shared; i++) {
        if (i < global)
            arrays[i] = r->kernel->arrays[i];
        else if (i < global + r->n_shared)
            arrays[i] = r->shared[i - global];
        else
            arrays[i] = r->kernel->arrays[i - r->n_shared];
    }
    kernel->arrays = arrays;
    kernel->n_arrays = n + r->n_shared;
    if (r->n_shared)
        kernel->shared_bytes = r->shared_bytes;
    return kernel;
}

/* Sums that lack an axis of the grid, or those that lack none. */
static unsigned sums_lacking(const struct reducing *r, bool lacks)
{
    unsigned which = 0;
    for (int i = 0; i < r->n_trees; i++)
        which |= (r->trees[i].sum->grid != 0) == lacks ? 1u << i : 0;
    return which;
}

/* The parts of every block. Sums that lack no axis end in each round of the loops over a block's
   points, the others behind them. */
static const struct kernel *parts_kernel(struct reducing *r)
{
    struct kernel *kernel = kernel_begin(r);
    unsigned inner = sums_lacking(r, false), outer = sums_lacking(r, true);
    grid_make(r, kernel, grid_all(r));
    const struct stmt *body = stmt_rewrite(r->arena, r->kernel->body, band_own, r);
    if (inner)
        body = pair(r, pair(r, sums_begin(r, inner), body), sums_end(r, inner));
    body = points_loops(r, r->sums.fixed, body);
    if (outer)
        body = pair(r, pair(r, sums_begin(r, outer), body), sums_end(r, outer));
    kernel->body = points_loops(r, grid_all(r) & ~r->sums.fixed, body);
    return kernel;
}

/* The sum of a lane's parts: into x, or where there is no tree into the element. */
static const struct stmt *parts_sum(struct reducing *r, const struct tree_sum *t)
{
    const struct expr *count, *lane = lane_of(r, t), *step = t->lanes ? t->lanes : number(r, 1);
    const struct var *sum = local_new(r, t, "sum");
    const struct var *part = var_new(r->arena, names_fresh(&r->names, "part"), TYPE_I32,
                                     VAR_ITERATOR);
    part_number(r, t->sum, &count);
    const struct expr *load = expr_load(r->arena, t->parts,
                                        part_indices(r, t->sum, expr_var(r->arena, part)),
                                        loc_none());
    const struct stmt *loop = stmt_for(r->arena, part, lane, count, step,
                                       local_join(r, t, sum, load));
    const struct expr *inside = sum_inside(r->arena, r->kernel, t->sum);
    const struct stmt *let = stmt_let(r->arena, sum, neutral(r, t));
    if (!t->lanes)
        return guarded(r, inside,
                       pair(r, let, pair(r, loop,
                                         sum_end(r, t, true, expr_var(r->arena, sum)))));
    return pair(r, pair(r, let, guarded(r, inside, loop)),
                slot_store(r, t, own_place(r, t, r->kernel->block), expr_var(r->arena, sum)));
}

/* The sums among `which` from their parts on. */
static const struct stmt *sums_finish(struct reducing *r, unsigned which)
{
    const struct stmt *parts = NULL, *ends = NULL;
    for (int i = 0; i < r->n_trees; i++) {
        const struct tree_sum *t = &r->trees[i];
        if (!is_among(which, i))
            continue;
        parts = pair(r, parts, parts_sum(r, t));
        if (t->lanes)
            ends = pair(r, ends,
                        sum_end(r, t, true, slot_load(r, t, own_place(r, t, r->kernel->block))));
    }
    const struct stmt *all[4] = {block_band(r, parts), ends ? stmt_barrier(r->arena) : NULL,
                                 trees_join(r, which), ends ? block_band(r, ends) : NULL};
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

/* Sums that lack other axes than the kernel's grid has are finished by its first blocks along
   these. */
static const struct stmt *group_finish(struct reducing *r, unsigned missing, unsigned present)
{
    const struct expr *first = NULL;
    for (int i = 0; i < r->kernel->n_grid; i++)
        if (present >> i & 1 && missing >> i & 1)
            first = expr_join(r->arena, OP_LAND, first,
                              binary(r, OP_EQ, expr_var(r->arena, r->kernel->grid[i].var),
                                     expr_integer(r->arena, r->kernel->grid[i].var->type, 0)));
    return guarded(r, first, sums_finish(r, sums_finished(r, missing)));
}

/* The kernel that finishes the sums; NULL if none has parts. */
static const struct kernel *finish_kernel(struct reducing *r)
{
    struct kernel *kernel = kernel_begin(r);
    unsigned present = 0;
    bool has_parts = false;
    const struct stmt *body = NULL;
    for (int i = 0; i < r->n_trees; i++)
        if (r->trees[i].sum->form == SUM_FINISH) {
            present |= grid_all(r) & ~r->trees[i].sum->grid;
            has_parts = true;
        }
    if (!has_parts)
        return NULL;
    grid_make(r, kernel, present);
    for (unsigned missing = 1; missing <= grid_all(r); missing++)
        if (sums_finished(r, missing))
            body = pair(r, body, group_finish(r, missing, present));
    kernel->body = points_loops(r, present, body);
    return kernel;
}

/* --- sums ------------------------------------------------------------------------------------- */

/* The partial array of the sum that is the n-th one (from 0). */
static const struct array *partial_find(const struct kernel *kernel, const struct array *array,
                                        int n)
{
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->is_partial && kernel->arrays[i]->origin == array && n-- == 0)
            return kernel->arrays[i];
    return NULL;
}

/* x in shared memory, behind what is there. */
static const struct array *slots_shared(struct reducing *r, const struct tree_sum *t)
{
    struct array *array = ARENA_NEW(r->arena, struct array);
    const struct expr **dims = ARENA_ARRAY(r->arena, const struct expr *, 1);
    dims[0] = block_points(r->arena, r->kernel, ~0u);
    array->name = names_fresh(&r->names, arena_printf(r->arena, "%s_lanes",
                                                      t->sum->array->name));
    array->element = t->type;
    array->space = SPACE_SHARED;
    array->n_dims = 1;
    array->dims = dims;
    array->offset = r->shared_bytes;
    const struct expr *bytes = binary(r, OP_MUL, dims[0], number(r, type_bytes(t->type)));
    r->shared_bytes = binary(r, OP_ADD, r->shared_bytes, bytes);
    r->shared[r->n_shared++] = array;
    return array;
}

static struct tree_sum tree_new(struct reducing *r, const struct sum *sum)
{
    struct tree_sum t = {.sum = sum, .type = reduction_type(sum->reduction, sum->array->element)};
    int64_t one;
    t.lanes = block_points(r->arena, r->kernel, sum->block);
    if (expr_get_integer(t.lanes, &one) && one == 1)
        t.lanes = NULL;
    if (r->is_shared)
        t.own = local_new(r, &t, "own");
    else
        t.slots = partial_find(r->kernel, sum->array, 0);
    t.parts = partial_find(r->kernel, sum->array, 1);
    return t;
}

/* The trees' arrays: those of 8 bytes an element first, so that all lie at multiples of theirs. */
static void shared_place(struct reducing *r)
{
    for (unsigned bytes = 8; r->is_shared && bytes >= 4; bytes /= 2)
        for (int i = 0; i < r->n_trees; i++)
            if (r->trees[i].lanes && type_bytes(r->trees[i].type) == bytes)
                r->trees[i].slots = slots_shared(r, &r->trees[i]);
}

struct kernel_parts strategy_reduce(struct ctx *ctx, const struct kernel *kernel, bool is_shared)
{
    struct kernel_parts parts = {1, {kernel}};
    struct reducing r = {.ctx = ctx, .arena = ctx->arena, .kernel = kernel, .is_shared = is_shared};
    if (!kernel_accumulates(kernel))
        return parts;
    r.sums = access_sums(ctx, kernel);
    r.names = names_new(ctx->arena, kernel);
    r.trees = ARENA_ARRAY(ctx->arena, struct tree_sum, r.sums.count + 1);
    r.shared = ARENA_ARRAY(ctx->arena, const struct array *, r.sums.count + 1);
    r.band_own = ARENA_ARRAY(ctx->arena, const struct var *, r.sums.count + 1);
    r.row = ARENA_ARRAY(ctx->arena, const struct expr *, kernel->n_grid);
    r.shared_bytes = number(&r, 0);
    for (size_t i = 0; i < r.sums.count && r.n_trees < 31; i++)
        if (sum_has_tree(&r.sums.at[i]))
            r.trees[r.n_trees++] = tree_new(&r, &r.sums.at[i]);
    if (!r.n_trees)
        return parts;
    shared_place(&r);
    parts.at[0] = parts_kernel(&r);
    const struct kernel *finish = finish_kernel(&r);
    if (finish)
        parts.at[parts.count++] = finish;
    return parts;
}
