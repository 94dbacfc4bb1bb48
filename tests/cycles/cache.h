#ifndef TESTS_CYCLES_CACHE_H
#define TESTS_CYCLES_CACHE_H
#include "base/arena.h"
#include <stdint.h>

/* The multiprocessor's first cache, its part of the second one and of the memory's bandwidth. Each
   is a queue: what comes later waits for what came before. */
struct caches;

struct caches_counts {
    int64_t sectors, bytes;     /* asked of the second cache; that went to or from memory */
};

struct caches *caches_new(struct arena *arena, int64_t first_bytes);
/* The cycle in which a sector that is asked for in cycle `now` is there. `sector`: its number. */
int64_t caches_load(struct caches *caches, int64_t now, uint64_t sector);
/* A store, or an atomic operation, which goes to the second cache: when its result is back. */
int64_t caches_store(struct caches *caches, int64_t now, uint64_t sector);
/* The cycle in which the memory is idle. */
int64_t caches_idle(const struct caches *caches);
struct caches_counts caches_counted(const struct caches *caches);

#endif
