/* The case tree in words. In: a tree. Out: a text for the terminal: what the letters mean, the
   tests as a tree (yes above no), then each leaf. The order is that of the paper's form, so that
   one can be read beside the other. */
#include "cli/picture.h"
#include "emit/names.h"
#include <string.h>

static const struct {
    const char *name, *words;
} strategy_rows[] = {
#define STRATEGY(name, words) {name, words},
#define COUNTER(name, words)
#include "cli/words.def"
#undef STRATEGY
#undef COUNTER
}, counter_rows[] = {
#define STRATEGY(name, words)
#define COUNTER(name, words) {name, words},
#include "cli/words.def"
#undef STRATEGY
#undef COUNTER
};

static const struct {
    const char *symbol, *key, *unit;
} machine_rows[] = {
#define X(symbol, key, unit, lo, hi, cuda, opencl, fallback) {#symbol, #key, unit},
#include "runtime/machine.def"
#undef X
};

const char *strategy_words(const char *name)
{
    for (size_t i = 0; i < sizeof strategy_rows / sizeof *strategy_rows; i++)
        if (strcmp(strategy_rows[i].name, name) == 0)
            return strategy_rows[i].words;
    return name;
}

const char *counter_words(const char *name)
{
    for (size_t i = 0; i < sizeof counter_rows / sizeof *counter_rows; i++)
        if (strcmp(counter_rows[i].name, name) == 0)
            return counter_rows[i].words;
    return name;
}

struct sketch {
    struct str *out;
    const struct tree *tree;
    const struct picture_style *style;
    const struct picture_filter *filter;
};

/* --- style ------------------------------------------------------------------------------------ */

enum paint { PAINT_YES = 32, PAINT_NO = 31, PAINT_LEAF = 1, PAINT_CODES = 2 };

static void painted(struct str *out, const struct picture_style *style, enum paint paint,
                    const char *text)
{
    if (style->colour)
        str_addf(out, "\033[%dm%s\033[0m", (int)paint, text);
    else
        str_add(out, text);
}

/* --- what the letters mean -------------------------------------------------------------------- */

static void system_line(struct str *out, const struct tree *tree, struct sas sas, const char *none)
{
    if (sas.count)
        sas_describe(out->arena, out, sas, tree->machine);
    else
        str_add(out, none);
    str_char(out, '\n');
}

static bool node_uses(const struct node *node, int variable)
{
    if (!node || node->kind == NODE_LEAF)
        return false;
    return poly_uses(node->constraint.poly, variable) || node_uses(node->accept, variable) ||
           node_uses(node->refuse, variable);
}

/* The machine parameters of the tree's tests and of definitions. */
static void machine_lines(struct str *out, const struct tree *tree)
{
    for (size_t i = 0; i < sizeof machine_rows / sizeof *machine_rows; i++) {
        int variable = ring_find(tree->ring, machine_rows[i].symbol);
        bool used = false;
        if (variable < 0)
            continue;
        for (size_t k = 0; k < tree->n_auxiliaries; k++)
            used |= auxiliary_uses(tree->auxiliaries[k], variable);
        if (!used && !node_uses(tree->root, variable))
            continue;
        str_addf(out, "  %-6s ", machine_rows[i].symbol);
        for (const char *c = machine_rows[i].key; *c; c++)
            str_char(out, *c == '_' ? ' ' : *c);
        str_addf(out, " of the device (%s)\n", machine_rows[i].unit);
    }
}

/* The program's own. */
static void parameter_lines(struct str *out, const struct tree *tree)
{
    static const char *const roles[] = {[ROLE_SIZE] = "the size of an array",
                                        [ROLE_TUNABLE] = "to be chosen (tunable)",
                                        [ROLE_UNIFORM] = "any other integer"};
    const struct kernel *kernel = tree->region->kernel;
    for (int i = 0; i < kernel->n_params; i++) {
        enum param_role role = kernel->params[i]->role;
        if (kernel->params[i]->class != PARAM_MACHINE && role != ROLE_VALUE &&
            role != ROLE_MACHINE)
            str_addf(out, "  %-6s %s\n", kernel->params[i]->var->name, roles[role]);
    }
}

static void header_print(const struct sketch *p)
{
    const struct tree *tree = p->tree;
    struct str *out = p->out;
    size_t cases = 0;
    for (size_t i = 0; i < tree->n_variants; i++)
        cases += tree->variants[i].n_systems;
    str_addf(out, "%s: %zu case%s lead%s to %zu kernel%s (%s)\n", tree->region->name, cases,
             cases == 1 ? "" : "s", cases == 1 ? "s" : "", tree->n_variants,
             tree->n_variants == 1 ? "" : "s", tree->n_variants == 1 ? "leaf" : "leaves");
    str_add(out, "  always ");
    system_line(out, tree, tree->initial, "nothing is required");
    parameter_lines(out, tree);
    machine_lines(out, tree);
    for (size_t i = 0; i < tree->n_auxiliaries; i++)
        str_addf(out, "  %-6s = %s\n", tree->auxiliaries[i]->name, tree->auxiliaries[i]->text);
    str_char(out, '\n');
}

/* --- the tree --------------------------------------------------------------------------------- */

static bool variant_has(const struct variant *variant, const char *strategy)
{
    size_t n = variant ? variant->n_strategies : 0;
    for (size_t i = 0; i < n; i++)
        if (strcmp(variant->strategies[i]->name, strategy) == 0)
            return true;
    return false;
}

/* Does something below the node pass the filter? */
static bool is_shown(const struct sketch *p, const struct node *node)
{
    const struct picture_filter *filter = p->filter;
    bool is_leaf = !node || node->kind == NODE_LEAF;
    if (is_leaf)
        return !filter->counter &&
               (!filter->strategy ||
                variant_has(tree_end_variant(p->tree, node), filter->strategy));
    if (filter->counter && node->counter && strcmp(node->counter, filter->counter) == 0)
        return true;
    return is_shown(p, node->accept) || is_shown(p, node->refuse);
}

static size_t places_below(const struct node *node)
{
    if (!node || node->kind == NODE_LEAF)
        return 1;
    return places_below(node->accept) + places_below(node->refuse);
}

/* "one element per thread (3b), …" of a list of names. */
static const char *strategies_words(struct arena *arena, const char *names)
{
    struct str out = str_new(arena);
    char *copy = arena_strdup(arena, names), *save = NULL;
    for (char *name = strtok_r(copy, ", ", &save); name; name = strtok_r(NULL, ", ", &save)) {
        int symbol = strategy_find(name);
        str_addf(&out, "%s%s", out.length ? ", " : "", strategy_words(name));
        if (symbol >= 0)
            str_addf(&out, " (%s)", strategy_table(symbol)->code);
    }
    return out.text;
}

static void codes_print(const struct sketch *p, const struct leaf_system *system)
{
    struct str codes = str_new(p->out->arena);
    for (size_t i = 0; i < system->n_codes; i++)
        str_addf(&codes, "(%s)", system->codes[i]);
    if (codes.length)
        str_add(p->out, "  ");
    painted(p->out, p->style, PAINT_CODES, codes.text);
}

static void place_print(const struct sketch *p, const struct node *node)
{
    const struct variant *variant = tree_end_variant(p->tree, node);
    const char *name = arena_printf(p->out->arena, "leaf %d%s", variant ? variant->id : 0,
                                    variant && variant->safe ? ", the safe one" : "");
    painted(p->out, p->style, PAINT_LEAF, name);
    if (node && variant && node->system < variant->n_systems) {
        codes_print(p, &variant->systems[node->system]);
        str_add(p->out, variant->systems[node->system].dead ? "  (dead: no integers)" : "");
    }
    str_char(p->out, '\n');
}

static const char *counter_unit(const char *name)
{
    int symbol = name ? counter_find(name) : -1;
    const char *unit = symbol >= 0 ? counter_table(symbol)->unit : "";
    return strstr(unit, "words") ? unit : "";
}

static void node_print(const struct sketch *p, const struct node *node, const char *indent);

static void branch_print(const struct sketch *p, const struct node *fork, bool accept,
                         const char *indent)
{
    struct arena *arena = p->out->arena;
    const struct node *node = accept ? fork->accept : fork->refuse;
    const char *corner = accept ? "├─ " : "└─ ", *bar = accept ? "│   " : "    ";
    const char *strategy = accept ? fork->condition : fork->strategy;
    if (p->style->ascii) {
        corner = accept ? "|- " : "`- ";
        bar = accept ? "|   " : "    ";
    }
    str_addf(p->out, "%s%s", indent, corner);
    painted(p->out, p->style, accept ? PAINT_YES : PAINT_NO, accept ? "yes" : "no");
    if (strategy)
        str_addf(p->out, ", with %s", strategies_words(arena, strategy));
    const char *inner = arena_printf(arena, "%s%s", indent, bar);
    if (strategy && strchr(strategy, ','))
        str_addf(p->out, ":\n%s", inner);
    else
        str_add(p->out, ": ");
    node_print(p, node, inner);
}

/* A constraint that a strategy needs has the strategy on its accept edge. */
static void node_print(const struct sketch *p, const struct node *node, const char *indent)
{
    if (!is_shown(p, node)) {
        size_t places = places_below(node);
        str_addf(p->out, "%s %zu case%s\n", p->style->ascii ? "..." : "…", places,
                 places == 1 ? "" : "s");
        return;
    }
    if (!node || node->kind == NODE_LEAF) {
        place_print(p, node);
        return;
    }
    const char *unit = counter_unit(node->counter);
    if (node->condition)
        str_add(p->out, "sizes: ");
    else if (node->counter)
        str_addf(p->out, "%s: ", counter_words(node->counter));
    constraint_print(p->out, node->constraint, p->tree->machine);
    str_addf(p->out, "%s%s%s ?\n", *unit && !node->condition ? " (" : "",
             node->condition ? "" : unit, *unit && !node->condition ? ")" : "");
    branch_print(p, node, true, indent);
    branch_print(p, node, false, indent);
}

/* --- leaves ----------------------------------------------------------------------------------- */

static void value_print(struct str *out, const struct counter_value *value)
{
    for (size_t k = 0; k < value->count; k++) {
        const struct counter_piece *piece = &value->pieces[k];
        const char *text = poly_text(out->arena, piece->numerator);
        str_add(out, k ? " or " : "");
        if (piece->denominator)
            str_addf(out, "(%s)/(%s)", text, poly_text(out->arena, piece->denominator));
        else
            str_add(out, text);
    }
    if (value->count == 0)
        str_add(out, "unknown");
}

/* "shared memory per block s*B + 2 (Z_B, 4-byte words, exact)" */
static void need_print(struct str *out, const struct counter_result *result)
{
    const char *unit = counter_unit(result->counter->name);
    str_addf(out, "%s ", counter_words(result->counter->name));
    value_print(out, &result->value);
    str_addf(out, " (%s%s%s%s%s)", result->counter->limit ? result->counter->limit : "",
             result->counter->limit ? ", " : "", unit, *unit ? ", " : "",
             result->value.count ? exactness_name(counter_exactness(&result->value)) : "unknown");
}

static void needs_print(struct str *out, const struct variant *variant, const char *counter)
{
    const char *between = "  needs ";
    for (size_t i = 0; i < variant->n_counters; i++) {
        const struct counter_result *result = &variant->counters[i];
        bool is_it = counter ? strcmp(result->counter->name, counter) == 0
                             : result->counter->kind == COUNTER_RESOURCE;
        if (!is_it)
            continue;
        str_add(out, between);
        need_print(out, result);
        between = ",\n        ";
    }
    str_char(out, '\n');
}

static void example_print(struct str *out, const struct tree *tree,
                          const struct leaf_system *system)
{
    const char *between = "    for example ";
    if (!system->has_witness) {
        str_addf(out, "    no example: %s\n", system->reason ? system->reason : "none was found");
        return;
    }
    for (int v = 0; v < ring_count(tree->ring); v++) {
        if (!sas_uses(system->minimal, v))
            continue;
        str_addf(out, "%s%s = %lld", between, ring_name(tree->ring, v),
                 (long long)system->witness[v]);
        between = ", ";
    }
    str_add(out, *between == ',' ? "\n" : "");
}

void picture_variant(struct str *out, const struct tree *tree, const struct variant *variant,
                     const struct picture_style *style, const char *counter)
{
    const struct sketch p = {out, tree, style, NULL};
    struct str names = str_new(out->arena);
    for (size_t i = 0; i < variant->n_strategies; i++)
        str_addf(&names, "%s%s", i ? ", " : "", variant->strategies[i]->name);
    painted(out, style, PAINT_LEAF, arena_printf(out->arena, "leaf %d", variant->id));
    str_addf(out, "%s: %s\n", variant->safe ? ", the safe one" : "",
             names.length ? strategies_words(out->arena, names.text) : "as written");
    for (size_t i = 0; i < variant->n_systems; i++) {
        const struct leaf_system *system = &variant->systems[i];
        str_add(out, "  when  ");
        sas_describe(out->arena, out, system->minimal, tree->machine);
        codes_print(&p, system);
        str_add(out, system->unknown ? "  (undecided by the solver, kept)\n" : "\n");
        example_print(out, tree, system);
        if (system->view)
            leaf_view_print(out, tree, system->view);
    }
    if (variant->n_systems == 0)
        str_add(out, "  when  no other case holds\n");
    if (variant->n_launches > 1)
        str_addf(out, "  launches %zu kernels, one after another\n", variant->n_launches);
    for (size_t i = 0; i < variant->n_launches; i++)
        if (variant->launches[i].joined)
            str_addf(out,
                     "  launches %zu and %zu as one where the device orders memory between "
                     "blocks\n",
                     i + 1, i + 2);
    str_add(out, "  runs  where ");
    system_line(out, tree, variant->fits, "anything holds: any block on any device");
    needs_print(out, variant, counter);
}

void picture_print(struct str *out, const struct tree *tree,
                   const struct picture_style *style, const struct picture_filter *filter)
{
    const struct sketch p = {out, tree, style, filter};
    header_print(&p);
    node_print(&p, tree->root, "");
    str_char(out, '\n');
    for (size_t i = 0; i < tree->n_variants; i++)
        if (!filter->strategy || variant_has(&tree->variants[i], filter->strategy))
            picture_variant(out, tree, &tree->variants[i], style, filter->counter);
}
