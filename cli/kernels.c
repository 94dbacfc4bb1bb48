/* Leaves inside the generator: each leaf's kernel on random data, by the thread interpreter (races,
   divergent barriers, bounds, values never written) or by LLVM on the CPU (one fiber per thread),
   against the serial interpretation of the region as it was written. Few blocks take all points of
   the grid, so that each runs several: a missing barrier behind the last use of a tile shows
   only then. */
#include "base/progress.h"
#include "cli/verify.h"
#include "ir/llvm/llvm.h"
#include <string.h>

enum { INTERPRETED_BLOCKS = 1, COMPILED_BLOCKS = 3 };

struct bench {
    struct verification *v;
    const struct region *region;
    const struct datum *data;
    union value *params;
};

/* Fresh data from the seed with room for `n_arrays` arrays; the global ones are the same, at the
   same places, in every kernel of a region. */
static struct interpret_array *arrays_make(const struct bench *b, int n_arrays)
{
    uint64_t state = b->v->seed;
    const struct kernel *base = b->region->kernel;
    struct interpret_array *arrays = ARENA_ARRAY(b->v->ctx->arena, struct interpret_array,
                                                 n_arrays + 1);
    for (int i = 0; i < base->n_arrays; i++) {
        const struct datum *d = &b->data[base->n_params + i];
        if (base->arrays[i]->space != SPACE_GLOBAL)
            continue;
        arrays[i].count = (size_t)d->count;
        arrays[i].data = arena_alloc(b->v->ctx->arena, (size_t)d->count * type_bytes(d->type));
        data_fill(d, &state, arrays[i].data);
    }
    return arrays;
}

static void params_make(struct bench *b)
{
    const struct kernel *kernel = b->region->kernel;
    uint64_t state = b->v->seed ^ 0x9e3779b97f4a7c15ull;
    b->params = ARENA_ARRAY(b->v->ctx->arena, union value, kernel->n_params + 1);
    for (int i = 0; i < kernel->n_params; i++) {
        struct datum wide = b->data[i];
        wide.type = type_is_floating(wide.type) ? TYPE_F64 : TYPE_I64;
        if (!type_is_signed(b->data[i].type) && !wide.has_range && !wide.is_given) {
            wide.has_range = true;
            wide.hi = 99;
        }
        data_fill(&wide, &state, &b->params[i]);
        if (b->data[i].type == TYPE_F32)
            b->params[i].real = (double)(float)b->params[i].real;
    }
}

/* The safe variant takes any number of threads: the extents' product clamped to what one
   interpretation can hold. */
static int64_t strided_threads(const struct bench *b, const struct kernel *kernel)
{
    int64_t threads = 1;
    union value extent;
    for (int i = 0; i < kernel->n_block; i++)
        if (expr_evaluate(kernel, kernel->block[i].extent, b->params, &extent) &&
            extent.integer > 0 && threads < 256)
            threads *= extent.integer;
    return kernel_all_strided(kernel) ? (threads > 256 ? 256 : threads) : 0;
}

/* NULL if the run went well, else what was wrong. */
static const char *run(const struct bench *b, const struct kernel *kernel, const char *witness,
                       struct interpret_array *arrays)
{
    struct interpret_input input = {.params = b->params,
                                    .arrays = arrays,
                                    .seed = b->v->seed,
                                    .threads = strided_threads(b, kernel),
                                    .blocks = INTERPRETED_BLOCKS};
    if (strcmp(witness, "cpu") == 0)
        return llvm_run(b->v->ctx, kernel, &input, COMPILED_BLOCKS) ? NULL : b->v->ctx->last;
    struct interpret_result result = interpret_threads(b->v->ctx->arena, kernel, &input);
    if (result.status == INTERPRET_DONE)
        return NULL;
    return arena_printf(b->v->ctx->arena, "%s: %s", interpret_status_name(result.status),
                        result.message);
}

/* What must divide another for a launch of the variant to run, and does not; NULL if all does. */
static const struct divisible *variant_indivisible(const struct variant *variant,
                                                   const union value *params)
{
    const struct divisible *fact = NULL;
    for (size_t i = 0; i < variant->n_launches && !fact; i++)
        fact = kernel_indivisible(variant->launches[i].kernel, params);
    return fact;
}

/* Runs the launches one after another on the same data, which goes to *arrays. NULL if they went
   well, else what was wrong. */
static const char *variant_run(const struct bench *b, const struct variant *variant,
                               const char *witness, struct interpret_array **arrays)
{
    const char *wrong = NULL;
    int most = 0;
    for (size_t i = 0; i < variant->n_launches; i++) {
        int n_arrays = variant->launches[i].kernel->n_arrays;
        most = n_arrays > most ? n_arrays : most;
    }
    *arrays = arrays_make(b, most);
    for (size_t i = 0; i < variant->n_launches && !wrong; i++)
        wrong = run(b, variant->launches[i].kernel, witness, *arrays);
    return wrong;
}

static void variant_check(const struct bench *b, const struct variant *variant, const char *witness,
                          const struct interpret_array *expected)
{
    struct verification *v = b->v;
    const struct kernel *base = b->region->kernel;
    struct str text = str_new(v->ctx->arena);
    const struct divisible *fact = variant_indivisible(variant, b->params);
    if (fact) {
        printf("%s leaf %d (%s): skipped: does not fit: %lld does not divide %s\n", b->region->name,
               variant->id, witness, (long long)fact->divisor,
               poly_text(v->ctx->arena, fact->value));
        v->skipped++;
        return;
    }
    struct interpret_array *arrays;
    progress_begin(v->ctx, "leaf %d of %s by %s", variant->id, b->region->name, witness);
    const char *wrong = variant_run(b, variant, witness, &arrays);
    progress_end(v->ctx);
    for (int i = 0; !wrong && i < base->n_arrays; i++)
        if (base->arrays[i]->space == SPACE_GLOBAL &&
            !data_compare(v, &b->data[base->n_params + i], arrays[i].data, expected[i].data, &text))
            wrong = text.text;
    printf("%s leaf %d%s (%s): ", b->region->name, variant->id, variant->safe ? " (safe)" : "",
           witness);
    if (wrong)
        printf("FAILED: %s\n", wrong);
    else
        printf("equals serial;%s\n", text.text);
    v->failed += wrong != NULL;
    v->passed += wrong == NULL;
    fflush(stdout);
}

/* The region as it is written, which the thread interpreter runs for no leaf of this witness. */
static void kernel_check(const struct bench *b, size_t region)
{
    const struct kernel *kernel = b->region->kernel;
    struct interpret_input input = {.params = b->params,
                                    .arrays = arrays_make(b, kernel->n_arrays),
                                    .seed = b->v->seed};
    double points = 1;
    union value extent;
    for (int i = 0; i < kernel->n_grid + kernel->n_block; i++) {
        const struct axis *axis = i < kernel->n_grid ? &kernel->grid[i]
                                                     : &kernel->block[i - kernel->n_grid];
        points *= expr_evaluate(kernel, axis->extent, b->params, &extent) && extent.integer > 0
                      ? (double)extent.integer
                      : 0;
    }
    if (points > 0)
        check_region(b->v, region, &input, points);
}

static bool region_check(struct verification *v, size_t index, const char *witness)
{
    const struct region *region = v->program->regions[index];
    const struct tree *tree = v->trees[index];
    struct bench b = {.v = v, .region = region};
    struct datum *data;
    if (!data_plan_kernel(v, region, &data))
        return false;
    b.data = data;
    params_make(&b);
    struct interpret_array *expected = arrays_make(&b, region->kernel->n_arrays);
    struct interpret_input input = {.params = b.params, .arrays = expected};
    if (strcmp(witness, "cpu") == 0)
        kernel_check(&b, index);
    struct interpret_result serial = interpret_serial(v->ctx->arena, region->kernel, &input);
    if (serial.status != INTERPRET_DONE) {
        diag_error(v->ctx, loc_none(), "the serial program itself: %s: %s",
                   interpret_status_name(serial.status), serial.message);
        return false;
    }
    for (size_t i = 0; i < tree->n_variants; i++)
        if (!verify_stopped() && (!v->only_leaf || tree->variants[i].id == v->only_leaf))
            variant_check(&b, &tree->variants[i], witness, expected);
    return true;
}

bool verify_kernels(struct verification *v, const char *witness)
{
    for (size_t i = 0; i < v->program->n_regions; i++) {
        const struct region *region = v->program->regions[i];
        if (verify_takes_function(v, region->function) && !region_check(v, i, witness))
            return false;
    }
    return true;
}
