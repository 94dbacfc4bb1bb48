/* Equations modulo small numbers. In: a system; out: whether its equations, one by one or all at
   once, have no solution modulo some m although each has integer coefficients; then they have no
   integer solution anywhere. All residues of the variables are tried, so a set of equations is
   looked at only if these are few. Every solvable equation over the integers is solvable modulo m:
   nothing with a point is ever refuted. */
#include "constraints/residue.h"
#include "constraints/ring.h"

enum { ASSIGNMENT_LIMIT = 4096, EQUATION_LIMIT = 16, TERM_LIMIT = 24 };

/* An equation modulo m: terms with coefficients and exponents by variable of the set. */
struct congruence {
    slong terms;
    unsigned coefficient[TERM_LIMIT];
    ulong exponents[TERM_LIMIT][RING_CAPACITY];
};

struct congruences {
    const struct poly *equations[EQUATION_LIMIT];
    size_t count;
    int variables, ring_variable[RING_CAPACITY];
    struct congruence at[EQUATION_LIMIT];
};

static void variables_collect(struct congruences *c)
{
    struct ring *ring = c->equations[0]->ring;
    c->variables = 0;
    for (int v = 0; v < ring->count; v++) {
        bool used = false;
        for (size_t i = 0; !used && i < c->count; i++)
            used = poly_uses(c->equations[i], v);
        if (used)
            c->ring_variable[c->variables++] = v;
    }
}

/* False if the equation has too many terms. */
static bool congruence_set(const struct congruences *c, struct congruence *own,
                           const struct poly *p, unsigned modulus)
{
    const fmpz_mpoly_ctx_struct *ctx = p->ring->ctx->zctx;
    own->terms = p->value->zpoly->length;
    if (own->terms > TERM_LIMIT)
        return false;
    for (slong i = 0; i < own->terms; i++) {
        ulong wide[RING_CAPACITY];
        mpoly_exponents(wide, p->value->zpoly, i, ctx);
        own->coefficient[i] = (unsigned)fmpz_fdiv_ui(p->value->zpoly->coeffs + i, modulus);
        for (int v = 0; v < c->variables; v++)
            own->exponents[i][v] = wide[c->ring_variable[v]];
    }
    return true;
}

static bool congruence_holds(const struct congruence *own, const unsigned *residues, int variables,
                             unsigned modulus)
{
    unsigned sum = 0;
    for (slong i = 0; i < own->terms; i++) {
        unsigned term = own->coefficient[i];
        for (int v = 0; v < variables && term; v++)
            for (ulong e = 0; e < own->exponents[i][v] && term; e++)
                term = term * residues[v] % modulus;
        sum += term;
    }
    return sum % modulus == 0;
}

/* Have the equations a common solution modulo m? True also if that is too much to try. */
static bool solvable(struct congruences *c, unsigned modulus)
{
    unsigned residues[RING_CAPACITY] = {0}, assignments = 1;
    for (int v = 0; v < c->variables; v++) {
        assignments *= modulus;
        if (assignments > ASSIGNMENT_LIMIT)
            return true;
    }
    for (size_t i = 0; i < c->count; i++)
        if (!congruence_set(c, &c->at[i], c->equations[i], modulus))
            return true;
    for (unsigned k = 0; k < assignments; k++) {
        bool holds = true;
        unsigned rest = k;
        for (int v = 0; v < c->variables; v++, rest /= modulus)
            residues[v] = rest % modulus;
        for (size_t i = 0; holds && i < c->count; i++)
            holds = congruence_holds(&c->at[i], residues, c->variables, modulus);
        if (holds)
            return true;
    }
    return false;
}

static bool set_refuted(struct congruences *c)
{
    static const unsigned moduli[] = {2, 3, 4, 5, 7, 8, 9, 11, 13, 16};
    variables_collect(c);
    for (size_t i = 0; i < sizeof moduli / sizeof *moduli; i++)
        if (!solvable(c, moduli[i]))
            return true;
    return false;
}

bool residues_refute(struct sas sas)
{
    struct arena *scratch = arena_new();
    struct congruences *all = ARENA_NEW(scratch, struct congruences),
                       *one = ARENA_NEW(scratch, struct congruences);
    bool refuted = false;
    one->count = 1;
    for (size_t i = 0; !refuted && i < sas.count; i++) {
        if (sas.at[i].relation != RELATION_EQ || poly_is_zero(sas.at[i].poly))
            continue;
        one->equations[0] = sas.at[i].poly;
        refuted = set_refuted(one);
        if (all->count < EQUATION_LIMIT)
            all->equations[all->count++] = sas.at[i].poly;
    }
    refuted = refuted || (all->count > 1 && set_refuted(all));
    arena_free(scratch);
    return refuted;
}
