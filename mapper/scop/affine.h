#ifndef MAPPER_AFFINE_H
#define MAPPER_AFFINE_H
#include "mapper/scop/place.h"
#include <isl/aff_type.h>
#include <isl/set.h>

/* Affine forms over the symbols of a scop: values, how they are read from expressions, and what
   they are in isl and in C. */

struct scop;
struct scop_loop;

enum {
    AFFINE_TERMS = 12,               /* more are no affine form */
    AFFINE_NAMES = 2                 /* of further named constants the names are forgotten */
};

/* constant + sum of factor * symbol; terms by symbol, no factor is 0. Constants that the source
   calls by a macro's name are part of the constant; their names serve printing alone. */
struct affine {
    int64_t constant;
    int n_terms, n_names;
    struct affine_term { int symbol; int64_t factor; } terms[AFFINE_TERMS];
    struct affine_term names[AFFINE_NAMES];   /* by their places in the scop's `constants` */
};

/* An iterator, or something whole-numbered that stays as it is while the fragment runs. */
struct affine_symbol {
    const char *text;
    const struct ast *decl;          /* NULL: an expression over unchanged scalars */
    const struct ast *ast;           /* the source's expression; NULL: no expression */
    const struct scop_loop *loop;    /* NULL: a parameter */
    int param;                       /* its place among the parameters; -1: an iterator */
    enum ast_class class;            /* of its values in C */
    const struct affine *value;      /* the symbol's sum of other parameters; else NULL */
    const struct affine *dividend;   /* it is this by `divisor`, as C divides; else NULL */
    int64_t divisor;
    const char *choice;              /* the text of an `ast` with `?:`, printed once before the
                                        regions; else NULL */
    bool changes;                    /* elsewhere in the function; not said of sums */
};

/* A constant that the source calls by a macro's name: `N`, `SIZE(2)`. */
struct affine_constant {
    const char *text;
    int64_t value;
};

/* affine.c: arithmetic. */
struct affine affine_constant(int64_t constant);
struct affine affine_of(int symbol);
struct affine affine_iterator(const struct scop_loop *loop);
/* a + factor*b; false on overflow, or if the sum has too many terms. */
bool affine_add(struct affine *a, const struct affine *b, int64_t factor);
bool affine_equal(const struct affine *a, const struct affine *b);
int64_t affine_factor(const struct affine *a, int symbol);
bool affine_has_iterator(const struct scop *scop, const struct affine *a);
/* affine.c: false if the expression is not affine in the iterators of the loops around. */
bool affine_read(struct scop *scop, struct scop_place at, const struct ast *ast,
                 struct affine *out);
/* affine.c: that of the loops around whose iterator is declared so; NULL: none. */
const struct scop_loop *loop_of_iterator(struct scop_place at, const struct ast *decl);

/* symbol.c: the symbol of a loop's iterator. */
int affine_symbol_of(struct scop *scop, const struct scop_loop *loop);
/* The node of the fragment that changes a variable, or one that a form has made it of (strides.c);
   NULL: nothing does. Members of structures are members_check's. */
const struct ast *variable_change(const struct scop *scop, const struct ast *decl);
/* symbol.c: an expression over unchanged scalars as one parameter; false for other expressions. */
bool parameter_read(struct scop *scop, struct scop_place at, const struct ast *ast,
                    struct affine *out);
/* symbol.c: a sum of parameters of a signed class as one parameter, so that it can be a factor. */
struct affine affine_whole(struct scop *scop, const struct affine *form, enum ast_class class);
/* symbol.c: the quotient of a sum of parameters, as C divides, as one parameter. */
struct affine affine_quotient(struct scop *scop, const struct affine *dividend, int64_t divisor,
                              enum ast_class class);

/* affine_text.c: the constant less the values of its names. */
int64_t affine_rest(const struct scop *scop, const struct affine *a);
/* affine_text.c: is the form a single symbol, name or number without a sign? */
bool affine_is_name(const struct scop *scop, const struct affine *a);
/* affine_text.c: "n - k - 1" */
char *affine_text(const struct scop *scop, const struct affine *a);
/* The same as a factor or dividend: "(n - k - 1)", "n". */
const char *affine_operand_text(const struct scop *scop, const struct affine *a);
/* The same for numbers of which it is not known that their sum fits: "(long)n + m" of unsigned
   ones. */
char *affine_wide_text(const struct scop *scop, const struct affine *a);
/* "b > a": that b - a is above 0; nothing of signed numbers overflows in it, however far they are
   apart. */
char *affine_positive_text(const struct scop *scop, const struct affine *a);

/* condition.c: a form over the space of instances below the loops. */
__isl_give isl_aff *affine_isl(const struct scop *scop, struct scop_place at,
                               const struct affine *a);
/* condition.c: is it made of comparisons of affine forms? */
bool condition_is_affine(struct scop *scop, struct scop_place at, const struct ast *ast);
/* condition.c: where an affine condition holds. */
__isl_give isl_set *condition_set(struct scop *scop, struct scop_place at, const struct ast *ast);

#endif
