/* Strategies on programs that are not samples: mixed element sizes, in-place updates, guards on
   data, several bands, conditions that do and do not exclude each other, two coarsenings, loops
   that do not count from 0 by 1, values made of folded iterators. With all that cache(...) names in
   shared memory, and with what saves something. Every set of strategies that makes a difference, at
   random small parameters: thread by thread with all checks equals serial, bit for bit; shared
   memory stays below what the counter says. */
#include "optimizer_test.h"

struct program_text {
    const char *name, *text;
    const char *ranges;                    /* parameters and their ranges, "n 1 30 B 1 5" */
    int shared, private_arrays, grid;      /* expected in the set {} resp. grid axes in
                                              {granularity}; -1 = not asked */
};

#define HEAD "#include <metafork.h>\n"

static const struct program_text PROGRAMS[] = {
    {"sizes",
     HEAD "void sizes(int n, int B, double x[n], float y[n], signed char z[n], double o[n]) {\n"
          "  meta_schedule cache(x, y, z) { meta_for (int i = 0; i < n / B; i++) meta_for (int j = "
          "0; j < B; j++)\n"
          "    o[i * B + j] = x[i * B + j] + y[i * B + B - 1 - j] + z[i * B + j]; } }\n",
     "n 1 40 B 1 7", 3, 0, 1},
    {"inplace",
     HEAD "void inplace(int n, int s, int B, int a[n]) {\n"
          "  meta_schedule cache(a) { meta_for (int i = 0; i < n / (s * B); i++) meta_for (int j = "
          "0; j < B; j++)\n"
          "    for (int k = 0; k < s; k++) a[(i * s + k) * B + j] = a[(i * s + k) * B + j] * 2 + "
          "1; } }\n",
     "n 1 60 s 1 4 B 1 6", 1, 0, 1},
    {"dataguard",
     HEAD "void dataguard(int n, int B, int a[n], int b[n]) {\n"
          "  meta_schedule cache(a, b) { meta_for (int i = 0; i < n / B; i++) meta_for (int j = 0; "
          "j < B; j++)\n"
          "    if (a[i * B + j] > 400) b[i * B + j] = a[i * B + j] - b[i * B + j]; } }\n",
     "n 1 40 B 1 7", -1, 0, 1},
    {"nbody",
     HEAD "void nbody(int n, int B, const double x[n], double f[n]) {\n"
          "  meta_schedule cache(x) { meta_for (int i = 0; i < n / B; i++) for (int t = 0; t < n / "
          "B; t++)\n"
          "    meta_for (int j = 0; j < B; j++) for (int k = 0; k < B; k++)\n"
          "      f[i * B + j] += (x[i * B + j] - x[t * B + k]) * 0.5; } }\n",
     "n 1 30 B 1 5", -1, 1, 1},
    {"conv2d",
     HEAD "void conv2d(int n, int m, int s, int B0, int B1, const float a[n + 2][m + 2], const "
          "float w[3][3], float c[n][m]) {\n"
          "  meta_schedule cache(a, w) { meta_for (int i = 0; i < n / B0; i++) meta_for (int j = "
          "0; j < m / (s * B1); j++)\n"
          "    meta_for (int u = 0; u < B0; u++) meta_for (int v = 0; v < B1; v++) for (int k = 0; "
          "k < s; k++) {\n"
          "      float sum = 0; for (int y = 0; y < 3; y++) for (int x = 0; x < 3; x++)\n"
          "        sum += a[i * B0 + u + y][(j * s + k) * B1 + v + x] * w[y][x];\n"
          "      c[i * B0 + u][(j * s + k) * B1 + v] = sum; } } }\n",
     "n 1 12 m 1 16 s 1 3 B0 1 4 B1 1 4", 2, 0, 2},
    {"twofold",
     HEAD "void twofold(int n, int s, int r, int B, int a[n][n], int b[n][n]) {\n"
          "  meta_schedule cache(a) { meta_for (int i = 0; i < n / (s * B); i++) meta_for (int j = "
          "0; j < n / (r * B); j++)\n"
          "    meta_for (int u = 0; u < B; u++) meta_for (int v = 0; v < B; v++)\n"
          "      for (int k = 0; k < s; k++) for (int l = 0; l < r; l++)\n"
          "        b[(i * s + k) * B + u][(j * r + l) * B + v] = a[(i * s + k) * B + u][(j * r + "
          "l) * B + v] + 7; } }\n",
     "n 1 20 s 1 3 r 1 3 B 1 3", 1, 0, 2},
    {"fromone",
     HEAD
     "void fromone(int n, int s, int B, int a[n + 1][s * 2 + 2]) {\n"
     "  meta_schedule { meta_for (int i = 0; i < n / B; i++) meta_for (int j = 0; j < B; j++)\n"
     "    for (int k = 1; k <= s; k++) a[i * B + j][2 * k] = i * 100 + j * 10 + k; } }\n",
     "n 1 20 s 1 4 B 1 4", 0, 0, 2},
    {"bytwo",
     HEAD
     "void bytwo(int n, int s, int B, int a[n + 1][2 * s + 2]) {\n"
     "  meta_schedule { meta_for (int i = 0; i < n / B; i++) meta_for (int j = 0; j < B; j++)\n"
     "    for (int k = 0; k < 2 * s; k += 2) a[i * B + j][k] += k; } }\n",
     "n 1 20 s 1 4 B 1 4", 0, 0, 2},
    {"values",
     HEAD "void values(int n, int s, int B, int a[n]) {\n"
          "  meta_schedule { meta_for (int i = 0; i < n / (s * B); i++) meta_for (int j = 0; j < "
          "B; j++)\n"
          "    for (int k = 0; k < s; k++) { int p = (i * s + k) * B + j; a[p] = i; } } }\n",
     "n 1 60 s 1 4 B 1 5", 0, 0, 2},
    {"parity",
     HEAD "void parity(int n, int m, int B, int a[3 * n], int b[n]) {\n"
          "  meta_schedule cache(a) { meta_for (int i = 0; i < n / B; i++) meta_for (int j = 0; j "
          "< B; j++) {\n"
          "    int p = i * B + j; if (m == 0) b[p] = a[p]; else if (m == 1) b[p] = a[n + p] * 2; "
          "else b[p] = a[2 * n + p] + m; } } }\n",
     "n 1 40 m 0 3 B 1 6", 3, 0, 1},
    {"overlap",
     HEAD "void overlap(int n, int m, int B, int a[2 * n], int b[n]) {\n"
          "  meta_schedule cache(a) { meta_for (int i = 0; i < n / B; i++) meta_for (int j = 0; j "
          "< B; j++) {\n"
          "    int p = i * B + j; int r = 0; if (m > 0) r += a[p]; if (m < 3) r += a[n + p] * 5; "
          "b[p] = r; } } }\n",
     "n 1 40 m 0 4 B 1 6", 2, 0, 1},
    {"bands",
     HEAD "void bands(int n, int B, int a[n], int b[n], int c[n]) {\n"
          "  meta_schedule cache(a, b) { meta_for (int i = 0; i < n / B; i++) {\n"
          "    meta_for (int j = 0; j < B; j++) b[i * B + j] = a[i * B + B - 1 - j] + 1;\n"
          "    for (int r = 0; r < 2; r++) { meta_for (int j = 0; j < B; j++) a[i * B + j] += b[i "
          "* B + (j + r + 1) % B];\n"
          "      if (r == 0) meta_for (int j = 0; j < B; j++) c[i * B + j] = a[i * B + B - 1 - j] "
          "* 3; } } } }\n",
     "n 1 30 B 1 6", -1, 0, 1},
    {"steps",
     HEAD "void steps(int n, int B, long a[2 * n]) {\n"
          "  meta_schedule cache(a) { meta_for (int i = 0; i < n / B; i++) meta_for (int j = 0; j "
          "< B; j++)\n"
          "    a[2 * (i * B + j) + 1] = a[2 * (i * B + j)] + 3; } }\n",
     "n 1 30 B 1 6", -1, 0, 1},
    {"rows",
     HEAD
     "void rows(int n, int m, int B, int h, const float A[n][m], const float x[m], double y[n]) {\n"
     "  meta_schedule cache(x) { meta_for (int i = 0; i < (n + B - 1) / B; i++) for (int k = 0; k "
     "< m / h; k++)\n"
     "    meta_for (int j = 0; j < B; j++) if (i * B + j < n)\n"
     "      for (int z = 0; z < h; z++) y[i * B + j] += A[i * B + j][k * h + z] * x[k * h + z]; } "
     "}\n",
     "n 1 20 m 1 20 B 1 5 h 1 5", 1, 1, 1},
    {"flat",
     HEAD "void flat(int n, int m, int s, int B0, int B1, const double *restrict a, double "
          "*restrict c) {\n"
          "  meta_schedule cache(a) { meta_for (int i = 0; i < n / B0; i++) meta_for (int j = 0; j "
          "< m / (s * B1); j++)\n"
          "    meta_for (int u = 0; u < B0; u++) meta_for (int v = 0; v < B1; v++) for (int k = 0; "
          "k < s; k++)\n"
          "      c[(i * B0 + u) * m + (j * s + k) * B1 + v] = a[(i * B0 + u) * m + (j * s + k) * "
          "B1 + v] * 2; } }\n",
     "n 1 12 m 1 12 s 1 3 B0 1 3 B1 1 3", 1, 0, 2},
};

static void params_random(const struct kernel *kernel, const char *ranges, union value *params,
                          struct str *text)
{
    for (int i = 0; i < kernel->n_params; i++)
        params[i].integer = 3;
    for (const char *at = ranges; *at; at += strspn(at, " ")) {
        char name[16];
        int lo, hi, read;
        if (sscanf(at, "%15s %d %d%n", name, &lo, &hi, &read) != 3)
            return;
        int64_t value = lo + rand() % (hi - lo + 1);
        for (int i = 0; i < kernel->n_params; i++)
            if (strcmp(kernel->params[i]->var->name, name) == 0)
                params[i].integer = value;
        str_addf(text, " %s=%lld", name, (long long)value);
        at += read;
    }
}

static int arrays_in(const struct kernel *kernel, enum space space)
{
    int count = 0;
    for (int i = 0; i < kernel->n_arrays; i++)
        count += kernel->arrays[i]->space == space;
    return count;
}

static void check_shape(struct check *check, struct store *store, const struct program_text *p)
{
    struct kernel_entry *staged = set_kernel(store, 0, false),
                        *reduced = set_kernel(store, STRATEGY_BIT(GRANULARITY), false);
    if (!check_that(check, staged && reduced, "%s: no kernel: %s", p->name, store->ctx->last))
        return;
    int shared = arrays_in(staged->kernel, SPACE_SHARED),
        private_arrays = arrays_in(staged->kernel, SPACE_PRIVATE);
    check_that(check, p->shared < 0 || shared == p->shared, "%s: %d shared arrays", p->name,
               shared);
    check_that(check, p->private_arrays < 0 || private_arrays == p->private_arrays,
               "%s: %d private arrays", p->name, private_arrays);
    check_that(check, reduced->kernel->n_grid == p->grid, "%s: %d grid axes after granularity",
               p->name, reduced->kernel->n_grid);
}

static void check_sets(struct check *check, struct store *store, const struct program_text *p)
{
    static const uint64_t SETS[] = {
        0,
        STRATEGY_BIT(GRANULARITY),
        STRATEGY_BIT(DROP),
        STRATEGY_BIT(GRANULARITY) | STRATEGY_BIT(DROP),
        STRATEGY_BIT(STRIDE),
        STRATEGY_BIT(CSE1),
        STRATEGY_BIT(CSE2),
        STRATEGY_BIT(CSE1) | STRATEGY_BIT(CSE2) | STRATEGY_BIT(GRANULARITY),
        STRATEGY_BIT(UNROLL4),
        STRATEGY_BIT(UNROLL8) | STRATEGY_BIT(GRANULARITY) | STRATEGY_BIT(DROP),
        STRATEGY_BIT(COARSEN_Y2),
        STRATEGY_BIT(COARSEN_X2),
        STRATEGY_BIT(COARSEN_Y4) | STRATEGY_BIT(GRANULARITY),
        STRATEGY_BIT(COARSEN_Y2) | STRATEGY_BIT(COARSEN_X2) | STRATEGY_BIT(DROP)};
    const struct kernel *base = store->space->region->kernel;
    for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++)
        for (int round = 0; round < 6; round++) {
            struct kernel_entry *build = set_kernel(store, SETS[i], round == 5);
            union value params[32];
            struct str text = str_new(store->ctx->arena);
            params_random(base, p->ranges, params, &text);
            const char *why = build ? "" : "no kernel";
            int64_t threads = build && kernel_all_strided(build->kernel) ? 1 + rand() % 9 : 0;
            bool ok =
                build && kernels_agree(store->ctx, base, build->kernel,
                                       (struct trial){params, threads, (uint64_t)round}, &why);
            if (!check_that(check, ok, "%s at%s, set %llx: %s", p->name, text.text,
                            (unsigned long long)SETS[i], why))
                return;
        }
}

/* Golden settings stage whatever cache(...) names, also what saves nothing; both have to be
   right. */
static void check_both(struct check *check, struct ctx *ctx, const struct region *region,
                       const struct program_text *p)
{
    static const struct tree_options golden = {.golden = true};
    struct store *everything = store_new(space_make(ctx, region, &golden)),
                 *useful = store_bare(ctx, region);
    check_shape(check, everything, p);
    check_sets(check, everything, p);
    check_sets(check, useful, p);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 21;
    printf("seed %u\n", seed);
    srand(seed);
    for (size_t i = 0; i < sizeof PROGRAMS / sizeof *PROGRAMS; i++) {
        const struct program_text *p = &PROGRAMS[i];
        check_test(&check);
        struct ctx *ctx = ctx_new();
        struct program *program = program_read_text(ctx, arena_printf(ctx->arena, "%s.c", p->name),
                                                    p->text, strlen(p->text), &READING);
        if (check_that(&check, program != NULL, "%s cannot be read", p->name))
            check_both(&check, ctx, program->regions[0], p);
        ctx_free(ctx);
    }
    return check_end(&check, "optimizer_programs");
}
