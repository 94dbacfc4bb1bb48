/* The terminal picture of a tree.

   In: a tree. Out: UTF-8 text: a header with the parameters, the tests as a tree of boxes (yes
   above no), then one paragraph per variant with its cases, what it needs to run, and its
   resources; on request all counters with all cases. Constraints are in the paper's form (2*s*B + 2
   <= Z_B); where nothing is left to try the safe variant stands. */
#include "optimizer/store.h"
#include <string.h>

static int safe_id(const struct tree *tree)
{
    for (size_t i = 0; i < tree->n_variants; i++)
        if (tree->variants[i].safe)
            return tree->variants[i].id;
    return 0;
}

/* By id: a tree of one machine lacks some. */
static void codes_print(struct str *out, const struct leaf_system *system)
{
    for (size_t i = 0; i < system->n_codes; i++)
        str_addf(out, "(%s)", system->codes[i]);
}

static void node_print(struct str *out, const struct tree *tree, const struct node *node,
                       const char *indent)
{
    struct arena *arena = out->arena;
    if (!node) {
        str_addf(out, "leaf %d, safe\n", safe_id(tree));
        return;
    }
    if (node->kind == NODE_LEAF) {
        const struct variant *variant = tree_variant(tree, node->variant);
        str_addf(out, "leaf %d%s ", node->variant, variant && variant->safe ? ", safe" : "");
        if (variant && node->system < variant->n_systems) {
            codes_print(out, &variant->systems[node->system]);
            str_add(out, variant->systems[node->system].dead ? ", dead" : "");
        }
        str_char(out, '\n');
        return;
    }
    constraint_print(out, node->constraint, tree->machine);
    str_add(out, " ?\n");
    str_addf(out, "%s├─ yes%s%s: ", indent, node->condition ? ", " : "",
             node->condition ? node->condition : "");
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

/* n, or (n)/(d), and how exact it is. */
static void piece_print(struct str *out, const struct counter_piece *piece)
{
    str_add(out, piece->denominator ? "(" : "");
    poly_print(out, piece->numerator);
    if (piece->denominator) {
        str_add(out, ")/(");
        poly_print(out, piece->denominator);
        str_char(out, ')');
    }
    str_addf(out, " (%s)", exactness_name(piece->exactness));
}

/* The resources in one line; targets and reports have lines of their own in tree_print_told. */
static void counters_print(struct str *out, const struct variant *variant)
{
    const char *between = "  counters ";
    for (size_t i = 0; i < variant->n_counters; i++) {
        const struct counter_result *result = &variant->counters[i];
        if (result->counter->kind != COUNTER_RESOURCE)
            continue;
        str_addf(out, "%s%s ", between, result->counter->name);
        for (size_t k = 0; k < result->value.count; k++) {
            str_add(out, k ? " | " : "");
            piece_print(out, &result->value.pieces[k]);
        }
        between = ", ";
    }
    str_char(out, '\n');
}

/* The box of a dead leaf, for the variables of its case. */
static void dead_print(struct str *out, const struct tree *tree, const struct leaf_system *system)
{
    const char *between = " with ";
    str_add(out, "      dead: no integer point");
    for (int v = 0; v < ring_count(tree->ring); v++) {
        bool used = false;
        for (size_t i = 0; i < system->minimal.count; i++)
            used |= poly_uses(system->minimal.at[i].poly, v);
        if (!used)
            continue;
        str_addf(out, "%s%lld <= %s <= %lld", between, (long long)system->dead->lo[v],
                 ring_name(tree->ring, v), (long long)system->dead->hi[v]);
        between = ", ";
    }
    str_char(out, '\n');
}

static void witness_print(struct str *out, const struct tree *tree,
                          const struct leaf_system *system)
{
    bool is_first = true;
    if (system->dead) {
        dead_print(out, tree, system);
        return;
    }
    str_add(out, "      e.g. ");
    if (!system->has_witness)
        str_add(out, system->reason ? system->reason : "unknown");
    for (int v = 0; v < ring_count(tree->ring) && system->has_witness; v++) {
        bool used = false;
        for (size_t i = 0; i < system->minimal.count; i++)
            used |= poly_uses(system->minimal.at[i].poly, v);
        if (used)
            str_addf(out, "%s%s = %lld", is_first ? "" : ", ", ring_name(tree->ring, v),
                     (long long)system->witness[v]);
        is_first &= !used;
    }
    str_add(out, is_first && system->has_witness ? "any values\n" : "\n");
}

/* --- views ------------------------------------------------------------------------------------ */

/* The integers of an interval: "1 <= s <= 8", "1 <= s", "s = 4". */
static void interval_print(struct str *out, const struct interval *interval, const char *name)
{
    int64_t first, last;
    bool lo = interval_first(interval, &first), hi = interval_last(interval, &last);
    if (lo && hi && first == last) {
        str_addf(out, "%s = %lld", name, (long long)first);
        return;
    }
    if (lo)
        str_addf(out, "%lld <= ", (long long)first);
    str_add(out, name);
    if (hi)
        str_addf(out, " <= %lld", (long long)last);
}

static void ranges_print(struct str *out, const struct tree *tree, const struct leaf_view *view)
{
    for (size_t i = 0; i < view->n_ranges; i++) {
        const struct leaf_range *range = view->ranges + i;
        str_add(out, i ? ", " : "      for ");
        for (size_t k = 0; k < range->count; k++) {
            str_add(out, k ? " or " : "");
            interval_print(out, range->at + k, ring_name(tree->ring, range->variable));
        }
        if (!range->count)
            str_addf(out, "no %s", ring_name(tree->ring, range->variable));
    }
    str_add(out, view->n_ranges ? "\n" : "");
}

static void endpoint_print(struct str *out, const struct endpoint *end)
{
    bool rational = strcmp(end->value->lo, end->value->hi) == 0;
    str_add(out, rational ? end->value->lo : end->decimal);
}

static void factor_print(struct str *out, const struct poly *p)
{
    bool single = poly_terms(p) == 1;
    str_add(out, single ? "" : "(");
    poly_print(out, p);
    str_add(out, single ? "" : ")");
}

/* A curve a*y + b as the fraction -b/a, others by the number of the root. */
static void branch_print(struct str *out, const struct branch *branch, int y)
{
    int64_t slope = 0;
    const struct poly *a = poly_coefficient(branch->curve, y, 1),
                      *b = poly_neg(poly_coefficient(branch->curve, y, 0));
    if (poly_degree(branch->curve, y) > 1) {
        str_addf(out, "root %zu of ", branch->root);
        poly_print(out, branch->curve);
    } else if (poly_get_integer(a, &slope) && slope == 1) {
        poly_print(out, b);
    } else {
        factor_print(out, b);
        str_char(out, '/');
        if (poly_is_constant(a) || poly_total_degree(a) == 1)
            factor_print(out, a);
        else
            str_addf(out, "(%s)", poly_text(out->arena, a));
    }
}

static void strip_print(struct str *out, const struct strip *strip, const char *name, int y)
{
    if (strip->lo.curve)
        branch_print(out, &strip->lo, y);
    if (strip->lo.curve && strip->hi.curve && strip->lo.curve == strip->hi.curve &&
        strip->lo.root == strip->hi.root) {
        str_addf(out, " = %s", name);
        return;
    }
    str_addf(out, "%s%s", strip->lo.curve ? strip->lo.open ? " < " : " <= " : "", name);
    if (!strip->hi.curve)
        return;
    str_add(out, strip->hi.open ? " < " : " <= ");
    branch_print(out, &strip->hi, y);
}

/* One line per interval of the first parameter and strip of the second. */
static void cells_print(struct str *out, const struct tree *tree, const struct leaf_view *view,
                        const int *plane)
{
    for (size_t i = 0; i < view->n_cells; i++) {
        const struct cell *cell = view->cells + i;
        for (size_t k = 0; k < cell->count; k++) {
            str_add(out, "      cell ");
            if (cell->x.lo.value)
                endpoint_print(out, &cell->x.lo);
            str_addf(out, "%s%s", cell->x.lo.value ? " < " : "", ring_name(tree->ring, plane[0]));
            if (cell->x.hi.value) {
                str_add(out, " < ");
                endpoint_print(out, &cell->x.hi);
            }
            str_add(out, ": ");
            strip_print(out, cell->strips + k, ring_name(tree->ring, plane[1]), plane[1]);
            str_char(out, '\n');
        }
    }
}

static void onto_print(struct str *out, const struct tree *tree, const struct leaf_view *view)
{
    str_add(out, "      onto ");
    for (size_t i = 0; i < view->options->n_onto; i++)
        str_addf(out, "%s%s", i ? "," : "", ring_name(tree->ring, view->options->onto[i]));
    str_add(out, ": ");
    formula_print(out, view->projection, tree->machine);
    str_char(out, '\n');
    if (view->cells)
        cells_print(out, tree, view, view->options->onto);
}

void leaf_view_print(struct str *out, const struct tree *tree, const struct leaf_view *view)
{
    ranges_print(out, tree, view);
    if (view->projection)
        onto_print(out, tree, view);
    if (view->reason)
        str_addf(out, "      not eliminated: %s\n", view->reason);
}

static void variant_print(struct str *out, const struct tree *tree, const struct variant *variant)
{
    str_addf(out, "leaf %d%s:", variant->id,
             variant->safe ? " (safe: runs with any block on any device)" : "");
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
        if (system->view)
            leaf_view_print(out, tree, system->view);
    }
    if (variant->n_systems == 0)
        str_add(out, "  case none: taken where no other case holds\n");
    if (variant->n_launches > 1)
        str_addf(out, "  launches %zu, one after another\n", variant->n_launches);
    str_add(out, "  fits ");
    system_print(out, tree, variant->fits, "everywhere");
    str_char(out, '\n');
    counters_print(out, variant);
}

void tree_print(struct ctx *ctx, struct str *out, const struct tree *tree)
{
    size_t cases = 0;
    (void)ctx;
    for (size_t i = 0; i < tree->n_variants; i++)
        cases += tree->variants[i].n_systems;
    str_addf(out, "%s: %zu case%s, %zu %s\n", tree->region->name, cases, cases == 1 ? "" : "s",
             tree->n_variants, tree->n_variants == 1 ? "leaf" : "leaves");
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

/* --- told ------------------------------------------------------------------------------------- */

static void told_print(struct str *out, const struct tree *tree,
                       const struct counter_result *result)
{
    const struct counter_value *value = &result->value;
    str_addf(out, "  %s, %s:", result->counter->name, result->counter->unit);
    if (value->count == 0)
        str_addf(out, " unknown (%s)", value->reason ? value->reason : "not evaluated");
    for (size_t k = 0; k < value->count; k++) {
        const struct counter_piece *piece = &value->pieces[k];
        str_add(out, value->count > 1 ? "\n      " : " ");
        piece_print(out, piece);
        str_add(out, piece->guard.count ? " if " : value->count > 1 ? " else" : "");
        if (piece->guard.count)
            system_print(out, tree, piece->guard, "");
    }
    const char *where = value->count > 1 ? "\n      where " : " where ";
    for (size_t k = 0; k < value->n_auxiliary && value->count; k++) {
        if (!counter_value_uses(value, value->auxiliaries[k]->variable))
            continue;
        str_addf(out, "%s%s = %s", where, value->auxiliaries[k]->name, value->auxiliaries[k]->text);
        where = ", ";
    }
    if (value->n_samples)
        str_addf(out, ", fitted above %zu samples, at most %lld too high", value->n_samples,
                 (long long)value->residual);
    str_char(out, '\n');
}

void tree_print_told(struct str *out, const struct tree *tree)
{
    for (size_t i = 0; i < tree->n_variants; i++) {
        const struct variant *variant = &tree->variants[i];
        str_addf(out, "counters of leaf %d\n", variant->id);
        for (size_t k = 0; k < variant->n_counters; k++)
            told_print(out, tree, &variant->counters[k]);
    }
}
