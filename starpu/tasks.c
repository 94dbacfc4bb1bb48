/* Tasks. In: a function of generated code with its arguments and blocks, and how it touches
   segments. Out: a task of StarPU, whose handles are the segments. The function works in the
   program's arrays, in which every segment has its home; it needs no address from StarPU. A
   launch has a codelet of its own, so that traces name it. */
#include "starpu/job.h"
#include "runtime/internal.h"
#include <stdlib.h>
#include <string.h>

/* A processor's memory is the program's: treefork_ranks_start has asked for one node of memory. */
static void job_check(const struct treefork_job *job, void *buffers[])
{
    for (size_t i = 0; i < job->n_ranges; i++)
        if (STARPU_VECTOR_GET_PTR(buffers[i]) != (uintptr_t)job->ranges[i].begin) {
            treefork_fail(TREEFORK_MEMORY, "StarPU gives a task memory that is not the program's");
            treefork_stop(job->function->region->name, TREEFORK_MEMORY);
        }
}

static void job_run(void *buffers[], void *argument)
{
    const struct treefork_job *job = argument;
    job_check(job, buffers);
    job->function->run(job->arguments, job->arrays, &job->blocks);
    treefork_segments_task(false);
}

/* Every CPU worker; an OpenCL device where it has a leaf whose parts touch the same bytes. */
static int job_serves(unsigned worker, struct starpu_task *task, unsigned implementation)
{
    (void)implementation;
    return starpu_worker_get_type((int)worker) == STARPU_CPU_WORKER ||
           treefork_opencl_runs(starpu_worker_get_devid((int)worker), task->cl_arg);
}

/* Predicted microseconds on a worker of this kind. */
static double job_cost(struct starpu_task *task, struct starpu_perfmodel_arch *arch,
                       unsigned implementation)
{
    const struct treefork_job *job = task->cl_arg;
    const struct starpu_perfmodel_device *device = &arch->devices[0];
    (void)implementation;
    double own = device->type == STARPU_OPENCL_WORKER
                     ? treefork_opencl_predict(device->devid, job) : job->microseconds;
    return own > 0 ? own : job->microseconds;
}

/* --- codelets --------------------------------------------------------------------------------- */

struct launch_codelet {
    struct launch_codelet *next;
    const struct treefork_starpu_function *function;
    struct starpu_codelet codelet;
    struct starpu_perfmodel model;
    char name[128];
};

static struct launch_codelet *codelets;

static struct launch_codelet *codelet_new(const struct treefork_starpu_function *function)
{
    struct launch_codelet *c = treefork_memory_of(calloc(1, sizeof *c));
    c->next = codelets;
    c->function = function;
    snprintf(c->name, sizeof c->name, "%s_%d_%d", function->region->name, function->leaf,
             function->launch + 1);
    c->model.type = STARPU_PER_ARCH;
    c->model.symbol = c->name;
    c->model.arch_cost_function = job_cost;
    starpu_codelet_init(&c->codelet);
    c->codelet.cpu_funcs[0] = job_run;
    c->codelet.opencl_funcs[0] = treefork_opencl_part;
    c->codelet.can_execute = job_serves;
    c->codelet.nbuffers = STARPU_VARIABLE_NBUFFERS;
    c->codelet.name = c->name;
    codelets = c;
    return c;
}

static struct launch_codelet *codelet_of(const struct treefork_starpu_function *function)
{
    struct launch_codelet *c = codelets;
    while (c && c->function != function)
        c = c->next;
    return c ? c : codelet_new(function);
}

/* --- a task ----------------------------------------------------------------------------------- */

static size_t ranges_count(const struct treefork_task *t)
{
    size_t n = 0;
    for (size_t i = 0; i < treefork_segments_count(); i++)
        n += t->modes[i] != 0;
    return n;
}

static void ranges_fill(const struct treefork_task *t, struct treefork_job_range *ranges)
{
    for (size_t i = 0; i < treefork_segments_count(); i++) {
        if (!t->modes[i])
            continue;
        ranges->begin = treefork_segment_place(i, &ranges->bytes);
        ranges->mode = t->modes[i];
        ranges++;
    }
}

/* Copies bytes behind others; where the copy stands. */
static void *bytes_put(char **behind, const void *from, size_t bytes)
{
    void *at = *behind;
    if (from)
        memcpy(at, from, bytes);
    *behind += bytes;
    return at;
}

static struct treefork_job *job_new(const struct treefork_task *t)
{
    size_t n = ranges_count(t), ranges = n * sizeof(struct treefork_job_range),
           arguments = (t->n_arguments + t->n_arrays) * sizeof *t->arguments,
           arrays = t->n_arrays * sizeof *t->arrays, bytes = t->n_arrays * sizeof *t->bytes;
    struct treefork_job *job =
        treefork_memory_of(malloc(sizeof *job + ranges + arguments + arrays + bytes));
    char *behind = (char *)(job + 1);
    *job = (struct treefork_job){.function = t->function,
                                 .blocks = t->blocks,
                                 .cut = t->cut,
                                 .microseconds = t->nanoseconds / 1e3,
                                 .n_ranges = n};
    struct treefork_job_range *own = bytes_put(&behind, NULL, ranges);
    ranges_fill(t, own);
    job->ranges = own;
    job->arguments = bytes_put(&behind, t->arguments, arguments);
    job->arrays = bytes_put(&behind, t->arrays, arrays);
    job->bytes = bytes_put(&behind, t->bytes, bytes);
    return job;
}

static enum starpu_data_access_mode mode_of(unsigned char touched)
{
    if (touched == TREEFORK_READ)
        return STARPU_R;
    return touched == TREEFORK_WRITE ? STARPU_W : STARPU_RW;
}

static void handles_add(const struct treefork_task *t, struct starpu_task *task)
{
    size_t n = ranges_count(t), all = treefork_segments_count();
    task->dyn_handles = treefork_memory_of(malloc((n + 1) * sizeof *task->dyn_handles));
    task->dyn_modes = treefork_memory_of(malloc((n + 1) * sizeof *task->dyn_modes));
    n = 0;
    for (size_t i = 0; i < all; i++) {
        if (!t->modes[i])
            continue;
        task->dyn_handles[n] = treefork_segment_handle(i);
        task->dyn_modes[n++] = mode_of(t->modes[i]);
    }
    task->nbuffers = (int)n;
}

void treefork_task_submit(const struct treefork_task *t)
{
    struct launch_codelet *c = codelet_of(t->function);
    struct starpu_task *task = treefork_memory_of(starpu_task_create());
    task->cl = &c->codelet;
    task->name = c->name;
    task->cl_arg = job_new(t);
    task->cl_arg_size = sizeof(struct treefork_job);
    task->cl_arg_free = 1;
    if (t->nanoseconds > 0)
        c->codelet.model = &c->model;
    if (t->cut.extent == 0)
        task->where = STARPU_CPU;
    handles_add(t, task);
    if (starpu_task_submit(task)) {
        treefork_fail(TREEFORK_LAUNCH, "StarPU refuses a task");
        treefork_stop(c->function->region->name, TREEFORK_LAUNCH);
    }
}

/* --- tiles ------------------------------------------------------------------------------------ */

void *treefork_starpu_tiles(size_t bytes)
{
    return treefork_memory_of(aligned_alloc(64, (bytes + 127) / 64 * 64));
}

void treefork_starpu_tiles_end(void *tiles)
{
    free(tiles);
}
