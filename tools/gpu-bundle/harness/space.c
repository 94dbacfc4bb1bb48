/* The candidates of a region: every combination of leaf and tunables that fits, with its predicted
   time. In: where the region ran; out: an order to try them in, a function of the device and the
   point alone, so that one process can compile what another one measures. */
#include "space.h"
#include "runtime/candidates.h"
#include "runtime/choice.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TUNABLES = 8 };

struct gathering {
    struct space *space;
    struct bench *bench;
    struct treefork_evaluation evaluation;
    int64_t *integers;
    int n_numbers[TUNABLES];
    int64_t numbers[TUNABLES][CANDIDATES_MAX];
    int room;
};

static uint16_t tunable_integer(const struct treefork_region *region, int i)
{
    return region->parameters[region->tunables[i].parameter].integer;
}

static int tunables_of(const struct treefork_region *region)
{
    return region->n_tunables < TUNABLES ? region->n_tunables : TUNABLES;
}

int64_t *integers_read(const struct treefork_region *region, const char *parameters)
{
    int64_t *integers = calloc((size_t)region->n_integers + 1, sizeof *integers);
    for (size_t i = 0; integers && i < region->n_parameters; i++) {
        const struct treefork_parameter_row *p = &region->parameters[i];
        size_t length = strlen(p->name);
        if (p->integer == TREEFORK_NONE)
            continue;
        for (const char *at = parameters; at; at = strchr(at, ',')) {
            at += *at == ',';
            if (strncmp(at, p->name, length) == 0 && at[length] == '=')
                integers[p->integer] = strtoll(at + length + 1, NULL, 10);
        }
    }
    return integers;
}

struct pick pick_read(const struct treefork_region *region, const struct call *call)
{
    struct pick pick = {.region = region, .leaf = call->leaf, .n = tunables_of(region)};
    int64_t *integers = integers_read(region, call->parameters);
    for (int i = 0; integers && i < pick.n; i++)
        pick.values[i] = integers[tunable_integer(region, i)];
    free(integers);
    return pick;
}

bool pick_equals(const struct pick *a, const struct pick *b)
{
    return a->region == b->region && a->leaf == b->leaf && a->n == b->n &&
           memcmp(a->values, b->values, (size_t)a->n * sizeof *a->values) == 0;
}

void row_pick(struct row *row, const struct pick *pick)
{
    char text[256] = "";
    size_t at = 0;
    for (int i = 0; i < pick->n && at < sizeof text; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s=%lld", i ? "," : "",
                               pick->region->parameters[pick->region->tunables[i].parameter].name,
                               (long long)pick->values[i]);
    row_integer(row, "leaf", pick->leaf);
    row_text(row, "tunables", text);
}

/* --- gathering ------------------------------------------------------------------------------- */

static void candidate_add(struct gathering *g, int leaf, double predicted)
{
    struct space *space = g->space;
    if (space->n == g->room) {
        int room = g->room ? 2 * g->room : 256;
        struct candidate *more = realloc(space->at, (size_t)room * sizeof *more);
        if (!more)
            return;
        space->at = more;
        g->room = room;
    }
    struct candidate *c = &space->at[space->n++];
    *c = (struct candidate){.pick = {.region = space->region, .leaf = leaf,
                                     .n = tunables_of(space->region)},
                            .predicted = predicted};
    for (int i = 0; i < c->pick.n; i++)
        c->pick.values[i] = g->integers[tunable_integer(space->region, i)];
}

/* Every leaf that fits at the point of the integers. */
static void point_gather(struct gathering *g, bool is_exact)
{
    const struct treefork_region *region = g->space->region;
    const struct treefork_machine *machine = treefork_device_machine(g->bench->device);
    if (region->select(machine, g->integers, NULL) < 0)
        return;
    treefork_evaluation_set(&g->evaluation, machine, g->integers);
    if (is_exact && !treefork_evaluation_exact(&g->evaluation))
        return;
    for (size_t i = 0; i < region->n_leaves; i++) {
        struct treefork_prediction time;
        if (treefork_evaluation_best(&g->evaluation, region->leaves[i].id, &time))
            candidate_add(g, region->leaves[i].id, time.nanoseconds);
    }
}

static void numbers_find(struct gathering *g, bool is_exact)
{
    const struct treefork_region *region = g->space->region;
    for (int i = 0; i < tunables_of(region); i++) {
        const struct treefork_tunable_row *row = &region->tunables[i];
        g->n_numbers[i] = treefork_tunable_numbers(&g->evaluation, row, is_exact, g->numbers[i]);
        if (row->dividends && !is_exact) {
            g->n_numbers[i] = 1;
            g->numbers[i][0] = g->integers[tunable_integer(region, i)];
        }
    }
}

static void combinations_gather(struct gathering *g, bool is_exact)
{
    const struct treefork_region *region = g->space->region;
    long count = 1;
    for (int i = 0; i < tunables_of(region); i++)
        count *= g->n_numbers[i];
    for (long k = 0; k < count; k++) {
        long rest = k;
        for (int i = 0; i < tunables_of(region); i++) {
            g->integers[tunable_integer(region, i)] = g->numbers[i][rest % g->n_numbers[i]];
            rest /= g->n_numbers[i];
        }
        point_gather(g, is_exact);
    }
}

/* --- order ----------------------------------------------------------------------------------- */

/* The best predicted first; between equals by leaf and tunables. */
static int candidate_compare(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->predicted != y->predicted)
        return x->predicted < y->predicted ? -1 : 1;
    if (x->pick.leaf != y->pick.leaf)
        return x->pick.leaf < y->pick.leaf ? -1 : 1;
    for (int i = 0; i < x->pick.n; i++)
        if (x->pick.values[i] != y->pick.values[i])
            return x->pick.values[i] < y->pick.values[i] ? -1 : 1;
    return 0;
}

static void candidate_move(struct space *space, int from, int to)
{
    struct candidate moved = space->at[from];
    memmove(&space->at[to + 1], &space->at[to], (size_t)(from - to) * sizeof moved);
    space->at[to] = moved;
}

/* The pick comes first, also where it is none of the candidates. */
static void pick_put_first(struct gathering *g, const struct pick *pick)
{
    struct space *space = g->space;
    for (int i = 0; i < space->n; i++)
        if (pick_equals(&space->at[i].pick, pick)) {
            candidate_move(space, i, 0);
            return;
        }
    int before = space->n;
    candidate_add(g, pick->leaf, NAN);
    if (space->n == before)
        return;
    space->at[before].pick = *pick;
    candidate_move(space, before, 0);
}

/* Every other one of those that are not guided is drawn from the rest. */
static void rest_mix(struct space *space)
{
    uint32_t state = 1;
    for (int i = space->first; i < space->n; i += 2) {
        state = state * 1664525u + 1013904223u;
        candidate_move(space, i + (int)((state >> 8) % (uint32_t)(space->n - i)), i);
    }
}

struct space space_make(struct bench *b, const struct treefork_region *region,
                        const struct call *call)
{
    struct space space = {.region = region};
    struct gathering g = {.space = &space, .bench = b,
                          .integers = integers_read(region, call->parameters)};
    struct pick pick = pick_read(region, call);
    if (!g.integers || treefork_evaluation_new(region, &g.evaluation) != TREEFORK_OK) {
        free(g.integers);
        return space;
    }
    treefork_evaluation_set(&g.evaluation, treefork_device_machine(b->device), g.integers);
    bool is_exact = treefork_evaluation_exact(&g.evaluation);
    numbers_find(&g, is_exact);
    combinations_gather(&g, is_exact);
    if (space.n)
        qsort(space.at, (size_t)space.n, sizeof *space.at, candidate_compare);
    pick_put_first(&g, &pick);
    space.first = space.n < GUIDED ? space.n : GUIDED;
    rest_mix(&space);
    treefork_evaluation_free(&g.evaluation);
    free(g.integers);
    return space;
}

void space_free(struct space *space)
{
    free(space->at);
}

/* --- neighbours ------------------------------------------------------------------------------ */

/* One step: at most a factor of two; two: more. */
static int steps_between(int64_t a, int64_t b)
{
    int64_t low = a < b ? a : b, high = a < b ? b : a;
    if (a == b)
        return 0;
    return high <= 2 * low ? 1 : 2;
}

static bool is_neighbour(const struct pick *a, const struct pick *b)
{
    int steps = a->leaf != b->leaf;
    for (int i = 0; i < a->n; i++)
        steps += steps_between(a->values[i], b->values[i]);
    return steps == 1;
}

int space_neighbour(const struct space *space, int of)
{
    for (int i = 0; i < space->n; i++)
        if (!space->at[i].is_tried && is_neighbour(&space->at[i].pick, &space->at[of].pick))
            return i;
    return -1;
}
