#ifndef METAFORK_EXPORTED_H
#define METAFORK_EXPORTED_H
#include "metafork/region.h"

/* The functions of a file that others may call, with and without regions, for callers in other
   languages (emit/interface.c). */
struct exported {
    struct function function;        /* its prototype without what regions and host code do */
    bool has_result, has_number;     /* it returns something; a number of type `result` */
    enum type result;
    const bool *is_set;              /* by argument: the function may give it another value */
    bool is_unprototyped;            /* defined without a prototype: a float is passed as a double,
                                        and small integers as int */
    bool chooses_loops;              /* a condition decides whether a loop of it is reached */
};

/* The functions that the source itself defines and exports, without main, in the order of the file.
   False after a diagnostic. */
bool program_exported(struct ctx *ctx, const struct source *source,
                      const struct program_options *options, size_t *count,
                      const struct exported **list);

#endif
