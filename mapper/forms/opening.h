#ifndef MAPPER_OPENING_H
#define MAPPER_OPENING_H
#include "base/vec.h"
#include "mapper/forms/forms.h"

/* A call that becomes what the called function computes (calls.c). */

/* Limits of one call: nodes of its result, where values have names and where they have none, and
   calls in each other. */
enum { OPENING_NAMED_MAX = 800, OPENING_NODES_MAX = 200, OPENING_CALLS_MAX = 8 };

typedef VEC(const struct ast *) node_list;

/* The declarations that may stand before a statement, for values that are used several times. */
struct opened_names {
    struct word_list *words;
    const struct ast *loop;          /* the outermost one around that may be mapped as a whole */
    node_list *declared;
};

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
    struct word_list *words;
    const struct ast *function, *body;   /* the caller */
    const struct ast *place;             /* the call */
    const struct ast *callee;            /* whose body is read */
    const struct opened_names *names;    /* NULL: values are repeated */
    bool is_choice;                      /* what is read may not be needed */
    int n_nodes, depth;
    bool fails;
};

/* opening.c: notes that the call stays; gives a node to return. */
const struct ast *opening_fail(struct opening *o);
/* opening.c: does the function get a structure or a pointer to one, or return one? */
bool passes_structure(const struct ast *function);
/* opening.c: is it a call that changes no memory and no variable that others see? */
bool is_calm_call(struct opening *o, const struct ast *call);
/* opening.c: may the expression be computed at another place, once or never? */
bool is_calm_value(struct opening *o, const struct ast *ast);
/* opening.c: does the expression read what a store may change? */
bool reads_memory(struct opening *o, const struct ast *ast);
/* opening.c: may C leave operands behind the first one out? */
bool has_choice(const struct ast *ast);
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
/* opening.c: what an assignment gives a variable of the called function, or a member of it. */
const struct ast *value_assigned(struct opening *o, const struct ast *statement,
                                 const called_list *list);
/* opening.c: `x += 1` for `x++`; other statements as they are. */
const struct ast *increment_spell(struct opening *o, const struct ast *statement);
/* structures.c: is it a structure of scalars whose members are known? */
bool is_structure_value(const struct ast_type *type);
/* structures.c: the members of a place as a list, `(struct v){p.x, p.y}`; of no place: a list whose
   members have no value, NULL, yet. A list stays as it is. */
const struct ast *structure_list(struct opening *o, const struct ast_type *type,
                                 const struct ast *whole);
/* structures.c: is it a list with a value for each member? */
bool is_full_list(const struct ast *ast);
/* structures.c: `(struct v){a, .y = b}` of the called function as a list. */
const struct ast *structure_open(struct opening *o, const struct ast *ast, const called_list *list);
/* structures.c: the list with another value of a member. */
const struct ast *structure_set(struct opening *o, const struct ast *whole, const char *member,
                                const struct ast *value);
/* structures.c: the value of a member of a list; NULL of a place, and of a member without value. */
const struct ast *structure_member(const struct ast *whole, const char *member);
/* structures.c: the value behind a choice; of structures a choice for each member. */
const struct ast *value_choose(struct opening *o, const struct ast_type *type,
                               const struct ast *condition, const struct ast *yes,
                               const struct ast *no);
/* structures.c: the variable of the called function that a place belongs to, itself or a member of
   it; NULL if there is none. */
const struct ast *own_variable(const struct ast *function, const struct ast *target);
/* names.c: the value, by a name where it would be computed at each use. */
const struct ast *value_name(struct opening *o, const char *name, const struct ast_type *type,
                             const struct ast *value);
/* calls.c: the value of a call with arguments of the caller's. */
const struct ast *value_of_call(struct opening *o, const struct ast *call);

#endif
