/* The model of predicted time: known cases by hand (a copy is bound by bandwidth, a column walk by
   sectors, a bank conflict by its bank), blocks that do not fit, figures of no kernel; at random
   figures more of anything never takes less, the result is the sum that the formula says, and the
   order by which launches are ranked is one. Vectors and caches of processors:
   runtime_predict_processor.c. */
#include "tests/unit/runtime_figures.h"
#include <inttypes.h>
#include <math.h>

enum { ROUNDS = 20000 };

/* 2^24 floats copied by blocks of 256. */
static void copies(struct test *test)
{
    check_test(&test->count);
    struct treefork_machine m = machine_of("machines/ampere-a100.json");
    struct treefork_access a[] = { walk(256, 4, 0, 0), walk(256, 4, 0, 1) };
    struct treefork_figures f = {.blocks = 65536,
                                 .threads = 256,
                                 .registers = 24,
                                 .instructions = 256,
                                 .footprint = (int64_t)1 << 27,
                                 .n_accesses = 2,
                                 .accesses = a};
    struct treefork_prediction p = predict(test, &m, &f);
    CHECK(test,
          p.memory_bytes == (int64_t)1 << 27 && p.sectors == (int64_t)1 << 22 && p.resident == 8);
    CHECK(test, strcmp(p.bound, "memory") == 0 && p.memory >= 134217728.0 / 1555.0 &&
                p.memory < 1.1 * 134217728.0 / 1555.0);
    CHECK(test, p.nanoseconds - p.launch >= p.memory && p.nanoseconds - p.launch < 1.2 * p.memory &&
                    p.launch == 5000);
    a[1].stride[0] = 4096;
    p = predict(test, &m, &f);
    CHECK(test, p.sectors == 65536 * (int64_t)(8 * 4 + 8 * 32));
    a[1] = a[0];
    f.footprint = 1 << 20;
    CHECK(test, predict(test, &m, &f).memory_bytes == 1 << 20);
}

/* A launch that is queued behind another one waits for its work, and takes a part of Y_L. */
static void behind(struct test *test, const char *machine, double least, double most)
{
    check_test(&test->count);
    struct treefork_machine m = machine_of(machine);
    struct treefork_access a[] = { walk(256, 4, 0, 0), walk(256, 4, 0, 1) };
    struct treefork_figures f = {.blocks = 4096,
                                 .threads = 256,
                                 .registers = 24,
                                 .instructions = 256,
                                 .n_accesses = 2,
                                 .accesses = a};
    struct treefork_prediction p = predict(test, &m, &f), both = p;
    treefork_prediction_add(&both, &p);
    double own = both.launch - p.launch;
    CHECK(test, own >= least * p.launch && own <= most * p.launch &&
                    fabs(both.nanoseconds - 2 * (p.nanoseconds - p.launch) - both.launch) < 1);
}

static void conflicts(struct test *test)
{
    check_test(&test->count);
    struct treefork_machine m = machine_of("machines/hopper-h100.json");
    static const struct { int64_t stride; int bytes; double cycles;
    } cases[] = {{4, 4, 1},   {0, 4, 1},   {8, 4, 2}, {128, 4, 32},
                 {132, 4, 1}, {64, 4, 16}, {8, 8, 2}, {16, 16, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct treefork_access a = walk(32, cases[i].stride, 1, 0);
        struct treefork_figures f = {
            .blocks = 132, .threads = 32, .registers = 24, .n_accesses = 1, .accesses = &a};
        a.bytes = cases[i].bytes;
        a.rounds = 1000000;
        double expected = cases[i].cycles * 1e6 * 1e6 / (double)m.value[TREEFORK_K_D];
        struct treefork_prediction p = predict(test, &m, &f);
        CHECK(test, fabs(p.memory - expected) < 1e-6 * expected);
    }
}

/* Few resident blocks mean many waves. */
static void waves(struct test *test)
{
    check_test(&test->count);
    struct treefork_machine m = machine_of("machines/ampere-a100.json");
    struct treefork_figures f = {
        .blocks = 108 * 64, .threads = 64, .registers = 24, .instructions = 64 * 1000};
    struct treefork_prediction light = predict(test, &m, &f);
    f.shared_bytes = 160 * 1024;
    struct treefork_prediction heavy = predict(test, &m, &f);
    CHECK(test, light.resident == 32 && heavy.resident == 1 &&
                    fabs(heavy.latency - 32 * light.latency) < 1e-6 * heavy.latency);
    CHECK(test, heavy.nanoseconds > light.nanoseconds && light.compute == heavy.compute);
    f.shared_bytes = 200 * 1024;
    CHECK(test,
          predict(test, &m, &f).nanoseconds == HUGE_VAL && predict(test, &m, &f).resident == 0);
    f.shared_bytes = 0;
    f.blocks = 0;
    CHECK(test, predict(test, &m, &f).nanoseconds == 5000);
    f.threads = 0;
    struct treefork_prediction p;
    CHECK(test, treefork_predict(&m, &f, &p) == TREEFORK_ARGUMENT);
    f.threads = 1;
    f.floats = -1;
    CHECK(test, treefork_predict(&m, &f, &p) == TREEFORK_ARGUMENT);
}

/* Loops whose rounds grow with a place take between half and all of the time of as long ones on a
   GPU, and the same elsewhere. What other blocks have fetched before costs no bandwidth again where
   the arrays fit into the cache, and each wave fetches them once at most where they do not. */
static void sharing(struct test *test)
{
    check_test(&test->count);
    struct treefork_machine m = machine_of("machines/volta-v100.json"),
                            host = machine_of("machines/pocl-cpu.json");
    struct treefork_access a = walk(256, 4, 0, 0);
    struct treefork_figures f = {.blocks = 100000, .threads = 256, .floats = 1 << 20,
                                 .instructions = 1 << 21, .n_accesses = 1, .accesses = &a};
    a.rounds = a.waits = a.trip[0] = 1000;
    a.n_loops = 1;
    a.step[0] = 1024;
    struct treefork_prediction even = predict(test, &m, &f), on_host = predict(test, &host, &f);
    a.slopes = 1;
    struct treefork_prediction sloped = predict(test, &m, &f);
    CHECK(test, sloped.compute == even.compute / 2 && sloped.memory < 0.51 * even.memory);
    CHECK(test, sloped.latency >= even.latency / 2 && sloped.latency < even.latency);
    CHECK(test, predict(test, &host, &f).nanoseconds == on_host.nanoseconds);
    a.slopes = 0;
    f.footprint = m.value[TREEFORK_L_D];
    CHECK(test, predict(test, &m, &f).memory_bytes == f.footprint);
    f.footprint = 4 * m.value[TREEFORK_L_D];
    struct treefork_prediction part = predict(test, &m, &f);
    CHECK(test, part.memory_bytes > f.footprint && part.memory_bytes < even.memory_bytes);
    f.blocks = m.value[TREEFORK_M_D];
    CHECK(test, predict(test, &m, &f).memory_bytes == f.footprint);
}

/* Edges of tiles that neighbours in a plane of blocks share come from memory once where a row of
   blocks fits into the second-level cache, whatever the arrays have, else again. */
static void edges(struct test *test)
{
    check_test(&test->count);
    struct treefork_machine m = machine_of("machines/volta-v100.json");
    struct treefork_access a = walk(256, 4, 0, 0);
    struct treefork_figures f = {.blocks = 1000000, .threads = 256, .n_accesses = 1,
                                 .accesses = &a, .footprint = 800000000};
    a.rounds = a.waits = 1;
    CHECK(test, predict(test, &m, &f).memory_bytes == f.footprint);
    m.value[TREEFORK_L_D] = 500000;
    struct treefork_prediction part = predict(test, &m, &f);
    CHECK(test, part.memory_bytes > f.footprint && part.memory_bytes < 1024 * f.blocks);
    m.value[TREEFORK_L_D] = 250000;
    CHECK(test, predict(test, &m, &f).memory_bytes > part.memory_bytes);
}

static uint64_t state;

static int64_t draw(int64_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)below);
}

static struct treefork_access access_draw(int number)
{
    struct treefork_access a = {.bytes = 1 << draw(5),
                                .shared = (int)draw(2),
                                .affine = draw(5) > 0,
                                .leader = number,
                                .rounds = draw(1000),
                                .n_axes = (int)draw(4),
                                .n_loops = (int)draw(3)};
    a.phase = a.leader = number;
    a.waits = draw(3) ? a.rounds : 0;
    a.overlaps = draw(2), a.address = (int)draw(5), a.advance = (int)draw(2),
    a.in_loop = (int)draw(2), a.slopes = (int)draw(3);
    for (int i = 0; i < a.n_axes; i++) {
        a.extent[i] = 1 + draw(32);
        a.stride[i] = draw(2) ? 4 * draw(40) - 40 : draw(100000);
    }
    for (int i = 0; i < a.n_loops; i++) {
        a.trip[i] = draw(20);
        a.step[i] = draw(2) ? 4 * draw(3) : draw(100000);
    }
    return a;
}

/* Walks like the other one, somewhere else. */
static void follow(struct treefork_access *a, const struct treefork_access *leader)
{
    int number = a->leader;
    *a = *leader;
    a->phase = number;
    a->distance = draw(3) ? 4 * draw(64) - 128 : draw(2000000) - 1000000;
}

/* On devices without warps: threads that store several elements of an array and run no long loop
   are not made vectors of; a row of threads takes cycles of its own, a tenth more where a block has
   more than eight. */
static void rows(struct test *test)
{
    check_test(&test->count);
    static const struct {
        int stores;
        int64_t trip, other, step;
        double times;
    } cases[] = {
        { 1, 0, 0, 0, 1 }, { 2, 0, 0, 0, 3 }, { 1, 4, 0, 0, 3 }, { 8, 0, 0, 0, 6 },
        { 16, 0, 0, 0, 8 }, { 1, 4, 4, 0, 3 }, { 1, 4, 4, 4000, 8 }, { 1, 4, 0, 4000, 3 },
        { 1, 4, 2, 4000, 6 }, { 2, 4, 0, 4000, 6 } };
    struct treefork_machine m = machine_of("machines/pocl-cpu.json");
    m.value[TREEFORK_V_A] = 300;
    m.value[TREEFORK_V_R] = 40;
    double cycle = 1e6 / (double)m.value[TREEFORK_K_D];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct treefork_access a[16];
        for (int k = 0; k < 16; k++) {
            a[k] = walk(1024, 4, 0, 0);
            a[k].waits = 0;
            a[k].n_loops = (cases[i].trip > 0) + (cases[i].other > 0);
            a[k].trip[0] = a[k].rounds = cases[i].trip > 0 ? cases[i].trip : 1;
            a[k].trip[1] = cases[i].other;
            a[k].step[0] = a[k].step[1] = cases[i].step;
            a[k].distance = 4096 * k;
        }
        struct treefork_figures f = {.blocks = m.value[TREEFORK_M_D],
                                     .threads = 1024,
                                     .width = 1024,
                                     .doubles = 17000000,
                                     .n_accesses = (size_t)cases[i].stores,
                                     .accesses = a};
        double expected = cases[i].times * 1e6 * cycle;
        double whole = predict(test, &m, &f).compute;
        CHECK(test, whole >= expected && whole < 1.001 * expected);
        f.width = 64;
        double split = predict(test, &m, &f).compute;
        CHECK(test, fabs(split - whole - cases[i].times * (16 * 44 - 40) * cycle) < 1e-6 * whole);
    }
}

/* On devices without warps threads with long loops run one after the other: they wait for the
   additions of their sums, and where they walk rows of their own load elements one by one; where
   they fill a vector and have several rows, these are gathered. What they compute takes as long as
   without vectors. */
static void sums(struct test *test)
{
    check_test(&test->count);
    static const struct {
        int rows, arrays;
        int64_t threads, stride, step;
        double cycles;
    } cases[] = {
        {6, 6, 64, 8000, 8, 6 * 64}, {1, 1, 1, 8000, 8, 3},     {1, 1, 64, 8000, 8, 3 * 64},
        {2, 1, 64, 8000, 8, 3 * 64}, {4, 1, 2, 8000, 8, 4 * 2}, {4, 1, 3, 8000, 8, 4 * 3},
        {4, 1, 4, 8000, 8, 6 * 4},   {8, 1, 2, 40, -8, 8 * 2},  {4, 1, 4, 32, 8, 3 * 4},
        {4, 1, 4, 8, 8000, 3 * 4},   {4, 1, 4, 8000, 16, 3 * 4}, {4, 1, 4, 8000, 0, 3 * 4}};
    enum { TRIP = 1000 };
    struct treefork_machine m = machine_of("machines/pocl-cpu.json"),
                            gpu = machine_of("machines/ampere-a100.json");
    m.value[TREEFORK_V_L] = 8;
    m.value[TREEFORK_V_G] = 150;
    m.value[TREEFORK_V_S] = 3;
    double cycle = 1e6 / (double)m.value[TREEFORK_K_D];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct treefork_access a[8];
        for (int k = 0; k < cases[i].rows; k++) {
            a[k] = walk(cases[i].threads, cases[i].stride, 0, cases[i].arrays > 1 ? k : 0);
            a[k].bytes = 8;
            a[k].n_loops = 1;
            a[k].trip[0] = a[k].rounds = a[k].waits = TRIP;
            a[k].step[0] = cases[i].step;
            a[k].distance = 100000 * k;
        }
        struct treefork_figures f = {.blocks = 10 * m.value[TREEFORK_M_D],
                                     .threads = cases[i].threads,
                                     .registers = 24,
                                     .n_accesses = (size_t)cases[i].rows,
                                     .accesses = a};
        double expected = 10 * TRIP * cases[i].cycles * cycle,
               got = predict(test, &m, &f).latency, idle = predict(test, &m, &f).compute;
        f.instructions = 1000000 * cases[i].threads;
        double begun = 10.0 * (double)f.instructions * 8 / (double)m.value[TREEFORK_P_I] * cycle;
        CHECK(test, fabs(got - expected) <= 1e-9 * expected &&
                        predict(test, &m, &f).latency == got);
        CHECK(test, fabs(predict(test, &m, &f).compute - idle - begun) <= 1e-9 * begun);
        double on_gpu = predict(test, &gpu, &f).latency;
        f.instructions = 0;
        CHECK(test, on_gpu > predict(test, &gpu, &f).latency);
    }
}

/* A kernel takes less than its budget in the mean, so that more of its blocks are resident than the
   budget allows; a block fits only with its whole budget. */
static void registers(struct test *test)
{
    check_test(&test->count);
    static const struct { int64_t threads, registers, resident; } cases[] = {
        {256, 24, 8}, {256, 32, 8}, {256, 40, 6}, {256, 48, 6}, {256, 128, 2}, {256, 136, 2},
        {512, 128, 1}, {512, 136, 0}, {1024, 64, 1}, {1024, 72, 0}, {32, 255, 8}, {32, 256, 0}};
    struct treefork_machine m = machine_of("machines/ampere-a100.json");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct treefork_figures f = {.blocks = 1000,
                                     .threads = cases[i].threads,
                                     .registers = cases[i].registers,
                                     .instructions = 1000};
        struct treefork_occupancy o;
        CHECK(test, predict(test, &m, &f).resident == cases[i].resident);
        CHECK(test, !treefork_occupancy(&m, f.threads, f.registers, 0, &o) &&
                        o.blocks <= cases[i].resident && !o.blocks == !cases[i].resident);
    }
}

/* What a barrier adds, beside the product of memory and compute: both stand one behind the other in
   a block that is alone; other blocks hide most of it. */
static double added(struct test *test, const char *machine, int64_t shared_bytes)
{
    struct treefork_machine m = machine_of(machine);
    struct treefork_access a = walk(256, 4, 0, 0);
    a.rounds = 100;
    struct treefork_figures f = {.blocks = 108 * 16,
                                 .threads = 256,
                                 .registers = 32,
                                 .shared_bytes = shared_bytes,
                                 .instructions = 256 * 4000,
                                 .n_accesses = 1,
                                 .accesses = &a};
    struct treefork_prediction without = predict(test, &m, &f);
    f.barriers = 1;
    struct treefork_prediction with = predict(test, &m, &f);
    CHECK(test, with.memory == without.memory && with.compute == without.compute);
    return (pow(with.latency, 2) - pow(without.latency, 2)) / (with.memory * with.compute);
}

static void barriers(struct test *test)
{
    check_test(&test->count);
    double alone = added(test, "machines/ampere-a100.json", 160 * 1024),
           many = added(test, "machines/ampere-a100.json", 1024);
    CHECK(test, alone > 2 && alone < 2.1 && many > 0 && many < alone / 4);
    CHECK(test, added(test, "machines/pocl-cpu.json", 0) < 0.1);
}

static struct treefork_figures figures_draw(struct treefork_access *accesses)
{
    struct treefork_figures f = {.blocks = 1 + draw(100000),
                                 .threads = 1 + draw(1024),
                                 .registers = 24 + 8 * draw(6),
                                 .shared_bytes = draw(60000),
                                 .floats = draw(1000000),
                                 .doubles = draw(1000000),
                                 .instructions = draw(1000000),
                                 .barriers = draw(100),
                                 .alone = draw(2) ? draw(1000000) : 0,
                                 .footprint = draw(2) ? draw(1 << 28) : 0,
                                 .accesses = accesses};
    f.n_accesses = (size_t)draw(5);
    for (size_t i = 0; i < f.n_accesses; i++) {
        accesses[i] = access_draw((int)i);
        int other = i > 0 && draw(3) == 0 ? (int)draw((int64_t)i) : -1;
        if (other >= 0 && accesses[other].leader == other)
            follow(&accesses[i], &accesses[other]);
        accesses[i].phase = i > 0 && draw(2) ? accesses[i - 1].phase : (int)i;
    }
    return f;
}

static void more(struct test *test, struct treefork_figures *f, struct treefork_access *accesses)
{
    int64_t *const fields[] = {&f->floats,   &f->doubles, &f->instructions,
                               &f->barriers, &f->alone,   &f->blocks};
    int64_t which = draw(sizeof fields / sizeof *fields + f->n_accesses);
    int64_t *field = which < (int64_t)(sizeof fields / sizeof *fields)
                         ? fields[which]
                         : &accesses[which - 6].rounds;
    *field += 1 + draw(1000);
    (void)test;
}

static void random_figures(struct test *test)
{
    check_test(&test->count);
    static const char *const paths[] = {"machines/ampere-a100.json", "machines/turing-t4.json",
                                        "machines/tiny.json", "machines/pocl-cpu.json",
                                        "machines/kepler-k20.json"};
    struct treefork_prediction last = { 0 };
    int fitting = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct treefork_machine m = machine_of(paths[draw(5)]);
        struct treefork_access accesses[8];
        struct treefork_figures f = figures_draw(accesses);
        struct treefork_prediction p = predict(test, &m, &f), again = predict(test, &m, &f);
        CHECK(test, p.nanoseconds == again.nanoseconds && p.sum == again.sum);
        CHECK(test, !treefork_faster(&p, &p) &&
                        !(treefork_faster(&p, &last) && treefork_faster(&last, &p)));
        if (p.resident > 0)
            CHECK(test, fabs(p.nanoseconds - p.launch -
                             hypot(p.memory, hypot(p.compute, p.latency))) <= 1e-9 * p.nanoseconds);
        fitting += p.resident > 0;
        more(test, &f, accesses);
        struct treefork_prediction q = predict(test, &m, &f);
        CHECK(test, q.nanoseconds >= p.nanoseconds * (1 - 1e-12));
        last = p;
    }
    CHECK(test, fitting > ROUNDS / 4);
}

int main(int argc, char **argv)
{
    struct test test = {.name = "runtime_predict"};
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 9;
    printf("runtime_predict: seed %" PRIu64 "\n", state);
    copies(&test);
    behind(&test, "machines/ampere-a100.json", 0.2, 0.3);
    behind(&test, "machines/pocl-cpu.json", 0.02, 0.1);
    conflicts(&test);
    waves(&test);
    registers(&test);
    barriers(&test);
    sharing(&test);
    edges(&test);
    rows(&test);
    sums(&test);
    random_figures(&test);
    return test_end(&test);
}
