/* An explanation from the case tree: the same struct treefork_explanation that libtreefork fills
   from a generated program's tables (runtime/explain.c), computed another way: polynomials and
   kernels instead of rows and operations. tests/host/explain.test compares the two byte by byte. */
#include "cli/explanation.h"
#include "cli/predict.h"
#include "emit/checked.h"
#include "emit/code.h"
#include "emit/host.h"
#include "runtime/serial.h"
#include <stdlib.h>
#include <string.h>

struct maker {
    struct ctx *ctx;
    const struct measured_store *store;
    const struct tree *tree;
    const struct treefork_machine *machine;
    const int64_t *point;
};

/* --- conditions ------------------------------------------------------------------------------ */

/* The value of one side; an unlimited machine parameter makes it unlimited. */
static int64_t side_value(const struct maker *m, const struct poly *p, bool *is_beyond)
{
    int64_t value = 0;
    for (int v = 0; v < ring_count(m->tree->ring); v++)
        if (m->tree->machine >> v & 1 && m->point[v] == TREEFORK_UNLIMITED && poly_uses(p, v))
            return TREEFORK_UNLIMITED;
    *is_beyond = !poly_evaluate(p, m->point, &value);
    return value;
}

static struct treefork_explained_condition condition_make(const struct maker *m,
                                                          struct constraint c)
{
    struct sides sides = constraint_sides(m->ctx->arena, c, m->tree->machine);
    struct treefork_explained_condition made = {.text = sides.text,
                                                .holds =
                                                    constraint_truth(m->tree, c, m->point) > 0};
    made.left = side_value(m, sides.left, &made.left_is_beyond);
    made.right = side_value(m, sides.right, &made.right_is_beyond);
    return made;
}

/* --- the path -------------------------------------------------------------------------------- */

static bool is_fork(const struct node *node)
{
    return node && node->kind == NODE_FORK;
}

/* The leaf at the end of a path: the safe one where nothing is left to try. */
static int end_leaf(const struct tree *tree, const struct node *end)
{
    if (end)
        return end->variant;
    for (size_t i = 0; i < tree->n_variants; i++)
        if (tree->variants[i].safe)
            return tree->variants[i].id;
    return 0;
}

static bool node_reaches(const struct tree *tree, const struct node *node, int leaf)
{
    if (is_fork(node))
        return node_reaches(tree, node->accept, leaf) || node_reaches(tree, node->refuse, leaf);
    return end_leaf(tree, node) == leaf;
}

static const char *codes_of(const struct maker *m, const struct node *leaf)
{
    struct str codes = str_new(m->ctx->arena);
    if (!leaf)
        return NULL;
    for (size_t v = 0; v < m->tree->n_variants; v++) {
        const struct variant *variant = &m->tree->variants[v];
        if (variant->id != leaf->variant || leaf->system >= variant->n_systems)
            continue;
        const struct leaf_system *system = &variant->systems[leaf->system];
        for (size_t i = 0; i < system->n_codes; i++)
            str_addf(&codes, "(%s)", system->codes[i]);
        return codes.text;
    }
    return NULL;
}

static const struct node *branch_taken(const struct node *fork, bool holds)
{
    return holds ? fork->accept : fork->refuse;
}

static void path_make(const struct maker *m, struct treefork_explanation *e)
{
    const struct node *node = m->tree->root;
    VEC(struct treefork_explained_step) steps = {0};
    while (is_fork(node)) {
        struct treefork_explained_step step = {.condition = condition_make(m, node->constraint),
                                               .counter = node->counter ? node->counter : ""};
        step.strategy = step.condition.holds ? node->condition : node->strategy;
        vec_push(m->ctx->arena, &steps, step);
        node = branch_taken(node, step.condition.holds);
    }
    e->codes = codes_of(m, node);
    e->leaf = e->leaf_by_case = end_leaf(m->tree, node);
    e->steps = steps.at;
    e->n_steps = steps.count;
}

static void parting_find(const struct maker *m, struct treefork_explanation *e)
{
    const struct node *node = m->tree->root;
    int second = treefork_explanation_second(e);
    e->parting = -1;
    if (second < 0)
        return;
    for (size_t i = 0; i < e->n_steps; i++) {
        bool holds = e->steps[i].condition.holds;
        if (node_reaches(m->tree, branch_taken(node, !holds), e->leaves[second].id))
            e->parting = (int)i;
        node = branch_taken(node, holds);
    }
}

/* --- leaves and values ----------------------------------------------------------------------- */

static void leaf_time_make(const struct maker *m, const struct variant *variant,
                           struct treefork_explained_leaf *leaf)
{
    struct leaf_time time;
    leaf->is_timed = !leaf_predict(m->ctx, m->tree, variant, m->machine, m->point, &time) &&
                     time.prediction.nanoseconds < NO_TIME;
    if (!leaf->is_timed)
        return;
    const struct launch_time *first = &time.launches[0];
    leaf->prediction = leaf->compared = time.prediction;
    treefork_handicap(m->machine, time.threads, variant->safe && m->tree->n_variants > 1,
                      &leaf->compared);
    leaf->threads = first->figures.threads;
    leaf->block_width = first->figures.width;
    leaf->blocks = first->figures.blocks;
    leaf->grid_width = first->grid_width;
    for (size_t i = 0; i < time.n_launches; i++)
        leaf->serial += treefork_serial_time(m->machine, &time.launches[i].figures,
                                             &time.launches[i].prediction);
}

static struct treefork_explained_leaf leaf_make(const struct maker *m,
                                                const struct variant *variant)
{
    struct treefork_explained_leaf leaf = {.id = variant->id, .is_safe = variant->safe,
                                           .fits = true};
    for (size_t i = 0; i < variant->fits.count && leaf.fits; i++)
        if (constraint_truth(m->tree, variant->fits.at[i], m->point) <= 0) {
            leaf.fits = false;
            leaf.lack = condition_make(m, variant->fits.at[i]);
        }
    if (leaf.fits)
        leaf_time_make(m, variant, &leaf);
    return leaf;
}

static struct treefork_explained_leaf *leaves_make(const struct maker *m)
{
    struct treefork_explained_leaf *leaves =
        ARENA_ARRAY(m->ctx->arena, struct treefork_explained_leaf, m->tree->n_variants + 1);
    for (size_t i = 0; i < m->tree->n_variants; i++)
        leaves[i] = leaf_make(m, &m->tree->variants[i]);
    return leaves;
}

static void values_make(const struct maker *m, struct treefork_explanation *e)
{
    const struct kernel *k = m->tree->region->kernel;
    struct treefork_explained_value *values =
        ARENA_ARRAY(m->ctx->arena, struct treefork_explained_value, k->n_params + 1);
    for (int i = 0; i < k->n_params; i++) {
        const char *name = k->params[i]->var->name;
        int v = ring_find(m->tree->ring, name);
        if (code_integer_parameter(k, name) >= 0 && v >= 0)
            values[e->n_values++] =
                (struct treefork_explained_value){.name = name, .value = m->point[v]};
    }
    e->values = values;
}

/* --- the whole ------------------------------------------------------------------------------- */

/* What the condition uses and nobody set, as "; w is not in --set and taken as 0". */
static const char *unset_text(const struct maker *m, struct constraint c,
                              const struct assignments *set)
{
    struct sas sas = {m->tree->ring, &c, 1};
    struct str text = str_new(m->ctx->arena);
    for (int v = 0; v < ring_count(m->tree->ring); v++) {
        const char *name = ring_name(m->tree->ring, v);
        if (sas_uses(sas, v) && kernel_param(m->tree->region->kernel, name) &&
            !(m->tree->machine >> v & 1) && !assignment_find(set, name))
            str_addf(&text, "; %s is not in --set and taken as %lld", name,
                     (long long)m->point[v]);
    }
    return text.length ? text.text : "";
}

/* What NAME_select asks before the case tree. */
static bool facts_hold(const struct maker *m, const struct assignments *set)
{
    struct sas initial = m->tree->initial;
    for (size_t i = 0; i < initial.count; i++) {
        struct constraint c = initial.at[i];
        if (!select_asks_first(m->tree, c) || constraint_truth(m->tree, c, m->point) > 0)
            continue;
        diag_error(m->ctx, loc_none(), "region %s: %s does not hold%s", m->tree->region->name,
                   constraint_sides(m->ctx->arena, c, m->tree->machine).text,
                   unset_text(m, c, set));
        return false;
    }
    return true;
}

static bool is_legal(const struct maker *m)
{
    const struct region *region = m->tree->region;
    for (size_t i = 0; i < region->conditions.count; i++) {
        struct constraint c = region->conditions.at[i];
        if (constraint_truth(m->tree, c, m->point) > 0)
            continue;
        diag_error(m->ctx, loc_none(),
                   "region %s: the iterations that touch %s are proved independent only where %s",
                   region->name, region_condition_place(m->ctx->arena, region, i),
                   constraint_sides(m->ctx->arena, c, m->tree->machine).text);
        return false;
    }
    return true;
}

bool explanation_make(struct ctx *ctx, const struct measured_store *store, const struct tree *tree,
                      const struct treefork_machine *machine, const struct assignments *set,
                      struct treefork_explanation *explanation)
{
    struct maker m = {.ctx = ctx, .store = store, .tree = tree, .machine = machine};
    int64_t *point;
    if (!point_make(ctx, tree, machine, set, &point))
        return false;
    m.point = point;
    if (tree_select(tree, point, NULL) < 0) {
        diag_error(ctx, loc_none(), "region %s: a condition leaves 64 bits at these values",
                   tree->region->name);
        return false;
    }
    if (!facts_hold(&m, set) || !is_legal(&m))
        return false;
    *explanation = (struct treefork_explanation){.region = tree->region->name,
                                                 .machine = machine->name};
    path_make(&m, explanation);
    struct treefork_explained_leaf *leaves = leaves_make(&m);
    measured_fill(ctx, store, tree, machine, point, leaves, tree->n_variants);
    explanation->leaves = leaves;
    explanation->n_leaves = tree->n_variants;
    values_make(&m, explanation);
    explanation->is_in_place = treefork_explanation_stays(explanation);
    parting_find(&m, explanation);
    return true;
}

static const char *text_take(struct ctx *ctx, struct treefork_text *text)
{
    const char *copy = arena_strndup(ctx->arena, text->text ? text->text : "", text->length);
    free(text->text);
    return copy;
}

const char *explanation_text(struct ctx *ctx, const struct treefork_explanation *explanation)
{
    struct treefork_text text = {0};
    treefork_explanation_text(&text, explanation);
    return text_take(ctx, &text);
}

const char *explanation_json(struct ctx *ctx, const struct treefork_explanation *explanation)
{
    struct treefork_text text = {0};
    treefork_explanation_json(&text, explanation);
    return text_take(ctx, &text);
}
