/* The case tree as rows, for explanations (layout: runtime/treefork-tables.h). In: a tree. Out: its
   steps, each before those on its branches, and its ends with their codes. NAME_select asks the
   tests in the same order; its trace has their numbers, and these rows what they mean. */
#include "emit/tables.h"
#include <string.h>

/* The number of a word; equal words are one. */
static unsigned add_word(struct tables *t, const char *word)
{
    if (!word)
        return TREEFORK_NONE;
    for (size_t i = 0; i < t->words.count; i++)
        if (strcmp(t->words.at[i], word) == 0)
            return (unsigned)i;
    vec_push(t->arena, &t->words, word);
    return (unsigned)t->words.count - 1;
}

static const char *end_codes(struct tables *t, const struct node *leaf)
{
    const struct variant *variant = tree_variant(t->tree, leaf->variant);
    struct str codes = str_new(t->arena);
    if (!variant || leaf->system >= variant->n_systems)
        return NULL;
    const struct leaf_system *system = &variant->systems[leaf->system];
    for (size_t i = 0; i < system->n_codes; i++)
        str_addf(&codes, "(%s)", system->codes[i]);
    return codes.text;
}

/* A leaf, or where nothing is left to try the safe one. */
static int add_end(struct tables *t, const struct node *leaf)
{
    const struct variant *variant = tree_end_variant(t->tree, leaf);
    struct end_row row = {.leaf = variant ? variant->id : 0,
                          .codes = add_word(t, leaf ? end_codes(t, leaf) : NULL)};
    for (size_t i = 0; i < t->ends.count; i++)
        if (t->ends.at[i].leaf == row.leaf && t->ends.at[i].codes == row.codes)
            return -1 - (int)i;
    vec_push(t->arena, &t->ends, row);
    return -(int)t->ends.count;
}

static int add_step(struct tables *t, const struct node *node)
{
    if (!node || node->kind != NODE_FORK)
        return add_end(t, node);
    size_t number = t->steps.count;
    struct step_row row = {.fork = node,
                           .counter = add_word(t, node->counter),
                           .accept = add_word(t, node->condition),
                           .refuse = add_word(t, node->strategy)};
    vec_push(t->arena, &t->steps, row);
    int on_accept = add_step(t, node->accept), on_refuse = add_step(t, node->refuse);
    t->steps.at[number].on_accept = on_accept;
    t->steps.at[number].on_refuse = on_refuse;
    return (int)number;
}

void steps_collect(struct tables *t)
{
    add_step(t, t->tree->root);
}
