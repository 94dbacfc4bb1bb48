/* Accumulating stores: their text, their rules, their results in both interpreters, and what is a
   race beside them. */
#include "ir_check.h"
#include "ir/own.h"
#include "ir/reduction.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { N = 37, BLOCK = 5 };

static const char kernel_sums[] =
    "kernel sums {\n"
    "    ring n, B;\n"
    "    param data size int n >= 0;\n"
    "    param program tunable int B >= 1;\n"
    "    global const int a[n];\n"
    "    global int y[n];\n"
    "    global int s[2];\n"
    "    fact 1 <= B;\n"
    "    grid int i < (n + B - 1) / B;\n"
    "    block int j < B;\n"
    "    body {\n"
    "        band (int j < B) {\n"
    "            let int p = i * B + j;\n"
    "            if (p < n) {\n"
    "                reduce + s[p % 2] = a[p];\n"
    "                y[p] = 2 * a[p];\n"
    "            }\n"
    "        }\n"
    "        barrier;\n"
    "        band (int j < B) {\n"
    "            if (i * B + j < n) {\n"
    "                reduce + s[1] = 1;\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "}\n";

static void check_text(struct check *check)
{
    check_test(check);
    struct ctx *ctx = check_ctx();
    for (enum reduce_op r = REDUCE_NONE + 1; r < REDUCE_COUNT; r++) {
        char *text = check_edit(ctx, kernel_sums, "reduce + s[p % 2]",
                                arena_printf(ctx->arena, "reduce %s s[p %% 2]",
                                             reduction_text(r)));
        text = check_edit(ctx, text, "reduce + s[1]",
                          arena_printf(ctx->arena, "reduce %s s[1]", reduction_text(r)));
        const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
        check_that(check, kernel && !strcmp(check_print(ctx, kernel), text), "%s: %s",
                   reduction_text(r), ctx->last);
        check_that(check, kernel && kernel_verify(ctx, kernel), "%s: %s", reduction_text(r),
                   ctx->last);
    }
    ctx_free(ctx);
}

/* Kernels that the verifier refuses by the rule `reduction`, and one that the reader refuses. */
static const struct {
    const char *from, *to;
    bool is_read;
} edits[] = {
    {"reduce + s[1] = 1", "reduce * s[1] = 1", true},
    {"reduce + s[1] = 1", "s[1] = 1", true},
    {"y[p] = 2 * a[p]", "y[p] = s[0]", true},
    {"if (i * B + j < n)", "if (s[0] < n)", true},
    {"global int s[2];", "global short s[2];", true},
    {"global int s[2];", "private int s[2];", true},
    {"reduce + s[1] = 1", "reduce - s[1] = 1", false},
    {"y[p] = 2 * a[p]", "reduce start y[p] = 1", true},
    {"y[p] = 2 * a[p]", "reduce start s[0] = s[1]", true},
    {"y[p] = 2 * a[p]", "reduce finish y[p] = a[p]", true},
    {"if (i * B + j < n)", "if (y[s[0]] < n)", true},
};

static void check_edits(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        struct ctx *ctx = check_ctx();
        const char *text = check_edit(ctx, kernel_sums, edits[i].from, edits[i].to);
        const struct kernel *kernel = text ? kernel_read(ctx, check_source(ctx, text)) : NULL;
        check_that(check, (kernel != NULL) == edits[i].is_read, "'%s' is %s: %s", edits[i].to,
                   kernel ? "read" : "not read", ctx->last);
        if (kernel)
            check_that(check, !kernel_verify(ctx, kernel) && strstr(ctx->last, "'reduction'"),
                       "'%s': %s", edits[i].to, ctx->last);
        ctx_free(ctx);
    }
}

/* The kernel of an edited text on data of its own. */
static struct interpret_result run(struct ctx *ctx, const char *text, bool threads, uint64_t seed,
                                   int *s)
{
    static int a[N], y[N];
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
    union value params[] = {{.integer = N}, {.integer = BLOCK}};
    struct interpret_array arrays[] = {{a, N}, {y, N}, {s, 2}};
    struct interpret_input input = {.params = params, .arrays = arrays, .seed = seed};
    for (int i = 0; i < N; i++)
        a[i] = i * 37 % 101 - 50;
    if (!kernel)
        return (struct interpret_result){.status = INTERPRET_BUDGET, .message = ctx->last};
    return threads ? interpret_threads(ctx->arena, kernel, &input)
                   : interpret_serial(ctx->arena, kernel, &input);
}

static void check_results(struct check *check)
{
    check_test(check);
    int even = 100, odd = -7;
    for (int i = 0; i < N; i++)
        *(i % 2 ? &odd : &even) += i * 37 % 101 - 50;
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct ctx *ctx = check_ctx();
        int s[2] = {100, -7};
        struct interpret_result r = run(ctx, kernel_sums, seed > 0, seed, s);
        check_that(check, r.status == INTERPRET_DONE && s[0] == even && s[1] == odd + N,
                   "seed %d: %d and %d, %s", (int)seed, s[0], s[1], r.message);
        ctx_free(ctx);
    }
}

/* Starts and finishes are read as they are printed, and their accesses to what is accumulated are
   no race. */
static void check_ends(struct check *check)
{
    static const char *const ends[] = {"reduce start s[0] = 7", "reduce start s[1] = s[1] * 2",
                                       "reduce finish y[p] = s[0] + s[1]",
                                       "reduce finish s[0] = 3"};
    check_test(check);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct ctx *ctx = check_ctx();
        int s[2] = {0, 0};
        char *text = check_edit(ctx, kernel_sums, "y[p] = 2 * a[p]", ends[i]);
        const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
        check_that(check, kernel && !strcmp(check_print(ctx, kernel), text), "%s: %s", ends[i],
                   ctx->last);
        check_that(check, kernel && kernel_verify(ctx, kernel), "%s: %s", ends[i], ctx->last);
        struct interpret_result r = run(ctx, text, true, 1, s);
        check_that(check, r.status == INTERPRET_DONE, "%s: %s", ends[i], r.message);
        ctx_free(ctx);
    }
}

static const char kernel_finish[] =
    "kernel finishes {\n"
    "    ring n;\n"
    "    param data size int n >= 0;\n"
    "    global const float a[n];\n"
    "    global float s[1];\n"
    "    global float t[1];\n"
    "    global float y[1];\n"
    "    grid int i < 1;\n"
    "    block int j < 1;\n"
    "    body {\n"
    "        band (int j < 1) {\n"
    "            for (int k = 0; k < n; k += 1) {\n"
    "                reduce + s[0] = a[k];\n"
    "                reduce + t[0] = -a[k];\n"
    "                if (k == n - 1) {\n"
    "                    reduce finish y[0] = s[0] * 4.0f;\n"
    "                }\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "}\n";

/* What the finish makes of the sum in the array of a number (-1: none) with its error added, and
   that error. */
static float finish_shifted(struct check *check, int number, double *error)
{
    struct ctx *ctx = check_ctx();
    float a[N], s = 0, t = 0, y = 0;
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, kernel_finish));
    union value params[] = {{.integer = N}};
    struct interpret_array arrays[] = {{a, N}, {&s, 1}, {&t, 1}, {&y, 1}};
    for (int i = 0; i < N; i++)
        a[i] = 1024;
    check_that(check, kernel != NULL, "%s", ctx->last);
    if (kernel) {
        struct interpret_input input = {.params = params, .arrays = arrays,
                                        .shifted = number < 0 ? NULL : kernel->arrays[number]};
        *error = interpret_serial(ctx->arena, kernel, &input).sum_error;
    }
    ctx_free(ctx);
    return y;
}

static void check_shifted(struct check *check)
{
    check_test(check);
    double error = 0;
    float plain = finish_shifted(check, -1, &error), other = finish_shifted(check, 2, &error);
    float shifted = finish_shifted(check, 1, &error);
    check_that(check, plain == 4 * 1024 * N && other == plain, "%g, %g", plain, other);
    check_that(check, error > 0 && shifted > plain && shifted - plain <= 4.5 * error &&
                          shifted - plain >= 3.5 * error,
               "%g beside %g by an error of %g", shifted, plain, error);
}

static const char kernel_own[] =
    "kernel own {\n"
    "    ring m, n;\n"
    "    param data size int m >= 0;\n"
    "    param data size int n >= 0;\n"
    "    global const float a[m][n];\n"
    "    global float y[m];\n"
    "    lanes 16;\n"
    "    grid int i < 1;\n"
    "    block int j < m;\n"
    "    body {\n"
    "        band (int j < m) {\n"
    "            let float s = 0.0f;\n"
    "            for (int k = 0; k < n; k += 1) {\n"
    "                s = s + a[j][k];\n"
    "                y[j] = y[j] - a[j][k];\n"
    "            }\n"
    "            y[j] = y[j] + 8.0f * s;\n"
    "        }\n"
    "    }\n"
    "}\n";

/* What the kernel makes of N terms with the sum of a number shifted (-1: none); NAN: it has no such
   sum. */
static float own_shifted(struct check *check, int number)
{
    struct ctx *ctx = check_ctx();
    float a[N], y = 512;
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, kernel_own));
    union value params[] = {{.integer = 1}, {.integer = N}};
    struct interpret_array arrays[] = {{a, N}, {&y, 1}};
    struct interpret_input input = {.params = params, .arrays = arrays};
    for (int i = 0; i < N; i++)
        a[i] = 1024;
    check_that(check, kernel != NULL, "%s", ctx->last);
    const struct kernel *run = kernel && number >= 0
                                   ? own_sum_shifted(ctx->arena, kernel, number) : kernel;
    if (run)
        interpret_serial(ctx->arena, run, &input);
    ctx_free(ctx);
    return run ? y : NAN;
}

/* A sum in lanes is shifted by its terms times eps times their size; so is what is made of it. */
static void check_own(struct check *check)
{
    check_test(check);
    double plain = own_shifted(check, -1), least = N * FLT_EPSILON * N * 1024.0;
    double first = own_shifted(check, 0), second = own_shifted(check, 1);
    check_that(check, plain == 512 + 7 * 1024 * N, "%g", plain);
    check_that(check, first - plain >= 8 * least && first - plain <= 32 * least, "%g, %g", first,
               plain);
    check_that(check, second - plain >= least && second - plain <= 4 * least, "%g, %g", second,
               plain);
    check_that(check, isnan(own_shifted(check, 2)), "a third sum");
}

static const struct {
    const char *from, *to, *message;
} races[] = {
    {"reduce + s[1] = 1", "s[1] = 1", "what"},
    {"reduce + s[1] = 1", "reduce max s[1] = 1", "between blocks"},
    {"y[p] = 2 * a[p]", "y[p] = s[0]", "what several threads wrote"},
    {"y[p] = 2 * a[p];", "if (p < 2) { s[p % 2] = p; }", "writes what several threads wrote"},
};

/* The interpreter alone: the verifier refuses these kernels. */
static void check_races(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof races / sizeof *races; i++) {
        struct ctx *ctx = check_ctx();
        int s[2] = {0, 0};
        const char *text = check_edit(ctx, kernel_sums, races[i].from, races[i].to);
        struct interpret_result r = run(ctx, text, true, 0, s);
        check_that(check, r.status == INTERPRET_RACE && strstr(r.message, races[i].message),
                   "'%s': %s %s", races[i].to, interpret_status_name(r.status), r.message);
        ctx_free(ctx);
    }
}

/* A block's own counts in shared memory, which it clears before and adds behind barriers. */
static const char kernel_shared[] = "kernel counts {\n"
                                    "    ring n, B;\n"
                                    "    param data size int n >= 0;\n"
                                    "    param program tunable int B >= 1;\n"
                                    "    global const int a[n];\n"
                                    "    global int y[n];\n"
                                    "    global int s[2];\n"
                                    "    shared int c[2] at 0;\n"
                                    "    shared_bytes 8;\n"
                                    "    fact 1 <= B;\n"
                                    "    grid int i < (n + B - 1) / B;\n"
                                    "    block int j < B;\n"
                                    "    body {\n"
                                    "        strided band (int e < 2) {\n"
                                    "            c[e] = 0;\n"
                                    "        }\n"
                                    "        barrier;\n"
                                    "        band (int j < B) {\n"
                                    "            let int p = i * B + j;\n"
                                    "            if (p < n) {\n"
                                    "                reduce + c[p % 2] = a[p];\n"
                                    "            }\n"
                                    "        }\n"
                                    "        barrier;\n"
                                    "        strided band (int f < 2) {\n"
                                    "            reduce + s[f] = c[f];\n"
                                    "        }\n"
                                    "    }\n"
                                    "}\n";

static void check_shared(struct check *check)
{
    static const struct {
        const char *from, *to;
        enum interpret_status status;
    } rows[] = {
        {"e < 2", "e < 1 + 1", INTERPRET_DONE},
        {"        barrier;\n        band", "        band", INTERPRET_RACE},
        {"        barrier;\n        strided", "        strided", INTERPRET_RACE},
        {"p < n) {\n", "p < n) {\n                y[p] = c[p % 2];\n", INTERPRET_RACE},
        {"c[e] = 0;", "if (e == 0) { c[e] = 0; }", INTERPRET_UNINITIALISED},
        {"c[p % 2]", "c[p]", INTERPRET_BOUNDS},
    };
    check_test(check);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ctx *ctx = check_ctx();
        int s[2] = {100, -7}, even = 100, odd = -7;
        const char *text = check_edit(ctx, kernel_shared, rows[i].from, rows[i].to);
        const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
        check_that(check, kernel && kernel_verify(ctx, kernel), "'%s': %s", rows[i].to, ctx->last);
        struct interpret_result r = run(ctx, text, true, i, s);
        for (int p = 0; p < N; p++)
            *(p % 2 ? &odd : &even) += p * 37 % 101 - 50;
        bool is_right = r.status != INTERPRET_DONE || (s[0] == even && s[1] == odd);
        check_that(check, r.status == rows[i].status && is_right, "'%s': %s %s", rows[i].to,
                   interpret_status_name(r.status), r.message);
        ctx_free(ctx);
    }
}

/* Operators on the ends of their types' ranges. */
static void check_operators(struct check *check)
{
    static const struct {
        enum reduce_op reduction;
        enum type type;
        int64_t old, value, result;
    } rows[] = {
        {REDUCE_ADD, TYPE_I32, INT32_MAX, 1, INT32_MIN},
        {REDUCE_ADD, TYPE_U64, -1, 2, 1},
        {REDUCE_MUL, TYPE_U32, 65536, 65537, 65536},
        {REDUCE_AND, TYPE_I64, -2, 7, 6},
        {REDUCE_OR, TYPE_I32, INT32_MIN, 3, INT32_MIN + 3},
        {REDUCE_XOR, TYPE_U32, 5, 6, 3},
        {REDUCE_MIN, TYPE_I32, -1, 1, -1},
        {REDUCE_MIN, TYPE_U64, -1, 1, 1},
        {REDUCE_MAX, TYPE_I64, INT64_MIN, INT64_MAX, INT64_MAX},
        {REDUCE_MAX, TYPE_U64, INT64_MIN, INT64_MAX, INT64_MIN},
    };
    check_test(check);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        union value old = {.integer = rows[i].old}, value = {.integer = rows[i].value};
        int64_t result = reduction_apply(rows[i].reduction, rows[i].type, old, value).integer;
        check_that(check, result == rows[i].result, "row %zu: %lld", i, (long long)result);
    }
    double nan = strtod("nan", NULL);
    union value one = {.real = 1}, none = {.real = nan};
    check_that(check, reduction_apply(REDUCE_MAX, TYPE_F64, one, none).real == 1,
               "max takes what is no number");
    check_that(check, !reduction_is_exact(REDUCE_ADD, TYPE_F32) &&
                          reduction_is_atomic(REDUCE_ADD, TYPE_U32) &&
                          !reduction_is_atomic(REDUCE_MUL, TYPE_U32) &&
                          !reduction_applies(REDUCE_OR, TYPE_F64) &&
                          !reduction_applies(REDUCE_ADD, TYPE_I16),
               "exact, atomic or applicable");
}

int main(void)
{
    struct check check = {0};
    check_text(&check);
    check_edits(&check);
    check_results(&check);
    check_ends(&check);
    check_shifted(&check);
    check_own(&check);
    check_races(&check);
    check_shared(&check);
    check_operators(&check);
    return check_end(&check, "ir_sums");
}
