#ifndef MAPPER_NUMBERS_H
#define MAPPER_NUMBERS_H
#include "frontend/ast.h"

/* Integers that loops move, for moving.c: what they are in numbers that do not wrap. */

/* `int`, `long` and their like. */
bool number_is_signed(const struct ast_type *type);
/* A literal, perhaps with a sign. */
bool number_of(const struct ast *ast, int64_t *value);
/* Is each part of the expression a literal or a signed integer that the type holds, so that the
   value is the same in wider arithmetic? */
bool number_is_exact(struct arena *arena, const struct ast *ast, const struct ast_type *type);
/* Does the statement ask for the size or the place of the variable, or is it declared there? */
bool number_is_measured(struct arena *arena, const struct ast *ast, const struct ast *decl);
/* The c of `x = x + c`, or of `x = k + c` behind `int k = x + d` (d is added); false: another
   assignment. */
bool number_added(const struct ast *body, const struct ast *assign, const struct ast *decl,
                  int64_t *value);
/* A sum in 64 bits as it may stand in place of a variable of the type: by itself in subscripts,
   else as a made cast to the type, which holds the value. */
const struct ast *number_place(struct arena *arena, const struct ast *body,
                               const struct ast *node, const struct ast *sum,
                               const struct ast_type *type);
/* The step of a loop that counts by one, 1 or -1, if the header alone changes the iterator; else 0.
   `body`: the function's. */
int number_counts(struct arena *arena, const struct ast *body, const struct ast *loop,
                  const struct ast *iterator);
/* `start < end ? moved : value`: a number behind a loop from `start` to before `end`. */
const struct ast *number_behind(struct arena *arena, const struct ast *loop,
                                const struct ast *start, const struct ast *end,
                                const struct ast *moved, const struct ast *value);

#endif
