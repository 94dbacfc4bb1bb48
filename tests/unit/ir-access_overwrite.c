/* Which arrays every launch overwrites: a table of stores with the answer that is expected, and
   random nests whose answers are compared with traces at small parameter points. In the nests
   digits, guards, reversals, pieces and reads are drawn so that many are overwritten and the others
   just not. The seed is printed; arguments: seed, number of kernels. */
#include "tests/unit/draw.h"
#include "tests/unit/ir-access_judge.h"

enum { KERNELS = 250, POINTS = 14, TRIES = 60 };

struct row {
    const char *grid, *body;
    /* Is `a` of n rows and m columns (a flat array of n * m: `f`, an open one: `o`; a square: `q`)?
       NULL: no; else the conditions, which may be none. */
    const char *overwritten;
};

#define ALWAYS ""

/* Grid g and h, block l and e of B and C threads; s is a tunable. */
static const char *const CEIL = "grid int g < (n + B - 1) / B; grid int h < (m + C - 1) / C;";
static const char *const FLOOR = "grid int g < n / B; grid int h < m / C;";
static const char *const PIECES =
    "grid int g < (n + s * B - 1) / (s * B); grid int h < (m + C - 1) / C;";

static const char *const SQUARE = "grid int g < (n + B - 1) / B; grid int h < (n + C - 1) / C;";

#define I "(g * B + l)"
#define J "(h * C + e)"
#define IN I " < n && " J " < m"
#define IJN I " < n && " J " < n"
#define BAND(text) "band (int l < B, int e < C) { " text " } "
#define ROUNDS(count, text) "for (int p = 0; p < " count "; p += 1) { " text " }"
#define ADD "a[" I "][" J "] = a[" I "][" J "] + b[p];"
static const struct row ROWS[] = {
    {"ceil", "if (" I " < n && " J " < m) { a[" I "][" J "] = 1; }", ALWAYS},
    {"floor", "a[" I "][" J "] = 1;",
     "(long)B * (long)(n / B) >= (long)n and (long)C * (long)(m / C) >= (long)m"},
    {"ceil", "if (g * B < n && " I " < n && " J " < m && " J " < m + e) { a[" I "][" J "] = 1; }",
     ALWAYS},
    {"ceil", "if (" I " < n - 1 && " I " <= n - 2 && " J " < m) { a[" I "][" J "] = 1; }", NULL},
    {"ceil", "if (g * B < n - 1 && " I " < n && " J " < m) { a[" I "][" J "] = 1; }", NULL},
    {"floor", "if (" I " < n - 1) { a[" I "][" J "] = 1; }", NULL},
    {"floor", "if (" I " >= 1) { a[" I "][" J "] = 1; }", NULL},
    {"ceil", "if (" I " < n - 1 && " J " < m) { a[" I "][" J "] = 1; }", NULL},
    {"ceil", "if (" I " >= 1 && " I " < n && " J " < m) { a[" I "][" J "] = 1; }", NULL},
    {"ceil", "if (" I " < n && " J " < m) { a[n - 1 - " I "][" J "] = 1; }", ALWAYS},
    {"ceil", "if (" I " < n && " J " < m && " J " <= " I ") { a[" I "][" J "] = 1; }", NULL},
    {"ceil", "if (" I " < n && " J " < m && t > 0) { a[" I "][" J "] = 1; }", "(long)t >= 1L"},
    {"ceil", "if (" I " < n && " J " < m && b[" I "] > 0) { a[" I "][" J "] = 1; }", NULL},
    {"ceil", "if (" I " < n && " J " < m) { a[" I "][" J "] = a[" I "][" J "] + 1; }", NULL},
    {"ceil",
     "if (" I " < n && " J " < m) { a[" I "][" J "] = 0; a[" I "][" J "] = a[" I "][" J "] + 1; }",
     ALWAYS},
    {"ceil",
     "if (" I " < n && " J " < m) { a[" I "][" J "] = 0; for (int k = 0; k < n; k += 1) { a[" I
     "][" J "] = a[" I "][" J "] + b[k]; } }",
     ALWAYS},
    {"ceil",
     "if (" I " < n && " J " < m) { for (int k = 0; k < t; k += 1) { a[" I "][" J "] = 0; } }",
     "(long)t >= 1L"},
    {"ceil",
     "if (" IN ") { for (int k = 0; k < t; k += 1) { if (k == 2) { a[" I "][" J "] = 0; } } }",
     "(long)t >= 3L"},
    {"ceil",
     "if (" IN ") { for (int k = 0; k < t; k += 1) { if (k == m) { a[" I "][" J "] = 0; } } }",
     "(long)t >= (long)m + 1L"},
    {"ceil",
     "if (" IN ") { for (int k = 0; k < t; k += 1) { if (k > n && k < m) { a[" I "][" J
     "] = 0; } } }",
     "(long)t >= (long)n + 2L and (long)m >= (long)n + 2L"},
    {"ceil",
     "if (" IN ") { for (int k = 0; k < t; k += 1) { if (2 * k == m) { a[" I "][" J "] = 0; } } }",
     NULL},
    {"ceil",
     "if (" I " < n && " J " < m) { for (int k = 0; k < n; k += 1) { a[" I "][" J "] = 0; } }",
     ALWAYS},
    {"ceil", "if (" I " < n && " J " < m) { a[" I "][" J "] = a[" I "][0]; }", NULL},
    {"ceil", "if (" I " < n) { for (int k = 0; k < m; k += 1) { a[" I "][k] = 1; } }", ALWAYS},
    {"ceil", "if (" I " < n) { for (int k = 1; k < m; k += 1) { a[" I "][k] = 1; } }", NULL},
    {"ceil", "if (" I " < n) { for (int k = 0; k < m; k += 2) { a[" I "][k] = 1; } }", NULL},
    {"ceil", "for (int k = " I "; k < n; k += s * B) { if (" J " < m) { a[k][" J "] = 1; } }",
     "(long)B * (long)((n + B - 1) / B) >= (long)s * (long)B"},
    {"ceil", "for (int k = l; k < n; k += B) { if (" J " < m) { a[k][" J "] = 1; } }", ALWAYS},
    {"ceil", "for (int k = l; k < n - 1; k += B) { if (" J " < m) { a[k][" J "] = 1; } }", NULL},
    {"ceil", "for (int k = l; k < g; k += B) { if (" J " < m) { a[k][" J "] = 1; } }", NULL},
    {"ceil", "for (int k = l + 1; k < n; k += B) { if (" J " < m) { a[k][" J "] = 1; } }", NULL},
    {"ceil", ROUNDS("n", BAND("for (int k = l; k < p; k += B) { o[k] = 1; }")), NULL},
    {"ceil",
     "if (" I " < n) { for (int k = 0; k < " I " + 1; k += 1) { if (k < m) { a[" I
     "][k] = 1; } } }",
     NULL},
    {"ceil", "if (" I " < n && " J " < m) { f[" I " * m + " J "] = 1; }", ALWAYS},
    {"ceil", "if (" I " < n && " J " < m) { f[" J " * n + " I "] = 1; }", ALWAYS},
    {"ceil", "if (" I " < n && " J " < m) { f[" I " * n + " J "] = 1; }", NULL},
    {"ceil", "if (" I " < n && 2 * " J " < m) { f[" I " * m + 2 * " J "] = 1; }", NULL},
    {"square",
     "if (" J " < n && " I " <= " J ") { q[" I "][" J "] = 1; q[" J "][" I "] = q[" I "][" J "]; }",
     ALWAYS},
    {"square", "if (" I " < n && " J " <= " I ") { q[" I "][" J "] = 1; q[" J "][" I "] = 2; }",
     ALWAYS},
    {"square", "if (" J " < n && " I " < " J ") { q[" I "][" J "] = 1; q[" J "][" I "] = 2; }",
     NULL},
    {"square",
     "if (" J " < n && " I " <= " J ") { q[" I "][" J "] = 1; if (t > 0) { q[" J "][" I
     "] = 2; } }",
     "(long)t >= 1L"},
    {"square",
     "if (" IJN ") { if (" I " == " J ") { q[" I "][" J "] = 1; } if (" I " < " J ") { q[" I "][" J
     "] = 1; q[" J "][" I "] = 2; } }",
     ALWAYS},
    {"square",
     "if (" IJN ") { if (" I " == " J ") { q[" I "][" I "] = 1; } if (" I " < " J ") { q[" I "][" J
     "] = 1; q[" J "][" I "] = 2; } }",
     NULL},
    {"square",
     "if (" IJN ") { if (" I " == " J " + 1) { q[" I "][" J "] = 1; } if (" I " < " J ") { q[" I
     "][" J "] = 1; q[" J "][" I "] = 2; } }",
     NULL},
    {"square",
     "if (" IJN ") { if (" I " == " J " && t > 0) { q[" I "][" J "] = 1; } if (" I " < " J
     ") { q[" I "][" J "] = 1; } else { q[" I "][" J "] = 2; } }",
     ALWAYS},
    {"square",
     "if (" IJN ") { if (" I " > " J " + 2) { q[" I "][" J "] = 1; } if (" I " <= " J " + 2) { q[" I
     "][" J "] = 2; } }",
     ALWAYS},
    {"square",
     "if (" IJN ") { if (" I " > " J " + 2) { q[" I "][" J "] = 1; } if (" I " <= " J " + 1) { q[" I
     "][" J "] = 2; } }",
     NULL},
    {"square",
     "if (" I " < n) { q[" I "][" I "] = 1; for (int k = " I " + 1; k < n; k += 1) { q[" I
     "][k] = 1; q[k][" I "] = q[" I "][k]; } }",
     ALWAYS},
    {"square",
     "if (" I " < n) { q[" I "][" I "] = 1; for (int k = 0; k < " I "; k += 1) { q[" I
     "][k] = 1; q[k][" I "] = q[" I "][k]; } }",
     ALWAYS},
    {"square",
     "if (" I " < n) { for (int k = " I "; k < n; k += 1) { q[k][" I "] = 1; q[" I "][k] = q[k][" I
     "]; } }",
     ALWAYS},
    {"square",
     "if (" I " < n) { for (int k = " I " + 1; k < n; k += 1) { q[" I "][k] = 1; q[k][" I
     "] = 2; } }",
     NULL},
    {"square",
     "if (" I " < n) { q[" I "][" I "] = 1; for (int k = " I " + 1; k < n - 1; k += 1) { q[" I
     "][k] = 1; q[k][" I "] = 2; } }",
     NULL},
    {"square",
     "if (" I " < n - 1) { q[" I "][" I "] = 1; for (int k = " I " + 1; k < n; k += 1) { q[" I
     "][k] = 1; q[k][" I "] = 2; } }",
     NULL},
    {"ceil", ROUNDS("t", BAND("if (" IN ") { if (p == 0) { a[" I "][" J "] = 0; } " ADD " }")),
     "(long)t >= 1L"},
    {"ceil",
     ROUNDS("(m + s - 1) / s",
            BAND("if (" IN ") { if (p == 0) { a[" I "][" J "] = 0; } " ADD " }")),
     ALWAYS},
    {"ceil",
     ROUNDS("m",
            BAND("if (" IN " && p == 0) { a[" I "][" J "] = 0; }") BAND("if (" IN ") { " ADD " }")),
     ALWAYS},
    {"ceil",
     ROUNDS("m", BAND("if (" IN ") { if (p < 1) { a[" I "][" J "] = 0; } else { " ADD " } }")),
     ALWAYS},
    {"ceil",
     ROUNDS("m", BAND("if (" IN ") { if (p > 0) { " ADD " } else { a[" I "][" J "] = 0; } }")),
     ALWAYS},
    {"ceil", ROUNDS("m", BAND("if (" IN ") { " ADD " if (p == 0) { a[" I "][" J "] = 0; } }")),
     NULL},
    {"ceil", ROUNDS("m", BAND("if (" IN ") { if (p == 1) { a[" I "][" J "] = 0; } " ADD " }")),
     NULL},
    {"ceil",
     ROUNDS("m", BAND("if (" IN ") { if (p == 0 && t > 0) { a[" I "][" J "] = 0; } " ADD " }")),
     NULL},
    {"ceil",
     ROUNDS("m",
            BAND("if (" IN " && " I " >= p) { if (p == 0) { a[" I "][" J "] = 0; } " ADD " }")),
     NULL},
    {"ceil",
     ROUNDS("m", BAND("if (" IN " && " I " <= p) { if (p == 0) { a[" I "][" J "] = 0; } " ADD " }"))
         BAND("if (" IN ") { a[" I "][" J "] = 1; }"),
     NULL},
    {"ceil", ROUNDS("m", BAND("if (" IN " && " I " >= t * p) { a[" I "][" J "] = 0; }")), NULL},
    {"ceil",
     BAND("if (" IN ") { a[" I "][" J "] = 0; }") ROUNDS("m", BAND("if (" IN ") { " ADD " }")),
     ALWAYS},
    {"ceil",
     ROUNDS("m", BAND("if (" IN ") { " ADD " }")) BAND("if (" IN ") { a[" I "][" J "] = 0; }"),
     NULL},
    {"ceil",
     BAND("if (" IN ") { a[n - 1 - " I "][" J "] = 0; }")
         ROUNDS("m", BAND("if (" IN ") { " ADD " }")),
     NULL},
    {"ceil",
     BAND("if (" I " < n) { for (int k = 0; k < m; k += 1) { a[" I "][k] = 0; } }")
         ROUNDS("t", BAND("if (" I " < n) { for (int y = 0; y < m; y += 1) { a[" I "][y] = a[" I
                          "][y] + b[p]; } }")),
     ALWAYS},
    {"ceil",
     BAND("if (" I " < n) { for (int k = 0; k < m; k += 1) { a[" I "][k] = 0; } }")
         ROUNDS("t", BAND("if (" I " < n) { for (int y = 0; y < m; y += 1) { a[" I "][y] = a[" I
                          "][m - 1 - y]; } }")),
     NULL},
    {"ceil",
     "for (int p = 0; p < m; p += s) { " BAND("if (" IN ") { if (p == 0) { a[" I "][" J
                                              "] = 0; } " ADD " }") " }",
     ALWAYS},
    {"square", "if (" J " < n - 1 && " I " <= " J ") { q[" I "][" J "] = 1; q[" J "][" I "] = 2; }",
     NULL},
    {"square", "if (" J " < n && " I " <= " J ") { q[" I "][" J "] = 1; q[" J "][" J "] = 2; }",
     NULL},
    {"square",
     "if (" J " < n && " I " <= " J ") { q[" J "][" I "] = q[" I "][" J "]; q[" I "][" J "] = 1; }",
     NULL},
    {"ceil", "if (" I " < n) { o[" I "] = 1; }", ALWAYS},
    {"ceil", "if (" I " < n) { o[" I "] = 1; o[" I " + 1] = 1; }", NULL},
    {"ceil", "if (" I " < n && t > 0) { o[" I "] = 1; }", NULL},
    {"ceil", "if (" I " < n && " J " < m) { o[" I " * m + " J "] = 1; }", ALWAYS},
    {"floor", "o[" I "] = 1;", ALWAYS},
    {"pieces",
     "for (int k = 0; k < s; k += 1) { if ((g * s + k) * B + l < n && " J
     " < m) { a[(g * s + k) * B + l][" J "] = 1; } }",
     ALWAYS},
    {"pieces",
     "for (int k = 0; k < s; k += 1) { if ((g * B + l) * s + k < n && " J
     " < m) { a[(g * B + l) * s + k][" J "] = 1; } }",
     ALWAYS},
    {"pieces",
     "for (int k = 0; k < s - 1; k += 1) { if ((g * s + k) * B + l < n && " J
     " < m) { a[(g * s + k) * B + l][" J "] = 1; } }",
     NULL},
};

static const char *grid_text(const char *name)
{
    return !strcmp(name, "square")  ? SQUARE
           : !strcmp(name, "ceil")  ? CEIL
           : !strcmp(name, "floor") ? FLOOR
                                    : PIECES;
}

static const struct kernel *kernel_make(struct ctx *ctx, const char *grid, const char *body)
{
    bool has_bands = strstr(body, "band (");
    const char *text = arena_printf(
        ctx->arena,
        "kernel nest {\n    ring n, m, s, B, C, t;\n    param data size int n >= 0;\n    param "
        "data size int m >= 0;\n"
        "    param program tunable int s >= 1;\n    param program tunable int B >= 1;\n"
        "    param program tunable int C >= 1;\n    param data uniform int t;\n"
        "    global int a[n][m];\n    global int b[n + m];\n    global int f[n * m];\n    global "
        "int o[];\n    global int q[n][n];\n    %s\n"
        "    block int l < B;\n    block int e < C;\n    body {\n        %s\n"
        "            %s\n        %s\n    }\n}\n",
        grid, has_bands ? "" : "band (int l < B, int e < C) {", body, has_bands ? "" : "}");
    return kernel_read(ctx, check_source(ctx, text));
}

/* The conditions under which one of the arrays is overwritten; NULL: none is. `b` is only read. */
static const char *answer_text(struct arena *arena, const struct overwriting *overwritten)
{
    for (int a = 0; a < 5; a++) {
        struct str text = str_new(arena);
        if (!overwritten[a].is_shown)
            continue;
        for (size_t i = 0; i < overwritten[a].n_conditions; i++)
            str_addf(&text, "%s%s", i ? " and " : "",
                     expr_text(arena, overwritten[a].conditions[i]));
        return text.length ? text.text : ALWAYS;
    }
    return NULL;
}

static void rows_run(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct ctx *ctx = check_ctx();
        struct overwriting overwritten[5] = {0};
        const struct kernel *kernel = kernel_make(ctx, grid_text(ROWS[i].grid), ROWS[i].body);
        if (check_that(check, kernel != NULL, "row %zu cannot be read: %s", i, ctx->last)) {
            access_overwritten(ctx, kernel, overwritten);
            const char *answer = answer_text(ctx->arena, overwritten),
                       *expected = ROWS[i].overwritten;
            check_that(check, !answer == !expected && (!answer || !strcmp(answer, expected)),
                       "row %zu: %s: %s", i, answer ? answer : "no", ROWS[i].body);
        }
        ctx_free(ctx);
    }
}

/* --- random nests ---------------------------------------------------------------------------- */

/* Mostly the first. */
static const char *pick_skewed(uint64_t *state, const char *const *from, size_t n)
{
    return from[draw(state, 6) ? 0 : draw(state, n)];
}

#define PICK_SKEWED(state, ...)                                                                    \
    pick_skewed(state, (const char *const[]){__VA_ARGS__},                                         \
                sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* The store, mostly alone, and what reads its element. */
static void statement_add(struct str *out, uint64_t *state, const char *place)
{
    switch (draw(state, 8)) {
    case 0: str_addf(out, "%s = %s + 1;\n", place, place); break;
    case 1: str_addf(out, "%s = 0; %s = %s + b[g];\n", place, place, place); break;
    case 2:
        str_addf(out, "%s = 0; for (int y = 0; y < n; y += 1) { %s = %s + b[y]; }\n", place, place,
                 place);
        break;
    case 3:
        str_addf(out, "for (int y = 0; y < %s; y += 1) { %s = b[y]; }\n",
                 PICK_SKEWED(state, "n", "t", "s", "0"), place);
        break;
    default: str_addf(out, "%s = 1;\n", place);
    }
}

/* The two halves of a square, by the order of two numbers. */
static char *square_make(struct arena *arena, uint64_t *state)
{
    struct str out = str_new(arena);
    bool upper = draw(state, 2);
    str_addf(&out, "if (%s < %s && ", upper ? J : I, PICK_SKEWED(state, "n", "n - 1"));
    str_addf(&out, PICK_SKEWED(state, "%s <= %s", "%s < %s", "%s <= %s + 1"), upper ? I : J,
             upper ? J : I);
    str_addf(&out, ") { q[" I "][" J "] = %s; ", PICK_SKEWED(state, "1", "q[" J "][" I "]"));
    str_addf(&out,
             PICK_SKEWED(state, "q[" J "][" I "] = %s;", "if (t > 1) { q[" J "][" I "] = %s; }",
                         "q[" J "][" J "] = %s;"),
             PICK_SKEWED(state, "q[" I "][" J "]", "2"));
    str_add(&out, " }\n");
    return out.text;
}

static char *body_make(struct arena *arena, uint64_t *state, bool pieces)
{
    struct str out = str_new(arena);
    bool serial = draw(state, 3) == 0;
    const char *row =
        !pieces ? PICK_SKEWED(state, I, "(n - 1 - " I ")", "(g * B + B - 1 - l)", "(2 * " I ")")
        : draw(state, 2) ? "((g * s + k) * B + l)"
                         : "((g * B + l) * s + k)";
    const char *column = serial ? PICK_SKEWED(state, "z", "(m - 1 - z)", "(2 * z)")
                                : PICK_SKEWED(state, J, "(m - 1 - " J ")", "e");
    const char *place =
        draw(state, 8) == 0 ? arena_printf(arena, "o[%s]", draw(state, 2) ? row : column)
        : draw(state, 2)    ? arena_printf(arena, "a[%s][%s]", row, column)
        : draw(state, 2)
            ? arena_printf(arena, "f[%s * %s + %s]", row, PICK_SKEWED(state, "m", "n"), column)
            : arena_printf(arena, "f[%s * %s + %s]", column, PICK_SKEWED(state, "n", "m"), row);
    const char *guard =
        PICK_SKEWED(state, "%s < n", "%s <= n - 1", "n > %s", "%s < n && g * B < n",
                    "%s < n && g * B < n - 1", "%s + 1 < n", "%s <= n", "2 * %s < n", "%s >= 0");
    if (pieces)
        str_addf(&out, "for (int k = 0; k < %s; k += 1) {\n", PICK_SKEWED(state, "s", "s - 1"));
    str_add(&out, "if (");
    str_addf(&out, guard, strncmp(row, "(n", 2) ? row : I);
    str_add(&out, ") {\n");
    if (serial)
        str_addf(&out, "for (int z = %s; z < %s; z += %s) {\n",
                 draw(state, 3) ? PICK_SKEWED(state, "0", "1") : PICK_SKEWED(state, "e", "e + 1"),
                 PICK_SKEWED(state, "m", "m - 1", "g + 1"),
                 draw(state, 3) ? PICK_SKEWED(state, "1", "2") : PICK_SKEWED(state, "C", "B"));
    else
        str_addf(&out, "if (%s) {\n",
                 PICK_SKEWED(state, J " < m", J " < m && " J " <= g", "e >= 0", J " < m && e > 0"));
    str_addf(&out, "if (%s) {\n", PICK_SKEWED(state, "g >= 0", "t > 0", "l >= 0", "n > m"));
    statement_add(&out, state, place);
    str_addf(&out, "} } }%s\n", pieces ? " }" : "");
    return out.text;
}

/* Stores that share a square by the order of its subscripts, in two axes or row by row. */
static char *shares_make(struct arena *arena, uint64_t *state)
{
    struct str out = str_new(arena);
    bool by_rows = draw(state, 2);
    const char *y = by_rows ? "k" : J;
    str_addf(&out, "if (" I " < %s%s) {\n", PICK_SKEWED(state, "n", "n - 1"),
             by_rows ? "" : PICK_SKEWED(state, " && " J " < n", ""));
    if (by_rows)
        str_addf(&out, "q[" I "][" I "] = 1; for (int k = %s; k < %s; k += 1) {\n",
                 PICK_SKEWED(state, I " + 1", I, I " + 2", "1"), PICK_SKEWED(state, "n", "n - 1"));
    for (int i = 0, stores = 2 + (int)draw(state, 2); i < stores; i++) {
        const char *order =
            arena_printf(arena, PICK_SKEWED(state, I " %s %s", I " %s %s + 1", I " + 2 %s %s"),
                         PICK_SKEWED(state, "<", "==", ">", "<=", ">="), y);
        bool mirrored = draw(state, 2);
        str_addf(&out, "if (%s) { q[%s][%s] = 1; %s }\n", draw(state, 3) ? order : "n > 0",
                 mirrored ? y : I, mirrored ? I : y,
                 draw(state, 4) ? arena_printf(arena, "q[%s][%s] = q[%s][%s];", mirrored ? I : y,
                                               mirrored ? y : I, mirrored ? y : I, mirrored ? I : y)
                                : "");
    }
    str_add(&out, by_rows ? "} }\n" : "}\n");
    return out.text;
}

/* What is set in the first round of a loop, or in a band before it, is mostly added to in all
 * rounds. */
static const char *loop_make(struct arena *arena, uint64_t *state)
{
    bool is_own = draw(state, 3) == 0, by_rows = draw(state, 4) == 0, inside = draw(state, 4) == 0;
    const char *column = by_rows ? "k" : J, *begin = PICK_SKEWED(state, "0", "1", "t"),
               *end = PICK_SKEWED(state, "m", "t", "n", "(m + s - 1) / s");
    const char *guard = by_rows ? I " < n"
                                : PICK_SKEWED(state, IN, IN " && " I " >= p",
                                              IN " && " J " < p + 2", IN " && " I " <= p");
    const char *other = arena_printf(arena, "%s", PICK_SKEWED(state, I, I, I, "(n - 1 - " I ")"));
    const char *first = arena_printf(arena,
                                     PICK_SKEWED(state, "p == %s", "p <= %s", "p < %s + 1",
                                                 "p != 1 - %s", "p > %s", "p + %s == 0"),
                                     begin);
    const char *set = arena_printf(arena, "a[%s][%s] = 1;", other, column),
               *add = arena_printf(arena, "a[" I "][%s] = a[" I "][%s] + b[0];", column, column);
    if (by_rows) {
        const char *to = PICK_SKEWED(state, "m", "m - 1");
        set = arena_printf(arena, "for (int k = 0; k < %s; k += 1) { %s }", to, set);
        add = arena_printf(arena,
                           "for (int %s = 0; %s < m; %s += 1) { a[" I "][%s] = a[" I "][%s] + 1; }",
                           "y", "y", "y", "y", "y");
    }
    add = draw(state, 5) ? add : "b[0] = 1;";
    const char *when = arena_printf(arena, "if (%s) { %s }", first, set),
               *step = PICK_SKEWED(state, "1", "s");
    const char *loop = arena_printf(arena, "for (int p = %s; p < %s; p += %s)", begin, end, step);
    if (inside)
        return arena_printf(arena, "if (%s) { %s { %s %s } }", by_rows ? guard : IN, loop, when,
                            add);
    if (is_own && draw(state, 2))
        return arena_printf(arena, BAND("if (%s) { %s }") " %s { " BAND("if (%s) { %s }") " }",
                            by_rows ? guard : IN, set, loop, guard, add);
    if (is_own)
        return arena_printf(arena, "%s { " BAND("if (%s) { %s }") BAND("if (%s) { %s }") " }", loop,
                            guard, when, guard, add);
    switch (draw(state, 3)) {
    case 0:
        return arena_printf(arena, "%s { " BAND("if (%s) { if (%s) { %s } else { %s } }") " }",
                            loop, guard, first, set, add);
    case 1:
        return arena_printf(arena, "%s { " BAND("if (%s) { %s %s }") " }", loop, guard, add, when);
    default:
        return arena_printf(arena, "%s { " BAND("if (%s) { %s %s }") " }", loop, guard, when, add);
    }
}

/* A loop, and perhaps a band behind it that writes everything. */
static const char *rounds_make(struct arena *arena, uint64_t *state)
{
    const char *loop = loop_make(arena, state);
    bool has_bands = strstr(loop, "band (");
    return arena_printf(arena, "%s %s", loop,
                        draw(state, 3) ? ""
                        : has_bands    ? BAND("if (" IN ") { a[" I "][" J "] = 2; }")
                                       : "if (" IN ") { a[" I "][" J "] = 2; }");
}

static const char *grid_make(struct arena *arena, uint64_t *state, bool pieces)
{
    const char *rows = pieces
                           ? PICK_SKEWED(state, "(n + s * B - 1) / (s * B)", "n / (s * B)", "n / B")
                           : PICK_SKEWED(state, "(n + B - 1) / B", "n / B", "n", "(n + B - 2) / B");
    return arena_printf(arena, "grid int g < %s; grid int h < %s;", rows,
                        PICK_SKEWED(state, "(m + C - 1) / C", "m / C", "m"));
}

/* False if the program leaves its arrays there. */
static bool point_judge(struct check *check, const struct answers *answers, const int64_t *point,
                        const char *name)
{
    struct arena *arena = arena_new();
    struct judge judge = {.check = check, .answers = answers, .point = point, .name = name};
    judge.trace = trace_run(arena, answers->kernel, point);
    bool ok = judge.trace->events.count < judge.trace->limit && trace_in_bounds(judge.trace);
    if (ok)
        judge_overwritten(&judge);
    arena_free(arena);
    return ok;
}

enum kind { KIND_NEST, KIND_HALVES, KIND_SHARES, KIND_ROUNDS, KINDS };

static const char *kind_make(struct arena *arena, uint64_t *state, enum kind kind, bool pieces)
{
    switch (kind) {
    case KIND_HALVES: return square_make(arena, state);
    case KIND_SHARES: return shares_make(arena, state);
    case KIND_ROUNDS: return rounds_make(arena, state);
    default: return body_make(arena, state, pieces);
    }
}

static void nests_run(struct check *check, uint64_t seed, int kernels)
{
    int proved[KINDS] = {0}, all = 0, conditional = 0, judged = 0;
    check_test(check);
    for (int i = 0; i < kernels; i++) {
        struct ctx *ctx = check_ctx();
        bool pieces = draw(&seed, 3) == 0;
        enum kind kind = (enum kind)draw(&seed, KINDS);
        const char *grid = kind == KIND_NEST     ? grid_make(ctx->arena, &seed, pieces)
                           : kind == KIND_ROUNDS ? CEIL
                                                 : SQUARE;
        const char *body = kind_make(ctx->arena, &seed, kind, pieces);
        const struct kernel *kernel = kernel_make(ctx, grid, body);
        if (check_that(check, kernel != NULL, "nest %d cannot be read: %s", i, ctx->last)) {
            struct answers answers = {.kernel = kernel};
            struct overwriting overwritten[5] = {0};
            answers.overwritten = overwritten;
            access_overwritten(ctx, kernel, overwritten);
            for (int a = 0; a < 5; a++)
                answers.extents[a] = access_extent(ctx, kernel, kernel->arrays[a]);
            const char *answer = answer_text(ctx->arena, overwritten);
            proved[kind] += answer != NULL;
            all += answer != NULL;
            conditional += answer && *answer;
            int tries = answer ? TRIES : 0;
            for (int try = 0, points = 0; try < tries && points < POINTS; try++) {
                int64_t point[RING_CAPACITY] = {0};
                for (int v = 0; v < 6; v++)
                    point[v] = (int64_t)draw(&seed, v < 2 ? 10 : 3) + (v >= 2 && v < 5);
                bool good =
                    point_judge(check, &answers, point, arena_printf(ctx->arena, "nest %d", i));
                points += good;
                judged += good;
            }
        }
        ctx_free(ctx);
    }
    printf("%d nests, %d overwrite an array, %d of them under conditions, %d points\n", kernels,
           all, conditional, judged);
    printf("%d nests of digits, %d halves, %d shares, %d rounds\n", proved[KIND_NEST],
           proved[KIND_HALVES], proved[KIND_SHARES], proved[KIND_ROUNDS]);
    for (int kind = 0; kind < KINDS; kind++)
        check_that(check, proved[kind] > kernels / 50, "hardly anything of kind %d was proved",
                   kind);
    check_that(check, judged > 6 * all, "hardly anything was judged");
}

int main(int argc, char **argv)
{
    struct check check = {0};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 5;
    int kernels = argc > 2 ? atoi(argv[2]) : KERNELS;
    printf("seed %llu\n", (unsigned long long)seed);
    rows_run(&check);
    nests_run(&check, seed, kernels);
    return check_end(&check, "ir-access_overwrite");
}
