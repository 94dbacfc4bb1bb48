/* The operations of a kernel, counted symbolically.

   In: any kernel. Out: per kind a polynomial: operations of all threads of one grid point. A band
   multiplies what stands in it by its points, what stands at block level by the threads, a loop by
   its rounds; of two branches the larger one counts, which makes the count an upper bound.
   Triangular loops count their longest row.
   Invariant: never below what the thread interpreter counts; equal where `exact`. Source: spec
   C-08, X-03; docs/counters.md. */
#include "ir/halving.h"
#include "ir/walk.h"
#include "optimizer/counters/work.h"
#include "optimizer/counters/bounds.h"

struct counting {
    struct scope *scope;
    struct bounding bounding;
    const struct poly *executions;           /* threads at block level, points in a band */
    struct map *valued;                      /* locals that are more than parts of subscripts */
};

const struct poly *poly_maximum(const struct poly *p, const struct poly *q)
{
    struct ring *ring = poly_ring(p);
    const struct poly *rise = poly_sub(q, p), *result = p;
    int64_t numerator, denominator;
    unsigned exponents[RING_CAPACITY];
    if (rise)
        for (size_t i = 0; i < poly_terms(rise); i++) {
            if (!poly_term(rise, i, &numerator, &denominator, exponents))
                return NULL;
            if (numerator < 0)
                continue;
            const struct poly *monomial = poly_rational(ring, numerator, denominator);
            for (int v = 0; v < ring_count(ring); v++)
                if (exponents[v])
                    monomial = poly_mul(monomial, poly_power(poly_variable(ring, v), exponents[v]));
            result = poly_add(result, monomial);
        }
    return rise ? result : NULL;
}

bool work_is_operation(const struct expr *e)
{
    if (e->kind == EXPR_UNARY)
        return e->op == OP_NEG || e->op == OP_COMPLEMENT;
    return e->kind == EXPR_CALL || (e->kind == EXPR_BINARY && e->op != OP_LAND && e->op != OP_LOR);
}

/* Does e have one value over the whole launch, so that it is computed before the launch? */
static bool is_launch_constant(const struct expr *e)
{
    if (type_is_floating(e->type) || e->kind == EXPR_LOAD || e->kind == EXPR_CALL ||
        e->kind == EXPR_SELECT)
        return false;
    if (e->kind == EXPR_VAR)
        return e->var->kind == VAR_PARAM;
    for (int i = 0; i < e->n_arguments; i++)
        if (!is_launch_constant(e->arguments[i]))
            return false;
    return e->op != OP_LAND && e->op != OP_LOR;
}

static bool is_product(const struct expr *e)
{
    return e->kind == EXPR_BINARY && e->op == OP_MUL;
}

static void count_node(const struct expr *e, int64_t count[WORK_KINDS], bool subscript)
{
    enum type type = e->kind == EXPR_CALL ? e->type : e->arguments[0]->type;
    bool floating = type_is_floating(type),
         divides = e->kind == EXPR_BINARY && (e->op == OP_DIV || e->op == OP_REM);
    int kind = type == TYPE_F32 ? WORK_FLOAT : WORK_DOUBLE;
    count[floating ? kind : WORK_INTEGER]++;
    count[WORK_ADDRESS] += !floating && subscript;
    if (floating && e->kind == EXPR_BINARY && (e->op == OP_ADD || e->op == OP_SUB) &&
        (is_product(e->arguments[0]) || is_product(e->arguments[1])))
        count[type == TYPE_F32 ? WORK_FUSED_FLOAT : WORK_FUSED_DOUBLE]++;
    bool by_constant = divides && (e->arguments[1]->kind == EXPR_INTEGER ||
                                   e->arguments[1]->kind == EXPR_REAL);
    if ((divides && !by_constant) || (e->kind == EXPR_CALL && floating))
        count[WORK_SPECIAL]++;
}

static bool count_expr(const struct expr *e, int64_t count[WORK_KINDS], bool subscript);

/* The operand and the larger branch. */
static bool count_select(const struct expr *e, int64_t count[WORK_KINDS], bool subscript)
{
    int64_t a[WORK_KINDS] = {0}, b[WORK_KINDS] = {0};
    bool select = e->kind == EXPR_SELECT;
    bool exact = count_expr(e->arguments[0], count, subscript) &
                 count_expr(e->arguments[1], a, subscript);
    if (select)
        exact &= count_expr(e->arguments[2], b, subscript);
    for (int i = 0; i < WORK_KINDS; i++) {
        exact &= a[i] == b[i];
        count[i] += a[i] > b[i] ? a[i] : b[i];
    }
    return exact;
}

static bool count_expr(const struct expr *e, int64_t count[WORK_KINDS], bool subscript)
{
    bool exact = true;
    if (is_launch_constant(e))
        return true;
    if (e->kind == EXPR_SELECT || (e->kind == EXPR_BINARY && (e->op == OP_LAND || e->op == OP_LOR)))
        return count_select(e, count, subscript);
    if (work_is_operation(e))
        count_node(e, count, subscript);
    for (int i = 0; i < e->n_arguments; i++)
        exact &= count_expr(e->arguments[i], count, subscript || e->kind == EXPR_LOAD);
    return exact;
}

static struct work work_none(struct ring *ring)
{
    struct work work = {.exact = true};
    for (int i = 0; i < WORK_KINDS; i++)
        work.at[i] = poly_integer(ring, 0);
    return work;
}

static struct work work_add(struct work a, struct work b)
{
    for (int i = 0; i < WORK_KINDS; i++)
        a.at[i] = a.at[i] && b.at[i] ? poly_add(a.at[i], b.at[i]) : NULL;
    a.exact &= b.exact;
    a.guessed |= b.guessed;
    return a;
}

static struct work work_times(struct work work, struct bounds times)
{
    for (int i = 0; i < WORK_KINDS; i++) {
        bool nothing = work.at[i] && poly_is_zero(work.at[i]);
        if (!nothing)
            work.at[i] = work.at[i] && times.hi ? poly_mul(work.at[i], times.hi) : NULL;
        work.exact &= nothing || times.exact;
    }
    return work;
}

/* The work of all rounds of a loop, where its trip is known and where it is not. */
static struct work work_rounds(struct counting *c, struct work work, struct bounds trip)
{
    if (trip.hi)
        return work_times(work, trip);
    struct bounds guess = {NULL, poly_integer(c->scope->ring, ROUNDS_GUESS), false};
    work = work_times(work, guess);
    work.guessed = true;
    return work;
}

/* Is s the definition of an integer that serves subscripts alone? */
static bool defines_address(const struct stmt *s, const struct map *valued)
{
    return s->kind == STMT_LET && s->value && !type_is_floating(s->var->type) &&
           !map_get_pointer(valued, s->var);
}

bool work_direct(const struct stmt *s, const struct map *valued, int64_t count[WORK_KINDS])
{
    int n_subscripts = s->kind == STMT_STORE ? s->array->n_dims : 0;
    bool is_address = defines_address(s, valued), exact = true;
    for (int i = 0; i < WORK_KINDS; i++)
        count[i] = 0;
    for (int i = 0; i < stmt_n_exprs(s); i++)
        exact &= count_expr(stmt_expr(s, i), count, is_address || i < n_subscripts);
    return exact;
}

/* The work of the expressions of s, which every thread that comes there evaluates once. */
static struct work work_exprs(struct counting *c, const struct stmt *s)
{
    int64_t count[WORK_KINDS];
    struct work work = work_none(c->scope->ring);
    work.exact = work_direct(s, c->valued, count);
    for (int i = 0; i < WORK_KINDS; i++)
        work.at[i] = count[i] ? poly_scale(c->executions, count[i], 1) : work.at[i];
    return work;
}

static struct work work_stmt(struct counting *c, const struct stmt *s);

static struct work work_if(struct counting *c, const struct stmt *s)
{
    struct work work = work_exprs(c, s), then = work_stmt(c, s->children[0]);
    struct work other = s->n_children > 1 && s->children[1] ? work_stmt(c, s->children[1])
                                                            : work_none(c->scope->ring);
    bool exact = then.exact && other.exact;
    for (int i = 0; i < WORK_KINDS; i++) {
        exact &= then.at[i] && other.at[i] && poly_equal(then.at[i], other.at[i]);
        then.at[i] = then.at[i] && other.at[i] ? poly_maximum(then.at[i], other.at[i]) : NULL;
    }
    then.exact = exact;
    then.guessed |= other.guessed;
    return work_add(work, then);
}

static void work_raise(struct work *work, enum work_kind kind, const struct poly *more)
{
    work->at[kind] = work->at[kind] && more ? poly_add(work->at[kind], more) : NULL;
}

/* The rounds in which a tree has lanes; no upper bound if s is no loop over them. */
static struct bounds tree_rounds(struct counting *c, const struct stmt *s)
{
    const struct expr *lanes[HALVING_LANES];
    const struct poly *most = NULL, *one = poly_integer(c->scope->ring, 1);
    int count = loop_halves(s, lanes);
    for (int i = 0; i < count; i++) {
        struct bounds n = bounds_of(&c->bounding, lanes[i]);
        const struct poly *rounds = n.exact ? scope_halvings(c->scope, n.hi) : NULL;
        if (rounds && most)
            rounds = poly_add(most, scope_quotient(c->scope, poly_sub(rounds, most), one, false));
        if (!rounds)
            return (struct bounds){NULL, NULL, false};
        most = rounds;
    }
    return (struct bounds){most, most, most != NULL};
}

/* All rounds of a tree ask whether they have lanes; the statements under that condition are
   executed in the rounds that have some. */
static struct work work_tree(struct counting *c, const struct stmt *s, struct bounds trip,
                             struct bounds rounds)
{
    const struct stmt *condition = halving_condition(s);
    struct work asked = work_add(work_exprs(c, s->children[0]->children[0]),
                                 work_exprs(c, condition));
    work_raise(&asked, WORK_ROUNDS, c->executions);
    return work_add(work_rounds(c, asked, trip),
                    work_rounds(c, work_stmt(c, condition->children[0]), rounds));
}

static struct work work_for(struct counting *c, const struct stmt *s)
{
    struct bounds variable, trip = bounds_trip(&c->bounding, s, &variable),
                            live = tree_rounds(c, s);
    bounding_set(&c->bounding, s->var, variable);
    if (live.hi && !s->unroll)
        return work_tree(c, s, trip, live);
    struct work work = work_stmt(c, s->children[0]);
    if (!s->unroll)
        work.at[WORK_ROUNDS] = work.at[WORK_ROUNDS] ? poly_add(work.at[WORK_ROUNDS], c->executions)
                                                    : NULL;
    return work_rounds(c, work, trip);
}

/* How many rounds there are depends on data. */
static struct work work_while(struct counting *c, const struct stmt *s)
{
    return work_rounds(c, work_add(work_exprs(c, s), work_stmt(c, s->children[0])),
                       (struct bounds){NULL, NULL, false});
}

/* Adds the steps of the threads through the points of a strided band. In batches threads stay in
   one column, so that nothing is carried into the axis before it, and divide once per kernel. */
static void work_steps(struct work *work, const struct poly *points, const struct poly *threads,
                       const struct stmt *band)
{
    int entries = band->batch ? 0 : band->n_axes - 1, carries = band->n_axes - 1;
    if (band->batch && carries > 0)
        carries--;
    work_raise(work, WORK_POINTS, points);
    work_raise(work, WORK_CARRIES, poly_scale(points, carries, 1));
    work_raise(work, WORK_ENTRIES, poly_scale(threads, entries, 1));
    work_raise(work, WORK_BATCHES, poly_scale(threads, band->batch ? 1 : 0, 1));
}

static struct work work_band(struct counting *c, const struct stmt *s)
{
    const struct poly *outer = c->executions, *points = poly_integer(c->scope->ring, 1);
    bool exact = true;
    for (int i = 0; i < s->n_axes; i++) {
        struct bounds extent = bounds_extent(&c->bounding, s->axes[i].extent);
        bounding_set(&c->bounding, s->axes[i].var, bounds_iterator(&c->bounding, extent));
        points = points && extent.hi ? poly_mul(points, extent.hi) : NULL;
        exact &= extent.exact;
    }
    if (!points)
        return work_times(work_stmt(c, s->children[0]), (struct bounds){NULL, NULL, false});
    c->executions = points;
    struct work work = work_stmt(c, s->children[0]);
    c->executions = outer;
    work.exact &= exact;
    if (s->strided)
        work_steps(&work, points, outer, s);
    return work;
}

static struct work work_stmt(struct counting *c, const struct stmt *s)
{
    struct work work = work_none(c->scope->ring);
    switch (s->kind) {
    case STMT_SEQUENCE:
        for (int i = 0; i < s->n_children; i++)
            work = work_add(work, work_stmt(c, s->children[i]));
        return work;
    case STMT_LET:
        if (s->value && !map_get_pointer(c->bounding.written, s->var))
            bounding_set(&c->bounding, s->var, bounds_of(&c->bounding, s->value));
        return work_exprs(c, s);
    case STMT_SET:
    case STMT_STORE: return work_exprs(c, s);
    case STMT_IF: return work_if(c, s);
    case STMT_FOR: return work_for(c, s);
    case STMT_WHILE: return work_while(c, s);
    case STMT_BAND: return work_band(c, s);
    case STMT_BARRIER: work.at[WORK_BARRIERS] = poly_integer(c->scope->ring, 1); return work;
    default: return work;
    }
}

/* A walk over what is not in subscripts. */
struct values {
    struct map *valued;
    bool changed;
};

static void note_value(struct values *values, const struct expr *e)
{
    if (e->kind == EXPR_VAR && e->var->kind == VAR_LOCAL &&
        !map_get_pointer(values->valued, e->var)) {
        map_put_pointer(values->valued, e->var, (void *)e->var);
        values->changed = true;
    }
    if (e->kind != EXPR_LOAD)
        for (int i = 0; i < e->n_arguments; i++)
            note_value(values, e->arguments[i]);
}

static void note_values(struct values *values, const struct stmt *s)
{
    bool is_address = defines_address(s, values->valued);
    const struct expr *const parts[] = {is_address ? NULL : s->value, s->from, s->to, s->step};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i])
            note_value(values, parts[i]);
}

struct map *work_valued(struct arena *arena, const struct kernel *kernel)
{
    struct values values = {map_new(arena), true};
    struct stmt_walk walk;
    while (values.changed) {
        values.changed = false;
        for (const struct stmt *s = stmt_first(&walk, arena, kernel->body); s; s = stmt_next(&walk))
            note_values(&values, s);
    }
    return values.valued;
}

static const struct poly *axes_points(struct bounding *bounding, const struct axis *axes, int n,
                                      bool *exact)
{
    const struct poly *points = poly_integer(bounding->scope->ring, 1);
    for (int i = 0; i < n; i++) {
        struct bounds extent = bounds_extent(bounding, axes[i].extent);
        bounding_set(bounding, axes[i].var, bounds_iterator(bounding, extent));
        points = points && extent.hi ? poly_mul(points, extent.hi) : NULL;
        *exact &= extent.exact;
    }
    return points;
}

const struct poly *work_threads(struct scope *scope)
{
    struct bounding bounding = bounding_new(scope);
    bool exact = true;
    const struct poly *threads = axes_points(&bounding, scope->kernel->block,
                                             scope->kernel->n_block, &exact);
    if (threads && exact)
        return threads;
    scope->reason = scope->reason ? scope->reason
                                  : "the number of threads per block is no polynomial";
    return NULL;
}

const struct poly *work_blocks(struct scope *scope, bool *exact)
{
    struct bounding bounding = bounding_new(scope);
    *exact = true;
    const struct poly *points = axes_points(&bounding, scope->kernel->grid, scope->kernel->n_grid,
                                            exact);
    if (!points && !scope->reason)
        scope->reason = "an extent of the grid is no polynomial";
    return points;
}

bool work_count(struct scope *scope, struct work *work)
{
    struct counting c = {.scope = scope, .bounding = bounding_new(scope)};
    const struct kernel *kernel = scope->kernel;
    struct arena *arena = scope->store->ctx->arena;
    struct stmt_walk walk;
    bool exact = true;
    c.valued = work_valued(arena, kernel);
    for (const struct stmt *s = stmt_first(&walk, arena, kernel->body); s; s = stmt_next(&walk))
        if (s->kind == STMT_SET)
            map_put_pointer(c.bounding.written, s->var, (void *)s->var);
    axes_points(&c.bounding, kernel->grid, kernel->n_grid, &exact);
    exact = true;
    c.executions = axes_points(&c.bounding, kernel->block, kernel->n_block, &exact);
    if (!c.executions) {
        scope->reason = "an extent of the block is no polynomial";
        return false;
    }
    *work = work_stmt(&c, kernel->body);
    work->exact &= exact;
    for (int i = 0; i < WORK_KINDS; i++)
        if (!work->at[i]) {
            scope->reason = scope->reason ? scope->reason : "an extent is no polynomial";
            return false;
        }
    return true;
}
