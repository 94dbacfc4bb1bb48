/* In: the tile iterators of one subscript with their coefficients. Out: digits, that is dimensions
   of a tile: the subscript is base + sum stride_k * digit_k with 0 <= digit_k < extent_k.

   Begin with the smallest stride g; absorb every iterator whose coefficient is m*g with m no larger
   than the extent so far: the digit's values stay without gap (m equal: a radix, less: an overlap
   such as a convolution's). When nothing more can be absorbed there is a gap, and the next
   coefficient begins a new digit; it must be at least g times the extent (or above a guard's bound
   on the digit), so that no two cells stand for one element; an array that is only read does
   without. Literal coefficients of such an array that do not divide each other (in[2*p + 3*t])
   share a digit of their common factor, gaps and all. Which of two coefficients is smaller is a
   sign query. The digits of a dimension are listed by falling stride, so that the last coordinate
   runs over neighbours in memory. */
#include "ir/access/footprint.h"

struct candidate {
    int iterator;
    bool reversed, done;
    const struct poly *coefficient, *span;    /* span = number of values - 1 */
};

static size_t candidates_collect(struct analysis *analysis, const struct box *box,
                                 const struct form *subscript, struct candidate *candidates)
{
    size_t n = 0;
    for (int i = 0; i < subscript->n_terms; i++) {
        const struct form_term *term = &subscript->terms[i];
        if (!iterator_in_tile(analysis, term->iterator))
            continue;
        int direction = context_direction(box->context, term->coefficient);
        const struct range *range = &box->ranges[term->iterator];
        if (direction == 2 || !range->lo || !range->hi)
            return SIZE_MAX;
        const struct poly *c = direction < 0 ? poly_neg(term->coefficient) : term->coefficient;
        const struct form *span = form_sub(analysis, range->hi, range->lo);
        const struct poly *most = form_extreme(analysis, box->context, NULL, span, true);
        if (!most)
            return SIZE_MAX;
        candidates[n++] = (struct candidate){term->iterator, direction < 0, false, c, most};
    }
    return n;
}

/* The candidate left whose coefficient is at most every other's. If none is known to be: the first
   one where order does not matter, else SIZE_MAX. */
static size_t smallest(const struct box *box, const struct candidate *candidates, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool least = !candidates[i].done;
        const struct poly *c = candidates[i].coefficient;
        for (size_t k = 0; k < n && least; k++)
            least = candidates[k].done || k == i ||
                    context_at_least(box->context, candidates[k].coefficient, c);
        if (least)
            return i;
    }
    if (box->read_only)
        for (size_t i = 0; i < n; i++)
            if (!candidates[i].done)
                return i;
    return SIZE_MAX;
}

static void digit_take(struct digit *digit, struct digit_part *parts, struct candidate *candidate,
                       const struct poly *weight)
{
    candidate->done = true;
    parts[digit->n_parts++] = (struct digit_part){candidate->iterator, candidate->reversed, weight};
    digit->extent = poly_add(digit->extent, poly_mul(weight, candidate->span));
}

/* Absorbs one more iterator into the digit. */
static bool digit_absorb(const struct box *box, struct digit *digit, struct digit_part *parts,
                         struct candidate *candidates, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (candidates[i].done)
            continue;
        const struct poly *weight = poly_multiple(candidates[i].coefficient, digit->stride);
        if (!weight || !context_at_least(box->context, digit->extent, weight))
            continue;
        digit_take(digit, parts, &candidates[i], weight);
        return true;
    }
    return false;
}

/* The greatest common factor of the literal coefficients left. */
static int64_t literal_factor(const struct candidate *candidates, size_t n)
{
    int64_t common = 0, c;
    for (size_t i = 0; i < n; i++)
        if (!candidates[i].done && poly_get_integer(candidates[i].coefficient, &c))
            for (int64_t rest = c; rest;) {
                int64_t next = common % rest;
                common = rest;
                rest = next;
            }
    return common;
}

/* In an array that is only read: all literal coefficients in one digit, if the smallest does not
   divide the others. */
static void digit_gather(struct analysis *analysis, struct box *box, struct digit *digit,
                         struct digit_part *parts, struct candidate *candidates, size_t n)
{
    int64_t smallest, factor = literal_factor(candidates, n), c;
    if (!box->read_only || !poly_get_integer(digit->stride, &smallest) || factor == smallest ||
        factor == 0)
        return;
    box->gaps = true;
    digit->stride = poly_integer(analysis->ring, factor);
    for (size_t i = 0; i < n; i++)
        if (!candidates[i].done && poly_get_integer(candidates[i].coefficient, &c))
            digit_take(digit, parts, &candidates[i], poly_integer(analysis->ring, c / factor));
}

/* Does a guard of the reference bound the digit (with its part outside the tile) below the next
   stride? It must say 0 <= L <= b with the subscript containing m*L, the tile's part of L being
   exactly the digit. */
static bool guard_separates(struct analysis *analysis, const struct box *box,
                            const struct form *subscript, const struct digit *digit,
                            const struct poly *next)
{
    const struct access *access = box->members[0].access;
    for (size_t g = 0; g < access->n_guards; g++) {
        const struct form *guard = access->guards[g];
        const struct poly *scale = NULL;
        size_t in_tile = 0, found = 0;
        bool fits = true;
        for (int i = 0; i < guard->n_terms && fits; i++) {
            const struct poly *c = form_coefficient(subscript, guard->terms[i].iterator);
            const struct poly *m = c ? poly_divide_exact(poly_neg(c), guard->terms[i].coefficient)
                                     : NULL;
            fits = m && (!scale || poly_equal(m, scale));
            scale = m;
            in_tile += iterator_in_tile(analysis, guard->terms[i].iterator);
        }
        for (size_t i = 0; i < digit->n_parts; i++)
            found += form_coefficient(guard, digit->parts[i].iterator) != NULL;
        if (!fits || !scale || in_tile != found || found != digit->n_parts)
            continue;
        const struct form *sum = form_sub(analysis, form_constant(analysis, guard->constant),
                                          guard);
        const struct poly *least = form_extreme(analysis, box->context, NULL, sum, false);
        if (least && context_nonnegative(box->context, least) &&
            context_positive(box->context, poly_sub(next, poly_mul(scale, guard->constant))))
            return true;
    }
    return false;
}

/* May `above` follow `below`? Cells that stand for one element do no harm in an array that is
   only read. */
static bool digit_follows(struct analysis *analysis, struct box *box, const struct form *subscript,
                          const struct digit *above, const struct digit *below)
{
    if (!below ||
        context_at_least(box->context, above->stride, poly_mul(below->stride, below->extent)))
        return true;
    box->ambiguous = true;
    if (!box->read_only)
        return guard_separates(analysis, box, subscript, below, above->stride);
    return true;
}

bool digits_build(struct analysis *analysis, struct box *box, int dimension,
                  const struct form *subscript)
{
    struct candidate *candidates = ARENA_ARRAY(analysis->arena, struct candidate,
                                               subscript->n_terms + 1);
    size_t n = candidates_collect(analysis, box, subscript, candidates), left = n;
    const struct digit *below = NULL;
    int begin = box->n_digits;
    if (n == SIZE_MAX)
        return false;
    while (left > 0) {
        size_t first = smallest(box, candidates, n);
        if (first == SIZE_MAX || box->n_digits == DIGITS_MAX)
            return false;
        struct digit *digit = &box->digits[box->n_digits++];
        struct digit_part *parts = ARENA_ARRAY(analysis->arena, struct digit_part, n);
        *digit = (struct digit){dimension, candidates[first].coefficient,
                                poly_integer(analysis->ring, 1), 0, parts};
        digit_gather(analysis, box, digit, parts, candidates, n);
        if (!digit_follows(analysis, box, subscript, digit, below))
            return false;
        while (digit_absorb(box, digit, parts, candidates, n))
            continue;
        if (digit->n_parts == 0)
            return false;
        below = digit;
        for (left = 0, first = 0; first < n; first++)
            left += !candidates[first].done;
    }
    for (int low = begin, high = box->n_digits - 1; low < high; low++, high--) {
        struct digit swap = box->digits[low];
        box->digits[low] = box->digits[high];
        box->digits[high] = swap;
    }
    return true;
}

/* The literal m for which p - m*stride loses the stride's leading term. */
static int64_t leading_ratio(const struct poly *p, const struct poly *stride)
{
    int64_t n, d, sn, sd;
    unsigned e[RING_CAPACITY] = {0}, se[RING_CAPACITY] = {0};
    if (poly_terms(stride) == 0 || !poly_term(stride, 0, &sn, &sd, se))
        return 0;
    for (size_t i = 0; i < poly_terms(p); i++) {
        if (!poly_term(p, i, &n, &d, e))
            continue;
        bool same = true;
        for (int v = 0; v < ring_count(poly_ring(p)); v++)
            same &= e[v] == se[v];
        if (same && sn * d != 0 && (n * sd) % (sn * d) == 0)
            return n * sd / (sn * d);
    }
    return 0;
}

/* Greatest strides first; what a stride cannot take must be left for smaller ones, and nothing may
   be left over. */
bool digits_offset(struct analysis *analysis, const struct box *box, int dimension,
                   const struct poly *difference, int64_t *offsets)
{
    for (int k = 0; k < box->n_digits; k++) {
        if (box->digits[k].dimension != dimension)
            continue;
        offsets[k] = leading_ratio(difference, box->digits[k].stride);
        difference = poly_sub(difference, poly_mul(box->digits[k].stride,
                                                   poly_integer(analysis->ring, offsets[k])));
    }
    return poly_is_zero(difference);
}
