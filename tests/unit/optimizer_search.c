/* Algorithms 1 and 2 on model regions whose counters are tables: the published trees (spec C-28,
   C-30, C-31), the order of the stacks (C-15), the height bound, partition of the leaves' systems
   at random points, performance counters. */
#include "base/ctx.h"
#include "optimizer/search.h"
#include "tests/unit/check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct check results;

static void check(bool ok, const char *what, const char *got)
{
    if (ok) {
        results.passed++;
        return;
    }
    results.failed++;
    printf("FAILED: %s%s%s\n", what, got ? ": got " : "", got ? got : "");
}

enum { CSE1, CSE2, GRANULARITY, DROP, PRESSURE1, PRESSURE2, PRESSURE3, MODEL_STRATEGIES };

static const struct strategy STRATEGIES[MODEL_STRATEGIES] = {
    [CSE1] =
        {.name = "cse1", .code = "2", .family = FAMILY_CSE_BLOCKS, .level = 1, .sweep = SWEEP_FREE},
    [CSE2] =
        {.name = "cse2", .code = "2", .family = FAMILY_CSE_FLOW, .level = 1, .sweep = SWEEP_FREE},
    [GRANULARITY] = {.name = "granularity", .code = "3b", .family = FAMILY_GRANULARITY, .level = 1},
    [DROP] = {.name = "drop-caching", .code = "4b", .family = FAMILY_DROP_ALL, .level = 1},
    [PRESSURE1] =
        {.name = "pressure1", .code = "p1", .family = FAMILY_PRESSURE, .level = 1, .on_ir = true},
    [PRESSURE2] =
        {.name = "pressure2", .code = "p2", .family = FAMILY_PRESSURE, .level = 2, .on_ir = true},
    [PRESSURE3] =
        {.name = "pressure3", .code = "p3", .family = FAMILY_PRESSURE, .level = 3, .on_ir = true},
};

/* A model region: texts of the values, by whether granularity is reduced. */
struct model {
    struct arena *arena;
    struct ring *ring;
    const char *first, *second;             /* names of the counters */
    const char *registers[2], *other[2];    /* unreduced, reduced */
    bool is_cached;
    struct counter_value *memo[2][2][2];    /* by counter, whether granularity is reduced, whether
                                               nothing is staged */
};

static bool model_applies(struct store *store, struct key key, int strategy)
{
    const struct model *model = store->model;
    (void)key;
    return strategy != DROP || model->is_cached;
}

static bool model_is_staged(struct store *store, struct key key)
{
    const struct model *model = store->model;
    return model->is_cached && !key.level[FAMILY_DROP_ALL];
}

static const struct counter_value *model_value(struct store *store, struct key key, int counter)
{
    struct model *model = store->model;
    bool reduced = key.level[FAMILY_GRANULARITY] > 0, dropped = key.level[FAMILY_DROP_ALL] > 0;
    struct counter_value **memo = &model->memo[counter][reduced][dropped];
    if (*memo)
        return *memo;
    const char *text = counter == 0 ? model->registers[reduced] : model->other[reduced];
    if (counter == 1 && model->is_cached && dropped)
        text = "0";
    const char *error = NULL;
    struct counter_piece *piece = ARENA_NEW(model->arena, struct counter_piece);
    struct counter_value *value = ARENA_NEW(model->arena, struct counter_value);
    piece->guard = sas_empty(model->ring);
    piece->numerator = poly_read(model->ring, text, &error);
    value->count = 1;
    value->pieces = piece;
    return *memo = value;
}

static const struct store_source MODEL = {model_value, model_applies, model_is_staged, NULL};

/* A store that answers as the model does. */
static struct search_result search_model(const struct search_space *space,
                                         const struct store_source *source, struct model *model)
{
    struct store *store = store_new(space);
    store->source = source;
    store->model = model;
    return search_run(space, store);
}

static struct search_counter model_counter(struct ring *ring, const char *name, int limit,
                                           bool is_resource, int n_sigma, const int *sigma)
{
    return (struct search_counter){.name = name,
                                   .is_resource = is_resource,
                                   .limit = poly_variable(ring, limit),
                                   .n_sigma = n_sigma,
                                   .sigma = sigma,
                                   .codes_registers = strcmp(name, "registers") == 0,
                                   .codes_staging = strcmp(name, "shared") == 0};
}

static const int SIGMA_REGISTERS[] = {CSE1, CSE2, GRANULARITY, PRESSURE1, PRESSURE2, PRESSURE3};
static const int SIGMA_SHARED[] = {GRANULARITY, CSE1, CSE2, DROP};

static struct sas system_read(struct arena *arena, struct ring *ring, const char *const *texts)
{
    struct sas sas = sas_empty(ring);
    for (; *texts; texts++) {
        struct constraint c;
        const char *error = NULL;
        if (!constraint_read(ring, *texts, &c, &error)) {
            printf("FAILED: cannot read %s: %s\n", *texts, error);
            exit(1);
        }
        sas = sas_add(arena, sas, c);
    }
    return sas;
}

struct expectation {
    const char *codes[8];                   /* in the order of the leaves */
    const char *systems[8];                 /* minimal systems */
};

static char *codes_text(struct arena *arena, const struct quintuple *q)
{
    struct str text = str_new(arena);
    for (size_t i = 0; i < q->n_codes; i++)
        str_addf(&text, "(%s)", q->codes[i]);
    return text.text;
}

static char *system_text(struct arena *arena, struct sas sas, uint64_t machine)
{
    struct str text = str_new(arena);
    for (size_t i = 0; i < sas.count; i++) {
        str_add(&text, i ? ", " : "");
        constraint_print(&text, sas.at[i], machine);
    }
    return text.text;
}

/* In mode keep exactly one leaf accepts wherever the least demanding code fits, at random points of
   the initial system. */
static void check_partition(struct arena *arena, const struct search_space *space,
                            const struct search_result *result, const char *name)
{
    int64_t point[RING_CAPACITY];
    int several = 0, none = 0, one = 0;
    srand(7);
    for (int i = 0; i < 1000; i++) {
        for (int v = 0; v < ring_count(space->ring); v++)
            point[v] = v < 2 ? rand() % (v ? 300 : 20) : 1 + rand() % 12;
        if (sas_holds(space->initial, point) != 1)
            continue;
        int holds = 0;
        for (size_t k = 0; k < result->n_leaves; k++)
            holds += sas_holds(quintuple_system(arena, result->leaves[k], space->initial, true),
                               point) == 1;
        several += holds > 1;
        none += holds == 0;
        one += holds == 1;
    }
    check(several == 0, name, "a point in several leaves");
    check(one > 0 && none > 0, name, "random points that miss a side");
}

static void run(const char *name, struct model model, bool is_threads, enum tree_mode mode,
                const struct expectation *expected)
{
    check_test(&results);
    struct ctx *ctx = ctx_new();
    struct arena *arena = ctx->arena;
    static const char *const BOUNDS_SHARED[] = {"R_B >= 0", "Z_B >= 0", "s >= 1", "B >= 1",
                                                "B0 >= 1",  "B1 >= 1",  NULL};
    static const char *const BOUNDS_THREADS[] = {"R_B >= 0", "T_B >= 0", "s >= 1", "B >= 1",
                                                 "B0 >= 1",  "B1 >= 1",  NULL};
    model.arena = arena;
    model.ring = ring_new(arena);
    uint64_t machine = (uint64_t)1 << ring_variable(model.ring, "R_B");
    machine |= (uint64_t)1 << ring_variable(model.ring, is_threads ? "T_B" : "Z_B");
    struct search_counter counters[2] = {
        model_counter(model.ring, "registers", 0, true, 6, SIGMA_REGISTERS),
        model_counter(model.ring, is_threads ? "threads" : "shared", 1, true, is_threads ? 0 : 4,
                      SIGMA_SHARED)};
    struct search_space space = {
        .ctx = ctx,
        .arena = arena,
        .ring = model.ring,
        .initial = system_read(arena, model.ring, is_threads ? BOUNDS_THREADS : BOUNDS_SHARED),
        .n_counters = 2,
        .n_strategies = MODEL_STRATEGIES,
        .counters = counters,
        .strategies = STRATEGIES,
        .mode = mode,
        .sweep_always = true};
    space.n_fixed = ring_count(model.ring);
    for (int repeat = 0; repeat < 2; repeat++) {
        space.repeat_gamma = repeat == 1;
        struct search_result result = search_model(&space, &MODEL, &model);
        size_t n = 0;
        while (expected->codes[n])
            n++;
        check(result.ok && result.n_leaves == n, name,
              arena_printf(arena, "%zu leaves", result.n_leaves));
        check(repeat || result.depth <= search_height_bound(&space), "height bound", NULL);
        for (size_t i = 0; i < n && i < result.n_leaves; i++) {
            const struct quintuple *q = result.leaves[i];
            char *codes = codes_text(arena, q);
            check(strcmp(codes, expected->codes[i]) == 0, name, codes);
            struct sas path = quintuple_system(arena, q, sas_empty(model.ring), true);
            char *system = system_text(arena, sas_minimal(arena, path, space.initial), machine);
            check(strcmp(system, expected->systems[i]) == 0, name, system);
        }
        if (mode == TREE_KEEP)
            check_partition(arena, &space, &result, name);
    }
    ctx_free(ctx);
}

static void check_stacks(void)
{
    check_test(&results);
    struct arena *arena = arena_new();
    struct stack stack = {0};
    for (int i = 4; i-- > 1;)
        stack = stack_push(arena, stack, i);
    check(stack_pop(&stack) == 1, "popping takes the first element", NULL);
    struct stack before = stack;
    for (int i = 10; i < 13; i++)
        stack = stack_push(arena, stack, i);
    check(stack_pop(&stack) == 12 && stack_pop(&stack) == 11 && stack_pop(&stack) == 10,
          "after pushing t1..tM the next popped is tM", NULL);
    check(stack_pop(&stack) == 2 && stack.count == 1 && stack_at(stack, 0) == 3,
          "the old elements follow", NULL);
    check(before.count == 2 && stack_at(before, 0) == 2 && stack_at(before, 1) == 3,
          "a stack is changed by its copy", NULL);
    arena_free(arena);
}

/* A performance counter as target: refuse applies the strategy, and the best effort stays when none
   is left. */
static const struct counter_value *target_value(struct store *store, struct key key, int counter)
{
    struct model *model = store->model;
    struct counter_piece *piece = ARENA_NEW(model->arena, struct counter_piece);
    struct counter_value *value = ARENA_NEW(model->arena, struct counter_value);
    (void)counter;
    piece->guard = sas_empty(model->ring);
    piece->numerator = poly_integer(model->ring, key.level[FAMILY_GRANULARITY] ? 3 : 1);
    piece->denominator = poly_integer(model->ring, 4);
    value->count = 1;
    value->pieces = piece;
    return value;
}

static void check_performance(void)
{
    check_test(&results);
    struct ctx *ctx = ctx_new();
    struct arena *arena = ctx->arena;
    static const char *const BOUNDS[] = {"P >= 0", "P <= 1", NULL};
    struct model model = {.arena = arena, .ring = ring_new(arena)};
    static const struct store_source TARGET = {target_value, model_applies, model_is_staged, NULL};
    static const int SIGMA[] = {0};
    struct sas initial = system_read(arena, model.ring, BOUNDS);
    struct search_counter counter = model_counter(model.ring, "efficiency", 0, false, 1, SIGMA);
    struct search_space space = {.ctx = ctx,
                                 .arena = arena,
                                 .ring = model.ring,
                                 .n_fixed = 1,
                                 .initial = initial,
                                 .n_counters = 1,
                                 .n_strategies = 1,
                                 .counters = &counter,
                                 .strategies = &STRATEGIES[GRANULARITY]};
    struct search_result result = search_model(&space, &TARGET, &model);
    check(result.ok && result.n_leaves == 2, "performance counter: two leaves", NULL);
    if (result.n_leaves == 2) {
        check(!quintuple_has(result.leaves[0], 0) && quintuple_has(result.leaves[1], 0),
              "performance counter: plain, improved as the best effort", NULL);
        int64_t top[1] = {1};
        check(sas_holds(quintuple_system(arena, result.leaves[1], space.initial, true), top) == 1,
              "the best effort covers P = 1", NULL);
    }
    ctx_free(ctx);
}

/* Once enough has been tried the search goes straight to the code of last resort, and still covers
   what that code needs. */
static void check_budget(struct model model)
{
    check_test(&results);
    struct ctx *ctx = ctx_new();
    struct arena *arena = ctx->arena;
    struct strategy strategies[MODEL_STRATEGIES];
    static const char *const BOUNDS[] = {"R_B >= 9", "Z_B >= 0", "s >= 1", "B >= 1", NULL};
    memcpy(strategies, STRATEGIES, sizeof strategies);
    strategies[DROP].is_final = true;
    model.arena = arena;
    model.ring = ring_new(arena);
    ring_variable(model.ring, "R_B");
    ring_variable(model.ring, "Z_B");
    struct search_counter counters[2] = {
        model_counter(model.ring, "registers", 0, true, 6, SIGMA_REGISTERS),
        model_counter(model.ring, "shared", 1, true, 4, SIGMA_SHARED)};
    struct sas initial = system_read(arena, model.ring, BOUNDS);
    struct search_space space = {.ctx = ctx,
                                 .arena = arena,
                                 .ring = model.ring,
                                 .n_fixed = ring_count(model.ring),
                                 .initial = initial,
                                 .n_counters = 2,
                                 .n_strategies = MODEL_STRATEGIES,
                                 .counters = counters,
                                 .strategies = strategies};
    size_t whole = search_model(&space, &MODEL, &model).n_leaves;
    space.max_accepted = 2;
    struct search_result result = search_model(&space, &MODEL, &model);
    check(result.ok && whole == 3 && result.n_leaves == 2, "budget of the search: leaves",
          arena_printf(arena, "%zu", result.n_leaves));
    for (size_t i = 1; i < result.n_leaves; i++)
        check(quintuple_has(result.leaves[i], DROP), "budget of the search: not the last resort",
              NULL);
    int64_t small[RING_CAPACITY] = {9, 0, 1, 1};
    check(result.n_leaves == 2 &&
              sas_holds(quintuple_system(arena, result.leaves[1], space.initial, true), small) == 1,
          "budget of the search: the last resort takes the rest", NULL);
    ctx_free(ctx);
}

int main(void)
{
    check_stacks();
    struct model matadd = {.registers = {"14", "10"}, .other = {"B0*B1", "B0*B1"}};
    struct model jacobi = {
        .registers = {"9", "9"}, .other = {"2*s*B + 2", "2*B + 2"}, .is_cached = true};
    struct model transpose = {
        .registers = {"6", "5"}, .other = {"2*s*B0*B1", "2*B0*B1"}, .is_cached = true};
    struct expectation matadd_tree = {
        {"(1)(2)(2)", "(2)(2)(3b)(1)"},
        {"14 <= R_B, B0*B1 <= T_B", "R_B < 14, 10 <= R_B, B0*B1 <= T_B"}};
    struct expectation jacobi_tree = {
        {"(1)(4a)(3a)(2)(2)", "(1)(3b)(4a)(3a)(2)(2)", "(1)(3b)(2)(2)(4b)"},
        {"9 <= R_B, 2*s*B + 2 <= Z_B", "9 <= R_B, Z_B < 2*s*B + 2, 2*B + 2 <= Z_B",
         "9 <= R_B, Z_B < 2*B + 2"}};
    struct expectation jacobi_retract = {
        {"(1)(4a)(3a)(2)(2)", "(1)(3b)(4a)(3a)(2)(2)", "(1)(3b)(2)(2)(4b)"},
        {"9 <= R_B, 2*s*B + 2 <= Z_B", "Z_B < 2*s*B + 2, 2*B + 2 <= Z_B, 9 <= R_B",
         "Z_B < 2*B + 2, 9 <= R_B"}};
    struct expectation transpose_tree = {
        {"(1)(4a)(3a)(2)(2)", "(1)(3b)(4a)(3a)(2)(2)", "(1)(3b)(2)(2)(4b)", "(2)(2)(3b)(1)(4a)(3a)",
         "(2)(2)(3b)(1)(4b)"},
        {"6 <= R_B, 2*s*B0*B1 <= Z_B", "6 <= R_B, Z_B < 2*s*B0*B1, 2*B0*B1 <= Z_B",
         "6 <= R_B, Z_B < 2*B0*B1", "R_B < 6, 5 <= R_B, 2*B0*B1 <= Z_B",
         "R_B < 6, 5 <= R_B, Z_B < 2*B0*B1"}};
    struct expectation transpose_retract = {
        {"(1)(4a)(3a)(2)(2)", "(1)(3b)(4a)(3a)(2)(2)", "(1)(3b)(2)(2)(4b)", "(2)(2)(3b)(1)(4a)(3a)",
         "(2)(2)(3b)(1)(4b)"},
        {"6 <= R_B, 2*s*B0*B1 <= Z_B", "Z_B < 2*s*B0*B1, 2*B0*B1 <= Z_B, 5 <= R_B",
         "Z_B < 2*B0*B1, 5 <= R_B", "R_B < 6, 5 <= R_B, 2*B0*B1 <= Z_B",
         "R_B < 6, Z_B < 2*B0*B1, 5 <= R_B"}};
    run("matadd keep", matadd, true, TREE_KEEP, &matadd_tree);
    run("matadd retract", matadd, true, TREE_RETRACT, &matadd_tree);
    run("jacobi1d keep", jacobi, false, TREE_KEEP, &jacobi_tree);
    run("jacobi1d retract", jacobi, false, TREE_RETRACT, &jacobi_retract);
    run("transpose keep", transpose, false, TREE_KEEP, &transpose_tree);
    run("transpose retract", transpose, false, TREE_RETRACT, &transpose_retract);
    check_performance();
    check_budget(jacobi);
    return check_end(&results, "optimizer_search");
}
