/* Constraints as text. Out: integer coefficients without common factor, the smaller side on the
   left, only the relations == != < <=. If exactly one machine parameter occurs in the first degree
   and in one term only, that term has a side for itself ("2*s*B + 2 <= Z_B"); else each monomial
   stands where its coefficient is positive. In: two polynomials around any of the six relations.
   Printing what was read from a print gives the print again. */
#include "constraints/ring.h"
#include "constraints/sas.h"
#include <string.h>

static const struct {
    const char *text;
    enum relation relation;
} relations[] = {
    {"<=", RELATION_LE}, {">=", RELATION_GE}, {"==", RELATION_EQ},
    {"!=", RELATION_NE}, {"<", RELATION_LT},  {">", RELATION_GT},
};

/* The term of the primitive polynomial that is a multiple of a machine parameter which occurs
   nowhere else; -1 if there is none or more than one. */
static slong machine_term(const fmpz_mpoly_t p, const struct ring *ring, uint64_t machine)
{
    const fmpz_mpoly_ctx_struct *ctx = ring->ctx->zctx;
    unsigned occurrences[RING_CAPACITY] = {0};
    int alone[RING_CAPACITY];
    ulong exponents[RING_CAPACITY];
    for (int v = 0; v < ring->count; v++)
        alone[v] = -1;
    for (slong i = 0; i < fmpz_mpoly_length(p, ctx); i++) {
        mpoly_exponents(exponents, p, i, ctx);
        ulong degree = 0;
        for (int v = 0; v < ring->count; v++)
            degree += exponents[v];
        for (int v = 0; v < ring->count; v++) {
            occurrences[v] += exponents[v] > 0;
            if (exponents[v] == 1 && degree == 1)
                alone[v] = (int)i;
        }
    }
    slong found = -1;
    for (int v = 0; v < ring->count; v++) {
        if (!(machine >> v & 1) || occurrences[v] != 1 || alone[v] < 0)
            continue;
        if (found >= 0)
            return -1;
        found = alone[v];
    }
    return found;
}

/* Splits p into low and high with p = low - high: the machine term alone on the side where its
   coefficient is positive, or else each term on the side where its coefficient is positive. */
static void sides_split(struct poly *low, struct poly *high, const fmpz_mpoly_t p, slong alone)
{
    struct ring *ring = low->ring;
    bool alone_low = alone >= 0 && fmpz_sgn(p->coeffs + alone) > 0;
    fmpq_mpoly_t term;
    fmpq_mpoly_init(term, ring->ctx);
    for (slong i = 0; i < p->length; i++) {
        bool left = alone < 0 ? fmpz_sgn(p->coeffs + i) > 0 : (i == alone) == alone_low;
        fmpz_mpoly_get_term(term->zpoly, p, i, ring->ctx->zctx);
        fmpq_one(term->content);
        fmpq_mpoly_reduce(term, ring->ctx);
        if (left)
            fmpq_mpoly_add(low->value, low->value, term, ring->ctx);
        else
            fmpq_mpoly_sub(high->value, high->value, term, ring->ctx);
    }
    fmpq_mpoly_clear(term, ring->ctx);
}

/* > and >= are turned; equations so that the machine term, or else the leading one, stands on the
   left. */
static bool turned(struct constraint c, const fmpz_mpoly_t p, slong alone)
{
    if (c.relation == RELATION_EQ || c.relation == RELATION_NE)
        return p->length && fmpz_sgn(p->coeffs + (alone < 0 ? 0 : alone)) < 0;
    return c.relation == RELATION_GT || c.relation == RELATION_GE;
}

void constraint_print(struct str *out, struct constraint c, uint64_t machine)
{
    static const char *const texts[] = {
        [RELATION_EQ] = "==", [RELATION_NE] = "!=", [RELATION_LT] = "<",
        [RELATION_LE] = "<=", [RELATION_GT] = "<",  [RELATION_GE] = "<=",
    };
    if (!c.poly) {
        str_add(out, "(beyond the limits)");
        return;
    }
    struct arena *scratch = arena_new();
    struct ring *ring = c.poly->ring;
    struct poly *low = poly_scratch(scratch, ring), *high = poly_scratch(scratch, ring);
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, ring->ctx->zctx);
    poly_primitive(p, c.poly);
    slong alone = machine_term(p, ring, machine);
    if (turned(c, p, alone))
        fmpz_mpoly_neg(p, p, ring->ctx->zctx);
    sides_split(low, high, p, alone);
    fmpz_mpoly_clear(p, ring->ctx->zctx);
    poly_print(out, low);
    str_char(out, ' ');
    str_add(out, texts[c.relation]);
    str_char(out, ' ');
    poly_print(out, high);
    arena_free(scratch);
}

bool constraint_read(struct ring *ring, const char *text, struct constraint *c, const char **error)
{
    const char *at = text;
    const struct poly *left = poly_parse(ring, &at, error);
    if (!left)
        return false;
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        size_t length = strlen(relations[i].text);
        if (strncmp(at, relations[i].text, length) != 0)
            continue;
        const struct poly *right = poly_read(ring, at + length, error);
        if (!right)
            return false;
        *c = constraint_make(left, relations[i].relation, right);
        return true;
    }
    *error = arena_printf(ring->arena, "column %zu: a relation (== != < <= > >=) is expected",
                          (size_t)(at - text) + 1);
    return false;
}
