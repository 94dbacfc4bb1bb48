/* Work whose results nobody asks for, instead of conditions in inner loops.

   In: a placed kernel. Out: where a condition in a band encloses only arithmetic on private and
   shared floating elements and on floating scalars, the conjuncts are taken off it under which the
   private elements are loaded and stored back, and under which all else that reads the scalars
   stands:
       if (p < n && q < n && k*h + z < n) private_c[0] += shared_a[v][z] * shared_b[z][u];
   becomes
       if (k*h + z < n) private_c[0] += …;
   A thread for which they do not hold adds up values that it never uses. So that these are values
   at all, cells of the tiles outside the array are filled with 0, private elements that are not
   loaded begin with 0, and scalars have a value where they are declared.
   Invariant: every shared element that is read exists, which access proves anew of the rewritten
   kernel; else the kernel is left as it was. Integers are left alone, as they may overflow. */
#include "ir/walk.h"
#include "optimizer/strategies/place.h"

struct arrays {
    const struct array **at;
    size_t count, capacity;
};

struct scalars {
    const struct var **at;
    size_t count, capacity;
};

/* What is used where something is done for nothing. */
struct expense {
    struct arrays arrays;             /* private and shared ones */
    struct scalars set;               /* that something outside may read */
};

struct speculation {
    struct placement *placement;
    struct arena *arena;
    const struct stmt *body;          /* of the kernel, as it was */
    struct map *valued;               /* scalars that have a value where they are declared */
    struct definitions scope;
    const struct stmt *region;        /* the if at hand */
    struct expense used;              /* in it */
    struct arrays zeroed;             /* the arrays of what was freed */
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
static bool expr_expendable(struct speculation *s, const struct expr *e, struct expense *used)
{
    if (e->kind == EXPR_LOAD) {
        if (!is_expendable(s, e->array))
            return false;
        arrays_add(s->arena, &used->arrays, e->array);
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

/* May the scalar be set for nothing, and is it noted? */
static bool set_expendable(struct speculation *s, const struct var *var, struct expense *used)
{
    if (!type_is_floating(var->type) || !map_get_pointer(s->valued, var))
        return false;
    for (size_t i = 0; i < used->set.count; i++)
        if (used->set.at[i] == var)
            return true;
    vec_push(s->arena, &used->set, var);
    return true;
}

/* Likewise an element. */
static bool store_expendable(struct speculation *s, const struct array *array,
                             struct expense *used)
{
    if (array->space != SPACE_PRIVATE || !is_expendable(s, array))
        return false;
    arrays_add(s->arena, &used->arrays, array);
    return true;
}

/* May everything in `root` be done for nothing? Fills the lists of what is used. */
static bool stmt_expendable(struct speculation *s, const struct stmt *root, struct expense *used)
{
    struct stmt_walk walk;
    for (const struct stmt *at = stmt_first(&walk, s->arena, root); at; at = stmt_next(&walk)) {
        if (at->kind == STMT_BAND || at->kind == STMT_BARRIER || at->kind == STMT_WHILE)
            return false;
        if (at->kind == STMT_SET && !set_expendable(s, at->var, used))
            return false;
        if (at->kind == STMT_STORE && !store_expendable(s, at->array, used))
            return false;
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

static bool is_axis(const struct kernel *kernel, const struct var *var)
{
    bool found = kernel_has_block_axis(kernel, var);
    for (int i = 0; i < kernel->n_grid; i++)
        found |= kernel->grid[i].var == var;
    return found;
}

/* Has e one value for a thread and a point of the grid? */
static bool is_steady(const struct kernel *kernel, const struct expr *e)
{
    bool steady = e->kind != EXPR_LOAD && e->kind != EXPR_CALL;
    if (e->kind == EXPR_VAR)
        steady = kernel_param(kernel, e->var->name) || is_axis(kernel, e->var);
    for (int i = 0; i < e->n_arguments && steady; i++)
        steady = is_steady(kernel, e->arguments[i]);
    return steady;
}

/* A search for what reads a scalar. */
struct readers {
    struct definitions scope;
    const struct stmt *region;               /* that is left out */
    const struct var *var;
    const struct expr *condition;
};

/* Does everything in `at` that reads the scalar stand under the condition? */
static bool reads_stand_under(struct readers *r, const struct stmt *at)
{
    size_t scope = r->scope.list.count;
    bool under = true;
    if (at == r->region)
        return true;
    for (int i = 0; i < stmt_n_exprs(at); i++)
        if (expr_uses_var(stmt_expr(at, i), r->var))
            return false;
    if (at->kind == STMT_LET)
        definitions_add(&r->scope, at);
    bool asked = at->kind == STMT_IF &&
                 has_conjunct(definitions_replace(&r->scope, at->value), r->condition);
    for (int i = asked ? 1 : 0; i < at->n_children && under; i++)
        under = !at->children[i] || reads_stand_under(r, at->children[i]);
    if (at->kind != STMT_LET)
        r->scope.list.count = scope;
    return under;
}

/* Are values kept only where e holds: those of all private arrays, and those of all scalars? */
static bool is_kept_under(struct speculation *s, const struct expense *used, const struct expr *e)
{
    for (size_t i = 0; i < used->arrays.count; i++) {
        const struct placed_promotion *promotion = promotion_of(s->placement, used->arrays.at[i]);
        if (promotion && !has_conjunct(promotion->promotion->guard, e))
            return false;
    }
    if (used->set.count && !is_steady(s->placement->kernel, e))
        return false;
    for (size_t i = 0; i < used->set.count; i++) {
        struct readers readers = {.scope = {.arena = s->arena, .body = s->body},
                                  .region = s->region,
                                  .var = used->set.at[i],
                                  .condition = e};
        if (!reads_stand_under(&readers, s->body))
            return false;
    }
    return true;
}

/* Need not be asked where the results are thrown away anyway. */
static bool is_needless(void *state, const struct expr *condition)
{
    struct speculation *s = state;
    const struct expr *expanded = definitions_expand(&s->scope, condition);
    return expanded && is_kept_under(s, &s->used, expanded);
}

static const struct stmt *speculate(struct speculation *s, const struct stmt *at);

/* What is left of the condition of the if, which has no else; `body`: what became of what stands
   in it. */
static const struct expr *condition_left(struct speculation *s, const struct stmt *at,
                                         const struct stmt *body)
{
    const struct expr *condition = at->value;
    s->region = at;
    s->used.arrays.count = 0;
    s->used.set.count = 0;
    if (!stmt_expendable(s, body, &s->used))
        return condition;
    const struct expr *left = conjuncts_left(s->arena, condition, is_needless, s);
    if (left == condition || (left && !expr_expendable(s, left, &s->used)))
        return condition;
    for (size_t i = 0; i < s->used.arrays.count; i++)
        arrays_add(s->arena, &s->zeroed, s->used.arrays.at[i]);
    return left;
}

static const struct stmt *speculate_if(struct speculation *s, const struct stmt *at)
{
    const struct stmt *body = speculate(s, at->children[0]);
    const struct stmt *other = at->children[1] ? speculate(s, at->children[1]) : NULL;
    const struct expr *left = other ? at->value : condition_left(s, at, body);
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
    const struct stmt *fill =
        stmt_store(s->arena, store->array, store->indices,
                   expr_select(s->arena, at->value, store->value, zero), store->loc);
    return store->async ? stmt_async(s->arena, fill) : fill;
}

static void valued_collect(struct speculation *s)
{
    struct stmt_walk walk;
    s->valued = map_new(s->arena);
    for (const struct stmt *at = stmt_first(&walk, s->arena, s->body); at; at = stmt_next(&walk))
        if (at->kind == STMT_LET && at->value)
            map_put_pointer(s->valued, at->var, s);
}

const struct stmt *guards_speculate(struct placement *p, const struct kernel *placed)
{
    struct speculation s = {.placement = p, .arena = p->arena, .body = placed->body,
                            .scope = {.arena = p->arena, .body = placed->body}};
    valued_collect(&s);
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
