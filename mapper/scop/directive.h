#ifndef MAPPER_DIRECTIVE_H
#define MAPPER_DIRECTIVE_H
#include "mapper/plan/nest.h"

/* Reads a pragma of the kind PRAGMA_LOOP with those directly above it; says which clauses are not
   used. */
void directive_read(struct ctx *ctx, const struct ast_unit *unit, const struct ast_pragma *pragma,
                    struct directive *directive);
/* Warns where a loop that the directive calls independent is not: with a pair of accesses. */
void directive_check(struct ctx *ctx, const struct directive *directive, struct scop *scop);
/* Where the directives begin that stand directly above an offset and say something of what stands
   there; the offset itself if there are none. */
size_t directives_above(const struct ast_unit *unit, size_t offset);
/* Refuses a nest that stands in what a directive has several threads run: each would start its
   kernels. Directives directly above the nest, or with the mark of `chosen`, do not count. False
   if refused. */
bool directive_allows(struct ctx *ctx, const struct ast_unit *unit, struct nest *nest,
                      const struct fragment *chosen);

#endif
