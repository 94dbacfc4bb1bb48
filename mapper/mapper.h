#ifndef MAPPER_MAPPER_H
#define MAPPER_MAPPER_H
#include "mapper/forms/choice.h"
#include "mapper/print/file.h"

/* Plain C to MetaFork C: what `#pragma scop` and `#pragma target` mark is printed again with
   regions whose threads run at once what is independent. */

/* NULL after diagnostics: what is chosen cannot be mapped, or nothing is. */
struct plain_file *mapping_make(struct ctx *ctx, struct ast_unit *unit,
                                struct map_choice *choice);

#endif
