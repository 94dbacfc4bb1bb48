#ifndef MAPPER_ROUNDS_H
#define MAPPER_ROUNDS_H
#include "frontend/ast.h"

struct word_list;
struct loop_parts;

/* Loops over iterators that forms make (rounds.c). */

/* The function whose loops are made. */
struct rounds {
    struct arena *arena;
    const struct ast_unit *unit;
    const struct ast *function, *body;
    struct word_list *words;
};

/* `i = 0`, the declaration of an iterator under a name that is free in place of a statement. */
struct ast *iterator_make(const struct rounds *r, const struct ast *loop,
                          const struct ast_type *type);
/* Makes the loop, `for (T i = 0; i < rounds; step, i++) body`, behind its own start, of the node
   `loop`. */
void counting_loop_make(const struct rounds *r, const struct loop_parts *p,
                        const struct ast *iterator, const struct ast *rounds);

#endif
