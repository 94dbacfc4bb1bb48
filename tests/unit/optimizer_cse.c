/* Common subexpressions on kernels given as text: what is named at which level, that names keep the
   meaning, that a second application changes nothing (idempotence, spec C-09), and the traps:
   assigned variables, divisions, loads. */
#include "optimizer/strategies/strategies.h"
#include "optimizer_test.h"

#define HEAD                                                                                       \
    "kernel k {\n    ring N, s, B;\n    param data size int N >= 0;\n    param program tunable "   \
    "int s >= 1;\n"                                                                                \
    "    param program tunable int B >= 1;\n    global int a[4 * N];\n    global int b[4 * N];\n"  \
    "    grid int i < N / B;\n    block int j < B;\n    body {\n        band (int j < B) {\n"
#define TAIL "        }\n    }\n}\n"

static const struct {
    const char *what, *body;
    int level, names;                      /* how many scalars t… are made */
    const char *line;                      /* a line of the result; NULL = unchanged */
} CASES[] = {
    {"Figure 7: p + 1 is named once",
     "let int p = i * B + j; let int p1 = p + 1; let int q = N + (p + 1); a[p1] = b[q];", 1, 1,
     "let int t = p + 1;"},
    {"operands stand in either order", "a[i * B + j] = 1; b[j + B * i] = 2;", 1, 1,
     "let int t = i * B + j;"},
    {"a difference is not turned round", "a[N - B * i] = 1; b[N * 2 + (B * i - N)] = 2;", 1, 1,
     "let int t = B * i;"},
    {"nothing occurs twice", "let int p = i * B + j; a[p] = b[p];", 1, 0, NULL},
    {"an assigned variable is left alone",
     "let int p = i * B + j; let int q = p; q = q + 1; a[p] = q + 1; b[p] = q + 1;", 1, 0, NULL},
    {"divisions are left alone", "let int p = i * B + j; a[p] = p / s; b[p] = p / s;", 1, 0, NULL},
    {"loads are left alone", "let int p = i * B + j; a[p] = b[p] + 1; a[p + N] = b[p] + 1;", 1, 0,
     NULL},
    {"level 1 stays in its block",
     "let int p = i * B + j; a[p + N] = 1; if (s > 1) { b[p + N] = 2; }", 1, 0, NULL},
    {"level 2 goes across control flow",
     "let int p = i * B + j; a[p + N] = 1; if (s > 1) { b[p + N] = 2; }", 2, 1,
     "let int t = p + N;"},
    {"level 2 leaves loops",
     "let int p = i * B + j; for (int k = 0; k < s; k += 1) { a[p * 2 + k] = b[p]; }", 2, 1,
     "let int t = p * 2;"},
    {"level 1 does not",
     "let int p = i * B + j; for (int k = 0; k < s; k += 1) { a[p * 2 + k] = b[p]; }", 1, 0, NULL},
    {"what depends on the loop stays in it",
     "let int p = i * B + j; for (int k = 0; k < s; k += 1) { let int u = p + k; a[u * 2] = b[u]; "
     "}",
     2, 0, NULL},
};

static int count_text(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

static const struct kernel *kernel_of(struct ctx *ctx, const char *body)
{
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    char *text = arena_printf(ctx->arena, "%s%s%s", HEAD, body, TAIL);
    *source = (struct source){.path = "case", .text = text, .length = strlen(text)};
    return kernel_read(ctx, source);
}

static char *kernel_text(struct ctx *ctx, const struct kernel *kernel)
{
    struct str text = str_new(ctx->arena);
    kernel_print(&text, kernel);
    return text.text;
}

static bool same_output(struct ctx *ctx, const struct kernel *before, const struct kernel *after)
{
    int32_t data[2][2][4 * 24];
    const struct kernel *kernels[2] = {before, after};
    for (int r = 0; r < 2; r++) {
        union value params[3] = {{.integer = 24}, {.integer = 3}, {.integer = 4}};
        struct interpret_array arrays[2] = {{data[r][0], 96}, {data[r][1], 96}};
        for (int i = 0; i < 96; i++) {
            data[r][0][i] = i * 7 % 31;
            data[r][1][i] = i * 5 % 37;
        }
        struct interpret_input input = {.params = params, .arrays = arrays};
        if (interpret_serial(ctx->arena, kernels[r], &input).status != INTERPRET_DONE)
            return false;
    }
    return memcmp(data[0], data[1], sizeof data[0]) == 0;
}

int main(void)
{
    struct check check = {0};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct ctx *ctx = ctx_new();
        const struct kernel *before = kernel_of(ctx, CASES[i].body);
        check_test(&check);
        if (check_that(&check, before != NULL, "%s: %s", CASES[i].what, ctx->last)) {
            const struct kernel *after = strategy_cse(ctx, before, CASES[i].level);
            char *text = kernel_text(ctx, after);
            check_that(&check, kernel_verify(ctx, after), "%s: %s", CASES[i].what, ctx->last);
            check_that(&check, count_text(text, "let int t") == CASES[i].names, "%s:\n%s",
                       CASES[i].what, text);
            check_that(&check, !CASES[i].line || strstr(text, CASES[i].line), "%s:\n%s",
                       CASES[i].what, text);
            check_that(&check, same_output(ctx, before, after), "%s: other output", CASES[i].what);
            char *again = kernel_text(ctx, strategy_cse(ctx, after, CASES[i].level));
            check_that(&check, strcmp(text, again) == 0, "%s, applied twice:\n%s", CASES[i].what,
                       again);
        }
        ctx_free(ctx);
    }
    return check_end(&check, "optimizer_cse");
}
