/* Thread granularity: a serial loop of the threads becomes part of the grid.

   In: a banded kernel with redistributable loops (access_coarse_loops). Out: the same iteration set
   without them. Folding: where every index has coefficient(i) = trip * coefficient(k), axis i of
   extent e becomes axis g of extent trip*e, g = i*trip + k, and an index c*(trip*i + k) + rest
   becomes c*g + rest (i := 0, k := g in its polynomial). Expressions that are not of this form get
   i = g / trip, k = g % trip. Otherwise the loop becomes a grid axis of its own.
   Invariant: exactly the serial iterations are done (the extent is trip*e, never recomputed from
   the sizes), whatever the divisions in e truncate; scalars in terms of i or k alone are
   substituted into their uses first, so that q = j*u*s + u0 and x = w*u meet in q + x. Source: spec
   C-28 … C-31; design, "Iteration sets are sacred". */
#include "ir/walk.h"
#include "optimizer/strategies/strategies.h"
#include "optimizer/strategies/rewrite.h"

struct reduction {
    struct arena *arena;
    struct ring *ring;                     /* of the names in the kernel's expressions, not the
                                              kernel's own */
    const struct stmt *loop;
    const struct var *outer, *inner;       /* i and k */
    const struct poly *trip;
    const struct expr *trip_expr;
    const struct var *fused;               /* g */
    VEC(const struct var *) inlined;       /* scalars substituted into their uses */
    VEC(const struct expr *) values;
    struct map *variables;                 /* by name */
    const struct stmt *body;
};

static const struct var *variable_lookup(void *state, const char *name)
{
    const struct reduction *r = state;
    return map_get(r->variables, name);
}

static void collect_variables(struct reduction *r, const struct expr *root)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, r->arena, root); e; e = expr_next(&walk))
        if (e->kind == EXPR_VAR)
            map_put(r->variables, e->var->name, (void *)e->var);
}

static bool mentions(const struct reduction *r, const struct expr *e)
{
    return expr_uses_var(e, r->outer) || expr_uses_var(e, r->inner);
}

/* c*(trip*i + k) + rest with c and rest free of both? Then the polynomial in g. */
static const struct expr *fold_polynomial(struct reduction *r, const struct expr *e)
{
    if (type_is_floating(e->type) || e->type == TYPE_BOOL)
        return NULL;
    const struct poly *p = expr_poly(r->ring, e);
    if (!p)
        return NULL;
    int i = ring_variable(r->ring, r->outer->name), k = ring_variable(r->ring, r->inner->name);
    int g = ring_variable(r->ring, r->fused->name);
    if (i < 0 || k < 0 || g < 0 || poly_degree(p, i) > 1 || poly_degree(p, k) > 1)
        return NULL;
    const struct poly *a = poly_coefficient(p, i, 1), *c = poly_coefficient(p, k, 1);
    if (poly_uses(a, k) || poly_uses(c, i) || !poly_equal(a, poly_mul(r->trip, c)))
        return NULL;
    const struct poly *folded = poly_substitute(p, i, poly_integer(r->ring, 0));
    folded = poly_substitute(folded, k, poly_variable(r->ring, g));
    collect_variables(r, e);
    return poly_expr(r->arena, folded, e->type, variable_lookup, r);
}

static const struct expr *fold_expr(void *state, const struct expr *e)
{
    struct reduction *r = state;
    if (!mentions(r, e))
        return e;
    const struct expr *folded = fold_polynomial(r, e);
    if (folded)
        return folded;
    if (e->kind != EXPR_VAR)
        return expr_map_operands(r->arena, e, fold_expr, r);
    const struct expr *g = expr_var(r->arena, r->fused),
                      *trip = expr_cast(r->arena, r->fused->type, r->trip_expr);
    const struct expr *part = expr_binary(r->arena, e->var == r->outer ? OP_DIV : OP_REM, g, trip);
    return expr_cast(r->arena, e->type, part);
}

static const struct expr *fold_whole(void *state, const struct expr *e)
{
    struct reduction *r = state;
    struct substitution s = {(int)r->inlined.count, r->inlined.at, r->values.at};
    return fold_expr(r, expr_replace(r->arena, e, &s));
}

static bool is_integer_arithmetic(const struct expr *e)
{
    if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL || type_is_floating(e->type))
        return false;
    for (int i = 0; i < e->n_arguments; i++)
        if (!is_integer_arithmetic(e->arguments[i]))
            return false;
    return true;
}

/* Is s a scalar whose value does not fold by itself, to be substituted into its uses? */
static bool let_is_inlined(struct reduction *r, const struct stmt *s)
{
    if (s->kind != STMT_LET || !s->value || stmt_sets_var(r->body, s->var))
        return false;
    struct substitution known = {(int)r->inlined.count, r->inlined.at, r->values.at};
    const struct expr *value = expr_replace(r->arena, s->value, &known);
    if (!is_integer_arithmetic(value) || !mentions(r, value) || fold_polynomial(r, value))
        return false;
    vec_push(r->arena, &r->inlined, s->var);
    vec_push(r->arena, &r->values, value);
    return true;
}

static const struct stmt *fold_stmt(struct reduction *r, const struct stmt *s)
{
    if (s == r->loop)
        return fold_stmt(r, s->children[0]);
    if (let_is_inlined(r, s))
        return NULL;
    s = stmt_map_exprs(r->arena, s, fold_whole, r);
    if (s->n_children == 0)
        return s;
    const struct stmt **children = ARENA_ARRAY(r->arena, const struct stmt *, s->n_children);
    for (int i = 0; i < s->n_children; i++)
        children[i] = s->children[i] ? fold_stmt(r, s->children[i]) : NULL;
    return stmt_rebuild(r->arena, s, children);
}

/* The loop folded into grid axis `axis`; NULL if its trip count is no polynomial. */
static const struct kernel *loop_fold(struct arena *arena, const struct kernel *kernel,
                                      const struct stmt *loop, int axis)
{
    struct reduction r = {.arena = arena, .loop = loop, .inner = loop->var, .body = kernel->body};
    if (!loop_is_normal(loop))
        return NULL;
    r.ring = ring_new(arena);
    r.trip_expr = loop->to;
    r.trip = expr_poly(r.ring, loop->to);
    if (!r.trip)
        return NULL;
    r.outer = kernel->grid[axis].var;
    r.fused = var_new(arena, r.outer->name, type_common(r.outer->type, loop->var->type),
                      VAR_ITERATOR);
    /* While both exist they must have two names in the ring. */
    struct var *fused = (struct var *)r.fused;
    fused->name = kernel_fresh(arena, kernel,
                               arena_printf(arena, "%s_%s", r.outer->name, loop->var->name));
    r.variables = map_new(arena);
    map_put(r.variables, fused->name, fused);
    struct kernel *reduced = kernel_copy(arena, kernel);
    reduced->body = fold_stmt(&r, kernel->body);
    fused->name = r.outer->name;
    struct axis *grid = ARENA_ARRAY(arena, struct axis, kernel->n_grid);
    for (int i = 0; i < kernel->n_grid; i++)
        grid[i] = kernel->grid[i];
    enum type type = type_common(loop->to->type, grid[axis].extent->type);
    grid[axis].var = r.fused;
    grid[axis].extent = expr_binary(arena, OP_MUL, expr_cast(arena, type, loop->to),
                                    expr_cast(arena, type, grid[axis].extent));
    reduced->grid = grid;
    return reduced;
}

struct removal {
    const struct stmt *loop, *replacement;
    const struct var *var;
    const struct expr *value;
};

static const struct stmt *remove_loop(void *state, const struct stmt *s)
{
    const struct removal *removal = state;
    return s == removal->loop ? removal->replacement : s;
}

static const struct expr *replace_variable(void *state, const struct expr *e)
{
    const struct removal *removal = state;
    return e->kind == EXPR_VAR && e->var == removal->var ? removal->value : e;
}

/* The loop as a grid axis of its own, the last one. NULL if there are too many. */
static const struct kernel *loop_to_axis(struct arena *arena, const struct kernel *kernel,
                                         const struct stmt *loop)
{
    if (kernel->n_grid == AXES_MAX)
        return NULL;
    struct removal removal = {loop, loop->children[0], loop->var, NULL};
    const struct var *var = loop->var;
    if (!loop_is_normal(loop)) {
        var = var_new(arena, kernel_fresh(arena, kernel, var->name), var->type, VAR_ITERATOR);
        const struct expr *scaled = expr_binary(arena, OP_MUL, loop->step, expr_var(arena, var));
        removal.value = expr_binary(arena, OP_ADD, loop->from, scaled);
        removal.replacement = stmt_rewrite_exprs(arena, loop->children[0], replace_variable,
                                                 &removal);
    }
    struct kernel *reduced = kernel_copy(arena, kernel);
    struct axis *grid = ARENA_ARRAY(arena, struct axis, kernel->n_grid + 1);
    for (int i = 0; i < kernel->n_grid; i++)
        grid[i] = kernel->grid[i];
    grid[kernel->n_grid] = (struct axis){var, loop_trip(arena, loop)};
    reduced->grid = grid;
    reduced->n_grid++;
    reduced->body = stmt_rewrite(arena, kernel->body, remove_loop, &removal);
    return reduced;
}

const struct kernel *strategy_granularity(struct ctx *ctx, const struct kernel *kernel)
{
    const struct stmt **loops;
    size_t left = access_coarse_loops(ctx, kernel, &loops);
    for (size_t round = left; round > 0 && left > 0; round--) {
        struct fold fold = access_fold(ctx, kernel, loops[0]);
        const struct kernel *reduced = fold.axis >= 0
                                           ? loop_fold(ctx->arena, kernel, loops[0], fold.axis)
                                           : NULL;
        if (!reduced)
            reduced = loop_to_axis(ctx->arena, kernel, loops[0]);
        if (!reduced)
            return kernel;
        kernel = reduced;
        left = round > 1 ? access_coarse_loops(ctx, kernel, &loops) : 0;
    }
    return kernel;
}
