/* The loads of a serial loop, and those among them that meet in one element some rounds apart.

   In: a loop of a thread. Out: for every load in its body whether it is executed in every round in
   which a condition holds that is fixed during the loop, its subscripts as polynomials in the
   loop's variable v, and groups: sites of one array under one condition whose subscripts differ by
   a whole number of rounds, q(v) = r(v + step*d). An array that the loop stores to has no usable
   sites; no other thread writes it meanwhile, for there is no barrier in a band. Names defined in
   the body are substituted if their value has no loads and calls and they are never set.
   Invariant: a usable site stands for a load that the body executes whenever its guard holds;
   subscripts with casts that may wrap where the polynomial does not are not usable. */
#include "ir/walk.h"
#include "optimizer/strategies/scalar.h"

static bool var_among(const struct var *var, const struct var *const *vars, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (vars[i] == var)
            return true;
    return false;
}

/* --- what changes during the loop ------------------------------------------------------------- */

static void collect_changing(struct serial_loop *loop)
{
    struct stmt_walk walk;
    const struct stmt *body = loop->loop->children[0];
    for (const struct stmt *s = stmt_first(&walk, loop->arena, body); s; s = stmt_next(&walk)) {
        if (s->kind == STMT_SET || s->kind == STMT_FOR || (s->kind == STMT_LET && !s->value))
            vec_push(loop->arena, &loop->changing, s->var);
        if (s->kind == STMT_STORE || s->kind == STMT_ARRAY)
            vec_push(loop->arena, &loop->stored, s->array);
    }
}

/* No loads, calls and changing variables; the loop's own variable may occur. */
static bool is_pure(const struct serial_loop *loop, const struct expr *e)
{
    if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL)
        return false;
    if (e->kind == EXPR_VAR && var_among(e->var, loop->changing.at, loop->changing.count))
        return false;
    for (int i = 0; i < e->n_arguments; i++)
        if (!is_pure(loop, e->arguments[i]))
            return false;
    return true;
}

bool serial_loop_fixed(const struct serial_loop *loop, const struct expr *e)
{
    return is_pure(loop, e) && !expr_uses_var(e, loop->loop->var);
}

static const struct expr *resolve(struct serial_loop *loop, const struct expr *e)
{
    struct substitution lets = {(int)loop->lets.count, loop->lets.at, loop->values.at};
    return expr_replace(loop->arena, e, &lets);
}

/* --- sites ------------------------------------------------------------------------------------ */

static bool site_subscripts(struct serial_loop *loop, struct load_site *site)
{
    int n = site->load->n_arguments;
    const struct expr **indices = ARENA_ARRAY(loop->arena, const struct expr *, n + 1);
    const struct poly **polys = ARENA_ARRAY(loop->arena, const struct poly *, n + 1);
    for (int i = 0; i < n; i++) {
        indices[i] = resolve(loop, site->load->arguments[i]);
        if (!expr_casts_exact(indices[i]) || !is_pure(loop, indices[i]))
            return false;
        polys[i] = expr_poly(loop->ring, indices[i]);
        if (!polys[i])
            return false;
        site->moves |= expr_uses_var(indices[i], loop->loop->var);
    }
    site->indices = indices;
    site->polys = polys;
    return true;
}

static void site_add(struct serial_loop *loop, const struct expr *load)
{
    struct load_site site = {.load = load, .guard = loop->guard, .group = -1};
    bool stored = false;
    for (size_t i = 0; i < loop->stored.count; i++)
        stored |= loop->stored.at[i] == load->array;
    site.usable = loop->certain && !stored && site_subscripts(loop, &site);
    vec_push(loop->arena, &loop->sites, site);
}

static void collect_expr(struct serial_loop *loop, const struct expr *e)
{
    bool certain = loop->certain;
    bool cuts = e->kind == EXPR_SELECT ||
                (e->kind == EXPR_BINARY && (e->op == OP_LAND || e->op == OP_LOR));
    if (e->kind == EXPR_LOAD)
        site_add(loop, e);
    for (int i = 0; i < e->n_arguments; i++) {
        loop->certain = certain && (i == 0 || !cuts);
        collect_expr(loop, e->arguments[i]);
    }
    loop->certain = certain;
}

static void collect_stmt(struct serial_loop *loop, const struct stmt *s);

/* The branches of an `if`: under its condition where that is fixed, else not in every round. */
static void collect_branches(struct serial_loop *loop, const struct stmt *s)
{
    const struct expr *outer = loop->guard, *condition = resolve(loop, s->value);
    bool certain = loop->certain, fixed = serial_loop_fixed(loop, condition);
    for (int i = 0; i < s->n_children; i++) {
        if (!s->children[i])
            continue;
        const struct expr *holds = !fixed || i == 0 ? condition
                                                    : expr_unary(loop->arena, OP_NOT, condition);
        loop->guard = fixed ? expr_join(loop->arena, OP_LAND, outer, holds) : outer;
        loop->certain = certain && fixed;
        collect_stmt(loop, s->children[i]);
    }
    loop->guard = outer;
    loop->certain = certain;
}

static void collect_let(struct serial_loop *loop, const struct stmt *s)
{
    const struct expr *value = s->value ? resolve(loop, s->value) : NULL;
    bool set = var_among(s->var, loop->changing.at, loop->changing.count);
    if (value && !set && is_pure(loop, value)) {
        vec_push(loop->arena, &loop->lets, s->var);
        vec_push(loop->arena, &loop->values, value);
    } else if (!set) {
        vec_push(loop->arena, &loop->changing, s->var);
    }
}

static void collect_loop(struct serial_loop *loop, const struct stmt *s)
{
    bool certain = loop->certain;
    collect_expr(loop, s->from);
    collect_expr(loop, s->to);
    loop->certain = false;
    collect_expr(loop, s->step);
    collect_stmt(loop, s->children[0]);
    loop->certain = certain;
}

static void collect_while(struct serial_loop *loop, const struct stmt *s)
{
    bool certain = loop->certain;
    loop->certain = false;
    collect_stmt(loop, s->children[0]);
    loop->certain = certain;
}

/* The expressions that stand in s itself; what a vector copy loads is more than one element. */
static void collect_values(struct serial_loop *loop, const struct stmt *s)
{
    bool certain = loop->certain;
    if (s->indices)
        for (int i = 0; i < s->array->n_dims; i++)
            collect_expr(loop, s->indices[i]);
    loop->certain = certain && !s->width;
    if (s->value)
        collect_expr(loop, s->value);
    loop->certain = certain;
}

static void collect_stmt(struct serial_loop *loop, const struct stmt *s)
{
    collect_values(loop, s);
    switch (s->kind) {
    case STMT_LET: collect_let(loop, s); return;
    case STMT_IF: collect_branches(loop, s); return;
    case STMT_FOR: collect_loop(loop, s); return;
    case STMT_WHILE: collect_while(loop, s); return;
    default:
        for (int i = 0; i < s->n_children; i++)
            collect_stmt(loop, s->children[i]);
    }
}

static bool guard_same(const struct expr *a, const struct expr *b)
{
    return a == b || (a && b && expr_equal(a, b));
}

/* One expression may stand in two places: it is replaced in both or in neither. */
static void sites_settle(struct serial_loop *loop)
{
    for (size_t i = 0; i < loop->sites.count; i++)
        for (size_t j = 0; j < loop->sites.count; j++) {
            struct load_site *a = &loop->sites.at[i], *b = &loop->sites.at[j];
            if (a->load == b->load && (!b->usable || !guard_same(a->guard, b->guard)))
                a->usable = b->usable = false;
        }
}

/* --- groups ----------------------------------------------------------------------------------- */

/* In how many rounds does a reach the subscript that b has now: false if never; *d stays where a is
   always there. */
static bool subscript_distance(const struct serial_loop *loop, const struct poly *a,
                               const struct poly *b, int variable, int64_t *d)
{
    const struct poly *difference = poly_sub(b, a);
    if (poly_is_zero(difference) && !poly_uses(a, variable))
        return true;
    if (poly_is_zero(difference)) {
        *d = 0;
        return true;
    }
    if (poly_degree(a, variable) != 1 || poly_uses(difference, variable))
        return false;
    const struct poly *stride = poly_scale(poly_coefficient(a, variable, 1), loop->step, 1);
    const struct poly *rounds = poly_divide_exact(difference, stride);
    return rounds && poly_get_integer(rounds, d);
}

static bool site_distance(const struct serial_loop *loop, const struct load_site *a,
                          const struct load_site *b, int *rounds)
{
    int variable = ring_find(loop->ring, loop->loop->var->name);
    int64_t distance = 0;
    bool known = false;
    if (!b->usable || b->group >= 0 || a->load->array != b->load->array ||
        !guard_same(a->guard, b->guard))
        return false;
    for (int i = 0; i < a->load->n_arguments; i++) {
        int64_t d = INT64_MIN;
        if (!subscript_distance(loop, a->polys[i], b->polys[i], variable, &d))
            return false;
        if (d == INT64_MIN)
            continue;
        if (known && d != distance)
            return false;
        distance = d;
        known = true;
    }
    *rounds = (int)distance;
    return distance >= -SCALARS_MAX && distance <= SCALARS_MAX;
}

/* Sites of the group of `first`: from its element on both sides as long as the gaps are small. */
static void group_make(struct serial_loop *loop, struct load_site *first)
{
    bool present[2 * SCALARS_MAX + 1] = {false};
    int rounds, low = SCALARS_MAX, high = SCALARS_MAX;
    for (size_t i = 0; i < loop->sites.count; i++)
        if (site_distance(loop, first, &loop->sites.at[i], &rounds))
            present[rounds + SCALARS_MAX] = true;
    for (int at = SCALARS_MAX; at <= 2 * SCALARS_MAX && at - high <= GAP_MAX; at++)
        high = present[at] ? at : high;
    for (int at = SCALARS_MAX; at >= 0 && low - at <= GAP_MAX && high - at <= SCALARS_MAX; at--)
        low = present[at] ? at : low;
    for (size_t i = 0; i < loop->sites.count; i++) {
        struct load_site *site = &loop->sites.at[i];
        if (!site_distance(loop, first, site, &rounds) || rounds + SCALARS_MAX < low ||
            rounds + SCALARS_MAX > high || site == first)
            continue;
        site->group = loop->n_groups;
        site->offset = rounds + SCALARS_MAX - low;
    }
    first->group = loop->n_groups++;
    first->offset = SCALARS_MAX - low;
}

bool serial_loop_read(struct arena *arena, const struct stmt *s, struct serial_loop *out)
{
    *out =
        (struct serial_loop){.arena = arena, .loop = s, .certain = true, .ring = ring_new(arena)};
    collect_changing(out);
    if (!expr_get_integer(s->step, &out->step) || out->step <= 0 ||
        ring_variable(out->ring, s->var->name) < 0)
        return false;
    collect_stmt(out, s->children[0]);
    if (!serial_loop_fixed(out, s->from) || !serial_loop_fixed(out, s->to))
        return false;
    sites_settle(out);
    for (size_t i = 0; i < out->sites.count; i++)
        if (out->sites.at[i].usable && out->sites.at[i].group < 0)
            group_make(out, &out->sites.at[i]);
    return true;
}
