/* Facts of a region as conditions of C, in plain 64-bit arithmetic that leaves nothing to overflow.

   In: a constraint over integer parameters. Out: "a <= b" where both sides are sums of short
   multiples of single parameters. A polynomial without negative coefficients is at least 0 if no
   parameter of it is below 0: C asks that. Such a condition may fail where the fact holds, and
   never the other way round. */
#include "emit/fact.h"
#include <inttypes.h>

enum { FACTOR_MOST = 1000 };

static bool is_short(const struct kernel *kernel, const char *name)
{
    const struct param *param = kernel_param(kernel, name);
    return param && param->var->type != TYPE_I64 && param->var->type != TYPE_U64;
}

/* Is the product one variable, or none? */
static bool is_linear(const struct ring *ring, const unsigned *exponents, const char **name)
{
    *name = NULL;
    for (int v = 0; v < ring_count(ring); v++) {
        if (exponents[v] > 1 || (exponents[v] && *name))
            return false;
        if (exponents[v])
            *name = ring_name(ring, v);
    }
    return true;
}

/* The terms with a coefficient of this sign as a sum without signs; false if that may leave
   64 bits. */
static bool side_print(const struct kernel *kernel, struct str *out, const struct poly *p, int sign)
{
    int n = 0;
    bool is_long = false;
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t factor, denominator;
        unsigned exponents[RING_CAPACITY];
        const char *name = NULL;
        if (!poly_term(p, i, &factor, &denominator, exponents) || denominator != 1 ||
            !is_linear(poly_ring(p), exponents, &name))
            return false;
        if ((factor < 0) != (sign < 0))
            continue;
        factor = factor < 0 ? -factor : factor;
        is_long |= name && !is_short(kernel, name);
        if (factor > FACTOR_MOST || (is_long && (n || factor != 1)))
            return false;
        str_add(out, n++ ? " + " : "");
        if (!name || factor != 1)
            str_addf(out, "%" PRId64 "%s", factor, name ? " * " : "");
        if (name)
            str_addf(out, "(treefork_int)%s", name);
    }
    str_add(out, n ? "" : "0");
    return true;
}

/* p is at least 0, or above 0, where no variable is below 0: these, if all coefficients say so. */
static bool signs_print(struct str *out, const struct poly *p, bool is_strict)
{
    const struct ring *ring = poly_ring(p);
    bool has_constant = false;
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t factor, denominator;
        unsigned exponents[RING_CAPACITY], degree = 0;
        if (!poly_term(p, i, &factor, &denominator, exponents) || factor < 0)
            return false;
        for (int v = 0; v < ring_count(ring); v++)
            degree += exponents[v];
        has_constant |= degree == 0;
    }
    if (is_strict && !has_constant)
        return false;
    for (int v = 0; v < ring_count(ring); v++)
        if (poly_uses(p, v))
            str_addf(out, " && (treefork_int)%s >= 0", ring_name(ring, v));
    return true;
}

bool fact_print(const struct kernel *kernel, struct str *out, struct constraint fact)
{
    static const char *const texts[] = {[RELATION_EQ] = "==", [RELATION_NE] = "!=",
                                        [RELATION_LT] = "<",  [RELATION_LE] = "<=",
                                        [RELATION_GT] = ">",  [RELATION_GE] = ">="};
    struct str left = str_new(out->arena), right = str_new(out->arena), signs = str_new(out->arena);
    if (!fact.poly)
        return false;
    if (side_print(kernel, &left, fact.poly, 1) && side_print(kernel, &right, fact.poly, -1)) {
        str_addf(out, " && %s %s %s", left.text, texts[fact.relation], right.text);
        return true;
    }
    bool is_less = fact.relation == RELATION_LT || fact.relation == RELATION_LE;
    bool is_strict = fact.relation == RELATION_LT || fact.relation == RELATION_GT;
    if (fact.relation == RELATION_EQ || fact.relation == RELATION_NE ||
        !signs_print(&signs, is_less ? poly_neg(fact.poly) : fact.poly, is_strict))
        return false;
    str_add(out, signs.text);
    return true;
}
