/* Terms of FLINT's polynomials, read and written where they are packed.

   In: a polynomial of integers. Out: exponents, degrees and coefficients in one variable, as from
   FLINT's functions of these purposes, which unpack every variable of the ring through long
   integers. How: an exponent vector has one field of p->bits bits per variable, the last variable
   first (the first one first where the order is reversed), and with a degree order the total degree
   in one more field behind them; fields do not cross words. Most fields are zero, so words are
   searched for the others. Where fields are wider than a word FLINT's own functions answer.
   Invariant: what is written has the same order of terms as what was read.
   Source: FLINT 2.9 manual, mpoly: "monomial format". */
#include "constraints/flint.h"
#include "constraints/poly.h"
#include <string.h>

/* Where fields are in the exponent vectors of a polynomial. */
struct packing {
    slong bits, per_word, words;
    ulong mask;
};

static bool is_packed(const fmpz_mpoly_struct *p)
{
    return p->bits <= FLINT_BITS;
}

static struct packing packing_of(const fmpz_mpoly_struct *p, const fmpz_mpoly_ctx_struct *ctx)
{
    slong bits = (slong)p->bits;
    return (struct packing){bits, FLINT_BITS / bits, mpoly_words_per_exp_sp(p->bits, ctx->minfo),
                            ~(ulong)0 >> (FLINT_BITS - bits)};
}

static slong field_of(const fmpz_mpoly_ctx_struct *ctx, slong variable)
{
    return ctx->minfo->rev ? variable : ctx->minfo->nvars - 1 - variable;
}

static ulong field_get(const struct packing *packing, const ulong *words, slong field)
{
    ulong word = words[field / packing->per_word];
    return word >> field % packing->per_word * packing->bits & packing->mask;
}

static void field_add(const struct packing *packing, ulong *words, slong field, ulong value)
{
    words[field / packing->per_word] += value << field % packing->per_word * packing->bits;
}

void mpoly_exponents(ulong *exponents, const fmpz_mpoly_struct *p, slong i,
                     const fmpz_mpoly_ctx_struct *ctx)
{
    slong variables = ctx->minfo->nvars;
    if (!is_packed(p)) {
        fmpz_mpoly_get_term_exp_ui(exponents, p, i, ctx);
        return;
    }
    struct packing packing = packing_of(p, ctx);
    const ulong *words = p->exps + i * packing.words;
    memset(exponents, 0, (size_t)variables * sizeof *exponents);
    for (slong w = 0; w < packing.words; w++) {
        for (ulong rest = words[w]; rest;) {
            slong place = __builtin_ctzl(rest) / packing.bits;
            slong field = w * packing.per_word + place;
            ulong mask = packing.mask << place * packing.bits;
            if (field < variables)
                exponents[field_of(ctx, field)] = (rest & mask) >> place * packing.bits;
            rest &= ~mask;
        }
    }
}

void mpoly_exponents_small(unsigned *exponents, const fmpz_mpoly_struct *p, slong i,
                           const fmpz_mpoly_ctx_struct *ctx)
{
    slong variables = ctx->minfo->nvars;
    if (!is_packed(p)) {
        ulong words[RING_CAPACITY];
        fmpz_mpoly_get_term_exp_ui(words, p, i, ctx);
        for (slong v = 0; v < variables; v++)
            exponents[v] = (unsigned)words[v];
        return;
    }
    struct packing packing = packing_of(p, ctx);
    const ulong *words = p->exps + i * packing.words;
    memset(exponents, 0, (size_t)variables * sizeof *exponents);
    for (slong w = 0; w < packing.words; w++)
        for (ulong rest = words[w]; rest;) {
            slong place = __builtin_ctzl(rest) / packing.bits;
            slong field = w * packing.per_word + place;
            if (field < variables)
                exponents[field_of(ctx, field)] =
                    (unsigned)(rest >> place * packing.bits & packing.mask);
            rest &= ~(packing.mask << place * packing.bits);
        }
}

void mpoly_used(int *used, const fmpz_mpoly_struct *p, const fmpz_mpoly_ctx_struct *ctx)
{
    slong variables = ctx->minfo->nvars;
    if (!is_packed(p)) {
        fmpz_mpoly_used_vars(used, p, ctx);
        return;
    }
    struct packing packing = packing_of(p, ctx);
    memset(used, 0, (size_t)variables * sizeof *used);
    for (slong w = 0; w < packing.words; w++) {
        ulong rest = 0;
        for (slong i = 0; i < p->length; i++)
            rest |= p->exps[i * packing.words + w];
        while (rest) {
            slong place = __builtin_ctzl(rest) / packing.bits;
            slong field = w * packing.per_word + place;
            if (field < variables)
                used[field_of(ctx, field)] = 1;
            rest &= ~(packing.mask << place * packing.bits);
        }
    }
}

slong mpoly_degree_in(const fmpz_mpoly_struct *p, slong variable, const fmpz_mpoly_ctx_struct *ctx)
{
    if (!is_packed(p))
        return fmpz_mpoly_degree_si(p, variable, ctx);
    struct packing packing = packing_of(p, ctx);
    slong field = field_of(ctx, variable), shift = field % packing.per_word * packing.bits;
    const ulong *word = p->exps + field / packing.per_word;
    ulong most = 0;
    for (slong i = 0; i < p->length; i++, word += packing.words) {
        ulong exponent = *word >> shift & packing.mask;
        most = exponent > most ? exponent : most;
    }
    return p->length ? (slong)most : -1;
}

/* The sum of all fields; without a degree order that is the total degree of a term. */
static slong fields_sum(const struct packing *packing, const ulong *words)
{
    ulong sum = 0;
    for (slong w = 0; w < packing->words; w++)
        for (ulong rest = words[w]; rest;) {
            slong place = __builtin_ctzl(rest) / packing->bits;
            sum += rest >> place * packing->bits & packing->mask;
            rest &= ~(packing->mask << place * packing->bits);
        }
    return (slong)sum;
}

slong mpoly_total_degree(const fmpz_mpoly_struct *p, const fmpz_mpoly_ctx_struct *ctx)
{
    slong most = -1;
    if (!is_packed(p) || p->length == 0)
        return p->length ? fmpz_mpoly_total_degree_si(p, ctx) : -1;
    struct packing packing = packing_of(p, ctx);
    if (ctx->minfo->deg)                /* the first term has the greatest degree */
        return (slong)field_get(&packing, p->exps, ctx->minfo->nvars);
    for (slong i = 0; i < p->length; i++) {
        slong degree = fields_sum(&packing, p->exps + i * packing.words);
        most = degree > most ? degree : most;
    }
    return most;
}

/* Terms with the same exponent of one variable stay in their order without it: their degrees fall
   by the same number. */
void mpoly_take_coefficient(fmpz_mpoly_struct *coefficient, const fmpz_mpoly_struct *p,
                            slong variable, ulong exponent, const fmpz_mpoly_ctx_struct *ctx)
{
    const ulong exponents[1] = {exponent};
    if (!is_packed(p)) {
        fmpz_mpoly_get_coeff_vars_ui(coefficient, p, &variable, exponents, 1, ctx);
        return;
    }
    struct packing packing = packing_of(p, ctx);
    slong field = field_of(ctx, variable), count = 0;
    if (exponent > packing.mask) {
        fmpz_mpoly_zero(coefficient, ctx);
        return;
    }
    for (slong i = 0; i < p->length; i++)
        count += field_get(&packing, p->exps + i * packing.words, field) == exponent;
    fmpz_mpoly_fit_length_reset_bits(coefficient, count, p->bits, ctx);
    ulong *to = coefficient->exps;
    count = 0;
    for (slong i = 0; i < p->length; i++) {
        const ulong *from = p->exps + i * packing.words;
        if (field_get(&packing, from, field) != exponent)
            continue;
        for (slong w = 0; w < packing.words; w++)
            to[w] = from[w];
        field_add(&packing, to, field, -exponent);
        if (ctx->minfo->deg)
            field_add(&packing, to, ctx->minfo->nvars, -exponent);
        fmpz_set(coefficient->coeffs + count++, p->coeffs + i);
        to += packing.words;
    }
    _fmpz_mpoly_set_length(coefficient, count, ctx);
}

/* Writes the exponents to words that are zero. False if fields do not hold them, and their sum
   where the order has it, with the bit that stays free. */
static bool exponents_write(const struct packing *packing, ulong *to, const ulong *exponents,
                            const fmpz_mpoly_ctx_struct *ctx)
{
    ulong limit = (ulong)1 << (packing->bits - 1), sum = 0;
    for (slong v = 0; v < ctx->minfo->nvars; v++) {
        if (!exponents[v])
            continue;
        if (exponents[v] >= limit)
            return false;
        field_add(packing, to, field_of(ctx, v), exponents[v]);
        sum += exponents[v];
    }
    if (!ctx->minfo->deg)
        return true;
    field_add(packing, to, ctx->minfo->nvars, sum);
    return sum < limit;
}

void mpoly_push(fmpz_mpoly_struct *p, const fmpz *coefficient, const ulong *exponents,
                const fmpz_mpoly_ctx_struct *ctx)
{
    if (!is_packed(p)) {
        fmpz_mpoly_push_term_fmpz_ui(p, coefficient, exponents, ctx);
        return;
    }
    struct packing packing = packing_of(p, ctx);
    fmpz_mpoly_fit_length(p, p->length + 1, ctx);
    ulong *to = p->exps + p->length * packing.words;
    for (slong w = 0; w < packing.words; w++)
        to[w] = 0;
    if (!exponents_write(&packing, to, exponents, ctx)) {
        fmpz_mpoly_push_term_fmpz_ui(p, coefficient, exponents, ctx);
        return;
    }
    fmpz_set(p->coeffs + p->length, coefficient);
    p->length++;
}

bool mpoly_is_sorted(const fmpz_mpoly_struct *p, const fmpz_mpoly_ctx_struct *ctx)
{
    if (!is_packed(p) || ctx->minfo->rev)
        return false;
    slong words = mpoly_words_per_exp_sp(p->bits, ctx->minfo);
    for (slong i = 1; i < p->length; i++) {
        const ulong *before = p->exps + (i - 1) * words, *after = before + words;
        slong w = words - 1;
        while (w > 0 && before[w] == after[w])
            w--;
        if (before[w] <= after[w])
            return false;
    }
    return true;
}

/* Does no exponent of the term exceed that of the other? */
static bool term_divides(const struct packing *q, const ulong *divisor, const struct packing *p,
                         const ulong *term)
{
    for (slong w = 0; w < q->words; w++)
        for (ulong rest = divisor[w]; rest;) {
            slong place = __builtin_ctzl(rest) / q->bits, field = w * q->per_word + place;
            if ((rest >> place * q->bits & q->mask) > field_get(p, term, field))
                return false;
            rest &= ~(q->mask << place * q->bits);
        }
    return true;
}

/* First and last terms of a product are the products of those of its factors. */
bool mpoly_may_divide(const fmpz_mpoly_struct *q, const fmpz_mpoly_struct *p,
                      const fmpz_mpoly_ctx_struct *ctx)
{
    if (!is_packed(q) || !is_packed(p) || !q->length || !p->length)
        return true;
    struct packing by = packing_of(q, ctx), of = packing_of(p, ctx);
    return term_divides(&by, q->exps, &of, p->exps) &&
           term_divides(&by, q->exps + (q->length - 1) * by.words, &of,
                        p->exps + (p->length - 1) * of.words);
}
