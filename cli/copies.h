#ifndef CLI_COPIES_H
#define CLI_COPIES_H
#include "cli/cli.h"

/* What each region of a program copies to the device when it runs, and what host code brings back,
   in bytes. False after diagnostics: the program's text cannot be read again. */
bool copies_print(struct ctx *ctx, struct str *out, const struct program *program,
                  const struct program_options *options);

#endif
