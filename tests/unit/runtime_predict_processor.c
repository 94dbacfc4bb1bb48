/* The model of predicted time on processors, known cases by hand: which points, rows and blocks
   fill the lanes of vectors, what lies in a cache already, sets of it in which rows meet. */
#include "tests/unit/runtime_figures.h"
#include <math.h>

/* Threads of four points that add up columns: loads of a row of four at this distance from each
   other, stores behind the loop or (in_memory) in each round. */
static struct treefork_prediction points_of_four(struct test *test, int64_t apart, bool in_memory,
                                                 int64_t shared_bytes)
{
    enum { TRIP = 100 };
    struct treefork_machine m = machine_of("machines/pocl-cpu.json");
    struct treefork_access a[8];
    m.value[TREEFORK_V_L] = 8;
    for (int k = 0; k < 8; k++) {
        bool stores = k >= 4;
        a[k] = walk(16, 8, 0, stores ? 4 : 0);
        a[k].phase = k;
        a[k].bytes = 8;
        a[k].n_loops = !stores || in_memory;
        a[k].trip[0] = a[k].rounds = stores && !in_memory ? 1 : TRIP;
        a[k].waits = stores ? 0 : TRIP;
        a[k].step[0] = stores ? 0 : 8000;
        a[k].distance = k % 4 * apart;
    }
    struct treefork_figures f = {.blocks = m.value[TREEFORK_M_D],
                                 .threads = 16,
                                 .width = 16,
                                 .doubles = 17000000,
                                 .shared_bytes = shared_bytes,
                                 .n_accesses = 8,
                                 .accesses = a};
    return predict(test, &m, &f);
}

/* Points side by side fill lanes of a vector, unless barriers part them; sums that go by way of
   memory take three times as long. */
static void points(struct test *test)
{
    check_test(&test->count);
    struct treefork_prediction far = points_of_four(test, 80, false, 0);
    double beside = points_of_four(test, 8, false, 0).compute;
    CHECK(test, beside < 0.26 * far.compute && beside > 0.24 * far.compute);
    CHECK(test, points_of_four(test, 8, false, 64).compute ==
                    points_of_four(test, 80, false, 64).compute);
    double added = points_of_four(test, 80, true, 0).latency;
    CHECK(test, fabs(added - 3 * far.latency) <= 1e-9 * added);
}

/* Of threads that load apart what several rows of four points take, and store rows or halves of
   them side by side. */
static double rows_compute(struct test *test, int rows, int beside)
{
    struct treefork_machine m = machine_of("machines/pocl-cpu.json");
    struct treefork_access a[9];
    m.value[TREEFORK_V_L] = 8;
    a[0] = walk(16, 32, 0, 0);
    a[0].bytes = 8;
    a[0].n_loops = 1;
    a[0].trip[0] = a[0].rounds = a[0].waits = 100;
    a[0].step[0] = 8000;
    for (int k = 0; k < 4 * rows; k++) {
        a[k + 1] = walk(16, 32, 0, 1);
        a[k + 1].phase = k + 1;
        a[k + 1].bytes = 8;
        a[k + 1].waits = 0;
        a[k + 1].distance = k / beside * 8000 + k % beside * 8;
    }
    struct treefork_figures f = {.blocks = m.value[TREEFORK_M_D],
                                 .threads = 16,
                                 .width = 16,
                                 .doubles = 17000000,
                                 .n_accesses = (size_t)(4 * rows + 1),
                                 .accesses = a};
    return predict(test, &m, &f).compute;
}

/* Of several rows of points a thread what is stored side by side fills lanes, of one row only what
   is loaded so, too. */
static void rows_of_points(struct test *test)
{
    check_test(&test->count);
    double apart = rows_compute(test, 1, 4), rows = rows_compute(test, 2, 4);
    CHECK(test, rows < 0.26 * apart && rows > 0.24 * apart);
    double halves = rows_compute(test, 2, 2);
    CHECK(test, fabs(halves - 2 * rows) <= 0.02 * halves);
}

/* Of a thread that adds up four rows and stores its sums at this distance from each other. */
static double rows_latency(struct test *test, int64_t apart)
{
    struct treefork_machine m = machine_of("machines/pocl-cpu.json");
    struct treefork_access a[8];
    m.value[TREEFORK_V_L] = 8;
    m.value[TREEFORK_V_G] = 150;
    m.value[TREEFORK_V_S] = 3;
    for (int k = 0; k < 8; k++) {
        bool stores = k >= 4;
        a[k] = walk(1, stores ? 8 : 8000, 0, stores ? 4 : 0);
        a[k].phase = k;
        a[k].bytes = 8;
        a[k].n_loops = !stores;
        a[k].trip[0] = a[k].rounds = stores ? 1 : 1000;
        a[k].waits = stores ? 0 : 1000;
        a[k].step[0] = stores ? 0 : 8;
        a[k].distance = k % 4 * (stores ? apart : 8000);
    }
    struct treefork_figures f = {
        .blocks = m.value[TREEFORK_M_D], .threads = 1, .n_accesses = 8, .accesses = a};
    return predict(test, &m, &f).latency;
}

/* Rows are gathered by a thread alone, too, where its sums fill a vector. */
static void rows_beside(struct test *test)
{
    check_test(&test->count);
    double apart = rows_latency(test, 16);
    CHECK(test, apart > 0 && fabs(rows_latency(test, 8) - 1.5 * apart) <= 1e-9 * apart);
}

static double memory_of(struct test *test, const struct treefork_machine *m,
                        struct treefork_figures *f)
{
    return predict(test, m, f).memory;
}

/* On devices without warps arrays that fit into the cache are there already; neighbours that lie
   apart are gathered where they fill a vector and the threads are made vectors of. */
static void caches(struct test *test)
{
    check_test(&test->count);
    struct treefork_machine m = machine_of("machines/pocl-cpu.json");
    m.value[TREEFORK_V_L] = 8;
    m.value[TREEFORK_V_G] = 250;
    struct treefork_access a[2] = {walk(64, 8000, 0, 0), walk(64, 8000, 0, 1)};
    a[0].bytes = a[1].bytes = 8;
    a[0].rounds = a[0].waits = 1000;
    struct treefork_figures f = {.blocks = 64 * m.value[TREEFORK_M_D],
                                 .threads = 64,
                                 .width = 64,
                                 .footprint = m.value[TREEFORK_L_D],
                                 .n_accesses = 1,
                                 .accesses = a};
    double kept = memory_of(test, &m, &f);
    f.footprint++;
    CHECK(test, memory_of(test, &m, &f) > 1.01 * kept);
    f.footprint--;
    m.value[TREEFORK_V_G] = 100;
    double alone = memory_of(test, &m, &f);
    CHECK(test, kept > 1.5 * alone && kept <= 2.5 * alone);
    m.value[TREEFORK_V_G] = 250;
    f.n_accesses = 2;
    a[1].waits = 0;
    a[1].n_loops = 1;
    a[1].trip[0] = a[1].rounds = 4;
    a[1].step[0] = 800000;
    double scalar = memory_of(test, &m, &f);
    m.value[TREEFORK_V_G] = 100;
    CHECK(test, scalar == memory_of(test, &m, &f));
}

/* Of 16 threads that walk rows of their own and go down four columns so many bytes apart. */
static double columns_memory(struct test *test, int64_t trip, int64_t apart)
{
    struct treefork_machine m = machine_of("machines/pocl-cpu.json");
    struct treefork_access a[5] = {walk(16, 8000, 0, 0)};
    m.value[TREEFORK_V_L] = 8;
    for (int k = 0; k < 5; k++) {
        if (k > 0)
            a[k] = walk(16, 8, 0, 1);
        a[k].phase = k;
        a[k].bytes = 8;
        a[k].n_loops = 1;
        a[k].trip[0] = a[k].rounds = a[k].waits = trip;
        a[k].step[0] = k == 0 ? 8 : 8000;
        a[k].distance = k == 0 ? 0 : (k - 1) * apart;
    }
    struct treefork_figures f = {.blocks = 64 * m.value[TREEFORK_M_D],
                                 .threads = 16,
                                 .width = 16,
                                 .footprint = 1 << 20,
                                 .n_accesses = 5,
                                 .accesses = a};
    return memory_of(test, &m, &f);
}

/* Such threads run one after the other: each fetches the columns again where the first-level
   cache does not keep them, so that twice the rows take more than twice as long there; columns in
   one line are kept for longer. */
static void columns(struct test *test)
{
    check_test(&test->count);
    static const struct { int64_t trip, apart; bool is_more; } cases[] = {
        {50, 512, false}, {100, 512, true}, {50, 8, false}, {200, 8, false}, {400, 8, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double once = columns_memory(test, cases[i].trip, cases[i].apart),
               twice = columns_memory(test, 2 * cases[i].trip, cases[i].apart);
        CHECK(test, (twice > 2.02 * once) == cases[i].is_more);
    }
}

/* Of 16 threads that go down one column whose elements are so many bytes apart. */
static double column_memory(struct test *test, int64_t trip, int64_t step, int64_t footprint)
{
    struct treefork_machine m = machine_of("machines/pocl-cpu.json");
    struct treefork_access a = walk(16, 4, 0, 0);
    m.value[TREEFORK_V_L] = 8;
    a.n_loops = 1;
    a.trip[0] = a.rounds = a.waits = trip;
    a.step[0] = step;
    struct treefork_figures f = {.blocks = m.value[TREEFORK_M_D],
                                 .threads = 16,
                                 .width = 16,
                                 .footprint = footprint,
                                 .n_accesses = 1,
                                 .accesses = &a};
    return memory_of(test, &m, &f);
}

/* A cache is as large as the sets that a column reaches: 2,048 bytes reach two of 64 sets of eight
   lines, an odd number of lines all, and 4,096 bytes 32 of 2,048 sets of the second level. */
static void sets(struct test *test)
{
    check_test(&test->count);
    static const struct { int64_t trip, step, other, footprint; bool is_more; } cases[] = {
        {16, 2048, 2112, 1 << 19, false}, {64, 2048, 2112, 1 << 19, true},
        {400, 2112, 1984, 1 << 19, false}, {32, 1024, 1088, 1 << 19, false},
        {64, 1024, 1088, 1 << 19, true}, {64, -2048, -2112, 1 << 19, true},
        {200, 4096, 4160, 1 << 19, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double few = column_memory(test, cases[i].trip, cases[i].step, cases[i].footprint),
               all = column_memory(test, cases[i].trip, cases[i].other, cases[i].footprint);
        CHECK(test, few >= all && (few > 1.5 * all) == cases[i].is_more);
    }
    double near = column_memory(test, 512, 4096, 1 << 20);
    CHECK(test, column_memory(test, 512, 4096, 1 << 21) > 2 * near);
}

/* Where the sets that a column reaches have room for the lines under way, these are fetched ahead:
   8 sets of eight lines have, 4 have for half of them; all those columns fit into the second
   level. */
static void ahead(struct test *test)
{
    check_test(&test->count);
    double all = column_memory(test, 1000, 64 * 63, 1 << 20),
           eight = column_memory(test, 1000, 512 * 9, 1 << 20),
           four = column_memory(test, 1000, 1024 * 9, 1 << 20),
           two = column_memory(test, 1000, 2048 * 9, 1 << 20);
    CHECK(test, eight < 1.6 * all && four > 1.6 * eight && two > 1.2 * four);
}

/* Of 16 rows of threads that go down a column for each row, or each thread. */
static double shared_memory(struct test *test, int64_t stride, int64_t blocks)
{
    struct treefork_machine m = machine_of("machines/pocl-cpu.json");
    struct treefork_access a = walk(16, 64, 0, 0);
    a.n_axes = 2;
    a.extent[1] = 16;
    a.stride[1] = stride;
    a.n_loops = 1;
    a.trip[0] = a.rounds = a.waits = 500;
    a.step[0] = 9600;
    struct treefork_figures f = {.blocks = blocks,
                                 .threads = 256,
                                 .width = 16,
                                 .footprint = 1 << 24,
                                 .n_accesses = 1,
                                 .accesses = &a};
    return memory_of(test, &m, &f);
}

/* What all blocks of a row touch the first of them fetches from beyond the second level: the lines
   are the same where the last axis moves by nothing or within a line. */
static void rows_of_blocks(struct test *test)
{
    check_test(&test->count);
    double many = shared_memory(test, 4, 64) / shared_memory(test, 0, 64),
           alone = shared_memory(test, 4, 1) / shared_memory(test, 0, 1);
    CHECK(test, many > 1.15 * alone);
}

/* Of a row of threads with so many rows of points each, the last two axes being one row or not. */
static double joint_compute(struct test *test, int rows, int loops)
{
    struct treefork_machine m = machine_of("machines/pocl-cpu.json");
    struct treefork_access a[8];
    m.value[TREEFORK_V_L] = 8;
    for (int k = 0; k < rows; k++) {
        a[k] = walk(64, 3, 0, 0);
        a[k].n_axes = 2;
        a[k].extent[1] = 3;
        a[k].stride[1] = 1;
        a[k].bytes = 1;
        a[k].waits = 0;
        a[k].distance = k * 3000;
    }
    struct treefork_figures f = {.blocks = 64,
                                 .threads = 192,
                                 .width = 3,
                                 .instructions = 100000,
                                 .loops = loops,
                                 .n_accesses = (size_t)rows,
                                 .accesses = a};
    return predict(test, &m, &f).compute;
}

/* Before a joint row compilers compare where four rows of points lie; six are too many. */
static void rows_compared(struct test *test)
{
    check_test(&test->count);
    int joint = TREEFORK_LOOPS_JOINT + 3;
    double one = joint_compute(test, 1, joint);
    CHECK(test, joint_compute(test, 4, joint) < 1.2 * one);
    CHECK(test, joint_compute(test, 6, joint) > 2 * one);
    CHECK(test, joint_compute(test, 4, TREEFORK_LOOPS_TOLD) >
                    2 * joint_compute(test, 1, TREEFORK_LOOPS_TOLD));
}

/* Of a thread's four points whose sums lie side by side: of so many loads half walk through rows of
   their own, or all stand beside each other. */
static double mixed_compute(struct test *test, bool has_rows)
{
    struct treefork_machine m = machine_of("machines/pocl-cpu.json");
    struct treefork_access a[12];
    m.value[TREEFORK_V_L] = 8;
    for (int k = 0; k < 12; k++) {
        bool stores = k >= 8, walks = k < 4 && has_rows;
        a[k] = walk(16, walks ? 32000 : 32, 0, k / 4 * 4);
        a[k].bytes = 8;
        a[k].n_loops = !stores;
        a[k].trip[0] = a[k].rounds = stores ? 1 : 100;
        a[k].waits = stores ? 0 : 100;
        a[k].step[0] = walks ? 8 : 8000;
        a[k].distance = k % 4 * (walks ? 8000 : 8);
    }
    struct treefork_figures f = {.blocks = 64,
                                 .threads = 16,
                                 .width = 16,
                                 .doubles = 17000000,
                                 .n_accesses = 12,
                                 .accesses = a};
    return predict(test, &m, &f).compute;
}

/* Points fill lanes only of the loads that stand side by side: of four lanes half the work is left
   with one, 5/8 instead of 1/4. */
static void lanes_in_the_mean(struct test *test)
{
    check_test(&test->count);
    double rows = mixed_compute(test, true), beside = mixed_compute(test, false);
    CHECK(test, rows > 2.4 * beside && rows < 2.6 * beside);
}

/* Of a thread that walks through so many rows of an array at once, this far apart, of rows that
   wait together or of one each for itself. */
static double meeting_memory(struct test *test, int rows, int64_t apart, bool at_once)
{
    struct treefork_machine m = machine_of("machines/pocl-cpu.json");
    struct treefork_access a[16];
    m.value[TREEFORK_V_L] = 8;
    for (int k = 0; k < rows; k++) {
        a[k] = walk(16, 8 * 64, 0, k / (rows / 2) * (rows / 2));
        a[k].phase = at_once ? 0 : a[k].leader;
        a[k].bytes = 8;
        a[k].n_loops = 1;
        a[k].trip[0] = a[k].rounds = a[k].waits = 40;
        a[k].step[0] = 8;
        a[k].distance = k % (rows / 2) * apart;
    }
    struct treefork_figures f = {.blocks = 64 * m.value[TREEFORK_M_D],
                                 .threads = 16,
                                 .width = 16,
                                 .footprint = 1 << 19,
                                 .n_accesses = (size_t)rows,
                                 .accesses = a};
    return memory_of(test, &m, &f);
}

/* Lines of a round that meet in one set drive each other out where they are more than its ways,
   those of two arrays together, but not those of two loops. */
static void meeting(struct test *test)
{
    check_test(&test->count);
    static const struct { int rows; bool at_once, is_more; } cases[] = {
        {8, true, false}, {16, true, true}, {16, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int rows = cases[i].rows;
        bool at_once = cases[i].at_once;
        double meet = meeting_memory(test, rows, 4096, at_once),
               part = meeting_memory(test, rows, 4096 + 64, at_once);
        CHECK(test, (meet > 1.1 * part) == cases[i].is_more);
    }
}
int main(void)
{
    struct test test = {.name = "runtime_predict_processor"};
    caches(&test);
    columns(&test);
    points(&test);
    rows_of_points(&test);
    rows_beside(&test);
    sets(&test);
    ahead(&test);
    rows_of_blocks(&test);
    rows_compared(&test);
    lanes_in_the_mean(&test);
    meeting(&test);
    return test_end(&test);
}
