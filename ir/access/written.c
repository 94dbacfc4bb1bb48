/* In: a box. Out: which of its cells are touched by its members (or by its writes alone), as
   conditions over the cells' coordinates that can be evaluated outside the band.

   A member covers its part of the box (the box without the others' halo) wherever its guards hold.
   A guard over tile iterators becomes one over coordinates if it depends on them through whole
   digits: its coefficients are a multiple of the digit's weights. An iterator that occurs in no
   subscript is projected out: there must be a value for which the guards hold. Whatever else there
   is (guards across digits, data, triangles over iterators without a digit, one iterator in two
   digits) has no such condition, and the answer is "not possible". */
#include "ir/access/footprint.h"

struct touching {
    struct analysis *analysis;
    const struct box *box;
    const struct member *member;
    int first;                        /* coordinate k is iterator first + k */
};

static bool condition_is_uniform(const struct path_step *step)
{
    return step->iterator < 0 && step->condition.kind <= CONDITION_BLOCK && step->condition.expr;
}

size_t band_begin(const struct analysis *analysis, const struct access *access)
{
    size_t from = 0;
    for (size_t i = 0; i < access->n_path; i++)
        if (access->path[i].iterator >= 0 &&
            analysis->iterators.at[access->path[i].iterator].level == LEVEL_THREAD)
            from = i + 1;
    return from;
}

static bool condition_in(const struct analysis *analysis, const struct access *access,
                         const struct condition *condition)
{
    for (size_t i = band_begin(analysis, access); i < access->n_path; i++)
        if (condition_is_uniform(&access->path[i]) &&
            access->path[i].condition.negated == condition->negated &&
            expr_equal(access->path[i].condition.expr, condition->expr))
            return true;
    return false;
}

size_t box_conditions(struct analysis *analysis, const struct box *box,
                      const struct condition **conditions)
{
    VEC(struct condition) list = {0};
    const struct access *first = box->members[0].access;
    for (size_t i = band_begin(analysis, first); i < first->n_path; i++) {
        bool common = condition_is_uniform(&first->path[i]);
        for (int k = 1; k < box->n_members && common; k++)
            common = condition_in(analysis, box->members[k].access, &first->path[i].condition);
        if (common)
            vec_push(analysis->arena, &list, first->path[i].condition);
    }
    *conditions = list.at;
    return list.count;
}

static int digits_with(const struct box *box, int iterator)
{
    int n = 0;
    for (int k = 0; k < box->n_digits; k++)
        for (size_t i = 0; i < box->digits[k].n_parts; i++)
            n += box->digits[k].parts[i].iterator == iterator;
    return n;
}

/* The guard's part on digit k, in terms of the coordinate; NULL if it depends on less or other than
   the whole digit. */
static const struct form *guard_digit(const struct touching *t, const struct form *guard, int k)
{
    struct analysis *analysis = t->analysis;
    const struct digit *digit = &t->box->digits[k];
    const struct poly *scale = NULL;
    const struct form *sum = form_integer(analysis, 0);
    for (size_t i = 0; i < digit->n_parts; i++) {
        const struct digit_part *part = &digit->parts[i];
        const struct poly *a = form_coefficient(guard, part->iterator);
        if (!a)
            return NULL;
        const struct poly *m = poly_divide_exact(part->reversed ? poly_neg(a) : a, part->weight);
        if (!m || (scale && !poly_equal(scale, m)))
            return NULL;
        scale = m;
        const struct range *range = &t->box->ranges[part->iterator];
        sum = form_add(analysis, sum,
                       form_scale(analysis, part->reversed ? range->hi : range->lo, a));
    }
    int64_t shift = t->box->least[k] - t->member->offsets[k];
    const struct form *value = form_add(analysis, form_iterator(analysis, t->first + k),
                                        form_integer(analysis, shift));
    return form_add(analysis, sum, form_scale(analysis, value, scale));
}

static bool digit_touched(const struct digit *digit, const struct form *guard)
{
    for (size_t i = 0; i < digit->n_parts; i++)
        if (form_coefficient(guard, digit->parts[i].iterator))
            return true;
    return false;
}

/* The guard over coordinates and iterators outside the band. */
static const struct form *guard_cells(const struct touching *t, const struct form *guard)
{
    struct analysis *analysis = t->analysis;
    const struct form *sum = form_constant(analysis, guard->constant);
    for (int i = 0; i < guard->n_terms; i++) {
        const struct form_term *term = &guard->terms[i];
        if (iterator_in_tile(analysis, term->iterator) && digits_with(t->box, term->iterator) != 1)
            return NULL;
        if (!iterator_in_tile(analysis, term->iterator))
            sum = form_add(analysis, sum,
                           form_scale(analysis, form_iterator(analysis, term->iterator),
                                      term->coefficient));
    }
    for (int k = 0; k < t->box->n_digits; k++) {
        if (!digit_touched(&t->box->digits[k], guard))
            continue;
        const struct form *part = guard_digit(t, guard, k);
        if (!part)
            return NULL;
        sum = form_add(analysis, sum, part);
    }
    return sum;
}

static bool guard_add(const struct touching *t, const struct form *guard, struct cell_case *cell)
{
    const struct form *cells = guard_cells(t, guard);
    if (!cells)
        return false;
    const struct poly *least = form_extreme(t->analysis, t->box->context, NULL, cells, false);
    if (!least || !context_nonnegative(t->box->context, least))
        vec_push(t->analysis->arena, &cell->guards, cells);
    return true;
}

/* The guard with iterators of no digit replaced by the best of their values; NULL if another guard
   has them too. */
static const struct form *guard_project(const struct touching *t, size_t index)
{
    struct analysis *analysis = t->analysis;
    const struct access *access = t->member->access;
    const struct form *guard = access->guards[index];
    bool *over = ARENA_ARRAY(analysis->arena, bool, analysis->iterators.count + 1);
    for (int i = 0; i < guard->n_terms; i++) {
        int v = guard->terms[i].iterator;
        if (!iterator_in_tile(analysis, v) || digits_with(t->box, v))
            continue;
        over[v] = true;
        for (size_t k = 0; k < access->n_guards; k++)
            if (k != index && form_coefficient(access->guards[k], v))
                return NULL;
    }
    return form_bound(analysis, t->box->context, access, guard, true, over);
}

static bool has_tile_terms(const struct analysis *analysis, const struct form *a)
{
    for (int i = 0; i < a->n_terms; i++)
        if (iterator_in_tile(analysis, a->terms[i].iterator))
            return true;
    return false;
}

/* Loops must be entered; bounds that depend on other tile iterators are guards. */
static bool range_guards(const struct touching *t, int v, struct cell_case *cell)
{
    struct analysis *analysis = t->analysis;
    const struct range *range = &t->member->access->ranges[v];
    if (!range->lo || !range->hi)
        return false;
    const struct form *it = form_iterator(analysis, v);
    if (has_tile_terms(analysis, range->lo) || has_tile_terms(analysis, range->hi))
        return digits_with(t->box, v) == 1 &&
               guard_add(t, form_sub(analysis, it, range->lo), cell) &&
               guard_add(t, form_sub(analysis, range->hi, it), cell);
    return guard_add(t, form_sub(analysis, range->hi, range->lo), cell);
}

/* Remainders take some of their values, nobody knows which. */
bool access_fresh(const struct analysis *analysis, const struct access *access)
{
    for (int d = 0; d < access->reference.array->n_dims; d++)
        for (int i = 0; i < access->subscripts[d]->n_terms; i++)
            if (analysis->iterators.at[access->subscripts[d]->terms[i].iterator].level ==
                LEVEL_FRESH)
                return true;
    return false;
}

static bool guards_collect(const struct touching *t, struct cell_case *cell)
{
    struct analysis *analysis = t->analysis;
    const struct access *access = t->member->access;
    if (!access->exact || access_fresh(analysis, access))
        return false;
    for (size_t i = 0; i < access->n_guards; i++) {
        if (!has_tile_terms(analysis, access->guards[i]))
            continue;
        const struct form *guard = guard_project(t, i);
        if (!guard || !guard_add(t, guard, cell))
            return false;
    }
    for (size_t i = 0; i < access->n_path; i++) {
        int v = access->path[i].iterator;
        if (v >= 0 && iterator_in_tile(analysis, v) && !range_guards(t, v, cell))
            return false;
    }
    for (size_t i = band_begin(analysis, access); i < access->n_path; i++)
        if (access->path[i].iterator < 0 && access->path[i].condition.kind <= CONDITION_BLOCK &&
            !access->path[i].condition.expr)
            return false;
    return true;
}

/* The member's part of the box, where other members widen it. */
static void part_collect(const struct touching *t, struct cell_case *cell)
{
    struct analysis *analysis = t->analysis;
    const struct box *box = t->box;
    for (int k = 0; k < box->n_digits; k++) {
        if (box->least[k] == box->most[k])
            continue;
        int64_t begin = t->member->offsets[k] - box->least[k];
        const struct form *r = form_iterator(analysis, t->first + k);
        const struct form *last =
            form_constant(analysis,
                          poly_add(box->digits[k].extent, poly_integer(analysis->ring, begin - 1)));
        if (begin > 0)
            vec_push(analysis->arena, &cell->guards,
                     form_sub(analysis, r, form_integer(analysis, begin)));
        if (t->member->offsets[k] < box->most[k])
            vec_push(analysis->arena, &cell->guards, form_sub(analysis, last, r));
    }
}

static void extra_conditions(const struct touching *t, struct cell_case *cell)
{
    const struct access *access = t->member->access;
    for (size_t i = band_begin(t->analysis, access); i < access->n_path; i++) {
        bool common = true;
        if (!condition_is_uniform(&access->path[i]))
            continue;
        for (int k = 0; k < t->box->n_members && common; k++)
            common = condition_in(t->analysis, t->box->members[k].access,
                                  &access->path[i].condition);
        if (!common)
            vec_push(t->analysis->arena, &cell->conditions, access->path[i].condition);
    }
}

struct cell_condition box_touched(struct analysis *analysis, const struct box *box,
                                  bool written_only, int first)
{
    struct cell_condition result = {.possible = true};
    for (int k = 0; k < box->n_digits; k++)
        for (size_t i = 0; i < box->digits[k].n_parts; i++)
            result.possible &= digits_with(box, box->digits[k].parts[i].iterator) == 1;
    for (int m = 0; m < box->n_members && result.possible; m++) {
        struct touching t = {analysis, box, &box->members[m], first};
        struct cell_case cell = {0};
        if (written_only && !box->members[m].access->reference.is_write)
            continue;
        result.possible = guards_collect(&t, &cell);
        part_collect(&t, &cell);
        extra_conditions(&t, &cell);
        result.always |= cell.guards.count == 0 && cell.conditions.count == 0;
        vec_push(analysis->arena, &result.cases, cell);
    }
    return result;
}
