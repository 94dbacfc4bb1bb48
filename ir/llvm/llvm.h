#ifndef IR_LLVM_H
#define IR_LLVM_H
#include "base/lines.h"
#include "ir/interpret.h"
#include "ir/kernel.h"
#include "ir/ptx/ptx.h"

/* Kernels to LLVM IR, PTX text, and native code for the CPU.

   Arguments of a PTX entry: kernel->params in their order, then the global arrays of kernel->arrays
   in theirs (64-bit pointers). A parameter bound by `bindings` is a constant inside but stays in
   the argument list, so that one launch routine serves every specialisation; what is passed for it
   is not read. Dynamic shared memory is one buffer, aligned to 16 bytes; a launch gives its size.
   Distinct array parameters do not overlap.

   Floating point is that of C without contraction: no fast-math, a product and a sum are fused only
   where `contract` asks for it (CUDA C's default), on the CPU where ctx->contract does, so that
   results can be compared with `cc -ffp-contract=off`. */

/* Values bound at compile time: name and value; parameters not named stay kernel arguments. */
struct binding {
    const char *name;
    int64_t value;
};

struct ptx_options {
    int target;                       /* 70, 75, 80, 86, 89, 90; with `estimate` also 0: the most
                                         over all */
    size_t n_bindings;
    const struct binding *bindings;
    int registers;                    /* .maxnreg; 0 = none */
    bool is_launched;                 /* the launch gives a limit: the text has not the one of the
                                         kernel's level */
    const char *libdevice;            /* path of libdevice bitcode, NULL = search the toolkit, "" =
                                         there is none */
    bool contract;                    /* let a*b + c become one fused operation */
    int unroll;                       /* loops whose trip count the bindings make constant get at
                                         most so many copies of their body; 0 = none */
    const struct source *told;        /* the user's own source whose lines llvm_ptx_lines tells;
                                         else NULL */
    bool estimate;                    /* the text serves the estimate only: without a toolkit calls
                                         of libdevice stay calls, and one known target stands
                                         for all */
};

/* PTX of one kernel (entry = kernel->name); cached in the context by structural hash. NULL after a
   diagnostic (a function without libdevice names the function and the remedy). Private arrays must
   have constant extents after binding. kernel->pressure chooses the pipelines that are tried; the
   one with the least register estimate is kept. */
const char *llvm_ptx(struct ctx *ctx, const struct kernel *kernel,
                     const struct ptx_options *options);
/* The same text with this entry, and where each of its lines comes from; of texts without a limit
   of registers (`is_launched`, no `registers`). The kernel is compiled once more for it. */
const char *llvm_ptx_lines(struct ctx *ctx, const struct kernel *kernel, const char *entry,
                           const struct ptx_options *options, struct line_origins *lines);
/* The register estimate of that PTX (an upper bound, ir/ptx/ptx.h), cached with it; -1 after a
   diagnostic. */
int llvm_registers(struct ctx *ctx, const struct kernel *kernel, const struct ptx_options *options);
/* Several kernels in one PTX module: names[i] is the entry of kernels[i] (NULL = its own name)
   under options[i], `count` entries each; the targets must agree. */
const char *llvm_ptx_module(struct ctx *ctx, const struct kernel *const *kernels,
                            const char *const *names, const struct ptx_options *options,
                            size_t count);
/* Textual LLVM IR after passes (`-d llvm`). */
const char *llvm_text(struct ctx *ctx, const struct kernel *kernel,
                      const struct ptx_options *options);

/* CPU seconds this compilation has spent in LLVM so far. */
double llvm_seconds(const struct ctx *ctx);

/* Runs the kernel on the CPU: the same IR, one fiber per thread of a block, order of threads
   permuted by input->seed. `blocks` 0 = the whole grid at once, launched as a plane of blocks and
   threads; else so many blocks in a line. With input->part its blocks alone run
   (`blocks` is 0), and may touch everything. False after a diagnostic: an index out of bounds, a
   division by zero, a barrier that not all threads of a block reach. */
bool llvm_run(struct ctx *ctx, const struct kernel *kernel, const struct interpret_input *input,
              int64_t blocks);
/* Compiles what llvm_run needs for these parameters, and keeps it; what fails is reported there. */
void llvm_prepare(struct ctx *ctx, const struct kernel *kernel, const union value *params);

#endif
