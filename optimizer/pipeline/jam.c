/* Unroll-and-jam as arcs.

   In: the arcs of a nest, an unrolling. Out: the arcs of the jammed nest, its least shifts, its
   best schedule.

   An arc of distance d goes from copy c to copy (c + d) mod u, and its distance is then floor((c
   + d) / u), component by component, plus the shift of the copy where the arc ends less the
   shift of the copy where the arc begins. The distance may be negative: the innermost loop's
   schedule keeps such arcs, too, since it looks at the time of an operation and not at its round
   (P-09). Shifts are least solutions of differences, hence by Bellman and Ford's method (P-10,
   P-11). */
#include "optimizer/pipeline/jam.h"
#include <string.h>

bool jam_make(struct jam *jam, const struct modulo_graph *nest, const int64_t *unroll)
{
    int64_t copies = 1;
    *jam = (struct jam){.nest = nest};
    for (int k = 0; k < nest->n_loops; k++) {
        jam->unroll[k] = unroll[k];
        copies *= unroll[k];
    }
    jam->copies = (int)copies;
    return copies <= JAM_COPIES && copies * nest->n_operations <= MODULO_OPERATIONS;
}

static bool is_negative_behind(const struct modulo_graph *graph, const struct modulo_arc *arc,
                               int loop)
{
    for (int k = loop + 1; k < graph->n_loops; k++)
        if (arc->distance[k])
            return arc->distance[k] < 0;
    return false;
}

bool jam_is_plain(const struct jam *jam)
{
    const struct modulo_graph *nest = jam->nest;
    for (size_t i = 0; i < nest->n_arcs; i++) {
        const struct modulo_arc *arc = &nest->arcs[i];
        int first = 0;
        while (first < nest->n_loops && !arc->distance[first])
            first++;
        if (first < nest->n_loops && arc->distance[first] > 0 &&
            arc->distance[first] < jam->unroll[first] && is_negative_behind(nest, arc, first))
            return false;
    }
    return true;
}

/* --- arcs ------------------------------------------------------------------------------------- */

static int64_t quotient_down(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* The copy's place in the cell. */
static void copy_place(const struct jam *jam, int copy, int64_t *place)
{
    for (int k = jam->nest->n_loops - 1; k >= 0; k--) {
        place[k] = copy % jam->unroll[k];
        copy /= (int)jam->unroll[k];
    }
}

static struct modulo_arc arc_of_copy(const struct jam *jam, const struct modulo_arc *arc, int copy)
{
    int n = jam->nest->n_operations, n_loops = jam->nest->n_loops, to = 0;
    struct modulo_arc jammed = {.from = copy * n + arc->from, .latency = arc->latency};
    int64_t place[MODULO_LOOPS];
    copy_place(jam, copy, place);
    for (int k = 0; k < n_loops; k++) {
        int64_t at = place[k] + arc->distance[k], u = jam->unroll[k];
        jammed.distance[k] = quotient_down(at, u);
        to = to * (int)u + (int)(at - u * jammed.distance[k]);
    }
    for (int k = 0; k + 1 < n_loops; k++)
        jammed.distance[k] += jam->shifts[to][k] - jam->shifts[copy][k];
    jammed.to = to * n + arc->to;
    return jammed;
}

struct modulo_graph jam_graph(struct arena *arena, const struct jam *jam)
{
    struct modulo_graph graph = *jam->nest;
    const struct modulo_graph *nest = jam->nest;
    size_t n = (size_t)nest->n_operations, copies = (size_t)jam->copies;
    struct modulo_operation *operations = ARENA_ARRAY(arena, struct modulo_operation, copies * n);
    struct modulo_arc *arcs = ARENA_ARRAY(arena, struct modulo_arc, copies * nest->n_arcs + 1);
    for (size_t c = 0; c < copies; c++) {
        memcpy(operations + c * n, nest->operations, n * sizeof *operations);
        for (size_t i = 0; i < nest->n_arcs; i++)
            arcs[c * nest->n_arcs + i] = arc_of_copy(jam, &nest->arcs[i], (int)c);
    }
    graph.n_operations = jam->copies * nest->n_operations;
    graph.operations = operations;
    graph.n_arcs = copies * nest->n_arcs;
    graph.arcs = arcs;
    return graph;
}

/* --- shifts ----------------------------------------------------------------------------------- */

/* Are the components of the distance before this one 0? */
static bool is_level_before(const struct modulo_arc *arc, int loop)
{
    for (int k = 0; k < loop; k++)
        if (arc->distance[k])
            return false;
    return true;
}

/* Raises the shifts of a loop to the least ones, from those that stand there, at which the
   component of each arc between two copies is at least `least`; arcs that loops further outside
   order are left out. False if there are none. */
static bool shifts_raise(struct arena *arena, struct jam *jam, int loop, int64_t least)
{
    struct modulo_graph graph = jam_graph(arena, jam);
    int n = jam->nest->n_operations, inner = jam->nest->n_loops - 1;
    int64_t base[JAM_COPIES] = {0};
    bool grew = true;
    for (int c = 0; c < jam->copies; c++)
        base[c] = loop < inner ? jam->shifts[c][loop] : 0;
    for (int round = 0; round <= jam->copies && grew; round++) {
        grew = false;
        for (size_t i = 0; i < graph.n_arcs; i++) {
            const struct modulo_arc *arc = &graph.arcs[i];
            int from = arc->from / n, to = arc->to / n;
            int64_t own = arc->distance[loop] - base[to] + base[from];
            int64_t wanted = jam->shifts[from][loop] + least - own;
            if (from == to || !is_level_before(arc, loop) || wanted <= jam->shifts[to][loop])
                continue;
            jam->shifts[to][loop] = wanted;
            grew = true;
        }
    }
    return !grew;
}

bool jam_shift_inner(struct arena *arena, struct jam *jam)
{
    struct modulo_graph graph = jam_graph(arena, jam);
    int inner = jam->nest->n_loops - 1;
    for (size_t i = 0; i < graph.n_arcs; i++)
        if (modulo_order(&graph, &graph.arcs[i]) == MODULO_BACKWARD)
            return false;
    for (int c = 0; c < jam->copies; c++)
        jam->shifts[c][inner] = 0;
    return shifts_raise(arena, jam, inner, 1);
}

static int64_t shifts_sum(const struct jam *jam)
{
    int64_t sum = 0;
    for (int c = 0; c < jam->copies; c++)
        for (int k = 0; k + 1 < jam->nest->n_loops; k++)
            sum += jam->shifts[c][k];
    return sum;
}

static bool schedule_is_better(const struct modulo_schedule *a, int64_t sum_a,
                               const struct modulo_schedule *b, int64_t sum_b)
{
    if (a->ii != b->ii)
        return a->ii < b->ii;
    if (a->stages != b->stages)
        return a->stages < b->stages;
    return sum_a < sum_b;
}

int jam_choices(const struct jam *jam)
{
    int choices = 1;
    for (int k = 1; k + 1 < jam->nest->n_loops; k++)
        choices *= 3;
    return choices;
}

/* A choice is a number to base 3 whose digits are the ways of the outer loops. */
bool jam_choose(struct arena *arena, struct jam *jam, int choice, struct modulo_schedule *schedule)
{
    enum { NONE, NOT_BACKWARD };
    bool possible = true;
    memset(jam->shifts, 0, sizeof jam->shifts);
    for (int k = 1; k + 1 < jam->nest->n_loops && possible; k++) {
        int way = choice % 3;
        choice /= 3;
        possible = way == NONE || shifts_raise(arena, jam, k, way == NOT_BACKWARD ? 0 : 1);
    }
    struct modulo_graph graph = jam_graph(arena, jam);
    return possible && modulo_schedule(arena, &graph, schedule);
}

bool jam_schedule(struct arena *arena, struct jam *jam, struct modulo_schedule *schedule)
{
    struct jam best = *jam;
    bool found = false;
    for (int choice = 0; choice < jam_choices(jam); choice++) {
        struct modulo_schedule one;
        if (!jam_choose(arena, jam, choice, &one) ||
            (found && !schedule_is_better(&one, shifts_sum(jam), schedule, shifts_sum(&best))))
            continue;
        *schedule = one;
        best = *jam;
        found = true;
    }
    *jam = best;
    return found;
}
