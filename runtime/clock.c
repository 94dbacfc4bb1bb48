/* Clocks, in a file of their own: a test that defines treefork_clock itself is its own clock. */
#include "runtime/internal.h"

double treefork_clock(clockid_t which)
{
    struct timespec now;
    clock_gettime(which, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}
