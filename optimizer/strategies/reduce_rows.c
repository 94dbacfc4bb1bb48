/* Rows that a block reads twice: once before a sum that it uses is complete, and once behind it.

   In: the body of a point of the grid with such a sum. Out: arrays in shared memory for what both
   parts read of an array at the same place: the lanes that read an element first store it there,
   and later ones take it from there,
       for (j0 …) band { own += (row[j0 + l] = a[i][j0 + l]) * x[j0 + l]; }
       …
       for (j0 …) band { y_copy[j0 + l] += row[j0 + l] * t; }
   so that a row moves once, whatever its length. The tree of the sum stands between the two, with
   its barriers. The reads stand in loops around bands of the block, in an array that the kernel
   does not store to. Of their subscripts
   - one goes through all lanes: the loop's variable + the number of the thread among so many as the
     loop's step says, so that it takes each value between the loop's bounds, which are equal. The
     row is as long as the array along this axis;
   - one may go through columns: an expression that is the same for the whole point + an axis of
     the block, or + the variable of a thread's own loop over as many; the row has a column for
     each, and one more, so that neighbouring lanes are in unlike banks;
   - the others are the same for the whole point, and equal.
   The first read is under no condition on the lane's and the column's number but those of the later
   one, which is below the loop's bound if the loops take unlike steps: so whatever is read later
   was stored. If another thread has stored it, a barrier parts it from the next point of the grid.
   A row counts for the block's shared memory like a tile, and drop-caching takes it away.

   Elements of a sum that a block uses are read in the same way from the place where its trees left
   them: their subscript goes through the columns.
   Source: design, "Spans, strips". */
#include "ir/walk.h"
#include "optimizer/strategies/reduce.h"

/* Where a load stands: the loop of the block and what surrounds it in the band, lets put in;
   `inner`: a thread's own loop, NULL if there is none. */
struct row_site {
    const struct expr *load;
    const struct stmt *loop, *band, *inner;
    const struct expr *const *subscripts;
    VEC(const struct expr *) conditions;
};

struct row_value {
    const struct var *var;
    const struct expr *value;
};

struct row_reading {
    const struct reducing *r;
    const struct stmt *loop, *band, *inner;
    VEC(struct row_value) values;
    VEC(const struct expr *) conditions;
    VEC(struct row_site) sites;
    bool is_plain;                           /* nothing but bands, conditions and lets so far */
};

/* --- reading ---------------------------------------------------------------------------------- */

static const struct expr *let_value(void *state, const struct var *var)
{
    const struct row_reading *reading = state;
    for (size_t i = reading->values.count; i-- > 0;)
        if (reading->values.at[i].var == var)
            return reading->values.at[i].value;
    return NULL;
}

static const struct expr *with_values(struct row_reading *reading, const struct expr *e)
{
    return expr_substitute(reading->r->arena, e, let_value, reading);
}

static void site_add(struct row_reading *reading, const struct expr *load)
{
    struct arena *arena = reading->r->arena;
    int n = load->array->n_dims;
    const struct expr **subscripts = ARENA_ARRAY(arena, const struct expr *, n);
    struct row_site site = {.load = load,
                            .loop = reading->loop,
                            .band = reading->band,
                            .inner = reading->inner};
    for (int i = 0; i < n; i++)
        subscripts[i] = with_values(reading, load->arguments[i]);
    for (size_t i = 0; i < reading->conditions.count; i++)
        vec_push(arena, &site.conditions, reading->conditions.at[i]);
    site.subscripts = subscripts;
    vec_push(arena, &reading->sites, site);
}

/* May the load be one from a row, or of a sum that the block uses? */
static bool load_matters(const struct reducing *r, const struct expr *e)
{
    if (e->kind != EXPR_LOAD || e->array->space != SPACE_GLOBAL)
        return false;
    for (int i = 0; i < r->n_trees; i++)
        if (r->trees[i].sum->is_used && r->trees[i].sum->array == e->array)
            return true;
    return e->array->n_dims > 1 && !stmt_stores_to(r->kernel->body, e->array);
}

static void loads_read(struct row_reading *reading, const struct stmt *s)
{
    struct expr_walk walk;
    const struct expr *e = stmt_first_expr(&walk, reading->r->arena, s);
    for (; e; e = expr_next(&walk))
        if (load_matters(reading->r, e))
            site_add(reading, e);
}

/* Does the loop run through 0, 1, … up to a literal? */
static bool loop_counts(const struct row_reading *reading, const struct stmt *s)
{
    int64_t from, to, step;
    return !reading->inner && expr_get_integer(s->from, &from) && from == 0 &&
           expr_get_integer(s->step, &step) && step == 1 && expr_get_integer(s->to, &to) &&
           !stmt_sets_var(s->children[0], s->var);
}

/* The loads of a band's statements; those behind any other statement are left out. */
static void band_read(struct row_reading *reading, const struct stmt *s)
{
    size_t n = reading->conditions.count;
    switch (s->kind) {
    case STMT_SEQUENCE:
        for (int i = 0; i < s->n_children; i++)
            band_read(reading, s->children[i]);
        break;
    case STMT_LET:
        if (s->value && !stmt_sets_var(reading->band, s->var) && !type_is_floating(s->var->type))
            vec_push(reading->r->arena, &reading->values,
                     ((struct row_value){s->var, with_values(reading, s->value)}));
        break;
    case STMT_IF:
        vec_push(reading->r->arena, &reading->conditions, with_values(reading, s->value));
        if (!s->children[1] && reading->is_plain)
            band_read(reading, s->children[0]);
        reading->is_plain &= !s->children[1];
        reading->conditions.count = n;
        break;
    case STMT_STORE:
        if (s->reduction && reading->is_plain)
            loads_read(reading, s);
        break;
    case STMT_FOR:
        reading->is_plain &= loop_counts(reading, s);
        reading->inner = s;
        if (reading->is_plain)
            band_read(reading, s->children[0]);
        reading->inner = NULL;
        break;
    default: reading->is_plain = false;
    }
}

/* A loop of the block around one band of all its threads. */
static void loop_read(struct row_reading *reading, const struct stmt *loop)
{
    const struct stmt *band = loop->kind == STMT_FOR ? loop->children[0] : NULL;
    while (band && band->kind == STMT_SEQUENCE && band->n_children == 1)
        band = band->children[0];
    if (!band || band->kind != STMT_BAND || band->strided)
        return;
    reading->loop = loop;
    reading->band = band;
    reading->values.count = reading->conditions.count = 0;
    reading->is_plain = true;
    band_read(reading, band->children[0]);
}

/* --- the same place --------------------------------------------------------------------------- */

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

/* The values that a subscript takes at a point of the grid. */
enum row_way { WAY_NONE, WAY_POINT, WAY_LANES, WAY_COLUMNS };
struct row_values {
    enum row_way way;
    const struct expr *base;         /* the addends that the whole point shares; NULL = 0 */
    unsigned axes;                   /* WAY_LANES: those of the block that number the threads */
    const struct var *column;        /* WAY_COLUMNS: it is added to the base */
    const struct expr *count;        /* the number of its values, from 0 on */
};

typedef VEC(const struct expr *) addend_list;

static void addends_list(struct arena *arena, const struct expr *e, addend_list *list)
{
    if (e->kind == EXPR_BINARY && e->op == OP_ADD) {
        addends_list(arena, e->arguments[0], list);
        addends_list(arena, e->arguments[1], list);
    } else {
        vec_push(arena, list, e);
    }
}

/* Takes the sum's addends off the list. Where the list lacks one, returns false and changes
   nothing. */
static bool addends_take(struct arena *arena, addend_list *list, const struct expr *sum)
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

static struct row_values columns_values(const struct reducing *r, const struct row_site *site,
                                        const struct expr *subscript)
{
    for (int i = site->inner ? -1 : 0; i < site->band->n_axes; i++) {
        const struct axis *axis = i < 0 ? NULL : &site->band->axes[i];
        struct row_values values = {.way = WAY_COLUMNS,
                                    .column = axis ? axis->var : site->inner->var,
                                    .count = axis ? axis->extent : site->inner->to};
        addend_list addends = {0};
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

/* The row for two reads of an array: its extents, and the subscripts in it. */
struct row_shape {
    int n_dims;
    const struct expr *dims[2], *stored[2], *read[2];
    bool is_shared;                  /* threads read what other ones stored */
};

static bool sites_agree(const struct reducing *r, const struct row_site *first,
                        const struct row_site *later, struct row_shape *shape)
{
    struct arena *arena = r->arena;
    const struct array *array = first->load->array;
    struct names names = r->names;
    struct row_terms terms[2] = {{.r = r, .site = first}, {.r = r, .site = later}};
    int n_lanes = 0, n_columns = 0;
    *shape = (struct row_shape){0};
    if (array != later->load->array || !conditions_stay(r, first) || !loops_agree(r, first, later))
        return false;
    for (int i = 0; i < array->n_dims; i++) {
        struct row_values a = values_of(r, first, i), b = values_of(r, later, i);
        if (!values_equal(&a, &b))
            return false;
        if (a.way == WAY_LANES) {
            n_lanes++;
            shape->dims[0] = array->dims[i];
            shape->stored[0] = first->load->arguments[i];
            shape->read[0] = later->load->arguments[i];
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

static const struct array *row_array(struct reducing *r, const struct row_copy *row)
{
    struct array *array = ARENA_NEW(r->arena, struct array);
    const struct array *of = row->first->array;
    array->name = names_fresh(&r->names, arena_printf(r->arena, "%s_row", of->name));
    array->element = of->element;
    array->space = SPACE_SHARED;
    array->n_dims = row->n_dims;
    array->dims = row->dims;
    reduce_share(r, array);
    return array;
}

void reuse_place(struct reducing *r, unsigned bytes)
{
    for (int i = 0; i < r->n_rows; i++)
        if (type_bytes(r->rows[i].first->array->element) == bytes)
            r->rows[i].copy = row_array(r, &r->rows[i]);
}

/* Is there a row for the load already, before or behind? */
static bool is_in_row(const struct reducing *r, const struct expr *load)
{
    bool found = false;
    for (int i = 0; i < r->n_rows; i++)
        found |= r->rows[i].first == load || r->rows[i].later == load;
    return found;
}

static const struct expr *const *indices_copy(struct arena *arena, const struct expr **from, int n)
{
    const struct expr **indices = ARENA_ARRAY(arena, const struct expr *, n);
    for (int i = 0; i < n; i++)
        indices[i] = from[i];
    return indices;
}

static void row_share(struct reducing *r, const struct row_site *first,
                      const struct row_site *later)
{
    struct row_shape shape;
    if (r->n_rows == ROWS_MOST || type_bytes(first->load->array->element) < 4 ||
        is_in_row(r, first->load) || is_in_row(r, later->load) ||
        !sites_agree(r, first, later, &shape) || !kernel_poly(r->kernel, shape.dims[0]))
        return;
    int n = shape.n_dims;
    r->rows[r->n_rows++] =
        (struct row_copy){.first = first->load,
                          .later = later->load,
                          .n_dims = n,
                          .dims = indices_copy(r->arena, shape.dims, n),
                          .stored = indices_copy(r->arena, shape.stored, n),
                          .read = indices_copy(r->arena, shape.read, n),
                          .is_shared = shape.is_shared};
}

/* A read of an element that the block has just summed, one of several. */
static void whole_add(struct reducing *r, const struct row_site *site)
{
    for (int i = 0; i < r->n_trees; i++) {
        const struct sum *sum = r->trees[i].sum;
        const struct axis *axis = tree_column(r, &r->trees[i]);
        if (!axis || sum->array != site->load->array || sum->array->n_dims > 1)
            continue;
        struct row_values values = columns_values(r, site, site->subscripts[0]);
        addend_list addends = {0};
        addends_list(r->arena, sum->subscripts[0], &addends);
        if (values.way && expr_equal(values.count, axis->extent) &&
            addends_take(r->arena, &addends, expr_var(r->arena, axis->var)) &&
            (!values.base || addends_take(r->arena, &addends, values.base)) && !addends.count)
            vec_push(r->arena, &r->whole_reads,
                     ((struct whole_read){site->load, &r->trees[i],
                                          expr_var(r->arena, values.column)}));
    }
}

void reuse_find(struct reducing *r, int use, bool has_rows)
{
    const struct stmt *body = r->kernel->body;
    struct row_reading reading = {.r = r};
    size_t n_first = 0, n_stored;
    r->rows = ARENA_ARRAY(r->arena, struct row_copy, ROWS_MOST);
    for (int i = 0; i < body->n_children; i++) {
        n_first = i < use ? reading.sites.count : n_first;
        loop_read(&reading, body->children[i]);
        n_first = i < use ? reading.sites.count : n_first;
    }
    n_stored = has_rows ? n_first : 0;
    for (size_t k = n_first; k < reading.sites.count; k++) {
        for (size_t i = 0; i < n_stored; i++)
            row_share(r, &reading.sites.at[i], &reading.sites.at[k]);
        whole_add(r, &reading.sites.at[k]);
    }
}

bool reuse_is_shared(const struct reducing *r)
{
    for (int i = 0; i < r->n_rows; i++)
        if (r->rows[i].is_shared)
            return true;
    return false;
}

/* --- statements ------------------------------------------------------------------------------- */

static const struct expr *row_load(void *state, const struct expr *e)
{
    struct reducing *r = state;
    for (int i = 0; i < r->n_rows; i++) {
        const struct row_copy *row = &r->rows[i];
        if (expr_equal(e, row->later))
            return expr_load(r->arena, row->copy, row->read, e->loc);
    }
    return e;
}

const struct stmt *reuse_load(struct reducing *r, const struct stmt *s)
{
    return stmt_rewrite_exprs(r->arena, s, row_load, r);
}

/* The load of a row in its statement becomes a local, which is stored in the row. */
struct row_keeping {
    struct reducing *r;
    const struct row_copy *row;
    const struct var *kept;
};

static const struct expr *kept_load(void *state, const struct expr *e)
{
    const struct row_keeping *keeping = state;
    return expr_equal(e, keeping->row->first) ? expr_var(keeping->r->arena, keeping->kept) : e;
}

static bool has_first(const struct row_keeping *keeping, const struct stmt *s)
{
    struct expr_walk walk;
    const struct expr *e = stmt_first_expr(&walk, keeping->r->arena, s);
    for (; e; e = expr_next(&walk))
        if (expr_equal(e, keeping->row->first))
            return true;
    return false;
}

static const struct stmt *row_keep(void *state, const struct stmt *s)
{
    struct row_keeping *keeping = state;
    struct reducing *r = keeping->r;
    const struct expr *load = keeping->row->first;
    bool is_assignment = s->kind == STMT_SET || s->kind == STMT_STORE || s->kind == STMT_LET;
    if (!is_assignment || !has_first(keeping, s))
        return s;
    const char *stem = arena_printf(r->arena, "%s_value", load->array->name);
    keeping->kept = var_new(r->arena, names_fresh(&r->names, stem), load->type, VAR_LOCAL);
    const struct stmt *all[3] = {
        stmt_let(r->arena, keeping->kept, load),
        stmt_store(r->arena, keeping->row->copy, keeping->row->stored,
                   expr_var(r->arena, keeping->kept), load->loc),
        stmt_rewrite_exprs(r->arena, s, kept_load, keeping)};
    return stmt_sequence(r->arena, all, 3);
}

const struct stmt *reuse_keep(struct reducing *r, const struct stmt *s)
{
    for (int i = 0; i < r->n_rows; i++) {
        struct row_keeping keeping = {.r = r, .row = &r->rows[i]};
        s = stmt_rewrite(r->arena, s, row_keep, &keeping);
    }
    return s;
}
