/* Blocks of several bands as one thread, on devices without warps.

   In: a kernel with several bands. Out: the body of a block as statements of one thread. A band is
   loops over its points, of which the last axis is innermost, and each goes only where the band's
   guard holds (emit/rows.c); a barrier is nothing. Compilers of CPU devices keep threads that wait
   at barriers in memory, and rounds around a band keep them from making vectors of its threads;
   here rounds stand outside and threads are the innermost loop (a dot product of 10^7 floats on
   PoCL: 1.2 ms instead of 8). Scalars and private arrays of the block's level that bands set become
   arrays with an element for each thread of the block; if a tunable is their extent, the text is
   for compilers that know the tunable's value.
   Taken where threads combine elements that others have left in memory of threads, or accumulate
   in it, which needs no atomic operation then: kernels that only stage gain nothing.
   Invariant: every thread executes its statements in their order, and all work of a band is done
   before the next band begins, as behind a barrier; points of a band are independent of each
   other. */
#include "emit/blocks.h"
#include "emit/lanes_code.h"
#include "ir/async.h"
#include "ir/reduction.h"
#include "ir/walk.h"
#include "optimizer/strategies/rewrite.h"

/* Rounds of a block's share of a sum that are done four at once. No share has fewer, and one has
   more where the whole sum comes from memory. */
enum { ROUNDS_JAMMED = 16 };

struct blocks {
    struct arena *arena;
    const struct kernel *kernel;
    struct names names;
    struct definitions scope;   /* of guards: scalars of the block's level that are equal for all */
    struct map *lasting;        /* scalars and private arrays of the block's level */
    struct map *kept;           /* those of them that differ from thread to thread, to their arrays
                                   of threads */
    VEC(const struct var *) vars;   /* the scalars among these */
    bool all_strided;           /* one thread may do all points: nothing differs */
    bool changed, fails;
    bool is_impossible;         /* to be one thread, not only of no use */
    bool has_tree;              /* threads combine what others have left in an array */
    bool jams;                  /* where rounds stand around a band, four are done at once */
};

/* --- what threads keep ------------------------------------------------------------------------ */

/* The scalar or private array of each thread, with the block's axes behind its own. */
static const struct array *array_of_threads(struct blocks *b, const char *name, enum type element,
                                            const struct array *own)
{
    struct array *array = ARENA_NEW(b->arena, struct array);
    int n = own ? own->n_dims : 0, n_block = b->kernel->n_block;
    const struct expr **dims = ARENA_ARRAY(b->arena, const struct expr *, (size_t)(n + n_block));
    for (int d = 0; d < n; d++)
        dims[d] = own->dims[d];
    for (int d = 0; d < n_block; d++)
        dims[n + d] = b->kernel->block[d].extent;
    *array = (struct array){
        .name = names_fresh(&b->names, arena_printf(b->arena, "%s_threads", name)),
        .element = element,
        .space = SPACE_PRIVATE,
        .n_dims = n + n_block,
        .dims = dims};
    return array;
}

static const struct array *kept_var(const struct blocks *b, const struct var *var)
{
    return map_get_pointer(b->kept, var);
}

static const struct array *kept_array(const struct blocks *b, const struct array *array)
{
    return array->space == SPACE_PRIVATE ? map_get_pointer(b->kept, array) : NULL;
}

static void keep_var(struct blocks *b, const struct var *var)
{
    if (b->all_strided || !map_get_pointer(b->lasting, var) || kept_var(b, var))
        return;
    const struct array *array = array_of_threads(b, var->name, var->type, NULL);
    map_put_pointer(b->kept, var, (void *)array);
    vec_push(b->arena, &b->vars, var);
    b->changed = true;
}

static void keep_array(struct blocks *b, const struct array *own)
{
    if (b->all_strided || kept_array(b, own))
        return;
    const struct array *array = array_of_threads(b, own->name, own->element, own);
    map_put_pointer(b->kept, own, (void *)array);
}

/* Does e name anything that threads keep? */
static bool expr_is_kept(const struct blocks *b, const struct expr *e)
{
    if (e->kind == EXPR_VAR && kept_var(b, e->var))
        return true;
    if (e->kind == EXPR_LOAD && kept_array(b, e->array))
        return true;
    for (int i = 0; i < e->n_arguments; i++)
        if (expr_is_kept(b, e->arguments[i]))
            return true;
    return false;
}

/* A statement of the block's level. */
static void find_level_kept(struct blocks *b, const struct stmt *s)
{
    if (s->kind == STMT_LET)
        map_put_pointer(b->lasting, s->var, (void *)s->var);
    if (s->kind == STMT_ARRAY)
        keep_array(b, s->array);
    bool gives = (s->kind == STMT_LET || s->kind == STMT_SET) && s->value;
    if (gives && expr_is_kept(b, s->value))
        keep_var(b, s->var);
}

/* Finds out what differs from thread to thread. */
static void find_kept(struct blocks *b, const struct stmt *s, bool in_band)
{
    if (!in_band)
        find_level_kept(b, s);
    else if (s->kind == STMT_SET)
        keep_var(b, s->var);
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            find_kept(b, s->children[i], in_band || s->kind == STMT_BAND);
}

static bool stmt_is_kept(const struct blocks *b, const struct stmt *s)
{
    if (s->kind == STMT_SET && kept_var(b, s->var))
        return true;
    if (s->kind == STMT_STORE && kept_array(b, s->array))
        return true;
    for (int i = 0; i < stmt_n_exprs(s); i++)
        if (expr_is_kept(b, stmt_expr(s, i)))
            return true;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && stmt_is_kept(b, s->children[i]))
            return true;
    return false;
}

/* Is it memory of threads alone, shared or in place of that? */
static bool is_of_threads(const struct array *array)
{
    return array->space == SPACE_SHARED || array->is_partial;
}

/* Is an element of the array loaded in the band that is not the one stored by s? */
static bool loads_other(const struct blocks *b, const struct stmt *band, const struct stmt *store)
{
    struct stmt_walk walk;
    struct expr_walk exprs;
    for (const struct stmt *s = stmt_first(&walk, b->arena, band); s; s = stmt_next(&walk))
        for (const struct expr *e = stmt_first_expr(&exprs, b->arena, s); e; e = expr_next(&exprs))
            if (e->kind == EXPR_LOAD && e->array == store->array &&
                !exprs_equal(e->arguments, store->indices, e->array->n_dims))
                return true;
    return false;
}

/* Do points of the band store to such an array what others have left in it? */
static bool combines(const struct blocks *b, const struct stmt *band)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, b->arena, band); s; s = stmt_next(&walk))
        if (s->kind == STMT_STORE && is_of_threads(s->array) &&
            (s->reduction || loads_other(b, band, s)))
            return true;
    return false;
}

/* Strided bands have no number of the thread whose scalars they use; a vector copy has its elements
   side by side, and kept arrays have other threads' elements between them. */
static void check_bands(struct blocks *b, const struct stmt *s)
{
    if (s->kind == STMT_BAND) {
        b->has_tree |= combines(b, s);
        b->is_impossible |= s->strided && stmt_is_kept(b, s);
    }
    bool is_vector = s->kind == STMT_STORE && s->width;
    b->is_impossible |= is_vector && (kept_array(b, s->array) || kept_array(b, vector_source(s)));
    b->fails |= b->is_impossible;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            check_bands(b, s->children[i]);
}

/* --- bands as loops --------------------------------------------------------------------------- */

/* The axes of a plain band, which are the number of its thread. */
struct threads {
    struct blocks *blocks;
    const struct axis *axes;
};

static const struct expr *const *with_thread(const struct threads *t, int n,
                                             const struct expr *const *indices)
{
    struct arena *arena = t->blocks->arena;
    int n_block = t->blocks->kernel->n_block;
    const struct expr **list = ARENA_ARRAY(arena, const struct expr *, (size_t)(n + n_block));
    for (int i = 0; i < n; i++)
        list[i] = indices[i];
    for (int i = 0; i < n_block; i++)
        list[n + i] = expr_var(arena, t->axes[i].var);
    return list;
}

static const struct expr *load_of_thread(void *state, const struct expr *e)
{
    const struct threads *t = state;
    const struct array *array = e->kind == EXPR_LOAD ? kept_array(t->blocks, e->array) : NULL;
    if (!array)
        return e;
    return expr_load(t->blocks->arena, array, with_thread(t, e->array->n_dims, e->arguments),
                     e->loc);
}

static const struct stmt *store_of_thread(void *state, const struct stmt *s)
{
    const struct threads *t = state;
    const struct array *array = s->kind == STMT_STORE ? kept_array(t->blocks, s->array) : NULL;
    if (!array)
        return s;
    return stmt_store(t->blocks->arena, array, with_thread(t, s->array->n_dims, s->indices),
                      s->value, s->loc);
}

/* The same of scalars. */
static const struct expr *value_of_thread(void *state, const struct expr *e)
{
    const struct threads *t = state;
    const struct array *array = e->kind == EXPR_VAR ? kept_var(t->blocks, e->var) : NULL;
    if (!array)
        return load_of_thread(state, e);
    return expr_load(t->blocks->arena, array, with_thread(t, 0, NULL), (struct loc){0});
}

/* Scalars that s uses come from their elements before it and go there behind it, so that their
   values are no accesses of memory on the way: compilers make vectors of `if (e > a) a = e;`. */
static const struct stmt *with_scalars(const struct threads *t, const struct stmt *s)
{
    const struct blocks *b = t->blocks;
    struct stmts parts = {0}, stores = {0};
    const struct expr *const *indices = with_thread(t, 0, NULL);
    for (size_t i = 0; i < b->vars.count; i++) {
        const struct var *var = b->vars.at[i];
        const struct array *array = kept_var(b, var);
        bool is_set = stmt_sets_var(s, var);
        if (stmt_uses_var(s, var) || is_set)
            vec_push(b->arena, &parts,
                     stmt_let(b->arena, var, expr_load(b->arena, array, indices, var->loc)));
        if (is_set)
            vec_push(b->arena, &stores, stmt_store(b->arena, array, indices,
                                                   expr_var(b->arena, var), var->loc));
    }
    vec_push(b->arena, &parts, s);
    vec_push(b->arena, &parts, stmt_sequence(b->arena, stores.at, (int)stores.count));
    return stmt_sequence(b->arena, parts.at, (int)parts.count);
}

static const struct var *bound_new(struct blocks *b, const char *stem)
{
    return var_new(b->arena, names_fresh(&b->names, stem), TYPE_I64, VAR_LOCAL);
}

/* The loop over the points of an axis. */
static const struct stmt *axis_loop(struct blocks *b, const struct axis *axis,
                                    const struct axis_bounds *bounds, const struct stmt *work)
{
    struct arena *arena = b->arena;
    const struct expr *zero = expr_integer(arena, axis->var->type, 0),
                      *one = expr_integer(arena, axis->var->type, 1);
    int64_t first;
    if (!bounds->to)
        return stmt_for(arena, axis->var, zero, axis->extent, one, work);
    const struct var *from = bound_new(b, "since"), *to = bound_new(b, "until");
    const struct expr *begin = bounds->from, *end = expr_var(arena, to);
    bool is_first = expr_get_integer(begin, &first) && first == 0;
    if (!is_first)
        begin = expr_minimum(arena, expr_var(arena, from), end);
    const struct stmt *parts[] = {
        is_first ? NULL : stmt_let(arena, from, bounds->from), stmt_let(arena, to, bounds->to),
        stmt_for(arena, axis->var, begin, end, one, work)};
    return stmt_sequence(arena, parts, 3);
}

/* The loops over n axes with their bounds, the last axis innermost. */
static const struct stmt *axes_loops(struct blocks *b, const struct axis *axes, int n,
                                     const struct axis_bounds *bounds, const struct stmt *work)
{
    for (int i = n - 1; i >= 0; i--)
        work = axis_loop(b, &axes[i], &bounds[i], work);
    return work;
}

/* The work of a point of the band, without that part of the guard which the bounds of the axes
   imply. */
static const struct stmt *point_work(struct blocks *b, const struct stmt *band,
                                     const struct stmt *guard, const struct expr *left)
{
    const struct stmt *all = band->children[0];
    int n = all->kind == STMT_SEQUENCE ? all->n_children : 1;
    const struct stmt *const *children = all->kind == STMT_SEQUENCE ? all->children : &all;
    struct stmts parts = {0};
    for (int i = 0; i < n; i++) {
        const struct stmt *s = children[i];
        if (s == guard)
            s = left ? stmt_if(b->arena, left, s->children[0], NULL) : s->children[0];
        vec_push(b->arena, &parts, s);
    }
    return stmt_sequence(b->arena, parts.at, (int)parts.count);
}

/* An accumulation in shared memory is no atomic operation where a block is one thread. */
static const struct stmt *accumulation_plain(void *state, const struct stmt *s)
{
    struct blocks *b = state;
    if (s->kind != STMT_STORE || !s->reduction || s->array->space != SPACE_SHARED)
        return s;
    enum type type = s->array->element;
    const struct expr *value = expr_cast(b->arena, type, s->value);
    const struct stmt *parts[2] = {NULL};
    if (value->kind != EXPR_INTEGER) {
        const struct var *own = var_new(b->arena, names_fresh(&b->names, "value"), type, VAR_LOCAL);
        parts[0] = stmt_let(b->arena, own, value);
        value = expr_var(b->arena, own);
    }
    const struct expr *element = expr_load(b->arena, s->array, s->indices, s->loc);
    parts[1] = stmt_store(b->arena, s->array, s->indices,
                          reduction_join(b->arena, s->reduction, element, value), s->loc);
    return stmt_sequence(b->arena, parts, 2);
}

static const struct stmt *band_loops(struct blocks *b, const struct stmt *band)
{
    struct threads threads = {b, band->axes};
    struct axis_bounds bounds[AXES_MAX];
    const struct expr *left;
    const struct stmt *guard = rows_narrow(&b->scope, band, bounds, &left);
    const struct stmt *work = point_work(b, band, guard, left);
    work = stmt_rewrite(b->arena, work, accumulation_plain, b);
    if (!b->all_strided && !band->strided) {
        work = stmt_rewrite_exprs(b->arena, work, load_of_thread, &threads);
        work = stmt_rewrite(b->arena, work, store_of_thread, &threads);
        work = with_scalars(&threads, work);
    }
    return axes_loops(b, band->axes, band->n_axes, bounds, work);
}

/* --- the block's level ------------------------------------------------------------------------ */

/* Each thread gives its element of the array of threads the value. */
static const struct stmt *all_store(struct blocks *b, const struct array *array, int n_own,
                                    const struct expr *const *own, const struct stmt *s)
{
    const struct kernel *kernel = b->kernel;
    struct threads threads = {b, kernel->block};
    const struct expr *value = s->value ? s->value : expr_zero(b->arena, array->element);
    const struct stmt *store =
        stmt_store(b->arena, array, with_thread(&threads, n_own, own), value, s->loc);
    store = stmt_rewrite_exprs(b->arena, store, value_of_thread, &threads);
    return axes_loops(b, kernel->block, kernel->n_block, (struct axis_bounds[AXES_MAX]){{0}},
                      store);
}

static const struct stmt *level(struct blocks *b, const struct stmt *s);

static const struct stmt *level_inside(struct blocks *b, const struct stmt *s)
{
    struct stmts children = {0};
    for (int i = 0; i < s->n_children; i++)
        vec_push(b->arena, &children, s->children[i] ? level(b, s->children[i]) : NULL);
    if (s->kind == STMT_SEQUENCE)
        return stmt_sequence(b->arena, children.at, (int)children.count);
    return stmt_rebuild(b->arena, s, children.at);
}

/* A declaration. Elements of an array of threads are loaded before a band sets them, so that they
   have a value from the beginning. */
static const struct stmt *level_let(struct blocks *b, const struct stmt *s)
{
    const struct array *array = kept_var(b, s->var);
    if (!array)
        return s;
    const struct stmt *parts[] = {stmt_array(b->arena, array), all_store(b, array, 0, NULL, s)};
    return stmt_sequence(b->arena, parts, 2);
}

/* How often do the band's statements load elements of arrays that were given? */
static int given_loads(const struct blocks *b, const struct stmt *band)
{
    struct stmt_walk walk;
    struct expr_walk exprs;
    int count = 0;
    for (const struct stmt *s = stmt_first(&walk, b->arena, band); s; s = stmt_next(&walk))
        for (const struct expr *e = stmt_first_expr(&exprs, b->arena, s); e; e = expr_next(&exprs))
            count += e->kind == EXPR_LOAD && array_is_given(e->array);
    return count;
}

/* Is it a band of one axis, and nothing else, whose threads keep values? They are in memory. With
   several loads four rounds read too many places at once. */
static bool is_sole_keeper(const struct blocks *b, const struct stmt *s)
{
    s = stmt_sole(s);
    return s->kind == STMT_BAND && s->n_axes == 1 && !s->strided && stmt_is_kept(b, s) &&
           given_loads(b, s) == 1;
}

static const struct stmt *level_loop(struct blocks *b, const struct stmt *s)
{
    const struct stmt *loop = level_inside(b, s);
    bool is_wanted = b->jams && is_sole_keeper(b, s->children[0]);
    return is_wanted ? rounds_jam(b->arena, &b->names, loop, ROUNDS_JAMMED) : loop;
}

/* A statement of the block's level as one thread executes it; NULL: there is nothing to do. */
static const struct stmt *level(struct blocks *b, const struct stmt *s)
{
    const struct array *array = NULL;
    switch (s->kind) {
    case STMT_BAND: return band_loops(b, s);
    case STMT_BARRIER: return NULL;
    case STMT_FOR: return level_loop(b, s);
    case STMT_LET: return level_let(b, s);
    case STMT_SET:
        array = kept_var(b, s->var);
        return array ? all_store(b, array, 0, NULL, s) : s;
    case STMT_ARRAY:
        array = kept_array(b, s->array);
        return array ? stmt_array(b->arena, array) : s;
    case STMT_STORE:
        array = kept_array(b, s->array);
        return array ? all_store(b, array, s->array->n_dims, s->indices, s) : s;
    default: return level_inside(b, s);
    }
}

/* Scalars that are equal for all threads may be named where the bounds of a row stand. */
static void find_equal(struct blocks *b, const struct stmt *s)
{
    if (s->kind == STMT_LET && !kept_var(b, s->var))
        map_put_pointer(b->scope.kept, s->var, (void *)s->var);
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && s->kind != STMT_BAND)
            find_equal(b, s->children[i]);
}

/* The tunables that size arrays of threads; false if another number does. */
static bool find_bound(const struct blocks *b, struct thread_rows *rows)
{
    const struct kernel *kernel = b->kernel;
    VEC(const struct var *) bound = {0};
    struct expr_walk walk;
    for (int i = 0; i < kernel->n_block; i++)
        for (const struct expr *e = expr_first(&walk, b->arena, kernel->block[i].extent); e;
             e = expr_next(&walk)) {
            const struct param *param =
                e->kind == EXPR_VAR ? kernel_param(kernel, e->var->name) : NULL;
            bool is_known = false;
            if (e->kind == EXPR_VAR && (!param || param->role != ROLE_TUNABLE))
                return false;
            for (size_t k = 0; k < bound.count; k++)
                is_known |= bound.at[k] == e->var;
            if (param && !is_known)
                vec_push(b->arena, &bound, e->var);
        }
    rows->n_bound = (int)bound.count;
    rows->bound = bound.at;
    return true;
}

/* The kernel with the scalars and arrays that threads keep. */
static struct blocks blocks_open(struct arena *arena, const struct kernel *kernel)
{
    struct blocks b = {.arena = arena,
                       .kernel = kernel,
                       .names = names_new(arena, kernel),
                       .scope = {.arena = arena, .body = kernel->body, .kept = map_new(arena)},
                       .lasting = map_new(arena),
                       .kept = map_new(arena),
                       .all_strided = kernel_all_strided(kernel)};
    do {
        b.changed = false;
        find_kept(&b, kernel->body, false);
    } while (b.changed);
    check_bands(&b, kernel->body);
    return b;
}

void blocks_make(struct arena *arena, const struct kernel *kernel, struct thread_rows *rows)
{
    struct blocks b = blocks_open(arena, kernel);
    if (b.fails || !b.has_tree || (!b.all_strided && !find_bound(&b, rows)))
        return;
    find_equal(&b, kernel->body);
    rows->block = level(&b, kernel->body);
}

const struct stmt *blocks_body(struct arena *arena, const struct kernel *kernel)
{
    struct blocks b = blocks_open(arena, kernel);
    b.jams = true;
    find_equal(&b, kernel->body);
    return b.is_impossible ? NULL : level(&b, kernel->body);
}
