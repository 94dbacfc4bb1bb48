/* Sectors that accesses touch.

   In: an access at given parameters: bytes, strides and extents of its axes, steps and trips of its
   loops. Out: units (sectors of memory, words of shared memory) that one access of a warp touches,
   counted lane by lane for the first warp, as arrays begin at a line; sectors that the accesses of
   a block touch together in some rounds of their innermost loops, by closed forms over boxes (spec
   H-23). Invariant: several accesses together touch at least what the first one does, and at most
   the sum of all. */
#include "runtime/sectors.h"

enum { PLACES = 512, AXES = 2 * TREEFORK_AXES };

/* --- a warp ----------------------------------------------------------------------------------- */

/* Bytes at which the first lanes of the band stand; their number. */
static int lanes_place(const struct treefork_access *a, int lanes, int64_t *bytes)
{
    int64_t at[TREEFORK_AXES] = { 0 }, offset = 0;
    for (int lane = 0; lane < lanes; lane++) {
        bytes[lane] = offset;
        int i = a->n_axes - 1;
        for (; i >= 0; i--) {
            offset = (int64_t)((uint64_t)offset + (uint64_t)a->stride[i]);
            if (++at[i] < a->extent[i])
                break;
            offset = (int64_t)((uint64_t)offset - (uint64_t)a->extent[i] * (uint64_t)a->stride[i]);
            at[i] = 0;
        }
        if (i < 0)
            return lane + 1;
    }
    return lanes;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Numbers of the units of `unit` bytes that the lanes touch, each once. Most lanes go upwards: a
   unit above all before it is new. */
static int units_touched(const int64_t *bytes, int lanes, int size, int unit, int64_t *units)
{
    int64_t last = INT64_MIN;
    int count = 0;
    for (int lane = 0; lane < lanes; lane++)
        for (int64_t u = floor_divide(bytes[lane], unit);
             u <= floor_divide(bytes[lane] + size - 1, unit); u++) {
            int k = u > last ? -1 : count - 1;
            while (k >= 0 && units[k] != u)
                k--;
            if (k < 0 && count < PLACES)
                units[count++] = u;
            last = u > last ? u : last;
        }
    return count;
}

/* Cycles of the shared memory for one access of a warp: the busiest bank's words. */
static int bank_cycles(const int64_t *words, int count)
{
    int of[BANKS] = { 0 }, most = 1;
    for (int i = 0; i < count; i++) {
        int *bank = &of[(words[i] % BANKS + BANKS) % BANKS];
        *bank += 1;
        most = *bank > most ? *bank : most;
    }
    return most;
}

/* Units of `unit` bytes that lanes in a row touch, which go on by at most a unit from one to the
   next: all of the span. 0 if they are not like that. */
static int run_units(const struct treefork_access *a, int lanes, int unit)
{
    int last = a->n_axes - 1;
    if (!a->affine || last < 0 || a->extent[last] < lanes || a->stride[last] > unit ||
        a->stride[last] < -unit)
        return 0;
    int64_t end = (lanes - 1) * a->stride[last], low = end < 0 ? end : 0, high = end < 0 ? 0 : end;
    return (int)(floor_divide(high + a->bytes - 1, unit) - floor_divide(low, unit) + 1);
}

static struct treefork_warp warp_count(const struct treefork_access *a, int lanes)
{
    struct treefork_warp warp = {.lanes = lanes, .units = lanes, .cycles = lanes};
    int64_t bytes[LANES], units[PLACES];
    int span = run_units(a, lanes, a->shared ? 4 : SECTOR);
    if (span > 0) {
        warp.units = span;
        warp.cycles = a->shared ? (span + BANKS - 1) / BANKS : run_units(a, lanes, LINE);
    } else if (a->affine && a->n_axes > 0) {
        int touching = lanes_place(a, lanes, bytes);
        warp.units = units_touched(bytes, touching, a->bytes, a->shared ? 4 : SECTOR, units);
        warp.cycles = a->shared ? bank_cycles(units, warp.units)
                                : units_touched(bytes, touching, a->bytes, LINE, units);
    } else if (a->affine) {
        warp.units = warp.cycles = 1;
    }
    if (a->shared && !(a->affine && a->n_axes > 0))
        warp.cycles = 1;
    return warp;
}

struct treefork_warp treefork_sectors_warp(const struct treefork_figures *f,
                                           const struct treefork_access *a, int lanes)
{
    struct treefork_warp *kept = f->warps ? &f->warps[a - f->accesses] : NULL;
    if (kept && kept->lanes == lanes)
        return *kept;
    struct treefork_warp warp = warp_count(a, lanes);
    if (kept) {
        kept->lanes = warp.lanes;
        kept->units = warp.units;
        kept->cycles = warp.cycles;
    }
    return warp;
}

/* --- a block ---------------------------------------------------------------------------------- */

/* Steps of a block's box that are a sector or more, the longest first, and the bytes that the
   others span. */
struct box {
    int n;
    double step[AXES], extent[AXES];
    double span;
};

/* The box of the band's axes and the `inner` innermost loops. */
static struct box box_of(const struct treefork_access *a, int inner)
{
    struct box box = {.span = a->bytes - 1};
    for (int i = 0; i < a->n_axes + inner; i++) {
        double extent = (double)(i < a->n_axes ? a->extent[i] : a->trip[i - a->n_axes]);
        double step = (double)(i < a->n_axes ? a->stride[i] : a->step[i - a->n_axes]);
        step = step < 0 ? -step : step;
        if (step < SECTOR) {
            box.span += (extent - 1) * step;
            continue;
        }
        int at = box.n++;
        for (; at > 0 && box.step[at - 1] < step; at--) {
            box.step[at] = box.step[at - 1];
            box.extent[at] = box.extent[at - 1];
        }
        box.step[at] = step;
        box.extent[at] = extent;
    }
    return box;
}

static double box_sectors(const struct box *box)
{
    double sectors = round_down(box->span / SECTOR) + 1;
    for (int i = 0; i < box->n; i++)
        sectors *= box->extent[i];
    return sectors;
}

static void sort(double *at, int n)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && at[k - 1] > at[k]; k--) {
            double swapped = at[k];
            at[k] = at[k - 1];
            at[k - 1] = swapped;
        }
}

/* The length of the union of intervals of one length that begin at these n places. */
static double union_length(double *at, int n, double length)
{
    double sum = 0;
    sort(at, n);
    for (int i = 0; i < n; i++)
        sum += i + 1 < n ? least(length, at[i + 1] - at[i]) : length;
    return sum;
}

/* Sectors of the union of n stretches of span + 1 bytes; those of each piece of it apart. */
static double union_sectors(double *at, int n, double span)
{
    double sum = 0, begin;
    sort(at, n);
    begin = at[0];
    for (int i = 0; i < n; i++) {
        if (i + 1 < n && at[i + 1] - at[i] <= span + SECTOR)
            continue;
        sum += round_down((at[i] + span - begin) / SECTOR) + 1;
        begin = i + 1 < n ? at[i + 1] : begin;
    }
    return sum;
}

static double round_nearest(double a)
{
    return a < 0 ? -round_down(-a + 0.5) : round_down(a + 0.5);
}

/* Sectors that one access touches, kept for the next kernel that makes it. */
static double one_sectors(const struct treefork_figures *f, const struct treefork_access *a,
                          int inner)
{
    double *kept = f->warps ? &f->warps[a - f->accesses].sectors[inner] : NULL;
    if (kept && *kept > 0)
        return *kept;
    struct box box = box_of(a, inner);
    double sectors = box_sectors(&box);
    if (kept)
        *kept = sectors;
    return sectors;
}

/* The accesses of a leader walk one box at several places: counted is the union of their places
   along each axis, but never more than all boxes apart. */
double treefork_sectors_group(const struct treefork_figures *f, const int *next, size_t leader,
                              int inner)
{
    const struct treefork_access *a = access_at(f, leader);
    if (next[leader] < 0)
        return one_sectors(f, a, inner);
    struct box box = box_of(a, inner);
    double rest[TREEFORK_ACCESSES], at[TREEFORK_ACCESSES], one = box_sectors(&box), all = 1;
    int n = 0;
    for (int i = (int)leader; i >= 0; i = next[i])
        rest[n++] = (double)distance_of(f, (size_t)i);
    for (int axis = 0; axis < box.n; axis++) {
        for (int i = 0; i < n; i++) {
            at[i] = round_nearest(rest[i] / box.step[axis]);
            rest[i] -= at[i] * box.step[axis];
        }
        all *= union_length(at, n, box.extent[axis]);
    }
    all *= union_sectors(rest, n, box.span);
    return greater(one, least(all, n * one));
}
