/* Polynomials as text, both ways: "2*s*B + 2", "-1/2*x^2 + y". Out: terms by falling degree, the
   coefficient before the variables, variables in ring order, powers as ^. In: what is printed, and
   beyond it parentheses, unary signs, decimal points and division by a constant. Grammar:
       expression := [sign] product { (+|-) product }
       product    := power { (*|/) power }
       power      := sign power | atom [^ digits]
       atom       := number | name | ( expression )
   Print, read, print is the identity. Nesting is limited, since the input may be anything. */
#include "constraints/ring.h"
#include <ctype.h>
#include <string.h>

enum { NESTING_LIMIT = 200, DIGIT_LIMIT = 1000 };

static void coefficient_print(struct str *out, const fmpq_t coefficient, bool alone)
{
    if (!alone && fmpz_is_one(fmpq_numref(coefficient)) && fmpz_is_one(fmpq_denref(coefficient)))
        return;
    if (fmpz_is_one(fmpq_denref(coefficient)) && fmpz_fits_si(fmpq_numref(coefficient))) {
        str_integer(out, fmpz_get_si(fmpq_numref(coefficient)));
    } else {
        char *text = fmpq_get_str(NULL, 10, coefficient);
        str_add(out, text);
        flint_free(text);
    }
    if (!alone)
        str_char(out, '*');
}

static void monomial_print(struct str *out, const struct ring *ring, const ulong *exponents)
{
    bool first = true;
    for (int v = 0; v < ring->count; v++) {
        if (!exponents[v])
            continue;
        if (!first)
            str_char(out, '*');
        str_add(out, ring->names[v]);
        if (exponents[v] > 1) {
            str_char(out, '^');
            str_integer(out, (long long)exponents[v]);
        }
        first = false;
    }
}

void poly_print(struct str *out, const struct poly *p)
{
    const fmpq_mpoly_ctx_struct *ctx = p->ring->ctx;
    slong terms = fmpq_mpoly_length(p->value, ctx);
    if (!terms)
        str_char(out, '0');
    fmpq_t coefficient;
    fmpq_init(coefficient);
    for (slong i = 0; i < terms; i++) {
        ulong exponents[RING_CAPACITY], degree = 0;
        mpoly_exponents(exponents, p->value->zpoly, i, ctx->zctx);
        for (int v = 0; v < p->ring->count; v++)
            degree += exponents[v];
        fmpq_mpoly_get_term_coeff_fmpq(coefficient, p->value, i, ctx);
        bool negative = fmpq_sgn(coefficient) < 0;
        fmpq_abs(coefficient, coefficient);
        str_add(out, i ? (negative ? " - " : " + ") : (negative ? "-" : ""));
        coefficient_print(out, coefficient, !degree);
        monomial_print(out, p->ring, exponents);
    }
    fmpq_clear(coefficient);
}

char *poly_text(struct arena *arena, const struct poly *p)
{
    struct str text = str_new(arena);
    poly_print(&text, p);
    return text.text;
}

struct reader {
    struct ring *ring;
    const char *start, *at;
    const char *error;
    int depth;
};

static const struct poly *fail(struct reader *reader, const char *what)
{
    if (!reader->error)
        reader->error = arena_printf(reader->ring->arena, "column %zu: %s",
                                     (size_t)(reader->at - reader->start) + 1, what);
    return NULL;
}

static char peek(struct reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        reader->at++;
    return *reader->at;
}

static const struct poly *expression_read(struct reader *reader);

/* Digits with at most one decimal point, as an exact rational. */
static const struct poly *number_read(struct reader *reader)
{
    char digits[DIGIT_LIMIT + 1];
    size_t count = 0, decimals = 0;
    bool point = false;
    for (; isdigit((unsigned char)*reader->at) || (*reader->at == '.' && !point); reader->at++) {
        if (*reader->at == '.') {
            point = true;
            continue;
        }
        if (count == DIGIT_LIMIT)
            return fail(reader, "a number is too long");
        digits[count++] = *reader->at;
        decimals += point;
    }
    digits[count] = '\0';
    if (!count)
        return fail(reader, "a digit is missing");
    struct poly *number = poly_new(reader->ring);
    fmpq_t q;
    fmpq_init(q);
    fmpz_set_str(fmpq_numref(q), digits, 10);
    fmpz_ui_pow_ui(fmpq_denref(q), 10, decimals);
    fmpq_canonicalise(q);
    fmpq_mpoly_set_fmpq(number->value, q, reader->ring->ctx);
    fmpq_clear(q);
    return number;
}

static const struct poly *name_read(struct reader *reader)
{
    const char *start = reader->at;
    while (isalnum((unsigned char)*reader->at) || *reader->at == '_')
        reader->at++;
    int variable = ring_variable(
        reader->ring, arena_strndup(reader->ring->arena, start, (size_t)(reader->at - start)));
    return variable < 0 ? fail(reader, "too many variables")
                        : poly_variable(reader->ring, variable);
}

static const struct poly *atom_read(struct reader *reader)
{
    char c = peek(reader);
    if (isdigit((unsigned char)c))
        return number_read(reader);
    if (isalpha((unsigned char)c) || c == '_')
        return name_read(reader);
    if (c != '(')
        return fail(reader, c ? "a number, a name or a parenthesis is expected"
                              : "an operand is missing at the end");
    reader->at++;
    const struct poly *inner = expression_read(reader);
    if (inner && peek(reader) != ')')
        return fail(reader, "a closing parenthesis is missing");
    reader->at++;
    return inner;
}

/* Atom with its exponent. */
static const struct poly *raised_read(struct reader *reader)
{
    const struct poly *base = atom_read(reader);
    if (!base || peek(reader) != '^')
        return base;
    reader->at++;
    if (!isdigit((unsigned char)peek(reader)))
        return fail(reader, "an exponent is a number without sign");
    unsigned exponent = 0;
    for (; isdigit((unsigned char)*reader->at); reader->at++)
        if ((exponent = exponent * 10 + (unsigned)(*reader->at - '0')) > POLY_DEGREE_LIMIT)
            return fail(reader, "an exponent is too large");
    const struct poly *power = poly_power(base, exponent);
    return power ? power : fail(reader, "the polynomial is too large");
}

static const struct poly *power_read(struct reader *reader)
{
    bool negative = false;
    for (char c = peek(reader); c == '-' || c == '+'; c = peek(reader)) {
        negative ^= c == '-';
        reader->at++;
    }
    const struct poly *p = raised_read(reader);
    return p && negative ? poly_neg(p) : p;
}

/* p / q for a constant q other than zero. */
static const struct poly *quotient(struct reader *reader, const struct poly *p,
                                   const struct poly *q)
{
    if (!poly_is_constant(q))
        return fail(reader, "division by something that is no constant");
    if (poly_is_zero(q))
        return fail(reader, "division by zero");
    return poly_divide_exact(p, q);
}

static const struct poly *product_read(struct reader *reader)
{
    const struct poly *p = power_read(reader);
    for (char c = peek(reader); p && (c == '*' || c == '/'); c = peek(reader)) {
        reader->at++;
        const struct poly *q = power_read(reader);
        if (!q)
            return NULL;
        p = c == '*' ? poly_mul(p, q) : quotient(reader, p, q);
        if (!p)
            return fail(reader, "the polynomial is too large");
    }
    return p;
}

/* The sum grows in place, so that a long one does not leave its beginnings behind. */
static const struct poly *expression_read(struct reader *reader)
{
    if (++reader->depth > NESTING_LIMIT)
        return fail(reader, "parentheses are nested too deeply");
    const struct poly *p = product_read(reader);
    char c = peek(reader);
    if (p && (c == '+' || c == '-')) {
        struct poly *sum = poly_new(reader->ring);
        fmpq_mpoly_set(sum->value, p->value, reader->ring->ctx);
        for (p = sum; p && (c == '+' || c == '-'); c = peek(reader)) {
            reader->at++;
            const struct poly *q = product_read(reader);
            if (q && c == '+')
                fmpq_mpoly_add(sum->value, sum->value, q->value, reader->ring->ctx);
            else if (q)
                fmpq_mpoly_sub(sum->value, sum->value, q->value, reader->ring->ctx);
            p = q ? sum : NULL;
        }
    }
    reader->depth--;
    return p;
}

const struct poly *poly_parse(struct ring *ring, const char **cursor, const char **error)
{
    struct reader reader = {.ring = ring, .start = *cursor, .at = *cursor};
    const struct poly *p = expression_read(&reader);
    if (!p)
        *error = reader.error;
    peek(&reader);
    *cursor = reader.at;
    return p;
}

const struct poly *poly_read(struct ring *ring, const char *text, const char **error)
{
    const char *at = text;
    const struct poly *p = poly_parse(ring, &at, error);
    if (p && *at) {
        *error = arena_printf(ring->arena, "column %zu: the expression should end here",
                              (size_t)(at - text) + 1);
        return NULL;
    }
    return p;
}
