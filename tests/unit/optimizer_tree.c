/* Properties of the real trees of all samples (spec C-10, C-12, C-13): at random integer points
   (200; 1,000 at full scale) exactly one leaf, or only the safe variant, accepts; every witness
   satisfies its whole path by exact evaluation; the union of the leaves holds every point where
   some variant fits; per counter some leaf cannot be improved by sigma; what a case takes also
   fits. */
#include "optimizer/search.h"
#include "optimizer_test.h"

/* A multiprocessor's limits, and what occupancy aims at. */
static int64_t multiprocessor_random(const char *name)
{
    static const struct {
        const char *name;
        int64_t values[4];
    } ROWS[] = {
        {"T_M", {1024, 1536, 2048, INT64_MAX}},
        {"N_M", {8, 16, 32, INT64_MAX}},
        {"F_M", {32768, 65536, 65536, INT64_MAX}},
        {"Z_M", {4096, 16384, 41984, INT64_MAX}},
        {"U_F", {1, 64, 256, 256}},
        {"U_Z", {1, 32, 64, 32}},
        {"Z_R", {0, 0, 256, 256}},
        {"O_T", {25, 50, 75, 100}},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (strcmp(ROWS[i].name, name) == 0)
            return ROWS[i].values[rand() % 4];
    return 1 + rand() % 100;
}

static void point_random(const struct tree *tree, int64_t *point)
{
    static const int64_t SHARED[] = {0, 100, 1000, 4096, 8192, 12288, 40000, INT64_MAX};
    static const int64_t THREADS[] = {1, 32, 64, 256, 1024, 1024, INT64_MAX};
    static const int64_t FILE_SIZES[] = {8192, 32768, 65536, INT64_MAX};
    static const int64_t REGISTERS[] = {24, 32, 40, 63, 128, 255, INT64_MAX};
    for (int v = 0; v < ring_count(tree->ring); v++) {
        const char *name = ring_name(tree->ring, v);
        if (strcmp(name, "Z_B") == 0)
            point[v] = SHARED[rand() % 8];
        else if (strcmp(name, "T_B") == 0)
            point[v] = THREADS[rand() % 7];
        else if (strcmp(name, "F_B") == 0)
            point[v] = FILE_SIZES[rand() % 4];
        else if (strcmp(name, "R_B") == 0)
            point[v] = REGISTERS[rand() % 7];
        else if (strcmp(name, "W_B") == 0)
            point[v] = rand() % 2 ? 32 : 64;
        else if (strcmp(name, "Q_B") == 0)
            point[v] = rand() % 2 ? 4 : 1;
        else if (tree->machine >> v & 1)
            point[v] = multiprocessor_random(name);
        else
            point[v] = rand() % 3 ? 1 + rand() % 40 : 1 + rand() % 2000;
    }
}

static void check_point(struct check *check, const struct tree *tree, const char *name,
                        int64_t *point, int *cases)
{
    size_t system = 0;
    int chosen = tree_select(tree, point, &system), holds = 0, fitting = 0;
    if (!tree_point_complete(tree, point) || tree_system_holds(tree, tree->initial, point) != 1)
        return;
    for (size_t i = 0; i < tree->n_variants; i++) {
        const struct variant *variant = &tree->variants[i];
        for (size_t k = 0; k < variant->n_systems; k++)
            if (tree_system_holds(tree, variant->systems[k].constraints, point) == 1) {
                holds++;
                check_that(check, chosen == (int)i && system == k, "%s: select takes %d", name,
                           chosen);
                check_that(check, tree_system_holds(tree, variant->fits, point) == 1,
                           "%s: variant %d is taken but does not fit", name, variant->id);
                int minimal = tree_system_holds(tree, variant->systems[k].minimal, point);
                check_that(check, minimal == 1, "%s: the minimal system of variant %d says %d",
                           name, variant->id, minimal);
            }
        fitting += !variant->safe && tree_system_holds(tree, variant->fits, point) == 1;
    }
    check_that(check, holds <= 1, "%s: %d leaves accept one point", name, holds);
    check_that(check, holds == 1 || tree->variants[chosen].safe,
               "%s: no leaf accepts, yet %d is taken", name, chosen);
    check_that(check, holds == 1 || fitting == 0, "%s: no leaf accepts where %d variants fit", name,
               fitting);
    cases[chosen]++;
}

/* C-10 with an evaluator outside the solver. */
static void check_witnesses(struct check *check, struct ctx *ctx, const struct tree *tree,
                            const char *name)
{
    for (size_t i = 0; i < tree->n_variants; i++)
        for (size_t k = 0; k < tree->variants[i].n_systems; k++) {
            const struct leaf_system *leaf = &tree->variants[i].systems[k];
            if (!leaf->has_witness) {
                printf("note: %s variant %d system %zu has no witness: %s\n", name,
                       tree->variants[i].id, k, leaf->reason);
                check_that(check, leaf->reason != NULL, "%s: neither witness nor reason", name);
                continue;
            }
            size_t system;
            check_that(check, tree_select(tree, leaf->witness, &system) == (int)i && system == k,
                       "%s variant %d: the witness is not in its case", name, tree->variants[i].id);
            struct sas facts = auxiliary_facts(ctx->arena, tree);
            check_that(check, tree_system_holds(tree, facts, leaf->witness) == 1,
                       "%s: auxiliary bounds are wrong", name);
        }
}

static uint64_t variant_set(const struct variant *variant)
{
    uint64_t set = 0;
    for (size_t i = 0; i < variant->n_strategies; i++)
        set |= (uint64_t)1 << strategy_find(variant->strategies[i]->name);
    return set;
}

/* C-13: max(24, r) for registers, since no budget is smaller. */
static const struct poly *floor_24(const struct poly *p)
{
    int64_t value;
    return poly_get_integer(p, &value) && value < 24 ? poly_integer(poly_ring(p), 24) : p;
}

static bool improves(struct store *store, const struct variant *variant,
                     const struct counter *counter)
{
    uint64_t set = variant_set(variant);
    int symbol = counter_find(counter->name);
    const struct counter_value *own = set_value(store, set, symbol);
    for (int i = 0; i < STRATEGY_COUNT; i++) {
        const char *at = strstr(counter->sigma, strategy_table(i)->name);
        if (!at || set >> i & 1)
            continue;
        const struct counter_value *other = set_value(store, set | (uint64_t)1 << i, symbol);
        struct slots slots = {0};
        const struct poly *a = value_bind(store->space, own, &slots, 0)->pieces[0].numerator;
        const struct poly *b =
            other ? value_bind(store->space, other, &slots, 0)->pieces[0].numerator : a;
        if (symbol == COUNTER_REGISTERS) {
            a = floor_24(a);
            b = floor_24(b);
        }
        if (!poly_equal(a, b) &&
            sas_implies(store->space->initial, constraint_make(a, RELATION_LE, b)) != 1)
            return true;
    }
    return false;
}

static void check_optimality(struct check *check, struct ctx *ctx, const struct tree *tree,
                             const char *name)
{
    struct store *store = store_bare(ctx, tree->region);
    for (int c = 0; c < COUNTER_COUNT; c++) {
        bool found = counter_table(c)->kind != COUNTER_RESOURCE || c == COUNTER_DEVICE_WORDS;
        for (size_t i = 0; i < tree->n_variants && !found; i++)
            found = !improves(store, &tree->variants[i], counter_table(c));
        check_that(check, found, "%s: every leaf can be improved in %s", name,
                   counter_table(c)->name);
    }
}

/* A tree of one machine takes the variant that the whole tree takes there. */
static void check_specialised(struct check *check, struct ctx *ctx, const struct tree *tree,
                              const char *name)
{
    for (int machine = 0; machine < 4; machine++) {
        int64_t point[RING_CAPACITY], values[RING_CAPACITY];
        int differ = 0;
        point_random(tree, values);
        const struct tree *own = tree_specialise(ctx, tree, values);
        for (int i = 0; i < 100; i++) {
            point_random(tree, point);
            for (int v = 0; v < ring_count(tree->ring); v++)
                if (tree->machine >> v & 1)
                    point[v] = values[v];
            int a = tree_select(tree, point, NULL), b = tree_select(own, point, NULL);
            differ += a < 0 || b < 0 || tree->variants[a].id != own->variants[b].id;
        }
        check_that(check, differ == 0, "%s: the tree of a machine differs at %d of 100 points",
                   name, differ);
    }
}

/* With targets the rest of the tree's properties hold as well. */
static void check_region(struct check *check, struct ctx *ctx, const struct region *region,
                         size_t n_targets)
{
    check_test(check);
    static const struct target targets[] = {{"occupancy", false, 0}};
    struct tree_options options = {.n_targets = n_targets, .targets = targets};
    const struct tree *tree = tree_build(ctx, region, &options);
    const char *name =
        n_targets ? arena_printf(ctx->arena, "%s with targets", region->name) : region->name;
    int cases[64] = {0};
    if (!check_that(check, tree != NULL, "%s: no tree: %s", name, ctx->last))
        return;
    check_that(check, tree->variants[tree->n_variants - 1].safe, "%s: the safe variant is not last",
               name);
    check_that(check, tree->variants[tree->n_variants - 1].fits.count == 0,
               "%s: the safe variant needs something", name);
    struct str picture = str_new(ctx->arena);
    tree_print(ctx, &picture, tree);
    check_that(check, picture.length > 0, "%s: no picture", name);
    if (getenv("TREEFORK_SHOW"))
        printf("%s\n", picture.text);
    for (int i = 0; i < test_scale(200, 1000); i++) {
        int64_t point[RING_CAPACITY];
        point_random(tree, point);
        check_point(check, tree, name, point, cases);
    }
    printf("%s:", name);
    for (size_t i = 0; i < tree->n_variants; i++)
        printf(" variant %d %d times%s", tree->variants[i].id, cases[i],
               i + 1 < tree->n_variants ? "," : "");
    printf("; %zu unknown\n", tree->n_unknown);
    check_witnesses(check, ctx, tree, name);
    check_optimality(check, ctx, tree, name);
    check_specialised(check, ctx, tree, name);
}

/* Names and numbers do not hang on what was asked before: made again over the same region a tree is
   the same. */
static void check_again(struct check *check, struct ctx *ctx, const struct region *region)
{
    check_test(check);
    static const struct target targets[] = {{"occupancy", false, 0}};
    struct tree_options options = {.n_targets = 1, .targets = targets};
    struct str first = str_new(ctx->arena);
    for (int i = 0; i < 3; i++) {
        struct str text = i ? str_new(ctx->arena) : first;
        const struct tree *tree = tree_build(ctx, region, &options);
        if (!check_that(check, tree != NULL, "%s: no tree: %s", region->name, ctx->last))
            return;
        tree_print(ctx, &text, tree);
        check_that(check, i == 0 || strcmp(text.text, first.text) == 0, "%s: tree %d differs",
                   region->name, i + 1);
        if (i == 0)
            first = text;
    }
}

/* A region with as many parameters as the front end takes: strategies never ask for more variables
   than the ring has left. */
static void check_crowded(struct check *check, int extra)
{
    static const struct target targets[] = {{"occupancy", false, 0}};
    struct tree_options options = {.n_targets = 1, .targets = targets};
    struct ctx *ctx = ctx_new();
    struct str text = str_new(ctx->arena);
    str_add(&text, "#include <metafork.h>\nvoid f(int n, int B, int s");
    for (int i = 0; i < extra; i++)
        str_addf(&text, ", int p%d", i);
    str_add(&text,
            ", float a[n]) {\n int dim = n / (s * B);\n meta_schedule cache(a) {\n"
            "  meta_for (int i = 0; i < dim; i++)\n   meta_for (int j = 0; j < B; j++)\n"
            "    for (int k = 0; k < s; k++) { int x = (i * s + k) * B + j; a[x] = a[x] * 2");
    for (int i = 0; i < extra; i++)
        str_addf(&text, " + p%d", i);
    str_add(&text, "; }\n } }\n");
    struct program *program = program_read_text(ctx, "crowded.c", text.text, text.length, &READING);
    const struct tree *tree = program ? tree_build(ctx, program->regions[0], &options) : NULL;
    check_that(check, tree && tree->n_variants > 2, "%d more parameters: %s", extra, ctx->last);
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct samples samples = {0};
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 19;
    printf("seed %u\n", seed);
    srand(seed);
    while (samples_next(&check, &samples)) {
        bool aims = test_scale(0, 1) || strcmp(samples.name, "jacobi1d") == 0 ||
                    strcmp(samples.name, "matvec") == 0;
        for (size_t k = 0; k < samples.program->n_regions; k++)
            for (size_t targets = 0; targets < (aims ? 2 : 1); targets++)
                check_region(&check, samples.ctx, samples.program->regions[k], targets);
        if (strcmp(samples.name, "matmul") == 0)
            check_again(&check, samples.ctx, samples.program->regions[0]);
    }
    check_crowded(&check, 0);
    check_crowded(&check, 37);
    return check_end(&check, "optimizer_tree");
}
