/* Which side of a region runs next, from what was measured: by hand, and for random times and
   models. A program runs a region over and over; whatever the model says, few runs are timed, the
   trials together cost little beside all else, or the model said so, and the faster side stays,
   unless the model says of it that it is much slower. */
#include "runtime/sides.h"
#include "tests/unit/runtime_test.h"
#include <inttypes.h>

enum { ROUNDS = 3000, RUNS = 4000 };

/* Nanoseconds: of a launch by itself. */
#define LEAST 50e3

struct region {
    double time[SIDES];         /* what sides really take */
    struct treefork_odds odds;
    struct treefork_side sides[SIDES];
    int timed[SIDES];
    double wasted;              /* what trials took more than the other side */
    double reckoned;            /* the same, as the model says */
};

static double lower(double a, double b)
{
    return a < b ? a : b;
}

static struct region region_of(double serial, double launch, double model_serial,
                               double model_launch)
{
    struct region r = {.time = {serial, launch},
                       .odds = {.model = {model_serial, model_launch}, .least = LEAST}};
    r.odds.pick = model_serial <= 2 * LEAST ? SIDE_IS_SERIAL : SIDE_IS_LAUNCH;
    return r;
}

/* One run, and those that repeat it; true where all later ones do. */
static bool region_step(struct region *r)
{
    struct treefork_turn turn = treefork_sides_turn(&r->sides[SIDE_IS_SERIAL],
                                                    &r->sides[SIDE_IS_LAUNCH], &r->odds);
    struct treefork_side *side = &r->sides[turn.side];
    double time = r->time[turn.side];
    if (turn.repeats == UINT64_MAX)
        return true;
    side->spent += time * (1 + (double)turn.repeats);
    if (!turn.is_timed)
        return false;
    side->tries++;
    side->timed++;
    side->rate = time / r->odds.model[turn.side];
    r->timed[turn.side]++;
    r->wasted += time - lower(r->time[SIDE_IS_SERIAL], r->time[SIDE_IS_LAUNCH]);
    return false;
}

static int region_settle(struct test *test, struct region *r)
{
    int runs = 0;
    while (runs < RUNS && !region_step(r))
        runs++;
    CHECK(test, runs < RUNS);
    return treefork_sides_turn(&r->sides[SIDE_IS_SERIAL], &r->sides[SIDE_IS_LAUNCH], &r->odds).side;
}

static void known(struct test *test)
{
    check_test(&test->count);
    struct region slow = region_of(2.2e6, 13.8e6, 5e6, 1e6), fast = region_of(9e6, 2e6, 5e6, 1e6);
    CHECK(test, region_settle(test, &slow) == SIDE_IS_SERIAL);
    CHECK(test, slow.timed[SIDE_IS_LAUNCH] == 2 && slow.timed[SIDE_IS_SERIAL] == 1);
    CHECK(test, region_settle(test, &fast) == SIDE_IS_LAUNCH);
    CHECK(test, fast.timed[SIDE_IS_SERIAL] == 2);
    /* Serial code was disturbed before the device was open, where all runs are timed. */
    struct region late = region_of(30e3, 90e3, 3e6, 1e6);
    late.sides[SIDE_IS_SERIAL] = (struct treefork_side){.timed = 3, .rate = 2.5, .spent = 20e6};
    late.odds.least = 10e3;
    CHECK(test, region_settle(test, &late) == SIDE_IS_SERIAL);
    /* A try that gave no time, as the first one of OpenMP's threads, is none of the two. */
    struct region disturbed = region_of(10e3, 80e3, 250e3, 90e3);
    disturbed.odds.least = 10e3;
    disturbed.sides[SIDE_IS_SERIAL] =
        (struct treefork_side){.tries = 2, .timed = 1, .rate = 4e6 / 250e3, .spent = 4e6};
    disturbed.sides[SIDE_IS_LAUNCH] =
        (struct treefork_side){.tries = 2, .timed = 1, .rate = 80e3 / 90e3, .spent = 160e3};
    CHECK(test, region_settle(test, &disturbed) == SIDE_IS_SERIAL);
    /* Times that are near are measured twice, and a launch has to be faster by an eighth. */
    struct region near = region_of(1e6, 0.95e6, 1e6, 1e6);
    CHECK(test, region_settle(test, &near) == SIDE_IS_SERIAL);
    CHECK(test, near.timed[SIDE_IS_SERIAL] == 2 && near.timed[SIDE_IS_LAUNCH] == 2);
    /* Long runs do not differ by a half by chance: the slower side waits for its second. */
    struct region seconds = region_of(1.2e9, 0.7e9, 1e9, 1e9);
    struct region thousandths = region_of(1.2e6, 0.7e6, 1e6, 1e6);
    for (int i = 0; i < RUNS && seconds.timed[SIDE_IS_SERIAL] < 2; i++)
        region_step(&seconds);
    for (int i = 0; i < RUNS && thousandths.timed[SIDE_IS_SERIAL] < 2; i++)
        region_step(&thousandths);
    CHECK(test, seconds.sides[SIDE_IS_LAUNCH].spent >= 12e9);
    CHECK(test, thousandths.sides[SIDE_IS_LAUNCH].spent < 6e6);
    CHECK(test, region_settle(test, &seconds) == SIDE_IS_LAUNCH);
    /* A side that takes more than ten times as long by the model is never tried. */
    struct region far = region_of(1e6, 2e6, 20.1e6, 1e6);
    CHECK(test, region_settle(test, &far) == SIDE_IS_LAUNCH && far.timed[SIDE_IS_SERIAL] == 0);
    /* Nor is a launch for a serial code that takes no more than one by itself. */
    struct region small = region_of(49e3, 60e3, 49e3, 60e3);
    CHECK(test, region_settle(test, &small) == SIDE_IS_SERIAL && small.timed[SIDE_IS_LAUNCH] == 0);
}

/* A side whose runs give no time (ever new kernels) is tried a few times. */
static void silent(struct test *test)
{
    check_test(&test->count);
    struct region r = region_of(1e6, 1e6, 5e6, 1e6);
    int tries = 0;
    while (tries < RUNS) {
        struct treefork_turn turn = treefork_sides_turn(&r.sides[SIDE_IS_SERIAL],
                                                        &r.sides[SIDE_IS_LAUNCH], &r.odds);
        if (!turn.is_timed)
            break;
        r.sides[turn.side].tries++;
        tries++;
    }
    CHECK(test, tries == 4);
}

static uint64_t state;

/* Between 2 us and 30 ms, small ones as often as large ones. */
static double random_time(void)
{
    double time = 2e3;
    for (int i = 0; i < 14; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        time *= state >> 62 & 1 ? 2 : 1;
    }
    state = state * 6364136223846793005u + 1442695040888963407u;
    return time * (1 + (double)(state >> 40) / (double)(1 << 24));
}

static void random_regions(struct test *test)
{
    check_test(&test->count);
    for (int i = 0; i < ROUNDS; i++) {
        struct region r = region_of(random_time(), random_time(), random_time(), random_time());
        int side = region_settle(test, &r), other = SIDES - 1 - side;
        bool is_right = r.time[side] * 7 <= r.time[other] * 8;
        bool was_far = r.timed[other] == 0 && r.odds.model[other] > 10 * r.time[side];
        bool was_small = r.timed[other] == 0 && side == SIDE_IS_SERIAL && r.time[side] <= 2 * LEAST;
        bool was_dear = r.timed[other] == 0 && LEAST > 10 * r.time[side];
        CHECK(test, is_right || was_far || was_small || was_dear);
        CHECK(test, r.timed[SIDE_IS_SERIAL] <= 2 && r.timed[SIDE_IS_LAUNCH] <= 2);
        /* Trials of the slower side: as the known side has taken before, unless the model erred. */
        double model = r.odds.model[other] > LEAST ? r.odds.model[other] : LEAST;
        bool erred = r.time[other] > 2 * model;
        CHECK(test, r.timed[other] == 0 || erred || r.wasted <= 4 * (r.sides[side].spent + model));
    }
}

int main(int argc, char **argv)
{
    struct test test = {.name = "runtime_sides"};
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 9;
    printf("runtime_sides: seed %" PRIu64 "\n", state);
    known(&test);
    silent(&test);
    random_regions(&test);
    return test_end(&test);
}
