/* Predicted times of leaves at a point: what generated programs compute (runtime/tables.c), here
   from the same figures without compiling anything.

   In: a tree, a machine, values of the parameters. Out: struct treefork_prediction of the runtime's
   model. A leaf has none where a figure is unknown or leaves its type; then a reason is given. */
#include "cli/predict.h"
#include "base/map.h"
#include "emit/rows.h"
#include "ir/interpret.h"
#include "ir/walk.h"
#include "optimizer/figures.h"
#include "runtime/joined.h"
#include <string.h>

struct evaluation {
    const struct figures *figures;
    int64_t point[RING_CAPACITY];        /* by the figures' ring */
    bool overflow;
};

static int64_t value_of(struct evaluation *e, const struct poly *p)
{
    int64_t value = 0;
    if (p && !poly_evaluate(p, e->point, &value))
        e->overflow = true;
    return value;
}

static bool evaluation_begin(struct evaluation *e, const struct tree *tree, const int64_t *point)
{
    const struct ring *ring = e->figures->ring;
    for (int v = 0; v < ring_count(ring); v++) {
        int own = ring_find(tree->ring, ring_name(ring, v));
        e->point[v] = own >= 0 ? point[own] : 0;
    }
    for (size_t i = 0; i < e->figures->n_auxiliaries; i++) {
        const struct auxiliary *a = e->figures->auxiliaries[i];
        if (!auxiliary_evaluate(a, e->point, &e->point[a->variable]))
            return false;
    }
    return true;
}

static bool is_made(const struct kernel *kernel, const struct figure_access *from,
                    const union value *values)
{
    union value holds;
    if (!from->branch || !expr_evaluate(kernel, from->branch, values, &holds))
        return true;
    return (holds.integer != 0) != from->branch_negated;
}

static struct treefork_access access_at(struct evaluation *e, const struct figure_access *from)
{
    struct treefork_access to = {.bytes = from->bytes,
                                 .shared = from->is_shared,
                                 .affine = from->is_affine,
                                 .leader = from->leader,
                                 .distance = value_of(e, from->distance),
                                 .phase = from->phase,
                                 .overlaps = from->overlaps,
                                 .address = from->address,
                                 .advance = from->advance,
                                 .in_loop = from->in_loop,
                                 .slopes = from->slopes,
                                 .waits = value_of(e, from->waits),
                                 .rounds = value_of(e, from->rounds),
                                 .n_axes = from->n_axes,
                                 .n_loops = from->n_loops};
    for (int i = 0; i < from->n_axes; i++) {
        to.extent[i] = value_of(e, from->axes[i].extent);
        to.stride[i] = value_of(e, from->axes[i].step);
    }
    for (int i = 0; i < from->n_loops; i++) {
        to.trip[i] = value_of(e, from->loops[i].extent);
        to.step[i] = value_of(e, from->loops[i].step);
    }
    return to;
}

static const union value *values_at(struct ctx *ctx, const struct tree *tree,
                                    const struct kernel *kernel, const int64_t *point)
{
    union value *values = ARENA_ARRAY(ctx->arena, union value, kernel->n_params + 1);
    for (int i = 0; i < kernel->n_params; i++) {
        int v = ring_find(tree->ring, kernel->params[i]->var->name);
        values[i].integer = v >= 0 ? point[v] : 0;
    }
    return values;
}

static int64_t product(const struct kernel *kernel, const struct axis *axes, int n,
                       const union value *values, bool *failed)
{
    int64_t product = 1;
    for (int i = 0; i < n; i++) {
        union value value = {0};
        if (!expr_evaluate(kernel, axes[i].extent, values, &value) ||
            __builtin_mul_overflow(product, value.integer > 0 ? value.integer : 0, &product))
            *failed = true;
    }
    return product;
}

/* The extent of the last axis; 0 if there is none. */
static int64_t width(const struct kernel *kernel, const struct axis *axes, int n,
                     const union value *values)
{
    union value value = {0};
    if (n == 0 || !expr_evaluate(kernel, axes[n - 1].extent, values, &value))
        return 0;
    return value.integer;
}

/* min(R_B, max(24, ceil8(estimate))), as the generated plan has it. */
static int64_t budget(const struct launch *launch, const struct treefork_machine *machine,
                      const int64_t *point)
{
    int64_t lo = 0, most = machine->value[TREEFORK_R_B] < 255 ? machine->value[TREEFORK_R_B] : 255,
            scaled, scale = 1;
    if (!launch->registers)
        return 0;
    for (; scale <= 64 && !poly_evaluate(poly_scale(launch->registers, scale, 1), point, &scaled);
         scale++)
        ;
    if (scale > 64)
        return most;
    lo = (scaled + scale - 1) / scale;
    lo = lo < 24 ? 24 : lo > 255 ? 255 : (lo + 7) / 8 * 8;
    return lo < most ? lo : most;
}

/* A kernel that runs with any block takes as many threads as are wanted and allowed. */
static int64_t clamped(const struct treefork_machine *machine, int64_t threads, int64_t registers)
{
    int64_t most = machine->value[TREEFORK_T_B], file = machine->value[TREEFORK_F_B];
    int64_t unit = machine->value[TREEFORK_W_B] * machine->value[TREEFORK_Q_B];
    if (file != TREEFORK_UNLIMITED && registers > 0 && file / registers / unit * unit < most)
        most = file / registers / unit * unit;
    threads = threads < most ? threads : most;
    return threads < 1 ? 1 : threads;
}

/* By array of the region's kernel: its number of elements, NULL for arrays that are not global or
   of unknown size. They are derived once per kernel, since a ranking asks at thousands
   of points. */
static const struct expr *const *extents_of(struct ctx *ctx, const struct kernel *kernel)
{
    if (!ctx->caches)
        ctx->caches = map_new(ctx->arena);
    const char *key = arena_printf(ctx->arena, "cli/predict %p", (const void *)kernel);
    const struct expr **extents = map_get(ctx->caches, key);
    if (extents)
        return extents;
    extents = ARENA_ARRAY(ctx->arena, const struct expr *, kernel->n_arrays + 1);
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_GLOBAL)
            extents[i] = access_extent(ctx, kernel, kernel->arrays[i]);
    map_put(ctx->caches, key, extents);
    return extents;
}

/* Does the device count the points of every strided band in int, as the runtime asks
   (runtime/tables.c)? A band whose extents the host cannot compute is not asked. */
static bool is_countable(struct ctx *ctx, const struct kernel *kernel, const union value *values)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, ctx->arena, kernel->body); s;
         s = stmt_next(&walk)) {
        bool failed = false;
        if (s->kind != STMT_BAND || !s->strided)
            continue;
        int64_t points = product(kernel, s->axes, s->n_axes, values, &failed);
        if (!failed && points > INT32_MAX - 65536)
            return false;
    }
    return true;
}

/* Bytes of all arrays together; 0 if they are not known, as runtime/tables.c has them. */
static int64_t footprint_at(struct ctx *ctx, const struct kernel *kernel, const union value *values,
                            bool *failed)
{
    const struct expr *const *extents = extents_of(ctx, kernel);
    int64_t sum = 0, bytes;
    bool overflow = false;
    for (int i = 0; i < kernel->n_arrays; i++) {
        union value count = {0};
        if (kernel->arrays[i]->space != SPACE_GLOBAL)
            continue;
        if (!extents[i] || !expr_evaluate(kernel, extents[i], values, &count) ||
            __builtin_mul_overflow(count.integer, (int64_t)type_bytes(kernel->arrays[i]->element),
                                   &bytes) ||
            bytes < 0)
            return 0;
        overflow |= __builtin_add_overflow(sum, bytes, &sum);
    }
    *failed |= overflow;
    return sum;
}

static const char *launch_predict(struct ctx *ctx, const struct tree *tree,
                                  const struct launch *launch,
                                  const struct treefork_machine *machine, const int64_t *point,
                                  struct launch_time *time)
{
    const struct kernel *kernel = launch->kernel;
    struct evaluation e = {.figures = launch->figures};
    if (e.figures->reason)
        return e.figures->reason;
    if (!evaluation_begin(&e, tree, point))
        return "a figure leaves 64 bits";
    const union value *values = values_at(ctx, tree, kernel, point);
    union value shared = {0};
    bool failed = kernel->shared_bytes &&
                  !expr_evaluate(kernel, kernel->shared_bytes, values, &shared);
    struct treefork_access *accesses = ARENA_ARRAY(ctx->arena, struct treefork_access,
                                                   e.figures->n_accesses + 1);
    for (size_t i = 0; i < e.figures->n_accesses; i++) {
        accesses[i] = access_at(&e, &e.figures->accesses[i]);
        accesses[i].rounds = is_made(kernel, &e.figures->accesses[i], values) ? accesses[i].rounds
                                                                              : 0;
    }
    struct treefork_figures f = {.blocks = product(kernel, kernel->grid, kernel->n_grid, values,
                                                   &failed),
                                 .threads = product(kernel, kernel->block, kernel->n_block, values,
                                                    &failed),
                                 .width = kernel_all_strided(kernel)
                                              ? 0
                                              : width(kernel, kernel->block, kernel->n_block,
                                                      values),
                                 .registers = budget(launch, machine, point),
                                 .shared_bytes = shared.integer,
                                 .floats = value_of(&e, e.figures->floats),
                                 .doubles = value_of(&e, e.figures->doubles),
                                 .instructions = value_of(&e, e.figures->instructions),
                                 .barriers = value_of(&e, e.figures->barriers),
                                 .alone = value_of(&e, e.figures->alone),
                                 .loops = rows_loops(ctx->arena, kernel),
                                 .footprint = footprint_at(ctx, tree->region->kernel, values,
                                                            &failed),
                                 .n_accesses = e.figures->n_accesses,
                                 .accesses = accesses};
    if (kernel_all_strided(kernel))
        f.threads = clamped(machine, f.threads, f.registers);
    if (e.overflow)
        return "a figure leaves 64 bits";
    if (failed)
        return "an extent leaves its type";
    if (!is_countable(ctx, kernel, values))
        return "an extent is too large";
    if (f.threads == 0)
        f.blocks = 0, f.threads = 1;
    time->figures = f;
    time->grid_width = width(kernel, kernel->grid, kernel->n_grid, values);
    return treefork_predict(machine, &f, &time->prediction) == TREEFORK_OK ? NULL
                                                                           : treefork_message();
}

const char *leaf_predict(struct ctx *ctx, const struct tree *tree, const struct variant *variant,
                         const struct treefork_machine *machine, const int64_t *point,
                         struct leaf_time *time)
{
    struct launch_time *launches = ARENA_ARRAY(ctx->arena, struct launch_time,
                                               variant->n_launches);
    for (size_t i = 0; i < variant->n_launches; i++) {
        const char *reason = launch_predict(ctx, tree, &variant->launches[i], machine, point,
                                            &launches[i]);
        if (reason)
            return reason;
        int64_t threads = launches[i].figures.threads;
        time->threads = i == 0 || threads < time->threads ? threads : time->threads;
        if (i == 0)
            time->prediction = launches[i].prediction;
        else if (treefork_joins_launches(machine) && variant->launches[i - 1].joined)
            treefork_prediction_join(machine, &time->prediction, &launches[i].prediction);
        else
            treefork_prediction_add(&time->prediction, &launches[i].prediction);
    }
    time->n_launches = variant->n_launches;
    time->launches = launches;
    return NULL;
}
