/* Who may write a variable: for the variable `x` of a text, the ways of the last statement of the
   function `f`, as words. */
#include "frontend/ask.h"
#include "frontend/writes.h"
#include "tests/unit/check.h"
#include <string.h>

static struct check results;

#define F(parameters, before, last) "void f(" parameters ") { " before " { " last " } }"

static const struct {
    const char *text, *ways;
} rows[] = {
    {F("int x", "", "int y = x;"), ""},
    {F("int x", "", "x = 1;"), " name"},
    {F("int x", "", "x++;"), " name"},
    {F("int x", "x = 1;", ";"), ""},
    {F("int x", "", "int *p = &x;"), " address"},
    {F("void", "struct { int m, a[3]; } x;", "x.m = 1;"), " name"},
    {F("void", "struct { int m, a[3]; } x;", "x.a[1] = 1;"), " name"},
    {F("void", "struct { int m; } x;", "int *p = &x.m;"), " address"},
    {"struct s { int m; };" F("struct s *x", "", "x->m = 1;"), ""},
    {F("int *x", "", "x[1] = 1;"), ""},
    {F("int *x", "", "x += 1;"), " name"},
    {F("void", "int x[3];", "x[1] = 1;"), ""},
    /* Nobody else knows a local variable. */
    {"void g(void);" F("int x, int *p", "", "g(); *p = 1;"), ""},
    {"void g(int *);" F("int x, int *p", "g(&x);", "g(0); *p = 1;"), " call store"},
    {"void g(int *);" F("int x, int *p", "*p = 1; g(&x);", "g(0);"), " call"},
    {F("int x, float *p", "int *q = &x;", "*p = 1;"), ""},
    {F("int x, unsigned *p", "int *q = &x;", "*p = 1;"), " store"},
    {F("double x, char *p", "double *q = &x;", "p[0] = 1;"), " store"},
    {F("int x, int *restrict p", "int *q = &x;", "p[0] = 1;"), ""},
    {F("int x, int p[]", "int *q = &x;", "p[0] = 1;"), " store"},
    {F("int x", "int *q = &x; int a[3];", "a[0] = *a = 1;"), ""},
    {"struct s { int m; };" F("int x, struct s *p", "int *q = &x;", "p->m = 1;"), " store"},
    {"struct s { int m; };" F("int x, struct s *p", "int *q = &x;", "*p = *p;"), " store"},
    {F("int x", "int *q = &x;", "asm(\"\");"), " call"},
    {F("int *x, int **p", "p = &x;", "*p = *p;"), " store"},
    /* Other functions and pointers from anywhere reach a variable of static storage. */
    {"int x; void g(void);" F("void", "", "g();"), " call"},
    {"int x; static int g(int y) { return y; }" F("void", "", "g(1);"), " call"},
    {"int x; void f(int *p) { { *p = 1; } }", " store"},
    {F("int *p", "static int x;", "*p = 1;"), " store"},
    {"int x, a[3]; void f(void) { { a[0] = 1; } }", ""},
    {"const int x = 1; void g(void); void f(int *p) { { g(); *p = 1; } }", ""},
    {"volatile int x; void f(void) { { ; } }", " name address call store"},
    /* Functions known by name change nothing, their arguments may. */
    {"#include <math.h>\nint x; double y; void f(void) { { y = sqrt(y) + fmaxf(1, 2); } }", ""},
    {"#include <math.h>\nint x; double y; void f(void) { { y = isnan(y) + lround(y); } }", ""},
    {"#include <math.h>\nint x; double y; void f(void) { { y = sqrt(x++); } }", " name"},
    {"#include <assert.h>\nint x; void f(void) { { assert(x > 1); } }", ""},
    {"#include <metafork.h>\nint x; void f(int n, int *a) { { meta_schedule { meta_for (int i = 0; "
     "i < n; i++) a[i] = 1; } } }", ""},
};

static const struct ast *variable_find(struct arena *arena, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, root); n; n = ast_next(&walk))
        if ((n->kind == AST_VARIABLE || n->kind == AST_PARAMETER) && !strcmp(n->name, "x"))
            return n;
    return NULL;
}

static char *ways_text(struct arena *arena, unsigned ways)
{
    static const char *const words[] = {" name", " address", " call", " store"};
    struct str out = str_new(arena);
    for (int i = 0; i < 4; i++)
        str_add(&out, ways >> i & 1 ? words[i] : "");
    return out.text;
}

static void check_row(struct ctx *ctx, const char *text, const char *expected)
{
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    *source = (struct source){.path = "t.c", .text = text, .length = strlen(text)};
    struct ast_unit *unit = ast_parse(ctx, source, NULL, 0);
    const struct ast *variable = NULL, *body = NULL;
    for (size_t i = 0; unit && i < unit->n_declarations; i++) {
        const struct ast *decl = unit->declarations[i];
        body = decl->kind == AST_FUNCTION ? ast_body(unit, decl) : NULL;
        const struct ast *found = variable_find(ctx->arena, decl);
        found = found ? found : variable_find(ctx->arena, body);
        variable = found ? found : variable;
    }
    const struct ast *last = body ? body->children[body->n_children - 1] : NULL;
    unsigned ways = last && variable ? ast_ways(body, last, variable) : 16;
    bool good = last && variable && !strcmp(ways_text(ctx->arena, ways), expected);
    good = good && ast_may_write(body, last, variable) == (ways != 0);
    results.passed += good;
    results.failed += !good;
    if (!good)
        printf("FAIL %s: not \"%s\" but \"%s\"\n", text, expected, ways_text(ctx->arena, ways));
}

int main(void)
{
    check_test(&results);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ctx *ctx = ctx_new();
        check_row(ctx, rows[i].text, rows[i].ways);
        ctx_free(ctx);
    }
    return check_end(&results, "frontend_writes");
}
