#ifndef FRONTEND_LATER_H
#define FRONTEND_LATER_H
#include "frontend/ast.h"

/* Reads of a variable's value behind a place. */

/* Some bytes of a function's body, of whole statements that follow each other. */
struct ast_span {
    const struct ast *body;
    size_t begin, end;
};

/* May somebody read the value that a variable of the function has behind the statements? Jumps out
   of its nesting are taken to reach a read. */
bool value_is_read_behind(struct arena *arena, const struct ast_span *span,
                          const struct ast *decl);
/* The same of a variable that the function's nesting shows: no jumps lead to its reads. */
bool value_is_read_next(const struct ast_span *span, const struct ast *decl);

#endif
