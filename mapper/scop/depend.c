/* Which instances must keep their order.

   In: instances and accesses. Out: edges: pairs of instances that touch the same element, one of
   them writing, in the order in which the source runs them, one edge for each loop that may order
   them and one for their place in the text. Private scalars have no edges: their statements are one
   unit (unit.c). Two instances of one unit's iteration run in one thread in the source's order,
   so what orders them below the unit's loops is no edge either.

   Edges through a third instance are not taken out: they ask for nothing that the other two do
   not. */
#include "mapper/scop/depend.h"
#include "mapper/scop/sets.h"
#include <isl/constraint.h>
#include <isl/local_space.h>

bool accesses_are_sum(const struct scop_access *first, const struct scop_access *second)
{
    return first->array->is_summed && first->reduction && first->reduction == second->reduction;
}

int shared_loops(const struct scop_stmt *a, const struct scop_stmt *b)
{
    int n = 0;
    while (n < a->depth && n < b->depth && a->loops[n] == b->loops[n])
        n++;
    return n;
}

/* Pairs whose iterations of the first level - 1 loops are equal, and of the loop at `level` come in
   order; a level beyond the shared loops is not ordered. */
static __isl_give isl_map *order_of(__isl_take isl_space *space, const struct scop_stmt *from,
                                    int shared, int level)
{
    isl_map *order = isl_map_universe(space);
    for (int i = 0; i < level - 1 && i < shared; i++)
        order = isl_map_equate(order, isl_dim_in, i, isl_dim_out, i);
    if (level > shared)
        return order;
    return from->loops[level - 1]->step > 0
               ? isl_map_order_lt(order, isl_dim_in, level - 1, isl_dim_out, level - 1)
               : isl_map_order_gt(order, isl_dim_in, level - 1, isl_dim_out, level - 1);
}

isl_map *scop_pairs(const struct scop_stmt *from, const struct scop_access *first,
                    const struct scop_stmt *to, const struct scop_access *second, int level)
{
    isl_map *meet = isl_map_apply_range(isl_map_copy(first->relation),
                                        isl_map_reverse(isl_map_copy(second->relation)));
    isl_space *space = isl_map_get_space(meet);
    return isl_map_intersect(meet, order_of(space, from, shared_loops(from, to), level));
}

isl_map *scop_pairs_before(const struct scop_stmt *from, const struct scop_access *first,
                           const struct scop_stmt *to, const struct scop_access *second)
{
    int shared = shared_loops(from, to);
    isl_map *pairs = scop_pairs(from, first, to, second, shared + 1);
    if (from->id >= to->id)
        pairs = isl_map_subtract(pairs, isl_map_copy(pairs));
    for (int level = 1; level <= shared; level++)
        pairs = isl_map_union(pairs, scop_pairs(from, first, to, second, level));
    return pairs;
}

/* False if isl gave up. */
static bool edges_of(struct scop *scop, struct scop_stmt *from, const struct scop_access *first,
                     struct scop_stmt *to, const struct scop_access *second)
{
    int shared = shared_loops(from, to);
    int last = from->id < to->id ? shared + 1 : shared;
    isl_map *meet = isl_map_apply_range(isl_map_copy(first->relation),
                                        isl_map_reverse(isl_map_copy(second->relation)));
    bool good = meet != NULL;
    for (int level = 1; level <= last && good; level++) {
        if (from->unit == to->unit && level > from->unit->depth)
            break;
        isl_map *pairs = isl_map_intersect(isl_map_copy(meet),
                                           order_of(isl_map_get_space(meet), from, shared, level));
        isl_bool empty = isl_map_is_empty(pairs);
        good = empty != isl_bool_error;
        if (empty != isl_bool_false) {
            isl_map_free(pairs);
            continue;
        }
        struct scop_edge edge = {from, to, first, second, level, accesses_are_sum(first, second),
                                 scop_keep_map(scop, pairs)};
        vec_push(scop->arena, &scop->edges, edge);
    }
    isl_map_free(meet);
    return good;
}

static bool edges_between(struct scop *scop, struct scop_stmt *from, struct scop_stmt *to)
{
    for (size_t i = 0; i < from->accesses.count; i++)
        for (size_t k = 0; k < to->accesses.count; k++) {
            const struct scop_access *first = &from->accesses.at[i];
            const struct scop_access *second = &to->accesses.at[k];
            bool meet = first->array == second->array && !first->array->is_private &&
                        (first->is_write || second->is_write);
            if (meet && !edges_of(scop, from, first, to, second))
                return false;
        }
    return true;
}

bool scop_dependences(struct scop *scop)
{
    for (size_t i = 0; i < scop->stmts.count; i++)
        for (size_t k = 0; k < scop->stmts.count; k++)
            if (!edges_between(scop, scop->stmts.at[i], scop->stmts.at[k]))
                return scop_refuse(scop, REFUSE_LIMIT, scop->fragment->loc, NULL);
    return true;
}

bool edge_is_level(const struct scop_edge *edge, int from, int to)
{
    isl_map *equal = isl_map_equate(isl_map_copy(edge->pairs), isl_dim_in, from, isl_dim_out, to);
    isl_bool subset = isl_map_is_subset(edge->pairs, equal);
    isl_map_free(equal);
    return subset == isl_bool_true;
}
