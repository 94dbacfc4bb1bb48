/* The checker against random systems. (1) Coverings recorded by the engine, and certificates of the
   solver, are verified. (2) What a covering claims is judged independently: random rational points
   are located in its cells (by Sturm's count of roots below a point, over the point itself and not
   over the samples) and the hypothesis named there must be false. A mutated certificate may be
   verified only if that judge finds nothing wrong with it. (3) Of a system with a known solution no
   certificate is ever verified as unsatisfiable, whatever its text. (4) A mutated product that is
   verified sums to zero at random points. CHECK_SEED, CHECK_ROUNDS and CHECK_DEGREE (of the
   polynomials) may be set. */
#include "check.h"
#include "constraints/check/checker.h"
#include "constraints/cover/cover.h"
#include "constraints/solve.h"
#include <stdlib.h>
#include <string.h>

enum { VARIABLES = 3, HYPOTHESES = 6, POINTS = 40 };

static const char *const variable_names[VARIABLES] = {"x", "y", "z"};

struct trial {
    struct check *check;
    uint64_t random;
    unsigned long seed;
    struct arena *arena;
    struct ring *ring;
    int variables, degree;
    const struct formula *assertions[HYPOTHESES];
    size_t count;
};

static struct {
    long systems, coverings, verified, unchecked, mutants, alive, satisfiable;
} tally;

/* Below `limit`. */
static int pick(struct trial *t, int limit)
{
    t->random = t->random * 6364136223846793005u + 1442695040888963407u;
    return (int)((t->random >> 33) % (uint64_t)limit);
}

/* --- systems */

static const struct poly *random_poly(struct trial *t)
{
    int terms = 2 + pick(t, 3), degree = t->variables == 1 ? t->degree + 1 : t->degree;
    const struct poly *sum = poly_integer(t->ring, pick(t, 7) - 3);
    for (int i = 0; i < terms; i++) {
        const struct poly *monomial = poly_integer(t->ring, pick(t, 5) - 2);
        for (int k = 1 + pick(t, degree); k > 0; k--)
            monomial = poly_mul(monomial, poly_variable(t->ring, pick(t, t->variables)));
        sum = poly_add(sum, monomial);
    }
    return sum;
}

static const struct formula *random_formula(struct trial *t, int depth)
{
    static const enum relation relations[] = {RELATION_LT, RELATION_GT, RELATION_LE,
                                              RELATION_GE, RELATION_EQ, RELATION_NE};
    const struct formula *at[2];
    int kind = depth > 0 ? pick(t, 8) : 7;
    if (kind > 3)
        return formula_atom(t->arena, (struct constraint){random_poly(t), relations[pick(t, 6)]});
    for (int i = 0; i < 2; i++)
        at[i] = random_formula(t, depth - 1);
    return kind == 0 ? formula_or(t->arena, at, 2) : kind == 1 ? formula_and(t->arena, at, 2)
         : kind == 2 ? formula_xor(t->arena, at[0], at[1]) : formula_not(t->arena, at[0]);
}

static void system_make(struct trial *t)
{
    t->ring = ring_new(t->arena);
    t->variables = 1 + pick(t, VARIABLES);
    for (int v = 0; v < t->variables; v++)
        ring_variable(t->ring, variable_names[v]);
    t->count = 2 + (size_t)pick(t, HYPOTHESES - 2);
    int depth = pick(t, 3) ? 0 : 2;
    for (size_t i = 0; i < t->count; i++)
        t->assertions[i] = random_formula(t, depth);
}

/* --- the judge: what a covering says, at a rational point */

struct rational_point {
    int64_t numerator[RING_CAPACITY], denominator[RING_CAPACITY];
};

/* p with the first `count` variables of `order` put in, as a polynomial in `variable`;
   square-free. */
static void fibre(fmpz_poly_t f, const struct poly *p, int variable,
                  const struct rational_point *at)
{
    struct ring *ring = poly_ring(p);
    fmpq_mpoly_t q;
    fmpq_t value;
    fmpz_poly_t g;
    fmpq_mpoly_init(q, ring->ctx);
    fmpq_init(value);
    fmpz_poly_init(g);
    fmpq_mpoly_set(q, p->value, ring->ctx);
    for (int v = 0; v < ring_count(ring); v++)
        if (v != variable) {
            fmpq_set_si(value, at->numerator[v], (ulong)at->denominator[v]);
            fmpq_mpoly_evaluate_one_fmpq(q, q, v, value, ring->ctx);
        }
    fmpz_poly_zero(f);
    for (slong i = 0; i < q->zpoly->length; i++) {
        ulong exponents[RING_CAPACITY];
        fmpz_mpoly_get_term_exp_ui(exponents, q->zpoly, i, ring->ctx->zctx);
        fmpz_poly_set_coeff_fmpz(f, (slong)exponents[variable], q->zpoly->coeffs + i);
    }
    if (fmpz_poly_degree(f) > 0) {
        fmpz_poly_derivative(g, f);
        fmpz_poly_gcd(g, f, g);
        fmpz_poly_div(f, f, g);
    }
    fmpz_poly_clear(g);
    fmpq_clear(value);
    fmpq_mpoly_clear(q, ring->ctx);
}

/* Where the index-th real root of p over the point is to the point's own coordinate: -1 below, 0 at
   it, 1 above; 2: there is no such root. */
static int root_place(const struct poly *p, size_t index, int variable,
                      const struct rational_point *at)
{
    fmpz_poly_t f;
    fmpq_poly_t shifted, line;
    slong below = 0, above = 0;
    fmpz_poly_init(f);
    fmpq_poly_init(shifted);
    fmpq_poly_init(line);
    fibre(f, p, variable, at);
    bool zero = false;
    if (fmpz_poly_degree(f) > 0) {
        fmpq_t value;
        fmpq_init(value);
        fmpq_set_si(value, at->numerator[variable], (ulong)at->denominator[variable]);
        fmpq_poly_set_coeff_fmpq(line, 0, value);
        fmpq_poly_set_coeff_si(line, 1, 1);
        fmpq_poly_set_fmpz_poly(shifted, f);
        fmpq_poly_compose(shifted, shifted, line);
        fmpq_poly_get_numerator(f, shifted);
        fmpq_clear(value);
        zero = fmpz_is_zero(f->coeffs);
        if (zero)
            fmpz_poly_shift_right(f, f, 1);
        if (fmpz_poly_degree(f) > 0)
            _fmpz_poly_num_real_roots_sturm(&below, &above, f->coeffs, f->length);
    }
    fmpq_poly_clear(line);
    fmpq_poly_clear(shifted);
    fmpz_poly_clear(f);
    slong k = (slong)index;
    return k <= below ? -1 : zero && k == below + 1 ? 0 : k <= below + zero + above ? 1 : 2;
}

static int formula_at(const struct formula *f, const struct rational_point *at)
{
    int first;
    switch (f->kind) {
    case FORMULA_TRUE:
    case FORMULA_FALSE:
        return f->kind == FORMULA_TRUE;
    case FORMULA_ATOM:
        return relation_holds(f->constraint.relation,
                              poly_sign_at(f->constraint.poly, at->numerator, at->denominator));
    case FORMULA_NOT:
        return !formula_at(f->at[0], at);
    case FORMULA_XOR:
        return formula_at(f->at[0], at) != formula_at(f->at[1], at);
    default:
        first = f->kind == FORMULA_OR;
        for (size_t i = 0; i < f->count; i++)
            if (formula_at(f->at[i], at) == first)
                return first;
        return !first;
    }
}

/* As docs/certificates.md numbers them. */
static void flatten(const struct formula *f, bool negated, const struct formula **hypotheses,
                    bool *signs, size_t *count)
{
    if (f->kind == FORMULA_NOT)
        flatten(f->at[0], !negated, hypotheses, signs, count);
    else if (f->kind == (negated ? FORMULA_OR : FORMULA_AND))
        for (size_t i = 0; i < f->count; i++)
            flatten(f->at[i], negated, hypotheses, signs, count);
    else if (f->kind != (negated ? FORMULA_FALSE : FORMULA_TRUE)) {
        hypotheses[*count] = f;
        signs[(*count)++] = negated;
    }
}

struct judge {
    struct trial *trial;
    const struct text *polynomials;
    int order[VARIABLES];
    struct rational_point at;
    const struct formula *hypotheses[64];
    bool negated[64];
    size_t count;
};

static const struct poly *judge_poly(struct judge *j, const struct text *text)
{
    const char *error;
    if (text->kind == TEXT_WORD)
        text = j->polynomials->at[1 + atoi(text->word)];
    return poly_read(j->trial->ring, text->word, &error);
}

static int end_place(struct judge *j, const struct text *text, int level)
{
    if (text->kind == TEXT_WORD)
        return *text->word == '-' ? -1 : 1;
    return root_place(judge_poly(j, text->at[1]), (size_t)atoi(text->at[2]->word), j->order[level],
                      &j->at);
}

/* NULL, or what is wrong with the cells from `first` on at the point. */
static const char *judge_cells(struct judge *j, const struct text *list, size_t first, int level)
{
    bool inside = false, touched = false;
    for (size_t i = first; i < list->count; i++) {
        const struct text *cell = list->at[i], *reason = cell->at[4];
        int lower = end_place(j, cell->at[2], level), upper = end_place(j, cell->at[3], level);
        if (lower == 2 || upper == 2)
            return "a bound is missing over the point";
        touched |= !lower || !upper;
        if (!(lower < 0 && upper > 0) && !(!lower && !upper))
            continue;
        inside = true;
        if (text_is(reason->at[0], "below")) {
            const char *wrong = judge_cells(j, reason, 1, level + 1);
            if (wrong)
                return wrong;
            continue;
        }
        size_t h = (size_t)atoi(reason->at[1]->word);
        if (formula_at(j->hypotheses[h], &j->at) != j->negated[h])
            return "the hypothesis is true at the point";
    }
    return inside || touched ? NULL : "the point is in no cell";
}

/* A verified covering at random points. */
static const char *judge_covering(struct judge *j, const struct text *cover)
{
    struct trial *t = j->trial;
    size_t first = 3, levels = cover->at[1]->count - 1;
    if (text_begins(cover->at[first], "polynomials", 0, SIZE_MAX))
        j->polynomials = cover->at[first++];
    for (size_t i = 0; i < levels; i++)
        j->order[i] = ring_find(t->ring, cover->at[1]->at[i + 1]->word);
    for (int round = 0; round < POINTS; round++) {
        int range = 1 + pick(t, 9), denominator = pick(t, 2) ? 1 : 1 + pick(t, 7);
        for (int v = 0; v < RING_CAPACITY; v++) {
            j->at.numerator[v] = pick(t, 2 * range * denominator + 1) - range * denominator;
            j->at.denominator[v] = denominator;
        }
        const char *wrong = judge_cells(j, cover, first, 0);
        if (wrong)
            return wrong;
    }
    return NULL;
}

/* --- the judge of products */

/* Adds the term's value at the point. */
static void term_value(struct judge *j, const struct text *term, fmpq_t sum)
{
    struct ring *ring = j->trial->ring;
    fmpq_mpoly_t product, factor;
    fmpq_t value;
    const char *error;
    fmpq_init(value);
    fmpq_mpoly_init(product, ring->ctx);
    fmpq_mpoly_init(factor, ring->ctx);
    fmpq_mpoly_set(product, poly_read(ring, term->at[0]->word, &error)->value, ring->ctx);
    for (size_t i = 1; i < term->count; i++) {
        const struct text *text = term->at[i];
        bool list = text->kind == TEXT_LIST, square = list && text_is(text->at[0], "square");
        size_t h = list ? 0 : (size_t)atoi(text->word);
        struct constraint c = j->hypotheses[h]->constraint;
        if (j->negated[h])
            c = constraint_negate(c);
        fmpq_mpoly_set(factor,
                       list ? poly_read(ring, text->at[1]->word, &error)->value : c.poly->value,
                       ring->ctx);
        if (!list && (c.relation == RELATION_LT || c.relation == RELATION_LE))
            fmpq_mpoly_neg(factor, factor, ring->ctx);
        for (int k = square || (!list && c.relation == RELATION_NE) ? 2 : 1; k > 0; k--)
            fmpq_mpoly_mul(product, product, factor, ring->ctx);
    }
    for (int v = 0; v < ring_count(ring); v++) {
        fmpq_set_si(value, j->at.numerator[v], (ulong)j->at.denominator[v]);
        fmpq_mpoly_evaluate_one_fmpq(product, product, v, value, ring->ctx);
    }
    fmpq_mpoly_get_fmpq(value, product, ring->ctx);
    fmpq_add(sum, sum, value);
    fmpq_mpoly_clear(factor, ring->ctx);
    fmpq_mpoly_clear(product, ring->ctx);
    fmpq_clear(value);
}

/* A verified certificate (unsat (product …)): NULL, or that it does not sum to zero somewhere. */
static const char *judge_product(struct judge *j, const struct text *proof)
{
    bool zero = true;
    fmpq_t sum;
    fmpq_init(sum);
    for (int round = 0; zero && round < 5; round++) {
        for (int v = 0; v < RING_CAPACITY; v++) {
            j->at.numerator[v] = pick(j->trial, 41) - 20;
            j->at.denominator[v] = 1 + pick(j->trial, 3);
        }
        fmpq_zero(sum);
        for (size_t i = 1; i < proof->count; i++)
            term_value(j, proof->at[i], sum);
        zero = fmpq_is_zero(sum);
    }
    fmpq_clear(sum);
    return zero ? NULL : "the terms do not sum to zero at a point";
}

/* NULL, or what is wrong with a certificate that the checker has verified. */
static const char *judge(struct trial *t, const char *certificate)
{
    const char *why;
    const struct text *proof = text_read(t->arena, certificate, &why)->at[1];
    struct judge j = {.trial = t};
    for (size_t i = 0; i < t->count; i++)
        flatten(t->assertions[i], false, j.hypotheses, j.negated, &j.count);
    bool cover = text_is(proof->at[0], "cover"), product = text_is(proof->at[0], "product");
    return cover ? judge_covering(&j, proof) : product ? judge_product(&j, proof) : NULL;
}

/* --- mutation of text */

struct mutation {
    VEC(struct text *) lists, words;
};

static void mutation_collect(struct arena *arena, struct mutation *m, struct text *text)
{
    if (text->kind != TEXT_LIST)
        vec_push(arena, &m->words, text);
    else if (text->count > 1)
        vec_push(arena, &m->lists, text);
    for (size_t i = 0; i < text->count; i++)
        mutation_collect(arena, m, text->at[i]);
}

static void text_write(struct str *out, const struct text *text)
{
    const char *quote = text->kind == TEXT_STRING ? "\"" : "";
    if (text->kind != TEXT_LIST) {
        str_addf(out, "%s%s%s", quote, text->word, quote);
        return;
    }
    for (size_t i = 0; i < text->count; i++) {
        str_char(out, i ? ' ' : '(');
        text_write(out, text->at[i]);
    }
    str_add(out, text->count ? ")" : "()");
}

/* Changes a list: an item deleted, doubled, exchanged with another, or replaced by one from
   elsewhere. */
static void list_mutate(struct trial *t, struct mutation *m)
{
    struct text *list = m->lists.at[pick(t, (int)m->lists.count)],
                *other = m->lists.at[pick(t, (int)m->lists.count)];
    size_t i = 1 + (size_t)pick(t, (int)list->count - 1),
           k = 1 + (size_t)pick(t, (int)list->count - 1);
    struct text *item = list->at[i];
    switch (pick(t, 4)) {
    case 0:
        memmove(list->at + i, list->at + i + 1, (list->count - i - 1) * sizeof *list->at);
        list->count--;
        break;
    case 1:
        list->at[i] = list->at[k];
        list->at[k] = item;
        break;
    case 2:
        list->at[i] = list->at[k];
        break;
    default:
        item = other->at[1 + (size_t)pick(t, (int)other->count - 1)];
        if (item->kind != TEXT_LIST || !item->count)
            list->at[i] = item;
    }
}

/* Changes a word or a polynomial: a digit, or the whole word for one from elsewhere. */
static void word_mutate(struct trial *t, struct mutation *m)
{
    struct text *word = m->words.at[pick(t, (int)m->words.count)];
    char *copy = arena_strdup(t->arena, word->word);
    size_t length = strlen(copy), digits = 0;
    for (size_t i = 0; i < length; i++)
        digits += copy[i] >= '0' && copy[i] <= '9';
    if (!digits || pick(t, 4) == 0) {
        word->word = m->words.at[pick(t, (int)m->words.count)]->word;
        return;
    }
    int chosen = pick(t, (int)digits);
    for (size_t i = 0; i < length; i++)
        if (copy[i] >= '0' && copy[i] <= '9' && chosen-- == 0)
            copy[i] = (char)('0' + (copy[i] - '0' + (pick(t, 2) ? 1 : 9)) % 10);
    word->word = copy;
}

static const char *mutate(struct trial *t, const char *certificate)
{
    const char *why;
    struct text *text = text_read(t->arena, certificate, &why);
    for (int edits = 1 + pick(t, 2); edits > 0; edits--) {
        struct mutation m = {0};
        mutation_collect(t->arena, &m, text->at[1]);
        if (m.lists.count && pick(t, 2))
            list_mutate(t, &m);
        else
            word_mutate(t, &m);
    }
    struct str out = str_new(t->arena);
    text_write(&out, text);
    return out.text;
}

/* --- the trials */

static enum check_outcome ask_checker(struct trial *t, const struct formula *const *assertions,
                                      const char *certificate, const char **why)
{
    struct check_question question = {t->ring, assertions, t->count, NULL, 20000000};
    return check_certificate(t->arena, &question, certificate, why);
}

static void system_print(struct trial *t, const struct formula *const *assertions)
{
    struct str out = str_new(t->arena);
    for (size_t i = 0; i < t->count; i++) {
        formula_print_smt(&out, assertions[i]);
        str_char(&out, '\n');
    }
    printf("%s", out.text);
}

/* Makes the system true at a random point, keeping what it can of it, and offers it the
   certificate. */
static void satisfiable_try(struct trial *t, const char *certificate)
{
    const struct formula *changed[HYPOTHESES];
    struct rational_point at;
    const char *why = NULL;
    for (int v = 0; v < RING_CAPACITY; v++) {
        at.numerator[v] = pick(t, 13) - 6;
        at.denominator[v] = 1 + pick(t, 3);
    }
    for (size_t i = 0; i < t->count; i++)
        changed[i] = formula_at(t->assertions[i], &at) ? t->assertions[i]
                                                       : formula_not(t->arena, t->assertions[i]);
    enum check_outcome outcome = ask_checker(t, changed, certificate, &why);
    tally.satisfiable++;
    if (!check_that(t->check, outcome != CHECK_VERIFIED,
                    "seed %lu: verified of a satisfiable system: %s", t->seed, certificate))
        system_print(t, changed);
}

static void mutants_try(struct trial *t, const char *certificate, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        const char *mutant = mutate(t, certificate), *why = NULL, *wrong = NULL;
        enum check_outcome outcome = ask_checker(t, t->assertions, mutant, &why);
        tally.mutants++;
        tally.alive += outcome == CHECK_VERIFIED;
        if (outcome == CHECK_VERIFIED)
            wrong = judge(t, mutant);
        if (!check_that(t->check, !wrong, "seed %lu: verified, but %s: %s\nof %s", t->seed, wrong,
                        mutant, certificate))
            system_print(t, t->assertions);
        satisfiable_try(t, mutant);
    }
}

static void certificate_try(struct trial *t, const char *certificate)
{
    const char *why = NULL;
    enum check_outcome outcome = ask_checker(t, t->assertions, certificate, &why);
    tally.verified += outcome == CHECK_VERIFIED;
    tally.unchecked += outcome == CHECK_UNCHECKED;
    if (outcome == CHECK_UNCHECKED)
        printf("seed %lu: unchecked: %s\n", t->seed, why);
    if (!check_that(t->check, outcome != CHECK_REFUTED, "seed %lu: %s: %s", t->seed, why,
                    certificate))
        system_print(t, t->assertions);
    if (outcome != CHECK_VERIFIED)
        return;
    const char *wrong = judge(t, certificate);
    if (!check_that(t->check, !wrong, "seed %lu: %s: %s", t->seed, wrong, certificate))
        system_print(t, t->assertions);
    satisfiable_try(t, certificate);
    mutants_try(t, certificate, 12);
}

static void trial_run(struct trial *t)
{
    system_make(t);
    tally.systems++;
    struct budget budget = {.left = 3000000};
    struct engine *engine = engine_new(t->arena, t->ring);
    struct engine_question question = {
        .assertions = t->assertions, .count = t->count, .certificate = true, .budget = &budget};
    struct engine_answer answer = engine_ask(engine, t->arena, &question);
    if (!answer.truth && answer.certificate) {
        tally.coverings++;
        certificate_try(t, arena_printf(t->arena, "(unsat %s)", answer.certificate));
    }
    struct solver *solver = solver_new(t->arena, t->ring, NULL);
    for (size_t i = 0; i < t->count; i++)
        solver_assert_formula(solver, t->assertions[i]);
    enum verdict verdict = solver_check(solver);
    const char *certificate = verdict == SAS_UNKNOWN ? NULL : solver_certificate(solver),
               *why = NULL;
    if (certificate && verdict == SAS_EMPTY)
        certificate_try(t, certificate);
    if (certificate && verdict == SAS_NONEMPTY) {
        enum check_outcome outcome = ask_checker(t, t->assertions, certificate, &why);
        check_that(t->check, outcome != CHECK_REFUTED, "seed %lu: witness: %s: %s", t->seed, why,
                   certificate);
    }
}

/* A number from the environment. */
static unsigned long setting(const char *name, unsigned long otherwise)
{
    const char *value = getenv(name);
    return value ? strtoul(value, NULL, 10) : otherwise;
}

int main(void)
{
    struct check check = {0};
    unsigned long seed = setting("CHECK_SEED", 1);
    int degree = (int)setting("CHECK_DEGREE", 2);
    long rounds = (long)setting("CHECK_ROUNDS", 150);
    printf("constraints_check_random: seed %lu, %ld systems\n", seed, rounds);
    for (long round = 0; round < rounds; round++) {
        struct trial t = {.check = &check,
                          .random = (seed + (unsigned long)round) * 2654435761u,
                          .seed = seed + (unsigned long)round,
                          .arena = arena_new(),
                          .degree = degree};
        trial_run(&t);
        arena_free(t.arena);
    }
    check_that(&check, tally.verified > rounds / 10, "only %ld certificates were verified",
               tally.verified);
    printf("%ld systems, %ld coverings, %ld certificates verified, %ld unchecked; of %ld mutants "
           "%ld stayed valid; %ld refused of satisfiable systems\n",
           tally.systems, tally.coverings, tally.verified, tally.unchecked, tally.mutants,
           tally.alive, tally.satisfiable);
    solver_thread_end();
    return check_end(&check, "constraints_check_random");
}
