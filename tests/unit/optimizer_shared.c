/* Shared memory: for every leaf of every sample (also of the trees that aim at freedom from bank
   conflicts, whose tiles are padded) and random points each (8; 100 at full scale), the counter
   `shared`, the dynamic bytes of the launch and the highest byte that a thread touches are one
   number. Where copies are clipped at the border of an array the highest byte may be lower at a
   point, but not at all of them; the longer rows of a padded tile leave at most their last element
   unused. */
#include "ir/walk.h"
#include "tests/unit/optimizer_test.h"

enum { POINTS_MOST = 100, TRIES = 4000, STEPS = 400000 };

struct finding {
    int points, reached;
    size_t least_unused;
};

/* Does a strided band hold a condition? */
static bool has_clipped_copy(struct arena *arena, const struct stmt *body)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, body); s; s = stmt_next(&walk))
        if (s->kind == STMT_BAND && s->strided && stmt_contains(s->children[0], STMT_IF))
            return true;
    return false;
}

static bool has_conditional_band(struct arena *arena, const struct stmt *body)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, body); s; s = stmt_next(&walk))
        if (s->kind == STMT_IF && stmt_contains(s, STMT_BAND))
            return true;
    return false;
}

/* Longer rows: by strategy, or of tiles that are read 16 bytes at a time. */
static bool is_padded(const struct variant *variant)
{
    for (size_t i = 0; i < variant->n_launches; i++) {
        const struct kernel *kernel = variant->launches[i].kernel;
        for (int k = 0; k < kernel->n_arrays; k++)
            if (strncmp(kernel->arrays[k]->name, "vector_shared", 13) == 0)
                return true;
    }
    for (size_t i = 0; i < variant->n_strategies; i++)
        if (strcmp(variant->strategies[i]->name, "pad") == 0)
            return true;
    return false;
}

static bool params_draw(const struct kernel *kernel, union value *params)
{
    int64_t threads = 1;
    for (int i = 0; i < kernel->n_params; i++) {
        const struct param *param = kernel->params[i];
        bool small = param->role == ROLE_TUNABLE;
        params[i] = (union value){.integer = small                      ? 1 + rand() % 6
                                             : param->role == ROLE_SIZE ? 1 + rand() % 30
                                                                        : rand() % 4};
        if (type_is_floating(param->var->type))
            params[i].real = 0.5;
    }
    for (int i = 0; i < kernel->n_block; i++) {
        union value extent;
        if (!expr_evaluate(kernel, kernel->block[i].extent, params, &extent) || extent.integer < 1)
            return false;
        threads *= extent.integer;
    }
    for (int i = 0; i < kernel->n_grid; i++) {
        union value extent;
        if (!expr_evaluate(kernel, kernel->grid[i].extent, params, &extent) || extent.integer < 1)
            return false;
    }
    int64_t point[RING_CAPACITY] = {0};
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->variable >= 0)
            point[kernel->params[i]->variable] = params[i].integer;
    return threads <= 128 && sas_holds(kernel->facts, point) == 1 &&
           !kernel_indivisible(kernel, params);
}

/* Words by the counter at the point, which is a point of every kernel of the region; -1 if there is
   no value. */
static int64_t words_at(const struct variant *variant, const struct kernel *kernel,
                        const union value *params)
{
    int64_t point[RING_CAPACITY] = {0}, words;
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->variable >= 0)
            point[kernel->params[i]->variable] = params[i].integer;
    for (size_t i = 0; i < variant->n_counters; i++)
        if (strcmp(variant->counters[i].counter->name, "shared") == 0 &&
            variant->counters[i].value.count == 1 &&
            poly_evaluate(variant->counters[i].value.pieces[0].numerator, point, &words))
            return words;
    return -1;
}

/* Dynamic bytes of the launch of a kernel. */
static int64_t bytes_at(struct check *check, const struct kernel *kernel, const union value *params)
{
    union value bytes = {.integer = 0};
    if (kernel->shared_bytes)
        check_that(check, expr_evaluate(kernel, kernel->shared_bytes, params, &bytes),
                   "%s: shared_bytes has no value", kernel->name);
    return bytes.integer;
}

/* Of the launch that needs most. */
static int64_t most_bytes_at(struct check *check, const struct variant *variant,
                             const union value *params)
{
    int64_t most = 0;
    for (size_t i = 0; i < variant->n_launches; i++) {
        int64_t bytes = bytes_at(check, variant->launches[i].kernel, params);
        most = bytes > most ? bytes : most;
    }
    return most;
}

static void check_point(struct check *check, struct ctx *ctx, const struct variant *variant,
                        const struct kernel *kernel, const union value *params, struct finding *f)
{
    struct interpret_array *arrays =
        ARENA_ARRAY(ctx->arena, struct interpret_array, kernel->n_arrays + 1);
    if (!data_make(ctx, kernel, params, arrays))
        return;
    struct interpret_input input = {.params = params, .arrays = arrays, .steps = STEPS};
    struct interpret_result result = interpret_threads(ctx->arena, kernel, &input);
    if (result.status == INTERPRET_BUDGET)
        return;
    check_that(check, result.status == INTERPRET_DONE, "%s, leaf %d: %s", kernel->name, variant->id,
               result.message);
    int64_t bytes = bytes_at(check, kernel, params), most = most_bytes_at(check, variant, params);
    int64_t words = words_at(variant, kernel, params);
    check_that(check, words * 4 == most, "%s, leaf %d: %lld words, %lld bytes", kernel->name,
               variant->id, (long long)words, (long long)most);
    check_that(check, (int64_t)result.shared_top <= bytes, "%s, leaf %d: byte %zu of %lld",
               kernel->name, variant->id, result.shared_top, (long long)bytes);
    if (result.shared_top == 0 && stmt_contains(kernel->body, STMT_FOR) && bytes)
        return;                            /* a loop around the staged band that has no round */
    size_t unused = (size_t)bytes - result.shared_top;
    f->least_unused = unused < f->least_unused ? unused : f->least_unused;
    f->reached += unused == 0;
    f->points++;
}

static void check_launch(struct check *check, struct ctx *ctx, const struct variant *variant,
                         const struct kernel *kernel)
{
    struct finding f = {.least_unused = SIZE_MAX};
    int points = test_scale(8, POINTS_MOST);
    bool padded = is_padded(variant);
    bool clipped = has_clipped_copy(ctx->arena, kernel->body);
    bool conditional = has_conditional_band(ctx->arena, kernel->body);
    for (int i = 0; i < TRIES && f.points < points; i++) {
        union value params[64];
        if (params_draw(kernel, params))
            check_point(check, ctx, variant, kernel, params, &f);
    }
    check_that(check, f.points == points, "%s, leaf %d: %d points", kernel->name, variant->id,
               f.points);
    check_that(check, padded ? f.least_unused <= 16 : f.least_unused == 0,
               "%s, leaf %d: never less than %zu bytes are unused", kernel->name, variant->id,
               f.least_unused);
    if (!clipped && !padded && !conditional)
        check_that(check, f.reached == f.points, "%s, leaf %d: all bytes used at %d of %d points",
                   kernel->name, variant->id, f.reached, f.points);
    printf("%s, leaf %d:%s%s %d of %d points use the last byte\n", kernel->name, variant->id,
           padded ? " padded," : "", clipped ? " clipped," : "", f.reached, f.points);
}

static void check_variant(struct check *check, struct ctx *ctx, const struct variant *variant)
{
    for (size_t i = 0; i < variant->n_launches; i++)
        check_launch(check, ctx, variant, variant->launches[i].kernel);
}

int main(int argc, char **argv)
{
    static const struct target TARGETS[] = {{.counter = "banks"}};
    struct check check = {0};
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 43;
    printf("seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < SAMPLE_COUNT; i++)
        for (int aims = 0; aims < 2; aims++) {
            struct tree_options options = {.n_targets = (size_t)aims, .targets = TARGETS};
            struct ctx *ctx = ctx_new();
            struct program *program = sample_read(ctx, SAMPLES[i]);
            check_test(&check);
            bool transposes = strcmp(SAMPLES[i], "transpose") == 0;
            for (size_t k = 0; program && k < program->n_regions && (!aims || transposes); k++) {
                const struct tree *tree = tree_build(ctx, program->regions[k], &options);
                check_that(&check, tree != NULL, "%s: no tree: %s", SAMPLES[i], ctx->last);
                for (size_t v = 0; tree && v < tree->n_variants; v++)
                    if (!tree->variants[v].safe)
                        check_variant(&check, ctx, &tree->variants[v]);
            }
            check_that(&check, program != NULL, "%s cannot be read", SAMPLES[i]);
            ctx_free(ctx);
        }
    return check_end(&check, "optimizer_shared");
}
