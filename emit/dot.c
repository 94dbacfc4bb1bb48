/* The decision trees for Graphviz, drawn as Figure 5 of the paper (spec C-18): the accept edge goes
   south-east, the refuse edge south-west, each labelled with its constraint; the strategy taken
   stands on the refuse edge. Leaves name their variant and codes. A refuse branch without a
   strategy left ends in the safe variant or in nothing. */
#include "emit/emit.h"
#include "emit/names.h"

struct dot {
    struct ctx *ctx;
    struct str *out;
    const struct tree *tree;
    size_t region, count;
};

static void write_leaf(struct dot *dot, const struct node *node, size_t id)
{
    const struct variant *variant = tree_variant(dot->tree, node->variant);
    if (!variant)
        return;
    struct str label = str_new(dot->ctx->arena);
    str_addf(&label, "leaf %d%s\\n", node->variant, variant->safe ? " (safe)" : "");
    for (size_t i = 0;
         node->system < variant->n_systems && i < variant->systems[node->system].n_codes; i++)
        str_addf(&label, "(%s)", variant->systems[node->system].codes[i]);
    str_addf(dot->out, "  r%zu_%zu [shape=box, label=\"%s\"];\n", dot->region, id, label.text);
}

static size_t write_node(struct dot *dot, const struct node *node)
{
    size_t id = dot->count++;
    struct arena *arena = dot->ctx->arena;
    if (node->kind == NODE_LEAF) {
        write_leaf(dot, node, id);
        return id;
    }
    const char *label = id == 0 ? arena_printf(arena, "Q(%s)", dot->tree->region->name) : "";
    str_addf(dot->out, "  r%zu_%zu [label=\"%s%s%s\"];\n", dot->region, id, label,
             id == 0 ? "\\n" : "", node->counter ? node->counter : "");
    if (node->refuse) {
        size_t child = write_node(dot, node->refuse);
        str_addf(dot->out, "  r%zu_%zu -> r%zu_%zu [tailport=sw, label=\"%s%s%s\"];\n", dot->region,
                 id, dot->region, child,
                 constraint_text(arena, constraint_negate(node->constraint), dot->tree->machine),
                 node->strategy ? "\\n" : "", node->strategy ? node->strategy : "");
    }
    if (node->accept) {
        size_t child = write_node(dot, node->accept);
        str_addf(dot->out, "  r%zu_%zu -> r%zu_%zu [tailport=se, label=\"%s%s%s\"];\n", dot->region,
                 id, dot->region, child,
                 constraint_text(arena, node->constraint, dot->tree->machine),
                 node->condition ? "\\n" : "", node->condition ? node->condition : "");
    }
    return id;
}

void emit_dot(struct ctx *ctx, struct str *out, const struct program *program,
              const struct tree *const *trees)
{
    str_addf(out, "digraph \"%s\" {\n  graph [ordering=out];\n  node [shape=ellipse];\n",
             program->stem);
    for (size_t r = 0; r < program->n_regions; r++) {
        struct dot dot = {.ctx = ctx, .out = out, .tree = trees[r], .region = r};
        if (trees[r]->root)
            write_node(&dot, trees[r]->root);
    }
    str_add(out, "}\n");
}
