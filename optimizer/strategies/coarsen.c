/* Coarsening: fewer threads, each with `factor` points of every plain band (thread coarsening, the
   increase of granularity; along two axes one after the other: register tiles).

   In: a placed kernel whose block axis `axis` has extent E, and a factor C. Out: the kernel with
   extent E / C there, to be launched only where C divides E. A thread executes the points v, v +
   E/C, …, v + (C-1)*E/C, so that neighbouring threads still touch neighbouring elements, or the
   consecutive points C*v, …, C*v + C-1 where these read fewer elements or a condition parts a
   thread's points around a loop, and the axis is not the one along which neighbours touch
   neighbours, the last. Method: unroll and jam. What depends on the
   point (`varying`, a fixpoint over the whole body) exists C times: scalars and private arrays get
   copies, assignments and stores are repeated. Everything else stands once and is shared by the
   copies. Serial loops and conditions that do not vary run once around the jammed copies. A
   condition that varies and has no effect runs once for all copies,
       if (every copy's condition) { jammed copies } else rare { one copy after the other },
   where that makes loads or loops common; other statements are executed for one copy after the
   other, in a loop to be unrolled where they need nothing but the point. Loads of one element by
   several copies become one (elements.c). Strided bands follow the number of threads by themselves.
   Why it is right: the points of one band are independent between two barriers (the caller asks
   access_parallel), so their statements may be interleaved, and all of them may load before one
   stores; two plain bands give a point to the same thread, as before; an element that all copies
   read is written by none of them. Refused where a strided band holds anything that varies.
   Source: Volkov, "Better performance at lower occupancy"; unroll-and-jam of Allen and Kennedy. */
#include "optimizer/strategies/coarsen.h"
#include "ir/walk.h"
#include "optimizer/strategies/strategies.h"

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

/* An accumulating store adds its value once for each point, also where the points' values are
   equal. */
static bool store_varies(const struct coarsening *c, const struct stmt *s)
{
    bool varies = s->reduction || expr_varies(c, s->value) ||
                  map_get_pointer(c->varying, s->array);
    for (int i = 0; i < s->array->n_dims; i++)
        varies |= expr_varies(c, s->indices[i]);
    return varies;
}

static void depth_note(struct coarsening *c, const void *object, int depth)
{
    int *noted = ARENA_NEW(c->arena, int);
    *noted = depth;
    map_put_pointer(c->depths, object, noted);
}

/* May only some of the copies come to a statement at `depth`, of those that come to the declaration
   of the object? */
static bool is_apart(const struct coarsening *c, const void *object, int depth)
{
    const int *noted = map_get_pointer(c->depths, object);
    return depth > (noted ? *noted : 0);
}

/* Marks what varies in s; `depth`: how many statements around it the copies execute apart. */
static void mark_stmt(struct coarsening *c, const struct stmt *s, int depth)
{
    int inner = depth;
    switch (s->kind) {
    case STMT_BAND:
        if (s->strided)
            return;
        map_put_pointer(c->points, s->axes[c->axis].var, c);
        break;
    case STMT_LET:
        depth_note(c, s->var, depth);
        if (s->value && expr_varies(c, s->value))
            mark(c, s->var);
        break;
    case STMT_SET:
        if (is_apart(c, s->var, depth) || expr_varies(c, s->value))
            mark(c, s->var);
        break;
    case STMT_ARRAY: depth_note(c, s->array, depth); break;
    case STMT_STORE:
        if (s->array->space == SPACE_PRIVATE &&
            (is_apart(c, s->array, depth) || store_varies(c, s)))
            mark(c, s->array);
        break;
    case STMT_IF:
    case STMT_WHILE: inner += expr_varies(c, s->value); break;
    case STMT_FOR: inner += bounds_vary(c, s); break;
    default: break;
    }
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

static bool stmt_varies(const struct coarsening *c, const struct stmt *s)
{
    switch (s->kind) {
    case STMT_LET:
    case STMT_SET: return map_get_pointer(c->varying, s->var);
    case STMT_ARRAY: return map_get_pointer(c->varying, s->array);
    case STMT_STORE: return store_varies(c, s);
    case STMT_IF:
    case STMT_WHILE: return expr_varies(c, s->value);
    case STMT_FOR: return bounds_vary(c, s);
    default: return false;
    }
}

/* --- conditions that vary --------------------------------------------------------------------- */

/* a - b of a comparison a < b, as a polynomial; NULL if it is none or its type may wrap. */
static const struct poly *comparison_poly(struct coarsening *c, const struct expr *e)
{
    if (e->kind != EXPR_BINARY || e->op < OP_LT || e->op > OP_GE)
        return NULL;
    const struct expr *const *sides = e->arguments;
    if (!type_is_signed(sides[0]->type) || type_is_floating(sides[0]->type))
        return NULL;
    const struct expr *a = elements_expand(&c->elements, sides[0]),
                      *b = elements_expand(&c->elements, sides[1]);
    const struct poly *p = a ? expr_poly(c->elements.ring, a) : NULL,
                      *q = b ? expr_poly(c->elements.ring, b) : NULL;
    return p && q ? poly_sub(p, q) : NULL;
}

/* The copy whose condition implies that of all others, as they rise or fall with the point; -1 if
   there is none. */
static int strongest_copy(struct coarsening *c, const struct expr *e)
{
    const struct poly *p = comparison_poly(c, e);
    int v = ring_find(c->elements.ring, c->point->name);
    int64_t slope;
    if (!p || v < 0 || poly_degree(p, v) != 1 ||
        !poly_get_integer(poly_coefficient(p, v, 1), &slope))
        return -1;
    bool is_upper = e->op == OP_LT || e->op == OP_LE;
    return (slope > 0) == is_upper ? c->factor - 1 : 0;
}

/* "It holds for all copies." */
static const struct expr *condition_all(struct coarsening *c, const struct expr *e)
{
    if (e->kind == EXPR_BINARY && e->op == OP_LAND)
        return expr_binary(c->arena, OP_LAND, condition_all(c, e->arguments[0]),
                           condition_all(c, e->arguments[1]));
    int strongest = expr_varies(c, e) ? strongest_copy(c, e) : 0;
    const struct expr *all = NULL;
    for (int i = 0; i < c->factor; i++) {
        c->copy = i;
        if (strongest < 0 || i == strongest)
            all = expr_join(c->arena, OP_LAND, all, copy_expr(c, e));
    }
    return all;
}

/* Does a condition that varies stand around a loop? Threads of which some points satisfy it and
   some do not run the loop for one point after the other. */
static bool guards_loop(struct coarsening *c, const struct stmt *body)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, c->arena, body); s; s = stmt_next(&walk))
        if (s->kind == STMT_IF && expr_varies(c, s->value) && stmt_has_loop(s))
            return true;
    return false;
}

static const struct stmt *jam(struct coarsening *c, const struct stmt *s);

/* Does every part of the condition that varies hold for all copies if it holds for one certain
   copy, as the end of a range does? Where all of them are asked in their order, a part is asked for
   points only that would come to it one by one. */
static bool is_bound(struct coarsening *c, const struct expr *e)
{
    if (e->kind == EXPR_BINARY && e->op == OP_LAND)
        return is_bound(c, e->arguments[0]) && is_bound(c, e->arguments[1]);
    return !expr_varies(c, e) || strongest_copy(c, e) >= 0;
}

/* May the copies' condition be asked at once, and does something stand under it that they have
   in common, or loads under a bound, which then wait together? */
static bool condition_joins(struct coarsening *c, const struct stmt *s)
{
    if (s->kind != STMT_IF || (s->children[1] && !s->rare))
        return false;
    bool is_total = expr_is_total(s->value), bounds = is_bound(c, s->value);
    if (is_total && (s->rare || stmt_has_loop(s->children[0])))
        return true;
    struct loads loads = loads_count(c, s->children[0]);
    bool shares = is_total && (int)loads.distinct.count < loads.all;
    return shares || (bounds && loads.all > 0);
}

static const struct stmt *if_join(struct coarsening *c, const struct stmt *s)
{
    const struct expr *all = condition_all(c, s->value);
    const struct stmt *jammed = jam(c, s->children[0]);
    const struct stmt *single = s->rare ? s->children[1] : s;
    const struct stmt *apart = copies_loop(c, single, false);
    if (!apart)
        apart = copies_make(c, single, true);
    struct stmt *joined = (struct stmt *)stmt_if(c->arena, all, jammed, apart);
    joined->rare = true;
    return joined;
}

static bool conjunct_varies(void *state, const struct expr *conjunct)
{
    return expr_varies(state, conjunct);
}

static bool conjunct_stays(void *state, const struct expr *conjunct)
{
    return !expr_varies(state, conjunct);
}

/* A condition that varies with what it asks of all copies alike around it, so that a thread for
   which that does not hold asks nothing else; NULL if there is no such thing. */
static const struct stmt *if_split(struct coarsening *c, const struct stmt *s)
{
    if (s->kind != STMT_IF || s->children[1] || !expr_is_total(s->value))
        return NULL;
    const struct expr *alike = conjuncts_left(c->arena, s->value, conjunct_varies, c);
    if (!alike)
        return NULL;
    const struct expr *own = conjuncts_left(c->arena, s->value, conjunct_stays, c);
    const struct stmt *inner = jam(c, stmt_if(c->arena, own, s->children[0], NULL));
    return stmt_if(c->arena, alike, inner, NULL);
}

/* Statement s for all points of a thread. */
static const struct stmt *jam(struct coarsening *c, const struct stmt *s)
{
    const struct stmt *split = stmt_varies(c, s) ? if_split(c, s) : NULL;
    if (split)
        return split;
    if (stmt_varies(c, s) && condition_joins(c, s))
        return if_join(c, s);
    if (stmt_varies(c, s)) {
        const struct stmt *loop = s->n_children > 0 ? copies_loop(c, s, true) : NULL;
        if (loop)
            return loop;
        return s->kind == STMT_STORE ? stores_make(c, s) : copies_make(c, s, false);
    }
    if (s->n_children == 0 || (s->kind == STMT_BAND && s->strided))
        return s;
    const struct stmt **children = ARENA_ARRAY(c->arena, const struct stmt *, s->n_children);
    if (s->kind == STMT_BAND)
        c->point = s->axes[c->axis].var;
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

/* Global, shared, then private arrays, each copy behind its original; those of whole statements
   come last. */
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
    for (size_t i = 0; i < c->arrays.count; i++)
        vec_push(c->arena, &arrays, c->arrays.at[i]);
    kernel->arrays = arrays.at;
    kernel->n_arrays = (int)arrays.count;
}

static void shape_change(struct coarsening *c, struct kernel *kernel, const struct poly *extent)
{
    struct axis *block = ARENA_ARRAY(c->arena, struct axis, kernel->n_block);
    for (int i = 0; i < kernel->n_block; i++)
        block[i] = kernel->block[i];
    block[c->axis].extent = c->extent;
    kernel->block = block;
    if (!poly_is_constant(extent))
        kernel_add_divisible(c->arena, kernel, (struct divisible){extent, c->factor});
}

/* Ready to look at the kernel's loads; false if there is nothing to coarsen. */
static bool coarsening_begin(struct coarsening *c, struct ctx *ctx, const struct kernel *kernel,
                             int axis, int factor)
{
    *c = (struct coarsening){.arena = ctx->arena, .axis = axis, .factor = factor};
    if (axis >= kernel->n_block || factor > FACTOR_MAX)
        return false;
    const struct expr *whole = kernel->block[axis].extent;
    c->extent = expr_binary(ctx->arena, OP_DIV, whole,
                            expr_integer(ctx->arena, whole->type, factor));
    c->names = names_new(ctx->arena, kernel);
    c->elements = elements_new(ctx->arena, kernel);
    c->varying = map_new(ctx->arena);
    c->points = map_new(ctx->arena);
    c->inside = map_new(ctx->arena);
    c->depths = map_new(ctx->arena);
    return true;
}

bool strategy_coarsen_shares(struct ctx *ctx, const struct kernel *kernel, int axis, int factor)
{
    struct coarsening c;
    struct stmt_walk walk;
    bool strided = false;
    if (!coarsening_begin(&c, ctx, kernel, axis, factor))
        return false;
    for (const struct stmt *s = stmt_first(&walk, c.arena, kernel->body); s; s = stmt_next(&walk)) {
        if (s->kind == STMT_BAND) {
            c.point = s->axes[axis < s->n_axes ? axis : 0].var;
            strided = s->strided;
        }
        if (s->kind != STMT_FOR || !c.point || strided || stmt_has_band(s))
            continue;
        if (loop_shares(&c, s))
            return true;
    }
    return false;
}

int strategy_coarsen_rows(struct ctx *ctx, const struct kernel *kernel)
{
    enum { ROWS = 4 };
    size_t least = SIZE_MAX;
    int rows = 0;
    if (kernel->n_block < 3)
        return 0;
    for (int axis = 0; axis + 1 < kernel->n_block; axis++) {
        struct coarsening c;
        if (!coarsening_begin(&c, ctx, kernel, axis, ROWS))
            continue;
        size_t loads = tiles_load(&c, kernel->body);
        if (loads < least) {
            least = loads;
            rows = axis;
        }
    }
    return rows;
}

const struct kernel *strategy_coarsen(struct ctx *ctx, const struct kernel *kernel, int axis,
                                      int factor)
{
    struct coarsening c;
    int64_t constant;
    if (!coarsening_begin(&c, ctx, kernel, axis, factor))
        return kernel;
    const struct poly *extent = expr_poly(kernel->ring, kernel->block[axis].extent);
    if (!extent || (poly_get_integer(extent, &constant) && constant % factor))
        return kernel;
    do {
        c.changed = false;
        mark_stmt(&c, kernel->body, 0);
    } while (c.changed);
    if (!bands_allow(&c, kernel->body) || map_count(c.points) == 0)
        return kernel;
    bool is_last = axis + 1 == kernel->n_block;
    if (!is_last) {
        size_t apart = bands_load(&c, kernel->body, false);
        bool fewer = bands_load(&c, kernel->body, true) < apart;
        c.consecutive = fewer || guards_loop(&c, kernel->body);
    }
    struct kernel *coarse = kernel_copy(ctx->arena, kernel);
    coarse->body = jam(&c, kernel->body);
    arrays_add(&c, coarse);
    shape_change(&c, coarse, extent);
    const struct kernel *loaded = loads_share(ctx->arena, coarse);
    struct kernel *shared = kernel_copy(ctx->arena, values_share(ctx, loaded));
    shared->body = body_drop_unused(ctx->arena, shared->body);
    return shared;
}
