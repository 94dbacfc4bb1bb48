#ifndef OPTIMIZER_PIPELINE_RECURRENCES_H
#define OPTIMIZER_PIPELINE_RECURRENCES_H
#include "ir/kernel.h"
#include "optimizer/pipeline/latency.h"
#include "optimizer/pipeline/modulo.h"

/* The serial loops of a kernel's threads as nests of operations and arcs. An operation is an
   assignment of the innermost loop's body, or a condition in it. */

struct recurrence {
    int n_loops;
    const struct stmt *loops[MODULO_LOOPS];   /* around the body, the outermost of the band first */
    int perfect;                      /* so many of them, from inside, have nothing in their bodies
                                         but the next one */
    int n_statements;
    const struct stmt *const *statements;     /* by operation */
    struct modulo_graph graph;
    const struct access_distance *pairs;      /* of references, as the arcs have them */
    size_t n_pairs;
    const struct delay *delays;       /* the latency of each arc of the graph */
    const char *open;                 /* why a distance is not known, or NULL: then nothing of the
                                         graph counts */
    const char *bound;                /* why no loop but the innermost may be unrolled, or NULL */
};

/* The nests of all innermost loops in the kernel's bands, in the order of the text, in ctx->arena:
   their loops and operations. The graph has no arcs yet, and what they say is not known. */
size_t recurrences_find(struct ctx *ctx, const struct kernel *kernel, struct recurrence **list);
/* Adds the arcs, which asks for the distance of each pair of references. One operation is issued in
   a cycle. */
void recurrence_connect(struct ctx *ctx, const struct kernel *kernel,
                        const struct latencies *latencies, struct recurrence *nest);

#endif
