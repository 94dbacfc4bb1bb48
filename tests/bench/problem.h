#ifndef TESTS_BENCH_PROBLEM_H
#define TESTS_BENCH_PROBLEM_H
#include "base/ctx.h"
#include "constraints/solve.h"

/* What the measurements share. A problem is one SMT-LIB file that holds a conjunction: declare-fun
   and assert of relations between polynomials, nothing else (no let, no Boolean structure). */

struct problem {
    const char *name;   /* file name without folder and ending */
    const char *text;   /* of the file */
    struct sas sas;     /* an entry per assert */
};

/* Every .smt2 file of a folder whose conjunction can be read, by name, over one ring; *skipped of
   them could not. NULL after a diagnostic if there is no such folder. */
struct problem *problems_read(struct ctx *ctx, struct ring *ring, const char *folder, size_t *count,
                              size_t *skipped);

/* CPU seconds of the calling thread. */
double cpu_now(void);
/* The q-quantile (0 to 1) of `count` > 0 values, which it sorts. */
double quantile(double *values, size_t count, double q);
double sum_of(const double *values, size_t count);

#endif
