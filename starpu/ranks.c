/* StarPU and MPI, started and ended. In: the environment. Out: workers of this process, its number
   among those that run the same program, and copies between them.

   MPI is used where the program was started by it, or has started it itself. All processes make the
   same calls in the same order, so that what one decides for all is told at the start: how many
   parts launches have (TREEFORK_PARTS, else one for each worker of the first process, times the
   processes), and whether every one of them has a worker. */
#include "starpu/ranks.h"
#include "runtime/store.h"
#include "starpu/segments.h"
#include <pthread.h>
#include <stdatomic.h>
#include <starpu_mpi.h>
#include <stdlib.h>
#include <unistd.h>

static struct treefork_ranks ranks = {.count = 1};
static pthread_once_t start_once = PTHREAD_ONCE_INIT;
static atomic_bool runs_tasks, owns_mpi;

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

/* MPI, if the program was started by it. */
static void mpi_start(void)
{
    int has_begun = 0, provided;
    ranks.is_by_mpi = is_under_mpi();
    if (!ranks.is_by_mpi)
        return;
    MPI_Initialized(&has_begun);
    if (!has_begun)
        MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    owns_mpi = !has_begun;
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.own);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
}

/* StarPU's workers. StarPU keeps what it measures of the machine in files, and aborts where another
   process is writing them: one begins after the other. */
static bool workers_start(void)
{
    struct starpu_conf conf;
    setenv("STARPU_USE_NUMA", "0", 1);
    starpu_conf_init(&conf);
    conf.ncuda = 0;
    if (conf.nopencl < 0)
        conf.nopencl = 0;
    conf.will_use_mpi = ranks.is_by_mpi;
    int turn = treefork_store_turn("starpu.lock"), failed = starpu_init(&conf);
    if (turn >= 0)
        close(turn);
    return !failed;
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

static void tasks_end(void)
{
    starpu_task_wait_for_all();
    treefork_segments_forget(NULL, SIZE_MAX);
    if (treefork_environment_is("TREEFORK_TRACE", "1"))
        statistics_print();
    if (ranks.is_by_mpi)
        starpu_mpi_shutdown();
    starpu_shutdown();
}

static void ranks_end(void)
{
    static atomic_flag has_ended = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&has_ended))
        return;
    if (runs_tasks)
        tasks_end();
    if (owns_mpi)
        MPI_Finalize();
}

/* Tasks run where every process has a worker, and nowhere else. */
static void start(void)
{
    mpi_start();
    bool has_started = workers_start(), works = has_started && starpu_cpu_worker_get_count() > 0;
    ranks.parts = has_started ? parts_wanted() : 1;
    ranks_agree(&works);
    runs_tasks = works;
    if (has_started && !works)
        starpu_shutdown();
    if (works && ranks.is_by_mpi)
        starpu_mpi_init_comm(NULL, NULL, 0, MPI_COMM_WORLD);
    atexit(ranks_end);
}

int treefork_ranks_start(void)
{
    pthread_once(&start_once, start);
    return runs_tasks ? TREEFORK_OK
                      : treefork_fail(TREEFORK_NO_DEVICE,
                                      "StarPU has no CPU worker here, or in another process "
                                      "(STARPU_NCPU)");
}

void treefork_ranks_copy(starpu_data_handle_t handle, int from, int to, int64_t tag)
{
    if (ranks.own == from)
        starpu_mpi_isend_detached(handle, to, tag, MPI_COMM_WORLD, NULL, NULL);
    else if (ranks.own == to)
        starpu_mpi_irecv_detached(handle, from, tag, MPI_COMM_WORLD, NULL, NULL);
}

void treefork_starpu_end(void)
{
    if (runs_tasks || owns_mpi)
        ranks_end();
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
