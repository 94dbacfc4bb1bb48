#ifndef MAPPER_DIRECTIVE_H
#define MAPPER_DIRECTIVE_H
#include "mapper/scop/scop.h"

/* Reads a pragma that marks a loop, with those directly above it; says which clauses are not used,
   each of them once (`said`: names that were said). */
void directive_read(struct ctx *ctx, const struct ast_unit *unit, const struct ast_pragma *pragma,
                    struct map *said, struct directive *directive);
/* Does a clause of the directive that marks the fragment, or of one in it on a loop around the
   node, say that sums of the variable by the operator come in any order? */
bool directives_free(struct ctx *ctx, const struct ast_unit *unit, const struct fragment *fragment,
                     const struct ast *node, const struct ast *decl, enum reduce_op reduction);
/* Does a pragma begin threads for a statement of the body around an offset? */
bool directive_begins_around(struct arena *arena, const struct ast_unit *unit,
                             const struct ast_pragma *pragma, const struct ast *body,
                             size_t offset);
/* Does a directive around a pragma begin the threads that it shares a loop out to? */
bool directive_has_team(struct arena *arena, const struct ast_unit *unit,
                        const struct ast_pragma *pragma, const struct ast *body);
/* Warns where a loop that the directive calls independent is not: with a pair of accesses. */
void directive_check(struct ctx *ctx, const struct directive *directive, struct scop *scop);
/* Where the directives begin that stand directly above an offset and say something of what stands
   there; the offset itself if there are none. */
size_t directives_above(const struct ast_unit *unit, size_t offset);
/* Does a pragma stand directly above an offset and tell how the loop there runs, alone? */
bool directive_is_above(const struct ast_unit *unit, const struct ast_pragma *pragma,
                        size_t offset);
/* Refuses a fragment that stands in what a directive has several threads run: each would start its
   kernels. Directives directly above it, or with the mark of `chosen`, do not count; nor does a
   directive that begins threads for a block in which another directive shares out the loop: one
   thread then runs the block. A function in which a loop is shared out to threads that another
   function begins runs in each of them as a whole: there only loops whose own directive begins
   threads are taken. Directives that the preprocessor skips count, too, as the program's compiler
   may see them. Without a text where nothing is refused. */
struct scop_refusal directive_around(struct ctx *ctx, const struct ast_unit *unit,
                                     const struct fragment *fragment,
                                     const struct fragment *chosen);

#endif
