/* Which pairs of accesses block a loop, with numbers.

   In: a scop with its edges. Out: for a loop the pairs of accesses that meet in different
   iterations of it, all loops around at the same one. Edges have them, but for statements of one
   unit below the unit's loops, which one thread runs: those are asked for here. A read is blocked
   by the write whose value it gets. A private scalar blocks where an iteration reads what an
   earlier one wrote, or where the last value is read behind the loop. */
#include "mapper/scop/block.h"
#include "mapper/scop/depend.h"
#include "mapper/scop/limit.h"
#include "mapper/scop/sets.h"
#include "mapper/scop/walk.h"
#include <isl/point.h>
#include <isl/val.h>
#include <string.h>

const struct scop_loop *stmt_loop(const struct scop_stmt *stmt, int depth)
{
    return depth < stmt->depth ? stmt->loops[depth] : NULL;
}

enum block_kind block_kind_of(const struct scop_access *first, const struct scop_access *second)
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

/* --- pairs ------------------------------------------------------------------------------------ */

__isl_give isl_map *value_pairs(const struct scop *scop, const struct block *block)
{
    struct access_walk walk;
    isl_map *pairs = isl_map_copy(block->pairs);
    for (const struct scop_access *access = access_first(&walk, scop, block->first->array); access;
         access = access_next(&walk)) {
        if (!access->is_write || access->is_may)
            continue;
        isl_map *before = scop_pairs_before(block->from, block->first, walk.stmt, access);
        isl_map *behind = scop_pairs_before(walk.stmt, access, block->to, block->second);
        pairs = isl_map_subtract(pairs, isl_map_apply_range(before, behind));
    }
    return pairs;
}

/* Adds the block unless it has no pairs. A value that another write replaces before it is read
   blocks nothing itself: that write is a block, or hands on a value that is one. Where isl gives up
   all pairs count. */
static void pairs_add(struct scop *scop, struct block *block, block_list *list)
{
    scop_question_begin(scop);
    if (isl_map_is_empty(block->pairs) == isl_bool_true)
        return;
    if (block->kind == BLOCK_FLOW || block->kind == BLOCK_LAST) {
        isl_map *values = scop_keep_map(scop, value_pairs(scop, block));
        isl_bool empty = isl_map_is_empty(values);
        if (empty == isl_bool_true)
            return;
        if (empty == isl_bool_false)
            block->pairs = values;
        scop_question_begin(scop);
    }
    block_add(scop->arena, list, block);
}

static bool is_in(const struct scop_stmt *stmt, const struct scop_loop *loop)
{
    return stmt_loop(stmt, loop->depth) == loop;
}

/* Blocks between statements that one thread runs in order. */
static void pair_add(struct scop *scop, const struct scop_loop *loop, struct block *block,
                     block_list *list)
{
    bool is_private = block->first->array->is_private;
    if (block->first->array != block->second->array ||
        accesses_are_sum(block->first, block->second) ||
        !(block->first->is_write || block->second->is_write))
        return;
    block->kind = block_kind_of(block->first, block->second);
    if (is_in(block->to, loop)) {
        block->pairs = scop_pairs(block->from, block->first, block->to, block->second,
                                  loop->depth + 1);
    } else {
        block->kind = BLOCK_LAST;
        block->pairs = scop_pairs_before(block->from, block->first, block->to, block->second);
    }
    scop_keep_map(scop, block->pairs);
    /* Every iteration has a private scalar of its own: only its values count. */
    bool counts = is_private ? block->first->is_write && !block->second->is_write
                             : block->kind != BLOCK_LAST;
    if (counts)
        pairs_add(scop, block, list);
}

static void unit_pairs(struct scop *scop, const struct scop_stmt *from, const struct scop_stmt *to,
                       const struct scop_loop *loop, block_list *list)
{
    for (size_t i = 0; i < from->accesses.count; i++)
        for (size_t k = 0; k < to->accesses.count; k++) {
            struct block block = {.from = from, .to = to};
            block.first = &from->accesses.at[i];
            block.second = &to->accesses.at[k];
            pair_add(scop, loop, &block, list);
        }
}

static bool has_flow(const block_list *list, const struct scop_array *array)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].kind == BLOCK_FLOW && list->at[i].first->array == array)
            return true;
    return false;
}

/* A scalar that iterations hand on is read behind the loop as a matter of course. */
static void last_values_drop(block_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct block block = list->at[i];
        if (block.kind != BLOCK_LAST || !has_flow(list, block.first->array))
            list->at[kept++] = block;
    }
    list->count = kept;
}

void loop_blocks(struct scop *scop, const struct scop_loop *loop, block_list *list)
{
    for (size_t i = 0; i < scop->edges.count; i++) {
        const struct scop_edge *edge = &scop->edges.at[i];
        struct block block = {block_kind_of(edge->first, edge->second), edge->from, edge->to,
                              edge->first, edge->second, edge->pairs};
        if (!edge->is_sum && edge->level == loop->depth + 1 && is_in(edge->from, loop) &&
            is_in(edge->to, loop))
            pairs_add(scop, &block, list);
    }
    for (size_t i = 0; i < scop->stmts.count; i++)
        for (size_t k = 0; k < scop->stmts.count; k++) {
            const struct scop_stmt *from = scop->stmts.at[i], *to = scop->stmts.at[k];
            bool behind = !is_in(to, loop) && to->id > from->id;
            if (from->unit == to->unit && from->unit->depth <= loop->depth && is_in(from, loop) &&
                (is_in(to, loop) || behind))
                unit_pairs(scop, from, to, loop, list);
        }
    last_values_drop(list);
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* The lexicographically least point of a set; any point if the set has no least point. */
static bool point_find(__isl_take isl_set *set, int n, int64_t *values)
{
    isl_point *point = isl_set_sample_point(isl_set_lexmin(isl_set_copy(set)));
    if (!point || isl_point_is_void(point) != isl_bool_false) {
        isl_point_free(point);
        point = isl_set_sample_point(isl_set_copy(set));
    }
    bool good = point && isl_point_is_void(point) == isl_bool_false;
    for (int i = 0; i < n && good; i++) {
        isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, i);
        good = isl_val_is_int(value) == isl_bool_true;
        values[i] = good ? isl_val_get_num_si(value) : 0;
        isl_val_free(value);
    }
    isl_point_free(point);
    isl_set_free(set);
    return good;
}

/* Restricts each size to values of at least 1, unless the set becomes empty. */
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
    scop_question_begin(scop);
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
