/* Questions to the solver. In: the assertions of the script; out: sat, unsat or unknown, with what
   may be asked afterwards. A session is made when the first assertion needs it, and anew from the
   terms when it has grown stale. Assumptions are asserted in a level of the session that stays
   until the state changes, so that cores and certificates can be asked for. Where a division by
   zero under a quantifier has been weakened, "unsat" is believed and "sat" is asked again of a
   session in which it was strengthened. When certificates are verified there is no solver: the
   formulas go to the checker. */
#include "constraints/check/check.h"
#include "constraints/smt/script.h"
#include <string.h>

static struct session *session_make(struct smt *smt, bool strong)
{
    const struct session_options options = {smt->host.claim ? NULL : &smt->options, strong};
    struct session *session = session_new(&options);
    size_t next = 0;
    for (size_t level = 0; level < smt->levels.count; level++) {
        size_t end = level + 1 < smt->levels.count ? smt->levels.at[level + 1].assertions
                                                   : smt->assertions.count;
        if (level)
            session_push(session);
        for (; next < end; next++)
            if (!smt->assertions.at[next].term ||
                session_assert(session, smt->assertions.at[next].term))
                session_weaken(session, "an assertion was refused");
    }
    return session;
}

struct session *smt_session(struct smt *smt)
{
    if (!smt->session)
        smt->session = session_make(smt, false);
    return smt->session;
}

struct session *smt_strong_session(struct smt *smt)
{
    struct session *session = session_make(smt, true);
    session_push(session);
    for (size_t i = 0; i < smt->answer.assumptions.count; i++)
        if (session_assert(session, smt->answer.assumptions.at[i]))
            session_weaken(session, "an assumption was refused");
    return session;
}

void smt_assertion_lost(struct smt *smt)
{
    session_weaken(smt_session(smt), "an assertion was refused");
    vec_push(smt->arena, &smt->assertions, ((struct assertion){.term = NULL}));
}

static void statistics_add(struct solver_statistics *sum, struct solver_statistics more)
{
    sum->questions += more.questions;
    sum->steps += more.steps;
    sum->front += more.front;
    sum->cases += more.cases;
    sum->coverings += more.coverings;
    sum->branches += more.branches;
    sum->verified += more.verified;
    sum->unchecked += more.unchecked;
}

void smt_session_drop(struct smt *smt, struct session *session)
{
    if (session && session->solver)
        statistics_add(&smt->statistics, solver_statistics(session->solver));
    session_free(session);
}

struct solver_statistics smt_statistics(const struct smt *smt)
{
    struct solver_statistics sum = smt->statistics;
    if (smt->session && smt->session->solver)
        statistics_add(&sum, solver_statistics(smt->session->solver));
    if (smt->answer.strong && smt->answer.strong->solver)
        statistics_add(&sum, solver_statistics(smt->answer.strong->solver));
    return sum;
}

void smt_settle(struct smt *smt)
{
    struct answer *answer = &smt->answer;
    if (!answer->asked)
        return;
    valuation_free(answer->valuation);
    smt_session_drop(smt, answer->strong);
    session_pop(smt->session);
    arena_free(answer->arena);
    *answer = (struct answer){0};
}

/* --- checking satisfiability ----------------------------------------------------------------- */

static void decide_strong(struct smt *smt)
{
    struct answer *answer = &smt->answer;
    answer->strong = smt_strong_session(smt);
    enum verdict verdict = solver_check(answer->strong->solver);
    answer->verdict = SAS_UNKNOWN;
    answer->reason = "a division by zero stands under a quantifier";
    if (verdict == SAS_NONEMPTY && !answer->strong->weakened) {
        answer->verdict = verdict;
        answer->session = answer->strong;
    }
}

static void decide(struct smt *smt)
{
    struct answer *answer = &smt->answer;
    answer->session = smt->session;
    answer->verdict = solver_check(smt->session->solver);
    if (answer->verdict == SAS_UNKNOWN)
        answer->reason = solver_reason(smt->session->solver);
    if (answer->verdict != SAS_EMPTY && smt->session->weakened) {
        answer->verdict = SAS_UNKNOWN;
        answer->reason = smt->session->why_weakened;
    } else if (answer->verdict != SAS_EMPTY && smt->session->approximate) {
        decide_strong(smt);
    }
}

static void certificate_tell(struct smt *smt)
{
    const struct answer *answer = &smt->answer;
    if (!smt->host.certificate)
        return;
    const char *text =
        answer->verdict == SAS_UNKNOWN ? NULL : solver_certificate(answer->session->solver);
    smt->host.certificate(smt->host.self, text ? text : "(unknown)");
}

/* The certificate of this question against its formulas. */
static enum check_outcome verify(struct smt *smt, const char *certificate, const char **why)
{
    struct session *session = smt->session;
    bool satisfiable = strncmp(certificate, "(sat", 4) == 0;
    if (satisfiable && session->weakened) {
        *why = session->why_weakened;
        return CHECK_UNCHECKED;
    }
    if (satisfiable && session->approximate)
        session = smt->answer.strong = smt_strong_session(smt);
    bool integer[RING_CAPACITY];
    for (int v = 0; v < RING_CAPACITY; v++)
        integer[v] = session->roles[v].integer;
    const struct check_question question = {
        .ring = session->ring,
        .assertions = session->asserted.at,
        .count = session->asserted.count,
        .integer = integer,
        .steps = smt->options.steps,
    };
    return check_certificate(smt->command, &question, certificate, why);
}

static void verify_tell(struct smt *smt)
{
    const char *certificate = smt->host.claim(smt->host.self), *why = "no certificate is left";
    enum check_outcome outcome = certificate ? verify(smt, certificate, &why) : CHECK_REFUTED;
    if (outcome == CHECK_VERIFIED) {
        smt_write(smt, "verified\n");
        return;
    }
    struct str text = str_new(smt->command);
    str_addf(&text, "%s: %s\n", outcome == CHECK_REFUTED ? "refused" : "unchecked",
             why ? why : "no reason");
    smt_write(smt, text.text);
    smt->failed = true;
}

/* The question is asked in a level of its own. */
static enum response ask(struct smt *smt, const struct sexpr *assumptions)
{
    struct answer *answer = &smt->answer;
    *answer = (struct answer){.asked = true, .arena = arena_new()};
    session_push(smt_session(smt));
    struct elaborator e = smt_elaborator(smt, answer->arena);
    for (size_t i = 0; assumptions && i < assumptions->count; i++) {
        const struct term *term = elaborate(&e, assumptions->at[i], NULL, 0);
        if (!term)
            return RESPONSE_ERROR;
        if (term->sort != SORT_BOOL)
            return smt_refuse(smt, assumptions->at[i], "an assumption is a Bool");
        const char *wrong = session_assert(smt->session, term);
        if (wrong)
            return smt_refuse(smt, assumptions->at[i], "%s", wrong);
        struct str text = str_new(answer->arena);
        sexpr_print(&text, assumptions->at[i]);
        vec_push(answer->arena, &answer->assumptions, term);
        vec_push(answer->arena, &answer->assumption_texts, text.text);
    }
    if (smt->host.claim) {
        verify_tell(smt);
        return RESPONSE_GIVEN;
    }
    decide(smt);
    smt_write(smt, answer->verdict == SAS_EMPTY      ? "unsat\n"
                   : answer->verdict == SAS_NONEMPTY ? "sat\n"
                                                     : "unknown\n");
    certificate_tell(smt);
    return RESPONSE_GIVEN;
}

enum response smt_command_check_sat(struct smt *smt, const struct sexpr *expr)
{
    (void)expr;
    return ask(smt, NULL);
}

enum response smt_command_check_sat_assuming(struct smt *smt, const struct sexpr *expr)
{
    if (expr->at[1]->kind != SEXPR_LIST)
        return smt_refuse(smt, expr->at[1], "the list of assumptions is expected");
    enum response response = ask(smt, expr->at[1]);
    if (response == RESPONSE_ERROR)
        smt_settle(smt);
    return response;
}
