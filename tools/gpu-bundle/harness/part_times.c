/* What a program takes as it chooses for itself: whole calls with all copies, and the launches of
   each region alone beside the model's time. Kernels are compiled by a call before. */
#include "parts.h"
#include "space.h"
#include "spread.h"
#include <stdlib.h>

enum { RUNS = 15 };
static const double SECONDS_MOST = 1.0;    /* of one kind of runs */

/* Until there are RUNS of them, or they took long enough. */
static bool is_measured(const struct bench *b, const struct samples *samples, double start)
{
    double now = seconds_now();
    return samples->n == RUNS || (samples->n > 0 && (now - start > SECONDS_MOST || now > b->end));
}

static void call_measure(struct bench *b, struct row *row)
{
    struct samples samples = {0};
    struct way way = {0};
    struct call call;
    bench_call(b, &way, &call);
    struct treefork_statistics before = treefork_statistics(b->device), after;
    double start = seconds_now();
    while (!is_measured(b, &samples, start) && bench_call(b, &way, &call))
        samples_add(&samples, call.call);
    after = treefork_statistics(b->device);
    uint64_t n = samples.n ? (uint64_t)samples.n : 1;
    row_spread(row, "call_ms", samples_spread(&samples), 1e3);
    row_integer(row, "launches", (int64_t)((after.launches - before.launches) / n));
    row_integer(row, "bytes_in", (int64_t)((after.bytes_to_device - before.bytes_to_device) / n));
    row_integer(row, "bytes_out", (int64_t)((after.bytes_to_host - before.bytes_to_host) / n));
}

static void predicted_print(struct bench *b, struct row *row, const struct treefork_region *region,
                            const struct call *call)
{
    struct treefork_prediction time;
    int64_t *integers = integers_read(region, call->parameters);
    if (integers && treefork_region_predict(region, treefork_device_machine(b->device), integers,
                                            call->leaf, &time) == TREEFORK_OK) {
        row_number(row, "predicted_us", time.nanoseconds / 1e3);
        row_text(row, "bound", time.bound ? time.bound : "");
    }
    free(integers);
}

/* A region that runs several times in a call is predicted at its longest run. */
static void region_measure(struct bench *b, struct row *row, const struct treefork_region *region)
{
    struct samples samples = {0};
    struct way way = {.watched = region};
    struct call call = {0};
    double start = seconds_now();
    while (!is_measured(b, &samples, start) && bench_call(b, &way, &call))
        samples_add(&samples, call.region / (double)(call.runs ? call.runs : 1));
    row_object(row, NULL);
    row_text(row, "region", region->name);
    row_integer(row, "runs", (int64_t)call.runs);
    if (call.runs > 0) {
        struct pick pick = pick_read(region, &call);
        row_pick(row, &pick);
        row_spread(row, b->is_host ? "call_cpu_us" : "us", samples_spread(&samples), 1e6);
        predicted_print(b, row, region, &call);
    }
    row_close(row);
}

int part_times(struct bench *b, const struct program *program, struct part_words sets)
{
    for (int s = 0; s < sets.n && !bench_is_late(b); s++) {
        bench_set(b, program, sets.at[s], false);
        struct row row = row_begin();
        row_subject(&row, b);
        call_measure(b, &row);
        row_list(&row, "regions");
        for (int i = 0; i < b->n_regions; i++)
            region_measure(b, &row, b->regions[i]);
        row_close(&row);
        row_end(&row);
        bench_unset(b);
    }
    return 0;
}
