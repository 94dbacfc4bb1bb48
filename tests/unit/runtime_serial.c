/* What serial code is predicted to take beside a launch: by hand on a CPU's machine file, nothing
   on a GPU's; at random figures it is in proportion to blocks, and more work never takes less. */
#include "runtime/serial.h"
#include "tests/unit/runtime_test.h"
#include <inttypes.h>
#include <math.h>

enum { ROUNDS = 2000 };

static struct treefork_machine machine_of(struct test *test, const char *path)
{
    struct treefork_machine machine;
    CHECK(test, treefork_machine_read(path, &machine) == TREEFORK_OK);
    return machine;
}

static double serial(struct test *test, const struct treefork_machine *machine,
                     const struct treefork_figures *figures, struct treefork_prediction *launch)
{
    CHECK(test, treefork_predict(machine, figures, launch) == TREEFORK_OK);
    return treefork_serial_time(machine, figures, launch);
}

/* 24,450 instructions at 2.445 GHz, 12 of 100 for a cycle; an operation on floats takes a cycle,
   and two loads do, of neighbours that stand apart or walk through long loops; eight of those that
   stand side by side take as long as one. */
static void known(struct test *test)
{
    check_test(&test->count);
    struct treefork_machine cpu = machine_of(test, "machines/pocl-cpu.json"),
                            gpu = machine_of(test, "machines/ampere-a100.json");
    struct treefork_figures f = {.blocks = 10, .threads = 32, .instructions = 2445};
    struct treefork_prediction launch;
    CHECK(test, fabs(serial(test, &cpu, &f, &launch) - 1200) < 1e-6);
    struct treefork_access loads = {.bytes = 4, .affine = 1, .rounds = 1, .n_axes = 1,
                                    .extent = {32}, .stride = {64}};
    f.floats = 489;
    f.n_accesses = 1;
    f.accesses = &loads;
    f.footprint = 4096;
    CHECK(test, fabs(serial(test, &cpu, &f, &launch) - 2000) < 1e-6);
    loads.rounds = 163;
    double apart = 10 * 16.0 * 163 / 2.445;
    CHECK(test, fabs(serial(test, &cpu, &f, &launch) - apart) < 1e-6);
    loads.stride[0] = 4;
    CHECK(test, fabs(serial(test, &cpu, &f, &launch) - apart / 8) < 1e-6);
    loads.n_loops = 1;
    loads.trip[0] = 16;
    CHECK(test, fabs(serial(test, &cpu, &f, &launch) - apart / 8) < 1e-6);
    loads.trip[0] = 17;
    CHECK(test, fabs(serial(test, &cpu, &f, &launch) - apart) < 1e-6);
    CHECK(test, launch.launch == 48341 && treefork_serial_pays(10000, &launch));
    CHECK(test, treefork_serial_pays(2 * 48341, &launch) &&
                    !treefork_serial_pays(2 * 48342, &launch));
    CHECK(test, serial(test, &gpu, &f, &launch) == 0 && !treefork_serial_pays(0, &launch));
}

/* 2^26 floats that no cache holds, with hardly an instruction each: bandwidth bounds. */
static void memory(struct test *test)
{
    check_test(&test->count);
    struct treefork_machine cpu = machine_of(test, "machines/pocl-cpu.json");
    struct treefork_access a = {.bytes = 4, .affine = 1, .rounds = 1, .n_axes = 1,
                                .extent = {1024}, .stride = {64}};
    struct treefork_figures f = {.blocks = 1 << 16, .threads = 1024,
                                 .footprint = (int64_t)1 << 32, .n_accesses = 1, .accesses = &a};
    struct treefork_prediction launch;
    double bytes = 65536.0 * 1024 * 32, time = serial(test, &cpu, &f, &launch);
    CHECK(test, fabs(time - bytes * 1e3 / 9643) < 1);
}

static uint64_t state;

static int64_t random_below(int64_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)below);
}

static void random_work(struct test *test)
{
    check_test(&test->count);
    struct treefork_machine cpu = machine_of(test, "machines/pocl-cpu.json");
    for (int i = 0; i < ROUNDS; i++) {
        struct treefork_prediction launch;
        struct treefork_figures f = {.blocks = 1 + random_below(1000),
                                     .threads = 1 + random_below(1024),
                                     .instructions = 1 + random_below(100000)};
        double once = serial(test, &cpu, &f, &launch);
        f.blocks *= 3;
        CHECK(test, fabs(serial(test, &cpu, &f, &launch) - 3 * once) <= 1e-9 * once);
        f.instructions += random_below(100);
        CHECK(test, serial(test, &cpu, &f, &launch) >= 3 * once * (1 - 1e-9));
    }
}

int main(int argc, char **argv)
{
    struct test test = {.name = "runtime_serial"};
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 9;
    printf("runtime_serial: seed %" PRIu64 "\n", state);
    known(&test);
    memory(&test);
    random_work(&test);
    return test_end(&test);
}
