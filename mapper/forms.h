#ifndef MAPPER_FORMS_H
#define MAPPER_FORMS_H
#include "frontend/ast.h"

struct map;

/* Forms of plain C that mean the same as simpler ones. Bodies of functions are changed in place,
   before fragments are found; nodes keep the bytes of what they replace. */

/* All functions of the file, once. */
void forms_simplify(struct ctx *ctx, struct ast_unit *unit);

/* places.c: elements that pointers lead to, `row[x]` with `row = p + y * pitch`, `*(a + i)`, as
   elements of the arrays. `integer` of an INDEX is 1 where a pointer variable led to it. */
void places_fold(struct arena *arena, const struct ast_unit *unit, const struct ast *body);

/* counted.c: `while` loops that count as `for`. */
void counted_find(struct arena *arena, const struct ast *body);

/* members.c: members of structures that are only read, as variables: each a VARIABLE that is
   made. */
void members_find(struct ctx *ctx, const struct ast_unit *unit, const struct ast *function,
                  const struct ast *body);

/* A node of an expression in place of another. */
struct ast *form_make(struct arena *arena, enum ast_kind kind, const struct ast *place,
                      const struct ast_type *type, int n_children,
                      const struct ast *const *children);
/* The variables whose address is taken below a node, as keys. */
struct map *form_addressed(struct arena *arena, const struct ast *root);
/* The nodes below `ast` may be changed by its owner only: here. */
static inline struct ast *form_change(const struct ast *ast)
{
    return (struct ast *)(uintptr_t)ast;
}
/* Nothing in place of a statement, which is made then. `integer` is the byte behind the last text
   that needs the statement, `name` the variable that it sets. */
void form_remove(const struct ast *statement);

#endif
