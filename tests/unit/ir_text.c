/* The textual form of kernels: what is printed reads back to the same text, errors have the right
   place, and no bytes can crash the reader. */
#include "ir_check.h"
#include "ir_kernels.h"
#include "ir/read.h"
#include <stdlib.h>

static void check_round_trip(struct check *check, const char *text)
{
    check_test(check);
    struct ctx *ctx = check_ctx();
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
    if (check_that(check, kernel, "not read: %s\n%s", ctx->last, text)) {
        char *first = check_print(ctx, kernel);
        check_that(check, strcmp(first, text) == 0, "printed as\n%s\ninstead of\n%s", first, text);
        const struct kernel *again = kernel_read(ctx, check_source(ctx, first));
        check_that(check, again && kernel_hash(again) == kernel_hash(kernel),
                   "%s: hash of the copy differs", kernel->name);
        check_that(check, kernel_verify(ctx, kernel), "%s: %s", kernel->name, ctx->last);
    }
    ctx_free(ctx);
}

/* A parameter that has a word of the text for its name. */
static const char kernel_named_by[] =
    "kernel halves {\n"
    "    ring n, by;\n"
    "    param data size int n >= 0;\n"
    "    param program tunable int by >= 1;\n"
    "    global int a[n];\n"
    "    fact 1 <= by;\n"
    "    divisible by by 2;\n"
    "    divisible n + 3*by by 4;\n"
    "    grid int i < n / by;\n"
    "    block int j < by / 2;\n"
    "    body {\n"
    "        band (int j < by / 2) {\n"
    "            a[by * i + j] = 1;\n"
    "        }\n"
    "    }\n"
    "}\n";

/* One defect each: the edit, what the message says, and where. */
static const struct {
    const char *from, *to, *message;
    unsigned line, column;
} defects[] = {
    {"ring N", "ring 7", "expected a name", 2, 10},
    {"param data size int N", "param data big int N", "expected a role", 3, 16},
    {"param data size int N", "param data size integer N", "expected a type", 3, 21},
    {"param data size int N", "param data size long int N", "no type of kernels", 3, 30},
    {"param program tunable int B", "param program tunable int s", "declared twice", 5, 31},
    {"global int a[2 * N] cache;", "global int a cache;", "expected '['", 7, 18},
    {"of a;", "of b;", "not declared", 8, 40},
    {"fact 1 <= B;", "fact 1 <= ;", "no constraint", 9, 10},
    {"fact 1 <= B;", "divisible 1 + by 2;", "no polynomial", 9, 15},
    {"fact 1 <= B;", "divisible B;", "expected 'by'", 9, 16},
    {"grid int i", "grid float i", "needs an integer type", 12, 16},
    {"t % 2", "t % 2.0", "needs integers", 15, 20},
    {"t % 2", "t $ 2", "expected ')'", 15, 15},
    {"t % 2", "t % 99999999999999999999", "does not fit", 15, 17},
    {"tile[u] =", "tile[u][u] =", "1 dimensions", 17, 24},
    {"tile[u] =", "til[u] =", "not declared", 17, 17},
    {"= a[N + i", "= b[N + i", "'b' is not declared", 17, 27},
    {"barrier;", "barrier", "expected ';'", 25, 9},
    {"k < s; k += 1", "q < s; k += 1", "expected 'k'", 26, 29},
    {"let int q = k * B + j", "let int q = sin(k, j)", "takes 1 arguments", 27, 29},
    {"let int q = k * B + j", "let int q = sinus(k)", "no function 'sinus'", 27, 29},
    {"let int q = k * B + j", "let int q = k * (B + j", "expected ')'", 27, 39},
    {"let int q = k * B + j", "let int q = 12x", "no number", 27, 29},
    {"let int q = k * B + j", "let int q = \001", "byte 0x01", 27, 29},
};

static void check_defects(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof defects / sizeof *defects; i++) {
        struct ctx *ctx = check_ctx();
        char *seen = NULL;
        size_t size = 0;
        ctx->quiet = false;
        ctx->diagnostics = open_memstream(&seen, &size);
        const char *text = check_edit(ctx, kernel_jacobi, defects[i].from, defects[i].to);
        const struct kernel *kernel = text ? kernel_read(ctx, check_source(ctx, text)) : NULL;
        fclose(ctx->diagnostics);
        char place[64];
        snprintf(place, sizeof place, "text:%u:%u: error: ", defects[i].line, defects[i].column);
        check_that(check,
                   text && !kernel && ctx->errors == 1 && strstr(ctx->last, defects[i].message) &&
                       strstr(seen, place),
                   "'%s': expected %s%s, got %s", defects[i].to, place, defects[i].message, seen);
        ctx->diagnostics = stderr;
        free(seen);
        ctx_free(ctx);
    }
}

/* Another byte, or a piece of the text copied to another place. */
static void damage(char *bytes, size_t length, uint64_t *state)
{
    size_t from = check_random(state) % length, to = check_random(state) % length,
           n = 1 + check_random(state) % 8;
    if (check_random(state) % 3 == 0)
        bytes[to] = (char)check_random(state);
    else if (from + n <= length && to + n <= length)
        memmove(bytes + to, bytes + from, n);
}

/* What is well formed can be run, to whatever end. */
static void run_small(struct ctx *ctx, const struct kernel *kernel, uint64_t *state)
{
    enum { COUNT = 64 };
    union value *params = ARENA_ARRAY(ctx->arena, union value, kernel->n_params + 1);
    struct interpret_array *arrays =
        ARENA_ARRAY(ctx->arena, struct interpret_array, kernel->n_arrays + 1);
    struct interpret_input input = {
        .params = params, .arrays = arrays, .steps = 3000, .seed = check_random(state) % 5};
    for (int i = 0; i < kernel->n_params; i++)
        params[i].integer = (int64_t)(check_random(state) % 9);
    for (int i = 0; i < kernel->n_arrays; i++)
        arrays[i] = (struct interpret_array){arena_alloc(ctx->arena, COUNT * 8), COUNT};
    interpret_serial(ctx->arena, kernel, &input);
    interpret_threads(ctx->arena, kernel, &input);
}

/* Cut anywhere, or with bytes changed: a kernel or a diagnostic, never neither. */
static void check_garbage(struct check *check, uint64_t seed)
{
    check_test(check);
    static const char *const texts[] = {kernel_jacobi, kernel_matmul, kernel_zoo};
    uint64_t state = seed;
    for (int round = 0; round < 3000; round++) {
        struct ctx *ctx = check_ctx();
        struct source *source = (struct source *)check_source(ctx, texts[round % 3]);
        char *bytes = (char *)source->text;
        for (uint64_t k = check_random(&state) % 4; k; k--)
            damage(bytes, source->length, &state);
        if (check_random(&state) % 4 == 0)
            source->length = check_random(&state) % (source->length + 1);
        const struct kernel *kernel = kernel_read(ctx, source);
        bool ok = (kernel != NULL) == (ctx->errors == 0);
        if (kernel && ok) {
            char *first = check_print(ctx, kernel);
            const struct kernel *again = kernel_read(ctx, check_source(ctx, first));
            ok = again && strcmp(check_print(ctx, again), first) == 0;
            if (kernel_verify(ctx, kernel))
                run_small(ctx, kernel, &state);
        }
        check_that(check, ok, "seed %llu, round %d: %s", (unsigned long long)seed, round,
                   ctx->last);
        ctx_free(ctx);
    }
}

static char *repeated(struct ctx *ctx, const char *begin, const char *part, int n, const char *end)
{
    struct str text = str_new(ctx->arena);
    str_add(&text, begin);
    for (int i = 0; i < n; i++)
        str_add(&text, part);
    str_add(&text, end);
    return text.text;
}

/* Deep and long texts are refused, not recursed into. */
static void check_depth(struct check *check)
{
    check_test(check);
    static const char *const parts[] = {"(", "-", "1 ? 1 : ", "!", "1 + ", "sqrt("};
    struct ctx *ctx = check_ctx();
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, kernel_jacobi));
    for (size_t i = 0; kernel && i < sizeof parts / sizeof *parts; i++) {
        char *text = repeated(ctx, "", parts[i], 100000, "s");
        check_that(check, !expr_read(ctx, check_source(ctx, text), kernel),
                   "100000 times '%s' was read", parts[i]);
    }
    char *text = repeated(ctx, "kernel k { body {", "if (1) {", 100000, "");
    check_that(check, !kernel_read(ctx, check_source(ctx, text)),
               "100000 nested statements were read");
    ctx_free(ctx);
}

int main(void)
{
    struct check check = {0};
    check_round_trip(&check, kernel_jacobi);
    check_round_trip(&check, kernel_quarter);
    check_round_trip(&check, kernel_named_by);
    check_round_trip(&check, kernel_matmul);
    check_round_trip(&check, kernel_zoo);
    check_defects(&check);
    check_garbage(&check, 20261);
    check_depth(&check);
    return check_end(&check, "ir_text");
}
