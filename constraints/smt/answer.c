/* What may be asked after an answer: models, values, cores, proofs, assertions. In: the answer last
   given; out: responses in the form that the standard's tools print. Models name the declared
   symbols in their order, those that no assertion uses with 0 or false; where the assertions divide
   by zero, the functions that say what this gives follow. */
#include "constraints/smt/script.h"
#include <string.h>

/* NULL after an error. */
static struct valuation *valuation_get(struct smt *smt, const struct sexpr *expr)
{
    struct answer *answer = &smt->answer;
    if (!answer->asked || answer->verdict != SAS_NONEMPTY) {
        smt_refuse(smt, expr, "there is no model; it is there after the answer sat");
        return NULL;
    }
    if (!answer->valuation)
        answer->valuation = valuation_new(answer->session);
    if (!answer->valuation)
        smt_refuse(smt, expr, "the model cannot be shown");
    return answer->valuation;
}

enum response smt_command_get_model(struct smt *smt, const struct sexpr *expr)
{
    if (smt->host.claim)
        return RESPONSE_GIVEN;
    const struct valuation *valuation = valuation_get(smt, expr);
    if (!valuation)
        return RESPONSE_ERROR;
    struct str text = str_new(smt->command);
    str_add(&text, "(\n");
    for (size_t i = 0; i < smt->declared.count; i++) {
        const struct symbol *symbol = smt->declared.at[i];
        if (symbol->defined)
            continue;
        str_add(&text, "  (define-fun ");
        symbol_print(&text, symbol->name);
        str_addf(&text, " () %s ", sort_name(symbol->sort));
        meaning_print(&text, valuation_symbol(valuation, smt->command, symbol), symbol->sort);
        str_add(&text, ")\n");
    }
    valuation_print_zeros(&text, valuation);
    str_add(&text, ")\n");
    smt_write(smt, text.text);
    return RESPONSE_GIVEN;
}

static bool value_add_text(struct smt *smt, struct str *text, const struct valuation *valuation,
                           const struct sexpr *expr)
{
    struct elaborator e = smt_elaborator(smt, smt->command);
    const struct term *term = elaborate(&e, expr, NULL, 0);
    struct meaning meaning;
    const char *error = NULL;
    if (!term)
        return false;
    if (!valuation_of(valuation, smt->command, term, &meaning, &error)) {
        smt_refuse(smt, expr, "%s", error);
        return false;
    }
    str_char(text, '(');
    sexpr_print(text, expr);
    str_char(text, ' ');
    meaning_print(text, meaning, term->sort);
    str_char(text, ')');
    return true;
}

enum response smt_command_get_value(struct smt *smt, const struct sexpr *expr)
{
    const struct sexpr *terms = expr->at[1];
    if (smt->host.claim)
        return RESPONSE_GIVEN;
    if (terms->kind != SEXPR_LIST || !terms->count)
        return smt_refuse(smt, terms, "a list of terms is expected: (get-value (x y))");
    const struct valuation *valuation = valuation_get(smt, expr);
    if (!valuation)
        return RESPONSE_ERROR;
    struct str text = str_new(smt->command);
    for (size_t i = 0; i < terms->count; i++) {
        str_add(&text, i ? "\n " : "(");
        if (!value_add_text(smt, &text, valuation, terms->at[i]))
            return RESPONSE_ERROR;
    }
    str_add(&text, ")\n");
    smt_write(smt, text.text);
    return RESPONSE_GIVEN;
}

/* The truth of what :named has named. */
enum response smt_command_get_assignment(struct smt *smt, const struct sexpr *expr)
{
    if (smt->host.claim)
        return RESPONSE_GIVEN;
    const struct valuation *valuation = valuation_get(smt, expr);
    if (!valuation)
        return RESPONSE_ERROR;
    struct str text = str_new(smt->command);
    const char *between = "", *error;
    str_char(&text, '(');
    for (size_t i = 0; i < smt->declared.count; i++) {
        const struct symbol *symbol = smt->declared.at[i];
        struct meaning meaning;
        if (!symbol->named || symbol->sort != SORT_BOOL ||
            !valuation_of(valuation, smt->command, symbol->term, &meaning, &error))
            continue;
        str_addf(&text, "%s(", between);
        symbol_print(&text, symbol->name);
        str_addf(&text, " %s)", meaning.truth ? "true" : "false");
        between = " ";
    }
    str_add(&text, ")\n");
    smt_write(smt, text.text);
    return RESPONSE_GIVEN;
}

/* The numbers of the core; NULL after an error. */
static const size_t *core_get(struct smt *smt, const struct sexpr *expr, size_t *count)
{
    static const size_t none;
    const struct answer *answer = &smt->answer;
    *count = 0;
    if (!answer->asked || answer->verdict != SAS_EMPTY) {
        smt_refuse(smt, expr, "there is no core; it is there after the answer unsat");
        return NULL;
    }
    const size_t *core = solver_core(answer->session->solver, count);
    return core ? core : &none;
}

static bool core_has(const size_t *core, size_t count, size_t number)
{
    for (size_t i = 0; i < count; i++)
        if (core[i] == number)
            return true;
    return false;
}

enum response smt_command_get_unsat_core(struct smt *smt, const struct sexpr *expr)
{
    size_t count, number = 0;
    if (smt->host.claim)
        return RESPONSE_GIVEN;
    const size_t *core = core_get(smt, expr, &count);
    if (!core)
        return RESPONSE_ERROR;
    struct str text = str_new(smt->command);
    const char *between = "";
    str_char(&text, '(');
    for (size_t i = 0; i < smt->assertions.count; i++) {
        const struct assertion *assertion = &smt->assertions.at[i];
        if (!assertion->term || !core_has(core, count, number++) || !assertion->name)
            continue;
        str_add(&text, between);
        symbol_print(&text, assertion->name);
        between = " ";
    }
    str_add(&text, ")\n");
    smt_write(smt, text.text);
    return RESPONSE_GIVEN;
}

enum response smt_command_get_unsat_assumptions(struct smt *smt, const struct sexpr *expr)
{
    size_t count, number = 0;
    if (smt->host.claim)
        return RESPONSE_GIVEN;
    const size_t *core = core_get(smt, expr, &count);
    if (!core)
        return RESPONSE_ERROR;
    for (size_t i = 0; i < smt->assertions.count; i++)
        number += smt->assertions.at[i].term != NULL;
    struct str text = str_new(smt->command);
    const char *between = "";
    str_char(&text, '(');
    for (size_t i = 0; i < smt->answer.assumption_texts.count; i++)
        if (core_has(core, count, number + i)) {
            str_addf(&text, "%s%s", between, smt->answer.assumption_texts.at[i]);
            between = " ";
        }
    str_add(&text, ")\n");
    smt_write(smt, text.text);
    return RESPONSE_GIVEN;
}

/* The certificate. */
enum response smt_command_get_proof(struct smt *smt, const struct sexpr *expr)
{
    const struct answer *answer = &smt->answer;
    if (smt->host.claim)
        return RESPONSE_GIVEN;
    if (!answer->asked || answer->verdict != SAS_EMPTY)
        return smt_refuse(smt, expr, "there is no proof; it is there after the answer unsat");
    const char *proof = solver_certificate(answer->session->solver);
    if (!proof)
        return smt_refuse(smt, expr, "no proof was found within the budget");
    smt_write(smt, proof);
    smt_write(smt, "\n");
    return RESPONSE_GIVEN;
}

enum response smt_command_get_assertions(struct smt *smt, const struct sexpr *expr)
{
    if (smt->host.claim)
        return RESPONSE_GIVEN;
    if (!smt_setting(smt, ":produce-assertions") && !smt_setting(smt, ":interactive-mode"))
        return smt_refuse(smt, expr, "set the option :produce-assertions before");
    struct str text = str_new(smt->command);
    const char *between = "";
    str_char(&text, '(');
    for (size_t i = 0; i < smt->assertions.count; i++)
        if (smt->assertions.at[i].text) {
            str_addf(&text, "%s%s", between, smt->assertions.at[i].text);
            between = "\n ";
        }
    str_add(&text, ")\n");
    smt_write(smt, text.text);
    return RESPONSE_GIVEN;
}
