/* Formulas on a line. In: a formula without quantifiers in one variable, or in two with a number
   for the other; out: the line cut at the roots of its polynomials, and the formula's truth on each
   piece: the signs of all atoms are constant there. */
#include "constraints/project/axis.h"

static void polynomials_clear(void *object)
{
    struct axis *axis = object;
    for (size_t i = 0; i < axis->count; i++)
        fmpz_poly_clear(axis->polynomials + i);
}

static void atoms_collect(struct axis *axis, const struct formula *f)
{
    if (f->kind == FORMULA_ATOM)
        vec_push(axis->arena, &axis->atoms, f);
    for (size_t i = 0; i < f->count; i++)
        atoms_collect(axis, f->at[i]);
}

/* Terms c x^e y^k at y = n / d, times d^degree: c n^k d^(degree - k). */
void axis_take(struct ring *ring, fmpz_poly_t p, const fmpz_mpoly_t from, int variable, int other,
               const fmpq *value)
{
    const fmpz_mpoly_ctx_struct *ctx = ring->ctx->zctx;
    ulong exponents[RING_CAPACITY];
    slong degree = other >= 0 ? mpoly_degree_in(from, other, ctx) : 0;
    fmpz_t c, power;
    fmpz_init(c);
    fmpz_init(power);
    fmpz_poly_zero(p);
    for (slong i = 0; i < from->length; i++) {
        mpoly_exponents(exponents, from, i, ctx);
        fmpz_mpoly_get_term_coeff_fmpz(c, from, i, ctx);
        if (other >= 0) {
            fmpz_pow_ui(power, fmpq_numref(value), exponents[other]);
            fmpz_mul(c, c, power);
            fmpz_pow_ui(power, fmpq_denref(value), (ulong)degree - exponents[other]);
            fmpz_mul(c, c, power);
        }
        fmpz_poly_get_coeff_fmpz(power, p, (slong)exponents[variable]);
        fmpz_add(c, c, power);
        fmpz_poly_set_coeff_fmpz(p, (slong)exponents[variable], c);
    }
    fmpz_clear(c);
    fmpz_clear(power);
}

struct axis *axis_new(struct arena *arena, const struct formula *f, int variable, int other,
                      const fmpq *value)
{
    struct axis *axis = ARENA_NEW(arena, struct axis);
    axis->arena = arena;
    axis->variable = variable;
    axis->f = f;
    atoms_collect(axis, f);
    axis->polynomials = ARENA_ARRAY(arena, fmpz_poly_struct, axis->atoms.count + 1);
    arena_on_free(arena, polynomials_clear, axis);
    for (size_t i = 0; i < axis->atoms.count; i++) {
        const struct poly *p = axis->atoms.at[i]->constraint.poly;
        fmpz_poly_init(axis->polynomials + axis->count++);
        axis_take(poly_ring(p), axis->polynomials + i, p->value->zpoly, variable, other, value);
        if (fmpq_sgn(p->value->content) < 0)
            fmpz_poly_neg(axis->polynomials + i, axis->polynomials + i);
    }
    return axis;
}

void axis_cut(struct axis *axis, const fmpz_mpoly_struct *const *curves, size_t count, int other,
              const fmpq *value)
{
    fmpz_poly_struct *all = ARENA_ARRAY(axis->arena, fmpz_poly_struct, axis->count + count + 1),
                     *cut;
    cut = ARENA_ARRAY(axis->arena, fmpz_poly_struct, axis->count + count + 1);
    size_t cuts = 0;
    for (size_t i = 0; i < axis->atoms.count; i++)
        all[i] = axis->polynomials[i];
    axis->polynomials = all;
    for (size_t i = 0; i < count; i++) {
        fmpz_poly_init(all + axis->count);
        axis_take(poly_ring(axis->atoms.at[0]->constraint.poly), all + axis->count++, curves[i],
                  axis->variable, other, value);
    }
    for (size_t i = 0; i < axis->count; i++)
        if (all[i].length > 1)
            cut[cuts++] = all[i];
    axis->line = line_new(axis->arena, cut, cuts);
}

static int atom_sign(const struct axis *axis, size_t i, size_t cell)
{
    const fmpz_poly_struct *p = axis->polynomials + i;
    if (p->length < 2)
        return p->length ? fmpz_sgn(p->coeffs) : 0;
    return line_sign(axis->line, p, cell);
}

static bool holds(const struct axis *axis, const struct formula *f, size_t cell)
{
    switch (f->kind) {
    case FORMULA_TRUE: return true;
    case FORMULA_ATOM:
        for (size_t i = 0; i < axis->atoms.count; i++)
            if (axis->atoms.at[i] == f)
                return relation_holds(f->constraint.relation, atom_sign(axis, i, cell));
        return false;
    case FORMULA_NOT: return !holds(axis, f->at[0], cell);
    case FORMULA_XOR: return holds(axis, f->at[0], cell) != holds(axis, f->at[1], cell);
    case FORMULA_AND:
    case FORMULA_OR:
        for (size_t i = 0; i < f->count; i++)
            if (holds(axis, f->at[i], cell) != (f->kind == FORMULA_AND))
                return f->kind == FORMULA_OR;
        return f->kind == FORMULA_AND;
    default: return false;
    }
}

bool axis_holds(const struct axis *axis, size_t cell)
{
    return holds(axis, axis->f, cell);
}
