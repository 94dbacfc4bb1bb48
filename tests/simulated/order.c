/* Is everything that touches the same bytes in order? In: the bytes that operations read and write,
   as they run; out: a report of each pair, one of which writes, that nothing puts in order: no
   stream, no event, no wait of the program. It asks what is known of the order (struct sim_clock),
   not in which order they happened to run. Only with TREEFORK_SIMULATED_CHECK=1. */
#include "tests/simulated/simulated.h"
#include <stdlib.h>

struct sim_access {
    struct sim_access *next;
    size_t begin, end;
    bool writes;
    int stream;
    uint32_t number;
    struct sim_clock clock;
    const char *what;
};

void sim_accesses_free(struct sim_memory *memory)
{
    while (memory->accesses) {
        struct sim_access *access = memory->accesses;
        memory->accesses = access->next;
        free(access);
    }
}

/* Does nothing wait to run but the operation at hand? All that the program has waited for is then
   before whatever comes. */
static bool is_quiet(const struct sim *sim)
{
    bool quiet = true;
    for (int i = 0; i < sim->n_streams; i++)
        quiet = quiet && sim->streams[i].done + 1 >= sim->streams[i].given;
    return quiet;
}

static void accesses_forget(const struct sim_operation *operation, struct sim_memory *memory)
{
    const struct sim *sim = simulated();
    for (struct sim_access **place = &memory->accesses; *place && is_quiet(sim);) {
        struct sim_access *access = *place;
        if (sim->host.seen[access->stream] < access->number ||
            operation->clock.seen[access->stream] < access->number) {
            place = &access->next;
        } else {
            *place = access->next;
            free(access);
        }
    }
}

static bool is_ordered(const struct sim_access *a, const struct sim_access *b)
{
    return a->number <= b->clock.seen[a->stream] || b->number <= a->clock.seen[b->stream];
}

static int access_check(const struct sim_access *a, const struct sim_access *b)
{
    if (a->begin >= b->end || b->begin >= a->end || !(a->writes || b->writes) || is_ordered(a, b))
        return CU_OK;
    return sim_fail(CU_ILLEGAL_ADDRESS,
                    "%s in stream %d %s bytes %zu to %zu that %s in stream %d %s, and nothing puts "
                    "the two in order",
                    b->what, b->stream, b->writes ? "writes" : "reads", b->begin, b->end - 1,
                    a->what, a->stream, a->writes ? "writes" : "reads");
}

int sim_touch(const struct sim_operation *operation, struct sim_memory *memory, size_t begin,
              size_t end, bool writes)
{
    int code = CU_OK;
    if (!simulated()->is_checked)
        return CU_OK;
    struct sim_access *access = malloc(sizeof *access);
    if (!access)
        return CU_OUT_OF_MEMORY;
    accesses_forget(operation, memory);
    *access = (struct sim_access){.next = memory->accesses, .begin = begin, .end = end,
                                  .writes = writes,
                                  .stream = (int)(operation->stream - simulated()->streams),
                                  .number = operation->number, .clock = operation->clock,
                                  .what = operation->what};
    for (const struct sim_access *a = memory->accesses; a && !code; a = a->next)
        code = access_check(a, access);
    memory->accesses = access;
    return code;
}
