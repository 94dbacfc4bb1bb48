/* Which pairs of accesses block a loop, with numbers.

   In: a scop with its edges. Out: for a loop the pairs of accesses that meet in different
   iterations of it, all loops around at the same one. Edges have them, but for statements of one
   unit below the unit's loops, which one thread runs: those are asked for here. A private scalar
   blocks where an iteration reads what an earlier one wrote, or where the last value is read behind
   the loop. */
#include "mapper/block.h"
#include <isl/ilp.h>
#include <isl/point.h>
#include <isl/val.h>
#include <string.h>

const struct scop_loop *stmt_loop(const struct scop_stmt *stmt, int depth)
{
    return depth < stmt->depth ? stmt->loops[depth] : NULL;
}

static enum block_kind kind_of(const struct scop_access *first, const struct scop_access *second)
{
    if (first->is_write)
        return second->is_write ? BLOCK_OUTPUT : BLOCK_FLOW;
    return BLOCK_ANTI;
}

/* Keeps the most telling of the pairs of two statements at one array; the list stays sorted. */
static void block_add(struct arena *arena, block_list *list, const struct block *block)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct block *old = &list->at[i];
        bool same = (old->from == block->from && old->to == block->to) ||
                    (old->from == block->to && old->to == block->from);
        if (!same || old->first->array != block->first->array)
            continue;
        if (old->kind <= block->kind)
            return;
        memmove(list->at + i, list->at + i + 1, (--list->count - i) * sizeof *list->at);
        i--;
    }
    size_t at = list->count;
    vec_push(arena, list, *block);
    for (; at > 0 && list->at[at - 1].kind > block->kind; at--)
        list->at[at] = list->at[at - 1];
    list->at[at] = *block;
}

/* --- arrays ----------------------------------------------------------------------------------- */

static void pair_add(struct scop *scop, const struct scop_stmt *from,
                     const struct scop_access *first, const struct scop_stmt *to,
                     const struct scop_access *second, int level, block_list *list)
{
    isl_map *pairs = scop_keep_map(scop, scop_pairs(from, first, to, second, level));
    struct block block = {kind_of(first, second), from, to, first, second, pairs};
    if (isl_map_is_empty(pairs) == isl_bool_false)
        block_add(scop->arena, list, &block);
}

/* Pairs between two statements that one thread runs in order. */
static void unit_pairs(struct scop *scop, const struct scop_stmt *from, const struct scop_stmt *to,
                       int level, block_list *list)
{
    for (size_t i = 0; i < from->accesses.count; i++)
        for (size_t k = 0; k < to->accesses.count; k++) {
            const struct scop_access *first = &from->accesses.at[i];
            const struct scop_access *second = &to->accesses.at[k];
            if (first->array == second->array && !first->array->is_private &&
                (first->is_write || second->is_write))
                pair_add(scop, from, first, to, second, level, list);
        }
}

/* --- private scalars -------------------------------------------------------------------------- */

static const struct scop_node *node_of(const struct scop_node *node, const struct scop_loop *loop)
{
    if (!node || node->loop == loop)
        return node;
    const struct scop_node *found = NULL;
    for (int i = 0; i < node->n_children && !found; i++)
        found = node_of(node->children[i], loop);
    return found;
}

/* Does a statement take part in a unit that goes beyond one iteration of the loop? */
static bool is_beyond(const struct scop_stmt *stmt, const struct scop_loop *loop)
{
    return stmt->unit->depth <= loop->depth;
}

static const struct scop_access *access_of(const struct scop_stmt *stmt,
                                           const struct scop_array *scalar, bool is_write)
{
    for (size_t i = 0; i < stmt->accesses.count; i++)
        if (stmt->accesses.at[i].array == scalar && stmt->accesses.at[i].is_write == is_write)
            return &stmt->accesses.at[i];
    return NULL;
}

/* The last write and the first read of the scalar in the loop; NULL where there is none. */
static void scalar_ends(const struct scop *scop, const struct scop_array *scalar,
                        const struct scop_loop *loop, struct block *block)
{
    for (size_t i = 0; i < scop->stmts.count; i++) {
        const struct scop_stmt *stmt = scop->stmts.at[i];
        if (stmt_loop(stmt, loop->depth) != loop || !is_beyond(stmt, loop))
            continue;
        const struct scop_access *write = access_of(stmt, scalar, true);
        const struct scop_access *read = access_of(stmt, scalar, false);
        if (write) {
            block->from = stmt;
            block->first = write;
        }
        if (read && !block->to) {
            block->to = stmt;
            block->second = read;
        }
    }
}

/* The first statement of the unit behind the loop that touches the scalar, if it reads it. */
static const struct scop_stmt *read_behind(const struct scop *scop, const struct scop_stmt *write,
                                           const struct scop_array *scalar,
                                           const struct scop_loop *loop)
{
    for (size_t i = (size_t)write->id + 1; i < scop->stmts.count; i++) {
        const struct scop_stmt *stmt = scop->stmts.at[i];
        if (stmt->unit != write->unit || stmt_loop(stmt, loop->depth) == loop)
            continue;
        if (access_of(stmt, scalar, false))
            return stmt;
        if (access_of(stmt, scalar, true))
            return NULL;
    }
    return NULL;
}

static void scalar_blocks(struct scop *scop, const struct scop_array *scalar,
                          const struct scop_loop *loop, block_list *list)
{
    struct block block = {.kind = BLOCK_FLOW};
    const struct scop_node *node = node_of(scop->root, loop);
    scalar_ends(scop, scalar, loop, &block);
    if (!block.from)
        return;
    if (block.to && node_exposes(node->children[0], scalar)) {
        pair_add(scop, block.from, block.first, block.to, block.second, loop->depth + 1, list);
        return;
    }
    block.to = read_behind(scop, block.from, scalar, loop);
    if (!block.to)
        return;
    block.kind = BLOCK_LAST;
    block.second = access_of(block.to, scalar, false);
    block_add(scop->arena, list, &block);
}

void loop_blocks(struct scop *scop, const struct scop_loop *loop, block_list *list)
{
    isl_ctx_reset_operations(scop->isl);
    for (size_t i = 0; i < scop->edges.count; i++) {
        const struct scop_edge *edge = &scop->edges.at[i];
        struct block block = {kind_of(edge->first, edge->second), edge->from, edge->to,
                              edge->first, edge->second, edge->pairs};
        if (edge->level == loop->depth + 1 && stmt_loop(edge->from, loop->depth) == loop &&
            stmt_loop(edge->to, loop->depth) == loop)
            block_add(scop->arena, list, &block);
    }
    for (size_t i = 0; i < scop->stmts.count; i++)
        for (size_t k = 0; k < scop->stmts.count; k++) {
            const struct scop_stmt *from = scop->stmts.at[i], *to = scop->stmts.at[k];
            if (from->unit == to->unit && is_beyond(from, loop) &&
                stmt_loop(from, loop->depth) == loop && stmt_loop(to, loop->depth) == loop)
                unit_pairs(scop, from, to, loop->depth + 1, list);
        }
    for (size_t i = 0; i < scop->arrays.count; i++)
        if (scop->arrays.at[i]->is_private)
            scalar_blocks(scop, scop->arrays.at[i], loop, list);
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* The least value along a dimension, the greatest if there is no least, else any. */
static __isl_give isl_val *dim_value(isl_set *set, int at)
{
    isl_val *value = isl_set_dim_min_val(isl_set_copy(set), at);
    if (isl_val_is_int(value) == isl_bool_true)
        return value;
    isl_val_free(value);
    value = isl_set_dim_max_val(isl_set_copy(set), at);
    if (isl_val_is_int(value) == isl_bool_true)
        return value;
    isl_val_free(value);
    isl_point *point = isl_set_sample_point(isl_set_copy(set));
    value = isl_point_get_coordinate_val(point, isl_dim_set, at);
    isl_point_free(point);
    return value;
}

/* Fixes every dimension in turn; values has one number for each. */
static bool point_find(__isl_take isl_set *set, int n, int64_t *values)
{
    bool good = set != NULL;
    for (int i = 0; i < n && good; i++) {
        isl_val *value = dim_value(set, i);
        good = isl_val_is_int(value) == isl_bool_true;
        values[i] = good ? isl_val_get_num_si(value) : 0;
        set = isl_set_fix_val(set, isl_dim_set, (unsigned)i, value);
    }
    good = good && isl_set_is_empty(set) == isl_bool_false;
    isl_set_free(set);
    return good;
}

/* Sizes are at least 1 where they can be. */
static __isl_give isl_set *sizes_positive(__isl_take isl_set *set, int n_params)
{
    for (int i = 0; i < n_params; i++) {
        isl_set *positive = isl_set_lower_bound_si(isl_set_copy(set), isl_dim_set, (unsigned)i, 1);
        bool empty = isl_set_is_empty(positive) != isl_bool_false;
        isl_set_free(empty ? positive : set);
        set = empty ? set : positive;
    }
    return set;
}

bool example_find(struct scop *scop, const struct block *block, struct block_example *example)
{
    int n = scop->n_params, depth = block->from->depth;
    int64_t *values = ARENA_ARRAY(scop->arena, int64_t, n + 2 * LOOP_DEPTH_MAX + 1);
    isl_ctx_reset_operations(scop->isl);
    isl_set *set = isl_set_flatten(isl_map_wrap(isl_map_copy(block->pairs)));
    set = isl_set_move_dims(set, isl_dim_set, 0, isl_dim_param, 0, (unsigned)n);
    set = sizes_positive(set, n);
    if (!point_find(set, n + depth + block->to->depth, values))
        return false;
    example->first = ARENA_ARRAY(scop->arena, int64_t, scop->symbols.count + 1);
    example->second = ARENA_ARRAY(scop->arena, int64_t, scop->symbols.count + 1);
    for (size_t i = 0; i < scop->symbols.count; i++)
        if (scop->symbols.at[i].param >= 0)
            example->first[i] = example->second[i] = values[scop->symbols.at[i].param];
    for (int i = 0; i < depth; i++)
        example->first[block->from->loops[i]->symbol] = values[n + i];
    for (int i = 0; i < block->to->depth; i++)
        example->second[block->to->loops[i]->symbol] = values[n + depth + i];
    return true;
}
