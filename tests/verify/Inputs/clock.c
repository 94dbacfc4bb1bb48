/* A clock for the tool alone, not for what it runs: time stands still until there is a file of the
   name HANGS, which then goes, and a thousand seconds with it. So a hang lasts no time, and nothing
   else is late however slow the machine is. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((constructor)) static void clock_keep(void)
{
    unsetenv("LD_PRELOAD");
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    static time_t seconds;
    const char *hangs = getenv("HANGS");
    if (clock != CLOCK_MONOTONIC || !hangs)
        return (int)syscall(SYS_clock_gettime, clock, time);
    if (unlink(hangs) == 0)
        seconds += 1000;
    *time = (struct timespec){.tv_sec = seconds};
    return 0;
}
