/* The figures of a kernel for the model of predicted time.

   In: any kernel. Out: its instructions (a product and what it is added to are one where --contract
   fuses them; subscripts are left out, since addresses are stepped: instruction.def says what the
   emitted code spends beside operations), and the references of ir/access/list.h with their steps
   in bytes. References of one array with the same steps follow the first of them, each at its
   distance, so that what they touch together can be told. Loads that wait at once have one phase.
   Branches that are seldom taken are left out, but for the instructions of those that threads take
   whose points lie on both sides of a condition over two axes (optimizer/rare.h).
   Invariant: every polynomial is over figures->ring; upper bounds where the counts are.
   Source: docs/counters.md. */
#include "optimizer/figures.h"
#include "ir/walk.h"
#include "optimizer/counters/work.h"
#include "optimizer/phases.h"
#include "optimizer/rare.h"

enum {
#define X(symbol, instructions, meaning, source) symbol = instructions,
#include "optimizer/instruction.def"
#undef X
};
/* As many as struct treefork_access and its users have room for. */
enum { FIGURE_AXES = 4, FIGURE_ACCESSES = 128 };
/* The most rounds of a loop that windows are looked for in. */
enum { SHARED_ROUNDS = 32 };

static struct figure_axis *figure_axes(struct arena *arena, const struct list_axis *axes,
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

/* The loops around a reference, innermost last; rounds that depend on data are guessed. */
static const struct figure_axis *figure_loops(struct scope *scope, const struct list_access *from,
                                              const struct poly **rounds)
{
    struct figure_axis *loops = figure_axes(scope->store->ctx->arena, from->loops, from->n_loops,
                                            (int)from->bytes, true);
    const struct poly *guess = poly_integer(scope->ring, ROUNDS_GUESS), *product = NULL;
    for (int i = 0; i < from->n_loops; i++) {
        loops[i].extent = loops[i].extent ? loops[i].extent : guess;
        product = product ? poly_mul(product, loops[i].extent) : loops[i].extent;
    }
    if (!*rounds)
        *rounds = product ? product : guess;
    return loops;
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
           !a->waits == !b->waits && a->n_axes == b->n_axes && a->n_loops == b->n_loops &&
           axes_equal(a->axes, b->axes, a->n_axes) && axes_equal(a->loops, b->loops, a->n_loops);
}

/* Have the references the same subscripts, variable by variable? */
static bool subscripts_equal(const struct reference *a, const struct reference *b)
{
    const struct expr *const *x = a->load ? a->load->arguments : a->store->indices;
    const struct expr *const *y = b->load ? b->load->arguments : b->store->indices;
    return exprs_equal(x, y, a->array->n_dims);
}

/* Bytes from the place of a to that of b, which walk alike, in *distance (NULL = 0); false if it is
   not known. */
static bool distance_find(const struct list_access *a, const struct list_access *b,
                          const struct poly **distance)
{
    *distance = NULL;
    if (!a->usual || !b->usual)
        return subscripts_equal(&a->reference, &b->reference);
    if (!poly_equal(a->usual, b->usual))
        *distance = poly_scale(poly_sub(b->usual, a->usual), b->bytes, 1);
    return true;
}

/* A load that loops of a thread repeat is made once, if only unrolled loops stand between it and
   them: they are left out of its loops and rounds. A thread waits once for all rounds of
   unrolled loops. */
static void hoist(struct scope *scope, const struct phase *phase, struct figure_access *to)
{
    struct figure_axis *kept = ARENA_ARRAY(scope->store->ctx->arena, struct figure_axis,
                                           to->n_loops + 1);
    int count = 0;
    bool reached = true;
    to->waits = to->rounds = poly_integer(scope->ring, 1);
    for (int i = 0; i < to->n_loops; i++) {
        bool own = i < phase->n_loops, unrolled = own && phase->unrolled[i];
        bool repeats = own && reached && to->loops[i].step && poly_is_zero(to->loops[i].step);
        reached &= repeats || unrolled;
        if (repeats)
            continue;
        to->unrolled |= unrolled && count < FIGURE_AXES ? 1u << count : 0;
        kept[count++] = to->loops[i];
        to->rounds = to->rounds ? poly_mul(to->rounds, to->loops[i].extent) : NULL;
        if (!unrolled)
            to->waits = to->waits ? poly_mul(to->waits, to->loops[i].extent) : NULL;
    }
    to->loops = kept;
    to->n_loops = count;
}

/* False if an extent is unknown. */
static bool figure_access(struct scope *scope, const struct list_access *from,
                          const struct phase *phase, struct figure_access *to)
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
    to->loops = figure_loops(scope, from, &to->rounds);
    bool known = to->rounds && to->n_axes <= FIGURE_AXES;
    for (int i = 0; i < to->n_axes; i++) {
        known &= to->axes[i].extent != NULL;
        to->is_affine &= to->axes[i].step != NULL;
    }
    for (int i = 0; i < to->n_loops; i++) {
        to->is_affine &= to->loops[i].step != NULL;
    }
    if (known && !from->reference.is_write && from->band && to->is_affine)
        hoist(scope, phase, to);
    else if (!from->reference.is_write)
        to->waits = to->rounds;
    to->phase = phase->number;
    to->overlaps = to->n_loops > 0 ? phase->overlaps : 0;
    to->slopes = to->n_loops > 0 ? phase->slopes : 0;
    to->n_loops = to->n_loops < FIGURE_AXES ? to->n_loops : FIGURE_AXES;
    return known && to->rounds;
}

static bool branches_alike(const struct figure_access *a, const struct figure_access *b)
{
    if (!a->branch || !b->branch)
        return a->branch == b->branch;
    return a->branch_negated == b->branch_negated && expr_equal(a->branch, b->branch);
}

/* Is the array of reference i written in its band? */
static bool band_writes_array(const struct list_access *list, size_t count, size_t i)
{
    for (size_t k = 0; k < count; k++)
        if (list[k].reference.is_write && list[k].band == list[i].band &&
            list[k].reference.array == list[i].reference.array)
            return true;
    return false;
}

/* Is load i the same as an earlier one of its band and branch, with no store to the array there?
   Then it is made once for both. */
static bool is_repeated(const struct list_access *list, const struct figure_access *figures,
                        size_t count, size_t i)
{
    const struct list_access *own = &list[i];
    bool repeated = false;
    if (own->reference.is_write || !own->constant || !own->is_affine ||
        band_writes_array(list, count, i))
        return false;
    for (size_t k = 0; k < i; k++) {
        const struct list_access *other = &list[k];
        if (other->reference.array != own->reference.array || other->band != own->band)
            continue;
        repeated |= other->constant && poly_equal(other->constant, own->constant) &&
                    (!figures[k].branch || branches_alike(&figures[k], &figures[i])) &&
                    walks_alike(&figures[k], &figures[i]);
    }
    return repeated;
}

static bool stmt_has_load(struct arena *arena, const struct stmt *s, const struct expr *load)
{
    struct stmt_walk stmts;
    struct expr_walk exprs;
    for (const struct stmt *in = stmt_first(&stmts, arena, s); in; in = stmt_next(&stmts))
        for (const struct expr *e = stmt_first_expr(&exprs, arena, in); e; e = expr_next(&exprs))
            if (e == load)
                return true;
    return false;
}

/* Does the load stand in a statement of the sequence behind the store? */
static bool sequence_loads(struct arena *arena, const struct stmt *sequence,
                           const struct stmt *store, const struct expr *load)
{
    bool is_behind = false;
    for (int i = 0; i < sequence->n_children; i++) {
        if (is_behind && stmt_has_load(arena, sequence->children[i], load))
            return true;
        is_behind |= sequence->children[i] == store;
    }
    return false;
}

/* Does a thread always come from the store to the load? The store stands before it in one of the
   sequences around the load. */
static bool stands_behind(struct arena *arena, const struct stmt *body, const struct stmt *store,
                          const struct expr *load)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, body); s; s = stmt_next(&walk))
        if (s->kind == STMT_SEQUENCE && sequence_loads(arena, s, store, load))
            return true;
    return false;
}

static bool subscripts_are_kept(const struct scope *scope, const struct stmt *store)
{
    struct expr_walk walk;
    for (int i = 0; i < store->array->n_dims; i++)
        for (const struct expr *e = expr_first(&walk, scope->store->ctx->arena, store->indices[i]);
             e; e = expr_next(&walk))
            if (e->kind == EXPR_LOAD ||
                (e->kind == EXPR_VAR && stmt_sets_var(scope->kernel->body, e->var)))
                return false;
    return true;
}

/* Does a thread load in i an element that it has stored just before, in the same round of the same
   loops? Compilers keep the value. Stores to other places of the array may stand between where it
   is known which ones these are. */
static bool is_stored_before(const struct scope *scope, const struct list_access *list,
                             size_t count, size_t i)
{
    const struct list_access *own = &list[i];
    const struct list_access *from = NULL;
    if (own->reference.is_write || !own->band || own->band->strided || !own->is_affine)
        return false;
    for (size_t k = 0; k < count; k++) {
        const struct list_access *other = &list[k];
        if (!other->reference.is_write || other->reference.array != own->reference.array)
            continue;
        if (!other->is_affine)
            return false;
        bool is_same = other->band == own->band && other->n_loops == own->n_loops && k < i &&
                       other->width == own->width && !other->reference.store->reduction &&
                       subscripts_equal(&other->reference, &own->reference);
        from = is_same ? other : from;
    }
    return from && subscripts_are_kept(scope, from->reference.store) &&
           stands_behind(scope->store->ctx->arena, scope->kernel->body, from->reference.store,
                         own->reference.load);
}

/* Finds the first reference that walks like number i, at a known distance. */
static void leader_find(const struct list_access *list, struct figure_access *figures, size_t i)
{
    figures[i].leader = (int)i;
    for (size_t k = 0; k < i; k++)
        if (figures[k].leader == (int)k && walks_alike(&figures[k], &figures[i]) &&
            distance_find(&list[k], &list[i], &figures[i].distance)) {
            figures[i].leader = (int)k;
            return;
        }
}

/* The rounds of an unrolled loop, a literal, by which `apart` bytes lie behind; 0 if there is no
   such number. */
static int64_t rounds_apart(const struct figure_axis *loop, const struct poly *apart)
{
    int64_t extent;
    if (!apart || !loop->step || poly_is_zero(loop->step) ||
        !poly_get_integer(loop->extent, &extent) || extent > SHARED_ROUNDS)
        return 0;
    for (int64_t m = 1; m < extent; m++) {
        const struct poly *way = poly_scale(loop->step, (int)m, 1);
        if (poly_equal(way, apart) || poly_equal(poly_scale(way, -1, 1), apart))
            return m;
    }
    return 0;
}

/* Points of a thread whose windows share elements, in other rounds of unrolled loops: a load that
   lies m rounds beside an earlier one, of loops that stand round by round in the text, is made in m
   of its rounds. */
static void windows_share(const struct list_access *list, struct figure_access *figures, size_t i)
{
    struct figure_access *own = &figures[i];
    int64_t least = INT64_MAX, extent = 1;
    for (size_t k = 0; k < i && own->unrolled; k++) {
        const struct figure_access *other = &figures[k];
        if (other->leader != own->leader || list[k].band != list[i].band ||
            !branches_alike(other, own) || !list[k].usual || !list[i].usual ||
            list[i].choices > 1)
            continue;
        const struct poly *apart = poly_scale(poly_sub(list[i].usual, list[k].usual),
                                              list[i].bytes, 1);
        for (int l = 0; l < own->n_loops; l++) {
            int64_t m = own->unrolled >> l & 1 ? rounds_apart(&own->loops[l], apart) : 0;
            if (m && m < least && poly_get_integer(own->loops[l].extent, &extent))
                least = m;
        }
    }
    if (least < extent)
        own->rounds = poly_scale(own->rounds, (int)least, (int)extent);
}

static bool is_literal(const struct poly *p)
{
    return !p || poly_is_constant(p);
}

/* What the address of reference i costs, beside those before it whose addresses the code has. */
static void address_count(struct figure_access *figures, size_t i, const struct phase *phase)
{
    struct figure_access *own = &figures[i];
    bool in_loop = phase->n_loops > 0 && own->n_loops > 0,
         is_unrolled = in_loop && phase->unrolled[0];
    own->address = ADDRESS;
    own->in_loop = in_loop;
    own->advance = in_loop ? STEP : 0;
    if (is_unrolled && own->loops[0].step && is_literal(own->loops[0].step))
        own->advance = 0;
    for (size_t k = 0; k < i; k++) {
        const struct figure_access *other = &figures[k];
        if (other->leader != own->leader || !branches_alike(other, own))
            continue;
        const struct poly *apart = other->distance && own->distance
                                       ? poly_sub(own->distance, other->distance)
                                       : NULL;
        bool is_fixed = apart ? poly_is_constant(apart)
                              : is_literal(own->distance) && is_literal(other->distance);
        own->address = is_fixed ? 0 : FOLLOW;
        own->advance = is_fixed ? 0 : own->advance;
        if (is_fixed)
            return;
    }
}

/* The number of the first reference of each phase, which has the number of the phase until then. */
static void phase_renumber(struct figure_access *figures, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        size_t first = 0;
        while (figures[first].phase != figures[i].phase)
            first++;
        figures[i].phase = (int)first;
    }
}

static void access_finish(const struct list_access *list, struct figure_access *figures,
                          size_t count, size_t i, const struct phase *phase, struct scope *scope)
{
    leader_find(list, figures, i);
    address_count(figures, i, phase);
    if (is_repeated(list, figures, count, i) || is_stored_before(scope, list, count, i))
        figures[i].rounds = figures[i].waits = poly_integer(scope->ring, 0);
    else if (figures[i].waits && figures[i].rounds && !band_writes_array(list, count, i))
        windows_share(list, figures, i);
}

static const struct phase *phase_of(const struct map *phases, const struct list_access *access)
{
    static const struct phase apart = {.number = -1};
    const struct reference *reference = &access->reference;
    const struct phase *phase = map_get_pointer(
        phases, reference->load ? (const void *)reference->load : (const void *)reference->store);
    return phase ? phase : &apart;
}

static bool figures_accesses(struct scope *scope, struct figures *figures)
{
    struct arena *arena = scope->store->ctx->arena;
    figures->ring = scope->ring;
    const struct list_access *list;
    size_t count = scope_accesses(scope, &list);
    struct figure_access *accesses = ARENA_ARRAY(arena, struct figure_access, count + 1);
    const struct map *phases = phases_find(arena, scope->kernel);
    if (count > FIGURE_ACCESSES)
        scope->reason = "too many references";
    for (size_t i = 0; i < count && !scope->reason; i++)
        if (!figure_access(scope, &list[i], phase_of(phases, &list[i]), &accesses[i]))
            scope->reason = scope->reason ? scope->reason
                                          : "how often an array is touched depends on data";
    for (size_t i = 0; i < count && !scope->reason; i++)
        access_finish(list, accesses, count, i, phase_of(phases, &list[i]), scope);
    phase_renumber(accesses, count);
    figures->n_accesses = count;
    figures->accesses = accesses;
    return !scope->reason;
}

/* Instructions of a thread before and behind the body. */
static int thread_instructions(const struct kernel *kernel)
{
    int sum = THREAD;
    for (int i = 2; i < kernel->n_grid; i++)
        sum += PLACE;
    for (int i = 2; i < kernel->n_block; i++)
        sum += PLACE;
    return sum;
}

/* All instructions of the threads of a grid point but for references. */
static const struct poly *instructions_sum(const struct scope *scope, const struct work *work,
                                           const struct figures *figures,
                                           const struct poly *threads)
{
    const struct poly *const parts[] = {
        figures->floats,
        figures->doubles,
        poly_sub(work->at[WORK_INTEGER], work->at[WORK_ADDRESS]),
        poly_scale(work->at[WORK_SPECIAL], SPECIAL, 1),
        poly_scale(work->at[WORK_ROUNDS], ROUND, 1),
        poly_scale(work->at[WORK_POINTS], POINT, 1),
        poly_scale(work->at[WORK_CARRIES], CARRY, 1),
        poly_scale(work->at[WORK_ENTRIES], ENTER, 1),
        poly_scale(work->at[WORK_BATCHES], BATCH_BEGIN, 1),
        poly_scale(threads, thread_instructions(scope->kernel), 1),
        poly_mul(work->at[WORK_BARRIERS], threads),
    };
    const struct poly *sum = poly_integer(scope->ring, 0);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        sum = poly_add(sum, parts[i]);
    return sum;
}

/* Fills in what the scope's kernel computes and touches; false and scope->reason set if something
   is not known. */
static bool figures_count(struct scope *scope, struct figures *figures)
{
    struct work work;
    const struct poly *threads = work_threads(scope);
    if (!threads || !work_count(scope, &work) || !figures_accesses(scope, figures))
        return false;
    bool fuses = scope->store->ctx->contract;
    figures->floats = fuses ? poly_sub(work.at[WORK_FLOAT], work.at[WORK_FUSED_FLOAT])
                            : work.at[WORK_FLOAT];
    figures->doubles = fuses ? poly_sub(work.at[WORK_DOUBLE], work.at[WORK_FUSED_DOUBLE])
                             : work.at[WORK_DOUBLE];
    figures->instructions = instructions_sum(scope, &work, figures, threads);
    figures->barriers = work.at[WORK_BARRIERS];
    figures->alone = work.at[WORK_ROUNDS];
    return true;
}

/* The instructions with those of references and of their addresses in loops, which are all that
   counts where a thread runs long. */
static const struct poly *instructions_all(const struct figures *figures)
{
    const struct poly *sum = figures->instructions;
    for (size_t i = 0; i < figures->n_accesses && sum; i++) {
        const struct figure_access *a = &figures->accesses[i];
        const struct poly *made = poly_scale(a->rounds, 1 + a->advance, 1);
        for (int k = 0; k < a->n_axes && made; k++)
            made = poly_mul(made, a->axes[k].extent);
        sum = made ? poly_add(sum, made) : NULL;
    }
    return sum;
}

/* At most `most` (NULL: no limit), at least 0, of amount / divisor what falls to `distance` of
   a range. */
static const struct poly *part_of(struct scope *scope, const struct poly *amount, int divisor,
                                  const struct poly *distance, const struct poly *range,
                                  const struct poly *most)
{
    const struct poly *points = poly_add(range, poly_integer(scope->ring, 1));
    struct auxiliary part = {.numerator = poly_mul(amount, distance),
                             .denominator = poly_scale(points, divisor, 1),
                             .multiple = 1,
                             .cap = most,
                             .least = INT64_MIN};
    return scope_auxiliary(scope, "r", &part);
}

/* What of amount / divisor of all threads comes to those whose points lie on both sides: their
   share is the distance of the points over the longer of the two axes. */
static const struct poly *straddling_part(struct scope *scope, const struct poly *amount,
                                          int divisor, const struct list_straddle *s)
{
    const struct poly *part = amount ? part_of(scope, amount, divisor, s->distance, s->rise, NULL)
                                     : NULL;
    return part ? part_of(scope, amount, divisor, s->distance, s->fall, part) : NULL;
}

/* What threads run whose points lie on both sides of a condition over two axes: the instructions of
   all their points, since those of a warp go together, but of their rounds the half that is for
   points that satisfy it. Left out where there is no room for it. */
static void straddling_add(struct scope *scope, const struct kernel *whole, struct figures *figures)
{
    struct list_straddle straddle;
    struct figures slow = {.ring = scope->ring};
    const struct kernel *usual = scope->kernel;
    scope->kernel = whole;
    const struct stmt *branch = whole == usual ? NULL : rare_straddling(scope, &straddle);
    scope->kernel = branch ? kernel_usual(scope->store->ctx->arena, whole, branch) : usual;
    if (branch && figures_count(scope, &slow)) {
        const struct poly *all = instructions_all(&slow), *own = instructions_all(figures);
        const struct poly *more = all && own ? poly_sub(all, own) : NULL;
        const struct poly *part = straddling_part(scope, more, 1, &straddle),
                          *alone = straddling_part(scope, slow.alone, 2, &straddle);
        if (part && alone) {
            figures->instructions = poly_add(figures->instructions, part);
            figures->alone = alone;
        }
    }
    scope->reason = NULL;
    scope->kernel = usual;
}

const struct figures *figures_fill(struct scope *scope)
{
    const struct kernel *whole = scope->kernel;
    struct figures *figures = ARENA_NEW(scope->store->ctx->arena, struct figures);
    scope->kernel = kernel_usual(scope->store->ctx->arena, whole, NULL);
    bool known = figures_count(scope, figures);
    figures->alone = poly_integer(scope->ring, 0);
    if (known)
        straddling_add(scope, whole, figures);
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
