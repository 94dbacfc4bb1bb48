/* From a region to its decision tree: tree_build.

   In:  a region with its banded kernel, options. Out: the tree: initial system, variants in accept-first order with their
   cases, the safe variant last, the nodes for printing.
   Steps: tables and injections into a search problem; optimizer_search; leaves with equal kernels become one variant; what is
   dominated or beyond the budget gives its cases away; tests that always hold or make no difference disappear; every system is
   minimised and given a witness.
   Invariants: every variant has at least one system, except the safe one; in mode keep at most one system of the tree
   holds at a point; where none holds the safe variant runs. Source: spec C-16 … C-31; design, "Leaf and variant". */
#include "optimizer/figures.h"
#include "optimizer/prune.h"
#include <stdlib.h>
#include <string.h>

enum { SEARCH_ACCEPTED = 4096 };          /* accepted counters of all paths, beyond which the search takes the code of last resort */

/* A VEC of systems. */
struct systems {
    struct leaf_system *at;
    size_t count, capacity;
};

struct construction {
    struct store store;
    struct search_counter search_counters[COUNTER_COUNT];
    struct search_strategy search_strategies[STRATEGY_COUNT];
    struct search_problem problem;
    struct tree *tree;
    VEC(struct variant) variants;
    VEC(struct systems) systems;           /* by variant */
    VEC(struct tree_case) cases;           /* by leaf of the search */
    struct tree_stats *stats;
};

/* Lower bounds of machine parameters; golden runs inject small numbers, so there only v >= 0 is known. */
int store_machine(struct store *store, const char *name)
{
    static const struct {
        const char *name;
        int64_t lo;
    } TABLE[] = {
#define X(symbol, key, unit, lo, hi, cuda, opencl, missing) {#symbol, lo},
#include "runtime/machine.def"
#undef X
    };
    int variable = ring_variable(store->ring, name);
    if (variable < 0 || (store->machine >> variable & 1))
        return variable;
    store->machine |= (uint64_t)1 << variable;
    int64_t lo = 0;
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        if (strcmp(TABLE[i].name, name) == 0 && !store->options->golden)
            lo = TABLE[i].lo;
    const struct poly *least = poly_integer(store->ring, lo), *parameter = poly_variable(store->ring, variable);
    store->initial = sas_add(store->ctx->arena, store->initial, constraint_make(least, RELATION_LE, parameter));
    return variable;
}

static bool search_applicable(void *state, uint64_t set, int strategy)
{
    struct store *store = state;
    struct build *build = kernel_build(store, set, false);
    if (store->options->golden && !strategy_table(strategy)->in_paper)
        return false;
    return build && strategy_table(strategy)->applicable(store, build->kernel);
}

static const struct counter_value *search_evaluate(void *state, uint64_t set, int counter)
{
    struct store *store = state;
    return store_value(store, set, store->counters[counter]);
}

static bool search_is_staged(void *state, uint64_t set)
{
    struct build *build = kernel_build(state, set, false);
    return build && build->kernel->shared_bytes;
}

static size_t search_conditions(void *state, uint64_t set, int strategy, const struct search_condition **conditions)
{
    return strategy_conditions(state, set, strategy, conditions);
}

static bool counters_choose(struct store *store)
{
    const struct tree_options *options = store->options;
    if (options->n_counters == 0)
        for (int i = 0; i < COUNTER_COUNT; i++)
            if (counter_table(i)->kind == COUNTER_RESOURCE)
                store->counters[store->n_counters++] = i;
    for (size_t i = 0; i < options->n_counters; i++) {
        int symbol = counter_find(options->counters[i]);
        if (symbol < 0 || store->n_counters == COUNTER_COUNT) {
            diag_error(store->ctx, loc_none(), "no counter is called `%s`: there are threads, registers_per_block, "
                       "registers, shared", options->counters[i]);
            return false;
        }
        store->counters[store->n_counters++] = symbol;
    }
    for (size_t i = 0; i < options->n_targets; i++) {
        int symbol = counter_find(options->targets[i].counter);
        if (symbol < 0 || counter_table(symbol)->kind != COUNTER_TARGET) {
            diag_error(store->ctx, loc_none(), "`%s` is no target", options->targets[i].counter);
            return false;
        }
        if (store->n_counters == COUNTERS_MAX) {
            diag_error(store->ctx, loc_none(), "a tree forks on at most %d counters", COUNTERS_MAX);
            return false;
        }
        store->counters[store->n_counters++] = symbol;
    }
    for (size_t i = 0; i < options->n_injections; i++)
        if (counter_find(options->injections[i].counter) < 0) {
            diag_error(store->ctx, loc_none(), "values are given for `%s`, which is no counter",
                       options->injections[i].counter);
            return false;
        }
    return true;
}

const struct poly *store_target(struct store *store, int symbol)
{
    const struct tree_options *options = store->options;
    for (size_t i = 0; i < options->n_targets; i++)
        if (options->targets[i].has_value && counter_find(options->targets[i].counter) == symbol)
            return poly_integer(store->ring, options->targets[i].value);
    int variable = store_machine(store, counter_table(symbol)->limit);
    return variable < 0 ? NULL : poly_variable(store->ring, variable);
}

/* sigma of a row as strategy numbers; golden runs have no safe leaf in the tree (spec C-19). */
static void sigma_read(struct search_counter *to, const char *sigma, bool golden)
{
    char name[64];
    while (*sigma) {
        size_t length = strcspn(sigma, " ");
        memcpy(name, sigma, length);
        name[length] = '\0';
        int strategy = strategy_find(name);
        if (!golden || !strategy_table(strategy)->is_final)
            to->sigma[to->n_sigma++] = strategy;
        sigma += length + (sigma[length] == ' ');
    }
}

static void problem_set_up(struct construction *c)
{
    struct store *store = &c->store;
    for (int i = 0; i < STRATEGY_COUNT; i++) {
        const struct strategy *strategy = strategy_table(i);
        c->search_strategies[i] = (struct search_strategy){strategy->name, strategy->code, strategy->on_ir,
                                                           strategy->in_sweep, strategy->is_final};
    }
    for (int i = 0; i < store->n_counters; i++) {
        const struct counter *counter = counter_table(store->counters[i]);
        struct search_counter *to = &c->search_counters[i];
        to->name = counter->name;
        to->is_resource = counter->kind == COUNTER_RESOURCE;
        if (to->is_resource)
            to->limit = store_machine(store, counter->limit);
        else
            to->target = store_target(store, store->counters[i]);
        to->codes_registers = store->counters[i] == COUNTER_REGISTERS;
        to->codes_staging = store->counters[i] == COUNTER_SHARED;
        sigma_read(to, counter->sigma, store->options->golden);
        if (store->counters[i] == COUNTER_REGISTERS_PER_BLOCK) {
            store_machine(store, "W_B");
            store_machine(store, "Q_B");
        }
        if (counter->kind == COUNTER_TARGET)
            store_value(store, 0, store->counters[i]);   /* its machine parameters join the initial system */
    }
    c->problem = (struct search_problem){
        .ring = store->ring, .initial = store->initial, .n_counters = store->n_counters,
        .n_strategies = STRATEGY_COUNT, .counters = c->search_counters, .strategies = c->search_strategies,
        .state = store, .applicable = search_applicable, .evaluate = search_evaluate, .is_staged = search_is_staged,
        .conditions = search_conditions, .mode = store->options->mode, .sweep_always = store->options->golden,
        .max_accepted = store->options->golden ? 0 : SEARCH_ACCEPTED};
}

/* What the tree does not fork on is told all the same, except in golden runs. */
static void counters_report(struct store *store, uint64_t set, struct variant *variant, struct counter_result *results)
{
    for (int i = 0; i < COUNTER_COUNT; i++) {
        bool searched = store->options->golden || counter_table(i)->kind == COUNTER_RESOURCE;
        for (int k = 0; k < store->n_counters; k++)
            searched |= store->counters[k] == i;
        const struct counter_value *value = searched ? NULL : store_value(store, set, i);
        if (!searched)
            results[variant->n_counters++] = (struct counter_result){counter_table(i), value ? *value : (struct counter_value){0}};
    }
}

static bool counters_result(struct construction *c, uint64_t set, struct variant *variant)
{
    struct store *store = &c->store;
    struct counter_result *results = ARENA_ARRAY(store->ctx->arena, struct counter_result, COUNTER_COUNT);
    for (int i = 0; i < store->n_counters; i++) {
        const struct counter_value *value = store_value(store, set, store->counters[i]);
        if (!value)
            return false;
        results[i] = (struct counter_result){counter_table(store->counters[i]), *value};
        if (store->counters[i] == COUNTER_REGISTERS)
            variant->registers = value->pieces[0].numerator;
    }
    variant->counters = results;
    variant->n_counters = (size_t)store->n_counters;
    counters_report(store, set, variant, results);
    variant->figures = figures_make(store, variant->kernel);
    if (!store->options->golden)
        variant->registers = registers_estimate(store, variant->kernel);
    return variant->registers || store->options->golden;
}

static bool variant_make(struct construction *c, uint64_t set)
{
    struct store *store = &c->store;
    struct build *build = kernel_build(store, set, false), *symbolic = kernel_build(store, set, true);
    if (!build || !symbolic)
        return false;
    struct variant variant = {.kernel = build->kernel, .symbolic = symbolic->kernel, .safe = (set & STRATEGY_BIT(STRIDE)) != 0};
    set = build->set;
    if (variant.safe)
        set = STRATEGY_BIT(STRIDE) | (store->region->n_coarse ? STRATEGY_BIT(GRANULARITY) : 0);
    const struct strategy **strategies = ARENA_ARRAY(store->ctx->arena, const struct strategy *, STRATEGY_COUNT);
    for (int i = 0; i < STRATEGY_COUNT; i++)
        if (set >> i & 1)
            strategies[variant.n_strategies++] = strategy_table(i);
    variant.strategies = strategies;
    variant.fits = sas_empty(store->ring);
    if (!counters_result(c, set, &variant) || (!variant.safe && !variant_fits(store, set, &variant.fits)))
        return false;
    vec_push(store->ctx->arena, &c->variants, variant);
    vec_push(store->ctx->arena, &c->systems, (struct systems){0});
    return true;
}

/* Index of the variant with this kernel, made if new; -1 after a diagnostic. */
static int variant_of(struct construction *c, uint64_t set)
{
    struct build *build = kernel_build(&c->store, set, false);
    if (!build)
        return -1;
    for (size_t i = 0; i < c->variants.count; i++)
        if (c->variants.at[i].kernel == build->kernel)
            return (int)i;
    return variant_make(c, set) ? (int)c->variants.count - 1 : -1;
}

static struct tree_case case_of(struct construction *c, const struct quintuple *q, int variant)
{
    struct arena *arena = c->store.ctx->arena;
    const char **codes = ARENA_ARRAY(arena, const char *, q->n_codes + 1);
    for (int i = 0; i < q->n_codes; i++)
        codes[i] = q->codes[i];
    return (struct tree_case){.constraints = quintuple_system(arena, q, sas_empty(c->tree->ring), false),
                              .n_codes = (size_t)q->n_codes, .codes = codes, .unknown = q->unknown, .variant = variant};
}

static bool leaves_sort(struct construction *c, const struct search_result *result)
{
    for (size_t i = 0; i < result->n_leaves; i++) {
        size_t before = c->variants.count;
        int index = variant_of(c, quintuple_strategies(result->leaves[i].q));
        if (index < 0)
            return false;
        c->stats->leaves_alike += c->variants.count == before;
        vec_push(c->store.ctx->arena, &c->cases, case_of(c, result->leaves[i].q, index));
    }
    return variant_of(c, STRATEGY_BIT(STRIDE)) >= 0;
}

/* Numbers by variant index: as found, without those that have no cases left, the safe one last. */
static int variant_id(const struct construction *c, int index)
{
    int id = 1, last = 0;
    for (int i = 0; i < (int)c->variants.count; i++) {
        bool counts = !c->variants.at[i].safe && c->systems.at[i].count;
        id += i < index && counts;
        last += counts;
    }
    return c->variants.at[index].safe ? last + 1 : id;
}

static void variants_finish(struct construction *c)
{
    struct variant *variants = ARENA_ARRAY(c->store.ctx->arena, struct variant, c->variants.count);
    for (size_t i = 0; i < c->variants.count; i++) {
        if (!c->variants.at[i].safe && c->systems.at[i].count == 0)
            continue;
        int id = variant_id(c, (int)i);
        variants[id - 1] = c->variants.at[i];
        variants[id - 1].id = id;
        variants[id - 1].n_systems = c->systems.at[i].count;
        variants[id - 1].systems = c->systems.at[i].at;
        c->tree->n_variants++;
    }
    c->tree->variants = variants;
}

/* A strategy's condition that always holds. */
static bool node_always(const struct node *node)
{
    return node->condition && node->accept && ((const struct search_node *)node)->refuse_empty;
}

/* Without tests that always hold or never do; NULL where nothing is left to run but the safe variant. */
static const struct node *node_finish(struct construction *c, const struct node *from)
{
    if (!from)
        return NULL;
    struct search_node *node = (struct search_node *)from;
    struct arena *arena = c->store.ctx->arena;
    if (node->node.variant)
        return &node->node;
    const struct node *accept = node_finish(c, node->node.accept), *refuse = node->node.refuse;
    if (accept && node->refuse_empty)
        return accept;
    for (bool yes; refuse && !refuse->variant && ((yes = node_always(refuse)) || !refuse->accept);) {
        const char *name = yes ? refuse->condition : refuse->strategy;
        if (name && node->node.strategy)
            node->node.strategy = arena_printf(arena, "%s, %s", node->node.strategy, name);
        else if (name)
            node->node.strategy = name;
        refuse = yes ? refuse->accept : refuse->refuse;
    }
    refuse = node_finish(c, refuse);
    if (!accept)
        return refuse;
    if (!refuse)
        node->node.strategy = NULL;
    node->node.accept = accept;
    node->node.refuse = refuse;
    return &node->node;
}

/* Auxiliary integers that no case needs, nor one that is needed, are left out: a target asks for some before it is known
   that nothing could better it. */
static void auxiliaries_keep(struct construction *c)
{
    const struct tree *tree = c->tree;
    size_t n = c->store.auxiliaries.count, kept = 0;
    const struct auxiliary **all = ARENA_ARRAY(c->store.ctx->arena, const struct auxiliary *, n + 1);
    for (size_t i = n; i-- > 0;) {
        const struct auxiliary *a = c->store.auxiliaries.at[i];
        bool needed = false;
        for (size_t v = 0; v < tree->n_variants; v++) {
            needed |= sas_uses(tree->variants[v].fits, a->variable);
            for (size_t s = 0; s < tree->variants[v].n_systems; s++)
                needed |= sas_uses(tree->variants[v].systems[s].constraints, a->variable);
        }
        for (size_t k = 0; k < kept; k++)
            needed |= auxiliary_uses(all[n - 1 - k], a->variable);
        if (needed)
            all[n - 1 - kept++] = a;
    }
    c->tree->auxiliaries = all + n - kept;
    c->tree->n_auxiliaries = kept;
}

/* Cases into systems of their variants, in the order of the tree; a merged one has the constraints of the path that is left. */
static void cases_finish(struct construction *c, const struct node *node, struct sas path)
{
    struct arena *arena = c->store.ctx->arena;
    if (!node)
        return;
    c->tree->n_nodes++;
    if (!node->variant) {
        cases_finish(c, node->accept, sas_add(arena, path, node->constraint));
        cases_finish(c, node->refuse, sas_add(arena, path, constraint_negate(node->constraint)));
        return;
    }
    struct tree_case *from = &c->cases.at[node->variant - 1];
    if (from->merged)
        from->constraints = path;
    ((struct node *)node)->system = c->systems.at[from->variant].count;
    vec_push(arena, &c->systems.at[from->variant], leaf_finish(&c->store, c->tree, from));
}

static void nodes_number(struct construction *c, const struct node *node)
{
    if (!node)
        return;
    nodes_number(c, node->accept);
    nodes_number(c, node->refuse);
    if (node->variant)
        ((struct node *)node)->variant = variant_id(c, c->cases.at[node->variant - 1].variant);
}

/* Fewer leaves and tests, then systems, variants and nodes as they are told. */
static void construction_finish(struct construction *c, const struct search_result *result)
{
    struct store *store = &c->store;
    const struct tree_options *options = store->options;
    struct arena *arena = store->ctx->arena;
    struct pruning pruning = {.store = store, .context = sas_join(arena, c->tree->initial, auxiliary_facts(arena, c->tree)),
                              .cases = c->cases.at, .n_cases = c->cases.count, .variants = c->variants.at,
                              .n_variants = c->variants.count, .stats = c->stats};
    bool prunes = !options->golden && options->mode == TREE_KEEP;
    cost_switch(store, COST_PRUNE);
    if (prunes) {
        prune_dominated(&pruning);
        prune_budget(&pruning, options->max_leaves ? options->max_leaves : MAX_LEAVES);
    }
    cost_switch(store, COST_MERGE);
    c->tree->root = node_finish(c, result->root);
    if (prunes)
        c->tree->root = tree_collapse(&pruning, c->tree->root);
    cost_switch(store, COST_CASES);
    cases_finish(c, c->tree->root, sas_empty(c->tree->ring));
    nodes_number(c, c->tree->root);
    variants_finish(c);
}

static const struct tree *construction_run(struct construction *c)
{
    struct store *store = &c->store;
    if (!counters_choose(store))
        return NULL;
    cost_switch(store, COST_SEARCH);
    problem_set_up(c);
    struct search_result result = optimizer_search(store->ctx->arena, &c->problem);
    if (!result.ok)
        return NULL;
    struct tree *tree = c->tree;
    tree->region = store->region;
    tree->ring = store->ring;
    tree->machine = store->machine;
    tree->mode = store->options->mode;
    tree->initial = store->initial;
    tree->auxiliaries = store->auxiliaries.at;
    tree->n_auxiliaries = store->auxiliaries.count;
    tree->n_unknown = result.n_unknown;
    if (!leaves_sort(c, &result))
        return NULL;
    tree->auxiliaries = store->auxiliaries.at;
    tree->n_auxiliaries = store->auxiliaries.count;
    construction_finish(c, &result);
    auxiliaries_keep(c);
    cost_switch(store, COST_SEARCH);
    c->stats->paths = result.n_leaves;
    c->stats->kernels = store->builds.count;
    c->stats->questions_search = result.questions;
    memcpy(c->stats->seconds, store->watch.spent, sizeof c->stats->seconds);
    tree->stats = store->options->stats ? c->stats : NULL;
    return tree;
}

const struct tree *tree_build(struct ctx *ctx, const struct region *region, const struct tree_options *options)
{
    struct construction *c = ARENA_NEW(ctx->arena, struct construction);
    c->store.ctx = ctx;
    c->store.region = region;
    c->store.options = options;
    c->store.ring = region->kernel->ring;
    ring_count_questions(c->store.ring, &ctx->counts.questions);
    c->store.initial = sas_join(ctx->arena, region->kernel->facts, region->conditions);
    c->tree = ARENA_NEW(ctx->arena, struct tree);
    c->stats = ARENA_NEW(ctx->arena, struct tree_stats);
    return construction_run(c);
}
