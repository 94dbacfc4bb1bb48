#ifndef IR_ACCESS_DELTA_H
#define IR_ACCESS_DELTA_H
#include "ir/access/analysis.h"

/* Can two references touch one element, in two executions that are related in a given way? */

enum relation_of { SAME, ANY, DIFFERENT };

/* How the two executions' iterators are related. DIFFERENT: the question is whether one of these
   can differ; if no iterator is DIFFERENT, whether the references can meet at all. */
struct meeting_question {
    enum relation_of grid, outer, thread, serial;
    size_t n_loops;                       /* serial loops that are DIFFERENT, whatever
                                             `serial` says */
    const struct stmt *const *loops;
};
/* How the two values of an iterator are related; ANY for fresh ones, of which nothing is said. */
enum relation_of iterator_relation(const struct analysis *analysis,
                                   const struct meeting_question *question, int iterator);

enum { UNKNOWNS_MAX = 48, ROWS_OF_SYSTEM = 16, BOUNDS_MAX = 12, OPEN_MAX = 16 };

/* A difference of two iterators, or one iterator of one side. */
struct unknown {
    int a, b;                             /* iterators; -1: not of that side */
    const struct poly *lo, *hi;           /* NULL: not bounded */
    bool required, zero;
};

/* sum of coefficient * unknown = constant; bounds: lo <= sum <= hi. NULL coefficients are 0. */
struct delta_row {
    const struct poly *coefficients[UNKNOWNS_MAX];
    const struct poly *constant, *lo, *hi;
    bool zero;                            /* bounds: the sum is known to be 0 */
};

struct delta {
    struct analysis *analysis;
    const struct context *context;
    const struct access *a, *b;
    bool same_box;                        /* equal thread iterators are the same thread */
    int n_unknowns, n_rows, n_bounds;
    struct unknown unknowns[UNKNOWNS_MAX];
    struct delta_row rows[ROWS_OF_SYSTEM], bounds[BOUNDS_MAX];
    size_t n_open;
    const struct poly *open[OPEN_MAX][2];        /* what would force a DIFFERENT unknown to 0: both
                                                    >= 1 */
};

/* Builds the system (delta_build.c); false if it does not fit. */
bool delta_build(struct delta *delta, const struct meeting_question *question);
/* True if the references certainly do not meet. */
bool delta_refute(struct delta *delta);
/* Splits a row whose terms vanish in two parts into these; false if there is none. */
bool delta_split(struct delta *delta);

/* The context of everything that holds whenever both references are made. */
const struct context *pair_context(struct analysis *analysis, const struct access *a,
                                   const struct access *b);
/* May both be made in one launch (and, if `same_step`, at one step of one block)? */
bool pair_compatible(struct analysis *analysis, const struct access *a, const struct access *b,
                     bool same_step);

/* Do equal points of the two bands mean the same thread? */
bool bands_share_threads(const struct stmt *a, const struct stmt *b);

enum meeting { MEETING_NO, MEETING_NO_UNDER, MEETING_OPEN };

struct meeting_result {
    enum meeting meeting;
    struct sas condition;                 /* MEETING_NO_UNDER, over the kernel's ring */
    const char *missing;                  /* MEETING_OPEN: the fact that was missing */
    const struct poly *lacking;           /* MEETING_OPEN: not known to be >= 1; or NULL */
};
struct meeting_result pair_meets(struct analysis *analysis, const struct access *a,
                                 const struct access *b, const struct meeting_question *question);
/* May the condition hold at all? One that never does is none: the region would always
   run serially. */
bool condition_possible(struct analysis *analysis, const struct context *context,
                        struct sas condition);
/* Do the subscripts and guards as they stand keep the references apart? */
bool pair_refutes(struct analysis *analysis, const struct context *context,
                  const struct access *a, const struct access *b,
                  const struct meeting_question *question);
/* phase.c: do they for each value of the remainders in the subscripts? */
bool phases_refute(struct analysis *analysis, const struct context *context,
                   const struct access *a, const struct access *b,
                   const struct meeting_question *question);
/* What the user could assert so that two references, whose question was open for lack of
   `lacking`, never meet; NULL: nothing simple. */
const char *pair_advice(struct analysis *analysis, const struct access *a, const struct access *b,
                        const struct meeting_question *question, const struct poly *lacking);

/* conflict.c, by integer linear arithmetic: the references certainly do not meet; their conditions
   on parameters certainly exclude each other. */
bool linear_refutes(struct analysis *analysis, const struct context *context,
                    const struct access *a, const struct access *b,
                    const struct meeting_question *question);
bool linear_excludes(struct analysis *analysis, const struct access *a, const struct access *b);

/* cancel.c: guards of the two that contradict each other if the subscripts are equal. */
bool cancel_refutes(struct analysis *analysis, const struct context *context,
                    const struct access *a, const struct access *b);

/* witness.c: two executions on small parameters that touch one element; NULL if none was found. */
const char *witness_find(struct analysis *analysis, const struct access *a, const struct access *b,
                         const struct meeting_question *question);

/* within.c: does a >= 0 hold wherever the reference is made? Do its subscripts lie in the array
   there? False: not proved. */
bool form_holds(struct analysis *analysis, const struct access *access, const struct form *a);
bool access_stays_inside(struct analysis *analysis, const struct access *access);

/* legality.c, on an analysis at hand. */
struct legality analysis_parallel(struct analysis *analysis);
/* Takes the condition of the annotations' own legality for granted: the dispatcher checks it. */
void analysis_assume(struct analysis *analysis);
struct legality analysis_coarse(struct analysis *analysis, const struct stmt *loop);
size_t analysis_coarse_loops(struct analysis *analysis, const struct stmt ***loops);
struct fold analysis_fold(struct analysis *analysis, const struct stmt *loop);
/* Certainly no element in common, over all steps and threads of a block? */
bool analysis_disjoint(struct analysis *analysis, const struct access *a, const struct access *b);

#endif
