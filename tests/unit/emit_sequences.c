/* Random sequences of strategies over the samples keep the meaning. SEQUENCES times: a sample's
   region, a random set of strategies in phase order (kernel_build), or the placed kernel of a set
   and then rewrites in any order, some of them twice; the result is verified, run by the thread
   interpreter (races, bounds, poison, shared bytes) at several random points and compared bit for
   bit with the serial reading; every CPU_EVERY-th also by LLVM on the CPU, every DEVICE_EVERY-th as
   OpenCL C on the first device there is. Then every program of tests/counters and tests/programs,
   with PROGRAM_SEQUENCES random sequences each, by the thread interpreter at the values of its `//
   SET:` lines. Regions with sums in another order or of two launches are left to
   unit/optimizer_reduce. Usage: emit_sequences [SEED [SEQUENCES]]. */
#include "emit/device.h"
#include "ir/llvm/llvm.h"
#include "ir/reduction.h"
#include "optimizer_rewrites.h"
#include "optimizer_test.h"
#include "tests/unit/emit_opencl.h"
#include "tests/unit/emit_unit.h"
#include <glob.h>

enum {
    SEQUENCES = 600,
    POINTS = 3,
    CPU_EVERY = 6,
    DEVICE_EVERY = 25,
    REWRITES_MOST = 6,
    TRIES = 20000,
    POINT_PARAMS = 32,
    PROGRAM_SEQUENCES = 2
};

/* Ranges of sizes; every other integer parameter but t, which is 0 or 1, is one of EXTENTS. */
static const struct {
    const char *sample, *size;
    int lo, hi;
} SIZES[] = {{"matadd", "N", 1, 24}, {"jacobi1d", "N", 2, 90}, {"transpose", "N", 1, 24},
             {"matmul", "n", 1, 20}, {"jacobi2d", "N", 2, 24}, {"heat3d", "N", 2, 11},
             {"axpy", "n", 1, 90},   {"matvec", "m", 1, 24},   {"matvec", "n", 1, 24}};
static const int EXTENTS[] = {1, 2, 3, 4, 4, 5, 8, 8, 16};

struct run {
    struct check *check;
    struct opencl *cl;                     /* NULL: no device */
    struct store *store;
    int threads, cpu, device, programs;    /* runs compared */
    int unsuited;                          /* values for the function, not for its region alone */
};

static int64_t value_random(const char *sample, const char *name)
{
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
        if (strncmp(sample, SIZES[i].sample, strlen(SIZES[i].sample)) == 0 &&
            strcmp(name, SIZES[i].size) == 0)
            return SIZES[i].lo + rand() % (SIZES[i].hi - SIZES[i].lo + 1);
    return strcmp(name, "t") == 0 ? rand() % 2
                                  : EXTENTS[(size_t)rand() % (sizeof EXTENTS / sizeof *EXTENTS)];
}

/* Values that the region's facts admit and at which the kernel may be launched; false if none are
   found. */
static bool point_random(const struct kernel *base, const struct kernel *kernel,
                         union value *params, struct str *text)
{
    for (int k = 0; k < TRIES; k++) {
        int64_t point[RING_CAPACITY] = {0};
        for (int i = 0; i < base->n_params; i++) {
            const struct param *param = base->params[i];
            params[i] = (union value){.real = 0.25};
            if (!type_is_floating(param->var->type))
                params[i].integer = value_random(base->name, param->var->name);
            if (param->variable >= 0)
                point[param->variable] = params[i].integer;
        }
        if (sas_holds(base->facts, point) != 1 || kernel_indivisible(kernel, params))
            continue;
        for (int i = 0; i < base->n_params; i++)
            if (!type_is_floating(base->params[i]->var->type))
                str_addf(text, " %s=%lld", base->params[i]->var->name,
                         (long long)params[i].integer);
        return true;
    }
    return false;
}

static const struct kernel *sequence_make(struct store *store, struct str *text)
{
    uint64_t set =
        (((uint64_t)rand() << 20) ^ (uint64_t)rand()) & (((uint64_t)1 << STRATEGY_COUNT) - 1);
    bool ordered = rand() % 2;
    if (rand() % 8)
        set &= ~STRATEGY_BIT(STRIDE);
    if (rand() % 4)
        set &= ~STRATEGY_BIT(DROP);
    for (int i = 0; i < STRATEGY_COUNT && !ordered; i++)
        if (strategy_table(i)->form == FORM_PLACED && i != STRATEGY_REMAP && i != STRATEGY_PAD)
            set &= ~((uint64_t)1 << i);
    for (int i = 0; i < STRATEGY_COUNT; i++)
        if (set >> i & 1)
            str_addf(text, " %s", strategy_table(i)->name);
    struct kernel_entry *build = set_kernel(store, set, rand() % 8 == 0);
    const struct kernel *kernel = build ? build->kernel : NULL;
    for (int i = rand() % (REWRITES_MOST + 1); kernel && !ordered && i > 0; i--) {
        int strategy = rand() % STRATEGY_COUNT;
        const struct kernel *next =
            rewrite_apply(store->ctx, store->space->region, kernel, strategy);
        if (next) {
            str_addf(text, ", then %s", strategy_table(strategy)->name);
            kernel = next;
        }
    }
    return kernel;
}

/* Copies of the data at a point, and what the serial reading makes of them. */
struct data {
    struct interpret_array *expected, *got;
};

static bool data_prepare(struct ctx *ctx, const struct kernel *base, const struct kernel *kernel,
                         const union value *params, struct data *data)
{
    data->expected = ARENA_ARRAY(ctx->arena, struct interpret_array, base->n_arrays + 1);
    data->got = ARENA_ARRAY(ctx->arena, struct interpret_array, kernel->n_arrays + 1);
    if (!data_make(ctx, base, params, data->expected) || !data_make(ctx, base, params, data->got))
        return false;
    struct interpret_input input = {.params = params, .arrays = data->expected};
    return interpret_serial(ctx->arena, base, &input).status == INTERPRET_DONE;
}

static bool data_equal(const struct kernel *base, const struct data *data)
{
    for (int i = 0; i < base->n_arrays; i++)
        if (base->arrays[i]->space == SPACE_GLOBAL &&
            memcmp(data->expected[i].data, data->got[i].data,
                   data->got[i].count * type_bytes(base->arrays[i]->element)) != 0)
            return false;
    return true;
}

static bool cpu_agrees(struct ctx *ctx, const struct kernel *base, const struct kernel *kernel,
                       const union value *params, const char **why)
{
    struct data data;
    *why = "serial";
    if (!data_prepare(ctx, base, kernel, params, &data))
        return false;
    struct interpret_input input = {.params = params,
                                    .arrays = data.got,
                                    .threads = kernel_all_strided(kernel) ? 5 : 0,
                                    .seed = 7};
    *why = "LLVM on the CPU";
    return llvm_run(ctx, kernel, &input, 3) && data_equal(base, &data);
}

static int64_t block_threads(const struct kernel *kernel, const union value *params)
{
    int64_t threads = 1;
    for (int i = 0; i < kernel->n_block; i++) {
        union value extent;
        threads *=
            expr_evaluate(kernel, kernel->block[i].extent, params, &extent) ? extent.integer : 0;
    }
    return kernel_all_strided(kernel) ? 5 : threads;
}

/* Rows of the last axis, and how many of them. */
static bool box_rows(const struct kernel *kernel, const struct axis *axes, int n,
                     const union value *params, size_t rows[2])
{
    rows[0] = rows[1] = 1;
    for (int i = 0; i < n; i++) {
        union value extent;
        if (!expr_evaluate(kernel, axes[i].extent, params, &extent) || extent.integer < 1)
            return false;
        rows[i < n - 1] *= (size_t)extent.integer;
    }
    return true;
}

/* The whole grid as a plane, or three blocks in a line; false where the grid is empty. */
static bool launch_shape(const struct kernel *kernel, const union value *params, bool plane,
                         struct opencl_shape *shape)
{
    *shape = (struct opencl_shape){{3, 1}, {(size_t)block_threads(kernel, params), 1}};
    if (!plane)
        return true;
    return box_rows(kernel, kernel->grid, kernel->n_grid, params, shape->blocks) &&
           (kernel_all_strided(kernel) ||
            box_rows(kernel, kernel->block, kernel->n_block, params, shape->threads));
}

/* A parameter as the bytes of its type. */
static const void *argument_bytes(struct arena *arena, enum type type, const union value *value)
{
    char *bytes = arena_alloc(arena, 8);
    float single = (float)value->real;
    if (type == TYPE_F32)
        memcpy(bytes, &single, sizeof single);
    else
        memcpy(bytes, value, 8);
    return bytes;
}

/* `plane`: for a launch of the whole grid in rows, else for a line of blocks. */
static cl_program device_build(struct run *run, const struct kernel *kernel,
                               const union value *params, bool plane)
{
    struct str options = str_new(run->store->ctx->arena);
    str_add(&options, plane ? "-DTREEFORK_PLANE -DTREEFORK_INDEX=int" : "");
    for (int i = 0; i < kernel->n_params; i++)
        if (device_must_bind(kernel, kernel->params[i]))
            str_addf(&options, " -DTREEFORK_BIND_%s=%lld", kernel->params[i]->var->name,
                     (long long)params[i].integer);
    return opencl_build(run->cl, unit_text(run->store->ctx, kernel, &dialect_opencl),
                        options.text ? options.text : "");
}

static bool device_agrees(struct run *run, const struct kernel *kernel, const union value *params,
                          bool plane, const char **why)
{
    struct ctx *ctx = run->store->ctx;
    const struct kernel *base = run->store->space->region->kernel;
    struct opencl_value values[16];
    struct data data;
    union value shared = {.integer = 0};
    int n = 0;
    *why = "serial";
    if (!data_prepare(ctx, base, kernel, params, &data))
        return false;
    *why = arena_printf(ctx->arena, "OpenCL text: %s", run->cl->log);
    cl_program program = device_build(run, kernel, params, plane);
    if (!program)
        return false;
    for (int i = 0; i < kernel->n_params; i++)
        values[n++] = (struct opencl_value){
            type_bytes(kernel->params[i]->var->type),
            argument_bytes(ctx->arena, kernel->params[i]->var->type, &params[i]), false};
    for (int i = 0; i < base->n_arrays; i++)
        if (base->arrays[i]->space == SPACE_GLOBAL)
            values[n++] = (struct opencl_value){
                data.got[i].count * type_bytes(base->arrays[i]->element), data.got[i].data, true};
    if (kernel->shared_bytes)
        expr_evaluate(kernel, kernel->shared_bytes, params, &shared);
    struct opencl_shape shape;
    cl_int status = CL_SUCCESS;
    if (launch_shape(kernel, params, plane, &shape))
        status = opencl_run(run->cl, program, arena_printf(ctx->arena, "%s_1", kernel->name),
                            values, n, (size_t)shared.integer, shape);
    CL_CALL(run->cl, clReleaseProgram)(program);
    *why = arena_printf(ctx->arena, "OpenCL: status %d", status);
    return status == CL_SUCCESS && data_equal(base, &data);
}

static void sequence_run(struct run *run, int number)
{
    struct ctx *ctx = run->store->ctx;
    const struct kernel *base = run->store->space->region->kernel;
    struct str text = str_new(ctx->arena);
    str_addf(&text, "%s:", base->name);
    const struct kernel *kernel = sequence_make(run->store, &text);
    if (!check_that(run->check, kernel && kernel_verify(ctx, kernel), "%s: %s", text.text,
                    ctx->last))
        return;
    for (int i = 0; i < POINTS; i++) {
        union value params[POINT_PARAMS];
        struct str at = str_new(ctx->arena);
        const char *why = "";
        if (!check_that(run->check, point_random(base, kernel, params, &at), "%s: no point",
                        text.text))
            return;
        struct trial trial = {params, kernel_all_strided(kernel) ? 1 + rand() % 9 : 0, (uint64_t)i};
        run->threads++;
        if (!check_that(run->check, kernels_agree(ctx, base, kernel, trial, &why), "%s at%s: %s",
                        text.text, at.text, why))
            return;
        if (i == 0 && number % CPU_EVERY == 0) {
            run->cpu++;
            check_that(run->check, cpu_agrees(ctx, base, kernel, params, &why), "%s at%s: %s",
                       text.text, at.text, why);
        }
        if (i == 0 && number % DEVICE_EVERY == 0 && run->cl && block_threads(kernel, params) > 0) {
            run->device++;
            check_that(run->check, device_agrees(run, kernel, params, run->device % 2, &why),
                       "%s at%s: %s", text.text, at.text, why);
        }
    }
}

/* One random sequence at the values of a program's `// SET:` lines; those that only suit its whole
   function are skipped. */
static void program_sequence(struct run *run, const char *path, const char *source)
{
    struct ctx *ctx = run->store->ctx;
    const struct kernel *base = run->store->space->region->kernel;
    struct str text = str_new(ctx->arena);
    str_addf(&text, "%s:", path);
    const struct kernel *kernel = sequence_make(run->store, &text);
    if (!check_that(run->check, kernel && kernel_verify(ctx, kernel), "%s: %s", text.text,
                    ctx->last))
        return;
    const char *setting;
    for (int i = 0; i < POINTS && (setting = setting_next(ctx, "// SET:", &source)); i++) {
        union value params[64];
        const char *why = "";
        struct trial trial = {params, kernel_all_strided(kernel) ? 5 : 0, (uint64_t)i};
        bool ok =
            params_set(base, setting, params) && kernels_agree(ctx, base, kernel, trial, &why);
        if (!ok && (!*why || strncmp(why, "reference", 9) == 0)) {
            run->unsuited++;
            continue;
        }
        run->programs++;
        check_that(run->check, ok, "%s at%s: %s", text.text, setting, why);
    }
}

/* Is the region one kernel that computes the bits of its text? */
static bool is_single(struct ctx *ctx, const struct region *region)
{
    return !kernel_inexact_sum(region->kernel) &&
           strategy_reduce(ctx, region->kernel, (struct reduce_options){.is_shared = true}).count ==
               1;
}

static void program_run(struct run *run, const char *path)
{
    struct ctx *ctx = ctx_new();
    size_t length;
    ctx->quiet = true;
    struct program *program = program_read(ctx, path, &READING);
    const char *source = file_read(ctx, path, &length);
    run->unsuited += !program;             /* tests of metafork say whether it should be readable */
    for (size_t r = 0; program && source && r < program->n_regions; r++) {
        if (!is_single(ctx, program->regions[r]))
            continue;
        run->store = store_bare(ctx, program->regions[r]);
        for (int k = 0; k < test_scale(1, PROGRAM_SEQUENCES); k++)
            program_sequence(run, path, source);
    }
    ctx_free(ctx);
}

static void folder_run(struct run *run, const char *pattern)
{
    glob_t found = {0};
    glob(pattern, 0, NULL, &found);
    check_that(run->check, found.gl_pathc > 0, "no program is %s", pattern);
    for (size_t i = 0; i < found.gl_pathc; i++)
        program_run(run, found.gl_pathv[i]);
    globfree(&found);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct samples samples = {0};
    struct opencl cl;
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 47;
    int sequences = argc > 2 ? atoi(argv[2]) : test_scale(150, SEQUENCES);
    int number = 0;
    bool has_device = opencl_open(&cl);
    struct run run = {.check = &check, .cl = has_device ? &cl : NULL};
    printf("seed %u%s\n", seed, has_device ? "" : "; no OpenCL device");
    srand(seed);
    while (samples_next(&check, &samples))
        for (size_t r = 0; r < samples.program->n_regions; r++) {
            if (!is_single(samples.ctx, samples.program->regions[r]))
                continue;
            run.store = store_bare(samples.ctx, samples.program->regions[r]);
            for (int k = 0; k < sequences / SAMPLE_COUNT / (int)samples.program->n_regions + 1; k++)
                sequence_run(&run, number++);
        }
    folder_run(&run, "tests/counters/*.c");
    folder_run(&run, "tests/programs/*.c");
    printf("%d sequences: %d runs by the thread interpreter, %d by LLVM on the CPU, %d by OpenCL; "
           "%d of other programs, %d settings unsuited\n",
           number, run.threads, run.cpu, run.device, run.programs, run.unsuited);
    check_that(&check, number >= sequences, "only %d sequences", number);
    check.skipped += !has_device;
    if (has_device)
        opencl_close(&cl);
    return check_end(&check, "emit_sequences");
}
