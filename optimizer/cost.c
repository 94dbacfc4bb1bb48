/* Where the CPU time of a tree goes. In: switches from one activity to another, nested as calls
   are. Out: seconds per row of cost.def; each second counts for the innermost activity only. */
#include "optimizer/store.h"
#include <time.h>

enum cost cost_switch(struct store *store, enum cost to)
{
    struct stopwatch *watch = &store->watch;
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    double now = (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
    enum cost from = watch->current;
    if (watch->running)
        watch->spent[from] += now - watch->last;
    watch->running = true;
    watch->last = now;
    watch->current = to;
    return from;
}

const char *cost_name(enum cost cost)
{
    static const char *const NAMES[] = {
#define X(SYMBOL, name, what) #name,
#include "optimizer/cost.def"
#undef X
    };
    return NAMES[cost];
}
