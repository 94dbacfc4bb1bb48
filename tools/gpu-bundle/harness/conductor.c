/* Runs the parts of the bundle over its programs within the minutes it is given, the most valuable
   first, and keeps what is found in one file. In: programs.list, the units that `run` has compiled;
   out: the file of results. Usage: conductor OPTIONS, which `run --help` explains.

   Each part has a share of the time that is left, each of its tasks a share of that. A task is a
   worker process, so that a crash costs one task. Parts that time nothing run several at once;
   where something is timed, several workers may compile before, one measures. */
#include "child.h"
#include "clock.h"
#include "plan.h"
#include "results.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { JOBS_MAX = 32 };

struct conductor {
    double end;                 /* seconds of the monotonic clock */
    int jobs;
    struct wishes wishes;
    struct plan plan;
    struct results results;
    const struct part *part;
    int failed, bad;            /* workers that failed; rows of wrong results */
};

static volatile sig_atomic_t is_stopped;

static void stop(int signal)
{
    (void)signal;
    is_stopped = 1;
}

/* --- tasks ----------------------------------------------------------------------------------- */

/* Seconds beyond the end in which a worker may still end by itself. */
static const double LATE = 20;

static bool task_start(struct conductor *c, const struct task *task, const char *first,
                       double seconds, int slot, struct child *child)
{
    char path[512], budget[32], errors[64], *argv[WORDS_MAX + 6];
    int n = 0;
    snprintf(path, sizeof path, "out/bin/%s", task->entry->unit);
    snprintf(budget, sizeof budget, "%.1f", seconds);
    snprintf(errors, sizeof errors, "out/errors.%d", slot);
    argv[n++] = path;
    argv[n++] = (char *)c->part->name;
    argv[n++] = budget;
    argv[n++] = task->entry->program;
    if (first)
        argv[n++] = (char *)first;
    for (int i = 0; i < task->n_words; i++)
        argv[n++] = task->words[i];
    argv[n] = NULL;
    double end = seconds_now() + 3 * seconds + 60;
    return child_start(child, argv, errors, end < c->end + LATE ? end : c->end + LATE);
}

static void failure_print(struct conductor *c, const struct task *task, const char *reason)
{
    struct text row = {0};
    text_add(&row, "{\"program\": ");
    text_add_string(&row, task->entry->program);
    text_add(&row, ", \"unit\": ");
    text_add_string(&row, task->entry->unit);
    text_add(&row, ", \"set\": ");
    text_add_string(&row, task->n_words ? task->words[0] : "");
    text_add(&row, ", \"error\": ");
    text_add_string(&row, reason);
    text_add(&row, "}");
    results_row(&c->results, row.at);
    free(row.at);
    c->failed++;
    fprintf(stderr, "%s: %s: %s\n", c->part->name, task->entry->unit, reason);
}

/* Does the row say that something was computed wrong, or did not run where it should? */
static bool row_is_bad(const char *row)
{
    const char *failed = strstr(row, "\"failed\": "), *wrong = strstr(row, "\"wrong\": ");
    return strstr(row, "\"result\": \"wrong\"") || strstr(row, "\"ran\": false") ||
           (failed && failed[10] != '0') || (wrong && wrong[9] != '0');
}

/* Takes a worker's rows; true once it has ended. `is_warm`: what it does is no result. */
static bool task_follow(struct conductor *c, struct child *child, const struct task *task,
                        bool is_warm)
{
    bool has_ended = child_ended(child, is_stopped);
    for (const char *line = child_line(child); line; line = child_line(child)) {
        if (!is_warm)
            results_row(&c->results, line);
        c->bad += !is_warm && row_is_bad(line);
    }
    if (!has_ended)
        return false;
    char reason[512];
    child_reason(child, reason, sizeof reason);
    if (*reason && !is_warm && !is_stopped)
        failure_print(c, task, reason);
    free(child->text);
    *child = (struct child){0};
    results_write(&c->results, false);
    return true;
}

static const double LEAST = 1, LEAST_SEARCH = 6;    /* seconds of a task */

/* Runs the tasks until `end`, the first in any case, several at once; how many were begun. `words`:
   the first word of each, where a part wants one. */
static int tasks_run(struct conductor *c, const struct task *tasks, int n, int at_once, double end,
                     const char *const *words, bool is_warm)
{
    struct child children[JOBS_MAX] = {{0}};
    const struct task *running[JOBS_MAX] = {NULL};
    int next = 0, busy = 0;
    while (busy > 0 || (next < n && !is_stopped && (next == 0 || seconds_now() < end))) {
        for (int i = 0; i < at_once; i++) {
            double left = end - seconds_now(), share = left * at_once / (n - next + (next == n));
            if (children[i].pid || next >= n || is_stopped || (next > 0 && left <= 0))
                continue;
            double least = next == 0 || left > LEAST ? LEAST : left;
            double seconds = share > left ? left : share;
            seconds = seconds < least ? least : seconds;
            running[i] = &tasks[next];
            busy += task_start(c, &tasks[next], words ? words[next] : NULL, seconds, i,
                               &children[i]);
            next++;
        }
        children_wait(children, at_once, 100);
        for (int i = 0; i < at_once; i++)
            if (children[i].pid || children[i].text)
                busy -= task_follow(c, &children[i], running[i], is_warm);
    }
    return next;
}

/* Each task is compiled by several workers, then measured by one, also where compiling took more
   than its share. */
static int tasks_run_warmed(struct conductor *c, const struct task *tasks, int n, double end)
{
    static const char *const measured[] = {"0/0"};
    int next = 0;
    for (; next < n && !is_stopped && (next == 0 || seconds_now() < end); next++) {
        double now = seconds_now(), share = (end - now) / (n - next);
        if (share < LEAST_SEARCH)
            share = end - now < LEAST_SEARCH ? end - now : LEAST_SEARCH;
        struct task copies[JOBS_MAX];
        char texts[JOBS_MAX][16];
        const char *words[JOBS_MAX];
        for (int k = 0; k < c->jobs; k++) {
            copies[k] = tasks[next];
            words[k] = texts[k];
            snprintf(texts[k], sizeof texts[k], "%d/%d", k, c->jobs);
        }
        if (c->jobs > 1)
            tasks_run(c, copies, c->jobs, c->jobs, now + share / 2, words, true);
        tasks_run(c, &tasks[next], 1, 1, now + share, measured, false);
    }
    return next;
}

/* --- parts ----------------------------------------------------------------------------------- */

static void part_run(struct conductor *c, double end)
{
    static struct task tasks[TASKS_MAX];
    int n = part_tasks(&c->plan, c->part, &c->wishes, tasks);
    if (n == 0)
        return;
    results_part_begin(&c->results, c->part->name);
    fprintf(stderr, "%s: %d tasks, %.0f s\n", c->part->name, n, end - seconds_now());
    int begun = c->part->is_warmed
                    ? tasks_run_warmed(c, tasks, n, end)
                    : tasks_run(c, tasks, n, c->part->is_parallel ? c->jobs : 1, end, NULL, false);
    c->results.n_left = n - begun;
    results_part_end(&c->results);
}

/* A part's share of what is left; short ones get enough to compile their kernels. */
static double part_seconds(double left, double share)
{
    double least = left / 2 < 6 ? left / 2 : 6;
    return left * share > least ? left * share : least;
}

static void parts_run(struct conductor *c)
{
    double weights = 0;
    for (int i = 0; i < n_parts; i++)
        weights += list_has(c->wishes.parts, parts[i].name) ? parts[i].weight : 0;
    for (int i = 0; i < n_parts && !is_stopped; i++) {
        double now = seconds_now();
        if (!list_has(c->wishes.parts, parts[i].name))
            continue;
        c->part = &parts[i];
        if (now < c->end)
            part_run(c, now + part_seconds(c->end - now, parts[i].weight / weights));
        weights -= parts[i].weight;
    }
}

/* --- the file's head ------------------------------------------------------------------------- */

static void head_member(struct text *head, const char *name, const char *value)
{
    text_add(head, "%s\n  \"%s\": ", head->length ? "," : "", name);
    text_add_string(head, value);
}

/* The first line of a file; "" where there is none. */
static const char *line_read(const char *path, char *line, int room)
{
    FILE *file = fopen(path, "r");
    *line = '\0';
    if (!file)
        return line;
    if (!fgets(line, room, file))
        *line = '\0';
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
    return line;
}

static void head_fill(struct text *head, const char *command)
{
    static const char *const files[][2] = {{"version", "VERSION"},
                                           {"host", "out/host"},
                                           {"compiler", "out/compiler"},
                                           {"clocks", "out/clocks"},
                                           {"not_compiled", "out/failed"}};
    char date[64] = "", line[1024];
    time_t now = time(NULL);
    struct tm day;
    if (gmtime_r(&now, &day))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &day);
    text_add(head, "\n  \"format\": \"treefork gpu bundle 1\"");
    head_member(head, "date", date);
    head_member(head, "command", command);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        head_member(head, files[i][0], line_read(files[i][1], line, sizeof line));
}

/* --- options --------------------------------------------------------------------------------- */

/* The value behind --NAME, or what stands for it where it is not given. */
static const char *option(int argc, char **argv, const char *name, const char *otherwise)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strncmp(argv[i], "--", 2) == 0 && strcmp(argv[i] + 2, name) == 0)
            return argv[i + 1];
    return otherwise;
}

static int jobs_read(int argc, char **argv)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN), jobs = atol(option(argc, argv, "jobs", "0"));
    if (jobs < 1)
        jobs = processors > 4 ? processors / 2 : processors > 1 ? 2 : 1;
    return jobs > JOBS_MAX ? JOBS_MAX : (int)jobs;
}

int main(int argc, char **argv)
{
    static struct conductor c;
    double spent = atof(option(argc, argv, "spent", "0"));
    c.end = seconds_now() + 60 * atof(option(argc, argv, "minutes", "8")) - spent;
    c.jobs = jobs_read(argc, argv);
    c.wishes = (struct wishes){.parts = option(argc, argv, "parts", ""),
                               .programs = option(argc, argv, "programs", ""),
                               .sizes = option(argc, argv, "sizes", "large,primes,medium")};
    c.results.path = option(argc, argv, "output", "results.json");
    if (!plan_read("programs.list", &c.plan))
        return 2;
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    head_fill(&c.results.head, option(argc, argv, "command", ""));
    if (!results_write(&c.results, true))
        return 1;
    parts_run(&c);
    c.results.is_done = true;
    if (!results_write(&c.results, true))
        return 1;
    fprintf(stderr, "%s: %d workers failed, %d results wrong%s\n", c.results.path, c.failed, c.bad,
            is_stopped ? "; stopped" : "");
    return c.failed > 0 || c.bad > 0 || is_stopped;
}
