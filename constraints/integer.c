/* Integer points by bounded branching. In: a system and a box; out: a point, the proof that the box
   has none, or that the budget did not suffice. Coefficients are divided by the greatest common
   divisor of those of the terms with variables, constants rounded; equations that have no solution
   modulo a small number end the search (residue.c). Each node first narrows its box: from p >= 0
   with p = a x^e + r, where a and r are bounded by interval arithmetic over the other variables, x
   is bounded in turn; an equation whose terms with open variables are all multiples of a number
   that does not divide the rest has no point in the box. Then, unless the box is a single point,
   one range is cut in two, and the lower part is looked at first, so that small points are found
   first. From time to time the exact solver for the reals is asked whether a box has real points at
   all. Interval ends are 128-bit and saturate at 2^100: an end beyond it counts as unbounded, which
   only weakens a conclusion. A single point is tested exactly. Boxes wait on a stack of their own,
   so depth costs no C stack. */
#include "base/vec.h"
#include "constraints/front/question.h"
#include "constraints/residue.h"
#include <assert.h>
#include <string.h>

__extension__ typedef __int128 wide;

static const wide UNBOUNDED = (wide)1 << 100;
enum {
    BOX_DEFAULT = 1 << 20,
    STEPS_DEFAULT = 20000,
    NARROW_ROUNDS = 8,
    DIVE_STEPS = 300,
    REAL_EVERY = 128,
    REAL_STEPS = 4000
};

struct range {
    wide lo, hi;
};

struct term {
    int64_t coefficient;
    const unsigned *exponents;  /* by search variable */
    uint64_t variables;         /* those that occur, a bit each */
};

/* Sum of the terms >= 0. */
struct form {
    struct term *terms;
    size_t count;
    uint64_t variables;         /* those that occur in a term, a bit each; bit 0 too if none does */
    bool equation;              /* the sum is zero; the other direction is another form */
    uint64_t stale;             /* of the box that is being narrowed: variables that changed since
                                   the form narrowed it */
};

/* A part of the box that waits to be searched. */
struct box {
    struct range *ranges;
    uint64_t stale;             /* variables that changed since every form narrowed it in vain */
};

struct search {
    struct arena *arena;
    struct sas sas;
    int variables, ring_variable[RING_CAPACITY];
    VEC(struct form) forms;
    struct sas tight;            /* the forms as constraints; made when first needed */
    VEC(struct box) boxes;
    bool undecided;  /* a coefficient or a value left 64 bits */
    bool absent;     /* seen before any search */
};

static wide clamp(wide x)
{
    return x > UNBOUNDED ? UNBOUNDED : x < -UNBOUNDED ? -UNBOUNDED : x;
}

static bool is_word(wide x)
{
    return x == (int64_t)x;
}

/* |a|, |b| <= UNBOUNDED. Nearly all operands are 64-bit, and 128-bit division is dear. */
static wide multiply(wide a, wide b)
{
    if (is_word(a) && is_word(b))
        return clamp((wide)(int64_t)a * (int64_t)b);
    if (!a || !b)
        return 0;
    wide x = a < 0 ? -a : a, y = b < 0 ? -b : b;
    wide product = x > UNBOUNDED / y ? UNBOUNDED : x * y;
    return (a < 0) != (b < 0) ? -product : product;
}

static struct range range_multiply(struct range a, struct range b)
{
    if (a.lo >= 0 && b.lo >= 0)
        return (struct range){multiply(a.lo, b.lo), multiply(a.hi, b.hi)};
    wide ends[4] = {multiply(a.lo, b.lo), multiply(a.lo, b.hi), multiply(a.hi, b.lo),
                    multiply(a.hi, b.hi)};
    struct range r = {ends[0], ends[0]};
    for (int i = 1; i < 4; i++) {
        r.lo = ends[i] < r.lo ? ends[i] : r.lo;
        r.hi = ends[i] > r.hi ? ends[i] : r.hi;
    }
    return r;
}

/* An unbounded end stays so whatever is added. */
static struct range range_add(struct range a, struct range b)
{
    struct range r;
    r.lo = a.lo <= -UNBOUNDED || b.lo <= -UNBOUNDED ? -UNBOUNDED : clamp(a.lo + b.lo);
    r.hi = a.hi >= UNBOUNDED || b.hi >= UNBOUNDED ? UNBOUNDED : clamp(a.hi + b.hi);
    return r;
}

/* The exponent is at least 1. */
static struct range range_power(struct range x, unsigned exponent)
{
    struct range r = x;
    for (unsigned i = 1; i < exponent; i++)
        r = range_multiply(r, x);
    if (!(exponent & 1) && r.lo < 0)
        r.lo = 0;
    return r;
}

/* The term over the box, without variable `skip`. */
static struct range term_range(const struct term *term, const struct range *box, int skip)
{
    struct range r = {term->coefficient, term->coefficient};
    uint64_t left = skip >= 0 ? term->variables & ~(1ull << skip) : term->variables;
    for (; left; left &= left - 1) {
        int v = __builtin_ctzll(left);
        r = range_multiply(r, range_power(box[v], term->exponents[v]));
    }
    return r;
}

static wide divide_up(wide a, wide b)
{
    assert(b != 0);
    if (is_word(a) && is_word(b) && b != -1)
        return (int64_t)a / (int64_t)b + ((int64_t)a % (int64_t)b > 0);
    return a / b + (a % b > 0);
}

static wide divide_down(wide a, wide b)
{
    assert(b != 0);
    if (is_word(a) && is_word(b) && b != -1)
        return (int64_t)a / (int64_t)b - ((int64_t)a % (int64_t)b < 0);
    return a / b - (a % b < 0);
}

/* Narrows x so that a x >= least is possible for some a of the range; a of one strict sign, least
   bounded. */
static void range_narrow(struct range *x, struct range a, wide least)
{
    if (a.lo > 0) {
        wide lo = least > 0 ? divide_up(least, a.hi) : divide_up(least, a.lo);
        x->lo = lo > x->lo ? lo : x->lo;
    } else if (a.hi < 0) {
        wide hi = least < 0 ? divide_down(-least, -a.hi) : divide_down(-least, -a.lo);
        x->hi = hi < x->hi ? hi : x->hi;
    }
}

/* The largest x >= 0 with x^e <= value, which is not negative. */
static wide root_down(wide value, unsigned e)
{
    wide lo = 0, hi = 1;
    while (range_power((struct range){hi, hi}, e).lo <= value)
        hi *= 2;
    while (hi - lo > 1) {
        wide middle = lo + (hi - lo) / 2;
        if (range_power((struct range){middle, middle}, e).lo <= value)
            lo = middle;
        else
            hi = middle;
    }
    return lo;
}

/* Narrows x to where x^e can lie in `power`; e is at least 2. */
static void root_narrow(struct range *x, struct range power, unsigned e)
{
    bool odd = e & 1;
    if (power.hi < UNBOUNDED && (!odd || x->lo >= 0)) {
        wide most = power.hi < 0 ? -1 : root_down(power.hi, e);
        x->hi = most < x->hi ? most : x->hi;
        if (!odd)
            x->lo = -most > x->lo ? -most : x->lo;
    }
    if (power.lo > 0 && x->lo >= 0) {
        wide least = root_down(power.lo - 1, e) + 1;
        x->lo = least > x->lo ? least : x->lo;
    }
}

/* Narrows variable v of the box by one form and its terms with exponent e; false if nothing is
   left. */
static bool power_narrow(const struct form *form, struct range *box, int v, unsigned e)
{
    struct range factor = {0, 0}, rest = {0, 0};
    for (size_t i = 0; i < form->count; i++) {
        const struct term *term = &form->terms[i];
        if (term->exponents[v] == e)
            factor = range_add(factor, term_range(term, box, v));
        else
            rest = range_add(rest, term_range(term, box, -1));
    }
    if (rest.hi >= UNBOUNDED)
        return true;
    if (!factor.lo && !factor.hi)
        return rest.hi >= 0;
    if (e == 1) {
        range_narrow(&box[v], factor, -rest.hi);
    } else {
        struct range power = {-UNBOUNDED, UNBOUNDED};
        range_narrow(&power, factor, -rest.hi);
        root_narrow(&box[v], power, e);
    }
    return box[v].lo <= box[v].hi;
}

/* The same for all exponents of v. */
static bool form_narrow(const struct form *form, struct range *box, int v, bool *changed)
{
    struct range before = box[v];
    uint64_t done = 0;
    bool left = power_narrow(form, box, v, 1);
    for (size_t i = 0; left && i < form->count; i++) {
        unsigned e = form->terms[i].exponents[v];
        if (e < 2 || e > 63 || (done >> e & 1))
            continue;
        done |= 1ull << e;
        left = power_narrow(form, box, v, e);
    }
    *changed |= box[v].lo != before.lo || box[v].hi != before.hi;
    return left;
}

static wide divisor_common(wide a, wide b)
{
    while (b) {
        wide rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* Can the equation hold in the box as far as divisibility tells? Variables with one value left
   count as that. */
static bool equation_possible(const struct search *s, const struct form *form,
                              const struct range *box)
{
    wide constant = 0, divisor = 0;
    for (size_t i = 0; i < form->count; i++) {
        struct range fixed = {form->terms[i].coefficient, form->terms[i].coefficient};
        bool open = false;
        for (int v = 0; v < s->variables; v++) {
            unsigned e = form->terms[i].exponents[v];
            if (e && box[v].lo == box[v].hi)
                fixed = range_multiply(fixed, range_power(box[v], e));
            open |= e && box[v].lo != box[v].hi;
        }
        if (fixed.lo >= UNBOUNDED || fixed.lo <= -UNBOUNDED)
            return true;
        if (open)
            divisor = divisor_common(divisor, fixed.lo);
        else
            constant = clamp(constant + fixed.lo);
    }
    if (constant >= UNBOUNDED || constant <= -UNBOUNDED)
        return true;
    return divisor ? constant % divisor == 0 : constant == 0;
}

/* Narrows the box by one form; false if nothing is left. Variables that change are marked in all
   forms. */
static bool box_narrow_by(struct search *s, struct form *form, struct range *box, bool *changed)
{
    form->stale = 0;
    for (uint64_t left = form->variables; left; left &= left - 1) {
        int v = __builtin_ctzll(left);
        bool narrowed = false;
        if (v >= s->variables)
            continue;
        if (!form_narrow(form, box, v, &narrowed))
            return false;
        for (size_t i = 0; narrowed && i < s->forms.count; i++)
            s->forms.at[i].stale |= 1ull << v;
        *changed |= narrowed;
    }
    return true;
}

/* Rounds over the forms until none narrows the box or the rounds are spent; a form whose variables
   did not change since it was last asked would say the same again and is left out. False if nothing
   is left. */
static bool box_narrow(struct search *s, struct box *box)
{
    bool changed = true;
    for (size_t i = 0; i < s->forms.count; i++)
        s->forms.at[i].stale = box->stale;
    for (int round = 0; changed && round < NARROW_ROUNDS; round++) {
        changed = false;
        for (size_t i = 0; i < s->forms.count; i++) {
            struct form *form = &s->forms.at[i];
            if ((form->stale & form->variables) && !box_narrow_by(s, form, box->ranges, &changed))
                return false;
        }
    }
    box->stale = changed ? UINT64_MAX : 0;
    for (size_t i = 0; i < s->forms.count; i++)
        if (s->forms.at[i].equation && !equation_possible(s, &s->forms.at[i], box->ranges))
            return false;
    return true;
}

/* Divides by what the coefficients of all terms with variables have in common; the constant is
   rounded down, since the sum is an integer, unless it is an equation: then it must be a multiple.
 */
static void form_reduce(struct search *s, struct form *form)
{
    wide divisor = 0;
    for (size_t i = 0; i < form->count; i++)
        if (form->terms[i].variables)
            divisor = divisor_common(divisor, form->terms[i].coefficient);
    for (size_t i = 0; divisor > 1 && i < form->count; i++) {
        int64_t *coefficient = &form->terms[i].coefficient;
        s->absent |= form->equation && *coefficient % divisor != 0;
        *coefficient = (int64_t)divide_down(*coefficient, divisor);
    }
}

/* p, or -p if negated, minus 1 if strict, as a form. */
static void form_add(struct search *s, const fmpz_mpoly_t p, bool negated, bool strict,
                     bool equation)
{
    const fmpz_mpoly_ctx_struct *ctx = s->sas.ring->ctx->zctx;
    struct form form = {.terms = ARENA_ARRAY(s->arena, struct term, p->length + 1),
                        .equation = equation};
    for (slong i = 0; i < p->length; i++) {
        ulong exponents[RING_CAPACITY];
        unsigned *local = ARENA_ARRAY(s->arena, unsigned, s->variables + 1);
        uint64_t variables = 0;
        mpoly_exponents(exponents, p, i, ctx);
        for (int v = 0; v < s->variables; v++) {
            local[v] = (unsigned)exponents[s->ring_variable[v]];
            variables |= (uint64_t)(local[v] > 0) << v;
        }
        int64_t coefficient = fmpz_fits_si(p->coeffs + i) ? fmpz_get_si(p->coeffs + i) : INT64_MIN;
        if (coefficient <= INT64_MIN + 1) {
            s->undecided = true;
            return;
        }
        form.terms[form.count++] =
            (struct term){negated ? -coefficient : coefficient, local, variables};
        form.variables |= variables;
    }
    if (strict && form.count && !form.terms[form.count - 1].variables)
        form.terms[form.count - 1].coefficient--;   /* the constant term is the last one */
    else if (strict)
        form.terms[form.count++] =
            (struct term){-1, ARENA_ARRAY(s->arena, unsigned, s->variables + 1), 0};
    form.variables |= !form.variables;
    form_reduce(s, &form);
    vec_push(s->arena, &s->forms, form);
}

static void forms_make(struct search *s)
{
    for (size_t i = 0; i < s->sas.count; i++) {
        struct constraint c = s->sas.at[i];
        const fmpz_mpoly_struct *p = c.poly->value->zpoly;
        bool turned = fmpq_sgn(c.poly->value->content) < 0;
        bool below = c.relation == RELATION_LT || c.relation == RELATION_LE;
        bool strict = c.relation == RELATION_LT || c.relation == RELATION_GT,
             equation = c.relation == RELATION_EQ;
        if (c.relation == RELATION_NE)
            continue;
        form_add(s, p, turned != below, strict, equation);
        if (equation)
            form_add(s, p, !turned, false, true);
    }
}

static void variables_collect(struct search *s)
{
    for (int v = 0; v < s->sas.ring->count; v++) {
        bool used = false;
        for (size_t i = 0; !used && i < s->sas.count; i++)
            used = poly_uses(s->sas.at[i].poly, v);
        if (used)
            s->ring_variable[s->variables++] = v;
    }
}

/* Is the one point of the box a solution? Then it is written to `point`. */
static bool box_test(struct search *s, const struct range *box, int64_t *point)
{
    int64_t candidate[RING_CAPACITY];
    memcpy(candidate, point, (size_t)s->sas.ring->count * sizeof *candidate);
    for (int v = 0; v < s->variables; v++)
        candidate[s->ring_variable[v]] = (int64_t)box[v].lo;
    int holds = sas_holds(s->sas, candidate);
    if (holds < 0)
        s->undecided = true;
    if (holds == 1)
        memcpy(point, candidate, (size_t)s->sas.ring->count * sizeof *candidate);
    return holds == 1;
}

/* The variable of the widest or of the narrowest range that is no single value; -1 if all are. */
static int box_variable(const struct search *s, const struct range *box, bool widest)
{
    int chosen = -1;
    wide best = 0;
    for (int v = 0; v < s->variables; v++) {
        wide width = box[v].hi - box[v].lo;
        if (!width || (chosen >= 0 && (widest ? width <= best : width >= best)))
            continue;
        best = width;
        chosen = v;
    }
    return chosen;
}

/* Pushes a copy of the box in which variable v has the range `part`; v -1: an exact copy. */
static void box_push(struct search *s, struct box box, int v, struct range part)
{
    struct range *copy = ARENA_ARRAY(s->arena, struct range, s->variables + 1);
    memcpy(copy, box.ranges, (size_t)s->variables * sizeof *copy);
    if (v >= 0) {
        copy[v] = part;
        box.stale |= 1ull << v;
    }
    vec_push(s->arena, &s->boxes, ((struct box){copy, box.stale}));
}

/* A form as a constraint in the search's arena: with its divided coefficients it says more to the
   solver for the reals. */
static struct constraint form_constraint(const struct search *s, const struct form *form)
{
    struct ring *ring = s->sas.ring;
    struct poly *p = poly_scratch(s->arena, ring);
    fmpq_mpoly_t sum;
    fmpq_mpoly_init(sum, ring->ctx);
    for (size_t i = 0; i < form->count; i++) {
        ulong exponents[RING_CAPACITY] = {0};
        for (int v = 0; v < s->variables; v++)
            exponents[s->ring_variable[v]] = form->terms[i].exponents[v];
        fmpq_mpoly_push_term_si_ui(sum, form->terms[i].coefficient, exponents, ring->ctx);
    }
    fmpq_mpoly_sort_terms(sum, ring->ctx);
    fmpq_mpoly_combine_like_terms(sum, ring->ctx);
    fmpq_mpoly_swap(p->value, sum, ring->ctx);
    fmpq_mpoly_clear(sum, ring->ctx);
    return (struct constraint){p, form->equation ? RELATION_EQ : RELATION_GE};
}

static void tight_make(struct search *s)
{
    struct constraint *at =
        ARENA_ARRAY(s->arena, struct constraint, s->sas.count + s->forms.count + 1);
    s->tight = (struct sas){s->sas.ring, at, 0};
    for (size_t i = 0; i < s->forms.count; i++)
        at[s->tight.count++] = form_constraint(s, &s->forms.at[i]);
    for (size_t i = 0; i < s->sas.count; i++)
        if (s->sas.at[i].relation == RELATION_NE)
            at[s->tight.count++] = s->sas.at[i];
}

/* Has the box a real point, as far as the front of the exact solver knows? */
static bool box_real(struct search *s, const struct range *box)
{
    if (!s->tight.at)
        tight_make(s);
    struct arena *scratch = arena_new();
    struct question *q =
        question_new(scratch, s->sas.ring, s->tight.at, s->tight.count, REAL_STEPS);
    struct state *start = question_state(q);
    const uint64_t *none = ARENA_ARRAY(scratch, uint64_t, q->words);
    bool possible = true;
    for (int v = 0; v < s->variables && possible; v++)
        for (int upper = 0; upper < 2 && possible; upper++) {
            fmpq *value = rational_new(q);
            fmpq_set_si(value, (slong)(upper ? box[v].hi : box[v].lo), 1);
            int local = q->local_variable[s->ring_variable[v]];
            possible = local < 0 ||
                       state_bound(q, start, local, upper, (struct bound){value, false, none});
        }
    if (possible)
        possible =
            question_assert_all(q, start, s->tight.at) && state_decide(q, start) != SAS_EMPTY;
    possible |= q->broken;
    arena_free(scratch);
    return possible;
}

/* Boxes from the stack until a point is found (1), none is left (0) or the steps are spent (-1).
   Diving cuts off the least value of the narrowest range, else the widest range is halved. */
static int search_run(struct search *s, uint64_t steps, bool dive, int64_t *point)
{
    while (s->boxes.count) {
        if (!steps--)
            return -1;
        struct box box = vec_pop(&s->boxes);
        if (!box_narrow(s, &box) || (!dive && steps % REAL_EVERY == 0 && !box_real(s, box.ranges)))
            continue;
        int v = box_variable(s, box.ranges, !dive);
        if (v < 0) {
            if (box_test(s, box.ranges, point))
                return 1;
            continue;
        }
        struct range range = box.ranges[v];
        wide cut = dive ? range.lo : range.lo + (range.hi - range.lo) / 2;
        box_push(s, box, v, (struct range){cut + 1, range.hi});
        box.ranges[v].hi = cut;
        box.stale |= 1ull << v;
        vec_push(s->arena, &s->boxes, box);
    }
    return s->undecided ? -1 : 0;
}

/* A short dive along least values, which finds most points; then, from the start again, the halving
   that ends. */
static int search_phases(struct search *s, struct range *ranges, uint64_t steps, int64_t *point)
{
    if (s->absent || residues_refute(s->sas))
        return 0;
    struct box box = {ranges, UINT64_MAX};
    uint64_t dive = steps < DIVE_STEPS ? steps : DIVE_STEPS;
    box_push(s, box, -1, (struct range){0, 0});
    int result = search_run(s, dive, true, point);
    if (result >= 0)
        return result;
    if (!box_real(s, ranges))
        return 0;
    s->boxes.count = 0;
    box_push(s, box, -1, (struct range){0, 0});
    return search_run(s, steps - dive, false, point);
}

int sas_integer_point(struct sas sas, const int64_t *lo, const int64_t *hi, uint64_t steps,
                      int64_t *point)
{
    struct search s = {.arena = arena_new(), .sas = sas};
    struct range box[RING_CAPACITY] = {{0, 0}};
    bool inhabited = true, within = true;
    for (size_t i = 0; i < sas.count; i++)
        within &= sas.at[i].poly != NULL;
    for (int v = 0; v < sas.ring->count; v++) {
        point[v] = lo ? lo[v] : 0;
        inhabited &= point[v] <= (hi ? hi[v] : BOX_DEFAULT);
    }
    int result = within ? 0 : -1;
    if (within && inhabited) {
        variables_collect(&s);
        forms_make(&s);
        for (int v = 0; v < s.variables; v++) {
            int from = s.ring_variable[v];
            box[v] = (struct range){lo ? lo[from] : 0, hi ? hi[from] : BOX_DEFAULT};
        }
        result = search_phases(&s, box, steps ? steps : STEPS_DEFAULT, point);
    }
    arena_free(s.arena);
    return result;
}
