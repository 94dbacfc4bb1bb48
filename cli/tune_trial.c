/* One trial: a choice is run by the worker, its result compared with that of the serial program,
   its times read. A choice whose trial goes wrong in a worker that has run others before is tried
   once more in a new one, and that trial alone counts: what another has spoilt is not its fault.
   */
#include "cli/tune.h"
#include "base/progress.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double NANOSECONDS = 1e9, MOST_SECONDS = 5;

const char *trial_state_name(enum trial_state state)
{
    static const char *const names[] = {[TRIAL_CORRECT] = "correct",
                                        [TRIAL_WRONG] = "correctness",
                                        [TRIAL_TIMEOUT] = "timeout",
                                        [TRIAL_COMPILE] = "compile",
                                        [TRIAL_RUNTIME] = "runtime"};
    return names[state];
}

const char *trial_choice(struct ctx *ctx, const struct trial *trial)
{
    return trial->devices ? arena_printf(ctx->arena, "%s,devices=%d", trial->choice, trial->devices)
                          : trial->choice;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * NANOSECONDS + (double)time.tv_nsec;
}

/* --- statistics ------------------------------------------------------------------------------ */

void trial_evaluate(struct ctx *ctx, struct trial *trial)
{
    size_t n = trial->n_samples;
    double *sorted = ARENA_ARRAY(ctx->arena, double, n + 1);
    if (n == 0)
        return;
    memcpy(sorted, trial->samples, n * sizeof *sorted);
    struct median_interval times = interval_of(sorted, n);
    trial->median = times.median;
    trial->low = times.low;
    trial->high = times.high;
}

/* --- the worker ------------------------------------------------------------------------------ */

/* The measured code is compiled anew, launched, and no earlier choice counts; several devices share
   blocks as they would in a program that says nothing of it. */
static bool worker_begin(struct tuning *t, struct subject *s)
{
    struct verification *v = &t->v;
    const char *settings[] = {"TREEFORK_ON_ERROR", "0",
                              "TREEFORK_TRACE", "0",
                              "TREEFORK_QUIET", "0",
                              "TREEFORK_CHECKED", "0",
                              "TREEFORK_CACHE_DIR", "none",
                              "TREEFORK_HOST", "never",
                              "TREEFORK_WEIGHTS", "",
                              "ASAN_OPTIONS", "detect_leaks=0",
                              v->device ? "TREEFORK_DEVICE" : NULL, v->device, NULL};
    const char *const argv[] = {program_path(v, s->leaf), verify_path(v, "result"),
                                arena_printf(v->ctx->arena, "%d", WORKER_SOCKET), NULL};
    s->output_read = s->errors_read = 0;
    return worker_start(&s->worker, argv, settings, verify_path(v, "worker.output"),
                        verify_path(v, "worker.errors"));
}

struct attempt {
    enum trial_state state;
    const char *reason;
    const char *times;             /* NULL: there are none */
    struct run_result run;
};

/* What the library said of the failure, without the words that frame it; NULL if it said nothing.
   */
static const char *complaint(struct verification *v, const char *errors)
{
    const char *line = errors ? strstr(errors, "treefork: ") : NULL;
    if (!line)
        return NULL;
    line += strlen("treefork: ");
    size_t length = strcspn(line, "\n");
    const char *end = strstr(line, " (running the serial program)");
    if (end && (size_t)(end - line) < length)
        length = (size_t)(end - line);
    return arena_strndup(v->ctx->arena, line, length);
}

/* The worker has not answered. */
static struct attempt attempt_lost(struct tuning *t, struct subject *s, double start)
{
    struct verification *v = &t->v;
    struct attempt a = {.state = TRIAL_RUNTIME, .reason = "the process that ran it ended"};
    size_t length;
    const char *errors = file_read(v->ctx, verify_path(v, "worker.errors"), &length);
    const char *said = complaint(v, errors && length > s->errors_read ? errors + s->errors_read
                                                                      : NULL);
    if (now() - start > (double)v->timeout * NANOSECONDS) {
        a.state = TRIAL_TIMEOUT;
        a.reason = "no end within the time limit (--timeout)";
    } else if (said) {
        a.reason = said;
    }
    worker_kill(&s->worker);
    return a;
}

static struct attempt attempt_make(struct tuning *t, struct subject *s, const char *order)
{
    struct verification *v = &t->v;
    struct attempt a = {.state = TRIAL_RUNTIME, .reason = "the program could not be started"};
    const char *times = verify_path(v, "result.times");
    double start = now();
    size_t length;
    if (!s->worker.pid)
        return a;
    unlink(verify_path(v, "result"));
    unlink(times);
    if (!worker_ask(v, &s->worker, order))
        return attempt_lost(t, s, start);
    a.run = worker_run_read(v, s);
    a.run.end.end = CHILD_DONE;
    a.times = file_read(v->ctx, times, &length);
    const char *said = complaint(v, a.run.errors);
    if (!a.run.content || !a.times) {
        a.reason = "it left no result";
        a.times = NULL;
    } else if (said) {
        a.state = strstr(said, "build failed") ? TRIAL_COMPILE : TRIAL_RUNTIME;
        a.reason = said;
    } else {
        a.state = TRIAL_CORRECT;
        a.reason = "";
    }
    return a;
}

/* What the function prints is printed once for each call. */
static bool result_is_right(struct tuning *t, struct subject *s, struct attempt *a)
{
    struct str text = str_new(t->v.ctx->arena);
    a->run.output = s->expected.output;
    a->run.output_length = s->expected.output_length;
    if (runs_equal(&t->v, s, &a->run, &text))
        return true;
    a->state = TRIAL_WRONG;
    a->reason = text.text;
    return false;
}

/* The line of the file of times that begins with `word`, without it; "" if there is none. */
static const char *times_line(struct verification *v, const char *times, const char *word)
{
    size_t length = strlen(word);
    const char *line = times;
    while (line && *line) {
        if (strncmp(line, word, length) == 0)
            return arena_strndup(v->ctx->arena, line + length, strcspn(line + length, "\n"));
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return "";
}

static const char *order_text(struct tuning *t, const char *force, const char *set,
                              const char *region, int64_t calls, double slow)
{
    return arena_printf(t->v.ctx->arena, "%s\t%s\t%s\t%lld\t%.17g\t%.17g\n", *force ? force : "-",
                        *set ? set : "-", region, (long long)calls, MOST_SECONDS * NANOSECONDS,
                        slow);
}

/* "matmul.s=4,matmul.B0=64" */
static const char *setting_text(struct tuning *t, const char *region, const char *choice)
{
    struct str text = str_new(t->v.ctx->arena);
    while (*choice) {
        size_t length = strcspn(choice, ",");
        str_addf(&text, "%s%s.%.*s", text.length ? "," : "", region, (int)length, choice);
        choice += length + (choice[length] == ',');
    }
    return text.text;
}

/* --- trials ---------------------------------------------------------------------------------- */

static bool place_read(struct tuning *t, const char *region, const struct attempt *a,
                       struct tune_place *place)
{
    struct verification *v = &t->v;
    unsigned long long runs = 0;
    double taken;
    const char *machine = times_line(v, a->times, "machine ");
    place->parameters = times_line(v, a->times, "parameters ");
    place->record = times_line(v, a->times, "record ");
    if (sscanf(a->times, "%llu %lf %d", &runs, &taken, &place->leaf) != 3 || runs == 0) {
        diag_error(v->ctx, loc_none(), "region %s is not reached with these values: %s", region,
                   t->set->text);
        return false;
    }
    place->runs = (double)runs;
    place->members = atoi(times_line(v, a->times, "members "));
    if (treefork_machine_parse(machine, strlen(machine), "the device", &place->machine)) {
        diag_error(v->ctx, loc_none(), "%s", treefork_message());
        return false;
    }
    return true;
}

/* "B0=64": what --set gives of the tunables that the region may choose. */
static const char *fixed_text(struct tuning *t, const struct region *region)
{
    struct str text = str_new(t->v.ctx->arena);
    for (int i = 0; i < region->kernel->n_params; i++) {
        const struct param *param = region->kernel->params[i];
        const int64_t *value = param->role == ROLE_TUNABLE
                                   ? assignment_find(&t->fixed, param->var->name)
                                   : NULL;
        if (value)
            str_addf(&text, "%s%s=%lld", text.length ? "," : "", param->var->name,
                     (long long)*value);
    }
    return text.text;
}

bool tune_probe(struct tuning *t, struct subject *s, const struct region *at,
                struct tune_place *place)
{
    const char *region = at->name;
    const char *set = setting_text(t, region, fixed_text(t, at));
    const char *order = order_text(t, "", set, region, 0, INFINITY);
    if (!s->worker.pid)
        worker_begin(t, s);
    struct attempt a = attempt_make(t, s, order);
    if (verify_stopped())
        return false;
    if (a.state != TRIAL_CORRECT) {
        diag_error(t->v.ctx, loc_none(), "region %s does not run on a device: %s", region,
                   a.reason);
        return false;
    }
    run_release(&a.run);
    return place_read(t, region, &a, place);
}

/* The samples behind the first call. False if a run was not the leaf's. */
static bool samples_read(struct tuning *t, const struct tune_place *place, const char *times,
                         struct trial *trial)
{
    VEC(double) samples = {0};
    bool is_whole = true;
    const char *line = times;
    while (line && *line >= '0' && *line <= '9') {
        unsigned long long runs;
        double taken;
        int leaf;
        if (sscanf(line, "%llu %lf %d", &runs, &taken, &leaf) != 3)
            break;
        is_whole &= (double)runs == place->runs && leaf == trial->leaf;
        if (line != times)
            vec_push(t->v.ctx->arena, &samples, taken);
        line = strchr(line, '\n');
        line += line != NULL;
    }
    trial->n_samples = samples.count;
    trial->samples = samples.at;
    return is_whole && samples.count > 0;
}

static const char *time_text(struct ctx *ctx)
{
    time_t seconds = time(NULL);
    struct tm parts;
    char text[64] = "";
    if (gmtime_r(&seconds, &parts))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return arena_strdup(ctx->arena, text);
}

static void attempt_judge(struct tuning *t, struct subject *s, const struct tune_place *place,
                          struct attempt *a, struct trial *trial)
{
    double start = now();
    if (a->state == TRIAL_CORRECT && !samples_read(t, place, a->times, trial)) {
        a->state = TRIAL_RUNTIME;
        a->reason = "it does not run at every run of the region";
    }
    if (a->state == TRIAL_CORRECT)
        result_is_right(t, s, a);
    trial->validation = now() - start;
    trial->state = a->state;
    trial->reason = a->reason;
    if (a->state == TRIAL_CORRECT)
        trial->record = times_line(&t->v, a->times, "record ");
}

/* Fills in the trial. What was read for it, arrays of any size, is forgotten. */
static void attempt_take(struct tuning *t, struct subject *s, const struct tune_place *place,
                         const char *order, struct trial *trial)
{
    struct ctx *ctx = t->v.ctx;
    struct arena *kept = ctx->arena;
    const char *last = ctx->last;
    ctx->arena = arena_new();
    trial->n_samples = 0;
    struct attempt a = attempt_make(t, s, order);
    if (!verify_stopped())
        attempt_judge(t, s, place, &a, trial);
    run_release(&a.run);
    double *samples = ARENA_ARRAY(kept, double, trial->n_samples + 1);
    if (trial->n_samples)
        memcpy(samples, trial->samples, trial->n_samples * sizeof *samples);
    trial->samples = samples;
    trial->reason = arena_strdup(kept, trial->reason);
    trial->record = arena_strdup(kept, trial->record);
    if (ctx->last != last)
        ctx->last = arena_strdup(kept, ctx->last);
    arena_free(ctx->arena);
    ctx->arena = kept;
}

bool tune_measure(struct tuning *t, struct subject *s, const struct tune_place *place, double slow,
                  struct trial *trial)
{
    struct arena *arena = t->v.ctx->arena;
    const char *force = arena_printf(arena, "%s=%d", trial->region, trial->leaf);
    const char *choice = trial_choice(t->v.ctx, trial);
    const char *order = order_text(t, force, setting_text(t, trial->region, choice), trial->region,
                                   t->runs, slow);
    double start = now(), sum = 0;
    trial->record = "";
    trial->reason = "the program could not be started";
    trial->state = TRIAL_RUNTIME;
    for (int attempts = 0; attempts < 2; attempts++) {
        bool is_fresh = !s->worker.pid;
        if (is_fresh && !worker_begin(t, s))
            break;
        attempt_take(t, s, place, order, trial);
        if (verify_stopped())
            return false;
        if (trial->state == TRIAL_CORRECT)
            break;
        if (s->worker.pid)
            worker_kill(&s->worker);
        if (is_fresh)
            break;
    }
    trial->runs = place->runs;
    for (size_t i = 0; i < trial->n_samples; i++)
        sum += trial->samples[i];
    trial->framework = now() - start - sum - trial->validation;
    trial->time = time_text(t->v.ctx);
    trial_evaluate(t->v.ctx, trial);
    return true;
}
