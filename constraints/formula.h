#ifndef CONSTRAINTS_FORMULA_H
#define CONSTRAINTS_FORMULA_H
#include "constraints/sas.h"

/* First-order formulas over polynomial constraints: immutable directed acyclic graphs in an arena,
   nodes shared freely. The constructors fold constants and flatten equal connectives, nothing else;
   implication, equivalence and if-then-else are written with the kinds below. A Boolean variable b
   is a ring variable with the atom b > 0. */

enum formula_kind {
    FORMULA_TRUE,
    FORMULA_FALSE,
    FORMULA_ATOM,     /* constraint */
    FORMULA_NOT,      /* one operand */
    FORMULA_AND,      /* two operands or more */
    FORMULA_OR,       /* two operands or more */
    FORMULA_XOR,      /* two operands */
    FORMULA_EXISTS,   /* one operand, `variable` bound in it */
    FORMULA_FORALL,
};

struct formula {
    enum formula_kind kind;
    struct constraint constraint;        /* atom */
    int variable;                        /* quantifiers: ring variable */
    const struct formula *const *at;     /* operands */
    size_t count;
};

const struct formula *formula_true(void);
const struct formula *formula_false(void);
/* Constant constraints become TRUE or FALSE. */
const struct formula *formula_atom(struct arena *arena, struct constraint c);
const struct formula *formula_not(struct arena *arena, const struct formula *f);
const struct formula *formula_and(struct arena *arena, const struct formula *const *at,
                                  size_t count);
const struct formula *formula_or(struct arena *arena, const struct formula *const *at,
                                 size_t count);
const struct formula *formula_xor(struct arena *arena, const struct formula *a,
                                  const struct formula *b);
const struct formula *formula_implies(struct arena *arena, const struct formula *a,
                                      const struct formula *b);
const struct formula *formula_ite(struct arena *arena, const struct formula *c,
                                  const struct formula *a, const struct formula *b);
const struct formula *formula_exists(struct arena *arena, int variable, const struct formula *f);
const struct formula *formula_forall(struct arena *arena, int variable, const struct formula *f);
const struct formula *formula_sas(struct arena *arena, struct sas sas);

/* Negation normal form of f (of its negation if `negated`): TRUE, FALSE, atoms, AND, OR and
   quantifiers only. Linear in the graph except for XOR, whose operands are visited in both signs
   (shared nodes once per sign). */
const struct formula *formula_nnf(struct arena *arena, const struct formula *f, bool negated);
/* An atom or the negation of one? */
bool formula_is_literal(const struct formula *f);
bool formula_quantified(const struct formula *f);
/* Does the variable occur free? */
bool formula_uses(const struct formula *f, int variable);
/* Is f a conjunction of atoms (TRUE and a single atom included)? Then its constraints, in order. */
bool formula_is_sas(struct arena *arena, struct ring *ring, const struct formula *f,
                    struct sas *sas);
/* Truth at an integer point (one entry per ring variable) of a formula without quantifiers: 1, 0,
   or -1 (overflow). */
int formula_holds(const struct formula *f, const int64_t *point);
/* SMT-LIB 2 term: "(and (<= (+ (* 2 B) 2) Z_B) …)". */
void formula_print_smt(struct str *out, const struct formula *f);
/* C-like text: "2*B + 2 <= Z_B && (s == 1 || s > 4)"; machine parameters alone on their side as in
   constraint_print. */
void formula_print(struct str *out, const struct formula *f, uint64_t machine);

#endif
