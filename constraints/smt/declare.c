/* Declarations, definitions and assertions. In: commands; out: symbols and terms in the arena of
   their level, and assertions in the session. A symbol is visible from its declaration to the end
   of its level; the standard's operators cannot be declared anew. */
#include "constraints/smt/script.h"
#include <string.h>

struct elaborator smt_elaborator(struct smt *smt, struct arena *arena)
{
    return (struct elaborator){
        .maker = {.arena = arena, .budget = &smt->budget},
        .scratch = smt->command,
        .symbols = smt->symbols,
        .reals = smt->reals,
        .error = &smt->error,
    };
}

bool smt_name_free(struct smt *smt, const struct sexpr *at, const char *name)
{
    static const char *const reserved[] = {"true", "false", "let", "forall", "exists", "!",
                                           "_",    "as",    "^",   "match",  "par"};
    bool taken = operator_known(name);
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        taken = taken || strcmp(name, reserved[i]) == 0;
    if (taken)
        smt_refuse(smt, at, "%s has its own meaning", name);
    else if (map_get(smt->symbols, name))
        smt_refuse(smt, at, "%s is declared already", name);
    return !smt->error.message;
}

void smt_define(struct smt *smt, struct symbol symbol)
{
    struct arena *arena = smt_level_arena(smt);
    struct symbol *kept = ARENA_NEW(arena, struct symbol);
    *kept = symbol;
    kept->name = arena_strdup(arena, symbol.name);
    kept->global = smt_setting(smt, ":global-declarations");
    if (!symbol.defined) {
        size_t one = 1;
        struct term_maker maker = {.arena = arena, .budget = &one};
        kept->term = term_constant(&maker, kept);
    }
    ((struct term *)kept->term)->shared = true;
    vec_push(smt->arena, &smt->declared, kept);
    map_put(smt->symbols, kept->name, kept);
}

bool smt_define_names(struct smt *smt, const struct sexpr *at, const struct elaborator *e)
{
    for (size_t i = 0; i < e->names.count; i++) {
        const struct naming *naming = &e->names.at[i];
        if (!smt_name_free(smt, at, naming->name))
            return false;
        smt_define(smt, (struct symbol){.name = naming->name,
                                        .sort = naming->term->sort,
                                        .term = naming->term,
                                        .defined = true,
                                        .named = true});
    }
    return true;
}

static bool name_read(struct smt *smt, const struct sexpr *expr)
{
    if (expr->kind == SEXPR_SYMBOL)
        return smt_name_free(smt, expr, expr->text);
    smt_refuse(smt, expr, "a symbol is expected");
    return false;
}

static enum response declare(struct smt *smt, const struct sexpr *name,
                             const struct sexpr *sort_expr)
{
    struct elaborator e = smt_elaborator(smt, smt->command);
    enum sort sort;
    if (!name_read(smt, name) || !elaborate_sort(&e, sort_expr, &sort))
        return RESPONSE_ERROR;
    smt_define(smt, (struct symbol){.name = name->text, .sort = sort});
    return RESPONSE_SUCCESS;
}

enum response smt_command_declare_const(struct smt *smt, const struct sexpr *expr)
{
    return declare(smt, expr->at[1], expr->at[2]);
}

enum response smt_command_declare_fun(struct smt *smt, const struct sexpr *expr)
{
    if (expr->at[2]->kind != SEXPR_LIST)
        return smt_refuse(smt, expr->at[2], "the list of the operands' sorts is expected");
    if (expr->at[2]->count)
        return smt_refuse(smt, expr->at[2],
                          "functions with operands are not supported; define-fun is");
    return declare(smt, expr->at[1], expr->at[3]);
}

/* (define NAME PARAMETERS SORT TERM); parameters may be NULL. */
static enum response define(struct smt *smt, const struct sexpr *expr,
                            const struct sexpr *parameters)
{
    struct elaborator e = smt_elaborator(smt, smt_level_arena(smt));
    const struct sexpr *sort_expr = expr->at[expr->count - 2], *body = expr->at[expr->count - 1];
    struct symbol symbol = {.name = expr->at[1]->text, .defined = true};
    if (!name_read(smt, expr->at[1]) || !elaborate_sort(&e, sort_expr, &symbol.sort))
        return RESPONSE_ERROR;
    symbol.parameters = parameters ? elaborate_variables(&e, parameters, &symbol.count) : NULL;
    if (smt->error.message)
        return RESPONSE_ERROR;
    symbol.term = elaborate(&e, body, symbol.parameters, symbol.count);
    if (!symbol.term)
        return RESPONSE_ERROR;
    if (symbol.sort == SORT_REAL && symbol.term->sort == SORT_INT)
        symbol.term = operator_apply(&e.maker, "to_real", &symbol.term, 1);
    if (!symbol.term || symbol.term->sort != symbol.sort)
        return smt_refuse(smt, body, "%s is not %s", expr->at[1]->text, sort_name(symbol.sort));
    smt_define(smt, symbol);
    return smt_define_names(smt, body, &e) ? RESPONSE_SUCCESS : RESPONSE_ERROR;
}

enum response smt_command_define_const(struct smt *smt, const struct sexpr *expr)
{
    return define(smt, expr, NULL);
}

enum response smt_command_define_fun(struct smt *smt, const struct sexpr *expr)
{
    if (expr->at[2]->kind != SEXPR_LIST)
        return smt_refuse(smt, expr->at[2], "the list of the parameters is expected");
    return define(smt, expr, expr->at[2]);
}

/* The name that an assertion bears: the first of (! term :named name). */
static const char *assertion_name(const struct sexpr *expr, const struct elaborator *e)
{
    bool annotated = expr->kind == SEXPR_LIST && expr->count && sexpr_is(expr->at[0], "!");
    return annotated && e->names.count ? vec_last(&e->names).name : NULL;
}

enum response smt_command_assert(struct smt *smt, const struct sexpr *expr)
{
    struct arena *arena = vec_last(&smt->levels).arena;
    struct elaborator e = smt_elaborator(smt, smt_level_arena(smt));
    struct assertion assertion = {.term = elaborate(&e, expr->at[1], NULL, 0)};
    if (!assertion.term)
        return RESPONSE_ERROR;
    if (assertion.term->sort != SORT_BOOL)
        return smt_refuse(smt, expr->at[1], "what is asserted is %s, no Bool",
                          sort_name(assertion.term->sort));
    if (!smt_define_names(smt, expr->at[1], &e))
        return RESPONSE_ERROR;
    const char *wrong = session_assert(smt_session(smt), assertion.term);
    if (wrong)
        return smt_refuse(smt, expr->at[1], "%s", wrong);
    const char *name = assertion_name(expr->at[1], &e);
    assertion.name = name ? arena_strdup(arena, name) : NULL;
    if (smt_setting(smt, ":produce-assertions") || smt_setting(smt, ":interactive-mode")) {
        struct str text = str_new(arena);
        sexpr_print(&text, expr->at[1]);
        assertion.text = text.text;
    }
    vec_push(smt->arena, &smt->assertions, assertion);
    return RESPONSE_SUCCESS;
}
