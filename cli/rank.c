/* treefork rank: leaves and tunables ordered by predicted time, as NAME_auto does it on a device,
   for any machine file.

   In: a file, a machine, values of what is no tunable (a tunable that is given stays as it is).
   Out: per region the best few of all (leaf, tunables) whose fits holds, with the terms of the
   model. Candidates are those of a region's own choice (runtime/candidates.c): powers of two, and
   where a division by a tunable has to be exact divisors. Ties go to the first. */
#include "base/progress.h"
#include "cli/predict.h"
#include "cli/question.h"
#include "emit/choice.h"
#include "ir/interpret.h"
#include "runtime/candidates.h"
#include <stdlib.h>
#include <string.h>

const struct option_row rank_rows[] = {
    {"--machine", "FILE.json", "the machine asked about"},
    {"--set", "NAME=VALUE,…",
     "values of data parameters and of tunables that are not to be chosen"},
    {"--top", "N", "so many of each region (default 5)"},
    INPUT_ROWS,
#include "cli/transformation_rows.h"
    TREE_ROWS,
};
const size_t rank_row_count = sizeof rank_rows / sizeof rank_rows[0];

enum { PARAMS_MAX = 64 };

struct tried_values {
    const struct param *param;
    int n;
    int64_t at[CANDIDATES_MAX];
};

struct place {
    int variant;
    size_t order;                        /* number of the candidate */
    const int64_t *point;
    struct leaf_time time;
};

struct ranking {
    struct ctx *ctx;
    const struct tree *tree;
    const struct treefork_machine *machine;
    struct tried_values tunables[PARAMS_MAX];
    int n_tunables;
    struct choice_divisions divisions;
    size_t candidates;
    VEC(struct place) places;
};

static int place_compare(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (treefork_faster(&x->time.prediction, &y->time.prediction))
        return -1;
    if (treefork_faster(&y->time.prediction, &x->time.prediction))
        return 1;
    return x->order != y->order ? (x->order < y->order ? -1 : 1) : x->variant - y->variant;
}

/* The values of the kernel's parameters at the point; 0 for those that are no variables of it. */
static void point_values(const struct kernel *k, const int64_t *point, union value *values)
{
    for (int i = 0; i < k->n_params; i++)
        values[i].integer = k->params[i]->variable >= 0 ? point[k->params[i]->variable] : 0;
}

/* Is every division by a tunable exact that would change the iteration set otherwise? */
static bool divisions_exact(const struct ranking *r, const int64_t *point)
{
    const struct region *region = r->tree->region;
    union value values[PARAMS_MAX] = {{0}};
    point_values(region->kernel, point, values);
    return choice_inexact(region, r->divisions, values) == NULL;
}

/* Every leaf that fits at the point. */
static void point_rank(struct ranking *r, const int64_t *point)
{
    int64_t *copy = ARENA_ARRAY(r->ctx->arena, int64_t, RING_CAPACITY);
    memcpy(copy, point, RING_CAPACITY * sizeof *copy);
    r->candidates++;
    progress_tick(r->ctx);
    if (!tree_point_complete(r->tree, copy) ||
        tree_system_holds(r->tree, r->tree->initial, copy) != 1 || !divisions_exact(r, copy))
        return;
    for (size_t i = 0; i < r->tree->n_variants; i++) {
        const struct variant *v = &r->tree->variants[i];
        struct place place = {.variant = v->id, .order = r->candidates, .point = copy};
        if (tree_system_holds(r->tree, v->fits, copy) != 1)
            continue;
        if (leaf_predict(r->ctx, r->tree, v, r->machine, copy, &place.time) != NULL)
            continue;
        r->ctx->counts.launches++;
        treefork_handicap(r->machine, place.time.threads, v->safe && r->tree->n_variants > 1,
                          &place.time.prediction);
        vec_push(r->ctx->arena, &r->places, place);
    }
}

static void candidates_rank(struct ranking *r, int64_t *point)
{
    for (size_t number = 0;; number++) {
        size_t rest = number;
        for (int i = 0; i < r->n_tunables; i++) {
            const struct tried_values *c = &r->tunables[i];
            point[c->param->variable] = c->at[rest % (size_t)c->n];
            rest /= (size_t)c->n;
        }
        if (rest > 0)
            return;
        point_rank(r, point);
    }
}

/* What the values of a tunable have to divide. */
struct kernel_dividends {
    const struct kernel *kernel;
    struct choice_divisions divisions;
    const union value *values;
};

static bool divides_all(void *state, int64_t number)
{
    const struct kernel_dividends *d = state;
    union value dividend;
    for (size_t i = 0; i < d->divisions.count; i++)
        if (!expr_evaluate(d->kernel, d->divisions.at[i]->arguments[0], d->values, &dividend) ||
            dividend.integer % number != 0)
            return false;
    return true;
}

/* The candidates at the point. */
static void candidates_fill(struct ranking *r, struct tried_values *c, int parameter,
                            const int64_t *point)
{
    const struct region *region = r->tree->region;
    union value values[PARAMS_MAX] = {{0}};
    struct kernel_dividends dividends = {region->kernel,
                                  choice_divisions_by(r->ctx->arena, region, parameter), values};
    point_values(region->kernel, point, values);
    c->n = treefork_candidates(choice_count(region, c->param),
                               dividends.divisions.count ? divides_all : NULL, &dividends, c->at);
    if (c->n == 0)
        c->at[c->n++] = 1;
}

static void launches_print(const struct leaf_time *time)
{
    for (size_t i = 0; i < time->n_launches; i++) {
        const struct launch_time *launch = &time->launches[i];
        printf("; %lld blocks of %lld threads, %lld bytes shared, %lld resident",
               (long long)launch->figures.blocks, (long long)launch->figures.threads,
               (long long)launch->figures.shared_bytes, (long long)launch->prediction.resident);
    }
}

static void ranking_print(const struct ranking *r, size_t top)
{
    printf("%s on %s: %zu candidates, %zu launches fit\n", r->tree->region->name, r->machine->name,
           r->candidates, r->places.count);
    for (size_t i = 0; i < r->places.count && i < top; i++) {
        const struct place *p = &r->places.at[i];
        const struct treefork_prediction *time = &p->time.prediction;
        printf("  %zu. predicted %.3f us: leaf %d", i + 1, time->nanoseconds / 1e3, p->variant);
        for (int k = 0; k < r->n_tunables; k++)
            printf(", %s = %lld", r->tunables[k].param->var->name,
                   (long long)p->point[r->tunables[k].param->variable]);
        printf("  (%s; memory %.3f, compute %.3f, latency %.3f", time->bound, time->memory / 1e3,
               time->compute / 1e3, time->latency / 1e3);
        launches_print(&p->time);
        printf(")\n");
    }
}

/* The tunables that are not given get 1, so that a point can be made; then they are
   counted through. */
static bool ranking_begin(struct ranking *r, const struct assignments *set, int64_t **point)
{
    struct assignments all = *set;
    int parameters[PARAMS_MAX] = {0};
    const struct kernel *k = r->tree->region->kernel;
    for (int i = 0; i < k->n_params; i++) {
        if (k->params[i]->role != ROLE_TUNABLE || k->params[i]->variable < 0 ||
            assignment_find(set, k->params[i]->var->name))
            continue;
        struct assignment one = {.name = k->params[i]->var->name, .is_whole = true, .value = 1};
        vec_push(r->ctx->arena, &all.list, one);
        if (r->n_tunables < PARAMS_MAX) {
            parameters[r->n_tunables] = i;
            r->tunables[r->n_tunables++].param = k->params[i];
        }
    }
    if (k->n_params > PARAMS_MAX || !point_make(r->ctx, r->tree, r->machine, &all, point))
        return false;
    for (int i = 0; i < r->n_tunables; i++)
        candidates_fill(r, &r->tunables[i], parameters[i], *point);
    return true;
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
        r.divisions = choice_divisions(ctx->arena, r.tree->region);
        int64_t *point;
        if (!ranking_begin(&r, &question.set, &point))
            return EXIT_USAGE;
        progress_begin(ctx, "%s on %s", r.tree->region->name, r.machine->name);
        candidates_rank(&r, point);
        progress_end(ctx);
        if (r.places.count)
            qsort(r.places.at, r.places.count, sizeof *r.places.at, place_compare);
        ranking_print(&r, (size_t)top);
    }
    return EXIT_DONE;
}
