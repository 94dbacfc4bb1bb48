/* treefork rank: leaves and tunables ordered by predicted time, as NAME_auto does it on a device,
   for any machine file.

   In: a file, a machine, values of what is no tunable (a tunable that is given stays as it is).
   Out: per region the best few of all choices that fit (ranking.c), with the terms of the model.
   Ties go to the first. Of several devices, besides, for each number of them the best choice with
   its time as kernels, copies and the rest. "with NVRTC only": a program on a device without it
   takes the figures of the PTX that serves all sizes for such a choice (docs/runtime.md). */
#include "base/progress.h"
#include "cli/own_choice.h"
#include "cli/question.h"
#include "cli/ranking.h"
#include "cli/sequence.h"
#include "emit/device.h"
#include "emit/names.h"
#include <stdlib.h>

const struct option_row rank_rows[] = {
    MACHINE_ROW("the machine asked about; given several times: these devices may share "
                "launches"),
    {"--devices", "N", "so many devices of that machine, at most 16, may share launches"},
    {"--set", "NAME=VALUE,…",
     "values of data parameters and of tunables that are not to be chosen"},
    {"--top", "N", "so many of each region (default 5)"},
#include "cli/compiler_rows.h"
    STRICT_ROW,
    FUNCTION_ROW,
#include "cli/mapping_rows.h"
    TREE_ROWS,
};
const size_t rank_row_count = sizeof rank_rows / sizeof rank_rows[0];

static void launches_print(const struct leaf_time *time)
{
    for (size_t i = 0; i < time->n_launches; i++) {
        const struct launch_time *launch = &time->launches[i];
        printf("; %lld blocks of %lld threads, %lld bytes shared, %lld resident",
               (long long)launch->figures.blocks, (long long)launch->figures.threads,
               (long long)launch->figures.shared_bytes, (long long)launch->prediction.resident);
    }
}

/* Does a CUDA device need NVRTC for the launch? Private arrays have sizes that are fixed when a
   kernel is compiled, and PTX is embedded for few of them (emit/names.h). */
static bool launch_needs_nvrtc(const struct launch *launch, const int64_t *point)
{
    const struct kernel *kernel = launch->kernel;
    bool needs = false;
    for (int i = 0; i < kernel->n_params; i++) {
        bool is_embedded = !device_must_bind(kernel, kernel->params[i]);
        for (int b = 0; b < PTX_BINDINGS && !is_embedded; b++)
            is_embedded = point[kernel->params[i]->variable] == ptx_bindings[b];
        needs |= !is_embedded;
    }
    return needs;
}

static void remark_print(const struct ranking *r, const struct place *place)
{
    bool needs = false;
    for (size_t v = 0; v < r->tree->n_variants; v++)
        for (size_t i = 0; i < r->tree->variants[v].n_launches; i++)
            needs |= r->tree->variants[v].id == place->variant &&
                     launch_needs_nvrtc(&r->tree->variants[v].launches[i], place->point);
    if (needs && r->machine->value[TREEFORK_A_D] > 0)
        printf("; with NVRTC only");
}

static void ranking_print(const struct ranking *r, size_t top)
{
    printf("%s on %s: %zu candidates, %zu launches fit\n", r->tree->region->name, r->machine->name,
           r->candidates, r->places.count);
    for (size_t i = 0; i < r->places.count && i < top; i++) {
        const struct place *p = &r->places.at[i];
        const struct treefork_prediction *time = &p->time.prediction;
        printf("  %zu. predicted %.3f us: leaf %d", i + 1, time->nanoseconds / 1e3, p->variant);
        struct str tunables = str_new(r->ctx->arena);
        place_print(&tunables, r, p, " = ", ", ");
        printf("%s%s", r->n_tunables ? ", " : "", tunables.text);
        printf("  (%s; memory %.3f, compute %.3f, latency %.3f", time->bound, time->memory / 1e3,
               time->compute / 1e3, time->latency / 1e3);
        launches_print(&p->time);
        remark_print(r, p);
        printf(")\n");
    }
}

/* --- several devices -------------------------------------------------------------------------- */

struct devices_ranking {
    const struct ranking *r;
    const struct question *q;
    struct own_choice *own;
    size_t region;
};

/* A choice on so many devices. */
struct devices_row {
    const struct place *place;       /* NULL: none has a time */
    struct treefork_several_time time;
    double compared, bytes;
};

static struct devices_row devices_best(const struct devices_ranking *d, size_t members)
{
    struct devices_row best = {0};
    for (size_t i = 0; i < d->r->places.count; i++) {
        struct devices_row row = {.place = &d->r->places.at[i]};
        if (!own_choice_time(d->r->ctx, d->own, d->region, &d->q->machine, row.place->point,
                             row.place->variant, members, &row.time, &row.bytes))
            continue;
        row.compared = row.time.nanoseconds * ranking_handicap(d->r, row.place);
        if (!best.place || row.compared < best.compared)
            best = row;
    }
    return best;
}

static void devices_row_print(const struct devices_ranking *d, size_t members,
                              const struct devices_row *row, double one)
{
    struct str tunables = str_new(d->r->ctx->arena);
    place_print(&tunables, d->r, row->place, " = ", ", ");
    printf("  %7zu  %14.3f  %8.2f  %14.3f  %12.3f  %10.3f  %14.0f  leaf %d%s%s\n", members,
           row->time.nanoseconds / 1e3, one / row->time.nanoseconds, row->time.kernels / 1e3,
           row->time.copies / 1e3, row->time.rest / 1e3, row->bytes, row->place->variant,
           d->r->n_tunables ? ", " : "", tunables.text);
}

/* A row for each number of devices. */
static void devices_rank(const struct devices_ranking *d)
{
    double one = 0;
    own_choice_machines(d->own, d->region, d->q->machines.at, d->q->machines.count);
    printf("  %7s  %14s  %8s  %14s  %12s  %10s  %14s\n", "devices", "us predicted", "speed-up",
           "kernels", "copies", "rest", "bytes each run");
    for (size_t members = 1; members <= d->q->machines.count; members++) {
        struct devices_row row = devices_best(d, members);
        one = members == 1 ? row.time.nanoseconds : one;
        if (row.place)
            devices_row_print(d, members, &row, one);
    }
}

/* --devices: so many of the one machine. */
static bool devices_option(struct ctx *ctx, const struct command_line *line, struct question *q)
{
    const char *text = option_text(line, "--devices");
    int64_t count = 1;
    if (!text)
        return true;
    if (q->machines.count > 1) {
        diag_error(ctx, loc_none(), "--devices is for one --machine");
        return false;
    }
    if (!option_integer(ctx, "--devices", text, 1, TREEFORK_MEMBERS_MAX, &count))
        return false;
    for (size_t i = 1; i < (size_t)count; i++)
        q->machines.at[i] = q->machines.at[0];
    q->machines.count = (size_t)count;
    return true;
}

/* --- the command ------------------------------------------------------------------------------ */

/* Prints which lines share the launches of the listed leaves. `point` has the parameters. */
static void sequences_list(const struct ranking *r, size_t top, const int64_t *point)
{
    struct str out = str_new(r->ctx->arena);
    int last = 0;
    for (size_t v = 0; v < r->tree->n_variants; v++)
        last = r->tree->variants[v].id > last ? r->tree->variants[v].id : last;
    bool *shown = ARENA_ARRAY(r->ctx->arena, bool, last + 1);
    for (size_t i = 0; i < r->places.count && i < top; i++)
        shown[r->places.at[i].variant] = true;
    if (r->places.count)
        sequences_print(r->ctx, &out, r->tree, point, shown);
    fputs(out.text, stdout);
}

/* A size that is not given counts as its least value, with which a time says little. */
static void sizes_note(const struct ranking *r, const struct assignments *set)
{
    const struct kernel *kernel = r->tree->region->kernel;
    for (int i = 0; i < kernel->n_params; i++) {
        const struct param *param = kernel->params[i];
        const char *name = param->var->name;
        if (param->role == ROLE_SIZE && !assignment_find(set, name) &&
            !region_default(r->tree->region, name))
            diag_note(r->ctx, loc_none(), "%s has no value and counts as %lld: --set %s=1000000",
                      name, (long long)param->lo, name);
    }
}

enum exit_code command_rank(struct ctx *ctx, const struct command_line *line)
{
    struct question question;
    const char *text = option_text(line, "--top");
    int64_t top = 5;
    if (text && !option_integer(ctx, "--top", text, 1, INT32_MAX, &top))
        return EXIT_USAGE;
    enum exit_code code = question_read(ctx, line, true, &question);
    if (code != EXIT_DONE)
        return code;
    if (!devices_option(ctx, line, &question))
        return EXIT_USAGE;
    struct own_choice *own = NULL;
    if (question.machines.count > 1 &&
        !(own = own_choice_new(ctx, question.program, question.trees)))
        return EXIT_INPUT;
    for (size_t i = 0; i < question.program->n_regions; i++) {
        struct ranking r = {.ctx = ctx, .tree = question.trees[i], .machine = &question.machine};
        int64_t *point;
        if (!ranking_begin(&r, &question.set, &point))
            return EXIT_USAGE;
        progress_begin(ctx, "%s on %s", r.tree->region->name, r.machine->name);
        ranking_fill(&r, point);
        progress_end(ctx);
        if (r.places.count)
            qsort(r.places.at, r.places.count, sizeof *r.places.at, place_compare);
        ranking_print(&r, (size_t)top);
        sizes_note(&r, &question.set);
        if (own)
            devices_rank(&(struct devices_ranking){&r, &question, own, i});
        sequences_list(&r, (size_t)top, point);
    }
    return EXIT_DONE;
}
