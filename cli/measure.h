#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H
#include "cli/cli.h"

/* Lines for every leaf with registers and spilled bytes as the assembler has them; one line that
   says so where there is no assembler. */
void measure_print(struct ctx *ctx, struct str *out, const struct tree *tree);

#endif
