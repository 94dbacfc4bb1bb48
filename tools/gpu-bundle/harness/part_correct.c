/* Does the program, as it chooses for itself, compute what its serial code computes? Every region
   is watched once, so the program is called as often as it has regions. Fills the cache of kernels
   for the parts that measure. */
#include "parts.h"
#include "space.h"
#include <string.h>

/* True if the region ran on the device. Of regions that are alternatives one does. */
static bool region_run(struct bench *b, struct row *row, int i, double *first,
                       struct difference *all)
{
    struct way way = {.watched = b->regions[i]};
    struct call call;
    bool is_done = bench_call(b, &way, &call);
    struct difference d = bench_compare(b);
    if (i == 0)
        *first = call.call;
    if (d.relative >= all->relative)
        *all = d;
    row_object(row, NULL);
    row_text(row, "region", b->regions[i]->name);
    if (call.runs > 0) {
        struct pick pick = pick_read(b->regions[i], &call);
        row_pick(row, &pick);
    }
    row_close(row);
    return is_done && call.runs > 0;
}

int part_correct(struct bench *b, const struct program *program, struct part_words sets)
{
    for (int s = 0; s < sets.n && !bench_is_late(b); s++) {
        struct difference all = {0};
        double first = 0;
        bool has_run = false;
        bench_set(b, program, sets.at[s], true);
        struct row row = row_begin();
        row_subject(&row, b);
        row_list(&row, "regions");
        for (int i = 0; i < b->n_regions; i++)
            has_run |= region_run(b, &row, i, &first, &all);
        row_close(&row);
        row_bool(&row, "ran", has_run);
        row_difference(&row, &all);
        row_number(&row, "serial_ms", b->serial * 1e3);
        row_number(&row, "first_ms", first * 1e3);
        row_end(&row);
        bench_unset(b);
    }
    return 0;
}
