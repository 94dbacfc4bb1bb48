/* Predicted time of a launch.

   In: a machine, the figures of a kernel at given parameters. Out: nanoseconds, and the terms they
   come from. time = launch latency + max(memory, compute, latency), with memory = max(bytes from
   device memory / bandwidth, bytes from the second-level cache / its bandwidth, cycles of the
             load-store units), compute = cycles of the busiest arithmetic unit or of the issue
             slots, both for as many blocks as the busiest multiprocessor gets;
   latency = waves of resident blocks (treefork_occupancy) times what one thread waits for: low
   occupancy means many waves. Sectors of a warp and bank conflicts are counted lane by lane for the
   first warp (arrays begin at a line), lines of a block by the closed form of spec H-23 over its
   axes and the innermost loops that fit into the first-level cache.
   Invariant: the same figures give the same prediction; more work never takes less. It is a model:
   no number here was measured. Formula, constants and what is left out: docs/counters.md. */
#include "runtime/internal.h"
#include <math.h>     /* HUGE_VAL alone: generated programs link without libm */

/* Facts of the architectures that no query tells (sources in docs/counters.md). */
enum {
    SECTOR = 32,                  /* bytes that a warp's access moves at least */
    LINE = 128,                   /* bytes of a line: a warp's access takes a cycle of the port
                                     for each */
    BANKS = 32,
    CACHE_PORT = 32,              /* bytes that the second-level cache gives a multiprocessor
                                     per cycle */
    FIRST_CACHE = 65536,          /* bytes of first-level cache and shared memory where the machine
                                     does not tell */
    FIRST_LEAST = 16384,          /* of first-level cache at least */
    SECOND_CACHE = 1048576,       /* bytes of second-level cache where the machine does not tell */
    OVERLAP = 4,                  /* accesses of a thread under way at once */
    ARITHMETIC = 2,               /* cycles that a thread waits for an operation, half of it hidden
                                     by its own others */
    SPECIAL = 15,                 /* instructions more that a division or a function takes */
    LOOP = 2,                     /* instructions of a round of a loop */
    LANES = 64,                   /* threads of a warp at most */
    PLACES = 512
};

struct model {
    const int64_t *machine;
    const struct treefork_figures *figures;
    double warp, lanes;           /* threads of a warp; of them busy on average */
    double share, base;           /* first-level cache of one block; what all references need there
                                     in one round */
    double blocks_most;           /* of the busiest multiprocessor */
    /* of one block */
    double memory_bytes, cache_bytes, port_cycles, port_sectors, wait, accesses;
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

static const struct treefork_access *access_at(const struct treefork_figures *f, size_t number)
{
    return &f->accesses[f->order ? f->order[2 * number] : number];
}

/* Is it the first that walks its array with its steps? */
static bool leads(const struct treefork_figures *f, size_t number)
{
    int leader = f->order ? f->order[2 * number + 1] : f->accesses[number].leader;
    return leader == (int)number;
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

/* Lines of a block in one round of the loops outside the `inner` innermost ones (spec H-23): small
   steps add up to a span, large ones multiply. */
static double block_sectors(const struct treefork_access *a, int inner)
{
    double lines = 1, span = a->bytes - 1;
    for (int i = 0; i < a->n_axes + inner; i++) {
        double extent = (double)(i < a->n_axes ? a->extent[i] : a->trip[i - a->n_axes]);
        double step = (double)(i < a->n_axes ? a->stride[i] : a->step[i - a->n_axes]);
        step = step < 0 ? -step : step;
        if (step >= SECTOR)
            lines *= extent;
        else
            span += (extent - 1) * step;
    }
    return lines * (round_down(span / SECTOR) + 1);
}

/* Bytes that a block fetches for a reference: what the cache keeps over the innermost loops is
   fetched once. */
static double block_bytes(const struct model *model, const struct treefork_access *a)
{
    double rounds = (double)a->rounds, sectors = block_sectors(a, 0);
    if (!a->affine)
        return rounds * points_of(a, (double)model->figures->threads) * SECTOR;
    for (int inner = 1; inner <= a->n_loops && a->trip[inner - 1] > 0; inner++) {
        double more = block_sectors(a, inner);
        if (model->base + (more - block_sectors(a, 0)) * SECTOR > model->share)
            break;
        sectors = more;
        rounds /= (double)a->trip[inner - 1];
    }
    return rounds * sectors * SECTOR;
}

/* One access of a warp with so many lanes: sectors (of shared memory words) and cycles of the
   port. */
static struct treefork_warp warp_count(const struct treefork_access *a, int lanes)
{
    struct treefork_warp warp = {.lanes = lanes, .units = lanes, .cycles = lanes};
    int64_t bytes[LANES], units[PLACES];
    if (a->affine && a->n_axes > 0) {
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
    if (kept)
        *kept = warp;
    return warp;
}

static void access_add(struct model *model, size_t number)
{
    const struct treefork_access *a = access_at(model->figures, number);
    double threads = (double)model->figures->threads, points = points_of(a, threads);
    double most = least(least(model->warp, threads), least(points, LANES));
    int lanes = most < 1 ? 1 : (int)most;
    if (points < 1 || a->rounds < 1)
        return;
    struct treefork_warp warp = warp_of(model, a, lanes);
    double warps = (double)a->rounds * round_up(points / lanes),
           passes = round_up(points / threads);
    model->port_cycles += warps * warp.cycles;
    model->accesses += (double)a->rounds * points;
    double fetched = a->shared || !leads(model->figures, number) ? 0 : block_bytes(model, a);
    double asked = (double)a->rounds * (a->affine ? block_sectors(a, 0) : points) * SECTOR,
           missing = least(1, fetched / asked);
    model->wait += (double)a->rounds * passes / OVERLAP *
                   (missing * (double)model->machine[TREEFORK_Y_G] +
                    (1 - missing) * (double)model->machine[TREEFORK_Y_S]);
    model->port_sectors += a->shared ? 0 : warps * warp.units;
    model->cache_bytes += fetched;
}

/* Operations of threads as cycles of a unit with so many lanes; warps that are not full pay for
   whole ones. */
static double unit_cycles(const struct model *model, double operations, int lanes)
{
    return operations * model->warp / model->lanes / (double)model->machine[lanes];
}

static void model_sum(struct model *model)
{
    const struct treefork_figures *f = model->figures;
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        if (!a->shared && a->affine && leads(f, i))
            model->base += block_sectors(a, 0) * SECTOR;
    }
    for (size_t i = 0; i < f->n_accesses; i++)
        access_add(model, i);
}

static void model_terms(struct model *model, struct treefork_prediction *p)
{
    const struct treefork_figures *f = model->figures;
    const int64_t *m = model->machine;
    double blocks = (double)f->blocks, processors = (double)m[TREEFORK_M_D],
           cycle = 1e6 / (double)m[TREEFORK_K_D];
    double threads = (double)f->threads, busy = least(processors, blocks);
    double instructions = (double)f->floats + (double)f->doubles + (double)f->integers +
                          SPECIAL * (double)f->special + LOOP * (double)f->rounds + model->accesses;
    double memory = blocks * model->cache_bytes,
           second = (double)(m[TREEFORK_L_D] == TREEFORK_UNLIMITED ? SECOND_CACHE
                                                                   : m[TREEFORK_L_D]);
    if (f->footprint > 0 && (double)f->footprint <= second)
        memory = least(memory, (double)f->footprint);
    double ports = model->blocks_most * model->port_cycles * cycle;
    double cache = blocks * model->cache_bytes / CACHE_PORT / busy * cycle;
    double device = memory * 1e3 / (double)m[TREEFORK_V_D];
    p->memory = greater(greater(device, cache), ports);
    p->compute = model->blocks_most * cycle *
                 greater(unit_cycles(model, instructions, TREEFORK_P_I),
                         greater(unit_cycles(model, (double)f->floats, TREEFORK_P_S),
                                 unit_cycles(model, (double)f->doubles, TREEFORK_P_D)));
    double waves = round_up(blocks / ((double)p->resident * processors));
    p->latency = waves *
                 (model->wait + ARITHMETIC * instructions / threads +
                  (double)f->barriers * (double)m[TREEFORK_Y_S]) *
                 cycle;
    p->sum = device + cache + ports + p->compute + p->latency + blocks * cycle;
    p->memory_bytes = memory < 9e18 ? (int64_t)memory : INT64_MAX;
    p->sectors = blocks * model->port_sectors < 9e18 ? (int64_t)(blocks * model->port_sectors)
                                                     : INT64_MAX;
}

static bool figures_possible(const struct treefork_figures *f)
{
    bool ok = f->blocks >= 0 && f->threads >= 1 && f->floats >= 0 && f->doubles >= 0 &&
              f->integers >= 0 && f->special >= 0 && f->rounds >= 0 && f->barriers >= 0;
    for (size_t i = 0; ok && i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        ok = a->bytes > 0 && a->bytes <= 16 && a->n_axes >= 0 && a->n_axes <= TREEFORK_AXES &&
             a->n_loops >= 0 && a->n_loops <= TREEFORK_AXES;
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
    double warp = (double)machine->value[TREEFORK_W_B], threads = (double)figures->threads;
    struct model model = {.machine = machine->value,
                          .figures = figures,
                          .warp = warp,
                          .lanes = threads / round_up(threads / warp),
                          .blocks_most = round_up((double)figures->blocks /
                                                  (double)machine->value[TREEFORK_M_D])};
    if (p.resident > 0 && figures->blocks > 0) {
        double together = least((double)p.resident, model.blocks_most),
               words = (double)machine->value[TREEFORK_Z_M];
        double first = machine->value[TREEFORK_Z_M] == TREEFORK_UNLIMITED ? FIRST_CACHE : 4 * words;
        model.share = greater(FIRST_LEAST, first - together * (double)figures->shared_bytes) /
                      together;
        model_sum(&model);
        model_terms(&model, &p);
    }
    p.nanoseconds = p.resident > 0 ? p.launch + greater(p.memory, greater(p.compute, p.latency))
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
