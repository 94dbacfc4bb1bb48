/* Roles of the kernel's parameters.

   In: the body and the parameters' variables. Out: struct param for each (design, Parameters):
   *size* if it occurs in an array's extent; *tunable* if it is a meta_tunable, or occurs in a
   block extent, as a divisor in an extent or loop bound, or in the bound of a redistributable
   loop; *value* if it never decides which elements are touched; *uniform* otherwise. An integer
   that only multiplies up a grid extent counts the elements behind a pointer (`T *x`) and is a
   size too, and so is one that multiplies an iterator in the first subscript of such an array
   (its pitch). What is known of them where the region stands: fact.c. */
#include "ir/walk.h"
#include "metafork/lower.h"
#include <string.h>

struct marks {
    struct arena *arena;
    struct map *structural, *size, *block, *divisor, *grid, *coarse, *pitch;
    struct map *subscript;   /* what first subscripts of arrays without declared extent use */
    bool changed;
};

static void mark(struct marks *m, struct map *set, const struct var *var)
{
    if (!map_get_pointer(set, var)) {
        map_put_pointer(set, var, (void *)var);
        m->changed = true;
    }
}

/* All variables of e; e may be NULL. */
static void mark_expr(struct marks *m, struct map *set, const struct expr *e)
{
    struct expr_walk walk;
    for (e = expr_first(&walk, m->arena, e); e; e = expr_next(&walk))
        if (e->kind == EXPR_VAR)
            mark(m, set, e->var);
}

static void mark_divisors(struct marks *m, const struct expr *e)
{
    struct expr_walk walk;
    for (e = expr_first(&walk, m->arena, e); e; e = expr_next(&walk))
        if (e->kind == EXPR_BINARY && (e->op == OP_DIV || e->op == OP_REM))
            mark_expr(m, m->divisor, e->arguments[1]);
}

/* A parameter, or a product of parameters and literals: marks its variables. */
static void mark_factors(struct marks *m, const struct expr *e)
{
    while (e->kind == EXPR_CAST)
        e = e->arguments[0];
    if (e->kind == EXPR_VAR && e->var->kind == VAR_PARAM)
        mark(m, m->pitch, e->var);
    if (e->kind == EXPR_BINARY && e->op == OP_MUL) {
        mark_factors(m, e->arguments[0]);
        mark_factors(m, e->arguments[1]);
    }
}

/* What multiplies an iterator in a subscript of an open array is a pitch of it. */
static void mark_subscript(struct marks *m, const struct expr *e)
{
    if (e->kind == EXPR_LOAD)
        return;
    if (e->kind == EXPR_VAR)
        mark(m, m->subscript, e->var);
    for (int i = 0; i < e->n_arguments; i++) {
        mark_subscript(m, e->arguments[i]);
        if (e->kind == EXPR_BINARY && e->op == OP_MUL && expr_reads_only_params(e->arguments[i]) &&
            !expr_reads_only_params(e->arguments[1 - i]))
            mark_factors(m, e->arguments[i]);
    }
}

static bool is_open(const struct array *array)
{
    return array->space == SPACE_GLOBAL && !array->dims[0];
}

/* Subscripts and conditions inside the expressions of s. */
static void mark_inside(struct marks *m, const struct stmt *s)
{
    struct expr_walk walk;
    for (const struct expr *e = stmt_first_expr(&walk, m->arena, s); e; e = expr_next(&walk)) {
        if (e->kind == EXPR_SELECT)
            mark_expr(m, m->structural, e->arguments[0]);
        if (e->kind != EXPR_LOAD)
            continue;
        for (int i = 0; i < e->n_arguments; i++)
            mark_expr(m, m->structural, e->arguments[i]);
        if (is_open(e->array))
            mark_subscript(m, e->arguments[0]);
    }
}

static void mark_stmt(struct marks *m, const struct stmt *s)
{
    mark_inside(m, s);
    if (s->kind == STMT_IF || s->kind == STMT_WHILE)
        mark_expr(m, m->structural, s->value);
    if (s->kind == STMT_STORE)
        for (int i = 0; i < s->array->n_dims; i++)
            mark_expr(m, m->structural, s->indices[i]);
    if (s->kind == STMT_STORE && is_open(s->array))
        mark_subscript(m, s->indices[0]);
    if (s->kind == STMT_FOR) {
        const struct expr *bounds[] = {s->from, s->to, s->step};
        for (int i = 0; i < 3; i++) {
            mark_expr(m, m->structural, bounds[i]);
            mark_divisors(m, bounds[i]);
        }
    }
    if ((s->kind == STMT_LET || s->kind == STMT_SET) && s->value &&
        map_get_pointer(m->structural, s->var)) {
        mark_expr(m, m->structural, s->value);
        if (map_get_pointer(m->subscript, s->var))
            mark_subscript(m, s->value);
    }
}

static void mark_kernel(struct marks *m, const struct kernel *kernel)
{
    struct stmt_walk walk;
    for (int i = 0; i < kernel->n_arrays; i++)
        for (int d = 0; d < kernel->arrays[i]->n_dims; d++)
            mark_expr(m, m->size, kernel->arrays[i]->dims[d]);
    for (int i = 0; i < kernel->n_grid; i++) {
        mark_expr(m, m->grid, kernel->grid[i].extent);
        mark_divisors(m, kernel->grid[i].extent);
    }
    for (int i = 0; i < kernel->n_block; i++)
        mark_expr(m, m->block, kernel->block[i].extent);
    do {
        m->changed = false;
        for (const struct stmt *s = stmt_first(&walk, m->arena, kernel->body); s;
             s = stmt_next(&walk))
            mark_stmt(m, s);
    } while (m->changed);
}

static bool has_open_array(const struct kernel *kernel)
{
    for (int i = 0; i < kernel->n_arrays; i++)
        if (is_open(kernel->arrays[i]))
            return true;
    return false;
}

static void role_set(const struct lower *l, const struct marks *m, const struct kernel *kernel,
                     struct param *param)
{
    const struct var *var = param->var;
    bool divisor = map_get_pointer(m->divisor, var) != NULL, marked = false;
    for (size_t i = 0; i < l->outer.count; i++)
        marked |= l->outer.at[i]->var == var && tunable_default(l->outer.at[i]->decl) > 0;
    for (size_t i = 0; i < l->divisors.count; i++)
        divisor |= l->divisors.at[i] == var;
    param->class = PARAM_PROGRAM;
    param->role = ROLE_UNIFORM;
    param->has_lo = true;
    param->lo = divisor ? 1 : 0;
    if (type_is_floating(var->type)) {
        param->role = ROLE_VALUE;
        param->has_lo = false;
    } else if (map_get_pointer(m->size, var)) {
        param->role = ROLE_SIZE;
        param->class = PARAM_DATA;
    } else if (marked || map_get_pointer(m->block, var) || map_get_pointer(m->divisor, var) ||
               map_get_pointer(m->coarse, var)) {
        param->role = ROLE_TUNABLE;
        param->lo = 1;
    } else if (map_get_pointer(m->pitch, var) ||
               (map_get_pointer(m->grid, var) && has_open_array(kernel))) {
        param->role = ROLE_SIZE;
        param->class = PARAM_DATA;
    } else {
        param->has_lo = divisor;
        bool structural = map_get_pointer(m->structural, var) || map_get_pointer(m->grid, var) ||
                          divisor;
        param->role = structural ? ROLE_UNIFORM : ROLE_VALUE;
    }
}

void roles_assign(struct lower *l, struct kernel *kernel, const struct var *const *vars, int n,
                  const struct stmt *const *coarse, size_t n_coarse)
{
    struct arena *arena = l->arena;
    struct marks m = {.arena = arena,
                      .structural = map_new(arena),
                      .size = map_new(arena),
                      .block = map_new(arena),
                      .divisor = map_new(arena),
                      .grid = map_new(arena),
                      .coarse = map_new(arena),
                      .pitch = map_new(arena),
                      .subscript = map_new(arena)};
    const struct param **params = ARENA_ARRAY(arena, const struct param *, n + 1);
    mark_kernel(&m, kernel);
    for (size_t i = 0; i < n_coarse; i++)
        mark_expr(&m, m.coarse, coarse[i]->to);
    kernel->ring = ring_new(arena);
    for (int i = 0; i < n; i++) {
        struct param *param = ARENA_NEW(arena, struct param);
        param->var = vars[i];
        role_set(l, &m, kernel, param);
        param->variable = param->role == ROLE_VALUE ? -1
                                                    : ring_variable(kernel->ring, vars[i]->name);
        params[i] = param;
    }
    kernel->params = params;
    kernel->n_params = n;
    kernel->facts = facts_collect(l, kernel);
}
