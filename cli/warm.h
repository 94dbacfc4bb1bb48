#ifndef CLI_WARM_H
#define CLI_WARM_H
#include "cli/verify.h"

/* `build --warm`: kernels compiled for the device that is there. */
struct warming {
    struct verification v;
    struct verify_sets sets;
    bool is_asked;
};
/* Reads --warm, --set, --extent and --device. False after a usage error. */
bool warm_read(struct ctx *ctx, const struct command_line *line, struct warming *w);
/* Compiles for the device, if that is asked for, what the program in the folder launches at the
   values of --set, and says so, a line each. False after a diagnostic. */
bool warm_programs(struct warming *w, const struct command_line *line,
                   const struct program *program, const struct tree **trees, const char *folder);

#endif
