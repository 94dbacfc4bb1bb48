#ifndef TESTS_UNIT_OPTIMIZER_TEST_H
#define TESTS_UNIT_OPTIMIZER_TEST_H
#include "ir/interpret.h"
#include "metafork/region.h"
#include "optimizer/store.h"
#include "tests/unit/check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the unit tests of the optimiser share: samples, random data, kernels run and compared. */
static const char *const SAMPLES[] = {"matadd",   "jacobi1d", "transpose", "matmul",
                                      "jacobi2d", "heat3d",   "axpy",      "matvec"};
enum { SAMPLE_COUNT = sizeof SAMPLES / sizeof *SAMPLES };

/* How programs are read: with metafork.h. */
static const char *const INCLUDES[] = {"-Iruntime"};
static const struct program_options READING = {.n_arguments = 1, .arguments = INCLUDES};

/* Where the folder `name` lies. The optimiser is tested on the paper's forms of two programs, whose
   trees are published, and not on the samples of the same names, which are written for a user. */
static inline const char *sample_root(const char *name)
{
    return strcmp(name, "jacobi1d") == 0 || strcmp(name, "matmul") == 0 ? "tests/paper" : "samples";
}

static inline const char *sample_path(struct arena *arena, const char *name)
{
    return arena_printf(arena, "%s/%s/%s.c", sample_root(name), name, name);
}

static inline struct program *sample_read(struct ctx *ctx, const char *name)
{
    return program_read(ctx, sample_path(ctx->arena, name), &READING);
}

/* One sample after the other, each in a context of its own that the next call frees; begins with
   {0}. */
struct samples {
    int next;
    const char *name;
    struct ctx *ctx;
    const struct program *program;
};

/* False after the last. A sample that cannot be read is a failure and passed over. */
static inline bool samples_next(struct check *check, struct samples *samples)
{
    while (samples->next < SAMPLE_COUNT) {
        ctx_free(samples->ctx);
        samples->name = SAMPLES[samples->next++];
        samples->ctx = ctx_new();
        samples->program = sample_read(samples->ctx, samples->name);
        if (check_that(check, samples->program != NULL, "%s cannot be read", samples->name))
            return true;
    }
    ctx_free(samples->ctx);
    return false;
}

/* The rest of the line behind the next `mark` ("// SET:") of *text, which is moved there; NULL if
   there is none. */
static inline const char *setting_next(struct ctx *ctx, const char *mark, const char **text)
{
    const char *at = strstr(*text, mark);
    if (!at)
        return NULL;
    *text = at + strlen(mark);
    return arena_strndup(ctx->arena, *text, strcspn(*text, "\r\n"));
}

/* "N=17, s=2" put into the integer parameters; the others get small values of their own. False on
   an unknown name. */
static inline bool params_set(const struct kernel *kernel, const char *text, union value *params)
{
    for (int i = 0; i < kernel->n_params; i++) {
        if (type_is_floating(kernel->params[i]->var->type))
            params[i].real = 0.25;
        else
            params[i].integer = 3;
    }
    while (*text) {
        char name[32];
        long long value;
        int read = 0, index = -1;
        if (sscanf(text, " %31[A-Za-z0-9_] = %lld%n", name, &value, &read) != 2)
            return false;
        for (int i = 0; i < kernel->n_params; i++)
            if (strcmp(kernel->params[i]->var->name, name) == 0)
                index = i;
        if (index >= 0)
            params[index].integer = value;
        text += read;
        text += strspn(text, ", ");
    }
    return true;
}

static inline void data_fill(const struct array *array, void *data, size_t count, uint64_t seed)
{
    uint64_t state = seed * 6364136223846793005u + 1442695040888963407u;
    for (size_t i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int64_t value = (int64_t)(state >> 40) % 1000;
        switch (array->element) {
        case TYPE_F32: ((float *)data)[i] = (float)value / 8; break;
        case TYPE_F64: ((double *)data)[i] = (double)value / 8; break;
        case TYPE_I32: case TYPE_U32: ((int32_t *)data)[i] = (int32_t)value; break;
        case TYPE_I64: case TYPE_U64: ((int64_t *)data)[i] = value; break;
        case TYPE_I16: case TYPE_U16: ((int16_t *)data)[i] = (int16_t)value; break;
        default: ((signed char *)data)[i] = (signed char)value; break;
        }
    }
}

enum { OPEN_ELEMENTS = 4096 };

/* Data for the global arrays of `kernel` at `params`, many elements where no extent is known; false
   if an extent has no value. */
static inline bool data_make(struct ctx *ctx, const struct kernel *kernel,
                             const union value *params, struct interpret_array *arrays)
{
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *array = kernel->arrays[i];
        if (array->space != SPACE_GLOBAL)
            continue;
        const struct expr *extent = access_extent(ctx, kernel, array);
        union value count;
        count.integer = OPEN_ELEMENTS;
        if (extent && (!expr_evaluate(kernel, extent, params, &count) || count.integer < 0))
            return false;
        arrays[i].count = (size_t)count.integer;
        arrays[i].data =
            arena_alloc(ctx->arena, (arrays[i].count + 1) * type_bytes(array->element));
        data_fill(array, arrays[i].data, arrays[i].count, (uint64_t)i + 1);
    }
    return true;
}

/* One run: values by kernel->params index, threads (0 = the block's), seed of the order. */
struct trial {
    const union value *params;
    int64_t threads;
    uint64_t seed;
};

/* Does `kernel` with threads checked give bit for bit what `reference` gives serially? Floating
   point is compared exactly too: no strategy reassociates. `why` says what went wrong. Where the
   kernel may not be launched the interpreter must say so. */
static inline bool kernels_agree(struct ctx *ctx, const struct kernel *reference,
                                 const struct kernel *kernel, struct trial trial, const char **why)
{
    const union value *params = trial.params;
    struct interpret_array *expected =
        ARENA_ARRAY(ctx->arena, struct interpret_array, reference->n_arrays + 1);
    struct interpret_array *got =
        ARENA_ARRAY(ctx->arena, struct interpret_array, kernel->n_arrays + 1);
    if (!data_make(ctx, reference, params, expected)) {
        *why = "no extent";
        return false;
    }
    for (int i = 0; i < reference->n_arrays; i++) {
        if (reference->arrays[i]->space != SPACE_GLOBAL)
            continue;
        size_t bytes = expected[i].count * type_bytes(reference->arrays[i]->element);
        got[i].count = expected[i].count;
        got[i].data = arena_alloc(ctx->arena, bytes + 8);
        memcpy(got[i].data, expected[i].data, bytes);
    }
    struct interpret_input input = {.params = params, .arrays = expected};
    struct interpret_result serial = interpret_serial(ctx->arena, reference, &input);
    if (serial.status != INTERPRET_DONE) {
        *why = arena_printf(ctx->arena, "reference: %s", serial.message);
        return false;
    }
    struct interpret_input threaded = {
        .params = params, .arrays = got, .threads = trial.threads, .seed = trial.seed};
    struct interpret_result result = interpret_threads(ctx->arena, kernel, &threaded);
    if (kernel_indivisible(kernel, params)) {
        *why = "launched where its extents do not divide";
        return result.status == INTERPRET_ARITHMETIC && strstr(result.message, "divisible");
    }
    if (result.status != INTERPRET_DONE) {
        *why = arena_printf(ctx->arena, "%s: %s", interpret_status_name(result.status),
                            result.message);
        return false;
    }
    union value shared = {.integer = 0};
    if (kernel->shared_bytes && !expr_evaluate(kernel, kernel->shared_bytes, params, &shared)) {
        *why = "shared_bytes has no value";
        return false;
    }
    if (result.shared_top > (size_t)shared.integer) {
        *why = arena_printf(ctx->arena, "shared byte %zu is used of %lld", result.shared_top,
                            (long long)shared.integer);
        return false;
    }
    for (int i = 0; i < reference->n_arrays; i++) {
        if (reference->arrays[i]->space != SPACE_GLOBAL || reference->arrays[i]->is_partial)
            continue;
        size_t bytes = expected[i].count * type_bytes(reference->arrays[i]->element);
        if (memcmp(expected[i].data, got[i].data, bytes) != 0) {
            *why = arena_printf(ctx->arena, "array %s differs", reference->arrays[i]->name);
            return false;
        }
    }
    return true;
}

/* A store without search, to make kernels for sets of strategies. They keep all stores, so that
   their arrays can be compared. The options are kept. */
static inline struct store *store_under(struct ctx *ctx, const struct region *region,
                                        const struct tree_options *options)
{
    struct region *kept = ARENA_NEW(ctx->arena, struct region);
    *kept = *region;
    kept->is_unread = NULL;
    const struct search_space *space = space_make(ctx, kept, options);
    return space ? store_new(space) : NULL;
}

static inline struct store *store_bare(struct ctx *ctx, const struct region *region)
{
    static const struct tree_options options = {0};
    return store_under(ctx, region, &options);
}

/* A set of strategies as bits, by row of strategy.def. */
#define STRATEGY_BIT(SYMBOL) ((uint64_t)1 << STRATEGY_##SYMBOL)

static inline struct key set_key(uint64_t set)
{
    struct key key = {0};
    for (int i = 0; i < STRATEGY_COUNT; i++)
        if (set >> i & 1)
            key = key_with(key, strategy_table(i));
    return key;
}

/* One kernel: of the strategies those are left out that split it (optimizer_split.c). */
static inline struct kernel_entry *set_kernel(struct store *store, uint64_t set, bool symbolic)
{
    set &= ~(STRATEGY_BIT(SPLIT1) | STRATEGY_BIT(SPLIT2));
    return store_kernel(store, set_key(set), 0, symbolic);
}

/* Value of a row of counter.def. */
static inline const struct counter_value *set_value(struct store *store, uint64_t set, int symbol)
{
    return store_counter(store, set_key(set), symbol);
}

#endif
