/* The counting simulator (ir/simulate.h).

   In: the accesses of a run, thread after thread. Out: counts per reference. The accesses of one
   execution of a band (or of a block-level statement) are gathered, sorted into instructions, and
   counted when the next execution begins.
   Invariant: the counts hold every access reported so far except the gathered ones. */
#include "ir/simulate.h"
#include "base/map.h"
#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

struct event {
    int64_t reference, pass, thread, byte, bytes;
    uint64_t rounds;
};

struct simulator {
    struct arena *arena, *scratch;
    struct simulate_options options;
    struct map *numbers;                         /* place -> its reference */
    VEC(struct simulated_access) accesses;
    VEC(struct event) events;                    /* of the execution being gathered */
    VEC(int64_t) keys;                           /* scratch of distinct() */
    int64_t *banks;                              /* scratch of bank_degree() */
    VEC(int64_t) warps;                          /* transactions of the block's warps at this
                                                    grid point */
    uint64_t execution;
    int64_t block, lines;                        /* of the events; lines of the block at this
                                                    grid point */
    const struct kernel *kernel;
    unsigned char **touched;                     /* by global array: TOUCHED_… of each byte */
    int64_t *read, *written;                     /* by array: bytes */
    struct simulation result;
};

enum { TOUCHED_READ = 1, TOUCHED_WRITTEN = 2 };

static int event_compare(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    if (a->reference != b->reference)
        return a->reference < b->reference ? -1 : 1;
    if (a->rounds != b->rounds)
        return a->rounds < b->rounds ? -1 : 1;
    if (a->pass != b->pass)
        return a->pass < b->pass ? -1 : 1;
    return (a->thread > b->thread) - (a->thread < b->thread);
}

static int number_compare(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Counts the different units of `size` bytes that the events touch. */
static int64_t distinct(struct simulator *sim, const struct event *events, size_t count,
                        int64_t size)
{
    int64_t different = 0;
    sim->keys.count = 0;
    for (size_t i = 0; i < count; i++)
        for (int64_t unit = events[i].byte / size;
             unit <= (events[i].byte + events[i].bytes - 1) / size; unit++)
            vec_push(sim->scratch, &sim->keys, unit);
    qsort(sim->keys.at, sim->keys.count, sizeof *sim->keys.at, number_compare);
    for (size_t i = 0; i < sim->keys.count; i++)
        different += i == 0 || sim->keys.at[i] != sim->keys.at[i - 1];
    return different;
}

/* The most different words of one bank, among events of one half warp or warp. */
static int64_t bank_degree(struct simulator *sim, const struct event *events, size_t count)
{
    int64_t degree = 0, *found = sim->banks;
    memset(found, 0, (size_t)sim->options.banks * sizeof *found);
    (void)distinct(sim, events, count, 4);
    for (size_t i = 0; i < sim->keys.count; i++)
        if (i == 0 || sim->keys.at[i] != sim->keys.at[i - 1]) {
            int64_t *bank = &found[sim->keys.at[i] % sim->options.banks];
            *bank += 1;
            degree = *bank > degree ? *bank : degree;
        }
    return degree;
}

static void count_banks(struct simulator *sim, struct simulated_access *to,
                        const struct event *events, size_t count)
{
    int64_t bytes = events->bytes,
            part = bytes > 4 ? sim->options.warp * 4 / bytes : sim->options.warp;
    for (size_t i = 0; i < count;) {
        size_t end = i;
        while (end < count && events[end].thread / part == events[i].thread / part)
            end++;
        int64_t degree = bank_degree(sim, events + i, end - i);
        to->parts++;
        to->wavefronts += degree;
        to->degree_most = degree > to->degree_most ? degree : to->degree_most;
        i = end;
    }
}

/* One instruction of one warp. */
static void count_warp(struct simulator *sim, const struct event *events, size_t count)
{
    struct simulated_access *to = &sim->accesses.at[events->reference];
    int64_t bytes = type_bytes(to->array->element);
    to->warps++;
    if (to->array->space == SPACE_SHARED) {
        count_banks(sim, to, events, count);
        return;
    }
    int64_t lines = distinct(sim, events, count, sim->options.line);
    to->transactions += lines;
    to->transactions_most = lines > to->transactions_most ? lines : to->transactions_most;
    to->sectors += distinct(sim, events, count, sim->options.sector);
    to->ideal += (distinct(sim, events, count, bytes) * bytes + sim->options.line - 1) /
                 sim->options.line;
    while (sim->warps.count <= (size_t)(events->thread / sim->options.warp))
        vec_push(sim->scratch, &sim->warps, 0);
    sim->warps.at[events->thread / sim->options.warp] += lines;
}

/* One instruction of a block: all events of one reference and round. */
static void count_block(struct simulator *sim, const struct event *events, size_t count)
{
    struct simulated_access *to = &sim->accesses.at[events->reference];
    to->accesses += (int64_t)count;
    to->bytes += (int64_t)count * events->bytes;
    to->instructions++;
    if (to->array->space == SPACE_GLOBAL) {
        int64_t lines = distinct(sim, events, count, sim->options.line);
        to->lines += lines;
        sim->lines += lines;
    }
    for (size_t i = 0; i < count;) {
        size_t end = i;
        while (end < count && events[end].pass == events[i].pass &&
               events[end].thread / sim->options.warp == events[i].thread / sim->options.warp)
            end++;
        count_warp(sim, events + i, end - i);
        i = end;
    }
}

static void execution_end(struct simulator *sim)
{
    if (sim->events.count)
        qsort(sim->events.at, sim->events.count, sizeof *sim->events.at, event_compare);
    for (size_t i = 0; i < sim->events.count;) {
        size_t end = i;
        while (end < sim->events.count &&
               sim->events.at[end].reference == sim->events.at[i].reference &&
               sim->events.at[end].rounds == sim->events.at[i].rounds)
            end++;
        count_block(sim, sim->events.at + i, end - i);
        i = end;
    }
    sim->events.count = 0;
}

static void block_end(struct simulator *sim)
{
    if (sim->lines > sim->result.lines_most)
        sim->result.lines_most = sim->lines;
    for (size_t i = 0; i < sim->warps.count; i++)
        if (sim->warps.at[i] > sim->result.transactions_most)
            sim->result.transactions_most = sim->warps.at[i];
    sim->warps.count = 0;
    sim->lines = 0;
}

static int64_t reference_number(struct simulator *sim, const struct interpret_access *access)
{
    size_t *number = map_get_pointer(sim->numbers, access->place);
    if (!number) {
        number = ARENA_NEW(sim->scratch, size_t);
        *number = sim->accesses.count;
        map_put_pointer(sim->numbers, access->place, number);
        struct simulated_access first = {.array = access->array,
                                         .node = access->node,
                                         .is_write = access->is_write};
        vec_push(sim->arena, &sim->accesses, first);
    }
    return (int64_t)*number;
}

static void touch(struct simulator *sim, const struct interpret_access *access)
{
    int number = 0;
    while (sim->kernel->arrays[number] != access->array)
        number++;
    unsigned char *touched = sim->touched[number];
    unsigned char how = access->is_write ? TOUCHED_WRITTEN : TOUCHED_READ;
    int64_t *bytes = access->is_write ? sim->written : sim->read;
    for (int64_t byte = access->byte; byte < access->byte + access->bytes; byte++) {
        bytes[number] += !(touched[byte] & how);
        touched[byte] |= how;
    }
}

static void access_record(void *state, const struct interpret_access *access)
{
    struct simulator *sim = state;
    if (access->execution != sim->execution || access->block != sim->block)
        execution_end(sim);
    if (access->block != sim->block)
        block_end(sim);
    sim->execution = access->execution;
    sim->block = access->block;
    if (access->array->space == SPACE_GLOBAL)
        touch(sim, access);
    struct event event = {reference_number(sim, access),
                          access->pass,
                          access->thread,
                          access->byte,
                          access->bytes,
                          access->rounds};
    vec_push(sim->scratch, &sim->events, event);
}

static void touched_begin(struct simulator *sim, const struct interpret_array *arrays)
{
    int n = sim->kernel->n_arrays;
    sim->read = ARENA_ARRAY(sim->arena, int64_t, n + 1);
    sim->written = ARENA_ARRAY(sim->arena, int64_t, n + 1);
    sim->touched = ARENA_ARRAY(sim->scratch, unsigned char *, n + 1);
    for (int i = 0; i < n; i++)
        if (sim->kernel->arrays[i]->space == SPACE_GLOBAL)
            sim->touched[i] = ARENA_ARRAY(sim->scratch, unsigned char,
                                          arrays[i].count *
                                                  type_bytes(sim->kernel->arrays[i]->element) +
                                              1);
}

struct simulation kernel_simulate(struct arena *arena, const struct kernel *kernel,
                                  const struct interpret_input *input,
                                  struct simulate_options options)
{
    static const struct simulate_options DEFAULTS = {32, 128, 32, 32};
    struct simulator sim = {.arena = arena, .scratch = arena_new(), .options = options};
    sim.options.warp = options.warp ? options.warp : DEFAULTS.warp;
    sim.options.line = options.line ? options.line : DEFAULTS.line;
    sim.options.sector = options.sector ? options.sector : DEFAULTS.sector;
    sim.options.banks = options.banks ? options.banks : DEFAULTS.banks;
    sim.numbers = map_new(sim.scratch);
    sim.kernel = kernel;
    touched_begin(&sim, input->arrays);
    sim.banks = ARENA_ARRAY(sim.scratch, int64_t, sim.options.banks);
    struct interpret_trace trace = {access_record, &sim};
    struct interpret_input traced = *input;
    traced.trace = &trace;
    sim.result.result = interpret_threads(arena, kernel, &traced);
    execution_end(&sim);
    block_end(&sim);
    sim.result.count = sim.accesses.count;
    sim.result.accesses = sim.accesses.at;
    sim.result.read = sim.read;
    sim.result.written = sim.written;
    arena_free(sim.scratch);
    return sim.result;
}
