/* Elements that loads read, and loads of one element made once.

   In: a placed kernel. Out: where statements that follow each other without control flow between
   them read an element several times, which unroll and jam brings about, one scalar that is loaded
   before the first of them.
   Method: integer scalars in subscripts are replaced by what they stand for, and subscripts are
   compared as polynomials, so that u[y_1 - 1] with y_1 = y + 1 is u[y].
   Invariant: nothing is loaded that the statements would not load; no store to the array and no
   barrier stands between the loads that become one. Loads behind ?:, && and || are taken where
   another one of the element is made in any case. */
#include "optimizer/strategies/elements.h"
#include "ir/walk.h"

/* --- elements --------------------------------------------------------------------------------- */

static const struct expr *value_of(void *state, const struct var *var)
{
    const struct elements *elements = state;
    return map_get_pointer(elements->values, var);
}

/* Does e keep its value, and could it be evaluated anywhere? */
static bool is_steady(const struct elements *elements, const struct expr *e)
{
    if (e->kind == EXPR_VAR && map_get_pointer(elements->assigned, e->var))
        return false;
    for (int i = 0; i < e->n_arguments; i++)
        if (!is_steady(elements, e->arguments[i]))
            return false;
    return true;
}

const struct expr *elements_expand(struct elements *elements, const struct expr *e)
{
    const struct expr *expanded = expr_substitute(elements->arena, e, value_of, elements);
    bool usable = !type_is_floating(expanded->type) && is_steady(elements, expanded) &&
                  !expr_contains(expanded, EXPR_LOAD) && !expr_contains(expanded, EXPR_CALL);
    return usable && expr_casts_exact(expanded) ? expanded : NULL;
}

static bool is_set(const struct stmt *s)
{
    return s->kind == STMT_SET || (s->kind == STMT_LET && !s->value);
}

struct elements elements_new(struct arena *arena, const struct kernel *kernel)
{
    struct elements elements = {arena, ring_new(arena), map_new(arena), map_new(arena),
                                map_new(arena)};
    struct stmt_walk walk;
    const struct stmt *s;
    for (s = stmt_first(&walk, arena, kernel->body); s; s = stmt_next(&walk))
        if (is_set(s))
            map_put_pointer(elements.assigned, s->var, (void *)s);
    for (s = stmt_first(&walk, arena, kernel->body); s; s = stmt_next(&walk)) {
        if (s->kind != STMT_LET || map_get_pointer(elements.assigned, s->var))
            continue;
        const struct expr *value = elements_expand(&elements, s->value);
        if (value)
            map_put_pointer(elements.values, s->var, (void *)value);
    }
    return elements;
}

static const struct element *element_find(struct elements *elements, const struct expr *load)
{
    struct arena *arena = elements->arena;
    int n = load->n_arguments;
    const struct expr **subscripts = ARENA_ARRAY(arena, const struct expr *, n + 1);
    const struct poly **polys = ARENA_ARRAY(arena, const struct poly *, n + 1);
    for (int i = 0; i < n; i++) {
        subscripts[i] = elements_expand(elements, load->arguments[i]);
        if (!subscripts[i])
            return NULL;
        polys[i] = expr_poly(elements->ring, subscripts[i]);
    }
    struct element *element = ARENA_NEW(arena, struct element);
    *element = (struct element){load->array, subscripts, polys};
    return element;
}

const struct element *elements_of(struct elements *elements, const struct expr *load)
{
    const struct element *element = map_get_pointer(elements->known, load);
    if (!element) {
        element = element_find(elements, load);
        if (element)
            map_put_pointer(elements->known, load, (void *)element);
    }
    return element;
}

bool element_equal(const struct element *a, const struct element *b)
{
    if (a->array != b->array)
        return false;
    for (int i = 0; i < a->array->n_dims; i++) {
        bool equal = a->polys[i] && b->polys[i] ? poly_equal(a->polys[i], b->polys[i])
                                                : expr_equal(a->subscripts[i], b->subscripts[i]);
        if (!equal)
            return false;
    }
    return true;
}

/* --- loads that become one -------------------------------------------------------------------- */

/* Loads of one element between two stores to its array. */
struct shared_load {
    const struct element *element;
    size_t first, last;               /* numbers of the statements, the first and the last one */
    int count;
    bool certain;                     /* one of them is made in any case */
    const struct var *scalar;
};

struct sharing {
    struct arena *arena;
    struct names names;
    struct elements elements;
    VEC(struct shared_load) loads;    /* of the statements at hand */
    size_t at;                        /* the statement that is looked at or rewritten */
    bool changed;
};

static bool is_straight(const struct stmt *s)
{
    return s->kind == STMT_LET || s->kind == STMT_SET || s->kind == STMT_STORE;
}

/* The loads that this one is among, where it stands in statement s->at; NULL if it is not known. */
static struct shared_load *shared_find(struct sharing *s, const struct element *element)
{
    for (size_t i = s->loads.count; i-- > 0;) {
        struct shared_load *load = &s->loads.at[i];
        if (load->first <= s->at && s->at <= load->last && element_equal(load->element, element))
            return load;
    }
    return NULL;
}

static void load_note(struct sharing *s, const struct expr *e, bool certain)
{
    const struct element *element = elements_of(&s->elements, e);
    if (!element)
        return;
    struct shared_load *load = shared_find(s, element);
    if (load) {
        load->count++;
        load->certain |= certain;
        return;
    }
    vec_push(s->arena, &s->loads,
             ((struct shared_load){element, s->at, SIZE_MAX, 1, certain, NULL}));
}

static void loads_note(struct sharing *s, const struct expr *e, bool certain)
{
    bool cuts = e->kind == EXPR_SELECT ||
                (e->kind == EXPR_BINARY && (e->op == OP_LAND || e->op == OP_LOR));
    if (e->kind == EXPR_LOAD && e->array->space != SPACE_PRIVATE)
        load_note(s, e, certain);
    for (int i = 0; i < e->n_arguments; i++)
        loads_note(s, e->arguments[i], certain && (i == 0 || !cuts));
}

/* A vector copy reads more than the element that is named. */
static void stmt_note(struct sharing *s, const struct stmt *stmt)
{
    int n = stmt->width ? 0 : stmt_n_exprs(stmt);
    for (int i = 0; i < n; i++)
        loads_note(s, stmt_expr(stmt, i), true);
    if (stmt->kind != STMT_STORE)
        return;
    for (size_t i = 0; i < s->loads.count; i++)
        if (s->loads.at[i].element->array == stmt->array && s->loads.at[i].last == SIZE_MAX)
            s->loads.at[i].last = s->at;
}

static const struct expr *replace_load(void *state, const struct expr *e)
{
    struct sharing *s = state;
    const struct element *element = NULL;
    if (e->kind == EXPR_LOAD && e->array->space != SPACE_PRIVATE)
        element = elements_of(&s->elements, e);
    const struct shared_load *load = element ? shared_find(s, element) : NULL;
    if (load && load->scalar)
        return expr_var(s->arena, load->scalar);
    return expr_map_operands(s->arena, e, replace_load, s);
}

/* The load as it stands in the first of the statements. */
static const struct stmt *scalar_load(struct sharing *s, struct shared_load *load)
{
    const struct array *array = load->element->array;
    const char *stem = arena_printf(s->arena, "%s_value", array->name);
    load->scalar = var_new(s->arena, names_fresh(&s->names, stem), array->element, VAR_LOCAL);
    const struct expr *value = expr_load(s->arena, array, load->element->subscripts,
                                         (struct loc){0});
    return stmt_let(s->arena, load->scalar, value);
}

/* Adds the n statements, which are executed one after the other, with what they share. */
static void run_share(struct sharing *s, struct stmts *out, const struct stmt *const *run, int n)
{
    s->loads.count = 0;
    for (int i = 0; i < n; i++) {
        s->at = (size_t)i;
        stmt_note(s, run[i]);
    }
    for (int i = 0; i < n; i++) {
        s->at = (size_t)i;
        for (size_t k = 0; k < s->loads.count; k++) {
            struct shared_load *load = &s->loads.at[k];
            if (load->first != s->at || load->count < 2 || !load->certain)
                continue;
            vec_push(s->arena, out, scalar_load(s, load));
            s->changed = true;
        }
        vec_push(s->arena, out,
                 run[i]->width ? run[i] : stmt_map_exprs(s->arena, run[i], replace_load, s));
    }
}

static const struct stmt *share(struct sharing *s, const struct stmt *stmt);

static const struct stmt *sequence_share(struct sharing *s, const struct stmt *const *list, int n)
{
    struct stmts out = {0};
    for (int i = 0; i < n;) {
        int run = 0;
        while (i + run < n && is_straight(list[i + run]))
            run++;
        if (run > 0)
            run_share(s, &out, &list[i], run);
        else
            vec_push(s->arena, &out, share(s, list[i]));
        i += run > 0 ? run : 1;
    }
    return stmt_sequence(s->arena, out.at, (int)out.count);
}

static const struct stmt *share(struct sharing *s, const struct stmt *stmt)
{
    if (stmt->kind == STMT_SEQUENCE)
        return sequence_share(s, stmt->children, stmt->n_children);
    if (is_straight(stmt))
        return sequence_share(s, &stmt, 1);
    if (stmt->n_children == 0)
        return stmt;
    const struct stmt **children = ARENA_ARRAY(s->arena, const struct stmt *, stmt->n_children);
    for (int i = 0; i < stmt->n_children; i++)
        children[i] = stmt->children[i] ? share(s, stmt->children[i]) : NULL;
    return stmt_rebuild(s->arena, stmt, children);
}

static const struct stmt *band_share(void *state, const struct stmt *stmt)
{
    struct sharing *s = state;
    if (stmt->kind != STMT_BAND || stmt->strided)
        return stmt;
    const struct stmt *body = share(s, stmt->children[0]);
    return stmt_rebuild(s->arena, stmt, &body);
}

const struct kernel *loads_share(struct arena *arena, const struct kernel *kernel)
{
    struct sharing s = {.arena = arena,
                        .names = names_new(arena, kernel),
                        .elements = elements_new(arena, kernel)};
    const struct stmt *body = stmt_rewrite(arena, kernel->body, band_share, &s);
    if (!s.changed)
        return kernel;
    struct kernel *shared = kernel_copy(arena, kernel);
    shared->body = body;
    return shared;
}
