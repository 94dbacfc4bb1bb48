#ifndef IR_LLVM_H
#define IR_LLVM_H
#include "ir/interpret.h"
#include "ir/kernel.h"

/* Kernels to LLVM IR, PTX text, and native code for the CPU. */

/* Values bound at compile time: name and value; parameters not named stay kernel arguments. */
struct binding {
    const char *name;
    int64_t value;
};

struct ptx_options {
    int target;                       /* 70, 75, 80, 86, 89, 90 */
    size_t n_bindings;
    const struct binding *bindings;
    int registers;                    /* .maxnreg; 0 = none */
    const char *libdevice;            /* path of libdevice bitcode, NULL = search the toolkit */
};

/* PTX of one kernel (entry = kernel->name); cached in the context by structural hash. NULL after a diagnostic
   (a function without libdevice names the function and the remedy). Private arrays must have constant extents after binding. */
const char *llvm_ptx(struct ctx *ctx, const struct kernel *kernel, const struct ptx_options *options);
/* Several kernels in one PTX module. */
const char *llvm_ptx_module(struct ctx *ctx, const struct kernel *const *kernels, const char *const *names,
                            const struct ptx_options *options, size_t count);
/* Textual LLVM IR after passes (`-d llvm`). */
const char *llvm_text(struct ctx *ctx, const struct kernel *kernel, const struct ptx_options *options);

/* Runs the kernel on the CPU: the same IR, one fiber per thread of a block, order of threads permuted by input->seed.
   `blocks` 0 = the whole grid at once. False after a diagnostic. */
bool llvm_run(struct ctx *ctx, const struct kernel *kernel, const struct interpret_input *input, int64_t blocks);

#endif
