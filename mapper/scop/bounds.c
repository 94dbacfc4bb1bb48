/* Bounds as affine forms, over parameters and the iterators of loops that stay.

   In: forms, constraints of isl, relations. Out: an affine lower or upper bound with whole factors,
   or none. Iterators of other loops in a form are replaced by their own bounds. */
#include "mapper/scop/bounds.h"
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

/* The innermost iterator of a form at or below `depth`; NULL if there is none. */
static const struct affine_term *innermost_of(const struct scop *scop, int depth,
                                              const struct affine *form)
{
    const struct affine_term *found = NULL;
    int deepest = depth - 1;
    for (int i = 0; i < form->n_terms; i++) {
        const struct scop_loop *loop = scop->symbols.at[form->terms[i].symbol].loop;
        if (!loop || loop->depth <= deepest)
            continue;
        deepest = loop->depth;
        found = &form->terms[i];
    }
    return found;
}

/* Innermost first, so that what an inner bound has in common with the form cancels: j - i is at
   least 1 where j begins at i + 1. */
bool affine_bound(const struct scop *scop, int depth, const struct affine *form, bool upper,
                  struct affine *out)
{
    *out = *form;
    for (;;) {
        const struct affine_term *term = innermost_of(scop, depth, out);
        if (!term)
            return true;
        const struct scop_loop *loop = scop->symbols.at[term->symbol].loop;
        int64_t factor = term->factor;
        bool greatest = (factor > 0) == upper;
        bool is_start = (loop->step > 0) != greatest;
        struct affine iterator = affine_iterator(loop);
        if (!affine_add(out, &iterator, -factor) ||
            !affine_add(out, is_start ? &loop->start : &loop->limits[0], factor))
            return false;
    }
}

bool bound_join(struct affine *bound, const struct affine *other, bool upper)
{
    struct affine same = *other;
    bool further = upper ? other->constant > bound->constant : other->constant < bound->constant;
    same.constant = bound->constant;
    if (!affine_equal(bound, &same))
        return false;
    if (further)
        *bound = *other;
    return true;
}

/* --- constraints of isl ----------------------------------------------------------------------- */

/* The dimension of a symbol in a statement's instances, or the symbol's place among the parameters;
   -1 for an iterator of another loop. */
static int dimension_of(const struct scop *scop, const struct scop_stmt *stmt, size_t number)
{
    const struct affine_symbol *symbol = &scop->symbols.at[number];
    if (!symbol->loop)
        return symbol->param;
    for (int i = 0; i < stmt->depth; i++)
        if (stmt->loops[i] == symbol->loop)
            return i;
    return -1;
}

/* Adds factor * (what the constraint says of the symbol) to the bound; false on overflow. */
static bool term_read(const struct scop *scop, const struct scop_stmt *stmt,
                      __isl_keep isl_constraint *constraint, size_t number, long factor,
                      struct affine *bound)
{
    bool is_loop = scop->symbols.at[number].loop != NULL;
    int place = dimension_of(scop, stmt, number);
    struct affine term = {.n_terms = 1, .terms = {{(int)number, 1}}};
    if (place < 0)
        return true;
    isl_val *value = isl_constraint_get_coefficient_val(
        constraint, is_loop ? isl_dim_set : isl_dim_param, place);
    bool good = isl_val_is_zero(value) ||
                affine_add(bound, &term, factor * isl_val_get_num_si(value));
    isl_val_free(value);
    return good;
}

bool constraint_bound(const struct scop *scop, const struct scop_stmt *stmt,
                      __isl_keep isl_constraint *constraint, int at, bool upper,
                      struct affine *bound)
{
    isl_val *own = isl_constraint_get_coefficient_val(constraint, isl_dim_set, at);
    isl_val *rest = isl_constraint_get_constant_val(constraint);
    long factor = isl_val_is_one(own) ? 1 : -1;
    bool is_unit = isl_val_is_one(own) || isl_val_is_negone(own);
    bool good = is_unit && !isl_constraint_dim(constraint, isl_dim_div) &&
                (isl_constraint_is_equality(constraint) || (factor < 0) == upper);
    *bound = affine_constant(-factor * isl_val_get_num_si(rest));
    isl_val_free(own);
    isl_val_free(rest);
    if (!good)
        return false;
    for (size_t i = 0; i < scop->symbols.count; i++) {
        bool is_own = scop->symbols.at[i].loop && dimension_of(scop, stmt, i) == at;
        if (!is_own && !term_read(scop, stmt, constraint, i, -factor, bound))
            return false;
    }
    return true;
}

/* Elements are no instances of a statement: they have no loops. */
static const struct scop_stmt nowhere = {.depth = 0};

struct row_search {
    const struct scop *scop;
    bool upper, found;
    struct affine bound;
};

/* Takes the bound of the fewest parameters. */
static isl_stat row_take(__isl_take isl_constraint *constraint, void *data)
{
    struct row_search *search = data;
    struct affine bound;
    bool is_bound = constraint_bound(search->scop, &nowhere, constraint, 0, search->upper,
                                     &bound);
    if (is_bound && (!search->found || bound.n_terms < search->bound.n_terms)) {
        search->bound = bound;
        search->found = true;
    }
    isl_constraint_free(constraint);
    return isl_stat_ok;
}

/* Each convex part of the touched rows alone. */
struct ranges_search {
    const struct scop *scop;
    struct affine *first, *last;
    int count, most;
    bool known;                      /* all of them so far */
};

/* The bounds of a convex set along its only axis. */
static bool bounds_take(const struct scop *scop, __isl_keep isl_basic_set *rows,
                        struct affine *first, struct affine *last)
{
    bool good = true;
    for (int side = 0; side < 2 && good; side++) {
        struct row_search search = {.scop = scop, .upper = side};
        good = isl_basic_set_foreach_constraint(rows, row_take, &search) == isl_stat_ok &&
               search.found;
        *(side ? last : first) = search.bound;
    }
    return good;
}

static isl_stat part_take(__isl_take isl_basic_set *part, void *data)
{
    struct ranges_search *search = data;
    int at = search->count++;
    search->known = search->known && at < search->most &&
                    bounds_take(search->scop, part, &search->first[at], &search->last[at]);
    isl_basic_set_free(part);
    return isl_stat_ok;
}

int relation_rows(const struct scop *scop, const struct scop_access *access, int most,
                  struct affine *first, struct affine *last)
{
    isl_set *rows = isl_map_range(isl_map_copy(access->relation));
    rows = isl_set_project_out(rows, isl_dim_set, 1, (unsigned)access->array->n_dims - 1);
    rows = isl_set_coalesce(isl_set_remove_divs(rows));
    isl_basic_set *hull = isl_set_simple_hull(isl_set_copy(rows));
    hull = isl_basic_set_remove_redundancies(hull);
    struct ranges_search parts = {scop, first, last, 0, most, true};
    bool is_whole = bounds_take(scop, hull, first, last);
    bool good = is_whole || isl_set_foreach_basic_set(rows, part_take, &parts) == isl_stat_ok;
    isl_basic_set_free(hull);
    isl_set_free(rows);
    return is_whole ? 1 : good && parts.known ? parts.count : 0;
}
