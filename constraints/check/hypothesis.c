/* Hypotheses: the assertions, flattened and numbered as docs/certificates.md says, and their truth
   in three-valued logic. In: formulas; out: what follows from the signs that the caller knows. What
   is not known (a polynomial beyond the limits, a quantifier) is unknown, which never proves
   anything. Formulas are graphs: what an evaluation has found of a node is kept for that
   evaluation. */
#include "constraints/check/checker.h"

enum { DEPTH_LIMIT = 20000 };

/* What is kept per formula. */
struct note {
    const struct item *item;   /* atom: its polynomial = positive constant * sign * item */
    uint64_t evaluation;       /* `truth` belongs to this one */
    int sign, truth;
};

static bool descend(struct checker *checker)
{
    if (++checker->depth > DEPTH_LIMIT)
        return checker_give_up(checker, "a formula is nested too deeply");
    return checker_step(checker, 1);
}

bool hypothesis_add(struct checker *checker, struct hypothesis h)
{
    enum formula_kind kind = h.f->kind;
    bool split = kind == FORMULA_NOT || kind == (h.negated ? FORMULA_OR : FORMULA_AND),
         ok = descend(checker);
    if (!split && kind != (h.negated ? FORMULA_FALSE : FORMULA_TRUE))
        vec_push(checker->arena, &checker->hypotheses, h);
    for (size_t i = 0; ok && split && i < h.f->count; i++)
        ok = hypothesis_add(checker,
                            (struct hypothesis){h.f->at[i], h.negated ^ (kind == FORMULA_NOT)});
    checker->depth--;
    return ok;
}

bool hypothesis_read(struct checker *checker, const struct text *text, struct hypothesis *h)
{
    size_t number, count = checker->hypotheses.count;
    if (!text_index(text, count, &number))
        return checker_refute(checker, text,
                              "the number of a hypothesis should stand here; there are %zu", count);
    *h = checker->hypotheses.at[number];
    return true;
}

static int formula_truth(struct checker *checker, const struct formula *f);

static int atom_truth(struct checker *checker, const struct formula *f, const struct note *note)
{
    int sign = note->item ? checker->sign(checker->context, note->item) : UNKNOWN_SIGN;
    return sign == UNKNOWN_SIGN ? -1 : relation_holds(f->constraint.relation, sign * note->sign);
}

/* AND without operands is TRUE, OR without is FALSE; NOT and XOR ask whether an odd number holds,
   or of NOT, does not. */
static int operands_truth(struct checker *checker, const struct formula *f)
{
    bool odd = f->kind == FORMULA_NOT || f->kind == FORMULA_XOR,
         end = f->kind == FORMULA_OR || f->kind == FORMULA_FALSE;
    int result = odd ? f->kind == FORMULA_NOT : !end;
    for (size_t i = 0; i < f->count; i++) {
        int truth = formula_truth(checker, f->at[i]);
        if (!odd && truth == end)
            return end;
        if (truth < 0)
            result = -1;
        else if (odd && result >= 0)
            result ^= truth;
    }
    return result;
}

static int formula_truth(struct checker *checker, const struct formula *f)
{
    struct note *note = map_get_pointer(checker->notes, f);
    if (!note) {
        note = ARENA_NEW(checker->arena, struct note);
        if (f->kind == FORMULA_ATOM && f->constraint.poly)
            note->item = item_of(checker, f->constraint.poly, &note->sign);
        map_put_pointer(checker->notes, f, note);
    }
    if (note->evaluation == checker->evaluation)
        return note->truth;
    note->truth = -1;
    if (descend(checker) && f->kind != FORMULA_EXISTS && f->kind != FORMULA_FORALL)
        note->truth =
            f->kind == FORMULA_ATOM ? atom_truth(checker, f, note) : operands_truth(checker, f);
    checker->depth--;
    note->evaluation = checker->evaluation;
    return note->truth;
}

int hypothesis_truth(struct checker *checker, struct hypothesis h, sign_function sign,
                     void *context)
{
    checker->evaluation++;
    checker->sign = sign;
    checker->context = context;
    int truth = formula_truth(checker, h.f);
    return truth < 0 || checker->outcome != CHECK_VERIFIED ? -1 : truth != h.negated;
}

bool hypothesis_atom(struct hypothesis h, struct constraint *atom)
{
    *atom = h.negated ? constraint_negate(h.f->constraint) : h.f->constraint;
    return h.f->kind == FORMULA_ATOM && atom->poly;
}

bool hypothesis_strict(struct checker *checker, struct hypothesis h)
{
    struct constraint atom;
    enum formula_kind kind = h.f->kind;
    if (hypothesis_atom(h, &atom))
        return atom.relation == RELATION_NE || atom.relation == RELATION_LT ||
               atom.relation == RELATION_GT;
    bool strict =
        descend(checker) && (kind == FORMULA_NOT || kind == FORMULA_AND || kind == FORMULA_OR);
    for (size_t i = 0; strict && i < h.f->count; i++)
        strict = hypothesis_strict(
            checker, (struct hypothesis){h.f->at[i], h.negated ^ (kind == FORMULA_NOT)});
    checker->depth--;
    return strict;
}
