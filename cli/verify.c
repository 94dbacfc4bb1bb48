/* treefork verify: every leaf, forced whatever the machine's case as long as it physically fits,
   against the serial program. The generated host program and the serial one run in child processes
   on the same random data (printed seed); or the function runs with kernels in place of its
   regions, under one of the witnesses inside the generator. One line per leaf, a last line with
   the counts. */
#include "cli/verify.h"
#include <stdlib.h>
#include <string.h>

const struct option_row verify_rows[] = {
    {"--set", "NAME=VALUE,…",
     "values of the function's own scalar arguments and of integers at file scope, for every "
     "witness; a --set that gives a name again begins another set"},
    {"--sets", "FILE", "one set per line: FUNCTION NAME=VALUE,…"},
    {"--extent", "ARRAY=COUNT,…", "elements of an array whose length nothing else tells"},
    FILLER_ROW,
    {"--arguments", "WORDS", "what main is called with, words between blanks (default: nothing)"},
    {"--leaf", "K", "only this leaf"},
    {"--function", "NAME", "only this function; of plain C without marks: its loops"},
    {"--device", "cuda|opencl[:K]", "device to run on (default: the best there is)"},
    {"--witness", "LIST",
     "run the leaves of the function's regions on the device (device, the default; opencl or cuda: "
     "on that one), in the thread interpreter with its checks (threads), there with launches in "
     "parts (parts), by LLVM on the CPU (cpu)"},
    {"--device-runs", "all|once|first",
     "on the device run each leaf at every set (default), each at the first set that it fits, or "
     "only the first of each region, once"},
    {"--source", "ORIGINAL.c",
     "compare with this program, of which FILE is the text as mapped, or as written anew (default: "
     "FILE itself)"},
    {"--seed", "N", "seed of the data (default 1)"},
    {"--tolerance", "X",
     "bound for floating point, relative to the array's largest magnitude (default 1e-5, double "
     "1e-12; with --contract 7.1e-5, 1.1e-12)"},
    {"--timeout", "SECONDS", "time limit of a run of the function (default 120)"},
    {"--keep", "DIR", "leave sources, programs and results in DIR"},
#include "cli/compiler_rows.h"
    STRICT_ROW,
#include "cli/mapping_rows.h"
    TREE_ROWS,
};
const size_t verify_row_count = sizeof verify_rows / sizeof verify_rows[0];

/* "a=100,b=20" of every --extent. */
bool verify_extents_parse(struct ctx *ctx, const struct command_line *line,
                          struct assignments *extents)
{
    struct command_line only = {0};
    static const struct option_row row = {"--set", "", ""};
    for (size_t i = 0; i < line->options.count; i++)
        if (strcmp(line->options.at[i].row->name, "--extent") == 0) {
            struct option_value value = {&row, line->options.at[i].text};
            vec_push(ctx->arena, &only.options, value);
        }
    return assignments_parse(ctx, &only, extents);
}

bool verify_numbers_parse(struct verification *v, const struct command_line *line, int64_t *leaf)
{
    int64_t seed = 1;
    const char *text = option_text(line, "--seed");
    if (text && !option_integer(v->ctx, "--seed", text, 1, INT64_MAX, &seed))
        return false;
    v->seed = (uint64_t)seed;
    v->timeout = 120;
    text = option_text(line, "--timeout");
    if (text && !option_integer(v->ctx, "--timeout", text, 1, 86400, &v->timeout))
        return false;
    text = option_text(line, "--leaf");
    *leaf = 0;
    if (text && !option_integer(v->ctx, "--leaf", text, 1, 1000000, leaf))
        return false;
    v->tolerance = -1;
    text = option_text(line, "--tolerance");
    char *end = NULL;
    if (text && ((v->tolerance = strtod(text, &end)) < 0 || end == text || *end)) {
        diag_error(v->ctx, loc_none(), "--tolerance: '%s' is not a number >= 0", text);
        return false;
    }
    return true;
}

struct known_names {
    size_t count, capacity;
    const char **at;
};

/* "threads,cpu,opencl"; without the option the device alone. */
static bool witnesses_parse(struct ctx *ctx, const struct command_line *line,
                            struct known_names *witnesses)
{
    static const char *const names[] = {"device", "opencl", "cuda", "threads", "parts", "cpu"};
    enum { NAME_COUNT = sizeof names / sizeof *names };
    const char *text = option_text(line, "--witness");
    *witnesses = (struct known_names){0};
    for (const char *at = text ? text : names[0]; *at;) {
        size_t length = strcspn(at, ","), i = 0;
        while (i < NAME_COUNT && (strlen(names[i]) != length || strncmp(names[i], at, length) != 0))
            i++;
        if (i == NAME_COUNT) {
            option_unknown(ctx, "witness", arena_strndup(ctx->arena, at, length), names,
                           NAME_COUNT);
            return false;
        }
        vec_push(ctx->arena, witnesses, names[i]);
        at += length + (at[length] == ',');
    }
    if (!witnesses->count)
        diag_error(ctx, loc_none(), "--witness: no witness given");
    return witnesses->count > 0;
}

static bool device_runs_parse(struct ctx *ctx, const struct command_line *line,
                              enum device_runs *runs)
{
    static const char *const names[] = {"all", "once", "first"};
    const char *text = option_text(line, "--device-runs");
    *runs = DEVICE_RUNS_ALL;
    for (int i = 0; text && i < 3; i++)
        if (strcmp(names[i], text) == 0) {
            *runs = (enum device_runs)i;
            return true;
        }
    if (text)
        option_unknown(ctx, "value of --device-runs", text, names, 3);
    return !text;
}

static void main_arguments_read(struct verification *v, const char *text)
{
    char *words = arena_strdup(v->ctx->arena, text ? text : ""), *save = NULL;
    for (char *word = strtok_r(words, " \t", &save); word; word = strtok_r(NULL, " \t", &save))
        vec_push(v->ctx->arena, &v->main_arguments, word);
}

static bool is_in_generator(const char *witness)
{
    return strcmp(witness, "threads") == 0 || strcmp(witness, "parts") == 0 ||
           strcmp(witness, "cpu") == 0;
}

bool verify_takes_function(const struct verification *v, int function)
{
    return !v->only_function || strcmp(v->program->functions[function].name, v->only_function) == 0;
}

static bool function_known(struct verification *v, const char *function)
{
    VEC(const char *) functions = {0};
    bool found = !function;
    for (size_t i = 0; i < v->program->n_functions; i++) {
        vec_push(v->ctx->arena, &functions, v->program->functions[i].name);
        found = found || strcmp(functions.at[i], function) == 0;
    }
    if (!found)
        option_unknown(v->ctx, "function", function, functions.at, functions.count);
    return found;
}

/* The names of meta_tunable. */
static void tunables_add(struct verification *v, struct known_names *names)
{
    for (size_t i = 0; i < v->program->n_regions; i++) {
        const struct region *region = v->program->regions[i];
        for (int j = 0; j < region->kernel->n_params; j++)
            if (region_default(region, region->kernel->params[j]->var->name))
                vec_push(v->ctx->arena, names, region->kernel->params[j]->var->name);
    }
}

/* Names that --set may give: arguments of the functions, integers at file scope that they name, and
   tunables that regions choose; --extent: also arrays of the regions. */
bool verify_names_known(struct verification *v, const struct verify_sets *sets)
{
    struct known_names names = {0};
    bool known = function_known(v, v->only_function);
    for (size_t i = 0; i < v->program->n_functions; i++) {
        const struct function *f = &v->program->functions[i];
        for (int j = 0; j < f->n_arguments; j++)
            vec_push(v->ctx->arena, &names, f->arguments[j].name);
        for (size_t j = 0; j < f->n_file_scalars; j++)
            vec_push(v->ctx->arena, &names, f->file_scalars[j].name);
    }
    tunables_add(v, &names);
    for (size_t i = 0; known && i < sets->count; i++)
        known = function_known(v, sets->at[i].function) &&
                assignments_known(v->ctx, &sets->at[i].values, names.at, names.count);
    for (size_t i = 0; i < v->program->n_regions; i++) {
        const struct kernel *kernel = v->program->regions[i]->kernel;
        for (int j = 0; j < kernel->n_arrays; j++)
            vec_push(v->ctx->arena, &names, kernel->arrays[j]->name);
    }
    return known && assignments_known(v->ctx, &v->extents, names.at, names.count);
}

/* The numbers that --leaf may have: those of any region. */
static bool leaf_known(struct verification *v, int leaf)
{
    int most = 0;
    for (size_t i = 0; i < v->program->n_regions; i++)
        for (size_t j = 0; j < v->trees[i]->n_variants; j++)
            most = v->trees[i]->variants[j].id > most ? v->trees[i]->variants[j].id : most;
    if (leaf > most)
        diag_error(v->ctx, loc_none(), "--leaf: there is no leaf %d; the last is %d", leaf, most);
    return leaf <= most;
}

/* The function, device and values of one run; false if it is not asked for, or no leaf is left
   for it. */
static bool run_begin(struct verification *v, const struct verify_set *set, const char *witness)
{
    v->set = set->values;
    if (set->function && v->only_function && strcmp(set->function, v->only_function) != 0)
        return false;
    if (set->function)
        v->only_function = set->function;
    if (is_in_generator(witness))
        return true;
    if (strcmp(witness, "device") != 0)
        v->device = witness;
    return !v->no_device && verify_programs_wanted(v);
}

/* One set by one witness. One of several runs begins with a line that names it and ends in its
   own counts. */
static bool run_set(struct verification *v, const struct verify_set *set, const char *witness,
                    bool is_single)
{
    size_t passed = v->passed, failed = v->failed, skipped = v->skipped;
    if (!is_single)
        printf("by %s at %s%s%s\n", witness, set->function ? set->function : "",
               set->function ? " " : "", set->text);
    bool fine = is_in_generator(witness) ? verify_hosted(v, witness) : verify_programs(v);
    if (!is_single)
        printf("    %zu verified, %zu failed, %zu skipped\n", v->passed - passed,
               v->failed - failed, v->skipped - skipped);
    return fine;
}

static void device_done_make(struct verification *v)
{
    v->device_done = ARENA_ARRAY(v->ctx->arena, bool *, v->program->n_regions);
    for (size_t i = 0; i < v->program->n_regions; i++)
        v->device_done[i] = ARENA_ARRAY(v->ctx->arena, bool, v->trees[i]->n_variants);
}

static bool run_sets(struct verification *v, const struct verify_sets *sets,
                     const struct known_names *witnesses)
{
    const char *function = v->only_function, *device = v->device;
    bool fine = true, is_single = sets->count * witnesses->count == 1;
    for (size_t w = 0; w < witnesses->count; w++) {
        device_done_make(v);
        for (size_t i = 0; i < sets->count; i++) {
            if (!verify_stopped() && run_begin(v, &sets->at[i], witnesses->at[w]))
                fine &= run_set(v, &sets->at[i], witnesses->at[w], is_single);
            v->only_function = function;
            v->device = device;
        }
    }
    return fine;
}

void verify_note(struct verification *v, int function, bool is_idle)
{
    if (!v->functions)
        return;
    v->functions[function].runs += !is_idle;
    v->functions[function].idle += is_idle;
}

/* Sizes at file scope that nothing gave: "; --set can give `n`, which is at file scope". */
static const char *file_scalars_text(const struct verification *v, const struct function *f)
{
    struct str text = str_new(v->ctx->arena);
    for (size_t i = 0; i < f->n_file_scalars; i++)
        str_addf(&text, "%s%s=…", text.length ? "," : "", f->file_scalars[i].name);
    return text.length ? arena_printf(v->ctx->arena, ", as in --set %s for what is at file scope",
                                      text.text)
                       : "";
}

/* A function of which no leaf ran at any set is not verified: an error, and its leaves count as
   skipped. */
static bool idle_report(struct verification *v)
{
    bool fine = true;
    for (size_t i = 0; i < v->program->n_functions; i++) {
        const struct function_runs *f = &v->functions[i];
        if (f->runs || !f->idle)
            continue;
        v->passed -= f->idle;
        v->skipped += f->idle;
        diag_error(v->ctx, loc_none(),
                   "nothing of %s ran, so it is not verified: its loops have no iteration at these "
                   "values; give others by --set%s", v->program->functions[i].name,
                   file_scalars_text(v, &v->program->functions[i]));
        fine = false;
    }
    return fine;
}

static bool verify_all(struct verification *v, const struct command_line *line,
                       const struct verify_sets *sets, const struct known_names *witnesses)
{
    const char *keep = option_text(line, "--keep");
    printf("seed %llu\n", (unsigned long long)v->seed);
    if (v->ctx->contract)
        printf("contracted: float may differ by %.2g, double by %.2g of the largest magnitude\n",
               data_bound(v, TYPE_F32), data_bound(v, TYPE_F64));
    fflush(stdout);
    if (!verify_folder_open(v, keep))
        return false;
    for (size_t i = 0; i < witnesses->count; i++) {
        bool is_interpreter = strcmp(witnesses->at[i], "threads") == 0 ||
                              strcmp(witnesses->at[i], "parts") == 0;
        v->checks_regions |= !is_interpreter;
        v->interprets_threads |= is_interpreter;
    }
    bool fine = run_sets(v, sets, witnesses);
    hosted_end(v);
    verify_folder_close(v);
    return fine;
}

/* The value of --source, or NULL. False after a diagnostic if the file does not even name a
   function that is to be compared. */
static bool original_given(struct verification *v, const char *path)
{
    size_t length;
    const char *text = path ? file_read(v->ctx, path, &length) : NULL;
    v->original = path;
    if (path && !text)
        return false;
    for (size_t i = 0; path && i < v->program->n_functions; i++) {
        const char *name = v->program->functions[i].name;
        if (text_has_word(text, name))
            continue;
        diag_error(v->ctx, loc_none(), "--source: '%s' has no function '%s'", path, name);
        return false;
    }
    return true;
}

enum exit_code command_verify(struct ctx *ctx, const struct command_line *line)
{
    enum exit_code code;
    int64_t leaf;
    struct verify_sets sets;
    struct known_names witnesses;
    struct verification v = {.ctx = ctx, .device = option_text(line, "--device")};
    v.only_function = option_text(line, "--function");
    main_arguments_read(&v, option_text(line, "--arguments"));
    if (!verify_sets_read(ctx, line, &sets) || !verify_extents_parse(ctx, line, &v.extents) ||
        !verify_numbers_parse(&v, line, &leaf) || !witnesses_parse(ctx, line, &witnesses) ||
        !device_runs_parse(ctx, line, &v.device_runs))
        return EXIT_USAGE;
    ctx->brief = true;
    struct program *program = input_program(ctx, line, INPUT_PART, &code);
    v.program = program;
    v.trees = program ? input_trees(ctx, line, program, &code) : NULL;
    if (!v.trees)
        return code;
    v.only_leaf = (int)leaf;
    if (!verify_names_known(&v, &sets) || !leaf_known(&v, v.only_leaf))
        return EXIT_USAGE;
    v.source_path = line->positional.at[0];
    if (!original_given(&v, option_text(line, "--source")) ||
        !filler_read(&v, option_text(line, "--data")))
        return EXIT_INPUT;
    v.flags = input_run_options(ctx, line);
    v.functions = ARENA_ARRAY(ctx->arena, struct function_runs, program->n_functions);
    bool fine = verify_all(&v, line, &sets, &witnesses);
    fine = idle_report(&v) && fine;
    if (fine || v.passed + v.failed + v.skipped)
        printf("%zu verified, %zu failed, %zu skipped\n", v.passed, v.failed, v.skipped);
    return v.failed || v.doubted || !fine ? EXIT_INPUT : EXIT_DONE;
}
