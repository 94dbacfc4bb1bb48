#ifndef MAPPER_VALUES_H
#define MAPPER_VALUES_H
#include "mapper/scop/scop.h"

/* Variables of the fragment: variables that name one value, and names in operands of `sizeof`. */

/* values.c: does a `sizeof` of the fragment ask for the variable's size? */
bool sizeof_asks(const struct scop *scop, const struct ast *decl);
/* named.c: the value that a variable of the fragment has for good; NULL: several, or none. */
const struct ast *named_value(const struct scop *scop, const struct ast *decl);
/* Is the variable a name, with a value that only the iterators decide? */
bool is_named(const struct scop *scop, const struct ast *decl);
/* Does a statement mean something else by the name than the loop's iterator (NULL: anything)? */
bool stmt_means_other(const struct scop *scop, const struct scop_stmt *stmt, const char *name,
                      const struct scop_loop *loop);
/* Does a statement mean something by the name that its loops from `depth` on do not declare? */
bool stmt_needs(const struct scop *scop, const struct scop_stmt *stmt, int depth, const char *name);

#endif
