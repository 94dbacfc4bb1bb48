/* Devices with members, on a real OpenCL device (PoCL with three devices, and one device that is
   three members): random rows of reads and writes by members and the host, evictions and longer
   ranges, against the contents that one memory would have. What a member lacks is poisoned before
   each of its reads. Members copy directly in one round and through the host in the other. */
#include "runtime/group.h"
#include "tests/unit/draw.h"
#include "tests/unit/runtime_opencl.h"

enum { MEMBERS = 3, BYTES_MAX = 1600, OPERATIONS = 400 };

struct scene {
    struct test *test;
    struct treefork_device *device;
    struct treefork_buffer *buffer;
    unsigned char host[BYTES_MAX], truth[BYTES_MAX];
    size_t bytes;
    uint64_t state;
};

static struct treefork_row row_draw(uint64_t *state, size_t bytes)
{
    struct treefork_row row = {.begin = draw(state, bytes), .pieces = 1};
    size_t room = bytes - row.begin;
    row.bytes = 1 + draw(state, room);
    row.pitch = row.bytes;
    if (draw(state, 2))
        return row;
    row.bytes = 1 + draw(state, row.bytes < 9 ? row.bytes : 9);
    row.pitch = row.bytes + 1 + draw(state, 9);
    row.pieces = 1 + draw(state, 1 + (room - row.bytes) / row.pitch);
    return row;
}

static size_t row_stop(struct treefork_row row)
{
    return row.begin + (row.pieces - 1) * row.pitch + row.bytes;
}

/* The array as the runtime knows it now. */
static void scene_use(struct scene *s)
{
    uint64_t handle;
    CHECK(s->test, treefork_use(s->device, s->host, s->bytes, TREEFORK_READ, &handle) ==
                       TREEFORK_OK);
    s->buffer = treefork_buffer_find(s->device, handle);
}

static bool member_agrees(const struct scene *s, size_t member, struct treefork_row row)
{
    struct treefork_device *at = treefork_member(s->device, member);
    unsigned char got[BYTES_MAX];
    struct treefork_window window = treefork_exchange_memory(s->buffer, member);
    size_t end = window.begin + window.bytes < s->bytes ? window.begin + window.bytes : s->bytes;
    struct treefork_row all = treefork_row_of(0, end - window.begin);
    bool agrees = end >= row_stop(row) &&
                  at->driver->memory_read(at, window.memory, &all, got + window.begin, all.pitch) ==
                      TREEFORK_OK;
    for (size_t i = 0; i < row.pieces && agrees; i++) {
        size_t begin = row.begin + i * row.pitch;
        agrees = memcmp(got + begin, s->truth + begin, row.bytes) == 0;
    }
    return agrees;
}

static void scene_read(struct scene *s, size_t member)
{
    struct treefork_row row = row_draw(&s->state, s->bytes);
    CHECK(s->test,
          treefork_exchange_reserve(s->device, s->buffer, member, row.begin, row_stop(row)) ==
                  TREEFORK_OK &&
              treefork_exchange_poison(s->device, s->buffer, member) == TREEFORK_OK &&
              treefork_exchange_need(s->device, s->buffer, treefork_member_side(member), row) ==
                  TREEFORK_OK);
    CHECK(s->test, member_agrees(s, member, row));
}

static void scene_write(struct scene *s, size_t member)
{
    struct treefork_row row = row_draw(&s->state, s->bytes);
    struct treefork_device *at = treefork_member(s->device, member);
    int status = treefork_exchange_reserve(s->device, s->buffer, member, row.begin, row_stop(row));
    struct treefork_window window = treefork_exchange_memory(s->buffer, member);
    struct treefork_row there = treefork_window_row(&window, &row);
    for (size_t i = 0; i < row.pieces; i++) {
        size_t begin = row.begin + i * row.pitch;
        for (size_t k = begin; k < begin + row.bytes; k++)
            s->truth[k] = (unsigned char)draw(&s->state, 256);
    }
    if (row.pieces && row.bytes && !status)
        status = at->driver->memory_write(at, window.memory, &there, s->truth + row.begin,
                                          row.pitch);
    CHECK(s->test, status == TREEFORK_OK &&
                       treefork_runs_wrote(&s->buffer->runs, treefork_member_side(member), row) ==
                           TREEFORK_OK);
}

static void scene_host(struct scene *s, bool writes)
{
    unsigned access = writes ? TREEFORK_READ | TREEFORK_WRITE : TREEFORK_READ;
    CHECK(s->test, treefork_host(s->device, s->host, access) == TREEFORK_OK);
    CHECK(s->test, memcmp(s->host, s->truth, s->bytes) == 0);
    for (size_t i = 0; i < s->bytes && writes; i++)
        s->host[i] = s->truth[i] = (unsigned char)draw(&s->state, 256);
}

/* Memory is short, or the array is longer from now on, or a launch on one member alone needs it. */
static void scene_change(struct scene *s, uint64_t kind)
{
    if (kind == 0) {
        treefork_buffer_evict(s->device, NULL);
    } else if (kind == 1 && s->bytes < BYTES_MAX) {
        s->bytes += draw(&s->state, BYTES_MAX - s->bytes + 1);
        scene_use(s);
    } else {
        CHECK(s->test, treefork_buffer_ready(s->device, s->buffer, TREEFORK_READ) == TREEFORK_OK);
        CHECK(s->test, member_agrees(s, 0, treefork_row_of(0, s->bytes)));
    }
}

static void scene_step(struct scene *s)
{
    size_t member = draw(&s->state, MEMBERS);
    uint64_t kind = draw(&s->state, 16);
    if (kind < 8)
        scene_read(s, member);
    else if (kind < 13)
        scene_write(s, member);
    else if (kind == 13)
        scene_host(s, draw(&s->state, 3) == 0);
    else
        scene_change(s, draw(&s->state, 4));
}

static void scene_run(struct test *test, struct treefork_device *device, uint64_t seed)
{
    struct scene s = {.test = test, .device = device, .bytes = BYTES_MAX / 4, .state = seed};
    for (size_t i = 0; i < BYTES_MAX; i++)
        s.host[i] = s.truth[i] = (unsigned char)(i * 7);
    check_test(&test->count);
    scene_use(&s);
    for (int i = 0; i < OPERATIONS; i++)
        scene_step(&s);
    scene_host(&s, false);
    CHECK(test, treefork_release(device, s.host) == TREEFORK_OK);
}

static void group_run(struct test *test, const char *which)
{
    struct treefork_device *device = NULL;
    if (!CHECK(test, treefork_open(which, &device) == TREEFORK_OK))
        return;
    CHECK(test, treefork_exchanged(device).members == MEMBERS);
    CHECK(test, device->group->reaches);
    for (uint64_t seed = 1; seed <= 2; seed++)
        scene_run(test, device, seed);
    device->group->reaches = false;
    scene_run(test, device, 3);
    CHECK(test, treefork_exchanged(device).bytes > 0 && treefork_exchanged(device).copies > 0);
    treefork_close(device);
}

/* A launch that is not cut runs on the first member, whatever the others have of its arrays. */
static void alone(struct test *test)
{
    enum { N = 40 };
    struct treefork_device *device = NULL;
    int a[N], b[N] = {0};
    check_test(&test->count);
    if (!CHECK(test, treefork_open("opencl:0,0,0", &device) == TREEFORK_OK))
        return;
    for (int i = 0; i < N; i++)
        a[i] = i;
    CHECK(test, step(device, a, b, N) == TREEFORK_OK && step(device, b, a, N) == TREEFORK_OK);
    CHECK(test, treefork_host(device, NULL, TREEFORK_READ) == TREEFORK_OK);
    CHECK(test, b[N - 1] == N && a[N - 1] == N + 1 && a[0] == 2);
    CHECK(test, treefork_statistics(device).bytes_to_device == 2 * sizeof a &&
                    treefork_exchanged(device).bytes == 0);
    treefork_close(device);
}

/* An array without values is the same everywhere, also after a member's memory of it is gone. */
static void scratch(struct test *test)
{
    enum { N = 40 };
    static int a[N];
    struct treefork_device *device = NULL;
    uint64_t handle;
    check_test(&test->count);
    if (!CHECK(test, treefork_open("opencl:0,0,0", &device) == TREEFORK_OK))
        return;
    CHECK(test, treefork_use(device, a, sizeof a, TREEFORK_READ | TREEFORK_WRITE | TREEFORK_SCRATCH,
                             &handle) == TREEFORK_OK);
    struct treefork_buffer *b = treefork_buffer_find(device, handle);
    treefork_buffer_evict(device, NULL);
    for (size_t i = 0; i < MEMBERS; i++) {
        CHECK(test, treefork_exchange_reserve(device, b, i, 0, sizeof a) == TREEFORK_OK);
        CHECK(test, treefork_exchange_need(device, b, treefork_member_side(i),
                                           treefork_row_of(0, sizeof a)) == TREEFORK_OK);
    }
    CHECK(test, treefork_exchanged(device).bytes == 0);
    treefork_close(device);
}

/* What names no devices, or no weights, is refused with a reason. */
static void refusals(struct test *test)
{
    static const char *const wrong[] = {"opencl:0,", "opencl:,0", "opencl:0,x", "opencl:0 ,0",
                                        "opencl:-1,0", "opencl:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"};
    struct treefork_device *device = NULL;
    check_test(&test->count);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(test, treefork_open(wrong[i], &device) == TREEFORK_ARGUMENT && !device &&
                        strstr(treefork_message(), "is no list of devices"));
    CHECK(test, treefork_open("opencl:0,63", &device) == TREEFORK_NO_DEVICE && !device);
    setenv("TREEFORK_WEIGHTS", "3,1", 1);
    CHECK(test, treefork_open("opencl:0,0,0", &device) == TREEFORK_ARGUMENT && !device &&
                    strstr(treefork_message(), "no list of 3 weights"));
    CHECK(test, treefork_open("opencl:0,0", &device) == TREEFORK_OK);
    CHECK(test, device && device->group->weight[0] == 3 && device->group->weight[1] == 1);
    treefork_close(device);
    unsetenv("TREEFORK_WEIGHTS");
}

/* TREEFORK_DEVICES lists those of the kind that TREEFORK_DEVICE names. */
static void environment(struct test *test)
{
    struct treefork_device *device = NULL;
    check_test(&test->count);
    setenv("TREEFORK_DEVICE", "opencl:0", 1);
    setenv("TREEFORK_DEVICES", "0,0", 1);
    CHECK(test, treefork_open(NULL, &device) == TREEFORK_OK);
    CHECK(test, treefork_exchanged(device).members == 2);
    CHECK(test, strstr(treefork_device_name(device), " and 1 more"));
    treefork_close(device);
    CHECK(test, treefork_open("opencl", &device) == TREEFORK_OK);
    CHECK(test, treefork_exchanged(device).members == 1);
    treefork_close(device);
    setenv("TREEFORK_DEVICES", "0", 1);
    CHECK(test, treefork_open(NULL, &device) == TREEFORK_OK);
    CHECK(test, treefork_exchanged(device).members == 1);
    treefork_close(device);
    unsetenv("TREEFORK_DEVICES");
    unsetenv("TREEFORK_DEVICE");
}

int main(void)
{
    struct test test = {.name = "runtime_group"};
    struct treefork_device *device = NULL;
    char folder[512];
    CHECK(&test, test_cache(folder, sizeof folder));
    setenv("POCL_DEVICES", "basic basic basic", 1);
    if (treefork_open("opencl", &device)) {
        printf("%s: SKIPPED: %s\n", test.name, treefork_message());
        test.count.skipped++;
        return test_end(&test);
    }
    treefork_close(device);
    group_run(&test, "opencl:0,0,0");
    if (!treefork_open("opencl:2", &device)) {
        treefork_close(device);
        group_run(&test, "opencl:0,1,2");
    }
    alone(&test);
    scratch(&test);
    refusals(&test);
    environment(&test);
    test_cache_end(folder);
    return test_end(&test);
}
