/* Points of a tree's parameter space. */
#include "cli/cli.h"
#include <string.h>

/* Does the choice of a leaf depend on variable v? */
static bool tree_uses(const struct tree *tree, int v)
{
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        if (auxiliary_uses(tree->auxiliaries[i], v))
            return true;
    for (size_t i = 0; i < tree->n_variants; i++) {
        const struct variant *variant = &tree->variants[i];
        if (sas_uses(variant->fits, v))
            return true;
        for (size_t j = 0; j < variant->n_systems; j++)
            if (sas_uses(variant->systems[j].constraints, v))
                return true;
    }
    return false;
}

bool point_make(struct ctx *ctx, const struct tree *tree, const struct treefork_machine *machine,
                const struct assignments *set, int64_t **point)
{
    struct str missing = str_new(ctx->arena);
    int count = ring_count(tree->ring);
    *point = ARENA_ARRAY(ctx->arena, int64_t, RING_CAPACITY);
    for (int v = 0; v < count; v++) {
        const char *name = ring_name(tree->ring, v);
        const int64_t *given = assignment_find(set, name);
        int parameter = tree->machine >> v & 1 ? treefork_parameter_find(name) : -1;
        if (given)
            (*point)[v] = *given;
        else if (parameter >= 0)
            (*point)[v] = machine->value[parameter];
        else if (region_default(tree->region, name))
            (*point)[v] = region_default(tree->region, name);
        else if (kernel_param(tree->region->kernel, name) && !tree_uses(tree, v))
            (*point)[v] = kernel_param(tree->region->kernel, name)->lo;
        else if (kernel_param(tree->region->kernel, name))
            str_addf(&missing, "%s%s", missing.length ? ", " : "", name);
    }
    if (missing.length) {
        diag_error(ctx, loc_none(), "region %s needs --set for: %s", tree->region->name,
                   missing.text);
        return false;
    }
    if (tree_point_complete(tree, *point))
        return true;
    diag_error(ctx, loc_none(), "region %s: a value leaves 64 bits", tree->region->name);
    return false;
}

int constraint_truth(const struct tree *tree, struct constraint c, const int64_t *point)
{
    return tree_system_holds(tree, (struct sas){tree->ring, &c, 1}, point);
}
