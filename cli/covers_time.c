/* The times of covers on a machine, by case trees.

   In: covers. Out: for each step of a cover the time that the model predicts for the best leaf of
   its regions, with the tunables that are fastest, as `treefork rank` has it; the numbers of
   elements of the arrays in which this leaf keeps parts of sums. A cover's text is made and read as
   the mapper's is; a region that several covers have is looked at once. Sizes are those of the
   covers; iterators of host loops have the middle of their range. */
#include "base/progress.h"
#include "cli/covers.h"
#include "cli/gate.h"
#include "cli/ranking.h"
#include "optimizer/middle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The size that --covers takes where --set names none. */
enum { SIZE_UNNAMED = 1000 };

struct covers_clock {
    struct ctx *ctx;
    const struct program_options *options;
    const struct treefork_machine *machine;
    struct map *known;               /* a struct cover_time by kernel and sizes */
};

/* The value of a parameter of a mapped region, which has the name of a size or an iterator; any
   other parameter counts as a size that --set does not name. */
static double parameter_value(const struct covers_answer *answer, const char *name)
{
    for (size_t i = 0; i < answer->values.count; i++)
        if (strcmp(answer->values.at[i].name, name) == 0)
            return answer->values.at[i].value;
    return SIZE_UNNAMED;
}

static struct assignments sizes_of(struct ctx *ctx, const struct covers_answer *answer,
                                   const struct kernel *kernel)
{
    struct assignments set = {0};
    for (int i = 0; i < kernel->n_params; i++) {
        const char *name = kernel->params[i]->var->name;
        double value = floor(parameter_value(answer, name));
        if (kernel->params[i]->role != ROLE_TUNABLE)
            vec_push(ctx->arena, &set.list,
                     ((struct assignment){.name = name, .is_whole = true, .value = (int64_t)value,
                                          .real = value}));
    }
    return set;
}

/* --- a region --------------------------------------------------------------------------------- */

/* Elements of an array of the kernel at the point; false if that is no number. */
static bool elements_count(const struct kernel *kernel, const struct array *array,
                           const int64_t *point, double *elements)
{
    union value values[PARAMS_MAX] = {{0}}, extent;
    *elements = 1;
    for (int i = 0; i < kernel->n_params; i++)
        values[i].integer = kernel->params[i]->variable >= 0 ? point[kernel->params[i]->variable]
                                                             : 0;
    for (int i = 0; i < array->n_dims; i++) {
        if (!expr_evaluate(kernel, array->dims[i], values, &extent))
            return false;
        *elements *= (double)extent.integer;
    }
    return true;
}

/* The arrays with parts that a launch of the leaf stores to. */
static void parts_find(struct ctx *ctx, const struct variant *variant, const int64_t *point,
                       struct cover_time *time)
{
    VEC(struct cover_part) parts = {0};
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct kernel *kernel = variant->launches[i].kernel;
        for (int k = 0; k < kernel->n_arrays; k++) {
            struct cover_part part = {kernel->arrays[k]->name, 0};
            if (kernel->arrays[k]->is_partial &&
                stmt_stores_to(kernel->body, kernel->arrays[k]) &&
                elements_count(kernel, kernel->arrays[k], point, &part.elements))
                vec_push(ctx->arena, &parts, part);
        }
    }
    time->parts = parts.at;
    time->n_parts = parts.count;
}

/* The time of the fastest leaf; none is known where no leaf fits. */
static struct cover_time tree_time(struct covers_clock *clock, const struct tree *tree,
                                   const struct assignments *set)
{
    struct ranking r = {.ctx = clock->ctx, .tree = tree, .machine = clock->machine};
    struct cover_time time = {0};
    int64_t *point;
    if (!ranking_begin(&r, set, &point))
        return time;
    ranking_fill(&r, point);
    if (!r.places.count)
        return time;
    qsort(r.places.at, r.places.count, sizeof *r.places.at, place_compare);
    const struct place *best = &r.places.at[0];
    struct str choice = str_new(clock->ctx->arena);
    place_print(&choice, &r, best, " = ", ", ");
    time = (struct cover_time){.is_known = true, .leaf = best->variant, .choice = choice.text,
                               .nanoseconds = best->time.prediction.nanoseconds};
    for (size_t i = 0; i < tree->n_variants; i++)
        if (tree->variants[i].id == best->variant)
            parts_find(clock->ctx, &tree->variants[i], best->point, &time);
    return time;
}

static struct cover_time region_time(struct covers_clock *clock,
                                     const struct covers_answer *answer,
                                     const struct region *region)
{
    struct ctx *ctx = clock->ctx;
    struct assignments set = sizes_of(ctx, answer, region->kernel);
    struct tree_options options = {0};
    struct str key = str_new(ctx->arena);
    for (size_t i = 0; i < set.list.count; i++)
        str_addf(&key, "%lld ", (long long)set.list.at[i].value);
    kernel_print(&key, region->kernel);
    struct cover_time *known = map_get(clock->known, key.text);
    if (known)
        return *known;
    known = ARENA_NEW(ctx->arena, struct cover_time);
    map_put(clock->known, key.text, known);
    if (region->legality.verdict == ACCESS_CONFLICT || region->kernel->n_params > PARAMS_MAX)
        return *known;
    progress_begin(ctx, "%s", region->name);
    const struct middle *middle = middle_run(ctx, region, &options);
    progress_end(ctx);
    if (middle)
        *known = tree_time(clock, middle->tree, &set);
    return *known;
}

/* --- a cover ---------------------------------------------------------------------------------- */

/* Adds the time of a region to that of its step; a step of several regions names no leaf. */
static void step_add(struct cover_step *step, const struct cover_time *time, double rounds)
{
    bool is_first = step->time.nanoseconds <= 0;
    struct cover_time sum = is_first && step->is_region ? *time : (struct cover_time){.choice = ""};
    sum.is_known = time->is_known && (is_first || step->time.is_known);
    sum.nanoseconds = step->time.nanoseconds + rounds * time->nanoseconds;
    step->time = sum;
}

/* The program of a cover's text, of which nobody asks for proofs; NULL if it cannot be read. */
static struct program *cover_program(struct covers_clock *clock, const struct covers_answer *answer,
                                     const struct cover_answer *cover, printed_regions *printed)
{
    struct ctx *ctx = clock->ctx;
    struct str text = str_new(ctx->arena);
    struct program_options options = *clock->options;
    cover_text(ctx, answer, cover, &text, printed);
    options.stem_of = answer->file;
    ctx->judges = true;
    struct program *program =
        program_read_text(ctx, mapped_path(ctx->arena, answer->file), text.text, text.length,
                          &options);
    ctx->judges = false;
    return program && program->n_regions == printed->count ? program : NULL;
}

static void cover_clock(struct covers_clock *clock, const struct covers_answer *answer,
                        struct cover_answer *cover)
{
    printed_regions printed = {0};
    struct program *program = cover_program(clock, answer, cover, &printed);
    if (!program)
        return;
    cover->is_timed = true;
    for (size_t i = 0; i < printed.count; i++) {
        struct cover_time time = region_time(clock, answer, program->regions[i]);
        step_add(&cover->steps.at[printed.at[i].step], &time, printed.at[i].rounds);
        cover->is_timed &= time.is_known;
    }
    for (size_t k = 0; k < cover->steps.count; k++)
        cover->nanoseconds += cover->steps.at[k].time.nanoseconds;
}

void covers_time(struct ctx *ctx, const struct program_options *options,
                 const struct treefork_machine *machine, const covers_answers *list)
{
    struct covers_clock clock = {ctx, options, machine, map_new(ctx->arena)};
    unsigned errors = ctx->errors, warnings = ctx->warnings;
    bool quiet = ctx->quiet, is_internal = ctx->is_internal;
    ctx->quiet = true;
    for (size_t i = 0; i < list->count; i++) {
        struct covers_answer *answer = &list->at[i];
        for (size_t k = 0; k < answer->found.count; k++)
            cover_clock(&clock, answer, &answer->found.at[k]);
        covers_sort(answer);
    }
    ctx->quiet = quiet;
    ctx->errors = errors;
    ctx->warnings = warnings;
    ctx->is_internal = is_internal;
}
