/* The register estimate against the assembler: a table of kernels, sizes and GPUs with the
   estimate, the assembler's free choice, the budget, and the spills within it. Within its budget
   nothing is spilled, and it is a step above the free choice in the mean at most: what `make
   bench-counters` shows of all kernels is held here for a few. Without a toolkit there is nothing
   to compare with. An estimate is made once: the second asking takes no time. */
#include "ir/ptx/ptx.h"
#include "tests/unit/ir-llvm_test.h"

enum { LIMIT = 255, STEP = 8 };

static const char *const kernels[] = {"matmul",    "matmul_double", "jacobi1d", "jacobi1d_strided",
                                      "transpose", "jacobi2d",      "heat3d",   "axpy",
                                      "matvec",    "functions",     "divisions"};
static const int targets[] = {75, 80, 90};

struct sums {
    int rows, over;
};

/* False if there is no toolkit. */
static bool run_target(struct test *test, struct ctx *ctx, const struct kernel *kernel, int s,
                       int target, struct sums *sums)
{
    struct binding set[] = {{"s", s}, {"B", 16}, {"B0", 4}, {"B1", 16}, {"B2", 4}};
    struct ptx_options options = {.target = target, .n_bindings = 5, .bindings = set};
    struct ptx_measure freely = {0}, kept = {0};
    const char *message = "", *ptx = llvm_ptx(ctx, kernel, &options);
    if (!check(test, ptx, kernel->name))
        return true;
    int registers = ptx_registers(ptx, kernel->name),
        done = ptx_measure(ctx, ptx, kernel->name, target, &freely, &message);
    if (!done)
        return false;
    options.registers = ptx_budget(registers, LIMIT);
    check(test, registers > 0 && done == 1, message);
    done = ptx_measure(ctx, llvm_ptx(ctx, kernel, &options), kernel->name, target, &kept, &message);
    printf("  %4d %4d %3d %3d", registers, freely.registers, options.registers, kept.spill_bytes);
    check(test, done == 1 && kept.spill_bytes == 0,
          arena_printf(ctx->arena, "%s, s=%d, sm_%d: spills", kernel->name, s, target));
    check(test, kept.registers <= options.registers,
          arena_printf(ctx->arena, "%s, s=%d, sm_%d: over its budget", kernel->name, s, target));
    sums->rows++;
    sums->over += options.registers - ptx_budget(freely.registers, LIMIT);
    return true;
}

static bool run_kernel(struct test *test, struct ctx *ctx, const char *name, struct sums *sums)
{
    check_test(&test->count);
    struct kernel *kernel = kernel_of_file(ctx, name);
    if (!check(test, kernel, name))
        return true;
    int last = kernel_param(kernel, "s") ? 8 : 1;
    for (int s = 1; s <= last; s *= 2) {
        printf("%-18s %2d", name, s);
        for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
            if (!run_target(test, ctx, kernel, s, targets[t], sums))
                return false;
        printf("\n");
    }
    return true;
}

/* Bindings that nobody has asked for yet take LLVM; the same question again a hundredth of that at
   most, whatever else was asked in between. */
static void run_cache(struct test *test, struct ctx *ctx)
{
    check_test(&test->count);
    const struct kernel *kernel = kernel_of_file(ctx, "matmul");
    struct binding set[] = {{"s", 5}, {"B", 16}};
    struct ptx_options options = {.target = 80, .n_bindings = 2, .bindings = set, .estimate = true};
    uint64_t start = ctx->counts.texts;
    int first = llvm_registers(ctx, kernel, &options);
    uint64_t made = ctx->counts.texts - start;
    set[0].value = 6;
    int other = llvm_registers(ctx, kernel, &options);
    set[0].value = 5;
    start = ctx->counts.texts;
    int again = llvm_registers(ctx, kernel_copy(ctx->arena, kernel), &options);
    check(test, first > 0 && first == again && other >= first, "the same estimate from the cache");
    check(test, made > 0 && ctx->counts.texts == start, "nothing is compiled again");
    options.target = 0;
    check(test, llvm_registers(ctx, kernel, &options) >= first, "the most over all GPUs");
}

int main(void)
{
    struct test test = {.name = "ir-llvm_registers"};
    struct ctx *ctx = ctx_new();
    struct sums sums = {0};
    printf("%-18s %2s  %-17s  %-17s  %-17s  (estimate, free choice, budget, spilled bytes)\n",
           "kernel", "s", "sm_75", "sm_80", "sm_90");
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (!run_kernel(&test, ctx, kernels[i], &sums)) {
            printf("\nno CUDA toolkit: nothing to compare with\n");
            test.count.skipped++;
            break;
        }
    check(&test, sums.over <= STEP * sums.rows, "a step above the free choice in the mean");
    run_cache(&test, ctx);
    if (sums.rows)
        printf("mean budget above the free choice: %.1f registers\n",
               (double)sums.over / sums.rows);
    ctx_free(ctx);
    return test_end(&test);
}
