/* Lines per block: different memory lines that one instruction of a whole block touches, summed
   over its instructions at one grid point; of a strided band an instruction is the whole band. A
   report. Where all rows begin at known places in lines the count is exact (spec H-23), else it is
   the bound for rows that begin anywhere. Cases: the length of a line against literal steps,
   alignment or not. */
#include "optimizer/counters/total.h"

/* At most the number of points of the box. */
static const struct poly *access_points(struct scope *scope, const struct list_access *access)
{
    const struct poly *points = poly_integer(scope->ring, 1);
    for (int i = 0; i < access->n_axes; i++)
        points = access->axes[i].extent ? poly_mul(points, access->axes[i].extent) : NULL;
    return points;
}

static struct ratio block_lines(struct scope *scope, const struct reach *reach,
                                const struct poly *line, bool worst)
{
    struct ratio extents[AXES_MAX];
    if (!reach->is_known)
        return ratio_of(access_points(scope, reach->access));
    for (int i = 0; i < reach->n; i++)
        extents[i] = ratio_of(reach->axes[i].extent);
    return reach_lines(scope, reach, extents, line, worst);
}

/* The sum over all global accesses with steps classed by `threshold`; false if it holds whatever
   the alignment. */
static bool lines_piece(struct scope *scope, struct pieces *pieces, const struct list_access *list,
                        size_t count, const struct thresholds *thresholds, int which)
{
    struct arena *arena = scope->store->ctx->arena;
    bool aligned = which % 2 == 0;
    struct sas guard = thresholds->guards[which / 2];
    size_t before = guard.count;
    struct total total = total_new(scope);
    const struct poly *line = scope_line(scope), *zero = poly_integer(scope->ring, 0),
                      *misalignment = zero;
    for (size_t i = 0; i < count; i++) {
        if (!access_is_global(&list[i]))
            continue;
        struct reach reach = reach_make(&list[i], thresholds->at[which / 2], line);
        bool phased = aligned && reach.is_known && reach.is_alignable;
        bool exact = reach.is_known && reach.is_apart &&
                     (phased || (!reach.n_small && !reach.n_apart));
        struct ratio lines = block_lines(scope, &reach, line, !phased);
        lines.numerator = poly_scale(lines.numerator, list[i].choices, 1);
        total_add(&total, &list[i], ratio_mul(lines, ratio_of(access_rounds(scope, &list[i]))),
                  exact);
        if (phased)
            misalignment = poly_add(misalignment, reach_misalignment(scope, &reach, line,
                                                                     reach_row(&reach, NULL)));
        if (exact)
            for (size_t k = 0; k < reach.n_apart; k++)
                guard = sas_add(arena, guard, reach.apart[k]);
    }
    if (aligned && misalignment && !poly_is_zero(misalignment))
        guard = sas_add(arena, guard, constraint_make(misalignment, RELATION_LE, zero));
    struct ratio sum = total_sum(&total);
    piece_add(scope, pieces, guard, sum, total.exactness);
    return aligned && guard.count > before;
}

struct counter_value counter_lines(struct store *store, const struct kernel *kernel)
{
    struct scope scope = scope_new(store, kernel, COUNTER_LINES);
    struct pieces pieces = {0};
    const struct list_access *list;
    size_t count = scope_accesses(&scope, &list);
    const struct poly *line = scope_line(&scope);
    struct thresholds thresholds = thresholds_of(&scope, list, count, line);
    for (int i = 0; i < thresholds.count; i++)
        if (lines_piece(&scope, &pieces, list, count, &thresholds, 2 * i))
            lines_piece(&scope, &pieces, list, count, &thresholds, 2 * i + 1);
    return scope.reason ? scope_none(scope.reason)
                        : scope_value(&scope, pieces.list.count, pieces.list.at);
}
