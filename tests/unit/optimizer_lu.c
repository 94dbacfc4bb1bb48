/* The golden case H-26: update of a block in LU decomposition, A[i][j] -= A[i][k] * A[k][j],
   doubles, blocks of 256 threads. The counters `lines` and `transactions` and the tables of H-20
   (here: reciprocals of lines per thread) have to give the same block: j on the fastest axis, 64 by
   4, 0.15625 lines per thread; ties with lines of 32 elements; with i on the fastest axis the
   tables say 2.03 at best. Nobody's closed form is asked twice: the simulator counts too. */
#include "tests/unit/ir_check.h"
#include "tests/unit/optimizer_lines.h"

enum { THREADS = 256, SIZE = 512, SHAPES = 9 };

/* u walks the rows (i), v the columns (j); the axis named last is the fastest. */
static const char TEXT[] =
    "kernel lu {\n    ring N, k, B0, B1;\n    param data size int N >= 1;\n"
    "    param program uniform int k >= 0;\n    param program tunable int B0 >= 1;\n"
    "    param program tunable int B1 >= 1;\n    global double A[N][N];\n    global double "
    "X[N][N];\n"
    "    fact 1 <= N;\n    grid int g < 1;\n%s    body {\n        band (%s) {\n"
    "            A[u][v] = A[u][v] - X[u][k] * X[k][v];\n        }\n    }\n}\n";
static const char *const BLOCKS[] = {"    block int u < B1;\n    block int v < B0;\n",
                                     "    block int v < B1;\n    block int u < B0;\n"};
static const char *const BANDS[] = {"int u < B1, int v < B0", "int v < B1, int u < B0"};

/* Lines per thread by the table of H-20: one access with steps a0 (fastest axis), a1; large =
   -1. */
static double seed_table(int64_t a0, int64_t a1, int64_t b0, int64_t b1, int64_t per_line)
{
    int64_t threads = b0 * b1, shared;
    if (a0 == 0 && a1 == 0)
        return 0;
    if (a0 == 0)
        shared = a1 < 0 ? b0 : per_line / a1 * b0;
    else if (a0 < 0)
        shared = a1 == 0 ? b1 : 1;
    else
        shared = a1 == 0  ? per_line / a0 * b1
                 : a1 < 0 ? (per_line / a0 < b0 ? per_line / a0 : b0)
                          : 0;
    return 1.0 / (double)(shared < threads ? shared : threads);
}

/* The four accesses by the table; `swapped`: i is on the fastest axis. */
static double seed_cost(bool swapped, int64_t b0, int64_t b1, int64_t per_line)
{
    if (swapped)
        return 2 * seed_table(-1, 1, b0, b1, per_line) + seed_table(-1, 0, b0, b1, per_line) +
               seed_table(0, 1, b0, b1, per_line);
    return 2 * seed_table(1, -1, b0, b1, per_line) + seed_table(0, -1, b0, b1, per_line) +
           seed_table(1, 0, b0, b1, per_line);
}

struct costs {
    double block[SHAPES], warp[SHAPES], table[SHAPES];
};

/* Costs per thread of every block of 256 threads with 2^x on the fastest axis. */
static struct costs costs_find(struct check *check, bool swapped, int64_t line)
{
    static const enum counter_symbol symbols[] = {COUNTER_LINES, COUNTER_TRANSACTIONS};
    struct costs costs;
    struct ctx *ctx = check_ctx();
    const struct kernel *kernel = kernel_read(
        ctx, check_source(ctx, arena_printf(ctx->arena, TEXT, BLOCKS[swapped], BANDS[swapped])));
    check_that(check, kernel != NULL, "cannot be read: %s", ctx->last);
    struct region region = {.name = "lu", .kernel = kernel};
    struct store *store = store_bare(ctx, &region);
    for (int x = 0; x < SHAPES; x++) {
        int64_t b0 = (int64_t)1 << x, b1 = THREADS / b0;
        union value params[4] = {{SIZE}, {64}, {b0}, {b1}};
        struct lines_point at = {params, line};
        struct simulation simulation = simulate_at(ctx, kernel, at, 0);
        double counted[LINES_COUNTERS], found[2];
        simulation_values(&simulation, counted);
        for (int i = 0; i < 2; i++) {
            struct counter_value value = counter_table((int)symbols[i])->evaluate(store, kernel);
            struct comparison c = value_at(&value, kernel, at);
            check_that(check, c.valued && c.exactness == COUNTER_EXACT && c.value == counted[i],
                       "%s of %lld x %lld: %g (%s), counted %g", i ? "transactions" : "lines",
                       (long long)b0, (long long)b1, c.value, exactness_name(c.exactness),
                       counted[i]);
            found[i] = c.value;
        }
        costs.block[x] = found[0] / THREADS;
        costs.warp[x] = found[1] / LINES_WARP;
        costs.table[x] = seed_cost(swapped, b0, b1, line / 8);
    }
    ctx_free(ctx);
    return costs;
}

/* The shape of least cost; *ties: how many have it. */
static int least(const double *costs, int *ties)
{
    int best = 0;
    *ties = 0;
    for (int x = 1; x < SHAPES; x++)
        best = costs[x] < costs[best] ? x : best;
    for (int x = 0; x < SHAPES; x++)
        *ties += costs[x] == costs[best];
    return best;
}

int main(void)
{
    struct check check = {0};
    int ties, other;
    struct costs straight = costs_find(&check, false, 128), swapped = costs_find(&check, true, 128);
    struct costs wide = costs_find(&check, false, 256);
    int best = least(straight.block, &ties);
    check_that(&check, best == 6 && ties == 1, "the best block has %d columns, %d of that cost",
               1 << best, ties);
    check_that(&check, straight.block[6] == 0.15625, "it costs %g lines per thread",
               straight.block[6]);
    best = least(straight.table, &ties);
    check_that(&check, best == 6 && ties == 1 && straight.table[6] == 0.15625,
               "by the table %d, %g", 1 << best, straight.table[best]);
    other = least(swapped.table, &ties);
    check_that(&check, swapped.table[other] == 2.03125,
               "the table says %g with rows on the fastest axis", swapped.table[other]);
    double sums[2][SHAPES];
    for (int x = 0; x < SHAPES; x++) {
        sums[0][x] = straight.block[x] + straight.warp[x];
        sums[1][x] = swapped.block[x] + swapped.warp[x];
    }
    best = least(sums[0], &ties);
    other = least(sums[1], &ties);
    check_that(&check, best == 6 && sums[0][best] < sums[1][other],
               "with warps: %d columns, %g; rows: %g", 1 << best, sums[0][best], sums[1][other]);
    best = least(wide.block, &ties);
    check_that(&check, ties == 2 && wide.block[6] == wide.block[7] && best == 6,
               "longer lines: %d of least cost", ties);
    best = least(wide.table, &ties);
    check_that(&check, ties == 2 && wide.table[6] == wide.table[7] && best == 6,
               "longer lines by the table: %d of least cost", ties);
    return check_end(&check, "optimizer_lu");
}
