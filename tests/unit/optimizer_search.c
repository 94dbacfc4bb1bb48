/* Algorithms 1 and 2 on model regions whose counters are tables: the published trees (spec C-28, C-30, C-31), the order
   of the stacks (C-15), the height bound, partition of the leaves' systems at random points, performance counters. */
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

static const struct search_strategy STRATEGIES[MODEL_STRATEGIES] = {
    [CSE1] = {"cse1", "2", false, true, false},         [CSE2] = {"cse2", "2", false, true, false},
    [GRANULARITY] = {"granularity", "3b", false, false, false}, [DROP] = {"drop-caching", "4b", false, false, false},
    [PRESSURE1] = {"pressure1", "p1", true, false, false}, [PRESSURE2] = {"pressure2", "p2", true, false, false},
    [PRESSURE3] = {"pressure3", "p3", true, false, false},
};

/* A model region: texts of the values, by whether granularity is reduced. */
struct model {
    struct arena *arena;
    struct ring *ring;
    const char *first, *second;             /* names of the counters */
    const char *registers[2], *other[2];    /* unreduced, reduced */
    bool is_cached;
    struct counter_value *memo[2][1 << MODEL_STRATEGIES];
};

static bool model_applicable(void *state, uint64_t set, int strategy)
{
    struct model *model = state;
    (void)set;
    return strategy != DROP || model->is_cached;
}

static bool model_is_staged(void *state, uint64_t set)
{
    struct model *model = state;
    return model->is_cached && !(set >> DROP & 1);
}

static const struct counter_value *model_evaluate(void *state, uint64_t set, int counter)
{
    struct model *model = state;
    if (model->memo[counter][set])
        return model->memo[counter][set];
    bool reduced = set >> GRANULARITY & 1;
    const char *text = counter == 0 ? model->registers[reduced] : model->other[reduced];
    if (counter == 1 && model->is_cached && (set >> DROP & 1))
        text = "0";
    const char *error = NULL;
    struct counter_piece *piece = ARENA_NEW(model->arena, struct counter_piece);
    struct counter_value *value = ARENA_NEW(model->arena, struct counter_value);
    piece->guard = sas_empty(model->ring);
    piece->numerator = poly_read(model->ring, text, &error);
    value->count = 1;
    value->pieces = piece;
    return model->memo[counter][set] = value;
}

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
    for (int i = 0; i < q->n_codes; i++)
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

/* In mode keep exactly one leaf accepts wherever the least demanding code fits, at random points of the initial system. */
static void check_partition(struct arena *arena, const struct search_problem *problem, const struct search_result *result,
                            const char *name)
{
    int64_t point[RING_CAPACITY];
    int several = 0, none = 0, one = 0;
    srand(7);
    for (int i = 0; i < 1000; i++) {
        for (int v = 0; v < ring_count(problem->ring); v++)
            point[v] = v < 2 ? rand() % (v ? 300 : 20) : 1 + rand() % 12;
        if (sas_holds(problem->initial, point) != 1)
            continue;
        int holds = 0;
        for (size_t k = 0; k < result->n_leaves; k++)
            holds += sas_holds(quintuple_system(arena, result->leaves[k].q, problem->initial, true), point) == 1;
        several += holds > 1;
        none += holds == 0;
        one += holds == 1;
    }
    check(several == 0, name, "a point in several leaves");
    check(one > 0 && none > 0, name, "random points that miss a side");
}

static void run(const char *name, struct model model, bool is_threads, enum tree_mode mode, const struct expectation *expected)
{
    check_test(&results);
    struct arena *arena = arena_new();
    struct search_counter counters[2] = {
        {"registers", 0, true, 6, {CSE1, CSE2, GRANULARITY, PRESSURE1, PRESSURE2, PRESSURE3}, true, false, NULL},
        {is_threads ? "threads" : "shared", 1, true, is_threads ? 0 : 4, {GRANULARITY, CSE1, CSE2, DROP}, false, !is_threads, NULL},
    };
    static const char *const BOUNDS_SHARED[] = {"R_B >= 0", "Z_B >= 0", "s >= 1", "B >= 1", "B0 >= 1", "B1 >= 1", NULL};
    static const char *const BOUNDS_THREADS[] = {"R_B >= 0", "T_B >= 0", "s >= 1", "B >= 1", "B0 >= 1", "B1 >= 1", NULL};
    model.arena = arena;
    model.ring = ring_new(arena);
    uint64_t machine = (uint64_t)1 << ring_variable(model.ring, "R_B");
    machine |= (uint64_t)1 << ring_variable(model.ring, is_threads ? "T_B" : "Z_B");
    struct search_problem problem = {
        .ring = model.ring, .initial = system_read(arena, model.ring, is_threads ? BOUNDS_THREADS : BOUNDS_SHARED),
        .n_counters = 2, .n_strategies = MODEL_STRATEGIES, .counters = counters, .strategies = STRATEGIES, .state = &model,
        .applicable = model_applicable, .evaluate = model_evaluate, .is_staged = model_is_staged, .mode = mode,
        .sweep_always = true};
    for (int repeat = 0; repeat < 2; repeat++) {
        problem.repeat_gamma = repeat == 1;
        struct search_result result = optimizer_search(arena, &problem);
        size_t n = 0;
        while (expected->codes[n])
            n++;
        check(result.ok && result.n_leaves == n, name, arena_printf(arena, "%zu leaves", result.n_leaves));
        check(repeat || result.depth <= search_height_bound(&problem), "height bound", NULL);
        for (size_t i = 0; i < n && i < result.n_leaves; i++) {
            const struct quintuple *q = result.leaves[i].q;
            char *codes = codes_text(arena, q);
            check(strcmp(codes, expected->codes[i]) == 0, name, codes);
            struct sas path = quintuple_system(arena, q, sas_empty(model.ring), true);
            char *system = system_text(arena, sas_minimal(arena, path, problem.initial), machine);
            check(strcmp(system, expected->systems[i]) == 0, name, system);
        }
        if (mode == TREE_KEEP)
            check_partition(arena, &problem, &result, name);
    }
    arena_free(arena);
}

static void check_stacks(void)
{
    check_test(&results);
    struct stack stack = {0};
    for (int i = 4; i-- > 1;)
        stack_push(&stack, i);
    check(stack_pop(&stack) == 1, "popping takes the first element", NULL);
    for (int i = 10; i < 13; i++)
        stack_push(&stack, i);
    check(stack_pop(&stack) == 12 && stack_pop(&stack) == 11 && stack_pop(&stack) == 10,
          "after pushing t1..tM the next popped is tM", NULL);
    check(stack_pop(&stack) == 2 && stack.count == 1 && stack_at(&stack, 0) == 3, "the old elements follow", NULL);
}

/* A performance counter as target: refuse applies the strategy, and the best effort stays when none is left. */
static const struct counter_value *target_evaluate(void *state, uint64_t set, int counter)
{
    struct model *model = state;
    struct counter_piece *piece = ARENA_NEW(model->arena, struct counter_piece);
    struct counter_value *value = ARENA_NEW(model->arena, struct counter_value);
    (void)counter;
    piece->guard = sas_empty(model->ring);
    piece->numerator = poly_integer(model->ring, set & 1 ? 3 : 1);
    piece->denominator = poly_integer(model->ring, 4);
    value->count = 1;
    value->pieces = piece;
    return value;
}

static void check_performance(void)
{
    check_test(&results);
    struct arena *arena = arena_new();
    static const char *const BOUNDS[] = {"P >= 0", "P <= 1", NULL};
    struct model model = {.arena = arena, .ring = ring_new(arena)};
    struct search_counter counter = {"efficiency", 0, false, 1, {0}, false, false, NULL};
    struct search_problem problem = {
        .ring = model.ring, .initial = system_read(arena, model.ring, BOUNDS), .n_counters = 1, .n_strategies = 1,
        .counters = &counter, .strategies = &STRATEGIES[GRANULARITY], .state = &model, .applicable = model_applicable,
        .evaluate = target_evaluate, .is_staged = model_is_staged};
    struct search_result result = optimizer_search(arena, &problem);
    check(result.ok && result.n_leaves == 2, "performance counter: two leaves", NULL);
    if (result.n_leaves == 2) {
        check(result.leaves[0].q->set == 0 && result.leaves[1].q->set == 1,
              "performance counter: plain, improved as the best effort", NULL);
        int64_t top[1] = {1};
        check(sas_holds(quintuple_system(arena, result.leaves[1].q, problem.initial, true), top) == 1,
              "the best effort covers P = 1", NULL);
    }
    arena_free(arena);
}

/* Once enough has been tried the search goes straight to the code of last resort, and still covers what that code needs. */
static void check_budget(struct model model)
{
    check_test(&results);
    struct arena *arena = arena_new();
    struct search_strategy strategies[MODEL_STRATEGIES];
    struct search_counter counters[2] = {
        {"registers", 0, true, 6, {CSE1, CSE2, GRANULARITY, PRESSURE1, PRESSURE2, PRESSURE3}, true, false, NULL},
        {"shared", 1, true, 4, {GRANULARITY, CSE1, CSE2, DROP}, false, true, NULL}};
    static const char *const BOUNDS[] = {"R_B >= 9", "Z_B >= 0", "s >= 1", "B >= 1", NULL};
    memcpy(strategies, STRATEGIES, sizeof strategies);
    strategies[DROP].is_final = true;
    model.arena = arena;
    model.ring = ring_new(arena);
    ring_variable(model.ring, "R_B");
    ring_variable(model.ring, "Z_B");
    struct search_problem problem = {
        .ring = model.ring, .initial = system_read(arena, model.ring, BOUNDS), .n_counters = 2,
        .n_strategies = MODEL_STRATEGIES, .counters = counters, .strategies = strategies, .state = &model,
        .applicable = model_applicable, .evaluate = model_evaluate, .is_staged = model_is_staged};
    size_t whole = optimizer_search(arena, &problem).n_leaves;
    problem.max_accepted = 2;
    struct search_result result = optimizer_search(arena, &problem);
    check(result.ok && whole == 3 && result.n_leaves == 2, "budget of the search: leaves", arena_printf(arena, "%zu", result.n_leaves));
    for (size_t i = 1; i < result.n_leaves; i++)
        check(result.leaves[i].q->set >> DROP & 1, "budget of the search: not the last resort", NULL);
    int64_t small[RING_CAPACITY] = {9, 0, 1, 1};
    check(result.n_leaves == 2 &&
              sas_holds(quintuple_system(arena, result.leaves[1].q, problem.initial, true), small) == 1,
          "budget of the search: the last resort takes the rest", NULL);
    arena_free(arena);
}

int main(void)
{
    check_stacks();
    struct model matadd = {.registers = {"14", "10"}, .other = {"B0*B1", "B0*B1"}};
    struct model jacobi = {.registers = {"9", "9"}, .other = {"2*s*B + 2", "2*B + 2"}, .is_cached = true};
    struct model transpose = {.registers = {"6", "5"}, .other = {"2*s*B0*B1", "2*B0*B1"}, .is_cached = true};
    struct expectation matadd_tree = {{"(1)(2)(2)", "(2)(2)(3b)(1)"},
                                      {"14 <= R_B, B0*B1 <= T_B", "R_B < 14, 10 <= R_B, B0*B1 <= T_B"}};
    struct expectation jacobi_tree = {
        {"(1)(4a)(3a)(2)(2)", "(1)(3b)(4a)(3a)(2)(2)", "(1)(3b)(2)(2)(4b)"},
        {"9 <= R_B, 2*s*B + 2 <= Z_B", "9 <= R_B, Z_B < 2*s*B + 2, 2*B + 2 <= Z_B", "9 <= R_B, Z_B < 2*B + 2"}};
    struct expectation jacobi_retract = {
        {"(1)(4a)(3a)(2)(2)", "(1)(3b)(4a)(3a)(2)(2)", "(1)(3b)(2)(2)(4b)"},
        {"9 <= R_B, 2*s*B + 2 <= Z_B", "Z_B < 2*s*B + 2, 2*B + 2 <= Z_B, 9 <= R_B", "Z_B < 2*B + 2, 9 <= R_B"}};
    struct expectation transpose_tree = {
        {"(1)(4a)(3a)(2)(2)", "(1)(3b)(4a)(3a)(2)(2)", "(1)(3b)(2)(2)(4b)", "(2)(2)(3b)(1)(4a)(3a)", "(2)(2)(3b)(1)(4b)"},
        {"6 <= R_B, 2*s*B0*B1 <= Z_B", "6 <= R_B, Z_B < 2*s*B0*B1, 2*B0*B1 <= Z_B", "6 <= R_B, Z_B < 2*B0*B1",
         "R_B < 6, 5 <= R_B, 2*B0*B1 <= Z_B", "R_B < 6, 5 <= R_B, Z_B < 2*B0*B1"}};
    struct expectation transpose_retract = {
        {"(1)(4a)(3a)(2)(2)", "(1)(3b)(4a)(3a)(2)(2)", "(1)(3b)(2)(2)(4b)", "(2)(2)(3b)(1)(4a)(3a)", "(2)(2)(3b)(1)(4b)"},
        {"6 <= R_B, 2*s*B0*B1 <= Z_B", "Z_B < 2*s*B0*B1, 2*B0*B1 <= Z_B, 5 <= R_B", "Z_B < 2*B0*B1, 5 <= R_B",
         "R_B < 6, 5 <= R_B, 2*B0*B1 <= Z_B", "R_B < 6, Z_B < 2*B0*B1, 5 <= R_B"}};
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
