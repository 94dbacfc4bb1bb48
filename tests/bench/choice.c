/* What a region's own choice costs and how good it is. Compiled by tools/bench-choice with a
   generated file and the name of a region's table: -DGENERATED="app.tf.c" -DREGION=tf_region_app.
   Arguments: a machine file, the value of every parameter that is not chosen. Prints, on one line:
   candidates, all of them with every leaf; microseconds per candidate; microseconds of a first
   choice (mean over sizes near the given one) and of a remembered one; the predicted time of the
   choice over that of the best candidate, at the given size; that time in microseconds. */
#include GENERATED
#include "runtime/tables.h"
#include <stdlib.h>
#include <time.h>

enum { SIZES = 50, REMEMBERED = 20000, PARAMETERS = 64 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static const struct treefork_driver driver;    /* each text is compiled for its values */
static struct treefork_device device = {.driver = &driver};

static uint16_t tunable_integer(const struct treefork_region *region, size_t i)
{
    return region->parameters[region->tunables[i].parameter].integer;
}

static void integers_set(const struct treefork_region *region, treefork_int other,
                         treefork_int *integers)
{
    for (size_t i = 0; i < region->n_integers; i++)
        integers[i] = other;
    for (size_t i = 0; i < region->n_tunables; i++)
        integers[tunable_integer(region, i)] = 1;
}

static bool candidate_set(const struct treefork_region *region, size_t candidate,
                          treefork_int *integers)
{
    for (size_t i = 0; i < region->n_tunables; i++) {
        integers[tunable_integer(region, i)] = (treefork_int)1
                                               << candidate % region->tunables[i].choices;
        candidate /= region->tunables[i].choices;
    }
    return candidate == 0;
}

/* The predicted time of the best leaf at a point; 0 if none may run there. */
static double point_time(struct treefork_evaluation *e, const treefork_int *integers)
{
    struct treefork_prediction best = {0};
    if (e->region->select(&device.machine, integers, NULL) < 0)
        return 0;
    treefork_evaluation_set(e, &device.machine, integers);
    if (!treefork_evaluation_exact(e) || !treefork_evaluation_best(e, 0, &best))
        return 0;
    return best.nanoseconds;
}

/* Of all candidates; microseconds for each. */
static double best_time(struct treefork_evaluation *e, treefork_int *integers, size_t *count,
                        double *cost)
{
    double best = 0, start = seconds();
    for (*count = 0; candidate_set(e->region, *count, integers); ++*count) {
        double time = point_time(e, integers);
        if (time > 0 && (best == 0 || time < best))
            best = time;
    }
    *cost = (seconds() - start) / (double)*count * 1e6;
    return best;
}

int main(int argc, char **argv)
{
    const struct treefork_region *region = &REGION;
    struct treefork_evaluation e;
    treefork_int other = argc > 2 ? atoll(argv[2]) : 4096, integers[PARAMETERS];
    size_t count;
    double cost, start, first, remembered, chosen;
    if (argc < 2 || treefork_machine_read(argv[1], &device.machine) ||
        region->n_integers > PARAMETERS || treefork_evaluation_new(region, &e))
        return 1;
    if (region->n_tunables == 0)
        return 0;
    pthread_mutex_init(&device.mutex, NULL);
    integers_set(region, other, integers);
    double best = best_time(&e, integers, &count, &cost);
    struct treefork_choosing choosing = {.region = region,
                                         .device = &device,
                                         .evaluation = &e,
                                         .automatic = 1,
                                         .integers = integers};
    start = seconds();
    for (int i = SIZES - 1; i >= 0; i--) {
        integers_set(region, other - 8 * i, integers);
        if (treefork_choose(&choosing))
            fprintf(stderr, "%s: %s\n", region->name, treefork_message());
    }
    first = (seconds() - start) / SIZES * 1e6;
    chosen = point_time(&e, integers);
    start = seconds();
    for (int i = 0; i < REMEMBERED; i++) {
        integers_set(region, other, integers);
        treefork_choose(&choosing);
    }
    remembered = (seconds() - start) / REMEMBERED * 1e6;
    printf("%zu %.2f %.1f %.3f %.3f %.3f\n", count, cost, first, remembered,
           best > 0 ? chosen / best : 0, chosen / 1e3);
    treefork_evaluation_free(&e);
    return 0;
}
