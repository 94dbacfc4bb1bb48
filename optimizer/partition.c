/* What the solver says about a whole tree: do its cases exclude each other, and does every point that meets what a variant
   needs lie in some case? In: a tree in mode keep (retracted cases may overlap) and without a machine's numbers; out:
   counts. Over the reals, auxiliary integers by their facts, so a gap or an overlap may be one between integers. The safe
   variant takes what no case takes: it needs nothing and is not asked about. */
#include "optimizer/optimizer.h"

/* All cases as systems, with the facts of auxiliary integers. */
static struct sas *tree_cases(struct arena *arena, const struct tree *tree, struct sas facts, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < tree->n_variants; i++)
        *count += tree->variants[i].n_systems;
    struct sas *cases = ARENA_ARRAY(arena, struct sas, *count + 1);
    size_t n = 0;
    for (size_t i = 0; i < tree->n_variants; i++)
        for (size_t k = 0; k < tree->variants[i].n_systems; k++)
            cases[n++] = sas_join(arena, tree->variants[i].systems[k].constraints, facts);
    return cases;
}

struct tree_partition tree_partition(const struct tree *tree)
{
    struct tree_partition result = {0};
    struct arena *scratch = arena_new();
    struct sas facts = auxiliary_facts(scratch, tree), initial = sas_join(scratch, tree->initial, facts);
    const struct sas *cases = tree_cases(scratch, tree, facts, &result.cases);
    for (size_t i = 0; i < tree->n_variants; i++) {
        if (tree->variants[i].safe)
            continue;
        int covers = sas_covers(scratch, sas_join(scratch, initial, tree->variants[i].fits), cases, result.cases, NULL);
        result.covered += covers == 1;
        result.gaps += covers == 0;
        result.undecided += covers < 0;
    }
    size_t first, second;
    result.disjoint = sas_disjoint(initial, cases, result.cases, &first, &second);
    arena_free(scratch);
    return result;
}
