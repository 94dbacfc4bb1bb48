/* Copying: what is read of an array as it was before the fragment is read from a copy.

   In: a scop. Out: arrays that the fragment overwrites in place, and those reads of them that come
   before every write of their element. Such a read only has to be made before the write; from a
   copy made first it may be made at any time. The copy holds the box around the elements read,
   whose ends are read, so that it lies within the array. */
#include "mapper/forms/transformations.h"
#include "mapper/plan/change.h"
#include "mapper/scop/claim.h"
#include "mapper/scop/depend.h"
#include "mapper/scop/sets.h"
#include "mapper/scop/walk.h"
#include <isl/aff.h>

static bool has_pairs(const struct scop_stmt *from, const struct scop_access *first,
                      const struct scop_stmt *to, const struct scop_access *second)
{
    isl_map *pairs = scop_pairs_before(from, first, to, second);
    isl_bool empty = isl_map_is_empty(pairs);
    isl_map_free(pairs);
    return empty != isl_bool_true;
}

/* Does a write of the array stand in the same text, as in x += 1? */
static bool is_written_too(const struct scop_stmt *stmt, const struct scop_access *read)
{
    for (size_t i = 0; i < stmt->accesses.count; i++)
        if (stmt->accesses.at[i].is_write && stmt->accesses.at[i].ast == read->ast)
            return true;
    return false;
}

/* Does the read come before every write of its element, and before one at least? */
static bool is_input(const struct scop *scop, const struct scop_stmt *stmt,
                     const struct scop_access *read)
{
    struct access_walk walk;
    bool is_overwritten = false;
    if (read->is_write || is_written_too(stmt, read) || !access_name(read))
        return false;
    for (int dim = 0; dim < read->array->n_dims; dim++)
        if (!read->is_affine[dim])
            return false;
    for (const struct scop_access *write = access_first(&walk, scop, read->array); write;
         write = access_next(&walk)) {
        if (!write->is_write)
            continue;
        if (has_pairs(walk.stmt, write, stmt, read))
            return false;
        is_overwritten = is_overwritten || has_pairs(stmt, read, walk.stmt, write);
    }
    return is_overwritten;
}

/* --- the box ---------------------------------------------------------------------------------- */

static bool reads_by(const name_list *names, const struct scop_access *access)
{
    return !access->is_write && names_have(names, access);
}

/* Is the end of the box along an axis touched, wherever the memory has a size? */
static bool end_is_touched(struct scop *scop, __isl_keep isl_set *touched, int dim, int n_dims,
                           const struct affine *end)
{
    struct scop_loop *loop = loop_add(scop, NULL, 0, end, end);
    const struct scop_loop *const loops[] = {loop};
    isl_set *along = isl_set_copy(touched);
    along = isl_set_project_out(along, isl_dim_set, (unsigned)dim + 1,
                                (unsigned)(n_dims - dim - 1));
    along = isl_set_project_out(along, isl_dim_set, 0, (unsigned)dim);
    isl_set *point = isl_set_intersect_params(loops_set(scop, place_below(loops, 1)),
                                              isl_set_params(isl_set_copy(touched)));
    isl_bool good = isl_set_is_subset(point, along);
    isl_set_free(point);
    isl_set_free(along);
    return good == isl_bool_true;
}

/* Elements that the reads touch. */
static __isl_give isl_set *elements_read(const struct scop *scop, const name_list *names)
{
    isl_set *all = NULL;
    for (size_t i = 0; i < scop->stmts.count; i++)
        for (size_t k = 0; k < scop->stmts.at[i]->accesses.count; k++) {
            const struct scop_access *access = &scop->stmts.at[i]->accesses.at[k];
            if (!reads_by(names, access))
                continue;
            isl_set *one = isl_map_range(isl_map_copy(access->relation));
            all = all ? isl_set_union(all, one) : one;
        }
    return all;
}

/* The box around the reads; false if there is none over parameters, or not all of it is the
   array's: wherever the box has points, something must be read, or the text tests that
   (claim.c). */
static bool box_find(struct scop *scop, const struct scop_array *array, const name_list *names,
                     struct affine *lower, struct affine *upper)
{
    const struct scop_place outside = place_outside();
    isl_set *touched = elements_read(scop, names);
    isl_set *sizes = isl_set_params(loops_set(scop, outside));
    bool good = touched != NULL;
    for (int dim = 0; dim < array->n_dims && good; dim++) {
        good = hull_find(scop, array, names, dim, &lower[dim], &upper[dim]);
        good = good && end_is_touched(scop, touched, dim, array->n_dims, &lower[dim]) &&
               end_is_touched(scop, touched, dim, array->n_dims, &upper[dim]);
        if (good)
            sizes = isl_set_intersect(
                sizes, isl_set_params(isl_aff_ge_set(affine_isl(scop, outside, &upper[dim]),
                                                     affine_isl(scop, outside, &lower[dim]))));
    }
    isl_set *all = loops_set(scop, outside);
    isl_set *idle = isl_set_subtract(
        isl_set_copy(all), isl_set_intersect_params(isl_set_copy(all), isl_set_params(touched)));
    sizes = isl_set_intersect_params(isl_set_copy(idle), sizes);
    if (good && isl_set_is_empty(sizes) != isl_bool_true)
        good = scop_claim(scop, all, isl_set_copy(idle));
    isl_set_free(idle);
    isl_set_free(sizes);
    isl_set_free(all);
    return good;
}

/* --- candidates ------------------------------------------------------------------------------- */

static void inputs_find(const struct scop *scop, const struct scop_array *array, name_list *names)
{
    struct access_walk walk;
    for (const struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk))
        if (is_input(scop, walk.stmt, access))
            vec_push(scop->arena, names, access_name(access));
}

void copyings_find(struct scop *scop, struct change_list *list)
{
    struct affine lower[SUBSCRIPTS_MAX], upper[SUBSCRIPTS_MAX];
    size_t count = scop->arrays.count;
    for (size_t i = 0; i < count; i++) {
        const struct scop_array *array = scop->arrays.at[i];
        struct scop_change change = {.row = TRANSFORMATION_COPYING, .decl = array->decl};
        if (!array->n_dims || array->n_pitches || !array->is_written || array->memory)
            continue;
        isl_set *claims = scop->claims;
        inputs_find(scop, array, &change.names);
        if (change.names.count && box_find(scop, array, &change.names, lower, upper))
            vec_push(scop->arena, list, change);
        scop->claims = claims;
    }
}

/* --- the change ------------------------------------------------------------------------------- */

void copying_apply(struct scop *scop, const struct scop_change *change)
{
    struct access_walk walk;
    struct scop_loop *loops[SUBSCRIPTS_MAX];
    struct scop_array *array = array_find(scop, change->decl);
    struct affine lower[SUBSCRIPTS_MAX], upper[SUBSCRIPTS_MAX], one = affine_constant(1);
    struct scop_memory *memory = memory_add(scop, array, array->n_dims);
    struct scop_access from = {.array = array}, to = {.array = (struct scop_array *)memory->array};
    if (!box_find(scop, array, &change->names, lower, upper))
        return;
    box_loops(scop, array, &change->names, lower, upper, loops);
    for (int dim = 0; dim < array->n_dims; dim++) {
        memory->extents[dim] = upper[dim];
        affine_add(&memory->extents[dim], &one, 1);
        from.subscripts[dim] = to.subscripts[dim] = affine_iterator(loops[dim]);
    }
    for (struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk)) {
        if (!reads_by(&change->names, access))
            continue;
        map_put_pointer(scop->moved, access_name(access), memory);
        access->array = (struct scop_array *)memory->array;
        access->relation = NULL;
    }
    copy_add(scop, false, loops, array->n_dims, from, to);
}
