/* Kernels by key, values by kernel.

   In: a space and a key. Out: the kernel with the strategies of the key applied, its counters, what
   it needs. How: one loop over the rows of strategy.def, each of which hands on a draft; a draft
   depends on the levels of the rows up to it only, so that keys which begin alike share their
   drafts. Kernels of equal text are one entry, and share their values. Invariant: a kernel is a
   function of the key; each is made, verified and measured once.
   Source: design, "Search". */
#include "optimizer/store.h"
#include "base/progress.h"
#include "optimizer/strategies/rewrite.h"
#include <assert.h>
#include <string.h>

const struct array *store_droppable(struct store *store, int n)
{
    const struct region *region = store->space->region;
    if (!store->drops_known) {
        struct sas facts = sas_join(store->ctx->arena, region->kernel->facts, region->conditions);
        store->n_staged = strategy_drop_order(store->ctx, region->kernel, facts,
                                              store->space->options->golden, store->drop_order,
                                              DROPS);
        store->drops_known = true;
    }
    return n < store->n_staged ? region->kernel->arrays[store->drop_order[n]] : NULL;
}

bool store_splits(struct store *store)
{
    if (store->split_count == 0)
        store->split_count = strategy_split(store->ctx, store->space->region->kernel, 1).count;
    return store->split_count > 1;
}

bool store_has_lanes(const struct store *store, const struct kernel *kernel)
{
    return kernel->n_block > store->space->region->kernel->n_block;
}

/* --- drafts ----------------------------------------------------------------------------------- */

/* Where the region's own loops are not cut, those of its other forms are not either. */
static struct kernel_draft draft_begin(const struct store *store, bool symbolic)
{
    bool golden = store->space->options->golden;
    bool has_stages = space_forks_on(store->space, COUNTER_ASYNCHRONY);
    struct placement_options placement = {.stage = UINT64_MAX,
                                          .stage_streamed = golden,
                                          .pieces = !golden && space_forks_on(store->space,
                                                                             COUNTER_LOCKSTEP),
                                          .promote = true,
                                          .promote_symbolic = !symbolic,
                                          .batch = !store->space->options->golden,
                                          .stages = has_stages ? 2 : 1};
    return (struct kernel_draft){.kernel = store->space->region->kernel, .placement = placement};
}

/* Staging, promotion and barriers, or strided bands in their place. */
static struct kernel_draft draft_place(const struct store *store, struct kernel_draft draft)
{
    if (draft.strided) {
        draft.kernel = strategy_stride(store->ctx, draft.kernel);
        return draft;
    }
    draft.banded = draft.kernel;
    draft.kernel = strategy_place(store->ctx, draft.kernel, draft.placement);
    return draft;
}

/* The key as the rows before `row` see it. */
static struct key key_begin(struct key key, int row)
{
    struct key begin = {0};
    for (int i = 0; i < row; i++) {
        const struct strategy *strategy = strategy_table(i);
        if (key.level[strategy->family] == strategy->level)
            begin.level[strategy->family] = key.level[strategy->family];
    }
    return begin;
}

static bool is_last_banded(int row)
{
    return row + 1 < STRATEGY_COUNT && strategy_table(row)->form == FORM_BANDED &&
           strategy_table(row + 1)->form == FORM_PLACED;
}

/* Temporaries of the region that need no memory vanish. */
static struct kernel_parts parts_forward(struct store *store, struct kernel_parts parts)
{
    const struct region *region = store->space->region;
    if (store->space->options->golden || !space_independent(store->space))
        return parts;
    for (int i = 0; i < region->kernel->n_arrays; i++)
        if (region->is_unread && region->is_unread[i])
            parts = strategy_drop_unread(store->ctx, parts, region->kernel->arrays[i]);
    return parts;
}

/* The kernels of a banded draft: it is split, and the sums of each part get their form. */
static struct kernel_parts draft_parts(struct store *store, const struct kernel_draft *draft)
{
    struct reduce_options options = {.is_shared = !draft->strided,
                                     .has_copies = draft->placement.stage != 0,
                                     .whole = draft->kernel};
    if (draft->placement.pieces && draft->placement.stage && !draft->strided && !draft->split)
        options.whole = strategy_own_threads(store->ctx, options.whole);
    options.whole = strategy_own_lanes(store->ctx, options.whole);
    struct kernel_parts all = {0}, split = strategy_split(store->ctx, options.whole, draft->split);
    for (int i = 0; i < split.count; i++) {
        struct kernel_parts parts = strategy_reduce(store->ctx, split.at[i], options);
        for (int k = 0; k < parts.count; k++)
            all.at[all.count++] = parts.at[k];
    }
    return parts_forward(store, all);
}

/* A banded draft that becomes several kernels: each of them placed, the asked one returned. */
static struct kernel_draft parts_place(struct store *store, struct drafting drafting)
{
    struct kernel_draft draft = drafting.draft, asked = draft;
    struct kernel_parts parts = draft_parts(store, &draft);
    int part = drafting.part;
    for (int i = 0; i < parts.count; i++) {
        draft.kernel = parts.at[i];
        draft.n_parts = parts.count;
        drafting.part = i;
        drafting.draft = draft_place(store, draft);
        vec_push(store->ctx->arena, &store->drafts, drafting);
        if (i == part)
            asked = drafting.draft;
    }
    return asked;
}

/* The draft of a part after the first `count` rows; up to placement there is one part. */
static struct kernel_draft draft_make(struct store *store, struct key key, int part, bool symbolic,
                                      int count)
{
    if (count == 0)
        return draft_begin(store, symbolic);
    const struct strategy *row = strategy_table(count - 1);
    bool applied = key.level[row->family] == row->level, placed = is_last_banded(count - 1);
    if (row->form == FORM_BANDED && !placed)
        part = 0;
    if (!applied && !placed)
        return draft_make(store, key, part, symbolic, count - 1);
    struct key begin = key_begin(key, count);
    for (size_t i = 0; i < store->drafts.count; i++) {
        const struct drafting *known = &store->drafts.at[i];
        if (known->row == count && known->part == part && known->symbolic == symbolic &&
            key_equal(known->key, begin))
            return known->draft;
    }
    struct kernel_draft draft = draft_make(store, key, part, symbolic, count - 1);
    if (applied)
        draft = row->apply(store, draft, row->level);
    struct drafting drafting = {count, part, begin, symbolic, draft};
    if (placed)
        return parts_place(store, drafting);
    vec_push(store->ctx->arena, &store->drafts, drafting);
    return draft;
}

/* --- kernels ---------------------------------------------------------------------------------- */

/* A kernel's text with its level of register pressure. The ring in it lists the region's
   parameters, so it is the same for all kernels of the store. */
static const char *kernel_text(struct arena *arena, const struct kernel *kernel)
{
    struct str text = str_new(arena);
    kernel_print(&text, kernel);
    str_addf(&text, "\npressure %d\n", kernel->pressure);
    return text.text;
}

struct kernel_entry *store_entry(struct store *store, const struct kernel *kernel)
{
    for (size_t i = 0; i < store->entries.count; i++)
        if (store->entries.at[i]->kernel == kernel)
            return store->entries.at[i];
    const char *text = kernel_text(store->ctx->arena, kernel);
    for (size_t i = 0; i < store->entries.count; i++)
        if (strcmp(store->entries.at[i]->text, text) == 0)
            return store->entries.at[i];
    struct kernel_entry *entry = ARENA_NEW(store->ctx->arena, struct kernel_entry);
    entry->kernel = kernel;
    entry->text = text;
    vec_push(store->ctx->arena, &store->entries, entry);
    return entry;
}

/* Equal lists are one, so that they are compared by their place. */
static struct part_list *parts_known(struct store *store, const struct part_list *parts)
{
    for (size_t i = 0; i < store->parts.count; i++) {
        struct part_list *known = store->parts.at[i];
        bool is_equal = known->count == parts->count;
        for (int k = 0; k < parts->count && is_equal; k++)
            is_equal = known->at[k] == parts->at[k];
        if (is_equal)
            return known;
    }
    struct part_list *new = ARENA_NEW(store->ctx->arena, struct part_list);
    *new = *parts;
    vec_push(store->ctx->arena, &store->parts, new);
    return new;
}

static bool parts_are_symbolic(const struct part_list *parts)
{
    for (int i = 0; i < parts->count; i++)
        if (kernel_has_symbolic_private(parts->at[i]->kernel))
            return true;
    return false;
}

struct part_list *store_parts(struct store *store, struct key key, bool symbolic)
{
    struct part_list *bound = symbolic ? store_parts(store, key, false) : NULL, made = {0};
    if (symbolic && (!bound || !parts_are_symbolic(bound)))
        return bound;
    for (size_t i = 0; i < store->builds.count; i++)
        if (store->builds.at[i].symbolic == symbolic && key_equal(store->builds.at[i].key, key))
            return store->builds.at[i].parts;
    int count = 1;
    for (int i = 0; i < count; i++) {
        enum cost outer = cost_switch(store, COST_KERNELS);
        struct kernel_draft draft = draft_make(store, key, i, symbolic, STRATEGY_COUNT);
        cost_switch(store, outer);
        if (!draft.kernel || !kernel_verify(store->ctx, draft.kernel))
            return NULL;
        made.at[made.count++] = store_entry(store, draft.kernel);
        count = draft.n_parts;
        store->ctx->counts.kernels++;
        progress_tick(store->ctx);
    }
    struct part_list *parts = parts_known(store, &made);
    vec_push(store->ctx->arena, &store->builds, ((struct build){key, symbolic, parts}));
    return parts;
}

struct kernel_entry *store_kernel(struct store *store, struct key key, int part, bool symbolic)
{
    struct part_list *parts = store_parts(store, key, symbolic);
    return parts && part < parts->count ? parts->at[part] : NULL;
}

/* --- counters --------------------------------------------------------------------------------- */

/* The numbers given for a counter (golden runs); NULL if it is to be evaluated. */
static const struct injection *injection_of(const struct store *store, int symbol)
{
    const struct tree_options *options = store->space->options;
    for (size_t i = 0; i < options->n_injections; i++)
        if (strcmp(options->injections[i].counter, counter_table(symbol)->name) == 0)
            return &options->injections[i];
    return NULL;
}

static const struct counter_value *value_injected(struct store *store, int symbol,
                                                  const struct injection *injection, bool reduced)
{
    const struct counter_value **known = &store->injected[symbol][reduced];
    if (*known)
        return *known;
    struct counter_value *value = ARENA_NEW(store->ctx->arena, struct counter_value);
    *value = value_constant(store, reduced ? injection->reduced : injection->unreduced,
                            COUNTER_INJECTED);
    return *known = value;
}

/* A reported value over a ring that stays. */
static struct counter_value value_kept(struct store *store, const struct counter_value *value)
{
    struct arena *arena = store->ctx->arena;
    if (value->count == 0 || poly_ring(value->pieces[0].numerator) == store->space->ring)
        return *value;
    struct ring *from = poly_ring(value->pieces[0].numerator), *ring = ring_new(arena);
    int at[RING_CAPACITY] = {0};
    for (int v = 0; v < ring_count(from); v++)
        at[v] = ring_variable(ring, ring_name(from, v));
    struct counter_value kept = value_rename(arena, ring, value, at);
    const struct auxiliary **auxiliaries = ARENA_ARRAY(arena, const struct auxiliary *,
                                                       value->n_auxiliary + 1);
    for (size_t i = 0; i < value->n_auxiliary; i++)
        auxiliaries[i] = auxiliary_rename(arena, ring, value->auxiliaries[i], at);
    kept.auxiliaries = auxiliaries;
    return kept;
}

/* Most polynomials on the way to a reported value serve it alone: their ring goes when it
   is known. */
static struct counter_value counter_evaluate(struct store *store, const struct kernel *kernel,
                                             int symbol)
{
    if (space_forks_on(store->space, symbol))
        return counter_table(symbol)->evaluate(store, kernel);
    store->scratch = arena_new();
    struct counter_value value = counter_table(symbol)->evaluate(store, kernel);
    assert(!value.goal);
    value = value_kept(store, &value);
    arena_free(store->scratch);
    store->scratch = NULL;
    return value;
}

/* NULL after a diagnostic. */
static const struct counter_value *entry_value(struct store *store, struct kernel_entry *entry,
                                               int symbol)
{
    if (entry->values[symbol])
        return entry->values[symbol];
    struct counter_value *value = ARENA_NEW(store->ctx->arena, struct counter_value);
    enum cost outer = cost_switch(store, COST_COUNTERS);
    *value = counter_evaluate(store, entry->kernel, symbol);
    cost_switch(store, outer);
    if (value->count == 0 && counter_table(symbol)->kind == COUNTER_RESOURCE)
        return NULL;
    return entry->values[symbol] = value;
}

/* The value of the first part, joined with those of all others. NULL after a diagnostic. */
static const struct counter_value *parts_value(struct store *store, struct part_list *parts,
                                               int symbol)
{
    const struct counter_value **known = &parts->values[symbol],
                               *value = entry_value(store, parts->at[0], symbol);
    if (*known)
        return *known;
    for (int i = 1; i < parts->count; i++) {
        const struct counter_value *next = entry_value(store, parts->at[i], symbol);
        if (!value || !next)
            return NULL;
        enum cost outer = cost_switch(store, COST_COUNTERS);
        value = value_join(store, counter_table(symbol), value, next, i);
        cost_switch(store, outer);
    }
    return *known = value;
}

/* Each device has the windows of all launches. */
static const struct counter_value *parts_parted(struct store *store, struct part_list *parts)
{
    struct counter_value *value = ARENA_NEW(store->ctx->arena, struct counter_value);
    if (!parts->parted) {
        enum cost outer = cost_switch(store, COST_COUNTERS);
        *value = device_words_parted(store, parts);
        cost_switch(store, outer);
        parts->parted = value->count ? value : NULL;
    }
    return parts->parted;
}

const struct counter_value *store_counter(struct store *store, struct key key, int symbol)
{
    struct part_list *parts = store_parts(store, key, false);
    const struct injection *injection = injection_of(store, symbol);
    if (!parts)
        return NULL;
    if (injection)
        return value_injected(store, symbol, injection, key.level[FAMILY_GRANULARITY] > 0);
    if (symbol == COUNTER_DEVICE_WORDS && key.level[FAMILY_PARTITION])
        return parts_parted(store, parts);
    return parts_value(store, parts, symbol);
}

const struct poly *store_target(const struct store *store, int symbol)
{
    for (int i = 0; i < store->space->n_counters; i++)
        if (store->space->counters[i].symbol == symbol)
            return store->space->counters[i].limit;
    return NULL;
}

/* --- auxiliary integers ----------------------------------------------------------------------- */

/* With integer coefficients, so that it can be evaluated at every integer point. */
static struct auxiliary definition_clear(const struct auxiliary *given)
{
    struct auxiliary clear = *given;
    int64_t scales[2] = {poly_denominator(clear.numerator), poly_denominator(clear.denominator)};
    for (int i = 0; i < 2; i++)
        if (scales[i] > 1) {
            clear.numerator = poly_scale(clear.numerator, scales[i], 1);
            clear.denominator = poly_scale(clear.denominator, scales[i], 1);
        }
    return clear;
}

static bool definition_equal(const struct definition *a, const struct definition *b)
{
    bool same_cap = a->cap == b->cap || (a->cap && b->cap && poly_equal(a->cap, b->cap));
    if (strcmp(a->stem, b->stem) != 0 || a->operands.count != b->operands.count)
        return false;
    for (int i = 0; i < a->operands.count; i++)
        if (a->operands.at[i] != b->operands.at[i])
            return false;
    return same_cap && a->form == b->form && a->multiple == b->multiple && a->floor == b->floor &&
           a->least == b->least && poly_equal(a->numerator, b->numerator) &&
           poly_equal(a->denominator, b->denominator);
}

const struct definition *store_definition(struct store *store, const char *stem,
                                          const struct auxiliary *given, struct slots slots)
{
    const struct search_space *space = store->space;
    struct arena *arena = store->ctx->arena;
    struct auxiliary clear = definition_clear(given);
    const struct definition **operands = ARENA_ARRAY(arena, const struct definition *,
                                                     slots.count + 1);
    int at[RING_CAPACITY], n = 0;
    for (int v = 0; v < RING_CAPACITY; v++)
        at[v] = v;
    for (int i = 0; i < slots.count; i++) {
        int variable = space_slot(space, i);
        if (!auxiliary_uses(&clear, variable))
            continue;
        at[variable] = space_slot(space, n);
        operands[n++] = slots.at[i];
    }
    struct definition *new = ARENA_NEW(arena, struct definition);
    *new = (struct definition){.stem = stem,
                               .form = clear.form,
                               .numerator = poly_rename(space->ring, clear.numerator, at),
                               .denominator = poly_rename(space->ring, clear.denominator, at),
                               .cap = poly_rename(space->ring, clear.cap, at),
                               .multiple = clear.multiple,
                               .floor = clear.floor,
                               .least = clear.least,
                               .operands = {n, operands}};
    for (size_t i = 0; i < store->definitions.count; i++)
        if (definition_equal(store->definitions.at[i], new))
            return store->definitions.at[i];
    vec_push(arena, &store->definitions, new);
    return new;
}

/* --- requirements ----------------------------------------------------------------------------- */

/* That c divides e is no inequality; with the bounded auxiliary integer d = ceil(e/c) it is c*d <=
   e, which the dispatcher decides exactly and of which the solver knows e <= c*d <= e + c - 1.
   Extents of blocks are never negative. */
static struct requirement divisibility(struct store *store, const struct divisible *fact)
{
    const struct search_space *space = store->space;
    const struct poly *value = space_poly(space, fact->value);
    struct auxiliary given = {.numerator = value,
                              .denominator = poly_integer(space->ring, fact->divisor),
                              .multiple = 1};
    const struct definition **at = ARENA_NEW(store->ctx->arena, const struct definition *);
    *at = store_definition(store, "d", &given, (struct slots){0});
    const struct poly *rounded = poly_scale(poly_variable(space->ring, space_slot(space, 0)),
                                            fact->divisor, 1);
    return (struct requirement){constraint_make(rounded, RELATION_LE, value), {1, at}};
}

/* Does a fact of the first n kernels say as much? */
static bool fact_among(const struct divisible *fact, const struct part_list *parts, int n)
{
    for (int k = 0; k < n; k++) {
        const struct kernel *kernel = parts->at[k]->kernel;
        for (int i = 0; i < kernel->n_divisible; i++)
            if (kernel->divisible[i].divisor % fact->divisor == 0 &&
                poly_equal(kernel->divisible[i].value, fact->value))
                return true;
    }
    return false;
}

static size_t requirements_make(struct store *store, const struct part_list *parts,
                                const struct part_list *without,
                                const struct requirement **requirements)
{
    VEC(struct requirement) made = {0};
    for (int k = 0; k < parts->count; k++) {
        const struct kernel *kernel = parts->at[k]->kernel;
        for (int i = 0; i < kernel->n_divisible; i++) {
            const struct divisible *fact = &kernel->divisible[i];
            if (!fact_among(fact, without, without ? without->count : 0) &&
                !fact_among(fact, parts, k))
                vec_push(store->ctx->arena, &made, divisibility(store, fact));
        }
    }
    *requirements = made.at;
    return made.count;
}

size_t store_parts_requirements(struct store *store, const struct part_list *parts,
                                const struct requirement **requirements)
{
    return requirements_make(store, parts, NULL, requirements);
}

/* --- what the search asks --------------------------------------------------------------------- */

static const struct counter_value *region_value(struct store *store, struct key key, int counter)
{
    return store_counter(store, key, store->space->counters[counter].symbol);
}

static bool parts_are_staged(const struct part_list *parts)
{
    for (int i = 0; i < parts->count; i++)
        if (parts->at[i]->kernel->shared_bytes)
            return true;
    return false;
}

/* The kernels that a row would rewrite, as far as its `applies` looks: points are multiplied before
   loads become wide. */
static const struct part_list *region_before(struct store *store, struct key key,
                                         const struct strategy *row)
{
    const struct part_list *now = store_parts(store, key, false);
    bool is_before = row->family == FAMILY_COARSEN_Y || row->family == FAMILY_COARSEN_X;
    if (!now || !parts_are_staged(now) || !is_before || !key.level[FAMILY_WIDE])
        return now;
    key.level[FAMILY_WIDE] = 0;
    return store_parts(store, key, false);
}

/* May the row be applied to one kernel at least? */
static bool row_applies(struct store *store, const struct strategy *row,
                        const struct part_list *parts)
{
    if (!row->applies)
        return true;
    for (int i = 0; i < parts->count; i++)
        if (row->applies(store, parts->at[i]->kernel))
            return true;
    return false;
}

static bool region_applies(struct store *store, struct key key, int strategy)
{
    const struct strategy *row = &store->space->strategies[strategy];
    if (store->space->options->golden && !row->in_paper)
        return false;
    const struct part_list *now = store_parts(store, key, false),
                       *before = row->applies ? region_before(store, key, row) : now;
    if (!now || !before || !row_applies(store, row, before))
        return false;
    if (!row->must_change)
        return true;
    const struct part_list *then = key_has(key, row) ? now
                                                 : store_parts(store, key_with(key, row), false);
    return then && then != now;
}

static bool region_is_staged(struct store *store, struct key key)
{
    const struct part_list *parts = store_parts(store, key, false);
    return parts && parts_are_staged(parts);
}

struct requirement store_partition_requirement(const struct store *store)
{
    const struct poly *two = poly_integer(store->space->ring, 2);
    struct constraint several = constraint_make(two, RELATION_LE,
                                                space_machine(store->space, "N_D"));
    return (struct requirement){.holds = several};
}

static size_t region_requirements(struct store *store, struct key key, int strategy,
                                  const struct requirement **requirements)
{
    if (store->space->strategies[strategy].family == FAMILY_PARTITION) {
        struct requirement *several = ARENA_NEW(store->ctx->arena, struct requirement);
        *several = store_partition_requirement(store);
        *requirements = several;
        return 1;
    }
    const struct part_list *before = store_parts(store, key, false);
    const struct part_list *after =
        store_parts(store, key_with(key, &store->space->strategies[strategy]), false);
    return before && after ? requirements_make(store, after, before, requirements) : 0;
}

struct store *store_new(const struct search_space *space)
{
    static const struct store_source REGION = {region_value, region_applies, region_is_staged,
                                               region_requirements};
    struct store *store = ARENA_NEW(space->arena, struct store);
    store->space = space;
    store->ctx = space->ctx;
    store->source = &REGION;
    return store;
}

const struct counter_value *store_value(struct store *store, struct key key, int counter)
{
    return store->source->value(store, key, counter);
}

bool store_applies(struct store *store, struct key key, int strategy)
{
    return store->source->applies(store, key, strategy);
}

bool store_is_staged(struct store *store, struct key key)
{
    return store->source->is_staged(store, key);
}

size_t store_requirements(struct store *store, struct key key, int strategy,
                          const struct requirement **requirements)
{
    if (!store->source->requirements)
        return 0;
    return store->source->requirements(store, key, strategy, requirements);
}
