/* The candidates of `treefork tune`, in the order in which it tries them. In: the choices of a
   region that fit where it runs, how many devices there are; out: candidates, each a choice on a
   number of devices, in the order of the strategy: as they are counted, drawn at random, or the
   best predicted first.

   Of several devices every number is tried with every choice. Their times are those that
   `treefork rank` has for so many devices of the machine whose limits are those of all of them. */
#include "base/progress.h"
#include "cli/own_choice.h"
#include "cli/tune.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (*state * 2685821657736338717ull) >> 11;
}

static void order_shuffle(uint64_t seed, struct tune_order *order)
{
    uint64_t state = seed * 0x9e3779b97f4a7c15ull + 1;
    for (size_t i = order->count; i > 1; i--) {
        size_t other = (size_t)(next_random(&state) % i);
        struct tune_candidate kept = order->at[i - 1];
        order->at[i - 1] = order->at[other];
        order->at[other] = kept;
    }
}

static void candidate_add(struct tuning *t, struct ranking *r, struct tune_candidate candidate,
                          struct tune_order *order)
{
    const struct place *p = candidate.place;
    if (t->space && !tune_space_takes(t->space, r->tree, p->variant, p->point,
                                      candidate.devices ? candidate.devices : 1))
        r->refused++;
    else
        order->at[order->count++] = candidate;
}

/* --- several devices ------------------------------------------------------------------------- */

static int candidate_compare(const void *a, const void *b)
{
    const struct tune_candidate *x = a, *y = b;
    if (x->compared != y->compared)
        return x->compared < y->compared ? -1 : 1;
    if (x->place->order != y->place->order)
        return x->place->order < y->place->order ? -1 : 1;
    if (x->place->variant != y->place->variant)
        return x->place->variant - y->place->variant;
    return x->devices - y->devices;
}

/* The model's time of a choice on so many devices. */
static struct tune_candidate candidate_time(struct tuning *t, const struct ranking *r,
                                            size_t region, const struct place *place, int devices)
{
    struct tune_candidate candidate = {place, devices, 0, INFINITY};
    struct treefork_several_time time;
    double bytes;
    if (own_choice_time(r->ctx, t->own, region, r->machine, place->point, place->variant,
                        (size_t)devices, &time, &bytes)) {
        candidate.nanoseconds = time.nanoseconds;
        candidate.compared = time.nanoseconds * ranking_handicap(r, place);
    }
    return candidate;
}

static bool machines_take(struct tuning *t, const struct ranking *r, size_t region, int members)
{
    struct treefork_machine machines[TREEFORK_MEMBERS_MAX];
    if (!t->own)
        t->own = own_choice_new(r->ctx, t->v.program, t->v.trees);
    for (int i = 0; i < members; i++)
        machines[i] = *r->machine;
    if (t->own)
        own_choice_machines(t->own, region, machines, (size_t)members);
    return t->own != NULL;
}

static bool order_several(struct tuning *t, struct ranking *r, size_t region, int members,
                          struct tune_order *order)
{
    if (!machines_take(t, r, region, members))
        return false;
    progress_begin(r->ctx, "%s: candidates", r->tree->region->name);
    for (size_t i = 0; i < r->places.count; i++)
        for (int devices = 1; devices <= members; devices++) {
            const struct place *place = &r->places.at[i];
            candidate_add(t, r, candidate_time(t, r, region, place, devices), order);
            progress_tick(r->ctx);
        }
    progress_end(r->ctx);
    if (t->strategy == TUNE_MODEL)
        qsort(order->at, order->count, sizeof *order->at, candidate_compare);
    return true;
}

/* --- all ------------------------------------------------------------------------------------- */

static void order_single(struct tuning *t, struct ranking *r, struct tune_order *order)
{
    if (t->strategy == TUNE_MODEL)
        qsort(r->places.at, r->places.count, sizeof *r->places.at, place_compare);
    for (size_t i = 0; i < r->places.count; i++) {
        const struct place *place = &r->places.at[i];
        double nanoseconds = place->time.prediction.nanoseconds;
        candidate_add(t, r, (struct tune_candidate){place, 0, nanoseconds, nanoseconds}, order);
    }
}

bool tune_order_make(struct tuning *t, struct ranking *r, size_t region, int members,
                     struct tune_order *order)
{
    size_t numbers = members > 1 ? (size_t)members : 1;
    *order = (struct tune_order){0};
    order->at = ARENA_ARRAY(r->ctx->arena, struct tune_candidate, r->places.count * numbers + 1);
    if (members < 2)
        order_single(t, r, order);
    else if (!order_several(t, r, region, members, order))
        return false;
    if (t->strategy == TUNE_RANDOM)
        order_shuffle(t->seed, order);
    return true;
}
