/* Asynchronous copies in the thread interpreter.

   In: copies as threads start them, barriers that wait. Out: bytes of the block's buffer, and by
   granule whether a copy is under way there: then any access is a race, whoever makes it, for the
   value may arrive at any time. An even seed lets it arrive as late as it may, at the barrier that
   waits for its group; an odd one at once, though nobody may touch it before that barrier.

   All threads of a block pass the same barriers, so that one number tells the group of all. What is
   under way when a block comes to its next point of the grid stays under way. */
#include "ir/async.h"
#include "ir/interpret_code.h"
#include <string.h>

void async_open(struct interpreter *run, int64_t granules)
{
    if (run->checked && kernel_has_async(run->scratch, run->kernel))
        run->shared_flying = arena_alloc(run->scratch, (size_t)granules);
}

void async_new_block(struct interpreter *run)
{
    if (run->shared_flying)
        memset(run->shared_flying, 0, (size_t)(run->shared_bytes / run->granule));
    run->flights.count = 0;
}

static void bytes_arrive(struct interpreter *run, const struct flight *flight)
{
    memcpy(run->shared + flight->begin, flight->data, flight->bytes);
    memset(run->shared_defined + flight->begin / run->granule, 1, flight->bytes / run->granule);
}

void async_begin(struct interpreter *run, int64_t begin, unsigned bytes, const unsigned char *data)
{
    struct flight flight = {.begin = begin, .bytes = bytes, .group = run->group};
    bool at_once = run->input->seed % 2 != 0;
    memcpy(flight.data, data, bytes);
    if (at_once)
        bytes_arrive(run, &flight);
    memset(run->shared_flying + begin / run->granule, 1, bytes / run->granule);
    vec_push(run->scratch, &run->flights, flight);
}

void async_wait(struct interpreter *run, int pending)
{
    size_t kept = 0;
    run->group++;
    for (size_t i = 0; i < run->flights.count; i++) {
        struct flight flight = run->flights.at[i];
        if (flight.group + (uint64_t)pending >= run->group) {
            run->flights.at[kept++] = flight;
            continue;
        }
        bytes_arrive(run, &flight);
        memset(run->shared_flying + flight.begin / run->granule, 0, flight.bytes / run->granule);
    }
    run->flights.count = kept;
}
