/* What the runtime copies, beside copies that were placed before the program ran (verified motion,
   runtime_motion.h; spec X-09, H-16, H-17): random programs run with one memory, with two and the
   placed copies, and through the runtime, whose device is a driver of this file. All three compute
   the same on each path, and by whole arrays the runtime copies at most as many bytes as verified
   motion. What is not copied holds a pattern, and launches run as late as a driver may run them.
   One file: the three runs walk the same programs by the same steps. */
#include "runtime/internal.h"
#include "tests/unit/runtime_motion.h"
#include "tests/unit/runtime_test.h"

static int arrays[ARRAYS][ELEMENTS] __attribute__((aligned(16)));

/* --- what a step computes -------------------------------------------------------------------- */

/* Where a range is in a memory. */
struct view {
    int *at;
    int from;
};

static void step_compute(const struct step *step, struct view target, struct view source,
                         unsigned *result)
{
    const struct range *to = &step->target, *of = &step->source;
    int last = to->array >= 0 ? to->from + to->count : of->from + of->count;
    for (int i = to->array >= 0 ? to->from : of->from; i < last; i++) {
        unsigned value = (unsigned)(step->id * 7 + i);
        if (of->array >= 0)
            value += (unsigned)source.at[of->from + (i * 3 + step->id) % of->count - source.from];
        if (to->array < 0)
            *result = *result * 31u + value;
        else if (step->overwrites)
            target.at[i - target.from] = (int)value;
        else
            target.at[i - target.from] = (int)((unsigned)target.at[i - target.from] * 5u + value);
    }
}

/* --- the driver ------------------------------------------------------------------------------ */

enum { LATE_MAX = 64, POISON = 0x5a };

struct late {
    const struct step *step;
    struct view target, source;
};

/* A device runs launches when it is waited for, or when memory that is not shared is copied. */
struct fake {
    struct late late[LATE_MAX];
    int n_late;
    size_t used, room;                  /* bytes */
    const struct step *steps;           /* what a launch's number counts from */
    bool whole;                         /* launches get whole arrays */
};

struct block {
    size_t bytes;
    int data[];
};

static int fake_wait(struct treefork_device *device, const char *what)
{
    struct fake *fake = device->state;
    unsigned none = 0;
    (void)what;
    for (int i = 0; i < fake->n_late; i++)
        step_compute(fake->late[i].step, fake->late[i].target, fake->late[i].source, &none);
    fake->n_late = 0;
    return TREEFORK_OK;
}

static struct block *block_of(union treefork_object memory)
{
    return (struct block *)((char *)memory.pointer - offsetof(struct block, data));
}

static int fake_memory_new(struct treefork_device *device, size_t bytes,
                           union treefork_object *memory)
{
    struct fake *fake = device->state;
    if (fake->room - fake->used < bytes)
        return treefork_fail(TREEFORK_MEMORY, "%zu bytes are too many", bytes);
    struct block *block = malloc(sizeof *block + bytes);
    if (!block)
        abort();
    block->bytes = bytes;
    memset(block->data, POISON, bytes);
    fake->used += bytes;
    memory->pointer = block->data;
    return TREEFORK_OK;
}

static bool is_host(const void *memory)
{
    uintptr_t at = (uintptr_t)memory, first = (uintptr_t)arrays;
    return at >= first && at - first < sizeof arrays;
}

static void fake_memory_free(struct treefork_device *device, union treefork_object memory)
{
    if (is_host(memory.pointer))
        return;
    fake_wait(device, NULL);
    ((struct fake *)device->state)->used -= block_of(memory)->bytes;
    free(block_of(memory));
}

static int fake_memory_write(struct treefork_device *device, union treefork_object memory,
                             const struct treefork_row *row, const void *host, size_t pitch)
{
    fake_wait(device, NULL);
    for (size_t i = 0; i < row->pieces; i++)
        memcpy((char *)memory.pointer + row->begin + i * row->pitch,
               (const char *)host + i * pitch, row->bytes);
    return TREEFORK_OK;
}

static int fake_memory_read(struct treefork_device *device, union treefork_object memory,
                            const struct treefork_row *row, void *host, size_t pitch)
{
    fake_wait(device, NULL);
    for (size_t i = 0; i < row->pieces; i++)
        memcpy((char *)host + i * pitch, (char *)memory.pointer + row->begin + i * row->pitch,
               row->bytes);
    return TREEFORK_OK;
}

static int fake_memory_share(struct treefork_device *device, void *host, size_t bytes,
                             union treefork_object *memory)
{
    (void)device;
    (void)bytes;
    memory->pointer = host;
    return TREEFORK_OK;
}

static int fake_memory_settle(struct treefork_device *device, union treefork_object memory,
                              size_t bytes)
{
    (void)device;
    (void)memory;
    (void)bytes;
    return TREEFORK_OK;
}

static int fake_choose(struct treefork_device *device, const struct treefork_launch *launch,
                       struct treefork_choice *choice)
{
    (void)device;
    choice->text = "step";
    choice->bound = false;
    snprintf(choice->entry, sizeof choice->entry, "%s", launch->kernel);
    return TREEFORK_OK;
}

static int fake_program_new(struct treefork_device *device, const struct treefork_launch *launch,
                            const char *text, struct treefork_image *image,
                            union treefork_object *program)
{
    (void)device;
    (void)launch;
    (void)text;
    (void)image;
    program->address = 1;
    return TREEFORK_OK;
}

static int fake_function_new(struct treefork_device *device, union treefork_object program,
                             const char *kernel, union treefork_object *function)
{
    (void)device;
    (void)program;
    (void)kernel;
    function->address = 1;
    return TREEFORK_OK;
}

static void fake_object_free(struct treefork_device *device, union treefork_object object)
{
    (void)device;
    (void)object;
}

static int fake_call(struct treefork_device *device, const struct treefork_call *call)
{
    struct fake *fake = device->state;
    const struct step *step = &fake->steps[call->values[0].as.i32];
    struct view target = {call->values[1].as.buffer.pointer, fake->whole ? 0 : step->target.from};
    struct view source = {NULL, 0};
    if (call->n_values > 2)
        source =
            (struct view){call->values[2].as.buffer.pointer, fake->whole ? 0 : step->source.from};
    if (fake->n_late == LATE_MAX)
        fake_wait(device, NULL);
    fake->late[fake->n_late++] = (struct late){step, target, source};
    return TREEFORK_OK;
}

static const struct treefork_driver driver = {
    .kind = "fake",
    .rows_max = 65535,
    .threads_max = INT32_MAX,
    .memory_new = fake_memory_new,
    .memory_free = fake_memory_free,
    .memory_write = fake_memory_write,
    .memory_read = fake_memory_read,
    .memory_share = fake_memory_share,
    .memory_settle = fake_memory_settle,
    .choose = fake_choose,
    .program_new = fake_program_new,
    .program_free = fake_object_free,
    .function_new = fake_function_new,
    .function_free = fake_object_free,
    .call = fake_call,
    .wait = fake_wait,
};

/* --- runs ------------------------------------------------------------------------------------ */

/* How a program runs: with one memory, with two, or through the runtime, which is told before host
   code runs which arrays that touches, or that it may touch any (as programs of `build` tell it).
 */
enum way { WAY_SERIAL, WAY_PLACED, WAY_RUNTIME };

struct run {
    enum way way;
    uint64_t path;                      /* draws rounds and branches */
    struct treefork_device *device;
    int memory[2][ARRAYS][ELEMENTS];
    unsigned result;
    uint64_t bytes;
    int n_refused;                      /* launches, which the host does then */
    bool names_arrays, failed;
};

static struct view view_of(struct run *run, enum side side, const struct range *range)
{
    return (struct view){range->array >= 0 ? run->memory[side][range->array] : NULL, 0};
}

static int array_use(struct run *run, const struct range *range, unsigned access,
                     struct treefork_argument *argument)
{
    bool whole = ((const struct fake *)run->device->state)->whole;
    struct range part = whole ? (struct range){range->array, 0, ELEMENTS} : *range;
    argument->type = TREEFORK_BUFFER;
    return treefork_use(run->device, &arrays[part.array][part.from],
                        (size_t)part.count * sizeof(int), access, &argument->value.buffer);
}

/* False if the device cannot: the host's arrays are then as they were. */
static bool launch_run(struct run *run, const struct step *step)
{
    static const struct treefork_module module = {.opencl = "step"};
    const struct fake *fake = run->device->state;
    unsigned access = TREEFORK_WRITE | (step->overwrites ? TREEFORK_OVERWRITE : TREEFORK_READ);
    if (step->overwrites && fake->whole && step->target.count < ELEMENTS)
        access = TREEFORK_WRITE | TREEFORK_READ;
    struct treefork_argument arguments[3] = {{TREEFORK_I32, {.i = step - fake->steps}}};
    struct treefork_launch launch = {.module = &module,
                                     .kernel = "step",
                                     .blocks = 1,
                                     .threads = 1,
                                     .n_arguments = step->source.array >= 0 ? 3 : 2,
                                     .arguments = arguments};
    int status = array_use(run, &step->target, access, &arguments[1]);
    if (!status && step->source.array >= 0)
        status = array_use(run, &step->source, TREEFORK_READ, &arguments[2]);
    return !status && treefork_run(run->device, &launch) == TREEFORK_OK;
}

/* An array by its first element; one that launches use in pieces by all that the host touches. */
static void host_notice(struct run *run, const struct range *range, unsigned access)
{
    const struct fake *fake = run->device->state;
    int last = range->array < 0 ? 0 : fake->whole || !run->names_arrays ? 1 : range->count;
    for (int i = 0; i < last; i++) {
        const int *host = run->names_arrays ? &arrays[range->array][range->from + i] : NULL;
        run->failed |= treefork_host(run->device, host, access) != TREEFORK_OK;
    }
}

static void use_run(struct run *run, const struct step *step)
{
    bool launches = run->way == WAY_RUNTIME && step->side == DEVICE;
    if (launches && launch_run(run, step))
        return;
    if (launches)
        run->failed |=
            treefork_host(run->device, NULL, TREEFORK_READ | TREEFORK_WRITE) != TREEFORK_OK;
    run->n_refused += launches;
    enum side side = run->way == WAY_PLACED ? step->side : HOST;
    struct view target = view_of(run, side, &step->target),
                source = view_of(run, side, &step->source);
    if (run->way == WAY_RUNTIME) {
        host_notice(run, &step->source, TREEFORK_READ);
        host_notice(run, &step->target, TREEFORK_READ | TREEFORK_WRITE);
        target.at = step->target.array >= 0 ? arrays[step->target.array] : NULL;
        source.at = step->source.array >= 0 ? arrays[step->source.array] : NULL;
    }
    step_compute(step, target, source, &run->result);
}

static void steps_run(struct run *run, const struct step *step)
{
    for (; step; step = step->next) {
        uint64_t choice = step->kind >= STEP_LOOP ? draw(&run->path, 4) : 0;
        switch (step->kind) {
        case STEP_USE:
            use_run(run, step);
            break;
        case STEP_COPY:
            memcpy(run->memory[step->side][step->target.array],
                   run->memory[!step->side][step->target.array], sizeof run->memory[0][0]);
            run->bytes += sizeof run->memory[0][0];
            break;
        case STEP_LOOP:
            while (choice-- > 0)
                steps_run(run, step->body[0]);
            break;
        case STEP_BRANCH:
            steps_run(run, step->body[choice % 2]);
            break;
        }
    }
}

static void run_begin(struct run *run, enum way way, uint64_t path)
{
    *run = (struct run){.way = way, .path = path};
    memset(run->memory[DEVICE], POISON, sizeof run->memory[DEVICE]);
    for (int array = 0; array < ARRAYS; array++)
        for (int i = 0; i < ELEMENTS; i++)
            run->memory[HOST][array][i] = (array + 1) * 1000 + i;
}

static uint64_t bytes_copied(struct treefork_device *device)
{
    struct treefork_statistics all = treefork_statistics(device);
    return all.bytes_to_device + all.bytes_to_host;
}

/* As host code before and behind the program may touch all arrays. Half of the programs find the
   buffers of those before. */
static void runtime_run(struct run *run, const struct step *program, const struct pool *pool,
                        struct treefork_device *device)
{
    run->device = device;
    ((struct fake *)device->state)->steps = pool->steps;
    run->failed = treefork_host(device, NULL, TREEFORK_READ | TREEFORK_WRITE) != TREEFORK_OK;
    if (run->path % 2)
        run->failed |= treefork_release(device, NULL) != TREEFORK_OK;
    memcpy(arrays, run->memory[HOST], sizeof arrays);
    uint64_t before = bytes_copied(device);
    steps_run(run, program);
    run->failed |= treefork_host(device, NULL, TREEFORK_READ) != TREEFORK_OK;
    run->bytes = bytes_copied(device) - before;
    memcpy(run->memory[HOST], arrays, sizeof arrays);
    run->failed |= treefork_wait(device) != TREEFORK_OK;
}

static bool runs_agree(const struct run *a, const struct run *b)
{
    return !a->failed && !b->failed && a->result == b->result &&
           memcmp(a->memory[HOST], b->memory[HOST], sizeof a->memory[HOST]) == 0;
}

/* --- tests ----------------------------------------------------------------------------------- */

struct mode {
    const char *name;
    bool whole, names_arrays, shares;
    size_t room;
};

static const struct mode modes[] = {
    {"whole arrays, named", true, true, false, SIZE_MAX},
    {"whole arrays", true, false, false, SIZE_MAX},
    {"whole arrays in a small memory", true, true, false, 2 * sizeof arrays[0]},
    {"ranges", false, false, false, SIZE_MAX},
    {"ranges of named arrays", false, true, false, SIZE_MAX},
    {"whole arrays, shared", true, true, true, SIZE_MAX},
    {"ranges, shared", false, false, true, SIZE_MAX},
};
enum { MODES = sizeof modes / sizeof *modes };

/* The devices of all modes. */
struct bench {
    struct treefork_device devices[MODES];
    struct fake fakes[MODES];
};

static void bench_begin(struct bench *bench)
{
    for (int m = 0; m < MODES; m++) {
        struct treefork_device *device = &bench->devices[m];
        bench->fakes[m] = (struct fake){.room = modes[m].room, .whole = modes[m].whole};
        *device = (struct treefork_device){.driver = &driver,
                                           .kind = "fake",
                                           .state = &bench->fakes[m],
                                           .shares = modes[m].shares};
        pthread_mutex_init(&device->mutex, NULL);
        treefork_machine_clear(&device->machine, "fake");
    }
}

static void bench_end(struct bench *bench)
{
    for (int m = 0; m < MODES; m++) {
        treefork_buffer_free_all(&bench->devices[m]);
        treefork_program_free_all(&bench->devices[m]);
        pthread_mutex_destroy(&bench->devices[m].mutex);
    }
}

/* Bytes over all programs: as inserted, after motion, by the runtime in each mode. */
struct sums {
    uint64_t inserted, moved, runtime[MODES];
    int n_runs, n_more;                 /* with more bytes than after motion where no array is
                                           named */
};

/* Runs the program through the runtime in each mode: right, and where arrays are whole and named
   with at most the bytes that were placed. */
static bool runtime_check(struct bench *bench, const struct step *program, const struct pool *pool,
                          const struct run *serial, const struct run *moved, uint64_t path,
                          struct sums *sums)
{
    static struct run run;
    bool good = true;
    for (int m = 0; m < MODES; m++) {
        run_begin(&run, WAY_RUNTIME, path);
        run.names_arrays = modes[m].names_arrays;
        runtime_run(&run, program, pool, &bench->devices[m]);
        sums->runtime[m] += run.bytes;
        sums->n_runs += m == 1;
        sums->n_more += m == 1 && run.bytes > moved->bytes;
        bool refuses = run.n_refused > 0 && modes[m].room == SIZE_MAX;
        bool right = runs_agree(serial, &run) && !refuses, few = m > 0 || run.bytes <= moved->bytes;
        if (modes[m].shares && modes[m].whole)
            few = run.bytes == 0;
        if (!right || !few)
            fprintf(stderr, "%s: %s\n", modes[m].name, right ? "too many bytes" : "wrong");
        good = good && right && few;
    }
    return good;
}

/* The copies of `placed` serve the program on this path. */
static bool placed_run(const struct step *placed, const struct run *serial, uint64_t path,
                       struct run *run)
{
    run_begin(run, WAY_PLACED, path);
    steps_run(run, placed);
    return runs_agree(serial, run);
}

enum { PATHS = 4 };

static void program_check(struct test *test, struct bench *bench, uint64_t seed, struct sums *sums)
{
    static struct pool plain, placed;
    static struct run serial[PATHS], run;
    uint64_t first = seed, again = seed;
    plain.count = placed.count = 0;
    plain.n_uses = placed.n_uses = 0;
    struct step *program = steps_draw(&plain, &first, 3);
    struct step *copied = program_with_copies(&placed, steps_draw(&placed, &again, 3));
    bool good = program_verify(copied);
    for (uint64_t path = 0; path < PATHS; path++) {
        run_begin(&serial[path], WAY_SERIAL, seed * PATHS + path);
        steps_run(&serial[path], program);
        good = placed_run(copied, &serial[path], seed * PATHS + path, &run) && good;
        sums->inserted += run.bytes;
    }
    copies_move(&copied);
    for (uint64_t path = 0; path < PATHS; path++) {
        good = placed_run(copied, &serial[path], seed * PATHS + path, &run) && good;
        sums->moved += run.bytes;
        good =
            runtime_check(bench, program, &plain, &serial[path], &run, seed * PATHS + path, sums) &&
            good;
    }
    if (!CHECK(test, good))
        fprintf(stderr, "program %llu\n", (unsigned long long)seed);
}

static void random_programs(struct test *test, struct bench *bench)
{
    struct sums sums = {0};
    check_test(&test->count);
    for (int i = 0; i < test_scale(4000, 100000); i++)
        program_check(test, bench, (uint64_t)i + 1, &sums);
    printf("bytes copied: %llu as inserted, %llu after verified motion",
           (unsigned long long)sums.inserted, (unsigned long long)sums.moved);
    for (int m = 0; m < MODES; m++)
        printf(", %llu %s", (unsigned long long)sums.runtime[m], modes[m].name);
    printf("; where no array is named %d of %d runs copy more than verified motion\n", sums.n_more,
           sums.n_runs);
    CHECK(test, sums.moved < sums.inserted && sums.runtime[0] < sums.moved);
}

static struct step *use_new(struct pool *pool, enum side side, int from, int count,
                            struct step *next)
{
    struct step *use = step_new(pool, STEP_USE, side);
    use->target = (struct range){0, from, count};
    use->next = next;
    return use;
}

static struct step *around_new(struct pool *pool, enum step_kind kind, struct step *first,
                               struct step *second, struct step *next)
{
    struct step *step = step_new(pool, kind, HOST);
    step->body[0] = first;
    step->body[1] = second;
    step->next = next;
    return step;
}

/* if (c) x[1] = … on the host, else x[0] = … on the device. `copies`: as the seed's algorithm
   leaves them (spec H-16), in before and out behind. */
static struct step *branch_program(struct pool *pool, bool copies)
{
    struct step *behind = use_new(pool, HOST, 0, ELEMENTS, NULL);
    if (copies)
        behind = copy_new(pool, 0, HOST, behind);
    struct step *branch = around_new(pool, STEP_BRANCH, use_new(pool, HOST, 1, 1, NULL),
                                     use_new(pool, DEVICE, 0, 1, NULL), behind);
    return copies ? copy_new(pool, 0, DEVICE, branch) : branch;
}

/* for (k) { scale on the device; update on the device } (spec H-19) */
static struct step *lu_program(struct pool *pool)
{
    struct step *body = use_new(pool, DEVICE, 0, 4, use_new(pool, DEVICE, 4, ELEMENTS - 4, NULL));
    struct step *loop =
        around_new(pool, STEP_LOOP, body, NULL, use_new(pool, HOST, 0, ELEMENTS, NULL));
    return use_new(pool, HOST, 0, ELEMENTS, loop);
}

/* What the seed's algorithm makes is refused by the analysis, and wrong; verified motion and the
   runtime are right. */
static void counter_example(struct test *test, struct bench *bench)
{
    static struct pool plain, unsound, placed;
    static struct run serial, run;
    struct sums sums = {0};
    check_test(&test->count);
    struct step *program = branch_program(&plain, false), *wrong = branch_program(&unsound, true);
    struct step *copied = program_with_copies(&placed, branch_program(&placed, false));
    copies_move(&copied);
    CHECK(test, !program_verify(wrong) && program_verify(copied));
    int n_wrong = 0;
    for (uint64_t path = 0; path < 16; path++) {
        run_begin(&serial, WAY_SERIAL, path);
        steps_run(&serial, program);
        n_wrong += !placed_run(wrong, &serial, path, &run);
        CHECK(test, placed_run(copied, &serial, path, &run));
        CHECK(test, runtime_check(bench, program, &plain, &serial, &run, path, &sums));
    }
    CHECK(test, n_wrong > 0 && n_wrong < 16);
}

/* One copy in and one out, however many rounds there are; the runtime makes none where there is no
   round. */
static void factorization(struct test *test, struct bench *bench)
{
    static struct pool plain, placed;
    static struct run serial, run;
    struct sums sums = {0};
    check_test(&test->count);
    struct step *program = lu_program(&plain),
                *copied = program_with_copies(&placed, lu_program(&placed));
    copies_move(&copied);
    for (uint64_t path = 0; path < 16; path++) {
        run_begin(&serial, WAY_SERIAL, path);
        steps_run(&serial, program);
        CHECK(test, placed_run(copied, &serial, path, &run) && run.bytes == 2 * sizeof arrays[0]);
        CHECK(test, runtime_check(bench, program, &plain, &serial, &run, path, &sums));
    }
    CHECK(test,
          sums.runtime[0] > 16 * sizeof arrays[0] && sums.runtime[0] <= 32 * sizeof arrays[0]);
}

/* What is known of an array tells which pieces of it the host touches, too. */
static void pieces(struct test *test, struct bench *bench)
{
    static struct pool pool;
    static struct run run;
    struct treefork_device *device = &bench->devices[3];
    uint64_t handle;
    check_test(&test->count);
    run_begin(&run, WAY_RUNTIME, 0);
    run.device = device;
    ((struct fake *)device->state)->steps = pool.steps;
    memset(arrays, 0, sizeof arrays);
    CHECK(test,
          treefork_use(device, arrays[0], sizeof arrays[0], TREEFORK_READ, &handle) == TREEFORK_OK);
    CHECK(test, launch_run(&run, use_new(&pool, DEVICE, 4, 4, NULL)) && arrays[0][4] == 0);
    CHECK(test,
          treefork_host(device, arrays[0], TREEFORK_READ) == TREEFORK_OK && arrays[0][4] != 0);
}

int main(void)
{
    struct test test = {.name = "runtime_copies"};
    static struct bench bench;
    setenv("TREEFORK_CACHE_DIR", "none", 1);
    bench_begin(&bench);
    counter_example(&test, &bench);
    factorization(&test, &bench);
    pieces(&test, &bench);
    random_programs(&test, &bench);
    bench_end(&bench);
    return test_end(&test);
}
