#ifndef CONSTRAINTS_SMT_SESSION_H
#define CONSTRAINTS_SMT_SESSION_H
#include "base/map.h"
#include "base/vec.h"
#include "constraints/smt/term.h"
#include "constraints/solve.h"

/* What stands behind a script: one ring and one solver, variables for its symbols, and the
   assertions as formulas. It can be made anew at any time from the terms. */

/* The functions that say what a division by zero gives: of the dividend alone, unspecified, but
   functions. */
enum zero_function { ZERO_DIVIDE, ZERO_DIV, ZERO_MOD, ZERO_COUNT };

/* One value of such a function: function(argument) = variable. */
struct zero {
    enum zero_function function;
    const struct poly *argument;
    int variable;
};

/* An integer variable that is the floor of p (q NULL) or p div q. */
struct integer_part {
    const struct poly *p, *q;
    int variable;
};

struct session_mark {
    size_t zeros, parts, asserted;
};

enum { ROLE_NONE, ROLE_SYMBOL, ROLE_AUXILIARY };

/* What a variable of the ring is at present. */
struct role {
    int kind;
    bool integer;          /* for ever */
    unsigned taken;        /* by which level, from 1; 0 = free */
    const struct symbol *symbol, *second;   /* NULL = none (any more) */
};

struct session {
    struct arena *arena;
    struct ring *ring;
    struct solver *solver;            /* NULL if nothing is to be solved */
    bool strong;                      /* all divisions by zero give one value: enough for
                                         satisfiability */
    struct role roles[RING_CAPACITY];
    struct map *variables;            /* symbol to int: variable, for a second truth value +
                                         RING_CAPACITY */
    VEC(struct zero) zeros;
    VEC(struct integer_part) parts;
    VEC(const struct formula *) asserted;
    VEC(struct session_mark) marks;
    int zero_constant[ZERO_COUNT];    /* strong: the variable, -1 before it is needed */
    unsigned approximate;             /* least level with a division by zero under a quantifier; 0 =
                                         none */
    unsigned weakened;                /* least level where an assertion was left out, 0 = none, and
                                         why */
    const char *why_weakened;
    size_t work;                      /* assertions made so far */
};

struct session_options {
    const struct solver_options *solver;   /* NULL: nothing is to be solved */
    bool strong;
};

struct session *session_new(const struct session_options *options);
void session_free(struct session *session);
void session_push(struct session *session);
void session_pop(struct session *session);
/* Has it more dead than live matter? Then it is better made anew. */
bool session_is_stale(const struct session *session);
/* The symbol is declared no more. */
void session_forget(struct session *session, const struct symbol *symbol);
/* Translates and asserts; assertions are numbered from 0 in the order they are made. NULL, or what
   is wrong with it (in the session's arena): then nothing is asserted. */
const char *session_assert(struct session *session, const struct term *term);
/* The same without asserting it: a formula of the session, perhaps with quantifiers. NULL and
   *error set if it cannot. */
const struct formula *session_formula(struct session *session, const struct term *term,
                                      const char **error);
/* An answer "satisfiable" says nothing while an assertion is missing or weaker than it should
   be. */
void session_weaken(struct session *session, const char *why);
/* Level of what is asserted now, from 1. */
unsigned session_level(const struct session *session);

/* What stands for a symbol: its value, or for a truth value a polynomial that is positive where it
   holds. The symbol gets a variable if it has none; NULL if the ring is full. */
const struct poly *session_symbol(struct session *session, const struct symbol *symbol);
/* NULL if the symbol has no variable. */
const struct poly *session_find(const struct session *session, const struct symbol *symbol);
/* The truth value of which p is the polynomial; NULL if there is none. */
const struct symbol *session_truth(const struct session *session, const struct poly *p);
/* A variable that nobody uses, for the present level; -1 if the ring is full. */
int session_auxiliary(struct session *session, bool integer);
/* An auxiliary variable (others are left alone) is nobody's again. */
void session_give_back(struct session *session, int variable);

#endif
