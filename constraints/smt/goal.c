/* (apply qe): quantifier elimination, as z3 has it. In: all assertions; out: an equivalent
   conjunction without quantifiers in the free symbols, printed as one goal. The assertions
   themselves stay as they are. */
#include "constraints/project.h"
#include "constraints/smt/script.h"
#include <ctype.h>

/* Names of ring variables are replaced by those of their symbols. */
static void rename_add(struct str *out, struct smt *smt, const struct session *session,
                       const char *text)
{
    while (*text) {
        size_t length = 0;
        while (isalnum((unsigned char)text[length]) || text[length] == '_')
            length++;
        if (!length) {
            str_char(out, *text++);
            continue;
        }
        int variable = ring_find(session->ring, arena_strndup(smt->command, text, length));
        const struct symbol *symbol = variable < 0 ? NULL : session->roles[variable].symbol;
        if (symbol)
            symbol_print(out, symbol->name);
        else
            str_add_n(out, text, length);
        text += length;
    }
}

/* Truth values are told by their names. */
static void atom_add(struct str *out, struct smt *smt, const struct session *session,
                     const struct formula *f)
{
    struct constraint c = f->constraint;
    const struct symbol *truth = c.poly ? session_truth(session, c.poly) : NULL;
    if (truth && (c.relation == RELATION_GT || c.relation == RELATION_LE)) {
        str_add(out, c.relation == RELATION_GT ? "" : "(not ");
        symbol_print(out, truth->name);
        str_add(out, c.relation == RELATION_GT ? "" : ")");
        return;
    }
    struct str text = str_new(smt->command);
    formula_print_smt(&text, f);
    rename_add(out, smt, session, text.text);
}

/* A formula without quantifiers. */
static void formula_add(struct str *out, struct smt *smt, const struct session *session,
                        const struct formula *f)
{
    static const char *const heads[] = {
        [FORMULA_NOT] = "(not",
        [FORMULA_AND] = "(and",
        [FORMULA_OR] = "(or",
        [FORMULA_XOR] = "(xor",
    };
    if (f->kind == FORMULA_TRUE || f->kind == FORMULA_FALSE) {
        str_add(out, f->kind == FORMULA_TRUE ? "true" : "false");
        return;
    }
    if (f->kind == FORMULA_ATOM) {
        atom_add(out, smt, session, f);
        return;
    }
    str_add(out, heads[f->kind]);
    for (size_t i = 0; i < f->count; i++) {
        str_char(out, ' ');
        formula_add(out, smt, session, f->at[i]);
    }
    str_char(out, ')');
}

static void goal_write(struct smt *smt, const struct session *session, const struct formula *f)
{
    struct str text = str_new(smt->command);
    size_t count = f->kind == FORMULA_AND ? f->count : f->kind != FORMULA_TRUE;
    str_add(&text, "(goals\n(goal\n");
    for (size_t i = 0; i < count; i++) {
        str_add(&text, "  ");
        formula_add(&text, smt, session, f->kind == FORMULA_AND ? f->at[i] : f);
        str_char(&text, '\n');
    }
    str_add(&text, "  :precision precise :depth 1)\n)\n");
    smt_write(smt, text.text);
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
    const struct formula *result =
        formula_eliminate(smt->command, session->ring, f, &options, &why);
    if (result)
        goal_write(smt, session, result);
    else
        smt_write(smt, "unknown\n");
    return RESPONSE_GIVEN;
}
