/* treefork rank: leaves and tunables ordered by predicted time, as NAME_auto does it on a device,
   for any machine file.

   In: a file, a machine, values of what is no tunable (a tunable that is given stays as it is).
   Out: per region the best few of all choices that fit (ranking.c), with the terms of the model.
   Ties go to the first. "with NVRTC only": a program on a device without it takes the figures
   of the PTX that serves all sizes for such a choice (docs/runtime.md). */
#include "base/progress.h"
#include "cli/question.h"
#include "cli/ranking.h"
#include "cli/sequence.h"
#include "emit/device.h"
#include "emit/names.h"
#include <stdlib.h>

const struct option_row rank_rows[] = {
    {"--machine", "FILE.json", "the machine asked about"},
    {"--set", "NAME=VALUE,…",
     "values of data parameters and of tunables that are not to be chosen"},
    {"--top", "N", "so many of each region (default 5)"},
    INPUT_ROWS,
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
        sequences_list(&r, (size_t)top, point);
    }
    return EXIT_DONE;
}
