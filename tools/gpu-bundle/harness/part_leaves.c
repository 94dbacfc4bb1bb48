/* Every leaf of every region of a program against its serial code, with the set's own tunables
   where they are arguments. A leaf that does not fit the parameters or the device is counted apart;
   one that fits and does not run is a failure. */
#include "parts.h"
#include "space.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tally {
    int verified, failed, unfit, close;
    double relative;
    char failure[400];          /* the first */
};

static void failure_note(struct tally *t, const struct treefork_region *region, int leaf,
                         const char *what)
{
    if (t->failed++ == 0)
        snprintf(t->failure, sizeof t->failure, "%s leaf %d: %s", region->name, leaf, what);
}

/* The call was to run this leaf. */
static void leaf_judge(struct bench *b, const struct treefork_region *region, int leaf,
                       const struct call *call, struct tally *t)
{
    struct difference d = bench_compare(b);
    if (call->runs == 0 || call->leaf != leaf) {
        failure_note(t, region, leaf, *treefork_message() ? treefork_message() : "did not run");
        return;
    }
    if (d.is_wrong) {
        char text[128];
        snprintf(text, sizeof text, "%zu of %zu elements wrong, the largest difference %g",
                 d.different, d.total, d.relative);
        failure_note(t, region, leaf, text);
        return;
    }
    t->verified++;
    t->close += d.different > 0;
    if (d.relative > t->relative)
        t->relative = d.relative;
}

static void leaf_run(struct bench *b, const struct treefork_region *region, int leaf,
                     const char *settings, struct tally *t)
{
    const struct pick pick = {.region = region, .leaf = leaf};
    struct way way = {.n = 1, .picks = &pick, .settings = settings, .is_plain = true,
                      .watched = region};
    struct call call;
    if (!bench_call(b, &way, &call))
        call.runs = 0;
    leaf_judge(b, region, leaf, &call, t);
}

/* The leaf that the region takes by itself comes first: where time is short it is the one run. */
static void region_run(struct bench *b, const struct treefork_region *region, const char *settings,
                       struct tally *t)
{
    struct way way = {.settings = settings, .is_plain = true, .watched = region};
    struct call own;
    bench_call(b, &way, &own);
    if (own.runs == 0)
        return;
    leaf_judge(b, region, own.leaf, &own, t);
    int64_t *integers = integers_read(region, own.parameters);
    const struct treefork_machine *machine = treefork_device_machine(b->device);
    for (size_t i = 0; integers && i < region->n_leaves && !bench_is_late(b); i++) {
        int leaf = region->leaves[i].id;
        if (leaf == own.leaf)
            continue;
        if (treefork_region_fits(region, machine, integers, leaf, NULL) == 1)
            leaf_run(b, region, leaf, settings, t);
        else
            t->unfit++;
    }
    free(integers);
}

int part_leaves(struct bench *b, const struct program *program, struct part_words sets)
{
    for (int s = 0; s < sets.n && !bench_is_late(b); s++) {
        struct tally t = {0};
        char *settings = strchr(sets.at[s], '|');
        if (settings)
            *settings++ = '\0';
        bench_set(b, program, sets.at[s], true);
        for (int i = 0; i < b->n_regions; i++)
            region_run(b, b->regions[i], settings, &t);
        struct row row = row_begin();
        row_subject(&row, b);
        row_integer(&row, "verified", t.verified);
        row_integer(&row, "failed", t.failed);
        row_integer(&row, "unfit", t.unfit);
        row_integer(&row, "close", t.close);
        if (t.close)
            row_number(&row, "relative", t.relative);
        if (t.failed)
            row_text(&row, "failure", t.failure);
        row_bool(&row, "complete", !bench_is_late(b));
        row_end(&row);
        bench_unset(b);
    }
    return 0;
}
