#ifndef FRONTEND_BEHIND_H
#define FRONTEND_BEHIND_H
#include "frontend/ast.h"

/* May the value that the variable has behind statements of a block, from the first to the last one,
   be read before it is set? `body` is the function's, of which jumps other than those of its
   nesting are not followed, nor are pointers to the variable. */
bool ast_is_read_behind(const struct ast *body, const struct ast *first, const struct ast *last,
                        const struct ast *decl);

#endif
