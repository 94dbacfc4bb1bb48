/* A schedule run cycle by cycle, which shares nothing with the search.

   In: a graph, a schedule, a number of rounds. Out: whether every operation ran once in each round,
   whether each found what it waits for, whether no cycle used more of a resource than there is, and
   the cycles until the last result (spec P-15). Results of rounds before the first one
   are there from the beginning. */
#include "optimizer/pipeline/modulo.h"

struct modulo_run {
    const struct modulo_graph *graph;
    const struct modulo_schedule *schedule;
    int64_t rounds, cycles;
    int64_t *issued;                  /* by round and operation: the cycle; -1: not yet */
    bool is_good;
};

/* The cycle at which the last result arrives that a round's operation waits for. */
static int64_t ready_at(const struct modulo_run *run, int64_t round, int operation)
{
    const struct modulo_graph *graph = run->graph;
    int64_t ready = 0;
    for (size_t i = 0; i < graph->n_arcs; i++) {
        const struct modulo_arc *arc = &graph->arcs[i];
        int64_t before = round - arc->distance[graph->n_loops - 1];
        if (arc->to != operation || modulo_order(graph, arc) != MODULO_INNER || before < 0 ||
            before >= run->rounds)
            continue;
        int64_t issued = run->issued[before * graph->n_operations + arc->from];
        int64_t there = issued < 0 ? INT64_MAX : issued + arc->latency;
        ready = there > ready ? there : ready;
    }
    return ready;
}

/* Issues the operation in the cycle if the schedule has a round for it there. */
static void operation_run(struct modulo_run *run, int64_t cycle, int operation, int *used)
{
    const struct modulo_graph *graph = run->graph;
    int64_t since = cycle - run->schedule->times[operation], ii = run->schedule->ii;
    if (since < 0 || since % ii || since / ii >= run->rounds)
        return;
    int64_t *issued = &run->issued[since / ii * graph->n_operations + operation];
    int64_t result = cycle + graph->operations[operation].latency;
    run->is_good &= *issued < 0;
    *issued = cycle;
    run->cycles = result > run->cycles ? result : run->cycles;
    for (int r = 0; r < graph->n_resources; r++) {
        used[r] += graph->operations[operation].uses[r];
        run->is_good &= used[r] <= graph->capacity[r];
    }
}

bool modulo_replay(struct arena *arena, const struct modulo_graph *graph,
                   const struct modulo_schedule *schedule, int64_t rounds, int64_t *cycles)
{
    int64_t n = rounds * graph->n_operations, last = schedule->ii * rounds + schedule->span;
    struct modulo_run run = {graph, schedule, rounds, 0, ARENA_ARRAY(arena, int64_t, n), true};
    for (int64_t i = 0; i < n; i++)
        run.issued[i] = -1;
    for (int64_t cycle = 0; cycle < last; cycle++) {
        int used[MODULO_RESOURCES] = {0};
        for (int o = 0; o < graph->n_operations; o++)
            operation_run(&run, cycle, o, used);
    }
    for (int64_t round = 0; round < rounds; round++)
        for (int o = 0; o < graph->n_operations; o++) {
            int64_t issued = run.issued[round * graph->n_operations + o];
            run.is_good &= issued >= 0 && issued >= ready_at(&run, round, o);
        }
    *cycles = run.cycles;
    return run.is_good;
}
