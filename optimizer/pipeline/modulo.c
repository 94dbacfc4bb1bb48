/* Schedules of the least initiation interval.

   In: a graph of operations. Out: the time of each, times = interval * stage + row.

   The interval is tried from the larger of its two lower bounds on. For one interval the longest
   paths between all operations are closed once; then the operations get their rows one after the
   other. Of operations that have rows, a path of length w from i to j says of their stages

       stage j - stage i >= ceil((w - (row j - row i)) / interval),

   so that partial rows are possible as long as these differences have no positive circuit; their
   closure grows by an operation at a time. Rows may be turned together, hence the first operation
   has row 0. Where all have rows, the least span is looked for over the operation that comes first.
   Work is counted: past the budget the best schedule found so far is taken, or the next interval,
   and `is_least` says so. Source: spec P-11. */
#include "optimizer/pipeline/modulo.h"
#include <string.h>

enum { BUDGET = 200000 };
static const int64_t NO_PATH = INT64_MIN / 4;

struct modulo_search {
    const struct modulo_graph *graph;
    int n;
    int64_t ii, work;
    int64_t *paths;                   /* n * n: longest paths in cycles; NO_PATH: none */
    int64_t *stages;                  /* by number of operations with rows, n * n: least
                                         differences of stages */
    int64_t *rows;
    int *used;                        /* by row and resource */
    int64_t *times, *best;            /* best: times of the best schedule */
    int64_t span;                     /* of `best`; -1: no schedule is found yet */
    int64_t least_span;               /* no schedule of this interval has a smaller span */
};

static int64_t paths_join(int64_t a, int64_t b)
{
    return a == NO_PATH || b == NO_PATH ? NO_PATH : a + b;
}

static int64_t quotient_up(int64_t a, int64_t b)
{
    return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

static void raise(int64_t *value, int64_t by)
{
    *value = by > *value ? by : *value;
}

/* Longest paths between all operations at the interval of the search. */
static void paths_close(struct modulo_search *s)
{
    const struct modulo_graph *graph = s->graph;
    int n = s->n;
    for (int i = 0; i < n * n; i++)
        s->paths[i] = i % (n + 1) ? NO_PATH : 0;
    for (size_t i = 0; i < graph->n_arcs; i++) {
        const struct modulo_arc *arc = &graph->arcs[i];
        if (modulo_order(graph, arc) == MODULO_INNER)
            raise(&s->paths[arc->from * n + arc->to],
                  arc->latency - s->ii * arc->distance[graph->n_loops - 1]);
    }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                raise(&s->paths[i * n + j], paths_join(s->paths[i * n + k], s->paths[k * n + j]));
    s->least_span = 0;
    for (int i = 0; i < n * n; i++)
        raise(&s->least_span, s->paths[i]);
}

/* The least difference of the stages of two operations with rows that the path between them asks
   for. */
static int64_t stage_step(const struct modulo_search *s, int from, int to)
{
    int64_t path = s->paths[from * s->n + to];
    if (path == NO_PATH)
        return NO_PATH;
    return quotient_up(path - (s->rows[to] - s->rows[from]), s->ii);
}

/* Closes the differences of stages over one more operation; false if it has to follow itself. */
static bool stages_extend(struct modulo_search *s, int v)
{
    int n = s->n;
    const int64_t *old = s->stages + (size_t)v * n * n;
    int64_t *new = s->stages + (size_t)(v + 1) * n * n;
    memcpy(new, old, sizeof *new * (size_t)(n * n));
    new[v * n + v] = 0;
    for (int i = 0; i < v; i++) {
        new[i * n + v] = new[v * n + i] = NO_PATH;
        for (int k = 0; k < v; k++) {
            raise(&new[i * n + v], paths_join(old[i * n + k], stage_step(s, k, v)));
            raise(&new[v * n + i], paths_join(stage_step(s, v, k), old[k * n + i]));
        }
    }
    for (int i = 0; i < v; i++) {
        if (paths_join(new[i * n + v], new[v * n + i]) > 0)
            return false;
        for (int k = 0; k < v; k++)
            raise(&new[i * n + k], paths_join(new[i * n + v], new[v * n + k]));
    }
    return true;
}

/* The least span of what has rows: the first v operations. */
static int64_t span_below(const struct modulo_search *s, int v)
{
    const int64_t *stages = s->stages + (size_t)v * s->n * s->n;
    int64_t span = 0;
    for (int i = 0; i < v; i++)
        for (int k = 0; k < v; k++)
            if (stages[i * s->n + k] != NO_PATH)
                raise(&span, s->ii * stages[i * s->n + k] + s->rows[k] - s->rows[i]);
    return span;
}

/* The times of all operations, as early as they can be where `first` comes before all others; false
   if it cannot. The span is then *span. */
static bool times_from(struct modulo_search *s, int first, int64_t *span)
{
    const int64_t *stages = s->stages + (size_t)s->n * s->n * s->n;
    *span = 0;
    for (int o = 0; o < s->n; o++) {
        int64_t stage = NO_PATH;
        for (int k = 0; k < s->n; k++)
            raise(&stage, paths_join(s->rows[k] < s->rows[first], stages[k * s->n + o]));
        s->times[o] = s->ii * stage + s->rows[o] - s->rows[first];
        raise(span, s->times[o]);
    }
    return s->times[first] == 0;
}

static void rows_take(struct modulo_search *s)
{
    for (int first = 0; first < s->n; first++) {
        int64_t span;
        if (!times_from(s, first, &span) || (s->span >= 0 && span >= s->span))
            continue;
        s->span = span;
        memcpy(s->best, s->times, sizeof *s->best * (size_t)s->n);
    }
}

/* Takes (sign 1) or gives back (-1) what the operation uses in its row; true if there is enough. */
static bool row_use(struct modulo_search *s, int v, int sign)
{
    bool enough = true;
    for (int r = 0; r < s->graph->n_resources; r++) {
        int *used = &s->used[s->rows[v] * MODULO_RESOURCES + r];
        *used += sign * s->graph->operations[v].uses[r];
        enough &= *used <= s->graph->capacity[r];
    }
    return enough;
}

static bool search_ends(const struct modulo_search *s)
{
    return s->work > BUDGET || s->span == s->least_span;
}

/* Gives rows to the operations from v on. */
static void rows_search(struct modulo_search *s, int v)
{
    if (v == s->n) {
        rows_take(s);
        return;
    }
    int64_t rows = v ? s->ii : 1;
    for (int64_t row = 0; row < rows && !search_ends(s); row++) {
        s->rows[v] = row;
        s->work++;
        if (row_use(s, v, 1) && stages_extend(s, v) &&
            (s->span < 0 || span_below(s, v + 1) < s->span))
            rows_search(s, v + 1);
        row_use(s, v, -1);
    }
}

static struct modulo_search *search_new(struct arena *arena, const struct modulo_graph *graph)
{
    struct modulo_search *s = ARENA_NEW(arena, struct modulo_search);
    size_t n = (size_t)graph->n_operations;
    *s = (struct modulo_search){.graph = graph, .n = graph->n_operations};
    s->paths = ARENA_ARRAY(arena, int64_t, n * n);
    s->stages = ARENA_ARRAY(arena, int64_t, (n + 1) * n * n);
    s->rows = ARENA_ARRAY(arena, int64_t, n);
    s->times = ARENA_ARRAY(arena, int64_t, n);
    s->best = ARENA_ARRAY(arena, int64_t, n);
    return s;
}

/* An interval at which operations one after the other always fit. */
static int64_t interval_last(const struct modulo_graph *graph)
{
    int64_t last = graph->n_operations;
    for (size_t i = 0; i < graph->n_arcs; i++)
        last += graph->arcs[i].latency;
    return last;
}

bool modulo_schedule(struct arena *arena, const struct modulo_graph *graph,
                     struct modulo_schedule *schedule)
{
    int64_t recurrence = modulo_recurrence_bound(arena, graph), ii = modulo_resource_bound(graph);
    if (recurrence < 0 || !graph->n_operations || graph->n_operations > MODULO_OPERATIONS)
        return false;
    struct modulo_search *s = search_new(arena, graph);
    int64_t last = interval_last(graph);
    *schedule = (struct modulo_schedule){.is_least = true};
    raise(&ii, recurrence > 1 ? recurrence : 1);
    s->span = -1;
    for (s->ii = ii; s->ii <= last && s->span < 0; s->ii++) {
        s->work = 0;
        s->used = ARENA_ARRAY(arena, int, s->ii * MODULO_RESOURCES);
        paths_close(s);
        rows_search(s, 0);
        schedule->ii = s->ii;
        schedule->is_least &= s->span >= 0 || s->work <= BUDGET;
    }
    schedule->span = s->span;
    schedule->times = s->best;
    schedule->stages = s->span < 0 ? 0 : s->span / schedule->ii + 1;
    return s->span >= 0;
}
