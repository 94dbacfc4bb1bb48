/* Serial code or launch, by the times of both in this process. In: times of the model for a run,
   and those measured of its class of sizes. Out: the side that runs next, and whether that is
   timed.

   The odds name the side of the first run (in_place.c). Once it is timed the other one is tried, if
   that can pay: the model's time for it is at most FAR times the measured one, and the runs so far
   have taken as long as the model says of the trial, with what is compiled for it, so that a
   process spends at most as much on trials as on all else. Of two sides that differ by less than
   NEAR each is timed twice and the least time counts, since others work on the machine, too; then
   the faster one stays for good. Runs of LONG_RUN and more are disturbed less, and a second try
   costs more: there NEAR_IF_LONG is near. A launch has to be faster by an eighth: it takes more
   than one core.

   A time is kept as a part of the model's time for its run, so that it serves all sizes of a
   class. No side is tried more than TRIES times: launches of ever new kernels, whose first runs are
   not timed, end there. Both sides compute the same bits (docs/bits.md), so that nothing but time
   depends on this. */
#include "runtime/sides.h"
#include "runtime/choice.h"
#include "runtime/sectors.h"
#include "runtime/treefork-tables.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    FAR = 10,
    NEAR = 4,
    LONG_RUN = 20000000,           /* nanoseconds */
    TRIES = 4,
    TIMES = 2,                     /* for each of two sides that are near */
    BUCKETS = 256,
    KNOWN_MAX = 4096
};

static const double NEAR_IF_LONG = 1.4;

/* --- which side runs next -------------------------------------------------------------------- */

static double time_of(const struct treefork_side *side, double model)
{
    return side->timed ? side->rate * model : model;
}

static struct treefork_turn turn_settled(int side)
{
    return (struct treefork_turn){.side = side, .repeats = UINT64_MAX};
}

static struct treefork_turn turn_timed(int side)
{
    return (struct treefork_turn){.side = side, .is_timed = true};
}

/* Not timed, and this often. */
static struct treefork_turn turn_repeated(int side, double runs)
{
    return (struct treefork_turn){.side = side, .repeats = (uint64_t)least(runs, 1e6)};
}

static bool is_unsure(const struct treefork_side *side)
{
    return side->timed < TIMES && side->tries < TRIES;
}

/* One side is much faster. The only try of the other one that gave a time may have been disturbed:
   it is tried again as soon as all its runs are a small part of the time of both. */
static struct treefork_turn turn_of_far(const struct treefork_side *const sides[SIDES], int fast,
                                        double time)
{
    const struct treefork_side *slow = sides[SIDES - 1 - fast];
    double left = FAR * slow->spent - sides[fast]->spent;
    if (slow->tries >= TRIES || (slow->tries >= TIMES && slow->timed >= TIMES))
        return turn_settled(fast);
    return left <= 0 ? turn_timed(SIDES - 1 - fast) : turn_repeated(fast, left / greater(time, 1));
}

/* Both were measured. */
static struct treefork_turn turn_of_both(const struct treefork_side *const sides[SIDES],
                                         const double time[SIDES])
{
    int fast = 7 * time[SIDE_IS_SERIAL] <= 8 * time[SIDE_IS_LAUNCH] ? SIDE_IS_SERIAL
                                                                   : SIDE_IS_LAUNCH;
    int slow = SIDES - 1 - fast;
    double near = time[fast] >= LONG_RUN ? NEAR_IF_LONG : NEAR;
    if (time[slow] > near * time[fast])
        return turn_of_far(sides, fast, time[fast]);
    if (is_unsure(sides[fast]))
        return turn_timed(fast);
    return is_unsure(sides[slow]) ? turn_timed(slow) : turn_settled(fast);
}

/* Nanoseconds that runs of the known side take until the other one is tried; negative: for ever. */
static double wait_for(int other, double known, const struct treefork_odds *odds)
{
    double price = odds->model[other];
    if (other == SIDE_IS_LAUNCH)
        price = greater(price, odds->least);
    if (price > FAR * known || (other == SIDE_IS_LAUNCH && known <= odds->least))
        return -1;
    return other == SIDE_IS_LAUNCH && odds->pick != other ? price + odds->compiling : price;
}

/* One side was measured. */
static struct treefork_turn turn_of_known(const struct treefork_side *const sides[SIDES], int known,
                                          const struct treefork_odds *odds)
{
    int other = SIDES - 1 - known;
    double time = time_of(sides[known], odds->model[known]);
    double wait = wait_for(other, time, odds), left = wait - sides[known]->spent;
    if (wait < 0 || sides[other]->tries >= TRIES)
        return turn_settled(known);
    if (left <= 0)
        return turn_timed(other);
    return turn_repeated(known, left / greater(time, 1));
}

struct treefork_turn treefork_sides_turn(const struct treefork_side *serial,
                                         const struct treefork_side *launch,
                                         const struct treefork_odds *odds)
{
    const struct treefork_side *const sides[SIDES] = {serial, launch};
    const double time[SIDES] = {time_of(serial, odds->model[SIDE_IS_SERIAL]),
                                time_of(launch, odds->model[SIDE_IS_LAUNCH])};
    if (serial->timed && launch->timed)
        return turn_of_both(sides, time);
    if (serial->timed || launch->timed)
        return turn_of_known(sides, serial->timed ? SIDE_IS_SERIAL : SIDE_IS_LAUNCH, odds);
    return sides[odds->pick]->tries < TRIES ? turn_timed(odds->pick) : turn_settled(odds->pick);
}

/* --- the sides of all classes ---------------------------------------------------------------- */

struct known_side {
    struct known_side *next;
    struct treefork_side side;
    size_t n;
    treefork_int key[];
};

static struct known_side *known_sides[BUCKETS];
static size_t n_known;
static pthread_mutex_t sides_mutex = PTHREAD_MUTEX_INITIALIZER;

/* The mutex is held. */
static struct known_side *side_new(const struct treefork_key *key, struct known_side **place)
{
    size_t bytes = key->n * sizeof *key->at;
    struct known_side *k = n_known < KNOWN_MAX ? calloc(1, sizeof *k + bytes) : NULL;
    if (!k)
        return NULL;
    k->n = key->n;
    memcpy(k->key, key->at, bytes);
    n_known++;
    *place = k;
    return k;
}

struct treefork_side *treefork_side_of(const struct treefork_key *key)
{
    pthread_mutex_lock(&sides_mutex);
    struct known_side **place = &known_sides[treefork_key_hash(key) % BUCKETS];
    while (*place && ((*place)->n != key->n ||
                      memcmp((*place)->key, key->at, key->n * sizeof *key->at) != 0))
        place = &(*place)->next;
    struct known_side *k = *place ? *place : side_new(key, place);
    pthread_mutex_unlock(&sides_mutex);
    return k ? &k->side : NULL;
}

struct treefork_side treefork_side_read(const struct treefork_side *side)
{
    pthread_mutex_lock(&sides_mutex);
    struct treefork_side copy = *side;
    pthread_mutex_unlock(&sides_mutex);
    return copy;
}

void treefork_side_try(struct treefork_side *side)
{
    pthread_mutex_lock(&sides_mutex);
    side->tries++;
    pthread_mutex_unlock(&sides_mutex);
}

void treefork_side_spend(struct treefork_side *side, double nanoseconds)
{
    pthread_mutex_lock(&sides_mutex);
    side->spent += nanoseconds;
    pthread_mutex_unlock(&sides_mutex);
}

void treefork_side_note_kernels(struct treefork_side *side, bool are_kept)
{
    pthread_mutex_lock(&sides_mutex);
    side->kernels = are_kept ? 1 : -1;
    pthread_mutex_unlock(&sides_mutex);
}

double treefork_side_time(const struct treefork_side *side, double model)
{
    struct treefork_side copy = treefork_side_read(side);
    return copy.timed ? copy.rate * model : 0;
}

/* --- runs that are timed --------------------------------------------------------------------- */

/* The serial code that runs in this thread. */
static _Thread_local struct treefork_timing running;

void treefork_timing_add(const struct treefork_timing *timing, double nanoseconds)
{
    struct treefork_side *side = timing->side;
    double rate = greater(nanoseconds, 1) / timing->model;
    pthread_mutex_lock(&sides_mutex);
    side->rate = side->timed ? least(side->rate, rate) : rate;
    side->timed++;
    side->spent += nanoseconds;
    pthread_mutex_unlock(&sides_mutex);
    if (timing->account)
        atomic_fetch_add_explicit(timing->account, (int64_t)nanoseconds - timing->reserved,
                                  memory_order_relaxed);
}

void treefork_timing_end(const struct treefork_timing *timing, double wall, double spent,
                         bool counts)
{
    if (counts)
        treefork_timing_add(timing, least(wall, spent));
    else
        treefork_side_spend(timing->side, least(wall, spent));
}

/* The clock of the thread leaves out what others do meanwhile. */
void treefork_timing_begin(const struct treefork_timing *timing)
{
    running = *timing;
    running.started = treefork_clock(CLOCK_THREAD_CPUTIME_ID);
}

void treefork_timing_drop(void)
{
    running.side = NULL;
}

void treefork_after_serial(void)
{
    if (!running.side)
        return;
    treefork_timing_add(&running, treefork_clock(CLOCK_THREAD_CPUTIME_ID) - running.started);
    running.side = NULL;
}
