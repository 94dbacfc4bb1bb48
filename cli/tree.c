/* treefork tree: the case tree of every region, for reading (terminal), for programs (JSON) or for Graphviz. With a machine
   its numbers are put in, which leaves systems in the program and data parameters alone. */
#include "cli/cli.h"

const struct option_row tree_rows[] = {
    {"--json", NULL, "as JSON (docs/tree-json.md)"},
    {"--dot", NULL, "as a Graphviz graph"},
    {"--machine", "FILE.json", "put this machine's numbers in"},
    {"--stats", NULL, "number of nodes, cases, leaves"},
    INPUT_ROWS,
    TREE_ROWS,
};
const size_t tree_row_count = sizeof tree_rows / sizeof tree_rows[0];

static const struct tree *specialise(struct ctx *ctx, const struct tree *tree, const struct treefork_machine *machine)
{
    int64_t *values = ARENA_ARRAY(ctx->arena, int64_t, RING_CAPACITY);
    for (int v = 0; v < ring_count(tree->ring); v++) {
        int parameter = tree->machine >> v & 1 ? treefork_parameter_find(ring_name(tree->ring, v)) : -1;
        if (parameter >= 0)
            values[v] = machine->value[parameter];
    }
    return tree_specialise(ctx, tree, values);
}

static void stats_print(struct str *out, const struct tree *tree)
{
    size_t cases = 0;
    for (size_t i = 0; i < tree->n_variants; i++)
        cases += tree->variants[i].n_systems;
    str_addf(out, "%s: %zu nodes, %zu cases in %zu leaves, %zu undecided\n", tree->region->name, tree->n_nodes, cases,
             tree->n_variants, tree->n_unknown);
}

enum exit_code command_tree(struct ctx *ctx, const struct command_line *line)
{
    enum exit_code code;
    struct treefork_machine machine;
    bool json = option_flag(line, "--json"), dot = option_flag(line, "--dot");
    bool with_machine = option_flag(line, "--machine");
    if (json && dot) {
        diag_error(ctx, loc_none(), "--json and --dot exclude each other");
        return EXIT_USAGE;
    }
    if (with_machine && !machine_option(ctx, line, &machine))
        return EXIT_INPUT;
    struct program *program = input_program(ctx, line, &code);
    const struct tree **trees = program ? input_trees(ctx, line, program, &code) : NULL;
    if (!trees)
        return code;
    struct str out = str_new(ctx->arena);
    for (size_t i = 0; i < program->n_regions; i++) {
        if (with_machine)
            trees[i] = specialise(ctx, trees[i], &machine);
        if (!json && !dot)
            tree_print(ctx, &out, trees[i]);
        if (option_flag(line, "--stats") && !json && !dot)
            stats_print(&out, trees[i]);
    }
    if (json)
        emit_json(ctx, &out, program, trees);
    if (dot)
        emit_dot(ctx, &out, program, trees);
    fputs(out.text, stdout);
    return EXIT_DONE;
}
