/* A clock for the tool alone, not for what it runs: time stands still but while the process lives
   whose number stands in the file HANGS; then a thousand seconds go by from one look at the clock
   to the next. So a hang lasts no time, whenever the tool began to wait for it, and nothing else is
   late however slow the machine is. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((constructor)) static void clock_keep(void)
{
    unsetenv("LD_PRELOAD");
}

static int hangs_now(const char *path)
{
    FILE *file = fopen(path, "r");
    int pid = 0, is_read = file && fscanf(file, "%d\n", &pid) == 1;
    if (file)
        fclose(file);
    return is_read && kill(pid, 0) == 0;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    static time_t seconds;
    const char *hangs = getenv("HANGS");
    if (clock != CLOCK_MONOTONIC || !hangs)
        return (int)syscall(SYS_clock_gettime, clock, time);
    if (hangs_now(hangs))
        seconds += 1000;
    *time = (struct timespec){.tv_sec = seconds};
    return 0;
}
