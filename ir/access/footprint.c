/* In: a band and an array. Out: boxes, each the hull of the elements that a group of references
   touches in one execution of the band, as digits over the tile iterators (threads and their serial
   loops) around a base that depends on the rest.

   References with equal coefficients whose constants differ by literals of at most 8 per digit
   share a box (halos); others have boxes of their own. Boxes of read-only references may overlap;
   where one of two is written they must be disjoint over all steps of a block, else the array
   cannot be staged. References under conditions that exclude each other never share a box. Source:
   notes on footprints, "Footprint". */
#include "ir/access/footprint.h"

enum { HALO_MAX = 8 };

bool iterator_in_tile(const struct analysis *analysis, int iterator)
{
    return analysis->iterators.at[iterator].level >= LEVEL_THREAD;
}

const struct poly *box_extent(struct analysis *analysis, const struct box *box, int k)
{
    return poly_add(box->digits[k].extent,
                    poly_integer(analysis->ring, box->most[k] - box->least[k]));
}

int box_coordinates(struct analysis *analysis, const struct box *box)
{
    int first = (int)analysis->iterators.count;
    for (int k = 0; k < box->n_digits; k++) {
        struct iterator it = {.level = LEVEL_FRESH, .axis = -1};
        it.range.lo = form_integer(analysis, 0);
        it.range.hi = form_constant(analysis, poly_sub(box_extent(analysis, box, k),
                                                       poly_integer(analysis->ring, 1)));
        vec_push(analysis->arena, &analysis->iterators, it);
    }
    return first;
}

const struct form *box_element(struct analysis *analysis, const struct box *box, int d, int first)
{
    const struct form *sum = box->base[d];
    for (int k = 0; k < box->n_digits; k++) {
        if (box->digits[k].dimension != d)
            continue;
        const struct form *r = form_add(analysis, form_iterator(analysis, first + k),
                                        form_integer(analysis, box->least[k]));
        sum = form_add(analysis, sum, form_scale(analysis, r, box->digits[k].stride));
    }
    return sum;
}

/* The hulls of the tile iterators' ranges over iterators outside the band. */
static void ranges_collect(struct analysis *analysis, struct box *box, const struct access *access)
{
    size_t n = analysis->iterators.count;
    struct range *ranges = ARENA_ARRAY(analysis->arena, struct range, n + 1);
    bool *tile = ARENA_ARRAY(analysis->arena, bool, n + 1);
    for (size_t v = 0; v < n; v++)
        tile[v] = iterator_in_tile(analysis, (int)v);
    for (size_t v = 0; v < n; v++) {
        const struct range *own = &analysis->iterators.at[v].range;
        if (!tile[v] || !own->lo || !own->hi)
            continue;
        if ((int)v < access->n_ranges && access->ranges[v].lo)
            own = &access->ranges[v];
        ranges[v].lo = form_bound(analysis, box->context, access, own->lo, false, tile);
        ranges[v].hi = form_bound(analysis, box->context, access, own->hi, true, tile);
        bool used = false;
        for (int d = 0; d < box->array->n_dims; d++)
            used |= form_coefficient(access->subscripts[d], (int)v) != NULL;
        box->hull_ranges |= used && (own->lo->n_terms || own->hi->n_terms);
    }
    box->ranges = ranges;
}

/* What holds whatever the references do: the kernel's facts; what every member's loops imply is not
   assumed, since a box is also filled when they are empty. */
static struct box *box_new(struct analysis *analysis, const struct access *access)
{
    struct box *box = ARENA_NEW(analysis->arena, struct box);
    int n = access->reference.array->n_dims;
    const struct form **base = ARENA_ARRAY(analysis->arena, const struct form *, n);
    box->array = access->reference.array;
    box->band = access->band;
    box->context = analysis->context;
    box->read_only = true;
    for (size_t i = 0; i < analysis->accesses.count; i++)
        box->read_only &= analysis->accesses.at[i]->reference.array != box->array ||
                          !analysis->accesses.at[i]->reference.is_write;
    box->n_members = 1;
    box->members[0].access = access;
    ranges_collect(analysis, box, access);
    for (int d = 0; d < n; d++) {
        const struct form *subscript = access->subscripts[d];
        if (!digits_build(analysis, box, d, subscript))
            return NULL;
        base[d] = form_constant(analysis, subscript->constant);
        for (int i = 0; i < subscript->n_terms; i++) {
            const struct form_term *term = &subscript->terms[i];
            const struct form *v = form_iterator(analysis, term->iterator);
            if (iterator_in_tile(analysis, term->iterator)) {
                bool reversed = context_direction(box->context, term->coefficient) < 0;
                v = reversed ? box->ranges[term->iterator].hi : box->ranges[term->iterator].lo;
            }
            base[d] = form_add(analysis, base[d], form_scale(analysis, v, term->coefficient));
        }
    }
    box->base = base;
    return box;
}

/* Do the digits stay apart with the halo? */
static bool digits_apart(struct analysis *analysis, const struct box *box)
{
    for (int k = 0; k + 1 < box->n_digits; k++) {
        const struct poly *reach = poly_mul(box->digits[k + 1].stride,
                                            box_extent(analysis, box, k + 1));
        if (box->digits[k].dimension == box->digits[k + 1].dimension &&
            !context_at_least(box->context, box->digits[k].stride, reach))
            return false;
    }
    return true;
}

static bool ranges_equal(const struct analysis *analysis, const struct access *a,
                         const struct access *b)
{
    for (int v = 0; v < (int)analysis->iterators.count; v++) {
        const struct range *x = v < a->n_ranges ? &a->ranges[v] : NULL,
                           *y = v < b->n_ranges ? &b->ranges[v] : NULL;
        bool in_x = x && x->lo, in_y = y && y->lo;
        if (!iterator_in_tile(analysis, v) || (!in_x && !in_y))
            continue;
        bool used = false;
        for (int d = 0; d < a->reference.array->n_dims; d++)
            used |= form_coefficient(a->subscripts[d], v) != NULL;
        if (used && (!in_x || !in_y || !form_equal(x->lo, y->lo) || !form_equal(x->hi, y->hi)))
            return false;
    }
    return true;
}

static bool guards_equal(const struct access *a, const struct access *b)
{
    if (a->n_guards != b->n_guards)
        return false;
    for (size_t i = 0; i < a->n_guards; i++)
        if (!form_equal(a->guards[i], b->guards[i]))
            return false;
    return true;
}

/* Adds the reference to the box if it fits there. */
static bool box_join(struct analysis *analysis, struct box *box, const struct access *access,
                     bool exclusive)
{
    const struct access *first = box->members[0].access;
    struct member member = {access, {0}};
    if (box->n_members == MEMBERS_MAX || !ranges_equal(analysis, first, access))
        return false;
    if (exclusive)
        for (int i = 0; i < box->n_members; i++)
            if (!pair_compatible(analysis, box->members[i].access, access, true))
                return false;
    for (int d = 0; d < box->array->n_dims; d++) {
        const struct form *difference = form_sub(analysis, access->subscripts[d],
                                                 first->subscripts[d]);
        if (difference->n_terms ||
            !digits_offset(analysis, box, d, difference->constant, member.offsets))
            return false;
    }
    struct box old = *box;
    for (int k = 0; k < box->n_digits; k++) {
        int64_t offset = member.offsets[k];
        if (offset > HALO_MAX || offset < -HALO_MAX)
            return false;
        box->least[k] = offset < box->least[k] ? offset : box->least[k];
        box->most[k] = offset > box->most[k] ? offset : box->most[k];
    }
    bool halo = false;
    for (int k = 0; k < box->n_digits; k++)
        halo |= box->least[k] < box->most[k];
    bool apart = box->ambiguous ? !halo && guards_equal(first, access)
                                : digits_apart(analysis, box);
    if (!apart && !box->read_only) {
        *box = old;
        return false;
    }
    box->members[box->n_members++] = member;
    return true;
}

static bool box_written(const struct box *box)
{
    bool written = false;
    for (int i = 0; i < box->n_members; i++)
        written |= box->members[i].access->reference.is_write;
    return written;
}

static bool boxes_disjoint(struct analysis *analysis, const struct box *a, const struct box *b)
{
    for (int i = 0; i < a->n_members; i++)
        for (int k = 0; k < b->n_members; k++)
            if (!analysis_disjoint(analysis, a->members[i].access, b->members[k].access))
                return false;
    return true;
}

static const char *boxes_check(struct analysis *analysis, const struct footprint *footprint)
{
    for (size_t i = 0; i < footprint->boxes.count; i++)
        for (size_t k = i + 1; k < footprint->boxes.count; k++) {
            const struct box *a = footprint->boxes.at[i], *b = footprint->boxes.at[k];
            if ((box_written(a) || box_written(b)) && !boxes_disjoint(analysis, a, b))
                return "a written part of the array may overlap another part that is staged";
        }
    return NULL;
}

/* One node shared by references of two boxes could not be told apart when it is rewritten. */
static bool reference_shared(const struct footprint *footprint, const struct access *access)
{
    for (size_t i = 0; i < footprint->boxes.count; i++)
        for (int k = 0; k < footprint->boxes.at[i]->n_members; k++) {
            const struct reference *r = &footprint->boxes.at[i]->members[k].access->reference;
            if ((r->load && r->load == access->reference.load) ||
                (r->store && r->store == access->reference.store))
                return true;
        }
    return false;
}

static struct footprint footprint_try(struct analysis *analysis, const struct stmt *band,
                                      const struct array *array, bool exclusive)
{
    struct footprint footprint = {0};
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *access = analysis->accesses.at[i];
        if (access->band != band || access->reference.array != array)
            continue;
        footprint.failure = access->unknown;
        if (!footprint.failure && reference_shared(&footprint, access))
            footprint.failure = "one reference stands in two places";
        if (footprint.failure)
            return footprint;
        bool joined = false;
        for (size_t k = 0; k < footprint.boxes.count && !joined; k++)
            joined = box_join(analysis, footprint.boxes.at[k], access, exclusive);
        struct box *box = joined ? NULL : box_new(analysis, access);
        if (!joined && !box) {
            footprint.failure = "a subscript is no number with digits of the threads' iterators";
            return footprint;
        }
        if (box)
            vec_push(analysis->arena, &footprint.boxes, box);
    }
    footprint.failure = boxes_check(analysis, &footprint);
    return footprint;
}

struct footprint footprint_collect(struct analysis *analysis, const struct stmt *band,
                                   const struct array *array)
{
    struct footprint footprint = footprint_try(analysis, band, array, true);
    if (!footprint.failure)
        return footprint;
    struct footprint merged = footprint_try(analysis, band, array, false);
    return merged.failure ? footprint : merged;
}
