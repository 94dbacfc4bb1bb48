/* StarPU and MPI, started and ended. In: the environment. Out: workers of this process, its number
   among those that run the same program, and copies between them.

   MPI is used where the program was started by it, or has started it itself. All processes make the
   same calls in the same order, so that what one decides for all is told at the start: how many
   parts launches have (TREEFORK_PARTS, else one for each worker of the first process, times the
   processes), and whether every one of them has a worker. */
#include "starpu/ranks.h"
#include "runtime/internal.h"
#include "starpu/segments.h"
#include <pthread.h>
#include <starpu_mpi.h>
#include <stdlib.h>

static struct treefork_ranks ranks = {.count = 1};
static pthread_once_t start_once = PTHREAD_ONCE_INIT;
static int start_status;

void *treefork_memory_of(void *memory)
{
    if (!memory) {
        treefork_fail(TREEFORK_MEMORY, "no memory for tasks and segments");
        treefork_stop("StarPU", TREEFORK_MEMORY);
    }
    return memory;
}

const struct treefork_ranks *treefork_ranks_get(void)
{
    return &ranks;
}

static bool is_under_mpi(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMIX_RANK"};
    int has_begun = 0;
    MPI_Initialized(&has_begun);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        has_begun |= treefork_environment(names[i]) != NULL;
    return has_begun;
}

static int library_start(struct starpu_conf *conf)
{
    int has_begun = 0;
    if (!ranks.is_by_mpi)
        return starpu_init(conf);
    MPI_Initialized(&has_begun);
    return starpu_mpi_init_conf(NULL, NULL, !has_begun, MPI_COMM_WORLD, conf);
}

static size_t parts_wanted(void)
{
    const char *text = treefork_environment("TREEFORK_PARTS");
    long parts = text ? strtol(text, NULL, 10) : 0;
    long workers = (long)starpu_worker_get_count();
    return (size_t)(parts > 0 ? parts : (workers > 1 ? workers : 1) * ranks.count);
}

/* What the processes agree on. */
static void ranks_agree(bool *works)
{
    long parts = (long)ranks.parts;
    int mine = *works, all = 0;
    if (!ranks.is_by_mpi)
        return;
    MPI_Bcast(&parts, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    ranks.parts = (size_t)parts;
    *works = all;
}

static void statistics_print(void)
{
    struct treefork_starpu_statistics s = treefork_segments_statistics();
    if (s.tasks_by_opencl)
        fprintf(stderr, "treefork: process %d: %llu tasks by OpenCL\n", ranks.own,
                (unsigned long long)s.tasks_by_opencl);
    fprintf(stderr,
            "treefork: process %d of %d: %llu tasks; %llu bytes to others between launches, %llu "
            "for host code\n",
            ranks.own, ranks.count, (unsigned long long)s.tasks,
            (unsigned long long)s.bytes_between, (unsigned long long)s.bytes_home);
}

static void ranks_end(void)
{
    starpu_task_wait_for_all();
    treefork_segments_forget(NULL, SIZE_MAX);
    if (treefork_environment_is("TREEFORK_TRACE", "1"))
        statistics_print();
    if (ranks.is_by_mpi)
        starpu_mpi_shutdown();
    else
        starpu_shutdown();
}

static void start(void)
{
    struct starpu_conf conf;
    starpu_conf_init(&conf);
    conf.ncuda = 0;
    if (conf.nopencl < 0)
        conf.nopencl = 0;
    ranks.is_by_mpi = is_under_mpi();
    if (library_start(&conf)) {
        start_status = treefork_fail(TREEFORK_NO_DEVICE, "StarPU does not start");
        return;
    }
    if (ranks.is_by_mpi) {
        MPI_Comm_rank(MPI_COMM_WORLD, &ranks.own);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
    }
    bool works = starpu_cpu_worker_get_count() > 0;
    ranks.parts = parts_wanted();
    ranks_agree(&works);
    atexit(ranks_end);
    if (!works)
        start_status = treefork_fail(TREEFORK_NO_DEVICE, "StarPU has no CPU worker here, or in "
                                                         "another process (STARPU_NCPU)");
}

int treefork_ranks_start(void)
{
    pthread_once(&start_once, start);
    return start_status;
}

void treefork_ranks_copy(starpu_data_handle_t handle, int from, int to, int64_t tag)
{
    if (ranks.own == from)
        starpu_mpi_isend_detached(handle, to, tag, MPI_COMM_WORLD, NULL, NULL);
    else if (ranks.own == to)
        starpu_mpi_irecv_detached(handle, from, tag, MPI_COMM_WORLD, NULL, NULL);
}

int treefork_starpu_rank(void)
{
    treefork_ranks_start();
    return ranks.own;
}

int treefork_starpu_ranks(void)
{
    treefork_ranks_start();
    return ranks.count;
}
