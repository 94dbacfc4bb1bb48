#ifndef MAPPER_MAPPER_H
#define MAPPER_MAPPER_H
#include "base/str.h"
#include "frontend/ast.h"

/* Plain C to MetaFork C: what `#pragma scop` and `#pragma target` mark is printed again with
   regions whose threads run at once what is independent. */

/* The fragments of one file, each with its schedule. */
struct plain_file;

/* NULL after diagnostics: what is marked cannot be mapped, or nothing is marked. */
struct plain_file *mapping_make(struct ctx *ctx, struct ast_unit *unit);
/* The file with its fragments mapped. It has the marks of metafork.h and no such pragma. */
void mapping_print(struct str *out, const struct plain_file *mapping);
/* `-d scop`: loops, statements, domains and accesses of each fragment. */
void mapping_print_scops(struct str *out, const struct plain_file *mapping);
/* `-d schedule`: regions and host loops of each fragment, in their order. */
void mapping_print_schedules(struct str *out, const struct plain_file *mapping);

#endif
