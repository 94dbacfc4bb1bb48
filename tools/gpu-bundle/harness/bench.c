/* A program at one set of values, called through the generated functions as users call them. In: a
   way to call it; out: the time of one region and of the whole call. Every call begins with the
   same data. The environment carries choices (TREEFORK_SET, TREEFORK_FORCE), as for users.

   Results of a device may differ from those of the serial code where functions of its library round
   in another way (exp), or where contraction is on: then they are "close". */
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTINGS_TEXT = 4096 };

bool bench_open(struct bench *b, const char *unit, double seconds)
{
    const char *slash = strrchr(unit, '/');
    *b = (struct bench){.end = seconds_now() + seconds, .device = treefork_default(),
                        .unit = slash ? slash + 1 : unit};
    if (!b->device)
        return false;
    const struct treefork_machine *machine = treefork_device_machine(b->device);
    b->is_host = machine->value[TREEFORK_W_B] == 1 && machine->value[TREEFORK_A_D] == 0;
    return true;
}

bool bench_is_late(const struct bench *b)
{
    return seconds_now() > b->end;
}

void bench_set(struct bench *b, const struct program *program, const char *set, bool expect)
{
    b->set = set;
    b->problem = problem_make(program, set);
    b->n_regions = 0;
    for (int i = 0; bundle_regions[i] && b->n_regions < REGIONS_MAX; i++)
        if (strcmp(bundle_regions[i]->function, program->name) == 0)
            b->regions[b->n_regions++] = bundle_regions[i];
    double start = seconds_now();
    b->serial = 0;
    if (!expect)
        return;
    problem_expect(&b->problem);
    b->serial = seconds_now() - start;
}

void bench_unset(struct bench *b)
{
    treefork_release(b->device, NULL);
    problem_free(&b->problem);
}

/* --- calls ----------------------------------------------------------------------------------- */

/* Picks as the environment has them: "gemm.B0=4,gemm.B1=8" and "gemm=3". */
static void picks_print(const struct way *way, char *set, char *force)
{
    size_t at = 0, forced = 0;
    *set = *force = '\0';
    for (int i = 0; i < way->n; i++) {
        const struct pick *pick = &way->picks[i];
        const struct treefork_region *region = pick->region;
        if (!pick->leaf)
            continue;
        for (int k = 0; k < pick->n && at < SETTINGS_TEXT; k++)
            at += (size_t)snprintf(set + at, SETTINGS_TEXT - at, "%s%s.%s=%lld", at ? "," : "",
                                   region->name,
                                   region->parameters[region->tunables[k].parameter].name,
                                   (long long)pick->values[k]);
        if (forced < SETTINGS_TEXT)
            forced += (size_t)snprintf(force + forced, SETTINGS_TEXT - forced, "%s%s=%d",
                                       forced ? "," : "", region->name, pick->leaf);
    }
}

static void way_apply(const struct way *way)
{
    char set[SETTINGS_TEXT], force[SETTINGS_TEXT];
    picks_print(way, set, force);
    const char *settings = *set ? set : way->settings ? way->settings : "";
    if (*settings)
        setenv("TREEFORK_SET", settings, 1);
    else
        unsetenv("TREEFORK_SET");
    if (*force)
        setenv("TREEFORK_FORCE", force, 1);
    else
        unsetenv("TREEFORK_FORCE");
}

static bool program_call(struct bench *b, bool is_plain)
{
    const struct program *program = b->problem.program;
    if (program->automatic && !(is_plain && program->plain))
        return program->automatic(b->problem.arguments) == 0;
    program->plain(b->problem.arguments);
    return true;
}

bool bench_call(struct bench *b, const struct way *way, struct call *call)
{
    struct treefork_tune_runs runs = {0};
    *call = (struct call){0};
    problem_restore(&b->problem);
    way_apply(way);
    treefork_fail(TREEFORK_OK, "%s", "");
    treefork_tune_watch(b->device, way->watched ? way->watched->name : NULL);
    double wall = seconds_now(), cpu = seconds_of_process();
    bool is_done = program_call(b, way->is_plain);
    call->call = seconds_now() - wall;
    call->region = seconds_of_process() - cpu;
    if (!way->watched || treefork_tune_watched(b->device, &runs) != TREEFORK_OK)
        return is_done;
    call->runs = runs.runs;
    call->leaf = runs.leaf;
    snprintf(call->parameters, sizeof call->parameters, "%s", runs.parameters);
    if (!b->is_host)
        call->region = runs.nanoseconds / 1e9;
    return is_done;
}

/* --- results --------------------------------------------------------------------------------- */

static double bound_of(enum element_kind kind)
{
    if (kind == ELEMENT_DOUBLE)
        return 1e-10;
    return kind == ELEMENT_FLOAT ? 1e-3 : 0;
}

static void array_compare(const struct problem *p, size_t i, struct difference *d)
{
    enum element_kind kind = p->program->parameters[i].element;
    size_t n = p->bytes[i] / element_size(kind);
    double largest = 0, apart = 0;
    d->total += n;
    if (memcmp(p->arguments[i].array, p->expected[i], p->bytes[i]) == 0)
        return;
    for (size_t at = 0; at < n; at++) {
        double is = element_read(p->arguments[i].array, at, kind);
        double expected = element_read(p->expected[i], at, kind);
        if (fabs(expected) > largest && isfinite(expected))
            largest = fabs(expected);
        if (is == expected || (isnan(is) && isnan(expected)))
            continue;
        d->different++;
        if (!(fabs(is - expected) <= apart))
            apart = isfinite(is) && isfinite(expected) ? fabs(is - expected) : INFINITY;
    }
    double relative = apart > 0 ? apart / largest : 0;
    if (!(relative <= d->relative))
        d->relative = relative;
    d->is_wrong |= !(relative <= bound_of(kind));
}

struct difference bench_compare(const struct bench *b)
{
    struct difference d = {0};
    for (size_t i = 0; i < b->problem.program->n_parameters; i++)
        if (b->problem.first[i] && b->serial > 0)
            array_compare(&b->problem, i, &d);
    return d;
}

const char *difference_name(const struct difference *difference)
{
    if (difference->is_wrong)
        return "wrong";
    return difference->different ? "close" : "equal";
}

void row_difference(struct row *row, const struct difference *difference)
{
    row_text(row, "result", difference_name(difference));
    if (difference->different == 0)
        return;
    row_integer(row, "different", (int64_t)difference->different);
    row_integer(row, "elements", (int64_t)difference->total);
    row_number(row, "relative", difference->relative);
}

void row_subject(struct row *row, const struct bench *b)
{
    row_text(row, "unit", b->unit);
    row_text(row, "program", b->problem.program->name);
    row_text(row, "set", b->set);
}
