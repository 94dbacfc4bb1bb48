/* Affine forms as text of C.

   In: forms over symbols whose texts are C. Out: expressions that have the form's value wherever
   the fragment runs: parts that would be converted to unsigned numbers or might leave 32 bits are
   widened, and comparisons are arranged so that no difference of far numbers is computed. */
#include "mapper/scop/range.h"
#include <inttypes.h>

int64_t affine_rest(const struct scop *scop, const struct affine *a)
{
    int64_t rest = a->constant;
    for (int i = 0; i < a->n_names; i++)
        rest -= a->names[i].factor * scop->constants.at[a->names[i].symbol].value;
    return rest;
}

bool affine_is_name(const struct scop *scop, const struct affine *a)
{
    int n = a->n_terms + a->n_names + (affine_rest(scop, a) != 0);
    int64_t factor = a->n_terms ? a->terms[0].factor : a->n_names ? a->names[0].factor : 1;
    return n == 0 || (n == 1 && factor == 1 && affine_rest(scop, a) >= 0);
}

/* May the form add something below 0? Then unsigned parts are converted, or the sum might wrap. */
static bool subtracts(const struct scop *scop, const struct affine *a)
{
    bool found = a->constant < 0;
    for (int i = 0; i < a->n_terms; i++)
        found |= a->terms[i].factor < 0 ||
                 !class_is_unsigned(scop->symbols.at[a->terms[i].symbol].class);
    return found;
}

/* " + 2 * n", of which the sign is left out before the first part of a sum. */
static void term_text(struct str *out, int64_t factor, const char *text, bool is_long)
{
    str_add(out, out->length ? (factor > 0 ? " + " : " - ") : (factor > 0 ? "" : "-"));
    if (factor != 1 && factor != -1)
        str_addf(out, "%" PRIu64 " * ", factor < 0 ? -(uint64_t)factor : (uint64_t)factor);
    str_addf(out, "%s%s", is_long ? "(long)" : "", text);
}

/* Positive terms first, then the constant, so that no sum begins with a minus where that can be
   helped. `wide`: numbers of 32 bits do not wrap in it. */
static char *sum_text(const struct scop *scop, const struct affine *a, bool wide)
{
    struct str out = str_new(scop->arena);
    bool converts = subtracts(scop, a);
    int64_t rest = affine_rest(scop, a);
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (int i = 0; i < a->n_terms; i++) {
            const struct affine_symbol *symbol = &scop->symbols.at[a->terms[i].symbol];
            bool longer = converts ? class_is_unsigned(symbol->class)
                                   : wide && symbol->class == AST_TYPE_U32;
            if ((a->terms[i].factor > 0) == (sign > 0))
                term_text(&out, a->terms[i].factor, symbol->text, longer);
        }
        for (int i = 0; i < a->n_names; i++)
            if ((a->names[i].factor > 0) == (sign > 0))
                term_text(&out, a->names[i].factor, scop->constants.at[a->names[i].symbol].text,
                          false);
        if (sign > 0 && rest > 0 && a->n_terms + a->n_names)
            str_addf(&out, "%s%" PRId64, out.length ? " + " : "", rest);
    }
    if (!a->n_terms && !a->n_names)
        str_addf(&out, "%" PRId64, rest);
    else if (rest < 0)
        str_addf(&out, " - %" PRIu64, -(uint64_t)rest);
    return out.text;
}

char *affine_text(const struct scop *scop, const struct affine *a)
{
    return sum_text(scop, a, false);
}

char *affine_wide_text(const struct scop *scop, const struct affine *a)
{
    return sum_text(scop, a, !affine_is_name(scop, a));
}

const char *affine_operand_text(const struct scop *scop, const struct affine *a)
{
    const char *text = affine_text(scop, a);
    return affine_is_name(scop, a) ? text : arena_printf(scop->arena, "(%s)", text);
}

static bool has_unsigned(const struct scop *scop, const struct affine *a)
{
    for (int i = 0; i < a->n_terms; i++)
        if (class_is_unsigned(scop->symbols.at[a->terms[i].symbol].class))
            return true;
    return false;
}

/* Are the parts signed numbers that may lie far apart, some of them subtracted? Iterators lie
   between their bounds. */
static bool may_be_far(const struct scop *scop, const struct affine *a)
{
    bool subtracted = false;
    for (int i = 0; i < a->n_terms; i++) {
        const struct affine_symbol *symbol = &scop->symbols.at[a->terms[i].symbol];
        if (symbol->loop)
            return false;
        subtracted |= a->terms[i].factor < 0;
    }
    return subtracted;
}

char *affine_positive_text(const struct scop *scop, const struct affine *a)
{
    struct affine more = *a, less = affine_constant(0);
    int64_t least = -a->constant;
    more.constant = more.n_terms = more.n_names = 0;
    if (has_unsigned(scop, a)) {
        /* Above a constant that has no sign either. */
        more = *a;
        least = least > 0 ? least : 0;
        more.constant += least;
        more.n_names = 0;
        return arena_printf(scop->arena, "%s > %" PRId64, affine_wide_text(scop, &more), least);
    }
    bool compares = (least == 0 || least == -1) && a->n_terms == 2 &&
                    a->terms[0].factor * a->terms[1].factor == -1;
    if (!compares && !may_be_far(scop, a)) {
        more = *a;
        more.constant = more.n_names = 0;
        struct affine bound = affine_constant(0);
        affine_add(&bound, a, -1);
        bound.n_terms = 0;
        return arena_printf(scop->arena, "%s > %s", affine_text(scop, &more),
                            affine_text(scop, &bound));
    }
    for (int i = 0; i < a->n_terms; i++) {
        struct affine *side = a->terms[i].factor > 0 ? &more : &less;
        side->terms[side->n_terms] = a->terms[i];
        side->terms[side->n_terms++].factor *= a->terms[i].factor > 0 ? 1 : -1;
    }
    const char *left = affine_text(scop, &more), *right = affine_text(scop, &less);
    if (!more.n_terms)
        return arena_printf(scop->arena, "%s < %" PRId64, right, -least);
    if (least == 0 || least == -1)
        return arena_printf(scop->arena, "%s %s %s", left, least ? ">=" : ">", right);
    return arena_printf(scop->arena, "%s > %s %c %" PRId64 "L", left, right, least > 0 ? '+' : '-',
                        least > 0 ? least : -least);
}
