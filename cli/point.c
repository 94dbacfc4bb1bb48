/* Points of a tree's parameter space, and constraints told with their numbers. */
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

/* The machine parameter of c whose value is infinite at the point, -1 if none. */
static int infinite_variable(const struct tree *tree, struct constraint c, const int64_t *point)
{
    for (int v = 0; v < ring_count(tree->ring); v++)
        if (tree->machine >> v & 1 && point[v] == TREEFORK_UNLIMITED && poly_uses(c.poly, v))
            return v;
    return -1;
}

int constraint_truth(const struct tree *tree, struct constraint c, const int64_t *point)
{
    return tree_system_holds(tree, (struct sas){tree->ring, &c, 1}, point);
}

static void print_side(struct str *out, const struct tree *tree, const char *text,
                       const int64_t *point)
{
    const char *error = NULL;
    const struct poly *p = poly_read(tree->ring, text, &error);
    int64_t value, constant;
    int v = p ? infinite_variable(tree, (struct constraint){p, RELATION_LE}, point) : -1;
    if (!p || poly_get_integer(p, &constant))
        str_add(out, text);
    else if (v >= 0)
        str_addf(out, "%s = unlimited", text);
    else if (poly_evaluate(p, point, &value))
        str_addf(out, "%s = %lld", text, (long long)value);
    else
        str_addf(out, "%s = (beyond 64 bits)", text);
}

int constraint_explain(struct str *out, const struct tree *tree, struct constraint c,
                       const int64_t *point)
{
    static const char *const relations[] = {" <= ", " >= ", " == ", " != ", " < ", " > "};
    struct str text = str_new(out->arena);
    constraint_print(&text, c, tree->machine);
    int truth = constraint_truth(tree, c, point);
    for (size_t i = 0; i < sizeof relations / sizeof relations[0]; i++) {
        const char *at = strstr(text.text, relations[i]);
        if (!at)
            continue;
        print_side(out, tree, arena_strndup(out->arena, text.text, (size_t)(at - text.text)),
                   point);
        str_add(out, relations[i]);
        print_side(out, tree, at + strlen(relations[i]), point);
        break;
    }
    str_add(out, truth > 0 ? "   holds" : truth == 0 ? "   does not hold" : "   overflows");
    return truth;
}
