/* Launches. In: an entry of a module, its arguments, block and grid; out: the device has the kernel
   and will run it behind those given to it before, or nothing has happened and the status says why.
   The order is: what needs no device, then the machine's limits, buffers, compilation, the call.

   A launch is not waited for: waiting costs more than many a kernel. Whoever needs results waits
   for all launches at once (treefork_launches_wait). Only the first launch of a kernel is waited
   for, since some drivers say only then that they cannot run it: the serial code can still take
   over, for what the kernel may have destroyed of the host's arrays comes back. A kernel that fails
   later has failed while it ran, and what it wrote is lost.

   Invariant: nothing is given to a driver that exceeds the machine of the device (a limit of
   machine files and treefork_limit too). A grid whose rows a driver cannot count is launched as a
   line, and lines above the driver's limit are clamped, which is exact because kernels stride over
   a line. */
#include "runtime/group.h"
#include "runtime/launch.h"
#include "runtime/waiting.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Drivers take 2^31 - 1 blocks on the first axis. */
enum { BLOCKS_MAX = INT32_MAX };

static int launch_fits(const struct treefork_device *device, const struct treefork_launch *launch)
{
    const int64_t *limit = device->machine.value;
    int64_t words = limit[TREEFORK_Z_B];
    if (launch->threads > limit[TREEFORK_T_B])
        return treefork_fail(TREEFORK_LAUNCH,
                             "%s does not fit: %" PRId64 " threads per block exceed the %" PRId64
                             " of %s",
                             launch->kernel, launch->threads, limit[TREEFORK_T_B], device->name);
    if (launch->threads > INT32_MAX)
        return treefork_fail(TREEFORK_LAUNCH,
                             "%s does not fit: %" PRId64
                             " threads per block exceed what a driver can express",
                             launch->kernel, launch->threads);
    if (words <= INT64_MAX / 4 && launch->shared_bytes > 4 * words)
        return treefork_fail(TREEFORK_LAUNCH,
                             "%s does not fit: %" PRId64
                             " bytes of shared memory exceed the %" PRId64 " of %s",
                             launch->kernel, launch->shared_bytes, 4 * words, device->name);
    if ((uint64_t)launch->shared_bytes > SIZE_MAX)
        return treefork_fail(TREEFORK_LAUNCH,
                             "%s does not fit: %" PRId64
                             " bytes of shared memory exceed the address space",
                             launch->kernel, launch->shared_bytes);
    return TREEFORK_OK;
}

static bool widths_divide(const struct treefork_launch *launch)
{
    if (launch->grid_width < 0 || launch->block_width < 0)
        return false;
    if (launch->blocks == 0)
        return true;
    return (!launch->grid_width || launch->blocks % launch->grid_width == 0) &&
           (!launch->block_width || launch->threads % launch->block_width == 0);
}

static int launch_check(const struct treefork_device *device, const struct treefork_launch *launch)
{
    if (!launch->module || !launch->kernel || (launch->n_arguments && !launch->arguments)
        || (launch->n_bindings && !launch->bindings))
        return treefork_fail(
            TREEFORK_ARGUMENT,
            "treefork_run: the launch names no module, kernel, arguments or bindings");
    if (launch->blocks < 0 || launch->threads < (launch->blocks > 0) || launch->shared_bytes < 0 ||
        launch->registers < 0 || !widths_divide(launch))
        return treefork_fail(TREEFORK_ARGUMENT,
                             "%s: impossible launch: %" PRId64 " blocks of %" PRId64
                             " threads, %" PRId64 " bytes of shared memory, %d registers",
                             launch->kernel, launch->blocks, launch->threads, launch->shared_bytes,
                             launch->registers);
    if (device->lost)
        return treefork_fail(TREEFORK_LOST, "%s must be closed and opened again", device->name);
    return launch->blocks > 0 ? launch_fits(device, launch) : TREEFORK_OK;
}

static size_t type_size(enum treefork_type type)
{
    static const size_t sizes[] = {
        [TREEFORK_I8] = 1,
        [TREEFORK_U8] = 1,
        [TREEFORK_I16] = 2,
        [TREEFORK_U16] = 2,
        [TREEFORK_I32] = 4,
        [TREEFORK_U32] = 4,
        [TREEFORK_I64] = 8,
        [TREEFORK_U64] = 8,
        [TREEFORK_F32] = 4,
        [TREEFORK_F64] = 8,
        [TREEFORK_BUFFER] = sizeof(union treefork_object),
    };
    return (size_t)type < sizeof sizes / sizeof *sizes ? sizes[type] : 0;
}

/* A scalar in the bits of its type; C's conversion does the narrowing. */
static inline void value_set(struct treefork_value *value,
                             const struct treefork_argument *argument)
{
    value->as.u64 = 0;
    switch (argument->type) {
    case TREEFORK_I8: value->as.i8 = (int8_t)argument->value.i; break;
    case TREEFORK_U8: value->as.u8 = (uint8_t)argument->value.u; break;
    case TREEFORK_I16: value->as.i16 = (int16_t)argument->value.i; break;
    case TREEFORK_U16: value->as.u16 = (uint16_t)argument->value.u; break;
    case TREEFORK_I32: value->as.i32 = (int32_t)argument->value.i; break;
    case TREEFORK_U32: value->as.u32 = (uint32_t)argument->value.u; break;
    case TREEFORK_I64: value->as.i64 = argument->value.i; break;
    case TREEFORK_U64: value->as.u64 = argument->value.u; break;
    case TREEFORK_F32: value->as.f32 = (float)argument->value.f; break;
    case TREEFORK_F64: value->as.f64 = argument->value.f; break;
    case TREEFORK_BUFFER: break;
    }
}

struct treefork_value treefork_value_of(const struct treefork_argument *argument)
{
    struct treefork_value value = {.type = argument->type, .size = type_size(argument->type)};
    value_set(&value, argument);
    return value;
}

static size_t number_of(const struct launching *l, const struct treefork_value *value)
{
    return (size_t)(value - l->values) + 1;
}

static int launch_find_array(struct launching *l, struct treefork_value *value, uint64_t handle)
{
    value->access = treefork_buffer_access(handle);
    value->buffer = treefork_buffer_find(l->device, handle);
    value->next = NULL;
    *l->end = value;
    l->end = &value->next;
    return value->buffer ? TREEFORK_OK
                         : treefork_fail(TREEFORK_ARGUMENT, "%s: argument %zu is no buffer of %s",
                                         l->launch->kernel, number_of(l, value), l->device->name);
}

static int launch_find(struct launching *l)
{
    int status = TREEFORK_OK;
    l->end = &l->arrays;
    for (size_t i = 0; i < l->launch->n_arguments && !status; i++) {
        const struct treefork_argument *argument = &l->launch->arguments[i];
        struct treefork_value *value = &l->values[i];
        value->type = argument->type;
        value->size = type_size(argument->type);
        value_set(value, argument);
        if (!value->size)
            status = treefork_fail(TREEFORK_ARGUMENT, "%s: argument %zu has no type",
                                   l->launch->kernel, i + 1);
        else if (value->type == TREEFORK_BUFFER && argument->value.buffer)
            status = launch_find_array(l, value, argument->value.buffer);
    }
    return status;
}

/* Has every array fewer than 2^31 bytes? */
static bool arrays_are_small(const struct launching *l)
{
    bool are_small = true;
    for (const struct treefork_value *a = l->arrays; a; a = a->next)
        are_small = are_small && treefork_bytes_are_few(a->buffer->bytes);
    return are_small;
}

/* After all buffers are ready: one that is not on the device now was thrown out to make room
   for another. */
static int launch_value(const struct launching *l, struct treefork_value *a)
{
    bool overwrites = a->access & TREEFORK_OVERWRITE;
    if (!(overwrites ? a->buffer->memory.address != 0
                     : treefork_runs_has(&a->buffer->runs, SIDE_OF_MEMBER)))
        return treefork_fail(TREEFORK_MEMORY,
                             "%s: the arrays do not fit into the memory of %s together",
                             l->launch->kernel, l->device->name);
    a->as.buffer = a->buffer->memory;
    return TREEFORK_OK;
}

/* Two arguments that share memory, one of them written: as two device arrays they would drift
   apart, as one array the kernel, whose arrays are distinct, would race. The serial program is the
   one that is right then. */
static int launch_distinct(const struct launching *l, struct treefork_value *a)
{
    for (const struct treefork_value *b = a->next; b; b = b->next)
        if ((a->access | b->access) & TREEFORK_WRITE &&
            treefork_buffer_overlaps(a->buffer, b->buffer))
            return treefork_fail(TREEFORK_ARGUMENT,
                                 "%s: arguments %zu and %zu are arrays that overlap, and one of "
                                 "them is written",
                                 l->launch->kernel, number_of(l, a), number_of(l, b));
    return TREEFORK_OK;
}

static int launch_ready(const struct launching *l, struct treefork_value *a)
{
    return treefork_buffer_ready(l->device, a->buffer, a->access);
}

static void launch_written(const struct launching *l)
{
    for (const struct treefork_value *a = l->arrays; a; a = a->next)
        if (a->access & TREEFORK_WRITE)
            treefork_buffer_written(l->device, a->buffer);
}

/* All arrays, one step after the other. */
static int launch_each(const struct launching *l,
                       int (*step)(const struct launching *l, struct treefork_value *array))
{
    int status = TREEFORK_OK;
    for (struct treefork_value *a = l->arrays; a && !status; a = a->next)
        status = step(l, a);
    return status;
}

/* Is it a block of one column for OpenCL? PoCL 3.1 runs what stands before a loop with barriers
   twice for the first work item of such a plane; as a line it does not. */
static bool is_column(const struct treefork_device *device, const struct treefork_launch *launch)
{
    return launch->block_width == 1 && launch->threads > 1 && strcmp(device->kind, "opencl") == 0;
}

/* Can the driver count the rows of this grid, and the blocks and threads in them? */
static inline bool is_plane(const struct treefork_device *device,
                            const struct treefork_launch *launch)
{
    const struct treefork_driver *driver = device->driver;
    return launch->grid_width > 0 && launch->grid_width <= BLOCKS_MAX &&
           !is_column(device, launch) &&
           launch->blocks / launch->grid_width <= driver->rows_max &&
           launch->blocks <= driver->threads_max / launch->threads;
}

bool treefork_launch_is_plane(const struct treefork_device *device,
                              const struct treefork_launch *launch)
{
    return is_plane(device, launch);
}

int treefork_launches_wait(struct treefork_device *device)
{
    if (device->in_flight == 0)
        return TREEFORK_OK;
    device->in_flight = 0;
    int status = device->group ? treefork_group_wait(device, "a kernel that was launched before")
                               : device->driver->wait(device, "a kernel that was launched before");
    return status ? treefork_launches_lost(device) : TREEFORK_OK;
}

int treefork_launches_lost(struct treefork_device *device)
{
    device->in_flight = 0;
    device->lost = true;
    snprintf(device->loss, sizeof device->loss, "%s", treefork_message());
    return TREEFORK_LOST;
}

/* Saves an array if the launch writes into the host's; what it overwrites the serial code would
   overwrite, too. */
static int launch_save(const struct launching *l, struct treefork_value *a)
{
    unsigned access = a->access & (TREEFORK_WRITE | TREEFORK_OVERWRITE);
    return access == TREEFORK_WRITE && a->buffer->is_shared
               ? treefork_buffer_save(l->device, a->buffer)
               : TREEFORK_OK;
}

/* The kernel failed while it ran: nobody knows what it wrote. The host's contents, where they are
   the newest, stand; where only the device had them they are lost with it, unless the kernel
   overwrites them, as the serial code will. */
int treefork_launch_spoilt(const struct launching *l, int status)
{
    for (const struct treefork_value *a = l->arrays; a; a = a->next) {
        struct treefork_buffer *b = treefork_buffer_holder(a->buffer);
        if (!(a->access & TREEFORK_WRITE) || b->is_shared || b->partial)
            continue;
        if (treefork_runs_has(&b->runs, SIDE_OF_HOST) && b->place.address != b->host)
            treefork_runs_set(&b->runs, SIDE_OF_HOST);
        else if (!(a->access & TREEFORK_OVERWRITE))
            status = treefork_launches_lost(l->device);
    }
    return status;
}

/* The first launch of a kernel. What is in flight is waited for before, so that its failure is not
   taken for that of this launch. */
static int launch_try(const struct launching *l, const struct treefork_call *call)
{
    int status = treefork_launches_wait(l->device);
    if (!status)
        status = launch_each(l, launch_save);
    if (!status)
        status = l->device->driver->call(l->device, call);
    if (!status) {
        status = l->device->driver->wait(l->device, call->kernel);
        if (status)
            status = treefork_launch_spoilt(l, status);
    }
    for (const struct treefork_value *a = l->arrays; a; a = a->next)
        treefork_buffer_saved(l->device, a->buffer, status != TREEFORK_OK);
    return status;
}

/* Drivers of CPUs compile meanwhile, and once more when the binary is asked for. */
static int launch_first(const struct launching *l, const struct treefork_call *call,
                        struct treefork_function *function)
{
    struct treefork_waiting waiting = {.is_watched = false};
    l->device->first_launches++;
    if (function->program->is_compiled)
        treefork_waiting_begin(&waiting, l->device);
    int status = launch_try(l, call);
    function->has_run = status == TREEFORK_OK;
    if (function->has_run)
        treefork_binary_keep(l->device, function->program);
    treefork_waiting_end(&waiting);
    return status;
}

static int launch_start(const struct launching *l, const struct treefork_call *call,
                        struct treefork_function *function)
{
    struct treefork_device *device = l->device;
    int status = TREEFORK_OK;
    if (!function->has_run)
        return launch_first(l, call, function);
    if (device->in_flight == TREEFORK_IN_FLIGHT_MAX)
        status = treefork_launches_wait(device);
    if (!status)
        status = device->driver->call(device, call);
    if (!status)
        device->in_flight++;
    return status;
}

static struct treefork_call call_of(const struct launching *l)
{
    const struct treefork_launch *launch = l->launch;
    struct treefork_call call = {
        .kernel = launch->kernel,
        .threads = (uint32_t)launch->threads,
        .block_width = (uint32_t)(launch->block_width ? launch->block_width : launch->threads),
        .grid_width = (uint64_t)launch->grid_width,
        .shared_bytes = (size_t)launch->shared_bytes,
        .blocks = (uint64_t)launch->blocks,
        .n_values = launch->n_arguments,
        .values = l->values,
    };
    if (!launch->grid_width) {
        call.blocks = call.blocks > BLOCKS_MAX ? BLOCKS_MAX : call.blocks;
        call.grid_width = call.blocks;
    }
    return call;
}

/* The word by which blocks of joined launches count themselves: launches follow each other, and
   each leaves it 0. */
static int counter_ready(struct treefork_device *device)
{
    static const char zeros[TREEFORK_COUNTER];
    struct treefork_row row = treefork_row_of(0, sizeof zeros);
    if (device->counter.address)
        return TREEFORK_OK;
    int status = device->driver->memory_new(device, sizeof zeros, &device->counter);
    if (!status)
        status = device->driver->memory_write(device, device->counter, &row, zeros, row.pitch);
    return status;
}

void treefork_counter_free(struct treefork_device *device)
{
    if (device->counter.address)
        device->driver->memory_free(device, device->counter);
    device->counter.address = 0;
}

/* Behind the arguments of the launch. */
static int counter_add(const struct launching *l, struct treefork_call *call)
{
    int status = counter_ready(l->device);
    l->values[call->n_values++] = (struct treefork_value){.type = TREEFORK_BUFFER,
                                                          .size = type_size(TREEFORK_BUFFER),
                                                          .as.buffer = l->device->counter};
    return status;
}

/* A launch that failed may have left the count where it was: the next one takes another word. */
static int launch_failed(const struct launching *l, struct treefork_origin origin, int status)
{
    if (origin.launch & TREEFORK_JOINED_ORIGIN)
        treefork_counter_free(l->device);
    return status;
}

static int launch_call(const struct launching *l, struct treefork_origin origin)
{
    struct treefork_call call = call_of(l);
    struct treefork_function *function = NULL;
    int status = launch_each(l, launch_distinct);
    if (!status)
        status = treefork_program_function(l->device, l->launch, origin, &function);
    if (status || l->device->prepares)
        return status;
    status = launch_each(l, launch_ready);
    if (!status)
        status = launch_each(l, launch_value);
    if (!status && origin.launch & TREEFORK_JOINED_ORIGIN)
        status = counter_add(l, &call);
    if (!status) {
        call.function = function->object;
        status = launch_start(l, &call, function);
    }
    if (status)
        return launch_failed(l, origin, status);
    l->device->statistics.launches++;
    launch_written(l);
    return TREEFORK_OK;
}

static int launch_shape(struct treefork_device *device, const struct treefork_launch *launch,
                        struct treefork_origin origin, struct treefork_value *values)
{
    struct treefork_launch shaped = *launch;
    struct launching l = {.device = device, .launch = &shaped, .values = values};
    int status = launch_find(&l);
    if (status)
        return status;
    if (!is_plane(device, launch))
        shaped.grid_width = shaped.block_width = 0;
    shaped.small_arrays = arrays_are_small(&l);
    if (device->group && (status = treefork_parts_run(&l, origin)) != TREEFORK_RUNS_WHOLE)
        return status;
    return launch_call(&l, origin);
}

int treefork_run_region(struct treefork_device *device, const struct treefork_launch *launch,
                        struct treefork_origin origin)
{
    struct treefork_value few[2 * TREEFORK_FEW + TREEFORK_PART_VALUES], *values = few;
    int status = launch_check(device, launch);
    if (status || launch->blocks == 0)
        return status;
    if (launch->n_arguments > TREEFORK_FEW)
        values = calloc(2 * launch->n_arguments + TREEFORK_PART_VALUES, sizeof *values);
    status = values ? launch_shape(device, launch, origin, values)
                    : treefork_fail(TREEFORK_MEMORY, "%s: no memory for %zu arguments",
                                    launch->kernel, launch->n_arguments);
    if (values != few)
        free(values);
    return status;
}

int treefork_prepare_region(struct treefork_device *device, const struct treefork_launch *launch,
                            struct treefork_origin origin)
{
    device->prepares = true;
    int status = treefork_run_region(device, launch, origin);
    device->prepares = false;
    return status;
}

int treefork_run(struct treefork_device *device, const struct treefork_launch *launch)
{
    if (!device || !launch)
        return treefork_fail(TREEFORK_ARGUMENT, "treefork_run: no device or no launch");
    pthread_mutex_lock(&device->mutex);
    int status = treefork_run_region(device, launch, (struct treefork_origin){0});
    pthread_mutex_unlock(&device->mutex);
    return status;
}

int treefork_wait(struct treefork_device *device)
{
    if (!device)
        return TREEFORK_OK;
    pthread_mutex_lock(&device->mutex);
    int status = treefork_launches_wait(device);
    pthread_mutex_unlock(&device->mutex);
    return status;
}
