/* Circuits of a nest as forms in latencies.

   In: the graph of a nest. Out: lines of the report. A circuit of latency L over D rounds of the
   innermost loop takes L / D cycles a round, whatever is done about it; the longest of all is
   the lower bound that recurrences set. L is a sum of machine parameters, so that of two
   circuits one or the other is longer by the machine: that comparison is printed. A circuit is
   searched for from its operation of least number, through greater ones, each once (elementary
   circuits). Source: spec P-02; notes on symbolic latencies. */
#include "optimizer/pipeline/circuits.h"
#include <inttypes.h>
#include <string.h>

enum { CIRCUITS = 8, STEPS = 20000 };

struct circuit {
    uint64_t operations;              /* a bit each */
    struct delay delay;
    int64_t rounds, cycles;           /* of the innermost loop; of the delay on this machine */
};

struct circuit_search {
    const struct recurrence *nest;
    const struct latencies *latencies;
    int begin, steps;
    int count;
    bool is_cut;                      /* there are more than are kept, or were looked for */
    struct circuit found[CIRCUITS];
};

/* Is the first one as long as the second on every machine? */
static bool is_covered(const struct circuit *by, const struct circuit *c)
{
    return by->delay.cycles * c->rounds >= c->delay.cycles * by->rounds &&
           by->delay.additions * c->rounds >= c->delay.additions * by->rounds &&
           by->delay.shared * c->rounds >= c->delay.shared * by->rounds &&
           by->delay.global * c->rounds >= c->delay.global * by->rounds;
}

static void circuit_keep(struct circuit_search *search, struct circuit circuit)
{
    int kept = 0;
    circuit.cycles = delay_cycles(search->latencies, &circuit.delay);
    for (int i = 0; i < search->count; i++)
        if (is_covered(&search->found[i], &circuit))
            return;
    for (int i = 0; i < search->count; i++)
        if (!is_covered(&circuit, &search->found[i]))
            search->found[kept++] = search->found[i];
    search->count = kept;
    search->is_cut |= kept == CIRCUITS;
    if (kept == CIRCUITS)
        return;
    int at = search->count++;
    for (; at > 0 && search->found[at - 1].cycles * circuit.rounds <
                         circuit.cycles * search->found[at - 1].rounds;
         at--)
        search->found[at] = search->found[at - 1];
    search->found[at] = circuit;
}

/* Goes on from the operation `last` of a way that began at search->begin. */
static void way_extend(struct circuit_search *search, const struct circuit *way, int last)
{
    const struct modulo_graph *graph = &search->nest->graph;
    for (size_t i = 0; i < graph->n_arcs; i++) {
        const struct modulo_arc *arc = &graph->arcs[i];
        if (arc->from != last || arc->to < search->begin ||
            modulo_order(graph, arc) != MODULO_INNER)
            continue;
        if (search->steps++ > STEPS) {
            search->is_cut = true;
            return;
        }
        struct circuit next = *way;
        next.delay = delay_sum(&way->delay, &search->nest->delays[i]);
        next.rounds += arc->distance[graph->n_loops - 1];
        if (arc->to == search->begin && next.rounds > 0) {
            circuit_keep(search, next);
        } else if (!(way->operations >> arc->to & 1)) {
            next.operations |= (uint64_t)1 << arc->to;
            way_extend(search, &next, arc->to);
        }
    }
}

static void circuits_find(struct circuit_search *search)
{
    for (int o = 0; o < search->nest->graph.n_operations; o++) {
        struct circuit way = {.operations = (uint64_t)1 << o};
        search->begin = o;
        way_extend(search, &way, o);
    }
}

/* "(Y_G + 2 L) / 3" */
static const char *circuit_text(struct arena *arena, const struct circuit *c)
{
    const char *delay = delay_text(arena, &c->delay);
    if (c->rounds == 1)
        return delay;
    return arena_printf(arena, strchr(delay, '+') ? "(%s) / %" PRId64 : "%s / %" PRId64, delay,
                        c->rounds);
}

/* "S0 S3" */
static const char *operations_text(struct arena *arena, const struct circuit *c)
{
    struct str text = str_new(arena);
    for (int o = 0; o < MODULO_OPERATIONS; o++)
        if (c->operations >> o & 1)
            str_addf(&text, "%sS%d", text.length ? " " : "", o);
    return text.text;
}

void circuits_print(struct arena *arena, struct str *out, const struct recurrence *nest,
                    const struct latencies *latencies)
{
    struct circuit_search search = {.nest = nest, .latencies = latencies};
    circuits_find(&search);
    const struct circuit *first = search.found;
    for (int i = 0; i < search.count; i++) {
        const struct circuit *c = &search.found[i];
        str_addf(out, "  circuit of %s: %s cycles a round = %" PRId64, operations_text(arena, c),
                 circuit_text(arena, c), (c->cycles + c->rounds - 1) / c->rounds);
        if (i > 0)
            str_addf(out, ", the longer one where %s > %s", circuit_text(arena, c),
                     circuit_text(arena, first));
        str_add(out, "\n");
    }
    if (search.is_cut)
        str_add(out, "  more circuits were not looked at\n");
    if (search.count)
        str_addf(out, "  hidden where copies * warps of a scheduler * %" PRId64 " >= %s\n",
                 modulo_resource_bound(&nest->graph), circuit_text(arena, first));
}
