/* A wait for a compiler is said on a terminal. In: a device that compiles a kernel,
   or launches one that it has compiled, which is when drivers of CPUs compile. Out: a line on
   standard error, once per process, if that is a terminal and the wait takes longer than PATIENCE.
   The caller is inside the driver meanwhile, so that a thread says it; it has no signals of the
   program's. Where no thread can be made, nothing is said. */
#include "runtime/waiting.h"
#include "runtime/internal.h"
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/* Nanoseconds that nobody wonders about. */
enum { PATIENCE = 300000000, SECOND = 1000000000 };

static atomic_bool is_said;

static void deadline_set(struct timespec *deadline)
{
    clock_gettime(CLOCK_MONOTONIC, deadline);
    long nanoseconds = deadline->tv_nsec + PATIENCE;
    deadline->tv_sec += nanoseconds / SECOND;
    deadline->tv_nsec = nanoseconds % SECOND;
}

/* The thread: waits for the end, or says what is waited for. */
static void *waiting_watch(void *state)
{
    struct treefork_waiting *w = state;
    int status = 0;
    pthread_mutex_lock(&w->mutex);
    while (!w->has_ended && status == 0)
        status = pthread_cond_timedwait(&w->ended, &w->mutex, &w->deadline);
    bool is_late = !w->has_ended;
    pthread_mutex_unlock(&w->mutex);
    if (is_late && !atomic_exchange(&is_said, true))
        fprintf(stderr, "treefork: kernels are compiled for %s%s\n", w->device,
                w->is_kept ? "; later runs find them in the cache" : "");
    return NULL;
}

static bool clock_condition_make(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    bool is_made = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                   pthread_cond_init(condition, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return is_made;
}

static bool thread_make(struct treefork_waiting *w)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int status = pthread_create(&w->thread, NULL, waiting_watch, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status == 0;
}

void treefork_waiting_begin(struct treefork_waiting *w, const struct treefork_device *device)
{
    *w = (struct treefork_waiting){.device = device->name, .is_kept = device->cache != NULL};
    if (atomic_load(&is_said) || !isatty(STDERR_FILENO) ||
        treefork_environment_is("TREEFORK_QUIET", "1") || !clock_condition_make(&w->ended))
        return;
    deadline_set(&w->deadline);
    pthread_mutex_init(&w->mutex, NULL);
    w->is_watched = thread_make(w);
    if (w->is_watched)
        return;
    pthread_mutex_destroy(&w->mutex);
    pthread_cond_destroy(&w->ended);
}

void treefork_waiting_end(struct treefork_waiting *w)
{
    if (!w->is_watched)
        return;
    pthread_mutex_lock(&w->mutex);
    w->has_ended = true;
    pthread_cond_signal(&w->ended);
    pthread_mutex_unlock(&w->mutex);
    pthread_join(w->thread, NULL);
    pthread_mutex_destroy(&w->mutex);
    pthread_cond_destroy(&w->ended);
}
