/* Rounds that threads run alone since a condition over two axes parts their points, against a count
   of these threads one by one: the triangle of covariance with 16 and 4 points of a thread. Where
   no condition compares two axes there are none. Then the rounds of a tree, against a count of
   those that have lanes. */
#include "optimizer/figures.h"
#include "tests/unit/optimizer_test.h"

enum { M = 240, N = 260 };

struct row {
    uint64_t set;
    int rows, columns;                   /* points of a thread: consecutive, and a block apart */
};
static const struct row ROWS[] = {
    {STRATEGY_BIT(DROP) | STRATEGY_BIT(COARSEN_Y4) | STRATEGY_BIT(COARSEN_X4), 4, 4},
    {STRATEGY_BIT(DROP) | STRATEGY_BIT(COARSEN_X4), 1, 4},
    {STRATEGY_BIT(DROP) | STRATEGY_BIT(COARSEN_Y4), 4, 1},
};
static const int BLOCKS[][2] = {{24, 24}, {16, 16}, {32, 32}, {16, 80}, {40, 120}, {120, 240}};

/* Of all threads of the launch those that have points with i <= j and others. */
static double share_counted(const struct row *row, int b1)
{
    int64_t parted = 0, threads = 0;
    int apart = b1 / row->columns;
    for (int i = 0; i < M; i += row->rows)
        for (int j = 0; j < M; j++) {
            int last = j + (row->columns - 1) * apart;
            if (j % b1 >= apart)
                continue;
            threads++;
            parted += i <= last && i + row->rows - 1 > j;
        }
    return (double)parted / (double)threads;
}

/* -1 if there is none. */
static int64_t alone_at(const struct figures *figures, int b0, int b1)
{
    const struct { const char *name; int value; } given[] = {
        {"m", M}, {"n", N}, {"B0", b0}, {"B1", b1}};
    int64_t point[RING_CAPACITY] = {0}, value;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        int v = ring_find(figures->ring, given[i].name);
        if (v >= 0)
            point[v] = given[i].value;
    }
    for (size_t i = 0; i < figures->n_auxiliaries; i++) {
        const struct auxiliary *a = figures->auxiliaries[i];
        if (!auxiliary_evaluate(a, point, &point[a->variable]))
            return -1;
    }
    return poly_evaluate(figures->alone, point, &value) ? value : -1;
}

static void check_row(struct check *check, struct store *store, const struct row *row)
{
    struct kernel_entry *build = set_kernel(store, row->set, false);
    if (!check_that(check, build != NULL, "no kernel of %d by %d points", row->rows, row->columns))
        return;
    const struct figures *figures = figures_make(store, build->kernel);
    for (size_t i = 0; i < sizeof BLOCKS / sizeof *BLOCKS; i++) {
        int b0 = BLOCKS[i][0], b1 = BLOCKS[i][1];
        double points = (double)b0 * b1, share = share_counted(row, b1),
               rounds = points * N * share / 2;
        int64_t alone = alone_at(figures, b0, b1);
        double ratio = (double)alone / rounds;
        check_that(check, ratio > 0.7 && ratio < 1.45,
                   "%d by %d points, blocks of %d by %d: %lld rounds, %.0f counted", row->rows,
                   row->columns, b0, b1, (long long)alone, rounds);
    }
}

static void check_triangle(struct check *check)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct program *program = program_read(ctx, "tests/polybench/covariance.c", &READING);
    if (check_that(check, program && program->n_regions == 3, "covariance cannot be read")) {
        struct store *store = store_bare(ctx, program->regions[2]);
        for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
            check_row(check, store, &ROWS[i]);
    }
    ctx_free(ctx);
}

/* Points that are written out (sums in registers) are parted as points in a loop are: with four
   columns far apart more threads are. */
static void check_written_out(struct check *check)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct program *program = program_read(ctx, "tests/polybench/syrk.c", &READING);
    if (check_that(check, program != NULL, "syrk cannot be read")) {
        struct store *store = store_bare(ctx, program->regions[0]);
        struct kernel_entry *build = set_kernel(
            store, STRATEGY_BIT(DROP_PIECES) | STRATEGY_BIT(COARSEN_Y4) | STRATEGY_BIT(COARSEN_X4),
            false);
        const struct figures *figures = build ? figures_make(store, build->kernel) : NULL;
        if (check_that(check, figures && !figures->reason, "syrk has no figures"))
            check_that(check,
                       0 < alone_at(figures, 32, 4) / 32 / 4 &&
                           alone_at(figures, 32, 4) / 4 < alone_at(figures, 32, 160) / 160,
                       "syrk: %lld rounds alone with blocks of 32 by 4, %lld with 32 by 160",
                       (long long)alone_at(figures, 32, 4), (long long)alone_at(figures, 32, 160));
    }
    ctx_free(ctx);
}

static void check_rectangle(struct check *check)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct program *program = program_read(ctx, "tests/polybench/gemm.c", &READING);
    if (check_that(check, program != NULL, "gemm cannot be read")) {
        struct store *store = store_bare(ctx, program->regions[program->n_regions - 1]);
        struct kernel_entry *build = set_kernel(store, ROWS[0].set, false);
        const struct figures *figures = build ? figures_make(store, build->kernel) : NULL;
        check_that(check, figures && !figures->reason && poly_is_zero(figures->alone),
                   "gemm has threads that run alone");
    }
    ctx_free(ctx);
}

/* A tree over B lanes: a barrier for each round that has lanes, and two loads of each. */
static const char TREE[] =
    "kernel tree {\n"
    "    ring B;\n"
    "    param program tunable int B >= 1;\n"
    "    global float s[1];\n"
    "    shared float x[B] at 0;\n"
    "    fact 1 <= B;\n"
    "    shared_bytes B * 4;\n"
    "    grid int g < 1;\n"
    "    block int t < B;\n"
    "    body {\n"
    "        for (int round = 0; round < 31; round += 1) {\n"
    "            let int far = 1073741824 >> round;\n"
    "            if (far < B) {\n"
    "                band (int t < B) {\n"
    "                    if (t < far && t + far < B) {\n"
    "                        x[t] = x[t] + x[t + far];\n"
    "                    }\n"
    "                }\n"
    "                barrier;\n"
    "            }\n"
    "        }\n"
    "        band (int t < B) {\n"
    "            if (t == 0) {\n"
    "                s[0] = x[t];\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "}\n";

static int rounds_counted(int lanes)
{
    int rounds = 0;
    for (int far = 1 << 30; far > 0; far /= 2)
        rounds += far < lanes;
    return rounds;
}

static int64_t figure_at(const struct figures *figures, const struct poly *p, int lanes)
{
    int64_t point[RING_CAPACITY] = {0}, value;
    point[ring_find(figures->ring, "B")] = lanes;
    for (size_t i = 0; i < figures->n_auxiliaries; i++) {
        const struct auxiliary *a = figures->auxiliaries[i];
        if (!auxiliary_evaluate(a, point, &point[a->variable]))
            return -1;
    }
    return poly_evaluate(p, point, &value) ? value : -1;
}

static void check_tree(struct check *check)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct program *program = sample_read(ctx, "matadd");
    const struct source source = {.path = "tree", .text = TREE, .length = sizeof TREE - 1};
    const struct kernel *kernel = kernel_read(ctx, &source);
    if (check_that(check, program && kernel, "the tree cannot be read")) {
        const struct figures *figures = figures_make(store_bare(ctx, program->regions[0]), kernel);
        if (check_that(check, !figures->reason, "no figures: %s", figures->reason))
            for (int lanes = 1; lanes <= 4096; lanes += lanes < 70 ? 1 : 61)
                check_that(check,
                           figure_at(figures, figures->barriers, lanes) == rounds_counted(lanes) &&
                               figure_at(figures, figures->accesses[0].rounds, lanes) ==
                                   rounds_counted(lanes),
                           "%d lanes: %lld barriers, %d rounds", lanes,
                           (long long)figure_at(figures, figures->barriers, lanes),
                           rounds_counted(lanes));
    }
    ctx_free(ctx);
}

/* Bodies of a thread, and how often it loads an element of z that it does not have. */
static const struct stored_case {
    const char *body;
    int64_t loads;
} STORED[] = {
    {"z[i] = a[i]; y[i] = z[i];", 0},
    {"z[i] = a[i]; if (s > 0.0f) { y[i] = z[i]; }", 0},
    {"z[i] = a[i]; y[i] = z[i + 1];", 1},
    {"z[i] = a[i]; z[i + 1] = s; y[i] = z[i];", 0},
    {"z[i] = a[i]; z[k[i] % n] = s; y[i] = z[i];", 1},
    {"if (s > 0.0f) { z[i] = a[i]; } y[i] = z[i];", 1},
    {"y[i] = z[i]; z[i] = a[i];", 1},
};

/* The figures of a kernel whose threads have this body; NULL after a failed check. */
static const struct figures *figures_of(struct check *check, struct ctx *ctx,
                                        const struct program *program, const char *body)
{
    char *text = arena_printf(
        ctx->arena,
        "kernel threads { ring n, B; param data size int n >= 0;"
        "param program tunable int B >= 1;"
        "param data value float s; global restrict float z[n]; global restrict float y[n];"
        "global const restrict float a[n]; global const restrict int k[n]; fact 1 <= B;"
        "grid int b < (n + B - 1) / B; block int t < B; body {"
        "band (int t < B) { let int i = b * B + t; if (i < n) { %s } } } }",
        body);
    const struct source source = {.path = "threads", .text = text, .length = strlen(text)};
    const struct kernel *kernel = kernel_read(ctx, &source);
    if (!check_that(check, program && kernel, "%s cannot be read", body))
        return NULL;
    return figures_make(store_bare(ctx, program->regions[0]), kernel);
}

static void check_stored(struct check *check)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct program *program = sample_read(ctx, "matadd");
    for (size_t c = 0; c < sizeof STORED / sizeof *STORED; c++) {
        int64_t loads = 0, made;
        const struct figures *figures = figures_of(check, ctx, program, STORED[c].body);
        for (size_t i = 0; figures && i < figures->n_accesses; i++) {
            const struct figure_access *a = &figures->accesses[i];
            if (strcmp(a->array->name, "z") == 0 && a->waits && poly_get_integer(a->rounds, &made))
                loads += made;
        }
        check_that(check, figures && !figures->reason && loads == STORED[c].loads,
                   "%s: %lld loads from z", STORED[c].body, (long long)loads);
    }
    ctx_free(ctx);
}

/* Bodies of a thread, and of its load from `a` the loops whose rounds grow with a place, and the
   copies that wait at once. */
static const struct sloped_case {
    const char *body;
    int slopes, overlaps;
} SLOPED[] = {
    {"for (int r = 0; r < n; r += 1) { y[i] = a[r]; }", 0, 4},
    {"for (int r = 0; r < i + 1; r += 1) { y[i] = a[r]; }", 1, 4},
    {"for (int r = i; r < n; r += 1) { y[i] = a[r]; }", 1, 4},
    {"for (int r = i; r < i + 9; r += 1) { y[i] = a[r]; }", 0, 4},
    {"for (int r = 0; r < (i < 9 ? i : 9); r += 1) { y[i] = a[r]; }", 0, 4},
    {"for (int q = 0; q < i; q += 1) { for (int r = 0; r < q; r += 1) { y[i] = a[r]; } }", 2, 4},
    {"let float v = 0.0f; for (int r = 0; r < n; r += 1) { v = v + a[r]; } y[i] = v;", 0, 16},
    {"let float v = 0.0f; for (int r = 0; r < n; r += 1) { v = v + a[r] * z[r]; } y[i] = v;", 0, 4},
    {"for (int r = 0; r < n; r += 1) { z[r] = a[r]; y[i] = z[r]; }", 0, 0},
};

static void check_sloped(struct check *check)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct program *program = sample_read(ctx, "matadd");
    for (size_t c = 0; c < sizeof SLOPED / sizeof *SLOPED; c++) {
        const struct figures *figures = figures_of(check, ctx, program, SLOPED[c].body);
        for (size_t i = 0; figures && i < figures->n_accesses; i++) {
            const struct figure_access *a = &figures->accesses[i];
            check_that(check, strcmp(a->array->name, "a") != 0 ||
                                  (a->slopes == SLOPED[c].slopes &&
                                   a->overlaps == SLOPED[c].overlaps),
                       "%s: %d slopes, %d copies", SLOPED[c].body, a->slopes, a->overlaps);
        }
    }
    ctx_free(ctx);
}

int main(void)
{
    struct check check = {0};
    check_triangle(&check);
    check_written_out(&check);
    check_rectangle(&check);
    check_tree(&check);
    check_stored(&check);
    check_sloped(&check);
    return check_end(&check, "optimizer_figures");
}
