#ifndef OPTIMIZER_COUNTERS_TOTAL_H
#define OPTIMIZER_COUNTERS_TOTAL_H
#include "optimizer/counters/reach.h"

/* What the counters of memory accesses share: pieces by cases, conditions as constraints, sums
   over accesses. */

/* A sum over accesses. Of two branches that exclude each other the larger counts, where that
   is known. */
struct branch_sum {
    const struct expr *branch;
    struct ratio taken, other;          /* numerator NULL = nothing yet */
};
struct total {
    struct scope *scope;
    struct ratio always;
    VEC(struct branch_sum) branches;
    enum exactness exactness;           /* EXACT, UPPER or ESTIMATE */
    bool is_guarded;                    /* not all threads make all accesses so often: shares of the
                                           sum are estimates */
};
struct total total_new(struct scope *scope);
/* Adds weight * lines for an access; `exact`: so many, wherever it is made. */
void total_add(struct total *total, const struct list_access *access, struct ratio lines,
               bool exact);
struct ratio total_sum(struct total *total);

/* A condition as a polynomial that is never negative and zero where it holds. */
/* p (>= 0) is a multiple of q (>= 1). */
const struct poly *rest_of(struct scope *scope, const struct poly *p, const struct poly *q);
/* Every row of the access begins at its phase; or, where `row` elements (NULL numerator: unknown)
   follow each other in a row that begins with a line, rows divide a line and begin at multiples of
   their own length: then each lies within one. */
const struct poly *reach_misalignment(struct scope *scope, const struct reach *reach,
                                      const struct poly *line, struct ratio row);

/* Pieces of a value, by cases. */
struct pieces {
    VEC(struct counter_piece) list;
};
void piece_add(struct scope *scope, struct pieces *pieces, struct sas guard, struct ratio value,
               enum exactness exactness);

/* Bytes up to which literal steps are small, for each case of the line's length; guards[i]
   says when. */
enum { THRESHOLDS_MAX = 4 };
struct thresholds {
    int count;
    int64_t at[THRESHOLDS_MAX];
    struct sas guards[THRESHOLDS_MAX];
};
struct thresholds thresholds_of(struct scope *scope, const struct list_access *list, size_t count,
                                const struct poly *line);

/* 4 * C_L, bytes. */
const struct poly *scope_line(struct scope *scope);
/* transactions.c: the share of the lines that is used, in percent, as it is reported. */
struct counter_value coalescing_reported(struct store *store, const struct kernel *kernel);
/* The times that a thread makes the access at one grid point; a guess where they are unknown. */
const struct poly *access_rounds(struct scope *scope, const struct list_access *access);
bool access_is_global(const struct list_access *access);

#endif
