/* In: the linear system of a meeting (delta_build.c). Out: is it certain that there is none?

   To a fixed point over all rows, each question being the sign of a polynomial in the parameters:
   1. a row whose sum cannot reach its constant, or whose coefficients have a common factor that the
      constant lacks, has no solution: the references do not meet;
   2. an unknown x with c_x greater than what the rest of its row can make up, on both sides, is 0
      (a digit), and likewise a combination of unknowns that a guard bounds; then it counts no more,
      in any row.
   3. a row whose terms fall into multiples of one coefficient g and a rest between -g and g splits:
      both parts vanish by themselves (k*B against 2*l*B, with j < B beside them).
   The question is settled when every required unknown is 0. Rest sums use the ranges of unknowns
   or, where a guard's combination appears scaled, the guard's bound; all choices are tried. Source:
   notes on footprints, "Legality". */
#include "ir/access/delta.h"

/* Greatest or least value of the row over the unknowns that are not 0 and not in `skip`, using the
   bounds in `choice`. */
static const struct poly *row_extreme(struct delta *delta, const struct delta_row *row,
                                      const bool *skip, bool upper, unsigned choice)
{
    bool done[UNKNOWNS_MAX] = {false};
    const struct poly *sum = poly_integer(delta->analysis->ring, 0);
    for (int k = 0; k < delta->n_bounds; k++) {
        const struct delta_row *bound = &delta->bounds[k];
        const struct poly *scale = NULL;
        bool fits = (choice >> k & 1) != 0;
        for (int x = 0; x < delta->n_unknowns && fits; x++) {
            if (!bound->coefficients[x] || delta->unknowns[x].zero)
                continue;
            fits = row->coefficients[x] && !skip[x] && !done[x];
            const struct poly *m =
                fits ? poly_divide_exact(row->coefficients[x], bound->coefficients[x]) : NULL;
            fits = fits && m && (!scale || poly_equal(scale, m));
            scale = m;
        }
        int direction = fits && scale ? context_direction(delta->context, scale) : 2;
        if (direction == 2)
            continue;
        sum = poly_add(sum, poly_mul(scale, (direction >= 0) == upper ? bound->hi : bound->lo));
        for (int x = 0; x < delta->n_unknowns; x++)
            done[x] |= bound->coefficients[x] != NULL;
    }
    for (int x = 0; x < delta->n_unknowns; x++) {
        if (!row->coefficients[x] || skip[x] || done[x] || delta->unknowns[x].zero)
            continue;
        int direction = context_direction(delta->context, row->coefficients[x]);
        const struct poly *end = (direction >= 0) == upper ? delta->unknowns[x].hi
                                                           : delta->unknowns[x].lo;
        if (direction == 2 || !end)
            return NULL;
        sum = poly_add(sum, poly_mul(row->coefficients[x], end));
    }
    return sum;
}

/* Is the row's constant above the greatest (below the least) value of the rest and `head`? */
static bool row_beyond(struct delta *delta, const struct delta_row *row, const bool *skip,
                       const struct poly *head, bool above, const struct poly **open)
{
    for (unsigned choice = 0; choice < 1u << (delta->n_bounds < 6 ? delta->n_bounds : 6);
         choice++) {
        const struct poly *rest = row_extreme(delta, row, skip, above, choice);
        if (!rest)
            return false;
        rest = head ? poly_add(rest, head) : rest;
        const struct poly *gap = above ? poly_sub(row->constant, rest)
                                       : poly_sub(rest, row->constant);
        if (context_positive(delta->context, gap))
            return true;
        if (open && (!*open || choice))
            *open = gap;
    }
    return false;
}

/* Do all coefficients have a common numeric factor that the constant lacks? */
static bool row_indivisible(struct delta *delta, const struct delta_row *row)
{
    int64_t common = 0, n, d, unit = 0;
    unsigned exponents[RING_CAPACITY];
    for (int x = -1; x < delta->n_unknowns; x++) {
        const struct poly *p = x < 0 ? row->constant : row->coefficients[x];
        if (!p || (x >= 0 && delta->unknowns[x].zero))
            continue;
        for (size_t i = 0; i < poly_terms(p); i++) {
            if (!poly_term(p, i, &n, &d, exponents) || d != 1)
                return false;
            bool is_unit = x < 0;
            for (int v = 0; is_unit && v < RING_CAPACITY && v < ring_count(delta->analysis->ring);
                 v++)
                is_unit = exponents[v] == 0;
            if (is_unit)
                unit = n;
            for (int64_t m = is_unit ? 0 : n; m != 0;) {
                int64_t r = common % m;
                common = m, m = r;
            }
        }
    }
    common = common < 0 ? -common : common;
    return common == 0 ? unit != 0 : unit % common != 0;
}

static bool row_impossible(struct delta *delta, const struct delta_row *row)
{
    static const bool none[UNKNOWNS_MAX];
    const struct poly *open[2] = {NULL, NULL};
    if (row_indivisible(delta, row) || row_beyond(delta, row, none, NULL, true, &open[0]) ||
        row_beyond(delta, row, none, NULL, false, &open[1]))
        return true;
    for (int k = 0; k < 2; k++)
        if (delta->n_open < OPEN_MAX && open[k] && !poly_is_constant(row->constant)) {
            delta->open[delta->n_open][0] = open[k];
            delta->open[delta->n_open++][1] = NULL;
        }
    return false;
}

/* scale * combination + rest = constant: is the combination certainly 0? */
static bool row_forces(struct delta *delta, const struct delta_row *row, const bool *skip,
                       const struct poly *scale, const struct poly *open[2])
{
    int direction = context_direction(delta->context, scale);
    if (direction == 2 || direction == 0)
        return false;
    const struct poly *c = direction > 0 ? scale : poly_neg(scale), *negative = poly_neg(c);
    open[0] = open[1] = NULL;
    bool high = row_beyond(delta, row, skip, c, false, &open[0]);
    bool low = row_beyond(delta, row, skip, negative, true, &open[1]);
    return high && low;
}

static bool unknown_forced(struct delta *delta, int x)
{
    bool skip[UNKNOWNS_MAX] = {false};
    skip[x] = true;
    for (int d = 0; d < delta->n_rows; d++) {
        const struct delta_row *row = &delta->rows[d];
        const struct poly *open[2] = {NULL, NULL};
        if (!row->constant || !row->coefficients[x])
            continue;
        if (row_forces(delta, row, skip, row->coefficients[x], open))
            return true;
        if (delta->n_open < OPEN_MAX && (open[0] || open[1])) {
            delta->open[delta->n_open][0] = open[0];
            delta->open[delta->n_open++][1] = open[1];
        }
    }
    return false;
}

/* A guard's combination that is a digit of a row. */
static bool bound_forced(struct delta *delta, const struct delta_row *bound)
{
    for (int d = 0; d < delta->n_rows; d++) {
        const struct delta_row *row = &delta->rows[d];
        const struct poly *scale = NULL, *open[2];
        bool skip[UNKNOWNS_MAX] = {false}, fits = row->constant != NULL;
        for (int x = 0; x < delta->n_unknowns && fits; x++) {
            if (!bound->coefficients[x] || delta->unknowns[x].zero)
                continue;
            const struct poly *m = row->coefficients[x] ? poly_divide_exact(row->coefficients[x],
                                                                            bound->coefficients[x])
                                                        : NULL;
            fits = m && (!scale || poly_equal(scale, m));
            scale = m;
            skip[x] = true;
        }
        if (fits && scale && row_forces(delta, row, skip, scale, open))
            return true;
    }
    return false;
}

/* Splits the row by multiples of g, if there is a rest and it stays below g; the rest becomes a row
   of its own. */
static bool row_split_by(struct delta *delta, struct delta_row *row, const struct poly *g)
{
    bool whole[UNKNOWNS_MAX] = {false};
    int left = 0;
    for (int x = 0; x < delta->n_unknowns; x++) {
        whole[x] = !row->coefficients[x] || delta->unknowns[x].zero ||
                   poly_multiple(row->coefficients[x], g);
        left += !whole[x];
    }
    const struct poly *zero = poly_integer(delta->analysis->ring, 0);
    const struct poly *constant = poly_multiple(row->constant, g) ? zero : row->constant;
    struct delta_row high = *row, low = *row, *rest = &delta->rows[delta->n_rows];
    high.constant = poly_add(constant, g);
    low.constant = poly_sub(constant, g);
    if (!left || delta->n_rows == ROWS_OF_SYSTEM ||
        !row_beyond(delta, &high, whole, NULL, true, NULL) ||
        !row_beyond(delta, &low, whole, NULL, false, NULL))
        return false;
    *rest = (struct delta_row){.constant = constant};
    for (int x = 0; x < delta->n_unknowns; x++) {
        if (whole[x])
            continue;
        rest->coefficients[x] = row->coefficients[x];
        row->coefficients[x] = NULL;
    }
    row->constant = poly_sub(row->constant, constant);
    delta->n_rows++;
    return true;
}

static bool row_split(struct delta *delta, struct delta_row *row)
{
    for (int x = 0; row->constant && x < delta->n_unknowns; x++) {
        const struct poly *g = delta->unknowns[x].zero ? NULL : row->coefficients[x];
        int direction = g ? context_direction(delta->context, g) : 2;
        if ((direction == 1 || direction == -1) &&
            row_split_by(delta, row, direction > 0 ? g : poly_neg(g)))
            return true;
    }
    return false;
}

bool delta_split(struct delta *delta)
{
    bool split = false;
    for (int d = 0; d < delta->n_rows && !split; d++)
        split = row_split(delta, &delta->rows[d]);
    return split;
}

static bool delta_step(struct delta *delta)
{
    bool changed = false;
    for (int x = 0; x < delta->n_unknowns; x++)
        if (!delta->unknowns[x].zero && unknown_forced(delta, x))
            delta->unknowns[x].zero = changed = true;
    for (int k = 0; k < delta->n_bounds; k++) {
        struct delta_row *bound = &delta->bounds[k];
        if (bound->zero || delta->n_rows == ROWS_OF_SYSTEM || !bound_forced(delta, bound))
            continue;
        bound->zero = changed = true;
        struct delta_row *row = &delta->rows[delta->n_rows++];
        *row = *bound;
        row->constant = poly_integer(delta->analysis->ring, 0);
    }
    return changed || delta_split(delta);
}

bool delta_refute(struct delta *delta)
{
    do {
        bool required = false, settled = true;
        delta->n_open = 0;
        for (int x = 0; x < delta->n_unknowns; x++) {
            required |= delta->unknowns[x].required;
            settled &= !delta->unknowns[x].required || delta->unknowns[x].zero;
        }
        if (required && settled)
            return true;
        for (int d = 0; d < delta->n_rows; d++)
            if (delta->rows[d].constant && row_impossible(delta, &delta->rows[d]))
                return true;
    } while (delta_step(delta));
    return false;
}
