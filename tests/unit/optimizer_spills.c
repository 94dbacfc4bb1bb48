/* Spilled words as they are told of every leaf: none where the device has as many registers as the
   leaf needs, one for each that is missing, those above its cap under pressure level 3; and, where
   there is a toolkit, the assembler spills nothing where none are foreseen. */
#include "ir/llvm/llvm.h"
#include "optimizer/counters/scope.h"
#include "tests/unit/optimizer_test.h"

enum { TARGET_SPILLS = 80, MANY = 255 };

static const struct counter_value *value_of(const struct variant *variant, const char *name)
{
    for (size_t i = 0; i < variant->n_counters; i++)
        if (!strcmp(variant->counters[i].counter->name, name))
            return &variant->counters[i].value;
    return NULL;
}

/* The counter where the device has `registers` and every tunable is `s`; -1 if it has no value
   there. */
static int64_t spills_at(const struct variant *variant, int64_t registers, int64_t s)
{
    const struct counter_value *value = value_of(variant, "spills");
    int64_t point[RING_CAPACITY], numerator, denominator;
    if (!value || !value->count)
        return -1;
    struct ring *ring = poly_ring(value->pieces[0].numerator);
    for (int v = 0; v < RING_CAPACITY; v++)
        point[v] = v < ring_count(ring) && !strcmp(ring_name(ring, v), "R_B") ? registers : s;
    return counter_value_at(value, point, &numerator, &denominator) < 0 || denominator != 1
               ? -1
               : numerator;
}

static int64_t bound_of_launch(const struct launch *launch, int64_t s)
{
    int64_t point[RING_CAPACITY], value = -1;
    for (int v = 0; v < RING_CAPACITY; v++)
        point[v] = s;
    return poly_evaluate(launch->registers, point, &value) ? value : -1;
}

/* Registers of the launch that needs most. */
static int64_t bound_at(const struct variant *variant, int64_t s)
{
    int64_t most = -1;
    for (size_t i = 0; i < variant->n_launches; i++) {
        int64_t bound = bound_of_launch(&variant->launches[i], s);
        most = bound > most ? bound : most;
    }
    return most;
}

static bool is_capped(const struct variant *variant)
{
    for (size_t i = 0; i < variant->n_launches; i++)
        if (variant->launches[i].kernel->pressure >= 3)
            return true;
    return false;
}

/* Counts the leaves that spill by their own cap. */
static int run_variant(struct check *check, const struct tree *tree, const struct variant *variant)
{
    const char *what = tree->region->name;
    bool capped = is_capped(variant);
    int spilling = 0;
    for (int64_t s = 1; s <= 16; s *= 2) {
        int64_t bound = bound_at(variant, s), own = spills_at(variant, MANY, s);
        if (bound > MANY)
            continue;
        spilling |= capped && own > 0;
        check_that(check, capped ? own >= 0 : own == 0, "%s: %lld words spilled with all registers",
                   what, (long long)own);
        check_that(check, spills_at(variant, bound, s) == own, "%s: spills within the bound", what);
        check_that(check, spills_at(variant, bound - 1, s) == own + 1,
                   "%s: one register less is one word more", what);
        check_that(check, spills_at(variant, bound - 9, s) == own + 9, "%s: nine registers less",
                   what);
    }
    return spilling;
}

/* The form that is launched for s = 1: the safe leaf has one for any s. */
static bool launch_measure(struct ctx *ctx, const struct launch *launch, bool is_safe,
                           int registers, struct ptx_measure *measure)
{
    struct binding set[] = {{"s", 1}};
    struct ptx_options options = {.target = TARGET_SPILLS, .registers = registers, .bindings = set};
    options.n_bindings = !is_safe;
    const char *message, *text = llvm_ptx(ctx, launch->kernel, &options);
    return text &&
           ptx_measure(ctx, text, launch->kernel->name, TARGET_SPILLS, measure, &message) == 1;
}

/* Bytes that the assembler spills as the run time asks it: within the launch's budget where it
   would take more registers freely. -1 where there is no assembler. */
static int launch_measured(struct ctx *ctx, const struct launch *launch, bool is_safe)
{
    struct ptx_measure measure;
    int budget = ptx_budget((int)bound_of_launch(launch, 1), MANY);
    if (!launch_measure(ctx, launch, is_safe, 0, &measure))
        return -1;
    if (measure.registers > budget && !launch_measure(ctx, launch, is_safe, budget, &measure))
        return -1;
    return measure.spill_bytes;
}

/* Of all launches of a leaf. */
static int measured(struct ctx *ctx, const struct variant *variant)
{
    int sum = 0;
    for (size_t i = 0; i < variant->n_launches && sum >= 0; i++) {
        int bytes = launch_measured(ctx, &variant->launches[i], variant->safe);
        sum = bytes < 0 ? -1 : sum + bytes;
    }
    return sum;
}

static bool run_sample(struct check *check, const char *name, int *spilling)
{
    check_test(check);
    static const struct tree_options options = {0};
    struct ctx *ctx = ctx_new();
    struct program *program = sample_read(ctx, name);
    bool toolkit = true;
    for (size_t r = 0; program && r < program->n_regions; r++) {
        const struct tree *tree = tree_build(ctx, program->regions[r], &options);
        for (size_t v = 0; tree && v < tree->n_variants; v++) {
            *spilling += run_variant(check, tree, &tree->variants[v]);
            int bytes = measured(ctx, &tree->variants[v]);
            toolkit &= bytes >= 0;
            if (bytes >= 0 && spills_at(&tree->variants[v], MANY, 1) == 0)
                check_that(check, bytes == 0, "%s, leaf %d: %d bytes spilled", name,
                           tree->variants[v].id, bytes);
        }
        check_that(check, tree != NULL, "%s: a tree", name);
    }
    check_that(check, program != NULL, "%s", name);
    ctx_free(ctx);
    return toolkit;
}

int main(void)
{
    struct check check = {0};
    bool toolkit = true;
    int spilling = 0;
    static const char *const names[] = {"matmul", "jacobi1d", "heat3d", "axpy"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        toolkit &= run_sample(&check, names[i], &spilling);
    check_that(&check, spilling > 0, "no leaf spills by its own cap");
    check.skipped += !toolkit;
    if (!toolkit)
        printf("measurements skipped: no ptxas or nvJitLink\n");
    solver_thread_end();
    return check_end(&check, "optimizer_spills");
}
