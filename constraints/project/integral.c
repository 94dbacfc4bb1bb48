/* Constraints on integers. In: p relation 0 with p of integer coefficients; out: the same for
   integer values of the variables, with the constant rounded: if g divides all coefficients but the
   constant c, then p/g without its constant is an integer, so that p >= 0 says that it is at least
   the next integer above -c/g. */
#include "constraints/project.h"
#include "constraints/ring.h"

/* p >= 0 or p > 0 becomes p >= 0. */
static void round_constant(fmpz_mpoly_t p, bool strict, const fmpz_mpoly_ctx_struct *ctx)
{
    const ulong zeros[RING_CAPACITY] = {0};
    fmpz_t constant, content;
    fmpz_init(constant);
    fmpz_init(content);
    fmpz_mpoly_get_coeff_fmpz_ui(constant, p, zeros, ctx);
    fmpz_mpoly_sub_fmpz(p, p, constant, ctx);
    _fmpz_vec_content(content, p->coeffs, p->length);
    if (!fmpz_is_zero(content)) {
        fmpz_mpoly_scalar_divexact_fmpz(p, p, content, ctx);
        if (strict)
            fmpz_cdiv_q(constant, constant, content);
        else
            fmpz_fdiv_q(constant, constant, content);
        fmpz_sub_ui(constant, constant, strict);
    }
    fmpz_mpoly_add_fmpz(p, p, constant, ctx);
    fmpz_clear(constant);
    fmpz_clear(content);
}

struct constraint constraint_integral(struct arena *arena, struct constraint c)
{
    if (!c.poly || poly_is_constant(c.poly) || c.relation == RELATION_EQ ||
        c.relation == RELATION_NE)
        return c;
    struct ring *ring = poly_ring(c.poly);
    struct poly *rounded = poly_scratch(arena, ring);
    bool negate = c.relation == RELATION_LT || c.relation == RELATION_LE;
    fmpq_mpoly_t value;
    fmpq_mpoly_init(value, ring->ctx);
    poly_primitive(value->zpoly, c.poly);
    if (negate)
        fmpz_mpoly_neg(value->zpoly, value->zpoly, ring->ctx->zctx);
    round_constant(value->zpoly, c.relation == RELATION_LT || c.relation == RELATION_GT,
                   ring->ctx->zctx);
    fmpq_one(value->content);
    fmpq_mpoly_reduce(value, ring->ctx);
    fmpq_mpoly_swap(rounded->value, value, ring->ctx);
    fmpq_mpoly_clear(value, ring->ctx);
    return (struct constraint){rounded, RELATION_GE};
}
