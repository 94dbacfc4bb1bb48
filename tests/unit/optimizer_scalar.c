/* Scalar replacement on kernels given as text: which loads of a loop remain, what is loaded before
   it and under which condition, the traps (arrays written in the loop, changing conditions and
   bounds, casts that wrap), idempotence; and random loops whose arrays are exactly as large as what
   the loop touches, so that a load too many is out of bounds: threads with checks give the same
   bits before and after. */
#include "optimizer/strategies/strategies.h"
#include "optimizer_test.h"

#define HEAD                                                                                       \
    "kernel k {\n    ring N, s, B, t;\n    param data size int N >= 0;\n    param program "        \
    "tunable int s >= 1;\n"                                                                        \
    "    param program tunable int B >= 1;\n    param data uniform int t;\n    global float x[N "  \
    "* N];\n"                                                                                      \
    "    global float y[N][N];\n    global int r[N + 1];\n    global float o[N][N];\n    fact 1 "  \
    "<= s;\n"                                                                                      \
    "    grid int i < N / B;\n    block int j < B;\n    body {\n        band (int j < B) {\n"      \
    "            let int q = i * B + j;\n"
#define TAIL "        }\n    }\n}\n"

static const struct {
    const char *what, *body;
    int before, inside;                    /* loads of x and y before the loop (its first statement)
                                              and in it */
    const char *lines[4];                  /* of the result */
} CASES[] = {
    {"three points: one load a round",
     "for (int v = 1; v < N - 1; v += 1) { o[q][v] = x[v - 1] + x[v] + x[v + 1]; }",
     2,
     1,
     {"if (1 < N - 1) {", "x_value = x[0];", "let float x_value_3 = x[v + 1];",
      "x_value = x_value_2;"}},
    {"five taps through names",
     "for (int v = 2; v < N - 2; v += 1) { let int p = v - 2; let int e = p + 4;"
     " o[q][v] = x[p] + x[p + 1] + x[v] + x[e - 1] + x[e]; }",
     4,
     1,
     {"let float x_value_5 = x[v - 2 + 4];"}},
    {"a wavefront over rows",
     "for (int v = 1; v < N - 1; v += 1) { o[v][q] = y[v - 1][q] + y[v][q] + y[v + 1][q]; }",
     2,
     1,
     {"y_value = y[0][q];"}},
    {"steps count rounds",
     "for (int v = 0; v < N - 2; v += 2) { o[q][v] = x[v] + x[v + 2]; }",
     1,
     1,
     {"x_value = x_value_2;"}},
    {"elements between the steps never meet",
     "for (int v = 0; v < N - 1; v += 2) { o[q][v] = x[v] + x[v + 1]; }",
     0,
     2,
     {NULL}},
    {"strides of a parameter",
     "for (int v = 0; v < s - 1; v += 1) { o[q][v] = x[v * B + q] + x[v * B + B + q]; }",
     1,
     1,
     {NULL}},
    {"another stride",
     "for (int v = 0; v < s - 1; v += 1) { o[q][v] = x[v * B + q] + x[v * B + 1 + q]; }",
     0,
     2,
     {NULL}},
    {"against the direction",
     "for (int v = 1; v < N; v += 1) { o[q][v] = x[N - v] - x[N - v - 1]; }",
     1,
     1,
     {"x_value = x[N - 1];"}},
    {"a gap is loaded only where a round reads it",
     "for (int v = 0; v < N - 2; v += 1) { o[q][v] = x[v] - x[v + 2]; }",
     2,
     1,
     {"let float x_value_2 = 0.0f;", "if (0 < N - 2) {", "if (1 < N - 2) {"}},
    {"far apart",
     "for (int v = 0; v < N - 5; v += 1) { o[q][v] = x[v] - x[v + 5]; }",
     0,
     2,
     {NULL}},
    {"fixed during the loop",
     "for (int v = 0; v < N; v += 1) { o[q][v] = x[q] * y[q][v]; }",
     1,
     1,
     {"if (0 < N) {", "x_value = x[q];"}},
    {"twice in a round",
     "for (int v = 0; v < N; v += 1) { o[q][v] = x[v] * x[v]; }",
     0,
     1,
     {"let float x_value = x[v];"}},
    {"under a fixed condition",
     "for (int v = 1; v < N; v += 1) { if (t % 2) { o[q][v] = x[v] + x[v - 1]; } }",
     1,
     1,
     {"if (1 < N) {", "if (t % 2) {"}},
    {"otherwise",
     "for (int v = 1; v < N; v += 1) { if (t % 2) { o[q][v] = 1.0f; } else { o[q][v] = x[v] + x[v "
     "- 1]; } }",
     1,
     1,
     {"if (1 < N) {", "if (!(t % 2)) {"}},
    {"a changing condition",
     "for (int v = 0; v < N; v += 1) { if (v > 2) { o[q][v] = x[v] + x[v - 1]; } }",
     0,
     2,
     {NULL}},
    {"a chosen value",
     "for (int v = 0; v < N; v += 1) { o[q][v] = v > 2 ? x[v] + x[v - 1] : 0.0f; }",
     0,
     2,
     {NULL}},
    {"written in the loop",
     "for (int v = 1; v < N; v += 1) { y[q][v] = y[q][v - 1]; }",
     0,
     2,
     {NULL}},
    {"a row pointer",
     "for (int v = 0; v < N - 1; v += 1) { o[q][v] = x[r[v]] + x[r[v] + 1]; }",
     0,
     2,
     {"let int r_value = r[v];"}},
    {"a bound with loads",
     "for (int v = r[q]; v < r[q + 1]; v += 1) { o[q][v] = x[v]; }",
     0,
     1,
     {"let int first = r[q];", "let int end = r[q + 1];"}},
    {"a bound that changes",
     "let int m = N; for (int v = 1; v < m; v += 1) { o[q][v] = x[v] + x[v - 1]; m = m - 1; }",
     0,
     2,
     {NULL}},
    {"a subscript that is set",
     "let int m = 0; for (int v = 1; v < N; v += 1) { o[q][v] = x[m] + x[m]; m = m + 1; }",
     0,
     2,
     {NULL}},
    {"a cast that wraps",
     "for (int v = 0; v < N - 1; v += 1) { o[q][v] = x[(unsigned char)v] + x[(unsigned char)(v + "
     "1)]; }",
     0,
     2,
     {NULL}},
    {"an inner loop's loads move all the way out",
     "for (int v = 0; v < N; v += 1) { for (int w = 0; w < t; w += 1) { o[q][v] = x[q] + (float)w; "
     "} }",
     1,
     0,
     {"if (0 < N) {", "if (0 < t) {"}},
    {"rows of a window, counted by short loops",
     "for (int v = 0; v < N - 2; v += 1) { let float a = 0.0f; unroll for (int k = 0; k < 3; k += "
     "1) { unroll for (int w = 0; w < 2; w += 1) { let int c = q + w; a = a + y[v + k][c]; } } "
     "o[q][v] = a; }",
     4,
     2,
     {"y_value = y[0][q", "y_value_6 = y[v + 2]", "y_value_4 = y_value_5;"}},
    {"short loops stay where nothing is handed down",
     "for (int v = 0; v < N; v += 1) { unroll for (int w = 0; w < 3; w += 1) { o[q][v] = y[v][w]; "
     "} }",
     0,
     1,
     {"unroll for"}},
    {"a short loop of too many rounds stays",
     "for (int v = 0; v < N - 2; v += 1) { let float a = 0.0f; unroll for (int w = 0; w < 129; w "
     "+= 1) { a = a + y[v][w] + y[v + 1][w]; } o[q][v] = a; }",
     0,
     2,
     {"unroll for"}},
    {"a vector copy stays whole",
     "for (int v = 0; v < s; v += 1) { vector 4 o[q][4 * v] = x[0]; o[q][N - 1] = x[0]; }",
     1,
     1,
     {NULL}},
    {"facts prove the first round",
     "for (int v = 0; v < s; v += 1) { o[q][v] = x[q] + (float)v; }",
     1,
     0,
     {"let float x_value = x[q];"}},
    {"a while may have no rounds, but its condition is asked",
     "for (int v = 0; v < N; v += 1) { let int w = v; while (w < x[q]) { w = w + (int)(x[q + 1]); "
     "} o[q][v] = (float)w; }",
     1,
     1,
     {"if (0 < N) {", "x_value = x[q];", "w = w + (int)x[q + 1];"}},
    {"an inner loop may have no rounds",
     "for (int v = 0; v < N; v += 1) { for (int w = 0; w < v; w += 1) { o[q][v] = x[q] + (float)w; "
     "} }",
     0,
     1,
     {NULL}},
};

static int count_text(const char *text, const char *end, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at && at < end; at = strstr(at + 1, part))
        count++;
    return count;
}

static int count_loads(const char *text, const char *end)
{
    return count_text(text, end, "x[") + count_text(text, end, "y[");
}

static const struct kernel *kernel_of(struct ctx *ctx, const char *text)
{
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    *source = (struct source){.path = "case", .text = text, .length = strlen(text)};
    return kernel_read(ctx, source);
}

static char *kernel_text(struct ctx *ctx, const struct kernel *kernel)
{
    struct str text = str_new(ctx->arena);
    kernel_print(&text, kernel);
    return text.text;
}

/* Replaced, verified, replaced again; NULL after a failure. */
static const struct kernel *replaced(struct check *check, struct ctx *ctx,
                                     const struct kernel *before, const char *what)
{
    const struct kernel *after = strategy_scalar_replace(ctx, before);
    char *text = kernel_text(ctx, after);
    if (!check_that(check, kernel_verify(ctx, after), "%s: %s\n%s", what, ctx->last, text))
        return NULL;
    char *again = kernel_text(ctx, strategy_scalar_replace(ctx, after));
    check_that(check, strcmp(text, again) == 0, "%s, applied twice:\n%s\n%s", what, text, again);
    return after;
}

static void check_case(struct check *check, size_t i)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    const char *what = CASES[i].what;
    const struct kernel *before =
        kernel_of(ctx, arena_printf(ctx->arena, "%s%s%s", HEAD, CASES[i].body, TAIL));
    const struct kernel *after = NULL;
    if (check_that(check, before != NULL, "%s: %s", what, ctx->last))
        after = replaced(check, ctx, before, what);
    if (after) {
        char *text = kernel_text(ctx, after), *body = strstr(text, "let int q"),
             *loop = strstr(body, "for (");
        int outside = count_loads(body, loop), inside = count_loads(loop, text + strlen(text));
        check_that(check, outside == CASES[i].before && inside == CASES[i].inside,
                   "%s: %d loads before the loop, %d in it\n%s", what, outside, inside, text);
        for (int k = 0; k < 4 && CASES[i].lines[k]; k++)
            check_that(check, strstr(text, CASES[i].lines[k]) != NULL, "%s: no line %s\n%s", what,
                       CASES[i].lines[k], text);
    }
    if (after && strcmp(what, "a bound with loads") != 0) /* its rows are no rows with these data */
        for (int t = 0; t < 2; t++) {
            const char *why = "";
            union value params[4] = {
                {.integer = 12}, {.integer = 4}, {.integer = 3}, {.integer = t}};
            bool ok = kernels_agree(ctx, before, after, (struct trial){params, 0, 1}, &why);
            check_that(check, ok || strncmp(why, "reference", 9) == 0, "%s: %s", what, why);
        }
    ctx_free(ctx);
}

/* --- random loops ---------------------------------------------------------------------------- */

enum context { PLAIN, WHERE_T, WHERE_NOT_T, WHERE_EVEN, CHOSEN, SHORT_CUT, INNER, SHORT, CONTEXTS };
enum { REFERENCES_MAX = 7 };

struct random_loop {
    int from, to, step, t, n;
    struct random_reference {
        enum context context;
        int array, factor, offset;         /* subscript factor * v + offset */
        bool named;                        /* through p = v + 1 */
    } references[REFERENCES_MAX];
    int low[2], high[2];                   /* what is touched of x and y */
};

static int between(int low, int high)
{
    return low + rand() % (high - low + 1);
}

static bool is_executed(const struct random_loop *loop, const struct random_reference *r, int v)
{
    switch (r->context) {
    case WHERE_T: case SHORT_CUT: return loop->t;
    case WHERE_NOT_T: return !loop->t;
    case WHERE_EVEN: return v % 2 == 0;
    case CHOSEN: return v > 2;
    default: return true;
    }
}

static struct random_loop loop_random(void)
{
    struct random_loop loop = {.from = between(-3, 3),
                               .step = between(1, 3),
                               .t = rand() % 2,
                               .n = between(1, REFERENCES_MAX)};
    loop.to = loop.from + between(-1, 9);
    for (int i = 0; i < 2; i++) {
        loop.low[i] = 0;
        loop.high[i] = -1;
    }
    for (int i = 0; i < loop.n; i++) {
        struct random_reference *r = &loop.references[i];
        *r = (struct random_reference){rand() % 2 ? PLAIN : (enum context)(rand() % CONTEXTS),
                                       rand() % 2, rand() % 3 ? 1 : between(-2, 2), between(-3, 3),
                                       rand() % 2};
        for (int v = loop.from; v < loop.to; v += loop.step)
            for (int w = 0; w < (r->context >= INNER ? 2 : 1); w++) {
                int at = r->factor * v + r->offset + w, *low = &loop.low[r->array],
                    *high = &loop.high[r->array];
                if (!is_executed(&loop, r, v))
                    continue;
                *low = *high < *low || at < *low ? at : *low;
                *high = *high < *low || at > *high ? at : *high;
            }
    }
    return loop;
}

static void reference_write(struct str *out, const struct random_loop *loop, int index)
{
    const struct random_reference *r = &loop->references[index];
    static const char *const PATTERNS[CONTEXTS] = {
        "sum = sum * 3 + %s;\n",
        "if (t) { sum = sum * 3 + %s; }\n",
        "if (t) { sum = sum + 1; } else { sum = sum * 3 + %s; }\n",
        "if (v %% 2 == 0) { sum = sum * 3 + %s; }\n",
        "sum = sum + (v > 2 ? %s : 7);\n",
        "sum = sum + (t && %s > 3);\n",
        "for (int w%d = 0; w%d < 2; w%d += 1) { sum = sum * 3 + %s; }\n",
        "unroll for (int w%d = 0; w%d < 2; w%d += 1) { sum = sum * 3 + %s; }\n"};
    int offset = r->offset - loop->low[r->array] - (r->named ? r->factor : 0);
    char *at = arena_printf(out->arena, "%d * %s + %d%s", r->factor, r->named ? "p" : "v", offset,
                            r->context >= INNER ? arena_printf(out->arena, " + w%d", index) : "");
    char *load = arena_printf(out->arena, r->array ? "y[q][%s]" : "x[%s]", at);
    const char *pattern = PATTERNS[r->context];
    for (const char *c = pattern; *c; c++) {
        if (c[0] == '%' && c[1] == 's')
            str_add(out, load);
        else if (c[0] == '%' && c[1] == 'd')
            str_addf(out, "%d", index);
        else
            str_char(out, *c);
        c += *c == '%';
    }
}

static char *loop_text(struct arena *arena, const struct random_loop *loop)
{
    struct str out = str_new(arena);
    str_add(&out, "kernel k {\n    ring f, e, t;\n    param data uniform int f;\n    param data "
                  "uniform int e;\n"
                  "    param data uniform int t;\n");
    str_addf(&out, "    global int x[%d];\n    global int y[4][%d];\n    global int o[4][20];\n",
             loop->high[0] - loop->low[0] + 1, loop->high[1] - loop->low[1] + 1);
    str_add(&out,
            "    grid int i < 2;\n    block int j < 2;\n    body {\n        band (int j < 2) {\n"
            "            let int q = i * 2 + j;\n            for (int v = f; v < e; v += ");
    str_addf(&out, "%d) {\n                let int sum = 0;\n                let int p = v + 1;\n",
             loop->step);
    for (int i = 0; i < loop->n; i++)
        reference_write(&out, loop, i);
    str_add(&out, "                o[q][v + 4] = sum;\n            }\n        }\n    }\n}\n");
    return out.text;
}

static bool check_random(struct check *check, int *changed)
{
    struct ctx *ctx = ctx_new();
    struct random_loop loop = loop_random();
    char *text = loop_text(ctx->arena, &loop);
    const struct kernel *before = kernel_of(ctx, text);
    bool ok = check_that(check, before != NULL, "random loop: %s\n%s", ctx->last, text);
    const struct kernel *after = ok ? replaced(check, ctx, before, text) : NULL;
    if (after) {
        const char *why = "";
        union value params[3] = {{.integer = loop.from}, {.integer = loop.to}, {.integer = loop.t}};
        ok = kernels_agree(ctx, before, after, (struct trial){params, 0, (uint64_t)rand()}, &why);
        check_that(check, ok, "random loop from %d to %d, t = %d: %s\n%s\n%s", loop.from, loop.to,
                   loop.t, why, text, kernel_text(ctx, after));
        *changed += after != before;
    }
    ctx_free(ctx);
    return ok && after;
}

int main(int argc, char **argv)
{
    struct check check = {0};
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 4;
    int rounds = argc > 2 ? atoi(argv[2]) : 1500, changed = 0;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        check_case(&check, i);
    printf("seed %u\n", seed);
    srand(seed);
    check_test(&check);
    for (int i = 0; i < rounds && check_random(&check, &changed); i++)
        continue;
    printf("%d of %d random loops changed\n", changed, rounds);
    check_that(&check, changed > rounds / 3, "only %d random loops changed", changed);
    return check_end(&check, "optimizer_scalar");
}
