/* Transactions per warp, and coalescing.

   Transactions: memory lines that one instruction of a warp touches, summed over its instructions
   at one grid point (spec H-24 counts them per thread: divide by the warp's size); of the warp that
   makes the most. A report. Coalescing: lines that the different elements of each instruction would
   fill, against the lines it touches, in percent, weighed by the threads that make it. A target.
   Warps that are not full, and threads that a guard keeps away, change the share: it is an estimate
   then. Cases: how the warp lies in the block (warp.h), the length of a line against literal steps,
   and whether shape and alignment are regular. What the tree forks on is an estimate for regular
   shapes and rows that begin anywhere: a perfectly coalesced access of 4-byte words
   reaches half. */
#include "optimizer/counters/warp.h"

enum regularity { REGULAR_ALIGNED, REGULAR, IRREGULAR, REGULARITIES };

struct transactions {
    struct scope *scope;
    struct warp warp;
    const struct poly *line;
    const struct list_access *list;
    size_t count;
    bool ratio;                      /* coalescing is asked for */
    /* Of the piece being made: */
    int k;
    enum regularity regularity;
    int64_t threshold;
    struct total lines, ideal;
    bool is_guessed;                 /* rows are taken to be apart without proof */
    const struct poly *condition;    /* not zero: where the piece does not hold; NULL = cannot
                                        be told */
    struct sas guard;
};

/* Lines of one instruction of a warp. */
static struct ratio part_lines(struct transactions *t, const struct reach *reach,
                               const struct warp_part *part, bool worst)
{
    if (!reach->is_known)
        return ratio_of(t->warp.size);
    if (part->shape == WARP_BOX)
        return reach_lines(t->scope, reach, part->extents, t->line, worst);
    if (part->shape == WARP_RUN)
        return ratio_of(reach_run(t->scope, reach, part->points, part->rows, t->line));
    if (reach->axes[0].kind == REACH_LARGE)
        return ratio_of(part->points);
    struct reach row = *reach;
    row.n = 1;
    row.n_small = reach->axes[0].kind == REACH_SMALL;
    return ratio_mul(ratio_of(part->rows),
                     reach_lines(t->scope, &row, part->extents, t->line, worst));
}

/* Never more than the lines that its different elements would fill. */
static const struct poly *part_ideal(struct transactions *t, const struct reach *reach,
                                     const struct warp_part *part)
{
    const struct poly *one = poly_integer(t->scope->ring, 1);
    int different = 0;
    for (int i = 0; i < reach->n; i++)
        different += reach->axes[i].kind != REACH_ZERO;
    if (!reach->is_known || different == 0)
        return one;
    if (part->shape == WARP_BOX)
        return reach_ideal(t->scope, reach, part->extents, t->line);
    if (different < reach->n || reach->n_small > 1)
        return one;
    return scope_ceiling(t->scope, "l",
                         poly_mul(part->points, poly_integer(t->scope->ring, reach->bytes)),
                         t->line);
}

/* How often a warp makes the access; for coalescing: how many threads make it, in all. Exact where
   *condition, which is added to, is zero. */
static const struct poly *access_weight(struct transactions *t, const struct list_access *access)
{
    const struct poly *rounds = access_rounds(t->scope, access),
                      *points = poly_integer(t->scope->ring, 1);
    const struct poly *threads = t->warp.products[t->warp.n];
    if (!access->is_strided)
        return t->ratio && !(t->warp.any_size && !access->band) ? poly_mul(rounds, threads)
                                                                : rounds;
    for (int i = 0; i < access->n_axes; i++)
        points = access->axes[i].extent ? poly_mul(points, access->axes[i].extent) : points;
    bool full = t->scope->is_private &&
                (t->ratio ? t->regularity != IRREGULAR : t->regularity == REGULAR_ALIGNED);
    if (full) {
        t->condition = poly_add(t->condition, rest_of(t->scope, points, t->warp.size));
        t->condition = poly_add(t->condition, rest_of(t->scope, threads, t->warp.size));
    }
    if (t->ratio)
        return poly_mul(rounds, points);
    struct auxiliary passes = {.numerator = points, .denominator = threads, .multiple = 1};
    return poly_mul(rounds, scope_auxiliary(t->scope, "p", &passes));
}

static void access_count(struct transactions *t, const struct list_access *access)
{
    struct arena *arena = t->scope->store->ctx->arena;
    struct reach reach = reach_make(access, t->threshold, t->line);
    bool aligned = t->regularity == REGULAR_ALIGNED && reach.is_known && reach.is_alignable,
         regular = t->regularity != IRREGULAR;
    const struct poly *start = aligned ? warp_misalignment(&t->warp, &reach, t->k, t->line) : NULL;
    if (reach.is_known && regular && t->scope->is_private)
        t->condition = poly_add(t->condition, warp_irregularity(&t->warp, &reach, t->k));
    aligned &= start != NULL;
    struct warp_part part = warp_part(&t->warp, &reach, t->k, regular);
    if (aligned)
        t->condition = poly_add(poly_add(t->condition, start),
                                reach_misalignment(t->scope, &reach, t->line,
                                                   reach_row(&reach, part.extents)));
    struct ratio lines = part_lines(t, &reach, &part, !aligned);
    lines.numerator = poly_scale(lines.numerator, access->choices, 1);
    struct ratio weight = ratio_of(access_weight(t, access));
    bool exact = reach.is_known && part.shape != WARP_RUN && reach.is_apart &&
                 (!reach.n_small || aligned) &&
                 (!access->is_strided || t->regularity == REGULAR_ALIGNED);
    for (int i = 0; i < reach.n; i++)       /* rows at one place are counted each */
        exact &= part.shape != WARP_ROWS || reach.axes[i].kind != REACH_ZERO;
    for (size_t i = 0; exact && i < reach.n_apart; i++) {
        if (t->regularity == REGULAR_ALIGNED)
            t->guard = sas_add(arena, t->guard, reach.apart[i]);
        else
            exact = false;
    }
    total_add(&t->lines, access, ratio_mul(lines, weight), exact);
    t->is_guessed |= reach.is_known && reach.n_apart > 0 && t->regularity != REGULAR_ALIGNED;
    if (t->ratio)
        total_add(&t->ideal, access, ratio_mul(ratio_of(part_ideal(t, &reach, &part)), weight),
                  exact && reach.n_small <= 1);
}

/* 100 * ideal / lines. */
static struct ratio percent(struct scope *scope, struct ratio ideal, struct ratio lines)
{
    const struct poly *numerator = poly_scale(ideal.numerator, 100, 1),
                      *denominator = lines.numerator;
    if (poly_is_zero(denominator))
        return ratio_of(poly_integer(scope->ring, 100));
    numerator = lines.denominator ? poly_mul(numerator, lines.denominator) : numerator;
    denominator = ideal.denominator ? poly_mul(denominator, ideal.denominator) : denominator;
    return (struct ratio){numerator, denominator};
}

/* Makes the piece; false if it holds in every case of shape and alignment. */
static bool transactions_piece(struct transactions *t, struct pieces *pieces, struct sas threshold)
{
    struct scope *scope = t->scope;
    struct arena *arena = scope->store->ctx->arena;
    const struct poly *zero = poly_integer(scope->ring, 0);
    t->lines = total_new(scope);
    t->ideal = total_new(scope);
    t->condition = zero;
    t->is_guessed = false;
    t->guard = sas_join(arena, warp_guard(&t->warp, t->k), threshold);
    if (scope->is_private && t->ratio && t->regularity != IRREGULAR && t->k < t->warp.n &&
        !t->warp.any_size)
        t->condition = rest_of(scope, t->warp.products[t->warp.n], t->warp.size);
    size_t before = t->guard.count;
    for (size_t i = 0; i < t->count; i++)
        if (access_is_global(&t->list[i]))
            access_count(t, &t->list[i]);
    if (!t->condition)
        return true;
    if (!poly_is_zero(t->condition))
        t->guard = sas_add(arena, t->guard, constraint_make(t->condition, RELATION_LE, zero));
    struct ratio lines = total_sum(&t->lines), value = lines;
    enum exactness exactness = t->lines.exactness;
    if (t->ratio && lines.numerator) {
        value = percent(scope, total_sum(&t->ideal), lines);
        bool guess = !scope->is_private || t->regularity == IRREGULAR || t->lines.is_guarded ||
                     t->is_guessed;
        if (exactness == COUNTER_UPPER || t->ideal.exactness == COUNTER_UPPER)
            exactness = guess ? COUNTER_ESTIMATE : COUNTER_LOWER;
    }
    piece_add(scope, pieces, t->guard, value, exactness);
    return t->guard.count > before;
}

static struct counter_value transactions_value(struct store *store, const struct kernel *kernel,
                                               bool ratio)
{
    struct scope scope = scope_new(store, kernel, ratio ? COUNTER_COUNT : COUNTER_TRANSACTIONS);
    struct transactions t = {.scope = &scope, .warp = warp_new(&scope), .ratio = ratio};
    struct pieces pieces = {0};
    if (t.warp.any_size && !t.ratio)
        return scope_none("the number of threads is chosen at launch");
    t.line = scope_line(&scope);
    t.count = scope_accesses(&scope, &t.list);
    struct thresholds thresholds = thresholds_of(&scope, t.list, t.count, t.line);
    for (t.k = 0; t.k < t.warp.n_cases && !scope.reason; t.k++)
        for (int i = 0; i < thresholds.count; i++) {
            bool open = true;
            t.threshold = thresholds.at[i];
            int first = scope.is_private ? REGULAR_ALIGNED : REGULAR,
                end = scope.is_private ? REGULARITIES : REGULAR + 1;
            for (int r = first; r < end && open; r++) {
                t.regularity = (enum regularity)r;
                open = transactions_piece(&t, &pieces, thresholds.guards[i]);
            }
        }
    return scope.reason ? scope_none(scope.reason)
                        : scope_value(&scope, pieces.list.count, pieces.list.at);
}

struct counter_value counter_transactions(struct store *store, const struct kernel *kernel)
{
    return transactions_value(store, kernel, false);
}

struct counter_value coalescing_reported(struct store *store, const struct kernel *kernel)
{
    return transactions_value(store, kernel, true);
}
