/* The interpreters against plain C, and mutants of correct kernels against each check of the thread
   interpreter. */
#include "ir_check.h"
#include "ir_kernels.h"
#include <stdlib.h>

enum { N = 27, STEP = 3, BLOCK = 4, SIZE = 8 };

/* What a kernel is run on: parameters by name, one buffer per global array. */
struct bench {
    struct ctx *ctx;
    const struct kernel *kernel;
    struct interpret_input input;
    union value params[16];
    struct interpret_array arrays[16];
};

static struct bench bench_open(const char *text)
{
    struct bench b = {.ctx = check_ctx()};
    b.kernel = text ? kernel_read(b.ctx, check_source(b.ctx, text)) : NULL;
    return b;
}

static void bench_set(struct bench *b, const char *name, int64_t value)
{
    assert(b->kernel);
    for (int i = 0; i < b->kernel->n_params; i++)
        if (strcmp(b->kernel->params[i]->var->name, name) == 0)
            b->params[i].integer = value;
}

static void bench_bind(struct bench *b, const char *name, void *data, size_t count)
{
    for (int i = 0; i < b->kernel->n_arrays; i++)
        if (strcmp(b->kernel->arrays[i]->name, name) == 0)
            b->arrays[i] = (struct interpret_array){data, count};
}

static struct interpret_result bench_run(struct bench *b, bool threads, uint64_t seed)
{
    b->input.params = b->params;
    b->input.arrays = b->arrays;
    b->input.seed = seed;
    return threads ? interpret_threads(b->ctx->arena, b->kernel, &b->input)
                   : interpret_serial(b->ctx->arena, b->kernel, &b->input);
}

static void jacobi_data(int *a)
{
    for (int i = 0; i < 2 * N; i++)
        a[i] = i * 37 % 101 - 50;
}

/* Binds the Jacobi kernel's data. */
static void jacobi_bind(struct bench *b, int *a, int t)
{
    jacobi_data(a);
    bench_set(b, "N", N);
    bench_set(b, "s", STEP);
    bench_set(b, "B", BLOCK);
    bench_set(b, "t", t);
    bench_bind(b, "a", a, 2 * N);
}

static void jacobi_reference(int *a, int t)
{
    int dim = (N - 2) / (STEP * BLOCK);
    jacobi_data(a);
    for (int i = 0; i < dim; i++)
        for (int q = 0; q < STEP * BLOCK; q++) {
            int p = i * STEP * BLOCK + q, *from = t % 2 ? a + N : a, *to = t % 2 ? a : a + N;
            to[p + 1] = (from[p] + from[p + 1] + from[p + 2]) / 3;
        }
}

static void check_jacobi(struct check *check)
{
    check_test(check);
    for (int t = 0; t < 2; t++)
        for (int mode = 0; mode < 6; mode++) {
            int a[2 * N], expected[2 * N];
            struct bench b = bench_open(kernel_jacobi);
            jacobi_bind(&b, a, t);
            jacobi_reference(expected, t);
            struct interpret_result r =
                bench_run(&b, mode > 0, mode > 1 ? (uint64_t)mode * 7919 : 0);
            check_that(check, r.status == INTERPRET_DONE, "jacobi mode %d: %s: %s", mode,
                       interpret_status_name(r.status), r.message);
            check_that(check, memcmp(a, expected, sizeof a) == 0,
                       "jacobi mode %d, t %d: wrong values", mode, t);
            check_that(check, r.shared_top == 4 * (STEP * BLOCK + 2),
                       "jacobi mode %d: %zu bytes of shared memory", mode, r.shared_top);
            ctx_free(b.ctx);
        }
}

struct matrices {
    double a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE];
};

static void matmul_bind(struct bench *bench, struct matrices *m)
{
    for (int i = 0; i < SIZE * SIZE; i++) {
        m->a[i] = i * 0.37 - 11;
        m->b[i] = 5 - i * 1.1;
        m->c[i] = 99;
    }
    bench_set(bench, "n", SIZE);
    bench_set(bench, "Q", 2);
    bench_set(bench, "B0", 4);
    bench_set(bench, "B1", 2);
    bench_set(bench, "s", 2);
    bench_bind(bench, "a", m->a, SIZE * SIZE);
    bench_bind(bench, "b", m->b, SIZE * SIZE);
    bench_bind(bench, "c", m->c, SIZE * SIZE);
}

static void check_matmul(struct check *check)
{
    check_test(check);
    for (int mode = 0; mode < 4; mode++) {
        struct matrices m;
        struct bench b = bench_open(kernel_matmul);
        matmul_bind(&b, &m);
        struct interpret_result r = bench_run(&b, mode > 0, mode > 1 ? (uint64_t)mode * 31 : 0);
        int wrong = 0;
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++) {
                double sum = 0;
                for (int k = 0; k < SIZE; k++)
                    sum = sum + m.a[i * SIZE + k] * m.b[k * SIZE + j];
                wrong += sum != m.c[i * SIZE + j];
            }
        check_that(check, r.status == INTERPRET_DONE && !wrong,
                   "matmul mode %d: %s %s, %d wrong values", mode, interpret_status_name(r.status),
                   r.message, wrong);
        ctx_free(b.ctx);
    }
}

/* A mutant, what the thread interpreter must call it, and a part of the message. */
struct mutant {
    const char *from, *to;
    enum interpret_status status;
    const char *message;
};

static const struct mutant jacobi_mutants[] = {
    {"        barrier;\n", "", INTERPRET_RACE, "shared element tile["},
    {"tile[v] = a", "tile[0] = a", INTERPRET_RACE, "shared element tile[0]"},
    {"tile[v] = a", "tile[v + 1] = a", INTERPRET_BOUNDS,
     "subscript 1 of the shared array 'tile' is 14, not in 0..13"},
    {"int v < s * B + 2", "int v < s * B + 3", INTERPRET_BOUNDS, "not in 0..13"},
    {"int v < s * B + 2", "int v < s * B + 1", INTERPRET_UNINITIALISED, "shared element tile[13]"},
    {"a[N + p] = ", "a[p] = ", INTERPRET_RACE, "between blocks"},
    {"a[N + p] = ", "a[N] = ", INTERPRET_RACE, "writes what thread 0 wrote"},
    {"a[N + p] = ", "a[2 * N - p] = ", INTERPRET_DONE, ""},
    {"a[N + p] = ", "a[p - N] = ", INTERPRET_BOUNDS, "not in 0..53"},
    {"a[N + p] = (tile[q] + tile[q + 1]", "a[N + p] = (a[N + p + 1] + tile[q + 1]", INTERPRET_RACE,
     "global element a["},
    {"a[N + p] = (tile[q] + tile[q + 1] + tile[q + 2]) / 3", "a[N + p] = tile[q] / (t - t)",
     INTERPRET_ARITHMETIC, "'/' has no result"},
    {"a[N + p] = (tile[q] + tile[q + 1] + tile[q + 2]) / 3", "a[N + p] = 1 << (p + 31)",
     INTERPRET_ARITHMETIC, "'<<'"},
    {"a[N + p] = (tile[q] + tile[q + 1] + tile[q + 2]) / 3", "a[N + p] = (int)(p * 1e30)",
     INTERPRET_ARITHMETIC, "does not fit in int"},
    {"a[N + p] = (tile[q] + tile[q + 1] + tile[q + 2]) / 3",
     "a[N + p] = (t - 2147483647 - 1) / (t - 1)", INTERPRET_ARITHMETIC, "'/'"},
    {"a[N + p] = (tile[q] + tile[q + 1] + tile[q + 2]) / 3", "a[N + p] = abs(t - 2147483647 - 1)",
     INTERPRET_ARITHMETIC, "'abs'"},
    {"let int q = k * B + j;", "let int q; if (k > 0) { q = k * B + j; }", INTERPRET_UNINITIALISED,
     "'q' is read"},
    {"        barrier;\n",
     "let int x = 0; strided band (int z < 4) { x = z; } if (x < 2) { barrier; }",
     INTERPRET_DIVERGENCE, "'x < 2'"},
    {"        barrier;\n",
     "let int x = 0; strided band (int z < 4) { x = z; } for (int y = 0; y < x; y += 1) { barrier; "
     "}",
     INTERPRET_DIVERGENCE, "'y < x'"},
    {"        barrier;\n",
     "let int x = 0; strided band (int z < 4) { x = z; } strided band (int y < x) { }",
     INTERPRET_DIVERGENCE, "'x'"},
    {"        barrier;\n",
     "barrier; let int x = 0; strided band (int z < 4) { x = z; } if (x < 2) { x = 3; }",
     INTERPRET_DONE, ""},
    {"for (int k = 0; k < s; k += 1) {", "for (int k = 0; k < s; k += 1) { barrier;",
     INTERPRET_DIVERGENCE, "a barrier inside a band"},
    {"        barrier;\n", "tile[0] = t; barrier;", INTERPRET_RACE, "writes what"},
    {"band (int j < B) {", "band (int j < B - 1) {", INTERPRET_DIVERGENCE,
     "plain band of 3 points is run by 4 threads"},
    {"shared_bytes 4 * (s * B + 2)", "shared_bytes 4 * (s * B + 1)", INTERPRET_BOUNDS,
     "beyond the 52 bytes"},
    {"tile[v] = a[i * s * B + v];", "if (i == 0) { tile[v] = a[i * s * B + v]; }",
     INTERPRET_UNINITIALISED, "block 1"},
    {"int a[2 * N]", "int a[]", INTERPRET_DONE, ""},
    {"int a[2 * N]", "int a[N]", INTERPRET_BOUNDS, "not in 0..26"},
    {"int tile[s * B + 2]", "int tile[s * B / (t - t)]", INTERPRET_ARITHMETIC, "has no value"},
    {"grid int i < (N - 2) / (s * B)", "grid int i < 0 - N", INTERPRET_DONE, ""},
    {"grid int i < (N - 2) / (s * B)", "grid int i < N / t", INTERPRET_ARITHMETIC, "has no value"},
    {"    fact 1 <= B;\n", "    fact 1 <= B;\n    divisible B by 2;\n", INTERPRET_DONE, ""},
    {"    fact 1 <= B;\n", "    fact 1 <= B;\n    divisible B * s + 1 by 2;\n",
     INTERPRET_ARITHMETIC, "s*B + 1 to be divisible by 2"},
    {"grid int i < (N - 2) / (s * B)", "grid int i < 3", INTERPRET_RACE,
     "block 2 (thread 0) reads what another block writes"},
};

static const struct mutant matmul_mutants[] = {
    {"            barrier;\n            strided", "            strided", INTERPRET_RACE, "what"},
    {"            }\n            barrier;\n", "            }\n", INTERPRET_RACE, "reads what"},
    {"at 8 * B0 * Q", "at 8", INTERPRET_RACE, "shared element tb["},
    {"at 8 * B0 * Q", "at 8 * B0 * Q - 4", INTERPRET_RACE, "shared element tb["},
    {"            pc[k0] = 0.0;\n", "", INTERPRET_UNINITIALISED, "private element pc[0]"},
    {"pc[k1];", "pc[k1 + 1];", INTERPRET_BOUNDS, "private array 'pc' is 2"},
    {"c[i * B0 + u][j * B1 * s", "c[i * B0 + u][i * B1 * s", INTERPRET_RACE, "between blocks"},
    {"c[i * B0 + u][j * B1 * s + k1 * B1 + v]", "c[j * B1 * s + k1 * B1 + v][i * B0 + u]",
     INTERPRET_DONE, ""},
    {"c[i * B0 + u][j * B1 * s + k1 * B1 + v]", "c[i * B0 + u][j * B1 * s + k1 + v]",
     INTERPRET_RACE, "writes what"},
    {"c[i * B0 + u][j * B1 * s + k1 * B1 + v]", "c[i * B0 + u][j * B1 * s + k1 * B1 + v + 8]",
     INTERPRET_BOUNDS, "subscript 2"},
    {"a[i * B0 + x][h * Q + y]", "a[i * B0 + x][h * Q + y + 1]", INTERPRET_BOUNDS, "subscript 2"},
};

static void check_mutant(struct check *check, const char *text, const struct mutant *mutant,
                         bool is_jacobi)
{
    check_test(check);
    int a[2 * N];
    struct matrices matrices;
    struct ctx *ctx = check_ctx();
    char *edited = check_edit(ctx, text, mutant->from, mutant->to);
    struct bench b = bench_open(edited);
    if (check_that(check, b.kernel, "'%s' not read: %s", mutant->to, b.ctx->last)) {
        if (is_jacobi)
            jacobi_bind(&b, a, 0);
        else
            matmul_bind(&b, &matrices);
        struct interpret_result r = bench_run(&b, true, 0);
        check_that(check, r.status == mutant->status && strstr(r.message, mutant->message),
                   "'%s' -> '%s': %s %s", mutant->from, mutant->to, interpret_status_name(r.status),
                   r.message);
        if (r.status != INTERPRET_BUDGET && r.status != INTERPRET_DONE) {
            if (is_jacobi)
                jacobi_bind(&b, a, 0);
            r = bench_run(&b, true, 12345);
            check_that(check, r.status != INTERPRET_DONE, "'%s' -> '%s': missed in another order",
                       mutant->from, mutant->to);
        }
    }
    ctx_free(b.ctx);
    ctx_free(ctx);
}

/* Threads other than the block's points: right where all bands are strided, refused where one is
   plain. */
static void check_threads(struct check *check)
{
    check_test(check);
    struct ctx *ctx = check_ctx();
    char *strided = check_edit(ctx, kernel_jacobi, "        band (int j < B)",
                               "        strided band (int jj < B)");
    strided = strided
                  ? check_edit(ctx, strided, "let int q = k * B + j;", "let int q = k * B + jj;")
                  : NULL;
    for (int64_t threads = 1; threads <= 9; threads++) {
        int a[2 * N], expected[2 * N];
        struct bench b = bench_open(strided), plain = bench_open(kernel_jacobi);
        if (check_that(check, b.kernel, "not read: %s", b.ctx->last)) {
            jacobi_bind(&b, a, 1);
            jacobi_reference(expected, 1);
            b.input.threads = threads;
            struct interpret_result r = bench_run(&b, true, (uint64_t)threads);
            check_that(check, r.status == INTERPRET_DONE && memcmp(a, expected, sizeof a) == 0,
                       "%lld threads: %s", (long long)threads, r.message);
        }
        jacobi_bind(&plain, a, 1);
        plain.input.threads = threads;
        struct interpret_result r = bench_run(&plain, true, 0);
        check_that(check, (r.status == INTERPRET_DONE) == (threads == BLOCK),
                   "plain band, %lld threads: %s", (long long)threads, r.message);
        ctx_free(b.ctx);
        ctx_free(plain.ctx);
    }
    ctx_free(ctx);
}

/* Grid points that one block runs in turn: the last barrier of the body keeps a fill apart from
   what is still read. */
static void check_blocks(struct check *check)
{
    check_test(check);
    struct ctx *ctx = check_ctx();
    static const char end[] = "    }\n}\n";
    int length = (int)(strlen(kernel_jacobi) - strlen(end));
    char *closed = arena_printf(ctx->arena, "%.*s        barrier;\n%s", length, kernel_jacobi, end);
    for (int64_t blocks = 0; blocks <= 3; blocks++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            int a[2 * N], expected[2 * N];
            struct bench with = bench_open(closed), without = bench_open(kernel_jacobi);
            jacobi_bind(&with, a, 0);
            jacobi_reference(expected, 0);
            with.input.blocks = without.input.blocks = blocks;
            struct interpret_result r = bench_run(&with, true, seed);
            check_that(check, r.status == INTERPRET_DONE && memcmp(a, expected, sizeof a) == 0,
                       "%lld blocks: %s", (long long)blocks, r.message);
            jacobi_bind(&without, a, 0);
            r = bench_run(&without, true, seed);
            check_that(check, r.status == (blocks == 1 ? INTERPRET_RACE : INTERPRET_DONE),
                       "%lld blocks, no last barrier: %s", (long long)blocks,
                       interpret_status_name(r.status));
            ctx_free(with.ctx);
            ctx_free(without.ctx);
        }
    ctx_free(ctx);
}

static void check_limits(struct check *check)
{
    check_test(check);
    int a[2 * N];
    struct bench b = bench_open(kernel_jacobi);
    jacobi_bind(&b, a, 0);
    b.input.steps = 50;
    check_that(check, bench_run(&b, true, 0).status == INTERPRET_BUDGET, "no end after 50 steps");
    b.input.steps = 100000;
    jacobi_bind(&b, a, 0);
    check_that(check, bench_run(&b, true, 0).status == INTERPRET_DONE,
               "100000 steps are not enough");
    bench_bind(&b, "a", a, 2 * N - 2);
    struct interpret_result r = bench_run(&b, false, 0);
    check_that(check, r.status == INTERPRET_DONE, "the serial run leaves a shorter array: %s",
               r.message);
    bench_bind(&b, "a", a, N + 5);
    r = bench_run(&b, false, 0);
    check_that(check, r.status == INTERPRET_BOUNDS && strstr(r.message, "of 32 elements"),
               "short array: %s", r.message);
    bench_set(&b, "B", 1 << 24);
    bench_set(&b, "N", 0);
    check_that(check, bench_run(&b, true, 0).status == INTERPRET_DONE, "no block: nothing to do");
    ctx_free(b.ctx);
}

int main(void)
{
    struct check check = {0};
    check_jacobi(&check);
    check_matmul(&check);
    for (size_t i = 0; i < sizeof jacobi_mutants / sizeof *jacobi_mutants; i++)
        check_mutant(&check, kernel_jacobi, &jacobi_mutants[i], true);
    for (size_t i = 0; i < sizeof matmul_mutants / sizeof *matmul_mutants; i++)
        check_mutant(&check, kernel_matmul, &matmul_mutants[i], false);
    check_threads(&check);
    check_blocks(&check);
    check_limits(&check);
    return check_end(&check, "ir_interpret");
}
