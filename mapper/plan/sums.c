/* Sums over the axes of regions.

   In: accumulations whose order is free (scop/sums.c). Out: candidates of what is summed so, as
   changes of the scop; for a region what its threads accumulate in, which its text says by the
   clause `meta_reduce`. Where iterations of an axis meet in an element only to accumulate by one
   operator, they need no order. Nothing else in the region may touch the array then.

   A scalar that is summed keeps its name. A statement that sets it otherwise is host code outside
   of loops, and other regions read the value that it has there. */
#include "mapper/plan/change.h"
#include "mapper/plan/ends.h"
#include "mapper/plan/schedule.h"
#include "mapper/scop/depend.h"
#include "mapper/scop/sums.h"
#include "mapper/scop/walk.h"
#include <string.h>

/* --- candidates ------------------------------------------------------------------------------- */

/* Is each other write of the scalar one that the host can make, and its declaration, if that stands
   in the fragment, among these? */
static bool scalar_is_summable(const struct scop *scop, const struct scop_array *scalar)
{
    struct access_walk walk;
    bool inside = map_get_pointer(scop->is_declared, scalar->decl) != NULL;
    if (scalar->decl->is_register)
        return false;
    for (const struct scop_access *access = access_first(&walk, scop, scalar); access;
         access = access_next(&walk)) {
        inside = inside && access->ast != scalar->decl;
        if (access->is_write && !access->reduction &&
            (access->is_may || !stmt_is_level(scop, walk.stmt)))
            return false;
    }
    return !inside;
}

/* Is there a loop over which the array is accumulated in? */
static bool is_accumulated(const struct scop *scop, const struct scop_array *array)
{
    struct access_walk walk;
    for (const struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk))
        if (access->is_write && access->reduction && walk.stmt->depth)
            return true;
    return false;
}

/* The most loops around a statement that sets the array or scalar otherwise. */
static int depth_set(const struct scop *scop, const struct scop_array *array)
{
    struct access_walk walk;
    int most = 0;
    for (const struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk))
        if (access->is_write && !access->reduction && walk.stmt->depth > most)
            most = walk.stmt->depth;
    return most;
}

void summings_find(struct scop *scop, struct change_list *list)
{
    for (size_t i = 0; i < scop->arrays.count; i++) {
        const struct scop_array *array = scop->arrays.at[i];
        if (is_accumulated(scop, array) && !array->is_rows && !array->memory &&
            (array->n_dims ||
             (type_is_scalar(array->decl->type) && scalar_is_summable(scop, array))))
            vec_push(scop->arena, list,
                     ((struct scop_change){.row = TRANSFORMATION_SUMS,
                                           .decl = array->decl,
                                           .depth = array->n_dims ? 0 : depth_set(scop, array)}));
    }
}

static bool is_extreme_call(const struct ast *call)
{
    static const char *const names[] = {"fmax", "fmaxf", "fmin", "fminf"};
    bool good = false;
    if (call->kind != AST_CALL || !call->decl || call->n_children != 2)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        good |= !strcmp(call->decl->name, names[i]);
    return good;
}

const struct ast *extreme_call_find(const struct scop *scop)
{
    struct ast_walk walk;
    for (size_t i = 0; i < scop->stmts.count; i++) {
        const struct ast *n = ast_first(&walk, scop->arena, scop->stmts.at[i]->ast);
        for (; n; n = ast_next(&walk)) {
            const struct ast *value = n->kind == AST_ASSIGN ? ast_strip(n->children[1]) : n;
            if (n->kind == AST_ASSIGN && is_extreme_call(value) &&
                (ast_equal(value->children[0], n->children[0]) ||
                 ast_equal(value->children[1], n->children[0])))
                return value;
        }
    }
    return NULL;
}

void summing_apply(struct scop *scop, const struct scop_change *change)
{
    if (change->places)
        place_search_apply(scop, change->places);
    else
        array_find(scop, change->decl)->is_summed = true;
}

/* --- axes ------------------------------------------------------------------------------------- */

/* Does the element that an access accumulates in stay the same along the loop? */
static bool is_missing(const struct scop_access *access, const struct scop_loop *loop)
{
    for (int dim = 0; dim < access->array->n_dims; dim++)
        if (!access->is_affine[dim] || affine_factor(&access->subscripts[dim], loop->symbol))
            return false;
    return !access->alternatives.count;
}

/* Is the element any one of the array, or of a part of it, and the accumulation one atomic
   operation? */
static bool is_scattered(const struct scop *scop, const struct scop_access *access)
{
    bool any = false, follows = access->alternatives.count > 0;
    for (int dim = 0; dim < access->array->n_dims; dim++) {
        any |= !access->is_affine[dim];
        follows |= access->is_affine[dim] && affine_has_iterator(scop, &access->subscripts[dim]);
    }
    return any && !follows && reduction_is_atomic(access->reduction, sum_type(access->array));
}

bool edge_lets_reduce(const struct scop *scop, const struct scop_edge *edge, int at)
{
    if (!edge->is_sum || at >= edge->from->depth || at >= edge->to->depth ||
        !loop_is_large(edge->from->loops[at]))
        return false;
    bool goes_down = edge->from->loops[at]->step < 0;
    if (goes_down && !sum_is_exact(edge->first->array, edge->first->reduction))
        return false;
    return (is_missing(edge->first, edge->from->loops[at]) &&
            is_missing(edge->second, edge->to->loops[at])) ||
           (is_scattered(scop, edge->first) && is_scattered(scop, edge->second));
}

/* --- regions ---------------------------------------------------------------------------------- */

bool region_sums(const struct plan_region *region, const struct scop_array *array)
{
    for (size_t i = 0; i < region->sums.count; i++)
        if (region->sums.at[i].array == array)
            return true;
    return false;
}

static void region_sum_add(struct scop *scop, struct plan_region *region,
                           const struct scop_access *access)
{
    if (!region_sums(region, access->array))
        vec_push(scop->arena, &region->sums,
                 ((struct plan_sum){access->array, access->reduction}));
}

/* Does an edge between members hold instances at different points of the axes? */
static bool edge_moves(const struct plan_region *region, const struct scop_edge *edge)
{
    const struct plan_member *from = region_member(region, edge->from->unit);
    const struct plan_member *to = region_member(region, edge->to->unit);
    if (!from || !to)
        return false;
    for (int axis = 0; axis < region->n_axes; axis++)
        if (from->axes[axis] == AT_POINT || to->axes[axis] == AT_POINT ||
            !edge_is_level(edge, from->axes[axis], to->axes[axis]))
            return true;
    return false;
}

/* Is the array only accumulated in, by the operator, as far as the region touches it but to begin
   and end its sums? */
static bool sum_is_alone(const struct plan_region *region, const struct plan_sum *sum)
{
    for (size_t i = 0; i < region->members.count; i++) {
        const struct scop_unit *unit = region->members.at[i].unit;
        if (member_is_end(region, &region->members.at[i]))
            continue;
        for (size_t k = 0; k < unit->stmts.count; k++)
            for (size_t a = 0; a < unit->stmts.at[k]->accesses.count; a++) {
                const struct scop_access *access = &unit->stmts.at[k]->accesses.at[a];
                if (access->array == sum->array && access->reduction != sum->reduction)
                    return false;
            }
    }
    return true;
}

/* Adds the scalars that the region's statements accumulate in. */
static void scalars_add(struct scop *scop, struct plan_region *region)
{
    for (size_t i = 0; i < region->members.count; i++) {
        const struct scop_unit *unit = region->members.at[i].unit;
        for (size_t k = 0; k < unit->stmts.count; k++)
            for (size_t a = 0; a < unit->stmts.at[k]->accesses.count; a++) {
                const struct scop_access *access = &unit->stmts.at[k]->accesses.at[a];
                if (access->is_write && access->array->is_summed && !access->array->n_dims)
                    region_sum_add(scop, region, access);
            }
    }
}

/* Does a subscript follow axes, parameters and loops of the host alone? */
static bool is_over_axes(const struct scop *scop, const struct plan_region *region,
                         const struct plan_member *member, int depth, const struct affine *form)
{
    for (int i = 0; i < form->n_terms; i++) {
        const struct scop_loop *loop = scop->symbols.at[form->terms[i].symbol].loop;
        bool good = !loop || loop->depth < depth;
        for (int axis = 0; axis < region->n_axes; axis++)
            good |= member_loop(member, axis) == loop;
        if (!good)
            return false;
    }
    return true;
}

/* Do all accumulations in the array have one list of subscripts, which the threads of a block
   share (ir/access/sums.h)? */
static bool sum_is_joined(const struct scop *scop, int depth, const struct plan_region *region,
                      const struct scop_array *array)
{
    struct access_walk walk;
    const struct scop_access *first = NULL;
    for (const struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk)) {
        const struct plan_member *member = region_member(region, walk.stmt->unit);
        if (!member || member_is_end(region, member))
            continue;
        first = first ? first : access;
        if (!accesses_are_equal(region, PART_ALL, first, access))
            return false;
        for (int dim = 0; dim < array->n_dims; dim++)
            if (!is_over_axes(scop, region, member, depth, &access->subscripts[dim]))
                return false;
    }
    return true;
}

bool region_sums_are_shared(const struct scop *scop, int depth, const struct plan_region *region)
{
    for (size_t i = 0; i < region->sums.count; i++) {
        const struct plan_sum *sum = &region->sums.at[i];
        if (!reduction_is_atomic(sum->reduction, sum_type(sum->array)) &&
            !sum_is_joined(scop, depth, region, sum->array))
            return false;
    }
    return true;
}

/* Along how many axes do iterations meet in one element of a sum whose bits depend on the order? */
static int ordered_axes(const struct plan_region *region)
{
    int most = 0;
    for (size_t i = 0; i < region->members.count; i++) {
        const struct plan_member *member = &region->members.at[i];
        for (size_t k = 0; k < member->unit->stmts.count; k++)
            for (size_t a = 0; a < member->unit->stmts.at[k]->accesses.count; a++) {
                const struct scop_access *access = &member->unit->stmts.at[k]->accesses.at[a];
                int n = 0;
                for (int axis = 0; axis < region->n_axes; axis++)
                    n += member_loop(member, axis) &&
                         is_missing(access, member_loop(member, axis));
                bool counts = access->is_write && region_sums(region, access->array) &&
                              !sum_is_exact(access->array, access->reduction);
                most = counts && n > most ? n : most;
            }
    }
    return most;
}

bool region_sums_find(struct scop *scop, const edge_list *edges, int depth,
                      struct plan_region *region)
{
    for (size_t i = 0; i < edges->count; i++) {
        const struct scop_edge *edge = &edges->at[i];
        if (edge->is_sum && edge->level > depth && edge_moves(region, edge))
            region_sum_add(scop, region, edge->first);
    }
    scalars_add(scop, region);
    for (size_t i = 0; i < region->sums.count; i++)
        if (!sum_is_alone(region, &region->sums.at[i]))
            return false;
    region->is_ordered = ordered_axes(region) > 1;
    return true;
}

/* Is a scalar that is summed declared in a loop which the region's own threads run? A loop of one
   round carries no dependence that would keep it on the host. */
static bool leaves_scope(const struct scop *scop, const struct plan_step *step,
                         const struct scop_stmt *stmt)
{
    for (size_t a = 0; a < stmt->accesses.count; a++) {
        const struct scop_array *array = stmt->accesses.at[a].array;
        if (array->is_summed && !array->n_dims &&
            map_get_pointer(scop->is_declared, array->decl) &&
            depth_set(scop, array) > step->depth)
            return true;
    }
    return false;
}

/* Does a statement of the region touch a scalar that is summed, but for reading its value? */
static bool scalars_are_sums(struct scop *scop, struct plan_step *step)
{
    static const edge_list none = {0};
    for (size_t i = 0; i < step->region.members.count; i++) {
        const struct scop_unit *unit = step->region.members.at[i].unit;
        if (unit->is_host)
            return false;
        for (size_t k = 0; k < unit->stmts.count; k++)
            if (leaves_scope(scop, step, unit->stmts.at[k]))
                return false;
    }
    return region_sums_find(scop, &none, 0, &step->region);
}

bool schedule_sums(struct scop *scop, plan_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        struct plan_step *step = steps->at[i];
        if (step->kind == PLAN_REGION && !scalars_are_sums(scop, step))
            return false;
        if (!schedule_sums(scop, &step->body))
            return false;
    }
    return true;
}
