#ifndef CONSTRAINTS_UNIVARIATE_H
#define CONSTRAINTS_UNIVARIATE_H
/* The real line cut at the real roots of polynomials in one variable: exact isolation over the
   rationals. */
#include "constraints/flint.h"
#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>

/* A real root: exactly `lo` if seen to be rational, else the only root of the line's polynomial in
   the open interval (lo, hi), whose ends are no roots. */
struct root {
    bool rational;
    fmpq lo, hi;
};

/* The sign of p at a rational point. */
int univariate_sign(const fmpz_poly_struct *p, const fmpq *at);

struct line {
    struct arena *arena;
    fmpz_poly_t product;   /* squarefree, all roots */
    struct root *roots;    /* ascending */
    size_t count;
};

/* The line cut at the roots of `count` polynomials, none of them zero; freed with the arena. */
struct line *line_new(struct arena *arena, const fmpz_poly_struct *polynomials, size_t count);
/* The line has 2 * count + 1 cells: even ones are open intervals, odd ones (2 i + 1) the roots. The
   sign of p, one of the line's polynomials, on a cell. */
int line_sign(const struct line *line, const fmpz_poly_struct *p, size_t cell);
/* A rational point of the cell; false for a root not seen to be rational. */
bool line_sample(const struct line *line, size_t cell, fmpq_t value);

#endif
