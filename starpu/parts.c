/* Parts of launches. In: a launch of a region whose values are set. Out: a task for each part, on
   the process that runs it, and copies of what it reads and that process lacks.

   A launch is cut along the axis that the tables of its region name, in as many parts as the
   processes agreed on; part g of G runs on process floor(g * processes / G), the same at every
   launch, so that data stays. The rows of parts in the tables say which bytes it touches: their
   ends are where segments are cut. Parts are queued in their order, so that every result is that
   of the parts one after the other, and StarPU runs at once what touches nothing in common. A
   launch that the tables do not cut, or whose parts write pieces of rows (columns), is one task
   on the first process, which touches the region's arrays as a whole. */
#include "starpu/parts.h"
#include <stdlib.h>
#include <string.h>

/* A range that a part touches. */
struct range {
    char *begin, *end;
    unsigned char mode;
    size_t part;
};

struct parting {
    const struct treefork_starpu_run_of *run;
    struct treefork_cut cut;
    size_t parts;
    struct range *ranges;
    size_t n_ranges;
    const char *reason;         /* why the launch is one task; NULL: it is cut */
};

static treefork_int part_from(const struct parting *p, size_t part)
{
    treefork_int parts = (treefork_int)p->parts, g = (treefork_int)part;
    return p->cut.extent / parts * g + p->cut.extent % parts * g / parts;
}

static void range_add(struct parting *p, size_t array, struct treefork_row row, size_t part,
                      unsigned char mode)
{
    char *begin = (char *)p->run->arrays[array] + row.begin;
    size_t bytes = row.pieces ? (row.pieces - 1) * row.pitch + row.bytes : 0;
    if (bytes)
        p->ranges[p->n_ranges++] = (struct range){begin, begin + bytes, mode, part};
}

/* Reads in pieces take what lies between with them; writes may not. */
static void row_add(struct parting *p, const struct treefork_part_row *row, size_t part)
{
    struct treefork_touch touch;
    if (!p->run->arrays[row->array])
        return;
    if (!treefork_cut_touches(&p->cut, row, part_from(p, part), part_from(p, part + 1),
                              p->run->bytes[row->array], &touch)) {
        p->reason = "what its parts touch does not lie within an array";
        return;
    }
    if (touch.writes && touch.row.pieces > 1)
        p->reason = "its parts write columns";
    if (touch.reduction)
        p->reason = "its parts add up in the same elements";
    unsigned char mode = (unsigned char)((touch.reads ? TREEFORK_READ : 0) |
                                         (touch.writes ? TREEFORK_WRITE : 0));
    if (mode)
        range_add(p, row->array, touch.row, part, mode);
}

static void ranges_cut(struct parting *p)
{
    p->ranges = treefork_memory_of(malloc((p->parts * p->cut.count + 1) * sizeof *p->ranges));
    for (size_t part = 0; part < p->parts && !p->reason; part++)
        for (size_t i = 0; i < p->cut.count && !p->reason; i++)
            row_add(p, &p->cut.rows[i], part);
}

/* One task, which may touch all of the arrays. */
static void ranges_whole(struct parting *p)
{
    const struct treefork_region *region = p->run->region;
    free(p->ranges);
    p->parts = 1;
    p->n_ranges = 0;
    p->ranges = treefork_memory_of(malloc((region->n_arrays + 1u) * sizeof *p->ranges));
    for (size_t i = 0; i < region->n_arrays; i++) {
        bool writes = region->arrays[i].access & (TREEFORK_WRITE | TREEFORK_PARTIAL);
        if (p->run->arrays[i])
            range_add(p, i, treefork_row_of(0, p->run->bytes[i]), 0,
                      writes ? TREEFORK_READ | TREEFORK_WRITE : TREEFORK_READ);
    }
}

/* The blocks of a part by their linear numbers. */
static struct treefork_starpu_blocks part_blocks(const struct parting *p, size_t part,
                                                 int64_t blocks)
{
    if (p->reason)
        return (struct treefork_starpu_blocks){.count = (long)blocks, .rows = 1};
    long from = (long)part_from(p, part), count = (long)part_from(p, part + 1) - from;
    long along = (long)p->cut.extent, others = (long)blocks / along;
    if (p->cut.is_last)
        return (struct treefork_starpu_blocks){from, count, others, along};
    return (struct treefork_starpu_blocks){from * others, count * others, 1, 0};
}

/* How the part touches each segment. */
static void modes_find(const struct parting *p, size_t part, unsigned char *modes)
{
    memset(modes, 0, treefork_segments_count());
    for (size_t i = 0; i < p->n_ranges; i++) {
        size_t first, last;
        if (p->ranges[i].part != part)
            continue;
        treefork_segments_between(p->ranges[i].begin, p->ranges[i].end, &first, &last);
        for (size_t s = first; s < last; s++)
            modes[s] |= p->ranges[i].mode;
    }
}

static void part_submit(const struct parting *p, size_t part, size_t launch, int64_t blocks,
                        unsigned char *modes)
{
    const struct treefork_starpu_run_of *run = p->run;
    const struct treefork_ranks *ranks = treefork_ranks_get();
    int rank = (int)(part * (size_t)ranks->count / p->parts);
    struct treefork_task task = {.function = &run->functions[launch],
                                 .arguments = run->arguments,
                                 .arrays = run->arrays,
                                 .n_arguments = run->region->n_parameters,
                                 .n_arrays = run->region->n_arrays,
                                 .blocks = part_blocks(p, part, blocks),
                                 .bytes = run->bytes,
                                 .modes = modes};
    if (!p->reason)
        task.cut = (struct treefork_blocks_cut){part_from(p, part), part_from(p, part + 1),
                                                p->cut.extent, p->cut.is_last};
    modes_find(p, part, modes);
    task.nanoseconds = run->nanoseconds / (double)run->leaf->count *
                       (double)(task.blocks.rows * task.blocks.count) / (double)blocks;
    for (size_t s = 0; s < treefork_segments_count(); s++)
        if (modes[s] & TREEFORK_READ)
            treefork_segment_need(s, rank);
    if (rank == ranks->own)
        treefork_task_submit(&task);
    for (size_t s = 0; s < treefork_segments_count(); s++)
        if (modes[s] & TREEFORK_WRITE)
            treefork_segment_wrote(s, rank);
}

static void parts_trace(const struct parting *p, const struct treefork_launch *plan)
{
    if (p->reason)
        fprintf(stderr, "%s: one task, since %s\n", plan->kernel, p->reason);
    else
        fprintf(stderr, "%s: %zu parts of %lld blocks along the %s axis\n", plan->kernel, p->parts,
                (long long)p->cut.extent, p->cut.is_last ? "last" : "first");
}

void treefork_parts_submit(const struct treefork_starpu_run_of *run, size_t launch,
                           const struct treefork_launch *plan)
{
    struct parting p = {.run = run,
                        .cut = treefork_cut_of(run->evaluation, run->leaf->first + launch)};
    size_t most = treefork_ranks_get()->parts;
    p.reason = p.cut.reason;
    p.parts = (uint64_t)p.cut.extent < most ? (size_t)p.cut.extent : most;
    if (!p.reason)
        ranges_cut(&p);
    if (p.reason)
        ranges_whole(&p);
    for (size_t i = 0; i < p.n_ranges; i++)
        treefork_segments_cover(p.ranges[i].begin, p.ranges[i].end);
    unsigned char *modes = treefork_memory_of(malloc(treefork_segments_count() + 1));
    for (size_t part = 0; part < p.parts; part++)
        part_submit(&p, part, launch, plan->blocks, modes);
    if (run->trace)
        parts_trace(&p, plan);
    free(modes);
    free(p.ranges);
}
