#ifndef OPTIMIZER_ESTIMATES_H
#define OPTIMIZER_ESTIMATES_H
#include "ir/kernel.h"

/* Register estimates by kernel text, kept in a file: recorded in one run and replayed in another,
   so that trees can be compared whatever happens to the estimates themselves. */

struct estimate {
    const char *bound;                   /* polynomial in the kernel's tunables, as poly_print
                                            writes it */
    size_t samples;                      /* those it was fitted above */
    int64_t residual;                    /* it exceeds each of them by so much at most */
};

/* What is compiled for an estimate besides the kernel. */
struct estimate_form {
    int target;                          /* of PTX; 0: the most over all */
    bool contract;                       /* products and sums are fused */
};

struct estimates;
struct estimates *estimates_new(struct arena *arena);
/* What a file has recorded. NULL after a diagnostic that names the line. */
struct estimates *estimates_read(struct ctx *ctx, const char *path);
/* The file, by rename. False after a diagnostic. */
bool estimates_write(struct ctx *ctx, const struct estimates *estimates, const char *path);
/* The estimate of a kernel in a form; NULL if none is recorded. */
const struct estimate *estimates_find(const struct estimates *estimates,
                                      const struct kernel *kernel, struct estimate_form form);
void estimates_add(struct estimates *estimates, const struct kernel *kernel,
                   struct estimate_form form, struct estimate estimate);

#endif
