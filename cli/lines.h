#ifndef CLI_LINES_H
#define CLI_LINES_H
#include "cli/cli.h"
#include "ir/llvm/llvm.h"

/* The stage lines for a leaf at the values of `set`. False after a diagnostic. */
bool lines_print(struct ctx *ctx, struct str *out, const struct variant *variant,
                 const struct ptx_options *set);

#endif
