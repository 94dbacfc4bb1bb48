/* The closed forms by which the mapper orders axes and shapes blocks (mapper/plan/shape.h) against
   a simulator that counts lines thread by thread, at 10,000 random accesses; and the block of LU's
   update (spec H-23, H-24, H-26). */
#include "mapper/plan/shape.h"
#include "tests/unit/check.h"

enum { ACCESSES = 10000, THREADS_MOST = 4096 };
static const int64_t UNKNOWN[AXES_MAX];

static uint64_t state = 20261123;

static int64_t random_below(int64_t most)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)most);
}

/* --- the simulator --------------------------------------------------------------------------- */

/* An access whose steps of a line or more are so large that rows never share a line. */
struct access {
    struct movement movement;
    int64_t steps[AXES_MAX];
};

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Different lines of `count` threads from `begin` on in a box whose first element begins a line;
   the last axis is the fastest. */
static int lines_count(const struct access *access, int n, const int64_t *box, int64_t begin,
                       int64_t count)
{
    static int64_t lines[THREADS_MOST];
    int different = 0;
    for (int64_t k = 0; k < count; k++) {
        int64_t rest = begin + k, place = 0;
        for (int i = n; i-- > 0;) {
            place += rest % box[i] * access->steps[i];
            rest /= box[i];
        }
        lines[k] = place / access->movement.line;
    }
    qsort(lines, (size_t)count, sizeof *lines, compare);
    for (int64_t k = 0; k < count; k++)
        different += k == 0 || lines[k] != lines[k - 1];
    return different;
}

/* --- random accesses ------------------------------------------------------------------------- */

/* A step that is 0, less than a line, or far more. */
static void step_random(struct access *access, int axis, bool power)
{
    int64_t line = access->movement.line, kind = random_below(3);
    int64_t step = 0;
    if (kind == 1)
        step = power ? (int64_t)1 << random_below(5) : 1 + random_below(line - 1);
    if (kind == 1 && step >= line)
        step = line / 2;
    /* Rows of another axis are at least 1 << 20 apart, all other movement is less. */
    if (kind == 2)
        step = line << (14 + 13 * axis);
    access->steps[axis] = step;
    access->movement.factors[axis] = step < line ? step : line;
}

static struct access access_random(int n, bool power)
{
    struct access access = {.movement = {.weight = 1, .line = (int64_t)8 << random_below(5)}};
    for (int i = 0; i < n; i++)
        step_random(&access, i, power);
    return access;
}

static const int IN_ORDER[AXES_MAX] = {0, 1, 2};

/* H-23: any steps below a line, any box. */
static void test_blocks(struct check *check)
{
    check_test(check);
    for (int k = 0; k < ACCESSES; k++) {
        int n = 1 + (int)random_below(3);
        struct access access = access_random(n, false);
        int64_t box[AXES_MAX], volume = 1;
        for (int i = 0; i < n; i++) {
            box[i] = 1 + random_below(16);
            volume *= box[i];
        }
        double closed = lines_touched(&access.movement, n, IN_ORDER, box);
        int counted = lines_count(&access, n, box, 0, volume);
        check_that(check, closed == counted, "access %d: %g lines, counted %d", k, closed, counted);
    }
}

/* H-24: the lines of each warp of a block, where it begins a line; steps are powers of two, as the
   extents of blocks are. */
static void test_warps(struct check *check)
{
    int exact = 0, all = 0;
    check_test(check);
    for (int k = 0; k < ACCESSES; k++) {
        int n = 1 + (int)random_below(3);
        struct access access = access_random(n, true);
        int64_t block[AXES_MAX], warp[AXES_MAX], volume = 1;
        for (int i = 0; i < n; i++) {
            block[i] = (int64_t)1 << random_below(n == 1 ? 9 : 5);
            volume *= block[i];
        }
        if (volume < WARP)
            continue;
        warp_box(n, block, warp);
        double closed = lines_touched(&access.movement, n, IN_ORDER, warp);
        int counted = lines_count(&access, n, block, 0, WARP);
        check_that(check, closed == counted, "warp of access %d: %g lines, counted %d", k, closed,
                   counted);
        /* All warps, also those that begin inside a line. */
        double sum = 0;
        for (int64_t begin = 0; begin < volume; begin += WARP)
            sum += lines_count(&access, n, block, begin, WARP);
        exact += sum * WARP == closed * (double)volume;
        all++;
    }
    check_that(check, exact * 100 >= all * 95, "only %d of %d blocks have their warps' lines",
               exact, all);
}

/* --- LU -------------------------------------------------------------------------------------- */

/* A[i][j] read and written, A[i][k] and A[k][j], doubles in lines of 16; the axes are i and j. */
static const struct movement LU[] = {
    {1, 16, {16, 1}}, {1, 16, {16, 1}}, {1, 16, {16, 0}}, {1, 16, {0, 1}}};

static double block_lines(const int *axes, const int64_t *block)
{
    double lines = 0;
    for (size_t i = 0; i < sizeof LU / sizeof *LU; i++)
        lines += lines_touched(&LU[i], 2, axes, block);
    return lines / BLOCK_VOLUME;
}

static void test_lu(struct check *check)
{
    struct movement movements[sizeof LU / sizeof *LU];
    memcpy(movements, LU, sizeof LU);
    movement_list list = {.at = movements, .count = sizeof LU / sizeof *LU};
    struct block_shape shape = shape_best(&list, 2, UNKNOWN);
    check_test(check);
    check_that(check, shape.axes[0] == 0 && shape.axes[1] == 1, "j is not x");
    check_that(check, shape.block[0] == 4 && shape.block[1] == 64, "the block is %lld x %lld",
               (long long)shape.block[0], (long long)shape.block[1]);
    check_that(check, block_lines(shape.axes, shape.block) == 0.15625, "%g lines per thread",
               block_lines(shape.axes, shape.block));
    for (int64_t x = 1; x <= BLOCK_VOLUME; x *= 2) {
        const int64_t block[] = {BLOCK_VOLUME / x, x};
        check_that(check, x == 64 || block_lines(IN_ORDER, block) > 0.15625,
                   "%lld x %lld is no worse", (long long)block[0], (long long)x);
    }
    const int swapped[] = {1, 0};
    const int64_t other[] = {64, 4};
    check_that(check, block_lines(swapped, other) == 0.15625,
               "a block's lines tell the axes apart");
}

/* --- what decides where blocks touch equally many lines -------------------------------------- */

static struct block_shape best_of(struct movement *movements, size_t count)
{
    movement_list list = {.at = movements, .count = count};
    return shape_best(&list, 2, UNKNOWN);
}

/* A copy of rows: of all blocks with 16 lines the widest. */
static void test_tie(struct check *check)
{
    struct movement copy[] = {{1, 16, {16, 1}}};
    struct block_shape shape = best_of(copy, 1);
    check_test(check);
    check_that(check, shape.axes[1] == 1 && shape.block[1] == 256, "x is axis %d, %lld wide",
               shape.axes[1], (long long)shape.block[1]);
}

/* Blocks of 16 x 16 touch as many lines either way, warps touch fewer along axis 0. */
static void test_coalescing(struct check *check)
{
    struct movement mixed[] = {{3, 16, {1, 16}}, {1, 16, {16, 0}}};
    struct block_shape shape = best_of(mixed, 2);
    check_test(check);
    check_that(check, shape.axes[1] == 0 && shape.block[1] == 16, "x is axis %d, %lld wide",
               shape.axes[1], (long long)shape.block[1]);
}

/* An axis of few points gets threads for these, if others can have the rest. */
static void test_counts(struct check *check)
{
    struct movement copy[] = {{1, 16, {3, 1}}};
    movement_list list = {.at = copy, .count = 1};
    const int64_t channels[AXES_MAX] = {0, 3}, few[AXES_MAX] = {4, 5};
    struct block_shape shape = shape_best(&list, 2, channels);
    check_test(check);
    check_that(check, shape.axes[1] == 1 && shape.block[0] == 64 && shape.block[1] == 4,
               "x is axis %d, the block is %lld x %lld", shape.axes[1], (long long)shape.block[0],
               (long long)shape.block[1]);
    shape = shape_best(&list, 2, few);
    check_that(check, shape.block[0] * shape.block[1] == BLOCK_VOLUME, "few points have no block");
}

int main(void)
{
    struct check check = {0};
    test_counts(&check);
    test_blocks(&check);
    test_warps(&check);
    test_lu(&check);
    test_tie(&check);
    test_coalescing(&check);
    return check_end(&check, "mapper_shape");
}
