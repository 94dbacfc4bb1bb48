/* Integer points by bounded branching. In: a system and a box; out: a point, the proof that the box has none, or that
   the budget did not suffice. Each node first narrows its box: from p >= 0 with p = a x + r, where a and r are bounded
   by interval arithmetic over the other variables, x is bounded in turn; then, unless the box is a single point, one
   range is cut in two, and the lower part is looked at first, so that small points are found first.
   Interval ends are 128-bit and saturate at 2^100: an end beyond it counts as unbounded, which only weakens a
   conclusion. A single point is tested exactly. Boxes wait on a stack of their own, so depth costs no C stack. */
#include "base/vec.h"
#include "constraints/ring.h"
#include "constraints/solve.h"
#include <string.h>

__extension__ typedef __int128 wide;

static const wide UNBOUNDED = (wide)1 << 100;
enum { BOX_DEFAULT = 1 << 20, STEPS_DEFAULT = 20000, NARROW_ROUNDS = 8, DIVE_STEPS = 300 };

struct range {
    wide lo, hi;
};

struct term {
    int64_t coefficient;
    const unsigned *exponents;  /* by search variable */
};

/* Sum of the terms >= 0. */
struct form {
    struct term *terms;
    size_t count;
    uint64_t variables;         /* those that occur, a bit each; bit 0 too if none does */
};

struct search {
    struct arena *arena;
    struct sas sas;
    int variables, ring_variable[RING_CAPACITY];
    VEC(struct form) forms;
    VEC(struct range *) boxes;
    bool undecided;  /* a coefficient or a value left 64 bits */
};

static wide clamp(wide x)
{
    return x > UNBOUNDED ? UNBOUNDED : x < -UNBOUNDED ? -UNBOUNDED : x;
}

/* |a|, |b| <= UNBOUNDED */
static wide multiply(wide a, wide b)
{
    if (!a || !b)
        return 0;
    wide x = a < 0 ? -a : a, y = b < 0 ? -b : b;
    wide product = x > UNBOUNDED / y ? UNBOUNDED : x * y;
    return (a < 0) != (b < 0) ? -product : product;
}

static struct range range_multiply(struct range a, struct range b)
{
    wide ends[4] = {multiply(a.lo, b.lo), multiply(a.lo, b.hi), multiply(a.hi, b.lo), multiply(a.hi, b.hi)};
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

static struct range range_power(struct range x, unsigned exponent)
{
    struct range r = {1, 1};
    for (unsigned i = 0; i < exponent; i++)
        r = range_multiply(r, x);
    if (!(exponent & 1) && r.lo < 0)
        r.lo = 0;
    return r;
}

/* The term over the box, without variable `skip`. */
static struct range term_range(const struct search *s, const struct term *term, const struct range *box, int skip)
{
    struct range r = {term->coefficient, term->coefficient};
    for (int v = 0; v < s->variables; v++)
        if (v != skip && term->exponents[v])
            r = range_multiply(r, range_power(box[v], term->exponents[v]));
    return r;
}

static wide divide_up(wide a, wide b)
{
    return a / b + (a % b > 0);
}

static wide divide_down(wide a, wide b)
{
    return a / b - (a % b < 0);
}

/* Narrows x so that a x >= least is possible for some a of the range; a of one strict sign, least bounded. */
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

/* Narrows variable v of the box by one form; false if nothing is left. */
static bool form_narrow(const struct search *s, const struct form *form, struct range *box, int v, bool *changed)
{
    struct range factor = {0, 0}, rest = {0, 0};
    for (size_t i = 0; i < form->count; i++) {
        const struct term *term = &form->terms[i];
        if (term->exponents[v] == 1)
            factor = range_add(factor, term_range(s, term, box, v));
        else
            rest = range_add(rest, term_range(s, term, box, -1));
    }
    if (rest.hi >= UNBOUNDED)
        return true;
    if (!factor.lo && !factor.hi)
        return rest.hi >= 0;
    struct range before = box[v];
    range_narrow(&box[v], factor, -rest.hi);
    *changed |= box[v].lo != before.lo || box[v].hi != before.hi;
    return box[v].lo <= box[v].hi;
}

static bool box_narrow(const struct search *s, struct range *box)
{
    bool changed = true;
    for (int round = 0; changed && round < NARROW_ROUNDS; round++) {
        changed = false;
        for (size_t i = 0; i < s->forms.count; i++)
            for (int v = 0; v < s->variables; v++)
                if ((s->forms.at[i].variables >> v & 1) && !form_narrow(s, &s->forms.at[i], box, v, &changed))
                    return false;
    }
    return true;
}

/* p, or -p if negated, minus 1 if strict, as a form. */
static void form_add(struct search *s, const fmpz_mpoly_struct *p, bool negated, bool strict)
{
    const fmpz_mpoly_ctx_struct *ctx = s->sas.ring->ctx->zctx;
    struct form form = {ARENA_ARRAY(s->arena, struct term, p->length + 1), 0, 0};
    for (slong i = 0; i < p->length; i++) {
        ulong exponents[RING_CAPACITY];
        unsigned *local = ARENA_ARRAY(s->arena, unsigned, s->variables + 1);
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, ctx);
        for (int v = 0; v < s->variables; v++)
            local[v] = (unsigned)exponents[s->ring_variable[v]];
        if (!fmpz_fits_si(p->coeffs + i) || fmpz_equal_si(p->coeffs + i, INT64_MIN)) {
            s->undecided = true;
            return;
        }
        int64_t coefficient = fmpz_get_si(p->coeffs + i);
        form.terms[form.count++] = (struct term){negated ? -coefficient : coefficient, local};
    }
    if (strict)
        form.terms[form.count++] = (struct term){-1, ARENA_ARRAY(s->arena, unsigned, s->variables + 1)};
    for (size_t i = 0; i < form.count; i++)
        for (int v = 0; v < s->variables; v++)
            form.variables |= form.terms[i].exponents[v] ? 1ull << v : 0;
    form.variables |= !form.variables;
    vec_push(s->arena, &s->forms, form);
}

static void forms_make(struct search *s)
{
    for (size_t i = 0; i < s->sas.count; i++) {
        struct constraint c = s->sas.at[i];
        const fmpz_mpoly_struct *p = c.poly->value->zpoly;
        bool turned = fmpq_sgn(c.poly->value->content) < 0;
        bool below = c.relation == RELATION_LT || c.relation == RELATION_LE;
        bool strict = c.relation == RELATION_LT || c.relation == RELATION_GT;
        if (c.relation == RELATION_NE)
            continue;
        form_add(s, p, turned != below, strict);
        if (c.relation == RELATION_EQ)
            form_add(s, p, !turned, false);
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

static void box_push(struct search *s, const struct range *box, int v, struct range half)
{
    struct range *copy = ARENA_ARRAY(s->arena, struct range, s->variables + 1);
    memcpy(copy, box, (size_t)s->variables * sizeof *copy);
    if (v >= 0)
        copy[v] = half;
    vec_push(s->arena, &s->boxes, copy);
}

/* Boxes from the stack until a point is found (1), none is left (0) or the steps are spent (-1). Diving cuts off the
   least value of the narrowest range, else the widest range is halved. */
static int search_run(struct search *s, uint64_t steps, bool dive, int64_t *point)
{
    while (s->boxes.count) {
        if (!steps--)
            return -1;
        struct range *box = vec_pop(&s->boxes);
        if (!box_narrow(s, box))
            continue;
        int v = box_variable(s, box, !dive);
        if (v < 0) {
            if (box_test(s, box, point))
                return 1;
            continue;
        }
        wide cut = dive ? box[v].lo : box[v].lo + (box[v].hi - box[v].lo) / 2;
        box_push(s, box, v, (struct range){cut + 1, box[v].hi});
        box[v].hi = cut;
        vec_push(s->arena, &s->boxes, box);
    }
    return s->undecided ? -1 : 0;
}

/* A short dive along least values, which finds most points; then, from the start again, the halving that ends. */
static int search_phases(struct search *s, const struct range *box, uint64_t steps, int64_t *point)
{
    uint64_t dive = steps < DIVE_STEPS ? steps : DIVE_STEPS;
    box_push(s, box, -1, (struct range){0, 0});
    int result = search_run(s, dive, true, point);
    if (result >= 0)
        return result;
    s->boxes.count = 0;
    box_push(s, box, -1, (struct range){0, 0});
    return search_run(s, steps - dive, false, point);
}

int sas_integer_point(struct sas sas, const int64_t *lo, const int64_t *hi, uint64_t steps, int64_t *point)
{
    struct search s = {.arena = arena_new(), .sas = sas};
    struct range box[RING_CAPACITY];
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
