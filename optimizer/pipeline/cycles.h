#ifndef OPTIMIZER_PIPELINE_CYCLES_H
#define OPTIMIZER_PIPELINE_CYCLES_H
#include "ir/kernel.h"

/* Appends what `-d cycles` says of a region: of each nest of serial loops of its threads the
   operations, the distances of their dependences, and for each way of unrolling the bounds, the
   least interval, cycles per iteration, stages and shifts (docs/recurrences.md). Operations take
   `latency` cycles. */
void cycles_print(struct ctx *ctx, struct str *out, const struct kernel *kernel, int64_t latency);

#endif
