/* Digits become the numbers that they make up: in a system (linear.h) where g and l occur as
   g*R + l only, with 0 <= l < R, the one variable x = g*R + l takes their place.

   Why that is sound: every solution of the old system gives one of the new system, so if the new
   one has none, neither has the old one. Each new constraint follows from the old ones:
   - a form with c*(g*R + l) becomes the form with c*x;
   - a constraint with c*g alone, times R and with l at its least or greatest: c*R*g + R*rest >= 0
     gives c*x + R*rest >= 0 for c > 0 and c*x - c*(R - 1) + R*rest >= 0 for c < 0 (R >= 1 since
     some l exists). That is how x gets its range 0 <= x < R*extent(g), in which a floor's facts
     turn B*floor(n/B) into n. Every other constraint on one digit is dropped;
   - two executions whose g or l differ have different x, since 0 <= l < R makes the digits of a
     number unique; those with equal digits have equal x; those with g at most s apart have x at
     most R*s + R - 1 apart.
   So a fold loses only what was known of single digits. It is made where some form shows the digits
   with R as their ratio and no subscript has them otherwise; x may be a digit again.

   Rows with a pitch: the sides of M*H + L = M*H' + L' split into H = H' and L = L' where
   |L - L'| < M in all solutions, since M*(H - H') = L' - L then is a multiple of M between -M
   and M. */
#include "ir/access/linear.h"

/* Is c = radix * d? Both may be NULL (0). */
static bool is_multiple(const struct poly *c, const struct poly *radix, const struct poly *d)
{
    if (!c || !d)
        return !c && !d;
    return poly_equal(c, poly_mul(radix, d));
}

static bool form_folds(const struct form *form, int upper, int lower, const struct poly *radix)
{
    return is_multiple(form_coefficient(form, upper), radix, form_coefficient(form, lower));
}

static bool rows_fold(const struct linear_set *linear, int upper, int lower,
                      const struct poly *radix)
{
    for (size_t i = 0; i < linear->rows.count; i++)
        for (int side = 0; side < 2; side++)
            if (!form_folds(linear->rows.at[i].sides[side], upper, lower, radix))
                return false;
    return true;
}

/* Does the form show two digits that fold? */
static bool digits_in(const struct linear_set *linear, const struct form *form, int *upper,
                      int *lower)
{
    int64_t literal;
    for (int i = 0; i < form->n_terms; i++)
        for (int k = 0; k < form->n_terms; k++) {
            int u = form->terms[i].iterator, l = form->terms[k].iterator;
            const struct linear_variable *x = &linear->variables.at[u],
                                         *y = &linear->variables.at[l];
            const struct poly *radix = y->extent;
            if (i == k || !radix || poly_get_integer(radix, &literal) || x->in[0] != y->in[0] ||
                x->in[1] != y->in[1] || !form_folds(form, u, l, radix) ||
                !rows_fold(linear, u, l, radix))
                continue;
            *upper = u;
            *lower = l;
            return true;
        }
    return false;
}

static bool digits_find(const struct linear_set *linear, int *upper, int *lower)
{
    for (size_t i = 0; i < linear->rows.count; i++)
        for (int side = 0; side < 2; side++)
            if (digits_in(linear, linear->rows.at[i].sides[side], upper, lower))
                return true;
    for (size_t i = 0; i < linear->constraints.count; i++)
        if (digits_in(linear, linear->constraints.at[i].form, upper, lower))
            return true;
    return false;
}

static const struct form *form_without(struct analysis *analysis, const struct form *form, int v)
{
    const struct poly *c = form_coefficient(form, v);
    return c ? form_sub(analysis, form, form_scale(analysis, form_iterator(analysis, v), c)) : form;
}

/* c * upper + rest >= 0 in terms of the number, called `lower` from now on; NULL if it says
   nothing. */
static const struct form *range_fold(struct linear_set *linear, const struct form *form, int upper,
                                     int lower, const struct poly *radix)
{
    struct analysis *analysis = linear->analysis;
    const struct poly *c = form_coefficient(form, upper);
    if (!c || form_coefficient(form, lower))
        return NULL;
    int direction = context_direction(linear->context, c);
    if (direction == 2)
        return NULL;
    const struct form *rest = form_scale(analysis, form_without(analysis, form, upper), radix);
    rest = form_add(analysis, rest, form_scale(analysis, form_iterator(analysis, lower), c));
    if (direction >= 0)
        return rest;
    const struct poly *top = poly_sub(radix, poly_integer(analysis->ring, 1));
    return form_sub(analysis, rest, form_constant(analysis, poly_mul(c, top)));
}

/* False if the constraint must be dropped. */
static bool constraint_fold(struct linear_set *linear, struct linear_constraint *c, int upper,
                            int lower, const struct poly *radix)
{
    if (form_folds(c->form, upper, lower, radix)) {
        c->form = form_without(linear->analysis, c->form, upper);
        return true;
    }
    const struct form *range = c->kind == LINEAR_LEAST
                                   ? range_fold(linear, c->form, upper, lower, radix)
                                   : NULL;
    c->form = range;
    return range != NULL;
}

static void variable_fold(struct linear_set *linear, int upper, int lower, const struct poly *radix)
{
    struct linear_variable *x = &linear->variables.at[upper], *y = &linear->variables.at[lower];
    const struct poly *top = poly_sub(radix, poly_integer(linear->analysis->ring, 1));
    const struct poly *low = y->apart ? y->apart : top;
    y->apart = x->apart ? poly_add(poly_mul(radix, x->apart), low) : NULL;
    y->different |= x->different;
    y->extent = x->extent ? poly_mul(radix, x->extent) : NULL;
    *x = (struct linear_variable){0};
}

static void digits_fold(struct linear_set *linear, int upper, int lower)
{
    const struct poly *radix = linear->variables.at[lower].extent;
    size_t kept = 0;
    for (size_t i = 0; i < linear->constraints.count; i++) {
        struct linear_constraint c = linear->constraints.at[i];
        if (constraint_fold(linear, &c, upper, lower, radix))
            linear->constraints.at[kept++] = c;
    }
    linear->constraints.count = kept;
    for (size_t i = 0; i < linear->rows.count; i++)
        for (int side = 0; side < 2; side++)
            linear->rows.at[i].sides[side] =
                form_without(linear->analysis, linear->rows.at[i].sides[side], upper);
    variable_fold(linear, upper, lower, radix);
}

bool numbers_fold(struct linear_set *linear)
{
    int upper, lower;
    while (digits_find(linear, &upper, &lower)) {
        digits_fold(linear, upper, lower);
        linear->folded = true;
    }
    return linear->folded;
}

typedef VEC(const struct poly *) poly_list;

static void pitch_add(struct analysis *analysis, poly_list *pitches, const struct poly *pitch)
{
    for (size_t i = 0; i < pitches->count; i++)
        if (poly_equal(pitches->at[i], pitch))
            return;
    vec_push(analysis->arena, pitches, pitch);
}

/* A monomial without its factor. */
static const struct poly *monomial_of(struct ring *ring, const unsigned *exponents)
{
    const struct poly *p = poly_integer(ring, 1);
    for (int v = 0; v < ring_count(ring); v++)
        if (exponents[v])
            p = poly_mul(p, poly_power(poly_variable(ring, v), exponents[v]));
    return p;
}

/* What the row's coefficients could be multiples of: they themselves, where they are no literals,
   and the products of parameters in them (n of (n + 1)*i). */
static poly_list pitches_of(struct analysis *analysis, const struct linear_row *row)
{
    poly_list pitches = {0};
    int64_t literal, n, d;
    unsigned exponents[RING_CAPACITY];
    for (int whole = 1; whole >= 0; whole--)
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < row->sides[side]->n_terms; i++) {
                const struct poly *c = row->sides[side]->terms[i].coefficient;
                if (poly_get_integer(c, &literal))
                    continue;
                if (whole) {
                    pitch_add(analysis, &pitches, c);
                    continue;
                }
                for (size_t k = 0; k < poly_terms(c); k++) {
                    poly_term(c, k, &n, &d, exponents);
                    const struct poly *monomial = monomial_of(analysis->ring, exponents);
                    if (!poly_get_integer(monomial, &literal))
                        pitch_add(analysis, &pitches, monomial);
                }
            }
    return pitches;
}

/* p = pitch * high + low, by monomials. */
static void poly_split(struct analysis *analysis, const struct poly *p, const struct poly *pitch,
                       const struct poly **high, const struct poly **low)
{
    int64_t n, d;
    unsigned exponents[RING_CAPACITY];
    const struct poly *whole = poly_multiple(p, pitch);
    *low = poly_integer(analysis->ring, 0);
    *high = whole ? whole : *low;
    if (whole)
        return;
    for (size_t i = 0; i < poly_terms(p); i++) {
        poly_term(p, i, &n, &d, exponents);
        const struct poly *term = poly_scale(monomial_of(analysis->ring, exponents), n, d);
        const struct poly *m = poly_multiple(term, pitch), **part = m ? high : low;
        *part = poly_add(*part, m ? m : term);
    }
}

/* form = pitch * high + low. */
static void form_halve(struct analysis *analysis, const struct form *form, const struct poly *pitch,
                       const struct form **high, const struct form **low)
{
    const struct poly *h, *l;
    poly_split(analysis, form->constant, pitch, &h, &l);
    *high = form_constant(analysis, h);
    *low = form_constant(analysis, l);
    for (int i = 0; i < form->n_terms; i++) {
        const struct form *v = form_iterator(analysis, form->terms[i].iterator);
        poly_split(analysis, form->terms[i].coefficient, pitch, &h, &l);
        *high = form_add(analysis, *high, form_scale(analysis, v, h));
        *low = form_add(analysis, *low, form_scale(analysis, v, l));
    }
}

static bool row_split(struct linear_set *linear, size_t number, const struct poly *pitch)
{
    struct linear_row high, low;
    for (int side = 0; side < 2; side++)
        form_halve(linear->analysis, linear->rows.at[number].sides[side], pitch,
                   &high.sides[side], &low.sides[side]);
    struct linear_gap gap = {&low, pitch};
    if (!linear_empty(linear, &gap))
        return false;
    linear->rows.at[number] = high;
    vec_push(linear->analysis->arena, &linear->rows, low);
    return true;
}

enum { PITCHES_MAX = 4 };

/* Splits the row by the first pitch that allows it. */
static bool row_split_any(struct linear_set *linear, size_t number)
{
    poly_list pitches = pitches_of(linear->analysis, &linear->rows.at[number]);
    for (size_t k = 0; k < pitches.count && k < PITCHES_MAX; k++)
        if (row_split(linear, number, pitches.at[k]))
            return true;
    return false;
}

bool numbers_split(struct linear_set *linear)
{
    bool changed = false;
    for (size_t i = 0; i < linear->rows.count; i++)
        while (row_split_any(linear, i))
            changed = true;
    return changed;
}
