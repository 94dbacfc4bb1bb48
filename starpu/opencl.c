/* Parts on OpenCL workers. In: a task and its segments in the memory of a device. Out: the part
   of the launch has run there, by a kernel of libtreefork.

   A device of StarPU is one of libtreefork that works in StarPU's own queue
   (treefork_open_queue). Kernels count elements from where an array begins, and StarPU gives each
   segment memory of its own: so the device has room for each array, into which the segments that
   the part reads are copied, and from which those that it wrote are copied back, all in the
   device's memory. The leaf is the device's own, if its launches are cut like those of the leaf
   by which the part was made: the same rows of parts in the tables, so that the part touches the
   same bytes; else it is that leaf, and if it does not fit the device or its kernel does not
   compile, the worker is never given the task. */
#include "runtime/explain.h"
#include "runtime/launch.h"
#include "runtime/opencl.h"
#include "runtime/repeat.h"
#include "starpu/job.h"
#include <pthread.h>
#include <starpu_opencl.h>
#include <stdlib.h>
#include <string.h>

enum { ROOMS_MOST = 32 };

/* Memory of the device for an array of the program. */
struct room {
    const void *array;
    size_t bytes;
    union treefork_object memory;
};

struct worker {
    struct treefork_device *device;
    bool has_failed;
    struct room rooms[ROOMS_MOST];
    size_t n_rooms;
};

static struct worker workers[STARPU_MAXOPENCLDEVS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* A part, ready for a device. */
struct device_part {
    const struct treefork_job *job;
    struct worker *worker;
    struct treefork_evaluation evaluation;
    treefork_int *integers;
    const struct treefork_leaf_row *leaf;
    struct treefork_launch whole, shape;
    struct treefork_binding *bindings;
    struct treefork_value *values;
    struct treefork_function *function;
};

/* --- the device ------------------------------------------------------------------------------- */

static struct worker *worker_get(int number)
{
    struct worker *w = &workers[number];
    cl_command_queue queue;
    if (w->device || w->has_failed)
        return w->device ? w : NULL;
    starpu_opencl_get_queue(number, &queue);
    w->has_failed = treefork_open_queue("opencl", queue, &w->device) != TREEFORK_OK;
    return w->has_failed ? NULL : w;
}

static int room_get(struct worker *w, const void *array, size_t bytes,
                    union treefork_object *memory)
{
    for (size_t i = 0; i < w->n_rooms; i++)
        if (w->rooms[i].array == array && w->rooms[i].bytes == bytes) {
            *memory = w->rooms[i].memory;
            return TREEFORK_OK;
        }
    int status = w->device->driver->memory_new(w->device, bytes ? bytes : 1, memory);
    if (!status)
        w->rooms[w->n_rooms++] = (struct room){array, bytes, *memory};
    return status;
}

/* Nothing runs that uses them. */
static void rooms_clear(struct worker *w)
{
    for (size_t i = 0; i < w->n_rooms; i++)
        w->device->driver->memory_free(w->device, w->rooms[i].memory);
    w->n_rooms = 0;
}

/* --- the leaf --------------------------------------------------------------------------------- */

static const struct treefork_region *region_of(const struct device_part *p)
{
    return p->job->function->region;
}

static bool lists_are_equal(const struct treefork_region *region, uint16_t a, uint16_t b)
{
    const uint16_t *x = region->lists + a, *y = region->lists + b;
    return x[0] == y[0] && memcmp(x, y, (x[0] + 1u) * sizeof *x) == 0;
}

/* Do blocks of both launches touch the same bytes? */
static bool cuts_are_equal(const struct treefork_region *region, size_t a, size_t b)
{
    const struct treefork_cut_row *x = &region->cuts[a], *y = &region->cuts[b];
    return x->axis == y->axis && x->first == y->first && x->count == y->count &&
           lists_are_equal(region, region->launches[a].grid, region->launches[b].grid);
}

static void leaf_take(struct device_part *p)
{
    const struct treefork_region *region = region_of(p);
    const struct treefork_machine *machine = treefork_device_machine(p->worker->device);
    const struct treefork_leaf_row *made = treefork_leaf_find(region, p->job->function->leaf);
    int own = region->select(machine, p->integers, NULL);
    const struct treefork_leaf_row *leaf = own > 0 ? treefork_leaf_find(region, own) : NULL;
    struct treefork_trace needs = {0};
    if (leaf && leaf->count == 1 && made->count == 1 &&
        cuts_are_equal(region, leaf->first, made->first))
        p->leaf = leaf;
    else if (treefork_evaluation_fits(&p->evaluation, made, &needs))
        p->leaf = made;
}

/* --- the launch ------------------------------------------------------------------------------- */

static void integers_read(struct device_part *p)
{
    const struct treefork_region *region = region_of(p);
    for (size_t i = 0; i < region->n_parameters; i++) {
        const struct treefork_parameter_row *row = &region->parameters[i];
        treefork_int value = row->integer == TREEFORK_NONE && !row->bound
                                 ? 0 : treefork_argument_integer(&p->job->arguments[i]);
        if (row->integer != TREEFORK_NONE)
            p->integers[row->integer] = value;
        if (row->bound)
            p->bindings[p->whole.n_bindings++] = (struct treefork_binding){row->name, value};
    }
}

static int part_begin(struct device_part *p)
{
    const struct treefork_region *region = region_of(p);
    size_t arguments = (size_t)region->n_parameters + region->n_arrays;
    int status = treefork_evaluation_new(region, &p->evaluation);
    if (status)
        return status;
    p->integers = calloc(region->n_integers + 1u, sizeof *p->integers);
    p->bindings = calloc(region->n_parameters + 1u, sizeof *p->bindings);
    p->values = calloc(arguments + TREEFORK_PART_VALUES + region->n_arrays, sizeof *p->values);
    if (!p->integers || !p->bindings || !p->values)
        return treefork_fail(TREEFORK_MEMORY, "no memory for a task of region %s", region->name);
    integers_read(p);
    treefork_evaluation_set(&p->evaluation, treefork_device_machine(p->worker->device),
                            p->integers);
    leaf_take(p);
    return p->leaf ? TREEFORK_OK
                   : treefork_fail(TREEFORK_LAUNCH, "region %s has no leaf for %s whose parts are "
                                   "those of leaf %d", region->name, p->worker->device->name,
                                   p->job->function->leaf);
}

static void part_end(struct device_part *p)
{
    treefork_evaluation_free(&p->evaluation);
    free(p->integers);
    free(p->bindings);
    free(p->values);
}

/* The number of the launch in the region. */
static size_t launch_number(const struct device_part *p)
{
    return (size_t)p->leaf->first + (size_t)p->job->function->launch;
}

static int part_plan(struct device_part *p)
{
    const struct treefork_region *region = region_of(p);
    size_t launch = launch_number(p), n = p->whole.n_bindings;
    int status = treefork_evaluation_plan(&p->evaluation, &region->launches[launch], p->leaf->id,
                                          &p->whole);
    if (status)
        return status;
    p->whole.n_arguments = (size_t)region->n_parameters + region->n_arrays;
    p->whole.arguments = p->job->arguments;
    p->whole.n_bindings = n;
    p->whole.bindings = p->bindings;
    p->whole.small_arrays = 1;
    for (size_t i = 0; i < region->n_arrays; i++)
        p->whole.small_arrays &= treefork_bytes_are_few(p->job->bytes[i]);
    if (region->n_arrays > ROOMS_MOST ||
        !treefork_launch_is_plane(p->worker->device, &p->whole))
        return treefork_fail(TREEFORK_LAUNCH, "%s cannot run in parts on %s", p->whole.kernel,
                             p->worker->device->name);
    p->shape = p->whole;
    p->shape.part = 1;
    return TREEFORK_OK;
}

/* Compiles the kernel, or finds it. */
static int part_function(struct device_part *p)
{
    struct treefork_origin origin = {treefork_region_number(region_of(p)),
                                     launch_number(p) + TREEFORK_PART_ORIGIN};
    return treefork_program_function(p->worker->device, &p->shape, origin, &p->function);
}

static int part_prepare(struct device_part *p)
{
    int status = part_begin(p);
    if (!status)
        status = part_plan(p);
    return status ? status : part_function(p);
}

/* A plane, of which two arguments behind the arrays say where it begins. Behind these stands for
   each array the byte with which its memory begins: a room has all of it. */
static void part_shape(struct device_part *p)
{
    struct treefork_value none = {.type = TREEFORK_I64, .size = sizeof(int64_t)};
    const struct treefork_blocks_cut *cut = &p->job->cut;
    int64_t count = cut->to - cut->from, rows = p->whole.blocks / p->whole.grid_width;
    int64_t unit = cut->is_last ? 1 : rows / cut->extent;
    struct treefork_value *at = &p->values[p->whole.n_arguments];
    p->shape.grid_width = cut->is_last ? count : p->whole.grid_width;
    p->shape.blocks = p->shape.grid_width * (cut->is_last ? rows : count * unit);
    for (size_t i = 0; i < TREEFORK_PART_VALUES; i++)
        at[i] = (struct treefork_value){.type = TREEFORK_I32, .size = sizeof(int32_t)};
    at[cut->is_last ? 0 : 1].as.i32 = (int32_t)(cut->from * unit);
    for (size_t i = 0; i < region_of(p)->n_arrays; i++)
        at[TREEFORK_PART_VALUES + i] = none;
}

static int part_values(struct device_part *p)
{
    const struct treefork_region *region = region_of(p);
    int status = TREEFORK_OK;
    for (size_t i = 0; i < region->n_parameters; i++)
        p->values[i] = treefork_value_of(&p->job->arguments[i]);
    if (p->worker->n_rooms + region->n_arrays > ROOMS_MOST)
        rooms_clear(p->worker);
    for (size_t i = 0; i < region->n_arrays && !status; i++) {
        struct treefork_value *value = &p->values[region->n_parameters + i];
        *value = (struct treefork_value){.type = TREEFORK_BUFFER,
                                         .size = sizeof(union treefork_object)};
        if (p->job->arrays[i])
            status = room_get(p->worker, p->job->arrays[i], p->job->bytes[i], &value->as.buffer);
    }
    return status;
}

/* --- the run ---------------------------------------------------------------------------------- */

/* The argument in whose array the range lies. */
static const struct treefork_value *range_value(const struct device_part *p,
                                                const struct treefork_job_range *range,
                                                size_t *offset)
{
    const struct treefork_region *region = region_of(p);
    size_t i = 0;
    while (i < region->n_arrays &&
           !(p->job->arrays[i] && (uintptr_t)range->begin >= (uintptr_t)p->job->arrays[i] &&
             (uintptr_t)range->begin < (uintptr_t)p->job->arrays[i] + p->job->bytes[i]))
        i++;
    *offset = i < region->n_arrays ? (uintptr_t)range->begin - (uintptr_t)p->job->arrays[i] : 0;
    return i < region->n_arrays ? &p->values[region->n_parameters + i] : NULL;
}

/* StarPU keeps it as a number. */
static void *memory_of(void *buffer)
{
    uintptr_t handle = STARPU_VECTOR_GET_DEV_HANDLE(buffer);
    void *memory;
    memcpy(&memory, &handle, sizeof memory);
    return memory;
}

/* Between the buffers of the task and the rooms of arrays. */
static int ranges_copy(const struct device_part *p, void *buffers[], unsigned char mode)
{
    struct opencl *cl = p->worker->device->state;
    int32_t code = 0;
    for (size_t i = 0; i < p->job->n_ranges && !code; i++) {
        const struct treefork_job_range *range = &p->job->ranges[i];
        void *own = memory_of(buffers[i]);
        size_t offset, from = STARPU_VECTOR_GET_OFFSET(buffers[i]);
        const struct treefork_value *value = range_value(p, range, &offset);
        if (!(range->mode & mode) || !value)
            continue;
        void *room = value->as.buffer.pointer;
        code = mode == TREEFORK_READ
                   ? cl->api.clEnqueueCopyBuffer(cl->queue, own, room, from, offset, range->bytes,
                                                 0, NULL, NULL)
                   : cl->api.clEnqueueCopyBuffer(cl->queue, room, own, offset, from, range->bytes,
                                                 0, NULL, NULL);
    }
    return code ? treefork_driver_error(p->worker->device, TREEFORK_OPENCL, code,
                                        "copying what a task touches") : TREEFORK_OK;
}

static int part_call(struct device_part *p)
{
    struct treefork_call call = {
        .kernel = p->whole.kernel,
        .function = p->function->object,
        .blocks = (uint64_t)p->shape.blocks,
        .grid_width = (uint64_t)p->shape.grid_width,
        .threads = (uint32_t)p->whole.threads,
        .block_width = (uint32_t)(p->whole.block_width ? p->whole.block_width : p->whole.threads),
        .shared_bytes = (size_t)p->whole.shared_bytes,
        .n_values = p->whole.n_arguments + TREEFORK_PART_VALUES + region_of(p)->n_arrays,
        .values = p->values,
    };
    return p->worker->device->driver->call(p->worker->device, &call);
}

static int part_run(struct device_part *p, void *buffers[])
{
    int status = part_values(p);
    part_shape(p);
    if (!status)
        status = ranges_copy(p, buffers, TREEFORK_READ);
    if (!status)
        status = part_call(p);
    if (!status)
        status = ranges_copy(p, buffers, TREEFORK_WRITE);
    return status ? status : p->worker->device->driver->wait(p->worker->device, p->whole.kernel);
}

bool treefork_opencl_runs(int device, const struct treefork_job *job)
{
    if (job->cut.extent == 0)
        return false;
    pthread_mutex_lock(&mutex);
    struct device_part p = {.job = job, .worker = worker_get(device)};
    bool runs = p.worker && part_prepare(&p) == TREEFORK_OK;
    if (p.worker)
        part_end(&p);
    pthread_mutex_unlock(&mutex);
    return runs;
}

double treefork_opencl_predict(int device, const struct treefork_job *job)
{
    struct treefork_prediction prediction = {0};
    treefork_int threads = 0;
    pthread_mutex_lock(&mutex);
    struct device_part p = {.job = job, .worker = worker_get(device)};
    bool is_known = p.worker && !part_begin(&p) &&
                    !treefork_evaluation_predict(&p.evaluation, p.leaf, &threads, &prediction) &&
                    prediction.nanoseconds < 1e17;
    double share = (double)(job->cut.to - job->cut.from) / (double)job->cut.extent;
    if (p.worker)
        part_end(&p);
    pthread_mutex_unlock(&mutex);
    return is_known ? prediction.nanoseconds / 1e3 * share : 0;
}

void treefork_opencl_part(void *buffers[], void *argument)
{
    int number = starpu_worker_get_devid(starpu_worker_get_id());
    pthread_mutex_lock(&mutex);
    struct device_part p = {.job = argument, .worker = &workers[number]};
    int status = part_prepare(&p);
    pthread_mutex_unlock(&mutex);
    if (!status)
        status = part_run(&p, buffers);
    if (status)
        treefork_stop(region_of(&p)->name, status);
    treefork_segments_task(true);
    part_end(&p);
}
