/* (apply qe): quantifier elimination, as z3 has it. In: all assertions; out: an equivalent conjunction without quantifiers in
   the free symbols, printed as one goal. The assertions themselves stay as they are. */
#include "constraints/project.h"
#include "constraints/smt/script.h"
#include <ctype.h>

const char *smt_rename(struct smt *smt, struct session *session, const char *text)
{
    struct str renamed = str_new(smt->command);
    while (*text) {
        size_t length = 0;
        while (isalnum((unsigned char)text[length]) || text[length] == '_')
            length++;
        if (!length) {
            str_char(&renamed, *text++);
            continue;
        }
        int variable = ring_find(session->ring, arena_strndup(smt->command, text, length));
        const struct symbol *symbol = variable < 0 ? NULL : session->roles[variable].symbol;
        if (symbol)
            symbol_print(&renamed, symbol->name);
        else
            str_add_n(&renamed, text, length);
        text += length;
    }
    return renamed.text;
}

static void goal_write(struct smt *smt, struct session *session, const struct formula *f)
{
    struct str text = str_new(smt->command);
    size_t count = f->kind == FORMULA_AND ? f->count : f->kind != FORMULA_TRUE;
    str_add(&text, "(goals\n(goal\n");
    for (size_t i = 0; i < count; i++) {
        str_add(&text, "  ");
        formula_print_smt(&text, f->kind == FORMULA_AND ? f->at[i] : f);
        str_char(&text, '\n');
    }
    str_add(&text, "  :precision precise :depth 1)\n)\n");
    smt_write(smt, smt_rename(smt, session, text.text));
}

static const struct term *assertions_join(struct smt *smt, struct term_maker *maker)
{
    VEC(const struct term *) terms = {0};
    for (size_t i = 0; i < smt->assertions.count; i++)
        if (smt->assertions.at[i].term)
            vec_push(smt->command, &terms, smt->assertions.at[i].term);
    return term_make(maker, terms.count ? TERM_AND : TERM_TRUE, terms.at, terms.count);
}

enum response smt_command_apply(struct smt *smt, const struct sexpr *expr)
{
    if (!sexpr_is(expr->at[1], "qe") || expr->count > 2)
        return smt_refuse(smt, expr, "the command apply is supported with the tactic qe only");
    if (smt->host.claim)
        return RESPONSE_GIVEN;
    struct session *session = smt_session(smt);
    if (session->weakened)
        return smt_refuse(smt, expr, "%s", session->why_weakened);
    struct term_maker maker = {.arena = smt->command, .budget = &smt->budget};
    const struct term *term = assertions_join(smt, &maker);
    const char *why = maker.error;
    const struct formula *f = term ? session_formula(session, term, &why) : NULL;
    if (!f)
        return smt_refuse(smt, expr, "%s", why);
    const struct project_options options = {.steps = smt->options.steps};
    const struct formula *result = formula_eliminate(smt->command, session->ring, f, &options, &why);
    if (result)
        goal_write(smt, session, result);
    else
        smt_write(smt, "unknown\n");
    return RESPONSE_GIVEN;
}
