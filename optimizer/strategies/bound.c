/* Conditions that bound a serial loop from above become its end.

   In: the body of a placed kernel. Out: where everything that a loop of a thread does stands under
   such a condition,
       for (z < h) { if (k*h + z < n) sum += …; }
   it reads
       for (z < min(h, n - k*h)) { sum += …; },
   provided that all rounds store to the same elements: other loops are kept as they are, because
   their rounds are better unrolled under conditions of their own.
   Invariant: only conditions move that read no data and may be evaluated anywhere, over variables
   that keep their values. */
#include "ir/walk.h"
#include "optimizer/strategies/place.h"

/* A loop around the statement at hand, in the same band. */
struct bounded_loop {
    const struct stmt *loop;
    const struct expr *to;
    bool takes_bound;
};

struct end_search {
    struct arena *arena;
    struct definitions scope;
    VEC(struct bounded_loop) loops;   /* from outside to inside */
    size_t sole;                      /* the loops from this one on do nothing else than the
                                         statement at hand */
};

static const struct stmt *bound(struct end_search *b, const struct stmt *s);

/* What var stays below where the condition holds; NULL if it is no such bound. */
static const struct expr *bound_of(struct arena *arena, const struct expr *condition,
                                   const struct var *var)
{
    if (condition->kind != EXPR_BINARY || condition->op < OP_LT || condition->op > OP_GE)
        return NULL;
    bool swapped = condition->op == OP_GT || condition->op == OP_GE;
    const struct expr *sides[2] = {condition->arguments[swapped], condition->arguments[!swapped]};
    enum type type = sides[0]->type;
    int c[2];
    const struct expr *rest[2];
    if (type_is_floating(type) || !type_is_signed(type))
        return NULL;
    for (int i = 0; i < 2; i++)
        if (!expr_split(arena, sides[i], var, &c[i], &rest[i]))
            return NULL;
    if (c[0] - c[1] != 1)
        return NULL;
    const struct expr *bound = rest[1] ? rest[1] : expr_integer(arena, type, 0);
    if (rest[0])
        bound = expr_binary(arena, OP_SUB, bound, rest[0]);
    bool includes = condition->op == OP_LE || condition->op == OP_GE;
    return includes ? expr_binary(arena, OP_ADD, bound, expr_integer(arena, type, 1)) : bound;
}

/* Is the element that is stored the same for all values of `var`? */
static bool places_without(struct end_search *b, const struct stmt *store, const struct var *var)
{
    bool without = true;
    for (int i = 0; i < store->array->n_dims; i++) {
        const struct expr *place = definitions_expand(&b->scope, store->indices[i]);
        without &= place && !expr_uses_var(place, var);
    }
    return without;
}

/* Do all rounds store to the same elements? */
static bool rounds_store_alike(struct end_search *b, const struct stmt *loop)
{
    struct stmt_walk walk;
    const struct stmt *root = loop->children[0];
    size_t scope = b->scope.list.count;
    bool alike = true;
    for (const struct stmt *s = stmt_first(&walk, b->arena, root); s; s = stmt_next(&walk)) {
        if (s->kind == STMT_LET)
            definitions_add(&b->scope, s);
        if (s->kind == STMT_STORE)
            alike &= places_without(b, s, loop->var);
    }
    b->scope.list.count = scope;
    return alike;
}

/* May the loop get another bound? */
static bool takes_bound(struct end_search *b, const struct stmt *loop)
{
    int64_t number;
    if (loop->unroll || expr_get_integer(loop->to, &number))
        return false;
    return expr_get_integer(loop->step, &number) && number > 0 && rounds_store_alike(b, loop);
}

/* Is `bound` the end already, or an operand of the minimum that it is? */
static bool is_end(const struct expr *to, const struct expr *bound)
{
    const struct expr *a, *b;
    if (expr_equal(to, bound))
        return true;
    return expr_get_minimum(to, &a, &b) && (is_end(a, bound) || is_end(b, bound));
}

/* The lesser of the two ends. */
static const struct expr *end_tighten(struct arena *arena, const struct expr *to,
                                      const struct expr *bound)
{
    return is_end(to, bound) ? to : expr_minimum(arena, to, bound);
}

/* Tries to make the condition the end of the innermost loop that it depends on. */
static bool condition_bounds(void *state, const struct expr *condition)
{
    struct end_search *b = state;
    const struct expr *expanded = definitions_expand(&b->scope, condition);
    if (!expanded)
        return false;
    for (size_t i = b->loops.count; i-- > b->sole;) {
        struct bounded_loop *loop = &b->loops.at[i];
        if (!expr_uses_var(expanded, loop->loop->var))
            continue;
        const struct expr *end = loop->takes_bound
                                     ? bound_of(b->arena, expanded, loop->loop->var)
                                     : NULL;
        if (end)
            loop->to = end_tighten(b->arena, loop->to, end);
        return end != NULL;
    }
    return false;
}

static const struct stmt *bound_if(struct end_search *b, const struct stmt *s)
{
    size_t sole = b->sole;
    const struct expr *left = s->value;
    if (!s->children[1])
        left = conjuncts_left(b->arena, s->value, condition_bounds, b);
    const struct stmt *children[2] = {NULL, NULL};
    if (s->children[1])
        b->sole = b->loops.count;
    for (int i = 0; i < 2; i++)
        children[i] = s->children[i] ? bound(b, s->children[i]) : NULL;
    b->sole = sole;
    if (!left)
        return children[0];
    if (left == s->value && children[0] == s->children[0] && children[1] == s->children[1])
        return s;
    return stmt_if(b->arena, left, children[0], children[1]);
}

static const struct stmt *bound_for(struct end_search *b, const struct stmt *s)
{
    struct bounded_loop entry = {s, s->to, takes_bound(b, s)};
    vec_push(b->arena, &b->loops, entry);
    const struct stmt **child = ARENA_ARRAY(b->arena, const struct stmt *, 1);
    *child = bound(b, s->children[0]);
    const struct expr *to = vec_last(&b->loops).to;
    b->loops.count--;
    if (to == s->to && *child == s->children[0])
        return s;
    struct stmt *loop = ARENA_NEW(b->arena, struct stmt);
    *loop = *s;
    loop->to = to;
    loop->children = child;
    return loop;
}

static const struct stmt *bound_sequence(struct end_search *b, const struct stmt *s)
{
    size_t sole = b->sole;
    int n_effects = 0;
    bool changed = false;
    const struct stmt **children = ARENA_ARRAY(b->arena, const struct stmt *, s->n_children + 1);
    for (int i = 0; i < s->n_children; i++)
        n_effects += s->children[i]->kind != STMT_LET;
    if (n_effects > 1)
        b->sole = b->loops.count;
    for (int i = 0; i < s->n_children; i++) {
        if (s->children[i]->kind == STMT_LET)
            definitions_add(&b->scope, s->children[i]);
        children[i] = bound(b, s->children[i]);
        changed |= children[i] != s->children[i];
    }
    b->sole = sole;
    return changed ? stmt_sequence(b->arena, children, s->n_children) : s;
}

static const struct stmt *bound(struct end_search *b, const struct stmt *s)
{
    size_t scope = b->scope.list.count;
    const struct stmt *bounded = s;
    switch (s->kind) {
    case STMT_SEQUENCE: bounded = bound_sequence(b, s); break;
    case STMT_IF: bounded = bound_if(b, s); break;
    case STMT_FOR: bounded = bound_for(b, s); break;
    default: return s;
    }
    b->scope.list.count = scope;
    return bounded;
}

static const struct stmt *bound_in_band(void *state, const struct stmt *s)
{
    struct end_search *b = state;
    if (s->kind != STMT_BAND)
        return s;
    const struct stmt *body = bound(b, s->children[0]);
    return body == s->children[0] ? s : stmt_rebuild(b->arena, s, &body);
}

const struct stmt *guards_bound(struct arena *arena, const struct stmt *body)
{
    struct end_search search = {.arena = arena, .scope = {.arena = arena, .body = body}};
    return stmt_rewrite(arena, body, bound_in_band, &search);
}
