#ifndef OPTIMIZER_PIPELINE_MODULO_H
#define OPTIMIZER_PIPELINE_MODULO_H
#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Periodic schedules of the innermost loop of a nest (spec P-01, P-02, P-11). Every `ii` cycles,
   the initiation interval, a round begins; operation o of round r is issued at times[o] + ii *
   r. */

enum { MODULO_LOOPS = 4, MODULO_RESOURCES = 4, MODULO_OPERATIONS = 64 };

struct modulo_operation {
    int64_t latency;                  /* cycles from the issue to the result */
    int uses[MODULO_RESOURCES];       /* of each resource, in the cycle of its issue */
};

/* `to` of a round waits `latency` cycles for `from` of the round that lies `distance` before it.
   Distances are vectors over the loops of the nest, the innermost last. */
struct modulo_arc {
    int from, to;
    int64_t latency, distance[MODULO_LOOPS];
};

struct modulo_graph {
    int n_loops, n_operations, n_resources;
    const struct modulo_operation *operations;
    size_t n_arcs;
    const struct modulo_arc *arcs;
    int capacity[MODULO_RESOURCES];   /* uses in one cycle */
};

/* Where the components of a distance but the innermost are positive, the arc imposes nothing on a
   loop that runs its rounds in order; where they are negative, no schedule keeps the arc. */
enum modulo_order { MODULO_BACKWARD = -1, MODULO_INNER = 0, MODULO_FORWARD = 1 };
enum modulo_order modulo_order(const struct modulo_graph *graph, const struct modulo_arc *arc);

/* The least interval that the resources admit. */
int64_t modulo_resource_bound(const struct modulo_graph *graph);
/* The least interval at which no circuit waits for itself, 0 if there is no circuit; -1 if no
   interval will do. */
int64_t modulo_recurrence_bound(struct arena *arena, const struct modulo_graph *graph);

struct modulo_schedule {
    int64_t ii, span;                 /* span: the last issue of a round */
    int64_t stages;                   /* rounds under way at once */
    const int64_t *times;             /* by operation, the first 0 */
    bool is_least;                    /* no smaller interval has a schedule */
};

/* A schedule of the least interval, among these one of the least span (of equal ones that with the
   earliest first operations): branch and bound over the rows of operations, longest paths for
   the stages. False if there is none. */
bool modulo_schedule(struct arena *arena, const struct modulo_graph *graph,
                     struct modulo_schedule *schedule);
/* Runs `rounds` rounds cycle by cycle: true if each operation ran once a round, none before what it
   waits for, and no cycle used more of a resource than there is. *cycles: until the last result. */
bool modulo_replay(struct arena *arena, const struct modulo_graph *graph,
                   const struct modulo_schedule *schedule, int64_t rounds, int64_t *cycles);

#endif
