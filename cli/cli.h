#ifndef CLI_CLI_H
#define CLI_CLI_H
#include "base/options.h"
#include "emit/emit.h"
#include "mapper/mapper.h"
#include "metafork/region.h"
#include "optimizer/middle.h"
#include "runtime/treefork.h"

/* The pieces that the subcommands share. Only this room ends the process. */

enum exit_code { EXIT_DONE = 0, EXIT_INPUT = 1, EXIT_USAGE = 2, EXIT_INTERNAL = 3 };

/* One subcommand: a row of cli/command.def and a file cli/NAME.c. */
struct command {
    const char *name, *usage, *summary;
    const struct option_row *rows;
    const size_t *n_rows;
    enum exit_code (*run)(struct ctx *ctx, const struct command_line *line);
};

#define X(name, usage, summary)                                                                    \
    extern const struct option_row name##_rows[];                                                  \
    extern const size_t name##_row_count;                                                          \
    enum exit_code command_##name(struct ctx *ctx, const struct command_line *line);
#include "cli/command.def"
#undef X

/* commands.c: the rows of command.def, in order. */
size_t command_count(void);
const struct command *command_at(size_t i);
/* NULL if there is none of that name. */
const struct command *command_find(const char *name);
/* Prints the usage and the options of a command. */
void command_options(const struct command *command);
/* A usage error about a word that is no command. */
void command_unknown(struct ctx *ctx, const char *word);
/* help.c: all commands, a line each. */
void help_print(FILE *out);

/* The stages of cli/stage.def: their names in one line, or a line each with what they print. */
void dump_stages_print(FILE *out, bool with_text);
/* The name of the i-th, NULL behind the last. */
const char *dump_stage_name(size_t i);

/* Of every subcommand that reads a file, beside cli/compiler_rows.h. */
#define STRICT_ROW                                                                                 \
    {                                                                                              \
        "--strict", NULL, "what cannot be decided about an annotation is an error"                 \
    }

/* The loops of plain C that are mapped, beside cli/mapping_rows.h. */
#define FUNCTION_ROW                                                                               \
    {                                                                                              \
        "--function", "NAME",                                                                      \
            "of plain C: map the body of this function, from its first loop to its last"           \
    }

/* Options that shape the tree. */
#define TREE_ROWS                                                                                  \
    {"--mode", "keep|retract",                                                                     \
     "path conditions are kept (default), or retracted when a rewrite made them stale"},           \
        {"--targets", "LIST",                                                                      \
         "fork on these performance counters too, with a number or the machine's wish: "           \
         "occupancy=60"},                                                                          \
        {"--counters", "LIST",                                                                     \
         "fork on these counters only, e.g. registers,shared (golden settings)"},                  \
        {"--registers", "FILE",                                                                    \
         "use the register estimates recorded in FILE; those that it lacks are made"},             \
        {"--record-registers", "FILE", "write the register estimates that were made to FILE"},     \
        {"--contract", NULL,                                                                       \
         "kernels compute a*b + c of floating point as one operation that rounds once; without "   \
         "it they round as the serial program does"},                                              \
        {"--jam", "2|4",                                                                           \
         "two loops of a thread, one in the other: so many iterations of the outer one run in "    \
         "the inner one at once, where distances of dependences allow it"},                        \
        {"--last-block", NULL,                                                                     \
         "sums of several blocks are finished by the last block, without a second launch, where "  \
         "the device orders memory between blocks (CUDA does)"},                                   \
        {"--stages", NULL,                                                                         \
         "tiles may be filled a round ahead, by asynchronous copies of GPUs from sm_80 on: fork "  \
         "on these, and on the memory of two buffers"},                                            \
        {"--max-leaves", "N",                                                                      \
         "at most N leaves (64), the safe one included; those cut give their cases to what fits "  \
         "there"},                                                                                 \
    {                                                                                              \
        "--inject", "COUNTER=U,R",                                                                 \
            "use U (unreduced) and R (reduced granularity) instead of measuring, e.g. "            \
            "registers=9,9"                                                                        \
    }

/* compiler.c: what clang gets to read the file, in the order of the line, and the folder of
   libtreefork's headers. */
struct program_options input_options(struct ctx *ctx, const struct command_line *line);
/* The same for the C compiler of programs that are run. */
struct program_options input_run_options(struct ctx *ctx, const struct command_line *line);
/* False after a usage error about an option of C compilers that kernels cannot follow. */
bool compiler_options_check(struct ctx *ctx, const struct command_line *line);
/* The loops of plain C that --function and --all choose; false after a usage error. */
bool input_choice(struct ctx *ctx, const struct command_line *line, struct map_choice *choice);
/* A command's use of a program. OR_SERIAL: a program without regions will do, with a warning, where
   all marked loops stay on the host and nothing is --strict. PART: the command looks at the
   function that --function names, which chooses nothing in a file with marks or regions. With --any
   WHOLE and PART take the whole file, and WHOLE keeps the regions of that function. */
enum input_use { INPUT_WHOLE, INPUT_OR_SERIAL, INPUT_PART };
/* The one file named on the command line, read and lowered; plain C is mapped first (mapped.h): the
   fragments that it marks, or the loops that --function or --all choose. NULL after a diagnostic;
   *code is the exit code then. */
struct program *input_program(struct ctx *ctx, const struct command_line *line, enum input_use use,
                              enum exit_code *code);
/* mapped.c: takes out of a mapping the regions that `build` would not take, as nobody knows how
   much of an array they touch, after a diagnostic each; false where nothing is left. */
struct plain_file;
bool input_foresee(struct ctx *ctx, const struct ast_unit *unit, struct plain_file *mapping);
/* The one file named on the command line; NULL after a diagnostic. */
const char *input_path(struct ctx *ctx, const struct command_line *line, enum exit_code *code);
/* The same, parsed; open until ast_close. NULL after diagnostics. */
struct ast_unit *input_unit(struct ctx *ctx, const struct command_line *line,
                            enum exit_code *code);
/* trees.c: the middle of each region, in order (optimizer/middle.h). NULL after a diagnostic; *code
   is the exit code then. */
const struct middle **input_middles(struct ctx *ctx, const struct command_line *line,
                                    const struct program *program, enum exit_code *code);
/* One tree per region, in order. NULL after a diagnostic; *code is the exit code then. */
const struct tree **input_trees(struct ctx *ctx, const struct command_line *line,
                                const struct program *program, enum exit_code *code);

/* assignment.c: --set s=8,B=256, names and values. */
struct assignment {
    const char *name;
    bool is_real;                     /* 0.5, 1e-3: then `real` counts, else `value` */
    bool is_whole;                    /* `value` counts for integers: 8, 1e6, 2.0 */
    bool is_large;                    /* above INT64_MAX: `value` has the bits of a uint64_t */
    int64_t value;
    double real;
};
struct assignments {
    VEC(struct assignment) list;
};
/* From every --set of the line, each name once. False after a usage error. */
bool assignments_parse(struct ctx *ctx, const struct command_line *line, struct assignments *out);
const struct assignment *assignment_get(const struct assignments *set, const char *name);
/* The whole number given to `name`, NULL if none was. */
const int64_t *assignment_find(const struct assignments *set, const char *name);
/* False after a usage error if one that is no whole number is given to `name`, an integer; `large`:
   one above INT64_MAX is taken too. */
bool assignment_whole(struct ctx *ctx, const struct assignments *set, const char *name, bool large);
/* False after a usage error if a name is given that is none of `names`. */
bool assignments_known(struct ctx *ctx, const struct assignments *set, const char *const *names,
                       size_t n_names);

/* programs.c: the paths of libtreefork.a and of the folder of its headers; false if the library is
   not beside the tool. */
bool runtime_find(struct ctx *ctx, const char **library, const char **include);
/* machines.c: the folder of the running tool; NULL if it cannot be told. */
const char *executable_folder(struct ctx *ctx);
/* A machine file: a path, or the name of an installed one, with or without ".json", or a part of a
   name that no other has (a100). False after a diagnostic, which lists the names. */
bool machine_find(struct ctx *ctx, const char *name, struct treefork_machine *machine);
/* The machine files that match a pattern (machines/a*.json); what matches nothing here is looked
   for where machine files are installed. NULL: all that are installed. */
struct machine_files {
    VEC(const char *) list;     /* paths, in order */
};
struct machine_files machine_files_find(struct ctx *ctx, const char *pattern);
/* The option row of --machine; `help` names its purpose. */
#define MACHINE_ROW(help)                                                                          \
    {                                                                                              \
        "--machine", "MACHINE", help " (a file, or a name of `treefork machines`)"                 \
    }
/* The file given by --machine. False after a diagnostic, also if there is none. */
bool machine_option(struct ctx *ctx, const struct command_line *line,
                    struct treefork_machine *machine);

/* All files given by --machine, in order, at most 16; *machine has the limits of all of them, as a
   device with members has. False after a diagnostic, also if there is none. */
struct machine_list {
    size_t count;
    struct treefork_machine *at;
};
bool machines_option(struct ctx *ctx, const struct command_line *line, struct machine_list *list,
                     struct treefork_machine *machine);

/* A point of the tree's ring: machine parameters from `machine`, the others from `set`; what no
   leaf depends on may be left out. False after a usage error that names what is missing. The point
   has one entry per ring variable. */
bool point_make(struct ctx *ctx, const struct tree *tree, const struct treefork_machine *machine,
                const struct assignments *set, int64_t **point);

/* Truth with infinite machine parameters (TREEFORK_UNLIMITED): v <= infinity is
   true unevaluated. */
int constraint_truth(const struct tree *tree, struct constraint c, const int64_t *point);

#endif
