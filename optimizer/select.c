/* Which case holds at a point: exact evaluation of the tree's systems.

   In: an integer point; INT64_MAX for a machine parameter says that there is no limit. Out: 1, 0,
   or -1 where a value leaves 64 bits. An unlimited resource makes its accept constraint true and
   its refuse constraint false without evaluating them (design: "v <= infinity is
   true unevaluated").
   Invariant: auxiliary integers are computed from their definitions, never read from the point; one
   that leaves 64 bits is more than any number, as in the dispatcher. */
#include "optimizer/store.h"
#include <string.h>

/* Truth where variable v is infinite: the sign of its coefficient decides. */
static int infinite_holds(struct constraint c, int v, const int64_t *point)
{
    int64_t coefficient;
    if (!poly_evaluate(poly_coefficient(c.poly, v, 1), point, &coefficient))
        return -1;
    if (coefficient == 0 || poly_degree(c.poly, v) > 1)
        return -1;
    switch (c.relation) {
    case RELATION_LT:
    case RELATION_LE: return coefficient < 0;
    case RELATION_GT:
    case RELATION_GE: return coefficient > 0;
    case RELATION_EQ: return 0;
    default: return 1;
    }
}

static int point_holds(const struct tree *tree, struct constraint c, const int64_t *point)
{
    for (int v = 0; v < ring_count(tree->ring); v++)
        if ((tree->machine >> v & 1) && point[v] == INT64_MAX && poly_uses(c.poly, v))
            return infinite_holds(c, v, point);
    return constraint_holds(c, point);
}

int tree_system_holds(const struct tree *tree, struct sas sas, const int64_t *point)
{
    for (size_t i = 0; i < sas.count; i++) {
        int holds = point_holds(tree, sas.at[i], point);
        if (holds != 1)
            return holds;
    }
    return 1;
}

bool tree_point_complete(const struct tree *tree, int64_t *point)
{
    bool complete = true;
    for (size_t i = 0; i < tree->n_auxiliaries; i++) {
        const struct auxiliary *a = tree->auxiliaries[i];
        if (auxiliary_evaluate(a, point, &point[a->variable]))
            continue;
        complete = false;
        point[a->variable] = INT64_MAX;
    }
    return complete;
}

int tree_select(const struct tree *tree, const int64_t *point, size_t *system)
{
    int64_t complete[RING_CAPACITY];
    int safe = -1;
    memcpy(complete, point, (size_t)ring_count(tree->ring) * sizeof *complete);
    (void)tree_point_complete(tree, complete);   /* one beyond 64 bits matters only where it is
                                                    compared with a number */
    int inside = tree_system_holds(tree, tree->initial, complete);
    if (inside < 0)
        return -1;
    for (size_t i = 0; i < tree->n_variants; i++) {
        const struct variant *variant = &tree->variants[i];
        if (variant->safe)
            safe = (int)i;
        if (inside)
            for (size_t k = 0; k < variant->n_systems; k++) {
                int holds = tree_system_holds(tree, variant->systems[k].constraints, complete);
                if (holds < 0)
                    return -1;
                if (holds && system)
                    *system = k;
                if (holds)
                    return (int)i;
            }
    }
    if (system)
        *system = 0;
    return safe;
}
