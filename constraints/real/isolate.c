/* Isolation of real roots by Descartes' rule of signs and bisection (Collins, Akritas, "Polynomial
   real root isolation using Descartes' rule of signs", SYMSAC 1976), with balls as coefficients.
   In: the coefficients of a polynomial enclosed at a working precision; out: disjoint open
   intervals with one simple root each, or "not at this precision". A sign that a ball leaves open
   is never guessed: bounds for the number of variations are used, and the values at the ends of an
   interval must be certain. The points where the line is cut are R * c / 2^k with an odd-looking R,
   which changes with the attempt, so that simple rational roots are not met. */
#include "constraints/real/real.h"

/* A part of the half-line: (c, c+1) / 2^k in units of the root bound; coefficients of the
   polynomial scaled to (0, 1). */
struct part {
    arb_ptr at;
    fmpz c;
    slong k;
};

struct search {
    struct budget *budget;
    slong length, bits;
    struct part *stack;
    size_t count, capacity;
    arf_struct bound;         /* all roots of the half-line are below it */
    bool negative;            /* the half-line of f(-x) */
    struct interval *found;
    size_t roots, room;
    arb_ptr scratch;
};

void intervals_clear(struct interval *at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        arf_clear(&at[i].lo);
        arf_clear(&at[i].hi);
    }
    flint_free(at);
}

static struct part *part_push(struct search *s)
{
    if (s->count == s->capacity) {
        s->capacity = 2 * s->capacity + 8;
        s->stack = flint_realloc(s->stack, s->capacity * sizeof *s->stack);
    }
    struct part *part = &s->stack[s->count++];
    part->at = _arb_vec_init(s->length);
    fmpz_init(&part->c);
    part->k = 0;
    return part;
}

static void part_clear(const struct search *s, struct part *part)
{
    _arb_vec_clear(part->at, s->length);
    fmpz_clear(&part->c);
}

/* f(x + 1) in place */
static void shift_by_one(arb_ptr at, slong length, slong bits)
{
    for (slong i = length - 2; i >= 0; i--)
        for (slong j = i; j < length - 1; j++)
            arb_add(at + j, at + j, at + j + 1, bits);
}

static int sign_of(const arb_t x)
{
    return arb_is_zero(x) ? 0 : arb_contains_zero(x) ? SIGN_UNDECIDED : arb_is_positive(x) ? 1 : -1;
}

/* Bounds for the number of sign variations: uncertain coefficients are left out for the lower one
   and vary as often as they can for the upper one. False if the first or the last sign is uncertain
   or zero. */
static bool variations(const struct search *s, arb_srcptr at, slong *least, slong *most)
{
    int first = sign_of(at), last = sign_of(at + s->length - 1), before = first;
    slong open = 0;
    *least = *most = 0;
    if (first == 0 || first == SIGN_UNDECIDED || last == 0 || last == SIGN_UNDECIDED)
        return false;
    for (slong i = 1; i < s->length; i++) {
        int sign = sign_of(at + i);
        if (sign == 0)
            continue;
        if (sign == SIGN_UNDECIDED) {
            open++;
            continue;
        }
        int varies = sign != before;
        *least += varies;
        *most += open + 1 - ((open + 1 - varies) & 1);
        before = sign;
        open = 0;
    }
    return true;
}

/* The point c / 2^k in units of the bound. */
static void part_point(const struct search *s, arf_t x, const fmpz_t c, slong k)
{
    arf_mul_fmpz(x, &s->bound, c, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_mul_2exp_si(x, x, -k);
}

static void found_add(struct search *s, const struct part *part, int left, int right)
{
    fmpz_t next;
    if (s->roots == s->room) {
        s->room = 2 * s->room + 4;
        s->found = flint_realloc(s->found, s->room * sizeof *s->found);
    }
    struct interval *i = &s->found[s->roots++];
    arf_init(&i->lo);
    arf_init(&i->hi);
    fmpz_init(next);
    fmpz_add_ui(next, &part->c, 1);
    part_point(s, &i->lo, &part->c, part->k);
    part_point(s, &i->hi, next, part->k);
    i->sign = left;
    if (s->negative) {
        arf_swap(&i->lo, &i->hi);
        arf_neg(&i->lo, &i->lo);
        arf_neg(&i->hi, &i->hi);
        i->sign = right;
    }
    fmpz_clear(next);
}

/* Cuts the part in the middle; the left half comes first. */
static void part_split(struct search *s, const struct part *part)
{
    struct part *right = part_push(s), *left;
    for (slong i = 0; i < s->length; i++)
        arb_mul_2exp_si(right->at + i, part->at + i, s->length - 1 - i);
    fmpz_mul_2exp(&right->c, &part->c, 1);
    right->k = part->k + 1;
    left = part_push(s);
    right = left - 1;
    _arb_vec_set(left->at, right->at, s->length);
    fmpz_set(&left->c, &right->c);
    left->k = right->k;
    fmpz_add_ui(&right->c, &right->c, 1);
    shift_by_one(right->at, s->length, s->bits);
}

/* Takes one part; false if something is uncertain. */
static bool part_take(struct search *s, struct part *part)
{
    slong least, most;
    if (!budget_take(s->budget,
                     (uint64_t)(s->length * s->length / 4 + 1) * (uint64_t)(1 + s->bits / 64)))
        return false;
    for (slong i = 0; i < s->length; i++)
        arb_set(s->scratch + i, part->at + s->length - 1 - i);
    shift_by_one(s->scratch, s->length, s->bits);
    if (!variations(s, s->scratch, &least, &most))
        return false;
    if (most == 0)
        return true;
    if (least == 1 && most == 1) {
        found_add(s, part, sign_of(s->scratch + s->length - 1), sign_of(s->scratch));
        return true;
    }
    if (part->k > s->bits)
        return false;
    part_split(s, part);
    return true;
}

/* The roots on one half-line, from zero outwards. */
static bool half_line(struct search *s, const arb_poly_t f, bool negative)
{
    struct part *start = part_push(s);
    arf_t power;
    bool good = true;
    s->negative = negative;
    arf_init(power);
    arf_one(power);
    for (slong i = 0; i < s->length; i++) {
        arb_mul_arf(start->at + i, f->coeffs + i, power, s->bits);
        arf_mul(power, power, &s->bound, ARF_PREC_EXACT, ARF_RND_DOWN);
        if (negative && i % 2)
            arb_neg(start->at + i, start->at + i);
    }
    arf_clear(power);
    while (s->count > 0) {
        struct part part = s->stack[--s->count];
        good = good && part_take(s, &part);
        part_clear(s, &part);
    }
    return good;
}

/* A power of two above the absolute value of every root, times a number between one and two. */
static bool root_bound(arf_t bound, const arb_poly_t f, int attempt)
{
    mag_t m;
    slong exponent = 0;
    mag_init(m);
    arb_poly_root_bound_fujiwara(m, (arb_poly_struct *)f);
    bool good = !mag_is_inf(m) && !COEFF_IS_MPZ(MAG_EXP(m)) && MAG_EXP(m) < 1 << 20 &&
                MAG_EXP(m) > -(1 << 20);
    if (good)
        exponent = mag_is_special(m) ? 0 : MAG_EXP(m);
    mag_clear(m);
    arf_set_si(bound, 92681 + 2 * (slong)attempt * 5077);
    arf_mul_2exp_si(bound, bound, exponent - 16);
    return good;
}

static void reverse(struct interval *at, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct interval t = at[i];
        at[i] = at[count - 1 - i];
        at[count - 1 - i] = t;
    }
}

bool roots_isolate(struct budget *budget, struct interval **at, size_t *count, const arb_poly_t f,
                   slong bits, int attempt)
{
    struct search s = {.budget = budget, .length = f->length, .bits = bits};
    bool good;
    arf_init(&s.bound);
    s.scratch = _arb_vec_init(s.length);
    good = root_bound(&s.bound, f, attempt) && half_line(&s, f, true);
    reverse(s.found, s.roots);
    good = good && half_line(&s, f, false);
    arf_clear(&s.bound);
    _arb_vec_clear(s.scratch, s.length);
    flint_free(s.stack);
    if (!good) {
        intervals_clear(s.found, s.roots);
        s.found = NULL;
        s.roots = 0;
    }
    *at = s.found;
    *count = s.roots;
    return good;
}
