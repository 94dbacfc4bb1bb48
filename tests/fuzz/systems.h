#ifndef TESTS_FUZZ_SYSTEMS_H
#define TESTS_FUZZ_SYSTEMS_H
#include "constraints/solve.h"

/* Random small systems for the differential test of the solver: a plain table, copied by
   assignment, that can be printed as SMT-LIB, evaluated at points without the solver's arithmetic,
   and made smaller. A system is the same for the same seed and index, whatever came before. */

enum { VARIABLES = 4, TERMS = 6, CHILDREN = 4, NODES = 80, ASSERTIONS = 10 };

enum node_kind {
    NODE_ATOM,
    NODE_NOT,
    NODE_AND,
    NODE_OR,
    NODE_XOR,
    NODE_IMPLIES,
    NODE_ITE,
    NODE_EXISTS,
    NODE_FORALL
};

struct term {
    int coefficient;
    unsigned char exponents[VARIABLES];
};

struct node {
    enum node_kind kind;
    int children, child[CHILDREN];   /* indices into the system's nodes */
    int bound;                       /* quantifiers: the variable */
    enum relation relation;          /* atoms: sum of terms relation 0 */
    int terms;
    struct term term[TERMS];
};

struct system {
    int variables, nodes, assertions;
    bool integer[VARIABLES], boxed[VARIABLES];   /* boxed: lo <= v <= hi is asserted beside the
                                                    assertions */
    int lo, hi;
    bool quantified;
    struct node node[NODES];
    int assertion[ASSERTIONS];
};

struct system system_random(uint64_t seed, uint64_t index);
/* A script with check-sat; `comment` (lines that begin with ;) in front, may be NULL. */
char *system_smt(struct arena *arena, const struct system *s, const char *comment);
/* Assertion i (from 0; after the assertions come the boxes' bounds), i < system_count. */
const struct formula *system_formula(struct arena *arena, struct ring *ring, const struct system *s,
                                     int i);
int system_count(const struct system *s);
/* Truth at a rational point (denominators > 0): 1, 0; -1 if numbers leave 128 bits or there is a
   quantifier. */
int system_holds(const struct system *s, const int64_t *numerator, const int64_t *denominator);
/* An integer point in [lo, hi]^n that satisfies everything: 1 and *point; 0 if there is none; -1
   undecided. */
int system_search(const struct system *s, int lo, int hi, int64_t *point);
/* Do all variables range over the integers in the box? Then system_search(lo, hi) decides. */
bool system_finite(const struct system *s);
/* A smaller variant, number `way` from 0: false if there is none of that number. */
bool system_smaller(const struct system *s, int way, struct system *smaller);

#endif
