/* Product proofs: for each system of the table, one that is infeasible, the proof found is read
   again and verified here with the operations of poly.h alone: every term is a product of factors
   whose signs the hypotheses give, the terms sum to zero, and one of them is positive. Systems with
   a solution must get no proof. A proof with one coefficient changed must be refused, or this
   verification could not fail. Then random systems (printed seed; first argument): a proof that is
   found must be right, and where the solver has a point there is none. */
#include "constraints/product/product.h"
#include "constraints/ring.h"
#include "constraints/solve.h"
#include "tests/unit/check.h"
#include "tests/unit/constraints_system.h"
#include <stdlib.h>
#include <string.h>

enum { STEPS = 4000000 };

struct reader {
    struct ring *ring;
    struct sas sas;      /* hypotheses, those of splits included */
    const char *at;
    const char *error;
};

static bool fail(struct reader *r, const char *error)
{
    if (!r->error)
        r->error = error;
    return false;
}

static bool word_take(struct reader *r, const char *word)
{
    while (*r->at == ' ')
        r->at++;
    size_t length = strlen(word);
    if (strncmp(r->at, word, length))
        return false;
    r->at += length;
    return true;
}

static const struct poly *quoted_take(struct reader *r)
{
    if (!word_take(r, "\""))
        return NULL;
    const char *end = strchr(r->at, '"'), *error;
    char *text = arena_strndup(ring_arena(r->ring), r->at, (size_t)(end - r->at));
    r->at = end + 1;
    return poly_read(r->ring, text, &error);
}

/* A rational number as a polynomial, and its sign. */
static const struct poly *number_take(struct reader *r, int *sign)
{
    while (*r->at == ' ')
        r->at++;
    size_t length = strspn(r->at, "-/0123456789");
    const char *error;
    char *text = arena_strndup(ring_arena(r->ring), r->at, length);
    r->at += length;
    *sign = text[0] == '-' ? -1 : strcmp(text, "0") != 0;
    return poly_read(r->ring, text, &error);
}

struct term {
    const struct poly *product;
    bool equation, strict, times;
};

static bool hypothesis_multiply(struct reader *r, struct term *term)
{
    char *end;
    unsigned long number = strtoul(r->at, &end, 10);
    if (end == r->at || number >= r->sas.count)
        return fail(r, "no such hypothesis");
    r->at = end;
    struct constraint c = r->sas.at[number];
    const struct poly *p = c.poly;
    switch (c.relation) {
    case RELATION_LT: p = poly_neg(p); break;
    case RELATION_LE: p = poly_neg(p); term->strict = false; break;
    case RELATION_GE: term->strict = false; break;
    case RELATION_EQ: term->equation = true; break;
    case RELATION_NE: p = poly_mul(p, p); break;
    case RELATION_GT: break;
    }
    term->product = poly_mul(term->product, p);
    return true;
}

static bool factor_multiply(struct reader *r, struct term *term)
{
    bool times = word_take(r, "(times"), square = !times && word_take(r, "(square");
    if (!times && !square)
        return word_take(r, "") && hypothesis_multiply(r, term);
    const struct poly *p = quoted_take(r);
    if (!p || !word_take(r, ")"))
        return fail(r, "a polynomial was expected");
    term->times |= times;
    term->strict = false;
    term->product = poly_mul(term->product, square ? poly_mul(p, p) : p);
    return true;
}

/* (product TERM...) up to its end. */
static bool product_verify(struct reader *r)
{
    const struct poly *sum = poly_integer(r->ring, 0);
    bool positive = false;
    while (word_take(r, "(")) {
        int sign;
        struct term term = {.product = number_take(r, &sign), .strict = true};
        while (!word_take(r, ")"))
            if (!factor_multiply(r, &term))
                return false;
        if (!term.equation && (sign <= 0 || term.times))
            return fail(r, "a term that need not be positive");
        positive |= !term.equation && term.strict;
        sum = poly_add(sum, term.product);
    }
    if (!word_take(r, ")"))
        return fail(r, "the end was expected");
    if (!sum || !poly_is_zero(sum))
        return fail(r, "the sum is not zero");
    return positive || fail(r, "no term is positive");
}

static bool proof_verify(struct reader *r)
{
    static const enum relation relations[] = {RELATION_GT, RELATION_LT, RELATION_EQ};
    if (word_take(r, "(product"))
        return product_verify(r);
    if (!word_take(r, "(split"))
        return fail(r, "a proof was expected");
    const struct poly *p = quoted_take(r);
    struct sas sas = r->sas;
    for (int i = 0; p && i < 3; i++) {
        r->sas = sas_add(ring_arena(r->ring), sas, (struct constraint){p, relations[i]});
        if (!proof_verify(r))
            return false;
    }
    r->sas = sas;
    return (p && word_take(r, ")")) || fail(r, "a split with three cases was expected");
}

static const char *proof_find(struct sas sas, uint64_t steps)
{
    struct arena *arena = ring_arena(sas.ring);
    size_t *numbers = ARENA_ARRAY(arena, size_t, sas.count + 1);
    for (size_t i = 0; i < sas.count; i++)
        numbers[i] = i;
    struct budget budget = {.left = steps};
    struct product_question question = {sas.ring, sas.at, numbers, sas.count, sas.count};
    return product_certificate(arena, &question, &budget);
}

static const char *const infeasible[] = {
    "0 < 0",
    "1 <= s; 1 <= B; 2*s*B + 2 <= Z; Z < 2*B + 2",
    "1 <= s; 1 <= B0; 1 <= B1; 2*s*B0*B1 <= Z; Z < 2*B0*B1",
    "x == 3; y == 2*x; y < 6",
    "x != 0; x >= 0; x <= 0",
    "x < y; y < z; z < x",
    "x >= 1; y >= 1; x*y < 1",
    "x*y == 1; x >= 2; y >= 1",
    "x + y + z + w <= 4; x - y >= 3; z - w >= 3; x + z <= 2; y + w >= 0",
    "a >= 0; b >= 0; c >= 0; a + b >= 2*c + 1; b + c >= 2*a + 1; c + a >= 2*b + 1; a + b + c < 1",
    "x^2 < 0",
    "x^2 + 1 <= 2*x; x != 1",
    "x^2 < 2; x^2 > 3",
    "x*y > 0; x + y == 0",
    "x*y > 0; x*z > 0; y*z < 0",
    "x^2 + y^2 < 1; x + y > 2",
    "2*B0*B1 > Z; s*B0*B1 + B0*B1 <= Z; s >= 1; B0 >= 1; B1 >= 1",
    "2048*P == nb*B0*B1; nb*2*s*B0*B1 <= Z; Z <= 12288; P >= 1/2; s >= 7",
    "2048*P == nb*B0*B1; nb*r*B0*B1 <= 65536; P >= 1; r >= 33",
    "P*b == a; b > 0; b == R*B0*B1*s; a == Z; P < 2; Z >= 3*R*B0*B1*s",
    "P1*R*B0*B1 == Rsm; 2*P2*s*B0*B1 == Zsm; P1 <= P2; R >= 9; s >= 1; B0 >= 1; B1 >= 1; 2*s*Rsm > "
    "R*Zsm",
    "7 - 3*x >= 0; 2*x - 5 >= 0",
    "1/3*x + 1/7*y > 1; x <= 3/2; y <= 7/2",
    "x^2 + y^2 < 1; x*y > 1",
    "x^2 + y^2 + z^2 < 1; x*y*z > 1",
    "x > -1; x < 1; y > -1; y < 1; x*y == 1",
    "x >= 1; y >= 2; z >= 3; x*y*z*w == 5; w >= 1",
    "x^3 > 8; y == x^2; y <= 4",
};

static const char *const feasible[] = {
    "",
    "x >= 1; y >= 1; x*y <= 1",
    "x^2 <= 0",
    "x < y; y < z; z <= x + 1",
    "2*B0*B1 > Z; B0*B1 <= Z; s >= 1; B0 >= 1; B1 >= 1",
};

/* The first digit after a term's parenthesis changed. */
static char *mutate(struct arena *arena, const char *proof)
{
    char *copy = arena_strdup(arena, proof), *digit = strpbrk(strchr(copy, ' '), "0123456789");
    while (strncmp(digit - 1, "(", 1))
        digit = strpbrk(digit + 1, "0123456789");
    *digit = *digit == '9' ? '8' : (char)(*digit + 1);
    return copy;
}

static void infeasible_check(struct check *check, const char *text)
{
    check_test(check);
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct sas sas = system_read(ring, text);
    const char *proof = proof_find(sas, STEPS);
    struct reader r = {.ring = ring, .sas = sas, .at = proof};
    if (check_that(check, proof != NULL, "%s: no proof", text)) {
        bool verified = proof_verify(&r) && !*r.at;
        check_that(check, verified, "%s: %s: %s", text, r.error, proof);
        if (getenv("TREEFORK_PRODUCT_PRINT"))
            printf("%s\n  %s\n", text, proof);
        struct reader wrong = {.ring = ring, .sas = sas, .at = mutate(arena, proof)};
        bool single = !strchr(strchr(proof + 1, '(') + 1, '(');   /* any positive multiple of one
                                                                     term will do */
        check_that(check, single || !proof_verify(&wrong), "%s: a changed proof passes: %s", text,
                   wrong.at);
    }
    arena_free(arena);
}

/* Hong's problem in n variables: the sum of squares is below 1, the product above. */
static void hong_check(struct check *check, int n)
{
    check_test(check);
    struct arena *arena = arena_new();
    struct str text = str_new(arena);
    for (int i = 0; i < n; i++)
        str_addf(&text, "%sx%d^2", i ? " + " : "", i);
    str_add(&text, " < 1; ");
    for (int i = 0; i < n; i++)
        str_addf(&text, "%sx%d", i ? "*" : "", i);
    str_add(&text, " > 1");
    infeasible_check(check, text.text);
    arena_free(arena);
}

static uint64_t state;

static int random_between(int lo, int hi)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return lo + (int)((state >> 33) % (unsigned)(hi - lo + 1));
}

static struct sas system_random(struct ring *ring)
{
    static const char *const names[] = {"x", "y", "z"};
    struct sas sas = sas_empty(ring);
    for (int v = 0; v < 3; v++)
        ring_variable(ring, names[v]);
    for (int i = random_between(2, 5); i > 0; i--) {
        const struct poly *p = poly_rational(ring, random_between(-6, 6), random_between(1, 3));
        for (int t = random_between(1, 3); t > 0; t--) {
            const struct poly *term = poly_integer(ring, random_between(-3, 3));
            for (int d = random_between(1, 3); d > 0; d--)
                term = poly_mul(term, poly_variable(ring, random_between(0, 2)));
            p = poly_add(p, term);
        }
        sas = sas_add(ring_arena(ring), sas,
                      (struct constraint){p, (enum relation)random_between(0, 5)});
    }
    return sas;
}

static void random_round(struct check *check, unsigned *empty, unsigned *proved)
{
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct sas sas = system_random(ring);
    struct str text = str_new(arena);
    for (size_t i = 0; i < sas.count; i++) {
        constraint_print(&text, sas.at[i], 0);
        str_add(&text, "; ");
    }
    enum verdict verdict = sas_check(sas);
    const char *proof = proof_find(sas, STEPS / 10);
    struct reader r = {.ring = ring, .sas = sas, .at = proof};
    *empty += verdict == SAS_EMPTY;
    *proved += proof != NULL;
    check_that(check, !proof || verdict == SAS_EMPTY, "%s: has a point, and a proof: %s", text.text,
               proof);
    check_that(check, !proof || (proof_verify(&r) && !*r.at), "%s: %s: %s", text.text, r.error,
               proof);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1120;
    unsigned empty = 0, proved = 0;
    state = seed;
    check_test(&check);
    for (int i = 0; i < 250; i++)
        random_round(&check, &empty, &proved);
    printf("seed %lu: %u of %u infeasible random systems proved by products\n", seed, proved,
           empty);
    for (int n = 1; n <= 20; n += n < 6 ? 1 : 7)
        hong_check(&check, n);
    for (size_t i = 0; i < sizeof infeasible / sizeof *infeasible; i++)
        infeasible_check(&check, infeasible[i]);
    for (size_t i = 0; i < sizeof feasible / sizeof *feasible; i++) {
        struct arena *arena = arena_new();
        const char *proof = proof_find(system_read(ring_new(arena), feasible[i]), STEPS);
        check_test(&check);
        check_that(&check, !proof, "%s: a proof: %s", feasible[i], proof ? proof : "");
        arena_free(arena);
    }
    return check_end(&check, "constraints_product");
}
