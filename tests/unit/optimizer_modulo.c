/* Modulo schedules: the nests of Vyukova and Samborskiy's paper with the interval, stages, starts
   and shifts that each has (spec 5.2); the paper's circuits; a graph whose least interval is above
   both bounds; random graphs against exhaustive search. Every schedule is replayed. */
#include "optimizer/pipeline/jam.h"
#include "tests/unit/check.h"
#include <inttypes.h>

enum { LATENCY = 4, ROUNDS = 50, COPIES = 5 };

static const struct modulo_operation OPERATION = {LATENCY, {1}};

/* A nest with one operation, of latency 4, and one issue a cycle. */
static struct modulo_graph nest_of(struct arena *arena, int n_loops, int n_distances,
                                   const int64_t distances[][MODULO_LOOPS])
{
    struct modulo_arc *arcs = ARENA_ARRAY(arena, struct modulo_arc, n_distances);
    for (int i = 0; i < n_distances; i++) {
        arcs[i] = (struct modulo_arc){0, 0, LATENCY, {0}};
        memcpy(arcs[i].distance, distances[i], sizeof arcs[i].distance);
    }
    return (struct modulo_graph){n_loops, 1, 1, &OPERATION, (size_t)n_distances, arcs, {1}};
}

/* --- the paper's examples --------------------------------------------------------------------- */

/* `outer`: the shifts of the second of three loops. */
struct example {
    const char *name;
    int n_loops, n_distances;
    int64_t distances[2][MODULO_LOOPS], unroll[MODULO_LOOPS];
    bool is_plain;                     /* legal without help */
    int64_t recurrence, ii, stages, times[COPIES], cycles;
    int64_t inner[COPIES], outer[COPIES];
};

static const struct example EXAMPLES[] = {
    {"E1", 1, 1, {{1}}, {1}, true, 4, 4, 1, {0}, 200, {0}, {0}},
    {"E2", 2, 1, {{0, 1}}, {1, 1}, true, 4, 4, 1, {0}, 200, {0}, {0}},
    {"E3", 2, 1, {{1, 0}}, {1, 1}, true, 0, 1, 1, {0}, 53, {0}, {0}},
    {"E2 by 4", 2, 1, {{0, 1}}, {4, 1}, true, 4, 4, 1, {0, 1, 2, 3}, 203, {0}, {0}},
    {"E4", 2, 2, {{0, 1}, {1, 0}}, {1, 1}, true, 4, 4, 1, {0}, 200, {0}, {0}},
    {"E4 by 2", 2, 2, {{0, 1}, {1, 0}}, {2, 1}, true, 4, 4, 2, {0, 5}, 205, {0, 1}, {0}},
    {"E4 by 3", 2, 2, {{0, 1}, {1, 0}}, {3, 1}, true, 4, 4, 3, {0, 5, 10}, 210, {0, 1, 2}, {0}},
    {"E4 by 4", 2, 2, {{0, 1}, {1, 0}}, {4, 1}, true, 4, 4, 4, {0, 5, 10, 15}, 215, {0, 1, 2, 3},
     {0}},
    {"E4 by 5", 2, 2, {{0, 1}, {1, 0}}, {5, 1}, true, 4, 5, 4, {0, 4, 8, 12, 16}, 265,
     {0, 1, 2, 3, 4}, {0}},
    {"E5 by 4", 2, 2, {{0, 1}, {1, -1}}, {4, 1}, false, 4, 4, 7, {0, 9, 18, 27}, 227, {0, 2, 4, 6},
     {0}},
    {"E6 by 2, 2", 3, 2, {{0, 2, -1}, {2, 0, -1}}, {2, 2, 1}, true, 0, 4, 1, {0, 1, 2, 3}, 203, {0},
     {0}},
    {"E6 by 1, 4", 3, 2, {{0, 2, -1}, {2, 0, -1}}, {1, 4, 1}, false, 0, 4, 3, {0, 1, 10, 11}, 211,
     {0, 0, 2, 2}, {0}},
    {"E6 by 4, 1", 3, 2, {{0, 2, -1}, {2, 0, -1}}, {4, 1, 1}, false, 0, 4, 3, {0, 1, 10, 11}, 211,
     {0, 0, 2, 2}, {0}},
    {"E7 by 1, 4", 3, 1, {{1, -1, 0}}, {1, 4, 1}, true, 0, 4, 1, {0, 1, 2, 3}, 203, {0}, {0}},
    {"E7 by 4", 3, 1, {{1, -1, 0}}, {4, 1, 1}, false, -1, 0, 0, {0}, 0, {0}, {0}},
    {"E7 by 4, shifted by 1", 3, 1, {{1, -1, 0}}, {4, 1, 1}, false, 0, 4, 4, {0, 5, 10, 15}, 215,
     {0, 1, 2, 3}, {0, 1, 2, 3}},
    {"E7 by 4, shifted by 2", 3, 1, {{1, -1, 0}}, {4, 1, 1}, false, 0, 4, 1, {0, 1, 2, 3}, 203, {0},
     {0, 2, 4, 6}},
};

static void shifts_check(struct check *check, struct arena *arena, const struct example *example,
                         struct jam *jam)
{
    check_that(check, jam_shift_inner(arena, jam), "%s: no shifts", example->name);
    for (int c = 0; c < jam->copies; c++)
        check_that(check, jam->shifts[c][example->n_loops - 1] == example->inner[c],
                   "%s: copy %d is shifted by %" PRId64, example->name, c,
                   jam->shifts[c][example->n_loops - 1]);
}

static void schedule_check(struct check *check, struct arena *arena, const struct example *example,
                           const struct jam *jam)
{
    struct modulo_graph graph = jam_graph(arena, jam);
    struct modulo_schedule schedule;
    int64_t cycles;
    if (!check_that(check, modulo_schedule(arena, &graph, &schedule), "%s: no schedule",
                    example->name))
        return;
    check_that(check,
               schedule.ii == example->ii && schedule.stages == example->stages &&
                   schedule.is_least,
               "%s: interval %" PRId64 ", %" PRId64 " stages", example->name, schedule.ii,
               schedule.stages);
    for (int c = 0; c < jam->copies; c++)
        check_that(check, schedule.times[c] == example->times[c], "%s: copy %d starts at %" PRId64,
                   example->name, c, schedule.times[c]);
    check_that(check, modulo_replay(arena, &graph, &schedule, ROUNDS, &cycles),
               "%s: the replay finds a fault", example->name);
    check_that(check, cycles == example->cycles, "%s: %" PRId64 " cycles", example->name, cycles);
    check_that(check, jam_replay(arena, jam, &schedule, 5), "%s: an iteration comes too early",
               example->name);
}

static void example_check(struct check *check, const struct example *example)
{
    struct arena *arena = arena_new();
    struct modulo_graph nest = nest_of(arena, example->n_loops, example->n_distances,
                                       example->distances);
    struct jam jam;
    check_test(check);
    check_that(check, jam_make(&jam, &nest, example->unroll), "%s: too large", example->name);
    check_that(check, jam_is_plain(&jam) == example->is_plain, "%s: plain or not", example->name);
    for (int c = 0; c < jam.copies && example->n_loops > 2; c++)
        jam.shifts[c][1] = example->outer[c];
    struct modulo_graph graph = jam_graph(arena, &jam);
    struct modulo_schedule schedule;
    int64_t bound = modulo_recurrence_bound(arena, &graph);
    check_that(check, bound == example->recurrence, "%s: circuits ask for %" PRId64, example->name,
               bound);
    if (example->ii) {
        shifts_check(check, arena, example, &jam);
        schedule_check(check, arena, example, &jam);
    } else {
        check_that(check, !modulo_schedule(arena, &graph, &schedule), "%s: a schedule",
                   example->name);
        check_that(check, !jam_shift_inner(arena, &jam), "%s: inner shifts", example->name);
    }
    arena_free(arena);
}

/* The search over outer shifts finds that E7 has an interval of 4 in one stage. */
static void outer_check(struct check *check)
{
    struct arena *arena = arena_new();
    static const int64_t distances[][MODULO_LOOPS] = {{1, -1, 0}}, unroll[] = {4, 1, 1};
    struct modulo_graph nest = nest_of(arena, 3, 1, distances);
    struct modulo_schedule schedule;
    struct jam jam;
    check_test(check);
    check_that(check, jam_make(&jam, &nest, unroll) && jam_schedule(arena, &jam, &schedule),
               "E7: no schedule");
    check_that(check, schedule.ii == 4 && schedule.stages == 1, "E7: %" PRId64 ", %" PRId64,
               schedule.ii, schedule.stages);
    check_that(check, jam.shifts[3][1] == 6, "E7: the last copy is shifted by %" PRId64,
               jam.shifts[3][1]);
    check_that(check, jam_replay(arena, &jam, &schedule, 6), "E7: an iteration comes too early");
    arena_free(arena);
}

/* Latency and distance of the circuits of E4 by 4 (spec P-05): four of one copy each, one through
   all copies, which the outer loop orders. */
static void circuits_check(struct check *check)
{
    struct arena *arena = arena_new();
    static const int64_t distances[][MODULO_LOOPS] = {{0, 1}, {1, 0}}, unroll[] = {4, 1};
    struct modulo_graph nest = nest_of(arena, 2, 2, distances);
    struct jam jam;
    check_test(check);
    check_that(check, jam_make(&jam, &nest, unroll), "E4: too large");
    struct modulo_graph graph = jam_graph(arena, &jam);
    int own = 0, onward = 0, latency = 0, outer = 0;
    for (size_t i = 0; i < graph.n_arcs; i++) {
        const struct modulo_arc *arc = &graph.arcs[i];
        own += arc->from == arc->to && arc->distance[0] == 0 && arc->distance[1] == 1;
        if (arc->from == arc->to)
            continue;
        onward += arc->to == (arc->from + 1) % 4;
        latency += (int)arc->latency;
        outer += (int)arc->distance[0];
    }
    check_that(check, own == 4 && onward == 4 && latency == 16 && outer == 1,
               "E4: %d circuits of one copy, %d arcs to the next, latency %d, distance %d", own,
               onward, latency, outer);
    arena_free(arena);
}

/* --- other graphs ----------------------------------------------------------------------------- */

static void above_check(struct check *check)
{
    static const struct modulo_arc arcs[] = {{2, 0, 4, {0}}, {1, 2, 4, {2}}, {0, 2, 4, {2}}};
    static const struct modulo_operation operations[] = {{4, {1}}, {4, {1}}, {4, {1}}, {4, {1}}};
    struct arena *arena = arena_new();
    struct modulo_graph graph = {1, 4, 1, operations, 3, arcs, {1}};
    struct modulo_schedule schedule;
    int64_t cycles;
    check_test(check);
    check_that(check, modulo_resource_bound(&graph) == 4, "resources");
    check_that(check, modulo_recurrence_bound(arena, &graph) == 4, "circuits");
    check_that(check, modulo_schedule(arena, &graph, &schedule) && schedule.ii == 5,
               "interval %" PRId64 " above both bounds", schedule.ii);
    check_that(check, modulo_replay(arena, &graph, &schedule, ROUNDS, &cycles), "replay");
    arena_free(arena);
}

static uint64_t state = 20261129;

static int64_t random_below(int64_t most)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)most);
}

/* Do the times keep every arc and every resource? */
static bool times_fit(const struct modulo_graph *graph, int64_t ii, const int64_t *times)
{
    for (size_t i = 0; i < graph->n_arcs; i++) {
        const struct modulo_arc *arc = &graph->arcs[i];
        if (times[arc->to] < times[arc->from] + arc->latency - ii * arc->distance[0])
            return false;
    }
    for (int o = 0; o < graph->n_operations; o++)
        for (int r = 0; r < graph->n_resources; r++) {
            int used = 0;
            for (int other = 0; other < graph->n_operations; other++)
                if (times[o] % ii == times[other] % ii)
                    used += graph->operations[other].uses[r];
            if (used > graph->capacity[r])
                return false;
        }
    return true;
}

/* Is there a schedule of this interval with times up to `last`? */
static bool exists(const struct modulo_graph *graph, int64_t ii, int64_t last)
{
    int64_t times[MODULO_OPERATIONS] = {0};
    int o = 0;
    while (o < graph->n_operations) {
        if (times_fit(graph, ii, times))
            return true;
        for (o = 0; o < graph->n_operations && times[o] == last; o++)
            times[o] = 0;
        if (o < graph->n_operations)
            times[o]++;
    }
    return false;
}

enum { RANDOM_OPERATIONS = 4, RANDOM_ARCS = 6 };

static struct modulo_graph random_graph(struct modulo_operation *operations,
                                        struct modulo_arc *arcs)
{
    struct modulo_graph graph = {1, 1 + (int)random_below(RANDOM_OPERATIONS), 2, operations,
                                 (size_t)random_below(RANDOM_ARCS), arcs, {1, 2}};
    for (int o = 0; o < graph.n_operations; o++)
        operations[o] = (struct modulo_operation){
            random_below(4), {(int)random_below(2), (int)random_below(2)}};
    for (size_t i = 0; i < graph.n_arcs; i++) {
        int from = (int)random_below(graph.n_operations);
        int to = (int)random_below(graph.n_operations);
        int64_t distance = random_below(4) - 1;
        arcs[i] = (struct modulo_arc){from, to, operations[from].latency, {distance}};
    }
    return graph;
}

static void random_check(struct check *check, int round)
{
    struct modulo_operation operations[RANDOM_OPERATIONS];
    struct modulo_arc arcs[RANDOM_ARCS];
    struct arena *arena = arena_new();
    struct modulo_graph graph = random_graph(operations, arcs);
    struct modulo_schedule schedule;
    int64_t recurrence = modulo_recurrence_bound(arena, &graph), cycles;
    bool found = modulo_schedule(arena, &graph, &schedule);
    if (!found) {
        check_that(check, !exists(&graph, 7, 14), "round %d: no schedule", round);
        arena_free(arena);
        return;
    }
    check_that(check, times_fit(&graph, schedule.ii, schedule.times), "round %d: times", round);
    check_that(check, modulo_replay(arena, &graph, &schedule, 9, &cycles), "round %d: replay",
               round);
    check_that(check, schedule.ii >= recurrence && schedule.ii >= modulo_resource_bound(&graph),
               "round %d: an interval below a bound", round);
    check_that(check, schedule.ii == 1 || !exists(&graph, schedule.ii - 1, 14),
               "round %d: interval %" PRId64 " is not the least", round, schedule.ii);
    check_that(check,
               schedule.span == 0 || schedule.span > 14 ||
                   !exists(&graph, schedule.ii, schedule.span - 1),
               "round %d: span %" PRId64 " is not the least", round, schedule.span);
    arena_free(arena);
}

int main(void)
{
    struct check check = {0};
    for (size_t i = 0; i < sizeof EXAMPLES / sizeof EXAMPLES[0]; i++)
        example_check(&check, &EXAMPLES[i]);
    outer_check(&check);
    circuits_check(&check);
    above_check(&check);
    check_test(&check);
    printf("seed %" PRIu64 "\n", state);
    for (int round = 0; round < test_scale(300, 3000); round++)
        random_check(&check, round);
    return check_end(&check, "optimizer_modulo");
}
