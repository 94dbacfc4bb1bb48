/* Starts and finishes of sums.

   In: a kernel with stores marked as starts and finishes. Out: its body with them at its ends, or
   the reason for which a store is no start, or no finish.

   Let M be the axes that the subscripts of a sum lack. For given values of all others, threads run
   through the points of M in the order of the text: first the axes of the grid, in their order, in
   a block band after band, in a band its axes. A start is first if it stands before all
   accumulations of its array, outside of loops, under conditions by which all axes of M are 0. A
   finish is last if it stands behind all accumulations, outside of loops, under equations N = e:
   in each, N is a number with axes of M as its digits, in their order, so that it fixes them, and
   what e is made of is not in M. Where accumulations are under a condition N <= e, or e is the
   greatest value that N has, none of them comes later. If they are all in earlier bands, axes of
   the block may have any value. Every axis of M is in an equation.

   The first or last point may be missing: then nothing starts or finishes. Conditions by which it
   exists come from the others with the axes' values put in: 0, or what N = e says.

   A finish is executed later than it stands, and by another thread, a start perhaps when all sums
   are known. So no other statement of the kernel may touch an array that it stores to, or store to
   an array that it reads; and points of the axes that are not in M may run it at once, which is
   asked of the proofs of legality. */
#include "ir/access/ends.h"
#include "ir/access/analysis.h"
#include "ir/walk.h"

/* Axes by number: those of the grid, then (from AXES_MAX on) those of the block. */
enum { NUMBERS = 2 * AXES_MAX };

/* constant + sum of at[i] * axis i; NULL entries are 0. */
struct axis_form {
    const struct poly *constant;
    const struct poly *at[NUMBERS];
};

/* A marked store. */
struct marked {
    const struct access *access;             /* the store's own */
    size_t place;                            /* its number among the kernel's accesses */
    const struct expr **indices, *value;     /* over parameters and axes */
    unsigned missing;                        /* bit i: axis number i */
    VEC(const struct expr *) exists;         /* under these the point is there */
};

struct ends_search {
    struct ctx *ctx;
    struct arena *arena;
    const struct kernel *kernel;
    struct analysis *analysis;
    struct ends_fault *fault;
    VEC(struct marked) list;
};

static bool ends_fail(struct ends_search *search, const struct marked *marked, const char *reason)
{
    *search->fault = (struct ends_fault){marked->access->reference.store, reason};
    return false;
}

/* --- axes ------------------------------------------------------------------------------------- */

static const struct var *axis_var(const struct kernel *kernel, int number)
{
    if (number < AXES_MAX)
        return number < kernel->n_grid ? kernel->grid[number].var : NULL;
    number -= AXES_MAX;
    return number < kernel->n_block ? kernel->block[number].var : NULL;
}

/* Axes of bands under the kernel's names. */
static const struct expr *block_axis(void *state, const struct var *var)
{
    const struct ends_search *search = state;
    for (size_t i = 0; i < search->analysis->iterators.count; i++) {
        const struct iterator *it = &search->analysis->iterators.at[i];
        if (it->var == var && it->level == LEVEL_THREAD)
            return expr_var(search->arena, search->kernel->block[it->axis].var);
    }
    return NULL;
}

static const struct expr *over_axes(struct ends_search *search, const struct expr *e)
{
    return e ? expr_substitute(search->arena, e, block_axis, search) : NULL;
}

static unsigned expr_axes(const struct kernel *kernel, const struct expr *e)
{
    unsigned axes = 0;
    for (int i = 0; i < NUMBERS; i++) {
        const struct var *var = axis_var(kernel, i);
        axes |= var && expr_uses_var(e, var) ? 1u << i : 0;
    }
    return axes;
}

static unsigned missing_number(struct sum_axes missing)
{
    return missing.grid | missing.block << AXES_MAX;
}

/* False if the form has other iterators. */
static bool axis_form_of(const struct ends_search *search, const struct form *form,
                         struct axis_form *out)
{
    *out = (struct axis_form){.constant = form->constant};
    for (int i = 0; i < form->n_terms; i++) {
        const struct iterator *it = &search->analysis->iterators.at[form->terms[i].iterator];
        if (it->level != LEVEL_GRID && it->level != LEVEL_THREAD)
            return false;
        out->at[it->level == LEVEL_GRID ? it->axis : AXES_MAX + it->axis] =
            form->terms[i].coefficient;
    }
    return true;
}

static const struct poly *form_at(const struct ends_search *search, const struct axis_form *form,
                                  int number)
{
    return form->at[number] ? form->at[number] : poly_integer(search->analysis->ring, 0);
}

/* Is a + b >= 0 because all axes cancel out? */
static bool forms_join_above(const struct ends_search *search, const struct axis_form *a,
                             const struct axis_form *b)
{
    for (int i = 0; i < NUMBERS; i++)
        if (!poly_is_zero(poly_add(form_at(search, a, i), form_at(search, b, i))))
            return false;
    return context_nonnegative(search->analysis->context, poly_add(a->constant, b->constant));
}

static struct axis_form form_negated(const struct axis_form *form)
{
    struct axis_form negated = {.constant = poly_neg(form->constant)};
    for (int i = 0; i < NUMBERS; i++)
        negated.at[i] = form->at[i] ? poly_neg(form->at[i]) : NULL;
    return negated;
}

/* extent - 1 of an axis; NULL if that is no polynomial. */
static const struct poly *axis_last(const struct ends_search *search, int number)
{
    const struct analysis *analysis = search->analysis;
    for (size_t i = 0; i < analysis->iterators.count; i++) {
        const struct iterator *it = &analysis->iterators.at[i];
        enum level level = number < AXES_MAX ? LEVEL_GRID : LEVEL_THREAD;
        if (it->level == level && it->axis == number % AXES_MAX)
            return it->range.hi && !it->range.hi->n_terms ? it->range.hi->constant : NULL;
    }
    return NULL;
}

static bool axis_is_single(const struct ends_search *search, int number)
{
    const struct poly *last = axis_last(search, number);
    return last && poly_is_zero(last);
}

/* The guards that an access stands under, one after the other: false at the end, *step and *at
   being 0 at first. */
static bool guard_next(const struct ends_search *search, const struct access *access, size_t *step,
                       size_t *at, struct axis_form *guard)
{
    for (; *step < access->n_path; ++*step, *at = 0) {
        const struct guards *guards = &access->path[*step].condition.guards;
        while (access->path[*step].iterator < 0 && *at < guards->forms.count)
            if (axis_form_of(search, guards->forms.at[(*at)++], guard))
                return true;
    }
    return false;
}

/* --- what a marked store belongs to ----------------------------------------------------------- */

static bool is_accumulation(const struct access *access, const struct array *array)
{
    return access->reference.array == array && access->reference.store &&
           access->reference.store->reduction;
}

static bool is_over_axes(const struct ends_search *search, const struct expr *e, bool loads)
{
    struct expr_walk walk;
    for (const struct expr *at = expr_first(&walk, search->arena, e); at; at = expr_next(&walk)) {
        bool known = at->kind != EXPR_VAR || at->var->kind == VAR_PARAM;
        for (int i = 0; i < NUMBERS && !known; i++)
            known = axis_var(search->kernel, i) == at->var;
        if (!known || (at->kind == EXPR_LOAD && !loads))
            return false;
    }
    return true;
}

/* Is the element one of a sum, all of whose accumulations stand before (or behind, if `before` is
   false) the store? *missing: the axes that the sum lacks. */
static bool element_is_summed(struct ends_search *search, const struct marked *marked,
                              const struct array *array, const struct expr *const *indices,
                              unsigned *missing)
{
    bool is_start = marked->access->end->end == SUM_END_START, found = false;
    for (size_t i = 0; i < search->analysis->accesses.count; i++) {
        const struct access *access = search->analysis->accesses.at[i];
        if (!is_accumulation(access, array))
            continue;
        if (is_start != (marked->place < i))
            return false;
        bool equal = true;
        for (int d = 0; d < array->n_dims; d++) {
            const struct expr *own = over_axes(search, access->indices[d]);
            equal = equal && own && expr_equal(own, indices[d]);
        }
        found |= equal;
    }
    *missing = missing_number(axes_missing(search->kernel, indices, array->n_dims));
    return found;
}

static bool array_is_summed(const struct ends_search *search, const struct array *array)
{
    return array->space == SPACE_GLOBAL && stmt_accumulates_in(search->kernel->body, array);
}

/* Finds the axes that the sums lack whose elements the store sets and reads. */
static bool marked_belongs(struct ends_search *search, struct marked *marked)
{
    const struct array *array = marked->access->reference.array;
    struct expr_walk walk;
    unsigned missing;
    bool found = false;
    if (array_is_summed(search, array)) {
        found = element_is_summed(search, marked, array, marked->indices, &marked->missing);
        if (!found)
            return ends_fail(search, marked, "accumulations in the element do not all come before "
                                             "it, or all behind it");
    }
    for (const struct expr *e = expr_first(&walk, search->arena, marked->value); e;
         e = expr_next(&walk)) {
        if (e->kind != EXPR_LOAD || !array_is_summed(search, e->array))
            continue;
        if (!element_is_summed(search, marked, e->array, e->arguments, &missing))
            return ends_fail(search, marked, "an element that it reads is not summed then");
        if (found && missing != marked->missing)
            return ends_fail(search, marked, "the sums that it reads end at different points");
        marked->missing = missing;
        found = true;
    }
    return found || ends_fail(search, marked, "it belongs to no sum");
}

/* --- first and last points -------------------------------------------------------------------- */

/* Does the guard hold only where the axis is 0? */
static bool guard_holds_at_zero(const struct ends_search *search, const struct axis_form *guard,
                                unsigned missing, int number)
{
    const struct context *context = search->analysis->context;
    if (!guard->at[number] || !context_positive(context, poly_neg(guard->at[number])))
        return false;
    for (int i = 0; i < NUMBERS; i++)
        if (guard->at[i] && (!(missing >> i & 1) ||
                             !context_nonnegative(context, poly_neg(guard->at[i]))))
            return false;
    return context_nonnegative(context, poly_neg(guard->constant));
}

static bool axis_is_zero(const struct ends_search *search, const struct marked *marked, int number)
{
    struct axis_form guard;
    size_t step = 0, at = 0;
    bool found = axis_is_single(search, number);
    while (!found && guard_next(search, marked->access, &step, &at, &guard))
        found = guard_holds_at_zero(search, &guard, marked->missing, number);
    return found;
}

struct zeros {
    const struct kernel *kernel;
    unsigned axes;
    struct arena *arena;
};

static const struct expr *zero_of(void *state, const struct var *var)
{
    const struct zeros *zeros = state;
    for (int i = 0; i < NUMBERS; i++)
        if (zeros->axes >> i & 1 && axis_var(zeros->kernel, i) == var)
            return expr_integer(zeros->arena, var->type, 0);
    return NULL;
}

/* Is the condition sure to hold where the missing axes are 0? */
static bool holds_at_zero(const struct ends_search *search, const struct condition *condition,
                          unsigned missing)
{
    const struct guards *guards = &condition->guards;
    bool holds = condition->affine && !guards->facts.count;
    for (size_t i = 0; i < guards->forms.count && holds; i++) {
        struct axis_form form;
        holds = axis_form_of(search, guards->forms.at[i], &form) &&
                context_nonnegative(search->analysis->context, form.constant);
        for (int k = 0; k < NUMBERS && holds; k++)
            holds = !form.at[k] || missing >> k & 1;
    }
    return holds;
}

static const struct expr *condition_expr_of(struct ends_search *search,
                                            const struct condition *condition)
{
    const struct expr *e = over_axes(search, condition->expr);
    return e && condition->negated ? expr_unary(search->arena, OP_NOT, e) : e;
}

static bool start_is_first(struct ends_search *search, struct marked *marked)
{
    struct zeros zeros = {search->kernel, marked->missing, search->arena};
    for (int i = 0; i < NUMBERS; i++)
        if (marked->missing >> i & 1 && !axis_is_zero(search, marked, i))
            return ends_fail(search, marked, "it is not proved to come at the first point of the "
                                             "axes that the element's subscripts lack");
    for (size_t i = 0; i < marked->access->n_path; i++) {
        const struct condition *condition = &marked->access->path[i].condition;
        const struct expr *e = marked->access->path[i].iterator < 0
                                   ? condition_expr_of(search, condition)
                                   : NULL;
        if (e && expr_axes(search->kernel, e) & marked->missing &&
            !holds_at_zero(search, condition, marked->missing))
            vec_push(search->arena, &marked->exists,
                     expr_substitute(search->arena, e, zero_of, &zeros));
    }
    return true;
}

/* N - e = 0, N being a number with these axes as its digits. */
struct end_equation {
    struct axis_form form;
    unsigned digits;
};

/* Are the missing axes of the form digits of one number, in their order? */
static bool equation_digits(const struct ends_search *search, unsigned missing,
                        struct end_equation *equation)
{
    const struct poly *weight = poly_integer(search->analysis->ring, 1);
    equation->digits = 0;
    for (int i = NUMBERS; i-- > 0;) {
        const struct poly *last, *factor = equation->form.at[i];
        if (!(missing >> i & 1) || !factor || poly_is_zero(factor))
            continue;
        last = axis_last(search, i);
        if (!last || !poly_equal(factor, weight))
            return false;
        equation->digits |= 1u << i;
        weight = poly_mul(weight, poly_add(last, poly_integer(search->analysis->ring, 1)));
    }
    return equation->digits != 0;
}

/* Does the store stand under form <= 0, too? */
static bool is_equation(const struct ends_search *search, const struct marked *marked,
                        const struct axis_form *form)
{
    struct axis_form guard, negated = form_negated(form);
    size_t step = 0, at = 0;
    while (guard_next(search, marked->access, &step, &at, &guard)) {
        struct axis_form other = form_negated(&guard);
        if (forms_join_above(search, form, &guard) && forms_join_above(search, &negated, &other))
            return true;
    }
    return false;
}

static bool equation_find(const struct ends_search *search, const struct marked *marked, int axis,
                          struct end_equation *equation)
{
    size_t step = 0, at = 0;
    while (guard_next(search, marked->access, &step, &at, &equation->form))
        if (equation->form.at[axis] && equation_digits(search, marked->missing, equation) &&
            equation->digits >> axis & 1 && is_equation(search, marked, &equation->form))
            return true;
    return false;
}

/* The greatest value of N - e, with the axes that are not digits; false if it is not known. */
static bool equation_top(const struct ends_search *search, const struct end_equation *equation,
                         struct axis_form *top)
{
    *top = equation->form;
    for (int i = 0; i < NUMBERS; i++) {
        const struct poly *last = equation->digits >> i & 1 ? axis_last(search, i) : NULL;
        if (!(equation->digits >> i & 1))
            continue;
        if (!last)
            return false;
        top->constant = poly_add(top->constant, poly_mul(top->at[i], last));
        top->at[i] = NULL;
    }
    return true;
}

static bool form_is_constant(const struct axis_form *form)
{
    bool constant = true;
    for (int i = 0; i < NUMBERS; i++)
        constant &= !form->at[i] || poly_is_zero(form->at[i]);
    return constant;
}

static bool marked_touches(const struct marked *marked, const struct array *array)
{
    return marked->access->reference.array == array || expr_uses_array(marked->value, array);
}

/* Is N <= e wherever the access accumulates? */
static bool stays_below(const struct ends_search *search, const struct access *access,
                        const struct end_equation *equation)
{
    struct axis_form guard, top, below = form_negated(&equation->form);
    size_t step = 0, at = 0;
    while (guard_next(search, access, &step, &at, &guard)) {
        struct axis_form negated = form_negated(&guard);
        if (forms_join_above(search, &below, &negated))
            return true;
    }
    return equation_top(search, equation, &top) && form_is_constant(&top) &&
           context_nonnegative(search->analysis->context, poly_neg(top.constant));
}

static bool equation_is_last(const struct ends_search *search, const struct marked *marked,
                             const struct end_equation *equation)
{
    const struct analysis *analysis = search->analysis;
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *access = analysis->accesses.at[i];
        bool is_block = equation->digits >> AXES_MAX << AXES_MAX == equation->digits;
        if (!is_accumulation(access, access->reference.array) ||
            !marked_touches(marked, access->reference.array) ||
            (is_block && access->band != marked->access->band))
            continue;
        if (!stays_below(search, access, equation))
            return false;
    }
    return true;
}

/* form >= 0 as a condition for the point to be there, unless it is sure to hold; false if it cannot
   be written. */
static bool exists_add(struct ends_search *search, struct marked *marked,
                       const struct axis_form *form)
{
    struct analysis *analysis = search->analysis;
    const struct form *sum = form_constant(analysis, form->constant);
    if (form_is_constant(form) && context_nonnegative(analysis->context, form->constant))
        return true;
    for (size_t i = 0; i < analysis->iterators.count; i++) {
        const struct iterator *it = &analysis->iterators.at[i];
        int number = it->level == LEVEL_GRID ? it->axis : AXES_MAX + it->axis;
        bool is_own = it->level == LEVEL_GRID || it->stmt == marked->access->band;
        if (is_own && it->axis >= 0 && form->at[number])
            sum = form_add(analysis, sum,
                           form_scale(analysis, form_iterator(analysis, (int)i), form->at[number]));
    }
    const struct expr *e = over_axes(search, expr_of_form(analysis, sum, TYPE_I64));
    if (e)
        vec_push(search->arena, &marked->exists,
                 expr_binary(search->arena, OP_GE, e, expr_integer(search->arena, TYPE_I64, 0)));
    return e != NULL;
}

/* 0 <= e, and e is no greater than N can be. */
static bool equation_exists(struct ends_search *search, struct marked *marked,
                            const struct end_equation *equation)
{
    struct axis_form value = form_negated(&equation->form), top;
    for (int i = 0; i < NUMBERS; i++)
        value.at[i] = equation->digits >> i & 1 ? NULL : value.at[i];
    return exists_add(search, marked, &value) && equation_top(search, equation, &top) &&
           exists_add(search, marked, &top);
}

static bool guard_is_implied_by(const struct ends_search *search, const struct axis_form *guard,
                                const struct end_equation *equations, int n)
{
    bool found = false;
    for (int k = 0; k < n && !found; k++) {
        struct axis_form negated = form_negated(&equations[k].form);
        found = forms_join_above(search, guard, &negated) ||
                forms_join_above(search, guard, &equations[k].form);
    }
    return found;
}

/* Do the equations imply the condition? */
static bool is_implied(const struct ends_search *search, const struct condition *condition,
                       const struct end_equation *equations, int n)
{
    const struct guards *guards = &condition->guards;
    bool implied = condition->affine && !guards->facts.count;
    for (size_t i = 0; i < guards->forms.count && implied; i++) {
        struct axis_form guard;
        implied = axis_form_of(search, guards->forms.at[i], &guard) &&
                  guard_is_implied_by(search, &guard, equations, n);
    }
    return implied;
}

static bool finish_is_last(struct ends_search *search, struct marked *marked)
{
    static const char *const reason = "it is not proved to come once, at the last point of the "
                                      "axes that the subscripts of the sum lack";
    struct end_equation equations[NUMBERS];
    unsigned found = 0;
    int n = 0;
    for (int i = 0; i < NUMBERS; i++) {
        if (!(marked->missing >> i & 1) || found >> i & 1 || axis_is_single(search, i))
            continue;
        if (!equation_find(search, marked, i, &equations[n]) || equations[n].digits & found ||
            !equation_is_last(search, marked, &equations[n]) ||
            !equation_exists(search, marked, &equations[n]))
            return ends_fail(search, marked, reason);
        found |= equations[n].digits;
        n++;
    }
    for (size_t i = 0; i < marked->access->n_path; i++) {
        const struct condition *condition = &marked->access->path[i].condition;
        const struct expr *e = marked->access->path[i].iterator < 0
                                   ? condition_expr_of(search, condition)
                                   : NULL;
        if (e && expr_axes(search->kernel, e) & marked->missing &&
            !is_implied(search, condition, equations, n))
            return ends_fail(search, marked, reason);
    }
    return true;
}

/* --- stores ----------------------------------------------------------------------------------- */

static bool conditions_are_fixed(struct ends_search *search, const struct marked *marked)
{
    for (size_t i = 0; i < marked->access->n_path; i++) {
        const struct path_step *step = &marked->access->path[i];
        const struct expr *e = condition_expr_of(search, &step->condition);
        if (step->loop || step->repeats)
            return ends_fail(search, marked, "it stands in a loop");
        if (step->iterator < 0 && (!e || !is_over_axes(search, e, false)))
            return ends_fail(search, marked, "it depends on data");
    }
    return true;
}

static bool marked_read(struct ends_search *search, struct marked *marked)
{
    const struct access *access = marked->access;
    int n = access->reference.array->n_dims;
    unsigned used;
    if (!conditions_are_fixed(search, marked))
        return false;
    marked->indices = ARENA_ARRAY(search->arena, const struct expr *, n);
    marked->value = over_axes(search, access->value);
    bool known = marked->value && is_over_axes(search, marked->value, true);
    for (int i = 0; i < n && known; i++) {
        marked->indices[i] = over_axes(search, access->indices[i]);
        known = marked->indices[i] && is_over_axes(search, marked->indices[i], false);
    }
    if (!known)
        return ends_fail(search, marked, "it uses variables that have other values there");
    if (!marked_belongs(search, marked))
        return false;
    used = expr_axes(search->kernel, marked->value);
    for (int i = 0; i < n; i++)
        used |= expr_axes(search->kernel, marked->indices[i]);
    if (used & marked->missing)
        return ends_fail(search, marked, "it uses an axis that the subscripts of the sum lack");
    return access->end->end == SUM_END_START ? start_is_first(search, marked)
                                             : finish_is_last(search, marked);
}

/* Does the reference stand in a marked store whose sums lack the same axes? */
static bool is_in_group(const struct ends_search *search, const struct access *access,
                        unsigned missing)
{
    for (size_t i = 0; i < search->list.count; i++)
        if (search->list.at[i].access->end == access->end &&
            search->list.at[i].missing == missing)
            return access->end != NULL;
    return false;
}

/* Does nothing else touch what the store sets, or set what it reads? */
static bool marked_is_alone(struct ends_search *search, const struct marked *marked)
{
    const struct array *stored = marked->access->reference.array;
    for (size_t i = 0; i < search->analysis->accesses.count; i++) {
        const struct access *access = search->analysis->accesses.at[i];
        const struct array *array = access->reference.array;
        if (!marked_touches(marked, array) || is_accumulation(access, array) ||
            is_in_group(search, access, marked->missing))
            continue;
        if (array == stored || access->reference.is_write)
            return ends_fail(search, marked, "the region touches what it sets, or sets what it "
                                             "reads, elsewhere");
    }
    return true;
}

/* A value that was read before another store of the same kind may have changed it. */
static bool value_is_older(struct ends_search *search, const struct marked *marked)
{
    for (size_t i = 0; i < search->list.count; i++) {
        const struct array *array = search->list.at[i].access->reference.array;
        if (expr_uses_array(marked->value, array) &&
            !expr_uses_array(marked->access->end->value, array))
            return true;
    }
    return false;
}

static bool starts_twice(const struct ends_search *search, const struct marked *marked)
{
    for (const struct marked *other = search->list.at; other != marked; other++)
        if (other->access->end->end == SUM_END_START &&
            marked->access->end->end == SUM_END_START &&
            other->access->reference.array == marked->access->reference.array &&
            exprs_equal(other->indices, marked->indices,
                        marked->access->reference.array->n_dims))
            return true;
    return false;
}

/* --- the body --------------------------------------------------------------------------------- */

static struct sum_axes axes_of_number(unsigned number)
{
    return (struct sum_axes){number & ((1u << AXES_MAX) - 1), number >> AXES_MAX};
}

/* The store under its conditions; of those that use missing axes only if `all`. */
static const struct stmt *marked_stmt(struct ends_search *search, const struct marked *marked,
                                      bool all)
{
    const struct stmt *from = marked->access->end;
    const struct stmt *s = stmt_end(search->arena, from->array, marked->indices, marked->value,
                                    all ? from->end : SUM_END_NONE, from->loc);
    const struct expr *condition = NULL;
    for (size_t i = 0; i < marked->exists.count; i++)
        condition = expr_join(search->arena, OP_LAND, condition, marked->exists.at[i]);
    for (size_t i = 0; i < marked->access->n_path; i++) {
        const struct path_step *step = &marked->access->path[i];
        const struct expr *e = step->iterator < 0 ? condition_expr_of(search, &step->condition)
                                                  : NULL;
        if (e && (all || !(expr_axes(search->kernel, e) & marked->missing)))
            condition = expr_join(search->arena, OP_LAND, condition, e);
    }
    return condition ? stmt_if(search->arena, condition, s, NULL) : s;
}

/* May points that differ in the axes which sums have run all their starts and finishes at once? */
static bool group_is_apart(struct ends_search *search, unsigned missing)
{
    VEC(const struct stmt *) stores = {0};
    for (size_t i = 0; i < search->list.count; i++)
        if (search->list.at[i].missing == missing)
            vec_push(search->arena, &stores, marked_stmt(search, &search->list.at[i], false));
    return axes_are_apart(search->ctx, search->kernel, axes_of_number(missing),
                          stmt_sequence(search->arena, stores.at, (int)stores.count));
}

static bool is_empty(const struct stmt *s)
{
    return !s || (s->kind == STMT_SEQUENCE && !s->n_children);
}

/* For stmt_rewrite: without marked stores, and without what becomes empty thereby. */
static const struct stmt *marked_drop(void *state, const struct stmt *s)
{
    (void)state;
    if (s->kind == STMT_STORE && s->end)
        return NULL;
    if (s->kind == STMT_BAND && is_empty(s->children[0]))
        return NULL;
    return s->kind == STMT_IF && is_empty(s->children[0]) &&
                   (s->n_children < 2 || is_empty(s->children[1]))
               ? NULL
               : s;
}

static const struct stmt *band_of(struct ends_search *search, enum sum_end end)
{
    const struct kernel *kernel = search->kernel;
    VEC(const struct stmt *) stores = {0};
    for (size_t i = 0; i < search->list.count; i++)
        if (search->list.at[i].access->end->end == end)
            vec_push(search->arena, &stores, marked_stmt(search, &search->list.at[i], true));
    if (!stores.count)
        return NULL;
    return stmt_band(search->arena, kernel->block, kernel->n_block, false,
                     stmt_sequence(search->arena, stores.at, (int)stores.count));
}

static bool marked_find(struct ends_search *search)
{
    const struct analysis *analysis = search->analysis;
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *access = analysis->accesses.at[i];
        if (!access->end || !access->reference.is_write)
            continue;
        struct marked marked = {.access = access, .place = i};
        if (!marked_read(search, &marked))
            return false;
        vec_push(search->arena, &search->list, marked);
    }
    return true;
}

static bool marked_judge(struct ends_search *search)
{
    for (size_t i = 0; i < search->list.count; i++) {
        const struct marked *marked = &search->list.at[i];
        if (!marked_is_alone(search, marked))
            return false;
        if (value_is_older(search, marked))
            return ends_fail(search, marked, "a variable in it was set before");
        if (starts_twice(search, marked))
            return ends_fail(search, marked, "the element is set before");
        if (!group_is_apart(search, marked->missing))
            return ends_fail(search, marked, "different points are not proved to touch different "
                                             "elements");
    }
    return true;
}

const struct stmt *access_ends(struct ctx *ctx, const struct kernel *kernel,
                               struct ends_fault *fault)
{
    if (!stmt_has_end(kernel->body))
        return kernel->body;
    struct analysis *analysis = analysis_new(ctx, kernel);
    struct ends_search search = {ctx, ctx->arena, kernel, analysis, fault, {0}};
    const struct stmt *body = NULL;
    if (marked_find(&search) && marked_judge(&search)) {
        const struct stmt *all[3] = {band_of(&search, SUM_END_START),
                                     stmt_rewrite(ctx->arena, kernel->body, marked_drop, NULL),
                                     band_of(&search, SUM_END_FINISH)};
        body = stmt_sequence(ctx->arena, all, 3);
    }
    analysis_free(analysis);
    return body;
}

/* --- reading ---------------------------------------------------------------------------------- */

struct ends_reading {
    struct arena *arena;
    VEC(const struct expr *) conditions;
    VEC(struct end) list;
};

static void conjunction_push(struct ends_reading *r, const struct expr *e)
{
    if (e->kind == EXPR_BINARY && e->op == OP_LAND) {
        conjunction_push(r, e->arguments[0]);
        conjunction_push(r, e->arguments[1]);
    } else {
        vec_push(r->arena, &r->conditions, e);
    }
}

static void ends_read(struct ends_reading *r, const struct stmt *s)
{
    size_t n = r->conditions.count;
    if (s->kind == STMT_STORE && s->end) {
        const struct expr **conditions = ARENA_ARRAY(r->arena, const struct expr *, n + 1);
        for (size_t i = 0; i < n; i++)
            conditions[i] = r->conditions.at[i];
        vec_push(r->arena, &r->list, ((struct end){s, n, conditions}));
    }
    if (s->kind == STMT_IF)
        conjunction_push(r, s->value);
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            ends_read(r, s->children[i]);
    r->conditions.count = n;
}

struct ends ends_of(struct arena *arena, const struct stmt *body)
{
    struct ends_reading reading = {.arena = arena};
    ends_read(&reading, body);
    return (struct ends){reading.list.count, reading.list.at};
}

const struct expr *end_condition(struct arena *arena, const struct kernel *kernel,
                                 const struct end *end, struct sum_axes missing)
{
    const struct expr *condition = NULL;
    for (size_t i = 0; i < end->n_conditions; i++)
        if (!(expr_axes(kernel, end->conditions[i]) & missing_number(missing)))
            condition = expr_join(arena, OP_LAND, condition, end->conditions[i]);
    return condition;
}
