/* A thread's own sums in lanes, each lane in a thread of its own.

   In: a banded kernel that says so (ir/own.h), whose threads have no loops but such sums, and loops
   that store independently. Out: the kernel with 16 threads for each of its threads, along one more
   axis of the block, and
       for (j = from; j < to; j++)
           s = s + e;
   as
       band: own = -0.0; own = own + e in the rounds of the thread's lane; lanes[thread][lane] = own
       barrier
       band: s = s + the sum of lanes[thread][0 … 15], joined + 8, + 4, + 2, + 1
   in shared memory. Neighbouring threads then read neighbouring elements of a row, and a row has 16
   threads: where threads go in step that pays. Rounds, lanes and their order are those of
   own_lanes.c, so that the bits are, too. The other loops are dealt to the lanes likewise.

   All 16 threads execute the statements around the loops, but the first one alone stores. So a
   local has its value in each of them; those that are more than integers over parameters, axes and
   loops live at block level, from band to band.
   Why it is right: statements that all threads execute read no array that the kernel stores to, so
   that they agree; the loops may, behind a barrier that placement puts there; elements that only
   stores read are read by the thread that stored them.
   Stores in loops are proved to be independent (access_parallel on the rounds alone).
   Refused: accumulating stores, private arrays, other loops, loops under a condition that changes,
   strided bands, arrays at block level. */
#include "ir/reduction.h"
#include "ir/walk.h"
#include "optimizer/strategies/own_lanes.h"
#include "optimizer/strategies/strategies.h"

struct threads_making {
    struct own_making own;
    struct ctx *ctx;
    struct arena *arena;
    const struct kernel *kernel;
    const struct stmt *band;         /* being made */
    int n_axes;                      /* of the block, without that of the lanes */
    struct axis *axes;               /* n_axes + 1: the last one counts lanes */
    struct stmts path;               /* cheap locals and conditions around what is being made */
    struct stmts open;               /* statements of the next band */
    struct stmts out;                /* at block level */
    const struct expr *shared_bytes;
    int n_loops;                     /* with sums, of the band, so far */
    bool is_refused;
};

/* --- what may be executed by all threads ------------------------------------------------------ */

static bool reads_stored(const struct threads_making *t, const struct expr *root)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, t->arena, root); e; e = expr_next(&walk))
        if (e->kind == EXPR_LOAD && stmt_stores_to(t->kernel->body, e->array))
            return true;
    return false;
}

/* Do all threads find the same values in s and what it holds? */
static bool stmt_agrees(const struct threads_making *t, const struct stmt *root)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, t->arena, root); s; s = stmt_next(&walk))
        for (int i = 0; i < stmt_n_exprs(s); i++)
            if (reads_stored(t, stmt_expr(s, i)))
                return false;
    return true;
}

/* Does s set a local that it does not declare? */
static bool sets_outer(const struct threads_making *t, const struct stmt *root)
{
    struct stmt_walk walk;
    struct stmts lets = {0};
    for (const struct stmt *s = stmt_first(&walk, t->arena, root); s; s = stmt_next(&walk)) {
        bool is_inner = s->kind != STMT_SET;
        if (s->kind == STMT_LET)
            vec_push(t->arena, &lets, s);
        for (size_t i = 0; i < lets.count && !is_inner; i++)
            is_inner = lets.at[i]->var == s->var;
        if (!is_inner)
            return true;
    }
    return false;
}

/* Has the condition the same value wherever it is asked in the band? */
static bool condition_stays(const struct threads_making *t, const struct expr *condition)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, t->arena, condition); e; e = expr_next(&walk))
        if (e->kind == EXPR_VAR && stmt_sets_var(t->kernel->body, e->var))
            return false;
    return !reads_stored(t, condition);
}

/* --- bands ------------------------------------------------------------------------------------ */

static const struct expr *own_lane(const struct threads_making *t)
{
    return expr_var(t->arena, t->axes[t->n_axes].var);
}

/* The statement in the first of the threads of a point. */
static const struct stmt *once(const struct threads_making *t, const struct stmt *s)
{
    const struct expr *first = expr_binary(t->arena, OP_EQ, own_lane(t),
                                           expr_integer(t->arena, TYPE_I32, 0));
    return stmt_if(t->arena, first, s, NULL);
}

/* The locals of the path with fresh names, as each band has its own. */
static const struct stmt *locals_rename(struct threads_making *t, const struct stmt *body)
{
    VEC(const struct var *) variables = {0};
    VEC(const struct expr *) values = {0};
    for (size_t i = 0; i < t->path.count; i++) {
        const struct stmt *s = t->path.at[i];
        if (s->kind != STMT_LET)
            continue;
        const struct var *copy = var_new(t->arena, names_fresh(&t->own.names, s->var->name),
                                         s->var->type, s->var->kind);
        vec_push(t->arena, &variables, s->var);
        vec_push(t->arena, &values, expr_var(t->arena, copy));
    }
    struct substitution renaming = {(int)variables.count, variables.at, values.at};
    return renaming.count ? stmt_replace(t->arena, body, &renaming) : body;
}

/* The statements as a band, within what stands around them. */
static const struct stmt *band_of(struct threads_making *t, const struct stmts *statements)
{
    const struct stmt *body = stmt_sequence(t->arena, statements->at, (int)statements->count);
    for (size_t i = t->path.count; i-- > 0;) {
        const struct stmt *around = t->path.at[i], *pair[2] = {around, body};
        body = around->kind == STMT_LET ? stmt_sequence(t->arena, pair, 2)
                                        : stmt_if(t->arena, around->value, body, NULL);
    }
    return stmt_band(t->arena, t->axes, t->n_axes + 1, false, locals_rename(t, body));
}

/* The open statements become a band. */
static void band_close(struct threads_making *t)
{
    if (t->open.count)
        vec_push(t->arena, &t->out, band_of(t, &t->open));
    t->open = (struct stmts){0};
}

/* May threads execute the rounds, each those of its lane, in any order? */
static bool rounds_are_apart(struct threads_making *t, const struct stmts *rounds)
{
    struct stmts body = {0};
    bool stores = false;
    for (size_t i = 0; i < rounds->count; i++)
        stores |= stmt_contains(rounds->at[i], STMT_STORE);
    if (!stores)
        return true;
    struct kernel *kernel = kernel_copy(t->arena, t->kernel);
    for (size_t i = 0; i < t->out.count; i++)
        if (t->out.at[i]->kind == STMT_LET)
            vec_push(t->arena, &body, t->out.at[i]);
    vec_push(t->arena, &body, band_of(t, rounds));
    kernel->body = stmt_sequence(t->arena, body.at, (int)body.count);
    kernel->own_lanes = false;
    kernel->block = t->axes;
    kernel->n_block = t->n_axes + 1;
    return access_parallel(t->ctx, kernel).verdict == ACCESS_PROVED;
}

/* --- sums ------------------------------------------------------------------------------------- */

/* The lanes of the sum of that number: lanes[thread][lane], with a dimension for each axis. */
static const struct array *lanes_place(struct threads_making *t, int sum)
{
    struct arena *arena = t->arena;
    const struct expr **dims = ARENA_ARRAY(arena, const struct expr *, t->n_axes + 1);
    for (int i = 0; i <= t->n_axes; i++)
        dims[i] = t->axes[i].extent;
    struct array *array = own_array(&t->own, sum, dims, t->n_axes + 1);
    const struct expr *bytes = expr_integer(arena, TYPE_I32, type_bytes(array->element));
    array->space = SPACE_SHARED;
    array->offset = t->shared_bytes;
    for (int i = t->n_axes; i >= 0; i--)
        bytes = expr_binary(arena, OP_MUL, dims[i], bytes);
    t->shared_bytes = expr_binary(arena, OP_ADD, t->shared_bytes, bytes);
    return array;
}

/* The place of a lane among those of the thread's point. */
static const struct expr **lane_place(const struct threads_making *t, const struct expr *lane)
{
    const struct expr **place = ARENA_ARRAY(t->arena, const struct expr *, t->n_axes + 1);
    for (int i = 0; i < t->n_axes; i++)
        place[i] = expr_var(t->arena, t->axes[i].var);
    place[t->n_axes] = lane;
    return place;
}

/* Puts locals that join the lanes of a thread's sum, in the order of own_lanes.c, into `out`; their
   sum. */
static const struct expr *lanes_join(struct threads_making *t, int sum, const struct array *lanes,
                                     struct stmts *out)
{
    const struct expr *parts[OWN_LANES];
    for (int i = 0; i < OWN_LANES; i++)
        parts[i] = expr_load(t->arena, lanes, lane_place(t, expr_integer(t->arena, TYPE_I32, i)),
                             (struct loc){0});
    for (int far = OWN_LANES / 2; far > 0; far /= 2)
        for (int i = 0; i < far; i++) {
            const struct var *var = var_new(t->arena, names_fresh(&t->own.names, "joined"),
                                            lanes->element, VAR_LOCAL);
            const struct expr *both = own_join(&t->own, sum, parts[i], parts[i + far]);
            vec_push(t->arena, out, stmt_let(t->arena, var, both));
            parts[i] = expr_var(t->arena, var);
        }
    return parts[0];
}

/* Adds the lanes of the sum to what it adds to: in all threads to a local, in one to an element. */
static void sum_end(struct threads_making *t, const struct stmt *loop, int sum,
                    const struct array *lanes)
{
    struct stmts joins = {0};
    const struct expr *joined = lanes_join(t, sum, lanes, &joins);
    const struct stmt *join = own_sum_join(&t->own, loop, sum, joined);
    bool is_local = join->kind == STMT_SET;
    vec_push(t->arena, &joins, join);
    const struct stmt *all = stmt_sequence(t->arena, joins.at, (int)joins.count);
    vec_push(t->arena, &t->open, is_local ? all : once(t, all));
}

static void loop_take(struct threads_making *t, const struct own_sums *sums)
{
    struct arena *arena = t->arena;
    const struct stmt *loop = sums->loop;
    const struct array *lanes[OWN_SUMS_MOST];
    band_close(t);
    t->own.sums = *sums;
    for (int i = 0; i < sums->count; i++) {
        enum type type = sums->at[i].type;
        lanes[i] = lanes_place(t, i);
        t->own.own[i] = var_new(arena, names_fresh(&t->own.names, "own"), type, VAR_LOCAL);
        vec_push(arena, &t->open,
                 stmt_let(arena, t->own.own[i],
                          reduction_neutral(arena, sums->at[i].reduction, type)));
    }
    own_rounds_make(&t->own, loop, &t->open);
    t->is_refused |= !rounds_are_apart(t, &t->open);
    for (int i = 0; i < sums->count; i++)
        vec_push(arena, &t->open, stmt_store(arena, lanes[i], lane_place(t, own_lane(t)),
                                             expr_var(arena, t->own.own[i]), (struct loc){0}));
    band_close(t);
    if (sums->count)
        vec_push(arena, &t->out, stmt_barrier(arena));
    for (int i = 0; i < sums->count; i++)
        sum_end(t, loop, i, lanes[i]);
    t->n_loops += sums->count > 0;
}

/* --- the text of a thread --------------------------------------------------------------------- */

/* The first loop in s whose rounds may go to lanes, and what it sums, or else stores; NULL if there
   is none. */
static const struct stmt *lanes_in(const struct threads_making *t, const struct stmt *s,
                                   struct own_sums *sums)
{
    const struct stmt *found = NULL;
    if (s->kind == STMT_FOR) {
        *sums = own_sums_find(t->arena, t->band, s);
        return sums->count || own_stores_find(t->arena, t->band, s) ? s : NULL;
    }
    for (int i = 0; i < s->n_children && !found; i++)
        if (s->children[i])
            found = lanes_in(t, s->children[i], sums);
    return found;
}

/* A local: made again in each band, or kept at block level. */
static void let_take(struct threads_making *t, const struct stmt *let)
{
    if (let_is_cheap(t->arena, t->kernel->body, let, &t->path)) {
        vec_push(t->arena, &t->path, let);
        return;
    }
    vec_push(t->arena, &t->out, stmt_let(t->arena, let->var, NULL));
    if (let->value)
        vec_push(t->arena, &t->open, stmt_set(t->arena, let->var, let->value));
}

/* A statement without such loops. */
static void plain_take(struct threads_making *t, const struct stmt *s)
{
    bool stores = stmt_contains(s, STMT_STORE);
    t->is_refused |= stmt_has_loop(s) || stmt_contains(s, STMT_ARRAY) ||
                     (stores ? sets_outer(t, s) : !stmt_agrees(t, s));
    if (s->kind == STMT_LET)
        let_take(t, s);
    else
        vec_push(t->arena, &t->open, stores ? once(t, s) : s);
}

static void stmt_take(struct threads_making *t, const struct stmt *s)
{
    struct own_sums sums = {0};
    const struct stmt *loop = lanes_in(t, s, &sums);
    size_t depth = t->path.count;
    if (s->kind == STMT_SEQUENCE) {
        for (int i = 0; i < s->n_children; i++)
            stmt_take(t, s->children[i]);
    } else if (loop == s) {
        loop_take(t, &sums);
    } else if (!loop) {
        plain_take(t, s);
    } else {
        t->is_refused |= s->kind != STMT_IF || s->n_children != 1 || !condition_stays(t, s->value);
        band_close(t);
        vec_push(t->arena, &t->path, s);
        stmt_take(t, s->children[0]);
        band_close(t);
        t->path.count = depth;
    }
}

/* --- the kernel ------------------------------------------------------------------------------- */

/* The band with the variables of the block's axes. */
static const struct stmt *band_renamed(const struct threads_making *t, const struct stmt *band)
{
    const struct var *variables[AXES_MAX];
    const struct expr *values[AXES_MAX];
    int n = 0;
    for (int i = 0; i < t->n_axes; i++)
        if (band->axes[i].var != t->axes[i].var) {
            variables[n] = band->axes[i].var;
            values[n++] = expr_var(t->arena, t->axes[i].var);
        }
    const struct substitution renaming = {n, variables, values};
    return n ? stmt_band(t->arena, t->kernel->block, t->n_axes, false,
                         stmt_replace(t->arena, band->children[0], &renaming))
             : band;
}

/* A band of the kernel as bands of 16 times as many threads. */
static const struct stmt *band_apart(void *state, const struct stmt *band)
{
    struct threads_making *t = state;
    if (band->kind != STMT_BAND)
        return band;
    t->is_refused |= band->strided;
    if (t->is_refused)
        return band;
    t->n_loops = 0;
    t->path = t->open = t->out = (struct stmts){0};
    t->band = band_renamed(t, band);
    stmt_take(t, t->band->children[0]);
    band_close(t);
    /* Of several loops the last one's lanes are read before a barrier of the first one's. */
    if (t->n_loops == 1)
        vec_push(t->arena, &t->out, stmt_barrier(t->arena));
    return stmt_sequence(t->arena, t->out.at, (int)t->out.count);
}

/* Are there arrays or sums that this file knows nothing of? */
static bool is_foreign(const struct kernel *kernel)
{
    bool has_own = kernel->shared_bytes != NULL;
    for (int i = 0; i < kernel->n_arrays; i++)
        has_own |= kernel->arrays[i]->space != SPACE_GLOBAL;
    return has_own || kernel->n_block == AXES_MAX || kernel_accumulates(kernel) ||
           stmt_has_end(kernel->body) || stmt_contains(kernel->body, STMT_BARRIER);
}

const struct kernel *strategy_own_threads(struct ctx *ctx, const struct kernel *kernel)
{
    struct arena *arena = ctx->arena;
    if (!kernel->own_lanes || is_foreign(kernel))
        return kernel;
    int n = kernel->n_block;
    struct axis *axes = ARENA_ARRAY(arena, struct axis, n + 1);
    struct threads_making t = {.own = {.arena = arena, .names = names_new(arena, kernel)},
                               .ctx = ctx,
                               .arena = arena,
                               .kernel = kernel,
                               .n_axes = n,
                               .axes = axes,
                               .shared_bytes = expr_integer(arena, TYPE_I32, 0)};
    for (int i = 0; i < n; i++)
        axes[i] = kernel->block[i];
    axes[n].var = var_new(arena, names_fresh(&t.own.names, "lane"), TYPE_I32, VAR_ITERATOR);
    axes[n].extent = expr_integer(arena, TYPE_I32, OWN_LANES);
    t.own.thread_lane = own_lane(&t);
    struct kernel *made = kernel_copy(arena, kernel);
    made->body = stmt_rewrite(arena, kernel->body, band_apart, &t);
    if (t.is_refused)
        return kernel;
    made->body = body_drop_unused(arena, made->body);
    made->own_lanes = false;
    made->block = axes;
    made->n_block = n + 1;
    made->shared_bytes = t.shared_bytes;
    own_arrays_list(&t.own, made);
    return made;
}
