#ifndef OPTIMIZER_PIPELINE_CYCLES_H
#define OPTIMIZER_PIPELINE_CYCLES_H
#include "ir/kernel.h"
#include "optimizer/pipeline/latency.h"

/* Appends what `-d cycles` says of a region: of each nest of serial loops of its threads the
   operations, the distances of their dependences, and for each way of unrolling the bounds, the
   least interval, cycles per iteration, stages and shifts (docs/recurrences.md). With real
   latencies it also says the circuits as forms in them, and how many copies or warps hide the
   longest. */
void cycles_print(struct ctx *ctx, struct str *out, const struct kernel *kernel,
                  const struct latencies *latencies);

#endif
