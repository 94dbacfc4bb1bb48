#ifndef CONSTRAINTS_SOLVE_H
#define CONSTRAINTS_SOLVE_H
#include "constraints/sas.h"

/* The exact solver for conjunctions of polynomial constraints over the reals, incremental by push and pop. */

enum verdict { SAS_EMPTY, SAS_NONEMPTY, SAS_UNKNOWN };

/* A rational point: one numerator and denominator (> 0) per variable of the ring. */
struct witness {
    size_t count;
    const int64_t *numerator, *denominator;
};

struct solver_options {
    uint64_t steps;   /* deterministic budget per question; 0 = default */
};

struct solver;
struct solver *solver_new(struct arena *arena, struct ring *ring, const struct solver_options *options);
void solver_push(struct solver *solver);
void solver_pop(struct solver *solver);
/* Constraints are numbered from 0 in the order of assertion; pop takes numbers back. */
size_t solver_assert(struct solver *solver, struct constraint c);
void solver_assert_all(struct solver *solver, struct sas sas);
/* Are the asserted constraints satisfiable over the reals? */
enum verdict solver_check(struct solver *solver);
/* After SAS_NONEMPTY: a point that satisfies every constraint (verified exactly before it is returned). */
const struct witness *solver_witness(struct solver *solver);
/* After SAS_EMPTY, before anything is asserted or taken back: the numbers of an irreducible infeasible subset. */
const size_t *solver_core(struct solver *solver, size_t *count);
/* After SAS_UNKNOWN: why. */
const char *solver_reason(struct solver *solver);

/* Questions on whole systems, each with a scratch arena of its own. */
enum verdict sas_check(struct sas sas);
/* 1: every real solution of `sas` satisfies c; 0: some does not; -1: undecided. */
int sas_implies(struct sas sas, struct constraint c);
/* An equivalent subset without constraints that the others (together with `context`) imply; deterministic, order kept;
   of equivalent ones the earlier stays. Undecided ones stay. */
struct sas sas_minimal(struct arena *arena, struct sas sas, struct sas context);
/* An integer point by bounded search (each variable in [lo, hi] of the box, NULL = default box 0..2^20), at most
   `steps` nodes. 1 found (point: one entry per ring variable), 0 proved absent in the box, -1 undecided. */
int sas_integer_point(struct sas sas, const int64_t *lo, const int64_t *hi, uint64_t steps, int64_t *point);

#endif
