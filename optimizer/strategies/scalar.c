/* Scalar replacement across a serial loop of a thread: what an earlier round has loaded is not
   loaded again.

   In:  a placed kernel. Out: the same with loads of its bands' loops kept in scalars:
   - a[i], a[i+1], a[i+2] in a loop over i (any subscripts that meet whole rounds apart): one load
     per round for the element that is met first, the others are handed down at the end of the
     round, x0 = x1; x1 = x2; the first ones are loaded before the loop;
   - a load whose subscripts are fixed during the loop: once, before the loop;
   - a load that stands several times in a round: once in the round;
   - a bound with loads (rows of sparse matrices): once;
   - rows of a window whose taps are counted by short loops (short.c): these loops stand round by
     round in the text then, where elements are handed down by it.
   Invariant: nothing is loaded that the loop would not load. What is loaded before the loop stands
   under "there is a first round" and the condition of the loads; an element that no site reads in
   the first round (a gap: a[i] and a[i+2] alone) under "there is a round that reads it". Inner
   loops come first, so that what they load before them can move further out. Values are copied,
   never computed anew: results are the same bit for bit. */
#include "optimizer/strategies/scalar.h"
#include "ir/walk.h"
#include <assert.h>

/* Rounds of a short loop, and statements of all of them, that are written one after the other. */
enum { SPELLED_MAX = 128 };

struct replacement {
    struct arena *arena;
    struct names *names;
    const struct kernel *kernel;
    struct serial_loop loop;
    struct stmts before, first;            /* before the loop; `first`: if it has a round */
    struct stmts top, bottom;              /* at the ends of its body */
    const struct var **scalar;             /* by site: what stands for its load; NULL = the
                                              load stays */
    const struct expr *first_round;        /* from < to; NULL where the kernel's facts prove it */
    bool *rotates;                         /* set where something is handed down from round
                                              to round */
};

/* --- one group -------------------------------------------------------------------------------- */

/* A group of loads: its sites by offset, its array, the number of rounds that it spans. */
struct group {
    const struct load_site *at[SCALARS_MAX + 1];
    const struct array *array;
    const struct expr *guard;
    bool moves;
    int count, reach;
};

static struct group group_read(const struct serial_loop *loop, int number)
{
    struct group group = {.reach = 0};
    for (size_t i = 0; i < loop->sites.count; i++) {
        const struct load_site *site = &loop->sites.at[i];
        if (site->group != number)
            continue;
        group.at[site->offset] = site;
        group.array = site->load->array;
        group.guard = site->guard;
        group.moves = site->moves;
        group.count++;
        group.reach = site->offset > group.reach ? site->offset : group.reach;
    }
    return group;
}

/* The value of the loop's variable `rounds` after the first. */
static const struct expr *round_value(const struct replacement *r, int rounds)
{
    enum type type = r->loop.loop->var->type;
    const struct expr *ahead = expr_integer(r->arena, type, r->loop.step * rounds);
    return expr_cast(r->arena, type, expr_binary(r->arena, OP_ADD, r->loop.loop->from, ahead));
}

/* "There are more than `rounds` rounds", where there is a first one: each part is evaluated only
   where the one before holds. */
static const struct expr *rounds_exist(const struct replacement *r, int rounds)
{
    const struct expr *condition = NULL;
    for (int i = 1; i <= rounds; i++)
        condition = expr_join(r->arena, OP_LAND, condition,
                         expr_binary(r->arena, OP_LT, round_value(r, i), r->loop.loop->to));
    return condition;
}

static const struct stmt *stmt_under(struct arena *arena, const struct expr *condition,
                                     const struct stmt *s)
{
    return condition ? stmt_if(arena, condition, s, NULL) : s;
}

/* The load of a site, `rounds` after the first round; -1: in the present one. */
static const struct expr *site_load(const struct replacement *r, const struct load_site *site,
                                    int rounds)
{
    const struct var *variable = r->loop.loop->var;
    const struct expr *value = rounds < 0 ? expr_var(r->arena, variable) : round_value(r, rounds);
    struct substitution shift = {1, &variable, &value};
    int n = site->load->n_arguments;
    const struct expr **indices = ARENA_ARRAY(r->arena, const struct expr *, n + 1);
    for (int i = 0; i < n; i++)
        indices[i] = expr_replace(r->arena, site->indices[i], &shift);
    return expr_load(r->arena, site->load->array, indices, site->load->loc);
}

static struct var *scalar_new(struct replacement *r, const struct array *array)
{
    return var_new(r->arena, names_fresh(r->names, arena_printf(r->arena, "%s_value", array->name)),
                   array->element, VAR_LOCAL);
}

/* var = value in each round where `guard` holds (NULL: always). */
static void load_in_round(struct replacement *r, const struct var *var, const struct expr *value,
                          const struct expr *guard)
{
    vec_push(r->arena, &r->top, stmt_let(r->arena, var, guard ? NULL : value));
    if (guard)
        vec_push(r->arena, &r->top,
                 stmt_if(r->arena, guard, stmt_set(r->arena, var, value), NULL));
}

/* The same once before the loop, where there is a first round. */
static void load_before(struct replacement *r, const struct var *var, const struct expr *value,
                        const struct expr *guard)
{
    if (!r->first_round && !guard) {
        vec_push(r->arena, &r->before, stmt_let(r->arena, var, value));
        return;
    }
    vec_push(r->arena, &r->before, stmt_let(r->arena, var, NULL));
    vec_push(r->arena, &r->first, stmt_under(r->arena, guard, stmt_set(r->arena, var, value)));
}

static void sites_take(struct replacement *r, int number, const struct var *const *scalars)
{
    for (size_t i = 0; i < r->loop.sites.count; i++)
        if (r->loop.sites.at[i].group == number)
            r->scalar[i] = scalars[r->loop.sites.at[i].offset];
}

/* The scalars of the elements that the first round needs from before the loop; `k` counts from the
   group's first. */
static void rotation_begin(struct replacement *r, const struct group *group,
                           const struct var *const *scalars)
{
    struct stmts loads = {0};
    int from = 0;
    for (int k = 0; k < group->reach; k++) {
        from = group->at[k] ? k : from;
        const struct stmt *load = stmt_set(r->arena, scalars[k],
                                           site_load(r, group->at[from], k - from));
        bool gap = k != from;
        const struct expr *none = expr_zero(r->arena, group->array->element);
        vec_push(r->arena, &r->before, stmt_let(r->arena, scalars[k], gap ? none : NULL));
        vec_push(r->arena, &loads, stmt_under(r->arena, rounds_exist(r, k - from), load));
    }
    const struct stmt *all = stmt_sequence(r->arena, loads.at, (int)loads.count);
    vec_push(r->arena, &r->first, stmt_under(r->arena, group->guard, all));
}

static void group_rotate(struct replacement *r, int number, const struct group *group)
{
    const struct var *scalars[SCALARS_MAX + 1];
    struct stmts shifts = {0};
    for (int k = 0; k <= group->reach; k++)
        scalars[k] = scalar_new(r, group->array);
    rotation_begin(r, group, scalars);
    load_in_round(r, scalars[group->reach], site_load(r, group->at[group->reach], -1),
                  group->guard);
    for (int k = 0; k < group->reach; k++)
        vec_push(r->arena, &shifts,
                 stmt_set(r->arena, scalars[k], expr_var(r->arena, scalars[k + 1])));
    const struct stmt *shift = stmt_sequence(r->arena, shifts.at, (int)shifts.count);
    vec_push(r->arena, &r->bottom, stmt_under(r->arena, group->guard, shift));
    sites_take(r, number, scalars);
    *r->rotates = true;
}

static void group_replace(struct replacement *r, int number)
{
    struct group group = group_read(&r->loop, number);
    assert(group.array);
    if (group.reach > 0) {
        group_rotate(r, number, &group);
    } else if (!group.moves || group.count > 1) {
        const struct var *scalar = scalar_new(r, group.array);
        if (group.moves)
            load_in_round(r, scalar, site_load(r, group.at[0], -1), group.guard);
        else
            load_before(r, scalar, site_load(r, group.at[0], 0), group.guard);
        sites_take(r, number, &scalar);
    }
}

/* --- the loop --------------------------------------------------------------------------------- */

static const struct expr *replace_load(void *state, const struct expr *e)
{
    struct replacement *r = state;
    if (e->kind == EXPR_LOAD)
        for (size_t i = 0; i < r->loop.sites.count; i++)
            if (r->loop.sites.at[i].load == e && r->scalar[i])
                return expr_var(r->arena, r->scalar[i]);
    return expr_map_operands(r->arena, e, replace_load, r);
}

static const struct stmt *replace_in(struct replacement *r, const struct stmt *s)
{
    const struct stmt *mapped = stmt_map_exprs(r->arena, s, replace_load, r);
    const struct stmt **children = ARENA_ARRAY(r->arena, const struct stmt *, s->n_children + 1);
    for (int i = 0; i < s->n_children; i++)
        children[i] = s->children[i] ? replace_in(r, s->children[i]) : NULL;
    return s->n_children ? stmt_rebuild(r->arena, mapped, children) : mapped;
}

static bool has_load(const struct expr *e)
{
    return expr_contains(e, EXPR_LOAD);
}

/* Does the bound keep its value while the loop runs? */
static bool bound_is_fixed(const struct expr *e, const struct stmt *loop)
{
    const struct stmt *body = loop->children[0];
    if (e->kind == EXPR_VAR && (e->var == loop->var || stmt_sets_var(body, e->var)))
        return false;
    if (e->kind == EXPR_LOAD && stmt_uses_array(body, e->array))
        return false;
    for (int i = 0; i < e->n_arguments; i++)
        if (!bound_is_fixed(e->arguments[i], loop))
            return false;
    return true;
}

/* Bounds with loads become names before the loop: they are evaluated at least once in any case. */
static const struct stmt *bounds_name(struct replacement *r, const struct stmt *loop)
{
    if (!has_load(loop->from) && !has_load(loop->to))
        return loop;
    if (!bound_is_fixed(loop->from, loop) || !bound_is_fixed(loop->to, loop))
        return loop;
    struct stmt *copy = ARENA_NEW(r->arena, struct stmt);
    *copy = *loop;
    struct var *first = var_new(r->arena, names_fresh(r->names, "first"), loop->var->type,
                                VAR_LOCAL);
    struct var *end = var_new(r->arena, names_fresh(r->names, "end"), loop->to->type, VAR_LOCAL);
    if (has_load(loop->from)) {
        vec_push(r->arena, &r->before, stmt_let(r->arena, first, loop->from));
        copy->from = expr_var(r->arena, first);
    }
    vec_push(r->arena, &r->before, stmt_let(r->arena, end, loop->to));
    copy->to = expr_var(r->arena, end);
    return copy;
}

static const struct expr *first_round(const struct replacement *r, const struct stmt *loop)
{
    const struct poly *from = kernel_expr_poly(r->kernel, loop->from),
                      *to = kernel_expr_poly(r->kernel, loop->to);
    if (from && to && sas_implies(r->kernel->facts, constraint_make(from, RELATION_LT, to)) == 1)
        return NULL;
    return expr_binary(r->arena, OP_LT, loop->from, loop->to);
}

/* --- short loops ------------------------------------------------------------------------------ */

/* The rounds of a short loop in their order. For stmt_rewrite. */
static const struct stmt *short_spell(void *state, const struct stmt *s)
{
    const struct replacement *r = state;
    int64_t rounds = s->kind == STMT_FOR && s->unroll ? stmt_literal_rounds(s) : 0, from, step;
    if (!rounds || rounds > SPELLED_MAX || !expr_get_integer(s->from, &from) ||
        !expr_get_integer(s->step, &step))
        return s;
    const struct stmt **bodies = ARENA_ARRAY(r->arena, const struct stmt *, rounds);
    for (int64_t i = 0; i < rounds; i++)
        bodies[i] = loop_round(r->names, s,
                               expr_integer(r->arena, s->var->type, from + step * i));
    return stmt_sequence(r->arena, bodies, (int)rounds);
}

static int64_t count_statements(struct arena *arena, const struct stmt *root)
{
    struct stmt_walk walk;
    int64_t n = 0;
    for (const struct stmt *s = stmt_first(&walk, arena, root); s; s = stmt_next(&walk))
        n += s->kind != STMT_SEQUENCE;
    return n;
}

/* How many loads of a round earlier rounds have made. */
static int count_handed_down(const struct serial_loop *loop)
{
    int n = 0;
    for (int i = 0; i < loop->n_groups; i++) {
        struct group group = group_read(loop, i);
        n += group.reach > 0 ? group.count - 1 : 0;
    }
    return n;
}

/* The loop with its short loops spelled, where more is handed down from round to round then; else
   the loop itself. Fills r->loop with what is said of either; *is_known = is anything? */
static const struct stmt *loop_spell(struct replacement *r, const struct stmt *loop,
                                     bool *is_known)
{
    *is_known = serial_loop_read(r->arena, loop, &r->loop);
    const struct stmt *body = loop->children[0];
    if (!*is_known || loop->unroll || !stmt_contains(body, STMT_FOR) ||
        stmt_has_rolled_loop(body) || stmt_contains(body, STMT_ARRAY))
        return loop;
    const struct stmt *rounds = stmt_rewrite(r->arena, body, short_spell, r);
    const struct stmt *spelled = stmt_rebuild(r->arena, loop, &rounds);
    struct serial_loop read;
    if (count_statements(r->arena, rounds) > SPELLED_MAX ||
        !serial_loop_read(r->arena, spelled, &read) ||
        count_handed_down(&read) <= count_handed_down(&r->loop))
        return loop;
    r->loop = read;
    return spelled;
}

static const struct stmt *loop_replace(void *state, const struct stmt *s)
{
    const struct replacement *all = state;
    struct replacement r = {.arena = all->arena,
                            .names = all->names,
                            .kernel = all->kernel,
                            .rotates = all->rotates};
    bool is_known;
    if (s->kind != STMT_FOR)
        return s;
    const struct stmt *loop = loop_spell(&r, bounds_name(&r, s), &is_known);
    if (is_known) {
        r.scalar = ARENA_ARRAY(r.arena, const struct var *, r.loop.sites.count + 1);
        r.first_round = r.loop.n_groups ? first_round(&r, loop) : NULL;
        for (int i = 0; i < r.loop.n_groups; i++)
            group_replace(&r, i);
    }
    bool changed = false;
    if (r.scalar)
        for (size_t i = 0; i < r.loop.sites.count; i++)
            changed |= r.scalar[i] != NULL;
    if (changed) {
        const struct stmt *parts[3] = {stmt_sequence(r.arena, r.top.at, (int)r.top.count),
                                       replace_in(&r, loop->children[0]),
                                       stmt_sequence(r.arena, r.bottom.at, (int)r.bottom.count)};
        const struct stmt *body = stmt_sequence(r.arena, parts, 3);
        loop = stmt_rebuild(r.arena, loop, &body);
    }
    if (r.first.count)
        vec_push(r.arena, &r.before,
                 stmt_under(r.arena, r.first_round,
                            stmt_sequence(r.arena, r.first.at, (int)r.first.count)));
    vec_push(r.arena, &r.before, loop);
    return loop == s ? s : stmt_sequence(r.arena, r.before.at, (int)r.before.count);
}

static const struct stmt *band_replace(void *state, const struct stmt *s)
{
    const struct replacement *all = state;
    if (s->kind != STMT_BAND)
        return s;
    const struct stmt *body = stmt_rewrite(all->arena, s->children[0], loop_replace, state);
    return body == s->children[0] ? s : stmt_rebuild(all->arena, s, &body);
}

static const struct kernel *kernel_replace(struct ctx *ctx, const struct kernel *kernel,
                                           bool *rotates)
{
    struct names names = names_new(ctx->arena, kernel);
    struct replacement r = {.arena = ctx->arena,
                            .names = &names,
                            .kernel = kernel,
                            .rotates = rotates};
    const struct stmt *body = stmt_rewrite(ctx->arena, kernel->body, band_replace, &r);
    if (body == kernel->body)
        return kernel;
    struct kernel *replaced = kernel_copy(ctx->arena, kernel);
    replaced->body = body;
    return replaced;
}

const struct kernel *strategy_scalar_replace(struct ctx *ctx, const struct kernel *kernel)
{
    bool rotates = false;
    return kernel_replace(ctx, kernel, &rotates);
}

bool strategy_scalar_rotates(struct ctx *ctx, const struct kernel *kernel)
{
    bool rotates = false;
    kernel_replace(ctx, kernel, &rotates);
    return rotates;
}
