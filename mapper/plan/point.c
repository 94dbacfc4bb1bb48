/* Regions of unlike axes as one: members at a point of an axis.

   In: two successive regions, one with one axis less. Out: one region, in which the members of the
   lesser region run at one value of the missing axis, as row 0 of a field in

       for (int j = 0; j < ny; j++)
           ey[0][j] = fict[t];                             if (i == 0)
       for (int i = 1; i < nx; i++)
           for (int j = 0; j < ny; j++)
               ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);    if (i > 0)

   At this value the other region's instances depend on the members; without such a dependence both
   touch the same place of an array, else the value is the first one of the axis. The box must hold
   the value wherever the members run. Declared sizes of arrays may prove this: a statement that
   surely runs writes within an array. All threads run single statements alone, so the join costs a
   condition and saves a launch. Single elements stay regions of one thread: these are mostly bands
   of a chain, which costs less. */
#include "mapper/plan/chain.h"
#include "mapper/plan/point.h"
#include "mapper/plan/schedule.h"
#include "mapper/scop/bounds.h"
#include "mapper/scop/walk.h"
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

/* --- the value -------------------------------------------------------------------------------- */

struct value_search {
    const struct scop *scop;
    const struct scop_stmt *stmt;
    int at;                          /* the loop whose value is looked for */
    bool found;
    struct affine value;
};

static isl_stat value_take(__isl_take isl_constraint *constraint, void *data)
{
    struct value_search *s = data;
    if (!s->found && isl_constraint_is_equality(constraint) &&
        isl_constraint_involves_dims(constraint, isl_dim_set, (unsigned)s->at, 1) == isl_bool_true)
        s->found = constraint_bound(s->scop, s->stmt, constraint, s->at, true, &s->value);
    isl_constraint_free(constraint);
    return isl_stat_ok;
}

/* The one value of a loop in a set of instances, over host loops; false if there is none. */
static bool value_of_set(const struct scop *scop, const struct scop_stmt *stmt, int depth, int at,
                         __isl_take isl_set *set, struct affine *value)
{
    struct value_search s = {.scop = scop, .stmt = stmt, .at = at};
    for (int i = depth; i < stmt->depth; i++)
        if (i != at)
            set = isl_set_eliminate(set, isl_dim_set, (unsigned)i, 1);
    isl_basic_set *hull = isl_set_affine_hull(set);
    isl_basic_set_foreach_constraint(hull, value_take, &s);
    isl_basic_set_free(hull);
    *value = s.value;
    return s.found;
}

enum value_source { VALUE_FREE, VALUE_FOUND, VALUE_NONE };

/* Does the edge hold accumulations of which the region takes the sum? */
static bool edge_is_of_sums(const struct plan_region *greater, const struct scop_edge *edge)
{
    return edge->is_sum && region_sums(greater, edge->first->array);
}

/* The value of the axis at which an edge between the unit and the region stays, or at which the
   unit accumulates before or behind the region: FREE if there is no edge. */
static enum value_source value_of_edges(const struct scop *scop, const struct plan_place *place,
                                        const struct scop_unit *unit,
                                        const struct plan_region *greater, int axis,
                                        struct affine *value)
{
    for (size_t i = 0; i < place->edges->count; i++) {
        const struct scop_edge *edge = &place->edges->at[i];
        bool out = edge->from->unit == unit;
        const struct scop_stmt *end = out ? edge->to : edge->from;
        const struct plan_member *other = region_member(greater, end->unit);
        if (!other || (out ? edge->from : edge->to)->unit != unit)
            continue;
        if (edge_is_of_sums(greater, edge)) {
            *value = out ? greater->axes[axis].lower : greater->axes[axis].upper;
            return VALUE_FOUND;
        }
        if (other->axes[axis] == AT_POINT) {
            *value = other->points[axis];
            return VALUE_FOUND;
        }
        isl_set *set = out ? isl_map_range(isl_map_copy(edge->pairs))
                           : isl_map_domain(isl_map_copy(edge->pairs));
        return value_of_set(scop, out ? edge->to : edge->from, place->depth, other->axes[axis],
                            set, value)
                   ? VALUE_FOUND
                   : VALUE_NONE;
    }
    return VALUE_FREE;
}

/* Is the form over host loops and parameters? */
static bool is_outside(const struct scop *scop, int depth, const struct affine *form)
{
    for (int i = 0; i < form->n_terms; i++) {
        const struct scop_loop *loop = scop->symbols.at[form->terms[i].symbol].loop;
        if (loop && loop->depth >= depth)
            return false;
    }
    return true;
}

/* The value at which a member touches the row that the write does; false if it touches no such
   row. */
static bool value_of_member(const struct scop *scop, int depth, const struct scop_access *write,
                            const struct plan_member *member, int axis, struct affine *value)
{
    struct access_walk walk;
    const struct scop_loop *loop = member_loop(member, axis);
    if (!loop)
        return false;
    for (const struct scop_access *access = access_first(&walk, scop, write->array); access;
         access = access_next(&walk))
        for (int dim = 0; dim < write->array->n_dims; dim++) {
            struct affine rest = access->subscripts[dim], own = affine_iterator(loop);
            bool moves = walk.stmt->unit == member->unit && access->is_affine[dim] &&
                         write->is_affine[dim] && affine_factor(&rest, loop->symbol) == 1 &&
                         is_outside(scop, depth, &write->subscripts[dim]);
            *value = write->subscripts[dim];
            if (moves && affine_add(&rest, &own, -1) && is_outside(scop, depth, &rest) &&
                affine_add(value, &rest, -1))
                return true;
        }
    return false;
}

static bool value_of_writes(const struct scop *scop, int depth, const struct scop_stmt *stmt,
                            const struct plan_region *greater, int axis, struct affine *value)
{
    for (size_t k = 0; k < stmt->accesses.count; k++)
        for (size_t j = 0; j < greater->members.count; j++)
            if (stmt->accesses.at[k].is_write &&
                value_of_member(scop, depth, &stmt->accesses.at[k], &greater->members.at[j], axis,
                                value))
                return true;
    return false;
}

/* --- within the box --------------------------------------------------------------------------- */

/* The declared extent of an array's axis over parameters; false if it is not known. */
static bool extent_of(struct scop *scop, const struct scop_array *array, int dim,
                      struct affine *extent)
{
    const struct ast_type *type = array->decl->type;
    int n_params = (int)isl_space_dim(scop->params, isl_dim_param);
    for (int i = 0; i < dim && type; i++)
        type = type->element;
    if (array->memory || array->n_pitches || !type || !type->extent ||
        !affine_read(scop, place_outside(), type->extent, extent))
        return false;
    for (int i = 0; i < extent->n_terms; i++)
        if (scop->symbols.at[extent->terms[i].symbol].param >= n_params)
            return false;
    return true;
}

/* The statement's instances, as far as what they surely write lies within its array. */
static __isl_give isl_set *instances_within(struct scop *scop, const struct scop_stmt *stmt)
{
    isl_set *set = isl_set_copy(stmt->domain);
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        const struct scop_access *access = &stmt->accesses.at[i];
        struct affine extent, none = affine_constant(0);
        for (int dim = 0; dim < access->array->n_dims; dim++) {
            if (!access->is_write || access->is_may || !access->is_affine[dim] ||
                !extent_of(scop, access->array, dim, &extent))
                continue;
            isl_aff *aff = affine_isl(scop, place_in(stmt), &access->subscripts[dim]);
            set = isl_set_intersect(
                set, isl_aff_ge_set(isl_aff_copy(aff),
                                    affine_isl(scop, place_in(stmt), &none)));
            set = isl_set_intersect(
                set,
                isl_aff_lt_set(aff, affine_isl(scop, place_in(stmt), &extent)));
        }
    }
    return set;
}

/* Is `less` at most `more` in every instance of the statement? */
static bool is_at_most(struct scop *scop, const struct scop_stmt *stmt, const struct affine *less,
                       const struct affine *more)
{
    isl_set *above = isl_aff_gt_set(affine_isl(scop, place_in(stmt), less),
                                    affine_isl(scop, place_in(stmt), more));
    above = isl_set_intersect(above, instances_within(scop, stmt));
    isl_bool empty = isl_set_is_empty(above);
    isl_set_free(above);
    return empty == isl_bool_true;
}

bool point_fits(struct scop *scop, const struct plan_member *member, int axis,
                struct plan_axis *box)
{
    const struct scop_stmt *stmt = member->unit->stmts.at[0];
    const struct affine *value = &member->points[axis];
    bound_join(&box->lower, value, false);
    bound_join(&box->upper, value, true);
    return box->step == 1 && is_at_most(scop, stmt, &box->lower, value) &&
           is_at_most(scop, stmt, value, &box->upper);
}

bool edge_is_at(const struct scop *scop, const struct scop_edge *edge, bool at_end, bool or_less,
                const struct affine *value, const struct affine *other)
{
    const struct scop_stmt *stmt = at_end ? edge->to : edge->from;
    isl_set *set = at_end ? isl_map_range(isl_map_copy(edge->pairs))
                          : isl_map_domain(isl_map_copy(edge->pairs));
    isl_aff *left = affine_isl(scop, place_in(stmt), value);
    isl_aff *right = affine_isl(scop, place_in(stmt), other);
    isl_set *level = or_less ? isl_aff_le_set(left, right) : isl_aff_eq_set(left, right);
    isl_bool stays = isl_set_is_subset(set, level);
    isl_set_free(set);
    isl_set_free(level);
    return stays == isl_bool_true;
}

/* --- both ------------------------------------------------------------------------------------- */

/* Do the statements of the lesser region accumulate beside the greater one, if that has sums? */
static bool sums_go_along(const struct plan_region *lesser, const struct plan_region *greater)
{
    if (!greater->sums.count)
        return !lesser->sums.count;
    for (size_t i = 0; i < lesser->members.count; i++) {
        const struct scop_stmt *stmt = lesser->members.at[i].unit->stmts.at[0];
        for (size_t k = 0; k < stmt->accesses.count; k++)
            if (stmt->accesses.at[k].is_write && !stmt->accesses.at[k].reduction)
                return false;
    }
    return !lesser->sums.count;
}

/* May the region's members run at a point, each a single statement? */
static bool is_single(const struct plan_region *region)
{
    for (size_t i = 0; i < region->members.count; i++) {
        const struct scop_unit *unit = region->members.at[i].unit;
        if (unit->stmts.count != 1 || unit->stmts.at[0]->ast->kind == AST_DECLARE)
            return false;
    }
    return region_parts(region) == 1;
}

bool points_allow(const struct scop *scop, int depth, const struct plan_region *lesser,
                  const struct plan_region *greater, bool are_ends)
{
    return lesser->n_axes &&
           (are_ends ? !lesser->sums.count : sums_go_along(lesser, greater)) &&
           !lesser->common && !scop->split &&
           greater->n_axes <= THREAD_AXES_MAX && is_single(lesser) &&
           region_is_flat(depth, lesser) && region_is_flat(depth, greater);
}

bool point_find(const struct scop *scop, const struct plan_place *place,
                const struct plan_member *member, const struct plan_region *greater, int axis,
                struct affine *value)
{
    const struct scop_stmt *stmt = member->unit->stmts.at[0];
    enum value_source source = value_of_edges(scop, place, member->unit, greater, axis, value);
    if (source == VALUE_FREE &&
        !value_of_writes(scop, place->depth, stmt, greater, axis, value))
        *value = greater->axes[axis].lower;
    return source != VALUE_NONE;
}
