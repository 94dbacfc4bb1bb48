/* Remapping: which orders it chooses, that it stays away from what is only believed, that the
   kernel means the same, and that the counting simulator sees the transactions of a warp fall. */
#include "ir/simulate.h"
#include "optimizer_test.h"

static struct store *open_program(struct ctx *ctx, const char *text)
{
    const char *path = text;
    if (strchr(text, '\n')) {
        path = P_tmpdir "/optimizer_remap.c";
        FILE *file = fopen(path, "w");
        if (!file)
            return NULL;
        fprintf(file, "#include <metafork.h>\n%s", text);
        fclose(file);
    }
    struct program *program = program_read(ctx, path, &READING);
    return program && program->n_regions ? store_bare(ctx, program->regions[0]) : NULL;
}

/* A program, the order of the axes from the outermost ("" = applicable nowhere), a point, and how
   many times fewer transactions there must be. */
struct row {
    const char *name, *text, *block, *grid, *point;
    double gain;
};

#define HEAD                                                                                       \
    "void f(int n, int m, int B0, int B1, float a[m][n], float c[m][n])\n{\n    int d0 = n / B0, " \
    "d1 = m / B1;\n    meta_schedule {\n"
#define ROWWISE                                                                                    \
    "void f(int n, int m, int B0, int B1, float a[n][m], float c[n][m])\n{\n    int d0 = n / B0, " \
    "d1 = m / B1;\n    meta_schedule {\n"
#define SQUARE                                                                                     \
    "void f(int n, int B0, int B1, float a[16][n][n], float c[n][n])\n{\n    int d0 = n / B0, d1 " \
    "= n / B1;\n    meta_schedule {\n"
#define BANDS                                                                                      \
    "meta_for (int i = 0; i < d0; i++)\nmeta_for (int j = 0; j < d1; j++)\nmeta_for (int u = 0; "  \
    "u < B0; u++)\nmeta_for (int v = 0; v < B1; v++)\n"

static const struct row ROWS[] = {
    {"columns",
     HEAD BANDS "c[j * B1 + v][i * B0 + u] = 2.0f * a[j * B1 + v][i * B0 + u];\n    }\n}\n", "v u",
     "j i", "n=64, m=64, B0=32, B1=8", 7.9},
    {"rows", ROWWISE BANDS "a[i * B0 + u][j * B1 + v] = c[0][j * B1 + v];\n    }\n}\n", "", "", "",
     0},
    {"a tie", HEAD BANDS "c[j * B1 + v][i * B0 + u] = (float)(i * B0 + u) + a[0][0];\n    }\n}\n",
     "v u", "j i", "n=64, m=64, B0=32, B1=8", 2},
    {"the loop weighs more than the store",
     SQUARE BANDS "{ float sum = 0.0f; for (int k = 0; k < 16; k++) sum += a[k][j * B1 + v][i * B0 "
                  "+ u]; c[i * B0 + u][j * B1 + v] = sum; }\n    }\n}\n",
     "v u", "j i", "n=64, m=64, B0=32, B1=8", 1.5},
    {"symmetric", HEAD BANDS "c[j * B1 + v][i * B0 + u] = a[i * B0 + u][j * B1 + v];\n    }\n}\n",
     "", "", "", 0},
    {"three axes", "tests/counters/permute_axes.c", "u w v", "i k j",
     "n=16, m=16, l=16, B0=4, B1=8, B2=8", 1.5},
    {"both transposed", "tests/counters/gemm_tt.c", "v u", "j i",
     "m=32, n=32, l=8, h=4, B0=16, B1=16", 1.5},
    {"one axis", "samples/axpy/axpy.c", "", "", "", 0},
    {"already so", "tests/paper/matmul/matmul.c", "", "", "", 0},
    {"only believed",
     "void f(int n, int B0, int B1, const int p[n], float c[n][n])\n{\n    meta_schedule {\n"
     "meta_for (int i = 0; i < n / B0; i++)\nmeta_for (int j = 0; j < n / B1; j++)\nmeta_for (int "
     "u = 0; u < B0; u++)\n"
     "meta_for (int v = 0; v < B1; v++)\nc[p[j * B1 + v]][i * B0 + u] = 1.0f;\n    }\n}\n",
     "", "", "", 0},
};

/* Tiles of pieces mend what another order of the axes would. */
static const uint64_t BASE = STRATEGY_BIT(DROP_PIECES);

static const char *order_text(struct arena *arena, const struct axis *axes, int n)
{
    struct str text = str_new(arena);
    for (int i = 0; i < n; i++)
        str_addf(&text, "%s%s", i ? " " : "", axes[i].var->name);
    return text.text;
}

static int64_t transactions(struct check *check, struct ctx *ctx, const struct kernel *kernel,
                            const union value *params)
{
    struct interpret_array arrays[64];
    int64_t sum = 0;
    if (!check_that(check, data_make(ctx, kernel, params, arrays), "%s: no data", kernel->name))
        return 0;
    struct interpret_input input = {.params = params, .arrays = arrays};
    struct simulation s = kernel_simulate(ctx->arena, kernel, &input, (struct simulate_options){0});
    check_that(check, s.result.status == INTERPRET_DONE, "%s: %s", kernel->name, s.result.message);
    for (size_t i = 0; i < s.count; i++)
        sum += s.accesses[i].array->space == SPACE_GLOBAL ? s.accesses[i].transactions : 0;
    return sum;
}

static void check_moved(struct check *check, struct store *store, const struct row *row,
                        const struct kernel *kernel)
{
    struct ctx *ctx = store->ctx;
    const struct kernel *base = store->space->region->kernel,
                        *before = set_kernel(store, BASE, false)->kernel;
    union value params[64];
    const char *why = "";
    const char *block = order_text(ctx->arena, kernel->block, kernel->n_block),
               *grid = order_text(ctx->arena, kernel->grid, kernel->n_grid);
    check_that(check, strcmp(block, row->block) == 0 && strcmp(grid, row->grid) == 0,
               "%s: block %s, grid %s", row->name, block, grid);
    if (!check_that(check, params_set(base, row->point, params), "%s: no point", row->name))
        return;
    for (uint64_t seed = 0; seed < 3; seed++)
        check_that(check, kernels_agree(ctx, base, kernel, (struct trial){params, 0, seed}, &why),
                   "%s: %s", row->name, why);
    int64_t old = transactions(check, ctx, before, params),
            new = transactions(check, ctx, kernel, params);
    printf("%-38s %7lld transactions, then %6lld\n", row->name, (long long)old, (long long)new);
    check_that(check, (double)old >= row->gain * (double)new, "%s: %lld transactions, then %lld",
               row->name, (long long)old, (long long)new);
}

static void check_row(struct check *check, const struct row *row)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    ctx->quiet = true;
    struct store *store = open_program(ctx, row->text);
    struct kernel_entry *plain = store ? set_kernel(store, BASE, false) : NULL;
    struct kernel_entry *build =
        plain ? set_kernel(store, BASE | STRATEGY_BIT(REMAP), false) : NULL;
    if (check_that(check, build != NULL, "%s: %s", row->name, ctx->last)) {
        bool applicable = store_applies(store, set_key(BASE), STRATEGY_REMAP);
        check_that(check, applicable == (*row->block != 0), "%s: applicable %d", row->name,
                   applicable);
        check_that(check, (build->kernel != plain->kernel) == applicable, "%s: the kernel %s",
                   row->name, applicable ? "is the same" : "changes");
        if (applicable && *row->block) {
            check_that(check,
                       !store_applies(store, set_key(BASE | STRATEGY_BIT(REMAP)), STRATEGY_REMAP),
                       "%s: applicable twice", row->name);
            check_moved(check, store, row, build->kernel);
        }
    }
    ctx_free(ctx);
}

struct swap {
    struct arena *arena;
    bool done;
};

/* A block whose order has changed without its bands is refused, and bands that part with what
   threads keep are noticed. */
static const struct stmt *swap_first(void *state, const struct stmt *s)
{
    struct swap *swap = state;
    if (s->kind != STMT_BAND || s->strided || swap->done || s->n_axes != 2)
        return s;
    swap->done = true;
    struct stmt *copy = ARENA_NEW(swap->arena, struct stmt);
    struct axis *axes = ARENA_ARRAY(swap->arena, struct axis, 2);
    *copy = *s;
    axes[0] = s->axes[1];
    axes[1] = s->axes[0];
    copy->axes = axes;
    return copy;
}

static void check_mutant(struct check *check)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    ctx->quiet = true;
    struct store *store = open_program(ctx, "tests/counters/gemm_tt.c");
    struct kernel_entry *build =
        store ? set_kernel(store, BASE | STRATEGY_BIT(REMAP), false) : NULL;
    if (check_that(check, build != NULL, "gemm_tt: %s", ctx->last)) {
        struct swap swap = {ctx->arena, false};
        struct kernel *broken = kernel_copy(ctx->arena, build->kernel);
        broken->body = stmt_rewrite(ctx->arena, broken->body, swap_first, &swap);
        check_that(check, swap.done && !kernel_verify(ctx, broken),
                   "a band of another order passes");
        union value params[64];
        const char *why = "";
        params_set(broken, "m=8, n=8, l=6, h=3, B0=4, B1=4", params);
        check_that(check,
                   !kernels_agree(ctx, store->space->region->kernel, broken,
                                  (struct trial){params, 0, 0}, &why),
                   "nobody notices that a thread's sum moved to another thread");
    }
    ctx_free(ctx);
}

int main(void)
{
    struct check check = {0};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        check_row(&check, &ROWS[i]);
    check_mutant(&check);
    return check_end(&check, "optimizer_remap");
}
