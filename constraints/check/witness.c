/* Witnesses: `(sat VALUE...)`. In: values of variables; out: verified if every assertion is true
   there, decided by exact signs. A variable without a value leaves what contains it undecided;
   values of other names are passed over. */
#include "constraints/check/checker.h"

/* (root POLY1 RATIONAL RATIONAL) */
static const qqbar_struct *root_read(struct checker *checker, const struct text *text)
{
    const qqbar_struct *lo = checker_rational(checker, text->at[2]),
                       *hi = checker_rational(checker, text->at[3]), *found = NULL;
    const struct poly *p = checker_poly(checker, text->at[1]);
    struct point nowhere = {.checker = checker};
    struct roots roots;
    int sign, x = ring_find(checker->ring, "x");
    const struct item *item = p ? item_of(checker, p, &sign) : NULL;
    if (item && !point_sets(&nowhere, item, x))
        checker_refute(checker, text, "a polynomial in x should stand here");
    if (!lo || !hi || !item || checker->outcome != CHECK_VERIFIED ||
        !point_roots(&nowhere, item->p, x, &roots))
        return NULL;
    size_t inside = 0;
    for (size_t i = 0; i < roots.at.count; i++)
        if (qqbar_cmp_re(lo, roots.at.at[i]) <= 0 && qqbar_cmp_re(roots.at.at[i], hi) <= 0) {
            found = roots.at.at[i];
            inside++;
        }
    if (inside != 1)
        checker_refute(checker, text, "%zu real roots lie between the two numbers", inside);
    return inside == 1 ? found : NULL;
}

static bool value_read(struct checker *checker, const struct text *text, struct point *point)
{
    if (text->kind != TEXT_LIST || text->count != 2 || text->at[0]->kind == TEXT_LIST)
        return checker_refute(checker, text, "a value is (NAME NUMBER)");
    int variable = ring_find(checker->ring, text->at[0]->word);
    if (variable < 0)
        return true;
    bool root = text_begins(text->at[1], "root", 3, 3);
    const qqbar_struct *number =
        root ? root_read(checker, text->at[1]) : checker_rational(checker, text->at[1]);
    if (!number)
        return false;
    for (size_t i = 0; i < point->count; i++)
        if (point->at[i].variable == variable)
            return checker_refute(checker, text, "%s has a value already", text->at[0]->word);
    if (!qqbar_is_integer(number) && checker->integer[variable])
        return checker_refute(checker, text, "%s ranges over the integers", text->at[0]->word);
    point_add(point, variable, number);
    return true;
}

static int witness_sign(void *point, const struct item *item)
{
    return point_sets(point, item, -1) ? point_sign(point, item->p) : UNKNOWN_SIGN;
}

bool constant_check(struct checker *checker, const struct text *text)
{
    struct point nowhere = {.checker = checker};
    struct hypothesis h;
    if (!hypothesis_read(checker, text->at[1], &h))
        return false;
    return !hypothesis_truth(checker, h, witness_sign, &nowhere) ||
           checker_refute(checker, text, "the hypothesis is no contradiction");
}

bool witness_check(struct checker *checker, const struct text *text)
{
    struct point point = {.checker = checker};
    for (size_t i = 1; i < text->count; i++)
        if (!value_read(checker, text->at[i], &point))
            return false;
    for (size_t i = 0; i < checker->hypotheses.count; i++) {
        int truth = hypothesis_truth(checker, checker->hypotheses.at[i], witness_sign, &point);
        if (truth < 0 && formula_quantified(checker->hypotheses.at[i].f))
            return checker_give_up(checker, "quantifiers are not checked");
        if (truth != 1)
            return checker_refute(checker, text, "hypothesis %zu is %s", i,
                                  truth ? "not decided" : "false");
    }
    return true;
}
