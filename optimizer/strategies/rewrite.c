/* Tools of the strategies: polynomials of expressions, substitution, occurrence tests.

   In: kernels and their parts; out: new parts in the caller's arena. Nothing is changed in
   place. */
#include "optimizer/strategies/rewrite.h"
#include "ir/walk.h"
#include <string.h>

/* A polynomial has no loads, so that nothing but parameters may be read. */
const struct poly *kernel_expr_poly(const struct kernel *kernel, const struct expr *e)
{
    return expr_reads_only_params(e) ? expr_poly(kernel->ring, e) : NULL;
}

static bool is_integer(const struct expr *e, int64_t value)
{
    return e->kind == EXPR_INTEGER && e->integer == value;
}

bool loop_is_normal(const struct stmt *loop)
{
    return is_integer(loop->from, 0) && is_integer(loop->step, 1);
}

void kernel_add_divisible(struct arena *arena, struct kernel *kernel, struct divisible fact)
{
    struct divisible *facts = ARENA_ARRAY(arena, struct divisible, kernel->n_divisible + 1);
    for (int i = 0; i < kernel->n_divisible; i++) {
        facts[i] = kernel->divisible[i];
        if (facts[i].divisor % fact.divisor == 0 && poly_equal(facts[i].value, fact.value))
            return;
    }
    facts[kernel->n_divisible] = fact;
    kernel->divisible = facts;
    kernel->n_divisible++;
}

const struct expr *loop_trip(struct arena *arena, const struct stmt *loop)
{
    if (loop_is_normal(loop))
        return loop->to;
    enum type type = loop->var->type;
    const struct expr *span = expr_binary(arena, OP_SUB, expr_cast(arena, type, loop->to),
                                          loop->from);
    if (is_integer(loop->step, 1))
        return span;
    const struct expr *less = expr_binary(arena, OP_SUB, loop->step, expr_integer(arena, type, 1));
    return expr_binary(arena, OP_DIV, expr_binary(arena, OP_ADD, span, less), loop->step);
}

const struct stmt *stmt_map_exprs(struct arena *arena, const struct stmt *s,
                                  const struct expr *(*map)(void *state, const struct expr *e),
                                  void *state)
{
    struct stmt *copy = ARENA_NEW(arena, struct stmt);
    *copy = *s;
    if (s->indices) {
        const struct expr **indices = ARENA_ARRAY(arena, const struct expr *, s->array->n_dims);
        for (int i = 0; i < s->array->n_dims; i++)
            indices[i] = map(state, s->indices[i]);
        copy->indices = indices;
    }
    if (s->n_axes) {
        struct axis *axes = ARENA_ARRAY(arena, struct axis, s->n_axes);
        for (int i = 0; i < s->n_axes; i++)
            axes[i] = (struct axis){s->axes[i].var, map(state, s->axes[i].extent)};
        copy->axes = axes;
    }
    copy->value = s->value ? map(state, s->value) : NULL;
    copy->from = s->from ? map(state, s->from) : NULL;
    copy->to = s->to ? map(state, s->to) : NULL;
    copy->step = s->step ? map(state, s->step) : NULL;
    return copy;
}

const struct expr *expr_map_operands(struct arena *arena, const struct expr *e,
                                     const struct expr *(*map)(void *state, const struct expr *e),
                                     void *state)
{
    const struct expr **operands = NULL;
    for (int i = 0; i < e->n_arguments; i++) {
        const struct expr *mapped = map(state, e->arguments[i]);
        if (!operands && mapped != e->arguments[i]) {
            operands = ARENA_ARRAY(arena, const struct expr *, e->n_arguments);
            memcpy(operands, e->arguments, (size_t)i * sizeof *operands);
        }
        if (operands)
            operands[i] = mapped;
    }
    return operands ? expr_rebuild(arena, e, operands) : e;
}

bool stmt_has_band(const struct stmt *s)
{
    return stmt_contains(s, STMT_BAND);
}

bool kernel_has_symbolic_private(const struct kernel *kernel)
{
    int64_t value;
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *array = kernel->arrays[i];
        if (array->space != SPACE_PRIVATE)
            continue;
        for (int d = 0; d < array->n_dims; d++)
            if (!expr_get_integer(array->dims[d], &value))
                return true;
    }
    return false;
}

static const struct expr *substitution_map(void *state, const struct var *var)
{
    const struct substitution *s = state;
    for (int i = 0; i < s->count; i++)
        if (s->variables[i] == var)
            return s->values[i];
    return NULL;
}

const struct expr *expr_replace(struct arena *arena, const struct expr *e,
                                const struct substitution *substitution)
{
    return e ? expr_substitute(arena, e, substitution_map, (void *)substitution) : NULL;
}

struct replacing {
    struct arena *arena;
    const struct substitution *substitution;
};

static const struct expr *replace_expr(void *state, const struct expr *e)
{
    const struct replacing *r = state;
    return expr_replace(r->arena, e, r->substitution);
}

const struct stmt *stmt_replace(struct arena *arena, const struct stmt *s,
                                const struct substitution *substitution)
{
    struct replacing r = {arena, substitution};
    struct stmt *copy = (struct stmt *)stmt_map_exprs(arena, s, replace_expr, &r);
    const struct expr *var = s->var ? substitution_map((void *)substitution, s->var) : NULL;
    if (var)
        copy->var = var->var;
    if (s->n_children == 0)
        return copy;
    const struct stmt **children = ARENA_ARRAY(arena, const struct stmt *, s->n_children);
    for (int i = 0; i < s->n_children; i++)
        children[i] = s->children[i] ? stmt_replace(arena, s->children[i], substitution) : NULL;
    return stmt_rebuild(arena, copy, children);
}

const struct stmt *loop_round(struct names *names, const struct stmt *loop,
                              const struct expr *value)
{
    struct arena *arena = names->arena;
    struct stmt_walk walk;
    VEC(const struct var *) variables = {0};
    VEC(const struct expr *) values = {0};
    vec_push(arena, &variables, loop->var);
    vec_push(arena, &values, value);
    for (const struct stmt *s = stmt_first(&walk, arena, loop->children[0]); s;
         s = stmt_next(&walk)) {
        if (s->kind != STMT_LET && s->kind != STMT_FOR)
            continue;
        struct var *fresh = var_new(arena, names_fresh(names, s->var->name), s->var->type,
                                    s->var->kind);
        vec_push(arena, &variables, s->var);
        vec_push(arena, &values, expr_var(arena, fresh));
    }
    struct substitution substitution = {(int)variables.count, variables.at, values.at};
    return stmt_replace(arena, loop->children[0], &substitution);
}

bool kernel_has_block_axis(const struct kernel *kernel, const struct var *var)
{
    if (kernel)
        for (int i = 0; i < kernel->n_block; i++)
            if (kernel->block[i].var == var)
                return true;
    return false;
}

struct substitution axes_rename(struct names *names, const struct kernel *kernel,
                                const struct axis *axes, int n, struct axis *copy)
{
    const struct var **variables = ARENA_ARRAY(names->arena, const struct var *, n);
    const struct expr **values = ARENA_ARRAY(names->arena, const struct expr *, n);
    for (int i = 0; i < n; i++) {
        const struct var *old = axes[i].var, *var = old;
        if (!kernel_has_block_axis(kernel, old))
            var = var_new(names->arena, names_fresh(names, old->name), old->type, old->kind);
        copy[i] = (struct axis){var, axes[i].extent};
        variables[i] = old;
        values[i] = expr_var(names->arena, var);
    }
    return (struct substitution){n, variables, values};
}

/* Does the cast keep the value, or wrap as the arithmetic around it does? It does where it goes to
   a type as wide or wider, from a signed type (whose arithmetic does not wrap) or from a plain name
   or number. */
static bool cast_is_exact(const struct expr *cast)
{
    const struct expr *from = cast->arguments[0];
    bool is_plain = from->kind == EXPR_VAR || from->kind == EXPR_INTEGER;
    if (type_is_floating(from->type) || cast->type == TYPE_BOOL)
        return false;
    if (type_bytes(cast->type) == type_bytes(from->type))
        return true;
    return type_bytes(cast->type) > type_bytes(from->type) &&
           (is_plain || type_is_signed(from->type));
}

bool expr_casts_exact(const struct expr *e)
{
    if (e->kind == EXPR_CAST && !cast_is_exact(e))
        return false;
    for (int i = 0; i < e->n_arguments; i++)
        if (!expr_casts_exact(e->arguments[i]))
            return false;
    return true;
}

static const struct expr *definition_value(void *state, const struct var *var)
{
    const struct definitions *d = state;
    for (size_t i = d->list.count; i-- > 0;)
        if (d->list.at[i].var == var)
            return d->list.at[i].value;
    return NULL;
}

const struct expr *definitions_replace(struct definitions *d, const struct expr *e)
{
    return expr_substitute(d->arena, e, definition_value, d);
}

static bool uses_local(const struct definitions *d, const struct expr *e)
{
    bool found = e->kind == EXPR_VAR && e->var->kind == VAR_LOCAL &&
                 !(d->kept && map_get_pointer(d->kept, e->var));
    for (int i = 0; i < e->n_arguments && !found; i++)
        found = uses_local(d, e->arguments[i]);
    return found;
}

const struct expr *definitions_expand(struct definitions *d, const struct expr *e)
{
    const struct expr *expanded = definitions_replace(d, e);
    return expr_is_total(expanded) && !uses_local(d, expanded) ? expanded : NULL;
}

void definitions_add(struct definitions *d, const struct stmt *let)
{
    struct scalar_meaning meaning = {let->var, NULL};
    if (let->value && !type_is_floating(let->var->type) && !stmt_sets_var(d->body, let->var))
        meaning.value = definitions_expand(d, let->value);
    vec_push(d->arena, &d->list, meaning);
}

const struct expr *conjuncts_left(struct arena *arena, const struct expr *e,
                                  bool (*drops)(void *state, const struct expr *conjunct),
                                  void *state)
{
    if (e->kind != EXPR_BINARY || e->op != OP_LAND)
        return drops(state, e) ? NULL : e;
    const struct expr *first = conjuncts_left(arena, e->arguments[0], drops, state),
                      *second = conjuncts_left(arena, e->arguments[1], drops, state);
    if (first == e->arguments[0] && second == e->arguments[1])
        return e;
    return expr_join(arena, OP_LAND, first, second);
}

/* --- what nothing uses ------------------------------------------------------------------------ */

struct unused {
    struct arena *arena;
    const struct stmt *body;
    bool changed;
};

static const struct stmt *drop_unused(void *state, const struct stmt *s)
{
    struct unused *unused = state;
    if (s->kind != STMT_LET || stmt_uses_var(unused->body, s->var) ||
        stmt_sets_var(unused->body, s->var))
        return s;
    unused->changed = true;
    return NULL;
}

const struct stmt *body_drop_unused(struct arena *arena, const struct stmt *body)
{
    struct unused unused = {arena, body, true};
    while (unused.changed) {
        unused.changed = false;
        unused.body = stmt_rewrite(arena, unused.body, drop_unused, &unused);
    }
    return unused.body;
}

bool expr_split(struct arena *arena, const struct expr *e, const struct var *var, int *coefficient,
                const struct expr **rest)
{
    *coefficient = 0;
    *rest = e;
    if (!expr_uses_var(e, var))
        return true;
    if (e->kind == EXPR_VAR) {
        *coefficient = 1;
        *rest = NULL;
        return true;
    }
    if (e->kind == EXPR_CAST)
        return type_bytes(e->type) >= type_bytes(e->arguments[0]->type) &&
               expr_split(arena, e->arguments[0], var, coefficient, rest);
    if (e->kind != EXPR_BINARY || (e->op != OP_ADD && e->op != OP_SUB))
        return false;
    int c[2];
    const struct expr *r[2];
    for (int i = 0; i < 2; i++)
        if (!expr_split(arena, e->arguments[i], var, &c[i], &r[i]))
            return false;
    *coefficient = e->op == OP_ADD ? c[0] + c[1] : c[0] - c[1];
    if (r[1] && e->op == OP_SUB)
        *rest = expr_binary(arena, OP_SUB, r[0] ? r[0] : expr_integer(arena, e->type, 0), r[1]);
    else
        *rest = expr_join(arena, OP_ADD, r[0], r[1]);
    return true;
}

static bool var_is_cheap(const struct var *var, const struct stmts *cheap)
{
    for (size_t i = 0; i < cheap->count; i++)
        if (cheap->at[i]->kind == STMT_LET && cheap->at[i]->var == var)
            return true;
    return var->kind != VAR_LOCAL;
}

bool let_is_cheap(struct arena *arena, const struct stmt *body, const struct stmt *let,
                  const struct stmts *cheap)
{
    struct expr_walk walk;
    if (!let->value || type_is_floating(let->var->type) || stmt_sets_var(body, let->var))
        return false;
    for (const struct expr *e = expr_first(&walk, arena, let->value); e; e = expr_next(&walk))
        if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL || type_is_floating(e->type) ||
            (e->kind == EXPR_VAR && !var_is_cheap(e->var, cheap)))
            return false;
    return true;
}
