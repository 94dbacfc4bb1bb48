/* Runs the main function of a program (compiled with -Dmain=peers_main) several times in one
   process and prints a line "wall cpu" per call of what it times, in seconds. PolyBench's calls of
   its clock come here, too (-Wl,--wrap). `repeat RUNS SECONDS SETTLED`: RUNS calls, and more until
   SETTLED seconds of processor time have been measured, but no further call behind the second one
   once SECONDS of wall time have been. */
#include "tests/bench/peers/peers.h"
#include <time.h>

int peers_main(int argc, char **argv);
void __wrap_polybench_timer_start(void);
void __wrap_polybench_timer_stop(void);
void __wrap_polybench_timer_print(void);

static double wall_begun, cpu_begun, wall_sum, cpu_sum;

static double clock_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void peers_begin(const void *result)
{
    (void)result;
    cpu_begun = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    wall_begun = clock_seconds(CLOCK_MONOTONIC);
}

void peers_end(const void *result)
{
    double wall = clock_seconds(CLOCK_MONOTONIC) - wall_begun;
    double cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_begun;
    (void)result;
    wall_sum += wall;
    cpu_sum += cpu;
    printf("%.9f %.9f\n", wall, cpu);
    fflush(stdout);
}

void __wrap_polybench_timer_start(void)
{
    peers_begin(NULL);
}

void __wrap_polybench_timer_stop(void)
{
    peers_end(NULL);
}

void __wrap_polybench_timer_print(void)
{
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 1;
    double seconds = argc > 2 ? atof(argv[2]) : 0;
    double settled = argc > 3 ? atof(argv[3]) : 0;
    for (int run = 0; run < runs || cpu_sum < settled; run++) {
        if (run >= 2 && wall_sum > seconds)
            break;
        peers_main(1, argv);
    }
    return 0;
}
