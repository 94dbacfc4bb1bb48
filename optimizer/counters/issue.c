/* Share of arithmetic among the instructions of the hot loop, in percent: 100 * A / (A + others),
   rational in what the bounds of unrolled loops depend on (s, factors of coarsening). The hot loop
   is the innermost one of a band that is not unrolled, of several the one that computes most;
   without a loop it is the band itself. A are its operations on floating-point values, a product
   and what it is added to being one; where there are none those on integers that are no parts of
   subscripts. Others: integer operations, references to global and shared memory (one in unrolled
   loops whose variables it does not use is made once), an address step for each array, two
   instructions for the loop. An estimate: what the compiler makes of it is counted in PTX (make
   bench-quality). A target: code with a larger register tile computes more per load. Source: spec
   X-03; docs/counters.md. */
#include "ir/walk.h"
#include "optimizer/counters/bounds.h"
#include "optimizer/counters/work.h"

enum { LOOP = 2, UNROLLED_MAX = 8 };

struct issue {
    struct scope *scope;
    struct bounding bounding;
    struct map *valued, *values;             /* locals: see work_valued; local -> its expression */
    int depth;                               /* loops around, those that are not unrolled */
    struct map *stepped;                     /* arrays with an address step in the loop at hand */
    VEC(const struct expr *) loads;          /* of the loop at hand: the same one again is none */
    int n_unrolled;
    const struct var *unrolled[UNROLLED_MAX];
    const struct poly *trips[UNROLLED_MAX];
    const struct poly *floats, *integers, *others;
    bool failed;
};

/* The best loop so far. */
struct hot {
    const struct stmt *loop;
    int depth;
    const struct poly *arithmetic, *others;
};

static bool depends(const struct issue *issue, const struct expr *e, const struct var *var)
{
    const struct expr *value = e->kind == EXPR_VAR ? map_get_pointer(issue->values, e->var) : NULL;
    if (e->kind == EXPR_VAR)
        return e->var == var || (value && depends(issue, value, var));
    for (int i = 0; i < e->n_arguments; i++)
        if (depends(issue, e->arguments[i], var))
            return true;
    return false;
}

/* The times that the unrolled loops make a reference; a store is made in every round. */
static const struct poly *repeated(const struct issue *issue, const struct expr *const *subscripts,
                                   int n, bool is_store)
{
    const struct poly *times = poly_integer(issue->scope->ring, 1);
    for (int k = 0; k < issue->n_unrolled; k++) {
        bool used = is_store;
        for (int i = 0; i < n; i++)
            used |= depends(issue, subscripts[i], issue->unrolled[k]);
        if (used)
            times = times ? poly_mul(times, issue->trips[k]) : NULL;
    }
    return times;
}

static void add_reference(struct issue *issue, const struct array *array,
                          const struct expr *const *subscripts, bool is_store)
{
    const struct poly *times = array->space == SPACE_PRIVATE
                                   ? NULL
                                   : repeated(issue, subscripts, array->n_dims, is_store);
    if (array->space == SPACE_PRIVATE)
        return;
    issue->others = times && issue->others ? poly_add(issue->others, times) : NULL;
    if (!map_get_pointer(issue->stepped, array) && issue->others)
        issue->others = poly_add(issue->others, poly_integer(issue->scope->ring, 1));
    map_put_pointer(issue->stepped, array, (void *)array);
}

/* Equal loads are counted once. */
static void add_load(struct issue *issue, const struct expr *e)
{
    for (size_t i = 0; i < issue->loads.count; i++)
        if (expr_equal(issue->loads.at[i], e))
            return;
    vec_push(issue->scope->store->ctx->arena, &issue->loads, e);
    add_reference(issue, e->array, e->arguments, false);
}

static void add_loads(struct issue *issue, const struct stmt *s)
{
    struct expr_walk walk;
    struct arena *arena = issue->scope->store->ctx->arena;
    for (const struct expr *e = stmt_first_expr(&walk, arena, s); e; e = expr_next(&walk))
        if (e->kind == EXPR_LOAD)
            add_load(issue, e);
}

static void add_direct(struct issue *issue, const struct stmt *s)
{
    int64_t count[WORK_KINDS];
    const struct poly *times = poly_integer(issue->scope->ring, 1);
    work_direct(s, issue->valued, count);
    for (int k = 0; k < issue->n_unrolled; k++)
        times = times ? poly_mul(times, issue->trips[k]) : NULL;
    if (!times || !issue->floats || !issue->integers) {
        issue->failed = true;
        return;
    }
    int64_t floats = count[WORK_FLOAT] + count[WORK_DOUBLE];
    if (issue->scope->store->ctx->contract)
        floats -= count[WORK_FUSED_FLOAT] + count[WORK_FUSED_DOUBLE];
    issue->floats = poly_add(issue->floats, poly_scale(times, floats, 1));
    issue->integers = poly_add(issue->integers,
                               poly_scale(times, count[WORK_INTEGER] - count[WORK_ADDRESS], 1));
    add_loads(issue, s);
    if (s->kind == STMT_STORE)
        add_reference(issue, s->array, s->indices, true);
}

/* Adds the operations and references of one round of the loop at hand. */
static void issue_body(struct issue *issue, const struct stmt *s)
{
    bool unrolled = s->kind == STMT_FOR && s->unroll && issue->n_unrolled < UNROLLED_MAX;
    if (s->kind == STMT_LET || s->kind == STMT_SET || s->kind == STMT_STORE || s->kind == STMT_IF)
        add_direct(issue, s);
    if (unrolled) {
        struct bounds variable, trip = bounds_trip(&issue->bounding, s, &variable);
        issue->failed |= !trip.hi;
        issue->unrolled[issue->n_unrolled] = s->var;
        issue->trips[issue->n_unrolled++] = trip.hi ? trip.hi : poly_integer(issue->scope->ring, 1);
    }
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            issue_body(issue, s->children[i]);
    issue->n_unrolled -= unrolled;
}

/* Is p larger than q at the least values of what they depend on? */
static bool is_more(const struct poly *p, const struct poly *q)
{
    int64_t ones[RING_CAPACITY], a, b;
    for (int v = 0; v < RING_CAPACITY; v++)
        ones[v] = 2;
    return !q || (poly_evaluate(p, ones, &a) && poly_evaluate(q, ones, &b) && a > b);
}

/* A loop or band without a rolled loop in it: does it beat the best so far? Deeper ones do. */
static void judge(struct issue *issue, struct hot *hot, const struct stmt *s, bool is_loop)
{
    struct ring *ring = issue->scope->ring;
    issue->floats = issue->integers = poly_integer(ring, 0);
    issue->others = poly_integer(ring, is_loop ? LOOP : 0);
    issue->loads.count = 0;
    issue->stepped = map_new(issue->scope->store->ctx->arena);
    issue_body(issue, s->children[0]);
    if (s->kind == STMT_WHILE)
        add_direct(issue, s);
    if (issue->failed || !issue->floats || !issue->integers || !issue->others) {
        issue->failed = true;
        return;
    }
    bool computes = !poly_is_zero(issue->floats);
    const struct poly *arithmetic = computes ? issue->floats : issue->integers;
    const struct poly *others = computes ? poly_add(issue->others, issue->integers) : issue->others;
    if (hot->loop && (issue->depth < hot->depth ||
                      (issue->depth == hot->depth && !is_more(arithmetic, hot->arithmetic))))
        return;
    *hot = (struct hot){s, issue->depth, arithmetic, others};
}

static void search_hot(struct issue *issue, struct hot *hot, const struct stmt *s, bool in_band)
{
    bool rolled = stmt_is_rolled(s);
    in_band |= s->kind == STMT_BAND;
    if (s->kind == STMT_LET && s->value)
        map_put_pointer(issue->values, s->var, (void *)s->value);
    if (s->kind == STMT_FOR && s->unroll && !in_band)
        issue->depth++;
    issue->depth += rolled;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            search_hot(issue, hot, s->children[i], in_band);
    bool candidate = in_band && (rolled || (s->kind == STMT_BAND && !s->strided)) &&
                     !stmt_has_rolled_loop(s);
    if (candidate)
        judge(issue, hot, s, rolled);
    issue->depth -= rolled;
    if (s->kind == STMT_FOR && s->unroll && !in_band)
        issue->depth--;
}

struct counter_value counter_issue(struct store *store, const struct kernel *kernel)
{
    struct scope scope = scope_new(store, kernel, COUNTER_ISSUE);
    struct arena *arena = store->ctx->arena;
    struct issue issue = {.scope = &scope,
                          .bounding = bounding_new(&scope),
                          .valued = work_valued(arena, kernel),
                          .values = map_new(arena)};
    struct hot hot = {0};
    search_hot(&issue, &hot, kernel->body, false);
    if (issue.failed || !hot.loop)
        return scope_none(issue.failed ? "the rounds of an unrolled loop are no polynomial"
                                       : "there is no band without strides");
    const struct poly *all = poly_add(hot.arithmetic, hot.others);
    if (!all || poly_is_zero(all))
        return scope_none("the innermost loop does nothing");
    struct counter_piece *piece = ARENA_NEW(arena, struct counter_piece);
    *piece = (struct counter_piece){sas_empty(scope.ring), poly_scale(hot.arithmetic, 100, 1), all,
                                    COUNTER_ESTIMATE};
    return scope_value(&scope, 1, piece);
}
