#ifndef STARPU_JOB_H
#define STARPU_JOB_H
/* What a task has when it runs, whatever its worker. */
#include "starpu/tasks.h"

/* Bytes of the program's memory that one buffer of the task holds. */
struct treefork_job_range {
    const char *begin;
    size_t bytes;
    unsigned char mode;         /* TREEFORK_READ, TREEFORK_WRITE */
};

/* One piece of memory with all that it points to, which StarPU frees. */
struct treefork_job {
    const struct treefork_starpu_function *function;
    struct treefork_starpu_blocks blocks;
    struct treefork_blocks_cut cut;
    double microseconds;
    size_t n_ranges;
    const struct treefork_job_range *ranges;    /* by buffer */
    const struct treefork_argument *arguments;  /* n_parameters, then room for the arrays */
    const void *const *arrays;                  /* n_arrays */
    const size_t *bytes;                        /* n_arrays */
};

/* OpenCL workers (opencl.c). Can the worker of StarPU's OpenCL device run the task? Compiles its
   kernel. */
bool treefork_opencl_runs(int device, const struct treefork_job *job);
/* Predicted microseconds there; 0: it is not known. */
double treefork_opencl_predict(int device, const struct treefork_job *job);
/* Runs it; the program stops where the device fails. */
void treefork_opencl_part(void *buffers[], void *job);

#endif
