/* Starts of the elements of an array that blocks walk over.

   In: a store marked as a start that stands in a loop, as in a block for each row i

       for (int j0 = 0; j0 < n; j0 += B0)
           meta_for (int tj = 0; tj < B0; tj++) {
               int j = j0 + tj;
               if (j < n && i == 0)
                   y[j] = 0;
           }

   Out: the axis of a strided band over the elements 0 to n - 1, and the store with its variable in
   the place of j. Rounds and lanes run through consecutive elements once: the subscript is 0 +
   (points of the block) * round + the number of the thread's point, and a condition ends it at the
   value that ends the loop. All axes of the grid are missing in the subscript, so that the first
   point is the first block. All accumulations stand behind the store: so each comes when all
   elements are started. Other conditions are over the grid or over parameters alone. */
#include "ir/access/ends_points.h"
#include "ir/walk.h"

bool marked_is_in_loop(const struct marked *marked)
{
    for (size_t i = 0; i < marked->access->n_path; i++)
        if (marked->access->path[i].loop || marked->access->path[i].repeats)
            return true;
    return false;
}

/* The only loop around the store, which stands around its band; NULL if there are others. */
static const struct path_step *walk_loop(const struct ends_search *search,
                                         const struct marked *marked)
{
    const struct path_step *found = NULL;
    for (size_t i = 0; i < marked->access->n_path; i++) {
        const struct path_step *step = &marked->access->path[i];
        if (!step->loop && !step->repeats)
            continue;
        if (found || step->repeats ||
            search->analysis->iterators.at[step->iterator].level != LEVEL_OUTER)
            return NULL;
        found = step;
    }
    return found;
}

/* The number of a thread's point, the last axis of its band fastest, as far as the subscript has it
   so; NULL if it is another number. *points: how many points there are. */
static const struct form *lane_number(const struct ends_search *search,
                                      const struct marked *marked, const struct form *subscript,
                                      const struct poly **points)
{
    struct analysis *analysis = search->analysis;
    const struct form *number = form_integer(analysis, 0);
    *points = poly_integer(analysis->ring, 1);
    for (size_t i = marked->access->n_path; i-- > 0;) {
        int iterator = marked->access->path[i].iterator;
        const struct iterator *it = iterator < 0 ? NULL : &analysis->iterators.at[iterator];
        if (!it || it->level != LEVEL_THREAD)
            continue;
        const struct poly *factor = form_coefficient(subscript, iterator);
        const struct form *last = it->range.hi;
        if (!last || last->n_terms || !factor || !poly_equal(factor, *points))
            return NULL;
        number = form_add(analysis, number,
                          form_scale(analysis, form_iterator(analysis, iterator), factor));
        *points = poly_mul(*points,
                           poly_add(last->constant, poly_integer(analysis->ring, 1)));
    }
    return number;
}

/* Does the condition say no more and no less than that the form is not negative? */
static bool condition_is(const struct condition *condition, const struct form *form)
{
    const struct guards *guards = &condition->guards;
    return condition->affine && guards->forms.count == 1 && !guards->facts.count &&
           form_equal(guards->forms.at[0], form);
}

/* Finds the condition that ends the elements, `inside` >= 0; false if there is none, or another one
   that is not over the grid or parameters alone. */
static bool range_find(struct ends_search *search, struct marked *marked,
                       const struct form *inside)
{
    bool found = false;
    for (size_t i = 0; i < marked->access->n_path; i++) {
        const struct path_step *step = &marked->access->path[i];
        if (step->iterator >= 0)
            continue;
        if (!found && condition_is(&step->condition, inside)) {
            marked->range = i;
            found = true;
            continue;
        }
        const struct expr *e = ends_condition(search, &step->condition);
        if (!e || !ends_is_over_axes(search, e, false) ||
            ends_axes(search->kernel, e) & ~marked->missing)
            return false;
    }
    return found;
}

/* Do all accumulations in the array stand behind the store? */
static bool is_before_sums(const struct ends_search *search, const struct marked *marked)
{
    const struct array *array = marked->access->reference.array;
    for (size_t i = 0; i < marked->place; i++)
        if (ends_accumulates(search->analysis->accesses.at[i], array))
            return false;
    return stmt_accumulates_in(search->kernel->body, array);
}

/* An expression, and the variable that takes its place. */
struct put {
    const struct expr *what, *by;
};

static const struct expr *element_put(void *state, const struct expr *e)
{
    const struct put *put = state;
    return expr_equal(e, put->what) ? put->by : e;
}

static const struct expr *uncast(const struct expr *e)
{
    while (e->kind == EXPR_CAST)
        e = e->arguments[0];
    return e;
}

/* Is e made of parameters and the variable, and of loads? */
static bool is_over_element(const struct ends_search *search, const struct expr *e,
                            const struct var *var)
{
    struct expr_walk walk;
    for (const struct expr *at = expr_first(&walk, search->arena, e); at; at = expr_next(&walk))
        if (at->kind == EXPR_VAR && at->var->kind != VAR_PARAM && at->var != var)
            return false;
    return true;
}

/* Sets the store's axis, subscript and value. */
static bool elements_set(struct ends_search *search, struct marked *marked,
                         const struct expr *extent)
{
    struct arena *arena = search->arena;
    const struct expr *subscript = marked->access->indices[0];
    struct axis *axis = ARENA_ARRAY(arena, struct axis, 1);
    if (!subscript || !extent || !marked->access->value || !expr_reads_only_params(extent))
        return false;
    subscript = uncast(subscript);
    axis->var = var_new(arena, names_fresh(&search->names, "e"), subscript->type, VAR_ITERATOR);
    axis->extent = extent;
    struct put put = {subscript, expr_var(arena, axis->var)};
    marked->indices = ARENA_ARRAY(arena, const struct expr *, 1);
    marked->indices[0] = put.by;
    marked->value = expr_rewrite(arena, marked->access->value, element_put, &put);
    marked->elements = axis;
    return is_over_element(search, marked->value, axis->var);
}

bool start_is_walk(struct ends_search *search, struct marked *marked)
{
    struct analysis *analysis = search->analysis;
    const struct path_step *loop = walk_loop(search, marked);
    const struct poly *points;
    struct sum_axes grid = {(1u << search->kernel->n_grid) - 1, 0};
    bool is_walk = loop && marked->access->end->end == SUM_END_START &&
                   marked->access->reference.array->n_dims == 1 &&
                   marked->access->subscripts[0] && is_before_sums(search, marked);
    if (!is_walk)
        return ends_fail(search, marked, "it stands in a loop");
    const struct form *subscript = marked->access->subscripts[0],
                      *room = analysis->iterators.at[loop->iterator].room,
                      *lane = lane_number(search, marked, subscript, &points);
    marked->missing = ends_missing(grid);
    const struct form *rounds =
        lane ? form_scale(analysis, form_iterator(analysis, loop->iterator), points) : NULL;
    if (!lane || !room || !form_equal(subscript, form_add(analysis, rounds, lane)) ||
        !range_find(search, marked, form_sub(analysis, room, lane)) ||
        !elements_set(search, marked, loop->to))
        return ends_fail(search, marked, "it stands in a loop that does not run through all first "
                                         "elements of the array once");
    return start_is_first(search, marked);
}
