#ifndef CONSTRAINTS_SIMPLEX_H
#define CONSTRAINTS_SIMPLEX_H
/* Exact feasibility of linear inequalities, strict ones included. Columns are variables, rows are
   linear forms in them; either may have bounds, each with a number that a refutation names. */
#include "constraints/flint.h"
#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct simplex;

/* `columns` variables without bounds, room for `rows` forms. Everything is freed with the arena. */
struct simplex *simplex_new(struct arena *arena, size_t columns, size_t rows);
/* The next row: the sum of coefficients[j] * variable j (columns entries). Returns its item number,
   usable below; variable j is item j. Rows may still be added after simplex_solve has answered 1.
 */
size_t simplex_row(struct simplex *simplex, const fmpz *coefficients);
/* item >= value or > value (upper: <=, <); later bounds on the same side replace earlier ones. */
void simplex_bound(struct simplex *simplex, size_t item, bool upper, const fmpq_t value,
                   bool strict, size_t number);
/* 1 feasible, 0 not, -1 if that needs more than `*work`, in changes of table entries by their
   length; *work: what is left. */
int simplex_solve(struct simplex *simplex, uint64_t *work);
/* After 0: the numbers of bounds that exclude each other. */
const size_t *simplex_conflict(const struct simplex *simplex, size_t *count);
/* One per number of the conflict (Farkas): positive for a lower bound, negative for an upper one;
   the items, times these, sum to the zero form, and the bounds' values, times these, to more than
   zero, or to zero if one is strict. */
const fmpq *simplex_multipliers(const struct simplex *simplex);
/* After 1: variable j at a point that satisfies every bound, strict ones strictly. Call
   simplex_settle first. */
void simplex_settle(struct simplex *simplex);
const fmpq *simplex_value(const struct simplex *simplex, size_t column);

#endif
