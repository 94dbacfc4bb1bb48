/* From the search to a tree of cases, and what all passes need.

   In: the records of the search. Out: nodes, made from the leaves upwards, and the versions of the
   kernel: leaves with equal kernels share one. Invariant: the cases stand from left to right in the
   order of Algorithm 1. */
#include "optimizer/cases.h"

/* --- versions --------------------------------------------------------------------------------- */

struct cases_making {
    struct store *store;
    struct arena *arena;
    VEC(struct version) versions;
    const struct search_result *result;
    size_t at;                          /* the next record */
    bool failed;                        /* a diagnostic was given */
};

static struct requirement limit_requirement(const struct search_counter *counter,
                                            const struct counter_value *value)
{
    return (struct requirement){counter_accept(&value->pieces[0], counter->limit, true),
                                value->slots};
}

/* What a kernel needs to run: that it fits the limits of all resources, and that its
   extents divide. */
static bool requirements_find(struct cases_making *m, struct version *version)
{
    const struct search_space *space = m->store->space;
    const struct requirement *divisible;
    size_t n_divisible = store_parts_requirements(m->store, version->parts, &divisible);
    struct requirement *all = ARENA_ARRAY(m->arena, struct requirement,
                                          (size_t)space->n_counters + n_divisible + 2);
    for (int i = 0; i < space->n_counters; i++) {
        const struct counter_value *value = store_value(m->store, version->key, i);
        if (!value)
            return false;
        if (!space->counters[i].is_resource || value->count != 1 ||
            poly_is_zero(value->pieces[0].numerator))
            continue;
        all[version->n_requirements++] = limit_requirement(&space->counters[i], value);
    }
    for (size_t i = 0; i < n_divisible; i++)
        all[version->n_requirements++] = divisible[i];
    if (version->key.level[FAMILY_PARTITION])
        all[version->n_requirements++] = store_partition_requirement(m->store);
    version->requirements = all;
    return true;
}

/* Was the strategy applied, and not made meaningless by another one? */
static bool strategy_shows(const struct search_space *space, struct key key, int strategy,
                           const struct quintuple *q)
{
    const struct strategy *row = &space->strategies[strategy];
    if (key.level[FAMILY_STRIDE] && row->family == FAMILY_GRANULARITY)
        return space->region->n_coarse > 0;
    return key_has(key, row) && (!q || quintuple_has(q, strategy));
}

static bool version_make(struct cases_making *m, struct key key, const struct quintuple *q,
                         const struct part_list *parts)
{
    const struct search_space *space = m->store->space;
    const struct strategy **strategies = ARENA_ARRAY(m->arena, const struct strategy *,
                                                     space->n_strategies + 1);
    struct version version = {.key = key, .parts = parts, .safe = key.level[FAMILY_STRIDE] > 0};
    for (int i = 0; i < space->n_strategies; i++)
        if (strategy_shows(space, key, i, q))
            strategies[version.n_strategies++] = &space->strategies[i];
    version.strategies = strategies;
    if (!version.safe && !requirements_find(m, &version))
        return false;
    vec_push(m->arena, &m->versions, version);
    return true;
}

/* The index of the version with the kernels and the plan of this key, which is made if it is new.
   False after a diagnostic. */
static bool version_of(struct cases_making *m, struct key key, const struct quintuple *q,
                       size_t *index)
{
    const struct part_list *parts = store_parts(m->store, key, false);
    if (!parts)
        return false;
    for (*index = 0; *index < m->versions.count; (*index)++) {
        const struct version *known = &m->versions.at[*index];
        if (known->parts == parts &&
            known->key.level[FAMILY_PARTITION] == key.level[FAMILY_PARTITION])
            return true;
    }
    return version_make(m, key, q, parts);
}

bool version_bind(const struct search_space *space, const struct version *version,
                  struct slots *slots, struct sas *fits)
{
    *fits = sas_empty(space->ring);
    for (size_t i = 0; i < version->n_requirements; i++) {
        int at[RING_CAPACITY];
        if (!slots_join(space, slots, version->requirements[i].slots, 0, at))
            return false;
        *fits = sas_add(space->arena, *fits,
                        constraint_rename(space->ring, version->requirements[i].holds, at));
    }
    return true;
}

/* --- nodes ------------------------------------------------------------------------------------ */

static const struct tree_case *case_make(struct cases_making *m, const struct quintuple *q)
{
    struct tree_case *leaf = ARENA_NEW(m->arena, struct tree_case);
    *leaf = (struct tree_case){.constraints = quintuple_system(m->arena, q,
                                                               sas_empty(m->store->space->ring),
                                                               false),
                               .slots = q->slots,
                               .n_codes = q->n_codes,
                               .codes = q->codes,
                               .unknown = q->unknown};
    m->failed |= !version_of(m, q->key, q, &leaf->version);
    return leaf;
}

/* The node whose records come next; *applied: the strategy that leads to it without a test, NULL
   if none. */
static const struct case_node *node_read(struct cases_making *m, const char **applied)
{
    const struct record *record = &m->result->records[m->at++];
    struct case_node *node = ARENA_NEW(m->arena, struct case_node);
    const char *nothing;
    *applied = NULL;
    if (record->kind == RECORD_APPLY) {
        *applied = record->strategy;
        record = &m->result->records[m->at++];
    }
    switch (record->kind) {
    case RECORD_FORK:
        node->kind = CASE_FORK;
        node->test = record->test;
        node->slots = record->slots;
        node->part = record->part;
        node->proposed = record->proposed;
        node->counter = record->counter;
        node->condition = record->strategy;
        node->accept = node_read(m, &nothing);
        node->refuse = node_read(m, &node->strategy);
        break;
    case RECORD_LEAF:
        node->kind = CASE_LEAF;
        node->leaf = case_make(m, record->leaf);
        break;
    case RECORD_REST: node->kind = CASE_REST; break;
    default: node->kind = CASE_EMPTY; break;
    }
    return node;
}

const struct case_tree *cases_make(struct store *store, const struct search_result *result)
{
    struct cases_making m = {.store = store, .arena = store->ctx->arena, .result = result};
    struct case_tree *tree = ARENA_NEW(m.arena, struct case_tree);
    const char *nothing;
    size_t safe;
    tree->store = store;
    tree->root = node_read(&m, &nothing);
    if (m.failed ||
        !version_of(&m, key_with((struct key){0}, strategy_table(STRATEGY_STRIDE)), NULL, &safe))
        return NULL;
    tree->n_versions = m.versions.count;
    tree->versions = m.versions.at;
    tree->n_unknown = result->n_unknown;
    return tree;
}

/* --- what the passes need --------------------------------------------------------------------- */

static void list_add(struct arena *arena, struct case_list *list, const struct case_node *node)
{
    if (node->kind == CASE_LEAF)
        vec_push(arena, list, node->leaf);
    if (node->kind != CASE_FORK)
        return;
    list_add(arena, list, node->accept);
    list_add(arena, list, node->refuse);
}

struct case_list case_list_make(struct arena *arena, const struct case_node *root)
{
    struct case_list list = {0};
    list_add(arena, &list, root);
    return list;
}

static const struct case_node *node_replace(struct arena *arena, const struct case_node *from,
                                            const struct tree_case *const **leaves)
{
    if (from->kind != CASE_FORK && from->kind != CASE_LEAF)
        return from;
    struct case_node *node = ARENA_NEW(arena, struct case_node);
    *node = *from;
    if (from->kind == CASE_LEAF) {
        node->leaf = *(*leaves)++;
        return node;
    }
    node->accept = node_replace(arena, from->accept, leaves);
    node->refuse = node_replace(arena, from->refuse, leaves);
    return node;
}

const struct case_node *case_leaves_replace(struct arena *arena, const struct case_node *root,
                                            const struct tree_case *const *leaves)
{
    return node_replace(arena, root, &leaves);
}

const struct case_tree *case_tree_with(const struct case_tree *tree, const struct case_node *root)
{
    struct case_tree *with = ARENA_NEW(tree->store->ctx->arena, struct case_tree);
    *with = *tree;
    with->root = root;
    return with;
}

size_t case_tree_used(const struct case_tree *tree)
{
    struct case_list list = case_list_make(tree->store->ctx->arena, tree->root);
    size_t used = 0;
    for (size_t v = 0; v < tree->n_versions; v++) {
        bool has = tree->versions[v].safe;
        for (size_t i = 0; i < list.count; i++)
            has |= list.at[i]->version == v;
        used += has;
    }
    return used;
}

/* --- text ------------------------------------------------------------------------------------- */

static void node_print(struct str *out, const struct case_tree *tree, const struct case_node *node,
                       const char *indent)
{
    if (node->kind == CASE_REST)
        str_add(out, "rest\n");
    if (node->kind == CASE_EMPTY)
        str_add(out, "empty\n");
    if (node->kind == CASE_LEAF) {
        str_addf(out, "version %zu ", node->leaf->version + 1);
        for (size_t i = 0; i < node->leaf->n_codes; i++)
            str_addf(out, "(%s)", node->leaf->codes[i]);
        str_add(out, node->leaf->unknown ? " undecided\n" : "\n");
    }
    if (node->kind != CASE_FORK)
        return;
    const char *deeper = arena_printf(out->arena, "%s    ", indent);
    constraint_print(out, node->test, tree->store->space->machine);
    str_addf(out, " ? %s\n%syes%s%s: ", node->counter, indent, node->condition ? ", " : "",
             node->condition ? node->condition : "");
    node_print(out, tree, node->accept, deeper);
    str_addf(out, "%sno%s%s: ", indent, node->strategy ? ", " : "",
             node->strategy ? node->strategy : "");
    node_print(out, tree, node->refuse, deeper);
}

void cases_print(struct str *out, const struct case_tree *tree)
{
    str_addf(out, "%s: %zu versions\n", tree->store->space->region->name, tree->n_versions);
    for (size_t i = 0; i < tree->n_versions; i++) {
        const struct version *version = &tree->versions[i];
        str_addf(out, "version %zu%s:", i + 1, version->safe ? " (safe)" : "");
        for (size_t k = 0; k < version->n_strategies; k++)
            str_addf(out, "%s %s", k ? "," : "", version->strategies[k]->name);
        str_char(out, '\n');
    }
    node_print(out, tree, tree->root, "");
}
