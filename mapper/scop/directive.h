#ifndef MAPPER_DIRECTIVE_H
#define MAPPER_DIRECTIVE_H
#include "mapper/scop/scop.h"

/* Reads a pragma of the kind PRAGMA_LOOP with those directly above it; says which clauses are not
   used. */
void directive_read(struct ctx *ctx, const struct ast_unit *unit, const struct ast_pragma *pragma,
                    struct directive *directive);
/* Warns where a loop that the directive calls independent is not: with a pair of accesses. */
void directive_check(struct ctx *ctx, const struct directive *directive, struct scop *scop);
/* Where the directives begin that stand directly above an offset and say something of what stands
   there; the offset itself if there are none. */
size_t directives_above(const struct ast_unit *unit, size_t offset);
/* Refuses a fragment that stands in what a directive has several threads run: each would start its
   kernels. Directives directly above it, or with the mark of `chosen`, do not count. Without a text
   where none is around. */
struct scop_refusal directive_around(struct ctx *ctx, const struct ast_unit *unit,
                                     const struct fragment *fragment,
                                     const struct fragment *chosen);

#endif
