/* First and last points of the axes that sums lack.

   In: a store marked as a start or a finish, with the conditions on its way. Out: the conditions
   by which the first or the last point exists, if the store stands there by the rules of ends.c. A
   store that does not is refused with a reason. */
#include "ir/access/ends_points.h"
#include "ir/walk.h"

/* constant + sum of at[i] * axis i; NULL entries are 0. */
struct axis_form {
    const struct poly *constant;
    const struct poly *at[NUMBERS];
};

bool ends_fail(struct ends_search *search, const struct marked *marked, const char *reason)
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

const struct expr *ends_over_axes(struct ends_search *search, const struct expr *e)
{
    return e ? expr_substitute(search->arena, e, block_axis, search) : NULL;
}

unsigned ends_axes(const struct kernel *kernel, const struct expr *e)
{
    unsigned axes = 0;
    for (int i = 0; i < NUMBERS; i++) {
        const struct var *var = axis_var(kernel, i);
        axes |= var && expr_uses_var(e, var) ? 1u << i : 0;
    }
    return axes;
}

unsigned ends_missing(struct sum_axes missing)
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

bool ends_accumulates(const struct access *access, const struct array *array)
{
    return access->reference.array == array && access->reference.store &&
           access->reference.store->reduction;
}

bool ends_is_over_axes(const struct ends_search *search, const struct expr *e, bool loads)
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
        if (!ends_accumulates(access, array))
            continue;
        if (is_start != (marked->place < i))
            return false;
        bool equal = true;
        for (int d = 0; d < array->n_dims; d++) {
            const struct expr *own = ends_over_axes(search, access->indices[d]);
            equal = equal && own && expr_equal(own, indices[d]);
        }
        found |= equal;
    }
    *missing = ends_missing(axes_missing(search->kernel, indices, array->n_dims));
    return found;
}

static bool array_is_summed(const struct ends_search *search, const struct array *array)
{
    return array->space == SPACE_GLOBAL && stmt_accumulates_in(search->kernel->body, array);
}

/* Finds the axes that the sums lack whose elements the store sets and reads. */
bool marked_belongs(struct ends_search *search, struct marked *marked)
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

const struct expr *ends_condition(struct ends_search *search, const struct condition *condition)
{
    const struct expr *e = ends_over_axes(search, condition->expr);
    return e && condition->negated ? expr_unary(search->arena, OP_NOT, e) : e;
}

/* The condition of that number on the store's path, if it tests axes that the element's subscripts
   lack; NULL otherwise. */
static const struct expr *missing_condition(struct ends_search *search, const struct marked *marked,
                                            size_t number)
{
    bool tests = marked->access->path[number].iterator < 0;
    const struct expr *e =
        tests ? ends_condition(search, &marked->access->path[number].condition) : NULL;
    return e && ends_axes(search->kernel, e) & marked->missing ? e : NULL;
}

bool start_is_first(struct ends_search *search, struct marked *marked)
{
    struct zeros zeros = {search->kernel, marked->missing, search->arena};
    for (int i = 0; i < NUMBERS; i++)
        if (marked->missing >> i & 1 && !axis_is_zero(search, marked, i))
            return ends_fail(search, marked, "it is not proved to come at the first point of the "
                                             "axes that the element's subscripts lack");
    for (size_t i = 0; i < marked->access->n_path; i++) {
        const struct expr *e = missing_condition(search, marked, i);
        if (e && !holds_at_zero(search, &marked->access->path[i].condition, marked->missing))
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

bool marked_touches(const struct marked *marked, const struct array *array)
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
        if (!ends_accumulates(access, access->reference.array) ||
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
    const struct expr *e = ends_over_axes(search, expr_of_form(analysis, sum, TYPE_I64));
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

bool finish_is_last(struct ends_search *search, struct marked *marked)
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
        if (missing_condition(search, marked, i) &&
            !is_implied(search, &marked->access->path[i].condition, equations, n))
            return ends_fail(search, marked, reason);
    }
    return true;
}
