/* Wavefronts: nests in which every loop carries a dependence.

   In: units that share loops, none of which is an axis. Out: a sum of their iterators with small
   factors that grows along every edge. The sum's values are the iterations of a host loop, in
   order; instances with one value are independent. All loops but one become axes, and the one left
   out, whose factor is 1 or -1, follows from the sum and the axes: so every instance runs once.
   Edges between statements of one iteration stay in their thread. */
#include "mapper/plan/schedule.h"
#include "mapper/scop/bounds.h"
#include "mapper/scop/range.h"
#include <isl/constraint.h>
#include <isl/local_space.h>
#include <stdlib.h>

enum { FACTOR_MAX = 4 };

struct wave_search {
    const struct scop *scop;
    const unit_list *units;
    const edge_list *edges;
    int depth, n;                    /* the first of its loops, how many there are */
    int factors[THREAD_AXES_MAX + 1];
};

/* Pairs of an edge along which the sum does not grow. */
static __isl_give isl_map *pairs_against(const struct wave_search *w, const struct scop_edge *edge)
{
    isl_local_space *space = isl_local_space_from_space(isl_map_get_space(edge->pairs));
    isl_constraint *c = isl_constraint_alloc_inequality(space);
    for (int i = 0; i < w->n; i++) {
        int at = w->depth + i;
        c = isl_constraint_set_coefficient_si(c, isl_dim_in, at, w->factors[i]);
        c = isl_constraint_set_coefficient_si(c, isl_dim_out, at, -w->factors[i]);
    }
    return isl_map_add_constraint(isl_map_copy(edge->pairs), c);
}

/* Does the sum grow along the edge, but within one iteration of all loops? */
static bool edge_grows(const struct wave_search *w, const struct scop_edge *edge)
{
    isl_map *against = pairs_against(w, edge);
    isl_map *same = isl_map_copy(edge->pairs);
    for (int i = 0; i < w->n; i++)
        same = isl_map_equate(same, isl_dim_in, w->depth + i, isl_dim_out, w->depth + i);
    isl_bool grows = isl_map_is_subset(against, same);
    isl_map_free(against);
    isl_map_free(same);
    return grows == isl_bool_true;
}

static bool wave_grows(const struct wave_search *w)
{
    for (size_t i = 0; i < w->edges->count; i++) {
        const struct scop_edge *edge = &w->edges->at[i];
        if (units_have(w->units, edge->from->unit) && units_have(w->units, edge->to->unit) &&
            !edge_grows(w, edge))
            return false;
    }
    return true;
}

/* Factors whose absolute values have the given sum, from `i` on. */
static bool wave_find(struct wave_search *w, int i, int sum)
{
    if (i == w->n)
        return sum == 0 && wave_grows(w);
    int most = sum < FACTOR_MAX ? sum : FACTOR_MAX;
    for (int size = 0; size <= most; size++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            w->factors[i] = sign * size;
            if ((size > 0 || sign > 0) && wave_find(w, i + 1, sum - size))
                return true;
        }
    return false;
}

static bool region_of_wave(const struct wave_search *w, struct plan_step *step)
{
    struct scop_unit *unit = w->units->at[0];
    struct plan_step *inner = ARENA_NEW(w->scop->arena, struct plan_step);
    struct plan_member member = {0};
    int left = w->n - 1;
    while (left >= 0 && abs(w->factors[left]) != 1)
        left--;
    if (left < 0)
        return false;
    inner->kind = PLAN_REGION;
    inner->depth = w->depth;
    inner->region.follows = unit->loops[w->depth + left];
    for (int i = 0; i < w->n; i++)
        if (i != left)
            member.axes[inner->region.n_axes++] = w->depth + i;
    for (size_t i = 0; i < w->units->count; i++) {
        member.unit = w->units->at[i];
        vec_push(w->scop->arena, &inner->region.members, member);
    }
    vec_push(w->scop->arena, &step->body, inner);
    inner->region.wave = affine_constant(0);
    for (int i = 0; i < w->n; i++) {
        struct affine iterator = affine_iterator(unit->loops[w->depth + i]);
        if (!affine_add(&inner->region.wave, &iterator, w->factors[i]))
            return false;
    }
    return affine_bound(w->scop, w->depth, &inner->region.wave, false, &step->lower) &&
           affine_bound(w->scop, w->depth, &inner->region.wave, true, &step->upper);
}

/* Is a place written that is known in part only, as by a loop of a statement? Then the edges are
   those of whole rows, and a wavefront over them has few threads. */
static bool writes_rows(const unit_list *units)
{
    for (size_t i = 0; i < units->count; i++)
        for (size_t k = 0; k < units->at[i]->stmts.count; k++) {
            const struct scop_stmt *stmt = units->at[i]->stmts.at[k];
            for (size_t j = 0; j < stmt->accesses.count; j++) {
                const struct scop_access *access = &stmt->accesses.at[j];
                int known = 0;
                while (known < access->array->n_dims && access->is_affine[known])
                    known++;
                if (access->is_write && known < access->array->n_dims)
                    return true;
            }
        }
    return false;
}

bool wave_make(const struct scop *scop, const unit_list *units, const struct plan_place *place,
               int shared, struct plan_step *step)
{
    struct wave_search w = {.scop = scop, .units = units, .edges = place->edges,
                            .depth = place->depth, .n = shared - place->depth};
    if (w.n < 2 || w.n > THREAD_AXES_MAX + 1 || writes_rows(units))
        return false;
    for (int i = w.depth; i < shared; i++)
        if (llabs(units->at[0]->loops[i]->step) != 1 ||
            class_is_unsigned(units->at[0]->loops[i]->iterator->type->class))
            return false;
    for (int sum = 2; sum <= 2 * FACTOR_MAX; sum++)
        if (wave_find(&w, 0, sum)) {
            if (!region_of_wave(&w, step))
                return false;
            step->kind = PLAN_WAVE;
            return true;
        }
    return false;
}
