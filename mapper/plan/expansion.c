/* Expansion: memory of its own for each iteration.

   In: a scop. Out: arrays and scalars that every iteration of the loops around all that touches
   them writes before it reads them, so that no value goes from one iteration to another: only their
   memory does, and that keeps the iterations in order. With memory of their own for each iteration
   they are independent. Where somebody reads the array behind the fragment, the last iteration's
   elements are put back; then it must write each that any iteration writes, and these must be all
   of a box. */
#include "mapper/forms/transformations.h"
#include "mapper/plan/change.h"
#include "mapper/scop/bounds.h"
#include "mapper/scop/depend.h"
#include "mapper/scop/extract.h"
#include "mapper/scop/sets.h"
#include "mapper/scop/values.h"
#include "mapper/scop/walk.h"
#include <isl/aff.h>
#include <stdlib.h>
#include <string.h>

/* The number of loops around all statements that touch the array; 0 if no statement touches the
   array. */
static int loops_around(const struct scop *scop, const struct scop_array *array,
                        const struct scop_stmt **first)
{
    int shared = 0;
    *first = NULL;
    for (size_t i = 0; i < scop->stmts.count; i++) {
        const struct scop_stmt *stmt = scop->stmts.at[i];
        bool touches = false;
        for (size_t k = 0; k < stmt->accesses.count; k++)
            touches |= stmt->accesses.at[k].array == array;
        if (!touches)
            continue;
        if (!*first) {
            *first = stmt;
            shared = stmt->depth;
        }
        int n = 0;
        while (n < shared && n < stmt->depth && stmt->loops[n] == (*first)->loops[n])
            n++;
        shared = n;
    }
    return shared;
}

/* --- values ----------------------------------------------------------------------------------- */

/* The instances of `reader` whose element `write` has written before in the same iteration of
   `depth` loops. */
static __isl_give isl_set *written_before(const struct scop_stmt *writer,
                                          const struct scop_access *write,
                                          const struct scop_stmt *reader,
                                          const struct scop_access *read, int depth)
{
    isl_map *pairs = scop_pairs_before(writer, write, reader, read);
    for (int i = 0; i < depth; i++)
        pairs = isl_map_equate(pairs, isl_dim_in, i, isl_dim_out, i);
    return isl_map_range(pairs);
}

/* Does each instance of the statement read what the same iteration of `depth` loops wrote? */
static bool read_stays(const struct scop *scop, const struct scop_stmt *reader,
                       const struct scop_access *read, int depth)
{
    struct access_walk walk;
    isl_set *open = isl_set_copy(reader->domain);
    for (const struct scop_access *write = access_first(&walk, scop, read->array); write;
         write = access_next(&walk))
        if (write->is_write && !write->is_may)
            open = isl_set_subtract(open, written_before(walk.stmt, write, reader, read, depth));
    isl_bool empty = isl_set_is_empty(open);
    isl_set_free(open);
    return empty == isl_bool_true;
}

/* Are all reads of the array of one element each, which the same iteration wrote? */
static bool values_stay(const struct scop *scop, const struct scop_array *array, int depth)
{
    struct access_walk walk;
    for (const struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk)) {
        for (int dim = 0; dim < array->n_dims; dim++)
            if (!access->is_affine[dim])
                return false;
        if (!access->is_write && !read_stays(scop, walk.stmt, access, depth))
            return false;
    }
    return true;
}

/* --- the text --------------------------------------------------------------------------------- */

static bool stmt_names(const struct scop_stmt *stmt, const struct ast *name)
{
    for (size_t i = 0; i < stmt->accesses.count; i++)
        if (access_name(&stmt->accesses.at[i]) == name)
            return true;
    return false;
}

bool stmt_is_replaceable(const struct scop *scop, const struct scop_stmt *stmt,
                         const struct scop_array *array)
{
    struct ast_walk walk;
    for (size_t i = 0; i < stmt->accesses.count; i++)
        if (stmt->accesses.at[i].array == array && !access_name(&stmt->accesses.at[i]))
            return false;
    for (const struct ast *n = ast_first(&walk, scop->arena, stmt->ast); n; n = ast_next(&walk)) {
        bool declares = n == array->decl;
        if (declares && (stmt->ast->kind != AST_DECLARE || stmt->ast->n_children != 1))
            return false;
        if ((declares || (n->kind == AST_REF && n->decl == array->decl)) && !stmt_names(stmt, n))
            return false;
    }
    return true;
}

static bool names_parameter(const struct scop *scop, const struct affine *a, const char *name)
{
    for (int k = 0; k < a->n_terms; k++) {
        const struct affine_symbol *symbol = &scop->symbols.at[a->terms[k].symbol];
        if (!symbol->loop && !strcmp(symbol->text, name))
            return true;
    }
    return false;
}

/* Is the parameter part of the least value of a loop's iterator? */
static bool begins_at(const struct scop *scop, const char *name)
{
    bool begins = false;
    for (size_t i = 0; i < scop->loops.count && !begins; i++) {
        const struct scop_loop *loop = scop->loops.at[i];
        begins = loop->step > 0 && names_parameter(scop, &loop->start, name);
        int n_limits = loop->step > 0 ? 0 : loop->n_limits;
        for (int k = 0; k < n_limits; k++)
            begins |= names_parameter(scop, &loop->limits[k], name);
    }
    return begins;
}

/* Does the fragment give such a name to a variable of its own? Subscripts of the new memory count
   from the least value, and would mean the variable there. */
static bool hides_start(const struct scop *scop)
{
    struct ast_walk walk;
    for (size_t i = 0; i < scop->fragment->n_statements; i++) {
        const struct ast *n = ast_first(&walk, scop->arena, scop->fragment->statements[i]);
        for (; n; n = ast_next(&walk))
            if (n->kind == AST_VARIABLE && n->name && begins_at(scop, n->name))
                return true;
    }
    return false;
}

static bool is_replaceable(const struct scop *scop, const struct scop_array *array)
{
    if (sizeof_asks(scop, array->decl) || hides_start(scop))
        return false;
    for (size_t i = 0; i < scop->stmts.count; i++)
        if (!stmt_is_replaceable(scop, scop->stmts.at[i], array))
            return false;
    return true;
}

/* --- last values ------------------------------------------------------------------------------ */

/* May somebody read the array behind the fragment? */
static bool is_read_behind(const struct scop *scop, const struct scop_array *array)
{
    const struct ast *decl = array->decl;
    const struct fragment *f = scop->fragment;
    struct ast_walk walk;
    if (!array->n_dims)
        return false;
    if (decl->kind != AST_VARIABLE || decl->is_global || decl->is_static ||
        decl->type->class == AST_TYPE_POINTER)
        return true;
    for (const struct ast *n = ast_first(&walk, scop->arena, f->body); n; n = ast_next(&walk))
        if (n->kind == AST_REF && n->decl == decl && (n->begin < f->begin || n->begin >= f->end))
            return true;
    return false;
}

/* The last iteration of a loop of the scop; false if it is not affine in parameters. */
static bool last_of(const struct scop *scop, const struct scop_loop *loop, struct affine *last)
{
    struct affine iterator = affine_iterator(loop);
    return llabs(loop->step) == 1 && affine_bound(scop, 0, &iterator, loop->step > 0, last);
}

/* Elements that the statements write, in the last iteration of the loops or in all. */
static __isl_give isl_set *elements_written(const struct scop *scop,
                                            const struct scop_array *array, int depth)
{
    struct access_walk walk;
    isl_set *all = NULL;
    for (const struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk)) {
        const struct scop_stmt *stmt = walk.stmt;
        if (!access->is_write)
            continue;
        isl_set *domain = isl_set_copy(stmt->domain);
        for (int at = 0; at < depth; at++) {
            struct affine iterator = affine_iterator(stmt->loops[at]), last;
            if (!last_of(scop, stmt->loops[at], &last))
                last = affine_constant(0);
            domain = isl_set_intersect(
                domain, isl_aff_eq_set(affine_isl(scop, place_in(stmt), &iterator),
                                       affine_isl(scop, place_in(stmt), &last)));
        }
        isl_set *one = isl_map_range(
            isl_map_intersect_domain(isl_map_copy(access->relation), domain));
        all = all ? isl_set_union(all, one) : one;
    }
    return all;
}

/* Parameters for which the memory has a size. */
static __isl_give isl_set *sizes_set(const struct scop *scop, const struct affine *extents, int n)
{
    isl_set *set = isl_set_params(loops_set(scop, place_outside()));
    struct affine zero = affine_constant(0);
    for (int i = 0; i < n; i++)
        set = isl_set_intersect(
            set, isl_set_params(isl_aff_gt_set(affine_isl(scop, place_outside(), &extents[i]),
                                               affine_isl(scop, place_outside(), &zero))));
    return set;
}

/* Loops over the elements that are touched; false if there is no box around them. */
static bool element_loops(struct scop *scop, const struct scop_array *array,
                          struct scop_loop **loops)
{
    struct affine lower[SUBSCRIPTS_MAX], upper[SUBSCRIPTS_MAX];
    for (int dim = 0; dim < array->n_dims; dim++)
        if (!hull_find(scop, array, NULL, dim, &lower[dim], &upper[dim]))
            return false;
    box_loops(scop, array, NULL, lower, upper, loops);
    return true;
}

/* Does the last iteration write all elements that any does, and are these a box? */
static bool is_restorable(struct scop *scop, const struct scop_array *array, int depth,
                          const struct scop_stmt *first, const struct affine *extents)
{
    struct scop_loop *loops[SUBSCRIPTS_MAX];
    struct affine last;
    for (int i = 0; i < depth; i++)
        if (!last_of(scop, first->loops[i], &last))
            return false;
    if (array_is_unsure(scop, array) || !element_loops(scop, array, loops))
        return false;
    isl_set *sizes = sizes_set(scop, extents, depth + array->n_dims);
    isl_set *box = isl_set_intersect_params(
        loops_set(scop, place_below((const struct scop_loop *const *)loops, array->n_dims)), sizes);
    isl_set *written = elements_written(scop, array, depth);
    isl_bool whole = isl_set_is_subset(box, written);
    isl_set_free(box);
    isl_set_free(written);
    return whole == isl_bool_true;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* An extent that is no number above 0 makes no memory. */
static bool is_extent(const struct affine *extent)
{
    return extent->n_terms > 0 || extent->constant > 0;
}

/* How many values an iterator has, and where they start. */
static bool iterations_find(const struct scop *scop, const struct scop_loop *loop,
                            struct affine *start, struct affine *extent)
{
    struct affine iterator = affine_iterator(loop), one = affine_constant(1);
    if (!affine_bound(scop, 0, &iterator, false, start) ||
        !affine_bound(scop, 0, &iterator, true, extent))
        return false;
    if (!start->n_terms && start->constant > 0 && start->constant < 4)
        *start = affine_constant(0);
    return affine_add(extent, start, -1) && affine_add(extent, &one, 1) && is_extent(extent);
}

/* False if no box of parameters holds what is needed. */
static bool loop_extents(struct scop *scop, const struct scop_array *array, int depth,
                         const struct scop_stmt *first, struct affine *extents)
{
    struct affine start, one = affine_constant(1);
    for (int i = 0; i < depth; i++)
        if (!iterations_find(scop, first->loops[i], &start, &extents[i]))
            return false;
    for (int dim = 0; dim < array->n_dims; dim++)
        if (!hull_find(scop, array, NULL, dim, &start, &extents[depth + dim]) ||
            !affine_add(&extents[depth + dim], &one, 1) || !is_extent(&extents[depth + dim]))
            return false;
    return true;
}

/* The most subscripts of an array of the fragment: no memory of a higher power is allocated. */
static int dims_most(const struct scop *scop)
{
    int most = 0;
    for (size_t i = 0; i < scop->arrays.count; i++) {
        const struct scop_array *array = scop->arrays.at[i];
        int dims = array->n_pitches ? array->n_pitches + 1 : array->n_dims;
        most = dims > most ? dims : most;
    }
    return most;
}

static void expansion_find(struct scop *scop, const struct scop_array *array,
                           struct change_list *list)
{
    const struct scop_stmt *first;
    struct affine extents[SUBSCRIPTS_MAX];
    int most = dims_most(scop) - array->n_dims, depth = loops_around(scop, array, &first);
    if (!is_replaceable(scop, array))
        return;
    for (depth = depth < most ? depth : most; depth > 0; depth--)
        if (values_stay(scop, array, depth))
            break;
    if (depth <= 0 || !loop_extents(scop, array, depth, first, extents))
        return;
    struct scop_change change = {.row = TRANSFORMATION_EXPANSION, .decl = array->decl,
                                 .depth = depth, .restores = is_read_behind(scop, array)};
    if (!change.restores || is_restorable(scop, array, depth, first, extents))
        vec_push(scop->arena, list, change);
}

void expansions_find(struct scop *scop, struct change_list *list)
{
    size_t count = scop->arrays.count;
    for (size_t i = 0; i < count; i++) {
        const struct scop_array *array = scop->arrays.at[i];
        bool is_scalar = !array->n_dims && type_is_scalar(array->decl->type) &&
                         !array->is_host &&
                         (array->is_private ||
                          (array->is_carried && !array->is_live_in && !array->is_live_out));
        if (array->is_written && !array->memory && !array->n_pitches &&
            (array->n_dims || is_scalar))
            expansion_find(scop, array, list);
    }
}

/* --- the change ------------------------------------------------------------------------------- */

/* The element of the array in an iteration's own memory. */
static void access_move(struct scop *scop, struct scop_access *access,
                        const struct scop_memory *memory)
{
    for (int i = access->array->n_dims; i-- > 0;) {
        access->subscripts[i + memory->n_loops] = access->subscripts[i];
        access->is_affine[i + memory->n_loops] = true;
    }
    for (int i = 0; i < memory->n_loops; i++) {
        access->subscripts[i] = affine_iterator(memory->loops[i]);
        affine_add(&access->subscripts[i], &memory->starts[i], -1);
        access->is_affine[i] = true;
    }
    map_put_pointer(scop->moved, access_name(access), (void *)memory);
    access->array = (struct scop_array *)memory->array;
    access->relation = NULL;
}

/* Puts the last iteration's elements back. */
static void restore_add(struct scop *scop, struct scop_array *array,
                        const struct scop_memory *memory)
{
    struct scop_loop *loops[SUBSCRIPTS_MAX];
    struct scop_access from = {.array = (struct scop_array *)memory->array};
    struct scop_access to = {.array = array};
    if (!element_loops(scop, array, loops))
        return;
    for (int i = 0; i < memory->n_loops; i++) {
        if (!last_of(scop, memory->loops[i], &from.subscripts[i]))
            return;
        affine_add(&from.subscripts[i], &memory->starts[i], -1);
    }
    for (int i = 0; i < array->n_dims; i++)
        from.subscripts[memory->n_loops + i] = to.subscripts[i] = affine_iterator(loops[i]);
    copy_add(scop, true, loops, array->n_dims, from, to);
}

void expansion_apply(struct scop *scop, const struct scop_change *change)
{
    struct scop_array *array = array_find(scop, change->decl);
    const struct scop_stmt *first;
    struct access_walk walk;
    struct scop_memory *memory = memory_add(scop, array, change->depth + array->n_dims);
    loops_around(scop, array, &first);
    memory->n_loops = change->depth;
    loop_extents(scop, array, change->depth, first, memory->extents);
    for (int i = 0; i < change->depth; i++) {
        struct affine extent;
        memory->loops[i] = first->loops[i];
        iterations_find(scop, first->loops[i], &memory->starts[i], &extent);
    }
    if (change->restores)
        restore_add(scop, array, memory);
    for (struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk))
        if (!walk.stmt->node->is_copy)
            access_move(scop, access, memory);
}
