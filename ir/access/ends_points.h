#ifndef IR_ACCESS_ENDS_POINTS_H
#define IR_ACCESS_ENDS_POINTS_H
#include "ir/access/analysis.h"
#include "ir/access/ends.h"
#include "ir/names.h"

/* First and last points of the axes that sums lack: stores marked as starts and finishes, and what
   is proved of the conditions that they stand under (ends_points.c). */

/* Axes by number: those of the grid, then (from AXES_MAX on) those of the block. */
enum { NUMBERS = 2 * AXES_MAX };

/* A marked store. */
struct marked {
    const struct access *access;             /* the store's own */
    size_t place;                            /* its number among the kernel's accesses */
    const struct expr **indices, *value;     /* over parameters and axes */
    unsigned missing;                        /* bit i: axis number i */
    const struct axis *elements;             /* of a strided band, if the store starts consecutive
                                                elements; NULL: it stores a single element */
    size_t range;                            /* elements: the step of the path that ends them */
    VEC(const struct expr *) exists;         /* under these the point is there */
};

struct ends_search {
    struct ctx *ctx;
    struct arena *arena;
    const struct kernel *kernel;
    struct analysis *analysis;
    struct ends_fault *fault;
    struct names names;
    VEC(struct marked) list;
};

/* The expression with axes of bands under the kernel's names; NULL of NULL. */
const struct expr *ends_over_axes(struct ends_search *search, const struct expr *e);
/* The axes in an expression: bit i for axis number i. */
unsigned ends_axes(const struct kernel *kernel, const struct expr *e);
/* The same for axes that a sum lacks. */
unsigned ends_missing(struct sum_axes missing);
/* Is it an accumulation in the array? */
bool ends_accumulates(const struct access *access, const struct array *array);
/* Is the expression made of parameters and axes, and of loads only if `loads`? */
bool ends_is_over_axes(const struct ends_search *search, const struct expr *e, bool loads);
/* Finds the axes lacking in the sums whose elements the store sets and reads. False with a
   reason. */
bool marked_belongs(struct ends_search *search, struct marked *marked);
/* A condition of an access as an expression over axes; NULL if there is no such expression. */
const struct expr *ends_condition(struct ends_search *search, const struct condition *condition);
/* Does the start stand at the first point of the missing axes? False with a reason. */
bool start_is_first(struct ends_search *search, struct marked *marked);
/* Does the marked store stand in a loop? */
bool marked_is_in_loop(const struct marked *marked);
/* Reads a start in a loop, as one of consecutive elements of an array that blocks walk over
   (ends_walked.c). False with a reason. */
bool start_is_walk(struct ends_search *search, struct marked *marked);
/* Does the store touch the array? */
bool marked_touches(const struct marked *marked, const struct array *array);
/* Does the finish stand at the last point? False with a reason. */
bool finish_is_last(struct ends_search *search, struct marked *marked);
/* Notes why a store is no start or finish; gives false. */
bool ends_fail(struct ends_search *search, const struct marked *marked, const char *reason);

#endif
