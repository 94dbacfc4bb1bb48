/* Leaves: what the search found on a path, made presentable and checked.

   In:  a processed quintuple. Out: its system without the initial one, an equivalent minimal one, an integer witness, the
   codes; and for a variant what it needs itself to run.
   Invariant: a witness satisfies the initial system and the path exactly, with auxiliary integers computed from their
   definitions (they are searched relaxed, then put in and checked). A leaf without integer witness stays, with the reason
   (spec C-10); where it is proved that the box of the search has no integer point, it is dead, with the box. */
#include "optimizer/prune.h"
#include <string.h>

enum { WITNESS_STEPS = 20000 };

struct sas auxiliary_facts(struct arena *arena, const struct tree *tree)
{
    struct sas facts = sas_empty(tree->ring);
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        facts = sas_join(arena, facts, tree->auxiliaries[i]->facts);
    return facts;
}

/* Largest value of a machine parameter that a search should try; any larger one is as good as this. */
static int64_t machine_high(const char *name)
{
    static const struct {
        const char *name;
        int64_t high;
    } TABLE[] = {
#define X(symbol, key, unit, lo, hi, cuda, opencl, missing) {#symbol, hi},
#include "runtime/machine.def"
#undef X
    };
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        if (strcmp(TABLE[i].name, name) == 0)
            return TABLE[i].high ? TABLE[i].high : 65536;
    return 65536;
}

static bool is_auxiliary(const struct tree *tree, int variable)
{
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        if (tree->auxiliaries[i]->variable == variable)
            return true;
    return false;
}

static bool defines_auxiliary(const struct tree *tree, int variable)
{
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        if (auxiliary_uses(tree->auxiliaries[i], variable))
            return true;
    return false;
}

static bool point_is_inside(const struct tree *tree, struct sas path, int64_t *point)
{
    return tree_point_complete(tree, point) && tree_system_holds(tree, tree->initial, point) == 1 &&
           tree_system_holds(tree, path, point) == 1;
}

/* The search knows only bounds of auxiliary integers. Where the point found has other values for them than their
   definitions say, these are put in, with the parameters they come from, and the rest is searched again. */
static int witness_refine(const struct tree *tree, struct sas all, struct sas path, int64_t *lo, int64_t *hi, int64_t *point)
{
    if (point_is_inside(tree, path, point))
        return 1;
    for (int v = 0; v < ring_count(tree->ring); v++)
        if (is_auxiliary(tree, v) || defines_auxiliary(tree, v) || !(tree->machine >> v & 1))
            lo[v] = hi[v] = point[v];
    int found = sas_integer_point(all, lo, hi, WITNESS_STEPS, point);
    return found == 1 && !point_is_inside(tree, path, point) ? 0 : found;
}

static const struct integer_box *box_keep(struct arena *arena, const int64_t *lo, const int64_t *hi, int n)
{
    struct integer_box *box = ARENA_NEW(arena, struct integer_box);
    int64_t *copy = ARENA_ARRAY(arena, int64_t, 2 * RING_CAPACITY);
    memcpy(copy, lo, (size_t)n * sizeof *copy);
    memcpy(copy + RING_CAPACITY, hi, (size_t)n * sizeof *copy);
    *box = (struct integer_box){copy, copy + RING_CAPACITY};
    return box;
}

/* A point of the path in a realistic box. */
static void witness_find(struct store *store, const struct tree *tree, struct sas path, struct leaf_system *leaf)
{
    struct arena *arena = store->ctx->arena;
    int n = ring_count(tree->ring);
    int64_t lo[RING_CAPACITY] = {0}, hi[RING_CAPACITY], *point = ARENA_ARRAY(arena, int64_t, RING_CAPACITY);
    struct sas facts = sas_empty(tree->ring);
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        if (sas_uses(path, tree->auxiliaries[i]->variable))
            facts = sas_join(arena, facts, tree->auxiliaries[i]->facts);
    struct sas all = sas_join(arena, sas_join(arena, tree->initial, facts), path);
    for (int v = 0; v < n; v++)
        hi[v] = !sas_uses(all, v) ? 0 : tree->machine >> v & 1 ? machine_high(ring_name(tree->ring, v)) : 65536;
    leaf->witness = point;
    leaf->has_witness = store->options->n_targets && witness_sample(arena, tree, path, point);
    if (leaf->has_witness)
        return;
    int found = sas_integer_point(all, lo, hi, WITNESS_STEPS, point);
    leaf->dead = found == 0 ? box_keep(arena, lo, hi, n) : NULL;
    if (found == 1)
        found = witness_refine(tree, all, path, lo, hi, point);
    leaf->has_witness = found == 1;
    if (found != 1)
        leaf->reason = leaf->dead   ? "the box of machines that exist has no integer point"
                       : found == 0 ? "no integer point was found in the box of machines that exist"
                                    : "the search for an integer point ran out of steps";
}

struct leaf_system leaf_finish(struct store *store, const struct tree *tree, const struct tree_case *from)
{
    struct arena *arena = store->ctx->arena;
    struct leaf_system leaf = {.unknown = from->unknown, .n_codes = from->n_codes, .codes = from->codes,
                               .constraints = from->constraints};
    struct sas facts = sas_empty(tree->ring);
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        if (sas_uses(leaf.constraints, tree->auxiliaries[i]->variable))
            facts = sas_join(arena, facts, tree->auxiliaries[i]->facts);
    leaf.minimal = sas_simplify(arena, leaf.constraints, sas_join(arena, tree->initial, facts));
    witness_find(store, tree, leaf.constraints, &leaf);
    return leaf;
}

bool variant_fits(struct store *store, uint64_t set, struct sas *fits)
{
    const struct search_condition *conditions;
    struct build *build = kernel_build(store, set, false);
    size_t n = build ? kernel_conditions(store, build->kernel, &conditions) : 0;
    *fits = sas_empty(store->ring);
    for (int i = 0; i < store->n_counters; i++) {
        const struct counter *counter = counter_table(store->counters[i]);
        const struct counter_value *value = store_value(store, set, store->counters[i]);
        if (!value)
            return false;
        if (counter->kind != COUNTER_RESOURCE || value->count != 1)
            continue;
        struct constraint accept = counter_accept(
            &value->pieces[0], poly_variable(store->ring, ring_find(store->ring, counter->limit)), true);
        if (!poly_is_zero(value->pieces[0].numerator))
            *fits = sas_add(store->ctx->arena, *fits, accept);
    }
    for (size_t i = 0; i < n; i++)
        *fits = sas_add(store->ctx->arena, *fits, conditions[i].holds);
    return true;
}
