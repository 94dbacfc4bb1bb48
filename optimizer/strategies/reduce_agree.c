/* Which elements a block reads at a point of the grid.

   In: two places of an array in bands of the block. Out: whether all that the later one reads is
   what the first one reads or stores, by the rules of reduce_rows.c, and the extents and
   subscripts of a row that holds it between the two. Subscripts are compared as sums of addends, in
   any order. */
#include "optimizer/strategies/reduce_rows.h"
#include "ir/walk.h"

/* Is the expression one for all threads and rounds of a point? */
static bool is_of_point(const struct reducing *r, const struct expr *e)
{
    struct expr_walk walk;
    for (const struct expr *at = expr_first(&walk, r->arena, e); at; at = expr_next(&walk)) {
        bool known = at->kind != EXPR_VAR || at->var->kind == VAR_PARAM;
        for (int i = 0; i < r->kernel->n_grid && !known; i++)
            known = r->kernel->grid[i].var == at->var;
        if (!known || at->kind == EXPR_LOAD || at->kind == EXPR_CALL)
            return false;
    }
    return true;
}

/* Are the conditions over numbers alone, which nothing between the two sites can change? */
static bool conditions_stay(const struct reducing *r, const struct row_site *site)
{
    struct expr_walk walk;
    for (size_t i = 0; i < site->conditions.count; i++) {
        const struct expr *e = expr_first(&walk, r->arena, site->conditions.at[i]);
        for (; e; e = expr_next(&walk))
            if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL)
                return false;
    }
    return true;
}

/* --- subscripts ------------------------------------------------------------------------------- */

void addends_list(struct arena *arena, const struct expr *e, addend_list *list)
{
    if (e->kind == EXPR_BINARY && e->op == OP_ADD) {
        addends_list(arena, e->arguments[0], list);
        addends_list(arena, e->arguments[1], list);
    } else {
        vec_push(arena, list, e);
    }
}

bool addends_take(struct arena *arena, addend_list *list, const struct expr *sum)
{
    addend_list left = {0}, taken = {0};
    for (size_t i = 0; i < list->count; i++)
        vec_push(arena, &left, list->at[i]);
    addends_list(arena, sum, &taken);
    for (size_t i = 0; i < taken.count; i++) {
        size_t at = 0;
        while (at < left.count && !expr_equal(left.at[at], taken.at[i]))
            at++;
        if (at == left.count)
            return false;
        left.at[at] = left.at[--left.count];
    }
    *list = left;
    return true;
}

/* Makes the addends the base of the values; false if a thread or a round changes one. */
static bool base_set(const struct reducing *r, const addend_list *rest, struct row_values *values)
{
    for (size_t i = 0; i < rest->count; i++) {
        if (!is_of_point(r, rest->at[i]))
            return false;
        values->base = expr_join(r->arena, OP_ADD, values->base, rest->at[i]);
    }
    return true;
}

/* The loop's variable + the number of the thread among those along the axes. */
static const struct expr *lane_of(const struct reducing *r, const struct row_site *site,
                                  unsigned axes)
{
    return reduce_binary(r, OP_ADD, expr_var(r->arena, site->loop->var),
                         block_number(r, site->band->axes, axes));
}

static struct row_values lanes_values(const struct reducing *r, const struct row_site *site,
                                      const struct expr *subscript)
{
    for (unsigned axes = 1; axes < 1u << r->kernel->n_block; axes++) {
        struct row_values values = {.way = WAY_LANES, .axes = axes};
        addend_list addends = {0};
        addends_list(r->arena, subscript, &addends);
        if (expr_equal(site->loop->step, block_points(r->arena, r->kernel, axes)) &&
            addends_take(r->arena, &addends, lane_of(r, site, axes)) &&
            base_set(r, &addends, &values))
            return values;
    }
    return (struct row_values){WAY_NONE};
}

struct row_values columns_values(const struct reducing *r, const struct row_site *site,
                                        const struct expr *subscript)
{
    const struct stmt *inner = site->inner;
    int n = site->band->n_axes;
    for (int i = 0; i <= n; i++) {
        struct row_values values = {.way = WAY_COLUMNS};
        addend_list addends = {0};
        if (i < n) {
            values.column = site->band->axes[i].var;
            values.count = site->band->axes[i].extent;
        } else if (inner) {
            values.column = inner->var;
            values.count = inner->to;
        } else {
            break;
        }
        addends_list(r->arena, subscript, &addends);
        if (addends_take(r->arena, &addends, expr_var(r->arena, values.column)) &&
            base_set(r, &addends, &values))
            return values;
    }
    return (struct row_values){WAY_NONE};
}

static struct row_values values_of(const struct reducing *r, const struct row_site *site, int dim)
{
    const struct expr *subscript = site->subscripts[dim];
    if (is_of_point(r, subscript))
        return (struct row_values){.way = WAY_POINT, .base = subscript};
    struct row_values values = lanes_values(r, site, subscript);
    return values.way ? values : columns_values(r, site, subscript);
}

static bool values_equal(const struct row_values *a, const struct row_values *b)
{
    bool same_base = a->base && b->base ? expr_equal(a->base, b->base) : a->base == b->base;
    return a->way && a->way == b->way && same_base &&
           (a->way != WAY_COLUMNS || expr_equal(a->count, b->count));
}

/* --- conditions ------------------------------------------------------------------------------- */

/* A site's conditions in terms of the lane and the column. */
struct row_terms {
    const struct reducing *r;
    const struct row_site *site;
    unsigned axes;
    const struct var *column;        /* NULL = there are no columns */
    const struct var *lane, *place;  /* which stand for the lane and for the column's number */
};

static const struct expr *term_put(void *state, const struct expr *e)
{
    const struct row_terms *terms = state;
    struct arena *arena = terms->r->arena;
    addend_list addends = {0};
    if (e->kind == EXPR_VAR && e->var == terms->column)
        return expr_var(arena, terms->place);
    if (e->kind != EXPR_BINARY || e->op != OP_ADD)
        return e;
    addends_list(arena, e, &addends);
    return addends_take(arena, &addends, lane_of(terms->r, terms->site, terms->axes)) &&
                   !addends.count
               ? expr_var(arena, terms->lane)
               : e;
}

static void conjuncts_list(struct arena *arena, const struct expr *e, addend_list *list)
{
    if (e->kind == EXPR_BINARY && e->op == OP_LAND) {
        conjuncts_list(arena, e->arguments[0], list);
        conjuncts_list(arena, e->arguments[1], list);
    } else {
        vec_push(arena, list, e);
    }
}

static addend_list terms_conditions(const struct row_terms *terms)
{
    /* A lane's number may hold a variable that is a column's elsewhere: lanes first. */
    struct row_terms lanes = *terms, columns = *terms;
    addend_list list = {0};
    struct arena *arena = terms->r->arena;
    lanes.column = NULL;
    for (size_t i = 0; i < terms->site->conditions.count; i++) {
        const struct expr *e = expr_rewrite(arena, terms->site->conditions.at[i], term_put, &lanes);
        conjuncts_list(arena, expr_rewrite(arena, e, term_put, &columns), &list);
    }
    return list;
}

static bool has_condition(const addend_list *list, const struct expr *e)
{
    for (size_t i = 0; i < list->count; i++)
        if (expr_equal(list->at[i], e))
            return true;
    return false;
}

/* Is what the later site reads at a point stored by the first one? */
static bool conditions_agree(const struct row_terms *first, const struct row_terms *later)
{
    const struct reducing *r = first->r;
    addend_list stored = terms_conditions(first), read = terms_conditions(later);
    const struct stmt *loop = later->site->loop;
    bool below = expr_equal(first->site->loop->step, loop->step) ||
                 has_condition(&read, reduce_binary(r, OP_LT, expr_var(r->arena, first->lane),
                                                    loop->to));
    for (size_t i = 0; i < stored.count && below; i++)
        below = has_condition(&read, stored.at[i]);
    return below;
}

static bool loops_agree(const struct reducing *r, const struct row_site *first,
                        const struct row_site *later)
{
    return expr_equal(first->loop->from, later->loop->from) &&
           expr_equal(first->loop->to, later->loop->to) && is_of_point(r, first->loop->from) &&
           is_of_point(r, first->loop->to);
}

bool sites_agree(const struct reducing *r, const struct row_site *first,
                        const struct row_site *later, struct row_shape *shape)
{
    struct arena *arena = r->arena;
    const struct array *array = first->array;
    struct names names = r->names;
    struct row_terms terms[2] = {{.r = r, .site = first}, {.r = r, .site = later}};
    int n_lanes = 0, n_columns = 0;
    *shape = (struct row_shape){0};
    if (array != later->array || !later->load || !conditions_stay(r, first) ||
        !loops_agree(r, first, later))
        return false;
    for (int i = 0; i < array->n_dims; i++) {
        struct row_values a = values_of(r, first, i), b = values_of(r, later, i);
        if (!values_equal(&a, &b))
            return false;
        if (a.way == WAY_LANES) {
            n_lanes++;
            shape->dims[0] = array->dims[i];
            shape->stored[0] = first->arguments[i];
            shape->read[0] = later->arguments[i];
            terms[0].axes = a.axes;
            terms[1].axes = b.axes;
        } else if (a.way == WAY_COLUMNS) {
            n_columns++;
            shape->dims[1] = reduce_binary(r, OP_ADD, a.count, reduce_number(r, 1));
            shape->stored[1] = expr_var(arena, a.column);
            shape->read[1] = expr_var(arena, b.column);
            terms[0].column = a.column;
            terms[1].column = b.column;
        }
    }
    if (n_lanes != 1 || n_columns > 1 || !shape->dims[0])
        return false;
    terms[0].lane = terms[1].lane = var_new(arena, names_fresh(&names, "lane"),
                                            first->loop->var->type, VAR_ITERATOR);
    terms[0].place = terms[1].place = var_new(arena, names_fresh(&names, "column"), TYPE_I32,
                                              VAR_ITERATOR);
    shape->n_dims = 1 + n_columns;
    shape->is_shared = terms[0].axes != terms[1].axes || first->inner != later->inner;
    return conditions_agree(&terms[0], &terms[1]);
}
