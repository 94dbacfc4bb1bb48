/* From the command line to programs, trees, machines and points: what every subcommand
   needs first. */
#include "base/progress.h"
#include "cli/cli.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
#define X(symbol, ...) ROW_##symbol,
#include "optimizer/counter.def"
#undef X
    COUNTER_ROWS
};

struct program_options input_options(struct ctx *ctx, const struct command_line *line)
{
    VEC(const char *) arguments = {0};
    for (size_t i = 0; i < line->options.count; i++) {
        const char *name = line->options.at[i].row->name;
        if (strcmp(name, "-I") == 0 || strcmp(name, "-D") == 0)
            vec_push(ctx->arena, &arguments,
                     arena_printf(ctx->arena, "%s%s", name, line->options.at[i].text));
    }
    return (struct program_options){(int)arguments.count, arguments.at, NULL};
}

static bool is_named_as_other_language(const char *path)
{
    static const char *const suffixes[] = {".cpp", ".cc",  ".cxx", ".c++",
                                           ".C",   ".hpp", ".cu",  ".cuh"};
    const char *dot = strrchr(path, '.');
    if (!dot)
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (strcmp(dot, suffixes[i]) == 0)
            return true;
    return false;
}

const char *input_path(struct ctx *ctx, const struct command_line *line, enum exit_code *code)
{
    *code = EXIT_USAGE;
    if (line->positional.count != 1) {
        diag_error(ctx, loc_none(),
                   line->positional.count ? "one file at a time: '%s' is one too many"
                                          : "no file given%s",
                   line->positional.count ? line->positional.at[1] : "");
        return NULL;
    }
    *code = EXIT_INPUT;
    if (is_named_as_other_language(line->positional.at[0])) {
        diag_error(
            ctx, loc_none(),
            "'%s' is named as C++ or CUDA: treefork reads C; move the annotated functions into a "
            ".c file (C++ can include the NAME.tf.h that build writes)",
            line->positional.at[0]);
        return NULL;
    }
    return line->positional.at[0];
}

/* Every --no-NAME of a transformation of the mapper. */
static void transformation_options(struct ctx *ctx, const struct command_line *line)
{
    static const char *const names[] = {
#define X(symbol, name, when, text) "--no-" name,
#include "mapper/transformations.def"
#undef X
    };
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (option_flag(line, names[i]))
            ctx->map_without |= 1u << i;
}

struct ast_unit *input_unit(struct ctx *ctx, const struct command_line *line,
                            enum exit_code *code)
{
    const char *path = input_path(ctx, line, code);
    struct program_options options = input_options(ctx, line);
    transformation_options(ctx, line);
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    source->path = path;
    source->text = path ? file_read(ctx, path, &source->length) : NULL;
    return source->text ? ast_parse(ctx, source, options.arguments, options.n_arguments) : NULL;
}

/* "dir/app.mapped.c" of dir/app.c: what diagnostics about the mapped text say. */
static const char *mapped_path(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    int stem = dot ? (int)(dot - path) : (int)strlen(path);
    return arena_printf(arena, "%.*s.mapped.c", stem, path);
}

/* The mapped text as a program. */
static struct program *mapping_read(struct ctx *ctx, const struct plain_file *mapping,
                                    const struct program_options *options)
{
    struct str text = str_new(ctx->arena);
    mapping_print(&text, mapping);
    return program_read_text(ctx, mapped_path(ctx->arena, options->stem_of), text.text,
                             text.length, options);
}

typedef VEC(struct map_verdict) verdict_list;

static bool is_proved(const struct region *region)
{
    enum access_verdict verdict = region->legality.verdict;
    return verdict == ACCESS_PROVED || verdict == ACCESS_PROVED_UNDER;
}

/* The arrays of a program's regions, of those that are proved, of which nobody knows how much is
   touched. */
static void extents_find(struct ctx *ctx, const struct program *program, verdict_list *list)
{
    for (size_t i = 0; i < program->n_regions; i++) {
        const struct kernel *kernel = program->regions[i]->kernel;
        int n_arrays = is_proved(program->regions[i]) ? kernel->n_arrays : 0;
        for (int k = 0; k < n_arrays; k++) {
            const struct array *array = kernel->arrays[k];
            if (array->space == SPACE_GLOBAL && !access_extent(ctx, kernel, array))
                vec_push(ctx->arena, list, ((struct map_verdict){i, false, array->name}));
        }
    }
}

/* The regions of a program that are not proved independent. */
static void verdicts_find(struct arena *arena, const struct program *program, verdict_list *list)
{
    for (size_t i = 0; i < program->n_regions; i++) {
        bool is_conflict = program->regions[i]->legality.verdict == ACCESS_CONFLICT;
        if (!is_proved(program->regions[i]))
            vec_push(arena, list, ((struct map_verdict){.region = i, .is_conflict = is_conflict}));
    }
}

/* Takes out of the mapping what is not to run at once; false after a diagnostic where nothing is
   left. */
static bool verdicts_take(struct ctx *ctx, struct plain_file *mapping, const verdict_list *verdicts,
                          const char *path)
{
    unsigned errors = ctx->errors;
    bool is_left = mapping_judge(mapping, verdicts->at, verdicts->count);
    if (!is_left && ctx->errors == errors)
        diag_error(ctx, loc_none(),
                   "nothing of %s is left to run at once: all its regions stay on the host", path);
    return is_left && ctx->errors == errors;
}

/* The mapper proposes and ir/access decides: regions without a proof stay serial, in a text that is
   read again. What is to be said about it was said at the first reading. */
static struct program *mapping_judged(struct ctx *ctx, struct plain_file *mapping,
                                      const struct program_options *options)
{
    verdict_list verdicts = {0};
    ctx->judges = true;
    struct program *program = mapping_read(ctx, mapping, options);
    ctx->judges = false;
    if (program) {
        extents_find(ctx, program, &verdicts);
        verdicts_find(ctx->arena, program, &verdicts);
    }
    if (!verdicts.count)
        return program;
    if (!verdicts_take(ctx, mapping, &verdicts, options->stem_of))
        return NULL;
    bool quiet = ctx->quiet;
    ctx->quiet = true;
    program = mapping_read(ctx, mapping, options);
    ctx->quiet = quiet;
    return program ? program : mapping_read(ctx, mapping, options);
}

bool input_foresee(struct ctx *ctx, const struct ast_unit *unit, struct plain_file *mapping)
{
    struct program_options options = {unit->n_arguments, unit->arguments, unit->source->path};
    verdict_list verdicts = {0};
    unsigned errors = ctx->errors, warnings = ctx->warnings;
    bool quiet = ctx->quiet;
    if (!mapping_is_open(mapping))
        return true;
    ctx->judges = ctx->quiet = true;
    struct program *program = mapping_read(ctx, mapping, &options);
    if (program)
        extents_find(ctx, program, &verdicts);
    ctx->judges = false;
    ctx->quiet = quiet;
    ctx->errors = errors;
    ctx->warnings = warnings;
    return !verdicts.count || verdicts_take(ctx, mapping, &verdicts, options.stem_of);
}

static struct program *mapped_program(struct ctx *ctx, const char *path, const char *text,
                                      size_t length, struct program_options *options)
{
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    *source = (struct source){path, text, length};
    struct ast_unit *unit = ast_parse(ctx, source, options->arguments, options->n_arguments);
    struct map_choice marked = {0};
    struct plain_file *mapping = unit ? mapping_make(ctx, unit, &marked) : NULL;
    if (unit)
        ast_close(unit);
    options->stem_of = path;
    if (mapping && mapping_is_empty(mapping)) {
        diag_error(ctx, loc_none(),
                   "no region: no loop of `%s` that is marked runs on a device, as the notes say",
                   path);
        return NULL;
    }
    return mapping ? mapping_judged(ctx, mapping, options) : NULL;
}

struct program *input_program(struct ctx *ctx, const struct command_line *line,
                              enum exit_code *code)
{
    const char *path = input_path(ctx, line, code);
    if (!path)
        return NULL;
    ctx->strict = option_flag(line, "--strict");
    ctx->contract = option_flag(line, "--contract");
    transformation_options(ctx, line);
    struct program_options options = input_options(ctx, line);
    size_t length;
    const char *text = file_read(ctx, path, &length);
    if (!text)
        return NULL;
    return ast_text_asks_mapping(text, length)
               ? mapped_program(ctx, path, text, length, &options)
               : program_read_text(ctx, path, text, length, &options);
}

static bool mode_option(struct ctx *ctx, const struct command_line *line, enum tree_mode *mode)
{
    static const char *const names[] = {"keep", "retract"};
    const char *text = option_text(line, "--mode");
    *mode = TREE_KEEP;
    if (!text || strcmp(text, "keep") == 0)
        return true;
    *mode = TREE_RETRACT;
    if (strcmp(text, "retract") == 0)
        return true;
    option_unknown(ctx, "mode", text, names, 2);
    return false;
}

/* Names of the rows of counter.def of one kind; their number. */
static size_t counters_of(const char **names, const char *kind)
{
    static const struct {
        const char *name, *kind;
    } rows[] = {
#define X(symbol, name, json, unit, limit, kind, ...) {#name, #kind},
#include "optimizer/counter.def"
#undef X
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].kind, kind) == 0)
            names[n++] = rows[i].name;
    return n;
}

/* The name in front of the list and what follows it; false after a usage error. */
static bool counter_next(struct ctx *ctx, const char **list, const char *kind, const char **name)
{
    const char *known[COUNTER_ROWS];
    size_t n = counters_of(known, kind), length = strcspn(*list, ",="), i;
    *name = arena_strndup(ctx->arena, *list, length);
    *list += length;
    for (i = 0; i < n && strcmp(known[i], *name) != 0; i++)
        ;
    if (i == n)
        option_unknown(ctx, strcmp(kind, "TARGET") == 0 ? "target" : "counter", *name, known, n);
    return i < n;
}

/* The greatest value that a target can have: 100 for shares. */
static int64_t target_most(const char *name)
{
    static const struct {
        const char *name, *unit;
    } rows[] = {
#define X(symbol, name, json, unit, ...) {#name, unit},
#include "optimizer/counter.def"
#undef X
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0 && strncmp(rows[i].unit, "percent", 7) == 0)
            return 100;
    return INT32_MAX;
}

/* "occupancy=60,occupancy" */
static bool targets_option(struct ctx *ctx, const struct command_line *line,
                           struct tree_options *options)
{
    const char *text = option_text(line, "--targets");
    VEC(struct target) list = {0};
    while (text && *text) {
        struct target target = {0};
        if (!counter_next(ctx, &text, "TARGET", &target.counter))
            return false;
        for (size_t i = 0; i < list.count; i++)
            if (strcmp(list.at[i].counter, target.counter) == 0) {
                diag_error(ctx, loc_none(), "--targets: %s stands twice", target.counter);
                return false;
            }
        if (*text == '=') {
            size_t length = strcspn(text + 1, ",");
            target.has_value = true;
            if (!option_integer(ctx, arena_printf(ctx->arena, "--targets %s", target.counter),
                                arena_strndup(ctx->arena, text + 1, length), 1,
                                target_most(target.counter), &target.value))
                return false;
            text += 1 + length;
        }
        vec_push(ctx->arena, &list, target);
        text += *text == ',';
    }
    options->n_targets = list.count;
    options->targets = list.at;
    return true;
}

static bool counters_option(struct ctx *ctx, const struct command_line *line,
                            struct tree_options *options)
{
    const char *text = option_text(line, "--counters");
    if (!text)
        return true;
    VEC(const char *) names = {0};
    while (*text) {
        const char *name;
        if (!counter_next(ctx, &text, "RESOURCE", &name))
            return false;
        vec_push(ctx->arena, &names, name);
        text += *text == ',';
    }
    options->golden = true;
    options->n_counters = names.count;
    options->counters = names.at;
    return true;
}

/* "registers=9,9" */
static bool injection_parse(struct ctx *ctx, const char *text, struct injection *injection)
{
    const char *equals = strchr(text, '='), *comma = equals ? strchr(equals, ',') : NULL;
    if (!comma) {
        diag_error(ctx, loc_none(), "--inject: '%s' is not COUNTER=UNREDUCED,REDUCED", text);
        return false;
    }
    injection->counter = arena_strndup(ctx->arena, text, (size_t)(equals - text));
    const char *first = arena_strndup(ctx->arena, equals + 1, (size_t)(comma - equals - 1));
    return option_integer(ctx, "--inject", first, 0, INT32_MAX, &injection->unreduced) &&
           option_integer(ctx, "--inject", comma + 1, 0, INT32_MAX, &injection->reduced);
}

static bool injections_option(struct ctx *ctx, const struct command_line *line,
                              struct tree_options *options)
{
    VEC(struct injection) list = {0};
    for (size_t i = 0; i < line->options.count; i++) {
        struct injection injection;
        if (strcmp(line->options.at[i].row->name, "--inject") != 0)
            continue;
        if (!injection_parse(ctx, line->options.at[i].text, &injection))
            return false;
        vec_push(ctx->arena, &list, injection);
    }
    options->n_injections = list.count;
    options->injections = list.at;
    return true;
}

static bool leaves_option(struct ctx *ctx, const struct command_line *line,
                          struct tree_options *options)
{
    const char *text = option_text(line, "--max-leaves");
    int64_t most = 0;
    if (text && !option_integer(ctx, "--max-leaves", text, MAX_LEAVES_LEAST, INT32_MAX, &most))
        return false;
    options->max_leaves = (size_t)most;
    return true;
}

/* Register estimates from a file, and to one. */
static bool estimates_option(struct ctx *ctx, const struct command_line *line,
                             struct tree_options *options)
{
    const char *replay = option_text(line, "--registers");
    if (option_text(line, "--record-registers"))
        options->recorded = estimates_new(ctx->arena);
    if (!replay)
        return true;
    options->replayed = estimates_read(ctx, replay);
    return options->replayed != NULL;
}

const struct middle **input_middles(struct ctx *ctx, const struct command_line *line,
                                    const struct program *program, enum exit_code *code)
{
    struct tree_options *options = ARENA_NEW(ctx->arena, struct tree_options);
    *code = EXIT_USAGE;
    if (!mode_option(ctx, line, &options->mode) || !counters_option(ctx, line, options) ||
        !injections_option(ctx, line, options) || !targets_option(ctx, line, options) ||
        !leaves_option(ctx, line, options))
        return NULL;
    options->stats = option_flag(line, "--stats");
    *code = EXIT_INPUT;
    if (!estimates_option(ctx, line, options))
        return NULL;
    const struct middle **middles = ARENA_ARRAY(ctx->arena, const struct middle *,
                                                program->n_regions);
    for (size_t i = 0; i < program->n_regions; i++) {
        progress_begin(ctx, "%s", program->regions[i]->name);
        middles[i] = middle_run(ctx, program->regions[i], options);
        progress_end(ctx);
        if (!middles[i])
            return NULL;
    }
    const char *record = option_text(line, "--record-registers");
    if (record && !estimates_write(ctx, options->recorded, record))
        return NULL;
    return middles;
}

const struct tree **input_trees(struct ctx *ctx, const struct command_line *line,
                                const struct program *program, enum exit_code *code)
{
    const struct middle **middles = input_middles(ctx, line, program, code);
    const struct tree **trees = ARENA_ARRAY(ctx->arena, const struct tree *, program->n_regions);
    if (!middles)
        return NULL;
    for (size_t i = 0; i < program->n_regions; i++)
        trees[i] = middles[i]->tree;
    return trees;
}

/* Whole numbers up to here are doubles. */
static const double EXACT_MOST = 9007199254740992.0;

/* A whole number from INT64_MAX to UINT64_MAX. */
static bool large_parse(const char *text, struct assignment *assignment)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || !isdigit((unsigned char)*text) || *end || value < INT64_MAX)
        return false;
    assignment->is_whole = false;
    assignment->is_large = true;
    assignment->value = (int64_t)value;
    assignment->real = (double)value;
    return true;
}

static bool assignment_parse(struct ctx *ctx, const char *text, struct assignment *assignment)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        diag_error(ctx, loc_none(), "--set: '%s' is not NAME=VALUE", text);
        return false;
    }
    *assignment =
        (struct assignment){.name = arena_strndup(ctx->arena, text, (size_t)(equals - text)),
                            .is_whole = true};
    if (strpbrk(equals + 1, ".eE")) {
        char *end;
        assignment->is_real = true;
        assignment->real = strtod(equals + 1, &end);
        assignment->is_whole = fabs(assignment->real) <= EXACT_MOST &&
                               floor(assignment->real) == assignment->real;
        assignment->value = assignment->is_whole ? (int64_t)assignment->real : 0;
        if (*end == 0 && end > equals + 1)
            return true;
        diag_error(ctx, loc_none(), "--set %s: '%s' is no number", assignment->name, equals + 1);
        return false;
    }
    if (large_parse(equals + 1, assignment))
        return true;
    return option_integer(ctx, arena_printf(ctx->arena, "--set %s", assignment->name), equals + 1,
                          INT64_MIN + 1, INT64_MAX - 1, &assignment->value);
}

/* Blanks around an item are no part of it: "s=8, B=256". */
static const char *without_blanks(struct arena *arena, const char *text, size_t length)
{
    size_t begin = strspn(text, " \t");
    while (length > begin && strchr(" \t", text[length - 1]))
        length--;
    return begin < length ? arena_strndup(arena, text + begin, length - begin) : "";
}

bool assignments_parse(struct ctx *ctx, const struct command_line *line, struct assignments *out)
{
    *out = (struct assignments){0};
    for (size_t i = 0; i < line->options.count; i++) {
        const char *text = line->options.at[i].text;
        if (strcmp(line->options.at[i].row->name, "--set") != 0)
            continue;
        while (*text) {
            size_t length = strcspn(text, ",");
            struct assignment assignment;
            if (!assignment_parse(ctx, without_blanks(ctx->arena, text, length), &assignment))
                return false;
            if (assignment_get(out, assignment.name)) {
                diag_error(ctx, loc_none(), "--set: %s is given twice", assignment.name);
                return false;
            }
            vec_push(ctx->arena, &out->list, assignment);
            text += length + (text[length] == ',');
        }
    }
    return true;
}

const struct assignment *assignment_get(const struct assignments *set, const char *name)
{
    for (size_t i = set->list.count; i-- > 0;)
        if (strcmp(set->list.at[i].name, name) == 0)
            return &set->list.at[i];
    return NULL;
}

const int64_t *assignment_find(const struct assignments *set, const char *name)
{
    const struct assignment *assignment = assignment_get(set, name);
    return assignment && assignment->is_whole ? &assignment->value : NULL;
}

bool assignment_whole(struct ctx *ctx, const struct assignments *set, const char *name, bool large)
{
    const struct assignment *assignment = assignment_get(set, name);
    if (!assignment || assignment->is_whole || (assignment->is_large && large))
        return true;
    if (assignment->is_large) {
        diag_error(ctx, loc_none(),
                   "--set %s: %llu is too large; only a uint64_t that is used as a value takes it",
                   name, (unsigned long long)assignment->value);
        return false;
    }
    diag_error(ctx, loc_none(), "--set %s: a whole number is needed, not %.17g", name,
               assignment->real);
    return false;
}

bool assignments_known(struct ctx *ctx, const struct assignments *set, const char *const *names,
                       size_t n_names)
{
    for (size_t i = 0; i < set->list.count; i++) {
        size_t j;
        for (j = 0; j < n_names && strcmp(names[j], set->list.at[i].name) != 0; j++)
            ;
        if (j == n_names) {
            option_unknown(ctx, "parameter", set->list.at[i].name, names, n_names);
            return false;
        }
    }
    return true;
}

const char *executable_folder(struct ctx *ctx)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return NULL;
    self[length] = 0;
    char *slash = strrchr(self, '/');
    return slash ? arena_strndup(ctx->arena, self, (size_t)(slash - self)) : NULL;
}

/* Where machine files lie beside the tool: in its source folder, or installed. */
static const char *const machine_places[] = {"../machines", "../../machines",
                                             "../share/treefork/machines"};
enum { MACHINE_PLACES = sizeof machine_places / sizeof machine_places[0] };

const char *machine_folder(struct ctx *ctx)
{
    const char *folder = executable_folder(ctx);
    if (!folder)
        return NULL;
    for (size_t i = 0; i < MACHINE_PLACES; i++) {
        const char *path = arena_printf(ctx->arena, "%s/%s", folder, machine_places[i]);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

static const char *machine_path(struct ctx *ctx, const char *given)
{
    const char *folder = executable_folder(ctx);
    if (access(given, F_OK) == 0 || strchr(given, '/') || !folder)
        return given;
    for (size_t i = 0; i < MACHINE_PLACES; i++)
        for (int with_suffix = 0; with_suffix < 2; with_suffix++) {
            const char *path = arena_printf(ctx->arena, "%s/%s/%s%s", folder, machine_places[i],
                                            given, with_suffix ? ".json" : "");
            if (access(path, R_OK) == 0)
                return path;
        }
    return given;
}

bool machine_find(struct ctx *ctx, const char *name, struct treefork_machine *machine)
{
    if (treefork_machine_read(machine_path(ctx, name), machine) == TREEFORK_OK)
        return true;
    diag_error(ctx, loc_none(), "%s", treefork_message());
    return false;
}

bool machine_option(struct ctx *ctx, const struct command_line *line,
                    struct treefork_machine *machine)
{
    const char *path = option_text(line, "--machine");
    if (!path) {
        diag_error(
            ctx, loc_none(),
            "no machine given: --machine FILE.json, or the name of an installed one, as h100-sxm");
        return false;
    }
    return machine_find(ctx, path, machine);
}
