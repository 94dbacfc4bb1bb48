#ifndef TREEFORK_WAITING_H
#define TREEFORK_WAITING_H
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#pragma GCC visibility push(hidden)

struct treefork_device;

/* A wait for a compiler, between begin and end, which one thread calls. */
struct treefork_waiting {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    struct timespec deadline;
    const char *device;         /* the name */
    bool is_kept;               /* later runs find the kernels in the cache */
    bool is_watched, has_ended;
};
/* If it takes some tenths of a second a terminal is told, once per process. */
void treefork_waiting_begin(struct treefork_waiting *waiting, const struct treefork_device *device);
void treefork_waiting_end(struct treefork_waiting *waiting);

#pragma GCC visibility pop
#endif
