/* Fewer leaves, with proofs: for every sample under several budgets (at small scale transpose; the
   others without one), and for programs in which leaves are dominated or branches alike: each
   variant's `fits` is implied by each of its cases (asked of the solver, constraint by constraint),
   the cases still cover everything and exclude each other, no test has branches that are alike, the
   budget is kept, and the first, the most frugal and the safe variant are still there. Arguments:
   other programs, taken instead. */
#include "optimizer_test.h"

/* Somewhere among them leaves are dominated; where, depends on the estimates. */
static const char *const PROGRAMS[] = {
    "samples/transpose/transpose.c", "tests/programs/conv2d.c",   "tests/programs/dots.c",
    "tests/programs/halves.c",       "tests/programs/mixed.c",    "tests/programs/complex_pairs.c",
    "tests/programs/stages.c",       "tests/programs/triangle.c", "tests/programs/flat_blur.c",
    "tests/programs/rank1.c",
};
/* With coalescing as a target branches are alike: what makes no difference to a product whose rows
   are staged. */
static const char ALIKE[] = "samples/matvec/matvec.c";
static const size_t BUDGETS[] = {0, 2, 3, 5};

static void check_fits(struct check *check, struct ctx *ctx, const struct tree *tree,
                       const char *name)
{
    struct sas context = sas_join(ctx->arena, tree->initial, auxiliary_facts(ctx->arena, tree));
    for (size_t i = 0; i < tree->n_variants; i++)
        for (size_t k = 0; k < tree->variants[i].n_systems; k++) {
            struct sas system =
                sas_join(ctx->arena, context, tree->variants[i].systems[k].constraints);
            struct sas fits = tree->variants[i].fits;
            for (size_t c = 0; c < fits.count; c++) {
                struct str text = str_new(ctx->arena);
                constraint_print(&text, fits.at[c], tree->machine);
                check_that(check, sas_implies(system, fits.at[c]) == 1,
                           "%s: leaf %d, case %zu: %s is not proved", name, tree->variants[i].id, k,
                           text.text);
            }
        }
}

/* Variants of leaves in the order of the tree; NULL if two branches of a test are alike. */
static char *node_text(struct arena *arena, const struct node *node)
{
    if (!node)
        return arena_strdup(arena, "-");
    if (node->kind == NODE_LEAF)
        return arena_printf(arena, "%d", node->variant);
    const char *accept = node_text(arena, node->accept), *refuse = node_text(arena, node->refuse);
    if (!accept || !refuse || strcmp(accept, refuse) == 0)
        return NULL;
    struct str test = str_new(arena);
    constraint_print(&test, node->constraint, 0);
    return arena_printf(arena, "(%s ? %s : %s)", test.text, accept, refuse);
}

/* Is there a branch where nothing is left to try, so that the safe variant runs without a case? */
static bool has_gap(const struct node *node)
{
    return !node || (node->kind == NODE_FORK && (has_gap(node->accept) || has_gap(node->refuse)));
}

static bool has_leaf(const struct tree *tree, const struct variant *like)
{
    for (size_t i = 0; i < tree->n_variants; i++) {
        const struct variant *v = &tree->variants[i];
        bool same = v->n_strategies == like->n_strategies;
        for (size_t k = 0; same && k < v->n_strategies; k++)
            same = v->strategies[k] == like->strategies[k];
        if (same)
            return true;
    }
    return false;
}

static const struct target OCCUPANCY = {"occupancy", true, 50},
                           COALESCING = {"coalescing", false, 0};

/* `target`: what is aimed at, NULL = the resources alone. The region is read anew for each tree. */
static const struct tree *check_tree(struct check *check, struct ctx *ctx,
                                     const struct region *region, size_t budget,
                                     const struct target *target)
{
    struct tree_options options = {
        .max_leaves = budget, .stats = true, .n_targets = target != NULL, .targets = target};
    const struct tree *tree = tree_build(ctx, region, &options);
    const char *name = arena_printf(ctx->arena, "%s, budget %zu, %s", region->name, budget,
                                    target ? target->counter : "resources");
    if (!check_that(check, tree != NULL, "%s: no tree: %s", name, ctx->last))
        return NULL;
    struct tree_partition partition = tree_partition(tree);
    check_fits(check, ctx, tree, name);
    check_that(check, partition.covers == !has_gap(tree->root) && partition.disjoint == 1,
               "%s: covers %d, disjoint %d", name, partition.covers, partition.disjoint);
    check_that(check, node_text(ctx->arena, tree->root) != NULL, "%s: a test makes no difference",
               name);
    check_that(check, !budget || tree->n_variants <= budget, "%s: %zu leaves", name,
               tree->n_variants);
    check_that(check, tree->n_variants > 0 && tree->variants[tree->n_variants - 1].safe,
               "%s: the safe one is not last", name);
    return tree;
}

/* Under the first `n_budgets` of the budgets. */
static void check_sample(struct check *check, const char *name, size_t n_budgets)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct program *program = sample_read(ctx, name);
    const struct tree *whole = NULL;
    if (check_that(check, program != NULL, "%s cannot be read", name))
        for (size_t i = 0; i < n_budgets; i++) {
            const struct tree *tree =
                check_tree(check, ctx, sample_read(ctx, name)->regions[0], BUDGETS[i], NULL);
            whole = i == 0 ? tree : whole;
            if (!tree || !whole || i == 0)
                continue;
            check_that(check,
                       whole->n_variants <= BUDGETS[i] ? tree->n_variants == whole->n_variants
                                                       : tree->n_variants == BUDGETS[i],
                       "%s: %zu leaves of %zu under budget %zu", name, tree->n_variants,
                       whole->n_variants, BUDGETS[i]);
            check_that(check, BUDGETS[i] < 3 || has_leaf(tree, &whole->variants[0]),
                       "%s: the first leaf is gone", name);
            check_tree(check, ctx, sample_read(ctx, name)->regions[0], BUDGETS[i], &OCCUPANCY);
            check_that(check, tree->stats->leaves_cut == whole->n_variants - tree->n_variants,
                       "%s: %zu cut", name, tree->stats->leaves_cut);
        }
    ctx_free(ctx);
}

struct found {
    size_t dominated, merged;
};

static void check_program(struct check *check, const char *source, const struct target *target,
                          struct found *found)
{
    check_test(check);
    struct ctx *ctx = ctx_new();
    struct program *program = program_read(ctx, source, &READING);
    if (check_that(check, program != NULL, "%s cannot be read", source))
        for (size_t r = 0; r < program->n_regions; r++) {
            const struct tree *tree = check_tree(check, ctx, program->regions[r], 0, target);
            found->dominated += tree ? tree->stats->leaves_dominated : 0;
            found->merged += tree ? tree->stats->cases_merged : 0;
        }
    ctx_free(ctx);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    struct found found = {0};
    for (int i = 1; i < argc; i++)
        check_program(&check, argv[i], NULL, &found);
    for (int i = 0; i < SAMPLE_COUNT && argc == 1; i++) {
        bool all = test_scale(0, 1) || strcmp(SAMPLES[i], "transpose") == 0;
        check_sample(&check, SAMPLES[i], all ? sizeof BUDGETS / sizeof *BUDGETS : 1);
    }
    for (size_t i = 0; i < sizeof PROGRAMS / sizeof *PROGRAMS && argc == 1; i++)
        check_program(&check, PROGRAMS[i], NULL, &found);
    if (argc == 1)
        check_program(&check, ALIKE, &COALESCING, &found);
    printf("%zu leaves dominated, %zu cases merged\n", found.dominated, found.merged);
    check_that(&check, argc > 1 || (found.dominated > 2 && found.merged > 0),
               "%zu leaves dominated, %zu cases merged", found.dominated, found.merged);
    return check_end(&check, "optimizer_prune");
}
