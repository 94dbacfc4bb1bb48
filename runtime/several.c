/* Predicted time on several devices. In: the tables of a region at a point, the machines of the
   devices; out: for a number of devices the cut of each launch, the bytes that they hand to each
   other, and the time:

     the longest of the parts' kernels + launches, (G - 1) Y_H of them + the longest of the devices'
     copies, Y_P + bytes / V_P each.

   Bytes are counted as if the region had run before and would run again, and every array that a
   region of the function writes lay cut over the devices: a device gets what a part reads and the
   part of another device has. Part k has of an array what it writes; of an array that the launch
   only reads, the middle of what it reads, so that what neighbours both read goes half to each;
   of what all parts read alike, its share of the blocks. First copies from the host and the last
   way home are left out, so that a choice depends on devices and sizes alone.

   A launch that cannot be cut runs on the first device, which gets all of those arrays. */
#include "runtime/several.h"
#include <string.h>

/* --- bytes ------------------------------------------------------------------------------------ */

struct handing {
    struct treefork_evaluation *e;
    const struct treefork_cut *cut;
    const struct treefork_part_row *row;    /* of reading */
    const struct treefork_part_row *own;    /* of writing the same array; NULL: none compares */
    size_t members;
    const treefork_int *end;
    treefork_int step, middle;
    treefork_int all_from, all_to;          /* what all parts read together */
};

struct subscripts {
    treefork_int from, to;
};

static treefork_int begin_of(const treefork_int *end, size_t member)
{
    return member ? end[member - 1] : 0;
}

static double value_or_0(struct treefork_evaluation *e, uint16_t number)
{
    treefork_int value;
    return number != TREEFORK_NONE && treefork_evaluation_value(e, number, &value)
               ? (double)value : 0;
}

/* Do all parts together write subscripts that all parts together read? A launch may read one half
   of an array and write the other. */
static bool rows_meet(struct treefork_evaluation *e, const struct treefork_cut *cut,
                      const struct treefork_part_row *a, const struct treefork_part_row *b)
{
    struct subscripts x, y;
    return treefork_part_subscripts(e, a, 0, cut->extent, &x.from, &x.to) &&
           treefork_part_subscripts(e, b, 0, cut->extent, &y.from, &y.to) && x.from < y.to &&
           y.from < x.to;
}

static bool row_compares(struct treefork_evaluation *e, const struct treefork_cut *cut,
                         const struct treefork_part_row *own, const struct treefork_part_row *row)
{
    return row->step == TREEFORK_NONE ||
           (value_or_0(e, own->unit) == value_or_0(e, row->unit) && rows_meet(e, cut, own, row));
}

/* The launch's row of writing the array, with the same subscripts; NULL: there is none. */
static const struct treefork_part_row *own_row(struct treefork_evaluation *e,
                                               const struct treefork_cut *cut,
                                               const struct treefork_part_row *row)
{
    for (size_t i = 0; i < cut->count; i++) {
        const struct treefork_part_row *own = &cut->rows[i];
        bool is_met = false;
        if (own->array == row->array && own->access == TREEFORK_WRITE &&
            own->step != TREEFORK_NONE && treefork_part_counts(e, own, &is_met) && is_met &&
            row_compares(e, cut, own, row))
            return own;
    }
    return NULL;
}

/* The subscripts that a part reads, none of a part without blocks. */
static struct subscripts part_reads(const struct handing *h, size_t member)
{
    struct subscripts s = {0, 0};
    treefork_int f = begin_of(h->end, member), t = h->end[member];
    if (t <= f || !treefork_part_subscripts(h->e, h->row, f, t, &s.from, &s.to))
        s = (struct subscripts){0, 0};
    return s;
}

/* The share of the blocks before this one of a range. */
static treefork_int share_of(const struct handing *h, treefork_int length, treefork_int block)
{
    return (treefork_int)((double)length * (double)block / (double)h->cut->extent);
}

static struct subscripts part_has(const struct handing *h, size_t member)
{
    struct subscripts s = {0, 0};
    treefork_int f = begin_of(h->end, member), t = h->end[member];
    bool fits = t > f;
    if (fits && h->own) {
        fits = treefork_part_subscripts(h->e, h->own, f, t, &s.from, &s.to);
    } else if (fits && h->step == 0) {
        treefork_int length = h->all_to - h->all_from;
        s.from = h->all_from + share_of(h, length, f);
        s.to = h->all_from + share_of(h, length, t);
    } else if (fits) {
        int wrong = 0;
        s.from = treefork_add(treefork_mul(h->step, f, &wrong), h->middle, &wrong);
        s.to = treefork_add(treefork_mul(h->step, t, &wrong), h->middle, &wrong);
        fits = !wrong && treefork_part_clip(h->e, h->row, &s.from, &s.to);
    }
    return fits ? s : (struct subscripts){0, 0};
}

/* Bytes of an array of which every part reads all. */
static double whole_bytes(const struct handing *h, double all, size_t member)
{
    treefork_int f = begin_of(h->end, member), t = h->end[member];
    if (!h->own)
        return all * (double)(t - f) / (double)h->cut->extent;
    struct subscripts s = part_has(h, member);
    return (double)(s.to - s.from) * value_or_0(h->e, h->own->unit) *
           value_or_0(h->e, h->own->pieces);
}

static double both_bytes(const struct handing *h, struct subscripts a, struct subscripts b)
{
    treefork_int from = a.from > b.from ? a.from : b.from, to = treefork_least(a.to, b.to);
    return to > from ? (double)(to - from) * value_or_0(h->e, h->row->unit) *
                           value_or_0(h->e, h->row->pieces)
                     : 0;
}

/* A copy of so many bytes from one device to another, in nanoseconds of the machine that gets
   them. */
static double copy_time(const struct treefork_machine *machine, double bytes)
{
    return (double)machine->value[TREEFORK_Y_P] +
           bytes * 1e3 / (double)machine->value[TREEFORK_V_P];
}

/* Bytes that the devices get, and nanoseconds of their copies by device. */
struct handed {
    struct treefork_several_launch *launch;
    const struct treefork_several *several;
    double time[TREEFORK_MEMBERS_MAX];
};

static void hand_over(struct handed *handed, size_t from, size_t to, double bytes)
{
    if (bytes <= 0)
        return;
    handed->launch->bytes[from][to] += bytes;
    handed->time[to] += copy_time(handed->several->machine[to], bytes);
}

static void whole_hand(const struct handing *h, struct handed *handed)
{
    treefork_int bytes = 0;
    if (treefork_evaluation_bytes(h->e, h->row->array, &bytes))
        return;
    for (size_t from = 0; from < h->members; from++) {
        double has = whole_bytes(h, (double)bytes, from);
        for (size_t to = 0; to < h->members; to++)
            if (to != from && h->end[to] > begin_of(h->end, to))
                hand_over(handed, from, to, has);
    }
}

/* The host joins the copies of an array in which parts add up; they count as if the first device
   got them of the others. */
static void sums_hand(const struct handing *h, struct handed *handed)
{
    treefork_int bytes = 0;
    if (treefork_evaluation_bytes(h->e, h->row->array, &bytes))
        return;
    for (size_t from = 1; from < h->members; from++)
        if (h->end[from] > begin_of(h->end, from))
            hand_over(handed, from, 0, (double)bytes);
}

static void row_hand(struct handing *h, struct handed *handed)
{
    struct subscripts has[TREEFORK_MEMBERS_MAX];
    treefork_int from = 0, to = 0;
    if (!treefork_evaluation_value(h->e, h->row->step, &h->step) ||
        !treefork_evaluation_value(h->e, h->row->from, &from) ||
        !treefork_evaluation_value(h->e, h->row->to, &to) ||
        !treefork_part_subscripts(h->e, h->row, 0, h->cut->extent, &h->all_from, &h->all_to))
        return;
    h->middle = from + (to - from) / 2;
    for (size_t i = 0; i < h->members; i++)
        has[i] = part_has(h, i);
    for (size_t k = 0; k < h->members; k++) {
        struct subscripts reads = part_reads(h, k);
        for (size_t i = 0; i < h->members; i++)
            if (i != k)
                hand_over(handed, i, k, both_bytes(h, reads, has[i]));
    }
}

/* All bytes that the parts of a launch hand to each other. */
static void cut_hand(struct treefork_evaluation *e, const struct treefork_cut *cut,
                     const struct treefork_shares *shares, struct handed *handed)
{
    for (size_t i = 0; i < cut->count; i++) {
        struct handing h = {.e = e,
                            .cut = cut,
                            .row = &cut->rows[i],
                            .members = shares->count,
                            .end = handed->launch->end};
        bool is_met = false;
        if (!e->region->arrays[h.row->array].moves || h.row->access == TREEFORK_WRITE ||
            !treefork_part_counts(e, h.row, &is_met) || !is_met)
            continue;
        if (treefork_part_reduction(h.row)) {
            sums_hand(&h, handed);
            continue;
        }
        h.own = own_row(e, cut, h.row);
        if (h.row->step == TREEFORK_NONE)
            whole_hand(&h, handed);
        else
            row_hand(&h, handed);
    }
}

/* A launch that runs whole: the first device gets what lies on the others. */
static void alone_hand(struct treefork_evaluation *e, const struct treefork_shares *shares,
                       struct handed *handed)
{
    double sum = 0;
    for (size_t i = 0; i < shares->count; i++)
        sum += (double)shares->weight[i];
    if (sum <= 0)
        return;
    for (size_t a = 0; a < e->region->n_arrays; a++) {
        treefork_int bytes = 0;
        if (!e->region->arrays[a].moves || treefork_evaluation_bytes(e, a, &bytes))
            continue;
        for (size_t i = 1; i < shares->count; i++)
            hand_over(handed, i, 0, (double)bytes * (double)shares->weight[i] / sum);
    }
}

/* --- a launch --------------------------------------------------------------------------------- */

static double most_time(const double *time, size_t members)
{
    double most = 0;
    for (size_t i = 0; i < members; i++)
        most = time[i] > most ? time[i] : most;
    return most;
}

/* Cuts the launch and counts; nanoseconds of its copies are added to each->copies. */
static double launch_cut(struct treefork_evaluation *e, const struct treefork_several *several,
                         const struct treefork_shares *shares, size_t number,
                         struct treefork_several_launch *launch,
                         struct treefork_several_each *each)
{
    struct treefork_cut cut = treefork_cut_of(e, number);
    struct handed handed = {.launch = launch, .several = several};
    memset(launch, 0, sizeof *launch);
    launch->reason = cut.reason;
    launch->is_last = cut.is_last;
    launch->extent = cut.extent;
    treefork_shares_cut(shares, cut.reason ? 0 : cut.extent, launch->end);
    if (shares->count > 1 && cut.reason)
        alone_hand(e, shares, &handed);
    else if (shares->count > 1)
        cut_hand(e, &cut, shares, &handed);
    for (size_t i = 0; i < shares->count; i++)
        each->copies[i] += handed.time[i];
    return most_time(handed.time, shares->count);
}

void treefork_several_launch(struct treefork_evaluation *e, const struct treefork_several *several,
                             const struct treefork_shares *shares,
                             const struct treefork_leaf_row *leaf, size_t launch,
                             struct treefork_several_launch *result)
{
    struct treefork_several_each each = {0};
    launch_cut(e, several, shares, leaf->first + launch, result, &each);
}

/* --- kernels ---------------------------------------------------------------------------------- */

/* The figures of a launch with all its blocks; false where no time is predicted. */
static bool figures_find(struct treefork_evaluation *e, const struct treefork_leaf_row *leaf,
                         size_t launch, struct treefork_figures *figures)
{
    const struct treefork_launch_row *row = &e->region->launches[leaf->first + launch];
    struct treefork_launch plan = {0};
    return row->figures != TREEFORK_NONE &&
           treefork_evaluation_plan(e, row, leaf->id, &plan) == TREEFORK_OK &&
           treefork_evaluation_figures(e, row, leaf->id, &plan, figures) == TREEFORK_OK;
}

/* Adds what the parts take to a run's time, the longest of them, and to each device's. False where
   no time is predicted. */
static bool kernels_add(const struct treefork_several *several, struct treefork_figures *figures,
                        const struct treefork_several_launch *launch, size_t members, bool is_first,
                        struct treefork_several_time *time, struct treefork_several_each *each)
{
    int64_t all = figures->blocks;
    double longest = 0, begin = 0;
    size_t parts = 0;
    for (size_t i = 0; i < members; i++) {
        struct treefork_prediction p;
        treefork_int blocks = launch->end[i] - begin_of(launch->end, i);
        bool is_whole = launch->reason && i == 0;
        if (!is_whole && (launch->reason || blocks <= 0))
            continue;
        figures->blocks = is_whole ? all : all / launch->extent * blocks;
        if (treefork_predict(several->machine[i], figures, &p) || p.nanoseconds >= NO_TIME)
            return false;
        double kernel = p.nanoseconds - p.launch, host = is_first ? p.launch : p.behind;
        longest = kernel > longest ? kernel : longest;
        begin = host > begin ? host : begin;
        each->kernels[i] += kernel;
        parts++;
    }
    time->kernels += longest;
    time->rest += begin;
    if (parts > 1)
        time->rest += (double)(parts - 1) * (double)several->machine[0]->value[TREEFORK_Y_H];
    return true;
}

static const struct treefork_several_time no_time = {.nanoseconds = NO_TIME};

static struct treefork_several_time shares_time(struct treefork_evaluation *e,
                                                const struct treefork_several *several,
                                                const struct treefork_leaf_row *leaf,
                                                const struct treefork_shares *shares,
                                                struct treefork_several_each *each)
{
    struct treefork_several_time time = {0};
    for (size_t i = 0; i < leaf->count; i++) {
        struct treefork_several_launch launch;
        struct treefork_figures figures = {0};
        if (!figures_find(e, leaf, i, &figures))
            return no_time;
        time.copies += launch_cut(e, several, shares, leaf->first + i, &launch, each);
        if (figures.blocks > 0 &&
            !kernels_add(several, &figures, &launch, shares->count, i == 0, &time, each))
            return no_time;
    }
    time.nanoseconds = time.kernels + time.copies + time.rest;
    return time;
}

/* --- shares ----------------------------------------------------------------------------------- */

static bool machines_equal(const struct treefork_several *several, size_t members)
{
    bool equal = true;
    for (size_t i = 1; i < members; i++)
        equal = equal && memcmp(several->machine[i]->value, several->machine[0]->value,
                                sizeof several->machine[0]->value) == 0;
    return equal;
}

/* One over the time on each machine, in thousandths of the fastest's. */
static void weights_predict(struct treefork_evaluation *e, const struct treefork_several *several,
                            const struct treefork_leaf_row *leaf, struct treefork_shares *shares)
{
    enum { WEIGHT_MOST = 1000 };
    const struct treefork_shares alone = {.count = 1, .weight = {1}};
    double time[TREEFORK_MEMBERS_MAX], least = NO_TIME;
    for (size_t i = 0; i < shares->count; i++) {
        struct treefork_several one = {.count = 1, .machine = {several->machine[i]}};
        struct treefork_several_each each = {0};
        struct treefork_several_time now = shares_time(e, &one, leaf, &alone, &each);
        time[i] = now.kernels;
        least = now.nanoseconds < NO_TIME && now.kernels < least ? now.kernels : least;
    }
    if (least >= NO_TIME)
        return;
    for (size_t i = 0; i < shares->count; i++)
        shares->weight[i] = time[i] > 0 ? (int64_t)(WEIGHT_MOST * least / time[i] + 0.5)
                                        : WEIGHT_MOST;
}

struct treefork_shares treefork_several_shares(struct treefork_evaluation *e,
                                               const struct treefork_several *several,
                                               const struct treefork_leaf_row *leaf,
                                               size_t members)
{
    struct treefork_shares shares = {.count = members};
    for (size_t i = 0; i < members; i++)
        shares.weight[i] = several->weight ? several->weight[i] : 1;
    if (!several->weight && members > 1 && !machines_equal(several, members))
        weights_predict(e, several, leaf, &shares);
    return shares;
}

struct treefork_several_time treefork_several_time(struct treefork_evaluation *e,
                                                   const struct treefork_several *several,
                                                   const struct treefork_leaf_row *leaf,
                                                   size_t members)
{
    struct treefork_shares shares = treefork_several_shares(e, several, leaf, members);
    struct treefork_several_each each = {0};
    return shares_time(e, several, leaf, &shares, &each);
}

bool treefork_several_each(struct treefork_evaluation *e, const struct treefork_several *several,
                           const struct treefork_leaf_row *leaf,
                           const struct treefork_shares *shares,
                           struct treefork_several_each *each)
{
    return shares_time(e, several, leaf, shares, each).nanoseconds < NO_TIME;
}

/* --- how many --------------------------------------------------------------------------------- */

/* Several devices have to save an eighth of the time. */
static bool pays(double one, double several)
{
    return several * 8 < one * 7;
}

size_t treefork_several_given(const struct treefork_several *several)
{
    size_t only = several->only < several->count ? several->only : several->count;
    return only ? only : several->weight ? several->count : 0;
}

size_t treefork_several_least(struct treefork_evaluation *e,
                              const struct treefork_several *several,
                              const struct treefork_leaf_row *leaf,
                              struct treefork_several_time *time)
{
    size_t best = 0;
    *time = no_time;
    for (size_t n = 2; n < 2 * several->count; n *= 2) {
        size_t members = n < several->count ? n : several->count;
        struct treefork_several_time now = treefork_several_time(e, several, leaf, members);
        if (now.nanoseconds < time->nanoseconds) {
            best = members;
            *time = now;
        }
    }
    return best;
}

size_t treefork_several_choose(struct treefork_evaluation *e,
                               const struct treefork_several *several,
                               const struct treefork_leaf_row *leaf,
                               struct treefork_several_time *time)
{
    size_t best = treefork_several_given(several);
    if (best) {
        *time = treefork_several_time(e, several, leaf, best);
        return best;
    }
    struct treefork_several_time one = treefork_several_time(e, several, leaf, 1), least;
    *time = one;
    if (one.nanoseconds >= NO_TIME)
        return several->count;
    best = treefork_several_least(e, several, leaf, &least);
    if (!best || !pays(one.nanoseconds, least.nanoseconds))
        return 1;
    *time = least;
    return best;
}
