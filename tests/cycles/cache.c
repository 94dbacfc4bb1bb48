/* Caches of lines with sectors, and the queues behind them. A load that the first cache lacks goes
   to the second one, which takes L2_SECTOR_PERMILLE for each sector, and from there to memory,
   which takes MEMORY_SECTOR_PERMILLE. A sector that is on its way counts as there, and is ready
   when it arrives. Stores go through the first cache; the second one keeps what is written, and
   its way to memory is charged at once, so once for as long as it stays in the cache. */
#include "tests/cycles/cache.h"
#include "tests/cycles/machine.h"
#include <stdbool.h>

enum { SECTORS = MACHINE_LINE_BYTES / MACHINE_SECTOR_BYTES, WAYS = 32, THOUSAND = 1000 };

struct line {
    uint64_t number;
    int64_t used;
    int64_t ready[SECTORS];
    bool there[SECTORS], dirty[SECTORS];
};

struct cache {
    struct line *lines;         /* sets of WAYS each */
    uint64_t sets;
    int64_t clock;              /* counts uses */
};

struct caches {
    struct cache first, second;
    int64_t second_free, memory_free;   /* thousandths of cycles */
    struct caches_counts counts;
};

static struct cache cache_new(struct arena *arena, int64_t bytes)
{
    int64_t sets = bytes / MACHINE_LINE_BYTES / WAYS;
    struct cache made = {.sets = sets < 1 ? 1 : (uint64_t)sets};
    made.lines = ARENA_ARRAY(arena, struct line, made.sets * WAYS);
    return made;
}

struct caches *caches_new(struct arena *arena, int64_t first_bytes)
{
    struct caches *made = ARENA_NEW(arena, struct caches);
    made->first = cache_new(arena, first_bytes);
    made->second = cache_new(arena, MACHINE_L2_BYTES);
    return made;
}

/* Columns of a matrix do not meet in one set: higher bits of the number enter, too. */
static struct line *set_of(const struct cache *cache, uint64_t number)
{
    uint64_t mixed = number ^ number >> 5 ^ number >> 11;
    return cache->lines + mixed % cache->sets * WAYS;
}

/* NULL if it is not there. */
static struct line *line_find(struct cache *cache, uint64_t number)
{
    struct line *set = set_of(cache, number);
    for (int i = 0; i < WAYS; i++)
        if (set[i].used && set[i].number == number) {
            set[i].used = ++cache->clock;
            return &set[i];
        }
    return NULL;
}

/* In place of the one that was not used for longest. */
static struct line *line_make(struct cache *cache, uint64_t number)
{
    struct line *set = set_of(cache, number), *oldest = set;
    for (int i = 1; i < WAYS; i++)
        if (set[i].used < oldest->used)
            oldest = &set[i];
    *oldest = (struct line){.number = number, .used = ++cache->clock};
    return oldest;
}

static struct line *line_of(struct cache *cache, uint64_t number)
{
    struct line *found = line_find(cache, number);
    return found ? found : line_make(cache, number);
}

/* When the queue serves what comes at `now`; it is busy for `takes` then. */
static int64_t queue_enter(int64_t *queue, int64_t now, int64_t takes)
{
    int64_t start = now > *queue ? now : *queue;
    *queue = start + takes;
    return start;
}

static int64_t memory_enter(struct caches *c, int64_t now)
{
    c->counts.bytes += MACHINE_SECTOR_BYTES;
    return queue_enter(&c->memory_free, now, MACHINE_MEMORY_SECTOR_PERMILLE);
}

static int64_t second_load(struct caches *c, int64_t now, uint64_t sector)
{
    struct line *line = line_of(&c->second, sector / SECTORS);
    int64_t start = queue_enter(&c->second_free, now * THOUSAND, MACHINE_L2_SECTOR_PERMILLE);
    int64_t there = start / THOUSAND + MACHINE_L2_LATENCY;
    uint64_t i = sector % SECTORS;
    c->counts.sectors++;
    if (!line->there[i]) {
        line->there[i] = true;
        line->ready[i] = memory_enter(c, start) / THOUSAND + MACHINE_MEMORY_LATENCY;
    }
    return line->ready[i] > there ? line->ready[i] : there;
}

int64_t caches_load(struct caches *c, int64_t now, uint64_t sector)
{
    struct line *line = line_of(&c->first, sector / SECTORS);
    uint64_t i = sector % SECTORS;
    if (!line->there[i]) {
        line->there[i] = true;
        line->ready[i] = second_load(c, now, sector);
    }
    int64_t there = now + MACHINE_L1_LATENCY;
    return line->ready[i] > there ? line->ready[i] : there;
}

int64_t caches_store(struct caches *c, int64_t now, uint64_t sector)
{
    struct line *line = line_of(&c->second, sector / SECTORS);
    int64_t start = queue_enter(&c->second_free, now * THOUSAND, MACHINE_L2_SECTOR_PERMILLE);
    uint64_t i = sector % SECTORS;
    c->counts.sectors++;
    if (!line->dirty[i])
        memory_enter(c, start);
    line->there[i] = true;
    line->dirty[i] = true;
    return start / THOUSAND + MACHINE_L2_LATENCY;
}

int64_t caches_idle(const struct caches *c)
{
    return (c->memory_free + THOUSAND - 1) / THOUSAND;
}

struct caches_counts caches_counted(const struct caches *c)
{
    return c->counts;
}
