#ifndef OPTIMIZER_PIPELINE_CIRCUITS_H
#define OPTIMIZER_PIPELINE_CIRCUITS_H
#include "optimizer/pipeline/recurrences.h"

/* Appends what bounds the interval of a nest as written: its circuits as quotients of latencies and
   rounds, the longest on this machine first, where each is the longest, and how many copies and
   warps together hide it. Circuits that are the longest on no machine are left out. */
void circuits_print(struct arena *arena, struct str *out, const struct recurrence *nest,
                    const struct latencies *latencies);

#endif
