/* Constructors and printing of expressions from text, polynomials both ways, and random expressions
   whose value the interpreter and a C compiler (given the printed text) must agree on, bit by bit.
 */
#include "ir_check.h"
#include "ir/fold.h"
#include "ir/read.h"
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const char scope_text[] = "kernel scope { ring i, u, l, w; param data uniform int i; param "
                                 "data uniform unsigned int u; param data uniform long l;\n"
                                 "param data uniform unsigned long w; param data value double d; "
                                 "param data value float f; param data value short h;\n"
                                 "param data value unsigned char c; param data value _Bool b; "
                                 "global int a[]; global double m[4][4];\n"
                                 "grid int g < 1; block int t < 1; body { } }";

/* Read and printed: what folding, conversion and parentheses make of a text. */
static const struct {
    const char *text, *expected;
} prints[] = {
    {"1 + 2 * 3", "7"},
    {"i + 0", "i"},
    {"0 + i", "i"},
    {"i - 0", "i"},
    {"1 * i", "i"},
    {"i * 1", "i"},
    {"i / 1", "i"},
    {"i * 0", "0"},
    {"a[i] * 0", "a[i] * 0"},
    {"i / 0", "i / 0"},
    {"7 / 0", "7 / 0"},
    {"7 % 0", "7 % 0"},
    {"(-2147483647 - 1) / -1", "(-2147483647 - 1) / -1"},
    {"1 << 32", "1 << 32"},
    {"1 << 31", "(-2147483647 - 1)"},
    {"-7 / 2", "-3"},
    {"-7 % 2", "-1"},
    {"-1 >> 1", "-1"},
    {"4294967295U + 1U", "0U"},
    {"-1 < 1U", "0"},
    {"2147483647 + 1L", "2147483648L"},
    {"2147483648", "2147483648L"},
    {"d + 0", "d + 0.0"},
    {"d * 1", "d * 1.0"},
    {"f * 2", "f * 2.0f"},
    {"f * 2.0", "(double)f * 2.0"},
    {"i * l", "(long)i * l"},
    {"u + i", "u + (unsigned int)i"},
    {"h + c", "(int)h + (int)c"},
    {"(short)70000", "(short)4464"},
    {"(short)3 + i", "3 + i"},
    {"-h", "-(int)h"},
    {"(_Bool)7", "(_Bool)1"},
    {"(int)3.9", "3"},
    {"(int)1e10", "(int)1e+10"},
    {"(unsigned char)-1.0", "(unsigned char)-1.0"},
    {"(long)(unsigned int)-1", "4294967295L"},
    {"(double)(float)0.1", "0.10000000149011612"},
    {"0.1f", "0.1f"},
    {"!3", "0"},
    {"!i", "!i"},
    {"~5", "-6"},
    {"-(-i)", "-(-i)"},
    {"- -5", "5"},
    {"i - -5", "i - -5"},
    {"i - (-i)", "i - -i"},
    {"(i + l) * 2", "((long)i + l) * 2L"},
    {"i - (i - i)", "i - (i - i)"},
    {"(i - i) - i", "i - i - i"},
    {"i * (i / i)", "i * (i / i)"},
    {"i & i | i", "(i & i) | i"},
    {"i + i << 1", "(i + i) << 1"},
    {"i && i || i", "(i && i) || i"},
    {"(i < i) == i", "(i < i) == i"},
    {"i < i && i", "i < i && i"},
    {"1 && i < 2", "i < 2"},
    {"1 && i", "1 && i"},
    {"0 && a[i]", "0"},
    {"i || 1", "1"},
    {"a[i] || 1", "a[i] || 1"},
    {"i ? 1 : 2.0", "i ? 1.0 : 2.0"},
    {"1 ? i : l", "(long)i"},
    {"i ? i : i ? i : 2", "i ? i : i ? i : 2"},
    {"(i ? i : i) ? i : 2", "(i ? i : i) ? i : 2"},
    {"m[i + 1][h] + 1", "m[i + 1][h] + 1.0"},
    {"fmin(i, 2)", "fmin((double)i, 2.0)"},
    {"sqrtf(d)", "sqrtf((float)d)"},
    {"labs(i)", "labs((long)i)"},
    {"1e300 * 1e300", "1e+300 * 1e+300"},
    {"(double)INFINITY", "(double)INFINITY"},
    {"-INFINITY", "-INFINITY"},
    {"5UL", "5UL"},
    {"18446744073709551615UL", "18446744073709551615UL"},
    {"0x10", "16"},
    {"010", "8"},
    {"i << 2L", "i << 2L"},
    {"c << 2", "(int)c << 2"},
    {"(i = 3)", NULL},
    {"i +", NULL},
    {"a", NULL},
    {"m[i]", NULL},
    {"d % 2", NULL},
    {"~d", NULL},
    {"a[d]", NULL},
    {"a[1][2]", NULL},
    {"i i", NULL},
    {"fmin(d)", NULL},
    {"0x", NULL},
    {"1.5.2", NULL},
    {"08", NULL},
    {"", NULL},
};

static void check_prints(struct check *check, struct ctx *ctx, const struct kernel *scope)
{
    check_test(check);
    for (size_t i = 0; i < sizeof prints / sizeof *prints; i++) {
        const struct expr *e = expr_read(ctx, check_source(ctx, prints[i].text), scope);
        const char *text = e ? expr_text(ctx->arena, e) : NULL;
        if (!check_that(check,
                        !text == !prints[i].expected &&
                            (!text || strcmp(text, prints[i].expected) == 0),
                        "'%s' became '%s', not '%s'", prints[i].text, text ? text : "(refused)",
                        prints[i].expected ? prints[i].expected : "(refused)") ||
            !e)
            continue;
        const struct expr *again = expr_read(ctx, check_source(ctx, text), scope);
        check_that(check, again && expr_equal(e, again), "'%s' does not read back as itself", text);
    }
}

static const struct {
    const char *text, *poly;
} polys[] = {
    {"(i + 2) * (i - 2)", "i^2 - 4"},
    {"i * l - (long)u", "i*l - u"},
    {"-(i << 3)", "-8*i"},
    {"i / 2", NULL},
    {"i % 2", NULL},
    {"a[0]", NULL},
    {"i < 2", NULL},
    {"i ? 1 : 2", NULL},
    {"abs(i)", NULL},
    {"d", NULL},
    {"(_Bool)i", NULL},
    {"18446744073709551615UL", NULL},
    {"0 * i", "0"},
    {"5 - 2 * i", "-2*i + 5"},
};

static const struct var *find_var(void *state, const char *name)
{
    const struct param *param = kernel_param(state, name);
    return param ? param->var : NULL;
}

static void check_polys(struct check *check, struct ctx *ctx, struct kernel *scope)
{
    check_test(check);
    for (size_t i = 0; i < sizeof polys / sizeof *polys; i++) {
        const struct expr *e = expr_read(ctx, check_source(ctx, polys[i].text), scope);
        const struct poly *p = expr_poly(scope->ring, e);
        const char *text = p ? poly_text(ctx->arena, p) : NULL;
        if (!check_that(check, !p == !polys[i].poly && (!p || strcmp(text, polys[i].poly) == 0),
                        "'%s' is '%s'", polys[i].text, text ? text : "(none)") ||
            !p)
            continue;
        const struct expr *back = poly_expr(ctx->arena, p, TYPE_I64, find_var, scope);
        const struct poly *again = back ? expr_poly(scope->ring, back) : NULL;
        check_that(check, again && poly_equal(p, again) && back->type == TYPE_I64,
                   "'%s' came back as '%s'", text, back ? expr_text(ctx->arena, back) : "(none)");
    }
    struct str power = str_new(ctx->arena);
    for (int i = 0; i < 60; i++)
        str_addf(&power, "%s(i + u + l + w + 1)", i ? " * " : "");
    const struct expr *huge = expr_read(ctx, check_source(ctx, power.text), scope);
    check_that(check, huge && !expr_poly(scope->ring, huge),
               "a polynomial of 600000 terms was expanded");
    const struct poly *half = poly_scale(poly_variable(scope->ring, 0), 1, 2);
    check_that(check, !poly_expr(ctx->arena, half, TYPE_I64, find_var, scope),
               "i/2 became an expression");
}

/* What is evaluated to a value, and what has none; i is 2^31 - 1, l is 2^62, u is 7. */
static const struct {
    const char *text;
    bool ok;
    int64_t value;
} extents[] = {
    {"i * 2", false, 0},
    {"l + l", false, 0},
    {"l - 1 + l", true, INT64_MAX},
    {"i / 0", false, 0},
    {"u - 8U", true, 4294967295},
    {"i / (i - i)", false, 0},
    {"(i - 2) / (2 * 3)", true, 357913940},
    {"i > 3 ? 1 : i / 0", true, 1},
    {"-7 % 3 + u * 0", true, 4294967295},
    {"0 && i / 0", true, 0},
    {"l * 2 / 2", false, 0},
    {"(short)i", false, 0},
    {"a[0]", false, 0},
    {"(int)d", false, 0},
};

static void check_extents(struct check *check, struct ctx *ctx, const struct kernel *scope)
{
    check_test(check);
    union value params[9] = {{.integer = INT32_MAX}, {.integer = 7}, {.integer = (int64_t)1 << 62}};
    for (size_t i = 0; i < sizeof extents / sizeof *extents; i++) {
        union value value = {0};
        const struct expr *e = expr_read(ctx, check_source(ctx, extents[i].text), scope);
        bool ok = e && expr_evaluate(scope, e, params, &value);
        check_that(check, ok == extents[i].ok && (!ok || value.integer == extents[i].value),
                   "'%s': %d, %lld", extents[i].text, ok, (long long)value.integer);
    }
}

/* Random expressions over one local of each type. */
struct garden {
    struct arena *arena;
    uint64_t state;
    const struct var *vars[TYPE_COUNT];
};

static const struct expr *grow(struct garden *g, int depth);

static const struct expr *grow_leaf(struct garden *g)
{
    enum type type = (enum type)(check_random(&g->state) % TYPE_COUNT);
    static const int64_t integers[] = {0,   1,     2,         3,         7,         -1,
                                       255, 65536, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    static const double reals[] = {0.0, -0.0, 1.0, 0.1, -2.5, 1e10, 3e-40, 16777217.0, 1e30};
    if (check_random(&g->state) % 3)
        return expr_var(g->arena, g->vars[type]);
    if (type_is_floating(type))
        return expr_real(g->arena, type, reals[check_random(&g->state) % 9]);
    return expr_integer(g->arena, type, integers[check_random(&g->state) % 12]);
}

static const struct expr *to_integer(struct garden *g, const struct expr *e)
{
    return type_is_floating(e->type) ? expr_binary(g->arena, OP_LT, e, grow_leaf(g)) : e;
}

static const struct expr *grow_call(struct garden *g, int depth)
{
    static const char *const names[] = {"sqrt", "fabs", "floor",    "fmin", "fma",
                                        "exp",  "fmod", "copysign", "cbrt"};
    static const int counts[] = {1, 1, 1, 2, 3, 1, 2, 2, 1};
    size_t i = check_random(&g->state) % 9;
    bool single = check_random(&g->state) % 2;
    const struct expr *arguments[3];
    for (int k = 0; k < counts[i]; k++)
        arguments[k] = grow(g, depth - 1);
    return expr_call(g->arena, single ? TYPE_F32 : TYPE_F64,
                     arena_printf(g->arena, "%s%s", names[i], single ? "f" : ""), arguments,
                     counts[i]);
}

static const struct expr *grow_binary(struct garden *g, int depth)
{
    enum op op = (enum op)(OP_ADD + check_random(&g->state) % (OP_LOR - OP_ADD + 1));
    const struct expr *a = grow(g, depth - 1), *b = grow(g, depth - 1);
    if (op >= OP_REM && op <= OP_XOR) {
        a = to_integer(g, a);
        b = to_integer(g, b);
    }
    if (op == OP_SHL || op == OP_SHR)
        b = expr_binary(g->arena, OP_AND, b, expr_integer(g->arena, TYPE_I32, 31));
    return expr_binary(g->arena, op, a, b);
}

static const struct expr *grow(struct garden *g, int depth)
{
    if (depth == 0)
        return grow_leaf(g);
    switch (check_random(&g->state) % 10) {
    case 0: return expr_unary(g->arena, OP_NEG, grow(g, depth - 1));
    case 1: return expr_unary(g->arena, OP_NOT, grow(g, depth - 1));
    case 2: return expr_unary(g->arena, OP_COMPLEMENT, to_integer(g, grow(g, depth - 1)));
    case 3:
        return expr_cast(g->arena, (enum type)(check_random(&g->state) % TYPE_COUNT),
                         grow(g, depth - 1));
    case 4:
        return expr_select(g->arena, grow(g, depth - 1), grow(g, depth - 1), grow(g, depth - 1));
    case 5: return grow_call(g, depth);
    default: return grow_binary(g, depth);
    }
}

/* One value per type, in the representation of the interpreter; the same text for C. */
static union value start_value(enum type type)
{
    if (type_is_floating(type))
        return (union value){.real = type == TYPE_F32 ? (double)-3.7f : 1234.5678};
    return (union value){.integer =
                             type_wrap(type, (int64_t)0x9e3779b97f4a7c15u >> (7 * (int)type))};
}

/* The kernel `r[0] = e` with the variables as block-level locals. */
static struct kernel *wrap(struct garden *g, struct ctx *ctx, const struct expr *e,
                           struct array *result)
{
    static const char shell[] = "kernel k { global int none[1]; grid int g < 1; block int t < 1; "
                                "body { band (int t < 1) { } } }";
    const struct expr *zero = expr_integer(g->arena, TYPE_I32, 0);
    const struct stmt *parts[TYPE_COUNT + 1];
    struct kernel *k = kernel_copy(g->arena, kernel_read(ctx, check_source(ctx, shell)));
    for (int type = 0; type < TYPE_COUNT; type++) {
        union value v = start_value((enum type)type);
        parts[type] = stmt_let(g->arena, g->vars[type],
                               type_is_floating((enum type)type)
                                   ? expr_real(g->arena, (enum type)type, v.real)
                                   : expr_integer(g->arena, (enum type)type, v.integer));
    }
    parts[TYPE_COUNT] = stmt_store(g->arena, result, &zero, e, loc_none());
    const struct array **arrays = ARENA_ARRAY(g->arena, const struct array *, 1);
    arrays[0] = result;
    k->arrays = arrays;
    k->body =
        stmt_band(g->arena, k->block, 1, false, stmt_sequence(g->arena, parts, TYPE_COUNT + 1));
    return k;
}

/* The bits of a result as C prints them. */
static void print_bits(struct str *out, enum type type, const unsigned char *bytes)
{
    uint64_t bits = 0;
    if (type_is_floating(type) && isnan(value_load(type, bytes).real)) {
        str_add(out, "nan\n");
        return;
    }
    memcpy(&bits, bytes, type_bytes(type));
    str_addf(out, "%llx\n", (unsigned long long)bits);
}

static void print_program_head(struct str *c)
{
    str_add(c, "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
               "#define P(T, e) do { T x = (e); unsigned long long b = 0; memcpy(&b, &x, sizeof x);"
               " if (x != x) puts(\"nan\"); else printf(\"%llx\\n\", b); } while (0)\n");
    for (int type = 0; type < TYPE_COUNT; type++) {
        union value v = start_value((enum type)type);
        struct arena *arena = c->arena;
        const struct expr *e = type_is_floating((enum type)type)
                                   ? expr_real(arena, (enum type)type, v.real)
                                   : expr_integer(arena, (enum type)type, v.integer);
        str_addf(c, "volatile %s v%d = %s;\n", type_name((enum type)type), type,
                 expr_text(arena, e));
    }
    str_add(c, "int main(void) {\n");
}

/* Compiles and runs; what it printed, or NULL without a compiler. */
static char *run_c(struct ctx *ctx, const char *text)
{
    const char *base = getenv("TMPDIR");
    char *folder = arena_printf(ctx->arena, "%s/ir_expr_XXXXXX", base ? base : "build");
    if (!mkdtemp(folder))
        return NULL;
    const char *path = arena_printf(ctx->arena, "%s/x.c", folder),
               *program = arena_printf(ctx->arena, "%s/x", folder);
    char *output = NULL;
    if (file_write(ctx, path, text, strlen(text)) &&
        system(arena_printf(
            ctx->arena,
            "cc -w -std=c11 -O0 -fwrapv -fno-builtin -ffp-contract=off -o %s %s -lm && %s > %s.out",
            program, path, program, program)) == 0)
        output = file_read(ctx, arena_printf(ctx->arena, "%s.out", program), NULL);
    remove(arena_printf(ctx->arena, "%s.out", program));
    remove(program);
    remove(path);
    rmdir(folder);
    return output;
}

static void compare_lines(struct check *check, const char *mine, const char *theirs,
                          const char *const *texts, uint64_t seed)
{
    for (int line = 0; *mine; line++) {
        size_t n = strcspn(mine, "\n"), m = strcspn(theirs, "\n");
        check_that(check, n == m && memcmp(mine, theirs, n) == 0,
                   "seed %llu: '%s' is %.*s in C, %.*s here", (unsigned long long)seed, texts[line],
                   (int)m, theirs, (int)n, mine);
        mine += n + 1;
        theirs += m + (theirs[m] != 0);
    }
}

static void check_random_values(struct check *check, uint64_t seed, int rounds)
{
    check_test(check);
    struct ctx *ctx = check_ctx();
    struct garden g = {.arena = ctx->arena, .state = seed};
    struct str c = str_new(ctx->arena), mine = str_new(ctx->arena);
    const char **texts = ARENA_ARRAY(ctx->arena, const char *, rounds);
    const struct expr *const open = NULL;
    int n = 0;
    for (int type = 0; type < TYPE_COUNT; type++)
        g.vars[type] =
            var_new(ctx->arena, arena_printf(ctx->arena, "v%d", type), (enum type)type, VAR_LOCAL);
    print_program_head(&c);
    for (int round = 0; round < rounds; round++) {
        unsigned char bytes[8] = {0};
        const struct expr *e = grow(&g, 1 + (int)(check_random(&g.state) % 4));
        struct array result = {.name = "r", .element = e->type, .n_dims = 1, .dims = &open};
        struct kernel *k = wrap(&g, ctx, e, &result);
        struct interpret_array array = {bytes, 1};
        struct interpret_input input = {.arrays = &array};
        struct interpret_result r = interpret_threads(ctx->arena, k, &input);
        check_that(check, kernel_verify(ctx, k), "seed %llu: %s", (unsigned long long)seed,
                   ctx->last);
        check_that(check, r.status == INTERPRET_DONE || r.status == INTERPRET_ARITHMETIC, "%s",
                   r.message);
        if (r.status != INTERPRET_DONE)
            continue;
        texts[n++] = expr_text(ctx->arena, e);
        str_addf(&c, "P(%s, %s);\n", type_name(e->type), texts[n - 1]);
        print_bits(&mine, e->type, bytes);
    }
    str_add(&c, "return 0; }\n");
    char *theirs = run_c(ctx, c.text);
    check_that(check, n > rounds / 2, "seed %llu: only %d of %d expressions have a value",
               (unsigned long long)seed, n, rounds);
    if (theirs)
        compare_lines(check, mine.text, theirs, texts, seed);
    else
        check->skipped++;
    ctx_free(ctx);
}

int main(void)
{
    struct check check = {0};
    struct ctx *ctx = check_ctx();
    struct kernel *scope = kernel_read(ctx, check_source(ctx, scope_text));
    if (check_that(&check, scope, "not read: %s", ctx->last)) {
        check_prints(&check, ctx, scope);
        check_polys(&check, ctx, scope);
        check_extents(&check, ctx, scope);
    }
    ctx_free(ctx);
    check_random_values(&check, 20262, 600);
    check_random_values(&check, 977, 600);
    return check_end(&check, "ir_expr");
}
