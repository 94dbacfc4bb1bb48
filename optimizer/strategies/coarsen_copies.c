/* Statements of a coarsened kernel, for all points of a thread.

   In: a statement, and what varies from point to point. Out: its copies, one after the other or as
   a loop over the points; scalars and private arrays that vary have copies of their own, and where
   whole statements are copied, everything that they declare. */
#include "optimizer/strategies/coarsen.h"
#include "ir/walk.h"

const struct expr *point_of(const struct coarsening *c, const struct expr *v, int copy)
{
    enum type type = v->type;
    const struct expr *number = copy == COPY_ANY ? expr_var(c->arena, c->any)
                                                 : expr_integer(c->arena, type, copy);
    if (c->consecutive) {
        const struct expr *first = expr_binary(c->arena, OP_MUL,
                                               expr_integer(c->arena, type, c->factor), v);
        return expr_binary(c->arena, OP_ADD, first, number);
    }
    if (copy == 0)
        return v;
    const struct expr *step = expr_cast(c->arena, type, c->extent);
    return expr_binary(c->arena, OP_ADD, v, expr_binary(c->arena, OP_MUL, number, step));
}

static const struct var *copy_var(struct coarsening *c, const struct var *var, int copy)
{
    const struct var *own = c->own ? map_get_pointer(c->own, var) : NULL;
    const void **copies = map_get_pointer(c->varying, var);
    if (own || !copies || copy <= 0)
        return own ? own : var;
    if (!copies[copy]) {
        const char *name = names_fresh(&c->names, arena_printf(c->arena, "%s_%d", var->name, copy));
        copies[copy] = var_new(c->arena, name, var->type, var->kind);
    }
    return copies[copy];
}

static const struct array *array_fresh(struct coarsening *c, const struct array *array, int copy)
{
    struct array *fresh = ARENA_NEW(c->arena, struct array);
    *fresh = *array;
    const char *stem = copy > 0 ? arena_printf(c->arena, "%s_%d", array->name, copy) : array->name;
    fresh->name = names_fresh(&c->names, stem);
    return fresh;
}

static const struct array *copy_array(struct coarsening *c, const struct array *array, int copy)
{
    const struct array *own = c->own ? map_get_pointer(c->own, array) : NULL;
    const void **copies = map_get_pointer(c->varying, array);
    if (own || !copies || copy <= 0)
        return own ? own : array;
    if (!copies[copy])
        copies[copy] = array_fresh(c, array, copy);
    return copies[copy];
}

const struct expr *copy_expr(void *state, const struct expr *e)
{
    struct coarsening *c = state;
    if (e->kind == EXPR_VAR && map_get_pointer(c->points, e->var))
        return point_of(c, e, c->copy);
    if (e->kind == EXPR_VAR) {
        const struct var *var = copy_var(c, e->var, c->copy);
        if (c->copy == COPY_ANY && var == e->var && map_get_pointer(c->varying, var))
            return copy_expr(c, map_get_pointer(c->elements.values, var));
        return var == e->var ? e : expr_var(c->arena, var);
    }
    const struct expr *mapped = expr_map_operands(c->arena, e, copy_expr, c);
    if (e->kind == EXPR_LOAD && copy_array(c, e->array, c->copy) != e->array)
        return expr_load(c->arena, copy_array(c, e->array, c->copy), mapped->arguments, e->loc);
    return mapped;
}

/* What s declares gets a name of its own in this copy. */
static void declaration_copy(struct coarsening *c, const struct stmt *s)
{
    if (s->kind == STMT_LET || s->kind == STMT_FOR) {
        const char *name = names_fresh(&c->names, s->var->name);
        map_put_pointer(c->own, s->var, var_new(c->arena, name, s->var->type, s->var->kind));
    }
    if (s->kind == STMT_ARRAY) {
        const struct array *fresh = array_fresh(c, s->array, c->copy);
        map_put_pointer(c->own, s->array, (void *)fresh);
        vec_push(c->arena, &c->arrays, fresh);
    }
}

/* Statement s for point c->copy, all of it. */
static const struct stmt *copy_stmt(struct coarsening *c, const struct stmt *s)
{
    if (c->own && c->copy != COPY_ANY)
        declaration_copy(c, s);
    struct stmt *mapped = (struct stmt *)stmt_map_exprs(c->arena, s, copy_expr, c);
    mapped->var = s->var ? copy_var(c, s->var, c->copy) : NULL;
    mapped->array = s->array ? copy_array(c, s->array, c->copy) : NULL;
    if (s->n_children == 0)
        return mapped;
    const struct stmt **children = ARENA_ARRAY(c->arena, const struct stmt *, s->n_children);
    for (int i = 0; i < s->n_children; i++)
        children[i] = s->children[i] ? copy_stmt(c, s->children[i]) : NULL;
    return stmt_rebuild(c->arena, mapped, children);
}

/* Is there a name of a point's own in the expression, or in the value of such a name, which has no
   value that copy_expr could put in its place? */
static bool has_bound_name(struct coarsening *c, const struct expr *root)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, c->arena, root); e; e = expr_next(&walk)) {
        if (e->kind != EXPR_VAR || !map_get_pointer(c->varying, e->var) ||
            map_get_pointer(c->own, e->var))
            continue;
        const struct expr *value = map_get_pointer(c->elements.values, e->var);
        if (!value || has_bound_name(c, value))
            return true;
    }
    return false;
}

/* Does something in s belong to a thread's points that copy_expr cannot express by the point's
   variable? Then s cannot be executed for a point that is not a literal. */
static bool is_bound_to_copies(struct coarsening *c, const struct stmt *root)
{
    struct stmt_walk stmts;
    struct expr_walk exprs;
    const struct map *own = c->own;
    for (const struct stmt *s = stmt_first(&stmts, c->arena, root); s; s = stmt_next(&stmts)) {
        if (s->kind == STMT_SET && !map_get_pointer(own, s->var))
            return true;
        if (s->kind == STMT_STORE && s->array->space == SPACE_PRIVATE &&
            !map_get_pointer(own, s->array))
            return true;
        const struct expr *e = stmt_first_expr(&exprs, c->arena, s);
        for (; e; e = expr_next(&exprs)) {
            if (e->kind == EXPR_VAR && has_bound_name(c, e))
                return true;
            if (e->kind == EXPR_LOAD && map_get_pointer(c->varying, e->array) &&
                !map_get_pointer(own, e->array))
                return true;
        }
    }
    return false;
}

const struct stmt *copies_loop(struct coarsening *c, const struct stmt *s, bool unroll)
{
    struct stmt_walk walk;
    enum type type = c->point->type;
    c->own = map_new(c->arena);
    c->copy = COPY_ANY;
    for (const struct stmt *at = stmt_first(&walk, c->arena, s); at; at = stmt_next(&walk))
        declaration_copy(c, at);
    struct stmt *loop = NULL;
    if (!is_bound_to_copies(c, s)) {
        c->any = var_new(c->arena, names_fresh(&c->names, "point"), type, VAR_ITERATOR);
        loop = (struct stmt *)stmt_for(c->arena, c->any, expr_integer(c->arena, type, 0),
                                       expr_integer(c->arena, type, c->factor),
                                       expr_integer(c->arena, type, 1), copy_stmt(c, s));
        loop->unroll = unroll;
    }
    c->own = NULL;
    return loop;
}

const struct stmt *copies_make(struct coarsening *c, const struct stmt *s, bool again)
{
    const struct stmt *copies[FACTOR_MAX];
    for (int i = 0; i < c->factor; i++) {
        bool renames = s->n_children > 0 && (i > 0 || again);
        c->copy = i;
        c->own = renames ? map_new(c->arena) : NULL;
        copies[i] = copy_stmt(c, s);
        c->own = NULL;
    }
    return stmt_sequence(c->arena, copies, c->factor);
}

const struct stmt *stores_make(struct coarsening *c, const struct stmt *s)
{
    if (s->width || s->array->space == SPACE_PRIVATE || !expr_uses_array(s->value, s->array))
        return copies_make(c, s, false);
    const struct stmt *parts[2 * FACTOR_MAX];
    for (int i = 0; i < c->factor; i++) {
        struct var *value = var_new(c->arena, names_fresh(&c->names, "value"), s->array->element,
                                    VAR_LOCAL);
        c->copy = i;
        struct stmt *store = (struct stmt *)copy_stmt(c, s);
        parts[i] = stmt_let(c->arena, value, store->value);
        parts[c->factor + i] = stmt_store(c->arena, store->array, store->indices,
                                          expr_var(c->arena, value), s->loc);
    }
    return stmt_sequence(c->arena, parts, 2 * c->factor);
}
