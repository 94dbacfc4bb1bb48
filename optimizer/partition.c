/* Do the cases of a whole tree cover its initial system, and do they exclude each other? In: a tree
   in mode keep (retracted cases may overlap). Over the reals, auxiliary integers by their
   facts alone. */
#include "optimizer/store.h"

/* All cases as systems, with the facts of auxiliary integers. */
static struct sas *tree_cases(struct arena *arena, const struct tree *tree, struct sas facts,
                              size_t *count)
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
    struct arena *scratch = arena_new();
    struct sas facts = auxiliary_facts(scratch, tree),
               initial = sas_join(scratch, tree->initial, facts);
    size_t count, first, second;
    const struct sas *cases = tree_cases(scratch, tree, facts, &count);
    struct tree_partition result = {sas_covers(scratch, initial, cases, count, NULL),
                                    sas_disjoint(initial, cases, count, &first, &second)};
    arena_free(scratch);
    return result;
}
