/* Targets in the search, on model regions whose counters are texts: what is applied and what is
   passed over, goals of several tests, guards of several conditions, resources that a strategy for
   a target would raise. In every model the leaves' systems hold exactly once at every random point
   where the region as it stands fits: a missed target removes no leaf, and nothing that is done for
   one does. */
#include "base/ctx.h"
#include "optimizer/search.h"
#include "tests/unit/check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST, SECOND, THIRD, MODEL_STRATEGIES };
#define BIT(STRATEGY) ((uint64_t)1 << (STRATEGY))

static const struct strategy STRATEGIES[MODEL_STRATEGIES] = {
    {.name = "first", .code = "x", .family = FAMILY_REMAP, .level = 1},
    {.name = "second", .code = "y", .family = FAMILY_PAD, .level = 1},
    {.name = "third", .code = "z", .family = FAMILY_PRESSURE, .level = 1, .on_ir = true}};

static uint64_t key_set(struct key key)
{
    uint64_t set = 0;
    for (int i = 0; i < MODEL_STRATEGIES; i++)
        if (key_has(key, &STRATEGIES[i]))
            set |= BIT(i);
    return set;
}

/* A counter of a model: its limit is a variable, its sigma ends in -1. */
struct model_counter {
    const char *name;
    int limit;
    bool is_resource;
    int sigma[MODEL_STRATEGIES + 1];
};

/* A piece or a test of a counter as text: guard conditions parted by ';', then the value; or
   "accept | key". NULL: none. */
typedef const char *(*model_text)(uint64_t set, int counter, int part);

struct model {
    const char *name;
    model_text text;
    uint64_t goals;                         /* counters whose parts are tests of a goal */
    int n_counters;
    struct model_counter counters[3];
    const char *bounds[8];
    size_t n_leaves;
    uint64_t sets[8];                       /* by leaf */
    struct arena *arena;
    struct ring *ring;
    struct counter_value *memo[3][1 << MODEL_STRATEGIES];
};

static const struct poly *read_poly(struct model *m, const char *text)
{
    const char *error = NULL;
    const struct poly *p = poly_read(m->ring, text, &error);
    if (!p) {
        printf("FAILED: cannot read %s: %s\n", text, error);
        exit(1);
    }
    return p;
}

static struct constraint read_constraint(struct model *m, const char *text)
{
    struct constraint c;
    const char *error = NULL;
    if (!constraint_read(m->ring, text, &c, &error)) {
        printf("FAILED: cannot read %s: %s\n", text, error);
        exit(1);
    }
    return c;
}

static struct counter_piece piece_read(struct model *m, char *text)
{
    struct counter_piece piece = {.guard = sas_empty(m->ring)};
    for (char *end = strchr(text, ';'); end; end = strchr(text, ';')) {
        *end = '\0';
        piece.guard = sas_add(m->arena, piece.guard, read_constraint(m, text));
        text = end + 1;
    }
    piece.numerator = read_poly(m, text);
    return piece;
}

static struct counter_test test_read(struct model *m, char *text, int id)
{
    const struct poly **key = ARENA_NEW(m->arena, const struct poly *);
    char *bar = strchr(text, '|');
    *bar = '\0';
    *key = read_poly(m, bar + 1);
    return (struct counter_test){id, read_constraint(m, text), 1, key};
}

static const struct counter_value *evaluate(struct model *m, uint64_t set, int counter)
{
    if (m->memo[counter][set])
        return m->memo[counter][set];
    struct counter_value *value = ARENA_NEW(m->arena, struct counter_value);
    struct counter_goal *goal = ARENA_NEW(m->arena, struct counter_goal);
    struct counter_piece *pieces = ARENA_ARRAY(m->arena, struct counter_piece, 4);
    struct counter_test *tests = ARENA_ARRAY(m->arena, struct counter_test, 4);
    bool has_goal = m->goals >> counter & 1;
    for (int part = 0; part < 4; part++) {
        const char *text = m->text(set, counter, part);
        if (text && has_goal)
            tests[goal->count++] = test_read(m, arena_strdup(m->arena, text), part);
        else if (text)
            pieces[value->count++] = piece_read(m, arena_strdup(m->arena, text));
    }
    goal->tests = tests;
    value->goal = has_goal ? goal : NULL;
    value->pieces = pieces;
    return m->memo[counter][set] = value;
}

static const struct counter_value *model_value(struct store *store, struct key key, int counter)
{
    return evaluate(store->model, key_set(key), counter);
}

static bool model_applies(struct store *store, struct key key, int strategy)
{
    (void)store;
    return !key_has(key, &STRATEGIES[strategy]);
}

static bool model_is_staged(struct store *store, struct key key)
{
    (void)store, (void)key;
    return false;
}

/* Where the resources fit as the region stands, one leaf holds. */
static void check_points(struct check *check, struct model *m, const struct search_space *space,
                         const struct search_result *result)
{
    int64_t point[RING_CAPACITY];
    int inside = 0, wrong = 0;
    for (int i = 0; i < 2000; i++) {
        for (int v = 0; v < ring_count(m->ring); v++)
            point[v] = rand() % 21;
        bool fits = sas_holds(space->initial, point) == 1;
        for (int c = 0; c < m->n_counters && fits; c++)
            if (m->counters[c].is_resource)
                fits = constraint_holds(counter_accept(&evaluate(m, 0, c)->pieces[0],
                                                       poly_variable(m->ring, m->counters[c].limit),
                                                       true),
                                        point) == 1;
        int holds = 0;
        for (size_t k = 0; k < result->n_leaves; k++)
            holds += sas_holds(quintuple_system(m->arena, result->leaves[k], space->initial, true),
                               point) == 1;
        inside += fits;
        wrong += fits ? holds != 1 : holds > 1;
    }
    check_that(check, wrong == 0 && inside > 100, "%s: %d of %d points do not lie in one leaf",
               m->name, wrong, inside);
}

static void check_model(struct check *check, const struct model *given)
{
    check_test(check);
    struct model m = *given;
    struct ctx *ctx = ctx_new();
    m.arena = ctx->arena;
    m.ring = ring_new(m.arena);
    for (const char *const *name = (const char *const[]){"P", "R", "Q", "x", NULL}; *name; name++)
        (void)ring_variable(m.ring, *name);
    struct sas initial = sas_empty(m.ring);
    for (const char *const *bound = m.bounds; *bound; bound++)
        initial = sas_add(m.arena, initial, read_constraint(&m, *bound));
    static const struct store_source MODEL = {model_value, model_applies, model_is_staged, NULL};
    struct search_counter counters[3];
    for (int i = 0; i < m.n_counters; i++) {
        const struct model_counter *from = &m.counters[i];
        counters[i] = (struct search_counter){.name = from->name,
                                              .is_resource = from->is_resource,
                                              .sigma = from->sigma,
                                              .limit = poly_variable(m.ring, from->limit)};
        while (from->sigma[counters[i].n_sigma] >= 0)
            counters[i].n_sigma++;
    }
    struct search_space space = {.ctx = ctx,
                                 .arena = m.arena,
                                 .ring = m.ring,
                                 .n_fixed = ring_count(m.ring),
                                 .initial = initial,
                                 .n_counters = m.n_counters,
                                 .n_strategies = MODEL_STRATEGIES,
                                 .counters = counters,
                                 .strategies = STRATEGIES};
    struct store *store = store_new(&space);
    store->source = &MODEL;
    store->model = &m;
    struct search_result result = search_run(&space, store);
    check_that(check, result.ok && result.n_leaves == m.n_leaves, "%s: %zu leaves", m.name,
               result.n_leaves);
    check_that(check, result.depth <= search_height_bound(&space), "%s: deeper than its bound",
               m.name);
    for (size_t i = 0; i < result.n_leaves && i < m.n_leaves; i++)
        check_that(check, key_set(result.leaves[i]->key) == m.sets[i],
                   "%s: leaf %zu has the set %llu", m.name, i,
                   (unsigned long long)key_set(result.leaves[i]->key));
    check_points(check, &m, &space, &result);
    ctx_free(ctx);
}

/* FIRST changes nothing, SECOND makes it worse, THIRD betters it. */
static const char *passed_over(uint64_t set, int counter, int part)
{
    (void)counter;
    const char *now = set & BIT(SECOND) ? "x" : "x + 3";
    return part ? NULL : set & BIT(THIRD) ? "x + 7" : now;
}

/* Nothing betters it: no fork. */
static const char *constant(uint64_t set, int counter, int part)
{
    (void)set, (void)counter;
    return part ? NULL : "x";
}

/* FIRST betters the target and raises the resource from x to x + 5. */
static const char *raises(uint64_t set, int counter, int part)
{
    static const char *const texts[2][2] = {{"x", "x + 5"}, {"3", "9"}};
    return part ? NULL : texts[counter][set & BIT(FIRST) ? 1 : 0];
}

/* A least value in pieces with guards of two conditions. */
static const char *guarded(uint64_t set, int counter, int part)
{
    static const char *const plain[] = {"x <= 8; x <= Q; x", "Q <= 8; Q <= x; Q",
                                        "8 <= x; 8 <= Q; 8"};
    static const char *const better[] = {"x <= 8; x <= Q; x + 2", "Q <= 8; Q <= x; Q + 2",
                                         "8 <= x; 8 <= Q; 10"};
    (void)counter;
    return part > 2 ? NULL : set & BIT(FIRST) ? better[part] : plain[part];
}

/* Two tests: FIRST makes the first one easier, SECOND takes the second one away. */
static const char *tests(uint64_t set, int counter, int part)
{
    (void)counter;
    if (part == 0)
        return set & BIT(FIRST) ? "P*x <= 2*R | x" : "P*x + P <= R | x + 1";
    return part == 1 && !(set & BIT(SECOND)) ? "P*x <= Q | x" : NULL;
}

/* What betters the second target makes the first one harder: that is tested again, and bettered
   where it is missed now. */
static const char *rivals(uint64_t set, int counter, int part)
{
    static const char *const one[] = {"x + 9", "x + 12", "x + 2", "x + 5"};
    if (part)
        return NULL;
    return counter == 0 ? one[set & 3] : set & BIT(SECOND) ? "x + 6" : "x";
}

int main(int argc, char **argv)
{
    enum { P, R, Q };
    struct check check = {0};
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 7;
    static const struct model MODELS[] = {
        {.name = "passed over",
         .text = passed_over,
         .n_counters = 1,
         .bounds = {"x >= 0"},
         .n_leaves = 2,
         .sets = {0, BIT(THIRD)},
         .counters = {{"target", P, false, {FIRST, SECOND, THIRD, -1}}}},
        {.name = "constant",
         .text = constant,
         .n_counters = 1,
         .bounds = {"x >= 0"},
         .n_leaves = 1,
         .sets = {0},
         .counters = {{"target", P, false, {FIRST, SECOND, -1}}}},
        {.name = "raises",
         .text = raises,
         .n_counters = 2,
         .bounds = {"x >= 0"},
         .n_leaves = 3,
         .sets = {0, BIT(FIRST), 0},
         .counters = {{"resource", R, true, {-1}}, {"target", P, false, {FIRST, -1}}}},
        {.name = "guarded",
         .text = guarded,
         .n_counters = 1,
         .bounds = {"x >= 0", "Q >= 0"},
         .n_leaves = 8,
         .sets = {0, BIT(FIRST), 0, BIT(FIRST), 0, BIT(FIRST), 0, BIT(FIRST)},
         .counters = {{"target", P, false, {FIRST, -1}}}},
        {.name = "tests",
         .text = tests,
         .goals = 1,
         .n_counters = 1,
         .bounds = {"x >= 0", "P >= 0", "R >= 0", "Q >= 0"},
         .n_leaves = 4,
         .sets = {0, BIT(SECOND), BIT(FIRST), BIT(FIRST) | BIT(SECOND)},
         .counters = {{"target", P, false, {FIRST, SECOND, -1}}}},
        {.name = "rivals",
         .text = rivals,
         .n_counters = 2,
         .bounds = {"x >= 0"},
         .n_leaves = 5,
         .sets = {0, BIT(SECOND), BIT(FIRST) | BIT(SECOND), BIT(FIRST), BIT(FIRST) | BIT(SECOND)},
         .counters = {{"one", P, false, {FIRST, -1}}, {"other", Q, false, {SECOND, -1}}}},
    };
    printf("seed %u\n", seed);
    srand(seed);
    for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++)
        check_model(&check, &MODELS[i]);
    return check_end(&check, "optimizer_targets");
}
