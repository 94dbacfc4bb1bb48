#ifndef CLI_TEXTS_H
#define CLI_TEXTS_H
#include "base/lines.h"
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

/* The same texts, of PTX only what the page shows (emit_ptx_lines), and where their lines come
   from. */
struct told_texts {
    struct kernel_texts texts;
    struct line_origins cuda, opencl, ptx;
};
/* Without `has_ptx` no PTX is made: kernel_texts_make has reported that it cannot be. */
struct told_texts told_texts_make(struct ctx *ctx, const struct program *program,
                                  const struct tree *const *trees, int target, bool has_ptx);

#endif
