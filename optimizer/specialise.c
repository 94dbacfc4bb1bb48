/* Trees of one machine. In: a tree and numbers for its machine parameters. Out: a tree of the same
   shape whose systems speak of program and data parameters alone. A constraint that becomes
   constant is decided at once (an infinite limit counts as true on the accept side, so it is never
   evaluated); a path that becomes inconsistent disappears.
   Invariant: at any point with these machine values both trees select the same variant. */
#include "optimizer/store.h"

enum { SYSTEM_GONE = -1, WITNESS_HIGH = 1 << 20 };

struct specialisation {
    struct ctx *ctx;
    const struct tree *tree;
    const int64_t *values;
    const struct tree *result;      /* with its auxiliary integers from the beginning */
    struct sas context;             /* initial system and facts of the auxiliary integers, values
                                       put in */
    bool possible;                  /* the machine satisfies the initial system */
    VEC(struct variant) variants;
    int **systems;                  /* by variant index, by system index: new index
                                       or SYSTEM_GONE */
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
    *out = c;
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

/* One machine parameter: unlimited in the quotient it leaves the floor, as a cap nothing. */
static void auxiliary_put_in(struct auxiliary *a, int variable, int64_t value)
{
    struct ring *ring = poly_ring(a->numerator);
    bool unlimited = value == INT64_MAX;
    if (unlimited && a->cap && poly_uses(a->cap, variable))
        a->cap = NULL;
    if (unlimited && (poly_uses(a->numerator, variable) || poly_uses(a->denominator, variable))) {
        a->form = AUXILIARY_CEILING;
        a->least = a->floor;
        a->numerator = poly_integer(ring, a->floor);
        a->denominator = poly_integer(ring, 1);
    }
    if (unlimited)
        return;
    a->numerator = poly_substitute(a->numerator, variable, poly_integer(ring, value));
    a->denominator = poly_substitute(a->denominator, variable, poly_integer(ring, value));
    a->cap = a->cap ? poly_substitute(a->cap, variable, poly_integer(ring, value)) : NULL;
}

/* The auxiliary integers with machine parameters put into their definitions. */
static void auxiliaries_put_in(struct specialisation *sp, struct tree *result)
{
    struct arena *arena = sp->ctx->arena;
    struct ring *ring = sp->tree->ring;
    const struct auxiliary **all = ARENA_ARRAY(arena, const struct auxiliary *,
                                               sp->tree->n_auxiliaries + 1);
    for (size_t i = 0; i < sp->tree->n_auxiliaries; i++) {
        struct auxiliary *auxiliary = ARENA_NEW(arena, struct auxiliary);
        *auxiliary = *sp->tree->auxiliaries[i];
        for (int v = 0; v < ring_count(ring); v++)
            if (sp->tree->machine >> v & 1)
                auxiliary_put_in(auxiliary, v, sp->values[v]);
        auxiliary_define(arena, auxiliary);
        all[i] = auxiliary;
    }
    result->auxiliaries = all;
}

static void witness_put_in(struct specialisation *sp, struct sas all, struct leaf_system *system)
{
    int64_t *point = ARENA_ARRAY(sp->ctx->arena, int64_t, RING_CAPACITY);
    int64_t *box = ARENA_ARRAY(sp->ctx->arena, int64_t, 2 * RING_CAPACITY);
    struct integer_box *dead = ARENA_NEW(sp->ctx->arena, struct integer_box);
    *dead = (struct integer_box){box, box + RING_CAPACITY};
    for (int v = 0; v < RING_CAPACITY; v++)
        box[RING_CAPACITY + v] = WITNESS_HIGH;
    int found = sas_integer_point(all, dead->lo, dead->hi, 0, point);
    system->dead = found == 0 ? dead : NULL;
    for (int v = 0; v < ring_count(sp->tree->ring); v++)
        if (sp->tree->machine >> v & 1)
            point[v] = sp->values[v];
    if (found == 1 && (!tree_point_complete(sp->result, point) ||
                       tree_system_holds(sp->result, system->constraints, point) != 1))
        found = -1;
    system->has_witness = found == 1;
    system->witness = point;
    system->reason = found == 1   ? NULL
                     : found == 0 ? "no integer point in the searched box"
                                  : "search undecided";
}

static bool system_put_in(struct specialisation *sp, struct leaf_system *system)
{
    if (!sas_put_in(sp, system->constraints, &system->constraints))
        return false;
    struct sas all = sas_join(sp->ctx->arena, sp->context, system->constraints);
    enum verdict verdict = sas_check(all);
    if (verdict == SAS_EMPTY)
        return false;
    system->unknown = verdict == SAS_UNKNOWN;
    system->minimal = sas_simplify(sp->ctx->arena, system->constraints, sp->context, NULL);
    witness_put_in(sp, all, system);
    return true;
}

static void variant_put_in(struct specialisation *sp, size_t index)
{
    struct variant variant = sp->tree->variants[index];
    struct leaf_system *systems = ARENA_ARRAY(sp->ctx->arena, struct leaf_system,
                                              variant.n_systems + 1);
    size_t kept = 0;
    sp->systems[index] = ARENA_ARRAY(sp->ctx->arena, int, variant.n_systems + 1);
    for (size_t i = 0; i < variant.n_systems; i++) {
        systems[kept] = variant.systems[i];
        sp->systems[index][i] = sp->possible && system_put_in(sp, &systems[kept]) ? (int)kept
                                                                                  : SYSTEM_GONE;
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

/* `path` holds on the way to the node; a test that it decides is left out. */
static const struct node *node_put_in(struct specialisation *sp, const struct node *node,
                                      struct sas path)
{
    struct constraint c;
    if (!node)
        return NULL;
    if (node->kind == NODE_LEAF)
        return leaf_put_in(sp, node);
    enum outcome outcome = put_in(sp, node->constraint, &c);
    struct sas yes = outcome == OUTCOME_OPEN ? sas_add(sp->ctx->arena, path, c) : path;
    struct sas no = outcome == OUTCOME_OPEN ? sas_add(sp->ctx->arena, path, constraint_negate(c))
                                            : path;
    if (outcome == OUTCOME_TRUE || (outcome == OUTCOME_OPEN && sas_check(no) == SAS_EMPTY))
        return node_put_in(sp, node->accept, path);
    if (outcome == OUTCOME_FALSE || sas_check(yes) == SAS_EMPTY)
        return node_put_in(sp, node->refuse, path);
    struct node *inner = ARENA_NEW(sp->ctx->arena, struct node);
    *inner = *node;
    inner->constraint = c;
    inner->part = NULL;
    inner->accept = node_put_in(sp, node->accept, yes);
    inner->refuse = node_put_in(sp, node->refuse, no);
    return inner->accept || inner->refuse ? inner : NULL;
}

const struct tree *tree_specialise(struct ctx *ctx, const struct tree *tree, const int64_t *values)
{
    struct specialisation sp = {.ctx = ctx, .tree = tree, .values = values};
    struct tree *result = ARENA_NEW(ctx->arena, struct tree);
    *result = *tree;
    result->numbers = values;
    sp.result = result;
    sp.systems = ARENA_ARRAY(ctx->arena, int *, tree->n_variants + 1);
    auxiliaries_put_in(&sp, result);
    sp.possible = sas_put_in(&sp, tree->initial, &result->initial);
    if (!sp.possible)
        result->initial = tree->initial;
    sp.context = sas_join(ctx->arena, result->initial, auxiliary_facts(ctx->arena, result));
    for (size_t i = 0; i < tree->n_variants; i++)
        variant_put_in(&sp, i);
    result->root = sp.possible ? node_put_in(&sp, tree->root, sp.context) : NULL;
    result->variants = sp.variants.at;
    result->n_variants = sp.variants.count;
    return result;
}
