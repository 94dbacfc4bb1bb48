/* Padding of tiles: it is chosen where the counter of bank conflicts says so, only there, and then
   the counting simulator finds no conflict; what the kernel allocates is what it uses. */
#include "tests/unit/optimizer_lines.h"
#include <string.h>

struct row {
    const char *name, *text;           /* text NULL: a sample */
    const char *point;
    int conflicts, rest;               /* degree without padding and with it */
    bool padded;                       /* padding changes the kernel */
};

#define TRANSPOSE(element)                                                                         \
    "#include <metafork.h>\nvoid turn(int N, int B0, int B1, const " element " a[N][N], " element  \
    " c[N][N])\n{\n"                                                                               \
    "    meta_schedule cache(a) {\n        meta_for (int v0 = 0; v0 < N / B0; v0++)\n"             \
    "            meta_for (int v1 = 0; v1 < N / B1; v1++)\n                meta_for (int u0 = 0; " \
    "u0 < B0; u0++)\n"                                                                             \
    "                    meta_for (int u1 = 0; u1 < B1; u1++)\n"                                   \
    "                        c[v0 * B0 + u0][v1 * B1 + u1] = a[v1 * B1 + u1][v0 * B0 + u0];\n    " \
    "}\n}\n"

static const struct row ROWS[] = {
    {"transpose", NULL, "N=64, s=1, B0=32, B1=32", 32, 1, true},
    {"transpose", NULL, "N=64, s=2, B0=16, B1=16", 8, 2, true},
    {"turn", TRANSPOSE("double"), "N=64, B0=32, B1=32", 16, 1, true},
    {"turn", TRANSPOSE("float"), "N=64, B0=32, B1=32", 32, 1, true},
    {"matmul", NULL, "n=64, s=2, B0=16, ub1=32", 1, 1, false},
    {"matvec", NULL, "m=64, n=64, B=32, h=32", 1, 1, false},
    {"jacobi2d", NULL, "N=70, s=1, B0=4, B1=32, t=0", 1, 1, false},
};

/* The most words of one bank that a warp asks for in a plain band. */
static int64_t degree_of(const struct simulation *simulation)
{
    int64_t degree = 0;
    for (size_t i = 0; i < simulation->count; i++)
        if (simulation->accesses[i].degree_most > degree)
            degree = simulation->accesses[i].degree_most;
    return degree;
}

/* Degree of the kernel of a set at the row's point; -1 after a failed check. */
static int64_t degree_at(struct check *check, struct store *store, uint64_t set,
                         const struct row *row)
{
    struct kernel_entry *build = set_kernel(store, set, false);
    union value params[64], bytes;
    if (!check_that(check, build && params_set(store->space->region->kernel, row->point, params),
                    "%s: no kernel", row->name))
        return -1;
    struct simulation simulation =
        simulate_at(store->ctx, build->kernel, (struct lines_point){params, 128}, 0);
    bool ran = simulation.result.status == INTERPRET_DONE;
    check_that(check, ran, "%s: %s", row->name, simulation.result.message);
    if (build->kernel->shared_bytes &&
        expr_evaluate(build->kernel, build->kernel->shared_bytes, params, &bytes) && ran) {
        /* The last element of a padded row is nobody's. */
        size_t unused = (size_t)bytes.integer - simulation.result.shared_top;
        check_that(check, unused <= 8, "%s at %s: %zu of %lld shared bytes are used", row->name,
                   row->point, simulation.result.shared_top, (long long)bytes.integer);
    }
    return degree_of(&simulation);
}

static struct program *row_read(struct ctx *ctx, const struct row *row)
{
    return row->text ? program_read_text(ctx, "turn.c", row->text, strlen(row->text), &READING)
                     : sample_read(ctx, row->name);
}

static void check_row(struct check *check, const struct row *row)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct program *program = row_read(ctx, row);
    if (check_that(check, program != NULL, "%s cannot be read: %s", row->name, ctx->last)) {
        struct store *store = store_bare(ctx, program->regions[0]);
        struct kernel_entry *plain = set_kernel(store, 0, false),
                            *padded = set_kernel(store, STRATEGY_BIT(PAD), false);
        bool differs = plain && padded && plain->kernel != padded->kernel;
        check_that(check, differs == row->padded, "%s: padding changes%s", row->name,
                   differs ? "" : " nothing");
        check_that(check, plain && store_applies(store, set_key(0), STRATEGY_PAD) == row->padded,
                   "%s: applicable", row->name);
        check_that(check, padded && !store_applies(store, set_key(STRATEGY_BIT(PAD)), STRATEGY_PAD),
                   "%s: applicable twice", row->name);
        int64_t before = degree_at(check, store, 0, row),
                after = degree_at(check, store, STRATEGY_BIT(PAD), row);
        check_that(check, before == row->conflicts, "%s at %s: %lld words of a bank", row->name,
                   row->point, (long long)before);
        check_that(check, after == row->rest, "%s at %s: %lld words of a bank after padding",
                   row->name, row->point, (long long)after);
    }
    ctx_free(ctx);
}

/* The tree with the counter among those it forks on: where tiles of even rows miss the target, the
   padded leaf is taken. */
static void check_tree(struct check *check)
{
    check_test(check);
    static const char *const COUNTERS[] = {"threads", "shared", "banks"};
    struct tree_options options = {.n_counters = 3, .counters = COUNTERS};
    struct ctx *ctx = ctx_new();
    struct program *program = sample_read(ctx, "transpose");
    const struct tree *tree = program ? tree_build(ctx, program->regions[0], &options) : NULL;
    int padded = -1;
    if (check_that(check, tree != NULL, "transpose: no tree: %s", ctx->last)) {
        for (size_t i = 0; i < tree->n_variants; i++)
            for (size_t k = 0; k < tree->variants[i].n_strategies; k++)
                if (strcmp(tree->variants[i].strategies[k]->name, "pad") == 0 && padded < 0)
                    padded = (int)i;
        check_that(check, padded >= 0, "transpose: no leaf is padded");
        static const char *const NAMES[] = {"N",   "s",   "B0",  "B1",  "T_B", "F_B",
                                            "R_B", "Z_B", "S_T", "W_B", "Q_B"};
        static const int64_t VALUES[] = {1024, 1, 32, 32, 1024, 65536, 255, 12288, 100, 32, 4};
        int64_t point[RING_CAPACITY] = {0};
        for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++)
            if (ring_find(tree->ring, NAMES[i]) >= 0)
                point[ring_find(tree->ring, NAMES[i])] = VALUES[i];
        check_that(check, tree_select(tree, point, NULL) == padded,
                   "transpose: variant %d of even tiles", tree_select(tree, point, NULL));
        point[ring_find(tree->ring, "S_T")] = 5;
        check_that(check, tree_select(tree, point, NULL) != padded,
                   "transpose: padded though the target is reached");
    }
    ctx_free(ctx);
}

int main(void)
{
    struct check check = {0};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        check_row(&check, &ROWS[i]);
    check_tree(&check);
    return check_end(&check, "optimizer_pad");
}
