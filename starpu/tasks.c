/* Tasks. In: a function of generated code with its arguments and blocks, and how it touches
   segments. Out: a task of StarPU, whose handles are the segments. The function works in the
   program's arrays, in which every segment has its home; it needs no address from StarPU. A
   launch has a codelet of its own, so that traces name it. */
#include "starpu/tasks.h"
#include "runtime/internal.h"
#include <stdlib.h>
#include <string.h>

/* What a task needs when it runs: one piece of memory, which StarPU frees. */
struct job {
    treefork_starpu_run run;
    struct treefork_starpu_blocks blocks;
    double microseconds;
    const struct treefork_argument *arguments;
    const void *const *arrays;
};

static void job_run(void *buffers[], void *argument)
{
    const struct job *job = argument;
    (void)buffers;
    job->run(job->arguments, job->arrays, &job->blocks);
}

static double job_cost(struct starpu_task *task, unsigned implementation)
{
    const struct job *job = task->cl_arg;
    (void)implementation;
    return job->microseconds;
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
    c->model.type = STARPU_COMMON;
    c->model.symbol = c->name;
    c->model.cost_function = job_cost;
    starpu_codelet_init(&c->codelet);
    c->codelet.cpu_funcs[0] = job_run;
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

static struct job *job_new(const struct treefork_task *t)
{
    size_t arguments = t->n_arguments * sizeof *t->arguments,
           arrays = t->n_arrays * sizeof *t->arrays;
    struct job *job = treefork_memory_of(malloc(sizeof *job + arguments + arrays));
    char *behind = (char *)(job + 1);
    memcpy(behind, t->arguments, arguments);
    memcpy(behind + arguments, t->arrays, arrays);
    *job = (struct job){.run = t->function->run,
                        .blocks = t->blocks,
                        .microseconds = t->nanoseconds / 1e3,
                        .arguments = (const struct treefork_argument *)behind,
                        .arrays = (const void *const *)(behind + arguments)};
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
    size_t n = 0, all = treefork_segments_count();
    for (size_t i = 0; i < all; i++)
        n += t->modes[i] != 0;
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
    task->cl_arg_size = sizeof(struct job);
    task->cl_arg_free = 1;
    if (t->nanoseconds > 0)
        c->codelet.model = &c->model;
    handles_add(t, task);
    if (starpu_task_submit(task)) {
        treefork_fail(TREEFORK_LAUNCH, "StarPU refuses a task");
        treefork_stop(c->function->region->name, TREEFORK_LAUNCH);
    }
    treefork_segments_task();
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
