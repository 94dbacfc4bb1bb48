/* Threads that run one after the other, on devices without warps.

   In: the model of a launch whose accesses are linked. Out: cycles of a block that its threads wait
   for their sums and for lines of the caches, and the lanes of a vector that the points of a thread
   fill. A compiler of a CPU device makes a loop of the threads of a block and vectorises innermost
   loops alone: threads that run a loop of their own take their turns, and each goes through the
   whole loop before the next begins. So what a thread touches has to stay in a cache until its
   neighbour wants the rest of the same lines; a cache is as large as the sets that a column reaches
   (steps of 2,048 bytes reach two of 64 sets: 16 lines of 512).
   Invariant: more accesses, rounds and threads never take less.
   Source: docs/counters.md. */
#include "runtime/predict.h"

/* A cache of one processor: sets of so many lines. */
struct cache {
    double sets, ways;
};

static const struct cache first_cache = {(double)HOST_CACHE / HOST_LINE / HOST_WAYS, HOST_WAYS},
                          second_cache = {(double)HOST_SECOND / HOST_LINE / HOST_WAYS, HOST_WAYS};

/* A loop that compilers do not write out keeps them from making vectors of the threads around it,
   unless barriers cut the threads' loop, or it stands outside of a loop over points (lanes) or
   threads (blocks of one thread). */
bool treefork_turns_taken(const int64_t *machine, const struct treefork_figures *f)
{
    if (!has_vectors(machine) || f->loops == TREEFORK_LOOPS_LANES ||
        f->loops == TREEFORK_LOOPS_BLOCK)
        return false;
    if (f->loops == TREEFORK_LOOPS_BARE)
        return true;
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        for (int k = 0; k < a->n_loops; k++)
            if (a->trip[k] > SHORT_LOOP)
                return true;
    }
    return false;
}

/* --- points as lanes -------------------------------------------------------------------------- */

/* Is there an access with this leader at that distance? */
static bool stands_at(const struct treefork_figures *f, int leader, int64_t distance)
{
    for (size_t i = 0; i < f->n_accesses; i++)
        if (leader_of(f, i) == leader && distance_of(f, i) == distance)
            return true;
    return false;
}

/* Accesses with the same leader that stand side by side, from this one on. */
static int64_t run_length(const struct treefork_figures *f, size_t number, int64_t bytes)
{
    int64_t count = 1, begin = distance_of(f, number);
    while (stands_at(f, leader_of(f, number), begin + count * bytes))
        count++;
    return count;
}

/* Lanes of a vector that an access fills with elements side by side, as accesses of their own or in
   a short loop. */
static double access_lanes(const struct model *model, size_t number)
{
    const struct treefork_figures *f = model->figures;
    const struct treefork_access *a = access_at(f, number);
    double most = (double)model->machine[TREEFORK_V_L] * 4 / a->bytes;
    double run = (double)run_length(f, number, a->bytes);
    if (a->n_loops > 0 && a->step[0] == a->bytes && a->trip[0] <= SHORT_LOOP)
        run = greater(run, (double)a->trip[0]);
    return least(most, run);
}

/* Do the threads of a row stand side by side, or as far apart as the points of each need? */
static bool is_along_row(const struct treefork_access *a)
{
    int64_t stride = a->n_axes > 0 ? a->stride[a->n_axes - 1] : 0;
    return !a->shared && a->affine && stride > 0 && stride <= SHORT_LOOP * a->bytes;
}

/* Lanes that a thread's points fill which load, in its loops, or store side by side along its
   row. */
static double lanes_along_row(const struct model *model, bool stored)
{
    const struct treefork_figures *f = model->figures;
    double lanes = 1;
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        if (is_along_row(a) && (stored ? a->waits == 0 : a->waits > 0 && a->n_loops > 0))
            lanes = greater(lanes, access_lanes(model, i));
    }
    return lanes;
}

/* Elements that the accesses of a leader touch, as one access each. */
static double distinct(const struct model *model, size_t leader)
{
    const struct treefork_figures *f = model->figures;
    double count = 0;
    for (int i = (int)leader; i >= 0; i = model->next[i]) {
        int k = (int)leader;
        while (k != i && distance_of(f, (size_t)k) != distance_of(f, (size_t)i))
            k = model->next[k];
        count += k == i;
    }
    return count;
}

/* Has a thread several rows of what it stores side by side? Then all of them take what it loads,
   and compilers gather that into vectors where it does not lie side by side. */
static bool has_rows_of_points(const struct model *model)
{
    for (size_t i = 0; i < model->figures->n_accesses; i++) {
        const struct treefork_access *a = access_at(model->figures, i);
        if (model->leads[i] && is_along_row(a) && a->waits == 0 &&
            distinct(model, i) >= 2 * access_lanes(model, i))
            return true;
    }
    return false;
}

/* Does each thread of a row walk through a row of its own? Then neighbours load elements that lie
   apart. */
static bool walks_apart(const struct model *model, size_t number)
{
    const struct treefork_access *a = access_at(model->figures, number);
    if (!model->leads[number] || a->shared || !a->affine || a->waits == 0 || a->n_axes == 0 ||
        a->n_loops == 0)
        return false;
    int64_t stride = a->stride[a->n_axes - 1], step = a->step[0];
    return stride > SECTOR && step != 0 && step <= a->bytes;
}

/* So many lanes of a thread's loops in the mean, where some of them load points side by side and
   others walk through a row for each point. */
static double lanes_of_loops(const struct model *model, double lanes)
{
    double along = 0, apart = 0;
    for (size_t i = 0; i < model->figures->n_accesses; i++) {
        const struct treefork_access *a = access_at(model->figures, i);
        double loads = model->leads[i] ? group_count(model, i) * (double)a->rounds : 0;
        if (walks_apart(model, i))
            apart += loads;
        else if (is_along_row(a) && a->waits > 0 && a->n_loops > 0)
            along += loads;
    }
    return along + apart > 0 ? (along + apart) / (along / lanes + apart) : lanes;
}

/* Lanes that the points of a thread fill. Points that barriers part from each other lie in memory
   of their own. */
static double points_lanes(const struct model *model)
{
    double stored = lanes_along_row(model, true);
    if (model->figures->shared_bytes > 0)
        return 1;
    return has_rows_of_points(model)
               ? stored
               : lanes_of_loops(model, least(lanes_along_row(model, false), stored));
}

double treefork_turns_units(const struct model *model)
{
    const struct treefork_figures *f = model->figures;
    const int64_t *m = model->machine;
    double lanes = (double)m[TREEFORK_V_L];
    double begun = model->instructions / (double)m[TREEFORK_P_I] * lanes,
           floats = (double)f->floats / (double)m[TREEFORK_P_S] * lanes,
           doubles = (double)f->doubles / (double)m[TREEFORK_P_D] * lanes / 2;
    return greater(begun, greater(floats, doubles)) / model->points;
}

/* --- sums ------------------------------------------------------------------------------------- */

/* Rounds of a thread's long loops around an access; short ones are its points. */
static double long_rounds(const struct treefork_access *a)
{
    double rounds = (double)a->rounds;
    for (int i = 0; i < a->n_loops; i++)
        if (a->trip[i] <= SHORT_LOOP)
            rounds /= greater(1, (double)a->trip[i]);
    return rounds;
}

/* Does a thread add to several elements in memory, round by round? Each sum then goes by way of
   memory, since the compiler does not know that the elements differ. */
static bool adds_in_memory(const struct model *model, size_t leader)
{
    const struct treefork_access *a = access_at(model->figures, leader);
    return a->waits == 0 && !a->shared && a->n_loops > 0 && a->trip[0] > SHORT_LOOP &&
           a->step[0] == 0 && group_count(model, leader) > 1;
}

/* Cycles that the threads wait for their sums: the sums of a thread's points go on at once, those
   of a round one after the other. Of rows of its own a thread loads element by element; where
   several rows a thread meet so many threads, or sums side by side, that they fill a vector,
   compilers gather the rows' elements, which takes longer than loading them. */
static double sums_cycles(const struct model *model)
{
    const struct treefork_figures *f = model->figures;
    double rounds = 0, rows = 1, loads = 0, threads = (double)f->threads, lanes = 1,
           sum = (double)model->machine[TREEFORK_V_S], times = 1;
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        if (a->waits > 0 && a->rounds >= 1)
            rounds = greater(rounds, long_rounds(a));
        if (model->leads[i] && adds_in_memory(model, i))
            times = MEMORY_SUM;
        if (!walks_apart(model, i))
            continue;
        lanes = greater(lanes, (double)model->machine[TREEFORK_V_L] * 4 / a->bytes);
        rows = greater(rows, group_count(model, i));
        loads += group_count(model, i);
    }
    if (rows > 1 && (threads >= lanes || lanes_along_row(model, true) >= lanes))
        loads *= (double)model->machine[TREEFORK_V_G] / 100;
    return rounds * threads * greater(sum * times, loads);
}

/* --- lines ------------------------------------------------------------------------------------ */

static int64_t magnitude(int64_t a)
{
    return a < 0 ? -a : a;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Places of the accesses of a leader that are a line or more apart from each other, modulo `cycle`
   bytes (0: as they are). */
static double places(const struct model *model, size_t leader, int64_t cycle)
{
    const struct treefork_figures *f = model->figures;
    double count = 0;
    for (int i = (int)leader; i >= 0; i = model->next[i]) {
        bool is_new = true;
        for (int k = (int)leader; k != i && is_new; k = model->next[k]) {
            int64_t apart = magnitude(distance_of(f, (size_t)i) - distance_of(f, (size_t)k));
            if (cycle > 0)
                apart = apart % cycle < cycle - apart % cycle ? apart % cycle
                                                               : cycle - apart % cycle;
            is_new = apart >= HOST_LINE;
        }
        count += is_new;
    }
    return count;
}

/* Lines that a thread touches by the accesses of a leader in some innermost loops. */
static double thread_lines(const struct model *model, size_t leader, int inner)
{
    const struct treefork_access *a = access_at(model->figures, leader);
    double lines = places(model, leader, 0);
    for (int i = 0; i < inner && i < a->n_loops; i++) {
        double step = (double)magnitude(a->step[i]), trip = greater(1, (double)a->trip[i]);
        lines *= greater(1, trip * least(1, step / HOST_LINE));
    }
    return lines;
}

/* Sets of a cache that these lines reach: all, unless the longest jumps of a loop come back to the
   same ones. */
static double sets_reached(const struct model *model, size_t leader, int inner, struct cache cache)
{
    const struct treefork_access *a = access_at(model->figures, leader);
    int64_t size = (int64_t)cache.sets * HOST_LINE;
    double reached = cache.sets;
    for (int i = 0; i < inner && i < a->n_loops; i++) {
        int64_t cycle = common_divisor(size, magnitude(a->step[i]));
        if (magnitude(a->step[i]) < HOST_LINE || a->trip[i] <= SHORT_LOOP || cycle <= HOST_LINE)
            continue;
        double jumps = (double)size / (double)cycle;
        reached = least(reached, jumps * least(places(model, leader, cycle),
                                               (double)cycle / HOST_LINE));
    }
    return reached;
}

/* Lines of the accesses of a leader that share a set of a cache. */
static double lines_of_set(const struct model *model, size_t leader, struct cache cache)
{
    const struct treefork_figures *f = model->figures;
    int64_t size = (int64_t)cache.sets * HOST_LINE;
    double most = 0;
    for (int i = (int)leader; i >= 0; i = model->next[i]) {
        double count = 0;
        for (int k = (int)leader; k >= 0; k = model->next[k]) {
            int64_t apart = magnitude(distance_of(f, (size_t)i) - distance_of(f, (size_t)k));
            count += apart % size == 0 && (apart > 0 || i == k);
        }
        most = greater(most, count);
    }
    return most;
}

/* Lines of a round in the busiest set of a cache, of what a thread loads at the same time: arrays
   whose rows meet in sets begin alike. */
static double lines_meeting(const struct model *model, struct cache cache)
{
    const struct treefork_figures *f = model->figures;
    double lines[TREEFORK_ACCESSES] = {0}, most = 0;
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        double here = model->leads[i] && !a->shared && a->affine ? lines_of_set(model, i, cache)
                                                                 : 0;
        double *met = &lines[phase_of(f, i)];
        *met += here > 1 ? here : 0;
        most = greater(most, *met);
    }
    return most;
}

/* How often what a thread touches in its innermost loops would fill a cache, or the sets of it
   that an array's lines reach, or where so many lines of a round meet. */
static double pressure(const struct model *model, int inner, struct cache cache, double meeting)
{
    const struct treefork_figures *f = model->figures;
    double all = 0, most = meeting;
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct treefork_access *a = access_at(f, i);
        if (!model->leads[i] || a->shared || !a->affine)
            continue;
        double lines = thread_lines(model, i, inner);
        all += lines;
        most = greater(most, lines / sets_reached(model, i, inner, cache));
    }
    return greater(most, all / cache.sets) / cache.ways;
}

/* Is it the leader of accesses whose lines are counted? */
static bool is_fetched(const struct model *model, size_t number)
{
    const struct treefork_access *a = access_at(model->figures, number);
    return model->leads[number] && !a->shared && a->affine;
}

/* Different lines that a block touches by the accesses of a leader. */
static double block_lines(const struct model *model, size_t leader)
{
    const struct treefork_access *a = access_at(model->figures, leader);
    int inner = 0;
    while (inner < a->n_loops && a->trip[inner] > 0)
        inner++;
    return treefork_sectors_group(model->figures, model->next, leader, inner) * SECTOR / HOST_LINE;
}

/* Lines that the threads of a block fetch into a cache for the accesses of a leader. */
static double lines_fetched(const struct model *model, size_t leader, const double *pressures)
{
    const struct treefork_figures *f = model->figures;
    const struct treefork_access *a = access_at(f, leader);
    double rounds = (double)a->rounds, now = thread_lines(model, leader, 0);
    for (int inner = 1; inner <= a->n_loops && a->trip[inner - 1] > 0; inner++) {
        double trip = (double)a->trip[inner - 1];
        now = pass_fetched(now, trip, thread_lines(model, leader, inner),
                           kept_share(1, pressures[inner - 1]));
        rounds /= trip;
    }
    double thread = rounds * now, threads = points_of(a, (double)f->threads);
    return pass_fetched(thread, threads, greater(thread, block_lines(model, leader)),
                        kept_share(1, pressures[TREEFORK_AXES]));
}

/* Does a thread come to another line in each round? Processors fetch ahead where lines follow each
   other. */
static bool jumps(const struct treefork_access *a)
{
    return a->n_loops > 0 && magnitude(a->step[0]) >= HOST_LINE;
}

/* The part of a column's lines that a processor has fetched when a thread comes to them: it follows
   jumps of one length, but what it fetches stays until then only if the sets that the column
   reaches have room for all lines under way. */
static double share_ahead(const struct model *model, size_t leader)
{
    return kept_share(sets_reached(model, leader, 1, first_cache) * first_cache.ways, AHEAD);
}

/* The part of what a block fetches from beyond the second level that the block before it has not
   left there. Blocks follow each other along the last axis: they touch the same lines where that
   axis does not move the access. */
static double share_new(const struct model *model, size_t leader, double block_lines)
{
    const struct treefork_figures *f = model->figures;
    const struct treefork_access *a = access_at(f, leader);
    bool is_moved = a->n_axes == 0 || a->stride[a->n_axes - 1] != 0;
    double kept = kept_share(second_cache.sets * second_cache.ways, block_lines);
    return is_moved ? 1 : greater(1 - kept, 1 / greater(1, (double)f->blocks));
}

/* Cycles for lines of the accesses of a leader that come from the second level, and of them from
   beyond it. */
static double lines_cycles(const struct model *model, size_t leader, double near, double far)
{
    const struct treefork_access *a = access_at(model->figures, leader);
    double flow = near * HOST_LINE / NEAR_FLOW, together = places(model, leader, 0),
           each = (TOGETHER - 1 + together) / (TOGETHER * together);
    if (!jumps(a))
        return flow + far * HOST_LINE / FAR_FLOW;
    double ahead = share_ahead(model, leader);
    return ahead * (flow + far * COLUMN_LINE * each) +
           (1 - ahead) * (near * NEAR_LINE + far * FAR_LINE) * each;
}

static double fetched_cycles(const struct model *model)
{
    const struct treefork_figures *f = model->figures;
    double first[TREEFORK_AXES + 1], second[TREEFORK_AXES + 1], cycles = 0, block = 0;
    double met_first = lines_meeting(model, first_cache),
           met_second = lines_meeting(model, second_cache);
    for (int i = 0; i <= TREEFORK_AXES; i++) {
        first[i] = pressure(model, i, first_cache, met_first);
        second[i] = pressure(model, i, second_cache, met_second);
    }
    for (size_t i = 0; i < f->n_accesses; i++)
        if (is_fetched(model, i))
            block += block_lines(model, i);
    for (size_t i = 0; i < f->n_accesses; i++) {
        if (!is_fetched(model, i))
            continue;
        double near = lines_fetched(model, i, first);
        double far = f->footprint > HOST_SECOND
                         ? lines_fetched(model, i, second) * share_new(model, i, block)
                         : 0;
        cycles += lines_cycles(model, i, near, far);
    }
    return cycles;
}

void treefork_turns_sum(struct model *model)
{
    model->sums = sums_cycles(model);
    model->fetched = fetched_cycles(model);
    model->points = points_lanes(model);
}
