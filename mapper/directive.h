#ifndef MAPPER_DIRECTIVE_H
#define MAPPER_DIRECTIVE_H
#include "mapper/scop.h"

/* Reads a pragma of the kind PRAGMA_LOOP; says which clauses are not used. */
void directive_read(struct ctx *ctx, const struct ast_unit *unit, const struct ast_pragma *pragma,
                    struct directive *directive);
/* Warns where a loop that the directive calls independent is not: with a pair of accesses. */
void directive_check(struct ctx *ctx, const struct directive *directive, struct scop *scop);

#endif
