/* In: any kernel. Out: its references to global and shared arrays as ir/access/list.h
   describes them.

   The references and their linear forms are those of collect.c. The subscripts are put together
   row-major; a loop's variable is its first value plus the round, so that what the first value says
   of a thread goes to the thread's axis. Polynomials leave the analysis with each floor replaced by
   what the caller makes of the quotient. Every counter of a kernel asks for this list, each over a
   ring of its own, so the last few analyses are kept.
   Invariant: is_affine says that every thread's offset in every round is the constant plus the sum
   of coefficients times positions; extents without is_exact are never below the number
   of rounds. */
#include "ir/access/list.h"
#include "ir/access/analysis.h"
#include "ir/halving.h"

struct listing {
    struct analysis *analysis;
    struct arena *arena;
    const struct list_options *options;
    const struct poly *quotients[RING_CAPACITY];   /* by floor; NULL = not asked for yet */
    struct list_axis *axes;                        /* by iterator: those that have_axis */
    bool *have_axis;
};

static const struct poly *list_poly(struct listing *listing, const struct poly *p);

static const struct poly *list_floor(struct listing *listing, int number)
{
    const struct floor_param *f = &listing->analysis->floors.list.at[number];
    const struct context *context = listing->analysis->context;
    if (listing->quotients[number])
        return listing->quotients[number];
    if (!context_positive(context, f->denominator))
        return NULL;
    const struct poly *a = list_poly(listing, f->numerator),
                      *b = list_poly(listing, f->denominator);
    if (!a || !b)
        return NULL;
    bool nonnegative = context_nonnegative(context, f->numerator);
    return listing->quotients[number] = listing->options->quotient(listing->options->state, a, b,
                                                                   nonnegative);
}

static bool has_floor(const struct listing *listing, const struct poly *p)
{
    bool found = false;
    for (size_t k = 0; k < listing->analysis->floors.list.count && !found; k++)
        found = poly_uses(p, listing->analysis->floors.list.at[k].variable);
    return found;
}

/* p over the caller's ring; NULL if a quotient has none there. */
static const struct poly *list_poly(struct listing *listing, const struct poly *p)
{
    struct ring *from = listing->analysis->ring, *to = listing->options->ring;
    if (!has_floor(listing, p))
        return poly_move(to, p);
    const struct poly *sum = poly_integer(to, 0);
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t n, d;
        unsigned exponents[RING_CAPACITY];
        if (!poly_term(p, i, &n, &d, exponents))
            return NULL;
        const struct poly *monomial = poly_rational(to, n, d);
        for (int v = 0; v < ring_count(from); v++) {
            if (!exponents[v])
                continue;
            const struct poly *factor = NULL;
            for (size_t k = 0; k < listing->analysis->floors.list.count; k++)
                if (listing->analysis->floors.list.at[k].variable == v)
                    factor = list_floor(listing, (int)k);
            if (!factor && listing->analysis->params[v])
                factor = poly_variable(to, ring_variable(to, ring_name(from, v)));
            if (!factor)
                return NULL;
            monomial = poly_mul(monomial, poly_power(factor, exponents[v]));
        }
        sum = poly_add(sum, monomial);
    }
    return sum;
}

/* The subscripts as one number, row-major, where conditions choose the usual one; NULL if one of
   them or an extent is not affine. */
static const struct form *access_offset(struct analysis *analysis, const struct access *access)
{
    const struct array *array = access->reference.array;
    const struct form *offset = form_integer(analysis, 0);
    for (int d = 0; d < array->n_dims; d++) {
        if (!access->usual || !access->usual[d])
            return NULL;
        if (d) {
            const struct form *extent = array->dims[d] ? form_of(analysis, array->dims[d]) : NULL;
            if (!extent || extent->n_terms)
                return NULL;
            offset = form_scale(analysis, offset, extent->constant);
        }
        offset = form_add(analysis, offset, access->usual[d]);
    }
    return offset;
}

/* The rounds of a loop that begins anywhere, but at one place for all threads, and has a known
   number of rounds at most, as of chunks of a grid's points; NULL of other loops. */
static const struct expr *chunk_rounds(const struct path_step *step)
{
    bool has_bounds = step->loop && step->from && step->to;
    const struct expr *most = has_bounds ? expr_beyond(step->from, step->to) : NULL;
    return most && expr_reads_only_params(most) ? most : NULL;
}

/* Loop variables counted from their first values, from inside to outside; NULL if a first value is
   not affine. A chunk may begin anywhere: then the offset is one from its beginning, and *has_base
   is cleared. */
static const struct form *offset_rounds(struct analysis *analysis, const struct access *access,
                                        const struct form *offset, bool *has_base)
{
    for (size_t i = access->n_path; i-- > 0;) {
        const struct path_step *step = &access->path[i];
        const struct poly *c = step->iterator < 0 || !step->loop
                                   ? NULL
                                   : form_coefficient(offset, step->iterator);
        const struct form *first = c ? analysis->iterators.at[step->iterator].range.lo : NULL;
        bool is_chunk = c && !first && chunk_rounds(step) &&
                        analysis->iterators.at[step->iterator].level == LEVEL_OUTER;
        if (c && !first && !is_chunk)
            return NULL;
        *has_base &= !is_chunk;
        if (first)
            offset = form_add(analysis, offset, form_scale(analysis, first, c));
    }
    return offset;
}

/* Do the loop's bounds depend on the parameters alone? */
static bool loop_is_fixed(const struct path_step *step)
{
    if (!step->from || !step->to || !step->step)
        return false;
    return expr_reads_only_params(step->from) && expr_reads_only_params(step->to) &&
           expr_reads_only_params(step->step);
}

/* At most so many rounds; max(k, n) of a literal k and n >= 1 is at most k - 1 + n. */
static const struct form *rounds_most(struct analysis *analysis, const struct expr *most)
{
    int64_t least;
    const struct expr *e = expr_uncast(most), *c = e->kind == EXPR_SELECT ? e->arguments[0] : NULL;
    bool is_maximum = c && c->kind == EXPR_BINARY && c->op == OP_LT &&
                      expr_equal(c->arguments[0], e->arguments[2]) &&
                      expr_equal(c->arguments[1], e->arguments[1]) &&
                      expr_get_integer(e->arguments[1], &least) && least >= 1;
    if (!is_maximum)
        return form_of(analysis, most);
    const struct form *other = form_of(analysis, e->arguments[2]);
    return other ? form_add(analysis, other, form_integer(analysis, least - 1)) : NULL;
}

/* The rounds in which a tree has lanes: of several numbers of lanes the most, as each goes beyond
   those before it by so much or by nothing. NULL if the loop is no such loop. */
static const struct poly *tree_rounds(struct listing *listing, const struct stmt *loop)
{
    const struct list_options *options = listing->options;
    const struct expr *lanes[HALVING_LANES];
    const struct poly *most = NULL;
    int count = loop && options->halvings ? loop_halves(loop, lanes) : 0;
    for (int i = 0; i < count; i++) {
        const struct form *form =
            expr_reads_only_params(lanes[i]) ? form_of(listing->analysis, lanes[i]) : NULL;
        const struct poly *p = form && form->n_terms == 0 ? list_poly(listing, form->constant)
                                                          : NULL;
        const struct poly *rounds = p ? options->halvings(options->state, p) : NULL;
        if (rounds && most)
            rounds = poly_add(most, options->quotient(options->state, poly_sub(rounds, most),
                                                      poly_integer(options->ring, 1), false));
        if (!rounds)
            return NULL;
        most = rounds;
    }
    return most;
}

static struct list_axis axis_find(struct listing *listing, const struct path_step *step)
{
    struct analysis *analysis = listing->analysis;
    const struct poly *live = tree_rounds(listing, step->loop);
    if (live)
        return (struct list_axis){.extent = live, .is_exact = true};
    const struct range *range = &analysis->iterators.at[step->iterator].range;
    struct list_axis axis = {.is_exact = !step->loop || loop_is_fixed(step)};
    const struct expr *most = chunk_rounds(step);
    const struct form *count = NULL;
    if (most)
        count = rounds_most(analysis, most);
    else if (range->lo && range->hi)
        count = form_add(analysis, form_sub(analysis, range->hi, range->lo),
                         form_integer(analysis, 1));
    if (!count)
        return axis;
    const struct poly *p = form_extreme(analysis, analysis->context, NULL, count, true);
    axis.extent = p ? list_poly(listing, p) : NULL;
    if (axis.extent && !context_nonnegative(analysis->plain, p))
        axis.extent = listing->options->quotient(listing->options->state, axis.extent,
                                                 poly_integer(listing->options->ring, 1), false);
    return axis;
}

/* Number of values of the step's iterator, found once per list. */
static struct list_axis axis_extent(struct listing *listing, const struct path_step *step)
{
    if (!listing->have_axis[step->iterator]) {
        listing->axes[step->iterator] = axis_find(listing, step);
        listing->have_axis[step->iterator] = true;
    }
    return listing->axes[step->iterator];
}

/* The constant of the offset; NULL if it contains what has no polynomial, or unknowns that all
   threads share. */
static const struct poly *offset_constant(struct listing *listing, const struct form *offset)
{
    for (int i = 0; i < offset->n_terms; i++)
        if (listing->analysis->iterators.at[offset->terms[i].iterator].level == LEVEL_FRESH)
            return NULL;
    return list_poly(listing, offset->constant);
}

/* Is the iterator the same for all threads of a block? A remainder is if its dividend is. */
static bool iterator_uniform(const struct analysis *analysis, int iterator)
{
    const struct iterator *it = &analysis->iterators.at[iterator];
    if (it->level == LEVEL_FRESH)
        for (size_t i = 0; i < analysis->remainders.count; i++) {
            const struct form *dividend = analysis->remainders.at[i].dividend;
            bool uniform = true;
            if (analysis->remainders.at[i].iterator != iterator)
                continue;
            for (int k = 0; k < dividend->n_terms; k++)
                uniform &= dividend->terms[k].iterator != iterator &&
                           iterator_uniform(analysis, dividend->terms[k].iterator);
            return uniform;
        }
    return it->level == LEVEL_GRID || it->level == LEVEL_OUTER || it->level == LEVEL_SERIAL;
}

/* An unknown that differs between threads. */
static bool has_unknown(const struct analysis *analysis, const struct form *offset)
{
    for (int i = 0; i < offset->n_terms; i++) {
        int iterator = offset->terms[i].iterator;
        if (analysis->iterators.at[iterator].level == LEVEL_FRESH &&
            !iterator_uniform(analysis, iterator))
            return true;
    }
    return false;
}

static void list_conditions(struct list_access *to, const struct access *access)
{
    for (size_t i = 0; i < access->n_path; i++) {
        const struct condition *condition = &access->path[i].condition;
        if (access->path[i].iterator >= 0)
            continue;
        if (condition->kind == CONDITION_PARAMS && !to->branch && condition->expr) {
            to->branch = condition->expr;
            to->branch_negated = condition->negated;
        } else {
            to->is_guarded = true;
        }
    }
}

/* The rounds of a `while` loop depend on data; what it counts is no part of an affine subscript. */
static struct list_axis while_rounds(struct listing *listing, const struct form *offset)
{
    return (struct list_axis){
        .coefficient = offset ? poly_integer(listing->options->ring, 0) : NULL};
}

/* Axes and loops from outside to inside. */
static void list_axes(struct listing *listing, struct list_access *to, const struct access *access,
                      const struct form *offset)
{
    struct list_axis *all[3];
    int count[3] = {0};
    to->rounds = poly_integer(listing->options->ring, 1);
    to->rounds_exact = true;
    for (int i = 0; i < 3; i++)
        all[i] = ARENA_ARRAY(listing->arena, struct list_axis, access->n_path + 1);
    for (size_t i = 0; i < access->n_path; i++) {
        const struct path_step *step = &access->path[i];
        if (step->iterator < 0 && !step->repeats)
            continue;
        if (step->repeats) {
            all[2][count[2]++] = while_rounds(listing, offset);
            to->rounds = NULL;
            continue;
        }
        enum level level = listing->analysis->iterators.at[step->iterator].level;
        int kind = level == LEVEL_GRID ? 0 : 2;
        if (level == LEVEL_THREAD)
            kind = 1;
        struct list_axis axis = axis_extent(listing, step);
        const struct poly *c = offset ? form_coefficient(offset, step->iterator) : NULL;
        if (offset)
            axis.coefficient = c ? list_poly(listing, c) : poly_integer(listing->options->ring, 0);
        to->is_affine &= !offset || axis.coefficient;
        all[kind][count[kind]++] = axis;
        if (kind == 2) {
            to->rounds = to->rounds && axis.extent ? poly_mul(to->rounds, axis.extent) : NULL;
            to->rounds_exact &= axis.is_exact;
        }
    }
    to->grid = all[0], to->n_grid = count[0];
    to->axes = all[1], to->n_axes = count[1];
    to->loops = all[2], to->n_loops = count[2];
}

static struct list_access list_one(struct listing *listing, const struct access *access)
{
    struct analysis *analysis = listing->analysis;
    struct list_access to = {.reference = access->reference, .band = access->band, .width = 1,
                             .bytes = type_bytes(access->reference.array->element)};
    if (access->vector)
        to.width = access->vector->width;
    to.is_strided = access->band && access->band->strided;
    const struct form *offset = access_offset(analysis, access);
    bool has_base = true;
    offset = offset ? offset_rounds(analysis, access, offset, &has_base) : NULL;
    if (offset && has_unknown(analysis, offset))
        offset = NULL;
    to.is_affine = offset != NULL;
    list_axes(listing, &to, access, offset);
    to.choices = to.is_affine ? access->choices : 1;
    to.usual = offset && to.is_affine && has_base ? offset_constant(listing, offset) : NULL;
    to.constant = to.choices == 1 ? to.usual : NULL;
    list_conditions(&to, access);
    return to;
}

static struct listing listing_new(struct ctx *ctx, const struct kernel *kernel,
                                  const struct list_options *options)
{
    struct listing listing = {.arena = ctx->arena, .options = options};
    listing.analysis = analysis_kept(ctx, kernel);
    size_t iterators = listing.analysis->iterators.count;
    listing.axes = ARENA_ARRAY(ctx->arena, struct list_axis, iterators + 1);
    listing.have_axis = ARENA_ARRAY(ctx->arena, bool, iterators + 1);
    return listing;
}

size_t access_list(struct ctx *ctx, const struct kernel *kernel, const struct list_options *options,
                   const struct list_access **list)
{
    struct listing listing = listing_new(ctx, kernel, options);
    size_t count = listing.analysis->accesses.count;
    struct list_access *all = ARENA_ARRAY(ctx->arena, struct list_access, count + 1);
    for (size_t i = 0; i < count; i++)
        all[i] = list_one(&listing, listing.analysis->accesses.at[i]);
    *list = all;
    return count;
}

/* --- points of a thread on both sides of a condition ------------------------------------------ */

static const struct path_step *step_of(const struct access *access, int iterator)
{
    for (size_t i = 0; i < access->n_path; i++)
        if (access->path[i].iterator == iterator)
            return &access->path[i];
    return NULL;
}

/* How far a term of a condition ranges: the points of a thread along a loop of so many rounds as a
   number tells, or the threads of an axis. False if that is not known. */
static bool term_range(struct listing *listing, const struct access *access,
                       const struct form_term *term, struct list_straddle *sums)
{
    const struct analysis *analysis = listing->analysis;
    enum level level = analysis->iterators.at[term->iterator].level;
    const struct path_step *step = step_of(access, term->iterator);
    const struct poly *c = list_poly(listing, term->coefficient);
    int direction = context_direction(analysis->context, term->coefficient);
    if (level == LEVEL_FRESH || level == LEVEL_OUTER || !step || !c || direction == 2)
        return false;
    const struct poly *extent = axis_extent(listing, step).extent;
    if (!extent || (level == LEVEL_SERIAL && !poly_is_constant(extent)))
        return false;
    const struct poly *one = poly_integer(listing->options->ring, 1);
    const struct poly *range = poly_mul(poly_sub(extent, one), direction < 0 ? poly_neg(c) : c);
    const struct poly **sum = direction < 0 ? &sums->fall : &sums->rise;
    *sum = poly_add(*sum, range);
    if (level == LEVEL_SERIAL)
        sums->distance = poly_add(sums->distance, range);
    return true;
}

/* Do both sides of the condition move with axes? Fills in how far they range, and how far the
   points of a thread do along its loops. */
static bool form_compares(struct listing *listing, const struct access *access,
                          const struct form *form, struct list_straddle *straddle)
{
    const struct poly *zero = poly_integer(listing->options->ring, 0);
    *straddle = (struct list_straddle){zero, zero, zero};
    for (int i = 0; i < form->n_terms; i++)
        if (!term_range(listing, access, &form->terms[i], straddle))
            return false;
    return !poly_is_constant(straddle->rise) && !poly_is_constant(straddle->fall);
}

/* Visits the forms of the conditions on threads over the accesses, from the start or the last
   one on. */
struct condition_walk {
    const struct analysis *analysis;
    const struct access *access;
    size_t n_accesses, step, form;
};

static const struct form *condition_next(struct condition_walk *w)
{
    for (; w->n_accesses <= w->analysis->accesses.count; w->n_accesses++, w->step = 0) {
        for (; w->access && w->step < w->access->n_path; w->step++, w->form = 0) {
            const struct condition *condition = &w->access->path[w->step].condition;
            if (w->access->path[w->step].iterator < 0 && condition->kind == CONDITION_THREAD &&
                w->form < condition->guards.forms.count)
                return condition->guards.forms.at[w->form++];
        }
        w->access = w->n_accesses < w->analysis->accesses.count
                        ? w->analysis->accesses.at[w->n_accesses]
                        : NULL;
    }
    return NULL;
}

/* How far conditions that differ from this one in a constant alone lie apart: those of the points
   of a thread that are written out. */
static const struct poly *forms_distance(struct listing *listing, const struct form *form)
{
    struct analysis *analysis = listing->analysis;
    const struct poly *low = poly_sub(form->constant, form->constant), *high = low;
    struct condition_walk walk = {.analysis = analysis};
    for (const struct form *at = condition_next(&walk); at; at = condition_next(&walk)) {
        const struct form *apart = form_sub(analysis, at, form);
        if (!apart || apart->n_terms > 0)
            continue;
        if (context_direction(analysis->context, poly_sub(apart->constant, high)) == 1)
            high = apart->constant;
        if (context_direction(analysis->context, poly_sub(low, apart->constant)) == 1)
            low = apart->constant;
    }
    return list_poly(listing, poly_sub(high, low));
}

bool access_straddle(struct ctx *ctx, const struct kernel *kernel,
                     const struct list_options *options, struct list_straddle *straddle)
{
    struct listing listing = listing_new(ctx, kernel, options);
    struct condition_walk walk = {.analysis = listing.analysis};
    for (const struct form *at = condition_next(&walk); at; at = condition_next(&walk)) {
        if (!form_compares(&listing, walk.access, at, straddle))
            continue;
        const struct poly *apart = forms_distance(&listing, at);
        if (apart)
            straddle->distance = poly_add(straddle->distance, apart);
        if (!poly_is_zero(straddle->distance))
            return true;
    }
    return false;
}
