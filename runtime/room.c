/* Room for the arrays of a region. In: a run with a leaf. Out: OK where its arrays fit into the
   device's memory; else MEMORY, before anything is copied. On a device with members each of them
   may have windows of the arrays, the bytes that its blocks touch in all launches of the leaf;
   launches that are not cut run on the first member, which has whole arrays then. Where nothing
   fits the message says how many devices would do. */
#include "runtime/cut.h"
#include "runtime/execution.h"
#include "runtime/group.h"
#include <inttypes.h>
#include <string.h>

/* Members that share the blocks of launches: `weight` NULL: each gets as many as the others. */
struct shares {
    size_t count;
    const int64_t *weight;
};

/* Bytes of the memory of one device. */
struct need {
    uint64_t sum, largest;
};

static bool need_fits(const struct treefork_device *device, const struct need *need)
{
    return (!device->memory_all || need->sum <= device->memory_all) &&
           (!device->memory_one || need->largest <= device->memory_one);
}

static void need_add(struct need *need, uint64_t bytes)
{
    need->sum += bytes;
    need->largest = bytes > need->largest ? bytes : need->largest;
}

/* Has the array memory of the library's? */
static bool array_counts(const struct execution *x, size_t array)
{
    bool is_partial = x->region->arrays[array].access & TREEFORK_PARTIAL;
    return is_partial ||
           (x->arrays[array] && !treefork_attached_find(x->device, x->arrays[array]));
}

static int need_whole(struct execution *x, struct need *need)
{
    int status = TREEFORK_OK;
    *need = (struct need){0, 0};
    for (size_t i = 0; i < x->region->n_arrays && !status; i++) {
        treefork_int bytes;
        status = treefork_evaluation_bytes(&x->evaluation, i, &bytes);
        if (!status && array_counts(x, i))
            need_add(need, (uint64_t)bytes);
    }
    return status;
}

/* --- windows ---------------------------------------------------------------------------------- */

static int64_t weights_before(const struct shares *shares, size_t member)
{
    int64_t sum = 0;
    for (size_t i = 0; i < member; i++)
        sum += shares->weight ? shares->weight[i] : 1;
    return sum;
}

/* Arrays that are on the first member alone keep launches whole. */
static bool arrays_spread(const struct execution *x)
{
    bool all = true;
    for (size_t i = 0; i < x->region->n_arrays; i++)
        all = all && !(x->arrays[i] && treefork_attached_find(x->device, x->arrays[i]));
    return all;
}

/* Does a launch that runs whole touch the array? A launch without rows may touch all arrays. */
static bool launch_touches(const struct treefork_cut *cut, size_t array)
{
    bool touches = cut->count == 0;
    for (size_t i = 0; i < cut->count && !touches; i++)
        touches = cut->rows[i].array == array;
    return touches;
}

/* The window of an array that a launch needs on a member; a launch that does not run there needs no
   bytes. */
static struct treefork_row launch_window(const struct treefork_cut *cut,
                                         const struct shares *shares, size_t member, size_t array,
                                         size_t bytes)
{
    int64_t sum = weights_before(shares, shares->count);
    int64_t before = weights_before(shares, member);
    int64_t behind = weights_before(shares, member + 1);
    struct treefork_row window = treefork_row_of(0, 0);
    if (cut->reason || sum <= 0)
        return treefork_row_of(0, member || !launch_touches(cut, array) ? 0 : bytes);
    treefork_int from = treefork_cut_share(cut->extent, before, sum);
    treefork_int to = treefork_cut_share(cut->extent, behind, sum);
    if (to > from && !treefork_cut_window(cut, array, from, to, bytes, &window))
        return treefork_row_of(0, bytes);
    return window;
}

/* The window of all launches together. */
static uint64_t array_window(struct execution *x, const struct shares *shares, size_t member,
                             size_t array, size_t bytes)
{
    size_t begin = bytes, end = 0;
    bool is_spread = arrays_spread(x);
    for (size_t i = 0; i < x->leaf->count; i++) {
        struct treefork_cut cut = treefork_cut_of(&x->evaluation, x->leaf->first + i);
        if (!is_spread)
            cut.reason = "an array is on the first device alone";
        struct treefork_row window = launch_window(&cut, shares, member, array, bytes);
        if (!window.bytes)
            continue;
        begin = window.begin < begin ? window.begin : begin;
        end = window.begin + window.bytes > end ? window.begin + window.bytes : end;
    }
    return end > begin ? end - begin : 0;
}

static int need_of(struct execution *x, const struct shares *shares, size_t member,
                   struct need *need)
{
    int status = TREEFORK_OK;
    *need = (struct need){0, 0};
    for (size_t i = 0; i < x->region->n_arrays && !status; i++) {
        treefork_int bytes;
        status = treefork_evaluation_bytes(&x->evaluation, i, &bytes);
        if (!status && array_counts(x, i))
            need_add(need, array_window(x, shares, member, i, (size_t)bytes));
    }
    return status;
}

/* The first member whose windows do not fit; `count`: all fit. */
static size_t member_without(struct execution *x, const struct shares *shares, struct need *need)
{
    size_t member = 0;
    while (member < shares->count && !need_of(x, shares, member, need) &&
           need_fits(x->device, need))
        member++;
    return member;
}

/* --- a refusal -------------------------------------------------------------------------------- */

/* The least number of devices of this memory that would do; 0: no number of members does. */
static size_t devices_enough(struct execution *x)
{
    struct need need;
    size_t count = 2;
    while (count <= TREEFORK_MEMBERS_MAX &&
           member_without(x, &(struct shares){count, NULL}, &need) < count)
        count++;
    return count <= TREEFORK_MEMBERS_MAX ? count : 0;
}

static int room_refuse(struct execution *x, const char *why)
{
    size_t count = devices_enough(x);
    char reason[512];
    snprintf(reason, sizeof reason, "%s", why);
    if (!count)
        return treefork_fail(TREEFORK_MEMORY, "%s; no number of such devices up to %d would do",
                             reason, TREEFORK_MEMBERS_MAX);
    return treefork_fail(TREEFORK_MEMORY, "%s; %zu such devices would do (TREEFORK_DEVICES)",
                         reason, count);
}

/* --- devices ---------------------------------------------------------------------------------- */

static int room_alone(struct execution *x, const struct need *whole)
{
    int status = treefork_buffers_find_room(x->device, x->region->name, whole->sum, whole->largest);
    bool is_short = status == TREEFORK_MEMORY && !need_fits(x->device, whole);
    return is_short ? room_refuse(x, treefork_message()) : status;
}

/* The members that share launches of the run, but for those that were dropped. */
static struct treefork_shares shares_now(const struct execution *x,
                                         const struct treefork_group *group)
{
    struct treefork_shares shares = *x->shares;
    for (size_t i = 0; i < shares.count; i++)
        shares.weight[i] = group->weight[i] ? shares.weight[i] : 0;
    return shares;
}

/* Fewer members than there are may be fastest, and have no memory: then all of them share the
   launches. */
static bool shares_widen(struct execution *x, const struct treefork_group *group)
{
    struct treefork_shares all = {.count = group->count};
    struct need need;
    memcpy(all.weight, group->weight, sizeof all.weight);
    const struct shares shares = {all.count, all.weight};
    if (x->are_devices_given || member_without(x, &shares, &need) < all.count)
        return false;
    *x->shares = all;
    return true;
}

static int room_among(struct execution *x, const struct need *whole)
{
    struct treefork_group *group = x->device->group;
    struct treefork_shares now = shares_now(x, group);
    const struct shares shares = {now.count, now.weight};
    struct need need = *whole;
    char why[400];
    if (need_fits(x->device, whole))
        return TREEFORK_OK;
    size_t member = member_without(x, &shares, &need);
    if (member == shares.count || shares_widen(x, group)) {
        group->windows = true;
        return TREEFORK_OK;
    }
    snprintf(why, sizeof why,
             "%s needs %" PRIu64 " words for its arrays, %" PRIu64 " of them on device %zu of %zu, "
             "which has %" PRIu64,
             x->region->name, (whole->sum + 3) / 4, (need.sum + 3) / 4, member + 1, shares.count,
             x->device->memory_all / 4);
    return room_refuse(x, why);
}

int treefork_room_find(struct execution *x)
{
    struct need whole;
    int status = need_whole(x, &whole);
    if (status || x->device->shares)
        return status;
    return x->device->group ? room_among(x, &whole) : room_alone(x, &whole);
}
