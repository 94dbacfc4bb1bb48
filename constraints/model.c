/* Points that answer a question, exact: rational numbers by variable, or a sample of the coverings
   engine. In: what a method found; out: signs of polynomials there, truth of formulas
   (three-valued: a spent budget is "undecided"), and the witness that a user sees. An irrational
   coordinate is shown by its irreducible polynomial and an isolating interval, which costs norms;
   it is computed for output only. */
#include "constraints/ring.h"
#include "constraints/search.h"

static void rational_clear(void *object)
{
    fmpq_clear(object);
}

struct model *model_new(struct arena *arena, struct ring *ring)
{
    struct model *model = ARENA_NEW(arena, struct model);
    model->ring = ring;
    model->values = ARENA_ARRAY(arena, fmpq, ring->count + 1);
    for (int v = 0; v < ring->count; v++) {
        fmpq_init(model->values + v);
        arena_on_free(arena, rational_clear, model->values + v);
    }
    return model;
}

struct model *model_of_sample(struct arena *arena, struct ring *ring, const struct engine *engine,
                              struct sample *sample)
{
    struct model *model = model_new(arena, ring);
    if (sample_rational(sample)) {
        for (size_t i = 0; i < sample_height(sample); i++)
            fmpq_set(model->values + sample_variable(sample, i), sample_value(sample, i));
        return model;
    }
    fmpq_t zero;
    fmpq_init(zero);
    for (int v = 0; v < engine_variables(engine); v++)
        if (!sample_assigns(sample, v))
            sample_push_rational(sample, v, zero);
    fmpq_clear(zero);
    model->values = NULL;
    model->sample = sample;
    model->ctx = engine_context(engine);
    return model;
}

static int sign_rational(const struct model *model, const struct poly *p)
{
    fmpq_t value;
    fmpq_init(value);
    poly_primitive_rational(value, p, model->values);
    int sign = fmpq_sgn(value) * fmpq_sgn(p->value->content);
    fmpq_clear(value);
    return sign;
}

/* The numerator in the engine's context, generators in their places. */
static int sign_sample(const struct model *model, const struct poly *p)
{
    const fmpz_mpoly_ctx_struct *ring_ctx = p->ring->ctx->zctx;
    slong map[RING_CAPACITY];
    for (slong v = 0; v < RING_CAPACITY; v++)
        map[v] = v < fmpz_mpoly_ctx_nvars(model->ctx) ? v : -1;
    fmpz_mpoly_t q;
    fmpz_mpoly_init(q, model->ctx);
    fmpz_mpoly_compose_fmpz_mpoly_gen(q, p->value->zpoly, map, ring_ctx, model->ctx);
    int sign = sample_sign(model->sample, q);
    fmpz_mpoly_clear(q, model->ctx);
    return sign == SIGN_UNDECIDED ? sign : sign * fmpq_sgn(p->value->content);
}

int model_sign(const struct model *model, const struct poly *p)
{
    return model->values ? sign_rational(model, p) : sign_sample(model, p);
}

static int holds_operands(const struct model *model, const struct formula *f)
{
    int zero = f->kind == FORMULA_AND ? 0 : 1, result = !zero;
    for (size_t i = 0; i < f->count; i++) {
        int holds = model_holds(model, f->at[i]);
        if (holds == zero)
            return zero;
        if (holds < 0)
            result = -1;
    }
    return result;
}

int model_holds(const struct model *model, const struct formula *f)
{
    switch (f->kind) {
    case FORMULA_TRUE: return 1;
    case FORMULA_FALSE: return 0;
    case FORMULA_ATOM: {
        int sign = f->constraint.poly ? model_sign(model, f->constraint.poly) : SIGN_UNDECIDED;
        return sign == SIGN_UNDECIDED ? -1 : relation_holds(f->constraint.relation, sign);
    }
    case FORMULA_NOT: {
        int holds = model_holds(model, f->at[0]);
        return holds < 0 ? -1 : !holds;
    }
    case FORMULA_AND:
    case FORMULA_OR: return holds_operands(model, f);
    case FORMULA_XOR: {
        int a = model_holds(model, f->at[0]), b = model_holds(model, f->at[1]);
        return a < 0 || b < 0 ? -1 : a != b;
    }
    case FORMULA_EXISTS:
    case FORMULA_FORALL: break;
    }
    return -1;
}

/* The coordinate of a variable in the model's sample. */
static size_t coordinate(const struct model *model, int variable)
{
    size_t i = 0;
    while (sample_variable(model->sample, i) != variable)
        i++;
    return i;
}

static const fmpq *model_rational(const struct model *model, int variable)
{
    return model->values ? model->values + variable
                         : sample_value(model->sample, coordinate(model, variable));
}

bool model_floor(const struct model *model, int variable, fmpz_t floor)
{
    const fmpq *value = model_rational(model, variable);
    if (value) {
        fmpz_fdiv_q(floor, fmpq_numref(value), fmpq_denref(value));
        return fmpz_is_one(fmpq_denref(value));
    }
    arb_t ball;
    arb_init(ball);
    fmpz_zero(floor);
    if (root_enclose(model->sample, sample_root(model->sample, coordinate(model, variable)), 64,
                     ball))
        arf_get_fmpz(floor, arb_midref(ball), ARF_RND_FLOOR);
    arb_clear(ball);
    return false;
}

static const char *fraction_text(struct arena *arena, const fmpq_t value)
{
    char *text = fmpq_get_str(NULL, 10, value);
    const char *copy = arena_strdup(arena, text);
    flint_free(text);
    return copy;
}

static const struct algebraic *rational_algebraic(struct arena *arena, const fmpq *value)
{
    struct algebraic *number = ARENA_NEW(arena, struct algebraic);
    number->lo = number->hi = fraction_text(arena, value);
    char *numerator = fmpz_get_str(NULL, 10, fmpq_numref(value)),
         *denominator = fmpz_get_str(NULL, 10, fmpq_denref(value));
    bool negative = *numerator == '-';
    number->polynomial =
        arena_printf(arena, "%s*x %s %s", denominator, negative ? "+" : "-", numerator + negative);
    flint_free(numerator);
    flint_free(denominator);
    return number;
}

static void polynomial_print(struct str *out, const fmpz_poly_t p)
{
    bool first = true;
    for (slong i = fmpz_poly_degree(p); i >= 0; i--) {
        const fmpz *c = p->coeffs + i;
        if (fmpz_is_zero(c))
            continue;
        bool negative = fmpz_sgn(c) < 0;
        char *text = fmpz_get_str(NULL, 10, c);
        const char *digits = text + negative;
        str_add(out, first ? (negative ? "-" : "") : negative ? " - " : " + ");
        if (!i || !fmpz_is_pm1(c))
            str_addf(out, "%s%s", digits, i ? "*" : "");
        if (i)
            str_add(out, "x");
        if (i > 1)
            str_addf(out, "^%ld", (long)i);
        flint_free(text);
        first = false;
    }
}

static const struct algebraic *root_algebraic(struct arena *arena, const struct model *model,
                                              int variable)
{
    fmpz_poly_t p;
    fmpq_t lo, hi;
    fmpz_poly_init(p);
    fmpq_init(lo);
    fmpq_init(hi);
    struct algebraic *number = NULL;
    if (sample_minimal(model->sample, coordinate(model, variable), p, lo, hi)) {
        struct str text = str_new(arena);
        polynomial_print(&text, p);
        number = ARENA_NEW(arena, struct algebraic);
        *number = (struct algebraic){text.text, fraction_text(arena, lo), fraction_text(arena, hi)};
    }
    fmpz_poly_clear(p);
    fmpq_clear(lo);
    fmpq_clear(hi);
    return number;
}

struct witness *model_witness(struct arena *arena, const struct model *model)
{
    size_t count = (size_t)ring_count(model->ring);
    int64_t *numerator = ARENA_ARRAY(arena, int64_t, count + 1),
            *denominator = ARENA_ARRAY(arena, int64_t, count + 1);
    const struct algebraic **algebraic = ARENA_ARRAY(arena, const struct algebraic *, count + 1);
    bool any = false;
    for (size_t v = 0; v < count; v++) {
        denominator[v] = 1;
        if (!model->values && !sample_assigns(model->sample, (int)v))
            continue;
        const fmpq *value = model_rational(model, (int)v);
        if (value && fmpz_fits_si(fmpq_numref(value)) && fmpz_fits_si(fmpq_denref(value))) {
            numerator[v] = fmpz_get_si(fmpq_numref(value));
            denominator[v] = fmpz_get_si(fmpq_denref(value));
            continue;
        }
        algebraic[v] =
            value ? rational_algebraic(arena, value) : root_algebraic(arena, model, (int)v);
        if (!algebraic[v])
            return NULL;
        any = true;
    }
    struct witness *witness = ARENA_NEW(arena, struct witness);
    *witness = (struct witness){count, numerator, denominator, any ? algebraic : NULL};
    return witness;
}
