/* The front end: text in, printed nodes out, for what libclang hides; diagnostics with places; bad
   input of every kind. */
#include "frontend/ast.h"
#include "tests/unit/check.h"
#include <stdlib.h>
#include <string.h>

static struct check results;

static void check(bool good, const char *what, const char *detail)
{
    results.passed += good;
    results.failed += !good;
    if (!good)
        printf("FAIL %s: %s\n", what, detail);
}

/* Prints the AST of `text`; "" if it was refused, with the diagnostics in *messages. */
static char *tree_of(struct ctx *ctx, const char *text, size_t length, char **messages)
{
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    size_t size;
    *source = (struct source){.path = "t.c", .text = text, .length = length};
    ctx->diagnostics = open_memstream(messages, &size);
    struct ast_unit *unit = ast_parse(ctx, source, NULL, 0);
    struct str out = str_new(ctx->arena);
    if (unit)
        ast_unit_print(&out, unit);
    fclose(ctx->diagnostics);
    ctx->diagnostics = stderr;
    return out.text;
}

static const struct {
    const char *text, *node;   /* a line that the print must contain */
} shown[] = {
    {"void f(int n, float a[n][2 * n]) {}", "parameter a : float[n][2 * n] @1:21 [14, 31)"},
    {"int x = sizeof(double) + 'c';", "sizeof 8 : unsigned long"},
    {"int x = 'c';", "character 99 : int"},
    {"float x = 0x1.8p1f;", "real 0x1.8p+1 : float"},
    {"double f(int n) { return n; }", "cast implicit : double"},
    {"double f(int n) { return (double)n; }", "cast : double"},
    {"enum { K = 7 }; int f(void) { return K; }", "integer 7 : int"},
    {"#define TWICE(x) (2 * (x))\nint f(int n) { return TWICE(n); }", "binary * : int @2:23"},
    {"void f(int n) { for (; n < 3;) n++; }", "for @1:17"},
    {"void f(int n) { n <<= 2L; }", "assignment <<= : int"},
    {"void f(float *a) { a[1] += 2; }", "assignment += : float"},
    {"#include <metafork.h>\nvoid f(int n) { meta_schedule { meta_for (int i = 0; i < n; i++) ; } "
     "}",
     "meta_schedule __treefork_schedule_0 @2:17 [38, 90)"},
    {"#include <metafork.h>\nvoid f(int n) { meta_schedule { meta_for (int i = 0; i < n; i++) ; } "
     "}",
     "meta_for @2:33 [54, 88)"},
    {"#include <metafork.h>\nvoid f(int n, int *a) { meta_schedule cache(a) { meta_for (int i = 0; "
     "i < n; i++) ; } }",
     "reference a : int * @2:45"},
    {"#include <metafork.h>\nvoid f(int n, int *a) { meta_schedule meta_cache(a) { meta_for (int i "
     "= 0; i < n; i++) ; } }",
     "reference a : int * @2:50"},
    {"#define METAFORK_LONG_NAMES\n#include <metafork.h>\nint cache(int); void f(int *a) { "
     "meta_schedule meta_cache(a) { cache(*a); } }",
     "call cache : int @3:64"},
    {"int cache(int); int f(int n) { return cache(n); }", "call cache : int @1:39"},
    {"#include <metafork.h>\n#define EACH int i = 0; i < 3; i++\nvoid f(void) { meta_schedule { "
     "meta_for (EACH) { } } }",
     "meta_for @3:32"},
    {"#include <metafork.h>\nvoid f(int *a) {\n    meta_schedule\n#ifndef X\n    cache(a)\n#else\n "
     "   cache()\n#endif\n    { } }",
     "reference a : int * @5:11"},
    {"#include <metafork.h>\nint f(int cache) { return (cache); }", "reference cache : int @2:28"},
    {"#include <assert.h>\nvoid f(int n) { assert(n > 2); }",
     "call __treefork_assert : void @2:17"},
    {"void f(int n) {\n#pragma unroll\nfor (int i = 0; i < n; i++) ; }", "for @3:1"},
    {"float w[4] = {1, [2] = 3};", "designated initialiser"},
    {"typedef unsigned char byte; byte b = 3;", "variable b : byte"},
    {"unsigned long x = 0xffffffffffffffffu;", "integer -1 : unsigned long"},
    {"int f(int n) { return ({ int t = n; t; }); }", "statement expression : int"},
    {"int f(int n) { return n ? 1 : 2; }", "conditional : int"},
};

static void check_shown(void)
{
    check_test(&results);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        struct ctx *ctx = ctx_new();
        char *messages;
        char *tree = tree_of(ctx, shown[i].text, strlen(shown[i].text), &messages);
        check(strstr(tree, shown[i].node) != NULL, shown[i].node,
              arena_printf(ctx->arena, "%s%s", tree, messages));
        free(messages);
        ctx_free(ctx);
    }
}

/* The parts of a `for` stand in their places whatever is missing. */
static void check_for_parts(void)
{
    check_test(&results);
    static const char *const heads[] = {"for (;;)",           "for (n = 1;;)",
                                        "for (; n < 1;)",     "for (;; n++)",
                                        "for (n = 1;; n++)",  "for (n = 1; n < 1;)",
                                        "for (; n < 1; n++)", "for (n = 1; n < 1; n++)"};
    static const int absent[] = {7, 6, 5, 3, 2, 4, 1, 0};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct ctx *ctx = ctx_new();
        char *messages, *text = arena_printf(ctx->arena, "void f(int n) { %s ; }", heads[i]);
        const char *at = strstr(tree_of(ctx, text, strlen(text), &messages), "for @");
        int mask = 0, part = 0;
        for (const char *line = at ? strchr(at, '\n') : NULL; line && part < 3;
             line = strchr(line + 1, '\n')) {
            size_t indent = strspn(line + 1, " ");
            if (indent == 6)
                mask |= (line[7] == '-') << part++;
        }
        check(mask == absent[i], heads[i],
              arena_printf(ctx->arena, "absent parts %d, expected %d", mask, absent[i]));
        free(messages);
        ctx_free(ctx);
    }
}

static const struct {
    const char *text, *message;
} refused[] = {
    {"int f(void) { return x; }",
     "t.c:1:22: error: use of undeclared identifier 'x'\nint f(void) { return x; }\n"
     "                     ^\n"},
    {"#include \"nowhere.h\"\n", "t.c:1:10: error: 'nowhere.h' file not found"},
    {"int f(void) {\n\treturn 1 +;\n}",
     "t.c:2:12: error: expected expression\n\treturn 1 +;\n\t          ^\n"},
    {"#include <metafork.h>\nvoid f(int n) { meta_schedule cache(q) { meta_for (int i = 0; i < n; "
     "i++) ; } }",
     "t.c:2:37: error: use of undeclared identifier 'q'"},
    {"#include <metafork.h>\nfloat cache(float x);\n",
     "t.c:2:7: error: `cache` is a mark of metafork.h and stands directly behind "
     "meta_schedule, so no function can bear this name: rename it, or define METAFORK_LONG_NAMES "
     "above"},
    {"float cache(float x);\n#include <metafork.h>\n", "t.c:1:7: error: `cache` is a mark"},
    {"#include <metafork.h>\nint f(int n) { return cache(n); }",
     "t.c:2:23: error: `cache` is a mark"},
    {"#include <metafork.h>\nint f(int n) { meta_schedule { cache(n); } }",
     "t.c:2:32: error: `cache` is a mark"},
    {"#include <metafork.h>\nvoid f(int n) { meta_cache(n); }",
     "t.c:2:17: error: `meta_cache` is a mark"},
    {"#define METAFORK_LONG_NAMES\n#include <metafork.h>\nvoid f(int n) { meta_cache(n); }",
     "t.c:3:17: error: `meta_cache`"},
    {"#include <metafork.h>\nvoid meta_for(int n);\n", "t.c:2:6: error: `meta_for` is a mark"},
    {"#include <metafork.h>\nvoid f(int n) { meta_for(n); }",
     "t.c:2:17: error: `meta_for` is a mark"},
    {"#include <metafork.h>\nvoid f(int n) { meta_schedule(n); }",
     "t.c:2:17: error: `meta_schedule` is a mark"},
    {"void f(int n) {\n    meta_schedule { meta_for (int i = 0; i < n; i++) ; } }",
     "t.c:2:5: error: `meta_schedule` means nothing without `#include <metafork.h>`; include it "
     "above"},
    {"int x = 1;\nint x = 2;\n", "t.c:1:5: note: previous definition is here"},
};

static void check_refused(void)
{
    check_test(&results);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct ctx *ctx = ctx_new();
        char *messages;
        char *tree = tree_of(ctx, refused[i].text, strlen(refused[i].text), &messages);
        check(!*tree && ctx->errors > 0, "is refused", refused[i].text);
        check(strstr(messages, refused[i].message) != NULL, refused[i].message, messages);
        free(messages);
        ctx_free(ctx);
    }
}

static void check_quiet(const char *what, const char *text, size_t length, bool accepted)
{
    struct ctx *ctx = ctx_new();
    char *messages;
    tree_of(ctx, text, length, &messages);
    check((ctx->errors == 0) == accepted, what, messages);
    free(messages);
    ctx_free(ctx);
}

static char *repeated(struct arena *arena, const char *begin, const char *middle, int n,
                      const char *end)
{
    struct str s = str_new(arena);
    str_add(&s, begin);
    for (int i = 0; i < n; i++)
        str_add(&s, middle);
    str_add(&s, end);
    return s.text;
}

static void check_bad_input(void)
{
    check_test(&results);
    struct arena *arena = arena_new();
    char binary[512];
    for (size_t i = 0; i < sizeof binary; i++)
        binary[i] = (char)(i * 167 + 13);
    check_quiet("empty file", "", 0, true);
    check_quiet("binary garbage", binary, sizeof binary, false);
    check_quiet("NUL bytes", "int x;\0\0int y;", 15, false);
    check_quiet("no end of line", "int x", 5, false);
    char *sum = repeated(arena, "int f(int n) { return n", " + n", 400, "; }");
    check_quiet("a sum of 400 terms", sum, strlen(sum), true);
    static const char *const links[] = {
        "- ", "(int)", "n ? 1 : ", "n = ", "n && ", "sizeof ", "1 + "};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        for (int n = 900; n <= test_scale(9000, 30000); n *= test_scale(9, 27)) {
            char *deep = repeated(arena, "int f(int n) { return ", links[i], n, "n; }");
            check_quiet(links[i], deep, strlen(deep), n == 900);
        }
    static const char *const heads[] = {"if (n) ", "for (; n;) ", "while (n) ",
                                        "n ? n-- : ", "if (n) { n--; } else "};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        for (int n = 300; n <= test_scale(3000, 30000); n *= test_scale(10, 100)) {
            char *deep = repeated(arena, "void f(int n) { ", heads[i], n, "n; }");
            check_quiet(heads[i], deep, strlen(deep), n == 300);
        }
    char *layers = repeated(arena, "int a", "[1]", 3000, ";");
    check_quiet("3000 dimensions", layers, strlen(layers), true);
    char *braces = repeated(arena, "void f(void) {", "{", 5000, "");
    check_quiet("5000 braces", braces, strlen(braces), false);
    char *many = repeated(arena, "", "@ ", 5000, "");
    check_quiet("5000 errors", many, strlen(many), false);
    arena_free(arena);
}

int main(void)
{
    check_shown();
    check_for_parts();
    check_refused();
    check_bad_input();
    return check_end(&results, "frontend_ast");
}
