#include "clock.h"
#include <time.h>

static double clock_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double seconds_now(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

double seconds_of_process(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}
