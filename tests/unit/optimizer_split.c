/* Fission (optimizer/strategies/split.c): where kernels may be cut and which statements come into
   which part; the parts, placed and run one after the other thread by thread, leave the bits that
   the whole kernel leaves serially. The same of every region of tests/programs whose points are
   proved independent and that has a cut (every third program at small scale), at the values of its
   `// SET:` lines.

   Then the parts are broken on purpose: a store or a barrier less, two neighbours exchanged. Each
   such mutant leaves other bits somewhere, or the thread interpreter finds a race, but for
   neighbours of which neither touches what the other stores: their order does not matter. */
#include "ir/access/sums.h"
#include "optimizer_test.h"
#include "tests/mutants/mutate.h"
#include "tests/unit/ir_check.h"
#include <glob.h>

static const char FRAME[] = "kernel frame {\n"
                            "    ring n, B;\n"
                            "    param data size int n >= 0;\n"
                            "    param program tunable int B >= 1;\n"
                            "    param data value float s;\n"
                            "    global float x[n];\n"
                            "    global float y[n];\n"
                            "    global float z[n];\n"
                            "    global const float a[n][n];\n"
                            "    global float sum[n];\n"
                            "    global int k[n];\n"
                            "    global int e[n];\n"
                            "    global int f[n];\n"
                            "    PRIVATE\n"
                            "    fact 1 <= B;\n"
                            "    grid int b < (n + B - 1) / B;\n"
                            "    block int t < B;\n"
                            "    body {\n"
                            "        BODY\n"
                            "    }\n"
                            "}\n";
#define BAND(body) "band (int t < B) { let int i = b * B + t; if (i < n) {" body "} }"
#define FIRST(body) "band (int t < B) { if (b * B + t < n && b * B + t == 0) {" body "} }"
#define LAST(body) "band (int t < B) { if (b * B + t < n && b * B + t == n - 1) {" body "} }"

/* A body, and which arrays the parts store to at either level: "x|y z" are two parts. */
static const struct cut_case {
    const char *name, *body, *best, *all;
} CASES[] = {
    {"two statements", BAND("x[i] = a[i][0]; y[i] = a[i][1];"), "x|y", "x|y"},
    {"one statement", BAND("x[i] = a[i][0];"), "x", "x"},
    {"three statements, of which two share the matrix",
     BAND("x[i] = z[i]; y[i] = a[i][0] + x[i]; sum[i] = a[i][1];"), "x|y sum", "x|y|sum"},
    {"two bands",
     "band (int t < B) { if (b * B + t < n) { x[b * B + t] = s; } }"
     "band (int t < B) { if (b * B + t < n) { y[b * B + t] = s + s; } }",
     "x|y", "x|y"},
    {"the value of an earlier statement", BAND("x[i] = a[i][0]; y[i] = x[i] + s;"), "x|y", "x|y"},
    {"an index that both compute",
     BAND("x[i] = a[i][0]; let int r = n - 1 - i; y[i] = a[r][1]; z[i] = a[r][2];"), "x|y z",
     "x|y|z"},
    {"a local of floats", BAND("let float v = a[i][0]; x[i] = v; y[i] = v + v;"), "x y", "x y"},
    {"a local behind the cut", BAND("x[i] = a[i][0]; let float v = a[i][1]; y[i] = v + v;"), "x|y",
     "x|y"},
    {"an index that data tell",
     BAND("let int r = k[i] % n; x[i] = a[r][0]; y[i] = a[r][1];"), "x y", "x y"},
    {"a local that changes",
     BAND("let int r = 0; x[i] = a[r][0]; r = 1; y[i] = a[r][1];"), "x y", "x y"},
    {"loops", BAND("for (int j = 0; j < n; j += 1) { x[i] = x[i] + a[i][j]; }"
                   "for (int l = 0; l < n; l += 1) { y[i] = y[i] + a[l][i]; }"),
     "x|y", "x|y"},
    {"a loop whose statements know nothing of each other",
     BAND("for (int j = 0; j < n; j += 1) { x[i] = x[i] + a[i][j]; y[i] = y[i] + a[j][i]; }"),
     "x|y", "x|y"},
    {"a loop whose statements feed each other",
     BAND("for (int j = 0; j < n; j += 1) { x[i] = y[i] + a[i][j]; y[i] = x[i] + a[j][i]; }"),
     "x y", "x y"},
    {"a condition that an earlier statement changes",
     BAND("if (x[i] < a[i][2]) { x[i] = a[i][0]; y[i] = a[i][1]; }"), "x y", "x y"},
    {"a condition", BAND("if (z[i] < a[i][2]) { x[i] = a[i][0]; } else { y[i] = a[i][1]; }"), "x|y",
     "x|y"},
    {"a private array", BAND("private p; p[0] = a[i][0]; x[i] = p[0]; y[i] = p[0];"), "x y", "x y"},
    {"sums of two arrays",
     "band (int t < B) { let int i = b * B + t; if (i < n) { reduce + x[0] = a[i][0];"
     "reduce + y[0] = a[i][0]; } }",
     "x|y", "x|y"},
    {"sums of one array on both sides",
     "band (int t < B) { let int i = b * B + t; if (i < n) { reduce + x[0] = a[i][0];"
     "y[i] = a[i][1]; reduce + x[0] = a[i][2]; } }",
     "x y", "x y"},
    {"starts and finishes, which go with their sums",
     FIRST("reduce start e[0] = 7; reduce start f[0] = 3;")
     BAND("reduce + e[0] = i; reduce + f[0] = i - 5;")
     LAST("reduce finish e[0] = e[0] + 11; reduce finish f[0] = f[0] * 3;"),
     "e|f", "e|f"},
    {"a finish of two sums",
     FIRST("reduce start e[0] = 7; reduce start f[0] = 3;")
     BAND("reduce + e[0] = i; reduce + f[0] = i - 5;")
     LAST("reduce finish k[0] = e[0] + f[0];"),
     "k e f", "k e f"},
    {"a start that reads an array before it is stored to",
     FIRST("reduce start y[0] = z[0];") BAND("z[i] = a[i][0]; reduce + y[0] = a[i][1];"),
     "y z", "y z"},
    {"a start that reads an array which a later part stores to",
     FIRST("reduce start e[0] = f[0];") BAND("reduce + e[0] = i; f[i] = i - 5;"),
     "e|f", "e|f"},
    {"a finish that stores to an array behind reads of it",
     BAND("reduce + e[0] = i; k[i] = f[i];") LAST("reduce finish f[0] = e[0];"),
     "k e f", "k e f"},
    {"a finish that stores to an array which an earlier part reads",
     BAND("k[i] = f[i]; reduce + e[0] = i;") LAST("reduce finish f[0] = e[0];"),
     "k|e f", "k|e f"},
};

static const char *const POINTS[] = {"n=0, B=1", "n=3, B=1", "n=17, B=4", "n=24, B=8",
                                     "n=150, B=4"};

static char *parts_text(struct ctx *ctx, const struct kernel_parts *parts)
{
    struct str text = str_new(ctx->arena);
    for (int i = 0; i < parts->count; i++) {
        bool is_first = true;
        str_addf(&text, "%s", i ? "|" : "");
        for (int k = 0; k < parts->at[i]->n_arrays; k++) {
            const struct array *array = parts->at[i]->arrays[k];
            if (array->space != SPACE_GLOBAL || !stmt_stores_to(parts->at[i]->body, array))
                continue;
            str_addf(&text, "%s%s", is_first ? "" : " ", array->name);
            is_first = false;
        }
    }
    return text.text;
}

static bool parts_run(struct ctx *ctx, const struct kernel_parts *parts,
                      struct interpret_input input, const char **why)
{
    for (int i = 0; i < parts->count; i++) {
        struct interpret_result result = interpret_threads(ctx->arena, parts->at[i], &input);
        *why = result.message;
        if (result.status != INTERPRET_DONE)
            return false;
    }
    return true;
}

/* The parts as launches: sums get their form, and all kernels are placed. */
static struct kernel_parts parts_place(struct ctx *ctx, const struct kernel *whole,
                                       struct kernel_parts split)
{
    struct reduce_options options = {.is_shared = true, .whole = whole};
    struct kernel_parts parts = {0};
    for (int i = 0; i < split.count; i++) {
        struct kernel_parts all = strategy_reduce(ctx, split.at[i], options);
        for (int k = 0; k < all.count; k++)
            parts.at[parts.count++] = all.at[k];
    }
    for (int i = 0; i < parts.count; i++)
        parts.at[i] = strategy_place(ctx, parts.at[i],
                                     (struct placement_options){.stage = UINT64_MAX,
                                                                .promote = true});
    return parts;
}

/* Do placed parts leave what the whole leaves serially? */
static bool placed_agree(struct ctx *ctx, const struct kernel *whole, struct kernel_parts parts,
                        const union value *params, const char **why)
{
    struct interpret_array expected[64], got[64];
    *why = "reference: no extent";
    if (!data_make(ctx, whole, params, expected) || !data_make(ctx, whole, params, got))
        return false;
    struct interpret_input serial = {.params = params, .arrays = expected};
    *why = "reference: a fault";
    if (interpret_serial(ctx->arena, whole, &serial).status != INTERPRET_DONE)
        return false;
    struct interpret_input threads = {.params = params, .arrays = got, .seed = 7};
    if (!parts_run(ctx, &parts, threads, why))
        return false;
    for (int i = 0; i < whole->n_arrays; i++) {
        const struct array *array = whole->arrays[i];
        *why = array->name;
        if (array->space == SPACE_GLOBAL && !array->is_partial &&
            memcmp(expected[i].data, got[i].data, expected[i].count * type_bytes(array->element)))
            return false;
    }
    return true;
}

static bool parts_agree(struct ctx *ctx, const struct kernel *whole, struct kernel_parts parts,
                        const union value *params, const char **why)
{
    return placed_agree(ctx, whole, parts_place(ctx, whole, parts), params, why);
}

/* --- mutants ---------------------------------------------------------------------------------- */

/* Values of the parameters at which a kernel is run. */
struct split_points {
    int n;
    const char *const *at;
};

static bool mutant_is_caught(struct ctx *ctx, const struct kernel *whole,
                             struct kernel_parts placed, struct split_points points)
{
    for (int i = 0; i < points.n; i++) {
        union value params[64];
        const char *why = "";
        if (params_set(whole, points.at[i], params) &&
            !placed_agree(ctx, whole, placed, params, &why))
            return true;
    }
    return false;
}

/* Does one of the kernels touch what the other one stores? */
static bool kernels_meet(const struct kernel *a, const struct kernel *b)
{
    for (int i = 0; i < a->n_arrays; i++) {
        const struct array *array = a->arrays[i];
        bool both = array->space == SPACE_GLOBAL && stmt_uses_array(a->body, array) &&
                    stmt_uses_array(b->body, array);
        if (both && (stmt_stores_to(a->body, array) || stmt_stores_to(b->body, array)))
            return true;
    }
    return false;
}

static int n_caught, n_free;

static void order_check(struct check *check, struct ctx *ctx, const char *name,
                        const struct kernel *whole, struct kernel_parts placed,
                        struct split_points points)
{
    for (int i = 0; i + 1 < placed.count; i++) {
        bool matters = kernels_meet(placed.at[i], placed.at[i + 1]);
        struct kernel_parts mutant = placed;
        mutant.at[i] = placed.at[i + 1];
        mutant.at[i + 1] = placed.at[i];
        check_that(check, mutant_is_caught(ctx, whole, mutant, points) == matters,
                   "%s: parts %d and %d exchanged, which %s", name, i, i + 1,
                   matters ? "nobody catches" : "have nothing in common");
        n_caught += matters;
        n_free += !matters;
    }
}

/* A kernel that finishes sums has a store for elements which no start began: of a sum that has one
   it is never reached where there are points. */
static void places_check(struct check *check, struct ctx *ctx, const char *name,
                         const struct kernel *whole, struct kernel_parts placed,
                         struct split_points points, enum mutation mutation)
{
    for (int part = 0; part < placed.count; part++)
        for (int place = 0;; place++) {
            struct kernel_parts mutant = placed;
            const char *before;
            mutant.at[part] = mutate(ctx->arena, placed.at[part], mutation, place, &before);
            if (!mutant.at[part])
                break;
            if (stmt_has_end(whole->body) && strstr(before, "_old"))
                continue;
            n_caught++;
            check_that(check, mutant_is_caught(ctx, whole, mutant, points),
                       "%s: part %d: %s at %d (%s) is missed", name, part,
                       mutation_names[mutation], place, before);
        }
}

static void mutants_check(struct check *check, struct ctx *ctx, const char *name,
                          const struct kernel *whole, struct kernel_parts parts,
                          struct split_points points)
{
    struct kernel_parts placed = parts_place(ctx, whole, parts);
    order_check(check, ctx, name, whole, placed, points);
    places_check(check, ctx, name, whole, placed, points, MUTATION_STORE_DROPPED);
    places_check(check, ctx, name, whole, placed, points, MUTATION_BARRIER);
}

/* --- cases ------------------------------------------------------------------------------------ */

/* The text with `by` in place of the word. */
static char *text_with(struct ctx *ctx, const char *text, const char *word, const char *by)
{
    const char *at = strstr(text, word);
    return arena_printf(ctx->arena, "%.*s%s%s", (int)(at - text), text, by, at + strlen(word));
}

static void case_check(struct check *check, struct ctx *ctx, const struct cut_case *row)
{
    bool is_exact = !strstr(row->body, "reduce + x") && !strstr(row->body, "reduce + y");
    bool has_private = strstr(row->body, "private p") != NULL;
    char *text = text_with(ctx, FRAME, "BODY", row->body);
    text = text_with(ctx, text, "PRIVATE", has_private ? "private float p[1];" : "");
    struct kernel *kernel = kernel_read(ctx, check_source(ctx, text));
    if (kernel)
        sums_add_arrays(ctx, kernel);
    if (!check_that(check, kernel != NULL, "%s: %s", row->name, ctx->last))
        return;
    for (int level = 0; level <= 2; level++) {
        struct kernel_parts parts = strategy_split(ctx, kernel, level);
        const char *wanted = level == 2 ? row->all : row->best, *found = parts_text(ctx, &parts);
        if (level == 0) {
            check_that(check, parts.count == 1 && parts.at[0] == kernel, "%s: level 0", row->name);
            continue;
        }
        check_that(check, !strcmp(found, wanted), "%s: level %d is %s, not %s", row->name, level,
                   found, wanted);
        for (int i = 0; i < parts.count; i++)
            check_that(check, kernel_verify(ctx, parts.at[i]), "%s: %s", row->name, ctx->last);
        for (size_t i = 0; is_exact && i < sizeof POINTS / sizeof *POINTS; i++) {
            union value params[8];
            const char *why = "";
            params_set(kernel, POINTS[i], params);
            check_that(check, parts_agree(ctx, kernel, parts, params, &why), "%s at %s: %s",
                       row->name, POINTS[i], why);
        }
        if (level == 2 && is_exact)
            mutants_check(check, ctx, row->name, kernel, parts,
                          (struct split_points){sizeof POINTS / sizeof *POINTS, POINTS});
    }
}

/* --- programs --------------------------------------------------------------------------------- */

static int n_split;

static void region_check(struct check *check, struct ctx *ctx, const struct region *region,
                         const char *path, const char *source)
{
    struct kernel_parts parts = strategy_split(ctx, region->kernel, 2);
    const char *setting;
    if (parts.count == 1 || region->legality.verdict != ACCESS_PROVED ||
        kernel_accumulates(region->kernel))
        return;
    while ((setting = setting_next(ctx, "// SET:", &source))) {
        union value params[64];
        const char *why = "";
        bool agrees = params_set(region->kernel, setting, params) &&
                      parts_agree(ctx, region->kernel, parts, params, &why);
        if (!agrees && (!*why || strncmp(why, "reference", 9) == 0))
            continue;
        n_split++;
        check_that(check, agrees, "%s at%s: %s", path, setting, why);
    }
}

/* The mutants of a program whose kernels have tiles. */
static void products_check(struct check *check)
{
    static const char *const points[] = {"n=16, B=4", "n=24, B=8"};
    struct ctx *ctx = ctx_new();
    ctx->quiet = true;
    const struct program *program = program_read(ctx, "tests/programs/split_products.c", &READING);
    const struct kernel *kernel = program ? program->regions[0]->kernel : NULL;
    if (check_that(check, kernel != NULL, "split_products is not read"))
        mutants_check(check, ctx, "split_products", kernel, strategy_split(ctx, kernel, 2),
                      (struct split_points){sizeof points / sizeof *points, points});
    ctx_free(ctx);
}

static void program_check(struct check *check, const char *path)
{
    struct ctx *ctx = ctx_new();
    size_t length;
    ctx->quiet = true;
    const struct program *program = program_read(ctx, path, &READING);
    const char *source = file_read(ctx, path, &length);
    size_t n_regions = program && source ? program->n_regions : 0;
    for (size_t i = 0; i < n_regions; i++)
        region_check(check, ctx, program->regions[i], path, source);
    ctx_free(ctx);
}

int main(void)
{
    struct check check = {0};
    glob_t programs = {0};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct ctx *ctx = check_ctx();
        check_test(&check);
        case_check(&check, ctx, &CASES[i]);
        ctx_free(ctx);
    }
    check_test(&check);
    glob("tests/programs/*.c", 0, NULL, &programs);
    for (size_t i = 0; i < programs.gl_pathc; i += (size_t)test_scale(3, 1))
        program_check(&check, programs.gl_pathv[i]);
    check_that(&check, n_split > 3, "only %d programs with cuts", n_split);
    products_check(&check);
    check_that(&check, n_caught > 20 && n_free > 5, "only %d mutants, %d of which change nothing",
               n_caught + n_free, n_free);
    printf("%d settings of programs with cuts, %d mutants caught, %d orders that do not matter\n",
           n_split, n_caught, n_free);
    globfree(&programs);
    return check_end(&check, "optimizer_split");
}
