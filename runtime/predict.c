/* Predicted time of a launch.

   In: a machine, the figures of a kernel at given parameters. Out: nanoseconds, and the terms they
   come from. time = launch + the root of memory^2 + compute^2 + latency^2: the three go on at once,
   but never quite. memory is such a root, too: of bytes from device memory / bandwidth, bytes from
   the second-level cache / its bandwidth, cycles of the load-store units; compute = cycles of the
   busiest arithmetic unit or of the issue slots, for as many blocks as the busiest multiprocessor
   gets; latency = waves of resident blocks (treefork_resident) times what one thread waits for, so
   that low occupancy means many waves; beside it stands what few blocks with barriers do not hide
   of memory and compute. What warps and blocks touch is counted by sectors.c.
   Invariant: the same figures give the same prediction; more work never takes less. Device memory
   takes at least the time of the different bytes that a launch touches, where these do not fit into
   the second-level cache. It is a model: formula and what is left out: docs/counters.md; constants
   and their sources: model.def, machine.def. */
#include "runtime/joined.h"
#include "runtime/predict.h"
#include <math.h>     /* HUGE_VAL alone: generated programs link without libm */

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

/* Elements that a thread touches by the rounds that compilers write out: its points stand in such
   loops, or apart as accesses of their own. */
static double points_apart(const struct treefork_access *a)
{
    double points = 1;
    for (int i = 0; i < a->n_loops; i++)
        if (a->step[i] != 0)
            points *= greater(1, least(SHORT_LOOP, (double)a->trip[i]));
    return points;
}

/* Times as long that a launch computes whose threads store several elements of an array: compilers
   of CPU devices would have to prove the rows of a thread's points apart, and seldom make vectors
   of them: never of the 16 points of a thread of 4 by 4. Of threads with long loops: turns.c. */
static double apart_times(const struct model *model)
{
    const struct treefork_figures *f = model->figures;
    double stores = 1, lanes = (double)model->machine[TREEFORK_V_L];
    bool apart = false;
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        if (a->rounds < 1 || a->waits > 0 || a->shared || !model->leads[i])
            continue;
        stores = greater(stores, group_count(model, i) * points_apart(a));
        apart |= trips_of(a) > 1 || stores > 1;
    }
    double few = (double)model->machine[TREEFORK_V_A] / 100;
    double times = least(greater(few, lanes), few * greater(1, stores / APART_POINTS));
    return apart ? times : 1;
}

/* Where the last two axes are one row, its points are a plain loop: before it compilers compare
   where the rows that it stores begin and end, each with each, unless these are too many, and make
   vectors. */
static bool rows_are_compared(const struct model *model)
{
    const struct treefork_figures *f = model->figures;
    double comparisons = 0;
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        double stores = model->leads[i] && a->waits == 0 && !a->shared
                            ? group_count(model, i) * points_apart(a)
                            : 0;
        comparisons += stores * greater(0, stores - 1) / 2;
    }
    return f->loops > TREEFORK_LOOPS_JOINT && comparisons <= COMPARISONS;
}

/* Bytes that a block fetches for the accesses of a leader, from the second-level cache and from
   memory. */
struct fetch {
    double asked, cache, memory;
    double rounds;              /* of the leader */
};

static struct fetch group_fetch(const struct model *model, size_t leader)
{
    const struct treefork_access *a = access_at(model->figures, leader);
    double rounds = (double)a->rounds, first = model->first[leader], now = first;
    double cache = first, memory = first;
    for (int inner = 1; inner <= a->n_loops && a->trip[inner - 1] > 0; inner++) {
        double trip = (double)a->trip[inner - 1], need = model->base + (now - first) * SECTOR;
        now = treefork_sectors_group(model->figures, model->next, leader, inner);
        cache = pass_fetched(cache, trip, now, kept_share(model->share, need));
        memory = pass_fetched(memory, trip, now, kept_share(model->second_share, need));
        rounds /= trip;
    }
    return (struct fetch){.asked = (double)a->rounds * first * SECTOR,
                          .cache = rounds * cache * SECTOR,
                          .memory = rounds * memory * SECTOR};
}

/* Of an access that is not affine each thread may stand anywhere. */
static struct fetch anywhere_fetch(const struct model *model, size_t number)
{
    const struct treefork_access *a = access_at(model->figures, number);
    double bytes = (double)a->rounds * points_of(a, (double)model->figures->threads) * SECTOR;
    return (struct fetch){.asked = bytes, .cache = bytes, .memory = bytes};
}

/* The share of the longest threads' rounds that all threads make on average: each loop whose rounds
   grow with the place halves it. */
static double rounds_share(const struct model *model, const struct treefork_access *a)
{
    int slopes = has_vectors(model->machine) ? 0 : a->slopes;
    double share = 1;
    for (int i = 0; i < slopes; i++)
        share /= 2;
    return share;
}

/* The share of the longest threads' instructions: the greatest of their accesses in loops. */
static double slope_share(const struct model *model)
{
    const struct treefork_figures *f = model->figures;
    double most = 0;
    for (size_t i = 0; i < f->n_accesses; i++)
        if (access_at(f, i)->n_loops > 0)
            most = greater(most, rounds_share(model, access_at(f, i)));
    return most > 0 ? most : 1;
}

/* Adds the accesses of a leader to the model; the fetch that serves them. */
static struct fetch group_add(struct model *model, size_t leader)
{
    const struct treefork_access *a = access_at(model->figures, leader);
    struct fetch fetch = a->affine ? group_fetch(model, leader) : anywhere_fetch(model, leader);
    double share = rounds_share(model, a);
    fetch.rounds = (double)a->rounds;
    model->cache_bytes += fetch.cache * share;
    model->memory_bytes += fetch.memory * share;
    return fetch;
}

/* Cycles that a load waits for the first-level cache. */
static double first_latency(const struct model *model)
{
    return (double)model->machine[TREEFORK_Y_S] * FIRST_PERCENT / 100;
}

static double second_cache(const int64_t *machine)
{
    int64_t bytes = machine[TREEFORK_L_D];
    return bytes == TREEFORK_UNLIMITED ? SECOND_CACHE : (double)bytes;
}

/* Blocks one behind the other in a place of a multiprocessor. */
static double waves_of(const struct model *model)
{
    return round_up((double)model->figures->blocks /
                    (model->resident * (double)model->machine[TREEFORK_M_D]));
}

/* The share of all arrays that a cache holds; below a hundredth it counts as nothing. */
static double kept_of_all(double cache, double all)
{
    double kept = kept_share(cache, all);
    return kept < 0.01 ? 0 : kept;
}

/* The share of the waits for these bytes that the cache does not shorten: the first blocks wait in
   step, later ones find what it has kept of the bytes that were asked for before. */
static double late_share(const struct model *model, double asked, double cache)
{
    double all = (double)model->figures->footprint;
    bool repeats = all > 0 && asked > all && !has_vectors(model->machine);
    double later = 1 - 1 / waves_of(model);
    return repeats ? 1 - later * (1 - all / asked) * kept_of_all(cache, all) : 1;
}

/* Cycles that a load among these waits on average. */
static double fetch_latency(const struct model *model, const struct treefork_access *a,
                            struct fetch fetch)
{
    double own = waves_of(model) * model->resident * (double)a->waits / greater(1, fetch.rounds),
           all = own * (double)model->machine[TREEFORK_M_D], second = second_cache(model->machine),
           first_bytes = model->share * least(model->resident, model->blocks_most);
    double missing = least(1, fetch.cache / fetch.asked) *
                     late_share(model, own * fetch.cache, first_bytes);
    double far = least(missing, least(1, fetch.memory / fetch.asked) *
                                    late_share(model, all * fetch.memory, second));
    double memory = (double)model->machine[TREEFORK_Y_G], first = first_latency(model);
    double middle = greater(first, memory * SECOND_PERCENT / 100);
    return far * memory + (missing - far) * middle + (1 - missing) * first;
}

/* Bytes that blocks ask for until one asks again for what an earlier one has fetched: of blocks in
   a plane those of a row, since the block beside it in the row before is as far away. The plane
   counts as wide as it is high. */
static double asked_between(const struct model *model)
{
    double blocks = (double)model->figures->blocks;
    return root(blocks, greater(1, blocks)) * model->memory_bytes;
}

/* The bytes that come from behind a cache, of those that blocks ask for; all arrays have `all`
   bytes (0: not known). The cache keeps for other blocks what one has fetched, all of it where the
   bytes `between` the two fit, else a share; and blocks that run at once go through the arrays in
   step. */
static double fetched_once(const struct model *model, double asked, double all, double between,
                           double cache)
{
    if (all <= 0 || asked <= all)
        return asked;
    double again = (asked - all) * (1 - kept_of_all(cache, least(all, between)));
    return least(all + again, all * waves_of(model));
}

static double first_cache(const int64_t *machine)
{
    int64_t words = machine[TREEFORK_Z_M];
    return words == TREEFORK_UNLIMITED ? FIRST_CACHE : 4 * (double)words;
}

/* Fills in what comes from memory and from the second-level cache. On devices without warps cores
   share nothing but memory. */
static void model_reuse(struct model *model)
{
    const struct treefork_figures *f = model->figures;
    double all = (double)f->footprint, second = second_cache(model->machine),
           asked = (double)f->blocks * model->memory_bytes,
           own = model->blocks_most * model->cache_bytes,
           first = model->share * least(model->resident, model->blocks_most);
    model->once_cached = 1;
    model->device_bytes = has_vectors(model->machine) && all > 0 && all <= second ? 0 : asked;
    if (has_vectors(model->machine))
        return;
    model->device_bytes = fetched_once(model, asked, all, asked_between(model), second);
    if (own > 0)
        model->once_cached = fetched_once(model, own, all, all, first) / own;
}

/* Threads of a block side by side: of its last axis, or of its last two where these are one row. */
static double row_threads(const struct treefork_figures *f)
{
    double row = f->width > 0 ? (double)f->width : (double)f->threads;
    if (f->loops <= TREEFORK_LOOPS_JOINT || f->width < f->loops - TREEFORK_LOOPS_JOINT)
        return row;
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        if (a->n_axes > 1)
            return least((double)f->threads, row * (double)a->extent[a->n_axes - 2]);
    }
    return row;
}

/* Instructions of a point of the band for an access and its address. Copies of a loop's body share
   the step of most addresses, and the loop's own instructions, which have been counted for each
   round: the first access of the loop takes them off. */
static double access_instructions(const struct model *model, size_t number)
{
    const struct treefork_access *a = access_at(model->figures, number);
    bool has_copies = a->overlaps > 1 && !has_vectors(model->machine),
         is_first = phase_of(model->figures, number) == (int)number;
    double rounds = (double)a->rounds, copies = has_copies ? (double)a->overlaps : 1;
    double made = a->in_loop && a->n_loops > 0 ? rounds / greater(1, (double)a->trip[0]) : rounds;
    double shared = is_first ? TURN * (1 - 1 / copies) : 0;
    return rounds * greater(0, 1 + a->advance / copies - shared) + made * a->address;
}

/* Times as long that an access keeps the ports whose neighbours lie apart and are gathered into
   vectors, or scattered: where a row of threads fills one, and the threads are made vectors of. */
static double gather_times(const struct model *model, size_t number)
{
    const struct treefork_access *a = access_at(model->figures, number);
    if (!has_vectors(model->machine) || model->in_turn || model->apart > 1 || !a->affine ||
        a->shared || a->n_axes == 0)
        return 1;
    double lanes = (double)model->machine[TREEFORK_V_L] * 4 / a->bytes;
    int64_t stride = a->stride[a->n_axes - 1];
    bool lie_apart = stride >= SECTOR || stride <= -SECTOR;
    return lie_apart && (double)a->extent[a->n_axes - 1] >= greater(2, lanes)
               ? (double)model->machine[TREEFORK_V_G] / 100
               : 1;
}

/* Blocks that begin later are waited for where they run longest: of so many waves the average. */
static double longest_share(const struct model *model, double share)
{
    return share + (1 - share) / waves_of(model);
}

static void access_add(struct model *model, size_t number, double latency)
{
    const struct treefork_access *a = access_at(model->figures, number);
    double threads = (double)model->figures->threads, points = points_of(a, threads);
    double most = least(least(model->warp, threads), least(points, LANES));
    if (has_vectors(model->machine) && a->n_axes > 0) {
        double row = (double)a->extent[a->n_axes - 1];
        if (model->figures->loops > TREEFORK_LOOPS_JOINT)
            row = row_threads(model->figures);
        most = model->in_turn ? 1 : least(most, greater(1, row));
    }
    int lanes = most < 1 ? 1 : (int)most;
    if (points < 1)
        return;
    struct treefork_warp warp = treefork_sectors_warp(model->figures, a, lanes);
    double share = rounds_share(model, a),
           warps = share * (double)a->rounds * round_up(points / lanes),
           passes = round_up(points / threads / BATCH);
    double rounds = 1;
    if (a->overlaps && a->n_loops > 0)
        rounds = least(greater(OVERLAP, a->overlaps), (double)a->trip[0]);
    double *wait = &model->waits[phase_of(model->figures, number)];
    *wait = greater(*wait, (double)a->waits * longest_share(model, share) * passes /
                               greater(1, rounds) * latency);
    model->port_cycles += warps * warp.cycles * gather_times(model, number);
    model->port_sectors += a->shared ? 0 : warps * warp.units;
    model->instructions += share * points * access_instructions(model, number);
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
    struct fetch fetches[TREEFORK_ACCESSES] = {{0}};
    model_link(model);
    model->in_turn = treefork_turns_taken(model->machine, f);
    bool are_lanes = f->loops == TREEFORK_LOOPS_LANES || f->loops == TREEFORK_LOOPS_BLOCK;
    bool may_be_apart = has_vectors(model->machine) && !model->in_turn && !are_lanes &&
                        !rows_are_compared(model);
    model->apart = may_be_apart ? apart_times(model) : 1;
    if (model->in_turn)
        treefork_turns_sum(model);
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        if (!a->shared && a->affine && model->leads[i]) {
            model->first[i] = treefork_sectors_group(f, model->next, i, 0);
            model->base += model->first[i] * SECTOR;
        }
    }
    for (size_t i = 0; i < f->n_accesses; i++)
        if (!access_at(f, i)->shared && model->leads[i])
            fetches[leader_of(f, i)] = group_add(model, i);
    model_reuse(model);
    model->slope = slope_share(model);
    model->instructions = (double)f->instructions * model->slope;
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        int leader = leader_of(f, i);
        if (a->rounds >= 1)
            access_add(model, i, a->shared ? (double)model->machine[TREEFORK_Y_S]
                                           : fetch_latency(model, a, fetches[leader]));
    }
}

static double model_wait(const struct model *model)
{
    double sum = 0;
    for (size_t i = 0; i < model->figures->n_accesses; i++)
        sum += model->waits[i];
    return sum;
}

/* Threads of a warp that are busy on average. Vectors hold neighbours of the fastest axis alone. */
static double lanes_busy(const int64_t *machine, const struct treefork_figures *f)
{
    bool vectors = has_vectors(machine);
    double warp = (double)machine[vectors ? TREEFORK_V_L : TREEFORK_W_B],
           row = vectors ? row_threads(f) : (double)f->threads;
    return row / round_up(row / warp);
}

/* Cycles of a block that its rows of threads take beside what these do; more, where they are so
   many that compilers do not write them out. */
static double row_cycles(const struct model *model)
{
    const struct treefork_figures *f = model->figures;
    double rows = (double)f->threads / row_threads(f);
    double percent = rows > SHORT_LOOP ? ROWS_PERCENT : 100;
    double row = (double)model->machine[TREEFORK_V_R] * percent / 100;
    return has_vectors(model->machine) ? row * rows : 0;
}

/* Cycles of a block for threads that run one point after the other: no vectors are made of them,
   and each round waits for the addition of the one before. */
static double alone_cycles(const struct model *model)
{
    double sum = (double)model->machine[TREEFORK_V_S];
    return has_vectors(model->machine) ? (double)model->figures->alone * sum : 0;
}

/* Cycles that a thread waits in the rounds of points that run one after the other: in each for the
   first-level cache, since such rows are walked again and again, and for what is computed. */
static double parted_cycles(const struct model *model)
{
    double rounds = (double)model->figures->alone / (double)model->figures->threads;
    return has_vectors(model->machine) ? 0 : rounds * (first_latency(model) + PARTED * ARITHMETIC);
}

/* Cycles of a block for arithmetic, or to begin its instructions. */
static double block_units(const struct model *model)
{
    const struct treefork_figures *f = model->figures;
    if (model->in_turn)
        return treefork_turns_units(model);
    return greater(unit_cycles(model, model->instructions, TREEFORK_P_I),
                   greater(unit_cycles(model, (double)f->floats * model->slope, TREEFORK_P_S),
                           unit_cycles(model, (double)f->doubles * model->slope, TREEFORK_P_D)));
}

/* A block with barriers fetches and computes in turn: alone it takes the sum of both, of w blocks
   at once the w-th part is not hidden by the others. The time beside the two under the root. */
static double exposed(const struct model *model, double memory, double compute)
{
    double together = greater(1, least(model->resident, model->blocks_most));
    double hidden = norm(memory, compute, 0), late = (memory + compute - hidden) / together;
    return root(late * (2 * hidden + late), hidden + late);
}

static void model_terms(struct model *model, struct treefork_prediction *p)
{
    const struct treefork_figures *f = model->figures;
    const int64_t *m = model->machine;
    double blocks = (double)f->blocks, processors = (double)m[TREEFORK_M_D],
           cycle = 1e6 / (double)m[TREEFORK_K_D];
    double threads = (double)f->threads, busy = least(processors, blocks);
    double memory = model->device_bytes;
    double ports = model->blocks_most * model->port_cycles * cycle;
    double cache = blocks * model->cache_bytes * model->once_cached / CACHE_PORT / busy * cycle;
    if (model->in_turn) {
        ports /= HOST_PORTS * model->points;
        cache = model->blocks_most * model->fetched * cycle;
    }
    double device = memory * 1e3 / (double)m[TREEFORK_V_D];
    p->memory = norm(device, cache, ports);
    p->compute = model->blocks_most * cycle * ((double)m[TREEFORK_Y_B] + row_cycles(model) +
                                               alone_cycles(model) + block_units(model));
    p->instructions = model->instructions / threads;
    p->waits = model_wait(model);
    double waves = waves_of(model);
    double longest = p->instructions * longest_share(model, model->slope) / model->slope;
    bool waits = !has_vectors(m) || f->loops != TREEFORK_LOOPS_BLOCK;
    double barriers = waits ? (double)f->barriers * (double)m[TREEFORK_Y_F] : 0;
    p->latency = model->in_turn
                     ? model->blocks_most * (model->sums + barriers) * cycle
                     : waves * (p->waits + parted_cycles(model) + ARITHMETIC * longest + barriers) *
                           cycle;
    if (has_vectors(m) && f->shared_bytes > 0 && waits) {
        p->compute *= STAGED;
        p->latency *= STAGED;
    }
    p->compute *= model->apart;
    if (f->barriers > 0 && !has_vectors(m))
        p->latency = norm(p->latency, exposed(model, p->memory, p->compute), 0);
    p->sum = device + cache + ports + p->compute + p->latency + blocks * cycle;
    p->memory_bytes = memory < 9e18 ? (int64_t)memory : INT64_MAX;
    p->sectors = blocks * model->port_sectors < 9e18 ? (int64_t)(blocks * model->port_sectors)
                                                     : INT64_MAX;
}

static bool figures_possible(const struct treefork_figures *f)
{
    bool ok = f->blocks >= 0 && f->threads >= 1 && f->floats >= 0 && f->doubles >= 0 &&
              f->instructions >= 0 && f->barriers >= 0 && f->alone >= 0 &&
              f->n_accesses <= TREEFORK_ACCESSES;
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
    struct treefork_prediction p = {.launch = (double)machine->value[TREEFORK_Y_L]};
    if (!figures_possible(figures))
        return treefork_fail(TREEFORK_ARGUMENT, "these figures are of no kernel");
    int status = treefork_resident(machine, figures, &p.resident);
    if (status)
        return status;
    p.behind = p.launch * (has_vectors(machine->value) ? HOST_BEHIND : BEHIND) / 100;
    double warp = greater((double)machine->value[TREEFORK_W_B],
                          (double)machine->value[TREEFORK_V_L]);
    struct model model = {.machine = machine->value,
                          .figures = figures,
                          .warp = warp,
                          .lanes = lanes_busy(machine->value, figures),
                          .resident = (double)p.resident,
                          .blocks_most = round_up((double)figures->blocks /
                                                  (double)machine->value[TREEFORK_M_D])};
    if (p.resident > 0 && figures->blocks > 0) {
        double together = least((double)p.resident, model.blocks_most),
               first = first_cache(machine->value);
        model.share = greater(FIRST_LEAST, first - together * (double)figures->shared_bytes) /
                      together;
        double busy = least((double)machine->value[TREEFORK_M_D], (double)figures->blocks);
        model.second_share = greater(model.share, second_cache(machine->value) / (together * busy));
        model_sum(&model);
        model_terms(&model, &p);
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

/* `begin`: ns until it begins. */
static void prediction_add(struct treefork_prediction *sum, const struct treefork_prediction *more,
                           double begin)
{
    sum->nanoseconds += more->nanoseconds - more->launch + begin;
    sum->memory += more->memory;
    sum->compute += more->compute;
    sum->latency += more->latency;
    sum->launch += begin;
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

void treefork_prediction_add(struct treefork_prediction *sum,
                             const struct treefork_prediction *more)
{
    prediction_add(sum, more, more->behind);
}

bool treefork_joins_launches(const struct treefork_machine *machine)
{
    return machine->value[TREEFORK_A_D] > 0;
}

void treefork_prediction_join(const struct treefork_machine *machine,
                              struct treefork_prediction *sum,
                              const struct treefork_prediction *more)
{
    double cycles = ARRIVAL * (double)machine->value[TREEFORK_Y_G];
    prediction_add(sum, more, cycles * 1e6 / (double)machine->value[TREEFORK_K_D]);
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
