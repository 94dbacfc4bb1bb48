/* In: the box of an array in a band. Out: who touches its elements, from which follows what a copy
   in shared memory saves.

   A box is *streamed* if a copy would save nothing: no element is touched by two iterations of the
   band, but for rounds of loops over which its thread keeps it in a register, and neighbouring
   threads touch neighbouring elements as they are. It is *crossed* if
   neighbouring threads go down a column while a copy would go along the rows, so that the copy
   coalesces where they do not; and *shared* if one axis of the band does not matter to the place
   while another one does, so that several threads of a block, but not all, touch one element.

   Streamed: every iterator of the band and of its serial loops must be a part of a digit, each part
   as heavy as what lies below it, so that no two iterations have the same cell, or that of a loop
   around which the element is promoted (access_is_kept); and all references
   must be at one place, so that they touch the same cell in one iteration. The iterator of the
   fastest axis must have weight 1 in the last digit, the one along which a copy would go. What
   cannot be proved is not streamed. */
#include "ir/access/footprint.h"

/* The part of the box's digits that is the iterator; *digit: which one. NULL if there is none. */
static const struct digit_part *part_of(const struct box *box, int iterator, int *digit)
{
    for (*digit = 0; *digit < box->n_digits; (*digit)++)
        for (size_t i = 0; i < box->digits[*digit].n_parts; i++)
            if (box->digits[*digit].parts[i].iterator == iterator)
                return &box->digits[*digit].parts[i];
    return NULL;
}

static bool iterator_is_single(const struct access *access, int iterator)
{
    const struct range *range = &access->ranges[iterator];
    return range->lo && range->hi && form_equal(range->lo, range->hi);
}

/* Do different values of the digit's parts make different values of the digit? */
static bool digit_is_radix(struct analysis *analysis, const struct box *box,
                           const struct digit *digit)
{
    const struct poly *below = poly_integer(analysis->ring, 1);
    for (size_t i = 0; i < digit->n_parts; i++) {
        const struct digit_part *part = &digit->parts[i];
        const struct range *range = &box->ranges[part->iterator];
        const struct form *span = form_sub(analysis, range->hi, range->lo);
        if (span->n_terms || !context_at_least(box->context, part->weight, below))
            return false;
        below = poly_add(below, poly_mul(part->weight, span->constant));
    }
    return true;
}

/* Is every iterator of the band around the reference a part of a digit, or that of a loop over
   which the thread keeps the element? */
static bool iterations_differ(struct analysis *analysis, const struct box *box,
                              const struct access *access)
{
    for (size_t i = 0; i < access->n_path; i++) {
        int iterator = access->path[i].iterator, digit;
        if (iterator < 0 || !iterator_in_tile(analysis, iterator) ||
            iterator_is_single(access, iterator) || part_of(box, iterator, &digit))
            continue;
        if (analysis->iterators.at[iterator].level != LEVEL_SERIAL ||
            !access_is_kept(analysis, access, i))
            return false;
    }
    return true;
}

/* Does the step of the path enter an axis of the band, of more than one thread? */
static bool is_thread_axis(struct analysis *analysis, const struct access *access, size_t step)
{
    int iterator = access->path[step].iterator;
    return iterator >= 0 && analysis->iterators.at[iterator].level == LEVEL_THREAD &&
           !iterator_is_single(access, iterator);
}

/* The part of the box's digits that is the fastest axis of the band. */
static const struct digit_part *part_of_fastest(struct analysis *analysis, const struct box *box,
                                                const struct access *access, int *digit)
{
    for (size_t i = access->n_path; i-- > 0;)
        if (is_thread_axis(analysis, access, i))
            return part_of(box, access->path[i].iterator, digit);
    return NULL;
}

/* Do threads that follow each other touch elements that follow each other in a copy too? */
static bool threads_are_neighbours(struct analysis *analysis, const struct box *box,
                                   const struct access *access)
{
    int64_t weight;
    int digit;
    const struct digit_part *part = part_of_fastest(analysis, box, access, &digit);
    return part && digit + 1 == box->n_digits && poly_get_integer(part->weight, &weight) &&
           weight == 1;
}

bool box_is_streamed(struct analysis *analysis, const struct box *box)
{
    if (box->gaps || box->ambiguous || box->n_digits == 0)
        return false;
    for (int k = 0; k < box->n_digits; k++)
        if (box->least[k] < box->most[k] || !digit_is_radix(analysis, box, &box->digits[k]))
            return false;
    for (int m = 0; m < box->n_members; m++)
        if (!iterations_differ(analysis, box, box->members[m].access) ||
            !threads_are_neighbours(analysis, box, box->members[m].access))
            return false;
    return true;
}

bool box_is_crossed(struct analysis *analysis, const struct box *box)
{
    int digit;
    return part_of_fastest(analysis, box, box->members[0].access, &digit) &&
           digit + 1 < box->n_digits;
}

bool box_is_shared(struct analysis *analysis, const struct box *box)
{
    const struct access *access = box->members[0].access;
    bool matters = false, is_free = false;
    int digit;
    for (size_t i = 0; i < access->n_path; i++) {
        if (!is_thread_axis(analysis, access, i))
            continue;
        bool found = part_of(box, access->path[i].iterator, &digit) != NULL;
        matters |= found;
        is_free |= !found;
    }
    return matters && is_free;
}
