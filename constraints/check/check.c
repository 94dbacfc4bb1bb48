/* The checker's entry: certificates and the proofs put together from others. In: a question and a
   text; out: verified, refuted with the first wrong place, or unchecked with the limit met. Every
   check has an arena of its own. Functions that check a proof return true only after they have
   verified all of it. */
#include "constraints/check/checker.h"

enum { STEPS_DEFAULT = 400000000 };

bool checker_refute(struct checker *checker, const struct text *place, const char *format, ...)
{
    if (checker->outcome != CHECK_VERIFIED)
        return false;
    va_list arguments;
    va_start(arguments, format);
    const char *what = arena_vprintf(checker->arena, format, arguments);
    va_end(arguments);
    checker->outcome = CHECK_REFUTED;
    checker->why = arena_printf(checker->arena, "%u:%u: %s", place->line, place->column, what);
    return false;
}

bool checker_give_up(struct checker *checker, const char *why)
{
    checker->why = checker->outcome == CHECK_VERIFIED ? why : checker->why;
    checker->outcome = checker->outcome == CHECK_VERIFIED ? CHECK_UNCHECKED : checker->outcome;
    return false;
}

bool checker_step(struct checker *checker, uint64_t steps)
{
    if (checker->steps < steps)
        return checker_give_up(checker, "the checker's budget is spent");
    checker->steps -= steps;
    return checker->outcome == CHECK_VERIFIED;
}

int checker_variable(struct checker *checker, const struct text *name)
{
    int variable = name->kind == TEXT_LIST ? -1 : ring_find(checker->ring, name->word);
    if (variable < 0)
        checker_refute(checker, name, "the question has no variable %s", name->word);
    return variable;
}

static bool proof_check(struct checker *checker, const struct text *proof);

/* The proof with the hypotheses added for its time; second.f may be NULL. */
static bool proof_under(struct checker *checker, const struct text *proof, struct hypothesis first,
                        struct hypothesis second)
{
    size_t before = checker->hypotheses.count;
    bool ok = hypothesis_add(checker, first) && (!second.f || hypothesis_add(checker, second)) &&
              proof_check(checker, proof);
    checker->hypotheses.count = before;
    return ok;
}

static bool cases_check(struct checker *checker, const struct text *proof)
{
    struct hypothesis h, second = {0};
    if (!hypothesis_read(checker, proof->at[1], &h))
        return false;
    bool exclusive = h.f->kind == FORMULA_XOR;
    if (!exclusive && h.f->kind != (h.negated ? FORMULA_AND : FORMULA_OR))
        return checker_refute(checker, proof, "the hypothesis is no disjunction");
    if (proof->count != h.f->count + 2)
        return checker_refute(checker, proof, "the hypothesis has %zu cases", h.f->count);
    for (size_t i = 0; i < h.f->count; i++) {
        struct hypothesis first = {h.f->at[exclusive ? 0 : i], exclusive ? i == 1 : h.negated};
        if (exclusive)
            second = (struct hypothesis){h.f->at[1], (i == 0) ^ h.negated};
        if (!proof_under(checker, proof->at[i + 2], first, second))
            return false;
        if (!exclusive && formula_is_literal(first.f))
            hypothesis_add(checker, (struct hypothesis){first.f, !first.negated});
    }
    return true;
}

/* The proof with p relation 0 added. */
static bool proof_where(struct checker *checker, const struct text *proof, const struct poly *p,
                        enum relation relation)
{
    struct formula *atom = ARENA_NEW(checker->arena, struct formula);
    *atom = (struct formula){.kind = FORMULA_ATOM, .constraint = {p, relation}};
    return proof_under(checker, proof, (struct hypothesis){atom, false}, (struct hypothesis){0});
}

static bool split_check(struct checker *checker, const struct text *proof)
{
    const struct poly *p = checker_poly(checker, proof->at[1]);
    return p && proof_where(checker, proof->at[2], p, RELATION_GT) &&
           proof_where(checker, proof->at[3], p, RELATION_LT) &&
           proof_where(checker, proof->at[4], p, RELATION_EQ);
}

/* NAME - k <= 0, then NAME - k - 1 >= 0. */
static bool branch_check(struct checker *checker, const struct text *proof)
{
    int variable = checker_variable(checker, proof->at[1]);
    const struct poly *k = checker_poly(checker, proof->at[2]);
    if (variable < 0 || !k || !checker->integer[variable] || !poly_is_constant(k) ||
        !fmpz_is_one(fmpq_denref(k->value->content)))
        return checker_refute(
            checker, proof,
            "a branch is (branch NAME INTEGER PROOF PROOF), NAME ranging over the integers");
    const struct poly *left = poly_sub(poly_variable(checker->ring, variable), k);
    const struct poly *right = poly_sub(left, poly_integer(checker->ring, 1));
    return proof_where(checker, proof->at[3], left, RELATION_LE) &&
           proof_where(checker, proof->at[4], right, RELATION_GE);
}

static bool proof_check(struct checker *checker, const struct text *proof)
{
    if (!checker_step(checker, 10))
        return false;
    if (text_begins(proof, "product", 1, SIZE_MAX))
        return product_check(checker, proof);
    if (text_begins(proof, "cover", 3, SIZE_MAX))
        return cover_check(checker, proof);
    if (text_begins(proof, "cases", 1, SIZE_MAX))
        return cases_check(checker, proof);
    if (text_begins(proof, "split", 4, 4))
        return split_check(checker, proof);
    if (text_begins(proof, "branch", 4, 4))
        return branch_check(checker, proof);
    if (text_begins(proof, "contradiction", 1, 1))
        return constant_check(checker, proof);
    return checker_refute(checker, proof, "a proof should stand here");
}

static bool text_check(struct checker *checker, const struct text *text)
{
    if (text_begins(text, "sat", 0, SIZE_MAX))
        return witness_check(checker, text);
    if (text_begins(text, "unsat", 1, 1))
        return proof_check(checker, text->at[1]);
    if (text_begins(text, "unknown", 0, 0))
        return checker_give_up(checker, "nothing is claimed");
    return checker_refute(checker, text,
                          "a certificate is (sat VALUE...), (unsat PROOF) or (unknown)");
}

enum check_outcome check_certificate(struct arena *arena, const struct check_question *question,
                                     const char *certificate, const char **why)
{
    struct arena *own = arena_new();
    struct checker *checker = ARENA_NEW(own, struct checker);
    checker->arena = own;
    checker->steps = question->steps ? question->steps : STEPS_DEFAULT;
    checker->notes = map_new(own);
    for (int v = 0; v < ring_count(question->ring); v++)
        checker->integer[v] = question->integer && question->integer[v];
    const struct text *text = text_read(own, certificate, &checker->why);
    checker->outcome = text ? CHECK_VERIFIED : CHECK_REFUTED;
    bool ok = text && checker_polynomials(checker, question->ring);
    for (size_t i = 0; ok && i < question->count; i++)
        ok = hypothesis_add(checker, (struct hypothesis){question->assertions[i], false});
    if (!ok || !text_check(checker, text))
        checker_give_up(checker, "the check ended without a result");
    enum check_outcome outcome = checker->outcome;
    *why = outcome == CHECK_VERIFIED ? NULL : arena_strdup(arena, checker->why);
    arena_free(own);
    return outcome;
}
