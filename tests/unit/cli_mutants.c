/* Who guards the guards: staged leaf kernels of samples, as several strategies make them, are
   broken in every place of every operator of tests/mutants/mutate.h, and the witnesses that this
   project trusts must notice. In: tests/mutants/NAME.kernel, the sample (or other program) as the
   serial reference. Out: one row per mutant, who caught it and how.

   threads   thread interpreter, one block for all grid points, two orders: the check that fired,
             or another result
   cpu       LLVM on the CPU, one fiber per thread, several orders, one block or all: refused, or
             another result
   opencl    the mutant's OpenCL text through the runtime, two blocks: an error, or another result
   cpu and opencl run in child processes, since a mutant may bring its process down: that counts as
   caught. Mutants that the thread interpreter saw leave their arrays have a process of their own,
   the others share one (PoCL starts slowly).

   In `make check` threads judge all, cpu what they miss and every eighth of the rest, OpenCL what
   both miss though no survivor is listed, and with the first input every fortieth, which includes
   the unbroken kernel; in `make check-all` (TEST_SCALE=full) each judges all.

   What must hold: unbroken kernels pass everywhere; every mutant is caught by some witness, except
   those of tests/mutants/survivors.def, which change nothing; a removed barrier is caught as a
   race. `--markdown` prints docs/results/mutants.md (with TEST_SCALE=full). */
#include "emit/device.h"
#include "ir/llvm/llvm.h"
#include "optimizer_test.h"
#include "runtime/treefork.h"
#include "tests/mutants/mutate.h"
#include "tests/unit/emit_unit.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INPUTS_MAX = 5, CPU_SEEDS = 6, CHILD_SECONDS = 60, VERDICT_MAX = 64, LINE = 128 };
enum { CPU_SHARE = 8, OPENCL_SHARE = 40 };  /* of the mutants that are caught: every so many at
                                               small scale */

static const struct {
    const char *kernel, *source, *inputs[INPUTS_MAX];
} subjects[] = {
    {"jacobi1d", "tests/paper/jacobi1d/jacobi1d.c", {"N=33,s=2,B=3,t=0", "N=33,s=2,B=3,t=1"}},
    {"matmul", "tests/paper/matmul/matmul.c", {"n=13,s=2,B0=3,ub1=2", NULL}},
    {"transpose", "samples/transpose/transpose.c", {"N=13,s=2,B0=3,B1=2", NULL}},
    {"jacobi2d",
     "samples/jacobi2d/jacobi2d.c",
     {"N=12,s=2,B0=3,B1=2,t=0", "N=12,s=2,B0=3,B1=2,t=1"}},
    {"matvec-vector",
     "samples/matvec/matvec.c",
     {"m=9,n=16,B=4,h=8", "m=7,n=12,B=3,h=3", "m=5,n=13,B=4,h=4", "m=5,n=3,B=2,h=4"}},
    {"matmul-vector",
     "tests/paper/matmul/matmul.c",
     {"n=12,s=2,B0=4,ub1=2", "n=12,s=2,B0=3,ub1=2", "n=12,s=2,B0=2,ub1=1", "n=10,s=2,B0=4,ub1=2"}},
    {"jacobi1d-vector",
     "tests/paper/jacobi1d/jacobi1d.c",
     {"N=36,s=2,B=4,t=0", "N=36,s=2,B=4,t=1", "N=33,s=2,B=3,t=0", "N=33,s=1,B=4,t=1",
      "N=36,s=1,B=3,t=1"}},
    {"heat3d-scalar", "samples/heat3d/heat3d.c", {"N=9,s=2,B0=1,B1=2,B2=3", NULL}},
    {"matmul-drop", "tests/paper/matmul/matmul.c", {"n=13,s=2,B0=3,ub1=2", NULL}},
    {"matmul-coarsen", "tests/paper/matmul/matmul.c", {"n=13,s=2,B0=4,ub1=3", NULL}},
    {"transpose-pad", "samples/transpose/transpose.c", {"N=13,s=2,B0=3,B1=2", "N=9,s=2,B0=4,B1=2"}},
    {"matmul-unroll",
     "tests/paper/matmul/matmul.c",
     {"n=11,s=2,B0=5,ub1=2", "n=7,s=2,B0=3,ub1=1", "n=9,s=1,B0=9,ub1=2"}},
    {"permute_axes-remap", "tests/counters/permute_axes.c", {"n=5,m=8,l=7,B0=2,B1=4,B2=3", NULL}},
    {"chain", "tests/metafork/chain.c", {"n=7,B0=3", "n=9,B0=4"}},
};

static const struct survivor {
    const char *sample;
    enum mutation mutation;
    int place;
    const char *reason;
} survivors[] = {
#define X(sample, mutation, place, reason) {sample, MUTATION_##mutation, place, reason},
#include "tests/mutants/survivors.def"
#undef X
    {NULL, MUTATION_COUNT, 0, NULL},
};
enum { SURVIVORS = sizeof survivors / sizeof *survivors - 1 };

/* One input of a sample: values, data, what the serial reading makes of it. */
struct input {
    union value *params;
    struct interpret_array *data, *expected;
};

struct job {
    struct check check;
    struct ctx *ctx;
    const char *sample;
    const struct kernel *base;         /* as the sample says it */
    struct input inputs[INPUTS_MAX];
    int n_inputs;
    bool markdown;
    struct treefork_device *device;    /* of a child */
    int rows, caught[4];               /* mutants; caught by threads, cpu, opencl, none */
};

enum judge { JUDGE_THREADS, JUDGE_CPU, JUDGE_OPENCL, JUDGE_COUNT };

struct mutant {
    const struct kernel *kernel;
    enum mutation mutation;            /* MUTATION_COUNT: unbroken */
    int place;
    const char *before;
    char found[JUDGE_COUNT][VERDICT_MAX];   /* "-": not noticed; "": not asked */
};

static struct interpret_array *arrays_copy(struct arena *arena, const struct kernel *base,
                                           const struct kernel *kernel,
                                           const struct interpret_array *from)
{
    struct interpret_array *to = ARENA_ARRAY(arena, struct interpret_array, kernel->n_arrays + 1);
    for (int i = 0; i < base->n_arrays && base->arrays[i]->space == SPACE_GLOBAL; i++) {
        size_t bytes = from[i].count * type_bytes(base->arrays[i]->element);
        to[i] = (struct interpret_array){arena_alloc(arena, bytes + 8), from[i].count};
        memcpy(to[i].data, from[i].data, bytes);
    }
    return to;
}

static bool arrays_equal(const struct kernel *base, const struct interpret_array *a,
                         const struct interpret_array *b)
{
    for (int i = 0; i < base->n_arrays && base->arrays[i]->space == SPACE_GLOBAL; i++)
        if (memcmp(a[i].data, b[i].data, a[i].count * type_bytes(base->arrays[i]->element)) != 0)
            return false;
    return true;
}

static bool inputs_make(struct job *job, const char *const *texts)
{
    for (job->n_inputs = 0; job->n_inputs < INPUTS_MAX && texts[job->n_inputs]; job->n_inputs++) {
        struct input *input = &job->inputs[job->n_inputs];
        input->params = ARENA_ARRAY(job->ctx->arena, union value, job->base->n_params + 1);
        input->data = ARENA_ARRAY(job->ctx->arena, struct interpret_array, job->base->n_arrays + 1);
        if (!params_set(job->base, texts[job->n_inputs], input->params) ||
            !data_make(job->ctx, job->base, input->params, input->data))
            return false;
        input->expected = arrays_copy(job->ctx->arena, job->base, job->base, input->data);
        struct interpret_input serial = {.params = input->params, .arrays = input->expected};
        if (interpret_serial(job->ctx->arena, job->base, &serial).status != INTERPRET_DONE)
            return false;
    }
    return job->n_inputs > 0;
}

static const char *run_threads(struct job *job, const struct kernel *kernel)
{
    if (!kernel_verify(job->ctx, kernel))
        return "verifier";
    for (int i = 0; i < job->n_inputs; i++)
        for (uint64_t seed = 0; seed <= 5; seed += 5) {
            struct input *in = &job->inputs[i];
            struct interpret_array *arrays =
                arrays_copy(job->ctx->arena, job->base, kernel, in->data);
            struct interpret_input input = {
                .params = in->params, .arrays = arrays, .seed = seed, .blocks = 1};
            enum interpret_status status =
                interpret_threads(job->ctx->arena, kernel, &input).status;
            if (status != INTERPRET_DONE)
                return interpret_status_name(status);
            if (!arrays_equal(job->base, arrays, in->expected))
                return "differs";
        }
    return "-";
}

static const char *run_cpu(struct job *job, const struct kernel *kernel)
{
    for (int i = 0; i < job->n_inputs; i++)
        for (uint64_t seed = 0; seed < CPU_SEEDS; seed++) {
            struct input *in = &job->inputs[i];
            struct interpret_array *arrays =
                arrays_copy(job->ctx->arena, job->base, kernel, in->data);
            struct interpret_input input = {.params = in->params, .arrays = arrays, .seed = seed};
            if (!llvm_run(job->ctx, kernel, &input, (int64_t)(seed % 2)))
                return strstr(job->ctx->last, "barrier")   ? "barrier"
                       : strstr(job->ctx->last, "element") ? "bounds"
                                                           : "refused";
            if (!arrays_equal(job->base, arrays, in->expected))
                return "differs";
        }
    return "-";
}

static int64_t product(const struct kernel *kernel, const struct axis *axes, int n,
                       const union value *params)
{
    int64_t result = 1;
    union value extent;
    for (int i = 0; i < n; i++)
        result *= expr_evaluate(kernel, axes[i].extent, params, &extent) && extent.integer > 0
                      ? extent.integer
                      : 0;
    return result;
}

/* Arguments and bindings of a launch on data in `arrays`. */
static int launch_fill(struct job *job, const struct kernel *kernel, const union value *params,
                       const struct interpret_array *arrays, struct treefork_launch *launch)
{
    struct arena *arena = job->ctx->arena;
    struct treefork_argument *arguments =
        ARENA_ARRAY(arena, struct treefork_argument, kernel->n_params + kernel->n_arrays);
    struct treefork_binding *bindings =
        ARENA_ARRAY(arena, struct treefork_binding, kernel->n_params + 1);
    size_t n = 0;
    for (int i = 0; i < kernel->n_params; i++, n++) {
        arguments[n] = (struct treefork_argument){TREEFORK_I32, {.i = params[i].integer}};
        if (kernel->params[i]->var->type == TYPE_F64)
            arguments[n] = (struct treefork_argument){TREEFORK_F64, {.f = params[i].real}};
        if (device_binds(kernel, kernel->params[i]))
            bindings[launch->n_bindings++] =
                (struct treefork_binding){kernel->params[i]->var->name, params[i].integer};
    }
    for (int i = 0; i < job->base->n_arrays && job->base->arrays[i]->space == SPACE_GLOBAL;
         i++, n++) {
        arguments[n].type = TREEFORK_BUFFER;
        int status = treefork_use(job->device, arrays[i].data,
                                  arrays[i].count * type_bytes(job->base->arrays[i]->element),
                                  TREEFORK_READ | TREEFORK_WRITE, &arguments[n].value.buffer);
        if (status)
            return status;
    }
    launch->n_arguments = n;
    launch->arguments = arguments;
    launch->bindings = bindings;
    return TREEFORK_OK;
}

static const char *run_opencl(struct job *job, const struct kernel *kernel, int n_inputs)
{
    struct treefork_module module = {.name = kernel->name,
                                     .opencl = unit_text(job->ctx, kernel, &dialect_opencl)};
    const char *entry = arena_printf(job->ctx->arena, "%s_1", kernel->name);
    if (!job->device && treefork_open("opencl", &job->device))
        return "no device";
    for (int i = 0; i < n_inputs; i++) {
        const union value *params = job->inputs[i].params;
        struct interpret_array *arrays =
            arrays_copy(job->ctx->arena, job->base, kernel, job->inputs[i].data);
        union value shared = {.integer = kernel->shared_bytes ? 4 : 0};
        if (kernel->shared_bytes)
            expr_evaluate(kernel, kernel->shared_bytes, params, &shared);
        struct treefork_launch launch = {
            .module = &module,
            .kernel = entry,
            .shared_bytes = shared.integer,
            .blocks = 2,
            .threads = product(kernel, kernel->block, kernel->n_block, params)};
        int status = launch_fill(job, kernel, params, arrays, &launch);
        if (!status)
            status = treefork_run(job->device, &launch);
        if (!status)
            status = treefork_host(job->device, NULL, TREEFORK_READ);
        if (status)
            return treefork_status_name(status);
        if (!arrays_equal(job->base, arrays, job->inputs[i].expected))
            return "differs";
    }
    return "-";
}

static bool noticed(const struct mutant *m, enum judge witness)
{
    static const char *const not[] = {"", "-", "no device"};
    for (size_t i = 0; i < sizeof not / sizeof *not; i++)
        if (!strcmp(m->found[witness], not[i]))
            return false;
    return true;
}

/* Can it write where it should not? */
static bool is_wild(const struct mutant *m)
{
    return !strcmp(m->found[JUDGE_THREADS], "bounds") || !strcmp(m->found[JUDGE_CPU], "bounds") ||
           !strcmp(m->found[JUDGE_CPU], "crash");
}

static const struct survivor *survivor_find(const char *sample, enum mutation mutation, int place)
{
    for (int i = 0; i < SURVIVORS; i++)
        if (!strcmp(survivors[i].sample, sample) && survivors[i].mutation == mutation &&
            survivors[i].place == place)
            return &survivors[i];
    return NULL;
}

/* Has no witness that was asked noticed the mutant, though it should be? */
static bool is_missed(const struct job *job, const struct mutant *m)
{
    bool is_caught = noticed(m, JUDGE_THREADS) || noticed(m, JUDGE_CPU);
    return !is_caught && m->mutation != MUTATION_COUNT &&
           !survivor_find(job->sample, m->mutation, m->place);
}

/* Is the witness to judge mutant i? At small scale those whose compilers are dear judge what the
   witnesses before them miss and a fixed share of the rest, which the unbroken kernel (i = 0)
   belongs to. */
static bool is_asked(const struct job *job, const struct mutant *mutants, size_t i,
                     enum judge witness)
{
    const struct mutant *m = &mutants[i];
    if (!strcmp(m->found[JUDGE_THREADS], "verifier"))
        return false;
    if (witness == JUDGE_CPU)
        return !noticed(m, JUDGE_THREADS) || i % CPU_SHARE == 0 || test_scale(0, 1);
    return is_missed(job, m) || i % OPENCL_SHARE == 0 || test_scale(0, 1);
}

static size_t next_asked(const struct job *job, const struct mutant *mutants, size_t n, size_t from,
                         bool wild, enum judge witness)
{
    while (from < n && (is_wild(&mutants[from]) != wild || !is_asked(job, mutants, from, witness)))
        from++;
    return from;
}

static const char *run_witness(struct job *job, const struct mutant *m, enum judge witness)
{
    if (witness == JUDGE_CPU)
        return run_cpu(job, m->kernel);
    return run_opencl(job, m->kernel,
                      is_missed(job, m) ? job->n_inputs : test_scale(1, job->n_inputs));
}

/* In the child: one line "NUMBER VERDICT" per mutant, only one mutant if they are wild. */
static _Noreturn void child_main(struct job *job, const struct mutant *mutants, size_t n,
                                 size_t first, enum judge witness, int out)
{
    bool wild = is_wild(&mutants[first]);
    if (!freopen("/dev/null", "w", stderr))
        _exit(1);
    for (size_t i = first; i < n;
         i = wild ? n : next_asked(job, mutants, n, i + 1, wild, witness)) {
        alarm(CHILD_SECONDS);
        dprintf(out, "%zu %s\n", i, run_witness(job, &mutants[i], witness));
    }
    _exit(0);
}

/* Asks `witness` from mutant `first` on; the first that is not answered for. A child that dies
   before an answer crashed. */
static size_t ask_child(struct job *job, struct mutant *mutants, size_t n, size_t first,
                        enum judge witness)
{
    bool wild = is_wild(&mutants[first]);
    int ends[2], status = 0;
    char line[LINE];
    fflush(stdout);
    pid_t pid = pipe(ends) ? -1 : fork();
    if (!check_that(&job->check, pid >= 0, "no child process"))
        return n;
    if (pid == 0)
        child_main(job, mutants, n, first, witness, ends[1]);
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    size_t next = first;
    while (in && fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = 0;
        snprintf(mutants[next].found[witness], VERDICT_MAX, "%s", strchr(line, ' ') + 1);
        next = next_asked(job, mutants, n, next + 1, wild, witness);
        if (wild)
            break;
    }
    if (in)
        fclose(in);
    waitpid(pid, &status, 0);
    if (WIFSIGNALED(status) && next < n && !mutants[next].found[witness][0]) {
        snprintf(mutants[next].found[witness], VERDICT_MAX, "%s",
                 WTERMSIG(status) == SIGALRM ? "no end" : "crash");
        next = next_asked(job, mutants, n, next + 1, wild, witness);
    }
    return next;
}

static void ask_witnesses(struct job *job, struct mutant *mutants, size_t n)
{
    for (size_t i = 0; i < n; i++)
        snprintf(mutants[i].found[JUDGE_THREADS], VERDICT_MAX, "%s",
                 run_threads(job, mutants[i].kernel));
    for (enum judge w = JUDGE_CPU; w < JUDGE_COUNT; w++)
        for (int wild = 0; wild < 2; wild++)
            for (size_t i = next_asked(job, mutants, n, 0, wild, w); i < n;)
                i = ask_child(job, mutants, n, i, w);
}

static void print_mutant(const struct job *job, const struct mutant *m, const char *reason)
{
    const char *name = mutation_names[m->mutation];
    printf(job->markdown ? "| %s | %s %d | `%s` | %s | %s | %s | %s |\n"
                         : "%s: %s %d: %s: caught by threads(%s) cpu(%s) opencl(%s) %s\n",
           job->sample, name, m->place, m->before, m->found[JUDGE_THREADS], m->found[JUDGE_CPU],
           m->found[JUDGE_OPENCL], reason);
}

static void check_mutant(struct job *job, const struct mutant *m)
{
    check_test(&job->check);
    bool caught = false;
    const struct survivor *survivor = survivor_find(job->sample, m->mutation, m->place);
    const char *name = mutation_names[m->mutation];
    print_mutant(job, m, survivor ? survivor->reason : "");
    for (enum judge w = 0; w < JUDGE_COUNT; w++) {
        job->caught[w] += noticed(m, w);
        caught |= noticed(m, w);
    }
    job->rows++;
    job->caught[JUDGE_COUNT] += !caught;
    job->check.skipped += strcmp(m->found[JUDGE_OPENCL], "no device") == 0;
    check_that(&job->check, caught == !survivor, "%s: %s %d (%s) %s", job->sample, name, m->place,
               m->before, caught ? "is caught, but listed as equivalent" : "is caught by nobody");
    if (mutation_is(m->mutation, MUTATION_BARRIER, MUTATION_BARRIERS) && !survivor)
        check_that(&job->check, !strcmp(m->found[JUDGE_THREADS], "race"),
                   "%s: %s %d: the thread interpreter says %s", job->sample, name, m->place,
                   m->found[JUDGE_THREADS]);
}

static const struct kernel *kernel_file(struct ctx *ctx, const char *sample)
{
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    source->path = arena_printf(ctx->arena, "tests/mutants/%s.kernel", sample);
    source->text = file_read(ctx, source->path, &source->length);
    return source->text ? kernel_read(ctx, source) : NULL;
}

/* The unbroken kernel first, then every place of every operator. */
static void check_mutants(struct job *job, const struct kernel *kernel)
{
    VEC(struct mutant) mutants = {0};
    struct mutant one = {.kernel = kernel, .mutation = MUTATION_COUNT, .before = ""};
    vec_push(job->ctx->arena, &mutants, one);
    for (int mutation = 0; mutation < MUTATION_COUNT; mutation++) {
        one.mutation = (enum mutation)mutation;
        for (one.place = 0;
             (one.kernel = mutate(job->ctx->arena, kernel, one.mutation, one.place, &one.before));
             one.place++)
            vec_push(job->ctx->arena, &mutants, one);
    }
    ask_witnesses(job, mutants.at, mutants.count);
    for (enum judge w = 0; w < JUDGE_COUNT; w++)
        check_that(&job->check, !noticed(&mutants.at[0], w), "%s unbroken: witness %d says %s",
                   job->sample, (int)w, mutants.at[0].found[w]);
    for (size_t i = 1; i < mutants.count; i++)
        check_mutant(job, &mutants.at[i]);
}

static void check_subject(struct job *job, const char *name, const char *source,
                          const char *const *inputs)
{
    job->ctx = ctx_new();
    job->ctx->quiet = true;
    job->sample = name;
    struct program *program = program_read(job->ctx, source, &READING);
    const struct kernel *kernel = kernel_file(job->ctx, name);
    if (check_that(&job->check, program && kernel, "%s: %s", source, job->ctx->last)) {
        job->base = program->regions[0]->kernel;
        if (check_that(&job->check, inputs_make(job, inputs), "%s: no data", source))
            check_mutants(job, kernel);
    }
    ctx_free(job->ctx);
}

int main(int argc, char **argv)
{
    struct job job = {.markdown = argc > 1 && !strcmp(argv[1], "--markdown")};
    if (job.markdown)
        printf("| kernel | mutant | what was there | threads | cpu | opencl | why it changes "
               "nothing |\n"
               "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (argc < 3 || !strcmp(argv[2], subjects[i].kernel))
            check_subject(&job, subjects[i].kernel, subjects[i].source, subjects[i].inputs);
    printf("\n%d mutants: %d caught by threads, %d by cpu, %d by opencl, %d change nothing\n",
           job.rows, job.caught[JUDGE_THREADS], job.caught[JUDGE_CPU], job.caught[JUDGE_OPENCL],
           job.caught[JUDGE_COUNT]);
    return check_end(&job.check, "cli_mutants");
}
