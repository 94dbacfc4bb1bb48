#ifndef FRONTEND_TEXT_H
#define FRONTEND_TEXT_H
#include "frontend/ast.h"

/* Nodes as C again. A node that has bytes of its own keeps them, with comments, spelling and
   macros; what stands for a variable is put in its place. Where such a place is inside a macro's
   call, and where a node has no bytes of its own, the node is printed from its parts. */

struct ast_writer {
    struct arena *arena;
    const struct source *source;     /* the main file, of which the nodes are */
    const struct map *names;         /* by node, a name as a rule: the text in its place; NULL, and
                                        nodes that are not there: as they are */
};

/* An expression or a statement, without the semicolon that ends it. NULL if a part that must be
   printed anew has no C text (a string, a statement that jumps). */
const char *ast_text(const struct ast_writer *writer, const struct ast *ast);
/* Does a semicolon have to follow the statement's text? */
bool ast_needs_semicolon(const struct ast *statement);
/* "double x[4]", "int (*p)[8]": a declaration of the name. NULL for functions. */
const char *ast_declarator_text(const struct ast_writer *writer, const struct ast_type *type,
                                const char *name);

#endif
