/* In: the boxes of an array in a band. Out: tiles, the same as expressions of the program: extents
   over the kernel's ring, elements and conditions over fresh coordinate variables and what is
   visible at block level, places of the references in their own scope.

   A fill must not read outside the array, and must not read what another block may write: the clip
   `inside` takes care of both. It is left out where the box is proved to lie in the declared
   extents, or where every cell is really read (no guards, and no corner of a flat array that only
   the hull adds). Source: notes on footprints, "Copies". */
#include "ir/access/advice.h"
#include "ir/access/footprint.h"
#include "ir/names.h"

struct making {
    struct analysis *analysis;
    struct box *box;
    struct tile *tile;
    enum type type;                   /* of subscripts: int, or long where a subscript is wider
                                         or unsigned */
    int first;                        /* coordinate k is iterator first + k */
    bool plain;                       /* no guards: what the ranges say is touched */
};

static enum type index_type(const struct box *box)
{
    for (int m = 0; m < box->n_members; m++) {
        const struct reference *r = &box->members[m].access->reference;
        for (int d = 0; d < r->array->n_dims; d++) {
            const struct expr *e = r->load ? r->load->arguments[d] : r->store->indices[d];
            if (type_bytes(e->type) > 4 || e->type == TYPE_U32)
                return TYPE_I64;
        }
    }
    return TYPE_I32;
}

static const struct expr *both(struct making *making, const struct expr *a, const struct expr *b,
                               enum op op)
{
    return expr_join(making->analysis->ctx->arena, op, a, b);
}

static const struct expr *condition_expr(struct making *making, const struct condition *condition)
{
    return condition->negated ? expr_unary(making->analysis->ctx->arena, OP_NOT, condition->expr)
                              : condition->expr;
}

/* form >= 0, with the negative terms on the other side. */
static const struct expr *guard_expr(struct making *making, const struct form *guard)
{
    struct analysis *analysis = making->analysis;
    const struct form *left = form_integer(analysis, 0), *right = left;
    for (int i = 0; i < guard->n_terms; i++) {
        const struct poly *c = guard->terms[i].coefficient;
        const struct form *term = form_scale(analysis,
                                             form_iterator(analysis, guard->terms[i].iterator), c);
        if (context_direction(making->box->context, c) == -1)
            right = form_sub(analysis, right, term);
        else
            left = form_add(analysis, left, term);
    }
    left = form_add(analysis, left, form_constant(analysis, guard->constant));
    if (right->n_terms == 0) {
        const struct expr *e = expr_of_form(analysis, guard, making->type);
        return e ? expr_binary(analysis->ctx->arena, OP_GE, e,
                               expr_integer(analysis->ctx->arena, making->type, 0))
                 : NULL;
    }
    const struct expr *a = expr_of_form(analysis, right, making->type),
                      *b = expr_of_form(analysis, left, making->type);
    return a && b ? expr_binary(analysis->ctx->arena, OP_LE, a, b) : NULL;
}

/* NULL with *failed clear: always true. */
static const struct expr *cells_expr(struct making *making, const struct cell_condition *cells,
                                     bool *failed)
{
    const struct expr *any = NULL;
    *failed = !cells->possible;
    if (cells->always || *failed)
        return NULL;
    for (size_t i = 0; i < cells->cases.count; i++) {
        const struct expr *all = NULL;
        for (size_t k = 0; k < cells->cases.at[i].conditions.count; k++)
            all = both(making, all, condition_expr(making, &cells->cases.at[i].conditions.at[k]),
                       OP_LAND);
        for (size_t k = 0; k < cells->cases.at[i].guards.count; k++) {
            const struct expr *e = guard_expr(making, cells->cases.at[i].guards.at[k]);
            *failed |= !e;
            all = e ? both(making, all, e, OP_LAND) : all;
        }
        bool seen = any && all && expr_equal(any, all);
        any = seen ? any : both(making, any, all, OP_LOR);
    }
    return *failed ? NULL : any;
}

static void coordinates_make(struct making *making)
{
    struct analysis *analysis = making->analysis;
    struct arena *arena = analysis->ctx->arena;
    struct tile *tile = making->tile;
    const struct var **coordinates = ARENA_ARRAY(arena, const struct var *, tile->n_dims);
    making->first = box_coordinates(analysis, making->box);
    for (int k = 0; k < tile->n_dims; k++) {
        const char *name = kernel_fresh(arena, analysis->kernel, arena_printf(arena, "r%d", k));
        coordinates[k] = var_new(arena, name, making->type, VAR_ITERATOR);
        if (k < making->box->n_digits) {
            analysis->iterators.at[making->first + k].var = coordinates[k];
            analysis->iterators.at[making->first + k].value = expr_var(arena, coordinates[k]);
        }
    }
    tile->coordinates = coordinates;
}

/* Why an extent is refused, with the line that excludes negative values where a simple one does. */
static const char *negative_text(struct making *making, const struct poly *extent)
{
    struct analysis *analysis = making->analysis;
    struct arena *arena = analysis->ctx->arena;
    const struct context *context = making->box->context;
    advice_list list = advice_find(analysis, context, extent, 0);
    const char *text = poly_text(arena, extent);
    for (size_t i = 0; i < list.count; i++)
        if (context_nonnegative(advice_take(context, &list.at[i]), extent))
            return arena_printf(arena, "the extent %s may be negative; %s excludes that", text,
                                list.at[i].text);
    return arena_printf(arena, "the extent %s may be negative", text);
}

static const char *division_text(struct making *making, const struct poly *extent)
{
    struct arena *arena = making->analysis->ctx->arena;
    const struct expr *e = expr_of_poly(making->analysis, extent, TYPE_I32);
    return e ? arena_printf(arena, "the extent %s contains a division", expr_text(arena, e))
             : "an extent contains a division";
}

/* Extents in the order of digits; a box of one element has one dimension of extent 1. */
static const char *extents_make(struct making *making)
{
    struct analysis *analysis = making->analysis;
    struct arena *arena = analysis->ctx->arena;
    struct ring *ring = analysis->kernel->ring;
    struct tile *tile = making->tile;
    const struct poly **extents = ARENA_ARRAY(arena, const struct poly *, tile->n_dims);
    unsigned bytes = type_bytes(tile->array->element);
    tile->words = poly_rational(ring, bytes, 4);
    for (int k = 0; k < tile->n_dims; k++) {
        bool digit = k < making->box->n_digits;
        const struct poly *extent = digit ? box_extent(analysis, making->box, k)
                                          : poly_integer(analysis->ring, 1);
        extents[k] = analysis_export(analysis, extent);
        if (!extents[k])
            return division_text(making, extent);
        if (!context_nonnegative(making->box->context, extent))
            return negative_text(making, extent);
        tile->words = poly_mul(tile->words, extents[k]);
    }
    tile->extents = extents;
    return NULL;
}

static const char *elements_make(struct making *making)
{
    struct analysis *analysis = making->analysis;
    struct tile *tile = making->tile;
    const struct expr **element = ARENA_ARRAY(analysis->ctx->arena, const struct expr *,
                                              tile->array->n_dims);
    for (int d = 0; d < tile->array->n_dims; d++) {
        element[d] = expr_of_form(analysis, box_element(analysis, making->box, d, making->first),
                                  making->type);
        if (!element[d])
            return "the base of the tile has no expression";
    }
    tile->element = element;
    return NULL;
}

/* The tile subscripts of one reference, over the iterators of its own scope. */
static const struct expr *const *places_make(struct making *making, const struct member *member)
{
    struct analysis *analysis = making->analysis;
    const struct box *box = making->box;
    const struct expr **places = ARENA_ARRAY(analysis->ctx->arena, const struct expr *,
                                             making->tile->n_dims);
    places[0] = expr_integer(analysis->ctx->arena, making->type, 0);
    for (int k = 0; k < box->n_digits; k++) {
        const struct digit *digit = &box->digits[k];
        const struct form *sum = form_integer(analysis, member->offsets[k] - box->least[k]);
        for (size_t i = 0; i < digit->n_parts; i++) {
            const struct digit_part *part = &digit->parts[i];
            const struct range *range = &box->ranges[part->iterator];
            const struct form *v = form_iterator(analysis, part->iterator);
            v = part->reversed ? form_sub(analysis, range->hi, v)
                               : form_sub(analysis, v, range->lo);
            sum = form_add(analysis, sum, form_scale(analysis, v, part->weight));
        }
        places[k] = expr_of_form(analysis, sum, making->type);
        if (!places[k])
            return NULL;
    }
    return places;
}

static const char *references_make(struct making *making)
{
    struct arena *arena = making->analysis->ctx->arena;
    const struct box *box = making->box;
    struct tile *tile = making->tile;
    struct reference *references = ARENA_ARRAY(arena, struct reference, box->n_members);
    const struct expr *const **places = ARENA_ARRAY(arena, const struct expr *const *,
                                                    box->n_members);
    for (int m = 0; m < box->n_members; m++) {
        references[m] = box->members[m].access->reference;
        tile->is_read |= !references[m].is_write;
        tile->is_written |= references[m].is_write;
        places[m] = places_make(making, &box->members[m]);
        if (!places[m])
            return "a place in the tile has no expression";
    }
    tile->n_references = (size_t)box->n_members;
    tile->references = references;
    tile->places = places;
    return NULL;
}

/* No guards, no data, no uniform condition that only some members stand under, no loop that may
   be empty. */
static bool members_plain(struct making *making)
{
    struct analysis *analysis = making->analysis;
    const struct condition *conditions;
    size_t common = box_conditions(analysis, making->box, &conditions);
    for (int m = 0; m < making->box->n_members; m++) {
        const struct access *access = making->box->members[m].access;
        size_t uniform = 0;
        if (access_fresh(analysis, access))
            return false;
        for (size_t i = 0; i < access->n_path; i++) {
            const struct path_step *step = &access->path[i];
            if (step->iterator < 0 && step->condition.kind > CONDITION_BLOCK &&
                !(step->condition.affine && !access->n_guards))
                return false;
            uniform += step->iterator < 0 && step->condition.kind <= CONDITION_BLOCK &&
                       i >= band_begin(analysis, access);
            if (step->iterator < 0 || !iterator_in_tile(analysis, step->iterator))
                continue;
            const struct range *range = &access->ranges[step->iterator];
            const struct form *span = range->lo && range->hi
                                          ? form_sub(analysis, range->hi, range->lo)
                                          : NULL;
            const struct poly *least =
                span ? form_extreme(analysis, making->box->context, access, span, false) : NULL;
            if (!least || !context_nonnegative(making->box->context, least))
                return false;
        }
        if (uniform != common)
            return false;
    }
    return true;
}

static int digits_of(const struct box *box, int d, int *widened)
{
    int n = 0;
    *widened = 0;
    for (int k = 0; k < box->n_digits; k++) {
        n += box->digits[k].dimension == d;
        *widened += box->digits[k].dimension == d && box->least[k] < box->most[k];
    }
    return n;
}

static bool iterator_twice(const struct box *box)
{
    for (int k = 0; k < box->n_digits; k++)
        for (size_t i = 0; i < box->digits[k].n_parts; i++)
            for (int l = 0; l < k; l++)
                for (size_t j = 0; j < box->digits[l].n_parts; j++)
                    if (box->digits[k].parts[i].iterator == box->digits[l].parts[j].iterator)
                        return true;
    return false;
}

static bool box_halo(const struct box *box)
{
    for (int k = 0; k < box->n_digits; k++)
        if (box->least[k] < box->most[k])
            return true;
    return false;
}

/* Do the members' offsets in digit k leave no cell between them untouched? */
static bool offsets_dense(const struct analysis *analysis, const struct box *box, int k)
{
    for (int64_t at = box->least[k]; at < box->most[k];) {
        int64_t next = box->most[k];
        for (int m = 0; m < box->n_members; m++)
            if (box->members[m].offsets[k] > at && box->members[m].offsets[k] < next)
                next = box->members[m].offsets[k];
        if (!context_at_least(box->context, box->digits[k].extent,
                              poly_integer(analysis->ring, next - at)))
            return false;
        at = next;
    }
    return true;
}

/* Every cell is touched by a block without cut-off guards. */
static bool box_exact(const struct analysis *analysis, const struct box *box)
{
    int widened = 0;
    for (int k = 0; k < box->n_digits; k++) {
        widened += box->least[k] < box->most[k];
        if (!offsets_dense(analysis, box, k))
            return false;
    }
    for (int m = 0; m < box->n_members; m++)
        if (access_fresh(analysis, box->members[m].access))
            return false;
    return widened <= 1 && !box->hull_ranges && !box->gaps && !iterator_twice(box);
}

/* Is every subscript in dimension d that the box spans really accessed? */
static bool dimension_accessed(const struct making *making, int d)
{
    int widened, n = digits_of(making->box, d, &widened);
    return making->plain && !making->box->hull_ranges && (n <= 1 || widened <= 1);
}

/* One past the last subscript that may be filled. An open array under guards is taken as a whole:
   its references may go beyond what this box says, and its elements exist only where a reference
   is made. */
static const struct expr *dimension_rows(struct making *making, int d)
{
    struct analysis *analysis = making->analysis;
    const struct array *array = making->tile->array;
    const struct box *box = making->plain ? making->box : NULL;
    return array->dims[d] ? array->dims[d]
                          : analysis_rows(analysis, analysis->context, array, box, making->type);
}

static const struct expr *dimension_clip(struct making *making, int d, bool *failed)
{
    struct analysis *analysis = making->analysis;
    struct arena *arena = analysis->ctx->arena;
    const struct context *context = making->box->context;
    const struct form *element = box_element(analysis, making->box, d, making->first);
    const struct expr *extent = dimension_rows(making, d), *clip = NULL;
    if (dimension_accessed(making, d))
        return NULL;
    *failed |= !extent;
    const struct poly *least = form_extreme(analysis, context, NULL, element, false);
    if (!least || !context_nonnegative(context, least))
        clip = expr_binary(arena, OP_GE, making->tile->element[d],
                           expr_integer(arena, making->type, 0));
    if (extent && making->tile->array->dims[d]) {
        analysis->scope.count = 0;
        const struct form *top = form_of(analysis, extent);
        const struct poly *most = form_extreme(analysis, context, NULL, element, true);
        if (top && most && context_positive(context, poly_sub(top->constant, most)))
            return clip;
    }
    if (!extent)
        return NULL;
    enum type type = type_bytes(extent->type) > type_bytes(making->type) || extent->type == TYPE_U32
                         ? TYPE_I64
                         : making->type;
    const struct expr *index = expr_cast(arena, type, making->tile->element[d]);
    return both(making, clip, expr_binary(arena, OP_LT, index, expr_cast(arena, type, extent)),
                OP_LAND);
}

/* Could a cell of the box be written by another block? Cells that the band itself reads cannot. The
   box is taken for a reference that knows nothing of its members' conditions: their subscripts as
   expressions are not its own. */
static bool box_foreign(struct making *making)
{
    struct analysis *analysis = making->analysis;
    const struct box *box = making->box;
    static const struct meeting_question blocks = {DIFFERENT, ANY, ANY, ANY, 0, NULL};
    if (making->plain && box_exact(analysis, box))
        return false;
    struct access *whole = ARENA_NEW(analysis->arena, struct access);
    const struct form **subscripts = ARENA_ARRAY(analysis->arena, const struct form *,
                                                 box->array->n_dims);
    *whole = *box->members[0].access;
    for (int d = 0; d < box->array->n_dims; d++)
        subscripts[d] = box_element(analysis, box, d, making->first);
    whole->subscripts = subscripts;
    whole->indices = ARENA_ARRAY(analysis->arena, const struct expr *, box->array->n_dims);
    whole->n_guards = whole->n_facts = 0;
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *access = analysis->accesses.at[i];
        if (access->reference.array == box->array && access->reference.is_write &&
            pair_compatible(analysis, whole, access, false) &&
            pair_meets(analysis, whole, access, &blocks).meeting != MEETING_NO)
            return analysis->kernel->n_grid > 0;
    }
    return false;
}

/* The condition under which a cell may be filled: that a member touches it, where another block may
   write it, or where that is the plainer condition; else that its element exists. */
static const char *inside_make(struct making *making)
{
    struct tile *tile = making->tile;
    bool failed = false;
    const struct expr *clip = NULL;
    if (!tile->is_read)
        return NULL;
    bool foreign = box_foreign(making), open = !tile->array->dims[0] && !making->plain;
    if (!foreign)
        for (int d = 0; d < tile->array->n_dims; d++)
            clip = both(making, clip, dimension_clip(making, d, &failed), OP_LAND);
    tile->inside = clip;
    bool touch = foreign || open || (!making->plain && !box_halo(making->box));
    if (!touch || (!foreign && !clip && !failed))
        return failed ? "the array's extent is not known" : NULL;
    bool untold = false;
    struct cell_condition touched = box_touched(making->analysis, making->box, false,
                                                making->first);
    const struct expr *e = cells_expr(making, &touched, &untold);
    if (!untold)
        tile->inside = e;
    return untold && (foreign || failed) ? "which elements exist, and which other blocks write, "
                                           "cannot be told outside the band"
                                         : NULL;
}

static const char *conditions_make(struct making *making)
{
    struct analysis *analysis = making->analysis;
    struct tile *tile = making->tile;
    const struct condition *conditions;
    size_t n = box_conditions(analysis, making->box, &conditions);
    bool failed = false;
    for (size_t i = 0; i < n; i++)
        tile->condition = both(making, tile->condition, condition_expr(making, &conditions[i]),
                               OP_LAND);
    making->plain = members_plain(making);
    tile->exact = box_exact(analysis, making->box);
    tile->is_streamed = box_is_streamed(analysis, making->box);
    tile->is_crossed = box_is_crossed(analysis, making->box);
    tile->is_shared = box_is_shared(analysis, making->box);
    tile->write_exact = true;
    if (tile->is_written) {
        struct cell_condition written = box_touched(analysis, making->box, true, making->first);
        tile->written = cells_expr(making, &written, &failed);
        tile->write_exact = !failed;
    }
    return inside_make(making);
}

static const char *tile_make(struct analysis *analysis, struct box *box, struct tile *tile)
{
    struct making making = {.analysis = analysis,
                            .box = box,
                            .tile = tile,
                            .type = index_type(box)};
    tile->array = box->array;
    tile->n_dims = box->n_digits ? box->n_digits : 1;
    coordinates_make(&making);
    const char *failure = extents_make(&making);
    if (!failure)
        failure = elements_make(&making);
    if (!failure)
        failure = references_make(&making);
    return failure ? failure : conditions_make(&making);
}

/* Written arrays are staged only where nothing about their references is a matter of belief. */
static const char *array_check(struct analysis *analysis, const struct array *array)
{
    static const struct meeting_question blocks = {DIFFERENT, ANY, ANY, ANY, 0, NULL},
                                         threads = {SAME, SAME, DIFFERENT, ANY, 0, NULL};
    for (size_t i = 0; i < analysis->accesses.count; i++)
        for (size_t k = i; k < analysis->accesses.count; k++) {
            const struct access *a = analysis->accesses.at[i], *b = analysis->accesses.at[k];
            if (a->reference.array != array || b->reference.array != array ||
                !(a->reference.is_write || b->reference.is_write))
                continue;
            if (analysis->kernel->n_grid && pair_compatible(analysis, a, b, false) &&
                pair_meets(analysis, a, b, &blocks).meeting == MEETING_OPEN)
                return "blocks may meet in the array";
            if (a->band && a->band == b->band && pair_compatible(analysis, a, b, true) &&
                pair_meets(analysis, a, b, &threads).meeting == MEETING_OPEN)
                return "threads may meet in the array";
        }
    return NULL;
}

struct tiling analysis_tiles(struct analysis *analysis, const struct stmt *band,
                             const struct array *array)
{
    analysis_assume(analysis);
    struct tiling tiling = {false, array_check(analysis, array), 0, NULL};
    if (stmt_accumulates_in(analysis->kernel->body, array))
        tiling.reason = "its elements are sums over the iterations";
    struct footprint footprint = {0};
    if (!tiling.reason) {
        footprint = footprint_collect(analysis, band, array);
        tiling.reason = footprint.failure;
    }
    struct tile *tiles = ARENA_ARRAY(analysis->ctx->arena, struct tile, footprint.boxes.count + 1);
    for (size_t i = 0; i < footprint.boxes.count && !tiling.reason; i++)
        tiling.reason = tile_make(analysis, footprint.boxes.at[i], &tiles[i]);
    tiling.possible = !tiling.reason && footprint.boxes.count > 0;
    if (!tiling.reason && !tiling.possible)
        tiling.reason = "the band does not touch the array";
    tiling.count = tiling.possible ? footprint.boxes.count : 0;
    tiling.tiles = tiles;
    return tiling;
}

struct tiling access_tiles(struct ctx *ctx, const struct kernel *kernel, const struct stmt *band,
                           const struct array *array)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    struct tiling tiling = analysis_tiles(analysis, band, array);
    if (tiling.reason)
        tiling.reason = arena_strdup(ctx->arena, tiling.reason);
    analysis_free(analysis);
    return tiling;
}
