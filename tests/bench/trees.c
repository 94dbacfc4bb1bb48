/* Coverage and disjointness of the trees of all samples, over the reals. In: samples/. Out: Markdown: per tree the leaves, is
   every point that meets a variant's needs in some leaf (covers), is no point in two leaves (disjoint), CPU time of both
   (medians of ROUNDS). Status 1 if one is undecided, a variant's needs are not covered, or two leaves overlap.
   The safe variant takes what no leaf takes, so the needs of the others are the regions asked about. */
#include "tests/bench/problem.h"
#include "tests/unit/optimizer_test.h"

enum { ROUNDS = 5, PARTS = 256 };

struct count {
    int covered, gaps, undecided, disjoint;
    double covers, apart;
};

static size_t parts_of(const struct tree *tree, struct sas facts, struct sas *parts)
{
    size_t n = 0;
    for (size_t i = 0; i < tree->n_variants; i++)
        for (size_t k = 0; k < tree->variants[i].n_systems && n < PARTS; k++)
            parts[n++] = sas_join(ring_arena(tree->ring), tree->variants[i].systems[k].constraints, facts);
    return n;
}

static struct count examine(struct ctx *ctx, const struct tree *tree, const struct sas *parts, size_t n, struct sas facts)
{
    struct count count = {0};
    size_t first, second;
    double start = cpu_now();
    for (size_t i = 0; i < tree->n_variants; i++) {
        if (tree->variants[i].safe)
            continue;
        struct sas region = sas_join(ctx->arena, sas_join(ctx->arena, tree->initial, facts), tree->variants[i].fits);
        int covers = sas_covers(ctx->arena, region, parts, n, NULL);
        count.covered += covers == 1;
        count.gaps += covers == 0;
        count.undecided += covers < 0;
    }
    count.covers = cpu_now() - start;
    start = cpu_now();
    count.disjoint = sas_disjoint(sas_join(ctx->arena, tree->initial, facts), parts, n, &first, &second);
    count.apart = cpu_now() - start;
    count.undecided += count.disjoint < 0;
    return count;
}

static bool region_examine(struct ctx *ctx, const struct region *region, double *total)
{
    static const struct tree_options options = {0};
    const struct tree *tree = tree_build(ctx, region, &options);
    struct sas parts[PARTS];
    struct count count = {0};
    double covers[ROUNDS], apart[ROUNDS];
    if (!tree)
        return false;
    struct sas facts = auxiliary_facts(ctx->arena, tree);
    size_t n = parts_of(tree, facts, parts);
    for (int r = 0; r < ROUNDS; r++) {
        count = examine(ctx, tree, parts, n, facts);
        covers[r] = count.covers;
        apart[r] = count.apart;
    }
    double c = quantile(covers, ROUNDS, 0.5), d = quantile(apart, ROUNDS, 0.5);
    printf("| %s | %zu | %d of %d | %s | %d | %.2f | %.2f |\n", region->name, n, count.covered,
           count.covered + count.gaps + count.undecided - (count.disjoint < 0),
           count.disjoint == 1 ? "yes" : count.disjoint == 0 ? "no" : "unknown", count.undecided, 1e3 * c, 1e3 * d);
    *total += c + d;
    return !count.undecided && !count.gaps && count.disjoint == 1;
}

int main(void)
{
    double total = 0;
    bool good = true;
    printf("| region | leaves | needs covered | disjoint | undecided | coverage ms | disjointness ms |\n"
           "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        struct ctx *ctx = ctx_new();
        struct program *program = sample_read(ctx, SAMPLES[i]);
        good = good && program;
        for (size_t k = 0; program && k < program->n_regions; k++)
            good &= region_examine(ctx, program->regions[k], &total);
        ctx_free(ctx);
    }
    printf("\nAll trees together: %.2f ms\n", 1e3 * total);
    solver_thread_end();
    return !good;
}
