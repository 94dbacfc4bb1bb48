/* Promotion: elements that one thread alone touches, again and again, become private (Figure
   4: private_c[s]).

   In: the promotions that access proves, per array and loop. Out: for each a private array with one
   entry per iteration of the thread's loops in the subscript (private_c[1] without such loops),
   loaded before the loop around the references and stored after it. If that loop holds bands, load
   and store are plain bands of their own with the same axes: thread t keeps its point, so its
   private entries are those of the elements it will touch.
   Invariant: load and store stand under exactly the conditions of the references that do not depend
   on hoisted loops; an array that is staged in some band is left alone. Source: spec C-29; notes on
   footprints, "Promotion". */
#include "ir/walk.h"
#include "optimizer/strategies/place.h"

static bool is_staged(const struct placement *p, const struct array *array)
{
    for (size_t i = 0; i < p->bands.count; i++)
        for (size_t k = 0; k < p->bands.at[i].tiles.count; k++)
            if (p->bands.at[i].tiles.at[k].tile->array == array)
                return true;
    return false;
}

/* The band in `root` that uses the array; NULL if none does or several do. */
static const struct stmt *only_band_of(struct arena *arena, const struct stmt *root,
                                       const struct array *array)
{
    const struct stmt *band = NULL;
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, root); s; s = stmt_next(&walk)) {
        if (s->kind != STMT_BAND || !stmt_uses_array(s, array))
            continue;
        if (band)
            return NULL;
        band = s;
    }
    return band;
}

/* The private array; NULL if its size is a parameter and that is not wanted, or differs between
   threads, whose loops begin or end elsewhere. */
static struct array *private_array(struct placement *p, const struct promotion *promotion)
{
    int n = promotion->n_iterators ? promotion->n_iterators : 1;
    const struct expr **dims = ARENA_ARRAY(p->arena, const struct expr *, n);
    dims[0] = expr_integer(p->arena, TYPE_I32, 1);
    for (int i = 0; i < promotion->n_iterators; i++) {
        int64_t value;
        dims[i] = loop_trip(p->arena, promotion->loops[i]);
        if (!expr_get_integer(dims[i], &value) &&
            !(p->options.promote_symbolic && expr_reads_only_params(dims[i])))
            return NULL;
    }
    struct array *array = ARENA_NEW(p->arena, struct array);
    array->name = names_fresh(&p->names,
                              arena_printf(p->arena, "private_%s", promotion->array->name));
    array->element = promotion->array->element;
    array->space = SPACE_PRIVATE;
    array->n_dims = n;
    array->dims = dims;
    array->origin = promotion->array;
    array->loc = promotion->array->loc;
    return array;
}

/* Iteration number of a loop from its variable. */
static const struct expr *loop_index(struct arena *arena, const struct stmt *loop)
{
    const struct expr *var = expr_var(arena, loop->var);
    if (loop_is_normal(loop))
        return var;
    return expr_binary(arena, OP_DIV, expr_binary(arena, OP_SUB, var, loop->from), loop->step);
}

static void promotion_add(struct placement *p, const struct promotion *promotion)
{
    struct placed_promotion placed = {.promotion = promotion};
    if (is_staged(p, promotion->array))
        return;
    if (stmt_has_band(promotion->around)) {
        placed.band = only_band_of(p->arena, promotion->around, promotion->array);
        if (!placed.band || placed.band->strided || promotion->around->kind == STMT_BAND)
            return;
    }
    placed.array = private_array(p, promotion);
    if (!placed.array)
        return;
    const struct expr **places = ARENA_ARRAY(p->arena, const struct expr *, placed.array->n_dims);
    places[0] = expr_integer(p->arena, TYPE_I32, 0);
    for (int i = 0; i < promotion->n_iterators; i++)
        places[i] = loop_index(p->arena, promotion->loops[i]);
    placed.places = places;
    vec_push(p->arena, &p->promotions, placed);
}

void promotion_plan(struct placement *p)
{
    const struct promotion *promotions;
    if (!p->options.promote)
        return;
    size_t count = access_promotions(p->ctx, p->kernel, &promotions);
    for (size_t i = 0; i < count; i++)
        promotion_add(p, &promotions[i]);
}

const struct placed_promotion *promotion_reference(const struct placement *p,
                                                   const struct expr *load,
                                                   const struct stmt *store)
{
    for (size_t i = 0; i < p->promotions.count; i++)
        if (p->promotions.at[i].here && promotion_has(p->promotions.at[i].promotion, load, store))
            return &p->promotions.at[i];
    return NULL;
}

bool promotion_is_loop(const struct placement *p, const struct stmt *loop)
{
    for (size_t i = 0; i < p->promotions.count; i++)
        for (int k = 0; k < p->promotions.at[i].promotion->n_iterators; k++)
            if (p->promotions.at[i].promotion->loops[k] == loop)
                return true;
    return false;
}

/* Loops over the private entries around private = array or array = private, in a band
   where needed. */
static const struct stmt *promotion_copy(struct placement *p, const struct placed_promotion *placed,
                                         bool is_load)
{
    const struct promotion *promotion = placed->promotion;
    int n_axes = placed->band ? placed->band->n_axes : 0, n = n_axes + promotion->n_iterators;
    struct axis *axes = ARENA_ARRAY(p->arena, struct axis, n + 1),
                *fresh = ARENA_ARRAY(p->arena, struct axis, n + 1);
    for (int i = 0; i < n_axes; i++)
        axes[i] = placed->band->axes[i];
    for (int i = n_axes; i < n; i++)
        axes[i] = (struct axis){promotion->loops[i - n_axes]->var,
                                promotion->loops[i - n_axes]->to};
    struct substitution renaming = axes_rename(&p->names, p->kernel, axes, n, fresh);
    int rank = promotion->array->n_dims, private_rank = placed->array->n_dims;
    const struct expr **element = ARENA_ARRAY(p->arena, const struct expr *, rank);
    const struct expr **place = ARENA_ARRAY(p->arena, const struct expr *, private_rank);
    for (int i = 0; i < rank; i++)
        element[i] = expr_replace(p->arena, promotion->subscript[i], &renaming);
    for (int i = 0; i < private_rank; i++)
        place[i] = expr_replace(p->arena, placed->places[i], &renaming);
    struct loc loc = promotion->array->loc;
    const struct stmt *body = is_load
                                  ? stmt_store(p->arena, placed->array, place,
                                               expr_load(p->arena, promotion->array, element, loc),
                                               loc)
                                  : stmt_store(p->arena, promotion->array, element,
                                               expr_load(p->arena, placed->array, place, loc), loc);
    if (promotion->guard)
        body = stmt_if(p->arena, expr_replace(p->arena, promotion->guard, &renaming), body, NULL);
    for (int i = n; i-- > n_axes;) {
        const struct stmt *loop = promotion->loops[i - n_axes];
        struct stmt *copy = (struct stmt *)stmt_for(p->arena, fresh[i].var, loop->from, loop->to,
                                                    loop->step, body);
        copy->unroll = true;
        body = copy;
    }
    return placed->band ? stmt_band(p->arena, fresh, n_axes, false, body) : body;
}

const struct stmt *promotion_begin(struct placement *p, const struct placed_promotion *placed)
{
    const struct stmt *parts[2] = {stmt_array(p->arena, placed->array), NULL};
    if (placed->promotion->load_first)
        parts[1] = promotion_copy(p, placed, true);
    return stmt_sequence(p->arena, parts, 2);
}

const struct stmt *promotion_end(struct placement *p, const struct placed_promotion *placed)
{
    return placed->promotion->is_written ? promotion_copy(p, placed, false) : NULL;
}
