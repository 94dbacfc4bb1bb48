/* Parts of launches by LLVM on the CPU: the parts along each axis, in any order, leave together
   what the serial reading of the launch leaves, and each leaves what the interpreter's part
   does. */
#include "tests/unit/ir-llvm_test.h"

enum { PARTS = 3 };

struct row {
    const char *kernel;
    struct binding set[6];
};

static const struct row rows[] = {
    {"matmul", {{"n", 35}, {"s", 2}, {"B", 4}}},
    {"matmul_double", {{"n", 33}, {"s", 2}, {"B", 8}}},
    {"jacobi1d", {{"N", 103}, {"s", 3}, {"B", 5}, {"t", 1}}},
    {"transpose", {{"N", 35}, {"s", 2}, {"B0", 4}, {"B1", 8}}},
    {"jacobi2d", {{"N", 37}, {"s", 2}, {"B0", 4}, {"B1", 8}}},
    {"heat3d", {{"N", 11}, {"B0", 2}, {"B1", 3}, {"B2", 4}}},
    {"matvec", {{"n", 45}, {"B", 16}}},
    {"jacobi1d", {{"N", 1}, {"s", 2}, {"B", 16}, {"t", 0}}},
};

static int64_t blocks_of(const struct kernel *kernel, int axis, const union value *params)
{
    union value extent = {0};
    expr_evaluate(kernel, kernel->grid[axis].extent, params, &extent);
    return extent.integer > 0 ? extent.integer : 0;
}

static void run_axis(struct test *test, struct ctx *ctx, const struct kernel *kernel, int axis,
                     const struct interpret_input *input, const struct interpret_input *whole)
{
    int64_t blocks = blocks_of(kernel, axis, input->params);
    struct interpret_input native = input_copy(ctx, kernel, input);
    struct interpret_input model = input_copy(ctx, kernel, input);
    const char *name = arena_printf(ctx->arena, "%s, axis %d", kernel->name, axis);
    for (int64_t g = PARTS; g-- > 0;) {
        struct interpret_part part = {axis, blocks * g / PARTS, blocks * (g + 1) / PARTS, NULL};
        native.part = model.part = &part;
        check(test, llvm_run(ctx, kernel, &native, 0), name);
        check(test, interpret_threads(ctx->arena, kernel, &model).status == INTERPRET_DONE, name);
        check(test, arrays_equal(kernel, &native, &model), name);
    }
    check(test, arrays_equal(kernel, &native, whole), name);
    if (blocks > 2)
        check(test, !llvm_run(ctx, kernel, &native, 2), name);
}

static void run_row(struct test *test, struct ctx *ctx, const struct row *row, uint64_t *random)
{
    check_test(&test->count);
    struct kernel *kernel = kernel_of_file(ctx, row->kernel);
    size_t n = 0;
    if (!check(test, kernel != NULL, row->kernel))
        return;
    while (n < sizeof row->set / sizeof *row->set && row->set[n].name)
        n++;
    struct interpret_input input = input_make(ctx, kernel, row->set, n, random);
    struct interpret_input whole = input_copy(ctx, kernel, &input);
    check(test, interpret_serial(ctx->arena, kernel, &whole).status == INTERPRET_DONE,
          row->kernel);
    for (int axis = 0; axis < kernel->n_grid; axis++)
        run_axis(test, ctx, kernel, axis, &input, &whole);
}

int main(void)
{
    struct test test = {.name = "ir-llvm_parts"};
    struct ctx *ctx = ctx_new();
    uint64_t random = 34;
    ctx->quiet = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        run_row(&test, ctx, &rows[i], &random);
    ctx_free(ctx);
    return test_end(&test);
}
