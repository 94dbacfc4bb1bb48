/* How long isl may work, and how much memory it may take.

   In: a scop whose isl context has just been made, and what other fragments left of the file's
   time. Out: a refusal if isl took more. isl's own quota counts operations, of which one may take
   any time, as numbers and systems grow; so a thread looks at the process's time and memory while
   isl works, and tells isl to give up, which it then does at its next operation. A fragment gets a
   quarter of what the file has left: a fragment that is cut in parts is read several times, and no
   number of parts takes longer than the file may. Time is that of the processor, so that a machine
   with other work decides alike. */
#include "mapper/scop/limit.h"
#include <pthread.h>
#include <sys/resource.h>
#include <time.h>

enum { SECONDS_DEFAULT = 6, SHARE = 4, MEMORY_MAX_MIB = 1024, LOOK_NANOSECONDS = 20000000 };

struct scop_limit {
    pthread_t watcher;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    isl_ctx *isl;
    double begin, seconds;           /* of the process: when isl began, and what it may take */
    double *left;                    /* of the file */
    int64_t memory;                  /* MiB, at the beginning */
    bool is_over;                    /* under the mutex: isl has ended */
    bool is_late, is_large;          /* isl was told to give up */
};

static double seconds_used(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The most that the process had at once. */
static int64_t memory_used(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage))
        return 0;
    return (int64_t)usage.ru_maxrss / 1024;
}

/* Looks until isl has ended or took too much. */
static void *watch(void *data)
{
    struct scop_limit *limit = data;
    pthread_mutex_lock(&limit->mutex);
    while (!limit->is_over && !limit->is_late && !limit->is_large) {
        struct timespec next;
        clock_gettime(CLOCK_REALTIME, &next);
        next.tv_nsec += LOOK_NANOSECONDS;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&limit->changed, &limit->mutex, &next);
        limit->is_late = seconds_used() - limit->begin > limit->seconds;
        limit->is_large = memory_used() - limit->memory > MEMORY_MAX_MIB;
        if (!limit->is_over && (limit->is_late || limit->is_large))
            isl_ctx_abort(limit->isl);
    }
    pthread_mutex_unlock(&limit->mutex);
    return NULL;
}

/* What the file has left, in seconds. */
static double *seconds_left(struct ctx *ctx)
{
    static const char key[] = "mapper seconds";
    if (!ctx->caches)
        ctx->caches = map_new(ctx->arena);
    double *left = map_get(ctx->caches, key);
    if (left)
        return left;
    left = ARENA_NEW(ctx->arena, double);
    *left = ctx->map_seconds ? ctx->map_seconds : SECONDS_DEFAULT;
    map_put(ctx->caches, key, left);
    return left;
}

void scop_limit_begin(struct scop *scop)
{
    struct scop_limit *limit = ARENA_NEW(scop->arena, struct scop_limit);
    limit->isl = scop->isl;
    limit->left = seconds_left(scop->ctx);
    limit->seconds = *limit->left / SHARE;
    limit->begin = seconds_used();
    limit->memory = memory_used();
    pthread_mutex_init(&limit->mutex, NULL);
    pthread_cond_init(&limit->changed, NULL);
    if (pthread_create(&limit->watcher, NULL, watch, limit) == 0) {
        scop->limit = limit;
        return;
    }
    pthread_cond_destroy(&limit->changed);
    pthread_mutex_destroy(&limit->mutex);
}

/* Whatever isl said after it was told to give up counts for nothing, other refusals included. */
bool scop_limit_end(struct scop *scop)
{
    struct scop_limit *limit = scop->limit;
    if (!limit)
        return true;
    pthread_mutex_lock(&limit->mutex);
    bool aborted = limit->is_late || limit->is_large;
    limit->is_over = true;
    pthread_cond_signal(&limit->changed);
    pthread_mutex_unlock(&limit->mutex);
    pthread_join(limit->watcher, NULL);
    pthread_cond_destroy(&limit->changed);
    pthread_mutex_destroy(&limit->mutex);
    scop->limit = NULL;
    *limit->left -= seconds_used() - limit->begin;
    *limit->left = *limit->left > 0 ? *limit->left : 0;
    if (!aborted)
        return true;
    scop->refusal.text = NULL;
    if (limit->is_large)
        return scop_refuse(scop, REFUSE_MEMORY, scop->fragment->loc, NULL);
    return scop_refuse(scop, REFUSE_TIME, scop->fragment->loc,
                       arena_printf(scop->arena, "%.2g", limit->seconds));
}
