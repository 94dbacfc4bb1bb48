#ifndef FRONTEND_ASK_H
#define FRONTEND_ASK_H
#include "frontend/ast.h"

/* Questions about the tree that the mapper and the lowering ask alike. */

bool type_is_scalar(const struct ast_type *type);
/* Is the expression (NULL: none) the variable, perhaps converted? */
bool is_ref_to(const struct ast *ast, const struct ast *decl);
/* Does the node (NULL: none) or one below it name the variable? */
bool ast_mentions(const struct ast *node, const struct ast *decl);
/* Stands the declaration below the node? */
bool ast_declares(const struct ast *node, const struct ast *decl);
/* Is the node (NULL: none), or a node below it, of the kind? */
bool ast_has(const struct ast *node, enum ast_kind kind);
/* A BREAK or CONTINUE in a loop's body that belongs to the loop; NULL if there is none. */
const struct ast *ast_has_own_jump(const struct ast *body, enum ast_kind kind);
/* The REF node of a pointer that a comparison asks whether it is NULL, `p != NULL`, `0 == p`, `!p`;
   NULL of other nodes. A pointer that is a condition by itself is none of these. */
const struct ast *ast_asks_null(const struct ast *node);
/* The REF node of a pointer that is a condition by itself, as in `p ? a : b`, `p && q`; NULL of
   others. `i`: the number of a child of the node. */
const struct ast *ast_condition_pointer(const struct ast *node, int i);
/* Does the code ask whether the pointer is NULL? */
bool ast_may_be_null(struct arena *arena, const struct ast *body, const struct ast *decl);
/* The REF node of the array or pointer that an element or a place begins with: `a` of `a[i]`, `*a`,
   `&a[i]`, `a + i`; NULL if there is none. */
const struct ast *ast_base(const struct ast *node);
/* Is the node `node` itself or one below? */
bool ast_holds(const struct ast *root, const struct ast *node);
/* Is the extent of an array (NULL: none) made of numbers and variables alone, so that regions can
   compute it? */
bool ast_is_plain_extent(const struct ast *extent);
/* Behind a statement with its semicolon, which clang's ranges leave out. */
size_t statement_end(const struct ast_unit *unit, const struct ast *statement);

#endif
