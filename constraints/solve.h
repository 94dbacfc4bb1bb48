#ifndef CONSTRAINTS_SOLVE_H
#define CONSTRAINTS_SOLVE_H
#include "constraints/formula.h"

/* The exact solver for polynomial constraints over the reals and the integers, incremental by push
   and pop. One context (arena, ring, solver) per thread; nothing is shared between contexts. A
   thread that has used one calls solver_thread_end before it ends. */

enum verdict { SAS_EMPTY, SAS_NONEMPTY, SAS_UNKNOWN };

/* A real algebraic number that is not rational or not one of 64-bit parts: the only root of
   `polynomial` (primitive, irreducible, in the variable x, as poly_print writes it) in [lo, hi],
   rational numbers as text. A rational number has the polynomial den*x - num and lo = hi. */
struct algebraic {
    const char *polynomial, *lo, *hi;
};

/* A point: per variable of the ring a fraction (denominator > 0), or, where `algebraic` has an
   entry, that number. */
struct witness {
    size_t count;
    const int64_t *numerator, *denominator;
    const struct algebraic *const *algebraic;   /* NULL if all coordinates are 64-bit fractions */
};

struct solver_options {
    uint64_t steps;   /* deterministic budget per question; 0 = default */
    bool check; /* every answer goes through the independent checker (always in debug builds, and
                   where the environment variable TREEFORK_CERTIFY is set); a refuted one ends the
                   process */
};

/* What was asked of a solver since it was made. */
struct solver_statistics {
    uint64_t questions, steps;
    uint64_t front, cases, coverings, branches;      /* questions decided by which method */
    uint64_t verified, unchecked;                     /* answers through the checker */
};

struct solver;
struct solver *solver_new(struct arena *arena, struct ring *ring,
                          const struct solver_options *options);
/* From now on the variable ranges over the integers. */
void solver_integer(struct solver *solver, int variable);
void solver_push(struct solver *solver);
void solver_pop(struct solver *solver);
/* Assertions are numbered from 0 in the order they are made; pop takes numbers back. */
size_t solver_assert(struct solver *solver, struct constraint c);
void solver_assert_all(struct solver *solver, struct sas sas);
/* Quantifiers are eliminated first. */
size_t solver_assert_formula(struct solver *solver, const struct formula *f);
/* Are the assertions satisfiable? */
enum verdict solver_check(struct solver *solver);
/* After SAS_NONEMPTY: a point that satisfies every assertion (verified exactly before it is
   returned). */
const struct witness *solver_witness(struct solver *solver);
/* After SAS_EMPTY, before anything is asserted or taken back: the numbers of an irreducible
   infeasible subset. */
const size_t *solver_core(struct solver *solver, size_t *count);
/* After SAS_UNKNOWN: why. */
const char *solver_reason(struct solver *solver);
/* After SAS_EMPTY or SAS_NONEMPTY, before anything is asserted or taken back: a certificate that
   check_certificate verifies (docs/certificates.md); NULL if none was found within the budget. */
const char *solver_certificate(struct solver *solver);
struct solver_statistics solver_statistics(const struct solver *solver);
/* Frees what FLINT keeps for the calling thread. */
void solver_thread_end(void);

/* Questions on whole systems, each with a scratch arena of its own. */
enum verdict sas_check(struct sas sas);
enum verdict formula_check(struct ring *ring, const struct formula *f);
/* 1: every real solution of `sas` satisfies c; 0: some does not; -1: undecided. */
int sas_implies(struct sas sas, struct constraint c);
/* 1: every point of `region` lies in one of the parts; 0: some does not (*gap, if not NULL: such a
   point); -1. */
int sas_covers(struct arena *arena, struct sas region, const struct sas *parts, size_t count,
               const struct witness **gap);
/* 1: no point of `region` lies in two of the parts; 0: some does (first, second: which); -1. */
int sas_disjoint(struct sas region, const struct sas *parts, size_t count, size_t *first,
                 size_t *second);
/* An equivalent subset without constraints that the others (together with `context`) imply;
   deterministic, order kept; of equivalent ones the earlier stays. Undecided ones stay. */
struct sas sas_minimal(struct arena *arena, struct sas sas, struct sas context);
/* sas_minimal after rewriting: under `context`, factors of known sign are divided out, pairs p <=
   0, p >= 0 become an equation, p <= 0 and p != 0 become p < 0, bounds that the others sharpen are
   replaced. `inside`: an integer point of both (one entry per ring variable), or NULL; the answer
   is the same with it, and costs fewer questions. */
struct sas sas_simplify(struct arena *arena, struct sas sas, struct sas context,
                        const int64_t *inside);
/* An integer point by bounded search (each variable in [lo, hi] of the box, NULL = default box
   0..2^20), at most `steps` nodes. 1 found (point: one entry per ring variable), 0 proved absent in
   the box, -1 undecided. */
int sas_integer_point(struct sas sas, const int64_t *lo, const int64_t *hi, uint64_t steps,
                      int64_t *point);

#endif
