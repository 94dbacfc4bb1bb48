/* treefork devices: every device a driver answers for, with the machine parameters the dispatcher
   would use; or one device as a machine file, so that `tree` and `explain` can be asked about it
   later and elsewhere, as it tells or with the model's coefficients measured (fit.c). */
#include "cli/cli.h"
#include "cli/fit.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const struct option_row devices_rows[] = {
    {"--json", NULL, "one device as a machine file for --machine"},
    {"--fit", NULL,
     "measure the coefficients of predicted time (some 20 seconds), write a machine file; with -o"},
    {"-o", "FILE", "where --fit writes"},
    {"--device", "cuda|opencl[:K]", "which one (default: the best there is)"},
};
const size_t devices_row_count = sizeof devices_rows / sizeof devices_rows[0];

/* As a machine file; `note` may be NULL. The caller frees it. */
static char *machine_text(const struct treefork_machine *machine, const char *note)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", machine->name);
    if (note)
        cJSON_AddStringToObject(object, "source", note);
    for (int i = 0; i < TREEFORK_PARAMETERS; i++) {
        if (machine->value[i] == TREEFORK_UNLIMITED)
            cJSON_AddNullToObject(object, treefork_parameter_key(i));
        else
            cJSON_AddNumberToObject(object, treefork_parameter_key(i), (double)machine->value[i]);
    }
    char *text = cJSON_Print(object);
    cJSON_Delete(object);
    return text;
}

static struct treefork_device *device_open(struct ctx *ctx, const char *which)
{
    struct treefork_device *device = NULL;
    if (treefork_open(which, &device) != TREEFORK_OK) {
        diag_error(ctx, loc_none(), "%s", treefork_message());
        return NULL;
    }
    return device;
}

static enum exit_code print_json(struct ctx *ctx, const char *which)
{
    struct treefork_device *device = device_open(ctx, which);
    if (!device)
        return EXIT_INPUT;
    char *text = machine_text(treefork_device_machine(device), NULL);
    puts(text);
    cJSON_free(text);
    treefork_close(device);
    return EXIT_DONE;
}

/* "fitted by treefork devices --fit on 2026-11-23 through OpenCL, 2 processors". */
static const char *fit_note(struct ctx *ctx, const struct treefork_device *device)
{
    char date[32] = "";
    time_t now = time(NULL);
    struct tm day;
    if (gmtime_r(&now, &day))
        strftime(date, sizeof date, "%Y-%m-%d", &day);
    return arena_printf(ctx->arena, "measured by treefork devices --fit on %s through %s", date,
                        treefork_device_kind(device));
}

static enum exit_code fit_device(struct ctx *ctx, const char *which, const char *path)
{
    struct treefork_device *device = device_open(ctx, which);
    if (!device)
        return EXIT_INPUT;
    struct treefork_machine machine = *treefork_device_machine(device);
    bool done = machine_fit(device, &machine, stdout);
    if (!done)
        diag_error(ctx, loc_none(), "--fit: %s", treefork_message());
    const char *note = fit_note(ctx, device);
    treefork_close(device);
    if (!done)
        return EXIT_INPUT;
    char *json = machine_text(&machine, note);
    const char *text = arena_printf(ctx->arena, "%s\n", json);
    cJSON_free(json);
    return file_write(ctx, path, text, strlen(text)) ? EXIT_DONE : EXIT_INPUT;
}

/* Can the file be written? Asked before some twenty seconds are spent. */
static bool is_writable(struct ctx *ctx, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *folder = slash ? arena_strndup(ctx->arena, path, (size_t)(slash - path) + 1) : ".";
    if (access(folder, W_OK) == 0)
        return true;
    diag_error(ctx, loc_none(), "%s: cannot write there: %s", path, strerror(errno));
    return false;
}

static enum exit_code command_fit(struct ctx *ctx, const struct command_line *line)
{
    const char *path = option_text(line, "-o");
    if (!path || option_flag(line, "--json")) {
        diag_error(ctx, loc_none(), path ? "--fit and --json are two requests"
                                         : "--fit needs -o FILE for what it measures");
        return EXIT_USAGE;
    }
    return is_writable(ctx, path) ? fit_device(ctx, option_text(line, "--device"), path)
                                  : EXIT_INPUT;
}

enum exit_code command_devices(struct ctx *ctx, const struct command_line *line)
{
    if (line->positional.count) {
        diag_error(ctx, loc_none(), "devices takes no file: '%s'", line->positional.at[0]);
        return EXIT_USAGE;
    }
    if (option_flag(line, "--fit"))
        return command_fit(ctx, line);
    if (option_text(line, "-o")) {
        diag_error(ctx, loc_none(), "-o is for --fit");
        return EXIT_USAGE;
    }
    if (option_flag(line, "--json"))
        return print_json(ctx, option_text(line, "--device"));
    int count = treefork_devices(stdout);
    printf("%d device%s\n", count, count == 1 ? "" : "s");
    if (count == 0)
        diag_note(ctx, loc_none(),
                  "no driver answered; `make deps` installs PoCL, an OpenCL device on the CPU");
    return count ? EXIT_DONE : EXIT_INPUT;
}
