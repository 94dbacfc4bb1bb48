#ifndef FRONTEND_WRITES_H
#define FRONTEND_WRITES_H
#include "frontend/ast.h"

/* Who may write a variable. */

/* The ways in which code may write a variable `x`. */
enum ast_way {
    WAY_NAME = 1,                    /* by name: `x = 1`, `x += 1`, `x++`, `x.m = 1` */
    WAY_ADDRESS = 2,                 /* `&x`: whoever is given the address may write later */
    WAY_CALL = 4,                    /* a call of a function that is not pure, or assembly */
    WAY_STORE = 8                    /* a store through a pointer */
};

/* The ways in which something at or below a node (NULL: none) may write the variable, as a set: 0
   if nothing can. `around` is the body of the function. A call or a store counts if it may reach
   the variable: one of static storage, or one whose address is taken somewhere in `around`; a
   store, besides, if its type allows it and its pointer is not `restrict`. Elements of an array are
   not the array. A `const` variable is never written, a `volatile` one always in all ways. A region
   is taken to store to arrays alone, as regions are checked (metafork). */
unsigned ast_ways(const struct ast *around, const struct ast *node, const struct ast *variable);
/* May something at or below the node write the variable in any way? */
bool ast_may_write(const struct ast *around, const struct ast *node, const struct ast *variable);
/* Does something at or below the node (NULL: none) write the variable by name, or take its address?
   That is all where calls and stores are checked apart: in regions and in fragments. */
bool ast_writes(const struct ast *node, const struct ast *variable);
/* How many nodes do so? */
int ast_count_writes(const struct ast *node, const struct ast *variable);
/* Has the variable, in an extent of an array, the value that it had where the array was declared?
   Not if something behind that writes the variable, or if its address is taken anywhere, but by a
   call before the declaration that does not keep it: scanf("%d", &n). */
bool ast_keeps_extent(const struct ast *body, const struct ast *array, const struct ast *variable);
/* The variable that the node itself writes by name, or whose address it takes; NULL if there is
   none. */
const struct ast *ast_written(const struct ast *node);
/* The variable whose address the node itself takes; NULL if there is none. */
const struct ast *ast_addressed(const struct ast *node);
/* Is the address of the variable taken at or below the node (NULL: none)? */
bool ast_takes_address(const struct ast *node, const struct ast *variable);
/* What an assignment, `++` or `--` changes; NULL for other nodes. */
const struct ast *change_target(const struct ast *node);
/* The name of the variable that an assignment changes, or of the array or pointer that the changed
   element begins with; NULL if there is none. */
const struct ast *change_base(const struct ast *node);
/* May a store by the first type change an object of the second? */
bool types_may_meet(const struct ast_type *store, const struct ast_type *object);

#endif
