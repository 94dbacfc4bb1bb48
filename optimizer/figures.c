/* The figures of a kernel for the model of predicted time.

   In: any kernel. Out: operations as instructions (a product and what it is added to are one where
   --contract fuses them, subscripts are left out, since addresses are stepped), and the references
   of ir/access/list.h with their steps in bytes. References of one array with the same steps follow
   the first of them, whose lines they find in the cache.
   Branches that are seldom taken are left out.
   Invariant: every polynomial is over figures->ring; upper bounds where the counts are.
   Source: docs/counters.md. */
#include "optimizer/figures.h"
#include "optimizer/counters/work.h"

/* As many as struct treefork_access and its users have room for. */
enum { FIGURE_AXES = 4, FIGURE_ACCESSES = 64 };

static const struct figure_axis *figure_axes(struct arena *arena, const struct list_axis *axes,
                                             int n, int bytes, bool backwards)
{
    struct figure_axis *result = ARENA_ARRAY(arena, struct figure_axis, n + 1);
    for (int i = 0; i < n; i++) {
        const struct list_axis *axis = &axes[backwards ? n - 1 - i : i];
        result[i] = (struct figure_axis){axis->extent, axis->coefficient
                                                           ? poly_scale(axis->coefficient, bytes, 1)
                                                           : NULL};
    }
    return result;
}

static bool axes_equal(const struct figure_axis *a, const struct figure_axis *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!a[i].step || !b[i].step || !poly_equal(a[i].step, b[i].step) ||
            !poly_equal(a[i].extent, b[i].extent))
            return false;
    return true;
}

static bool walks_alike(const struct figure_access *a, const struct figure_access *b)
{
    return a->array == b->array && a->bytes == b->bytes && a->is_affine && b->is_affine &&
           a->n_axes == b->n_axes && a->n_loops == b->n_loops &&
           axes_equal(a->axes, b->axes, a->n_axes) && axes_equal(a->loops, b->loops, a->n_loops);
}

/* The loops of a thread around a load, the innermost first: are they unrolled? */
enum { PATH_MAX_LOOPS = 16 };
struct load_path {
    const struct expr *load;
    int depth, count;                    /* count: -1 = not found */
    bool stack[PATH_MAX_LOOPS], unrolled[PATH_MAX_LOOPS];
};

static void path_walk(struct load_path *path, const struct stmt *s)
{
    int depth = path->depth;
    if (stmt_holds_expr(s, path->load)) {
        path->count = depth;
        for (int i = 0; i < depth; i++)
            path->unrolled[i] = path->stack[depth - 1 - i];
    }
    if (s->kind == STMT_BAND)
        path->depth = 0;
    else if (s->kind == STMT_FOR && depth < PATH_MAX_LOOPS)
        path->stack[path->depth++] = s->unroll;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            path_walk(path, s->children[i]);
    path->depth = depth;
}

/* A load that loops of a thread repeat is made once, if only unrolled loops stand between it and
   them: they are left out of its loops and rounds. */
static void hoist(struct scope *scope, const struct list_access *from, struct figure_access *to)
{
    struct load_path path = {.load = from->reference.load, .count = -1};
    struct figure_axis *kept = ARENA_ARRAY(scope->store->ctx->arena, struct figure_axis,
                                           to->n_loops + 1);
    int count = 0;
    bool reached = true;
    if (!from->band || !to->is_affine)
        return;
    path_walk(&path, scope->kernel->body);
    to->rounds = poly_integer(scope->ring, 1);
    for (int i = 0; i < to->n_loops; i++) {
        bool own = i < path.count, repeats = own && reached && poly_is_zero(to->loops[i].step);
        reached &= repeats || (own && path.unrolled[i]);
        if (repeats)
            continue;
        kept[count++] = to->loops[i];
        to->rounds = to->rounds ? poly_mul(to->rounds, to->loops[i].extent) : NULL;
    }
    to->loops = kept;
    to->n_loops = count;
}

/* False if an extent is unknown. */
static bool figure_access(struct scope *scope, const struct list_access *from,
                          struct figure_access *to)
{
    struct arena *arena = scope->store->ctx->arena;
    *to = (struct figure_access){.array = from->reference.array,
                                 .rounds = from->rounds,
                                 .n_axes = from->n_axes,
                                 .is_shared = from->reference.array->space == SPACE_SHARED,
                                 .is_affine = from->is_affine};
    to->branch = from->branch;
    to->branch_negated = from->branch_negated;
    to->bytes = (int)from->bytes * from->width;
    to->axes = figure_axes(arena, from->axes, from->n_axes, (int)from->bytes, false);
    to->n_loops = from->n_loops;
    to->loops = figure_axes(arena, from->loops, from->n_loops, (int)from->bytes, true);
    bool known = to->rounds && to->n_axes <= FIGURE_AXES;
    for (int i = 0; i < to->n_axes; i++) {
        known &= to->axes[i].extent != NULL;
        to->is_affine &= to->axes[i].step != NULL;
    }
    for (int i = 0; i < to->n_loops; i++) {
        known &= to->loops[i].extent != NULL;
        to->is_affine &= to->loops[i].step != NULL;
    }
    if (known && !from->reference.is_write)
        hoist(scope, from, to);
    to->n_loops = to->n_loops < FIGURE_AXES ? to->n_loops : FIGURE_AXES;
    return known && to->rounds;
}

/* Is load i the same as an earlier one of its band, with no store to the array there? Then it is
   made once for both. */
static bool is_repeated(const struct list_access *list, const struct figure_access *figures,
                        size_t count, size_t i)
{
    const struct list_access *own = &list[i];
    bool repeated = false;
    if (own->reference.is_write || !own->constant || !own->is_affine)
        return false;
    for (size_t k = 0; k < count; k++) {
        const struct list_access *other = &list[k];
        if (other->reference.array != own->reference.array || other->band != own->band)
            continue;
        if (other->reference.is_write)
            return false;
        repeated |= k < i && other->constant && poly_equal(other->constant, own->constant) &&
                    walks_alike(&figures[k], &figures[i]);
    }
    return repeated;
}

static bool figures_accesses(struct scope *scope, struct figures *figures)
{
    figures->ring = scope->ring;
    const struct list_access *list;
    size_t count = scope_accesses(scope, &list);
    struct figure_access *accesses = ARENA_ARRAY(scope->store->ctx->arena, struct figure_access,
                                                 count + 1);
    if (count > FIGURE_ACCESSES)
        scope->reason = "too many references";
    for (size_t i = 0; i < count && !scope->reason; i++) {
        if (!figure_access(scope, &list[i], &accesses[i]))
            scope->reason = scope->reason ? scope->reason
                                          : "how often an array is touched depends on data";
        accesses[i].leader = (int)i;
        for (size_t k = i; k-- > 0;)
            if (!scope->reason && walks_alike(&accesses[k], &accesses[i]))
                accesses[i].leader = (int)k;
        if (!scope->reason && is_repeated(list, accesses, count, i))
            accesses[i].rounds = poly_integer(scope->ring, 0);
    }
    figures->n_accesses = count;
    figures->accesses = accesses;
    return !scope->reason;
}

static const struct stmt *drop_rare(void *state, const struct stmt *s)
{
    return s->kind == STMT_IF && s->rare ? stmt_if(state, s->value, s->children[0], NULL) : s;
}

/* The kernel without the branches that are seldom taken. */
static const struct kernel *kernel_usual(struct arena *arena, const struct kernel *kernel)
{
    const struct stmt *body = stmt_rewrite(arena, kernel->body, drop_rare, arena);
    if (body == kernel->body)
        return kernel;
    struct kernel *usual = kernel_copy(arena, kernel);
    usual->body = body;
    return usual;
}

const struct figures *figures_fill(struct scope *scope)
{
    scope->kernel = kernel_usual(scope->store->ctx->arena, scope->kernel);
    struct figures *figures = ARENA_NEW(scope->store->ctx->arena, struct figures);
    struct work work;
    if (work_count(scope, &work) && figures_accesses(scope, figures)) {
        bool fuses = scope->store->ctx->contract;
        figures->floats = fuses ? poly_sub(work.at[WORK_FLOAT], work.at[WORK_FUSED_FLOAT])
                                : work.at[WORK_FLOAT];
        figures->doubles = fuses ? poly_sub(work.at[WORK_DOUBLE], work.at[WORK_FUSED_DOUBLE])
                                 : work.at[WORK_DOUBLE];
        figures->integers = poly_sub(work.at[WORK_INTEGER], work.at[WORK_ADDRESS]);
        figures->special = work.at[WORK_SPECIAL];
        figures->rounds = work.at[WORK_ROUNDS];
        figures->barriers = work.at[WORK_BARRIERS];
    }
    figures->reason = scope->reason;
    figures->ring = scope->ring;
    figures->n_auxiliaries = scope->auxiliaries.count;
    figures->auxiliaries = scope->auxiliaries.at;
    return figures;
}

const struct figures *figures_make(struct store *store, const struct kernel *kernel)
{
    struct scope scope = scope_new(store, kernel, COUNTER_TIME);
    return figures_fill(&scope);
}
