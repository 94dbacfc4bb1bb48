/* treefork map: plain C as MetaFork C, to be read, edited and given back; and what a person asks
   before: which loops are independent, what blocks the others, how statements, functions and
   dependences hang together. */
#include "cli/copies.h"
#include "cli/covers.h"
#include "cli/gate.h"
#include "mapper/ask/ask.h"
#include <string.h>
#include <sys/stat.h>

const struct option_row map_rows[] = {
    {"-o", "FILE", "write to FILE instead of the standard output"},
    FUNCTION_ROW,
    {"--loops", NULL, "list the loops: independent or not, what becomes of them, what blocks them"},
    {"--why-not", "LOOP",
     "two iterations that keep this loop from being independent; LOOP: i, 12 (its line) or 12:i"},
    {"--covers", NULL,
     "list which of the loops that follow each other may share launches, what each choice moves, "
     "and why others may not"},
    {"--set", "NAME=VALUE,…", "sizes at which --covers predicts times (default: each 1000)"},
    MACHINE_ROW("with --covers: times of the trees of all choices on this machine, and parts of "
                "sums"),
    {"--json", NULL, "with --covers: as JSON"},
    {"--apply", "CHANGE",
     "print the source with two loops of a nest exchanged (\"interchange LOOP 0 1\") or a loop cut "
     "in one for each statement (\"distribute LOOP\"), or say why that would change its results"},
    {"--copies", NULL,
     "list what each region of a marked file will copy to the device and what comes back, in "
     "bytes"},
    {"--check", "MAPPED",
     "say whether MAPPED, a mapped text of the file that may be edited, computes what the file "
     "does on small data, function by function"},
    {"--counts", NULL,
     "print what mapping took to the standard error, in a count that is the same everywhere"},
    {"--dot", "calls|flow|dependences",
     "draw functions, control flow or dependences, for Graphviz"},
#include "cli/mapping_rows.h"
    {"--with-loops", NULL,
     "leave the source's loops beside regions that may be slower on a processor, as build does: "
     "the program measures both"},
    {"--strict", NULL, "what cannot be mapped is an error, also where other loops can be"},
#include "cli/compiler_rows.h"
};
const size_t map_row_count = sizeof map_rows / sizeof map_rows[0];

static bool print_mapped(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                         struct map_choice *choice)
{
    struct gate *gate = gate_open(ctx, unit);
    struct plain_file *mapping = mapping_make(ctx, unit, choice);
    if (!mapping || !input_foresee(ctx, unit, mapping))
        return false;
    return gate_text(gate, out, mapping) && gate_pass(gate);
}
/* One question to a file. */
typedef bool (*map_question)(struct ctx *ctx, struct str *out, struct ast_unit *unit,
                             struct map_choice *choice);

static map_question graph_of(struct ctx *ctx, const char *name)
{
    static const char *const names[] = {"calls", "flow", "dependences"};
    static const map_question graphs[] = {mapping_draw_calls, mapping_draw_flow,
                                          mapping_draw_dependences};
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0)
            return graphs[i];
    option_unknown(ctx, "graph", name, names, 3);
    return NULL;
}

/* The first option of the line that is one of --covers alone; NULL: there is none. */
static const char *option_of_covers(const struct command_line *line)
{
    for (size_t i = 0; i < line->options.count; i++) {
        const char *name = line->options.at[i].row->name;
        if (!strcmp(name, "--set") || !strcmp(name, "--machine") || !strcmp(name, "--json"))
            return name;
    }
    return NULL;
}

/* NULL after a usage error. */
static map_question question_of(struct ctx *ctx, const struct command_line *line)
{
    const char *dot = option_text(line, "--dot");
    bool loops = option_flag(line, "--loops"), loop = option_text(line, "--why-not") != NULL;
    bool change = option_text(line, "--apply") != NULL, copies = option_flag(line, "--copies");
    bool checks = option_text(line, "--check") != NULL, covers = option_flag(line, "--covers");
    if ((dot != NULL) + loops + loop + change + copies + checks + covers > 1) {
        diag_error(ctx, loc_none(),
                   "--loops, --why-not, --covers, --apply, --copies, --check and --dot exclude "
                   "each other");
        return NULL;
    }
    const char *lonely = covers ? NULL : option_of_covers(line);
    if (lonely) {
        diag_error(ctx, loc_none(), "%s goes with --covers", lonely);
        return NULL;
    }
    if (dot)
        return graph_of(ctx, dot);
    if (change)
        return mapping_apply;
    return loops ? mapping_list_loops : loop ? mapping_explain_loop : print_mapped;
}

/* The values of --set; false after a usage error. */
static bool sizes_read(struct ctx *ctx, const struct command_line *line, struct map_choice *choice)
{
    struct assignments set;
    if (!assignments_parse(ctx, line, &set))
        return false;
    struct map_size *sizes = ARENA_ARRAY(ctx->arena, struct map_size, set.list.count + 1);
    for (size_t i = 0; i < set.list.count; i++) {
        const struct assignment *one = &set.list.at[i];
        sizes[i] = (struct map_size){one->name, one->is_real ? one->real : (double)one->value};
    }
    choice->sizes = sizes;
    choice->n_sizes = set.list.count;
    return true;
}

/* The source is never written to. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* The answer to the question, about the file as it stands or (copies) about its mapped text. */
static bool answer(struct ctx *ctx, const struct command_line *line, map_question question,
                   struct map_choice *choice, struct str *out, enum exit_code *code)
{
    *code = EXIT_INPUT;
    if (option_flag(line, "--copies")) {
        const struct program *program = input_program(ctx, line, INPUT_WHOLE, code);
        const struct program_options options = input_options(ctx, line);
        return program && copies_print(ctx, out, program, &options);
    }
    struct ast_unit *unit = input_unit(ctx, line, code);
    if (!unit)
        return false;
    ctx->strict = option_flag(line, "--strict");
    const char *mapped = option_text(line, "--check");
    bool good = option_flag(line, "--covers")
                    ? covers_answer_print(ctx, line, unit, choice, out)
                    : mapped ? gate_file(gate_open(ctx, unit), out, mapped)
                             : question(ctx, out, unit, choice);
    if (option_flag(line, "--counts"))
        fprintf(stderr, "count work %llu\n", (unsigned long long)ctx->counts.work);
    ast_close(unit);
    *code = choice->is_unknown ? EXIT_USAGE : EXIT_INPUT;
    return good;
}

enum exit_code command_map(struct ctx *ctx, const struct command_line *line)
{
    enum exit_code code;
    map_question question = question_of(ctx, line);
    struct map_choice choice;
    const char *path = option_text(line, "-o");
    if (!question || !input_choice(ctx, line, &choice) || !sizes_read(ctx, line, &choice))
        return EXIT_USAGE;
    choice.loop = option_text(line, "--why-not");
    choice.request = option_text(line, "--apply");
    choice.with_loops = option_flag(line, "--with-loops");
    choice.tells_calls = true;
    const char *source = input_path(ctx, line, &code);
    if (!source)
        return code;
    if (path && is_same_file(path, source)) {
        diag_error(ctx, loc_none(), "-o %s is the source itself; name another file", path);
        return EXIT_USAGE;
    }
    struct str out = str_new(ctx->arena);
    if (!answer(ctx, line, question, &choice, &out, &code))
        return code;
    if (path)
        return file_write(ctx, path, out.text, out.length) ? EXIT_DONE : EXIT_INPUT;
    fputs(out.text, stdout);
    return EXIT_DONE;
}
