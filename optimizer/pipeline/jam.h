#ifndef OPTIMIZER_PIPELINE_JAM_H
#define OPTIMIZER_PIPELINE_JAM_H
#include "optimizer/pipeline/modulo.h"

/* Unroll-and-jam: the loops around the innermost one unrolled, and all copies of its body run in
   one innermost loop (spec P-07 to P-10). Copies are numbered row-major by their place in the
   cell of the unrolled loops; operation o of copy c is operation c * n_operations + o. */

enum { JAM_COPIES = 16 };

struct jam {
    const struct modulo_graph *nest;  /* of the loops as they stand */
    int64_t unroll[MODULO_LOOPS];     /* by loop, 1 for the innermost */
    int copies;
    /* By copy: the copy runs in round q + shift of the loops as unrolled, component by component.
       The last component, of the innermost loop, is not for the graph: there the stages
       say it. */
    int64_t shifts[JAM_COPIES][MODULO_LOOPS];
};

/* Without shifts. False if the copies or operations are too many. */
bool jam_make(struct jam *jam, const struct modulo_graph *nest, const int64_t *unroll);
/* Can the loops be unrolled and jammed with the rounds of the innermost one in their order and the
   copies in theirs (P-08)? */
bool jam_is_plain(const struct jam *jam);
/* The arcs between the operations of all copies, outer shifts among the distances. */
struct modulo_graph jam_graph(struct arena *arena, const struct jam *jam);
/* Sets the shifts of the innermost loop to the least ones at which no copy waits for another one in
   the same round; false if there are none, or an arc runs backward in an outer loop. */
bool jam_shift_inner(struct arena *arena, struct jam *jam);
/* Shifts of outer loops: of each but the first there are three choices: none, the least shifts at
   which no arc runs backward, the least at which each runs forward. Choice 0 has no shifts. */
int jam_choices(const struct jam *jam);
/* Sets the shifts of a choice, and the schedule that the jammed nest then has; false if there is no
   schedule. */
bool jam_choose(struct arena *arena, struct jam *jam, int choice,
                struct modulo_schedule *schedule);
/* Takes the best choice: the least interval, then the fewest stages, then the smallest sum of
   shifts. False if no choice has a schedule. */
bool jam_schedule(struct arena *arena, struct jam *jam, struct modulo_schedule *schedule);
/* Runs the jammed nest over `rounds` rounds of each loop as unrolled, times from the schedule:
   true if every iteration of the nest's box runs once, each after all that it depends on. */
bool jam_replay(struct arena *arena, const struct jam *jam, const struct modulo_schedule *schedule,
                int64_t rounds);

#endif
