/* Kernels on the CPU through LLVM against their serial reading: bitwise equal, whatever the order
   of threads and the number of blocks. The kernels hold shared tiles, private accumulators,
   barriers, plain and strided bands, guards. */
#include "tests/unit/ir-llvm_test.h"

struct row {
    const char *kernel;
    struct binding set[6];
};

static const struct row rows[] = {
    {"matmul", {{"n", 32}, {"s", 1}, {"B", 8}}},
    {"matmul", {{"n", 35}, {"s", 2}, {"B", 4}}},
    {"matmul", {{"n", 32}, {"s", 4}, {"B", 8}}},
    {"matmul", {{"n", 17}, {"s", 8}, {"B", 1}}},
    {"matmul_double", {{"n", 33}, {"s", 2}, {"B", 8}}},
    {"jacobi1d", {{"N", 103}, {"s", 1}, {"B", 16}, {"t", 0}}},
    {"jacobi1d", {{"N", 103}, {"s", 3}, {"B", 5}, {"t", 1}}},
    {"jacobi1d", {{"N", 5000}, {"s", 2}, {"B", 1024}, {"t", 1}}},
    {"jacobi1d", {{"N", 9000}, {"s", 2}, {"B", 4096}, {"t", 0}}},
    {"jacobi1d", {{"N", 1}, {"s", 2}, {"B", 16}, {"t", 0}}},
    {"jacobi1d_strided", {{"N", 103}, {"s", 3}, {"B", 5}, {"t", 1}}},
    {"transpose", {{"N", 35}, {"s", 2}, {"B0", 4}, {"B1", 8}}},
    {"transpose", {{"N", 32}, {"s", 4}, {"B0", 8}, {"B1", 2}}},
    {"transpose", {{"N", 16}, {"s", 1}, {"B0", 1}, {"B1", 1}}},
    {"jacobi2d", {{"N", 37}, {"s", 2}, {"B0", 4}, {"B1", 8}}},
    {"jacobi2d", {{"N", 3}, {"s", 8}, {"B0", 16}, {"B1", 1}}},
    {"heat3d", {{"N", 11}, {"B0", 2}, {"B1", 3}, {"B2", 4}}},
    {"axpy", {{"n", 1000}, {"s", 4}, {"B", 32}}},
    {"axpy", {{"n", 1}, {"s", 1}, {"B", 1}}},
    {"matvec", {{"n", 45}, {"B", 16}}},
    {"functions", {{"n", 200}, {"B", 64}}},
    {"divisions", {{"n", 50}, {"s", 4}, {"B", 8}}},
};

static void run_row(struct test *test, struct ctx *ctx, const struct row *row, uint64_t *random)
{
    check_test(&test->count);
    struct kernel *kernel = kernel_of_file(ctx, row->kernel);
    if (!check(test, kernel && kernel_verify(ctx, kernel), row->kernel))
        return;
    size_t n = 0;
    while (n < sizeof row->set / sizeof *row->set && row->set[n].name)
        n++;
    struct interpret_input input = input_make(ctx, kernel, row->set, n, random);
    struct interpret_input serial = input_copy(ctx, kernel, &input);
    struct interpret_result result = interpret_serial(ctx->arena, kernel, &serial);
    check(test, result.status == INTERPRET_DONE, result.message ? result.message : row->kernel);
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct interpret_input own = input_copy(ctx, kernel, &input);
        own.seed = seed;
        bool done = llvm_run(ctx, kernel, &own, seed == 3 ? 2 : 0);
        const char *what =
            arena_printf(ctx->arena, "%s, %s=%lld …, seed %d: not what the serial reading gives",
                         row->kernel, row->set[0].name, (long long)row->set[0].value, (int)seed);
        check(test, done && arrays_equal(kernel, &own, &serial), what);
    }
}

/* Threads exchange values through a global array between barriers: nobody may keep what it read
   before (an array that LLVM believes to be no one else's would be kept). The serial reading runs
   the bands one after the other too, but has one x for all threads; so the expectation is computed
   here. */
static void run_exchange(struct test *test, struct ctx *ctx, uint64_t *random)
{
    check_test(&test->count);
    enum { N = 65, B = 16 };
    static const struct binding set[] = {{"n", N}, {"B", B}};
    struct kernel *kernel = kernel_of_file(ctx, "exchange");
    struct interpret_input input = input_make(ctx, kernel, set, 2, random),
                           old = input_copy(ctx, kernel, &input);
    bool right = llvm_run(ctx, kernel, &input, 0);
    const int *a = old.arrays[0].data, *c = input.arrays[1].data;
    for (int p = 0; p < N - 1; p++)
        if (p % B < B - 1)
            right &= c[p] == a[p + 2] + p % B + 1 + a[p + 1];
    check(test, right, "values exchanged through a global array");
}

static unsigned draw(uint64_t *random, unsigned n)
{
    *random = *random * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(*random >> 33) % n;
}

/* `sum` with one term more, between -6 and 7, in one of the ways that programs have. */
static const char *term_add(struct arena *arena, const char *sum, uint64_t *random)
{
    int number = (int)draw(random, 4);
    const char *axis = draw(random, 2) ? "i" : "j";
    switch (draw(random, 12)) {
    case 0: return arena_printf(arena, "(%s + %d)", sum, number);
    case 1: return arena_printf(arena, "(%s - %d)", sum, number);
    case 2: return arena_printf(arena, "(%d + %s)", number, sum);
    case 3: return arena_printf(arena, "(%s + k)", sum);
    case 4: return arena_printf(arena, "(%s - k)", sum);
    case 5: return arena_printf(arena, "(k + %s)", sum);
    case 6: return arena_printf(arena, "(%s - (%d - k))", sum, number);
    case 7: return arena_printf(arena, "(int)((long)%s + (long)%d)", sum, number);
    case 8: return arena_printf(arena, "(%s + (%s + %d))", sum, axis, number);
    case 9: return arena_printf(arena, "((%s - k) + %s)", axis, sum);
    case 10: return arena_printf(arena, "(%s + (%d - %s))", sum, number, axis);
    default: return arena_printf(arena, "(40 - (40 - %s + k * %d))", sum, number - 2);
    }
}

/* An axis plus 20 plus three terms, some of them through a variable that changes later or never
   does, some of them sums themselves. */
static const char *subscript_make(struct arena *arena, struct str *lets, const char *axis,
                                  int number, uint64_t *random)
{
    const char *sum = arena_printf(arena, "(%s + 20)", axis);
    for (int i = 0; i < 3; i++) {
        sum = term_add(arena, sum, random);
        if (draw(random, 3))
            continue;
        const char *name = arena_printf(arena, "%s%d_%d", axis, number, i);
        if (draw(random, 2)) {
            str_addf(lets, "            let int %s_own = %s + %u;\n", name, axis, draw(random, 3));
            sum = arena_printf(arena, "(%s + %s_own)", sum, name);
        }
        str_addf(lets, "            let int %s = %s;\n", name, sum);
        if (draw(random, 3) == 0)
            str_addf(lets, "            %s = %s + 1;\n", name, name);
        sum = name;
    }
    return sum;
}

/* Addresses nearby share what they have in common: random sums as subscripts of global arrays and
   tiles. */
static void run_sums(struct test *test, struct ctx *ctx, uint64_t *random)
{
    enum { KERNELS = 40, ACCESSES = 4 };
    static const struct binding set[] = {{"n", 5}, {"k", 3}};
    check_test(&test->count);
    for (int i = 0; i < KERNELS; i++) {
        struct str lets = str_new(ctx->arena), sum = str_new(ctx->arena),
                   text = str_new(ctx->arena);
        const char *array = draw(random, 2) ? "a" : "tile";
        for (int m = 0; m < ACCESSES; m++) {
            const char *y = subscript_make(ctx->arena, &lets, "i", m, random);
            const char *x = subscript_make(ctx->arena, &lets, "j", m, random);
            str_addf(&sum, "%s%s[%s][%s]", m ? " + " : "", array, y, x);
        }
        str_addf(&text,
                 "kernel sums {\n    ring n, k;\n    param data size int n >= 1;\n    param data "
                 "uniform int k;\n"
                 "    global const int a[n + 60][n + 60];\n    global int b[n][n];\n    shared int "
                 "tile[n + 60][n + 60] at 0;\n"
                 "    shared_bytes 4 * (n + 60) * (n + 60);\n    grid int g < 1;\n    block int v "
                 "< n;\n    block int w < n;\n"
                 "    body {\n        strided band (int y < n + 60, int x < n + 60) {\n            "
                 "tile[y][x] = a[y][x];\n        }\n"
                 "        barrier;\n        band (int i < n, int j < n) {\n%s            b[i][j] = "
                 "%s;\n        }\n    }\n}\n",
                 lets.text ? lets.text : "", sum.text);
        struct kernel *kernel = kernel_of_text(ctx, "sums", text.text);
        if (!check(test, kernel && kernel_verify(ctx, kernel), text.text))
            return;
        struct interpret_input input = input_make(ctx, kernel, set, 2, random),
                               serial = input_copy(ctx, kernel, &input);
        struct interpret_result result = interpret_serial(ctx->arena, kernel, &serial);
        check(test, result.status == INTERPRET_DONE, result.message ? result.message : "sums");
        check(test, llvm_run(ctx, kernel, &input, 0) && arrays_equal(kernel, &input, &serial),
              text.text);
    }
}

/* A kernel of strided bands runs with any number of threads. */
static void run_threads(struct test *test, struct ctx *ctx, uint64_t *random)
{
    check_test(&test->count);
    static const struct binding set[] = {{"N", 103}, {"s", 3}, {"B", 5}, {"t", 1}};
    struct kernel *kernel = kernel_of_file(ctx, "jacobi1d_strided");
    struct interpret_input input = input_make(ctx, kernel, set, 4, random),
                           serial = input_copy(ctx, kernel, &input);
    interpret_serial(ctx->arena, kernel, &serial);
    for (int threads = 1; threads <= 64; threads *= 4) {
        struct interpret_input own = input_copy(ctx, kernel, &input);
        own.threads = threads;
        check(test, llvm_run(ctx, kernel, &own, 0) && arrays_equal(kernel, &own, &serial),
              "strided, with another number of threads");
    }
}

/* Boxes of up to three axes, walked by a number of threads that divides nothing: each point
   once. */
static void run_boxes(struct test *test, struct ctx *ctx)
{
    check_test(&test->count);
    static const char text[] =
        "kernel boxes {\n    ring a, b, c;\n    param data size int a;\n    param data size int "
        "b;\n"
        "    param data size long c;\n    global int x[a][b][c];\n    grid int g < 1;\n    block "
        "int t < 7;\n"
        "    body {\n        strided band (int i < a, int j < b, long k < c) {\n"
        "            x[i][j][k] = x[i][j][k] + 1 + i * 100 + j * 10 + (int)k;\n        }\n    "
        "}\n}\n";
    struct kernel *kernel = kernel_of_text(ctx, "boxes", text);
    uint64_t random = 1;
    for (int n = 0; n < 125 && kernel; n++) {
        struct binding set[] = {{"a", n / 25}, {"b", n / 5 % 5}, {"c", n % 5}};
        struct interpret_input input = input_make(ctx, kernel, set, 3, &random),
                               serial = input_copy(ctx, kernel, &input);
        interpret_serial(ctx->arena, kernel, &serial);
        check(test, llvm_run(ctx, kernel, &input, 0) && arrays_equal(kernel, &input, &serial),
              "a box is not walked point by point");
    }
    check(test, kernel, "boxes");
}

int main(void)
{
    struct test test = {.name = "ir-llvm_run"};
    struct ctx *ctx = ctx_new();
    uint64_t random = 20240517;
    printf("seed %llu\n", (unsigned long long)random);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        run_row(&test, ctx, &rows[i], &random);
    run_threads(&test, ctx, &random);
    run_exchange(&test, ctx, &random);
    run_boxes(&test, ctx);
    run_sums(&test, ctx, &random);
    ctx_free(ctx);
    return test_end(&test);
}
