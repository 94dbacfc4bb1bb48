#ifndef CLI_TEXTS_H
#define CLI_TEXTS_H
#include "base/str.h"
#include "cli/cli.h"

/* The kernels of a program as texts; of PTX the empty one where there is none. */
struct kernel_texts {
    struct str cuda, opencl, ptx;
};

/* PTX for `target` (70: sm_70, the lowest that is embedded by itself). PTX may be impossible (a
   function without libdevice); a note says so then, and the other texts are made all the same. */
enum { TARGET_LOWEST = 70 };
struct kernel_texts kernel_texts_make(struct ctx *ctx, const struct program *program,
                                      const struct tree *const *trees, int target);

#endif
