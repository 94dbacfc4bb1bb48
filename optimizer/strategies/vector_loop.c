/* Vector accesses of loops: a thread that touches consecutive elements, one per iteration, moves
   them 16 bytes at a time.

   In: a placed kernel. Out: each serial loop of a thread in which an array is read (or written) at
   base + k,
       for (k = 0; k < n; k += 1) { sum = sum + a[base + k] * x; }
   becomes, under a condition on the parameters (n and the base are divisible),
       for (k = 0; k < n; k += 4) { private va; vector 4 va[0] = a[base + k];
                                    unroll for (e = 0; e < 4; e += 1) { sum = sum + va[e] * x; } }
   and stays as it is where the condition is false. A bound that is no polynomial in the parameters
   gives the vector loop the multiples of 4, and a loop like the old one the rest. The order of all
   operations is the old one; only the accesses themselves move, to the head and the end of a group.
   That is safe: the element is touched in every iteration; an array that is written is touched at
   base + k only; different arrays do not overlap (tiles that share memory stand under conditions
   that exclude each other, which are no such touches); other threads do not touch what a band
   writes. Innermost loops come first; a loop around a rewritten one is left alone. */
#include "ir/walk.h"
#include "optimizer/strategies/alignment.h"
#include "optimizer/strategies/strategies.h"

struct vector_touch {
    const struct array *array;
    const struct expr *load;                 /* or NULL */
    const struct stmt *store;                /* or NULL */
    const struct poly *rest;                 /* its number is rest + loop variable; NULL = it is not
                                                of that form */
    const struct expr *const *indices;
    bool always;                             /* happens in every iteration */
};

/* An array, or one of its rows, that is moved by vectors. */
struct vector_lane {
    const struct vector_touch *first;
    const struct array *private;
    const struct expr *const *indices;       /* of its first element, in the loop's variable */
    bool loads, stores;
};

struct looping {
    struct ctx *ctx;
    struct arena *arena;
    const struct kernel *kernel;
    struct names names;
    struct alignment alignment;
    VEC(const struct array *) added;
    /* of the loop being looked at */
    const struct stmt *loop;
    struct map *defined;                     /* names that its body defines or assigns */
    bool refused;
    VEC(struct vector_touch) touches;
    VEC(struct vector_lane) lanes;
    int width;
    struct divisibility divisions;
    bool exact;                              /* the trip count is divisible where the
                                                condition holds */
    /* of the copy being made */
    struct map *renamed;                     /* name -> expression */
    const struct expr *element;              /* number in the group */
};

static void touch_add(struct looping *l, struct vector_touch touch,
                      const struct expr *const *indices)
{
    const struct poly *flat = alignment_flat(&l->alignment, touch.array, indices);
    touch.rest = alignment_unit(&l->alignment, flat, l->loop->var);
    touch.indices = indices;
    for (int v = 0; touch.rest && v < ring_count(l->alignment.ring); v++)
        if (poly_uses(touch.rest, v) && map_get(l->defined, ring_name(l->alignment.ring, v)))
            touch.rest = NULL;
    vec_push(l->arena, &l->touches, touch);
}

static void visit_expr(struct looping *l, const struct expr *e, bool always)
{
    bool branches = e->kind == EXPR_SELECT ||
                    (e->kind == EXPR_BINARY && (e->op == OP_LAND || e->op == OP_LOR));
    for (int i = 0; i < e->n_arguments; i++)
        visit_expr(l, e->arguments[i], always && (i == 0 || !branches));
    if (e->kind == EXPR_LOAD && e->array->space != SPACE_PRIVATE)
        touch_add(l, (struct vector_touch){.array = e->array, .load = e, .always = always},
                  e->arguments);
}

/* Is p >= 1, term by term? */
static bool is_positive(const struct looping *l, const struct poly *p)
{
    bool positive = false;
    struct ring *ring = l->alignment.ring;
    for (size_t i = 0; i < poly_terms(p); i++) {
        unsigned exponents[RING_CAPACITY] = {0};
        int64_t numerator, denominator, least = 1;
        if (!poly_term(p, i, &numerator, &denominator, exponents) || numerator < 0)
            return false;
        for (int v = 0; v < ring_count(ring); v++) {
            const struct param *param = exponents[v] ? kernel_param(l->kernel, ring_name(ring, v))
                                                     : NULL;
            if (exponents[v] && (!param || !param->has_lo || param->lo < 0))
                return false;
            least = exponents[v] && param->lo < 1 ? 0 : least;
        }
        positive |= least == 1 && denominator == 1;
    }
    return positive;
}

static bool loop_runs(struct looping *l, const struct stmt *loop)
{
    const struct poly *from = alignment_poly(&l->alignment, loop->from),
                      *to = alignment_poly(&l->alignment, loop->to);
    return from && to && is_positive(l, poly_sub(to, from));
}

static void visit_stmt(struct looping *l, const struct stmt *s, bool always)
{
    bool inside = always && s->kind != STMT_IF && (s->kind != STMT_FOR || loop_runs(l, s));
    l->refused |= s->kind == STMT_ARRAY || s->kind == STMT_BAND || s->kind == STMT_BARRIER ||
                  s->kind == STMT_WHILE || s->width || s->reduction;
    if (l->refused)
        return;
    if (s->indices)
        for (int i = 0; i < s->array->n_dims; i++)
            visit_expr(l, s->indices[i], always);
    if (s->value)
        visit_expr(l, s->value, always);
    if (s->kind == STMT_FOR) {
        visit_expr(l, s->from, always);
        visit_expr(l, s->to, always);
        visit_expr(l, s->step, false);
    }
    if (s->kind == STMT_STORE && s->array->space != SPACE_PRIVATE)
        touch_add(l, (struct vector_touch){.array = s->array, .store = s, .always = always},
                  s->indices);
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            visit_stmt(l, s->children[i], inside);
}

static struct map *defined_in(struct arena *arena, const struct stmt *body)
{
    struct map *defined = map_new(arena);
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, body); s; s = stmt_next(&walk))
        if (s->kind == STMT_LET || s->kind == STMT_SET || s->kind == STMT_FOR)
            map_put(defined, s->var->name, (void *)s);
    return defined;
}

static bool is_stored(const struct looping *l, const struct array *array)
{
    for (size_t i = 0; i < l->touches.count; i++)
        if (l->touches.at[i].array == array && l->touches.at[i].store)
            return true;
    return false;
}

static bool same_place(const struct vector_touch *a, const struct vector_touch *b)
{
    return a->array == b->array && a->rest && b->rest && poly_equal(a->rest, b->rest);
}

/* May the elements of this touch be moved by vectors? It is the first one of its place. */
static bool touch_moves(const struct looping *l, size_t first)
{
    const struct vector_touch *touch = &l->touches.at[first];
    bool always = false, stored = is_stored(l, touch->array);
    if (!touch->rest || type_vector_width(touch->array->element) == 0)
        return false;
    for (size_t i = 0; i < l->touches.count; i++) {
        const struct vector_touch *other = &l->touches.at[i];
        if (same_place(touch, other)) {
            if (i < first || (other->store && !other->always))
                return false;
            always |= other->always;
        } else if (stored && other->array == touch->array) {
            return false;
        }
    }
    return always && (!stored || touch->always);
}

static void lane_add(struct looping *l, size_t first)
{
    const struct vector_touch *touch = &l->touches.at[first];
    int width = type_vector_width(touch->array->element);
    if (l->width && width != l->width)
        return;
    l->divisions.modulus = width;
    struct divisibility tried = divisions_copy(&l->divisions);
    const struct poly *from = alignment_poly(&l->alignment, l->loop->from),
                      *to = alignment_poly(&l->alignment, l->loop->to);
    if (!from || !divisions_add_offset(&tried, touch->array))
        return;
    divisions_add(&tried, poly_add(touch->rest, from));
    struct divisibility even = divisions_copy(&tried);
    const struct poly *trip = to ? poly_sub(to, from) : NULL;
    if (trip)
        divisions_add(&even, trip);
    bool exact = trip && divisions_reduce(&even),
         parts = (!trip || !poly_is_constant(trip)) && type_is_signed(l->loop->to->type);
    if ((!exact && (!parts || !divisions_reduce(&tried))) || (l->lanes.count && exact != l->exact))
        return;
    l->divisions = exact ? even : tried;
    l->exact = exact;
    l->width = width;
    struct vector_lane lane = {.first = touch, .indices = touch->indices};
    lane.loads = touch->load != NULL;
    lane.stores = is_stored(l, touch->array);
    vec_push(l->arena, &l->lanes, lane);
}

/* Touches at base + k before those at base + k + 1: the former are aligned where anything is. */
static void lanes_choose(struct looping *l)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < l->touches.count; i++) {
            if (!touch_moves(l, i))
                continue;
            int64_t constant = 0;
            const struct poly *rest = l->touches.at[i].rest;
            for (int v = 0; v < ring_count(l->alignment.ring); v++)
                rest = poly_uses(rest, v) ? poly_coefficient(rest, v, 0) : rest;
            bool plain = poly_get_integer(rest, &constant) &&
                         constant % type_vector_width(l->touches.at[i].array->element) == 0;
            if (plain == (pass == 0))
                lane_add(l, i);
        }
}

/* An expression that has the same value in every iteration. */
static bool is_invariant(const struct looping *l, const struct expr *e)
{
    if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL || expr_uses_var(e, l->loop->var) ||
        (e->kind == EXPR_VAR && map_get(l->defined, e->var->name)))
        return false;
    for (int i = 0; i < e->n_arguments; i++)
        if (!is_invariant(l, e->arguments[i]))
            return false;
    return true;
}

static bool loop_match(struct looping *l, const struct stmt *s)
{
    int64_t step;
    if (s->kind != STMT_FOR || !expr_get_integer(s->step, &step) || step != 1)
        return false;
    l->loop = s;
    l->defined = defined_in(l->arena, s->children[0]);
    l->refused = false;
    l->touches.count = l->lanes.count = 0;
    l->divisions = (struct divisibility){.alignment = &l->alignment};
    l->width = 0;
    if (map_get(l->defined, s->var->name) || !is_invariant(l, s->from) || !is_invariant(l, s->to))
        return false;
    visit_stmt(l, s->children[0], true);
    if (!l->refused)
        lanes_choose(l);
    return l->lanes.count > 0;
}

static const struct vector_lane *lane_of(const struct looping *l, const struct expr *load,
                                         const struct stmt *store)
{
    for (size_t i = 0; i < l->touches.count; i++) {
        const struct vector_touch *touch = &l->touches.at[i];
        if ((load && touch->load != load) || (store && touch->store != store))
            continue;
        for (size_t k = 0; k < l->lanes.count; k++)
            if (same_place(l->lanes.at[k].first, touch))
                return &l->lanes.at[k];
    }
    return NULL;
}

static const struct expr *copy_expr(void *state, const struct expr *e)
{
    struct looping *l = state;
    const struct vector_lane *lane = l->element && e->kind == EXPR_LOAD ? lane_of(l, e, NULL)
                                                                        : NULL;
    if (lane)
        return expr_load(l->arena, lane->private, &l->element, e->loc);
    const struct expr *renamed = e->kind == EXPR_VAR ? map_get(l->renamed, e->var->name) : NULL;
    return renamed ? renamed : expr_map_operands(l->arena, e, copy_expr, l);
}

static struct var *var_rename(struct looping *l, const struct var *var)
{
    struct var *fresh = var_new(l->arena, names_fresh(&l->names, var->name), var->type, var->kind);
    fresh->loc = var->loc;
    map_put(l->renamed, var->name, (void *)expr_var(l->arena, fresh));
    return fresh;
}

/* The statement with its own names; inside a group (l->element) with the lanes' elements for those
   of their arrays. */
static const struct stmt *copy_stmt(struct looping *l, const struct stmt *s)
{
    struct stmt *copy = (struct stmt *)stmt_map_exprs(l->arena, s, copy_expr, l);
    if (s->kind == STMT_STORE && l->element) {
        const struct vector_lane *lane = lane_of(l, NULL, s);
        if (lane)
            return stmt_store(l->arena, lane->private, &l->element, copy->value, s->loc);
    }
    if (s->kind == STMT_LET || s->kind == STMT_FOR) {
        copy->var = var_rename(l, s->var);
        copy->to = s->to ? copy_expr(l, s->to) : NULL;
        copy->step = s->step ? copy_expr(l, s->step) : NULL;
    } else if (s->kind == STMT_SET) {
        const struct expr *renamed = map_get(l->renamed, s->var->name);
        copy->var = renamed ? renamed->var : s->var;
    }
    const struct stmt **children = ARENA_ARRAY(l->arena, const struct stmt *, s->n_children + 1);
    for (int i = 0; i < s->n_children; i++)
        children[i] = s->children[i] ? copy_stmt(l, s->children[i]) : NULL;
    return s->n_children ? stmt_rebuild(l->arena, copy, children) : copy;
}

static const struct array *lane_array(struct looping *l, const struct array *array)
{
    struct array *private = ARENA_NEW(l->arena, struct array);
    const struct expr **dims = ARENA_ARRAY(l->arena, const struct expr *, 1);
    dims[0] = expr_integer(l->arena, TYPE_I32, l->width);
    private->name = names_fresh(&l->names, arena_printf(l->arena, "vector_%s", array->name));
    private->element = array->element;
    private->space = SPACE_PRIVATE;
    private->n_dims = 1;
    private->dims = dims;
    private->origin = array->space == SPACE_GLOBAL ? array : array->origin;
    private->loc = array->loc;
    vec_push(l->arena, &l->added, (const struct array *)private);
    return private;
}

/* The subscripts of a touch, with the values of scalars that the body defines substituted. */
static const struct expr *expand(void *state, const struct expr *e)
{
    struct looping *l = state;
    const struct stmt *let = e->kind == EXPR_VAR && map_get(l->defined, e->var->name)
                                 ? map_get(l->alignment.values, e->var->name)
                                 : NULL;
    return let ? expand(l, let->value) : expr_map_operands(l->arena, e, expand, l);
}

/* vector private[0] = array[…], or the other way round, at the group's first iteration. */
static const struct stmt *lane_move(struct looping *l, const struct vector_lane *lane, bool is_load)
{
    const struct array *array = lane->first->array;
    const struct expr **indices = ARENA_ARRAY(l->arena, const struct expr *, array->n_dims);
    const struct expr *zero = expr_integer(l->arena, TYPE_I32, 0);
    struct loc loc = lane->first->load ? lane->first->load->loc : lane->first->store->loc;
    for (int i = 0; i < array->n_dims; i++)
        indices[i] = copy_expr(l, expand(l, lane->indices[i]));
    if (is_load)
        return stmt_vector(l->arena, lane->private, &zero, expr_load(l->arena, array, indices, loc),
                           loc);
    return stmt_vector(l->arena, array, indices, expr_load(l->arena, lane->private, &zero, loc),
                       loc);
}

/* The loop over groups of `width` iterations up to `to`. */
static const struct stmt *group_loop(struct looping *l, const struct expr *to)
{
    const struct stmt *loop = l->loop;
    enum type type = loop->var->type;
    struct stmts parts = {0};
    l->renamed = map_new(l->arena);
    struct var *group = var_rename(l, loop->var);
    l->element = NULL;
    for (size_t i = 0; i < l->lanes.count; i++) {
        struct vector_lane *lane = &l->lanes.at[i];
        lane->private = lane_array(l, lane->first->array);
        vec_push(l->arena, &parts, stmt_array(l->arena, lane->private));
    }
    for (size_t i = 0; i < l->lanes.count; i++)
        if (l->lanes.at[i].loads)
            vec_push(l->arena, &parts, lane_move(l, &l->lanes.at[i], true));
    struct var *e = var_new(l->arena, names_fresh(&l->names, "e"), type, VAR_ITERATOR);
    l->element = expr_var(l->arena, e);
    const struct expr *first = map_get(l->renamed, loop->var->name);
    map_put(l->renamed, loop->var->name, (void *)expr_binary(l->arena, OP_ADD, first, l->element));
    struct stmt *each = (struct stmt *)stmt_for(l->arena, e, expr_integer(l->arena, type, 0),
                                                expr_integer(l->arena, type, l->width),
                                                expr_integer(l->arena, type, 1),
                                                copy_stmt(l, loop->children[0]));
    each->unroll = true;
    vec_push(l->arena, &parts, (const struct stmt *)each);
    l->element = NULL;
    map_put(l->renamed, loop->var->name, (void *)first);
    for (size_t i = 0; i < l->lanes.count; i++)
        if (l->lanes.at[i].stores)
            vec_push(l->arena, &parts, lane_move(l, &l->lanes.at[i], false));
    struct stmt *groups =
        (struct stmt *)stmt_for(l->arena, group, loop->from, to,
                                expr_integer(l->arena, type, l->width),
                                stmt_sequence(l->arena, parts.at, (int)parts.count));
    groups->unroll = loop->unroll;
    return groups;
}

/* The old loop once more, from `from` on. */
static const struct stmt *rest_loop(struct looping *l, const struct expr *from)
{
    l->renamed = map_new(l->arena);
    l->element = NULL;
    struct stmt *rest = (struct stmt *)copy_stmt(l, l->loop);
    rest->from = expr_cast(l->arena, rest->var->type, from);
    return rest;
}

static const struct stmt *loop_vector(void *state, const struct stmt *s)
{
    struct looping *l = state;
    if (!loop_match(l, s))
        return s;
    const struct expr *condition = divisions_condition(&l->divisions);
    const struct stmt *groups;
    if (l->exact) {
        groups = group_loop(l, s->to);
    } else {
        const struct expr *trip = expr_binary(l->arena, OP_SUB, s->to, s->from);
        const struct expr *odd = expr_binary(l->arena, OP_REM, trip,
                                             expr_integer(l->arena, trip->type, l->width));
        const struct expr *middle = expr_binary(l->arena, OP_SUB, s->to, odd);
        const struct stmt *parts[2] = {group_loop(l, middle), rest_loop(l, middle)};
        groups = stmt_sequence(l->arena, parts, 2);
    }
    return condition ? stmt_if(l->arena, condition, groups, s) : groups;
}

const struct kernel *strategy_vector_loop(struct ctx *ctx, const struct kernel *kernel)
{
    struct looping l = {.ctx = ctx,
                        .arena = ctx->arena,
                        .kernel = kernel,
                        .names = names_new(ctx->arena, kernel),
                        .alignment = alignment_new(ctx->arena, kernel)};
    if (alignment_has_vectors(kernel, true))
        return kernel;
    struct kernel *copy = kernel_copy(ctx->arena, kernel);
    copy->body = stmt_rewrite(ctx->arena, kernel->body, loop_vector, &l);
    const struct array **arrays = ARENA_ARRAY(ctx->arena, const struct array *,
                                              kernel->n_arrays + (int)l.added.count);
    for (int i = 0; i < kernel->n_arrays; i++)
        arrays[i] = kernel->arrays[i];
    for (size_t i = 0; i < l.added.count; i++)
        arrays[kernel->n_arrays + (int)i] = l.added.at[i];
    copy->arrays = arrays;
    copy->n_arrays += (int)l.added.count;
    return copy;
}
