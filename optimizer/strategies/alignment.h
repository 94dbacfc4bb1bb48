#ifndef OPTIMIZER_STRATEGIES_ALIGNMENT_H
#define OPTIMIZER_STRATEGIES_ALIGNMENT_H
#include "optimizer/strategies/rewrite.h"

/* Divisibility of polynomials over a kernel's names, as conditions on its parameters. */

struct alignment {
    struct arena *arena;
    const struct kernel *kernel;
    struct ring *ring;                       /* of all names that occur */
    struct map *values;                      /* name of a scalar that is defined once ->
                                                its statement */
    struct map *fixed;                       /* the same: its polynomial */
    int n_facts;                             /* the kernel's `divisible`, over this ring */
    struct divisible *facts;
};
struct alignment alignment_new(struct arena *arena, const struct kernel *kernel);
/* From now on polynomials may use that the kernel is launched only where its facts hold: exact
   quotients count, and a parameter that is divisible is written as a multiple of a number. */
void alignment_assume(struct alignment *alignment);
/* The polynomial of an integer expression, scalars replaced by what they are defined as; NULL if it
   is none. Scalars that are assigned, or that are no polynomials, stand for themselves. */
const struct poly *alignment_poly(struct alignment *alignment, const struct expr *e);
/* Number of an element in row-major order, in elements from the start of the array; NULL if it is
   no polynomial. */
const struct poly *alignment_flat(struct alignment *alignment, const struct array *array,
                                  const struct expr *const *indices);
/* flat = rest + var with a rest that does not use var: the rest; NULL otherwise. */
const struct poly *alignment_unit(struct alignment *alignment, const struct poly *flat,
                                  const struct var *var);

/* Does it hold vector copies with a private array on one side, as loops have (or with none, as
   tiles have)? */
bool alignment_has_vectors(const struct kernel *kernel, bool private);

/* Sums that shall be divisible by `modulus`, a power of two, for all values of everything but
   the parameters. */
struct divisibility {
    struct alignment *alignment;
    int64_t modulus;
    VEC(const struct poly *) sums;           /* over the parameters */
    bool impossible;                         /* one of them never is */
};
struct divisibility divisions_copy(const struct divisibility *divisions);
/* Every coefficient of p, seen as a polynomial in what is no parameter, shall be divisible. */
void divisions_add(struct divisibility *divisions, const struct poly *p);
/* The offset at which an array of shared memory begins, in elements of it. False if that is no
   polynomial. */
bool divisions_add_offset(struct divisibility *divisions, const struct array *array);
/* Leaves out what follows from the rest. False if the conditions exclude each other. */
bool divisions_reduce(struct divisibility *divisions);
/* Does p's divisibility follow from a reduced list? */
bool divisions_imply(const struct divisibility *divisions, const struct poly *p);
/* The condition as an expression over the parameters; NULL if it always holds. */
const struct expr *divisions_condition(const struct divisibility *divisions);

#endif
