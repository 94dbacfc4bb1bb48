#ifndef CONSTRAINTS_SAS_H
#define CONSTRAINTS_SAS_H
#include "constraints/poly.h"

/* Semi-algebraic systems: conjunctions of polynomial constraints. */

enum relation { RELATION_EQ, RELATION_NE, RELATION_LT, RELATION_LE, RELATION_GT, RELATION_GE };

/* Does a value of this sign (-1, 0, 1) stand in the relation to zero? */
bool relation_holds(enum relation relation, int sign);

/* polynomial relation 0; a NULL polynomial (one beyond the limits of poly.h) has no truth: it holds
   -1, the solver says SAS_UNKNOWN. */
struct constraint {
    const struct poly *poly;
    enum relation relation;
};

/* left relation right, as left - right relation 0. */
struct constraint constraint_make(const struct poly *left, enum relation relation,
                                  const struct poly *right);
struct constraint constraint_negate(struct constraint c);
bool constraint_equal(struct constraint a, struct constraint b);
/* Truth at an integer point (one entry per ring variable): 1, 0, or -1 if the value leaves 64
   bits. */
int constraint_holds(struct constraint c, const int64_t *point);
/* Readable form: monomials with negative coefficient on the other side, a machine parameter (a
   variable given in `machine`, a bit set over ring variables) alone on its side: "2*s*B + 2 <=
   Z_B", "Z_B < 2*B + 2", "9 <= R_B". */
void constraint_print(struct str *out, struct constraint c, uint64_t machine);
/* Reads "left relation right" with relations = == != < <= > >=. False and *error set on a syntax
   error. */
bool constraint_read(struct ring *ring, const char *text, struct constraint *c, const char **error);

/* A conjunction; immutable, in an arena. */
struct sas {
    struct ring *ring;
    const struct constraint *at;
    size_t count;
};

struct sas sas_empty(struct ring *ring);
struct sas sas_add(struct arena *arena, struct sas sas, struct constraint c);
struct sas sas_join(struct arena *arena, struct sas a, struct sas b);
int sas_holds(struct sas sas, const int64_t *point);
/* Does the variable stand in a constraint? */
bool sas_uses(struct sas sas, int variable);
/* The constraint, and the system, with its variables renamed (poly_rename). */
struct constraint constraint_rename(struct ring *to, struct constraint c, const int *at);
struct sas sas_rename(struct arena *arena, struct ring *to, struct sas sas, const int *at);

#endif
