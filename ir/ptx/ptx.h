#ifndef IR_PTX_H
#define IR_PTX_H
#include "base/ctx.h"

/* What PTX text says about registers. */

/* 32-bit registers that are live at once at most: estimate (upper-bound schedule) for the entry. -1 if not parseable. */
int ptx_registers(struct ctx *ctx, const char *ptx, const char *entry);
/* max(24, ceil8(registers)) and at most `limit`. */
int ptx_budget(int registers, int limit);

struct ptx_measure {
    int registers, spill_bytes, stack_bytes, shared_bytes;
};
/* Assembles with nvJitLink (dlopen) or ptxas where present. 1 done, 0 no toolkit, -1 failed (log in *message). */
int ptx_measure(struct ctx *ctx, const char *ptx, const char *entry, int target, struct ptx_measure *measure, const char **message);

#endif
