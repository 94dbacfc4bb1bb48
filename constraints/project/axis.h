#ifndef CONSTRAINTS_PROJECT_AXIS_H
#define CONSTRAINTS_PROJECT_AXIS_H
#include "base/vec.h"
#include "constraints/project.h"
#include "constraints/ring.h"
#include "constraints/front/univariate.h"

/* A formula without quantifiers on a line: its atoms' polynomials in one variable, the line cut at
   their roots. */
struct axis {
    struct arena *arena;
    int variable;
    const struct formula *f;
    VEC(const struct formula *) atoms;
    fmpz_poly_struct *polynomials;     /* by atom, then the curves */
    size_t count;
    struct line *line;
};

/* Along `variable`; the other variable of the formula (-1: there is none) is put to a rational
   value. `curves`: more polynomials to cut at, primitive; none of them vanishes on the line. */
struct axis *axis_new(struct arena *arena, const struct formula *f, int variable, int other,
                      const fmpq *value);
void axis_cut(struct axis *axis, const fmpz_mpoly_struct *const *curves, size_t count, int other,
              const fmpq *value);
/* Truth on a cell of the line (line_sign). */
bool axis_holds(const struct axis *axis, size_t cell);
/* A polynomial of the ring on the line. */
void axis_take(struct ring *ring, fmpz_poly_t p, const fmpz_mpoly_t from, int variable, int other,
               const fmpq *value);

/* interval.c */
/* The line's root number i; infinite if there is none such. */
struct endpoint endpoint_of(struct arena *arena, const struct line *line, size_t i, bool infinite,
                            bool open);

#endif
