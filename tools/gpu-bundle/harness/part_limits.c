/* A program under limits that stand for other devices: shared memory of a block and registers of a
   thread. Under each pair the program chooses anew; its leaf must have what it needs within the
   limits, run, and compute what the serial code computes. */
#include "parts.h"
#include "space.h"
#include <stdlib.h>

static const int shared_kib[] = {48, 99, 163, 227};
static const int registers[] = {32, 64, 128, 255};

static bool pick_fits(struct bench *b, const struct treefork_region *region,
                      const struct call *call)
{
    int64_t *integers = integers_read(region, call->parameters);
    bool fits = integers && treefork_region_fits(region, treefork_device_machine(b->device),
                                                 integers, call->leaf, NULL) == 1;
    free(integers);
    return fits;
}

/* How often each region runs without limits. */
static void runs_count(struct bench *b, uint64_t *runs)
{
    for (int i = 0; i < b->n_regions; i++) {
        struct way way = {.watched = b->regions[i]};
        struct call call;
        bench_call(b, &way, &call);
        runs[i] = call.runs;
    }
}

/* Regions that did not run as often on the device, whose leaf is too large, whose result is
   wrong. */
static int pair_run(struct bench *b, const uint64_t *runs, struct row *row)
{
    int bad = 0;
    row_list(row, "picks");
    for (int i = 0; i < b->n_regions; i++) {
        struct way way = {.watched = b->regions[i]};
        struct call call;
        bool is_done = bench_call(b, &way, &call);
        struct difference d = bench_compare(b);
        bool fits = call.runs == 0 || pick_fits(b, b->regions[i], &call);
        bool has_run = is_done && call.runs == runs[i];
        bad += !has_run || !fits || d.is_wrong;
        struct pick pick = pick_read(b->regions[i], &call);
        row_object(row, NULL);
        row_text(row, "region", b->regions[i]->name);
        row_pick(row, &pick);
        row_bool(row, "fits", fits);
        row_text(row, "result", difference_name(&d));
        if (!has_run)
            row_text(row, "message", treefork_message());
        row_close(row);
    }
    row_close(row);
    return bad;
}

static void pairs_run(struct bench *b, struct row *row, int *done, int *bad)
{
    uint64_t runs[REGIONS_MAX];
    runs_count(b, runs);
    int n_registers = sizeof registers / sizeof *registers;
    int n_pairs = n_registers * (int)(sizeof shared_kib / sizeof *shared_kib);
    for (int i = 0; i < n_pairs && !bench_is_late(b); i++) {
        int kib = shared_kib[i / n_registers], most = registers[i % n_registers];
        treefork_limit(b->device, TREEFORK_Z_B, (int64_t)kib * 256);
        treefork_limit(b->device, TREEFORK_R_B, most);
        row_object(row, NULL);
        row_integer(row, "shared_kib", kib);
        row_integer(row, "registers", most);
        *bad += pair_run(b, runs, row);
        row_close(row);
        ++*done;
    }
    treefork_limit(b->device, TREEFORK_Z_B, TREEFORK_UNLIMITED);
    treefork_limit(b->device, TREEFORK_R_B, TREEFORK_UNLIMITED);
}

int part_limits(struct bench *b, const struct program *program, struct part_words sets)
{
    for (int s = 0; s < sets.n && !bench_is_late(b); s++) {
        int done = 0, bad = 0;
        bench_set(b, program, sets.at[s], true);
        struct row row = row_begin();
        row_subject(&row, b);
        row_list(&row, "pairs");
        pairs_run(b, &row, &done, &bad);
        row_close(&row);
        row_integer(&row, "done", done);
        row_integer(&row, "failed", bad);
        row_end(&row);
        bench_unset(b);
    }
    return 0;
}
