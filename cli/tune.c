/* treefork tune: the choices of a file's regions, measured on a device.

   In: a file, values of what is no tunable, a strategy. Each function runs as users call it:
   NAME_auto where there is one, with one region at a time taking a candidate, on the data of
   `verify`; each result is compared with that of the serial program. Out: a line for each trial;
   the best choice of each region in the store, where generated programs look (docs/tuning.md); all
   trials as a T4 document. */
#include "cli/automatic.h"
#include "cli/tune.h"
#include "runtime/store.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct option_row tune_rows[] = {
    {"--set", "NAME=VALUE,…",
     "values of the function's own scalar arguments, and of tunables that are to stay as they are; "
     "a --set that gives a name again is another point to tune at"},
    {"--strategy", "exhaustive|random|model",
     "all candidates as they are counted, all in random order, or the best predicted first "
     "(default)"},
    {"--trials", "N", "at most N candidates of each region"},
    {"--patience", "N",
     "by the model: end after N trials in a row that were no better (default 16)"},
    {"--constraints", "FILE.json", "take only candidates that this T1 document names and admits"},
    {"--output", "FILE", "write all trials as a T4 document"},
    {"--runs", "N", "time N calls of the function for each candidate, after one that is not (10)"},
    {"--generic", NULL, "the choices may serve on any device for which there is nothing nearer"},
    {"--fresh", NULL, "measure again what a stopped run has measured"},
    {"--extent", "ARRAY=COUNT,…", "elements of an array whose length nothing else tells"},
    FILLER_ROW,
    {"--function", "NAME", "only this function; of plain C without marks: its loops"},
    {"--device", "cuda|opencl[:K]", "device to run on (default: the best there is)"},
    {"--seed", "N", "seed of the data and of random order (default 1)"},
    {"--tolerance", "X", "bound for floating point, as `verify` has it"},
    {"--timeout", "SECONDS", "time limit of a trial (default 120)"},
    {"--keep", "DIR", "leave sources, programs and results in DIR"},
#include "cli/compiler_rows.h"
    STRICT_ROW,
#include "cli/mapping_rows.h"
    TREE_ROWS,
};
const size_t tune_row_count = sizeof tune_rows / sizeof tune_rows[0];

/* --- options --------------------------------------------------------------------------------- */

static bool strategy_parse(struct ctx *ctx, const struct command_line *line,
                           enum tune_strategy *strategy)
{
    static const char *const names[] = {"exhaustive", "random", "model"};
    const char *text = option_text(line, "--strategy");
    *strategy = TUNE_MODEL;
    if (!text)
        return true;
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], text) == 0) {
            *strategy = (enum tune_strategy)i;
            return true;
        }
    option_unknown(ctx, "strategy", text, names, 3);
    return false;
}

static bool count_parse(struct ctx *ctx, const struct command_line *line, const char *name,
                        int64_t standard, int64_t *count)
{
    const char *text = option_text(line, name);
    *count = standard;
    return !text || option_integer(ctx, name, text, 1, 1000000, count);
}

/* Somewhere to write to is looked for before anything is measured. */
static bool output_possible(struct ctx *ctx, const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    const char *folder = !slash ? "."
                         : slash == path ? "/"
                                         : arena_strndup(ctx->arena, path, (size_t)(slash - path));
    struct stat status;
    bool is_folder = path && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    if (is_folder)
        diag_error(ctx, loc_none(), "--output: '%s' is a folder", path);
    if (!path || access(folder, W_OK | X_OK) == 0)
        return !is_folder;
    diag_error(ctx, loc_none(), "--output: cannot write to the folder '%s'", folder);
    return false;
}

static bool options_read(struct tuning *t, const struct command_line *line)
{
    struct ctx *ctx = t->v.ctx;
    int64_t leaf;
    t->v.device = option_text(line, "--device");
    t->v.only_function = option_text(line, "--function");
    t->is_generic = option_flag(line, "--generic");
    t->is_fresh = option_flag(line, "--fresh");
    t->v.no_sanitizers = true;       /* the reference is run at sizes that are worth tuning */
    if (!verify_extents_parse(ctx, line, &t->v.extents) ||
        !verify_numbers_parse(&t->v, line, &leaf) || !strategy_parse(ctx, line, &t->strategy) ||
        !count_parse(ctx, line, "--trials", 0, &t->trials) ||
        !count_parse(ctx, line, "--runs", 10, &t->runs) ||
        !count_parse(ctx, line, "--patience", 16, &t->patience))
        return false;
    t->seed = t->v.seed;
    return true;
}

/* --- functions ------------------------------------------------------------------------------- */

/* Does the region choose anything where the function runs? */
static bool region_chooses(struct host *host, const struct region *region, bool is_auto)
{
    for (int i = 0; i < region->kernel->n_params; i++) {
        const struct param *param = region->kernel->params[i];
        if (param->role == ROLE_TUNABLE && !choice_reason(host->arena, region, i) &&
            (region->defaults[i] > 0 || is_auto))
            return true;
    }
    return false;
}

/* Why nothing of a function can be tuned; NULL if something can. */
static const char *function_refuses(struct tuning *t, int function, bool *is_auto)
{
    struct host host = verify_host(&t->v);
    const char *reason = auto_reason(&host, function);
    *is_auto = !reason;
    if (t->v.program->functions[function].is_main)
        return "it is main, which cannot be called again and again with the same data";
    for (size_t i = 0; i < t->v.program->n_regions; i++)
        if (t->v.program->regions[i]->function == function &&
            region_chooses(&host, t->v.program->regions[i], *is_auto))
            return NULL;
    return reason ? reason : "its regions choose nothing";
}

/* What a user can do about a main with regions. */
static void main_advise(struct tuning *t, int function)
{
    const struct program *program = t->v.program;
    for (size_t i = 0; i < program->n_regions; i++)
        if (program->regions[i]->function == function) {
            diag_note(t->v.ctx, program->regions[i]->loc,
                      "put this, with the loops of the host around it, into a function of its own "
                      "that has the arrays and their sizes as arguments, and call it from main: "
                      "`treefork tune --function NAME --set …` measures that, and main's call "
                      "takes what was found (a program can also time its regions itself: "
                      "treefork_tune_watch)");
            return;
        }
}

static bool function_tune(struct tuning *t, int function, bool is_auto)
{
    struct verification *v = &t->v;
    struct host host = verify_host(&t->v);
    struct datum *data = NULL;
    struct subject s = {.function = function};
    const bool *skip = is_auto ? automatic_skip(v, function) : NULL;
    bool fine = true;
    t->fixed = t->set->values;
    v->set = automatic_values(v, function, skip, &t->set->values);
    if (!data_plan(v, function, &data, &s.n_data)) {
        least_values_note(v, function);
        return false;
    }
    s.data = data;
    if (!room_suffices(v, function, data, s.n_data, ROOM_TUNE))
        return false;
    v->sums_lie_apart = sum_record(v, function)->is_needed;
    if (!subject_make(v, &s, tune_harness_text(v, function, data, s.n_data, skip)))
        return false;
    for (size_t i = 0; i < v->program->n_regions; i++) {
        if (!fine || verify_stopped())
            break;
        if (v->program->regions[i]->function == function &&
            region_chooses(&host, v->program->regions[i], is_auto))
            fine = tune_region(t, &s, i);
    }
    leaves_end(v, &s);
    subject_end(v, &s);
    return fine;
}

static void nothing_print(struct tuning *t, int function, const char *reason)
{
    const struct function *f = &t->v.program->functions[function];
    printf("%s: nothing to tune: %s\n", f->name, reason);
    fflush(stdout);
    if (f->is_main)
        main_advise(t, function);
}

/* Every function at one set. */
static bool set_tune(struct tuning *t, const struct verify_set *set)
{
    struct verification *v = &t->v;
    bool fine = true, any = false;
    t->set = set;
    for (size_t i = 0; i < v->program->n_functions && !verify_stopped(); i++) {
        bool is_auto;
        if (!automatic_concerns(v, (int)i) || !verify_takes_function(v, (int)i))
            continue;
        const char *reason = function_refuses(t, (int)i, &is_auto);
        if (reason)
            nothing_print(t, (int)i, reason);
        else
            fine &= function_tune(t, (int)i, is_auto);
        any |= !reason;
    }
    if (!any && !verify_stopped())
        diag_error(v->ctx, loc_none(), "there is nothing to tune in '%s'", v->source_path);
    return fine && any;
}

static void logs_end(struct tuning *t)
{
    for (size_t i = 0; i < t->logs.count; i++)
        tune_log_end(t->logs.at[i]);
}

static bool tune_all(struct tuning *t, const struct command_line *line,
                     const struct verify_sets *sets)
{
    const char *keep = option_text(line, "--keep"), *output = option_text(line, "--output");
    char folder[4096];
    bool fine = true;
    t->keeps = treefork_store_path(folder, sizeof folder);
    if (!t->keeps)
        printf("no cache folder that may be used (TREEFORK_CACHE_DIR names one): choices are not "
               "kept for programs to take\n");
    else if (treefork_store_refuses(TREEFORK_TUNED_FILE, TREEFORK_TUNED_HEADER))
        diag_warning(t->v.ctx, loc_none(), "choices will not be kept: %s/%s: %s", folder,
                     TREEFORK_TUNED_FILE,
                     treefork_store_refuses(TREEFORK_TUNED_FILE, TREEFORK_TUNED_HEADER));
    fflush(stdout);
    if (!verify_folder_open(&t->v, keep))
        return false;
    fine = verify_generate(&t->v);
    for (size_t i = 0; i < sets->count; i++) {
        if (!fine || verify_stopped())
            break;
        fine = set_tune(t, &sets->at[i]);
    }
    bool is_whole = !verify_stopped();
    if (is_whole && output && t->done.count)
        fine &= tune_output_write(t, output);
    if (is_whole && fine)
        logs_end(t);
    if (is_whole && t->keeps && t->tuned)
        printf("%zu choice%s kept in %s\n", t->tuned, t->tuned == 1 ? "" : "s", folder);
    fflush(stdout);
    verify_folder_close(&t->v);
    return fine && is_whole;
}

static bool space_read(struct tuning *t, const struct command_line *line)
{
    const char *path = option_text(line, "--constraints");
    if (!path)
        return true;
    t->space = tune_space_read(t->v.ctx, path);
    if (t->space && !t->trials)
        t->trials = tune_space_trials(t->space);
    return t->space != NULL;
}

enum exit_code command_tune(struct ctx *ctx, const struct command_line *line)
{
    enum exit_code code;
    struct verify_sets sets;
    struct tuning t = {.v = {.ctx = ctx}};
    if (!verify_sets_read(ctx, line, &sets) || !options_read(&t, line))
        return EXIT_USAGE;
    if (!space_read(&t, line) || !output_possible(ctx, option_text(line, "--output")))
        return EXIT_INPUT;
    ctx->brief = true;
    struct program *program = input_program(ctx, line, INPUT_PART, &code);
    t.v.program = program;
    t.v.trees = program ? input_trees(ctx, line, program, &code) : NULL;
    if (!t.v.trees)
        return code;
    if (!verify_names_known(&t.v, &sets))
        return EXIT_USAGE;
    if ((t.space && !tune_space_known(&t, t.space)) ||
        !filler_read(&t.v, option_text(line, "--data")))
        return EXIT_INPUT;
    t.v.source_path = line->positional.at[0];
    t.v.flags = input_run_options(ctx, line);
    bool fine = tune_all(&t, line, &sets);
    if (t.wrong)
        diag_error(ctx, loc_none(), "%zu trial%s had a wrong result", t.wrong,
                   t.wrong == 1 ? "" : "s");
    return fine && !t.wrong ? EXIT_DONE : EXIT_INPUT;
}
