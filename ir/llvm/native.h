#ifndef IR_LLVM_NATIVE_H
#define IR_LLVM_NATIVE_H
#include "ir/llvm/lower.h"

/* A kernel as code of the host. */
struct native {
    void (*entry)(struct lane *lane, const uint64_t *slots);
    size_t stack;     /* bytes a thread needs, generously */
    bool barriers;    /* some statement is a barrier */
};

/* Compiled with the parameters bound that size private arrays, cached in the context; NULL after a
   diagnostic. `params`: one value per parameter of the kernel. */
const struct native *native_of(struct ctx *ctx, const struct kernel *kernel,
                               const union value *params);

#endif
