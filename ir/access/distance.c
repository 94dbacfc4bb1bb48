/* In: the serial loops of a thread, one in the other, and the references inside the innermost. Out:
   for each pair that may matter how far the loops' variables are apart where both touch one
   element.

   Both references are made by one thread at one step of its block, so that the rows of a meeting
   (delta_build.c) have these differences as their unknowns. A row with one unknown settles that
   unknown, which then leaves the other rows; where no row has one unknown, rows are split into
   digits. A loop that no subscript of the two depends on is free: they meet at any distance.
   Unknowns that no row settles leave the distance open; nothing is guessed. */
#include "ir/access/delta.h"
#include "ir/access/distance.h"

static const struct meeting_question OWN = {SAME, SAME, SAME, ANY, 0, NULL};

struct distance_rows {
    struct delta *delta;
    int64_t values[UNKNOWNS_MAX];
    bool is_settled[UNKNOWNS_MAX], never;
};

/* The only unknown of the row that is left, -1 if there are none, -2 if there are several. */
static int row_unknown(const struct distance_rows *s, const struct delta_row *row)
{
    int found = -1;
    for (int x = 0; x < s->delta->n_unknowns; x++)
        if (row->coefficients[x] && !s->delta->unknowns[x].zero)
            found = found == -1 ? x : -2;
    return found;
}

static void unknown_settle(struct distance_rows *s, int x, int64_t value)
{
    struct delta *delta = s->delta;
    for (int d = 0; d < delta->n_rows; d++) {
        struct delta_row *row = &delta->rows[d];
        if (row->constant && row->coefficients[x])
            row->constant = poly_sub(row->constant, poly_scale(row->coefficients[x], value, 1));
    }
    s->values[x] = value;
    s->is_settled[x] = delta->unknowns[x].zero = true;
}

/* Settles the row's unknown; false if that was not possible. */
static bool row_settle(struct distance_rows *s, const struct delta_row *row)
{
    int x = row->constant ? row_unknown(s, row) : -2;
    int64_t numerator, denominator;
    unsigned exponents[RING_CAPACITY];
    if (x < 0)
        return false;
    if (poly_is_zero(row->constant)) {
        unknown_settle(s, x, 0);
        return true;
    }
    const struct poly *value = poly_divide_exact(row->constant, row->coefficients[x]);
    if (!value || !poly_is_constant(value) || !poly_term(value, 0, &numerator, &denominator,
                                                         exponents))
        return false;
    if (denominator == 1)
        unknown_settle(s, x, numerator);
    else
        s->never = true;
    return denominator == 1;
}

static void rows_settle(struct distance_rows *s)
{
    bool changed = true;
    while (changed && !s->never) {
        changed = false;
        for (int d = 0; d < s->delta->n_rows && !s->never; d++)
            changed |= row_settle(s, &s->delta->rows[d]);
        if (!changed)
            changed = delta_split(s->delta);
    }
}

/* The unknown that is the difference of the loop's rounds: -1 if no subscript depends on the loop,
   -2 if the two depend on it in different ways. */
static int loop_unknown(const struct delta *delta, const struct stmt *loop)
{
    int found = -1;
    for (int x = 0; x < delta->n_unknowns; x++) {
        const struct unknown *unknown = &delta->unknowns[x];
        const struct iterator *iterators = delta->analysis->iterators.at;
        bool is_left = unknown->a >= 0 && iterators[unknown->a].stmt == loop;
        bool is_right = unknown->b >= 0 && iterators[unknown->b].stmt == loop;
        if (is_left && is_right && found == -1)
            found = x;
        else if (is_left || is_right)
            found = -2;
    }
    return found;
}

/* Rounds of a loop with steps are counted from its first value: is that the same in all of them? */
static bool loop_starts_alike(const struct stmt *loop)
{
    int64_t value;
    return (expr_get_integer(loop->step, &value) && value == 1) ||
           expr_get_integer(loop->from, &value);
}

static void distance_read(const struct distance_rows *s, const struct distance_nest *nest,
                          struct access_distance *distance)
{
    distance->kind = DISTANCE_CONSTANT;
    for (int k = 0; k < nest->n_loops; k++) {
        int x = loop_unknown(s->delta, nest->loops[k]);
        distance->is_free[k] = x == -1;
        bool is_settled = x == -1 || (x >= 0 && s->delta->unknowns[x].zero);
        if (!is_settled || !loop_starts_alike(nest->loops[k]))
            distance->kind = DISTANCE_OPEN;
        else if (x >= 0)
            distance->at[k] = -s->values[x];
    }
}

static struct access_distance distance_of(struct analysis *analysis,
                                          const struct distance_nest *nest, const struct access *a,
                                          const struct access *b)
{
    struct access_distance distance = {a->reference, b->reference, DISTANCE_OPEN, {0}, {false}};
    struct distance_rows s = {.delta = ARENA_NEW(analysis->arena, struct delta)};
    const struct context *context = pair_context(analysis, a, b);
    *s.delta = (struct delta){.analysis = analysis, .context = context, .a = a, .b = b,
                              .same_box = true};
    bool known = true;
    for (int d = 0; d < a->reference.array->n_dims; d++)
        known &= a->subscripts[d] && b->subscripts[d];
    if (pair_refutes(analysis, context, a, b, &OWN)) {
        distance.kind = DISTANCE_NONE;
        return distance;
    }
    if (!known || !delta_build(s.delta, &OWN))
        return distance;
    rows_settle(&s);
    if (s.never)
        distance.kind = DISTANCE_NONE;
    else
        distance_read(&s, nest, &distance);
    return distance;
}

/* Is the reference made inside the innermost loop? */
static bool is_inside(const struct distance_nest *nest, const struct access *access)
{
    for (size_t i = 0; i < access->n_path; i++)
        if (access->path[i].loop == nest->loops[nest->n_loops - 1])
            return true;
    return false;
}

size_t access_distances(struct ctx *ctx, const struct kernel *kernel,
                        const struct distance_nest *nest, const struct access_distance **list)
{
    struct analysis *analysis = analysis_new_shared(ctx, kernel);
    VEC(struct access_distance) found = {0};
    for (size_t i = 0; i < analysis->accesses.count; i++)
        for (size_t k = i; k < analysis->accesses.count; k++) {
            const struct access *a = analysis->accesses.at[i], *b = analysis->accesses.at[k];
            bool matters = a->reference.array == b->reference.array &&
                           (a->reference.is_write || b->reference.is_write);
            if (!matters || !is_inside(nest, a) || !is_inside(nest, b))
                continue;
            struct access_distance distance = distance_of(analysis, nest, a, b);
            if (distance.kind != DISTANCE_NONE)
                vec_push(ctx->arena, &found, distance);
        }
    analysis_free(analysis);
    *list = found.at;
    return found.count;
}
