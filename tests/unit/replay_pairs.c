/* Two texts of a function each: do they compute the same? Rows are constructs, and for each what
   must be seen or must not be. */
#include "replay/replay.h"
#include "tests/unit/check.h"

static struct check results;

static const struct replay_program *program_of(struct ctx *ctx, const char *text,
                                               const struct replay_program *source)
{
    struct source *file = ARENA_NEW(ctx->arena, struct source);
    *file = (struct source){"t.c", text, strlen(text), NULL};
    struct ast_unit *unit = ast_parse(ctx, file, NULL, 0);
    const struct replay_program *program = unit ? replay_read(ctx, unit, source) : NULL;
    if (unit)
        ast_close(unit);
    return program;
}

/* What becomes of the first function whose text differs. */
static struct replay_result result_of(struct ctx *ctx, const char *source, const char *made)
{
    const struct replay_program *first = program_of(ctx, source, NULL);
    const struct replay_program *second = first ? program_of(ctx, made, first) : NULL;
    struct replay_result result = {.name = "", .verdict = REPLAY_UNCHECKED, .reason = "no C"};
    const struct replay_report *report = second ? replay_compare(ctx, first, second) : NULL;
    for (size_t i = report ? report->count : 0; i-- > 0;)
        if (report->results[i].verdict != REPLAY_SAME)
            result = report->results[i];
    return result;
}

/* `says`: part of the difference or of the reason; NULL: any. */
struct row {
    const char *what, *source, *made;
    enum replay_verdict verdict;
    const char *says;
};

#define MARKS "#include <metafork.h>\n"
#define MEMORY "#include <stdlib.h>\n"
#define ADD "void f(int n, float *restrict a, const float *restrict b) {"
#define COMPLEX "void f(int n, double _Complex *z) { for (int i = 0; i < n; i++) "
#define PARTS                                                                                      \
    "void f(int n, double _Complex *z) { double (*a)[2] = (double (*)[2])z; "                      \
    "for (int i = 0; i < n; i++) "
#define REGION(body)                                                                               \
    "meta_schedule { meta_for (int x = 0; x < n; x++) meta_for (int t = 0; t < 1; t++) " body "}"

#define SUM(clause, count)                                                                         \
    ADD "meta_schedule " clause "{ meta_for (int x = 0; x < n; x++) meta_for (int t = 0; t < 1; "  \
        "t++) " count " }}"

#define CADD "void f(int n, int *restrict c) {"
#define CREDUCE(op, body, behind)                                                                  \
    CADD "if (n > 0) meta_schedule meta_reduce(" op ", c) { meta_for (int x = 0; x < n; x++) "     \
         "meta_for (int t = 0; t < 1; t++) { " body " } }" behind
#define CSUM(body, behind) CREDUCE("+", body, behind)
#define CMAX(body, behind) CREDUCE("max", body, behind)

static const struct row rows[] = {
    {"iterations that accumulate under the clause",
     ADD "for (int i = 0; i < n; i++) a[0] += b[i]; }",
     MARKS SUM("meta_reduce(+, a) ", "a[0] += b[x];"), REPLAY_EQUAL, NULL},
    {"the same without the clause", ADD "for (int i = 0; i < n; i++) a[0] += b[i]; }",
     MARKS SUM("", "a[0] += b[x];"), REPLAY_DIFFERENT, "two threads"},
    {"the clause, and the sum from its end", ADD "for (int i = 0; i < n; i++) a[0] += b[i]; }",
     MARKS SUM("meta_reduce(+, a) ", "a[0] += b[n - 1 - x];"), REPLAY_DIFFERENT, "a[0]"},
    {"a sum that begins and ends in its region",
     CADD "c[0] = n; for (int i = 0; i < n; i++) c[0] += i * i; if (n > 0) c[1] = c[0] / 3; }",
     MARKS CSUM("if (x == 0) c[0] = n; c[0] += x * x; if (x == n - 1) c[1] = c[0] / 3;", " else "
                "c[0] = n; }"), REPLAY_EQUAL, NULL},
    {"an extreme that begins with what was there",
     CADD "c[0] = c[0] * 2; for (int i = 0; i < n; i++) c[0] = 1 > c[0] ? 1 : c[0]; }",
     MARKS CMAX("if (x == 0) c[0] = c[0] * 2; c[0] = 1 > c[0] ? 1 : c[0];",
                " else c[0] = c[0] * 2; }"), REPLAY_EQUAL, NULL},
    {"a sum that begins at its last point",
     CADD "c[0] = n; for (int i = 0; i < n; i++) c[0] += i * i; }",
     MARKS CSUM("if (x == n - 1) c[0] = n; c[0] += x * x;", " else c[0] = n; }"), REPLAY_DIFFERENT,
     "c[0]"},
    {"loops exchanged where nothing depends",
     "void f(int n, float a[n][n]) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) "
     "a[i][j] += 1; }",
     "void f(int n, float a[n][n]) { for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) "
     "a[i][j] += 1; }", REPLAY_EQUAL, NULL},
    {"loops exchanged where something does",
     "void f(int n, float a[n][n]) { for (int i = 1; i < n; i++) for (int j = 0; j < n - 1; j++) "
     "a[i][j] = 2 * a[i - 1][j + 1]; }",
     "void f(int n, float a[n][n]) { for (int j = 0; j < n - 1; j++) for (int i = 1; i < n; i++) "
     "a[i][j] = 2 * a[i - 1][j + 1]; }", REPLAY_DIFFERENT, "element"},
    {"a pointer that may be NULL, asked before the loop",
     "void f(int n, float *restrict a, const float *restrict b) { for (int i = 0; i < n; i++) "
     "a[i] = b != 0 ? b[i] : 1; }",
     "void f(int n, float *restrict a, const float *restrict b) { int given = b ? 1 : 0; "
     "for (int i = 0; i < n; i++) a[i] = given ? b[i] : 1; }", REPLAY_EQUAL, NULL},
    {"a pointer that may be NULL, never asked",
     "void f(int n, float *restrict a, const float *restrict b) { for (int i = 0; i < n; i++) "
     "a[i] = b != 0 ? b[i] : 1; }",
     "void f(int n, float *restrict a, const float *restrict b) { for (int i = 0; i < n; i++) "
     "a[i] = b[i]; }", REPLAY_DIFFERENT, NULL},
    {"another value where a pointer is NULL",
     "void f(int n, float *restrict a, float *b) { for (int i = 0; i < n; i++) "
     "if (!b) a[i] = 1; else b[i] = 2; }",
     "void f(int n, float *restrict a, float *b) { for (int i = 0; i < n; i++) "
     "if (b) b[i] = 2; else a[i] = 3; }", REPLAY_DIFFERENT, "a[0]"},
    {"a sum in another order",
     "float f(float x, float y, float z) { return x + y + z; }",
     "float f(float x, float y, float z) { return x + (y + z); }", REPLAY_DIFFERENT, "returns"},
    {"operands of one sum exchanged",
     "float f(float x, float y, float z) { return x + y * z; }",
     "float f(float x, float y, float z) { return z * y + x; }", REPLAY_EQUAL, NULL},
    {"what cancels", "double f(double x, double y) { return x - x + 0 * y; }",
     "double f(double x, double y) { return y - y + 0 * y; }", REPLAY_DIFFERENT, NULL},
    {"what is no number", "double f(double x) { double z = 0; return x * (z / z); }",
     "double f(double x) { double z = 0; return (x + 1) * (z / z); }", REPLAY_DIFFERENT, NULL},
    {"integers by value", "int f(int n) { return 2 * n + 2; }",
     "int f(int n) { return 2 * (n + 1); }", REPLAY_EQUAL, NULL},
    {"0 and 0.0", "void f(double *a) { a[0] = 0; }", "void f(double *a) { a[0] = 0.0; }",
     REPLAY_EQUAL, NULL},
    {"float and double", "float f(float x) { return x * 0.1; }",
     "float f(float x) { return x * 0.1f; }", REPLAY_DIFFERENT, NULL},
    {"compound assignment", "void f(float *a, double d) { a[0] += d; }",
     "void f(float *a, double d) { a[0] = a[0] + d; }", REPLAY_EQUAL, NULL},
    {"another size", ADD " for (int i = 0; i < n; i++) a[i] = b[i]; }",
     ADD " for (int i = 0; i <= n; i++) a[i] = b[i]; }", REPLAY_DIFFERENT, "`a["},
    {"memory that only the second leaves",
     "void f(int n, float a[n]) { for (int i = 0; i < n; i++) a[i] = 1; }",
     "void f(int n, float a[n]) { float x[2]; x[n & 3] = 1; "
     "for (int i = 0; i < n; i++) a[i] = 1; }",
     REPLAY_DIFFERENT, "outside of"},
    {"a row that only the second leaves, as the source may do by a pointer",
     "void f(float a[4][4]) { for (float *p = a[0]; p < a[0] + 16; p++) *p = 1; }",
     "void f(float a[4][4]) { for (int i = 0; i < 16; i++) a[0][i] = 1; }", REPLAY_EQUAL, NULL},
    {"memory without a value may be copied",
     "void f(int n, float a[n]) { float x[9]; x[n & 3] = 1; a[0] = x[n & 3]; }",
     "void f(int n, float a[n]) { float x[9], y[9]; x[n & 3] = 1; "
     "for (int i = 0; i < 9; i++) y[i] = x[i]; a[0] = y[n & 3]; }", REPLAY_EQUAL, NULL},
    {"but its copy is not to be computed with",
     "void f(int n, float a[n]) { float x[9]; x[n & 3] = 1; a[0] = x[n & 3]; }",
     "void f(int n, float a[n]) { float x[9], y[9]; x[n & 3] = 1; "
     "for (int i = 0; i < 9; i++) y[i] = x[i]; a[0] = y[n & 3] + 0 * y[7]; }", REPLAY_DIFFERENT,
     "without a value is read"},
    {"nor left where the source has a value",
     "void f(int n, float a[n]) { float x[9]; x[n & 3] = 1; a[0] = x[n & 3]; }",
     "void f(int n, float a[n]) { float x[9]; x[n & 3] = 1; a[0] = x[7]; }", REPLAY_DIFFERENT,
     "`a[0]`"},
    {"nor read from outside",
     "void f(int n, float a[n]) { float x[9]; x[n & 3] = 1; a[0] = x[n & 3]; }",
     "void f(int n, float a[n]) { float x[9], y[19]; x[n & 3] = 1; y[9] = x[9]; "
     "a[0] = x[n & 3]; }", REPLAY_DIFFERENT, "outside of"},
    {"nothing is said where the source is undefined",
     "int f(int n) { int x; return x + n; }", "int f(int n) { return n; }", REPLAY_UNCHECKED,
     "without a value"},
    {"division by zero", "int f(int n) { return 1 / (n - n); }", "int f(int n) { return n; }",
     REPLAY_UNCHECKED, "does not define"},
    {"signed overflow", "int f(int n) { return 2147483647 + n * n + 1; }", "int f(int n) { "
     "return n; }",
     REPLAY_UNCHECKED, "does not define"},
    {"unsigned overflow is none", "unsigned f(unsigned n) { return n - 9u; }",
     "unsigned f(unsigned n) { return n + 4294967287u; }", REPLAY_EQUAL, NULL},
    {"goto is not known", "int f(int n) { goto end; end: return n; }", "int f(int n) { return n; }",
     REPLAY_UNCHECKED, "goto"},
    {"pointers that overlap",
     "void f(int n, int *a, int *b) { for (int i = 0; i < n; i++) a[i] = b[0] + 1; }",
     "void f(int n, int *a, int *b) { int x = b[0] + 1; for (int i = 0; i < n; i++) a[i] = x; }",
     REPLAY_DIFFERENT, NULL},
    {"pointers that may not",
     "void f(int n, int *restrict a, int *b) { for (int i = 0; i < n; i++) a[i] = b[0] + 1; }",
     "void f(int n, int *restrict a, int *b) { int x = b[0] + 1; for (int i = 0; i < n; i++) a[i] "
     "= x; }", REPLAY_EQUAL, NULL},
    {"threads that depend",
     ADD "for (int x = 1; x < n; x++) a[x] = a[x - 1] + b[x]; }",
     MARKS ADD "if (n > 1) " REGION("if (x) a[x] = a[x - 1] + b[x];") "}", REPLAY_DIFFERENT, NULL},
    {"threads that do not", ADD "for (int x = 0; x < n; x++) a[x] += b[x]; }",
     MARKS ADD "if (n > 0) " REGION("a[x] += b[x];") "}", REPLAY_EQUAL, NULL},
    {"threads that write the same",
     ADD "for (int x = 0; x < n; x++) a[0] = b[0]; }",
     MARKS ADD "if (n > 0) " REGION("a[0] = b[0];") "}", REPLAY_DIFFERENT, "two threads"},
    {"bands of one block",
     ADD "for (int x = 0; x < n; x++) a[x] = b[x]; for (int x = 1; x < n; x++) a[0] += a[x]; }",
     MARKS ADD "meta_schedule { meta_for (int x = 0; x < 1; x++) { meta_for (int t = 0; t < "
     "2; t++) "
     "for (int i = t; i < n; i += 2) a[i] = b[i]; meta_for (int t = 0; t < 2; t++) if (t == 0) for "
     "(int i = 1; i < n; i++) a[0] += a[i]; } } }", REPLAY_EQUAL, NULL},
    {"the plan that only large sizes take", ADD "for (int x = 0; x < n; x++) a[x] += b[x]; }",
     MARKS ADD "if (n <= 8192) " REGION("a[x] += b[x];") " else " REGION("a[x] += b[n - 1 - "
     "x];") "}",
     REPLAY_DIFFERENT, NULL},
    {"a bound that is no plan", ADD "for (int x = 0; x < n + 1; x++) a[x] += b[x]; }",
     MARKS ADD "if (2 * n > -128) meta_schedule { meta_for (int x = 0; x < n + 1; x++) a[x] += "
     "b[x]; } }",
     REPLAY_EQUAL, NULL},
    {"the plan for few threads", ADD "for (int x = 0; x < n; x++) a[x] += b[x]; }",
     MARKS ADD "if (n < meta_threads()) " REGION("a[x] += b[x];") " else " REGION("a[x] += "
     "a[x];") "}",
     REPLAY_DIFFERENT, NULL},
    {"large numbers", "void f(float a[2000][2000]) { for (int i = 0; i < 2000; i++) for (int j "
     "= 0; "
     "j < 2000 - 1; j++) a[i][j] = a[i][j + 1]; }",
     "void f(float a[2000][2000]) { for (int i = 0; i <= 1999; i++) for (int j = 0; j <= 1998; "
     "j++) "
     "a[i][j] = a[i][j + 1]; }", REPLAY_EQUAL, NULL},
    {"large numbers that differ", "void f(float a[2000][2000]) { for (int i = 0; i < 2000; i++) "
     "for "
     "(int j = 0; j < 700; j++) a[i][j] = 1; }",
     "void f(float a[2000][2000]) { for (int i = 0; i < 2000; i++) for (int j = 0; j < 699; j++) "
     "a[i][j] = 1; }", REPLAY_DIFFERENT, NULL},
    {"memory of its own, and what if there is none",
     "void f(int n, float *restrict a) { for (int i = 0; i < n; i++) a[i] = 2 * a[i]; }",
     MEMORY "void f(int n, float *restrict a) { float *b = malloc(sizeof(float) * n); if (b) { for "
     "(int i = 0; i < n; i++) b[i] = a[i]; for (int i = 0; i < n; i++) a[i] = 2 * b[i]; free(b); } "
     "else { for (int i = 0; i < n; i++) a[i] = 2 * a[i]; } }", REPLAY_EQUAL, NULL},
    {"a wrong way out where there is no memory",
     "void f(int n, float *restrict a) { for (int i = 0; i < n; i++) a[i] = 2 * a[i]; }",
     MEMORY "void f(int n, float *restrict a) { float *b = malloc(sizeof(float) * n); if (b) { for "
     "(int i = 0; i < n; i++) b[i] = a[i]; for (int i = 0; i < n; i++) a[i] = 2 * b[i]; free(b); } "
     "else { for (int i = 1; i < n; i++) a[i] = 2 * a[i]; } }", REPLAY_DIFFERENT, NULL},
    {"calls in order", "void g(int); void f(int n) { g(n); g(n + 1); }",
     "void g(int); void f(int n) { g(1 + n - 1); g(1 + n); }", REPLAY_EQUAL, NULL},
    {"calls exchanged", "void g(int); void f(int n) { g(n); g(n + 1); }",
     "void g(int); void f(int n) { g(n + 1); g(n); }", REPLAY_DIFFERENT, "`g`"},
    {"memory at a call", "void g(void); void f(float *a) { a[0] = 1; g(); }",
     "void g(void); void f(float *a) { g(); a[0] = 1; }", REPLAY_DIFFERENT, "`g`"},
    {"what a call may change", "void g(float *); float f(float *a) { g(a); return a[0]; }",
     "void g(float *); float f(float *a) { float x = a[0]; g(a); return x; }", REPLAY_DIFFERENT,
     NULL},
    {"functions of the file",
     "static float h(float x) { return x * x; } float f(float x) { return h(x) + 1; }",
     "static float h(float x) { return x * x; } float f(float x) { return x * x + 1; }",
     REPLAY_EQUAL, NULL},
    {"members", "struct p { int n; double *at; }; void f(struct p *p) { for (int i = 0; i < p->n; "
     "i++) p->at[i] *= 2; }",
     "struct p { int n; double *at; }; void f(struct p *p) { int n = p->n; double *at = p->at; for "
     "(int i = 0; i < n; i++) at[i] *= 2; }", REPLAY_EQUAL, NULL},
    {"a product of complex numbers, by parts", COMPLEX "z[i] *= z[i] + 1; }",
     PARTS "{ double r = a[i][0] + 1, p = a[i][0] * r - a[i][1] * a[i][1], "
           "q = a[i][0] * a[i][1] + a[i][1] * r; a[i][0] = p; a[i][1] = q; } }",
     REPLAY_EQUAL, NULL},
    {"a part stored before the other one is made", COMPLEX "z[i] *= z[i] + 1; }",
     PARTS "{ double r = a[i][0] + 1; a[i][0] = a[i][0] * r - a[i][1] * a[i][1]; "
           "a[i][1] = a[i][0] * a[i][1] + a[i][1] * r; } }",
     REPLAY_DIFFERENT, NULL},
    {"a real factor stays real", COMPLEX "z[i] = 2 * z[i] - ~z[i] / 3; }",
     PARTS "{ double p = 2 * a[i][0] - a[i][0] / 3, q = 2 * a[i][1] - -a[i][1] / 3; a[i][0] = p; "
           "a[i][1] = q; } }",
     REPLAY_EQUAL, NULL},
    {"a sum in the wider type", "void f(int n, float _Complex *z, double *d) { *z += d[0]; }",
     "void f(int n, float _Complex *z, double *d) { float *a = (float *)z; a[0] += d[0]; }",
     REPLAY_EQUAL, NULL},
    {"a conjugate that is none", COMPLEX "z[i] = ~z[i]; }",
     PARTS "{ a[i][0] = a[i][0]; a[i][1] = a[i][1]; } }", REPLAY_DIFFERENT, NULL},
    {"parts and comparisons", COMPLEX "if (z[i] != 1) __imag__ z[i] = __real__ z[i]; }",
     PARTS "if (a[i][0] != 1 || a[i][1] != 0.0) a[i][1] = a[i][0]; }", REPLAY_EQUAL, NULL},
    {"a quotient of complex numbers", COMPLEX "z[i] = 1 / z[i]; }",
     PARTS "a[i][0] = a[i][1]; }", REPLAY_UNCHECKED, "complex"},
    {"another member", "struct p { double x, y; }; void f(struct p *p) { p->x = p->y; }",
     "struct p { double x, y; }; void f(struct p *p) { p->y = p->x; }", REPLAY_DIFFERENT, NULL},
    {"pointers that move", "void f(int n, float *a) { for (float *p = a; p < a + n; p++) *p += "
     "1; }",
     "void f(int n, float *a) { for (int i = 0; i < n; i++) a[i] += 1; }", REPLAY_EQUAL, NULL},
    {"switch", "int f(int n) { switch (n & 3) { case 0: return 5; case 1: n++; default: n += 2; "
     "break; case 2: n = 0; } return n; }",
     "int f(int n) { int k = n & 3; if (k == 0) return 5; if (k == 2) return 0; return n + 2 + "
     "(k == "
     "1); }", REPLAY_EQUAL, NULL},
    {"do, break, continue", "int f(int n) { int s = 0, i = 0; do { if (++i == 3) continue; if (i > "
     "n) break; s += i; } while (i < 100); return s; }",
     "int f(int n) { int s = 0; for (int i = 1; i <= n && i <= 100; i++) if (i != 3) s += i; "
     "return "
     "s; }", REPLAY_EQUAL, NULL},
    {"local arrays", "int f(int n) { int a[4] = {1, 2}; return a[n & 3]; }",
     "int f(int n) { return (n & 3) < 2 ? (n & 3) + 1 : 0; }", REPLAY_EQUAL, NULL},
    {"constant tables", "static const int t[3] = {7, 8, 9}; int f(int n) { return t[n & 1]; }",
     "static const int t[3] = {7, 8, 9}; int f(int n) { return n & 1 ? 8 : 7; }", REPLAY_EQUAL,
     NULL},
    {"extents are those of the declaration",
     "float f(int n, float *a) { float (*b)[n] = (float (*)[n])a; n = 1; return b[1][0]; }",
     "float f(int n, float *a) { return a[n]; }", REPLAY_EQUAL, NULL},
    {"variables of the file", "int n; float a[100]; void f(void) { for (int i = 0; i < n; i++) "
     "a[i] "
     "= i; }",
     "int n; float a[100]; void f(void) { for (int i = 1; i < n; i++) a[i] = i; }",
     REPLAY_DIFFERENT, "`a[0]`"},
    {"bytes of one type as another", "int f(float x) { float y = x; return *(int *)&y; }",
     "int f(float x) { return (int)x; }", REPLAY_UNCHECKED, "another"},
    {"memset", "#include <string.h>\nvoid f(int n, float *a) { memset(a, 0, n * sizeof(float)); }",
     "#include <string.h>\nvoid f(int n, float *a) { for (int i = 0; i < n; i++) a[i] = 0; }",
     REPLAY_EQUAL, NULL},
    {"a loop that does not end", "void f(int n, int *a) { for (int i = 0; i < n; i++) a[i] = 0; }",
     "void f(int n, int *a) { for (int i = 0; i < n; ) a[i] = 0; }", REPLAY_DIFFERENT,
     "does not end"},
};

/* Values of expressions as the compiler of this file has them. */
#define VALUE(e) {#e, (long long)(e)}
static const struct {
    const char *text;
    long long value;
} values[] = {
    VALUE((unsigned char)200 + (unsigned char)100),
    VALUE((signed char)(unsigned char)200),
    VALUE((short)70000),
    VALUE(-7 / 2),
    VALUE(-7 % 3),
    VALUE(-7 >> 1),
    VALUE((-7u) / 2),
    VALUE(1u - 2u > 0),
    VALUE(-1L < 1u),
    VALUE((_Bool)0.25),
    VALUE((int)-2.75f),
    VALUE((unsigned char)~5),
    VALUE((5 & 6) | (9 ^ 3)),
    VALUE(1 ? 2 : 3u),
    VALUE(-(short)-32768),
    VALUE((long)1 << 40),
    VALUE((long)(0.1f * 1e9f)),
    VALUE((long)(1e15 / 7)),
    VALUE((unsigned)-1 + 0L),
    VALUE('a' + '\1'),
    VALUE((long)sizeof(double) - 9),
    VALUE(!3.5 || !0),
};

static void values_check(void)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct ctx *ctx = ctx_new();
        ctx->quiet = true;
        char *source = arena_printf(ctx->arena, "long f(void) { return %s; }", values[i].text);
        char *same = arena_printf(ctx->arena, "long f(void) { return %lldL; }", values[i].value);
        char *other = arena_printf(ctx->arena, "long f(void) { return %lldL; }",
                                   values[i].value + 1);
        check_test(&results);
        check_that(&results, result_of(ctx, source, same).verdict == REPLAY_EQUAL, "%s",
                   values[i].text);
        check_that(&results, result_of(ctx, source, other).verdict == REPLAY_DIFFERENT,
                   "%s against one more", values[i].text);
        ctx_free(ctx);
    }
}

/* Where sums are free (ctx->reassociates) grouping and order do not count; terms, products and
   conversions to integers still do. */
static const struct row free_sums[] = {
    {"another grouping", "float f(float x, float y, float z) { return x + y + z; }",
     "float f(float x, float y, float z) { return z + (y + x); }", REPLAY_EQUAL, NULL},
    {"parts from zero", "double f(double x, double y) { return x + y; }",
     "double f(double x, double y) { double s = 0; s += y; return x + s; }", REPLAY_EQUAL, NULL},
    {"a float through a double", "float f(float x, float y) { return x + y; }",
     "float f(float x, float y) { return (double)y + x; }", REPLAY_EQUAL, NULL},
    {"a term twice", "float f(float x, float y) { return x + y; }",
     "float f(float x, float y) { return x + y + y; }", REPLAY_DIFFERENT, NULL},
    {"a term less", "float f(float x, float y) { return x + y; }",
     "float f(float x, float y) { return x + 0 * y; }", REPLAY_DIFFERENT, NULL},
    {"a difference", "float f(float x, float y) { return x - y; }",
     "float f(float x, float y) { return y - x; }", REPLAY_DIFFERENT, NULL},
    {"a product", "float f(float x, float y, float z) { return x * y * z; }",
     "float f(float x, float y, float z) { return x * (y * z); }", REPLAY_DIFFERENT, NULL},
};

static void free_sums_check(void)
{
    for (size_t i = 0; i < sizeof free_sums / sizeof free_sums[0]; i++) {
        struct ctx *ctx = ctx_new();
        ctx->quiet = true;
        ctx->reassociates = true;
        check_test(&results);
        struct replay_result result = result_of(ctx, free_sums[i].source, free_sums[i].made);
        check_that(&results, result.verdict == free_sums[i].verdict, "%s: %s", free_sums[i].what,
                   result.difference ? result.difference : "");
        ctx_free(ctx);
    }
}

static void rows_check(void)
{
    static const char *const verdicts[] = {"same", "equal", "unchecked", "different"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ctx *ctx = ctx_new();
        ctx->quiet = true;
        check_test(&results);
        struct replay_result result = result_of(ctx, rows[i].source, rows[i].made);
        const char *text = result.difference ? result.difference : result.reason;
        check_that(&results, result.verdict == rows[i].verdict, "%s: %s (%s)", rows[i].what,
                   verdicts[result.verdict], text ? text : "");
        check_that(&results, !rows[i].says || (text && strstr(text, rows[i].says)),
                   "%s: says \"%s\"", rows[i].what, text ? text : "");
        ctx_free(ctx);
    }
}

int main(void)
{
    rows_check();
    values_check();
    free_sums_check();
    return check_end(&results, "replay_pairs");
}
