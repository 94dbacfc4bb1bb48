/* Starts and finishes of sums.

   In: a kernel with stores marked as starts and finishes. Out: its body with them at its ends, or
   the reason for which a store is no start, or no finish.

   Let M be the axes that the subscripts of a sum lack. For given values of all others, threads run
   through the points of M in the order of the text: first the axes of the grid, in their order, in
   a block band after band, in a band its axes. A start is first if it stands before all
   accumulations of its array, outside of loops, under conditions by which all axes of M are 0. A
   finish is last if it stands behind all accumulations, outside of loops, under equations N = e:
   in each, N is a number with axes of M as its digits, in their order, so that it fixes them, and
   what e is made of is not in M. Where accumulations are under a condition N <= e, or e is the
   greatest value that N has, none of them comes later. If they are all in earlier bands, axes of
   the block may have any value. Every axis of M is in an equation.

   The first or last point may be missing: then nothing starts or finishes. Conditions by which it
   exists come from the others with the axes' values put in: 0, or what N = e says.

   A finish is executed later than it stands, and by another thread, a start perhaps when all sums
   are known. So no other statement of the kernel may touch an array that it stores to, or store to
   an array that it reads; and points of the axes that are not in M may run it at once, which is
   asked of the proofs of legality. */
#include "ir/access/ends_points.h"
#include "ir/walk.h"

/* --- stores ----------------------------------------------------------------------------------- */

static bool conditions_are_fixed(struct ends_search *search, const struct marked *marked)
{
    for (size_t i = 0; i < marked->access->n_path; i++) {
        const struct path_step *step = &marked->access->path[i];
        const struct expr *e = ends_condition(search, &step->condition);
        if (step->iterator < 0 && (!e || !ends_is_over_axes(search, e, false)))
            return ends_fail(search, marked, "it depends on data");
    }
    return true;
}

static bool marked_read(struct ends_search *search, struct marked *marked)
{
    const struct access *access = marked->access;
    int n = access->reference.array->n_dims;
    unsigned used;
    if (marked_is_in_loop(marked))
        return start_is_walk(search, marked);
    if (!conditions_are_fixed(search, marked))
        return false;
    marked->indices = ARENA_ARRAY(search->arena, const struct expr *, n);
    marked->value = ends_over_axes(search, access->value);
    bool known = marked->value && ends_is_over_axes(search, marked->value, true);
    for (int i = 0; i < n && known; i++) {
        marked->indices[i] = ends_over_axes(search, access->indices[i]);
        known = marked->indices[i] && ends_is_over_axes(search, marked->indices[i], false);
    }
    if (!known)
        return ends_fail(search, marked, "it uses variables that have other values there");
    if (!marked_belongs(search, marked))
        return false;
    used = ends_axes(search->kernel, marked->value);
    for (int i = 0; i < n; i++)
        used |= ends_axes(search->kernel, marked->indices[i]);
    if (used & marked->missing)
        return ends_fail(search, marked, "it uses an axis that the subscripts of the sum lack");
    return access->end->end == SUM_END_START ? start_is_first(search, marked)
                                             : finish_is_last(search, marked);
}

/* Does the reference stand in the marked store, or in one of the same group: of single elements,
   whose sums lack the same axes? */
static bool is_in_group(const struct ends_search *search, const struct access *access,
                        const struct marked *marked)
{
    if (access->end == marked->access->end || marked->elements)
        return access->end == marked->access->end;
    for (size_t i = 0; i < search->list.count; i++) {
        const struct marked *other = &search->list.at[i];
        if (other->access->end == access->end && other->missing == marked->missing)
            return access->end && !other->elements;
    }
    return false;
}

/* Does the access, number `place`, read what the store starts, behind it? The sums tell whether it
   is behind the last accumulation, too. */
static bool is_behind_start(const struct marked *marked, const struct access *access, size_t place)
{
    return marked->access->end->end == SUM_END_START && !access->end &&
           !access->reference.is_write && marked->place < place &&
           access->reference.array == marked->access->reference.array;
}

/* Does nothing else touch what the store sets, or set what it reads? */
static bool marked_is_alone(struct ends_search *search, const struct marked *marked)
{
    const struct array *stored = marked->access->reference.array;
    for (size_t i = 0; i < search->analysis->accesses.count; i++) {
        const struct access *access = search->analysis->accesses.at[i];
        const struct array *array = access->reference.array;
        if (!marked_touches(marked, array) || ends_accumulates(access, array) ||
            is_in_group(search, access, marked) || is_behind_start(marked, access, i))
            continue;
        if (array == stored || access->reference.is_write)
            return ends_fail(search, marked, "the region touches what it sets, or sets what it "
                                             "reads, elsewhere");
    }
    return true;
}

/* A value that was read before another store of the same kind may have changed it. */
static bool value_is_older(struct ends_search *search, const struct marked *marked)
{
    for (size_t i = 0; i < search->list.count; i++) {
        const struct array *array = search->list.at[i].access->reference.array;
        if (expr_uses_array(marked->value, array) &&
            !expr_uses_array(marked->access->end->value, array))
            return true;
    }
    return false;
}

static bool starts_twice(const struct ends_search *search, const struct marked *marked)
{
    for (const struct marked *other = search->list.at; other != marked; other++)
        if (other->access->end->end == SUM_END_START &&
            marked->access->end->end == SUM_END_START &&
            other->access->reference.array == marked->access->reference.array &&
            (other->elements || marked->elements ||
             exprs_equal(other->indices, marked->indices,
                         marked->access->reference.array->n_dims)))
            return true;
    return false;
}

/* --- the body --------------------------------------------------------------------------------- */

static struct sum_axes axes_of_number(unsigned number)
{
    return (struct sum_axes){number & ((1u << AXES_MAX) - 1), number >> AXES_MAX};
}

/* The store under its conditions; of those that use missing axes only if `all`. */
static const struct stmt *marked_stmt(struct ends_search *search, const struct marked *marked,
                                      bool all)
{
    const struct stmt *from = marked->access->end;
    const struct stmt *s = stmt_end(search->arena, from->array, marked->indices, marked->value,
                                    all ? from->end : SUM_END_NONE, from->loc);
    const struct expr *condition = NULL;
    for (size_t i = 0; i < marked->exists.count; i++)
        condition = expr_join(search->arena, OP_LAND, condition, marked->exists.at[i]);
    for (size_t i = 0; i < marked->access->n_path; i++) {
        const struct path_step *step = &marked->access->path[i];
        bool is_range = marked->elements && i == marked->range;
        const struct expr *e = step->iterator < 0 && !is_range
                                   ? ends_condition(search, &step->condition) : NULL;
        if (e && (all || !(ends_axes(search->kernel, e) & marked->missing)))
            condition = expr_join(search->arena, OP_LAND, condition, e);
    }
    return condition ? stmt_if(search->arena, condition, s, NULL) : s;
}

/* May points that differ in the axes which sums have run all their starts and finishes at once? */
static bool group_is_apart(struct ends_search *search, unsigned missing)
{
    VEC(const struct stmt *) stores = {0};
    for (size_t i = 0; i < search->list.count; i++)
        if (search->list.at[i].missing == missing && !search->list.at[i].elements)
            vec_push(search->arena, &stores, marked_stmt(search, &search->list.at[i], false));
    return axes_are_apart(search->ctx, search->kernel, axes_of_number(missing),
                          stmt_sequence(search->arena, stores.at, (int)stores.count));
}

/* Does nothing remain of the statement, or scalars alone? */
static bool is_empty(const struct stmt *s)
{
    if (!s)
        return true;
    bool empty = s->kind == STMT_LET || s->kind == STMT_SEQUENCE;
    for (int i = 0; i < s->n_children; i++)
        empty = empty && is_empty(s->children[i]);
    return empty;
}

/* For stmt_rewrite: without marked stores, and without what becomes empty thereby. */
static const struct stmt *marked_drop(void *state, const struct stmt *s)
{
    (void)state;
    if (s->kind == STMT_STORE && s->end)
        return NULL;
    if ((s->kind == STMT_BAND || s->kind == STMT_FOR) && is_empty(s->children[0]))
        return NULL;
    return s->kind == STMT_IF && is_empty(s->children[0]) &&
                   (s->n_children < 2 || is_empty(s->children[1]))
               ? NULL
               : s;
}

/* The marked stores of single elements in a band of the block, and one band for each other. */
static const struct stmt *bands_of(struct ends_search *search, enum sum_end end)
{
    const struct kernel *kernel = search->kernel;
    VEC(const struct stmt *) stores = {0}, bands = {0};
    for (size_t i = 0; i < search->list.count; i++) {
        const struct marked *marked = &search->list.at[i];
        if (marked->access->end->end != end)
            continue;
        const struct stmt *store = marked_stmt(search, marked, true);
        if (marked->elements)
            vec_push(search->arena, &bands,
                     stmt_band(search->arena, marked->elements, 1, true, store));
        else
            vec_push(search->arena, &stores, store);
    }
    if (stores.count)
        vec_push(search->arena, &bands,
                 stmt_band(search->arena, kernel->block, kernel->n_block, false,
                           stmt_sequence(search->arena, stores.at, (int)stores.count)));
    return bands.count ? stmt_sequence(search->arena, bands.at, (int)bands.count) : NULL;
}

static bool marked_find(struct ends_search *search)
{
    const struct analysis *analysis = search->analysis;
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *access = analysis->accesses.at[i];
        if (!access->end || !access->reference.is_write)
            continue;
        struct marked marked = {.access = access, .place = i};
        if (!marked_read(search, &marked))
            return false;
        vec_push(search->arena, &search->list, marked);
    }
    return true;
}

static bool marked_judge(struct ends_search *search)
{
    for (size_t i = 0; i < search->list.count; i++) {
        const struct marked *marked = &search->list.at[i];
        if (!marked_is_alone(search, marked))
            return false;
        if (value_is_older(search, marked))
            return ends_fail(search, marked, "a variable in it was set before");
        if (starts_twice(search, marked))
            return ends_fail(search, marked, "the element is set before");
        if (!marked->elements && !group_is_apart(search, marked->missing))
            return ends_fail(search, marked, "different points are not proved to touch different "
                                             "elements");
    }
    return true;
}

const struct stmt *access_ends(struct ctx *ctx, const struct kernel *kernel,
                               struct ends_fault *fault)
{
    if (!stmt_has_end(kernel->body))
        return kernel->body;
    struct analysis *analysis = analysis_new(ctx, kernel);
    struct ends_search search = {.ctx = ctx,
                                 .arena = ctx->arena,
                                 .kernel = kernel,
                                 .analysis = analysis,
                                 .fault = fault,
                                 .names = names_new(ctx->arena, kernel)};
    const struct stmt *body = NULL;
    if (marked_find(&search) && marked_judge(&search)) {
        const struct stmt *all[3] = {bands_of(&search, SUM_END_START),
                                     stmt_rewrite(ctx->arena, kernel->body, marked_drop, NULL),
                                     bands_of(&search, SUM_END_FINISH)};
        body = stmt_sequence(ctx->arena, all, 3);
    }
    analysis_free(analysis);
    return body;
}

/* --- reading ---------------------------------------------------------------------------------- */

struct ends_reading {
    struct arena *arena;
    VEC(const struct expr *) conditions;
    const struct axis *elements;
    VEC(struct end) list;
};

static void conjunction_push(struct ends_reading *r, const struct expr *e)
{
    if (e->kind == EXPR_BINARY && e->op == OP_LAND) {
        conjunction_push(r, e->arguments[0]);
        conjunction_push(r, e->arguments[1]);
    } else {
        vec_push(r->arena, &r->conditions, e);
    }
}

static void ends_read(struct ends_reading *r, const struct stmt *s)
{
    size_t n = r->conditions.count;
    if (s->kind == STMT_STORE && s->end) {
        const struct expr **conditions = ARENA_ARRAY(r->arena, const struct expr *, n + 1);
        for (size_t i = 0; i < n; i++)
            conditions[i] = r->conditions.at[i];
        vec_push(r->arena, &r->list, ((struct end){s, n, conditions, r->elements}));
    }
    if (s->kind == STMT_BAND)
        r->elements = s->strided ? s->axes : NULL;
    if (s->kind == STMT_IF)
        conjunction_push(r, s->value);
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            ends_read(r, s->children[i]);
    r->conditions.count = n;
}

struct ends ends_of(struct arena *arena, const struct stmt *body)
{
    struct ends_reading reading = {.arena = arena};
    ends_read(&reading, body);
    return (struct ends){reading.list.count, reading.list.at};
}

const struct expr *end_condition(struct arena *arena, const struct kernel *kernel,
                                 const struct end *end, struct sum_axes missing)
{
    const struct expr *condition = NULL;
    for (size_t i = 0; i < end->n_conditions; i++)
        if (!(ends_axes(kernel, end->conditions[i]) & ends_missing(missing)))
            condition = expr_join(arena, OP_LAND, condition, end->conditions[i]);
    return condition;
}
