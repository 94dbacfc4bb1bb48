/* Work on private elements whose results nobody asks for, instead of conditions in inner loops.

   In: a placed kernel with promotions. Out: where a condition in a band encloses only arithmetic on
   private and shared floating elements, the conjuncts under which the private elements are loaded
   and stored back are taken off it:
       if (p < n && q < n && k*h + z < n) private_c[0] += shared_a[v][z] * shared_b[z][u];
   becomes
       if (k*h + z < n) private_c[0] += …;
   A thread for which they do not hold adds up values that it never stores. So that these are values
   at all, cells of the tiles outside the array are filled with 0, and private elements that are not
   loaded begin with 0.
   Invariant: every shared element that is read exists, which access proves anew of the rewritten
   kernel; else the kernel is left as it was. Integers are left alone, as they may overflow. */
#include "ir/walk.h"
#include "optimizer/strategies/place.h"

struct arrays {
    const struct array **at;
    size_t count, capacity;
};

struct speculation {
    struct placement *placement;
    struct arena *arena;
    struct definitions scope;
    struct arrays used;               /* private and shared arrays in the if at hand */
    struct arrays zeroed;             /* those of what was freed */
};

static bool arrays_have(const struct arrays *arrays, const struct array *array)
{
    bool found = false;
    for (size_t i = 0; i < arrays->count; i++)
        found |= arrays->at[i] == array;
    return found;
}

static void arrays_add(struct arena *arena, struct arrays *arrays, const struct array *array)
{
    if (!arrays_have(arrays, array))
        vec_push(arena, arrays, array);
}

static const struct placed_promotion *promotion_of(const struct placement *p,
                                                   const struct array *private)
{
    for (size_t i = 0; i < p->promotions.count; i++)
        if (p->promotions.at[i].array == private)
            return &p->promotions.at[i];
    return NULL;
}

/* Is the array a tile that a band always fills? */
static bool is_filled(const struct placement *p, const struct array *shared)
{
    for (size_t i = 0; i < p->bands.count; i++)
        for (size_t k = 0; k < p->bands.at[i].tiles.count; k++) {
            const struct placed_tile *placed = &p->bands.at[i].tiles.at[k];
            if (placed->shared == shared)
                return placed->tile->is_read && !placed->tile->is_written &&
                       !placed->tile->condition;
        }
    return false;
}

/* May an element of the array be read or computed for nothing? */
static bool is_expendable(struct speculation *s, const struct array *array)
{
    if (!type_is_floating(array->element))
        return false;
    if (array->space == SPACE_SHARED)
        return is_filled(s->placement, array);
    const struct placed_promotion *promotion = promotion_of(s->placement, array);
    return promotion && promotion->promotion->guard && promotion->promotion->load_first;
}

/* Is e evaluated without reading anything but such elements, and without failing? */
static bool expr_expendable(struct speculation *s, const struct expr *e, struct arrays *used)
{
    if (e->kind == EXPR_LOAD) {
        if (!is_expendable(s, e->array))
            return false;
        arrays_add(s->arena, used, e->array);
    } else if (e->kind == EXPR_BINARY && (e->op == OP_DIV || e->op == OP_REM) &&
               !type_is_floating(e->type)) {
        return false;
    } else if (e->kind == EXPR_CAST && type_is_floating(e->arguments[0]->type) &&
               !type_is_floating(e->type)) {
        return false;
    }
    for (int i = 0; i < e->n_arguments; i++)
        if (!expr_expendable(s, e->arguments[i], used))
            return false;
    return true;
}

/* May everything in `root` be done for nothing? Fills the list of the arrays in it. */
static bool stmt_expendable(struct speculation *s, const struct stmt *root, struct arrays *used)
{
    struct stmt_walk walk;
    for (const struct stmt *at = stmt_first(&walk, s->arena, root); at; at = stmt_next(&walk)) {
        if (at->kind == STMT_SET || at->kind == STMT_BAND || at->kind == STMT_BARRIER)
            return false;
        if (at->kind == STMT_STORE) {
            if (at->array->space != SPACE_PRIVATE || !is_expendable(s, at->array))
                return false;
            arrays_add(s->arena, used, at->array);
        }
        for (int i = 0; i < stmt_n_exprs(at); i++)
            if (!expr_expendable(s, stmt_expr(at, i), used))
                return false;
    }
    return true;
}

static bool has_conjunct(const struct expr *conjunction, const struct expr *e)
{
    if (conjunction->kind == EXPR_BINARY && conjunction->op == OP_LAND)
        return has_conjunct(conjunction->arguments[0], e) ||
               has_conjunct(conjunction->arguments[1], e);
    return expr_equal(conjunction, e);
}

/* Do all of the private arrays keep their values only where e holds? */
static bool is_kept_under(struct speculation *s, const struct arrays *used, const struct expr *e)
{
    bool kept = true;
    for (size_t i = 0; i < used->count; i++) {
        const struct placed_promotion *promotion = promotion_of(s->placement, used->at[i]);
        kept &= !promotion || has_conjunct(promotion->promotion->guard, e);
    }
    return kept;
}

/* Need not be asked where the results are thrown away anyway. */
static bool is_needless(void *state, const struct expr *condition)
{
    struct speculation *s = state;
    const struct expr *expanded = definitions_expand(&s->scope, condition);
    return expanded && is_kept_under(s, &s->used, expanded);
}

static const struct stmt *speculate(struct speculation *s, const struct stmt *at);

/* What is left of the condition of an if without else around `body`. */
static const struct expr *condition_left(struct speculation *s, const struct expr *condition,
                                         const struct stmt *body)
{
    s->used.count = 0;
    if (!stmt_expendable(s, body, &s->used))
        return condition;
    const struct expr *left = conjuncts_left(s->arena, condition, is_needless, s);
    if (left == condition || (left && !expr_expendable(s, left, &s->used)))
        return condition;
    for (size_t i = 0; i < s->used.count; i++)
        arrays_add(s->arena, &s->zeroed, s->used.at[i]);
    return left;
}

static const struct stmt *speculate_if(struct speculation *s, const struct stmt *at)
{
    const struct stmt *body = speculate(s, at->children[0]);
    const struct stmt *other = at->children[1] ? speculate(s, at->children[1]) : NULL;
    const struct expr *left = other ? at->value : condition_left(s, at->value, body);
    if (!left)
        return body;
    if (left == at->value && body == at->children[0] && other == at->children[1])
        return at;
    return stmt_if(s->arena, left, body, other);
}

static const struct stmt *speculate(struct speculation *s, const struct stmt *at)
{
    size_t scope = s->scope.list.count;
    if (at->kind == STMT_LET)
        definitions_add(&s->scope, at);
    if (at->kind == STMT_IF)
        at = speculate_if(s, at);
    else if (at->n_children) {
        const struct stmt **children = ARENA_ARRAY(s->arena, const struct stmt *, at->n_children);
        bool changed = false;
        for (int i = 0; i < at->n_children; i++) {
            children[i] = speculate(s, at->children[i]);
            changed |= children[i] != at->children[i];
        }
        at = changed ? stmt_rebuild(s->arena, at, children) : at;
    }
    if (at->kind != STMT_LET)
        s->scope.list.count = scope;
    return at;
}

/* Copies into the arrays that were freed, with 0 where nothing is copied. */
static const struct stmt *zero_elsewhere(void *state, const struct stmt *at)
{
    struct speculation *s = state;
    if (at->kind != STMT_IF || at->children[1] || at->children[0]->kind != STMT_STORE)
        return at;
    const struct stmt *store = at->children[0];
    if (store->value->kind != EXPR_LOAD || store->value->array != store->array->origin ||
        !arrays_have(&s->zeroed, store->array))
        return at;
    const struct expr *zero = expr_real(s->arena, store->array->element, 0);
    return stmt_store(s->arena, store->array, store->indices,
                      expr_select(s->arena, at->value, store->value, zero), store->loc);
}

const struct stmt *guards_speculate(struct placement *p, const struct kernel *placed)
{
    struct speculation s = {.placement = p, .arena = p->arena,
                            .scope = {.arena = p->arena, .body = placed->body}};
    const struct stmt *body = speculate(&s, placed->body);
    if (!s.zeroed.count)
        return placed->body;
    struct kernel *freed = kernel_copy(p->arena, placed);
    freed->body = stmt_rewrite(p->arena, body, zero_elsewhere, &s);
    for (size_t i = 0; i < s.zeroed.count; i++)
        if (s.zeroed.at[i]->space == SPACE_SHARED &&
            !access_within(p->ctx, freed, s.zeroed.at[i]))
            return placed->body;
    return freed->body;
}
