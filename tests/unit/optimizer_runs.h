#ifndef TESTS_UNIT_OPTIMIZER_RUNS_H
#define TESTS_UNIT_OPTIMIZER_RUNS_H
#include "ir/access/access.h"
#include "tests/unit/draw.h"
#include "tests/unit/ir_check.h"
#include <inttypes.h>

/* Rewrites against runs: random kernels are made; the forms of one whose iterations are proved
   independent are run thread by thread with all checks (bounds, races, values never written) and
   must leave the data of the serial run, bit for bit. A test says how kernels, forms, points and
   data are made. */

enum { RUNS_FORMS = 8, RUNS_PARAMS = 8 };

struct runs {
    void *maker;                  /* the test's own, given to what it says */
    uint64_t *state;              /* of its draws */
    int n_forms, n_points;
    size_t data_bytes;
    void (*make)(void *maker, struct str *text);
    void (*forms)(void *maker, struct ctx *ctx, const struct kernel *kernel,
                  const struct kernel **forms);
    void (*point)(void *maker, union value *params);
    /* The arrays of fresh data for the kernel at this point. */
    void (*bind)(const struct kernel *kernel, const union value *params, void *data,
                 struct interpret_array *arrays);
    /* counts */
    int kernels, legal, done, left;
};

static inline struct interpret_result runs_run(const struct runs *runs, struct arena *arena,
                                               const struct kernel *kernel,
                                               const union value *params, void *data, bool serial)
{
    struct interpret_array arrays[16] = {{0}};
    runs->bind(kernel, params, data, arrays);
    uint64_t seed = serial ? 0 : draw(runs->state, 1000);
    struct interpret_input input = {.params = params, .arrays = arrays, .seed = seed};
    return serial ? interpret_serial(arena, kernel, &input)
                  : interpret_threads(arena, kernel, &input);
}

static inline const char *runs_point_text(struct arena *arena, const struct kernel *kernel,
                                          const union value *params)
{
    struct str text = str_new(arena);
    for (int i = 0; i < kernel->n_params; i++)
        str_addf(&text, "%s%s = %" PRId64, i ? ", " : "", kernel->params[i]->var->name,
                 params[i].integer);
    return text.text;
}

static inline void runs_compare(struct runs *runs, struct check *check, struct ctx *ctx,
                                const struct kernel *kernel, const struct kernel *const *forms)
{
    struct arena *arena = arena_new();
    void *expected = arena_alloc(arena, runs->data_bytes),
         *got = arena_alloc(arena, runs->data_bytes);
    union value params[RUNS_PARAMS];
    runs->point(runs->maker, params);
    bool usable = runs_run(runs, arena, kernel, params, got, false).status == INTERPRET_DONE &&
                  runs_run(runs, arena, kernel, params, expected, true).status == INTERPRET_DONE;
    runs->left += !usable;
    for (int i = 0; i < runs->n_forms && usable; i++) {
        if (kernel_indivisible(forms[i], params))
            continue;
        struct interpret_result result = runs_run(runs, arena, forms[i], params, got, false);
        bool same = !memcmp(got, expected, runs->data_bytes);
        runs->done++;
        check_that(check, result.status == INTERPRET_DONE && same, "form %d at %s: %s\n%s%s", i,
                   runs_point_text(arena, kernel, params),
                   result.status == INTERPRET_DONE ? "other data" : result.message,
                   check_print(ctx, kernel), check_print(ctx, forms[i]));
    }
    arena_free(arena);
}

static inline void runs_kernel(struct runs *runs, struct check *check)
{
    struct ctx *ctx = check_ctx();
    struct str text = str_new(ctx->arena);
    const struct kernel *forms[RUNS_FORMS];
    runs->make(runs->maker, &text);
    const struct kernel *kernel = kernel_read(ctx, check_source(ctx, text.text));
    runs->kernels++;
    if (check_that(check, kernel != NULL, "unreadable: %s\n%s", ctx->last, text.text) &&
        access_parallel(ctx, kernel).verdict == ACCESS_PROVED) {
        runs->legal++;
        runs->forms(runs->maker, ctx, kernel, forms);
        for (int i = 0; i < runs->n_forms; i++)
            check_that(check, kernel_verify(ctx, forms[i]), "form %d: %s\n%s%s", i, ctx->last,
                       text.text, check_print(ctx, forms[i]));
        for (int i = 0; i < runs->n_points; i++)
            runs_compare(runs, check, ctx, kernel, forms);
    }
    ctx_free(ctx);
}

/* The arguments of a test: seed, number of kernels. */
static inline void runs_all(struct runs *runs, struct check *check, int argc, char **argv,
                            int kernels)
{
    if (argc > 1)
        *runs->state = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        kernels = atoi(argv[2]);
    printf("seed %" PRIu64 "\n", *runs->state);
    check_test(check);
    for (int i = 0; i < kernels; i++)
        runs_kernel(runs, check);
    printf("%d kernels, %d legal; %d runs, %d points left out\n", runs->kernels, runs->legal,
           runs->done, runs->left);
}

#endif
