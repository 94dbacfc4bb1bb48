/* Rows that a block reads twice: once before a sum that it uses is complete, and once behind it.

   In: the body of a point of the grid with such a sum. Out: arrays in shared memory for what both
   parts read of an array at the same place: the lanes that read an element first store it there,
   and later ones take it from there,
       for (j0 …) band { own += (row[j0 + l] = a[i][j0 + l]) * x[j0 + l]; }
       …
       for (j0 …) band { y_copy[j0 + l] += row[j0 + l] * t; }
   so that a row moves once, whatever its length. The tree of the sum stands between the two, with
   its barriers. The reads stand in loops around bands of the block, in an array that the kernel
   does not store to otherwise. Of their subscripts
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
   In the place of a first read may be the only store to the array, whose value is then kept.
   A row counts for the block's shared memory like a tile, and drop-caching takes it away.

   Elements of a sum that a block uses are read in the same way from the place where its trees left
   them: their subscript goes through the columns.
   Source: design, "Spans, strips". */
#include "optimizer/strategies/reduce_rows.h"
#include "ir/walk.h"

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

static void site_add(struct row_reading *reading, const struct expr *load,
                     const struct array *array, const struct expr *const *arguments)
{
    struct arena *arena = reading->r->arena;
    int n = array->n_dims;
    const struct expr **subscripts = ARENA_ARRAY(arena, const struct expr *, n);
    struct row_site site = {.load = load,
                            .array = array,
                            .arguments = arguments,
                            .loop = reading->loop,
                            .band = reading->band,
                            .inner = reading->inner};
    for (int i = 0; i < n; i++)
        subscripts[i] = with_values(reading, arguments[i]);
    for (size_t i = 0; i < reading->conditions.count; i++)
        vec_push(arena, &site.conditions, reading->conditions.at[i]);
    site.subscripts = subscripts;
    vec_push(arena, &reading->sites, site);
}

/* The number of statements that store to the array. */
static int stores_count(const struct reducing *r, const struct array *array)
{
    struct stmt_walk walk;
    int count = 0;
    for (const struct stmt *s = stmt_first(&walk, r->arena, r->kernel->body); s;
         s = stmt_next(&walk))
        count += s->kind == STMT_STORE && s->array == array;
    return count;
}

/* Has the block stored to the array before, by its only store? */
static bool is_set_before(const struct row_reading *reading, const struct array *array)
{
    for (size_t i = 0; i < reading->sites.count; i++)
        if (!reading->sites.at[i].load && reading->sites.at[i].array == array)
            return true;
    return false;
}

/* May the load be one from a row, or of a sum that the block uses? */
static bool load_matters(const struct row_reading *reading, const struct expr *e)
{
    const struct reducing *r = reading->r;
    if (e->kind != EXPR_LOAD || e->array->space != SPACE_GLOBAL)
        return false;
    for (int i = 0; i < r->n_trees; i++)
        if (r->trees[i].sum->is_used && r->trees[i].sum->array == e->array)
            return true;
    return e->array->n_dims > 1 &&
           (is_set_before(reading, e->array) || !stores_count(r, e->array));
}

static void loads_read(struct row_reading *reading, const struct stmt *s)
{
    struct expr_walk walk;
    const struct expr *e = stmt_first_expr(&walk, reading->r->arena, s);
    for (; e; e = expr_next(&walk))
        if (load_matters(reading, e))
            site_add(reading, e, e->array, e->arguments);
}

/* An accumulation, whose loads may be from rows, or a store of what is read again. */
static void store_read(struct row_reading *reading, const struct stmt *s)
{
    if (s->reduction)
        loads_read(reading, s);
    else if (s->array->space == SPACE_GLOBAL && s->array->n_dims > 1 &&
             stores_count(reading->r, s->array) == 1)
        site_add(reading, NULL, s->array, s->indices);
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
        if (reading->is_plain)
            store_read(reading, s);
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
    const struct stmt *band = loop->kind == STMT_FOR ? stmt_sole(loop->children[0]) : NULL;
    if (!band || band->kind != STMT_BAND || band->strided)
        return;
    reading->loop = loop;
    reading->band = band;
    reading->values.count = reading->conditions.count = 0;
    reading->is_plain = true;
    band_read(reading, band->children[0]);
}

/* --- the same place --------------------------------------------------------------------------- */

static const struct array *row_array(struct reducing *r, const struct row_copy *row)
{
    struct array *array = ARENA_NEW(r->arena, struct array);
    const struct array *of = row->later->array;
    array->name = names_fresh(&r->names, arena_printf(r->arena, "%s_row", of->name));
    array->element = of->element;
    array->space = SPACE_SHARED;
    array->n_dims = row->n_dims;
    array->dims = row->dims;
    reduce_share(r, array);
    return array;
}

/* The earlier row that keeps the values of the same store; NULL if there is none. */
static const struct row_copy *row_before(const struct reducing *r, int row)
{
    const struct row_copy *of = &r->rows[row];
    for (int i = 0; i < row; i++)
        if (!of->first && !r->rows[i].first && r->rows[i].later->array == of->later->array)
            return &r->rows[i];
    return NULL;
}

void reuse_place(struct reducing *r, unsigned bytes)
{
    for (int i = 0; i < r->n_rows; i++) {
        struct row_copy *row = &r->rows[i];
        if (type_bytes(row->later->array->element) != bytes)
            continue;
        const struct row_copy *same = row_before(r, i);
        row->copy = same ? same->copy : row_array(r, row);
    }
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
    if (r->n_rows == ROWS_MOST || type_bytes(first->array->element) < 4 ||
        (first->load && is_in_row(r, first->load)) || is_in_row(r, later->load) ||
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
        if (!axis || sum->array != site->array || sum->array->n_dims > 1)
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
    size_t n_first = 0;
    r->rows = ARENA_ARRAY(r->arena, struct row_copy, ROWS_MOST);
    for (int i = 0; i < body->n_children; i++) {
        n_first = i < use ? reading.sites.count : n_first;
        loop_read(&reading, body->children[i]);
        n_first = i < use ? reading.sites.count : n_first;
    }
    for (size_t k = 0; k < reading.sites.count; k++) {
        const struct row_site *later = &reading.sites.at[k];
        size_t n_before = has_rows && later->load ? k : 0;
        for (size_t i = 0; i < n_before; i++) {
            const struct row_site *first = &reading.sites.at[i];
            if (!first->load || (i < n_first && k >= n_first))
                row_share(r, first, later);
        }
        if (later->load && k >= n_first)
            whole_add(r, later);
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

/* The load of a row in its statement becomes a local, which is stored in the row, or the value of
   the array's store does. */
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

static const struct stmt *value_keep(struct row_keeping *keeping, const struct stmt *s)
{
    struct reducing *r = keeping->r;
    const struct array *array = keeping->row->later->array;
    if (s->kind != STMT_STORE || s->array != array)
        return s;
    const char *stem = arena_printf(r->arena, "%s_value", array->name);
    keeping->kept = var_new(r->arena, names_fresh(&r->names, stem), array->element, VAR_LOCAL);
    const struct expr *kept = expr_var(r->arena, keeping->kept);
    const struct stmt *all[3] = {
        stmt_let(r->arena, keeping->kept, s->value),
        stmt_store(r->arena, array, s->indices, kept, s->loc),
        stmt_store(r->arena, keeping->row->copy, keeping->row->stored, kept, s->loc)};
    return stmt_sequence(r->arena, all, 3);
}

static const struct stmt *row_keep(void *state, const struct stmt *s)
{
    struct row_keeping *keeping = state;
    struct reducing *r = keeping->r;
    const struct expr *load = keeping->row->first;
    if (!load)
        return value_keep(keeping, s);
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
        if (row_before(r, i))
            continue;
        s = stmt_rewrite(r->arena, s, row_keep, &keeping);
    }
    return s;
}
