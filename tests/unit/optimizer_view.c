/* Views of the cases of all samples, without a machine and with some: an integer point of a case
   (its witness and random ones) lies in every range and in the projection onto some of its
   parameters; the machine's values are not asked about. The CPU time of the slowest projection is
   printed. */
#include "optimizer_test.h"
#include <time.h>

static double cpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool range_has(const struct leaf_range *range, int64_t value)
{
    for (size_t i = 0; i < range->count; i++) {
        int64_t first, last;
        bool lo = interval_first(range->at + i, &first), hi = interval_last(range->at + i, &last);
        if ((!lo || first <= value) && (!hi || value <= last))
            return true;
    }
    return false;
}

/* A random point: parameters small or large, auxiliary integers by their definitions. */
static bool point_draw(const struct tree *tree, const struct leaf_system *system, int64_t *point)
{
    for (int v = 0; v < ring_count(tree->ring); v++) {
        bool keep = system->has_witness && rand() % 2 && system->witness[v] < 1 << 20;
        point[v] = keep ? system->witness[v] : rand() % 2 ? 1 + rand() % 16 : 1 + rand() % 50000;
    }
    return tree_point_complete(tree, point) && tree_system_holds(tree, tree->initial, point) == 1 &&
           tree_system_holds(tree, system->minimal, point) == 1;
}

struct tally {
    int points, undecided, cases;
    double slowest;
};

static void point_check(struct check *check, const struct tree *tree,
                        const struct leaf_system *system, const int64_t *point)
{
    const struct leaf_view *view = system->view;
    for (size_t i = 0; i < view->n_ranges; i++)
        check_that(check, range_has(view->ranges + i, point[view->ranges[i].variable]),
                   "%s: %s = %lld is not in its range", tree->region->name,
                   ring_name(tree->ring, view->ranges[i].variable),
                   (long long)point[view->ranges[i].variable]);
    if (view->projection)
        check_that(check, formula_holds(view->projection, point) != 0,
                   "%s: a point of a case is not in its projection", tree->region->name);
}

static void tree_check(struct check *check, struct ctx *ctx, const struct tree *tree,
                       const struct view_options *options, struct tally *tally)
{
    double start = cpu_now();
    const struct tree *seen = tree_view(ctx, tree, options);
    double seconds = cpu_now() - start;
    int cases = 0;
    for (size_t i = 0; i < seen->n_variants; i++)
        for (size_t k = 0; k < seen->variants[i].n_systems; k++) {
            const struct leaf_system *system = &seen->variants[i].systems[k];
            int64_t point[RING_CAPACITY];
            cases++;
            tally->undecided += system->view->reason != NULL;
            for (int n = 0; n < 300; n++) {
                if (!point_draw(seen, system, point))
                    continue;
                tally->points++;
                point_check(check, seen, system, point);
            }
        }
    tally->cases += cases;
    if (cases && !options->ranges && seconds / cases > tally->slowest)
        tally->slowest = seconds / cases;
}

/* The program's parameters that the tree speaks of, in the order of the ring; their number. */
static size_t parameters(const struct tree *tree, int *onto, size_t limit)
{
    size_t count = 0;
    for (int v = 0; v < ring_count(tree->ring) && count < limit; v++)
        if (!(tree->machine >> v & 1) &&
            kernel_param(tree->region->kernel, ring_name(tree->ring, v)))
            onto[count++] = v;
    return count;
}

static void sample_check(struct check *check, const char *name, struct tally *tally)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct tree_options none = {0};
    struct program *program = sample_read(ctx, name);
    const struct tree *tree = program ? tree_build(ctx, program->regions[0], &none) : NULL;
    int onto[RING_CAPACITY];
    int64_t values[RING_CAPACITY];
    if (check_that(check, tree != NULL, "%s: no tree", name)) {
        for (size_t n = 1; n <= parameters(tree, onto, 6); n++)
            tree_check(check, ctx, tree, &(struct view_options){.n_onto = n, .onto = onto}, tally);
        for (int v = 0; v < ring_count(tree->ring); v++)
            values[v] = strcmp(ring_name(tree->ring, v), "T_B") == 0   ? 1024
                        : strcmp(ring_name(tree->ring, v), "Z_B") == 0 ? 49152
                                                                       : 64;
        tree_check(check, ctx, tree_specialise(ctx, tree, values),
                   &(struct view_options){.ranges = true}, tally);
    }
    ctx_free(ctx);
}

int main(void)
{
    struct check check = {0};
    struct tally tally = {0};
    srand(20263);
    for (int i = 0; i < SAMPLE_COUNT; i++)
        sample_check(&check, SAMPLES[i], &tally);
    check_that(&check, tally.points > 1000, "only %d points are in some case", tally.points);
    check_that(&check, tally.undecided == 0, "%d of %d cases are undecided", tally.undecided,
               tally.cases);
    printf("%d cases, %d points; slowest tree %.2f ms per projection of a case\n", tally.cases,
           tally.points, 1e3 * tally.slowest);
    return check_end(&check, "optimizer_view");
}
