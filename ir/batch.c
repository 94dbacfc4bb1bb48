/* Which strided bands are copies that can be done in batches, and the numbers of the elements that
   they copy as linear forms of their axes.

   In: a band. Out: its store, condition and value with the definitions before them put in, so that
   they speak of axes and of what stands outside the band alone. A band may also gather: it loads
   the elements of a vector one after the other, from all over an array, and stores them at once;
   then `lane` counts them. Or it loads a vector where a condition holds, else has zeros. */
#include "ir/batch_copy.h"

struct batch_definition {
    const struct var *var;
    const struct expr *value;
};

struct batch_matching {
    struct arena *arena;
    const struct stmt *band;
    VEC(struct batch_definition) definitions;
    const struct expr *load;
    int n_loads;
};

/* A band's parts where it gathers. */
struct batch_gathering {
    const struct array *held;                /* private: the elements of a vector */
    const struct stmt *loop, *store;
    const struct stmt *guard;                /* around a load of all; NULL: the loop loads them */
};

static const struct expr *definition_of(void *state, const struct var *var)
{
    const struct batch_matching *m = state;
    for (size_t i = 0; i < m->definitions.count; i++)
        if (m->definitions.at[i].var == var)
            return m->definitions.at[i].value;
    return NULL;
}

static const struct expr *expanded(struct batch_matching *m, const struct expr *e)
{
    return expr_substitute(m->arena, e, definition_of, m);
}

/* Takes in a definition; false if s is none. */
static bool definition_add(struct batch_matching *m, const struct stmt *s)
{
    const struct expr *value = s->kind == STMT_LET && s->value ? expanded(m, s->value) : NULL;
    if (!value || !expr_is_total(value))
        return false;
    vec_push(m->arena, &m->definitions, ((struct batch_definition){s->var, value}));
    return true;
}

/* The statement behind the definitions of s, which are taken in; NULL if other things stand
   there. */
static const struct stmt *statement_behind(struct batch_matching *m, const struct stmt *s)
{
    while (s->kind == STMT_SEQUENCE) {
        for (int i = 0; i + 1 < s->n_children; i++)
            if (!definition_add(m, s->children[i]))
                return NULL;
        if (s->n_children == 0)
            return NULL;
        s = s->children[s->n_children - 1];
    }
    return s;
}

static const struct expr *load_out(void *state, const struct expr *e)
{
    struct batch_matching *m = state;
    if (e->kind != EXPR_LOAD)
        return e;
    m->load = e;
    m->n_loads++;
    return expr_var(m->arena, var_new(m->arena, "loaded", e->type, VAR_LOCAL));
}

/* --- numbers of elements as linear forms of the axes ------------------------------------------ */

static const struct expr *sum(struct arena *arena, const struct expr *a, const struct expr *b)
{
    return expr_join(arena, OP_ADD, a, b);
}

static const struct expr *product(struct arena *arena, const struct expr *a, const struct expr *b)
{
    return a && b ? expr_binary(arena, OP_MUL, a, b) : NULL;
}

static struct batch_form form_scale(struct arena *arena, struct batch_form a,
                                    const struct expr *factor)
{
    a.rest = product(arena, a.rest, factor);
    for (int i = 0; i < AXES_MAX; i++)
        a.part[i] = product(arena, a.part[i], factor);
    return a;
}

static struct batch_form form_add(struct arena *arena, struct batch_form a, struct batch_form b)
{
    a.rest = sum(arena, a.rest, b.rest);
    for (int i = 0; i < AXES_MAX; i++)
        a.part[i] = sum(arena, a.part[i], b.part[i]);
    return a;
}

static bool uses_axes(const struct stmt *band, const struct expr *e)
{
    for (int i = 0; i < band->n_axes; i++)
        if (expr_uses_var(e, band->axes[i].var))
            return true;
    return false;
}

/* Which axis the variable is; it is one. */
static int axis_of(const struct stmt *band, const struct var *var)
{
    int i = 0;
    while (band->axes[i].var != var)
        i++;
    return i;
}

static bool form_of_binary(struct arena *arena, const struct stmt *band, const struct expr *e,
                           struct batch_form *form)
{
    struct batch_form other = {.type = form->type};
    const struct expr *a = e->arguments[0], *b = e->arguments[1];
    if (e->op == OP_MUL) {
        const struct expr *factor = uses_axes(band, a) ? b : a;
        if (uses_axes(band, factor) || !batch_linear(arena, band, factor == a ? b : a, form))
            return false;
        *form = form_scale(arena, *form, expr_cast(arena, form->type, factor));
        return true;
    }
    if ((e->op != OP_ADD && e->op != OP_SUB) || !batch_linear(arena, band, a, form) ||
        !batch_linear(arena, band, b, &other))
        return false;
    if (e->op == OP_SUB)
        other = form_scale(arena, other, expr_integer(arena, form->type, -1));
    *form = form_add(arena, *form, other);
    return true;
}

/* Sums of axes have a sign, so that they do not wrap. */
bool batch_linear(struct arena *arena, const struct stmt *band, const struct expr *e,
                  struct batch_form *form)
{
    enum type type = form->type;
    *form = (struct batch_form){.type = type};
    if (type_is_floating(e->type))
        return false;
    if (!uses_axes(band, e)) {
        int64_t value;
        if (!expr_get_integer(e, &value) || value)
            form->rest = expr_cast(arena, type, e);
        return true;
    }
    if (!type_is_signed(e->type))
        return false;
    if (e->kind == EXPR_VAR) {
        form->part[axis_of(band, e->var)] = expr_integer(arena, type, 1);
        return true;
    }
    if (e->kind == EXPR_CAST)
        return batch_linear(arena, band, e->arguments[0], form);
    return e->kind == EXPR_BINARY && form_of_binary(arena, band, e, form);
}

static enum type number_type(const struct array *array)
{
    return array->space == SPACE_GLOBAL ? TYPE_I64 : TYPE_I32;
}

/* The row-major number of an element. */
static bool form_of_element(struct arena *arena, const struct stmt *band, const struct array *array,
                            const struct expr *const *indices, struct batch_form *number)
{
    *number = (struct batch_form){.type = number_type(array)};
    for (int i = 0; i < array->n_dims; i++) {
        struct batch_form index = {.type = number->type};
        if (!batch_linear(arena, band, indices[i], &index))
            return false;
        if (i > 0)
            *number = form_scale(arena, *number, expr_cast(arena, number->type, array->dims[i]));
        *number = form_add(arena, *number, index);
    }
    return true;
}

/* --- which bands ------------------------------------------------------------------------------ */

static bool is_shared_copy(const struct array *a, const struct array *b)
{
    return (a->space == SPACE_GLOBAL && b->space == SPACE_SHARED) ||
           (a->space == SPACE_SHARED && b->space == SPACE_GLOBAL);
}

static bool indices_total(const struct expr *const *indices, int n)
{
    for (int i = 0; i < n; i++)
        if (!expr_is_total(indices[i]))
            return false;
    return true;
}

static const struct expr *const *indices_expand(struct batch_matching *m, const struct stmt *store)
{
    int n = store->array->n_dims;
    const struct expr **indices = ARENA_ARRAY(m->arena, const struct expr *, n);
    for (int i = 0; i < n; i++)
        indices[i] = expanded(m, store->indices[i]);
    return indices;
}

/* Which part of a gathering the statement is; false if it is none. */
static bool gathering_take(struct batch_matching *m, const struct stmt *s,
                           struct batch_gathering *gathering)
{
    bool is_first = !gathering->loop;
    if (gathering->store)
        return false;
    if (s->kind == STMT_ARRAY && is_first && !gathering->held)
        gathering->held = s->array;
    else if (s->kind == STMT_FOR && is_first && gathering->held)
        gathering->loop = s;
    else if (s->kind == STMT_IF && !is_first && !gathering->guard && s->n_children == 1)
        gathering->guard = s;
    else if (s->kind == STMT_STORE && !is_first && s->width)
        gathering->store = s;
    else
        return definition_add(m, s);
    return true;
}

static bool is_integer(const struct expr *e, int64_t value)
{
    int64_t found;
    return expr_get_integer(e, &found) && found == value;
}

static bool is_var(const struct expr *e, const struct var *var)
{
    e = expr_uncast(e);
    return e->kind == EXPR_VAR && e->var == var;
}

/* What the guard of a gathering loads, into the place of its zeros. */
static bool guarded_find(struct batch_matching *m, const struct batch_gathering *found,
                         struct batch_copy *copy)
{
    const struct stmt *load = statement_behind(m, found->guard->children[0]);
    copy->inside = expanded(m, found->guard->value);
    if (!expr_is_zero(copy->value) || !expr_is_total(copy->inside) || !load ||
        load->kind != STMT_STORE || load->width != found->store->width ||
        load->array != found->held || !is_integer(load->indices[0], 0))
        return false;
    copy->value = expanded(m, load->value);
    copy->lane = NULL;
    return true;
}

/* A band that gathers. */
static bool gathering_find(struct batch_matching *m, struct batch_copy *copy)
{
    const struct stmt *s = m->band->children[0];
    struct batch_gathering found = {0};
    if (s->kind != STMT_SEQUENCE)
        return false;
    for (int i = 0; i < s->n_children; i++)
        if (!gathering_take(m, s->children[i], &found))
            return false;
    if (!found.store || found.held->space != SPACE_PRIVATE || found.held->n_dims != 1)
        return false;
    const struct stmt *loop = found.loop, *inner = statement_behind(m, loop->children[0]);
    const struct expr *value = found.store->value;
    if (!loop->unroll || !is_integer(loop->from, 0) || !is_integer(loop->step, 1) ||
        !is_integer(loop->to, found.store->width) || !inner || inner->kind != STMT_STORE ||
        inner->width || inner->array != found.held || !is_var(inner->indices[0], loop->var) ||
        value->kind != EXPR_LOAD || value->array != found.held ||
        !is_integer(value->arguments[0], 0))
        return false;
    *copy = (struct batch_copy){.store = found.store, .lane = loop->var, .lanes = loop->to};
    copy->value = expanded(m, inner->value);
    return !found.guard || guarded_find(m, &found, copy);
}

/* A band that stores what it loads. */
static bool plain_find(struct batch_matching *m, struct batch_copy *copy)
{
    const struct stmt *s = statement_behind(m, m->band->children[0]);
    *copy = (struct batch_copy){0};
    if (s && s->kind == STMT_IF && s->n_children == 1) {
        copy->condition = expanded(m, s->value);
        s = expr_is_total(copy->condition) ? statement_behind(m, s->children[0]) : NULL;
    }
    if (!s || s->kind != STMT_STORE || s->reduction)
        return false;
    copy->store = s;
    copy->value = expanded(m, s->value);
    return true;
}

static bool copy_find(struct batch_matching *m, struct batch_copy *copy)
{
    bool gathers = stmt_contains(m->band, STMT_ARRAY);
    if (!(gathers ? gathering_find : plain_find)(m, copy))
        return false;
    bool is_total = expr_is_total(expr_rewrite(m->arena, copy->value, load_out, m));
    copy->load = m->load;
    return is_total && m->n_loads == 1;
}

/* The band with the lane as one axis more, of which the forms speak too. */
static const struct stmt *band_with_lane(struct arena *arena, const struct stmt *band,
                                         const struct batch_copy *copy)
{
    int n = band->n_axes;
    if (!copy->lane)
        return band;
    struct axis *axes = ARENA_ARRAY(arena, struct axis, n + 1);
    for (int i = 0; i < n; i++)
        axes[i] = band->axes[i];
    axes[n] = (struct axis){copy->lane, copy->lanes};
    return stmt_band(arena, axes, n + 1, true, band->children[0]);
}

bool batch_match(struct arena *arena, const struct stmt *band, struct batch_copy *copy,
                       struct batch_form *from, struct batch_form *to)
{
    struct batch_matching m = {.arena = arena, .band = band};
    if (band->kind != STMT_BAND || !band->strided || !copy_find(&m, copy) ||
        (copy->lane && band->n_axes == AXES_MAX))
        return false;
    const struct expr *load = copy->load;
    const struct stmt *wide = band_with_lane(arena, band, copy);
    copy->to = indices_expand(&m, copy->store);
    return is_shared_copy(copy->store->array, load->array) &&
           indices_total(load->arguments, load->array->n_dims) &&
           indices_total(copy->to, copy->store->array->n_dims) &&
           form_of_element(arena, wide, load->array, load->arguments, from) &&
           form_of_element(arena, wide, copy->store->array, copy->to, to);
}

bool batch_allowed(struct arena *arena, const struct stmt *band)
{
    struct batch_copy copy;
    struct batch_form from, to;
    return batch_match(arena, band, &copy, &from, &to);
}

const struct stmt *batch_band(struct arena *arena, const struct stmt *band, int points)
{
    if (!batch_allowed(arena, band))
        return band;
    struct stmt *batched = ARENA_NEW(arena, struct stmt);
    *batched = *band;
    batched->batch = points;
    return batched;
}
