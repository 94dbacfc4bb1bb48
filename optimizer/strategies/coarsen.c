/* Coarsening: fewer threads, each with `factor` points of every plain band (thread coarsening, the
   increase of granularity).

   In: a placed kernel whose block axis `axis` has extent E, and a factor C. Out: the kernel with
   extent E / C there, to be launched only where C divides E: a thread executes the points v, v +
   E/C, …, v + (C-1)*E/C, so that neighbouring threads still touch neighbouring elements. Method:
   unroll and jam. What depends on the point (`varying`, a fixpoint over the whole body) exists C
   times: scalars and private arrays get copies, assignments and stores are repeated. Everything
   else stands once and is shared by the copies: serial loops and conditions that do not vary run
   once around the jammed copies, others once per copy, one after the other. Strided bands follow
   the number of threads by themselves.
   Why it is right: the points of one band are independent between two barriers (the caller asks
   access_parallel), so their statements may be interleaved; two plain bands give a point to the
   same thread, as before; an element that all copies read is written by none of them. Refused where
   a strided band holds anything that varies.
   Source: Volkov, "Better performance at lower occupancy"; unroll-and-jam of Allen and Kennedy. */
#include "ir/walk.h"
#include "optimizer/strategies/rewrite.h"
#include "optimizer/strategies/strategies.h"

enum { FACTOR_MAX = 8 };

struct coarsening {
    struct arena *arena;
    struct names names;
    int axis, factor;
    const struct expr *extent;      /* E / C */
    struct map *varying;            /* var or array to its copies: FACTOR_MAX pointers, the first
                                       is itself */
    struct map *points;             /* axis variables of plain bands: what v + c*(E/C) replaces */
    struct map *inside;             /* what a strided band declares */
    bool changed;
    int copy;                       /* of the expression that is being rewritten */
};

/* --- what varies ------------------------------------------------------------------------------ */

static bool expr_varies(const struct coarsening *c, const struct expr *e)
{
    const void *object = NULL;
    if (e->kind == EXPR_VAR)
        object = e->var;
    else if (e->kind == EXPR_LOAD)
        object = e->array;
    bool varies = object &&
                  (map_get_pointer(c->varying, object) || map_get_pointer(c->points, object));
    for (int i = 0; i < e->n_arguments && !varies; i++)
        varies = expr_varies(c, e->arguments[i]);
    return varies;
}

static void mark(struct coarsening *c, const void *object)
{
    if (map_get_pointer(c->varying, object))
        return;
    map_put_pointer(c->varying, object, ARENA_ARRAY(c->arena, const void *, FACTOR_MAX));
    c->changed = true;
}

static bool bounds_vary(const struct coarsening *c, const struct stmt *loop)
{
    return expr_varies(c, loop->from) || expr_varies(c, loop->to) || expr_varies(c, loop->step);
}

static bool store_varies(const struct coarsening *c, const struct stmt *s)
{
    bool varies = expr_varies(c, s->value) || map_get_pointer(c->varying, s->array);
    for (int i = 0; i < s->array->n_dims; i++)
        varies |= expr_varies(c, s->indices[i]);
    return varies;
}

/* Marks what varies in s; `divergent`: the copies may disagree about executing it. */
static void mark_stmt(struct coarsening *c, const struct stmt *s, bool divergent)
{
    bool inner = divergent;
    if (s->kind == STMT_BAND && s->strided)
        return;
    if (s->kind == STMT_BAND)
        map_put_pointer(c->points, s->axes[c->axis].var, c);
    if ((s->kind == STMT_LET || s->kind == STMT_SET) &&
        (divergent || (s->value && expr_varies(c, s->value))))
        mark(c, s->var);
    if (s->kind == STMT_ARRAY && divergent)
        mark(c, s->array);
    if (s->kind == STMT_STORE && s->array->space == SPACE_PRIVATE &&
        (divergent || store_varies(c, s)))
        mark(c, s->array);
    if (s->kind == STMT_IF)
        inner |= expr_varies(c, s->value);
    if (s->kind == STMT_FOR && (inner |= bounds_vary(c, s)))
        mark(c, s->var);
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            mark_stmt(c, s->children[i], inner);
}

static void note_inside(struct coarsening *c, const struct stmt *s)
{
    if (s->kind == STMT_LET)
        map_put_pointer(c->inside, s->var, c);
    if (s->kind == STMT_ARRAY)
        map_put_pointer(c->inside, s->array, c);
}

/* Does s itself use what varies, or set a variable or private array that the band does
   not declare? */
static bool stmt_hinders(const struct coarsening *c, const struct stmt *s)
{
    for (int i = 0; i < stmt_n_exprs(s); i++)
        if (expr_varies(c, stmt_expr(s, i)))
            return true;
    if (s->kind == STMT_SET)
        return !map_get_pointer(c->inside, s->var);
    if (s->kind == STMT_STORE && s->array->space == SPACE_PRIVATE)
        return !map_get_pointer(c->inside, s->array);
    return false;
}

/* A strided band may neither use what varies nor leave anything in a thread's own variables. */
static bool strided_allows(struct coarsening *c, const struct stmt *band)
{
    struct stmt_walk walk;
    const struct stmt *s;
    for (s = stmt_first(&walk, c->arena, band); s; s = stmt_next(&walk))
        note_inside(c, s);
    for (s = stmt_first(&walk, c->arena, band); s; s = stmt_next(&walk))
        if (stmt_hinders(c, s))
            return false;
    return true;
}

static bool bands_allow(struct coarsening *c, const struct stmt *body)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, c->arena, body); s; s = stmt_next(&walk))
        if (s->kind == STMT_BAND && s->strided && !strided_allows(c, s))
            return false;
    return true;
}

/* --- copies ----------------------------------------------------------------------------------- */

static const struct var *copy_var(struct coarsening *c, const struct var *var, int copy)
{
    const void **copies = map_get_pointer(c->varying, var);
    if (!copies || copy == 0)
        return var;
    if (!copies[copy]) {
        const char *name = names_fresh(&c->names, arena_printf(c->arena, "%s_%d", var->name, copy));
        copies[copy] = var_new(c->arena, name, var->type, var->kind);
    }
    return copies[copy];
}

static const struct array *copy_array(struct coarsening *c, const struct array *array, int copy)
{
    const void **copies = map_get_pointer(c->varying, array);
    if (!copies || copy == 0)
        return array;
    if (!copies[copy]) {
        struct array *fresh = ARENA_NEW(c->arena, struct array);
        *fresh = *array;
        fresh->name = names_fresh(&c->names, arena_printf(c->arena, "%s_%d", array->name, copy));
        copies[copy] = fresh;
    }
    return copies[copy];
}

/* Expression e for the point of c->copy. */
static const struct expr *copy_expr(void *state, const struct expr *e)
{
    struct coarsening *c = state;
    if (c->copy == 0)
        return e;
    if (e->kind == EXPR_VAR && map_get_pointer(c->points, e->var)) {
        enum type type = e->var->type;
        const struct expr *step = expr_cast(c->arena, type, c->extent);
        const struct expr *away = expr_binary(c->arena, OP_MUL,
                                              expr_integer(c->arena, type, c->copy), step);
        return expr_binary(c->arena, OP_ADD, e, away);
    }
    if (e->kind == EXPR_VAR) {
        const struct var *var = copy_var(c, e->var, c->copy);
        return var == e->var ? e : expr_var(c->arena, var);
    }
    const struct expr *mapped = expr_map_operands(c->arena, e, copy_expr, c);
    if (e->kind == EXPR_LOAD && copy_array(c, e->array, c->copy) != e->array)
        return expr_load(c->arena, copy_array(c, e->array, c->copy), mapped->arguments, e->loc);
    return mapped;
}

/* Statement s for point `copy`, all of it. */
static const struct stmt *copy_stmt(struct coarsening *c, const struct stmt *s, int copy)
{
    c->copy = copy;
    struct stmt *mapped = (struct stmt *)stmt_map_exprs(c->arena, s, copy_expr, c);
    mapped->var = s->var ? copy_var(c, s->var, copy) : NULL;
    mapped->array = s->array ? copy_array(c, s->array, copy) : NULL;
    if (s->n_children == 0)
        return mapped;
    const struct stmt **children = ARENA_ARRAY(c->arena, const struct stmt *, s->n_children);
    for (int i = 0; i < s->n_children; i++)
        children[i] = s->children[i] ? copy_stmt(c, s->children[i], copy) : NULL;
    return stmt_rebuild(c->arena, mapped, children);
}

static const struct stmt *copies_make(struct coarsening *c, const struct stmt *s)
{
    const struct stmt *copies[FACTOR_MAX];
    for (int i = 0; i < c->factor; i++)
        copies[i] = copy_stmt(c, s, i);
    return stmt_sequence(c->arena, copies, c->factor);
}

static bool stmt_varies(const struct coarsening *c, const struct stmt *s)
{
    switch (s->kind) {
    case STMT_LET:
    case STMT_SET: return map_get_pointer(c->varying, s->var);
    case STMT_ARRAY: return map_get_pointer(c->varying, s->array);
    case STMT_STORE: return store_varies(c, s);
    case STMT_IF: return expr_varies(c, s->value);
    case STMT_FOR: return bounds_vary(c, s);
    default: return false;
    }
}

/* Statement s for all points of a thread. */
static const struct stmt *jam(struct coarsening *c, const struct stmt *s)
{
    if (stmt_varies(c, s))
        return copies_make(c, s);
    if (s->n_children == 0 || (s->kind == STMT_BAND && s->strided))
        return s;
    const struct stmt **children = ARENA_ARRAY(c->arena, const struct stmt *, s->n_children);
    for (int i = 0; i < s->n_children; i++)
        children[i] = s->children[i] ? jam(c, s->children[i]) : NULL;
    struct stmt *jammed = (struct stmt *)stmt_rebuild(c->arena, s, children);
    if (s->kind != STMT_BAND)
        return jammed;
    struct axis *axes = ARENA_ARRAY(c->arena, struct axis, s->n_axes);
    for (int i = 0; i < s->n_axes; i++)
        axes[i] = (struct axis){s->axes[i].var, i == c->axis ? c->extent : s->axes[i].extent};
    return stmt_band(c->arena, axes, s->n_axes, false, jammed->children[0]);
}

/* --- the kernel ------------------------------------------------------------------------------- */

/* Global, shared, then private arrays, each copy behind its original. */
static void arrays_add(struct coarsening *c, struct kernel *kernel)
{
    VEC(const struct array *) arrays = {0};
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *const *copies = map_get_pointer(c->varying, kernel->arrays[i]);
        vec_push(c->arena, &arrays, kernel->arrays[i]);
        if (copies)
            for (int k = 1; k < c->factor; k++)
                if (copies[k])
                    vec_push(c->arena, &arrays, copies[k]);
    }
    kernel->arrays = arrays.at;
    kernel->n_arrays = (int)arrays.count;
}

static void divisible_add(struct arena *arena, struct kernel *kernel, struct divisible fact)
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

static void shape_change(struct coarsening *c, struct kernel *kernel, const struct poly *extent)
{
    struct axis *block = ARENA_ARRAY(c->arena, struct axis, kernel->n_block);
    for (int i = 0; i < kernel->n_block; i++)
        block[i] = kernel->block[i];
    block[c->axis].extent = c->extent;
    kernel->block = block;
    if (!poly_is_constant(extent))
        divisible_add(c->arena, kernel, (struct divisible){extent, c->factor});
}

const struct kernel *strategy_coarsen(struct ctx *ctx, const struct kernel *kernel, int axis,
                                      int factor)
{
    struct coarsening c = {.arena = ctx->arena, .axis = axis, .factor = factor};
    const struct expr *whole = axis < kernel->n_block ? kernel->block[axis].extent : NULL;
    const struct poly *extent = whole && factor <= FACTOR_MAX ? expr_poly(kernel->ring, whole)
                                                              : NULL;
    int64_t constant;
    if (!extent || (poly_get_integer(extent, &constant) && constant % factor))
        return kernel;
    c.names = names_new(ctx->arena, kernel);
    c.varying = map_new(ctx->arena);
    c.points = map_new(ctx->arena);
    c.inside = map_new(ctx->arena);
    c.extent = expr_binary(ctx->arena, OP_DIV, whole,
                           expr_integer(ctx->arena, whole->type, factor));
    do {
        c.changed = false;
        mark_stmt(&c, kernel->body, false);
    } while (c.changed);
    if (!bands_allow(&c, kernel->body) || map_count(c.points) == 0)
        return kernel;
    struct kernel *coarse = kernel_copy(ctx->arena, kernel);
    coarse->body = jam(&c, kernel->body);
    arrays_add(&c, coarse);
    shape_change(&c, coarse, extent);
    return coarse;
}
