#ifndef MAPPER_OPENING_H
#define MAPPER_OPENING_H
#include "base/vec.h"
#include "mapper/forms/forms.h"

/* A call that becomes what the called function computes (calls.c). */

/* Limits of one call: nodes of its result, and calls in each other. */
enum { OPENING_NODES_MAX = 200, OPENING_CALLS_MAX = 8 };

/* A variable of the called function, and the value that stands for it. */
struct called_variable {
    const struct ast *decl;
    const struct ast *value;         /* NULL: none yet */
    bool is_before_store;            /* it was read from memory before a store */
};
typedef VEC(struct called_variable) called_list;

struct opening {
    struct arena *arena;
    struct ast_unit *unit;
    const struct ast *function, *body;   /* the caller */
    const struct ast *place;             /* the call */
    const struct ast *callee;            /* whose body is read */
    int n_nodes, depth;
    bool fails;
};

/* opening.c: notes that the call stays; gives a node to return. */
const struct ast *opening_fail(struct opening *o);
/* opening.c: does the function get a structure or a pointer to one? */
bool gets_structure(const struct ast *function);
/* opening.c: is it a call that changes no memory and no variable that others see? */
bool is_calm_call(struct opening *o, const struct ast *call);
/* opening.c: may the expression be computed at another place, once or never? */
bool is_calm_value(struct opening *o, const struct ast *ast);
/* opening.c: does the expression read what a store may change? */
bool reads_memory(struct opening *o, const struct ast *ast);
/* opening.c: how many nodes are at and below this one? */
int nodes_count(struct opening *o, const struct ast *ast);
/* opening.c: has the expression a place in memory that names alone lead to? */
bool is_place(const struct ast *ast);
/* opening.c: the variable, the one that was bound last; NULL if there is none. */
struct called_variable *called_find(const called_list *list, const struct ast *decl);
/* opening.c: an expression of the called function as one of the caller. */
const struct ast *expression_open(struct opening *o, const struct ast *ast,
                                  const called_list *list);
/* opening.c: the value that a variable, a parameter or a result gets: its conversion is written. */
const struct ast *conversion_write(struct opening *o, const struct ast *value);
/* calls.c: the value of a call with arguments of the caller's. */
const struct ast *value_of_call(struct opening *o, const struct ast *call);

#endif
