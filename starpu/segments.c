/* Segments. In: ranges of the host's memory that parts of launches touch. Out: handles of StarPU,
   and copies between processes.

   A list of segments sorted by address; where a part begins or ends within a segment, it is cut
   in two. So a part's own rows and the rows at its borders that neighbours read are handles of
   their own, every byte is in one handle only, and StarPU orders tasks by them. A handle's home
   is the program's array itself: CPU workers compute in place, and what comes from another
   process lands there. Every process makes the same list in the same order, with the addresses of
   its own arrays, and knows of each segment which processes have its newest bytes; so sender and
   receiver of a copy need not talk about it, and a tag, counted where a segment is made, is the
   same for both. */
#include "starpu/segments.h"
#include "runtime/internal.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct segment {
    char *begin;
    size_t bytes;
    starpu_data_handle_t handle;        /* NULL: no task has used it yet */
    int64_t tag;
    unsigned char *has;                 /* by process */
};

static struct segments {
    struct segment *at;
    size_t count, room;
    int64_t tags;
} segments;

static struct treefork_starpu_statistics statistics;
static atomic_ulong tasks, tasks_by_opencl;

struct treefork_starpu_statistics treefork_segments_statistics(void)
{
    statistics.tasks = atomic_load(&tasks);
    statistics.tasks_by_opencl = atomic_load(&tasks_by_opencl);
    return statistics;
}

void treefork_segments_task(bool is_by_opencl)
{
    atomic_fetch_add(&tasks, 1);
    atomic_fetch_add(&tasks_by_opencl, is_by_opencl);
}

/* --- the list --------------------------------------------------------------------------------- */

size_t treefork_segments_count(void)
{
    return segments.count;
}

/* The first segment that ends behind the place. */
static size_t segment_behind(const char *place)
{
    size_t low = 0, high = segments.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct segment *s = &segments.at[middle];
        if ((uintptr_t)s->begin + s->bytes > (uintptr_t)place)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Room for a segment before number `at`. */
static struct segment *segment_insert(size_t at)
{
    if (segments.count == segments.room) {
        segments.room = segments.room ? 2 * segments.room : 64;
        segments.at = treefork_memory_of(realloc(segments.at, segments.room * sizeof *segments.at));
    }
    memmove(segments.at + at + 1, segments.at + at,
            (segments.count - at) * sizeof *segments.at);
    segments.count++;
    return &segments.at[at];
}

static struct segment segment_new(char *begin, size_t bytes, const unsigned char *has)
{
    size_t ranks = (size_t)treefork_ranks_get()->count;
    struct segment s = {.begin = begin, .bytes = bytes, .tag = segments.tags++};
    s.has = treefork_memory_of(malloc(ranks));
    if (has)
        memcpy(s.has, has, ranks);
    else
        memset(s.has, 1, ranks);
    return s;
}

/* Waits for the tasks and copies of the segment. */
static void segment_release(struct segment *s)
{
    if (s->handle)
        starpu_data_unregister(s->handle);
    s->handle = NULL;
}

/* Two segments where one reaches over the place. */
static void segments_cut(char *place)
{
    size_t at = segment_behind(place);
    if (at == segments.count || segments.at[at].begin >= place)
        return;
    segment_release(&segments.at[at]);
    struct segment *second = segment_insert(at + 1), *first = &segments.at[at];
    size_t bytes = (size_t)(place - first->begin);
    *second = segment_new(place, first->bytes - bytes, first->has);
    first->bytes = bytes;
    first->tag = segments.tags++;
}

void treefork_segments_cover(char *begin, char *end)
{
    segments_cut(begin);
    segments_cut(end);
    size_t at = segment_behind(begin);
    while (begin < end) {
        char *next = at < segments.count ? segments.at[at].begin : end;
        next = next < end ? next : end;
        if (next > begin)
            *segment_insert(at) = segment_new(begin, (size_t)(next - begin), NULL);
        begin = segments.at[at].begin + segments.at[at].bytes;
        at++;
    }
}

void treefork_segments_between(const char *begin, const char *end, size_t *first, size_t *last)
{
    *first = segment_behind(begin);
    *last = end > begin ? segment_behind(end - 1) + 1 : *first;
}

/* --- one segment ------------------------------------------------------------------------------ */

/* StarPU and MPI count elements in 32 bits; these are as long as divides the segment. */
static size_t element_bytes(size_t bytes)
{
    size_t element = 1;
    while (element < 4096 && bytes % (2 * element) == 0)
        element *= 2;
    return element;
}

starpu_data_handle_t treefork_segment_handle(size_t segment)
{
    struct segment *s = &segments.at[segment];
    size_t element = element_bytes(s->bytes);
    if (!s->handle)
        starpu_vector_data_register(&s->handle, STARPU_MAIN_RAM, (uintptr_t)s->begin,
                                    (uint32_t)(s->bytes / element), element);
    return s->handle;
}

const char *treefork_segment_place(size_t segment, size_t *bytes)
{
    *bytes = segments.at[segment].bytes;
    return segments.at[segment].begin;
}

/* The first process that has the newest bytes. */
static int segment_holder(const struct segment *s)
{
    int rank = 0;
    while (!s->has[rank])
        rank++;
    return rank;
}

static void segment_copy(size_t segment, int from, int rank, uint64_t *sent)
{
    struct segment *s = &segments.at[segment];
    if (s->has[rank])
        return;
    treefork_ranks_copy(treefork_segment_handle(segment), from, rank, s->tag);
    if (from == treefork_ranks_get()->own)
        *sent += s->bytes;
    s->has[rank] = 1;
}

void treefork_segment_need(size_t segment, int rank)
{
    int from = segment_holder(&segments.at[segment]);
    segment_copy(segment, from, rank, &statistics.bytes_between);
}

void treefork_segment_wrote(size_t segment, int rank)
{
    memset(segments.at[segment].has, 0, (size_t)treefork_ranks_get()->count);
    segments.at[segment].has[rank] = 1;
}

/* --- back to the host ------------------------------------------------------------------------- */

/* The segments that reach into the range. */
static void range_find(const char *begin, size_t bytes, size_t *first, size_t *last)
{
    *first = 0;
    *last = segments.count;
    if (!begin)
        return;
    treefork_segments_between(begin, begin + bytes, first, last);
    if (*last > segments.count)
        *last = segments.count;
    while (*last > *first && (uintptr_t)segments.at[*last - 1].begin >= (uintptr_t)begin + bytes)
        --*last;
}

void treefork_segments_forget(const char *begin, size_t bytes)
{
    size_t first, last;
    range_find(begin, bytes, &first, &last);
    for (size_t i = first; i < last; i++) {
        segment_release(&segments.at[i]);
        free(segments.at[i].has);
    }
    memmove(segments.at + first, segments.at + last,
            (segments.count - last) * sizeof *segments.at);
    segments.count -= last - first;
}

void treefork_segments_home(const char *begin, size_t bytes)
{
    size_t first, last;
    range_find(begin, bytes, &first, &last);
    for (size_t i = first; i < last; i++) {
        int from = segment_holder(&segments.at[i]);
        for (int rank = 0; rank < treefork_ranks_get()->count; rank++)
            segment_copy(i, from, rank, &statistics.bytes_home);
    }
    treefork_segments_forget(begin, bytes);
}
