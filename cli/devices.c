/* treefork devices: every device a driver answers for, with the machine parameters the dispatcher
   would use; or one device as a machine file, so that `tree` and `explain` can be asked about it
   later and elsewhere. */
#include "cli/cli.h"
#include <cjson/cJSON.h>

const struct option_row devices_rows[] = {
    {"--json", NULL, "one device as a machine file for --machine"},
    {"--device", "cuda|opencl[:K]", "which one (default: the best there is)"},
};
const size_t devices_row_count = sizeof devices_rows / sizeof devices_rows[0];

static enum exit_code print_json(struct ctx *ctx, const char *which)
{
    struct treefork_device *device;
    if (treefork_open(which, &device) != TREEFORK_OK) {
        diag_error(ctx, loc_none(), "%s", treefork_message());
        return EXIT_INPUT;
    }
    const struct treefork_machine *machine = treefork_device_machine(device);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", machine->name);
    for (int i = 0; i < TREEFORK_PARAMETERS; i++) {
        if (machine->value[i] == TREEFORK_UNLIMITED)
            cJSON_AddNullToObject(object, treefork_parameter_key(i));
        else
            cJSON_AddNumberToObject(object, treefork_parameter_key(i), (double)machine->value[i]);
    }
    char *text = cJSON_Print(object);
    puts(text);
    cJSON_free(text);
    cJSON_Delete(object);
    treefork_close(device);
    return EXIT_DONE;
}

enum exit_code command_devices(struct ctx *ctx, const struct command_line *line)
{
    if (line->positional.count) {
        diag_error(ctx, loc_none(), "devices takes no file: '%s'", line->positional.at[0]);
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
