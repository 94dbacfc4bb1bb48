/* What is said about regions besides their kernels: names, byte ranges, roles and bounds of
   parameters, facts, automatic tunables, verdicts with and without --strict, places where host code
   touches arrays, derived values. Text in, one line per statement out; the expected lines must be
   among them. */
#include "base/str.h"
#include "metafork/region.h"
#include "tests/unit/check.h"
#include <stdlib.h>
#include <string.h>

static struct check results;

static void check(bool good, const char *what, const char *detail)
{
    results.passed += good;
    results.failed += !good;
    if (!good)
        printf("FAIL %s\n%s\n", what, detail);
}

static void describe_region(struct str *out, const struct program *program,
                            const struct region *region)
{
    static const char *const roles[] = {"machine", "size", "tunable", "uniform", "value"};
    static const char *const verdicts[] = {"proved", "proved under", "conflict", "unknown"};
    const struct kernel *k = region->kernel;
    str_addf(out, "region %s in %s [%.*s...%c]\n", region->name,
             program->functions[region->function].name, 13, program->source->text + region->begin,
             program->source->text[region->end - 1]);
    str_addf(out, "verdict %s\n", verdicts[region->legality.verdict]);
    for (int i = 0; i < k->n_params; i++) {
        const struct param *p = k->params[i];
        str_addf(out, "param %s %s", p->var->name, roles[p->role]);
        str_addf(out, p->has_lo ? " >= %d" : "", (int)p->lo);
        str_addf(out, p->role != ROLE_TUNABLE        ? "\n"
                      : region->automatic.reasons[i] ? " given\n"
                                                     : " automatic\n");
    }
    for (size_t i = 0; i < k->facts.count; i++) {
        str_add(out, "fact ");
        constraint_print(out, k->facts.at[i], 0);
        str_char(out, '\n');
    }
    for (int i = 0; i < k->n_grid; i++)
        str_addf(out, "grid %s\n", expr_text(out->arena, k->grid[i].extent));
    for (int i = 0; i < k->n_block; i++)
        str_addf(out, "block %s\n", expr_text(out->arena, k->block[i].extent));
    str_addf(out, "coarse %zu\n", region->n_coarse);
}

static void describe_function(struct str *out, const struct program *program,
                              const struct function *f)
{
    str_addf(out, "function %s returns %s%s%s\n", f->name, f->return_text,
             f->is_static ? " static" : "", f->is_eager ? " eager" : "");
    for (size_t i = 0; i < f->n_touches; i++)
        str_addf(out, "touch %.*s\n", (int)(f->touches[i].end - f->touches[i].begin),
                 program->source->text + f->touches[i].begin);
    for (int i = 0; i < f->n_arguments; i++)
        str_addf(out, "argument %s%s\n", f->arguments[i].text,
                 f->arguments[i].is_supported ? "" : " unsupported");
}

/* The description, or the diagnostics if the text is refused; warnings stand before. */
static char *describe(struct ctx *ctx, const char *text)
{
    char *messages;
    size_t size;
    struct str out = str_new(ctx->arena);
    ctx->diagnostics = open_memstream(&messages, &size);
    struct program *program = program_read_text(ctx, "dir/t.c", text, strlen(text), NULL);
    fclose(ctx->diagnostics);
    ctx->diagnostics = stderr;
    str_add(&out, messages);
    free(messages);
    if (!program)
        return out.text;
    str_addf(&out, "stem %s\n", program->stem);
    for (size_t i = 0; i < program->n_regions; i++)
        describe_region(&out, program, program->regions[i]);
    for (size_t i = 0; i < program->n_functions; i++)
        describe_function(&out, program, &program->functions[i]);
    return out.text;
}

#define HEAD "#include <assert.h>\n#include <metafork.h>\n"
#define BODY "meta_schedule { meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < B; j++) "

static const struct {
    const char *text, *lines;
    bool strict;
} cases[] = {
    /* names, ranges, the signature */
    {HEAD "static int f(int n, int B, float *a) { int dim = n / B; " BODY
          "a[i * B + j] = 0; }\n" BODY "a[i * B + j] += 1; } return n; }",
     "stem t\nregion f in f [meta_schedule...}]\nregion f_2 in f [meta_schedule...}]\nfunction f "
     "returns int static\n"
     "touch return n;\nargument float *a\ngrid n / B\nblock B\n",
     false},
    /* roles */
    {HEAD "void f(int n, int s, int B, int t, float c, long k, const long *restrict x, long "
          "*restrict y) {\n"
          "int dim = n / (s * B); " BODY "for (int v = 0; v < s; v++) if (t) y[(i * s + v) * B + "
                                         "j] = k * x[(i * s + v) * B + j] + (long)c; } }",
     "param n size >= 0\nparam s tunable >= 1 given\nparam B tunable >= 1 given\nparam t "
     "uniform\nparam c value\n"
     "param k value\ncoarse 1\nverdict proved\n",
     false},
    /* a redistributable loop whose trip count divides nothing */
    {HEAD "void f(int dim, int s, int B, float a[dim][s][B]) { " BODY
          "for (int v = 0; v < s; v++) a[i][v][j] = 0; } }",
     "param dim size >= 0\nparam s size >= 0\nparam B size >= 0\ncoarse 1\n", false},
    {HEAD "void f(int dim, int s, int B, int n, float a[n]) { " BODY
          "for (int v = 0; v < s; v++) a[(i * s + v) * B + j] = 0; } }",
     "param s tunable >= 1 given\n", false},
    /* automatic: ceiling and guard */
    {HEAD
     "void f(int n, int s, int B, float *restrict a) { int dim = (n + s * B - 1) / (s * B);\n" BODY
     "for (int k = 0; k < s; k++) { int p = (i * s + k) * B + j; if (p < n) a[p] = 0; } } }",
     "param s tunable >= 1 automatic\nparam B tunable >= 1 automatic\n", false},
    {HEAD "void f(int n, int B, float *restrict a) { int dim = (n + B - 1) / B;\n" BODY
          "if (i * B + j <= n - 1) a[i * B + j] = B; } }",
     "param B tunable >= 1 given\n", false},
    {HEAD "void f(int n, int B, float *restrict a) { int dim = (n + B - 1) / B;\n" BODY
          "if (n > i * B + j) a[i * B + j] = 1; } }",
     "param B tunable >= 1 automatic\n", false},
    {HEAD "void f(int n, int B, float *restrict a) { int dim = (n + B - 1) / B;\n" BODY
          "if (i * B + j < n + 1) a[i * B + j] = 1; } }",
     "param B tunable >= 1 given\n", false},
    {HEAD
     "void f(int n, int s, int B, float *restrict a) { int dim = (n + s * B - 1) / (s * B);\n" BODY
     "{ float x = 0; for (int k = 0; k < s; k++) { int p = (i * s + k) * B + j; if (p < n) { x += "
     "1; a[p] = x; } } } } }",
     "param s tunable >= 1 given\nparam B tunable >= 1 given\n", false},
    /* automatic: a serial loop in pieces; what is carried over pieces in their order */
    {HEAD "void f(int n, int m, int B, int h, const float a[n][m], float c[restrict n]) { int dim "
          "= (n + B - 1) / B;\n" BODY "{ int r = i * B + j; if (r < n) { float x = 0; for (int p = "
                                      "0; p < (m + h - 1) / h; p++) for (int z = 0; z < h; z++) "
          "if (p * h + z < m) x += a[r][p * h + z]; c[r] = x; } } } }",
     "param B tunable >= 1 automatic\nparam h tunable >= 1 automatic\n", false},
    {HEAD "void f(int n, int m, int B, int h, const float a[n][m], float c[restrict n]) { int dim "
          "= (n + B - 1) / B;\n" BODY
          "{ int r = i * B + j; if (r < n) { float x = 0; for (int p = 0; p < (m + h - 1) / h; "
          "p++) { x *= 2; for (int z = 0; z < h; z++) "
          "if (p * h + z < m) x += a[r][p * h + z]; } c[r] = x; } } } }",
     "param B tunable >= 1 automatic\nparam h tunable >= 1 given\n", false},
    {HEAD "void f(int n, int m, int B, int h, const float a[n][m], float c[restrict n]) { int dim "
          "= (n + B - 1) / B;\n" BODY "{ int r = i * B + j; if (r < n) { float x = 0; for (int z = "
                                      "0; z < h; z++) for (int p = 0; p < (m + h - 1) / h; p++) "
          "if (p * h + z < m) x += a[r][p * h + z]; c[r] = x; } } } }",
     "param B tunable >= 1 automatic\nparam h tunable >= 1 given\n", false},
    {HEAD "void f(int n, int m, int B, int h, const float a[n][m], float c[restrict n]) { int dim "
          "= (n + B - 1) / B;\n" BODY "{ int r = i * B + j; if (r < n) for (int p = 0; p < (m + h "
                                      "- 1) / h; p++) { c[r] *= 2; for (int z = 0; z < h; z++) "
          "if (p * h + z < m) c[r] += a[r][p * h + z]; } } } }",
     "param B tunable >= 1 automatic\nparam h tunable >= 1 given\n", false},
    {HEAD "void f(int n, int m, int B, int h, const float a[n][m], float c[restrict n]) { int dim "
          "= (n + B - 1) / B;\n" BODY
          "{ int r = i * B + j; if (r < n) for (int p = 0; p < (m + h - 1) / h; p++) { if (p == 0) "
          "c[r] = 0; for (int z = 0; z < h; z++) "
          "if (p * h + z < m) c[r] += a[r][p * h + z]; } } } }",
     "param B tunable >= 1 automatic\nparam h tunable >= 1 automatic\n", false},
    {HEAD "void f(int n, int m, int B, int h, const float a[n][m], float c[restrict n]) { int dim "
          "= (n + B - 1) / B;\n" BODY "{ int r = i * B + j; if (r < n) for (int p = 0; p < (m + h "
                                      "- 1) / h; p++) { for (int z = 0; z < h; z++) "
          "if (p * h + z < m) c[r] += a[r][p * h + z]; if (p == 0) c[r] *= 2; } } } }",
     "param B tunable >= 1 automatic\nparam h tunable >= 1 given\n", false},
    {HEAD "void f(int n, int m, int B, int h, const float a[n][m], float c[restrict n]) { int dim "
          "= (n + B - 1) / B;\n" BODY
          "{ int r = i * B + j; if (r < n) for (int p = 0; p < (m + h - 1) / h; p++) { if (p == 1) "
          "c[r] = 0; for (int z = 0; z < h; z++) "
          "if (p * h + z < m) c[r] += a[r][p * h + z]; } } } }",
     "param B tunable >= 1 automatic\nparam h tunable >= 1 given\n", false},
    {HEAD "void f(int n, int m, int B, float *restrict a) { assert(m <= n); int dim = (n + B - 1) "
          "/ B;\n" BODY "{ int r = i * B + j; if (r < m) a[r] = 1; } } }",
     "param B tunable >= 1 automatic\n", false},
    {HEAD "void f(int n, int m, int B, float *restrict a) { assert(m <= n + 1); int dim = (n + B - "
          "1) / B;\n" BODY "{ int r = i * B + j; if (r < m) a[r] = 1; } } }",
     "param B tunable >= 1 given\n", false},
    {HEAD "void f(int n, float *restrict a) { const int B = meta_tunable(2 * 8); int dim = (n + B "
          "- 1) / B;\n" BODY "{ int r = i * B + j; if (r < n) a[r] = 1; } } }",
     "param B tunable >= 1 automatic\n", false},
    {HEAD
     "void f(int n, int m, const float a[n][m], float c[restrict n]) { const int B = "
     "meta_tunable(8), h = meta_tunable(4); "
     "int dim = (n + B - 1) / B;\n" BODY
     "{ int r = i * B + j; if (r < n) for (int q = 0; q < m; q += h) for (int z = 0; z < h; z++) "
     "if (q + z < m) c[r] += a[r][q + z]; } } }",
     "param B tunable >= 1 automatic\nparam h tunable >= 1 automatic\n", false},
    /* automatic: pieces that end at a minimum, begin where the outer loop stands */
    {HEAD
     "void f(int n, int m, int B, int h, const float a[n][m], float c[restrict n]) { int dim = (n "
     "+ B - 1) / B;\n" BODY
     "{ int r = i * B + j; if (r < n) for (int p = 0; p < (m + h - 1) / h; p++) "
     "for (int z = 0; z < (h < m - p * h ? h : m - p * h); z++) c[r] += a[r][p * h + z]; } } }",
     "param B tunable >= 1 automatic\nparam h tunable >= 1 automatic\n", false},
    {HEAD "void f(int n, int m, int B, const float a[n][m], float c[restrict n]) { const int h = "
          "meta_tunable(4); int dim = (n + B - 1) / B;\n" BODY
          "{ int r = i * B + j; if (r < n) for (int q = 0; q < m; q += h) "
          "for (int k = q; k < (q + h < m ? q + h : m); k++) c[r] += a[r][k]; } } }",
     "param B tunable >= 1 automatic\nparam h tunable >= 1 automatic\n", false},
    {HEAD "void f(int n, int m, int B, const float a[n][m], float c[restrict n]) { const int h = "
          "meta_tunable(4); int dim = (n + B - 1) / B;\n" BODY
          "{ int r = i * B + j; if (r < n) for (int q = 0; q < m; q += h) "
          "for (int k = q; k < q + h; k++) if (k < m) c[r] += a[r][k]; } } }",
     "param B tunable >= 1 automatic\nparam h tunable >= 1 automatic\n", false},
    {HEAD "void f(int n, int m, int B, const float a[n][m], float c[restrict n]) { const int h = "
          "meta_tunable(4); int dim = (n + B - 1) / B;\n" BODY
          "{ int r = i * B + j; if (r < n) for (int q = 0; q < m; q += h) "
          "for (int k = q; k < q + h; k++) if (k <= m) c[r] += a[r][k]; } } }",
     "param B tunable >= 1 automatic\nparam h tunable >= 1 given\n", false},
    /* automatic: conditions negated and named */
    {HEAD "void f(int n, int B, float *restrict a) { int dim = (n + B - 1) / B;\n" BODY
          "{ int r = i * B + j; _Bool inside = r < n; if (inside) a[r] = 1; } } }",
     "param B tunable >= 1 automatic\n", false},
    {HEAD "void f(int n, int m, int B, float *restrict a) { int dim = (n + B - 1) / B;\n" BODY
          "{ int r = i * B + j; if (!(r >= n || r == m)) a[r] = 1; } } }",
     "param B tunable >= 1 automatic\n", false},
    {HEAD "void f(int n, int m, int B, float *restrict a) { int dim = (n + B - 1) / B;\n" BODY
          "{ int r = i * B + j; if (!(r >= n && r != m)) a[r] = 1; } } }",
     "param B tunable >= 1 given\n", false},
    /* not automatic: numbers that share a digit, what a private array carries from piece to piece,
       a multiple of a number */
    {HEAD "void f(int n, int B, const float x[n], float y[restrict n]) { int dim = (n + B - 1) / "
          "B;\n" BODY "for (int k = 0; k < dim; k++) if (i * B + j < n && k * B + j < n) y[i * B + "
                      "j] += x[k * B + j]; } }",
     "param B tunable >= 1 given\n", false},
    {HEAD "void f(int n, int s, int B, const float x[n], float y[restrict n]) { int dim = (n + s * "
          "B - 1) / (s * B);\n" BODY
          "{ float t[2]; t[0] = 0; for (int k = 0; k < s; k++) { int p = (i * s + k) * B + j; if "
          "(p < n) { t[0] += x[p]; y[p] = t[0]; } } } } }",
     "param s tunable >= 1 given\nparam B tunable >= 1 given\n", false},
    {HEAD "void f(int n, int B, float y[restrict n * n]) { int dim = (n + B - 1) / B;\n" BODY
          "{ int p = i * B + j; if (p < n && B < n) y[p * B] = 1; } } }",
     "param B tunable >= 1 given\n", false},
    /* automatic: a bound by another number, a shortcut over whole blocks, numbers from an offset */
    {HEAD "void f(int n, int B, int C, float a[restrict n][n]) { meta_schedule {"
          " meta_for (int i = 0; i < (n + B - 1) / B; i++) meta_for (int k = 0; k < (n + C - 1) / "
          "C; k++)"
          " meta_for (int j = 0; j < B; j++) meta_for (int l = 0; l < C; l++)"
          " { int r = i * B + j, q = k * C + l; if (r < n && q <= r) a[r][q] = 1; } } }",
     "param B tunable >= 1 automatic\nparam C tunable >= 1 automatic\n", false},
    {HEAD "void f(int n, int B, int C, float a[restrict n][n]) { meta_schedule {"
          " meta_for (int i = 0; i < (n + B - 1) / B; i++) meta_for (int k = 0; k < (n + C - 1) / "
          "C; k++)"
          " if (k * C <= i * B + B - 1) meta_for (int j = 0; j < B; j++) meta_for (int l = 0; l < "
          "C; l++)"
          " { int r = i * B + j, q = k * C + l; if (r < n && q <= r) a[r][q] = 1; } } }",
     "param B tunable >= 1 automatic\nparam C tunable >= 1 automatic\n", false},
    {HEAD
     "void f(int n, int B, int C, float a[restrict n][n]) { meta_schedule {"
     " meta_for (int i = 0; i < (n + B - 1) / B; i++) meta_for (int k = 0; k < (n + C - 1) / C; "
     "k++)"
     " if (k * C < i * B + B - 1) meta_for (int j = 0; j < B; j++) meta_for (int l = 0; l < C; l++)"
     " { int r = i * B + j, q = k * C + l; if (r < n && q <= r) a[r][q] = 1; } } }",
     "param B tunable >= 1 given\nparam C tunable >= 1 given\n", false},
    {HEAD "void f(int n, int B, float *restrict a) { for (int t = 0; t < n; t++) { int dim = (n - "
          "t + B - 2) / B;\n" BODY "{ int r = t + 1 + i * B + j; if (r < n) a[r] = 1; } } } }",
     "param B tunable >= 1 automatic\n", false},
    {HEAD "void f(int n, int B, float *restrict a) { int dim = (n + B - 1) / B;\n" BODY
          "{ int r = i * B + j; if (r * r < n) a[r] = 1; } } }",
     "param B tunable >= 1 given\n", false},
    {HEAD "void f(int n, int B, float *restrict a) { int dim = (n + B - 1) / B;\n" BODY
          "{ int r = i * B + j; if (r < n && (r + 1) * r % 7 != 3) a[r] = 1; } } }",
     "param B tunable >= 1 automatic\n", false},
    /* automatic: a fixed grid whose threads go on in steps; a value that each thread carries on */
#define STEPS(begin, end)                                                                          \
    HEAD "void f(int n, int dim, int B, float *restrict a) { int stride = dim * B;\n" BODY         \
         "for (int p = " begin "; p < " end "; p += stride) a[p] = p; } }"
    {STEPS("i * B + j", "n"), "param B tunable >= 1 automatic\n", false},
    {STEPS("i * B + j + 1", "n - 1"), "param B tunable >= 1 automatic\n", false},
    {STEPS("i * B + j", "n + B"), "param B tunable >= 1 given\n", false},
    {HEAD "void f(int n, int dim, int B, float *restrict a) {\n" BODY
          "{ float x = 0; for (int p = i * B + j; p < n; p += dim * B) { x += 1; a[p] = x; } } } }",
     "param B tunable >= 1 given\n", false},
    /* facts: asserts, conditions around the region, products */
    {HEAD "void f(int n, int B, int m, float *a) { assert(B <= m * 3 && n > 4); int dim = n / B; "
          "if (m >= 2) " BODY "if (j < m) a[i * B + j] = 0; } }",
     "fact B <= 3*m\nfact 4 < n\nfact 2 <= m\n", false},
    {HEAD "void f(int n, int B, float *a) { assert(n > 4); n = n - 1; int dim = n / B; " BODY
          "a[i * B + j] = 0; } }",
     "!fact 4 < n\n", false},
/* facts: conditions of loops around the region, where its body leaves alone what they read */
#define LOOP(head, before)                                                                         \
    HEAD "void f(int n, int B, float *restrict a) { int dim = (n + B - 1) / B, m = n; " head       \
         " { " before BODY "if (i * B + j < m && i * B + j > k) a[i * B + j] = k; } } }"
    {LOOP("for (int k = 0; k < m; k++)", ""), "fact 0 <= k\nfact k < n\n", false},
    {LOOP("int k; for (k = 2; k <= m - 3 && k < 2 * B; k += 2)", ""),
     "fact 2 <= k\nfact k + 3 <= n\nfact k < 2*B\n", false},
    {LOOP("for (int k = n; k > 4; k--)", ""), "fact 4 < k\n", false},
    {LOOP("for (unsigned k = 0; k < 9u; k++)", ""), "fact k < 9\n", false},
    {LOOP("for (unsigned k = 0; k < m; k++)", ""), "!fact k < n\n", false},
    {LOOP("int k; for (k = 0; k < m; k++)", "k++; "), "!fact k < n\n", false},
    {LOOP("m = n - 1; for (int k = 0; k < m; k++)", "m--; "), "!fact k < m\n", false},
    {LOOP("int *p = &m; for (int k = 0; k < m; k++)", "*p = 3; "), "!fact k < m\n", false},
    {LOOP("int k = 9; goto inside; for (k = 0; k < m; k++)", "inside:; "), "!fact k < n\n", false},
    {LOOP("int k = 9; switch (n) { case 1: for (k = 0; k < m; k++)", "case 2:; ") " }",
     "!fact k < n\n", false},
    {LOOP("int k; for (k = 0; k < m; k++)", "if (k == 3) goto next; next:; "), "fact k < n\n",
     false},
    /* derived values: substituted, or kept where they change, where they are no polynomial of a
       block extent */
    {HEAD
     "void f(int n, int B, float *a) { int two = 2; int C = two * B; int dim; dim = n / C; "
     "meta_schedule { "
     "meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < C; j++) a[i * C + j] = 0; } }",
     "grid n / (2 * B)\nblock 2 * B\n", false},
    {HEAD
     "void f(int n, int level, float *a) { int C = 1 << level; int dim = n / C; meta_schedule { "
     "meta_for (int i = 0; i < dim; i++) meta_for (int j = 0; j < C; j++) a[i * C + j] = 0; } }",
     "grid n / C\nblock C\nparam C tunable >= 1 given\n", false},
    {HEAD "void f(int n, int B, float *a) { int dim = n / B; dim += 1; " BODY
          "a[i * B + j] = 0; } }",
     "grid dim\n", false},
    /* verdicts */
    {HEAD "void f(int n, int B, const int *x, float *a) { int dim = n / B; " BODY
          "a[x[i * B + j]] = 0; } }",
     "verdict unknown\ndir/t.c:3:149: warning: independence of the meta_for iterations is "
     "believed, not proved",
     false},
    {HEAD "void f(int n, int B, const int *x, float *a) { int dim = n / B; " BODY
          "a[x[i * B + j]] = 0; } }",
     "dir/t.c:3:149: error: independence of the meta_for iterations is not proved", true},
    /* touches */
    {HEAD "int g(int); double sqrt(double);\nvoid f(int n, int B, int T, float *a, float *b) { int "
          "dim = n / B; float own[3] = {0};\n"
          "a[0] = 1; own[0] = 2; n > 2 ? g(n) : 0;\nfor (int t = 0; t < T; t++) { " BODY
          "a[i * B + j] = t; } if (t == 3) b[0] = own[1];\n"
          "else { own[1] += (float)sqrt(2.0); } } }",
     "touch a[0] = 1;\ntouch n > 2 ? g(n) : 0;\ntouch if (t == 3) b[0] = own[1];\nelse { own[1] += "
     "(float)sqrt(2.0); }\n"
     "!touch own[0] = 2;\nfunction f returns void\n",
     false},
    {HEAD "void f(int n, int B, float *a) { int dim = n / B; for (int t = 0; a[0] < 3; t++) " BODY
          "a[i * B + j] += t; } }",
     "function f returns void eager\n", false},
    {HEAD "struct p { int x; }; int f(int n, int B, struct p s, float *a) { int dim = n / B; " BODY
          "a[i * B + j] = 0; } return s.x; }",
     "argument struct p s unsupported\n", false},
    /* nothing may stand before the region that the two names hide */
    {HEAD "void f(int n, int B, float *a) { int dim = n / B; float *q = a, *r = &q[0]; " BODY
          "a[i * B + j] = r[i * B + j]; } }",
     "error: `a` and `r` are the same memory", false},
};

/* Lines that begin with ! must be absent. */
static void check_case(size_t i)
{
    check_test(&results);
    struct ctx *ctx = ctx_new();
    ctx->strict = cases[i].strict;
    char *out = describe(ctx, cases[i].text), *lines = arena_strdup(ctx->arena, cases[i].lines);
    for (char *line = lines, *end; *line; line = end) {
        end = strchr(line, '\n');
        end = end ? end + 1 : line + strlen(line);
        bool absent = *line == '!';
        char *own = arena_strndup(ctx->arena, line + absent, (size_t)(end - line) - absent);
        check((strstr(out, own) == NULL) == absent, own,
              arena_printf(ctx->arena, "%s\n%s", cases[i].text, out));
    }
    ctx_free(ctx);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(i);
    return check_end(&results, "metafork_regions");
}
