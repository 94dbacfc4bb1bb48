/* Predicted time of a launch.

   In: a machine, the figures of a kernel at given parameters. Out: nanoseconds, and the terms they
   come from. time = launch + the root of memory^2 + compute^2 + latency^2: the three go on at once,
   but never quite. memory is such a root, too: of bytes from device memory / bandwidth, bytes from
   the second-level cache / its bandwidth, cycles of the load-store units; compute = cycles of the
   busiest arithmetic unit or of the issue slots, for as many blocks as the busiest multiprocessor
   gets; latency = waves of resident blocks (treefork_occupancy) times what one thread waits for, so
   that low occupancy means many waves. Sectors of a warp and bank conflicts are counted lane by
   lane for the first warp (arrays begin at a line); what a block touches by the closed form of spec
   H-23 over its axes and innermost loops, for all references that walk an array alike together.
   Invariant: the same figures give the same prediction; more work never takes less. Device memory
   takes at least the time of the different bytes that a launch touches, where these do not fit into
   the second-level cache. It is a model: formula and what is left out: docs/counters.md; constants
   and their sources: model.def, machine.def. */
#include "runtime/internal.h"
#include <math.h>     /* HUGE_VAL alone: generated programs link without libm */

enum {
#define X(symbol, value, meaning, source) symbol = value,
#include "runtime/model.def"
#undef X
    LANES = 64,                   /* threads of a warp at most */
    PLACES = 512,
    AXES = 2 * TREEFORK_AXES
};

struct model {
    const int64_t *machine;
    const struct treefork_figures *figures;
    double warp, lanes;           /* threads of a warp; of them busy on average */
    double share, second_share;   /* first-level and second-level cache of one block */
    double base;                  /* what all references need there in one round */
    double blocks_most;           /* of the busiest multiprocessor */
    int next[TREEFORK_ACCESSES];  /* by access: the next one that is made and has the same leader,
                                     or -1 */
    bool leads[TREEFORK_ACCESSES];          /* the first one that is made of those */
    double first[TREEFORK_ACCESSES];        /* by leader: sectors of one round */
    double waits[TREEFORK_ACCESSES];        /* by phase: cycles */
    /* of one block */
    double memory_bytes, cache_bytes, port_cycles, port_sectors, instructions;
};

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

/* floor of a number >= 0. */
static double round_down(double a)
{
    return a < 9e15 ? (double)(int64_t)a : a;
}

static double round_up(double a)
{
    double down = round_down(a);
    return down < a ? down + 1 : down;
}

/* The root of a number >= 0, from above: Newton's method begun at or above it. */
static double root(double square, double above)
{
    double x = above;
    for (int i = 0; i < 60 && x > 0; i++) {
        double next = (x + square / x) / 2;
        if (next >= x)
            break;
        x = next;
    }
    return x;
}

/* The root of a^2 + b^2 + c^2: not below the largest, and smooth. */
static double norm(double a, double b, double c)
{
    double most = greater(a, greater(b, c));
    if (most <= 0)
        return 0;
    a /= most;
    b /= most;
    c /= most;
    return most * greater(1, root(a * a + b * b + c * c, a + b + c));
}

static const struct treefork_access *access_at(const struct treefork_figures *f, size_t number)
{
    return &f->accesses[f->order ? f->order[4 * number] : number];
}

static int leader_of(const struct treefork_figures *f, size_t number)
{
    return f->order ? f->order[4 * number + 1] : f->accesses[number].leader;
}

static int phase_of(const struct treefork_figures *f, size_t number)
{
    return f->order ? f->order[4 * number + 2] : f->accesses[number].phase;
}

static int64_t distance_of(const struct treefork_figures *f, size_t number)
{
    return f->order ? f->values[f->order[4 * number + 3]] : f->accesses[number].distance;
}

static double points_of(const struct treefork_access *a, double threads)
{
    double points = 1;
    for (int i = 0; i < a->n_axes; i++)
        points *= (double)(a->extent[i] > 0 ? a->extent[i] : 0);
    return a->n_axes ? points : threads;
}

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
static double one_sectors(const struct model *model, const struct treefork_access *a, int inner)
{
    const struct treefork_figures *f = model->figures;
    double *kept = f->warps ? &f->warps[a - f->accesses].sectors[inner] : NULL;
    if (kept && *kept > 0)
        return *kept;
    struct box box = box_of(a, inner);
    double sectors = box_sectors(&box);
    if (kept)
        *kept = sectors;
    return sectors;
}

/* Sectors that all accesses of a leader touch together, which walk one box at several places: along
   each axis the union of their places, but never more than all boxes apart. */
static double group_sectors(const struct model *model, size_t leader, int inner)
{
    const struct treefork_figures *f = model->figures;
    const struct treefork_access *a = access_at(f, leader);
    if (model->next[leader] < 0)
        return one_sectors(model, a, inner);
    struct box box = box_of(a, inner);
    double rest[TREEFORK_ACCESSES], at[TREEFORK_ACCESSES], one = box_sectors(&box), all = 1;
    int n = 0;
    for (int i = (int)leader; i >= 0; i = model->next[i])
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

/* Bytes that a block fetches for the accesses of a leader, from the second-level cache and from
   memory. */
struct fetch {
    double asked, cache, memory;
};

/* Of a pass through a loop: where the bytes of one round are kept until the next, each of the
   `distinct` sectors is fetched once, else those of a round are fetched again in each. A cache that
   is too small keeps a part. */
static double pass_fetched(double round_sectors, double trip, double distinct, double kept)
{
    double again = trip * round_sectors;
    return kept * least(distinct, again) + (1 - kept) * again;
}

static double kept_share(double share, double need)
{
    return need <= share ? 1 : share / need;
}

static struct fetch group_fetch(const struct model *model, size_t leader)
{
    const struct treefork_access *a = access_at(model->figures, leader);
    double rounds = (double)a->rounds, first = model->first[leader], now = first;
    double cache = first, memory = first;
    for (int inner = 1; inner <= a->n_loops && a->trip[inner - 1] > 0; inner++) {
        double trip = (double)a->trip[inner - 1], need = model->base + (now - first) * SECTOR;
        now = group_sectors(model, leader, inner);
        cache = pass_fetched(cache, trip, now, kept_share(model->share, need));
        memory = pass_fetched(memory, trip, now, kept_share(model->second_share, need));
        rounds /= trip;
    }
    return (struct fetch){(double)a->rounds * first * SECTOR, rounds * cache * SECTOR,
                          rounds * memory * SECTOR};
}

/* Of an access that is not affine each thread may stand anywhere. */
static struct fetch anywhere_fetch(const struct model *model, size_t number)
{
    const struct treefork_access *a = access_at(model->figures, number);
    double bytes = (double)a->rounds * points_of(a, (double)model->figures->threads) * SECTOR;
    return (struct fetch){bytes, bytes, bytes};
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

/* One access of a warp with so many lanes: sectors (of shared memory words) and cycles of the
   port. */
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

/* The same, kept for the next kernel that makes the access. */
static struct treefork_warp warp_of(const struct model *model, const struct treefork_access *a,
                                    int lanes)
{
    const struct treefork_figures *f = model->figures;
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

/* What the accesses of a leader fetch; cycles that a load among them waits on average. */
static double group_add(struct model *model, size_t leader)
{
    const struct treefork_access *a = access_at(model->figures, leader);
    struct fetch fetch = a->affine ? group_fetch(model, leader) : anywhere_fetch(model, leader);
    double missing = least(1, fetch.cache / fetch.asked),
           far = least(missing, fetch.memory / fetch.asked);
    double memory = (double)model->machine[TREEFORK_Y_G],
           first = (double)model->machine[TREEFORK_Y_S] * FIRST_PERCENT / 100;
    double second = greater(first, memory * SECOND_PERCENT / 100);
    model->cache_bytes += fetch.cache;
    model->memory_bytes += fetch.memory;
    return far * memory + (missing - far) * second + (1 - missing) * first;
}

/* Instructions of a point of the band for an access and its address. */
static double access_instructions(const struct treefork_access *a)
{
    double rounds = (double)a->rounds;
    double made = a->in_loop && a->n_loops > 0 ? rounds / greater(1, (double)a->trip[0]) : rounds;
    return rounds * (1 + a->advance) + made * a->address;
}

static void access_add(struct model *model, size_t number, double latency)
{
    const struct treefork_access *a = access_at(model->figures, number);
    double threads = (double)model->figures->threads, points = points_of(a, threads);
    double most = least(least(model->warp, threads), least(points, LANES));
    if (model->machine[TREEFORK_V_L] > model->machine[TREEFORK_W_B] && a->n_axes > 0)
        most = least(most, greater(1, (double)a->extent[a->n_axes - 1]));
    int lanes = most < 1 ? 1 : (int)most;
    if (points < 1)
        return;
    struct treefork_warp warp = warp_of(model, a, lanes);
    double warps = (double)a->rounds * round_up(points / lanes),
           passes = round_up(points / threads / BATCH);
    double rounds = a->overlaps && a->n_loops > 0 ? least(OVERLAP, (double)a->trip[0]) : 1;
    double *wait = &model->waits[phase_of(model->figures, number)];
    *wait = greater(*wait, (double)a->waits * passes / greater(1, rounds) * latency);
    model->port_cycles += warps * warp.cycles;
    model->port_sectors += a->shared ? 0 : warps * warp.units;
    model->instructions += points * access_instructions(a);
}

/* Operations of threads as cycles of a unit with so many lanes; warps that are not full pay for
   whole ones. */
static double unit_cycles(const struct model *model, double operations, int lanes)
{
    return operations * model->warp / model->lanes / (double)model->machine[lanes];
}

/* Links the accesses that are made to those before them with the same leader. */
static void model_link(struct model *model)
{
    const struct treefork_figures *f = model->figures;
    int last[TREEFORK_ACCESSES];
    for (size_t i = 0; i < f->n_accesses; i++)
        last[i] = -1;
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        int leader = leader_of(f, i);
        model->next[i] = -1;
        model->leads[i] = false;
        model->waits[i] = 0;
        if (a->rounds < 1 || points_of(a, (double)f->threads) < 1)
            continue;
        model->leads[i] = last[leader] < 0;
        if (last[leader] >= 0)
            model->next[last[leader]] = (int)i;
        last[leader] = (int)i;
    }
}

static void model_sum(struct model *model)
{
    const struct treefork_figures *f = model->figures;
    double latency[TREEFORK_ACCESSES] = { 0 };
    model_link(model);
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        if (!a->shared && a->affine && model->leads[i]) {
            model->first[i] = group_sectors(model, i, 0);
            model->base += model->first[i] * SECTOR;
        }
    }
    model->instructions = (double)f->instructions;
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        int leader = leader_of(f, i);
        if (a->shared)
            latency[leader] = (double)model->machine[TREEFORK_Y_S];
        else if (model->leads[i])
            latency[leader] = group_add(model, i);
        if (a->rounds >= 1)
            access_add(model, i, latency[leader]);
    }
}

static double model_wait(const struct model *model)
{
    double sum = 0;
    for (size_t i = 0; i < model->figures->n_accesses; i++)
        sum += model->waits[i];
    return sum;
}

static double second_cache(const int64_t *machine)
{
    int64_t bytes = machine[TREEFORK_L_D];
    return bytes == TREEFORK_UNLIMITED ? SECOND_CACHE : (double)bytes;
}

/* Threads of a warp that are busy on average. Vectors hold neighbours of the fastest axis alone. */
static double lanes_busy(const int64_t *machine, const struct treefork_figures *f)
{
    bool vectors = machine[TREEFORK_V_L] > machine[TREEFORK_W_B];
    double warp = (double)machine[vectors ? TREEFORK_V_L : TREEFORK_W_B],
           row = (double)(vectors && f->width > 0 ? f->width : f->threads);
    return row / round_up(row / warp);
}

static void model_terms(struct model *model, struct treefork_prediction *p)
{
    const struct treefork_figures *f = model->figures;
    const int64_t *m = model->machine;
    double blocks = (double)f->blocks, processors = (double)m[TREEFORK_M_D],
           cycle = 1e6 / (double)m[TREEFORK_K_D];
    double threads = (double)f->threads, busy = least(processors, blocks);
    double memory = blocks * model->memory_bytes;
    if (f->footprint > 0 && (double)f->footprint <= second_cache(m))
        memory = least(memory, (double)f->footprint);
    double ports = model->blocks_most * model->port_cycles * cycle;
    double cache = blocks * model->cache_bytes / CACHE_PORT / busy * cycle;
    double device = memory * 1e3 / (double)m[TREEFORK_V_D];
    p->memory = norm(device, cache, ports);
    double units = greater(unit_cycles(model, model->instructions, TREEFORK_P_I),
                           greater(unit_cycles(model, (double)f->floats, TREEFORK_P_S),
                                   unit_cycles(model, (double)f->doubles, TREEFORK_P_D)));
    p->compute = model->blocks_most * cycle * ((double)m[TREEFORK_Y_B] + units);
    p->instructions = model->instructions / threads;
    p->waits = model_wait(model);
    double waves = round_up(blocks / ((double)p->resident * processors));
    p->latency = waves *
                 (p->waits + ARITHMETIC * p->instructions +
                  (double)f->barriers * (double)m[TREEFORK_Y_F]) *
                 cycle;
    p->sum = device + cache + ports + p->compute + p->latency + blocks * cycle;
    p->memory_bytes = memory < 9e18 ? (int64_t)memory : INT64_MAX;
    p->sectors = blocks * model->port_sectors < 9e18 ? (int64_t)(blocks * model->port_sectors)
                                                     : INT64_MAX;
}

static bool figures_possible(const struct treefork_figures *f)
{
    bool ok = f->blocks >= 0 && f->threads >= 1 && f->floats >= 0 && f->doubles >= 0 &&
              f->instructions >= 0 && f->barriers >= 0 && f->n_accesses <= TREEFORK_ACCESSES;
    for (size_t i = 0; ok && i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        ok = a->bytes > 0 && a->bytes <= 16 && a->n_axes >= 0 && a->n_axes <= TREEFORK_AXES &&
             a->n_loops >= 0 && a->n_loops <= TREEFORK_AXES &&
             leader_of(f, i) <= (int)i && phase_of(f, i) <= (int)i;
    }
    return ok;
}

/* Which term is the longest. */
static const char *longest_term(const struct treefork_prediction *p)
{
    if (p->memory >= p->compute && p->memory >= p->latency)
        return "memory";
    return p->compute >= p->latency ? "compute" : "latency";
}

int treefork_predict(const struct treefork_machine *machine, const struct treefork_figures *figures,
                     struct treefork_prediction *prediction)
{
    struct treefork_occupancy occupancy;
    struct treefork_prediction p = {.launch = (double)machine->value[TREEFORK_Y_L]};
    if (!figures_possible(figures))
        return treefork_fail(TREEFORK_ARGUMENT, "these figures are of no kernel");
    int status = treefork_occupancy(machine, figures->threads, figures->registers,
                                    figures->shared_bytes, &occupancy);
    if (status)
        return status;
    p.resident = occupancy.blocks == TREEFORK_UNLIMITED ? 1 : occupancy.blocks;
    double warp = greater((double)machine->value[TREEFORK_W_B],
                          (double)machine->value[TREEFORK_V_L]);
    struct model model = {.machine = machine->value,
                          .figures = figures,
                          .warp = warp,
                          .lanes = lanes_busy(machine->value, figures),
                          .blocks_most = round_up((double)figures->blocks /
                                                  (double)machine->value[TREEFORK_M_D])};
    if (p.resident > 0 && figures->blocks > 0) {
        double together = least((double)p.resident, model.blocks_most),
               words = (double)machine->value[TREEFORK_Z_M];
        double first = machine->value[TREEFORK_Z_M] == TREEFORK_UNLIMITED ? FIRST_CACHE : 4 * words;
        model.share = greater(FIRST_LEAST, first - together * (double)figures->shared_bytes) /
                      together;
        double busy = least((double)machine->value[TREEFORK_M_D], (double)figures->blocks);
        model.second_share = greater(model.share, second_cache(machine->value) / (together * busy));
        model_sum(&model);
        model_terms(&model, &p);
    }
    if (machine->value[TREEFORK_V_L] > machine->value[TREEFORK_W_B] && figures->shared_bytes > 0) {
        p.compute *= STAGED;
        p.latency *= STAGED;
    }
    p.nanoseconds = p.resident > 0 ? p.launch + norm(p.memory, p.compute, p.latency)
                                   : HUGE_VAL;
    p.bound = longest_term(&p);
    *prediction = p;
    return TREEFORK_OK;
}

static int64_t sum_or_most(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

void treefork_prediction_add(struct treefork_prediction *sum,
                             const struct treefork_prediction *more)
{
    sum->nanoseconds += more->nanoseconds;
    sum->memory += more->memory;
    sum->compute += more->compute;
    sum->latency += more->latency;
    sum->launch += more->launch;
    sum->sum += more->sum;
    sum->instructions += more->instructions;
    sum->waits += more->waits;
    sum->memory_bytes = sum_or_most(sum->memory_bytes, more->memory_bytes);
    sum->sectors = sum_or_most(sum->sectors, more->sectors);
    if (sum->nanoseconds < NO_TIME)
        sum->bound = longest_term(sum);
    else if (more->nanoseconds >= NO_TIME)
        sum->bound = more->bound;
}

void treefork_handicap(const struct treefork_machine *machine, int64_t threads, int is_safe,
                       struct treefork_prediction *prediction)
{
    double times = (is_safe ? 1.25 : 1) * (threads < machine->value[TREEFORK_W_B] ? 2 : 1);
    prediction->nanoseconds *= times;
    prediction->sum *= times;
}

int treefork_faster(const struct treefork_prediction *a, const struct treefork_prediction *b)
{
    if (a->nanoseconds != b->nanoseconds)
        return a->nanoseconds < b->nanoseconds;
    return a->sum < b->sum;
}
