#ifndef CONSTRAINTS_SMT_TERM_H
#define CONSTRAINTS_SMT_TERM_H
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

/* Terms of SMT-LIB after sorts are known and abbreviations gone: immutable directed acyclic graphs
   in an arena. */

enum sort { SORT_BOOL, SORT_INT, SORT_REAL };
const char *sort_name(enum sort sort);

enum term_op {
    TERM_TRUE,
    TERM_FALSE,
    TERM_NOT,
    TERM_AND,       /* two operands or more */
    TERM_OR,
    TERM_XOR,       /* two operands */
    TERM_FORALL,    /* body, then the variables */
    TERM_EXISTS,
    TERM_EQ,        /* numbers, two operands */
    TERM_LE,
    TERM_LT,
    TERM_ITE,       /* of truth values or of numbers */
    TERM_NUMBER,
    TERM_CONSTANT,  /* a declared symbol */
    TERM_VARIABLE,  /* bound by a quantifier, or the parameter of a definition */
    TERM_ADD,       /* one operand or more */
    TERM_MUL,
    TERM_NEG,
    TERM_DIVIDE,    /* of reals, total */
    TERM_POWER,     /* by `exponent` */
    TERM_IDIV,      /* of integers: div and mod, total */
    TERM_MOD,
    TERM_FLOOR,     /* to_int */
};

struct symbol;

struct term {
    enum term_op op;
    enum sort sort;
    bool shared;                      /* stands in more than one place perhaps */
    unsigned depth;                   /* connectives, conditions and quantifiers nested in each
                                         other */
    unsigned exponent;                /* power */
    const char *name;                 /* number: as poly_read reads it; variable: its name */
    const struct symbol *symbol;      /* constant */
    const struct term *const *at;     /* operands */
    size_t count;
};

/* A symbol that commands declare or define. */
struct symbol {
    const char *name;
    enum sort sort;
    const struct term *term;                /* the constant itself, or what it is defined as */
    const struct term *const *parameters;   /* of a definition: variables */
    size_t count;
    bool defined, named;                    /* by define-fun and the like, or by :named */
    bool global;                            /* stays when its level goes */
};

/* Where terms are made: they live in `arena`; at most *budget more of them and their operands. The
   first thing that is wrong is kept. */
struct term_maker {
    struct arena *arena;
    size_t *budget;
    const char *error;
};

/* Functions that make terms take operands of the right sorts and return NULL with maker->error set
   beyond the limits (NULL operands give NULL). */
const struct term *term_constant(struct term_maker *maker, const struct symbol *symbol);
const struct term *term_variable(struct term_maker *maker, const char *name, enum sort sort);
const struct term *term_number(struct term_maker *maker, const char *text, enum sort sort);
const struct term *term_power(struct term_maker *maker, const struct term *base, unsigned exponent);
/* The operator `op` on the operands. */
const struct term *term_make(struct term_maker *maker, enum term_op op,
                             const struct term *const *at, size_t count);

/* The operator called `name` in SMT-LIB on the operands: sorts are checked, chains and
   abbreviations written out. NULL and maker->error set if something is wrong with them. Is there
   one of that name? */
const struct term *operator_apply(struct term_maker *maker, const char *name,
                                  const struct term *const *at, size_t count);
bool operator_known(const char *name);

/* `body` with variables[i] replaced by at[i]; quantifiers get variables of their own. */
const struct term *term_replace(struct term_maker *maker, const struct term *body,
                                const struct term *const *variables, const struct term *const *at,
                                size_t count);

/* Has it no variable that no quantifier of its own binds? */
bool term_closed(const struct term *term);

/* Goes over a graph from the operands to the root, each node once. Nested sums, conjunctions and
   disjunctions that stand in one place only are passed over: term_operands gives what hangs below
   all of them. */
struct term_visitor {
    void *self;
    bool (*known)(void *self, const struct term *term);   /* nothing to do any more? */
    bool (*enter)(void *self, const struct term *term);   /* before the operands; may be NULL; false
                                                             ends it all */
    bool (*leave)(void *self, const struct term *term);   /* after them; false ends it all */
};
bool term_visit(struct arena *scratch, const struct term *term, const struct term_visitor *visitor);
const struct term *const *term_operands(struct arena *scratch, const struct term *term,
                                        size_t *count);

#endif
