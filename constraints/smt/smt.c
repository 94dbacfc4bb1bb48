/* The interpreter's loop. In: a text; out: a response per command, in order. An error is told as
   (error "line:column: …"), the command has no effect and the next one is executed; an assertion
   that was refused, or a command that could not be read, leaves its level such that "sat" becomes
   "unknown" (unsatisfiable stays unsatisfiable without it). Everything since (reset) lives in one
   arena, what is declared and asserted in a level in the level's. */
#include "constraints/smt/script.h"
#include <stdlib.h>
#include <string.h>

struct command {
    const char *name;
    enum response (*run)(struct smt *smt, const struct sexpr *expr);
    int least, greatest;
    bool settles;
};

static const struct command commands[] = {
#define X(name, function, least, greatest, settles)                                                \
    {name, smt_command_##function, least, greatest, settles},
#include "constraints/smt/command.def"
#undef X
};

/* --- responses ------------------------------------------------------------------------------- */

void smt_write(struct smt *smt, const char *text)
{
    if (smt->host.write)
        smt->host.write(smt->host.self, text, strlen(text));
}

enum response smt_refuse(struct smt *smt, const struct sexpr *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!smt->error.message)
        smt->error = (struct sexpr_error){at->line, at->column,
                                          arena_vprintf(smt->command, format, arguments), false};
    va_end(arguments);
    return RESPONSE_ERROR;
}

static void error_write(struct smt *smt)
{
    struct str text = str_new(smt->command);
    str_addf(&text, "(error \"%u:%u: ", smt->error.line, smt->error.column);
    for (const char *c = smt->error.message; *c; c++) {
        if (*c == '"')
            str_char(&text, '"');
        str_char(&text, *c);
    }
    str_add(&text, "\")\n");
    smt_write(smt, text.text);
    smt->failed = true;
}

static void respond(struct smt *smt, enum response response)
{
    if (response == RESPONSE_ERROR)
        error_write(smt);
    else if (response == RESPONSE_UNSUPPORTED && !smt->host.claim)
        smt_write(smt, "unsupported\n");
    else if (response == RESPONSE_SUCCESS && !smt->host.claim && smt_setting(smt, ":print-success"))
        smt_write(smt, "success\n");
}

/* --- one script ------------------------------------------------------------------------------ */

static void script_begin(struct smt *smt)
{
    smt->arena = arena_new();
    smt->symbols = map_new(smt->arena);
    smt->settings = map_new(smt->arena);
    smt->budget = TERM_BUDGET;
    vec_push(smt->arena, &smt->levels, ((struct smt_level){.arena = arena_new()}));
}

static void script_end(struct smt *smt)
{
    smt_settle(smt);
    smt_session_drop(smt, smt->session);
    smt->session = NULL;
    for (size_t i = 0; i < smt->levels.count; i++)
        arena_free(smt->levels.at[i].arena);
    arena_free(smt->arena);
}

static void smt_clear(void *object)
{
    script_end(object);
}

struct smt *smt_new(struct arena *arena, const struct smt_host *host,
                    const struct solver_options *options)
{
    struct smt *smt = ARENA_NEW(arena, struct smt);
    smt->host = *host;
    if (options)
        smt->options = *options;
    script_begin(smt);
    arena_on_free(arena, smt_clear, smt);
    return smt;
}

enum response smt_command_reset(struct smt *smt, const struct sexpr *expr)
{
    (void)expr;
    bool success = smt_setting(smt, ":print-success");
    script_end(smt);
    struct smt kept = *smt;
    *smt = (struct smt){.host = kept.host,
                        .options = kept.options,
                        .statistics = kept.statistics,
                        .command = kept.command,
                        .failed = kept.failed};
    script_begin(smt);
    if (success && !smt->host.claim)
        smt_write(smt, "success\n");
    return RESPONSE_GIVEN;
}

bool smt_failed(const struct smt *smt)
{
    return smt->failed;
}

/* --- levels ---------------------------------------------------------------------------------- */

struct arena *smt_level_arena(struct smt *smt)
{
    return smt_setting(smt, ":global-declarations") ? smt->levels.at[0].arena
                                                    : vec_last(&smt->levels).arena;
}

/* All but the first `count` and the global ones. */
static void symbols_drop(struct smt *smt, size_t count)
{
    size_t kept = count;
    for (size_t i = count; i < smt->declared.count; i++) {
        struct symbol *symbol = smt->declared.at[i];
        if (symbol->global) {
            smt->declared.at[kept++] = symbol;
            continue;
        }
        map_put(smt->symbols, symbol->name, NULL);
        if (smt->session)
            session_forget(smt->session, symbol);
    }
    smt->declared.count = kept;
}

void smt_levels_drop(struct smt *smt, size_t count)
{
    while (smt->levels.count > count) {
        struct smt_level level = vec_pop(&smt->levels);
        if (smt->session)
            session_pop(smt->session);
        symbols_drop(smt, level.symbols);
        smt->assertions.count = level.assertions;
        arena_free(level.arena);
    }
    if (smt->session && session_is_stale(smt->session)) {
        smt_session_drop(smt, smt->session);
        smt->session = NULL;
    }
}

/* The operand of push and pop, 1 if it is left out; -1 after an error. */
static long level_count(struct smt *smt, const struct sexpr *expr)
{
    enum { LEVEL_LIMIT = 1000000 };
    if (expr->count == 1)
        return 1;
    const struct sexpr *operand = expr->at[1];
    long count = operand->kind == SEXPR_NUMERAL && strlen(operand->text) < 10
                     ? strtol(operand->text, NULL, 10)
                     : -1;
    if (count >= 0 && count <= LEVEL_LIMIT)
        return count;
    smt_refuse(smt, operand, "the number of levels is expected");
    return -1;
}

enum response smt_command_push(struct smt *smt, const struct sexpr *expr)
{
    long count = level_count(smt, expr);
    for (long i = 0; i < count; i++) {
        struct smt_level level = {arena_new(), smt->declared.count, smt->assertions.count};
        vec_push(smt->arena, &smt->levels, level);
        if (smt->session)
            session_push(smt->session);
    }
    return count < 0 ? RESPONSE_ERROR : RESPONSE_SUCCESS;
}

enum response smt_command_pop(struct smt *smt, const struct sexpr *expr)
{
    long count = level_count(smt, expr);
    if (count < 0)
        return RESPONSE_ERROR;
    if ((size_t)count >= smt->levels.count)
        return smt_refuse(smt, expr, "there are only %zu levels to pop", smt->levels.count - 1);
    smt_levels_drop(smt, smt->levels.count - (size_t)count);
    return RESPONSE_SUCCESS;
}

enum response smt_command_reset_assertions(struct smt *smt, const struct sexpr *expr)
{
    (void)expr;
    smt_levels_drop(smt, 1);
    smt_session_drop(smt, smt->session);
    smt->session = NULL;
    symbols_drop(smt, 0);
    smt->assertions.count = 0;
    return RESPONSE_SUCCESS;
}

enum response smt_command_exit(struct smt *smt, const struct sexpr *expr)
{
    (void)expr;
    smt->finished = true;
    return RESPONSE_SUCCESS;
}

enum response smt_command_echo(struct smt *smt, const struct sexpr *expr)
{
    if (expr->at[1]->kind != SEXPR_STRING)
        return smt_refuse(smt, expr->at[1], "a string is expected");
    struct str text = str_new(smt->command);
    sexpr_print(&text, expr->at[1]);
    smt_write(smt, text.text);
    smt_write(smt, "\n");
    return RESPONSE_GIVEN;
}

/* --- the loop -------------------------------------------------------------------------------- */

static const struct command *command_find(struct smt *smt, const struct sexpr *expr)
{
    if (expr->kind != SEXPR_LIST || !expr->count || expr->at[0]->kind != SEXPR_SYMBOL) {
        smt_refuse(smt, expr, "a command is expected: (name …)");
        return NULL;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const struct command *command = &commands[i];
        int operands = (int)expr->count - 1;
        if (strcmp(command->name, expr->at[0]->text) != 0)
            continue;
        if (operands >= command->least && (command->greatest < 0 || operands <= command->greatest))
            return command;
        smt_refuse(smt, expr, "%s cannot have %d operand%s", command->name, operands,
                   operands == 1 ? "" : "s");
        return NULL;
    }
    smt_refuse(smt, expr, "the command %s is not supported", expr->at[0]->text);
    return NULL;
}

static bool is_assertion(const struct sexpr *expr)
{
    return expr && expr->kind == SEXPR_LIST && expr->count && sexpr_is(expr->at[0], "assert");
}

/* Every expression that is read adds to the budget of terms; what definitions multiply does not. */
static size_t expressions(struct arena *scratch, const struct sexpr *expr)
{
    VEC(const struct sexpr *) open = {0};
    size_t count = 0;
    vec_push(scratch, &open, expr);
    for (; open.count; count++) {
        const struct sexpr *top = vec_pop(&open);
        for (size_t i = 0; i < top->count; i++)
            vec_push(scratch, &open, top->at[i]);
    }
    return count;
}

static void execute(struct smt *smt, const struct sexpr *expr)
{
    const struct command *command = expr ? command_find(smt, expr) : NULL;
    if (command && command->settles)
        smt_settle(smt);
    enum response response = command ? command->run(smt, expr) : RESPONSE_ERROR;
    if (response == RESPONSE_ERROR && (expr ? is_assertion(expr) : !smt->error.outside)) {
        smt_settle(smt);
        smt_assertion_lost(smt);
    }
    respond(smt, response);
}

void smt_run(struct smt *smt, sexpr_source source, void *self)
{
    struct arena *reading = arena_new();
    struct sexpr_reader *reader = sexpr_reader_new(reading, source, self);
    bool more = true;
    for (smt->finished = false; more && !smt->finished; arena_free(smt->command)) {
        smt->command = arena_new();
        const struct sexpr *expr = sexpr_read(reader, smt->command, &smt->error);
        more = expr || smt->error.message;
        if (expr)
            smt->budget += TERM_BUDGET_MORE * expressions(smt->command, expr);
        if (more)
            execute(smt, expr);
    }
    arena_free(reading);
    smt->command = NULL;
}

struct text_source {
    const char *at;
    size_t left;
};

static size_t text_read(void *self, char *buffer, size_t capacity)
{
    struct text_source *source = self;
    size_t count = source->left < capacity ? source->left : capacity;
    memcpy(buffer, source->at, count);
    source->at += count;
    source->left -= count;
    return count;
}

void smt_run_text(struct smt *smt, const char *text, size_t length)
{
    struct text_source source = {text, length};
    smt_run(smt, text_read, &source);
}
