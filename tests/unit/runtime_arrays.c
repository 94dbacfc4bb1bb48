/* Arrays on a real OpenCL device: what is copied and when, what is overwritten, host code between
   launches, ranges that grow, shrink and overlap. */
#include "tests/unit/runtime_opencl.h"

/* An outer loop of 100 launches copies each array once in and the result once out. */
static void copies(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    enum { N = 1000, ROUNDS = 100 };
    int a[N], b[N], wrong = 0;
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i;
    struct treefork_statistics before = treefork_statistics(device);
    for (int t = 0; t < ROUNDS; t++)
        CHECK(test, step(device, t % 2 ? b : a, t % 2 ? a : b, N) == TREEFORK_OK);
    CHECK(test, treefork_host(device, a, TREEFORK_READ) == TREEFORK_OK);
    struct treefork_statistics after = treefork_statistics(device);
    CHECK(test, after.launches - before.launches == ROUNDS);
    CHECK(test, after.copies_to_device - before.copies_to_device == copied(2));
    CHECK(test, after.copies_to_host - before.copies_to_host == copied(1));
    CHECK(test, after.bytes_to_host - before.bytes_to_host == copied(sizeof a));
    for (int i = 0; i < N; i++)
        wrong += a[i] != i + ROUNDS;
    CHECK(test, wrong == 0);
    CHECK(test,
          treefork_release(device, a) == TREEFORK_OK && treefork_release(device, b) == TREEFORK_OK);
    CHECK(test, b[5] == 5 + ROUNDS - 1);
}

/* What is overwritten is not copied in; what it was before comes back only where the launch did not
   happen. A shorter range leaves the rest of a longer buffer alone. */
static void overwritten(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    enum { N = 64, ALL = TREEFORK_WRITE | TREEFORK_OVERWRITE };
    int a[N], b[2 * N], wrong = 0;
    uint64_t handle;
    for (int i = 0; i < 2 * N; i++)
        a[i % N] = b[i] = i;
    struct treefork_statistics before = treefork_statistics(device);
    CHECK(test, treefork_use(device, b, sizeof a, ALL, &handle) == TREEFORK_OK);
    CHECK(test, treefork_host(device, NULL, TREEFORK_READ) == TREEFORK_OK && b[5] == 5);
    struct treefork_module module = module_of(text);
    struct treefork_argument arguments[] = {buffer(device, a, sizeof a, TREEFORK_READ),
                                            buffer(device, b, sizeof a, ALL), integer(N)};
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "next_row",
                                     .blocks = 4,
                                     .threads = 16,
                                     .n_arguments = 3,
                                     .arguments = arguments};
    CHECK(test, treefork_run(device, &launch) == TREEFORK_OK);
    CHECK(test,
          treefork_statistics(device).bytes_to_device - before.bytes_to_device == copied(sizeof a));
    CHECK(test, treefork_host(device, b, TREEFORK_READ) == TREEFORK_OK);
    for (int i = 0; i < N; i++)
        wrong += b[i] != a[i] + 1;
    CHECK(test, wrong == 0 && b[N] == N);
    b[N] = 7;
    CHECK(test, treefork_release(device, b) == TREEFORK_OK);
    buffer(device, b, sizeof b, TREEFORK_READ | TREEFORK_WRITE);
    arguments[1] = buffer(device, b, sizeof a, ALL);
    CHECK(test, treefork_run(device, &launch) == TREEFORK_OK);
    CHECK(test,
          treefork_release(device, NULL) == TREEFORK_OK && b[N - 1] == a[N - 1] + 1 && b[N] == 7);
    CHECK(test, treefork_use(device, b, sizeof b, TREEFORK_READ | TREEFORK_OVERWRITE, &handle) ==
                    TREEFORK_ARGUMENT);
}

/* Host code between launches: the copy goes again, and only then. */
static void host_touch(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    int a[64] = {0}, b[64] = {0};
    CHECK(test, step(device, a, b, 64) == TREEFORK_OK);
    CHECK(test, treefork_host(device, b, TREEFORK_READ) == TREEFORK_OK && b[63] == 1);
    uint64_t before = treefork_statistics(device).copies_to_device;
    CHECK(test, step(device, a, b, 64) == TREEFORK_OK &&
                    treefork_statistics(device).copies_to_device == before);
    CHECK(test, treefork_host(device, a, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK);
    a[3] = 41;
    CHECK(test, step(device, a, b, 64) == TREEFORK_OK &&
                    treefork_statistics(device).copies_to_device == before + copied(1));
    CHECK(test, treefork_host(device, NULL, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK &&
                    b[3] == 42 && b[4] == 1);
    CHECK(test, treefork_release(device, NULL) == TREEFORK_OK);
}

/* Larger use of the same pointer, smaller use after the array shrank, ranges that overlap at
 * different pointers. */
static void ranges(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    int a[100], b[100] = {0};
    for (int i = 0; i < 100; i++)
        a[i] = i;
    CHECK(test, step(device, a, b, 10) == TREEFORK_OK && step(device, a, b, 100) == TREEFORK_OK);
    CHECK(test, treefork_host(device, b, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK &&
                    b[9] == 10 && b[99] == 100);
    uint64_t bytes = treefork_statistics(device).bytes_to_device;
    CHECK(test, step(device, a, b, 20) == TREEFORK_OK);
    CHECK(test, treefork_statistics(device).bytes_to_device - bytes == copied(20 * sizeof *b));
    CHECK(test, step(device, b + 5, a, 10) ==
                    TREEFORK_OK); /* b[5..14], newer on the device under another pointer */
    CHECK(test, treefork_host(device, a, TREEFORK_READ) == TREEFORK_OK && a[0] == 7 && a[9] == 16);
    CHECK(test, step(device, a + 1, b + 15, 5) ==
                    TREEFORK_OK); /* writes b[15..19]; the copy of b is stale then */
    CHECK(test, treefork_host(device, b, TREEFORK_READ) == TREEFORK_OK && b[15] == a[1] + 1 &&
                    b[14] == 15 && b[19] == a[5] + 1);
    CHECK(test, step(device, b, a, 20) == TREEFORK_OK);
    CHECK(test, treefork_host(device, a, TREEFORK_READ) == TREEFORK_OK && a[15] == b[15] + 1);
    CHECK(test,
          step(device, a, a + 5, 20) == TREEFORK_ARGUMENT && strstr(treefork_message(), "overlap"));
    CHECK(test, step(device, a, a, 20) == TREEFORK_ARGUMENT);
    CHECK(test, treefork_release(device, NULL) == TREEFORK_OK);
}

/* What kernels do not work in although the device shares: arrays at odd addresses, and in checked
   builds all, whose pattern for what is overwritten the host does not see. */
static void unshared(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    enum { N = 16 };
    _Alignas(16) int a[N + 1] = {0}, b[N] = {0}, c[N];
    uint64_t handle, before = treefork_statistics(device).copies_to_device;
    CHECK(test, step(device, a + 1, b, N) == TREEFORK_OK &&
                    treefork_release(device, NULL) == TREEFORK_OK && b[N - 1] == 1);
    CHECK(test, treefork_statistics(device).copies_to_device == before + (shares ? 1 : 2));
    for (int i = 0; i < N; i++)
        b[i] = c[i] = i;
    CHECK(test,
          step(device, a, b, N) == TREEFORK_OK &&
              treefork_use_checked(device, b, sizeof b, TREEFORK_READ, &handle) == TREEFORK_OK);
    CHECK(test, treefork_use_checked(device, c, sizeof c, TREEFORK_WRITE | TREEFORK_OVERWRITE,
                                     &handle) == TREEFORK_OK);
    CHECK(test, treefork_host(device, NULL, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK &&
                    b[3] == 1 && c[3] == 3);
    CHECK(test, treefork_release(device, NULL) == TREEFORK_OK);
}

static unsigned random_next(unsigned *seed, unsigned limit)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % limit;
}

/* Pieces whose ranges overlap as the runtime knows them are refused; the host computes them then,
 * as the serial code would. */
static int piece_step(struct treefork_device *device, const int *from, int *to, int n)
{
    int status = step(device, from, to, n);
    if (status != TREEFORK_ARGUMENT)
        return status;
    status = treefork_host(device, NULL, TREEFORK_READ | TREEFORK_WRITE);
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1;
    return status;
}

/* Random launches on pieces of one array, which overlap, with host code between them, against the
 * same on the host. */
static void pieces(struct test *test, struct treefork_device *device)
{
    check_test(&test->count);
    enum { N = 64, STEPS = 1500, LONGEST = 16 };
    _Alignas(16) int a[N], want[N];
    unsigned seed = 20261123;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        a[i] = want[i] = i;
    for (int t = 0; t < STEPS; t++) {
        int n = (int)random_next(&seed, LONGEST) + 1;
        int from = (int)random_next(&seed, N - 2 * LONGEST + 1),
            to = from + n + (int)random_next(&seed, LONGEST - (unsigned)n + 1);
        bool is_backward = random_next(&seed, 2);
        int in = is_backward ? to : from, out = is_backward ? from : to;
        wrong += piece_step(device, a + in, a + out, n) != TREEFORK_OK;
        for (int i = 0; i < n; i++)
            want[out + i] = want[in + i] + 1;
        if (random_next(&seed, 7) == 0) {
            wrong += treefork_host(device, a + out, TREEFORK_READ) != TREEFORK_OK;
            wrong += memcmp(a + out, want + out, (size_t)n * sizeof *a) != 0;
        }
        if (random_next(&seed, 11) == 0) {
            wrong += treefork_host(device, NULL, TREEFORK_READ | TREEFORK_WRITE) != TREEFORK_OK;
            wrong += memcmp(a, want, sizeof a) != 0;
            for (int i = 0; i < N; i += 5)
                a[i] = want[i] = t;
        }
        if (random_next(&seed, 13) == 0)
            wrong += treefork_release(device, a + in) != TREEFORK_OK;
    }
    CHECK(test, treefork_release(device, NULL) == TREEFORK_OK && wrong == 0 &&
                    memcmp(a, want, sizeof a) == 0);
}

static void cases(struct test *test, struct treefork_device *device)
{
    copies(test, device);
    overwritten(test, device);
    host_touch(test, device);
    ranges(test, device);
    unshared(test, device);
    pieces(test, device);
}

int main(void)
{
    return opencl_main("runtime_arrays", cases);
}
