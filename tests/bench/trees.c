/* Coverage and disjointness of the trees of all samples, over the reals. In: samples/. Out:
   Markdown: per tree the leaves, do they cover the initial system (the safe variant has leaves
   too), does no point lie in two of them, CPU time of both questions (medians of ROUNDS). Status 1
   if one is undecided, or a tree has a gap or an overlap. */
#include "tests/bench/problem.h"
#include "tests/unit/optimizer_test.h"

enum { ROUNDS = 5, PARTS = 256 };

static size_t parts_of(const struct tree *tree, struct sas facts, struct sas *parts)
{
    size_t n = 0;
    for (size_t i = 0; i < tree->n_variants; i++)
        for (size_t k = 0; k < tree->variants[i].n_systems && n < PARTS; k++)
            parts[n++] =
                sas_join(ring_arena(tree->ring), tree->variants[i].systems[k].constraints, facts);
    return n;
}

static const char *answer(int truth)
{
    return truth < 0 ? "unknown" : truth ? "yes" : "no";
}

static bool region_examine(struct ctx *ctx, const struct region *region, double *total)
{
    static const struct tree_options options = {0};
    const struct tree *tree = tree_build(ctx, region, &options);
    struct sas parts[PARTS];
    double covers[ROUNDS], apart[ROUNDS];
    int covered = -1, disjoint = -1;
    size_t first, second;
    if (!tree)
        return false;
    struct sas facts = auxiliary_facts(ctx->arena, tree),
               whole = sas_join(ctx->arena, tree->initial, facts);
    size_t n = parts_of(tree, facts, parts);
    for (int r = 0; r < ROUNDS; r++) {
        double start = cpu_now();
        covered = sas_covers(ctx->arena, whole, parts, n, NULL);
        covers[r] = cpu_now() - start;
        start = cpu_now();
        disjoint = sas_disjoint(whole, parts, n, &first, &second);
        apart[r] = cpu_now() - start;
    }
    double c = quantile(covers, ROUNDS, 0.5), d = quantile(apart, ROUNDS, 0.5);
    printf("| %s | %zu | %s | %s | %.2f | %.2f |\n", region->name, n, answer(covered),
           answer(disjoint), 1e3 * c, 1e3 * d);
    *total += c + d;
    return covered == 1 && disjoint == 1;
}

int main(void)
{
    double total = 0;
    bool good = true;
    printf("| region | leaves | cover | disjoint | coverage ms | disjointness ms |\n| --- | --- | "
           "--- | --- | --- | --- |\n");
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
