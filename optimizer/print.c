/* The terminal picture of a tree.

   In:  a tree. Out: UTF-8 text: a header with the parameters, the tests as a tree of boxes (yes above no), then one
   paragraph per variant with its cases, what it needs to run, and its counters.
   Constraints are in the paper's form (2*s*B + 2 <= Z_B); where nothing is left to try the safe variant stands. */
#include "optimizer/optimizer.h"

static int safe_id(const struct tree *tree)
{
    for (size_t i = 0; i < tree->n_variants; i++)
        if (tree->variants[i].safe)
            return tree->variants[i].id;
    return 0;
}

/* By id: a tree of one machine lacks some. */
static const struct variant *variant_find(const struct tree *tree, int id)
{
    for (size_t i = 0; i < tree->n_variants; i++)
        if (tree->variants[i].id == id)
            return &tree->variants[i];
    return NULL;
}

static void codes_print(struct str *out, const struct leaf_system *system)
{
    for (size_t i = 0; i < system->n_codes; i++)
        str_addf(out, "(%s)", system->codes[i]);
}

static void node_print(struct str *out, const struct tree *tree, const struct node *node, const char *indent)
{
    struct arena *arena = out->arena;
    if (!node) {
        str_addf(out, "leaf %d, safe\n", safe_id(tree));
        return;
    }
    if (node->variant) {
        const struct variant *variant = variant_find(tree, node->variant);
        str_addf(out, "leaf %d%s ", node->variant, variant && variant->safe ? ", safe" : "");
        if (variant && node->system < variant->n_systems)
            codes_print(out, &variant->systems[node->system]);
        str_char(out, '\n');
        return;
    }
    constraint_print(out, node->constraint, tree->machine);
    str_add(out, " ?\n");
    str_addf(out, "%s├─ yes: ", indent);
    node_print(out, tree, node->accept, arena_printf(arena, "%s│       ", indent));
    str_addf(out, "%s└─ no", indent);
    if (node->strategy)
        str_addf(out, ", %s", node->strategy);
    str_add(out, ": ");
    node_print(out, tree, node->refuse, arena_printf(arena, "%s        ", indent));
}

static void system_print(struct str *out, const struct tree *tree, struct sas sas, const char *none)
{
    if (sas.count == 0)
        str_add(out, none);
    for (size_t i = 0; i < sas.count; i++) {
        str_add(out, i ? ", " : "");
        constraint_print(out, sas.at[i], tree->machine);
    }
}

static void counters_print(struct str *out, const struct variant *variant)
{
    for (size_t i = 0; i < variant->n_counters; i++) {
        const struct counter_result *result = &variant->counters[i];
        str_addf(out, "%s%s ", i ? ", " : "", result->counter->name);
        for (size_t k = 0; k < result->value.count; k++) {
            str_add(out, k ? " | " : "");
            poly_print(out, result->value.pieces[k].numerator);
            str_addf(out, " (%s)", exactness_name(result->value.pieces[k].exactness));
        }
    }
    str_char(out, '\n');
}

static void witness_print(struct str *out, const struct tree *tree, const struct leaf_system *system)
{
    bool is_first = true;
    str_add(out, "      e.g. ");
    if (!system->has_witness)
        str_add(out, system->reason ? system->reason : "unknown");
    for (int v = 0; v < ring_count(tree->ring) && system->has_witness; v++) {
        bool used = false;
        for (size_t i = 0; i < system->minimal.count; i++)
            used |= poly_uses(system->minimal.at[i].poly, v);
        if (used)
            str_addf(out, "%s%s = %lld", is_first ? "" : ", ", ring_name(tree->ring, v), (long long)system->witness[v]);
        is_first &= !used;
    }
    str_add(out, is_first && system->has_witness ? "any values\n" : "\n");
}

static void variant_print(struct str *out, const struct tree *tree, const struct variant *variant)
{
    str_addf(out, "leaf %d%s:", variant->id, variant->safe ? " (safe: runs with any block on any device)" : "");
    for (size_t i = 0; i < variant->n_strategies; i++)
        str_addf(out, "%s %s", i ? "," : "", variant->strategies[i]->name);
    str_add(out, variant->n_strategies ? "\n" : " as written\n");
    for (size_t i = 0; i < variant->n_systems; i++) {
        const struct leaf_system *system = &variant->systems[i];
        str_add(out, "  case ");
        system_print(out, tree, system->minimal, "always");
        str_add(out, "  ");
        codes_print(out, system);
        str_add(out, system->unknown ? "  (undecided by the solver, kept)\n" : "\n");
        witness_print(out, tree, system);
    }
    if (variant->n_systems == 0)
        str_add(out, "  case none: taken where no other case holds\n");
    str_add(out, "  fits ");
    system_print(out, tree, variant->fits, "everywhere");
    str_add(out, "\n  counters ");
    counters_print(out, variant);
}

void tree_print(struct ctx *ctx, struct str *out, const struct tree *tree)
{
    size_t cases = 0;
    (void)ctx;
    for (size_t i = 0; i < tree->n_variants; i++)
        cases += tree->variants[i].n_systems;
    str_addf(out, "%s: %zu case%s, %zu %s\n", tree->region->name, cases, cases == 1 ? "" : "s", tree->n_variants,
             tree->n_variants == 1 ? "leaf" : "leaves");
    str_add(out, "given ");
    system_print(out, tree, tree->initial, "nothing");
    str_add(out, "\n");
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        str_addf(out, "where %s = %s\n", tree->auxiliaries[i]->name, tree->auxiliaries[i]->text);
    str_char(out, '\n');
    node_print(out, tree, tree->root, "");
    str_char(out, '\n');
    for (size_t i = 0; i < tree->n_variants; i++)
        variant_print(out, tree, &tree->variants[i]);
}
