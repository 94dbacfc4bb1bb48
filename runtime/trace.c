/* What generated functions say about their choices. In: a trace filled by NAME_select, a region's
   name, a status; out: lines on a stream, and what to do next. Environment: TREEFORK_TRACE=1 prints
   every choice, TREEFORK_QUIET=1
   silences failures, TREEFORK_ON_ERROR=abort stops the program instead of running the serial
   elision; an array that is too small stops it always. Each failure is reported once per region and
   status, because a region in a loop must not print a thousand lines; but a trace has them all. */
#include "runtime/internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void trace_entry_print(FILE *out, const struct treefork_trace_entry *e)
{
    fprintf(out, "  %-4s %s", e->holds ? "yes" : "no", e->text);
    if (e->unlimited)
        fprintf(out, "   (%" PRId64 " against no limit)\n", e->left);
    else
        fprintf(out, "   (%" PRId64 " and %" PRId64 ")\n", e->left, e->right);
}

void treefork_trace_print(FILE *out, const struct treefork_trace *trace)
{
    size_t n = trace->count < TREEFORK_TRACE_MAX ? trace->count : TREEFORK_TRACE_MAX;
    for (size_t i = 0; i < n; i++)
        trace_entry_print(out, &trace->entry[i]);
    if (trace->count > n)
        fprintf(out, "  … and %zu more conditions\n", trace->count - n);
    if (trace->variant)
        fprintf(out, "  leaf %d\n", trace->variant);
    else
        fprintf(out, "  no leaf\n");
}

/* A set of (region, status) seen, by hash; when it is full, more is printed rather than less. */
bool treefork_failure_is_new(const char *region, int status)
{
    enum { SEEN_MAX = 256 };
    static uint64_t seen[SEEN_MAX];
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    uint64_t hash = 1469598103934665603u + (uint64_t)status;
    for (const char *c = region; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    hash += hash == 0;
    pthread_mutex_lock(&mutex);
    int i = 0;
    while (i < SEEN_MAX && seen[i] && seen[i] != hash)
        i++;
    bool known = i < SEEN_MAX && seen[i] == hash;
    if (i < SEEN_MAX)
        seen[i] = hash;
    pthread_mutex_unlock(&mutex);
    return !known;
}

static void failure_print(const char *region, int status, const char *what_then)
{
    fprintf(stderr, "treefork: %s: %s: %s (%s)\n", region, treefork_status_name(status),
            treefork_message(), what_then);
}

/* An array that is too small is too small for the serial program too. */
int treefork_failed(const char *region, int status)
{
    bool quiet = treefork_environment_is("TREEFORK_QUIET", "1"),
         asked = treefork_environment_is("TREEFORK_ON_ERROR", "abort");
    if (status != TREEFORK_BOUNDS && treefork_failure_keep(region, status, asked))
        return 1;
    if (status == TREEFORK_BOUNDS && !asked)
        failure_print(region, status, "stopping");
    else if (!quiet && (treefork_tracing() || treefork_failure_is_new(region, status)))
        failure_print(region, status,
                      asked ? "TREEFORK_ON_ERROR=abort" : "running the serial program");
    return !asked && status != TREEFORK_BOUNDS;
}

void treefork_stop(const char *function, int status)
{
    if (treefork_failure_keep(function, status, true))
        return;
    failure_print(function, status, "stopping: the data are nowhere else");
    abort();
}

int treefork_tracing(void)
{
    return treefork_environment_is("TREEFORK_TRACE", "1");
}

void treefork_predicted(const char *region, const struct treefork_prediction *p)
{
    if (p->nanoseconds >= NO_TIME)
        fprintf(stderr, "%s: no time is predicted\n", region);
    else
        fprintf(stderr,
                "%s: predicted %.3f us (a model's number: launch %.3f + the root of the squares of "
                "memory %.3f, compute %.3f, latency %.3f)\n",
                region, p->nanoseconds / 1e3, p->launch / 1e3, p->memory / 1e3, p->compute / 1e3,
                p->latency / 1e3);
}

void treefork_chosen(const char *region, const struct treefork_device *device,
                     const struct treefork_trace *trace)
{
    if (!treefork_environment_is("TREEFORK_TRACE", "1"))
        return;
    fprintf(stderr, "%s: leaf %d on %s (%s)\n", region, trace->variant,
            treefork_device_name(device), treefork_device_kind(device));
    treefork_trace_print(stderr, trace);
}
