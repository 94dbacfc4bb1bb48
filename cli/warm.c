/* build --warm: kernels of likely choices are compiled while the program is built. In: the
   generated file, and values of --set. Out: the binaries in the cache of runs, under the keys that
   runs have, since the very code that runs later makes them: each function with regions is called
   once, in a child, on random data of these sizes, as a program would call it (NAME_auto, where
   there is one and no tunable has a value), with its regions launched however small they are. The
   files are written before: that a child fails, or finds no device, is a warning. */
#include "cli/warm.h"
#include "cli/automatic.h"
#include "cli/harness.h"
#include "cli/leaves.h"
#include "runtime/store.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The child says how many programs it compiled, how many the cache had, and the device. */
static const char tell[] =
    "    struct treefork_statistics counts = treefork_statistics(treefork_default());\n"
    "    const char *device = treefork_device_name(treefork_default());\n"
    "    FILE *file = fopen(harness_path, \"w\");\n"
    "    if (!file)\n"
    "        return 96;\n"
    "    fprintf(file, \"%llu %llu %s\\n\", (unsigned long long)counts.builds,\n"
    "            (unsigned long long)counts.loads, device ? device : \"\");\n"
    "    return fclose(file) ? 95 : 0;\n"
    "}\n"
    "static int harness_obey(const char *path, char *order)\n"
    "{\n"
    "    (void)path, (void)order;\n"
    "    return 97;\n"
    "}\n";

static const char *warm_text(struct verification *v, int function, const struct datum *data,
                             int n_data, const bool *skip)
{
    struct str out = str_new(v->ctx->arena);
    harness_begin(v, &out);
    str_add(&out, "\nstatic int harness_run(const char *harness_path)\n{\n");
    harness_data(v, &out, function, data, n_data);
    harness_result(v, &out, function, data);
    harness_call(v, &out, function, data, skip);
    str_add(&out, tell);
    harness_end(&out);
    return out.text;
}

/* The child ran to its end, and left its line. */
static void warm_tell(struct verification *v, const char *name, const struct verify_set *set)
{
    unsigned long long builds, loads;
    size_t length;
    int at = 0;
    char *line = file_read(v->ctx, verify_path(v, "result"), &length);
    if (!line || sscanf(line, "%llu %llu %n", &builds, &loads, &at) != 2)
        return;
    line[strcspn(line, "\n")] = 0;
    printf("%s%s%s: %llu kernel%s compiled for %s, %llu in the cache before\n", name,
           *set->text ? " at " : "", set->text, builds, builds == 1 ? "" : "s", line + at, loads);
}

/* Runs the program once. */
static void warm_run(struct verification *v, const char *name, const char *program,
                     const struct verify_set *set)
{
    const char *settings[] = {"TREEFORK_ON_ERROR", "abort", "TREEFORK_HOST", "never",
                              "TREEFORK_TRACE", "0", "TREEFORK_QUIET", "0",
                              v->device ? "TREEFORK_DEVICE" : NULL, v->device, NULL};
    const char *argv[] = {program_path(v, program), verify_path(v, "result"), NULL};
    const char *output = verify_path(v, "output"), *errors = verify_path(v, "errors");
    struct child_result result = child_run(v, argv, settings, output, errors, v->timeout);
    const char *refused = child_refused(v, result.errors);
    v->no_device = refused && strncmp(refused, "no device: ", 11) == 0;
    if (result.end == CHILD_DONE)
        warm_tell(v, name, set);
    else if (!verify_stopped())
        diag_warning(v->ctx, loc_none(), "--warm: nothing is compiled for %s: %s", name,
                     refused ? refused : child_describe(v->ctx, &result));
}

/* The call leaves out the tunables, for NAME_auto, unless their values are given. */
static const bool *warm_skip(const struct verification *v, int function,
                             const struct assignments *values)
{
    const struct function *f = &v->program->functions[function];
    struct host host = verify_host(v);
    const bool *skip = auto_reason(&host, function) ? NULL : automatic_skip(v, function);
    int n_arguments = skip ? f->n_arguments : 0;
    for (int i = 0; i < n_arguments; i++)
        if (skip[i] && assignment_get(values, f->arguments[i].name))
            return NULL;
    return skip;
}

static bool function_warm(struct verification *v, int function, const struct verify_set *set,
                          const char *generated)
{
    const char *name = v->program->functions[function].name;
    const char *source = arena_printf(v->ctx->arena, "%s.warm.c", name);
    struct compilation c = {.source = verify_path(v, source),
                            .included = generated,
                            .program = verify_path(v, arena_printf(v->ctx->arena, "%s.warm", name)),
                            .with_runtime = true,
                            .is_of_users = true};
    const bool *skip = warm_skip(v, function, &set->values);
    struct datum *data;
    int n_data;
    v->set = automatic_values(v, function, skip, &set->values);
    bool is_made = data_plan(v, function, &data, &n_data) &&
                   room_suffices(v, function, data, n_data, ROOM_DEVICE) &&
                   verify_write(v, source, warm_text(v, function, data, n_data, skip)) &&
                   verify_compile(v, &c);
    if (is_made)
        warm_run(v, name, c.program, set);
    return is_made;
}

/* A main is a whole program, which nobody asked to run. */
static bool is_warmed(const struct verification *v, size_t function)
{
    return automatic_concerns(v, (int)function) && !v->program->functions[function].is_main;
}

static bool function_sets_warm(struct verification *v, int function,
                               const struct verify_sets *sets, const char *generated)
{
    for (size_t i = 0; i < sets->count && !v->no_device && !verify_stopped(); i++)
        if (!function_warm(v, function, &sets->at[i], generated))
            return false;
    return true;
}

static bool functions_warm(struct verification *v, const struct verify_sets *sets,
                           const char *generated)
{
    for (size_t i = 0; i < v->program->n_functions; i++)
        if (is_warmed(v, i) && !function_sets_warm(v, (int)i, sets, generated))
            return false;
    return true;
}

bool warm_read(struct ctx *ctx, const struct command_line *line, struct warming *w)
{
    bool is_asked = option_flag(line, "--warm");
    w->v = (struct verification){.ctx = ctx,
                                 .device = option_text(line, "--device"),
                                 .seed = 1,
                                 .timeout = 120,
                                 .tolerance = -1};
    w->is_asked = is_asked;
    if (!is_asked && (option_text(line, "--set") || option_text(line, "--extent") || w->v.device)) {
        diag_error(ctx, loc_none(), "--set, --extent and --device say what --warm compiles");
        return false;
    }
    return verify_sets_read(ctx, line, &w->sets) &&
           verify_extents_parse(ctx, line, &w->v.extents);
}

bool warm_programs(struct warming *w, const struct command_line *line,
                   const struct program *program, const struct tree **trees, const char *folder)
{
    struct verification *v = &w->v;
    char kept[4096], generated[PATH_MAX];
    v->program = program;
    v->trees = trees;
    v->source_path = line->positional.at[0];
    v->flags = input_run_options(v->ctx, line);
    const char *path = arena_printf(v->ctx->arena, "%s/%s.tf.c", folder, program->stem);
    if (!w->is_asked || !verify_names_known(v, &w->sets))
        return !w->is_asked;
    if (!treefork_store_path(kept, sizeof kept)) {
        diag_error(v->ctx, loc_none(), "--warm: there is no cache folder that may be used "
                                       "(TREEFORK_CACHE_DIR names one)");
        return false;
    }
    if (!realpath(path, generated) || !verify_folder_open(v, NULL))
        return false;
    bool fine = functions_warm(v, &w->sets, generated);
    fflush(stdout);
    verify_folder_close(v);
    return fine;
}
