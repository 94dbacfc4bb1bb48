/* Launches of the simulated driver. In: a function, its grid, block, dynamic shared bytes and
   argument pointers; out: the arrays as the kernel's IR leaves them, run on the CPU with one fiber
   per thread. It refuses what a driver refuses (limits of the machine, dynamic bytes above 48 KiB
   that were not asked for, registers that do not fit) and, beyond a driver, a block that is not the
   kernel's, rows that are not those of the whole grid, too few dynamic bytes, and pointers that are
   no device memory. */
#include "ir/expr.h"
#include "tests/simulated/simulated.h"
#include <inttypes.h>
#include <string.h>

enum { SHARED_DEFAULT = 49152, GRID_MAX = INT32_MAX, ROWS_MAX = 65535 };

/* Blocks and threads of a launch: in the first dimension, and rows of them. */
struct shape {
    unsigned blocks, block_rows, threads, thread_rows;
};

static int launch_limits(const struct sim_function *f, struct shape shape, unsigned bytes)
{
    int64_t threads = (int64_t)shape.threads * shape.thread_rows;
    const int64_t *machine = simulated()->machine.value;
    int64_t allowed = f->dynamic_bytes > SHARED_DEFAULT ? f->dynamic_bytes : SHARED_DEFAULT;
    int64_t warp = 4 * machine[TREEFORK_W_B], rounded = (threads + warp - 1) / warp * warp;
    if (machine[TREEFORK_Z_B] <= INT32_MAX / 4 && allowed > 4 * machine[TREEFORK_Z_B])
        allowed = 4 * machine[TREEFORK_Z_B];
    if (shape.blocks < 1 || shape.blocks > GRID_MAX || shape.block_rows < 1 ||
        shape.block_rows > ROWS_MAX)
        return sim_fail(CU_INVALID_VALUE, "%s: %u rows of %u blocks", f->entry, shape.block_rows,
                        shape.blocks);
    if (threads < 1 || threads > machine[TREEFORK_T_B])
        return sim_fail(CU_INVALID_VALUE, "%s: %" PRId64 " threads", f->entry, threads);
    if (bytes > allowed)
        return sim_fail(CU_INVALID_VALUE,
                        "%s: %u bytes of dynamic shared memory, allowed are %" PRId64, f->entry,
                        bytes, allowed);
    if (rounded * ((f->registers + 7) / 8 * 8) > machine[TREEFORK_F_B])
        return sim_fail(CU_OUT_OF_RESOURCES, "%s: %" PRId64 " threads of %d registers", f->entry,
                        threads, f->registers);
    return CU_OK;
}

static union value scalar_of(enum type type, const void *at)
{
    union value value = { .integer = 0 };
    float single;
    size_t bytes = type_bytes(type);
    if (type == TYPE_F32) {
        memcpy(&single, at, sizeof single);
        value.real = (double)single;
        return value;
    }
    memcpy(&value, at, bytes);
    if (type == TYPE_F64 || bytes == 8 || !type_is_signed(type))
        return value;
    unsigned shift = 64 - 8 * (unsigned)bytes;
    value.integer = (int64_t)(value.unsigned_ << shift) >> shift;
    return value;
}

/* The element count of an array is what its allocation holds from the pointer on, so that the
   bounds check is the real one. */
static int array_of(const struct sim_function *f, const struct array *array, const void *at,
                    struct interpret_array *result)
{
    uint64_t address;
    memcpy(&address, at, sizeof address);
    const struct sim_device *device = f->module->device;
    struct sim_memory *memory = NULL;
    if (address)
        memory = f->is_part ? sim_window_of(device, address) : sim_memory_of(device, address, 1);
    if (address % VECTOR_BYTES)
        return sim_fail(CU_INVALID_VALUE,
                        "%s: the array '%s' at 0x%" PRIx64 " is not aligned to %d bytes", f->entry,
                        array->name, address, VECTOR_BYTES);
    if (address && !memory)
        return sim_fail(CU_ILLEGAL_ADDRESS, "%s: array %s is no device memory", f->entry,
                        array->name);
    *result = (struct interpret_array){ .data = (void *)(uintptr_t)address };
    if (memory)
        result->count = (size_t)((uint64_t)(uintptr_t)memory->data + memory->bytes - address) /
                        type_bytes(array->element);
    return CU_OK;
}

/* The word by which blocks count themselves has to be 0, as the launch before has left it: the one
   that is simulated here does not use it. */
static int counter_check(const struct sim_function *f, const void *argument)
{
    uint64_t address = 0;
    uint32_t count = 0;
    if (argument)
        memcpy(&address, argument, sizeof address);
    struct sim_memory *memory = address ? sim_memory_of(f->module->device, address, 1) : NULL;
    if (!memory || (uint64_t)(uintptr_t)memory->data + memory->bytes < address + sizeof count)
        return sim_fail(CU_ILLEGAL_ADDRESS, "%s: no device memory counts the blocks", f->entry);
    memcpy(&count, (const void *)(uintptr_t)address, sizeof count);
    return count ? sim_fail(CU_INVALID_VALUE, "%s: the count of blocks is %u", f->entry, count)
                 : CU_OK;
}

static int launch_arguments(const struct sim_function *f, void **arguments, union value *params,
                            struct interpret_array *arrays, int32_t part[2])
{
    const struct kernel *k = f->kernel;
    int n = 0, code = CU_OK;
    for (int i = 0; i < k->n_params; i++, n++) {
        if (!arguments[n])
            return sim_fail(CU_INVALID_VALUE, "%s: argument %d is missing", f->entry, n + 1);
        params[i] = scalar_of(k->params[i]->var->type, arguments[n]);
    }
    for (int i = 0; i < k->n_arrays && k->arrays[i]->space == SPACE_GLOBAL && !code; i++, n++) {
        if (!arguments[n])
            return sim_fail(CU_INVALID_VALUE, "%s: argument %d is missing", f->entry, n + 1);
        code = array_of(f, k->arrays[i], arguments[n], &arrays[i]);
    }
    for (int i = 0; i < (f->is_part && !code ? 2 : 0) && arguments[n]; i++, n++)
        memcpy(&part[i], arguments[n], sizeof part[i]);
    if (!code && body_last(k->body))
        code = counter_check(f, arguments[n++]);
    if (!code && arguments[n])
        return sim_fail(CU_INVALID_VALUE, "%s: more than %d arguments", f->entry, n);
    return code;
}

/* The product and the last of a box's extents; 1 and 1 without any. */
static int box_size(const struct sim_function *f, const union value *params,
                    const struct axis *axes, int n, int64_t size[2])
{
    union value value = {.integer = 1};
    size[0] = 1;
    for (int i = 0; i < n; i++) {
        if (!expr_evaluate(f->kernel, axes[i].extent, params, &value))
            return sim_fail(CU_INVALID_VALUE, "%s: an extent overflows", f->entry);
        size[0] *= value.integer;
    }
    size[1] = value.integer;
    return CU_OK;
}

/* Rows are those of the whole grid or block; in one row any number of blocks is right. */
static int launch_rows(const struct sim_function *f, struct shape shape, const int64_t grid[2],
                       const int64_t block[2])
{
    int64_t threads = (int64_t)shape.threads * shape.thread_rows,
            blocks = (int64_t)shape.blocks * shape.block_rows;
    bool strided = kernel_all_strided(f->kernel);
    if (threads != block[0] && !strided)
        return sim_fail(CU_INVALID_VALUE,
                        "%s: %" PRId64 " threads, the kernel's block has %" PRId64, f->entry,
                        threads, block[0]);
    if (shape.thread_rows > 1 && (strided || shape.threads != block[1]))
        return sim_fail(CU_INVALID_VALUE, "%s: rows of %u threads, the kernel's have %" PRId64,
                        f->entry, shape.threads, block[1]);
    if (shape.block_rows > 1 && (blocks != grid[0] || shape.blocks != grid[1]))
        return sim_fail(CU_INVALID_VALUE,
                        "%s: %u rows of %u blocks, the kernel's grid has rows of %" PRId64
                        ", together %" PRId64,
                        f->entry, shape.block_rows, shape.blocks, grid[1], grid[0]);
    return CU_OK;
}

/* The part of the grid that a launch of so many blocks from there on runs: all blocks of all axes
   but the first or the last. */
static int launch_part(const struct sim_function *f, struct shape shape, const int64_t grid[2],
                       const union value *params, const int32_t at[2], struct interpret_part *part)
{
    const struct kernel *k = f->kernel;
    int64_t rows = grid[1] ? grid[0] / grid[1] : 0, first = 1;
    union value value;
    if (k->n_grid > 1 && expr_evaluate(k, k->grid[0].extent, params, &value))
        first = value.integer;
    int64_t unit = first ? rows / first : 1;
    bool is_last = shape.block_rows == rows && at[1] == 0;
    *part = is_last ? (struct interpret_part){k->n_grid - 1, at[0], at[0] + shape.blocks, NULL}
                    : (struct interpret_part){0, at[1] / unit, (at[1] + shape.block_rows) / unit,
                                              NULL};
    bool is_whole = is_last ? part->to <= grid[1]
                            : shape.blocks == grid[1] && at[0] == 0 && part->to <= first &&
                                  at[1] % unit == 0 && shape.block_rows % unit == 0;
    return is_whole && part->from >= 0
               ? CU_OK
               : sim_fail(CU_INVALID_VALUE,
                          "%s: no part of the grid: %u rows of %u blocks from %d, %d", f->entry,
                          shape.block_rows, shape.blocks, at[1], at[0]);
}

/* A launch that has not run: its arguments are copies. */
struct launch {
    struct arena *arena;
    const struct sim_function *f;
    union value *params;
    struct interpret_array *arrays;
    struct interpret_part part;
    int32_t at[2];
    int64_t blocks, threads;    /* in a line of blocks, and of their threads; else 0 */
    struct sim_timed timed;     /* what the simulated multiprocessor runs */
};

static int launch_shape(struct launch *launch, struct shape shape, unsigned bytes)
{
    const struct sim_function *f = launch->f;
    const struct kernel *k = f->kernel;
    const union value *params = launch->params;
    int64_t grid[2], block[2];
    union value value;
    int code = box_size(f, params, k->block, k->n_block, block);
    if (!code)
        code = box_size(f, params, k->grid, k->n_grid, grid);
    if (!code)
        code = f->is_part ? launch_part(f, shape, grid, params, launch->at, &launch->part)
                          : launch_rows(f, shape, grid, block);
    if (code)
        return code;
    const struct divisible *fact = kernel_indivisible(k, params);
    if (fact)
        return sim_fail(CU_INVALID_VALUE,
                        "%s: launched where %" PRId64 " does not divide an extent", f->entry,
                        fact->divisor);
    if (!k->shared_bytes)
        return CU_OK;
    if (!expr_evaluate(k, k->shared_bytes, params, &value) || value.integer > bytes)
        return sim_fail(CU_INVALID_VALUE,
                        "%s: %u bytes of dynamic shared memory, the kernel needs %" PRId64,
                        f->entry, bytes, value.integer);
    return CU_OK;
}

/* --- what a kernel touches -------------------------------------------------------------------- */

/* By array and byte: 1 it was read, 2 it was written. */
struct touched {
    const struct kernel *kernel;
    unsigned char **bytes;
};

static void access_note(void *state, const struct interpret_access *access)
{
    const struct touched *touched = state;
    for (int i = 0; i < touched->kernel->n_arrays; i++)
        if (touched->kernel->arrays[i] == access->array && touched->bytes[i])
            for (unsigned k = 0; k < access->bytes; k++)
                touched->bytes[i][access->byte + k] |= access->is_write ? 2 : 1;
}

/* Neighbours that were touched alike are told together. */
static int array_touch(const struct sim_operation *operation, const struct launch *launch, int i,
                       const unsigned char *bytes)
{
    size_t count = launch->arrays[i].count * type_bytes(launch->f->kernel->arrays[i]->element);
    uint64_t at = (uint64_t)(uintptr_t)launch->arrays[i].data;
    struct sim_memory *memory = sim_window_of(launch->f->module->device, at);
    uint64_t data = memory ? (uint64_t)(uintptr_t)memory->data : 0;
    size_t first = data > at ? (size_t)(data - at) : 0, end;
    int code = memory ? CU_OK : CU_ILLEGAL_ADDRESS;
    for (size_t begin = 0; begin < count && !code; begin = end) {
        for (end = begin + 1; end < count && bytes[end] == bytes[begin];)
            end++;
        if (bytes[begin] && begin < first)
            code = sim_fail(CU_ILLEGAL_ADDRESS, "%s touches bytes before its window",
                            operation->what);
        else if (bytes[begin])
            code = sim_touch(operation, memory, (size_t)(at + begin - data),
                             (size_t)(at + end - data), bytes[begin] & 2);
    }
    return code;
}

/* Thread by thread, so that every byte that is touched is known. */
static int run_checked(const struct sim_operation *operation, const struct launch *launch,
                       struct interpret_input *input)
{
    const struct kernel *k = launch->f->kernel;
    struct touched touched = {k, ARENA_ARRAY(launch->arena, unsigned char *, k->n_arrays + 1)};
    struct interpret_trace trace = {access_note, &touched};
    int code = CU_OK;
    for (int i = 0; i < k->n_arrays && k->arrays[i]->space == SPACE_GLOBAL; i++)
        touched.bytes[i] = arena_alloc(launch->arena, launch->arrays[i].count *
                                                          type_bytes(k->arrays[i]->element) + 1);
    input->trace = &trace;
    struct interpret_result result = interpret_threads(launch->arena, k, input);
    if (result.status != INTERPRET_DONE)
        return sim_fail(CU_ILLEGAL_ADDRESS, "%s: %s", launch->f->entry, result.message);
    for (int i = 0; i < k->n_arrays && !code; i++)
        if (touched.bytes[i] && launch->arrays[i].data)
            code = array_touch(operation, launch, i, touched.bytes[i]);
    return code;
}

/* A run that fails has left its arrays or lost a thread: as after such a fault on a GPU, the device
   is lost. */
static int launch_run(const struct sim_operation *operation, void *state)
{
    const struct sim *sim = simulated();
    const struct launch *launch = state;
    struct interpret_input input = {.params = launch->params, .arrays = launch->arrays,
                                    .seed = sim->seed, .threads = launch->threads,
                                    .blocks = launch->blocks,
                                    .part = launch->f->is_part ? &launch->part : NULL};
    if (sim->is_checked)
        return run_checked(operation, launch, &input);
    if (sim->cycles)
        return sim_time(launch->f, &launch->timed);
    input.blocks = 0;
    return llvm_run(sim->ctx, launch->f->kernel, &input, launch->blocks)
               ? CU_OK
               : sim_fail(CU_ILLEGAL_ADDRESS, "%s: %s", launch->f->entry, sim->ctx->last);
}

static void launch_end(void *state)
{
    arena_free(((struct launch *)state)->arena);
}

/* Copies of the arguments: the driver's caller may change its own at once. */
static struct sim_timed launch_timed(struct arena *arena, const struct sim_function *f,
                                     struct shape shape, unsigned bytes, void **arguments)
{
    struct sim_timed timed = {.grid = {shape.blocks, shape.block_rows},
                              .block = {shape.threads, shape.thread_rows}, .bytes = bytes};
    int n = 0, n_params = f->kernel->n_params;
    while (arguments[n])
        n++;
    timed.arguments = ARENA_ARRAY(arena, void *, n + 1);
    for (int i = 0; i < n; i++) {
        size_t size = i < n_params ? type_bytes(f->kernel->params[i]->var->type) : sizeof(uint64_t);
        bool is_part = f->is_part && i >= n - 2;
        timed.arguments[i] = arena_alloc(arena, sizeof(uint64_t));
        memcpy(timed.arguments[i], arguments[i], is_part ? sizeof(int32_t) : size);
    }
    return timed;
}

static int launch_give(const struct sim_function *f, struct shape shape, unsigned bytes,
                       void **arguments, struct sim_stream *stream)
{
    struct arena *arena = arena_new();
    struct launch *launch = ARENA_NEW(arena, struct launch);
    bool is_line = shape.block_rows == 1 && !f->is_part;
    *launch = (struct launch){.arena = arena, .f = f, .blocks = is_line ? shape.blocks : 0,
                              .threads = kernel_all_strided(f->kernel) ? shape.threads : 0};
    launch->params = ARENA_ARRAY(arena, union value, f->kernel->n_params + 1);
    launch->arrays = ARENA_ARRAY(arena, struct interpret_array, f->kernel->n_arrays + 1);
    int code = launch_arguments(f, arguments, launch->params, launch->arrays, launch->at);
    if (!code)
        code = launch_shape(launch, shape, bytes);
    if (code) {
        arena_free(arena);
        return code;
    }
    stream->device->launches++;
    launch->timed = launch_timed(arena, f, shape, bytes, arguments);
    return sim_give(stream, (struct sim_operation){.what = f->entry, .run = launch_run,
                                                   .end = launch_end, .state = launch});
}

int cuLaunchKernel(void *handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned bytes, void *at, void **arguments, void **extra)
{
    const struct sim_function *f = sim_function_of(handle);
    struct shape shape = {gx, gy, bx, by};
    int code = sim_enter("cuLaunchKernel", true);
    struct sim_stream *stream = code ? NULL : sim_stream_of(at);
    if (!code && !f)
        code = sim_fail(CU_INVALID_VALUE, "an unknown function is launched");
    if (!code && (gz != 1 || bz != 1 || !stream || extra))
        code = sim_fail(CU_INVALID_VALUE, "%s: launches have two dimensions here", f->entry);
    if (!code && f->module->device != stream->device)
        code = sim_fail(CU_INVALID_VALUE, "%s: a function of another device", f->entry);
    if (!code)
        code = launch_limits(f, shape, bytes);
    return code ? code : launch_give(f, shape, bytes, arguments, stream);
}
