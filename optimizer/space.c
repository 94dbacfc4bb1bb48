/* The space of a region: parameters, initial system, counters and strategies, frozen before
   the search.

   In: a region with its banded kernel, options. Out: the ring with the region's parameters in their
   order and behind them the machine parameters that the chosen counters declare, the initial
   system, the rows of the search.
   Invariant: nothing here depends on any kernel that the search will try. Source: spec C-16, C-19;
   design, "Parameters". */
#include "ir/machine.h"
#include "optimizer/middle.h"
#include "optimizer/strategies/strategies.h"
#include <string.h>

enum { SEARCH_ACCEPTED = 4096 };          /* accepted counters of all paths, beyond which the code
                                             of last resort is taken */

/* A space while it is made. */
struct space_making {
    struct search_space space;
    int symbols[COUNTERS_MAX];            /* counters to fork on, in their order */
};

static bool counter_add(struct space_making *m, int symbol)
{
    if (m->space.n_counters == COUNTERS_MAX) {
        diag_error(m->space.ctx, loc_none(), "a tree forks on at most %d counters", COUNTERS_MAX);
        return false;
    }
    m->symbols[m->space.n_counters++] = symbol;
    return true;
}

static bool is_default(const struct space_making *m, const struct counter *counter)
{
    return counter->kind == COUNTER_RESOURCE &&
           (!counter->concerns || counter->concerns(&m->space));
}

/* The resources asked for, by default all that concern the region. */
static bool resources_choose(struct space_making *m)
{
    const struct tree_options *options = m->space.options;
    bool all = options->n_counters == 0;
    for (int i = 0; i < COUNTER_COUNT; i++)
        if (all && is_default(m, counter_table(i)) && !counter_add(m, i))
            return false;
    for (size_t i = 0; i < options->n_counters; i++) {
        int symbol = counter_find(options->counters[i]);
        if (symbol < 0) {
            diag_error(m->space.ctx, loc_none(),
                       "no counter is called `%s`: there are threads, registers_per_block, "
                       "registers, shared",
                       options->counters[i]);
            return false;
        }
        if (!counter_add(m, symbol))
            return false;
    }
    return true;
}

static bool targets_choose(struct space_making *m)
{
    const struct tree_options *options = m->space.options;
    for (size_t i = 0; i < options->n_targets; i++) {
        int symbol = counter_find(options->targets[i].counter);
        if (symbol < 0 || counter_table(symbol)->kind != COUNTER_TARGET) {
            diag_error(m->space.ctx, loc_none(), "`%s` is no target", options->targets[i].counter);
            return false;
        }
        if (!counter_add(m, symbol))
            return false;
    }
    return true;
}

static bool injections_check(const struct space_making *m)
{
    const struct tree_options *options = m->space.options;
    for (size_t i = 0; i < options->n_injections; i++)
        if (counter_find(options->injections[i].counter) < 0) {
            diag_error(m->space.ctx, loc_none(), "values are given for `%s`, which is no counter",
                       options->injections[i].counter);
            return false;
        }
    return true;
}

/* The smallest value that any device has; golden runs inject small numbers, so there only v >= 0
   is known. */
static int64_t machine_least(const struct space_making *m, const char *name)
{
    const struct machine_row *row = machine_row_find(name);
    return row && !m->space.options->golden ? row->least : 0;
}

/* A machine parameter joins the ring, its lower bound the initial system. False if the ring
   is full. */
static bool machine_add(struct space_making *m, const char *name)
{
    struct search_space *space = &m->space;
    int variable = ring_variable(space->ring, name);
    if (variable < 0) {
        diag_error(space->ctx, space->region->loc, "too many parameters in one region");
        return false;
    }
    if (space->machine >> variable & 1)
        return true;
    space->machine |= (uint64_t)1 << variable;
    const struct poly *least = poly_integer(space->ring, machine_least(m, name));
    const struct poly *parameter = poly_variable(space->ring, variable);
    space->initial = sas_add(space->arena, space->initial,
                             constraint_make(least, RELATION_LE, parameter));
    return true;
}

/* What a target aims at, where a number was given; NULL: the machine parameter of its row. */
static const struct poly *target_given(const struct space_making *m, int symbol)
{
    const struct tree_options *options = m->space.options;
    for (size_t i = 0; i < options->n_targets; i++)
        if (options->targets[i].has_value && counter_find(options->targets[i].counter) == symbol)
            return poly_integer(m->space.ring, options->targets[i].value);
    return NULL;
}

/* The limit of a counter and the machine parameters that it may use. */
static bool machine_join(struct space_making *m, int symbol)
{
    const struct counter *counter = counter_table(symbol);
    if (!target_given(m, symbol) && !machine_add(m, counter->limit))
        return false;
    for (const char *at = counter->machine; *at;) {
        size_t length = strcspn(at, " ");
        if (!machine_add(m, arena_strndup(m->space.arena, at, length)))
            return false;
        at += length + (at[length] == ' ');
    }
    return true;
}

/* The parameters of the region keep their numbers. */
static bool ring_fill(struct space_making *m)
{
    struct search_space *space = &m->space;
    const struct kernel *kernel = space->region->kernel;
    space->ring = ring_new(space->arena);
    ring_count_questions(space->ring, &space->ctx->counts.questions);
    for (int v = 0; v < ring_count(kernel->ring); v++)
        (void)ring_variable(space->ring, ring_name(kernel->ring, v));
    struct sas given = sas_join(space->arena, kernel->facts, space->region->conditions);
    space->initial = sas_empty(space->ring);
    for (size_t i = 0; i < given.count; i++) {
        struct constraint c = {space_poly(space, given.at[i].poly), given.at[i].relation};
        space->initial = sas_add(space->arena, space->initial, c);
    }
    for (int i = 0; i < space->n_counters; i++)
        if (!machine_join(m, m->symbols[i]))
            return false;
    space->n_fixed = ring_count(space->ring);
    return true;
}

/* Golden runs have no safe leaf in the tree (spec C-19), and without stages nobody drops them. */
static bool is_tried(const struct search_space *space, const struct strategy *strategy)
{
    if (strategy->family == FAMILY_DROP_STAGES)
        return space_may_stage(space);
    return !space->options->golden || !strategy->is_final;
}

/* sigma of a row as strategy numbers. */
static void sigma_read(const struct space_making *m, struct search_counter *to, const char *names)
{
    int *sigma = ARENA_ARRAY(m->space.arena, int, STRATEGY_COUNT);
    for (const char *at = names; *at;) {
        size_t length = strcspn(at, " ");
        int strategy = strategy_find(arena_strndup(m->space.arena, at, length));
        if (is_tried(&m->space, strategy_table(strategy)))
            sigma[to->n_sigma++] = strategy;
        at += length + (at[length] == ' ');
    }
    to->sigma = sigma;
}

static const struct search_counter *counters_fill(const struct space_making *m)
{
    struct search_counter *counters = ARENA_ARRAY(m->space.arena, struct search_counter,
                                                  m->space.n_counters + 1);
    for (int i = 0; i < m->space.n_counters; i++) {
        int symbol = m->symbols[i];
        const struct counter *row = counter_table(symbol);
        const struct poly *given = target_given(m, symbol);
        counters[i] = (struct search_counter){.name = row->name,
                                              .symbol = symbol,
                                              .is_resource = row->kind == COUNTER_RESOURCE,
                                              .limit = given ? given
                                                             : space_machine(&m->space, row->limit),
                                              .codes_registers = symbol == COUNTER_REGISTERS,
                                              .codes_staging = symbol == COUNTER_SHARED};
        sigma_read(m, &counters[i], row->sigma);
    }
    return counters;
}

const struct search_space *space_make(struct ctx *ctx, const struct region *region,
                                      const struct tree_options *options)
{
    struct space_making *m = ARENA_NEW(ctx->arena, struct space_making);
    m->space = (struct search_space){.ctx = ctx,
                                     .arena = ctx->arena,
                                     .region = region,
                                     .options = options,
                                     .rows_axis = strategy_coarsen_rows(ctx, region->kernel),
                                     .n_strategies = STRATEGY_COUNT,
                                     .strategies = strategy_table(0),
                                     .mode = options->mode,
                                     .sweep_always = options->golden,
                                     .max_accepted = options->golden ? 0 : SEARCH_ACCEPTED};
    if (!resources_choose(m) || !targets_choose(m) || !injections_check(m) || !ring_fill(m))
        return NULL;
    m->space.counters = counters_fill(m);
    return &m->space;
}

bool space_independent(const struct search_space *space)
{
    enum access_verdict verdict = space->region->legality.verdict;
    return verdict == ACCESS_PROVED || verdict == ACCESS_PROVED_UNDER;
}

bool space_may_stage(const struct search_space *space)
{
    return space->options->stages && !space->options->golden && space_independent(space);
}

bool space_forks_on(const struct search_space *space, int symbol)
{
    for (int i = 0; i < space->n_counters; i++)
        if (space->counters[i].symbol == symbol)
            return true;
    return false;
}

const struct poly *space_machine(const struct search_space *space, const char *name)
{
    int variable = ring_find(space->ring, name);
    return variable < 0 || !(space->machine >> variable & 1) ? NULL
                                                             : poly_variable(space->ring, variable);
}

const struct poly *space_poly(const struct search_space *space, const struct poly *p)
{
    int at[RING_CAPACITY];
    if (!p || poly_ring(p) == space->ring)
        return p;
    for (int v = 0; v < RING_CAPACITY; v++)
        at[v] = v;
    return poly_rename(space->ring, p, at);
}

int space_slot(const struct search_space *space, int slot)
{
    int variable = space->n_fixed + slot;
    if (variable >= RING_CAPACITY)
        return -1;
    while (ring_count(space->ring) <= variable)
        (void)ring_variable(space->ring,
                            arena_printf(space->arena, "$%d",
                                         ring_count(space->ring) - space->n_fixed + 1));
    return variable;
}

static void names_print(struct str *out, const struct search_space *space, bool machine)
{
    const char *between = machine ? "machine " : "region ";
    for (int v = 0; v < space->n_fixed; v++) {
        if ((space->machine >> v & 1) != machine)
            continue;
        str_addf(out, "%s%s", between, ring_name(space->ring, v));
        between = ", ";
    }
    str_char(out, '\n');
}

void space_print(struct str *out, const struct search_space *space)
{
    str_addf(out, "%s\n", space->region->name);
    names_print(out, space, false);
    names_print(out, space, true);
    for (size_t i = 0; i < space->initial.count; i++) {
        str_add(out, i ? ", " : "given ");
        constraint_print(out, space->initial.at[i], space->machine);
    }
    str_char(out, '\n');
    for (int i = 0; i < space->n_counters; i++) {
        const struct search_counter *counter = &space->counters[i];
        str_addf(out, "%s %s %s ", counter->is_resource ? "resource" : "target", counter->name,
                 counter->is_resource ? "<=" : ">=");
        poly_print(out, counter->limit);
        for (int k = 0; k < counter->n_sigma; k++)
            str_addf(out, "%s%s", k ? ", " : ": ", space->strategies[counter->sigma[k]].name);
        str_char(out, '\n');
    }
}
