/* Launches in parts on real OpenCL devices (PoCL with three devices), by rows written down by hand:
   any number of members and any weights give the bits of one device, what a member lacks is
   poisoned before each part, and copied bytes are the closed forms. A row that is one short is
   caught by that poison. A member without memory, or whose compiler refuses the text, leaves its
   blocks to the others. */
#include "runtime/part.h"
#include "runtime/group.h"
#include "tests/unit/runtime_opencl.h"

enum { N = 24, WIDTH = 4, STEPS = 5 };

static const char *const part_text =
    "#ifdef TREEFORK_PART\n"
    "#define PARTS , int part_x, int part_y, long from_a, long from_b\n"
    "#define WINDOWS a -= from_a / 4, b -= from_b / 4;\n"
    "#define BLOCK ((int)get_group_id(0) + part_x)\n"
    "#define ROW ((int)get_group_id(1) + part_y)\n"
    "#else\n"
    "#define PARTS\n"
    "#define WINDOWS\n"
    "#define BLOCK (int)get_group_id(0)\n"
    "#define ROW (int)get_group_id(1)\n"
    "#endif\n"
    "__kernel void smooth(int n, __global const int *a, __global int *b PARTS) {\n"
    "    WINDOWS\n"
    "    int i = ROW + 1, j = BLOCK * 4 + (int)get_local_id(0);\n"
    "    if (j > 0 && j < n - 1)\n"
    "        b[i * n + j] = a[i * n + j] * 3 + a[(i - 1) * n + j] + a[(i + 1) * n + j] +\n"
    "                       a[i * n + j - 1] * 5;\n"
    "}\n"
    "__kernel void turn(int n, __global const int *a, __global int *b PARTS) {\n"
    "    WINDOWS\n"
    "    int i = ROW, j = BLOCK * 4 + (int)get_local_id(0);\n"
    "    b[j * n + i] = a[i * n + j];\n"
    "}\n"
    "#ifdef REFUSED\n"
    "#error refused\n"
    "#endif\n";

/* --- the tables, by hand ---------------------------------------------------------------------- */

/* Values by number. */
enum {
    ZERO, ONE, TWO, ALL_ROWS, INNER_ROWS, BLOCKS, ROW_BYTES, ELEMENT, THREADS, HALO, VALUES
};
static treefork_int values[VALUES] = {0, 1, 2, N, N - 2, N / WIDTH, N * sizeof(int), sizeof(int),
                                      WIDTH, 2};
enum { SMOOTH, TURN };
/* Grids, and the list of no conditions. */
enum { INNER_GRID = 1, TURN_GRID = 4, ALWAYS = 0 };
static const uint16_t lists[] = {0, 2, INNER_ROWS, BLOCKS, 2, ALL_ROWS, BLOCKS};
static const struct treefork_launch_row launches[] = {
    [SMOOTH] = {.grid = INNER_GRID, .joined = TREEFORK_NONE},
    [TURN] = {.grid = TURN_GRID, .joined = TREEFORK_NONE}};
static const struct treefork_cut_row cuts[] = {[SMOOTH] = {0, 0, 2}, [TURN] = {1, 2, 2}};
static const struct treefork_part_row rows[] = {
    {0, TREEFORK_READ, TREEFORK_NONE, ONE, ZERO, HALO, ZERO, ALL_ROWS, ROW_BYTES, ZERO, ONE, ZERO,
     TREEFORK_NONE},
    {1, TREEFORK_WRITE, TREEFORK_NONE, ONE, ONE, ONE, ZERO, ALL_ROWS, ROW_BYTES, ZERO, ONE, ZERO,
     TREEFORK_NONE},
    {0, TREEFORK_READ, TREEFORK_NONE, THREADS, ZERO, ZERO, ZERO, ALL_ROWS, ELEMENT, ZERO, ALL_ROWS,
     ROW_BYTES, TREEFORK_NONE},
    {1, TREEFORK_WRITE, TREEFORK_NONE, THREADS, ZERO, ZERO, ZERO, ALL_ROWS, ROW_BYTES, ZERO, ONE,
     ZERO, ALWAYS},
};
static const struct treefork_region region = {.layout = TREEFORK_TABLES,
                                              .name = "parts",
                                              .n_constants = VALUES,
                                              .n_arrays = 2,
                                              .constants = values,
                                              .lists = lists,
                                              .launches = launches,
                                              .cuts = cuts,
                                              .parts = rows};

static int part_launch(struct treefork_device *device, size_t number, const int *a, int *b,
                       unsigned access)
{
    struct treefork_module module = module_of(part_text);
    struct treefork_argument arguments[] = {
        integer(N), buffer(device, a, N * N * sizeof *a, TREEFORK_READ),
        buffer(device, b, N * N * sizeof *b, access)};
    struct treefork_launch launch = {.module = &module,
                                     .kernel = number == TURN ? "turn" : "smooth",
                                     .blocks = (number == TURN ? N : N - 2) * (N / WIDTH),
                                     .grid_width = N / WIDTH,
                                     .threads = WIDTH,
                                     .block_width = WIDTH,
                                     .n_arguments = 3,
                                     .arguments = arguments};
    struct treefork_evaluation evaluation;
    int status = treefork_evaluation_new(&region, &evaluation);
    const struct treefork_parting parting = {.evaluation = &evaluation, .first_array = 1};
    device->group->parting = &parting;
    if (!status)
        status = treefork_run_region(device, &launch, (struct treefork_origin){0, number});
    device->group->parting = NULL;
    treefork_evaluation_free(&evaluation);
    return status;
}

static int smooth(struct treefork_device *device, const int *a, int *b)
{
    return part_launch(device, SMOOTH, a, b, TREEFORK_READ | TREEFORK_WRITE);
}

static int turn(struct treefork_device *device, const int *a, int *b)
{
    return part_launch(device, TURN, a, b, TREEFORK_WRITE | TREEFORK_OVERWRITE);
}

/* --- the same in C ---------------------------------------------------------------------------- */

struct arrays {
    int a[N * N], b[N * N], c[N * N];
};

static void arrays_fill(struct arrays *x)
{
    for (int i = 0; i < N * N; i++) {
        x->a[i] = i * 7 + 1;
        x->b[i] = i * 3 - 5;
        x->c[i] = -1;
    }
}

static void smooth_serial(const int *a, int *b)
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            b[i * N + j] = (int)((unsigned)a[i * N + j] * 3u + (unsigned)a[(i - 1) * N + j] +
                                 (unsigned)a[(i + 1) * N + j] + (unsigned)a[i * N + j - 1] * 5u);
}

static void arrays_serial(struct arrays *x)
{
    arrays_fill(x);
    for (int t = 0; t < STEPS; t++)
        smooth_serial(t % 2 ? x->b : x->a, t % 2 ? x->a : x->b);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            x->c[j * N + i] = x->b[i * N + j];
}

/* --- tests ------------------------------------------------------------------------------------ */

static uint64_t bytes_moved(const struct treefork_device *device)
{
    return treefork_statistics(device).bytes_to_device + treefork_exchanged(device).bytes;
}

/* Steps from the third on exchange two rows at each border; a third member has two borders. */
static void steps_run(struct test *test, struct treefork_device *device, struct arrays *x,
                      uint64_t per_step)
{
    for (int t = 0; t < STEPS; t++) {
        uint64_t before = bytes_moved(device);
        CHECK(test, smooth(device, t % 2 ? x->b : x->a, t % 2 ? x->a : x->b) == TREEFORK_OK);
        CHECK(test, t < 2 || bytes_moved(device) - before == per_step);
    }
    CHECK(test, turn(device, x->b, x->c) == TREEFORK_OK);
    CHECK(test, treefork_host(device, NULL, TREEFORK_READ) == TREEFORK_OK);
}

static void weights_run(struct test *test, const char *which, const char *weights,
                        uint64_t borders)
{
    struct treefork_device *device = NULL;
    static struct arrays got, wanted;
    check_test(&test->count);
    setenv("TREEFORK_WEIGHTS", weights, 1);
    if (!CHECK(test, treefork_open(which, &device) == TREEFORK_OK))
        return;
    arrays_serial(&wanted);
    for (int direct = 0; direct < 2; direct++) {
        device->group->reaches = device->group->reaches && direct;
        device->checked = true;
        arrays_fill(&got);
        steps_run(test, device, &got, borders * 2 * N * sizeof(int));
        CHECK(test, memcmp(&got, &wanted, sizeof got) == 0);
        CHECK(test, treefork_release(device, NULL) == TREEFORK_OK);
    }
    treefork_close(device);
    unsetenv("TREEFORK_WEIGHTS");
}

/* The second member's halo is one row short: it reads poison. */
static void short_row(struct test *test, const char *which)
{
    struct treefork_device *device = NULL;
    static struct arrays got, wanted;
    check_test(&test->count);
    if (!CHECK(test, treefork_open(which, &device) == TREEFORK_OK))
        return;
    arrays_fill(&got);
    arrays_fill(&wanted);
    smooth_serial(wanted.a, wanted.b);
    device->checked = true;
    values[HALO] = 1;
    CHECK(test, smooth(device, got.a, got.b) == TREEFORK_OK);
    values[HALO] = 2;
    CHECK(test, treefork_host(device, NULL, TREEFORK_READ) == TREEFORK_OK);
    CHECK(test, memcmp(got.b, wanted.b, sizeof got.b) != 0);
    treefork_close(device);
}

/* --- members that fail before the first part -------------------------------------------------- */

static const struct treefork_driver *real_driver;

static int memory_never(struct treefork_device *device, size_t bytes, union treefork_object *memory)
{
    (void)memory;
    return treefork_fail(TREEFORK_MEMORY, "no %zu bytes on %s", bytes, device->name);
}

static int program_never(struct treefork_device *device, const struct treefork_launch *launch,
                         const char *source, struct treefork_image *image,
                         union treefork_object *program)
{
    (void)launch, (void)source, (void)image, (void)program;
    return treefork_fail(TREEFORK_BUILD, "no compiler on %s", device->name);
}

/* Everything is right without the member, whichever it is and whatever it lacks. */
static void failing(struct test *test, const char *which, size_t member, bool builds)
{
    struct treefork_device *device = NULL;
    struct treefork_driver driver;
    static struct arrays got, wanted;
    check_test(&test->count);
    if (!CHECK(test, treefork_open(which, &device) == TREEFORK_OK))
        return;
    real_driver = treefork_member(device, member)->driver;
    driver = *real_driver;
    if (builds)
        driver.memory_new = memory_never;
    else
        driver.program_new = program_never;
    treefork_member(device, member)->driver = &driver;
    arrays_fill(&got);
    arrays_serial(&wanted);
    steps_run(test, device, &got, (treefork_members(device) - 2) * 2 * N * sizeof(int));
    CHECK(test, memcmp(&got, &wanted, sizeof got) == 0 && device->group->weight[member] == 0);
    treefork_member(device, member)->driver = real_driver;
    treefork_close(device);
}

/* If no member is left the launch fails, and nothing has happened. */
static void failing_all(struct test *test, const char *which)
{
    struct treefork_device *device = NULL;
    struct treefork_driver driver;
    static struct arrays got, wanted;
    check_test(&test->count);
    if (!CHECK(test, treefork_open(which, &device) == TREEFORK_OK))
        return;
    real_driver = device->driver;
    driver = *real_driver;
    driver.memory_new = memory_never;
    for (size_t i = 0; i < treefork_members(device); i++)
        treefork_member(device, i)->driver = &driver;
    arrays_fill(&got);
    arrays_fill(&wanted);
    CHECK(test, smooth(device, got.a, got.b) == TREEFORK_MEMORY);
    CHECK(test, treefork_host(device, NULL, TREEFORK_READ | TREEFORK_WRITE) == TREEFORK_OK);
    CHECK(test, memcmp(&got, &wanted, sizeof got) == 0);
    for (size_t i = 0; i < treefork_members(device); i++)
        treefork_member(device, i)->driver = real_driver;
    treefork_close(device);
}

static void parts(struct test *test, const char *three, const char *two)
{
    weights_run(test, three, "", 2);
    weights_run(test, three, "1,5,2", 2);
    weights_run(test, three, "1,0,3", 1);
    weights_run(test, three, "0,0,1", 0);
    weights_run(test, two, "", 1);
    weights_run(test, two, "3,1", 1);
    weights_run(test, two, "1000,1", 1);
    short_row(test, three);
    for (size_t member = 0; member < 3; member++) {
        failing(test, three, member, true);
        failing(test, three, member, false);
    }
    failing_all(test, three);
}

int main(void)
{
    struct test test = {.name = "runtime_parts"};
    struct treefork_device *device = NULL;
    char folder[512];
    CHECK(&test, test_cache(folder, sizeof folder));
    setenv("POCL_DEVICES", "basic basic basic", 1);
    setenv("TREEFORK_QUIET", "1", 1);
    if (treefork_open("opencl", &device)) {
        printf("%s: SKIPPED: %s\n", test.name, treefork_message());
        test.count.skipped++;
        return test_end(&test);
    }
    treefork_close(device);
    bool has_three = treefork_open("opencl:2", &device) == TREEFORK_OK;
    treefork_close(device);
    parts(&test, has_three ? "opencl:0,1,2" : "opencl:0,0,0",
          has_three ? "opencl:0,1" : "opencl:0,0");
    test_cache_end(folder);
    return test_end(&test);
}
