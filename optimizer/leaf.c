/* Leaves: what the search found on a path, made presentable and checked.

   In:  a tree. Out: the same tree with an integer witness of each case, and with minimal systems.
   Invariant: a witness satisfies the initial system and the path exactly, with auxiliary integers
   computed from their definitions (they are searched relaxed, then put in and checked). A leaf
   without integer witness stays, with the reason (spec C-10); where it is proved that the box of
   the search has no integer point, it is dead, with the box. */
#include "ir/machine.h"
#include "optimizer/cases.h"
#include <string.h>

enum { WITNESS_STEPS = 20000, PARAMETER_HIGH = 65536 };

struct sas auxiliary_facts(struct arena *arena, const struct tree *tree)
{
    struct sas facts = sas_empty(tree->ring);
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        facts = sas_join(arena, facts, tree->auxiliaries[i]->facts);
    return facts;
}

/* The facts of the auxiliary integers that a path uses itself. */
static struct sas path_facts(struct arena *arena, const struct tree *tree, struct sas path)
{
    struct sas facts = sas_empty(tree->ring);
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        if (sas_uses(path, tree->auxiliaries[i]->variable))
            facts = sas_join(arena, facts, tree->auxiliaries[i]->facts);
    return facts;
}

/* Largest value of a machine parameter that a search should try; any larger one is as good
   as this. */
static int64_t machine_high(const char *name)
{
    const struct machine_row *row = machine_row_find(name);
    return row && row->most ? row->most : PARAMETER_HIGH;
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

/* The search knows only bounds of auxiliary integers. Where the point found has other values for
   them than their definitions say, these are put in, with the parameters they come from, and the
   rest is searched again. */
static int witness_refine(const struct tree *tree, struct sas all, struct sas path, int64_t *lo,
                          int64_t *hi, int64_t *point)
{
    if (point_is_inside(tree, path, point))
        return 1;
    for (int v = 0; v < ring_count(tree->ring); v++)
        if (is_auxiliary(tree, v) || defines_auxiliary(tree, v) || !(tree->machine >> v & 1))
            lo[v] = hi[v] = point[v];
    int found = sas_integer_point(all, lo, hi, WITNESS_STEPS, point);
    return found == 1 && !point_is_inside(tree, path, point) ? 0 : found;
}

static const struct integer_box *box_keep(struct arena *arena, const int64_t *lo, const int64_t *hi,
                                          int n)
{
    struct integer_box *box = ARENA_NEW(arena, struct integer_box);
    int64_t *copy = ARENA_ARRAY(arena, int64_t, 2 * RING_CAPACITY);
    memcpy(copy, lo, (size_t)n * sizeof *copy);
    memcpy(copy + RING_CAPACITY, hi, (size_t)n * sizeof *copy);
    *box = (struct integer_box){copy, copy + RING_CAPACITY};
    return box;
}

/* A point of the path in a realistic box: nearly always one of a few samples is one. The exact
   search follows where none is, so that a dead leaf is proved to be dead. */
static void witness_find(struct arena *arena, const struct tree *tree, struct leaf_system *leaf)
{
    struct sas path = leaf->constraints;
    int n = ring_count(tree->ring);
    int64_t lo[RING_CAPACITY] = {0}, hi[RING_CAPACITY],
            *point = ARENA_ARRAY(arena, int64_t, RING_CAPACITY);
    struct sas all = sas_join(arena, sas_join(arena, tree->initial, path_facts(arena, tree, path)),
                              path);
    for (int v = 0; v < n; v++) {
        int64_t high = tree->machine >> v & 1 ? machine_high(ring_name(tree->ring, v))
                                              : PARAMETER_HIGH;
        hi[v] = sas_uses(all, v) ? high : 0;
    }
    leaf->witness = point;
    leaf->has_witness = witness_sample(arena, tree, path, hi, point);
    if (leaf->has_witness)
        return;
    int found = sas_integer_point(all, lo, hi, WITNESS_STEPS, point);
    leaf->dead = found == 0 ? box_keep(arena, lo, hi, n) : NULL;
    if (found == 1)
        found = witness_refine(tree, all, path, lo, hi, point);
    leaf->has_witness = found == 1;
    if (found == 0)
        leaf->reason = "no integer point was found in the box of machines that exist";
    if (found < 0)
        leaf->reason = "the search for an integer point ran out of steps";
    if (leaf->dead)
        leaf->reason = "the box of machines that exist has no integer point";
}

/* The tree with its systems as copies, which `finish` completes before anybody else sees them. */
typedef void (*system_finish)(struct arena *arena, const struct tree *tree,
                              struct leaf_system *system);

static const struct tree *systems_finish(struct arena *arena, const struct tree *tree,
                                         system_finish finish)
{
    struct tree *finished = ARENA_NEW(arena, struct tree);
    struct variant *variants = ARENA_ARRAY(arena, struct variant, tree->n_variants + 1);
    for (size_t v = 0; v < tree->n_variants; v++) {
        struct leaf_system *systems = ARENA_ARRAY(arena, struct leaf_system,
                                                  tree->variants[v].n_systems + 1);
        variants[v] = tree->variants[v];
        for (size_t i = 0; i < variants[v].n_systems; i++) {
            systems[i] = tree->variants[v].systems[i];
            finish(arena, tree, &systems[i]);
        }
        variants[v].systems = systems;
    }
    *finished = *tree;
    finished->variants = variants;
    return finished;
}

static void system_simplify(struct arena *arena, const struct tree *tree,
                            struct leaf_system *system)
{
    struct sas context = sas_join(arena, tree->initial,
                                  path_facts(arena, tree, system->constraints));
    system->minimal = sas_simplify(arena, system->constraints, context,
                                   system->has_witness ? system->witness : NULL);
}

const struct tree *tree_simplify(struct arena *arena, const struct tree *tree)
{
    return systems_finish(arena, tree, system_simplify);
}

const struct tree *tree_add_witnesses(struct arena *arena, const struct tree *tree)
{
    return systems_finish(arena, tree, witness_find);
}

struct launch launch_joined(const struct launch *launch)
{
    return (struct launch){.number = launch->number,
                           .kernel = launch->joined,
                           .symbolic = launch->joined_symbolic,
                           .registers = launch->registers,
                           .is_joined = true};
}

const struct variant *tree_variant(const struct tree *tree, int id)
{
    for (size_t i = 0; i < tree->n_variants; i++)
        if (tree->variants[i].id == id)
            return &tree->variants[i];
    return NULL;
}

const struct variant *tree_end_variant(const struct tree *tree, const struct node *end)
{
    if (end)
        return tree_variant(tree, end->variant);
    for (size_t i = 0; i < tree->n_variants; i++)
        if (tree->variants[i].safe)
            return &tree->variants[i];
    return NULL;
}
