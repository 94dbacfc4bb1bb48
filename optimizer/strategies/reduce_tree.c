/* Threads' own sums, trees over the lanes of a block, and what becomes of the sum of a block, as
   statements (reduce.c puts them together). */
#include "ir/reduction.h"
#include "ir/walk.h"
#include "optimizer/strategies/reduce.h"

const struct expr *reduce_number(const struct reducing *r, int64_t value)
{
    return expr_integer(r->arena, TYPE_I32, value);
}

const struct expr *reduce_binary(const struct reducing *r, enum op op, const struct expr *a,
                                 const struct expr *b)
{
    return expr_binary(r->arena, op, a, b);
}

/* --- places ----------------------------------------------------------------------------------- */

const struct expr *block_number(const struct reducing *r, const struct axis *axes, unsigned bits)
{
    const struct expr *point = NULL;
    for (int i = 0; i < r->kernel->n_block; i++)
        if (bits >> i & 1) {
            if (point)
                point = reduce_binary(r, OP_MUL, point, r->kernel->block[i].extent);
            point = expr_join(r->arena, OP_ADD, point, expr_var(r->arena, axes[i].var));
        }
    return point ? point : reduce_number(r, 0);
}

static unsigned block_all(const struct reducing *r)
{
    return (1u << r->kernel->n_block) - 1;
}

const struct axis *tree_column(const struct reducing *r, const struct tree_sum *t)
{
    const struct axis *column = NULL;
    for (int i = 0; i < r->kernel->n_block; i++)
        if (!(t->sum->block >> i & 1)) {
            if (column)
                return NULL;
            column = &r->kernel->block[i];
        }
    return column;
}

const struct expr *tree_lane(const struct reducing *r, const struct tree_sum *t)
{
    return block_number(r, r->kernel->block, t->sum->block);
}

/* The place of a lane in x, such that neighbouring threads have neighbouring places. */
static const struct expr *tree_lane_place(const struct reducing *r, const struct tree_sum *t,
                                          const struct axis *axes, const struct expr *lane)
{
    unsigned others = block_all(r) & ~t->sum->block;
    const struct expr *point = block_number(r, axes, others);
    bool is_last = t->sum->block >> (r->kernel->n_block - 1) & 1;
    const struct expr *slow = is_last ? point : lane, *fast = is_last ? lane : point;
    const struct expr *row = block_points(r->arena, r->kernel, is_last ? t->sum->block : others);
    return reduce_binary(r, OP_ADD, reduce_binary(r, OP_MUL, slow, row), fast);
}

/* The subscripts of a place in x: in global memory behind the row of the block. */
static const struct expr **slot_indices(const struct reducing *r, const struct expr *place)
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
            row = reduce_binary(r, OP_MUL, row,
                                reduce_number(r, sums_blocks(r->kernel, &r->sums, i)));
        row = expr_join(r->arena, OP_ADD, row, r->row[i]);
    }
    indices[0] = row ? row : reduce_number(r, 0);
    indices[1] = place;
    return indices;
}

const struct expr *tree_load(const struct reducing *r, const struct tree_sum *t,
                             const struct expr *place)
{
    return expr_load(r->arena, t->slots, slot_indices(r, place), loc_none());
}

const struct stmt *tree_store(const struct reducing *r, const struct tree_sum *t,
                              const struct expr *place, const struct expr *value)
{
    return stmt_store(r->arena, t->slots, slot_indices(r, place), value, loc_none());
}

const struct expr *tree_place(const struct reducing *r, const struct tree_sum *t,
                              const struct axis *axes)
{
    return tree_lane_place(r, t, axes, block_number(r, axes, t->sum->block));
}

const struct expr *tree_neutral(const struct reducing *r, const struct tree_sum *t)
{
    return reduction_neutral(r->arena, t->sum->reduction, t->type);
}

struct var *tree_local(struct reducing *r, const struct tree_sum *t, const char *suffix)
{
    const char *stem = arena_printf(r->arena, "%s_%s", t->sum->array->name, suffix);
    return var_new(r->arena, names_fresh(&r->names, stem), t->type, VAR_LOCAL);
}

/* --- statements ------------------------------------------------------------------------------- */

const struct stmt *reduce_pair(const struct reducing *r, const struct stmt *a, const struct stmt *b)
{
    const struct stmt *both[2] = {a, b};
    return stmt_sequence(r->arena, both, 2);
}

const struct stmt *reduce_band(const struct reducing *r, const struct stmt *body)
{
    return stmt_band(r->arena, r->kernel->block, r->kernel->n_block, false, body);
}

const struct stmt *reduce_under(const struct reducing *r, const struct expr *condition,
                                const struct stmt *body)
{
    return condition ? stmt_if(r->arena, condition, body, NULL) : body;
}

const struct stmt *tree_local_join(struct reducing *r, const struct tree_sum *t,
                                   const struct var *sum, const struct expr *value)
{
    bool is_extreme = t->sum->reduction == REDUCE_MIN || t->sum->reduction == REDUCE_MAX;
    const struct stmt *let = NULL;
    value = expr_cast(r->arena, t->type, value);
    if (is_extreme && value->kind != EXPR_VAR && value->kind != EXPR_INTEGER) {
        const struct var *kept = tree_local(r, t, "value");
        let = stmt_let(r->arena, kept, value);
        value = expr_var(r->arena, kept);
    }
    const struct expr *joined =
        reduction_join(r->arena, t->sum->reduction, expr_var(r->arena, sum), value);
    return reduce_pair(r, let, stmt_set(r->arena, sum, joined));
}

/* --- a thread's own sums ---------------------------------------------------------------------- */

static const struct tree_sum *tree_of(const struct reducing *r, const struct stmt *store)
{
    for (int i = 0; i < r->n_trees; i++)
        if (sum_has_store(r->trees[i].sum, store))
            return &r->trees[i];
    return NULL;
}

static const struct stmt *accumulation_own(void *state, const struct stmt *s)
{
    struct reducing *r = state;
    const struct tree_sum *t = s->kind == STMT_STORE && s->reduction ? tree_of(r, s) : NULL;
    return t ? tree_local_join(r, t, r->band_own[t - r->trees], s->value) : s;
}

static bool band_has_sum(const struct reducing *r, const struct stmt *band,
                         const struct tree_sum *t)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, r->arena, band); s; s = stmt_next(&walk))
        if (sum_has_store(t->sum, s))
            return true;
    return false;
}

const struct stmt *reduce_band_own(void *state, const struct stmt *s)
{
    struct reducing *r = state;
    if (s->kind != STMT_BAND)
        return s;
    const struct stmt *before = NULL, *behind = NULL;
    bool accumulates = false;
    if (stmt_has_end(s))
        return NULL;
    for (int i = 0; i < r->n_trees; i++) {
        const struct tree_sum *t = &r->trees[i];
        r->band_own[i] = t->own;
        if (!band_has_sum(r, s, t))
            continue;
        accumulates = true;
        if (t->own)
            continue;
        const struct expr *place = tree_place(r, t, s->axes);
        r->band_own[i] = tree_local(r, t, "own");
        before = reduce_pair(r, before, stmt_let(r->arena, r->band_own[i], tree_load(r, t, place)));
        behind =
            reduce_pair(r, behind, tree_store(r, t, place, expr_var(r->arena, r->band_own[i])));
    }
    if (!accumulates)
        return s;
    const struct stmt *body = stmt_rewrite(r->arena, s->children[0], accumulation_own, r);
    body = reduce_pair(r, reduce_pair(r, before, body), behind);
    return stmt_rebuild(r->arena, s, &body);
}

/* --- trees ------------------------------------------------------------------------------------ */

bool tree_is_among(unsigned which, int i)
{
    return which >> i & 1;
}

/* x[lane] op= x[lane + d] where that lane exists. */
static const struct stmt *tree_step(struct reducing *r, const struct tree_sum *t,
                                    const struct expr *d)
{
    const struct axis *axes = r->kernel->block;
    const struct expr *lane = tree_lane(r, t), *other = reduce_binary(r, OP_ADD, lane, d);
    const struct var *sum = tree_local(r, t, "sum");
    const struct expr *place = tree_place(r, t, axes);
    const struct stmt *join = reduce_pair(
        r, stmt_let(r->arena, sum, tree_load(r, t, place)),
        tree_local_join(r, t, sum, tree_load(r, t, tree_lane_place(r, t, axes, other))));
    const struct expr *takes = reduce_binary(r, OP_LAND, reduce_binary(r, OP_LT, lane, d),
                                             reduce_binary(r, OP_LT, other, t->lanes));
    return stmt_if(r->arena, takes,
                   reduce_pair(r, join, tree_store(r, t, place, expr_var(r->arena, sum))), NULL);
}

/* Blocks of most devices have at most 2^ROUNDS_USUAL threads. */
enum { ROUNDS_USUAL = 10 };

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

/* The first round that may have lanes. `fits`: where it holds, no tree has more of them than usual;
   NULL: their numbers are literals. */
static const struct expr *round_first(const struct reducing *r, int rounds,
                                      const struct expr *fits)
{
    const struct expr *first = reduce_number(r, 0);
    return fits ? expr_select(r->arena, fits, reduce_number(r, rounds - ROUNDS_USUAL), first)
                : first;
}

const struct stmt *trees_join(struct reducing *r, unsigned which)
{
    int rounds = 0;
    const struct expr *runs = NULL, *fits = NULL;
    const struct stmt *steps = NULL;
    bool is_known = true;
    for (int i = 0; i < r->n_trees; i++)
        if (tree_is_among(which, i) && r->trees[i].lanes) {
            int more = rounds_of(r->trees[i].lanes);
            rounds = more > rounds ? more : rounds;
            is_known &= more < 31;
        }
    if (rounds == 0)
        return NULL;
    const struct var *round =
        var_new(r->arena, names_fresh(&r->names, "round"), TYPE_I32, VAR_ITERATOR);
    const struct var *far = var_new(r->arena, names_fresh(&r->names, "far"), TYPE_I32, VAR_LOCAL);
    const struct expr *d = expr_var(r->arena, far),
                      *greatest = reduce_number(r, INT64_C(1) << (rounds - 1));
    const struct stmt *begin = stmt_let(
        r->arena, far, reduce_binary(r, OP_SHR, greatest, expr_var(r->arena, round)));
    for (int i = 0; i < r->n_trees; i++)
        if (tree_is_among(which, i) && r->trees[i].lanes) {
            const struct expr *lanes = r->trees[i].lanes,
                              *below = reduce_binary(r, OP_LT, d, lanes),
                              *usual = reduce_binary(r, OP_LE, lanes,
                                                     reduce_number(r, 1 << ROUNDS_USUAL));
            runs =
                runs && expr_equal(runs, below) ? runs : expr_join(r->arena, OP_LOR, runs, below);
            fits =
                fits && expr_equal(fits, usual) ? fits : expr_join(r->arena, OP_LAND, fits, usual);
            steps = reduce_pair(r, steps, tree_step(r, &r->trees[i], d));
        }
    const struct stmt *body = reduce_pair(r, reduce_band(r, steps), stmt_barrier(r->arena));
    body = is_known ? body : stmt_if(r->arena, runs, body, NULL);
    return stmt_for(r->arena, round, round_first(r, rounds, is_known ? NULL : fits),
                    reduce_number(r, rounds),
                    reduce_number(r, 1), reduce_pair(r, begin, body));
}

/* --- ends ------------------------------------------------------------------------------------- */

static const struct stmt *element_store(const struct reducing *r, const struct sum *sum,
                                        const struct expr *value)
{
    return stmt_store(r->arena, sum->array, sum->subscripts, value, loc_none());
}

/* element op= value by one thread, where the source does not start the sum. An element that is no
   number stays as it is: no operation changes that. */
static const struct stmt *element_keep(struct reducing *r, const struct tree_sum *t,
                                       const struct expr *value)
{
    const struct sum *sum = t->sum;
    const struct array *array = sum->array;
    const struct expr *element = expr_load(r->arena, array, sum->subscripts, loc_none());
    if (sum->form == SUM_ATOMIC) {
        const struct expr *changes = reduce_binary(r, OP_NE, value, tree_neutral(r, t));
        return stmt_if(r->arena, changes,
                       stmt_accumulate(r->arena, array, sum->subscripts, sum->reduction,
                                       expr_cast(r->arena, array->element, value), loc_none()),
                       NULL);
    }
    if (sum->reduction == REDUCE_MIN || sum->reduction == REDUCE_MAX) {
        enum op op = sum->reduction == REDUCE_MIN ? OP_LT : OP_GT;
        return stmt_if(r->arena, reduce_binary(r, op, value, element),
                       element_store(r, sum, value), NULL);
    }
    const struct var *old =
        var_new(r->arena, tree_local(r, t, "old")->name, array->element, VAR_LOCAL);
    const struct expr *before = expr_var(r->arena, old);
    const struct expr *joined =
        reduction_join(r->arena, sum->reduction, expr_cast(r->arena, t->type, before), value);
    const struct stmt *store = element_store(r, sum, joined);
    if (type_is_floating(array->element))
        store = stmt_if(r->arena, reduce_binary(r, OP_EQ, before, before), store, NULL);
    return reduce_pair(r, stmt_let(r->arena, old, element), store);
}

/* Has the grid a point along each axis that the sum lacks? The kernel that finishes sums also runs
   where the grid is empty. NULL = always. */
static const struct expr *has_points(const struct reducing *r, const struct sum *sum)
{
    const struct expr *condition = NULL;
    int64_t extent;
    for (int i = 0; i < r->kernel->n_grid; i++) {
        const struct expr *e = r->kernel->grid[i].extent;
        if (sum->grid >> i & 1 && (!expr_get_integer(e, &extent) || extent < 1))
            condition = expr_join(r->arena, OP_LAND, condition,
                                  reduce_binary(r, OP_GT, e, expr_integer(r->arena, e->type, 0)));
    }
    return condition;
}

/* The element's new value, for it and for the block. */
static const struct stmt *whole_store(struct reducing *r, const struct tree_sum *t,
                                      const struct expr *value)
{
    const struct var *whole = var_new(r->arena, tree_local(r, t, "new")->name,
                                      t->sum->array->element, VAR_LOCAL);
    const struct expr *read = expr_var(r->arena, whole),
                      *place = block_number(r, r->kernel->block, block_all(r) & ~t->sum->block);
    const struct stmt *all[3] = {stmt_let(r->arena, whole, value),
                                 element_store(r, t->sum, read),
                                 stmt_store(r->arena, t->whole, &place, read, loc_none())};
    return stmt_sequence(r->arena, all, 3);
}

const struct stmt *tree_element_join(struct reducing *r, const struct tree_sum *t,
                                     const struct expr *value)
{
    const struct sum *sum = t->sum;
    if (!sum->start)
        return element_keep(r, t, value);
    const struct expr *condition =
        expr_join(r->arena, OP_LAND, has_points(r, sum), sum->starts);
    const struct var *start = tree_local(r, t, "start");
    const struct expr *joined =
        reduction_join(r->arena, sum->reduction, expr_var(r->arena, start), value);
    const struct stmt *store = reduce_pair(r, stmt_let(r->arena, start, sum->start),
                                           t->whole ? whole_store(r, t, joined)
                                                    : element_store(r, sum, joined));
    return condition ? stmt_if(r->arena, condition, store, element_keep(r, t, value)) : store;
}

const struct stmt *trees_finish(const struct reducing *r, unsigned which)
{
    const struct stmt *all = NULL;
    for (size_t i = 0; i < r->sums.n_finishes; i++) {
        const struct sum_finish *finish = &r->finishes[i];
        const struct tree_sum *t = r->trees;
        while (t->number != finish->sum)
            t++;
        if (!tree_is_among(which, (int)(t - r->trees)))
            continue;
        const struct stmt *from = finish->store;
        const struct stmt *store =
            stmt_store(r->arena, from->array, from->indices, from->value, from->loc);
        const struct expr *condition = NULL;
        if (t->lanes)
            condition = reduce_binary(r, OP_EQ, tree_lane(r, t), reduce_number(r, 0));
        condition = expr_join(r->arena, OP_LAND, condition, has_points(r, t->sum));
        condition = expr_join(r->arena, OP_LAND, condition, finish->condition);
        all = reduce_pair(r, all, reduce_under(r, condition, store));
    }
    return all;
}

const struct expr *tree_part(const struct reducing *r, const struct sum *sum,
                             const struct expr **count)
{
    const struct expr *part = NULL;
    *count = NULL;
    for (int i = 0; i < r->kernel->n_grid; i++) {
        const struct axis *axis = &r->kernel->grid[i];
        bool is_merged = sum->merged >> i & 1;
        const struct expr *extent = axis->extent, *at = expr_var(r->arena, axis->var);
        if (!(sum->grid >> i & 1))
            continue;
        if (is_merged) {
            extent = sums_extent(r->arena, r->kernel, &r->sums, i);
            at = r->row[i];
        }
        if (part)
            part = reduce_binary(r, OP_MUL, part, extent);
        part = at ? expr_join(r->arena, OP_ADD, part, at) : part;
        *count = expr_join(r->arena, OP_MUL, *count, extent);
    }
    return part;
}

const struct expr **tree_part_indices(const struct reducing *r, const struct sum *sum,
                                      const struct expr *part)
{
    int n = sum->array->n_dims;
    const struct expr **indices = ARENA_ARRAY(r->arena, const struct expr *, n + 1);
    indices[0] = part;
    for (int i = 0; i < n; i++)
        indices[i + 1] = sum_is_fixed(sum, i) ? reduce_number(r, 0) : sum->subscripts[i];
    return indices;
}

const struct stmt *tree_end(struct reducing *r, const struct tree_sum *t, bool is_finishing,
                            const struct expr *value)
{
    const struct sum *sum = t->sum;
    const struct stmt *end, *let = NULL;
    const struct expr *count, *condition = NULL;
    if (value->kind != EXPR_VAR) {
        const struct var *whole = tree_local(r, t, "sum");
        let = stmt_let(r->arena, whole, value);
        value = expr_var(r->arena, whole);
    }
    if (sum->form == SUM_FINISH && !is_finishing)
        end = stmt_store(r->arena, t->parts, tree_part_indices(r, sum, tree_part(r, sum, &count)),
                         value, loc_none());
    else
        end = tree_element_join(r, t, value);
    if (t->lanes)
        condition = reduce_binary(r, OP_EQ, tree_lane(r, t), reduce_number(r, 0));
    condition = expr_join(r->arena, OP_LAND, condition, sum_inside(r->arena, r->kernel, sum));
    return reduce_under(r, condition, reduce_pair(r, let, end));
}

/* The sums that the second kernel finishes. */
static unsigned trees_of_parts(const struct reducing *r)
{
    unsigned which = 0;
    for (int i = 0; i < r->n_trees; i++)
        which |= r->trees[i].sum->form == SUM_FINISH ? 1u << i : 0;
    return which;
}

const struct stmt *trees_end(struct reducing *r, unsigned which)
{
    const struct stmt *fills = NULL, *ends = NULL;
    bool has_tree = false;
    for (int i = 0; i < r->n_trees; i++) {
        const struct tree_sum *t = &r->trees[i];
        if (!tree_is_among(which, i))
            continue;
        const struct expr *place = tree_place(r, t, r->kernel->block);
        has_tree |= t->lanes != NULL;
        if (t->lanes && t->own)
            fills = reduce_pair(r, fills, tree_store(r, t, place, expr_var(r->arena, t->own)));
        ends = reduce_pair(
            r, ends,
            tree_end(r, t, false,
                     t->lanes || !t->own ? tree_load(r, t, place) : expr_var(r->arena, t->own)));
    }
    ends = reduce_pair(r, ends, trees_finish(r, which & ~trees_of_parts(r)));
    const struct stmt *all[4] = {fills ? reduce_band(r, fills) : NULL,
                                 has_tree ? stmt_barrier(r->arena) : NULL, trees_join(r, which),
                                 reduce_band(r, ends)};
    return stmt_sequence(r->arena, all, 4);
}

const struct stmt *trees_begin(struct reducing *r, unsigned which)
{
    const struct stmt *lets = NULL, *fills = NULL;
    for (int i = 0; i < r->n_trees; i++) {
        const struct tree_sum *t = &r->trees[i];
        if (!tree_is_among(which, i))
            continue;
        if (t->own)
            lets = reduce_pair(r, lets, stmt_let(r->arena, t->own, tree_neutral(r, t)));
        else
            fills = reduce_pair(
                r, fills, tree_store(r, t, tree_place(r, t, r->kernel->block), tree_neutral(r, t)));
    }
    return reduce_pair(r, lets, fills ? reduce_band(r, fills) : NULL);
}
