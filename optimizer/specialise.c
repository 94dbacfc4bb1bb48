/* Trees of one machine. In: a tree and numbers for its machine parameters. Out: a tree of the same shape whose systems
   speak of program and data parameters alone. A constraint that becomes constant is decided at once (an infinite limit
   counts as true on the accept side, so it is never evaluated); a path that becomes inconsistent disappears.
   Invariant: at any point with these machine values both trees select the same variant. */
#include "constraints/solve.h"
#include "optimizer/tree.h"

enum { SYSTEM_GONE = -1 };

struct specialisation {
    struct ctx *ctx;
    const struct tree *tree;
    const int64_t *values;
    VEC(struct variant) variants;
    int **systems;                  /* by variant index, by system index: new index or SYSTEM_GONE */
};

enum outcome { OUTCOME_FALSE, OUTCOME_TRUE, OUTCOME_OPEN };

/* A limit that is infinite leaves only the sign of its coefficient. */
static enum outcome infinite_outcome(struct constraint c, int variable)
{
    int64_t coefficient;
    if (!poly_get_integer(poly_coefficient(c.poly, variable, 1), &coefficient))
        return OUTCOME_OPEN;
    bool below = c.relation == RELATION_LT || c.relation == RELATION_LE;
    if (c.relation == RELATION_EQ)
        return OUTCOME_FALSE;
    if (c.relation == RELATION_NE)
        return OUTCOME_TRUE;
    return below == (coefficient < 0) ? OUTCOME_TRUE : OUTCOME_FALSE;
}

static enum outcome put_in(struct specialisation *sp, struct constraint c, struct constraint *out)
{
    static const int64_t origin[RING_CAPACITY];
    struct ring *ring = sp->tree->ring;
    for (int v = 0; v < ring_count(ring); v++) {
        if (!(sp->tree->machine >> v & 1) || !poly_uses(c.poly, v))
            continue;
        if (sp->values[v] == INT64_MAX)
            return infinite_outcome(c, v);
        c.poly = poly_substitute(c.poly, v, poly_integer(ring, sp->values[v]));
    }
    *out = c;
    if (!poly_is_constant(c.poly))
        return OUTCOME_OPEN;
    return constraint_holds(c, origin) ? OUTCOME_TRUE : OUTCOME_FALSE;
}

/* False if a constraint became false. */
static bool sas_put_in(struct specialisation *sp, struct sas sas, struct sas *out)
{
    *out = sas_empty(sas.ring);
    for (size_t i = 0; i < sas.count; i++) {
        struct constraint c;
        enum outcome outcome = put_in(sp, sas.at[i], &c);
        if (outcome == OUTCOME_FALSE)
            return false;
        if (outcome == OUTCOME_OPEN)
            *out = sas_add(sp->ctx->arena, *out, c);
    }
    return true;
}

static bool system_put_in(struct specialisation *sp, struct leaf_system *system)
{
    struct sas initial, all;
    if (!sas_put_in(sp, system->constraints, &system->constraints) ||
        !sas_put_in(sp, sp->tree->initial, &initial))
        return false;
    all = sas_join(sp->ctx->arena, initial, system->constraints);
    enum verdict verdict = sas_check(all);
    if (verdict == SAS_EMPTY)
        return false;
    system->unknown = verdict == SAS_UNKNOWN;
    system->minimal = sas_minimal(sp->ctx->arena, system->constraints, initial);
    int64_t *point = ARENA_ARRAY(sp->ctx->arena, int64_t, RING_CAPACITY);
    int found = sas_integer_point(all, NULL, NULL, 0, point);
    for (int v = 0; v < ring_count(sp->tree->ring); v++)
        if (sp->tree->machine >> v & 1)
            point[v] = sp->values[v];
    system->has_witness = found == 1;
    system->witness = point;
    system->reason = found == 1 ? NULL : found == 0 ? "no integer point in the searched box" : "search undecided";
    return true;
}

static void variant_put_in(struct specialisation *sp, size_t index)
{
    struct variant variant = sp->tree->variants[index];
    struct leaf_system *systems = ARENA_ARRAY(sp->ctx->arena, struct leaf_system, variant.n_systems + 1);
    size_t kept = 0;
    sp->systems[index] = ARENA_ARRAY(sp->ctx->arena, int, variant.n_systems + 1);
    for (size_t i = 0; i < variant.n_systems; i++) {
        systems[kept] = variant.systems[i];
        sp->systems[index][i] = system_put_in(sp, &systems[kept]) ? (int)kept : SYSTEM_GONE;
        kept += sp->systems[index][i] != SYSTEM_GONE;
    }
    variant.systems = systems;
    variant.n_systems = kept;
    struct sas fits;
    bool can_run = sas_put_in(sp, variant.fits, &fits);
    if (can_run)
        variant.fits = fits;
    if (variant.safe || (can_run && kept))
        vec_push(sp->ctx->arena, &sp->variants, variant);
}

static const struct node *leaf_put_in(struct specialisation *sp, const struct node *node)
{
    for (size_t i = 0; i < sp->tree->n_variants; i++) {
        if (sp->tree->variants[i].id != node->variant)
            continue;
        if (sp->tree->variants[i].n_systems == 0)
            return node;
        int system = sp->systems[i][node->system];
        if (system == SYSTEM_GONE)
            return NULL;
        struct node *leaf = ARENA_NEW(sp->ctx->arena, struct node);
        *leaf = *node;
        leaf->system = (size_t)system;
        return leaf;
    }
    return NULL;
}

static const struct node *node_put_in(struct specialisation *sp, const struct node *node)
{
    struct constraint c;
    if (!node)
        return NULL;
    if (node->variant)
        return leaf_put_in(sp, node);
    enum outcome outcome = put_in(sp, node->constraint, &c);
    if (outcome == OUTCOME_TRUE)
        return node_put_in(sp, node->accept);
    if (outcome == OUTCOME_FALSE)
        return node_put_in(sp, node->refuse);
    struct node *inner = ARENA_NEW(sp->ctx->arena, struct node);
    *inner = *node;
    inner->constraint = c;
    inner->accept = node_put_in(sp, node->accept);
    inner->refuse = node_put_in(sp, node->refuse);
    return inner->accept || inner->refuse ? inner : NULL;
}

const struct tree *tree_specialise(struct ctx *ctx, const struct tree *tree, const int64_t *values)
{
    struct specialisation sp = {.ctx = ctx, .tree = tree, .values = values};
    sp.systems = ARENA_ARRAY(ctx->arena, int *, tree->n_variants + 1);
    for (size_t i = 0; i < tree->n_variants; i++)
        variant_put_in(&sp, i);
    struct tree *result = ARENA_NEW(ctx->arena, struct tree);
    *result = *tree;
    if (!sas_put_in(&sp, tree->initial, &result->initial))
        result->initial = tree->initial;
    result->root = node_put_in(&sp, tree->root);
    result->variants = sp.variants.at;
    result->n_variants = sp.variants.count;
    return result;
}
