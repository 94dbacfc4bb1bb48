/* Dropping a staged array singly: the order of the arrays against what was counted by hand, and for
   every sample and every program of tests/programs and tests/counters that stages two arrays or
   more: each drop takes exactly its array away, needs no more shared memory (proved by the solver),
   keeps the threads, and computes what the banded kernel gives serially, at the values of the `//
   SET:` lines. */
#include "optimizer_test.h"
#include "optimizer/strategies/strategies.h"
#include <glob.h>

static const uint64_t DROP_BITS[DROPS] = {STRATEGY_BIT(DROP1), STRATEGY_BIT(DROP2),
                                          STRATEGY_BIT(DROP3)};

static const struct {
    const char *source, *order;            /* names in the order of the drops */
} ORDERS[] = {
    /* b: B0*B0*ub1*s reads of B0*ub1*s words; a: the same reads of B0*B0 words, and B0 <= ub1*s. */
    {"tests/paper/matmul/matmul.c", "b a"},
    /* One access per word each: nothing to choose, the order of declaration. */
    {"tests/programs/rank1.c", "x y"},
    /* One of the two is streamed, and what one array alone stages is left to drop-caching. */
    {"samples/transpose/transpose.c", ""},
};

static void check_order(struct check *check, const char *source, const char *expected)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct program *program = program_read(ctx, source, &READING);
    if (check_that(check, program != NULL, "%s cannot be read", source)) {
        struct store *store = store_bare(ctx, program->regions[0]);
        struct str text = str_new(ctx->arena);
        for (int n = 0; n < DROPS && store_droppable(store, n); n++)
            str_addf(&text, "%s%s", n ? " " : "", store_droppable(store, n)->name);
        check_that(check, strcmp(text.text, expected) == 0, "%s: order %s", source, text.text);
    }
    ctx_free(ctx);
}

/* -1 where these values are for the whole function, not for its region alone. */
static int agrees(struct store *store, const struct kernel *kernel, const char *setting,
                  const char **why)
{
    union value params[64];
    if (!params_set(store->space->region->kernel, setting, params))
        return -1;
    if (kernels_agree(store->ctx, store->space->region->kernel, kernel,
                      (struct trial){params, 0, 1}, why))
        return 1;
    return strncmp(*why, "reference", 9) == 0 ? -1 : 0;
}

static void check_drop(struct check *check, struct store *store, const char *path, const char *text,
                       uint64_t set, int n)
{
    const struct array *array = store_droppable(store, n);
    struct kernel_entry *before = set_kernel(store, set, false),
                        *after = set_kernel(store, set | DROP_BITS[n], false);
    bool was = false, is = false;
    const char *why = "no kernel";
    if (!check_that(check, before && after, "%s: drop-%d makes no kernel", path, n + 1))
        return;
    int count = strategy_staged_count(before->kernel, array->name, &was);
    if (count < 2 || !was)
        return;
    check_that(check, strategy_staged_count(after->kernel, array->name, &is) == count - 1 && !is,
               "%s: drop-%d does not take away %s alone", path, n + 1, array->name);
    const struct poly *least = kernel_shared_words(after->kernel),
                      *words = kernel_shared_words(before->kernel);
    struct sas facts = store->space->region->kernel->facts;
    check_that(check, least && sas_implies(facts, constraint_make(least, RELATION_LE, words)) == 1,
               "%s: drop-%d may need more shared memory", path, n + 1);
    check_that(check, poly_equal(kernel_threads(after->kernel), kernel_threads(before->kernel)),
               "%s: threads", path);
    for (const char *setting; (setting = setting_next(store->ctx, "// SET:", &text));) {
        int ok = agrees(store, after->kernel, setting, &why);
        check->skipped += ok < 0;
        if (ok >= 0)
            check_that(check, ok, "%s: drop-%d: %s", path, n + 1, why);
    }
}

static int check_program(struct check *check, const char *path)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    size_t length;
    int regions = 0;
    ctx->quiet = true;
    struct program *program = program_read(ctx, path, &READING);
    char *text = file_read(ctx, path, &length);
    for (size_t k = 0; program && text && k < program->n_regions; k++) {
        struct store *store = store_bare(ctx, program->regions[k]);
        regions += store_droppable(store, 0) != NULL;
        for (int n = 0; n < DROPS && store_droppable(store, n); n++) {
            check_drop(check, store, path, text, 0, n);
            check_drop(check, store, path, text, STRATEGY_BIT(GRANULARITY), n);
            if (n > 0)
                check_drop(check, store, path, text, DROP_BITS[0], n);
        }
    }
    ctx_free(ctx);
    return regions;
}

static int check_folder(struct check *check, const char *pattern)
{
    glob_t found = {0};
    int regions = 0;
    glob(pattern, 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        regions += check_program(check, found.gl_pathv[i]);
    globfree(&found);
    return regions;
}

int main(void)
{
    struct check check = {0};
    for (size_t i = 0; i < sizeof ORDERS / sizeof *ORDERS; i++)
        check_order(&check, ORDERS[i].source, ORDERS[i].order);
    int regions =
        check_folder(&check, "tests/programs/*.c") + check_folder(&check, "tests/counters/*.c");
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s/%s.c", sample_root(SAMPLES[i]), SAMPLES[i], SAMPLES[i]);
        regions += check_program(&check, path);
    }
    printf("%d regions stage two arrays or more\n", regions);
    check_that(&check, regions >= 8, "only %d regions stage two arrays or more", regions);
    return check_end(&check, "optimizer_drop");
}
