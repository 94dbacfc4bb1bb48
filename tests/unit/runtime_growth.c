/* Ranges that grow from launch to launch, on copies: only what is new is copied in, and everything
   only where room is made anew. */
#include "tests/unit/runtime_test.h"

static const char *const text =
    "__kernel void add_up(__global const int *a, __global int *sums, int n) {\n"
    "    if (get_global_id(0) == 0) sums[n - 1] = (n > 1 ? sums[n - 2] : 0) + a[n - 1];\n"
    "}\n";

static struct treefork_argument buffer(struct treefork_device *device, const int *host, int n,
                                       unsigned access)
{
    struct treefork_argument argument = {.type = TREEFORK_BUFFER};
    if (treefork_use(device, host, (size_t)n * sizeof *host, access, &argument.value.buffer))
        fprintf(stderr, "treefork_use: %s\n", treefork_message());
    return argument;
}

/* sums[n - 1] is the sum of the first n elements of a, if sums[n - 2] is that of one less. */
static int sum_step(struct treefork_device *device, const int *a, int *sums, int n)
{
    struct treefork_module module = {.name = "growth", .opencl = text};
    struct treefork_argument arguments[] = {buffer(device, a, n, TREEFORK_READ),
                                            buffer(device, sums, n, TREEFORK_READ | TREEFORK_WRITE),
                                            {.type = TREEFORK_I32, .value.i = n}};
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "add_up",
                                     .blocks = 1,
                                     .threads = 1,
                                     .n_arguments = 3,
                                     .arguments = arguments};
    return treefork_run(device, &launch);
}

/* Host code that looks at the sums now and then finds those that are done; what lies behind the
   range is its own. */
static void ranges_grow(struct test *test, struct treefork_device *device, bool host_looks)
{
    check_test(&test->count);
    enum { N = 1000, LOOKS = 100 };
    int a[N], sums[N], wrong = 0, sum = 0;
    for (int i = 0; i < N; i++) {
        a[i] = i;
        sums[i] = -i;
    }
    struct treefork_statistics before = treefork_statistics(device);
    for (int n = 1; n <= N; n++) {
        wrong += sum_step(device, a, sums, n) != TREEFORK_OK;
        if (!host_looks || n % LOOKS)
            continue;
        wrong += treefork_host(device, sums, TREEFORK_READ) != TREEFORK_OK;
        wrong += sums[n - 1] != n * (n - 1) / 2 || (n < N && sums[n] != -n);
    }
    struct treefork_statistics after = treefork_statistics(device);
    CHECK(test, treefork_release(device, NULL) == TREEFORK_OK && wrong == 0);
    for (int i = 0; i < N; i++) {
        sum += a[i];
        wrong += sums[i] != sum;
    }
    CHECK(test, wrong == 0);
    uint64_t bytes = after.bytes_to_device - before.bytes_to_device;
    CHECK(test, bytes <= 3 * (sizeof a + sizeof sums));
    CHECK(test, after.copies_to_host - before.copies_to_host <= 10 + (host_looks ? N / LOOKS : 0));
}

/* A longer range that was to be overwritten and was not: its rest is the host's still. */
static void launch_fails_to_come(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    enum { N = 8, ALL = TREEFORK_WRITE | TREEFORK_OVERWRITE };
    int a[2 * N] = {0}, sums[2 * N] = {0};
    for (int n = 1; n <= N; n++)
        CHECK(test, sum_step(device, a, sums, n) == TREEFORK_OK);
    sums[N] = 77;
    sums[N + 1] = 78;
    buffer(device, sums, N + 2, ALL);
    CHECK(test, treefork_release(device, NULL) == TREEFORK_OK);
    CHECK(test, sums[N - 1] == 0 && sums[N] == 77 && sums[N + 1] == 78);
}

int main(void)
{
    struct test test = {.name = "runtime_growth"};
    struct treefork_device *device = NULL;
    char folder[512];
    CHECK(&test, test_cache(folder, sizeof folder));
    setenv("TREEFORK_COPY", "1", 1);
    if (treefork_open("opencl", &device)) {
        printf("runtime_growth: SKIPPED: %s\n", treefork_message());
        test.count.skipped++;
    } else {
        ranges_grow(&test, device, false);
        ranges_grow(&test, device, true);
        launch_fails_to_come(&test, device);
        treefork_close(device);
    }
    test_cache_end(folder);
    return test_end(&test);
}
