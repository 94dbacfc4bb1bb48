/* treefork devices: every device a driver answers for, with the machine parameters the dispatcher would use. */
#include "cli/cli.h"

const struct option_row devices_rows[] = {{"--quiet", NULL, "only the number of devices"}};
const size_t devices_row_count = sizeof devices_rows / sizeof devices_rows[0];

enum exit_code command_devices(struct ctx *ctx, const struct command_line *line)
{
    if (line->positional.count) {
        diag_error(ctx, loc_none(), "devices takes no file: '%s'", line->positional.at[0]);
        return EXIT_USAGE;
    }
    int count = treefork_devices(option_flag(line, "--quiet") ? NULL : stdout);
    printf("%d device%s\n", count, count == 1 ? "" : "s");
    if (count == 0)
        diag_note(ctx, loc_none(), "no driver answered; `make deps` installs PoCL, an OpenCL device on the CPU");
    return EXIT_DONE;
}
