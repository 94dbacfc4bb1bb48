/* Rows that a block reads twice: once before a sum that it uses is complete, and once behind it.

   In: the body of a point of the grid with such a sum. Out: arrays in shared memory for what both
   parts read of an array at the same place: the lanes that read an element first store it there,
   and later ones take it from there,
       for (j0 …) band { own += (row[j0 + l] = a[i][j0 + l]) * x[j0 + l]; }
       …
       for (j0 …) band { y_copy[j0 + l] += row[j0 + l] * t; }
   so that a row moves once, whatever its length. The tree of the sum stands between the two, with
   its barriers. Two reads are at the same place if they stand in loops of equal bounds around bands
   of the block, under equal conditions, in an array that the kernel does not store to, if their
   last subscripts are equal in equal rounds, and the others are the same for the whole point: then
   whatever is read later was stored, and a row has room for it, as it is as long as the array's
   last axis. A row counts for the block's shared memory like a tile, and drop-caching takes it
   away.
   Source: design, "Spans, strips". */
#include "ir/walk.h"
#include "optimizer/strategies/reduce.h"

/* Where a load stands: the loop of the block and what surrounds it in the band, lets put in. */
struct row_site {
    const struct expr *load;
    const struct stmt *loop, *band;
    const struct expr *const *subscripts;
    VEC(const struct expr *) conditions;
};

struct row_value {
    const struct var *var;
    const struct expr *value;
};

struct row_reading {
    const struct reducing *r;
    const struct stmt *loop, *band;
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
    struct row_site site = {.load = load, .loop = reading->loop, .band = reading->band};
    for (int i = 0; i < n; i++)
        subscripts[i] = with_values(reading, load->arguments[i]);
    for (size_t i = 0; i < reading->conditions.count; i++)
        vec_push(arena, &site.conditions, reading->conditions.at[i]);
    site.subscripts = subscripts;
    vec_push(arena, &reading->sites, site);
}

static void loads_read(struct row_reading *reading, const struct stmt *s)
{
    struct expr_walk walk;
    const struct kernel *kernel = reading->r->kernel;
    const struct expr *e = stmt_first_expr(&walk, reading->r->arena, s);
    for (; e; e = expr_next(&walk))
        if (e->kind == EXPR_LOAD && e->array->space == SPACE_GLOBAL && e->array->n_dims > 1 &&
            !stmt_stores_to(kernel->body, e->array))
            site_add(reading, e);
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

/* Variables of one site's loop and band, and the other site's. */
struct row_names {
    struct arena *arena;
    const struct row_site *from, *to;
};

static const struct expr *first_name(void *state, const struct var *var)
{
    const struct row_names *names = state;
    if (var == names->from->loop->var)
        return expr_var(names->arena, names->to->loop->var);
    for (int i = 0; i < names->from->band->n_axes; i++)
        if (var == names->from->band->axes[i].var)
            return expr_var(names->arena, names->to->band->axes[i].var);
    return NULL;
}

static bool renamed_equal(struct row_names *names, const struct expr *from,
                          const struct expr *to)
{
    return expr_equal(expr_substitute(names->arena, from, first_name, names), to);
}

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

static bool sites_agree(const struct reducing *r, const struct row_site *first,
                        const struct row_site *later)
{
    struct row_names names = {r->arena, later, first};
    int last = first->load->array->n_dims - 1;
    bool same = first->load->array == later->load->array &&
                first->conditions.count == later->conditions.count && conditions_stay(r, first) &&
                expr_equal(first->loop->from, later->loop->from) &&
                expr_equal(first->loop->to, later->loop->to) &&
                expr_equal(first->loop->step, later->loop->step) &&
                is_of_point(r, first->loop->from) && is_of_point(r, first->loop->to) &&
                renamed_equal(&names, later->subscripts[last], first->subscripts[last]);
    for (size_t i = 0; i < first->conditions.count && same; i++)
        same = renamed_equal(&names, later->conditions.at[i], first->conditions.at[i]);
    for (int i = 0; i < last && same; i++)
        same = expr_equal(first->subscripts[i], later->subscripts[i]) &&
               is_of_point(r, first->subscripts[i]);
    return same;
}

static const struct array *row_array(struct reducing *r, const struct array *of)
{
    struct array *array = ARENA_NEW(r->arena, struct array);
    array->name = names_fresh(&r->names, arena_printf(r->arena, "%s_row", of->name));
    array->element = of->element;
    array->space = SPACE_SHARED;
    array->n_dims = 1;
    array->dims = &of->dims[of->n_dims - 1];
    reduce_share(r, array);
    return array;
}

void reuse_place(struct reducing *r, unsigned bytes)
{
    for (int i = 0; i < r->n_rows; i++)
        if (type_bytes(r->rows[i].first->array->element) == bytes)
            r->rows[i].copy = row_array(r, r->rows[i].first->array);
}

/* May rows of the array be in shared memory? */
static bool has_rows(const struct reducing *r, const struct array *array)
{
    return type_bytes(array->element) >= 4 &&
           kernel_poly(r->kernel, array->dims[array->n_dims - 1]);
}

/* Is there a row for the load already, before or behind? */
static bool is_in_row(const struct reducing *r, const struct expr *load)
{
    bool found = false;
    for (int i = 0; i < r->n_rows; i++)
        found |= r->rows[i].first == load || r->rows[i].later == load;
    return found;
}

void reuse_find(struct reducing *r, int use)
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
    for (size_t i = 0; i < n_first; i++)
        for (size_t k = n_first; k < reading.sites.count; k++) {
            const struct row_site *first = &reading.sites.at[i], *later = &reading.sites.at[k];
            if (r->n_rows < ROWS_MOST && has_rows(r, first->load->array) &&
                !is_in_row(r, first->load) && !is_in_row(r, later->load) &&
                sites_agree(r, first, later))
                r->rows[r->n_rows++] = (struct row_copy){NULL, first->load, later->load};
        }
}

/* --- statements ------------------------------------------------------------------------------- */

static const struct expr *row_load(void *state, const struct expr *e)
{
    struct reducing *r = state;
    for (int i = 0; i < r->n_rows; i++) {
        const struct row_copy *row = &r->rows[i];
        if (expr_equal(e, row->later))
            return expr_load(r->arena, row->copy, &e->arguments[e->array->n_dims - 1], e->loc);
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
        stmt_store(r->arena, keeping->row->copy, &load->arguments[load->array->n_dims - 1],
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
