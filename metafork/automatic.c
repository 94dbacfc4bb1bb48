/* Which tunables `NAME_auto` may choose: those on which the set of iterations, and what each does,
   does not depend.

   In: a kernel. Out: per parameter NULL or the reason why not. Method: a guard `P < a` in a band,
   where P = v1 + U1*v2 + U1*U2*v3 + … is a mixed-radix number over iterators vi < Ui and the last
   of them, a grid iterator, has the ceiling extent (a + S - 1)/S for its stride S. Then P takes
   every value of 0 … a - 1 exactly once, whatever the radices are. If everything done with these
   iterators stands under the guard and depends on them through P alone, the parameters that occur
   only in the radices and in P do not matter. Anything else that mentions a tunable does: a
   truncating extent is named. Locals are replaced by their definitions first; one that is set again
   counts as it stands. */
#include "ir/walk.h"
#include "metafork/lower.h"
#include <string.h>

enum { DIGITS_MAX = 8, GROUPS_MAX = 8 };

/* A guard with its number. */
struct digit_group {
    const struct stmt *guard;
    int n;
    const struct var *digits[DIGITS_MAX];   /* by stride, from 1 */
    const struct poly *number;               /* P */
    int depth;                               /* guards of this group around the current statement */
    bool broken;
};

struct study {
    struct arena *arena;
    const struct kernel *kernel;
    struct ring *ring;
    struct map *definitions;                 /* local to its only value */
    struct map *sets;                        /* locals that are set again */
    struct map *extents;                     /* iterator to extent */
    struct map *grid;                        /* grid iterators */
    struct map *elsewhere;                   /* variables used otherwise */
    int n_groups;
    struct digit_group groups[GROUPS_MAX];
};

static const struct expr *definition(void *state, const struct var *var)
{
    struct study *s = state;
    return map_get_pointer(s->sets, var) ? NULL : map_get_pointer(s->definitions, var);
}

/* Definitions are expanded when they are recorded, in order. */
static const struct expr *expand(struct study *s, const struct expr *e)
{
    return expr_substitute(s->arena, e, definition, s);
}

static void record_set(struct study *s, const struct stmt *stmt)
{
    if (stmt->kind == STMT_SET || (stmt->kind == STMT_LET && !stmt->value))
        map_put_pointer(s->sets, stmt->var, s);
}

static void record_values(struct study *s, const struct stmt *stmt)
{
    if (stmt->kind == STMT_LET && stmt->value)
        map_put_pointer(s->definitions, stmt->var, (void *)expand(s, stmt->value));
    if (stmt->kind == STMT_FOR &&
        expr_equal(stmt->from, expr_integer(s->arena, stmt->from->type, 0)) &&
        expr_equal(stmt->step, expr_integer(s->arena, stmt->step->type, 1)))
        map_put_pointer(s->extents, stmt->var, (void *)stmt->to);
    for (int i = 0; i < stmt->n_axes; i++)
        map_put_pointer(s->extents, stmt->axes[i].var, (void *)stmt->axes[i].extent);
}

static int iterator_variable(struct study *s, const struct var *var)
{
    return map_get_pointer(s->extents, var) ? ring_find(s->ring, var->name) : -1;
}

/* Iterators; more than DIGITS_MAX of them means too many. */
struct iterators {
    int n;
    const struct var *at[DIGITS_MAX + 1];
};

static void iterator_add(struct iterators *iterators, const struct var *var)
{
    if (iterators->n > DIGITS_MAX)
        return;
    for (int i = 0; i < iterators->n; i++)
        if (iterators->at[i] == var)
            return;
    iterators->at[iterators->n++] = var;
}

static void iterators_add(struct study *s, struct iterators *iterators, const struct expr *root)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, s->arena, root); e; e = expr_next(&walk))
        if (e->kind == EXPR_VAR && e->var->kind == VAR_ITERATOR)
            iterator_add(iterators, e->var);
}

static const struct expr *uncast(const struct expr *e)
{
    while (e->kind == EXPR_CAST && !type_is_floating(e->type) &&
           !type_is_floating(e->arguments[0]->type))
        e = e->arguments[0];
    return e;
}

/* a of an extent (a + S - 1)/S; NULL if it has another form. */
static const struct poly *ceiling_of(struct study *s, const struct expr *extent,
                                     const struct poly *stride)
{
    extent = uncast(extent);
    if (extent->kind != EXPR_BINARY || extent->op != OP_DIV)
        return NULL;
    const struct poly *x = expr_poly(s->ring, extent->arguments[0]),
                      *d = expr_poly(s->ring, extent->arguments[1]);
    if (!x || !d || !poly_equal(d, stride))
        return NULL;
    return poly_add(poly_sub(x, d), poly_integer(s->ring, 1));
}

/* The iterators of `difference` (P - a) as digits; false if they are none. */
static bool digits_find(struct study *s, const struct poly *difference,
                        const struct iterators *vars, struct digit_group *group)
{
    const struct poly *stride = poly_integer(s->ring, 1), *number = poly_integer(s->ring, 0);
    for (group->n = 0; group->n < vars->n; group->n++) {
        const struct var *next = NULL;
        for (int i = 0; i < vars->n && !next; i++) {
            int v = iterator_variable(s, vars->at[i]);
            if (v >= 0 && poly_degree(difference, v) == 1 &&
                poly_equal(poly_coefficient(difference, v, 1), stride))
                next = vars->at[i];
            for (int k = 0; k < group->n && next; k++)
                if (group->digits[k] == next)
                    next = NULL;
        }
        if (!next)
            return false;
        const struct poly *variable = poly_variable(s->ring, iterator_variable(s, next));
        const struct expr *extent = map_get_pointer(s->extents, next);
        number = poly_add(number, poly_mul(stride, variable));
        group->digits[group->n] = next;
        if (group->n + 1 < vars->n) {
            const struct poly *radix = expr_poly(s->ring, extent);
            if (!radix)
                return false;
            stride = poly_mul(stride, radix);
            continue;
        }
        const struct poly *limit = map_get_pointer(s->grid, next) ? ceiling_of(s, extent, stride)
                                                                  : NULL;
        group->number = number;
        group->n++;
        return limit && poly_equal(poly_sub(number, limit), difference);
    }
    return false;
}

/* One comparison of a guard: L < b or L <= b - 1, mirrored forms too. */
static void guard_study(struct study *s, const struct stmt *guard, const struct expr *c)
{
    if (c->kind == EXPR_BINARY && c->op == OP_LAND) {
        guard_study(s, guard, c->arguments[0]);
        guard_study(s, guard, c->arguments[1]);
        return;
    }
    if (c->kind != EXPR_BINARY || c->op < OP_LT || c->op > OP_GE || s->n_groups == GROUPS_MAX)
        return;
    bool mirrored = c->op == OP_GT || c->op == OP_GE;
    const struct expr *low = expand(s, c->arguments[mirrored ? 1 : 0]),
                      *high = expand(s, c->arguments[mirrored ? 0 : 1]);
    const struct poly *p = expr_poly(s->ring, low), *q = p ? expr_poly(s->ring, high) : NULL;
    if (!q)
        return;
    const struct poly *difference = poly_sub(p, q);
    if (c->op == OP_LE || c->op == OP_GE)
        difference = poly_sub(difference, poly_integer(s->ring, 1));
    struct iterators vars = {0};
    iterators_add(s, &vars, low);
    iterators_add(s, &vars, high);
    struct digit_group *group = &s->groups[s->n_groups];
    *group = (struct digit_group){.guard = guard};
    if (vars.n <= DIGITS_MAX && digits_find(s, difference, &vars, group))
        s->n_groups++;
}

static struct digit_group *group_of(struct study *s, const struct var *var)
{
    for (int g = 0; g < s->n_groups; g++)
        for (int i = 0; i < s->groups[g].n; i++)
            if (s->groups[g].digits[i] == var && !s->groups[g].broken)
                return &s->groups[g];
    return NULL;
}

static void use_var(struct study *s, const struct var *var)
{
    struct digit_group *group;
    while ((group = group_of(s, var)))
        group->broken = true;
    map_put_pointer(s->elsewhere, var, (void *)var);
}

/* The polynomial without the numbers of the active groups; what is left counts as used. */
static void use_poly(struct study *s, const struct poly *p)
{
    for (int g = 0; g < s->n_groups; g++) {
        struct digit_group *group = &s->groups[g];
        int first = iterator_variable(s, group->digits[0]);
        if (group->broken || !group->depth || poly_degree(p, first) != 1)
            continue;
        p = poly_sub(p, poly_mul(poly_coefficient(p, first, 1), group->number));
    }
    for (int v = 0; v < ring_count(s->ring); v++) {
        if (!poly_uses(p, v))
            continue;
        for (int g = 0; g < s->n_groups; g++)
            for (int i = 0; i < s->groups[g].n; i++)
                s->groups[g].broken |= iterator_variable(s, s->groups[g].digits[i]) == v;
        for (int i = 0; i < s->kernel->n_params; i++)
            if (!strcmp(s->kernel->params[i]->var->name, ring_name(s->ring, v)))
                use_var(s, s->kernel->params[i]->var);
    }
}

static void use_expr(struct study *s, const struct expr *e)
{
    const struct poly *p = type_is_floating(e->type) ? NULL : expr_poly(s->ring, e);
    if (p)
        use_poly(s, p);
    else if (e->kind == EXPR_VAR)
        use_var(s, e->var);
    else
        for (int i = 0; i < e->n_arguments; i++)
            use_expr(s, e->arguments[i]);
}

static void use_expanded(struct study *s, const struct expr *e)
{
    use_expr(s, expand(s, e));
}

/* A loop over a digit may be cut differently: nothing may be carried from one round to the next. */
static void use_carried(struct study *s, const struct stmt *loop, const struct stmt *stmt)
{
    if (stmt->kind == STMT_SET && loop) {
        struct digit_group *group;
        while ((group = group_of(s, loop->var)))
            group->broken = true;
    }
}

static bool is_guard(const struct study *s, const struct stmt *stmt)
{
    for (int g = 0; g < s->n_groups; g++)
        if (s->groups[g].guard == stmt && !s->groups[g].broken)
            return true;
    return false;
}

static void enter_guard(struct study *s, const struct stmt *stmt, int change)
{
    for (int g = 0; g < s->n_groups; g++)
        if (s->groups[g].guard == stmt)
            s->groups[g].depth += change;
}

/* The conjuncts of a guard that are no numbers are used like any condition. */
static void use_guard(struct study *s, const struct expr *c)
{
    if (c->kind == EXPR_BINARY && c->op == OP_LAND) {
        use_guard(s, c->arguments[0]);
        use_guard(s, c->arguments[1]);
        return;
    }
    if (c->kind == EXPR_BINARY && c->op >= OP_LT && c->op <= OP_GE) {
        const struct poly *p = expr_poly(s->ring, expand(s, c->arguments[0]));
        const struct poly *q = p ? expr_poly(s->ring, expand(s, c->arguments[1])) : NULL;
        if (q) {
            use_poly(s, poly_sub(p, q));
            return;
        }
    }
    use_expanded(s, c);
}

/* `declared` holds the loop inside which each local was declared. */
static void study_stmt(struct study *s, const struct stmt *stmt, struct map *declared,
                       const struct stmt *loop)
{
    if (stmt->kind == STMT_LET)
        map_put_pointer(declared, stmt->var, (void *)loop);
    if (stmt->kind == STMT_SET && map_get_pointer(declared, stmt->var) != loop)
        use_carried(s, loop, stmt);
    bool guard = stmt->kind == STMT_IF && is_guard(s, stmt);
    if (guard) {
        enter_guard(s, stmt, 1);
        use_guard(s, stmt->value);
    } else if (stmt->kind == STMT_FOR) {
        if (!group_of(s, stmt->var)) {
            use_expanded(s, stmt->from);
            use_expanded(s, stmt->step);
            use_expanded(s, stmt->to);
        }
        loop = stmt;
    } else if (stmt->kind == STMT_BAND) {
        for (int i = 0; i < stmt->n_axes; i++)
            if (!group_of(s, stmt->axes[i].var))
                use_expanded(s, stmt->axes[i].extent);
    } else if (stmt->kind != STMT_LET || map_get_pointer(s->sets, stmt->var)) {
        for (int i = 0; i < stmt_n_exprs(stmt); i++)
            use_expanded(s, stmt_expr(stmt, i));
    }
    for (int i = 0; i < stmt->n_children; i++)
        if (stmt->children[i])
            study_stmt(s, stmt->children[i], declared, loop);
    if (guard)
        enter_guard(s, stmt, -1);
}

static void study_grid(struct study *s)
{
    for (int i = 0; i < s->kernel->n_grid; i++)
        if (!group_of(s, s->kernel->grid[i].var))
            use_expanded(s, s->kernel->grid[i].extent);
}

/* The first division by something that uses `var`; NULL if there is none. */
static const struct expr *division_in(struct study *s, const struct expr *root,
                                      const struct var *var)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, s->arena, root); e; e = expr_next(&walk))
        if (e->kind == EXPR_BINARY && e->op == OP_DIV && expr_uses_var(e->arguments[1], var))
            return e;
    return NULL;
}

/* The first such division in the extents of the grid and in the bounds of the loops. */
static const struct expr *division_find(struct study *s, const struct var *var)
{
    struct stmt_walk walk;
    for (int i = 0; i < s->kernel->n_grid; i++) {
        const struct expr *found = division_in(s, s->kernel->grid[i].extent, var);
        if (found)
            return found;
    }
    for (const struct stmt *stmt = stmt_first(&walk, s->arena, s->kernel->body); stmt;
         stmt = stmt_next(&walk)) {
        const struct expr *found = stmt->kind == STMT_FOR ? division_in(s, stmt->to, var) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static const char *reason_for(struct study *s, const struct var *var)
{
    if (!map_get_pointer(s->elsewhere, var))
        return NULL;
    const struct expr *division = division_find(s, var);
    if (division)
        return arena_printf(
            s->arena,
            "%s truncates, and no guard makes up for it: which elements are computed "
            "depends on %s",
            expr_text(s->arena, division), var->name);
    return arena_printf(s->arena,
                        "%s occurs in the program outside of block sizes and guarded subscripts",
                        var->name);
}

static void prepare(struct study *s)
{
    const struct kernel *kernel = s->kernel;
    const struct stmt *stmt;
    struct stmt_walk walk;
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->variable >= 0)
            ring_variable(s->ring, kernel->params[i]->var->name);
    for (int i = 0; i < kernel->n_grid; i++) {
        map_put_pointer(s->extents, kernel->grid[i].var, (void *)kernel->grid[i].extent);
        map_put_pointer(s->grid, kernel->grid[i].var, s);
    }
    for (stmt = stmt_first(&walk, s->arena, kernel->body); stmt; stmt = stmt_next(&walk))
        record_set(s, stmt);
    for (stmt = stmt_first(&walk, s->arena, kernel->body); stmt; stmt = stmt_next(&walk))
        record_values(s, stmt);
    for (stmt = stmt_first(&walk, s->arena, kernel->body); stmt; stmt = stmt_next(&walk))
        if (stmt->kind == STMT_IF && stmt->n_children == 1)
            guard_study(s, stmt, stmt->value);
}

/* Groups can break late, which makes more parameters count: repeated until none breaks. */
const char *const *automatic_reasons(struct ctx *ctx, const struct kernel *kernel)
{
    struct arena *arena = ctx->arena;
    struct study s = {.arena = arena,
                      .kernel = kernel,
                      .ring = ring_new(arena),
                      .definitions = map_new(arena),
                      .sets = map_new(arena),
                      .extents = map_new(arena),
                      .grid = map_new(arena)};
    const char **reasons = ARENA_ARRAY(arena, const char *, kernel->n_params + 1);
    prepare(&s);
    for (int round = 0, broken = -1, now = 0; broken != now; round++) {
        broken = now;
        now = 0;
        s.elsewhere = map_new(arena);
        study_stmt(&s, kernel->body, map_new(arena), NULL);
        study_grid(&s);
        for (int g = 0; g < s.n_groups; g++)
            now += s.groups[g].broken;
    }
    for (int i = 0; i < kernel->n_params; i++)
        reasons[i] = kernel->params[i]->role == ROLE_TUNABLE
                         ? reason_for(&s, kernel->params[i]->var)
                         : NULL;
    return reasons;
}
