/* Lower bounds of the initiation interval.

   In: a graph of operations. Out: the least interval that resources admit, the least that circuits
   admit.

   A circuit of latency L and distance D takes D * ii >= L. So an interval is possible where no
   circuit is positive under the weights latency - ii * distance, which Bellman and Ford's method
   decides; since latencies are at least 0 such circuits only vanish as the interval grows, but for
   those of distance 0 or less, which no interval helps. Arcs that outer loops already order count
   for nothing. Source: spec P-01, P-02. */
#include "optimizer/pipeline/modulo.h"

enum modulo_order modulo_order(const struct modulo_graph *graph, const struct modulo_arc *arc)
{
    for (int k = 0; k + 1 < graph->n_loops; k++)
        if (arc->distance[k])
            return arc->distance[k] > 0 ? MODULO_FORWARD : MODULO_BACKWARD;
    return MODULO_INNER;
}

int64_t modulo_resource_bound(const struct modulo_graph *graph)
{
    int64_t bound = 0;
    for (int r = 0; r < graph->n_resources; r++) {
        int64_t uses = 0, least;
        for (int o = 0; o < graph->n_operations; o++)
            uses += graph->operations[o].uses[r];
        least = (uses + graph->capacity[r] - 1) / graph->capacity[r];
        bound = least > bound ? least : bound;
    }
    return bound;
}

/* One step of the longest paths to all operations; true if one grew. */
static bool paths_grow(const struct modulo_graph *graph, int64_t ii, int64_t *reached)
{
    bool grew = false;
    for (size_t i = 0; i < graph->n_arcs; i++) {
        const struct modulo_arc *arc = &graph->arcs[i];
        int64_t at = reached[arc->from] + arc->latency - ii * arc->distance[graph->n_loops - 1];
        if (modulo_order(graph, arc) != MODULO_INNER || at <= reached[arc->to])
            continue;
        reached[arc->to] = at;
        grew = true;
    }
    return grew;
}

static bool has_positive_circuit(struct arena *arena, const struct modulo_graph *graph, int64_t ii)
{
    int64_t *reached = ARENA_ARRAY(arena, int64_t, graph->n_operations + 1);
    bool grew = true;
    for (int i = 0; i <= graph->n_operations && grew; i++)
        grew = paths_grow(graph, ii, reached);
    return grew;
}

int64_t modulo_recurrence_bound(struct arena *arena, const struct modulo_graph *graph)
{
    int64_t below = -1, enough = 1;
    for (size_t i = 0; i < graph->n_arcs; i++) {
        if (modulo_order(graph, &graph->arcs[i]) == MODULO_BACKWARD)
            return -1;
        enough += graph->arcs[i].latency;
    }
    if (has_positive_circuit(arena, graph, enough))
        return -1;
    while (enough - below > 1) {
        int64_t middle = below + (enough - below) / 2;
        if (has_positive_circuit(arena, graph, middle))
            below = middle;
        else
            enough = middle;
    }
    return enough;
}
