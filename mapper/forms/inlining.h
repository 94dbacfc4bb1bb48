#ifndef MAPPER_INLINING_H
#define MAPPER_INLINING_H
#include "base/vec.h"
#include "mapper/forms/forms.h"

/* Calls of functions whose body is loops, as these loops in the caller's text (inlining.c). */

/* A statement of a caller, in statements that are to be mapped. */
struct inlining_site {
    const struct ast *function, *body;   /* the caller */
    const struct ast *statement;
    bool in_block;                   /* a block has the statement in its list */
    bool in_loop;                    /* a loop or an `if` of the caller's is around it */
    bool in_shared;                  /* no block of the iterations of a loop that a directive shares
                                        out is around it: variables have no place */
    bool runs_once;                  /* it is `do … while (0)`, whose body takes its place */
    size_t place;                    /* the byte before which variables may be declared */
    const struct ast *const *mapped; /* the statements that are to be mapped */
    size_t n_mapped;
};

/* Limits of one call's statements, of calls in each other, and of a file's text. */
enum { INLINED_NODES_MAX = 4000, INLINED_DEPTH_MAX = 8, INLINED_BYTES_MAX = 400000 };

/* A statement with its calls as text. */
struct inlined {
    const char *declarations;        /* lines before the statements that are mapped */
    const char *text;                /* in the place of the statement and its semicolon */
    const char *reason;              /* NULL, or why the statement stays */
};

/* The first call of the statement whose function is loops, none that stands in an argument of
   another; NULL if there is none. */
const struct ast *inlining_call(struct arena *arena, struct ast_unit *unit,
                                const struct ast *statement);
/* Puts the loops of such a statement in its place. `words` takes in the names that are made. */
struct inlined inlining_make(struct arena *arena, struct ast_unit *unit, struct word_list *words,
                             const struct inlining_site *site);

/* --- between the files ------------------------------------------------------------------------ */

struct inlining {
    struct arena *arena;
    struct ast_unit *unit;
    struct word_list *words;
    const struct inlining_site *site;
    const struct ast *call, *callee, *code;   /* code: the body of the called function */
    const struct ast *target;        /* the caller's variable that the result is made in, or NULL */
    struct map *values;              /* a variable of the called function to what stands for it */
    struct map *taken;               /* names that the made text has beside the function's own */
    struct map *outside;             /* names of what is declared outside the function */
    VEC(const struct ast *) before;  /* statements that give variables the arguments' values */
    struct str *declarations;
    int n_nodes;
    bool in_loop;                    /* of the called function, while its body is copied */
    const char *reason;
};

/* Notes why a call stays, unless that is known; gives false. */
bool inlining_fail(struct inlining *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* inlining_ask.c: is the called function one whose statements can stand elsewhere? */
bool inlining_check(struct inlining *in);
/* inlining_ask.c: does the function change nothing but variables of its own? */
bool inlining_is_calm(struct arena *arena, struct ast_unit *unit, const struct ast *function);
/* inlining_ask.c: does an expression change nothing, also by calls? */
bool inlining_is_value(struct arena *arena, struct ast_unit *unit, const struct ast *ast);
/* inlining_ask.c: has the expression one value while the called function runs, wherever that is
   asked for, and at no cost? */
bool inlining_is_still(struct inlining *in, const struct ast *ast);
/* inlining_ask.c: is it an array or a place in it that stays while the called function runs? */
bool inlining_is_place(struct inlining *in, const struct ast *ast);
/* inlining_guards.c: is it a return that is all that a statement of the called function's body does
   under its condition? */
bool inlining_is_guard(const struct inlining *in, const struct ast *node);
/* inlining_guards.c: the statements of the function without such returns; `last`: what its last
   statement returns, NULL if nothing. With a reason where the values do not agree. */
const struct ast *inlining_without_guards(struct inlining *in, const struct ast *code,
                                          const struct ast *last);
/* inlining_body.c: binds the parameters to the arguments; false with a reason. */
bool inlining_bind(struct inlining *in);
/* inlining_body.c: a node of the called function as one of the caller. */
const struct ast *inlining_copy(struct inlining *in, const struct ast *ast);
/* inlining_words.c: the directive, without `#pragma`, that says which sums of a loop of the
   called function may be taken in any order; NULL if none says so. */
const char *inlining_words(struct inlining *in, const struct ast *loop);
/* inlining_body.c: the value with the conversion to a type written. */
const struct ast *inlining_convert(struct inlining *in, const struct ast *value,
                                   const struct ast_type *type);

#endif
