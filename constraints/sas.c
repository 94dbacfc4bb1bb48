/* Constraints and systems as values. A constraint is a polynomial compared with zero; two of them
   are equal if they are so after division by a positive constant and after turning >, >= into <,
   <=. A system is an immutable array in an arena: adding copies it, so that branches of a tree
   share nothing that may change. Truth at a point is exact; it is refused (-1) where the
   dispatcher's 64-bit arithmetic would refuse it too. */
#include "constraints/ring.h"
#include "constraints/sas.h"
#include <string.h>

struct constraint constraint_make(const struct poly *left, enum relation relation,
                                  const struct poly *right)
{
    return (struct constraint){poly_sub(left, right), relation};
}

struct constraint constraint_negate(struct constraint c)
{
    static const enum relation negated[] = {
        [RELATION_EQ] = RELATION_NE, [RELATION_NE] = RELATION_EQ, [RELATION_LT] = RELATION_GE,
        [RELATION_LE] = RELATION_GT, [RELATION_GT] = RELATION_LE, [RELATION_GE] = RELATION_LT,
    };
    return (struct constraint){c.poly, negated[c.relation]};
}

/* The relation of -p if p is in relation r to zero. */
static enum relation relation_turn(enum relation r)
{
    static const enum relation turned[] = {
        [RELATION_EQ] = RELATION_EQ, [RELATION_NE] = RELATION_NE, [RELATION_LT] = RELATION_GT,
        [RELATION_LE] = RELATION_GE, [RELATION_GT] = RELATION_LT, [RELATION_GE] = RELATION_LE,
    };
    return turned[r];
}

/* Numerators without content are equal, and so are the relations once both contents are
   positive. */
bool constraint_equal(struct constraint a, struct constraint b)
{
    if (!a.poly || !b.poly || a.poly == b.poly)
        return a.poly == b.poly && a.relation == b.relation;
    const fmpz_mpoly_ctx_struct *ctx = a.poly->ring->ctx->zctx;
    enum relation left =
        fmpq_sgn(a.poly->value->content) < 0 ? relation_turn(a.relation) : a.relation;
    enum relation right =
        fmpq_sgn(b.poly->value->content) < 0 ? relation_turn(b.relation) : b.relation;
    return left == right && a.poly->value->zpoly->length == b.poly->value->zpoly->length &&
           fmpz_mpoly_equal(a.poly->value->zpoly, b.poly->value->zpoly, ctx);
}

bool relation_holds(enum relation relation, int sign)
{
    switch (relation) {
    case RELATION_EQ: return sign == 0;
    case RELATION_NE: return sign != 0;
    case RELATION_LT: return sign < 0;
    case RELATION_LE: return sign <= 0;
    case RELATION_GT: return sign > 0;
    case RELATION_GE: return sign >= 0;
    }
    return false;
}

/* The value of the primitive integer polynomial decides, so that rational coefficients make no
   difference. */
int constraint_holds(struct constraint c, const int64_t *point)
{
    if (!c.poly)
        return -1;
    int64_t word;
    if (poly_primitive_value(c.poly, point, &word))
        return relation_holds(c.relation,
                              ((word > 0) - (word < 0)) * fmpq_sgn(c.poly->value->content));
    struct ring *ring = c.poly->ring;
    fmpz at[RING_CAPACITY], *pointers[RING_CAPACITY];
    fmpz_t value;
    fmpz_init(value);
    for (int v = 0; v < RING_CAPACITY; v++) {
        pointers[v] = &at[v];
        fmpz_init_set_si(&at[v], v < ring->count ? point[v] : 0);
    }
    int result = -1;
    if (fmpz_mpoly_evaluate_all_fmpz(value, c.poly->value->zpoly, pointers, ring->ctx->zctx) &&
        fmpz_fits_si(value))
        result = relation_holds(c.relation, fmpz_sgn(value) * fmpq_sgn(c.poly->value->content));
    for (int v = 0; v < RING_CAPACITY; v++)
        fmpz_clear(&at[v]);
    fmpz_clear(value);
    return result;
}

struct sas sas_empty(struct ring *ring)
{
    return (struct sas){ring, NULL, 0};
}

struct sas sas_add(struct arena *arena, struct sas sas, struct constraint c)
{
    return sas_join(arena, sas, (struct sas){sas.ring, &c, 1});
}

struct sas sas_join(struct arena *arena, struct sas a, struct sas b)
{
    struct constraint *at = ARENA_ARRAY(arena, struct constraint, a.count + b.count + 1);
    if (a.count)
        memcpy(at, a.at, a.count * sizeof *at);
    if (b.count)
        memcpy(at + a.count, b.at, b.count * sizeof *at);
    return (struct sas){a.ring, at, a.count + b.count};
}

int sas_holds(struct sas sas, const int64_t *point)
{
    bool unknown = false;
    for (size_t i = 0; i < sas.count; i++) {
        int holds = constraint_holds(sas.at[i], point);
        if (holds == 0)
            return 0;
        unknown |= holds < 0;
    }
    return unknown ? -1 : 1;
}

bool sas_uses(struct sas sas, int variable)
{
    for (size_t i = 0; i < sas.count; i++)
        if (poly_uses(sas.at[i].poly, variable))
            return true;
    return false;
}

struct constraint constraint_rename(struct ring *to, struct constraint c, const int *at)
{
    return (struct constraint){poly_rename(to, c.poly, at), c.relation};
}

struct sas sas_rename(struct arena *arena, struct ring *to, struct sas sas, const int *at)
{
    struct constraint *renamed = ARENA_ARRAY(arena, struct constraint, sas.count + 1);
    for (size_t i = 0; i < sas.count; i++)
        renamed[i] = constraint_rename(to, sas.at[i], at);
    return (struct sas){to, renamed, sas.count};
}
