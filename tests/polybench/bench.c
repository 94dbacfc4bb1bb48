/* Measures a program: bench PROGRAM SET RUNS all|serve [NAME=VALUE]... prints lines "what figure", and
   for each kernel of the automatic call "chosen KERNEL NAME=VALUE,..." with the values that were
   bound. Ways to run it: serial, the plain loops; plain, with the tunables of SET; automatic; given,
   the automatic call with the last words in the environment (TREEFORK_SET=…, TREEFORK_FORCE=…). The
   ways take turns; medians of RUNS. With RUNS = 0 every way runs once. "serve" answers one line of
   such words after the other, read from standard input, with one line: the seconds of a given call,
   the median of RUNS but of one run only if that took SLOW times the best before, or "wrong".
   Linked with --wrap for the functions below, which regions call inside libtreefork, so that what a
   call spends in kernels and in copies is seen from outside. */
#include "harness.h"
#include "runtime/internal.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS_MOST = 99, KERNELS_MOST = 32, SETTINGS_MOST = 8, SLOW = 2 };

struct spent {
    double cpu, wall;           /* of the whole call, seconds */
    double kernels, copies;     /* wall: in treefork_run_region and until the launch is done; in
                                   treefork_buffer_take and where arrays come back */
    double rest;                /* CPU of the calling thread beside them: choosing, launching, host code */
};

static struct spent now;
static bool is_looking;         /* calls of libtreefork are timed */
static bool is_telling;         /* kernels are printed when they are launched first */
static const char *told[KERNELS_MOST];
static size_t n_told;

static double seconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The clocks at which a call inside libtreefork begins; all zero where calls are not timed. */
struct entry {
    double wall, own;
};

static struct entry entry_begin(void)
{
    struct entry entry = {0, 0};
    if (is_looking) {
        entry.wall = seconds(CLOCK_MONOTONIC);
        entry.own = seconds(CLOCK_THREAD_CPUTIME_ID);
    }
    return entry;
}

/* Adds the wall time since then to `sum` and takes the thread's CPU time off the rest. */
static void entry_end(struct entry entry, double *sum)
{
    if (!is_looking)
        return;
    now.rest -= seconds(CLOCK_THREAD_CPUTIME_ID) - entry.own;
    *sum += seconds(CLOCK_MONOTONIC) - entry.wall;
}

static void launch_tell(const struct treefork_launch *launch)
{
    for (size_t i = 0; i < n_told; i++)
        if (!strcmp(told[i], launch->kernel))
            return;
    if (n_told == KERNELS_MOST)
        return;
    told[n_told++] = launch->kernel;
    printf("chosen %s ", launch->kernel);
    for (size_t i = 0; i < launch->n_bindings; i++)
        printf("%s%s=%lld", i ? "," : "", launch->bindings[i].name, (long long)launch->bindings[i].value);
    printf("%s\n", launch->n_bindings ? "" : "-");
}

int __real_treefork_run_region(struct treefork_device *device, const struct treefork_launch *launch,
                               struct treefork_origin origin);
int __wrap_treefork_run_region(struct treefork_device *device, const struct treefork_launch *launch,
                               struct treefork_origin origin);
int __wrap_treefork_run_region(struct treefork_device *device, const struct treefork_launch *launch,
                               struct treefork_origin origin)
{
    if (is_telling)
        launch_tell(launch);
    struct entry entry = entry_begin();
    int status = __real_treefork_run_region(device, launch, origin);
    if (is_looking)
        treefork_wait(device);
    entry_end(entry, &now.kernels);
    return status;
}

int __real_treefork_buffer_take(struct treefork_device *device, const void *host, size_t bytes,
                                unsigned access, bool checked, uint64_t *handle);
int __wrap_treefork_buffer_take(struct treefork_device *device, const void *host, size_t bytes,
                                unsigned access, bool checked, uint64_t *handle);
int __wrap_treefork_buffer_take(struct treefork_device *device, const void *host, size_t bytes,
                                unsigned access, bool checked, uint64_t *handle)
{
    struct entry entry = entry_begin();
    int status = __real_treefork_buffer_take(device, host, bytes, access, checked, handle);
    entry_end(entry, &now.copies);
    return status;
}

#define WRAP_HOST(name) \
    void __real_##name(const char *function); \
    void __wrap_##name(const char *function); \
    void __wrap_##name(const char *function) \
    { \
        struct entry entry = entry_begin(); \
        __real_##name(function); \
        entry_end(entry, &now.copies); \
    }
WRAP_HOST(treefork_before_read)
WRAP_HOST(treefork_before_write)
WRAP_HOST(treefork_before_return)

/* --- calls ------------------------------------------------------------------------------------ */

enum way { WAY_SERIAL, WAY_PLAIN, WAY_AUTOMATIC, WAY_GIVEN, WAYS };
static const char *const way_names[] = {"serial", "plain", "automatic", "given"};

struct bench {
    struct problem problem;
    char **settings;            /* of the environment, for given calls */
    int n_settings;
};

static void settings_apply(const struct bench *b, bool is_set)
{
    for (int i = 0; i < b->n_settings; i++) {
        char name[64];
        const char *value = strchr(b->settings[i], '=');
        snprintf(name, sizeof name, "%.*s", (int)(value - b->settings[i]), b->settings[i]);
        if (is_set)
            setenv(name, value + 1, 1);
        else
            unsetenv(name);
    }
}

static bool way_exists(const struct bench *b, enum way way)
{
    const struct program *program = b->problem.program;
    switch (way) {
    case WAY_PLAIN: return program->plain != NULL;
    case WAY_AUTOMATIC: return program->automatic != NULL;
    case WAY_GIVEN: return program->automatic && b->n_settings > 0;
    default: return true;
    }
}

static void problem_call(const struct problem *p, enum way way)
{
    if (way == WAY_SERIAL)
        p->program->serial(p->arguments);
    else if (way == WAY_PLAIN)
        p->program->plain(p->arguments);
    else if (p->program->automatic(p->arguments) != 0) {
        fprintf(stderr, "%s_auto: %s\n", p->program->name, treefork_message());
        exit(1);
    }
}

/* One call on fresh data; `look`: what it spends inside libtreefork is timed, too. */
static struct spent call_measure(struct bench *b, enum way way, bool look)
{
    problem_restore(&b->problem);
    settings_apply(b, way == WAY_GIVEN);
    memset(&now, 0, sizeof now);
    is_looking = look;
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
    double own = seconds(CLOCK_THREAD_CPUTIME_ID);
    problem_call(&b->problem, way);
    now.rest += seconds(CLOCK_THREAD_CPUTIME_ID) - own;
    now.wall = seconds(CLOCK_MONOTONIC) - wall;
    now.cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    is_looking = false;
    return now;
}

static void call_check(const struct bench *b, enum way way)
{
    if (!problem_equal(&b->problem, way_names[way]))
        exit(1);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

/* --- figures ---------------------------------------------------------------------------------- */

/* Which way comes at this turn of round `i`: each round begins with another one, and every other lap goes backwards, so
   that each way follows each. A call behind serial loops pays for waking the device's threads (30 of 140 us). */
static enum way way_in_turn(enum way first, enum way last, int i, int turn)
{
    int count = (int)(last - first) + 1;
    int step = (i / count) % 2 ? count - turn : turn;
    return first + (enum way)((i + step) % count);
}

/* A process runs serial code first, and measures both sides of its regions (docs/runtime.md): what
   it picks is what it does then. */
static void automatic_settle(struct bench *b)
{
    double spent = 0;
    for (int i = 0; i < 400 && spent < 0.5 && way_exists(b, WAY_AUTOMATIC); i++)
        spent += call_measure(b, WAY_AUTOMATIC, false).cpu;
}

/* CPU and wall times of the ways from `first` to `last`. */
static void times_print(struct bench *b, enum way first, enum way last, int runs)
{
    double cpu[WAYS][RUNS_MOST], wall[WAYS][RUNS_MOST];
    automatic_settle(b);
    for (int i = 0; i < runs; i++)
        for (int turn = 0; turn <= (int)(last - first); turn++) {
            enum way way = way_in_turn(first, last, i, turn);
            if (way_exists(b, way)) {
                struct spent call = call_measure(b, way, false);
                cpu[way][i] = call.cpu;
                wall[way][i] = call.wall;
            }
        }
    for (enum way way = first; way <= last; way++)
        if (way_exists(b, way)) {
            printf("%s_cpu %.9f\n", way_names[way], median(cpu[way], runs));
            printf("%s_wall %.9f\n", way_names[way], median(wall[way], runs));
        }
}

/* Time in kernels, launches and copies of a call, and the least that a call spends beside them; returns that. */
static double inside_print(struct bench *b, enum way way, int runs)
{
    double kernels[RUNS_MOST], copies[RUNS_MOST], least = 0;
    struct treefork_statistics before = treefork_statistics(treefork_default());
    for (int i = 0; i < runs; i++) {
        struct spent call = call_measure(b, way, true);
        kernels[i] = call.kernels;
        copies[i] = call.copies;
        if (i == 0 || call.rest < least)
            least = call.rest;
    }
    struct treefork_statistics after = treefork_statistics(treefork_default());
    const char *name = way_names[way];
    unsigned long calls = (unsigned long)runs;
    printf("%s_kernels %.9f\n%s_copies %.9f\n", name, median(kernels, runs), name, median(copies, runs));
    printf("%s_launches %lu\n", name, (unsigned long)(after.launches - before.launches) / calls);
    printf("%s_in %lu\n", name, (unsigned long)(after.copies_to_device - before.copies_to_device) / calls);
    printf("%s_out %lu\n", name, (unsigned long)(after.copies_to_host - before.copies_to_host) / calls);
    printf("%s_bytes_in %lu\n", name, (unsigned long)(after.bytes_to_device - before.bytes_to_device) / calls);
    printf("%s_bytes_out %lu\n", name, (unsigned long)(after.bytes_to_host - before.bytes_to_host) / calls);
    return least;
}

static void traffic_print(struct bench *b)
{
    size_t in, out;
    problem_traffic(&b->problem, &in, &out);
    printf("least_bytes_in %zu\nleast_bytes_out %zu\n", in, out);
}

/* The first automatic call of the process: how many choices it made; returns what it spent. */
static struct spent first_print(struct bench *b)
{
    struct treefork_statistics before = treefork_statistics(treefork_default());
    is_telling = true;
    struct spent first = call_measure(b, WAY_AUTOMATIC, true);
    is_telling = false;
    call_check(b, WAY_AUTOMATIC);
    struct treefork_statistics after = treefork_statistics(treefork_default());
    printf("first_choices %lu\n", (unsigned long)(after.choices - before.choices));
    return first;
}

/* Of the settings of now; `best`: the least of those before. */
static double given_time(struct bench *b, int runs, double best)
{
    double cpu[RUNS_MOST];
    int n = 0;
    do
        cpu[n++] = call_measure(b, WAY_GIVEN, false).cpu;
    while (n < runs && cpu[n - 1] < SLOW * best);
    return median(cpu, n);
}

static void line_answer(struct bench *b, int runs, double *best)
{
    call_measure(b, WAY_GIVEN, false);
    if (!problem_equal(&b->problem, way_names[WAY_GIVEN])) {
        puts("wrong");
        return;
    }
    double time = given_time(b, runs, *best);
    if (time < *best)
        *best = time;
    printf("%.9f\n", time);
}

static void serve_run(struct bench *b, int runs)
{
    char line[4096], *settings[SETTINGS_MOST];
    double best = HUGE_VAL;
    problem_expect(&b->problem);
    b->settings = settings;
    while (fgets(line, sizeof line, stdin)) {
        b->n_settings = 0;
        for (char *word = strtok(line, " \n"); word && b->n_settings < SETTINGS_MOST; word = strtok(NULL, " \n"))
            settings[b->n_settings++] = word;
        line_answer(b, runs, &best);
        fflush(stdout);
    }
}

static void bench_run(struct bench *b, int runs)
{
    struct spent first = {0};
    problem_expect(&b->problem);
    if (!treefork_default())
        exit(1);
    for (int way = WAY_PLAIN; way < WAYS; way++)
        if (way_exists(b, way) && way != WAY_AUTOMATIC) {
            call_measure(b, way, false);
            call_check(b, way);
        }
    if (way_exists(b, WAY_AUTOMATIC))
        first = first_print(b);
    if (runs == 0)
        return;
    traffic_print(b);
    times_print(b, WAY_SERIAL, WAY_GIVEN, runs);
    enum way fixed = way_exists(b, WAY_PLAIN) ? WAY_PLAIN : WAY_GIVEN;
    double without = way_exists(b, fixed) ? inside_print(b, fixed, runs) : 0;
    if (way_exists(b, WAY_AUTOMATIC)) {
        double remembered = inside_print(b, WAY_AUTOMATIC, runs);
        printf("first_choice %.9f\nremembered_choice %.9f\n", first.rest - without, remembered - without);
    }
}

int main(int argc, char **argv)
{
    int runs = argc < 5 ? -1 : atoi(argv[3]);
    if (runs < 0 || runs > RUNS_MOST) {
        fprintf(stderr, "usage: bench PROGRAM SET RUNS all|serve [NAME=VALUE]...\n");
        return 2;
    }
    struct bench b = {.problem = problem_make(program_find(argv[1]), argv[2]), .settings = argv + 5,
                      .n_settings = argc - 5};
    if (!strcmp(argv[4], "serve"))
        serve_run(&b, runs);
    else
        bench_run(&b, runs);
    problem_free(&b.problem);
    return 0;
}
