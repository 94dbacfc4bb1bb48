/* treefork -d lines: what the accesses of every leaf touch in its launches, counted by running them
   thread by thread (ir/simulate.h), and beside it what the closed forms of the counters say there.

   In: a leaf, values of all its parameters (--set). Out: a line per load and store, and the words
   of each global array, each counted once. Arrays are filled with zeros, so that subscripts read
   from data are all the same element: such lines are an example, not a count. An array of a length
   that neither its type nor its subscripts tell gets 2^20 elements. */
#include "cli/lines.h"
#include "emit/names.h"
#include "ir/access/access.h"
#include "ir/simulate.h"
#include "optimizer/counters/scope.h"
#include <string.h>

enum { LINE_WORDS = 32, WARP = 32, OPEN_ELEMENTS = 1 << 20 };

struct kernel_run {
    struct ctx *ctx;
    const struct kernel *kernel;
    const struct ptx_options *set;
    union value *params;
};

static const int64_t *binding_find(const struct ptx_options *set, const char *name)
{
    for (size_t i = 0; i < set->n_bindings; i++)
        if (strcmp(set->bindings[i].name, name) == 0)
            return &set->bindings[i].value;
    return NULL;
}

static bool params_bind(struct kernel_run *run)
{
    const struct kernel *kernel = run->kernel;
    run->params = ARENA_ARRAY(run->ctx->arena, union value, kernel->n_params + 1);
    for (int i = 0; i < kernel->n_params; i++) {
        const struct var *var = kernel->params[i]->var;
        const int64_t *given = binding_find(run->set, var->name);
        if (given && type_is_floating(var->type))
            run->params[i].real = (double)*given;
        else if (given)
            run->params[i].integer = *given;
        else if (kernel->params[i]->variable >= 0) {
            diag_error(run->ctx, loc_none(), "the stage lines runs the kernel: give --set %s=…",
                       var->name);
            return false;
        }
    }
    return true;
}

static struct interpret_array *arrays_make(struct kernel_run *run)
{
    const struct kernel *kernel = run->kernel;
    struct interpret_array *arrays = ARENA_ARRAY(run->ctx->arena, struct interpret_array,
                                                 kernel->n_arrays + 1);
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *array = kernel->arrays[i];
        union value count = {0};
        if (array->space != SPACE_GLOBAL)
            continue;
        const struct expr *extent = access_extent(run->ctx, kernel, array);
        count.integer = OPEN_ELEMENTS;
        if (extent && (!expr_evaluate(kernel, extent, run->params, &count) ||
                       count.integer < 0 || count.integer > INT32_MAX)) {
            diag_error(run->ctx, loc_none(), "the length of `%s` has no value", array->name);
            return NULL;
        }
        arrays[i].count = (size_t)count.integer;
        arrays[i].data = arena_alloc(run->ctx->arena,
                                     (arrays[i].count + 1) * type_bytes(array->element));
        memset(arrays[i].data, 0, (arrays[i].count + 1) * type_bytes(array->element));
    }
    return arrays;
}

static void count_print(struct str *out, const struct simulated_access *access)
{
    bool shared = access->array->space == SPACE_SHARED;
    str_addf(out, "  %s %s: %lld warps, ", access->is_write ? "store" : "load", access->array->name,
             (long long)access->warps);
    if (shared)
        str_addf(out, "%lld rounds of %lld, at most %lld words of a bank\n",
                 (long long)access->wavefronts, (long long)access->parts,
                 (long long)access->degree_most);
    else
        str_addf(out, "%lld lines of %lld, at most %lld, %lld sectors; %lld blocks, %lld lines\n",
                 (long long)access->transactions, (long long)access->ideal,
                 (long long)access->transactions_most, (long long)access->sectors,
                 (long long)access->instructions, (long long)access->lines);
}

/* The counters of memory accesses at the point. */
static void counters_print(struct str *out, const struct ptx_options *set,
                           const struct variant *variant)
{
    static const char *const NAMES[] = {"lines", "transactions", "coalescing", "banks"};
    for (size_t i = 0; i < variant->n_counters; i++) {
        const struct counter_value *value = &variant->counters[i].value;
        int64_t point[RING_CAPACITY] = {0}, numerator, denominator;
        bool wanted = false;
        for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++)
            wanted |= strcmp(NAMES[k], variant->counters[i].counter->name) == 0;
        if (!wanted || value->count == 0)
            continue;
        struct ring *ring = poly_ring(value->pieces[0].numerator);
        for (int v = 0; v < ring_count(ring); v++) {
            const int64_t *given = binding_find(set, ring_name(ring, v));
            int64_t otherwise = strcmp(ring_name(ring, v), "W_B") == 0   ? WARP
                                : strcmp(ring_name(ring, v), "C_L") == 0 ? LINE_WORDS
                                                                         : 0;
            point[v] = given ? *given : otherwise;
        }
        int piece = counter_value_at(value, point, &numerator, &denominator);
        if (piece >= 0 && denominator)
            str_addf(out, "  %s %.6g (%s)\n", variant->counters[i].counter->name,
                     (double)numerator / (double)denominator,
                     exactness_name(value->pieces[piece].exactness));
    }
}

/* The words of global memory that the launch touches, each counted once however often. */
static void words_print(struct str *out, const struct kernel *kernel,
                        const struct simulation *simulation)
{
    for (int i = 0; i < kernel->n_arrays; i++) {
        double read = (double)simulation->read[i] / 4, written = (double)simulation->written[i] / 4;
        if (read + written > 0)
            str_addf(out, "  words of %s%s: %.10g read, %.10g written\n", kernel->arrays[i]->name,
                     kernel->arrays[i]->is_partial ? " (the device's own)" : "", read, written);
    }
}

/* Counts by one launch; false after a diagnostic. */
static bool launch_print(struct kernel_run *run, struct str *out, const struct variant *variant,
                         const struct launch *launch)
{
    struct interpret_array *arrays = params_bind(run) ? arrays_make(run) : NULL;
    if (!arrays)
        return false;
    const int64_t *words = binding_find(run->set, "C_L"),
                  *warp = binding_find(run->set, "W_B");
    struct simulate_options options = {.line = words ? *words * 4 : 4 * LINE_WORDS,
                                       .warp = warp ? *warp : WARP};
    struct interpret_input input = {.params = run->params, .arrays = arrays};
    input.threads = kernel_all_strided(run->kernel) ? 4 * options.warp : 0;
    if (options.line < 4 || options.warp < 1) {
        diag_error(run->ctx, loc_none(), "C_L and W_B are at least 1");
        return false;
    }
    struct simulation simulation = kernel_simulate(run->ctx->arena, run->kernel, &input, options);
    const char *place = launch_place(run->ctx->arena, variant, launch);
    if (simulation.result.status != INTERPRET_DONE) {
        diag_error(run->ctx, loc_none(), "leaf %d%s: %s", variant->id, place,
                   simulation.result.message);
        return false;
    }
    str_addf(out, "// leaf %d%s\n", variant->id, place);
    for (size_t i = 0; i < simulation.count; i++)
        count_print(out, &simulation.accesses[i]);
    str_addf(out, "  counted: lines %lld, transactions %lld\n", (long long)simulation.lines_most,
             (long long)simulation.transactions_most);
    words_print(out, run->kernel, &simulation);
    return true;
}

bool lines_print(struct ctx *ctx, struct str *out, const struct variant *variant,
                 const struct ptx_options *set)
{
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct launch *launch = &variant->launches[i];
        struct kernel_run run = {.ctx = ctx, .kernel = launch->kernel, .set = set};
        if (!launch_print(&run, out, variant, launch))
            return false;
    }
    counters_print(out, set, variant);
    return true;
}
