/* PTX: it assembles for every target that the toolkit knows, says what it must, and what cannot be
   lowered is refused with the reason and the remedy. */
#include "ir/ptx/loops.h"
#include "ir/ptx/ptx.h"
#include "tests/unit/ir-llvm_test.h"
#include <stdlib.h>

static const char *const kernels[] = {"matmul",           "matmul_double", "jacobi1d",
                                      "jacobi1d_strided", "transpose",     "jacobi2d",
                                      "heat3d",           "axpy",          "matvec"};
static const struct binding sizes[] = {{"s", 2}, {"B", 16}, {"B0", 4}, {"B1", 16}, {"B2", 4}};

static bool has_toolkit(struct ctx *ctx)
{
    struct ptx_measure measure;
    const char *message = "";
    static const char least[] =
        ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n";
    return ptx_measure(ctx, least, "k", 75, &measure, &message) != 0;
}

static void run_assembler(struct test *test, struct ctx *ctx, const struct kernel *kernel,
                          int target, bool bound)
{
    struct ptx_options options = {.target = target, .n_bindings = bound ? 5 : 1, .bindings = sizes};
    const char *ptx = llvm_ptx(ctx, kernel, &options), *message = "";
    struct ptx_measure measure = {0};
    if (!check(test, ptx, arena_printf(ctx->arena, "%s for sm_%d", kernel->name, target)))
        return;
    check(test, strstr(ptx, arena_printf(ctx->arena, ".target sm_%d\n", target)),
          "the target's name in the text");
    int done = ptx_measure(ctx, ptx, kernel->name, target, &measure, &message);
    test->count.skipped += done == 0;
    if (done)
        check(test, done == 1 && measure.spill_bytes == 0,
              arena_printf(ctx->arena, "%s, sm_%d: %s", kernel->name, target, message));
}

static void run_targets(struct test *test, struct ctx *ctx)
{
    check_test(&test->count);
    static const int targets[] = {70, 75, 80, 86, 89, 90};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        struct kernel *kernel = kernel_of_file(ctx, kernels[i]);
        if (!check(test, kernel, kernels[i]))
            continue;
        for (size_t k = 0; k < sizeof targets / sizeof *targets; k++)
            run_assembler(test, ctx, kernel, targets[k], true);
        run_assembler(test, ctx, kernel, 80, false);
    }
}

static void run_refusals(struct test *test, struct ctx *ctx)
{
    check_test(&test->count);
    struct kernel *kernel = kernel_of_file(ctx, "matmul"),
                  *functions = kernel_of_file(ctx, "functions");
    struct ptx_options options = {.target = 80};
    ctx->quiet = true;
    check(test,
          !llvm_ptx(ctx, kernel, &options) && strstr(ctx->last, "'acc'") &&
              strstr(ctx->last, "bind the parameters in 's'"),
          "a private array of symbolic size");
    options.target = 42;
    check(test,
          !llvm_ptx(ctx, kernel, &options) && strstr(ctx->last, "sm_42") &&
              strstr(ctx->last, "sm_90"),
          "an unknown target");
    options = (struct ptx_options){.target = 80, .libdevice = "no/such/file.bc"};
    check(test, !llvm_ptx(ctx, functions, &options) && strstr(ctx->last, "no/such/file.bc"),
          "a libdevice that is not there");
    options.libdevice = "Makefile";
    check(test, !llvm_ptx(ctx, functions, &options) && strstr(ctx->last, "as libdevice"),
          "a libdevice that is none");
    options.libdevice = "";
    check(test, !llvm_ptx(ctx, functions, &options) && strstr(ctx->last, "set CUDA_HOME"),
          "no libdevice at all");
    options.estimate = true;
    const char *ptx = llvm_ptx(ctx, functions, &options);
    check(test, ptx && ptx_registers(ptx, "functions") > 24, "an estimate without libdevice");
    ctx->quiet = false;
}

static int count_text(const char *text, const char *word)
{
    int n = 0;
    for (; (text = strstr(text, word)); text++)
        n++;
    return n;
}

static void run_details(struct test *test, struct ctx *ctx)
{
    check_test(&test->count);
    struct kernel *kernel = kernel_of_file(ctx, "jacobi1d"),
                  *matmul = kernel_of_file(ctx, "matmul");
    struct ptx_options options = {.target = 80, .registers = 40};
    const char *ptx = llvm_ptx(ctx, kernel, &options);
    check(test, ptx && strstr(ptx, ".maxnreg 40"), "the budget");
    check(test, ptx == llvm_ptx(ctx, kernel, &options), "the cache");
    check(test, strstr(ptx, ".extern .shared .align 16"), "the dynamic shared buffer");
    check(test,
          count_text(ptx, ".param .u32 jacobi1d_param_") == 4 &&
              count_text(ptx, ".param .u64 jacobi1d_param_4") == 1,
          "the arguments: parameters, then arrays");
    check(test, count_text(ptx, ".pragma \"nounroll\"") >= 3,
          "loops are not unrolled by the assembler");
    options = (struct ptx_options){.target = 80, .n_bindings = 2, .bindings = sizes};
    ptx = llvm_ptx(ctx, matmul, &options);
    check(test, count_text(ptx, ".param .u32 matmul_param_") == 3,
          "bound parameters stay arguments");
    check(test, !strstr(ptx, "fma.rn") && strstr(ptx, "mul.rn.f32"),
          "products are not fused by default");
    check(test, !strstr(ptx, ".local"), "private arrays are registers");
    options.contract = true;
    check(test, strstr(llvm_ptx(ctx, matmul, &options), "fma.rn.f32"),
          "products are fused on request");
    check(test, strstr(llvm_text(ctx, matmul, &options), "define"), "the text of the IR");
    options.contract = false;
    check(test,
          count_text(llvm_ptx(ctx, kernel_of_file(ctx, "exchange"), &options), "ld.global") == 2,
          "an array written between barriers is read anew");
}

/* Unrolling on request: only loops whose trip count the bindings make constant, without a rest, and
   private arrays stay registers. */
static void run_unroll(struct test *test, struct ctx *ctx)
{
    check_test(&test->count);
    static const struct {
        int unroll, B, fused;             /* fused operations in the hottest loop: s per copy */
    } rows_of[] = {{0, 16, 8}, {1, 16, 8}, {8, 16, 64}, {5, 16, 32}, {8, 12, 48}, {8, 13, 8}};
    struct kernel *matmul = kernel_of_file(ctx, "matmul");
    for (size_t i = 0; i < sizeof rows_of / sizeof *rows_of; i++) {
        struct binding bound[] = {{"s", 8}, {"B", rows_of[i].B}};
        struct ptx_options options = {.target = 80,
                                      .n_bindings = 2,
                                      .bindings = bound,
                                      .contract = true,
                                      .unroll = rows_of[i].unroll};
        const char *ptx = llvm_ptx(ctx, matmul, &options);
        struct ptx_loop loop = {0};
        bool read = ptx && ptx_hot_loop(ptx, "matmul", &loop);
        check(test, read && loop.fmas == rows_of[i].fused && loop.local == 0,
              arena_printf(ctx->arena, "unroll %d of %d: %d fused", rows_of[i].unroll, rows_of[i].B,
                           loop.fmas));
        if (rows_of[i].unroll == 8 && rows_of[i].B == 16)
            check(test, loop.instructions - loop.fmas <= 1.15 * loop.fmas,
                  "at most 1.15 other instructions per fused one");
    }
    struct ptx_options options = {.target = 80,
                                  .n_bindings = 1,
                                  .bindings = sizes,
                                  .contract = true},
                       unrolled = options;
    unrolled.unroll = 8;
    const char *plain = llvm_ptx(ctx, matmul, &options), *same = llvm_ptx(ctx, matmul, &unrolled);
    check(test, plain && same && strcmp(plain, same) == 0, "a trip count that is not bound stays");
}

/* What LLVM calls a fatal error (here an instruction that no GPU has, from a libdevice of our own)
   is a diagnostic, and the context goes on working. */
static void run_fatal(struct test *test, struct ctx *ctx)
{
    check_test(&test->count);
    static const char text[] =
        "declare double @llvm.exp.f64(double)\ndefine double @__nv_exp(double %x) {\n"
        "  %y = call double @llvm.exp.f64(double %x)\n  ret double %y\n}\n";
    static const char kernel_text[] =
        "kernel e {\n    ring n;\n    param data size int n >= 1;\n    global double x[n];\n"
        "    grid int i < n;\n    block int j < 1;\n    body {\n        band (int k < 1) {\n"
        "            x[i] = exp(x[i]);\n        }\n    }\n}\n";
    char input[] = "build/ir-llvm_ptx.ll", output[] = "build/ir-llvm_ptx.bc";
    struct kernel *kernel = kernel_of_text(ctx, "e", kernel_text);
    struct ptx_options options = {.target = 80, .libdevice = output};
    if (!file_write(ctx, input, text, sizeof text - 1) ||
        system("llvm-as-19 build/ir-llvm_ptx.ll -o build/ir-llvm_ptx.bc") != 0) {
        printf("no llvm-as-19: a fatal error of LLVM is not provoked\n");
        test->count.skipped++;
        return;
    }
    ctx->quiet = true;
    check(test, !llvm_ptx(ctx, kernel, &options) && strstr(ctx->last, "LLVM: "),
          "a fatal error of LLVM");
    ctx->quiet = false;
    options.target = 75;
    options.libdevice = NULL;
    options.estimate = true;
    check(test, llvm_ptx(ctx, kernel, &options), "work after a fatal error");
    remove(input);
    remove(output);
}

/* One module of several kernels, the same one twice with other bindings, and two with functions of
   libdevice. */
static void run_module(struct test *test, struct ctx *ctx)
{
    check_test(&test->count);
    static const struct binding eight[] = {{"s", 8}};
    const struct kernel *list[] = {kernel_of_file(ctx, "matmul"), kernel_of_file(ctx, "matmul"),
                                   kernel_of_file(ctx, "jacobi2d"),
                                   kernel_of_file(ctx, "functions"),
                                   kernel_of_file(ctx, "functions")};
    const char *const names[] = {"matmul__s_2", "matmul__s_8", NULL, NULL, "functions__again"};
    struct ptx_options options[] = {
        {.target = 75, .n_bindings = 1, .bindings = sizes, .registers = 48},
        {.target = 75, .n_bindings = 1, .bindings = eight},
        {.target = 75},
        {.target = 75},
        {.target = 75}};
    struct ptx_measure measure = {0};
    const char *message = "", *ptx = llvm_ptx_module(ctx, list, names, options, 5);
    if (!check(test, ptx, "a module of five kernels"))
        return;
    check(test,
          count_text(ptx, ".visible .entry") == 5 && strstr(ptx, "matmul__s_8(") &&
              count_text(ptx, ".version") == 1,
          "five entries");
    check(test, count_text(ptx, ".maxnreg") == 1, "each with its own limit");
    int done = ptx_measure(ctx, ptx, "functions__again", 75, &measure, &message);
    test->count.skipped += done == 0;
    check(test, done >= 0, message);
}

/* The estimate never rises with the pressure level. */
static void run_levels(struct test *test, struct ctx *ctx)
{
    check_test(&test->count);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        int before = 1000;
        for (int level = 0; level <= 3; level++) {
            struct kernel *kernel = kernel_copy(ctx->arena, kernel_of_file(ctx, kernels[i]));
            struct ptx_options options = {.target = 80, .n_bindings = 5, .bindings = sizes};
            kernel->pressure = level;
            const char *ptx = llvm_ptx(ctx, kernel, &options);
            int registers = ptx ? ptx_registers(ptx, kernel->name) : 1001;
            check(test, registers > 0 && registers <= before,
                  arena_printf(ctx->arena, "%s at level %d: %d after %d", kernels[i], level,
                               registers, before));
            before = registers;
        }
    }
}

/* Rows whose numbers differ by a small literal are multiplied as narrow numbers, others are not:
   the sum of the parts might wrap. */
static void run_near(struct test *test, struct ctx *ctx)
{
    check_test(&test->count);
    static const struct {
        const char *row;
        bool is_narrow;
    } rows[] = {{"u1 + 1", true}, {"u1 - 2", true},      {"u1 - 3", false},
                {"u1 + n", false}, {"u1 + 70000", false}, {"u1 + 60000", true}};
    static const char text[] =
        "kernel near {\n    ring n, B0, B1;\n    param data size int n >= 3;\n"
        "    param program tunable int B0 >= 1;\n    param program tunable int B1 >= 1;\n"
        "    global const restrict float a[n][n];\n    global restrict float b[n][n];\n"
        "    grid int i < n / B0;\n    grid int j < n / B1;\n    block int y < B0;\n"
        "    block int x < B1;\n    body {\n        band (int y1 < B0, int x1 < B1) {\n"
        "            let int t = i * B0;\n            let int u = 4 * y1;\n"
        "            let int u1 = u + 1;\n            let int c = j * B1 + x1;\n"
        "            b[t + u][c] = a[t + (%s)][c];\n            b[t + u1][c] = 1.0f;\n"
        "        }\n    }\n}\n";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct kernel *kernel = kernel_of_text(ctx, rows[i].row,
                                               arena_printf(ctx->arena, text, rows[i].row));
        struct ptx_options options = {.target = 80};
        const char *ptx = kernel ? llvm_ptx(ctx, kernel, &options) : NULL;
        bool narrow = ptx && !strstr(ptx, "mul.lo.s64") && strstr(ptx, "mul.wide.s32");
        check(test, ptx && narrow == rows[i].is_narrow,
              arena_printf(ctx->arena, "row %s:\n%s", rows[i].row, ptx ? ptx : ctx->last));
    }
}

int main(void)
{
    struct test test = {.name = "ir-llvm_ptx"};
    struct ctx *ctx = ctx_new();
    if (!has_toolkit(ctx))
        printf("no CUDA toolkit: nothing is assembled\n");
    run_targets(&test, ctx);
    run_refusals(&test, ctx);
    run_details(&test, ctx);
    run_near(&test, ctx);
    run_module(&test, ctx);
    run_levels(&test, ctx);
    run_unroll(&test, ctx);
    run_fatal(&test, ctx);
    ctx_free(ctx);
    return test_end(&test);
}
