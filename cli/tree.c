/* treefork tree: the case tree of every region, for reading (terminal), for programs (JSON) or for
   Graphviz. With a machine its numbers are put in, which leaves systems in the program and data
   parameters alone; then each case says which values of each of them it takes. On request cases are
   projected onto some parameters, two of them also as cells for drawing. */
#include "cli/measure.h"
#include "cli/page.h"
#include "cli/picture.h"
#include <string.h>

const struct option_row tree_rows[] = {
    {"--json", NULL, "as JSON (docs/tree-json.md)"},
    {"--dot", NULL, "as a Graphviz graph"},
    {"--svg", NULL, "as a picture"},
    {"--html", "FILE", "as a page for browsers, in a file that needs no network"},
    {"--tuning", "FILE", "what `treefork tune --output` wrote, for plots of the page"},
    {"--paper", NULL, "in the paper's form: letters, names and codes alone"},
    {"--leaf", "K",
     "one leaf in full: cases, what its launches move, counters, kernel, how it differs from the "
     "first leaf's"},
    {"--strategy", "NAME", "only the leaves to which this strategy was applied"},
    {"--counter", "NAME", "only the tests of this counter, and its values"},
    {"--ascii", NULL, "draw the tree without box-drawing characters"},
    {"--no-pager", NULL, "on a terminal, too, print without a pager"},
    MACHINE_ROW("put this machine's numbers in"),
    {"--project", "NAMES",
     "what each case leaves for these parameters, the others eliminated, e.g. s,B"},
    {"--cells", "X,Y", "the same for two parameters, cut into pieces that can be drawn"},
    {"--reported", NULL, "every counter of every leaf with all its cases"},
    {"--told", NULL, "an earlier name of --reported"},
    {"--measure", NULL,
     "registers and spills of every leaf as ptxas or nvJitLink has them, for sm_75, sm_80, sm_90"},
    {"--devices", NULL,
     "for several devices: fork on the memory of each (with --json: what parts of launches touch, "
     "too)"},
    {"--stats", NULL,
     "nodes, cases, leaves, what was merged and pruned and what it cost; are the cases complete "
     "and disjoint"},
#include "cli/compiler_rows.h"
    STRICT_ROW,
    FUNCTION_ROW,
#include "cli/mapping_rows.h"
    TREE_ROWS,
};
const size_t tree_row_count = sizeof tree_rows / sizeof tree_rows[0];

static const struct tree *specialise(struct ctx *ctx, const struct tree *tree,
                                     const struct treefork_machine *machine)
{
    int64_t *values = ARENA_ARRAY(ctx->arena, int64_t, RING_CAPACITY);
    for (int v = 0; v < ring_count(tree->ring); v++) {
        int parameter = tree->machine >> v & 1 ? treefork_parameter_find(ring_name(tree->ring, v))
                                               : -1;
        if (parameter >= 0)
            values[v] = machine->value[parameter];
    }
    return tree_specialise(ctx, tree, values);
}

/* Names of --project or --cells, split at commas. */
typedef VEC(const char *) name_list;

/* False after a usage error. */
static bool view_names(struct ctx *ctx, const struct command_line *line, name_list *names)
{
    const char *project = option_text(line, "--project"), *cells = option_text(line, "--cells");
    if (project && cells) {
        diag_error(ctx, loc_none(), "--project and --cells exclude each other");
        return false;
    }
    if (!project && !cells)
        return true;
    char *copy = arena_strdup(ctx->arena, project ? project : cells), *save = NULL;
    for (char *name = strtok_r(copy, ",", &save); name; name = strtok_r(NULL, ",", &save))
        vec_push(ctx->arena, names, name);
    if (!names->count || (cells && names->count != 2)) {
        diag_error(ctx, loc_none(),
                   cells ? "--cells needs two parameters, X,Y"
                         : "--project needs parameters, e.g. s,B");
        return false;
    }
    return true;
}

/* A region without one of the parameters has no projection. */
static bool view_onto(struct ctx *ctx, const struct tree *tree, const name_list *names,
                      struct view_options *options)
{
    int *onto = ARENA_ARRAY(ctx->arena, int, names->count + 1);
    for (size_t i = 0; i < names->count; i++) {
        onto[i] = ring_find(tree->ring, names->at[i]);
        if (onto[i] < 0)
            return false;
    }
    options->onto = onto;
    options->n_onto = names->count;
    return true;
}

/* False after a usage error: a name that no region knows, or one given twice. */
static bool names_known(struct ctx *ctx, const struct tree *const *trees, size_t n_trees,
                        const name_list *names)
{
    name_list candidates = {0};
    for (size_t r = 0; r < n_trees; r++)
        for (int v = 0; v < ring_count(trees[r]->ring); v++)
            vec_push(ctx->arena, &candidates, ring_name(trees[r]->ring, v));
    for (size_t i = 0; i < names->count; i++) {
        bool found = false, again = false;
        for (size_t k = 0; k < candidates.count; k++)
            found |= strcmp(candidates.at[k], names->at[i]) == 0;
        for (size_t k = 0; k < i; k++)
            again |= strcmp(names->at[k], names->at[i]) == 0;
        if (!found)
            option_unknown(ctx, "parameter", names->at[i], candidates.at, candidates.count);
        if (again)
            diag_error(ctx, loc_none(), "parameter '%s' is named twice", names->at[i]);
        if (!found || again)
            return false;
    }
    return true;
}

static void stats_print(struct str *out, const struct tree *tree)
{
    size_t cases = 0;
    for (size_t i = 0; i < tree->n_variants; i++)
        cases += tree->variants[i].n_systems;
    const char *name = tree->region->name;
    const struct tree_stats *stats = tree->stats;
    str_addf(out, "%s: %zu nodes, %zu cases in %zu leaves, %zu undecided\n", name, tree->n_nodes,
             cases, tree->n_variants, tree->n_unknown);
    str_addf(
        out,
        "%s: %zu paths, %zu kernels; merged %zu paths of equal code, %zu cases of alike branches\n",
        name, stats->paths, stats->kernels, stats->leaves_alike, stats->cases_merged);
    str_addf(out, "%s: pruned %zu leaves dominated (%zu cases), %zu by the budget (%zu cases)\n",
             name, stats->leaves_dominated, stats->cases_dominated, stats->leaves_cut,
             stats->cases_cut);
    str_addf(out, "%s: solver questions %llu in the search, %llu to prune; CPU ms", name,
             (unsigned long long)stats->questions_search,
             (unsigned long long)stats->questions_prune);
    for (int i = 0; i < COST_COUNT; i++)
        str_addf(out, "%s %s %.1f", i ? "," : "", cost_name(i), stats->seconds[i] * 1e3);
    str_char(out, '\n');
    struct tree_partition partition = tree_partition(tree);
    static const char *const verdicts[] = {"undecided", "no", "proved"};
    str_addf(out, "%s: every point in a case: %s; none in two: %s\n", tree->region->name,
             verdicts[partition.covers + 1], verdicts[partition.disjoint + 1]);
}

static enum exit_code page_print(struct ctx *ctx, const struct command_line *line,
                                 const struct program *program, const struct tree *const *trees,
                                 const struct tree *const *views, const char *path)
{
    const char *tuning = option_text(line, "--tuning");
    struct page_extras extras = {.views = option_flag(line, "--cells") ? views : NULL};
    if (tuning && !(extras.tuning = page_tuning(ctx, tuning)))
        return EXIT_INPUT;
    return page_save(ctx, path, program, trees, &extras) ? EXIT_DONE : EXIT_INPUT;
}

/* --- the picture ------------------------------------------------------------------------------ */

struct picture_options {
    struct picture_style style;
    struct picture_filter filter;
    bool paper;
    int64_t leaf;                       /* 0 = all */
};

/* False after a usage error. */
static bool strategy_known(struct ctx *ctx, const char *name)
{
    const char *names[STRATEGY_COUNT];
    for (int i = 0; i < STRATEGY_COUNT; i++)
        names[i] = strategy_table(i)->name;
    if (name && strategy_find(name) < 0)
        option_unknown(ctx, "strategy", name, names, STRATEGY_COUNT);
    return !name || strategy_find(name) >= 0;
}

static bool counter_known(struct ctx *ctx, const char *name)
{
    const char *names[COUNTER_COUNT];
    for (int i = 0; i < COUNTER_COUNT; i++)
        names[i] = counter_table(i)->name;
    if (name && counter_find(name) < 0)
        option_unknown(ctx, "counter", name, names, COUNTER_COUNT);
    return !name || counter_find(name) >= 0;
}

/* False after a usage error. */
static bool picture_options(struct ctx *ctx, const struct command_line *line,
                            struct picture_options *options)
{
    const char *leaf = option_text(line, "--leaf");
    options->style.ascii = option_flag(line, "--ascii");
    options->style.colour = terminal_has_colour(stdout);
    options->filter.strategy = option_text(line, "--strategy");
    options->filter.counter = option_text(line, "--counter");
    options->paper = option_flag(line, "--paper");
    if (options->paper && (leaf || options->filter.strategy || options->filter.counter)) {
        diag_error(ctx, loc_none(),
                   "--paper prints the whole tree: --leaf, --strategy and --counter go without it");
        return false;
    }
    return strategy_known(ctx, options->filter.strategy) &&
           counter_known(ctx, options->filter.counter) &&
           (!leaf || option_integer(ctx, "--leaf", leaf, 1, INT32_MAX, &options->leaf));
}

static void tree_show(struct ctx *ctx, struct str *out, const struct tree *tree,
                      const struct picture_options *options)
{
    if (options->leaf)
        picture_leaf(ctx, out, tree, (int)options->leaf, &options->style);
    else if (options->paper)
        tree_print(ctx, out, tree);
    else
        picture_print(out, tree, &options->style, &options->filter);
}

/* False after a usage error: no region has the leaf. */
static bool leaf_known(struct ctx *ctx, const struct tree *const *trees, size_t n, int64_t leaf)
{
    int most = 0;
    for (size_t r = 0; r < n; r++)
        for (size_t i = 0; i < trees[r]->n_variants; i++)
            most = trees[r]->variants[i].id > most ? trees[r]->variants[i].id : most;
    if (leaf > most)
        diag_error(ctx, loc_none(), "--leaf %lld: the leaves are numbered from 1 to %d",
                   (long long)leaf, most);
    return leaf <= most;
}

enum exit_code command_tree(struct ctx *ctx, const struct command_line *line)
{
    enum exit_code code;
    struct treefork_machine machine;
    const char *page = option_text(line, "--html");
    bool json = option_flag(line, "--json"), dot = option_flag(line, "--dot"),
         svg = option_flag(line, "--svg"), is_printed = !json && !dot && !svg && !page;
    bool with_machine = option_flag(line, "--machine");
    bool reported = option_flag(line, "--reported") || option_flag(line, "--told");
    if (json + dot + svg + (page != NULL) > 1) {
        diag_error(ctx, loc_none(), "--json, --dot, --svg and --html exclude each other");
        return EXIT_USAGE;
    }
    name_list names = {0};
    struct picture_options picture = {0};
    if (!view_names(ctx, line, &names) || !picture_options(ctx, line, &picture))
        return EXIT_USAGE;
    if (with_machine && !machine_option(ctx, line, &machine))
        return EXIT_INPUT;
    struct program *program = input_program(ctx, line, INPUT_WHOLE, &code);
    const struct tree **trees = program ? input_trees(ctx, line, program, &code) : NULL;
    if (!trees)
        return code;
    if (!names_known(ctx, trees, program->n_regions, &names) ||
        !leaf_known(ctx, trees, program->n_regions, picture.leaf))
        return EXIT_USAGE;
    const struct tree **whole = ARENA_ARRAY(ctx->arena, const struct tree *, program->n_regions);
    memcpy(whole, trees, program->n_regions * sizeof *whole);
    struct str out = str_new(ctx->arena);
    for (size_t i = 0; i < program->n_regions; i++) {
        struct view_options *view = ARENA_NEW(ctx->arena, struct view_options);
        view->ranges = with_machine;
        view->cells = view_onto(ctx, trees[i], &names, view) && option_flag(line, "--cells");
        if (with_machine)
            trees[i] = specialise(ctx, trees[i], &machine);
        if (!dot && (view->ranges || view->n_onto))
            trees[i] = tree_view(ctx, trees[i], view);
        if (is_printed)
            tree_show(ctx, &out, trees[i], &picture);
        if (reported && is_printed)
            tree_print_told(&out, trees[i]);
        if (option_flag(line, "--measure") && is_printed)
            measure_print(ctx, &out, trees[i]);
        if (option_flag(line, "--stats") && is_printed)
            stats_print(&out, trees[i]);
    }
    if (page)
        return page_print(ctx, line, program, (const struct tree *const *)whole, trees, page);
    if (json)
        emit_json(ctx, &out, program, trees, false);
    if (svg)
        emit_svg(ctx, &out, program, trees);
    if (dot)
        emit_dot(ctx, &out, program, trees);
    terminal_print(out.text, option_flag(line, "--no-pager") || !is_printed);
    return EXIT_DONE;
}
