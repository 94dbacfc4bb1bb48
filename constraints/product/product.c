/* Product proofs as text, and splits around them. In: an infeasible conjunction with hypothesis
   numbers; out: a proof as in docs/certificates.md. A single sum of products is looked for first,
   then a chain of lemmas from interval propagation; then the conjunction is split by the sign of a
   polynomial (one that is not zero, or an unbounded variable), and each case is proved with the new
   hypothesis; products of higher degree come last. */
#include "constraints/product/product.h"
#include "constraints/product/handelman.h"
#include <stdlib.h>

enum {
    SPLIT_LIMIT = 4,
    LEVELS_FIRST = 4,
    SHARE = 8 /* of the budget that one search may take */,
    STEPS_LIMIT = 3000000,
    NUMBER_BITS = 3000
};

static void factor_print(struct str *out, const struct product_factor *factor,
                         const size_t *numbers)
{
    switch (factor->kind) {
    case FACTOR_HYPOTHESIS: str_addf(out, " %zu", numbers[factor->hypothesis]); return;
    case FACTOR_TIMES: str_add(out, " (times "); break;
    case FACTOR_SQUARE: str_add(out, " (square "); break;
    }
    str_quote(out, poly_text(out->arena, factor->poly));
    str_char(out, ')');
}

void product_print(struct str *out, const struct product_proof *proof, const size_t *numbers)
{
    str_add(out, "(product");
    for (size_t i = 0; i < proof->count; i++) {
        const struct product_term *term = &proof->terms[i];
        char *text = fmpq_get_str(NULL, 10, term->coefficient);
        str_addf(out, " (%s", text);
        flint_free(text);
        for (size_t k = 0; k < term->count; k++)
            factor_print(out, &term->factors[k], numbers);
        str_char(out, ')');
    }
    str_char(out, ')');
}

/* Is every factor within the limits of poly.h, every number short enough to be read again? */
static bool proof_whole(const struct product_proof *proof)
{
    for (size_t i = 0; i < proof->count; i++) {
        if (fmpq_height_bits(proof->terms[i].coefficient) > NUMBER_BITS)
            return false;
        for (size_t k = 0; k < proof->terms[i].count; k++) {
            const struct product_factor *factor = &proof->terms[i].factors[k];
            if (factor->kind != FACTOR_HYPOTHESIS &&
                (!factor->poly ||
                 labs(fmpz_mpoly_max_bits(factor->poly->value->zpoly)) > NUMBER_BITS))
                return false;
        }
    }
    return true;
}

/* Has the variable a hypothesis of its own, of degree one? */
static bool variable_bounded(const struct product_question *question, int v)
{
    for (size_t i = 0; i < question->count; i++) {
        const struct poly *p = question->at[i].poly;
        if (poly_total_degree(p) == 1 && poly_uses(p, v) &&
            poly_is_constant(poly_coefficient(p, v, 0)))
            return true;
    }
    return false;
}

/* A polynomial to split by: of a hypothesis "not zero", else a variable that has no hypothesis of
   its own. */
static const struct poly *split_choose(const struct product_question *question)
{
    for (size_t i = 0; i < question->count; i++)
        if (question->at[i].relation == RELATION_NE)
            return question->at[i].poly;
    const struct poly *best = NULL;
    unsigned most = 0;
    for (int v = 0; v < ring_count(question->ring); v++) {
        unsigned uses = 0;
        for (size_t i = 0; i < question->count; i++)
            uses += poly_degree(question->at[i].poly, v) & 1;
        if (uses <= most || variable_bounded(question, v))
            continue;
        most = uses;
        best = poly_variable(question->ring, v);
    }
    return best;
}

static bool prove(struct str *out, const struct product_question *question, int depth,
                  struct budget *budget);

/* The question with p relation 0 added; a hypothesis "p is not zero" goes, the new one says
   more. */
static bool case_prove(struct str *out, const struct product_question *question,
                       struct constraint added, int depth, struct budget *budget)
{
    struct arena *arena = out->arena;
    struct constraint *at = ARENA_ARRAY(arena, struct constraint, question->count + 1);
    size_t *numbers = ARENA_ARRAY(arena, size_t, question->count + 1), count = 0;
    for (size_t i = 0; i < question->count; i++) {
        bool implied = question->at[i].relation == RELATION_NE && added.relation != RELATION_EQ &&
                       poly_equal(question->at[i].poly, added.poly);
        if (implied)
            continue;
        at[count] = question->at[i];
        numbers[count++] = question->numbers[i];
    }
    at[count] = added;
    numbers[count++] = question->next;
    struct product_question next = {question->ring, at, numbers, count, question->next + 1};
    str_char(out, ' ');
    return prove(out, &next, depth + 1, budget);
}

static bool split_prove(struct str *out, const struct product_question *question, int depth,
                        struct budget *budget)
{
    static const enum relation relations[] = {RELATION_GT, RELATION_LT, RELATION_EQ};
    const struct poly *p = split_choose(question);
    if (!p)
        return false;
    str_add(out, "(split ");
    str_quote(out, poly_text(out->arena, p));
    for (size_t i = 0; i < 3; i++)
        if (!case_prove(out, question, (struct constraint){p, relations[i]}, depth, budget))
            return false;
    str_char(out, ')');
    return true;
}

static bool product_prove(struct str *out, const struct product_question *question, int levels,
                          struct budget *budget)
{
    for (int shifted = 0; shifted < 2 && !budget->spent; shifted++) {
        struct product_search search = {levels, !shifted};
        struct product_proof proof;
        uint64_t share = budget->left / SHARE;
        struct budget slice = {.left = share};
        bool proved = handelman_prove(out->arena, question, search, &slice, &proof);
        budget_take(budget, share - slice.left);
        if (!proved || !proof_whole(&proof))
            continue;
        product_print(out, &proof, question->numbers);
        return true;
    }
    return false;
}

static bool prove(struct str *out, const struct product_question *question, int depth,
                  struct budget *budget)
{
    size_t length = out->length;
    if (product_prove(out, question, LEVELS_FIRST, budget) ||
        (!depth && chain_prove(out, question, budget)))
        return true;
    if (depth < SPLIT_LIMIT && split_prove(out, question, depth, budget))
        return true;
    out->length = length;
    out->text[length] = '\0';
    return product_prove(out, question, LEVEL_LIMIT, budget);
}

static bool question_whole(const struct product_question *question)
{
    for (size_t i = 0; i < question->count; i++)
        if (!question->at[i].poly)
            return false;
    return true;
}

const char *product_certificate(struct arena *arena, const struct product_question *question,
                                struct budget *budget)
{
    struct str out = str_new(arena);
    uint64_t share = budget->left / 4 < STEPS_LIMIT ? budget->left / 4 : STEPS_LIMIT;
    struct budget slice = {.left = share};
    bool proved = question_whole(question) && prove(&out, question, 0, &slice);
    budget_take(budget, share - slice.left);
    return proved ? out.text : NULL;
}
