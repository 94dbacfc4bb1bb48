/* Options, logics and information. In: commands; out: settings kept as text. Options of other
   solvers are answered with "unsupported", as the standard wants it, and change nothing. */
#include "constraints/smt/script.h"
#include <stdlib.h>
#include <string.h>

enum setting_kind { SETTING_BOOL, SETTING_NUMERAL };

struct setting {
    const char *keyword;
    enum setting_kind kind;
    const char *value;
};

static const struct setting settings[] = {
#define X(keyword, kind, value) {keyword, SETTING_##kind, value},
#include "constraints/smt/option.def"
#undef X
};

static const struct setting *setting_find(const char *keyword)
{
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (strcmp(settings[i].keyword, keyword) == 0)
            return &settings[i];
    return NULL;
}

static const char *setting_text(const struct smt *smt, const char *keyword)
{
    const char *text = map_get(smt->settings, keyword);
    return text ? text : setting_find(keyword)->value;
}

bool smt_setting(const struct smt *smt, const char *keyword)
{
    return strcmp(setting_text(smt, keyword), "true") == 0;
}

enum response smt_command_set_option(struct smt *smt, const struct sexpr *expr)
{
    const struct sexpr *keyword = expr->at[1], *value = expr->at[2];
    if (keyword->kind != SEXPR_KEYWORD)
        return smt_refuse(smt, keyword, "a keyword is expected");
    const struct setting *setting = setting_find(keyword->text);
    if (!setting)
        return RESPONSE_UNSUPPORTED;
    if (setting->kind == SETTING_BOOL && !sexpr_is(value, "true") && !sexpr_is(value, "false"))
        return smt_refuse(smt, value, "%s is true or false", keyword->text);
    if (setting->kind == SETTING_NUMERAL && value->kind != SEXPR_NUMERAL)
        return smt_refuse(smt, value, "%s is a numeral", keyword->text);
    map_put(smt->settings, keyword->text, arena_strdup(smt->arena, value->text));
    if (strcmp(keyword->text, ":reproducible-resource-limit") == 0) {
        smt_settle(smt);
        smt_session_drop(smt, smt->session);
        smt->session = NULL;
        smt->options.steps = strtoull(value->text, NULL, 10);
    }
    return RESPONSE_SUCCESS;
}

enum response smt_command_get_option(struct smt *smt, const struct sexpr *expr)
{
    const struct sexpr *keyword = expr->at[1];
    if (keyword->kind != SEXPR_KEYWORD)
        return smt_refuse(smt, keyword, "a keyword is expected");
    if (!setting_find(keyword->text))
        return RESPONSE_UNSUPPORTED;
    smt_write(smt, setting_text(smt, keyword->text));
    smt_write(smt, "\n");
    return RESPONSE_GIVEN;
}

/* Numerals are reals in the logics of the reals alone. */
enum response smt_command_set_logic(struct smt *smt, const struct sexpr *expr)
{
    static const char *const logics[] = {
        "ALL",    "QF_NRA",   "QF_LRA",   "QF_RDL",   "NRA",      "LRA",     "QF_NIA",
        "QF_LIA", "QF_IDL",   "NIA",      "LIA",      "QF_NIRA",  "QF_LIRA", "NIRA",
        "LIRA",   "QF_UFNRA", "QF_UFLRA", "QF_UFNIA", "QF_UFLIA", "QF_UF",
    };
    const struct sexpr *logic = expr->at[1];
    if (logic->kind != SEXPR_SYMBOL)
        return smt_refuse(smt, logic, "the name of a logic is expected");
    size_t length = strlen(logic->text);
    smt->reals = length >= 3 && (strcmp(logic->text + length - 3, "NRA") == 0 ||
                                 strcmp(logic->text + length - 3, "LRA") == 0);
    for (size_t i = 0; i < sizeof logics / sizeof logics[0]; i++)
        if (strcmp(logics[i], logic->text) == 0)
            return RESPONSE_SUCCESS;
    return RESPONSE_UNSUPPORTED;
}

enum response smt_command_set_info(struct smt *smt, const struct sexpr *expr)
{
    return expr->at[1]->kind == SEXPR_KEYWORD
               ? RESPONSE_SUCCESS
               : smt_refuse(smt, expr->at[1], "a keyword is expected");
}

void smt_statistics_print(struct str *out, const struct solver_statistics *s)
{
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        {"questions", s->questions}, {"steps", s->steps},         {"front", s->front},
        {"cases", s->cases},         {"coverings", s->coverings}, {"branches", s->branches},
        {"verified", s->verified},   {"unchecked", s->unchecked},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        str_addf(out, "%s:%s %llu", i ? "\n " : "(", rows[i].name,
                 (unsigned long long)rows[i].value);
    str_add(out, ")\n");
}

static bool info_add(struct smt *smt, struct str *text, const char *keyword)
{
    if (strcmp(keyword, ":name") == 0)
        str_add(text, "(:name \"treefork\")\n");
    else if (strcmp(keyword, ":version") == 0)
        str_add(text, "(:version \"" TREEFORK_VERSION "\")\n");
    else if (strcmp(keyword, ":authors") == 0)
        str_add(text, "(:authors \"the authors of treefork\")\n");
    else if (strcmp(keyword, ":error-behavior") == 0)
        str_add(text, "(:error-behavior continued-execution)\n");
    else if (strcmp(keyword, ":assertion-stack-levels") == 0)
        str_addf(text, "(:assertion-stack-levels %zu)\n", smt->levels.count - 1);
    else
        return false;
    return true;
}

enum response smt_command_get_info(struct smt *smt, const struct sexpr *expr)
{
    const struct sexpr *keyword = expr->at[1];
    if (smt->host.claim)
        return RESPONSE_GIVEN;
    if (keyword->kind != SEXPR_KEYWORD)
        return smt_refuse(smt, keyword, "a keyword is expected");
    struct str text = str_new(smt->command);
    if (strcmp(keyword->text, ":reason-unknown") == 0) {
        if (!smt->answer.asked || smt->answer.verdict != SAS_UNKNOWN)
            return smt_refuse(smt, keyword, "the last answer is not unknown");
        str_addf(&text, "(:reason-unknown \"%s\")\n",
                 smt->answer.reason ? smt->answer.reason : "incomplete");
    } else if (strcmp(keyword->text, ":all-statistics") == 0) {
        struct solver_statistics statistics = smt_statistics(smt);
        smt_statistics_print(&text, &statistics);
    } else if (!info_add(smt, &text, keyword->text)) {
        return RESPONSE_UNSUPPORTED;
    }
    smt_write(smt, text.text);
    return RESPONSE_GIVEN;
}
