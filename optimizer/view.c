/* Cases seen from some of their parameters.

   In: a tree, with a machine's numbers put in or not. Out: the same tree, each case with what
   remains of it when all other parameters are eliminated: the range of each parameter, a formula in
   chosen ones, the cells of that in a plane.
   Invariant: the initial system and the facts of the auxiliary integers belong to every case, so
   that a view is what a user may choose from; its bounds are rounded to integers first, the
   elimination is exact over the reals. */
#include "optimizer/store.h"

struct viewing {
    struct ctx *ctx;
    const struct tree *tree;
    const struct view_options *options;
    struct sas context;          /* initial system and facts of the auxiliary integers */
    uint64_t hidden;             /* auxiliary integers: never shown */
};

static struct sas sas_integral(struct arena *arena, struct sas sas)
{
    struct constraint *at = ARENA_ARRAY(arena, struct constraint, sas.count + 1);
    for (size_t i = 0; i < sas.count; i++)
        at[i] = constraint_integral(arena, sas.at[i]);
    return (struct sas){sas.ring, at, sas.count};
}

/* The case in the variables of `kept`; NULL and view->reason if undecided. */
static const struct formula *case_project(struct viewing *v, struct sas all, uint64_t kept,
                                          struct leaf_view *view)
{
    int variables[RING_CAPACITY];
    size_t count = 0;
    const char *reason = NULL;
    for (int i = 0; i < ring_count(v->tree->ring); i++)
        if (!(kept >> i & 1) && sas_uses(all, i))
            variables[count++] = i;
    const struct formula *f = sas_project(v->ctx->arena, all, variables, count, NULL, &reason);
    if (!f)
        view->reason = reason ? reason : "undecided";
    return f;
}

/* Does the case depend on the parameter, directly or by an auxiliary integer? */
static bool case_uses(const struct viewing *v, struct sas minimal, int variable)
{
    if (sas_uses(minimal, variable))
        return true;
    for (size_t i = 0; i < v->tree->n_auxiliaries; i++) {
        const struct auxiliary *a = v->tree->auxiliaries[i];
        if (auxiliary_uses(a, variable) && case_uses(v, minimal, a->variable))
            return true;
    }
    return false;
}

static void ranges_make(struct viewing *v, struct sas all, struct sas minimal,
                        struct leaf_view *view)
{
    VEC(struct leaf_range) ranges = {0};
    struct tree const *tree = v->tree;
    for (int i = 0; i < ring_count(tree->ring); i++) {
        if (v->hidden >> i & 1 || !case_uses(v, minimal, i))
            continue;
        const struct formula *f = case_project(v, all, (uint64_t)1 << i, view);
        struct leaf_range range = {.variable = i};
        if (!f)
            continue;
        range.at = formula_range(v->ctx->arena, tree->ring, f, i, &range.count);
        vec_push(v->ctx->arena, &ranges, range);
    }
    view->n_ranges = ranges.count;
    view->ranges = ranges.at;
}

static const struct leaf_view *view_make(struct viewing *v, const struct leaf_system *system)
{
    struct leaf_view *view = ARENA_NEW(v->ctx->arena, struct leaf_view);
    struct arena *arena = v->ctx->arena;
    const struct view_options *options = v->options;
    struct sas all = sas_integral(arena, sas_join(arena, v->context, system->minimal));
    uint64_t onto = 0;
    view->options = options;
    for (size_t i = 0; i < options->n_onto; i++)
        onto |= (uint64_t)1 << options->onto[i];
    if (options->ranges)
        ranges_make(v, all, system->minimal, view);
    if (options->n_onto)
        view->projection = case_project(v, all, onto, view);
    if (options->cells && view->projection)
        view->cells = formula_cells(arena, v->tree->ring, view->projection, options->onto[0],
                                    options->onto[1], &view->n_cells, &view->reason);
    return view;
}

const struct tree *tree_view(struct ctx *ctx, const struct tree *tree,
                             const struct view_options *options)
{
    struct tree *result = ARENA_NEW(ctx->arena, struct tree);
    struct variant *variants = ARENA_ARRAY(ctx->arena, struct variant, tree->n_variants + 1);
    struct viewing v = {ctx, tree, options,
                        sas_join(ctx->arena, tree->initial, auxiliary_facts(ctx->arena, tree)), 0};
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        v.hidden |= (uint64_t)1 << tree->auxiliaries[i]->variable;
    for (size_t i = 0; i < tree->n_variants; i++) {
        variants[i] = tree->variants[i];
        struct leaf_system *systems = ARENA_ARRAY(ctx->arena, struct leaf_system,
                                                  variants[i].n_systems + 1);
        for (size_t k = 0; k < variants[i].n_systems; k++) {
            systems[k] = variants[i].systems[k];
            systems[k].view = view_make(&v, &systems[k]);
        }
        variants[i].systems = systems;
    }
    *result = *tree;
    result->variants = variants;
    return result;
}
