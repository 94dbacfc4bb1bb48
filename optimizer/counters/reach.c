/* What one access reaches (reach.h).

   In: an access as listed, a line's bytes as a polynomial. Out: its axes as classes of steps, the
   conditions under which the count is exact, the count for a box of any extents. Axes that continue
   each other (the step of the slower is the faster one's step times its extent) are one. A row's
   beginning is a sum of multiples; where each of them is a whole number of lines, rows begin where
   the constant says. Where all small steps are negative the row is looked at from its other end.
   Source: spec H-22 to H-24. */
#include "optimizer/counters/reach.h"

enum { LINE_LEAST = 64 };   /* bytes: 4 * lo of C_L */

struct ratio ratio_of(const struct poly *p)
{
    return (struct ratio){p, NULL};
}

struct ratio ratio_mul(struct ratio a, struct ratio b)
{
    const struct poly *denominator = a.denominator ? a.denominator : b.denominator;
    if (a.denominator && b.denominator)
        denominator = poly_mul(a.denominator, b.denominator);
    return (struct ratio){poly_mul(a.numerator, b.numerator), denominator};
}

struct ratio ratio_add(struct ratio a, struct ratio b)
{
    bool same = a.denominator && b.denominator ? poly_equal(a.denominator, b.denominator)
                                               : a.denominator == b.denominator;
    if (same)
        return (struct ratio){poly_add(a.numerator, b.numerator), a.denominator};
    const struct poly *left = b.denominator ? poly_mul(a.numerator, b.denominator) : a.numerator;
    const struct poly *right = a.denominator ? poly_mul(b.numerator, a.denominator) : b.numerator;
    return (struct ratio){poly_add(left, right), ratio_mul(a, b).denominator};
}

/* 1 or -1 if all coefficients have that sign, 0 if they differ or p is zero. */
static int poly_direction(const struct poly *p)
{
    int direction = 0;
    unsigned exponents[RING_CAPACITY];
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t n, d;
        if (!poly_term(p, i, &n, &d, exponents) || (direction && (n < 0) != (direction < 0)))
            return 0;
        direction = n < 0 ? -1 : 1;
    }
    return direction;
}

static const struct poly *poly_magnitude(const struct poly *p)
{
    int direction = poly_direction(p);
    if (direction == 0 && !poly_is_zero(p))
        return NULL;
    return direction < 0 ? poly_neg(p) : p;
}

static bool is_one(const struct poly *p)
{
    int64_t value;
    return poly_get_integer(p, &value) && value == 1;
}

int64_t reach_threshold(const struct list_access *access, int64_t least, int64_t above)
{
    int64_t found = 0, bytes = (int64_t)access->bytes, step;
    if (access->is_affine)
        for (int i = 0; i < access->n_axes; i++)
            if (poly_get_integer(access->axes[i].coefficient, &step) && step < ((int64_t)1 << 40) &&
                step > -((int64_t)1 << 40)) {
                step = (step < 0 ? -step : step) * bytes;
                if (step >= least && step > above && (!found || step < found))
                    found = step;
            }
    return found;
}

/* The axes, fastest first, those that continue each other as one; signed steps in `steps`. False if
   one has no extent. */
static bool reach_axes(struct reach *reach, const struct poly **steps)
{
    const struct list_access *access = reach->access;
    for (int i = access->n_axes, number = 0; i-- > 0; number++) {
        const struct list_axis *axis = &access->axes[i];
        if (!axis->extent)
            return false;
        const struct poly *step = poly_scale(axis->coefficient, 1, access->width);
        struct reach_axis *before = reach->n ? &reach->axes[reach->n - 1] : NULL;
        const struct poly *last = before ? steps[reach->n - 1] : NULL;
        if (before && (is_one(before->extent) || is_one(axis->extent) ||
                       poly_equal(step, poly_mul(last, before->extent)))) {
            if (is_one(before->extent))
                steps[reach->n - 1] = step;
            before->extent = poly_mul(before->extent, axis->extent);
            before->last = number;
            continue;
        }
        steps[reach->n] = step;
        reach->axes[reach->n++] =
            (struct reach_axis){.extent = axis->extent, .first = number, .last = number};
    }
    return true;
}

/* Kinds and absolute steps; the common direction of the small ones, 0 if they differ. */
static int reach_kinds(struct reach *reach, const struct poly **steps, int64_t threshold)
{
    int direction = 1;
    for (int i = 0; i < reach->n; i++) {
        int64_t step;
        struct reach_axis *axis = &reach->axes[i];
        bool literal = poly_get_integer(steps[i], &step);
        axis->step = poly_magnitude(steps[i]);
        axis->kind = REACH_LARGE;
        if (literal && step == 0)
            axis->kind = REACH_ZERO;
        else if (literal && step <= threshold && step >= -threshold &&
                 (step < 0 ? -step : step) * reach->bytes <= threshold)
            axis->kind = REACH_SMALL;
        if (axis->kind != REACH_SMALL)
            continue;
        int own = step < 0 ? -1 : 1;
        if (reach->n_small++ == 0)
            direction = own;
        else if (direction != own)
            direction = 0;
    }
    return direction;
}

/* p (elements) has to be whole lines. */
static void whole_add(struct reach *reach, const struct poly *p)
{
    int64_t value;
    if (!p || reach->n_whole == sizeof reach->whole / sizeof *reach->whole) {
        reach->is_alignable = false;
        return;
    }
    if (poly_is_zero(p))
        return;
    if (poly_get_integer(p, &value) && value * reach->bytes < LINE_LEAST)
        reach->is_alignable = false;
    for (size_t i = 0; i < reach->n_whole; i++)
        if (poly_equal(reach->whole[i], p))
            return;
    reach->whole[reach->n_whole++] = p;
}

/* Every monomial of p for itself where the signs differ. */
static void whole_add_terms(struct reach *reach, const struct poly *p)
{
    unsigned exponents[RING_CAPACITY];
    struct ring *ring = poly_ring(p);
    if (poly_magnitude(p)) {
        whole_add(reach, poly_magnitude(p));
        return;
    }
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t n, d;
        if (!poly_term(p, i, &n, &d, exponents)) {
            reach->is_alignable = false;
            return;
        }
        const struct poly *monomial = poly_rational(ring, n < 0 ? -n : n, d);
        for (int v = 0; v < ring_count(ring); v++)
            if (exponents[v])
                monomial = poly_mul(monomial, poly_power(poly_variable(ring, v), exponents[v]));
        whole_add(reach, monomial);
    }
}

/* The constant term of p. False if it is no integer. */
static bool poly_literal(const struct poly *p, int64_t *value)
{
    unsigned exponents[RING_CAPACITY];
    *value = 0;
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t n, d;
        bool constant = true;
        if (!poly_term(p, i, &n, &d, exponents))
            return false;
        for (int v = 0; v < RING_CAPACITY; v++)
            constant &= exponents[v] == 0;
        if (constant && d != 1)
            return false;
        if (constant)
            *value = n;
    }
    return true;
}

/* The beginnings of rows: the step that has to be whole lines, and the phase in a line. */
static void reach_alignment(struct reach *reach, const struct poly **steps, int direction)
{
    const struct list_access *access = reach->access;
    int64_t literal = 0;
    reach->is_alignable = direction != 0 && access->constant;
    for (int i = 0; i < access->n_grid; i++)
        whole_add_terms(reach, poly_scale(access->grid[i].coefficient, 1, access->width));
    for (int i = 0; i < access->n_loops; i++)
        whole_add_terms(reach, poly_scale(access->loops[i].coefficient, 1, access->width));
    for (int i = 0; i < reach->n; i++)
        if (reach->axes[i].kind == REACH_LARGE)
            whole_add_terms(reach, steps[i]);
    if (!reach->is_alignable)
        return;
    const struct poly *constant = poly_scale(access->constant, 1, access->width);
    if (!poly_literal(constant, &literal)) {
        reach->is_alignable = false;
        return;
    }
    whole_add_terms(reach, poly_sub(constant, poly_integer(poly_ring(constant), literal)));
    reach->phase = direction < 0 ? -literal - 1 : literal;
    if (reach->phase * reach->bytes >= LINE_LEAST || reach->phase * reach->bytes <= -LINE_LEAST) {
        whole_add(reach, poly_integer(poly_ring(constant),
                                      reach->phase < 0 ? -reach->phase : reach->phase));
        reach->phase = 0;
    }
}

/* a >= b; false if it is a number and does not hold. */
static bool apart_add(struct reach *reach, const struct poly *a, const struct poly *b)
{
    int64_t difference;
    if (!a || !b || reach->n_apart == sizeof reach->apart / sizeof *reach->apart)
        return false;
    if (poly_get_integer(poly_sub(a, b), &difference))
        return difference >= 0;
    reach->apart[reach->n_apart++] = constraint_make(b, RELATION_LE, a);
    return true;
}

static bool step_less(const struct reach_axis *a, const struct reach_axis *b)
{
    int64_t p, q;
    unsigned da = a->step ? poly_total_degree(a->step) : 0,
             db = b->step ? poly_total_degree(b->step) : 0;
    if (a->step && b->step && poly_get_integer(a->step, &p) && poly_get_integer(b->step, &q))
        return p < q;
    return da < db;
}

/* The large axes by rising steps, each beyond what those before it reach: `span` bytes, then what
   they add. */
static void reach_beyond(struct reach *reach, const struct poly *span)
{
    const struct reach_axis *large[AXES_MAX];
    struct ring *ring = poly_ring(span);
    int n = 0;
    for (int i = 0; i < reach->n; i++)
        if (reach->axes[i].kind == REACH_LARGE) {
            int at = n++;
            for (; at > 0 && step_less(&reach->axes[i], large[at - 1]); at--)
                large[at] = large[at - 1];
            large[at] = &reach->axes[i];
        }
    for (int i = 0; i < n && reach->is_apart; i++) {
        const struct poly *step = large[i]->step ? poly_scale(large[i]->step, reach->bytes, 1)
                                                 : NULL;
        reach->is_apart = apart_add(reach, step, span);
        if (reach->is_apart)
            span = poly_add(span,
                            poly_mul(step, poly_sub(large[i]->extent, poly_integer(ring, 1))));
    }
}

/* Rows are apart if they do not overlap and begin at least a line from each other. */
static void reach_apart(struct reach *reach, const struct poly *line)
{
    struct ring *ring = poly_ring(line);
    reach->is_apart = true;
    reach_beyond(reach, line);
    if (!reach->n_small)
        return;
    const struct poly *span = poly_integer(ring, (1 + reach->phase) * reach->bytes);
    if (reach->phase < 0)
        span = poly_add(span, line);
    for (int i = 0; i < reach->n; i++)
        if (reach->axes[i].kind == REACH_SMALL) {
            const struct poly *reached =
                poly_mul(poly_sub(reach->axes[i].extent, poly_integer(ring, 1)),
                         reach->axes[i].step);
            span = poly_add(span, poly_scale(reached, reach->bytes, 1));
        }
    reach_beyond(reach, span);
}

struct reach reach_make(const struct list_access *access, int64_t threshold,
                        const struct poly *line)
{
    struct reach reach = {.access = access, .bytes = (int64_t)access->bytes * access->width};
    const struct poly *steps[AXES_MAX] = {0};
    if (!access->is_affine || !reach_axes(&reach, steps)) {
        reach.n = 0;
        return reach;
    }
    reach.is_known = true;
    int direction = reach_kinds(&reach, steps, threshold);
    reach.is_contiguous = reach.n <= 1;
    if (reach.n_small)
        reach_alignment(&reach, steps, direction);
    else
        reach.is_alignable = true;
    reach_apart(&reach, line);
    return reach;
}

/* Sum over the small axes of (extent - 1) * step, elements. */
static struct ratio reach_span(const struct reach *reach, const struct ratio *extents,
                               struct ring *ring)
{
    struct ratio span = ratio_of(poly_integer(ring, 0));
    for (int i = 0; i < reach->n; i++)
        if (reach->axes[i].kind == REACH_SMALL) {
            const struct poly *denominator = extents[i].denominator ? extents[i].denominator
                                                                    : poly_integer(ring, 1);
            struct ratio less = {poly_sub(extents[i].numerator, denominator),
                                 extents[i].denominator};
            span = ratio_add(span, ratio_mul(less, ratio_of(reach->axes[i].step)));
        }
    return span;
}

/* ceil((bytes * numerator / denominator + more) / line) of a ratio of elements. */
static const struct poly *lines_of(struct scope *scope, struct ratio elements, int64_t bytes,
                                   const struct poly *more, const struct poly *line)
{
    const struct poly *denominator = elements.denominator ? elements.denominator
                                                          : poly_integer(scope->ring, 1);
    const struct poly *numerator = poly_add(poly_scale(elements.numerator, bytes, 1),
                                            poly_mul(more, denominator));
    return scope_ceiling(scope, "l", poly_add(numerator, poly_integer(scope->ring, 1)),
                         poly_mul(denominator, line));
}

struct ratio reach_lines(struct scope *scope, const struct reach *reach,
                         const struct ratio *extents, const struct poly *line, bool worst)
{
    struct ratio product = ratio_of(poly_integer(scope->ring, 1));
    const struct poly *phase = poly_integer(scope->ring, reach->phase * reach->bytes);
    if (worst)
        phase = poly_sub(line, poly_integer(scope->ring, reach->bytes));
    else if (reach->phase < 0)
        phase = poly_add(phase, line);
    for (int i = 0; i < reach->n; i++)
        if (reach->axes[i].kind == REACH_LARGE)
            product = ratio_mul(product, extents[i]);
    if (reach->n_small == 0)
        return product;
    return ratio_mul(product, ratio_of(lines_of(scope, reach_span(reach, extents, scope->ring),
                                                reach->bytes, phase, line)));
}

const struct poly *reach_ideal(struct scope *scope, const struct reach *reach,
                               const struct ratio *extents, const struct poly *line)
{
    struct ratio elements = ratio_of(poly_integer(scope->ring, 1));
    bool has_small = false, has_large = false;
    for (int i = 0; i < reach->n; i++) {
        bool small = reach->axes[i].kind == REACH_SMALL && !has_small;
        bool large = reach->axes[i].kind == REACH_LARGE &&
                     (reach->is_apart || (!has_large && !reach->n_small));
        has_small |= small;
        has_large |= large;
        if (small || large)
            elements = ratio_mul(elements, extents[i]);
    }
    return lines_of(scope, elements, reach->bytes, poly_integer(scope->ring, -1), line);
}

struct ratio reach_row(const struct reach *reach, const struct ratio *extents)
{
    struct ratio row = {NULL, NULL};
    if (reach->n_small == 1)
        for (int i = 0; i < reach->n; i++)
            if (reach->axes[i].kind == REACH_SMALL)
                row = ratio_mul(extents ? extents[i] : ratio_of(reach->axes[i].extent),
                                ratio_of(reach->axes[i].step));
    return row;
}

const struct poly *reach_run(struct scope *scope, const struct reach *reach,
                             const struct poly *count, const struct poly *rows,
                             const struct poly *line)
{
    const struct poly *one = poly_integer(scope->ring, 1);
    if (!reach->is_known)
        return count;
    if (reach->n == 0 || (reach->n == 1 && reach->axes[0].kind == REACH_ZERO))
        return one;
    if (reach->axes[0].kind == REACH_LARGE)
        return count;
    if (reach->n == 1)
        rows = one;
    if (reach->axes[0].kind == REACH_ZERO)
        return rows;
    const struct poly *inside = poly_mul(poly_sub(count, rows), reach->axes[0].step);
    const struct poly *edges = poly_mul(rows,
                                        poly_sub(line, poly_integer(scope->ring, reach->bytes)));
    const struct poly *lines = lines_of(scope, ratio_of(inside), reach->bytes, edges, line);
    return poly_sub(poly_add(lines, rows), one);
}
