/* Broken kernels are caught by the CPU run: a missing barrier and a swapped subscript by another
   result under some order of the threads, a shifted bound and a division by zero by a diagnostic, a
   barrier that some threads miss or that is not the same for all by a diagnostic. The unbroken
   kernel passes the same test. */
#include "tests/unit/ir-llvm_test.h"

enum { SEEDS = 8 };

static const char reverse[] =
    "kernel reverse {\n    ring n, B;\n    param data size int n >= 1;\n    param program tunable "
    "int B >= 1;\n"
    "    global int a[n];\n    global int c[n];\n    shared int tile[B] at 0;\n    shared_bytes 4 "
    "* B;\n"
    "    grid int i < n / B;\n    block int j < B;\n    body {\n"
    "        band (int t < B) {\n            tile[t] = a[i * B + t];\n        }\n"
    "        barrier;\n"
    "        band (int u < B) {\n            c[i * B + u] = tile[B - 1 - u] + u;\n        }\n"
    "        barrier;\n    }\n}\n";

enum verdict { SAME, DIFFERENT, REFUSED };

struct mutant {
    const char *name, *from, *to;
    enum verdict expected;
    const char *message;       /* part of the diagnostic */
};

static const struct mutant mutants[] = {
    {"unbroken", "", "", SAME, ""},
    {"no barrier after the fill", "        barrier;\n        band (int u", "        band (int u",
     DIFFERENT, ""},
    {"no barrier before the refill", "        }\n        barrier;\n    }\n}\n",
     "        }\n    }\n}\n", DIFFERENT, ""},
    {"swapped subscript", "tile[B - 1 - u]", "tile[u]", DIFFERENT, ""},
    {"shared tile shifted beyond its end", "tile[t] =", "tile[t + 1] =", REFUSED, "of 'tile'"},
    {"global array shifted beyond its end", "a[i * B + t]", "a[i * B + t + B]", REFUSED, "of 'a'"},
    {"negative subscript", "c[i * B + u]", "c[i * B + u - 1]", REFUSED, "element -1 of 'c'"},
    {"division by zero", "tile[B - 1 - u] + u", "tile[B - 1 - u] / (u - u)", REFUSED,
     "division by zero"},
    {"tile never filled", "tile[t] = a[i * B + t];", "c[i * B + t] = a[i * B + t];", DIFFERENT, ""},
};

static char *text_replace(struct arena *arena, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    return arena_printf(arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* The verdict over all seeds: the first that is not SAME. Every other run has one block do all the
   work, so that a refill meets what is left of the block before. */
static enum verdict verdict_of(struct ctx *ctx, const struct kernel *kernel,
                               const struct kernel *right)
{
    static const struct binding set[] = {{"n", 40}, {"B", 8}};
    uint64_t random = 3;
    struct interpret_input input = input_make(ctx, right, set, 2, &random),
                           serial = input_copy(ctx, right, &input);
    interpret_serial(ctx->arena, right, &serial);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct interpret_input own = input_copy(ctx, right, &input);
        own.seed = seed;
        if (!llvm_run(ctx, kernel, &own, (int64_t)(seed % 2)))
            return REFUSED;
        if (!arrays_equal(right, &own, &serial))
            return DIFFERENT;
    }
    return SAME;
}

static void run_mutants(struct test *test, struct ctx *ctx)
{
    check_test(&test->count);
    struct kernel *right = kernel_of_text(ctx, "reverse", reverse);
    for (size_t i = 0; i < sizeof mutants / sizeof *mutants && right; i++) {
        const struct mutant *m = &mutants[i];
        struct kernel *kernel =
            kernel_of_text(ctx, m->name, text_replace(ctx->arena, reverse, m->from, m->to));
        if (!check(test, kernel, m->name))
            continue;
        enum verdict verdict = verdict_of(ctx, kernel, right);
        if (!check(test, verdict == m->expected, m->name))
            printf("    verdict %d\n", verdict);
        check(test, verdict != REFUSED || strstr(ctx->last, m->message), ctx->last);
    }
    check(test, right, "reverse");
}

/* Barriers under conditions that differ between threads; the verifier forbids them, so they are run
   without it. */
static void run_divergent(struct test *test, struct ctx *ctx)
{
    check_test(&test->count);
    static const char shell[] =
        "kernel k {\n    ring n;\n    param data size int n >= 1;\n    global int c[n];\n    grid "
        "int i < 1;\n"
        "    block int j < 8;\n    body {\n        let int x = 0;\n        band (int t < 8) {\n    "
        "        x = t;\n        }\n"
        "        if (x < 3) {\n            barrier;\n        }%s\n    }\n}\n";
    static const struct binding set[] = {{"n", 8}};
    static const char *const rest[] = {"", " else {\n            barrier;\n        }"};
    static const char *const messages[] = {"never reach", "waits at barrier"};
    for (int i = 0; i < 2; i++) {
        uint64_t random = 3;
        struct kernel *kernel = kernel_of_text(ctx, "k", arena_printf(ctx->arena, shell, rest[i]));
        if (!check(test, kernel, "divergent barrier"))
            continue;
        struct interpret_input input = input_make(ctx, kernel, set, 1, &random);
        check(test, !llvm_run(ctx, kernel, &input, 0) && strstr(ctx->last, messages[i]),
              messages[i]);
    }
}

int main(void)
{
    struct test test = {.name = "ir-llvm_mutants"};
    struct ctx *ctx = ctx_new();
    ctx->quiet = true;
    run_mutants(&test, ctx);
    run_divergent(&test, ctx);
    ctx_free(ctx);
    return test_end(&test);
}
