/* From cases to the tree that is shown: versions numbered, auxiliary integers named.

   In: a tree of cases. Out: a tree over a ring of its own, which holds the parameters and, behind
   them, the auxiliary integers that cases and versions need, in the order in which the tree comes
   to them, so that neither numbers nor names depend on the order of the questions of the search.
   Versions without cases are left out; the others keep their order, which is that of their first
   case in the search, the safe one last.
   Invariant: every variant has at least one system, except the safe one. Source: design, "Leaf
   and variant". */
#include "optimizer/cases.h"
#include "optimizer/figures.h"

/* A VEC of systems. */
struct systems {
    struct leaf_system *at;
    size_t count, capacity;
};

struct tree_naming {
    const struct case_tree *from;
    const struct search_space *space;
    struct arena *arena;
    struct ring *ring;                   /* of the tree */
    struct slots slots;                  /* what stands behind the parameters in it */
    int *ids;                            /* by version: number in the tree, 0 = left out */
    struct systems *systems;             /* by version */
    struct tree *tree;
};

/* --- names ------------------------------------------------------------------------------------ */

/* Does a key of the part (NULL: of none) use it? */
static bool part_uses(const struct counter_test *part, int variable)
{
    size_t count = part ? part->n_keys : 0;
    for (size_t k = 0; k < count; k++)
        if (poly_uses(part->keys[k], variable))
            return true;
    return false;
}

/* The slots that a system and the keys of a part (NULL: of none) use, with their operands, as
   a table. */
static struct slots slots_used(struct arena *arena, const struct search_space *space,
                               struct slots slots, struct sas sas, const struct counter_test *part)
{
    const struct definition **used = ARENA_ARRAY(arena, const struct definition *, slots.count + 1);
    int n = 0;
    for (int i = 0; i < slots.count; i++) {
        int variable = space->n_fixed + i;
        if (sas_uses(sas, variable) || part_uses(part, variable))
            used[n++] = slots.at[i];
    }
    return (struct slots){n, used};
}

/* Those of the keys at forks. */
static bool slots_of_parts(struct tree_naming *n, const struct case_node *node)
{
    int at[RING_CAPACITY];
    if (node->kind != CASE_FORK)
        return true;
    struct slots used = slots_used(n->arena, n->space, node->slots, sas_empty(n->space->ring),
                                   node->part);
    return slots_join(n->space, &n->slots, used, 0, at) && slots_of_parts(n, node->accept) &&
           slots_of_parts(n, node->refuse);
}

static bool slots_collect(struct tree_naming *n)
{
    int at[RING_CAPACITY];
    struct case_list list = case_list_make(n->arena, n->from->root);
    for (size_t i = 0; i < list.count; i++) {
        struct slots used = slots_used(n->arena, n->space, list.at[i]->slots,
                                       list.at[i]->constraints, NULL);
        if (!slots_join(n->space, &n->slots, used, 0, at))
            return false;
    }
    for (size_t v = 0; v < n->from->n_versions; v++)
        for (size_t i = 0; n->ids[v] && i < n->from->versions[v].n_requirements; i++)
            if (!slots_join(n->space, &n->slots, n->from->versions[v].requirements[i].slots, 0, at))
                return false;
    return slots_of_parts(n, n->from->root);
}

/* What becomes of the variables of a table in the ring of the tree; those that it does not use
   become any. */
static const int *slots_rename(const struct tree_naming *n, struct slots slots)
{
    int *at = ARENA_ARRAY(n->arena, int, RING_CAPACITY);
    for (int v = 0; v < RING_CAPACITY; v++)
        at[v] = v;
    for (int i = 0; i < slots.count; i++) {
        int place = slots_find(n->slots, slots.at[i]);
        at[n->space->n_fixed + i] = n->space->n_fixed + (place < 0 ? 0 : place);
    }
    return at;
}

/* "q", "q_2", … : names that neither a parameter nor an array has. */
static void ring_name_slots(struct tree_naming *n)
{
    const struct kernel *kernel = n->space->region->kernel;
    n->ring = ring_new(n->arena);
    ring_count_questions(n->ring, &n->space->ctx->counts.questions);
    for (int v = 0; v < n->space->n_fixed; v++)
        (void)ring_variable(n->ring, ring_name(n->space->ring, v));
    for (int i = 0; i < n->slots.count; i++) {
        const char *stem = n->slots.at[i]->stem, *name = stem;
        for (int k = 2; ring_find(n->ring, name) >= 0 || kernel_param(kernel, name) ||
                        kernel_array(kernel, name);
             k++)
            name = arena_printf(n->arena, "%s_%d", stem, k);
        (void)ring_variable(n->ring, name);
    }
}

static void auxiliaries_make(struct tree_naming *n)
{
    const struct auxiliary **all = ARENA_ARRAY(n->arena, const struct auxiliary *,
                                               n->slots.count + 1);
    for (int i = 0; i < n->slots.count; i++)
        all[i] = slots_auxiliary(n->space, n->ring, n->slots, i);
    n->tree->auxiliaries = all;
    n->tree->n_auxiliaries = (size_t)n->slots.count;
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* In their order, the safe one last; it needs no cases. */
static void versions_number(struct tree_naming *n)
{
    struct case_list list = case_list_make(n->arena, n->from->root);
    int last = 0;
    n->ids = ARENA_ARRAY(n->arena, int, n->from->n_versions + 1);
    for (size_t v = 0; v < n->from->n_versions; v++)
        for (size_t i = 0; i < list.count && n->ids[v] == 0; i++)
            if (list.at[i]->version == v && !n->from->versions[v].safe)
                n->ids[v] = ++last;
    for (size_t v = 0; v < n->from->n_versions; v++)
        if (n->from->versions[v].safe)
            n->ids[v] = last + 1;
    n->tree->n_variants = (size_t)last + 1;
}

/* Are all slots that p uses in the tree? */
static bool poly_is_named(const struct tree_naming *n, struct slots slots, const struct poly *p)
{
    for (int i = 0; i < slots.count; i++)
        if (poly_uses(p, n->space->n_fixed + i) && slots_find(n->slots, slots.at[i]) < 0)
            return false;
    return true;
}

/* Parts of a goal over the tree's ring: their numbers and keys. One whose keys use an integer that
   the tree does not have loses them. */
static const struct counter_test *parts_name(struct tree_naming *n, size_t count,
                                             const struct counter_test *parts, struct slots slots)
{
    struct counter_test *named = ARENA_ARRAY(n->arena, struct counter_test, count + 1);
    const int *at = slots_rename(n, slots);
    for (size_t i = 0; i < count; i++) {
        const struct poly **keys = ARENA_ARRAY(n->arena, const struct poly *, parts[i].n_keys + 1);
        bool is_named = true;
        for (size_t k = 0; k < parts[i].n_keys; k++) {
            is_named &= poly_is_named(n, slots, parts[i].keys[k]);
            keys[k] = poly_rename(n->ring, parts[i].keys[k], at);
        }
        named[i] = (struct counter_test){.id = parts[i].id,
                                         .n_keys = is_named ? parts[i].n_keys : 0,
                                         .keys = keys};
    }
    return named;
}

static const struct node *node_name(struct tree_naming *n, const struct case_node *from)
{
    if (from->kind == CASE_REST || from->kind == CASE_EMPTY)
        return NULL;
    struct node *node = ARENA_NEW(n->arena, struct node);
    n->tree->n_nodes++;
    if (from->kind == CASE_FORK) {
        *node = (struct node){.kind = NODE_FORK,
                              .counter = from->counter,
                              .condition = from->condition,
                              .proposed = from->proposed,
                              .strategy = from->strategy,
                              .constraint = constraint_rename(n->ring, from->test,
                                                              slots_rename(n, from->slots))};
        if (from->part)
            node->part = parts_name(n, 1, from->part, from->slots);
        node->accept = node_name(n, from->accept);
        node->refuse = node_name(n, from->refuse);
        return node;
    }
    const struct tree_case *leaf = from->leaf;
    size_t v = leaf->version;
    struct leaf_system system = {.unknown = leaf->unknown,
                                 .n_codes = leaf->n_codes,
                                 .codes = leaf->codes,
                                 .constraints = sas_rename(n->arena, n->ring, leaf->constraints,
                                                           slots_rename(n, leaf->slots))};
    system.minimal = system.constraints;
    *node = (struct node){.kind = NODE_LEAF, .variant = n->ids[v], .system = n->systems[v].count};
    vec_push(n->arena, &n->systems[v], system);
    return node;
}

/* --- variants --------------------------------------------------------------------------------- */

/* A value that the tree forks on, over the tree's ring, with its auxiliary integers. */
static struct counter_value value_name(struct tree_naming *n, const struct counter_value *value)
{
    if (value->count == 0 || poly_ring(value->pieces[0].numerator) != n->space->ring)
        return *value;
    struct counter_value named = value_rename(n->arena, n->ring, value,
                                              slots_rename(n, value->slots));
    const struct auxiliary **auxiliaries = ARENA_ARRAY(n->arena, const struct auxiliary *,
                                                       value->slots.count + 1);
    named.n_auxiliary = 0;
    for (int i = 0; i < value->slots.count; i++) {
        int place = slots_find(n->slots, value->slots.at[i]);
        if (place >= 0)
            auxiliaries[named.n_auxiliary++] = n->tree->auxiliaries[place];
    }
    named.auxiliaries = auxiliaries;
    return named;
}

static void result_add(struct tree_naming *n, struct variant *variant,
                       struct counter_result *results, int symbol,
                       const struct counter_value *value)
{
    struct counter_value named = value ? value_name(n, value) : (struct counter_value){0};
    struct counter_result result = {.counter = counter_table(symbol), .value = named};
    if (value && value->goal) {
        result.n_parts = value->goal->count;
        result.parts = parts_name(n, value->goal->count, value->goal->tests, value->goal->slots);
    }
    results[variant->n_counters++] = result;
}

static bool is_reported(const struct search_space *space, int symbol)
{
    const struct counter *counter = counter_table(symbol);
    return counter->kind != COUNTER_RESOURCE && !space_forks_on(space, symbol) &&
           (!counter->concerns || counter->concerns(space));
}

/* Counters of the search first, then those that are reported, except in golden runs. */
static bool variant_count(struct tree_naming *n, const struct version *version,
                          struct variant *variant)
{
    const struct search_space *space = n->space;
    struct store *store = n->from->store;
    struct counter_result *results = ARENA_ARRAY(n->arena, struct counter_result,
                                                 COUNTER_COUNT + 1);
    for (int i = 0; i < space->n_counters; i++) {
        const struct counter_value *value = store_value(store, version->key, i);
        if (!value)
            return false;
        result_add(n, variant, results, space->counters[i].symbol, value);
    }
    variant->counters = results;
    if (space->options->golden)
        return true;
    for (int i = 0; i < COUNTER_COUNT; i++)
        if (is_reported(space, i))
            result_add(n, variant, results, i, store_counter(store, version->key, i));
    return true;
}

/* The registers of a golden run are the counter's, which may be injected; NULL without it. */
static const struct poly *golden_registers(const struct variant *variant)
{
    for (size_t i = 0; i < variant->n_counters; i++)
        if (variant->counters[i].counter == counter_table(COUNTER_REGISTERS))
            return variant->counters[i].value.pieces[0].numerator;
    return NULL;
}

static bool launch_make(struct tree_naming *n, const struct variant *variant,
                        const struct kernel *kernel, const struct kernel *symbolic,
                        struct launch *launch)
{
    struct store *store = n->from->store;
    launch->kernel = kernel;
    launch->symbolic = symbolic;
    launch->figures = figures_make(store, kernel);
    if (symbolic != kernel)
        launch->general = figures_make(store, symbolic);
    if (n->space->options->golden) {
        launch->registers = golden_registers(variant);
        return true;
    }
    const struct poly *registers = registers_estimate(store, kernel);
    launch->registers = poly_rename(n->ring, registers, slots_rename(n, (struct slots){0}));
    return registers != NULL;
}

/* The kernel of both launches, if there is one. */
static void launch_join(struct ctx *ctx, struct launch *launch, const struct launch *next)
{
    bool is_bound = launch->symbolic != launch->kernel || next->symbolic != next->kernel;
    const struct kernel *joined = strategy_join_last(ctx, launch->kernel, next->kernel),
                        *symbolic = joined;
    if (joined && is_bound)
        symbolic = strategy_join_last(ctx, launch->symbolic, next->symbolic);
    launch->joined = symbolic ? joined : NULL;
    launch->joined_symbolic = symbolic;
}

/* Launches whose last block may do what the next one does; false after a diagnostic. */
static bool launches_join(struct tree_naming *n, struct launch *launches, int count)
{
    struct ctx *ctx = n->from->store->ctx;
    if (!n->space->options->last_block)
        return true;
    for (int i = 0; i + 1 < count; i++) {
        launch_join(ctx, &launches[i], &launches[i + 1]);
        if (!launches[i].joined)
            continue;
        if (!kernel_verify(ctx, launches[i].joined) ||
            !kernel_verify(ctx, launches[i].joined_symbolic))
            return false;
        i++;
    }
    return true;
}

/* A launch for each kernel of the version. */
static bool launches_make(struct tree_naming *n, const struct version *version,
                          struct variant *variant)
{
    const struct part_list *symbolic = store_parts(n->from->store, version->key, true);
    if (!symbolic)
        return false;
    struct launch *launches = ARENA_ARRAY(n->arena, struct launch, PARTS_MOST);
    variant->launches = launches;
    variant->n_launches = (size_t)version->parts->count;
    for (int i = 0; i < version->parts->count; i++) {
        launches[i].number = i + 1;
        if (!launch_make(n, variant, version->parts->at[i]->kernel, symbolic->at[i]->kernel,
                         &launches[i]))
            return false;
    }
    return launches_join(n, launches, version->parts->count);
}

static bool variant_make(struct tree_naming *n, size_t v, struct variant *variant)
{
    const struct version *version = &n->from->versions[v];
    *variant = (struct variant){.id = n->ids[v], .safe = version->safe,
                                .n_systems = n->systems[v].count,
                                .systems = n->systems[v].at, .n_strategies = version->n_strategies,
                                .strategies = version->strategies, .fits = sas_empty(n->ring)};
    for (size_t i = 0; i < version->n_requirements; i++) {
        const struct requirement *requirement = &version->requirements[i];
        variant->fits = sas_add(n->arena, variant->fits,
                                constraint_rename(n->ring, requirement->holds,
                                                  slots_rename(n, requirement->slots)));
    }
    return variant_count(n, version, variant) && launches_make(n, version, variant);
}

bool cases_fit_ring(const struct case_tree *from)
{
    struct tree tree = {0};
    struct tree_naming n = {.from = from,
                            .space = from->store->space,
                            .arena = from->store->ctx->arena,
                            .tree = &tree};
    versions_number(&n);
    return slots_collect(&n);
}

struct tree *cases_finish(const struct case_tree *from)
{
    const struct search_space *space = from->store->space;
    struct tree *tree = ARENA_NEW(space->arena, struct tree);
    struct tree_naming n = {.from = from, .space = space, .arena = space->arena, .tree = tree};
    versions_number(&n);
    if (!slots_collect(&n))
        return NULL;
    ring_name_slots(&n);
    auxiliaries_make(&n);
    n.systems = ARENA_ARRAY(n.arena, struct systems, from->n_versions + 1);
    tree->region = space->region;
    tree->ring = n.ring;
    tree->machine = space->machine;
    tree->mode = space->mode;
    tree->initial = sas_rename(n.arena, n.ring, space->initial,
                               slots_rename(&n, (struct slots){0}));
    tree->n_unknown = from->n_unknown;
    tree->root = node_name(&n, from->root);
    struct variant *variants = ARENA_ARRAY(n.arena, struct variant, tree->n_variants + 1);
    for (size_t v = 0; v < from->n_versions; v++)
        if (n.ids[v] && !variant_make(&n, v, &variants[n.ids[v] - 1]))
            return NULL;
    tree->variants = variants;
    return tree;
}
