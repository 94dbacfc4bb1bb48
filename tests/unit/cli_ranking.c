/* How well the model of predicted time orders launches, without a GPU: the sectors that it predicts
   for the warps of a launch against those that the counting simulator finds (ir/simulate.h), for
   leaves of samples at launches drawn at random. Per sample Spearman's rank correlation over all
   (leaf, launch); it must not fall below BOUND. `--markdown` prints the table of
   docs/results/ranking.md. Both are counts of simulated threads: nothing here was timed. */
#include "cli/predict.h"
#include "ir/simulate.h"
#include "optimizer_test.h"
#include "runtime/treefork.h"

enum { PLACES_MAX = 400, LAUNCHES = 24 };
static const double BOUND = 0.9;

static const struct {
    const char *sample, *fixed;
    const char *tunables[3];
    int highest[3];                  /* exponents of two */
    bool is_small;                   /* also at small scale */
} subjects[] = {
    {"matmul", "n=32", {"s", "B0", "ub1"}, {2, 4, 5}, false},
    {"transpose", "N=64", {"s", "B0", "B1"}, {2, 5, 5}, true},
    {"matadd", "N=64", {"B0", "B1", NULL}, {5, 5, 0}, false},
    {"jacobi2d", "N=66,t=1,T=1", {"s", "B0", "B1"}, {2, 5, 5}, false},
    {"matvec", "m=128,n=64", {"B", "h", NULL}, {7, 5, 0}, true},
    {"heat3d", "N=18,r=1", {"B0", "B1", "B2"}, {3, 3, 4}, true},
};

struct place {
    double predicted, simulated;
};

struct ranking {
    struct ctx *ctx;
    struct place places[PLACES_MAX];
    int count, equal, skipped;
};

static double rank_of(const struct ranking *r, int i, bool simulated)
{
    double rank = 0.5, own = simulated ? r->places[i].simulated : r->places[i].predicted;
    for (int k = 0; k < r->count; k++) {
        double other = simulated ? r->places[k].simulated : r->places[k].predicted;
        rank += other < own ? 1 : other == own ? 0.5 : 0;
    }
    return rank;
}

/* Spearman: the correlation of the ranks, ties at their mean. */
static double correlation(const struct ranking *r)
{
    double mean = (r->count + 1) / 2.0, both = 0, a = 0, b = 0;
    for (int i = 0; i < r->count; i++) {
        double x = rank_of(r, i, false) - mean, y = rank_of(r, i, true) - mean;
        both += x * y;
        a += x * x;
        b += y * y;
    }
    return a > 0 && b > 0 ? both / __builtin_sqrt(a * b) : 1;
}

/* Adds to *sectors. */
static bool simulate(struct ranking *r, const struct kernel *kernel, const union value *params,
                     int64_t threads, double *sectors)
{
    struct interpret_array *arrays =
        ARENA_ARRAY(r->ctx->arena, struct interpret_array, kernel->n_arrays + 1);
    if (!data_make(r->ctx, kernel, params, arrays))
        return false;
    struct interpret_input input = {
        .params = params, .arrays = arrays, .threads = kernel_all_strided(kernel) ? threads : 0};
    struct simulation s =
        kernel_simulate(r->ctx->arena, kernel, &input, (struct simulate_options){0});
    for (size_t i = 0; i < s.count; i++)
        *sectors += (double)s.accesses[i].sectors;
    return s.result.status == INTERPRET_DONE;
}

static bool simulate_all(struct ranking *r, const struct variant *variant,
                         const struct leaf_time *time, const union value *params, double *sectors)
{
    *sectors = 0;
    for (size_t i = 0; i < variant->n_launches; i++)
        if (!simulate(r, variant->launches[i].kernel, params, time->launches[i].figures.threads,
                      sectors))
            return false;
    return true;
}

static bool is_empty(const struct leaf_time *time)
{
    for (size_t i = 0; i < time->n_launches; i++)
        if (time->launches[i].figures.blocks > 0)
            return false;
    return true;
}

static void launch_compare(struct ranking *r, const struct tree *tree,
                           const struct treefork_machine *machine, const char *text)
{
    const struct kernel *kernel = tree->region->kernel;
    union value params[32] = {{0}};
    int64_t point[RING_CAPACITY] = {0};
    params_set(kernel, text, params);
    for (int v = 0; v < ring_count(tree->ring); v++) {
        int parameter = treefork_parameter_find(ring_name(tree->ring, v));
        if (tree->machine >> v & 1 && parameter >= 0)
            point[v] = machine->value[parameter];
        for (int i = 0; i < kernel->n_params; i++)
            if (strcmp(kernel->params[i]->var->name, ring_name(tree->ring, v)) == 0)
                point[v] = params[i].integer;
    }
    if (!tree_point_complete(tree, point) || tree_system_holds(tree, tree->initial, point) != 1)
        return;
    for (size_t i = 0; i < tree->n_variants && r->count < PLACES_MAX; i++) {
        struct leaf_time time;
        double sectors;
        if (tree_system_holds(tree, tree->variants[i].fits, point) != 1 ||
            leaf_predict(r->ctx, tree, &tree->variants[i], machine, point, &time) != NULL ||
            is_empty(&time))
            continue;
        if (!simulate_all(r, &tree->variants[i], &time, params, &sectors)) {
            r->skipped++;
            continue;
        }
        r->equal += (double)time.prediction.sectors == sectors;
        r->places[r->count++] = (struct place){(double)time.prediction.sectors, sectors};
    }
}

static void subject_check(struct check *check, size_t index, bool markdown)
{
    check_test(check);
    static const struct tree_options options = {0};
    static struct ranking ranking;
    struct ctx *ctx = ctx_new();
    struct treefork_machine machine;
    struct program *program = sample_read(ctx, subjects[index].sample);
    const struct tree *tree = program ? tree_build(ctx, program->regions[0], &options) : NULL;
    ranking = (struct ranking){.ctx = ctx};
    bool ready =
        tree && treefork_machine_read("machines/ampere-a100.json", &machine) == TREEFORK_OK;
    if (check_that(check, ready, "%s: no tree", subjects[index].sample)) {
        for (int round = 0; round < LAUNCHES; round++) {
            struct str text = str_new(ctx->arena);
            str_add(&text, subjects[index].fixed);
            for (int k = 0; k < 3 && subjects[index].tunables[k]; k++)
                str_addf(&text, ", %s=%d", subjects[index].tunables[k],
                         1 << rand() % (subjects[index].highest[k] + 1));
            launch_compare(&ranking, tree, &machine, text.text);
        }
        double rho = correlation(&ranking);
        printf(markdown ? "| %s | %d | %d | %.3f |\n"
                        : "%s: %d launches of leaves, %d counted alike, rank correlation %.3f\n",
               subjects[index].sample, ranking.count, ranking.equal, rho);
        check_that(check, ranking.count >= 20 && ranking.skipped == 0,
                   "%s: %d launches, %d skipped", subjects[index].sample, ranking.count,
                   ranking.skipped);
        check_that(check, rho >= BOUND, "%s: rank correlation %.3f", subjects[index].sample, rho);
    }
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    bool markdown = argc > 1 && strcmp(argv[1], "--markdown") == 0;
    srand(11);
    if (!markdown)
        printf("seed 11\n");
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (subjects[i].is_small || markdown || test_scale(0, 1))
            subject_check(&check, i, markdown);
    return markdown ? 0 : check_end(&check, "cli_ranking");
}
